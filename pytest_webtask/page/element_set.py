"""Sets of elements: the repeating pattern of cited elements and all elements that match it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Error, Frame

from pytest_webtask.page import dom
from pytest_webtask.page.locator_codegen import frame_code
from pytest_webtask.page.locator_parser import Unreadable, is_positional, locate
from pytest_webtask.types.page import Container, Remembered

Member = tuple[Frame, str, int]
"""An element: its frame, the id of its document and its node number."""
_TIMEOUT = 15.0
"""Seconds in which a page must find a pattern: a page of thousands of elements needs one."""
_VISIBLE = ".filter(visible=True)"
_MOST = 3
"""The most locators that a set keeps."""
_MAIN = "main"
BETWEEN = " | "
"""What stands between the texts of a mark of a set."""
_LISTED = ("heads", "others", "chosen")
"""The parts of a setting that are lists of short texts: the heads of its table, titles of other sets, choices."""


class NoSetError(Exception):
    """The elements share no pattern; the message says why and what to cite instead."""


@dataclass(frozen=True)
class ElementSet:
    """All visible elements of a pattern in a container, in the order of the document.

    `kind` and `container` describe the pattern and the part of the page that was searched.
    `codes` are locators that find exactly `members`, best first; the last one may find other lists, too,
    where the setting tells them apart. `positions` are the indexes of the cited elements among the members.
    `elsewhere` counts the visible elements of the pattern in other containers. `more` has signs
    that the page does not show all, which need judgment: "10 of 57", or a button after the last
    member; `signs` are their kinds, by which a replay knows them. `without` counts items that look
    like those of the members but lack the element. `setting` is what tells the set from others, as
    `dom.js` reports it; its title is None where another set has the same.
    """

    kind: str
    container: str
    codes: tuple[str, ...]
    members: tuple[int, ...]
    positions: tuple[int, ...]
    texts: tuple[str, ...]
    elsewhere: tuple[tuple[int, str], ...] = ()
    more: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    without: int = 0
    setting: Mapping[str, Any] = field(default_factory=dict)

    def remembered(self, tag: str = "") -> Remembered:
        """Return what tells the set from others; `tag` is that of fields."""
        marks: dict[str, str] = {}
        if setting := self.setting:
            noted = {part: BETWEEN.join(setting[part]) for part in _LISTED}
            noted |= {"id": setting["own"], "list": "one" if setting["one"] else ""}
            marks = {name: text for name, text in noted.items() if text}
            if setting["title"] is not None:
                marks["title"] = setting["title"]
            # Always present where the set was recorded with its setting.
            marks |= {"in": setting["part"] or _MAIN, "more": BETWEEN.join(self.signs)}
            marks["parts"] = " ".join(setting["parts"])
        return Remembered(
            role=self.kind,
            containers=(Container(kind="set", name=self.container),),
            kind="set",
            tag=tag,
            near=tuple(self.setting.get("texts", ())),
            marks=marks,
        )

    @property
    def others(self) -> tuple[str, ...]:
        """The texts of the members that were not cited."""
        return tuple(text for at, text in enumerate(self.texts) if at not in self.positions)


def find_set(elements: Sequence[Member], *, named: bool = False) -> ElementSet:
    """Return the set that the elements belong to; it may have other members. Raises NoSetError.

    With `named` the set of one control has all controls of its name, in the widest container without
    others.
    """
    if not elements:
        raise NoSetError("no element is cited: cite every element of the set that is on the page")
    frame, document, _ = elements[0]
    if any(each[:2] != (frame, document) for each in elements):
        raise NoSetError(
            "the elements are in several frames or tabs: cite elements of one frame or tab"
        )
    numbers = [number for _, _, number in elements]
    argument = {"document": document, "numbers": numbers, "named": named}
    answer: dict[str, Any] = dom.call(frame, "find", argument, _TIMEOUT, dom.SETS)
    if "refusal" in answer:
        raise NoSetError(answer["refusal"])
    members = answer["members"]
    if not {*numbers} <= {*members}:
        raise NoSetError("no pattern fits all of the cited elements: cite elements of one kind")
    at, codes = _locators_of(frame, answer["codes"], members)
    pattern = answer["patterns"][at]
    wide = f"{frame_code(frame)}{answer['wide']}{_VISIBLE}"
    if answer["wide"] and wide not in codes:
        codes = [*codes[: _MOST - 1], wide]
    return ElementSet(
        kind=pattern["kind"],
        container=answer["container"],
        codes=tuple(codes),
        members=tuple(members),
        positions=tuple(map(members.index, numbers)),
        texts=tuple(answer["texts"]),
        elsewhere=tuple((count, place) for count, place in pattern["elsewhere"]),
        more=tuple(answer["more"]),
        signs=tuple(answer["signs"]),
        without=answer["without"],
        setting=answer["setting"],
    )


def recorded_setting(known: Remembered) -> dict[str, Any] | None:
    """Return what tells a recorded set from others, None if that was not recorded: its texts are redacted."""
    marks = known.marks
    if "in" not in marks:
        return None
    listed = {part: marks[part].split(BETWEEN) if part in marks else [] for part in _LISTED}
    return {
        **listed,
        "title": marks.get("title"),
        "part": marks["in"] if marks["in"] != _MAIN else "",
        "own": marks.get("id", ""),
        "one": "list" in marks,
        "parts": marks.get("parts", "").split(),
        "texts": list(known.near),
    }


def new_signs(
    members: Sequence[Member], known: Sequence[str], parts: Sequence[str] = ()
) -> list[str]:
    """Return the signs that there are more than the members of a set, of kinds not `known`.

    `parts` are those of the recorded members, by which others among them are recognized.
    """
    if not members:
        return []
    frame, document, _ = members[0]
    numbers = [number for _, _, number in members]
    argument = {"document": document, "numbers": numbers, "parts": list(parts)}
    found = dom.call(frame, "signs", argument, _TIMEOUT, dom.SETS)
    return [text for kind, text in found if kind not in known]


def set_of(element: Member) -> ElementSet | None:
    """Return the set of an element, None if there is none."""
    with suppress(NoSetError, Error):
        return find_set([element])
    return None


def set_around(element: Member) -> ElementSet | None:
    """Return the set of several members around the element, None if there is none."""
    whole = set_of(element)
    return whole if whole and len(whole.members) > 1 else None


def _locators_of(
    frame: Frame, codes: Sequence[tuple[int, str]], members: Sequence[int]
) -> tuple[int, list[str]]:
    """Return the index of the pattern, and the codes of locators of the members.

    They are the first that finds just the members, and up to two more of the same pattern; positions
    only where nothing else does.
    """
    prefix = frame_code(frame)
    for ending in (_VISIBLE, ""):
        found: list[str] = []
        first = -1
        for pattern, inner in codes:
            code = f"{prefix}{inner}{ending}"
            if found and (pattern != first or is_positional(code)):
                continue
            with suppress(Unreadable, Error):
                matches = dom.ask(frame.page, locate(code, frame.page), (), _TIMEOUT, dom.SETS)
                if sorted(n for n, is_counted in matches if is_counted) == sorted(members):
                    first = pattern
                    found.append(code)
            if len(found) == _MOST:
                break
        if found:
            return first, found
    raise NoSetError(
        "no locator finds just these elements: cite an element around or in each of them"
    )
