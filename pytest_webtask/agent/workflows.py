"""Workflows by name, with their planning roles: the order in which roles work on a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from pytest_webtask.agent.session import Session
from pytest_webtask.agent.verifier import Judge, Judgment, describe_checks, missing_output
from pytest_webtask.agent.worker import Worker
from pytest_webtask.errors import UsageError
from pytest_webtask.import_path import load_callable
from pytest_webtask.options import WORKFLOWS, check_workflow_name, installed_workflows
from pytest_webtask.tools.orchestration import ABORT, queue_tools, start_subtask
from pytest_webtask.tools.registry import Tool, Toolbox
from pytest_webtask.tools.results import Ending
from pytest_webtask.types.agent import EarlierSteps, Subtask, WorkerSession, WorkerStatus

if TYPE_CHECKING:
    from pytest_webtask.agent.roles import Role


@runtime_checkable
class Workflow(Protocol):
    """A way to combine roles for a task.

    A workflow keeps no state between tasks. It creates roles from the session, such as
    `Worker(session)`, and lets their LimitReached pass.
    """

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Run the task and return the result of `session.completed(...)` or a similar method."""
        ...


@runtime_checkable
class WorkflowWithRoles(Workflow, Protocol):
    """A workflow that declares roles of its own, which may then have a model and instructions by name."""

    roles: Sequence[Role[Any]]


def load_workflow(name: str) -> Workflow:
    """Return the workflow of a name. Raises UsageError if it cannot be loaded or is invalid."""
    path = WORKFLOWS.get(name) or installed_workflows().get(check_workflow_name(name), name)
    workflow: Any = load_callable("workflow", path)
    if not isinstance(workflow, Workflow):
        raise UsageError(
            f"{path} returned {workflow!r:.100}, which has no method execute(task, session);"
            " return an object that has one"
        )
    return workflow


def roles_of_workflow(name: str) -> tuple[str, ...]:
    """Return the names of the roles that a workflow declares. Raises UsageError if it is invalid."""
    if name in WORKFLOWS:
        return ()
    workflow = load_workflow(name)
    return tuple(r.name for r in workflow.roles) if isinstance(workflow, WorkflowWithRoles) else ()


@dataclass(frozen=True)
class _Planning:
    """A role that plans a task, by default the session's, from its record alone."""

    session: Session
    task: str = ""

    def _hold(self, role: str, *tools: Tool) -> Ending:
        session = self.session
        session.hold(
            role,
            self.task or session.task,
            Toolbox([*tools, ABORT]),
            record=session.current,
            past=EarlierSteps(session.past.steps),
        )
        assert session.ending is not None, "a session without an ending raises LimitReached"
        return session.ending


class Planner(_Planning):
    """Plans a task step by step, by default the session's."""

    def next(self) -> Ending:
        """Start the next subtask, or give the task up. Raises LimitReached."""
        return self._hold("planner", start_subtask(self.session.current, self.session.change))


class Scheduler(_Planning):
    """Plans a task as a queue of subtasks, by default the session's."""

    def schedule(self) -> Ending:
        """Plan the remaining subtasks, or give the task up. Raises LimitReached."""
        return self._hold("scheduler", *queue_tools(self.session.current, self.session.change))


CORRECTIONS = 1
"""The number of times that a verifier may send the worker back."""


class WorkerWorkflow:
    """`worker`: the worker ends the task with evidence that is checked by code."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Run the worker."""
        return session.ended_as(Worker(session).do(task))


class VerifiedWorkflow:
    """`worker-verified`: a verifier judges the work, and may ask for a correction."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Run the worker and the verifier."""
        judge = Judge(session, ("mark_complete", "continue_work"))
        began = 0 if task == session.task else len(session.iterations)
        work = Worker(session, spare=1, judged=True).do(task)
        if all(i.model in ("literal", "recording") for i in work.iterations):
            # Literal sentences and recordings with evidence that holds leave nothing to judge.
            return session.ended_as(work)
        for correction in range(CORRECTIONS + 1):
            if work.status is not WorkerStatus.COMPLETED:
                judge.note(work, task)
                break
            judgment = judge.judge(work, task, began, last=True)
            if judgment.agrees:
                return session.completed(work.feedback, judgment.evidence, judgment.ruling)
            if correction == CORRECTIONS:
                return session.aborted(
                    f"the verifier does not agree that the task is done: {judgment.words}"
                )
            session.note_recovery("correction", judgment.words)
            refused = refuted(work, judgment.words)
            work = Worker(session, spare=1, judged=True).do(judgment.words, [refused])
        return session.ended_as(work)


