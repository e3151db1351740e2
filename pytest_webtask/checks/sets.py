"""All elements of a kind: the role in a container that holds exactly those which a check cites."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from playwright.sync_api import Error, Frame, Locator

from pytest_webtask.checks.finding import Cited, NotFound, ask, frame_of, with_facts
from pytest_webtask.checks.wording import says
from pytest_webtask.page import engine
from pytest_webtask.page.locators import quoted
from pytest_webtask.records import Signature

__all__ = ["Whole", "drawn_so", "holding", "whole"]

_NO_ROLE = frozenset(
    ("text", "element", "shape", "file", "drag", "summary", "canvas", "video", "audio", "color")
)


_DIRECT = {"listitem": ":scope > li, :scope > [role=listitem]"}


@dataclass(frozen=True)
class Whole:
    """All elements of a role in a container, in the order of the page.

    `numbers` are those of their nodes; `name` is the accessible name that all of them have, "" where
    it differs, and `by_name` says that it alone tells them from others of their role. `container`
    says what holds them. Of those that the locator finds, `hidden` cannot be seen. A recording tells
    by `part` that a check was not about all of them.
    """

    role: str
    name: str
    container: str
    locator: Locator
    code: str
    numbers: Sequence[int]
    by_name: bool = False
    hidden: int = 0
    part: bool = False

    def signature(self, *, part: bool = False) -> Signature:
        """What a recording keeps of it besides the locator."""
        kind = "named" if self.by_name else "part" if part else "all"
        return Signature(role=self.role, name=self.name, key=self.container, type=kind)


def around(elements: Sequence[Cited]) -> Whole:
    """All elements of which these are the whole, or of the rows or items that each is in.

    Raises NotFound where they are not all there are.
    """
    try:
        return whole(elements)
    except NotFound:
        items = {e.facts.item: e for e in elements}
        if 0 in items or len(items) != len(elements):
            raise
    told = ask_who(elements[0].frame, list(items))
    rows = [
        Cited(e.id, e.frame, e.document, number, engine.node(e.frame, e.document, number), role)
        for (number, e), role in zip(items.items(), told, strict=True)
    ]
    return whole(with_facts(rows))


def ask_who(frame: Frame, numbers: Sequence[int]) -> list[str]:
    """The roles of nodes. Raises NotFound where one has gone."""
    told = engine.call(frame, "whos", {"numbers": list(numbers)})
    if not all(told):
        raise NotFound("one of them is no longer on the page")
    return [each["role"] for each in told]


def whole(elements: Sequence[Cited]) -> Whole:
    """The smallest such set that is just these elements. Raises NotFound."""
    role, frame = _common(elements)
    cited = {e.number for e in elements}
    names = {e.name for e in elements}
    told = names.pop() if len(names) == 1 else ""
    near: list[str] = []
    # Its place tells a container only until something is put around it.
    sets = sorted(_sets(frame, elements, role), key=lambda each: "locator(" in each[2])
    for name in dict.fromkeys(("", told)):
        for container, where, code in sets:
            found = _of_role(frame, where, code, role, name, container)
            if cited < set(found.numbers) and role in _DIRECT and not name:
                # The items of lists within its items are no items of the list.
                found = _of_role(frame, where, code, role, "", container, direct=True)
            if set(found.numbers) == cited:
                return _named(found, frame, where, code, told) if not name else found
            if len(near) < 3:
                called = f' called "{name}"' if name else ""
                near.append(f"{len(found.numbers)}{called} in {container}")
    these = "this is not the only element" if len(cited) == 1 else f"these {len(cited)} are not all"
    raise NotFound(
        f"{these} of the role {role} in any container that can be told: there are"
        f" {', '.join(near) or 'none'}. Cite each one that is there, or elements of another role, of"
        " which each item has one"
    )


def _named(found: Whole, frame: Frame, where: Locator, code: str, told: str) -> Whole:
    """The same set with the name that they share, if Playwright knows them by it."""
    if told:
        named = _of_role(frame, where, code, found.role, told, found.container)
        if named.numbers == found.numbers:
            return replace(named, by_name=False)
    return found


def holding(elements: Sequence[Cited]) -> Whole:
    """The smallest set that holds these elements, and perhaps more. Raises NotFound."""
    role, frame = _common(elements)
    cited = {e.number for e in elements}
    for container, where, code in _sets(frame, elements, role):
        found = _of_role(frame, where, code, role, "", container)
        if cited <= set(found.numbers):
            return found
    raise NotFound(f"no container on the page tells all elements of the role {role} around these")


def _common(elements: Sequence[Cited]) -> tuple[str, Frame]:
    roles = {e.role for e in elements}
    if len(roles) > 1:
        raise NotFound(f"they are of several roles: {', '.join(sorted(roles))}; cite one kind")
    if len({(e.frame, e.document) for e in elements}) > 1:
        raise NotFound("they are in several frames or tabs; check each of these alone")
    role = elements[0].role
    if role in _NO_ROLE:
        raise NotFound(
            f"{elements[0].id} has no role by which all of its kind could be found: cite rows, list"
            " items, headings, links, buttons or fields"
        )
    hidden = [e.id for e in elements if not e.facts.shown]
    if hidden:
        raise NotFound(f"{', '.join(hidden)} cannot be seen")
    return role, elements[0].frame


def _sets(frame: Frame, elements: Sequence[Cited], role: str) -> Iterator[tuple[str, Locator, str]]:
    """The containers around the elements that their roles and names tell, from the inside.

    A model that resolves elements itself has said which part of the page is meant: where nothing
    else tells it, its place does.
    """
    every = bool(elements[0].code)
    numbers = [e.number for e in elements]
    around = ask(frame, "containers", {"numbers": numbers, "every": every})
    if around is None:
        raise NotFound("one of them is no longer on the page")
    for at, (number, kind, name) in enumerate(around):
        found = _alone(frame, number, around[at:]) if kind else None
        label = f'{kind} "{name}"' if kind and name else kind or "a part of the page"
        if found is not None:
            yield label, *found
        elif every or kind in ("list", "table", "rowgroup", "grid", "listbox"):
            # One of several without a name: by its own place, which its items do not change.
            if path := ask(frame, "path", {"number": number}):
                yield label, frame.locator(path), f"locator({quoted(path)})."
            else:
                # In a shadow root it has no such place, and is known as long as it lives.
                yield label, engine.node(frame, elements[0].document, number), ""
    yield "the page", frame.locator("body"), ""


def _alone(
    frame: Frame, number: int, around: Sequence[tuple[int, str, str]]
) -> tuple[Locator, str] | None:
    """The locator of one container: by itself, or within one that stands around it."""
    _, kind, name = around[0]
    for outer in (None, *(each for each in around[1:] if each[1])):
        where, code = (frame, "") if outer is None else _by_role(frame, outer[1], outer[2])
        if outer is not None and _number(where) != outer[0]:
            continue
        locator, inner = _by_role(where, kind, name)
        if _number(locator) == number:
            return locator, f"{code}.{inner}." if code else f"{inner}."
    return None


def _by_role(where: Frame | Locator, kind: str, name: str) -> tuple[Locator, str]:
    if name:
        locator = where.get_by_role(kind, name=name, exact=True)  # type: ignore[arg-type]
        return locator, f'get_by_role("{kind}", name={quoted(name)}, exact=True)'
    return where.get_by_role(kind), f'get_by_role("{kind}")'  # type: ignore[arg-type]


def _number(where: Frame | Locator) -> int:
    try:
        if isinstance(where, Locator) and where.count() != 1:
            return 0
        return int(ask(where, "which")["number"])
    except Error:
        return 0


def _of_role(
    frame: Frame,
    where: Locator,
    code: str,
    role: str,
    name: str,
    container: str,
    *,
    direct: bool = False,
) -> Whole:
    items = where.get_by_role(role)  # type: ignore[arg-type]
    told = f'get_by_role("{role}")'
    if direct:
        items = where.locator(_DIRECT[role])
        told = f"locator({quoted(_DIRECT[role])})"
    if name:
        items = where.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]
        told = f'get_by_role("{role}", name={quoted(name)}, exact=True)'
    if role == "row":
        items = items.filter(has_not=frame.get_by_role("columnheader"))
        told += '.filter(has_not=get_by_role("columnheader"))'
    items = items.filter(visible=True)
    told += ".filter(visible=True)"
    kept = _kept(items, frame)
    numbers = [number for number, seen in kept if seen]
    return Whole(
        role,
        name,
        container,
        items,
        f"{code}{told}",
        numbers,
        bool(name),
        len(kept) - len(numbers),
    )


def again(items: Locator, signature: Signature, code: str) -> tuple[Whole, list[Cited]]:
    """A set of a recording as it is now, and its elements. Raises NotFound."""
    # Of a set without elements nothing tells the frame.
    frame = frame_of(items.first, code) if items.count() else items.page.main_frame
    kept = _kept(items, frame)
    numbers = [number for number, seen in kept if seen]
    document = ask(frame, "which")["document"]
    role, name = signature.role, signature.name or ""
    found = with_facts([Cited(code, frame, document, n, items, role, name, code) for n in numbers])
    every = Whole(
        role,
        name,
        signature.key or "",
        items,
        code,
        numbers,
        signature.type == "named",
        len(kept) - len(numbers),
        signature.type == "part",
    )
    return every, [replace(one, name=one.facts.name or name) for one in found]


def in_order(all_: Sequence[Cited], texts: Sequence[str], *, part: bool) -> list[Cited]:
    """The elements of a set that show these texts: all, or of a part the one that shows each.

    Raises NotFound.
    """
    if not part:
        if len(all_) != len(texts):
            raise NotFound(f"there are {len(all_)} of them, and not {len(texts)}")
        return list(all_)
    found = []
    for text in texts:
        those = [one for one in all_ if says(one.facts.text or one.name, text)]
        if len(those) != 1:
            raise NotFound(f"{len(those) or 'none'} of them show {text!r}")
        found += those
    return found


def _kept(items: Locator, frame: Frame) -> list[tuple[int, bool]]:
    """The numbers of all that a locator finds, and whether each can be seen: in one question."""
    # Each that the locator finds leaves its number behind.
    items.locator(engine.selector("keep", engine=engine.CITED)).count()
    return [(int(number), bool(seen)) for number, seen in ask(frame, "kept")]


def drawn_so(found: Sequence[Cited]) -> bool:
    """Whether elements are drawn one after the other: style sheets may turn their order round."""
    for one, two in pairwise(found):
        (x, y, _, h), (right, below, _, height) = one.facts.box, two.facts.box
        if below + height <= y + 1:
            return False
        same_line = below < y + h / 2 and y < below + height / 2
        if same_line and right + 1 < x:
            return False
    return True
