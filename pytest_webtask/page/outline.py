"""The page as Markdown for a model: hierarchy, texts, and ids of operable or citable elements."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby

from pytest_webtask.data.escapes import LINE_BREAK, escape_ids, in_quotes
from pytest_webtask.page.snapshot import OPERABLE, Control, Node, in_order
from pytest_webtask.types.agent import Element
from pytest_webtask.types.page import Box, Shown

PLAIN = frozenset("generic none presentation paragraph strong emphasis mark text time".split())
INLINE_ROLES = frozenset(
    "strong emphasis mark time superscript subscript deletion insertion code".split()
)
_LANDMARKS = frozenset(
    "banner navigation main contentinfo complementary search form region dialog alertdialog group"
    " tablist tabpanel menu menubar toolbar radiogroup grid treegrid tree table alert status log"
    " figure article iframe blockquote listbox feed marquee timer tooltip document application".split()
)
_GROUPS = _LANDMARKS | {"list", "row", "rowgroup", "heading"}
"""Roles of containers, which are not controls even with a listener or focus."""
_CELLS = frozenset("cell gridcell columnheader rowheader".split())
_SHORT_ITEMS = frozenset("listitem cell gridcell".split())
"""Roles of items that often hold a single element with an id of its own."""
_CITABLE_ROLES = _CELLS | frozenset(
    "row listitem article heading dialog alertdialog alert status table definition term figure"
    " progressbar meter iframe".split()
)
"""Roles that can be cited even without text of their own."""
_FIELDS = frozenset("combobox searchbox textbox spinbutton slider listbox color file".split())
"""Kinds of fields, which have a value."""
_ALWAYS_SHOWN = frozenset("dialog alertdialog alert status iframe navigation".split())
"""Roles of parts that are shown as such whatever they contain."""


def operable(node: Node, within: bool) -> bool:
    """Return whether a user can operate the element; parts `within` another control must have a role."""
    info = node.info
    if info.role or (node.row and node.role in OPERABLE):
        # Options of a native select are chosen through the select.
        return node.role != "option" or info.tag != "option"
    if within or not info.weak:
        return False
    return info.weak == "drag" or _is_innermost(node)


def _is_innermost(node: Node) -> bool:
    """Return whether an element without the role of a control is no wrapper around controls."""
    weak, is_group = node.info.weak, node.role in _GROUPS
    holds_control, has_text = False, bool(node.text)
    stack = [*node.children]
    while stack:
        each = stack.pop()
        if each.row and (each.is_control or each.role in OPERABLE):
            holds_control = True
            continue
        has_text = has_text or bool(each.words)
        stack += each.children
    # A pointer cursor over other controls or a container's listener adds no control of its own, and
    # neither does a wrapper around controls without other text.
    is_around = weak == "pointer" or is_group or not has_text
    return not (weak == "focusable" and is_group) and not (holds_control and is_around)


def text_of(node: Node) -> str:
    """Return the text of an element."""
    if node.role in ("textbox", "searchbox", "spinbutton"):
        return ""
    text, adjoins = node.words, not node.words
    for each in in_order(node):
        if each is not node and each.words:
            before, behind = each.glued
            text += each.words if adjoins or before else f" {each.words}"
            adjoins = behind
    return text


def shown_as(node: Node, element: Element) -> Shown:
    """Return an element as the page shows it now, without what changes by itself: focus and cover."""
    info = node.info
    states = {*_states(node), *info.flags} - {"focused", "covered"}
    text, value = text_of(node), None
    if info.filled is not None:
        value = None if info.filled else ""
    elif {element.role, node.role} & _FIELDS:
        value = _value_of(node, text)
        text = ""
    return Shown(element.role, node.name or element.name, text, value, frozenset(states))


def words_of(root: Node) -> str:
    """Return all that a page says: its texts, and names, values and hints of its elements."""
    more: list[str | None] = []
    for node in in_order(root):
        info = node.info
        more += [node.name, info.name, info.value, info.placeholder]
        if node.role in _FIELDS:
            more.append(node.text)
    return " | ".join([text_of(root), *dict.fromkeys(filter(None, more))])


def readable(node: Node, control: Node | None, cited: bool) -> bool:
    """Return whether a node that can't be operated gets an id, so that it can be cited.

    Emphasized words inside `cited` text get none of their own. Within a `control` only texts that its
    name does not begin with get an id.
    """
    if node.row is None or node.row.undrawn or (cited and node.role in INLINE_ROLES):
        return False
    if control is None:
        return node.item or _has_text(node) or _is_citable(node)
    return control.role not in _FIELDS and _adds_text(node, control)


def find_items(nodes: Sequence[Node]) -> None:
    """Mark the items that have no role; `nodes` lists parents first."""
    for node in reversed(nodes):
        if node.role != "generic" or node.row is None or not node.row.repeated:
            continue
        parts = [
            c for c in node.children if c.words or c.children or c.is_control or c.role != "generic"
        ]
        # A wrapper that contains only items is not an item.
        is_wrapper = all(part.item for part in parts)
        node.item = len(parts) + bool(node.text) > 1 and not is_wrapper


def _has_text(node: Node) -> bool:
    rows = [child.row for child in node.children if child.role == "text"]
    return bool(node.text) or None in rows or 0 < len(rows) == len(node.children)


def _is_citable(node: Node) -> bool:
    if node.role in ("img", "image"):
        return bool(node.name)
    if node.role not in _SHORT_ITEMS or len(node.children) > 1:
        return node.role in _CITABLE_ROLES
    if not node.children:
        return bool(node.name)
    # Look through a wrapper inside the item.
    inner = node.children[0]
    return inner.role in PLAIN and (_has_text(inner) or len(inner.children) > 1)


def _adds_text(node: Node, control: Node) -> bool:
    """Return whether a part of a control is a text that the control's name does not begin with."""
    parts = node.children and all(child.role == "text" and child.row for child in node.children)
    if node.role in INLINE_ROLES or parts or not (_has_text(node) or _is_citable(node)):
        return False
    name = control.name or text_of(control)
    return not _alphanumeric(name).startswith(_alphanumeric(text_of(node)))


