"""The page as Markdown for a model: hierarchy, texts, and ids of operable or citable elements."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from pytest_webtask.data.escapes import LINE_BREAK, escape_ids, in_quotes
from pytest_webtask.page.snapshot import OPERABLE, Node, in_order
from pytest_webtask.types.agent import Element
from pytest_webtask.types.page import Shown

PLAIN = frozenset("generic none presentation paragraph strong emphasis mark text time".split())
"""Roles of plain text."""
INLINE_ROLES = frozenset(
    "strong emphasis mark time superscript subscript deletion insertion code".split()
)
LANDMARKS = frozenset(
    "banner navigation main contentinfo complementary search form region dialog alertdialog group"
    " tablist tabpanel menu menubar toolbar radiogroup grid treegrid tree table alert status log"
    " figure article iframe blockquote listbox feed marquee timer tooltip document application".split()
)
GROUPS = LANDMARKS | {"list", "row", "rowgroup", "heading"}
"""Roles of containers, which are not controls even with a listener or focus."""
_CITABLE_ROLES = frozenset(
    "row listitem article heading cell gridcell columnheader rowheader dialog alertdialog alert"
    " status table definition term figure progressbar meter iframe".split()
)
"""Roles that can be cited even without text of their own."""
_ITEMS = frozenset("listitem cell gridcell".split())
_CELLS = frozenset("cell gridcell columnheader rowheader".split())
_APART = _CELLS | frozenset("row listitem article dialog alertdialog tabpanel form option".split())
"""Roles of parts whose texts are about nothing outside of them."""
_NEAR = 40
"""Length at which the text before a field is cut; the full text is before the field."""
_FIELDS = frozenset("combobox searchbox textbox spinbutton slider listbox color file".split())
"""Kinds of fields that a text before them names; a box is named by the text behind it."""
_VALUES = frozenset("combobox listbox searchbox slider spinbutton textbox".split())
"""Roles of controls with a text value."""
_DIGITS = re.compile(r"\d \d")
"""Two numbers, which the name of an element may run together."""
_LETTER = re.compile(r"[^\W\d_]")
ITEM = "item"
"""The id prefix of repeated blocks without a role."""


def operable(node: Node, within: bool) -> bool:
    """Return whether a user can operate the element; parts `within` another control must have a role."""
    if node.row is None:
        return False
    info = node.row.info
    if (info and info.get("role")) or node.role in OPERABLE:
        # Options of a native select are chosen through the select.
        return not (node.role == "option" and info and info.get("tag") == "option")
    if within or not info:
        return False
    weak = info["weak"]
    if weak == "focusable" and node.role in GROUPS:
        return False
    if weak == "drag":
        return True
    inner = [n for n in _below(node) if n.row and (n.row.info or n.role in OPERABLE)]
    if weak == "pointer" or node.role in GROUPS:
        # A pointer cursor over other controls or a container's listener adds no control of its own.
        return not inner
    # Neither does a wrapper around controls without other text.
    inside = {part for each in inner for part in _below(each)}
    return not inner or _letters_of(node) != sum(_letters_of(n) for n in inner if n not in inside)


def _letters_of(node: Node) -> int:
    return sum(len(n.text) or (len(n.name) if not n.children else 0) for n in (node, *_below(node)))


def _below(node: Node) -> list[Node]:
    order: list[Node] = []
    stack = node.children[::-1]
    while stack:
        order.append(stack.pop())
        stack += reversed(order[-1].children)
    return order


def text_of(node: Node) -> str:
    """Return the text of an element."""
    if node.role in ("textbox", "searchbox", "spinbutton"):
        return ""
    text, before = "", False
    for each in (node, *_below(node)):
        if words := each.text or (each.name if not each.children else ""):
            sides = each.row.glued if each.row is not None and each is not node else (False, False)
            text += words if before or sides[0] or not text else f" {words}"
            before = sides[1]
    return text


def shown_as(node: Node, element: Element) -> Shown:
    """Return an element as the page shows it now, without what changes by itself: focus and cover."""
    info = node.info
    states = {*_states(node).split(), *map(str, info.get("flags", ()))} - {"focused", "covered"}
    text, value = text_of(node), None
    if "filled" in info:
        value = None if info["filled"] else ""
    elif {element.role, node.role} & _FIELDS:
        options = [each for each in _descend(node) if each.role == "option" and not each.ref]
        chosen = [each.name for each in options if "selected" in each.attrs]
        value = ", ".join(chosen) if options else _in_lines(_value_in(node, info) or text, info)
        text = ""
    return Shown(element.role, node.name or element.name, text, value, frozenset(states))


def words_of(root: Node) -> str:
    """Return all that a page says: its texts, and names, values and hints of its elements."""
    more: list[str] = []
    for node in in_order(root):
        info = node.info
        more += [node.name, *(str(info.get(key) or "") for key in ("name", "value", "placeholder"))]
        more.append(node.text if node.role in _FIELDS else "")
    return " | ".join([text_of(root), *dict.fromkeys(filter(None, more))])


def readable(node: Node, control: Node | None, cited: bool) -> bool:
    """Return whether a node that can't be operated gets an id, so that it can be cited.

    Emphasized words inside `cited` text get none of their own. Within a `control` only texts that
    differ from its name get an id.
    """
    if node.row is None or node.unseen or (cited and node.role in INLINE_ROLES):
        return False
    if control is not None:
        return control.role not in _VALUES and _adds_text(node, control)
    return _has_text(node) or node.item or _is_citable(node)


def _is_field(node: Node) -> bool:
    return node.role in _FIELDS or node.info.get("role") in _FIELDS


def _fields_in(cell: Node) -> list[Node]:
    return [node for node in _below(cell) if _is_field(node)]


def _is_nameless_field(node: Node) -> bool:
    return not node.name and _is_field(node) and not node.info.get("name")


def texts_before(root: Node) -> dict[Node, str]:
    """Return a label for each field without a name: the head of its column or row, or else a text before it.

    A text is that of no field before it, and of no other row, item or part of the page. The head of
    a row is its first cell, if it has one field.
    """
    near: dict[Node, str] = {}
    before, column = "", ""
    heads: list[str] = []
    rows: dict[Node, str] = {}
    stack: list[tuple[Node, str | None, bool]] = [(root, None, False)]
    while stack:
        node, head, leaves = stack.pop()
        if node.role in _APART or node.item:
            before = ""
        if leaves:
            column = "" if node.role in _CELLS else column
            continue
        if head is not None:
            column = head
        if _is_field(node):
            if _is_nameless_field(node) and (text := column or before or rows.get(node, "")):
                near[node] = text
            before = ""
            continue
        text = node.text or (node.name if not node.children else "")
        before = "" if node.role in OPERABLE else text or before
        if node.role == "table":
            heads = []
        cells = [child for child in node.children if child.role in _CELLS]
        titles = [text_of(cell) for cell in cells]
        if node.role == "row" and cells and all(c.role == "columnheader" for c in cells):
            heads = titles
        elif len(cells) > 1 and titles[0] and not _fields_in(cells[0]):
            fields = [field for cell in cells[1:] for field in _fields_in(cell)]
            rows |= dict.fromkeys(fields if len(fields) == 1 else [], titles[0])
        stack.append((node, None, True))
        at = dict(zip(cells, heads, strict=True)) if len(cells) == len(heads) else {}
        stack += [(child, at.get(child), False) for child in reversed(node.children)]
    return near


def merge_nested(nodes: Sequence[Node]) -> None:
    """Leave one control of a link around a button of the same name, or the reverse: the inner one.

    That is what users click. `nodes` lists parents first.
    """
    for node in nodes:
        if node.role not in ("link", "button") or not node.children:
            continue
        inside = _below(node)
        inner = [each for each in inside if each.info]
        if [each.role for each in inner] != ["button" if node.role == "link" else "link"]:
            continue
        (control,) = inner
        rest = [n for n in inside if n.text and n is not control and n not in _below(control)]
        if rest or _states(node) or _flags(node) or {"covered", "hidden"} & {*_flags(control)}:
            continue
        if url := node.attrs.pop("/url", ""):
            control.attrs["/url"] = url
        node.role, node.name = "generic", ""
        if node.row is not None:
            node.row.info = None


def _flags(node: Node) -> list[str]:
    return list(node.info.get("flags", ()))


def find_items(nodes: Sequence[Node]) -> None:
    """Mark repeated blocks without a role as items; `nodes` lists parents first."""
    silent: set[Node] = set()
    grouping: set[Node] = set()
    for node in reversed(nodes):
        parts = [child for child in node.children if child not in silent]
        text = GLYPHS.sub("", node.text).strip()
        if node.role == "generic" and not (parts or text or node.info):
            silent.add(node)
        elif parts and all(part.item or part in grouping for part in parts):
            # A wrapper that contains only items is not an item.
            grouping.add(node)
        elif len(parts) + bool(text) > 1 and node.role == "generic" and node.row is not None:
            node.item = node.row.repeated


def _has_text(node: Node) -> bool:
    """Return whether a node has its own text or consists of texts."""
    texts = [child for child in node.children if child.role == "text"]
    loose = any(text.row is None for text in texts)
    return bool(node.text or loose or (texts and len(texts) == len(node.children)))


def _is_citable(node: Node) -> bool:
    if node.role in _ITEMS and len(node.children) < 2:
        if not node.children:
            return bool(node.name)
        # Look through a wrapper inside the item.
        inner = node.children[0]
        return inner.role in PLAIN and (_has_text(inner) or len(inner.children) > 1)
    return node.role in _CITABLE_ROLES or (node.role in ("img", "image") and bool(node.name))


def _adds_text(node: Node, control: Node) -> bool:
    """Return whether the text of a control's part differs from the control's name."""
    parts = node.children and all(child.role == "text" and child.row for child in node.children)
    if node.role in INLINE_ROLES or parts or not (_has_text(node) or _is_citable(node)):
        return False
    text, name = text_of(node), control.name or text_of(control)
    if _letters(text) == _letters(name):
        # A number alone may get its meaning from its element.
        return not _LETTER.search(text)
    # Of a title and a badge, the title is cited by the control itself.
    texts = [n.text or n.name for n in _below(control) if not n.children and (n.text or n.name)]
    return len(texts) != 2 or text != max(texts, key=len)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


OPEN, SHUT = "\ue200", "\ue201"
"""Delimiters around ids of readable elements while rendering; page texts never contain them."""
_BEGIN, _END, _QUOTE = "\ue202", "\ue203", "\ue204"
"""The brackets of controls and the quotation marks of names while rendering, likewise."""
_OWN = {ord(OPEN): "<", ord(SHUT): "> ", ord(_BEGIN): "[", ord(_END): "]", ord(_QUOTE): '"'}
_QUOTED = re.compile(f"{_QUOTE}([^{_QUOTE}]*){_QUOTE}")
_BARE = re.compile(rf"{_BEGIN}[a-z]+-\d+( hidden)?( at -?\d+,-?\d+)?( [↓↑←→])?{_END}")
_HIDDEN = re.compile(rf"{_BEGIN}[^{_BEGIN}{_END}]* hidden{_END}")
_BARE_AT_MOST, _HIDDEN_AT_MOST = 30, 12
GLYPHS = re.compile("[-]")
"""Private-use characters of icon fonts."""
_MARK = re.compile(f"{OPEN}[^{SHUT}]*{SHUT}")


def _finished(text: str) -> str:
    """Return a line in which only what this module made looks like an id or ends a name."""
    text = _QUOTED.sub(lambda m: in_quotes(m[1]), escape_ids(" ".join(text.splitlines())))
    return text.translate(_OWN).rstrip()


@dataclass(slots=True)
class Piece:
    """A rendered node: inline text or several lines.

    `name` is the name of an operable element. A `block` does not share its line with siblings. A
    text is `apart` if it has its own element, and `glued` to the texts before and behind it if a
    reader sees no gap there.
    """

    inline: str | None = None
    name: str = ""
    block: bool = False
    apart: bool = False
    glued: tuple[bool, bool] = (False, False)
    lines: list[Line] = field(default_factory=list)
    ids: tuple[str, ...] = ()

    @property
    def cited(self) -> bool:
        """Return whether the text or a part of it has an id."""
        return OPEN in (self.inline or "")


def joined(pieces: Sequence[Piece]) -> str:
    """Join pieces on one line, with separators between texts of different elements.

    A separator also follows a text with an id, unless the next piece has an id itself.
    """
    text = ""
    before = None
    for piece in pieces:
        if text and before is not None:
            ends = (before.inline or "").startswith(OPEN) and not (piece.inline or "").startswith(
                (OPEN, _BEGIN)
            )
            text += " · " if ends or (before.apart and piece.apart) else _gap_between(before, piece)
        text += piece.inline or ""
        before = piece
    return text


def _gap_between(before: Piece, piece: Piece) -> str:
    """Return a blank, or nothing between a text and what adjoins it; ids and controls stay apart."""
    one, two = before.inline or "", piece.inline or ""
    controls = one.endswith(_END) and two.startswith(_BEGIN)
    adjoin = (before.glued[1] or piece.glued[0]) and not controls and not two.startswith(OPEN)
    return "" if adjoin else " "


def _texts_joined(pieces: Sequence[Piece]) -> str:
    """Return texts without ids as one text, as a reader sees it."""
    text = ""
    before = None
    for piece in pieces:
        if words := _without_ids(piece.inline or ""):
            text += (
                _gap_between(before, Piece(words, glued=piece.glued)) if before else ""
            ) + words
            before = piece
    return text


def fold(pieces: list[Piece], clip: Callable[[str], str]) -> list[Piece]:
    """Shorten long runs of elements that have only an id, or that cannot be seen."""
    if len(pieces) <= min(_BARE_AT_MOST, _HIDDEN_AT_MOST):
        return pieces
    folded: list[Piece] = []
    for kind, group in groupby(pieces, _kind_of):
        run = [*group]
        ids = tuple(i for piece in run for i in piece.ids)
        text = ""
        if kind is _BARE and len(run) > _BARE_AT_MOST:
            text = f"{run[0].inline} … {run[-1].inline} ({len(run)} elements without a name)"
        elif kind is _HIDDEN and len(run) > _HIDDEN_AT_MOST:
            text = f"({len(run)} elements that cannot be seen: {clip(_finished(joined(run)))})"
        folded += [Piece(inline=text, ids=ids)] if text else run
    return folded


def _kind_of(piece: Piece) -> re.Pattern[str] | None:
    return next((kind for kind in (_BARE, _HIDDEN) if kind.fullmatch(piece.inline or "")), None)


def led_by(mark: str, text: str) -> str:
    """Insert a mark into a text, after the prefix of a heading, list item or row."""
    lead = re.match(r"(?:#+ |- |\| )?", text)
    at = lead.end() if lead else 0
    return text[:at] + mark + text[at:]


def _without_ids(text: str) -> str:
    """Return a text without ids of readable elements."""
    return _MARK.sub("", text)


def comparable(text: str) -> str:
    """Return a text without white space and ids, for comparison."""
    text = _without_ids(text)
    return "".join(text.replace(" / ", "").split())


def says_name(name: str, text: str) -> bool:
    """Return whether a name contains a text, ignoring punctuation."""
    return _alphanumeric(_without_ids(text).removeprefix("(image ")) in _alphanumeric(name)


def _alphanumeric(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


@dataclass(slots=True)
class Line:
    """A line of the outline; `top` and `bottom` are viewport coordinates, None if unknown."""

    text: str
    depth: int = 0
    ids: tuple[str, ...] = ()
    top: float | None = None
    bottom: float | None = None
    heading: bool = False


def cap(lines: list[Line], limit: int, height: float, part: Callable[[list[Line]], str]) -> str:
    """Return the lines as text of about `limit` characters at most.

    Lines farthest from the viewport (`height` pixels high) are omitted first. Each gap summarizes its
    content and names the part that the `look` tool shows.
    """
    sizes = [len(line.text) + min(line.depth, 12) + 1 for line in lines]
    kept = [True] * len(lines)
    if sum(sizes) > limit:
        known = 0.0
        distance = []
        for line in lines:
            if line.top is not None and line.bottom is not None:
                known = max(-line.bottom, line.top - height, 0.0)
            distance.append(known)
        room = limit - 1_500
        for i in sorted(range(len(lines)), key=lambda i: (distance[i], i)):
            room -= sizes[i]
            kept[i] = room > 0
    out: list[str] = []
    i = 0
    while i < len(lines):
        if not kept[i]:
            end = i
            while end < len(lines) and not kept[end]:
                end += 1
            out.append(_gap(lines[i:end], height, part(lines[i:end])))
            i = end
            continue
        line = lines[i]
        out.append(" " * min(line.depth, 12) + line.text)
        i += 1
    return "\n".join(out)


def _gap(lines: list[Line], height: float, name: str) -> str:
    kinds = Counter(i.rsplit("-", 1)[0] for line in lines for i in line.ids)
    held = ", ".join(f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in kinds.most_common(5))
    titles = [line.text.lstrip("# ")[:40] for line in lines if line.heading][:5]
    headings = f"; headings: {'; '.join(titles)}" if titles else ""
    sides = {_side(line, height) for line in lines} - {None}
    where = f" {sides.pop()} the viewport" if len(sides) == 1 and sides != {""} else ""
    return f"({len(lines)} more lines{where}: {held or 'text only'}{headings}. Scroll, or look at {name}.)"


def _side(line: Line, height: float) -> str | None:
    if line.top is None or line.bottom is None:
        return None
    return "above" if line.bottom <= 0 else "below" if line.top >= height else ""


INLINE = 160
"""Maximum length of an element's content on one line."""
CLIP = 200
"""Length at which texts are cut; the `look` tool shows them in full."""
_CELL_LINES = 4
_NAME = 60
"""Length at which a control's name is cut if its texts follow."""

