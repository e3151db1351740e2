"""The page of a turn, for one look at what a sentence is about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

from playwright.sync_api import Frame, Locator

from pytest_webtask.checks.base import Check, CheckResult
from pytest_webtask.checks.check_context import ask_facts
from pytest_webtask.checks.element import State
from pytest_webtask.checks.page import Url
from pytest_webtask.data.text import squashed
from pytest_webtask.literal.finder import (
    ElementPhrase,
    Match,
    PagePart,
    find_scope,
    look_at,
    unresolved,
)
from pytest_webtask.literal.grammar import Clause, Phrase, Template
from pytest_webtask.page.frames import is_frame_visible
from pytest_webtask.page.recorded_element import RecordedElement
from pytest_webtask.types.agent import Turn


@dataclass
class ClaimContext:
    """The page of a turn and its data, for one look at what a sentence is about.

    Only the `final` look must describe what the page shows instead. What the parts of `scope`, each in the one
    before, don't contain is neither found nor missed. With `now`, messages that have gone by themselves don't count.
    """

    turn: Turn
    final: bool = True
    scope: Sequence[Phrase] = ()
    now: bool = False
    locators: dict[str, Locator | RecordedElement] = field(default_factory=dict)

    def keep(self, template: Template, *, visible: bool = False) -> str:
        """Return the text with its placeholders, as checks take it. Raises UsageError for one that cannot be `visible`."""
        if visible:
            template.fill_in(self.turn.data, "a text to look for")
        return squashed(template.keep(self.turn.data))

    def parameters(self, clause: Clause) -> dict[str, Any]:
        """Return the parameters of a clause that are no elements, as tools and checks take them."""
        given = dict(clause.fixed)
        for name, value in clause.filled.items():
            given[name] = value.fill(self.turn.data, f"a {name}")
        for name, value in clause.typed.items():
            given[name] = value.keep(self.turn.data)
        for name, values in clause.listed.items():
            given[name] = [value.keep(self.turn.data) for value in values]
        return given

    def phrase(self, template: Phrase, *, strict: bool = True) -> ElementPhrase:
        """Return a phrase with its placeholders filled in."""
        return self._filled(template, self.scope, strict=strict)

    def _filled(
        self, template: Phrase, around: Sequence[Phrase], *, strict: bool = True
    ) -> ElementPhrase:
        within = (*around, *template.within)
        given = dict(vars(template))
        for key in ("name", "of"):
            given[key] = given[key] and Template(given[key]).fill_in(self.turn.data, "a name")
        scope = self._filled(within[-1], within[:-1]) if within else None
        waits = float(f"{self.turn.timeout:.2g}")
        return ElementPhrase(**given, strict=strict, scope=scope, waits=waits)

    @cached_property
    def around(self) -> ElementPhrase | None:
        """The part of the page that the sentence is limited to, None for all of it."""
        return self._filled(self.scope[-1], self.scope[:-1]) if self.scope else None

    def called(self, place: ElementPhrase | None) -> str:
        """Return what messages call a place, or where all of the sentence is, if it has none."""
        return str(place or self.around or "the page")

    @cached_property
    def part(self) -> PagePart | None:
        """The part of the page that the sentence is limited to, as found. Raises UnresolvedError."""
        return find_scope(self.turn.page, self.around) if self.around else None

    def find(self, template: Phrase, *, strict: bool = True) -> Match:
        """Return a field or control, found by the rules of `do`. Raises UnresolvedError."""
        phrase = self.phrase(template, strict=strict)
        look = look_at(self.turn.page, phrase)
        if len(look.hits) != 1:
            raise unresolved(self.turn.page, phrase, look, explains=self.final)
        return look.hits[0]

    def cite(self, element: Match) -> str:
        """Return the code by which checks cite an element."""
        return self.keep_locator(*element.found())

    def cite_part(self, part: PagePart | None) -> list[str | None]:
        """Return the codes that cite the elements of a part, None for the page."""
        if part is None:
            return [None]
        return [self.cite(replace(part.first, number=number)) for number in part.numbers]

    def keep_locator(self, code: str, locator: Locator | RecordedElement) -> str:
        """Keep a locator for the checks that cite it, and return its code."""
        self.locators[code] = locator
        return code

    def check(self, *evidence: Check) -> Sequence[CheckResult]:
        """Run checks on the page."""
        return self.turn.check(evidence, self.locators)

    def page_check(self) -> Check:
        """Return a check of which page this is, since an absence alone holds on any page."""
        url = self.turn.page.url
        if re.match(r"https?://", url):
            return Url(pattern=url)
        # A page without an address, such as one from set_content().
        code = self.keep_locator('locator("body")', self.turn.page.locator("body"))
        return State(element_id=code, state="visible")

    def areas(self, part: PagePart | None) -> Sequence[Frame | Locator]:
        """Return the elements of a part, or the frames of the page."""
        return part.tops if part else [*filter(is_frame_visible, self.turn.page.frames)]

    def lines(self, part: PagePart | None) -> list[str]:
        """Return the lines that a part shows, or the page."""
        return [*chain(*(shown_by(area)["lines"] for area in self.areas(part)))]


def shown_by(place: Frame | Locator) -> Any:
    """Return the `text` and the `lines` that a frame or an element shows."""
    return ask_facts(place, "says", {"pattern": "(?!)", "flags": "g"})
