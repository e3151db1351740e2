"""The runner of steps: one at a time, numbered, journaled, on guarded pages."""

from __future__ import annotations

import inspect
import threading
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from playwright.sync_api import Error, Page

from pytest_webtask.agent.workflows import load_workflow
from pytest_webtask.data.escapes import one_line, printed
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
    NotFound,
    PageError,
    TaskFailed,
    Undecided,
    UsageError,
    VerificationFailed,
    WebtaskError,
)
from pytest_webtask.journal import (
    SUCCESSFUL_STATUSES,
    FailureObserved,
    JournalEvent,
    PageEvent,
    PageOpened,
    StepEnded,
    StepPictured,
    StepStarted,
)
from pytest_webtask.literal import ScopedModel
from pytest_webtask.llm.role_models import Instructions, RoleModels
from pytest_webtask.page.activity import activity_of
from pytest_webtask.page.clock import clock_of
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
from pytest_webtask.run.cause import Failure, cause_of
from pytest_webtask.run.host import Host
from pytest_webtask.run.recording_session import RecordingSession
from pytest_webtask.run.state import TestMemory, as_raised_by_caller
from pytest_webtask.tools.context import BrowserSession, StepContext
from pytest_webtask.tools.forms import files_to_upload
from pytest_webtask.tools.project import project_tools
from pytest_webtask.types.agent import (
    Cause,
    Event,
    Iteration,
    Observation,
    Result,
    Tab,
    TestState,
)
from pytest_webtask.types.model import Model, ModelWithTraits
from pytest_webtask.types.step import Step, StepKind, step_name

