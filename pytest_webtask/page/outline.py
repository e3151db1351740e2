"""The page as Markdown for a model: hierarchy, texts, ids of what can be used or cited."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pytest_webtask.page.snapshot import OPERABLE, Node

PLAIN = frozenset("generic none presentation paragraph strong emphasis mark text time".split())
"""Roles of what is a text and nothing else."""
INLINE_ROLES = frozenset(
    "strong emphasis mark time superscript subscript deletion insertion code".split()
)
LANDMARKS = frozenset(
    "banner navigation main contentinfo complementary search form region dialog alertdialog group"
    " tablist tabpanel menu menubar toolbar radiogroup grid treegrid tree table alert status log"
    " figure article iframe blockquote listbox feed marquee timer tooltip document application".split()
)
GROUPS = LANDMARKS | {"list", "row", "rowgroup", "heading"}
"""Roles of what holds other things: listening or taking the focus does not make them controls."""
_READ = frozenset(
    "row listitem article heading cell gridcell columnheader rowheader dialog alertdialog alert"
    " status table definition term figure progressbar meter iframe".split()
)
"""Roles of what has an id to be cited by, whether it has a text of its own or not."""
_ITEMS = frozenset("listitem cell gridcell".split())
_VALUES = frozenset("combobox listbox searchbox slider spinbutton textbox".split())
"""Roles of controls whose text is their value."""
_LETTER = re.compile(r"[^\W\d_]")
ITEM = "item"
"""Begins the ids of repeated blocks that have no role."""


def operable(node: Node, within: bool) -> bool:
    """Whether a user can operate the element; inside another control its parts are not told."""
    if node.row is None:
        return False
    info = node.row.info
    if (info and info.get("role")) or node.role in OPERABLE:
        # An option of a native select is chosen through the select.
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
        # A hand over other controls, or a list that listens for its items, is not one more.
        return not inner
    # Nor is a wrapper around one control that says nothing besides.
    return len(inner) != 1 or _letters_of(node) != _letters_of(inner[0])


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
    """What the element says, cut off where it gets long."""
    if node.role in ("textbox", "searchbox", "spinbutton"):
        return ""
    texts = [n.text or (n.name if not n.children else "") for n in (node, *_below(node))]
    return " ".join(filter(None, texts))[:200]


def readable(node: Node, control: Node | None, cited: bool) -> bool:
    """Return whether a node that can't be operated has an id to be cited by.

    Emphasized words are cited with the text that they stand in, if that is `cited`. Within a
    `control` only texts that say something other than its name have an id.
    """
    if node.row is None or (cited and node.role in INLINE_ROLES):
        return False
    if control is not None:
        return control.role not in _VALUES and _says_more(node, control)
    return _has_text(node) or node.item or _is_read(node)


def find_items(nodes: Sequence[Node]) -> None:
    """Mark the repeated blocks that have no role; `nodes` are in an order of parents first."""
    silent: set[Node] = set()
    grouping: set[Node] = set()
    for node in reversed(nodes):
        parts = [child for child in node.children if child not in silent]
        text = GLYPHS.sub("", node.text).strip()
        if node.role == "generic" and not (parts or text or (node.row and node.row.info)):
            silent.add(node)
        elif parts and all(part.item or part in grouping for part in parts):
            # A wrapper of items only is none itself.
            grouping.add(node)
        elif len(parts) + bool(text) > 1 and node.role == "generic" and node.row is not None:
            node.item = node.row.repeated


def _has_text(node: Node) -> bool:
    """Return whether it has a text of its own, or consists of texts."""
    texts = [child for child in node.children if child.role == "text"]
    loose = any(text.row is None for text in texts)
    return bool(node.text or loose or (texts and len(texts) == len(node.children)))


def _is_read(node: Node) -> bool:
    if node.role in _ITEMS and len(node.children) < 2:
        if not node.children:
            return bool(node.name)
        # A wrapper in it is no more than the item itself.
        inner = node.children[0]
        return inner.role in PLAIN and (_has_text(inner) or len(inner.children) > 1)
    return node.role in _READ or (node.role in ("img", "image") and bool(node.name))


def _says_more(node: Node, control: Node) -> bool:
    """Return whether a part of a control has a text that does not stand for the whole."""
    parts = node.children and all(child.role == "text" and child.row for child in node.children)
    if node.role in INLINE_ROLES or parts or not (_has_text(node) or _is_read(node)):
        return False
    text, name = text_of(node), control.name or text_of(control)
    if _letters(text) == _letters(name):
        # A number does not say what it counts, but its element may.
        return not _LETTER.search(text)
    # Of a title with a badge, the control has the title.
    texts = [n.text or n.name for n in _below(control) if not n.children and (n.text or n.name)]
    return len(texts) != 2 or text != max(texts, key=len)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


_BARE = re.compile(r"\[[a-z]+-\d+( at -?\d+,-?\d+)?( [↓↑←→])?\]")
_BARE_AT_MOST = 30
OPEN, SHUT = "\ue200", "\ue201"
"""Around the id of what can be read, until the outline is done: no text of a page has these."""
GLYPHS = re.compile("[-]")
"""Characters of icon fonts, which look like nothing to a reader."""
_MARK = re.compile(f"{OPEN}[^{SHUT}]*{SHUT}")


@dataclass(slots=True)
class Piece:
    """A rendered node: one inline text, or several lines.

    `name` is that of an operable element; a `block` does not share its line with siblings, and
    what stands `apart` is a text with an element of its own.
    """

    inline: str | None = None
    name: str = ""
    block: bool = False
    apart: bool = False
    lines: list[Line] = field(default_factory=list)
    ids: tuple[str, ...] = ()

    @property
    def cited(self) -> bool:
        """Whether the text has an id, or a part of it has."""
        return OPEN in (self.inline or "")


def joined(pieces: Sequence[Piece]) -> str:
    """Pieces on one line; texts of different elements are kept apart.

    So is what follows a text with an id, unless it has one itself: the text ends there.
    """
    text = ""
    before = None
    for piece in pieces:
        if text and before is not None:
            ends = (before.inline or "").startswith(OPEN) and not (piece.inline or "").startswith(
                (OPEN, "[")
            )
            text += " · " if ends or (before.apart and piece.apart) else " "
        text += piece.inline or ""
        before = piece
    return text


def fold(pieces: list[Piece]) -> list[Piece]:
    """Long runs of elements that have an id and nothing else to say, shortened."""
    folded: list[Piece] = []
    run: list[Piece] = []
    for piece in [*pieces, None]:
        if piece is not None and _BARE.fullmatch(piece.inline or ""):
            run.append(piece)
            continue
        if len(run) > _BARE_AT_MOST:
            between = f"{run[0].inline} … {run[-1].inline} ({len(run)} elements without a name)"
            run = [Piece(inline=between, ids=tuple(i for p in run for i in p.ids))]
        folded += run
        run = []
        if piece is not None:
            folded.append(piece)
    return folded


def led_by(mark: str, text: str) -> str:
    """The mark before the text, behind what makes it a heading, an item or a row."""
    lead = re.match(r"(?:#+ |- |\| )?", text)
    at = lead.end() if lead else 0
    return text[:at] + mark + text[at:]


def plain(text: str) -> str:
    """The text without the ids of what can be read."""
    return _MARK.sub("", text)


def glued(text: str) -> str:
    """The text without white space and marks, to compare it."""
    text = plain(text)
    return "".join(text.replace(" / ", "").split())


def says_name(name: str, text: str) -> bool:
    """Whether the name says all that the text does, but for ornaments."""
    return _alphanumeric(plain(text).removeprefix("(image ")) in _alphanumeric(name)


def _alphanumeric(text: str) -> str:
    return "".join(c for c in text if c.isalnum())


@dataclass(slots=True)
class Line:
    """One line of the outline; `top` and `bottom` are y in the viewport, None if unknown."""

    text: str
    depth: int = 0
    ids: tuple[str, ...] = ()
    top: float | None = None
    bottom: float | None = None
    heading: bool = False


def cap(lines: list[Line], limit: int, height: float, part: Callable[[list[Line]], str]) -> str:
    """The lines as text of at most about `limit` characters.

    What lies farthest outside the viewport (`height` pixels high) gives way first; each gap says
    what it holds and the part under which `look` shows it.
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
    said = f"; headings: {'; '.join(titles)}" if titles else ""
    sides = {_side(line, height) for line in lines} - {None}
    where = f" {sides.pop()} the viewport" if len(sides) == 1 and sides != {""} else ""
    return (
        f"({len(lines)} more lines{where}: {held or 'text only'}{said}. Scroll, or look at {name}.)"
    )


def _side(line: Line, height: float) -> str | None:
    if line.top is None or line.bottom is None:
        return None
    return "above" if line.bottom <= 0 else "below" if line.top >= height else ""


def lasting(outline: str) -> str:
    """An outline without the focus and the place that was scrolled to, which are no result."""
    lines = outline.replace(" focused", "").splitlines()
    return "\n".join(
        re.sub(r" [↓↑←→](?=\])", "", line) for line in lines if "(scrolled to" not in line
    )


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
            piece.inline = led_by(mark, piece.inline)
        else:
            piece.lines[0].text = led_by(mark, piece.lines[0].text)
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
                    if p.ids or p.lines or p.cited or not says_name(name, p.inline or "")
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
