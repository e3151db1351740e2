"""What can go wrong, as one tree.

WebtaskError
├── TaskFailed          a `do` whose task was not done: the test's own failure
├── VerificationFailed  a claim that does not hold; an AssertionError, too
├── Undecided           a claim that nobody could tell: neither a pass nor a failed assertion
├── NotFound            what `extract` or `select` asked for is not on the page
├── RecordingError      a recording and the page or the test no longer fit together
│   ├── MissingRecording  a sentence that nobody has recorded, where no model may be asked
│   ├── EditedRecording   evidence that was edited by hand, and that nobody has approved since
│   ├── DamagedRecording  a file that cannot be read: cut, in conflict, of another version
│   └── Drifted         the page has changed, so that a recorded step cannot be replayed
├── UsageError          something the test's author wrote: an option, a placeholder, a resource
│   ├── UnknownName     a name that is not among the known ones
│   └── NotLiteral      a sentence that the literal interpreter cannot read
├── ModelError          the model could not be reached, or answered nonsense: never a verdict
│   └── OutOfBudget     the tokens of the test or of the run are used up
└── PageError           the page or browser is gone, crashed or could not be loaded
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_webtask.types.agent import Result, Verdict

__all__ = [
    "DamagedRecording",
    "Drifted",
    "EditedRecording",
    "MissingRecording",
    "ModelError",
    "NotFound",
    "NotLiteral",
    "OutOfBudget",
    "PageError",
    "RecordingError",
    "TaskFailed",
    "Undecided",
    "UnknownName",
    "UsageError",
    "VerificationFailed",
    "WebtaskError",
]


class WebtaskError(Exception):
    """Everything that pytest-webtask raises on purpose.

    `step` are the name of the webtask and the number of its step that raised it, where one did.
    """

    step: tuple[str, int] | None = None


class TaskFailed(WebtaskError):
    """The worker gave up, or ran out of steps or time.

    `result` is what `do` would have returned: its `session` holds every iteration.
    """

    def __init__(self, message: str, result: Result) -> None:
        super().__init__(message)
        self.result = result


class VerificationFailed(WebtaskError, AssertionError):
    """A claim does not hold. `verdict` has the reason and the checks."""

    def __init__(self, message: str, verdict: Verdict) -> None:
        super().__init__(message)
        self.verdict = verdict


class Undecided(WebtaskError):
    """Whether a claim holds could not be told; `verdict` has what was tried.

    It is no AssertionError: neither the claim nor its negation passes on ignorance.
    """

    def __init__(self, message: str, verdict: Verdict) -> None:
        super().__init__(message)
        self.verdict = verdict


class NotFound(WebtaskError):
    """What `extract` or `select` asked for is not on the page, or more than one thing is."""


class RecordingError(WebtaskError):
    """A recording and the page or the test no longer fit together."""


class MissingRecording(RecordingError):
    """A sentence has no recording, and in replay mode no model is asked."""


class DamagedRecording(RecordingError):
    """A recording cannot be read; the message names the file, the line and the way out."""


class EditedRecording(RecordingError):
    """Evidence in a recording is not what was approved; the message names both ways on."""


class Drifted(RecordingError):
    """A recorded step cannot be replayed: the page is another one than it was recorded on."""


class UsageError(WebtaskError):
    """The test, its fixtures or its options ask for something that cannot be done as written."""


class UnknownName(UsageError):
    """A name was used that nobody declared; the message lists those that were."""

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
    """The literal interpreter cannot read the sentence; the message says which part."""


class ModelError(WebtaskError):
    """A model could not be reached or gave no usable answer; this is never a pass or a fail."""


class OutOfBudget(ModelError):
    """The tokens that a test, or the run, may use are used up; what was done is in the journal."""


class PageError(WebtaskError):
    """The page, its browser or its server failed, so nothing can be said about the task."""
