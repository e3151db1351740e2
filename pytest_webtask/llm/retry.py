"""Requests to a model's service: which failures are retried, for how long, and which are final.

Serves the SDKs `anthropic` and `openai`, whose errors have the same names. Their own retries wait for
as long as a service asks, without a limit.
"""

from __future__ import annotations

import json
import logging
import math
import threading
import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from types import ModuleType
from typing import Any

from pytest_webtask.errors import ModelError
from pytest_webtask.llm.prompts import LOOK
from pytest_webtask.types.agent import ProposedToolCall, Turn

ANSWER_SECONDS = 600.0
"""How long an answer may take if the task has no timeout of its own."""

ACCESS_SECONDS = 10.0
"""How long a service may take to say whether it has a model."""

WAIT_AT_MOST = 180.0
"""Seconds that one decision may wait for a service that is overloaded or limits the rate."""
WITHOUT_KEY = (
    "choose another model, or let your coding agent decide without a key: --webtask-model=handoff"
)
"""What to do instead of setting an API key."""
TRIES = 5
"""How often a request is sent if the connection or the service fails."""
_CLIENT_FIRST = 0.5
DEPTH = 50
"""How deeply the arguments of a call may nest; a few hundred levels could not be serialized."""
_BUSY = (429, 529)
_RETRIABLE = (408, 409, 429)
_log = logging.getLogger("pytest_webtask")


def send(
    sdk: ModuleType,
    model: str,
    request: Callable[[float], Any],
    advice: Mapping[int, str],
    turn: Turn,
    wait_at_most: float = WAIT_AT_MOST,
) -> Any:
    """Send a request, which takes its seconds, and return the answer.

    A busy service (429, 529) is asked again after its `retry-after`, for `wait_at_most` seconds in
    all; one that fails or cannot be reached is asked `TRIES` times. Raises ModelError if there is no
    answer, with the `advice` for the status, which is 0 for a service that cannot be reached.
    """
    end = time.monotonic() + turn.left(wait_at_most)
    tried = 0
    while True:
        tried += 1
        retry_after = None
        then = "run the tests again later"
        try:
            return _within(turn.left(ANSWER_SECONDS), request, model)
        except sdk.APIConnectionError as error:
            problem = f"could not be reached: {error.__cause__ or error}"
            then = f"{advice[0]}, or {then}"
        except sdk.APIStatusError as error:
            status = error.status_code
            problem = f"answered {status}: {_error_message(error)}"
            if status < 500 and status not in _RETRIABLE:
                hint = advice.get(status, "Try another model: --webtask-model=NAME")
                raise ModelError(f"{model}: the service {problem}. {hint}") from None
            if status in _BUSY:
                retry_after = _retry_after(error)
        # A service that says 0 seconds still gets a little more time with every try.
        pause = min(0.5 * 2**tried, 8.0)
        if retry_after is not None:
            pause = max(retry_after, min(0.1 * tried, 5.0))
        if (retry_after is None and tried >= TRIES) or time.monotonic() + pause > end:
            wait = "" if retry_after is None else f" It asks to wait {retry_after:g} s."
            times = "once" if tried == 1 else f"{tried} times"
            raise ModelError(
                f"{model}: the service {problem}.{wait} The service was asked {times}; {then}"
            )
        _log.warning("%s: the service %s; asking again in %.1f s", model, problem, pause)
        time.sleep(pause)


def check_access(
    sdk: ModuleType, model: str, request: Callable[[float], Any], advice: Mapping[int, str]
) -> None:
    """Ask a service about a model, which costs nothing. Raises ModelError if the model cannot work."""
    # Any other answer proves nothing: a gateway need not know how to describe a model.
    try:
        request(ACCESS_SECONDS)
    except sdk.APIConnectionError as error:
        problem = f"could not be reached: {error.__cause__ or error}"
        raise ModelError(f"{model}: the service {problem}; {advice[0]}") from None
    except sdk.APIStatusError as error:
        status, text = error.status_code, _error_message(error)
        if status == 401 or (status == 404 and model in text):
            raise ModelError(
                f"{model}: the service answered {status}: {text}. {advice[status]}"
            ) from None


def _within(seconds: float, request: Callable[[float], Any], model: str) -> Any:
    """Return the answer to a request. Raises ModelError after `seconds`, however slowly it drips."""
    # The time-out of an HTTP client starts again with each byte.
    answers: list[Any] = []
    errors: list[BaseException] = []

    def ask() -> None:
        try:
            answers.append(request(seconds))
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=ask, name=f"request to {model}", daemon=True)
    thread.start()
    # The client's own time-out is as long, and says more.
    thread.join(seconds + _CLIENT_FIRST)
    if errors:
        raise errors[0]
    if not answers:
        raise ModelError(
            f"{model}: the service did not complete its answer in {seconds:.0f} s; run the tests again later"
        )
    return answers[0]


def proposed(tool: str, arguments: Any) -> ProposedToolCall:
    """Return a tool call of a model's answer."""
    parameters = _arguments(arguments)
    if tool == LOOK:
        # The conversation shows this name, but the tool that the model means is our own.
        return ProposedToolCall("look", {"reason": "to see the page", **parameters})
    return ProposedToolCall(tool, parameters)


def _arguments(value: Any) -> dict[str, Any]:
    """Return the arguments of a call as a dict; the tool will refuse a value that is not one."""
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, TypeError, RecursionError):
        return {"arguments": "not JSON"}
    if _nests(value, DEPTH):
        return {"arguments": f"nested deeper than {DEPTH} levels"}
    return value if isinstance(value, dict) else {"arguments": value}


def _nests(value: Any, depth: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth == 0 or any(_nests(each, depth - 1) for each in inner)


def _error_message(error: Any) -> str:
    body = error.body if isinstance(error.body, dict) else {}
    inner = body.get("error")
    message = inner.get("message") if isinstance(inner, dict) else body.get("message")
    return " ".join(str(message or error.message).split())[:500].rstrip(".")


def _retry_after(error: Any) -> float | None:
    """Return the seconds of `retry-after`, a number or a date (RFC 9110, section 10.2.3)."""
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
