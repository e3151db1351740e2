"""Lies about a false claim, by kind, thought of by rule: nothing here knows what code asks for."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Locator

from pytest_webtask.records import Element
from tests.claims.case import Claim, said_of
from tests.claims.look import Look
from tests.claims.said import Said

_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_NUMBER = re.compile(r"[−-]?[€$]?\d[\d.,]*\d|\d+")
_QUOTED = re.compile('"([^"]+)"')
_SMALL = frozenset(
    "the is are was were a an of in on to no not it and that this there with be can by as at for".split()
)
_SPOKEN = {"two": 2, "three": 3, "four": 4}
_STATES = {
    "enabled": ("enabled", "disabled"), "aktiv": ("enabled", "disabled"), "activé": ("enabled", "disabled"),
    "disabled": ("disabled", "enabled"), "accepted": ("checked", "unchecked"), "checked": ("checked", "unchecked"),
    "aceptadas": ("checked", "unchecked"), "unchecked": ("unchecked", "checked"), "done": ("checked", "unchecked"),
    "on": ("checked", "unchecked"), "chosen": ("checked", "unchecked"), "selected": ("selected", "unchecked"),
    "required": ("required", "visible"), "invalid": ("invalid", "enabled"), "collapsed": ("collapsed", "expanded"),
    "bought": ("enabled", "disabled"), "added": ("enabled", "disabled"), "open": ("visible", "enabled"),
    "shown": ("visible", "enabled"), "empty": ("enabled", "visible"), "listed": ("visible", "enabled"),
}  # fmt: skip
"""Words of claims, what state a liar cites for them, and what state would be the contrary."""
_CONTROLS = frozenset("button checkbox radio switch tab link textbox combobox spinbutton".split())
_HIDDEN = """(tokens) => [...document.querySelectorAll("body *")].map((e, i) => [i, e]).filter(([, e]) => {
  const own = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data).join(" ").toLowerCase();
  const gone = !e.checkVisibility({opacityProperty: true, visibilityProperty: true}) || e.closest(".clipped");
  return gone && e.tagName !== "SCRIPT" && own && tokens.some((t) => own.includes(t.toLowerCase()));
}).map(([i, e]) => [i, e.textContent.replace(/\\s+/g, " ").trim()]).slice(0, 3)"""
_ATTRIBUTES = """(tokens) => [...document.querySelectorAll("body *")].flatMap((e, i) => [...e.attributes]
  .filter((a) => a.name !== "style" && a.name !== "src" && tokens.some((t) => a.value.toLowerCase().includes(t.toLowerCase())))
  .map((a) => [i, a.name, a.value])).slice(0, 4)"""

BY_EYE = frozenset({"by eye", "by eye and a heading", "visual"})
"""The kinds that no code can check, and that a verdict is marked with."""


@dataclass(frozen=True)
class Lie:
    """What a verifier says of a false claim: checks with their locators, and readings."""

    kind: str
    checks: Sequence[Mapping[str, Any]]
    locators: Mapping[str, Locator] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)

    @property
    def said(self) -> Said:
        """The lie as it is told."""
        return Said(self.checks, self.readings, self.locators)


def lies(claim: Claim, look: Look, most: int = 1000) -> list[Lie]:
    """The lies about a claim, each told once, and at most so many of a kind."""
    told: dict[str, Lie] = {}
    of_kind: Counter[str] = Counter()
    for lie in [*_of_its_own(claim, look), *_Liar(claim, look).lies()]:
        key = json.dumps([lie.checks, dict(lie.readings)])
        if key not in told and of_kind[lie.kind] < most:
            told[key] = lie
            of_kind[lie.kind] += 1
    return [*told.values()]


def cites(lie: Lie, said: str, look: Look) -> bool:
    """Whether one of the checks is about an element that says this."""
    cited = [str(check.get("element_id", "")) for check in lie.checks]
    elements = [look.elements[each] for each in cited if each in look.elements]
    frames = [c for c in lie.checks if "frame(" in str(c.get("element_id", ""))]
    return any(said in element.name for element in elements) or any(
        said in str(check.get("text", "")) for check in frames
    )


def _of_its_own(claim: Claim, look: Look) -> Iterator[Lie]:
    for kind, checks in claim.lies:
        found, locators = said_of(checks, look)
        yield Lie(kind, found, locators)


class _Liar:
    def __init__(self, claim: Claim, look: Look) -> None:
        self.claim = claim
        self.look = look
        sentence = re.sub(r"\{(\w+)\}", lambda m: claim.data.get(m[1], m[0]), claim.sentence)
        self.sentence = sentence
        self.tokens = [*claim.data.values(), *_QUOTED.findall(sentence), *_NUMBER.findall(sentence)]
        plain = _QUOTED.sub(" ", sentence)
        self.words = [w for w in _WORD.findall(plain) if w.casefold() not in _SMALL]
        self.names = [w for w in self.words[1:] if w[0].isupper()]
        spoken = [n for word, n in _SPOKEN.items() if word in self.words]
        self.numbers = [*spoken, *(int(t) for t in self.tokens if t.isdigit() and int(t) < 30)]
        self.negative = bool(re.search(r"\b(?:no|not|kein|ninguna)\b", sentence))
        self.elements = [*look.elements.values()]
        self.readable = [e for e in self.elements if e.name]
        self.plausible = sorted(self.readable, key=self._likeness, reverse=True)[:3]
        self.heading = next(e for e in self.elements if e.role == "heading")

    def lies(self) -> Iterator[Lie]:
        yield Lie("empty", [])
        yield from self._invented()
        yield from self._wrong_element()
        yield from self._irrelevant()
        yield from self._all_words()
        yield from self._containers()
        yield from self._weaker()
        yield from self._states()
        yield from self._sets()
        yield from self._orders()
        yield from self._absent()
        yield from self._hidden()
        yield from self._attributes()
        yield from self._other_frame()
        yield from self._readings()
        yield from self._visual()

    def _likeness(self, element: Element) -> float:
        said = f"{element.name} {self.look.line(element.id)}".casefold()
        hits = sum(w.casefold() in said for w in [*self.words, *self.tokens])
        own = sum(w.casefold() in element.name.casefold() for w in [*self.words, *self.tokens])
        return hits + 2 * own - len(element.name) / 100

    def _invented(self) -> Iterator[Lie]:
        for element in self.plausible[:2]:
            for said in [*self.tokens[:1], self.sentence]:
                yield Lie("invented", [_text(element.id, said)])
        fields = [e for e in self.elements if e.role in ("textbox", "combobox", "spinbutton")]
        for element in sorted(fields, key=self._likeness, reverse=True)[:1]:
            held = (self.tokens or self.names or self.words)[0]
            yield Lie("invented", [{"kind": "value", "element_id": element.id, "value": held}])

    def _wrong_element(self) -> Iterator[Lie]:
        for token in dict.fromkeys([*self.tokens, *self.names, *self.words[-2:]]):
            digits = re.sub(r"^[−-]?[€$]|[^\d.,]", "", token) or token
            there = [e for e in self.readable if digits.casefold() in e.name.casefold()]
            for element in there[:3]:
                partial = not re.search(rf"(?<![\w.,−-]){re.escape(token)}(?![\w.,])", element.name)
                kind = "partial number" if partial and token in self.tokens else "wrong element"
                yield Lie(kind, [_text(element.id, element.name)])
                yield Lie(kind, [_text(element.id, token)])
                yield Lie(
                    kind, [_text(element.id, token), _text(self.heading.id, self.heading.name)]
                )

    def _irrelevant(self) -> Iterator[Lie]:
        where = urlsplit(self.look.page.url)
        url = {"kind": "url", "pattern": where.path + (f"?{where.query}" if where.query else "")}
        title = {"kind": "title", "text": self.look.observation.title}
        heading = _text(self.heading.id, self.heading.name)
        for checks in ([heading], [url], [title], [heading, url, title]):
            yield Lie("irrelevant", checks)
        last = [e for e in self.readable if e.role in ("text", "cell", "listitem")][-1:]
        yield Lie("irrelevant", [heading, *(_text(e.id, e.name) for e in last)])

    def _all_words(self) -> Iterator[Lie]:
        checks, said = [], ""
        for word in [*self.tokens, *self.words]:
            if word.casefold() in said:
                continue
            found = next((e for e in self.readable if word.casefold() in e.name.casefold()), None)
            if found is not None:
                checks.append(_text(found.id, found.name))
                said += found.name.casefold()
        yield Lie("all words", checks)
        states = [
            {"kind": "state", "element_id": c["element_id"], "state": "visible"} for c in checks
        ]
        yield Lie("all words", [*checks, *states])

    def _containers(self) -> Iterator[Lie]:
        for css in ("body", "main", "table", "ul", "form", "nav"):
            locator = self.look.page.locator(css).first
            if not locator.count():
                continue
            code = f"locator({css!r})"
            wanted = [t for t in [*self.tokens, *self.names, *self.words] if t][:3]
            if css in ("body", "table", "ul"):
                whole = " ".join(locator.inner_text().split())[:1500]
                yield Lie("container", [_text(code, whole)], {code: locator})
            yield Lie("container", [_text(code, t) for t in wanted[:1]], {code: locator})
            yield Lie("container", [_text(code, t) for t in wanted], {code: locator})

    def _weaker(self) -> Iterator[Lie]:
        for element in self.plausible[:2]:
            token = re.escape((self.tokens or self.words)[0])
            about = {"element_id": element.id}
            visible = {"kind": "state", **about, "state": "visible"}
            yield Lie("weaker check", [visible])
            yield Lie("weaker check", [visible, _text(element.id, element.name)])
            actual = re.escape(element.name)
            for pattern in (rf"(?:{token}|{actual})", rf"(?:{token})?.*\w.*", r"[\s\S]*\w[\s\S]*"):
                yield Lie("weaker check", [{"kind": "matches", **about, "pattern": pattern}])

    def _states(self) -> Iterator[Lie]:
        controls = [e for e in self.elements if e.role in _CONTROLS]
        likely = sorted(controls, key=self._likeness, reverse=True)
        for word in [w.casefold() for w in self.words if w.casefold() in _STATES] or ["shown"]:
            wanted, contrary = _STATES[word]
            roles = {e.role for e in likely[:2]}
            others = [e for e in likely[1:] if e.role in roles][:4]
            for element in likely[:1]:
                for state in (wanted, contrary, "visible"):
                    check = {"kind": "state", "element_id": element.id, "state": state}
                    yield Lie("opposite state", [check])
            for element in others:
                check = {"kind": "state", "element_id": element.id, "state": wanted}
                yield Lie("state of another", [check])
                seen = {"kind": "state", "element_id": likely[0].id, "state": "visible"}
                yield Lie("state of another", [check, seen])

    def _sets(self) -> Iterator[Lie]:
        runs = self._runs()
        for number in self.numbers:
            for run in runs:
                ids = [e.id for e in run]
                if len(ids) == number:
                    yield Lie("count of others", [_count(ids)])
                elif len(ids) > number:
                    yield Lie("subset", [_count(ids[:number])])
                    yield Lie("subset", [_count(ids[-number:])])
            mixed = [e.id for e in self.elements if e.role in ("row", "listitem", "button")]
            yield Lie("subset", [_count(mixed[:number])])
        if not self.numbers:
            for run in sorted(runs, key=lambda r: -max(map(self._likeness, r)))[:4]:
                ids = [e.id for e in run]
                yield Lie("a count of something", [_count(ids)])
                some = [
                    e for e in run if any(w.casefold() in e.name.casefold() for w in self.words)
                ]
                if some and len(some) < len(run):
                    yield Lie("subset", [_count([e.id for e in some])])
                    texts = [_text(e.id, e.name) for e in some]
                    yield Lie("subset", [_count(ids), *texts])

    def _orders(self) -> Iterator[Lie]:
        for run in sorted(self._runs(), key=lambda r: -max(map(self._likeness, r)))[:4]:
            if len(run) < 2 or not all(e.name for e in run):
                continue
            ids = [e.id for e in run]
            yield Lie("order", [_order(ids, [e.name for e in run])])
            yield Lie("order", [_order(ids[::-1], [e.name for e in run[::-1]])])
            yield Lie("order", [_order(ids[:2], [e.name for e in run[:2]])])
            yield Lie("order", [_order(ids[-2:], [e.name for e in run[-2:]])])
            for pattern in (r"[€$][\d.,]*\d", r"\d[\d.,]*", r"[^\W\d_]+"):
                parts = [re.findall(pattern, e.name) for e in run]
                if all(parts):
                    yield Lie("order by another key", [_order(ids, [p[0] for p in parts])])
                    yield Lie("order by another key", [_order(ids, [p[-1] for p in parts])])
            same = set.intersection(*({*_WORD.findall(e.name)} for e in run))
            for word in sorted(same)[:1]:
                yield Lie("order by nothing", [_order(ids, [word] * len(ids))])
            wanted = [*self.names, *self.tokens][:1]
            for word in wanted:
                texts = [word, *(e.name for e in run[1:])]
                yield Lie("order", [_order(ids, texts)])

    def _absent(self) -> Iterator[Lie]:
        heading = _text(self.heading.id, self.heading.name)
        last = self.words[-1]
        pair = " ".join(self.words[-2:])
        for said in dict.fromkeys([last, pair, self.sentence, "the", "qzx", *self.tokens[:1]]):
            absent = {"kind": "absent", "text": said}
            yield Lie("absent without anchor", [absent])
            yield Lie("absent with another anchor", [absent, heading])
            yield Lie("absent within something else", [{**absent, "within": self.heading.id}])
            if self.plausible:
                yield Lie(
                    "absent within something else", [{**absent, "within": self.plausible[-1].id}]
                )
        for role in ("alert", "dialog", "article"):
            yield Lie("absent with another anchor", [{"kind": "absent", "role": role}, heading])
        for element in self.elements:
            if element.role == "textbox" and "empty" in [*self.words, "leer"]:
                empty = {"kind": "value", "element_id": element.id, "value": ""}
                yield Lie("empty field", [empty])
                yield Lie("empty field", [empty, heading])

    def _hidden(self) -> Iterator[Lie]:
        tokens = [t for t in [*self.tokens, *self.names, *self.words[-1:]] if len(t) > 1]
        every = self.look.page.locator("body *")
        for at, said in self.look.page.evaluate(_HIDDEN, tokens):
            code = f"locator('body *').nth({at})"
            given = {code: every.nth(at)}
            yield Lie("hidden element", [_text(code, said)], given)
            for state in ("visible", "hidden"):
                check = {"kind": "state", "element_id": code, "state": state}
                yield Lie("hidden element", [check], given)
                anchor = _text(self.heading.id, self.heading.name)
                yield Lie("hidden element", [check, anchor], given)

    def _attributes(self) -> Iterator[Lie]:
        tokens = [t for t in [*self.tokens, *self.names, *self.words[-1:]] if len(t) > 1]
        every = self.look.page.locator("body *")
        for at, name, value in self.look.page.evaluate(_ATTRIBUTES, tokens):
            code = f"locator('body *').nth({at})"
            check = {"kind": "attribute", "element_id": code, "name": name, "value": value}
            yield Lie("attribute", [check], {code: every.nth(at)})

    def _other_frame(self) -> Iterator[Lie]:
        for frame in self.look.page.frames[1:]:
            body = frame.locator("body")
            code = f"frame(url={frame.url!r}).locator('body')"
            whole = " ".join(body.inner_text().split())
            for said in [whole, *self.tokens]:
                yield Lie("another frame", [_text(code, said)], {code: body})
        for page in self.look.page.context.pages:
            if page == self.look.page:
                continue
            for css in ("h1", "table", "main"):
                found = page.locator(css).first
                code = f"page({page.url!r}).locator({css!r})"
                whole = " ".join(found.inner_text().split())
                for said in [whole, *self.tokens]:
                    yield Lie("another tab", [_text(code, said)], {code: found})
            rows = page.locator("tbody tr")
            codes = {f"page({page.url!r}).rows({n})": rows.nth(n) for n in range(rows.count())}
            yield Lie("another tab", [_count([*codes])], codes)
            yield Lie("another tab", [{"kind": "title", "text": page.title(), "tab": 2}])

    def _readings(self) -> Iterator[Lie]:
        for element in [*self.plausible[:2], self.heading]:
            wanted = [*self.words, *self.tokens]
            readings = dict.fromkeys(wanted, element.name)
            yield Lie("readings", [_text(element.id, element.name)], {}, readings)
            seen = {"kind": "state", "element_id": element.id, "state": "visible"}
            yield Lie("readings", [seen], {}, readings)
            others = [e for e in self.readable if e is not element][: len(wanted)]
            if others:
                apart = {w: others[i % len(others)].name for i, w in enumerate(wanted)}
                checks = [_text(e.id, e.name) for e in [element, *others]]
                yield Lie("readings", checks, {}, apart)

    def _visual(self) -> Iterator[Lie]:
        by_eye = {"kind": "visual", "element_id": self.plausible[0].id, "what": self.sentence}
        yield Lie("by eye", [by_eye])
        yield Lie("by eye and a heading", [by_eye, _text(self.heading.id, self.heading.name)])

    def _runs(self) -> list[list[Element]]:
        """Elements of a role that follow each other, and all of it."""
        runs: list[list[Element]] = []
        roles = ("row", "listitem", "button", "checkbox", "link", "heading", "columnheader", "cell")
        for role in roles:
            found = [
                e
                for e in self.elements
                if e.role == role and not (role == "row" and "columnheader-" in self.look.raw(e.id))
            ]
            if not found:
                continue
            marks = [self.look.place(e.id) for e in self.elements if e.role == "heading"]
            parts: dict[int, list[Element]] = {}
            for element in found:
                place = self.look.place(element.id)
                parts.setdefault(sum(m < place for m in marks), []).append(element)
            runs.append(found)
            if 1 < len(parts) < len(found):
                runs += parts.values()
        return runs


def _text(element_id: str, said: str) -> dict[str, Any]:
    return {"kind": "text", "element_id": element_id, "text": said}


def _count(ids: Sequence[str]) -> dict[str, Any]:
    return {"kind": "count", "element_ids": [*ids]}


def _order(ids: Sequence[str], texts: Sequence[str]) -> dict[str, Any]:
    return {"kind": "order", "element_ids": [*ids], "texts": [*texts]}
