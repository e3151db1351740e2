"""Everything true that can be said of a page in checks: what a lie may be put together from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Locator
from pydantic import TypeAdapter, ValidationError

from pytest_webtask.checks import kinds
from pytest_webtask.checks.finding import NotFound, ask, cited
from pytest_webtask.checks.running import Answer
from pytest_webtask.records import Element
from pytest_webtask.tools.hands import Hands
from tests.claims.look import Look

_CHECK: TypeAdapter[Any] = TypeAdapter(kinds.Check)
_FIELDS = frozenset("textbox searchbox spinbutton combobox slider".split())
_STATES = {
    "checkbox": ("checked", "unchecked"),
    "switch": ("checked", "unchecked"),
    "radio": ("checked", "unchecked"),
    "tab": ("selected",),
    "button": ("expanded", "collapsed"),
    "summary": ("expanded", "collapsed"),
    "textbox": ("required", "invalid"),
    "combobox": ("invalid",),
}
_AMOUNT = re.compile(r"[−-]?[€$]\s?[\d.,]*\d|[\d.,]*\d\s?€")
_NUMBER = re.compile(r"\d[\d.,]*")
_ATTRIBUTES = """() => [...document.querySelectorAll("body *")].flatMap((e, i) => [...e.attributes]
  .filter((a) => /^(title|alt|placeholder|href|data-|aria-(?!controls|labelledby|describedby)|class|name|id$|lang)/.test(a.name) && a.value)
  .map((a) => [i, a.name, a.value])).slice(0, 120)"""


@dataclass(frozen=True)
class Probe:
    """A check that holds, and what code knows of it. `locators` belong to its elements."""

    kind: str
    check: Mapping[str, Any]
    answer: Answer
    locators: Mapping[str, Locator] = field(default_factory=dict)


class Pool:
    """The checks that hold on one page."""

    def __init__(self, hands: Hands, look: Look) -> None:
        self._hands = hands
        self._look = look
        self.page = look.page
        self.words = hands.words()
        self.all: list[Probe] = []
        self.sets: list[tuple[list[Element], Probe]] = []
        elements = [*look.elements.values()][:170]
        self._texts: dict[str, str] = {}
        for element in elements:
            self._one(element)
        self._sets(elements)
        for ids, _ in [*self.sets]:
            self._orders(ids)
        self._page()
        self._attributes()

    @property
    def texts(self) -> list[Probe]:
        """Those that are about what an element says."""
        return [probe for probe in self.all if probe.check["kind"] == "text"]

    def add(
        self, kind: str, check: Mapping[str, Any], locators: Mapping[str, Locator] | None = None
    ) -> Probe | None:
        """Keep the check if it holds."""
        probe = self.probe(kind, check, locators or {})
        if probe is not None:
            self.all.append(probe)
        return probe

    def probe(
        self, kind: str, check: Mapping[str, Any], locators: Mapping[str, Locator]
    ) -> Probe | None:
        """The check if it holds."""
        try:
            asked = _CHECK.validate_python(dict(check))
        except ValidationError:
            return None
        answer = self._hands.checker(locators).run(asked)
        return Probe(kind, check, answer, locators) if answer.holds else None

    def said_by(self, element_id: str) -> str:
        """All that an element says."""
        return self._texts.get(element_id, "")

    def _one(self, element: Element) -> None:
        about = {"element_id": element.id}
        pages = [*self._hands.tabs.pages.values()]
        try:
            facts = cited(self._hands.observer, pages, [element.id], {})[0].facts
        except NotFound:
            return
        self._texts[element.id] = facts.text
        if element.role in _FIELDS:
            known = self._hands.observer.known[element.id]
            held = str(ask(known.frame, "value", {"number": known.number}) or "")
            self.add("value", {"kind": "value", **about, "value": held})
            self.add("wide", {"kind": "matches", **about, "pattern": r"[\w@.]*\w"})
        elif facts.text:
            self.add("text", {"kind": "text", **about, "text": facts.text[:300]})
        for state in _STATES.get(element.role, ()):
            self.add("state", {"kind": "state", **about, "state": state})
        if element.role in _FIELDS or element.role in _STATES or element.role == "link":
            for state in ("enabled", "disabled", "visible"):
                self.add("state", {"kind": "state", **about, "state": state})
        elif element.role in ("dialog", "alert", "status", "heading"):
            self.add("state", {"kind": "state", **about, "state": "visible"})

    def _sets(self, elements: Iterable[Element]) -> None:
        groups: dict[tuple[str, ...], list[Element]] = {}
        held: dict[tuple[str, int, str], list[Element]] = {}
        for element in elements:
            known = self._hands.observer.known[element.id]
            if element.role in ("text", "drag", "element"):
                continue
            if element.role == "row" and "columnheader-" in self._look.raw(element.id):
                continue
            around = ask(known.frame, "containers", {"numbers": [known.number]}) or []
            for number in [*(each[0] for each in around), 0]:
                held.setdefault((element.role, number, ""), []).append(element)
                if element.name and element.role not in ("row", "listitem"):
                    held.setdefault((element.role, number, element.name), []).append(element)
        for members in held.values():
            groups.setdefault(tuple(e.id for e in members), members)
        for ids, members in groups.items():
            if len(ids) <= 40:
                probe = self.add("count", {"kind": "count", "element_ids": [*ids]})
                if probe:
                    self.sets.append((members, probe))

    def _orders(self, members: Sequence[Element]) -> None:
        if not 2 <= len(members) <= 30:
            return
        ids = [e.id for e in members]
        texts = [self.said_by(i) for i in ids]
        if not all(texts):
            return
        found = [texts]
        for pattern in (_AMOUNT, _NUMBER, re.compile(r"[^\W\d_]+")):
            for at in (0, -1):
                parts = [pattern.findall(text) for text in texts]
                if all(parts):
                    found.append([part[at] for part in parts])
        common = set.intersection(*({*re.findall(r"[^\W\d_]+", text)} for text in texts))
        found += [[word] * len(texts) for word in sorted(common)[:3]]
        for each in dict.fromkeys(map(tuple, found)):
            self.add("order", {"kind": "order", "element_ids": ids, "texts": [*each]})
        for part in (slice(0, 2), slice(-2, None)):
            if len(ids) > 2:
                given = {"element_ids": ids[part], "texts": texts[part]}
                self.add("part", {"kind": "order", **given})

    def _page(self) -> None:
        path = urlsplit(self._look.page.url)
        self.add(
            "url", {"kind": "url", "pattern": path.path + (f"?{path.query}" if path.query else "")}
        )
        self.add("title", {"kind": "title", "text": self._look.page.title()})

    def _attributes(self) -> None:
        every = self._look.page.locator("body *")
        for at, name, value in self._look.page.evaluate(_ATTRIBUTES):
            code = f"locator('body *').nth({at})"
            check = {"kind": "attribute", "element_id": code, "name": name, "value": value}
            self.add("attribute", check, {code: every.nth(at)})
