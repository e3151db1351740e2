"""The runner of steps: one at a time, numbered, journaled, on guarded pages."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from playwright.sync_api import Error, Page

from pytest_webtask.agent.workflows import roles_of_workflow
from pytest_webtask.data.escapes import escape_controls
from pytest_webtask.data.masking import Redact
from pytest_webtask.data.phrases import (
    REWORD,
    SEE_WHY,
    folded,
    raise_limit,
    relative,
    shortened,
    without_log,
)
from pytest_webtask.data.values import REDACTED, ActiveData, Data
from pytest_webtask.errors import (
    ApplicationError,
    Drifted,
    ModelError,
    PageError,
    TaskFailed,
    UsageError,
    WebtaskError,
)
from pytest_webtask.journal import (
    SUCCESSFUL_STATUSES,
    FailureObserved,
    JournalEvent,
    PageEvent,
    PageOpened,
    Recovery,
    StateReused,
    StepPictured,
)
from pytest_webtask.literal import ScopedModel
from pytest_webtask.llm.role_models import Instructions, RoleModels
from pytest_webtask.page.activity import activity_of
from pytest_webtask.page.observer import Observer
from pytest_webtask.page.origins import (
    AllowedOrigins,
    FrameOriginPolicy,
    OriginGuard,
    Violation,
    how_to_allow,
)
from pytest_webtask.page.screenshots import Camera, point_out, pointed_out
from pytest_webtask.page.step_time import GRACE, OutOfTime, StepTime, interrupting
from pytest_webtask.page.tabs import Tabs
from pytest_webtask.recordings.store import calling_line
from pytest_webtask.run import state
from pytest_webtask.run.cause import Failure, cause_of
from pytest_webtask.run.host import Host
from pytest_webtask.run.recording_session import RecordingSession
from pytest_webtask.run.state import StateTracker
from pytest_webtask.tools.context import BrowserSession, StepContext
from pytest_webtask.tools.forms import files_to_upload
from pytest_webtask.types.agent import (
    Cause,
    Conclusion,
    Event,
    Iteration,
    Observation,
    Ruling,
)
from pytest_webtask.types.model import Model, ModelWithTraits
from pytest_webtask.types.step import Step, StepKind

_P = ParamSpec("_P")
_T = TypeVar("_T")


def fails_at_caller(method: Callable[_P, _T]) -> Callable[_P, _T]:
    """Raise the errors of a method of Webtask from the calling line, with the step they are of."""

    @wraps(method)
    def outer(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        __tracebackhide__ = True
        try:
            return method(*args, **kwargs)
        except WebtaskError as error:
            problem = error
        webtask: Any = args[0]
        webtask._runner.sign(problem)
        problem.args = tuple(
            escape_controls(each) if isinstance(each, str) else each for each in problem.args
        )
        webtask._runner.on_failure(webtask, problem, lambda: method(*args, **kwargs))
        raise problem.with_traceback(None) from problem.__cause__

    return outer


@dataclass(frozen=True)
class WebtaskConfig:
    """The values that a webtask takes from fixtures, or from the keywords of `webtask_for`.

    `name` is its name in the journal, `recorded_as` its name in recordings: "" where it has none of
    its own.
    """

    name: str = ""
    recorded_as: str = ""
    base_url: str = ""
    data: Mapping[str, object] | None = None
    resources: Mapping[str, str | Path] | None = None
    instructions: str | Mapping[str, str] = ""
    tools: Iterable[Callable[..., object]] = ()
    redact: Iterable[object] = ()


class StepRunner:
    """Runs the steps of one webtask: everything that surrounds a step, whatever its kind.

    `open_page` is called when the page is first needed, `enter_test` before each step for the name
    of the running test.
    """

    def __init__(
        self,
        open_page: Callable[[], Page],
        enter_test: Callable[[], str],
        *,
        config: WebtaskConfig,
        model: Model | Mapping[str, Model],
        host: Host,
    ) -> None:
        self._open_page = open_page
        self._enter_test = enter_test
        self.config = config
        self.settings = settings = host.test.settings()
        self.journal = host.journal
        self._host = host
        by_role = isinstance(model, Mapping) or isinstance(config.instructions, Mapping)
        own = roles_of_workflow(settings.workflow) if by_role else ()
        self.models = RoleModels(model, host.budget, settings.literal, own)
        self.instructions = Instructions(config.instructions, own)
        self.data = Data(config.data, Redact(config.redact))
        self.resources = files_to_upload(config.resources or {})
        self.recordings = RecordingSession(
            host.recordings,
            settings.mode,
            self.write,
            self.describe_failure,
            host,
            heals=settings.heal,
            variant=settings.variant,
            name=config.recorded_as,
        )
        self.tracker = StateTracker(self.write, host.lock, config.name, self._on_end)
        self._traced = host.traced
        self._cookies = host.cookies
        self.time = StepTime()
        """The time of the running step."""
        self._context: StepContext | None = None
        """The context of the running step, None before its roles begin."""
        self._scope = ""
        """The beginning of the sentences that are limited to a part of the page."""
        self._soft_failures: list[Exception] = []
        self._browser: BrowserSession | None = None
        self._guard: OriginGuard | None = None
        self._active_data = ActiveData(self.data)

    @property
    def at(self) -> tuple[str, int]:
        """Return the name of the webtask and the number of its last step."""
        return self.config.name, self.tracker.steps

    @property
    def is_open(self) -> bool:
        """Return whether the page was opened."""
        return self._browser is not None

    @property
    def has_page(self) -> bool:
        """Return whether there is a page that is open."""
        with suppress(PageError):
            return self.is_open and not self.browser.page.is_closed()
        return False

    @property
    def browser(self) -> BrowserSession:
        """Return the browser session, which opens the first page. Raises PageError."""
        if self._browser is None:
            self._browser = self._open()
        return self._browser

    @property
    def masking_data(self) -> Data:
        """Return the data whose secrets no record may hold: that of the running step."""
        return self._active_data.current

    def context(
        self,
        step: Step,
        resources: Mapping[str, str | Path] | None = None,
        *,
        persist: bool | None = None,
    ) -> StepContext:
        """Return the context of a step for its roles; `persist` overrides the option."""
        persist = self.settings.persist_context if persist is None else persist
        self._context = StepContext(
            step=step,
            session=self.browser,
            data=self.masking_data,
            resources={**self.resources, **files_to_upload(resources or {})},
            timeout=self.settings.timeout,
            action_timeout=self.settings.action_timeout,
            visual=self.settings.visual,
            time=self.time,
            missing_expectations=self.recordings.missing_expectations,
            note_recovery=lambda action, reason: self.write(Recovery(action=action, reason=reason)),
            earlier=tuple(self.tracker.memory) if persist else (),
        )
        return self._context

    @contextmanager
    def step(
        self,
        kind: StepKind,
        sentence: str,
        data: Mapping[str, object] | None = None,
        seconds: float | None = None,
    ) -> Iterator[Step]:
        """Run one step: number and journal it, listen to the page and guard it.

        `data` are further values for this step, `seconds` its own limit of time. Raises UsageError
        if no step may begin now.
        """
        _check_sentence(kind, sentence)
        self.tracker.admit(kind, sentence)
        self.begin_test()
        values = self.data.extended(data or {})
        call_site, frame = self.recordings.locate(kind)
        step = Step(
            kind,
            sentence,
            values.hidden(sentence),
            call_site,
            self.tracker.steps + 1,
            calling_line(self.recordings.store.root),
        )
        _, _, case = self.tracker.test.partition("[")
        if values.hidden(case) != case and self.journal.is_first("secret_in_id"):
            warnings.warn(_SECRET_IN_ID, stacklevel=4)
        self.recordings.begin_step(step, frame)
        began = time.monotonic()
        self._context = None
        self._active_data.begin_step(values)
        self.journal.begin_step()
        self.tracker.begin(step)
        try:
            tabs = self.browser.tabs
            self.tracker.take_lock()
            self.time = StepTime(self.settings.step_limit if seconds is None else seconds)
            with (
                self._trace_group(step),
                tabs.listening(),
                self._origin_guard.on_demand(),
                self._interrupting(),
            ):
                self._note_state(before=True)
                point_out(self.browser.page, ())
                for page in tabs.pages.values():
                    activity_of(page).begin_step()
                self.data.redact.check()
                if kind != "goto":
                    values.check(sentence)
                try:
                    yield step
                except Exception:
                    self._picture_page()
                    raise
                self._picture_page()
                self._check_application(step)
                self._note_state(before=False)
        except TaskFailed:
            raise
        except GeneratorExit:
            self.tracker.end("abandoned")
            raise
        except (Error, OutOfTime) as error:
            message = (
                f"not done within {self.time.limit:g} s; {raise_limit('--webtask-step-limit')}; the page"
                f" then: {self.url}"
            )
            if isinstance(error, Error):
                message = f"{values.scrub(without_log(error))}. {SEE_WHY}"
            problem = PageError(f"{step.name}: {message}")
            self.tracker.end("error", error=message, cause=cause_of(problem))
            raise problem from None
        except BaseException as error:
            status, cause = "error", cause_of(error) or self.tracker.cause
            if isinstance(error, Drifted):
                status, cause = "drifted", self.cause("drifted")
            if isinstance(error, ModelError):
                self.take_picture()
            if isinstance(error, WebtaskError) and values.hides:
                _mask_error(error, values)
            message = values.scrub(f"{type(error).__name__}: {error}")
            brief = values.scrub(getattr(error, "brief", ""))
            self.tracker.end(status, error=message, brief=brief, cause=cause)
            raise
        finally:
            self.tracker.leave(time.monotonic() - began)
            self._active_data.end_step()

    def begin_test(self) -> None:
        """Forget the last test if another one runs now, as where a fixture of a wider scope does."""
        test = self._enter_test()
        if test != self.tracker.test:
            self.tracker.begin_test(test)
            self.recordings.end_test()

    def decider(self, role: str, context: StepContext) -> ModelWithTraits:
        """Return the model that decides in this step: its recording, or the model of the role."""
        model, fallback = self.models.of(role), self.models.fallback(role)
        decider = self.recordings.decider(model, fallback, context, self.referee())
        if self.recordings.replayer is None:
            # A model may use the page before it observes it.
            self.browser.watch()
        return ScopedModel(decider, self._scope) if self._scope else decider

    @contextmanager
    def within(self, beginning: str) -> Iterator[None]:
        """Let all sentences begin so, after the beginnings of the contexts around this one."""
        outer = self._scope
        self._scope += beginning
        try:
            yield
        finally:
            self._scope = outer

    def scoped(self, sentence: str) -> str:
        """Return a sentence with the parts of the page to which it is limited."""
        return f"{self._scope}{sentence}" if self._scope and is_sentence(sentence) else sentence

    def referee(self) -> Callable[[Conclusion], Ruling] | None:
        """Return the function that rules on conclusions, None where all sentences are literal."""
        if self.models.is_literal("referee"):
            return None
        from pytest_webtask.agent.referee import Referee

        model = self.models.of("referee", literally=False)
        instructions = self.instructions.of("referee")
        approved = self.models.approved
        return Referee(model, self.masking_data, self.write, instructions, self.time, approved).rule

    @property
    def on_failure(self) -> Callable[[Any, WebtaskError, Callable[[], Any]], None]:
        """Return what the host does at a failed step, before the test knows of it."""
        return self._host.on_failure

    def cause(
        self, status: str, iterations: Sequence[Iteration] = (), *, deviates: bool = False
    ) -> Cause:
        """Return the cause of a failure of the running step, from what is known of it; see `Failure`."""
        replayer, context = self.recordings.replayer, self._context
        errors: list[str] = []
        if self._browser is not None and self.settings.page_errors != "ignore":
            errors = [each.text for each in self._browser.tabs.problems() if each.fails]
        failure = Failure(
            status,
            iterations,
            replayer.progress if replayer else None,
            self.recordings.drift,
            errors,
            context.effects.wrong if context else (),
            deviates,
        )
        cause = failure.cause
        grounds = self.masking_data.scrub(cause.grounds)
        return cause.model_copy(update={"grounds": grounds})

    def sign(self, problem: WebtaskError) -> None:
        """Note on an error which step has raised it and its cause; spell options as the user sets them."""
        problem.step = problem.step or self.at
        problem.cause = problem.cause or cause_of(problem) or self.tracker.cause
        spell = self._host.spell
        problem.args = tuple(spell(e) if isinstance(e, str) else e for e in problem.args)

    def look_back(self, step: Step) -> None:
        """Observe the page before a step, for the role that later judges the step.

        The literal interpreter needs no such observation, and a recording was judged before.
        """
        self.tracker.before = None
        replays = self.recordings.replayer is not None
        acts = not replays and not self.models.is_literal("worker")
        judges = not replays and not self.models.is_literal("verifier")
        if acts and judges:
            with suppress(PageError):
                self.tracker.before = self.browser.observe().seen
        leaves = step.kind == "goto"
        self.browser.observer.vanished.mark(self.browser.page, step.name, leaves=leaves)

    def keep_soft(self, problem: Exception) -> None:
        """Keep a failure until the end of the test."""
        if isinstance(problem, WebtaskError):
            self.sign(problem)
        failure = state.as_raised_by_caller(problem)
        if not state.keep_soft_failure(failure):
            self._soft_failures.append(failure)

    def pop_soft_failures(self) -> list[Exception]:
        """Return the soft failures that Playwright doesn't keep, and forget them."""
        failures, self._soft_failures = self._soft_failures, []
        return failures

    def next_step(self, *, by_model: bool) -> list[str]:
        """Return what to do next, as a line of a message, if a replay or a model has failed."""
        return self.recordings.describe_failed_check() or ([REWORD] if by_model else [])

    def look(self) -> Observation:
        """Observe the page between two steps, and take its picture. Raises PageError and Playwright's Error."""
        with self.browser.tabs.listening(), self._origin_guard.on_demand():
            observation = self.browser.observe()
            _ = observation.screenshot
        return observation

    def describe_page(self) -> list[str]:
        """Return the address of the page and the path of its screenshot, as lines of a message."""
        return self._describe_page(self.take_picture())

    def _describe_page(self, picture: str) -> list[str]:
        return [f"page: {self.url}", *([f"screenshot: {picture}"] if picture else [])]

    def describe_failure(self) -> tuple[list[str], list[str]]:
        """Return what the application reports on itself, and where the page is, as lines of a message."""
        seen = self._observe_failure()
        lines: list[str] = []
        if seen is not None:
            alerts = [
                e for e in (*seen.elements.values(), *seen.texts.values()) if e.role in ALERTS
            ]
            texts = dict.fromkeys(f'{e.role} "{_short(e.name)}"' for e in alerts if e.name.strip())
            lines += [f"the page says: {text}" for text in [*texts][:_PROBLEMS]]
        problems = dict.fromkeys(_short(each.text) for each in self.browser.tabs.problems())
        lines += [f"the application failed: {text}" for text in [*problems][:_PROBLEMS]]
        return lines, self._describe_page(_picture_of(seen))

    @property
    def url(self) -> str:
        """Return the address of the page, or why it has none."""
        try:
            return self.masking_data.scrub(self.browser.page.url)
        except PageError as error:
            return str(error)

    def take_picture(self) -> str:
        """Journal the page as it is; return the path of its screenshot, "" if there is none."""
        return _picture_of(self._observe_failure())

    def _observe_failure(self) -> Observation | None:
        """Journal the page as it is, and return the observation, None if the page is gone."""
        try:
            self.browser.tabs.note_problems()
            observation = self.browser.observe()
            _ = observation.screenshot
        except (PageError, Error, OutOfTime):
            return None
        self.write(FailureObserved(page=observation.seen))
        return observation

    def _check_application(self, step: Step) -> None:
        """Note how the application has failed. Raises ApplicationError if that is to fail a passed step."""
        tabs = self.browser.tabs
        tabs.note_problems(consoles=False)
        passed = self.tracker.status in SUCCESSFUL_STATUSES
        if tabs.failures and passed and self.settings.page_errors == "fail":
            lines = [
                f"{step.name} passed, but the application failed meanwhile:",
                *(f"  {_short(each)}" for each in tabs.failures),
                *self.describe_page(),
                "to only note such failures: --webtask-page-errors=note",
            ]
            raise ApplicationError("\n".join(lines))

    def _picture_page(self) -> None:
        """Journal a picture of the page as the step leaves it."""
        picture = self.browser.picture()
        if picture is not None:
            passed = self.tracker.status in SUCCESSFUL_STATUSES
            candidates = () if passed else pointed_out(self.browser.page)
            self.write(StepPictured(picture=picture, candidates=candidates))

    def write(self, event: JournalEvent) -> None:
        """Journal an event of the running step, without secrets."""
        tracker, data = self.tracker, self.masking_data
        place = {"test": tracker.test, "webtask": self.config.name, "step": tracker.steps}
        mask = data.scrub_values if data.hides else None
        self.journal.write(event.model_copy(update=place), mask)

    def _open(self) -> BrowserSession:
        try:
            page = self._open_page()
        except Error as error:
            raise PageError(
                f"no page could be opened: {without_log(error)}\n"
                "to see what is missing, run pytest-webtask doctor"
            ) from None
        allowed = AllowedOrigins(self.settings.allow_origin)
        if self.config.base_url:
            allowed.add(self.config.base_url)
        with suppress(UsageError):  # the browser's own pages, such as that of an error
            allowed.add(page.url)

        def on_event(event: Event) -> None:
            marks = event.fails and self.settings.page_errors != "ignore"
            self.write(PageEvent(event=event.model_copy(update={"fails": marks})))

        pictures, journal = self.settings.screenshots, self.journal
        keep = journal.save_picture if pictures == "on" else journal.hold_picture

        def save(picture: bytes) -> str:
            return keep(picture).relative_to(journal.folder).as_posix()

        if browser := page.context.browser:
            drawn_by = f"{browser.browser_type.name} {browser.version}"
            self.write(PageOpened(browser=drawn_by, base_url=self.config.base_url))
        camera = Camera(lambda: self.masking_data, save)
        tabs = Tabs(page, lambda text: self.masking_data.scrub(text), on_event)
        return BrowserSession(
            tabs=tabs,
            observer=Observer(
                lambda: self.masking_data, journal.save_picture if pictures != "off" else None
            ),
            origins=FrameOriginPolicy(tabs, allowed),
            data=self._active_data,
            base_url=self.config.base_url,
            guard=lambda: self._origin_guard.demand(),
            camera=camera if pictures != "off" else None,
        )

    @property
    def _origin_guard(self) -> OriginGuard:
        if self._guard is not None:
            return self._guard
        tabs, allowed = self.browser.tabs, self.browser.origins.allowed

        def report(violation: Violation, url: str) -> None:
            if violation == "blocked":
                text = f"going to {url} was stopped: its origin is not allowed"
                tabs.report("stopped", f"{text}. {how_to_allow(url)}")
            else:
                text = f"the page went to {url}, whose origin is not allowed"
                tabs.report("left", f"{text}. {how_to_allow(url)}")

        def is_secret(text: str) -> bool:
            return any(label != REDACTED for *_, label in self.masking_data.spans(text))

        self._guard = OriginGuard(self.browser.page.context, allowed, report, is_secret=is_secret)
        return self._guard

    def _interrupting(self) -> AbstractContextManager[None]:
        """Return a context that the end of the step's time interrupts, unless the test itself runs."""
        step_time, lock = self.time, self.tracker.lock
        # A step ends by itself when its time is over, unless a call of Playwright hangs.
        return interrupting(self.browser.page, lambda: step_time.left + GRACE, lambda: lock.paused)

    @contextmanager
    def _trace_group(self, step: Step) -> Iterator[None]:
        """Group the step's actions under its name in Playwright's trace."""
        if not self._traced:
            yield
            return
        tracing = self.browser.page.context.tracing
        with suppress(Error):
            tracing.group(f"{step.kind}: {step.masked}")
        try:
            yield
        finally:
            with suppress(Error):
                tracing.group_end()

    def _note_state(self, *, before: bool) -> None:
        """Journal which webtask's login a further page shares, by its cookies."""
        name, is_first = self.config.name, self.tracker.steps == 1
        if not (is_first and self._cookies if before else self.config.recorded_as):
            return
        with suppress(Error):
            cookies = self.browser.page.context.cookies()
            current = {(str(c.get("name")), str(c.get("value"))) for c in cookies}
            others = (n for n, c in self._cookies.items() if n != name and c & current)
            if not before:
                self._cookies[name] = current
            elif other := next(others, ""):
                self.write(StateReused(source=other))

    def _on_end(self, step: str, status: str, reason: str) -> None:
        data = self.masking_data
        self.models.step_ended(data.scrub(step), status, data.scrub(reason))


