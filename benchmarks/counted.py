"""A pytest plugin that prints the messages of a run to Playwright's driver and its seconds of processor time.

Both are the same on a busy machine.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from typing import Any

import pytest
from playwright._impl.connection import Connection


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop() -> Iterator[Any]:
    """Count the messages of all tests."""
    messages, send = 0, Connection.send_message_to_server

    def counted(*args: Any) -> Any:
        nonlocal messages
        messages += 1
        return send(*args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "send_message_to_server", counted)
        result = yield
    print(f"\nmessages: {messages}")
    return result


def pytest_unconfigure() -> None:
    """Print the processor time of Python, and of the browser and its driver once they have ended."""
    own, others = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    seconds = [each.ru_utime + each.ru_stime for each in (own, others)]
    print(f"processor: {seconds[0]:.1f} s of Python, {seconds[1]:.1f} s of browser and driver")
