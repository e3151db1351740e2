"""Tools: what a model may call, each with pydantic arguments and a function."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from playwright.sync_api import Error
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_webtask.types.agent import ProposedToolCall, ToolCall, ToolSpec

if TYPE_CHECKING:
    from pytest_webtask.tools.context import Hands

__all__ = ["ENDINGS", "Args", "Tool", "ToolError", "Toolbox"]

ENDINGS = frozenset(
    "mark_done abort report_verdict report_value report_element report_nothing answer start_subtask"
    " start_work mark_complete continue_work request_reschedule mark_subtask_complete"
    " mark_subtask_failed mark_task_complete goes_on".split()
)
"""The tools with which a role ends its session, and so hands over."""


class ToolError(Exception):
    """A tool could not do what it was asked; the message is what the model is told."""


class Args(BaseModel):
    """The arguments of a tool."""

    # Models write 42 where the schema asks for "42".
    model_config = ConfigDict(extra="forbid", coerce_numbers_to_str=True, defer_build=True)

    reason: str = Field(description="Why you make this call, in a few words.")


@dataclass(frozen=True)
class Tool:
    """A tool. `run` returns what the model is told and raises `ToolError` where it failed.

    `acts` says that it may change the page, `changes` that what acts may change more than what is
    shown, such as what the application holds, `settles` that the page may need a moment after it,
    `claims` that it says what the page shows, for which one must have looked at it, `anywhere` that
    it does the same whatever page is shown.
    """

    name: str
    description: str
    args: type[BaseModel]
    run: Callable[[Hands, Any], str]
    acts: bool = False
    changes: bool = True
    settles: bool = False
    claims: bool = False
    anywhere: bool = False


class Toolbox:
    """The tools of one role."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {tool.name: tool for tool in tools}

    def get(self, name: str) -> Tool | None:
        """The tool of that name, if the role has it."""
        return self._tools.get(name)

    @cached_property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools as a model is told of them."""
        return tuple(
            ToolSpec(tool.name, tool.description, tool.args) for tool in self._tools.values()
        )

    def run(self, call: ProposedToolCall, hands: Hands) -> ToolCall:
        """Make one call. What goes wrong in it is part of the record, not an exception."""
        began = time.monotonic()
        hands.begin(call.locators, call.waits)
        result, error = "", None
        try:
            tool = self._tools.get(call.tool)
            if tool is None:
                raise ToolError(
                    f"there is no tool {call.tool!r}; there are {', '.join(self._tools)}"
                )
            arguments = _arguments(tool, call)
            if not tool.claims:
                hands.watch()
            if tool.acts:
                hands.history.act(changes=tool.changes)
            result = tool.run(hands, arguments)
        except ToolError as problem:
            error = str(problem)
        except Error as problem:
            hands.check_page()
            error = explain_action_error(problem)
        scrub, scrub_all = hands.data.scrub, hands.data.scrub_all
        return ToolCall(
            tool=call.tool,
            parameters=scrub_all({k: v for k, v in call.parameters.items() if k != "reason"}),
            reason=scrub(call.reason or str(call.parameters.get("reason", ""))),
            targets=hands.targets,
            again=hands.again,
            success=error is None,
            result=scrub(result),
            error=None if error is None else scrub(error),
            time=time.monotonic() - began,
        )


def _arguments(tool: Tool, call: ProposedToolCall) -> BaseModel:
    given: dict[str, Any] = {"reason": call.reason, **call.parameters}
    try:
        return tool.args.model_validate_json(json.dumps(given))
    except (RecursionError, ValueError) as error:
        if not isinstance(error, ValidationError):
            raise ToolError(f"{tool.name} was called wrongly: {error}") from None
        problems = "; ".join(
            f"{'.'.join(map(str, e['loc'])) or 'arguments'}: {e['msg']}, got {e['input']!r}"[:300]
            for e in error.errors(include_url=False)
        )
        allowed = ", ".join(tool.args.model_fields)
        raise ToolError(
            f"{tool.name} was called wrongly: {problems}. It takes {allowed}."
        ) from None


_COVERS = " intercepts pointer events"
_REASON = re.compile(
    rf"element (?:is (?:not|outside)|was detached).*|<.*{_COVERS}"
    r"|option being selected .*|did not find .*"
)


def explain_action_error(error: Error) -> str:
    """What went wrong on one line, out of a Playwright error with its call log.

    Of the log only known phrases are taken: the rest quotes what was typed, and the page.
    """
    message, _, log = str(error).partition("Call log:")
    said = message.strip().splitlines()[0] if message.strip() else "Playwright failed"
    _, _, said = said.rpartition("Error: ")
    found = (_REASON.fullmatch(line.strip(" -\t0123456789×")) for line in log.splitlines())
    reasons = list(dict.fromkeys(match.group() for match in found if match))[-3:]
    covering = [each for each in reasons if each.endswith(_COVERS)]
    if covering and not may_have_acted(error):
        # How long it was waited for says nothing.
        return f"it is covered: {covering[-1]}; close that, or click it if it is drawn in its place"
    if may_have_acted(error):
        reasons = ["the action itself had begun, and may have had its effect"]
    return f"{said} ({'; '.join(reasons)})" if reasons else said


def may_have_acted(error: Error) -> bool:
    """Whether the action may have reached the page before it failed, so that it is not repeated."""
    _, _, log = str(error).partition("Call log:")
    reached = False
    for line in log.splitlines():
        text = line.strip(" -\t0123456789×")
        if text.startswith("performing "):
            return True
        # Keys, texts and choices are not announced in the log: their element was ready, or not.
        if text.startswith("locator resolved to"):
            reached = True
        elif text.startswith(
            ("element is not", "element is outside", "element was detached", "retrying")
        ):
            reached = False
    return reached
