"""The results of tools: texts for the model, outputs, findings, endings of sessions, and failures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.data.phrases import LOOK_FIRST
from pytest_webtask.types.agent import Ruling
from pytest_webtask.types.page import Target

if TYPE_CHECKING:
    from playwright.sync_api import Error, Locator


class ToolError(Exception):
    """A tool failed; the message is for the model."""


class InVain(ToolError):
    """An action was done, and the page shows no effect, or another one."""


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
    `conclusion` is the answer of a role that reads, judges a claim, or was asked. `stale` is True if the page has changed
    since it was judged.
    """

    done: bool
    words: str
    evidence: tuple[CheckResult, ...] = ()
    deviations: tuple[str, ...] = ()
    ruling: Ruling | None = None
    task: str = ""
    tool: str = ""
    conclusion: BaseModel | Finding | None = None
    stale: bool = False


@dataclass(frozen=True)
class ToolResult:
    """The result of a tool: a text for the model, the ending of the session, or the task's output.

    `evidence` are the checks of a checkpoint.
    """

    text: str = ""
    ending: Ending | None = None
    output: Output | None = None
    evidence: tuple[CheckResult, ...] = ()


def playwright_error() -> type[Error]:
    """Return Playwright's `Error`, for `except`: reading the declarations of tools needs no Playwright."""
    from playwright.sync_api import Error

    return Error


_COVERS = " intercepts pointer events"
_REASON = re.compile(
    rf"element (?:is (?:not|outside)|was detached).*|<.*{_COVERS}"
    r"|option being selected .*|did not find .*"
)


_TIMEOUT = re.compile(r"(?:\w+\.\w+: )?Timeout ([\d.]+)ms exceeded\.?")


def explain_action_error(error: Exception, advice: str) -> str:
    """Return the cause of a Playwright error with a call log, on one line.

    `advice` follows if a longer timeout might have helped. Only known phrases of the log are used, because
    the rest quotes typed text and the page.
    """
    message, _, log = str(error).partition("Call log:")
    _, _, summary = message.strip().partition("\n")[0].rpartition("Error: ")
    matches = (_REASON.fullmatch(line.strip(" -\t0123456789×")) for line in log.splitlines())
    reasons = list(dict.fromkeys(match.group() for match in matches if match))[-3:]
    if may_have_acted(error):
        reasons = [f"the action had begun and may have taken effect: {LOOK_FIRST}"]
    elif reasons and reasons[-1].endswith(_COVERS):
        # The waiting time adds nothing.
        return (
            f"the element is covered: {reasons[-1]}; close the covering element, or click that one if it"
            " is drawn in place of the other"
        )
    cause = _TIMEOUT.sub(lambda m: f"not done within {float(m[1]) / 1000:g} s", summary)
    if reasons:
        cause = f"{cause} ({'; '.join(reasons)})"
    return f"{cause}; {advice}" if _TIMEOUT.search(summary) else cause


def may_have_acted(error: Exception) -> bool:
    """Return whether a failed action may have reached the page and so must not be repeated."""
    _, _, log = str(error).partition("Call log:")
    reached = False
    for line in log.splitlines():
        text = line.strip(" -\t0123456789×")
        if text.startswith("performing "):
            return True
        # The log does not mention keys, texts and choices, only whether their element was ready.
        if text.startswith("locator resolved to"):
            reached = True
        elif text.startswith(
            ("element is not", "element is outside", "element was detached", "retrying")
        ):
            reached = False
    return reached
