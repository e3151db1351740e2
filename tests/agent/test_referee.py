"""The referee: what its turn holds, how it answers, and what is made of its answers."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
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
from pytest_webtask.journal import RulingMade
from pytest_webtask.llm.model_names import load_model
from pytest_webtask.llm.prompts import render
from pytest_webtask.testing import find, shows
from pytest_webtask.types.agent import ProposedToolCall, Usage
from pytest_webtask.types.model import ModelTraits
from tests.inner import journaled
from tests.scripted import Html, Scripted, call, described, done, on, rule, verdict

CART = "<h1>Your cart</h1><table><tr><th>Item<th>Qty<tr><td>Mug<td>2<tr><td>Cup<td>1</table>"
BUTTONS = "<ul><li>Mug <button>Remove</button><li>Cup <button>Remove</button></ul>"
TWO = {"kind": "text", "element_id": "cell:2", "text": "2"}
MUG = {"kind": "text", "element_id": "cell:Mug", "text": "Mug"}
HEADING = {"kind": "text", "element_id": "heading:Your cart", "text": "Your cart"}
CLAIM = "the cart has 2 mugs"


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


@pytest.fixture(autouse=True)
def _page(html: Html) -> None:
    html(CART)


Ask = Callable[..., Any]


@pytest.fixture
def ask(webtask: Webtask, model: Scripted) -> Ask:
    """Calls a method of the webtask, which the script answers."""

    def run(kind: str, sentence: str, *answers: Any, **options: Any) -> Any:
        model.answers = [*answers]
        limit = {} if kind == "do" else {"timeout": 0}
        return getattr(webtask, kind)(sentence, **{**limit, **options})

    return run


def in_words(turn: Turn) -> str:
    """All that a referee's model is sent."""
    prompt = render(turn)
    assert prompt.screenshot is None
    return "\n".join((prompt.system, prompt.task, prompt.page))


# Its turn


def test_turn_holds_the_conclusion_and_the_facts(ask: Ask, referee: Refereeing) -> None:
    """The turn holds the sentence, the facts, and `rule` as its only tool."""
    ask("verify", "the cart has {n} mugs", verdict("holds", TWO), data={"n": "2"})
    [turn] = referee.turns
    assert turn.role == "referee"
    assert [tool.name for tool in turn.tools] == ["rule"]
    assert "the cart has {n} mugs" in in_words(turn)
    assert turn.conclusion is not None
    [fact] = turn.conclusion.facts
    assert (fact["text"], fact["column"], fact["row"]) == ("{n}", "Qty", "Mug")
    assert json.loads(render(turn).page.splitlines()[-1]) == fact


def test_turn_omits_page_reason_and_earlier_steps(
    ask: Ask, referee: Refereeing, html: Html
) -> None:
    """The turn holds nothing of the page beside the facts, no reason and no earlier step."""
    html(f"{CART}<p>ELSEWHERE</p><button>GO-BUTTON</button>")
    go = on("click", "button", "GO", reason="REASON")
    ask("do", "FIRST TASK", go, call("mark_done", summary="SUM"))
    ask("verify", CLAIM, verdict("holds", TWO, reason="OPINION"))
    turn = referee.turns[-1]
    words = in_words(turn)
    for secret in ("ELSEWHERE", "GO-BUTTON", "REASON", "SUM", "FIRST TASK", "OPINION", "cell-"):
        assert secret not in words, secret
    assert not (turn.iterations or turn.earlier or turn.actions or turn.before or turn.vanished)
    for look in (turn.observe, lambda: turn.page.url):
        with pytest.raises(PageError, match="the referee sees no page"):
            look()


def test_second_turn_differs_in_the_facts_only(ask: Ask, referee: Refereeing) -> None:
    """The turn after refused evidence has the same number, notices and task as the first."""
    referee.answers = [rule(proves=False, missing="the row"), rule(proves=True)]
    ask("verify", CLAIM, verdict("holds", TWO, HEADING), verdict("holds", TWO, MUG))
    one, two = referee.turns
    assert (one.number, one.notices, one.task) == (two.number, two.notices, two.task)
    prompts = render(one), render(two)
    # The meaning of a field is only explained if a fact has that field.
    lines = set(prompts[0].system.splitlines()) ^ set(prompts[1].system.splitlines())
    assert all(line.startswith("- `") for line in lines)
    assert prompts[0].task == prompts[1].task
    assert prompts[0].page != prompts[1].page


def test_approved_conclusion_is_asked_once(ask: Ask, referee: Refereeing) -> None:
    """The same conclusion from the same facts needs no second ruling, another one does."""
    for evidence in ([TWO], [TWO], [TWO, MUG]):
        assert ask("verify", CLAIM, verdict("holds", *evidence)).ruling
    assert len(referee.turns) == 2


