"""A project's own tools: functions that take one pydantic model, given by `webtask_tools`."""

from __future__ import annotations

import inspect
import json
import re
import typing
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, Field, RootModel, create_model

from pytest_webtask.data import Secret
from pytest_webtask.errors import UsageError
from pytest_webtask.tools.context import Hands
from pytest_webtask.tools.registry import Args, Tool, ToolError

RESULT_AT_MOST = 4_000
_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")
"""What the Messages API takes for the name of a tool."""
_WANTED = (
    "a tool is a function with a docstring and one parameter that is annotated with a pydantic"
    " model, such as def read_mail(args: Mailbox) -> str; it is neither async nor a generator, and"
    " its name has at most 64 ASCII letters, digits and underscores"
)


def project_tools(functions: object) -> tuple[Tool, ...]:
    """The tools that `webtask_tools` gives. Raises UsageError for what is no list of functions."""
    if not isinstance(functions, (list, tuple)):
        raise UsageError(f"webtask_tools is a list of functions, got {functions!r:.100}; {_WANTED}")
    made = tuple(map(project_tool, functions))
    names = [each.name for each in made]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"webtask_tools: two tools are called {name!r}; rename one")
    return made


def project_tool(function: Callable[..., object]) -> Tool:
    """The tool that a function is: named as it is, told by its docstring.

    What it returns is told to the model, as text or as JSON. A `Secret` becomes a value of the data
    instead, under the tool's name, and is masked from then on. What it raises is told as well.
    Raises UsageError for what is no such function.
    """
    name = getattr(function, "__name__", "")
    given = _argument(function)
    told = inspect.getdoc(function)
    if given is None or not told or not _NAME.fullmatch(name) or not _is_plain(function):
        raise UsageError(f"webtask_tools: got {function!r:.100}; {_WANTED}")
    reason = (str, Field(description=Args.model_fields["reason"].description))
    fields: dict[str, Any] = {} if "reason" in given.model_fields else {"reason": reason}
    args = create_model(given.__name__, __base__=given, **fields)

    def run(hands: Hands, arguments: BaseModel) -> str:
        values = {f: getattr(arguments, f) for f in given.model_fields}
        try:
            result = function(given.model_construct(arguments.model_fields_set, **values))
            if isinstance(result, Secret):
                hands.data.keep(name, result)
                return f"the value is known as {{{name}}} from now on: type that"
            text = result if isinstance(result, str) else _plain(result)
        except Exception as error:
            raise ToolError(f"{name} failed: {type(error).__name__}: {error}") from error
        # A secret that is cut in two would not be known again.
        return hands.data.scrub(text)[:RESULT_AT_MOST]

    # It may change what the page shows, as a mail that is read or an account that is made does.
    return Tool(name, " ".join(told.split()), args, run, acts=True, anywhere=True)


def _is_plain(function: object) -> bool:
    """Whether a call does the work: a coroutine's or a generator's would not."""
    return not (
        inspect.iscoroutinefunction(function)
        or inspect.isgeneratorfunction(function)
        or inspect.isasyncgenfunction(function)
    )


def _argument(function: object) -> type[BaseModel] | None:
    try:
        [parameter] = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
        hint = typing.get_type_hints(function).get(parameter.name)
    except (TypeError, ValueError, NameError):
        return None
    if not isinstance(hint, type) or not issubclass(hint, BaseModel):
        return None
    return None if issubclass(hint, RootModel) else hint


def _plain(value: Any) -> str:
    if isinstance(value, BaseModel):
        return value.model_dump_json()
    return json.dumps(value, ensure_ascii=False, default=str)
