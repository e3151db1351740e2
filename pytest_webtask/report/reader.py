"""Read the tests of a report from journals, one at a time to limit memory."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatchmethod
from pathlib import Path
from typing import Any

from pytest_webtask.agent.memory import describe_target
from pytest_webtask.checks.base import CheckResult
from pytest_webtask.journal import (
    PHASES,
    SUCCESSFUL_STATUSES,
    ConfirmationBegun,
    Damaged,
    DecisionMade,
    DraftReplayed,
    ExtractionEnded,
    FailureObserved,
    HealProposed,
    IterationEnded,
    JournalEvent,
    PageEvent,
    PhaseEnded,
    ProposedCall,
    RecordingHint,
    Recovery,
    RulingMade,
    StepEnded,
    StepPictured,
    StepStarted,
    StepTimed,
    StepTraced,
    StepUnrecorded,
    TaskChanged,
    ToolCalled,
    VerdictReached,
    read_at,
    read_file,
)
from pytest_webtask.report.text import first_problem
from pytest_webtask.report.view import (
    Attempt,
    Call,
    Check,
    Cost,
    Event,
    Heal,
    Iteration,
    Pictures,
    RecoveryStep,
    Spot,
    Step,
    Test,
)
from pytest_webtask.types import agent
from pytest_webtask.types import page as types_page
from pytest_webtask.types.page import Target


@dataclass
class Index:
    """The file offsets of each test's events in the journals of some runs."""

    runs: list[str] = field(default_factory=list)
    damaged: int = 0
    started: float = 0.0
    ended: float = 0.0
    _places: dict[str, dict[tuple[Path, int], list[int]]] = field(default_factory=dict)

    @property
    def tests(self) -> list[str]:
        """The ids of the tests, in the order in which they started."""
        return list(self._places)

    def attempts(self, test: str) -> Iterator[tuple[Path, Iterator[JournalEvent]]]:
        """Yield the folder of the run and the events of each attempt of a test."""
        for (path, _), offsets in self._places[test].items():
            yield path.parent, read_at(path, offsets)


def index_journals(folders: Sequence[Path]) -> Index:
    """Return the index of the journals of these runs; damaged lines are only counted."""
    index = Index(runs=[folder.name for folder in folders])
    places: dict[str, dict[tuple[Path, int], list[int]]] = defaultdict(lambda: defaultdict(list))
    # The first line of an attempt counts as its start, even if the clock was set back later.
    starts: dict[tuple[str, Path, int], float] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("*.jsonl"))):
        for offset, event in read_file(path):
            if isinstance(event, Damaged):
                index.damaged += 1
                continue
            index.started = min(index.started or event.time, event.time)
            index.ended = max(index.ended, event.time)
            if event.test:
                starts.setdefault((event.test, path, event.attempt), event.time)
                places[event.test][path, event.attempt].append(offset)
    for test, path, attempt in sorted(starts, key=lambda key: starts[key]):
        index._places.setdefault(test, {})[path, attempt] = places[test][path, attempt]
    return index


REFEREE = "referee"
_UNDECIDED = ("recording", "literal")
"""The `model` of iterations that called no model."""
_RANKS = (
    "failed", "error", "never ended", "flaky", "xpassed", "passed", "xfailed", "skipped",
)  # fmt: skip


def read_test(index: Index, test: str, pictures: Pictures) -> Test:
    """Return a test from the journals, and copy its pictures into the report."""
    attempts = [
        _attempt(run, number, events, pictures)
        for number, (run, events) in enumerate(index.attempts(test), 1)
    ]
    second = next((each for each in reversed(attempts) if each.confirms), None)
    attempts = [each for each in attempts if not each.confirms]
    record = Test(id=test, attempts=attempts, second_run=second)
    record.started = min((a.started for a in attempts), default=0.0)
    record.outcome = _outcome(attempts)
    for attempt in attempts:
        record.seconds += attempt.seconds
        for step in attempt.steps:
            record.cost.add(step.cost)
            record.healed += any(heal.used for heal in step.heals)
            record.deviated += bool(step.deviations)
            if step.decided:
                record.decided[step.decided] = record.decided.get(step.decided, 0) + 1
    record.wrong = first_problem(record)
    return record


def _outcome(attempts: Sequence[Attempt]) -> str:
    """Return the worst outcome of all runs, which may be from different machines of a matrix."""
    runs: dict[str, list[str]] = {}
    for attempt in attempts:
        runs.setdefault(attempt.run, []).append(attempt.outcome)
    outcomes = [
        "flaky" if last == "passed" and set(before) & {"failed", "error"} else last
        for *before, last in runs.values()
    ]
    return min(outcomes, key=_RANKS.index, default="never ended")