def test_ruling_is_journaled(ask: Ask, webtask: Webtask, referee: Refereeing) -> None:
    """The journal and the verdict hold the ruling, which isn't blind if the model remembers."""
    referee.traits = ModelTraits(remembers=True)
    referee.answers = [rule(proves=True, counterexample="none that is likely")]
    result = ask("verify", CLAIM, verdict("holds", TWO))
    assert result.ruling and result.ruling.counterexample == "none that is likely"
    [event] = [each for each in journaled(webtask) if isinstance(each, RulingMade)]
    assert event.iteration.role == "referee"
    assert event.ruling is not None and event.ruling.proves and not event.ruling.blind


# Its answers


def test_extra_argument_is_ignored() -> None:
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
    ask: Ask, referee: Refereeing, answer: ProposedToolCall | None, problem: str
) -> None:
    """The next turn has one notice, which says what was wrong with the answer."""
    referee.answers = [answer, rule(proves=True)]
    assert ask("verify", CLAIM, verdict("holds", TWO))
    [notice] = referee.turns[1].notices
    assert notice.startswith("Your last answer could not be used: ") and problem in notice


def test_third_invalid_ruling_is_a_model_error(ask: Ask, referee: Refereeing) -> None:
    """Three invalid answers are a ModelError; the claim neither passes nor fails."""
    referee.answers = [None, None, None, rule(proves=True)]
    with pytest.raises(ModelError, match="no usable answer in 3 tries"):
        ask("verify", CLAIM, verdict("holds", TWO))
    assert len(referee.turns) == 3


# Claims


@pytest.mark.real_time
def test_failed_claim_is_judged_after_its_timeout(
    ask: Ask, model: Scripted, referee: Refereeing
) -> None:
    """An unchanged page is judged once, and the referee rules only when the timeout is over."""
    began = time.monotonic()
    with pytest.raises(VerificationFailed):
        ask("verify", "the cart has 3 mugs", verdict("does_not_hold", TWO, MUG), timeout=1)
    [turn] = referee.turns
    assert turn.conclusion and turn.conclusion.outcome == "does_not_hold"
    assert len(model.turns) == 1
    assert time.monotonic() - began >= 1


def test_page_changed_during_the_ruling_is_judged_anew(
    ask: Ask, webtask: Webtask, page: Page
) -> None:
    """A ruling on facts of a page that has changed decides nothing."""

    class Slow(Refereeing):
        def decide(self, turn: Turn) -> Decision:
            if not self.turns:
                page.evaluate("document.querySelectorAll('td')[1].textContent = '3'")
            return super().decide(turn)

    slow = Slow()
    webtask._runner.models._plain["referee"]._model = slow  # type: ignore[attr-defined]
    three = {"kind": "text", "element_id": "cell:3", "text": "3"}
    with pytest.raises(VerificationFailed):
        ask("verify", CLAIM, verdict("holds", TWO), verdict("does_not_hold", three, MUG))
    outcomes = [t.conclusion.outcome for t in slow.turns if t.conclusion]
    assert outcomes == ["holds", "does_not_hold"]


# Tasks

BODY = """<h1>Cart</h1><button onclick="n.textContent = +n.textContent + 1">More</button><p id=n>0</p>"""
PRESS = call("click", find("button", "More"))


def marked(*texts: str) -> ProposedToolCall:
    """The end of a task that cites these texts, or the heading."""
    return done(
        "pressed it", *([shows("text", text) for text in texts] or [shows("heading", "Cart")])
    )


@pytest.fixture
def press(ask: Ask, model: Scripted, html: Html) -> Ask:
    """Does a task on a page with a button."""
    html(BODY)
    model.traits = ModelTraits()
    return lambda task, *answers: ask("do", task, *answers)


def test_finished_task_is_approved(press: Ask, referee: Refereeing) -> None:
    """The referee gets the task, the calls, and the facts with their state before the task."""
    press("press more", PRESS, marked("1"))
    [turn] = referee.turns
    conclusion = turn.conclusion
    assert conclusion and (conclusion.kind, conclusion.sentence) == ("task", "press more")
    assert len(conclusion.actions) == 1 and "More" in conclusion.actions[0]
    [fact] = conclusion.facts
    assert (fact["text"], fact["so before the task"]) == ("1", False)


def test_note_does_not_repeat_the_task(press: Ask, referee: Refereeing, html: Html) -> None:
    """The fact of a text that was there for a moment calls the task that it came in only so."""
    html("""<button onclick="n.textContent = 'Saved'; setTimeout(() => n.textContent = '', 300);
        m.textContent = 1">More</button><p id=n role=status></p><p id=m>0</p>""")
    shown = {"kind": "was_shown", "text": "Saved"}
    wait = call("wait", seconds=0.6)
    press("press it and mind what it says", [PRESS, wait], done("so", shown, shows("text", "1")))
    [turn] = referee.turns
    assert turn.conclusion
    note = turn.conclusion.facts[0]["note"]
    assert note.startswith("it appeared after the task began")