_SECRET_IN_ID = (
    "the id of a parametrized test holds a secret, and the names of files, the report and the terminal"
    " show it: give the case a name, as in pytest.param(..., id='admin')"
)
ALERTS = frozenset(("alert", "alertdialog", "status", "log"))
"""The roles of the elements by which an application reports problems."""
_PROBLEMS = 3
"""The most alerts, and the most errors of the application, in a message."""


def _picture_of(observation: Observation | None) -> str:
    picture = observation and observation.screenshot
    return relative(picture) if picture else ""


def _short(text: str) -> str:
    """Return a text of the page on one line, without control characters and with at most 160."""
    return shortened(folded("".join(c if c.isprintable() else " " for c in text)), 160)


def _mask_error(error: WebtaskError, data: Data) -> None:
    """Mask the message of an error, and drop what caused it if that shows a secret anywhere."""
    error.args = tuple(data.scrub(each) if isinstance(each, str) else each for each in error.args)
    texts = list(_messages(error.__cause__))
    if data.scrub_parts(texts) != texts:
        error.__cause__ = None


def _messages(error: BaseException | None) -> Iterator[str]:
    """Yield the messages and notes of an error, of what caused it, and of the errors in a group."""
    if error is not None:
        yield str(error)
        yield from map(str, getattr(error, "__notes__", ()))
        for each in (error.__cause__, error.__context__, *getattr(error, "exceptions", ())):
            yield from _messages(each)


def is_sentence(sentence: object) -> bool:
    """Return whether it is a text that says something."""
    return isinstance(sentence, str) and bool(sentence.strip())


def _check_sentence(kind: StepKind, sentence: object) -> None:
    if kind == "goto":
        if not isinstance(sentence, str):
            raise UsageError(f"goto() takes an address or a path, got {sentence!r}")
    elif not is_sentence(sentence):
        raise UsageError(f"{kind}() takes a sentence, got {sentence!r}")
