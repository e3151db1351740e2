"""The folder of a process that asks, such as a run with turns, or is asked, such as a live session.

    NAME/alive           locked as long as the process is alive
    NAME/1, NAME/2       turns: the process asks for calls
    NAME/commands        of a session: the process is asked to carry out a command

Whatever one process wants of another is a request, a file that the other one replaces by a reply.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from pytest_webtask.data.locks import hold, is_held, is_ours, make_private
from pytest_webtask.desk.commands import Answer, Command
from pytest_webtask.errors import UsageError
from pytest_webtask.page.step_time import Deadline

FOLDER = Path(".webtask", "handoff")
"""The folder of all desks, relative to the project's root."""
REFUSED, OVER, NO_TURN, NO_RUN = 1, 2, 3, 4
"""Reasons of a HandoffError, which are also exit codes of the commands."""
DEFAULT = "main"
"""The name of a session for which none was given."""
_START = 30.0
"""Seconds that a run may take to start."""
_REACTION = 60.0
"""Seconds that a run may take to react to an answer."""
_ID = re.compile(r"([\w-]+)-([0-9]+)")
_STARTED: list[subprocess.Popen[bytes]] = []
"""Processes that outlive this one: Python warns of one that is forgotten while it runs."""
_T = TypeVar("_T")


