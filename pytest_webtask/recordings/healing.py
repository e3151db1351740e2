"""Healer: finds recorded elements that have moved."""

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
"""The parts of a signature that evidence requires besides the identity of the element."""


@dataclass
class Healer:
    """Finds moved elements of one replay.

    Unless `allowed`, a found element is only proposed, and the replay cannot use it.
    """

    progress: ReplayProgress
    resolver: RecordingResolver
    allowed: bool = False
    context: StepContext = field(init=False)

    def __post_init__(self) -> None:
        self.context = self.resolver.context

    def find(self, target: Target, recorded: RecordedElement, problem: str, text: str = "") -> str:
        """Return the id of the only element that matches the recorded one.

        `problem` is the problem with the recorded locator, `text` a text that the element shows.
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
            # Keep the requirements of the evidence; the text does not become part of the identity.
            kept = {each: getattr(target.signature, each) for each in _SURROUNDINGS}
            if target.signature.name is None:
                kept["name"] = None
            signed = new.signature.model_copy(update=kept)
            new = new.model_copy(update={"signature": signed})
        if not new.locator:
            raise Missing(message)
        return new

    def _difference(self, match: Known, signature: Signature) -> str:
        """Return how the surroundings of an element differ from those that evidence requires, or ""."""
        if not any(getattr(signature, each) for each in _SURROUNDINGS):
            return ""
        facts = dom.call(match.locator, "whole", None, LATE, dom.FACTS)["facts"]
        return stands_elsewhere(signature, facts)
