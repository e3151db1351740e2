"""The prompt of `pytest-webtask try`: sentences are done at once, and saved as a test."""

from __future__ import annotations

import argparse
import ast
import logging
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass, field
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import pytest

from pytest_webtask.cli_doctor import ONE_PROCESS, replace_tests, run_pytest
from pytest_webtask.errors import UsageError, WebtaskError
from pytest_webtask.escapes import escape_controls
from pytest_webtask.phrases import counted, reason_of, relative
from pytest_webtask.run import STATE, RunState

if TYPE_CHECKING:
    from pytest_webtask.runs import StepRecord
    from pytest_webtask.types.step import StepKind
    from pytest_webtask.webtask import Webtask

HELP = """\
a task                         does it: put two mugs into the cart, or click "Add to cart"
? claim                        verifies it: ? the cart shows 2 mugs
= what to extract              reads it: = the total of the cart
goto address                   opens it: goto /cart
drop                           takes the last sentence out of what will be written
show                           shows the test that will be written
save tests/test_x.py::test_y   writes the test with its recordings, and replays it once
quit                           leaves; so does the end-of-file key
Ctrl-C                         ends a step that is being done"""
_FOLDER = Path(".webtask", "try")
"""The folder, ignored by Git, where what is tried has its call site until it is saved."""
_HISTORY = "history"
_TARGET = re.compile(r"(?P<path>[^:]+\.py)::(?P<name>\w+)")
_SAVE = re.compile(r"save(?:\s+(?P<target>\S+(?:::|\.py)\S*))?")
_SENTENCES: dict[str, tuple[StepKind, str]] = {
    "?": ("verify", "a claim after the question mark"),
    "=": ("extract", "what to extract after the equals sign"),
    "goto": ("goto", "an address or a path after goto"),
}
"""The kinds of the sentences that begin with a sign, and what is missing after it; all others are tasks."""
_OUTCOMES = {"completed": "done", "passed": "holds", "found": "found"}


