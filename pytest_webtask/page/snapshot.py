"""Parser for Playwright's AI snapshot (`aria_snapshot(mode="ai")`)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from pytest_webtask.types.page import Box

OPERABLE = frozenset(
    "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option slider"
    " spinbutton combobox searchbox textbox treeitem listbox scrollbar".split()
)
_KEY = re.compile(r'(?P<role>/?[\w-]+)(?: (?P<name>"(?:[^"\\]|\\.)*"))?(?P<attrs>(?: \[[^\]]*\])*)')
_HEX = re.compile(r"((?:^|[^\\])(?:\\\\)*)\\x([0-9a-f]{2})")
_ATTR = re.compile(r"\[([\w-]+)(?:=([^\]]*))?\]")


class Node:
    """A line of the snapshot: an element, or a text with the role "text"."""

    __slots__ = (
        "attrs",
        "children",
        "hidden",
        "item",
        "name",
        "ref",
        "role",
        "row",
        "text",
        "unseen",
    )

    def __init__(self, role: str, name: str = "", text: str = "") -> None:
        self.role = role
        self.name = name
        self.text = text
        self.attrs: dict[str, str] = {}
        self.ref = ""
        self.children: list[Node] = []
        self.row: Row | None = None
        self.hidden = False
        self.item = False
        self.unseen = False

    @property
    def info(self) -> dict[str, Any]:
        """What the engine says of an element that can be operated, {} for any other."""
        return (self.row.info if self.row else None) or {}


class Row:
    """An element in the result of the engine's `walk`."""

    __slots__ = (
        "behind",
        "box",
        "frame",
        "glued",
        "info",
        "marks",
        "number",
        "order",
        "parent",
        "ref",
        "repeated",
    )

    def __init__(
        self, frame: int, order: int, raw: list[Any], on_page: Callable[[Box], Box]
    ) -> None:
        ref, number, x, y, width, height, parent = raw[:7]
        self.frame = frame
        self.order = order
        self.ref: str = ref
        self.number: int = number
        self.box: Box = on_page((x, y, width, height))
        self.parent: int = parent
        self.info: dict[str, Any] | None = raw[7] if len(raw) > 7 else None
        self.repeated = False
        self.marks: tuple[int, ...] = ()
        self.glued: tuple[bool, bool] = (False, False)
        self.behind = False


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
        if node.role.startswith("/"):
            parent.attrs[node.role] = node.text
            continue
        if node.role == "text" and "/placeholder" in parent.attrs:
            # The snapshot lists a field's value below its placeholder.
            parent.text = node.text
            continue
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
    if body.startswith("'"):
        end = 1
        while end < len(body):
            if body[end] == "'":
                if body[end + 1 : end + 2] != "'":
                    break
                end += 1
            end += 1
        key, rest = body[1:end].replace("''", "'"), body[end + 1 :]
    else:
        match = _KEY.match(body)
        key = match.group() if match else ""
        rest = body[len(key) :]
    match = _KEY.match(key)
    if match is None:
        return Node("text", text=body)
    node = Node(match["role"], _string(match["name"] or ""))
    for name, value in _ATTR.findall(match["attrs"]):
        if name == "ref":
            node.ref = value
        else:
            node.attrs[name] = value
    if rest.startswith(":"):
        node.text = _string(rest[1:].strip())
    return node


def _string(text: str) -> str:
    if len(text) > 1 and text[0] == '"' and text[-1] == '"':
        if "\\" not in text:
            return text[1:-1]
        try:
            return str(json.loads(_HEX.sub(r"\1\\u00\2", text), strict=False))
        except ValueError:
            return text[1:-1]
    return text


Part = tuple[str, Row | None]
"""A part of a longer text, with the row of its element if it has its own."""


def split(node: Node, glued: Node, parts: list[Part]) -> None:
    """Replace a joined text of `node` or its child by its parts."""
    if not any(row for _, row in parts):
        if glued.text:
            glued.text = parts[0][0]
        return
    if glued is node and node.text and len(parts) == 1 and node.role not in OPERABLE:
        # The text is the node's only content.
        return
    texts = []
    for text, row in parts:
        texts.append(Node("text", text=text))
        texts[-1].row = row
    if glued is node:
        node.text = ""
        node.children[:0] = texts
    elif glued in node.children:
        at = node.children.index(glued)
        node.children[at : at + 1] = texts


def insert(
    extras: list[Row],
    found: list[Row],
    refs: dict[str, Node],
    root: Node,
    index: int,
    loose: list[Node],
) -> None:
    """Insert elements that the snapshot lacks at their positions among their siblings.

    `loose` lists controls that the snapshot shows without a ref; an element may be one of them.
    """
    for row in extras:
        if row.frame != index:
            continue
        up = row.parent
        nodes_above = None
        while up >= 0 and nodes_above is None:
            nodes_above = refs.get(found[up].ref) if found[up].ref else None
            up = found[up].parent
        parent = nodes_above or root
        info = row.info or {}
        node = Node(str(info.get("role") or "generic"), str(info.get("name") or ""))
        node.row = row
        for flag in info.get("flags", ()):
            if flag == "checked":
                node.attrs["checked"] = ""
        same = [n for n in loose if n.row is None and n.role == node.role]
        named = [n for n in same if n.name and n.name == node.name]
        twin = next(iter(named or [n for n in same if n in parent.children]), None)
        if twin is not None:
            twin.row = row
            twin.name = twin.name or node.name
            continue
        at = len(parent.children)
        for i, child in enumerate(parent.children):
            if child.row is not None and child.row.frame == index and child.row.order > row.order:
                at = i
                break
        parent.children.insert(at, node)
        if info.get("weak"):
            _adopt(node, parent, found)
    extras[:] = [row for row in extras if row.frame != index]


def _adopt(node: Node, parent: Node, found: list[Row]) -> None:
    """Move nodes of an inserted element that the snapshot lists beside it into that element."""

    def inside(row: Row | None) -> bool:
        up = (
            row.parent
            if row is not None and node.row is not None and row.frame == node.row.frame
            else -1
        )
        while up >= 0 and found[up] is not node.row:
            up = found[up].parent
        return up >= 0

    node.children = [child for child in parent.children if inside(child.row)]
    if node.children:
        node.name = ""
        parent.children = [child for child in parent.children if child not in node.children]
