"""Resume an interrupted run: skip the tests that passed and repeat the steps of the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from pytest_webtask.data import REDACTED
from pytest_webtask.errors import Drifted, UsageError
from pytest_webtask.journal import (
    SUCCESSFUL_STATUSES,
    DecisionMade,
    HealProposed,
    IterationEnded,
    JournalEvent,
    PhaseEnded,
    RulingMade,
    RunEnded,
    RunStarted,
    StepEnded,
    StepStarted,
    StepTraced,
    StepUnrecorded,
    TaskChanged,
    ToolCalled,
    has_passed,
    is_alive,
    read,
)
from pytest_webtask.page.locator_parser import Unreadable
from pytest_webtask.page.recorded_element import Missing
from pytest_webtask.recordings.healing import Healer
from pytest_webtask.recordings.progress import NAME, Drift, ReplayProgress
from pytest_webtask.recordings.recorder import Recorder
from pytest_webtask.recordings.replay import CallReplay, Replayer, ReplayModel
from pytest_webtask.recordings.schema import Key, RecordedStep, names_in, texts_in
from pytest_webtask.types.agent import Decision, Iteration, ProposedToolCall, TaskRecord, ToolCall
from pytest_webtask.types.step import step_name

if TYPE_CHECKING:
    from pytest_webtask.recordings.resolver import RecordingResolver
    from pytest_webtask.types.agent import Turn
    from pytest_webtask.types.model import ModelTraits, ModelWithTraits

__all__ = [
    "BrokenTest",
    "EarlierRun",
    "EarlierTests",
    "GoingOn",
    "Redoing",
    "ResumedTest",
    "read_earlier",
]


_NO_VERDICT = frozenset(("ModelError", "OutOfBudget", "PageError"))
"""Errors unrelated to the application: a test that they end counts as interrupted."""


@dataclass
class EarlierRun:
    """A step of the earlier run, as read from the events of its journal.

    `ended` means that the step ended successfully; `by` is the kind of decider. `trace` is its
    recordable form, and `calls` are its tool calls. `record` is the progress of a planned task.
    `recorded` means that the step was to be written to its file, `proposed` that it has a heal
    which was not accepted.
    """

    kind: str
    sentence: str
    ended: bool = field(default=False, init=False)
    trace: RecordedStep | None = field(default=None, init=False)
    by: str = field(default="", init=False)
    calls: list[ToolCall] = field(default_factory=list, init=False)
    record: TaskRecord | None = field(default=None, init=False)
    recorded: bool = field(default=False, init=False)
    proposed: bool = field(default=False, init=False)
    model_calls: int = field(default=0, init=False)
    open_calls: list[ToolCall] = field(default_factory=list, init=False)
    """The completed calls of an unfinished iteration."""

    def add(self, event: JournalEvent) -> None:
        """Add an event of the step. Calls that are only partly readable are never repeated."""
        match event:
            case DecisionMade():
                self.open_calls.clear()
            case ToolCalled(unreadable=()):
                self.open_calls.append(event.call)
            case IterationEnded():
                self.model_calls += event.iteration.usage.model_calls
                self.open_calls.clear()
                self.calls += _readable_calls(event)
            case RulingMade():
                self.model_calls += event.iteration.usage.model_calls
            case StepTraced():
                self.by, self.recorded = event.decided_by, bool(event.mode)
                self.trace = _recorded_step(event)
            case StepUnrecorded():
                self.trace = None
            case HealProposed():
                self.proposed = True
            case TaskChanged(unreadable=()):
                self.record = event.record if event.record.subtasks else None
            case StepEnded():
                self.ended = event.status in SUCCESSFUL_STATUSES

    @property
    def runs_normally(self) -> bool:
        """True if a normal run needs no model either: a literal, replayed or healed step, or goto."""
        repeatable = self.by == "literal" or (self.by == "recording" and not self.recorded)
        return self.kind == "goto" or (self.ended and (repeatable or self.proposed))

    @property
    def holds_redacted(self) -> bool:
        """True if a value of the step was redacted in the journal."""
        done = [self.trace] if self.ended else self.calls
        return any(REDACTED in each.model_dump_json() for each in done if each is not None)


def _readable_calls(event: IterationEnded) -> list[ToolCall]:
    parts = [part.split(".") for part in event.unreadable]
    if any(part[:2] == ["iteration", "calls"] for part in parts):
        return []
    return list(event.iteration.calls)


def _recorded_step(event: StepTraced) -> RecordedStep | None:
    try:
        return RecordedStep.of(event.trace) if event.trace else None
    except ValidationError:
        return None


@dataclass
class BrokenTest:
    """The steps of an interrupted test, by webtask name and step number."""

    run: str
    steps: dict[tuple[str, int], EarlierRun] = field(default_factory=dict)

    @property
    def impossible(self) -> str:
        """The reason why the test cannot be resumed, or "" if it can."""
        for before in self.steps.values():
            if before.runs_normally:
                continue
            name = f"{before.kind}({before.sentence!r})"
            if before.ended and before.trace is None:
                return f"{name} could not be recorded, so it can't be repeated"
            if before.holds_redacted:
                return f"{name} used a redacted value, so it can't be repeated"
        return ""


@dataclass
class EarlierTests:
    """The tests of an interrupted run and of the runs that it resumed itself.

    Tests that `passed` are skipped; `broken` are those that were interrupted.
    """

    run: str
    passed: set[str] = field(default_factory=set)
    broken: dict[str, BrokenTest] = field(default_factory=dict)
    unmerged: list[Path] = field(default_factory=list)
    """Runs that were killed before their recordings were written."""


def read_earlier(runs: Path, name: str = "") -> EarlierTests:
    """Return the tests of the named run, or of the last one that has ended.

    Raises UsageError if there is none.
    """
    names = sorted(each.name for each in runs.iterdir() if each.is_dir()) if runs.is_dir() else []
    if name and name not in names:
        raise UsageError(f"can't resume: there is no run {name} in {runs}")
    if not names:
        raise UsageError(
            f"can't resume: there is no run in {runs}; run the tests without --webtask-resume"
        )
    ended = [each for each in names if not is_alive(runs / each)] if not name else [name]
    if not ended:
        raise UsageError(f"can't resume: {names[-1]} is still running")
    earlier = EarlierTests(ended[-1])
    journals: list[tuple[Path, list[JournalEvent]]] = []
    follows = earlier.run
    while follows in names and all(folder.name != follows for folder, _ in journals):
        events = list(read(runs / follows))
        journals.insert(0, (runs / follows, events))
        started = (event for event in events if isinstance(event, RunStarted))
        follows = next((event.resumes for event in started if event.resumes), "")
    for folder, events in journals:
        if not any(isinstance(event, RunEnded) for event in events):
            earlier.unmerged.append(folder)
        failed: set[str] = set()
        for (test, _), own in _by_test(events).items():
            _add_test(earlier, folder.name, test, own)
            # With `--dist each`, every process runs each test.
            failed |= {test} - earlier.passed
        earlier.passed -= failed
    return earlier


def _by_test(events: Iterable[JournalEvent]) -> dict[tuple[str, str], list[JournalEvent]]:
    """Return the events of the last attempt of each test in each process."""
    tests: dict[tuple[str, str], list[JournalEvent]] = defaultdict(list)
    attempts: dict[tuple[str, str], int] = {}
    for event in events:
        if not event.test or {"test", "attempt"} & {*event.unreadable}:
            continue
        key = (event.test, event.writer)
        if event.attempt > attempts.get(key, 0):
            attempts[key] = event.attempt
            tests[key].clear()
        tests[key].append(event)
    return tests


def _add_test(earlier: EarlierTests, run: str, test: str, events: Sequence[JournalEvent]) -> None:
    phases = {event.phase: event for event in events if isinstance(event, PhaseEnded)}
    outcomes = {when: event.outcome for when, event in phases.items()}
    if "skipped" in outcomes.values() and test in earlier.passed:
        return
    earlier.passed.discard(test)
    earlier.broken.pop(test, None)
    errors = " ".join(event.errors for event in phases.values())
    names = {word.rpartition(".")[2] for word in errors.replace(":", " ").split()}
    if has_passed(outcomes):
        earlier.passed.add(test)
    elif "teardown" not in phases or names & _NO_VERDICT:
        earlier.broken[test] = BrokenTest(run, _steps(events))


def _steps(events: Iterable[JournalEvent]) -> dict[tuple[str, int], EarlierRun]:
    steps: dict[tuple[str, int], EarlierRun] = {}
    for event in events:
        key = (event.webtask, event.step)
        if isinstance(event, StepStarted) and event.step:
            steps[key] = EarlierRun(event.step_kind, event.sentence)
        elif key in steps:
            steps[key].add(event)
    for step in steps.values():
        # Only completed calls are known of the iteration in which the run was killed.
        step.calls += step.open_calls
    return steps


BROKE_OFF = "the run was interrupted here"


@dataclass
class GoingOn:
    """Repeats the calls of an interrupted step, then lets `model` continue."""

    calls: CallReplay
    model: ModelWithTraits

    @property
    def progress(self) -> ReplayProgress:
        """Return the progress of the repetition."""
        return self.calls.progress

    @property
    def traits(self) -> ModelTraits:
        """Return the traits of a recording until the model continues."""
        return self.calls.traits(self.model)

    def limit(self, steps: int) -> int:
        """Return the limit of iterations, not counting the repeated calls."""
        return steps + len(self.progress.step.calls)

    def decide(self, turn: Turn) -> Decision:
        """Return the next repeated call, then the model's decisions. Raises Drifted."""
        progress = self.progress
        if not progress.handed_over:
            if call := _earlier_call(self.calls, turn):
                return call
            progress.handed_over = BROKE_OFF
        if turn.observed is None and progress.done:
            turn.notices = (
                *turn.notices,
                "This step was begun in a run that was interrupted. Its earlier calls were repeated,"
                " as the history shows: continue from here.",
            )
        return self.model.decide(turn)


