"""A run that broke off, by its journals: which tests passed, and what the others had done."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pytest_webtask.data import REDACTED
from pytest_webtask.errors import UsageError
from pytest_webtask.journal import read
from pytest_webtask.recordings.steps import Step
from pytest_webtask.records import TaskRecord, ToolCall

__all__ = ["Before", "Broken", "Earlier", "earlier"]

PHASES = frozenset(("setup", "call", "teardown"))
_NO_VERDICT = frozenset(("ModelError", "OutOfBudget", "PageError"))
"""Errors that say nothing of the application: a test that they end has broken off."""
_WELL = frozenset(("completed", "passed", "found", "yes", "no"))
Line = Mapping[str, Any]


@dataclass
class Before:
    """A step as it was journaled: what was asked, what was made of it, and its calls if it broke off.

    `ended` says that it came to a good end, `by` who decided and `calls_of_models` how often a model
    was asked; `record` is that of a planned task. `recorded` says that it was to be written into its
    file, `proposed` that it was found again, which nobody has accepted.
    """

    kind: str
    sentence: str
    ended: bool = False
    made: Step | None = None
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
class Broken:
    """What a test had done before it broke off, by the name of the webtask and the number of the step."""

    run: str
    steps: dict[tuple[str, int], Before] = field(default_factory=dict)

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
class Earlier:
    """A run that is gone on with, and those that it went on with itself.

    `passed` are the tests that need not be run again, `broken` those that broke off.
    """

    run: str
    passed: set[str] = field(default_factory=set)
    broken: dict[str, Broken] = field(default_factory=dict)
    unmerged: list[Path] = field(default_factory=list)
    """Runs that were killed before what their tests have recorded was written."""


def earlier(runs: Path, name: str = "") -> Earlier:
    """The run of that name, or the last one. Raises UsageError where there is none."""
    names = sorted(each.name for each in runs.iterdir() if each.is_dir()) if runs.is_dir() else []
    if name and name not in names:
        raise UsageError(f"there is no run {name} in {runs}, of which to go on")
    if not names:
        raise UsageError(f"there is no run to go on with: {runs} holds none")
    made = Earlier(name or names[-1])
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


def _take_in(made: Earlier, run: str, test: str, lines: Sequence[Line]) -> None:
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
        made.broken[test] = Broken(run, _steps(lines))


def _steps(lines: Iterable[Line]) -> dict[tuple[str, int], Before]:
    steps: dict[tuple[str, int], Before] = {}
    open_calls: dict[tuple[str, int], list[ToolCall]] = defaultdict(list)
    for line in lines:
        number = line.get("step")
        if not isinstance(number, int):
            continue
        key = (str(line.get("webtask") or ""), number)
        if line["kind"] == "step":
            steps[key] = Before(str(line.get("step_kind")), str(line.get("sentence")))
        if key in steps:
            # What is there but is not what it ought to be costs nothing but itself.
            with suppress(TypeError, AttributeError, ValueError):
                _read(steps[key], line, open_calls[key])
    for key, calls in open_calls.items():
        # Of the iteration in which it was killed there are only the calls that were over.
        if key in steps:
            steps[key].calls += calls
    return steps


def _read(step: Before, line: Line, open_calls: list[ToolCall]) -> None:
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
            step.made = Step.model_validate(line.get("made"))
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
