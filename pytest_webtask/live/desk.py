"""The folder through which a live session receives commands and answers them, one at a time."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO

from pytest_webtask.data.locks import hold, is_held
from pytest_webtask.errors import UsageError
from pytest_webtask.handoff.mailbox import write_whole

IDLE = 1800.0
"""Seconds without a command after which a session ends, and a paused run goes on."""
SESSIONS = Path(".webtask", "sessions")
"""The folder of all sessions, relative to the folder in which they were started."""


COMMANDS = {
    "do": ("a task", "do a task, and keep the sentence for the test"),
    "verify": ("a claim", "verify a claim, and keep it"),
    "extract": ("what to read", "read a value; the test will assert that it is the same"),
    "goto": ("an address, or a path below the base URL", "open an address, and keep that"),
    "look": ("", "show the page: its outline and a picture"),
    "drop": ("", "take the last sentence out of the test; the application stays as it is"),
    "show": ("", "show the test as it would be written"),
    "save": ("a new test, such as tests/test_x.py::test_y", "write the test, and replay it"),
    "redo": ("", "do the failed step of a paused run once more, where a model may propose a heal"),
    "bug": ("what is wrong", "note for the failed step of a paused run that it is a bug, and let the run go on, until it pauses or ends"),
    "resume": ("", "let a paused run go on, until it pauses or ends"),
    "stop": ("", "end the session; a paused run then goes on without pausing at further failures"),
}  # fmt: skip
"""The commands of a session: the text that each of them takes, "" for none, and what it is for."""


@dataclass(frozen=True)
class Command:
    """A command, such as `do`, with its sentence or other text, and further values for its data."""

    name: str
    text: str = ""
    data: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name} {self.text!r}" if self.text else self.name


@dataclass(frozen=True)
class Answer:
    """What came of a command: a text, whether it went well, and the absolute path of a picture, "" for none."""

    text: str
    ok: bool = True
    picture: str = ""


@dataclass(frozen=True)
class SessionDesk:
    """The folder of one session, as both ends see it."""

    folder: Path

    @property
    def name(self) -> str:
        """The name of the session."""
        return self.folder.name

    @property
    def log(self) -> Path:
        """The file with what its process has printed."""
        return self.folder.with_suffix(".log")

    @property
    def printed(self) -> str:
        """What its process has printed, "" if that is not known."""
        with suppress(OSError):
            return self.log.read_text(encoding="utf-8", errors="replace").strip()
        return ""

    @property
    def is_open(self) -> bool:
        """Whether the process of the session is alive."""
        return is_held(self.folder / "alive")

    @property
    def pid(self) -> int:
        """The id of the process of the session, 0 if it is not known."""
        with suppress(OSError, ValueError):
            return int((self.folder / "pid").read_text("utf-8"))
        return 0

    @property
    def pending(self) -> Command | None:
        """The command that was not answered yet, None if there is none."""
        with suppress(OSError, ValueError, TypeError):
            return Command(**json.loads((self.folder / "command.json").read_text("utf-8")))
        return None

    @property
    def last_answer(self) -> Answer | None:
        """The answer to the last command, None if there is none yet."""
        with suppress(OSError, ValueError, TypeError):
            return Answer(**json.loads((self.folder / "answer.json").read_text("utf-8")))
        return None

    def check_free(self) -> None:
        """Raise UsageError if the session is open already."""
        if self.is_open:
            raise UsageError(
                f"a session {self.name!r} is open already: go on with it, or end it with pytest-webtask session"
                f" stop --name {self.name}; another one needs another --name"
            )

    def open(self) -> IO[str]:
        """Take the name of the session until the file is closed. Raises UsageError if it is taken."""
        self.check_free()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True, exist_ok=True)
        ignored = self.folder.parent / ".gitignore"
        ignored.write_text("# Created by pytest-webtask.\n*\n", encoding="utf-8")
        alive = hold(self.folder / "alive")
        (self.folder / "pid").write_text(str(os.getpid()), encoding="utf-8")
        return alive

    def close(self, alive: IO[str]) -> None:
        """Give up the name of the session, and remove its folder."""
        # Whoever sees that the command has gone must not take the answer to an earlier one for its own.
        (self.folder / "answer.json").unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        alive.close()

    def submit(self, command: Command) -> None:
        """Give a command. Raises UsageError if another one was not answered yet."""
        try:
            with (self.folder / "command.json").open("x", encoding="utf-8") as file:
                json.dump(asdict(command), file)
        except FileExistsError:
            raise UsageError(
                f"the session {self.name!r} is still busy with {self.pending}: see what it waits for with"
                f" pytest-webtask session wait --name {self.name} (its process is {self.pid})"
            ) from None

    def busy_with(self, command: Command) -> None:
        """Put a command in the place of the pending one, whose answer is then that to this one."""
        write_whole(self.folder / "command.json", json.dumps(asdict(command)))

    def answer(self, answer: Answer) -> None:
        """Answer the pending command."""
        write_whole(self.folder / "answer.json", json.dumps(asdict(answer)))
        (self.folder / "command.json").unlink(missing_ok=True)


def folder_of_sessions(here: Path) -> Path:
    """Return the folder of the sessions of a project, which is here or above if it was run before."""
    projects = (each for each in (here, *here.parents) if (each / SESSIONS.parent).is_dir())
    return next(projects, here) / SESSIONS


def open_desks(sessions: Path) -> list[SessionDesk]:
    """Return the desks of the open sessions, by name."""
    desks = (SessionDesk(alive.parent) for alive in sorted(sessions.glob("*/alive")))
    return [desk for desk in desks if desk.is_open]
