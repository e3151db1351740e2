"""Find the parts of the live page that a claim is about, and the texts and elements in them."""

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
from pytest_webtask.checks.page import Absent, Url
from pytest_webtask.data.phrases import quote, with_article
from pytest_webtask.data.text import squashed
from pytest_webtask.errors import UsageError
from pytest_webtask.literal.finder import (
    Area,
    ElementPhrase,
    MatchedElement,
    Scope,
    UnresolvedError,
    Whereabouts,
    explain_ambiguous,
    explain_missing_part,
    kinds_of_place,
    look_at,
    unresolved,
)
from pytest_webtask.literal.forms import FITS, KINDS
from pytest_webtask.literal.grammar import PhraseTemplate, Template
from pytest_webtask.literal.queries import Rank, best_of, name_patterns
from pytest_webtask.page import dom
from pytest_webtask.page.frames import is_frame_visible
from pytest_webtask.page.recorded_element import RecordedElement
from pytest_webtask.types.agent import Turn


@dataclass
class ClaimContext:
    """The page of a turn and its data, for one look at what a sentence is about.

    Only the `final` look must describe what the page shows instead. What the parts of `scope`, each in the one
    before, don't contain is neither found nor missed.
    """

    turn: Turn
    final: bool = True
    scope: Sequence[PhraseTemplate] = ()
    locators: dict[str, Locator | RecordedElement] = field(default_factory=dict)

    def fill(self, template: Template, use: str = "a text to look for") -> str:
        """Return the text with its placeholders filled in.

        Raises UsageError for a secret, and for an empty text, which any page shows.
        """
        text = squashed(template.fill(self.turn.data, use))
        if not text:
            raise UsageError(f"{template.raw} is empty and cannot be {use}; pass a value for it")
        return text

    def keep(self, template: Template) -> str:
        """Return the text with its placeholders, as checks take it."""
        return squashed(template.keep(self.turn.data))

    @property
    def waits(self) -> float:
        """The timeout of the claim in seconds, rounded for messages."""
        return float(f"{self.turn.timeout:.2g}")

    def phrase(self, template: PhraseTemplate, words: str, *, strict: bool = True) -> ElementPhrase:
        """Return a phrase with its placeholders filled in."""
        return self._named(template, words, (*self.scope, *template.within), strict=strict)

    def _named(
        self,
        template: PhraseTemplate,
        words: str,
        scope: Sequence[PhraseTemplate],
        *,
        strict: bool = True,
    ) -> ElementPhrase:
        around = self._around(scope)

        def find() -> Area:
            assert around is not None, "only a part of the page is looked for"
            return find_scope(self, around).area

        return ElementPhrase(
            name=self.fill(template.name, "a name") if template.named else "",
            fit=template.fit,
            role=template.role,
            relation=template.relation,
            of=self.fill(template.of, "a name") if template.of else "",
            of_kind=template.of_kind,
            sentence=words,
            strict=strict,
            scope=Scope(around.described, find) if around else None,
        )

    @property
    def around(self) -> ElementPhrase | None:
        """The part of the page that the sentence is limited to, None for all of it."""
        return self._around(self.scope)

    def _around(self, scope: Sequence[PhraseTemplate]) -> ElementPhrase | None:
        return self._named(scope[-1], self.turn.task, scope[:-1]) if scope else None

    @cached_property
    def part(self) -> PagePart | None:
        """The part of the page that the sentence is limited to, as found. Raises UnresolvedError."""
        return find_scope(self, self.around) if self.around else None

    def areas(self, part: PagePart | None) -> Sequence[Area]:
        """Return where to search: in a part, in what the sentence is limited to, or in the visible frames."""
        if part := part or self.part:
            return [part.area]
        return [*map(Area, filter(is_frame_visible, self.turn.page.frames))]

    def subject(self, template: PhraseTemplate, words: str) -> str:
        """Return the code that cites a field or control, found by the rules of `do`. Raises UnresolvedError."""
        phrase = self.phrase(template, words)
        look = look_at(self.turn.page, phrase)
        if len(look.hits) != 1:
            waits = self.waits if self.final else None
            raise unresolved(self.turn.page, phrase, look, waits)
        return self.cite(look.hits[0])

    def cite(self, element: MatchedElement) -> str:
        """Return the code by which checks cite an element."""
        return self.keep_locator(*element.found())

    def cite_part(self, part: PagePart | None) -> list[str | None]:
        """Return the codes that cite the elements of a part, None for the page."""
        part = part or self.part
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

    def lines(self, part: PagePart | None) -> list[str]:
        """Return the lines that a part shows, or what the sentence is limited to, or the page."""
        part = part or self.part
        frames = filter(is_frame_visible, self.turn.page.frames)
        places: Sequence[Frame | Locator] = part.tops if part else [*frames]
        nothing = {"pattern": "(?!)", "flags": "g"}
        return [*chain(*(ask_facts(place, "says", nothing)["lines"] for place in places))]


