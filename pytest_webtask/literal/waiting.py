"""Wait for the one element of the live page that an action is about."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page

from pytest_webtask.literal.finder import (
    ElementPhrase,
    Match,
    PageLook,
    Rank,
    UnresolvedError,
    look_at,
    unreadable_page,
    unresolved,
)
from pytest_webtask.page.activity import CAP, QUIET, VAIN, Look, activity_of, is_gone
from pytest_webtask.page.step_time import POLL, Deadline

_GRACE = 0.5
"""Seconds in which several matches may become one on a page at rest."""


def find_element(
    page: Page,
    phrase: ElementPhrase,
    timeout: float,
    *,
    busy_timeout: float = 0.0,
) -> Match:
    """Return the one element to be acted on, waiting up to `timeout` seconds for it.

    An element counts once the page is at rest, or at once if it has exactly the name and has come since the last
    action. The wait is up to `busy_timeout` if that is longer and the page loads or awaits answers.

    Raises `UnresolvedError` if there is none or more than one, `PageError` if the page was closed
    or crashed.
    """
    search = _Search(page, phrase, timeout, max(timeout, busy_timeout))
    while True:
        trouble: Exception | None = None
        is_lost = False
        try:
            if hit := search.step():
                return hit
        except UnresolvedError as error:  # the page does not show the scope
            trouble = error
        except PlaywrightError as error:  # the page navigated during the look, or it is closed
            trouble, is_lost = unreadable_page(error), is_gone(page, error)
        if is_lost or search.is_over:
            raise trouble or search.failure()
        with suppress(PlaywrightError):
            search.pass_time()


class _Search:
    """The looks at a page for one element: the last one, and whether the page was at `rest` then."""

    def __init__(self, page: Page, phrase: ElementPhrase, timeout: float, longest: float) -> None:
        self.page = page
        self.phrase = phrase
        self.activity = activity_of(page)
        self.began = Deadline.clock()
        self.look = PageLook()
        self.rest = Look()
        self._timeout = timeout
        self._longest = longest
        self._reason = ""
        self._hits = 0
        self._since = self.began
        """Since when there has been no hit, one, or several."""

    @property
    def waited(self) -> float:
        """The seconds since the search began."""
        return Deadline.clock() - self.began

    @property
    def waits(self) -> float:
        """For how many seconds the element is awaited: a page that is busy is given longer."""
        return self._longest if self.rest.is_busy else self._timeout

    @property
    def is_over(self) -> bool:
        """Whether the time is up, or there have been several matches for a while on a page at rest."""
        is_ambiguous = self._hits > 1 and Deadline.clock() - self._since >= _GRACE
        return is_ambiguous or self.waited >= self.waits

    def pass_time(self) -> None:
        """Wait for the next look. Raises Error if the page is closed meanwhile."""
        left = max(self._longest - self.waited, 0.0)
        if self.rest.waits:
            self.activity.pass_time(left)
        else:
            pause = self.rest.pause if self.rest.reason else POLL
            Deadline(left).pause(self.page, pause, over=True)

    def step(self) -> Match | None:
        """Look at the page; return the one element that is meant if it may be used. Raises UnresolvedError and Error."""
        self._look()
        hits = self.look.hits
        if len(hits) != 1 or not self._may_use(hits[0]):
            return None
        if Deadline.clock() - self._since > VAIN:
            # What was awaited did not bring the element.
            self.activity.give_up(self.rest)
        self.activity.note_wait(self.waited, self.rest.reason or self._reason)
        return hits[0]

    def _look(self) -> None:
        self.look, self.rest = PageLook(), Look()
        self.activity.ask_along()
        try:
            self.look = look_at(self.page, self.phrase)
        finally:
            self.rest = self.activity.look()
            self._reason = self.rest.reason or self._reason
        hits = min(len(self.look.hits), 2)
        if hits and self.look.rank is Rank.PART and not self.rest.reason:
            # A better match may be on its way.
            self.rest = self.activity.look(QUIET, finds=True)
        if hits != self._hits or (hits > 1 and self.rest.reason):
            self._hits, self._since = hits, Deadline.clock()

    def _may_use(self, hit: Match) -> bool:
        """Return whether the page is at rest, will not be, or need not be for an element to act on.

        Such an element has exactly the name, and the last action is over, or the element has come since. Answers
        that a new page waits for may still fill in its fields.
        """
        if not self.rest.reason:
            return True
        is_sure = hit.strong or self.look.rank is not Rank.PART
        if is_sure and self.waited >= min(CAP, self._longest):
            return True
        is_over = self.rest.over and self.phrase.fit in ("click", "scroll")
        return hit.strong and (is_over or self.activity.has_come(hit.added))

    def failure(self) -> UnresolvedError:
        """Return the error for what the last look has found."""
        self.activity.give_up(self.rest)
        return unresolved(self.page, replace(self.phrase, waits=self.waits), self.look)
