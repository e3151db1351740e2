"""Parser for Playwright's AI snapshot (`aria_snapshot(mode="ai")`)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_webtask.data.text import well_formed
from pytest_webtask.types.page import Box

OPERABLE = frozenset(
    "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option slider"
    " spinbutton combobox searchbox textbox treeitem listbox scrollbar".split()
)
_KEY = re.compile(r'(?P<role>/?[\w-]+)(?: (?P<name>"(?:[^"\\]|\\.)*"))?(?P<attrs>(?: \[[^\]]*\])*)')
_IN_QUOTES = re.compile(r"'((?:[^']|'')*)'")
_HEX = re.compile(r"(\\\\)|\\x([0-9a-f]{2})")
"""An escaped backslash, or an escape that JSON does not know."""
_ATTR = re.compile(r"\[([\w-]+)(?:=([^\]]*))?\]")


@dataclass(slots=True)
class Control:
    """What the engine says of an element that can be operated.

    `weak` is the only sign that it can be, such as a listener, "" if its role is one. `called` is what
    its author calls an empty element. `filled` tells of a password whether there is one.
    """

    tag: str = ""
    role: str = ""
    type: str = ""
    weak: str = ""
    name: str = ""
    labeled: bool = False
    key: str = ""
    called: str = ""
    value: str | None = None
    lines: str = ""
    filled: bool | None = None
    placeholder: str = ""
    format: str = ""
    pattern: str = ""
    flags: Sequence[str] = ()


_NO_CONTROL = Control()


@dataclass(slots=True, eq=False)
class Node:
    """A line of the snapshot: an element, or a text with the role "text".

    It has an `id` if a model can cite it, and `operates` if a user can operate it.
    """

    role: str
    name: str = ""
    text: str = ""
    attrs: dict[str, str] = field(default_factory=dict)
    ref: str = ""
    url: str = ""
    children: list[Node] = field(default_factory=list)
    row: Row | None = None
    hidden: bool = False
    item: bool = False
    id: str = ""
    operates: bool = False

    @property
    def is_control(self) -> bool:
        """Whether the engine says that the element can be operated."""
        return self.info is not _NO_CONTROL

    @property
    def info(self) -> Control:
        """What the engine says of an element that can be operated, nothing of any other."""
        return (self.row and self.row.info) or _NO_CONTROL

    @property
    def glued(self) -> tuple[bool, bool]:
        """Whether its text adjoins the one before, and the one behind."""
        return self.row.glued if self.row else (False, False)

    @property
    def words(self) -> str:
        """The text of the line, which is the name of an element without children."""
        return self.text or ("" if self.children else self.name)


class Row:
    """An element in the result of the engine's `walk`."""

    def __init__(
        self, frame: int, order: int, raw: list[Any], on_page: Callable[[Box], Box]
    ) -> None:
        ref, number, x, y, width, height, parent, *info = raw
        self.frame = frame
        self.order = order
        self.ref: str = ref
        self.number: int = number
        self.box: Box = on_page((x, y, width, height))
        self.parent: int = parent
        self.info = Control(**info[0]) if info else None
        self.repeated = False
        self.marks: tuple[int, ...] = ()
        self.glued: tuple[bool, bool] = (False, False)
        self.behind = False
        self.undrawn = False


def outwards(at: int, rows: Sequence[Row]) -> Iterator[Row]:
    """Yield the row at an index, and those around it."""
    while at >= 0:
        yield rows[at]
        at = rows[at].parent


def node_of(at: int, rows: Sequence[Row], refs: Mapping[str, Node]) -> Node | None:
    """Return the node of a row or of its nearest ancestor in the snapshot, which omits wrappers."""
    return next((refs[row.ref] for row in outwards(at, rows) if row.ref in refs), None)


