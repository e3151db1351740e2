"""Sentences about time: what is awaited, how long a sentence may wait, and what may be there."""

import pytest

from pytest_webtask.errors import NotLiteral, UsageError, VerificationFailed
from pytest_webtask.literal.grammar import parse_sentence
from pytest_webtask.run.webtask import Webtask
from tests.literal.names import failure
from tests.scripted import Html

pytestmark = pytest.mark.real_time
SHOP = """<button onclick="s.textContent = 'Saving'; setTimeout(() => s.textContent = 'Saved', 900)">Save</button>
<button onclick="setTimeout(() => s.textContent = 'Saving', 400); setTimeout(() => s.textContent = 'Saved', 900)">
Late</button> <button>Idle</button> <button>Buy</button> <button>Buy</button> <p id=s>Draft</p>
<button aria-label=Close onclick="s.textContent = 'Closed'">×</button> <button id=next disabled onclick="s.textContent = 'Done'">Next</button>
<div id=b>We use cookies <button onclick="b.remove()">Accept cookies</button></div>
<button onclick="this.after('Shop'); setTimeout(() => c.innerHTML = '<b onclick=this.remove()>Banner</b>', 300)">Open</button>
<button onclick="s.textContent = confirm('Sure?')">Delete</button> <p id=c></p><i id=soon hidden onclick="s.textContent = 1">Soon</i>"""
DONE = {
    'click "Save", wait until "Saving" is gone': "Saved",
    'click "Save", wait until "Saved" is shown': "Saved",
    'click "Late", wait until "Saving" is gone': "Saved",
    'wait until "Nonsense" is gone': "Draft",
    'within 9 seconds wait until the "Next" button is enabled, then click "Next"': "Done",
    'within 9 seconds click "Next"': "Done",
    'within 9 seconds: wait for "Idle", click "Next"': "Done",
    'if the "Delete" button is shown, click it and accept the dialog': "true",
    'if "Nonsense" is not shown, click "Delete" and accept the dialog': "true",
    'if "Nonsense" is shown, click "Delete"; wait for "Draft"': "Draft",
    'if "Soon" is shown, click it': "1",
    'if "Close" is shown, click it': "Closed",
}
FAILS = {
    'wait until "Draft" is gone': 'wait until "Draft" is gone: not so within 1 s: the page shows "Draft"',
    'click "Idle", wait until "Draft" is shown': "the last action changed nothing",
    'wait until "Buy" is enabled': "2 elements could be",
    'if "Buy" is enabled, click it': "2 elements could be",
    'if "Buy" in "Cart" is enabled, click it': "there is no",
    'if "We use cookies" is shown, click "Allow"': 'nothing that can be clicked is called "Allow"',
}
REFUSED = {
    'if the URL is "/x", click it': "expected a quoted name",
    'if "A" is shown click it': "expected a comma and an instruction",
    'wait until "A" is shown, click it': "expected a quoted name",
    'in "A": if the page shows "B", click "C"': "is about the whole page",
    'within a moment click "A"': "expected",
}


@pytest.mark.webtask(timeout=1)
@pytest.mark.parametrize("sentence", DONE)
def test_instruction_waits_or_depends_on_a_claim(
    webtask: Webtask, html: Html, sentence: str
) -> None:
    """What is awaited has come, as late as the sentence allows, and an instruction is done if its condition holds."""
    page = html(SHOP)
    page.evaluate("setTimeout('next.disabled = 0', 2000), setTimeout('soon.hidden = 0', 300)")
    webtask.do(sentence)
    assert page.inner_text("#s") == DONE[sentence]


@pytest.mark.webtask(timeout=1)
@pytest.mark.parametrize("sentence", FAILS)
def test_claim_that_does_not_come_to_hold_is_an_error(
    webtask: Webtask, html: Html, sentence: str
) -> None:
    """A wait in vain, an undecided condition and a misspelled instruction fail, with the reason."""
    html(SHOP)
    assert FAILS[sentence] in failure(webtask, sentence)


@pytest.mark.parametrize("sentence", REFUSED)
def test_half_a_condition_is_refused(sentence: str) -> None:
    """A sentence that does not fit a form is refused as a whole."""
    with pytest.raises(NotLiteral, match=REFUSED[sentence]):
        parse_sentence(sentence)


def test_only_the_instruction_of_a_condition_is_skipped(webtask: Webtask, html: Html) -> None:
    """A banner is accepted if it comes before the page is at rest, else skipped, and the result says so."""
    page = html(SHOP)
    banner = 'if "Accept cookies" is shown, click it'
    result = webtask.do(f'{banner}, then click "Open", if "Banner" is shown, click it')
    assert [page.locator("b").count(), result.session.feedback.count("skipped")] == [0, 0]
    skipped = f'skipped: {banner}: the page does not show "Accept cookies"'
    assert skipped in webtask.do(f'within 30 seconds {banner}; click "Save"').session.feedback


def test_sentence_says_how_long_it_may_wait(webtask: Webtask, html: Html) -> None:
    """A claim has the time that it names, in a part of the page too, but no more than its step has."""
    page = html("<section aria-label=Cart><p id=p></p></section>")
    for claim in ('in "Cart": within 9 seconds "Done" is shown', 'within 1 minute, in "Cart": "Done" is shown'):  # fmt: skip
        page.evaluate(
            "() => { p.textContent = ''; setTimeout(() => p.textContent = 'Done', 1500) }"
        )
        webtask.verify(claim, timeout=0.2)
    with pytest.raises(VerificationFailed):
        webtask.verify('within 1 second "Never" is shown', timeout=60)
    with pytest.raises(UsageError, match="longer than this step may take"):
        webtask.do('within 20 seconds wait for "Done"', timeout=5)
