"""A project's own tools: functions that take one pydantic model."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Sequence

from pydantic import BaseModel
from pydantic_core import to_json

from pytest_webtask.data.escapes import escape_ids
from pytest_webtask.data.values import Secret
from pytest_webtask.errors import UsageError
from pytest_webtask.tools.context import ToolCallContext
from pytest_webtask.tools.registry import Tool, with_reason
from pytest_webtask.tools.results import ToolError

RESULT_AT_MOST = 4_000
_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")
"""Tool names that the Messages API accepts."""
_EXAMPLE = "def read_mail(args: Mailbox) -> str"


def project_tools(
    functions: object,
    source: str = "webtask_tools",
    known: Sequence[Tool] = (),
    *,
    acts: bool = True,
) -> tuple[Tool, ...]:
    """Return the `known` tools and those of functions, which errors say are from `source`.

    Those of a role that only looks, without `acts`, are no actions, and not recorded.
    Raises UsageError unless it is a list of functions that can be tools.
    """
    if not isinstance(functions, (list, tuple)):
        raise UsageError(
            f"{source} must be a list of functions, as in [read_mail]; got {functions!r:.100}"
        )
    return (*known, *(project_tool(each, source, acts=acts) for each in functions))


def project_tool(
    function: Callable[..., object], source: str = "webtask_tools", *, acts: bool = True
) -> Tool:
    """Return the tool for a function, with its name, and its docstring as the description.

    The model gets the return value as text or JSON, and the message of an exception. A `Secret` is
    instead added to the data under the tool's name and masked from then on. Raises UsageError for an
    unsupported function.
    """
    if problem := _problem(function):
        raise UsageError(f"{source}: {problem}")
    name, model = function.__name__, _argument(function)
    description = inspect.getdoc(function)
    assert model is not None and description, "the function has both"

    def run(call: ToolCallContext, arguments: BaseModel) -> str:
        values = {f: getattr(arguments, f) for f in model.model_fields}
        try:
            result = function(model.model_construct(arguments.model_fields_set, **values))
            if isinstance(result, Secret):
                call.data.keep(name, result)
                return f"the value is stored as {{{name}}}: type that placeholder"
            text = result if isinstance(result, str) else to_json(result, fallback=str).decode()
        except Exception as error:
            raise ToolError(f"{name} failed: {type(error).__name__}: {error}") from error
        # Scrub before cutting: a part of a secret would not be recognized.
        return escape_ids(call.data.scrub(text))[:RESULT_AT_MOST]

    # The function may change the page, for example by creating an account.
    return Tool(
        name,
        " ".join(description.split()),
        with_reason(model),
        run,
        acts=acts,
        anywhere=True,
        informs=True,
        replayed=acts,
    )


def _problem(function: object) -> str:
    """Return why a function cannot be a tool, and what to do; "" if it can."""
    if not inspect.isroutine(function):
        return f"{function!r:.100} is not a function; write one, such as {_EXAMPLE}"
    name = function.__name__
    if not _NAME.fullmatch(name):
        return (
            f"{name!r:.100} cannot be the name of a tool; use at most 64 ASCII letters, digits and"
            " underscores, of which the first is no digit"
        )
    if inspect.iscoroutinefunction(function):
        return f"{name} is async; write it with def, and return the result"
    model = _argument(function)
    if model is None:
        return (
            f"{name} needs exactly one parameter, annotated with a pydantic model that has fields, as in"
            f" {_EXAMPLE}"
        )
    if "reason" in model.model_fields:
        return f"the model of {name} has a field `reason`, which all tools have; rename it"
    if not inspect.getdoc(function):
        return f"{name} has no docstring; add one (the model reads it as the tool's description)"
    return ""


def _argument(function: object) -> type[BaseModel] | None:
    try:
        [parameter] = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
        hint = typing.get_type_hints(function).get(parameter.name)
    except (TypeError, ValueError, NameError):
        return None
    return hint if isinstance(hint, type) and issubclass(hint, BaseModel) else None
