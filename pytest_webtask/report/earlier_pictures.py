"""The pictures of a step that drifted, as an earlier run on this machine took them when it passed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_webtask.journal import (
    SUCCESSFUL_STATUSES,
    JournalEvent,
    StepEnded,
    StepPictured,
    StepStarted,
    ToolCalled,
    read_at,
)
from pytest_webtask.report.view import Earlier, Pictures, Spot, Step, Test
from pytest_webtask.types import page
from pytest_webtask.types import step as types

_MOST = 10
"""The most earlier runs that are searched for a step."""


@dataclass(frozen=True)
class EarlierPictures:
    """The kept runs before those of a report, newest first; their pictures are on this machine only."""

    runs: Sequence[Path]
    pictures: Pictures

    @classmethod
    def before(cls, runs: Sequence[Path], pictures: Pictures) -> EarlierPictures:
        """Return the runs kept beside these and before them."""
        first = min(runs, key=lambda run: run.name, default=None)
        return cls(_older(first) if first else (), pictures)

    def show(self, test: Test) -> None:
        """Add to each drifted step of a test the picture of the same moment when it passed."""
        for step in (step for attempt in test.attempts for step in attempt.steps):
            if step.status == "drifted":
                calls = [call for each in step.iterations for call in each.calls]
                done = sum(call.spot is not None and call.success is True for call in calls)
                step.then = self.find(test.id, step, done)

    def find(self, test: str, step: Step, done: int) -> Earlier | None:
        """Return the picture of the newest run in which a step passed, when `done` calls were done."""
        key = (step.webtask, step.number, step.kind, step.sentence)
        for run in self.runs:
            past = _PastStep.of(_events(run, test), key)
            if past.passed and (shown := self._shown(run, past, done)):
                return shown
        return None

    def _shown(self, run: Path, past: _PastStep, done: int) -> Earlier | None:
        """Return the picture before the first call that was not done now, or of the end."""
        if done < len(past.spots):
            then = past.spots[done]
            if shot := self.pictures.shot(run, then.picture):
                spot = Spot(shot=shot, box=then.box, point=then.point, end=then.end)
                return Earlier(run=run.name, shot=shot, spot=spot, call=done + 1)
        shot = self.pictures.shot(run, past.after) if past.after else None
        return Earlier(run=run.name, shot=shot) if shot else None


def earlier_picture(run: Path, test: str, webtask: str, step: types.Step) -> Path | None:
    """Return the picture of a step that has drifted in a run, as an earlier run took it when it passed.

    It is of the same moment: as many calls were done.
    """
    key = (webtask, step.number, step.kind, step.masked)
    done = len(_PastStep.of(_events(run, test), key).spots)
    for each in _older(run):
        past = _PastStep.of(_events(each, test), key)
        picture = past.spots[done].picture if done < len(past.spots) else past.after
        if past.passed and picture and (path := each / picture.path).is_file():
            return path
    return None


def _older(run: Path) -> list[Path]:
    """Return the runs kept beside a run and before it, newest first."""
    beside = run.parent.iterdir() if run.parent.is_dir() else ()
    older = (each for each in beside if each.is_dir() and each.name < run.name)
    return sorted(older, key=lambda each: each.name, reverse=True)[:_MOST]


_Key = tuple[str, int, str, str]
"""The webtask, number, kind and sentence of a step."""


@dataclass
class _PastStep:
    """A step in an earlier run: where its calls acted, how it left the page, whether it passed."""

    spots: list[page.Spot] = field(default_factory=list)
    after: page.Picture | None = None
    passed: bool = False

    @classmethod
    def of(cls, events: Iterable[JournalEvent], sought: _Key) -> _PastStep:
        """Return the same step in the last attempt of these events."""
        past, is_same = cls(), False
        for event in events:
            if isinstance(event, StepStarted):
                is_same = sought == (event.webtask, event.step, event.step_kind, event.sentence)
                past = cls() if is_same else past
            elif is_same and (event.webtask, event.step) == sought[:2]:
                past.add(event)
        return past

    def add(self, event: JournalEvent) -> None:
        """Add an event of the step."""
        if isinstance(event, ToolCalled) and event.call.spot and event.call.success:
            self.spots.append(event.call.spot)
        elif isinstance(event, StepPictured):
            self.after = event.picture
        elif isinstance(event, StepEnded):
            self.passed = event.status in SUCCESSFUL_STATUSES


def _events(run: Path, test: str) -> Iterator[JournalEvent]:
    """Yield the events of a test in a run. Other lines are not parsed."""
    sign = json.dumps(test, ensure_ascii=False).encode(errors="replace")
    for path in sorted(run.glob("*.jsonl")):
        offsets, offset = [], 0
        with path.open("rb") as file:
            for line in file:
                # A killed process leaves its last line unfinished.
                if sign in line[:1000] and line.endswith(b"}\n"):
                    offsets.append(offset)
                offset += len(line)
        yield from read_at(path, offsets)
