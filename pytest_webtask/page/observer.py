"""Observation of pages: Playwright's snapshot, element ids and the outline."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Frame, Locator, Page, TimeoutError

from pytest_webtask.data.escapes import in_quotes
from pytest_webtask.data.phrases import SEE_WHY
from pytest_webtask.data.text import well_formed
from pytest_webtask.data.values import Data
from pytest_webtask.errors import PageError
from pytest_webtask.page import dom, outline
from pytest_webtask.page.activity import is_gone
from pytest_webtask.page.clock import clock_of
from pytest_webtask.page.frames import FRAME_TIMEOUT, FramePlace, frame_places, redacted_in
from pytest_webtask.page.outline import (
    PLAIN,
    Line,
    direction,
    find_items,
    operable,
    readable,
    shown_as,
    text_of,
    words_of,
)
from pytest_webtask.page.outline import cap as cap_lines
from pytest_webtask.page.redaction import SnapshotRedaction
from pytest_webtask.page.snapshot import (
    OPERABLE,
    Node,
    Part,
    Row,
    in_order,
    insert,
    outwards,
    parse_snapshot,
)
from pytest_webtask.page.vanished import Vanished
from pytest_webtask.types.agent import Element, Observation
from pytest_webtask.types.page import Box

LOOK = 10.0
"""Seconds that a look at a page may take: Playwright needs 0.9 s for 10,000 nodes, and never finishes
for a document that is still open."""
SNAPSHOT_DEPTH = 50
"""Levels of a snapshot: Playwright fails at 56. The engine's walk adds controls that are nested deeper."""
OUTLINE_CAP = 30_000

_WEAK_ROLES = {"drag": "drag", "empty": "box"}


@dataclass(frozen=True)
class Known:
    """The DOM node of an element id: its frame, document and number."""

    frame: Frame
    document: str
    number: int
    element: Element
    marks: tuple[int, ...] = ()
    """What distinguished the item that the node stood in: a list may show another one by the same nodes."""
    hidden: bool = False
    """Whether it is redacted, or inside a redacted element."""

    @property
    def locator(self) -> Locator:
        """Return a locator for this node; it matches nothing once the node is gone."""
        return dom.node(self.frame, self.document, self.number)

    def shows_other_item(self) -> bool:
        """Return whether the node is in another item since it was observed."""
        now: Sequence[int] = ()
        if self.marks:
            with suppress(Error):
                now = dom.call(self.locator, "item", timeout=FRAME_TIMEOUT)
        return _are_of_different_items(self.marks, now)


def _are_of_different_items(before: Sequence[int], now: Sequence[int]) -> bool:
    """Return whether the node has moved to another item.

    The first mark is its title. Where nothing tells an item from others, nothing is known of it.
    """
    if not before or not now or before[0] in now or now[0] in before:
        return False
    return 2 * len({*before} & {*now}) <= len(before)


@dataclass
class _Look:
    """A snapshot of a page, merged with the engine's results, before it is rendered."""

    root: Node
    frames: list[tuple[Frame, str]] = field(default_factory=list)
    view: tuple[float, float] = (0.0, 0.0)
    scroll: tuple[int, int] = (0, 0)
    title: str = ""
    selected: str = ""
    revealed: bool = False
    behind: bool = False

    def add(self, frame: Frame, walk: dict[str, Any]) -> None:
        """Add the result of the engine's walk through a frame."""
        self.frames.append((frame, walk["document"]))
        self.revealed |= walk["revealed"]
        self.behind |= bool(walk["behind"])
        self.selected = self.selected or walk["selected"]
        if frame is frame.page.main_frame:
            top, height, view_width, view_height = walk["scroll"]
            self.view = (float(view_width), float(view_height))
            self.scroll, self.title = (top, height), walk["title"]


