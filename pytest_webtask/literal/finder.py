"""Find the one element of the live page that a name means, or say why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import chain
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame, Locator, Page

from pytest_webtask.checks.check_context import CheckedElement, located
from pytest_webtask.data.phrases import SEE_WHY, quote, raise_limit, with_article, without_log
from pytest_webtask.data.text import squashed
from pytest_webtask.data.values import Data
from pytest_webtask.errors import PageError
from pytest_webtask.literal.forms import FITS, PLACE_WORDS, ROLE_WORDS
from pytest_webtask.literal.queries import Rank, frame_code, name_patterns, run_match
from pytest_webtask.page import dom
from pytest_webtask.page.activity import CAP, QUIET, TWICE, VAIN, Look, activity_of, is_gone
from pytest_webtask.page.frames import is_frame_rendered
from pytest_webtask.page.locator_parser import locate
from pytest_webtask.page.recorded_element import RecordedElement
from pytest_webtask.page.step_time import POLL, Deadline
from pytest_webtask.types.page import Target

# What sentences name, and what pages have


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


@dataclass(frozen=True)
class Area:
    """An area of a page that is searched: a frame, or a part of its document, elements by number.

    These are in it themselves if it `is_open`, as what follows a heading is.
    """

    frame: Frame
    document: str = ""
    numbers: Sequence[int] = ()
    is_open: bool = False

    def ask(self, function: str, **given: Any) -> Any:
        """Call a function of `match.js` that searches the area."""
        part = {"document": self.document, "numbers": self.numbers, "isOpen": self.is_open}
        return run_match(self.frame, function, part=part if self.document else None, **given)


@dataclass(frozen=True)
class Scope:
    """The part of the page to which a sentence is limited, in its `words`; `find` raises UnresolvedError."""

    words: str
    find: Callable[[], Area]


@dataclass(frozen=True)
class ElementPhrase:
    """An element as a sentence names it, its placeholders filled in and white space folded.

    `of` is the name of its place and `of_kind` the word after that, `sentence` is the whole clause.
    With `strict`, a part of a name is not enough. Nothing outside of the `scope` counts.
    """

    name: str
    fit: str
    role: str = ""
    relation: str = ""
    of: str = ""
    of_kind: str = ""
    sentence: str = field(default="", compare=False)
    strict: bool = False
    scope: Scope | None = field(default=None, compare=False)

    def __str__(self) -> str:
        words = [quote(self.name), self.role]
        if self.relation:
            words += [self.relation, self.place]
        return " ".join(filter(None, words))

    @property
    def place(self) -> str:
        """The place as the sentence names it."""
        return f"the {quote(self.of)} {self.of_kind}" if self.of_kind else quote(self.of)

    @property
    def part(self) -> ElementPhrase:
        """The place as a phrase of its own."""
        return replace(
            self, name=self.of, role=self.of_kind, relation="", of="", of_kind="", strict=True
        )

    @property
    def described(self) -> str:
        """The element with the part of the page in which it must be."""
        return f"{self} in {self.scope.words}" if self.scope else str(self)

    @property
    def groups(self) -> Sequence[Sequence[str]]:
        """The ways to find the element, narrowed to the role in the phrase."""
        groups = FITS[self.fit].groups
        if not self.role:
            return groups
        roles = ROLE_WORDS[self.role]
        if self.fit in ("click", "scroll"):
            return (roles,)
        named = ("label", "label-text", "placeholder", "beside")
        return [[way for way in group if way in roles or way in named] for group in groups]

    @property
    def where(self) -> dict[str, Any] | None:
        """The place as `match.js` takes it, None without one."""
        if not self.relation:
            return None
        return {
            "name": name_patterns(self.of),
            "relation": self.relation,
            **kinds_of_place(self.of_kind),
        }

    def areas(self, page: Page) -> list[Area]:
        """Return where it is looked for. Raises UnresolvedError if the part of the page is not there."""
        return [self.scope.find()] if self.scope else [*map(Area, page.frames)]


def kinds_of_place(word: str) -> dict[str, Any]:
    """Return the roles and tags of the elements that a word after a name means, and whether these are parts."""
    is_part = word in PLACE_WORDS
    kinds = PLACE_WORDS.get(word) or ROLE_WORDS.get(word)
    return {"kinds": None if word == "text" else kinds, "isPart": is_part}


_LONG = 60
"""The length at which `match.js` cuts a name."""
HIDDEN = "(hidden: first hover or open what hides it)"
_OUT_OF_REACH = {
    "hidden": HIDDEN,
    "covered": "(behind an open dialog: first close that)",
    "inert": "(in a part of the page that is inert: first do what enables it)",
}


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """An element of the page as error messages name it.

    `state` is why it cannot be used: `hidden`, `covered` by a dialog, `inert`, or empty.
    """

    role: str
    name: str
    place: str = ""
    state: str = ""

    def __str__(self) -> str:
        note = _OUT_OF_REACH.get(self.state, "")
        return " ".join(filter(None, (self.role, quote(self.name), self.place, note)))

    @property
    def is_readable(self) -> bool:
        """Whether a sentence can call it so."""
        return False


@dataclass(frozen=True, kw_only=True)
class MatchedElement(Candidate):
    """An element of the page as a script describes it, by its number in a document."""

    frame: Frame
    document: str
    number: int
    text: str = ""

    @property
    def node(self) -> tuple[Frame, str, int]:
        """Which element it is."""
        return self.frame, self.document, self.number

    @property
    def locator(self) -> Locator:
        """The live element."""
        return dom.node(self.frame, self.document, self.number)

    def found(self) -> tuple[str, Locator | RecordedElement]:
        """Return the code of a readable locator, and the element as it was just described, or the locator."""
        page = self.frame.page
        codes = self._codes()
        # A frame has no codes of its own.
        if codes and not self.frame.parent_frame:
            first, *others = (locate(each, page) for each in codes)
            for code, answer in zip(codes, dom.ask(page, first, others), strict=True):
                nodes = [(each["document"], each["number"]) for each in answer["elements"]]
                if answer["count"] == 1 and nodes == [(self.document, self.number)]:
                    described = {**answer["elements"][0], "way": None}
                    return code, RecordedElement(page, (code,), Target.of(code), described)
        return self.address()

    def _codes(self) -> list[str]:
        """Return the codes by which it alone may be called, none without a name."""
        name = quote(self.name)
        if not 0 < len(self.name) < _LONG:
            return []
        codes = [f"get_by_label({name}, exact=True)", f"get_by_text({name}, exact=True)"]
        if self.role not in ("", "text"):
            codes.insert(0, f"get_by_role({quote(self.role)}, name={name}, exact=True)")
        return codes

    def address(self) -> tuple[str, Locator]:
        """Return the code of a readable locator, and the locator."""
        name = self.name if len(self.name) < _LONG else ""
        codes, _ = located(CheckedElement("", *self.node, self.role, name), Data())
        prefix = frame_code(self.frame)
        code = codes[0] if codes else f"element {self.number}"
        locator = locate(code, self.frame.page) if codes else self.locator
        return code if code.startswith(prefix) else f"{prefix}{code}", locator


@dataclass(frozen=True, kw_only=True)
class Hit(MatchedElement):
    """An element that has the name and fits the verb.

    It is `strong` if it has exactly the name and the place, and can be operated; `apparent` if a user sees that.
    `label` is the number of a label that is drawn for it, or 0. It was `added` so many milliseconds ago.
    """

    label: int
    added: float | None
    operable: bool
    apparent: bool
    strong: bool

    @property
    def is_readable(self) -> bool:
        """Whether a sentence can call it so: all of its name is known, and its place is no code."""
        words = str(self)
        return len(self.name) < _LONG and not any(each in words for each in ("{", "}", "frame("))

    @property
    def operated(self) -> MatchedElement:
        """The element that a user operates: itself, or the label that is drawn for it."""
        return replace(self, number=self.label, role="") if self.label else self


def nearest(name: str, texts: Sequence[str], most: int = 5) -> list[str]:
    """Return the texts that are most like a name, the best first."""

    def distance(text: str) -> float:
        a, b = name.casefold(), text.casefold()
        if a in b or b in a:
            return 0.4 * (1 - min(len(a), len(b)) / max(len(a), len(b), 1))
        return 1 - SequenceMatcher(None, a, b).ratio()

    distances = sorted(((distance(text), text) for text in texts), key=lambda pair: pair[0])
    return [text for far, text in distances if far < 0.5][:most]


# One look at the page


@dataclass(frozen=True)
class Whereabouts:
    """How many places have a name, and the titles of the `rows` that only mention it."""

    places: int
    rows: Sequence[str]

    @classmethod
    def of(cls, answers: Sequence[tuple[Frame, Mapping[str, Any]]]) -> Whereabouts:
        """Return what `match.js` reports of several areas; one that is the place itself has none to report."""
        here: dict[str, Any] = {"places": 1, "rows": ()}
        found = [each.get("where") or here for _, each in answers]
        rows = chain(*(each["rows"] for each in found))
        return cls(sum(each["places"] for each in found), [*rows])


@dataclass(frozen=True)
class PageLook:
    """The result of one look at the page: the hits of the best rank, and without any, of the place."""

    rank: Rank = Rank.PART
    hits: Sequence[Hit] = ()
    where: Whereabouts = Whereabouts(1, ())


def look_at(page: Page, phrase: ElementPhrase, *, places: bool = False) -> PageLook:
    """Find the elements of the best rank, in all frames alike; with `places` each with its place."""
    areas, where = phrase.areas(page), phrase.where
    if phrase.relation == "in" and phrase.of_kind in ("", "frame"):
        # A frame may be the place itself.
        frames = [area for area in areas if has_title(area.frame, phrase.of)]
        areas, where = (frames, None) if frames else (areas, where)
    given: dict[str, Any] = {
        "name": name_patterns(phrase.name),
        "groups": phrase.groups,
        "most": Rank.DECORATED if phrase.strict else Rank.PART,
        "fit": phrase.fit,
        "roles": None if phrase.role in ("", "text") else ROLE_WORDS[phrase.role],
        "beside": FITS[phrase.fit].beside,
        "place": where,
        "places": places,
    }
    answers = []
    for area in areas:
        try:
            answer = area.ask("find", **given)
            # What has found nothing is only reported.
            if not answer["hits"] or is_frame_rendered(area.frame):
                answers.append((area.frame, answer))
        except PlaywrightError:
            # A frame may be removed meanwhile; only the page itself must stay.
            if area.frame == page.main_frame or area.document:
                raise
    return _best_of(answers)


def _best_of(answers: Sequence[tuple[Frame, Mapping[str, Any]]]) -> PageLook:
    """Return the hits of the best rank, and in that of the first group of ways, in any frame.

    If only plain texts have the name, controls that nearly have it may be meant as well.
    """
    found = [(frame, each) for frame, each in answers if each["hits"]]
    if not found:
        return PageLook(where=Whereabouts.of(answers))
    best = min((each["rank"], each["group"]) for _, each in found)
    hits: list[Hit] = []
    similar: list[Hit] = []
    for frame, each in found:
        if (each["rank"], each["group"]) == best:
            hits += _hits_in(frame, each["hits"])
            similar += _hits_in(frame, each["similar"])
        elif each["group"] == 0:
            similar += _hits_in(frame, each["hits"])
    rank, group = best
    is_text = group > 0 and not any(hit.operable for hit in hits)
    return PageLook(Rank(rank), [*hits, *similar] if is_text else hits)


def _hits_in(frame: Frame, found: Sequence[Mapping[str, Any]]) -> list[Hit]:
    inside = f"in {frame_code(frame)[:-1]}" if frame.parent_frame else ""
    return [
        Hit(frame=frame, **{**each, "place": " ".join(filter(None, (each["place"], inside)))})
        for each in found
    ]


def has_title(frame: Frame, name: str) -> bool:
    """Return whether a frame within a page has a title or name."""
    if not frame.parent_frame:
        return False
    script = "e => [e.title, e.ariaLabel ?? '', e.name].join('\\n')"
    titles = ""
    with suppress(PlaywrightError):  # it has been removed
        titles = frame.frame_element().evaluate(script)
    return squashed(name).casefold() in map(squashed, titles.casefold().split("\n"))


# Waiting for an element

_TURNING = 15.0
"""The most seconds in which a list is scrolled to find a row."""
_DRAWN = 0.04
"""Seconds in which a list draws the rows to which it was scrolled."""
GRACE = 0.5
"""Seconds in which several matches may become one on a page at rest."""


def find_element(
    page: Page,
    phrase: ElementPhrase,
    timeout: float,
    *,
    busy_timeout: float = 0.0,
    acts: bool = True,
) -> Hit:
    """Return the one element that is meant, waiting up to `timeout` seconds for it.

    An element counts once the page is at rest. One to be acted on counts at once if it has exactly the name
    and has come since the last action. The wait is up to `busy_timeout` if that is longer and the page loads or awaits answers.

    Raises `UnresolvedError` if there is none or more than one, `PageError` if the page was closed
    or crashed.
    """
    search = _Search(page, phrase, timeout, max(timeout, busy_timeout), acts=acts)
    while True:
        trouble: Exception | None = None
        is_lost = False
        try:
            if hit := search.step():
                return hit
        except UnresolvedError as error:  # the page does not show the scope
            trouble = error
        except PlaywrightError as error:  # the page navigated during the look, or it is closed
            trouble, is_lost = unreadable_page(error), is_gone(page, error)
        if is_lost or search.is_over:
            raise trouble or search.failure()
        with suppress(PlaywrightError):
            search.pass_time()


class _Search:
    """The looks at a page for one element: the last one, and whether the page was at `rest` then."""

    def __init__(
        self, page: Page, phrase: ElementPhrase, timeout: float, longest: float, *, acts: bool
    ) -> None:
        self.page = page
        self.phrase = phrase
        self.activity = activity_of(page)
        self.began = Deadline.clock()
        self.look = PageLook()
        self.rest = Look()
        self._timeout = timeout
        self._longest = longest
        self._acts = acts
        self._turns = acts and bool(phrase.sentence)
        self._reason = ""
        self._hits = 0
        self._since = self.began
        """Since when there has been no hit, one, or several."""

    @property
    def waits(self) -> float:
        """For how many seconds the element is awaited: a page that is busy is given longer."""
        return self._longest if self.rest.is_busy else self._timeout

    @property
    def is_over(self) -> bool:
        """Whether the time is up, or there have been several matches for a while on a page at rest."""
        now = Deadline.clock()
        is_ambiguous = self._hits > 1 and now - self._since >= GRACE
        return is_ambiguous or now - self.began >= self.waits

    def pass_time(self) -> None:
        """Wait for the next look. Raises Error if the page is closed meanwhile."""
        left = max(self.began + self._longest - Deadline.clock(), 0.0)
        if self.rest.waits:
            self.activity.pass_time(left)
        else:
            pause = self.rest.pause if self.rest.reason else POLL
            Deadline(left).pause(self.page, pause, over=True)

    def step(self) -> Hit | None:
        """Look at the page; return the one element that is meant if it may be used. Raises UnresolvedError and Error."""
        self._look()
        if self._may_be_elsewhere():
            self._turns = False
            _turn_lists(self.page, self.phrase)
            self._look()
        hits = self.look.hits
        if len(hits) == 1 and self._may_use(hits[0]):
            now = Deadline.clock()
            if now - self._since > VAIN:
                # What was awaited did not bring the element.
                self.activity.give_up(self.rest)
            self.activity.note_wait(now - self.began, self.rest.reason or self._reason)
            return hits[0]
        return None

    def _look(self) -> None:
        self.look, self.rest = PageLook(), Look()
        self.activity.ask_along()
        try:
            self.look = look_at(self.page, self.phrase)
        finally:
            self.rest = self.activity.look()
            self._reason = self.rest.reason or self._reason
        hits = min(len(self.look.hits), 2)
        if hits and self.look.rank is Rank.PART and not self.rest.reason:
            # A better match may be on its way.
            self.rest = self.activity.look(QUIET, finds=True)
        if hits != self._hits or (hits > 1 and self.rest.reason):
            self._hits, self._since = hits, Deadline.clock()

    def _may_be_elsewhere(self) -> bool:
        """Return whether the element may be in a row that a list has not drawn."""
        if not self._turns or self.rest.reason:
            return False
        # A menu that is about to open would be closed by scrolling.
        is_late = Deadline.clock() - self.began > TWICE
        return self.look.rank is Rank.PART if self.look.hits else is_late

    def _may_use(self, hit: Hit) -> bool:
        """Return whether the page is at rest, will not be, or need not be for an element to act on.

        Such an element has exactly the name, and the last action is over, or the element has come since. Answers
        that a new page waits for may still fill in its fields.
        """
        if not self.rest.reason:
            return True
        never_rests = Deadline.clock() - self.began >= min(CAP, self._longest)
        if never_rests and (hit.strong or self.look.rank is not Rank.PART):
            return True
        if not self._acts or not hit.strong:
            return False
        is_over = self.rest.over and self.phrase.fit in ("click", "scroll")
        return is_over or self.activity.has_come(hit.added)

    def failure(self) -> UnresolvedError:
        """Return the error for what the last look has found."""
        self.activity.give_up(self.rest)
        return unresolved(self.page, self.phrase, self.look, self.waits)


def _partial_lists(page: Page) -> list[tuple[Frame, dict[str, Any]]]:
    """Return the lists of a page that draw only some of their rows, with the frame of each."""
    return [(frame, each) for frame in page.frames for each in run_match(frame, "partial")]


def undrawn(page: Page) -> str:
    """Return for a message how many rows lists have not drawn, "" if all are."""
    return "".join(
        f"\na list here draws only {each['drawn']} of about {each['count']} rows: scroll to the one that you mean"
        for _, each in _partial_lists(page)
    )


def _turn_lists(page: Page, phrase: ElementPhrase) -> None:
    """Scroll the lists that draw only some of their rows until one has the element, or else back."""
    exactly = replace(phrase, strict=True)
    for frame, each in _partial_lists(page):
        limit = Deadline(_TURNING)
        run_match(frame, "turn", number=each["number"], to=0)
        is_new = True
        while is_new and not limit.is_over:
            # What scrolling brings is drawn in a later frame.
            limit.pause(page, _DRAWN)
            activity_of(page).await_rest(cap=min(1.0, limit.left))
            if look_at(page, exactly).hits:
                return
            is_new = run_match(frame, "turn", number=each["number"])
        run_match(frame, "turn", number=each["number"], to=each["at"])


def unreadable_page(error: PlaywrightError) -> PageError:
    """Return the error for a page that cannot be read until the time is over."""
    # Its log of calls would name the engine's argument.
    reason = without_log(error)
    return PageError(f"the page cannot be read: {reason}. {SEE_WHY}")


# Messages: what was looked for and where, and what there is to write instead

_LISTED = 8


def unresolved(
    page: Page, phrase: ElementPhrase, look: PageLook, waited: float | None
) -> UnresolvedError:
    """Return the error for a look that found no element, several, or an unsure one.

    It has the name only if `waited` is None, since another look will follow.
    """
    hits = look.hits
    problem = str(phrase) if waited is None else _explain_look(page, phrase, look, waited)
    return UnresolvedError(problem, missing=len(hits) < 2, candidates=[hit.locator for hit in hits])


def _explain_look(page: Page, phrase: ElementPhrase, look: PageLook, waited: float) -> str:
    if len(look.hits) > 1:
        return explain_ambiguous(phrase, look.hits)
    if look.hits:
        return (
            f"only {look.hits[0]} is like {phrase.described}, but after {waited:g} s the page was still loading or"
            " changing, so a better match may still come; write the element's full name, or"
            f" {raise_limit('--webtask-timeout')}"
        )
    try:
        elsewhere: Sequence[Hit] = ()
        if phrase.relation:
            alone = replace(phrase, relation="", of="", of_kind="")
            elsewhere = look_at(page, alone, places=True).hits
        if look.where.places:
            problem = f"nothing that can be {FITS[phrase.fit].can} is called {phrase.described}"
            there = elsewhere or _similar_names(page, phrase)
            problem = with_list(f"{problem} (waited {waited:g} s)", there)
        else:
            problem = explain_missing_part(page, phrase.part, look.where, waited, elsewhere)
        return problem + undrawn(page)
    except PlaywrightError as error:
        raise unreadable_page(error) from error


def _similar_names(page: Page, phrase: ElementPhrase) -> Sequence[Candidate]:
    """Return the elements whose names are closest, within reach or not, or else all that fit the verb."""
    roles = ROLE_WORDS[phrase.role] if phrase.role else sum(FITS[phrase.fit].groups, ())
    given = {"fit": phrase.fit, "roles": roles}
    found = chain(*(area.ask("operable", **given) for area in phrase.areas(page)))
    named: dict[str, Candidate] = {}
    for each in sorted(found, key=lambda each: str(each["state"])):
        # What is out of reach is named only if it may be what is meant.
        if not each["state"] or phrase.name.casefold() in each["name"].casefold():
            named.setdefault(each["name"], Candidate(**each))
    near = [named[name] for name in nearest(phrase.name, [*named])]
    return near or [*named.values()]


def refuse_other_role(page: Page, phrase: ElementPhrase) -> None:
    """Raise UnresolvedError if there is an element with the name, but another role, that may be meant.

    Users see a link that is drawn as a button, or a button that shows the name but is called otherwise.
    """
    if not phrase.name or phrase.role not in ("button", "link"):
        return
    hits = look_at(page, replace(phrase, fit="click", role="", strict=True)).hits
    seen = [hit for hit in hits if hit.apparent]
    if seen:
        raise UnresolvedError(
            f"nothing is {with_article(phrase.role)} called {quote(phrase.name)}, but {seen[0]} may be what is"
            f" meant; leave out the word {phrase.role!r} or write the role and name that it has",
            missing=True,
        )


def explain_ambiguous(phrase: ElementPhrase, candidates: Sequence[Candidate]) -> str:
    """Return the message for an ambiguous name, with the candidates and a sentence for the first."""
    first, *others = map(str, candidates)
    which = 'by its place, next to "...", in "..." or under "..."'
    if candidates[0].is_readable and not any(other.startswith(first) for other in others):
        which = f"as in: {phrase.sentence.replace(str(phrase), first)}"
    problem = f"{len(candidates)} elements could be {phrase.described}"
    return with_list(problem, candidates, f"write which is meant, {which}")


def explain_missing_part(
    page: Page,
    phrase: ElementPhrase,
    where: Whereabouts,
    waited: float,
    elsewhere: Sequence[Candidate] = (),
) -> str:
    """Return the message for a part or place that is not visible: the rows that mention it, or the closest texts."""
    texts = dict(chain(*(area.ask("texts") for area in phrase.areas(page))))
    there = [f"row {quote(row)}, which only mentions it" for row in where.rows]
    if not there:
        near = nearest(phrase.name, sorted(texts), 1)
        there = [quote(text) if texts[text] else f"{quote(text)} {HIDDEN}" for text in near]
    scope = "" if phrase.scope else " on this page"
    problem = f"there is no {phrase.described}{scope} (waited {waited:g} s)"
    return with_list(problem, [*there, *elsewhere])


def with_list(
    problem: str, there: Sequence[object], advice: str = "if one of these is meant, write it"
) -> str:
    """Return a message with what there is instead, and what to write."""
    if not there:
        return f"{problem}; first open the page or the part of it that has this"
    more = f"\n  and {len(there) - _LISTED} more" if len(there) > _LISTED else ""
    listed = "".join(f"\n  {each}" for each in there[:_LISTED])
    return f"{problem}; {advice}:{listed}{more}"
