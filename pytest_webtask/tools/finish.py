"""Tools that end a session: with evidence, with a verdict, or without success."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, Literal

from pydantic import ConfigDict, Field

from pytest_webtask.checks.base import Check, CheckResult
from pytest_webtask.checks.floor import basic_problems, problems
from pytest_webtask.checks.kinds import AnyCheck
from pytest_webtask.checks.page_history import Mark
from pytest_webtask.data.text import squashed
from pytest_webtask.errors import UnknownName
from pytest_webtask.journal import StepNoted
from pytest_webtask.page.activity import activity_of
from pytest_webtask.tools.approval import (
    Checkpoint,
    RefusedError,
    Review,
    StaleError,
    made_lasting,
    quiet_for,
    with_before,
)
from pytest_webtask.tools.context import ToolCallContext
from pytest_webtask.tools.effects import TextEffect
from pytest_webtask.tools.memory import describe_action, describe_actions
from pytest_webtask.tools.registry import Args, Tool, tool
from pytest_webtask.tools.results import Ending, InVain, ToolError, ToolResult
from pytest_webtask.types.agent import Iteration, Outcome, Verdict
from pytest_webtask.types.page import Seen


class MarkDone(Args):
    """The closing words of a task that was done."""

    summary: str = Field(
        description="What was done and what the page shows for it, in a sentence or two, with names,"
        " prices and numbers that later steps may need: they are shown this."
    )
    evidence: list[AnyCheck] = Field(
        default_factory=list,
        description="At least one check of what the page shows for it; each runs on the page, now and in"
        " every later run of the test.",
    )
    deviations: list[str] = Field(
        default_factory=list,
        description="What was done differently from the task, each in a short sentence: what the"
        " application demanded beyond it, a detail that was not possible as written. Usually none.",
    )


def _refer_to_evidence(schema: dict[str, Any]) -> None:
    """Refer to the checks of `mark_done` in the schema for models, as all kinds take 2,000 tokens."""
    items = {"type": "object", "description": "A check, as in mark_done; it may name its elements."}
    schema["properties"]["evidence"]["items"] = items


class Confirm(Args):
    """What the page shows in the middle of a task."""

    model_config = ConfigDict(json_schema_extra=_refer_to_evidence)

    note: str = Field(description="Which part of the task this shows, in a few words.")
    evidence: list[AnyCheck] = Field(
        min_length=1,
        description="At least one check of what the page shows for it now; each runs on the page, now"
        " and at this place in every later run of the test.",
    )


class Abort(Args):
    """The closing words of a task that was given up; `reason` is what the test fails with."""

    reason: str = Field(description="Why the task cannot be done, and what is there instead.")


@tool(Abort, ends=True)
def abort(_call: ToolCallContext, args: Abort) -> Ending:
    """End the session: the task cannot be done as written, or the application is broken. The test fails."""
    return Ending(done=False, words=args.reason)


@dataclass
class TaskReview(Review):
    """The review of a task, or of a part of it.

    It began at the mark `since`, with iteration `begun` of the `iterations`; `deviations` are those of
    the workers so far. The referee does not rule on the end of a task that `is_judged` by a verifier.
    """

    since: Mark = field(default_factory=Mark)
    iterations: list[Iteration] = field(default_factory=list)
    begun: int = 0
    deviations: Sequence[str] = ()
    is_judged: bool = False

    @property
    def checkpoints(self) -> list[Checkpoint]:
        """The checkpoints of the task that held, each with the action before it."""
        checkpoints: list[Checkpoint] = []
        after = "nothing, no action was done before it"
        for call in chain.from_iterable(each.calls for each in self.iterations[self.begun :]):
            if call.evidence:
                checkpoints.append(Checkpoint(len(checkpoints) + 1, after, call.evidence))
            elif call.success and call.acts:
                after = describe_action(call)
        return checkpoints

    def end(
        self,
        call: ToolCallContext,
        words: str,
        checks: Sequence[Check],
        deviations: Sequence[str] = (),
    ) -> Ending:
        """End the session with checks once they hold and are approved.

        Raises ToolError to send the evidence back, RefusedError after the last attempt, and StaleError
        if the page has changed meanwhile.
        """
        results, wrong = _poll(call, checks, lambda results: self._lacks(call, results))
        self.refuse(words, wrong, results)
        repeated = call.checker().run_all([each.check for each in call.sources])
        if changed := [each.explain() for each in repeated if not each.holds]:
            raise ToolError(
                f"the page no longer shows the output: {'; '.join(changed)}. Read the"
                " page again, call set_output, and then mark_done"
            )
        if call.reviewed and not self.is_judged and (results or call.sources):
            results = self._approved(call, words, results, deviations)
        return Ending(
            done=True,
            words=words,
            evidence=tuple(results),
            deviations=tuple(deviations),
            ruling=self.ruling,
            task="" if self.is_judged else self.sentence,
        )

    def _lacks(self, call: ToolCallContext, results: Sequence[CheckResult]) -> list[str]:
        wrong = basic_problems(results) if results else []
        confirmed = [*chain.from_iterable(each.results for each in self.checkpoints)]
        return wrong or [*call.step.missing_expectations(results, confirmed)]

    def lasting(self, call: ToolCallContext, results: Sequence[CheckResult]) -> list[CheckResult]:
        """Return results in their recorded form, with what was so before the task and at its checkpoints."""
        results = made_lasting(call, results, self.sentence)
        return with_before(call, results, self.since, self.checkpoints)

    def _approved(
        self,
        call: ToolCallContext,
        opinion: str,
        results: Sequence[CheckResult],
        deviations: Sequence[str],
    ) -> list[CheckResult]:
        """Return approved evidence in its recorded form, without what the referee called incidental."""
        lasting = self.lasting(call, results)
        facts = [*lasting, *call.sources]
        self.conclude(
            call,
            "task",
            opinion,
            facts,
            actions=describe_actions(self.iterations[self.begun :]),
            checkpoints=self.checkpoints,
            deviations=(*self.deviations, *deviations),
            value=call.output and call.output.value,
        )
        incidental = set(self.ruling.incidental) if self.ruling else set()
        kept = _without(lasting, incidental)
        if len(kept) < len(lasting) and (wrong := basic_problems([*kept, *facts[len(lasting) :]])):
            self.ruling = None
            problem = "without the checks that the referee finds incidental, the rest is not enough"
            self.refuse(opinion, [f"{problem}: {wrong[0]}"], facts)
        for each in lasting:
            if each not in kept:
                words = f"kept without {each.subject}, which the referee finds incidental"
                call.step.write(StepNoted(about="kept", words=words))
        return kept


def _without(results: Sequence[CheckResult], incidental: set[int]) -> list[CheckResult]:
    """Return the results whose numbers, from 1 on, are not incidental.

    All stay if the others would not show what is new, or may be, since the task began or since the last
    checkpoint.
    """
    kept = [each for number, each in enumerate(results, 1) if number not in incidental]
    return kept if _news(kept) == _news(results) else [*results]


def _news(results: Sequence[CheckResult]) -> set[tuple[int, bool | None]]:
    """Return since when there is something that was not so then, or may not have been."""
    times = [(each.held_before, *each.held_at[-1:]) for each in results]
    return {(at, held) for each in times for at, held in enumerate(each) if held is not True}


_NO_EVIDENCE = (
    "there is no evidence: cite what the page shows now that the task is done; checkpoints of `confirm` tell"
    " only what was so before"
)


def mark_done(review: TaskReview, *, needs_output: bool = False) -> Tool:
    """Return the tool that ends a session with approved evidence, and with an output if that is needed."""

    def conclude(call: ToolCallContext, args: MarkDone) -> Ending:
        shows = (call.looks or review.checkpoints) and call.reviewed and not review.is_judged
        if shows and not args.evidence:
            review.refuse(args.summary, [_NO_EVIDENCE], ())
        deviations = [*filter(None, map(squashed, args.deviations))]
        return review.end(call, args.summary, args.evidence, deviations)

    @tool(MarkDone, claims=True, ends=True)
    def mark_done(call: ToolCallContext, args: MarkDone) -> Ending:
        """End the session: the task is done, and you have seen on the page that it is."""
        if needs_output and call.output is None:
            raise ToolError("the task asks for a value: call set_output first")
        if any(isinstance(each, TextEffect) for each in call.step.effects.made):
            # The page may still take back what was typed, whatever it did when that was recorded.
            activity_of(call.page).await_keys()
        # Recorded evidence is found at rest, and answers to its questions tell the effects.
        is_found = call.replays and bool(args.evidence)
        if not is_found:
            call.session.rest(finds=call.claims)
            _check_effects(call)
        try:
            return review.settle(call, lambda: conclude(call, args))
        finally:
            # What the page has taken back explains evidence that is missing.
            if is_found:
                _check_effects(call)

    return mark_done


def _check_effects(call: ToolCallContext) -> None:
    """Raise ToolError if the page has taken back what it was sent, or has asked something."""
    effects = call.step.effects
    effects.check(call.session.tabs, call.data.scrub, accepts=call.looks)
    effects.wrong[:0] = filter(None, [call.unanswered(), call.stopped()])
    if effects.wrong:
        advice = "; if that is as it should be, call mark_done again" if call.looks else ""
        raise InVain(f"at the end of the step, {'; '.join(effects.wrong)}{advice}")


def confirm(review: TaskReview) -> Tool:
    """Return the tool that checks evidence in the middle of a task.

    It decides nothing by itself: the referee sees what held at the end of the task.
    """

    @tool(Confirm, claims=True, midway=True)
    def confirm(call: ToolCallContext, args: Confirm) -> ToolResult:
        """Check in the middle of the task what a later page will no longer show.

        It is evidence of the task, which goes on.
        """
        results, wrong = _poll(
            call, args.evidence, lambda each: basic_problems(each) or _in_background(call, each)
        )
        if wrong:
            listed = "\n".join(f"- {each}" for each in wrong)
            raise ToolError(f"the checkpoint does not hold:\n{listed}")
        # The recorded call has the results instead of these parameters.
        call.recorded["evidence"] = None
        if call.reviewed:
            results = review.lasting(call, results)
        call.step.history.checkpoints.append(call.step.history.now)
        return ToolResult("it holds now", evidence=tuple(results))

    return confirm


def _in_background(call: ToolCallContext, results: Sequence[CheckResult]) -> list[str]:
    """Return the checks of tabs in the background: a replay checks the tab in front."""
    front = call.session.tabs.number_of(call.page)
    return [
        f"{each.subject} is in tab {each.tab}: bring that tab to the front with switch_tab first"
        for each in results
        if each.tab != front
    ]


def _poll(
    call: ToolCallContext,
    checks: Sequence[Check],
    wrong_in: Callable[[Sequence[CheckResult]], list[str]],
) -> tuple[list[CheckResult], list[str]]:
    """Run checks until none has a problem or the time is over; return the results and the problems."""

    def ask() -> tuple[tuple[list[CheckResult], list[str]], bool]:
        results = call.checker().run_all(checks)
        wrong = wrong_in(results)
        return (results, wrong), not wrong

    # A literal sentence has let the page come to rest.
    if not (call.claims or call.reviewed) and (found := ask())[1]:
        return found[0]
    return call.poll(ask, quiet_for(checks))


_OUTCOMES = {
    "holds": Outcome.PASSED,
    "does_not_hold": Outcome.FAILED,
    "cannot_tell": Outcome.UNDECIDED,
}


class ReportVerdict(Args):
    """The verdict on a claim."""

    reason: str = Field(
        min_length=1,
        description="What the page shows, in a sentence; if the claim does not hold, what is there"
        " instead.",
    )
    outcome: Literal["holds", "does_not_hold", "cannot_tell"]
    evidence: list[AnyCheck] = Field(
        default_factory=list, description="The checks on which the verdict rests."
    )


@dataclass
class ClaimReview(Review):
    """The review of a verdict on a claim.

    `waits` waits for the page to differ from the one last seen in the turn, since a claim may still come
    true, and returns whether it does.
    """

    waits: Callable[[Seen | None], bool] = lambda _: False

    def examined(
        self, call: ToolCallContext, args: ReportVerdict
    ) -> tuple[list[CheckResult], list[str]]:
        """Run the checks of a verdict; return the results, and what is wrong with them."""
        checks: list[Check] = [*args.evidence]
        if args.outcome != "holds" and not call.reviewed:
            return call.checker().run_all(checks), []

        def wrong_in(results: Sequence[CheckResult]) -> list[str]:
            if args.outcome == "cannot_tell":
                return []
            if call.reviewed and args.outcome == "holds":
                return problems(self.sentence, results, call.data.values)
            return basic_problems(results)

        return _poll(call, checks, wrong_in)

    def approved(
        self, call: ToolCallContext, args: ReportVerdict, results: Sequence[CheckResult]
    ) -> list[CheckResult]:
        """Return approved evidence in its recorded form; what is undecided needs no approval."""
        if args.outcome != "holds" and self.waits(call.seen):
            raise StaleError
        if args.outcome == "cannot_tell":
            return [*results]
        lasting = made_lasting(call, results, self.sentence)
        self.conclude(call, "claim", args.reason, lasting, outcome=args.outcome)
        return lasting

    def end(
        self, call: ToolCallContext, outcome: str, reason: str, results: Sequence[CheckResult]
    ) -> Ending:
        """End the session with a verdict."""
        decided = _OUTCOMES[outcome]
        verdict = Verdict(
            claim=call.data.hidden(self.sentence),
            outcome=decided,
            reason=call.data.scrub(reason),
            evidence=tuple(results),
            by_eye=any(each.check.by_eye for each in results),
            ruling=self.ruling,
        )
        done = decided is Outcome.PASSED
        return Ending(done=done, words=reason, conclusion=verdict)


def report_verdict(review: ClaimReview) -> Tool:
    """Return the tool that reports a verdict on one claim."""

    @tool(ReportVerdict, claims=True, ends=True)
    def report_verdict(call: ToolCallContext, args: ReportVerdict) -> Ending:
        """End the session with your verdict on the claim.

        Each check of the evidence runs on the page; then a referee, who sees only claim and facts, must
        find it proved.
        """
        results, wrong = review.examined(call, args)
        try:
            review.refuse(args.reason, wrong, results)
            if call.reviewed:
                results = review.approved(call, args, results)
        except RefusedError as refused:
            # The verdict has the facts as evidence.
            return review.end(call, "cannot_tell", refused.words, results)
        except StaleError:
            words = "the page has changed since it was judged"
            return Ending(done=False, words=words, stale=True)
        return review.end(call, args.outcome, args.reason, results)

    return report_verdict


CONTINUES = "continue_work"
"""The tool with which a verifier sends the worker back."""
RESCHEDULES = "request_reschedule"
"""The tool with which a verifier asks for another plan."""

_EVIDENCE: Any = Field(
    description="At least one check of what the page shows for it now; each runs on the page.",
)


class Complete(Args):
    """The evidence that the work is done."""

    reason: str = Field(
        description="What the page shows for it, in a sentence or two; a planner sees no page."
    )
    evidence: list[AnyCheck] = _EVIDENCE


class Failed(Args):
    """The reason why the work is not done."""

    reason: str = Field(
        min_length=1,
        description="What is not done, and what the page shows instead, for the planner, who sees no"
        " page.",
    )


class Reschedule(Failed):
    """The reason for another plan, with the evidence if the subtask is done all the same."""

    subtask_done: bool = Field(
        default=False, description="Whether the subtask itself is done; if so, give its evidence."
    )
    evidence: list[AnyCheck] = Field(
        default_factory=list,
        description="If the subtask is done: at least one check of what the page shows for it now.",
    )


class Continue(Failed):
    """The remaining work."""

    reason: str = Field(
        min_length=1,
        description="What is still to be done, or done differently, in one sentence that says all the"
        " worker needs: it sees the page, and knows what was done before.",
    )


_JUDGMENTS: dict[str, tuple[str, type[Args]]] = {
    "mark_complete": (
        "End with: it is done. All that was asked for was done, and the page shows it.",
        Complete,
    ),
    "mark_subtask_complete": ("End with: this subtask is done, but not yet the task.", Complete),
    "mark_task_complete": ("End with: the whole task is done, every part of it.", Complete),
    "mark_subtask_failed": (
        "End with: this subtask is not done; the planner finds another way.",
        Failed,
    ),
    CONTINUES: (
        "End with: it is not done yet; the worker continues with your instructions.",
        Continue,
    ),
    RESCHEDULES: (
        "End with: the work cannot go on as planned, whether this subtask is done or not; the"
        " scheduler must change the plan.",
        Reschedule,
    ),
}


def judgment_tools(
    names: Sequence[str],
    *,
    task: TaskReview,
    whole: TaskReview,
    needs: Callable[[], str],
) -> list[Tool]:
    """Return the verifier's tools with these names, for judging a worker's results.

    `task` reviews the end of the assignment, `whole` the end of the whole task. `needs` returns what is
    missing for the whole task, "" if nothing is. Raises UnknownName.
    """
    if unknown := sorted({*names} - {*_JUDGMENTS}):
        raise UnknownName("tool of a verifier", unknown[0], _JUDGMENTS)
    refusals = [*filter(names.__contains__, ("mark_subtask_failed", RESCHEDULES)), CONTINUES]
    task.gives_up_with = whole.gives_up_with = refusals[0]

    def judgment(name: str) -> Tool:
        description, args = _JUDGMENTS[name]
        review = whole if name == "mark_task_complete" else task

        def run(call: ToolCallContext, given: Any) -> Ending:
            # Only who asks for another plan says whether the work is done.
            if not getattr(given, "subtask_done", args is Complete):
                return Ending(done=False, words=given.reason)
            if name in ("mark_complete", "mark_task_complete") and (missing := needs()):
                raise ToolError(missing)
            if not given.evidence:
                raise ToolError(
                    "there is no evidence: cite what the page shows of the finished work"
                )
            return review.settle(call, lambda: review.end(call, given.reason, given.evidence))

        return Tool(name, description, args, run, claims=True, ends=True)

    return [judgment(name) for name in _JUDGMENTS if name in names]
