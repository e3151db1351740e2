"""All elements of a role, on the page or in a part of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import ElementHandle, Frame, Locator

from pytest_webtask.models.literal import scripts
from pytest_webtask.models.literal.asking import Asker, Found
from pytest_webtask.models.literal.counted import KINDS
from pytest_webtask.models.literal.explain import Wanted, nearly
from pytest_webtask.models.literal.forms import FITS
from pytest_webtask.models.literal.look import in_sight
from pytest_webtask.models.literal.parts import Part
from pytest_webtask.models.literal.queries import Query, Rank, frame_code, query
from pytest_webtask.models.literal.resolve import Unresolved

__all__ = ["Member", "absent", "members", "named_elements", "names_of_kind"]

_CALLED = tuple(sorted({*sum(FITS["click"].groups[:1], ()), "img"}))


@dataclass(frozen=True)
class Member:
    """One of the elements: found by a role, as so many-eth of what the query finds."""

    found: Found
    role: str
    query: Query


def members(asker: Asker, wanted: Wanted, part: Part | None) -> list[Member]:
    """Those that can be seen, by the best rank that any has; header rows are left out."""
    if wanted.role not in KINDS:
        raise Unresolved(f"a {wanted.role} has no role by which it could be looked for")
    for rank in Rank if wanted.name else (Rank.EXACT,):
        found = [
            m for role in KINDS[wanted.role] for m in _of_role(asker, role, wanted, rank, part)
        ]
        if found:
            return found
    return []


def names_of_kind(asker: Asker, role: str, part: Part | None) -> list[str]:
    """Return the names of all visible elements of a role; none for a role that is not counted."""
    if role not in KINDS:
        return []
    every = members(asker, Wanted("", "click", role), part)
    return [member.found.name for member in every if member.found.name]


def named_elements(asker: Asker, name: str, part: Part | None) -> list[Found]:
    """Controls and pictures of exactly that name that can be seen, whatever is drawn on them."""
    found = []
    for frame, scope, prefix, tops in _scopes(asker, part):
        every = query(scope, _CALLED, name, Rank.CASELESS, prefix=prefix)
        found += [
            Found.of(frame, told) for told in every.locator.evaluate_all(scripts.seen(), tops)
        ]
    return found


def _of_role(
    asker: Asker, role: str, wanted: Wanted, rank: Rank, part: Part | None
) -> list[Member]:
    found = []
    for frame, scope, prefix, tops in _scopes(asker, part):
        if wanted.name:
            every = query(scope, (role,), wanted.name, rank, prefix=prefix)
        else:
            every = Query(scope.get_by_role(role), f'{prefix}get_by_role("{role}")')  # type: ignore[arg-type]
        if role == "row":
            header = frame.get_by_role("columnheader")
            code = f'{every.code}.filter(has_not=get_by_role("columnheader"))'
            every = Query(every.locator.filter(has_not=header), code)
        for told in every.locator.evaluate_all(scripts.seen(), tops):
            if rank is not Rank.PART or nearly(wanted.name, told["name"]):
                found.append(Member(Found.of(frame, told), role, every.nth(told["index"])))
    return found


def _scopes(
    asker: Asker, part: Part | None
) -> list[tuple[Frame, Frame | Locator, str, list[ElementHandle]]]:
    """Where to look, with its code, and what of it counts; no elements say that all does."""
    if part is None:
        frames = [frame for frame in asker.turn.page.frames if in_sight(frame)]
        return [(frame, frame, frame_code(frame), []) for frame in frames]
    frame = part.first.frame
    if part.whole and not part.below:
        return [(frame, part.tops[0], f"{asker.cite(part.first)}.", [])]
    # What follows a heading is what it heads, such as the list itself.
    code = f"{frame_code(frame)}locator({json.dumps(part.paths[0])}).locator('xpath=..')."
    tops = [top.element_handle(timeout=1000) for top in part.tops]
    return [(frame, part.tops[0].locator("xpath=.."), code, tops)]


def absent(asker: Asker, wanted: Wanted, part: Part | None) -> Sequence[dict[str, Any]]:
    """The checks that there is none of a role, and of that name if one is said."""
    roles = KINDS[wanted.role]
    if wanted.role == "row" and not wanted.name:
        # A header row is a row, too, but one of heads only.
        roles = ("cell", "gridcell", "rowheader")
    within: list[dict[str, str]] = [{}]
    if part is not None:
        paths = [Found(part.first.frame, path) for path in part.paths]
        within = [{"within": asker.cite(found)} for found in paths]
    name = {"name": wanted.name} if wanted.name else {}
    return [{"kind": "absent", "role": role, **name, **place} for role in roles for place in within]
