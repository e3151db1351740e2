"""Contexts for tools: the browser session, the step and the single call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Protocol, TypeVar
from urllib.parse import urljoin

from playwright.sync_api import Error, Frame, Locator, Page, Position

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.checks.check_context import CheckContext
from pytest_webtask.checks.page_history import PageHistory
from pytest_webtask.data.phrases import PASS_AN_ID, folded, raise_limit
from pytest_webtask.data.values import ActiveData, Data
from pytest_webtask.errors import PageError, UsageError
from pytest_webtask.journal import JournalEvent, Recovery
from pytest_webtask.page import dom
from pytest_webtask.page.activity import FRAMES, QUIET, activity_of, find, is_gone
from pytest_webtask.page.frames import FRAME_TIMEOUT
from pytest_webtask.page.locator_codegen import target_of
from pytest_webtask.page.observer import LOOK, Known, Observer
from pytest_webtask.page.origins import ForeignOriginError, FrameOriginPolicy, OriginGuard
from pytest_webtask.page.recorded_element import RecordedElement
from pytest_webtask.page.screenshots import Camera
from pytest_webtask.page.step_time import Deadline, OutOfTime, StepTime, interrupting
from pytest_webtask.page.tabs import QUESTIONS, Reply, Tabs, described
from pytest_webtask.tools.effects import Effects
from pytest_webtask.tools.results import InVain, Output, ToolError, may_have_acted
from pytest_webtask.types.agent import EarlierStep, Observation
from pytest_webtask.types.page import Picture, Seen, Spot, Target
from pytest_webtask.types.step import Step

PICTURE = 5.0
"""Seconds that a picture of a page may take."""
_PLAYWRIGHT = 30.0
"""Playwright's default time for an action, in seconds."""
_T = TypeVar("_T")


@dataclass
class BrowserSession:
    """The browser of one webtask: its tabs, their observer and the allowed origins.

    `data` masks secrets in everything read from the pages. From its first call in a step, `guard`
    blocks navigations to origins that are not allowed. `camera` is None where no pictures are taken.
    """

    tabs: Tabs
    observer: Observer
    origins: FrameOriginPolicy
    data: ActiveData
    guard: OriginGuard
    base_url: str = ""
    camera: Camera | None = None

    @property
    def page(self) -> Page:
        """Return the page in front. Raises PageError if there is none."""
        return self.tabs.front

    def watch(self) -> None:
        """Start to answer dialogs and to block navigations to other origins.

        Steps that only run recorded checks skip this, because it takes as long as a check.
        """
        self.tabs.hear_dialogs()
        self.guard.demand()

    def begin(self, *, shows: bool = False) -> None:
        """Note that an action, or a load, begins; it `shows` if such actions usually show an effect."""
        activity_of(self.page).begin(shows=shows)

    def note_debounced_action(self) -> None:
        """Note a key press or mouse move, to which pages may react with a delay."""
        activity_of(self.page).note_typed()

    def goto(self, url: str) -> None:
        """Open an address or path given by the test, and allow its origin."""
        try:
            target = urljoin(self.base_url, url)
        except (TypeError, ValueError) as error:
            raise UsageError(
                f"goto takes an address or a path such as /cart, got {url!r}: {error}"
            ) from None
        if "://" not in target and not target.startswith(("about:", "data:")):
            raise UsageError(
                f"{url!r} is not an address, and there is no base URL to complete it:"
                " set one with --base-url, the base_url ini option or fixture"
            )
        self.origins.allowed.add(target)
        # The guard delays each request of a page, so it is left to the first step that acts.
        self.tabs.hear_dialogs()
        self.tabs.drain()  # Late events of the previous step do not explain a failure of this one.
        activity_of(self.page).begin(fresh=inf)
        try:
            # What the test itself opens is meant to leave the page.
            leave = Reply(frozenset(("beforeunload",)), accept=True)
            with self.tabs.answering(leave, choosers=False):
                self.page.goto(target)
            self.origins.check_address(self.page.url)
        except (Error, ForeignOriginError) as error:
            stopped = [e.text for e in self.tabs.drain() if e.kind == "stopped"]
            reason = "; ".join(stopped) or str(error).partition("\n")[0]
            if re.search("ERR_(CONNECTION|NAME|ADDRESS)_", reason):
                reason += "; start its server, or correct the address"
            message = f"{target} could not be opened: {reason}"
            raise PageError(self.data.current.scrub(message)) from None

    def observe(self) -> Observation:
        """Let the page in front come to rest, and observe it."""
        self.watch()
        self.rest(QUIET, finds=True)
        page, deadline = self.page, Deadline(LOOK)
        try:
            with interrupting(page, lambda: deadline.left):
                observation = self.observer.observe(page)
        except OutOfTime:
            raise PageError(
                f"the page {self.data.current.scrub(page.url)} could not be observed within"
                f" {LOOK:g} s: a script of it runs without end, or it is very"
                " large, or it is loaded over and over. Open it by hand to see which, and have the"
                " test open another page"
            ) from None
        observation.tabs = self.tabs.records(observation.title)
        return observation

    def rest(self, quiet: float = FRAMES, *, finds: bool = False) -> None:
        """Let the page in front come to rest, and note what was awaited.

        With `finds` it is also given the time that pages take to react to what was typed.
        """
        activity_of(self.page).await_rest(quiet, finds=finds)

    def note_waits(self) -> None:
        """Journal what was awaited of the page in front."""
        for note in activity_of(self.tabs.current).take_notes():
            self.tabs.note("rest", note)

    def picture(self) -> Picture | None:
        """Return a picture of the page in front, None if there can be none."""
        if self.camera is None:
            return None
        deadline = Deadline(PICTURE)
        with suppress(PageError, OutOfTime):
            page = self.page
            with interrupting(page, lambda: deadline.left):
                return self.camera.take(page)
        return None

    def check_page(self) -> None:
        """Raise PageError if no page is left."""
        if is_gone(self.tabs.front):
            raise PageError("the page was closed or crashed: run the test again")