def test_usage_of_a_task_includes_rulings(press: Ask, referee: Refereeing) -> None:
    """The usage of a task includes refusing rulings and invalid answers."""
    cost = Usage(input_tokens=700, model_calls=1)
    no, yes = (rule(proves=each, missing="it") for each in (False, True))
    problem = Decision(problem="nothing came", usage=cost)
    referee.answers = [Decision([no], usage=cost), problem, Decision([yes], usage=cost)]
    usage = press("press more", PRESS, marked("1"), marked("1", "1")).session.usage
    assert (usage.input_tokens, usage.model_calls) == (2100, 6)


def test_usage_of_a_claim_and_a_value_includes_rulings(
    ask: Ask, webtask: Webtask, referee: Refereeing
) -> None:
    """The verdict, and what was extracted, have the usage of their own step."""
    cost = Usage(input_tokens=700, model_calls=1)

    def paid(answer: Any) -> Callable[[Turn], Decision]:
        return lambda turn: replace(Scripted(answer).decide(turn), usage=cost)

    referee.answers = [Decision([rule(proves=True)], usage=cost) for _ in range(2)]
    claimed = ask("verify", CLAIM, paid(call("look")), paid(verdict("holds", TWO)))
    ask("extract", "the quantity of mugs", paid(VALUE), schema=int)
    [extracted] = webtask.state.extracted
    assert [each.usage.model_calls for each in (claimed, extracted)] == [3, 2]
    assert "usage" not in claimed.model_dump()


def test_half_done_task_fails_with_both_opinions(press: Ask, referee: Refereeing) -> None:
    """After three refusing rulings the error has the worker's summary and the referee's objection."""
    referee.answers = [rule(proves=False, missing="that it was pressed twice")] * 3
    with pytest.raises(TaskFailed) as failed:
        press("press more three times", PRESS, marked("1"), marked(), PRESS, marked("2"))
    message = str(failed.value)
    assert 'a model concluded "pressed it"' in message
    assert "missing: that it was pressed twice" in message
    assert '"2"' in message


# Values and elements

VALUE = call("report_value", value=2, read=[{"element_id": described("cell:2"), "text": "2"}])
FIRST, SECOND = (call("report_element", find("button", "Remove", nth=n)) for n in (0, 1))


def test_value_is_approved(ask: Ask, referee: Refereeing) -> None:
    """The referee gets the question, the value, and the facts of its sources."""
    assert ask("extract", "the quantity of mugs", VALUE, schema=int) == 2
    [turn] = referee.turns
    conclusion = turn.conclusion
    assert conclusion and (conclusion.kind, conclusion.value) == ("value", 2)
    assert conclusion.facts[0]["row"] == "Mug"


def test_refused_value_is_not_found(ask: Ask, referee: Refereeing) -> None:
    """The error has both opinions, and the same evidence is refused without another ruling."""
    referee.answers = [rule(proves=False, missing="the row of Cup")]
    with pytest.raises(NotFound) as missing:
        ask("extract", "the quantity of cups", *[VALUE] * 4, schema=int)
    assert "the same evidence was rejected before: missing: the row of Cup" in str(missing.value)
    assert f'a model concluded "{VALUE.reason}"' in str(missing.value)
    assert len(referee.turns) == 1


def test_element_is_approved_or_not_found(ask: Ask, referee: Refereeing, html: Html) -> None:
    """The referee gets the description and the facts of the element; the error has its objection."""
    html(BUTTONS)
    assert ask("select", "the button that removes the mug", FIRST).count() == 1
    [turn] = referee.turns
    assert turn.conclusion and turn.conclusion.kind == "element"
    assert turn.conclusion.facts[0]["beside"] == ["Mug", "(this element)"]
    referee.answers = [rule(proves=False, missing="the mug")] * 3
    with pytest.raises(NotFound, match="the mug"):
        ask("select", "the button that removes the mug", *[SECOND] * 4)


# Who it is


def test_literal_model_has_and_is_no_referee(
    webtask: Webtask, referee: Refereeing, webtask_for: Callable[..., Webtask], page: Page
) -> None:
    """Literal claims name their own checks and have no ruling; the literal model cannot rule."""
    webtask.verify('"Your cart" is shown', timeout=0)
    assert not referee.turns
    literal = webtask_for(page, model=load_model("literal"))
    assert literal.verify('"Your cart" is shown', timeout=0).ruling is None
    with pytest.raises(UsageError, match="literal cannot be the referee"):
        webtask_for(page, model={"worker": Scripted(), "referee": load_model("literal")})
