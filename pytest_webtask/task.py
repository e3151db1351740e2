"""`do` and `steps`: a task as its workflow has it done, and what is kept of it."""

from __future__ import annotations

import contextvars
import inspect
from collections.abc import Callable, Generator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pytest_webtask import options
from pytest_webtask.agent import workflows
from pytest_webtask.agent.session import LimitReached, Session
from pytest_webtask.agent.worker import describe_actions, describe_failure, redo_tools
from pytest_webtask.agent.workflows import Workflow
from pytest_webtask.errors import TaskFailed, UsageError, WebtaskError
from pytest_webtask.llm import Model
from pytest_webtask.recordings.resume import GoingOn, Redoing
from pytest_webtask.step import StepRunner, fails_at_caller, resource_files
from pytest_webtask.types.agent import Iteration, Result, TaskRecord, WorkerSession, WorkerStatus


class TaskRunner(StepRunner):
    """What a webtask does; see `Webtask` for what it asks."""

    @fails_at_caller
    def do(
        self,
        task: str,
        *,
        data: Mapping[str, object] | None = None,
        resources: Mapping[str, str | Path] | None = None,
        output: Any = None,
        max_steps: int | None = None,
        timeout: float | None = None,
        workflow: str | None = None,
        persist_context: bool = True,
    ) -> Result:
        """Have a task done, such as "log in as {user}".

        `data` and `resources` add to what the fixtures give. `output` is a type or a pydantic
        model that the worker's answer must have; it is then the `output` of the result.
        `max_steps` bounds the iterations, `timeout` the seconds, of this task.
        With `persist_context=False` the worker is told nothing of earlier steps.

        Raises TaskFailed, which carries the same result, where the task was not done.
        """
        return self._work(
            task, data, resources, output, max_steps, timeout, workflow, persist_context
        )

    def steps(self, task: str, **options: Any) -> Generator[Iteration, None, Result]:
        """`do`, one iteration at a time, to watch a task being done; the options are those of `do`.

        A step runs until its generator is exhausted or closed; after a `break`, close it. A test
        that does neither, or never iterates it, has an error.
        """
        inspect.signature(self.do).bind(task, **options)
        self._begin_test()
        steps = self._watched(task, options)
        # Kept, or a `break` might end the step or might not, as references go.
        self._given.append((task, steps))
        return steps

    def _work(
        self,
        task: str,
        data: Mapping[str, object] | None = None,
        resources: Mapping[str, str | Path] | None = None,
        output: Any = None,
        max_steps: int | None = None,
        timeout: float | None = None,
        workflow: str | None = None,
        persist_context: bool = True,
        watch: Callable[[Iteration], None] = lambda iteration: None,
    ) -> Result:
        if not isinstance(task, str) or not task.strip():
            raise UsageError(f"a task is a sentence, got {task!r}")
        name = (
            self._settings.workflow if workflow is None else workflows.check_workflow_name(workflow)
        )
        limit = self._settings.max_steps if max_steps is None else options.parse_count(max_steps)
        seconds = None if timeout is None else options.parse_seconds(timeout)
        with self._step("do", task):
            hands = self._hands
            hands.data = self._data.extended(data or {})
            hands.data.check(task)
            hands.resources = {**self._resources, **resource_files(resources or {})}
            way, model = self._way(name)
            self._look_back()
            replayer = self._keeper.replayer
            if replayer is not None:
                limit = replayer.limit(limit)
            session = Session(
                task,
                TaskRecord(
                    description=hands.data.hidden(task),
                    workflow=name,
                    resources=tuple(hands.resources),
                    asks_value=output is not None,
                ),
                model,
                hands,
                self._write,
                self._journal.folder,
                max_steps=limit,
                timeout=seconds,
                instructions=self._instructions,
                more_tools=self._tools,
                output=output,
                earlier=tuple(self._at.context) if persist_context else (),
                acted=tuple(self._at.actions),
                before=self._at.before,
                is_literal=lambda: self._settings.literal and _is_literal(task),
                watch=watch,
                referee=self._referee(),
            )
            self._at.task = lambda: session.record
            try:
                ended = _executed(way, name, session, replayer)
            except BaseException:
                session.record = session.record.model_copy(update={"status": "broken off"})
                raise
            return self._ended(ended, session, output is not None)

    def _way(self, name: str) -> tuple[Workflow, Callable[..., Model]]:
        """How a task is worked at, and who decides in its roles."""
        decides = self._decider("worker")
        replayer = self._keeper.replayer
        if isinstance(replayer, Redoing):
            decides = self._cast.of("worker")
        elif replayer is not None and name != "worker" and not isinstance(replayer, GoingOn):
            # What was done is done again, whoever planned it; what a model does then is judged.
            name = "worker-verified"

        def model(role: str, *, literally: bool = True) -> Model:
            if self._settings.mode == "replay" or (role == "worker" and literally):
                return decides
            if self._cast.is_literal(role):
                if role == "worker":
                    return decides
                raise UsageError(
                    f"the workflow {name!r} has a {role}, who needs a model, and the model is"
                    " literal: give --webtask-model=claude, or workflow='worker'"
                )
            return self._cast.of(role, literally=literally)

        return workflows.load_workflow(name), model

    def _ended(self, ended: WorkerSession, session: Session, has_output: bool) -> Result:
        """What `do` returns, once it is journaled. Raises TaskFailed."""
        completed = ended.status is WorkerStatus.COMPLETED
        self._at.sessions.append(ended)
        self._at.context.append(ended)
        self._at.actions += describe_actions(ended.iterations)
        result = Result(output=ended.output, feedback=ended.feedback, session=ended)
        if completed:
            self._keeper.worked(ended, has_output)
        shown = [checked.model_dump(mode="json") for checked in ended.evidence]
        self._at.end(ended.status.value, feedback=ended.feedback, evidence=shown)
        session.record = session.record.model_copy(update={"status": ended.status.value})
        if not completed:
            said = f"{self._at.running} was {describe_failure(ended)}\npage: {self._url}"
            raise TaskFailed(self._hands.data.scrub(said), result)
        return result

    def _watched(self, task: str, options: Mapping[str, Any]) -> Generator[Iteration, None, Result]:
        """`_work`, which waits after each iteration until it is asked for the next."""
        __tracebackhide__ = True
        from greenlet import getcurrent, greenlet

        def pause(iteration: Iteration) -> None:
            assert work.parent is not None, "it is not the first of its thread"
            self._at.floor.paused = True
            try:
                work.parent.switch(iteration)
            finally:
                self._at.floor.paused = False

        # A workflow is a plain function, which a generator could not leave in the middle.
        work = greenlet(lambda: self._work(task, watch=pause, **options))
        work.gr_context = contextvars.copy_context()
        try:
            while True:
                work.parent = getcurrent()
                try:
                    told = work.switch()
                except WebtaskError as error:
                    problem = error
                    break
                if work.dead:
                    result: Result = told
                    return result
                yield told
        finally:
            if not work.dead and work:
                work.parent = getcurrent()
                with suppress(GeneratorExit):
                    work.throw(GeneratorExit)
        problem.step = problem.step or self.at
        raise problem.with_traceback(None) from problem.__cause__


