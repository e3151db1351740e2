"""Playwright code for recorded calls of tools."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from pytest_webtask.page.locator_parser import Unreadable
from pytest_webtask.playwright_code import CodeTexts
from pytest_webtask.recordings.schema import RecordedCall

__all__ = ["CallCode", "Export", "TabCode", "more_seconds", "point_code"]

_EXPECTS = 5.0
"""The default timeout of `expect`, in seconds."""


class TabCode(Protocol):
    """Writes the statements for tabs, by the number or title of a tab."""

    def switch(self, tab: str) -> None:
        """Write that a tab is brought to the front."""
        ...

    def close(self, tab: str | None) -> None:
        """Write that a tab is closed, by default the one in front."""
        ...


class CallCode(CodeTexts):
    """Writes the parts of calls on one page; `file` returns the code of a resource's path."""

    def __init__(
        self,
        page: str,
        expression: Callable[[str], str | None],
        helpers: set[str],
        file: Callable[[str], str],
        tabs: TabCode,
    ) -> None:
        super().__init__(page, expression, helpers)
        self.file = file
        self.tabs = tabs

    def element(self, call: RecordedCall, parameter: str = "element_id") -> str:
        """Return the locator of a call's element. Raises Unreadable."""
        if parameter not in call.targets:
            if len(call.targets) != 1:
                raise Unreadable(
                    f"the recorded call has no target {parameter!r}; record the step again"
                )
            parameter = next(iter(call.targets))
        return self.located(call.targets[parameter].locator)


@dataclass(frozen=True)
class Export:
    """How a tool is written as Playwright code.

    `statements` returns the lines of a recorded call. `method` is the name of Playwright's method, or
    returns it and takes the arguments that it expresses away; by default it is the name of the tool.
    `of_page` means that the method is one of the page. With `awaits_load` the lines need no further
    wait for a page that the call loads.
    """

    statements: Callable[[CallCode, RecordedCall], Iterable[str]]
    method: str | Callable[[dict[str, Any]], str] = ""
    of_page: bool = False
    awaits_load: bool = False


def point_code(x: float, y: float) -> str:
    """Return the code of a position in an element."""
    return f'{{"x": {x:g}, "y": {y:g}}}'


def more_seconds(seconds: float) -> float:
    """Return a time to wait, or 0 if `expect` waits as long by default."""
    return seconds if seconds > _EXPECTS else 0.0
