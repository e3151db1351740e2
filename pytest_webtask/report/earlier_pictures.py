"""The pictures of a step that drifted, as an earlier run on this machine took them when it passed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pytest_webtask.journal.runs import EarlierPicture, Run, StepRecord
from pytest_webtask.report.view import Pictures, Test
from pytest_webtask.types.page import Spot

_MOST = 10
"""The most earlier runs that are searched for a step."""


def add_earlier_pictures(test: Test, runs: Sequence[Path], pictures: Pictures) -> None:
    """Add to each drifted step the picture of the same moment in the newest earlier run in which it passed."""
    first = min(runs, key=lambda run: run.name)
    for step in (step for attempt in test.attempts for step in attempt.steps):
        if step.status == "drifted":
            for run, then in _moments(first, test.id, _key(step), len(_spots(step))):
                # A picture may be missing.
                if (there := pictures.added(run, then)).picture is not None:
                    step.then = there
                    break


def _moments(run: Path, test: str, key: _Key, done: int) -> Iterator[tuple[Path, EarlierPicture]]:
    """Yield the earlier runs in which a step passed, with its picture after so many calls."""
    beside = filter(Path.is_dir, run.parent.glob("*"))
    older = sorted((each for each in beside if each.name < run.name), reverse=True)
    for each in older[:_MOST]:
        step = _find_step(each, test, key)
        if step is None or not step.ok:
            continue
        if spots := _spots(step)[done:]:
            own = {"picture": spots[0].picture, "spot": spots[0], "call": done + 1}
            yield each, EarlierPicture.model_validate({"run": each.name, **own})
        elif step.after:
            yield each, EarlierPicture(run=each.name, picture=step.after)


_Key = tuple[str, int, str, str]
"""The webtask, number, kind and sentence of a step."""


def _key(step: StepRecord) -> _Key:
    return step.webtask, step.number, step.kind, step.sentence


def _find_step(run: Path, test: str, key: _Key) -> StepRecord | None:
    attempts = Run.read(run, test).attempts.values()
    steps = [step for each in attempts for step in each.steps if _key(step) == key]
    return steps[-1] if steps else None


def _spots(step: StepRecord) -> list[Spot]:
    return [call.spot for call in step.calls if call.spot and call.success]
