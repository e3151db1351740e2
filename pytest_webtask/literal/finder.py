"""Find in one look at the page what a name in a sentence means, or say what there is instead."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from enum import IntEnum
from itertools import chain, filterfalse, islice, starmap, takewhile
from operator import attrgetter, itemgetter
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame, Locator, Page

from pytest_webtask.checks.check_context import CheckedElement, located
from pytest_webtask.data.phrases import SEE_WHY, quote, raise_limit, with_article, without_log
from pytest_webtask.data.text import decorated, part_pattern, squashed, whole_words
from pytest_webtask.data.values import Data
from pytest_webtask.errors import PageError
from pytest_webtask.literal.forms import FITS, KINDS, PLACE_WORDS, ROLE_WORDS
from pytest_webtask.literal.grammar import Phrase
from pytest_webtask.page import dom
from pytest_webtask.page.activity import activity_of
from pytest_webtask.page.frames import is_frame_rendered, is_frame_visible
from pytest_webtask.page.locator_codegen import frame_code
from pytest_webtask.page.locator_parser import locate
from pytest_webtask.page.recorded_element import RecordedElement
from pytest_webtask.types.page import Target

_LONG = 60
"""The length at which `match.js` cuts a name."""


class UnresolvedError(Exception):
    """No element, or more than one, has the name in the sentence; the message says which.

    With `missing` none has it. `candidates` are those that could be meant.
    """

    def __init__(
        self, problem: str, *, missing: bool = False, candidates: Sequence[Locator] = ()
    ) -> None:
        super().__init__(problem)
        self.missing = missing
        self.candidates = candidates


class Rank(IntEnum):
    """The quality of a name match, best first.

    DECORATED is the name with signs, a count or a badge around it, PART a longer name with its words.
    """

    EXACT = 0
    CASELESS = 1
    DECORATED = 2
    PART = 3


@dataclass(frozen=True)
class Area:
    """An area of a page that is searched: a frame, or a part of its document, as `match.js` takes it."""

    frame: Frame
    part: Mapping[str, Any] | None = None

    def ask(self, function: str, **given: Any) -> Any:
        """Call a function of `match.js` that searches the area."""
        along = None if self.frame.parent_frame else activity_of(self.frame.page)
        given["part"] = self.part
        return dom.call(self.frame, function, given, engine=dom.MATCH, along=along)


@dataclass(frozen=True)
class ElementPhrase(Phrase):
    """A phrase of a sentence, its placeholders filled in and white space folded.

    With `strict`, a part of a name is not enough. Nothing outside of the `scope`, a part of the page, counts.
    Messages say that it was awaited for so many seconds (`waits`).
    """

    strict: bool = False
    scope: ElementPhrase | None = field(default=None, compare=False)
    waits: float = field(default=0.0, compare=False)

    def __str__(self) -> str:
        is_in_part = self.scope and self.within and not self.relation
        return f"{self.called} in {self.scope}" if is_in_part else self.called

    @property
    def called(self) -> str:
        """The name with the word for the kind, and the place by its name."""
        name = (quote(self.name), self.role)
        if not self.name:
            # What is counted may have any name.
            name = (self.role, {"count": ""}.get(self.fit, NAMELESS))
        return " ".join(filter(None, (*name, self.relation, self.relation and self.place)))

    @property
    def place(self) -> str:
        """The place as the sentence names it."""
        return f"the {quote(self.of)} {self.of_kind}" if self.of_kind else quote(self.of)

    @property
    def alone(self) -> ElementPhrase:
        """The phrase without its place."""
        return replace(self, relation="", of="", of_kind="")

    @property
    def part(self) -> ElementPhrase:
        """The place as a phrase of its own."""
        return replace(self.alone, name=self.of, role=self.of_kind, strict=True)

    @property
    def described(self) -> str:
        """The element with the part of the page in which it must be."""
        return f"{self.called} in {self.scope.described}" if self.scope else self.called

    @property
    def groups(self) -> Sequence[Sequence[str]]:
        """The ways to find the element, narrowed to the role in the phrase."""
        groups = FITS[self.fit].groups
        if not self.role:
            return groups
        roles = ROLE_WORDS[self.role]
        if self.fit in ("click", "scroll"):
            return (roles,)
        ways = {*roles, "label", "label-text", "placeholder", "beside"}
        return [[*filter(ways.__contains__, group)] for group in groups]

    @property
    def where(self) -> dict[str, Any] | None:
        """The place as `match.js` takes it, None without one."""
        if not self.relation:
            return None
        name = name_patterns(self.of)
        return {"name": name, "relation": self.relation, **_kinds_of_place(self.of_kind)}

    def areas(self, page: Page) -> list[Area]:
        """Return where it is looked for. Raises UnresolvedError if the part of the page is not there."""
        if self.scope:
            return [find_scope(page, self.scope).area]
        return [*map(Area, page.frames)]


def name_patterns(name: str) -> dict[str, Any]:
    """Return a name as `match.js` compares it: the text, and a pattern for each rank; two for DECORATED."""
    patterns = (
        whole_words(name, whole=True, anycase=True).pattern,
        decorated(name),
        decorated(name, badge=True),
        part_pattern(name),
    )
    return {"text": squashed(name), "patterns": patterns}


def _kinds_of_place(word: str) -> dict[str, Any]:
    """Return the roles and tags of the elements that a word after a name means, and whether these are parts."""
    kinds = PLACE_WORDS.get(word) or ROLE_WORDS.get(word)
    return {"kinds": None if word == "text" else kinds, "isPart": word in PLACE_WORDS}


NAMELESS = "without a name"
HIDDEN = "(hidden: first hover or open what hides it)"
_OUT_OF_REACH = {
    "hidden": HIDDEN,
    "covered": "(behind an open dialog: first close that)",
    "inert": "(in a part of the page that is inert: first do what enables it)",
}


@dataclass(frozen=True, kw_only=True)
class Match:
    """An element of the page as a script describes it, by its number in a document.

    `state` is why it cannot be used: `hidden`, `covered` by a dialog, `inert`, or empty; `emptied` if nothing is in it. Of what fits a verb,
    `label` is the number of a label that is drawn for it, or 0; it was `added` so many milliseconds ago; it is
    `strong` if it has exactly the name and the place, and can be operated; `apparent` if a user sees that. `hint` is
    its address, icon and position, `column` the heads of its column from the upper one on, `rest` all but its label.
    """

    frame: Frame
    role: str
    name: str
    document: str = ""
    number: int = 0
    place: str = ""
    text: str = ""
    state: str = ""
    label: int = 0
    added: float | None = None
    operable: bool = False
    apparent: bool = False
    strong: bool = False
    hint: str = ""
    column: Sequence[str] = ()
    rest: str = ""

    def __str__(self) -> str:
        note = _OUT_OF_REACH.get(self.state, "")
        name = {"": NAMELESS}.get(self.name, quote(self.name))
        return " ".join(filter(None, (self.role, name, self.place, note)))

    @property
    def in_column(self) -> Match:
        """The element with the heads of its column as a part of its place."""
        heads = ", ".join(map(quote, self.column))
        return replace(self, place=f"under {heads} {self.place}") if heads else self

    @property
    def operated(self) -> Match:
        """The element that a user operates: itself, or the label that is drawn for it."""
        return replace(self, number=self.label, role="") if self.label else self

    @property
    def locator(self) -> Locator:
        """The live element."""
        return dom.node(self.frame, self.document, self.number)

    def found(self, place: str = "") -> tuple[str, Locator | RecordedElement]:
        """Return the code of a readable locator, and the element as it was just described, or the locator.

        The code names the `place` in which a sentence looks for it, if it can.
        """
        page, name = self.frame.page, quote(self.name)
        is_called = self.role not in ("", "text") and 0 < len(self.name) < _LONG
        if place or self.frame.parent_frame or not is_called:
            return self.address(place)
        code = f"get_by_role({quote(self.role)}, name={name}, exact=True)"
        [answer] = dom.ask(page, locate(code, page), ())
        nodes = [(each["document"], each["number"]) for each in answer["elements"]]
        if nodes != [(self.document, self.number)]:
            return self.address()
        described = {**answer["elements"][0], "way": None}
        return code, RecordedElement(page, (code,), Target.of(code), described)

    def address(self, place: str = "") -> tuple[str, Locator]:
        """Return the code of a readable locator, and the locator."""
        name = self.name if len(self.name) < _LONG else ""
        element = CheckedElement("", self.frame, self.document, self.number, self.role, name)
        codes, _ = located(element, Data(), place)
        if not codes:
            return f"{frame_code(self.frame)}element {self.number}", self.locator
        code = min(codes, key=lambda each: quote(place) not in each)
        return code, locate(code, self.frame.page)


# Elements that fit a verb

_ROLES = {**ROLE_WORDS, "text": None}


@dataclass(frozen=True)
class PageLook:
    """The result of one look at the page: the hits of the best rank.

    Without any, `places` is how many places have the name in the phrase, and `rows` only mention it, by their titles.
    """

    rank: Rank = Rank.PART
    hits: Sequence[Match] = ()
    places: int = 1
    rows: Sequence[str] = ()


def look_at(page: Page, phrase: ElementPhrase, *, places: bool = False) -> PageLook:
    """Find the elements of the best rank, in all frames alike; with `places` each with its place.

    If only plain texts have the name, controls that nearly have it may be meant as well.
    """
    areas = phrase.areas(page)
    if phrase.relation == "in" and phrase.of_kind in ("", "frame"):
        # A frame may be the place itself.
        frames = [area for area in areas if _has_title(area.frame, phrase.of)]
        if frames:
            areas, phrase = frames, phrase.alone
    given: dict[str, Any] = {
        "name": name_patterns(phrase.name),
        "groups": phrase.groups,
        "most": Rank.DECORATED if phrase.strict else Rank.PART,
        "fit": phrase.fit,
        "roles": _ROLES.get(phrase.role),
        "beside": FITS[phrase.fit].beside,
        "place": phrase.where,
        "places": places,
    }
    answers = _ask_all(areas, "find", **given)
    # What has found nothing is only reported.
    usable = [each for each in answers if not each[1]["hits"] or is_frame_rendered(each[0])]
    rank, found = _best_of(usable, "hits", "similar")
    if found or not phrase.relation:
        return PageLook(rank, [*starmap(_hit_in, found)])
    where = [each["where"] for _, each in usable]
    rows = [*chain(*map(itemgetter("rows"), where))]
    return PageLook(places=sum(map(itemgetter("places"), where)), rows=rows)


def _has_title(frame: Frame, name: str) -> bool:
    if not frame.parent_frame:
        return False
    script = "e => [e.title, e.ariaLabel ?? '', e.name].join('\\n')"
    titles = ""
    with suppress(PlaywrightError):  # it has been removed
        titles = frame.frame_element().evaluate(script)
    return squashed(name).casefold() in map(squashed, titles.casefold().split("\n"))


def _hit_in(frame: Frame, fields: Mapping[str, Any]) -> Match:
    inside = f"in {frame_code(frame)[:-1]}" if frame.parent_frame else ""
    return Match(frame=frame, **{**fields, "place": f"{fields['place']} {inside}".strip()})


_Answers = Sequence[tuple[Frame, Any]]


def _ask_all(areas: Sequence[Area], function: str, **given: Any) -> _Answers:
    """Return what a function of `match.js` has found in several areas; a frame may be removed meanwhile."""
    answers = []
    for area in areas:
        try:
            answers.append((area.frame, area.ask(function, **given)))
        except PlaywrightError:
            if area.part or not area.frame.is_detached():
                raise
    return answers


def _best_of(answers: _Answers, *keys: str) -> tuple[Rank, list[tuple[Frame, dict[str, Any]]]]:
    """Return what was found of the best rank, and in that of the first group of ways, in any frame."""
    ranked = [
        ((each["rank"], each.get("group", 0)), (frame, fields))
        for frame, each in answers
        for fields in chain(*map(each.get, keys))
    ]
    best = min(map(itemgetter(0), ranked), default=(Rank.PART, 0))
    return Rank(best[0]), [found for key, found in ranked if key == best]


# Parts of the page, and elements in them


@dataclass(frozen=True)
class PagePart:
    """A part of the page: one element, or all elements below a heading, of which `first` is one.

    What it `is` to its name: only the `name` of something, a `field`, the head of a `column`, or a part: of the `kind` in the
    sentence, `headed` by it, what is `below` a heading, a `line`, a `cell`, or what stands `loose` beside it. `reach` are the
    elements that may be meant at most. `value` is the element that it labels, None if that is uncertain.
    """

    first: Match
    numbers: Sequence[int]
    reach: Sequence[int]
    value: Match | None = None
    kind: str = "kind"

    @classmethod
    def from_script(cls, frame: Frame, fields: dict[str, Any]) -> PagePart:
        """Return the part that `match.js` reports."""
        kind, numbers, value, reach = map(fields.pop, ("is", "tops", "value", "reach"))
        labeled = Match(frame=frame, **value) if value else None
        return cls(Match(frame=frame, **fields), numbers, reach, labeled, kind)

    @property
    def itself(self) -> bool:
        """Whether the part is only the element with the name."""
        return self.kind in ("name", "field", "column")

    @property
    def whole(self) -> PagePart:
        """All that may be meant, in which an absence must hold."""
        return replace(self, numbers=self.reach)

    @property
    def area(self) -> Area:
        """The part as what is searched; what follows a heading is in it itself."""
        is_open = self.kind in ("below", "cell") or len(self.numbers) > 1
        part = {"document": self.first.document, "numbers": self.numbers, "isOpen": is_open}
        return Area(self.first.frame, part)

    @property
    def tops(self) -> list[Locator]:
        """The outermost elements."""
        frame, document = self.first.frame, self.first.document
        return [dom.node(frame, document, number) for number in self.numbers]


def find_scope(page: Page, phrase: ElementPhrase) -> PagePart:
    """Return the one part of the page to which a sentence is limited. Raises UnresolvedError."""
    part = find_part(page, phrase)
    if part.itself or part.kind == "loose":
        raise UnresolvedError(explain_bare_name(part, phrase))
    if part.first.role != "frame":
        return part
    frame = part.first.locator.element_handle().content_frame()
    assert frame is not None, "it is a frame"
    body = dom.call(frame.locator("body"), "itself", {}, engine=dom.MATCH)
    return PagePart(Match(frame=frame, **body), [body["number"]], [body["number"]])


def find_part(page: Page, phrase: ElementPhrase) -> PagePart:
    """Return the one part of the page that is meant. Raises UnresolvedError."""
    parts, look = _look_for_parts(page, phrase)
    if not parts:
        raise UnresolvedError(_explain_missing_part(page, phrase, look), missing=True)
    if len(parts) > 1:
        raise unresolved(page, phrase, PageLook(hits=[part.first for part in parts]))
    return parts[0]


def _look_for_parts(page: Page, phrase: ElementPhrase) -> tuple[Sequence[PagePart], PageLook]:
    """Return the parts that a name may mean, by the best rank that has any."""
    answers = _ask_all(
        _visible_areas(page, phrase),
        "partsOf",
        place=phrase.where,
        name=name_patterns(phrase.name),
        **_kinds_of_place(phrase.role),
    )
    rows = [*chain(*(each["where"]["rows"] for _, each in answers))]
    parts = [*starmap(PagePart.from_script, _best_of(answers, "parts")[1])]
    # A name in one frame may be that of a part in another.
    return [part for part in parts if not part.itself] or parts, PageLook(rows=rows)


def _visible_areas(page: Page, phrase: ElementPhrase) -> list[Area]:
    return [area for area in phrase.areas(page) if is_frame_visible(area.frame)]


_CALLED = tuple(sorted({*FITS["click"].groups[0], "img"}))
_STRUCTURE = frozenset(
    "row;cell;list;item;list item;dialog;table;section;region;form;group;article".split(";")
)
"""Words for elements whose name is a text in them."""


def find_members(page: Page, phrase: ElementPhrase, part: PagePart | None) -> Sequence[Match]:
    """Return the visible elements of a role, by the best rank that has any, without header rows."""
    if phrase.name and phrase.role in _STRUCTURE:
        return [each.first for each in _look_for_parts(page, phrase)[0]]
    return _members(page, phrase, roles_of(phrase), part)[1]


def find_by_exact_name(page: Page, phrase: ElementPhrase, part: PagePart | None) -> Sequence[Match]:
    """Return the visible controls and images with exactly this accessible name."""
    rank, found = _members(page, phrase, _CALLED, part)
    return found if rank <= Rank.CASELESS else ()


def _members(
    page: Page, phrase: ElementPhrase, roles: Sequence[str], part: PagePart | None
) -> tuple[Rank, Sequence[Match]]:
    areas = [part.area] if part else _visible_areas(page, phrase)
    name = name_patterns(phrase.name)
    rank, found = _best_of(_ask_all(areas, "members", roles=roles, name=name), "elements")
    return rank, [Match(frame=frame, **fields) for frame, fields in found]


def roles_of(phrase: ElementPhrase) -> Sequence[str]:
    """Return the ARIA roles of what is counted. Raises UnresolvedError for a word without one."""
    if phrase.role not in KINDS:
        raise UnresolvedError(
            f"no ARIA role stands for {with_article(phrase.role)}: leave out the word {phrase.role!r}"
        )
    return KINDS[phrase.role]


# Messages: what was looked for and where, and what there is to write instead

_LISTED = 8
_UNREADABLE = re.compile(r'[{}]|content_frame|text without|"[^"]{60}"')
"""What of a candidate no sentence can have: a brace, the code of a frame, no name, or one that is cut."""
UNDRAWN = "a list here draws only {1} of about {0} rows: filter or scroll it first, so that it draws the one that you mean"
_UNFINISHED = (
    "\na list here goes on below {0}, and what it may draw there was not looked for: filter it, or first write"
    " scroll to {0}, and so on to its end"
)


def unresolved(
    page: Page, phrase: ElementPhrase, look: PageLook, *, explains: bool = True
) -> UnresolvedError:
    """Return the error for a look that found no element, several, or an unsure one.

    It has the name only unless it `explains`, since another look will follow.
    """
    hits = look.hits
    problem = _explain_look(page, phrase, look) if explains else str(phrase)
    return UnresolvedError(problem, missing=len(hits) < 2, candidates=[hit.locator for hit in hits])


def _explain_look(page: Page, phrase: ElementPhrase, look: PageLook) -> str:
    if len(look.hits) > 1:
        return _explain_ambiguous(phrase, look.hits)
    if look.hits:
        return (
            f"after {phrase.waits:g} s the page was still loading or changing, so what is called"
            f" {phrase.described} may still come; write the full name of {look.hits[0]}, or"
            f" {raise_limit('--webtask-timeout')}"
        )
    try:
        elsewhere = look_at(page, phrase.alone, places=True).hits if phrase.relation else ()
        if not look.places:
            return _explain_missing_part(page, phrase.part, look, elsewhere) + undrawn(page)
        called = f"nothing that can be {FITS[phrase.fit].can} is called"
        problem = f"{called if phrase.name else 'there is no'} {phrase.described} (waited {phrase.waits:g} s)"
        role = phrase.role or {"click": "button"}.get(phrase.fit, "")
        nameless = look_at(page, replace(phrase, name="", role=role), places=True).hits[:2]
        there = [*nameless, *(elsewhere or _similar(page, phrase))]
        return _with_list(problem, there) + undrawn(page)
    except PlaywrightError as error:
        raise unreadable_page(error) from error


def _similar(page: Page, phrase: ElementPhrase) -> Sequence[Match]:
    """Return the elements whose names are closest, within reach or not, or else all that fit the verb."""
    roles = ROLE_WORDS[phrase.role] if phrase.role else sum(FITS[phrase.fit].groups, ())
    named: dict[str, Match] = {}
    for frame, found in _ask_all(phrase.areas(page), "operable", fit=phrase.fit, roles=roles):
        for each in sorted(found, key=lambda fields: str(fields["state"])):
            # What is out of reach is named only if it may be what is meant.
            if not each["state"] or phrase.name.casefold() in each["name"].casefold():
                named.setdefault(each["name"], Match(frame=frame, **each))
    near = map(named.__getitem__, nearest(phrase.name, [*named]))
    return [*near] or [*named.values()]


def _explain_missing_part(
    page: Page, phrase: ElementPhrase, look: PageLook, elsewhere: Sequence[Match] = ()
) -> str:
    """Return the message for a part or place that is not visible: the rows that mention it, or the closest text."""
    there = [f"row {quote(row)}, which only mentions it" for row in look.rows]
    if not there:
        texts = dict(chain(*(found for _, found in _ask_all(phrase.areas(page), "texts"))))
        near = nearest(phrase.name, sorted(texts), 1)
        there = [quote(text) if texts[text] else f"{quote(text)} {HIDDEN}" for text in near]
    scope = "" if phrase.scope else " on this page"
    problem = f"there is no {phrase.described}{scope} (waited {phrase.waits:g} s)"
    return _with_list(problem, [*there, *elsewhere])


def _explain_ambiguous(phrase: ElementPhrase, candidates: Sequence[Match]) -> str:
    """Return the message for an ambiguous name: the candidates, and a sentence for the first that one can mean alone."""
    words = {**ROLE_WORDS, "column": ()} if phrase.fit else {**ROLE_WORDS, **PLACE_WORDS}
    word_of = dict(zip(words, words, strict=True))
    named = [replace(each, role=word_of.get(each.role, "text")) for each in candidates]
    listed = [*map(str, named)]
    listed = [str(each.in_column) if listed.count(str(each)) > 1 else str(each) for each in named]
    which = 'by its place, next to "...", in "..." or under "..."'
    for one in filterfalse(_UNREADABLE.search, listed):
        # The word "text" tells nothing from others of that name.
        if "\n".join(listed).count(one.removeprefix("text ")) == 1:
            sentence = phrase.sentence if str(phrase) in phrase.sentence else str(phrase)
            which = f"as in: {sentence.replace(str(phrase), one, 1)}"
            break
    problem = f"{len(candidates)} elements could be {phrase.described}"
    there = [
        f"{line} ({each.hint})" if listed.count(line) > 1 else line
        for line, each in zip(listed, candidates, strict=True)
    ]
    return _with_list(problem, there, f"write which is meant, {which}")


def explain_bare_name(part: PagePart, phrase: ElementPhrase) -> str:
    """Return the message for a name that stands alone, or beside something, and names no part of the page."""
    name, what = quote(phrase.name), with_article(part.first.role)
    if part.kind == "column":
        return f"{name} is the head of a column; write the row as well, as in: {part.first}"
    instead = f'{name} has value "..."' if part.kind == "field" else f"... in {name}"
    return (
        f"{name} is only the name of {what}, and of no part with borders of its own; name the section, row or"
        f" dialog that you mean, or write: {instead}"
    )


def refuse_other_role(page: Page, phrase: ElementPhrase) -> None:
    """Raise UnresolvedError if there is an element with the name, but another role, that may be meant.

    Users see a link that is drawn as a button, or a button that shows the name but is called otherwise.
    """
    if not phrase.name or phrase.role not in ("button", "link"):
        return
    hits = look_at(page, replace(phrase, fit="click", role="", strict=True)).hits
    seen = next(filter(attrgetter("apparent"), hits), None)
    if seen:
        raise UnresolvedError(
            f"nothing is {with_article(phrase.role)} called {quote(phrase.name)}, but {seen} may be what is"
            f" meant; leave out the word {phrase.role!r} or write the role and name that it has",
            missing=True,
        )


def nearest(name: str, texts: Sequence[str], most: int = 5) -> list[str]:
    """Return the texts that are most like a name, the best first."""

    def distance(text: str) -> float:
        a, b = name.casefold(), text.casefold()
        if a in b or b in a:
            return 0.4 * (1 - min(len(a), len(b)) / max(len(a), len(b), 1))
        return 1 - SequenceMatcher(None, a, b).ratio()

    near = takewhile(lambda text: distance(text) < 0.5, sorted(texts, key=distance))
    return [*islice(near, most)]


def undrawn(page: Page) -> str:
    """Return for a message which lists may draw more rows, "" if none may."""
    lists = chain(*(found for _, found in _ask_all([*map(Area, page.frames)], "unfinished")))
    return "".join(map(_UNFINISHED.format, map(quote, lists)))


def unreadable_page(error: PlaywrightError) -> PageError:
    """Return the error for a page that cannot be read until the time is over."""
    # Its log of calls would name the engine's argument.
    return PageError(f"the page cannot be read: {without_log(error)}. {SEE_WHY}")


def _with_list(
    problem: str, there: Sequence[object], advice: str = "if one of these is meant, write it"
) -> str:
    if not there:
        return f"{problem}; first open the page or the part of it that has this"
    more = f"\n  and {len(there) - _LISTED} more" if len(there) > _LISTED else ""
    listed = "".join(map("\n  {}".format, there[:_LISTED]))
    return f"{problem}; {advice}:{listed}{more}"
