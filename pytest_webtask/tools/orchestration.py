"""Tools of the planning roles, which change the task record and see no pages."""

from collections.abc import Callable

from pydantic import Field

from pytest_webtask.data.phrases import USE_KNOWN_NAME
from pytest_webtask.errors import UsageError
from pytest_webtask.tools.context import ToolCallContext
from pytest_webtask.tools.registry import Args, Tool, tool
from pytest_webtask.tools.results import Ending, ToolError
from pytest_webtask.types.agent import Subtask, TaskRecord

_GOAL = (
    "What the worker must achieve, in one sentence that says all it needs: the worker sees the page"
    " and, in a line each, the results of the last parts, but neither the task nor the plan. Write"
    " values of the data as placeholders."
)


Change = Callable[..., None]
"""Journals a change of the task's record in words, and applies it to the fields that are passed."""


class StartSubtask(Args):
    """The next part of the task."""

    goal: str = Field(description=_GOAL)


class SetSubtasks(Args):
    """All that is to be done from here on."""

    subtasks: list[str] = Field(min_length=1, description=f"In order, each: {_GOAL}")


class StartWork(Args):
    """The plan is ready."""


def start_subtask(current: Callable[[], TaskRecord], change: Change) -> Tool:
    """Return the tool with which a planner hands over to the worker."""

    @tool(StartSubtask, ends=True)
    def start_subtask(call: ToolCallContext, args: StartSubtask) -> Ending:
        """Hand the next part of the task over to the worker."""
        subtasks = (*current().subtasks, _subtask(call, args.goal, "in work"))
        change("subtask started", subtasks=subtasks, current=len(subtasks))
        return Ending(done=True, words=args.goal)

    return start_subtask


def queue_tools(current: Callable[[], TaskRecord], change: Change) -> tuple[Tool, ...]:
    """Return the tools with which a scheduler plans the queue of subtasks and hands over."""

    @tool(SetSubtasks, replayed=False)
    def set_subtasks(call: ToolCallContext, args: SetSubtasks) -> str:
        """Plan everything from here on, in place of what is planned so far."""
        planned = iter([_subtask(call, goal) for goal in args.subtasks])
        subtasks = [*current().subtasks]
        for at, each in enumerate(subtasks):
            if each.status == "planned":
                dropped = each.model_copy(update={"status": "dropped"})
                # Places of those that stay in the plan are taken by it, so that the others keep their numbers.
                stays = each.goal in args.subtasks
                subtasks[at] = next(planned, dropped) if stays else dropped
        subtasks += planned
        change("subtasks set", subtasks=tuple(subtasks))
        return "\n".join(f"{n}. {each.goal} ({each.status})" for n, each in enumerate(subtasks, 1))

    @tool(StartWork, ends=True)
    def start_work(_call: ToolCallContext, _args: StartWork) -> Ending:
        """Hand the first planned subtask over to the worker."""
        for number, each in enumerate(current().subtasks, 1):
            if each.status == "planned":
                begun = current().with_subtask(number, status="in work")
                change("subtask started", subtasks=begun, current=number)
                return Ending(done=True, words=each.goal)
        raise ToolError("no subtask is planned: call set_subtasks first")

    return set_subtasks, start_work


def _subtask(call: ToolCallContext, goal: str, status: str = "planned") -> Subtask:
    if not goal.strip():
        raise ToolError("the subtask is empty: pass a sentence")
    try:
        call.data.check(goal, USE_KNOWN_NAME)
    except UsageError as error:
        raise ToolError(f"{goal!r}: {error}") from None
    return Subtask(goal=goal, status=status)  # type: ignore[arg-type]
