"""What the roles that work at one task have in common: its page, its limits, its record."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from playwright.sync_api import Error

from pytest_webtask.agent.loop import Brief, Loop
from pytest_webtask.errors import WebtaskError
from pytest_webtask.llm import Model
from pytest_webtask.tools.context import Hands, Mark, PageHistory
from pytest_webtask.tools.finish import TaskReview
from pytest_webtask.tools.registry import Tool, Toolbox
from pytest_webtask.tools.review import Review
from pytest_webtask.types.agent import (
    CheckResult,
    Conclusion,
    Cycle,
    Iteration,
    Ruling,
    Seen,
    TaskRecord,
    Usage,
    WorkerSession,
    WorkerStatus,
)

__all__ = ["LimitReached", "Session", "retry_until", "wait_for_change"]


class LimitReached(Exception):
    """The steps or the time of the task are over; whoever asks for more gets this again."""

    def __init__(self, status: WorkerStatus) -> None:
        super().__init__(status.value)
        self.status = status


@dataclass
class Session:
    """One `do` in work, as its workflow has it.

    `model` gives who decides in a role; with `literally=False` never the literal interpreter, for
    sentences that another model has made. `max_steps` bounds the iterations of all roles together,
    `timeout` its seconds. `output` is the type of the answer, None where none is asked for,
    `more_tools` are the project's own, `earlier` the tasks that were done before in the test and
    `acted` what they have done, `before` the page when the task began, if somebody looked.
    `is_literal` says whether the task is a sentence that needs no model, and so no plan. `referee`
    rules on what is concluded of it, None where nobody does. `write` journals into the run's `folder`, `watch` is told of each iteration.
    """

    task: str
    record: TaskRecord
    model: Callable[..., Model]
    hands: Hands
    write: Callable[..., None]
    folder: Path
    max_steps: int = 20
    timeout: float | None = None
    instructions: str = ""
    more_tools: Sequence[Tool] = ()
    output: Any = None
    earlier: Sequence[WorkerSession] = ()
    acted: Sequence[str] = ()
    before: Seen | None = None
    is_literal: Callable[[], bool] = lambda: False
    watch: Callable[[Iteration], None] = lambda iteration: None
    referee: Callable[[Conclusion], Ruling] | None = None
    iterations: list[Iteration] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=lambda: [Mark()])
    """What had been done before each iteration, and at last after all of them."""
    deadline: float | None = None
    deciding: Model | None = None
    reviewing: Usage = field(default_factory=Usage)
    """What the referee's rulings have cost."""
    over: WorkerStatus | None = None
    """Which limit has ended it, whatever its workflow made of that."""

    def __post_init__(self) -> None:
        """Begin: what was said in the step before counts no more."""
        self.deadline = None if self.timeout is None else time.monotonic() + self.timeout
        hands = self.hands
        hands.ending, hands.output, hands.has_output = None, None, False
        hands.evidence, hands.sources, hands.ruling = (), (), None
        hands.history = PageHistory()
        if self.before is not None:
            hands.history.note(self.before)

    # What a workflow says

    def change(self, what: str, **fields: Any) -> None:
        """Journal a change of the task's record, and then make it."""
        record = self.record.model_copy(update=fields)
        self.write("task", change=what, record=record.model_dump(mode="json"))
        self.record = record

    def note(self, cycle: Cycle) -> None:
        """Take a round into the record."""
        self.change("round over", history=(*self.record.history, cycle))

    def rung(self, rung: str, why: str) -> None:
        """Journal how the task goes on after something failed."""
        self.write("rung", rung=rung, why=why)

    def completed(
        self,
        feedback: str,
        evidence: Sequence[CheckResult] = (),
        ruling: Ruling | None = None,
    ) -> WorkerSession:
        """The session of a task that was done."""
        return self._session(WorkerStatus.COMPLETED, feedback, evidence, ruling)

    def aborted(self, reason: str) -> WorkerSession:
        """The session of a task that was given up."""
        return self._session(WorkerStatus.ABORTED, reason)

    def ended_as(self, work: WorkerSession) -> WorkerSession:
        """The session of a task that ended as this part of it did."""
        return self._session(work.status, work.feedback, work.evidence, work.ruling)

    def cut(self, status: WorkerStatus) -> WorkerSession:
        """The session of a task that a limit ended."""
        limit = f"{self.timeout:g} s" if self.timeout is not None else ""
        if status is WorkerStatus.MAX_STEPS:
            limit = f"{self.max_steps} steps"
        return self._session(status, f"the task was not done within {limit}")

    def review(self, task: str, begun: int = 0) -> TaskReview:
        """Return what it takes for a task, or a part of it, to be done.

        `begun` is how many iterations there had been when it began: what was done before is no
        part of it, be it in an earlier step of the test or an earlier part.
        """

        def rule(conclusion: Conclusion) -> Ruling:
            assert self.referee is not None, "it was asked"
            ruling = self.referee(conclusion)
            self.reviewing += ruling.usage
            return ruling

        def reviewed() -> bool:
            decides = (getattr(self.deciding, who, False) for who in ("literal", "replays"))
            return not any(map(bool, decides))

        def done() -> list[str]:
            from pytest_webtask.agent.worker import describe_actions

            return describe_actions(self.iterations[begun:])

        review = Review(rule if self.referee else None)
        return TaskReview(task, review, done, self.marks[begun], reviewed)

    # What a role does

    def hold(
        self,
        role: str,
        task: str,
        tools: Toolbox,
        *,
        literally: bool = False,
        spare: int = 0,
        model: Model | None = None,
        **brief: Any,
    ) -> list[Iteration]:
        """Have a role decide until it ends; its iterations.

        `spare` are iterations that are left to others, `model` decides if it is another than the role's
        own, `brief` is what else its model may know. Raises LimitReached where it did not come to an end.
        """
        hands = self.hands
        model = model or self.model(role, literally=literally)
        self.deciding = model
        hands.looks = lambda: bool(getattr(model, "looks", True))
        loop = Loop(
            brief=Brief(
                role=role,
                task=task,
                max_steps=max(self.max_steps - spare, 1),
                deadline=self.deadline,
                instructions=self.instructions,
                taken=len(self.iterations),
                **brief,
            ),
            model=model,
            tools=tools,
            hands=hands,
            write=self.write,
        )
        done: list[Iteration] = []
        for iteration in loop.run():
            done.append(iteration)
            self.iterations.append(iteration)
            self.marks.append(hands.history.now)
            self.watch(iteration)
        if hands.ending is None:
            late = loop.out_of_time
            self.over = WorkerStatus.TIMED_OUT if late else WorkerStatus.MAX_STEPS
            raise LimitReached(self.over)
        return done

    def _session(
        self,
        status: WorkerStatus,
        feedback: str,
        evidence: Sequence[CheckResult] = (),
        ruling: Ruling | None = None,
    ) -> WorkerSession:
        seen = next((i.observed for i in reversed(self.iterations) if i.observed), None)
        if status is not WorkerStatus.COMPLETED:
            self.rung("abort", feedback)
            seen = self._last_look() or seen
        return WorkerSession(
            status=status,
            output=self.hands.output if status is WorkerStatus.COMPLETED else None,
            feedback=self.hands.data.scrub(feedback),
            evidence=tuple(evidence),
            ruling=ruling,
            iterations=tuple(self.iterations),
            task_description=self.hands.data.hidden(self.task),
            max_steps=self.max_steps,
            final_dom=seen.outline if seen else None,
            final_screenshot=self.folder / seen.screenshot if seen and seen.screenshot else None,
        )

    def _last_look(self) -> Seen | None:
        """The page that a failed task was left with, if there is still one."""
        try:
            self.hands.tabs.note_troubles()
            observation = self.hands.observe()
            observation.screenshot  # noqa: B018 - reading it takes it
        except (WebtaskError, Error):
            return None
        self.write("last_look", observed=observation.seen.model_dump(mode="json"))
        return observation.seen