def _alphanumeric(text: str) -> str:
    return "".join(filter(str.isalnum, _without_ids(text)))


OPEN, SHUT = "\ue200", "\ue201"
"""Delimiters around ids of readable elements while rendering; page texts never contain them."""
_BEGIN, _END, _QUOTE = "\ue202", "\ue203", "\ue204"
"""The brackets of controls and the quotation marks of names while rendering, likewise."""
_OWN = {ord(OPEN): "<", ord(SHUT): "> ", ord(_BEGIN): "[", ord(_END): "]", ord(_QUOTE): '"'}
_QUOTED = re.compile(f"{_QUOTE}([^{_QUOTE}]*){_QUOTE}")
_MARK = re.compile(f"{OPEN}[^{SHUT}]*{SHUT}")
_CONTROL = re.compile(f"{_BEGIN}[^{_BEGIN}{_END}]*{_END}")
_IMAGE = re.compile(rf"\(image {_QUOTE}([^{_QUOTE}]*){_QUOTE}\)")
_FAINT = re.compile(
    rf"{_BEGIN}(?:[a-z]+-\d+( at -?\d+,-?\d+)?( [↓↑←→])?|[^{_BEGIN}{_END}]* hidden){_END}"
)
"""A control that has no name, or cannot be seen."""
_FAINT_AT_MOST = 20
GLYPHS = re.compile("[\ue000-\uf8ff]")
"""Private-use characters of icon fonts."""
_LEAD = re.compile(r"(?:#+ |- |\| )?")
"""The prefix of a heading, list item or row."""


def _finished(text: str) -> str:
    """Return a line in which only what this module made looks like an id or ends a name."""
    text = _QUOTED.sub(lambda m: in_quotes(m[1]), escape_ids(" ".join(text.splitlines())))
    return text.translate(_OWN).rstrip()


