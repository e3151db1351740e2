"""The runner of tasks: `do` and `steps`, from a workflow to its result."""

from __future__ import annotations

import contextvars
import inspect
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_webtask.agent import workflows
from pytest_webtask.agent.session import LimitReached, Session, TaskModels
from pytest_webtask.agent.worker import describe_failure
from pytest_webtask.agent.workflows import Workflow
from pytest_webtask.errors import TaskFailed, UsageError, WebtaskError
from pytest_webtask.run import options
from pytest_webtask.run.step import StepRunner
from pytest_webtask.tools.context import StepContext
from pytest_webtask.tools.memory import (
    describe_actions,
    describe_calls,
    describe_value,
    feedback_of,
    remembered_facts,
)
from pytest_webtask.tools.project import project_tools
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


@dataclass(frozen=True)
class TaskOptions:
    """The keywords of `Webtask.do`."""

    data: Mapping[str, object] | None = None
    resources: Mapping[str, str | Path] | None = None
    output: Any = None
    max_steps: int | None = None
    timeout: float | None = None
    workflow: str | Workflow | None = None
    persist_context: bool | None = None


class TaskRunner:
    """Runs tasks, each as one step of `runner`."""

    def __init__(self, runner: StepRunner) -> None:
        self._runner = runner
        self.tools = project_tools(runner.config.tools)
        self._generators: list[tuple[str, Generator[Iteration, None, Result]]] = []

    def run(
        self,
        task: str,
        task_options: TaskOptions,
        watch: Callable[[Iteration], None] | None = None,
    ) -> Result:
        """Run a task as one step; `watch` is called after each iteration. Raises TaskFailed."""
        runner = self._runner
        given = task_options.workflow
        settings = options.override(
            runner.settings,
            workflow=given if isinstance(given, str) else None,
            max_steps=task_options.max_steps,
            step_limit=task_options.timeout,
            persist_context=task_options.persist_context,
        )
        chosen = settings.workflow if given is None else given
        limit = settings.max_steps
        name = workflows.name_of(chosen)
        task = runner.scoped(task)
        with runner.step("do", task, task_options.data, settings.step_limit) as step:
            persist = settings.persist_context
            context = runner.context(step, task_options.resources, persist=persist)
            workflow, models, tools = self._workflow(chosen, context)
            runner.look_back(step)
            replayer = runner.recordings.replayer
            if replayer is not None:
                limit = replayer.limit(limit)
            session = Session(
                step,
                TaskRecord(
                    description=step.masked,
                    workflow=name,
                    resources=tuple(context.resources),
                    asks_value=task_options.output is not None,
                ),
                models,
                context,
                runner.write,
                runner.journal.folder,
                limit,
                runner.instructions,
                tools,
                EarlierSteps(context.earlier, before=runner.tracker.before),
                task_options.output,
                watch,
            )
            runner.tracker.task = lambda: session.record
            try:
                ended = done = _execute(workflow, name, session)
                if not settings.deviations:
                    ended = _without_deviations(session, done)
            except BaseException:
                session.close("broken off")
                runner.tracker.remember(calls=describe_calls(session.iterations, context.data))
                raise
            return self._end(step, ended, session, deviates=ended is not done)

    def iterate(self, task: str, task_options: TaskOptions) -> Generator[Iteration, None, Result]:
        """Return a generator that runs a task and waits after each of its iterations."""
        self._runner.begin_test()
        generator = self._paused_runs(task, task_options)
        # Keep the generator, or the garbage collector would decide when a `break` ends the step.
        self._generators.append((task, generator))
        return generator

    def unfinished_steps(self) -> list[str]:
        """End the generators that are still open; return a message for each, and forget them."""
        messages = []
        generators, self._generators = self._generators, []
        for task, generator in generators:
            state = inspect.getgeneratorstate(generator)
            if state == inspect.GEN_CREATED:
                messages.append(
                    f"steps({task!r}) was never iterated, so it did nothing: loop over it, or use do()"
                )
            elif state == inspect.GEN_SUSPENDED:
                messages.append(
                    f"steps({task!r}) was left in the middle: loop to its end, or call its close()"
                )
            try:
                generator.close()
            except Exception as error:
                # An error raised here would skip the teardown of the test.
                messages.append(
                    f"steps({task!r}) was left in the middle and failed when it was closed ({error}): loop"
                    " to its end, or call its close() in the test, to see where that fails"
                )
        return messages

    def _workflow(
        self, chosen: str | Workflow, context: StepContext
    ) -> tuple[Workflow, TaskModels, Sequence[Tool]]:
        """Return the workflow of a task, the models of its roles, and the project's tools."""
        runner, tools, name = self._runner, self.tools, workflows.name_of(chosen)
        worker = runner.decider("worker", context)
        workflow = workflows.load_workflow(chosen)
        if runner.recordings.replayer is not None and name != "worker":
            # A replay needs no plan; what a model does after it is verified.
            tools = project_tools(getattr(workflow, "tools", ()), name, tools)
            name = "worker-verified"
            workflow = workflows.load_workflow(name)
        models = TaskModels(runner.models, runner.recordings, name, worker, runner.referee())
        return workflow, models, tools

    def _end(self, step: Step, ended: WorkerSession, session: Session, *, deviates: bool) -> Result:
        """Journal and record how a task has ended; return its result. Raises TaskFailed."""
        runner, tracker, data = self._runner, self._runner.tracker, session.context.data
        completed = ended.status is WorkerStatus.COMPLETED
        tracker.sessions.append(ended)
        tracker.actions += describe_actions(ended.iterations)
        answer = session.answer if completed and session.output is not None else None
        sources = answer.sources if answer else ()
        tracker.remember(
            calls=describe_calls(ended.iterations, data),
            facts=remembered_facts((*ended.evidence, *sources)),
            value=describe_value(answer.value, data) if answer else "",
        )
        if session.by_model:
            # Only a model has closing words; a recording keeps none.
            tracker.remember(words=ended.feedback)
        feedback = feedback_of(ended, sources, data) if completed else ended.feedback
        result = Result(output=ended.output, feedback=feedback, session=ended)
        cause = None
        if completed:
            runner.recordings.record_task(ended, answer)
        else:
            cause = runner.cause(ended.status.value, ended.iterations, deviates=deviates)
        tracker.end(
            ended.status.value,
            ended.feedback,
            cause=cause,
            evidence=ended.evidence,
            deviations=ended.deviations,
        )
        session.close(ended.status.value)
        if not completed:
            gave_up = ended.status is WorkerStatus.ABORTED
            lines = [
                f"{step.name} {describe_failure(ended)}",
                f"page: {runner.url}",
                *runner.next_step(by_model=gave_up and session.by_model),
            ]
            raise TaskFailed(runner.masking_data.scrub("\n".join(lines)), result)
        return result

    def _paused_runs(
        self, task: str, task_options: TaskOptions
    ) -> Generator[Iteration, None, Result]:
        """Run a task, and wait after each iteration until the next one is asked for."""
        __tracebackhide__ = True
        from greenlet import getcurrent, greenlet

        lock = self._runner.tracker.lock

        def pause(iteration: Iteration) -> None:
            assert work.parent is not None, "it is not the first of its thread"
            lock.paused = True
            try:
                work.parent.switch(iteration)
            finally:
                lock.paused = False

        # A workflow is a plain function, which a generator could not leave in the middle.
        work = greenlet(lambda: self.run(task, task_options, pause))
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
                    work.throw(GeneratorExit)
        self._runner.sign(problem)
        raise problem.with_traceback(None) from problem.__cause__


