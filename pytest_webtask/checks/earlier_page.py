"""Earlier observations of a page, to determine whether a check held before."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_webtask.checks.text import in_outline
from pytest_webtask.escapes import in_quotes

if TYPE_CHECKING:
    from pytest_webtask.types.page import Seen

_ID = re.compile(r"[\[<]([a-z]+-\d+)\b>?")
_PASSING = re.compile(r" (?:focused|covered)\b| [↓↑←→](?=\])")
"""Words of an outline that change without a change of the element."""
_CUT = re.compile(r"\bpart-\d")


@dataclass(frozen=True)
class EarlierPage:
    """An earlier observation of a page, for a check of one element or of the whole page.

    `newest` is the last observation, in which the element has its id. Loading a page changes all ids;
    the element is then identified by its position in an otherwise equal line of `seen`.
    """

    seen: Seen
    newest: Seen | None = None
    element_id: str = ""

    @cached_property
    def was(self) -> str | None:
        """Return the earlier outline of the element, None if it is missing or ambiguous."""
        own = _part_of(self.seen, self.element_id)
        return own if own is not None else self._in_same_place()

    @cached_property
    def now(self) -> str | None:
        """Return the newest outline of the element."""
        return _part_of(self.newest, self.element_id) if self.newest else None

    @property
    def states(self) -> set[str]:
        """Return the words after the name and value of the earlier element, which are its states."""
        # The options of a choice are texts of the page, of which only some are in quotation marks.
        own = (self.was or "").partition(" options: ")[0]
        return set(own.rpartition('"')[2].partition("]")[0].split())

    @property
    def same(self) -> bool:
        """Return whether both observations show the element alike."""
        return bool(self.was) and self.was == self.now

    @property
    def same_document(self) -> bool:
        """Return whether both observations are of the same document, judging by their ids."""
        return self.newest is not None and bool(_ids(self.seen) & _ids(self.newest))

    @property
    def is_cut(self) -> bool:
        """Return whether the earlier outline is incomplete."""
        return bool(_CUT.search(self.seen.outline))

    def says(self, text: str) -> bool:
        """Return whether the earlier page had a text anywhere, ignoring case."""
        return in_outline(text, self.seen.words)

    def lists(self, role: str, name: str) -> bool:
        """Return whether the earlier page had an element of this role and name, ignoring case."""
        pattern = rf"[\[<]{re.escape(role)}-\d+>? {re.escape(in_quotes(name))}"
        return re.search(pattern, self.seen.outline, re.IGNORECASE) is not None

    def _in_same_place(self) -> str | None:
        if self.newest is None or self.newest.url != self.seen.url or self.same_document:
            return None
        if not self.element_id:
            return None
        new, old = self.newest.outline.splitlines(), self.seen.outline.splitlines()
        mine = re.compile(rf"[\[<]{re.escape(self.element_id)}\b")
        at = next((n for n, line in enumerate(new) if mine.search(line)), None)
        if at is None:
            return None
        same = SequenceMatcher(None, [*map(_bare, old)], [*map(_bare, new)], autojunk=False)
        for tag, a, b, c, d in same.get_opcodes():
            if c <= at < d and (tag == "equal" or (tag == "replace" and b - a == d - c == 1)):
                line = old[a + at - c]
                if _roles(line) == _roles(new[at]):
                    place = _ID.findall(new[at]).index(self.element_id)
                    return _parts(line)[place]
        return None


def _part_of(seen: Seen, element_id: str) -> str | None:
    """Return the outline of an element up to the next one, None if it is missing."""
    match = re.search(rf"[\[<]{re.escape(element_id)}\b>?", seen.outline) if element_id else None
    if match is None:
        return None
    return _own(seen.outline[match.end() :].partition("\n")[0])


def _parts(line: str) -> list[str]:
    return [_own(line[match.end() :]) for match in _ID.finditer(line)]


def _own(rest: str) -> str:
    following = _ID.search(rest)
    return _PASSING.sub("", rest[: following.start()] if following else rest).strip(" |-·")


def _ids(seen: Seen) -> set[str]:
    return set(_ID.findall(seen.outline))


def _roles(line: str) -> list[str]:
    return [each.rpartition("-")[0] for each in _ID.findall(line)]


def _bare(line: str) -> str:
    return _ID.sub(" ", _PASSING.sub("", line)).strip()