def _attempt(run: Path, number: int, events: Iterable[JournalEvent], pictures: Pictures) -> Attempt:
    attempt = Attempt(number=number, run=run.name)
    steps: dict[tuple[str, int], _StepReader] = {}
    phases: dict[str, PhaseEnded] = {}
    last = 0.0
    for event in events:
        attempt.started = attempt.started or event.time
        last = event.time
        key = (event.webtask, event.step)
        if isinstance(event, ConfirmationBegun):
            attempt.confirms = True
        elif isinstance(event, PhaseEnded):
            phases[event.phase] = event
        elif isinstance(event, StepStarted):
            steps[key] = _StepReader(event, run, pictures)
        elif key in steps:
            steps[key].add(event)
    attempt.steps = [reader.end() for reader in steps.values()]
    attempt.outcome = _of_phases(phases)
    times = sum(_finite(phase.seconds) for phase in phases.values())
    attempt.seconds = times if "teardown" in phases else max(last - attempt.started, times)
    ordered = [phases[when] for when in PHASES if when in phases]
    attempt.message = "\n\n".join(phase.message for phase in ordered if phase.message)
    attempt.raised = "\n".join(phase.errors for phase in ordered if phase.errors)
    attempt.blamed = [step for phase in phases.values() for step in phase.failed_steps]
    attempt.artifacts = [
        each.model_copy(update={"path": pictures.link(each.path)})
        for phase in phases.values()
        for each in phase.artifacts
    ]
    return attempt


def _of_phases(phases: Mapping[str, PhaseEnded]) -> str:
    if "teardown" not in phases:
        return "never ended"
    outcomes = {when: phase.outcome for when, phase in phases.items()}
    if outcomes.get("call") == "failed":
        return "failed"
    if "failed" in outcomes.values():
        return "error"
    expected = any(phase.expected_failure is not None for phase in phases.values())
    if "skipped" in outcomes.values():
        return "xfailed" if expected else "skipped"
    return "xpassed" if expected else "passed"


