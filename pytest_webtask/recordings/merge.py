"""At the end of a run: what its tests have recorded, merged into the files from all its journals."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pytest_webtask.errors import DamagedRecording
from pytest_webtask.journal import read
from pytest_webtask.recordings.schema import Key, RecordedStep
from pytest_webtask.recordings.store import load_recording, merge_recording, save_recording

__all__ = ["Merge", "keep_pictures", "merge_run"]

Attempt = tuple[str, int, str]
_PHASES = {"setup", "call", "teardown"}


@dataclass
class Merge:
    """What came of a run: the files that were written, and what could not be, in words."""

    written: list[str] = field(default_factory=list)
    steps: int = 0
    problems: list[str] = field(default_factory=list)

    @property
    def told(self) -> list[str]:
        """The same in lines for the terminal."""
        steps = f"{self.steps} step{'' if self.steps == 1 else 's'}"
        lines = [f"recorded {steps}: {', '.join(self.written)}"] if self.written else []
        return lines + [line for problem in self.problems for line in problem.splitlines()]


def merge_run(run: Path, root: Path) -> Merge:
    """Write what the passed tests of a run have recorded; `root` is where its files are named from.

    A test has passed if it did in setup, call and teardown, in the attempt that has recorded.
    """
    lines = list(read(run))
    passed = _passed(lines)
    fresh: dict[str, dict[Key, RecordedStep | None]] = defaultdict(dict)
    pictures: dict[str, dict[str, str]] = defaultdict(dict)
    anew: set[str] = set()
    kept_for: set[str] = set()
    done = Merge()
    for line in lines:
        if line["kind"] != "made" or not line.get("file"):
            continue
        file = str(line["file"])
        if _attempt(line) not in passed:
            kept_for.add(file)
            continue
        try:
            step = RecordedStep.model_validate(line["made"])
        except ValidationError as error:
            if line.get("recorded"):
                done.problems.append(f"{file}: a step in the journal cannot be read: {error}")
            continue
        if not line.get("recorded"):
            # It says behind which one another stands.
            fresh[file].setdefault(step.key, None)
            continue
        # Of cases that were recorded side by side the first one counts.
        if fresh[file].get(step.key) is None:
            fresh[file][step.key] = step
        pictures[file] |= line.get("pictures") or {}
        if line["recorded"] == "record":
            anew.add(file)
    for file, steps in fresh.items():
        number = sum(step is not None for step in steps.values())
        if not number:
            continue
        path = root / file
        try:
            recording = merge_recording(
                load_recording(path), steps, only=file in anew and file not in kept_for
            )
        except DamagedRecording as error:
            done.problems.append(str(error))
            continue
        if save_recording(path, recording):
            done.written.append(file)
            done.steps += number
        keep_pictures(run, path, pictures[file])
    return done


def keep_pictures(run: Path, recording: Path, pictures: Mapping[str, str]) -> None:
    """Copy pictures of a run to where a recording has its own, by what they are kept as."""
    for name, taken in pictures.items():
        source, folder = run / taken, recording.with_suffix("")
        if source.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / Path(name).name)


def _attempt(line: Mapping[str, Any]) -> Attempt:
    return str(line.get("test")), int(line.get("attempt", 1)), str(line.get("writer"))


def _passed(lines: Iterable[Mapping[str, Any]]) -> set[Attempt]:
    phases: defaultdict[Attempt, dict[str, str]] = defaultdict(dict)
    for line in lines:
        if line["kind"] == "phase":
            phases[_attempt(line)][str(line.get("when"))] = str(line.get("outcome"))
    return {
        attempt
        for attempt, outcomes in phases.items()
        if set(outcomes) >= _PHASES and set(outcomes.values()) == {"passed"}
    }
