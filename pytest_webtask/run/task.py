"""The runner of tasks: `do` and `steps`, from a workflow to its result."""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pytest_webtask.agent.session import LimitReached, Session, TaskModels
from pytest_webtask.agent.worker import describe_failure
from pytest_webtask.agent.workflows import Workflow, load_workflow, name_of, tools_of
from pytest_webtask.errors import TaskFailed, UsageError, WebtaskError
from pytest_webtask.recordings.recorder import Findings
from pytest_webtask.run import options
from pytest_webtask.run.step import StepRunner
from pytest_webtask.tools.context import StepContext
from pytest_webtask.tools.memory import (
    describe_calls,
    describe_value,
    feedback_of,
    remembered_facts,
)
from pytest_webtask.tools.registry import Tool
from pytest_webtask.types.agent import (
    EarlierSteps,
    Iteration,
    Result,
    TaskRecord,
    WorkerSession,
    WorkerStatus,
)
from pytest_webtask.types.step import Step


def run_task(
    runner: StepRunner,
    task: str,
    watch: Callable[[Iteration], None] | None = None,
    *,
    data: Mapping[str, object] | None = None,
    resources: Mapping[str, str | Path] | None = None,
    output: Any = None,
    workflow: str | Workflow | None = None,
    timeout: float | None = None,
    **given: Any,
) -> Result:
    """Run a task as one step, with the options of `Webtask.do`. Raises TaskFailed.

    `watch` is called after each iteration.
    """
    name = workflow if isinstance(workflow, str) else None
    settings = options.override(runner.settings, workflow=name, step_limit=timeout, **given)
    chosen = settings.workflow if workflow is None else workflow
    task = runner.scoped(task)
    with runner.step("do", task, data, settings.step_limit) as step:
        context = runner.context(step, resources, persist=settings.persist_context)
        loaded, models, tools = _workflow(runner, chosen, context)
        runner.look_back(step)
        limit, replayer = settings.max_steps, runner.recordings.replayer
        if replayer is not None:
            limit = replayer.limit(limit)
        session = Session(
            step,
            TaskRecord(
                description=step.masked,
                workflow=name_of(chosen),
                resources=tuple(context.resources),
                asks_value=output is not None,
            ),
            models,
            context,
            limit,
            runner.instructions,
            tools,
            EarlierSteps(context.earlier, before=runner.memory.before),
            output,
            watch,
        )
        runner.memory.done.append(session)
        try:
            ended = done = _execute(loaded, session)
            if not settings.deviations:
                ended = _without_deviations(done)
        except BaseException as error:
            session.break_off(WorkerStatus.BROKEN_OFF.value, str(error) or type(error).__name__)
            calls = describe_calls(session.so_far.iterations, context.data)
            runner.memory.details.update(calls=calls)
            raise
        return _end(runner, step, ended, session, deviates=ended is not done)


def iterate_task(
    runner: StepRunner, task: str, given: Mapping[str, Any]
) -> Generator[Iteration, None, Result]:
    """Return a generator that runs a task and waits after each of its iterations."""
    runner.begin_test()
    generator = _paused_runs(runner, task, given)
    # Keep the generator, or the garbage collector would decide when a `break` ends the step.
    runner.open_tasks.append((task, generator))
    return generator


def _workflow(
    runner: StepRunner, chosen: str | Workflow, context: StepContext
) -> tuple[Workflow, TaskModels, Sequence[Tool]]:
    tools: Sequence[Tool] = runner.tools
    name = name_of(chosen)
    worker = runner.decider("worker", context)
    workflow = load_workflow(chosen)
    if runner.recordings.replayer is not None and name != "worker":
        # A replay needs no plan; what a model does after it is verified.
        tools = tools_of(workflow, tools)
        name = "worker-verified"
        workflow = load_workflow(name)
    only_worker = runner.recordings.only_replays
    models = TaskModels(runner.models, worker, name, runner.referee(), only_worker=only_worker)
    return workflow, models, tools


def _end(
    runner: StepRunner, step: Step, ended: WorkerSession, session: Session, *, deviates: bool
) -> Result:
    """Journal and record how a task has ended; return its result. Raises TaskFailed."""
    session.ended, data = ended, session.context.data
    ended = session.so_far
    completed = ended.status is WorkerStatus.COMPLETED
    answer = session.answer if completed else None
    sources = answer.sources if answer else ()
    runner.memory.details.update(
        calls=describe_calls(ended.iterations, data),
        facts=remembered_facts((*ended.evidence, *sources)),
        value=describe_value(answer.value, data) if answer else "",
    )
    if session.by_model:
        # Only a model has closing words; a recording keeps none.
        runner.memory.details.update(words=ended.feedback)
    cause, picture = None, ""
    if completed:
        session.change("task over", status=ended.status.value)
        found = Findings(
            ended.ruling,
            ended.evidence,
            has_value=answer is not None,
            value=ended.output if answer else None,
            sources=sources,
            deviations=ended.deviations,
        )
        runner.recordings.record(ended.iterations, found)
    else:
        session.note_recovery("abort", ended.feedback)
        session.break_off(ended.status.value, ended.feedback)
        picture = runner.take_picture()
        cause = runner.cause(ended.status.value, ended.iterations, deviates=deviates)
    runner.end(
        ended.status.value,
        ended.feedback,
        cause=cause,
        evidence=ended.evidence,
        deviations=ended.deviations,
    )
    if completed:
        feedback = feedback_of(ended, sources, data)
        return Result(output=ended.output, feedback=feedback, session=ended)
    gave_up = ended.status is WorkerStatus.ABORTED
    lines = [
        f"{step.name} {describe_failure(ended)}",
        *runner.describe_page(picture),
        *runner.next_step(by_model=gave_up and session.by_model),
    ]
    result = Result(output=ended.output, feedback=ended.feedback, session=ended)
    raise TaskFailed(runner.masking_data.scrub("\n".join(lines)), result)


