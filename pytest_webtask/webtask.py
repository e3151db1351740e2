"""The object behind the `webtask` fixture."""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from playwright.sync_api import Error, Page

from pytest_webtask import config, workflows
from pytest_webtask.budget import Budget
from pytest_webtask.config import Settings
from pytest_webtask.data import REDACTED, Data, Redact
from pytest_webtask.errors import PageError, TaskFailed, UsageError, WebtaskError
from pytest_webtask.journal import Journal
from pytest_webtask.models import Model
from pytest_webtask.models.asking import Asked
from pytest_webtask.models.literal import Literal, LiteralFirst
from pytest_webtask.page.observation import Observer
from pytest_webtask.page.origins import AllowedOrigins, OriginGuard
from pytest_webtask.page.settle import Settler
from pytest_webtask.page.tabs import Tabs
from pytest_webtask.records import (
    Event,
    Iteration,
    Result,
    TestState,
    WorkerSession,
    WorkerStatus,
)
from pytest_webtask.roles.worker import Worker, undone
from pytest_webtask.tools import project
from pytest_webtask.tools.hands import Hands

_P = ParamSpec("_P")
_T = TypeVar("_T")


def _fails_at_caller(method: Callable[_P, _T]) -> Callable[_P, _T]:
    """Raise our own errors anew, so that the line which called is the place of failure."""

    @wraps(method)
    def outer(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        __tracebackhide__ = True
        try:
            return method(*args, **kwargs)
        except WebtaskError as error:
            problem = error
        raise problem.with_traceback(None) from problem.__cause__

    return outer


class Webtask:
    """Does tasks on a page: `do`, `goto`, `steps`, `forget`; see the fixtures in `plugin.py`.

    `open_page` is called when the page is first needed. Everything that happens is written to the
    journal, under the name of the test at work, which `test` gives when it is told who asks.
    """

    def __init__(
        self,
        open_page: Callable[[], Page],
        *,
        settings: Settings,
        model: Model,
        journal: Journal,
        budget: Budget,
        test: Callable[[Webtask], str],
        name: str = "",
        base_url: str = "",
        data: Mapping[str, object] | None = None,
        resources: Mapping[str, str | Path] | None = None,
        instructions: str = "",
        tools: Iterable[Callable[..., object]] = (),
        redact: Iterable[object] = (),
    ) -> None:
        self._open_page = open_page
        self._settings = settings
        asked = Asked(model, budget)
        literally = settings.literal and not isinstance(model, Literal)
        self._model: Model = LiteralFirst(asked) if literally else asked
        self._journal = journal
        self._test_at_work = test
        self._name = name
        self._base_url = base_url
        self._data = Data(data, Redact(redact))
        self._resources = _files(resources or {})
        self._instructions = instructions
        self._tools = project.tools(tools)
        self._steps = 0
        self._running: str | None = None
        self._sessions: list[WorkerSession] = []
        self._context: list[WorkerSession] = []
        self._closed = False
        self._thread = threading.get_ident()
        self._left: list[str] = []
        self._given: list[tuple[str, Generator[Iteration, None, Result]]] = []
        self._test = test(self)

    @property
    def name(self) -> str:
        """What the journal calls it; "" for the `webtask` fixture's own."""
        return self._name

    @_fails_at_caller
    def do(
        self,
        task: str,
        *,
        data: Mapping[str, object] | None = None,
        resources: Mapping[str, str | Path] | None = None,
        output: Any = None,
        max_steps: int | None = None,
        timeout: float | None = None,
        workflow: str | None = None,
        persist_context: bool = True,
    ) -> Result:
        """Have a task done, such as "log in as {user}".

        `data` and `resources` add to what the fixtures give. `output` is a type or a pydantic
        model that the worker's answer must have; it is then the `output` of the result.
        `max_steps` bounds the iterations, `timeout` the seconds, of this task.
        With `persist_context=False` the worker is told nothing of earlier steps.

        Raises TaskFailed, which carries the same result, where the task was not done.
        """
        steps = self._work(
            task, data, resources, output, max_steps, timeout, workflow, persist_context
        )
        while True:
            try:
                next(steps)
            except StopIteration as stop:
                result: Result = stop.value
                return result

    def steps(self, task: str, **options: Any) -> Generator[Iteration, None, Result]:
        """`do`, one iteration at a time, to watch a task being done; the options are those of `do`.

        A step runs until its generator is exhausted or closed; after a `break`, close it. A test
        that does neither, or never iterates it, has an error.
        """
        inspect.signature(self.do).bind(task, **options)
        self._begin_test()
        steps = self._watched(task, options)
        # Kept, or a `break` might end the step or might not, as references go.
        self._given.append((task, steps))
        return steps

    @_fails_at_caller
    def goto(self, url: str) -> None:
        """Open an address, or a path below the base URL. Its origin may be acted upon from now on.

        Raises PageError where it cannot be loaded; a page with an error status is a page, too.
        """
        with self._step("goto", url):
            self._hands.goto(url)
            self._write("step_end", status="completed")

    def forget(self) -> None:
        """Let the steps to come know nothing of those before."""
        self._context.clear()

    @property
    @_fails_at_caller
    def page(self) -> Page:
        """The Playwright page in front: the fixture's, until a step switches to another tab."""
        return self._hands.tabs.front

    @property
    def state(self) -> TestState:
        """What the test is at: its steps so far, its tabs, the names of its data."""
        opened = "_hands" in self.__dict__ and bool(self._hands.tabs.pages)
        return TestState(
            test=self._test,
            running=self._running,
            steps=tuple(self._sessions),
            tabs=self._hands.tabs.records() if opened else (),
            data=tuple(self._data.shown),
        )

    def settle(self) -> list[str]:
        """What a test must not pass over, in words; a step that still runs is ended.

        These are a task that was only begun, or never begun, and a step tried by another thread.
        """
        left, self._left = self._left, []
        given, self._given = self._given, []
        for task, steps in given:
            state = inspect.getgeneratorstate(steps)
            if state == inspect.GEN_CREATED:
                left.append(f"steps({task!r}) was never iterated")
            elif state == inspect.GEN_SUSPENDED:
                left.append(f"steps({task!r}) was left in the middle: exhaust it or close() it")
            try:
                steps.close()
            except Exception as error:
                # Not from here: what follows is the teardown of the whole test.
                left.append(f"steps({task!r}) could not be ended: {error}")
        return left

    def hide_as(self, other: Webtask) -> None:
        """Hide the secrets of another webtask of the same test as well, and the other way round."""
        self._data.adopt(other._data)

    def close(self) -> None:
        """End; a later step is an error."""
        self._closed = True

    @cached_property
    def _hands(self) -> Hands:
        try:
            page = self._open_page()
        except Error as error:
            raise PageError(f"no page could be opened: {_said(error)}") from None
        allowed = AllowedOrigins(self._settings.allow_origin)
        if self._base_url:
            allowed.add(self._base_url)
        with suppress(UsageError):  # the browser's own pages, such as that of an error
            allowed.add(page.url)

        def on_event(event: Event) -> None:
            self._write("event", event=event.kind, text=event.text)

        save = self._journal.save_picture if self._settings.screenshots else None
        return Hands(
            tabs=Tabs(page, lambda text: self._hands.data.scrub(text), on_event),
            observer=Observer(lambda: self._hands.data, save),
            settler=Settler(),
            data=self._data,
            allowed=allowed,
            resources=self._resources,
            base_url=self._base_url,
            timeout=self._settings.timeout,
        )

    @cached_property
    def _guard(self) -> OriginGuard:
        def report(url: str) -> None:
            self._hands.tabs.report(
                "stopped", f"going to {url} was stopped: its origin is not allowed"
            )

        def left(url: str) -> None:
            self._hands.tabs.report("left", f"the page went to {url}, whose origin is not allowed")

        def is_secret(text: str) -> bool:
            return any(told != REDACTED for *_, told in self._hands.data.spans(text))

        hands = self._hands
        return OriginGuard(hands.page.context, hands.allowed, report, left, is_secret=is_secret)

    def _work(
        self,
        task: str,
        data: Mapping[str, object] | None = None,
        resources: Mapping[str, str | Path] | None = None,
        output: Any = None,
        max_steps: int | None = None,
        timeout: float | None = None,
        workflow: str | None = None,
        persist_context: bool = True,
    ) -> Generator[Iteration, None, Result]:
        if not isinstance(task, str) or not task.strip():
            raise UsageError(f"a task is a sentence, got {task!r}")
        workflows.check(self._settings.workflow if workflow is None else workflow)
        limit = self._settings.max_steps if max_steps is None else config.count(max_steps)
        seconds = None if timeout is None else config.seconds(timeout)
        with self._step("do", task):
            hands = self._hands
            hands.data = self._data.extended(data or {})
            hands.data.check(task)
            hands.resources = {**self._resources, **_files(resources or {})}
            worker = Worker(
                self._model,
                hands,
                self._write,
                self._journal.folder,
                self._instructions,
                self._tools,
                seconds,
                output,
            )
            earlier = tuple(self._context) if persist_context else ()
            session = yield from worker.steps(task, earlier, limit)
            self._sessions.append(session)
            self._context.append(session)
            result = Result(output=session.output, feedback=session.feedback, session=session)
            self._write("step_end", status=session.status.value, feedback=session.feedback)
            if session.status is not WorkerStatus.COMPLETED:
                raise TaskFailed(self._failure(session), result)
            return result

    def _watched(self, task: str, options: Mapping[str, Any]) -> Generator[Iteration, None, Result]:
        __tracebackhide__ = True
        steps = self._work(task, **options)
        try:
            while True:
                try:
                    iteration = next(steps)
                except StopIteration as stop:
                    result: Result = stop.value
                    return result
                except WebtaskError as error:
                    problem = error
                    break
                yield iteration
        finally:
            steps.close()
        raise problem.with_traceback(None) from problem.__cause__

    @contextmanager
    def _step(self, kind: str, sentence: str) -> Iterator[None]:
        """One step at a time: numbered, journaled, with its page listened to and guarded."""
        if threading.get_ident() != self._thread:
            # Raised there, it would end that thread and the test would pass.
            self._left.append(f"{kind}({sentence!r}) was called from another thread")
            raise UsageError("a webtask works in the thread of its test only")
        if self._closed:
            raise UsageError("the test is over: this webtask can do nothing more")
        if self._running is not None:
            raise UsageError(
                f"a step is running: {self._running}; exhaust or close what steps() gave"
            )
        self._begin_test()
        self._steps += 1
        self._running = f"{kind}({sentence!r})"
        began = time.monotonic()
        self._write("step", step_kind=kind, sentence=sentence)
        try:
            with self._hands.tabs.listening(), self._guard:
                yield
        except TaskFailed:
            raise
        except GeneratorExit:
            self._write("step_end", status="abandoned")
            raise
        except Error as error:
            message = self._hands.data.scrub(_said(error))
            self._write("step_end", status="error", error=message)
            raise PageError(f"{self._running}: {message}") from None
        except BaseException as error:
            self._write("step_end", status="error", error=f"{type(error).__name__}: {error}")
            raise
        finally:
            self._write("step_time", seconds=round(time.monotonic() - began, 3))
            self._running = None
            if "_hands" in self.__dict__:
                self._hands.data = self._data

    def _begin_test(self) -> None:
        test = self._test_at_work(self)
        if test != self._test:
            # It is of a wider scope, and this test shall know nothing of the last.
            self._test = test
            self._steps = 0
            self._sessions.clear()
            self._context.clear()

    def _failure(self, session: WorkerSession) -> str:
        try:
            page = self._hands.page.url
        except PageError as error:
            page = str(error)
        return self._hands.data.scrub(f"{self._running} was {undone(session)}\npage: {page}")

    def _write(self, kind: str, **fields: Any) -> None:
        data = self._hands.data if "_hands" in self.__dict__ else self._data
        who = {"webtask": self._name} if self._name else {}
        if "time" in fields:
            fields["seconds"] = fields.pop("time")
        # Not the names of the fields: a secret may be the word "status".
        told = {name: data.scrub_all(value) for name, value in fields.items()}
        self._journal.write(kind, test=self._test, **who, step=self._steps, **told)


def _said(error: Error) -> str:
    """Playwright's message without its log of calls."""
    return str(error).partition("Call log:")[0].strip()


def _files(resources: Mapping[str, str | Path]) -> dict[str, Path]:
    files = {}
    for name, path in resources.items():
        file = Path(path)
        if not file.is_file():
            raise UsageError(f"the resource {name!r} is missing: there is no file {file}")
        files[name] = file
    return files
