"""A scripted model for each role, and what the journal has of their work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytest_webtask.journal import JournalEvent, Recovery, TaskChanged, read
from pytest_webtask.types.agent import Conclusion, Decision, ProposedToolCall, Turn, Usage
from pytest_webtask.types.model import ModelTraits
from pytest_webtask.webtask import Webtask
from tests.scripted import Answer, call, cited, element, on, rule

__all__ = ["Team", "agrees", "changes", "log_in", "part", "recoveries", "says"]


class Team:
    """Gives each role the next of its own answers; `turns` are all that were asked, in order.

    A referee without answers finds everything proved; `conclusions` are what it was to rule on.
    """

    traits = ModelTraits(looks_at_page=False)

    def __init__(self, **scripts: list[Answer]) -> None:
        self.scripts = {role: list(answers) for role, answers in scripts.items()}
        self.turns: list[Turn] = []
        self.conclusions: list[Conclusion] = []

    def decide(self, turn: Turn) -> Decision:
        if turn.conclusion is not None:
            self.conclusions.append(turn.conclusion)
            if not self.scripts.get("referee"):
                return Decision(
                    [rule(proves=True)], model="the referee", usage=Usage(model_calls=1)
                )
        else:
            self.turns.append(turn)
        script = self.scripts.get(turn.role)
        assert script, f"the {turn.role} was not expected to be asked"
        answer: Any = script.pop(0)
        if callable(answer):
            answer = answer(turn)
        if isinstance(answer, Decision):
            return answer
        calls = [answer] if isinstance(answer, ProposedToolCall) else list(answer)
        return Decision(calls=calls, model=f"the {turn.role}", usage=Usage(model_calls=1))

    @property
    def roles(self) -> list[str]:
        """Who was asked, one after the other; several turns of one in a row count once."""
        return [
            t.role for n, t in enumerate(self.turns) if not n or self.turns[n - 1].role != t.role
        ]

    def of(self, role: str) -> list[Turn]:
        """The turns of a role."""
        return [turn for turn in self.turns if turn.role == role]

    def left(self) -> dict[str, int]:
        """How many answers of each role nobody asked for."""
        return {
            role: len(script)
            for role, script in self.scripts.items()
            if script and role != "referee"
        }


def part(goal: str) -> ProposedToolCall:
    """A planner hands a subtask over."""
    return call("start_subtask", goal=goal)


def says(tool: str, text: str) -> ProposedToolCall:
    """A verifier disagrees."""
    return call(tool, **{"instructions" if tool == "continue_work" else "reason": text})


def agrees(tool: str, wanted: str, text: str | None = None, words: str = "it is there") -> Answer:
    """A verifier who cites the element `role:text`, which shows `text`."""

    def answer(turn: Turn) -> ProposedToolCall:
        shown = text if text is not None else wanted.partition(":")[2]
        evidence = [{"kind": "text", "element_id": cited(turn, wanted), "text": shown}]
        named = "details" if "task_complete" in tool else "reason"
        done = {"subtask_done": True} if tool == "request_reschedule" else {}
        return call(tool, **{named: words}, evidence=evidence, **done)

    return answer


def rules_on(sentence: str) -> Callable[[Turn], ProposedToolCall]:
    """A referee who finds only conclusions about this sentence proved."""

    def answer(turn: Turn) -> ProposedToolCall:
        assert turn.conclusion is not None
        proves = turn.conclusion.sentence == sentence
        return rule(proves=proves, missing="" if proves else "the rest of the task")

    return answer


def log_in() -> list[Answer]:
    """A worker's answers that log in."""

    def enter(turn: Turn) -> list[ProposedToolCall]:
        return [
            call("fill", element_id=element(turn, "textbox", "Username"), text="{user}"),
            call("fill", element_id=element(turn, "textbox", "Password"), text="{password}"),
            call("press", element_id=element(turn, "textbox", "Password"), key="Enter"),
        ]

    return [call("navigate", url="/login"), enter, call("mark_done", summary="I am in, believe me")]


def put_into_cart(name: str = "Striped Mug") -> list[Answer]:
    """A worker's answers that put a product into the cart."""

    def add(turn: Turn) -> ProposedToolCall:
        buttons = [e for e in turn.observation.elements.values() if e.name == "Add to cart"]
        return call("click", element_id=buttons[0].id)

    return [
        call("navigate", url="/products"),
        on("click", "link", name),
        add,
        call("mark_done", summary="in the cart"),
    ]


def events(webtask: Webtask) -> list[JournalEvent]:
    """The journaled events of this test."""
    test = webtask.state.test
    return [e for e in read(webtask._runner.journal.folder) if e.test == test]


def recoveries(webtask: Webtask) -> list[str]:
    """The journaled actions by which the task continued after failures."""
    return [event.action for event in events(webtask) if isinstance(event, Recovery)]


def changes(webtask: Webtask) -> list[str]:
    """The journaled changes of the task's record."""
    return [event.change for event in events(webtask) if isinstance(event, TaskChanged)]
