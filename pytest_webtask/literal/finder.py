"""A name → the one element or part of the live page that it means, or a reason why not."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from typing import Any

from playwright.sync_api import ElementHandle, Frame, Locator, Page
from playwright.sync_api import Error as PlaywrightError

from pytest_webtask.checks.context import CheckedElement, address_element, ask_facts
from pytest_webtask.checks.text import squashed, whole_words
from pytest_webtask.errors import PageError, UsageError
from pytest_webtask.literal import queries
from pytest_webtask.literal.forms import FITS, KINDS, PLACE_WORDS, ROLE_WORDS
from pytest_webtask.literal.grammar import NameTemplate, Template
from pytest_webtask.literal.queries import Query, Rank, css, frame_code, query
from pytest_webtask.page import dom
from pytest_webtask.types.agent import CheckResult, Turn

__all__ = [
    "GRACE",
    "POLL",
    "SETTLED",
    "STEADY",
    "Asker",
    "Candidate",
    "Found",
    "FrameView",
    "Hit",
    "Member",
    "PageLook",
    "Part",
    "Shown",
    "Unresolved",
    "Wanted",
    "absent",
    "anchor_of",
    "anchor_text",
    "distance",
    "explain_no_match",
    "find_element",
    "in_sight",
    "kind_of",
    "line_pattern",
    "loads",
    "look_at",
    "members",
    "named_by",
    "named_elements",
    "names_of_kind",
    "nearly",
    "none_text",
    "part_of",
    "parts_of",
    "several_text",
    "views_of",
    "ways_of",
]


@dataclass(frozen=True)
class FrameView:
    """A frame, and the queries that can find something in it for the name and for the qualifier."""

    frame: Frame
    sources: frozenset[str] = frozenset()
    anchors: frozenset[str] = frozenset()
    is_qualifier: bool = False


@dataclass(frozen=True)
class Hit:
    """An element that matches, and all that is needed to address it."""

    view: FrameView
    sources: tuple[str, ...]
    query: Query
    anchor: Query | None
    strong: bool
    facts: dict[str, Any]

    @property
    def candidate(self) -> Candidate:
        """What a person is told of it."""
        inside = f"in {frame_code(self.view.frame)[:-1]}" if self.view.frame.parent_frame else ""
        place = " ".join(filter(None, (self.facts["place"], inside)))
        return Candidate(self.facts["role"], self.facts["name"], place)


@dataclass(frozen=True)
class PageLook:
    """What one look at the page found: the hits of the best rank."""

    ready: bool
    rank: Rank = Rank.PART
    hits: Sequence[Hit] = field(default=())

    @property
    def fingerprint(self) -> list[tuple[Any, ...]]:
        """What is the same as long as the page means the same."""
        return [(self.rank, h.query.code, h.facts["index"], h.facts["name"]) for h in self.hits]


def look_at(page: Page, wanted: Wanted, *, places: bool = False) -> PageLook:
    """Find the best rank that has a match, in all frames alike."""
    views, ready = views_of(page, wanted)
    groups = _groups(wanted)
    for rank in Rank:
        for group in groups:
            hits = list(_search(views, group, wanted, rank, places))
            if not hits:
                continue
            if group is not groups[0] and not any(hit.facts["operable"] for hit in hits):
                # Plain text has the name, but something that is operated has nearly the same one:
                # which of the two is meant cannot be told.
                for weaker in (Rank.CASELESS, Rank.PART):
                    nearly = list(_search(views, groups[0], wanted, weaker, places=True))
                    if nearly:
                        hits += nearly
                        break
            return PageLook(ready, rank, hits)
    return PageLook(ready)


def ways_of(wanted: Wanted) -> list[str]:
    """Return every way in which an element may be found for this verb."""
    said = ROLE_WORDS[wanted.role] if wanted.role else ()
    return [way for group in (*FITS[wanted.fit].groups, said) for way in group] + ["button"]


def views_of(page: Page, wanted: Wanted) -> tuple[list[FrameView], bool]:
    """Ask each frame which queries are worth making, and whether all of them have loaded."""
    names = [wanted.name, wanted.of] if wanted.relation else [wanted.name]
    views = []
    for frame in page.frames:
        try:
            found = frame.evaluate(queries.possible(), {"names": names, "ways": ways_of(wanted)})
            framed = wanted.relation == "in" and wanted.of_kind in ("", "frame")
            titled = framed and _is_called(frame, wanted.of)
        except PlaywrightError:
            # A frame that went away is not the page's trouble.
            if frame == page.main_frame:
                raise
            continue
        if frame == page.main_frame:
            ready = found["ready"]
        sources, anchors = [*map(frozenset, found["sources"]), frozenset()][:2]
        views.append(FrameView(frame, sources, anchors, titled))
    if any(view.is_qualifier for view in views):
        views = [view for view in views if view.is_qualifier]
    return views, ready


def _is_called(frame: Frame, name: str) -> bool:
    if not frame.parent_frame:
        return False
    script = "e => [e.title, e.getAttribute('aria-label'), e.getAttribute('name')]"
    titles = frame.frame_element().evaluate(script)
    return any(" ".join(t.split()).casefold() == name.casefold() for t in titles if t)


def _groups(wanted: Wanted) -> tuple[tuple[str, ...], ...]:
    """Return the ways to find the element, narrowed to the role that was said."""
    groups = FITS[wanted.fit].groups
    if not wanted.role:
        return groups
    roles = ROLE_WORDS[wanted.role]
    if wanted.fit in ("click", "scroll"):
        return (roles,)
    named = ("label", "label-text", "placeholder")
    return tuple(tuple(s for s in g if s in roles or s in named) for g in groups)


def _search(
    views: Sequence[FrameView], group: Sequence[str], wanted: Wanted, rank: Rank, places: bool
) -> Iterator[Hit]:
    roles = None if wanted.role in ("", "text") else [*ROLE_WORDS[wanted.role]]
    for view in views:
        relation = "" if view.is_qualifier else wanted.relation
        anchor_rank: Rank | None = Rank.EXACT
        prefix = frame_code(view.frame)
        if group == ("opener",):
            # A button may stand for a file input that has no name of its own.
            sources: tuple[str, ...] = ("button", "text")
            anchor: Query | None = query(view.frame, sources, wanted.name, rank, prefix=prefix)
            found = css(view.frame, "input[type=file]", prefix=prefix)
            relation = "next to"
        else:
            sources = tuple(source for source in group if source in view.sources)
            if not sources:
                continue
            found = query(view.frame, sources, wanted.name, rank, prefix=prefix)
            anchor, anchor_rank = anchor_of(view, wanted) if relation else (None, Rank.EXACT)
            if relation and anchor is None:
                continue
        given = {
            **kind_of(wanted),
            "fit": wanted.fit,
            "roles": roles,
            "relation": relation,
            "anchors": anchor.visible().locator.element_handles() if anchor else [],
            "places": places,
        }
        script = queries.examine(qualified=bool(relation))
        hits = found.locator.evaluate_all(script, given)["hits"]
        if wanted.strict and rank is Rank.PART:
            hits = [facts for facts in hits if nearly(wanted.name, facts["name"])]
        if not hits or not in_sight(view.frame):
            continue
        certain = rank is Rank.EXACT and anchor_rank is Rank.EXACT
        for facts in hits:
            operable = facts["operable"] or wanted.fit == "scroll"
            yield Hit(
                view=view,
                sources=sources if group != ("opener",) else (),
                query=found,
                anchor=anchor,
                strong=certain and operable and (not relation or facts["item"]),
                facts=facts,
            )


def kind_of(wanted: Wanted) -> dict[str, Any]:
    """Return what the word after a place says must be around the name of the place."""
    css = PLACE_WORDS.get(wanted.of_kind)
    roles = None if wanted.of_kind in ("", "text") or css else [*ROLE_WORDS[wanted.of_kind]]
    return {"of_css": css, "of_roles": roles}


def anchor_of(view: FrameView, wanted: Wanted) -> tuple[Query | None, Rank]:
    """Return the query for what a qualifier names, by the best rank that anything visible has."""
    sources: list[str] = [s for s in ("text", "alt", "title") if s in view.anchors]
    if "labelled" in view.anchors:
        sources.append("label")
    prefix = frame_code(view.frame)
    for rank in Rank:
        ways = ["own-text", *sources] if rank is Rank.EXACT else sources
        found = query(view.frame, ways, wanted.of, rank, prefix=prefix)
        visible = found.visible().locator
        if not visible.count():
            continue
        texts = visible.all_inner_texts() if wanted.strict and rank is Rank.PART else ()
        if not all(nearly(wanted.of, " ".join(text.split())) for text in texts):
            return None, Rank.PART
        return found, rank
    return None, Rank.PART


def in_sight(frame: Frame) -> bool:
    """Tell whether the frame, and those around it, can be seen."""
    while frame.parent_frame:
        if not frame.frame_element().is_visible():
            return False
        frame = frame.parent_frame
    return True


_WAYS = ("own-text", "text", "alt", "title", "label")


@dataclass(frozen=True)
class Part:
    """A part of the page: one element, or all that stands below a heading.

    `itself` says that nothing but the element which has the name is meant, `below` that it follows
    a heading; `value` is the way to what it labels, "" where that cannot be told.
    """

    first: Found
    paths: Sequence[str]
    itself: bool = False
    below: bool = False
    field: bool = False
    column: bool = False
    value: str = ""
    value_role: str = ""

    @property
    def tops(self) -> list[Locator]:
        """Its outermost elements."""
        return [self.first.frame.locator(path) for path in self.paths]

    @property
    def whole(self) -> Found | None:
        """The one element that it is, if it is one."""
        return self.first if len(self.paths) == 1 else None


def part_of(asker: Asker, wanted: Wanted) -> Part:
    """The one part of the page that is meant. Raises Unresolved."""
    found = parts_of(asker, wanted)
    if not found:
        raise Unresolved(_missing(asker, wanted))
    if len(found) > 1:
        candidates = [_candidate(part.first) for part in found]
        raise Unresolved(several_text(wanted, candidates, None))
    part = found[0]
    if part.field:
        name = Wanted(wanted.name, wanted.fit)
        raise Unresolved(f'{wanted} is a field: say {name} has value "..."')
    if part.column:
        raise Unresolved(f"{wanted} heads a column, of which each row shows something: name a row")
    return part


def parts_of(asker: Asker, wanted: Wanted) -> list[Part]:
    """The parts that a name may mean, by the best rank that anything has."""
    want = kind_of(Wanted("", "", of_kind=wanted.role))
    for rank in Rank:
        found: list[Part] = []
        for frame in asker.turn.page.frames:
            if not in_sight(frame):
                continue
            anchor = _anchor(frame, wanted)
            if wanted.relation and anchor is None:
                continue
            given = {
                "name": wanted.name,
                "rank": int(rank),
                "want": want,
                "relation": wanted.relation,
                "anchors": anchor.visible().locator.element_handles() if anchor else [],
                **kind_of(wanted),
            }
            names = named_by(frame, wanted.name, rank).locator
            for told in names.evaluate_all(queries.parts(), given):
                found.append(_part(frame, told))
        if found:
            best = [part for part in found if not part.itself]
            return best or found
    return []


def named_by(frame: Frame, name: str, rank: Rank) -> Query:
    """Whatever shows or has a name."""
    ways = _WAYS if rank is Rank.EXACT else _WAYS[1:]
    return query(frame, ways, name, rank, prefix=frame_code(frame))


def _anchor(frame: Frame, wanted: Wanted) -> Query | None:
    if not wanted.relation:
        return None
    ways = frozenset(("text", "alt", "title", "labelled"))
    return anchor_of(FrameView(frame, anchors=ways), wanted)[0]


def _part(frame: Frame, told: dict[str, Any]) -> Part:
    return Part(
        Found.of(frame, told),
        told["paths"],
        told["itself"],
        told["below"],
        told["field"],
        told["column"],
        told["value"]["path"] if told["value"] else "",
        told["value"]["role"] if told["value"] else "",
    )


def _candidate(found: Found) -> Candidate:
    return Candidate(found.role or "text", found.name, found.place)


def _missing(asker: Asker, wanted: Wanted) -> str:
    page = asker.turn.page
    place = Wanted("", wanted.fit, relation="in", of=wanted.name, of_kind=wanted.role)
    named = bool(wanted.role) and bool(parts_of(asker, Wanted(wanted.name, wanted.fit)))
    texts = [text for frame in page.frames for text in frame.evaluate(queries.texts())]
    return anchor_text(place, named, texts, (), asker.waits)


_CALLED = tuple(sorted({*sum(FITS["click"].groups[:1], ()), "img"}))


@dataclass(frozen=True)
class Member:
    """One of the elements: found by a role, as so many-eth of what the query finds."""

    found: Found
    role: str
    query: Query


def members(asker: Asker, wanted: Wanted, part: Part | None) -> list[Member]:
    """Those that can be seen, by the best rank that any has; header rows are left out."""
    if wanted.role not in KINDS:
        raise Unresolved(f"a {wanted.role} has no role by which it could be looked for")
    for rank in Rank if wanted.name else (Rank.EXACT,):
        found = [
            m for role in KINDS[wanted.role] for m in _of_role(asker, role, wanted, rank, part)
        ]
        if found:
            return found
    return []


def names_of_kind(asker: Asker, role: str, part: Part | None) -> list[str]:
    """Return the names of all visible elements of a role; none for a role that is not counted."""
    if role not in KINDS:
        return []
    every = members(asker, Wanted("", "click", role), part)
    return [member.found.name for member in every if member.found.name]


def named_elements(asker: Asker, name: str, part: Part | None) -> list[Found]:
    """Controls and pictures of exactly that name that can be seen, whatever is drawn on them."""
    found = []
    for frame, scope, prefix, tops in _scopes(asker, part):
        every = query(scope, _CALLED, name, Rank.CASELESS, prefix=prefix)
        found += [
            Found.of(frame, told) for told in every.locator.evaluate_all(queries.seen(), tops)
        ]
    return found


def _of_role(
    asker: Asker, role: str, wanted: Wanted, rank: Rank, part: Part | None
) -> list[Member]:
    found = []
    for frame, scope, prefix, tops in _scopes(asker, part):
        if wanted.name:
            every = query(scope, (role,), wanted.name, rank, prefix=prefix)
        else:
            every = Query(scope.get_by_role(role), f'{prefix}get_by_role("{role}")')  # type: ignore[arg-type]
        if role == "row":
            header = frame.get_by_role("columnheader")
            code = f'{every.code}.filter(has_not=get_by_role("columnheader"))'
            every = Query(every.locator.filter(has_not=header), code)
        for told in every.locator.evaluate_all(queries.seen(), tops):
            if rank is not Rank.PART or nearly(wanted.name, told["name"]):
                found.append(Member(Found.of(frame, told), role, every.nth(told["index"])))
    return found


def _scopes(
    asker: Asker, part: Part | None
) -> list[tuple[Frame, Frame | Locator, str, list[ElementHandle]]]:
    """Where to look, with its code, and what of it counts; no elements say that all does."""
    if part is None:
        frames = [frame for frame in asker.turn.page.frames if in_sight(frame)]
        return [(frame, frame, frame_code(frame), []) for frame in frames]
    frame = part.first.frame
    if part.whole and not part.below:
        return [(frame, part.tops[0], f"{asker.cite(part.first)}.", [])]
    # What follows a heading is what it heads, such as the list itself.
    code = f"{frame_code(frame)}locator({json.dumps(part.paths[0])}).locator('xpath=..')."
    tops = [top.element_handle(timeout=1000) for top in part.tops]
    return [(frame, part.tops[0].locator("xpath=.."), code, tops)]


def absent(asker: Asker, wanted: Wanted, part: Part | None) -> Sequence[dict[str, Any]]:
    """The checks that there is none of a role, and of that name if one is said."""
    roles = KINDS[wanted.role]
    if wanted.role == "row" and not wanted.name:
        # A header row is a row, too, but one of heads only.
        roles = ("cell", "gridcell", "rowheader")
    within: list[dict[str, str]] = [{}]
    if part is not None:
        paths = [Found(part.first.frame, path) for path in part.paths]
        within = [{"within": asker.cite(found)} for found in paths]
    name = {"name": wanted.name} if wanted.name else {}
    return [{"kind": "absent", "role": role, **name, **place} for role in roles for place in within]


_MOST = 8
_HIDDEN = "cannot be seen (perhaps something must be hovered or opened first)"
_WHY = {
    "hidden": _HIDDEN,
    "covered": "is behind an open dialog",
    "inert": "is inert: it can be seen, but nobody can operate it now",
}


@dataclass(frozen=True)
class Wanted:
    """An element as a sentence names it, its placeholders filled in and white space folded.

    `of_kind` is the word said after the name of the place, `sentence` the whole of the clause.
    Where it is `strict`, a part of a name is that name only if the rest is signs, or a count.
    """

    name: str
    fit: str
    role: str = ""
    relation: str = ""
    of: str = ""
    of_kind: str = ""
    sentence: str = field(default="", compare=False)
    strict: bool = False

    def __str__(self) -> str:
        words = [_quoted(self.name), self.role]
        if self.relation:
            words += [self.relation, self.place]
        return " ".join(filter(None, words))

    @property
    def place(self) -> str:
        """Where it stands, as the sentence says."""
        return f"the {_quoted(self.of)} {self.of_kind}" if self.of_kind else _quoted(self.of)


@dataclass(frozen=True)
class Candidate:
    """An element of the page, as a person would tell it from others.

    `state` is why it cannot be used: `hidden`, `covered` by a dialog, `inert`, or empty.
    """

    role: str
    name: str
    place: str = ""
    state: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.role, _quoted(self.name), self.place)))


def several_text(wanted: Wanted, candidates: Sequence[Candidate], better: Wanted | None) -> str:
    """Say that a name means more than one thing, list them, and how to say the first of them."""
    lines = [f"{len(candidates)} elements could be {wanted}:"]
    lines += [f"  {candidate}" for candidate in candidates[:_MOST]]
    if len(candidates) > _MOST:
        lines.append(f"  and {len(candidates) - _MOST} more")
    if better:
        said = wanted.sentence.replace(str(wanted), str(better))
        whole = wanted.sentence.count(str(wanted)) == 1
        lines.append(f"Say which; the first of them is: {said if whole else better}")
        return "\n".join(lines)
    ways = []
    if not wanted.relation:
        ways.append(f'as in {_quoted(wanted.name)} next to "...", in "..." or under "..."')
    if role := _telling_role(wanted, candidates):
        ways.append(f"by its role, as in {_quoted(wanted.name)} {role}")
    lines.append(f"Say which, {', or '.join(ways or ['by its full name or another place'])}.")
    return "\n".join(lines)


def anchor_text(
    wanted: Wanted,
    named: bool,
    texts: Iterable[tuple[str, bool]],
    elsewhere: Sequence[Candidate],
    timeout: float,
) -> str:
    """Say that there is no such place, or that its name is there (`named`) in no such thing."""
    waited = f"(waited {timeout:g} s)"
    of = _quoted(wanted.of)
    if named:
        text = f"{of} is on this page, but in no {wanted.of_kind}"
        return f"{text} {waited}; say it without the word {wanted.of_kind!r}"
    texts = [*texts]
    if any(text.casefold() == wanted.of.casefold() for text, seen in texts if not seen):
        return f"{of} {_HIDDEN} {waited}"
    missing = f"there is no {of} on this page {waited}"
    seen = {text for text, seen in texts if seen}
    near = min(sorted(seen), key=lambda text: distance(wanted.of, text), default="")
    if near and distance(wanted.of, near) < 0.5:
        return f"{missing}; the closest is {_quoted(near)}"
    if elsewhere:
        return _listed(f"{missing}; elsewhere there are:", elsewhere[:_MOST])
    return missing


def none_text(
    wanted: Wanted, elsewhere: Sequence[Candidate], found: Sequence[Candidate], timeout: float
) -> str:
    """Say that a name means nothing, where it does mean something, or which names are close."""
    can = FITS[wanted.fit].can
    text = f"nothing that can be {can} is called {wanted} (waited {timeout:g} s)"
    names = [*dict.fromkeys(Candidate(c.role, c.name) for c in found if not c.state)]
    out_of_reach = _called(wanted, [c for c in found if c.state])
    if len(out_of_reach) == 1:
        (one,) = out_of_reach
        shown = one if wanted.relation else Candidate(one.role, one.name)
        text += f"; there is {_article(one.role)} {shown}, but it {_WHY[one.state]}"
    elif out_of_reach:
        states = {c.state for c in out_of_reach}
        why = " or ".join(why for state, why in _WHY.items() if state in states)
        text = _listed(f"{text}; each of these {why}:", out_of_reach[:_MOST])
    if elsewhere:
        joint = "\nElsewhere" if out_of_reach else "; elsewhere"
        return _listed(f"{text}{joint} there are:", elsewhere[:_MOST])
    if out_of_reach:
        return text
    close = sorted(names, key=lambda name: distance(wanted.name, name.name))
    near = [name for name in close if distance(wanted.name, name.name) < 0.5][:5]
    if near:
        return _listed(f"{text}; the closest names are:", near)
    if names:
        return _listed(f"{text}; what can be {can} here, among others:", names[:_MOST])
    return f"{text}; nothing on this page can be {can}"


def _called(wanted: Wanted, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that would match if they could be used, the exact ones first."""
    name = wanted.name.casefold()
    exact = [c for c in candidates if c.name.casefold() == name]
    return [*dict.fromkeys(exact or [c for c in candidates if name in c.name.casefold()])]


