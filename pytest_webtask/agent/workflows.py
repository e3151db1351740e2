"""Workflows by name, with their planning roles: the order in which roles work on a task."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from pytest_webtask.agent.session import Judgment, Session
from pytest_webtask.agent.verifier import Judge
from pytest_webtask.agent.worker import Worker
from pytest_webtask.agent.workflow_names import path_of
from pytest_webtask.data.import_path import load_callable
from pytest_webtask.errors import UsageError
from pytest_webtask.tools.finish import abort
from pytest_webtask.tools.orchestration import queue_tools, start_subtask
from pytest_webtask.tools.project import project_tools
from pytest_webtask.tools.registry import Tool, Toolbox
from pytest_webtask.tools.results import Ending
from pytest_webtask.types.agent import EarlierSteps, WorkerSession, WorkerStatus


@runtime_checkable
class Workflow(Protocol):
    """A way to combine roles for a task.

    A workflow keeps no state between tasks. It creates roles from the session, such as
    `Worker(session)`, and lets their LimitReached pass. Its attribute `tools`, if it has one, lists the
    functions of its workers, for replays; those of inner workflows are found if these are attributes, too.
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


def tools_of(workflow: Workflow, known: Sequence[Tool]) -> Sequence[Tool]:
    """Return `known` tools and those that a workflow and its inner ones list. Raises UsageError.

    Inner ones are among its attributes, at any depth, also in lists, tuples and values of dicts.
    """
    functions: dict[Any, None] = {}
    waiting: list[Any] = [workflow]
    seen: set[int] = set()
    for each in waiting:
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, (list, tuple)):
            waiting += each
        elif isinstance(each, dict):
            waiting += each.values()
        elif isinstance(each, Workflow):
            waiting += _attributes_of(each)
            listed = getattr(each, "tools", ())
            functions |= dict.fromkeys(listed if isinstance(listed, (list, tuple)) else [listed])
    return project_tools([*functions], f"{name_of(workflow)}, tools", known)


def _attributes_of(workflow: Workflow) -> Iterator[Any]:
    """Yield the attributes of a workflow, its slots and its classes; a property is not called."""
    own = getattr(workflow, "__dict__", {})
    for holder in (own, *map(vars, type(workflow).__mro__)):
        for name, value in holder.items():
            if not name.startswith("__"):
                is_slot = inspect.ismemberdescriptor(value)
                yield getattr(workflow, name, None) if is_slot else value


@dataclass(frozen=True)
class _Planning:
    """A role that plans a task, by default the session's, from its record alone."""

    session: Session
    task: str = ""

    def _hold(self, role: str, *tools: Tool) -> Ending:
        session = self.session
        if session.in_work and session.over is None:
            raise UsageError(
                f"the subtask {session.in_work!r} is still in work: call session.settle(judgment) before the"
                f" {role} plans the next one"
            )
        return session.hold(
            role,
            self.task or session.task,
            Toolbox([*tools, abort]),
            record=lambda: session.record,
            sees=False,
            past=EarlierSteps(session.past.steps),
        )


class Planner(_Planning):
    """Plans a task step by step, by default the session's."""

    def next(self) -> Ending:
        """Put the next subtask in work, whose goal are the words, or give the task up. Raises LimitReached."""
        session = self.session
        return self._hold("planner", start_subtask(lambda: session.record, session.change))


class Scheduler(_Planning):
    """Plans a task as a queue of subtasks, by default the session's."""

    def schedule(self) -> Ending:
        """Plan the rest, and put the next subtask in work as `Planner.next` does. Raises LimitReached."""
        session = self.session
        return self._hold("scheduler", *queue_tools(lambda: session.record, session.change))


class WorkerWorkflow:
    """`worker`: the worker ends the task with evidence that is checked by code."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Run the worker."""
        return session.ended_as(Worker(session).do(task))


@dataclass(frozen=True)
class VerifiedWorkflow:
    """`worker-verified`: a verifier judges the work, and may send the worker back `corrections` times."""

    corrections: int = 1

    def __post_init__(self) -> None:
        """Raise UsageError for a number of corrections that no verifier could give."""
        if not isinstance(self.corrections, int) or self.corrections < 0:
            raise UsageError(
                f"VerifiedWorkflow(corrections={self.corrections!r:.80}): pass a whole number, 0 or more"
            )

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Run the worker and the verifier."""
        judge = Judge(session, ("mark_complete", "continue_work"))
        began = 0 if task == session.task else len(session.iterations)
        worker = Worker(session, spare=1, judged=True)
        work, correction = worker.do(task), ""
        if all(i.decided_by != "model" for i in work.iterations):
            # Literal sentences and recordings with evidence that holds leave nothing to judge.
            return session.ended_as(work)
        for _ in range(self.corrections + 1):
            if correction:
                session.note_recovery("correction", correction)
                work = worker.do(correction)
            if work.status is not WorkerStatus.COMPLETED:
                return session.ended_as(work)
            judgment = judge.judge(work, task, began)
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
            judgment = _do_subtask(worker, judge, plan.words)
            if finished := session.settle(judgment):
                return finished
        return session.aborted(plan.words)

    def _plan(self, session: Session, task: str) -> Ending:
        return Planner(session, task).next()


def _do_subtask(worker: Worker, judge: Judge, assignment: str) -> Judgment:
    session, asked = worker.session, assignment
    began = len(session.iterations)
    while True:
        judgment = judge.judge(worker.do(asked), assignment, began)
        if not judgment.continues:
            return judgment
        session.note_recovery("correction", judgment.words)
        asked = judgment.words


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
