"""The time of a step, and its end in the middle of whatever call of Playwright waits then."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

GRACE = 1.5
"""Seconds that a step may still take to end once its time is over, and then to show and clean up what it has left."""

POLL = 0.05
"""Seconds between two looks at a page."""


class Deadline:
    """The end of a wait."""

    clock: Callable[[], float] = staticmethod(time.monotonic)
    """The clock of all deadlines, in seconds; tests may set it."""
    pace: float = 1.0
    """How many seconds of that clock pass in one of the world's."""

    def __init__(self, seconds: float) -> None:
        self.end = Deadline.clock() + seconds

    @property
    def left(self) -> float:
        """Return the seconds that are left, 0 at the end."""
        return max(self.end - Deadline.clock(), 0.0)

    @property
    def is_over(self) -> bool:
        """Return whether no time is left."""
        return self.left <= 0

    def pause(self, page: Page | None, seconds: float = POLL, *, over: bool = False) -> None:
        """Let the page, or other processes, go on for some seconds, or for those left unless it may be `over`."""
        most = max((seconds if over else min(seconds, self.left)) / Deadline.pace, 0.001)
        if page is None:
            time.sleep(most)
        else:
            import asyncio

            from playwright.sync_api import Error

            # Sleeping would block the events of the page, and `wait_for_timeout` takes a message.
            loop: Any = page
            loop._sync(asyncio.sleep(most))
            if page.is_closed():
                raise Error("the page has been closed")


class OutOfTime(BaseException):
    """Raised from a waiting call of Playwright; no error, so that nothing treats it as the page's."""


@dataclass
class StepTime:
    """The wall-clock time of a step: `limit` seconds, None for no limit."""

    limit: float | None = None
    thought: float = field(default=0.0, init=False)
    """The seconds that models took to decide."""
    _end: float = field(init=False)

    def __post_init__(self) -> None:
        self._end = time.monotonic() + (float("inf") if self.limit is None else self.limit)

    @property
    def left(self) -> float:
        """Return the seconds that are left, 0 or less at the end."""
        return self._end - time.monotonic()

    @property
    def is_over(self) -> bool:
        """Return whether no time is left."""
        return self.left <= 0

    @property
    def deadline(self) -> float | None:
        """Return the end on the monotonic clock, None if there is none."""
        return None if self.limit is None else self._end

    def capped(self, seconds: float) -> float:
        """Return a number of seconds, capped by those left."""
        return seconds if seconds <= self.left else max(self.left, 0.001)

    def think(self, seconds: float, waited: float = 0.0) -> None:
        """Count seconds in which a model decided; those in which it `waited` for people are given back."""
        self.thought += seconds
        self._end += waited

    def countdown(self, seconds: float) -> Callable[[], float]:
        """Return a function for the rest of these seconds of the page's time: models' are not counted."""
        began, thought = time.monotonic(), self.thought
        return lambda: seconds - (time.monotonic() - began) + (self.thought - thought)


@contextmanager
def interrupting(
    page: Page, left: Callable[[], float], is_paused: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """Raise OutOfTime from the call of Playwright that waits when no seconds are left.

    All later calls inside share some more seconds. A call that waits for a page whose script never
    ends may have no limit of its own.
    """
    from greenlet import getcurrent

    waiting = getcurrent()
    # Only while a call waits does the loop run.
    loop: Any = page._loop

    handles: list[Any] = []

    def check(rest: float) -> None:
        pause = rest if rest > 0 else max(GRACE + rest, POLL)
        handles[:] = [loop.call_later(pause, lambda: check(left()))]
        if rest <= 0 and not is_paused() and not waiting.dead:
            waiting.throw(OutOfTime)

    check(max(left(), 0.001))
    try:
        yield
    finally:
        handles[0].cancel()
