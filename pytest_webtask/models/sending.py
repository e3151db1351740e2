"""Sending a request to a model's service: what is tried again, how long, and what is final.

For the SDKs `anthropic` and `openai`, whose errors have the same names. Their own retries know no
limit to what a service asks them to wait.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from types import ModuleType
from typing import Any

from pytest_webtask.errors import ModelError

__all__ = ["WAIT_AT_MOST", "send"]

WAIT_AT_MOST = 180.0
"""Seconds that one decision may wait for a service that is overloaded or limits the rate."""
TRIES = 5
"""How often a request is sent that fails on the way, or in the service."""
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
        pause = min(0.5 * 2**tried, 8.0) if asked is None else asked
        if (asked is None and tried >= TRIES) or time.monotonic() + pause > end:
            wait = "" if asked is None else f" It asks to wait {asked:g} s."
            times = "once" if tried == 1 else f"{tried} times"
            raise ModelError(f"{model}: the service {problem}.{wait} It was asked {times}")
        _log.warning("%s: the service %s; asked again in %.1f s", model, problem, pause)
        time.sleep(pause)


def _said(error: Any) -> str:
    body = error.body if isinstance(error.body, dict) else {}
    inner = body.get("error")
    message = inner.get("message") if isinstance(inner, dict) else body.get("message")
    return " ".join(str(message or error.message).split())[:500].rstrip(".")


def _asked_to_wait(error: Any) -> float | None:
    """Seconds by `retry-after`: a number, or a date (RFC 9110, section 10.2.3)."""
    header = error.response.headers.get("retry-after", "")
    try:
        return max(float(header), 0.0)
    except ValueError:
        pass
    try:
        return max(parsedate_to_datetime(header).timestamp() - time.time(), 0.0)
    except (ValueError, TypeError):
        return None
