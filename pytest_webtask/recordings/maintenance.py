"""List, move and prune the recordings of a project."""

from __future__ import annotations

import ast
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pytest_webtask.errors import UsageError
from pytest_webtask.kept_runs import near_matches, root_above
from pytest_webtask.phrases import folded, reason_of
from pytest_webtask.recordings.features import SUFFIX, scenarios_of
from pytest_webtask.recordings.schema import Kind, RecordedStep
from pytest_webtask.recordings.store import (
    FOLDER,
    definitions,
    load_recording,
    module_of,
    path_of,
    save_recording,
)
from pytest_webtask.types.step import step_name

_NOT_OURS = frozenset((".venv", "venv", "node_modules", ".git", ".webtask", "site-packages"))
_KINDS: dict[str, Kind] = {
    "do": "do",
    "steps": "do",
    "verify": "verify",
    "holds": "holds",
    "extract": "extract",
    "select": "select",
}
"""The kinds of steps by the methods of `Webtask`."""
_NAMED = frozenset(("task", "claim", "what", "description"))


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

    @property
    def orphaned(self) -> str:
        """The reason why no function uses the file, or "" if one does."""
        if not self.module.is_file():
            return f"there is no {self.module.as_posix()}"
        function = function_of(self.module, self.function)
        return "" if function else f"{self.module.as_posix()} has no {self.function}"


@dataclass(frozen=True)
class Function:
    """The string literals in a function, and the steps whose sentences they are.

    `open` means that the function builds sentences at run time. `steps` are those of a variable
    `webtask`: another object can have such methods, too.
    """

    texts: frozenset[str]
    steps: tuple[tuple[Kind, str], ...]
    open: bool


def stored(root: Path, folder: str = FOLDER) -> list[Stored]:
    """Return all recording files below a folder, sorted by path."""
    recordings: list[Stored] = []
    for place, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f not in _NOT_OURS]
        recordings += [each for f in files if (each := as_stored(Path(place, f), folder))]
    return sorted(recordings, key=lambda each: each.path.parts)


def as_stored(path: Path, folder: str) -> Stored | None:
    """Return the recording file at a path, or None if the path cannot be one."""
    path = Path(os.path.relpath(path))
    parts = Path(folder).parts
    if path.suffix != ".json" or path.parts[-len(parts) - 2 : -2] != parts:
        return None
    return Stored(path, module_of(path, folder), path.stem)


def function_of(module: Path, name: str) -> Function | None:
    """Return the texts of a function by its qualified name, or of a scenario, or None if there is none.

    Raises UsageError if the module cannot be parsed.
    """
    if module.suffix == SUFFIX:
        scenario = scenarios_of(module).get(name)
        return Function(scenario.sentences, (), scenario.is_outline) if scenario else None
    try:
        tree = ast.parse(module.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError) as error:
        raise UsageError(f"{module} cannot be read: {reason_of(error)}; correct the file") from None
    if name == "<module>":
        return _texts_of(tree)
    for node, names in definitions(tree):
        if not isinstance(node, ast.ClassDef) and name in (
            ".".join(names),
            ".<locals>.".join(names),
            names[-1] if len(names) > 2 else "",
        ):
            return _texts_of(node)
    return None


def unrecorded_sentence(
    module: Path, function: str, folder: str, mode: str, *, literally: bool
) -> str:
    """Return the first sentence of a test's own that a model must decide, "" if none is known.

    Nothing is run, so sentences that are built at run time or are in other functions are not known.
    Raises UsageError for a module that cannot be read, and DamagedRecording.
    """
    from pytest_webtask.literal import is_literal

    found = function_of(module, function)
    steps = load_recording(path_of(module, function, folder)).steps if mode == "auto" else ()
    recorded = {(step.kind, folded(step.sentence)) for step in steps}
    for kind, sentence in found.steps if found else ():
        if (kind, sentence) not in recorded and not (literally and is_literal(kind, sentence)):
            return step_name(kind, sentence)
    return ""


def unused_recordings(steps: tuple[RecordedStep, ...], function: Function) -> list[RecordedStep]:
    """Return the steps whose sentences a function no longer contains."""
    if function.open:
        return []
    return [step for step in steps if folded(step.sentence) not in function.texts]


