"""The tools that end a session: with evidence, with a verdict, or without success."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import ConfigDict, Field, PydanticUserError, TypeAdapter, create_model
from pydantic.errors import PydanticSchemaGenerationError
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.base import Check, CheckResult
from pytest_webtask.checks.floor import basic_problems, problems
from pytest_webtask.checks.kinds import AnyCheck
from pytest_webtask.checks.sets import Count
from pytest_webtask.errors import UnknownName, UsageError
from pytest_webtask.tools.context import Ending, Hands, Mark
from pytest_webtask.tools.extraction import Source, read_sources, unread_parts, unsupported_sources
from pytest_webtask.tools.registry import Args, Tool, ToolError
from pytest_webtask.tools.review import (
    RefusedError,
    Review,
    StaleError,
    concluded,
    made_lasting,
    run_checks,
    with_before,
    with_vanished,
)
from pytest_webtask.types.agent import Outcome, Ruling, Verdict

__all__ = [
    "ABORT",
    "CONTINUES",
    "FAILS",
    "GOES_ON",
    "MARK_DONE",
    "Abort",
    "Judgement",
    "MarkDone",
    "TaskReview",
    "VerdictDraft",
    "abort",
    "goes_on",
    "judgement_tools",
    "mark_done",
    "needs_output",
    "replace_run",
    "report_verdict",
    "run_evidence",
    "set_output",
]


class MarkDone(Args):
    """The closing words of a task that was done."""

    summary: str = Field(
        description="What was done and what the page shows for it, in a sentence or two, with names,"
        " prices and numbers that a later step may need: it is told this."
    )
    evidence: list[AnyCheck] = Field(
        default_factory=list,
        description="Checks of what the page shows for it, at least one; they are run on the page,"
        " now and in every later run of the test.",
    )


class Abort(Args):
    """The closing words of a task that was given up; `reason` is what the test fails with."""

    reason: str = Field(description="Why the task cannot be done, and what is there instead.")


def _asks_for_sources(schema: dict[str, Any]) -> None:
    """A model says where it has read a value, though a recording and a script need not."""
    schema["required"] = [*schema.get("required", ()), "read", "counted"]


class _Output(Args):
    # "yes" is no bool: what does not fit goes back to the worker.
    model_config = ConfigDict(strict=True, json_schema_extra=_asks_for_sources)


@dataclass
class TaskReview:
    """What a task takes to be done: its sentence, what was done for it, and who reviews its end.

    `actions` are those of this task alone, which began at the mark `since`. `reviewed` says whether whoever ends it is a model, and no literal sentence or recording.
    """

    task: str = ""
    review: Review = field(default_factory=Review)
    actions: Callable[[], Sequence[str]] = tuple
    since: Mark = field(default_factory=Mark)
    reviewed: Callable[[], bool] = lambda: False

    def approve(
        self, hands: Hands, opinion: str, results: Sequence[CheckResult]
    ) -> tuple[CheckResult, ...]:
        """Return the evidence as it is kept, once it is approved.

        Raises ToolError where it is sent back, RefusedError where it was for the last time,
        StaleError where the page has changed meanwhile.
        """
        if not self.reviewed():
            return tuple(results)
        lasting = with_before(hands, made_lasting(hands, results, self.task), self.since)
        facts = [*lasting, *hands.sources]
        value = {"value": hands.output} if hands.has_output else {}
        conclusion = concluded(hands, "task", self.task, facts, actions=self.actions(), **value)
        again = [each.check for each in facts]
        self.review.approve(opinion, conclusion, facts, lambda: run_checks(hands, again))
        return tuple(lasting)

    def conclude(
        self, hands: Hands, opinion: str, checks: Sequence[Check]
    ) -> tuple[CheckResult, ...]:
        """Return the results of checks, which hold and are approved, however often the page changes.

        Raises ToolError, or RefusedError where the review has no patience left.
        """
        while True:
            results = run_evidence(hands, checks, opinion, self)
            if not results and not hands.sources:
                return ()
            try:
                return self.approve(hands, opinion, results)
            except StaleError:
                if changed := [
                    each.about
                    for each in run_checks(hands, [one.check for one in hands.sources])
                    if not each.holds
                ]:
                    raise ToolError(
                        f"the output has changed while it was judged: {', '.join(changed)};"
                        " call set_output again"
                    ) from None


def mark_done(task: TaskReview) -> Tool:
    """Return the tool that ends a session well, on evidence that holds and is approved."""

    def run(hands: Hands, args: MarkDone) -> str:
        try:
            if not args.evidence and hands.looks() and task.reviewed():
                problem = "there is no evidence: cite what the page shows now that the task is done"
                task.review.refuse(args.summary, [problem], ())
            results = task.conclude(hands, args.summary, list(args.evidence))
        except RefusedError as refused:
            hands.ending = Ending(done=False, words=str(refused))
            return ""
        hands.evidence = results
        hands.ruling = task.review.ruling
        hands.ending = Ending(done=True, words=args.summary)
        return ""

    return replace_run(MARK_DONE, run)


def run_evidence(
    hands: Hands, checks: Sequence[Check], opinion: str, task: TaskReview
) -> tuple[CheckResult, ...]:
    """Return the results of checks, all of which hold.

    Raises ToolError, or RefusedError where the review has no patience left.
    """

    def ask() -> tuple[tuple[list[CheckResult], list[str]], bool]:
        results = run_checks(hands, checks)
        if task.reviewed():
            results = with_vanished(hands, results)
        wrong = basic_problems(results) if results else []
        wrong = wrong or list(hands.unshown(results))
        return (results, wrong), not wrong

    results, wrong = hands.awaited(ask)
    task.review.refuse(opinion, wrong, results)
    return tuple(results)


def abort(hands: Hands, args: Abort) -> str:
    """End the session badly."""
    hands.ending = Ending(done=False, words=args.reason)
    return ""


def goes_on(hands: Hands, args: Args) -> str:
    """End the session for others to go on."""
    hands.ending = Ending(done=True, words=args.reason)
    return ""


def set_output(wanted: Any) -> Tool:
    """The tool through which a worker gives a value of the wanted type."""
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(wanted)
        args = create_model(
            "SetOutput",
            __base__=_Output,
            output=(wanted, Field(description="The value, of this type.")),
            read=(
                list[Source],
                Field(
                    default_factory=list,
                    description="Where each part of it is read; [] if it stands nowhere on the page.",
                ),
            ),
            counted=(
                list[str],
                Field(
                    default_factory=list,
                    description="Where the value is how many there are: the id of each one of them; else"
                    " [].",
                ),
            ),
            recounted=(SkipJsonSchema[list[Count]], Field(default_factory=list)),
        )
        args.model_json_schema()
    except (PydanticSchemaGenerationError, PydanticUserError) as error:
        raise UsageError(
            f"output={wanted!r} is not a type that pydantic can describe: {error}"
        ) from None

    def run(hands: Hands, given: Any) -> str:
        results = read_sources(hands, given.read, given.counted, given.recounted)
        wrong = (
            unsupported_sources(results) or (results and unread_parts(given.output, results)) or []
        )
        if wrong:
            raise ToolError("this is not what the page shows:\n" + "\n".join(wrong))
        hands.output = given.output
        hands.sources = tuple(results)
        hands.has_output = True
        return f"the output is {adapter.dump_json(hands.output).decode()}"

    return Tool(
        "set_output",
        "Give the value that the task asks for, as it stands on the page; then call mark_done.",
        args,
        run,
        claims=True,
    )


def needs_output(done: Tool) -> Tool:
    """Return `mark_done` for a task that asks for a value: refused until the value is there."""

    def run(hands: Hands, args: MarkDone) -> str:
        if not hands.has_output:
            raise ToolError("the task asks for a value: call set_output first")
        return done.run(hands, args)

    return replace_run(done, run)


def replace_run(tool: Tool, run: Callable[[Hands, Any], str]) -> Tool:
    """Return a tool that does something else."""
    return replace(tool, run=run)


def _unreviewed(hands: Hands, args: MarkDone) -> str:
    return mark_done(TaskReview()).run(hands, args)


MARK_DONE = Tool(
    "mark_done",
    "End the session: the task is done, and you have seen on the page that it is.",
    MarkDone,
    _unreviewed,
    claims=True,
)
GOES_ON = Tool(
    "goes_on",
    "End the session: what had been done was done again, and others go on.",
    Args,
    goes_on,
)
ABORT = Tool(
    "abort",
    "End the session: the task cannot be done as it is written, or the application is broken."
    " The test fails then.",
    Abort,
    abort,
)


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


def judgement_tools(
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
