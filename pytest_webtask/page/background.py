"""What pages do behind what they show: their requests, console messages, uncaught errors and downloads."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Error, Page, Request

_OF_REQUEST = "Failed to load resource: the server responded with"
"""The console's message about a failed request, which is reported separately."""
_CANCELED = re.compile("net::ERR_(ABORTED|BLOCKED_BY_CLIENT)|NS_BINDING_ABORTED|.*cancelled")
"""The errors of requests that the page, its user or a navigation has canceled."""
_HARMLESS = re.compile("uncaught (AbortError: |Error: ResizeObserver loop|: ResizeObserver loop)")
"""Uncaught errors after which nothing is missing: a canceled request, a layout that comes a frame later."""
_ADDRESS = re.compile(r"https?://([^/:\s)]+)")


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

    `requests` are those that were sent since, each with the host of its page, and `downloads` the names of the
    complete ones. An uncaught error that was thrown before, as at each load, is no problem of its own.
    """

    requests: list[tuple[str, Request]] = field(default_factory=list, init=False)
    downloads: list[str] = field(default_factory=list, init=False)
    _open: list[tuple[str, Request]] = field(default_factory=list, init=False)
    """The requests that were sent before, and not answered by then."""
    _errors: list[tuple[str, Error]] = field(default_factory=list, init=False)
    _messages: list[ConsoleMessage] = field(default_factory=list, init=False)
    _known: set[str] = field(default_factory=set, init=False)
    _noted: set[Problem] = field(default_factory=set, init=False)
    """What `new` has returned."""
    _is_watching: bool = field(default=False, init=False)

    def watch(self, page: Page) -> None:
        """Begin to collect what a page does; what the first one did since its load is not `new`."""
        page.on("request", lambda request: self.requests.append((_host(page.url), request)))
        page.on("pageerror", lambda error: self._errors.append((_host(page.url), error)))
        page.on("console", lambda message: self._messages.append(message))
        with suppress(Error):  # the page is closed
            # A page that has opened nothing has done nothing.
            earlier = page.requests() if page.url != "about:blank" else []
            known = [request for _, request in self.requests]
            loads = [
                at
                for at, each in enumerate(earlier)
                if each.is_navigation_request() and each.frame == page.main_frame
            ]
            own, host = earlier[max(loads, default=0) :], _host(page.url)
            self.requests += [(host, each) for each in own if each not in known]
            if page.url != "about:blank":
                self._errors += [(host, e) for e in page.page_errors(filter="since-navigation")]
                self._messages += page.console_messages(filter="since-navigation")
        if not self._is_watching:
            self._noted.update(self.problems)
        self._is_watching = True

    def begin(self) -> None:
        """Forget what was done before the first action of a step; open requests may still fail."""
        self._known.update(self.uncaught)
        self._open = [
            (host, request)
            for host, request in (*self._open, *self.requests)
            if request.timing["responseEnd"] < 0 and not request.failure
        ]
        for some in (self.requests, self.downloads, self._errors, self._messages):
            some.clear()
        self._noted = {each for each in self._noted if each.request is None}

    @property
    def problems(self) -> list[Problem]:
        """The requests that failed, then the uncaught errors.

        A request has failed if it was answered with a status from 400 on, or not at all, unless it was
        canceled.
        """
        requests = (*self._open, *self.requests)
        failed = [each for host, request in requests if (each := _failure(host, request))]
        return failed + [
            _uncaught(text, *thrown)
            for text, thrown in zip(self.uncaught, self._errors, strict=True)
            if text not in self._known and not _HARMLESS.match(text)
        ]

    @property
    def uncaught(self) -> list[str]:
        """The errors that no script has caught."""
        return [f"uncaught {each.name}: {each.message}" for _, each in self._errors]

    @property
    def console_errors(self) -> list[str]:
        """The errors in the consoles."""
        return [f"{each.text}{_place(each)}" for each in self._messages if each.type == "error"]

    def new(self, *, consoles: bool = True) -> list[Problem]:
        """Return the problems that were not returned before, with or without those in the consoles."""
        errors = self.console_errors if consoles else []
        problems = self.problems
        problems += [Problem("console", e) for e in errors if not e.startswith(_OF_REQUEST)]
        new = [each for each in dict.fromkeys(problems) if each not in self._noted]
        self._noted.update(new)
        return new


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _failure(host: str, request: Request) -> Problem | None:
    status, error = status_of(request), request.failure or ""
    if status < 400 and (not error or _CANCELED.fullmatch(error)):
        return None
    own = _host(request.url) == host
    return Problem("request", described(request), own, own and status >= 500, request)


def _uncaught(text: str, host: str, error: Error) -> Problem:
    """Return the problem of an error in a page of a host; that of an advertisement is not the application's."""
    thrown = _ADDRESS.search(error.stack or "")
    own = thrown is None or thrown[1] == host
    return Problem("console", text, own, own)


def status_of(request: Request) -> int:
    """Return the status of the answer to a request, 0 if there is none."""
    response = request.existing_response
    return response.status if response else 0


def described(request: Request) -> str:
    """Return a request and its answer in words, without what may be a secret in its address."""
    status, address = status_of(request), urlsplit(request.url)
    how = f"answered with {status}" if status else f"not answered: {request.failure or 'not yet'}"
    own = address._replace(netloc=address.netloc.rpartition("@")[2], query="", fragment="")
    return f"{request.method} {own.geturl()} was {how}"


def _place(message: ConsoleMessage) -> str:
    url = str(message.location.get("url") or "")
    return f" ({url})" if url else ""
