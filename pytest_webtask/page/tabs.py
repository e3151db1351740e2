"""The pages of a test and their events: dialogs, tabs, downloads, errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import BrowserContext, Dialog, Download, Error, FileChooser, Frame, Page

from pytest_webtask.data.phrases import folded
from pytest_webtask.data.text import well_formed
from pytest_webtask.errors import PageError
from pytest_webtask.page.background import Background, Problem
from pytest_webtask.types.agent import Event, Tab

QUESTIONS = frozenset(("confirm", "prompt", "beforeunload"))
"""The types of dialogs that ask something; an alert does not."""


@dataclass
class Reply:
    """The reply to one dialog of one of the `types`, of this `message` if that is known.

    Any other dialog is dismissed. `alerts` are the alerts of an action; `given` is the type and message
    of the dialog that got the reply.
    """

    types: frozenset[str] = frozenset()
    accept: bool = False
    text: str | None = None
    message: str | None = None
    alerts: list[tuple[str, str]] = field(default_factory=list)
    given: tuple[str, str] | None = None

    @property
    def wanted(self) -> str:
        """The dialog that the reply was for, or is to be for, in words."""
        return described(self.given or (" or ".join(sorted(self.types)), self.message or ""))

    def fits(self, dialog: Dialog) -> bool:
        """Return whether this is the reply to a dialog."""
        is_asked = dialog.type in self.types and self.given is None
        return is_asked and self.message in (None, folded(dialog.message))


class Tabs:
    """The pages of a test, numbered from 1; actions go to the one in `front`.

    Events are handled only inside `listening()`, and dialogs only after `hear_dialogs()`; between steps
    the test has the pages to itself, and a dialog ends as it does without a listener. `scrub` removes
    secrets from texts. `on_event` is called with each event immediately.
    """

    def __init__(
        self,
        page: Page,
        scrub: Callable[[str], str] = str,
        on_event: Callable[[Event], None] = lambda _: None,
    ) -> None:
        self._scrub = scrub
        self._on_event = on_event
        self._pages: dict[Page, int] = {page: 1}
        self._front = page
        self._openers: dict[Page, Page | None] = {}
        self._events: list[Event] = []
        self._answer = Reply()
        self.dialogs: list[tuple[str, str]] = []
        """The types and texts of the dialogs since the last step that acted began."""
        self.unanswered: list[tuple[str, str]] = []
        """The questions that were dismissed because no reply was for them."""
        self._open = 0
        self.stays = False
        """Whether the page was told to stay when it asked before it was left by the last action."""
        self._listening = False
        self._uploading = False
        self._answers = False
        self._has_acted = False
        self._listeners: dict[Any, Callable[[Any], None]] = {
            "download": self._download,
            "framenavigated": self._navigated,
            "close": self._closed,
            "crash": self._crash,
        }
        self._crashed: set[Page] = set()
        self._watched: set[Page] = set()
        self.background = Background()
        """What the pages have done since the last step that acted began."""
        self.failures: list[str] = []
        """How the application has failed during the step, as far as it was noted."""
        self.navigations = 0
        """The number of documents loaded in main frames."""
        self.reports = 0

    @property
    def front(self) -> Page:
        """Return the page in front. Raises PageError if it crashed or no page is left."""
        if self._front in self._crashed:
            raise PageError(
                f"the page at {self._scrub(self._front.url)} crashed: run the test again, it gets a new page"
            )
        if self._front.is_closed():
            left = [p for p in self._pages if not p.is_closed()]
            if not left:
                raise PageError(
                    "the page is closed: keep it open until the last step, or open one with page.context.new_page()"
                )
            self._front = left[-1]
            # Chromium would leave the page in the background, where each click takes a second.
            self._front.bring_to_front()
        return self._front

    @front.setter
    def front(self, page: Page) -> None:
        self._front = page

    @property
    def current(self) -> Page:
        """Return the page last in front, even if it is closed."""
        return self._front

    @property
    def pages(self) -> dict[int, Page]:
        """Return the open pages by number."""
        return {n: p for p, n in self._pages.items() if not p.is_closed()}

    def number_of(self, page: Page) -> int:
        """Return the number of an open or closed page."""
        return self._pages[page]

    def opener_of(self, page: Page) -> Page | None:
        """Return the page that opened this one, even if closed; None if the test opened it."""
        if page not in self._openers:
            self._openers[page] = None
            with suppress(Error):
                self._openers[page] = page.opener()
        return self._openers[page]

    def records(self, title: str | None = None) -> tuple[Tab, ...]:
        """Return the open pages as tabs; `title` is the title of the page in front, if known."""
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
        """Return and clear the collected events."""
        events, self._events = tuple(self._events), []
        return events

    @property
    def stopped(self) -> str:
        """The collected events of pages that left the allowed origins, or were kept from it."""
        return "; ".join(each.text for each in self._events if each.kind in ("stopped", "left"))

    def note(self, kind: str, text: str, *, fails: bool = False) -> None:
        """Report an event to the journal, but not to the model."""
        self._on_event(Event(kind=kind, text=self._scrub(text), fails=fails))

    def note_problems(self, *, consoles: bool = True) -> None:
        """Report new problems of the pages, with or without those in their consoles."""
        for each in self.background.new(consoles=consoles):
            self.note(each.kind, each.text, fails=each.fails)
            self.failures += [self._scrub(each.text)] if each.fails else []

    def problems(self) -> list[Problem]:
        """Return what failed in the application since the last step that acted began, without secrets."""
        own = (each for each in self.background.problems if each.own)
        return [replace(each, text=self._scrub(each.text)) for each in own]

    def report(self, kind: str, text: str, **fields: Any) -> None:
        """Record an event with further `fields`, and pass it on."""
        self.reports += 1
        event = Event(kind=kind, text=self._scrub(text), **fields)
        self._events.append(event)
        self._on_event(event)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Record and handle the events of the pages during a step."""
        self._listening = True
        self.unanswered.clear()
        self.failures.clear()
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
            for page in self.pages.values():
                self._detach(page)
            if self._answers:
                _answering[context].remove(self)
            self._listeners.pop("filechooser", None)
            self._answers = self._has_acted = False

    def hear_dialogs(self) -> None:
        """Answer dialogs of the pages from now until the step ends."""
        if self._listening and not self._answers:
            self._answers = True
            context = self._front.context
            if context not in _answering:
                _answering[context] = []
                context.on("dialog", partial(_answer, context))
            _answering[context].append(self)

    @contextmanager
    def answering(self, reply: Reply, *, choosers: bool = True) -> Iterator[None]:
        """Answer a dialog during one action with the given reply.

        With `choosers`, file choosers are reported from this action on, until the step ends.
        """
        self._answer, self.stays = reply, False
        if not self._has_acted:
            self._has_acted = True
            self.dialogs.clear()
            # What the page did after the last step is noted with this one.
            self.note_problems()
            self.background.begin()
        if choosers and self._listening and "filechooser" not in self._listeners:
            self._listeners["filechooser"] = self._chooser
            for page in self.pages.values():
                page.on("filechooser", self._chooser)
        try:
            yield
        finally:
            self._answer = Reply()

    def await_answers(self) -> None:
        """Wait until the dialogs that are open have their answers, which may end an action first."""
        with suppress(Error):
            while self._open:
                self._front.wait_for_timeout(5)

    @contextmanager
    def uploading(self) -> Iterator[None]:
        """Expect a file chooser: none is reported inside this context."""
        self._uploading = True
        try:
            yield
        finally:
            self._uploading = False

    def _attach(self, page: Page) -> None:
        for event, listener in self._listeners.items():
            page.on(event, listener)
        if page not in self._watched:
            # A download may begin after the step that caused it.
            self._watched.add(page)
            page.on("download", self._await_file)
            self.background.watch(page)

    def _detach(self, page: Page) -> None:
        for event, listener in self._listeners.items():
            page.remove_listener(event, listener)

    def _opened(self, page: Page) -> None:
        if page in self._pages:
            return
        opener = self.opener_of(page)
        if opener is not None and opener not in self._pages:
            return
        number = self._pages[page] = len(self._pages) + 1
        if self._listening:
            self._attach(page)
        self.report(
            "tab",
            f"a new tab opened, {number}: {page.url}; you are still in the tab that you were in:"
            f" call switch_tab with {number} to work in the new one",
            tab=number,
            url=self._scrub(page.url),
        )

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

    def _await_file(self, download: Download) -> None:
        with suppress(Error):  # its context was closed
            if download.failure() is None:
                self.background.downloads.append(download.suggested_filename)

    def _chooser(self, _: FileChooser) -> None:
        if not self._uploading:
            self.report(
                "file chooser", "a file chooser opened and was canceled; use the upload tool"
            )

    def take(self, dialog: Dialog) -> None:
        """Answer a dialog, unless a listener of the test has done so."""
        reply, asked = self._answer, (dialog.type, folded(dialog.message))
        is_question = dialog.type in QUESTIONS
        fits = reply.fits(dialog)
        accepts = fits and reply.accept
        self.dialogs.append(asked)
        if fits:
            reply.given = asked
        elif not is_question:
            reply.alerts.append(asked)
        self.stays |= dialog.type == "beforeunload" and not accepts
        shown = f'{dialog.type} "{dialog.message}"'
        if not self._end(dialog, reply if accepts else None):
            return
        if is_question and not fits:
            self.unanswered.append(asked)
        done = "accepted" if accepts else "dismissed" if is_question else "shown"
        self.report("dialog", f"{shown} was {done}", dismissed=is_question and not accepts)

    def _end(self, dialog: Dialog, reply: Reply | None) -> bool:
        self._open += 1
        try:
            if reply is None:
                dialog.dismiss()
            else:
                dialog.accept(dialog.default_value if reply.text is None else reply.text)
        except Error:
            if dialog.page is not None and not dialog.page.is_closed():
                shown = f'{dialog.type} "{dialog.message}"'
                self.report("dialog", f"{shown} was answered by the test")
            return False
        finally:
            self._open -= 1
        return True


_answering: WeakKeyDictionary[BrowserContext, list[Tabs]] = WeakKeyDictionary()
"""Who answers the dialogs of each context that is listened to, from the first time on: that takes a message."""


def _answer(context: BrowserContext, dialog: Dialog) -> None:
    """Have a dialog answered; where no step does, it ends as it does without a listener."""
    from greenlet import greenlet

    place: Any = context
    page: Any = dialog.page
    listeners = place._impl_obj.listener_count("dialog")
    if page is not None:
        listeners += page._impl_obj.listener_count("dialog")

    def answer() -> None:
        if answering := _answering[context]:
            answering[-1].take(dialog)
        elif listeners == 1:
            with suppress(Error):
                dialog.accept() if dialog.type == "beforeunload" else dialog.dismiss()

    # The test's own listeners come first, and where one answers, that counts.
    place._loop.call_soon(lambda: greenlet(answer).switch())


def described(asked: tuple[str, str]) -> str:
    """Return the type and message of a dialog in words."""
    return f'{asked[0]} "{asked[1]}"'


def title_of(page: Page) -> str:
    """Return the page's title on one line, "" if it has none or is closed."""
    try:
        return well_formed(folded(page.title()))
    except Error:
        return ""
