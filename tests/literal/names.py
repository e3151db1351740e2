"""Helpers of the tests that look up names on a page."""

from collections.abc import Callable, Iterable, Sequence

import pytest
from playwright.sync_api import Page

from pytest_webtask.errors import TaskFailed
from pytest_webtask.literal.finder import ElementPhrase, UnresolvedError
from pytest_webtask.literal.grammar import Phrase, parse_sentence
from pytest_webtask.literal.waiting import find_element
from pytest_webtask.run.webtask import Webtask

Outcome = Callable[..., str]
"""The fixture `outcome`, which judges a claim."""
Unexpected = Callable[[Iterable[tuple[str, ...]]], dict[str, str]]
"""The fixture `unexpected`, which judges claims on one page."""
Claims = dict[str, tuple[str, Sequence[tuple[str, ...]]]]
"""Pages by what they are, each with claims: a sentence, how its outcome begins, parts of the reason."""

SHOP = """
<nav><a href="#home">Home</a> <a href="#mug">Mug</a></nav>
<main>
  <h1>Products</h1>
  <table><tbody>
    <tr><td>Mug</td><td><button id="mug">Add to cart</button></td></tr>
    <tr><td>Mug holder</td><td><button id="holder">Add to cart</button></td></tr>
    <tr><td>Pen</td><td>sold out</td></tr>
  </tbody></table>
  <h2>Delivery</h2>
  <label><input type="radio" name="d" id="d1">Express</label>
  <label><input type="radio" name="d" id="d2">Standard</label>
  <h2>Gift wrap</h2>
  <label><input type="radio" name="g" id="g1">Express</label>
  <section aria-label="Cart"><button id="empty">Empty</button></section>
  <form><fieldset><legend>Account</legend><button type="button" id="wipe">Empty</button></fieldset>
  </form>
</main>
"""


def parse_phrase(phrase: str) -> ElementPhrase:
    """Return the first element phrase of a sentence."""
    return _filled(next(iter(parse_sentence(phrase)[0].elements.values())))


def _filled(
    template: Phrase, around: Sequence[Phrase] = (), *, strict: bool = False
) -> ElementPhrase:
    within = (*around, *template.within)
    scope = _filled(within[-1], within[:-1], strict=True) if within else None
    name = " ".join(template.name.split())
    return ElementPhrase(**{**vars(template), "name": name}, strict=strict, scope=scope)


def find_id(page: Page, phrase: str, timeout: float = 3) -> str:
    """Return the id of the one element that a sentence names."""
    code, locator = find_element(page, parse_phrase(phrase), timeout).operated.address()
    assert locator.count() == 1, code
    return str(locator.get_attribute("id"))


def failure(webtask: Webtask, sentence: str) -> str:
    """Return why a sentence fails."""
    with pytest.raises(TaskFailed) as caught:
        webtask.do(sentence)
    return str(caught.value)


def refusal(page: Page, phrase: str, timeout: float = 0.3) -> str:
    """Return the error for a sentence that does not name exactly one element."""
    with pytest.raises(UnresolvedError) as caught:
        find_element(page, parse_phrase(phrase), timeout)
    return str(caught.value)
