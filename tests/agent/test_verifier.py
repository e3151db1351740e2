"""`webtask.verify` and `webtask.holds`: what passes, what fails, and what cannot be decided."""

from typing import Any

import pytest

from pytest_webtask import (
    Decision,
    Outcome,
    Turn,
    Undecided,
    UsageError,
    VerificationFailed,
    Webtask,
)
from pytest_webtask.journal import StepEnded, StepStarted, VerdictReached
from pytest_webtask.types.model import ModelTraits
from tests.inner import journaled, text
from tests.scripted import Html, Scripted, call, rule, verdict

CART = """<h1>Your cart</h1>
<table><tr><th>Product<th>Quantity<th>Price<th>
<tr><td>Mug<td>2<td>€24.00<td><button>Remove</button>
<tr><td>Plate<td>1<td>€12.00<td><button>Remove</button></table>
<p>Subtotal <b>€36.00</b></p><p>Total <b>€41.00</b></p>
<button disabled>Buy</button><label><input type=checkbox> Gift</label>
<label>Email <input placeholder="a@b.c"></label>"""
HEADING = {"kind": "text", "element_id": "heading:Your cart", "text": "Your cart"}
ROWS = ["row:Mug", "row:Plate"]
PAID, QUANTITY = "the order was paid", "the quantity of Mug is 2"
THREE = "the quantity of Mug is 3"
CLAIMED, DENIED = ("verify", "holds"), ("holds", "does_not_hold")


TWO = text("cell:2", "2")
BUY = {"kind": "state", "element_id": "button:Buy", "state": "disabled"}


@pytest.fixture(autouse=True)
def _page(html: Html) -> None:
    html(CART)


def test_claim_passes_on_a_check_that_holds(webtask: Webtask, model: Scripted) -> None:
    """The verdict, also in the journal, has the check, its element's locator, the actual text and the ruling."""
    model.answers = [verdict("holds", TWO)]
    result = webtask.verify(QUANTITY)
    assert (result.outcome, result.by_eye, len(model.turns)) == (Outcome.PASSED, False, 1)
    [check] = result.evidence
    assert (check.kind, check.actual, check.holds, check.tab) == ("text", "2", True, 1)
    assert check.target
    assert check.target.locator.startswith('get_by_role("row").filter(has=')
    assert "Mug" in check.target.locator
    assert webtask.state.verdicts == (result,)
    assert result.ruling and result.ruling.proves
    [conclusion] = model.conclusions
    assert (conclusion.sentence, conclusion.outcome) == (QUANTITY, "holds")
    events: dict[type, Any] = {type(event): event for event in journaled(webtask)}
    assert events[StepStarted].step_kind == "verify" and events[StepEnded].status == "passed"
    reached = events[VerdictReached].verdict
    assert (reached.outcome, reached.evidence[0].actual) == ("passed", "2")


