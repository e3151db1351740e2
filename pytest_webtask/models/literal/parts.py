"""A name → the part of the page that it names: a region, a row, an item, what it labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Frame, Locator

from pytest_webtask.models.literal import scripts
from pytest_webtask.models.literal.asking import Asker, Found
from pytest_webtask.models.literal.explain import (
    Candidate,
    Wanted,
    anchor_text,
    several_text,
)
from pytest_webtask.models.literal.look import View, anchor_of, in_sight, kind_of
from pytest_webtask.models.literal.queries import Query, Rank, frame_code, query
from pytest_webtask.models.literal.resolve import Unresolved

__all__ = ["Part", "named_by", "part_of", "parts_of"]

_WAYS = ("own-text", "text", "alt", "title", "label")


@dataclass(frozen=True)
class Part:
    """A part of the page: one element, or all that stands below a heading.

    `itself` says that nothing but the element which has the name is meant, `below` that it follows
    a heading; `value` is the way to what it labels, "" where that cannot be told.
    """

    first: Found
    paths: Sequence[str]
    itself: bool = False
    below: bool = False
    field: bool = False
    column: bool = False
    value: str = ""
    value_role: str = ""

    @property
    def tops(self) -> list[Locator]:
        """Its outermost elements."""
        return [self.first.frame.locator(path) for path in self.paths]

    @property
    def whole(self) -> Found | None:
        """The one element that it is, if it is one."""
        return self.first if len(self.paths) == 1 else None


def part_of(asker: Asker, wanted: Wanted) -> Part:
    """The one part of the page that is meant. Raises Unresolved."""
    found = parts_of(asker, wanted)
    if not found:
        raise Unresolved(_missing(asker, wanted))
    if len(found) > 1:
        candidates = [_candidate(part.first) for part in found]
        raise Unresolved(several_text(wanted, candidates, None))
    part = found[0]
    if part.field:
        name = Wanted(wanted.name, wanted.fit)
        raise Unresolved(f'{wanted} is a field: say {name} has value "..."')
    if part.column:
        raise Unresolved(f"{wanted} heads a column, of which each row shows something: name a row")
    return part


def parts_of(asker: Asker, wanted: Wanted) -> list[Part]:
    """The parts that a name may mean, by the best rank that anything has."""
    want = kind_of(Wanted("", "", of_kind=wanted.role))
    for rank in Rank:
        found: list[Part] = []
        for frame in asker.turn.page.frames:
            if not in_sight(frame):
                continue
            anchor = _anchor(frame, wanted)
            if wanted.relation and anchor is None:
                continue
            given = {
                "name": wanted.name,
                "rank": int(rank),
                "want": want,
                "relation": wanted.relation,
                "anchors": anchor.visible().locator.element_handles() if anchor else [],
                **kind_of(wanted),
            }
            names = named_by(frame, wanted.name, rank).locator
            for told in names.evaluate_all(scripts.parts(), given):
                found.append(_part(frame, told))
        if found:
            best = [part for part in found if not part.itself]
            return best or found
    return []


def named_by(frame: Frame, name: str, rank: Rank) -> Query:
    """Whatever shows or has a name."""
    ways = _WAYS if rank is Rank.EXACT else _WAYS[1:]
    return query(frame, ways, name, rank, prefix=frame_code(frame))


def _anchor(frame: Frame, wanted: Wanted) -> Query | None:
    if not wanted.relation:
        return None
    ways = frozenset(("text", "alt", "title", "labelled"))
    return anchor_of(View(frame, anchors=ways), wanted)[0]


def _part(frame: Frame, told: dict[str, Any]) -> Part:
    return Part(
        Found.of(frame, told),
        told["paths"],
        told["itself"],
        told["below"],
        told["field"],
        told["column"],
        told["value"]["path"] if told["value"] else "",
        told["value"]["role"] if told["value"] else "",
    )


def _candidate(found: Found) -> Candidate:
    return Candidate(found.role or "text", found.name, found.place)


def _missing(asker: Asker, wanted: Wanted) -> str:
    page = asker.turn.page
    place = Wanted("", wanted.fit, relation="in", of=wanted.name, of_kind=wanted.role)
    named = bool(wanted.role) and bool(parts_of(asker, Wanted(wanted.name, wanted.fit)))
    texts = [text for frame in page.frames for text in frame.evaluate(scripts.texts())]
    return anchor_text(place, named, texts, (), asker.waits)
