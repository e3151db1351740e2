"""Heals that wait in a run: what they would change, and putting it into the recordings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pytest_webtask.errors import UsageError
from pytest_webtask.recordings.files import load, save
from pytest_webtask.recordings.merging import keep_pictures
from pytest_webtask.recordings.review import told
from pytest_webtask.recordings.runs import matching, near, proposals, runs
from pytest_webtask.recordings.steps import Approval, Recording, Step, digest, is_edited

__all__ = ["Accepted", "accept", "accept_edited", "waiting"]


@dataclass(frozen=True)
class Accepted:
    """What came of a proposal: `refused` says why it was not taken; the rest is for reading."""

    step: str
    path: Path
    test: str
    changes: tuple[str, ...] = ()
    refused: str = ""
    known: bool = False


def waiting(root: Path, run: str = "", test: str = "") -> tuple[Path, list[dict[str, Any]]]:
    """A run and its proposals: of the newest run that has any, if none is named.

    Raises UsageError where there are none.
    """
    seen: set[str] = set()
    for folder in runs(root, run):
        found = list(proposals(folder))
        if test and found:
            names = {str(line.get("test")) for line in found}
            seen |= names
            meant = matching(test, names)
            found = [line for line in found if line.get("test") in meant]
        if found:
            return folder, found
    where = f"the run {run}" if run else "any run"
    if test and seen:
        raise UsageError(
            f"no heal of {test!r} waits in {where}; there are those of\n{near(test, seen)}"
        )
    raise UsageError(
        f"no heal waits in {where}: there is nothing to accept\n"
        "a test that drifted proposes one: pytest TEST"
    )


def accept(
    root: Path, run: Path, lines: list[dict[str, Any]], *, dry: bool = False
) -> Iterator[Accepted]:
    """Put a run's proposals into the files, where each is as the proposal knew it."""
    done: dict[tuple[Path, object], Step] = {}
    begun: dict[Path, Recording] = {}
    for line in lines:
        test, name = str(line.get("test")), str(line.get("file"))
        path = (root / name).resolve()
        try:
            step = Step.model_validate(line.get("made"))
            was = Step.model_validate(line["was"]) if line.get("was") else None
        except ValidationError as error:
            wrong = error.errors(include_url=False)[0]
            refused = f"the proposal cannot be read: {wrong['msg']}"
            yield Accepted(f"step {line.get('step')}", path, test, refused=refused)
            continue
        if not path.is_relative_to(root.resolve()) or path.suffix != ".json":
            yield Accepted(told(step), path, test, refused=f"{name!r} is no recording here")
            continue
        if path not in begun:
            begun[path] = load(path) or Recording(version=2)
        there = {each.key: each for each in begun[path].steps}
        now = there.get(step.key)
        if (path, step.key) in done:
            if done[path, step.key] != step:
                other = "another test of this run proposes something else: accept one TEST"
                yield Accepted(told(step), path, test, refused=other)
            continue
        if now == step:
            yield Accepted(told(step), path, test, known=True)
            continue
        # Of a variant it may be the first: then what it was is the step that serves all.
        if "was" in line and was != (there.get(was.key) if was else now):
            stale = "the recording has changed since: run the test again, pytest TEST"
            yield Accepted(told(step), path, test, refused=stale)
            continue
        done[path, step.key] = step
        if not dry:
            save(path, _with(load(path) or Recording(version=2), step))
            keep_pictures(run, path, line.get("pictures") or {})
        yield Accepted(told(step), path, test, tuple(_changes(line)))


def accept_edited(path: Path, by: str, *, dry: bool = False) -> list[Step]:
    """Return the steps of a file that nobody approved as they are, each approved by a person now."""
    recording = load(path)
    edited = [each for each in (recording.steps if recording else ()) if is_edited(each)]
    day = f"{datetime.now(timezone.utc):%Y-%m-%d}"
    accepted = [
        each.model_copy(
            update={"approved": Approval(by=by, on=day, digest=digest(each), person=True)}
        )
        for each in edited
    ]
    if recording and accepted and not dry:
        for each in accepted:
            recording = _with(recording, each)
        save(path, recording)
    return accepted


def _with(recording: Recording, step: Step) -> Recording:
    steps = [step if each.key == step.key else each for each in recording.steps]
    if step not in steps:
        steps.append(step)
    return recording.model_copy(update={"steps": tuple(steps)})


def _changes(line: dict[str, Any]) -> Iterator[str]:
    for each in line.get("healed") or ():
        if isinstance(each, dict):
            yield f"{each.get('old') or '(nothing)'} → {each.get('new') or '(nothing)'}"
