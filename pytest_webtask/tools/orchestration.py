"""Tools of the planning roles, which change the task record and see no pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import Field

from pytest_webtask.data.phrases import USE_KNOWN_NAME
from pytest_webtask.errors import UsageError
from pytest_webtask.tools.context import ToolCallContext
from pytest_webtask.tools.finish import RESCHEDULES
from pytest_webtask.tools.registry import Args, Tool
from pytest_webtask.tools.results import Ending, ToolError, ToolResult
from pytest_webtask.types.agent import Subtask, TaskRecord

_GOAL = (
    "What the worker must achieve, in one sentence that says all it needs: the worker sees the page"
    " and, in a line each, the results of the last parts, but neither the task nor the plan. Write"
    " values of the data as placeholders."
)
_INDEX = "The number of a subtask in the list, from 1."


Change = Callable[..., None]
"""Journals a change of the task's record in words, and applies it to the fields that are passed."""


class AbortPlan(Args):
    """The closing words of a task that is given up; `reason` is what the test fails with."""

    reason: str = Field(description="Why the task cannot be done, after all that was tried.")


class StartSubtask(Args):
    """The next part of the task."""

    goal: str = Field(description=_GOAL)


class SetSubtasks(Args):
    """All that is to be done from here on."""

    subtasks: list[str] = Field(min_length=1, description=f"In order, each: {_GOAL}")


class AddSubtask(Args):
    """One more part, the last."""

    subtask: str = Field(description=_GOAL)


class InsertSubtask(AddSubtask):
    """One more part, and where."""

    index: int = Field(description=f"Insert it before this one. {_INDEX}")


class DeleteSubtask(Args):
    """A part to drop."""

    index: int = Field(description=_INDEX)


class UpdateSubtask(DeleteSubtask):
    """A part to reword."""

    subtask: str = Field(description=_GOAL)


class StartWork(Args):
    """The plan is ready."""


def _abort(_call: ToolCallContext, args: AbortPlan) -> ToolResult:
    return ToolResult(ending=Ending(done=False, words=args.reason))


ABORT = Tool("abort", "Give the task up; the test fails.", AbortPlan, _abort, ends=True)


def start_subtask(current: Callable[[], TaskRecord], change: Change) -> Tool:
    """Return the tool with which a planner hands over to the worker."""

    def run(call: ToolCallContext, args: StartSubtask) -> ToolResult:
        subtasks = (*current().subtasks, _subtask(call, args.goal, "in work"))
        change("subtask started", subtasks=subtasks, current=len(subtasks))
        return ToolResult(ending=Ending(done=True, words=args.goal))

    return Tool(
        "start_subtask",
        "Hand the next part of the task over to the worker.",
        StartSubtask,
        run,
        ends=True,
    )


def queue_tools(current: Callable[[], TaskRecord], change: Change) -> tuple[Tool, ...]:
    """Return the tools with which a scheduler edits the queue of subtasks and hands over."""
    edited: list[str] = []

    def replace(what: str, subtasks: Sequence[Subtask]) -> str:
        edited.append(what)
        change(what, subtasks=tuple(subtasks))
        return _listed(subtasks)

    def set_subtasks(call: ToolCallContext, args: SetSubtasks) -> str:
        kept = [s for s in current().subtasks if s.status != "planned"]
        return replace("subtasks set", [*kept, *(_subtask(call, g) for g in args.subtasks)])

    def add_subtask(call: ToolCallContext, args: AddSubtask) -> str:
        subtasks = [*current().subtasks, _subtask(call, args.subtask)]
        return replace("subtask added", subtasks)

    def insert_subtask(call: ToolCallContext, args: InsertSubtask) -> str:
        subtasks = list(current().subtasks)
        first = _first(subtasks)
        if not first <= args.index <= len(subtasks) + 1:
            raise ToolError(
                f"cannot insert before {args.index}: {_places(first, len(subtasks) + 1)}"
            )
        subtasks.insert(args.index - 1, _subtask(call, args.subtask))
        return replace("subtask inserted", subtasks)

    def put(what: str, index: int, *instead: Subtask) -> str:
        subtasks = list(current().subtasks)
        _check(index, subtasks)
        subtasks[index - 1 : index] = instead
        return replace(what, subtasks)

    def delete_subtask(_call: ToolCallContext, args: DeleteSubtask) -> str:
        return put("subtask deleted", args.index)

    def update_subtask(call: ToolCallContext, args: UpdateSubtask) -> str:
        return put("subtask updated", args.index, _subtask(call, args.subtask))

    def start_work(_call: ToolCallContext, args: StartWork) -> ToolResult:
        if not any(s.status == "planned" for s in current().subtasks):
            raise ToolError("no subtask is planned: call set_subtasks or add_subtask first")
        if not edited and (problem := _demand(current())):
            raise ToolError(
                f"{problem}, and the plan has not changed since: first plan what is left with set_subtasks"
            )
        return ToolResult(ending=Ending(done=True, words=args.reason))

    edits = (
        (
            "set_subtasks",
            "Plan everything from here on, in place of what is planned so far.",
            SetSubtasks,
            set_subtasks,
        ),
        ("add_subtask", "Plan one more subtask, as the last one.", AddSubtask, add_subtask),
        (
            "insert_subtask",
            "Plan one more subtask before another.",
            InsertSubtask,
            insert_subtask,
        ),
        ("delete_subtask", "Drop a planned subtask.", DeleteSubtask, delete_subtask),
        ("update_subtask", "Reword a planned subtask.", UpdateSubtask, update_subtask),
    )
    return (
        *(Tool(*each, replayed=False) for each in edits),
        Tool(
            "start_work",
            "Hand the first planned subtask over to the worker.",
            StartWork,
            start_work,
            ends=True,
        ),
    )


def _subtask(call: ToolCallContext, goal: str, status: str = "planned") -> Subtask:
    if not goal.strip():
        raise ToolError("the subtask is empty: pass a sentence")
    try:
        call.data.check(goal, USE_KNOWN_NAME)
    except UsageError as error:
        raise ToolError(f"{goal!r}: {error}") from None
    return Subtask(goal=goal, status=status)  # type: ignore[arg-type]


def _demand(record: TaskRecord) -> str:
    """Return why the plan has to change before work goes on, "" if it need not."""
    begun = [each for each in record.subtasks if each.status != "planned"]
    if begun and begun[-1].status == "failed":
        return f"the subtask {begun[-1].goal!r} has failed"
    if record.history and record.history[-1].judged == RESCHEDULES:
        return "the verifier has asked for another plan"
    return ""


def _first(subtasks: Sequence[Subtask]) -> int:
    """Return the number of the first planned subtask, or of the next one to add."""
    return next((n for n, s in enumerate(subtasks, 1) if s.status == "planned"), len(subtasks) + 1)


def _check(index: int, subtasks: Sequence[Subtask]) -> None:
    first = _first(subtasks)
    if not first <= index <= len(subtasks):
        raise ToolError(f"no subtask {index} is planned: {_places(first, len(subtasks))}")


def _places(first: int, last: int) -> str:
    if last < first:
        return "none is left to change; plan one with add_subtask, or leave the plan as it is"
    return f"pass index {first}" if first == last else f"pass an index from {first} to {last}"


def _listed(subtasks: Sequence[Subtask]) -> str:
    return "\n".join(f"{n}. {s.goal} ({s.status})" for n, s in enumerate(subtasks, 1))
