"""Texts that appeared on a page and vanished between two observations: toasts, brief errors.

They may have vanished with their page: messages are noted before a call that may leave it.

An observer in the isolated world of each document (`js/observe.js`) records them, without any
Playwright listener on the page. In Chromium it runs from the start of every document in the page's
process. In other browsers, and in frames of another process, it starts at the first `arm`.

Not recorded: texts that vanish within one animation frame, while the observer pauses on a busy page
or with their document after the last `arm`, and texts in closed shadow roots, canvases, `::before`
and fields.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, cast
from weakref import WeakKeyDictionary

from playwright.sync_api import CDPSession, Error, Frame, Page

from pytest_webtask.data.masking import Redact
from pytest_webtask.data.phrases import shortened
from pytest_webtask.data.text import says, squashed
from pytest_webtask.data.values import Data
from pytest_webtask.page import dom
from pytest_webtask.page.activity import activity_of
from pytest_webtask.page.frames import frame_places, redacted_in

AT_MOST = 20
"""The number of texts that are reported for a page."""
LENGTH = 200
"""The number of characters that are reported of a text."""
TIMEOUT = 2.0
"""Seconds in which a frame must answer; slower frames are skipped."""


@dataclass(frozen=True)
class VanishedText:
    """A text that was visible and has vanished, with its `container`, such as `dialog "Confirm"`.

    `role` is `alert`, `status`, `log`, `timer`, `tooltip` or empty. `after` is the call after which it was shown, if
    it has vanished with its page. It appeared `at` a time, and is a `message` that went by itself, if it says so.
    """

    text: str
    role: str = ""
    container: str = ""
    shown_ms: int = 0
    after: str = ""
    at: float = 0.0
    message: bool = False

    @classmethod
    def of(cls, text: dict[str, Any], after: str = "") -> VanishedText:
        """Return a text as `observe.js` reports it."""
        container = text.pop("container") or {"role": "", "name": ""}
        name = json.dumps(container["name"], ensure_ascii=False) if container["name"] else ""
        return cls(**text, container=f"{container['role']} {name}".strip(), after=after)

    def masked(self, data: Data) -> VanishedText:
        """Return it without secrets and redacted parts, and shortened."""
        container = shortened(data.scrub(self.container), LENGTH // 2)
        return replace(self, text=shortened(data.scrub(self.text), LENGTH), container=container)


_sessions: WeakKeyDictionary[Page, CDPSession | None] = WeakKeyDictionary()
"""The debugger session of each page, which is sent what happens there; None in browsers that have none."""
_started: WeakKeyDictionary[Page, tuple[Sequence[str], str]] = WeakKeyDictionary()
"""The selectors with which the observer starts in new documents of each page, and the id of its script.