def _without_ids(text: str) -> str:
    return _MARK.sub("", text)


@dataclass(slots=True)
class Line:
    """A line of the outline; `box` is in viewport coordinates, None if unknown."""

    text: str
    depth: int = 0
    box: Box | None = None
    heading: bool = False

    @property
    def indented(self) -> str:
        """The line as it stands in the outline."""
        return " " * min(self.depth, 12) + self.text


@dataclass(slots=True)
class Piece:
    """A rendered node: a `text` on a line, or several `lines`.

    `name` is the name of an operable element. A `block` does not share its line with siblings. A
    text is `apart` if it has its own element, and `glued` to the texts before and behind it if a
    reader sees no gap there.
    """

    text: str = ""
    name: str = ""
    block: bool = False
    apart: bool = False
    glued: tuple[bool, bool] = (False, False)
    lines: list[Line] = field(default_factory=list)
    node: Node | None = None

    def __bool__(self) -> bool:
        return bool(self.text or self.lines)

    @property
    def has_control(self) -> bool:
        """Return whether an operable element is on the line."""
        return _BEGIN in self.text

    @property
    def is_cited(self) -> bool:
        """Return whether the text or a part of it has an id."""
        return OPEN in self.text

    @property
    def is_bare(self) -> bool:
        """Return whether this is a text without an id."""
        return not self.lines and {OPEN, _BEGIN}.isdisjoint(self.text)


def joined(pieces: Sequence[Piece]) -> str:
    """Join pieces on one line, with separators between texts of different elements.

    A separator also follows a text with an id, unless the next piece has an id itself.
    """
    text, last = "", Piece()
    for piece in filter(None, pieces):
        one, two = last.text, piece.text
        ends = one.startswith(OPEN) and not two.startswith((OPEN, _BEGIN))
        is_glued = (last.glued[1] or piece.glued[0]) and not two.startswith(OPEN)
        if one and (ends or (last.apart and piece.apart)):
            text += " · "
        elif one and (not is_glued or (one.endswith(_END) and two.startswith(_BEGIN))):
            text += " "
        text += two
        last = piece
    return text


def _texts_joined(pieces: Sequence[Piece]) -> str:
    return joined([Piece(_without_ids(piece.text), glued=piece.glued) for piece in pieces])


def fold(pieces: Sequence[Piece], clip: Callable[[str], str]) -> list[Piece]:
    """Shorten long runs of controls that have no name, or that cannot be seen."""
    folded: list[Piece] = []
    for is_faint, group in groupby(pieces, lambda piece: bool(_FAINT.fullmatch(piece.text))):
        run = [*group]
        if is_faint and len(run) > _FAINT_AT_MOST:
            part = clip(_finished(joined(run)))
            run = [Piece(f"({len(run)} elements that have no name or cannot be seen: {part})")]
        folded += run
    return folded


def cap(lines: list[Line], limit: int, height: float, part: Callable[[list[Line]], str]) -> str:
    """Return the lines as text of about `limit` characters at most.

    Lines farthest from the viewport (`height` pixels high) are omitted first. Each gap summarizes its
    content and names the part that the `look` tool shows.
    """
    room: float = sum(len(line.indented) + 1 for line in lines)
    omitted: set[int] = set()
    if room > limit:
        room = limit - 1_500
        for at in _by_distance(lines, height):
            room -= len(lines[at].indented) + 1
            if room <= 0:
                omitted.add(at)
    out: list[str] = []
    for is_gap, group in groupby(range(len(lines)), omitted.__contains__):
        some = [lines[at] for at in group]
        out += [_gap(some, part(some))] if is_gap else [line.indented for line in some]
    return "\n".join(out)


