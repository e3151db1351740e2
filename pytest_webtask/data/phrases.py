"""Phrases of messages: counted nouns, articles, quotations, white space and shortening."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Error
    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_LONGEST_VALUE = 80

IF_RIGHT = "if the page is right,"
"""The condition for recording a step again."""
REWORD = f"this may be a bug; {IF_RIGHT} reword the sentence"
"""The advice after a step that a model could not do or decide."""
PASS_A_VALUE = (
    "Pass a value as data={...} or add it to the webtask_data fixture; write {{ for a brace."
)
"""The advice for a placeholder without a value."""
NAME = r"[^\W\d]\w*(?:\.[^\W_]\w*)*(?:[+-]\d{1,4}[dwmy])*(?::[^{}]+)?"
"""What a placeholder has between its braces: a name, the path to a part, what is added to a day, a format."""
USE_KNOWN_NAME = "Use the name of a value; write {{ for a brace"
"""The advice to a model for a placeholder without a value."""
PASS_AN_ID = "pass an id from the outline"
"""The advice to a model whose words mean no single element."""
SEE_WHY = "Run the test again with --headed to see why"
"""The advice after the page or its browser has failed."""
LOOK_FIRST = "look at the page before you repeat the action"
"""The advice after an action that may have been done in part."""
WHY = "see whether the page says why"
"""The advice after an action that the page did not accept."""
PASS_A_TYPE = "Pass a type such as str, list[int] or a subclass of BaseModel"
"""The advice where a value is to have a type that pydantic can't describe."""


def raise_limit(option: str) -> str:
    """Return the advice where a limit has ended something."""
    return f"allow more with {option}"


def counted(number: int, what: str) -> str:
    """Return a number with its noun, which is in the plural unless it is 1."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def relative(path: Path) -> str:
    """Return a path as it is typed in the working folder."""
    with suppress(ValueError):
        return path.relative_to(Path.cwd()).as_posix()
    return str(path)


def with_article(noun: str) -> str:
    """Return a noun, such as a role, with its indefinite article."""
    return f"{'an' if noun[:1] in 'aeio' else 'a'} {noun}"


def quote(value: object) -> str:
    """Return a text in quotation marks, or another value as JSON."""
    return json.dumps(value, ensure_ascii=False)


def invalid_parts(error: ValidationError, value: Any, whole: str = "") -> list[str]:
    """Return what is wrong with `value`, one phrase for each invalid part, such as `items[0].n: …`.

    `whole` names the place of a problem of the entire value. A wrong value is quoted unless it is an
    object or the message is by a validator, which quotes what matters.
    """
    problems = []
    for each in error.errors(include_url=False):
        place = _place(each, value) or whole
        problem = each["msg"].removeprefix("Value error, ")
        is_whole = each["type"] in ("value_error", "json_invalid")
        if not (is_whole or isinstance(each["input"], dict)):
            problem += f", got {shortened(repr(each['input']), _LONGEST_VALUE)}"
        problems.append(f"{place}: {problem}" if place else problem)
    return problems


def _place(problem: ErrorDetails, value: Any) -> str:
    location, name = problem["loc"], ""
    if problem["type"] == "missing":
        location, name = location[:-1], _step(location[-1])
    path = _path_to(problem["input"], value, location)
    if path is None:
        path = "".join(map(_step, location))
    return (path + name).removeprefix(".")


def _path_to(part: Any, value: Any, location: Sequence[int | str]) -> str | None:
    """Return the path to a part of a value, without the names of types that pydantic puts between."""
    if not location:
        return "" if value == part else None
    first, *rest = location
    path = None
    with suppress(KeyError, IndexError, TypeError):
        path = _path_to(part, value[first], rest)
    if path is None:
        return _path_to(part, value, rest)
    return _step(first) + path


def _step(part: int | str) -> str:
    return f"[{part}]" if isinstance(part, int) else f".{part}"


def reason_of(error: Exception) -> str:
    """Return why a Python file could not be parsed or read, with the line of a wrong syntax."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f"{error.msg} in line {error.lineno}"
    return str(error)


def without_log(error: Error) -> str:
    """Return Playwright's message without its log of calls."""
    return str(error).partition("Call log:")[0].strip()


def folded(text: object) -> str:
    """Return a text with its white space folded, and so on one line."""
    return " ".join(str(text).split())


def shortened(text: str, longest: int) -> str:
    """Return a text of at most `longest` characters, with an ellipsis if it is cut."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
