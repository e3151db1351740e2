"""Merge the steps that a run has recorded into the recording files."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_webtask.data.locks import taking_turns
from pytest_webtask.data.phrases import counted
from pytest_webtask.errors import DamagedRecording
from pytest_webtask.journal import WRITING, StepTraced, read
from pytest_webtask.journal.runs import Run, TestAttempt
from pytest_webtask.journal.schema import Key, RecordedStep, with_both_answers
from pytest_webtask.recordings.store import (
    is_tried,
    load_recording,
    merge_recording,
    save_recording,
)


@dataclass
class Merge:
    """The result of a merge: the files written, the number of steps, and the problems in words.

    Of the steps so many were `confirmed` by a second run.
    """

    written: list[str] = field(default_factory=list)
    steps: int = 0
    confirmed: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def summary(self) -> list[str]:
        """The result in lines for the terminal."""
        lines = "\n".join(self.problems).splitlines()
        if not self.written:
            return lines
        how = "recorded and confirmed" if self.confirmed == self.steps else "recorded"
        how = f"{how} {counted(self.steps, 'step')}"
        if 0 < self.confirmed < self.steps:
            how += f", {self.confirmed} of them confirmed by a second run"
        return [f"{how}: {', '.join(self.written)}", *lines]


def merge_run(run: Path, root: Path) -> Merge:
    """Write the steps recorded by the passed tests of a run; its paths are relative to `root`.

    A test has passed if setup, call and teardown of the recording attempt passed. A step of a fixture
    that several tests share counts as recorded by the one that has set it up.
    """
    done = Merge()
    files = _recorded(Run.of(read(run)).attempts, done)
    with taking_turns(root / WRITING):
        for file, merge in files.items():
            try:
                _write(file, merge, run, root, done)
            except DamagedRecording as error:
                done.problems.append(str(error))
            except OSError as error:
                done.problems.append(
                    f"{file} could not be written: {error.strerror or error}. Its steps are not"
                    " recorded: make it writable, and run the tests again"
                )
    return done


def _recorded(attempts: Mapping[_Attempt, TestAttempt], done: Merge) -> dict[str, _FileMerge]:
    """Return the steps that the attempts which passed have recorded, in their order, by file."""
    passed = _passed(attempts, done)
    events = (event for attempt in attempts.values() for event in attempt.events)
    traced = (event for event in events if isinstance(event, StepTraced) and event.file)
    files: dict[str, _FileMerge] = defaultdict(_FileMerge)
    for event in sorted(traced, key=lambda each: each.time):
        if is_tried(event.file):
            continue
        attempt = (event.test, event.writer, event.attempt)
        if attempt not in passed:
            files[event.file].incomplete = True
            continue
        try:
            files[event.file].add(event, confirmed=attempts[attempt].confirms)
        except ValueError as error:
            done.problems.append(
                f"{event.file}: a step is not recorded, because its line in the run's journal is damaged: {error}."
                " Run the tests again"
            )
    return {file: merge for file, merge in files.items() if merge.number}


_Attempt = tuple[str, str, int]
"""The test, the process and the number of an attempt."""


def _passed(attempts: Mapping[_Attempt, TestAttempt], done: Merge) -> set[_Attempt]:
    """Return the attempts that passed, without those which the run that was to confirm them refutes."""
    passed = {key for key, attempt in attempts.items() if attempt.passed}
    for this, attempt in sorted(attempts.items()):
        test, writer, number = this
        before = (test, writer, number - 1)
        if attempt.confirms and not passed.issuperset((before, this)):
            if before in passed:
                done.problems.append(_unconfirmed(test, attempt))
            passed -= {before, this}
    return passed


@dataclass
class _FileMerge:
    """The steps that a run has recorded for one file.

    A step of None ran without being recorded; it only keeps the order. `incomplete` means that
    tests which did not pass use the file as well.
    """

    steps: dict[Key, RecordedStep | None] = field(default_factory=dict)
    pictures: dict[str, str] = field(default_factory=dict)
    confirmed: set[Key] = field(default_factory=set)
    replaces: bool = False
    incomplete: bool = False

    @property
    def number(self) -> int:
        """The number of recorded steps."""
        return sum(step is not None for step in self.steps.values())

    def add(self, event: StepTraced, *, confirmed: bool) -> None:
        """Add a step, in place of the one that it has `confirmed`. Raises ValueError if it cannot be replayed."""
        if event.trace is None:
            return
        if not event.mode:
            self.steps.setdefault(event.trace.key, None)
            return
        step = RecordedStep.of(event.trace)
        # If parallel cases recorded the same step, the first one counts.
        first = None if confirmed else self.steps.get(step.key)
        self.confirmed |= {step.key} if confirmed else set()
        self.steps[step.key] = with_both_answers(first, step) if first else step
        self.pictures |= event.pictures
        self.replaces |= event.mode == "record"


def _write(file: str, merge: _FileMerge, run: Path, root: Path, done: Merge) -> None:
    path = root / file
    old = load_recording(path)
    recording = merge_recording(old, merge.steps, only=merge.replaces and not merge.incomplete)
    if save_recording(path, recording):
        done.written.append(file)
        done.steps += merge.number
        done.confirmed += len(merge.confirmed)
    keep_pictures(run, path, merge.pictures)


def keep_pictures(run: Path, recording: Path, pictures: Mapping[str, str]) -> None:
    """Copy pictures of a run into the folder of a recording; `pictures` maps new names to old."""
    for name, taken in pictures.items():
        source, folder = run / taken, recording.with_suffix("")
        if source.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / Path(name).name)


def _unconfirmed(test: str, attempt: TestAttempt) -> str:
    errors = (e.errors or e.message for e in attempt.phases.values() if e.outcome != "passed")
    first = "\n  ".join(next(errors, "").splitlines()[:3]) or "it did not end"
    return (
        f"not recorded: {test} passed, but its replay right after did not:\n  {first}\n"
        "what is to pass in CI must pass twice: reset what the test has changed in a fixture, or record"
        " without a second run: --webtask-confirm=off"
    )
