"""The exceptions, each below its base."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_webtask.types.agent import Cause, Result, Verdict


class WebtaskError(Exception):
    """The base of every exception that pytest-webtask raises on purpose.

    `step` is the name of the webtask and the number of the step that raised it, if a step did. `cause` is
    why it failed, in one word and with the grounds. `brief` is the message without what a report shows
    beside it, such as pictures, "" if that is all of it.
    """

    step: tuple[str, int] | None = None
    cause: Cause | None = None
    brief: str = ""

    def reword(self, change: Callable[[str], str]) -> None:
        """Change the message."""
        self.args = tuple(change(str(each)) for each in self.args)


class TaskFailed(WebtaskError):
    """A task was not done: the worker gave up, or ran out of steps or time.

    `result` is what `do` would have returned: its `session` holds every iteration.
    """

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result


class _NotPassed(WebtaskError):
    def __init__(self, message: str, verdict: Verdict) -> None:
        super().__init__(message)
        self.verdict = verdict


class VerificationFailed(_NotPassed, AssertionError):
    """A claim does not hold; `verdict` has the reason and the checks."""


class Undecided(_NotPassed):
    """A claim could not be judged; `verdict` has the checks that were tried.

    This is not an AssertionError: without evidence, neither the claim nor its negation passes.
    """


class ApplicationError(WebtaskError, AssertionError):
    """A step passed, but a request was answered 5xx meanwhile, or the page threw an error that no script caught.

    It is raised only if `--webtask-page-errors=fail`.
    """


class NotFound(WebtaskError):
    """The target of `extract` or `select` is not on the page, or is ambiguous."""


class RecordingError(WebtaskError):
    """A recording no longer matches the page or the test."""


class MissingRecording(RecordingError):
    """A sentence has no recording, and replay mode never calls a model."""


class DamagedRecording(RecordingError):
    """A recording is unreadable; the message names the file, the line and the remedy."""


class EditedRecording(RecordingError):
    """A recorded step differs from what was approved; the message names both remedies."""


class Drifted(RecordingError):
    """A recorded step cannot be replayed because the page has changed since."""


class UsageError(WebtaskError):
    """A test, a fixture or an option asks for something impossible."""


class UnknownName(UsageError):
    """A name is unknown; the message lists the known ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str], advice: str = "") -> None:
        names = sorted(known)
        message = f"unknown {kind} {name!r}; known: {', '.join(names) if names else 'none'}"
        close = get_close_matches(name, names, n=1)
        if close:
            message += f". Did you mean {close[0]!r}?"
        if advice:
            message += f"\n{advice}"
        super().__init__(message)


class NotLiteral(UsageError):
    """The literal interpreter cannot parse a sentence; the message says which part."""


class ModelError(WebtaskError):
    """A model could not be reached or gave no usable answer; this never passes or fails a claim."""


class OutOfBudget(ModelError):
    """A test or the run has used all its tokens; the journal has what was done."""


class PageError(WebtaskError):
    """The page, its browser or its server failed, so the task could not be judged."""