class HandoffError(Exception):
    """An answer was refused, or no turn came; `code` is the reason."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def wait_for(seconds: float, look: Callable[[], _T]) -> _T:
    """Return what is found once there is something, None if there is nothing after some seconds."""
    deadline = Deadline(seconds)
    while (found := look()) is None and not deadline.is_over:
        deadline.pause(None)
    return found


@dataclass(frozen=True)
class Exchange:
    """Requests to a process and its replies, one at a time, as files of JSON in a folder."""

    folder: Path

    @property
    def request(self) -> Any:
        """The request that waits for its reply, None if there is none."""
        return _read(self.folder / "request.json")

    @property
    def reply(self) -> Any:
        """The reply to the last request, None while there is none yet."""
        return _read(self.folder / "reply.json") if self.request is None else None

    def submit(self, request: Any) -> None:
        """Write a request. Raises FileExistsError if another one waits for its reply."""
        with (self.folder / "request.json").open("x", encoding="utf-8") as file:
            json.dump(request, file)

    def answer(self, reply: Any) -> None:
        """Reply to the request."""
        # Whoever sees that the request has gone finds the reply.
        self.write("reply.json", reply)
        (self.folder / "request.json").unlink(missing_ok=True)

    def write(self, name: str, value: Any) -> None:
        """Write a file so that the other end reads all of it or none."""
        partial = self.folder / f".{name}"
        partial.write_text(json.dumps(value), encoding="utf-8")
        partial.replace(self.folder / name)


@dataclass(frozen=True)
class HandedTurn:
    """A turn that was handed over, as seen from both ends."""

    folder: Path

    @property
    def desk(self) -> Desk:
        """The desk of the process that waits for its answer."""
        return Desk(self.folder.parent)

    @property
    def id(self) -> str:
        """The id by which it is answered."""
        return f"{self.folder.parent.name}-{self.folder.name}"

    @property
    def about(self) -> dict[str, Any]:
        """Its role, task, number and so on. Raises HandoffError if the run has removed it."""
        about: dict[str, Any] = json.loads(self.read("turn.json"))
        return about

    @property
    def pictures(self) -> list[Path]:
        """The pictures of the page or of facts, in order."""
        return sorted(self.folder.glob("picture-*"), key=lambda path: (len(path.stem), path.stem))

    @property
    def is_blind(self) -> bool:
        """Whether it must be answered by somebody who has not seen the page."""
        return bool(self.about["blind"])

    @property
    def before(self) -> str:
        """How the step of the turn before ended, "" if it has not."""
        with suppress(OSError):
            before = self.folder.with_name(str(int(self.folder.name) - 1))
            return (before / "step_end").read_text("utf-8")
        return ""

    @property
    def calls(self) -> Exchange:
        """The answers, and what is wrong with them."""
        return Exchange(self.folder)

    @property
    def is_over(self) -> bool:
        """Whether its process no longer waits for an answer."""
        is_there = self.folder.is_dir() and not (self.folder / "over").exists()
        return not (is_there and self.desk.is_open)

    def read(self, name: str) -> str:
        """Return the text of one of its files. Raises HandoffError if the run has removed it."""
        try:
            return (self.folder / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise self._gone() from None

    def end(self) -> None:
        """Stop waiting for an answer."""
        with suppress(OSError):
            (self.folder / "over").touch()

    def answer(self, text: str) -> None:
        """Submit an answer and wait until the run accepts it. Raises HandoffError."""
        if self.is_over:
            raise self._gone()
        self.calls.submit(text)

        def verdict() -> list[str] | None:
            # The run may have accepted the answer just before it ended.
            is_over = self.is_over
            problems: list[str] | None = self.calls.reply
            if is_over and problems is None:
                raise self._gone()
            return problems

        problems = wait_for(_REACTION, verdict)
        if problems is None:
            raise HandoffError(
                NO_TURN,
                f"the run is alive but did not read the answer in {_REACTION:g} s. If"
                " pytest is stopped in a debugger, let it continue",
            )
        if problems:
            listed = "".join(f"\n- {each}" for each in problems)
            raise HandoffError(
                REFUSED,
                f"the answer was refused, and none of its calls was made:{listed}\n"
                "correct the answer, and give it to the same turn again",
            )

    def _gone(self) -> HandoffError:
        return HandoffError(
            OVER,
            f"turn {self.id} is over: the run no longer waits for its answer; ask for the next turn",
        )


@dataclass
class Desk:
    """The folder of one process, as others see it."""

    folder: Path

    @property
    def name(self) -> str:
        """The name of a session, or the id of a run."""
        return self.folder.name

    @property
    def log(self) -> Path:
        """The file with what a session has printed."""
        return self.folder.with_suffix(".log")

    @property
    def is_open(self) -> bool:
        """Whether its process is alive."""
        return is_held(self.folder / "alive")

    @property
    def pid(self) -> int:
        """The id of its process, 0 if it is not known."""
        with suppress(OSError, ValueError):
            return int((self.folder / "alive").read_text("utf-8"))
        return 0

    @property
    def is_session(self) -> bool:
        """Whether it takes commands."""
        return self._commands.folder.is_dir()

    @property
    def waiting(self) -> list[HandedTurn]:
        """The turns that wait for an answer."""
        turns = map(HandedTurn, self.folder.glob("[0-9]*"))
        return [turn for turn in turns if not turn.is_over and turn.calls.request is None]

    @property
    def pending(self) -> Command | None:
        """The command that was not answered yet, None if there is none."""
        request = self._commands.request
        return Command(**request) if request else None

    def submit(self, command: Command) -> None:
        """Give a command. Raises UsageError if another one was not answered yet."""
        try:
            self._commands.submit(asdict(command))
        except FileExistsError:
            raise UsageError(
                f"the session {self.name!r} is still busy with {self.pending}: see what it waits for with"
                f" pytest-webtask session wait --name {self.name} (its process is {self.pid})"
            ) from None

    def outcome(self, timeout: float) -> Answer | HandedTurn | None:
        """Return the answer to the last command, or the turn that waits for an answer; None after `timeout` seconds.

        Raises HandoffError, with what it has printed, if the session has ended.
        """

        def look() -> Answer | HandedTurn | None:
            # The answer is there before the process ends.
            is_open = self.is_open
            if reply := self._commands.reply:
                return Answer(**reply)
            if not is_open:
                raise HandoffError(NO_RUN, f"the session has ended\n{self._printed()}")
            return next(iter(self.waiting), None)

        return wait_for(timeout, look)

    def start(
        self,
        url: str,
        model: str | None,
        fixtures: Sequence[str],
        *more: str,
        folder: Path,
        timeout: float,
    ) -> None:
        """Start `session serve` on an address, with `more` options, in a process that outlives this one.

        It is started in a `folder`. Raises UsageError.
        """
        self.check_free()
        # The answers of an earlier session are not those of this one.
        remove_desk(self.folder)
        make_private(self.log.parent)
        command = [sys.executable, "-m", "pytest_webtask.cli", "session", "serve", url]
        command += [f"--name={self.name}", *(f"--fixture={each}" for each in fixtures)]
        command += [f"--webtask-model={model}"] if model else []
        with self.log.open("w", encoding="utf-8") as log:
            process = subprocess.Popen(
                [*command, *more],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # No interrupt of the shell that starts it ends it.
                start_new_session=True,
            )
        _STARTED.append(process)
        wait_for(timeout, lambda: True if self.is_open or process.poll() is not None else None)

    def check_free(self) -> None:
        """Raise UsageError if its process is alive."""
        if self.is_open:
            raise UsageError(
                f"a session {self.name!r} is open already: go on with it, or end it with pytest-webtask session"
                f" stop --name {self.name}; another one needs another --name"
            )

    @property
    def _commands(self) -> Exchange:
        return Exchange(self.folder / "commands")

    def _printed(self) -> str:
        with suppress(OSError):
            return self.log.read_text(encoding="utf-8", errors="replace").strip()
        return "see the output of its pytest"


class OwnDesk(Desk):
    """The desk of this process, until it ends. Raises OSError, and UsageError if another process has it."""

    def __init__(self, folder: Path, *, is_session: bool = False) -> None:
        super().__init__(folder)
        self.check_free()
        make_private(folder.parent)
        _remove_the_dead(folder.parent)
        remove_desk(folder)
        folder.mkdir()
        if is_session:
            self._commands.folder.mkdir()
            _OWN[os.getpid(), None] = self
        self._turns = 0
        self._alive = hold(folder / "alive")
        atexit.register(self.close)

    def close(self) -> None:
        """Stop being alive; the last replies stay for their readers."""
        self._alive.close()
        if _OWN.get((os.getpid(), None)) is self:
            del _OWN[os.getpid(), None]

    def hand_over(
        self, files: Mapping[str, str], about: Mapping[str, Any], pictures: Sequence[Path] = ()
    ) -> HandedTurn:
        """Create the folder of the next turn, atomically."""
        self._turns += 1
        # The last turn stays: its verdict may not have been read yet.
        shutil.rmtree(self.folder / str(self._turns - 2), ignore_errors=True)
        handed = HandedTurn(self.folder / str(self._turns))
        partial = self.folder / f".{self._turns}"
        partial.mkdir()
        details = {"id": handed.id, "time": time.time(), **about}
        for name, text in {**files, "turn.json": json.dumps(details, indent=1)}.items():
            # A page may show a lone surrogate.
            (partial / name).write_text(text, encoding="utf-8", errors="backslashreplace")
        for number, picture in enumerate(pictures, 1):
            shutil.copyfile(picture, partial / f"picture-{number}{picture.suffix}")
        partial.rename(handed.folder)
        return handed

    def end_step(self, how: str) -> None:
        """Record how the step of the last turn ended; steps without a turn and further ends are ignored."""
        last = self.folder / str(self._turns)
        with suppress(OSError), (last / "step_end").open("x", encoding="utf-8") as file:
            file.write(how)

    def busy_with(self, command: Command) -> None:
        """Put a command in the place of the pending one, whose answer is then that to this one."""
        self._commands.write("request.json", asdict(command))

    def answer(self, answer: Answer) -> None:
        """Answer the pending command."""
        self._commands.answer(asdict(answer))


_OWN: dict[tuple[int, Path | None], OwnDesk] = {}
"""The desks of each process: that of its session, and those in folders. A forked process is another one."""


def own_desk(folder: Path) -> OwnDesk:
    """Return the desk for the turns of this process: that of its session, or else one in a folder. Raises OSError."""
    pid = os.getpid()
    desk = _OWN.get((pid, None)) or _OWN.get((pid, folder))
    if desk is None or not desk.folder.is_dir():
        desk = _OWN[pid, folder] = OwnDesk(folder / secrets.token_hex(3))
    return desk


@dataclass(frozen=True)
class Desks:
    """All desks in a folder, or in the current project's."""

    path: Path | None = None

    @property
    def folder(self) -> Path:
        """The folder: `path`, or that of the project here or above, if it was run before."""
        here = Path.cwd()
        projects = (each for each in (here, *here.parents) if (each / FOLDER.parent).is_dir())
        return self.path or next(projects, here) / FOLDER

    @property
    def open(self) -> list[Desk]:
        """The desks of processes that are alive, by name."""
        desks = (Desk(alive.parent) for alive in sorted(self.folder.glob("*/alive")))
        return [desk for desk in desks if desk.is_open]

    @property
    def waiting(self) -> list[HandedTurn]:
        """The turns that wait for an answer, the one that has waited longest first."""
        with suppress(HandoffError):  # its run has just removed one
            turns = [turn for desk in self.open for turn in desk.waiting]
            return sorted(turns, key=lambda turn: turn.about["time"])
        return []

    def find(self, turn: str) -> HandedTurn:
        """Return the turn of that id. Raises HandoffError if there is none."""
        match = _ID.fullmatch(turn)
        handed = HandedTurn(self.folder.joinpath(*match.groups())) if match else None
        if handed is None or not handed.folder.is_dir():
            missing = f"there is no turn {turn!r} in {self.folder}; ask for the next turn"
            raise HandoffError(OVER, missing)
        return handed

    def named(self, name: str) -> Desk:
        """Return the desk of a session, whether it is open or not. Raises UsageError for no name."""
        if not re.fullmatch(r"[\w-]+", name):
            raise UsageError(f"a session is named by letters, digits, _ and -; got {name!r}")
        return Desk(self.folder / name)

    def session(self, name: str = "") -> Desk:
        """Return an open session, the only one without a name. Raises HandoffError or UsageError."""
        sessions = [each for each in self.open if each.is_session and name in ("", each.name)]
        if len(sessions) > 1:
            names = " or --name ".join(each.name for each in sessions)
            raise UsageError(f"several sessions are open: add --name {names}")
        if not sessions:
            missing = self.named(name or DEFAULT)
            raise HandoffError(
                NO_RUN,
                f"no session {missing.name!r} is open; the output of one that has ended is in {missing.log}\n"
                "start one: pytest-webtask session start URL",
            )
        return sessions[0]

    def next(self, timeout: float, roles: Sequence[str] = (), *, begun: bool = False) -> HandedTurn:
        """Return the longest waiting turn of these roles, or of all. Raises HandoffError.

        A run may start within half a minute, unless one has `begun`.
        """
        starting = Deadline(min(timeout, _START))

        def look() -> HandedTurn | None:
            nonlocal begun
            is_open = bool(self.open)
            if not is_open and (begun or starting.is_over):
                raise HandoffError(
                    NO_RUN,
                    f"no run of pytest waits for answers in {self.folder}: see the output of pytest. If it was not"
                    " started, type in the background: pytest --webtask-model=handoff; if it runs in another"
                    " project, name its folder with --folder",
                )
            begun |= is_open
            turns = (each for each in self.waiting if not roles or each.about["role"] in roles)
            return next(turns, None)

        turn = wait_for(timeout, look)
        if turn is None:
            raise HandoffError(
                NO_TURN, f"no turn came in {timeout:g} s, but the run goes on; ask again"
            )
        return turn


def _read(path: Path) -> Any:
    """Return the JSON of a regular file, None if there is none, or not all of it yet."""
    with suppress(OSError, ValueError):
        if path.is_file() and not path.is_symlink():
            return json.loads(path.read_text("utf-8"))
    return None


def remove_desk(folder: Path) -> None:
    """Remove the folder of a process that has ended."""
    if is_ours(folder):
        shutil.rmtree(folder, ignore_errors=True)


def _remove_the_dead(folder: Path) -> None:
    for path in folder.glob("*/alive"):
        with suppress(OSError):
            # A run that is just starting may not have its lock yet, and the last verdict of one
            # that has just ended may not have been read.
            if time.time() - path.parent.stat().st_mtime > _REACTION and not is_held(path):
                remove_desk(path.parent)
