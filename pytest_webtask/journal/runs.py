"""Runs as their journals tell them: a `Run` has the attempts of its tests, and those their steps."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, computed_field

from pytest_webtask import journal
from pytest_webtask.checks.base import CheckResult
from pytest_webtask.journal.schema import Approval
from pytest_webtask.types.agent import (
    Cause,
    Conclusion,
    Event,
    Iteration,
    Ruling,
    TaskRecord,
    ToolCall,
    Usage,
)
from pytest_webtask.types.page import Box, Picture, Record, Seen, Spot

_T = TypeVar("_T")


class IterationRecord(Iteration):
    """An iteration of a step, or with the role `referee` a ruling."""

    ended: bool = True
    """False if the process was killed meanwhile."""
    conclusion: Conclusion | None = None
    ruling: Ruling | None = None
    """The ruling on the conclusion, None if the answer was invalid."""


class EarlierPicture(Record):
    """A picture of a step in an earlier `run`, in which it passed."""

    run: str
    picture: Picture
    call: int | None = None
    """The number of the call before which it was taken, None at the end of the step."""
    spot: Spot | None = None
    """Where that call acted."""


class StepRecord(BaseModel):
    """One call of a test, such as `do` or `verify`."""

    model_config = ConfigDict(defer_build=True)

    number: int
    webtask: str = ""
    kind: str
    sentence: str
    file: str = ""
    """The file that calls the step, by its path from the project's root."""
    line: int = 0
    source: str = ""
    """The text of that line."""
    started: float = 0.0
    seconds: float = 0.0
    status: str = "broken off"
    """The status of its `step_ended` event, `broken off` without one."""
    reason: str = ""
    error: str = ""
    cause: Cause | None = None
    """Why it failed, in one word and with the grounds, None if it did not."""
    value: str = ""
    by_eye: bool = False
    evidence: tuple[CheckResult, ...] = ()
    deviations: tuple[str, ...] = ()
    ruling: Ruling | None = None
    """The approval of the final conclusion, or its last refusal."""
    approved: Approval | None = None
    """The approval of the recorded evidence."""
    heals: list[journal.HealProposed] = Field(default_factory=list)
    hints: list[journal.StepNoted] = Field(default_factory=list)
    task: TaskRecord | None = None
    """The record of a `do` as it was at the end."""
    recoveries: list[journal.Recovery] = Field(default_factory=list)
    iterations: list[IterationRecord] = Field(default_factory=list)
    events: list[Event] = Field(default_factory=list)
    """The events of the page outside of iterations."""
    last: Seen | None = None
    """The page after a failure."""
    after: Picture | None = None
    """The page as the step left it."""
    candidates: tuple[Box, ...] = ()
    """The elements on it that could be meant, or are the closest to a missing one."""
    then: EarlierPicture | None = None
    """For a drifted step, the same moment in an earlier run on this machine."""
    _traced: list[journal.StepTraced] = PrivateAttr(default_factory=list)
    _needed: list[journal.ModelNeeded] = PrivateAttr(default_factory=list)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def ok(self) -> bool:
        """False for the statuses of a failure."""
        return self.status in journal.SUCCESSFUL_STATUSES

    @computed_field  # type: ignore[prop-decorator]
    @property
    def decided(self) -> str:
        """The decider: `replayed`, `literal`, `model`, `healed`, or "" if no decision was needed."""
        deciders: set[str] = {each.decided_by for each in self.iterations if each.role != "referee"}
        deciders |= {each.decided_by for each in self._traced}
        if self.status == "drifted":
            deciders.add("recording")
        if any(heal.used for heal in self.heals):
            deciders.add("healed")
        return next((word for decider, word in _DECIDERS.items() if decider in deciders), "")

    @computed_field  # type: ignore[prop-decorator]
    @cached_property
    def usage(self) -> Usage:
        """The usage of all iterations, rulings included."""
        return sum((each.usage for each in self.iterations), Usage())

    @computed_field  # type: ignore[prop-decorator]
    @property
    def usage_by_role(self) -> dict[str, Usage]:
        """The usage of each role for which a model was called."""
        return _added_up((each.role, each.usage) for each in self.iterations)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def usage_by_subtask(self) -> dict[int, Usage]:
        """The usage of each subtask for which a model was called, by its number, rulings included."""
        subtask, shares = None, []
        for each in self.iterations:
            if each.role != "referee":
                # A ruling follows the iteration that it judged.
                subtask = each.subtask
            shares.append((subtask, each.usage))
        return _added_up((number, usage) for number, usage in shares if number)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def page_errors(self) -> list[str]:
        """How the application failed during the step: requests answered 5xx, and uncaught errors."""
        events = [*self.events, *(event for each in self.iterations for event in each.events)]
        return [event.text for event in events if event.fails]

    @property
    def calls(self) -> list[ToolCall]:
        """The calls of all iterations."""
        return [call for each in self.iterations for call in each.calls]

    @property
    def traced(self) -> list[journal.StepTraced]:
        """The traces of the step, of which the last one counts."""
        return self._traced

    @property
    def needed(self) -> journal.ModelNeeded | None:
        """The reason why the step needs a model, None if it ended well, asked one or was healed."""
        if self.ok or self.heals or self.decided == "model":
            return None
        return next(reversed(self._needed), None)

    def add(self, event: journal.JournalEvent) -> None:
        """Add an event of the step."""
        if not isinstance(event, journal.StepNoted):
            self.seconds = event.time - self.started
        for name in _LISTS.get(type(event), ()):
            getattr(self, name).append(event)
        for name, part in _LAST_PARTS.get(type(event), {}).items():
            setattr(self, name, attrgetter(part)(event))
        if take := _METHODS.get(type(event)):
            take(self, event)

    def _rule(self, event: journal.RulingMade) -> None:
        own = {"conclusion": event.conclusion, "ruling": event.ruling}
        self.iterations.append(IterationRecord.model_construct(**dict(event.iteration) | own))

    def _end(self, event: journal.StepEnded) -> None:
        if event.locator or isinstance(event.value, str):
            self.value = event.locator or event.value
        elif event.value is not None:
            self.value = json.dumps(event.value, ensure_ascii=False)
        self.reason = event.reason or self.reason
        if event.evidence is not None:
            self.evidence = event.evidence
        if self.ruling is None:
            rulings = [each.ruling for each in self.iterations if each.ruling]
            self.ruling = next((r for r in reversed(rulings) if r.proves == self.ok), None)

    @property
    def _unended(self) -> slice:
        """The place of the iteration that has not ended, or behind all of them."""
        at = [*(each.ended for each in self.iterations), False].index(False)
        return slice(at, at + 1)

    def _begin_iteration(self, event: journal.DecisionMade) -> None:
        # Its calls are shown if the process is killed before they are done.
        begun = dict(event.iteration) | {"ended": False}
        self.iterations[self._unended] = [IterationRecord.model_construct(**begun)]

    def _add_call(self, event: journal.ToolCalled) -> None:
        for each in self.iterations[self._unended]:
            done = [*(begun for begun in each.calls if begun.ran), event.call]
            calls = (*done, *each.calls[len(done) :])
            self.iterations[self._unended] = [each.model_copy(update={"calls": calls})]

    def _add_event(self, event: journal.PageEvent) -> None:
        unended = self.iterations[self._unended]
        for each in unended:
            events = (*each.events, event.event)
            self.iterations[self._unended] = [each.model_copy(update={"events": events})]
        if not unended:
            self.events.append(event.event)

    def _end_iteration(self, event: journal.IterationEnded) -> None:
        events = tuple(e for each in self.iterations[self._unended] for e in each.events)
        ended = IterationRecord.model_construct(**dict(event.iteration) | {"events": events})
        # Rulings during a call follow the iteration that contains the call.
        self.iterations[self._unended] = [ended]


