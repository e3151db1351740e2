"""The step of a test: its kind, sentence and call site."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

StepKind = Literal["do", "verify", "holds", "extract", "select", "goto"]


@dataclass(frozen=True)
class CallSite:
    """A function, named as in Python but without `<locals>`, and the file of its module."""

    module: Path
    function: str


@dataclass(frozen=True)
class Step:
    """One call of `do`, `verify`, and so on.

    `masked` is the sentence with the names of secrets in place of their values. `call_site` is None
    if nothing is recorded or replayed. `number` counts the steps of the test from 1.
    """

    kind: StepKind
    sentence: str
    masked: str
    call_site: CallSite | None
    number: int

    @property
    def name(self) -> str:
        """The name of the step in messages, such as `do('log in')`, without secrets."""
        return step_name(self.kind, self.masked)


def step_name(kind: str, sentence: str) -> str:
    """Return the name of a step in messages, such as `do('log in')`."""
    return f"{kind}({sentence!r})"
