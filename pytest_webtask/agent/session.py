"""The session of one task, shared by its roles: page, limits and record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from pytest_webtask.agent.loop import Loop
from pytest_webtask.checks.base import CheckResult
from pytest_webtask.checks.page_history import Mark
from pytest_webtask.data.phrases import counted, raise_limit
from pytest_webtask.errors import UsageError
from pytest_webtask.journal import TaskChanged
from pytest_webtask.journal.schema import first_line
from pytest_webtask.literal import is_literal
from pytest_webtask.llm.role_models import Instructions, RoleModels
from pytest_webtask.tools.context import StepContext
from pytest_webtask.tools.finish import CONTINUES, TaskReview
from pytest_webtask.tools.memory import describe_calls, describe_checks
from pytest_webtask.tools.registry import Tool, Toolbox
from pytest_webtask.tools.results import Ending, Output
from pytest_webtask.types.agent import (
    Cycle,
    EarlierSteps,
    Iteration,
    Ruling,
    Subtask,
    TaskRecord,
    Usage,
    WorkerSession,
    WorkerStatus,
)
from pytest_webtask.types.model import ModelWithTraits
from pytest_webtask.types.step import Step

if TYPE_CHECKING:
    from pytest_webtask.agent.referee import Referee


class LimitReached(Exception):
    """Raised if a task is out of steps or time, and by every later call of a role."""

    def __init__(self, status: WorkerStatus) -> None:
        super().__init__(status.value)
        self.status = status


@dataclass(frozen=True)
class Judgment:
    """A verifier's judgment: the tool it called (`by`), its words, and whether the work is done."""

    by: str
    words: str
    agrees: bool
    evidence: tuple[CheckResult, ...] = ()
    ruling: Ruling | None = None

    @property
    def continues(self) -> bool:
        """True if the worker has to continue the same assignment."""
        return self.by == CONTINUES


@dataclass(frozen=True)
class TaskModels:
    """The models of the roles of one task.

    `worker` does the sentence of the task itself: a recording, the literal interpreter or a model; with
    `only_worker` no other model may be asked. `referee` rules on conclusions, None if there are no rulings.
    """

    roles: RoleModels
    worker: ModelWithTraits
    workflow: str
    referee: Referee | None
    only_worker: bool = False

    def of(self, role: str, *, literally: bool = True) -> ModelWithTraits:
        """Return the model of a role. Raises UsageError if the role needs one and has none.

        With `literally=False`, for sentences of another model, it is never the literal interpreter.
        """
        is_literal = self.roles.is_literal(role)
        if self.only_worker or (role == "worker" and (literally or is_literal)):
            return self.worker
        if is_literal:
            raise UsageError(
                f"the workflow {self.workflow!r} needs a model for its {role}, but none is set: pass"
                " --webtask-model=claude, or workflow='worker'"
            )
        return self.roles.of(role, literally=literally)


