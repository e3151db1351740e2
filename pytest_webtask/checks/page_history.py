"""The observations of a task's pages: whether a check held before an action."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from pytest_webtask.data.text import in_outline
from pytest_webtask.types.page import Seen, Shown


@dataclass(frozen=True)
class EarlierPage:
    """An earlier observation of a page, for a check of one element or of the whole page.

    `newest` is the last observation, in which the element has its id. An element that has been drawn
    again has another id now: it was the only equal one, or stood between equal neighbors.
    """

    seen: Seen
    newest: Seen = field(default_factory=lambda: Seen(url="", title=""))
    element_id: str = ""

    @cached_property
    def was(self) -> Shown | None:
        """Return the element as it was, None if it is missing or ambiguous."""
        return self.seen.elements.get(self.element_id) or self._in_same_place()

    @cached_property
    def now(self) -> Shown | None:
        """Return the element as it is in the newest observation."""
        return self.newest.elements.get(self.element_id)

    @property
    def is_new(self) -> bool:
        """Return whether the element was not there, nor another one like it, in the same document."""
        now = self.now
        if now is None or self.was is not None:
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

    def describe(self) -> str:
        """Return the element as it was in words, "" if that is unknown."""
        if self.was is not None:
            return self.was.describe()
        return "not there" if self.is_new else ""

    def _in_same_place(self) -> Shown | None:
        if self.now is None or self.newest.url != self.seen.url:
            return None
        now, was = (list(each.elements.values()) for each in (self.newest, self.seen))
        if now.count(self.now) == was.count(self.now) == 1:
            return self.now
        beside = _around(now)[[*self.newest.elements].index(self.element_id)]
        places = zip(was, _around(was), strict=True)
        fitting = [
            each for each, around in places if (each.role, around) == (self.now.role, beside)
        ]
        return fitting[0] if len(fitting) == 1 else None


def _around(elements: Sequence[Shown]) -> list[tuple[Shown | None, Shown | None]]:
    return [*zip((None, *elements), (*elements[1:], None), strict=False)]


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
    _looks: dict[tuple[Mark, str], Seen] = field(default_factory=dict)

    def note(self, seen: Seen) -> None:
        """Store an observation as the newest."""
        self._looks.pop((self.now, seen.url), None)
        self._looks[self.now, seen.url] = seen

    def act(self, *, changes: bool) -> None:
        """Count an action, and whether it may change application data."""
        self.now = Mark(self.now.acted + 1, self.now.changed + changes)

    def before(
        self,
        held_in: Callable[[EarlierPage], bool | None],
        element_id: str | None,
        since: Mark,
        url: str,
    ) -> tuple[bool | None, str]:
        """Return whether a check held before a task that began at a mark, and its element then, if that differs.

        `held_in` tells it of one page, whose address is `url`; `element_id` is "" for a check of several
        elements, and None for one of none, for which only the pages before the first action count. None
        if no observation can tell, or if it held when the page was first observed after a change.
        """

        def may_tell(mark: Mark, seen: Seen) -> bool:
            if element_id is None:
                return mark == since
            return mark >= since and (seen.url == url or element_id in seen.elements)

        looks = [(mark, seen) for (mark, _), seen in self._looks.items() if may_tell(mark, seen)]
        if not looks:
            return None, ""
        newest = looks[-1][1]
        # Newest first: those before the first change, then the others.
        looks.sort(key=lambda look: look[0].changed == since.changed)
        for mark, seen in reversed(looks):
            page = EarlierPage(seen, newest, element_id or "")
            held, is_clean = held_in(page), mark.changed == since.changed
            if held is False:
                return False, page.describe() if is_clean else ""
            if held and is_clean:
                return True, ""
        return None, ""
