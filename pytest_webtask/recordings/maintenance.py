"""A project's recordings and its runs: which are orphans, and how they are moved."""

from __future__ import annotations

import ast
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pytest_webtask.errors import UsageError
from pytest_webtask.journal import RUNS, read
from pytest_webtask.recordings.schema import RecordedStep
from pytest_webtask.recordings.store import FOLDER, load_recording, path_of, save_recording

__all__ = [
    "Attempt",
    "Function",
    "Stored",
    "as_stored",
    "drop_recordings",
    "function_of",
    "last_pass",
    "list_proposals",
    "list_runs",
    "matching_names",
    "move_recordings",
    "near_matches",
    "read_attempts",
    "root_above",
    "stored",
    "unused_recordings",
]


_NOT_OURS = frozenset((".venv", "venv", "node_modules", ".git", ".webtask", "site-packages"))
_SENTENCES = frozenset(("do", "steps", "verify", "holds", "extract", "select"))
_NAMED = frozenset(("task", "claim", "what", "description"))


@dataclass(frozen=True)
class Stored:
    """A file of recordings, and the module and function whose sentences it holds."""

    path: Path
    module: Path
    function: str

    @property
    def test(self) -> str:
        """How the function is named on a command line."""
        return f"{self.module.as_posix()}::{self.function.replace('.', '::')}"

    @property
    def orphaned(self) -> str:
        """Why nobody can use it any more, "" where somebody can."""
        if not self.module.is_file():
            return f"there is no {self.module.as_posix()}"
        function = function_of(self.module, self.function)
        return "" if function else f"{self.module.as_posix()} has no {self.function}"


@dataclass(frozen=True)
class Function:
    """The texts in a function; with `open`, sentences of it are made when it runs."""

    texts: frozenset[str]
    open: bool


def stored(root: Path, folder: str = FOLDER) -> list[Stored]:
    """All files of recordings below a folder, in the order of their paths."""
    found = []
    for place, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f not in _NOT_OURS]
        found += [each for f in files if (each := as_stored(Path(place, f), folder))]
    return sorted(found, key=lambda each: each.path.parts)


def as_stored(path: Path, folder: str = FOLDER) -> Stored | None:
    """A file by its path, from here; None where no file of recordings would be."""
    path = Path(os.path.relpath(path))
    parts = Path(folder).parts
    if path.suffix != ".json" or path.parts[-len(parts) - 2 : -2] != parts:
        return None
    module = path.parents[len(parts) + 1] / f"{path.parent.name}.py"
    return Stored(path, module, path.stem)


def function_of(module: Path, name: str) -> Function | None:
    """What stands in a function, named as Python does; None where there is none.

    Raises UsageError where the module is no Python.
    """
    try:
        tree = ast.parse(module.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError) as error:
        raise UsageError(f"{module} cannot be read: {error}") from None
    if name == "<module>":
        return _read(tree)
    for node, names in _functions(tree, ()):
        if name in (".".join(names), ".<locals>.".join(names), names[-1] if len(names) > 2 else ""):
            return _read(node)
    return None


def unused_recordings(steps: tuple[RecordedStep, ...], function: Function) -> list[RecordedStep]:
    """The steps whose sentences no longer stand in a function."""
    if function.open:
        return []
    return [step for step in steps if _folded(step.sentence) not in function.texts]


def drop_recordings(each: Stored, steps: list[RecordedStep], *, dry: bool = False) -> list[Path]:
    """Take steps out of a file, which goes with the last one; returns the paths that are gone."""
    recording = load_recording(each.path)
    left = tuple(step for step in recording.steps if step not in steps) if recording else ()
    if recording is not None and left:
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
    """Move the recordings of a function, class or module; returns what went where.

    Raises UsageError where there are none, or others are in the way.
    """
    (module, name), (to_module, to_name) = _named(old), _named(new)
    if bool(name) != bool(to_name):
        raise UsageError(
            f"{old} and {new} are not of a kind: give two modules (tests/test_x.py), or two"
            " functions (tests/test_x.py::test_y)"
        )
    pairs = list(_pairs(module, name, to_module, to_name, folder))
    if not pairs:
        there = [each.test for each in stored(Path(), folder)]
        listed = f"; near are\n{near_matches(old, there)}" if there else ", nor any other"
        raise UsageError(f"there is no recording of {old}{listed}\ntype: pytest-webtask list")
    taken = [str(to) for _, to in pairs if to.exists()]
    if taken:
        listed = "\n".join(f"  {path}" for path in taken)
        raise UsageError(f"nothing is moved, there are recordings of {new} already:\n{listed}")
    for path, to in pairs:
        to.parent.mkdir(parents=True, exist_ok=True)
        path.rename(to)
    for path, _ in pairs:
        _remove_empty(path.parent)
    return pairs


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
    """A file of recordings, and what is kept for it under the same name, such as pictures."""
    return [p for p in (path, path.with_suffix("")) if p.exists()] if path.exists() else []


def _named(test: str) -> tuple[Path, str]:
    module, _, name = test.partition("::")
    if not module.endswith(".py"):
        raise UsageError(
            f"{test!r} names no module: it is written tests/test_x.py, or tests/test_x.py::test_y"
        )
    return Path(module), name.partition("[")[0].replace("::", ".")


def _functions(
    node: ast.AST, around: tuple[str, ...]
) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, tuple[str, ...]]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield child, (*around, child.name)
            yield from _functions(child, (*around, child.name))
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, (*around, child.name))
        else:
            yield from _functions(child, around)


