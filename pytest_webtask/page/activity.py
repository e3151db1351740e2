"""The activity of a page: while it is busy, a missing element may still appear."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple
from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, BrowserContext, Error, Page, Request

from pytest_webtask.page import dom

__all__ = ["GRACE", "LONG_LIVED", "Activity", "has_reacted", "has_received", "pending_requests"]

GRACE = 0.5
"""Seconds between two looks at the activity of a page; shorter requests do not make it busy."""
LONG_LIVED = 2.0
"""Seconds after which a pending request is taken for a stream or a long poll and not awaited."""
_awaited_in_vain: WeakKeyDictionary[Browser | BrowserContext, set[str]] = WeakKeyDictionary()
"""The methods and addresses of requests that stayed open for all of a busy time, by browser."""
_ENDED = "() => performance.getEntriesByType('resource').map((entry) => entry.name)"
_AWAITED = frozenset(("document", "script", "fetch", "xhr"))


class _Look(NamedTuple):
    """The activity of a page: whether it loads, its number of elements and its open requests."""

    loading: bool
    elements: int
    pending: frozenset[Request]


@dataclass
class Activity:
    """The activity of a page while an element is awaited."""

    page: Page
    _began: float = field(default_factory=time.time, init=False)
    reason: str = field(default="", init=False)
    """Why the page is or was busy, "" if it never was."""
    _before: _Look | None = field(default=None, init=False)
    _was_busy: bool = field(default=False, init=False)

    def is_busy(self) -> bool:
        """Return whether the page is busy, from the difference to the call before.

        A page is busy if its document loads, if a request stays open, or if elements are added, and
        until the next call after that. It is at rest if only texts and attributes change, as those of
        clocks do, if short requests are repeated, or if a request was open long before the element was
        awaited, as a long poll is. The first call always returns True.
        """
        before, self._before = self._before, self._look()
        if before is None:
            return True
        was_busy, reason = self._was_busy, _reason(before, self._before)
        self.reason, self._was_busy = reason or self.reason, bool(reason)
        return self._was_busy or was_busy

    def give_up(self) -> None:
        """Note that the open requests were awaited in vain, so that later ones like them are not awaited.

        A long poll that was never answered looks like a slow answer until then.
        """
        if self._before is not None:
            _in_vain(self.page).update(map(endpoint_of, self._before.pending))

    def _look(self) -> _Look:
        states = {}
        for frame in self.page.frames:
            with suppress(Error):
                states[frame] = dom.call(frame, "activity", timeout=GRACE)
        main = states.get(self.page.main_frame)
        ended = [address for state in states.values() for address in state["ended"]]
        # A stream has been answered, but never ends.
        pending = pending_requests(self.page, lambda: ended, sent_after=self._began - LONG_LIVED)
        known = _in_vain(self.page)
        unanswered = [
            request
            for request in pending
            if request.existing_response is None and endpoint_of(request) not in known
        ]
        return _Look(
            # A page that is blocked does not answer.
            loading=main is None or main["loading"],
            elements=sum(state["elements"] for state in states.values()),
            pending=frozenset(unanswered),
        )


def _in_vain(page: Page) -> set[str]:
    return _awaited_in_vain.setdefault(page.context.browser or page.context, set())


def endpoint_of(request: Request) -> str:
    """Return the method and address of a request without its query."""
    return f"{request.method} {request.url.partition('?')[0]}"


def _reason(before: _Look, now: _Look) -> str:
    if now.loading:
        return "was still loading or did not respond"
    if both := before.pending & now.pending:
        request = min(both, key=lambda each: each.url)
        return f"was still waiting for {endpoint_of(request)}"
    return "was still adding elements" if now.elements > before.elements else ""


def has_reacted(page: Page, since: float) -> bool:
    """Return whether any document has changed, moved the focus, taken an input or sent a request.

    `since` is on the monotonic clock. True if in doubt, as for shadow trees.
    """
    try:
        if pending_requests(page, sent_after=time.time() - (time.monotonic() - since)):
            return True
        for frame in page.frames:
            # Taken before the question, so that its time can't seem to be that of a reaction.
            passed = time.monotonic() - since
            if dom.call(frame, "reaction", timeout=GRACE)["quiet"] / 1000 < passed:
                return True
    except Error:
        return True
    return False


def has_received(page: Page, since: float, presses: Mapping[str, int]) -> bool | None:
    """Return whether any document has received a press of a mouse or key, None if that is not known.

    It has if it noticed one since then, on the monotonic clock, or if the browser has sent it more than
    the `presses` of before, by document. False means that neither is so in any document.
    """
    answers: list[bool | None] = []
    try:
        for frame in page.frames:
            reaction = dom.call(frame, "reaction", {"presses": presses}, timeout=GRACE)
            # Taken after the question, so that its time can't make the press seem earlier.
            passed = (time.monotonic() - since) * 1000
            noticed = reaction["received"] is not None and reaction["received"] <= passed
            answers.append(noticed or reaction["pressed"])
    except Error:
        return None
    return any(answers) if True in answers or None not in answers else None


def pending_requests(
    page: Page, ended: Callable[[], Iterable[str]] | None = None, *, sent_after: float | None = None
) -> list[Request]:
    """Return the open requests whose answers may change the page, too many if in doubt.

    `ended` returns the addresses of the requests that have ended; by default the page is asked.
    `sent_after` is in seconds of the system's clock; by default long-lived requests are left out.
    A request has no time before it is answered, but others that were sent after it may have one.
    Playwright misses the end of requests that ended before it was asked, and the page lists only
    requests that have ended: a request that only Playwright knows may still be open.
    """
    since = (time.time() - LONG_LIVED if sent_after is None else sent_after) * 1000
    pending: list[Request] = []
    here = page.url.partition("#")[0]
    for request in page.requests():
        if 0 < request.timing["startTime"] < since:
            pending.clear()
        if request.resource_type not in _AWAITED or request.failure:
            continue
        timing = request.timing
        if request.is_navigation_request() and request.url == here and timing["responseStart"] >= 0:
            # Requests of the page before ended with it.
            pending.clear()
        elif timing["responseEnd"] < 0:
            pending.append(request)
    if not pending:
        return []
    left = Counter(ended() if ended else [url for f in page.frames for url in f.evaluate(_ENDED)])
    still: list[Request] = []
    for request in pending:
        # Of several requests for an address the first have ended.
        if left[request.url] > 0:
            left[request.url] -= 1
        else:
            still.append(request)
    return still
