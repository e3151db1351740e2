"""The steps of a webtask: one at a time, numbered, journaled, on pages that are guarded."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from playwright.sync_api import Error, Page

from pytest_webtask import state
from pytest_webtask.agent.worker import relative
from pytest_webtask.data import REDACTED, Data, Redact
from pytest_webtask.errors import (
    Drifted,
    ModelError,
    PageError,
    TaskFailed,
    UsageError,
    WebtaskError,
)
from pytest_webtask.journal import Journal
from pytest_webtask.llm import Model
from pytest_webtask.llm.budget import Budget
from pytest_webtask.llm.role_models import RoleModels
from pytest_webtask.options import Settings
from pytest_webtask.page.observer import Observer, Settler
from pytest_webtask.page.origins import AllowedOrigins, OriginGuard
from pytest_webtask.page.tabs import Tabs
from pytest_webtask.recordings.healing import Heal
from pytest_webtask.recordings.resume import ResumedTest
from pytest_webtask.recordings.session import RecordingSession
from pytest_webtask.recordings.store import Store
from pytest_webtask.state import StateTracker, StepLock
from pytest_webtask.tools import project
from pytest_webtask.tools.context import Hands
from pytest_webtask.types.agent import Conclusion, Event, Iteration, Result, Ruling

_P = ParamSpec("_P")
_T = TypeVar("_T")


def fails_at_caller(method: Callable[_P, _T]) -> Callable[_P, _T]:
    """Raise our own errors anew, so that the line which called is the place of failure."""

    @wraps(method)
    def outer(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        __tracebackhide__ = True
        try:
            return method(*args, **kwargs)
        except WebtaskError as error:
            problem = error
        if isinstance(stepping := args[0], StepRunner):
            problem.step = problem.step or stepping.at
        raise problem.with_traceback(None) from problem.__cause__

    return outer


class StepRunner:
    """What every step of a webtask has in common; see `Webtask` for what they do."""

    def __init__(
        self,
        open_page: Callable[[], Page],
        *,
        settings: Settings,
        model: Model | Mapping[str, Model],
        journal: Journal,
        budget: Budget,
        test: Callable[[Any], str],
        name: str = "",
        base_url: str = "",
        data: Mapping[str, object] | None = None,
        resources: Mapping[str, str | Path] | None = None,
        instructions: str = "",
        tools: Iterable[Callable[..., object]] = (),
        redact: Iterable[object] = (),
        recordings: Store | None = None,
        recorded_as: str = "",
        advice: Callable[[str], str] = lambda mode: f"pytest --webtask-mode={mode}",
        heard: Callable[[str, Sequence[Heal]], None] = lambda said, heals: None,
        cookies: dict[str, set[tuple[str, str]]] | None = None,
        traced: bool = False,
        floor: StepLock | None = None,
        returning: Callable[[], ResumedTest | None] = lambda: None,
    ) -> None:
        self._open_page = open_page
        self._settings = settings
        self._cast = RoleModels(model, budget, settings.literal)
        self._keeper = RecordingSession(
            recordings,
            settings.mode if recordings else "live",
            self._write,
            advice,
            self._where,
            heard,
            accepts=settings.heal,
            variant=settings.variant,
            name=recorded_as,
            returning=returning,
        )
        self._journal = journal
        self._test_at_work = test
        self._name = name
        self._base_url = base_url
        self._data = Data(data, Redact(redact))
        self._resources = resource_files(resources or {})
        self._instructions = instructions
        self._tools = project.project_tools(tools)
        self._softened: list[Exception] = []
        self._cookies = cookies if recorded_as else None
        self._traced = traced
        self._given: list[tuple[str, Generator[Iteration, None, Result]]] = []
        self._at = StateTracker(self._write, floor or StepLock(), name, on_end=self._on_end)
        self._at.begin_test(test(self))

    @property
    def name(self) -> str:
        """What the journal calls it; "" for the `webtask` fixture's own."""
        return self._name

    @property
    def at(self) -> tuple[str, int]:
        """Its name and the number of its last step."""
        return self._name, self._at.steps

    def settle(self) -> list[str]:
        """What a test must not pass over, in words; a step that still runs is ended.

        These are a task that was only begun, or never begun, and a step tried by another thread.
        """
        left, self._at.left = self._at.left, []
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

    def softened(self) -> list[Exception]:
        """Failures that were kept for the end of the test and that nobody else keeps."""
        kept, self._softened = self._softened, []
        return kept

    def scrub(self, text: str) -> str:
        """A text without the secrets of the test, and without what is redacted."""
        return self._data.scrub(text)

    def hide_as(self, other: StepRunner) -> None:
        """Hide the secrets of another webtask of the same test as well, and the other way round."""
        self._data.adopt(other._data)

    def close(self) -> None:
        """End; a later step is an error."""
        self._at.ended = True

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
            visual=self._settings.visual,
            rung=lambda rung, why: self._write("rung", rung=rung, why=why),
            guard=lambda: self._guard.demand(),
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

    @contextmanager
    def _step(self, kind: str, sentence: str) -> Iterator[None]:
        """One step at a time: numbered, journaled, with its page listened to and guarded."""
        self._at.admit(kind, sentence)
        self._begin_test()
        self._keeper.stands(kind, sentence)
        began = time.monotonic()
        self._at.begin(kind, sentence)
        try:
            tabs = self._hands.tabs
            self._at.take_floor()
            with self._group(sentence), tabs.listening(), self._guard.on_demand():
                self._note_state(before=True)
                yield
                self._note_state(before=False)
        except TaskFailed:
            raise
        except GeneratorExit:
            self._at.end("abandoned")
            raise
        except Error as error:
            message = self._hands.data.scrub(_said(error))
            self._at.end("error", error=message)
            raise PageError(f"{self._at.running}: {message}") from None
        except BaseException as error:
            status = "drifted" if isinstance(error, Drifted) else "error"
            if isinstance(error, ModelError):
                self._take_picture()
            self._at.end(status, error=f"{type(error).__name__}: {error}")
            raise
        finally:
            self._at.leave(time.monotonic() - began)
            self._keeper.end()
            if "_hands" in self.__dict__:
                self._hands.data = self._data

    @contextmanager
    def _group(self, sentence: str) -> Iterator[None]:
        """What is done in the step stands under its name in Playwright's trace."""
        if not self._traced:
            yield
            return
        tracing = self._hands.page.context.tracing
        name = self._hands.data.hidden(f"{(self._at.running or '').partition('(')[0]}: {sentence}")
        with suppress(Error):
            tracing.group(name)
        try:
            yield
        finally:
            with suppress(Error):
                tracing.group_end()

    def _note_state(self, *, before: bool) -> None:
        """Journal whose cookies a further page begins with: one that logs in once for many tests."""
        if self._cookies is None:
            return
        with suppress(Error):
            told = self._hands.page.context.cookies()
            here = {(str(c.get("name")), str(c.get("value"))) for c in told}
            others = (n for n, c in self._cookies.items() if n != self._name and c & here)
            if before and self._at.steps == 1 and (other := next(others, "")):
                self._write("page", state_of=other)
            elif not before:
                self._cookies[self._name] = here

    def _decider(self, role: str) -> Model:
        """Who decides in this step: its recording, or the role's model."""
        # A further page may be another test's or of a wider scope: its steps have other numbers then.
        at = None if self._name else self.at
        model, fallback = self._cast.of(role), self._cast.fallback(role)
        decider = self._keeper.decider(model, fallback, self._hands, at, self._referee())
        if self._keeper.replayer is None:
            # A model may use the page itself, before it has looked at anything.
            self._hands.watch()
        return decider

    def _referee(self) -> Callable[[Conclusion], Ruling] | None:
        """Return who rules on what models conclude in this step, None where only literal sentences can be."""
        if self._cast.is_literal("referee"):
            return None
        from pytest_webtask.agent.referee import Referee

        model = self._cast.of("referee", literally=False)
        return Referee(model, self._hands.data, self._write, self._instructions).rule

    def _look_back(self) -> None:
        """Keep what the page looks like before a step, for who judges what came of it.

        The literal interpreter judges sentences that say all of it, and looks at nothing; a
        recording has what was judged before.
        """
        self._at.before = None
        model = self._keeper.replayer is None and not self._cast.is_literal("verifier")
        if model and not self._cast.is_literal("worker"):
            with suppress(PageError):
                self._at.before = self._hands.observe().seen
        works = self._keeper.replayer is None and not self._cast.is_literal("worker")
        vanished, page = self._hands.observer.vanished, self._hands.page
        if model or works or self._keeper.needs_vanished or vanished.has_watched(page):
            vanished.mark(page)

    def _softly(self, problem: Exception) -> None:
        """Keep a failure for the end of the test."""
        if isinstance(problem, WebtaskError):
            problem.step = self.at
        placed = state.as_raised_by_caller(problem)
        if not state.keep_soft_failure(placed):
            self._softened.append(placed)

    def _begin_test(self) -> None:
        test = self._test_at_work(self)
        if test != self._at.test:
            # It is of a wider scope.
            self._at.begin_test(test)
            self._keeper.end_test()

    def _where(self) -> list[str]:
        """The page that the test is at, and the picture of it, as lines of a message."""
        return [
            f"page: {self._url}",
            *([f"screenshot: {p}"] if (p := self._take_picture()) else []),
        ]

    @property
    def _url(self) -> str:
        try:
            return self._hands.data.scrub(self._hands.page.url)
        except PageError as error:
            return str(error)

    def _take_picture(self) -> str:
        """Journal the page as it is; the path of its picture, "" where none can be had."""
        try:
            self._hands.tabs.note_troubles()
            observation = self._hands.observe()
            picture = observation.screenshot
        except (PageError, Error):
            return ""
        self._write("last_look", observed=observation.seen.model_dump(mode="json"))
        return str(relative(picture)) if picture else ""

    @property
    def _masking(self) -> Data:
        """The data of the step at work, whose values no record may hold."""
        return self._hands.data if "_hands" in self.__dict__ else self._data

    def _on_end(self, step: str, status: str, reason: str) -> None:
        data = self._masking
        self._cast.step_ended(data.scrub(step), status, data.scrub(reason))

    def _write(self, kind: str, **fields: Any) -> None:
        data = self._masking
        who = {"webtask": self._name} if self._name else {}
        if "time" in fields:
            fields["seconds"] = fields.pop("time")
        # Not the names of the fields: a secret may be the word "status".
        told = {name: data.scrub_all(value) for name, value in fields.items()}
        self._journal.write(kind, test=self._at.test, **who, step=self._at.steps, **told)


def _said(error: Error) -> str:
    """Playwright's message without its log of calls."""
    return str(error).partition("Call log:")[0].strip()


def resource_files(resources: Mapping[str, str | Path]) -> dict[str, Path]:
    """The files that may be uploaded, by name. Raises UsageError for one that is missing."""
    found = {}
    for name, path in resources.items():
        file = Path(path)
        if not file.is_file():
            raise UsageError(f"the resource {name!r} is missing: there is no file {file}")
        found[name] = file
    return found
