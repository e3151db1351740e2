"""Tools with which a worker answers and ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pydantic import ConfigDict, Field, PydanticUserError, TypeAdapter, create_model
from pydantic.errors import PydanticSchemaGenerationError
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.answers import Answer
from pytest_webtask.checks.effects import held_before
from pytest_webtask.checks.kinds import Check, Count
from pytest_webtask.checks.telling import told, unanchored
from pytest_webtask.errors import UsageError
from pytest_webtask.records import Checked, Seen
from pytest_webtask.tools import Args, Tool, ToolError
from pytest_webtask.tools.hands import Ending, Hands
from pytest_webtask.tools.reading import Source, read, unread, unsupported


class MarkDone(Args):
    """The closing words of a task that was done."""

    summary: str = Field(
        description="What was done and what the page shows for it, in a sentence or two, with names,"
        " prices and numbers that a later step may need: it is told this."
    )
    evidence: list[Check] = Field(
        default_factory=list,
        description="Checks of what the page shows for it, which are run on the page; at least one,"
        " unless the page is as it was before the task.",
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


def mark_done(hands: Hands, args: MarkDone) -> str:
    """End the session well, on evidence that holds."""
    shown = proved(hands, args.evidence)
    if not shown and hands.looks() and hands.has_changed():
        raise ToolError(
            "the page is another than before the task: give as evidence what it shows now that the"
            " task is done"
        )
    hands.evidence = shown
    hands.ending = Ending(done=True, words=args.summary)
    return ""


def proved(hands: Hands, evidence: Sequence[Check]) -> tuple[Checked, ...]:
    """The checks as they were run on the page, all of which hold. Raises ToolError."""

    def ask() -> tuple[tuple[list[Answer], list[str]], bool]:
        answers = [hands.checker().run(check) for check in evidence]
        wrong = [f"- {told(answer.checked)}" for answer in answers if not answer.holds]
        wrong = wrong or [f"- {each}" for each in unanchored(answers)]
        wrong = wrong or [f"- {each}" for each in hands.unshown(answers)]
        return (answers, wrong), not wrong

    answers, wrong = hands.awaited(ask)
    if wrong:
        raise ToolError("the evidence is not what the page shows:\n" + "\n".join(wrong))
    return tuple(
        answer.checked.model_copy(update={"stood": _stood(answer, hands.began)})
        for answer in answers
    )


def _stood(answer: Answer, began: Seen | None) -> bool:
    """Whether a check may have held before the task: nobody knows it of all kinds and of long pages."""
    if began is None or answer.check.kind not in ("text", "url", "title"):
        return True
    return "part-" in began.outline or held_before(answer, began.outline, began.url)


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
        answers = read(hands, given.read, given.counted, given.recounted)
        wrong = unsupported(answers) or (answers and unread(given.output, answers)) or []
        if wrong:
            raise ToolError("this is not what the page shows:\n" + "\n".join(wrong))
        hands.output = given.output
        hands.sources = tuple(answer.checked for answer in answers)
        hands.has_output = True
        return f"the output is {adapter.dump_json(hands.output).decode()}"

    return Tool(
        "set_output",
        "Give the value that the task asks for, as it stands on the page; then call mark_done.",
        args,
        run,
        claims=True,
    )


def marks_done_with_output(
    done: Callable[[Hands, MarkDone], str],
) -> Callable[[Hands, MarkDone], str]:
    """`mark_done` for a task that asks for a value: refused until the value is there."""

    def run(hands: Hands, args: MarkDone) -> str:
        if not hands.has_output:
            raise ToolError("the task asks for a value: call set_output first")
        return done(hands, args)

    return run


MARK_DONE = Tool(
    "mark_done",
    "End the session: the task is done, and you have seen on the page that it is.",
    MarkDone,
    mark_done,
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
