"""Every check of every pair holds on its scene in Chromium, found out by Playwright alone."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from benchmarks.referee.pairs import ADDRESSES, PAIRS, Check, Pair
from tests.site import Site

pytestmark = pytest.mark.webtask(literal="off")

OTHERS = """all => {
    let common = all[0].parentElement;
    while (!all.every(each => common.contains(each))) common = common.parentElement;
    const alike = all[0].className && common.getElementsByClassName(all[0].className);
    return [...alike].filter(e => e.checkVisibility() && !all.includes(e)).length;
}"""
"""How many elements beside those of a set are of the same class, where they are siblings."""

SCENES = Path(__file__).parent / "scenes"
OF_A_SCENE = defaultdict[str, list[Pair]](list)
for _pair in PAIRS:
    OF_A_SCENE[_pair.scene].append(_pair)


@pytest.fixture(scope="module")
def scenes() -> Iterator[Site]:
    """All scenes on loopback."""
    site = Site()
    for name, address in ADDRESSES.items():
        site.pages[address.partition("?")[0]] = (SCENES / f"{name}.html").read_text()
    yield site
    site.stop()


@pytest.mark.parametrize("name", ADDRESSES)
def test_checks_hold_on_the_scene(name: str, scenes: Site, page: Page) -> None:
    """Each selector finds visible elements, and each check holds on them."""
    page.goto(scenes.url + ADDRESSES[name])
    wrong = []
    for pair in OF_A_SCENE[name]:
        if pair.css:
            _one(page, pair.css)
        for check in pair.checks:
            if check["kind"] == "earlier_step":
                continue
            try:
                CHECKS[check["kind"]](page, check)
            except (AssertionError, KeyError) as error:
                wrong.append(f"{pair.id}: {check}: {str(error).splitlines()[0]}")
    assert not wrong, "\n".join(wrong)


def test_pairs_are_many_and_distinct() -> None:
    """At least 210 deceiving and 110 honest pairs, 40 of these tempting to refuse; none twice."""
    deceiving = [pair for pair in PAIRS if not pair.true]
    honest = [pair for pair in PAIRS if pair.true]
    kinds = Counter((pair.kind, pair.outcome, pair.true) for pair in PAIRS)
    tricks = Counter(pair.trick for pair in deceiving)
    print(f"\n{len(deceiving)} deceiving, {len(honest)} honest pairs, {len(ADDRESSES)} scenes")
    print(f"{sum(pair.tempting for pair in honest)} of the honest ones are tempting to refuse")
    print("".join(f"  {number:4} {' '.join(map(str, kind))}\n" for kind, number in kinds.items()))
    print("".join(f"  {number:4} {trick}\n" for trick, number in tricks.most_common()))
    assert len(deceiving) >= 210 and len(honest) >= 110
    assert sum(pair.tempting for pair in honest) >= 40
    assert {path.stem for path in SCENES.glob("*.html")} == set(ADDRESSES) == set(OF_A_SCENE)
    assert len({_content(pair) for pair in PAIRS}) == len(PAIRS)


def test_pairs_are_complete() -> None:
    """Each pair has checks, the fields of its kind, and a trick if it deceives."""
    for pair in PAIRS:
        assert pair.checks and (pair.true or pair.trick), pair
        assert (pair.value is not None) == (pair.kind == "value"), pair
        assert (pair.css is not None) == (pair.kind == "element"), pair
        assert bool(pair.actions) == (pair.kind == "task"), pair
        in_tasks = {"held_before" in check for check in pair.checks}
        assert in_tasks == {pair.kind == "task"}, pair
        # These count only beside something that is present.
        beside = ("absent", "url", "title", "earlier_step")
        assert any(c["kind"] not in beside for c in pair.checks), pair


def _content(pair: Pair) -> str:
    parts = [pair.scene, pair.sentence, pair.outcome, pair.value, pair.css, pair.checks]
    return json.dumps([*parts, pair.actions])


def _one(page: Page, css: str) -> Locator:
    found = page.locator(css)
    number = found.count()
    assert number == 1, f"{css} names {number} elements"
    assert found.is_visible(), f"{css} cannot be seen"
    return found


def _all(page: Page, css: str) -> list[Locator]:
    found = page.locator(css).all()
    assert found, f"{css} names no elements"
    assert all(each.is_visible() for each in found), f"some of {css} cannot be seen"
    others = page.locator(css).evaluate_all(OTHERS)
    assert not others, f"{others} others are like {css}"
    return found


def _shown(element: Locator) -> str:
    return " ".join(element.inner_text().split())


def _number(element: Locator) -> float:
    digits = re.search(r"\d[\d,]*(\.\d+)?", _shown(element))
    assert digits, "the element shows no number"
    return float(digits[0].replace(",", ""))


def _text(page: Page, check: Check) -> None:
    shown = _shown(_one(page, check["css"]))
    holds = check["text"] == shown if check["exact"] else check["text"] in shown
    assert holds, f"{shown!r} is shown"


def _state(page: Page, check: Check) -> None:
    element, state = _one(page, check["css"]), check["state"]
    attributes = {
        "expanded": ("aria-expanded", "true"),
        "collapsed": ("aria-expanded", "false"),
        "selected": ("aria-selected", "true"),
        "pressed": ("aria-pressed", "true"),
        "unpressed": ("aria-pressed", "false"),
        "current": ("aria-current", re.compile("^(?!false$).+")),
        "invalid": ("aria-invalid", "true"),
        "required": ("required", ""),
    }
    if state == "enabled":
        expect(element).to_be_enabled(timeout=1)
    elif state == "disabled":
        expect(element).to_be_disabled(timeout=1)
    elif state in ("checked", "unchecked"):
        assert element.is_checked() == (state == "checked")
    elif state in attributes:
        expect(element).to_have_attribute(*attributes[state], timeout=1)  # type: ignore[arg-type]
    else:
        assert state == "visible", "unknown state"


def _value(page: Page, check: Check) -> None:
    element = _one(page, check["css"])
    held = element.evaluate("e => e.tagName == 'SELECT' ? e.selectedOptions[0].label : e.value")
    assert held == check["value"], f"{held!r} is held"


def _count(page: Page, check: Check) -> None:
    found = _all(page, check["css_all"])
    assert len(found) == check["number"], f"there are {len(found)}"


def _order(page: Page, check: Check) -> None:
    shown = [_shown(each) for each in _all(page, check["css_all"])]
    assert len(shown) == len(check["texts"]), f"there are {len(shown)}"
    assert all(a in b for a, b in zip(check["texts"], shown, strict=True)), f"{shown} is shown"


def _absent(page: Page, check: Check) -> None:
    if "role" in check:
        found = page.get_by_role(check["role"], name=check.get("name")).all()
        assert not any(each.is_visible() for each in found), "the role is there"
        return
    shown = _shown(page.locator("body"))
    held = page.locator("input, textarea").evaluate_all("all => all.map(e => e.value)")
    everything = " ".join([shown, *held]).casefold()
    assert check["text"].casefold() not in everything, "the text is there"


def _url(page: Page, check: Check) -> None:
    pattern = ".*".join(map(re.escape, check["pattern"].split("*")))
    assert re.search(pattern + "$", page.url), f"{page.url} is the address"


def _title(page: Page, check: Check) -> None:
    assert check["text"] in page.title(), f"{page.title()!r} is the title"


def _matches(page: Page, check: Check) -> None:
    shown = _shown(_one(page, check["css"]))
    assert re.fullmatch(check["pattern"], shown), f"{shown!r} is shown"


def _attribute(page: Page, check: Check) -> None:
    value = _one(page, check["css"]).get_attribute(check["name"])
    assert value == check["value"], f"{value!r} is the value"


def _bounds(page: Page, check: Check) -> None:
    number = _number(_one(page, check["css"]))
    low, high = check.get("at_least", number), check.get("at_most", number)
    assert low <= number <= high, f"{number} is shown"


def _compare(page: Page, check: Check) -> None:
    one, other = (_number(_one(page, check[key])) for key in ("css", "css_other"))
    relation = "less" if one < other else "more" if one > other else "equal"
    assert relation == check["relation"], f"{one} is {relation} than {other}"


CHECKS: dict[str, Callable[[Page, Check], None]] = {
    "text": _text,
    "state": _state,
    "value": _value,
    "count": _count,
    "order": _order,
    "absent": _absent,
    "url": _url,
    "title": _title,
    "matches": _matches,
    "attribute": _attribute,
    "number": _bounds,
    "compare": _compare,
}
