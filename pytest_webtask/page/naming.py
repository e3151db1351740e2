"""Which nodes of a snapshot get an id: those that can be operated, and those that can be cited."""

from __future__ import annotations

from pytest_webtask.page.snapshot import Node

OPERABLE = frozenset(
    "button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option slider"
    " spinbutton combobox searchbox textbox treeitem listbox scrollbar".split()
)
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
    " status table definition term figure".split()
)
"""Roles of what has an id to be cited by, whether it has a text of its own or not."""


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
    order = [node]
    for each in order:
        order.extend(each.children)
    return order[1:]


def text_of(node: Node) -> str:
    """What the element says, cut off where it gets long."""
    if node.role in ("textbox", "searchbox", "spinbutton"):
        return ""
    texts = [n.text or (n.name if not n.children else "") for n in (node, *_below(node))]
    return " ".join(filter(None, texts))[:200]


def readable(node: Node, told: bool) -> bool:
    """Whether a node that cannot be operated is one to be read and cited.

    A word that is only emphasized is cited with what it stands in, if that is `told`.
    """
    if node.row is None or (told and node.role in INLINE):
        return False
    if node.text or any(child.role == "text" for child in node.children):
        return True
    if node.role in ("listitem", "cell", "gridcell") and len(node.children) < 2:
        # What it holds has an id, or nothing to say.
        return bool(node.name and not node.children)
    return node.role in _READ or (node.role in ("img", "image") and bool(node.name))
