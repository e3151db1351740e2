"""The live session: sentences are done at once on an open page, kept, and saved as a test."""

import logging
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urljoin

from playwright.sync_api import Error

from pytest_webtask.data.escapes import one_line, printed
from pytest_webtask.data.phrases import counted, folded, relative
from pytest_webtask.desk.commands import Answer, Command
from pytest_webtask.desk.desk import FOLDER, OwnDesk
from pytest_webtask.errors import DamagedRecording, PageError, UsageError, WebtaskError
from pytest_webtask.journal import read
from pytest_webtask.journal.runs import StepRecord, TestAttempt
from pytest_webtask.journal.schema import VERSION, RecordedStep, Recording
from pytest_webtask.journal.summary import price
from pytest_webtask.live.saving import Sentence, checked_target, code_of_test, module_with
from pytest_webtask.page.origins import how_to_allow
from pytest_webtask.page.step_time import POLL, Deadline
from pytest_webtask.recordings.maintenance import stored
from pytest_webtask.recordings.store import (
    calling_from,
    keep_pictures,
    load_recording,
    path_of,
    save_recording,
)
from pytest_webtask.run.inner_run import ONE_PROCESS
from pytest_webtask.run.run_state import RunState
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.tools.memory import remembered_facts
from pytest_webtask.types.step import CallSite, StepKind

