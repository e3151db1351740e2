"""The worker: acts on the page until its task is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_webtask.agent.loop import describe_iteration
from pytest_webtask.agent.session import LimitReached, Session
from pytest_webtask.data.phrases import counted
from pytest_webtask.tools import finish, navigation
from pytest_webtask.tools.extraction import set_output
from pytest_webtask.tools.finish import TaskReview
from pytest_webtask.tools.memory import as_part
from pytest_webtask.tools.project import project_tools
from pytest_webtask.tools.registry import Tool, Toolbox
from pytest_webtask.types.agent import EarlierSteps, WorkerSession, WorkerStatus

ROLE = "worker"


@dataclass(frozen=True)
class Worker:
    """Does a task within a session.

    If the session asks for a value, the worker has to set it before it ends, unless `answers` is
    False. `spare` is the number of iterations to leave for a verifier. With `judged`, a verifier
    judges the work, so the referee does not rule on the worker's own conclusion. `tools` are functions
    like those of `webtask_tools`, which it may call besides them.
    """

    session: Session
    answers: bool = True
    spare: int = 0
    judged: bool = False
    tools: Sequence[Callable[..., object]] = ()

    def do(self, task: str) -> WorkerSession:
        """Work on a task, or on a part of it, and add that to the parts of the session.

        The worker knows the earlier parts. Raises LimitReached, and UsageError for an unsupported tool.
        """
        session, begun = self.session, len(self.session.iterations)
        earlier = (as_part(each, session.context.data) for each in session.parts)
        try:
            ending = session.hold(
                ROLE,
                task,
                worker_tools(
                    session.output,
                    project_tools(self.tools, "Worker(tools=...)", session.tools),
                    answers=self.answers,
                    review=session.review(task, begun, is_judged=self.judged),
                ),
                round=len(session.record.history) + 1,
                literally=task == session.task,
                spare=self.spare,
                past=EarlierSteps((*session.past.steps, *earlier)),
            )
        except LimitReached as limit:
            session.end_part(task, begun, limit.status)
            raise
        status = WorkerStatus.COMPLETED if ending.done else WorkerStatus.ABORTED
        return session.end_part(task, begun, status, ending)


def worker_tools(
    output: Any = None,
    more: Sequence[Tool] = (),
    *,
    answers: bool = True,
    review: TaskReview | None = None,
) -> Toolbox:
    """Return the worker's and the project's tools, with `set_output` if there is an output type."""
    review = review or TaskReview()
    own = [*navigation.NAVIGATION_TOOLS, *navigation.LOOKING_TOOLS, finish.confirm(review)]
    if output is not None:
        own.append(set_output(output))
    done = finish.mark_done(review, needs_output=answers and output is not None)
    return Toolbox([*own, done, finish.abort, *more])


_ENDED = {
    WorkerStatus.ABORTED: "was given up",
    WorkerStatus.MAX_STEPS: "ran out of steps",
    WorkerStatus.TIMED_OUT: "ran out of time",
}


def describe_failure(session: WorkerSession) -> str:
    """Return how an incomplete session ended, with its last actions, in lines."""
    used = counted(session.steps_used, "iteration")
    lines = [f"{_ENDED[session.status]} after {used}"]
    lines += ["  " + line for line in session.feedback.splitlines()]
    # How the work ended stands above, but not why an end was refused to a model.
    done = [
        f"  {each.number}. {describe_iteration(each)[:500]}"
        for each in session.iterations
        if any(
            call.acts or (each.decided_by == "model" and not call.success) for call in each.calls
        )
    ]
    if done:
        lines += ["last done:", *done[-3:]]
    return "\n".join(lines)