def parse_snapshot(snapshot: str) -> Node:
    """Parse a snapshot into a tree below a node with the role "page"."""
    root = Node("page")
    stack: list[tuple[int, Node]] = [(-1, root)]
    # Outlines delimit ids and names by these private characters, so page texts must not contain them.
    snapshot = snapshot.translate(dict.fromkeys(range(0xE200, 0xE205), " "))
    # Other line breaks are texts of the page, which must begin no line.
    for line in snapshot.split("\n"):
        body = line.lstrip(" ")
        if not body.startswith("- "):
            continue
        depth = len(line) - len(body)
        while stack[-1][0] >= depth:
            stack.pop()
        parent = stack[-1][1]
        node = _node(body[2:])
        if node.role == "/url":
            parent.url = node.text
        elif node.role.startswith("/"):
            parent.attrs[node.role] = ""
        elif node.role == "text" and "/placeholder" in parent.attrs:
            # The snapshot lists a field's value below its placeholder.
            parent.text = node.text
        else:
            parent.children.append(node)
        stack.append((depth, node))
    return root


def in_order(top: Node) -> Iterator[Node]:
    """Yield the node and its descendants in page order."""
    stack = [top]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(node.children)


def _node(body: str) -> Node:
    key, rest = body, ""
    if quoted := _IN_QUOTES.match(body):
        key, rest = quoted[1].replace("''", "'"), body[quoted.end() :]
    match = _KEY.match(key)
    if match is None:
        return Node("text", text=body)
    rest = rest or key[match.end() :]
    node = Node(match["role"], _string(match["name"] or ""))
    node.attrs.update(_ATTR.findall(match["attrs"]))
    node.ref = node.attrs.pop("ref", "")
    if rest.startswith(":"):
        node.text = _string(rest[1:].strip())
    return node


def _string(text: str) -> str:
    if re.fullmatch('".*"', text, re.DOTALL):
        known = _HEX.sub(lambda m: m[1] or f"\\u00{m[2]}", text)
        text = str(json.loads(known, strict=False))
    return well_formed(text)


Part = tuple[str, Row | None]
"""A part of a longer text, with the row of its element if it has its own."""


def split(node: Node, glued: Node, parts: list[Part]) -> None:
    """Replace a joined text of `node` or its child by its parts."""
    if not any(row for _, row in parts):
        glued.text = glued.text and parts[0][0]
        return
    if glued is node and node.text and len(parts) == 1 and node.role not in OPERABLE:
        # The text is the node's only content.
        return
    texts = [Node("text", text=text, row=row) for text, row in parts]
    if glued is node:
        node.text = ""
        node.children[:0] = texts
    elif glued in node.children:
        at = node.children.index(glued)
        node.children[at : at + 1] = texts


def insert(
    extras: list[Row],
    rows: Sequence[Row],
    refs: Mapping[str, Node],
    root: Node,
    loose: Sequence[Node],
) -> None:
    """Insert elements that the snapshot lacks at their positions among their siblings.

    `loose` lists controls that the snapshot shows without a ref; an element may be one of them.
    """
    for row in extras:
        parent = node_of(row.parent, rows, refs) or root
        info = row.info or _NO_CONTROL
        node = Node(info.role or "generic", info.name, row=row)
        if "checked" in info.flags:
            node.attrs["checked"] = ""
        if (twin := _twin_of(node, parent, loose)) is not None:
            twin.row, twin.name = row, twin.name or node.name
            continue
        parent.children.insert(_place_of(row, parent), node)
        if info.weak:
            _adopt(node, row, parent, rows)


def _twin_of(node: Node, parent: Node, loose: Sequence[Node]) -> Node | None:
    """Return the control without a ref that is an element which the snapshot seems to lack."""
    alike = [each for each in loose if each.row is None and each.role == node.role]
    named = [each for each in alike if node.name and each.name == node.name]
    return next(iter(named or [each for each in alike if each in parent.children]), None)


def _place_of(row: Row, parent: Node) -> int:
    for at, child in enumerate(parent.children):
        if child.row and (child.row.frame, child.row.order) > (row.frame, row.order):
            return at
    return len(parent.children)


def _adopt(node: Node, row: Row, parent: Node, rows: Sequence[Row]) -> None:
    """Move nodes of an inserted element that the snapshot lists beside it into that element."""
    for each in [*parent.children]:
        if each.row and each.row.frame == row.frame and row in outwards(each.row.parent, rows):
            parent.children.remove(each)
            node.name = ""
            node.children.append(each)