def test_half_a_surrogate_pair_is_a_sign_like_others(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """Text that is no Unicode, in names, texts and title, does not keep a claim from being decided."""
    half = "document.title = b.textContent = p.textContent = 'A \\ud83d'"
    html(f"<button id=b></button><p id=p role=note></p><script>{half}</script>")
    enabled = {"kind": "state", "element_id": "button:A", "state": "enabled"}
    model.answers = [verdict("holds", enabled, text("note:", "A"), {"kind": "title", "text": "A"})]
    result = webtask.verify("it can be paid now")
    assert [check.actual for check in result.evidence] == ["enabled", "A \ufffd", "A \ufffd"]


# What code or the referee refuses leaves a claim undecided, however often it is concluded.


@pytest.mark.parametrize(
    ("asked", "claim", "checks", "why"),
    [
        (CLAIMED, "the cart has 3 products", [{"kind": "count", "element_ids": ROWS}], "3 of the claim"),
        (CLAIMED, "the total is €99.00", [text("text:€36.00", "€36.00")], "99.00 of the claim"),
        (CLAIMED, "the quantity of Mug is 1", [], "there is no evidence"),
        (CLAIMED, "no error is shown", [{"kind": "absent", "text": "error"}], "on an empty page, too"),
        (CLAIMED, "the quantity of Mug is 24", [text("cell:24", "24")], 'expected "24"'),
        (CLAIMED, "it is my cart", [HEADING, {**BUY, "element_id": "heading:"}], "could not be checked"),
        (DENIED, THREE, [], "there is no evidence"),
        (DENIED, THREE, [text("cell:2", "3")], "A check that fails is no evidence"),
        (DENIED, THREE, [{"kind": "absent", "text": "qwertz"}], "holds on an empty page, too"),
    ],
)  # fmt: skip
def test_insufficient_checks_are_refused_without_a_ruling(
    webtask: Webtask, model: Scripted, asked: tuple[str, str], claim: str, checks: Any, why: str
) -> None:
    """Each problem is named without a ruling, and the third refusal leaves the claim undecided."""
    model.answers = [verdict(asked[1], *checks)] * 3
    with pytest.raises(Undecided) as raised:
        getattr(webtask, asked[0])(claim, timeout=0)
    assert raised.value.verdict.outcome is Outcome.UNDECIDED
    assert 'concluded "as shown", but its evidence was rejected 3 times:\n  - ' in str(raised.value)
    assert why in str(raised.value)
    assert len(model.turns) == 3 and not model.conclusions


@pytest.mark.parametrize(
    ("asked", "claim", "evidence"),
    [
        (CLAIMED, "the total is €36.00", [text(f"text:{t}", t) for t in ("€36.00", "Subtotal", "Total")]),
        (CLAIMED, "the quantity of Mug is 1", [text(f"cell:{t}", t) for t in ("1", "Plate", "Mug")]),
        (CLAIMED, "the order was placed", [HEADING, BUY, text("cell:Mug", "Mug")]),
        (DENIED, "an error is shown", [HEADING, text("cell:Plate", "Plate"), TWO]),
    ],
)  # fmt: skip
def test_three_refusals_leave_a_claim_undecided(
    webtask: Webtask, model: Scripted, asked: tuple[str, str], claim: str, evidence: Any
) -> None:
    """After three refusals of a claim or a denial the error has both opinions and the facts."""
    numbers = [HEADING, text("text:€36.00", "€36.00"), text("cell:1", "1")]
    model.answers = [verdict(asked[1], check, *numbers) for check in evidence]
    model.scripts["referee"] = [rule(proves=False, missing=f"the row, {n}") for n in range(3)]
    with pytest.raises(Undecided) as raised:
        getattr(webtask, asked[0])(claim, timeout=0)
    message = str(raised.value)
    assert 'a model concluded "as shown", but the referee, which sees only the facts' in message
    assert "missing: the row, 2" in message
    assert '- heading shows "Your cart"' in message
    assert [each.outcome for each in model.conclusions] == [asked[1]] * 3


def test_claim_without_a_verdict_is_undecided(webtask: Webtask, model: Scripted) -> None:
    """`holds` raises Undecided, so that neither a claim nor its negation passes."""
    model.answers = [verdict("cannot_tell", reason="it is not to be seen")] * 2
    with pytest.raises(Undecided, match="it is not to be seen") as raised:
        assert not webtask.holds(PAID, timeout=0)
    assert not isinstance(raised.value, AssertionError)
    model.answers = [call("look")] * 21
    with pytest.raises(Undecided, match="within 20 iterations"):
        webtask.verify(PAID, timeout=0)
    with pytest.raises(UsageError, match=r"takes a sentence, got"):
        webtask.verify(" ")


@pytest.mark.webtask(screenshots="on")
def test_message_holds_claim_reason_facts_and_page(webtask: Webtask, model: Scripted) -> None:
    """A claim fails like an assertion: with its reason, the facts, the page and a screenshot."""
    model.answers = [verdict("does_not_hold", TWO, HEADING, reason="2 Mugs")]
    with pytest.raises(VerificationFailed) as raised:
        webtask.verify("the quantity of Mug is 3", timeout=0)
    error = raised.value
    assert isinstance(error, AssertionError)
    lines = str(error).splitlines()
    assert lines[:2] == ['"the quantity of Mug is 3" does not hold', "  2 Mugs"]
    facts = lines.index("facts:")
    assert lines[facts + 1].startswith('  - cell shows "2" in column "Quantity" in row "Mug"')
    assert any(line.startswith('  - heading shows "Your cart"') for line in lines[facts:])
    assert "a referee (" in "\n".join(lines)
    assert lines[-2] == "page: about:blank"
    assert lines[-1].startswith("screenshot: .webtask")


@pytest.mark.parametrize(
    ("change", "limit"), [("setTimeout(() => change(), 300)", 600), ("change()", 0.2)]
)
def test_claim_that_becomes_true_passes_promptly(
    webtask: Webtask, model: Scripted, html: Html, change: str, limit: float
) -> None:
    """A page that changes after or during a decision is judged once more, and not at the timeout."""

    def early(turn: Turn) -> Decision:
        answer = verdict("does_not_hold", text("text:1 item", "1 item"))(turn)
        turn.page.evaluate(f"change = () => {{ p.textContent = '2 items' }}; {change}")
        turn.page.wait_for_timeout(100)  # longer than the shorter limit
        return answer

    html("<h1>Your cart</h1><p id=p>1 item</p>")
    model.traits = ModelTraits(looks_at_page=limit < 1)
    model.answers = [early, verdict("holds", text("text:2 items", "2 items"))]
    # The limit of this test itself is shorter.
    assert webtask.verify("the cart shows 2 items", timeout=limit)
    assert len(model.turns) == 2
    assert [each.outcome for each in model.conclusions] == ["holds"]


def test_tools_that_change_the_page_are_withheld(webtask: Webtask, model: Scripted) -> None:
    """No tool clicks, types or navigates, and a call of such a tool is refused."""
    model.answers = [call("click", element_id="button-0"), verdict("holds", TWO)]
    webtask.verify(QUANTITY)
    names = {tool.name for tool in model.turns[0].tools}
    assert names == {"look", "scroll", "hover", "switch_tab", "wait", "report_verdict"}
    assert "there is no tool 'click'" in str(model.turns[1].iterations[0].calls[0].error)