def _telling_role(wanted: Wanted, candidates: Sequence[Candidate]) -> str:
    """Return the word for a role that only one candidate has, empty if there is none."""
    roles = [candidate.role for candidate in candidates]
    if wanted.role or wanted.fit not in ("click", "scroll"):
        return ""
    for word, meant in ROLE_WORDS.items():
        if sum(role in meant for role in roles) == 1:
            return word
    return ""


def _article(noun: str) -> str:
    return "an" if noun[:1] in "aeio" else "a"


def nearly(name: str, whole: str) -> bool:
    """Whether a name is all of another but for signs and a count: "Email *", "Cart (2)"."""
    before, found, after = whole.casefold().partition(name.casefold())
    loose = not re.search(r"\w", before) and re.fullmatch(r"\W*(\(\d+\))?\W*", after)
    return bool(found and loose)


def _listed(text: str, candidates: Sequence[Candidate]) -> str:
    return "\n".join([text, *(f"  {candidate}" for candidate in candidates)])


def distance(wanted: str, name: str) -> float:
    """From 0, the same but for case, to 1."""
    a, b = wanted.casefold(), name.casefold()
    if a in b or b in a:
        return 0.4 * (1 - min(len(a), len(b)) / max(len(a), len(b), 1))
    return 1 - SequenceMatcher(None, a, b).ratio()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def explain_no_match(page: Page, wanted: Wanted, look: PageLook, timeout: float) -> str:
    """Return why none of what the last look found was taken."""
    if len(look.hits) == 1:
        found = look.hits[0].candidate
        return (
            f"only {found} is like {wanted}, and after {timeout:g} s the page was still loading or "
            "changing, so that it may not be the one meant"
        )
    try:
        if look.hits:
            candidates = [hit.candidate for hit in look.hits]
            return several_text(wanted, candidates, _better(page, wanted, look))
        elsewhere: list[Candidate] = []
        if wanted.relation:
            alone = replace(wanted, relation="", of="", of_kind="")
            elsewhere = [hit.candidate for hit in look_at(page, alone, places=True).hits]
            if (there := _anchors(page, wanted)) is not True:
                texts = [t for f in page.frames for t in f.evaluate(queries.texts())]
                return anchor_text(wanted, there is None, texts, elsewhere, timeout)
        roles = ROLE_WORDS[wanted.role] if wanted.role else sum(FITS[wanted.fit].groups, ())
        given = {"fit": wanted.fit, "roles": [*roles]}
        found_all = [
            Candidate(*n) for f in page.frames for n in f.evaluate(queries.operable(), given)
        ]
    except PlaywrightError as error:
        raise PageError(f"the page cannot be looked at: {error.message}") from error
    return none_text(wanted, elsewhere, found_all, timeout)


