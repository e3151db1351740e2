"""The referee: what its turn holds, how it answers, and what is made of its answers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import Page

from pytest_webtask import (
    Decision,
    ModelError,
    NotFound,
    TaskFailed,
    Turn,
    UsageError,
    VerificationFailed,
    Webtask,
)
from pytest_webtask.agent.referee import RuleArgs
from pytest_webtask.errors import PageError
from pytest_webtask.journal import RulingMade, read
from pytest_webtask.llm.model_names import load_model
from pytest_webtask.llm.prompts import render
from pytest_webtask.types.agent import ProposedToolCall, Usage
from pytest_webtask.types.model import ModelTraits
from tests.scripted import Html, Scripted, call, cited, on, rule, verdict

CART = "<h1>Your cart</h1><table><tr><th>Item<th>Qty<tr><td>Mug<td>2<tr><td>Cup<td>1</table>"
TWO = {"kind": "text", "element_id": "cell:2", "text": "2"}
MUG = {"kind": "text", "element_id": "cell:Mug", "text": "Mug"}
HEADING = {"kind": "text", "element_id": "heading:Your cart", "text": "Your cart"}


class Refereeing:
    """A referee of its own, which keeps its turns."""

    traits = ModelTraits(looks_at_page=False)

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.turns: list[Turn] = []

    def decide(self, turn: Turn) -> Decision:
        self.turns.append(turn)
        answer = self.answers.pop(0) if self.answers else rule(proves=True)
        if isinstance(answer, Decision):
            return answer
        return Decision(calls=[answer] if answer else [])


@pytest.fixture
def referee() -> Refereeing:
    """The referee of this test."""
    return Refereeing()


@pytest.fixture
def webtask_model(model: Scripted, referee: Refereeing) -> Mapping[str, Any]:
    """A script decides, and a referee of its own rules."""
    return {"worker": model, "referee": referee}


def in_words(turn: Turn) -> str:
    """All that a referee's model is sent."""
    prompt = render(turn)
    assert prompt.screenshot is None
    return "\n".join((prompt.system, prompt.task, prompt.page))


