"""Tools of the planning roles, which change the task record and see no pages."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import Field

from pytest_webtask.data.phrases import USE_KNOWN_NAME
from pytest_webtask.errors import UsageError
from pytest_webtask.tools.context import ToolCallContext
from pytest_webtask.tools.registry import Args, Tool
from pytest_webtask.tools.results import Ending, ToolError, ToolResult
from pytest_webtask.types.agent import Subtask, TaskRecord

_GOAL = (
    "What the worker must achieve, in one sentence that says all it needs: the worker sees the page"
    " and, in a line each, the results of the last parts, but neither the task nor the plan. Write"
    " values of the data as placeholders."
)


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
    """Return the tools with which a scheduler plans the queue of subtasks and hands over."""

    def set_subtasks(call: ToolCallContext, args: SetSubtasks) -> str:
        kept = [each for each in current().subtasks if each.status != "planned"]
        subtasks = (*kept, *(_subtask(call, goal) for goal in args.subtasks))
        change("subtasks set", subtasks=subtasks)
        return "\n".join(f"{n}. {each.goal} ({each.status})" for n, each in enumerate(subtasks, 1))

    def start_work(_call: ToolCallContext, args: StartWork) -> ToolResult:
        if not any(each.status == "planned" for each in current().subtasks):
            raise ToolError("no subtask is planned: call set_subtasks first")
        return ToolResult(ending=Ending(done=True, words=args.reason))

    return (
        Tool(
            "set_subtasks",
            "Plan everything from here on, in place of what is planned so far.",
            SetSubtasks,
            set_subtasks,
            replayed=False,
        ),
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