def _execute(workflow: Workflow, name: str, session: Session) -> WorkerSession:
    """Run a workflow; return its session with the iterations of all roles. Raises UsageError."""
    try:
        ended: Any = workflow.execute(session.task, session)
    except LimitReached as limit:
        ended = session.cut(limit.status)
    if not isinstance(ended, WorkerSession):
        raise UsageError(
            f"the workflow {name!r} returned {ended!r:.100}: return a WorkerSession, such as"
            " session.completed(...)"
        )
    if ended.status is WorkerStatus.COMPLETED:
        if session.over is not None:
            # The workflow has caught LimitReached.
            ended = session.cut(session.over)
        elif problem := _incomplete(session):
            raise UsageError(f"the workflow {name!r} says that the task is done, but {problem}")
    whole = {
        "iterations": tuple(session.iterations),
        "reviewing": session.reviewing,
        "task_description": session.step.masked,
    }
    return session.finish(ended.model_copy(update=whole))


def _without_deviations(session: Session, ended: WorkerSession) -> WorkerSession:
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
    return session.finish(ended.model_copy(update=update))


def _incomplete(session: Session) -> str:
    """Return why a task can't be done, whatever its workflow says; "" if it can."""
    if not session.iterations:
        return (
            "none of its roles did anything. Let a Worker(session) do the task, or return"
            " session.aborted(reason)"
        )
    if not (session.ending and session.ending.done):
        role, ending = session.iterations[-1].role, session.ending
        words = session.context.data.scrub(ending.words) if ending else ""
        how = f"ended with {ending.tool}: {words!r}" if ending else "did not end by itself"
        return (
            f"its last role, the {role}, {how}. Return session.aborted(reason), or"
            " session.ended_as(work) with what Worker(session).do(...) returned"
        )
    if session.by_model and session.context.data.hidden(session.ending.task) != session.step.masked:
        return (
            f"its last role has shown only that {session.ending.task!r} is done. Let a Judge(session, ...)"
            " judge the whole task"
            if session.ending.task
            else "no verifier has judged the work of its last worker. Let a Judge(session, ...) judge it"
        )
    if session.output is not None and session.answer is None:
        return (
            "no worker gave the value that the task asks for. Let a Worker(session, answers=True) do the"
            " part that reads it"
        )
    return ""
