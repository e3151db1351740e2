"""What a replay does where the page is not what it was: it looks once, or lets a model go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_webtask.errors import Drifted
from pytest_webtask.llm import Model
from pytest_webtask.page import dom
from pytest_webtask.page.observer import Known
from pytest_webtask.page.recorded_element import (
    Missing,
    RecordedElement,
    find_again,
    stands_elsewhere,
)
from pytest_webtask.recordings.resolver import CheckRequest, RecordingResolver, is_negative
from pytest_webtask.recordings.schema import (
    AmbiguousValueError,
    Evidence,
    RecordedCall,
    RecordedStep,
)
from pytest_webtask.recordings.schema import RecordedPlaceholders as Placeholders
from pytest_webtask.tools.context import Hands
from pytest_webtask.types.agent import Decision, ProposedToolCall, Signature, Target, Turn

__all__ = ["NAME", "POLL", "Heal", "Healer", "place_of"]

NAME = "recording"
_AGREES = ("label", "column", "heading", "around")
"""What of a signature evidence needs besides its identity."""
POLL = 20.0
LATE = 0.5
"""Seconds that what should not be there is given to come."""


def place_of(target: Target) -> str:
    """What tells a target from others, of which one may have the same code on another page."""
    return target.model_dump_json()


@dataclass(frozen=True)
class Heal:
    """An element that was found again: its old code and its new, and what it is."""

    old: str
    new: str
    what: str


@dataclass
class Healer:
    """Replays one step. `heals` says whether what is found again may be used.

    `fallback` goes on where nothing can be found again, None where no model may. `told` is how a
    drift is told, with what to type; `changes` answers by a referee whether texts may differ from
    the recorded ones, by the kind of conclusion, the sentence and the facts; `handed` is why that model went on, "" where none had to.
    `unkept` says that the step stands in no file yet, `unapproved` that its evidence was edited, so
    that it is reviewed like a model's.
    `done` are the calls that were made, `healed` and `found` the elements that were found again.
    """

    step: RecordedStep
    hands: Hands
    again: RecordingResolver
    fallback: Model | None = None
    heals: bool = False
    told: Callable[[str, Sequence[Heal]], str] = lambda said, heals: said
    changes: Callable[[str, str, Sequence[dict[str, Any]]], bool] = lambda kind, said, facts: False
    handed: str = ""
    healed: list[Heal] = field(default_factory=list)
    done: list[RecordedCall] = field(default_factory=list)
    found: dict[str, Target] = field(default_factory=dict)
    unkept: bool = False
    unapproved: bool = False
    recorded: RecordedStep = field(init=False)
    _loaded: int = 0
    _unloaded: bool = False
    _waited: float = 0.0
    _output: bool = False
    _unmoved: tuple[int, float] | None = None

    def __post_init__(self) -> None:
        self.recorded = self.step

    def limit(self, steps: int) -> int:
        """How many iterations it may take, of which a task has `steps`: a model makes several calls in one."""
        return max(steps, len(self.step.calls) + 5)

    @property
    def looks(self) -> bool:
        """As the model that goes on does, if one has to."""
        return bool(self.handed) and bool(getattr(self.fallback, "looks", True))

    @property
    def replays(self) -> bool:
        """Whether the recording is still what decides, and its evidence was approved."""
        return not self.handed and not self.unapproved

    def _find(self, target: Target, recalled: RecordedElement, wrong: str, says: str = "") -> str:
        """The id of the element that is clearly the one of the recording. Raises Missing."""
        wanted = recalled.target.signature
        said = wrong if target.locator in wrong else f"{target.locator}: {wrong}"
        known = None
        if wanted is not None:
            known = find_again(self.hands.observer, self.hands.page, wanted, says)
        if known is None:
            raise Missing(said)
        new = self.hands.target_of(known, [says] if says else [])
        try:
            new = Placeholders(self.again.values, self.step.sentence).target(new)
        except AmbiguousValueError as error:
            raise Missing(f"{said}; {error}") from None
        if wanted is not None and (elsewhere := self._elsewhere(known, wanted)):
            raise Missing(f"{said}; what is like it is another one: {elsewhere}")
        if target.signature is not None and new.signature is not None:
            # What must agree of it still must, and what a check expects of it is not what it is.
            kept = {each: getattr(target.signature, each) for each in _AGREES}
            if target.signature.name is None:
                kept["name"] = None
            told = new.signature.model_copy(update=kept)
            new = new.model_copy(update={"signature": told})
        if not new.locator:
            raise Missing(said)
        self.found[place_of(target)] = new
        self.healed.append(
            Heal(target.locator, new.locator, f'{known.element.role} "{known.element.name}"')
        )
        if not self.heals:
            self._hand_over(said)
        return known.element.id

    def _elsewhere(self, known: Known, wanted: Signature) -> str:
        """Return how what surrounds an element is not what evidence needs; "" where it agrees."""
        if not any(getattr(wanted, each) for each in _AGREES):
            return ""
        facts = dom.call(known.locator, "whole", None, LATE, dom.FACTS)["facts"]
        return stands_elsewhere(wanted, facts)

    def _asked(self, evidence: Sequence[Evidence]) -> CheckRequest:
        """The checks, with the targets that were found again in place of those that were lost."""
        return self.again.ask(
            each.model_copy(update={"target": self.found[place_of(each.target)]})
            if each.target and place_of(each.target) in self.found
            else each
            for each in evidence
        )

    def _come_to_rest(self, evidence: Sequence[Evidence]) -> None:
        """What is not there yet may still come."""
        if is_negative(evidence):
            self.hands.settler.settle(self.hands.page, LATE)

    def _ends(
        self,
        tool: str,
        given: Mapping[str, Any],
        asked: CheckRequest,
        turn: Turn,
        waits: float | None = None,
    ) -> Decision:
        seconds = turn.left(turn.timeout + self._waited if waits is None else waits)
        call = ProposedToolCall(tool, given, "as recorded", asked.locators, waits=seconds)
        return Decision([call], model=NAME)

    def _hand_over(self, said: str) -> None:
        """Let the model go on. Raises Drifted where there is none."""
        if self.fallback is None:
            raise Drifted(self.told(said, self.healed))
        self.handed = said

    def _notice(self) -> str:
        done = (
            f"{len(self.done)} of its {len(self.step.calls)} calls were made" if self.done else ""
        )
        return (
            "This step was recorded before, and is replayed."
            f" {done + ', as the history tells. ' if done else ''}Then the page was not what it was:"
            f" {self.handed}. Go on from here; do not do again what was done."
        )
