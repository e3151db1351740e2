"""Redaction of snapshots: masks secrets, passwords and redacted elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Page

from pytest_webtask.data.masking import AnyFinder, find_spans, finders, merge_spans, replace_spans
from pytest_webtask.data.values import REDACTED, Data
from pytest_webtask.page.frames import FramePlace, Numbers, as_json, redacted_in
from pytest_webtask.page.outline import GLYPHS
from pytest_webtask.page.snapshot import Node, Part, Row, in_order, split

_FIELDS = ("textbox", "searchbox", "spinbutton", "combobox")
_CUTS = {"name": 120, "value": 500, "key": 200, "placeholder": 120, "pattern": 60, "called": 60}
_TEXTS_AT_MOST = 500


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
            self.numbers.setdefault(document, set()).update(numbers)

    def arguments(self, place: FramePlace) -> dict[str, Any]:
        """Return the arguments for the engine's walk through a frame."""
        if not self._data.hides:
            return {}
        return {"whole": True, "redacted": as_json(self.numbers), "all": place.hidden}

    def add_walk(
        self,
        walk: dict[str, Any],
        rows: list[Row],
        refs: dict[str, Node],
        parts: list[tuple[int, list[Part]]],
    ) -> None:
        """Record the result of the engine's walk through a frame."""
        for index, some in parts:
            if node := _node_of(rows, index, refs):
                self._parts.append((node, some))
        if not self._data.hides:
            return
        self._rows += [row for row in rows if row.info]
        for index, texts in walk["covered"]:
            self._texts.update(dict.fromkeys(texts))
            node = refs.get(rows[index].ref)
            if node is not None:
                self._roots.append(node)
        for index, texts in walk["flat"]:
            # The snapshot has its text in the line of another element.
            self._texts.update(dict.fromkeys(texts))
            if node := _node_of(rows, index, refs):
                self._flat.append(node)

    def hide(self, root: Node) -> None:
        """Mask everything that must be hidden, in the tree and its rows."""
        nodes = list(in_order(root))
        for node in nodes:
            if "filled" in node.info:
                node.text, node.children = "", []
        parted = list(self._parted())
        self._hide(root, nodes)
        for node, each, before, parts in parted:
            # Masked text must not be split.
            if (each.text or each.name) == before:
                split(node, each, [(self._data.scrub(text), row) for text, row in parts])

    def _parted(self) -> Iterator[tuple[Node, Node, str, list[Part]]]:
        """Yield nodes with joined texts: parent, node, text and parts."""
        for node, parts in self._parts:
            joined = _without_blanks("".join(text for text, _ in parts))
            shown = [(text.replace("\n", " / "), row) for text, row in parts]
            for each in (node, *(c for c in node.children if not c.ref)):
                # A control shows its text as its name.
                named = each is node and not each.children
                text = each.text or (each.name if named else "")
                if each.role not in _FIELDS and _without_blanks(text) == joined:
                    yield node, each, text, shown

    def _hide(self, root: Node, nodes: list[Node]) -> None:
        if not self._data.hides:
            return
        if self._data.redact.has_locators:
            self._redact(root, nodes)
        self._scrub(nodes)
        for row in self._rows:
            info = row.info or {}
            for key, length in _CUTS.items():
                if isinstance(info.get(key), str):
                    info[key] = info[key][:length]

    def _redact(self, root: Node, nodes: list[Node]) -> None:
        parents = {id(child): node for node in nodes for child in node.children}
        for top in self._roots:
            for node in in_order(top):
                _blank(node)
        known = [t for t in self._texts if t != REDACTED]
        self._data.learn(known)
        kinds = list(finders(dict.fromkeys(known[-_TEXTS_AT_MOST:], REDACTED)))
        around: dict[int, Node] = {}
        for node in (*self._roots, *self._flat):
            up: Node | None = node
            while up is not None and id(up) not in around:
                around[id(up)] = up
                up = parents.get(id(up))
        for node in around.values():
            for each in (node, *(c for c in node.children if not c.ref)):
                each.name, each.text = _without(each.name, kinds), _without(each.text, kinds)
        for node in self._flat:
            carriers = [node, *(c for c in node.children if not c.ref)]
            if not any(REDACTED in n.text or REDACTED in n.name for n in carriers):
                # One of these must contain its text.
                for each in carriers:
                    _blank(each)
        for node in nodes:
            info = node.info
            name = str(info.get("name") or "")
            if node.name and REDACTED in name and REDACTED not in node.name:
                node.name = name
            if node.ref and node.row is None and node is not root:
                # The node disappeared meanwhile, or its frame does not answer.
                _blank(node)

    def _scrub(self, nodes: list[Node]) -> None:
        data = self._data
        infos = [row.info for row in self._rows if row.info]
        shown = [(node, "name") for node in nodes if node.name]
        shown += [(node, "text") for node in nodes if node.text]
        urls = [(n, k) for n in nodes for k in n.attrs if k.startswith("/")]
        rows = [(info, key) for info in infos for key in _CUTS if info.get(key)]
        old = [getattr(node, key) for node, key in shown]
        old += [node.attrs[key] for node, key in urls] + [str(info[key]) for info, key in rows]
        new = data.scrub_parts(old)
        for (node, key), text in zip(shown, new, strict=False):
            setattr(node, key, text)
        for (node, key), text in zip(urls, new[len(shown) :], strict=False):
            node.attrs[key] = text
        for (info, key), text in zip(rows, new[len(shown) + len(urls) :], strict=True):
            info[key] = text
        fields = [n for n in nodes if n.text and n.role in _FIELDS]
        for node in fields:
            node.text = data.scrub_field(node.text)
        for info in infos:
            if info.get("value"):
                info["value"] = data.scrub_field(info["value"])
        # A secret may be split over elements: letters in bold, a field for each digit.
        self._across([n for n in nodes if n.text or (n.name and not n.children)], "\n")
        self._across(fields, "\n")
        if data.redact.has_patterns:
            for node in nodes:
                some = [c for c in node.children if not c.children and (c.text or c.name)]
                if len(some) > 1:
                    self._across(some, "")

    def _across(self, nodes: list[Node], glue: str) -> None:
        old = [node.text or node.name for node in nodes]
        masked = self._data.found(old, glue)
        for index, spans in masked.items():
            text = replace_spans(old[index], spans)
            node = nodes[index]
            info = node.info
            for key in _CUTS:
                if info.get(key) == old[index]:
                    info[key] = text
            if node.name == old[index]:
                node.name = text
            if node.text:
                node.text = text


def _node_of(rows: list[Row], index: int, refs: dict[str, Node]) -> Node | None:
    """Return the node of a row or of its nearest ancestor in the snapshot, which omits wrappers."""
    while index >= 0 and rows[index].ref not in refs:
        index = rows[index].parent
    return refs[rows[index].ref] if index >= 0 else None


def _without_blanks(text: str) -> str:
    return "".join(GLYPHS.sub("", text).split())


def _blank(node: Node) -> None:
    node.hidden = True
    node.name, node.text = node.name and REDACTED, node.text and REDACTED
    for key in node.attrs:
        if key.startswith("/"):
            node.attrs[key] = REDACTED
    info = node.info
    for key in _CUTS:
        if info.get(key):
            info[key] = REDACTED


def _without(text: str, kinds: list[AnyFinder]) -> str:
    return replace_spans(text, merge_spans(find_spans(kinds, text))) if text else text