_CONTROL = re.compile(f"{_BEGIN}[^{_BEGIN}{_END}]*{_END}")
_IMAGE = re.compile(rf"\(image {_QUOTE}([^{_QUOTE}]*){_QUOTE}\)")
_MARKUP = {"code": "`", "strong": "**", "emphasis": "*", "deletion": "~~"}
_IMPLIED = {"drag": "draggable"}
_STATES = ("checked", "pressed", "selected", "expanded", "disabled")


@dataclass(slots=True)
class _Control:
    """An operable element during rendering.

    It is `weak` if only its behavior, not its role, is a control's, and `labeled` if its name then
    is not its content.
    """

    node: Node
    info: dict[str, Any]
    kind: str
    weak: bool
    labeled: bool
    name: str
    options: list[str]
    chosen: list[str]
    inner: list[Piece]
    value: str = ""


class OutlineRenderer:
    """Renders the tree of a snapshot as lines.

    `operable` are the ids of operable nodes, `readable` those of citable ones. `clip` stores a text
    that is cut and returns the name under which `look` shows it in full. `view` is the viewport's
    (width, height) in CSS pixels.
    """

    def __init__(
        self,
        operable: Mapping[Node, str],
        readable: Mapping[Node, str],
        clip: Callable[[str], str],
        view: tuple[float, float],
    ) -> None:
        self._operable_ids = operable
        self._readable_ids = readable
        self._clip = clip
        self._view = view
        self._done: dict[Node, Piece] = {}
        self._items: set[Node] = set()
        self.near: dict[Node, str] = {}
        """The text that stands for the name of each field without one, after `lines`."""
        self._leading: set[Node] = set()

    def lines(self, root: Node) -> list[Line]:
        """Render the whole page; each line has its `depth`."""
        # Children first, without recursion: pages may nest deeper than Python's stack allows.
        order = [root]
        for node in order:
            order.extend(node.children)
        self._done.clear()
        self.near = texts_before(root) if any(map(_is_nameless_field, order)) else {}
        self._leading = _leading(root)
        for node in reversed(order[1:]):
            piece = self._done[node] = self._marked(node, self._render(node))
            if node.row is not None:
                piece.glued = node.row.glued
        lines = self._stack([self._done[child] for child in root.children], root.children)
        for line in lines:
            line.text = _finished(line.text)
        return lines

    def _marked(self, node: Node, piece: Piece) -> Piece:
        """Add the id of a citable node to its piece."""
        element_id = self._readable_ids.get(node)
        if element_id is None or not (piece.inline or piece.lines):
            return piece
        if piece.inline is not None and not _CONTROL.sub("", _without_ids(piece.inline)).strip():
            # The text is only the label of a control, which has it as its name.
            return piece
        if node.item and node not in self._items and (piece.lines or piece.cited):
            # Its only content already has an id.
            return piece
        mark = f"{OPEN}{element_id}{SHUT}"
        if piece.inline is not None:
            piece.inline = led_by(mark, piece.inline)
        else:
            piece.lines[0].text = led_by(mark, piece.lines[0].text)
        return piece

    def _render(self, node: Node) -> Piece:
        element_id = self._operable_ids.get(node)
        if element_id is not None:
            return self._operable(node, element_id)
        role = node.role
        if role == "text":
            return Piece(inline=self._short(node.text), apart=node.row is not None)
        if role == "row" and any(child.role in _CELLS for child in node.children):
            return self._table_row(node, self._cells(node))
        children = self._children(node)
        if node.item and len(children) > 1 and node in self._readable_ids:
            self._items.add(node)
            return self._prefixed(node, "- ", children)
        if role in ("img", "image"):
            own = f"(image {self._quoted(node.name)})" if node.name else ""
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
            name = f" {self._quoted(node.name)}" if node.name else ""
            rows = f" ({node.attrs['rows']})" if "rows" in node.attrs else ""
            return self._headed(node, f"{role}{name}{_states(node)}{rows}", children)
        if role not in PLAIN and node.name and not children:
            value = f": {self._short(node.text)}" if node.text else ""
            shown = self._short(node.name)
            plain = role in ("cell", "gridcell", "columnheader", "rowheader", *INLINE_ROLES)
            return Piece(
                inline=shown + value
                if plain
                else f"{role} {self._quoted(node.name)}{_states(node)}{value}"
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
        names = {comparable(p.name) for p in pieces} - {""}
        # Drop labels that repeat the name of the field beside them.
        kept = [p for p in pieces if p.ids or comparable(p.inline or "") not in names]
        return fold(kept, self._clip)

    def _cells(self, node: Node) -> list[Piece]:
        """Return the cells of a row, empty ones included, so that each stays in its column.

        Other parts of the row, such as the handle that resizes a column, follow the cell before them.
        """
        groups: list[list[Node]] = []
        text = [Piece(inline=self._short(node.text))] if node.text else []
        for child in node.children:
            if child.role in _CELLS or not groups:
                groups.append([])
            groups[-1].append(child)
        cells = text
        for group in groups:
            held = [(self._done.pop(child), child) for child in group]
            held = [(piece, child) for piece, child in held if piece.inline or piece.lines]
            pieces = [piece for piece, _ in held]
            if len(pieces) < 2:
                cells += pieces or [Piece(inline="")]
            elif all(piece.inline is not None for piece in pieces):
                ids = tuple(i for piece in pieces for i in piece.ids)
                cells.append(Piece(inline=joined(pieces), ids=ids))
            else:
                cells.append(Piece(lines=self._stack(pieces, [child for _, child in held])))
        return cells if any(cell.inline or cell.lines for cell in cells) else []

    @staticmethod
    def _trivial(node: Node, children: Sequence[Piece]) -> bool:
        """Return whether a container adds no information: no name and at most one line."""
        if node.role in ("dialog", "alertdialog", "alert", "status", "iframe", "navigation"):
            return not children and not node.name
        few = not children or (len(children) == 1 and children[0].inline is not None)
        return few and not node.name

    def _operable(self, node: Node, element_id: str) -> Piece:
        control = self._control(node)
        self._find_value(control)
        self._absorb_texts(control)
        control.name = _without_marks(control.name)
        if len(control.name) > _NAME and sum(p.cited for p in control.inner) > 1:
            # The texts that follow have the rest.
            control.name = control.name[:_NAME].rpartition(" ")[0] + "…"
        own = _BEGIN + " ".join([element_id, *self._words(control)]) + _END
        inner = control.inner
        if not inner:
            return Piece(inline=own, ids=(element_id,), name=control.name or control.value)
        piece = self._join(node, inner, own)
        # With content besides its name it is like a list item: the next one starts a new line.
        piece.block = control.weak and control.kind not in _FIELDS
        if piece.inline is not None:
            piece.inline = ("- " if piece.block and node.role == "listitem" else "") + piece.inline
            piece.ids = (element_id, *(i for p in inner for i in p.ids))
        else:
            piece.lines[0].ids = (element_id, *piece.lines[0].ids)
        return piece

    def _control(self, node: Node) -> _Control:
        info = node.info
        weak = bool(info.get("weak")) or node.role not in OPERABLE
        name = node.name or str(info.get("name") or "")
        labeled = bool(info.get("labeled")) and bool(name)
        if weak and (node.children or node.text) and not (node.name or labeled):
            name = ""
        options = [c for c in _descend(node) if c.role == "option" and not c.ref]
        inner = [] if options else [self._done.pop(child) for child in node.children]
        return _Control(
            node=node,
            info=info,
            kind=str(info.get("role") or node.role),
            weak=weak,
            labeled=labeled,
            name=name,
            options=[option.name for option in options],
            chosen=[option.name for option in options if "selected" in option.attrs],
            inner=[p for p in inner if p.inline or p.lines],
        )

    def _find_value(self, control: _Control) -> None:
        """Set the value of a field, or add the text of another control to its inner texts."""
        node, info, kind = control.node, control.info, control.kind
        if "filled" in info:
            control.value = "filled" if info["filled"] else "empty"
        elif kind in _FIELDS or node.role in _FIELDS:
            shown = ", ".join(control.chosen) if control.options else _value_in(node, info)
            control.value = f"= {self._quoted(_in_lines(shown, info))}" if shown else ""
        elif node.text and (control.labeled or not control.weak) and node.text != control.name:
            control.inner.insert(0, Piece(inline=self._short(node.text)))

    def _absorb_texts(self, control: _Control) -> None:
        """Use uncitable inner texts as the name or value, and drop those that repeat it."""
        node, inner = control.node, control.inner
        texts = [p for p in inner if p.inline is not None and not p.ids]
        nothing_else = len(texts) == len(inner)
        if not control.weak or control.labeled or control.kind in _FIELDS:
            if control.name:
                shown = _texts_joined(inner)
                if _DIGITS.search(shown) and comparable(shown) == comparable(control.name):
                    control.name = shown
                control.inner = [
                    p
                    for p in inner
                    if p.ids or p.lines or p.cited or not says_name(control.name, p.inline or "")
                ]
            elif texts and nothing_else:
                control.inner = []
                if control.kind in _FIELDS:
                    control.value = (
                        f"= {self._quoted(_in_lines(_texts_joined(texts), control.info))}"
                    )
                else:
                    control.name = _texts_joined(texts)
            return
        own = [Piece(node.text)] if node.text and not control.value else []
        if nothing_else and sum(p.cited for p in inner) <= 1:
            control.name = _texts_joined([*own, *texts]) or control.name
            control.inner = []
        elif own:
            # Keep the text beside other content, which may be citable.
            inner.insert(0, Piece(inline=self._short(node.text)))

    def _words(self, control: _Control) -> list[str]:
        """Return the words after a control's id: name, value, states and other hints."""
        node, info, name = control.node, control.info, control.name
        words = [self._quoted(name)] if name else []
        if control.value:
            words.append(control.value)
        hint = str(info.get("placeholder") or "")
        if hint and hint != name:
            words.append(f"placeholder {self._quoted(hint)}")
        if info.get("called"):
            words.append(f"called {self._quoted(info['called'])}")
        if not name and (near := self.near.get(node)):
            words.append(f"near {self._quoted(_cut(near, _NEAR))}")
        if info.get("format"):
            words.append(info["format"])
        if info.get("pattern"):
            words.append(f"pattern {self._quoted(info['pattern'])}")
        words += [s for s in _states(node).split() if s]
        known = (*words, _IMPLIED.get(control.kind))
        words += [flag for flag in map(str, info.get("flags", ())) if flag not in known]
        if control.options:
            more = len(control.options) - 20
            # A bracket in an option would end the control.
            shown = [self._quoted(o) if "]" in o else o for o in control.options[:20]]
            listed = ", ".join(shown) + (f" … {more} more" if more > 0 else "")
            words.append(f"options: {listed}")
        elif "/url" in node.attrs and (not name or node in self._leading):
            words.append("to " + node.attrs["/url"][:60].replace("]", "%5D"))
        if control.kind == "canvas" and node.row:
            x, y, w, h = node.row.box
            words.append(f"{w:.0f}x{h:.0f} pixels from {x:.0f},{y:.0f}")
        if not name and "icon" in node.attrs:
            words.append(f"icon {self._quoted(node.attrs['icon'])}")
        hidden = "hidden" in info.get("flags", ())
        away = [] if hidden else self._direction(node)
        placed = (
            hidden or name or "/url" in node.attrs or control.inner or away or node in self.near
        )
        if not placed and node.row:
            # Without a name, only its position links it to the screenshot.
            x, y, w, h = node.row.box
            words.append(f"at {x + w / 2:.0f},{y + h / 2:.0f}")
        return words + away

    def _join(self, node: Node, children: Sequence[Piece], first: str = "") -> Piece:
        """Return the children on one line after `first` if they fit, else on lines below it."""
        inline = [p.inline for p in children]
        blocks = len(children) > 1 and any(p.block for p in children)
        if not blocks and all(i is not None for i in inline):
            text = " ".join(filter(None, [first, joined(children)]))
            if len(text) <= INLINE or len(children) <= 1 or node.role in INLINE_ROLES:
                name = children[0].name if len(children) == 1 and not first else ""
                return Piece(inline=text, name=name, ids=tuple(i for p in children for i in p.ids))
        if first:
            return Piece(
                lines=[self._line(node, first), *_indented(self._stack(children, node.children))]
            )
        return Piece(lines=self._stack(children, node.children, node))

    def _stack(
        self, pieces: Sequence[Piece], nodes: Sequence[Node], parent: Node | None = None
    ) -> list[Line]:
        """Return the lines of pieces, keeping those of one wrapper together."""
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
        """Return the node of each piece, or None for all if they do not correspond one to one."""
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
            # An item that begins with another item needs its own line.
            return Piece(lines=[self._line(node, prefix), *_indented(piece.lines)])
        first.text = prefix + first.text.removeprefix("- ")
        first.depth = 0
        for line in rest:
            line.depth += 1
        return piece

    def _table_row(self, node: Node, children: Sequence[Piece]) -> Piece:
        cells = [text for text in map(_cell, children) if text is not None]
        whole = len(cells) == len(children)
        if children and whole and (len(children) > 1 or children[0].inline is not None):
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
        if first.heading and _without_ids(first.text).lstrip("# ") == node.name:
            return Piece(lines=[first, *_indented(rest)])
        return Piece(lines=[self._line(node, title + ":"), *_indented(piece.lines)])

    def _direction(self, node: Node) -> list[str]:
        """Return an arrow that points to an element outside of the viewport."""
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

    def _quoted(self, text: str) -> str:
        return f"{_QUOTE}{self._short(text)}{_QUOTE}"

    def _short(self, text: str) -> str:
        text = " ".join(GLYPHS.sub(" ", text).split())
        if len(text) <= CLIP + 40:
            return text
        return f"{text[:CLIP]}…(+{len(text) - CLIP} characters: {self._clip(escape_ids(text))})"


def _place(node: Node | None) -> tuple[float | None, float | None]:
    if node is None or node.row is None:
        return None, None
    _, y, _, h = node.row.box
    return y, y + h


def _cell(piece: Piece) -> str | None:
    """Return a cell as one line, None if it would be too long."""
    if piece.inline is not None:
        return piece.inline
    text = " · ".join(line.text for line in piece.lines)
    flat = len(piece.lines) <= _CELL_LINES and not any(line.depth for line in piece.lines)
    return text if flat and len(text) <= 2 * INLINE else None


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
    if "active" in node.attrs and (node.role in OPERABLE or node.info):
        words.append("focused")
    return "".join(" " + word for word in words)


def _value_in(node: Node, info: Mapping[str, Any]) -> str:
    kind = info.get("role") or node.role
    has_value = "value" in info and not (kind == "textbox" and node.children)
    return str(info["value"]) if has_value else node.text


def _in_lines(shown: str, info: Mapping[str, Any]) -> str:
    """Return the value of a field with its line breaks, unless a part of it is masked."""
    lines = str(info.get("lines") or "")
    return (
        lines.replace("\n", f" {LINE_BREAK} ")
        if "".join(lines.split()) == "".join(shown.split())
        else shown
    )


def _descend(node: Node) -> list[Node]:
    options = []
    for child in node.children:
        options.append(child)
        if child.role == "group":
            options += child.children
    return options


def _leading(root: Node) -> set[Node]:
    """Return the links that their names do not tell apart, one for each address."""
    links: dict[str, dict[str, Node]] = {}
    for node in in_order(root):
        url = node.attrs.get("/url", "")
        if node.name and url and not url.startswith(("#", "javascript:")):
            links.setdefault(node.name, {}).setdefault(url, node)
    return {node for urls in links.values() if len(urls) > 1 for node in urls.values()}


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[:length].rpartition(' ')[0]}…"


def _without_marks(name: str) -> str:
    """Return a name without icon glyphs and image markers."""
    return " ".join(GLYPHS.sub(" ", _IMAGE.sub(r"\1", name)).split())