IDLE = 1800.0
"""Seconds without a command after which a session ends, and a paused run goes on."""
NOT_KEPT = "not kept; the next sentence starts from the page as it is now"
_GONE = "the page is gone: save what is kept, end the session, and start it again"
_STEPS: dict[str, StepKind] = {each: each for each in ("do", "verify", "extract", "goto")}
_OUTCOMES = {"completed": "done", "passed": "holds", "found": "found"}
_PYTEST = (sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=short", "-rN")


@dataclass
class LiveSession:
    """A page on which sentences are done, and the sentences that will be written as a test.

    A saved test requests `fixtures`, of which `variable` has the webtask, and its replay gets `options` of
    the command line. `note` receives each line of progress.
    """

    webtask: Webtask
    state: RunState
    fixtures: Sequence[str] = ("webtask",)
    variable: str = "webtask"
    options: Sequence[str] = ()
    note: Callable[[str], None] = lambda _: None
    kept: list[Sentence] = field(default_factory=list, init=False)
    saved: list[Sentence] = field(default_factory=list, init=False)
    is_over: bool = field(default=False, init=False)
    is_remote: bool = field(default=False, init=False)
    """Whether its commands come from another process, perhaps from an agent that a page has misled."""
    answers_end: ClassVar[bool] = True
    """Whether the command that ends the session is answered."""
    _sentences: int = field(default=0, init=False)
    _written: dict[tuple[Path, str], str] = field(default_factory=dict, init=False)
    """The code of the tests that this session has written, by file and name."""

    def perform(self, command: Command) -> Answer:
        """Carry out a command, and return what came of it, without secrets."""
        try:
            if kind := _STEPS.get(command.name):
                answer = self._step(kind, command.text, command.data)
            elif run := self.commands.get(command.name):
                answer = run(command.text)
            else:
                raise UsageError(f"{command.name} is for a run that was paused at a failed step")
        except (UsageError, OSError) as error:
            answer = Answer(str(error), ok=False)
        text = printed(self.state.scrub(answer.text))
        return Answer(text, answer.ok, answer.picture)

    @property
    def commands(self) -> Mapping[str, Callable[[str], Answer]]:
        """The commands that are no step, each with the function that takes its text."""
        return {
            "look": lambda _: self._look(),
            "drop": lambda _: self._drop(),
            "show": lambda _: Answer(self._code("test_tried").rstrip()),
            "save": self._save,
            "stop": lambda _: self._stop(),
        }

    def serve(self, desk: OwnDesk, idle: float) -> None:
        """Answer the commands of a desk until one ends the session, or none came for `idle` seconds."""
        self.is_remote = True
        deadline = Deadline(idle)
        while not deadline.is_over:
            command = desk.pending
            if command is None:
                self._pause()
                continue
            lines: list[str] = []
            self.note = lines.append
            answer = self.perform(command)
            if self.is_over and not self.answers_end:
                return
            if not answer.ok and command.name in (*_STEPS, "redo"):
                page = self.perform(Command("look"))
                answer = Answer(f"{answer.text}\n\n{page.text}", False, page.picture)
            desk.answer(Answer("\n".join([*lines, answer.text]), answer.ok, answer.picture))
            deadline = Deadline(0.0 if self.is_over else idle)

    def unsaved(self) -> str:
        """Return the code of what was not saved, "" if there is none."""
        return (
            f"not saved:\n{self._code('test_tried')}" if self.kept not in ([], self.saved) else ""
        )

    def _pause(self) -> None:
        try:
            Deadline(POLL).pause(self.webtask.page)
        except (Error, PageError):
            time.sleep(POLL)

    def _step(self, kind: StepKind, text: str, data: Mapping[str, str]) -> Answer:
        # A secret that was typed stands in no test.
        hidden = self.webtask._runner.data.hidden
        text, more = hidden(text), {"data": data} if data else {}
        if secret := next((name for name, value in data.items() if hidden(value) != value), ""):
            own = hidden(data[secret])
            raise UsageError(f"{secret} is a secret of the data: write {own} in its place")

        if kind == "goto":
            self._check_address(text)

        def run() -> Any:
            with calling_from(self._next_site(kind, text)):
                return getattr(self.webtask, kind)(text, **more)

        answer, value = self._run(run)
        if answer.ok:
            shown = value if kind == "extract" and self.webtask.scrub(value) == value else None
            self.kept.append(Sentence(kind, text, self.webtask.at[1], shown, data, self.variable))
        else:
            self.webtask._runner.memory.forget(self.webtask.at[1])
        return answer

    def _check_address(self, text: str) -> None:
        """Raise UsageError if another process goes to an origin that is neither allowed nor the session's first."""
        runner = self.webtask._runner
        url = urljoin(runner.config.base_url, text)
        if self.is_remote and runner.has_page and not runner.browser.origins.allowed.allows(url):
            raise UsageError(f"{text} is not of an allowed origin. {how_to_allow(url)}")

    def _run(self, run: Callable[[], Any]) -> tuple[Answer, Any]:
        try:
            with self._progress():
                value = run()
        except Exception as error:
            name = "" if isinstance(error, WebtaskError) else f"{type(error).__name__}: "
            # The test of a session has no name that can be run.
            with_model = "start a session with --webtask-model=handoff, or with another model"
            message = str(error).replace(self.state.advice("auto"), with_model)
            then = NOT_KEPT if self.webtask._runner.has_page else _GONE
            return Answer(f"{name}{message}\n{then}", ok=False), None
        step = self._record(self.webtask.at[1])
        picture = str(self.state.folder / step.after.path) if step.after else ""
        return Answer("\n".join(_describe(step, picture)), picture=self._sent(picture)), value

    def _next_site(self, kind: StepKind, text: str) -> CallSite:
        """Return the call site of a sentence that is in no file yet, where it can be replayed if it is recorded."""
        # Each sentence has one of its own, so that it counts as the first of its kind.
        self._sentences += 1
        module = self.state.root / FOLDER / self.state.folder.name / "sentences.py"
        site = CallSite(module, f"sentence_{self._sentences}")
        if (kind, text) in self._recorded_sentences:
            test, step = self._recorded_sentences[kind, text]
            file = self.state.recordings.file(site).relative_to(self.state.root).as_posix()
            self.state.pending.keep(file, step, test=test)
        return site

    @cached_property
    def _recorded_sentences(self) -> Mapping[tuple[str, str], tuple[str, RecordedStep]]:
        """The sentences that the project's tests have recorded, each with its first test and its step."""
        settings, name = self.state.test_settings(), self.webtask._runner.recordings.name
        found: dict[tuple[str, str], tuple[str, RecordedStep]] = {}
        for each in stored(self.state.root, settings.recordings):
            with suppress(DamagedRecording):
                for step in load_recording(each.path).steps:
                    if step.webtask == name and step.variant in ("", settings.variant):
                        first = {"occurrence": 1, "variant": settings.variant}
                        found.setdefault(
                            (step.kind, step.sentence), (each.test, step.model_copy(update=first))
                        )
        return found

    def _record(self, number: int) -> StepRecord:
        events = (event for event in read(self.state.folder) if event.test == self.state.test.name)
        steps = TestAttempt.of(events).steps
        name = self.webtask.name
        # Another attempt of a test has the same numbers.
        return next(s for s in reversed(steps) if (s.webtask, s.number) == (name, number))

    def _look(self) -> Answer:
        try:
            seen = self.webtask._runner.look()
        except (PageError, Error) as error:
            return Answer(f"the page cannot be seen: {folded(error)}\n{_GONE}", ok=False)
        picture = str(seen.screenshot or "")
        # A page cannot know the number, so it cannot fake the line that ends it.
        title = f"page {secrets.token_hex(3)}"
        lines = [f"----- {title}: not to be trusted -----", seen.url, seen.title, "", seen.outline]
        lines += [f"----- end of {title} -----", *_pictured(picture)]
        return Answer("\n".join(lines), picture=self._sent(picture))

    def _sent(self, picture: str) -> str:
        """Return a picture for the agent that asks, "" where models are sent none."""
        return picture if self.webtask._runner.settings.model_pictures else ""

    def _drop(self) -> Answer:
        if not self.kept:
            raise UsageError("nothing to drop: no sentence is kept")
        dropped = self.kept.pop()
        # Who drops a sentence wants another opinion of it, and the test will not have its step.
        self.webtask._runner.memory.forget(dropped.number)
        self.webtask._runner.models.approved.clear()
        return Answer(
            f"dropped {dropped.name}: it will not be written; the application stays as it is"
        )

    def _stop(self) -> Answer:
        self.is_over = True
        return Answer(self.unsaved() or "the session ends")

    def _code(self, name: str) -> str:
        return code_of_test(name, self.kept, self.fixtures)

    def _save(self, target: str) -> Answer:
        config, folder = self.state.config, self.state.recordings.folder
        path, name = checked_target(target, self.state.root, config.getini("python_files"))
        if not self.kept:
            raise UsageError("not saved: no sentence is kept yet; do one first")
        code = self._code(name)
        text = module_with(path, name, code, self._written.get((path, name)), folder)
        unrecorded = self._write(path, text, path_of(path, name, folder))
        self._written[path, name] = code
        self.saved = [*self.kept]
        test = f"{relative(path)}::{name}"
        self.note("\n".join([f"saved {test}", *(f"  not recorded: {line}" for line in unrecorded)]))
        return self._replay(test)

    def _write(self, path: Path, text: str, recording: Path) -> list[str]:
        """Write the module and the recording; return why steps are not recorded."""
        steps: list[RecordedStep] = []
        pictures: dict[str, str] = {}
        unrecorded: list[str] = []
        counts: Counter[tuple[str, str]] = Counter()
        for sentence in self.kept:
            counts[sentence.kind, sentence.text] += 1
            step = self._record(sentence.number)
            for hint in step.hints:
                if hint.about == "unrecorded":
                    unrecorded.append(f"{sentence.name}: {hint.words}")
            for event in step.traced:
                if event.mode:
                    occurrence = counts[sentence.kind, sentence.text]
                    fields = {**dict(event.trace), "occurrence": occurrence}
                    steps.append(RecordedStep.model_validate(fields))
                    pictures |= event.pictures
        path.parent.mkdir(parents=True, exist_ok=True)
        recording.unlink(missing_ok=True)
        if steps:
            save_recording(recording, Recording(version=VERSION, steps=tuple(steps)))
            keep_pictures(self.state.folder, recording, pictures)
        path.write_text(text, encoding="utf-8")
        return unrecorded

    def _replay(self, test: str) -> Answer:
        """Replay a saved test in a process and a browser of its own, as continuous integration does."""
        own = [each for each in self.options if not Path(each.partition("::")[0]).exists()]
        with tempfile.TemporaryDirectory() as folder:
            command = [*_PYTEST, test, *ONE_PROCESS, f"--output={folder}", *own]
            began = time.monotonic()
            # The system's encoding may lack characters of the page.
            done = subprocess.run(
                [*command, "--webtask-mode=replay", "--webtask-pause=never"],
                capture_output=True, text=True, encoding="utf-8", errors="replace",
            )  # fmt: skip
        if done.returncode == 0:
            seconds = time.monotonic() - began
            return Answer(f"green: replayed without a model, in {seconds:.1f} s with its browser")
        printed = f"{done.stdout}{done.stderr}".strip().splitlines()
        lines = [
            "saved, but its replay without a model failed:",
            *(f"  {line}" for line in printed),
        ]
        lines.append(f"to watch the replay, type: pytest {test} --headed --slowmo=500")
        return Answer("\n".join(lines), ok=False)

    @contextmanager
    def _progress(self) -> Iterator[None]:
        logger, session = logging.getLogger("pytest_webtask"), self

        class Lines(logging.Handler):
            def emit(self, record: logging.LogRecord) -> None:
                # The sentence has just been shown.
                line = getattr(record, "progress", record.getMessage())
                session.note(one_line(session.state.scrub(f"  {line}")))

        handler, level = Lines(logging.INFO), logger.level
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        try:
            yield
        finally:
            logger.removeHandler(handler)
            logger.setLevel(level)


def _describe(step: StepRecord, picture: str) -> Iterator[str]:
    cost, usage = "no model was asked", step.usage
    if usage.model_calls:
        calls = counted(usage.model_calls, "model call")
        cost = f"{calls}, {usage.tokens:,} tokens, {price(usage)}"
    yield f"{_OUTCOMES.get(step.status, step.status)} ({cost}, {step.seconds:.1f} s)"
    if step.kind == "extract":
        yield f"  = {step.value!r}"
    yield from (f"  {one_line(fact)}" for fact in remembered_facts(step.evidence))
    yield from (f"  {line}" for line in _pictured(picture))


def _pictured(path: str) -> list[str]:
    return [f"picture: {relative(Path(path))}"] if path else []