def _anchors(page: Page, wanted: Wanted) -> bool | None:
    """Tell whether a place can be seen on the page; None if only its name can, in no such thing."""
    named: bool | None = False
    for view in views_of(page, wanted)[0]:
        anchor = None if view.is_qualifier else anchor_of(view, wanted)[0]
        if view.is_qualifier or (anchor and not wanted.of_kind):
            return True
        if anchor:
            stands = queries.stands()
            if anchor.visible().locator.evaluate_all(stands, kind_of(wanted)):
                return True
            named = None
    return named


def _better(page: Page, wanted: Wanted, look: PageLook) -> Wanted | None:
    """Return a way to say the first of several matches, if it is sure to mean that one only."""
    first = look.hits[0]
    tries = []
    if look.rank is not Rank.EXACT:
        tries.append(replace(wanted, name=first.facts["name"]))
    if not wanted.relation:
        places = first.facts["stands"]
        tries += [replace(wanted, relation=relation, of=of) for relation, of in places]
    for better in tries:
        if {*"{}"} & {*better.name, *better.of}:
            continue
        hits = look_at(page, better).hits
        if len(hits) == 1 and hits[0].strong and _same(first, hits[0]):
            return better
    return None


def _same(one: Hit, two: Hit) -> bool:
    if one.view.frame != two.view.frame:
        return False
    a, b = (hit.query.locator.nth(hit.facts["index"]) for hit in (one, two))
    return bool(a.evaluate("(a, b) => a === b", b.element_handle()))


