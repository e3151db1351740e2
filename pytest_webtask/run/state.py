"""The state of a test: the running step, ended steps, and failures kept until the end."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import Any

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.errors import UsageError
from pytest_webtask.journal import JournalEvent, StepEnded, StepStarted, StepTimed
from pytest_webtask.types.agent import (
    Cause,
    EarlierStep,
    Extracted,
    Tab,
    TaskRecord,
    TestState,
    Verdict,
    WorkerSession,
)
from pytest_webtask.types.page import Seen
from pytest_webtask.types.step import Step, step_name


@dataclass
class StepLock:
    """The one step that may run at a time among all webtasks of a process."""

    step: Step | None = None
    webtask: str = ""
    paused: bool = False
    """Whether it waits while the test itself runs, as between two iterations of `steps()`."""


@dataclass
class StateTracker:
    """The state of the test in which one webtask runs.

    `write` journals. `on_end` is called with the name, the status and the reason of each step that ends.
    `steps` counts the steps of the test. `memory` are the ended steps that a later one may know,
    `actions` the actions done on the page, `before` is the page before the last step, if it was observed.
    """

    write: Callable[[JournalEvent], None]
    lock: StepLock
    name: str
    on_end: Callable[[str, str, str], None]
    test: str = field(default="", init=False)
    steps: int = field(default=0, init=False)
    step: Step | None = field(default=None, init=False)
    ended: bool = field(default=False, init=False)
    sessions: list[WorkerSession] = field(default_factory=list, init=False)
    memory: list[EarlierStep] = field(default_factory=list, init=False)
    actions: list[str] = field(default_factory=list, init=False)
    verdicts: list[Verdict] = field(default_factory=list, init=False)
    extracted: list[Extracted] = field(default_factory=list, init=False)
    errors: list[str] = field(default_factory=list, init=False)
    before: Seen | None = field(default=None, init=False)
    status: str = field(default="", init=False)
    """The status of the last step, "" while it runs."""
    cause: Cause | None = field(default=None, init=False)
    """The cause of the last step's failure, None if it did not fail."""
    task: Callable[[], TaskRecord | None] = field(default=lambda: None, init=False)
    """Returns the record of the last task as it is now."""
    refused: list[str] = field(default_factory=list, init=False)
    """Refused steps whose error may have ended only a thread or a callback, not the test."""
    _details: dict[str, Any] = field(default_factory=dict, init=False)
    """What later steps may know of the running step, as fields of an EarlierStep."""
    _thread: int = field(default_factory=threading.get_ident, init=False)

    @property
    def running(self) -> str | None:
        """Return the name of the running step, None between steps."""
        return self.step.name if self.step else None

    def admit(self, kind: str, sentence: str) -> None:
        """Raise UsageError if no step may begin now."""
        name = step_name(kind, sentence)
        if threading.get_ident() != self._thread:
            problem = (
                f"{name} was called from another thread, so it did not run: call a webtask in the"
                " thread of its test"
            )
            self.refused.append(problem)
            raise UsageError(problem)
        if self.ended:
            raise UsageError(
                f"{name} was called after the test is over: request the fixture webtask in each test"
            )
        busy = self.step or self.lock.step
        if busy is None:
            return
        advice = "first loop to the end of its steps(), or call their close()"
        if not self.lock.paused or _in_callback():
            advice = "call it after that step, not in a callback or a tool"
            self.refused.append(
                f"{name} was called while {busy.name} ran, so it did not run: {advice}"
            )
        owner = ""
        if self.step is None and self.lock.webtask != self.name:
            owner = f", of the user {self.lock.webtask or 'webtask'!r} of this test"
        raise UsageError(
            f"{name} did not run, because a step is still running: {busy.name}{owner}; {advice}"
        )

    def begin(self, step: Step) -> None:
        """Journal that a step begins."""
        self.steps = step.number
        file, line, source = step.line
        self.write(
            StepStarted(
                step_kind=step.kind, sentence=step.sentence, file=file, line=line, source=source
            )
        )
        self.step, self.status, self.cause = step, "", None
        self._details = {}

    def take_lock(self) -> None:
        """Keep other webtasks from running a step, once the page is open: its fixtures may run steps of those."""
        self.lock.step, self.lock.webtask = self.step, self.name

    def remember(self, **details: Any) -> None:
        """Note what later steps may know of the running step: fields of an EarlierStep."""
        self._details |= details

    def end(
        self,
        status: str,
        reason: str = "",
        *,
        error: str = "",
        brief: str = "",
        cause: Cause | None = None,
        evidence: tuple[CheckResult, ...] | None = None,
        deviations: tuple[str, ...] = (),
    ) -> None:
        """Journal the end of the step, with the `brief` of its error and its cause, and remember it."""
        self.cause, self.status = cause, status
        self.write(
            StepEnded(
                status=status,
                reason="" if brief else reason,
                error=brief or error,
                cause=cause,
                evidence=evidence,
                deviations=deviations,
            )
        )
        why = error
        if not error and status in _FAILURES:
            why = reason
            error = f"{status}: {reason}"
            self._details.setdefault("words", reason)
        if error:
            self._details.setdefault("words", error)
            self.errors.append(f"{self.running}: {error}")
        step = self.step
        # Where a value is not found, the error ends the step a second time.
        if step is not None and step.number not in (each.number for each in self.memory):
            earlier = EarlierStep(
                kind=step.kind,
                sentence=step.masked,
                status=status,
                number=step.number,
                **self._details,
            )
            self.memory.append(earlier)
        self.on_end(self.running or "", status, why)

    def leave(self, seconds: float) -> None:
        """Release the lock after a step, however it ended."""
        self.write(StepTimed(seconds=round(seconds, 3)))
        self.step = None
        if self.lock.webtask == self.name:
            self.lock.step, self.lock.webtask = None, ""

    def begin_test(self, test: str) -> None:
        """Forget the last test and begin another."""
        self.test = test
        self.steps = 0
        self.forget()
        for results in (self.sessions, self.verdicts, self.extracted, self.errors):
            results.clear()
        self.before, self.task = None, lambda: None

    def forget(self, number: int = 0) -> None:
        """Hide the step with a number, or all so far, from later steps."""
        self.memory[:] = [each for each in self.memory if number not in (0, each.number)]
        if not number:
            self.actions.clear()

    def state(self, tabs: tuple[Tab, ...], data: tuple[str, ...]) -> TestState:
        """Return the state as a record."""
        return TestState(
            test=self.test,
            status="ended" if self.ended else "running" if self.step else "waiting",
            running=self.running,
            task=self.task(),
            steps=tuple(self.sessions),
            actions=tuple(self.actions),
            verdicts=tuple(self.verdicts),
            extracted=tuple(self.extracted),
            errors=tuple(self.errors),
            tabs=tabs,
            data=data,
        )


