"""What claims and readings ask the page: where texts are drawn, and what can be cited of it."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Frame, Locator

from pytest_webtask.checks.context import CheckedElement, address, ask
from pytest_webtask.checks.text import squashed, whole_words
from pytest_webtask.errors import UsageError
from pytest_webtask.models.literal import scripts
from pytest_webtask.models.literal.clauses import Named, Template
from pytest_webtask.models.literal.explain import Wanted, distance
from pytest_webtask.models.literal.look import in_sight
from pytest_webtask.models.literal.queries import Query, frame_code
from pytest_webtask.models.literal.resolve import find
from pytest_webtask.page import engine
from pytest_webtask.records import CheckResult, Turn

__all__ = ["Asker", "Found", "Shown", "line_pattern"]

CHUNK = 0.3
"""Seconds for which a name is looked for before the rest of the sentence has its turn."""
_SLASH = "\ue000"


@dataclass(frozen=True)
class Found:
    """An element of the page, as a script told of it: `path` is the way to it by its place."""

    frame: Frame
    path: str
    role: str = ""
    name: str = ""
    place: str = ""
    text: str = ""

    @classmethod
    def of(cls, frame: Frame, told: Mapping[str, Any]) -> Found:
        """What a script told."""
        return cls(frame, told["path"], told["role"], told["name"], told["place"], told["text"])

    @property
    def locator(self) -> Locator:
        """The element by its place."""
        return self.frame.locator(self.path)

    @property
    def is_input(self) -> bool:
        """Whether it is a button that is an input: what is drawn on it is no text of its own."""
        return re.search(r"(^|[ >])input[^ ]*$", self.path) is not None


@dataclass(frozen=True)
class Shown:
    """Where a text is drawn, and all lines that are, to tell what is there instead."""

    hits: Sequence[Found]
    lines: Sequence[str]
    text: str = ""

    def closest(self, text: str) -> str:
        """The line that is most like a text, "" if none is."""
        lines = [line for line in self.lines if len(line) <= 120][:500]
        near = min(lines, key=lambda line: distance(text, line), default="")
        return near if near and distance(text, near) < 0.5 else ""


@dataclass
class Asker:
    """The page of a turn, until the deadline of its claim.

    Only the `final` look has to say what is there instead of what is claimed.
    """

    turn: Turn
    deadline: float
    final: bool = True
    locators: dict[str, Locator] = field(default_factory=dict)

    def fill(self, template: Template, use: str = "a text to look for") -> str:
        """The text with its placeholders put in.

        Raises UsageError for a secret, and for a text that is empty: anything would show it.
        """
        text = squashed(template.fill(self.turn.data, use))
        if not text:
            raise UsageError(f"{template.raw} is empty and cannot be {use}; give it a value")
        return text

    def keep(self, template: Template) -> str:
        """The text as a check takes it, with its placeholders."""
        return squashed(template.keep(self.turn.data))

    @property
    def waits(self) -> float:
        """Seconds for which the claim is waited for, as they are told."""
        return float(f"{self.turn.timeout:.2g}")

    def wanted(self, named: Named, words: str, *, strict: bool = True) -> Wanted:
        """An element as the sentence names it, its placeholders filled in."""
        return Wanted(
            name=self.fill(named.name, "a name") if named.named else "",
            fit=named.fit,
            role=named.role,
            relation=named.relation,
            of=self.fill(named.of, "a name") if named.of else "",
            of_kind=named.of_kind,
            sentence=words,
            strict=strict,
        )

    def resolve(self, wanted: Wanted) -> Query:
        """The one element that is meant, by the rules of `do`. Raises Unresolved."""
        left = min(max(self.deadline - time.monotonic(), 0.05), CHUNK)
        return find(self.turn.page, wanted, left, waits=self.waits)

    def subject(self, named: Named, words: str) -> tuple[str, Found]:
        """What a field or control is cited by, and what it is. Raises Unresolved."""
        query = self.resolve(self.wanted(named, words))
        handle = query.locator.element_handle(timeout=1000)
        frame = handle.owner_frame()
        assert frame is not None, "an element is in a frame"
        found = Found.of(frame, handle.evaluate(scripts.subject(named.fit)))
        return self.cite(found), found

    def cite(self, found: Found, *said: str) -> str:
        """The code by which checks cite an element; see `address` for `said`."""
        which = ask(found.locator, "which")
        document, number = which["document"], which["number"]
        node = engine.node(found.frame, document, number)
        cited = CheckedElement("", found.frame, document, number, node, found.role, "")
        locator, code = address(cited, said)
        prefix = frame_code(found.frame)
        code = code or f'locator("{found.path}")'
        return self.keep_locator(code if code.startswith(prefix) else f"{prefix}{code}", locator)

    def drawn(self, found: Found) -> str:
        """All that somebody can see of an element's text."""
        ((_, told),) = self._asked([found.locator], {"pattern": "(?!)", "flags": "g"})
        return str(told["text"])

    def keep_locator(self, code: str, locator: Locator) -> str:
        """Keep a locator under its code."""
        self.locators[code] = locator
        return code

    def check(self, *evidence: Mapping[str, Any]) -> Sequence[CheckResult]:
        """What the page says to these checks."""
        return self.turn.check(evidence, self.locators)

    def anchor(self) -> dict[str, Any]:
        """A check that tells which page it is, for what says only that something is not there."""
        url = self.turn.page.url
        if re.match(r"https?://", url):
            return {"kind": "url", "pattern": url}
        # A page without an address of its own, such as one that a test has written.
        code = self.keep_locator('locator("body")', self.turn.page.locator("body"))
        return {"kind": "state", "element_id": code, "state": "visible"}

    def show(
        self, text: str, tops: Sequence[Locator] | None = None, *, anycase: bool = False
    ) -> Shown:
        """Where a text is drawn: below these elements, or anywhere on the page."""
        given = {"pattern": line_pattern(text), "flags": "gi" if anycase else "g"}
        hits: list[Found] = []
        lines: list[str] = []
        whole: list[str] = []
        for frame, told in self._asked(tops, given):
            hits += [Found.of(frame, each) for each in told["hits"]]
            lines += told["lines"]
            whole.append(told["text"])
        return Shown(hits, lines, " ".join(whole))

    def _asked(
        self, tops: Sequence[Locator] | None, given: Mapping[str, Any]
    ) -> Sequence[tuple[Frame, Any]]:
        if tops is None:
            script = f"(given) => ({scripts.show()})(null, given)"
            frames = [f for f in self.turn.page.frames if in_sight(f)]
            return [(frame, frame.evaluate(script, given)) for frame in frames]
        if not tops:
            return []
        handles = [top.element_handle(timeout=1000) for top in tops]
        frame = handles[0].owner_frame()
        assert frame is not None, "an element is in a frame"
        script = f"([found, given]) => ({scripts.show()})(found, given)"
        return [(frame, frame.evaluate(script, [handles, given]))]

    def unseen(self, text: str, top: Locator | None = None) -> list[Found]:
        """The elements that have a text which nobody can see."""
        found = []
        for frame in self.turn.page.frames if top is None else [_frame(top)]:
            scope = top or frame
            query = scope.get_by_text(whole_words(text, anycase=True))
            told = query.evaluate_all(scripts.unseen())
            found += [Found.of(frame, each) for each in told]
        return found


def _frame(locator: Locator) -> Frame:
    frame = locator.element_handle(timeout=1000).owner_frame()
    assert frame is not None, "an element is in a frame"
    return frame


def line_pattern(text: str) -> str:
    """A pattern for a text as whole words that stand in one line, for scripts."""
    pattern = whole_words(squashed(text).replace(" / ", f" {_SLASH} ")).pattern
    return pattern.replace(r"\s+", r"[^\S\n]+").replace(_SLASH, "/")