class TestTurn:
    def test_holds_the_conclusion_and_the_facts(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """The turn holds the sentence, the facts, and `rule` as its only tool."""
        html(CART)
        model.answers = [verdict("holds", TWO)]
        webtask.verify("the cart has {n} mugs", data={"n": "2"}, timeout=0)
        [turn] = referee.turns
        assert turn.role == "referee"
        assert [tool.name for tool in turn.tools] == ["rule"]
        words = in_words(turn)
        assert "the cart has {n} mugs" in words
        assert turn.conclusion is not None
        [fact] = turn.conclusion.facts
        assert (fact["text"], fact["column"], fact["row"]) == ("{n}", "Qty", "Mug")
        assert json.loads(render(turn).page.splitlines()[-1]) == fact

    def test_omits_page_reason_and_earlier_steps(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """The turn holds nothing of the page beside the facts, no reason and no earlier step."""
        html(f"{CART}<p>ELSEWHERE</p><button>GO-BUTTON</button>")
        model.answers = [
            on("click", "button", "GO", reason="REASON"),
            call("mark_done", summary="SUM"),
        ]
        webtask.do("FIRST TASK")
        model.answers = [verdict("holds", TWO, reason="OPINION")]
        webtask.verify("the cart has 2 mugs", timeout=0)
        turn = referee.turns[-1]
        words = in_words(turn)
        for secret in ("ELSEWHERE", "GO-BUTTON", "REASON", "SUM", "FIRST TASK", "OPINION", "cell-"):
            assert secret not in words, secret
        assert not (turn.iterations or turn.earlier or turn.actions or turn.before or turn.vanished)
        with pytest.raises(PageError, match="the referee sees no page"):
            turn.observe()
        with pytest.raises(PageError, match="the referee sees no page"):
            _ = turn.page.url

    def test_second_turn_differs_in_the_facts_only(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """The turn after refused evidence has the same number, notices and task as the first."""
        html(CART)
        referee.answers = [rule(proves=False, missing="the row"), rule(proves=True)]
        model.answers = [verdict("holds", TWO, HEADING), verdict("holds", TWO, MUG)]
        webtask.verify("the cart has 2 mugs", timeout=0)
        one, two = referee.turns
        assert (one.number, one.notices, one.task) == (two.number, two.notices, two.task)
        prompts = render(one), render(two)
        # The meaning of a field is only explained if a fact has that field.
        lines = set(prompts[0].system.splitlines()) ^ set(prompts[1].system.splitlines())
        assert all(line.startswith("- `") for line in lines)
        assert prompts[0].task == prompts[1].task
        assert prompts[0].page != prompts[1].page

    def test_approved_conclusion_is_asked_once(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """The same conclusion from the same facts needs no second ruling, another one does."""
        html(CART)
        model.answers = [verdict("holds", TWO), verdict("holds", TWO), verdict("holds", TWO, MUG)]
        for _ in range(3):
            assert webtask.verify("the cart has 2 mugs", timeout=0).ruling
        assert len(referee.turns) == 2

    def test_ruling_is_journaled(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """The journal and the verdict hold the ruling, which isn't blind if the model remembers."""
        html(CART)
        referee.traits = ModelTraits(remembers=True)
        referee.answers = [rule(proves=True, counterexample="none that is likely")]
        model.answers = [verdict("holds", TWO)]
        result = webtask.verify("the cart has 2 mugs", timeout=0)
        assert result.ruling and result.ruling.counterexample == "none that is likely"
        test = webtask.state.test
        events = [e for e in read(webtask._runner.journal.folder) if e.test == test]
        [event] = [e for e in events if isinstance(e, RulingMade)]
        assert event.iteration.role == "referee"
        assert event.ruling is not None and event.ruling.proves and not event.ruling.blind


class TestAnswers:
    def test_extra_argument_is_ignored(self) -> None:
        """A `reason` that the tool does not have is dropped."""
        given = RuleArgs.model_validate({"counterexample": "", "proves": False, "reason": "so"})
        assert given.model_dump(exclude_defaults=True) == {"counterexample": "", "proves": False}

    @pytest.mark.parametrize(
        ("answer", "problem"),
        [
            (None, "it did not call rule"),
            (call("click", element_id="x"), "it did not call rule"),
            (call("rule", counterexample=""), "proves: Field required"),
            (call("rule", counterexample="", proves="perhaps"), "proves: "),
        ],
    )
    def test_invalid_ruling_is_requested_once_more(
        self,
        webtask: Webtask,
        model: Scripted,
        referee: Refereeing,
        html: Html,
        answer: ProposedToolCall | None,
        problem: str,
    ) -> None:
        """The next turn has one notice, which says what was wrong with the answer."""
        html(CART)
        referee.answers = [answer, rule(proves=True)]
        model.answers = [verdict("holds", TWO)]
        assert webtask.verify("the cart has 2 mugs", timeout=0)
        [notice] = referee.turns[1].notices
        assert notice.startswith("Your last answer could not be used: ") and problem in notice

    def test_third_invalid_ruling_is_a_model_error(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """Three invalid answers are a ModelError; the claim neither passes nor fails."""
        html(CART)
        referee.answers = [None, None, None, rule(proves=True)]
        model.answers = [verdict("holds", TWO)]
        with pytest.raises(ModelError, match="no usable answer in 3 tries"):
            webtask.verify("the cart has 2 mugs", timeout=0)
        assert len(referee.turns) == 3


class TestClaims:
    def test_failed_claim_is_judged_after_its_timeout(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """An unchanged page is judged once, and the referee rules only when the timeout is over."""
        html(CART)
        model.answers = [verdict("does_not_hold", TWO, MUG)]
        began = time.monotonic()
        with pytest.raises(VerificationFailed):
            webtask.verify("the cart has 3 mugs", timeout=1)
        [turn] = referee.turns
        assert turn.conclusion and turn.conclusion.outcome == "does_not_hold"
        assert len(model.turns) == 1
        assert time.monotonic() - began >= 1

    def test_failing_checks_are_sent_back(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """The result of a failing check shows the actual text, and a check of that text is evidence."""
        html(CART)
        three = {"kind": "text", "element_id": "cell:2", "text": "3"}
        model.answers = [verdict("does_not_hold", three, MUG), verdict("does_not_hold", TWO, MUG)]
        assert webtask.holds("the cart has 3 mugs", timeout=0) is False
        [sent_back] = model.turns[1].iterations
        assert "A check that fails is no evidence" in str(sent_back.calls[0].error)
        assert len(referee.turns) == 1

    def test_page_changed_during_the_ruling_is_judged_anew(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """A ruling on facts of a page that has changed decides nothing."""
        page = html(CART)

        class Slow(Refereeing):
            def decide(self, turn: Turn) -> Decision:
                if not self.turns:
                    page.evaluate("document.querySelectorAll('td')[1].textContent = '3'")
                return super().decide(turn)

        slow = Slow()
        webtask._runner.models._plain["referee"]._model = slow  # type: ignore[attr-defined]
        three = {"kind": "text", "element_id": "cell:3", "text": "3"}
        model.answers = [verdict("holds", TWO), verdict("does_not_hold", three, MUG)]
        with pytest.raises(VerificationFailed):
            webtask.verify("the cart has 2 mugs", timeout=0)
        assert [t.conclusion.outcome for t in slow.turns if t.conclusion] == [
            "holds",
            "does_not_hold",
        ]

    def test_literal_claim_is_not_ruled_on(
        self, webtask: Webtask, referee: Refereeing, html: Html
    ) -> None:
        """A literal claim names its own checks and needs no ruling."""
        html(CART)
        webtask.verify('"Your cart" is shown', timeout=0)
        assert not referee.turns


class TestTasks:
    BODY = """<h1>Cart</h1><button onclick="n.textContent = +n.textContent + 1">More</button><p id=n>0</p>"""

    @staticmethod
    def marked(*texts: str) -> Callable[[Turn], list[ProposedToolCall]]:
        def answer(turn: Turn) -> list[ProposedToolCall]:
            checks = [
                {"kind": "text", "element_id": cited(turn, f"text:{t}"), "text": t} for t in texts
            ]
            checks = checks or [
                {"kind": "text", "element_id": cited(turn, "heading:Cart"), "text": "Cart"}
            ]
            return [call("mark_done", summary="pressed it", evidence=checks)]

        return answer

    def test_finished_task_is_approved(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """The referee gets the task, the calls, and the facts with their state before the task."""
        html(self.BODY)
        model.traits = ModelTraits()
        model.answers = [on("click", "button", "More"), self.marked("1")]
        webtask.do("press more")
        [turn] = referee.turns
        conclusion = turn.conclusion
        assert conclusion and (conclusion.kind, conclusion.sentence) == ("task", "press more")
        assert len(conclusion.actions) == 1 and "More" in conclusion.actions[0]
        [fact] = conclusion.facts
        assert (fact["text"], fact["so before the task"]) == ("1", False)

    def test_usage_of_a_task_includes_rulings(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """The usage of a task includes refusing rulings and invalid answers."""
        html(self.BODY)
        model.traits = ModelTraits()
        cost = Usage(input_tokens=700, model_calls=1)
        no, yes = (rule(proves=each, missing="it") for each in (False, True))
        referee.answers = [
            Decision(calls=[no], usage=cost),
            Decision(problem="nothing came", usage=cost),
            Decision(calls=[yes], usage=cost),
        ]
        press = on("click", "button", "More")
        model.answers = [press, self.marked("1"), self.marked("1", "1")]
        usage = webtask.do("press more").session.usage
        assert (usage.input_tokens, usage.model_calls) == (2100, 6)

    def test_half_done_task_fails_with_both_opinions(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """After three refusing rulings the error has the worker's summary and the referee's objection."""
        html(self.BODY)
        model.traits = ModelTraits()
        referee.answers = [rule(proves=False, missing="that it was pressed twice")] * 3
        press = on("click", "button", "More")
        model.answers = [press, self.marked("1"), self.marked(), press, self.marked("2")]
        with pytest.raises(TaskFailed) as failed:
            webtask.do("press more three times")
        message = str(failed.value)
        assert 'a model concluded "pressed it"' in message
        assert "missing: that it was pressed twice" in message
        assert '"2"' in message


class TestValuesAndElements:
    def test_value_is_approved(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """The referee gets the question, the value, and the facts of its sources."""
        html(CART)
        model.answers = [self.value]
        assert webtask.extract("the quantity of mugs", int, timeout=0) == 2
        [turn] = referee.turns
        conclusion = turn.conclusion
        assert conclusion and (conclusion.kind, conclusion.value) == ("value", 2)
        assert conclusion.facts[0]["row"] == "Mug"

    def test_refused_value_is_not_found(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """The error has both opinions, and the same evidence is refused without another ruling."""
        html(CART)
        referee.answers = [rule(proves=False, missing="the row of Cup")]
        model.answers = [self.value] * 4
        with pytest.raises(NotFound) as missing:
            webtask.extract("the quantity of cups", int, timeout=0)
        assert "the row of Cup" in str(missing.value)
        assert 'a model concluded "read it"' in str(missing.value)
        assert len(referee.turns) == 1

    def test_element_is_approved(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """The referee gets the description and the facts of the element."""
        html("<ul><li>Mug <button>Remove</button><li>Cup <button>Remove</button></ul>")
        model.answers = [self.button(0)]
        assert webtask.select("the button that removes the mug", timeout=0).count() == 1
        [turn] = referee.turns
        assert turn.conclusion and turn.conclusion.kind == "element"
        assert turn.conclusion.facts[0]["beside"] == ["Mug", "(this element)"]

    def test_refused_element_is_not_found(
        self, webtask: Webtask, model: Scripted, referee: Refereeing, html: Html
    ) -> None:
        """The error has the referee's objection."""
        html("<ul><li>Mug <button>Remove</button><li>Cup <button>Remove</button></ul>")
        referee.answers = [rule(proves=False, missing="the mug")] * 3
        model.answers = [self.button(1)] * 4
        with pytest.raises(NotFound, match="the mug"):
            webtask.select("the button that removes the mug", timeout=0)

    @staticmethod
    def value(turn: Turn) -> list[ProposedToolCall]:
        """Read the 2."""
        source = {"element_id": cited(turn, "cell:2"), "text": "2"}
        return [ProposedToolCall("report_value", {"value": 2, "read": [source]}, "read it")]

    @staticmethod
    def button(number: int) -> Callable[[Turn], list[ProposedToolCall]]:
        """Give one of the buttons."""

        def answer(turn: Turn) -> list[ProposedToolCall]:
            return [call("report_element", element_id=cited(turn, f"button:Remove#{number}"))]

        return answer


class TestWho:
    def test_custom_model_is_its_own_referee(
        self, html: Html, webtask_for: Callable[..., Webtask], page: Page
    ) -> None:
        """A model for all roles also rules, in a turn of its own."""
        html(CART)
        model = Scripted(verdict("holds", TWO))
        webtask_for(page, model=model).verify("the cart has 2 mugs", timeout=0)
        assert len(model.conclusions) == 1

    def test_literal_model_alone_has_no_referee(
        self, html: Html, webtask_for: Callable[..., Webtask], page: Page
    ) -> None:
        """Verdicts of the literal model have no ruling."""
        html(CART)
        webtask = webtask_for(page, model=load_model("literal"))
        result = webtask.verify('"Your cart" is shown', timeout=0)
        assert result.ruling is None

    def test_literal_model_as_referee_is_refused(
        self, webtask_for: Callable[..., Webtask], page: Page
    ) -> None:
        """The literal model cannot be the referee of another model."""
        with pytest.raises(UsageError, match="literal cannot be the referee"):
            webtask_for(page, model={"worker": Scripted(), "referee": load_model("literal")})
