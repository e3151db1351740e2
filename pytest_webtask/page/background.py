"""What pages do behind what they show: their requests, console messages, uncaught errors and downloads."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Error, Page, Request

_OF_REQUEST = "Failed to load resource: the server responded with"
"""The console's message about a failed request, which is reported separately."""
_CANCELED = ("ABORTED", "BLOCKED_BY_CLIENT", "cancelled")
"""Parts of the errors of requests that the page, its user or a navigation has canceled."""
_HARMLESS = ("AbortError", "ResizeObserver loop")
"""Parts of uncaught errors after which nothing is missing: a canceled request, a layout that comes a frame later."""
_MESSAGES = 200
"""The number of console messages that Playwright keeps of a page."""


@dataclass(frozen=True)
class Problem:
    """A problem that a page has not shown, of the `kind` `request` or `console`, in words.

    It is the application's `own` if it is a request to the host of the page, or an error that no script
    has caught. The application `fails` if its server could not answer, or by such an error.
    """

    kind: str
    text: str
    own: bool = False
    fails: bool = False
    request: Request | None = None


@dataclass
class Background:
    """What pages did since the last step that acted began its first action, or before that since they were loaded.

    `requests` are those that were sent since, each with its page, and `downloads` the names of the complete
    ones. An uncaught error that was thrown before, as at each load, is no problem of its own.
    """

    requests: list[tuple[Page, Request]] = field(default_factory=list, init=False)
    downloads: list[str] = field(default_factory=list, init=False)
    _began: float = field(default=0.0, init=False)
    _errors: list[Error] = field(default_factory=list, init=False)
    _known: set[str] = field(default_factory=set, init=False)
    """The errors that were thrown before."""
    _noted: set[Problem] = field(default_factory=set, init=False)
    """What `new` has returned."""

    def watch(self, page: Page) -> None:
        """Begin to collect what a page does, as long as it is open; what it did since its load is not `new`."""
        page.on("request", lambda request: self.requests.append((page, request)))
        page.on("pageerror", lambda error: self._errors.append(error))
        with suppress(Error):  # the page is closed
            earlier = page.requests()
            loads = [at for at, each in enumerate(earlier) if _loads(page, each)]
            own = ((page, each) for each in earlier[max(loads, default=0) :])
            self.requests += [each for each in own if each not in self.requests]
            self._errors += page.page_errors(filter="since-navigation")
        self._noted.update(self.problems)

    def begin(self) -> None:
        """Forget what was done before the first action of a step."""
        self._known.update(self.uncaught)
        for each in (self.requests, self.downloads, self._errors):
            each.clear()
        self._noted = {each for each in self._noted if each.request is None}
        self._began = time.time()

    @property
    def problems(self) -> list[Problem]:
        """The requests that failed, then the uncaught errors.

        A request has failed if it was answered with a status from 400 on, or not at all, unless it was
        canceled.
        """
        failed = [each for page, request in self.requests if (each := _failure(page, request))]
        return failed + [
            Problem("console", each, own=True, fails=True)
            for each in self.uncaught
            if each not in self._known and not any(word in each for word in _HARMLESS)
        ]

    @property
    def uncaught(self) -> list[str]:
        """The errors that no script has caught."""
        return [f"uncaught {each.name}: {each.message}" for each in self._errors]

    def console_errors(self, page: Page) -> tuple[list[str], bool]:
        """Return the errors in the console of a page, and whether there may have been more."""
        every = page.console_messages(filter="all" if self._began else "since-navigation")
        since = [each for each in every if each.timestamp / 1000 >= self._began]
        errors = [f"{each.text}{_place(each)}" for each in since if each.type == "error"]
        return errors, len(since) >= _MESSAGES

    def new(self, pages: Iterable[Page] = ()) -> list[Problem]:
        """Return the problems that were not returned before, with those in the consoles of `pages`."""
        problems = self.problems
        for page in pages:
            with suppress(Error):  # the page is closed
                errors, _ = self.console_errors(page)
                problems += [
                    Problem("console", each) for each in errors if not each.startswith(_OF_REQUEST)
                ]
        new = [each for each in dict.fromkeys(problems) if each not in self._noted]
        self._noted.update(new)
        return new


def _loads(page: Page, request: Request) -> bool:
    return request.is_navigation_request() and request.frame == page.main_frame


def _failure(page: Page, request: Request) -> Problem | None:
    """Return the problem of a request of a page, None if it has not failed."""
    status, error = status_of(request), request.failure
    if status < 400 and (status or not error or any(word in error for word in _CANCELED)):
        return None
    own = urlsplit(request.url).hostname == urlsplit(page.url).hostname
    return Problem("request", described(request), own, own and status >= 500, request)


def status_of(request: Request) -> int:
    """Return the status of the answer to a request, 0 if there is none."""
    response = request.existing_response
    return response.status if response else 0


def described(request: Request) -> str:
    """Return a request and its answer in words."""
    status = status_of(request)
    how = f"answered with {status}" if status else f"not answered: {request.failure or 'not yet'}"
    return f"{request.method} {request.url} was {how}"


def _place(message: ConsoleMessage) -> str:
    url = str(message.location.get("url") or "")
    return f" ({url})" if url else ""
