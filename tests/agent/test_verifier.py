"""`webtask.verify` and `webtask.holds`: what passes, what fails, and what cannot be decided."""

from __future__ import annotations

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
from pytest_webtask.journal import StepEnded, StepStarted, VerdictReached, read
from pytest_webtask.types.model import ModelTraits
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


def text(element_id: str, expected: str, **more: Any) -> dict[str, Any]:
    """A check of a text."""
    return {"kind": "text", "element_id": element_id, "text": expected, **more}


def state(element_id: str, of: str) -> dict[str, Any]:
    """A check of a state."""
    return {"kind": "state", "element_id": element_id, "state": of}


def refused(webtask: Webtask, model: Scripted, claim: str, *checks: dict[str, Any]) -> str:
    """Why a claim is undecided that is concluded three times to hold for these checks."""
    model.answers = [verdict("holds", *checks)] * 3
    with pytest.raises(Undecided) as raised:
        webtask.verify(claim, timeout=0)
    assert raised.value.verdict.outcome is Outcome.UNDECIDED
    return str(raised.value)


class TestPassing:
    """A claim passes on checks that hold, once the referee finds it proved."""

    def test_claim_passes_on_a_check_that_holds(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """The verdict has the check, its element's locator, the actual text and the ruling."""
        html(CART)
        model.answers = [verdict("holds", text("cell:2", "2"))]
        result = webtask.verify("the quantity of Mug is 2")
        assert (result.outcome, result.by_eye, len(model.turns)) == (Outcome.PASSED, False, 1)
        [check] = result.evidence
        assert (check.kind, check.actual, check.holds, check.tab) == ("text", "2", True, 1)
        assert check.target
        assert check.target.locator.startswith('get_by_role("row").filter(has=')
        assert "Mug" in check.target.locator
        assert webtask.state.verdicts == (result,)
        assert result.ruling and result.ruling.proves
        [conclusion] = model.conclusions
        assert (conclusion.sentence, conclusion.outcome) == ("the quantity of Mug is 2", "holds")


class TestRefused:
    """What code or the referee refuses leaves a claim undecided, however often it is concluded."""

    @pytest.mark.parametrize(
        ("claim", "checks", "why"),
        [
            ("the cart has 3 products", [{"kind": "count", "element_ids": ROWS}], "3 of the claim"),
            ("the total is €99.00", [text("text:€36.00", "€36.00")], "99.00 of the claim"),
            ("the quantity of Mug is 1", [], "there is no evidence"),
            ("no error is shown", [{"kind": "absent", "text": "error"}], "on an empty page, too"),
            ("the quantity of Mug is 24", [text("cell:24", "24")], 'expected "24"'),
        ],
    )
    def test_insufficient_checks_are_refused_without_a_ruling(
        self, webtask: Webtask, model: Scripted, html: Html, claim: str, checks: Any, why: str
    ) -> None:
        """Each problem is named without a ruling, and the third refusal leaves the claim undecided."""
        html(CART)
        assert why in refused(webtask, model, claim, *checks)
        assert len(model.turns) == 3
        assert not model.conclusions

    @pytest.mark.parametrize(
        ("claim", "evidence"),
        [
            ("the total is €36.00", [[text(f"text:{t}", t)] for t in ("€36.00", "Subtotal", "Total")]),
            ("the quantity of Mug is 1", [[text(f"cell:{t}", t)] for t in ("1", "Plate", "Mug")]),
            ("the order was placed", [[HEADING], [state("button:Buy", "disabled")], [text("cell:Mug", "Mug")]]),
        ],
    )  # fmt: skip
    def test_three_refusals_leave_a_claim_undecided(
        self, webtask: Webtask, model: Scripted, html: Html, claim: str, evidence: Any
    ) -> None:
        """After three refusals the error has both opinions and the facts."""
        html(CART)
        numbers = [HEADING, text("text:€36.00", "€36.00"), text("cell:1", "1")]
        model.answers = [verdict("holds", *checks, *numbers) for checks in evidence]
        model.scripts["referee"] = [rule(proves=False, missing=f"the row, {n}") for n in range(3)]
        with pytest.raises(Undecided) as raised:
            webtask.verify(claim, timeout=0)
        message = str(raised.value)
        assert (
            'a model concluded "as shown", but the referee, which sees only the facts, did not find it'
            in message
        )
        assert "missing: the row, 2" in message
        assert '- heading shows "Your cart"' in message
        assert len(model.conclusions) == 3

    def test_holds_raises_undecided_after_refusals(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """`holds` raises Undecided, so that neither a claim nor its negation passes."""
        html(CART)
        model.answers = [verdict("cannot_tell", reason="it is not to be seen")] * 2
        with pytest.raises(Undecided, match="it is not to be seen") as raised:
            assert not webtask.holds("the order was paid", timeout=0)
        assert not isinstance(raised.value, AssertionError)

    @pytest.mark.parametrize(
        ("checks", "why"),
        [
            ([], "there is no evidence"),
            ([text("cell:2", "3")], "A check that fails is no evidence"),
            ([{"kind": "absent", "text": "qwertz"}], "holds on an empty page, too"),
        ],
    )
    def test_denial_needs_checks_that_hold(
        self, webtask: Webtask, model: Scripted, html: Html, checks: Any, why: str
    ) -> None:
        """`holds` is not False without checks or on a check that fails."""
        html(CART)
        model.answers = [verdict("does_not_hold", *checks)] * 3
        with pytest.raises(Undecided) as raised:
            webtask.holds("the quantity of Mug is 3", timeout=0)
        assert why in str(raised.value)
        assert not model.conclusions

    def test_denial_is_ruled_on(self, webtask: Webtask, model: Scripted, html: Html) -> None:
        """`holds` is not False on evidence that the referee refuses."""
        html(CART)
        others = [HEADING, text("cell:Plate", "Plate"), text("cell:2", "2")]
        model.answers = [verdict("does_not_hold", each) for each in others]
        model.scripts["referee"] = [rule(proves=False, missing="errors")] * 3
        with pytest.raises(Undecided, match="missing: errors"):
            webtask.holds("an error is shown", timeout=0)
        assert [each.outcome for each in model.conclusions] == ["does_not_hold"] * 3

    def test_verifier_without_a_verdict_is_undecided(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A verifier that gives no verdict within its iterations leaves the claim undecided."""
        html(CART)
        model.answers = [call("look")] * 21
        with pytest.raises(Undecided, match="within 20 iterations"):
            webtask.verify("the order was paid", timeout=0)

    def test_empty_claim_is_refused(self, webtask: Webtask) -> None:
        """An empty claim is a usage error."""
        with pytest.raises(UsageError, match=r"takes a sentence, got"):
            webtask.verify(" ")


class TestFailing:
    """A claim that does not hold fails like an assertion, with the checks."""

    @pytest.mark.webtask(screenshots="on")
    def test_message_holds_claim_reason_facts_and_page(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """The error has the claim, the reason, the facts, the page and a screenshot."""
        html(CART)
        model.answers = [verdict("does_not_hold", text("cell:2", "2"), HEADING, reason="2 Mugs")]
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


class TestWaiting:
    """A claim may become true; it is judged again only when the page has changed."""

    def test_claim_that_becomes_true_passes_promptly(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A claim that becomes true is not decided at its timeout, and is judged twice."""

        def early(turn: Turn) -> Decision:
            answer = verdict("does_not_hold", text("text:1 item", "1 item"))(turn)
            turn.page.evaluate("setTimeout(() => p.textContent = '2 items', 800)")
            return answer

        html("<h1>Your cart</h1><p id=p>1 item</p>")
        model.answers = [early, verdict("holds", text("text:2 items", "2 items"))]
        # The limit of this test itself is shorter.
        assert webtask.verify("the cart shows 2 items", timeout=600)
        assert len(model.turns) == 2
        assert [each.outcome for each in model.conclusions] == ["holds"]

    def test_page_changed_during_a_decision_is_judged_once_more(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A claim that became true while a slow model decided does not fail."""

        def slowly(turn: Turn) -> Decision:
            seen = verdict("does_not_hold", text("text:1 item", "1 item"))(turn)
            turn.page.evaluate("p.textContent = '2 items'")
            turn.page.wait_for_timeout(300)
            return seen

        model.traits = ModelTraits()
        html("<h1>Your cart</h1><p id=p>1 item</p>")
        model.answers = [slowly, verdict("holds", text("text:2 items", "2 items"))]
        assert webtask.verify("the cart shows 2 items", timeout=0.2)


class TestWhatTheVerifierSees:
    """The claim, the page, and what was done; nothing of what the worker thought."""

    def test_tools_that_change_the_page_are_withheld(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """No tool clicks, types or navigates, and a call of such a tool is refused."""
        html(CART)
        model.answers = [
            call("click", element_id="button-0"),
            verdict("holds", text("cell:2", "2")),
        ]
        webtask.verify("the quantity of Mug is 2")
        names = {tool.name for tool in model.turns[0].tools}
        assert names == {"look", "scroll", "hover", "switch_tab", "wait", "report_verdict"}
        assert "there is no tool 'click'" in str(model.turns[1].iterations[0].calls[0].error)


class TestJournal:
    """What came of a claim is on record."""

    def test_verdict_is_journaled(
        self, webtask: Webtask, model: Scripted, html: Html, request: pytest.FixtureRequest
    ) -> None:
        """The step has its kind and outcome, and the verdict its checks."""
        html(CART)
        model.answers = [verdict("holds", text("cell:2", "2"))]
        webtask.verify("the quantity of Mug is 2")
        folder = webtask._runner.journal.folder
        events: dict[type, Any] = {
            type(e): e for e in read(folder) if e.test == request.node.nodeid
        }
        assert events[StepStarted].step_kind == "verify"
        assert events[VerdictReached].verdict.outcome == "passed"
        assert events[VerdictReached].verdict.evidence[0].actual == "2"
        assert events[StepEnded].status == "passed"
