"""Drafts: steps that a model has decided and a referee approved in tests that have not passed yet."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

from pydantic import ValidationError

from pytest_webtask.errors import DamagedRecording
from pytest_webtask.journal import RUNS
from pytest_webtask.recordings.schema import VERSION, Key, RecordedStep, first_line, is_edited
from pytest_webtask.recordings.store import load_recording, replace_file
from pytest_webtask.types.page import Record

DRAFTS = Path(".webtask", "drafts")
"""The folder with a file for each test that has drafts of an earlier run."""
SHARED = "drafts"
"""The folder of a run with a file for each step that its tests share."""


class Draft(Record):
    """A step that a model has decided in `test`; `file` is its recording's path from the project's root.

    `replaces` is the fingerprint of the recorded step that had drifted, "" if there was none.
    """

    test: str
    file: str
    step: RecordedStep
    replaces: str = ""


class _SharedDraft(Draft):
    """A draft that all tests of the run may replay; its `owner` may withdraw it."""

    owner: str


class _DraftFile(Record):
    """The drafts of one test, in the order in which its steps ran in `run`."""

    version: int
    run: str
    test: str
    drafts: tuple[Draft, ...]


def can_be_draft(step: RecordedStep) -> bool:
    """Return whether a step can be replayed before it has a recording.

    Its evidence must be approved. A check by eye needs a picture, which only a recording has.
    """
    return not is_edited(step) and not any(each.check.by_eye for each in step.every_evidence)


@dataclass
class Drafts:
    """The drafts that one attempt of a test may replay, and those that it makes.

    `folder` has those of earlier runs, one file for each test, `run` is the folder of this run.
    Drafts only save model calls: one that cannot be read or written is not an error.
    """

    folder: Path
    run: Path
    test: str
    _owner: str = field(default_factory=lambda: uuid4().hex, init=False)
    _own: list[Draft] = field(default_factory=list, init=False)
    """The drafts of this test that this attempt has replayed or made, in order."""
    _replayed: int = field(default=0, init=False)
    """The number of drafts of an earlier run that this attempt has replayed."""
    _borrowed: list[Draft] = field(default_factory=list, init=False)
    """The drafts of other tests of this run that this attempt has replayed."""
    _offered: list[Path] = field(default_factory=list, init=False)
    _stopped: bool = field(default=False, init=False)
    _problem: str = field(default="", init=False)

    @property
    def path(self) -> Path:
        """The file with the drafts of the test."""
        return self.folder / f"{_digest(self.test)}.json"

    def pop_problem(self) -> str:
        """Return once why the drafts of the test cannot be used, "" if they can."""
        _ = self.earlier
        problem, self._problem = self._problem, ""
        return problem

    def take_shared(
        self, file: str, key: Key, *, for_next_run: bool = True, replaces: str = ""
    ) -> Draft | None:
        """Return the draft of a step that a test of this run has made, and note its use.

        `for_next_run` is whether the next run needs it if this test fails. `replaces` is the
        fingerprint of the recorded step: a draft is used in place of that one only.
        """
        shared = _load_shared(self._shared_path(file, key))
        if shared is None or (shared.file, shared.step.key) != (file, key):
            return None
        if shared.replaces != replaces:
            return None
        draft = Draft(test=shared.test, file=file, step=shared.step, replaces=replaces)
        if shared.owner != self._owner:
            self._borrowed.append(draft)
            if for_next_run:
                self._save(draft)
        return draft

    def take_earlier(self, file: str, key: Key) -> Draft | None:
        """Return the draft of a step that the test has made in an earlier run, and note its use."""
        if self._stopped:
            return None
        found = self.earlier.get((file, key))
        if found is not None:
            self._own.append(found)
            self._replayed += 1
        return found

    def stop(self) -> None:
        """Replay no more drafts of an earlier run, because a model decides from here on."""
        self._stopped = True

    def has_check(self, kind: str) -> bool:
        """Return whether a draft of an earlier run has a check of that kind."""
        steps = (draft.step for draft in self.earlier.values())
        return any(e.kind == kind for s in steps for e in s.every_evidence)

    def keep(
        self, file: str, step: RecordedStep, *, for_next_run: bool = True, replaces: str = ""
    ) -> None:
        """Keep a step that a model has decided: for later steps of this run, and for the next one.

        `replaces` is the fingerprint of the recorded step that had drifted, "" if there was none.
        """
        draft = Draft(test=self.test, file=file, step=step, replaces=replaces)
        shared = self._shared_path(file, step.key)
        with suppress(OSError):
            # The first one counts, as in recordings.
            if not shared.exists():
                _write(shared, _SharedDraft(**dict(draft), owner=self._owner))
                self._offered.append(shared)
        if not for_next_run:
            return
        self.stop()
        self._save(draft)

    def end(self, *, passed: bool, failed: bool) -> tuple[int, int]:
        """End the attempt; return how many drafts it has left for the next run, and how many it dropped.

        One that neither passed nor failed was skipped, or could not go on.
        """
        if passed:
            for draft in self._borrowed:
                # It is in a recording soon, whatever becomes of the test that made it.
                with suppress(OSError):
                    path = self._shared_path(draft.file, draft.step.key)
                    _write(path, _SharedDraft(**dict(draft), owner=self._owner))
        else:
            for path in self._offered:
                shared = _load_shared(path)
                if shared is not None and shared.owner == self._owner:
                    _remove(path)
        if passed:
            # They go once the run has written its recordings, which it may not live to do.
            if self._own:
                self._save_all()
            else:
                _remove(self.path)
            return 0, 0
        if failed and self._replayed:
            # One of them may be the mistake.
            _remove(self.path)
            return 0, self._replayed
        return len(self._own) if self.path.exists() else 0, 0

    @cached_property
    def earlier(self) -> dict[tuple[str, Key], Draft]:
        """The drafts of an earlier run, none if they cannot be used."""
        try:
            content = _load(self.path)
            if content.test != self.test:
                raise ValueError("it is of another test")
            if not all(can_be_draft(draft.step) for draft in content.drafts):
                raise ValueError("its evidence was edited after it was approved")
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            self._problem = first_line(error)
            return {}
        return {(draft.file, draft.step.key): draft for draft in content.drafts}

    def _save(self, draft: Draft) -> None:
        """Write the drafts of the test with a new one, at once: it may be killed in its next step."""
        key = (draft.file, draft.step.key)
        self._own = [d for d in self._own if (d.file, d.step.key) != key] + [draft]
        self._save_all()

    def _save_all(self) -> None:
        own = tuple(self._own)
        with suppress(OSError):
            _write(
                self.path,
                _DraftFile(version=VERSION, run=self.run.name, test=self.test, drafts=own),
            )

    def _shared_path(self, file: str, key: Key) -> Path:
        return self.run / SHARED / f"{_digest(file, key.model_dump_json())}.json"


def prune_drafts(root: Path) -> None:
    """Remove the drafts of a project that are recorded, unreadable, or of runs that are not kept."""
    recorded: dict[str, set[Key]] = {}

    def is_recorded(draft: Draft) -> bool:
        if draft.file not in recorded:
            recorded[draft.file] = set()
            with suppress(DamagedRecording):
                recording = load_recording(root / draft.file)
                if recording is not None:
                    recorded[draft.file] |= {step.key for step in recording.steps}
        return draft.step.key in recorded[draft.file]

    for path in (root / DRAFTS).glob("*.json"):
        try:
            content = _load(path)
            is_kept = (root / RUNS / content.run).is_dir() and not all(
                map(is_recorded, content.drafts)
            )
        except (OSError, ValueError, RecursionError):
            is_kept = False
        if not is_kept:
            _remove(path)


def _load(path: Path) -> _DraftFile:
    """Return the drafts in a file. Raises OSError, ValueError and RecursionError."""
    content = _DraftFile.model_validate(json.loads(path.read_text(encoding="utf-8")))
    if content.version != VERSION:
        raise ValueError(f"its version is {content.version}, but only {VERSION} is supported")
    return content


def _load_shared(path: Path) -> _SharedDraft | None:
    """Return the draft in a file, None if there is none that can be used."""
    try:
        draft = _SharedDraft.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
    return draft if can_be_draft(draft.step) else None


def _write(path: Path, record: Record) -> None:
    payload: Any = record.model_dump(mode="json", exclude_defaults=True)
    # A run whose folder was removed must not get one without a journal.
    path.parent.mkdir(exist_ok=True)
    replace_file(path, json.dumps(payload, indent=1) + "\n")


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _digest(*parts: str) -> str:
    # A name of its own would be too long, and show what a parametrized id holds.
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]
