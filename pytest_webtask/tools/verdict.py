"""The tool with which a verifier gives its verdict, and what it takes for one to count."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from pytest_webtask.checks.base import Check, CheckResult
from pytest_webtask.checks.floor import basic_problems, problems
from pytest_webtask.checks.kinds import AnyCheck
from pytest_webtask.records import Outcome, Verdict
from pytest_webtask.tools import Args, Tool, ToolError
from pytest_webtask.tools.evidence import concluded, made_lasting, run_checks, with_vanished
from pytest_webtask.tools.hands import Ending, Hands
from pytest_webtask.tools.review import RefusedError, Review, StaleError

__all__ = ["VerdictDraft", "report_verdict"]

_OUTCOMES = {
    "holds": Outcome.PASSED,
    "does_not_hold": Outcome.FAILED,
    "cannot_tell": Outcome.UNDECIDED,
}


class ReportVerdict(Args):
    """What became of a claim."""

    reason: str = Field(
        description="What the page shows, in a sentence; where the claim does not hold, what is"
        " there instead."
    )
    outcome: Literal["holds", "does_not_hold", "cannot_tell"]
    evidence: list[AnyCheck] = Field(
        default_factory=list, description="The checks on which the verdict rests."
    )


@dataclass
class VerdictDraft:
    """A verdict in the making.

    `exact` says that a literal sentence has named the checks itself, `replayed` that a recording
    did: neither is reviewed. `waits` waits until the page is another than it was judged, and
    answers whether it is: a claim that does not hold yet may come true. `stale` says that the page
    has changed, so that the claim must be judged again.
    """

    claim: str
    data: Mapping[str, str] = field(default_factory=dict)
    review: Review = field(default_factory=Review)
    waits: Callable[[], bool] = lambda: False
    exact: bool = False
    replayed: bool = False
    verdict: Verdict | None = None
    stale: bool = False

    @property
    def reviewed(self) -> bool:
        """Whether code and referee have a say in it."""
        return not self.exact and not self.replayed


def report_verdict(draft: VerdictDraft) -> Tool:
    """Return the tool for one claim."""

    def run(hands: Hands, args: ReportVerdict) -> str:
        checks: list[Check] = list(args.evidence)
        if args.outcome == "holds" or draft.reviewed:
            results, wrong = hands.awaited(lambda: _checked(draft, hands, args, checks))
        else:
            results, wrong = run_checks(hands, checks), []
        if not draft.reviewed:
            if wrong:
                raise ToolError("this is not enough:\n" + "\n".join(f"- {each}" for each in wrong))
            return _end(hands, draft, args.outcome, args.reason, results)
        try:
            draft.review.refuse(args.reason, wrong, results)
            if args.outcome != "holds" and draft.waits():
                return _start_over(hands, draft)
            if args.outcome == "cannot_tell":
                return _end(hands, draft, args.outcome, args.reason, results)
            results = made_lasting(hands, results, draft.claim)
            conclusion = concluded(hands, "claim", draft.claim, results, outcome=args.outcome)
            again = [each.check for each in results]
            draft.review.approve(args.reason, conclusion, results, lambda: run_checks(hands, again))
        except RefusedError as refused:
            return _end(hands, draft, "cannot_tell", str(refused), results)
        except StaleError:
            return _start_over(hands, draft)
        return _end(hands, draft, args.outcome, args.reason, results)

    return Tool(
        "report_verdict",
        "End the session with your verdict on the claim. Each check of the evidence is run on the"
        " page; then a referee, who sees only claim and facts, has to find it proved.",
        ReportVerdict,
        run,
        claims=True,
    )


def _checked(
    draft: VerdictDraft, hands: Hands, args: ReportVerdict, checks: Sequence[Check]
) -> tuple[tuple[list[CheckResult], list[str]], bool]:
    """Return the results of the checks and what is wrong with them."""
    results = run_checks(hands, checks)
    if draft.reviewed:
        results = with_vanished(hands, results)
    wrong: list[str] = []
    if not args.reason.strip():
        wrong = ["say in reason what the page shows"]
    elif args.outcome == "cannot_tell":
        wrong = []
    elif not draft.reviewed:
        wrong = basic_problems(results)
    elif args.outcome == "holds":
        wrong = problems(draft.claim, results, draft.data)
    else:
        wrong = basic_problems(results)
    return (results, wrong), not wrong


def _start_over(hands: Hands, draft: VerdictDraft) -> str:
    draft.stale = True
    hands.ending = Ending(done=False, words="the page has changed since it was judged")
    return ""


def _end(
    hands: Hands, draft: VerdictDraft, outcome: str, reason: str, results: Sequence[CheckResult]
) -> str:
    decided = _OUTCOMES[outcome]
    draft.verdict = Verdict(
        claim=hands.data.hidden(draft.claim),
        outcome=decided,
        reason=hands.data.scrub(reason),
        evidence=tuple(results),
        by_eye=any(each.check.by_eye for each in results),
        ruling=draft.review.ruling,
    )
    hands.ending = Ending(done=decided is Outcome.PASSED, words=reason)
    return ""
