"""Recorded checks as lines of Playwright's `expect`."""

from __future__ import annotations

from collections.abc import Callable

from pytest_webtask.recordings.speaking import Speaking
from pytest_webtask.recordings.steps import Call, Evidence

__all__ = ["Expecting", "seconds_more"]

_EXPECTS = 5.0
"""Seconds that `expect` waits if nothing else is said."""


def seconds_more(patience: float, call: Call) -> float:
    """The longest wait of the calls so far, where it is longer than that of `expect`; else 0."""
    seconds = call.parameters.get("seconds") if call.tool == "wait" else None
    longest = max(patience, float(seconds or 0))
    return longest if longest > _EXPECTS else 0.0


class Expecting(Speaking):
    """Says checks of one page; `patience` is how many seconds they may take, 0 as usual."""

    def __init__(
        self,
        page: str,
        expression: Callable[[str], str | None],
        helpers: set[str],
        patience: float = 0.0,
    ) -> None:
        super().__init__(page, expression, helpers)
        self._patience = patience

    def line(self, evidence: Evidence) -> str | None:
        """Return the line of a check, None where plain Playwright has none.

        Raises Unreadable for locators, KeyError for what is missing of the check.
        """
        printed = evidence.check.as_playwright(self, evidence.target)
        if printed is None:
            return None
        about, assertion = printed
        self._helpers.add("expect")
        if self._patience:
            blank = "" if assertion.endswith("()") else ", "
            assertion = f"{assertion[:-1]}{blank}timeout={self._patience * 1000:_.0f})"
        return f"expect({about}).{'not_' if evidence.fails else ''}{assertion}"
