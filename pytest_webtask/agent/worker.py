"""The worker: sees its task and the page, acts on it, and says when it is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_webtask.agent.loop import describe_iteration
from pytest_webtask.agent.session import Session
from pytest_webtask.errors import UsageError
from pytest_webtask.tools import finish, navigation
from pytest_webtask.tools.finish import TaskReview
from pytest_webtask.tools.orchestration import EDITS
from pytest_webtask.tools.registry import ENDINGS, Tool, Toolbox
from pytest_webtask.types.agent import Iteration, WorkerSession, WorkerStatus

ROLE = "worker"


@dataclass(frozen=True)
class Worker:
    """Does what it is told, in a session.

    It ends only with a value where the session asks for one, unless `answers` is False: then it may
    leave that to the next. `spare` are iterations that it leaves to who judges its work. With `judged`
    a verifier judges its work, so that no referee has to rule on the worker's own word.
    """

    session: Session
    answers: bool = True
    spare: int = 0
    judged: bool = False

    def do(self, task: str, earlier: Sequence[WorkerSession] | None = None) -> WorkerSession:
        """Work on a task; `earlier` are what it is told of, those of the test if not given.

        Raises LimitReached.
        """
        session, hands = self.session, self.session.hands
        hands.evidence, hands.ruling = (), None
        review = TaskReview() if self.judged else session.review(task, len(session.iterations))
        done = session.hold(
            ROLE,
            task,
            worker_tools(session.output, session.more_tools, answers=self.answers, review=review),
            literally=task == session.task,
            spare=self.spare,
            earlier=tuple(session.earlier if earlier is None else earlier),
        )
        end = hands.ending
        assert end is not None, "it would not have come back"
        return WorkerSession(
            status=WorkerStatus.COMPLETED if end.done else WorkerStatus.ABORTED,
            output=hands.output if end.done else None,
            feedback=hands.data.scrub(end.words),
            evidence=hands.evidence,
            ruling=hands.ruling,
            iterations=tuple(done),
            task_description=hands.data.hidden(task),
            max_steps=session.max_steps,
        )


def describe_actions(iterations: Sequence[Iteration]) -> list[str]:
    """What was done on the page, without a word of what anybody thought of it."""
    box = worker_tools()
    lines = []
    at = next((i.observed.url for i in iterations if i.observed), "")
    for iteration in iterations:
        seen = iteration.observed
        if seen is not None and seen.url != at:
            lines.append(f"the page then: {seen.title} {seen.url}")
            at = seen.url
        for call in iteration.calls:
            tool = box.get(call.tool)
            hands_over = call.tool in ENDINGS or call.tool in EDITS
            if not call.success or hands_over or (tool is not None and not tool.acts):
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


def worker_tools(
    output: Any = None,
    more: Sequence[Tool] = (),
    *,
    answers: bool = True,
    review: TaskReview | None = None,
) -> Toolbox:
    """The worker's tools, and a project's own; with an output type also the one that gives it."""
    done = finish.mark_done(review or TaskReview())
    ends: tuple[Tool, ...] = (done, finish.ABORT)
    if output is not None:
        if answers:
            done = finish.needs_output(done)
        ends = (finish.set_output(output), done, finish.ABORT)
    own = (*navigation.NAVIGATION_TOOLS, *navigation.LOOKING_TOOLS, *ends)
    if taken := {tool.name for tool in own} & {tool.name for tool in more}:
        raise UsageError(
            f"webtask_tools: the name {sorted(taken)[0]!r} is one of ours; take another"
        )
    return Toolbox((*own, *more))


_ENDED = {
    WorkerStatus.ABORTED: "given up",
    WorkerStatus.MAX_STEPS: "out of steps",
    WorkerStatus.TIMED_OUT: "out of time",
}


def redo_tools(more: Sequence[Tool] = ()) -> Toolbox:
    """What is needed to do again what was done, and to go on from there."""
    return Toolbox((*navigation.NAVIGATION_TOOLS, *navigation.LOOKING_TOOLS, *more, finish.GOES_ON))


def describe_failure(session: WorkerSession) -> str:
    """How a session ended that was not completed, and what was last done, in some lines."""
    used = "1 iteration" if session.steps_used == 1 else f"{session.steps_used} iterations"
    lines = [f"{_ENDED[session.status]} after {used}"]
    lines += ["  " + line for line in session.feedback.splitlines()]
    # What an abort says is the feedback, which stands above.
    acted = [i for i in session.iterations if [c.tool for c in i.calls] != ["abort"]]
    if acted:
        lines.append("last done:")
    lines += [f"  {i.number}. {describe_iteration(i)[:500]}" for i in acted[-3:]]
    if session.final_screenshot:
        lines.append(f"screenshot: {relative(session.final_screenshot)}")
    return "\n".join(lines)


def relative(path: Path) -> Path:
    """The path as one would type it."""
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path
