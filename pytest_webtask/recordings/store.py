"""Recording files: find the file of a call site, read it and write it."""

from __future__ import annotations

import ast
import json
import linecache
import os
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from inspect import CO_GENERATOR
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

from pydantic import ValidationError

from pytest_webtask.data.escapes import escape_controls
from pytest_webtask.data.locks import is_ours, taking_turns
from pytest_webtask.data.phrases import invalid_parts
from pytest_webtask.errors import DamagedRecording, UsageError
from pytest_webtask.journal import WRITING
from pytest_webtask.journal.schema import VERSION, Key, RecordedStep, Recording, with_both_answers
from pytest_webtask.recordings.sources import MODULE, SUFFIX, definitions, names_in_module
from pytest_webtask.types.step import NO_LINE, CallSite, SourceLine

_PACKAGE = __name__.partition(".")[0]
_INSTALLED = frozenset(("site-packages", "dist-packages"))
_NAMELESS = re.compile(r"(?:\.<locals>)?\.?<(?!locals)\w+>.*$")


_declared: ContextVar[tuple[CallSite, int] | None] = ContextVar("declared call site", default=None)


@contextmanager
def calling_from(site: CallSite, line: int = 0) -> Iterator[None]:
    """Take `site` for the call site of the steps inside, whose sentences are in no function, but in a line of its file."""
    token = _declared.set((site, line))
    try:
        yield
    finally:
        _declared.reset(token)


def current_call_site(root: Path) -> tuple[CallSite, FrameType | None] | None:
    """Return the innermost running function of the project and its frame, or None.

    A lambda or comprehension counts as the function around it. A declared call site has no frame.
    """
    if declared := _declared.get():
        if declared[0].module.is_relative_to(root):
            return (declared[0], None)
        return None
    site: CallSite | None = None
    for frame in _stack():
        code = frame.f_code
        module = Path(code.co_filename)
        if not _is_own(module, root):
            continue
        site = site or CallSite(module, _function(code))
        if not code.co_name.startswith("<") or code.co_name == "<module>":
            return site, frame
    return None


def calling_line(root: Path) -> SourceLine:
    """Return the line of the project that calls, an empty one if there is none."""
    declared = _declared.get()
    places = ((Path(frame.f_code.co_filename), frame.f_lineno) for frame in _stack())
    for module, line in [(declared[0].module, declared[1])] if declared else places:
        if line and _is_own(module, root):
            text = linecache.getline(str(module), line).strip()
            return SourceLine(module.relative_to(root).as_posix(), line, text)
    return NO_LINE


@dataclass
class CallSiteRuns:
    """Counts how often a sentence occurred during one run of a function."""

    _frames: dict[FrameType | CallSite, Counter[object]] = field(default_factory=dict)

    def count(self, frame: FrameType | CallSite, key: object) -> int:
        """Count a sentence and return the number of its occurrences so far.

        A declared call site, which has no frame, runs once in a test.
        """
        running = set(_stack())
        for old in list(self._frames):
            # Keeping a frame would keep all local variables of its function alive.
            if isinstance(old, CallSite) or old in running:
                continue
            if not old.f_code.co_flags & CO_GENERATOR:
                del self._frames[old]
        counter = self._frames.setdefault(frame, Counter())
        counter[key] += 1
        return counter[key]

    def begin_at(self, site: CallSite, key: object, occurrence: int) -> None:
        """Count the next sentence of a declared call site as a certain occurrence."""
        self._frames.setdefault(site, Counter())[key] = occurrence - 1

    def clear(self) -> None:
        """Forget all runs, at the end of a test."""
        self._frames.clear()


def _stack() -> Iterator[FrameType]:
    """Yield the running frames, innermost first, across greenlets that switched to this one."""
    frame: FrameType | None = sys._getframe(1)
    # No code runs in a greenlet before the module is imported.
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
    return _NAMELESS.sub("", name).replace(".<locals>", "") or MODULE


def _qualified(code: CodeType) -> str:
    """Return the qualified name of a function, found in its module by its first line."""
    try:
        tree = ast.parse(Path(code.co_filename).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError):
        return code.co_name
    innermost: tuple[str, ...] = (code.co_name,)
    for node, names in definitions(tree):
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        if first <= code.co_firstlineno <= (node.end_lineno or 0):
            innermost = names
    return ".".join(innermost)


FOLDER = "recordings"
_CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?: |$)", re.MULTILINE)


def path_of(module: Path, function: str, folder: str = FOLDER) -> Path:
    """Return the recording file of a function, by its qualified name (`TestCart.test_add`)."""
    return module.parent / folder / module.stem / f"{function}.json"


def is_tried(file: str) -> bool:
    """Whether a recording's path is that of a sentence of a live session, which is in no module until it is saved."""
    return file.startswith(".webtask/")


