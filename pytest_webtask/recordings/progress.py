"""The progress of a replay: which calls were made, and which elements were found elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_webtask.recordings.schema import Evidence, RecordedCall, RecordedStep
from pytest_webtask.types.agent import Target

__all__ = ["LATE", "NAME", "POLL", "Heal", "ReplayProgress"]

NAME = "recording"
"""The name of the model that replays."""
POLL = 20.0
"""Milliseconds between two looks at a page that may still change."""
LATE = 0.5
"""Seconds in which an element may appear late, though its absence is recorded."""


@dataclass(frozen=True)
class Heal:
    """An element that was found elsewhere: its old code and its new code, and what it is."""

    old: str
    new: str
    what: str


@dataclass
class ReplayProgress:
    """The step that is replayed and how far its replay has come, shared by all that replay it.

    `recorded` is the step of the recording, `step` the same with the patterns that a referee has
    allowed since. `unsaved` says that no file holds it yet, `edited` that its evidence was edited,
    so that it is reviewed like a model's. `handed_over` is why a model went on, "" while none has.
    """

    recorded: RecordedStep
    unsaved: bool = False
    edited: bool = False
    step: RecordedStep = field(init=False)
    done: list[RecordedCall] = field(default_factory=list, init=False)
    healed: list[Heal] = field(default_factory=list, init=False)
    handed_over: str = field(default="", init=False)
    waited: float = field(default=0.0, init=False)
    """Seconds of a recorded wait, which the next call or check is given in its place."""
    _relocated: dict[str, Target] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.step = self.recorded

    @property
    def has_relocated(self) -> bool:
        """Return whether any element was found elsewhere."""
        return bool(self._relocated)

    def relocate(self, old: Target, new: Target, what: str) -> None:
        """Note where an element was found."""
        self._relocated[_identity(old)] = new
        self.healed.append(Heal(old.locator, new.locator, what))

    def is_relocated(self, target: Target) -> bool:
        """Return whether the element was found elsewhere."""
        return _identity(target) in self._relocated

    def current_target(self, target: Target) -> Target:
        """Return a target where its element is now."""
        return self._relocated.get(_identity(target), target)

    def current_call(self, call: RecordedCall) -> RecordedCall:
        """Return a call with the elements where they are now."""
        targets = {name: self.current_target(target) for name, target in call.targets.items()}
        return call.model_copy(update={"targets": targets})

    def current_evidence(self, each: Evidence) -> Evidence:
        """Return evidence with its element where that is now."""
        if each.target is None or not self.is_relocated(each.target):
            return each
        return each.model_copy(update={"target": self.current_target(each.target)})


def _identity(target: Target) -> str:
    """Return what tells targets apart that have the same code on different pages."""
    return target.model_dump_json()