@dataclass(frozen=True)
class StepContext:
    """The context of one step: the step itself, its browser session, data and limits.

    `timeout` is the time in seconds that a claim has to become true and an element to appear,
    `action_timeout` the time for an action on an element, None for Playwright's own. `time` is
    that of the step. `visual` allows checks by eye, `model_pictures` pictures for models. `write` journals an event. `earlier` are
    the earlier steps of the test, which checks may cite.
    """

    step: Step
    session: BrowserSession
    data: Data
    resources: Mapping[str, Path] = field(default_factory=dict)
    timeout: float = 5.0
    action_timeout: float | None = None
    time: StepTime = field(default_factory=StepTime)
    visual: bool = True
    model_pictures: bool = True
    missing_expectations: Callable[..., Sequence[str]] = lambda *_: ()
    """Returns what of its recording the results, and those of checkpoints, do not cover yet."""
    write: Callable[[JournalEvent], None] = lambda _event: None
    history: PageHistory = field(default_factory=PageHistory)
    earlier: Sequence[EarlierStep] = ()
    effects: Effects = field(default_factory=Effects)

    @property
    def page(self) -> Page:
        """Return the page in front. Raises PageError if there is none."""
        return self.session.page

    @property
    def busy_timeout(self) -> float:
        """Return the seconds that an element of an action has to appear on a page that is busy."""
        return _PLAYWRIGHT if self.action_timeout is None else self.action_timeout

    def note_recovery(self, action: str, reason: str) -> None:
        """Journal how the step continues after a failure."""
        self.write(Recovery(action=action, reason=reason))

    def capped(self, seconds: float) -> float:
        """Return the seconds, capped by the time left of the step."""
        return self.time.capped(seconds)

    def observe(self) -> Observation:
        """Observe the page in front, and add it to the step's history."""
        observation = self.session.observe()
        self.history.note(observation.seen)
        return observation

    def checker(
        self, resolved: Mapping[str, Locator | RecordedElement] = MappingProxyType({})
    ) -> CheckContext:
        """Return a context for checks; `resolved` holds elements that a model resolved itself."""
        session = self.session
        return CheckContext(
            session.observer,
            session.tabs,
            self.data,
            resolved,
            session.observer.crop if self.visual else None,
            session.origins.foreign_frames,
            self.earlier,
            model_pictures=self.model_pictures,
            sentence=self.data.fill(self.step.sentence),
        )

    def target_of(self, known: Known, without: Sequence[str] = ()) -> Target:
        """Return the target of an observed element, without using the texts of `without`."""
        identity = dom.call(known.locator, "identity", timeout=FRAME_TIMEOUT)
        sentence = self.data.fill(self.step.sentence)
        element, hidden = known.element, self.session.observer.is_redacted(known.element.id)
        return target_of(
            known.locator, known.frame, identity, self.data, (element.role, element.name), sentence,
            redacted=hidden, expected=without,
        )  # fmt: skip


