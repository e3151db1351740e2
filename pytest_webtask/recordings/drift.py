"""The steps of a run that no recording decides: those that drifted, and those without a recording."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pytest_webtask.errors import DamagedRecording, UsageError
from pytest_webtask.journal import (
    IterationEnded,
    JournalEvent,
    ModelNeeded,
    PhaseEnded,
    StepEnded,
    StepStarted,
)
from pytest_webtask.kept_runs import find_run, list_runs, read_attempts, run_name
from pytest_webtask.phrases import counted
from pytest_webtask.recordings.merge import Merge
from pytest_webtask.recordings.progress import NAME
from pytest_webtask.recordings.review import REVIEW, evidence_changes, key_title, step_title
from pytest_webtask.recordings.schema import RecordedStep, fingerprint
from pytest_webtask.recordings.store import load_recording
from pytest_webtask.types.step import step_name

_FAILED = frozenset(("failed", "aborted"))
"""The statuses of a replayed step whose check failed."""


@dataclass(frozen=True)
class DriftedTest:
    """The drift of one test in an earlier run; `steps` are the file and fingerprint of its steps."""

    has_drifted: bool
    steps: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True)
class DriftedRun:
    """The tests that drifted in an earlier run, and their steps that did."""

    path: Path
    tests: frozenset[str]
    needs: tuple[ModelNeeded, ...]

    def of_test(self, test: str) -> DriftedTest:
        """Return the drift of a test by its node id."""
        steps = ((each.file, each.recorded) for each in self.needs)
        return DriftedTest(True, frozenset(steps)) if test in self.tests else DriftedTest(False)


def needed_step(root: Path, need: ModelNeeded) -> RecordedStep | None:
    """Return the recorded step that a step of this key replays now. Raises DamagedRecording."""
    recording = load_recording(root / need.file)
    steps = {step.key: step for step in recording.steps} if recording else {}
    return steps.get(need.key) or steps.get(need.key.model_copy(update={"variant": ""}))


def still_needed(root: Path, need: ModelNeeded) -> bool:
    """Return whether the recording is still as it was in the run. Raises DamagedRecording."""
    step = needed_step(root, need)
    return (fingerprint(step) if step else "") == need.recorded


def read_drifted_run(root: Path, run: str | None) -> DriftedRun:
    """Return what drifted in a run, None for the last, as far as it was not recorded since.

    Raises UsageError if nothing did, or if there is no such run.
    """
    path = find_run(root, run, "a test goes before the option: pytest TEST --webtask-only-drifted")
    tests: set[str] = set()
    needs: dict[tuple[str, str], ModelNeeded] = {}
    recorded = failed = 0
    attempts = read_attempts(path)
    for test, events in attempts.items():
        for event in events:
            if isinstance(event, ModelNeeded) and event.cause == "drifted":
                tests.add(test)
                if _still_needed(root, event):
                    needs[event.file, event.recorded] = event
                else:
                    recorded += 1
            elif isinstance(event, PhaseEnded) and _is_drift(event):
                # A fixture of a wider scope that drifted in another test fails this one, too.
                tests.add(test)
        failed += len(list(_failed_checks(events)))
    if needs:
        return DriftedRun(path, frozenset(tests), tuple(needs.values()))
    name = run_name(path)
    tests_of_run = counted(len(attempts), "test")
    lines = [f"no step drifted in the run {name} ({tests_of_run}): each found its elements"]
    if recorded:
        lines = [f"all steps that drifted in the run {name} were recorded or accepted since"]
    if failed:
        lines.append(
            f"{counted(failed, 'check')} failed in it, which is probably a bug; if the page is right,"
            " record those tests again: pytest TEST --webtask-mode=record"
            " --webtask-model=NAME"
        )
    if others := _drifted_before(root, path):
        lines.append(
            f"steps drifted in {', '.join(others)}; to record those: --webtask-only-drifted={others[0]}"
        )
    lines.append("to see what drifts now, type: pytest --webtask-mode=replay")
    raise UsageError("\n".join(lines))


def _still_needed(root: Path, need: ModelNeeded) -> bool:
    with suppress(DamagedRecording):
        return still_needed(root, need)
    return True


def _is_drift(event: PhaseEnded) -> bool:
    return any(line.startswith("Drifted: ") for line in event.errors.splitlines())


def _drifted_before(root: Path, run: Path) -> list[str]:
    """Return the names of other kept runs with drifted steps, newest first."""
    names = []
    for folder in list_runs(root):
        attempts = read_attempts(folder) if folder != run else {}
        if any(
            isinstance(e, ModelNeeded) and e.cause == "drifted" and _still_needed(root, e)
            for events in attempts.values()
            for e in events
        ):
            names.append(folder.name)
    return names


def _failed_checks(events: Iterable[JournalEvent]) -> Iterator[StepStarted]:
    """Yield the replayed steps of a test whose check failed."""
    started: dict[tuple[str, int], StepStarted] = {}
    deciders: defaultdict[tuple[str, int], set[str]] = defaultdict(set)
    for event in events:
        key = (event.webtask, event.step)
        if isinstance(event, StepStarted):
            started[key] = event
        elif isinstance(event, IterationEnded):
            deciders[key].add(event.iteration.model)
        elif isinstance(event, StepEnded) and event.status in _FAILED and deciders[key] == {NAME}:
            yield started[key]


def review_run(run: Path, root: Path, drifted: DriftedRun, merge: Merge) -> list[str]:
    """Return the lines on a run that has recorded what drifted in an earlier one.

    They list what changed in the evidence of each recorded step, and what was not recorded.
    """
    lines: list[str] = []
    flagged = 0
    file = ""
    for change in merge.changes:
        if change.file != file:
            file = change.file
            lines.append(file)
        lines.append(f"  {step_title(change.new)}")
        details = list(evidence_changes(change.old, change.new))
        flagged += any(line.startswith("!") for line in details)
        lines += (f"    {line}" for line in details)
    flags = f", {flagged} flagged (!)" if flagged else ""
    lines.insert(0, f"recorded again: {counted(len(merge.changes), 'step')}{flags}")
    lines += _not_recorded(run, root, drifted)
    if flagged:
        lines.append(REVIEW)
    if merge.changes:
        lines.append("to see the changes as code, type: pytest-webtask show --diff HEAD")
    return [*lines, *merge.problems]


def _not_recorded(run: Path, root: Path, drifted: DriftedRun) -> Iterator[str]:
    left = {(e.file, e.recorded): e for e in drifted.needs if _still_needed(root, e)}
    tests: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    earlier = run_name(drifted.path)
    for test, events in read_attempts(run).items():
        for step in _failed_checks(events):
            name = step_name(step.step_kind, step.sentence)
            yield f"not recorded: {name}: its check failed, which is probably a bug"
            command = f'pytest "{test}" --webtask-mode=record --webtask-model=NAME'
            yield f"  if the page is right: {command}"
        for event in events:
            if isinstance(event, ModelNeeded) and event.cause == "drifted":
                left.pop((event.file, event.recorded), None)
                if _still_needed(root, event):
                    why = "did not pass" if test in drifted.tests else f"did not drift in {earlier}"
                    tests[f"{key_title(event.key)} in {event.file}", why].append(test)
    for (step_words, why), names in tests.items():
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        yield f"not recorded: {step_words}: {names[0]}{more} {why}"
    if left:
        yield f"not recorded: {counted(len(left), 'step')} that drifted in {earlier} and did not run"
        yield from (f"  {key_title(e.key)} in {e.file}" for e in left.values())
    if left or any(test in drifted.tests for names in tests.values() for test in names):
        yield (
            "to record these once their tests pass, type: pytest --webtask-mode=record"
            f" --webtask-only-drifted={earlier} --webtask-model=NAME"
        )