@dataclass
class Session:
    """One running `do`, as seen by its workflow.

    `output` is the type of the value that the task asks for, or None; `answer` is that value once it
    is set, until the next action on the page. `past` are the earlier steps of the test. `max_steps` limits
    the iterations of all roles together. `watch` is called with each iteration.
    """

    step: Step
    record: TaskRecord
    models: TaskModels
    context: StepContext
    max_steps: int = 20
    instructions: Instructions = field(default_factory=Instructions)
    tools: Sequence[Tool] = ()
    """The project's own tools for workers."""
    past: EarlierSteps = field(default_factory=EarlierSteps)
    output: Any = None
    watch: Callable[[Iteration], None] | None = None
    iterations: list[Iteration] = field(default_factory=list, init=False)
    parts: list[WorkerSession] = field(default_factory=list, init=False)
    """The work of the workers so far, in order, which the next worker knows."""
    judged: dict[int, WorkerSession] = field(default_factory=dict, init=False)
    """The work that a verifier judged in each round, by the number of the round."""
    marks: list[Mark] = field(default_factory=lambda: [Mark()], init=False)
    """The marks before each iteration, and after the last."""
    loop: Loop | None = field(default=None, init=False)
    """The session of the last role."""
    decisive: Loop | None = field(default=None, init=False)
    """The session of the last role that came to an end with more than an answer."""
    ended: WorkerSession | None = field(default=None, init=False)
    """How the task has ended, None while it runs."""
    answer: Output | None = field(default=None, init=False)
    deviations: list[str] = field(default_factory=list, init=False)
    """The deviations of workers from their assignments."""
    over: WorkerStatus | None = field(default=None, init=False)
    """The limit that ended the task, whatever the workflow returns."""

    def __post_init__(self) -> None:
        """Note the page before the task."""
        if self.past.before is not None:
            self.context.history.note(self.past.before)

    @property
    def task(self) -> str:
        """The sentence of the `do`, with its placeholders."""
        return self.step.sentence

    def is_literal(self) -> bool:
        """Return whether the task is a literal sentence, which needs no plan."""
        return self.models.roles.is_first_literal and is_literal("do", self.task)

    # For workflows

    def change(self, what: str, **fields: Any) -> None:
        """Journal a change of the task's record, then apply it; without fields, a new phase begins.

        Raises UsageError for a field that the record does not have, or a value that is none of it.
        """
        changed = fields or {"phase": what}
        if "phase" in changed:
            changed["phase"] = self.context.data.scrub_all(changed["phase"])
        try:
            record = TaskRecord.model_validate(dict(self.record) | changed)
            event = TaskChanged(change=what, record=record)
        except ValidationError as error:
            raise UsageError(
                f"session.change({what!r}, ...) does not fit the record of the task: {first_line(error)}"
            ) from None
        self.context.write(event)
        self.record = record

    @property
    def in_work(self) -> str:
        """The goal of the subtask in work, "" if none is."""
        number = self.record.current
        return "" if number is None else self.record.subtasks[number - 1].goal

    def break_off(self, status: str, reason: str) -> None:
        """End the record of a task that was not done; a subtask in work was cut off for the `reason`."""
        cut_off = {"status": "cut off", "feedback": self.context.data.scrub(reason)}
        subtasks = _changed(self.record.subtasks, "in work", cut_off)
        self.change("task over", status=status, subtasks=subtasks, current=None)
        self.ended = self.ended or self._session(WorkerStatus(status), reason)

    @property
    def so_far(self) -> WorkerSession:
        """The whole task as it has ended, or as far as it has come."""
        unended = self.loop and self.loop.unended
        session = self.ended or self._session(WorkerStatus.RUNNING, "")
        update = {
            "iterations": tuple(filter(None, [*self.iterations, unended])),
            "reviewing": self.models.referee.usage if self.models.referee else Usage(),
            "task_description": self.step.masked,
        }
        return session.model_copy(update=update)

    def end_part(
        self, task: str, begun: int, status: WorkerStatus, ending: Ending | None = None
    ) -> WorkerSession:
        """Add a worker's part, which later workers know, and its round, which planning roles know.

        It began at the iteration `begun`, and has no `ending` if a limit ended it.
        """
        data, ending = self.context.data, ending or Ending(done=False, words="")
        deviations = tuple(map(data.scrub, ending.deviations))
        self.deviations += deviations
        of_part = {
            "deviations": deviations,
            "iterations": tuple(self.iterations[begun:]),
            "round": len(self.record.history) + 1,
            "task_description": data.hidden(task),
        }
        whole = self._session(status, ending.words, ending.evidence, ending.ruling)
        work = whole.model_copy(update=of_part)
        self.parts.append(work)
        done = {
            "did": describe_calls(work.iterations, data),
            "shown": describe_checks(work.evidence),
        }
        over = self._round(work, work.task_description).model_copy(update=done)
        self.change("work over", history=(*self.record.history, over))
        return work

    def round_of(self, work: WorkerSession, goal: str) -> int:
        """Return the number of the round in which work is judged, a new one if it has none or that is judged."""
        last = len(self.record.history)
        if work.round is None or work.round in self.judged:
            return last + 1
        # More than its own assignment is judged with the work after it.
        return work.round if work.round == last or goal == work.task_description else last + 1

    def rounds_before(self, work: WorkerSession, goal: str) -> tuple[Cycle, ...]:
        """Return the rounds of other work before the round in which work is judged."""
        own = {
            number
            for number, each in self.judged.items()
            if each is work or (each.round is not None and each.round == work.round)
        }
        rounds = enumerate(self.record.history[: self.round_of(work, goal) - 1], 1)
        return tuple(each for number, each in rounds if number not in own)

    def judge_part(self, work: WorkerSession, goal: str, judgment: Judgment) -> None:
        """Add a verifier's judgment to the round of a part; a part that it refutes counts as aborted."""
        number, history = self.round_of(work, goal), self.record.history
        if number > len(history):
            history = (*history, self._round(work, goal))
        over = history[number - 1]
        shown = (*over.shown, *describe_checks(judgment.evidence))
        update = {
            "goal": goal,
            "judged": judgment.by,
            "feedback": judgment.words,
            "shown": tuple(dict.fromkeys(shown)),
        }
        over = over.model_copy(update=update)
        self.change("round judged", history=(*history[: number - 1], over, *history[number:]))
        self.judged[number] = work
        self.parts = [
            _judged(each, judgment) if each.round == work.round else each for each in self.parts
        ]

    def _round(self, work: WorkerSession, goal: str) -> Cycle:
        """Return a round of a worker's part, which no verifier has judged yet."""
        return Cycle(
            subtask=self.record.current,
            goal=goal,
            assignment=work.task_description,
            worked=work.status.value,
            gave_up=work.gave_up,
        )

    def settle(self, judgment: Judgment) -> WorkerSession | None:
        """End the subtask in work with a verifier's judgment; return the task's session if that ends the task.

        What is still planned then is dropped. A subtask that is not done is journaled as calling for a new plan.
        Raises UsageError if none is in work, and for anything but a judgment.
        """
        if not isinstance(judgment, Judgment):
            raise UsageError(
                f"session.settle(...) got a {type(judgment).__name__}: pass the Judgment that"
                " Judge(session, ...).judge(...) returned"
            )
        number, status = self.record.current, "done" if judgment.agrees else "failed"
        if number is None:
            raise UsageError(
                "no subtask is in work: let Planner(session).next() or Scheduler(session).schedule() start one"
            )
        settled = self.record.with_subtask(number, status=status, feedback=judgment.words)
        is_over = judgment.by == "mark_task_complete"
        if is_over:
            settled = _changed(settled, "planned", {"status": "dropped"})
        self.change(f"subtask {status}", subtasks=settled, current=None)
        if is_over:
            return self.completed(judgment.words, judgment.evidence, judgment.ruling)
        if not judgment.agrees:
            self.note_recovery("new plan", judgment.words)
        return None

    def note_recovery(self, action: str, reason: str) -> None:
        """Journal how the task continues after a failure."""
        self.context.note_recovery(action, reason)

    def completed(
        self, feedback: str, evidence: Sequence[CheckResult] = (), ruling: Ruling | None = None
    ) -> WorkerSession:
        """Return the session of a completed task."""
        return self._session(WorkerStatus.COMPLETED, feedback, evidence, ruling)

    def aborted(self, reason: str) -> WorkerSession:
        """Return the session of an aborted task."""
        return self._session(WorkerStatus.ABORTED, reason)

    def ended_as(self, work: WorkerSession) -> WorkerSession:
        """Return the session of a task that ends with the result of this part."""
        whole = self._session(work.status, work.feedback, work.evidence, work.ruling)
        return whole.model_copy(update={"round": work.round})

    def cut(self, status: WorkerStatus) -> WorkerSession:
        """Return the session of a task ended by a limit."""
        limit, option = f"{self.context.time.limit:g} s", "timeout= or --webtask-step-limit"
        if status is WorkerStatus.MAX_STEPS:
            limit, option = counted(self.max_steps, "iteration"), "--webtask-max-steps"
        advice = f"{raise_limit(option)}, or split the task"
        return self._session(status, f"the task was not done within {limit}; {advice}")

    def review(self, task: str, begun: int = 0, *, is_judged: bool = False) -> TaskReview:
        """Return the review of a task, or of a part of it.

        `begun` is the number of iterations before it began, which the review leaves out. With `is_judged`
        the referee leaves its end to a verifier.
        """
        return TaskReview(
            self.models.referee,
            task,
            since=self.marks[begun],
            iterations=self.iterations,
            begun=begun,
            deviations=self.deviations,
            is_judged=is_judged,
        )

    @property
    def by_model(self) -> bool:
        """Return whether a model decides in the last role, unlike a literal sentence or a recording."""
        return self.decisive is not None and self.decisive.model.traits.needs_review

    # For roles

    def hold(
        self,
        role: str,
        task: str,
        tools: Toolbox,
        *,
        literally: bool = False,
        spare: int = 0,
        **more: Any,
    ) -> Ending:
        """Run a role until it ends; return its ending, which is decisive unless the role only answers.

        `spare` is the number of iterations to leave for other roles, `more` are further fields of its
        Loop. Raises LimitReached if the role does not end.
        """
        model = self.models.of(role, literally=literally)
        self.loop = loop = Loop(
            role,
            task,
            max(self.max_steps - spare, 1),
            model,
            tools,
            self.context,
            taken=len(self.iterations),
            instructions=self.instructions.of(role),
            subtask=self.record.current,
            phase=self.record.phase,
            output=self.answer,
            **more,
        )
        # A worker or verifier that breaks off has the last word, too, if its workflow goes on.
        if not loop.prompt:
            self.decisive = loop
        for iteration in loop.run():
            self.iterations.append(iteration)
            self.marks.append(self.context.history.now)
            self.answer = loop.output
            if self.watch:
                self.watch(iteration)
        if loop.ending is None:
            late = loop.out_of_time
            self.over = WorkerStatus.TIMED_OUT if late else WorkerStatus.MAX_STEPS
            raise LimitReached(self.over)
        return loop.ending

    def _session(
        self,
        status: WorkerStatus,
        feedback: str,
        evidence: Sequence[CheckResult] = (),
        ruling: Ruling | None = None,
    ) -> WorkerSession:
        completed = status is WorkerStatus.COMPLETED
        return WorkerSession(
            status=status,
            output=self.answer.value if completed and self.answer else None,
            feedback=self.context.data.scrub(feedback),
            evidence=tuple(evidence),
            deviations=tuple(self.deviations),
            ruling=ruling,
            iterations=tuple(self.iterations),
            task_description=self.step.masked,
            max_steps=self.max_steps,
        )


def _changed(
    subtasks: Sequence[Subtask], status: str, update: dict[str, str]
) -> tuple[Subtask, ...]:
    changed = {status: update}
    return tuple(each.model_copy(update=changed.get(each.status)) for each in subtasks)


def _judged(work: WorkerSession, judgment: Judgment) -> WorkerSession:
    """Return a part with what a verifier has shown of it, aborted if it is refuted."""
    update: dict[str, Any] = {"evidence": (*work.evidence, *judgment.evidence)}
    if not judgment.agrees:
        refuted = f"a verifier found that the task is not done yet: {judgment.words}"
        feedback = " - ".join(filter(None, (work.gave_up, refuted)))
        update |= {"status": WorkerStatus.ABORTED, "feedback": feedback}
    return work.model_copy(update=update)
