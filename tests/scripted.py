"""The tests' model: it answers from a script, and keeps the turns that it was given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page

from pytest_webtask.types.agent import (
    CheckResult,
    Conclusion,
    Decision,
    Observation,
    ProposedToolCall,
    Turn,
    Usage,
)
from pytest_webtask.types.model import ModelTraits

Answered = Decision | Sequence[ProposedToolCall] | ProposedToolCall
Answer = Callable[[Turn], Answered] | Answered


def call(tool: str, **parameters: Any) -> ProposedToolCall:
    """A proposed tool call."""
    return ProposedToolCall(tool, parameters, "scripted")


def rule(*, proves: bool, missing: str = "", counterexample: str = "") -> ProposedToolCall:
    """What a referee answers."""
    return call("rule", counterexample=counterexample, proves=proves, missing=missing)


def done(summary: str = "done") -> ProposedToolCall:
    """The call that ends a session well."""
    return call("mark_done", summary=summary)


def element(turn: Turn, role: str, name: str = "") -> str:
    """The id of the one element of that role whose name contains `name`."""
    elements = turn.observation.elements.values()
    found = [e.id for e in elements if e.role == role and name in e.name]
    assert len(found) == 1, f"{role} {name!r}: {found} in\n{turn.observation.outline}"
    return found[0]


@dataclass(frozen=True)
class FixedPage:
    """The view of a turn that no loop has made: a page, or an observation of one."""

    live: Page | None = None
    observation: Observation | None = None
    loads: int = field(default=0, init=False)
    vanished: tuple[str, ...] = field(default=(), init=False)

    @property
    def page(self) -> Page:
        assert self.live is not None, "the turn has no live page"
        return self.live

    def observe(self) -> Observation:
        assert self.observation is not None, "the model took an observation"
        return self.observation

    def check(self, *_: object) -> tuple[CheckResult, ...]:
        return ()


class Scripted:
    """Gives one answer a turn: calls, a decision, or a function of the turn that returns them."""

    # A script knows what the page shows; `tests/test_loop.py` has a model that must look.
    traits = ModelTraits(looks_at_page=False)

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.turns: list[Turn] = []
        self.rulings: list[ProposedToolCall] = []
        """What it answers as a referee; once these are used up, that all is proved."""
        self.conclusions: list[Conclusion] = []

    def decide(self, turn: Turn) -> Decision:
        if turn.conclusion is not None:
            self.conclusions.append(turn.conclusion)
            ruling = self.rulings.pop(0) if self.rulings else rule(proves=True)
            return Decision(calls=[ruling], usage=Usage(model_calls=1))
        self.turns.append(turn)
        assert self.answers, "the script has no answer left"
        answer: Any = self.answers.pop(0)
        if callable(answer):
            answer = answer(turn)
        if isinstance(answer, Decision):
            return answer
        calls = [answer] if isinstance(answer, ProposedToolCall) else list(answer)
        return Decision(calls=calls, usage=Usage(model_calls=1))


def on(tool: str, role: str, name: str = "", **parameters: Any) -> Callable[[Turn], Decision]:
    """An answer that calls a tool on the element of that role and name."""

    def answer(turn: Turn) -> Decision:
        action = call(tool, element_id=element(turn, role, name), **parameters)
        return Decision(calls=[action], usage=Usage(model_calls=1))

    return answer


def cited(turn: Turn, wanted: str) -> str:
    """The id of an element by its role and text: "cell:2", or "cell:2#1" for the second of them.

    An exact text counts before a part of one; what is no such description is taken for an id.
    """
    role, colon, text = wanted.partition(":")
    if not colon:
        return wanted
    text, _, place = text.partition("#")
    seen = [*turn.observation.texts.values(), *turn.observation.elements.values()]
    named = [e for e in seen if e.role == role and text in e.name]
    found = [e.id for e in named if e.name == text] or [e.id for e in named]
    assert place or len(found) == 1, f"{wanted!r} is {found} in\n{turn.observation.outline}"
    return found[int(place or 0)]


def verdict(
    outcome: str, *checks: dict[str, Any], reason: str = "as shown"
) -> Callable[[Turn], Decision]:
    """An answer that gives a verdict; ids in its checks may be descriptions, see `cited`."""

    def answer(turn: Turn) -> Decision:
        evidence = []
        for check in checks:
            cited_check = dict(check)
            for name in ("element_id", "other_id", "within"):
                if cited_check.get(name):
                    cited_check[name] = cited(turn, cited_check[name])
            if "element_ids" in cited_check:
                cited_check["element_ids"] = [
                    cited(turn, each) for each in cited_check["element_ids"]
                ]
            evidence.append(cited_check)
        given = {"outcome": outcome, "evidence": evidence}
        made_call = ProposedToolCall("report_verdict", given, reason)
        return Decision(calls=[made_call], usage=Usage(model_calls=1))

    return answer
