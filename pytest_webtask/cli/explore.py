"""The prompt of `pytest-webtask try`: a live session whose commands are typed line by line."""

import argparse
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from typing import TextIO

from pytest_webtask.desk.commands import Command, checked_command
from pytest_webtask.errors import UsageError
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

    def run(self, url: str) -> None:
        """Open an address, and do what is typed until the end of the input."""
        with suppress(ImportError):
            import readline  # noqa: F401 - it gives input() keys for editing
        self.session.note = self._print
        self._perform(Command("goto", url))
        self._print('type a task, "? claim", "= what to extract", "goto address", or "help"')
        while self._take_line():
            pass
        if unsaved := self.session.unsaved():
            self._print(unsaved.rstrip())

    def _take_line(self) -> bool:
        # While a person types, and uses the page, nothing else answers its requests.
        let_go()
        try:
            with redirect_stdout(self.terminal):
                line = input("> ").strip()
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
            try:
                self._perform(_command_of(line))
            except UsageError as error:
                self._print(str(error))
        return True

    def _perform(self, command: Command) -> None:
        interrupts: list[int] = []
        answer = None
        with suppress(KeyboardInterrupt), _noting_interrupts(interrupts):
            answer = self.session.perform(command)
        if answer is None or (interrupts and not answer.ok):
            self._print(f"interrupted; {NOT_KEPT}")
        else:
            self._print(answer.text)

    def _print(self, text: str) -> None:
        print(text, file=self.terminal, flush=True)


def _command_of(line: str) -> Command:
    if line in ("drop", "show", "look"):
        return Command(line)
    if save := _SAVE.fullmatch(line):
        return checked_command("save", save["target"] or "", ())
    sign = line[:1] if line[0] in _SENTENCES else line.partition(" ")[0]
    if name := _SENTENCES.get(sign):
        return checked_command(name, line.removeprefix(sign).strip(), ())
    return Command("do", line)
