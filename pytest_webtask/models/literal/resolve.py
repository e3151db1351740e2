"""A name in a sentence → one Playwright locator on the live page, or a reason why not.

Exact names come before those that differ in case, and those before parts of a name; the first rank
that anything has decides. An exact name of something that is operated is taken at once. Whatever
is weaker must be the same for a moment on a page that has loaded, since a page that is still being
built may show a wrong winner. "None" and "several" are said only after waiting.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame, Page

from pytest_webtask.errors import PageError
from pytest_webtask.models.literal import scripts
from pytest_webtask.models.literal.explain import Candidate, Wanted, none_text, several_text
from pytest_webtask.models.literal.forms import FITS, ROLE_WORDS
from pytest_webtask.models.literal.queries import Query, Rank, css, frame_code, query

POLL = 0.05
"""Seconds between two looks at the page."""
SETTLED = 0.15
"""Seconds for which a weaker match must stay the same."""
GRACE = 0.5
"""Seconds that several exact matches are given to become one."""

_OTHER_NAMES = {"label", "placeholder", "text", "alt", "title"}


class Unresolved(Exception):
    """No element, or more than one, is what the sentence names; the message says which."""


@dataclass(frozen=True)
class _View:
    """A frame, and the queries that can find something in it for the name and for the qualifier."""

    frame: Frame
    sources: frozenset[str] = frozenset()
    anchors: frozenset[str] = frozenset()
    is_qualifier: bool = False


@dataclass(frozen=True)
class _Hit:
    """An element that matches, and all that is needed to address it."""

    view: _View
    sources: tuple[str, ...]
    query: Query
    anchor: Query | None
    strong: bool
    facts: dict[str, Any]

    @property
    def candidate(self) -> Candidate:
        inside = f"in {frame_code(self.view.frame)[:-1]}" if self.view.frame.parent_frame else ""
        place = " ".join(filter(None, (self.facts["place"], inside)))
        return Candidate(self.facts["role"], self.facts["name"], place)


@dataclass(frozen=True)
class _Look:
    """What one look at the page found: the hits of the best rank."""

    ready: bool
    rank: Rank = Rank.PART
    hits: Sequence[_Hit] = field(default=())

    @property
    def fingerprint(self) -> list[tuple[Any, ...]]:
        return [(self.rank, h.query.code, h.facts["index"], h.facts["name"]) for h in self.hits]


def find(page: Page, wanted: Wanted, timeout: float) -> Query:
    """Return the query for the one element that is meant, waiting up to `timeout` seconds for it.

    Raises `Unresolved` if there is none or more than one, `PageError` if the page is gone.
    """
    started = time.monotonic()
    deadline = started + timeout
    settle = min(SETTLED, timeout / 2)
    before: list[tuple[Any, ...]] = []
    since = several_since = started
    while True:
        trouble: PlaywrightError | None = None
        look = _Look(ready=False)
        try:
            if hit := _glance(page, wanted):
                return _address(hit, wanted)
            look = _look(page, wanted)
            now = time.monotonic()
            if look.fingerprint != before:
                before, since = look.fingerprint, now
            if len(look.hits) == 1:
                steady = look.ready and now - since >= settle
                if look.hits[0].strong or steady:
                    return _address(look.hits[0], wanted)
            exactly_several = len(look.hits) > 1 and look.rank is Rank.EXACT
            if not exactly_several:
                several_since = now
            elif now - several_since >= GRACE and look.ready:
                break
        except PlaywrightError as error:
            # The page navigated under the look, or it is gone.
            trouble = error
        if time.monotonic() >= deadline:
            if trouble:
                raise PageError(f"the page cannot be looked at: {trouble.message}") from trouble
            break
        try:
            page.wait_for_timeout(POLL * 1000)
        except PlaywrightError as error:
            raise PageError(f"the page is gone: {error.message}") from error
    raise Unresolved(_reason(page, wanted, look, timeout))


def _glance(page: Page, wanted: Wanted) -> _Hit | None:
    """Return the one element of exactly that name, if the usual query is enough to know it."""
    fit = FITS[wanted.fit]
    if wanted.role or wanted.relation or not fit.usual or len(page.frames) > 1:
        return None
    found = query(page.main_frame, fit.usual, wanted.name, Rank.EXACT)
    given = {"fit": wanted.fit, "names": [wanted.name], "ways": _ways(wanted)}
    result = found.locator.evaluate_all(scripts.glance(), given)
    others = {*fit.groups[0]} - {*fit.usual}
    if len(result["hits"]) != 1 or others & {*result["sources"][0]}:
        return None
    (facts,) = result["hits"]
    if not facts["operable"]:
        return None
    return _Hit(_View(page.main_frame), fit.usual, found, None, True, facts)


def _ways(wanted: Wanted) -> list[str]:
    """Return every way in which an element may be found for this verb."""
    said = ROLE_WORDS[wanted.role] if wanted.role else ()
    return [way for group in (*FITS[wanted.fit].groups, said) for way in group] + ["button"]


def _look(page: Page, wanted: Wanted, *, places: bool = False) -> _Look:
    """Find the best rank that has a match, in all frames alike."""
    views, ready = _views(page, wanted)
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
            return _Look(ready, rank, hits)
    return _Look(ready)


def _views(page: Page, wanted: Wanted) -> tuple[list[_View], bool]:
    """Ask each frame which queries are worth making, and whether all of them have loaded."""
    names = [wanted.name, wanted.of] if wanted.relation else [wanted.name]
    views = []
    for frame in page.frames:
        try:
            found = frame.evaluate(scripts.possible(), {"names": names, "ways": _ways(wanted)})
            titled = wanted.relation == "in" and _is_called(frame, wanted.of)
        except PlaywrightError:
            # A frame that went away is not the page's trouble.
            if frame == page.main_frame:
                raise
            continue
        if frame == page.main_frame:
            ready = found["ready"]
        sources, anchors = [*map(frozenset, found["sources"]), frozenset()][:2]
        views.append(_View(frame, sources, anchors, titled))
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
    views: Sequence[_View], group: Sequence[str], wanted: Wanted, rank: Rank, places: bool
) -> Iterator[_Hit]:
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
            anchor, anchor_rank = _anchor(view, wanted) if relation else (None, Rank.EXACT)
            if relation and anchor is None:
                continue
        given = {
            "fit": wanted.fit,
            "roles": roles,
            "relation": relation,
            "anchors": anchor.visible().locator.element_handles() if anchor else [],
            "places": places,
        }
        script = scripts.examine(qualified=bool(relation))
        hits = found.locator.evaluate_all(script, given)["hits"]
        if not hits or not _in_sight(view.frame):
            continue
        certain = rank is Rank.EXACT and anchor_rank is Rank.EXACT
        for facts in hits:
            operable = facts["operable"] or wanted.fit == "scroll"
            yield _Hit(
                view=view,
                sources=sources if group != ("opener",) else (),
                query=found,
                anchor=anchor,
                strong=certain and operable and (not relation or facts["item"]),
                facts=facts,
            )


def _anchor(view: _View, wanted: Wanted) -> tuple[Query | None, Rank]:
    """Return the query for what a qualifier names, by the best rank that anything visible has."""
    sources: list[str] = [s for s in ("text", "alt", "title") if s in view.anchors]
    if "labelled" in view.anchors:
        sources.append("label")
    prefix = frame_code(view.frame)
    for rank in Rank:
        ways = ["own-text", *sources] if rank is Rank.EXACT else sources
        found = query(view.frame, ways, wanted.of, rank, prefix=prefix)
        if found.visible().locator.count():
            return found, rank
    return None, Rank.PART


def _in_sight(frame: Frame) -> bool:
    """Tell whether the frame, and those around it, can be seen."""
    while frame.parent_frame:
        if not frame.frame_element().is_visible():
            return False
        frame = frame.parent_frame
    return True


def _address(hit: _Hit, wanted: Wanted) -> Query:
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


def _reason(page: Page, wanted: Wanted, look: _Look, timeout: float) -> str:
    if len(look.hits) == 1:
        found = look.hits[0].candidate
        return (
            f"only {found} is like {wanted}, and after {timeout:g} s the page was still loading or "
            "changing, so that it may not be the one meant"
        )
    if look.hits:
        return several_text(wanted, [hit.candidate for hit in look.hits])
    try:
        elsewhere: list[Candidate] = []
        if wanted.relation:
            alone = replace(wanted, relation="", of="")
            elsewhere = [hit.candidate for hit in _look(page, alone, places=True).hits]
        roles = ROLE_WORDS[wanted.role] if wanted.role else sum(FITS[wanted.fit].groups, ())
        given = {"fit": wanted.fit, "roles": [*roles]}
        names = [n for f in page.frames for n in f.evaluate(scripts.operable(), given)]
    except PlaywrightError as error:
        raise PageError(f"the page cannot be looked at: {error.message}") from error
    return none_text(wanted, elsewhere, [Candidate(*name) for name in names], timeout)