@dataclass
class Redoing:
    """Repeats the calls of an interrupted planned task, which then continues by its `record`."""

    calls: CallReplay
    record: TaskRecord

    @property
    def progress(self) -> ReplayProgress:
        """Return the progress of the repetition."""
        return self.calls.progress

    @property
    def traits(self) -> ModelTraits:
        """Return the traits of a recording until its last call."""
        return self.calls.traits(None)

    def limit(self, steps: int) -> int:
        """Return the limit of iterations, not counting the repeated calls and `goes_on`."""
        return steps + len(self.progress.step.calls) + 1

    def decide(self, turn: Turn) -> Decision:
        """Return the next repeated call, or `goes_on` after the last. Raises Drifted."""
        if call := _earlier_call(self.calls, turn):
            return call
        self.progress.handed_over = BROKE_OFF
        return Decision([ProposedToolCall("goes_on", reason=BROKE_OFF)], model=NAME)


def _earlier_call(calls: CallReplay, turn: Turn) -> Decision | None:
    """Return the next call to repeat, or None after the last. Raises Drifted."""
    try:
        return calls.next(turn)
    except (Missing, Unreadable) as error:
        raise calls.drift(error) from None


@dataclass
class ResumedTest:
    """The resumption of one interrupted test.

    `lost` is called with the reason if the test cannot be brought back to where it was interrupted,
    `on_repeat` with each repeated step and the number of model calls that this saves.
    """

    broken: BrokenTest
    lost: Callable[[str], None]
    on_repeat: Callable[[tuple[str, int], int], None] | None = None
    off: bool = field(default=False, init=False)

    def replayer(
        self,
        key: Key,
        at: tuple[str, int] | None,
        resolver: RecordingResolver,
        model: ModelWithTraits | None,
    ) -> Replayer | None:
        """Return the model that repeats a step, or None if it runs normally. Raises Drifted.

        `at` is the name of its webtask and its number, None for a step on another page. `model`
        continues a step that had not ended.
        """
        before = self.broken.steps.get(at) if at else None
        if self.off or at is None or before is None or before.runs_normally:
            return None
        data = resolver.context.data
        name = step_name(key.kind, data.scrub(key.sentence))

        def describe_drift(drift: Drift) -> str:
            return data.scrub(self._describe_drift(name, drift))

        if step_name(before.kind, before.sentence) != name:
            was = step_name(before.kind, before.sentence)
            raise Drifted(describe_drift(Drift(f"the interrupted run had {was} in its place")))

        if before.ended and before.trace is not None:
            self._report(at, before)
            step = before.trace.model_copy(update={"occurrence": key.occurrence})
            progress = ReplayProgress(step, unsaved=before.recorded)
            # A mismatch means that the resume failed, not the test.
            return ReplayModel(progress, resolver, describe_drift, strict=True)
        # From here on the test runs normally.
        self.off = True
        if model is None or key.kind != "do" or not (before.calls or before.record):
            return None
        self._report(at, before)
        progress = ReplayProgress(_begun(before, key, resolver), unsaved=True)
        calls = CallReplay(progress, resolver, Healer(progress, resolver), describe_drift)
        return GoingOn(calls, model) if before.record is None else Redoing(calls, before.record)

    def _report(self, at: tuple[str, int], before: EarlierRun) -> None:
        if self.on_repeat:
            self.on_repeat(at, before.model_calls)

    def _describe_drift(self, step: str, drift: Drift) -> str:
        lines = [
            f"{step} can't be repeated as in the run {self.broken.run}:",
            f"  {drift.problem}",
            *(f"  {line}" for line in drift.details),
        ]
        lines += [f"  {heal.what} is now at {heal.new}" for heal in drift.heals]
        message = "\n".join(lines)
        self.lost(message)
        return message


def _begun(before: EarlierRun, key: Key, resolver: RecordingResolver) -> RecordedStep:
    """Return the completed part of an interrupted step."""
    context = resolver.context
    names = names_in(texts_in([key.sentence, *(call.parameters for call in before.calls)]))
    used = {n: v for n, v in context.data.shown.items() if n in names and v is not None}
    done = Iteration(number=1, role="worker", calls=tuple(before.calls), started=0.0, time=0.0)
    trace = Recorder(context, key, resolver, (), used).made([done])
    # Without a check it would fail the validation of a recorded step.
    return RecordedStep.model_construct(**dict(trace))
