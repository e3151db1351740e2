"""Workflows, which are found by name, and the roles that plan: who hands over to whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pytest_webtask.agent.session import Session
from pytest_webtask.agent.verifier import Judge, describe_checks, has_output
from pytest_webtask.agent.worker import Worker
from pytest_webtask.errors import UnknownName, UsageError
from pytest_webtask.loading import is_import_path, load_callable
from pytest_webtask.tools.context import Ending
from pytest_webtask.tools.finish import CONTINUES, FAILS, Judgement
from pytest_webtask.tools.orchestration import ABORT, queue_tools, start_subtask
from pytest_webtask.tools.registry import Tool, Toolbox
from pytest_webtask.types.agent import Subtask, WorkerSession, WorkerStatus

if TYPE_CHECKING:
    from pytest_webtask.agent.session import Session
    from pytest_webtask.types.agent import WorkerSession

__all__ = [
    "CORRECTIONS",
    "GROUP",
    "KNOWN",
    "REMEMBERED",
    "Planner",
    "PlannerWorkflow",
    "Scheduler",
    "SchedulerWorkflow",
    "VerifiedWorkflow",
    "WorkerWorkflow",
    "Workflow",
    "check_workflow_name",
    "load_workflow",
    "refuted",
    "settle_subtask",
]


KNOWN = {
    "worker": "pytest_webtask.agent.workflows:WorkerWorkflow",
    "worker-verified": "pytest_webtask.agent.workflows:VerifiedWorkflow",
    "planner": "pytest_webtask.agent.workflows:PlannerWorkflow",
    "scheduler": "pytest_webtask.agent.workflows:SchedulerWorkflow",
}
GROUP = "pytest_webtask.workflows"
"""The entry points by which installed packages name more of them."""


@runtime_checkable
class Workflow(Protocol):
    """How a task is worked at.

    It keeps nothing between tasks; what it needs is in the session: roles are made of it, such as
    `Worker(session)`, and raise LimitReached, which is let through.
    """

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Have the task done; returns what `session.completed(...)` or its like has made."""
        ...


def check_workflow_name(name: str) -> str:
    """The name, if there can be such a workflow. Raises UnknownName."""
    if name in KNOWN or is_import_path(name) or name in _installed():
        return name
    raise UnknownName("workflow", name, [*KNOWN, *_installed(), "package.module:callable"])


def load_workflow(name: str) -> Workflow:
    """The workflow of that name. Raises UsageError where it cannot be loaded, or is none."""
    path = KNOWN.get(name) or _installed().get(check_workflow_name(name), name)
    workflow: Any = load_callable("workflow", path)
    if not isinstance(workflow, Workflow):
        raise UsageError(f"{path} returned {workflow!r:.100}, which has no execute(task, session)")
    return workflow


def _installed() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {each.name: each.value for each in entry_points(group=GROUP)}


@dataclass(frozen=True)
class Planner:
    """Says what comes next, of a task that is planned as it goes."""

    session: Session

    def next(self) -> Ending:
        """Hand over the next subtask, which is then the current one; or give the task up.

        Raises LimitReached.
        """
        return _hold(self.session, "planner", start_subtask(self.session))


@dataclass(frozen=True)
class Scheduler:
    """Keeps the queue of a task's parts."""

    session: Session

    def schedule(self) -> Ending:
        """Plan what is left, so that a subtask is planned; or give the task up.

        Raises LimitReached.
        """
        return _hold(self.session, "scheduler", *queue_tools(self.session))


def _hold(session: Session, role: str, *tools: Tool) -> Ending:
    """Have a role plan, by the record as it is each time; how it ended."""
    session.hold(
        role,
        session.task,
        Toolbox([*tools, ABORT]),
        record=lambda: session.record,
        earlier=session.earlier,
    )
    assert session.hands.ending is not None, "it would not have come back"
    return session.hands.ending


CORRECTIONS = 1
"""How often the verifier may send the worker back."""


class WorkerWorkflow:
    """`worker`: who does the task says when it is done, on evidence that code has checked."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Have it done."""
        return session.ended_as(Worker(session).do(task))


class VerifiedWorkflow:
    """`worker-verified`: a verifier who had no part in it must agree, and may ask for a correction."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Have it done and judged."""
        judge = Judge(session, ("mark_complete", "continue_work"))
        work = Worker(session, spare=1, judged=True).do(task)
        if all(i.model in ("literal", "recording") for i in work.iterations):
            # The sentence itself says all that is done, or the recording whose evidence holds: there
            # is nothing to disagree about.
            return session.ended_as(work)
        for correction in range(CORRECTIONS + 1):
            if work.status is not WorkerStatus.COMPLETED:
                break
            said = judge.judge(work, task, 0, last=True)
            if said.agrees:
                return session.completed(work.feedback, said.evidence, said.ruling)
            if correction == CORRECTIONS:
                return session.aborted(f"the verifier does not agree that it is done: {said.words}")
            session.rung("correction", said.words)
            earlier = [*session.earlier, refuted(work, said.words)]
            work = Worker(session, spare=1, judged=True).do(said.words, earlier)
        return session.ended_as(work)