def _added_up(shares: Iterable[tuple[_T, Usage]]) -> dict[_T, Usage]:
    sums: dict[_T, Usage] = {}
    for key, usage in shares:
        if usage.model_calls:
            sums[key] = sums.get(key, Usage()) + usage
    return sums


_DECIDERS = {
    "healed": "healed",
    "model": "model",
    "recording": "replayed",
    "literal": "literal",
}
"""The words for deciders; the first that took part counts."""
_LISTS = {
    journal.HealProposed: ("heals",),
    journal.StepNoted: ("hints",),
    journal.Recovery: ("recoveries",),
    journal.ModelNeeded: ("_needed",),
    journal.StepTraced: ("_traced",),
}
_LAST_PARTS = {
    journal.FailureObserved: {"last": "page"},
    journal.StepPictured: {"after": "picture", "candidates": "candidates"},
    journal.TaskChanged: {"task": "record"},
    journal.VerdictReached: {
        "reason": "verdict.reason",
        "by_eye": "verdict.by_eye",
        "evidence": "verdict.evidence",
        "ruling": "verdict.ruling",
    },
    journal.StepTraced: {"approved": "trace.approved"},
    journal.StepEnded: {
        "status": "status",
        "error": "error",
        "cause": "cause",
        "deviations": "deviations",
    },
}
"""The fields of a step that are those of its last event of a kind."""
_METHODS: dict[type[journal.JournalEvent], Callable[[StepRecord, Any], None]] = {
    journal.StepEnded: StepRecord._end,
    journal.DecisionMade: StepRecord._begin_iteration,
    journal.ToolCalled: StepRecord._add_call,
    journal.PageEvent: StepRecord._add_event,
    journal.IterationEnded: StepRecord._end_iteration,
    journal.RulingMade: StepRecord._rule,
}
"""What else a step takes from events of a kind."""