_FAILURES = frozenset(
    ("failed", "undecided", "drifted", "not found", "aborted", "max_steps", "timed_out")
)
"""Statuses of steps that failed without an error."""


def _in_callback() -> bool:
    """Return whether a handler of Playwright runs, whose errors may not fail the test."""
    from greenlet import getcurrent

    return getcurrent().parent is not None


_PACKAGE = __name__.partition(".")[0]


def keep_soft_failure(problem: Exception) -> bool:
    """Add a failure to Playwright's soft failures; return False if there is no such scope."""
    # It is private to Playwright, absent in older versions, and open only while a test itself runs.
    try:
        from playwright._impl import _assertions
    except ImportError:
        return False
    errors = getattr(_assertions, "_soft_errors", None)
    if not isinstance(errors, list):
        return False
    errors.append(problem)
    return True


def raise_soft_failures(failures: Sequence[Exception], hard: BaseException | None = None) -> None:
    """Raise soft failures, together with the error that ended the test, if there is one."""
    problems = [*filter(None, [hard]), *failures]
    if len(problems) == 1:
        raise problems[0]
    if problems:
        if sys.version_info < (3, 11):
            from exceptiongroup import BaseExceptionGroup  # type: ignore[import-not-found]
        else:
            from builtins import BaseExceptionGroup
        raise BaseExceptionGroup("soft failures", problems)


def as_raised_by_caller(problem: Exception) -> Exception:
    """Return the failure as if raised in the line of the test that called this package."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and str(frame.f_globals.get("__name__", "")).startswith(_PACKAGE):
        frame = frame.f_back
    if frame is None:
        return problem
    return problem.with_traceback(TracebackType(None, frame, frame.f_lasti, frame.f_lineno))
