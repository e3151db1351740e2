"""The activity of a page: whether it is busy, and waiting until it is at rest."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, BrowserContext, Error, Page, Request

from pytest_webtask.page import dom

QUIET = 0.2
"""Seconds without document changes or recent pending requests after which a page is settled."""
DEBOUNCED = 0.4
"""Seconds that pages debounce keys and mouse moves before they react."""
CAP = 5.0
"""Seconds after which a page that never settles is observed as it is."""
_IGNORED = frozenset(
    ("media", "eventsource", "websocket", "ping", "texttrack", "manifest", "other")
)
GRACE = 0.5
"""Seconds between two looks at the activity of a page; shorter requests do not make it busy."""
LONG_LIVED = 2.0
"""Seconds after which a pending request is taken for a stream or a long poll and not awaited."""
_awaited_in_vain: WeakKeyDictionary[Browser | BrowserContext, set[str]] = WeakKeyDictionary()
"""The methods and addresses of requests that stayed open for all of a busy time, by browser."""
_ENDED = "() => performance.getEntriesByType('resource').map((entry) => entry.name)"
_AWAITED = frozenset(("document", "script", "fetch", "xhr"))


def is_gone(page: Page, error: Error | None = None) -> bool:
    """Return whether the page, its context or its browser was closed or has crashed."""
    message = str(error or "")
    return page.is_closed() or "crash" in message.lower() or "has been closed" in message


def quiet(page: Page) -> float:
    """Return the seconds since the document last changed, as far as an engine has watched it."""
    try:
        return float(dom.call(page.main_frame, "quiet", timeout=CAP)["quiet"]) / 1000
    except Error:
        return 0.0


def at_rest(page: Page) -> float:
    """Return the seconds since the document last changed or was operated, as far as it was watched."""
    try:
        return float(dom.call(page.main_frame, "quiet", timeout=CAP)["rest"]) / 1000
    except Error:
        return 0.0


class Settler:
    """Waits until pages settle; listens to the requests of each page from the first call on.

    A loading sign that has outlasted a wait is taken for decoration and not awaited again, and so a
    request that has stayed open is taken for a stream or a long poll, and awaited for less.
    """

    def __init__(self) -> None:
        self._decoration: set[str] = set()
        self._streams: set[str] = set()
        self._pending: dict[Page, dict[Request, float]] = {}
        self._answered: dict[str, float] = {}

    def watch(self, page: Page) -> None:
        """Start to listen to the requests of a page."""
        self._watch(page)

    def rest(self, page: Page, least: float) -> None:
        """Wait until the page has been at rest for `least` seconds; return at once if it has.

        A page with frames, of which only the top document is watched, and a page that waits for a
        response are waited for as long as if they had just come to rest.
        """
        try:
            rested = 0.0 if len(page.frames) > 1 or pending_requests(page) else at_rest(page)
        except Error:  # the page is loading another document, or it is closed
            rested = 0.0
        if rested < least:
            self.settle(page, least - rested, signs=False)

    def settle(self, page: Page, least: float = 0.0, *, signs: bool = True) -> None:
        """Wait until the page settles: at least `least` seconds, at most `CAP`.

        With `signs` the visible loading signs have to go as well, and slow requests are awaited for as
        long as that.
        """
        pending = self._watch(page)
        since: dict[str, float] = {}
        began = time.monotonic()
        end = began + CAP

        def is_poll(address: str) -> bool:
            """Return whether the page asks again for what it has been answered."""
            return self._answered.get(address, 0.0) >= began

        try:
            page.wait_for_load_state("domcontentloaded", timeout=CAP * 1000)
        except Error:
            return
        while (now := time.monotonic()) < end:
            try:
                state = dom.call(page.main_frame, "quiet", timeout=CAP)
            except Error as error:
                if is_gone(page, error):
                    return
                state = {"quiet": 0.0, "ready": "loading"}
            opened = any(
                not is_poll(address := endpoint_of(request))
                and now - sent < (CAP if signs and address not in self._streams else LONG_LIVED)
                for request, sent in pending.items()
            )
            still = state["quiet"] / 1000
            if signs:
                # A page takes a moment to show what it was answered.
                still = min(still, now - max(self._answered.values(), default=0.0))
            left, rest = least - (now - began), QUIET - still
            if state["ready"] != "loading" and not opened and max(left, rest) <= 0:
                shown = self._loading_signs(page) if signs else set()
                since = {sign: since.get(sign, now) for sign in shown}
                if not shown:
                    break
                rest = 0.1
            # Not time.sleep, which would block the events of the page.
            page.wait_for_timeout(max(left, min(max(rest, 0.02), 0.1)) * 1000)
        now = time.monotonic()
        if signs:
            # The limit of a request that was sent before may have passed just before that of the wait.
            long = [endpoint_of(r) for r, sent in pending.items() if now - sent > CAP / 2]
            self._streams |= {address for address in long if not is_poll(address)}
        lasting = {sign for sign, first in since.items() if now - first > CAP / 2}
        if lasting:
            self._decoration |= lasting & self._loading_signs(page)

    def awaits_page(self, page: Page) -> bool:
        """Return whether another document was requested and has not been answered."""
        return any(
            request.is_navigation_request()
            and request.existing_response is None
            and _is_of(page, request)
            for request in self._watch(page)
        )

    def _loading_signs(self, page: Page) -> set[str]:
        try:
            return {*dom.call(page.main_frame, "loading", timeout=CAP)} - self._decoration
        except Error:
            return set()

    def _watch(self, page: Page) -> dict[Request, float]:
        if page not in self._pending:
            pending: dict[Request, float] = {}
            self._pending[page] = pending

            def began(request: Request) -> None:
                if request.resource_type not in _IGNORED:
                    pending[request] = time.monotonic()

            def ended(request: Request) -> None:
                pending.pop(request, None)
                self._answered[endpoint_of(request)] = time.monotonic()

            page.on("request", began)
            page.on("requestfinished", ended)
            page.on("requestfailed", ended)
        return self._pending[page]


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
        return "was still loading or not responding"
    if both := before.pending & now.pending:
        request = min(both, key=lambda each: each.url)
        return f"was still waiting for {endpoint_of(request)}"
    return "was still adding elements" if now.elements > before.elements else ""


Moments = dict[str, dict[str, Any]]
"""By document, the `now` of its clock and the number of `presses` that it had received by then."""


def take_moments(page: Page) -> Moments:
    """Return the present moment of each document of a page that answers."""
    moments: Moments = {}
    for frame in page.frames:
        with suppress(Error):
            reaction = dom.call(frame, "reaction", timeout=GRACE)
            moments[reaction["document"]] = moment_of(reaction)
    return moments


def moment_of(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the moment of the document that an answer of `engine.js` is about."""
    return {"now": answer["now"], "presses": answer["presses"]}