def _by_distance(lines: Sequence[Line], height: float) -> list[int]:
    """Return the indexes of lines from the viewport outwards; one without a place is where the line before is."""
    known, distances = 0.0, []
    for line in lines:
        if line.box is not None:
            _, top, _, high = line.box
            known = max(-top - high, top - height, 0.0)
        distances.append(known)
    return sorted(range(len(lines)), key=distances.__getitem__)


def _gap(lines: list[Line], name: str) -> str:
    kinds = Counter(re.findall(r"\[([a-z]+)-\d", "\n".join(line.text for line in lines)))
    held = ", ".join(f"{n} × {kind}" for kind, n in kinds.most_common(5))
    titles = "; ".join([line.text.lstrip("# ")[:40] for line in lines if line.heading][:5])
    headings = f"; headings: {titles}" if titles else ""
    return f"({len(lines)} more lines: {held or 'text only'}{headings}. Scroll, or look at {name}.)"


INLINE = 160
"""Maximum length of an element's content on one line."""
CLIP = 200
"""Length at which texts are cut; the `look` tool shows them in full."""
_CELL_LINES = 4
_NAME = 60
"""Length at which a control's name is cut if its texts follow."""
_OPTIONS = 20
_MARKUP = {"code": "`", "strong": "**", "emphasis": "*", "deletion": "~~"}
_STATES = ("checked", "pressed", "selected", "expanded", "disabled")


