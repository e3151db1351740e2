"""What our tests say of a script beside `pytest_webtask.testing`: elements as "role:text"."""

from collections.abc import Callable, Mapping
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
    "after_look",
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
Check = Mapping[str, Any]
_IDS = ("element_id", "other_id", "within", "element_ids")
Attempt = Callable[..., ToolCall]
"""The fixture `attempt`, which does a step of the given answers."""


class Scripted(testing.ScriptedModel):
    """A scripted model that may end a task without a look or evidence, for tests of what goes before."""

    traits = ModelTraits(looks_at_page=False)
    _observes = False


def after_look(answer: Any) -> Callable[[Turn], Any]:
    """Return an answer that is given once the page has been observed."""
    return lambda turn: answer if turn.observation.outline else []


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
    """The id of an element by its description; what is no such description is taken for an id."""
    return the(turn, description) if ":" in description else description


def the(turn: Turn, description: str) -> str:
    """The id of an element by its description; see `described`."""
    return described(description).resolve(turn.observation)


def verdict(outcome: str, *checks: Check, reason: str = "as shown") -> Callable[[Turn], Decision]:
    """An answer that gives a verdict; ids in its checks may be descriptions, see `described`."""
    given = testing.verdict(outcome, *map(citing, checks), reason=reason)
    return lambda turn: Scripted(given).decide(turn)


@dataclass(frozen=True)
class InItem(Find):
    """An element of any role if that is empty, in the item, such as a row, that `key` is part of."""

    key: str = ""

    def resolve(self, page: Observation) -> str:
        seen = [*page.elements.values(), *page.texts.values()]
        seen = [e for e in seen if e.role == (self.role or e.role) and self.key in e.key]
        named = [e for e in seen if self.name in e.name]
        ids = [e.id for e in named if e.name == self.name] or [e.id for e in named]
        assert len(ids) == 1, f"{self} of {self.key!r} is {ids} in\n{page.outline}"
        return ids[0]


@dataclass(frozen=True)
class AllOf(Find):
    """The ids of all elements of a role."""

    def resolve(self, page: Observation) -> list[str]:  # type: ignore[override]
        return [
            e.id for e in (*page.elements.values(), *page.texts.values()) if e.role == self.role
        ]


def described(description: str) -> Find:
    """Return an element by its role and text.

    "button:Save", ":Save" of any role, "button:Delete@Milk" in the row of Milk, "cell:2#1" the second of
    several.
    """
    role, _, text = description.partition(":")
    text, _, key = text.partition("@")
    text, _, place = text.partition("#")
    nth = int(place) if place else None
    return InItem(role, text, nth, key) if key or not role else find(role, text, nth)


def citing(check: Check) -> dict[str, Any]:
    """Return a check whose elements, given by their descriptions, are found when its turn comes.

    `all_of` is a role, all elements of which are cited.
    """
    cited = {name: _found(value) if name in _IDS else value for name, value in check.items()}
    if role := cited.pop("all_of", ""):
        cited["element_ids"] = AllOf(role)
    return cited


def _found(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_found(each) for each in value]
    return described(value) if isinstance(value, str) and ":" in value else value