def has_reacted(page: Page, since: float, before: Moments) -> bool:
    """Return whether any document has changed, moved the focus, taken an input or sent a request.

    It is asked since the moment in `before`, and if that lacks the document, since a time on the
    monotonic clock. True if in doubt, as for shadow trees.
    """
    try:
        if pending_requests(page, sent_after=time.time() - (time.monotonic() - since)):
            return True
        for frame in page.frames:
            # Taken before the question, so that its time can't seem to be that of a reaction.
            passed = time.monotonic() - since
            reaction = dom.call(frame, "reaction", {"before": before}, timeout=GRACE)
            changed = reaction["changed"]
            if reaction["quiet"] / 1000 < passed if changed is None else changed:
                return True
    except Error:
        return True
    return False


def has_received(page: Page, since: float, before: Moments) -> bool | None:
    """Return whether any document has received a press of a mouse or key, None if that is not known.

    It has if it noticed one since the moment in `before`, or else since a time on the monotonic clock,
    or if the browser has sent it more presses. False means that neither is so in any document.
    """
    answers: list[bool | None] = []
    try:
        for frame in page.frames:
            reaction = dom.call(frame, "reaction", {"before": before}, timeout=GRACE)
            # Taken after the question, so that its time can't make the press seem earlier.
            passed = (time.monotonic() - since) * 1000
            noticed = reaction["received"]
            if noticed is None:
                noticed = reaction["since"] is not None and reaction["since"] <= passed
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


def _is_of(page: Page, request: Request) -> bool:
    """Return whether a request for a document is for that of the page, not of a frame in it."""
    try:
        return request.frame == page.main_frame
    except Error:  # its frame does not exist yet
        return True
