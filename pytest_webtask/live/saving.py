"""The test of a live session: the code of its sentences, and where it may be written."""

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from pytest_webtask.data.phrases import reason_of, relative
from pytest_webtask.errors import UsageError
from pytest_webtask.page.playwright_code import string_literal
from pytest_webtask.recordings.store import path_of
from pytest_webtask.types.step import StepKind, step_name

_TARGET = re.compile(r"(?P<path>[^:]+\.py)::(?P<name>test\w*)")


@dataclass(frozen=True)
class Sentence:
    """A step that will be written: its number in the journal, and the value that it has read."""

    kind: StepKind
    text: str
    number: int
    value: str | None = None
    data: Mapping[str, str] = field(default_factory=dict)
    variable: str = "webtask"

    @property
    def name(self) -> str:
        """The step as in messages."""
        return step_name(self.kind, self.text)

    @property
    def code(self) -> str:
        """The statement in the test."""
        pairs = (f"{string_literal(n)}: {string_literal(v)}" for n, v in self.data.items())
        data = f", data={{{', '.join(pairs)}}}" if self.data else ""
        call = f"{self.variable}.{self.kind}({string_literal(self.text)}{data})"
        return call if self.value is None else f"assert {call} == {string_literal(self.value)}"


def code_of_test(name: str, kept: Sequence[Sentence], fixtures: Sequence[str]) -> str:
    """Return the code of a test that requests fixtures."""
    lines = [each.code for each in kept] or ["pass"]
    return "\n    ".join([f"def {name}({', '.join(fixtures)}):", *lines]) + "\n"


def checked_target(target: str, root: Path, patterns: Sequence[str]) -> tuple[Path, str]:
    """Return the file, which fits `patterns` below `root`, and the name of a new test. Raises UsageError."""
    match = _TARGET.fullmatch(target)
    if match is None:
        raise UsageError("not saved: name a new test, such as: save tests/test_x.py::test_y")
    path, name = Path(match["path"]).resolve(), match["name"]
    if not any(fnmatch(path.name, each) for each in patterns):
        raise UsageError(
            f"not saved: pytest collects {' and '.join(patterns)} only, not {path.name}: save to such a file"
        )
    if not path.is_relative_to(root):
        raise UsageError(
            f"not saved: {path} is not in the project, which is {root}: choose a file in it"
        )
    return path, name


def module_with(path: Path, name: str, code: str, before: str | None, recordings: str) -> str:
    """Return a module with a new test, in place of what was written `before`. Raises UsageError and OSError."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    if before is not None and before in text:
        return text.replace(before, code)
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise UsageError(
            f"not saved: {relative(path)} cannot be read: {reason_of(error)}; correct that file, or choose another"
        ) from None
    if name in {getattr(node, "name", "") for node in tree.body}:
        raise UsageError(f"not saved: {relative(path)} has {name} already: choose another name")
    recording = path_of(path, name, recordings)
    if recording.exists():
        raise UsageError(
            f"not saved: there is a recording of {name} already, {relative(recording)}: choose another name"
        )
    return f"{text.rstrip()}\n\n\n{code}".lstrip()
