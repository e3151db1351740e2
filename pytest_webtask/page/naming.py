"""Which nodes of a snapshot get an id: those that can be operated, and those that can be cited."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_webtask.page.pieces import GLYPHS
from pytest_webtask.page.snapshot import OPERABLE, Node

PLAIN = frozenset("generic none presentation paragraph strong emphasis mark text time".split())
"""Roles of what is a text and nothing else."""
INLINE = frozenset(
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
    if node.row is None or (cited and node.role in INLINE):
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
    if node.role in INLINE or parts or not (_has_text(node) or _is_read(node)):
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