class Observer:
    """Observes the pages of one test and keeps the ids of their DOM nodes."""

    def __init__(self, data: Callable[[], Data], save: Callable[[bytes], Path] | None) -> None:
        self._data = data
        self._save = save
        self._ids: dict[tuple[str, int], str] = {}
        self._next: defaultdict[str, int] = defaultdict(int)
        self.known: dict[str, Known] = {}
        """All elements seen in this test, by id."""
        self._parts: dict[str, str] = {}
        self._part_names: dict[str, str] = {}
        self._revealed = False

    @cached_property
    def vanished(self) -> Vanished:
        """Return the record of texts that appeared and vanished between two observations."""
        return Vanished(self._data().redact)

    def part(self, name: str) -> str | None:
        """Return a part that the last outline left out, None for an unknown name."""
        return self._parts.get(name)

    def is_redacted(self, element_id: str) -> bool:
        """Return whether the element was redacted, or inside a redacted one, when last observed."""
        known = self.known.get(element_id)
        return known is not None and known.hidden

    def read(self, locator: Locator, timeout: float | None) -> str:
        """Return the rendered text of an element without redacted parts.

        `timeout` is in milliseconds, None for Playwright's own.
        """
        redact = self._data().redact
        if not redact.has_locators:
            return well_formed(locator.inner_text(timeout=timeout))
        page = locator.page
        numbers = redacted_in(page, redact)
        handle = locator.element_handle(timeout=timeout)
        frame = handle.owner_frame()
        hidden = any(p.hidden for p in frame_places(page, numbers) if p.frame == frame)
        argument = {"redacted": numbers, "all": hidden}
        return str(
            dom.call(locator, "text", argument, None if timeout is None else timeout / 1000) or ""
        )

    def observe(self, page: Page, cap: int = OUTLINE_CAP) -> Observation:
        """Observe the page. Raises PageError if that fails."""
        look = self._look(page)
        self._revealed = look.revealed
        self._parts.clear()
        named = self._name_elements(look)
        words = words_of(look.root)
        shown = {element.id: shown_as(node, element) for node, element in named.items()}
        scrub = self._data().scrub
        elements = {e.id: e for node, e in named.items() if node.operates}
        today, time_zone = clock_of(page)
        return Observation(
            url=scrub(page.url),
            title=scrub(look.title),
            outline=self._outline(look, cap),
            elements=elements,
            texts={e.id: e for node, e in named.items() if not node.operates},
            document=look.frames[0][1],
            words=words,
            shown=shown,
            today=today and today.date(),
            time_zone=scrub(time_zone),
            viewport=look.view,
            take_screenshot=lambda: self._screenshot(page, elements, look.view),
        )

    def _outline(self, look: _Look, cap: int) -> str:
        renderer = outline.OutlineRenderer(self._keep, look.view)
        behind = _split_behind(look.root) if look.behind else Node("page")
        lines = renderer.lines(look.root)
        if behind.children:
            part = self._keep_lines(renderer.lines(behind))
            held = sum(node.operates for node in in_order(behind))
            lines.append(Line(f"(behind the dialog: {held} elements, out of reach: {part})"))
        text = cap_lines(lines, cap, look.view[1], self._keep_lines)
        top, height = look.scroll
        if height > look.view[1] + 5:
            text = f"(scrolled to {top} of {height} pixels, viewport {look.view[1]:.0f})\n{text}"
        if look.selected:
            text = f"(selected: {in_quotes(self._data().scrub(look.selected))})\n{text}"
        return text

    def find_again(self, page: Page, element_id: str, seen: Element | None = None) -> Known | None:
        """Return the only element with the identity of an element as it was last, or `seen`, or None.

        The identity includes `key`, the name of the row or group, so the same button in another row
        does not match.
        """
        old = self.known[element_id]
        identity = _identity(seen or old.element)
        elements = self._name_elements(self._look(page)).values()
        matches = [self.known[e.id] for e in elements if _identity(e) == identity]
        matches = [m for m in matches if not _are_of_different_items(old.marks, m.marks)]
        return matches[0] if len(matches) == 1 else None

    def is_unchanged(self, page: Page, element: Element) -> bool:
        """Return whether an observed element is still the same node, and the only one of its identity."""
        found = self.find_again(page, element.id, element)
        return found is not None and found.element.id == element.id

    def _look(self, page: Page) -> _Look:
        for attempt in range(4):
            try:
                look = self._snapshot(page, final=attempt == 3)
            except Error as error:
                if is_gone(page, error) or isinstance(error, TimeoutError) or attempt == 3:
                    message = str(error).splitlines()[0]
                    raise PageError(
                        f"the page could not be observed: {message}. {SEE_WHY}"
                    ) from None
                page.wait_for_load_state("domcontentloaded")
                continue
            if look is not None:
                return look
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _snapshot(self, page: Page, *, final: bool) -> _Look | None:
        """Take one snapshot; return None if the page changed meanwhile, except on the `final` attempt."""
        redaction = SnapshotRedaction(page, self._data())
        root = parse_snapshot(
            page.aria_snapshot(mode="ai", depth=SNAPSHOT_DEPTH, timeout=LOOK * 1000)
        )
        redaction.find()
        order = [*in_order(root)]
        look = _Look(root)
        self._walk_frames(page, look, redaction, order)
        if not final and any(n.ref and n.role in OPERABLE and n.row is None for n in order):
            return None
        redaction.hide(root)
        find_items([*in_order(root)])
        for node in order:
            if node.row is None and node.role in ("textbox", "searchbox", "spinbutton"):
                # This may be a password field, so hide its value.
                node.text = ""
        return look

    def _walk_frames(
        self, page: Page, look: _Look, redaction: SnapshotRedaction, order: Sequence[Node]
    ) -> None:
        refs = {node.ref: node for node in order if node.ref}
        loose = [node for node in order if not node.ref and node.role in OPERABLE]
        for place in frame_places(page, redaction.numbers):
            try:
                walk = dom.call(place.frame, "walk", redaction.arguments(place))
            except Error:
                if place.frame is page.main_frame:
                    raise
                continue
            index = len(look.frames)
            look.add(place.frame, walk)
            rows = [Row(index, i, raw, place.on_page) for i, raw in enumerate(walk["rows"])]
            extras = _assign_rows(rows, refs)
            _mark_rows(walk, rows)
            redaction.add_walk(walk, rows, refs, _parts_of(walk, rows, index, place))
            insert(extras, rows, refs, look.root, loose)
            _apply_walk(walk, rows, look.root)

    def _name_elements(self, look: _Look) -> dict[Node, Element]:
        """Return the operable elements and the readable ones by their nodes, which get their ids, in page order."""
        named: dict[Node, Element] = {}
        stack: list[tuple[Node, Node | None, bool, bool]] = [(look.root, None, False, False)]
        while stack:
            node, control, cited, alone = stack.pop()
            node.operates = operable(node, control is not None)
            # The only child of an element with an id needs no id of its own.
            repeats = alone and node.role in PLAIN
            reads = not node.operates and not repeats and readable(node, control, cited)
            if node.operates or reads:
                named[node] = self._text(node, look) if reads else self._element(node, look)
                node.id = named[node].id
            if node.operates and node.role in OPERABLE:
                control = node
            cited = (reads or repeats) and node.role != "iframe"
            alone = cited and len(node.children) == 1 and not node.text
            stack += [(child, control, cited, alone) for child in reversed(node.children)]
        return named

    def _text(self, node: Node, look: _Look) -> Element:
        role = "text" if node.role in PLAIN else node.role
        element = Element(
            id=self._id("item" if node.item else role, node, look),
            role=role,
            name=(node.name or text_of(node))[:200],
            box=_box_of(node),
        )
        return self._know(element, node, look)

    def _element(self, node: Node, look: _Look) -> Element:
        info, box = node.info, _box_of(node)
        role = info.role or _WEAK_ROLES.get(info.weak, "element")
        if node.role in OPERABLE and info.role != "file":
            role = node.role
        is_reached = {"covered", "hidden"}.isdisjoint(info.flags)
        element = Element(
            id=self._id(role, node, look),
            role=role,
            name=(node.name or info.name or text_of(node))[:200],
            tag=info.tag,
            type=info.type,
            key=info.key,
            box=box,
            in_view=box is not None and is_reached and not direction(box, look.view),
            hidden="hidden" in info.flags,
        )
        return self._know(element, node, look)

    def _know(self, element: Element, node: Node, look: _Look) -> Element:
        row = _row_of(node)
        frame, document = look.frames[row.frame]
        self.known[element.id] = Known(frame, document, row.number, element, row.marks, node.hidden)
        return element

    def _id(self, role: str, node: Node, look: _Look) -> str:
        """Return the id of a node, a new one if a list has put another item into it."""
        row = _row_of(node)
        key = (look.frames[row.frame][1], row.number)
        known = self.known.get(self._ids.get(key, ""))
        if known is None or _are_of_different_items(known.marks, row.marks):
            self._ids[key] = f"{role}-{self._next[role]}"
            self._next[role] += 1
        return self._ids[key]

    def _keep(self, text: str) -> str:
        # Reuse the name of an equal text, so that an unchanged page has an unchanged outline.
        name = self._part_names.setdefault(text, f"part-{len(self._part_names) + 1}")
        self._parts[name] = text
        return name

    def _keep_lines(self, lines: list[Line]) -> str:
        return self._keep("\n".join(line.indented for line in lines))

    def crop(self, locator: Locator) -> Path | None:
        """Take a picture of one element with redacted parts in black; None if pictures are off."""
        if self._save is None:
            return None
        from pytest_webtask.page.screenshots import cut

        locator.scroll_into_view_if_needed()
        box, picture = locator.bounding_box(), self._picture(locator.page)
        if picture is None or box is None:
            return None
        return self._save(cut(picture, (box["x"], box["y"], box["width"], box["height"])))

    def _picture(self, page: Page) -> bytes | None:
        from pytest_webtask.page.screenshots import Masks

        return Masks(page, self._data(), self._revealed).take()

    def _screenshot(
        self, page: Page, elements: dict[str, Element], view: tuple[float, float]
    ) -> Path | None:
        from pytest_webtask.page.screenshots import mark

        if self._save is None:
            return None
        try:
            picture = self._picture(page)
        except Error as error:
            if is_gone(page, error):
                raise PageError(
                    "the page was closed while its screenshot was taken: run the test again"
                ) from None
            return None
        return self._save(mark(picture, elements.values(), view)) if picture else None


