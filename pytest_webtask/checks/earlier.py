"""What an earlier look at a page tells of a fact: whether it was so then."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import TYPE_CHECKING

from pytest_webtask.checks.text import in_outline

if TYPE_CHECKING:
    from pytest_webtask.types.agent import Seen

__all__ = ["Earlier"]

_ID = re.compile(r"[\[<]([a-z]+-\d+)\b>?")
_PASSING = re.compile(r" (?:focused|covered)\b| [↓↑←→](?=\])")
"""What says nothing about whether an element is as it was."""
_CUT = re.compile(r"\bpart-\d")


@dataclass(frozen=True)
class Earlier:
    """An earlier look at a page, for a check of one element or of the whole page.

    `seen` is that look, `newest` the last one, in which the element has its id. After a load all
    ids are others: an element is then the one in the same place of a line that is otherwise alike.
    """

    seen: Seen
    newest: Seen | None = None
    element_id: str = ""

    @cached_property
    def was(self) -> str | None:
        """How the earlier look had the element, None where it had none or cannot tell which."""
        own = _part_of(self.seen, self.element_id)
        return own if own is not None else self._in_same_place()

    @cached_property
    def now(self) -> str | None:
        """How the newest look has the element."""
        return _part_of(self.newest, self.element_id) if self.newest else None

    @property
    def states(self) -> set[str]:
        """The words behind the name and value that the element had, which may hold any word."""
        behind = (self.was or "").rpartition('"')[2].partition("]")[0]
        return set(behind.split())

    @property
    def same(self) -> bool:
        """Whether both have the element, and say the same of it."""
        return bool(self.was) and self.was == self.now

    @property
    def same_document(self) -> bool:
        """Whether no page was loaded between the two looks, as far as ids tell."""
        return self.newest is not None and bool(_ids(self.seen) & _ids(self.newest))

    @property
    def is_cut(self) -> bool:
        """Whether the earlier outline has left something out."""
        return bool(_CUT.search(self.seen.outline))

    def says(self, text: str) -> bool:
        """Whether the earlier page said a text anywhere, in any case."""
        return in_outline(text, self.seen.words)

    def _in_same_place(self) -> str | None:
        if self.newest is None or self.newest.url != self.seen.url or self.same_document:
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
    """Return what an outline says of an element itself, up to the next one."""
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
