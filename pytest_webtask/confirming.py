"""Confirms what a test has recorded: runs it once more at once, replayed in a fresh context."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import TYPE_CHECKING

import pytest
from _pytest.runner import call_and_report

if TYPE_CHECKING:
    from pytest_webtask.run import RunState

_SHOWS_SETUP = ("setuponly", "setupshow", "setupplan")


def may_record(item: pytest.Function, state: RunState) -> bool:
    """Return whether a test may record steps that are to be confirmed."""
    # A test case of unittest has a life of its own.
    if type(item) is not pytest.Function or "webtask" not in item.fixturenames:
        return False
    if any(item.config.getoption(name, False) for name in _SHOWS_SETUP):
        return False
    settings = state.settings(item)
    return (
        settings.confirm
        and settings.mode in ("auto", "record")
        and bool(settings.asked_model or state.has_own_model(item))
    )


def run_and_confirm(item: pytest.Function, nextitem: pytest.Item | None, state: RunState) -> None:
    """Run a test by pytest's protocol, and run it once more if it has passed and recorded steps.

    Fixtures of a wider scope stay. The second run is no test of its own: it has no outcome for pytest.
    """
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    again = _copy_of(item)
    _run(item, lambda: again if state.has_recorded else nextitem, log=True)
    if state.has_recorded:
        with state.confirming():
            _run(again, lambda: nextitem, log=False)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)


def _copy_of(item: pytest.Function) -> pytest.Function:
    again = copy(item)
    again.stash = pytest.Stash()
    again.user_properties = []
    again.own_markers = [*item.own_markers]
    if item.cls is not None:
        # A method needs an instance of its own.
        again.__dict__.pop("_instance", None)
        again._obj = None
    return again


def _run(item: pytest.Function, find_next: Callable[[], pytest.Item | None], *, log: bool) -> None:
    # pytest's `runtestprotocol` with the next item known only after the call.
    item._initrequest()
    if call_and_report(item, "setup", log).passed:
        call_and_report(item, "call", log)
    stops = item.session.shouldfail or item.session.shouldstop
    call_and_report(item, "teardown", log, nextitem=None if stops else find_next())
    item._request = False  # type: ignore[assignment]
    item.funcargs = None  # type: ignore[assignment]
