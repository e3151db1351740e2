"""Workflows by name, with their planning roles: the order in which roles work on a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pytest_webtask.agent.session import Judgment, Session
from pytest_webtask.agent.verifier import Judge
from pytest_webtask.agent.worker import Worker
from pytest_webtask.agent.workflow_names import path_of
from pytest_webtask.data.import_path import load_callable
from pytest_webtask.errors import UsageError
from pytest_webtask.tools.finish import abort
from pytest_webtask.tools.orchestration import queue_tools, start_subtask
from pytest_webtask.tools.registry import Tool, Toolbox
from pytest_webtask.tools.results import Ending
from pytest_webtask.types.agent import EarlierSteps, WorkerSession, WorkerStatus

if TYPE_CHECKING:
    from pytest_webtask.agent.roles import Role


@runtime_checkable
class Workflow(Protocol):
    """A way to combine roles for a task.

    A workflow keeps no state between tasks. It creates roles from the session, such as
    `Worker(session)`, and lets their LimitReached pass. It may have two attributes: `roles` of its own,
    which may then have a model and instructions by name, and `tools` of its workers, for replays.
    """

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Run the task and return the result of `session.completed(...)` or a similar method."""
        ...


def load_workflow(workflow: str | Workflow) -> Workflow:
    """Return a workflow by its name, or as it is. Raises UsageError if it isn't one, or can't be loaded."""
    loaded: Any = workflow
    if isinstance(workflow, str):
        loaded = load_callable("workflow", path_of(workflow))
    if isinstance(loaded, type) or not isinstance(loaded, Workflow):
        source = f"{workflow} returned" if isinstance(workflow, str) else "the workflow is"
        raise UsageError(
            f"{source} {loaded!r:.100}, which isn't an object with a method execute(task, session);"
            " use one that is"
        )
    return loaded


def name_of(workflow: str | Workflow) -> str:
    """Return the name of a workflow in records and errors: for an object, that of its class."""
    if isinstance(workflow, str):
        return workflow
    return f"{type(workflow).__module__}:{type(workflow).__qualname__}"


def roles_of_workflow(name: str) -> tuple[str, ...]:
    """Return the names of the roles that a workflow declares. Raises UsageError if it is invalid."""
    roles: Sequence[Role[Any]] = getattr(load_workflow(name), "roles", ())
    return tuple(role.name for role in roles)


@dataclass(frozen=True)
class _Planning:
    """A role that plans a task, by default the session's, from its record alone."""

    session: Session
    task: str = ""

    def _hold(self, role: str, *tools: Tool) -> Ending:
        session = self.session
        return session.hold(
            role,
            self.task or session.task,
            Toolbox([*tools, abort]),
            record=lambda: session.record,
            past=EarlierSteps(session.past.steps),
        )


class Planner(_Planning):
    """Plans a task step by step, by default the session's."""

    def next(self) -> Ending:
        """Start the next subtask, or give the task up. Raises LimitReached."""
        session = self.session
        return self._hold("planner", start_subtask(lambda: session.record, session.change))


class Scheduler(_Planning):
    """Plans a task as a queue of subtasks, by default the session's."""

    def schedule(self) -> Ending:
        """Plan the remaining subtasks, or give the task up. Raises LimitReached."""
        session = self.session
        return self._hold("scheduler", *queue_tools(lambda: session.record, session.change))


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
        worker = Worker(session, spare=1, judged=True)
        work, correction = worker.do(task), ""
        if all(i.decided_by != "model" for i in work.iterations):
            # Literal sentences and recordings with evidence that holds leave nothing to judge.
            return session.ended_as(work)
        for _ in range(CORRECTIONS + 1):
            if correction:
                session.note_recovery("correction", correction)
                work = worker.do(correction)
            if work.status is not WorkerStatus.COMPLETED:
                return session.ended_as(work)
            judgment = judge.judge(work, task, began, last=True)
            if judgment.agrees:
                return session.completed(work.feedback, judgment.evidence, judgment.ruling)
            correction = judgment.words
        return session.aborted(f"the verifier does not agree that the task is done: {correction}")


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
        judge = Judge(session, self.judgments, task)
        while (plan := self._plan(session, task)).done:
            assignment, last = self._begin(session, plan)
            judgment = _do_subtask(worker, judge, assignment, last)
            if finished := _settle_subtask(session, judgment):
                return finished
        return session.aborted(plan.words)

    def _plan(self, session: Session, task: str) -> Ending:
        return Planner(session, task).next()

    def _begin(self, _session: Session, plan: Ending) -> tuple[str, bool | None]:
        """Return the goal of the next subtask, and whether nothing is planned after it, None if unknown."""
        return plan.words, None


def _do_subtask(worker: Worker, judge: Judge, assignment: str, last: bool | None) -> Judgment:
    """Do a subtask until the verifier sends nothing back."""
    session, asked = worker.session, assignment
    began = len(session.iterations)
    while True:
        judgment = judge.judge(worker.do(asked), assignment, began, last)
        if not judgment.continues:
            return judgment
        session.note_recovery("correction", judgment.words)
        asked = judgment.words


def _settle_subtask(session: Session, judgment: Judgment) -> WorkerSession | None:
    """End the current subtask with a judgment; return the result if that ends the task."""
    number, status = session.record.current, "done" if judgment.agrees else "failed"
    assert number is not None, "a subtask is in work"
    fields = {"status": status, "feedback": judgment.words}
    _change_subtask(session, f"subtask {status}", number, None, fields)
    if judgment.by == "mark_task_complete":
        return session.completed(judgment.words, judgment.evidence, judgment.ruling)
    if not judgment.agrees:
        session.note_recovery("new plan", judgment.words)
    return None


def _change_subtask(
    session: Session, what: str, number: int, current: int | None, fields: dict[str, Any]
) -> None:
    subtasks = list(session.record.subtasks)
    subtasks[number - 1] = subtasks[number - 1].model_copy(update=fields)
    session.change(what, subtasks=tuple(subtasks), current=current)


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
        subtasks = session.record.subtasks
        number = next(n for n, each in enumerate(subtasks, 1) if each.status == "planned")
        _change_subtask(session, "subtask started", number, number, {"status": "in work"})
        more = any(each.status == "planned" for each in subtasks[number:])
        return subtasks[number - 1].goal, not more