class _StepReader:
    """Builds a step from its events."""

    def __init__(self, event: StepStarted, run: Path, pictures: Pictures) -> None:
        self._run = run
        self._pictures = pictures
        self._open: Iteration | None = None
        self._rulings: list[Iteration] = []
        self._decided_by = ""
        self.step = Step(
            number=event.step,
            webtask=event.webtask,
            kind=event.step_kind,
            sentence=event.sentence,
            started=event.time,
        )
        self._last = event.time

    def add(self, event: JournalEvent) -> None:
        """Add an event of the step."""
        self._last = event.time
        self._add(event)

    def end(self) -> Step:
        """Return the step, which need not have ended."""
        step = self.step
        if self._open is not None:
            step.iterations.append(self._open)
        step.iterations += self._rulings
        step.seconds = step.seconds or self._last - step.started
        step.ok = step.status in SUCCESSFUL_STATUSES
        if any(check.fact for check in step.evidence):
            # The evidence shows the same facts.
            step.reason = step.reason.partition("\nfacts:\n")[0]
        rulings = [i.ruling for i in step.iterations if i.ruling]
        if step.ruling is None:
            step.ruling = next((r for r in reversed(rulings) if r.proves == step.ok), None)
        step.decided = self._decided()
        return step

    def _decided(self) -> str:
        step = self.step
        if any(heal.used for heal in step.heals):
            return "healed"
        if any(
            i.cost.model_calls or i.model.lower() not in _UNDECIDED
            for i in step.iterations
            if i.role != REFEREE
        ):
            return "model"
        replayed = any(i.model == "recording" for i in step.iterations)
        if replayed or self._decided_by == "recording":
            return "replayed"
        if step.iterations:
            return "literal"
        return "replayed" if step.status == "drifted" else ""

    @singledispatchmethod
    def _add(self, event: JournalEvent) -> None:
        """Ignore events of other kinds."""

    @_add.register
    def _(self, event: DecisionMade) -> None:
        # Proposed calls are shown if the process is killed before they are done.
        calls = [self._read_call(each) for each in event.calls]
        self._open = Iteration(
            number=event.number, reasoning=event.reasoning, calls=calls, ended=False
        )

    @_add.register
    def _(self, event: ToolCalled) -> None:
        if self._open is not None:
            undone = next((n for n, c in enumerate(self._open.calls) if c.success is None), None)
            if undone is not None:
                self._open.calls[undone] = self._read_call(event.call)

    @_add.register
    def _(self, event: PageEvent) -> None:
        (self._open.events if self._open is not None else self.step.events).append(event.event)

    @_add.register
    def _(self, event: IterationEnded) -> None:
        events = self._open.events if self._open is not None else []
        self._open = None
        self.step.iterations.append(self._ended(event.iteration, events))
        # Rulings during a call are shown after the iteration that contains the call.
        self.step.iterations += self._rulings
        self._rulings = []

    @_add.register
    def _(self, event: RulingMade) -> None:
        iteration = self._ended(event.iteration, [])
        iteration.conclusion, iteration.ruling = event.conclusion, event.ruling
        (self.step.iterations if self._open is None else self._rulings).append(iteration)

    def _ended(self, iteration: agent.Iteration, events: list[Event]) -> Iteration:
        """Convert an iteration for the report, and add its cost to the step's."""
        usage = iteration.usage
        cost = Cost(
            model_calls=usage.model_calls,
            tokens_in=usage.tokens - usage.output_tokens,
            tokens_cached=usage.cache_read_tokens,
            tokens_out=usage.output_tokens,
            dollars=usage.cost,
        )
        self.step.cost.add(cost)
        return Iteration(
            **{
                name: getattr(iteration, name)
                for name in ("number", "role", "model", "reasoning", "problem")
            },
            seconds=_finite(iteration.time),
            look=self._pictures.look(self._run, iteration.observed),
            notices=list(iteration.notices),
            calls=[self._read_call(call) for call in iteration.calls],
            events=events,
            cost=cost,
        )

    @_add.register
    def _(self, event: VerdictReached) -> None:
        verdict = event.verdict
        self.step.reason = verdict.reason
        self.step.by_eye = verdict.by_eye
        self.step.ruling = verdict.ruling
        self._show_evidence(verdict.evidence)

    @_add.register
    def _(self, event: ExtractionEnded) -> None:
        value = event.locator or event.value
        self.step.value = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        self._show_evidence(event.sources)

    def _show_evidence(self, checks: Iterable[CheckResult]) -> None:
        self.step.evidence = self._checks(checks)

    def _checks(self, checks: Iterable[CheckResult]) -> list[Check]:
        return [
            Check(
                locator=_locator(each.target),
                picture=self._pictures.bring(self._run, each.screenshot),
                **{name: getattr(each, name) for name in _AS_CHECKED},
            )
            for each in checks
        ]

    @_add.register
    def _(self, event: StepTraced) -> None:
        self._decided_by = event.decided_by
        self.step.approved = event.trace.approved if event.trace else None

    @_add.register
    def _(self, event: HealProposed) -> None:
        self.step.heals += [
            Heal(what=each.what, old=each.old, new=each.new, file=event.file, used=event.used)
            for each in event.heals
        ]
        if event.heals and event.changes:
            self.step.heals[-1].changes = list(event.changes)

    @_add.register
    def _(self, event: DraftReplayed) -> None:
        self.step.hints.append(event.words)

    @_add.register
    def _(self, event: RecordingHint) -> None:
        self.step.hints.append(event.hint)

    @_add.register
    def _(self, event: StepUnrecorded) -> None:
        self.step.hints.append(f"not recorded: {event.reason}")

    @_add.register
    def _(self, event: TaskChanged) -> None:
        self.step.subtasks = list(event.record.subtasks)

    @_add.register
    def _(self, event: Recovery) -> None:
        self.step.recoveries.append(RecoveryStep.model_validate(event))

    @_add.register
    def _(self, event: FailureObserved) -> None:
        self.step.last = self._pictures.look(self._run, event.page)

    @_add.register
    def _(self, event: StepEnded) -> None:
        step = self.step
        step.status = event.status
        step.reason = event.reason or step.reason
        step.error = event.error
        step.deviations = list(event.deviations)
        if event.evidence is not None:
            self._show_evidence(event.evidence)

    @_add.register
    def _(self, event: StepTimed) -> None:
        self.step.seconds = _finite(event.seconds)

    @_add.register
    def _(self, event: StepPictured) -> None:
        self.step.after = self._pictures.shot(self._run, event.picture)

    def _read_call(self, call: agent.ToolCall | ProposedCall) -> Call:
        parameters = {n: _plain(each) for n, each in call.parameters.items() if n != "reason"}
        shown = Call(
            tool=call.tool,
            parameters=parameters,
            reason=call.reason or str(call.parameters.get("reason", "") or ""),
            element=str(parameters.get("element_id") or ""),
        )
        if isinstance(call, agent.ToolCall):
            shown.locator = _locator(call.target)
            # The element that is acted on comes first.
            names = sorted(call.targets, key=lambda name: name != "element_id")
            shown.names = [describe_target(call.targets[name]) for name in names]
            shown.evidence = self._checks(call.evidence)
            shown.spot = self._spot(call.spot)
            shown.success, shown.result = call.success, call.result
            shown.concludes = call.concludes
            shown.error, shown.seconds = call.error or "", _finite(call.time)
        return shown

    def _spot(self, spot: types_page.Spot | None) -> Spot | None:
        shot = self._pictures.shot(self._run, spot.picture) if spot else None
        if spot is None or shot is None:
            return None
        return Spot(shot=shot, box=spot.box, point=spot.point, end=spot.end)


_AS_CHECKED = Check.model_fields.keys() - {"locator", "picture"}
"""The fields of a check that a report has as they were found."""


def _plain(value: Any) -> Any:
    """Replace infinite numbers and NaN, which JSON cannot express, by their names."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _finite(seconds: float) -> float:
    return seconds if math.isfinite(seconds) else 0.0


def _locator(target: Target | None) -> str:
    """Return the best locator of a target, or "" without a target."""
    return target.locator if target else ""