POLL = 0.05
"""Seconds between two looks at the page."""
SETTLED = 0.15
"""Seconds for which a weaker match must stay the same."""
GRACE = 0.5
"""Seconds that several exact matches are given to become one."""
STEADY = 1.0
"""Seconds for which several weaker matches must stay the same on a page that is loading nothing.

They get longer than `GRACE`, since something of exactly that name may still come and win.
"""
_CHANGING = frozenset(("document", "script", "fetch", "xhr"))

_OTHER_NAMES = {"label", "placeholder", "text", "alt", "title"}


class Unresolved(Exception):
    """No element, or more than one, is what the sentence names; the message says which."""


def find_element(
    page: Page, wanted: Wanted, timeout: float, *, waits: float | None = None
) -> Query:
    """Return the query for the one element that is meant, waiting up to `timeout` seconds for it.

    Where it is asked again and again, `waits` is how long all of that takes, for the message.
    Raises `Unresolved` if there is none or more than one, `PageError` if the page is gone.
    """
    started = time.monotonic()
    deadline = started + timeout
    settle = min(SETTLED, timeout / 2)
    before: list[tuple[Any, ...]] = []
    since = several_since = started
    fresh = idle = False
    while True:
        trouble: PlaywrightError | None = None
        look = PageLook(ready=False)
        try:
            if hit := _glance(page, wanted):
                return _address(hit, wanted)
            look = look_at(page, wanted)
            now = time.monotonic()
            fresh = look.fingerprint != before
            if fresh:
                before, since = look.fingerprint, now
            if len(look.hits) == 1:
                settled = look.ready and now - since >= settle
                if look.hits[0].strong or settled:
                    return _address(look.hits[0], wanted)
            exactly_several = len(look.hits) > 1 and look.rank is Rank.EXACT
            if not exactly_several:
                several_since = now
            elif now - several_since >= GRACE and look.ready:
                break
            steady = len(look.hits) > 1 and look.ready and now - since >= STEADY
            was_idle, idle = idle, steady and not loads(page)
            # Twice, since what came last may have come after the look.
            if was_idle and idle:
                break
        except PlaywrightError as error:
            # The page navigated under the look, or it is gone.
            trouble = error
        now = time.monotonic()
        unsettled = len(look.hits) == 1 and look.ready and (fresh or now - since < settle)
        # One that has just been found is looked at again, however short the time is.
        if now >= deadline + unsettled * 2 * SETTLED:
            if trouble:
                raise PageError(f"the page cannot be looked at: {trouble.message}") from trouble
            break
        try:
            page.wait_for_timeout(POLL * 1000)
        except PlaywrightError as error:
            raise PageError(f"the page is gone: {error.message}") from error
    raise Unresolved(explain_no_match(page, wanted, look, timeout if waits is None else waits))