def module_of(recording: Path, folder: str = FOLDER) -> Path:
    """Return the module, or the feature file, whose functions have a recording at a path."""
    stem = recording.parents[len(Path(folder).parts) + 1] / recording.parent.name
    module, feature = (stem.with_name(f"{stem.name}{suffix}") for suffix in (".py", SUFFIX))
    return feature if feature.is_file() and not module.is_file() else module


def load_recording(path: Path) -> Recording:
    """Return the recording in a file, an empty one if there is no file. Raises DamagedRecording."""
    if not path.exists():
        return Recording(version=VERSION)
    try:
        if not path.is_file():
            # A link may lead to what can be read without end.
            raise OSError("it is not a regular file")
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _damaged(path, str(error)) from None
    return parse_recording(text, path)


def parse_recording(text: str, path: Path) -> Recording:
    """Return the recording in the text of a file at a path. Raises DamagedRecording."""
    if conflict := _CONFLICT.search(text):
        line = text.count("\n", 0, conflict.start()) + 1
        sides = (
            f"while the merge is open, keep one side (git checkout --ours -- {path}, or --theirs)"
        )
        raise _damaged(path, "it contains an unresolved merge conflict", sides, line)
    try:
        payload = json.loads(text, object_pairs_hook=_distinct)
    except (ValueError, RecursionError) as error:
        line, wrong = getattr(error, "lineno", 0), str(error).partition(";")[0]
        raise _damaged(path, f"it is not valid JSON: {wrong}", line=line) from None
    version = payload.get("version") if isinstance(payload, dict) else None
    if version != VERSION:
        wrong = f"its version is {version!r}, but only version {VERSION} is supported"
        upgrade = "if a newer pytest-webtask has written it, upgrade: pip install -U pytest-webtask"
        raise _damaged(path, wrong, upgrade)
    try:
        # This parser refuses half of a surrogate pair, and deep nesting.
        return Recording.model_validate_json(text)
    except ValidationError as error:
        raise _damaged(path, invalid_parts(error, payload, "the file")[0]) from None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object. Raises ValueError for a name that it has twice, of which only one would count."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"an object has {twice!r} twice")
    return found


def dump_recording(recording: Recording) -> str:
    """Return a recording as JSON: one value per line, in a stable order."""
    payload = recording.model_dump(mode="json", exclude_defaults=True)
    # Whoever reviews it sees what is in it; JSON has the same escapes.
    return escape_controls(json.dumps(payload, indent=2, ensure_ascii=False)) + "\n"


def save_recording(path: Path, recording: Recording) -> bool:
    """Write a recording atomically; return False if the file has the same content already."""
    text = dump_recording(recording)
    if path.is_file() and path.read_text(encoding="utf-8", errors="replace") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, text)
    return True


def replace_file(path: Path, text: str) -> None:
    """Write a file atomically."""
    # The next save overwrites what a killed process has left.
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8", newline="\n")
        partial.replace(path)
    except OSError:
        with suppress(OSError):
            partial.unlink()
        raise


def _damaged(path: Path, wrong: str, remedy: str = "", line: int = 0) -> DamagedRecording:
    remedy = remedy or f"restore it from version control (git checkout -- {path})"
    place = f"{path}:{line}" if line else str(path)
    return DamagedRecording(
        f"{place}: the recording cannot be read: {wrong}\n"
        f"{remedy}; or delete the file and record its steps again: pytest TEST --webtask-mode=auto"
        " --webtask-model=NAME"
    )


def keep_pictures(run: Path, recording: Path, pictures: Mapping[str, str]) -> None:
    """Copy pictures of a run into the folder of a recording; `pictures` maps new names to old.

    Others are not copied, whatever the journal says: only a run's own pictures, and not through links.
    """
    folder = recording.with_suffix("")
    for name, taken in pictures.items():
        source, target = run / "screenshots" / Path(taken).name, folder / Path(name).name
        if source.is_file() and target.suffix == ".jpg" and all(map(is_ours, (source, target))):
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)


class Written(NamedTuple):
    """A step that a run has written into a `file`; it is `confirmed` if a second run has replayed it."""

    file: str
    confirmed: bool


class _Made(NamedTuple):
    """A step that a test has recorded for the file at a path, with the files of its pictures by their names."""

    path: Path
    step: RecordedStep
    pictures: Mapping[str, str]
    confirmed: bool = False