@dataclass
class OutlineRenderer:
    """Renders the tree of a snapshot, whose nodes have their ids, as lines.

    `clip` stores a text that is cut and returns the name under which `look` shows it in full. `view` is
    the viewport's (width, height) in CSS pixels.
    """

    clip: Callable[[str], str]
    view: tuple[float, float]
    _done: dict[Node, Piece] = field(default_factory=dict, init=False)

    def lines(self, root: Node) -> list[Line]:
        """Render the whole page; each line has its `depth`."""
        # Children first, without recursion: pages may nest deeper than Python's stack allows.
        self._done.clear()
        for node in reversed([*in_order(root)][1:]):
            piece = self._done[node] = self._marked(node, self._render(node))
            piece.node, piece.glued = node, node.glued
        lines = _stack([self._done[child] for child in root.children])
        for line in lines:
            line.text = _finished(line.text)
        return lines

    def _marked(self, node: Node, piece: Piece) -> Piece:
        """Add the id of a citable node to its piece, after the prefix of a heading, list item or row."""
        first = piece.lines[0].text if piece.lines else piece.text
        # The text may be only the label of a control, which has it as its name.
        is_label = not piece.lines and not _CONTROL.sub("", _without_ids(first)).strip()
        # Or the only content of an item that has an id already.
        is_item = bool(piece.lines) and first.startswith("- ")
        repeats = node.item and not is_item and not piece.is_bare
        if node.operates or not node.id or is_label or repeats:
            return piece
        mark = f"{OPEN}{node.id}{SHUT}"
        if piece.lines:
            piece.lines[0].text = _LEAD.sub(rf"\g<0>{mark}", first, count=1)
        else:
            piece.text = mark + first
        return piece

    def _render(self, node: Node) -> Piece:
        if node.operates:
            return self._control(node)
        role = node.role
        if role == "text":
            return Piece(self._short(node.text), apart=node.row is not None)
        if role == "row" and any(child.role in _CELLS for child in node.children):
            return self._table_row(node)
        children = self._children(node)
        if prefix := self._prefix_of(node, children):
            return self._prefixed(node, prefix, children)
        if role in _LANDMARKS and not _is_trivial(node, children):
            return self._headed(node, children)
        return self._inline(node, children)

    def _inline(self, node: Node, children: Sequence[Piece]) -> Piece:
        """Return a node that is nothing but what is in it, or its name."""
        role = node.role
        is_image = role in ("img", "image")
        first = f"(image {self._quoted(node.name)})" if is_image and node.name else ""
        if role not in PLAIN and node.name and not children:
            return Piece(first or self._leaf(node))
        piece = _join(node, children, first)
        piece.block = role == "paragraph"
        piece.apart = role not in INLINE_ROLES and not piece.has_control
        if role in _MARKUP and piece.text and not piece.has_control:
            piece.text = f"{_MARKUP[role]}{piece.text}{_MARKUP[role]}"
        return piece

    def _leaf(self, node: Node) -> str:
        value = f": {self._short(node.text)}" if node.text else ""
        if node.role in _CELLS | INLINE_ROLES:
            return self._short(node.name) + value
        return " ".join([node.role, self._quoted(node.name), *_states(node)]) + value

    def _prefix_of(self, node: Node, children: Sequence[Piece]) -> str:
        if node.role == "heading":
            return "#" * min(int(node.attrs.get("level", "2")), 6) + " "
        is_item = node.item and len(children) > 1 and node.id
        if is_item or node.role in ("listitem", "treeitem", "option"):
            return "- "
        return "| " if node.role == "row" else ""

    def _children(self, node: Node) -> list[Piece]:
        pieces = [*map(self._done.pop, node.children)]
        if node.text:
            pieces.insert(0, Piece(self._short(node.text)))
        elif not pieces and node.role in PLAIN:
            pieces.append(Piece(self._short(node.name)))
        names = {_alphanumeric(piece.name) for piece in pieces} - {""}
        # Drop labels that repeat the name of the field beside them.
        kept = [p for p in pieces if p and (p.has_control or _alphanumeric(p.text) not in names)]
        return fold(kept, self.clip)

    def _control(self, node: Node) -> Piece:
        name, value, inner = self._content_of(node)
        if len(name) > _NAME and sum(piece.is_cited for piece in inner) > 1:
            # The texts that follow have the rest.
            name = name[:_NAME].rpartition(" ")[0] + "…"
        words = [node.id, *self._words(node, name, value), *self._hints(node, name, inner)]
        piece = _join(node, inner, _BEGIN + " ".join(filter(None, words)) + _END)
        if inner:
            # With content besides its name it is like a list item: the next one starts a new line.
            piece.block = _is_weak(node) and not _is_field(node)
        else:
            piece.name = name or value
        return piece

    def _content_of(self, node: Node) -> tuple[str, str, list[Piece]]:
        info, name, value = node.info, node.name, ""
        if not _is_weak(node) or info.labeled or not (node.children or node.text):
            name = name or info.name
        # Options of a field are no elements of their own.
        children = [] if _options_in(node) else node.children
        inner = [*filter(None, map(self._done.pop, children))]
        if info.filled is not None and _is_field(node):
            value = "filled" if info.filled else "empty"
        elif _is_field(node):
            value = self._labeled("= ", _value_of(node, ""))
        elif node.text and node.text != name:
            inner.insert(0, Piece(self._short(node.text)))
        # Texts inside are its name or value, or repeat it.
        if name:
            inner = [p for p in inner if not (p.is_bare and _says(name, p.text))]
        elif not any(piece.lines or piece.has_control for piece in inner):
            if _is_field(node):
                text = _in_lines(_texts_joined(inner), info)
                value, inner = value or self._labeled("= ", text), []
            elif sum(piece.is_cited for piece in inner) <= 1:
                name, inner = _texts_joined(inner), []
        without_marks = " ".join(GLYPHS.sub(" ", _IMAGE.sub(r"\1", name)).split())
        return without_marks, value, inner

    def _words(self, node: Node, name: str, value: str) -> list[str]:
        info = node.info
        words = [
            self._labeled("", name),
            value,
            self._labeled("placeholder ", info.placeholder if info.placeholder != name else ""),
            self._labeled("called ", info.called),
            info.format,
            self._labeled("pattern ", info.pattern),
            *_states(node),
        ]
        implied = "draggable" if _kind_of(node) == "drag" else ""
        words += [flag for flag in info.flags if flag not in (*words, implied)]
        if options := _options_in(node):
            # A bracket in an option would end the control.
            shown = [self._quoted(o.name) if "]" in o.name else o.name for o in options[:_OPTIONS]]
            more = f" … {len(options) - _OPTIONS} more" if len(options) > _OPTIONS else ""
            words.append(f"options: {', '.join(shown)}{more}")
        return words

    def _labeled(self, what: str, text: str) -> str:
        return what + self._quoted(text) if text else ""

    def _hints(self, node: Node, name: str, inner: Sequence[Piece]) -> Iterator[str]:
        box = node.row.box if node.row else (0.0, 0.0, 0.0, 0.0)
        x, y, w, h = box
        is_hidden = "hidden" in node.info.flags
        arrow = direction(box, self.view)
        if not name and node.url:
            yield "to " + node.url[:60].replace("]", "%5D")
        if not name:
            yield self._labeled("icon ", node.attrs.get("icon", ""))
        if node.row and not any((name, node.url, is_hidden, inner, arrow)):
            # Only its position links it to the screenshot.
            yield f"at {x + w / 2:.0f},{y + h / 2:.0f}"
        if node.row and _kind_of(node) == "canvas":
            yield f"{w:.0f}x{h:.0f} pixels from {x:.0f},{y:.0f}"
        if not is_hidden:
            yield arrow

    def _prefixed(self, node: Node, prefix: str, children: Sequence[Piece]) -> Piece:
        if not children and node.name:
            children = [Piece(self._short(node.name))]
        piece = _join(node, children)
        if not piece.lines:
            states = f" ({' '.join(states)})" if (states := _states(node)) else ""
            line = _line(node, prefix + piece.text + states)
            line.heading = node.role == "heading"
            return Piece(lines=[line] if piece.text else [])
        first, *rest = piece.lines
        first.text = prefix + first.text.removeprefix("- ")
        first.depth = 0
        return Piece(lines=_under(first, rest))

    def _table_row(self, node: Node) -> Piece:
        """Return a row with its empty cells, so that each cell stays in its column.

        Other parts of the row, such as the handle that resizes a column, follow the cell before them.
        """
        cells = [Piece(self._short(node.text))] if node.text else []
        groups: list[list[Piece]] = []
        for child in node.children:
            if child.role in _CELLS or not groups:
                groups.append([])
            groups[-1].append(self._done.pop(child))
        cells += [_join(node, [*filter(None, group)]) for group in groups]
        if not any(cells):
            return Piece()
        texts = [text for text in map(_cell, cells) if text is not None]
        if len(texts) == len(cells):
            text = " ".join(["| " + " | ".join(texts) + " |", *_states(node)])
            return Piece(lines=[_line(node, text)])
        lines = []
        for piece in cells:
            first, *rest = piece.lines or [_line(node, piece.text)]
            first.text, first.depth = "| " + first.text, 0
            lines += _under(first, rest)
        return Piece(lines=lines)

    def _headed(self, node: Node, children: Sequence[Piece]) -> Piece:
        rows = f" ({node.attrs['rows']})" if "rows" in node.attrs else ""
        words = [node.role, self._labeled("", node.name), *_states(node)]
        title = " ".join(filter(None, words)) + rows
        piece = _join(node, children)
        if not piece.lines:
            return Piece(lines=[_line(node, f"{title}: {piece.text}".removesuffix(": "))])
        first, *rest = piece.lines
        if first.heading and _without_ids(first.text).lstrip("# ") == node.name:
            return Piece(lines=_under(first, rest))
        return Piece(lines=_under(_line(node, title + ":"), piece.lines))

    def _quoted(self, text: str) -> str:
        return f"{_QUOTE}{self._short(text)}{_QUOTE}"

    def _short(self, text: str) -> str:
        text = " ".join(GLYPHS.sub(" ", text).split())
        if len(text) <= CLIP + 40:
            return text
        return f"{text[:CLIP]}…(+{len(text) - CLIP} characters: {self.clip(escape_ids(text))})"