def loads(page: Page) -> bool:
    """Tell whether the page may be waiting for an answer that changes it, as `fetch` does.

    Playwright knows no end of a request that ended before it was asked, the page of no request
    that goes on: what only the first has may go on. In doubt it does.
    """
    going_on: Counter[str] = Counter()
    here = page.url.partition("#")[0]
    for request in page.requests():
        if request.resource_type not in _CHANGING or request.failure:
            continue
        timing = request.timing
        if request.is_navigation_request() and request.url == here and timing["responseStart"] >= 0:
            # What the page before it asked for has gone with it.
            going_on.clear()
        elif timing["responseEnd"] < 0:
            going_on[request.url] += 1
    if not going_on:
        return False
    script = "() => performance.getEntriesByType('resource').map((entry) => entry.name)"
    return bool(going_on - Counter(url for f in page.frames for url in f.evaluate(script)))


def _glance(page: Page, wanted: Wanted) -> Hit | None:
    """Return the one element of exactly that name, if the usual query is enough to know it."""
    fit = FITS[wanted.fit]
    if wanted.role or wanted.relation or not fit.usual or len(page.frames) > 1:
        return None
    found = query(page.main_frame, fit.usual, wanted.name, Rank.EXACT)
    given = {"fit": wanted.fit, "names": [wanted.name], "ways": ways_of(wanted)}
    result = found.locator.evaluate_all(queries.glance(), given)
    others = {*fit.groups[0]} - {*fit.usual}
    if len(result["hits"]) != 1 or others & {*result["sources"][0]}:
        return None
    (facts,) = result["hits"]
    if not facts["operable"]:
        return None
    return Hit(FrameView(page.main_frame), fit.usual, found, None, True, facts)


