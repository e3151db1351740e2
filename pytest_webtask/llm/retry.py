"""Sending a request to a model's service: what is tried again, how long, and what is final.

For the SDKs `anthropic` and `openai`, whose errors have the same names. Their own retries know no
limit to what a service asks them to wait.
"""

from __future__ import annotations

import json
import logging
import math
import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from types import ModuleType
from typing import Any

from pytest_webtask.errors import ModelError
from pytest_webtask.llm.prompts import LOOK
from pytest_webtask.types.agent import ProposedToolCall

__all__ = ["ANSWER_SECONDS", "WAIT_AT_MOST", "proposed", "send"]

ANSWER_SECONDS = 600.0
"""How long an answer may take to come, where the task has no time of its own."""

WAIT_AT_MOST = 180.0
"""Seconds that one decision may wait for a service that is overloaded or limits the rate."""
TRIES = 5
"""How often a request is sent that fails on the way, or in the service."""
DEPTH = 50
"""Levels that the arguments of a call may have; records cannot be written at a few hundred."""
_BUSY = (429, 529)
_AGAIN = (408, 409, 429)
_log = logging.getLogger("pytest_webtask")


def send(
    sdk: ModuleType,
    model: str,
    request: Callable[[], Any],
    advice: Mapping[int, str],
    wait_at_most: float = WAIT_AT_MOST,
) -> Any:
    """The answer to a request. Raises ModelError, with `advice` by status, where none can be had.

    A service that is busy (429, 529) is waited for as its `retry-after` says, for `wait_at_most`
    seconds in all; one that fails or cannot be reached is asked `TRIES` times.
    """
    end = time.monotonic() + wait_at_most
    tried = 0
    while True:
        tried += 1
        asked = None
        try:
            return request()
        except sdk.APIConnectionError as error:
            problem = f"could not be reached: {error.__cause__ or error}"
        except sdk.APIStatusError as error:
            status = error.status_code
            problem = f"answered {status}: {_said(error)}"
            if status < 500 and status not in _AGAIN:
                hint = f". {advice[status]}" if status in advice else ""
                raise ModelError(f"{model}: the service {problem}{hint}") from None
            if status in _BUSY:
                asked = _asked_to_wait(error)
        # Whoever asks to be asked again at once is given a little more time with every try.
        pause = min(0.5 * 2**tried, 8.0) if asked is None else max(asked, min(0.1 * tried, 5.0))
        if (asked is None and tried >= TRIES) or time.monotonic() + pause > end:
            wait = "" if asked is None else f" It asks to wait {asked:g} s."
            times = "once" if tried == 1 else f"{tried} times"
            raise ModelError(f"{model}: the service {problem}.{wait} It was asked {times}")
        _log.warning("%s: the service %s; asked again in %.1f s", model, problem, pause)
        time.sleep(pause)


def proposed(tool: str, given: Any) -> ProposedToolCall:
    """A call as a model's answer has it."""
    parameters = _arguments(given)
    if tool == LOOK:
        # It has seen this name in the conversation, and means our own tool.
        return ProposedToolCall("look", {"reason": "to see the page", **parameters})
    return ProposedToolCall(tool, parameters)


def _arguments(given: Any) -> dict[str, Any]:
    """The arguments of a call, whatever a model gave as such; what is wrong is left to the tool."""
    try:
        json.dumps(given, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        return {"arguments": "not JSON"}
    if _nests(given, DEPTH):
        return {"arguments": f"nested deeper than {DEPTH} levels"}
    return given if isinstance(given, dict) else {"arguments": given}


def _nests(value: Any, depth: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth == 0 or any(_nests(each, depth - 1) for each in inner)


def _said(error: Any) -> str:
    body = error.body if isinstance(error.body, dict) else {}
    inner = body.get("error")
    message = inner.get("message") if isinstance(inner, dict) else body.get("message")
    return " ".join(str(message or error.message).split())[:500].rstrip(".")


def _asked_to_wait(error: Any) -> float | None:
    """Seconds by `retry-after`: a number, or a date (RFC 9110, section 10.2.3)."""
    header = error.response.headers.get("retry-after", "")
    try:
        seconds = float(header)
        return max(seconds, 0.0) if math.isfinite(seconds) else None
    except ValueError:
        pass
    try:
        return max(parsedate_to_datetime(header).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError):
        return None
