"""What was concluded of the page, on which checks, and what the referee ruled."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.records.base import Record, Usage

__all__ = ["Conclusion", "Extracted", "Outcome", "Ruling", "Verdict"]


class Outcome(str, Enum):
    """What became of a claim."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"


class Ruling(Record):
    """The referee's answer: whether facts prove a conclusion.

    `counterexample` is how all facts could be true and the conclusion false, "" where the referee
    found none; `missing` names the fact that is missing. `by` is the model that ruled; `blind` says that nothing else
    than the conclusion and the facts was seen.
    """

    counterexample: str = ""
    proves: bool
    missing: str = ""
    by: str = ""
    blind: bool = True
    usage: Usage = Field(default=Usage(), exclude=True, repr=False)
    """What it cost, with answers that could not be used."""


class Conclusion(Record):
    """What a referee rules on: what was asked, what was concluded, and the facts.

    `kind` is `claim`, `value`, `element`, `task`, `pattern` (texts that change by themselves) or
    `case` (texts that differ with the data), `outcome` of a claim `holds` or
    `does_not_hold`. `value` is what was extracted, `actions` what a worker did. `facts` are JSON objects, numbered from 1
    by their place; of a task each says whether it was so before. `pictures` are those of checks by eye, in the order of their
    facts.
    """

    kind: Literal["claim", "value", "element", "task", "pattern", "case"]
    sentence: str
    outcome: str = ""
    value: Any = None
    actions: tuple[str, ...] = ()
    facts: tuple[dict[str, Any], ...] = ()
    pictures: tuple[Path, ...] = Field(default=(), exclude=True)


class Verdict(Record):
    """What `verify` returns: a claim passed, with the checks that it rests on.

    `by_eye` says that a check was made by eye, which no code has run. `ruling` is the referee's,
    None where a literal sentence or a recording named the checks itself.
    """

    claim: str
    outcome: Outcome
    reason: str
    evidence: tuple[CheckResult, ...] = ()
    by_eye: bool = False
    ruling: Ruling | None = None


class Extracted(Record):
    """A value that was read off the page, and where."""

    what: str
    value: Any
    sources: tuple[CheckResult, ...] = ()