def _join(node: Node, children: Sequence[Piece], first: str = "") -> Piece:
    """Return the children on one line after `first` if they fit, else on lines below it."""
    is_one = len(children) <= 1
    if not any(p.lines or (p.block and not is_one) for p in children):
        text = f"{first} {joined(children)}".strip()
        if is_one or len(text) <= INLINE or node.role in INLINE_ROLES:
            only = children[0] if children and is_one and not first else Piece()
            return Piece(text, name=only.name)
    lines = _stack(children, node)
    return Piece(lines=_under(_line(node, first), lines) if first else lines)


def _stack(pieces: Sequence[Piece], parent: Node | None = None) -> list[Line]:
    rows: list[list[Piece]] = []
    is_open = False
    for piece in pieces:
        is_alone = piece.block or bool(piece.lines)
        if is_open and not is_alone and len(joined(rows[-1])) + len(piece.text) <= INLINE:
            rows[-1].append(piece)
        else:
            rows.append([piece])
            is_open = not is_alone
    lines: list[Line] = []
    for row in rows:
        lines += row[0].lines or [_line(row[0].node or parent, joined(row))]
    return lines


def _is_trivial(node: Node, children: Sequence[Piece]) -> bool:
    """Return whether a container adds no information: no name and at most one line."""
    if node.name:
        return False
    few = len(children) < 2 and not any(piece.lines for piece in children)
    return not children if node.role in _ALWAYS_SHOWN else few


