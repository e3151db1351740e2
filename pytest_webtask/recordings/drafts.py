"""Drafts: steps that a model has decided and a referee approved, and that no recording has yet."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pytest_webtask.errors import DamagedRecording
from pytest_webtask.journal import RUNS
from pytest_webtask.journal.schema import VERSION, Key, RecordedStep, is_edited
from pytest_webtask.recordings.store import is_tried, load_recording, replace_file
from pytest_webtask.types.page import Record

DRAFTS = Path(".webtask", "drafts")
"""The folder with a file for each draft."""


class Draft(Record):
    """A step that a model has decided in a `test` of a `run`, for the recording `file`.

    `replaces` is the fingerprint of the recorded step that had drifted, "" if there was none. One of a test
    that did not pass is `withdrawn` for the rest of its run.
    """

    version: int
    run: str
    test: str
    file: str
    step: RecordedStep
    replaces: str = ""
    withdrawn: bool = False


def can_be_draft(step: RecordedStep) -> bool:
    """Return whether a step can be replayed before it has a recording.

    Its evidence must be approved. A check by eye needs a picture, which only a recording has.
    """
    return not is_edited(step) and not any(each.check.by_eye for each in step.every_evidence)


@dataclass
class Drafts:
    """The drafts that one attempt of a test replays and makes; `folder` has those of all tests and runs.

    A test replays its own of earlier runs, and those of all tests of its `run`. Drafts only save model
    calls: one that cannot be read or written is not an error.
    """

    folder: Path
    run: str
    test: str
    _own: dict[Path, Draft] = field(default_factory=dict, init=False)
    """The drafts that this attempt has replayed or made."""
    _stopped: bool = field(default=False, init=False)

    def take(self, file: str, key: Key, *, replaces: str = "", earlier: bool) -> Draft | None:
        """Return the draft of a step, and note its use; with `earlier` also one of an earlier run.

        `replaces` is the fingerprint of the recorded step: a draft is used in place of that one only.
        """
        own = self._path(file, key)
        paths = [own, *sorted(self.folder.glob(f"{own.name.partition('-')[0]}-*.json"))]
        for path in dict.fromkeys(paths):
            draft = _load(path)
            if draft is None or draft.replaces != replaces:
                continue
            is_earlier = draft.run != self.run
            if draft.withdrawn and not is_earlier:
                continue
            if is_earlier and (self._stopped or not earlier or path != own):
                continue
            self._own[own] = draft
            if path != own:
                _write(own, draft)
            return draft
        return None

    def stop(self) -> None:
        """Replay no more drafts of an earlier run, because a model decides from here on."""
        self._stopped = True

    def of_test(self) -> Iterator[Draft]:
        """Yield the drafts of the test."""
        for path in sorted(self.folder.glob(f"*-{_digest(self.test)}.json")):
            if (draft := _load(path)) is not None:
                yield draft

    def keep(self, file: str, step: RecordedStep, replaces: str = "") -> None:
        """Keep a step that a model has decided, at once: the test may be killed in its next step."""
        self.stop()
        path = self._path(file, step.key)
        draft = Draft(
            version=VERSION, run=self.run, test=self.test, file=file, step=step, replaces=replaces
        )
        self._own[path] = draft
        _write(path, draft)

    def lend(self, file: str, step: RecordedStep, test: str) -> None:
        """Let this attempt replay, as a draft for `file`, a step that another `test` has recorded."""
        draft = Draft(version=VERSION, run=self.run, test=test, file=file, step=step)
        _write(self._path(file, step.key), draft)

    def end(self, *, passed: bool, failed: bool) -> tuple[int, int]:
        """End the attempt; return how many drafts it has left for the next run, and how many it dropped.

        One that neither passed nor failed was skipped, or could not go on. Those of one that passed go once
        the run has written its recordings, which it may not live to do.
        """
        for path in [p for p, draft in self._own.items() if is_tried(draft.file)]:
            _remove(path)
            del self._own[path]
        if passed:
            return 0, 0
        earlier = sum(draft.run != self.run for draft in self._own.values())
        if failed and earlier:
            # One of them may be the mistake.
            for path in self._own:
                _remove(path)
            return 0, earlier
        for path, draft in self._own.items():
            _write(path, draft.model_copy(update={"withdrawn": True}))
        return sum(path.exists() for path in self._own), 0

    def _path(self, file: str, key: Key) -> Path:
        return self.folder / f"{_digest(file, key.model_dump_json())}-{_digest(self.test)}.json"


def prune_drafts(root: Path) -> None:
    """Remove the drafts of a project that are recorded, unreadable, or of runs that are not kept."""
    recorded: dict[str, set[Key]] = {}

    def is_recorded(draft: Draft) -> bool:
        if draft.file not in recorded:
            recorded[draft.file] = set()
            with suppress(DamagedRecording):
                recorded[draft.file] |= {s.key for s in load_recording(root / draft.file).steps}
        return draft.step.key in recorded[draft.file]

    for path in (root / DRAFTS).glob("*.json"):
        draft = _load(path)
        if draft is None or not (root / RUNS / draft.run).is_dir() or is_recorded(draft):
            _remove(path)


def _load(path: Path) -> Draft | None:
    """Return the draft in a file, None if there is none that can be used."""
    try:
        draft = Draft.model_validate_json(path.read_bytes())
    except (OSError, ValueError):
        return None
    return draft if draft.version == VERSION and can_be_draft(draft.step) else None


def _write(path: Path, draft: Draft) -> None:
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        payload = draft.model_dump(mode="json", exclude_defaults=True)
        replace_file(path, json.dumps(payload, indent=1) + "\n")


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _digest(*parts: str) -> str:
    # A name of its own would be too long, and show what a parametrized id holds.
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]
