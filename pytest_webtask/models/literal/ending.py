"""What the actions of a literal sentence left behind: the evidence that its task was done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pytest_webtask.records import ToolCall, Turn

__all__ = ["evidence"]

_MOST = 6
_OPENED = re.compile(r"tab (\d+) opened: (\S+);")


def evidence(turn: Turn, calls: Sequence[ToolCall]) -> list[dict[str, Any]]:
    """Checks of what the calls did, as far as the page still shows it.

    A field that was filled has its value, a box its state; a click may have led to another address,
    or opened a tab. What the page has done away with since, such as a form that was sent, says
    nothing.
    """
    made = [check for call in calls for check in _of(call)][-_MOST:]
    held = [check for check, told in zip(made, turn.check(made, {}), strict=True) if told.holds]
    return [*held, *_pages(turn)]


def _of(call: ToolCall) -> list[dict[str, Any]]:
    given = call.parameters
    element = {"element_id": given.get("element_id")}
    if call.tool == "fill":
        return [{"kind": "value", **element, "value": given["text"]}]
    if call.tool == "select_option" and len(given.get("options", ())) == 1:
        return [{"kind": "value", **element, "value": given["options"][0]}]
    if call.tool == "check":
        return [
            {"kind": "state", **element, "state": "checked" if given["checked"] else "unchecked"}
        ]
    return []


def _pages(turn: Turn) -> list[dict[str, Any]]:
    """The address that was led to, and the titles of the tabs that have opened."""
    found: list[dict[str, Any]] = []
    if turn.opened and turn.page.url != turn.opened and "*" not in turn.page.url:
        found.append({"kind": "url", "pattern": turn.page.url})
    for event in (event for iteration in turn.iterations for event in iteration.events):
        match = _OPENED.match(event.text)
        if match:
            page = next((p for p in turn.page.context.pages if p.url == match[2]), None)
            if page is not None and "*" not in page.url and page.url.startswith("http"):
                found.append({"kind": "url", "pattern": page.url, "tab": int(match[1])})
    return found
