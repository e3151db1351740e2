"""Texts that appeared on a page and vanished between two looks: toasts, flashes, brief errors.

An observer in the isolated world of each document (`js/observe.js`) notes them, without any
Playwright listener on the page. In Chromium it runs from the start of every document in the page's
process. In other browsers, and in frames of another process, it starts at the first `arm`.

Not noted: texts that vanish within one frame, texts that vanish while the observer rests on a busy
page, texts that go with their document after the last `arm`, closed shadow roots, canvas,
`::before`, and values of fields.
"""

from __future__ import annotations

import base64
import json
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from typing import Any

from playwright.sync_api import CDPSession, Error, Frame, Page

from pytest_webtask.checks.text import says, squashed
from pytest_webtask.data import Data, Redact
from pytest_webtask.page import dom
from pytest_webtask.page.frames import frame_places, redacted_in

AT_MOST = 20
"""Texts that are reported of a page."""
LENGTH = 200
"""Characters that are reported of a text."""
TIMEOUT = 2.0
"""Seconds in which a frame must answer; one that does not is left out."""
_DOCUMENTS = 20
_WORLD = "__playwright_utility_world"


@dataclass(frozen=True)
class VanishedText:
    """A text that could be seen and no longer can.

    `role` is `alert`, `status`, `log`, `timer`, `tooltip` or empty; `container` is role and name of
    what it stood in, such as `dialog "Confirm"`; `frame` is the origin of the frame, empty for the
    page itself.
    """

    text: str
    role: str = ""
    container: str = ""
    shown_ms: int = 0
    frame: str = ""


class Vanished:
    """The vanished texts of the pages of one test.

    The CSS selectors of `redact` are matched while a text is visible. Functions and other kinds of
    selectors can't be matched once an element has gone, so with one of them nothing is reported.
    """

    def __init__(self, redact: Redact | None = None) -> None:
        self._redact = redact or Redact()
        self._blind = bool(self._redact.functions)
        self._css = [s.strip().removeprefix("css=") for s in self._redact.selectors]
        self._checked = not self._css
        self._sessions: dict[Page, CDPSession | None] = {}
        self._records: dict[Page, dict[str, list[dict[str, Any]]]] = {}

    def arm(self, page: Page) -> None:
        """Watch the documents of a page, and keep what has vanished from them so far."""
        if not self._watches(page):
            return
        if page not in self._sessions:
            self._sessions[page] = self._watch_from_the_start(page)
        records = self._records.setdefault(page, {})
        for frame in self._frames(page):
            if reply := self._ask(frame, "watch", {"redact": self._css}):
                # An opaque origin is "null".
                origin = "" if frame is page.main_frame else str(reply["answer"]["origin"])
                texts = [{**text, "frame": origin} for text in reply["answer"]["texts"]]
                records[reply["document"]] = texts
        for document in list(records)[:-_DOCUMENTS]:
            del records[document]

    def has_watched(self, page: Page) -> bool:
        """Whether texts of a page are noted since an earlier mark."""
        return page in self._records

    def mark(self, page: Page) -> None:
        """Forget what has vanished so far. What can still be seen may vanish later."""
        self.arm(page)
        self._records.pop(page, None)
        if not self._blind:
            for frame in page.frames:
                self._ask(frame, "mark")

    def texts(self, page: Page, data: Data) -> list[VanishedText]:
        """Return the texts that have vanished since the last mark, in the order they appeared.

        Secrets and redacted texts are masked with `data`, before long texts are cut.
        """
        return [_as_text(record, data) for record in self._vanished(page)]

    def was_shown(
        self, page: Page, text: str, data: Data, *, exact: bool = False
    ) -> VanishedText | None:
        """Return the vanished text that says `text` in whole words, or with `exact` nothing else."""
        words = data.fill(text).strip()
        if exact:
            matching = (r for r in self._vanished(page) if squashed(r["text"]) == squashed(words))
            return next((_as_text(record, data) for record in matching), None)
        for record in self._vanished(page) if words else ():
            if says(record["text"], words) or says(data.scrub(record["text"]), text):
                return _as_text(record, data)
        return None

    def _vanished(self, page: Page) -> list[dict[str, Any]]:
        self.arm(page)
        records: dict[str, dict[str, Any]] = {}
        for record in sorted(_flat(self._records.get(page, {})), key=lambda r: float(r["at"])):
            records.setdefault(record["text"], record)
        # One document may show what vanished from another.
        if len(self._records.get(page, {})) > 1:
            for frame in self._frames(page) if records else ():
                reply = self._ask(frame, "shown", {"texts": list(records)})
                for text in reply["answer"] if reply else ():
                    del records[text]
        brief = sorted(records.values(), key=lambda r: (not r["role"], r["shown_ms"]))[:AT_MOST]
        return sorted(brief, key=lambda r: float(r["at"]))

    def _watches(self, page: Page) -> bool:
        if not self._checked and not self._blind:
            reply = self._ask(page.main_frame, "foreign", {"selectors": self._css})
            self._checked = reply is not None
            self._blind = bool(reply and reply["answer"])
        return self._checked and not self._blind

    def _watch_from_the_start(self, page: Page) -> CDPSession | None:
        """Run the observer at the start of each document, where the browser has such a thing."""
        if page.context.browser is None or page.context.browser.browser_type.name != "chromium":
            return None
        worlds: set[str] = set()

        def created(event: dict[str, Any]) -> None:
            worlds.add(str(event["context"].get("name")))

        with suppress(Error):
            session = page.context.new_cdp_session(page)
            session.on("Runtime.executionContextCreated", created)
            session.send("Runtime.enable")
            session.send("Runtime.disable")
            session.remove_listener("Runtime.executionContextCreated", created)
            source = resources.files("pytest_webtask.page").joinpath("js/observe.js").read_text()
            message = json.dumps(["begin", {"redact": self._css}]).encode()
            body = base64.b64encode(message).decode()
            # Scripts run as long as the session lives and has the domain enabled.
            session.send("Page.enable")
            for world in worlds:
                if world.startswith(_WORLD):
                    script = f"{source.strip()}.queryAll(document, 'call:{body}')"
                    session.send(
                        "Page.addScriptToEvaluateOnNewDocument",
                        {"source": script, "worldName": world},
                    )
            return session
        return None

    def _frames(self, page: Page) -> list[Frame]:
        """The frames that may be reported: none that is redacted or in one that is."""
        if not self._redact.has_locators or len(page.frames) == 1:
            return page.frames
        with suppress(Error):
            return [
                p.frame for p in frame_places(page, redacted_in(page, self._redact)) if not p.hidden
            ]
        return [page.main_frame]

    def _ask(self, frame: Frame, verb: str, argument: Any = None) -> dict[str, Any] | None:
        with suppress(Error):
            reply = dom.call(frame, verb, argument, timeout=TIMEOUT, engine=dom.OBSERVE)
            return dict(reply)
        return None


def _flat(records: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    return [record for texts in records.values() for record in texts]


def _as_text(record: dict[str, Any], data: Data) -> VanishedText:
    container = record["container"] or {"role": "", "name": ""}
    name = data.scrub(container["name"])[:80]
    text = data.scrub(record["text"])
    return VanishedText(
        text=text if len(text) <= LENGTH else text[: LENGTH - 1] + "…",
        role=record["role"],
        container=f"{container['role']} {json.dumps(name, ensure_ascii=False)}"
        if name
        else container["role"],
        shown_ms=record["shown_ms"],
        frame=record["frame"],
    )
