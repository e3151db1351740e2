"""List, move and prune the recordings of a project."""

from __future__ import annotations

import ast
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from pytest_webtask.data.phrases import folded, reason_of
from pytest_webtask.errors import UsageError
from pytest_webtask.journal.kept_runs import near_matches, root_above
from pytest_webtask.journal.schema import Kind, RecordedStep
from pytest_webtask.recordings.features import SUFFIX, scenarios_of
from pytest_webtask.recordings.store import (
    FOLDER,
    definitions,
    load_recording,
    module_of,
    path_of,
    save_recording,
)

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
_NAMED = frozenset(("task", "claim", "what", "description", "part"))


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


class WrittenStep(NamedTuple):
    """A step as code has it: the object it is called on, and the line and `code` of its sentence.

    `sentence` has the parts of the page around it; it is "" if it is built at run time.
    """

    kind: Kind
    sentence: str
    owner: str
    line: int
    code: str


@dataclass(frozen=True)
class Function:
    """The string literals in a function, and the steps in its code.

    `open` means that the function builds sentences at run time. `steps` are those of a variable
    `webtask`: another object can have such methods, too.
    """

    texts: frozenset[str]
    steps: tuple[WrittenStep, ...]
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


State = Literal["recorded", "literal", "missing", "unknown"]
"""What decides a step: its recording, the literal interpreter, a model if there is one; unknown before it runs."""


def states_of(
    module: Path, function: str, folder: str, mode: str, *, literally: bool
) -> Iterator[tuple[WrittenStep, State]]:
    """Yield the steps that a function has in its code, and what decides each.

    Nothing is run, so what other functions do is not known. A part of the page that a caller has chosen may be any.
    Raises UsageError for a module that cannot be read, and DamagedRecording.
    """
    from pytest_webtask.literal import is_literal

    found = function_of(module, function)
    file = path_of(module, function, folder)
    steps = load_recording(file).steps if mode in ("auto", "replay") else ()
    recorded = {(step.kind, each) for step in steps for each in _scopes_dropped(step.sentence)}
    for step in found.steps if found else ():
        state: State = "missing"
        if not step.sentence:
            state = "unknown"
        elif (step.kind, step.sentence) in recorded:
            state = "recorded"
        elif literally and is_literal(step.kind, step.sentence):
            state = "literal"
        yield step, state


def _scopes_dropped(sentence: str) -> Iterator[str]:
    """Yield a sentence, and what it says without each of the parts of the page that it begins with."""
    from pytest_webtask.literal.grammar import without_scopes

    return map(folded, without_scopes(sentence))


def unused_recordings(steps: tuple[RecordedStep, ...], function: Function) -> list[RecordedStep]:
    """Return the steps whose sentences a function no longer contains."""
    if function.open:
        return []
    return [step for step in steps if function.texts.isdisjoint(_scopes_dropped(step.sentence))]


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
            "to list all, type: pytest-webtask recordings list"
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
    texts = (e.value for e in ast.walk(node) if isinstance(e, ast.Constant))
    steps = [*_steps_of(node)]
    return Function(
        frozenset(folded(each) for each in texts if isinstance(each, str)),
        tuple(step for step in steps if step.owner == "webtask"),
        any(not step.sentence for step in steps),
    )


def _steps_of(node: ast.AST, scope: tuple[tuple[str, str], ...] = ()) -> Iterator[WrittenStep]:
    """Yield the steps below a node in their order, limited to the parts of the page around them."""
    if isinstance(node, ast.With):
        for item in node.items:
            yield from _steps_of(item, scope)
            scope += tuple(_scope_of(item.context_expr))
        for statement in node.body:
            yield from _steps_of(statement, scope)
        return
    for method, owner, given in _method_calls(node):
        if kind := _KINDS.get(method):
            for each in given:
                parts = [part for name, part in scope if name == owner]
                text = _text(each)
                is_known = all((text.strip(), *parts))
                sentence = folded("".join((*parts, text))) if is_known else ""
                yield WrittenStep(kind, sentence, owner, each.lineno, ast.unparse(each))
    for child in ast.iter_child_nodes(node):
        yield from _steps_of(child, scope)


def _scope_of(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the object and the beginning of its sentences, "" if unknown, for a call of `within`."""
    from pytest_webtask.literal.grammar import begin_in

    for method, owner, given in _method_calls(node):
        if method == "within":
            beginning = ""
            with suppress(UsageError):
                beginning = begin_in(_text(given[0])) if given else ""
            yield owner, beginning


def _method_calls(node: ast.AST) -> Iterator[tuple[str, str, list[ast.expr]]]:
    """Yield the method, the object and the sentences of a node that is a call of a method."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        named = (k.value for k in node.keywords if k.arg in (None, *_NAMED))
        yield node.func.attr, ast.unparse(node.func.value), [*node.args[:1], *named]


def _text(node: ast.expr) -> str:
    """Return the text that a literal is, "" for any other expression."""
    value = node.value if isinstance(node, ast.Constant) else ""
    return value if isinstance(value, str) else ""


def _remove_empty(folder: Path) -> None:
    """Remove a module's folder of recordings and its parent if they are empty."""
    for each in (folder, folder.parent):
        if each.is_dir() and not any(each.iterdir()):
            each.rmdir()
