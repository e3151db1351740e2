"""Confirms what a test has recorded: runs it once more at once, replayed in a fresh context."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import TYPE_CHECKING

import pytest
from _pytest.runner import call_and_report

if TYPE_CHECKING:
    from pytest_webtask.run.run_state import RunState


def run_and_confirm(item: pytest.Function, nextitem: pytest.Item | None, state: RunState) -> None:
    """Run a test by pytest's protocol, and run it once more if it has passed and recorded steps.

    Fixtures of a wider scope stay. The second run is no test of its own: it has no outcome for pytest.
    """
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    second = _copy_of(item)
    if _run(item, lambda: second if state.is_to_confirm() else nextitem, log=True) is second:
        with state.confirming():
            _run(second, lambda: nextitem, log=False)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)


def _copy_of(item: pytest.Function) -> pytest.Function:
    second = copy(item)
    second.stash = pytest.Stash()
    second.user_properties = []
    second.own_markers = [*item.own_markers]
    if item.cls is not None:
        # A method needs an instance of its own.
        second.__dict__.pop("_instance", None)
        second._obj = None
    return second


def _run(
    item: pytest.Function, find_next: Callable[[], pytest.Item | None], *, log: bool
) -> pytest.Item | None:
    """Run a test as pytest does, and return the next item, which is known only after the call."""
    item._initrequest()
    if call_and_report(item, "setup", log).passed:
        call_and_report(item, "call", log)
    following = None if item.session.shouldfail or item.session.shouldstop else find_next()
    call_and_report(item, "teardown", log, nextitem=following)
    item._request = False  # type: ignore[assignment]
    item.funcargs = None  # type: ignore[assignment]
    return following
