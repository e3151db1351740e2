"""Healer: finds recorded elements that have moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Any

from playwright.sync_api import Error

from pytest_webtask.journal.schema import AmbiguousValueError
from pytest_webtask.journal.schema import RecordedPlaceholders as Placeholders
from pytest_webtask.page import dom
from pytest_webtask.page.identity import disagreement, resemblance, similarity
from pytest_webtask.page.observer import Known
from pytest_webtask.page.recorded_element import Missing, RecordedElement
from pytest_webtask.recordings.progress import ReplayProgress
from pytest_webtask.recordings.resolver import RecordingResolver
from pytest_webtask.tools.context import StepContext
from pytest_webtask.types.page import Target

_CLEAR = 0.7
"""The similarity from which an element may be the recorded one; see benchmarks/foreign_drift."""
_MARGIN = 0.15
"""The margin by which a candidate must be more alike than any other element."""
_CLOSEST = 3
"""The number of elements that a message names as the closest."""

_Identified = tuple[Known, dict[str, Any]]


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
        details = [f"recorded as {target.locator}"] if target.locator not in problem else []
        wanted = recorded.target
        if wanted.remembered is None or recorded.twins:
            # Any of several equal elements may be what is left of them.
            raise Missing(problem, details)
        match, closest = self._search(wanted, text)
        known, bare = target, _without_parts(wanted)
        if match is None and bare != wanted:
            match, _ = self._search(bare, text)
            known = _without_parts(target)
        if match is None:
            if not closest:
                raise Missing(problem, details, lack="likeness")
            names = ", ".join(f'{each.element.role} "{each.element.name}"' for each in closest)
            details.append(f"the closest on the page: {names}")
            raise Missing(problem, details, candidates=[each.locator for each in closest])
        new = self._target(known, match, text, problem)
        element = match.element
        words = f'{element.role} "{element.name}"'
        if known is not target:
            # Somebody has to say whether it may be in other surroundings.
            words = f"still there: {words}, whatever is around it"
            self.progress.offered = (target, new, words)
            raise Missing(problem)
        self.progress.relocate(target, new, words)
        if not self.allowed:
            raise Missing(problem)
        return element.id

    def _search(self, recorded: Target, text: str) -> tuple[Known | None, list[Known]]:
        """Return the one element that is clearly the recorded one, or None and the closest.

        The page is observed, so that the element has an id.
        """
        observer = self.context.session.observer
        seen = observer.observe(self.context.page)
        known = [observer.known[each] for each in (*seen.elements, *seen.texts)]
        identities = list(_identities(known))
        if recorded.pinned.name and sum(not disagreement(recorded, i) for _, i in identities) > 1:
            return None, []  # Two that fit are a drift, however alike one of them is.
        scores = [similarity(recorded, identity, text) for _, identity in identities]
        first, second, *_ = *sorted(scores, reverse=True), 0.0, 0.0
        if first >= _CLEAR and first - second >= _MARGIN:
            return identities[scores.index(first)][0], []
        name = recorded.pinned.name or ""
        alike = [e for e, _ in identities if e.element.name and e.element.role == recorded.role]
        return None, nlargest(_CLOSEST, alike, key=lambda e: resemblance(name, e.element.name))

    def _target(self, target: Target, match: Known, text: str, message: str) -> Target:
        """Return the target to record for an element that was found. Raises Missing."""
        new = self.context.target_of(match, [text] if text else [])
        try:
            new = Placeholders(self.resolver.values, self.progress.step.sentence).target(new)
        except AmbiguousValueError as error:
            raise Missing(f"{message}; {error}") from None
        if not new.locator:
            raise Missing(message)
        # What the step requires stays; a text that is checked does not become part of the address.
        kept: dict[str, Any] = {"containers": target.pinned.containers}
        if target.pinned.name is None:
            kept |= {"role": target.pinned.role, "name": None}
        return new.model_copy(update={"pinned": new.pinned.model_copy(update=kept)})


def _without_parts(recorded: Target) -> Target:
    """Return a target of which only the item is pinned of what it stands in."""
    item = recorded.pinned.item
    pinned = recorded.pinned.model_copy(update={"containers": (item,) if item else ()})
    return recorded if pinned == recorded.pinned else recorded.model_copy(update={"pinned": pinned})


def _identities(elements: Iterable[Known]) -> Iterator[_Identified]:
    """Yield the elements that are still there with their identities, one message for each frame."""
    frames: dict[Any, list[Known]] = {}
    for known in elements:
        frames.setdefault(known.frame, []).append(known)
    for frame, some in frames.items():
        numbers = [element.number for element in some]
        try:
            answers = dom.call(frame, "identities", {"numbers": numbers})
        except Error:
            continue
        for element, identity in zip(some, answers, strict=True):
            if identity:
                yield element, identity