class Answers(Protocol):
    """The arguments of an action that answer its dialog."""

    dialog: Literal["accept", "dismiss"] | None
    dialog_text: str | None
    dialog_type: str | None
    dialog_message: str | None


_BY_TEST = 'page.on("dialog", lambda dialog: dialog.accept())'


@dataclass
class ToolCallContext:
    """The context of one tool call.

    `resolved` holds the elements that the model resolved for this call, `resolved_before` those of
    earlier calls of its session. `waits` is the time in seconds that checks may take to hold.
    `output` is the task's output so far, `seen` the page as the model saw it in this turn; `looks`
    is False for models that see no pages, `replays` True for a recording. Conclusions are `reviewed` if
    a model draws them, unlike literal sentences and recordings.
    Tools add the targets of their elements to `targets`, and to
    `recorded` the parameters that replace those of the call in a recording. `spot` is where they act,
    None where no pictures are taken.
    """

    step: StepContext
    resolved: Mapping[str, Locator | RecordedElement] = field(default_factory=dict)
    resolved_before: Mapping[str, Locator | RecordedElement] = field(default_factory=dict)
    waits: float = 0.0
    output: Output | None = None
    seen: Seen | None = None
    looks: bool = False
    replays: bool = False
    reviewed: bool = False
    targets: dict[str, Target] = field(default_factory=dict)
    recorded: dict[str, Any] = field(default_factory=dict)
    spot: Spot | None = None

    @property
    def session(self) -> BrowserSession:
        """Return the browser session of the step."""
        return self.step.session

    @property
    def data(self) -> Data:
        """Return the data of the step."""
        return self.step.data

    @property
    def page(self) -> Page:
        """Return the page in front. Raises PageError if there is none."""
        return self.step.page

    @property
    def milliseconds(self) -> float | None:
        """Return the time for an action in milliseconds, None for Playwright's own.

        A model that looks at the page gets an error sooner, and decides what to do.
        """
        seconds = self.step.timeout if self.looks else self.step.action_timeout
        if self.waits > self.step.busy_timeout:
            seconds = self.waits
        if seconds is None and self.step.time.left < _PLAYWRIGHT:
            seconds = _PLAYWRIGHT
        return None if seconds is None else self.step.capped(seconds) * 1000 / Deadline.pace

    @property
    def timeout_advice(self) -> str:
        """Return what gives an action more time."""
        if self.step.time.is_over:
            return raise_limit("--webtask-step-limit")
        if self.looks:
            return "if the page needs longer, call wait first"
        return raise_limit("--webtask-timeout")

    @property
    def sources(self) -> Sequence[CheckResult]:
        """Return the checks of the sources of the task's output."""
        return self.output.sources if self.output else ()

    def checker(self) -> CheckContext:
        """Return a context for checks, which may cite the elements that the model resolved."""
        return self.step.checker({**self.resolved_before, **self.resolved})

    @property
    def claims(self) -> bool:
        """Return whether the end of a step claims more than what was done, unlike a literal sentence."""
        return self.looks or self.replays

    def poll(self, ask: Callable[[], tuple[_T, bool]], quiet: float) -> _T:
        """Return what `ask` answers on the page at rest, once it is final or the time is up; see `find`."""
        seconds, claims = self.step.capped(self.waits), self.claims
        return find(self.page, seconds, lambda _: ask(), quiet=lambda _: quiet, claims=claims)[0]

    def await_effect(self, shows: Callable[[], bool], seconds: float | None = None) -> bool:
        """Wait for the effect of an action; return whether it shows before the time is up."""
        deadline = Deadline(self.step.capped(self.step.timeout if seconds is None else seconds))
        while not shows():
            if deadline.is_over:
                return False
            deadline.pause(self.page)
        return True

    def has_reacted(self) -> bool:
        """Return whether the page has reacted to the action, as far as that is known."""
        return activity_of(self.page).has_reacted()

    def on(self, parameter: str, element_id: str, action: Callable[[Locator], Any]) -> Any:
        """Act on an element, and locate it again if it was re-rendered.

        An action that may have reached the page is never repeated.
        """
        locator = self.locate(parameter, element_id)
        self.aim(locator)
        try:
            return action(locator)
        except Error as error:
            is_known = element_id in self.session.observer.known
            if not is_known or may_have_acted(error) or is_gone(self.page):
                raise
            if _is_attached(locator):
                raise
        locator = self._find_again(parameter, element_id)
        self.aim(locator)
        return action(locator)

    def aim(self, locator: Locator) -> None:
        """Note where an action will be, on a picture of the page before it."""
        if self.session.camera is not None:
            self.spot = self.session.camera.aim(locator)

    def note_press(self, point: Position | None, drag: tuple[float, float] | None = None) -> None:
        """Note the point of the element at which the mouse is pressed, None for its center, and how far it is dragged."""
        if self.spot is not None:
            self.spot = self.spot.at(point)
            if drag is not None:
                self.spot = self.spot.to(*drag)

    def locate(self, parameter: str, element_id: str) -> Locator:
        """Return the locator of an attached element in a frame of an allowed origin."""
        resolved = self.resolved.get(parameter)
        if resolved is not None:
            # The model may give a locator's code in place of an id.
            target = Target.of(self.data.scrub(element_id))
            if not isinstance(resolved, Locator):
                known = self.data.scrub_all(resolved.target.model_dump(exclude={"locators"}))
                target = Target.model_validate({**known, "locators": target.locators})
                resolved = resolved.locator
            self.targets.setdefault(parameter, target)
            self._check_origin(resolved, None)
            return resolved
        elements = self.session.observer.known
        known = elements.get(element_id)
        if known is None:
            raise ToolError(
                f"there is no element {element_id!r}; {PASS_AN_ID}, such as"
                f" {', '.join(list(elements)[-3:]) or 'button-0'}"
            )
        locator = known.locator
        if known.frame.page is not self.page:
            number = self.session.tabs.number_of(known.frame.page)
            raise ToolError(f"{element_id} is in tab {number}; first call switch_tab")
        if not _is_attached(locator):
            return self._find_again(parameter, element_id)
        self._check_origin(locator, known.frame)
        if known.shows_other_item():
            return self._find_again(parameter, element_id, "shows another item than you saw")
        self._aim(parameter, element_id)
        return locator

    def looked(self, parameter: str) -> dict[str, Any] | None:
        """Return the description of a recorded element from when it was resolved, if any."""
        resolved = self.resolved.get(parameter)
        return resolved.found if isinstance(resolved, RecordedElement) else None

    def _find_again(
        self, parameter: str, element_id: str, why: str = "is no longer on the page"
    ) -> Locator:
        observer = self.session.observer
        frame, new = observer.known[element_id].frame, None
        # A page that was closed has no element on the one that is in front then.
        if frame.page is self.page or not frame.is_detached():
            new = observer.find_again(self.page, element_id)
        if new is None:
            raise ToolError(
                f"{element_id} {why}, and no single element matches it; {PASS_AN_ID} of the next turn"
            )
        self.step.note_recovery("found again", f"{element_id} is {new.element.id} now")
        self.session.tabs.report(
            "found again", f"{element_id} had been re-rendered and is {new.element.id} now"
        )
        self._check_origin(new.locator, new.frame)
        self._aim(parameter, new.element.id)
        return new.locator

    def _aim(self, parameter: str, element_id: str) -> None:
        """Store the target of this call's element, before the element may vanish."""
        if parameter in self.targets:
            return
        known = self.session.observer.known[element_id]
        with suppress(Error):
            self.targets[parameter] = self.step.target_of(known)

    def _check_origin(self, locator: Locator, frame: Frame | None) -> None:
        origins = self.session.origins
        origins.check_frame(self.page.main_frame)
        if frame is None and origins.foreign_frames():
            frame = locator.element_handle(timeout=self.milliseconds).owner_frame()
        if frame is not None:
            origins.check_frame(frame)

    @contextmanager
    def acting(self, args: Answers) -> Iterator[None]:
        """Answer the dialog opened by an action as announced.

        The answer belongs to one dialog, in a replay to the recorded one. Any other question is
        dismissed, and the action fails with its text; but a model that looks at the page is told of one
        that it has not announced, and its action is recorded as one that dismisses it. If an announced
        one does not appear, the action of such a model is recorded without it; any other action fails.
        """
        tabs = self.session.tabs
        if problem := self.unanswered():
            raise ToolError(problem)
        reply = self._reply(args)
        # Listening to file choosers takes a round trip, and only a model reads the reports of them.
        with tabs.answering(reply, choosers=self.reviewed):
            try:
                yield
                if reply.types:
                    self._await_dialog(reply)
            except (Error, OutOfTime):
                # A page that was told to stay stops the navigation.
                if not tabs.stays:
                    raise
        tabs.await_answers()
        asked = reply.given
        if asked is None and self.looks and not reply.types and len(tabs.unanswered) == 1:
            asked = tabs.unanswered.pop()
            self.recorded["dialog"] = "dismiss"
        if asked is not None:
            kind, message = asked
            self.recorded |= {"dialog_type": kind, "dialog_message": self.data.scrub(message)}
        if problem := self.unanswered(reply):
            raise (InVain if reply.types else ToolError)(problem)

    def _reply(self, args: Answers) -> Reply:
        text = args.dialog_text
        reply = Reply(accept=args.dialog == "accept" or text is not None)
        if text is not None:
            if self.data.uses_secret(text):
                self.session.origins.check_dialogs()
            reply.text = self.data.fill(text)
        if args.dialog_type is not None:
            reply.types = frozenset((args.dialog_type,))
            reply.message = folded(self.data.fill(args.dialog_message or ""))
        elif text is not None:
            reply.types = frozenset(("prompt",))
        elif args.dialog is not None:
            # An alert asks nothing, but it may be the dialog that a model has announced.
            reply.types = QUESTIONS | {"alert"} if self.looks else QUESTIONS
        return reply

    @contextmanager
    def leaving(self) -> Iterator[None]:
        """Stop waiting for another page once this one was told to stay: Playwright goes on."""
        with interrupting(self.page, lambda: 0.0 if self.session.tabs.stays else 0.1):
            yield

    def unanswered(self, reply: Reply | None = None) -> str:
        """Return which questions were dismissed because the action has no answer to them, "" for none."""
        tabs = self.session.tabs
        asked = ", ".join(map(described, tabs.unanswered))
        tabs.unanswered.clear()
        if not asked or (self.looks and reply is None):
            return ""
        problem = f"{asked} was dismissed, since"
        if reply is not None and reply.types:
            advice = "" if self.replays else f"; answer both in the test, with {_BY_TEST}"
            return f"{problem} the answer is for another dialog: {reply.wanted}{advice}"
        if self.replays:
            return f"{problem} the step was recorded without it"
        return (
            f"{problem} the sentence does not answer it; write '... and accept the dialog', '... and dismiss the dialog' or"
            f" '... and answer the dialog with \"...\"' right after its action, or answer it in the test, with {_BY_TEST}"
        )

    def stopped(self) -> str:
        """Return where the page was kept from going since the last answer, "" for nowhere or in a replay."""
        if self.replays:
            return ""
        self.session.guard.settle()
        return self.session.tabs.stopped

    def _await_dialog(self, reply: Reply) -> None:
        tabs = self.session.tabs
        if self.await_effect(lambda: bool(reply.given or tabs.unanswered)):
            return
        shown = f", but {', '.join(map(described, reply.alerts))} did" if reply.alerts else ""
        missing = f"did not appear within {self.step.timeout:g} s{shown}"
        if self.replays:
            raise InVain(f"{reply.wanted} {missing}")
        missing = f"the action was done, but the announced dialog {missing}"
        if not self.looks:
            raise InVain(f"{missing}; if none is to appear, leave it out of the sentence")
        self.recorded |= {"dialog": None, "dialog_text": None}
        tabs.report("dialog", missing)


def _is_attached(locator: Locator) -> bool:
    with suppress(Error):
        return locator.count() > 0
    return False
