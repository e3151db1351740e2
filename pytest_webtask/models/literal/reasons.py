"""Why a name means no one element of the page: what is on the page instead."""

from __future__ import annotations

from dataclasses import replace

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page

from pytest_webtask.errors import PageError
from pytest_webtask.models.literal import scripts
from pytest_webtask.models.literal.explain import (
    Candidate,
    Wanted,
    anchor_text,
    none_text,
    several_text,
)
from pytest_webtask.models.literal.forms import FITS, ROLE_WORDS
from pytest_webtask.models.literal.look import Hit, Look, anchor_of, kind_of, look_at, views_of
from pytest_webtask.models.literal.queries import Rank


def reason(page: Page, wanted: Wanted, look: Look, timeout: float) -> str:
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
                texts = [t for f in page.frames for t in f.evaluate(scripts.texts())]
                return anchor_text(wanted, there is None, texts, elsewhere, timeout)
        roles = ROLE_WORDS[wanted.role] if wanted.role else sum(FITS[wanted.fit].groups, ())
        given = {"fit": wanted.fit, "roles": [*roles]}
        found_all = [
            Candidate(*n) for f in page.frames for n in f.evaluate(scripts.operable(), given)
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
            stands = scripts.stands()
            if anchor.visible().locator.evaluate_all(stands, kind_of(wanted)):
                return True
            named = None
    return named


def _better(page: Page, wanted: Wanted, look: Look) -> Wanted | None:
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