def _do_again(again: Redoing, session: Session) -> None:
    """What a run that broke off had done of a planned task, which then goes on by its record."""
    assert again.record is not None, "it was planned"
    session.hold("worker", session.task, redo_tools(session.more_tools), model=again)
    # The part in work was not judged: whoever plans decides what becomes of it.
    subtasks = [
        each.model_copy(update={"status": "failed", "feedback": _UNJUDGED})
        if each.status == "in work"
        else each
        for each in again.record.subtasks
    ]
    told = {"subtasks": tuple(subtasks), "history": again.record.history, "current": None}
    session.change("as before the run broke off", **told)


_UNJUDGED = (
    "the run broke off while it was in work: what had been done of it was done again, so that it may"
    " be done in part"
)


def _executed(
    way: Workflow, name: str, session: Session, again: Model | None = None
) -> WorkerSession:
    """The session that a workflow has made of a task, with all that its roles did."""
    try:
        if isinstance(again, Redoing):
            _do_again(again, session)
        ended: Any = way.execute(session.task, session)
    except LimitReached as limit:
        ended = session.cut(limit.status)
    if not isinstance(ended, WorkerSession):
        raise UsageError(
            f"the workflow {name!r} returned {ended!r:.100}; it must return a WorkerSession, such as"
            " session.completed(...)"
        )
    if ended.status is WorkerStatus.COMPLETED:
        if session.over is not None:
            # It has not let the limit through.
            ended = session.cut(session.over)
        elif not session.iterations:
            raise UsageError(
                f"the workflow {name!r} says that it is done, and no role did anything"
            )
        elif not (session.hands.ending and session.hands.ending.done):
            raise UsageError(
                f"the workflow {name!r} says that it is done, and the last of its roles did not"
            )
        elif session.output is not None and not session.hands.has_output:
            raise UsageError(
                f"the workflow {name!r} says that it is done, and no worker gave the value that the"
                " task asks for"
            )
    told = session.hands.data.hidden(session.task)
    whole = {
        "iterations": tuple(session.iterations),
        "reviewing": session.reviewing,
        "task_description": told,
    }
    made: WorkerSession = ended.model_copy(update=whole)
    return made


def _is_literal(task: str) -> bool:
    """Whether the literal interpreter can read a sentence."""
    from pytest_webtask.literal.grammar import parse_sentence

    try:
        parse_sentence(task)
    except UsageError:
        return False
    return True
