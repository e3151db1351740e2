"""Tools with which a verifier hands over what it thinks of a worker's work."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import Field

from pytest_webtask.checks.kinds import Check
from pytest_webtask.errors import UnknownName
from pytest_webtask.records import Checked, Seen
from pytest_webtask.tools import Args, Tool, ToolError
from pytest_webtask.tools.ending import proved
from pytest_webtask.tools.hands import Ending, Hands

__all__ = ["CONTINUES", "FAILS", "Judgement", "judging"]

FAILS = frozenset(("mark_subtask_failed", "request_reschedule"))
"""Hand-overs after which there has to be another plan."""
CONTINUES = "continue_work"

_EVIDENCE: Any = Field(
    description="Checks of what the page shows for it now, at least one; each is run on the page.",
)


@dataclass
class Judgement:
    """What came of a judgement: the tool that handed over, "" before, its words and evidence."""

    by: str = ""
    words: str = ""
    evidence: tuple[Checked, ...] = ()
    warned: bool = field(default=False, repr=False)

    @property
    def agrees(self) -> bool:
        """Whether the work is done."""
        return bool(self.by) and self.by not in FAILS and self.by != CONTINUES


class Complete(Args):
    """What the page shows for it."""

    reason: str = Field(description="What the page shows for it, in a sentence.")
    evidence: list[Check] = _EVIDENCE


class CompleteWithDetails(Args):
    """What the page shows for it, and what the planner needs to know of it."""

    details: str = Field(
        description="What the page shows now, in a sentence or two, for the planner, who sees no page."
    )
    evidence: list[Check] = _EVIDENCE


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
    judgement: Judgement, names: Sequence[str], *, needs: Callable[[], str] = lambda: ""
) -> list[Tool]:
    """The tools of these names, which write what they are told into `judgement`.

    `needs` says what is still missing for the whole task to be done, "" where nothing is. Raises
    UnknownName.
    """

    def agree(by: str, whole: bool) -> Callable[[Hands, Complete | CompleteWithDetails], str]:
        def run(hands: Hands, args: Complete | CompleteWithDetails) -> str:
            if whole and (missing := needs()):
                raise ToolError(missing)
            if not args.evidence:
                raise ToolError("there is no evidence: cite what the page shows for it")
            shown = proved(hands, args.evidence)
            if (
                whole
                and not judgement.warned
                and hands.began
                and all(_stood(each, hands.began) for each in shown)
            ):
                judgement.warned = True
                raise ToolError(
                    "each of these held before the task as well, so that they show nothing"
                    " of it: cite what has changed, or say the same again if they are right all the"
                    " same"
                )
            words = args.details if isinstance(args, CompleteWithDetails) else args.reason
            return end(hands, by, words, shown, done=True)

        return run

    def refuse(by: str) -> Callable[[Hands, Failed | Continue], str]:
        def run(hands: Hands, args: Failed | Continue) -> str:
            words = args.instructions if isinstance(args, Continue) else args.reason
            if not words.strip():
                raise ToolError("say what is not done")
            return end(hands, by, words)

        return run

    def end(
        hands: Hands, by: str, words: str, shown: tuple[Checked, ...] = (), *, done: bool = False
    ) -> str:
        judgement.by, judgement.words, judgement.evidence = by, hands.data.scrub(words), shown
        hands.ending = Ending(done=done, words=words)
        return ""

    known = (
        Tool(
            "mark_complete",
            "End with: it is done. All that was asked for has been done, and the page shows it.",
            Complete,
            agree("mark_complete", whole=True),
            claims=True,
        ),
        Tool(
            "mark_subtask_complete",
            "End with: this subtask is done, and the task is not yet.",
            CompleteWithDetails,
            agree("mark_subtask_complete", whole=False),
            claims=True,
        ),
        Tool(
            "mark_task_complete",
            "End with: the whole task is done, all parts of it.",
            CompleteWithDetails,
            agree("mark_task_complete", whole=True),
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


def _stood(checked: Checked, began: Seen) -> bool:
    """Whether it held before the task, as far as that can be told of its kind."""
    if checked.kind == "state":
        # It was there, and what it says of itself is told by no outline for certain.
        named = re.escape(str(checked.arguments.get("element_id")))
        return re.search(rf"[\[<]{named}\b", began.outline) is not None
    return checked.stood and checked.kind in ("text", "url", "title")
