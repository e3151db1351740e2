"""The object behind the `webtask` fixture."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from playwright.sync_api import Error, Page

from pytest_webtask import workflows
from pytest_webtask.config import Settings
from pytest_webtask.data import Data
from pytest_webtask.errors import PageError, TaskFailed, UsageError, WebtaskError
from pytest_webtask.journal import Journal
from pytest_webtask.loop import told
from pytest_webtask.models import Model
from pytest_webtask.page.observation import Observer
from pytest_webtask.page.origins import AllowedOrigins, OriginGuard
from pytest_webtask.page.settle import Settler
from pytest_webtask.page.tabs import Tabs
from pytest_webtask.records import (
    Iteration,
    Result,
    TestState,
    WorkerSession,
    WorkerStatus,
)
from pytest_webtask.roles.worker import Worker
from pytest_webtask.tools.hands import Hands


class Webtask:
    """Does tasks on a page: `do`, `goto`, `steps`, `forget`; see the fixtures in `plugin.py`.

    `open_page` is called when the page is first needed. Everything that happens is written to the
    journal, under the test's name.
    """

    def __init__(
        self,
        open_page: Callable[[], Page],
        *,
        settings: Settings,
        model: Model,
        journal: Journal,
        test: str,
        name: str = "",
        base_url: str = "",
        data: Mapping[str, object] | None = None,
        resources: Mapping[str, str | Path] | None = None,
        instructions: str = "",
    ) -> None:
        self._open_page = open_page
        self._settings = settings
        self._model = model
        self._journal = journal
        self._test = test
        self._name = name
        self._base_url = base_url
        self._data = Data(data)
        self._resources = _files(resources or {})
        self._instructions = instructions
        self._steps = 0
        self._running: str | None = None
        self._sessions: list[WorkerSession] = []
        self._context: list[WorkerSession] = []
        self._closed = False

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
        __tracebackhide__ = True
        steps = self._work(
            task, data, resources, output, max_steps, timeout, workflow, persist_context
        )
        problem: WebtaskError
        try:
            while True:
                next(steps)
        except StopIteration as stop:
            result: Result = stop.value
            return result
        except WebtaskError as error:
            problem = error
        # Raised here and anew, so that the user's own line is the place of failure.
        raise problem.with_traceback(None) from problem.__cause__

    def steps(self, task: str, **options: Any) -> Generator[Iteration, None, Result]:
        """`do`, one iteration at a time, to watch a task being done; the options are those of `do`.

        A step runs until its generator is exhausted or closed.
        """
        unknown = options.keys() - {
            "data", "resources", "output", "max_steps", "timeout", "workflow", "persist_context"
        }  # fmt: skip
        if unknown:
            raise TypeError(f"steps() has no option {unknown.pop()!r}")
        names = ("data", "resources", "output", "max_steps", "timeout", "workflow")
        return self._work(task, *(options.get(n) for n in names), options.get("persist_context", True))

    def goto(self, url: str) -> None:
        """Open an address, or a path below the base URL. Its origin may be acted upon from now on.

        Raises PageError where it cannot be loaded; a page with an error status is a page, too.
        """
        __tracebackhide__ = True
        problem = None
        with self._step("goto", url):
            try:
                self._goto(url)
            except PageError as error:
                problem = error
            self._write("step_end", status="failed" if problem else "completed")
        if problem is not None:
            raise problem.with_traceback(None) from None

    def forget(self) -> None:
        """Let the steps to come know nothing of those before."""
        self._context.clear()

    @property
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
            tabs=self._hands.tabs.records if opened else (),
            data=tuple(self._data.shown),
        )

    def close(self) -> None:
        """End; a later step is an error."""
        self._closed = True

    @cached_property
    def _hands(self) -> Hands:
        page = self._open_page()
        allowed = AllowedOrigins(self._settings.allow_origin)
        for address in (self._base_url, page.url):
            if address and address != "about:blank":
                allowed.add(address)
        save = self._journal.save_picture if self._settings.screenshots else None
        return Hands(
            tabs=Tabs(page),
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

        return OriginGuard(self._hands.page.context, self._hands.allowed, report, left)

    def _work(
        self,
        task: str,
        data: Mapping[str, object] | None,
        resources: Mapping[str, str | Path] | None,
        output: Any,
        max_steps: int | None,
        timeout: float | None,
        workflow: str | None,
        persist_context: bool,
    ) -> Generator[Iteration, None, Result]:
        workflows.check(workflow or self._settings.workflow)
        with self._step("do", task):
            hands = self._hands
            hands.data = self._data.extended(data or {})
            hands.data.check(task)
            hands.resources = {**self._resources, **_files(resources or {})}
            worker = Worker(
                self._model, hands, self._write, self._journal.folder, self._instructions, timeout, output
            )
            earlier = tuple(self._context) if persist_context else ()
            limit = self._settings.max_steps if max_steps is None else max_steps
            if limit < 1:
                raise UsageError(f"max_steps must be 1 or more, got {limit}")
            session = yield from worker.steps(task, earlier, limit)
            self._sessions.append(session)
            self._context.append(session)
            result = Result(output=session.output, feedback=session.feedback, session=session)
            self._write("step_end", status=session.status.value, feedback=session.feedback)
            if session.status is not WorkerStatus.COMPLETED:
                raise TaskFailed(self._failure(session), result)
            return result

    @contextmanager
    def _step(self, kind: str, sentence: str) -> Iterator[None]:
        """One step at a time: numbered, journaled, with its page listened to and guarded."""
        if self._closed:
            raise UsageError("the test is over: this webtask can do nothing more")
        if self._running is not None:
            raise UsageError(f"a step is running already: {self._running}")
        self._steps += 1
        self._running = f'{kind}("{sentence}")'
        began = time.monotonic()
        self._write("step", step_kind=kind, sentence=sentence)
        try:
            with self._hands.tabs.listening(), self._guard:
                yield
        except TaskFailed:
            raise
        except Error as error:
            message = self._hands.data.scrub(str(error).partition("Call log:")[0].strip())
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

    def _goto(self, url: str) -> None:
        target = urljoin(self._base_url, url)
        if "://" not in target and not target.startswith(("about:", "data:")):
            raise PageError(
                f"{url!r} is not an address, and there is no base URL to complete it:"
                " set one with --base-url, the base_url ini option or fixture"
            )
        hands = self._hands
        hands.allowed.add(target)
        try:
            hands.page.goto(target)
        except Error as error:
            stopped = [e.text for e in hands.tabs.drain() if e.kind == "stopped"]
            reason = "; ".join(stopped) or str(error).partition("\n")[0].partition("Call log:")[0]
            raise PageError(f"{target} could not be opened: {hands.data.scrub(reason.strip())}") from None

    def _failure(self, session: WorkerSession) -> str:
        lines = [f"{self._running} was {_ENDED[session.status]} after {session.steps_used} iterations"]
        lines += ["  " + line for line in session.feedback.splitlines()]
        lines += ["last iterations:"]
        lines += [f"  {i.number}. {told(i)[:500]}" for i in session.iterations[-3:]]
        try:
            lines.append(f"page: {self._hands.data.scrub(self._hands.page.url)}")
        except PageError as error:
            lines.append(f"page: {error}")
        if session.final_screenshot:
            lines.append(f"screenshot: {_relative(session.final_screenshot)}")
        return "\n".join(lines)

    def _write(self, kind: str, **fields: Any) -> None:
        data = self._hands.data if "_hands" in self.__dict__ else self._data
        who = {"webtask": self._name} if self._name else {}
        self._journal.write(kind, test=self._test, **who, step=self._steps, **data.scrub_all(fields))


_ENDED = {
    WorkerStatus.ABORTED: "given up",
    WorkerStatus.MAX_STEPS: "out of steps",
    WorkerStatus.TIMED_OUT: "out of time",
}


def _files(resources: Mapping[str, str | Path]) -> dict[str, Path]:
    files = {}
    for name, path in resources.items():
        file = Path(path)
        if not file.is_file():
            raise UsageError(f"the resource {name!r} is missing: there is no file {file}")
        files[name] = file
    return files


def _relative(path: Path) -> Path:
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path


__all__: Sequence[str] = ("Webtask",)