A page that several tests use in turn has one: each would run in every document.
"""


class Vanished:
    """The vanished texts on the pages of one test.

    The selectors of `redact` are matched while a text is visible.
    """

    def __init__(self, redact: Redact | None = None) -> None:
        self._redact = redact or Redact()
        self._css = self._redact.selectors
        self._records: dict[Page, dict[str, list[VanishedText]]] = {}
        self._messages: dict[Page, dict[str, list[VanishedText]]] = {}
        """The messages of each document when they were last noted."""
        self.since = "the test"
        """The step that began at the last mark."""

    def arm(self, page: Page) -> set[str]:
        """Watch the documents of a page, and collect the texts that have vanished so far.

        Return the documents that are watched.
        """
        self._watch_from_the_start(page)
        answers = self._ask(page, "watch")
        records = {document: [*map(VanishedText.of, texts)] for document, texts in answers.items()}
        self._records.setdefault(page, {}).update(records)
        return {*answers}

    def note_messages(self, page: Page, after: str) -> None:
        """Note the messages that a page shows `after` a call, before another call may leave the page.

        Messages are statuses, alerts and dialogs that have appeared since the last mark.
        """
        noted = self._messages.setdefault(page, {})
        for document, texts in self._ask(page, "messages").items():
            noted[document] = [VanishedText.of(text, after) for text in texts]

    def mark(self, page: Page, since: str = "the test", *, leaves: bool = False) -> None:
        """Forget the texts that have appeared before a step, vanished or not, and watch for later ones.

        A blank page that the step `leaves` is not asked for any: the first question takes long.
        """
        self.since = since
        self._records.pop(page, None)
        self._messages.clear()
        activity_of(page).mark()
        is_blank = leaves and page.url == "about:blank"
        if not (self._watch_from_the_start(page) or is_blank):
            self._ask(page, "begin")

    def texts(self, page: Page, data: Data, outlines: Sequence[str] = ()) -> list[VanishedText]:
        """Return the texts that vanished since the last mark, at most `AT_MOST`, in order of appearance.

        Texts without a role that are in `outlines`, as those of earlier turns, are left out.
        Secrets and redacted texts are masked by `data` before long texts are cut.
        """
        texts = [record.masked(data) for record in self._vanished(page)]
        known = "\0".join(outlines)
        return [text for text in texts if text.role or text.text not in known][:AT_MOST]

    def was_shown(
        self, page: Page, text: str, data: Data, *, exact: bool = False, message: bool = False
    ) -> VanishedText | None:
        """Return the vanished text that contains `text` in whole words, or with `exact` equals it.

        With `message` only a message counts that has come after the last action, and went by itself. One
        that equals it, and need not have gone by itself, may be shown still.
        """
        words = data.fill(text).strip()
        records = self._vanished(page) if words else []
        if message:
            records = [record for record in records if record.message]
        elif exact and words:
            self.note_messages(page, "the last action")
            records += _flat(self._messages.get(page, {}))
        for record in records:
            says_it = says(record.text, words) or says(data.scrub(record.text), text)
            if squashed(record.text) == squashed(words) or (says_it and not exact):
                return record.masked(data)
        return None

    def _vanished(self, page: Page) -> list[VanishedText]:
        present = self.arm(page)
        known, noted = self._records.get(page, {}), self._messages.get(page, {})
        left = {d: texts for d, texts in noted.items() if present and d not in present}
        found = sorted(_flat(known) + _flat(left), key=lambda record: record.at, reverse=True)
        # The first one of each text.
        records = {record.text: record for record in found}
        # A text that vanished from one document may be visible in another.
        if len({*known, *left}) > 1 and records:
            shown = _flat(self._ask(page, "shown", texts=list(records)))
            records = {text: r for text, r in records.items() if text not in shown}
        return sorted(records.values(), key=lambda record: record.at)

    def _watch_from_the_start(self, page: Page) -> bool:
        """Run the observer at the start of each document, if the browser supports that; return whether it did already."""
        if page not in _sessions:
            _sessions[page] = None
            # Scripts run only while the session is open and the domain enabled.
            with suppress(Error):
                opened = page.context.new_cdp_session(page)
                opened.send("Page.enable")
                _sessions[page] = opened
        session = _sessions[page]
        selectors, old = _started.get(page, (None, ""))
        if session is None or selectors == self._css:
            return session is not None
        source = dom.engine_source(dom.OBSERVE)
        message = json.dumps(["begin", {"redact": self._css}]).encode()
        body = base64.b64encode(message).decode()
        # The isolated world of Playwright, in which its engines run.
        world = f"__playwright_utility_world_{cast(Any, page)._impl_obj._guid}"
        script = {"source": f"{source}.queryAll(document, 'call:{body}')", "worldName": world}
        with suppress(Error):
            if old:
                session.send("Page.removeScriptToEvaluateOnNewDocument", {"identifier": old})
            added = session.send("Page.addScriptToEvaluateOnNewDocument", script)
            _started[page] = (self._css, added["identifier"])
        return False

    def _frames(self, page: Page) -> list[Frame]:
        """Return the frames that are neither redacted nor inside a redacted frame."""
        if not self._css or len(page.frames) == 1:
            return page.frames
        with suppress(Error):
            places = frame_places(page, redacted_in(page, self._redact))
            return [place.frame for place in places if not place.hidden]
        return [page.main_frame]

    def _ask(self, page: Page, verb: str, **argument: Any) -> dict[str, list[Any]]:
        """Return the answers of the frames by their documents; one that does not answer in time is left out."""
        given = {"redact": self._css, "since": activity_of(page).since, **argument}
        answers: dict[str, list[Any]] = {}
        for frame in self._frames(page):
            with suppress(Error):
                reply = dom.call(frame, verb, given, timeout=TIMEOUT, engine=dom.OBSERVE)
                answers[reply["document"]] = reply["answer"] or []
        return answers


def _flat(records: dict[str, list[Any]]) -> list[Any]:
    return [*chain(*records.values())]
