"""The files of recordings: where a call has its own, and how they are read and written."""

from __future__ import annotations

import ast
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import CO_GENERATOR
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from pydantic import ValidationError

from pytest_webtask.errors import DamagedRecording
from pytest_webtask.recordings.schema import VERSION, Key, RecordedStep, Recording

__all__ = [
    "FOLDER",
    "CallSite",
    "CallSiteRuns",
    "Store",
    "current_call_site",
    "dump_recording",
    "load_recording",
    "merge_recording",
    "path_of",
    "save_recording",
]


_PACKAGE = __name__.partition(".")[0]
_INSTALLED = frozenset(("site-packages", "dist-packages"))
_NAMELESS = re.compile(r"(?:\.<locals>)?\.?<(?!locals)\w+>.*$")


@dataclass(frozen=True)
class CallSite:
    """A function, named as Python does but without `<locals>`, and the file of its module."""

    module: Path
    function: str


def current_call_site(root: Path) -> tuple[CallSite, FrameType] | None:
    """The innermost function of the project that is at work, and its frame; None where there is none.

    A lambda or comprehension belongs to the function that it stands in.
    """
    found: CallSite | None = None
    for frame in _stack():
        code = frame.f_code
        module = Path(code.co_filename)
        if not _is_own(module, root):
            continue
        found = found or CallSite(module, _function(code))
        if not code.co_name.startswith("<") or code.co_name == "<module>":
            return found, frame
    return None


@dataclass
class CallSiteRuns:
    """Counts how often a sentence came up in one run of a function."""

    _frames: dict[FrameType, Counter[object]] = field(default_factory=dict)

    def count(self, frame: FrameType, key: object) -> int:
        """Which time it is, from 1."""
        running = set(_stack())
        for old in list(self._frames):
            # A frame that is kept would keep all that its function knew.
            if old not in running and not old.f_code.co_flags & CO_GENERATOR:
                del self._frames[old]
        counter = self._frames.setdefault(frame, Counter())
        counter[key] += 1
        return counter[key]

    def clear(self) -> None:
        """Forget all runs, at the end of a test."""
        self._frames.clear()


def _stack() -> Iterator[FrameType]:
    """The frames at work, from the inside, and behind a greenlet those of who has switched to it."""
    frame: FrameType | None = sys._getframe(1)
    # Nobody runs in one before somebody has imported it.
    greenlets = sys.modules.get("greenlet")
    inner = greenlets.getcurrent() if greenlets else None
    while True:
        while frame is not None:
            name = str(frame.f_globals.get("__name__", ""))
            if name.partition(".")[0] != _PACKAGE:
                yield frame
            frame = frame.f_back
        inner = inner and inner.parent
        if inner is None:
            return
        frame = inner.gr_frame


def _is_own(module: Path, root: Path) -> bool:
    return module.is_relative_to(root) and not _INSTALLED & set(module.parts)


def _function(code: CodeType) -> str:
    # Python 3.10 has no co_qualname.
    name = getattr(code, "co_qualname", None) or _qualified(code)
    return _NAMELESS.sub("", name).replace(".<locals>", "") or "_module"


def _qualified(code: CodeType) -> str:
    """The qualified name of the function in its source, out of the line in which it begins."""
    try:
        tree = ast.parse(Path(code.co_filename).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return code.co_name
    best: tuple[int, str] = (0, code.co_name)

    def inside(node: ast.AST, path: tuple[str, ...]) -> None:
        nonlocal best
        for child in ast.iter_child_nodes(node):
            names = path
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                names = (*path, child.name)
                first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                if first <= code.co_firstlineno <= (child.end_lineno or 0) and len(names) > best[0]:
                    best = (len(names), ".".join(names))
            inside(child, names)

    inside(tree, ())
    return best[1]


FOLDER = "recordings"
_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?: |$)", re.MULTILINE)


def path_of(module: Path, function: str, folder: str = FOLDER) -> Path:
    """The file for a function, named as Python does (`TestCart.test_add`), beside its module's."""
    return module.parent / folder / module.stem / f"{function}.json"