def refuted(work: WorkerSession, words: str) -> WorkerSession:
    """Work as who does the rest is told of it: that it was done has turned out to be wrong."""
    said = f"a verifier found it not done yet: {words}"
    if work.status is WorkerStatus.ABORTED:
        said = f"{work.feedback} - {said}"
    return work.model_copy(update={"status": WorkerStatus.ABORTED, "feedback": said})


REMEMBERED = 3
"""How many of the last assignments a worker is told of."""


class PlannerWorkflow:
    """Planner → worker → verifier, and from the beginning."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Have it planned, done and judged, one subtask after the other."""
        if session.is_literal():
            return WorkerWorkflow().execute(task, session)
        planner, worker = Planner(session), Worker(session, answers=False, spare=1, judged=True)
        judge = Judge(
            session,
            ("mark_subtask_complete", "mark_subtask_failed", "mark_task_complete"),
            has_output(session, "the planner"),
        )
        done: list[WorkerSession] = []
        while (plan := planner.next()).done:
            began = len(session.iterations)
            work = worker.do(plan.words, [*session.earlier, *done][-REMEMBERED:])
            said = judge.judge(work, plan.words, began)
            failed = said.by in FAILS
            done.append(refuted(work, said.words) if failed else work)
            settle_subtask(session, "failed" if failed else "done", said)
            if said.by == "mark_task_complete":
                return session.completed(said.words, said.evidence, said.ruling)
            if failed:
                session.rung("new plan", said.words)
        return session.aborted(plan.words)


def settle_subtask(session: Session, status: str, said: Judgement) -> None:
    """The current subtask is over, as it was judged."""
    subtasks, at = list(session.record.subtasks), session.record.current
    assert at is not None, "one is in work"
    subtasks[at] = Subtask(
        goal=subtasks[at].goal,
        status=status,  # type: ignore[arg-type]
        feedback=said.words,
        shown=describe_checks(said.evidence),
    )
    session.change(f"subtask {status}", subtasks=tuple(subtasks), current=None)


class SchedulerWorkflow:
    """Scheduler → (worker → verifier) for each subtask of its queue."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Have it scheduled, and each subtask done and judged."""
        if session.is_literal():
            return WorkerWorkflow().execute(task, session)
        scheduler, worker = Scheduler(session), Worker(session, answers=False, spare=1, judged=True)
        done: list[WorkerSession] = []
        while (plan := scheduler.schedule()).done:
            over = self._work_off(session, worker, done)
            if over is not None:
                return over
        return session.aborted(plan.words)

    def _work_off(
        self, session: Session, worker: Worker, done: list[WorkerSession]
    ) -> WorkerSession | None:
        """Do what is planned; the session where the task is done, None where a new plan is needed."""
        while (at := _next(session)) is not None:
            assignment = _begin(session, at)
            last = at == len(session.record.subtasks) - 1
            asked = assignment
            began = len(session.iterations)
            while True:
                work = worker.do(asked, [*session.earlier, *done][-REMEMBERED:])
                said = _judge(session, last).judge(work, assignment, began, last)
                done.append(work if said.agrees else refuted(work, said.words))
                if said.by != CONTINUES:
                    break
                session.rung("correction", said.words)
                asked = said.words
            settle_subtask(session, "done" if said.agrees else "failed", said)
            if not said.agrees:
                session.rung("new plan", said.words)
                return None
            if last:
                return session.completed(said.words, said.evidence, said.ruling)
        raise AssertionError("start_work needs a planned subtask")


def _next(session: Session) -> int | None:
    planned = (n for n, s in enumerate(session.record.subtasks) if s.status == "planned")
    return next(planned, None)


def _begin(session: Session, at: int) -> str:
    """Take a planned subtask into work."""
    subtasks = list(session.record.subtasks)
    subtasks[at] = subtasks[at].model_copy(update={"status": "in work"})
    session.change("subtask started", subtasks=tuple(subtasks), current=at)
    return subtasks[at].goal


def _judge(session: Session, last: bool) -> Judge:
    names = ("mark_complete", "continue_work", "request_reschedule")
    return Judge(session, names, has_output(session, "a worker") if last else lambda: "")
