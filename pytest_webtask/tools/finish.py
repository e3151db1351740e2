"""Tools that end a session: with evidence, with a verdict, or without success."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import ConfigDict, Field

from pytest_webtask.checks.base import Check, CheckResult
from pytest_webtask.checks.floor import basic_problems, problems
from pytest_webtask.checks.kinds import AnyCheck
from pytest_webtask.checks.page_history import Mark
from pytest_webtask.data.text import squashed
from pytest_webtask.errors import UnknownName
from pytest_webtask.page.activity import activity_of
from pytest_webtask.tools.approval import (
    Checkpoint,
    RefusedError,
    Review,
    StaleError,
    made_lasting,
    quiet_for,
    run_checks,
    shown_for_a_moment,
    with_before,
)
from pytest_webtask.tools.conclusion import until_settled
from pytest_webtask.tools.context import ToolCallContext
from pytest_webtask.tools.extraction import (
    Reading,
    read_sources,
    reading,
    unread_parts,
    unsupported_sources,
)
from pytest_webtask.tools.memory import describe_action, describe_actions
from pytest_webtask.tools.registry import Args, Tool
from pytest_webtask.tools.results import Ending, Output, ToolError, ToolResult
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


def _asks_for_sources(schema: dict[str, Any]) -> None:
    """Require sources in the schema for models; recordings and scripts may omit them."""
    schema["required"] = [*schema.get("required", ()), "read", "counted"]


class _Output(Reading):
    model_config = ConfigDict(json_schema_extra=_asks_for_sources)


@dataclass
class TaskReview:
    """The review of a finished task, or of a part of it: its sentence, its actions and the reviewer.

    It began at the mark `since`, with iteration `begun` of the `iterations`; `deviations` are those of
    the workers so far. The referee does not rule on the end of a task that `is_judged` by a verifier.
    """

    task: str = ""
    review: Review = field(default_factory=Review)
    since: Mark = field(default_factory=Mark)
    iterations: list[Iteration] = field(default_factory=list)
    begun: int = 0
    deviations: Sequence[str] = ()
    is_judged: bool = True

    def reviewed(self, call: ToolCallContext) -> bool:
        """Return whether the referee rules on the end of the task."""
        return call.reviewed and not self.is_judged

    @property
    def checkpoints(self) -> list[Checkpoint]:
        """The checkpoints of the task that held, each with the action before it."""
        checkpoints: list[Checkpoint] = []
        after = ""
        for call in (call for each in self.iterations[self.begun :] for call in each.calls):
            if call.evidence:
                checkpoints.append(Checkpoint(len(checkpoints) + 1, after, call.evidence))
            elif call.success and call.acts:
                after = describe_action(call)
        return checkpoints

    def _replace_evidence(self, checkpoint: Checkpoint, results: Sequence[CheckResult]) -> None:
        """Replace the evidence of a checkpoint by a part of it."""
        for at, iteration in enumerate(self.iterations):
            calls = [*iteration.calls]
            for place, call in enumerate(calls):
                if call.evidence is checkpoint.results:
                    calls[place] = call.model_copy(update={"evidence": tuple(results)})
            self.iterations[at] = iteration.model_copy(update={"calls": tuple(calls)})

    def approve(
        self,
        call: ToolCallContext,
        opinion: str,
        results: Sequence[CheckResult],
        deviations: Sequence[str] = (),
    ) -> tuple[CheckResult, ...]:
        """Return approved evidence in its recorded form.

        Raises ToolError to send the evidence back, RefusedError after the last attempt, and StaleError
        if the page has changed meanwhile.
        """
        if not self.reviewed(call):
            return tuple(results)
        checkpoints = self.checkpoints
        lasting = made_lasting(call, results, self.task)
        lasting = with_before(call, lasting, self.since, checkpoints)
        output = call.output
        facts = [*lasting, *(output.sources if output else ())]
        self.review.conclude(
            call,
            "task",
            self.task,
            opinion,
            facts,
            actions=describe_actions(self.iterations[self.begun :]),
            checkpoints=checkpoints,
            deviations=(*self.deviations, *deviations),
            **({"value": output.value} if output else {}),
        )
        return self._without_incidental(opinion, lasting, facts)

    def _without_incidental(
        self,
        opinion: str,
        results: Sequence[CheckResult],
        facts: Sequence[CheckResult],
    ) -> tuple[CheckResult, ...]:
        """Return approved results without those that the referee called incidental.

        `facts` are the results and what follows them. Incidental facts of checkpoints are left out, too,
        as long as each checkpoint keeps evidence. Raises ToolError if what is left of the results would
        be no evidence, or RefusedError.
        """
        incidental = set(self.review.ruling.incidental) if self.review.ruling else set()
        kept = _without(results, incidental, 1)
        if len(kept) < len(results) and (wrong := basic_problems([*kept, *facts[len(results) :]])):
            self.review.ruling = None
            problem = "without the checks that the referee finds incidental, the rest is not enough"
            self.review.refuse(opinion, [f"{problem}: {wrong[0]}"], facts)
        first = len(facts) + 1
        for checkpoint in self.checkpoints:
            left = _without(checkpoint.results, incidental, first)
            if len(left) < len(checkpoint.results) and not basic_problems(left):
                self._replace_evidence(checkpoint, left)
            first += len(checkpoint.results)
        return tuple(kept)

    def conclude(
        self,
        call: ToolCallContext,
        opinion: str,
        checks: Sequence[Check],
        deviations: Sequence[str] = (),
    ) -> tuple[CheckResult, ...]:
        """Run the checks until they hold and are approved, and return the results.

        Raises ToolError, RefusedError after the last attempt, and StaleError if the page has changed
        meanwhile.
        """
        sources = call.output.sources if call.output else ()
        results = run_evidence(call, checks, opinion, self)
        repeated = run_checks(call, [each.check for each in sources])
        if changed := [each.explain() for each in repeated if not each.holds]:
            raise ToolError(
                f"the page no longer shows the output: {'; '.join(changed)}. Read the"
                " page again, call set_output, and then mark_done"
            )
        if not results and not sources:
            return ()
        return self.approve(call, opinion, results, deviations)


def _without(results: Sequence[CheckResult], incidental: set[int], first: int) -> list[CheckResult]:
    """Return the results whose numbers, from `first` on, are not incidental.

    All stay if the others would not show what is new, or may be, since the task began or since the last
    checkpoint.
    """
    kept = [each for number, each in enumerate(results, first) if number not in incidental]
    return kept if _news(kept) == _news(results) else [*results]


def _news(results: Sequence[CheckResult]) -> set[tuple[int, bool | None]]:
    """Return since when there is something that was not so then, or may not have been."""
    times = [(each.held_before, *each.held_at[-1:]) for each in results]
    return {(at, held) for each in times for at, held in enumerate(each) if held is not True}


_NO_EVIDENCE = (
    "there is no evidence: cite what the page shows now that the task is done; checkpoints of `confirm` tell"
    " only what was so before"
)


def _check_effects(call: ToolCallContext) -> None:
    """Raise ToolError if the page has taken back what it was sent, or has asked something."""
    effects = call.step.effects
    effects.check(call.session.tabs, call.data.scrub, accepts=call.looks)
    effects.wrong[:0] = filter(None, [call.unanswered()])
    if effects.wrong:
        advice = "; if that is as it should be, call mark_done again" if call.looks else ""
        raise ToolError(f"at the end of the step, {'; '.join(effects.wrong)}{advice}")


def mark_done(task: TaskReview, *, needs_output: bool = False) -> Tool:
    """Return the tool that ends a session with approved evidence, and with an output if that is needed."""

    def run(call: ToolCallContext, args: MarkDone) -> ToolResult:
        if needs_output and call.output is None:
            raise ToolError("the task asks for a value: call set_output first")
        effects = call.step.effects
        if any(each.kind == "text" for each in effects.made):
            # The page may still take back what was typed, whatever it did when that was recorded.
            activity_of(call.page).await_keys()
        # Recorded evidence is found at rest, and answers to its questions tell the effects.
        is_found = call.replays and bool(args.evidence)
        if not is_found:
            call.session.rest(finds=call.claims)
            _check_effects(call)
        try:
            return until_settled(lambda: conclude(call, args), give_up)
        finally:
            # What the page has taken back explains evidence that is missing.
            if is_found:
                _check_effects(call)

    def conclude(call: ToolCallContext, args: MarkDone) -> ToolResult:
        shows = call.looks or task.checkpoints
        if shows and task.reviewed(call) and not args.evidence:
            task.review.refuse(args.summary, [_NO_EVIDENCE], ())
        deviations = [*filter(None, map(squashed, args.deviations))]
        results = task.conclude(call, args.summary, list(args.evidence), deviations)
        return _done(args.summary, results, task, deviations)

    def give_up(refused: RefusedError) -> ToolResult:
        return ToolResult(ending=Ending(done=False, words=str(refused)))

    return Tool(
        "mark_done",
        "End the session: the task is done, and you have seen on the page that it is.",
        MarkDone,
        run,
        claims=True,
        ends=True,
    )


def confirm(task: TaskReview) -> Tool:
    """Return the tool that checks evidence in the middle of a task.

    It decides nothing by itself: the referee sees what held at the end of the task.
    """

    def run(call: ToolCallContext, args: Confirm) -> ToolResult:
        checks: list[Check] = list(args.evidence)

        def wrong_in(results: Sequence[CheckResult]) -> list[str]:
            return basic_problems(results) or _in_background(call, results)

        results, wrong = _await(call, checks, wrong_in)
        if wrong:
            listed = "\n".join(f"- {each}" for each in wrong)
            raise ToolError(f"the checkpoint does not hold:\n{listed}")
        # The recorded call has the results instead of these parameters.
        call.recorded["evidence"] = None
        if task.reviewed(call):
            results = made_lasting(call, results, task.task)
            results = with_before(call, results, task.since, task.checkpoints)
        call.step.history.checkpoints.append(call.step.history.now)
        return ToolResult("it holds now", evidence=tuple(results))

    return Tool(
        "confirm",
        "Check in the middle of the task what a later page will no longer show. It is evidence of the"
        " task, which goes on.",
        Confirm,
        run,
        claims=True,
        midway=True,
    )


def _in_background(call: ToolCallContext, results: Sequence[CheckResult]) -> list[str]:
    """Return the checks of tabs in the background: a replay checks the tab in front."""
    front = call.session.tabs.number_of(call.page)
    return [
        f"{each.subject} is in tab {each.tab}: bring that tab to the front with switch_tab first"
        for each in results
        if each.tab != front
    ]


def _done(
    words: str,
    results: Sequence[CheckResult],
    task: TaskReview,
    deviations: Sequence[str] = (),
) -> ToolResult:
    ending = Ending(
        done=True,
        words=words,
        evidence=tuple(results),
        deviations=tuple(deviations),
        ruling=task.review.ruling,
        task=task.task,
    )
    return ToolResult(ending=ending)


def run_evidence(
    call: ToolCallContext, checks: Sequence[Check], opinion: str, task: TaskReview
) -> tuple[CheckResult, ...]:
    """Return the results of checks that all hold.

    Raises ToolError, or RefusedError after the last attempt.
    """

    def wrong_in(results: Sequence[CheckResult]) -> list[str]:
        wrong = basic_problems(results) if results else []
        confirmed = [result for each in task.checkpoints for result in each.results]
        return wrong or [*call.step.missing_expectations(results, confirmed)]

    results, wrong = _await(call, checks, wrong_in)
    task.review.refuse(opinion, wrong, results)
    return tuple(results)


def _await(
    call: ToolCallContext,
    checks: Sequence[Check],
    wrong_in: Callable[[Sequence[CheckResult]], list[str]],
) -> tuple[list[CheckResult], list[str]]:
    """Run checks until none has a problem or the time is over; return the results and the problems.

    A text of an element that has gone since the model looked is then cited as shown for a moment.
    """
    results, wrong = _poll(call, checks, wrong_in)
    if wrong and call.reviewed:
        results = shown_for_a_moment(call, results)
        wrong = wrong_in(results)
    return results, wrong


def _poll(
    call: ToolCallContext,
    checks: Sequence[Check],
    wrong_in: Callable[[Sequence[CheckResult]], list[str]],
) -> tuple[list[CheckResult], list[str]]:
    def ask() -> tuple[tuple[list[CheckResult], list[str]], bool]:
        results = run_checks(call, checks)
        wrong = wrong_in(results)
        return (results, wrong), not wrong

    # A literal sentence has let the page come to rest.
    if not (call.claims or call.reviewed) and (found := ask())[1]:
        return found[0]
    return call.poll(ask, quiet_for(checks))


def abort(_call: ToolCallContext, args: Abort) -> ToolResult:
    """End the session without success."""
    return ToolResult(ending=Ending(done=False, words=args.reason))


def set_output(schema: Any) -> Tool:
    """Return the tool that sets the task's output. Raises UsageError for an unsupported type."""
    field = Field(description="The value, of this type.")
    args, adapter = reading(f"output={schema!r}", "SetOutput", _Output, output=(schema, field))

    def run(call: ToolCallContext, args: Any) -> ToolResult:
        results = read_sources(call, args.read, args.counted, args.recounted)
        wrong = unsupported_sources(results)
        if results and not wrong:
            wrong = unread_parts(args.output, results)
        if wrong:
            raise ToolError("the evidence does not support the value:\n" + "\n".join(wrong))
        return ToolResult(
            f"the output is {adapter.dump_json(args.output).decode()}",
            output=Output(args.output, tuple(results)),
        )

    return Tool(
        "set_output",
        "Give the value that the task asks for, as the page shows it; then call mark_done.",
        args,
        run,
        claims=True,
        replayed=False,
    )