def _address(hit: Hit, wanted: Wanted) -> Query:
    """Return the most readable query that finds this element and no other."""
    facts, frame = hit.facts, hit.view.frame
    prefix = frame_code(frame)
    if facts["label"] == "for":
        return css(frame, f'label[for="{facts["id"]}"]', prefix=prefix).visible()
    if hit.anchor and hit.sources and facts["container"]:
        box = css(frame, facts["container"], prefix=prefix)
        box = Query(
            box.locator.filter(has=hit.anchor.locator), f"{box.code}.filter(has={hit.anchor.code})"
        )
        rank = hit.query.rank
        inner = query(box.locator, hit.sources, wanted.name, rank, prefix=f"{box.code}.")
        if inner.locator.count() == 1:
            return inner
    found, counts = hit.query, facts
    by_role = facts["certain"] and facts["role"] in hit.sources
    if by_role and not {*hit.sources} & _OTHER_NAMES:
        # Whatever of that role was found, was found by its role.
        found = query(frame, (facts["role"],), wanted.name, hit.query.rank, prefix=prefix)
        counts = facts["same_role"]
    if counts["total"] > 1:
        alone = counts["shown"] == 1 and wanted.fit != "upload"
        found = found.visible() if alone else found.nth(counts["index"])
    return found.inner("xpath=ancestor::label[1]") if facts["label"] == "around" else found


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

    def wanted(self, named: NameTemplate, words: str, *, strict: bool = True) -> Wanted:
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
        return find_element(self.turn.page, wanted, left, waits=self.waits)

    def subject(self, named: NameTemplate, words: str) -> tuple[str, Found]:
        """What a field or control is cited by, and what it is. Raises Unresolved."""
        query = self.resolve(self.wanted(named, words))
        handle = query.locator.element_handle(timeout=1000)
        frame = handle.owner_frame()
        assert frame is not None, "an element is in a frame"
        found = Found.of(frame, handle.evaluate(queries.subject(named.fit)))
        return self.cite(found), found

    def cite(self, found: Found, *said: str) -> str:
        """The code by which checks cite an element; see `address` for `said`."""
        which = ask_facts(found.locator, "which")
        document, number = which["document"], which["number"]
        node = dom.node(found.frame, document, number)
        cited = CheckedElement("", found.frame, document, number, node, found.role, "")
        locator, code = address_element(cited, said)
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
            script = f"(given) => ({queries.show()})(null, given)"
            frames = [f for f in self.turn.page.frames if in_sight(f)]
            return [(frame, frame.evaluate(script, given)) for frame in frames]
        if not tops:
            return []
        handles = [top.element_handle(timeout=1000) for top in tops]
        frame = handles[0].owner_frame()
        assert frame is not None, "an element is in a frame"
        script = f"([found, given]) => ({queries.show()})(found, given)"
        return [(frame, frame.evaluate(script, [handles, given]))]

    def unseen(self, text: str, top: Locator | None = None) -> list[Found]:
        """The elements that have a text which nobody can see."""
        found = []
        for frame in self.turn.page.frames if top is None else [_frame(top)]:
            scope = top or frame
            query = scope.get_by_text(whole_words(text, anycase=True))
            told = query.evaluate_all(queries.unseen())
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
