"""The cause of a failure in one word, with its grounds, from what the step itself knows.

`product` needs positive grounds: a claim that code found false after everything went as recorded, or
an error that the application reports. Where the grounds allow more than one word, it is another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pytest_webtask import errors
from pytest_webtask.data.phrases import shortened
from pytest_webtask.errors import WebtaskError
from pytest_webtask.page.recorded_element import Missing
from pytest_webtask.recordings.progress import ReplayProgress
from pytest_webtask.types.agent import Cause, CauseWord, Iteration

_ERRORS: tuple[tuple[type[errors.WebtaskError], CauseWord, str], ...] = (
    (errors.ApplicationError, "product", "the step passed, and the application failed meanwhile"),
    (errors.OutOfBudget, "environment", "the tokens of the test or of the run are used up"),
    (errors.ModelError, "environment", "the model could not be reached, or gave no usable answer"),
    (errors.PageError, "environment", "the page could not be loaded or read, or is gone"),
    (errors.MissingRecording, "test", "the sentence has no recording, and no model may be asked"),
    (errors.EditedRecording, "test", "the recording was edited since its approval"),
    (errors.DamagedRecording, "test", "the recording cannot be read"),
    (errors.UnknownName, "test", "the test uses a name that is not known"),
    (errors.NotLiteral, "test", "the sentence is not literal, and needs a model"),
    (errors.UsageError, "test", "the test, a fixture or an option asks for something impossible"),
)
"""The causes of errors that need no look at the step; the first class that fits counts."""
_LACKS: dict[str, tuple[CauseWord, str]] = {
    "element": ("page-changed", "the page is not as it was recorded"),
    "likeness": ("page-changed", "the page has neither the recorded element nor one like it"),
    "result": ("product", "nothing on the page shows what was recorded"),
    "effect": ("product", "an action was done as recorded, without the recorded effect"),
    "page": ("environment", "the page was closed, or did not finish loading in time"),
    "data": ("test", "the test begins with other data than the recorded one"),
    "file": ("test", "the recording cannot be read"),
}
_STATUSES: dict[str, tuple[CauseWord, str]] = {
    "undecided": ("test", "the claim cannot be decided as it is written"),
    "not found": ("test", "the page shows no value or element that is clearly the one described"),
    "aborted": ("test", "the model gave the task up"),
    "max_steps": ("test", "the task was not done within the iterations of a step"),
    "timed_out": ("environment", "the time of the step was over before the task was done"),
}
"""The causes of steps that ended so, unless something more is known."""


@dataclass(frozen=True)
class Failure:
    """What a step knows of its failure.

    `status` is that of the step. `errors` are those that the application has reported since the last
    action began: requests that its server failed, and uncaught errors. `deviates` says that a task was
    done, but not as it is written, and that this is forbidden.
    """

    status: str
    iterations: Sequence[Iteration] = ()
    progress: ReplayProgress | None = None
    drift: Missing | None = None
    errors: Sequence[str] = ()
    deviates: bool = False

    @property
    def cause(self) -> Cause:
        """The cause. An error of the application explains what is missing, but not what is ambiguous."""
        word, grounds = self._without_errors()
        explains = word in ("page-changed", "product") or (self._by_model and not self.deviates)
        if self.errors and explains:
            word, grounds = "product", f"the application failed: {self.errors[0]}"
        return Cause(word=word, grounds=shortened(grounds, _LONGEST))

    @property
    def _by_model(self) -> bool:
        return bool(self.iterations) and self.iterations[-1].decided_by == "model"

    def _without_errors(self) -> tuple[CauseWord, str]:
        progress = self.progress
        handed_over = progress.handed_over if progress else ""
        if self.deviates:
            return "test", "the task was done, but not as it is written"
        if progress is not None and not handed_over and (self.drift or progress.failed):
            return self._of_replay(progress)
        if self.status == "failed":
            return "product", "the claim was checked on the page, and is false"
        if handed_over:
            return "page-changed", f"the recording no longer fits the page: {handed_over}"
        if any(each.missing for each in self.iterations[-1:]):
            return "page-changed", "the page shows no element that the sentence names"
        if progress is not None and self.status == "undecided":
            return "page-changed", "an element looks different from its recorded picture"
        if self._by_model or self.status != "aborted":
            return _STATUSES[self.status]
        return self._of_literal_task()

    def _of_replay(self, progress: ReplayProgress) -> tuple[CauseWord, str]:
        """Return the cause of a drift, or of a check whose element is there, and shows something else."""
        has_acted = not all(call.evidence for call in progress.done)
        if progress.healed:
            return "page-changed", f"found at another place: {progress.healed[-1].what}"
        if self.drift is None:
            done = "the actions ran as recorded" if has_acted else "the checks were repeated"
            return "product", f"{done}, and the claim is false"
        if self.drift.lack == "likeness" and has_acted:
            return "product", f"the actions ran as recorded, and nothing like it came: {self.drift}"
        word, grounds = _LACKS[self.drift.lack]
        return word, f"{grounds}: {self.drift}"

    def _of_literal_task(self) -> tuple[CauseWord, str]:
        failed = [call for i in self.iterations for call in i.calls if not call.success][-1:]
        for call in failed:
            if call.in_vain:
                return "product", f"the effect did not come: {call.tool}: {call.error}"
            if call.acts:
                # Without an element, what the sentence asks for can be done on no page.
                return "page-changed" if call.targets else "test", f"{call.tool}: {call.error}"
        return "test", "the sentence does not say which element of the page is meant"


_LONGEST = 240
"""The most characters of the grounds."""


def cause_of(error: BaseException) -> Cause | None:
    """Return the cause of an error that needs no look at the step, None for any other."""
    for kind, word, why in _ERRORS:
        if isinstance(error, kind):
            return Cause(word=word, grounds=why)
    return None


def first_cause(errors: Sequence[WebtaskError]) -> Cause | None:
    """Return the cause of the first step that failed, None if none of the errors has one."""
    in_order = sorted(errors, key=lambda each: each.step[1] if each.step else 0)
    causes = (each.cause or cause_of(each) for each in in_order)
    return next(filter(None, causes), None)