ABORT = Tool(
    "abort",
    "End the session: the task cannot be done as written, or the application is broken. The test"
    " fails.",
    Abort,
    abort,
    ends=True,
)


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


@dataclass(frozen=True)
class ClaimReview:
    """The review of a verdict on a claim.

    `waits` waits for the page to differ from the one last seen in the turn, since a claim may still come
    true, and returns whether it does.
    """

    claim: str
    review: Review
    waits: Callable[[Seen | None], bool]


def report_verdict(claim: ClaimReview) -> Tool:
    """Return the tool that reports a verdict on one claim."""

    def run(call: ToolCallContext, args: ReportVerdict) -> ToolResult:
        checks: list[Check] = list(args.evidence)

        def wrong_in(results: Sequence[CheckResult]) -> list[str]:
            if args.outcome == "cannot_tell":
                return []
            if call.reviewed and args.outcome == "holds":
                return problems(claim.claim, results, call.data.values)
            return basic_problems(results)

        if args.outcome == "holds" or call.reviewed:
            results, wrong = _poll(call, checks, wrong_in)
        else:
            results, wrong = run_checks(call, checks), []
        try:
            claim.review.refuse(args.reason, wrong, results)
            if call.reviewed:
                if args.outcome != "holds" and claim.waits(call.seen):
                    raise StaleError
                results = approved(call, args, results)
        except RefusedError as refused:
            # The verdict has the facts as evidence.
            return _end(call, claim, "cannot_tell", refused.words, results)
        except StaleError:
            words = "the page has changed since it was judged"
            return ToolResult(ending=Ending(done=False, words=words, stale=True))
        return _end(call, claim, args.outcome, args.reason, results)

    def approved(
        call: ToolCallContext, args: ReportVerdict, results: Sequence[CheckResult]
    ) -> list[CheckResult]:
        """Return approved evidence in its recorded form; what is undecided needs no approval."""
        if args.outcome == "cannot_tell":
            return [*results]
        lasting = made_lasting(call, results, claim.claim)
        claim.review.conclude(
            call, "claim", claim.claim, args.reason, lasting, outcome=args.outcome
        )
        return lasting

    return Tool(
        "report_verdict",
        "End the session with your verdict on the claim. Each check of the evidence runs on the"
        " page; then a referee, who sees only claim and facts, must find it proved.",
        ReportVerdict,
        run,
        claims=True,
        ends=True,
    )


