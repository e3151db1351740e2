"""The state of a test: its steps so far, and failures kept until its end."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FrameType, TracebackType
from typing import Any

from pytest_webtask.agent.session import Session
from pytest_webtask.tools.memory import describe_actions
from pytest_webtask.types.agent import EarlierStep, Extracted, Tab, TestState, Verdict
from pytest_webtask.types.page import Seen
from pytest_webtask.types.step import Step


@dataclass
class TestMemory:
    """What one webtask knows of the running test: its results so far, and what later steps may know.

    `steps` counts the steps of the test. `done` are its tasks, and what else was done on the page, in words. `earlier`
    are the ended steps that a later one may know, `before` is the page before the last step, if it was
    observed. `details` is what later steps may know of the running step, as fields of an EarlierStep.
    """

    __test__ = False  # it is no test of pytest

    test: str = ""
    steps: int = field(default=0, init=False)
    done: list[Session | str] = field(default_factory=list, init=False)
    earlier: list[EarlierStep] = field(default_factory=list, init=False)
    verdicts: list[Verdict] = field(default_factory=list, init=False)
    extracted: list[Extracted] = field(default_factory=list, init=False)
    errors: list[str] = field(default_factory=list, init=False)
    before: Seen | None = field(default=None, init=False)
    details: dict[str, Any] = field(default_factory=dict, init=False)

    def begin(self, number: int) -> None:
        """Note that the step with a number begins."""
        self.steps, self.details = number, {}

    def end(self, step: Step, status: str, failure: str) -> None:
        """Note how a step has ended, "" as its `failure` for none."""
        if failure:
            self.details.setdefault("words", failure)
            how = "" if status == "error" else f"{status}: "
            self.errors.append(f"{step.name}: {how}{failure}")
        ended = EarlierStep(
            kind=step.kind,
            sentence=step.masked,
            status=status,
            number=step.number,
            **self.details,
        )
        # The application may have failed in a step that has ended.
        self.forget(step.number)
        self.earlier.append(ended)

    def forget(self, number: int = 0) -> None:
        """Hide the step with a number, or all so far, from later steps."""
        self.earlier[:] = [each for each in self.earlier if number not in (0, each.number)]

    def state(
        self, running: Step | None, tabs: tuple[Tab, ...], data: tuple[str, ...], *, is_over: bool
    ) -> TestState:
        """Return the state of the test as a record."""
        status = "running" if running else "waiting"
        tasks = [each for each in self.done if isinstance(each, Session)]
        return TestState(
            test=self.test,
            status="ended" if is_over else status,
            running=running.name if running else None,
            task=tasks[-1].record if tasks else None,
            steps=tuple(each.so_far for each in tasks),
            actions=tuple(self._actions()),
            verdicts=tuple(self.verdicts),
            extracted=tuple(self.extracted),
            errors=tuple(self.errors),
            tabs=tabs,
            data=data,
        )

    def _actions(self) -> Iterator[str]:
        for each in self.done:
            yield from [each] if isinstance(each, str) else describe_actions(each.so_far.iterations)


_PACKAGE = __name__.partition(".")[0]


def as_raised_by_caller(problem: Exception) -> Exception:
    """Return the failure as if raised in the line of the test that called this package."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and str(frame.f_globals.get("__name__", "")).startswith(_PACKAGE):
        frame = frame.f_back
    if frame is None:
        return problem
    return problem.with_traceback(TracebackType(None, frame, frame.f_lasti, frame.f_lineno))