@dataclass
class Store:
    """The recorded steps below `root`, kept in a `folder` beside each test module.

    What a test of a `run`, the folder of that, has recorded is written once it has passed, and the run that
    confirms it as well.
    """

    root: Path
    folder: str
    run: Path
    _read: dict[Path, dict[Key, RecordedStep]] = field(default_factory=dict, init=False)
    _made: list[_Made] = field(default_factory=list, init=False)
    """The steps of the running attempt of a test."""
    _passed: dict[tuple[Path, Key], _Made] = field(default_factory=dict, init=False)

    def file(self, place: CallSite) -> Path:
        """Return the path of a function's recording, which need not exist."""
        return path_of(place.module, place.function, self.folder)

    def find(self, place: CallSite, key: Key) -> RecordedStep | None:
        """Return the step of a key, or the one without a variant. Raises DamagedRecording."""
        path = self.file(place)
        if made := self._passed.get((path, key)):
            return made.step
        steps = self._steps(path)
        return steps.get(key) or steps.get(key.model_copy(update={"variant": ""}))

    def keep(self, place: CallSite, step: RecordedStep, pictures: Mapping[str, str]) -> None:
        """Keep a step that the running test has recorded, with the files of its pictures by their names."""
        self._made.append(_Made(self.file(place), step, pictures))

    def is_new(self, place: CallSite, key: Key) -> bool:
        """Return whether the attempt before has recorded the step, and passed."""
        return (self.file(place), key) in self._passed

    def end_test(self, *, passed: bool, confirms: bool = False) -> None:
        """End an attempt of a test; one that `confirms` what the attempt before has recorded may also refute it."""
        made, self._made = self._made, []
        if not (passed and confirms):
            self._passed.clear()
        fresh: dict[tuple[Path, Key], _Made] = {}
        for each in made if passed else ():
            place, step = (each.path, each.step.key), each.step
            if first := fresh.get(place):
                step = with_both_answers(first.step, step)
            fresh[place] = each._replace(step=step, confirmed=confirms)
            keep_pictures(self.run, each.path, each.pictures)
        self._passed |= fresh

    def write(self) -> tuple[list[Written], list[str]]:
        """Write the steps of the test that has passed; return those that were written, and problems in words."""
        files: dict[Path, list[_Made]] = {}
        for each in self._passed.values():
            files.setdefault(each.path, []).append(each)
        self._passed.clear()
        written: list[Written] = []
        problems: list[str] = []
        for path, made in files.items():
            file = path.relative_to(self.root).as_posix()
            try:
                if not is_tried(file) and self._add(path, made):
                    written += [Written(file, each.confirmed) for each in made]
            except DamagedRecording as error:
                problems.append(str(error))
            except (OSError, UnicodeEncodeError) as error:
                problems.append(
                    f"{file} could not be written: {getattr(error, 'strerror', '') or error}. Its steps are not"
                    " recorded: make it writable, and run the tests again"
                )
        return written, problems

    def _add(self, path: Path, made: Iterable[_Made]) -> bool:
        """Add steps to a file; return whether that changes it. Raises DamagedRecording, OSError."""
        before = self._read.pop(path, None)
        with taking_turns(self.root / WRITING):
            steps = {each.key: each for each in load_recording(path).steps}
            for step in (each.step for each in made):
                there = steps.get(step.key)
                # If parallel tests have recorded the same step, the first one counts.
                if before is not None and there is not None and there != before.get(step.key):
                    step = with_both_answers(there, step)
                steps[step.key] = step
            recording = Recording(version=VERSION, steps=tuple(steps.values()))
            return save_recording(path, recording)

    def near(self, place: CallSite, key: Key) -> Iterator[str]:
        """Yield where a missing step may be recorded: under the name that its function had before."""
        for other in self._orphans(self.file(place)):
            steps: Iterable[RecordedStep] = ()
            with suppress(DamagedRecording):
                steps = self._steps(other).values()
            if (key.kind, key.sentence) in ((each.kind, each.sentence) for each in steps):
                old = f"{self._shown(module_of(other, self.folder))}::{other.stem}"
                new = f"{self._shown(place.module)}::{place.function}"
                yield (
                    f"{self._shown(other)} has this step, but its function no longer exists; if you"
                    f" renamed it, type: pytest-webtask recordings mv {old} {new}"
                )

    def _steps(self, path: Path) -> dict[Key, RecordedStep]:
        if path not in self._read:
            self._read[path] = {step.key: step for step in load_recording(path).steps}
        return self._read[path]

    def _orphans(self, path: Path) -> Iterator[Path]:
        """Yield the recordings beside this one whose function no longer exists."""
        for other in sorted(path.parent.parent.glob("*/*.json")):
            names = set[str]()
            with suppress(UsageError):
                names = names_in_module(module_of(other, self.folder))
            if other != path and other.stem not in names:
                yield other

    def _shown(self, path: Path) -> str:
        return Path(os.path.relpath(path, self.root)).as_posix()


def with_step(recording: Recording, step: RecordedStep) -> Recording:
    """Return a recording with a step in place of the one of its key, or as the last one."""
    steps = {each.key: each for each in recording.steps} | {step.key: step}
    return recording.model_copy(update={"steps": tuple(steps.values())})
