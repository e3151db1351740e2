"""Redaction of snapshots: masks secrets, passwords and redacted elements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from playwright.sync_api import Page

from pytest_webtask.data.masking import Finder, find_spans, finders, merge_spans, replace_spans
from pytest_webtask.data.values import REDACTED, Data
from pytest_webtask.page.frames import FramePlace, Numbers, redacted_in
from pytest_webtask.page.outline import GLYPHS
from pytest_webtask.page.snapshot import Control, Node, Part, Row, in_order, node_of, split

_FIELDS = ("textbox", "searchbox", "spinbutton", "combobox")
_TEXTS = ("name", "text", "url")
_CUTS = {"name": 120, "value": 500, "key": 200, "placeholder": 120, "pattern": 60, "called": 60}
"""The texts that the engine tells of a control, and where they are cut once they are masked."""
_TEXTS_AT_MOST = 500

_Place = tuple[Node | Control, str]
"""Where a text is: what holds it, and the attribute."""


class SnapshotRedaction:
    """Redacts one snapshot of a page; free of cost if nothing must be hidden."""

    def __init__(self, page: Page, data: Data) -> None:
        self._page = page
        self._data = data
        self._texts: dict[str, None] = {}
        self._roots: list[Node] = []
        self._flat: list[Node] = []
        self._rows: list[Row] = []
        self._parts: list[tuple[Node, list[Part]]] = []
        self.numbers: Numbers = {}
        self.find()

    def find(self) -> None:
        """Find the redacted elements; call it before and after the snapshot, as the page may change."""
        for document, numbers in redacted_in(self._page, self._data.redact).items():
            self.numbers.setdefault(document, []).extend(numbers)

    def arguments(self, place: FramePlace) -> dict[str, Any]:
        """Return the arguments for the engine's walk through a frame."""
        if not self._data.hides:
            return {}
        return {"whole": True, "redacted": self.numbers, "all": place.hidden}

    def add_walk(
        self,
        walk: dict[str, Any],
        rows: list[Row],
        refs: dict[str, Node],
        parts: list[tuple[int, list[Part]]],
    ) -> None:
        """Record the result of the engine's walk through a frame."""
        for index, some in parts:
            if node := node_of(index, rows, refs):
                self._parts.append((node, some))
        if not self._data.hides:
            return
        self._rows += rows
        for _, texts in (*walk["covered"], *walk["flat"]):
            self._texts.update(dict.fromkeys(texts))
        self._roots += [refs[rows[at].ref] for at, _ in walk["covered"] if rows[at].ref in refs]
        # The snapshot has their texts in the lines of other elements.
        self._flat += filter(None, (node_of(index, rows, refs) for index, _ in walk["flat"]))

    def hide(self, root: Node) -> None:
        """Mask everything that must be hidden, in the tree and its rows."""
        nodes = list(in_order(root))
        for node in nodes:
            if node.info.filled is not None:
                node.text, node.children = "", []
        parted = list(self._parted())
        if self._data.redact.has_locators:
            self._redact(nodes)
            # These disappeared meanwhile, or their frame does not answer.
            _blank(node for node in nodes if node.ref and node.row is None)
        if self._data.hides:
            self._scrub(nodes)
        for node, each, before, parts in parted:
            # Masked text must not be split.
            if (each.text or each.name) == before:
                split(node, each, [(self._data.scrub(text), row) for text, row in parts])

    def _parted(self) -> Iterator[tuple[Node, Node, str, list[Part]]]:
        """Yield nodes with joined texts: parent, node, text and parts."""
        for node, parts in self._parts:
            joined = _without_blanks("".join(text for text, _ in parts))
            shown = [(text.replace("\n", " / "), row) for text, row in parts]
            for each in _carriers(node):
                # A control shows its text as its name.
                text = each.words if each is node else each.text
                if each.role not in _FIELDS and _without_blanks(text) == joined:
                    yield node, each, text, shown

    def _redact(self, nodes: list[Node]) -> None:
        around = self._around(nodes)
        for top in self._roots:
            _blank(in_order(top))
        known = [text for text in self._texts if text != REDACTED]
        self._data.learn(known)
        kinds = finders(dict.fromkeys(known[-_TEXTS_AT_MOST:], REDACTED))
        for each in (carrier for node in around for carrier in _carriers(node)):
            each.name, each.text = _without(each.name, kinds), _without(each.text, kinds)
        for carriers in map(_carriers, self._flat):
            if not any(REDACTED in each.text + each.name for each in carriers):
                # One of these must contain its text.
                _blank(carriers)
        for node in nodes:
            if REDACTED in node.info.name and REDACTED not in node.name:
                node.name = node.info.name

    def _around(self, nodes: Sequence[Node]) -> list[Node]:
        parents = {child: node for node in nodes for child in node.children}
        around: dict[Node, None] = {}
        for node in (*self._roots, *self._flat):
            up: Node | None = node
            while up is not None and up not in around:
                around[up] = None
                up = parents.get(up)
        return list(around)

    def _scrub(self, nodes: list[Node]) -> None:
        data = self._data
        infos = [row.info for row in self._rows if row.info]
        places = [*_places(nodes, _TEXTS), *_places(infos, _CUTS)]
        masked = data.scrub_parts([getattr(*place) for place in places])
        for place, text in zip(places, masked, strict=True):
            setattr(*place, text)
        fields = [node for node in nodes if node.text and node.role in _FIELDS]
        for place in (*_places(fields, ["text"]), *_places(infos, ["value"])):
            setattr(*place, data.scrub_field(getattr(*place)))
        self._scrub_across(nodes, fields)
        for holder, key in _places(infos, _CUTS):
            setattr(holder, key, getattr(holder, key)[: _CUTS[key]])

    def _scrub_across(self, nodes: list[Node], fields: list[Node]) -> None:
        """Mask what is split over elements: letters of a secret in bold, a field for each of its digits."""
        self._across([node for node in nodes if node.words], "\n")
        self._across(fields, "\n")
        for node in nodes if self._data.redact.has_patterns else ():
            self._across([c for c in node.children if c.words and not c.children], "")

    def _across(self, nodes: list[Node], glue: str) -> None:
        old = [node.words for node in nodes]
        for index, spans in self._data.found(old, glue).items():
            node, text = nodes[index], replace_spans(old[index], spans)
            for place in (*_places([node], _TEXTS), *_places([node.info], _CUTS)):
                if getattr(*place) == old[index]:
                    setattr(*place, text)


def _places(holders: Iterable[Node | Control], keys: Iterable[str]) -> list[_Place]:
    return [(holder, key) for key in keys for holder in holders if getattr(holder, key)]


def _carriers(node: Node) -> list[Node]:
    """Return the nodes that may have the text of an element."""
    return [node, *(child for child in node.children if not child.ref)]


def _without_blanks(text: str) -> str:
    return "".join(GLYPHS.sub("", text).split())


def _blank(nodes: Iterable[Node]) -> None:
    for node in nodes:
        node.hidden = True
        for place in (*_places([node], _TEXTS), *_places([node.info], _CUTS)):
            setattr(*place, REDACTED)


def _without(text: str, kinds: list[Finder]) -> str:
    return replace_spans(text, merge_spans(find_spans(kinds, text)))