def load_recording(path: Path) -> Recording | None:
    """The recording in a file, None where there is none. Raises DamagedRecording."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise _damaged(path, 1, str(error)) from None
    if conflict := _CONFLICT.search(text):
        line = text.count("\n", 0, conflict.start()) + 1
        raise _damaged(path, line, "a merge conflict was left in it")
    try:
        told = json.loads(text)
    except json.JSONDecodeError as error:
        raise _damaged(path, error.lineno, f"it is no JSON: {error.msg}") from None
    except RecursionError:
        raise _damaged(path, 1, "it is nested too deeply") from None
    version = told.get("version") if isinstance(told, dict) else None
    if type(version) is not int or version != VERSION:
        wrong = f"its version is {version!r}, and {VERSION} is what is known"
        raise _damaged(path, _line_of(text, ("version",)), wrong)
    try:
        return Recording.model_validate(told)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        wrong = f"{place}: {first['msg']}, got {first['input']!r:.80}"
        raise _damaged(path, _line_of(text, first["loc"]), wrong) from None


def dump_recording(recording: Recording) -> str:
    """The text of a file: each thing on a line of its own, in an order that never changes."""
    told = recording.model_dump(mode="json", exclude_defaults=True)
    return json.dumps(told, indent=2, ensure_ascii=False) + "\n"


def save_recording(path: Path, recording: Recording) -> bool:
    """Write a file so that it is whole at any time; False where it already says so."""
    text = dump_recording(recording)
    if path.is_file() and path.read_text(encoding="utf-8", errors="replace") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_text(text, encoding="utf-8", newline="\n")
    partial.replace(path)
    return True


def _damaged(path: Path, line: int, wrong: str) -> DamagedRecording:
    return DamagedRecording(
        f"{path}:{line}: the recording cannot be read: {wrong}\n"
        "take it back from version control (git checkout -- FILE), or delete it and record anew:"
        " pytest --webtask-mode=record"
    )


def _line_of(text: str, place: Sequence[Any]) -> int:
    """The line of what stands at a place such as ("steps", 2, "tool"), or of what is around it."""
    decoder = json.JSONDecoder()
    blank = re.compile(r"[\s,:]*")

    def skip(at: int) -> int:
        found = blank.match(text, at)
        return found.end() if found else at

    at = skip(0)
    try:
        for part in place:
            inner = skip(at + 1)
            if text[at] == "{":
                while text[inner] != "}":
                    key, end = decoder.raw_decode(text, inner)
                    inner = skip(end)
                    if key == part:
                        break
                    inner = skip(decoder.raw_decode(text, inner)[1])
                else:
                    break
            elif text[at] == "[" and isinstance(part, int):
                for _ in range(part):
                    inner = skip(decoder.raw_decode(text, inner)[1])
            else:
                break
            at = inner
    except (ValueError, IndexError):
        pass
    return text.count("\n", 0, at) + 1


@dataclass
class Store:
    """Finds steps. `folder` is the name of the folder beside each module, `root` the project's.

    What a test has recorded can be replayed by the tests after it, once it has passed.
    """

    root: Path
    folder: str
    _read: dict[Path, dict[Key, RecordedStep]] = field(default_factory=dict)
    _fresh: list[tuple[Path, RecordedStep]] = field(default_factory=list)

    def file(self, place: CallSite) -> Path:
        """The file of a function's recording, whether there is one or not."""
        return path_of(place.module, place.function, self.folder)

    def find(self, place: CallSite, key: Key) -> RecordedStep | None:
        """The step of that key, or of no variant if its own has none. Raises DamagedRecording."""
        steps = self._steps(self.file(place))
        return steps.get(key) or steps.get(key.model_copy(update={"variant": ""}))

    def reads(self, place: CallSite) -> bool:
        """Whether a function reads values, or asks what holds."""
        return any(k.kind in ("extract", "holds") for k in self._steps(self.file(place)))

    def has_kind(self, place: CallSite, kind: str) -> bool:
        """Whether a step of a function rests on a check of that kind."""
        steps = self._steps(self.file(place)).values()
        return any(e.kind == kind for s in steps for e in (*s.evidence, *s.otherwise))

    def keep(self, place: CallSite, step: RecordedStep) -> None:
        """Take in what the test at work has recorded."""
        self._fresh.append((self.file(place), step))

    def end_test(self, *, passed: bool) -> None:
        """Let the tests to come replay what this one has recorded, if it has passed."""
        fresh, self._fresh = self._fresh, []
        for path, step in fresh if passed else ():
            self._steps(path).setdefault(step.key, step)

    def near(self, place: CallSite, key: Key) -> list[str]:
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

    def _steps(self, path: Path) -> dict[Key, RecordedStep]:
        if path not in self._read:
            recording = load_recording(path)
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


def merge_recording(
    old: Recording | None, ran: Mapping[Key, RecordedStep | None], *, only: bool = False
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