def _line(node: Node | None, text: str) -> Line:
    return Line(text, box=node.row.box if node and node.row else None)


def _cell(piece: Piece) -> str | None:
    if not piece.lines:
        return piece.text
    text = " · ".join(line.text for line in piece.lines)
    flat = len(piece.lines) <= _CELL_LINES and not any(line.depth for line in piece.lines)
    return text if flat and len(text) <= 2 * INLINE else None


def _under(first: Line, lines: Sequence[Line]) -> list[Line]:
    for line in lines:
        line.depth += 1
    return [first, *lines]


def direction(box: Box, view: tuple[float, float]) -> str:
    """Return an arrow that points to an element outside of the viewport, "" for one inside."""
    (x, y, w, h), (width, height) = box, view
    outside = {"↓": y >= height, "↑": y + h <= 0, "→": x >= width, "←": x + w <= 0, "": True}
    return next(filter(outside.get, outside)) if w and h else ""


def _states(node: Node) -> list[str]:
    words = [f"{state}={node.attrs[state]}" for state in _STATES if state in node.attrs]
    if "active" in node.attrs and (node.role in OPERABLE or node.is_control):
        words.append("focused")
    return [word.removesuffix("=").removesuffix("=true") for word in words]


def _value_of(node: Node, text: str) -> str:
    """Return the value of a field; `text` is all of its text, for one that knows no other."""
    if options := _options_in(node):
        return ", ".join(option.name for option in options if "selected" in option.attrs)
    info = node.info
    is_edited = (info.role or node.role) == "textbox" and node.children
    value = node.text if info.value is None or is_edited else info.value
    return _in_lines(value or text, info)


def _in_lines(shown: str, info: Control) -> str:
    """Return the value of a field with its line breaks, unless a part of it is masked."""
    if "".join(info.lines.split()) != "".join(shown.split()):
        return shown
    return info.lines.replace("\n", f" {LINE_BREAK} ")


def _kind_of(node: Node) -> str:
    return node.info.role or node.role


def _is_field(node: Node) -> bool:
    return not _FIELDS.isdisjoint((_kind_of(node), node.role))


def _is_weak(node: Node) -> bool:
    """Return whether only the behavior of an element, not its role, is a control's."""
    return bool(node.info.weak) or node.role not in OPERABLE


def _options_in(node: Node) -> list[Node]:
    groups = [child.children for child in node.children if child.role == "group"]
    below = chain(node.children, *groups)
    return [each for each in below if each.role == "option" and not each.ref]


def _says(name: str, text: str) -> bool:
    return _alphanumeric(text.removeprefix("(image ")) in _alphanumeric(name)