POLL = 0.1
"""Seconds between two looks whether the page has changed."""
_T = TypeVar("_T")


def retry_until(
    hands: Hands, timeout: float, ask: Callable[[float], tuple[_T, bool, Seen | None]]
) -> _T:
    """What `ask` answers, once it is content or there is no more to wait for.

    `ask` is given the seconds that are left, and returns its answer, whether that is final, and the
    page that it is about, or None where it has waited itself. It is asked again only where the page
    has changed. After `timeout` seconds it is so once more, if the page changed while it was at it.
    """
    began = time.monotonic()
    last = False
    while True:
        answer, final, page = ask(max(timeout - (time.monotonic() - began), 0.0))
        if final or last or page is None or not wait_for_change(hands, page, began + timeout):
            return answer
        last = time.monotonic() >= began + timeout


def wait_for_change(hands: Hands, page: Seen, until: float) -> bool:
    """Wait until the page is another than it was, or the time is over."""
    while True:
        now = hands.observe()
        if (now.outline, now.url, now.title) != (page.outline, page.url, page.title):
            hands.settler.settle(hands.page)
            return True
        if time.monotonic() >= until:
            # What an outline does not tell, such as a drawing, the picture may.
            now.screenshot  # noqa: B018 - reading it takes it
            return page.screenshot is not None and now.seen.screenshot != page.screenshot
        hands.page.wait_for_timeout(POLL * 1000)
