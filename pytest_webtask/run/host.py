"""Host: what all webtasks of one process share, and the running test, whether pytest or a script runs it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_webtask.errors import MissingRecording, ModelError, PageError, UsageError, WebtaskError
from pytest_webtask.run.options import Settings

if TYPE_CHECKING:
    from pytest_webtask.data.values import Data
    from pytest_webtask.journal import Journal
    from pytest_webtask.llm.role_models import Budget
    from pytest_webtask.recordings.pending import PendingSteps
    from pytest_webtask.recordings.store import Store
    from pytest_webtask.types.agent import Cause
    from pytest_webtask.types.model import Model
    from pytest_webtask.types.step import Step

_NO_VERDICT = (MissingRecording, ModelError, PageError, UsageError)
"""Errors that say nothing about the steps before them."""
_LONGEST_MESSAGE = 20_000
"""Characters of a failure that are journaled: the end, which says what it was."""
_NO_REPORT = "the report of this run could not be written (test results are not affected)"


@dataclass
class RunningTest:
    """One attempt of a test; before the first test of a run, it has no name.

    With `confirms` it replays what the attempt before has recorded; `records` is whether it has recorded a
    step of its own. `webtasks` are the runners that take part in the test; the `soft_failures` and `unfinished`
    steps that they leave behind fail it.
    """

    name: str = ""
    attempt: int = 1
    confirms: bool = False
    properties: list[tuple[str, object]] = field(default_factory=list)
    problem: str = field(default="", init=False)
    """The errors of its first phase that did not pass."""
    unconfirmed: bool = field(default=False, init=False)
    """Whether a second run is to confirm what it has recorded."""
    records: bool = field(default=False, init=False)
    is_whole: bool = field(default=True, init=False)
    """Whether its recordings can replay all of it, so that a second run proves something."""
    passed: bool = field(default=True, init=False)
    """False also for a test that failed as expected."""
    refuted: bool = field(default=False, init=False)
    """Whether it failed, and not only because it could not go on."""
    cause: Cause | None = field(default=None, init=False)
    """Why it failed, None if it did not, or if the package does not know."""
    pending: PendingSteps | None = field(default=None, init=False)
    webtasks: set[Any] = field(default_factory=set, init=False)
    soft_failures: list[Exception] = field(default_factory=list, init=False)
    unfinished: list[str] = field(default_factory=list, init=False)

    def fail(self, error: BaseException | None) -> None:
        """Note that the test has failed with an error."""
        self.passed = False
        self.refuted |= not isinstance(error, _NO_VERDICT)

    def raise_soft_failures(self, hard: BaseException | None = None) -> None:
        """Raise the soft failures so far, together with the error that ended the test, if there is one."""
        __tracebackhide__ = True
        problems = [*filter(None, [hard]), *self.soft_failures]
        self.soft_failures = []
        if len(problems) == 1:
            raise problems[0]
        if problems:
            if sys.version_info < (3, 11):
                from exceptiongroup import BaseExceptionGroup  # type: ignore[import-not-found]
            else:
                from builtins import BaseExceptionGroup
            raise BaseExceptionGroup("soft failures", problems)

    def leave_webtasks(self) -> None:
        """Drop the webtasks; keep a message for each step that they have left open."""
        for webtask in self.webtasks:
            self.unfinished += webtask.unfinished_steps()
        self.webtasks.clear()


class Host:
    """The folder, journal, budget and recordings of a run, and its running `test`.

    `root` is the project's folder, `shown_from` the one that paths in the report are relative to.
    `worker` is what a worker of xdist was given by its controller. `traced` is whether Playwright records traces.
    """

    def __init__(
        self,
        root: Path,
        *,
        shown_from: Path | None = None,
        worker: Mapping[str, str] | None = None,
        traced: bool = False,
    ) -> None:
        self.root = root
        self.worker = worker or {}
        self.traced = traced
        self.test = RunningTest()
        self.tests: set[str] = set()
        """The tests that have used a webtask."""
        self.resumes = ""
        """The name of the run that this one resumes."""
        self._data: Data | None = None
        """The data of a webtask of the test that runs, which have the secrets of all of them."""
        self._all_data: Data | None = None
        """The secrets of all tests so far, which a later one may print."""
        self.pausing: Any = None
        """What holds the page of a failed step, None where the run does not pause."""
        self.running: Step | None = None
        """The one step that may run at a time among all webtasks of a process."""
        self.is_between = False
        """Whether it waits while the test itself runs, between two iterations of `steps()`."""
        self.is_paused = False
        self._shown_from = shown_from or root
        self.recorded: list[tuple[str, bool]] = []
        """The files of the steps that were recorded, each with whether a second run has confirmed the step."""
        self.notes: list[str] = []
        """Lines for the end of the summary, such as why the run could not be written."""
        self.lost = False
        """Whether steps of a test that has passed could not be written into their recording."""

    def settings(self) -> Settings:
        """Return the settings of the whole run."""
        raise NotImplementedError

    def test_settings(self) -> Settings:
        """Return the settings of the running test. Raises UsageError for unknown ones."""
        return self.settings()

    def spell(self, message: str) -> str:
        """Return a message with pytest's options as the user sets them."""
        return message

    @cached_property
    def budget(self) -> Budget:
        """Return the budget of the run, as far as this process knows what was spent."""
        from pytest_webtask.llm.role_models import Budget

        writer = self.worker.get("workerid", "main")
        return Budget(self.folder, writer, self.settings().token_budget)

    @cached_property
    def folder(self) -> Path:
        """Return the folder of the run, which all processes of xdist share."""
        from pytest_webtask.journal import RUNS, new_run

        return self.root / RUNS / (self.worker.get("webtask_run") or new_run())

    @cached_property
    def journal(self) -> Journal:
        """Return the journal of this process."""
        from pytest_webtask.journal import Journal

        return Journal(self.folder, self.worker.get("workerid", "main"), self.resumes)

    @cached_property
    def recordings(self) -> Store:
        """Return the recordings of the project."""
        from pytest_webtask.recordings.store import Store

        return Store(self.root, self.settings().recordings, self.folder)

    @property
    def is_written(self) -> bool:
        """Return whether the run has a folder."""
        # A run without webtasks does not import what names the folder.
        return "folder" in vars(self) and self.folder.is_dir()

    @property
    def journal_begun(self) -> bool:
        """Return whether this process has a journal."""
        return "journal" in vars(self)

    def enter_test(self, runner: Any) -> str:
        """Return the name of the running test, in which the runner of a webtask takes part from now on."""
        test = self.test
        assert test.name, "a webtask is used in a test"
        if runner not in test.webtasks:
            if test.webtasks:
                # What one webtask types, another may show.
                runner.data.adopt(next(iter(test.webtasks)).data)
            test.webtasks.add(runner)
            self.tests.add(test.name)
            self._data = runner.data
            self._all_data = self._all_data or type(runner.data)()
            self.journal.attempt = test.attempt
            self.budget.begin(test.name, self.test_settings().test_token_budget)
        return test.name

    def scrub(self, text: str) -> str:
        """Return a text of a report without the secrets of the tests so far."""
        if self._data is None:
            return text
        assert self._all_data is not None, "it begins with the first data"
        self._all_data.hide_also(self._data)
        text = self._all_data.hidden(text)
        try:
            return self._data.scrub(text)
        except UsageError as error:
            # A pattern is too slow on this text; from now on everything is redacted.
            self.add_problem(str(error))
            return self._data.scrub(text)

    @property
    def pending(self) -> PendingSteps:
        """Return the pending steps of the running test."""
        test = self.test
        if test.pending is None:
            from pytest_webtask.recordings.pending import PENDING, PendingSteps

            test.pending = PendingSteps(self.root / PENDING, self.folder.name, test.name)
        return test.pending

    def end_pending(self) -> None:
        """Keep or drop the pending steps of the running test, and journal that."""
        test = self.test
        if test.pending is None:
            return
        kept, dropped = test.pending.end(passed=test.passed, failed=test.refuted)
        if kept or dropped:
            from pytest_webtask.journal import DraftsEnded

            self.journal.write(DraftsEnded(test=test.name, kept=kept, dropped=dropped))

    def end_recording(self) -> None:
        """Write what the running test has recorded if it has passed, unless a second run is to confirm that."""
        test = self.test
        self.recordings.end_test(passed=test.passed, confirms=test.confirms)
        if test.unconfirmed:
            return
        if test.confirms and not test.passed:
            first = "\n  ".join(test.problem.splitlines()[:3])
            self.add_problem(
                f"not recorded: {test.name} passed, but its replay right after did not:\n  {first}\n"
                "what is to pass in CI must pass twice: reset what the test has changed in a fixture, or"
                " record without a second run: --webtask-confirm=off"
            )
        written, problems = self.recordings.write()
        self.recorded += written
        self.lost |= bool(problems)
        for problem in problems:
            self.add_problem(problem)

    def advice(self, mode: str) -> str:
        """Return the command that runs the running test in a mode, with a model that may be asked."""
        return self.spell(f'pytest "{self.test.name}" --webtask-mode={mode} {self.model_flag}')

    @property
    def model_flag(self) -> str:
        """Return the option with the model of the running test, or with the one that was used last."""
        from pytest_webtask.llm.model_names import model_flag

        asked = self.test_settings().asked_model
        return f"--webtask-model={asked}" if asked else model_flag(self.root)

    def load_models(self, settings: Settings) -> Model | dict[str, Model]:
        """Return the model of some settings, or one for each role."""
        from pytest_webtask.llm.model_names import load_model, remember_model
        from pytest_webtask.llm.role_models import of_role

        if settings.mode == "replay":
            # Replay mode never calls another model, so none is loaded.
            return load_model("literal")
        model, effort = settings.model, settings.effort
        if asked := settings.asked_model:
            remember_model(self.root, asked)
        models = {
            role: self.load_model(of_role(model, role) or "", settings, of_role(effort, role))
            for role in dict.fromkeys(["worker", *model, *effort])
        }
        return models if len(models) > 1 else models["worker"]

    def load_model(self, name: str, settings: Settings, effort: str | None = None) -> Model:
        """Return the model with a name, as its service is set up in some settings."""
        from pytest_webtask.llm.model_names import load_model

        folder = self.root / ".webtask" / "handoff"
        return load_model(name, effort=effort, prices=settings.price, folder=folder)

    def write_phase(
        self,
        test: str,
        phase: str,
        outcome: str,
        seconds: float = 0.0,
        message: str = "",
        error: BaseException | None = None,
        **more: Any,
    ) -> str:
        """Journal how a phase of a test has ended, with `more` fields of the event; return its message."""
        from pytest_webtask.journal import PhaseEnded
        from pytest_webtask.run.cause import first_cause

        errors = [*_each_error(error)]
        own = [each for each in errors if isinstance(each, WebtaskError)]
        cause = first_cause(own)
        self.test.cause = self.test.cause or cause
        event = PhaseEnded(
            test=test,
            phase=phase,
            outcome=outcome,
            seconds=round(seconds, 3),
            message=self.scrub(message)[-_LONGEST_MESSAGE:],
            errors=self.scrub("\n".join(f"{type(each).__name__}: {each}" for each in errors)),
            failed_steps=tuple(each.step for each in own if each.step),
            cause=cause,
            **more,
        )
        self.journal.write(event)
        if outcome != "passed":
            self.test.problem = self.test.problem or event.errors or event.message
        return event.message

    def add_problem(self, problem: str) -> None:
        """Note once why the run could not be written."""
        if problem not in self.notes:
            self.notes.append(problem)

    def end_run(self) -> None:
        """End the run of all processes, and write its report."""
        if self.journal_begun and self.journal.problem:
            self.add_problem(self.journal.problem)
        if not self.is_written or self.worker:
            return
        # A run without this line was killed.
        from pytest_webtask.journal import RunEnded
        from pytest_webtask.journal.kept_runs import prune_runs
        from pytest_webtask.recordings.pending import prune_pending

        self.journal.write(RunEnded())
        if folder := self.report_folder:
            self.notes += self._report(folder)
        with suppress(OSError):
            prune_runs(self.folder, self.settings().keep)
        prune_pending(self.root)

    @property
    def report_folder(self) -> Path | None:
        """Return the folder of the report, None for none."""
        name = self.settings().report
        return self.root / name if name else None

    def _report(self, folder: Path) -> list[str]:
        from pytest_webtask.data.locks import taking_turns
        from pytest_webtask.journal import WRITING
        from pytest_webtask.report import write_report

        inline = self.settings().report_inline
        try:
            with taking_turns(self.root / WRITING):
                written = write_report([self.folder], folder, root=self._shown_from, inline=inline)
            if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
                from pytest_webtask.report.text import markdown

                with Path(summary).open("a", encoding="utf-8", errors="replace") as file:
                    file.write(markdown(written))
        except Exception as error:
            # The results of the tests must not be lost because the report failed.
            advice = f"to write it: pytest-webtask report {self.folder}"
            return [f"{_NO_REPORT}: {type(error).__name__}: {error}; {advice}"]
        with suppress(ValueError):
            folder = folder.relative_to(self.root)
        return [f"report: {folder / 'index.html'}"]

    def summary(self) -> list[str]:
        """Return the lines on the run for the end of the terminal's report."""
        if not self.is_written:
            return self.notes
        from pytest_webtask.journal.summary import run_summary

        lines = run_summary(self.folder)
        if not (lines or self.notes):
            return []
        return [*lines, *self._recorded_lines(), *self.places]

    def _recorded_lines(self) -> Iterator[str]:
        from pytest_webtask.data.phrases import counted

        if not self.recorded:
            return
        files, confirmations = zip(*self.recorded, strict=True)
        steps, confirmed = len(files), sum(confirmations)
        how = "recorded and confirmed" if confirmed == steps else "recorded"
        how = f"{how} {counted(steps, 'step')}"
        if 0 < confirmed < steps:
            how += f", {confirmed} of them confirmed by a second run"
        yield f"{how}: {', '.join(sorted({*files}))}"

    @property
    def places(self) -> list[str]:
        """Return lines on where the report and the journal are, and what could not be written."""
        if not self.is_written:
            return self.notes
        return [*self.notes, f"journal: {self.folder.relative_to(self.root)}"]

    def close(self) -> None:
        """Close the journal."""
        if self.journal_begun:
            self.journal.close()


def _each_error(error: BaseException | None) -> Iterator[BaseException]:
    if error is not None:
        yield error
    for each in getattr(error, "exceptions", ()):
        yield from _each_error(each)
