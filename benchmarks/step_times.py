"""A pytest plugin that measures the time and the messages to the browser's driver by kind of step.

It is for tests by hand, whose calls of Playwright it measures, and for tests with `webtask`, whose
journal it listens to. The results are written as JSON to the file in `STEP_TIMES`.
"""

from __future__ import annotations

import json
import os
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright._impl.connection import Connection
from playwright.sync_api import Locator, Page
from playwright.sync_api._generated import LocatorAssertions

BY_HAND = {
    (Page, "goto"): "goto",
    (Locator, "click"): "click",
    (Locator, "fill"): "fill",
    (Locator, "press_sequentially"): "fill",
    (Locator, "press"): "press",
    (Locator, "select_option"): "select_option",
    (Locator, "check"): "check",
    (Locator, "inner_text"): "extract",
}
ENDS = {"mark_done": "evidence of do", "report_verdict": "verify", "report_value": "extract"}


class StepTimes:
    """The time and the messages of each kind of step; what is not of any kind is not counted."""

    def __init__(self) -> None:
        self.kinds: defaultdict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0])
        self._messages = 0
        self._since = (0.0, 0)

    def begin(self) -> None:
        """Count from now on."""
        self._since = (time.perf_counter(), self._messages)

    def end(self, kind: str, steps: int = 1) -> None:
        """Count everything since the beginning as steps of a kind, and begin anew."""
        began, messages = self._since
        self.begin()
        for at, more in enumerate((steps, self._since[0] - began, self._messages - messages)):
            self.kinds[kind][at] += more

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        """Count the messages, the calls of Playwright and the events of the journal."""
        send = Connection.send_message_to_server

        def counted(*args: Any) -> Any:
            self._messages += 1
            return send(*args)

        patch.setattr(Connection, "send_message_to_server", counted)
        if "by_hand" in os.environ["STEP_TIMES"]:
            calls = {**BY_HAND}
            verbs = [name for name in dir(LocatorAssertions) if name.startswith(("to_", "not_to_"))]
            calls |= {(LocatorAssertions, name): "verify" for name in verbs}
            for (owner, name), kind in calls.items():
                patch.setattr(owner, name, self._measured(getattr(owner, name), kind))
        else:
            self._listen(patch)

    def _measured(self, call: Callable[..., Any], kind: str) -> Callable[..., Any]:
        def measured(*args: Any, **options: Any) -> Any:
            self.begin()
            result = call(*args, **options)
            self.end(kind)
            return result

        return measured

    def _listen(self, patch: pytest.MonkeyPatch) -> None:
        from pytest_webtask.journal import Journal

        write = Journal.write
        kind = ""

        def write_timed(journal: Journal, event: Any, *args: Any) -> None:
            nonlocal kind
            write(journal, event, *args)
            if event.kind == "step_started":
                kind = event.step_kind
                self.begin()
            elif event.kind == "tool_called" and kind == "do":
                self.end(ENDS.get(event.call.tool, event.call.tool))
            elif event.kind == "step_ended":
                # The end of a task belongs to its evidence.
                self.end("evidence of do" if kind == "do" else kind, kind != "do")

        patch.setattr(Journal, "write", write_timed)


TIMES = pytest.StashKey[tuple[StepTimes, pytest.MonkeyPatch]]()


def pytest_configure(config: pytest.Config) -> None:
    """Begin to measure."""
    times, patch = config.stash[TIMES] = StepTimes(), pytest.MonkeyPatch()
    times.watch(patch)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Write what was measured."""
    times, patch = config.stash[TIMES]
    patch.undo()
    Path(os.environ["STEP_TIMES"]).write_text(json.dumps(times.kinds))
