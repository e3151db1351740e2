"""The healer: finds recorded elements that are no longer where they were."""

from __future__ import annotations

from dataclasses import dataclass, field

from pytest_webtask.page import dom
from pytest_webtask.page.observer import Known
from pytest_webtask.page.recorded_element import (
    Missing,
    RecordedElement,
    find_again,
    stands_elsewhere,
)
from pytest_webtask.recordings.progress import LATE, ReplayProgress
from pytest_webtask.recordings.resolver import RecordingResolver
from pytest_webtask.recordings.schema import AmbiguousValueError
from pytest_webtask.recordings.schema import RecordedPlaceholders as Placeholders
from pytest_webtask.tools.context import StepContext
from pytest_webtask.types.agent import Signature, Target

__all__ = ["Healer"]

_SURROUNDINGS = ("label", "column", "heading", "around")
"""What evidence needs of a signature besides the identity of the element."""


@dataclass
class Healer:
    """Finds the elements of one replay elsewhere on the page.

    Unless `allowed`, what was found is noted as a proposal only, and the replay can't use it.
    """

    progress: ReplayProgress
    resolver: RecordingResolver
    allowed: bool = False
    context: StepContext = field(init=False)

    def __post_init__(self) -> None:
        self.context = self.resolver.context

    def find(self, target: Target, recorded: RecordedElement, problem: str, text: str = "") -> str:
        """Return the id of the one element that is clearly that of the recording.

        `problem` says what is wrong with its locator, `text` is a text that the element shows.
        Raises Missing.
        """
        message = problem if target.locator in problem else f"{target.locator}: {problem}"
        signature = recorded.target.signature
        if signature is None:
            raise Missing(message)
        match = find_again(self.context.session.observer, self.context.page, signature, text)
        if match is None:
            raise Missing(message)
        new = self._target(target, match, signature, text, message)
        element = match.element
        self.progress.relocate(target, new, f'{element.role} "{element.name}"')
        if not self.allowed:
            raise Missing(message)
        return element.id

    def _target(
        self, target: Target, match: Known, signature: Signature, text: str, message: str
    ) -> Target:
        """Return the target to record for an element that was found. Raises Missing."""
        new = self.context.target_of(match, [text] if text else [])
        try:
            new = Placeholders(self.resolver.values, self.progress.step.sentence).target(new)
        except AmbiguousValueError as error:
            raise Missing(f"{message}; {error}") from None
        if difference := self._difference(match, signature):
            raise Missing(
                f"{message}; the most similar element is not the recorded one: {difference}"
            )
        if target.signature is not None and new.signature is not None:
            # What evidence needs of it must not be loosened, nor does its text identify it.
            kept = {each: getattr(target.signature, each) for each in _SURROUNDINGS}
            if target.signature.name is None:
                kept["name"] = None
            signed = new.signature.model_copy(update=kept)
            new = new.model_copy(update={"signature": signed})
        if not new.locator:
            raise Missing(message)
        return new

    def _difference(self, match: Known, signature: Signature) -> str:
        """Return how the surroundings of an element differ from what evidence needs, or ""."""
        if not any(getattr(signature, each) for each in _SURROUNDINGS):
            return ""
        facts = dom.call(match.locator, "whole", None, LATE, dom.FACTS)["facts"]
        return stands_elsewhere(signature, facts)
