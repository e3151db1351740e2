"""Tools with which a verifier hands over what it thinks of a worker's work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.checks.kinds import AnyCheck
from pytest_webtask.errors import UnknownName
from pytest_webtask.records import Ruling
from pytest_webtask.tools import Args, Tool, ToolError
from pytest_webtask.tools.ending import TaskReview
from pytest_webtask.tools.hands import Ending, Hands
from pytest_webtask.tools.review import RefusedError

__all__ = ["CONTINUES", "FAILS", "Judgement", "judging"]

FAILS = frozenset(("mark_subtask_failed", "request_reschedule"))
"""Hand-overs after which there has to be another plan."""
CONTINUES = "continue_work"
_REFUSALS = {
    "mark_complete": "request_reschedule",
    "mark_subtask_complete": "mark_subtask_failed",
    "mark_task_complete": "mark_subtask_failed",
}
"""What it comes to where a verifier's agreement was refused for the last time."""

_EVIDENCE: Any = Field(
    description="Checks of what the page shows for it now, at least one; each is run on the page.",
)


@dataclass
class Judgement:
    """What came of a judgement: the tool that handed over, "" before, its words and evidence."""

    by: str = ""
    words: str = ""
    evidence: tuple[CheckResult, ...] = ()
    ruling: Ruling | None = None

    @property
    def agrees(self) -> bool:
        """Whether the work is done."""
        return bool(self.by) and self.by not in FAILS and self.by != CONTINUES


class Complete(Args):
    """What the page shows for it."""

    reason: str = Field(description="What the page shows for it, in a sentence.")
    evidence: list[AnyCheck] = _EVIDENCE


class CompleteWithDetails(Args):
    """What the page shows for it, and what the planner needs to know of it."""

    details: str = Field(
        description="What the page shows now, in a sentence or two, for the planner, who sees no page."
    )
    evidence: list[AnyCheck] = _EVIDENCE


class Failed(Args):
    """Why the work is not done."""

    reason: str = Field(
        description="What is not done, and what the page shows instead, for who plans and sees no"
        " page."
    )


class Continue(Args):
    """What the worker is to do yet."""

    instructions: str = Field(
        description="What is to be done yet, or otherwise, in one sentence that says all the worker"
        " needs: it sees the page, and is told in a line what was done before."
    )


def judging(
    judgement: Judgement,
    names: Sequence[str],
    *,
    task: TaskReview | None = None,
    whole: TaskReview | None = None,
    needs: Callable[[], str] = lambda: "",
) -> list[Tool]:
    """Return the tools of these names, which write into `judgement`.

    `task` reviews that the assignment is done, `whole` that the whole task is. `needs` says what is
    still missing for the whole task, "" where nothing is. Raises UnknownName.
    """
    task = task or TaskReview()

    def agree(
        by: str, of: TaskReview, all_: bool
    ) -> Callable[[Hands, Complete | CompleteWithDetails], str]:
        def run(hands: Hands, args: Complete | CompleteWithDetails) -> str:
            if all_ and (missing := needs()):
                raise ToolError(missing)
            if not args.evidence:
                raise ToolError("there is no evidence: cite what the page shows for it")
            words = args.details if isinstance(args, CompleteWithDetails) else args.reason
            try:
                results = of.conclude(hands, words, list(args.evidence))
            except RefusedError as refused:
                return end(
                    hands, _REFUSALS[by] if _REFUSALS[by] in names else CONTINUES, str(refused)
                )
            judgement.ruling = of.review.ruling
            return end(hands, by, words, results, done=True)

        return run

    def refuse(by: str) -> Callable[[Hands, Failed | Continue], str]:
        def run(hands: Hands, args: Failed | Continue) -> str:
            words = args.instructions if isinstance(args, Continue) else args.reason
            if not words.strip():
                raise ToolError("say what is not done")
            return end(hands, by, words)

        return run

    def end(
        hands: Hands,
        by: str,
        words: str,
        shown: tuple[CheckResult, ...] = (),
        *,
        done: bool = False,
    ) -> str:
        judgement.by, judgement.words, judgement.evidence = by, hands.data.scrub(words), shown
        hands.ending = Ending(done=done, words=words)
        return ""

    known = (
        Tool(
            "mark_complete",
            "End with: it is done. All that was asked for has been done, and the page shows it.",
            Complete,
            agree("mark_complete", task, True),
            claims=True,
        ),
        Tool(
            "mark_subtask_complete",
            "End with: this subtask is done, and the task is not yet.",
            CompleteWithDetails,
            agree("mark_subtask_complete", task, False),
            claims=True,
        ),
        Tool(
            "mark_task_complete",
            "End with: the whole task is done, all parts of it.",
            CompleteWithDetails,
            agree("mark_task_complete", whole or task, True),
            claims=True,
        ),
        Tool(
            "mark_subtask_failed",
            "End with: this subtask is not done; the planner finds another way.",
            Failed,
            refuse("mark_subtask_failed"),
            claims=True,
        ),
        Tool(
            "continue_work",
            "End with: it is not done yet; the worker goes on by your instructions.",
            Continue,
            refuse(CONTINUES),
            claims=True,
        ),
        Tool(
            "request_reschedule",
            "End with: it cannot be done like this; the scheduler plans anew what is left.",
            Failed,
            refuse("request_reschedule"),
            claims=True,
        ),
    )
    for name in names:
        if name not in (tool.name for tool in known):
            raise UnknownName("tool of a verifier", name, (tool.name for tool in known))
    return [tool for tool in known if tool.name in names]
