"""What was seen of the pages in the course of a task, to tell what was so before it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.checks.earlier import Earlier
from pytest_webtask.records import Seen

__all__ = ["Mark", "PageHistory"]


class Mark(NamedTuple):
    """A moment of a task: how many calls had acted by then, and how many had changed something."""

    acted: int = 0
    changed: int = 0


@dataclass
class PageHistory:
    """The last look at each page between two calls that acted.

    A page is known as it was before a task if it was seen before the first call that may have
    changed what the application holds; calls that only lead to another page do not.
    """

    now: Mark = field(default_factory=Mark)
    _looks: dict[tuple[Mark, str], Seen] = field(default_factory=dict)

    def note(self, seen: Seen) -> None:
        """Keep a look."""
        # The newest comes last.
        self._looks.pop((self.now, seen.url), None)
        self._looks[self.now, seen.url] = seen

    def act(self, *, changes: bool) -> None:
        """Note that a call acts, and whether it may change what the application holds."""
        self.now = Mark(self.now.acted + 1, self.now.changed + changes)

    def with_before(
        self, result: CheckResult, since: Mark, url: str, text: Callable[[str], str]
    ) -> CheckResult:
        """Return a result that says whether it held before a task that began at a mark.

        `url` is the address of its page, `text` gives texts with placeholders as outlines have them.
        Unknown is what no look tells, and what was so when first seen after something was changed.
        """
        check = result.check.with_texts(text)
        cited = [getattr(check, name) for name in check.ids]
        element_id = cited[0] if cited and isinstance(cited[0], str) else ""
        for mark, look in self._since(since, element_id, url, at_start=not check.ids):
            held = check.held_before(look)
            before = mark.changed == since.changed
            if held is None or (held and not before):
                continue
            was = "" if held or not before else look.was or ""
            return result.model_copy(update={"held_before": held, "was": was})
        return result.model_copy(update={"held_before": None, "was": ""})

    def _since(
        self, since: Mark, element_id: str, url: str, *, at_start: bool
    ) -> Iterator[tuple[Mark, Earlier]]:
        """Yield the looks that can tell, those before the first change first, the last of them first.

        What belongs to no element or part counts only `at_start`, before anything was done.
        """
        every = [(mark, seen) for (mark, _), seen in self._looks.items() if mark >= since]
        if at_start:
            looks = [(mark, seen) for mark, seen in every if mark == since]
        else:
            mine = re.compile(rf"[\[<]{re.escape(element_id)}\b" if element_id else "(?!)")
            looks = [
                (mark, seen) for mark, seen in every if seen.url == url or mine.search(seen.outline)
            ]
        newest = looks[-1][1] if looks else None
        clean = [each for each in looks if each[0].changed == since.changed]
        for mark, seen in (*reversed(clean), *looks[len(clean) :]):
            yield mark, Earlier(seen, newest, element_id)
