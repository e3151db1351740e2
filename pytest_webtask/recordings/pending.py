"""Pending steps: decided or healed in a run, and not recorded yet."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import Field

from pytest_webtask.data.locks import is_ours
from pytest_webtask.errors import DamagedRecording, UsageError
from pytest_webtask.journal import RUNS
from pytest_webtask.journal.kept_runs import find_run, matching_names, near_matches
from pytest_webtask.journal.schema import VERSION, Key, RecordedStep, is_edited
from pytest_webtask.recordings.store import (
    is_tried,
    keep_pictures,
    load_recording,
    replace_file,
    save_recording,
    with_step,
)
from pytest_webtask.types.page import Record

PENDING = Path(".webtask", "pending")
"""The folder with a file for each pending step."""


class PendingStep(Record):
    """A step that a `test` of a `run` has decided or healed, for the recording `file`.

    Without a `previous` step it is a draft, which is recorded when its test passes. In place of a `previous`
    step it is a proposal, which a person accepts; `changes` says in words what it changes, and `pictures`
    maps the names of its pictures to files of the run. With `heals` only elements were found elsewhere,
    without a model. `withdrawn` means that its test did not pass: it is replayed by the next run only.
    """

    version: int
    run: str
    test: str
    file: str
    step: RecordedStep
    previous: RecordedStep | None = None
    changes: tuple[str, ...] = ()
    pictures: dict[str, str] = Field(default_factory=dict)
    heals: bool = False
    withdrawn: bool = False

    @property
    def can_replay(self) -> bool:
        """Whether the step can be replayed before it is recorded.

        Its evidence must be approved. A check by eye needs a picture, which only a recording has.
        """
        by_eye = any(each.check.by_eye for each in self.step.every_evidence)
        return not self.heals and not by_eye and not is_edited(self.step)

    def fits(self, root: Path) -> bool:
        """Return whether the recording has not changed since. Raises DamagedRecording."""
        key = (self.previous or self.step).key
        there = {each.key: each for each in load_recording(root / self.file).steps}
        return there.get(key) == self.previous


@dataclass
class PendingSteps:
    """The pending steps that one attempt of a test replays and makes; `folder` has those of all tests and runs.

    A test replays its own of earlier runs, and those of all tests of its `run`. They only save model
    calls: one that cannot be read or written is not an error.
    """

    folder: Path
    run: str
    test: str
    _own: dict[Path, PendingStep] = field(default_factory=dict, init=False)
    """Those that this attempt has replayed or made."""
    _stopped: bool = field(default=False, init=False)

    def take(
        self, file: str, key: Key, previous: RecordedStep | None, *, earlier: bool
    ) -> PendingStep | None:
        """Return what to replay in place of a `previous` step, and note its use.

        With `earlier` it may be one of an earlier run.
        """
        own = self._path(file, key)
        others = sorted(self.folder.glob(f"{own.name.partition('-')[0]}-*.json"))
        for path in dict.fromkeys((own, *others)):
            step = _load(path)
            if step is None or step.previous != previous or not step.can_replay:
                continue
            of_run = step.run == self.run and not step.withdrawn
            of_test = step.run != self.run and earlier and path == own
            if of_run or (of_test and not self._stopped):
                self._own[own] = step
                _write(own, step)
                return step
        return None

    def stop(self) -> None:
        """Replay none of an earlier run any more, because a model decides from here on."""
        self._stopped = True

    def keep(self, file: str, step: RecordedStep, *, used: bool = True, **more: Any) -> None:
        """Keep a step of this test, with `more` of its fields, at once: the test may be killed in its next step.

        One that it has not `used` outlives it.
        """
        path, fields = self._path(file, step.key), {"run": self.run, "test": self.test, **more}
        pending = PendingStep(version=VERSION, file=file, step=step, **fields)
        if used:
            self._own[path] = pending
        _write(path, pending)

    def end(self, *, passed: bool, failed: bool) -> tuple[int, int]:
        """End the attempt; return how many drafts it has left for the next run, and how many it dropped.

        One that neither passed nor failed was skipped, or could not go on. The drafts of one that passed go once
        the run has written its recordings, which it may not live to do.
        """
        earlier = sum(each.run != self.run for each in self._own.values() if each.previous is None)
        # One of them may be the mistake.
        keeps = not (failed and earlier)
        kept = 0
        for path, step in self._own.items():
            if is_tried(step.file):
                _remove(path)
            elif not passed:
                # A proposal that a failed test has used proves nothing.
                if keeps and step.previous is None:
                    _write(path, step.model_copy(update={"withdrawn": True}))
                    kept += path.exists()
                else:
                    _remove(path)
        return kept, 0 if passed or keeps else earlier

    def _path(self, file: str, key: Key) -> Path:
        return self.folder / f"{_digest(file, key.model_dump_json())}-{_digest(self.test)}.json"


def prune_pending(root: Path) -> None:
    """Remove the pending steps of a project that are recorded, outdated, unreadable, or of runs that are not kept."""
    for path, step in _all(root):
        fits = False
        if step is not None and (root / RUNS / step.run).is_dir():
            try:
                fits = step.fits(root)
            except DamagedRecording:
                fits = True
        if not fits:
            _remove(path)


def drop_pending(root: Path, file: str, sentence: str) -> None:
    """Remove the pending steps for a recording whose sentences have these words."""
    for path, step in _all(root):
        if step is not None and step.file == file and sentence in step.step.sentence:
            _remove(path)


def proposals(root: Path, run: str = "", test: str = "") -> dict[Path, PendingStep]:
    """Return the proposals of a run, by default the newest one, and of a test, by default of all.

    Raises UsageError if there are none.
    """
    folder = find_run(root, run)
    of_run = [(p, s) for p, s in _all(root) if s and s.previous and s.run == folder.name]
    tests = {step.test for _, step in of_run}
    named = matching_names(test, tests) if test else tests
    meant = {path: step for path, step in of_run if step.test in named}
    if not meant:
        of_test = f" for {test!r}" if test else ""
        advice = "run a test whose recording no longer fits the page: pytest TEST"
        if tests:
            advice = f"name one of these instead:\n{near_matches(test, tests)}"
        raise UsageError(f"there is nothing to accept{of_test} in the run {folder.name}\n{advice}")
    return meant


def accept_proposal(root: Path, path: Path, step: PendingStep, *, dry: bool = False) -> str:
    """Record a proposal; return why it is refused, "" if it is not."""
    file = (root / step.file).resolve()
    if not file.is_relative_to(root.resolve()) or file.suffix != ".json":
        return f"{step.file!r} is not a recording of this project; run the test here again"
    try:
        recording = load_recording(file)
    except DamagedRecording as error:
        return str(error)
    if step.step not in recording.steps:
        if not step.fits(root):
            return (
                f'the recording has changed since the run: run the test again, pytest "{step.test}"'
            )
        if not dry:
            save_recording(file, with_step(recording, step.step))
            keep_pictures(root / RUNS / step.run, file, step.pictures)
    if not dry:
        _remove(path)
    return ""


def _all(root: Path) -> Iterator[tuple[Path, PendingStep | None]]:
    for path in sorted((root / PENDING).glob("*.json")):
        yield path, _load(path)


def _load(path: Path) -> PendingStep | None:
    try:
        step = PendingStep.model_validate_json(path.read_bytes())
    except (OSError, ValueError):
        return None
    return step if step.version == VERSION else None


def _write(path: Path, step: PendingStep) -> None:
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        payload = step.model_dump(mode="json", exclude_defaults=True)
        replace_file(path, json.dumps(payload, indent=1) + "\n")


def _remove(path: Path) -> None:
    if is_ours(path):
        with suppress(OSError):
            path.unlink()


def _digest(*parts: str) -> str:
    # A name of its own would be too long, and show what a parametrized id holds.
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]