_EXPECTED = {"skipped": "xfailed", "passed": "xpassed"}
"""The outcomes of tests that are expected to fail, by what pytest calls them."""


class TestAttempt(BaseModel):
    """One attempt to run a test; reruns and further runs add attempts."""

    __test__ = False
    model_config = ConfigDict(defer_build=True)

    number: int = 1
    run: str = ""
    confirms: bool = False
    """True if it replays what the attempt before has recorded, to confirm it."""
    started: float = 0.0
    seconds: float = 0.0
    browser: str = ""
    """The browser of its last page, with its version."""
    base_url: str = ""
    phases: dict[str, journal.PhaseEnded] = Field(default_factory=dict)
    steps: list[StepRecord] = Field(default_factory=list)
    _events: list[journal.JournalEvent] = PrivateAttr(default_factory=list)

    @classmethod
    def of(cls, events: Iterable[journal.JournalEvent]) -> TestAttempt:
        """Return the attempt with these events."""
        attempt = cls()
        for event in events:
            attempt.add(event)
        return attempt

    @property
    def events(self) -> list[journal.JournalEvent]:
        """The events of the attempt in their order."""
        return self._events

    def add(self, event: journal.JournalEvent) -> None:
        """Add an event of the attempt."""
        events = self._events
        if not events:
            self.number, self.started = event.attempt, event.time
        events.append(event)
        match event:
            case journal.ConfirmationBegun():
                self.confirms = True
            case journal.PhaseEnded():
                self.phases[event.phase] = event
            case journal.PageOpened():
                self.browser, self.base_url = event.browser, event.base_url
            case journal.StepStarted(step_kind=kind):
                step = StepRecord(
                    number=event.step,
                    webtask=event.webtask,
                    kind=kind,
                    sentence=event.sentence,
                    file=event.file,
                    line=event.line,
                    source=event.source,
                    started=event.time,
                )
                self.steps.append(step)
            case _:
                # Steps of several webtasks may overlap.
                key = (event.webtask, event.step)
                for step in reversed(self.steps):
                    if (step.webtask, step.number) == key:
                        step.add(event)
                        break
        times = sum(phase.seconds for phase in self.phases.values())
        is_over = "teardown" in self.phases
        self.seconds = times if is_over else max(event.time - self.started, times)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def outcome(self) -> str:
        """The outcome of all phases: `passed`, `failed`, `skipped`, `xfailed`, `xpassed`, or one of two more.

        It is `error` after a failure in setup or teardown, and `never ended` without a teardown.
        """
        if "teardown" not in self.phases:
            return "never ended"
        outcomes = self._outcomes
        if outcomes.get("call") == "failed":
            return "failed"
        if "failed" in outcomes.values():
            return "error"
        expected = {*self._of_phases("expected_failure")} != {None}
        outcome = "skipped" if "skipped" in outcomes.values() else "passed"
        return _EXPECTED[outcome] if expected else outcome

    @property
    def passed(self) -> bool:
        """True if all phases were run and passed."""
        outcomes = self._outcomes
        return outcomes.keys() >= {*journal.PHASES} and {*outcomes.values()} == {"passed"}

    @property
    def _outcomes(self) -> dict[str, str]:
        return dict(zip(self.phases, self._of_phases("outcome"), strict=True))

    @property
    def message(self) -> str:
        """The messages of pytest."""
        return "\n\n".join(filter(None, self._of_phases("message")))

    @property
    def raised(self) -> str:
        """The errors alone."""
        return "\n".join(filter(None, self._of_phases("errors")))

    @computed_field  # type: ignore[prop-decorator]
    @property
    def cause(self) -> Cause | None:
        """The cause of the failure, None if it did not fail or the package knows none."""
        return next(filter(None, self._of_phases("cause")), None)

    @property
    def blamed(self) -> list[tuple[str, int]]:
        """The webtasks and numbers of the steps that raised the errors."""
        return [*chain.from_iterable(self._of_phases("failed_steps"))]

    @property
    def artifacts(self) -> list[journal.Artifact]:
        """The files that Playwright's own plugin kept."""
        return [*chain.from_iterable(self._of_phases("artifacts"))]

    def _of_phases(self, name: str) -> list[Any]:
        return [getattr(each, name) for each in self.phases.values()]


