"""What tools work with: the pages of a test, its elements, its data, its history and its limits."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urljoin

from playwright.sync_api import Error, Frame, Locator, Page

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.checks.context import CheckContext
from pytest_webtask.checks.earlier import Earlier
from pytest_webtask.checks.kinds import CHECKS
from pytest_webtask.data import Data
from pytest_webtask.errors import PageError, UsageError
from pytest_webtask.page import dom
from pytest_webtask.page.frames import FRAME_TIMEOUT
from pytest_webtask.page.locator_codegen import target_of
from pytest_webtask.page.observer import DEBOUNCED, QUIET, Known, Observer, Settler, is_gone
from pytest_webtask.page.origins import OPAQUE, AllowedOrigins, location_of, origin_of
from pytest_webtask.page.recorded_element import RecordedElement
from pytest_webtask.page.tabs import DIALOGS_PER_ACTION, Reply, Tabs
from pytest_webtask.tools.registry import ToolError, may_have_acted
from pytest_webtask.types.agent import Observation, Ruling, Seen, Target

__all__ = ["Ending", "FrameOriginPolicy", "Hands", "Mark", "PageHistory"]


@dataclass
class FrameOriginPolicy:
    """The pages of a test, and which of their frames may be acted upon."""

    tabs: Tabs
    allowed: AllowedOrigins

    @property
    def page(self) -> Page:
        """The page in front; PageError where there is none."""
        return self.tabs.front

    def check_frame(self, frame: Frame) -> None:
        """Raise ToolError where the frame is of an origin that may not be acted upon."""
        url = self.foreign(frame)
        if url is not None:
            raise ToolError(f"nothing is done on {self._not_allowed(url)}")

    def foreign(self, frame: Frame) -> str | None:
        """The address that may not be acted upon, of the frame or one around it; None if all may.

        A frame may be written and led elsewhere by those around it.
        """
        around: Frame | None = frame
        while around is not None:
            url = self._address(around)
            if not self.allowed.allows(url):
                return url
            around = around.parent_frame
        return None

    def foreign_frames(self) -> list[Frame]:
        """The frames of the page in front that may not be acted upon."""
        return [frame for frame in self.page.frames if self.foreign(frame) is not None]

    def _address(self, frame: Frame) -> str:
        """The address whose origin a frame has: a blank one has its parent's, a tab its opener's."""
        if frame.url not in ("", ":") and origin_of(frame.url):
            return frame.url
        if frame.parent_frame is not None:
            return self._address(frame.parent_frame)
        opener = self.tabs.opener_of(frame.page)
        if opener is None:
            return "about:blank"
        try:
            # Any frame of the opener's may have opened it.
            origin = str(dom.call(frame, "whose", timeout=FRAME_TIMEOUT)["origin"])
        except Error:
            return OPAQUE
        around = self._address(opener.main_frame)
        if origin == OPAQUE and not around.startswith("http"):
            return next(filter(None, map(self.foreign, opener.frames)), around)
        return origin

    def _not_allowed(self, url: str) -> str:
        return (
            f"{location_of(url)}, which is not an allowed origin; allowed:"
            f" {', '.join(self.allowed) or 'none'}. The test may add it with --webtask-allow-origin"
        )

    def check_dialogs(self) -> None:
        """Raise ToolError where what answers a dialog might reach an origin that is not allowed.

        A dialog does not tell which frame of which page has opened it.
        """
        frames = [frame for page in self.page.context.pages for frame in page.frames]
        for url in filter(None, map(self.foreign, frames)):
            raise ToolError(
                "no secret is entered into a dialog, which may be that of a frame or tab of"
                f" {self._not_allowed(url)}"
            )


class Mark(NamedTuple):
    """A moment of a task: how many calls had acted by then, and how many had changed something."""

    acted: int = 0
    changed: int = 0


@dataclass
class PageHistory:
    """The last look at each page between two calls that acted.

    A page is known as it was before a task if it was seen before the first call that may have
    changed what the application holds; calls that only lead to another page do not.
    """

    now: Mark = field(default_factory=Mark)
    _looks: dict[tuple[Mark, str], Seen] = field(default_factory=dict)

    def note(self, seen: Seen) -> None:
        """Keep a look."""
        # The newest comes last.
        self._looks.pop((self.now, seen.url), None)
        self._looks[self.now, seen.url] = seen

    def act(self, *, changes: bool) -> None:
        """Note that a call acts, and whether it may change what the application holds."""
        self.now = Mark(self.now.acted + 1, self.now.changed + changes)

    def with_before(
        self, result: CheckResult, since: Mark, url: str, text: Callable[[str], str]
    ) -> CheckResult:
        """Return a result that says whether it held before a task that began at a mark.

        `url` is the address of its page, `text` gives texts with placeholders as outlines have them.
        Unknown is what no look tells, and what was so when first seen after something was changed.
        """
        check = result.check.with_texts(text)
        cited = [getattr(check, name) for name in check.ids]
        element_id = cited[0] if cited and isinstance(cited[0], str) else ""
        for mark, look in self._since(since, element_id, url, at_start=not check.ids):
            held = check.held_before(look)
            before = mark.changed == since.changed
            if held is None or (held and not before):
                continue
            was = "" if held or not before else look.was or ""
            return result.model_copy(update={"held_before": held, "was": was})
        return result.model_copy(update={"held_before": None, "was": ""})

    def _since(
        self, since: Mark, element_id: str, url: str, *, at_start: bool
    ) -> Iterator[tuple[Mark, Earlier]]:
        """Yield the looks that can tell, those before the first change first, the last of them first.

        What belongs to no element or part counts only `at_start`, before anything was done.
        """
        every = [(mark, seen) for (mark, _), seen in self._looks.items() if mark >= since]
        if at_start:
            looks = [(mark, seen) for mark, seen in every if mark == since]
        else:
            mine = re.compile(rf"[\[<]{re.escape(element_id)}\b" if element_id else "(?!)")
            looks = [
                (mark, seen) for mark, seen in every if seen.url == url or mine.search(seen.outline)
            ]
        newest = looks[-1][1] if looks else None
        clean = [each for each in looks if each[0].changed == since.changed]
        for mark, seen in (*reversed(clean), *looks[len(clean) :]):
            yield mark, Earlier(seen, newest, element_id)


_POLL = 0.05
_T = TypeVar("_T")


@dataclass
class Ending:
    """How a worker ended its session by its own word."""

    done: bool
    words: str


@dataclass
class Hands(FrameOriginPolicy):
    """The worker's hands on a test's pages.

    `timeout` is how many seconds an action waits for its element, and `deadline` when the task's time
    is over, on the monotonic clock. `visual` says whether checks by eye are allowed. `output` validates the value
    that `set_output` is given, None where the task has none. `history` is what was seen in the task,
    `looks` whether who decides looks at it, `evidence` what its end rests on,
    `sources` where its output was read;
    `unshown` says what else that end must show, which these answers do not. `rung` journals how it goes on after
    something failed, `guard` stops from then on what leads out of the allowed origins.
    `targets` and `again` are those of the call that is made.
    """

    observer: Observer
    settler: Settler
    data: Data
    resources: Mapping[str, Path]
    base_url: str = ""
    timeout: float = 5.0
    deadline: float | None = None
    ending: Ending | None = None
    output: Any = None
    has_output: bool = False
    history: PageHistory = field(default_factory=PageHistory)
    looks: Callable[[], bool] = lambda: False
    evidence: tuple[CheckResult, ...] = ()
    sources: tuple[CheckResult, ...] = ()
    ruling: Ruling | None = None
    unshown: Callable[[Sequence[CheckResult]], Sequence[str]] = lambda results: ()
    visual: bool = True
    acted: bool = False
    debounced: float = 0.0
    targets: dict[str, Target] = field(default_factory=dict)
    again: dict[str, Any] = field(default_factory=dict)
    waits: float = 0.0
    opened: str = ""
    rung: Callable[[str, str], None] = lambda rung, why: None
    guard: Callable[[], None] = lambda: None
    _resolved: Mapping[str, Locator | RecordedElement] = field(default_factory=dict)
    _of_session: dict[str, Locator | RecordedElement] = field(default_factory=dict)

    @property
    def milliseconds(self) -> float:
        """How long an action waits for its element, as Playwright takes it."""
        return self.capped(self.timeout) * 1000

    def capped(self, seconds: float) -> float:
        """So many seconds, or what is left until the task's deadline."""
        if self.deadline is None:
            return seconds
        return max(min(seconds, self.deadline - time.monotonic()), 0.001)

    def enter(self) -> None:
        """Begin a session: how an earlier one ended, and what it has resolved, is forgotten."""
        self.ending = None
        self._of_session.clear()
        self.opened = self.page.url

    def begin(self, resolved: Mapping[str, Locator | RecordedElement], waits: float = 0.0) -> None:
        """Prepare for one call, whose model may have resolved its elements already.

        `waits` is how many seconds its checks are given to hold.
        """
        self._resolved = resolved
        self._of_session.update(resolved)
        self.targets, self.again = {}, {}
        self.waits = waits

    def awaited(self, ask: Callable[[], tuple[_T, bool]]) -> _T:
        """What `ask` answers, asked again until it is content or the time of the call is over."""
        end = time.monotonic() + self.capped(self.waits)
        while True:
            began = time.monotonic()
            answer, content = ask()
            now = time.monotonic()
            if content or now >= end:
                return answer
            # Asking has waited, too, for what was not there.
            self.page.wait_for_timeout(max(_POLL - (now - began), 0.001) * 1000)

    def watch(self) -> None:
        """Before the page is looked at or acted upon: dialogs are answered, and no way leads out.

        A step that only runs recorded checks does without: arming takes as long as a check.
        """
        self.tabs.hear_dialogs()
        self.guard()

    def goto(self, url: str) -> None:
        """Open what the test names, an address or a path; its origin is allowed from now on."""
        if not isinstance(url, str):
            raise UsageError(f"an address or a path is needed, got {url!r}")
        try:
            target = urljoin(self.base_url, url)
        except ValueError as error:
            raise UsageError(f"{url!r} is not an address: {error}") from None
        if "://" not in target and not target.startswith(("about:", "data:")):
            raise UsageError(
                f"{url!r} is not an address, and there is no base URL to complete it:"
                " set one with --base-url, the base_url ini option or fixture"
            )
        self.allowed.add(target)
        self.watch()
        self.tabs.drain()  # what came late of the step before is no reason of this one
        try:
            self.page.goto(target)
        except Error as error:
            stopped = [e.text for e in self.tabs.drain() if e.kind == "stopped"]
            reason = "; ".join(stopped) or str(error).partition("\n")[0]
            said = self.data.scrub(f"{target} could not be opened: {reason}")
            raise PageError(said) from None

    def observe(self) -> Observation:
        """The page in front, once it has come to rest after an action."""
        self.watch()
        least = self.debounced - time.monotonic()
        if self.acted or least > 0:
            self.settler.settle(self.page, least)
            self.acted = False
        seen = self.observer.observe(self.page)
        seen.tabs = self.tabs.records(seen.title)
        self.history.note(seen.seen)
        return seen

    def checker(
        self, resolved: Mapping[str, Locator | RecordedElement] | None = None
    ) -> CheckContext:
        """Return what runs checks; `resolved` are elements that a model has resolved itself."""
        return CheckContext(
            self.observer,
            self.tabs,
            self.data,
            {**self._of_session, **(self._resolved if resolved is None else resolved)},
            self.observer.crop if self.visual else None,
            self.foreign_frames,
        )

    def check(
        self,
        evidence: Sequence[Mapping[str, Any]],
        resolved: Mapping[str, Locator | RecordedElement],
    ) -> list[CheckResult]:
        """Return what the page answers at once to checks, of which no verdict comes."""
        checker = replace(self.checker(resolved), at_once=True)
        return [checker.run(check) for check in CHECKS.validate_python(evidence)]

    def debounce(self) -> None:
        """A page lets a moment pass after a key, or under the mouse, before it shows anything."""
        self.debounced = time.monotonic() + DEBOUNCED

    def settle(self) -> None:
        """Wait until the page in front is at rest, if something was done since it last was."""
        if self.acted:
            # What a page does by a short timer belongs to the action, too.
            self.settler.settle(self.page, QUIET)
            self.acted = False

    def check_page(self) -> None:
        """Raise PageError where no page is left to act upon."""
        if is_gone(self.tabs.front):
            raise PageError("the page has gone")

    def on(self, parameter: str, element_id: str, action: Callable[[Locator], Any]) -> Any:
        """Do something with an element, looking again once if it has been re-rendered.

        What may already have reached the page is never done twice.
        """
        locator = self.locate(parameter, element_id)
        try:
            return action(locator)
        except Error as error:
            known = self.observer.known.get(element_id)
            if known is None or may_have_acted(error) or is_gone(self.page):
                raise
            if self._attached(known.frame, locator):
                raise
        return action(self._find_again(parameter, element_id))

    def locate(self, parameter: str, element_id: str) -> Locator:
        """The element's locator; it is on an allowed origin and was attached a moment ago."""
        resolved = self._resolved.get(parameter)
        if resolved is not None:
            # The model gives the element's readable code in place of an id.
            if isinstance(resolved, RecordedElement):
                resolved = resolved.locator
            self.targets.setdefault(parameter, Target.of(self.data.scrub(element_id)))
            self._check_origin(resolved, None)
            return resolved
        known = self.observer.known.get(element_id)
        if known is None:
            raise ToolError(
                f"there is no element {element_id!r}; use an id of the outline, such as"
                f" {', '.join(list(self.observer.known)[-3:]) or 'button-0'}"
            )
        locator = known.locator
        if known.frame.page is not self.page:
            raise ToolError(f"{element_id} is in another tab; use switch_tab first")
        if not self._attached(known.frame, locator):
            return self._find_again(parameter, element_id)
        self._check_origin(locator, known.frame)
        self._aim(parameter, element_id)
        return locator

    def looked(self, parameter: str) -> dict[str, Any] | None:
        """What a recorded element was a moment ago, where the model has looked at it for this call."""
        resolved = self._resolved.get(parameter)
        return resolved.found if isinstance(resolved, RecordedElement) else None

    def _find_again(self, parameter: str, element_id: str) -> Locator:
        old = self.observer.known[element_id]
        new = None
        if not old.frame.is_detached() or old.frame.page is self.page:
            new = self.observer.find_again(self.page, element_id)
        if new is None:
            raise ToolError(
                f"{element_id} is no longer on the page, and nothing else is it for certain"
            )
        self.rung("found again", f"{element_id} is {new.element.id} now")
        self.tabs.report(
            "found again", f"{element_id} had been re-rendered and is {new.element.id} now"
        )
        self._check_origin(new.locator, new.frame)
        self._aim(parameter, new.element.id)
        return new.locator

    @staticmethod
    def _attached(frame: Frame, locator: Locator) -> bool:
        if frame.is_detached():
            return False
        try:
            return locator.count() > 0
        except Error:
            return False

    def _aim(self, parameter: str, element_id: str) -> None:
        """Say, before it may vanish, how the element of this call is found again."""
        if parameter in self.targets:
            return
        known = self.observer.known[element_id]
        with suppress(Error):
            self.targets[parameter] = self.target_of(known)

    def target_of(self, known: Known, said: Sequence[str] = ()) -> Target:
        """How an element is found again that an observation has seen, and not by what is `said`."""
        who = dom.call(known.locator, "who", timeout=FRAME_TIMEOUT)
        element, hidden = known.element, self.observer.is_redacted(known.element.id)
        return target_of(
            known.locator, known.frame, who, self.data, element.role, element.name,
            redacted=hidden, said=said,
        )  # fmt: skip

    def _check_origin(self, locator: Locator, frame: Frame | None) -> None:
        self.check_frame(self.page.main_frame)
        if frame is None and self.foreign_frames():
            frame = locator.element_handle(timeout=self.milliseconds).owner_frame()
        if frame is not None:
            self.check_frame(frame)

    @contextmanager
    def acting(self, dialog: str | None = None, text: str | None = None) -> Iterator[None]:
        """An action: dialogs that it opens are answered as announced.

        Too many make it fail, and so does an announced one that does not appear.
        """
        if text is not None and self.data.uses_secret(text):
            self.check_dialogs()
        self.acted = True
        text = None if text is None else self.data.fill(text)
        with self.tabs.answering(dialog == "accept" or text is not None, text) as answer:
            failed = True
            try:
                yield
                if dialog is not None or text is not None:
                    self._await_dialog(answer)
                failed = False
            finally:
                # An action that dialogs held up until its time was over is not over itself.
                if answer.seen > (1 if failed else DIALOGS_PER_ACTION):
                    self._outlast(answer)
                if answer.seen > DIALOGS_PER_ACTION:
                    message = f"the page opened {answer.seen} dialogs during one action"
                    if is_gone(self.tabs.current):
                        raise PageError(f"{message} and was closed")
                    raise ToolError(message)

    def _await_dialog(self, answer: Reply) -> None:
        end = time.monotonic() + self.capped(self.timeout)
        while not answer.seen:
            if time.monotonic() > end:
                raise ToolError("it was done, but the announced dialog did not appear")
            self.page.wait_for_timeout(50)

    def _outlast(self, answer: Reply) -> None:
        """Let the dialogs of an action end; a page whose dialogs never do is closed meanwhile."""
        seen, quiet = -1, 0
        with suppress(Error):
            while quiet < 8 and not is_gone(self.tabs.current):
                quiet = quiet + 1 if seen == answer.seen else 0
                seen = answer.seen
                self.tabs.current.wait_for_timeout(300)
