"""The page as Markdown that a model reads: hierarchy, texts, and an id for what can be operated.

An operable element is written `[button-0 "Save" disabled]`, a field `[textbox-1 "Email" = "a@b"]`;
an arrow points to where one lies outside of the viewport. What can only be read has its id before
it, `<cell-4> €12`, so that a check can cite it.
Wrappers without meaning are folded away, and so is a text that only repeats a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pytest_webtask.page.lines import Line
from pytest_webtask.page.naming import INLINE as INLINE_ROLES
from pytest_webtask.page.naming import LANDMARKS, PLAIN
from pytest_webtask.page.pieces import (
    GLYPHS,
    OPEN,
    SHUT,
    Piece,
    fold,
    glued,
    joined,
    led,
    plain,
    says,
)
from pytest_webtask.page.snapshot import OPERABLE, Node

INLINE = 160
"""Characters up to which the content of an element stands on one line."""
CLIP = 200
"""Characters after which a text is cut, and can be read whole with `look`."""
_CELL_LINES = 4
_NAME = 60
"""Characters after which the name of a control is cut if the texts in it follow."""

_FIELDS = frozenset("combobox searchbox textbox spinbutton slider listbox color file".split())
_CONTROL = re.compile(r'\[[a-z]+-\d+(?: (?:"(?:[^"\\]|\\.)*"|[^\]"])*)?\]')
_IMAGE = re.compile(r'\(image "([^"]*)"\)')
_MARKUP = {"code": "`", "strong": "**", "emphasis": "*"}
_IMPLIED = {"drag": "draggable"}
_STATES = ("checked", "pressed", "selected", "expanded", "disabled")


class Renderer:
    """Turns the tree of a snapshot into lines.

    `id_of` gives the element id of a node that can be operated and None for all others, `read_as`
    that of a node that can be read and cited; `clip`
    is told each text that is cut, and answers with the id under which `look` shows it whole.
    `view` is the viewport's (width, height) in CSS pixels.
    """

    def __init__(
        self,
        id_of: Callable[[Node], str | None],
        read_as: Callable[[Node], str | None],
        clip: Callable[[str], str],
        view: tuple[float, float],
    ) -> None:
        self._id_of = id_of
        self._read_as = read_as
        self._clip = clip
        self._view = view
        self._done: dict[Node, Piece] = {}
        self._items: set[Node] = set()

    def lines(self, root: Node) -> list[Line]:
        """The lines of the whole page, each indented by its `depth`."""
        # Children before their parents, without recursion: pages nest deeper than Python does.
        order = [root]
        for node in order:
            order.extend(node.children)
        self._done.clear()
        for node in reversed(order[1:]):
            self._done[node] = self._marked(node, self._render(node))
        lines = self._stack([self._done[child] for child in root.children], root.children)
        for line in lines:
            line.text = line.text.replace(OPEN, "<").replace(SHUT, "> ").rstrip()
        return lines

    def _marked(self, node: Node, piece: Piece) -> Piece:
        """The piece with the id of its node before it, if that is one to be cited."""
        element_id = self._read_as(node)
        if element_id is None or not (piece.inline or piece.lines):
            return piece
        if piece.inline is not None and not _CONTROL.sub("", plain(piece.inline)).strip():
            # It shows a control and nothing else: a label that is the control's own name.
            return piece
        if node.item and node not in self._items and (piece.lines or piece.cited):
            # All that it shows is a single thing with an id.
            return piece
        mark = f"{OPEN}{element_id}{SHUT}"
        if piece.inline is not None:
            piece.inline = led(mark, piece.inline)
        else:
            piece.lines[0].text = led(mark, piece.lines[0].text)
        return piece

    def _render(self, node: Node) -> Piece:
        element_id = self._id_of(node)
        if element_id is not None:
            return self._operable(node, element_id)
        role = node.role
        if role == "text":
            return Piece(inline=self._short(node.text), apart=node.row is not None)
        children = self._children(node)
        if node.item and len(children) > 1 and self._read_as(node) is not None:
            self._items.add(node)
            return self._prefixed(node, "- ", children)
        if role in ("img", "image"):
            own = f'(image "{self._short(node.name)}")' if node.name else ""
            return Piece(inline=own) if not node.children else self._join(node, children, own)
        if role == "heading":
            level = min(int(node.attrs.get("level", "2") or 2), 6)
            return self._prefixed(node, "#" * level + " ", children)
        if role in ("listitem", "treeitem", "option"):
            return self._prefixed(node, "- ", children)
        if role == "row":
            return self._table_row(node, children)
        if role == "separator":
            return Piece(inline="")
        if role in _MARKUP:
            piece = self._join(node, children)
            if piece.inline and not piece.ids:
                piece.inline = f"{_MARKUP[role]}{piece.inline}{_MARKUP[role]}"
            return piece
        if role in LANDMARKS and not self._trivial(node, children):
            name = f' "{self._short(node.name)}"' if node.name else ""
            return self._headed(node, f"{role}{name}{_states(node)}", children)
        if role not in PLAIN and node.name and not children:
            value = f": {self._short(node.text)}" if node.text else ""
            shown = self._short(node.name)
            plain = role in ("cell", "gridcell", "columnheader", "rowheader", *INLINE_ROLES)
            return Piece(
                inline=shown + value if plain else f'{role} "{shown}"{_states(node)}{value}'
            )
        piece = self._join(node, children)
        piece.block = role == "paragraph"
        piece.apart = role not in ("text", *INLINE_ROLES) and not piece.ids
        return piece

    def _children(self, node: Node) -> list[Piece]:
        pieces = [self._done.pop(child) for child in node.children]
        if node.text:
            pieces.insert(0, Piece(inline=self._short(node.text)))
        elif not pieces and node.name and node.role in PLAIN:
            pieces.append(Piece(inline=self._short(node.name)))
        pieces = [p for p in pieces if p.inline or p.lines]
        names = {glued(p.name) for p in pieces} - {""}
        # A label beside its field says no more than the field's name.
        return fold([p for p in pieces if p.ids or glued(p.inline or "") not in names])

    @staticmethod
    def _trivial(node: Node, children: Sequence[Piece]) -> bool:
        """A container that would say nothing: no name, one line or none."""
        if node.role in ("dialog", "alertdialog", "alert", "status", "iframe", "navigation"):
            return not children and not node.name
        few = not children or (len(children) == 1 and children[0].inline is not None)
        return few and not node.name

    def _operable(self, node: Node, element_id: str) -> Piece:
        info = node.row.info if node.row and node.row.info else {}
        kind = str(info.get("role") or node.role)
        weak = bool(info.get("weak")) or node.role not in OPERABLE
        name = node.name or str(info.get("name") or "")
        if weak and (node.children or node.text) and not node.name:
            name = ""
        options = [c for c in _descend(node) if c.role == "option" and not c.ref]
        inner = [] if options else [self._done.pop(child) for child in node.children]
        inner = [p for p in inner if p.inline or p.lines]
        value = ""
        if "filled" in info:
            value = "filled" if info["filled"] else "empty"
        elif kind in _FIELDS or node.role in _FIELDS:
            told = "value" in info and not (kind == "textbox" and node.children)
            shown = str(info["value"]) if told else node.text
            if options:
                shown = ", ".join(o.name for o in options if "selected" in o.attrs)
            value = f'= "{self._short(shown)}"' if shown else ""
        elif node.text and not weak and node.text != name:
            inner.insert(0, Piece(inline=self._short(node.text)))
        texts = [plain(p.inline) for p in inner if p.inline is not None and not p.ids]
        if not weak or kind in _FIELDS:
            if name:
                inner = [
                    p
                    for p in inner
                    if p.ids or p.lines or p.cited or not says(name, p.inline or "")
                ]
            elif kind in _FIELDS and texts and len(texts) == len(inner):
                value, inner = f'= "{self._short(" ".join(texts))}"', []
            elif texts and len(texts) == len(inner):
                name, inner = " ".join(texts), []
        elif len(texts) == len(inner) and sum(p.cited for p in inner) > 1:
            # Each text in it can be cited; together they are its name.
            if node.text and not value:
                inner.insert(0, Piece(inline=self._short(node.text)))
        elif len(texts) == len(inner):
            name, inner = (
                " ".join(filter(None, [*([node.text] if node.text and not value else []), *texts]))
                or name,
                [],
            )
        elif node.text and not value:
            inner.insert(0, Piece(inline=self._short(node.text)))
        words = [element_id]
        name = _without_marks(name)
        if len(name) > _NAME and sum(p.cited for p in inner) > 1:
            # The rest of it stands behind, text by text.
            name = name[:_NAME].rpartition(" ")[0] + "…"
        if name:
            words.append(f'"{self._short(name)}"')
        if value:
            words.append(value)
        hint = str(info.get("placeholder") or "")
        if hint and hint != name:
            words.append(f'placeholder "{self._short(hint)}"')
        words += [s for s in _states(node).split() if s]
        words += [
            str(f) for f in info.get("flags", ()) if str(f) not in (*words, _IMPLIED.get(kind))
        ]
        if options:
            names = [o.name for o in options]
            more = f" … {len(names) - 20} more" if len(names) > 20 else ""
            words.append("options: " + ", ".join(names[:20]) + more)
        elif not name and "/url" in node.attrs:
            words.append("to " + node.attrs["/url"][:60])
        if kind == "canvas" and node.row:
            x, y, w, h = node.row.box
            words.append(f"{w:.0f}x{h:.0f} pixels from {x:.0f},{y:.0f}")
        if not name and "icon" in node.attrs:
            words.append(f'icon "{node.attrs["icon"]}"')
        away = self._direction(node)
        if not name and "/url" not in node.attrs and not inner and not away and node.row:
            # With nothing to call it by, it is known by its place in the screenshot.
            x, y, w, h = node.row.box
            words.append(f"at {x + w / 2:.0f},{y + h / 2:.0f}")
        words += away
        own = "[" + " ".join(words) + "]"
        if not inner:
            return Piece(inline=own, ids=(element_id,), name=name or value)
        piece = self._join(node, inner, own)
        # What holds more than a name is an item: the next one begins on a line of its own.
        piece.block = weak and kind not in _FIELDS
        if piece.inline is not None:
            piece.inline = ("- " if piece.block and node.role == "listitem" else "") + piece.inline
            piece.ids = (element_id, *(i for p in inner for i in p.ids))
        else:
            piece.lines[0].ids = (element_id, *piece.lines[0].ids)
        return piece

    def _join(self, node: Node, children: Sequence[Piece], first: str = "") -> Piece:
        """The children on one line if they fit, else below each other, `first` leading."""
        inline = [p.inline for p in children]
        blocks = len(children) > 1 and any(p.block for p in children)
        if not blocks and all(i is not None for i in inline):
            text = " ".join(filter(None, [first, joined(children)]))
            if len(text) <= INLINE or len(children) <= 1 or node.role in INLINE_ROLES:
                return Piece(inline=text, ids=tuple(i for p in children for i in p.ids))
        if first:
            return Piece(
                lines=[self._line(node, first), *_indented(self._stack(children, node.children))]
            )
        return Piece(lines=self._stack(children, node.children, node))

    def _stack(
        self, pieces: Sequence[Piece], nodes: Sequence[Node], parent: Node | None = None
    ) -> list[Line]:
        """Pieces below each other; what stood together in one wrapper stays together."""
        lines: list[Line] = []
        row: list[Piece] = []

        def flush() -> None:
            if row:
                ids = tuple(i for p in row for i in p.ids)
                lines.append(self._line(parent, joined(row), ids))
                row.clear()

        several = sum(1 for p in pieces if len(p.lines) > 1) > 1
        places = self._places(pieces, nodes)
        for piece, place in zip(pieces, places, strict=True):
            if piece.inline is not None:
                if row and len(joined(row)) + len(piece.inline) > INLINE:
                    flush()
                if piece.block:
                    flush()
                    lines.append(self._line(place, piece.inline, piece.ids))
                    continue
                if not row:
                    parent = place or parent
                row.append(piece)
                continue
            flush()
            loose = several and len(piece.lines) > 1 and piece.lines[0].text[:1] not in "-#|"
            if loose and all(line.depth == 0 for line in piece.lines):
                piece.lines[0].text = "- " + piece.lines[0].text
                for line in piece.lines[1:]:
                    line.depth += 1
            lines.extend(piece.lines)
        flush()
        return lines

    @staticmethod
    def _places(pieces: Sequence[Piece], nodes: Sequence[Node]) -> list[Node | None]:
        """The node of each piece where they correspond one to one, else None."""
        return list(nodes) if len(nodes) == len(pieces) else [None] * len(pieces)

    def _prefixed(self, node: Node, prefix: str, children: Sequence[Piece]) -> Piece:
        states = _states(node)
        if not children and node.name:
            children = [Piece(inline=self._short(node.name))]
        piece = self._join(node, children)
        if piece.inline is not None:
            if not piece.inline:
                return piece
            text = prefix + piece.inline + (f" ({states.strip()})" if states else "")
            line = self._line(node, text, piece.ids)
            line.heading = node.role == "heading"
            return Piece(lines=[line])
        first, *rest = piece.lines
        if node in self._items and first.text.startswith("- "):
            # An item that begins with an item has a line of its own.
            return Piece(lines=[self._line(node, prefix), *_indented(piece.lines)])
        first.text = prefix + first.text.removeprefix("- ")
        first.depth = 0
        for line in rest:
            line.depth += 1
        return piece

    def _table_row(self, node: Node, children: Sequence[Piece]) -> Piece:
        cells = [_cell(p) for p in children]
        if children and all(cells) and (len(children) > 1 or children[0].inline is not None):
            ids = tuple(i for p in children for i in (*p.ids, *(i for n in p.lines for i in n.ids)))
            text = "| " + " | ".join(cells) + " |" + _states(node)
            return Piece(lines=[self._line(node, text, ids)])
        if len(children) < 2:
            return self._prefixed(node, "| ", children)
        lines = []
        for piece in children:
            first, *rest = piece.lines or [self._line(node, piece.inline or "", piece.ids)]
            first.text, first.depth = "| " + first.text, 0
            lines += [first, *_indented(rest)]
        return Piece(lines=lines)

    def _headed(self, node: Node, title: str, children: Sequence[Piece]) -> Piece:
        if not children:
            return Piece(lines=[self._line(node, title)])
        piece = self._join(node, children)
        if piece.inline is not None:
            return Piece(lines=[self._line(node, f"{title}: {piece.inline}", piece.ids)])
        first, *rest = piece.lines
        if first.heading and plain(first.text).lstrip("# ") == node.name:
            return Piece(lines=[first, *_indented(rest)])
        return Piece(lines=[self._line(node, title + ":"), *_indented(piece.lines)])

    def _direction(self, node: Node) -> list[str]:
        """An arrow to where the element lies outside of the viewport."""
        if node.row is None:
            return []
        (x, y, w, h), (width, height) = node.row.box, self._view
        if not w or not h:
            return []
        if y >= height or y + h <= 0:
            return ["↓" if y >= height else "↑"]
        return ["→" if x >= width else "←"] if x >= width or x + w <= 0 else []

    def _line(self, node: Node | None, text: str, ids: tuple[str, ...] = ()) -> Line:
        top, bottom = _place(node)
        return Line(text, ids=ids, top=top, bottom=bottom)

    def _short(self, text: str) -> str:
        text = " ".join(GLYPHS.sub(" ", text).split())
        if len(text) <= CLIP + 40:
            return text
        return f"{text[:CLIP]}…(+{len(text) - CLIP} characters: {self._clip(text)})"


def _place(node: Node | None) -> tuple[float | None, float | None]:
    if node is None or node.row is None:
        return None, None
    _, y, _, h = node.row.box
    return y, y + h


def _cell(piece: Piece) -> str:
    """What a cell says, on one line; empty if that would be a long one."""
    if piece.inline is not None:
        return piece.inline
    text = " · ".join(line.text for line in piece.lines)
    flat = len(piece.lines) <= _CELL_LINES and not any(line.depth for line in piece.lines)
    return text if flat and len(text) <= 2 * INLINE else ""


def _indented(lines: list[Line]) -> list[Line]:
    for line in lines:
        line.depth += 1
    return lines


def _states(node: Node) -> str:
    words = []
    for state in _STATES:
        if state in node.attrs:
            value = node.attrs[state]
            words.append(state if not value or value == "true" else f"{state}={value}")
    if "active" in node.attrs and (node.role in OPERABLE or (node.row and node.row.info)):
        words.append("focused")
    return "".join(" " + word for word in words)


def _descend(node: Node) -> list[Node]:
    found = []
    for child in node.children:
        found.append(child)
        if child.role == "group":
            found += child.children
    return found


def _without_marks(name: str) -> str:
    """A name without icon-font glyphs, and without the mark of the pictures in it."""
    return " ".join(GLYPHS.sub(" ", _IMAGE.sub(r"\1", name)).split())
