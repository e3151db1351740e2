"""What our tests say of a script beside `pytest_webtask.testing`: elements as "role:text"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page

from pytest_webtask import testing
from pytest_webtask.checks.base import CheckResult
from pytest_webtask.testing import Answer, Find, call, done, find, rule
from pytest_webtask.types.agent import Decision, Observation, ToolCall, Turn
from pytest_webtask.types.model import ModelTraits

__all__ = [
    "Answer",
    "Attempt",
    "FixedPage",
    "Html",
    "Scripted",
    "call",
    "cited",
    "done",
    "element",
    "on",
    "rule",
    "verdict",
]

Html = Callable[[str], Page]
"""The fixture `html`, which shows a piece of HTML in the page."""
Attempt = Callable[..., ToolCall]
"""The fixture `attempt`, which does a step of the given answers."""


class Scripted(testing.ScriptedModel):
    """A scripted model that may end a task without a look or evidence, for tests of what goes before."""

    traits = ModelTraits(looks_at_page=False)
    _observes = False


def element(turn: Turn, role: str, name: str = "") -> str:
    """The id of the element of that role and name."""
    return find(role, name).resolve(turn.observation)


def on(tool: str, role: str, name: str = "", **parameters: Any) -> Callable[[Turn], Decision]:
    """An answer that calls a tool on the element of that role and name."""
    given = call(tool, find(role, name), **parameters)
    return lambda turn: Scripted(given).decide(turn)


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


def cited(turn: Turn, description: str) -> str:
    """The id of an element by its role and text: "cell:2", or "cell:2#1" for the second of them.

    What is no such description is taken for an id.
    """
    given = _described(description)
    return given.resolve(turn.observation) if isinstance(given, Find) else description


def verdict(
    outcome: str, *checks: dict[str, Any], reason: str = "as shown"
) -> Callable[[Turn], Decision]:
    """An answer that gives a verdict; ids in its checks may be descriptions, see `cited`."""
    ids = ("element_id", "other_id", "within", "element_ids")
    evidence = [
        {name: _described(value) if name in ids else value for name, value in check.items()}
        for check in checks
    ]
    given = testing.verdict(outcome, *evidence, reason=reason)
    return lambda turn: Scripted(given).decide(turn)


def _described(value: Any) -> Any:
    if isinstance(value, list):
        return [_described(each) for each in value]
    role, colon, text = value.partition(":") if isinstance(value, str) else ("", "", "")
    if not colon:
        return value
    text, _, place = text.partition("#")
    return find(role, text, int(place) if place else None)
