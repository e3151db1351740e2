"""A name in a sentence → one Playwright locator on the live page, or a reason why not.

Exact names come before those that differ in case, and those before parts of a name; the first rank
that anything has decides. An exact name of something that is operated is taken at once. Whatever
is weaker must be the same for a moment on a page that has loaded, since a page that is still being
built may show a wrong winner. "None" and "several" are said only after waiting.
"""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page

from pytest_webtask.errors import PageError
from pytest_webtask.models.literal import scripts
from pytest_webtask.models.literal.explain import Wanted
from pytest_webtask.models.literal.forms import FITS
from pytest_webtask.models.literal.look import Hit, Look, View, look_at, ways_of
from pytest_webtask.models.literal.queries import Query, Rank, css, frame_code, query
from pytest_webtask.models.literal.reasons import reason

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


def find(page: Page, wanted: Wanted, timeout: float, *, waits: float | None = None) -> Query:
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
        look = Look(ready=False)
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
    raise Unresolved(reason(page, wanted, look, timeout if waits is None else waits))


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
    result = found.locator.evaluate_all(scripts.glance(), given)
    others = {*fit.groups[0]} - {*fit.usual}
    if len(result["hits"]) != 1 or others & {*result["sources"][0]}:
        return None
    (facts,) = result["hits"]
    if not facts["operable"]:
        return None
    return Hit(View(page.main_frame), fit.usual, found, None, True, facts)


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
