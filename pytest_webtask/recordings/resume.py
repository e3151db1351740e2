"""A run that broke off: which tests passed, and the steps of the others, done again."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from pytest_webtask.data import REDACTED
from pytest_webtask.errors import Drifted, UsageError
from pytest_webtask.journal import read
from pytest_webtask.page.locator_parser import Unreadable
from pytest_webtask.page.recorded_element import Missing
from pytest_webtask.recordings.healing import NAME, Heal
from pytest_webtask.recordings.recorder import Recorder
from pytest_webtask.recordings.replay import ReplayModel
from pytest_webtask.recordings.schema import Key, RecordedStep, names_in, texts_in
from pytest_webtask.types.agent import Decision, Iteration, ProposedToolCall, TaskRecord, ToolCall

if TYPE_CHECKING:
    from pytest_webtask.llm import Model
    from pytest_webtask.recordings.resolver import CheckRequest, RecordingResolver

    pass
    from pytest_webtask.tools.context import Hands
    from pytest_webtask.types.agent import CheckResult, Turn

__all__ = [
    "BrokenTest",
    "EarlierRun",
    "EarlierTests",
    "GoingOn",
    "Redoing",
    "ResumedTest",
    "read_earlier",
]


PHASES = frozenset(("setup", "call", "teardown"))
_NO_VERDICT = frozenset(("ModelError", "OutOfBudget", "PageError"))
"""Errors that say nothing of the application: a test that they end has broken off."""
_WELL = frozenset(("completed", "passed", "found", "yes", "no"))
Line = Mapping[str, Any]


@dataclass
class EarlierRun:
    """A step as it was journaled: what was asked, what was made of it, and its calls if it broke off.

    `ended` says that it came to a good end, `by` who decided and `calls_of_models` how often a model
    was asked; `record` is that of a planned task. `recorded` says that it was to be written into its
    file, `proposed` that it was found again, which nobody has accepted.
    """

    kind: str
    sentence: str
    ended: bool = False
    made: RecordedStep | None = None
    by: str = ""
    calls: list[ToolCall] = field(default_factory=list)
    record: TaskRecord | None = None
    recorded: bool = False
    proposed: bool = False
    calls_of_models: int = 0

    @property
    def as_ever(self) -> bool:
        """Whether it is done as it was then: by its sentence, by its recording, or with a proposal."""
        stands = self.by == "literal" or (self.by == "recording" and not self.recorded)
        return self.kind == "goto" or (self.ended and (stands or self.proposed))

    @property
    def holds_redacted(self) -> bool:
        """Whether something of it is not known, since the project hides it."""
        done = [self.made] if self.ended else self.calls
        return any(REDACTED in each.model_dump_json() for each in done if each is not None)


@dataclass
class BrokenTest:
    """What a test had done before it broke off, by the name of the webtask and the number of the step."""

    run: str
    steps: dict[tuple[str, int], EarlierRun] = field(default_factory=dict)

    @property
    def impossible(self) -> str:
        """Why it cannot be done again, "" if it can."""
        for before in self.steps.values():
            if before.ended and before.made is None and not before.as_ever:
                said = f"{before.kind}({before.sentence!r})"
                return f"{said} could not be recorded, and so cannot be done again"
            if not before.as_ever and before.holds_redacted:
                return (
                    f"{before.kind}({before.sentence!r}) used what is redacted, which nobody knows"
                )
        return ""


@dataclass
class EarlierTests:
    """A run that is gone on with, and those that it went on with itself.

    `passed` are the tests that need not be run again, `broken` those that broke off.
    """

    run: str
    passed: set[str] = field(default_factory=set)
    broken: dict[str, BrokenTest] = field(default_factory=dict)
    unmerged: list[Path] = field(default_factory=list)
    """Runs that were killed before what their tests have recorded was written."""


def read_earlier(runs: Path, name: str = "") -> EarlierTests:
    """The run of that name, or the last one. Raises UsageError where there is none."""
    names = sorted(each.name for each in runs.iterdir() if each.is_dir()) if runs.is_dir() else []
    if name and name not in names:
        raise UsageError(f"there is no run {name} in {runs}, of which to go on")
    if not names:
        raise UsageError(f"there is no run to go on with: {runs} holds none")
    made = EarlierTests(name or names[-1])
    journals: list[tuple[Path, list[dict[str, Any]]]] = []
    follows = made.run
    while follows in names and all(folder.name != follows for folder, _ in journals):
        lines = list(read(runs / follows))
        journals.insert(0, (runs / follows, lines))
        follows = next((str(line["resumes"]) for line in lines if line.get("resumes")), "")
    for folder, lines in journals:
        if not any(line["kind"] == "run_end" for line in lines):
            made.unmerged.append(folder)
        failed: set[str] = set()
        for (test, _), told in _by_test(lines).items():
            _take_in(made, folder.name, test, told)
            # With `--dist each` a test is run by every process.
            failed |= {test} - made.passed
        made.passed -= failed
    return made


def _by_test(lines: Iterable[Line]) -> dict[tuple[str, str], list[Line]]:
    """The lines of the last attempt of each test in each process."""
    tests: dict[tuple[str, str], list[Line]] = defaultdict(list)
    attempts: dict[tuple[str, str], int] = {}
    for line in lines:
        test, attempt = line.get("test"), line.get("attempt", 1)
        if not isinstance(test, str) or not isinstance(attempt, int):
            continue
        key = (test, str(line.get("writer")))
        if attempt > attempts.get(key, 0):
            attempts[key] = attempt
            tests[key].clear()
        tests[key].append(line)
    return tests


def _take_in(made: EarlierTests, run: str, test: str, lines: Sequence[Line]) -> None:
    phases = {str(line.get("when")): line for line in lines if line["kind"] == "phase"}
    outcomes = {str(line.get("outcome")) for line in phases.values()}
    if "skipped" in outcomes and test in made.passed:
        return
    made.passed.discard(test)
    made.broken.pop(test, None)
    raised = " ".join(str(line.get("raised") or "") for line in phases.values())
    named = {word.rpartition(".")[2] for word in raised.replace(":", " ").split()}
    if phases.keys() >= PHASES and outcomes == {"passed"}:
        made.passed.add(test)
    elif "teardown" not in phases or named & _NO_VERDICT:
        made.broken[test] = BrokenTest(run, _steps(lines))


def _steps(lines: Iterable[Line]) -> dict[tuple[str, int], EarlierRun]:
    steps: dict[tuple[str, int], EarlierRun] = {}
    open_calls: dict[tuple[str, int], list[ToolCall]] = defaultdict(list)
    for line in lines:
        number = line.get("step")
        if not isinstance(number, int):
            continue
        key = (str(line.get("webtask") or ""), number)
        if line["kind"] == "step":
            steps[key] = EarlierRun(str(line.get("step_kind")), str(line.get("sentence")))
        if key in steps:
            # What is there but is not what it ought to be costs nothing but itself.
            with suppress(TypeError, AttributeError, ValueError):
                _read(steps[key], line, open_calls[key])
    for key, calls in open_calls.items():
        # Of the iteration in which it was killed there are only the calls that were over.
        if key in steps:
            steps[key].calls += calls
    return steps


def _read(step: EarlierRun, line: Line, open_calls: list[ToolCall]) -> None:
    if line["kind"] == "decision":
        open_calls.clear()
    elif line["kind"] == "call":
        open_calls += _calls([line])
    elif line["kind"] in ("iteration", "ruling"):
        usage = line.get("usage")
        step.calls_of_models += usage.get("model_calls", 0) if isinstance(usage, dict) else 0
        if line["kind"] == "iteration":
            open_calls.clear()
            step.calls += _calls(line.get("calls") or ())
    elif line["kind"] == "made":
        step.by = str(line.get("by") or "")
        step.recorded = bool(line.get("recorded"))
        try:
            step.made = RecordedStep.model_validate(line.get("made"))
        except ValidationError:
            step.made = None
    elif line["kind"] == "task":
        with suppress(ValidationError):
            record = TaskRecord.model_validate(line.get("record"))
            step.record = record if record.subtasks else None
    elif line["kind"] == "proposal":
        step.proposed = True
    elif line["kind"] == "unrecorded":
        step.made = None
    elif line["kind"] == "step_end":
        step.ended = line.get("status") in _WELL


def _calls(lines: Iterable[Line]) -> list[ToolCall]:
    """Calls as they were journaled, by themselves or within their iteration."""
    calls = []
    for line in lines:
        fields = {k: v for k, v in line.items() if k in ToolCall.model_fields and k != "time"}
        try:
            calls.append(ToolCall.model_validate(fields))
        except ValidationError:
            continue
    return calls


BROKE_OFF = "the run broke off here"


@dataclass
class DoneAgain(ReplayModel):
    """Does a step again that had ended; what is so otherwise now is no failure, but the way lost."""

    def _failed(
        self,
        turn: Turn,
        asked: CheckRequest,
        told: Sequence[CheckResult],
        wrong: Sequence[CheckResult],
    ) -> Decision:
        each = wrong[0]
        there = each.problem or each.actual or "nothing"
        raise Missing(f"{each.about}: {each.expected} was there, and now there is {there}")


@dataclass
class GoingOn(ReplayModel):
    """Makes the calls of a step that broke off, and then lets `model` go on."""

    model: Model | None = None

    def limit(self, steps: int) -> int:
        """What is done again takes nothing from what the model may do."""
        return steps + len(self.step.calls)

    def decide(self, turn: Turn) -> Decision:
        """The next of the calls, or the model's own. Raises Drifted where one cannot be made."""
        assert self.model is not None, "somebody goes on"
        if not self.handed:
            if calls := self._done_before(turn):
                return calls
            self.handed = BROKE_OFF
            self.fallback = self.model
        if turn.observed is None and self.done:
            turn.notices = (
                *turn.notices,
                "This step was begun in a run that broke off. What had been done in it was done again,"
                " as the history tells: go on from here.",
            )
        return self.model.decide(turn)

    def _done_before(self, turn: Turn) -> Decision | None:
        """The next of the calls, None once all are made. Raises Drifted."""
        try:
            return self._calls(turn)
        except (Missing, Unreadable) as error:
            raise Drifted(self.told(str(error), self.healed)) from None