def _row_of(node: Node) -> Row:
    assert node.row is not None, "only what the engine knows has an id"
    return node.row


def _box_of(node: Node) -> Box | None:
    box = _row_of(node).box
    return box if box[2] and box[3] else None


def _assign_rows(rows: Sequence[Row], refs: dict[str, Node]) -> list[Row]:
    """Assign rows to the nodes of a snapshot; return the rows of elements that it lacks."""
    extras = [row for row in rows if row.info and row.ref not in refs]
    inside = Counter(o.order for row in rows if row.info for o in outwards(row.parent, rows))
    for row in rows:
        if row.ref in refs:
            refs[row.ref].row = row
    return [row for row in extras if _is_lacking(row, inside[row.order])]


def _is_lacking(row: Row, inside: int) -> bool:
    """Return whether an element that is not in the snapshot is a control, with so many controls `inside`."""
    info = row.info
    assert info is not None, "it is a control"
    if row.ref and "hidden" in info.flags and info.role != "file":
        # An earlier snapshot showed it, as one does a dialog before it is closed.
        return False
    # It has no children in the snapshot, so one around several elements is no control.
    return inside < 2 or info.weak in ("", "drag")


def _split_behind(root: Node) -> Node:
    behind, stack = Node("page"), [root]
    while stack:
        node = stack.pop()
        # What takes no clicks is not known to the engine.
        hidden = [e for e in node.children if (e.row.behind if e.row else "aria-hidden" in e.attrs)]
        behind.children += hidden
        node.children = [child for child in node.children if child not in hidden]
        stack += [child for child in node.children if child.role not in ("dialog", "alertdialog")]
    return behind


