"""The pages of a test and what they do by themselves: dialogs, tabs, downloads, errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from playwright.sync_api import ConsoleMessage, Dialog, Download, Error, FileChooser, Frame, Page

from pytest_webtask.errors import PageError
from pytest_webtask.types.agent import Event, Tab

_OF_REQUEST = "Failed to load resource: the server responded with"
"""What the console says of a request that is told by itself."""


class PageProblems:
    """Tells each trouble once."""

    def __init__(self) -> None:
        self._told: set[tuple[str, str]] = set()

    def new(self, page: Page) -> Iterator[tuple[str, str]]:
        """Kind (`console`, `request`) and text of what has not been told yet."""
        try:
            found = [*_all(page)]
        except Error:  # the page has gone
            return
        for each in found:
            if each not in self._told:
                self._told.add(each)
                yield each


def _all(page: Page) -> Iterator[tuple[str, str]]:
    for request in page.requests():
        response = request.existing_response
        if response is not None and response.status >= 400:
            yield "request", f"{request.method} {request.url} was answered with {response.status}"
    for error in page.page_errors():
        yield "console", f"uncaught: {error}"
    for message in page.console_messages():
        if message.type == "error" and not message.text.startswith(_OF_REQUEST):
            yield "console", f"{message.text}{_place(message)}"


def _place(message: ConsoleMessage) -> str:
    url = str(message.location.get("url") or "")
    return f" ({url})" if url else ""


DIALOGS_PER_ACTION = 20
DIALOGS_AT_ALL = 200
"""A page that has opened as many dialogs during one action never stops, and is closed."""


@dataclass
class Reply:
    """What to do with a dialog during one action: dismissed unless announced."""

    accept: bool = False
    text: str | None = None
    seen: int = 0


class Tabs:
    """The pages that belong to a test's task, numbered from 1; `front` is the one acted upon.

    It listens only inside `listening()`, and to dialogs from `hear_dialogs()` on: between steps the
    pages are the user's alone. `scrub` takes secrets out of texts, `on_event` is told each event at
    once.
    """

    def __init__(
        self,
        page: Page,
        scrub: Callable[[str], str] = str,
        on_event: Callable[[Event], None] = lambda event: None,
    ) -> None:
        self._scrub = scrub
        self._on_event = on_event
        self._pages: dict[Page, int] = {page: 1}
        self._last = 1
        self._front = page
        self._openers: dict[Page, Page | None] = {}
        self._events: list[Event] = []
        self._answer = Reply()
        self._listening = False
        self._uploading = False
        self._dialogs = False
        self._choosers = False
        self._crashed: set[Page] = set()
        self._troubles = PageProblems()
        self.navigations = 0
        """Counts new documents in the pages' main frames, to tell whether one has come."""

    @property
    def front(self) -> Page:
        """The page in front; PageError where it crashed or no page is left."""
        if self._front in self._crashed:
            raise PageError(
                f"the page at {self._scrub(self._front.url)} crashed; a new test gets a new page"
            )
        if self._front.is_closed():
            left = [p for p in self._pages if not p.is_closed()]
            if not left:
                raise PageError("the page is closed; open one with the page or new_context fixture")
            self._front = left[-1]
            # Chromium leaves it in the background, where each click would take a second.
            self._front.bring_to_front()
        return self._front

    @front.setter
    def front(self, page: Page) -> None:
        self._front = page

    @property
    def current(self) -> Page:
        """The page last in front, even if it is gone."""
        return self._front

    @property
    def pages(self) -> dict[int, Page]:
        """The open pages by number."""
        return {n: p for p, n in self._pages.items() if not p.is_closed()}

    def number_of(self, page: Page) -> int:
        """The number of an open or closed page."""
        return self._pages[page]

    def opener_of(self, page: Page) -> Page | None:
        """The page that opened this one, even if it is gone; None where the test did."""
        if page not in self._openers:
            try:
                self._openers[page] = page.opener()
            except Error:
                self._openers[page] = None
        return self._openers[page]

    def records(self, title: str | None = None) -> tuple[Tab, ...]:
        """The open pages; asks each for its title, but for a known one of the page in front."""
        front = self.front
        known = {} if title is None else {front: title}
        return tuple(
            Tab(
                number=n,
                name=self._scrub(known.get(p) or title_of(p) or p.url),
                url=self._scrub(p.url),
                in_front=p is front,
            )
            for n, p in self.pages.items()
        )

    def drain(self) -> tuple[Event, ...]:
        """The events since the last call."""
        events, self._events = tuple(self._events), []
        return events

    def note(self, kind: str, text: str) -> None:
        """Tell of an event that no model is told of."""
        self._on_event(Event(kind=kind, text=self._scrub(text)))

    def note_troubles(self) -> None:
        """Tell what has gone wrong in the pages since the last time."""
        for page in self.pages.values():
            for kind, text in self._troubles.new(page):
                self.note(kind, text)

    def report(self, kind: str, text: str) -> None:
        """Add an event that somebody else has noticed."""
        event = Event(kind=kind, text=self._scrub(text))
        self._events.append(event)
        self._on_event(event)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Notice and answer what the pages do, for the time of a step."""
        self._listening = True
        context = self.front.context
        for page in context.pages:
            if page not in self._pages and self.opener_of(page) in self._pages:
                self._opened(page)
        context.on("page", self._opened)
        for page in self.pages.values():
            self._attach(page)
        try:
            yield
        finally:
            self._listening = False
            context.remove_listener("page", self._opened)
            if self._dialogs:
                context.remove_listener("dialog", self._early_dialog)
            for page in self.pages.values():
                self._detach(page)
            self._dialogs = self._choosers = False

    def hear_dialogs(self) -> None:
        """Answer the dialogs of the pages until the step is over: the browser must be told to ask."""
        if self._listening and not self._dialogs:
            self._dialogs = True
            self._front.context.on("dialog", self._early_dialog)
            for page in self.pages.values():
                # The context's listeners come first: with ours among the page's, the test's own win.
                page.on("dialog", self._dialog)

    @contextmanager
    def answering(self, accept: bool, text: str | None) -> Iterator[Reply]:
        """Answer the dialogs of one action as announced."""
        self._answer = Reply(accept, text)
        if self._listening and not self._choosers:
            # No chooser opens without an action, and each page must be told to leave it to us.
            self._choosers = True
            for page in self.pages.values():
                page.on("filechooser", self._chooser)
        try:
            yield self._answer
        finally:
            self._answer = Reply()

    @contextmanager
    def uploading(self) -> Iterator[None]:
        """File choosers are wanted, and no event."""
        self._uploading = True
        try:
            yield
        finally:
            self._uploading = False

    def _attach(self, page: Page) -> None:
        if self._dialogs:
            page.on("dialog", self._dialog)
        page.on("download", self._download)
        if self._choosers:
            page.on("filechooser", self._chooser)
        page.on("framenavigated", self._navigated)
        page.on("close", self._closed)
        page.on("crash", self._crash)

    def _detach(self, page: Page) -> None:
        if self._dialogs:
            page.remove_listener("dialog", self._dialog)
        page.remove_listener("download", self._download)
        if self._choosers:
            page.remove_listener("filechooser", self._chooser)
        page.remove_listener("framenavigated", self._navigated)
        page.remove_listener("close", self._closed)
        page.remove_listener("crash", self._crash)

    def _opened(self, page: Page) -> None:
        if page in self._pages:
            return
        opener = self.opener_of(page)
        if opener is not None and opener not in self._pages:
            return
        self._last += 1
        self._pages[page] = self._last
        if self._listening:
            self._attach(page)
        self.report("tab", f"tab {self._last} opened: {page.url}; it is not in front yet")

    def _closed(self, page: Page) -> None:
        self.report("tab", f"tab {self._pages.get(page, '?')} was closed")

    def _crash(self, page: Page) -> None:
        self._crashed.add(page)
        self.report("crash", f"tab {self._pages.get(page, '?')} crashed")

    def _navigated(self, frame: Frame) -> None:
        if frame.parent_frame is None:
            self.navigations += 1

    def _download(self, download: Download) -> None:
        self.report("download", f"download of {download.suggested_filename!r} started")

    def _chooser(self, chooser: FileChooser) -> None:
        if not self._uploading:
            self.report(
                "file chooser", "a file chooser opened and was cancelled; use the upload tool"
            )

    def _early_dialog(self, dialog: Dialog) -> None:
        """A dialog of a page that has not been announced yet."""
        if dialog.page not in self._pages:
            self._dialog(dialog)

    def _dialog(self, dialog: Dialog) -> None:
        answer = self._answer
        answer.seen += 1
        accept = answer.accept or dialog.type == "beforeunload"
        if answer.seen > DIALOGS_PER_ACTION:
            accept = False
        try:
            if accept:
                dialog.accept(dialog.default_value if answer.text is None else answer.text)
            else:
                dialog.dismiss()
        except Error:
            # The test's own handler was faster, or the page has gone.
            if dialog.page is not None and not dialog.page.is_closed():
                self.report(
                    "dialog", f'{dialog.type} "{dialog.message}" was left to the test itself'
                )
            return
        if answer.seen <= DIALOGS_PER_ACTION:
            done = "accepted" if accept else "dismissed"
            self.report("dialog", f'{dialog.type} "{dialog.message}" was {done}')
        elif answer.seen >= DIALOGS_AT_ALL and dialog.page is not None:
            dialog.page.close()


def title_of(page: Page) -> str:
    """The page's title on one line; "" where it has none or cannot be asked."""
    try:
        return " ".join(page.title().split())
    except Error:
        return ""