def refuted(work: WorkerSession, words: str) -> WorkerSession:
    """Return refuted work as an aborted session, for the history of the next worker."""
    feedback = f"a verifier found that the task is not done yet: {words}"
    if work.status is WorkerStatus.ABORTED:
        feedback = f"{work.feedback} - {feedback}"
    return work.model_copy(update={"status": WorkerStatus.ABORTED, "feedback": feedback})


class PlannerWorkflow:
    """`planner`: planner → worker → verifier, until the task is done."""

    judgments: tuple[str, ...] = (
        "mark_subtask_complete",
        "mark_subtask_failed",
        "mark_task_complete",
    )

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Plan, do and judge one subtask after the other."""
        if session.is_literal():
            return WorkerWorkflow().execute(task, session)
        worker = Worker(session, answers=False, spare=1, judged=True)
        judge = Judge(session, self.judgments, missing_output(session), goal=task)
        done: list[WorkerSession] = []
        while (plan := self._plan(session, task)).done:
            assignment, last = self._begin(session, plan)
            judgment = _do_subtask(worker, judge, done, assignment, last)
            if finished := _settle_subtask(session, judgment):
                return finished
        return session.aborted(plan.words)

    def _plan(self, session: Session, task: str) -> Ending:
        return Planner(session, task).next()

    def _begin(self, _session: Session, plan: Ending) -> tuple[str, bool | None]:
        """Return the goal of the next subtask, and whether nothing is planned after it, None if unknown."""
        return plan.words, None


def _do_subtask(
    worker: Worker, judge: Judge, done: list[WorkerSession], assignment: str, last: bool | None
) -> Judgment:
    """Do a subtask until the verifier sends nothing back; add the work to `done`."""
    session, asked = worker.session, assignment
    began = len(session.iterations)
    while True:
        work = worker.do(asked, done)
        judgment = judge.judge(work, assignment, began, last)
        done.append(work if judgment.agrees else refuted(work, judgment.words))
        if not judgment.continues:
            return judgment
        session.note_recovery("correction", judgment.words)
        asked = judgment.words


def _settle_subtask(session: Session, judgment: Judgment) -> WorkerSession | None:
    """End the current subtask with a judgment; return the result if that ends the task."""
    subtasks, at = list(session.record.subtasks), session.record.current
    assert at is not None, "a subtask is in work"
    status: Literal["done", "failed"] = "done" if judgment.agrees else "failed"
    subtasks[at] = Subtask(
        goal=subtasks[at].goal,
        status=status,
        feedback=judgment.words,
        shown=describe_checks(judgment.evidence),
    )
    session.change(f"subtask {status}", subtasks=tuple(subtasks), current=None)
    if judgment.by == "mark_task_complete":
        return session.completed(judgment.words, judgment.evidence, judgment.ruling)
    if not judgment.agrees:
        session.note_recovery("new plan", judgment.words)
    return None


class SchedulerWorkflow(PlannerWorkflow):
    """`scheduler`: scheduler → worker → verifier, with a queue that is planned ahead.

    The scheduler is asked again after each subtask, unless the verifier has ended the task.
    """

    judgments = (
        "mark_subtask_complete",
        "mark_task_complete",
        "continue_work",
        "request_reschedule",
    )

    def _plan(self, session: Session, task: str) -> Ending:
        return Scheduler(session, task).schedule()

    def _begin(self, session: Session, _plan: Ending) -> tuple[str, bool | None]:
        subtasks = list(session.record.subtasks)
        at = next(n for n, each in enumerate(subtasks) if each.status == "planned")
        subtasks[at] = subtasks[at].model_copy(update={"status": "in work"})
        session.change("subtask started", subtasks=tuple(subtasks), current=at)
        return subtasks[at].goal, at == len(subtasks) - 1