# Parts of the page


@dataclass(frozen=True)
class PagePart:
    """A part of the page: one element, or all elements below a heading.

    What it `is` to its name: only the `name` of something, a `field`, the head of a `column`, or a part: of the `kind` in the
    sentence, `headed` by it, what is `below` a heading, a `line`, or what stands `loose` beside it. `reach` are the elements
    that may be meant at most. `value` is the element that it labels, None if that is uncertain.
    """

    first: MatchedElement
    numbers: Sequence[int]
    value: MatchedElement | None = None
    kind: str = "kind"
    reach: Sequence[int] = ()

    @classmethod
    def from_script(cls, frame: Frame, fields: dict[str, Any]) -> PagePart:
        """Return the part that `match.js` reports."""
        kind, numbers, value, reach = (fields.pop(k) for k in ("is", "tops", "value", "reach"))
        labeled = MatchedElement(frame=frame, **value) if value else None
        return cls(MatchedElement(frame=frame, **fields), numbers, labeled, kind, reach)

    @property
    def itself(self) -> bool:
        """Whether the part is only the element with the name."""
        return self.kind in ("name", "field", "column")

    @property
    def below(self) -> bool:
        """Whether it is what follows a heading."""
        return self.kind == "below"

    @property
    def whole(self) -> PagePart:
        """All that may be meant, in which an absence must hold."""
        return replace(self, numbers=self.reach or self.numbers)

    @property
    def area(self) -> Area:
        """The part as what is searched."""
        is_open = self.below or len(self.numbers) > 1
        return Area(self.first.frame, self.first.document, self.numbers, is_open)

    @property
    def tops(self) -> list[Locator]:
        """The outermost elements."""
        frame, document = self.first.frame, self.first.document
        return [dom.node(frame, document, number) for number in self.numbers]


def find_scope(context: ClaimContext, phrase: ElementPhrase) -> PagePart:
    """Return the one part of the page to which a sentence is limited. Raises UnresolvedError."""
    part = find_part(context, phrase)
    if part.itself or part.kind == "loose":
        raise UnresolvedError(explain_bare_name(part, phrase))
    if part.first.role != "frame":
        return part
    frame = part.first.locator.element_handle().content_frame()
    assert frame is not None, "it is a frame"
    body = dom.call(frame.locator("body"), "itself", {}, engine=dom.MATCH)
    return PagePart(MatchedElement(frame=frame, **body), [body["number"]])


def explain_bare_name(part: PagePart, phrase: ElementPhrase) -> str:
    """Return the message for a name that stands alone, or beside something, and names no part of the page."""
    name, what = quote(phrase.name), with_article(part.first.role or "text")
    instead = f'{name} has value "..."' if part.kind == "field" else f"... in {name}"
    return (
        f"{name} is only the name of {what}, and of no part with borders of its own; name the section, row or"
        f" dialog that you mean, or write: {instead}"
    )