def _end(
    call: ToolCallContext,
    claim: ClaimReview,
    outcome: str,
    reason: str,
    results: Sequence[CheckResult],
) -> ToolResult:
    decided = _OUTCOMES[outcome]
    verdict = Verdict(
        claim=call.data.hidden(claim.claim),
        outcome=decided,
        reason=call.data.scrub(reason),
        evidence=tuple(results),
        by_eye=any(each.check.by_eye for each in results),
        ruling=claim.review.ruling,
    )
    done = decided is Outcome.PASSED
    return ToolResult(ending=Ending(done=done, words=reason, conclusion=verdict))


CONTINUES = "continue_work"
"""The tool with which a verifier sends the worker back."""
RESCHEDULES = "request_reschedule"
"""The tool with which a verifier asks for another plan."""

_EVIDENCE: Any = Field(
    description="At least one check of what the page shows for it now; each runs on the page.",
)


class Judgment(Args):
    """A judgment of a worker's results."""

    @property
    def words(self) -> str:
        """The closing words."""
        return self.reason


class Complete(Judgment):
    """The evidence that the work is done."""

    reason: str = Field(description="What the page shows for it, in a sentence.")
    evidence: list[AnyCheck] = _EVIDENCE


class CompleteWithDetails(Judgment):
    """The evidence that the work is done, and details for the planning role."""

    details: str = Field(
        description="What the page shows now, in a sentence or two, for the planner, who sees no page."
    )
    evidence: list[AnyCheck] = _EVIDENCE

    @property
    def words(self) -> str:
        """The closing words."""
        return self.details


