"""What a test is at: the step that runs, how steps ended, and failures kept until its end."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import Any

from pytest_webtask.errors import UsageError
from pytest_webtask.types.agent import (
    Extracted,
    Seen,
    Tab,
    TaskRecord,
    TestState,
    Verdict,
    WorkerSession,
)

__all__ = [
    "StateTracker",
    "StepLock",
    "as_raised_by_caller",
    "keep_soft_failure",
    "raise_soft_failures",
]


@dataclass
class StepLock:
    """Who is at work among all webtasks of a process: one step at a time."""

    step: str = ""
    webtask: str = ""
    paused: bool = False
    """Whether the step waits, and the test itself has control."""


@dataclass
class StateTracker:
    """Holds the state of one webtask's test. `write` journals; what it is told it has journaled.

    `test` is the test at work, `steps` how many steps there were of it. `context` are the tasks
    that a step may know of, `before` is the page as it was before the last step, if somebody looked,
    `task` gives the record of the last `do`. `on_end` is
    called when a step ends, with the step, its status and the reason if it did not end well.
    """

    write: Callable[..., None]
    floor: StepLock
    name: str
    test: str = ""
    steps: int = 0
    running: str | None = None
    ended: bool = False
    sessions: list[WorkerSession] = field(default_factory=list)
    context: list[WorkerSession] = field(default_factory=list)
    actions: list[str] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    extracted: list[Extracted] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    before: Seen | None = None
    task: Callable[[], TaskRecord | None] = lambda: None
    on_end: Callable[[str, str, str], None] = lambda step, status, reason: None
    left: list[str] = field(default_factory=list)
    """Steps that were refused where an error may have ended nothing but a thread or a callback."""
    _thread: int = field(default_factory=threading.get_ident)

    def admit(self, kind: str, sentence: str) -> None:
        """Raise UsageError where no step may begin now."""
        if threading.get_ident() != self._thread:
            self.left.append(f"{kind}({sentence!r}) was called from another thread")
            raise UsageError("a webtask works in the thread of its test only")
        if self.ended:
            raise UsageError("the test is over: this webtask can do nothing more")
        if self.floor.step or self.running:
            if not self.floor.paused or _in_callback():
                self.left.append(f"{kind}({sentence!r}) was called while a step ran")
            other = self.floor.webtask != self.name and not self.running
            of = f", of the webtask {self.floor.webtask or 'webtask'!r}" if other else ""
            raise UsageError(
                f"a step is running: {self.floor.step or self.running}{of}; exhaust or close what steps() gave"
            )

    def begin(self, kind: str, sentence: str) -> None:
        """A step begins."""
        self.steps += 1
        self.write("step", step_kind=kind, sentence=sentence)
        self.running = f"{kind}({sentence!r})"

    def take_floor(self) -> None:
        """From now on nobody else may do anything.

        Before, the page is opened: its fixtures may have something done in others.
        """
        self.floor.step, self.floor.webtask = self.running or "", self.name

    def end(self, status: str, **told: Any) -> None:
        """A step has come to its end, by which it is known."""
        self.write("step_end", status=status, **told)
        error = told.get("error") or ""
        reason = error
        if not error and status in _BADLY:
            reason = told.get("reason") or told.get("feedback") or ""
            error = f"{status}: {reason}"
        if error:
            self.errors.append(f"{self.running}: {error}")
        self.on_end(self.running or "", status, reason)

    def leave(self, seconds: float) -> None:
        """A step is over, however it ended."""
        self.write("step_time", seconds=round(seconds, 3))
        self.running = None
        if self.floor.webtask == self.name:
            self.floor.step = self.floor.webtask = ""

    def begin_test(self, test: str) -> None:
        """Another test is at work, which shall know nothing of the last."""
        self.test = test
        self.steps = 0
        self.forget()
        for told in (self.sessions, self.verdicts, self.extracted, self.errors):
            told.clear()
        self.before = None
        self.task = lambda: None

    def forget(self) -> None:
        """Let the steps to come know nothing of those before."""
        self.context.clear()
        self.actions.clear()

    def state(self, tabs: tuple[Tab, ...], data: tuple[str, ...]) -> TestState:
        """All of it as a record."""
        return TestState(
            test=self.test,
            status="ended" if self.ended else "running" if self.running else "waiting",
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


_BADLY = frozenset(
    ("failed", "undecided", "drifted", "not found", "aborted", "max_steps", "timed_out")
)
"""How a step ends without an error of its own, and is none that went well."""


def _in_callback() -> bool:
    """Whether a handler of Playwright's runs, whose errors may end nothing."""
    from greenlet import getcurrent

    return getcurrent().parent is not None


_PACKAGE = __name__.partition(".")[0]


def keep_soft_failure(problem: Exception) -> bool:
    """Put a failure among Playwright's soft ones; False where there is no such scope.

    The scope is private to Playwright, absent in older versions, and open only while a test itself
    runs, not in its fixtures.
    """
    try:
        from playwright._impl import _assertions
    except ImportError:
        return False
    errors = getattr(_assertions, "_soft_errors", None)
    if not isinstance(errors, list):
        return False
    errors.append(problem)
    return True


def raise_soft_failures(kept: Sequence[Exception], hard: BaseException | None = None) -> None:
    """Raise the failures that were kept, together with that which ended the test, if any did."""
    problems = [*([hard] if hard else []), *kept]
    if len(problems) == 1:
        raise problems[0]
    if problems:
        if sys.version_info < (3, 11):
            from exceptiongroup import BaseExceptionGroup  # type: ignore[import-not-found]
        else:
            from builtins import BaseExceptionGroup
        raise BaseExceptionGroup("soft failures", problems)


def as_raised_by_caller(problem: Exception) -> Exception:
    """The failure as if raised in the line that called us."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and str(frame.f_globals.get("__name__", "")).startswith(_PACKAGE):
        frame = frame.f_back
    if frame is None:
        return problem
    return problem.with_traceback(TracebackType(None, frame, frame.f_lasti, frame.f_lineno))
