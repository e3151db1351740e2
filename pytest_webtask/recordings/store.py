"""The recordings of a project, as they are on disk and as this run has made them so far."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pytest_webtask.recordings.files import load, path_of
from pytest_webtask.recordings.places import Place
from pytest_webtask.recordings.steps import VERSION, Key, Recording, Step

__all__ = ["Store", "merged"]


@dataclass
class Store:
    """Finds steps. `folder` is the name of the folder beside each module, `root` the project's.

    What a test has recorded can be replayed by the tests after it, once it has passed.
    """

    root: Path
    folder: str
    _read: dict[Path, dict[Key, Step]] = field(default_factory=dict)
    _fresh: list[tuple[Path, Step]] = field(default_factory=list)

    def file(self, place: Place) -> Path:
        """The file of a function's recording, whether there is one or not."""
        return path_of(place.module, place.function, self.folder)

    def find(self, place: Place, key: Key) -> Step | None:
        """The step of that key, or of no variant if its own has none. Raises DamagedRecording."""
        steps = self._steps(self.file(place))
        return steps.get(key) or steps.get(key.model_copy(update={"variant": ""}))

    def reads(self, place: Place) -> bool:
        """Whether a function reads values, or asks what holds."""
        return any(k.kind in ("extract", "holds") for k in self._steps(self.file(place)))

    def has_kind(self, place: Place, kind: str) -> bool:
        """Whether a step of a function rests on a check of that kind."""
        steps = self._steps(self.file(place)).values()
        return any(e.kind == kind for s in steps for e in (*s.evidence, *s.otherwise))

    def keep(self, place: Place, step: Step) -> None:
        """Take in what the test at work has recorded."""
        self._fresh.append((self.file(place), step))

    def end_test(self, *, passed: bool) -> None:
        """Let the tests to come replay what this one has recorded, if it has passed."""
        fresh, self._fresh = self._fresh, []
        for path, step in fresh if passed else ():
            self._steps(path).setdefault(step.key, step)

    def near(self, place: Place, key: Key) -> list[str]:
        """Why a step may be missing, in words: a value in its sentence, a test that was renamed."""
        said = []
        path = self.file(place)
        for step in self._steps(path).values():
            if step.kind == key.kind and (
                values := _differs_in_a_value(step.sentence, key.sentence)
            ):
                said.append(
                    f"recorded is {step.sentence!r}: where a value changes ({' for '.join(values)}),"
                    f' write {{name}} and give data={{"name": ...}}'
                )
                break
        for other in self._orphans(path):
            if any(
                s.kind == key.kind and s.sentence == key.sentence
                for s in self._steps(other).values()
            ):
                old = f"{place.module.parent / other.parent.name}.py::{other.stem}"
                new = f"{place.module}::{place.function}"
                told = [self._shown(Path(each)) for each in (old, new)]
                said.append(
                    f"{self._shown(other)} has it, whose function is gone; if that was renamed:"
                    f" pytest-webtask mv {told[0]} {told[1]}"
                )
        return said

    def _steps(self, path: Path) -> dict[Key, Step]:
        if path not in self._read:
            recording = load(path)
            self._read[path] = {step.key: step for step in recording.steps} if recording else {}
        return self._read[path]

    def _orphans(self, path: Path) -> Iterator[Path]:
        """Files beside this one whose function is no longer in the module."""
        for other in sorted(path.parent.parent.glob("*/*.json")):
            module = other.parent.parent.parent / f"{other.parent.name}.py"
            if other != path and other.stem not in _functions(module):
                yield other

    def _shown(self, path: Path) -> str:
        return (
            path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)
        )


def merged(
    old: Recording | None, ran: Mapping[Key, Step | None], *, only: bool = False
) -> Recording:
    """A recording with what was recorded anew, each step in place or behind the one before it.

    `ran` are the steps of a run in their order, None for each that was not recorded anew. With
    `only`, steps that did not run are dropped, but for those of other variants and webtasks.
    """
    known = {step.key: step for step in old.steps} if old else {}
    kinds = {(key.variant, key.webtask) for key in ran}
    steps = {
        key: step
        for key, step in known.items()
        if key in ran or not only or (key.variant, key.webtask) not in kinds
    }
    order = list(steps)
    last: Key | None = None
    for key, step in ran.items():
        if step is None and key not in steps:
            continue
        if key not in steps:
            at = order.index(last) + 1 if last in order else len(order) if last else 0
            order.insert(at if last or not order else len(order), key)
        steps[key] = step or steps[key]
        last = key
    return Recording(version=VERSION, steps=tuple(steps[key] for key in order))


def _differs_in_a_value(recorded: str, said: str) -> list[str]:
    """The words in which a sentence differs from a recorded one, if those look like a value."""
    one, two = (re.findall(r"\w+|[^\w\s]", text) for text in (recorded, said))
    if len(one) != len(two):
        return []
    pairs = [(a, b) for a, b in zip(one, two, strict=True) if a != b]
    if len(pairs) != 1:
        return []
    (pair,) = pairs
    return list(pair) if any(re.search(r"\d", word) for word in pair) or len(one) > 2 else []


def _functions(module: Path) -> set[str]:
    """The functions of a module, named as recordings are."""
    try:
        tree = ast.parse(module.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return set()
    found = {"_module"}

    def inside(node: ast.AST, path: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = path
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{path}.{child.name}".lstrip(".")
                found.add(name)
            inside(child, name)

    inside(tree, "")
    return found
