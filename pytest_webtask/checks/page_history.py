"""The observations of a task's pages, for what a check would have found before an action."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.checks.earlier_page import EarlierPage
from pytest_webtask.types.page import Seen


class Mark(NamedTuple):
    """A point in a task: the number of calls so far that acted, and of those that changed something."""

    acted: int = 0
    changed: int = 0


@dataclass
class PageHistory:
    """The last observation of each page between two calls that acted.

    The state before a task is known for pages that were observed before the first call that may have
    changed application data. Calls that only navigate do not change any.
    """

    now: Mark = field(default_factory=Mark)
    checkpoints: list[Mark] = field(default_factory=list)
    """The mark of each checkpoint of the step."""
    _looks: dict[tuple[Mark, str], Seen] = field(default_factory=dict)

    def note(self, seen: Seen) -> None:
        """Store an observation as the newest."""
        self._looks.pop((self.now, seen.url), None)
        self._looks[self.now, seen.url] = seen

    def act(self, *, changes: bool) -> None:
        """Count an action, and whether it may change application data."""
        self.now = Mark(self.now.acted + 1, self.now.changed + changes)

    def with_before(
        self, result: CheckResult, since: Mark, url: str, text: Callable[[str], str]
    ) -> CheckResult:
        """Return the result with `held_before` set for a task that began at a mark.

        `url` is the address of its page; `text` converts texts with placeholders to their form in
        observations. The answer is unknown if no observation can tell, or if the check held when the page
        was first observed after a change.
        """
        check = result.check.with_texts(text)
        cited = [getattr(check, name) for name in check.ids]
        element_id = cited[0] if cited and isinstance(cited[0], str) else ""
        for mark, look in self._since(since, element_id, url, at_start=not check.ids):
            held = check.held_before(look)
            before = mark.changed == since.changed
            if held is None or (held and not before):
                continue
            was = ""
            if not held and before:
                was = look.was.describe() if look.was else "not there" if look.is_new else ""
            return result.model_copy(update={"held_before": held, "was": was})
        return result.model_copy(update={"held_before": None, "was": ""})

    def _since(
        self, since: Mark, element_id: str, url: str, *, at_start: bool
    ) -> Iterator[tuple[Mark, EarlierPage]]:
        """Yield the relevant observations: first those before the first change, newest first.

        With `at_start`, for checks without an element, only those before the first action count.
        """
        every = [(mark, seen) for (mark, _), seen in self._looks.items() if mark >= since]
        if at_start:
            looks = [(mark, seen) for mark, seen in every if mark == since]
        else:
            looks = [
                (mark, seen)
                for mark, seen in every
                if seen.url == url or element_id in seen.elements
            ]
        newest = looks[-1][1] if looks else None
        clean = [each for each in looks if each[0].changed == since.changed]
        for mark, seen in (*reversed(clean), *looks[len(clean) :]):
            yield mark, EarlierPage(seen, newest, element_id)
