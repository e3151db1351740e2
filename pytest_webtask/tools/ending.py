"""Tools with which a worker answers and ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pydantic import ConfigDict, Field, PydanticUserError, TypeAdapter, create_model
from pydantic.errors import PydanticSchemaGenerationError
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.base import Check, CheckResult
from pytest_webtask.checks.floor import basic_problems
from pytest_webtask.checks.kinds import AnyCheck
from pytest_webtask.checks.sets import Count
from pytest_webtask.errors import UsageError
from pytest_webtask.tools import Args, Tool, ToolError
from pytest_webtask.tools.evidence import (
    concluded,
    made_lasting,
    run_checks,
    with_before,
    with_vanished,
)
from pytest_webtask.tools.hands import Ending, Hands
from pytest_webtask.tools.history import Mark
from pytest_webtask.tools.reading import Source, read, unread, unsupported
from pytest_webtask.tools.review import RefusedError, Review, StaleError


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
            results = proved(hands, checks, opinion, self)
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


def proved(
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
        results = read(hands, given.read, given.counted, given.recounted)
        wrong = unsupported(results) or (results and unread(given.output, results)) or []
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
