"""Waiting until a page has come to rest, so that what is observed is what a user would see."""

from __future__ import annotations

import time

from playwright.sync_api import Error, Page, Request

from pytest_webtask.page import engine

QUIET = 0.2
"""Seconds without a change of the document and without a young request in flight."""
DEBOUNCED = 0.4
"""Seconds that pages let pass after a key or under a mouse before they begin to do something."""
CAP = 5.0
"""Seconds after which a page that never rests is taken as it is."""
LONG_LIVED = 2.0
"""Seconds after which a request in flight is taken for a stream or a poll, and not waited for."""
_IGNORED = frozenset(
    ("media", "eventsource", "websocket", "ping", "texttrack", "manifest", "other")
)


def is_gone(page: Page, error: Error | None = None) -> bool:
    """Whether the page, its context or its browser has been closed or has crashed."""
    message = str(error or "")
    return page.is_closed() or "crash" in message.lower() or "has been closed" in message


def quiet(page: Page) -> float:
    """Seconds since the document last changed; the first time it begins to be watched."""
    try:
        return float(engine.call(page.main_frame, "quiet", timeout=CAP)["quiet"]) / 1000
    except Error:
        return 0.0


class Settler:
    """Waits for the pages that it has been told of; it listens to their requests from then on."""

    def __init__(self) -> None:
        self._pending: dict[Page, dict[Request, float]] = {}

    def watch(self, page: Page) -> None:
        """Listen to the requests of a page from now on."""
        self._watch(page)

    def settle(self, page: Page, least: float = 0.0) -> None:
        """Return when the page is at rest, after `least` seconds and at the latest after `CAP`."""
        pending = self._watch(page)
        began = time.monotonic()
        end = began + CAP
        try:
            page.wait_for_load_state("domcontentloaded", timeout=CAP * 1000)
        except Error:
            return
        while (now := time.monotonic()) < end:
            try:
                state = engine.call(page.main_frame, "quiet", timeout=CAP)
            except Error as error:
                if is_gone(page, error):
                    return
                state = {"quiet": 0.0, "ready": "loading"}
            young = any(now - sent < LONG_LIVED for sent in pending.values())
            rest = max(QUIET - state["quiet"] / 1000, least - (now - began))
            if state["ready"] != "loading" and not young and rest <= 0:
                return
            # Playwright's own wait, since time.sleep would hold up the events of the page.
            page.wait_for_timeout(min(max(rest, 0.02), 0.1) * 1000)

    def _watch(self, page: Page) -> dict[Request, float]:
        if page not in self._pending:
            pending: dict[Request, float] = {}
            self._pending[page] = pending

            def began(request: Request) -> None:
                if request.resource_type not in _IGNORED:
                    pending[request] = time.monotonic()

            def ended(request: Request) -> None:
                pending.pop(request, None)

            page.on("request", began)
            page.on("requestfinished", ended)
            page.on("requestfailed", ended)
        return self._pending[page]
