"""The elements that checks are about: found again by their ids, told by readable locators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from playwright.sync_api import Error, Frame, Locator, Page

from pytest_webtask.checks.wording import squashed
from pytest_webtask.page import engine
from pytest_webtask.page.addressing import BARE, address_of, frame_code
from pytest_webtask.page.frames import FRAME_TIMEOUT
from pytest_webtask.page.locators import is_positional, locate, quoted
from pytest_webtask.page.naming import PLAIN
from pytest_webtask.page.observation import Observer
from pytest_webtask.page.recalled import Missing, Recalled
from pytest_webtask.page.snapshot import Node, parse

__all__ = ["Cited", "Facts", "NotFound", "address", "ask", "cited"]

_CELLS = {"cell": "td,[role=cell]", "gridcell": "td,[role=gridcell]"}


class NotFound(Exception):
    """A check cites what is not there; the message says what is wrong."""


class Lost(NotFound):
    """The element of a recording is not where it was, or is another one."""


@dataclass(frozen=True)
class Facts:
    """What an element says and where it stands, as `cited.js` tells.

    `text` is as a user reads it, `drawn` what of it can really be seen, `raw` without what style sheets do to capitals; `besides` is what
    stands right beside it (its label, row, column), `around` the headings and names of the parts
    of the page that hold it; `labels` are those of `besides` that say what it is. `item` is the number of its row or list item, 0 if it is in none. A
    `top` is what the page as a whole is called. A
    `composite` holds several things that say something of their own, `leaves` are their texts.
    `held` is what a field holds, None for what is no field and for passwords; what is `simple` has
    no elements in it.
    """

    shown: bool
    tag: str = ""
    type: str = ""
    select: bool = False
    field: bool = False
    password: bool = False
    editable: bool = False
    text: str = ""
    raw: str = ""
    name: str = ""
    besides: Sequence[str] = ()
    around: Sequence[str] = ()
    item: int = 0
    details: bool = False
    invalid: bool = False
    composite: bool = False
    leaves: Sequence[str] = ()
    drawn: str = ""
    placeholder: str = ""
    labels: Sequence[str] = ()
    inert: bool = False
    message: bool = False
    top: Sequence[str] = ()
    box: Sequence[float] = ()
    plain: bool = False
    held: str | None = None
    simple: bool = False


@dataclass(frozen=True)
class Cited:
    """An element that a check is about: a node of a document in a frame of a tab."""

    id: str
    frame: Frame
    document: str
    number: int
    locator: Locator
    role: str = ""
    name: str = ""
    code: str = ""
    facts: Facts = field(default_factory=lambda: Facts(False))


def ask(where: Frame | Locator, verb: str, argument: Any = None) -> Any:
    """The answer of one of the verbs of `cited.js`."""
    return engine.call(where, verb, argument, FRAME_TIMEOUT, engine.CITED)


def cited(
    observer: Observer,
    pages: Sequence[Page],
    element_ids: Sequence[str],
    resolved: Mapping[str, Locator | Recalled],
    *,
    at_once: bool = False,
) -> list[Cited]:
    """The living elements of those ids, asked all at once. Raises NotFound.

    `at_once` says that those of a recording are rather not there.
    """
    found = [_found(observer, pages, each, resolved.get(each), at_once) for each in element_ids]
    if all(one.facts.tag for one in found):
        return found
    return with_facts(found)


def with_facts(found: Sequence[Cited]) -> list[Cited]:
    """The same with what they say, asked all at once. Raises NotFound."""
    frames: dict[tuple[Frame, str], list[int]] = {}
    for one in found:
        frames.setdefault((one.frame, one.document), []).append(one.number)
    told: dict[tuple[Frame, str, int], Any] = {}
    for (frame, document), numbers in frames.items():
        try:
            if ask(frame, "which")["document"] == document:
                answers = ask(frame, "facts", {"numbers": numbers})
                told |= {(frame, document, n): a for n, a in zip(numbers, answers, strict=True)}
        except Error:
            continue
    return [_with_facts(one, told.get((one.frame, one.document, one.number))) for one in found]


def _found(
    observer: Observer,
    pages: Sequence[Page],
    element_id: str,
    resolved: Locator | Recalled | None,
    at_once: bool,
) -> Cited:
    if resolved is None:
        return _known(observer, pages, element_id)
    if isinstance(resolved, Recalled):
        return _recalled(element_id, resolved, at_once)
    return _resolved(pages, element_id, resolved)


def _recalled(code: str, recalled: Recalled, at_once: bool) -> Cited:
    try:
        who = recalled.look(whole=True, at_once=at_once)
    except Missing as error:
        raise Lost(f"{code} is not what it was: {error}") from None
    locator = recalled.locator
    frame, role = frame_of(locator, code), who["role"] or "text"
    found = Cited(code, frame, who["document"], who["number"], locator, role, who["name"], code)
    return _with_facts(found, who["facts"])


def frame_of(locator: Locator, code: str) -> Frame:
    """The frame that a locator's element is in; `code` says whether that is another than the page's."""
    if "content_frame" not in code and "frame_locator" not in code:
        return locator.page.main_frame
    frame = locator.element_handle(timeout=FRAME_TIMEOUT * 1000).owner_frame()
    assert frame is not None, "an element is in a frame"
    return frame


def _known(observer: Observer, pages: Sequence[Page], element_id: str) -> Cited:
    known = observer.known.get(element_id)
    if known is None:
        raise NotFound(
            f"there is no element {element_id!r}; cite ids of the outline, such as"
            f" {', '.join(list(observer.known)[-3:]) or 'text-0'}"
        )
    if known.frame.page not in pages:
        raise NotFound(f"{element_id} is of a tab that is closed")
    element = known.element
    return Cited(
        element_id,
        known.frame,
        known.document,
        known.number,
        known.locator,
        element.role,
        element.name,
    )


def _resolved(pages: Sequence[Page], code: str, locator: Locator) -> Cited:
    """An element that a model has resolved itself, by the code that it gives in place of an id."""
    if not locator.count():
        raise NotFound(f"{code} is not on the page")
    frame = locator.element_handle(timeout=FRAME_TIMEOUT * 1000).owner_frame()
    assert frame is not None, "an element is in a frame"
    if frame.page not in pages:
        raise NotFound(f"{code} is of a page that is no tab of this test")
    which = ask(locator, "which")
    node = next(iter(parse(locator.aria_snapshot()).children), Node("generic"))
    role = "text" if node.role in PLAIN else node.role
    return Cited(code, frame, which["document"], which["number"], locator, role, node.name, code)


def _with_facts(found: Cited, told: Any) -> Cited:
    if told is None:
        raise NotFound(f"{found.id} is no longer on the page")
    facts = Facts(**told)
    if facts.field and not facts.name and squashed(found.name) == facts.placeholder:
        # A hint is what it is called where nothing else is; it names nothing that is there.
        found = replace(found, name="")
    if found.frame.parent_frame:
        # What a frame is called says where its texts stand.
        carrier = found.frame.frame_element()
        names = [carrier.get_attribute(name) for name in ("title", "aria-label")]
        facts = replace(facts, around=[*facts.around, *filter(None, names)])
    if facts.tag == "input" and facts.type in ("checkbox", "radio") and found.code:
        # Drawn by its label it has no role in a snapshot.
        found = replace(found, role=facts.type)
    if found.code and facts.plain:
        # The snapshot of an element without a role begins with what stands in it.
        return replace(found, role="text", name="", facts=facts)
    return replace(found, facts=facts)


def address(found: Cited, said: Sequence[str] = (), *, bare: bool = False) -> tuple[Locator, str]:
    """A readable locator that finds this very element and no other, and its code.

    `said` are texts that the check expects: an element that were found by them would be another
    one as soon as it says something else. With `bare` it is not told by what stands around it,
    which may be redacted. The code is "" where only the live node can be told.
    """
    if found.code:
        return found.locator, found.code
    frame, prefix = found.frame, frame_code(found.frame)
    ways: list[tuple[Locator, str]] = []
    who = engine.call(found.locator, "who", timeout=FRAME_TIMEOUT)
    if bare:
        who |= BARE
    role = "" if found.role in ("text", "element") else found.role
    code = address_of(found.locator, frame, who, role, found.name, said)
    if code and not is_positional(code):
        return locate(code, frame.page), code
    if found.role in _CELLS and not bare:
        row = ask(frame, "row", {"number": found.number, "css": _CELLS[found.role]})
        if row and row["at"] >= 0:
            kind: Literal["rowheader", "cell"] = "rowheader" if row["header"] else "cell"
            key = frame.get_by_role(kind, name=row["key"], exact=True)
            cells = frame.get_by_role("row").filter(has=key)
            locator = cells.get_by_role(found.role)  # type: ignore[arg-type]
            # What is in the row is in the same frame as the row.
            inner = f'get_by_role("{kind}", name={quoted(row["key"])}, exact=True)'
            cell = (
                f'{prefix}get_by_role("row").filter(has={inner})'
                f'.get_by_role("{found.role}").nth({row["at"]})'
            )
            ways.append((locator.nth(row["at"]), cell))
    if code:
        ways.append((locate(code, frame.page), code))
    path = ask(frame, "path", {"number": found.number})
    if path:
        outer = path.rpartition(" > ")[0]
        if role and outer:
            within = f"{prefix}locator({quoted(outer)}).get_by_role({quoted(role)})"
            ways.append((locate(within, frame.page), within))
        ways.append((frame.locator(path), f"{prefix}locator({quoted(path)})"))
    for locator, code in ways:
        if _is(locator, found):
            return locator, code
    return found.locator, ""


def _is(locator: Locator, found: Cited) -> bool:
    try:
        # What matches nothing would be waited for.
        told = ask(locator, "which") if locator.count() == 1 else None
    except Error:
        return False
    return bool(told == {"document": found.document, "number": found.number})
