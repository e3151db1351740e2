"""Earlier observations of a page, to determine whether a check held before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pytest_webtask.data.text import in_outline
from pytest_webtask.types.page import Seen, Shown


@dataclass(frozen=True)
class EarlierPage:
    """An earlier observation of a page, for a check of one element or of the whole page.

    `newest` is the last observation, in which the element has its id. An element that has been drawn
    again has another id now: it was the only equal one, or stood between equal neighbors.
    """

    seen: Seen
    newest: Seen | None = None
    element_id: str = ""

    @cached_property
    def was(self) -> Shown | None:
        """Return the element as it was, None if it is missing or ambiguous."""
        return self.seen.elements.get(self.element_id) or self._in_same_place()

    @cached_property
    def now(self) -> Shown | None:
        """Return the element as it is in the newest observation."""
        return self.newest.elements.get(self.element_id) if self.newest else None

    @property
    def is_new(self) -> bool:
        """Return whether the element was not there, nor another one like it, in the same document."""
        now = self.now
        if now is None or self.was is not None or self.newest is None:
            return False
        named = [(each.role, each.name) for each in self.seen.elements.values()]
        return self.newest.document == self.seen.document and (now.role, now.name) not in named

    def says(self, text: str) -> bool:
        """Return whether the earlier page had a text anywhere, ignoring case."""
        return in_outline(text, self.seen.words)

    def lists(self, role: str, name: str) -> bool:
        """Return whether the earlier page had an element of this role and name, ignoring case."""
        names = [each.name for each in self.seen.elements.values() if each.role == role]
        return name.casefold() in map(str.casefold, names)

    def _in_same_place(self) -> Shown | None:
        if self.now is None or self.newest is None or self.newest.url != self.seen.url:
            return None
        now, was = (list(each.elements.values()) for each in (self.newest, self.seen))
        if now.count(self.now) == was.count(self.now) == 1:
            return self.now
        beside = _around(now, [*self.newest.elements].index(self.element_id))
        fitting = [
            each
            for at, each in enumerate(was)
            if each.role == self.now.role and _around(was, at) == beside
        ]
        return fitting[0] if len(fitting) == 1 else None


def _around(elements: Sequence[Shown], at: int) -> tuple[Shown | None, Shown | None]:
    return (elements[at - 1] if at else None, elements[at + 1] if at + 1 < len(elements) else None)
