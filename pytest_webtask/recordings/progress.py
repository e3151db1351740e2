"""The progress of a replay: the calls made so far, and the elements that have moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pytest_webtask.journal import HealedElement
from pytest_webtask.journal.schema import Evidence, RecordedCall, RecordedStep
from pytest_webtask.page.identity import OWN
from pytest_webtask.types.page import Target, mapped

_Part = TypeVar("_Part", RecordedStep, RecordedCall, Evidence)


@dataclass
class ReplayProgress:
    """A replayed step and the progress of its replay, shared by the classes that replay it.

    `is_pending` is True for a step that is in no recording yet. `handed_over` is the reason why a model took
    over, "" if none has.
    """

    step: RecordedStep
    is_pending: bool = False
    done: list[RecordedCall] = field(default_factory=list, init=False)
    healed: list[HealedElement] = field(default_factory=list, init=False)
    handed_over: str = field(default="", init=False)
    failed: bool = field(default=False, init=False)
    """Whether a check of an element that is there did not hold, so that the step fails."""
    is_idle: bool = field(default=False, init=False)
    """Whether the last call before that check changed nothing."""
    waited: float = field(default=0.0, init=False)
    """The seconds of a recorded wait, added to the timeout of the next call or check."""
    offered: tuple[Target, Target, str] | None = field(default=None, init=False)
    """An element with its target in other surroundings, which only a person may accept."""
    found: dict[str, Target] = field(default_factory=dict, init=False)
    """Recorded elements as they were found last, without the locators that found nothing or others."""
    _relocated: dict[str, Target] = field(default_factory=dict, init=False)

    @property
    def coming_checkpoints(self) -> list[Evidence]:
        """The evidence of the checkpoints that were not replayed."""
        return [each for call in self.step.calls[len(self.done) :] for each in call.evidence]

    def relocate(self, old: Target, new: Target, what: str) -> None:
        """Note the new target of an element."""
        self._relocated[_identity(old)] = new
        # Where the locator is the same, what the element is called differs.
        old_way, new_way = old.locator, new.locator
        if old_way == new_way:
            old_way, new_way = old.describe(), new.describe()
        self.healed.append(HealedElement(old=old_way, new=new_way, what=what))

    def note_found(self, old: Target, match: Mapping[str, Any]) -> None:
        """Note how a recorded element was found, as `RecordedElement.look` describes it."""
        known, now = old.remembered, match["marks"]
        kept = tuple(code for at, code in enumerate(old.locators) if at in match["ways"])
        if known is None or not kept:
            return
        marks = known.marks.items()
        lasting = {n: v for n, v in marks if n not in OWN or "{" in v or now.get(n) == v}
        known = known.model_copy(update={"marks": lasting})
        self.found[_identity(old)] = old.model_copy(update={"locators": kept, "remembered": known})

    def confirm(self) -> None:
        """Take what this replay has not found of an element for what varies."""
        self._relocated = {**self.found, **self._relocated}

    def is_relocated(self, target: Target) -> bool:
        """Return whether the element has moved."""
        return _identity(target) in self._relocated

    def current(self, part: _Part) -> _Part:
        """Return a step, call or check with the current targets of its elements."""
        return mapped(part, lambda each: self._relocated.get(_identity(each), each), Target)


def _identity(target: Target) -> str:
    """Return a key that distinguishes targets with the same code on different pages.

    Further locators don't matter: an element has others on a page with more elements like it.
    """
    if target.remembered is not None:
        target = target.model_copy(update={"locators": target.locators[:1]})
    return target.model_dump_json()