if TYPE_CHECKING:
    from pytest_webtask.agent.referee import Referee

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
        if (pausing := webtask._runner.host.pausing) is not None:
            # The host holds the page before the test knows of the error.
            pausing.hold(webtask, problem, lambda: method(*args, **kwargs))
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

    `open_page` is called when the page is first needed. `memory` is what is known of the running test.
    """

    def __init__(
        self,
        open_page: Callable[[], Page],
        host: Host,
        model: Model | Mapping[str, Model],
        config: WebtaskConfig,
    ) -> None:
        self._open_page = open_page
        self.config = config
        self.settings = settings = host.test_settings()
        self.journal = host.journal
        self.host = host
        # The roles of its own are known once its module is loaded.
        load_workflow(settings.workflow)
        self.models = RoleModels(model, host.budget, settings.literal)
        self.instructions = Instructions(config.instructions)
        self.tools = project_tools(config.tools)
        self.data = Data(config.data, Redact(config.redact))
        self.resources = files_to_upload(config.resources or {})
        self.recordings = RecordingSession(
            host, settings, config.recorded_as, self.describe_failure, self.cause
        )
        self.memory = TestMemory()
        self.time = StepTime()
        self.is_over = False
        """Whether the webtask was closed, so that no step may begin."""
        self.open_tasks: list[tuple[str, Generator[Iteration, None, Result]]] = []
        """The tasks of `steps()`, which a test has to finish."""
        self._step: Step | None = None
        self._status = ""
        """The status of the last step, "" while it runs."""
        self._cause: Cause | None = None
        """The cause of the last step's failure, None if it did not fail."""
        self._scope = ""
        """The beginning of the sentences that are limited to a part of the page."""
        self._refused: list[str] = []
        """Refused steps whose error may have ended only a thread or a callback, not the test."""
        self._browser: BrowserSession | None = None
        self._active_data = ActiveData(self.data)
        self._thread = threading.get_ident()
        self.begin_test()

    @property
    def at(self) -> tuple[str, int]:
        """Return the name of the webtask and the number of its last step."""
        return self.config.name, self.memory.steps

    @property
    def state(self) -> TestState:
        """Return the state of the test as a record."""
        tabs: tuple[Tab, ...] = ()
        if self._browser is not None and self._browser.tabs.pages:
            tabs = self._browser.tabs.records()
        return self.memory.state(self._step, tabs, tuple(self.data.shown), is_over=self.is_over)

    @property
    def has_page(self) -> bool:
        """Return whether there is a page that is open."""
        with suppress(PageError):
            return self._browser is not None and not self._browser.page.is_closed()
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
        persist: bool = True,
    ) -> StepContext:
        """Return the context of a step for its roles, with the earlier steps if these `persist`."""
        return StepContext(
            step=step,
            session=self.browser,
            data=self.masking_data,
            resources={**self.resources, **files_to_upload(resources or {})},
            timeout=self.settings.timeout,
            action_timeout=self.settings.action_timeout,
            visual=self.settings.visual,
            model_pictures=self.settings.model_pictures,
            time=self.time,
            missing_expectations=self.recordings.missing_expectations,
            write=self.write,
            earlier=tuple(self.memory.earlier) if persist else (),
        )

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
        self._admit(kind, sentence)
        self.begin_test()
        values = self.data.extended(data or {})
        step = self._begin(kind, sentence, values)
        try:
            tabs = self.browser.tabs
            # Fixtures that open the page may run steps of other webtasks.
            self.host.running = step
            self.time = limit = StepTime(self.settings.step_limit if seconds is None else seconds)
            with (
                self._trace_group(step),
                tabs.listening(),
                self._guard.on_demand(),
                # A step ends by itself when its time is over, unless a call of Playwright hangs.
                interrupting(
                    self.browser.page, lambda: limit.left + GRACE, lambda: self.host.is_between
                ),
            ):
                point_out(self.browser.page, ())
                for page in tabs.pages.values():
                    activity_of(page).begin_step()
                self.data.redact.check()
                if kind != "goto":
                    values.compute(
                        sentence, lambda: clock_of(self.browser.page)[0] or datetime.now()
                    )
                    values.check(sentence)
                try:
                    yield step
                except Exception:
                    self._picture_page()
                    raise
                self._picture_page()
                self._check_application(step)
        except (Error, OutOfTime) as error:
            raise self._broken_off(step, error, values) from None
        except BaseException as error:
            # These are raised by steps that have ended, but also by a model or a tool of the project.
            if not (self._status and isinstance(error, _OF_ENDED_STEPS)):
                self._end_by(error, values)
            raise
        finally:
            self._step = None
            if self.host.running is step:
                self.host.running = None
            self._active_data.current = self.data

    def _admit(self, kind: StepKind, sentence: str) -> None:
        """Raise UsageError if no step may begin now."""
        name = step_name(kind, sentence)
        if threading.get_ident() != self._thread:
            problem = (
                f"{name} was called from another thread, so it did not run: call a webtask in the"
                " thread of its test"
            )
            self._refused.append(problem)
            raise UsageError(problem)
        if self.is_over:
            raise UsageError(
                f"{name} was called after the test is over: request the fixture webtask in each test"
            )
        busy = self._step or self.host.running
        if busy is None:
            return
        advice = "first loop to the end of its steps(), or call their close()"
        problem = f"{name} did not run, because a step is still running: {busy.name}"
        if not self.host.is_between or _in_callback():
            advice = "call it after that step, not in a callback or a tool"
            self._refused.append(f"{problem}; {advice}")
        raise UsageError(f"{problem}; {advice}")

    def _begin(self, kind: StepKind, sentence: str, values: Data) -> Step:
        call_site, frame = self.recordings.locate(kind)
        line = calling_line(self.recordings.store.root)
        number = self.memory.steps + 1
        step = Step(kind, sentence, values.hidden(sentence), call_site, number, line)
        _, _, case = self.memory.test.partition("[")
        if number == 1 and values.hidden(case) != case:
            warnings.warn(_SECRET_IN_ID, stacklevel=5)
        self.recordings.begin_step(step, frame)
        self._active_data.current = values
        self.journal.begin_step()
        self._step, self._status, self._cause = step, "", None
        self.memory.begin(number)
        file, at, source = line
        self.write(
            StepStarted(step_kind=kind, sentence=sentence, file=file, line=at, source=source)
        )
        return step

    def _broken_off(self, step: Step, error: BaseException, values: Data) -> PageError:
        """End a step that its page or its limit of time has broken off; return its error."""
        message = (
            f"not done within {self.time.limit:g} s; {raise_limit('--webtask-step-limit')}; the page"
            f" then: {self.url}"
        )
        if isinstance(error, Error):
            message = f"{values.scrub(without_log(error))}. {SEE_WHY}"
        problem = PageError(f"{step.name}: {message}")
        self.end("error", error=message, cause=cause_of(problem))
        return problem

    def _end_by(self, error: BaseException, values: Data) -> None:
        if isinstance(error, GeneratorExit):
            self.end("abandoned")
            return
        status, cause = "error", cause_of(error) or self._cause
        if isinstance(error, Drifted):
            status, cause = "drifted", self.cause("drifted")
        if isinstance(error, ModelError):
            self.take_picture()
        if isinstance(error, WebtaskError) and values.hides:
            _mask_error(error, values)
        brief = getattr(error, "brief", "") or f"{type(error).__name__}: {error}"
        self.end(status, error=values.scrub(brief), cause=cause)

    def end(
        self,
        status: str,
        reason: str = "",
        *,
        error: str = "",
        cause: Cause | None = None,
        **found: Any,
    ) -> None:
        """Journal the end of the step, with its cause and further fields of StepEnded, and remember it."""
        step = self._step
        assert step is not None, "a step runs"
        self._status, self._cause = status, cause
        self.write(StepEnded(status=status, reason=reason, error=error, cause=cause, **found))
        why = error or ("" if status in SUCCESSFUL_STATUSES else reason)
        self.memory.end(step, status, why)
        scrub = self.masking_data.scrub
        self.models.step_ended(scrub(step.name), status, scrub(why))

    def begin_test(self) -> None:
        """Forget the last test if another one runs now, as where a fixture of a wider scope does."""
        test = self.host.enter_test(self)
        if test != self.memory.test:
            self.memory = TestMemory(test)
            self.recordings.end_test()

    def unfinished_steps(self) -> list[str]:
        """Return a message for each step that was refused or left open, and end those.

        A test must not pass over them.
        """
        messages, self._refused = self._refused, []
        tasks, self.open_tasks = self.open_tasks, []
        for task, generator in tasks:
            if inspect.getgeneratorstate(generator) != inspect.GEN_CLOSED:
                advice = "loop to its end, or call its close()"
                messages.append(f"steps({task!r}) was not finished: {advice}")
            try:
                generator.close()
            except Exception as error:
                # An error raised here would skip the teardown of the test.
                messages.append(one_line(f"steps({task!r}) failed when it was closed: {error}"))
        return messages

    def decider(self, role: str, context: StepContext) -> ModelWithTraits:
        """Return the model that decides in this step: its recording, or the model of the role."""
        model, fallback = self.models.of(role), self.models.fallback(role)
        decider = self.recordings.decider(model, fallback, context)
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
        return f"{self._scope}{sentence}" if is_sentence(sentence) else sentence

    def referee(self) -> Referee | None:
        """Return the referee of a step, None where all sentences are literal."""
        if self.models.is_literal("referee"):
            return None
        from pytest_webtask.agent.referee import Referee

        model = self.models.of("referee", literally=False)
        instructions = self.instructions.of("referee")
        approved = self.models.approved
        return Referee(model, self.masking_data, self.write, instructions, self.time, approved)

    def cause(
        self, status: str, iterations: Sequence[Iteration] = (), *, deviates: bool = False
    ) -> Cause:
        """Return the cause of a failure of the running step, from what is known of it; see `Failure`."""
        errors: list[str] = []
        if self._browser is not None and self.settings.page_errors != "ignore":
            errors = [each.text for each in self._browser.tabs.problems() if each.fails]
        failure = Failure(
            status,
            iterations,
            self.recordings.progress,
            self.recordings.drift,
            errors,
            deviates,
        )
        cause = failure.cause
        grounds = one_line(self.masking_data.scrub(cause.grounds))
        return cause.model_copy(update={"grounds": grounds})

    def sign(self, problem: WebtaskError) -> None:
        """Note on an error which step has raised it and its cause; spell options as the user sets them."""
        problem.step = problem.step or self.at
        problem.cause = problem.cause or cause_of(problem) or self._cause
        problem.reword(lambda message: printed(self.host.spell(message)))

    def look_back(self, step: Step) -> None:
        """Observe the page before a step, for the role that later judges the step.

        The literal interpreter needs no such observation, and a recording was judged before.
        """
        self.memory.before = None
        literal = any(map(self.models.is_literal, ("worker", "verifier")))
        if self.recordings.replayer is None and not literal:
            with suppress(PageError):
                self.memory.before = self.browser.observe().seen
        leaves = step.kind == "goto"
        self.browser.observer.vanished.mark(self.browser.page, step.name, leaves=leaves)

    def keep_soft(self, problem: WebtaskError) -> None:
        """Keep a failure until the end of the test."""
        self.sign(problem)
        self.host.test.soft_failures.append(as_raised_by_caller(problem))

    def next_step(self, *, by_model: bool) -> list[str]:
        """Return what to do next, as a line of a message, if a replay or a model has failed."""
        advice = self.recordings.describe_failed_check()
        if by_model and not advice:
            return [REWORD]
        return [*map(self.masking_data.scrub, advice)]

    def look(self) -> Observation:
        """Observe the page between two steps, and take its picture. Raises PageError and Playwright's Error."""
        with self.browser.tabs.listening(), self._guard.on_demand():
            return self._observe_for_people()

    def _observe_for_people(self) -> Observation:
        """Observe the page, and take its picture where such pictures are kept."""
        observation = self.browser.observe()
        if self.settings.screenshots == "off":
            observation.take_screenshot = lambda: None
        _ = observation.screenshot
        return observation

    def describe_page(self, picture: str) -> list[str]:
        """Return the address of the page and the path of its picture, as lines of a message."""
        shown = [f"screenshot: {picture}"] if picture else []
        return [f"page: {self.url}", *shown]

    def describe_failure(self) -> tuple[list[str], list[str]]:
        """Return what the application reports on itself, and where the page is, as lines of a message."""
        seen = self._observe_failure()
        elements = (*seen.elements.values(), *seen.texts.values()) if seen else ()
        alerts = dict.fromkeys(
            f'the page says: {each.role} "{_short(each.name)}"'
            for each in elements
            if each.role in ALERTS and each.name.strip()
        )
        problems = dict.fromkeys(
            f"the application failed: {_short(each.text)}" for each in self.browser.tabs.problems()
        )
        lines = [*alerts][:_PROBLEMS] + [*problems][:_PROBLEMS]
        return lines, self.describe_page(_picture_of(seen))

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
            observation = self._observe_for_people()
        except (PageError, Error, OutOfTime):
            return None
        self.write(FailureObserved(page=observation.seen))
        return observation

    def _check_application(self, step: Step) -> None:
        """Note how the application has failed. Raises ApplicationError if that is to fail a passed step."""
        tabs = self.browser.tabs
        tabs.note_problems(consoles=False)
        passed = self._status in SUCCESSFUL_STATUSES
        if tabs.failures and passed and self.settings.page_errors == "fail":
            lines = [
                f"{step.name} passed, but the application failed meanwhile:",
                *(f"  {_short(each)}" for each in tabs.failures),
                *self.describe_page(self.take_picture()),
                "to only note such failures: --webtask-page-errors=note",
            ]
            raise ApplicationError("\n".join(lines))

    def _picture_page(self) -> None:
        picture = self.browser.picture()
        if picture is not None:
            passed = self._status in SUCCESSFUL_STATUSES
            candidates = () if passed else pointed_out(self.browser.page)
            self.write(StepPictured(picture=picture, candidates=candidates))

    def write(self, event: JournalEvent) -> None:
        """Journal an event of the running step, without secrets."""
        memory, data = self.memory, self.masking_data
        place = {"test": memory.test, "webtask": self.config.name, "step": memory.steps}
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

        def report(violation: Violation, url: str) -> None:
            kind, text = _VIOLATIONS[violation]
            tabs.report(kind, f"{text.format(url)}. {how_to_allow(url)}")

        def is_secret(text: str) -> bool:
            return any(label != REDACTED for *_, label in self.masking_data.spans(text))

        pictures, journal = self.settings.screenshots, self.journal
        keep = journal.save_picture if pictures == "on" else journal.hold_picture

        def save(picture: bytes) -> str:
            return keep(picture).relative_to(journal.folder).as_posix()

        if browser := page.context.browser:
            drawn_by = f"{browser.browser_type.name} {browser.version}"
            cookies = bool(self.config.name and page.context.cookies())
            base = self.config.base_url
            self.write(PageOpened(browser=drawn_by, base_url=base, url=page.url, cookies=cookies))
        tabs = Tabs(page, lambda text: self.masking_data.scrub(text), on_event)
        self._guard = OriginGuard(page.context, allowed, report, is_secret=is_secret)
        shows = pictures != "off"
        save_picture = journal.save_picture if shows or self.settings.model_pictures else None
        return BrowserSession(
            tabs=tabs,
            observer=Observer(lambda: self.masking_data, save_picture),
            origins=FrameOriginPolicy(tabs, allowed),
            data=self._active_data,
            guard=self._guard,
            base_url=self.config.base_url,
            camera=Camera(lambda: self.masking_data, save) if shows else None,
        )

    @contextmanager
    def _trace_group(self, step: Step) -> Iterator[None]:
        if not self.host.traced:
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


