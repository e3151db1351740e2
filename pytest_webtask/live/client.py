"""The start of a live session in the background."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pytest_webtask.data.locks import make_private
from pytest_webtask.desk.desk import Desk, remove_desk, wait_for

_STARTED: list[subprocess.Popen[bytes]] = []
"""Processes that outlive this one: Python warns of one that is forgotten while it runs."""


def start(desk: Desk, options: Sequence[str], here: Path, timeout: float) -> None:
    """Start `session serve` with options in a process of its own, which outlives this one. Raises UsageError."""
    desk.check_free()
    # The answers of an earlier session are not those of this one.
    remove_desk(desk.folder)
    make_private(desk.log.parent)
    command = [sys.executable, "-m", "pytest_webtask.cli", "session", "serve"]
    with desk.log.open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [*command, f"--name={desk.name}", *options],
            cwd=here,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            # No interrupt of the shell that starts it ends it.
            start_new_session=True,
        )
    _STARTED.append(process)
    wait_for(timeout, lambda: True if desk.is_open or process.poll() is not None else None)
