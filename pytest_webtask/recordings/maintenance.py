"""List, move and drop the recordings of a project."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal

from pytest_webtask.errors import UsageError
from pytest_webtask.journal.kept_runs import near_matches, root_above
from pytest_webtask.journal.schema import RecordedStep
from pytest_webtask.recordings.sources import SUFFIX, WrittenStep, function_of, scopes_dropped
from pytest_webtask.recordings.store import (
    FOLDER,
    load_recording,
    module_of,
    path_of,
    save_recording,
)

_NOT_OURS = frozenset((".venv", "venv", "node_modules", ".git", ".webtask", "site-packages"))


@dataclass(frozen=True)
class Stored:
    """A recording file with its module and function."""

    path: Path
    module: Path
    function: str

    @property
    def test(self) -> str:
        """The name of the function on the command line."""
        return f"{self.module.as_posix()}::{self.function.replace('.', '::')}"

    def unused(self) -> list[RecordedStep]:
        """Return the steps whose sentences no function contains. Raises UsageError and DamagedRecording."""
        steps = load_recording(self.path).steps
        function = function_of(self.module, self.function) if self.module.is_file() else None
        return [step for step in steps if function is None or not function.has(step)]


def stored(root: Path, folder: str = FOLDER) -> list[Stored]:
    """Return all recording files below a folder, sorted by path."""
    recordings: list[Stored] = []
    for place, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f not in _NOT_OURS]
        # A folder with the name of a recording is one that cannot be read.
        paths = (Path(place, each) for each in (*folders, *files))
        recordings += [each for path in paths if (each := as_stored(path, folder))]
    return sorted(recordings, key=lambda each: each.path.parts)


def as_stored(path: Path, folder: str) -> Stored | None:
    """Return the recording file at a path, or None if the path cannot be one."""
    path = Path(os.path.relpath(path))
    parts = Path(folder).parts
    if path.suffix != ".json" or path.parts[-len(parts) - 2 : -2] != parts:
        return None
    return Stored(path, module_of(path, folder), path.stem)


State = Literal["recorded", "literal", "missing", "unknown"]
"""What decides a step: its recording, the literal interpreter, a model if there is one; unknown before it runs."""


def states_of(
    module: Path, function: str, folder: str, mode: str, *, literally: bool
) -> Iterator[tuple[WrittenStep, State]]:
    """Yield the steps that a function has in its code, and what decides each.

    Nothing is run, so what other functions do is not known, nor to which part of the page a sentence is limited.
    Raises UsageError for a module that cannot be read, and DamagedRecording.
    """
    from pytest_webtask.literal import is_literal

    found = function_of(module, function)
    recorded = set()
    if mode in ("auto", "replay"):
        for step in load_recording(path_of(module, function, folder)).steps:
            recorded |= {(step.kind, each) for each in scopes_dropped(step.sentence)}
    for written in found.steps if found else ():
        state: State = "missing"
        if not written.sentence:
            state = "unknown"
        elif (written.kind, written.sentence) in recorded:
            state = "recorded"
        elif literally and is_literal(written.kind, written.sentence):
            state = "literal"
        yield written, state


def drop_recordings(each: Stored, steps: list[RecordedStep]) -> None:
    """Remove steps from a file, and an empty file itself with its pictures."""
    recording = load_recording(each.path)
    left = tuple(step for step in recording.steps if step not in steps)
    if left:
        save_recording(each.path, recording.model_copy(update={"steps": left}))
        return
    each.path.unlink()
    shutil.rmtree(each.path.with_suffix(""), ignore_errors=True)
    _remove_empty(each.path.parent)


def move_recordings(old: str, new: str, folder: str = FOLDER) -> list[tuple[Path, Path]]:
    """Move the recordings of a function, class or module; return pairs of old and new paths.

    Raises UsageError if there are none, if the new paths exist, or if one is outside the project.
    """
    (module, name), (to_module, to_name) = _named_function(old), _named_function(new)
    if bool(name) != bool(to_name):
        raise UsageError(
            f"can't move {old} to {new}: name two modules (tests/test_x.py), or two functions"
            " (tests/test_x.py::test_y)"
        )
    here, there = (path_of(m, "_", folder).parent for m in (module, to_module))
    pairs = [
        (path, there / f"{to_name}{path.name[len(name) :]}")
        for path in sorted(here.glob("*"))
        # A function has a folder of pictures, too; the functions of a class begin with its name.
        if not name or path.name == name or path.name.startswith(f"{name}.")
    ]
    if not pairs:
        names = [each.test for each in stored(Path(), folder)]
        raise UsageError(
            f"there is no recording of {old} below {Path.cwd()}; some that exist:\n{near_matches(old, names)}\n"
            "to list all, type: pytest-webtask recordings list"
        )
    root = Path.cwd().resolve()
    with suppress(UsageError):
        root = root_above(root)
    for path in chain.from_iterable(pairs):
        if not path.resolve().is_relative_to(root):
            raise UsageError(
                f"nothing was moved: {path} is not in the project, which is {root}; name a path in it"
            )
    taken = "\n".join(f"  {to}" for _, to in pairs if to.exists())
    if taken:
        raise UsageError(
            f"nothing was moved: there are recordings of {new} already:\n{taken}\n"
            "delete them or choose another name"
        )
    there.mkdir(parents=True, exist_ok=True)
    for path, to in pairs:
        path.rename(to)
    _remove_empty(here)
    return pairs


def _named_function(test: str) -> tuple[Path, str]:
    """Return the module and the qualified name of a test's function. Raises UsageError."""
    module, _, name = test.partition("::")
    if not module.endswith((".py", SUFFIX)):
        raise UsageError(
            f"{test!r} names no module: write tests/test_x.py, or tests/test_x.py::test_y"
        )
    return Path(module), name.partition("[")[0].replace("::", ".")


def _remove_empty(folder: Path) -> None:
    """Remove a module's folder of recordings and its parent if they are empty."""
    for each in (folder, folder.parent):
        with suppress(OSError):
            each.rmdir()
