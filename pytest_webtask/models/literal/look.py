"""One look at the page: what on it a sentence could mean by a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame, Page

from pytest_webtask.models.literal import scripts
from pytest_webtask.models.literal.explain import Candidate, Wanted, nearly
from pytest_webtask.models.literal.forms import FITS, PLACE_WORDS, ROLE_WORDS
from pytest_webtask.models.literal.queries import Query, Rank, css, frame_code, query


@dataclass(frozen=True)
class View:
    """A frame, and the queries that can find something in it for the name and for the qualifier."""

    frame: Frame
    sources: frozenset[str] = frozenset()
    anchors: frozenset[str] = frozenset()
    is_qualifier: bool = False


@dataclass(frozen=True)
class Hit:
    """An element that matches, and all that is needed to address it."""

    view: View
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
class Look:
    """What one look at the page found: the hits of the best rank."""

    ready: bool
    rank: Rank = Rank.PART
    hits: Sequence[Hit] = field(default=())

    @property
    def fingerprint(self) -> list[tuple[Any, ...]]:
        """What is the same as long as the page means the same."""
        return [(self.rank, h.query.code, h.facts["index"], h.facts["name"]) for h in self.hits]


def look_at(page: Page, wanted: Wanted, *, places: bool = False) -> Look:
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
            return Look(ready, rank, hits)
    return Look(ready)


def ways_of(wanted: Wanted) -> list[str]:
    """Return every way in which an element may be found for this verb."""
    said = ROLE_WORDS[wanted.role] if wanted.role else ()
    return [way for group in (*FITS[wanted.fit].groups, said) for way in group] + ["button"]


def views_of(page: Page, wanted: Wanted) -> tuple[list[View], bool]:
    """Ask each frame which queries are worth making, and whether all of them have loaded."""
    names = [wanted.name, wanted.of] if wanted.relation else [wanted.name]
    views = []
    for frame in page.frames:
        try:
            found = frame.evaluate(scripts.possible(), {"names": names, "ways": ways_of(wanted)})
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
        views.append(View(frame, sources, anchors, titled))
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
    views: Sequence[View], group: Sequence[str], wanted: Wanted, rank: Rank, places: bool
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
        script = scripts.examine(qualified=bool(relation))
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


def anchor_of(view: View, wanted: Wanted) -> tuple[Query | None, Rank]:
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
