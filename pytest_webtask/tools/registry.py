"""Tools that models call: their pydantic arguments, their function, the Playwright code of their recorded calls."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from pytest_webtask.data.phrases import invalid_parts
from pytest_webtask.errors import UsageError
from pytest_webtask.journal.schema import RecordedCall
from pytest_webtask.page.playwright_code import CodeTexts
from pytest_webtask.tools.results import (
    Ending,
    InVain,
    ToolError,
    ToolResult,
    explain_action_error,
    playwright_error,
)
from pytest_webtask.types.agent import ProposedToolCall, ToolCall, ToolSpec

if TYPE_CHECKING:
    from pytest_webtask.tools.context import ToolCallContext


class CallCode(CodeTexts):
    """Writes the parts of calls on one page; `file` returns the code of a resource's path."""

    def __init__(
        self,
        page: str,
        expression: Callable[[str], str | None],
        helpers: set[str],
        file: Callable[[str], str],
    ) -> None:
        super().__init__(page, expression, helpers)
        self.file = file

    def element(self, call: RecordedCall, parameter: str = "element_id") -> str:
        """Return the locator of a call's element. Raises Unreadable."""
        return self.found(call.targets.get(parameter))


class Args(BaseModel):
    """The arguments of a tool."""

    # Models write 42 where the schema asks for "42".
    model_config = ConfigDict(extra="forbid", coerce_numbers_to_str=True, defer_build=True)

    reason: str = Field(description="Why you make this call, in a few words.")


def with_reason(model: type[BaseModel]) -> type[BaseModel]:
    """Return the arguments of a tool for a project's model, with `reason` unless it has one of its own."""
    if "reason" in model.model_fields:
        return model
    reason: Any = (str, Field(description=Args.model_fields["reason"].description))
    return create_model(model.__name__, __base__=model, reason=reason)


Run = Callable[["ToolCallContext", Any], ToolResult | Ending | str]


@dataclass(frozen=True)
class Tool:
    """A tool: its arguments, its function, and its properties for the loop, prompts and recordings.

    `run` returns a result, or only its text or the ending of the session, and raises `ToolError` on failure. A tool that `acts` may
    change the page, and with `changes` also application data; `settles` lets the page settle after
    it. With `claims` it makes statements about the page, which the model must have seen, and which
    with `midway` are about that moment alone, so that actions may follow; with `anywhere` it works
    alike on every page. `ends` ends the session of its role. `reads` allows it to
    roles that only read. `informs` keeps its result in later prompts, and `replayed` includes it in
    recordings. A tool that `waits` does nothing else, for its parameter `seconds`; one that
    `switches_tab` brings another tab to the front; one that is `by_event` has no effect on a page that receives
    no event of the mouse or keyboard.

    `code` returns the Playwright statements of a recorded call; tools of a project and those for tabs have none.
    `verb` returns what a call is called in reports, and takes the arguments that it expresses away; by default it is
    the name of the tool.
    """

    name: str
    description: str
    args: type[BaseModel]
    run: Run
    _: KW_ONLY
    acts: bool = False
    changes: bool = True
    settles: bool = False
    claims: bool = False
    midway: bool = False
    anywhere: bool = False
    ends: bool = False
    reads: bool = False
    informs: bool = False
    replayed: bool = True
    waits: bool = False
    switches_tab: bool = False
    by_event: bool = False
    code: Callable[[CallCode, RecordedCall], Iterable[str]] | None = None
    verb: Callable[[dict[str, Any]], str] | None = None


def tool(args: type[BaseModel], name: str = "", **properties: Any) -> Callable[[Run], Tool]:
    """Make a function the tool of its name, or of another one; its docstring is for models.

    `args` are the tool's arguments, `properties` its further fields.
    """

    def declare(function: Run) -> Tool:
        description = " ".join((function.__doc__ or "").split())
        return Tool(name or function.__name__, description, args, function, **properties)

    return declare


class Toolbox:
    """The tools of one role. Raises UsageError if two have the same name."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise UsageError(
                    f"two tools are called {tool.name!r}: rename the function of that name, in webtask_tools"
                    " or in a role's tools=[...]"
                )
            self._tools[tool.name] = tool

    def get(self, name: str) -> Tool | None:
        """Return the tool with that name, None if the role lacks it."""
        return self._tools.get(name)

    def ends(self, name: str) -> bool:
        """Return whether the tool with that name ends the session of the role."""
        return name in self.endings

    @cached_property
    def endings(self) -> list[str]:
        """The names of the tools that end the session of the role."""
        return [tool.name for tool in self._tools.values() if tool.ends]

    @cached_property
    def specs(self) -> tuple[ToolSpec, ...]:
        """Return the tools as models see them."""
        return tuple(
            ToolSpec(tool.name, tool.description, tool.args) for tool in self._tools.values()
        )

    def run(
        self, proposed: ProposedToolCall, context: ToolCallContext
    ) -> tuple[ToolCall, ToolResult]:
        """Run one call, and return its record, including any failure, and its result."""
        from pytest_webtask.page.origins import ForeignOriginError

        began = time.monotonic()
        tool = self._tools.get(proposed.tool)
        result, error, in_vain = ToolResult(), None, False
        try:
            result = self._run(tool, proposed, context)
        except (ToolError, ForeignOriginError) as problem:
            error, in_vain = str(problem), isinstance(problem, InVain)
        except playwright_error() as problem:
            context.session.check_page()
            error = explain_action_error(problem, context.timeout_advice)
        scrub, scrub_all = context.data.scrub, context.data.scrub_all
        parameters = {**proposed.parameters}
        reason = proposed.reason or str(parameters.get("reason", ""))
        parameters.pop("reason", None)
        return ToolCall(
            tool=proposed.tool,
            parameters=scrub_all(parameters),
            reason=scrub(reason),
            targets=context.targets,
            recorded=context.recorded,
            evidence=result.evidence,
            spot=context.spot,
            in_vain=in_vain,
            success=error is None,
            result=scrub(result.text),
            error=None if error is None else scrub(error),
            time=time.monotonic() - began,
            **flags(tool),
        ), result

    def _run(
        self, tool: Tool | None, proposed: ProposedToolCall, context: ToolCallContext
    ) -> ToolResult:
        if tool is None:
            raise ToolError(
                f"there is no tool {proposed.tool!r}; use one of {', '.join(self._tools)}"
            )
        arguments = _arguments(tool, proposed)
        if not tool.claims:
            context.session.watch()
        if tool.acts:
            context.step.history.act(changes=tool.changes)
        result = tool.run(context, arguments)
        if isinstance(result, str):
            return ToolResult(result)
        if isinstance(result, Ending):
            return ToolResult(ending=replace(result, tool=result.tool or tool.name))
        return result


def flags(tool: Tool | None) -> dict[str, Any]:
    """Return the properties of a tool for the record of a call."""
    if tool is None:
        return {}
    return {
        "acts": tool.acts,
        "ends": tool.ends,
        "informs": tool.informs,
        "replayed": tool.replayed and not tool.ends,
    }


def _arguments(tool: Tool, call: ProposedToolCall) -> BaseModel:
    parameters: dict[str, Any] = {"reason": call.reason, **call.parameters}
    try:
        return tool.args.model_validate_json(json.dumps(parameters))
    except ValidationError as error:
        problems = "; ".join(invalid_parts(error, parameters, "arguments"))
        allowed = ", ".join(tool.args.model_json_schema()["properties"])
        raise ToolError(
            f"{tool.name} got wrong arguments: {problems}. It takes {allowed}."
        ) from None