def drop_recordings(each: Stored, steps: list[RecordedStep], *, dry: bool = False) -> list[Path]:
    """Remove steps from a file, and an empty file itself; return the deleted paths."""
    recording = load_recording(each.path)
    left = tuple(step for step in recording.steps if step not in steps)
    if left:
        if not dry:
            save_recording(each.path, recording.model_copy(update={"steps": left}))
        return []
    gone = _of(each.path)
    if not dry:
        for path in gone:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        _remove_empty(each.path.parent)
    return gone


def move_recordings(old: str, new: str, folder: str = FOLDER) -> list[tuple[Path, Path]]:
    """Move the recordings of a function, class or module; return pairs of old and new paths.

    Raises UsageError if there are none, if the new paths exist, or if one is outside the project.
    """
    (module, name), (to_module, to_name) = named_function(old), named_function(new)
    if bool(name) != bool(to_name):
        raise UsageError(
            f"can't move {old} to {new}: name two modules (tests/test_x.py), or two functions"
            " (tests/test_x.py::test_y)"
        )
    pairs = list(_pairs(module, name, to_module, to_name, folder))
    if not pairs:
        there = [each.test for each in stored(Path(), folder)]
        if not there:
            raise UsageError(
                f"there is no recording of {old}, nor any other below {Path.cwd()}; run this in the folder"
                " of the project"
            )
        raise UsageError(
            f"there is no recording of {old}; some that exist:\n{near_matches(old, there)}\n"
            "to list all, type: pytest-webtask list"
        )
    root = _project()
    for each in (path for pair in pairs for path in pair):
        if not each.resolve().is_relative_to(root):
            raise UsageError(
                f"nothing was moved: {each} is not in the project, which is {root}; name a path in it"
            )
    taken = [str(to) for _, to in pairs if to.exists()]
    if taken:
        listed = "\n".join(f"  {path}" for path in taken)
        raise UsageError(
            f"nothing was moved: there are recordings of {new} already:\n{listed}\n"
            "delete them or choose another name"
        )
    for path, to in pairs:
        to.parent.mkdir(parents=True, exist_ok=True)
        path.rename(to)
    for path, _ in pairs:
        _remove_empty(path.parent)
    return pairs


def _project() -> Path:
    """Return the folder of the project: where its tests were run, else the working folder."""
    here = Path.cwd().resolve()
    with suppress(UsageError):
        return root_above(here)
    return here


def _pairs(
    module: Path, name: str, to_module: Path, to_name: str, folder: str
) -> Iterator[tuple[Path, Path]]:
    here, there = (path_of(m, "_", folder).parent for m in (module, to_module))
    if not name:
        for path in sorted(here.iterdir()) if here.is_dir() else ():
            yield path, there / path.name
        return
    found = _of(here / f"{name}.json")
    for path in found:
        yield path, there / f"{to_name}{path.name[len(name) :]}"
    if not found and here.is_dir():
        for path in sorted(here.glob(f"{name}.*.json")):
            for part in _of(path):
                yield part, there / f"{to_name}{part.name[len(name) :]}"


def _of(path: Path) -> list[Path]:
    """Return a recording file and its folder of pictures, as far as they exist."""
    return [p for p in (path, path.with_suffix("")) if p.exists()] if path.exists() else []


def named_function(test: str) -> tuple[Path, str]:
    """Return the module and the qualified name of a test's function. Raises UsageError."""
    module, _, name = test.partition("::")
    if not module.endswith((".py", SUFFIX)):
        raise UsageError(
            f"{test!r} names no module: write tests/test_x.py, or tests/test_x.py::test_y"
        )
    return Path(module), name.partition("[")[0].replace("::", ".")


def _texts_of(node: ast.AST) -> Function:
    texts, steps, is_open = set(), [], False
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            texts.add(folded(each.value))
        if not isinstance(each, ast.Call) or not isinstance(each.func, ast.Attribute):
            continue
        if kind := _KINDS.get(each.func.attr):
            sentences = [
                *each.args[:1],
                *(k.value for k in each.keywords if k.arg in (None, *_NAMED)),
            ]
            for sentence in sentences:
                if isinstance(sentence, ast.Constant) and isinstance(sentence.value, str):
                    if ast.unparse(each.func.value) == "webtask":
                        steps.append((kind, folded(sentence.value)))
                else:
                    is_open = True
    return Function(frozenset(texts), tuple(steps), is_open)


def _remove_empty(folder: Path) -> None:
    """Remove a module's folder of recordings and its parent if they are empty."""
    for each in (folder, folder.parent):
        if each.is_dir() and not any(each.iterdir()):
            each.rmdir()
