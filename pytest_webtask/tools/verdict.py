"""The tool with which a verifier gives its verdict, and the code that decides upon it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_webtask.checks import coverage, effects
from pytest_webtask.checks.answers import Answer
from pytest_webtask.checks.kinds import Check
from pytest_webtask.checks.relevance import relevant
from pytest_webtask.checks.telling import told, unanchored
from pytest_webtask.records import Outcome, Seen, Verdict
from pytest_webtask.tools import Args, Tool, ToolError
from pytest_webtask.tools.hands import Ending, Hands

__all__ = ["REFUSALS_AT_MOST", "Trial", "problems", "report_verdict"]

REFUSALS_AT_MOST = 2
"""Verdicts with evidence that does not carry them, before the claim is undecided."""


class Reading(BaseModel):
    """A word of the claim that the page puts otherwise."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    word: str = Field(description="The word, as it stands in the claim.")
    text: str = Field(
        description="What the page has for it, word for word, in what a check is about."
    )


class ReportVerdict(Args):
    """What became of a claim."""

    reason: str = Field(
        description="What the page shows, in a sentence; where the claim does not hold, what is"
        " there instead."
    )
    outcome: Literal["holds", "does_not_hold", "cannot_tell"]
    evidence: list[Check] = Field(
        default_factory=list, description="The checks on which the verdict rests."
    )
    readings: list[Reading] = Field(
        default_factory=list,
        description="Words or phrases of the claim, verbs too, that are nowhere on the page, and the"
        " text of what is cited that stands for each. Not for numbers, names and quotations.",
    )


@dataclass
class Trial:
    """A claim that is judged: what it says, what is known besides, and what came of it.

    `exact` says that a literal sentence has named the checks itself, so that nothing is left to be
    read into it; `replayed` that a recording gives what was taken before, which must be so again.
    `before` is the page as it was before the last step.
    """

    claim: str
    data: Mapping[str, str] = field(default_factory=dict)
    before: Seen | None = None
    exact: bool = False
    replayed: bool = False
    refused: int = 0
    pointed_out: bool = False
    verdict: Verdict | None = None


def report_verdict(trial: Trial) -> Tool:
    """The tool for one claim."""

    def run(hands: Hands, args: ReportVerdict) -> str:
        readings = [coverage.Reading(r.word, r.text) for r in args.readings]

        def ask() -> tuple[tuple[Sequence[Answer], Sequence[Answer], list[str]], bool]:
            answers = every = [hands.checker().run(check) for check in args.evidence]
            unasked: list[str] = []
            if args.outcome == "holds" and not trial.exact and not trial.replayed:
                # What could not be asked is no evidence; the rest may be enough without it. A
                # literal sentence and a recording need each of their checks.
                unasked = [told(answer.checked) for answer in answers if answer.checked.problem]
                answers = [answer for answer in answers if not answer.checked.problem]
            wrong = problems(trial, hands, args.outcome, args.reason, answers, readings)
            return (every, answers, [*unasked, *wrong] if wrong else []), not wrong

        every, answers, wrong = hands.awaited(ask)
        if wrong:
            trial.refused += 1
            said = "\n".join(f"- {each}" for each in wrong)
            if trial.refused < REFUSALS_AT_MOST or trial.replayed:
                raise ToolError(f"this is not enough for a verdict:\n{said}")
            reason = f'"{args.reason}" was said, but its evidence does not carry it:\n{said}'
            return _end(hands, trial, Outcome.UNDECIDED, reason, every, ())
        read = tuple(f"{r.word}: {r.text}" for r in readings) if args.outcome == "holds" else ()
        outcome = {
            "holds": Outcome.PASSED,
            "does_not_hold": Outcome.FAILED,
            "cannot_tell": Outcome.UNDECIDED,
        }[args.outcome]
        return _end(hands, trial, outcome, args.reason, answers, read)

    return Tool(
        "report_verdict",
        "End the session with your verdict on the claim. Each check of the evidence is run on the"
        " page before it counts.",
        ReportVerdict,
        run,
        claims=True,
    )


def _end(
    hands: Hands,
    trial: Trial,
    outcome: Outcome,
    reason: str,
    answers: Sequence[Answer],
    readings: Sequence[str],
) -> str:
    scrub = hands.data.scrub
    trial.verdict = Verdict(
        claim=hands.data.hidden(trial.claim),
        outcome=outcome,
        reason=scrub(reason),
        evidence=tuple(answer.checked for answer in answers),
        readings=tuple(map(scrub, readings)),
        by_eye=(outcome is Outcome.PASSED and _by_eye(trial, answers, hands))
        or (bool(answers) and all(answer.check.kind == "visual" for answer in answers)),
    )
    hands.ending = Ending(done=outcome is Outcome.PASSED, words=reason)
    return ""


def _by_eye(trial: Trial, answers: Sequence[Answer], hands: Hands) -> bool:
    """Whether the verdict would not stand without what was seen only."""
    others = [answer for answer in answers if answer.check.kind != "visual"]
    if len(others) == len(answers) or trial.exact:
        return False
    page = str if trial.replayed else hands.words
    return bool(coverage.gaps(trial.claim, others, data=trial.data, page=page))


def problems(
    trial: Trial,
    hands: Hands,
    outcome: str,
    reason: str,
    answers: Sequence[Answer],
    readings: Sequence[coverage.Reading],
) -> list[str]:
    """Why a verdict cannot be taken as it is, in words; empty where it can."""
    if not reason.strip():
        return ["say in reason what the page shows"]
    if outcome == "cannot_tell":
        return []
    if not answers:
        return ["there is no evidence: cite what the page shows"]
    found = unanchored(answers)
    page = str if trial.replayed else cache(hands.words)
    if outcome == "does_not_hold":
        if trial.replayed:
            return []
        asked = [answer for answer in answers if not answer.checked.problem]
        if not asked:
            return [f"{told(answer.checked)}" for answer in answers]
        if trial.exact:
            return []
        found = unanchored([answer for answer in answers if answer.holds])
        if found and all(answer.negative for answer in asked):
            return found
        if not relevant(trial.claim, asked, trial.data):
            return [
                "none of these checks is about what the claim speaks of: cite what is there instead"
            ]
        if all(answer.holds for answer in answers) and not found and not trial.exact:
            lacking = coverage.gaps(
                trial.claim, answers, data=trial.data, readings=readings, page=page
            )
            if not lacking:
                return ["all of these checks hold, and they carry the claim: so it does hold"]
        return []
    found += [told(answer.checked) for answer in answers if not answer.holds]
    if found or trial.exact:
        return found
    found = coverage.gaps(trial.claim, answers, data=trial.data, readings=readings, page=page)
    return found or ([] if trial.replayed else _nothing_new(trial, answers))


def _nothing_new(trial: Trial, answers: Sequence[Answer]) -> list[str]:
    """Said once: that the evidence for an effect was there before what should have had it."""
    if trial.pointed_out or trial.before is None or not effects.tells_an_effect(trial.claim):
        return []
    before = trial.before
    if not all(effects.held_before(a, before.outline, before.url) for a in answers):
        return []
    trial.pointed_out = True
    # It is no verdict that was wrong, so that it is not counted among those.
    trial.refused -= 1
    return [
        "each of these would have held before the last step as well, so that they show no effect"
        " of it: cite what has changed, or report the same again if they are right all the same"
    ]
