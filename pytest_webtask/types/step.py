"""The step of a test: its kind, sentence and call site."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

StepKind = Literal["do", "verify", "holds", "extract", "select", "goto"]


@dataclass(frozen=True)
class CallSite:
    """A function, named as in Python but without `<locals>`, and the file of its module."""

    module: Path
    function: str


class SourceLine(NamedTuple):
    """A line of a test: the path of its file from the project's root, its number and its text."""

    file: str = ""
    number: int = 0
    text: str = ""


NO_LINE = SourceLine()


@dataclass(frozen=True)
class Step:
    """One call of `do`, `verify`, and so on.

    `masked` is the sentence with the names of secrets in place of their values. `call_site` is None
    if nothing is recorded or replayed. `number` counts the steps of the test from 1. `line` is the line
    that calls it.
    """

    kind: StepKind
    sentence: str
    masked: str
    call_site: CallSite | None
    number: int
    line: SourceLine = NO_LINE

    @property
    def name(self) -> str:
        """The name of the step in messages, such as `do('log in')`, without secrets."""
        return step_name(self.kind, self.masked)


def step_name(kind: str, sentence: str) -> str:
    """Return the name of a step in messages, such as `do('log in')`."""
    return f"{kind}({sentence!r})"
