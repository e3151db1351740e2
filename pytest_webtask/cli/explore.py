"""The prompt of `pytest-webtask try`: a live session whose commands are typed line by line."""

from __future__ import annotations

import argparse
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from pytest_webtask.data.escapes import escape_controls
from pytest_webtask.live.desk import Command
from pytest_webtask.live.opening import open_session
from pytest_webtask.live.session import NOT_KEPT, LiveSession
from pytest_webtask.page.origins import let_go

HELP = """\
a task                         does it: put two mugs into the cart, or click "Add to cart"
? claim                        verifies it: ? the cart shows 2 mugs
= what to extract              reads it: = the total of the cart
goto address                   opens it: goto /cart
drop                           takes the last sentence out of what will be written
look                           shows the outline and the picture of the page
show                           shows the test that will be written
save tests/test_x.py::test_y   writes the test with its recordings, and replays it once
quit                           leaves; so does the end-of-file key
Ctrl-C                         ends a step that is being done"""
_FOLDER = Path(".webtask", "try")
"""The folder, ignored by Git, of what is kept between two prompts."""
_HISTORY = "history"
_SAVE = re.compile(r"save(?:\s+(?P<target>\S+(?:::|\.py)\S*))?")
_SENTENCES = {"?": "verify", "=": "extract", "goto": "goto"}
"""The commands of the sentences that begin with a sign or a word; all others are tasks."""


def explore(args: argparse.Namespace) -> int:
    """Open the prompt on a page, with the fixtures of the project; return the exit code."""
    terminal = sys.stdout
    problem = open_session(args, lambda session: SessionPrompt(session, terminal).run(args.url))
    if problem:
        print(problem)
    return int(bool(problem))


@contextmanager
def _noting_interrupts(interrupts: list[int]) -> Iterator[None]:
    """Note each Ctrl-C: a KeyboardInterrupt that is raised in a callback of Playwright gets lost."""

    def note(number: int, _: object) -> None:
        interrupts.append(number)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@dataclass
class SessionPrompt:
    """The prompt of one session."""

    session: LiveSession
    terminal: TextIO
    _read_line: Callable[[], str] = field(init=False)

    def run(self, url: str) -> None:
        """Open an address, and do what is typed until the end of the input."""
        self.session.note, self.session.announces_turns = self._print, True
        for line in self.session.problems():
            self._print(line)
        self._perform(Command("goto", url))
        self._print('type a task, "? claim", "= what to extract", "goto address", or "help"')
        self._read_line = self._line_reader()
        while self._take_line():
            pass
        if unsaved := self.session.unsaved():
            self._print(unsaved.rstrip())

    def _take_line(self) -> bool:
        """Read a line and carry it out; return False at the end."""
        # While a person types, and uses the page, nothing else answers its requests.
        let_go()
        try:
            line = self._read_line().strip()
        except KeyboardInterrupt:
            self._print('to leave, type "quit"')
            return True
        except EOFError:
            return False
        if line in ("quit", "exit"):
            return False
        if line == "help":
            self._print(HELP)
        elif line:
            self._perform(_command_of(line))
        return True

    def _perform(self, command: Command) -> None:
        """Carry out a command, and print what came of it."""
        interrupts: list[int] = []
        answer = None
        with suppress(KeyboardInterrupt), _noting_interrupts(interrupts):
            answer = self.session.perform(command)
        if answer is None or (interrupts and not answer.ok):
            self._print(f"interrupted; {NOT_KEPT}")
        else:
            self._print(answer.text)

    def _print(self, text: str) -> None:
        print(escape_controls(text), file=self.terminal, flush=True)

    def _line_reader(self) -> Callable[[], str]:
        """Return the function that reads a line: with a history, where there is a terminal."""

        def read_plainly() -> str:
            with redirect_stdout(self.terminal):
                return input("> ")

        if not (sys.stdin.isatty() and self.terminal.isatty()):
            return read_plainly
        try:
            from prompt_toolkit import PromptSession
            from prompt_toolkit.history import FileHistory
        except ImportError:
            with suppress(ImportError):
                import readline  # noqa: F401 - it gives input() keys for editing
            return read_plainly
        scrub, folder = self.session.state.scrub, self.session.state.root / _FOLDER

        class SafeHistory(FileHistory):
            """Keeps no secret in the file."""

            def store_string(self, string: str) -> None:
                super().store_string(scrub(string))

        folder.mkdir(parents=True, exist_ok=True)
        with redirect_stdout(self.terminal):
            session: PromptSession[str] = PromptSession(history=SafeHistory(folder / _HISTORY))

        def read_with_history() -> str:
            with redirect_stdout(self.terminal):
                # Playwright's event loop runs in this thread.
                return session.prompt("> ", in_thread=True)

        return read_with_history


def _command_of(line: str) -> Command:
    """Return the command that a line means."""
    if line in ("drop", "show", "look"):
        return Command(line)
    if save := _SAVE.fullmatch(line):
        return Command("save", save["target"] or "")
    sign = line[:1] if line[0] in _SENTENCES else line.partition(" ")[0]
    if name := _SENTENCES.get(sign):
        return Command(name, line.removeprefix(sign).strip())
    return Command("do", line)
