"""Find the one element of the live page that a name means, or say why there is none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame, Locator, Page

from pytest_webtask.checks.text import decorated
from pytest_webtask.errors import PageError
from pytest_webtask.literal.forms import FITS, PLACE_WORDS, ROLE_WORDS
from pytest_webtask.literal.grammar import PhraseTemplate, Template
from pytest_webtask.literal.queries import NAMES, Query, Rank, css, frame_code, query, run_match
from pytest_webtask.page import dom
from pytest_webtask.page.activity import CAP, QUIET, TWICE, VAIN, Activity, Look, activity_of
from pytest_webtask.page.frames import is_frame_rendered
from pytest_webtask.phrases import SEE_WHY, quote, raise_limit, with_article, without_log
from pytest_webtask.step_time import POLL, Deadline

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
    """An area of a page that is searched: a frame, or what is in `tops` where there are any.

    Queries begin at `root`, whose code is `prefix`.
    """

    frame: Frame
    root: Frame | Locator
    prefix: str
    tops: Sequence[Locator] = ()

    @classmethod
    def of_frame(cls, frame: Frame) -> Area:
        """Return the area of a whole frame."""
        return cls(frame, frame, frame_code(frame))


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

    @classmethod
    def from_template(
        cls,
        template: PhraseTemplate,
        fill: Callable[[Template], str],
        sentence: str,
        *,
        strict: bool = False,
        scope: Scope | None = None,
    ) -> ElementPhrase:
        """Create it from a template whose names `fill` fills in."""
        return cls(
            name=fill(template.name) if template.named else "",
            fit=template.fit,
            role=template.role,
            relation=template.relation,
            of=fill(template.of) if template.of else "",
            of_kind=template.of_kind,
            sentence=sentence,
            strict=strict,
            scope=scope,
        )

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

    def areas(self, page: Page) -> list[Area]:
        """Return where it is looked for. Raises UnresolvedError if the part of the page is not there."""
        return [self.scope.find()] if self.scope else [*map(Area.of_frame, page.frames)]


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class MatchedElement:
    """An element of the page as a script describes it, by its number in a document."""

    frame: Frame
    document: str
    number: int
    role: str = ""
    name: str = ""
    place: str = ""
    text: str = ""

    @classmethod
    def from_script(cls, frame: Frame, fields: Mapping[str, Any]) -> MatchedElement:
        """Return the element that `match.js` reports."""
        keys = ("document", "number", "role", "name", "place", "text")
        return cls(frame, *(fields[key] for key in keys))

    @property
    def locator(self) -> Locator:
        """The live element."""
        return dom.node(self.frame, self.document, self.number)


_OTHER_NAMES = {"label", "placeholder", "text", "alt", "title"}


def name_distance(one: str, other: str) -> float:
    """Return the distance of two names from 0 (equal apart from case) to 1."""
    a, b = one.casefold(), other.casefold()
    if a in b or b in a:
        return 0.4 * (1 - min(len(a), len(b)) / max(len(a), len(b), 1))
    return 1 - SequenceMatcher(None, a, b).ratio()


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
) -> Query:
    """Return the query for the one element that is meant, waiting up to `timeout` seconds for it.

    An element counts once the page is at rest. One to be acted on counts at once if it has exactly the name
    and has come since the last action. The wait is up to `busy_timeout` if that is longer and the page loads or awaits answers.

    `waits` is the time for the message, if it is longer than `timeout` since the caller retries.
    Raises `UnresolvedError` if there is none or more than one, `PageError` if the page was closed
    or crashed.
    """
    activity, began = activity_of(page), Deadline.clock()
    deadline, limit = Deadline(timeout), Deadline(max(timeout, busy_timeout))
    cap = Deadline(min(CAP, limit.left))
    several: float | None = None
    met = 0.0
    reason = rows = ""
    turns = acts and bool(phrase.sentence)
    while True:
        trouble: PlaywrightError | UnresolvedError | None = None
        look, rest = PageLook(), activity.look()
        try:
            hit = _find_fast(page, phrase)
            if hit is None:
                look = look_at(page, phrase)
                hit = look.hits[0] if len(look.hits) == 1 else None
                # A menu that is about to open would be closed by scrolling.
                is_late = Deadline.clock() - began > TWICE
                is_wanting = look.rank is Rank.PART if look.hits else is_late
                if turns and is_wanting and not rest.reason:
                    turns, rows = False, _turn_lists(page, phrase)
                    continue
            met = (met or Deadline.clock()) if hit else 0.0
            if look.hits and look.rank is Rank.PART and not rest.reason:
                # A better match may be on its way.
                rest = activity.look(QUIET, finds=True)
            if hit is not None and (
                not rest.reason
                or (cap.is_over and (hit.strong or look.rank is not Rank.PART))
                or (acts and _is_usable(hit, phrase, activity, rest))
            ):
                if Deadline.clock() - met > VAIN:
                    # What was awaited did not bring the element.
                    activity.give_up(rest)
                activity.note_wait(Deadline.clock() - began, rest.reason or reason)
                return _readable_query(hit, phrase)
        except (PlaywrightError, UnresolvedError) as error:
            # The page navigated during the look, or it is closed, or it does not show the scope.
            trouble = error
        reason = rest.reason or reason
        if len(look.hits) < 2 or rest.reason:
            several = None
        elif several is None:
            several = Deadline.clock()
        elif Deadline.clock() - several >= GRACE:
            break
        # A page that is busy is given longer.
        if (limit if rest.is_busy else deadline).is_over:
            if isinstance(trouble, PlaywrightError):
                raise unreadable_page(trouble) from trouble
            activity.give_up(rest)
            if trouble:
                raise trouble
            break
        try:
            limit.pause(page, rest.pause if rest.reason else POLL, over=True)
        except PlaywrightError as error:
            raise unreadable_page(error) from error
    is_longer = rest.is_busy and busy_timeout > timeout
    waited = max(timeout, round(Deadline.clock() - began)) if is_longer else timeout
    problem = explain_failure(page, phrase, look, waited if waits is None else waits)
    problem += rows if not look.hits else ""
    candidates = [hit.query.locator.nth(hit.facts["index"]) for hit in look.hits]
    raise UnresolvedError(problem, missing=len(look.hits) < 2, candidates=candidates)


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
        scroller = dom.node(frame, each["document"], each["number"])
        limit = Deadline(_TURNING)
        run_match(frame, "turn", scroller, to=0)
        while True:
            # What scrolling brings is drawn in a later frame.
            limit.pause(page, _DRAWN)
            activity_of(page).await_rest(cap=min(1.0, limit.left))
            row = {"name": phrase.of or phrase.name}
            if run_match(frame, "mentions", **row) and look_at(page, exactly).hits:
                return ""
            if not run_match(frame, "turn", scroller):
                break
            if limit.is_over:
                ended = "only a part of what scrolling brings was"
                break
        run_match(frame, "turn", scroller, to=each["at"])
    return f"\n{describe_rows(lists)}; {ended} looked through" if lists else ""


def _is_usable(hit: Hit, phrase: ElementPhrase, activity: Activity, look: Look) -> bool:
    """Return whether an element may be used on a page that is not at rest.

    It has exactly the name, and the last action is over, or the element has come since. Answers that a new
    page waits for may still fill in its fields.
    """
    over = look.over and phrase.fit in ("click", "scroll")
    locator = hit.query.locator.nth(hit.facts["index"])
    return hit.strong and (over or activity.has_come(locator))


def unreadable_page(error: PlaywrightError) -> PageError:
    """Return the error for a page that cannot be read until the time is over."""
    # Its log of calls would name the engine's argument.
    reason = without_log(error)
    return PageError(f"the page cannot be read: {reason}. {SEE_WHY}")


def _find_fast(page: Page, phrase: ElementPhrase) -> Hit | None:
    """Return the only element with exactly the name, if the usual query alone can identify it."""
    fit = FITS[phrase.fit]
    if phrase.role or phrase.relation or phrase.scope or not fit.usual or len(page.frames) > 1:
        return None
    matches = query(page.main_frame, fit.usual, phrase.name, Rank.EXACT)
    arguments = {"fit": phrase.fit, "names": [phrase.name], "ways": ways_to_find(phrase)}
    result = run_match(page.main_frame, "glance", matches.locator, **arguments)
    others = {*fit.groups[0]} - {*fit.usual}
    if len(result["hits"]) != 1 or others & {*result["sources"][0]}:
        return None
    (facts,) = result["hits"]
    if not facts["operable"]:
        return None
    return Hit(FrameView(Area.of_frame(page.main_frame)), fit.usual, matches, None, True, facts)


def _readable_query(hit: Hit, phrase: ElementPhrase) -> Query:
    """Return the most readable query that finds only this element."""
    facts, frame, prefix = hit.facts, hit.view.area.root, hit.view.area.prefix
    if facts["inner"]:
        host, at, field = facts["inner"]
        whole = hit.view.frame
        return css(whole, host, prefix=frame_code(whole)).nth(at).inner(field)
    if facts["label"] == "for":
        return css(frame, f"label[for={json.dumps(facts['id'])}]", prefix=prefix).visible()
    if hit.anchor and facts["container"] and phrase.fit != "upload":
        box = css(frame, facts["container"], prefix=prefix)
        box = Query(
            box.locator.filter(has=hit.anchor.locator), f"{box.code}.filter(has={hit.anchor.code})"
        )
        rank = hit.query.rank
        if hit.sources:
            inner = query(box.locator, hit.sources, phrase.name, rank, prefix=f"{box.code}.")
        else:
            inner = box.inner(FITS[phrase.fit].beside)
        if inner.locator.count() == 1:
            return inner
    matches, counts = hit.query, facts
    by_role = facts["certain"] and facts["role"] in hit.sources
    if by_role and not {*hit.sources} & _OTHER_NAMES:
        # Elements of this role were matches by their role alone.
        matches = query(frame, (facts["role"],), phrase.name, hit.query.rank, prefix=prefix)
        counts = facts["same_role"]
    if counts["total"] > 1:
        alone = counts["shown"] == 1 and phrase.fit != "upload"
        matches = matches.visible() if alone else matches.nth(counts["index"])
    return matches.inner("xpath=ancestor::label[1]") if facts["label"] == "around" else matches


# One look at the page


@dataclass(frozen=True)
class FrameView:
    """An area, and the queries that can match the name and the place in it.

    With `is_qualifier` its frame itself is the place.
    """

    area: Area
    sources: frozenset[str] = frozenset()
    anchors: frozenset[str] = frozenset()
    is_qualifier: bool = False

    @property
    def frame(self) -> Frame:
        """The frame of the area."""
        return self.area.frame


@dataclass(frozen=True)
class Hit:
    """An element that matches, and what is needed to write a locator for it.

    A `strong` hit has exactly the name and the place, and can be used.
    """

    view: FrameView
    sources: tuple[str, ...]
    query: Query
    anchor: Query | None
    strong: bool
    facts: dict[str, Any]

    @property
    def candidate(self) -> Candidate:
        """The element as error messages name it."""
        inside = f"in {frame_code(self.view.frame)[:-1]}" if self.view.frame.parent_frame else ""
        place = " ".join(filter(None, (self.facts["place"], inside)))
        return Candidate(self.facts["role"], self.facts["name"], place)


@dataclass(frozen=True)
class PageLook:
    """The result of one look at the page: the hits of the best rank."""

    rank: Rank = Rank.PART
    hits: Sequence[Hit] = field(default=())


def look_at(page: Page, phrase: ElementPhrase, *, places: bool = False) -> PageLook:
    """Find the best rank that has a match, in all frames alike."""
    views = frame_views(page, phrase)
    groups = _source_groups(phrase)
    ranks = NAMES if phrase.strict else tuple(Rank)
    for rank in ranks:
        for group in groups:
            hits = list(_find_hits(views, group, phrase, rank, places))
            if not hits:
                continue
            if group is not groups[0] and not any(hit.facts["operable"] for hit in hits):
                # A plain text has the name and a control has nearly the same: either may be meant.
                for weaker in ranks[rank + 1 :]:
                    similar = list(_find_hits(views, groups[0], phrase, weaker, places=True))
                    if similar:
                        hits += similar
                        break
            return PageLook(rank, hits)
    return PageLook()


def ways_to_find(phrase: ElementPhrase) -> list[str]:
    """Return every way in which an element may be found for this verb."""
    roles = ROLE_WORDS[phrase.role] if phrase.role else ()
    return [way for group in (*FITS[phrase.fit].groups, roles) for way in group] + ["button"]


def frame_views(page: Page, phrase: ElementPhrase) -> list[FrameView]:
    """Return the areas with the queries that can match there. Raises UnresolvedError."""
    names = [phrase.name, phrase.of] if phrase.relation else [phrase.name]
    views = []
    for area in phrase.areas(page):
        frame = area.frame
        try:
            result = run_match(frame, "possible", names=names, ways=ways_to_find(phrase))
            framed = phrase.relation == "in" and phrase.of_kind in ("", "frame")
            titled = framed and has_title(frame, phrase.of)
        except PlaywrightError:
            # A frame may be removed meanwhile; only the page itself must stay.
            if frame == page.main_frame:
                raise
            continue
        sources, anchors = [*map(frozenset, result["sources"]), frozenset()][:2]
        views.append(FrameView(area, sources, anchors, titled))
    if any(view.is_qualifier for view in views):
        views = [view for view in views if view.is_qualifier]
    return views


def has_title(frame: Frame, name: str) -> bool:
    """Return whether a frame within a page has a title or name."""
    if not frame.parent_frame:
        return False
    script = "e => [e.title, e.getAttribute('aria-label'), e.getAttribute('name')]"
    titles = frame.frame_element().evaluate(script)
    return any(" ".join(t.split()).casefold() == name.casefold() for t in titles if t)


def _source_groups(phrase: ElementPhrase) -> tuple[tuple[str, ...], ...]:
    """Return the ways to find the element, narrowed to the role in the phrase."""
    groups = FITS[phrase.fit].groups
    if not phrase.role:
        return groups
    roles = ROLE_WORDS[phrase.role]
    if phrase.fit in ("click", "scroll"):
        return (roles,)
    named = ("label", "label-text", "placeholder", "beside")
    return tuple(tuple(s for s in g if s in roles or s in named) for g in groups)


def _find_hits(
    views: Sequence[FrameView],
    group: Sequence[str],
    phrase: ElementPhrase,
    rank: Rank,
    places: bool,
) -> Iterator[Hit]:
    roles = None if phrase.role in ("", "text") else [*ROLE_WORDS[phrase.role]]
    is_beside, is_upload = group == ("beside",), phrase.fit == "upload"
    for view in views:
        relation = "" if view.is_qualifier else phrase.relation
        anchor_rank = Rank.EXACT
        root, prefix = view.area.root, view.area.prefix
        sources: tuple[str, ...] = ()
        if is_beside:
            # A file input is often opened by the button next to it.
            if not is_upload and (phrase.relation or rank is not Rank.EXACT):
                continue
            by = ("button", "text") if is_upload else ("text",)
            anchor: Query | None = query(root, by, phrase.name, rank, prefix=prefix)
            matches = css(root, FITS[phrase.fit].beside, prefix=prefix)
            relation = "next to"
        else:
            sources = tuple(source for source in group if source in view.sources)
            if not sources:
                continue
            matches = query(root, sources, phrase.name, rank, prefix=prefix)
            anchor, anchor_rank = find_anchor(view, phrase) if relation else (None, Rank.EXACT)
            if relation and anchor is None:
                continue
        arguments = {
            **place_kind(phrase, anchor_rank),
            "fit": phrase.fit,
            "roles": roles,
            "relation": relation,
            "places": places,
            "nameless": is_beside and not is_upload,
        }
        ways = [matches.locator, anchor.visible().locator] if anchor else [matches.locator]
        hits = run_match(view.frame, "examine", *ways, *view.area.tops, **arguments)["hits"]
        if not hits or not is_frame_rendered(view.frame):
            continue
        certain = rank is Rank.EXACT and anchor_rank is Rank.EXACT
        for facts in hits:
            operable = facts["operable"] or phrase.fit == "scroll"
            yield Hit(
                view=view,
                sources=sources,
                query=matches,
                anchor=anchor,
                strong=certain and operable and (not relation or facts["item"]),
                facts=facts,
            )


def place_kind(phrase: ElementPhrase, rank: Rank = Rank.EXACT) -> dict[str, Any]:
    """Return the CSS or roles that must contain the name of the place, and a pattern for its names."""
    css = PLACE_WORDS.get(phrase.of_kind)
    roles = None if phrase.of_kind in ("", "text") or css else [*ROLE_WORDS[phrase.of_kind]]
    pattern = decorated(phrase.of).pattern if rank is Rank.DECORATED else None
    return {"of_css": css, "of_roles": roles, "of_pattern": pattern}


def find_anchor(view: FrameView, phrase: ElementPhrase) -> tuple[Query | None, Rank]:
    """Return the query for the name of the place, by the best rank that is visible."""
    sources: list[str] = [s for s in ("text", "alt", "title") if s in view.anchors]
    if "labelled" in view.anchors:
        sources.append("label")
    for rank in NAMES:
        anchor = query_place(view.area, sources, phrase.of, rank)
        if anchor.visible().locator.count():
            return anchor, rank
    return None, Rank.DECORATED


def query_place(area: Area, sources: Sequence[str], name: str, rank: Rank) -> Query:
    """Return the query for what shows or has the name of a place; `of_pattern` narrows a decorated one."""
    ways = ["own-text", *sources] if rank is Rank.EXACT else sources
    found = query(area.root, ways, name, rank, prefix=area.prefix)
    if rank is Rank.DECORATED:
        # An element may have the name and other elements: `<li>Mug: <button>Buy</button>`.
        found = found.or_(query(area.root, ("text",), name, Rank.PART, prefix=area.prefix))
    return found


def places_within(page: Page, place: str, nodes: Sequence[tuple[Frame, Locator]]) -> list[int]:
    """Return the indices of the nodes in the part of a page that shows or has the name of a place."""
    phrase = ElementPhrase("", "click", relation="in", of=place, strict=True)
    inside: list[int] = []
    for view in frame_views(page, phrase):
        own = [at for at, (frame, _) in enumerate(nodes) if frame == view.frame]
        if own and not view.is_qualifier:
            anchor, rank = find_anchor(view, phrase)
            if anchor is None:
                continue
            each = [nodes[at][1] for at in own]
            kind = place_kind(phrase, rank)
            placed = run_match(view.frame, "placed", anchor.visible().locator, *each, **kind)
            own = [own[at] for at in placed]
        inside += own
    return inside


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
        candidate = look.hits[0].candidate
        return (
            f"only {candidate} is like {phrase.described}, but after {timeout:g} s the page was still loading or"
            " changing, so a better match may still come"
            + _advice(
                phrase, f"write the element's full name, or {raise_limit('--webtask-timeout')}"
            )
        )
    try:
        if look.hits:
            candidates = [hit.candidate for hit in look.hits]
            return explain_ambiguous(phrase, candidates, _unambiguous_phrase(page, phrase, look))
        elsewhere: list[Candidate] = []
        if phrase.relation:
            alone = replace(phrase, relation="", of="", of_kind="")
            elsewhere = [hit.candidate for hit in look_at(page, alone, places=True).hits]
            if missing := explain_missing_place(page, phrase, timeout, elsewhere):
                return missing
        roles = ROLE_WORDS[phrase.role] if phrase.role else sum(FITS[phrase.fit].groups, ())
        candidates = [
            Candidate(*n)
            for area in phrase.areas(page)
            for n in run_match(area.frame, "operable", *area.tops, fit=phrase.fit, roles=[*roles])
        ]
    except PlaywrightError as error:
        raise unreadable_page(error) from error
    return explain_not_found(phrase, elsewhere, candidates, timeout)


def _unambiguous_phrase(page: Page, phrase: ElementPhrase, look: PageLook) -> ElementPhrase | None:
    """Return a phrase that means only the first of several matches, if there is one."""
    first = look.hits[0]
    phrases = []
    if look.rank is not Rank.EXACT:
        phrases.append(replace(phrase, name=first.facts["name"]))
    if not phrase.relation:
        places = first.facts["stands"]
        phrases += [replace(phrase, relation=relation, of=of) for relation, of in places]
    for better in phrases:
        if {*"{}"} & {*better.name, *better.of}:
            continue
        hits = look_at(page, better).hits
        if len(hits) == 1 and hits[0].strong and _is_same_element(first, hits[0]):
            return better
    return None


def refuse_other_role(page: Page, phrase: ElementPhrase) -> None:
    """Raise UnresolvedError if there is an element with the name, but another role, that may be meant.

    Users see a link that is drawn as a button, or a button that shows the name but is called otherwise.
    """
    if not phrase.name or phrase.role not in ("button", "link"):
        return
    hits = look_at(page, replace(phrase, fit="click", role="", strict=True)).hits
    seen = [hit.candidate for hit in hits if hit.facts["apparent"]]
    if seen:
        raise UnresolvedError(
            f"nothing is {with_article(phrase.role)} called {quote(phrase.name)}, but {seen[0]} may be what is"
            f" meant; leave out the word {phrase.role!r} or write the role and name that it has",
            missing=True,
        )


def _is_same_element(one: Hit, two: Hit) -> bool:
    if one.view.frame != two.view.frame:
        return False
    a, b = (hit.query.locator.nth(hit.facts["index"]) for hit in (one, two))
    return bool(a.evaluate("(a, b) => a === b", b.element_handle()))


def explain_ambiguous(
    phrase: ElementPhrase, candidates: Sequence[Candidate], better: ElementPhrase | None
) -> str:
    """Return the message for an ambiguous name, with the candidates and a phrase for the first."""
    lines = [f"{len(candidates)} elements could be {phrase.described}:"]
    lines += [f"  {candidate}" for candidate in candidates[:_LISTED]]
    if len(candidates) > _LISTED:
        lines.append(f"  and {len(candidates) - _LISTED} more")
    if not phrase.sentence:
        return "\n".join(lines)
    which = "Write which of these is meant"
    if better:
        is_unique = phrase.sentence.count(str(phrase)) == 1
        sentence = phrase.sentence.replace(str(phrase), str(better))
        lines.append(f"{which}. For the first, write: {sentence if is_unique else better}")
        return "\n".join(lines)
    ways = []
    if not phrase.relation:
        ways.append(f'as in {quote(phrase.name)} next to "...", in "..." or under "..."')
    if role := _unique_role_word(phrase, candidates):
        ways.append(f"by its role, as in {quote(phrase.name)} {role}")
    lines.append(f"{which}, {', or '.join(ways or ['by its full name or another place'])}.")
    return "\n".join(lines)


def explain_missing_place(
    page: Page, phrase: ElementPhrase, timeout: float, elsewhere: Sequence[Candidate] = ()
) -> str:
    """Return the message for a place that is not visible, "" if it is.

    Its name may be visible, but in no place of that kind, or in another cell of a row.
    """
    waited, of = f"(waited {timeout:g} s)", quote(phrase.of)
    where = f"in {phrase.scope.words}" if phrase.scope else "on this page"
    rows: list[str] = []
    is_named = False
    for view in frame_views(page, phrase):
        if view.is_qualifier:
            return ""
        anchor, rank = find_anchor(view, phrase)
        if anchor:
            kind = {"relation": phrase.relation, **place_kind(phrase, rank)}
            found = run_match(view.frame, "placesOf", anchor.visible().locator, **kind)
            if found["places"]:
                return ""
            rows += found["rows"]
            is_named = is_named or found["named"]
    if rows:
        called = " and ".join(map(quote, rows[:3]))
        text = f"no row is called {of} {waited}; it is only mentioned in {called}"
        return text + _advice(phrase, "write that if it is meant")
    if is_named:
        text = f"{of} is {where}, but in no {phrase.of_kind}"
        return f"{text} {waited}{_advice(phrase, f'leave out the word {phrase.of_kind!r}')}"
    texts = [
        text for area in phrase.areas(page) for text in run_match(area.frame, "texts", *area.tops)
    ]
    if any(text.casefold() == phrase.of.casefold() for text, seen in texts if not seen):
        return f"{of} {_HIDDEN} {waited}"
    missing = f"there is no {of} {where} {waited}"
    seen = {text for text, seen in texts if seen}
    near = min(sorted(seen), key=lambda text: name_distance(phrase.of, text), default="")
    if near and name_distance(phrase.of, near) < 0.5:
        advice = _advice(phrase, "write that if it is meant")
        return f"{missing}; the closest is {quote(near)}{advice}"
    if elsewhere:
        advice = f" ({_OTHER_PLACE})" if phrase.sentence else ""
        return _with_list(f"{missing}; elsewhere there are{advice}:", elsewhere[:_LISTED])
    return missing + _advice(phrase, _OPEN_FIRST)


def explain_not_found(
    phrase: ElementPhrase,
    elsewhere: Sequence[Candidate],
    candidates: Sequence[Candidate],
    timeout: float,
) -> str:
    """Return the message for an unknown name: other places that have it, or similar names."""
    can = FITS[phrase.fit].can
    text = f"nothing that can be {can} is called {phrase.described} (waited {timeout:g} s)"
    names = [*dict.fromkeys(Candidate(c.role, c.name) for c in candidates if not c.state)]
    out_of_reach = _matching_candidates(phrase, [c for c in candidates if c.state])
    if len(out_of_reach) == 1:
        (one,) = out_of_reach
        shown = one if phrase.relation else Candidate(one.role, one.name)
        why = _WHY[one.state]
        if one.state == "covered" and one.cover:
            why = f"is behind the open dialog {quote(one.cover)} (first close the dialog)"
        if one.name.casefold() == phrase.name.casefold():
            text = f"{shown} cannot be {can} (waited {timeout:g} s): it {why}"
        else:
            text += f"; there is {with_article(str(shown))}, but it {why}"
    elif out_of_reach:
        states = {c.state for c in out_of_reach}
        why = " or ".join(why for state, why in _WHY.items() if state in states)
        text = _with_list(f"{text}; each of these {why}:", out_of_reach[:_LISTED])
    if elsewhere:
        joint = "\nElsewhere" if out_of_reach else "; elsewhere"
        advice = f" ({_OTHER_PLACE})" if phrase.sentence else ""
        return _with_list(f"{text}{joint} there are{advice}:", elsewhere[:_LISTED])
    if out_of_reach:
        return text
    close = sorted(names, key=lambda name: name_distance(phrase.name, name.name))
    near = [name for name in close if name_distance(phrase.name, name.name) < 0.5][:5]
    if near:
        advice = " (write one of them if it is meant)" if phrase.sentence else ""
        return _with_list(f"{text}; the closest names are{advice}:", near)
    text += _advice(phrase, _OPEN_FIRST)
    if names:
        return _with_list(f"{text}; what can be {can} here, among others:", names[:_LISTED])
    return f"{text}; nothing on this page can be {can}"


def _matching_candidates(phrase: ElementPhrase, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates with the name, or with a longer one if none has exactly it."""
    name = phrase.name.casefold()
    exact = [c for c in candidates if c.name.casefold() == name]
    return [*dict.fromkeys(exact or [c for c in candidates if name in c.name.casefold()])]


def _unique_role_word(phrase: ElementPhrase, candidates: Sequence[Candidate]) -> str:
    """Return the word for a role that only one candidate has, "" if there is none."""
    roles = [candidate.role for candidate in candidates]
    if phrase.role or phrase.fit not in ("click", "scroll"):
        return ""
    for word, meant in ROLE_WORDS.items():
        if sum(role in meant for role in roles) == 1:
            return word
    return ""


def _with_list(text: str, candidates: Sequence[Candidate]) -> str:
    return "\n".join([text, *(f"  {candidate}" for candidate in candidates)])
