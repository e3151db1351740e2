"""Asking again when the page has changed: what is not so yet may come true."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from pytest_webtask.records import Seen
from pytest_webtask.tools.hands import Hands

__all__ = ["changes", "until"]

POLL = 0.1
"""Seconds between two looks whether the page has changed."""
_T = TypeVar("_T")


def until(hands: Hands, timeout: float, ask: Callable[[float], tuple[_T, bool, Seen | None]]) -> _T:
    """What `ask` answers, once it is content or there is no more to wait for.

    `ask` is given the seconds that are left, and returns its answer, whether that is final, and the
    page that it is about, or None where it has waited itself. It is asked again only where the page
    has changed. After `timeout` seconds it is so once more, if the page changed while it was at it.
    """
    began = time.monotonic()
    last = False
    while True:
        answer, final, page = ask(max(timeout - (time.monotonic() - began), 0.0))
        if final or last or page is None or not changes(hands, page, began + timeout):
            return answer
        last = time.monotonic() >= began + timeout


def changes(hands: Hands, page: Seen, until: float) -> bool:
    """Wait until the page is another than it was, or the time is over."""
    while True:
        now = hands.observe()
        if (now.outline, now.url, now.title) != (page.outline, page.url, page.title):
            hands.settler.settle(hands.page)
            return True
        if time.monotonic() >= until:
            # What an outline does not tell, such as a drawing, the picture may.
            now.screenshot  # noqa: B018 - reading it takes it
            return page.screenshot is not None and now.seen.screenshot != page.screenshot
        hands.page.wait_for_timeout(POLL * 1000)
