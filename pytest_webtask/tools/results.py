"""The results of tools: texts for the model, outputs, findings and endings of sessions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_webtask.types.agent import CheckResult, Ruling, Target, Verdict

if TYPE_CHECKING:
    from playwright.sync_api import Locator

__all__ = ["Ending", "Finding", "Output", "ToolResult"]


@dataclass(frozen=True)
class Output:
    """The output of a task, and the checks of its sources."""

    value: Any
    sources: tuple[CheckResult, ...] = ()


@dataclass(frozen=True)
class Finding:
    """The result of a reader: a value with its `sources`, an element, or the reason for neither.

    `evidence` is further evidence, which must hold in every later run as well. `final` is True if
    answers were refused too often to ask once more. `candidates` are elements that may be meant.
    """

    found: bool = False
    value: Any = None
    sources: tuple[CheckResult, ...] = ()
    evidence: tuple[CheckResult, ...] = ()
    locator: Locator | None = None
    code: str = ""
    target: Target | None = None
    ruling: Ruling | None = None
    missing: str = ""
    candidates: tuple[str, ...] = ()
    final: bool = False


@dataclass(frozen=True)
class Ending:
    """The end of a session as declared by its role: whether the work is `done`, and its closing words.

    `deviations` are what was done otherwise than the task says. `evidence` supports it, with the referee's `ruling`, for the sentence `task`, "" if none was
    reviewed. `tool` is the tool that ended the session.
    `conclusion` is the answer of a role that judges or reads. `stale` is True if the page has changed
    since it was judged.
    """

    done: bool
    words: str
    evidence: tuple[CheckResult, ...] = ()
    deviations: tuple[str, ...] = ()
    ruling: Ruling | None = None
    task: str = ""
    tool: str = ""
    conclusion: Verdict | Finding | None = None
    stale: bool = False


@dataclass(frozen=True)
class ToolResult:
    """The result of a tool: a text for the model, the ending of the session, or the task's output.

    `evidence` are the checks of a checkpoint. A call without effect is not `replayed`: recordings
    leave it out.
    """

    text: str = ""
    ending: Ending | None = None
    output: Output | None = None
    evidence: tuple[CheckResult, ...] = ()
    replayed: bool = True