class Failed(Judgment):
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


class Continue(Judgment):
    """The remaining work."""

    instructions: str = Field(
        min_length=1,
        description="What is still to be done, or done differently, in one sentence that says all the"
        " worker needs: it sees the page, and knows what was done before.",
    )

    @property
    def words(self) -> str:
        """The closing words."""
        return self.instructions


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
    # The ending of a judgment that was refused too often.
    refusals = ("mark_subtask_failed", RESCHEDULES)

    def agree(
        review: TaskReview, *, all_done: bool
    ) -> Callable[[ToolCallContext, Complete | CompleteWithDetails | Reschedule], ToolResult]:
        """Return a function that agrees that work is done."""

        def run(
            call: ToolCallContext, args: Complete | CompleteWithDetails | Reschedule
        ) -> ToolResult:
            if all_done and (missing := needs()):
                raise ToolError(missing)
            if not args.evidence:
                raise ToolError(
                    "there is no evidence: cite what the page shows of the finished work"
                )

            def conclude() -> ToolResult:
                results = review.conclude(call, args.words, list(args.evidence))
                return _done(args.words, results, review)

            return until_settled(conclude, give_up)

        return run

    def give_up(refused: RefusedError) -> ToolResult:
        tool = next((name for name in refusals if name in names), CONTINUES)
        return ToolResult(ending=Ending(done=False, words=str(refused), tool=tool))

    def disagree(_call: ToolCallContext, args: Failed | Continue) -> ToolResult:
        return ToolResult(ending=Ending(done=False, words=args.words))

    agree_on_part = agree(task, all_done=False)

    def reschedule(call: ToolCallContext, args: Reschedule) -> ToolResult:
        return agree_on_part(call, args) if args.subtask_done else disagree(call, args)

    known: dict[str, tuple[str, type[Args], Callable[[ToolCallContext, Any], ToolResult]]] = {
        "mark_complete": (
            "End with: it is done. All that was asked for was done, and the page shows it.",
            Complete,
            agree(task, all_done=True),
        ),
        "mark_subtask_complete": (
            "End with: this subtask is done, but not yet the task.",
            CompleteWithDetails,
            agree_on_part,
        ),
        "mark_task_complete": (
            "End with: the whole task is done, every part of it.",
            CompleteWithDetails,
            agree(whole, all_done=True),
        ),
        "mark_subtask_failed": (
            "End with: this subtask is not done; the planner finds another way.",
            Failed,
            disagree,
        ),
        CONTINUES: (
            "End with: it is not done yet; the worker continues with your instructions.",
            Continue,
            disagree,
        ),
        RESCHEDULES: (
            "End with: the work cannot go on as planned, whether this subtask is done or not; the"
            " scheduler must change the plan.",
            Reschedule,
            reschedule,
        ),
    }
    for name in names:
        if name not in known:
            raise UnknownName("tool of a verifier", name, known)
    return [Tool(name, *known[name], claims=True, ends=True) for name in known if name in names]