def _apply_walk(walk: dict[str, Any], rows: Sequence[Row], root: Node) -> None:
    """Correct the nodes of a snapshot by the result of the engine's walk."""
    carriers = {node.row: node for node in in_order(root)}
    _show_icons(walk["icons"], rows, carriers)
    for at, title in walk["titles"]:
        if carrier := carriers.get(rows[at]):
            carrier.name = title
    for at, count in walk["counts"]:
        if carrier := carriers.get(rows[at]):
            rendered = sum(node.role == "row" for node in in_order(carrier))
            if rendered < count:
                carrier.attrs["rows"] = f"{rendered} of {count} rows are shown"


def _mark_rows(walk: dict[str, Any], rows: Sequence[Row]) -> None:
    for mark in ("repeated", "behind", "undrawn"):
        for at in walk[mark]:
            setattr(rows[at], mark, True)
    for at, sides in walk["glued"]:
        rows[at].glued = tuple(sides)
    for marks, some in walk["items"]:
        for at in some:
            rows[at].marks = tuple(marks)


def _parts_of(
    walk: dict[str, Any], rows: Sequence[Row], index: int, place: FramePlace
) -> list[tuple[int, list[Part]]]:

    def part(at: int, text: str, raw: list[Any]) -> Part:
        row = Row(index, at, raw[0], place.on_page) if raw else None
        if row is not None and at >= 0:
            row.marks = rows[at].marks
        return text, row

    return [(at, [part(at, text, raw) for text, *raw in some]) for at, some in walk["parts"]]


def _show_icons(icons: list[Any], rows: Sequence[Row], carriers: dict[Row | None, Node]) -> None:
    """Add the icons that are missing in a snapshot; an item is shown with that of its part only once."""
    shown: set[tuple[int, str]] = set()
    for at, icon in reversed(icons):
        carrier = carriers.get(rows[at])
        if carrier is not None and (at, icon) not in shown:
            _show_icon(carrier, icon)
            shown.update((around.order, icon) for around in outwards(rows[at].parent, rows))


def _show_icon(carrier: Node, icon: str) -> None:
    shown = f'(icon "{icon}")'
    if carrier.role in OPERABLE or (carrier.is_control and carrier.name == icon):
        carrier.attrs["icon"] = icon
    elif carrier.words == icon:
        carrier.text = shown
    elif carrier.words:
        carrier.text = f"{shown} {carrier.words}"
    else:
        carrier.children.insert(0, Node("text", text=shown))


def _identity(element: Element) -> tuple[str, ...]:
    """Return what an observation knows of which element it is, its item included."""
    return element.role, element.name, element.tag, element.type, element.key