@dataclass
class Redoing(GoingOn):
    """Makes the calls of a planned task that broke off, whose roles then go on by its `record`."""

    record: TaskRecord | None = None

    def limit(self, steps: int) -> int:
        """The turn in which it ends is no step of the task either."""
        return super().limit(steps) + 1

    def decide(self, turn: Turn) -> Decision:
        """The next of the calls, or the end. Raises Drifted where one cannot be made."""
        if calls := self._done_before(turn):
            return calls
        self.handed = BROKE_OFF
        return Decision([ProposedToolCall("goes_on", reason=BROKE_OFF)], model=NAME)


@dataclass
class ResumedTest:
    """The way of one test; `lost` is told why it ends before it is where the test broke off.

    `saved` is told, of each step that is done again, which it is and how often no model is asked.
    """

    broken: BrokenTest
    lost: Callable[[str], None]
    saved: Callable[[tuple[str, int], int], None] = lambda at, calls: None
    off: bool = field(default=False, init=False)

    def replayer(
        self,
        key: Key,
        at: tuple[str, int] | None,
        hands: Hands,
        again: Callable[[], RecordingResolver],
        model: Model | None,
    ) -> ReplayModel | None:
        """Who does a step again, None where it is done as ever. Raises Drifted.

        `at` is the name of its webtask and its number, None for a further page's. `model` goes on
        where the step had not ended.
        """
        before = self.broken.steps.get(at) if at else None
        if self.off or at is None or before is None or before.as_ever:
            return None
        sentence = hands.data.scrub(key.sentence)

        def told(said: str, heals: Sequence[Heal]) -> str:
            return self._told(f"{key.kind}({sentence!r})", hands.data.scrub(said), heals)

        if (before.kind, before.sentence) != (key.kind, sentence):
            was = f"{before.kind}({before.sentence!r})"
            raise Drifted(told(f"in its place there was {was}", ()))

        if before.ended and before.made is not None:
            self.saved(at, before.calls_of_models)
            step = before.made.model_copy(update={"occurrence": key.occurrence})
            return DoneAgain(step, hands, again(), told=told, unkept=before.recorded)
        # From here on the test goes on as ever.
        self.off = True
        if model is None or key.kind != "do" or not (before.calls or before.record):
            return None
        self.saved(at, before.calls_of_models)
        step = self._begun(before, key, hands, again())
        if before.record is not None:
            return Redoing(step, hands, again(), told=told, model=model, record=before.record)
        return GoingOn(step, hands, again(), told=told, model=model)

    def _begun(
        self, before: EarlierRun, key: Key, hands: Hands, again: RecordingResolver
    ) -> RecordedStep:
        """What had been done of a step."""
        names = names_in(texts_in([key.sentence, *(call.parameters for call in before.calls)]))
        used = {n: v for n, v in hands.data.shown.items() if n in names and v is not None}
        done = Iteration(number=1, role="worker", calls=tuple(before.calls), started=0.0, time=0.0)
        made = Recorder(hands, key, again, (), used).made([done])
        # It checks nothing yet, and so is no step that can be replayed.
        return RecordedStep.model_construct(**dict(made))

    def _told(self, step: str, said: str, heals: Sequence[Heal]) -> str:
        lines = [
            f"{step} cannot be done again as in the run {self.broken.run}:",
            f"  {said}",
        ]
        lines += [f"  there is {heal.what} at {heal.new}" for heal in heals]
        told = "\n".join(lines)
        self.lost(told)
        return told
