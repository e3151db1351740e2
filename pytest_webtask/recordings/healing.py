"""Healer: finds recorded elements that have moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from heapq import nlargest
from typing import Any

from playwright.sync_api import Error

from pytest_webtask.data.text import says
from pytest_webtask.journal.schema import AmbiguousValueError
from pytest_webtask.journal.schema import RecordedPlaceholders as Placeholders
from pytest_webtask.page import dom
from pytest_webtask.page.identity import disagreement, resemblance, similarity
from pytest_webtask.page.observer import Known
from pytest_webtask.page.recorded_element import Missing, RecordedElement
from pytest_webtask.recordings.progress import ReplayProgress
from pytest_webtask.recordings.resolver import RecordingResolver
from pytest_webtask.types.page import Container, Target

_CLEAR = 0.7
"""The similarity from which an element may be the recorded one; see benchmarks/foreign_drift."""
_MARGIN = 0.15
"""The margin by which a candidate must be more alike than any other element."""
_CLOSEST = 3
"""The number of elements that a message names as the closest."""


@dataclass
class Healer:
    """Finds moved elements of one replay.

    Unless `allowed`, a found element is only proposed, and the replay cannot use it.
    """

    progress: ReplayProgress
    resolver: RecordingResolver
    allowed: bool = False

    def find(
        self,
        target: Target,
        recorded: RecordedElement,
        problem: str,
        text: str = "",
        fits: Callable[[Target], bool] = lambda _: True,
    ) -> str:
        """Return the id of the only element that matches the recorded one, "" if it does not fit.

        It shows a `text`; `fits` returns whether a new target has what is expected. Raises Missing for the `problem`.
        """
        details = [f"recorded as {target.locator}"]
        wanted, containers = recorded.target, target.pinned.containers
        if wanted.remembered is None or recorded.twins:
            # Any of several equal elements may be what is left of them.
            raise Missing(problem, details)
        match, closest = self._search(wanted, text)
        is_elsewhere = match is None and wanted.pinned.containers != _items(wanted)
        if is_elsewhere:
            containers = _items(target)
            match, _ = self._search(wanted.pinning(containers=_items(wanted)), text)
        if match is None and not closest:
            raise Missing(problem, details, lack="likeness")
        if match is None:
            names = ", ".join(f'{each.element.role} "{each.element.name}"' for each in closest)
            details.append(f"the closest on the page: {names}")
            raise Missing(problem, details, candidates=[each.locator for each in closest])
        new = self._target(target.pinning(containers=containers), match, text, problem)
        if not fits(new):
            return ""
        words = f'{match.element.role} "{match.element.name}"'
        if is_elsewhere:
            # Somebody has to say whether it may be in other surroundings.
            words = f"still there: {words}, whatever is around it"
            self.progress.offered = (target, new, words)
            raise Missing(problem)
        self.progress.relocate(target, new, words)
        if not self.allowed:
            raise Missing(problem)
        return match.element.id

    def _search(self, recorded: Target, text: str) -> tuple[Known | None, Sequence[Known]]:
        """Return the one element that is clearly the recorded one, or None and the closest.

        These show the text if there is one. The page is observed, so that the element has an id.
        """
        observer = self.resolver.context.session.observer
        seen = observer.observe(self.resolver.context.page)
        known = [observer.known[each] for each in (*seen.elements, *seen.texts)]
        pairs: list[tuple[Known, Any]] = []
        for frame in {each.frame: None for each in known}:
            some = [each for each in known if each.frame == frame]
            with suppress(Error):
                numbers = [each.number for each in some]
                pairs += zip(some, dom.call(frame, "identities", {"numbers": numbers}), strict=True)
        calls = self.progress.step.calls
        others = {each.pinned.name for call in calls for each in call.targets.values()}
        others.discard(recorded.pinned.name)
        there = [(each, found) for each, found in pairs if found and found["name"] not in others]
        fitting = [found for _, found in there if not disagreement(recorded, found)]
        if recorded.pinned.name and len(fitting) > 1:
            return None, []  # Two that fit are a drift, however alike one of them is.
        scores = [similarity(recorded, found, text) for _, found in there]
        first, second, *_ = *sorted(scores, reverse=True), 0.0, 0.0
        if first >= _CLEAR and first - second >= _MARGIN:
            return there[scores.index(first)][0], []
        name, elements = recorded.pinned.name or "", [each for each, _ in there]
        alike = [e for e in elements if e.element.name and e.element.role == recorded.role]
        if text:
            alike = [each for each in elements if says(each.element.name, text)]
        return None, nlargest(_CLOSEST, alike, key=lambda e: resemblance(name, e.element.name))

    def _target(self, target: Target, match: Known, text: str, problem: str) -> Target:
        """Return the target to record for an element that was found. Raises Missing."""
        new = self.resolver.context.target_of(match, [text] if text else [])
        try:
            new = Placeholders(self.resolver.values, self.progress.step.sentence).target(new)
        except AmbiguousValueError as error:
            raise Missing(f"{problem}; {error}") from None
        if not new.locator:
            raise Missing(problem)
        # What the step requires stays; a text that is checked does not become part of the address.
        new = new.pinning(containers=target.pinned.containers)
        if target.pinned.name is None:
            return new.pinning(role=target.pinned.role, name=None)
        return new


def _items(recorded: Target) -> tuple[Container, ...]:
    item = recorded.pinned.item
    return (item,) if item else ()
