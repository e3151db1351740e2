"""Seeing the page: Playwright's snapshot, what it lacks, ids, outline and marked screenshot."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Frame, Locator, Page, TimeoutError

from pytest_webtask.data import Data
from pytest_webtask.errors import PageError
from pytest_webtask.page import engine, outline
from pytest_webtask.page.frames import as_json, places, redacted_in
from pytest_webtask.page.hiding import Hiding
from pytest_webtask.page.lines import Line
from pytest_webtask.page.lines import cap as cap_lines
from pytest_webtask.page.listeners import Listeners
from pytest_webtask.page.naming import ITEM, PLAIN, find_items, operable, readable, text_of
from pytest_webtask.page.settle import is_gone
from pytest_webtask.page.snapshot import OPERABLE, Node, Row, in_order, insert, parse
from pytest_webtask.page.vanished import Vanished
from pytest_webtask.records import Element, Observation, Signature

SNAPSHOT_TIMEOUT = 45.0
"""Seconds that a snapshot may take: Playwright's own needs 11 s for 50,000 deep nodes. A document
that is never closed gives none at all."""
SNAPSHOT_DEPTH = 50
"""Levels that a snapshot shows: one of 56 cannot leave the browser. What can be operated further
down is added by our own walk."""
OUTLINE_CAP = 30_000

_WEAK_ROLES = {
    "drag": "drag",
    "focusable": "element",
    "listener": "element",
    "inner": "element",
    "pointer": "element",
}


@dataclass(frozen=True)
class Known:
    """Where an element id leads: a node of a document in a frame."""

    frame: Frame
    document: str
    number: int
    element: Element

    @property
    def locator(self) -> Locator:
        """That very node; it matches nothing once the node has gone."""
        return engine.node(self.frame, self.document, self.number)


_Named = list[tuple[Element, Node]]


@dataclass
class _Look:
    """One reading of a page, before it is put into words."""

    root: Node
    frames: list[tuple[Frame, str]]
    view: tuple[float, float]
    scroll: tuple[int, int]
    title: str
    selected: str
    revealed: bool


class Observer:
    """Observes pages and remembers which id belongs to which DOM node, for one test."""

    def __init__(self, data: Callable[[], Data], save: Callable[[bytes], Path] | None) -> None:
        self._data = data
        self._save = save
        self._ids: dict[tuple[str, int], str] = {}
        self._next: defaultdict[str, int] = defaultdict(int)
        self._known: dict[str, Known] = {}
        self._parts: dict[str, str] = {}
        self._part_names: dict[str, str] = {}
        self._shown_parts: set[str] = set()
        self._hidden: set[str] = set()
        self._revealed = False
        self._listeners = Listeners()

    @cached_property
    def vanished(self) -> Vanished:
        """What appeared on a page and went before anybody looked."""
        return Vanished(self._data().redact)

    @property
    def known(self) -> dict[str, Known]:
        """Every element that has ever been seen in this test, by id."""
        return self._known

    def ids_of(self, document: str, numbers: Sequence[int]) -> list[str]:
        """The ids of those nodes of a document that have one."""
        return [self._ids[document, n] for n in numbers if (document, n) in self._ids]

    def part(self, name: str) -> str | None:
        """The text that the last outline left out under this name; None for an earlier one's."""
        return self._parts[name] if name in self._shown_parts else None

    def is_redacted(self, element_id: str) -> bool:
        """Whether the element is, or lies in, one that is redacted, as far as was last seen."""
        return element_id in self._hidden

    def read(self, locator: Locator, timeout: float) -> str:
        """The text of an element as a user reads it, without what is redacted.

        `timeout` is in milliseconds.
        """
        redact = self._data().redact
        if not redact.has_locators:
            return locator.inner_text(timeout=timeout)
        page = locator.page
        numbers = redacted_in(page, redact)
        handle = locator.element_handle(timeout=timeout)
        frame = handle.owner_frame()
        hidden = any(p.hidden for p in places(page, numbers) if p.frame == frame)
        told = {"redacted": as_json(numbers), "all": hidden}
        return str(engine.call(locator, "text", told, timeout / 1000) or "")

    def observe(self, page: Page, cap: int = OUTLINE_CAP) -> Observation:
        """The page as it is now. Raises PageError where there is none to be seen."""
        look = self._look(page)
        self._revealed = look.revealed
        self._shown_parts.clear()
        elements, texts = self._name_elements(look)
        ids = {id(node): e.id for e, node in elements}
        read = {id(node): e.id for e, node in texts}
        renderer = outline.Renderer(
            lambda node: ids.get(id(node)),
            lambda node: read.get(id(node)),
            self._keep,
            look.view,
        )
        scrub = self._data().scrub
        lines = renderer.lines(look.root)
        text = cap_lines(lines, cap, look.view[1], self._keep_lines)
        height = look.scroll[1]
        if height > look.view[1] + 5:
            text = f"(scrolled to {look.scroll[0]} of {height} pixels, viewport {look.view[1]:.0f})\n{text}"
        if look.selected:
            text = f'(selected: "{scrub(look.selected)}")\n{text}'
        by_id = {e.id: e for e, _ in elements}
        return Observation(
            url=scrub(page.url),
            title=scrub(look.title),
            outline=text,
            elements=by_id,
            texts={e.id: e for e, _ in texts},
            viewport=look.view,
            take_screenshot=lambda: self._screenshot(page, by_id, look.view),
        )

    def find_again(self, page: Page, element_id: str) -> Known | None:
        """The one element with the identity of one that is gone, or None.

        `key`, the name of its row or group, belongs to the identity, so that the same button of
        another row is never taken for it.
        """
        wanted = signature(self._known[element_id].element).identity
        elements = [e for some in self._name_elements(self._look(page)) for e, _ in some]
        found = [e for e in elements if signature(e).identity == wanted]
        return self._known[found[0].id] if len(found) == 1 else None

    def _look(self, page: Page) -> _Look:
        for attempt in range(4):
            try:
                look = self._read(page, final=attempt == 3)
            except Error as error:
                if is_gone(page, error) or isinstance(error, TimeoutError) or attempt == 3:
                    message = str(error).splitlines()[0]
                    raise PageError(f"the page could not be observed: {message}") from None
                page.wait_for_load_state("domcontentloaded")
                continue
            if look is not None:
                return look
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _read(self, page: Page, *, final: bool) -> _Look | None:
        """One reading; None if the page changed in the middle of it, unless it is the final one."""
        hiding = Hiding(page, self._data())
        root = parse(
            page.aria_snapshot(mode="ai", depth=SNAPSHOT_DEPTH, timeout=SNAPSHOT_TIMEOUT * 1000)
        )
        hiding.find()
        refs: dict[str, Node] = {}
        order = [root]
        for node in order:
            order.extend(node.children)
            if node.ref:
                refs[node.ref] = node
        listeners = self._listeners.of(page)
        extras: list[Row] = []
        loose = [n for n in order if not n.ref and n.role in OPERABLE]
        frames: list[tuple[Frame, str]] = []
        view, scroll, title, selected = (0.0, 0.0), (0, 0), "", ""
        moved = revealed = False
        for place in places(page, hiding.numbers):
            frame = place.frame
            try:
                walk = engine.call(
                    frame, "walk", {"listeners": listeners, **hiding.arguments(place)}
                )
            except Error:
                if frame is page.main_frame:
                    raise
                continue
            moved |= walk["moved"]
            revealed |= walk["revealed"]
            index = len(frames)
            frames.append((frame, walk["document"]))
            if frame is page.main_frame:
                _, sy, _, height, vw, vh = walk["scroll"]
                view, scroll, title = (float(vw), float(vh)), (sy, height), walk["title"]
            selected = selected or walk["selected"]
            found = [Row(index, i, raw, place.on_page) for i, raw in enumerate(walk["rows"])]
            for row in found:
                if row.ref in refs:
                    refs[row.ref].row = row
                elif row.info and (
                    row.info["role"] == "file" or "hidden" not in row.info.get("flags", ())
                ):
                    extras.append(row)
            for at in walk["repeated"]:
                found[at].repeated = True
            for at, icon in walk["icons"]:
                if carrier := refs.get(found[at].ref):
                    _show_icon(carrier, icon)
            for at, text in walk["ghosts"]:
                if carrier := refs.get(found[at].ref):
                    _remove_text(carrier, text)
            for at, title in walk["titles"]:
                if carrier := refs.get(found[at].ref):
                    carrier.name = title
            parts = [
                (
                    at,
                    [
                        (t, Row(index, at, raw[0], place.on_page) if raw else None)
                        for t, *raw in some
                    ],
                )
                for at, some in walk["parts"]
            ]
            hiding.walked(walk, found, refs, parts)
            insert(extras, found, refs, root, index, loose)
        lost = any(n.role in OPERABLE and n.row is None for n in refs.values())
        if (moved or lost) and not final:
            return None
        hiding.hide(root)
        find_items([*in_order(root)])
        for node in order:
            if node.row is None and node.role in ("textbox", "searchbox", "spinbutton"):
                # Nothing says that this is no password: its value is not shown.
                node.text = ""
        return _Look(root, frames, view, scroll, title, selected, revealed)

    def _name_elements(self, look: _Look) -> tuple[_Named, _Named]:
        """What can be operated, and what can only be read, in the order of the page."""
        found: _Named = []
        texts: _Named = []
        stack: list[tuple[Node, Node | None, bool, bool]] = [(look.root, None, False, False)]
        while stack:
            node, control, cited, alone = stack.pop()
            operates = operable(node, control is not None)
            # What is all that stands in something with an id needs none of its own.
            repeats = cited and alone and node.role in PLAIN
            reads = not operates and not repeats and readable(node, control, cited)
            if operates and node.row is not None:
                found.append((self._element(node, node.row, look), node))
            elif reads and node.row is not None:
                texts.append((self._text(node, node.row, look), node))
            inner = node if operates and node.role in OPERABLE else control
            alone = len(node.children) == 1 and not node.text
            cited = (reads or repeats) and node.role != "iframe"
            stack += [(child, inner, cited, alone) for child in reversed(node.children)]
        return found, texts

    def _text(self, node: Node, row: Row, look: _Look) -> Element:
        """What is there to be read and cited only."""
        role = "text" if node.role in PLAIN else node.role
        frame, document = look.frames[row.frame]
        element = Element(
            id=self._id(ITEM if node.item else role, document, row.number),
            role=role,
            name=(node.name or text_of(node))[:200],
            box=row.box if row.box[2] and row.box[3] else None,
        )
        self._known[element.id] = Known(frame, document, row.number, element)
        (self._hidden.add if node.hidden else self._hidden.discard)(element.id)
        return element

    def _id(self, role: str, document: str, number: int) -> str:
        key = (document, number)
        if key not in self._ids:
            self._ids[key] = f"{role}-{self._next[role]}"
            self._next[role] += 1
        return self._ids[key]

    def _element(self, node: Node, row: Row, look: _Look) -> Element:
        frame, document = look.frames[row.frame]
        info: dict[str, Any] = row.info or {}
        role = str(info.get("role") or "")
        if not role or node.role in OPERABLE:
            role = node.role if node.role in OPERABLE else role
        role = role or _WEAK_ROLES.get(str(info.get("weak")), "element")
        if info.get("role") == "file":
            role = "file"
        name = node.name or str(info.get("name") or "") or text_of(node)
        x, y, w, h = row.box
        vw, vh = look.view
        element = Element(
            id=self._id(role, document, row.number),
            role=role,
            name=name[:200],
            tag=str(info.get("tag") or ""),
            type=str(info.get("type") or ""),
            key=str(info.get("key") or ""),
            box=row.box if w and h else None,
            in_view=bool(
                w
                and h
                and x < vw
                and y < vh
                and x + w > 0
                and y + h > 0
                and "covered" not in info.get("flags", ())
            ),
        )
        self._known[element.id] = Known(frame, document, row.number, element)
        (self._hidden.add if node.hidden else self._hidden.discard)(element.id)
        return element

    def _keep(self, text: str) -> str:
        # The same text keeps its name, so that an unchanged page has an unchanged outline.
        name = self._part_names.setdefault(text, f"part-{len(self._part_names) + 1}")
        self._parts[name] = text
        self._shown_parts.add(name)
        return name

    def _keep_lines(self, lines: list[Line]) -> str:
        return self._keep("\n".join(" " * min(line.depth, 12) + line.text for line in lines))

    def crop(self, locator: Locator) -> Path | None:
        """A picture of one element, with what must not be seen in black; None if switched off."""
        if self._save is None:
            return None
        from pytest_webtask.page.marks import cut
        from pytest_webtask.page.masks import Masks

        locator.scroll_into_view_if_needed()
        box = locator.bounding_box()
        picture = Masks(locator.page, self._data(), self._revealed).take()
        if picture is None or box is None:
            return None
        return self._save(cut(picture, (box["x"], box["y"], box["width"], box["height"])))

    def _screenshot(
        self, page: Page, elements: dict[str, Element], view: tuple[float, float]
    ) -> Path | None:
        if self._save is None:
            return None
        from pytest_webtask.page.marks import mark
        from pytest_webtask.page.masks import Masks

        try:
            picture = Masks(page, self._data(), self._revealed).take()
        except Error as error:
            if is_gone(page, error):
                raise PageError("the page closed while its screenshot was taken") from None
            return None
        if picture is None:
            return None
        marked = mark(picture, elements.values(), view)
        path = self._save(marked.picture)
        told = {"plain": self._save(marked.plain).name, "size": marked.size, "marks": marked.marks}
        # What the report draws on the plain one, where it can be taken away.
        path.with_suffix(".json").write_text(json.dumps(told), encoding="utf-8")
        return path


def _show_icon(carrier: Node, icon: str) -> None:
    """Say that there is an icon where a snapshot has nothing to say of it."""
    if carrier.role in OPERABLE:
        carrier.attrs["icon"] = icon
    elif carrier.text:
        carrier.text = f'(icon "{icon}") {carrier.text}'
    else:
        carrier.children.insert(0, Node("text", text=f'(icon "{icon}")'))


def _remove_text(carrier: Node, text: str) -> None:
    """Remove a text of which a snapshot says that it is there, although it is not displayed."""
    written = re.compile(rf"(?:^|\s){re.escape(text)}(?!\S)")
    for node in (carrier, *carrier.children):
        if written.search(node.text) and (node is carrier or node.role == "text"):
            node.text = written.sub("", node.text, count=1).strip()
            return


def signature(element: Element) -> Signature:
    """What the element is, as far as an observation tells."""
    return Signature(
        role=element.role,
        name=element.name,
        tag=element.tag,
        type=element.type,
        key=element.key,
    )