def _paused_runs(
    runner: StepRunner, task: str, given: Mapping[str, Any]
) -> Generator[Iteration, None, Result]:
    """Run a task, and wait after each iteration until the next one is asked for."""
    __tracebackhide__ = True
    from greenlet import getcurrent, greenlet

    host = runner.host

    def pause(iteration: Iteration) -> None:
        assert work.parent is not None, "it is not the first of its thread"
        host.is_between = True
        try:
            work.parent.switch(iteration)
        finally:
            host.is_between = False

    # A workflow is a plain function, which a generator could not leave in the middle.
    work = greenlet(lambda: run_task(runner, task, pause, **given))
    work.gr_context = contextvars.copy_context()
    try:
        while True:
            work.parent = getcurrent()
            try:
                step = work.switch()
            except WebtaskError as error:
                problem = error
                break
            if work.dead:
                result: Result = step
                return result
            yield step
    finally:
        if not work.dead and work:
            work.parent = getcurrent()
            with suppress(GeneratorExit):
                work.throw(GeneratorExit, "the loop over its iterations was left")
    runner.sign(problem)
    raise problem.with_traceback(None) from problem.__cause__


_UNENDED = (WorkerStatus.RUNNING, WorkerStatus.BROKEN_OFF)


def _execute(workflow: Workflow, session: Session) -> WorkerSession:
    """Run a workflow; return its session with the iterations of all roles. Raises UsageError."""
    name = session.record.workflow
    try:
        ended: object = workflow.execute(session.task, session)
    except LimitReached as limit:
        ended = session.cut(limit.status)
    if not isinstance(ended, WorkerSession) or ended.status in _UNENDED:
        raise UsageError(
            f"the workflow {name!r} returned {ended!r:.100}: return a WorkerSession that has ended, such as"
            " session.completed(...)"
        )
    if ended.status is WorkerStatus.COMPLETED:
        if session.over is not None:
            # The workflow has caught LimitReached.
            ended = session.cut(session.over)
        elif problem := _incomplete(session):
            raise UsageError(f"the workflow {name!r} says that the task is done, but {problem}")
    return ended


def _without_deviations(ended: WorkerSession) -> WorkerSession:
    """Return the session of a task, which has failed if it was done with deviations."""
    if ended.status is not WorkerStatus.COMPLETED or not ended.deviations:
        return ended
    listed = "\n".join(f"- {each}" for each in ended.deviations)
    reason = (
        "the task was done otherwise than it is written, which webtask_deviations=fail forbids:\n"
        f"{listed}\nwrite these deviations into the sentence, or allow them for this test:"
        " @pytest.mark.webtask(deviations='allow')"
    )
    update = {"status": WorkerStatus.ABORTED, "feedback": reason, "output": None}
    return ended.model_copy(update=update)


def _incomplete(session: Session) -> str:
    """Return why a task can't be done, whatever its workflow says; "" if it can."""
    last = session.decisive
    ending = last.ending if last else None
    if last is None or ending is None:
        what = (
            f"its last role, the {last.role}, broke off"
            if last
            else "no worker has finished any work"
        )
        return f"{what}. Let a Worker(session) do the task, or return session.aborted(reason)"
    if not ending.done:
        how = f"ended with {ending.tool}: {session.context.data.scrub(ending.words)!r}"
        return (
            f"its last role, the {last.role}, {how}. Return session.aborted(reason), or"
            " session.ended_as(work) with what Worker(session).do(...) returned"
        )
    if session.in_work:
        return (
            f"the subtask {session.in_work!r} is still in work. Call session.settle(judgment) with what"
            " Judge(session, ...).judge(...) returned"
        )
    if session.by_model and session.context.data.hidden(ending.task) != session.step.masked:
        shown = f"only that {ending.task!r} is done" if ending.task else "nothing of the whole task"
        return f"its last role has shown {shown}. Let a Judge(session, ...) judge the whole task"
    if session.output is not None and session.answer is None:
        return (
            "no worker gave the value that the task asks for. Let a Worker(session, answers=True) do the"
            " part that reads it"
        )
    return ""