_SECRET_IN_ID = (
    "the id of a parametrized test holds a secret, and the names of files, the report and the terminal"
    " show it: give the case a name, as in pytest.param(..., id='admin')"
)
_OF_ENDED_STEPS = (TaskFailed, NotFound, VerificationFailed, Undecided)
"""Errors that steps raise once they have ended."""
_VIOLATIONS = {
    "blocked": ("stopped", "going to {} was stopped: its origin is not allowed"),
    "left": ("left", "the page went to {}, whose origin is not allowed"),
}
"""The events of the page for violations of its origins, with their texts."""
ALERTS = frozenset(("alert", "alertdialog", "status", "log"))
"""The roles of the elements by which an application reports problems."""
_PROBLEMS = 3
"""The most alerts, and the most errors of the application, in a message."""


def _picture_of(observation: Observation | None) -> str:
    picture = observation and observation.screenshot
    return relative(picture) if picture else ""


def _short(text: str) -> str:
    return shortened(folded(one_line(text)), 160)


def _mask_error(error: WebtaskError, data: Data) -> None:
    """Mask the message of an error, and drop what caused it if that shows a secret anywhere."""
    error.reword(data.scrub)
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


def _in_callback() -> bool:
    """Return whether a handler of Playwright runs, whose errors may not fail the test."""
    from greenlet import getcurrent

    return getcurrent().parent is not None


def is_sentence(sentence: object) -> bool:
    """Return whether it is a text that says something."""
    return isinstance(sentence, str) and bool(sentence.strip())


def _check_sentence(kind: StepKind, sentence: object) -> None:
    if kind == "goto":
        if not isinstance(sentence, str):
            raise UsageError(f"goto() takes an address or a path, got {sentence!r}")
    elif not is_sentence(sentence):
        raise UsageError(f"{kind}() takes a sentence, got {sentence!r}")
