"""Find the one element of the live page that a name means, or say why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame, Locator, Page

from pytest_webtask.checks.check_context import CheckedElement, address_element
from pytest_webtask.data.phrases import SEE_WHY, quote, raise_limit, with_article, without_log
from pytest_webtask.data.text import says
from pytest_webtask.data.values import Data
from pytest_webtask.errors import PageError
from pytest_webtask.literal.forms import FITS, PLACE_WORDS, ROLE_WORDS
from pytest_webtask.literal.queries import Rank, frame_code, name_patterns, run_match
from pytest_webtask.page import dom
from pytest_webtask.page.activity import CAP, QUIET, TWICE, VAIN, Look, activity_of
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

    `of` is the name of its place and `of_kind` the word after that, `sentence` is the whole clause,
    "" if a model names the element, which gets no advice on sentences.
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


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """An element of the page as error messages name it.

    `state` is why it cannot be used: `hidden`, `covered` by a dialog, `inert`, or empty. `cover` is the
    name of the open dialog.
    """

    role: str
    name: str
    place: str = ""
    state: str = ""
    cover: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.role, quote(self.name), self.place)))


_LONG = 60
"""The length at which `match.js` cuts a name."""


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

    def found(self, expected: Sequence[str] = ()) -> tuple[str, Locator | RecordedElement]:
        """Return the code of a readable locator, and the element as it was just described, or the locator.

        The code has none of the `expected` texts.
        """
        code, found = self._named(expected)
        if not code:
            return self.address(expected)
        described = {**found, "way": None}
        return code, RecordedElement(self.frame.page, (code,), Target.of(code), described)

    def _named(self, expected: Sequence[str]) -> tuple[str, dict[str, Any]]:
        """Return the code by which the element alone is called, if there is one, and its description."""
        name = self.name if 0 < len(self.name) < _LONG else ""
        if not name or self.frame.parent_frame or any(says(name, each) for each in expected):
            return "", {}
        codes = [
            f"get_by_label({quote(name)}, exact=True)",
            f"get_by_text({quote(name)}, exact=True)",
        ]
        if self.role not in ("", "text"):
            codes.insert(0, f"get_by_role({quote(self.role)}, name={quote(name)}, exact=True)")
        page = self.frame.page
        first, *others = (locate(each, page) for each in codes)
        for code, answer in zip(codes, dom.ask(page, first, others), strict=True):
            nodes = [(each["document"], each["number"]) for each in answer["elements"]]
            if answer["count"] == 1 and nodes == [(self.document, self.number)]:
                return code, answer["elements"][0]
        return "", {}

    def address(self, expected: Sequence[str] = ()) -> tuple[str, Locator]:
        """Return the code of a readable locator, which has none of the `expected` texts, and the locator."""
        name = self.name if len(self.name) < _LONG else ""
        cited = CheckedElement("", *self.node, self.locator, self.role, name)
        locator, codes = address_element(cited, expected, data=Data())
        prefix = frame_code(self.frame)
        code = codes[0] if codes else f"element {self.number}"
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
    """How many places have a name, whether anything has it, and the titles of the `rows` that only mention it."""

    places: int
    named: bool
    rows: Sequence[str]

    @classmethod
    def of(cls, found: Sequence[Mapping[str, Any]]) -> Whereabouts:
        """Return what `match.js` reports of several areas."""
        rows = [row for each in found for row in each["rows"]]
        return cls(
            sum(each["places"] for each in found), any(each["named"] for each in found), rows
        )


@dataclass(frozen=True)
class PageLook:
    """The result of one look at the page: the hits of the best rank, and without any, of the place."""

    rank: Rank = Rank.PART
    hits: Sequence[Hit] = ()
    where: Whereabouts | None = None


def look_at(page: Page, phrase: ElementPhrase, *, places: bool = False) -> PageLook:
    """Find the elements of the best rank, in all frames alike; with `places` each with its place."""
    fit = FITS[phrase.fit]
    given: dict[str, Any] = {
        "name": name_patterns(phrase.name),
        "groups": phrase.groups,
        "most": Rank.DECORATED if phrase.strict else Rank.PART,
        "fit": phrase.fit,
        "roles": None if phrase.role in ("", "text") else ROLE_WORDS[phrase.role],
        "beside": fit.beside,
        "places": places,
    }
    answers = []
    for area, where in areas_with_place(page, phrase):
        try:
            answer = area.ask("find", place=where, **given)
            # What has found nothing is only reported.
            if not (answer["hits"] or places) or is_frame_rendered(area.frame):
                answers.append((area.frame, answer))
        except PlaywrightError:
            # A frame may be removed meanwhile; only the page itself must stay.
            if area.frame == page.main_frame or area.document:
                raise
    return _best_of(answers)


def areas_with_place(page: Page, phrase: ElementPhrase) -> list[tuple[Area, dict[str, Any] | None]]:
    """Return where to look, and the place to look for there: none in the frames that are the place."""
    areas = phrase.areas(page)
    if phrase.relation == "in" and phrase.of_kind in ("", "frame"):
        titled = [area for area in areas if has_title(area.frame, phrase.of)]
        if titled:
            return [(area, None) for area in titled]
    return [(area, phrase.where) for area in areas]


def _best_of(answers: Sequence[tuple[Frame, Mapping[str, Any]]]) -> PageLook:
    """Return the hits of the best rank, and in that of the first group of ways, in any frame.

    If only plain texts have the name, controls that nearly have it may be meant as well.
    """
    best = min(((each["rank"], each["group"]) for _, each in answers if each["hits"]), default=None)
    if best is None:
        found = [each["where"] for _, each in answers if each.get("where")]
        return PageLook(where=Whereabouts.of(found) if found else None)
    hits: list[Hit] = []
    similar: list[Hit] = []
    for frame, each in answers:
        is_best = (each["rank"], each["group"]) == best
        hits += _hits_in(frame, each["hits"]) if is_best else []
        nearly = each["similar"] if is_best else each["hits"] if each["group"] == 0 else []
        similar += _hits_in(frame, nearly)
    is_text = best[1] > 0 and not any(hit.operable for hit in hits)
    return PageLook(Rank(best[0]), [*hits, *similar] if is_text else hits)


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
    script = "e => [e.title, e.getAttribute('aria-label'), e.getAttribute('name')]"
    try:
        titles = frame.frame_element().evaluate(script)
    except PlaywrightError:
        return False  # it has been removed
    return any(" ".join(t.split()).casefold() == name.casefold() for t in titles if t)


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
    waits: float | None = None,
    acts: bool = True,
) -> Hit:
    """Return the one element that is meant, waiting up to `timeout` seconds for it.

    An element counts once the page is at rest. One to be acted on counts at once if it has exactly the name
    and has come since the last action. The wait is up to `busy_timeout` if that is longer and the page loads or awaits answers.

    `waits` is the time for the message, if it is longer than `timeout` since the caller retries.
    Raises `UnresolvedError` if there is none or more than one, `PageError` if the page was closed
    or crashed.
    """
    search = _Search(page, phrase, acts=acts, longest=max(timeout, busy_timeout))
    deadline, limit = Deadline(timeout), Deadline(max(timeout, busy_timeout))
    while True:
        trouble: PlaywrightError | UnresolvedError | None = None
        try:
            if hit := search.step():
                return hit
        except (PlaywrightError, UnresolvedError) as error:
            # The page navigated during the look, or it is closed, or it does not show the scope.
            trouble = error
        if search.stays_ambiguous():
            break
        # A page that is busy is given longer.
        if (limit if search.rest.is_busy else deadline).is_over:
            if isinstance(trouble, PlaywrightError):
                raise unreadable_page(trouble) from trouble
            search.activity.give_up(search.rest)
            if trouble:
                raise trouble
            break
        try:
            if search.rest.waits:
                search.activity.pass_time(limit.left)
            else:
                limit.pause(page, search.rest.pause if search.rest.reason else POLL, over=True)
        except PlaywrightError as error:
            raise unreadable_page(error) from error
    is_longer = search.rest.is_busy and busy_timeout > timeout
    waited = max(timeout, round(Deadline.clock() - search.began)) if is_longer else timeout
    raise search.failure(waited if waits is None else waits)


class _Search:
    """The looks at a page for one element: the last one, and whether the page was at `rest` then."""

    def __init__(self, page: Page, phrase: ElementPhrase, *, acts: bool, longest: float) -> None:
        self.page = page
        self.phrase = phrase
        self.activity = activity_of(page)
        self.began = Deadline.clock()
        self.look = PageLook()
        self.rest = Look()
        self._acts = acts
        self._cap = Deadline(min(CAP, longest))
        self._turns = acts and bool(phrase.sentence)
        self._rows = self._reason = ""
        self._met = 0.0
        self._several: float | None = None

    def step(self) -> Hit | None:
        """Look at the page; return the one element that is meant if it may be used. Raises UnresolvedError and Error."""
        self.look, self.rest = PageLook(), Look()
        self.activity.ask_along()
        try:
            self.look = look_at(self.page, self.phrase)
        finally:
            self.rest = self.activity.look()
            self._reason = self.rest.reason or self._reason
        if self._may_be_elsewhere():
            self._turns = False
            self._rows = _turn_lists(self.page, self.phrase)
            return self.step()
        hit = self.look.hits[0] if len(self.look.hits) == 1 else None
        self._met = (self._met or Deadline.clock()) if hit else 0.0
        if self.look.hits and self.look.rank is Rank.PART and not self.rest.reason:
            # A better match may be on its way.
            self.rest = self.activity.look(QUIET, finds=True)
        if hit is None or not self._may_use(hit):
            return None
        if Deadline.clock() - self._met > VAIN:
            # What was awaited did not bring the element.
            self.activity.give_up(self.rest)
        self.activity.note_wait(Deadline.clock() - self.began, self.rest.reason or self._reason)
        return hit

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
        if self._cap.is_over and (hit.strong or self.look.rank is not Rank.PART):
            return True
        if not self._acts or not hit.strong:
            return False
        is_over = self.rest.over and self.phrase.fit in ("click", "scroll")
        return is_over or self.activity.has_come(hit.added)

    def stays_ambiguous(self) -> bool:
        """Return whether there have been several matches for a while, on a page at rest."""
        if len(self.look.hits) < 2 or self.rest.reason:
            self._several = None
            return False
        self._several = self._several or Deadline.clock()
        return Deadline.clock() - self._several >= GRACE

    def failure(self, waited: float) -> UnresolvedError:
        """Return the error for what the last look has found."""
        hits = self.look.hits
        problem = explain_failure(self.page, self.phrase, self.look, waited)
        problem += self._rows if not hits else ""
        candidates = [hit.locator for hit in hits]
        return UnresolvedError(problem, missing=len(hits) < 2, candidates=candidates)


def partial_lists(page: Page) -> list[tuple[Frame, dict[str, Any]]]:
    """Return the lists of a page that draw only some of their rows, with the frame of each."""
    return [(frame, each) for frame in page.frames for each in run_match(frame, "partial")]


def describe_rows(lists: Sequence[tuple[Frame, Mapping[str, Any]]]) -> str:
    """Return in words how many rows lists have, and draw."""
    counts = [
        f"{'about ' * each['guessed']}{each['count']} rows, of which {each['drawn']} are drawn"
        for _, each in lists
    ]
    return f"a list here has {' and another '.join(counts)}" if counts else ""


def _turn_lists(page: Page, phrase: ElementPhrase) -> str:
    """Scroll the lists that draw only some of their rows until one has the element.

    Return for a message how many rows there are, "" if there are no such lists, or the element was found.
    """
    exactly = replace(phrase, strict=True)
    lists, ended = partial_lists(page), "what scrolling brings was"
    for frame, each in lists:
        limit = Deadline(_TURNING)
        run_match(frame, "turn", number=each["number"], to=0)
        while True:
            # What scrolling brings is drawn in a later frame.
            limit.pause(page, _DRAWN)
            activity_of(page).await_rest(cap=min(1.0, limit.left))
            if look_at(page, exactly).hits:
                return ""
            if not run_match(frame, "turn", number=each["number"]):
                break
            if limit.is_over:
                ended = "only a part of what scrolling brings was"
                break
        run_match(frame, "turn", number=each["number"], to=each["at"])
    return f"\n{describe_rows(lists)}; {ended} looked through" if lists else ""


def unreadable_page(error: PlaywrightError) -> PageError:
    """Return the error for a page that cannot be read until the time is over."""
    # Its log of calls would name the engine's argument.
    reason = without_log(error)
    return PageError(f"the page cannot be read: {reason}. {SEE_WHY}")


# Messages

_LISTED = 8
_HIDDEN = "cannot be seen (first hover or open what hides it)"
_WHY = {
    "hidden": _HIDDEN,
    "covered": "is behind an open dialog (first close the dialog)",
    "inert": "is visible, but in a part of the page that is inert (first do what enables it)",
}
_OPEN_FIRST = "correct the sentence, or first open the page or part that has this"
_OTHER_PLACE = "leave out the place or name another"


def _advice(phrase: ElementPhrase, advice: str) -> str:
    """Return advice for the author of a sentence as the end of a message, "" for a model."""
    return f"; {advice}" if phrase.sentence else ""


def explain_failure(page: Page, phrase: ElementPhrase, look: PageLook, timeout: float) -> str:
    """Return the message for a look at the page that found no element, several, or an unsure one."""
    if len(look.hits) == 1:
        name = f"write the element's full name, or {raise_limit('--webtask-timeout')}"
        return (
            f"only {look.hits[0]} is like {phrase.described}, but after {timeout:g} s the page was still loading or"
            f" changing, so a better match may still come{_advice(phrase, name)}"
        )
    try:
        if look.hits:
            return explain_ambiguous(phrase, look.hits)
        elsewhere: Sequence[Candidate] = ()
        if phrase.relation:
            alone = replace(phrase, relation="", of="", of_kind="")
            elsewhere = look_at(page, alone, places=True).hits
            if look.where and not look.where.places:
                return explain_missing_place(page, phrase, look.where, timeout, elsewhere)
        roles = ROLE_WORDS[phrase.role] if phrase.role else sum(FITS[phrase.fit].groups, ())
        candidates = [
            Candidate(**each)
            for area in phrase.areas(page)
            for each in area.ask("operable", fit=phrase.fit, roles=roles)
        ]
    except PlaywrightError as error:
        raise unreadable_page(error) from error
    return explain_not_found(phrase, elsewhere, candidates, timeout)


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
    text = _with_list(f"{len(candidates)} elements could be {phrase.described}:", candidates)
    if not phrase.sentence:
        return text
    first, *others = map(str, candidates)
    is_unique = not any(other.startswith(first) for other in others)
    is_name = len(candidates[0].name) < _LONG and not {*"{}"} & {*first}
    is_readable = isinstance(candidates[0], Hit) and is_name and "frame(" not in first
    if is_unique and is_readable and phrase.sentence.count(str(phrase)) == 1:
        ready = phrase.sentence.replace(f"the {phrase}", str(phrase)).replace(str(phrase), first)
        return f"{text}\nWrite which of these is meant. For the first, write: {ready}"
    way = f'as in {quote(phrase.name)} next to "...", in "..." or under "..."'
    return f"{text}\nWrite which of these is meant, {way if not phrase.relation else 'by another place'}."


def explain_missing_place(
    page: Page,
    phrase: ElementPhrase,
    where: Whereabouts,
    timeout: float,
    elsewhere: Sequence[Candidate] = (),
) -> str:
    """Return the message for a place that is not visible.

    Its name may be visible, but in no place of that kind, or in another cell of a row.
    """
    waited, of = f"(waited {timeout:g} s)", quote(phrase.of)
    scope = f"in {phrase.scope.words}" if phrase.scope else "on this page"
    if where.rows:
        called = " and ".join(map(quote, where.rows[:3]))
        text = f"no row is called {of} {waited}; it is only mentioned in {called}"
        return text + _advice(phrase, "write that if it is meant")
    if where.named:
        text = f"{of} is {scope}, but in no {phrase.of_kind}"
        return f"{text} {waited}{_advice(phrase, f'leave out the word {phrase.of_kind!r}')}"
    texts = [text for area in phrase.areas(page) for text in area.ask("texts")]
    if any(text.casefold() == phrase.of.casefold() for text, seen in texts if not seen):
        return f"{of} {_HIDDEN} {waited}"
    missing = f"there is no {of} {scope} {waited}"
    if near := nearest(phrase.of, sorted({text for text, seen in texts if seen})):
        advice = _advice(phrase, "write that if it is meant")
        return f"{missing}; the closest is {quote(near[0])}{advice}"
    if elsewhere:
        return _with_list(f"{missing}; {_elsewhere(phrase)}", elsewhere)
    return missing + _advice(phrase, _OPEN_FIRST)


def explain_not_found(
    phrase: ElementPhrase,
    elsewhere: Sequence[Candidate],
    candidates: Sequence[Candidate],
    timeout: float,
) -> str:
    """Return the message for an unknown name: other places that have it, or similar names."""
    can = FITS[phrase.fit].can
    waited = f"(waited {timeout:g} s)"
    text = f"nothing that can be {can} is called {phrase.described} {waited}"
    out_of_reach = _matching_candidates(phrase, [c for c in candidates if c.state])
    if len(out_of_reach) == 1:
        (one,) = out_of_reach
        shown = one if phrase.relation else replace(one, place="")
        if one.name.casefold() == phrase.name.casefold():
            text = f"{shown} cannot be {can} {waited}: it {_why(one)}"
        else:
            text += f"; there is {with_article(str(shown))}, but it {_why(one)}"
    elif out_of_reach:
        states = {c.state for c in out_of_reach}
        why = " or ".join(why for state, why in _WHY.items() if state in states)
        text = _with_list(f"{text}; each of these {why}:", out_of_reach)
    if elsewhere:
        joint = "\n" if out_of_reach else "; "
        return _with_list(f"{text}{joint}{_elsewhere(phrase)}", elsewhere)
    if out_of_reach:
        return text
    usable = {c.name: replace(c, place="") for c in candidates if not c.state}
    if near := [usable[name] for name in nearest(phrase.name, [*usable])]:
        advice = " (write one of them if it is meant)" if phrase.sentence else ""
        return _with_list(f"{text}; the closest names are{advice}:", near)
    text += _advice(phrase, _OPEN_FIRST)
    if usable:
        return _with_list(
            f"{text}; what can be {can} here, among others:", [*usable.values()][:_LISTED]
        )
    return f"{text}; nothing on this page can be {can}"


def _why(candidate: Candidate) -> str:
    if candidate.state == "covered" and candidate.cover:
        return f"is behind the open dialog {quote(candidate.cover)} (first close the dialog)"
    return _WHY[candidate.state]


def _elsewhere(phrase: ElementPhrase) -> str:
    advice = f" ({_OTHER_PLACE})" if phrase.sentence else ""
    return f"elsewhere there are{advice}:"


def _matching_candidates(phrase: ElementPhrase, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates with the name, or with a longer one if none has exactly it."""
    name = phrase.name.casefold()
    exact = [c for c in candidates if c.name.casefold() == name]
    return [*dict.fromkeys(exact or [c for c in candidates if name in c.name.casefold()])]


def _with_list(text: str, candidates: Sequence[Candidate]) -> str:
    lines = [text, *(f"  {candidate}" for candidate in candidates[:_LISTED])]
    if len(candidates) > _LISTED:
        lines.append(f"  and {len(candidates) - _LISTED} more")
    return "\n".join(lines)
