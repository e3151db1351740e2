"""What tools work with: the pages of a test, its elements, its data and its limits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urljoin

from playwright.sync_api import Error, Frame, Locator

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.checks.context import CheckContext
from pytest_webtask.checks.kinds import CHECKS
from pytest_webtask.data import Data
from pytest_webtask.errors import PageError, UsageError
from pytest_webtask.page import engine
from pytest_webtask.page.addressing import target_of
from pytest_webtask.page.frames import FRAME_TIMEOUT
from pytest_webtask.page.observation import Known, Observer
from pytest_webtask.page.recalled import Recalled
from pytest_webtask.page.settle import DEBOUNCED, QUIET, Settler, is_gone
from pytest_webtask.page.tabs import DIALOGS_PER_ACTION, Reply
from pytest_webtask.records import Observation, Ruling, Target
from pytest_webtask.tools import ToolError, performed
from pytest_webtask.tools.borders import Borders
from pytest_webtask.tools.history import PageHistory

_POLL = 0.05
_T = TypeVar("_T")


@dataclass
class Ending:
    """How a worker ended its session by its own word."""

    done: bool
    words: str


@dataclass
class Hands(Borders):
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
    _resolved: Mapping[str, Locator | Recalled] = field(default_factory=dict)
    _of_session: dict[str, Locator | Recalled] = field(default_factory=dict)

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

    def begin(self, resolved: Mapping[str, Locator | Recalled], waits: float = 0.0) -> None:
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

    def checker(self, resolved: Mapping[str, Locator | Recalled] | None = None) -> CheckContext:
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
        self, evidence: Sequence[Mapping[str, Any]], resolved: Mapping[str, Locator | Recalled]
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
            if known is None or performed(error) or is_gone(self.page):
                raise
            if self._attached(known.frame, locator):
                raise
        return action(self._find_again(parameter, element_id))

    def locate(self, parameter: str, element_id: str) -> Locator:
        """The element's locator; it is on an allowed origin and was attached a moment ago."""
        resolved = self._resolved.get(parameter)
        if resolved is not None:
            # The model gives the element's readable code in place of an id.
            if isinstance(resolved, Recalled):
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
        return resolved.found if isinstance(resolved, Recalled) else None

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
        who = engine.call(known.locator, "who", timeout=FRAME_TIMEOUT)
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
