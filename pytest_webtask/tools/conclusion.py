"""The end of a review: on a page that stays as it was judged, or after the last refusal."""

from __future__ import annotations

from collections.abc import Callable

from pytest_webtask.tools.approval import RefusedError, StaleError
from pytest_webtask.tools.results import ToolResult


def until_settled(
    conclude: Callable[[], ToolResult], give_up: Callable[[RefusedError], ToolResult]
) -> ToolResult:
    """Return what is concluded, once more if the page has changed meanwhile, or what follows the last refusal."""
    while True:
        try:
            return conclude()
        except StaleError:
            continue
        except RefusedError as refused:
            return give_up(refused)
