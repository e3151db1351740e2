"""The failure of a tool, and Playwright's errors in words for a model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Error

__all__ = ["ToolError", "explain_action_error", "may_have_acted"]


class ToolError(Exception):
    """A tool failed; the message is for the model."""


_COVERS = " intercepts pointer events"
_REASON = re.compile(
    rf"element (?:is (?:not|outside)|was detached).*|<.*{_COVERS}"
    r"|option being selected .*|did not find .*"
)


_TIMEOUT = re.compile(r"(?:\w+\.\w+: )?Timeout ([\d.]+)ms exceeded\.?")


def explain_action_error(error: Error, advice: str = "") -> str:
    """Return the cause of a Playwright error with a call log, on one line.

    `advice` follows if a longer timeout might have helped. Only known phrases of the log are used, because the rest quotes typed text and the page.
    """
    message, _, log = str(error).partition("Call log:")
    summary = message.strip().splitlines()[0] if message.strip() else "Playwright failed"
    _, _, summary = summary.rpartition("Error: ")
    matches = (_REASON.fullmatch(line.strip(" -\t0123456789×")) for line in log.splitlines())
    reasons = list(dict.fromkeys(match.group() for match in matches if match))[-3:]
    covering = [each for each in reasons if each.endswith(_COVERS)]
    if covering and not may_have_acted(error):
        # The waiting time adds nothing.
        return (
            f"the element is covered: {covering[-1]}; close the covering element, or click it if it"
            " is drawn in place of the other"
        )
    if "browser not co-located" in summary:
        return (
            "the files have 50 MB or more, which Playwright does not send over CDP; if the browser"
            " reads the files of this machine, pass is_local=True to connect_over_cdp(), else use a"
            " Playwright server: docs/how-to/remote-browsers.md"
        )
    if may_have_acted(error):
        reasons = ["the action had begun and may have taken effect"]
    timed_out = _TIMEOUT.search(summary)
    summary = _TIMEOUT.sub(lambda m: f"not done within {float(m[1]) / 1000:g} s", summary)
    cause = f"{summary} ({'; '.join(reasons)})" if reasons else summary
    return f"{cause}; {advice}" if timed_out and advice else cause


def may_have_acted(error: Error) -> bool:
    """Return whether a failed action may have reached the page and so must not be repeated."""
    _, _, log = str(error).partition("Call log:")
    reached = False
    for line in log.splitlines():
        text = line.strip(" -\t0123456789×")
        if text.startswith("performing "):
            return True
        # The log does not mention keys, texts and choices, only whether their element was ready.
        if text.startswith("locator resolved to"):
            reached = True
        elif text.startswith(
            ("element is not", "element is outside", "element was detached", "retrying")
        ):
            reached = False
    return reached