def _read(node: ast.AST) -> Function:
    texts, is_open = set(), False
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            texts.add(_folded(each.value))
        if not isinstance(each, ast.Call) or not isinstance(each.func, ast.Attribute):
            continue
        if each.func.attr in _SENTENCES:
            given = [*each.args[:1], *(k.value for k in each.keywords if k.arg in (None, *_NAMED))]
            is_open |= any(
                not (isinstance(g, ast.Constant) and isinstance(g.value, str)) for g in given
            )
    return Function(frozenset(texts), is_open)


def _folded(text: str) -> str:
    return " ".join(text.split())


def _remove_empty(folder: Path) -> None:
    """Remove a module's folder of recordings, and the one around it, if nothing is left in it."""
    for each in (folder, folder.parent):
        if each.is_dir() and not any(each.iterdir()):
            each.rmdir()


_KINDS = frozenset(("step", "step_end", "made", "page", "phase"))
_PHASES = {"setup", "call", "teardown"}


@dataclass
class Attempt:
    """The lines of one test in one run, of its last attempt; `phases` are outcomes by phase."""

    lines: list[dict[str, Any]] = field(default_factory=list)
    phases: dict[str, str] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        """Whether all of it did."""
        return self.phases.keys() >= _PHASES and {*self.phases.values()} == {"passed"}


def root_above(folder: Path) -> Path:
    """The folder of the project, from here upwards. Raises UsageError."""
    for each in (folder, *folder.parents):
        if (each / RUNS).is_dir():
            return each
    raise UsageError(
        f"there is no {RUNS.as_posix()} in {folder} or above it: no test was run here yet\n"
        "type: pytest"
    )


def list_runs(root: Path, name: str = "") -> list[Path]:
    """The folders of runs, the newest first; or the one of a name. Raises UsageError."""
    found = sorted((p for p in (root / RUNS).iterdir() if p.is_dir()), reverse=True)
    if not name:
        return found
    name = Path(name).name
    for run in found:
        if run.name == name:
            return [run]
    newest = ", ".join(run.name for run in found[:5]) or "none"
    raise UsageError(f"there is no run {name!r} in {root / RUNS}; the newest are {newest}")


def read_attempts(run: Path) -> dict[str, Attempt]:
    """What was done in each test of a run, by the test's node id."""
    found: dict[str, Attempt] = {}
    for line in read(run):
        test = line.get("test")
        if line["kind"] not in _KINDS or not isinstance(test, str):
            continue
        attempt = found.setdefault(test, Attempt())
        # A rerun begins where everything of the test had ended.
        if "teardown" in attempt.phases:
            attempt = found[test] = Attempt()
        if line["kind"] == "phase":
            attempt.phases[str(line.get("when"))] = str(line.get("outcome"))
        else:
            attempt.lines.append(line)
    return found


def matching_names(wanted: str, names: Iterable[str]) -> list[str]:
    """The names that are meant: that very one, those that end so, or those that it is a part of."""
    known = sorted(set(names))
    ends = [f"{mark}{wanted}" for mark in ("/", "::", ".")]
    unparametrized = [n for n in known if n.partition("[")[0].endswith(tuple(ends))]
    return (
        [n for n in known if n == wanted]
        or [n for n in known if n.endswith(tuple(ends))]
        or unparametrized
        or [n for n in known if n.partition("[")[0] == wanted]
        or [n for n in known if wanted in n]
    )


def near_matches(wanted: str, names: Iterable[str]) -> str:
    """What else might have been meant, for an error."""
    short = {name.rpartition("::")[2] or name: name for name in sorted(set(names))}
    close = get_close_matches(wanted.rpartition("::")[2], short, n=5, cutoff=0.4)
    return "\n".join(f"  {short[name]}" for name in close or list(short)[:5])


def last_pass(root: Path, wanted: str, run: str = "") -> tuple[str, dict[str, Attempt], Path]:
    """A test, all tests of the run in which it last passed whole, and that run.

    Raises UsageError.
    """
    known: set[str] = set()
    failed = ""
    for folder in list_runs(root, run):
        tests = read_attempts(folder)
        known |= tests.keys()
        found = matching_names(wanted, tests)
        if len(found) > 1:
            listed = "\n".join(f"  {name}" for name in found)
            raise UsageError(f"{wanted!r} may be one of these:\n{listed}\nname one of them")
        for name in found:
            if tests[name].passed:
                return name, tests, folder
            failed = failed or name
    where = f"the run {run}" if run else "any run"
    if failed:
        raise UsageError(f"{failed} has not passed whole in {where}\ntype: pytest {_typed(failed)}")
    if not known:
        raise UsageError(f"no test with a webtask is in {where}\ntype: pytest")
    raise UsageError(
        f"there is no test {wanted!r} in {where}; near are\n{near_matches(wanted, known)}\n"
        "name one of these, or run it first: pytest TEST"
    )


def list_proposals(run: Path) -> Iterator[dict[str, Any]]:
    """The heals of a run that wait to be accepted.

    What a test went on with, and then failed, has shown nothing; what stopped it is a proposal only.
    """
    lines = list(read(run))
    failed = {
        (line.get("test"), line.get("attempt", 1))
        for line in lines
        if line["kind"] == "phase" and line.get("outcome") == "failed"
    }
    for line in lines:
        at = (line.get("test"), line.get("attempt", 1))
        if line["kind"] == "proposal" and not (line.get("used", True) and at in failed):
            yield line


def _typed(test: str) -> str:
    return f'"{test}"' if set(test) & set(" []") else test
