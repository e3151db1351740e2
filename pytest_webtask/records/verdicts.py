"""Checks as they were run, and what came of claims."""

from __future__ import annotations

from enum import Enum
from typing import Any

from pydantic import Field

from pytest_webtask.records.base import Record, Target

__all__ = ["Checked", "Extracted", "Outcome", "Verdict"]


class Outcome(str, Enum):
    """What became of a claim."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"


class Checked(Record):
    """A check, and what the live page said to it.

    `about` names the element or page; `actual` is what was there, `holds` what Playwright's
    `expect` said. `problem` tells why it could not be asked at all, `lost` that the element of
    a recording is not there, `stood` that it held before the task as well. `tab` is the tab's number,
    `frame` the address of a frame in it, or "". `screenshot` is a path below the run's folder: what
    a check by eye was about.
    """

    kind: str
    about: str
    expected: str
    actual: str = ""
    holds: bool = False
    problem: str = ""
    lost: bool = False
    stood: bool = False
    arguments: dict[str, Any] = Field(default_factory=dict)
    target: Target | None = None
    tab: int = 1
    frame: str = ""
    screenshot: str | None = None


class Verdict(Record):
    """What `verify` returns: a claim passed, with the checks that carry it.

    `by_eye` says that it rests on what the model saw, which no code has checked. `readings` say which words of the claim the page puts otherwise, and how.
    """

    claim: str
    outcome: Outcome
    reason: str
    evidence: tuple[Checked, ...] = ()
    readings: tuple[str, ...] = ()
    by_eye: bool = False


class Extracted(Record):
    """A value that was read off the page, and where."""

    what: str
    value: Any
    sources: tuple[Checked, ...] = ()
