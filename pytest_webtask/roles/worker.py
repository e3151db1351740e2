"""The worker: sees its task and the page, acts on it, and says when it is done."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Error

from pytest_webtask.errors import UsageError, WebtaskError
from pytest_webtask.loop import Brief, Loop, told
from pytest_webtask.models import Model
from pytest_webtask.records import (
    Iteration,
    Observation,
    Seen,
    WorkerSession,
    WorkerStatus,
)
from pytest_webtask.tools import Tool, Toolbox, browser, ending, looking
from pytest_webtask.tools.hands import Hands

ROLE = "worker"


@dataclass(frozen=True)
class Worker:
    """Does one task after another; it keeps nothing between them.

    `write` journals into the run's `folder`, `more_tools` are the project's own, `timeout` is
    how many seconds a task may take, `output` the type that the task's answer must have,
    `before` the page as it was when the task began, if somebody looked.
    """

    model: Model
    hands: Hands
    write: Callable[..., None]
    folder: Path
    instructions: str = ""
    more_tools: Sequence[Tool] = ()
    timeout: float | None = None
    output: Any = None
    before: Seen | None = None

    def do(
        self,
        task: str,
        previous_session: WorkerSession | Sequence[WorkerSession] | None = None,
        max_steps: int = 20,
    ) -> WorkerSession:
        """Work on the task for at most `max_steps` iterations."""
        steps = self.steps(task, previous_session, max_steps)
        while True:
            try:
                next(steps)
            except StopIteration as stop:
                session: WorkerSession = stop.value
                return session

    def steps(
        self,
        task: str,
        previous_session: WorkerSession | Sequence[WorkerSession] | None = None,
        max_steps: int = 20,
    ) -> Generator[Iteration, None, WorkerSession]:
        """`do`, iteration by iteration; the generator returns the session."""
        hands = self.hands
        hands.ending, hands.output, hands.has_output = None, None, False
        hands.began, hands.evidence, hands.sources = self.before, (), ()
        hands.looks = lambda: bool(getattr(self.model, "looks", True))
        earlier = (
            [previous_session] if isinstance(previous_session, WorkerSession) else previous_session
        )
        loop = Loop(
            brief=Brief(
                role=ROLE,
                task=task,
                max_steps=max_steps,
                deadline=None if self.timeout is None else time.monotonic() + self.timeout,
                earlier=tuple(earlier or ()),
                instructions=self.instructions,
            ),
            model=self.model,
            tools=tools(self.output, self.more_tools),
            hands=hands,
            write=self.write,
        )
        done: list[Iteration] = []
        for iteration in loop.run():
            done.append(iteration)
            hands.began = hands.began or iteration.observed
            yield iteration
        return self._session(task, max_steps, done, loop)

    def _session(
        self, task: str, max_steps: int, done: Sequence[Iteration], loop: Loop
    ) -> WorkerSession:
        end = self.hands.ending
        if end is not None:
            status = WorkerStatus.COMPLETED if end.done else WorkerStatus.ABORTED
        else:
            status = WorkerStatus.TIMED_OUT if loop.out_of_time else WorkerStatus.MAX_STEPS
        seen = next((i.observed for i in reversed(done) if i.observed), None)
        if status is not WorkerStatus.COMPLETED:
            seen = self._last_look() or seen
        feedback = (
            end.words
            if end
            else f"the task was not done within {_limit(status, max_steps, self.timeout)}"
        )
        return WorkerSession(
            status=status,
            output=self.hands.output if status is WorkerStatus.COMPLETED else None,
            feedback=self.hands.data.scrub(feedback),
            evidence=self.hands.evidence,
            iterations=tuple(done),
            task_description=task,
            max_steps=max_steps,
            final_dom=seen.outline if seen else None,
            final_screenshot=self.folder / seen.screenshot if seen and seen.screenshot else None,
        )

    def _last_look(self) -> Seen | None:
        """The page that a failed task was left with, if there is still one."""
        try:
            self.hands.tabs.note_troubles()
            observation: Observation = self.hands.observe()
            observation.screenshot  # noqa: B018 - reading it takes it
        except (WebtaskError, Error):
            return None
        self.write("last_look", observed=observation.seen.model_dump(mode="json"))
        return observation.seen


def actions(session: WorkerSession) -> list[str]:
    """What was done in a session, without a word of what its worker thought of it."""
    box = tools()
    lines = []
    for iteration in session.iterations:
        for call in iteration.calls:
            tool = box.get(call.tool)
            if not call.success or (tool is not None and not tool.acts):
                continue
            given = ", ".join(
                f"{k}={v!r}"
                for k, v in call.parameters.items()
                if v is not None and k != "element_id"
            )
            where = call.target.locator if call.target else ""
            lines.append(" ".join(filter(None, (call.tool, where, given))))
        lines += [f"the page: {event.text}" for event in iteration.events]
    return lines


def tools(output: Any = None, more: Sequence[Tool] = ()) -> Toolbox:
    """The worker's tools, and a project's own; with an output type also the one that gives it."""
    ends: tuple[Tool, ...] = (ending.MARK_DONE, ending.ABORT)
    if output is not None:
        done = replace(ending.MARK_DONE, run=ending.marks_done_with_output(ending.mark_done))
        ends = (ending.set_output(output), done, ending.ABORT)
    own = (*browser.TOOLS, *looking.TOOLS, *ends)
    if taken := {tool.name for tool in own} & {tool.name for tool in more}:
        raise UsageError(
            f"webtask_tools: the name {sorted(taken)[0]!r} is one of ours; take another"
        )
    return Toolbox((*own, *more))


def _limit(status: WorkerStatus, max_steps: int, timeout: float | None) -> str:
    return f"{timeout:g} s" if status is WorkerStatus.TIMED_OUT else f"{max_steps} steps"


_ENDED = {
    WorkerStatus.ABORTED: "given up",
    WorkerStatus.MAX_STEPS: "out of steps",
    WorkerStatus.TIMED_OUT: "out of time",
}


def undone(session: WorkerSession) -> str:
    """How a session ended that was not completed, and what was last done, in some lines."""
    used = "1 iteration" if session.steps_used == 1 else f"{session.steps_used} iterations"
    lines = [f"{_ENDED[session.status]} after {used}"]
    lines += ["  " + line for line in session.feedback.splitlines()]
    # What an abort says is the feedback, which stands above.
    acted = [i for i in session.iterations if [c.tool for c in i.calls] != ["abort"]]
    if acted:
        lines.append("last done:")
    lines += [f"  {i.number}. {told(i)[:500]}" for i in acted[-3:]]
    if session.final_screenshot:
        lines.append(f"screenshot: {relative(session.final_screenshot)}")
    return "\n".join(lines)


def relative(path: Path) -> Path:
    """The path as one would type it."""
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path
