"""The client of a live session: it starts one in the background, gives commands and waits for answers."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from pytest_webtask.errors import UsageError
from pytest_webtask.handoff.mailbox import FOLDER, NO_RUN, HandedTurn, HandoffDesk, HandoffError
from pytest_webtask.live.desk import (
    COMMANDS,
    Answer,
    Command,
    SessionDesk,
    folder_of_sessions,
    open_desks,
)
from pytest_webtask.page.step_time import Deadline

DEFAULT = "main"
"""The name of a session for which none was given."""
_STARTED: list[subprocess.Popen[bytes]] = []
"""Processes that outlive this one: Python warns of one that is forgotten while it runs."""


def named_desk(name: str, here: Path) -> SessionDesk:
    """Return the desk of an open session, or of the only one without a name. Raises HandoffError or UsageError."""
    desks = {desk.name: desk for desk in open_desks(folder_of_sessions(here))}
    if name in desks:
        return desks[name]
    if not name and len(desks) == 1:
        return next(iter(desks.values()))
    if not name and desks:
        raise UsageError(f"several sessions are open: add --name {' or --name '.join(desks)}")
    missing = f"no session {name!r} is open" if name else "no session is open"
    log = SessionDesk(folder_of_sessions(here) / (name or DEFAULT)).log
    before = f"; the last output of one that has ended is in {log}" if log.exists() else ""
    raise HandoffError(NO_RUN, f"{missing}{before}\nstart one: pytest-webtask session start URL")


def new_desk(name: str, here: Path) -> SessionDesk:
    """Return the desk of a new session. Raises UsageError for a name that is taken or none."""
    name = name or DEFAULT
    if not re.fullmatch(r"[\w-]+", name):
        raise UsageError(f"a session is named by letters, digits, _ and -; got {name!r}")
    desk = SessionDesk(folder_of_sessions(here) / name)
    desk.check_free()
    return desk


def desk_of_turn(turn: HandedTurn) -> SessionDesk | None:
    """Return the desk of the session that waits for the answer to a turn, None if none does."""
    desks = open_desks(folder_of_sessions(turn.folder.absolute()))
    return next((desk for desk in desks if desk.pid == turn.about["pid"]), None)


def start(name: str, options: Sequence[str], here: Path, timeout: float) -> SessionDesk:
    """Start `session serve` with options in a process of its own, which outlives this one. Raises UsageError."""
    desk = new_desk(name, here)
    desk.log.parent.mkdir(parents=True, exist_ok=True)
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
    deadline = Deadline(timeout)
    while desk.pid != process.pid and process.poll() is None and not deadline.is_over:
        deadline.pause(None)
    return desk


def wait(desk: SessionDesk, timeout: float) -> Answer | HandedTurn | None:
    """Return the answer to the pending command, or else to the last one; or the turn that waits for an answer.

    Return None after `timeout` seconds. Raises HandoffError, with what it has printed, if the session has ended.
    """
    deadline, turns = Deadline(timeout), HandoffDesk(desk.folder.parents[1] / FOLDER.name)
    while not deadline.is_over:
        # The answer is there before the command goes.
        if desk.pending is None and (answer := desk.last_answer):
            return answer
        if not desk.is_open:
            printed = desk.printed or "see the output of its pytest"
            raise HandoffError(NO_RUN, f"the session has ended\n{printed}")
        with suppress(HandoffError):  # an answer has just ended it
            for turn in turns.waiting:
                if turn.about["pid"] == desk.pid:
                    return turn
        deadline.pause(None)
    return None


def checked_command(name: str, text: str, data: Sequence[str]) -> Command:
    """Return a command with values `NAME=VALUE` for its data. Raises UsageError."""
    what, _ = COMMANDS[name]
    if bool(text) != bool(what):
        raise UsageError(f"session {name} takes {what or 'no text'}")
    pairs = [each.partition("=") for each in data]
    if wrong := [name + sep for name, sep, _ in pairs if not name.isidentifier() or not sep]:
        raise UsageError(f"data is given as NAME=VALUE; got {wrong[0]!r}")
    return Command(name, text, {name: value for name, _, value in pairs})