def find_part(context: ClaimContext, phrase: ElementPhrase) -> PagePart:
    """Return the one part of the page that is meant. Raises UnresolvedError."""
    parts, where = _look_for_parts(context, phrase)
    if not parts:
        problem = explain_missing_part(context.turn.page, phrase, where, context.waits)
        raise UnresolvedError(problem, missing=True)
    if len(parts) > 1:
        problem = explain_ambiguous(phrase, [part.first for part in parts])
        raise UnresolvedError(problem, candidates=[part.first.locator for part in parts])
    return parts[0]


def find_parts(context: ClaimContext, phrase: ElementPhrase) -> Sequence[PagePart]:
    """Return the parts that a name may mean, by the best rank that has any."""
    return _look_for_parts(context, phrase)[0]


def _look_for_parts(
    context: ClaimContext, phrase: ElementPhrase
) -> tuple[Sequence[PagePart], Whereabouts]:
    given = {"name": name_patterns(phrase.name), **kinds_of_place(phrase.role)}
    areas = [a for a in phrase.areas(context.turn.page) if is_frame_visible(a.frame)]
    answers = [(area.frame, area.ask("partsOf", place=phrase.where, **given)) for area in areas]
    parts = [PagePart.from_script(*found) for found in best_of(answers, "parts")]
    named = [part for part in parts if not part.itself]
    return named or parts, Whereabouts.of(answers)


# Elements of a role

_CALLED = tuple(sorted({*sum(FITS["click"].groups[:1], ()), "img"}))
_STRUCTURE = frozenset(
    "row;cell;list;item;list item;dialog;table;section;region;form;group;article".split(";")
)
"""Words for elements whose name is a text in them."""


def find_members(
    context: ClaimContext, phrase: ElementPhrase, part: PagePart | None
) -> Sequence[MatchedElement]:
    """Return the visible elements of a role, by the best rank that has any, without header rows."""
    if phrase.name and phrase.role in _STRUCTURE:
        return [each.first for each in find_parts(context, phrase)]
    return _members(context, _roles_of(phrase), phrase.name, part)


def _roles_of(phrase: ElementPhrase) -> Sequence[str]:
    if phrase.role not in KINDS:
        raise UnresolvedError(
            f"no ARIA role stands for {with_article(phrase.role)}: leave out the word {phrase.role!r}"
        )
    return KINDS[phrase.role]


def _members(
    context: ClaimContext,
    roles: Sequence[str],
    name: str,
    part: PagePart | None,
    most: Rank = Rank.DECORATED,
) -> Sequence[MatchedElement]:
    given = {"roles": roles, "name": name_patterns(name) if name else None}
    answers = [(area.frame, area.ask("members", **given)) for area in context.areas(part)]
    found = best_of(answers, "elements", most)
    return [MatchedElement(frame=frame, **fields) for frame, fields in found]


def draws_items(part: PagePart) -> bool:
    """Return whether a part without lists and tables has blocks that look like items of one."""
    return any(ask_facts(top, "draws_items") for top in part.tops)


def find_by_exact_name(
    context: ClaimContext, name: str, part: PagePart | None
) -> Sequence[MatchedElement]:
    """Return the visible controls and images with exactly this accessible name."""
    return _members(context, _CALLED, name, part, Rank.CASELESS)


def absence_checks(
    context: ClaimContext, phrase: ElementPhrase, part: PagePart | None
) -> Sequence[Check]:
    """Return the checks that no element has the role, and the name if there is one."""
    roles = _roles_of(phrase)
    if phrase.role == "row" and not phrase.name:
        # A header row is a row, too, but has no such cells.
        roles = ("cell", "gridcell", "rowheader")
    within = context.cite_part(part)
    return [
        Absent(role=role, name=phrase.name or None, within=place)
        for role in roles
        for place in within
    ]