def explore(args: argparse.Namespace) -> int:
    """Open the prompt on a page, with the fixtures of the project; return the exit code."""
    options = [f"--webtask-model={args.webtask_model}"] if args.webtask_model else []
    explorer = Explorer(args.url, sys.stdout, [*options, *args.pytest_args])
    # No limit of time ends a person who reads.
    arguments = ["-s", "-ofaulthandler_timeout=0", *options, *args.pytest_args]
    arguments += ["--timeout=0"] if find_spec("pytest_timeout") else []
    arguments += ["--headed"] if args.headed else []
    output = run_pytest(explorer, *arguments, "--webtask-mode=record", "--webtask-confirm=off")
    if not explorer.began:
        print(f"the prompt could not be opened; correct what pytest says here:\n{output}")
        return 1
    for line in explorer.notes:
        print(line)
    return 0


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
class Explorer:
    """A pytest plugin that opens the prompt in the place of all tests.

    The prompt runs as a function of the first module with a test that uses a webtask, and so with the
    fixtures of that. `options` are command-line options that a replay of a saved test needs as well.
    """

    url: str
    terminal: TextIO
    options: Sequence[str] = ()
    began: bool = field(default=False, init=False)
    notes: list[str] = field(default_factory=list, init=False)
    _state: RunState | None = field(default=None, init=False)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """Replace the tests by the prompt."""
        self._state = session.config.stash[STATE]

        def webtask_try(webtask: Webtask, request: pytest.FixtureRequest) -> None:
            self.began = True
            state = request.config.stash[STATE]
            SentencePrompt(webtask, state, self.terminal, self.options).run(self.url)

        replace_tests(session, items, webtask_try)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, Any, Any]:
        """Have Ctrl-C end a step, not the browser."""
        result = yield
        if fixturedef.argname == "browser_type_launch_args" and isinstance(result, dict):
            result["handle_sigint"] = False
        return result

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Note where the report and the journal are."""
        self.notes = self._state.places if self._state else []


@dataclass(frozen=True)
class Sentence:
    """A step that will be written: its number in the journal, and the value that it has read."""

    kind: StepKind
    text: str
    number: int
    value: str | None = None

    @property
    def name(self) -> str:
        """The step as in messages."""
        from pytest_webtask.types.step import step_name

        return step_name(self.kind, self.text)

    @property
    def code(self) -> str:
        """The statement in the test."""
        from pytest_webtask.playwright_code import string_literal

        call = f"webtask.{self.kind}({string_literal(self.text)})"
        return call if self.value is None else f"assert {call} == {string_literal(self.value)}"


@dataclass
class SentencePrompt:
    """The prompt of one page, and the sentences that will be written."""

    webtask: Webtask
    state: RunState
    terminal: TextIO
    options: Sequence[str] = ()
    kept: list[Sentence] = field(default_factory=list, init=False)
    _saved: dict[tuple[Path, str], str] = field(default_factory=dict, init=False)
    """The code of the tests that this prompt has written, by file and name."""
    _is_saved: bool = field(default=True, init=False)
    _read_line: Callable[[], str] = field(init=False)

    def run(self, url: str) -> None:
        """Open an address, and do what is typed until the end of the input."""
        for line in self._model_problems():
            self._print(line)
        with self._progress(), self._call_site():
            self._do("goto", url)
            self._print('type a task, "? claim", "= what to extract", "goto address", or "help"')
            self._read_line = self._line_reader()
            while self._take_line():
                pass
        if not self._is_saved and self.kept:
            self._print("not saved:")
            self._show("test_tried")

    def _take_line(self) -> bool:
        """Read a line and carry it out; return False at the end."""
        try:
            line = self._read_line().strip()
        except KeyboardInterrupt:
            self._print('to leave, type "quit"')
            return True
        except EOFError:
            return False
        if line in ("quit", "exit"):
            return False
        try:
            self._carry_out(line)
        except KeyboardInterrupt:
            self._print("interrupted")
        return True

    def _carry_out(self, line: str) -> None:
        commands: dict[str, Callable[[], None]] = {
            "": lambda: None,
            "help": lambda: self._print(HELP),
            "drop": self._drop,
            "show": lambda: self._show("test_tried"),
        }
        if line in commands:
            commands[line]()
        elif save := _SAVE.fullmatch(line):
            self._save(save["target"] or "")
        else:
            sign = line[:1] if line[0] in _SENTENCES else line.partition(" ")[0]
            kind, lacks = _SENTENCES.get(sign, ("do", ""))
            self._do(kind, line.removeprefix(sign if lacks else "").strip(), lacks)

    def _do(self, kind: StepKind, text: str, lacks: str = "") -> None:
        """Do a step, show its outcome, and keep it if it succeeded."""
        if not text:
            self._print(f"type {lacks}")
            return
        interrupts: list[int] = []
        try:
            with _noting_interrupts(interrupts):
                value = getattr(self.webtask, kind)(text)
        except (KeyboardInterrupt, Exception) as error:
            if interrupts:
                self._print(f"interrupted; {_NOT_KEPT}")
                return
            name = "" if isinstance(error, WebtaskError) else f"{type(error).__name__}: "
            self._print(f"{name}{self.webtask.scrub(str(error))}")
            self._print(_GONE if self._is_page_gone() else _NOT_KEPT)
        else:
            number = self.webtask.at[1]
            shown = value if kind == "extract" and self.webtask.scrub(value) == value else None
            self.kept.append(Sentence(kind, text, number, shown))
            self._is_saved = False
            self._print("\n".join(self._describe(number)))

    def _is_page_gone(self) -> bool:
        with suppress(Exception):
            return self.webtask.page.is_closed()
        return True

    def _step(self, number: int) -> StepRecord:
        """Return a step of the prompt from the journal."""
        from pytest_webtask.journal import read
        from pytest_webtask.runs import TestAttempt

        events = (event for event in read(self.state.folder) if event.test == self.state.test.name)
        steps = TestAttempt.of(events).steps
        return next(step for step in steps if (step.webtask, step.number) == ("", number))

    def _describe(self, number: int) -> Iterator[str]:
        """Yield lines on a step: its outcome and what it cost, its facts, its picture."""
        from pytest_webtask.agent.memory import remembered_facts
        from pytest_webtask.summary import price

        step = self._step(number)
        cost, usage = "no model was asked", step.usage
        if usage.model_calls:
            calls = counted(usage.model_calls, "model call")
            cost = f"{calls}, {usage.tokens:,} tokens, {price(usage)}"
        yield f"{_OUTCOMES.get(step.status, step.status)} ({cost}, {step.seconds:.1f} s)"
        if step.kind == "extract":
            yield f"  = {step.value!r}"
        yield from (f"  {fact}" for fact in remembered_facts(step.evidence))
        if step.after:
            yield f"  picture: {relative(self.state.folder / step.after.path)}"

    def _drop(self) -> None:
        if not self.kept:
            self._print("nothing to drop: no sentence is kept")
            return
        dropped = self.kept.pop()
        self._is_saved = False
        # Who drops a sentence wants another opinion of it.
        self.webtask._runner.models.approved.clear()
        self._print(
            f"dropped {dropped.name}: it will not be written; the application stays as it is"
        )

    def _show(self, name: str) -> None:
        self._print(_source(name, self.kept).rstrip())

    def _save(self, target: str) -> None:
        """Write the test and its recordings, and replay it; or print why that cannot be."""
        try:
            path, name = self._checked(target)
            source = _source(name, self.kept)
            text = self._module_text(path, name, source)
            unrecorded = self._write(path, name, text)
        except (UsageError, OSError) as error:
            self._print(f"not saved: {error}")
            return
        self._saved[path, name] = source
        self._is_saved = True
        self._print(f"saved {relative(path)}::{name}")
        for line in unrecorded:
            self._print(f"  not recorded: {line}")
        self._replay(f"{relative(path)}::{name}")

    def _checked(self, target: str) -> tuple[Path, str]:
        """Return the file and the name of a new test. Raises UsageError."""
        match = _TARGET.fullmatch(target)
        if match is None:
            raise UsageError("type save and a new test, such as: save tests/test_x.py::test_y")
        path, name = Path(match["path"]).resolve(), match["name"]
        patterns = self.state.config.getini("python_files")
        if not any(fnmatch(path.name, each) for each in patterns):
            raise UsageError(
                f"pytest collects {' and '.join(patterns)} only, not {path.name}: save to such a file"
            )
        if not name.isidentifier() or not name.startswith("test"):
            raise UsageError(f"{name} is not a name for a test: use test_ and letters, digits or _")
        if not path.is_relative_to(self.state.root):
            raise UsageError(
                f"{path} is not in the project, which is {self.state.root}: choose a file in it"
            )
        if not self.kept:
            raise UsageError("no sentence is kept yet: type one first")
        return path, name

    def _module_text(self, path: Path, name: str, source: str) -> str:
        """Return the module with the new test in it. Raises UsageError and OSError."""
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        before = self._saved.get((path, name))
        if before is not None and before in text:
            return text.replace(before, source)
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError) as error:
            raise UsageError(
                f"{relative(path)} cannot be read: {reason_of(error)}; correct that file, or choose another"
            ) from None
        if name in {getattr(node, "name", "") for node in tree.body}:
            raise UsageError(f"{relative(path)} has {name} already: choose another name")
        recording = self._recording(path, name)
        if recording.exists():
            raise UsageError(
                f"there is a recording of {name} already, {relative(recording)}: choose another name"
            )
        return f"{text.rstrip()}\n\n\n{source}" if text.strip() else source

    def _recording(self, path: Path, name: str) -> Path:
        from pytest_webtask.types.step import CallSite

        return self.state.recordings.file(CallSite(path, name))

    def _write(self, path: Path, name: str, text: str) -> list[str]:
        """Write the module and the recording; return why steps are not recorded."""
        from pytest_webtask.journal import StepUnrecorded
        from pytest_webtask.recordings.merge import keep_pictures
        from pytest_webtask.recordings.schema import VERSION, RecordedStep, Recording
        from pytest_webtask.recordings.store import save_recording

        steps: list[RecordedStep] = []
        pictures: dict[str, str] = {}
        unrecorded: list[str] = []
        counts: Counter[tuple[str, str]] = Counter()
        for sentence in self.kept:
            counts[sentence.kind, sentence.text] += 1
            step = self._step(sentence.number)
            for hint in step.hints:
                if isinstance(hint, StepUnrecorded):
                    unrecorded.append(f"{sentence.name}: {hint.reason}")
            for event in step.traced:
                if event.mode and event.trace:
                    # Sentences may have been dropped before this one.
                    occurrence = {"occurrence": counts[sentence.kind, sentence.text]}
                    steps.append(RecordedStep.of(event.trace.model_copy(update=occurrence)))
                    pictures |= event.pictures
        path.parent.mkdir(parents=True, exist_ok=True)
        recording = self._recording(path, name)
        if steps:
            save_recording(recording, Recording(version=VERSION, steps=tuple(steps)))
            keep_pictures(self.state.folder, recording, pictures)
        elif recording.exists():
            recording.unlink()
        path.write_text(text, encoding="utf-8")
        return unrecorded

    def _replay(self, test: str) -> None:
        """Replay a saved test in a process and a browser of its own, as continuous integration does."""
        own = [each for each in self.options if not Path(each.partition("::")[0]).exists()]
        with tempfile.TemporaryDirectory() as folder:
            command = [
                *_PYTEST,
                test,
                *ONE_PROCESS,
                f"--output={folder}",
                *own,
                "--webtask-mode=replay",
            ]
            began = time.monotonic()
            # The system's encoding may lack characters of the page.
            done = subprocess.run(
                command, capture_output=True, text=True, encoding="utf-8", errors="replace"
            )
        if done.returncode == 0:
            seconds = time.monotonic() - began
            self._print(f"green: replayed without a model, in {seconds:.1f} s with its browser")
            return
        self._print("saved, but its replay without a model failed:")
        failure = re.search(r"^=+ (?:FAILURES|ERRORS) =+$(.*?)^[-=]+ ", done.stdout, re.S | re.M)
        shown = failure[1] if failure else f"{done.stdout}{done.stderr}"
        for line in shown.strip().splitlines():
            self._print(f"  {line}")
        self._print(f"to watch the replay, type: pytest {test} --headed --slowmo=500")

    def _model_problems(self) -> Iterator[str]:
        """Yield why a model cannot be asked, once, before the first sentence."""
        settings = self.state.test.settings()
        for name in dict.fromkeys(settings.models):
            with suppress(UsageError):
                if problem := self.state.model_problem(name, settings):
                    yield f'{problem}\nsentences such as click "Save" work without a model'

    def _print(self, text: str) -> None:
        print(escape_controls(text), file=self.terminal, flush=True)

    @contextmanager
    def _progress(self) -> Iterator[None]:
        """Print what the steps do, line by line."""
        logger, prompt = logging.getLogger("pytest_webtask"), self

        class Lines(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                # The prompt has just shown the sentence.
                prompt._print(f"  {getattr(record, 'progress', record.getMessage())}")

        handler, level = Lines(logging.INFO), logger.level
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        try:
            yield
        finally:
            logger.removeHandler(handler)
            logger.setLevel(level)

    @contextmanager
    def _call_site(self) -> Iterator[None]:
        """Have the steps recorded although they are in no file yet."""
        from pytest_webtask.recordings.store import calling_from
        from pytest_webtask.types.step import CallSite

        with calling_from(CallSite(self.state.root / _FOLDER / "tried.py", "test_tried")):
            yield

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
        scrub, folder = self.webtask.scrub, self.state.root / _FOLDER

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


_PYTEST = (sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=short", "-rN")
_NOT_KEPT = "not kept; the next sentence starts from the page as it is now"
_GONE = "save what is kept; to go on, leave and start again: pytest-webtask try URL"


def _source(name: str, kept: Sequence[Sentence]) -> str:
    """Return the code of a test."""
    lines = [each.code for each in kept] or ["pass"]
    return "\n    ".join([f"def {name}(webtask):", *lines]) + "\n"