_Key = tuple[str, str, int]
"""The test, process and number of an attempt."""


@dataclass
class Run:
    """A run, or several processes of one; `resumes` is the name of the run that it resumes."""

    resumes: str = ""
    attempts: dict[_Key, TestAttempt] = field(default_factory=dict)
    commits: Counter[str] = field(default_factory=Counter)
    """The commits that were tested, by the number of processes."""
    times: tuple[float, float] = (0.0, 0.0)
    """When it began, and when it wrote its last event."""
    damaged: int = 0
    """The number of lines that could not be read."""

    @classmethod
    def read(cls, folder: Path, test: str = "") -> Run:
        """Return the run of a folder, or what it has of a test, with the events of each process as it wrote them."""
        journals = sorted(folder.glob("*.jsonl"))
        return cls.of(event for path in journals for event in journal.read_file(path, test))

    @classmethod
    def of(cls, events: Iterable[journal.JournalEvent]) -> Run:
        """Return the run with these events; those that cannot be attributed are left out."""
        run = cls()
        for event in events:
            if isinstance(event, journal.Damaged):
                run.damaged += 1
                continue
            began, last = run.times
            run.times = min(began or event.time, event.time), max(last, event.time)
            if isinstance(event, journal.RunStarted):
                run.resumes = run.resumes or event.resumes
                run.commits[event.commit] += 1
            elif not isinstance(event, journal.RunEnded):
                key = (event.test, event.writer, event.attempt)
                run.attempts.setdefault(key, TestAttempt()).add(event)
        return run

    def last_attempts(self) -> dict[str, TestAttempt]:
        """Return the last attempt of each test, by node id; confirming ones do not count."""
        return {
            test: attempt
            for (test, *_), attempt in self.attempts.items()
            if test and not attempt.confirms
        }
