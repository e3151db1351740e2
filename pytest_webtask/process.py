"""RunProcess: what one process keeps of a run, whether pytest or a script runs it."""

from __future__ import annotations

import atexit
import gc
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_webtask.errors import (
    MissingRecording,
    ModelError,
    PageError,
    UsageError,
    WebtaskError,
)
from pytest_webtask.options import Settings

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from pytest_webtask.journal import Journal
    from pytest_webtask.llm.role_models import Budget
    from pytest_webtask.recordings.store import Store
    from pytest_webtask.state import StepLock
    from pytest_webtask.step import StepHost, WebtaskConfig
    from pytest_webtask.types.model import Model
    from pytest_webtask.webtask import Webtask

NO_VERDICT = (MissingRecording, ModelError, PageError, UsageError)
"""Errors that say nothing about the steps before them."""
LONGEST_MESSAGE = 20_000
"""Characters of a failure that are journaled: the end, which says what it was."""

_NO_REPORT = "the report of this run could not be written (test results are not affected)"


class RunProcess:
    """The folder, journal, budget and recordings of a run, which all webtasks of a process share.

    `root` is the project's folder, `shown_from` the one that paths in the report are relative to.
    `run_settings` returns the settings of the whole run. `resumes` is the name of the run that this
    one resumes. `cookies` are the cookies of each further page, by the name of its webtask.
    """

    def __init__(
        self, root: Path, run_settings: Callable[[], Settings], shown_from: Path | None = None
    ) -> None:
        self.root = root
        self.resumes = ""
        self.cookies: dict[str, set[tuple[str, str]]] = {}
        self.scrub: Callable[[str], str] = str
        """Masks a text with the secrets of the test that runs."""
        self._run_settings = run_settings
        self._shown_from = shown_from or root
        self._folder: Path | None = None
        self._journal: Journal | None = None
        self._recordings: Store | None = None
        self._merged: list[str] = []
        """Lines on the recordings that were written."""
        self._notes: list[str] = []

    @property
    def worker(self) -> Mapping[str, str]:
        """Return what a worker of xdist was given by its controller, empty in any other process."""
        return {}

    @cached_property
    def budget(self) -> Budget:
        """Return the budget of the run, as far as this process knows what was spent."""
        from pytest_webtask.llm.role_models import Budget

        writer = self.worker.get("workerid", "main")
        return Budget(self.folder, writer, self._run_settings().token_budget)

    @property
    def folder(self) -> Path:
        """Return the folder of the run, which all processes of xdist share."""
        if self._folder is None:
            from pytest_webtask.journal import RUNS, new_run

            self._folder = self.root / RUNS / (self.worker.get("webtask_run") or new_run())
        return self._folder

    @property
    def journal(self) -> Journal:
        """Return the journal of this process."""
        if self._journal is None:
            from pytest_webtask.journal import Journal

            writer = self.worker.get("workerid", "main")
            self._journal = Journal(self.folder, writer, self.resumes)
        return self._journal

    @property
    def recordings(self) -> Store:
        """Return the recordings of the project."""
        if self._recordings is None:
            from pytest_webtask.recordings.store import Store

            self._recordings = Store(self.root, self._run_settings().recordings)
        return self._recordings

    @cached_property
    def lock(self) -> StepLock:
        """Return the lock that all webtasks of this process share."""
        from pytest_webtask.state import StepLock

        return StepLock()

    @property
    def is_written(self) -> bool:
        """Return whether the run has a folder."""
        return self._folder is not None and self._folder.is_dir()

    @property
    def journal_begun(self) -> bool:
        """Return whether this process has a journal."""
        return self._journal is not None

    def hold(self) -> None:
        """Keep other runs from removing the folder of this one, once a process writes into it."""
        if self.is_written:
            self.journal.hold()

    def open_webtask(
        self,
        open_page: Callable[[], Page],
        config: WebtaskConfig,
        settings: Settings,
        model: Model | Mapping[str, Model],
        host: StepHost,
    ) -> Webtask:
        """Return a webtask of this run."""
        from pytest_webtask.webtask import Webtask

        skip_last_collection()
        return Webtask(
            open_page,
            config=config,
            settings=settings,
            model=model,
            host=host,
            store=self.recordings,
        )

    def use_scrub(self, scrub: Callable[[str], str]) -> None:
        """Mask texts with the secrets of a webtask from now on."""
        self.scrub = partial(self._mask, scrub)

    def _mask(self, scrub: Callable[[str], str], text: str) -> str:
        """Return a text of a report without secrets."""
        try:
            return scrub(text)
        except UsageError as error:
            # A pattern is too slow on this text; from now on everything is redacted.
            self.add_problem(str(error))
            return scrub(text)

    def load_models(self, settings: Settings) -> Model | dict[str, Model]:
        """Return the model of some settings, or one for each role."""
        from pytest_webtask.llm.model_names import load_model
        from pytest_webtask.llm.role_models import of_role

        if settings.mode == "replay":
            # Replay mode never calls another model, so none is loaded.
            return load_model("literal")
        model, effort = settings.model, settings.effort
        named = [role for value in (model, effort) if isinstance(value, Mapping) for role in value]
        if asked := settings.asked_model:
            from pytest_webtask.llm.model_names import remember_model

            remember_model(self.root, asked)
        models = {
            role: self.load_model(of_role(model, role), settings, of_role(effort, role))
            for role in dict.fromkeys(["worker", *named])
        }
        return models if named else models["worker"]

    def load_model(self, name: str, settings: Settings, effort: str | None = None) -> Model:
        """Return the model with a name, as its service is set up in some settings."""
        from pytest_webtask.llm.model_names import load_model

        folder = self.root / ".webtask" / "handoff"
        return load_model(name, effort=effort, prices=settings.price, folder=folder)

    def flag_of(self, settings: Settings) -> str:
        """Return the option with the model of some settings, or with the one that was used last."""
        from pytest_webtask.llm.model_names import model_flag

        asked = settings.asked_model
        return f"--webtask-model={asked}" if asked else model_flag(self.root)

    def add_problem(self, problem: str) -> None:
        """Note once why the run could not be written."""
        if problem not in self._notes:
            self._notes.append(problem)

    def add_notes(self, lines: list[str]) -> None:
        """Add lines to the end of the summary."""
        self._notes += lines

    def note_journal_problems(self) -> None:
        """Note why the journal could not be written, or that its folder was removed."""
        if self._journal is None:
            return
        if problem := self._journal.problem:
            self.add_problem(problem)
        if not self.is_written and self._journal.is_open:
            self._notes.append(
                f"{self.folder} was removed while the run was writing to it: its journal, report and new"
                " recordings are lost; run the tests again"
            )

    def write_results(self) -> None:
        """Merge the recordings of all processes of the run, and write its report."""
        # A run without this line was killed.
        from pytest_webtask.journal import RunEnded
        from pytest_webtask.kept_runs import prune_runs
        from pytest_webtask.recordings.drafts import prune_drafts
        from pytest_webtask.recordings.merge import merge_run

        self.journal.write(RunEnded())
        self._merged = merge_run(self.folder, self.root).summary
        if folder := self.report_folder:
            self._notes += self._report(folder)
        with suppress(OSError):
            prune_runs(self.folder, self._run_settings().keep)
        prune_drafts(self.root)

    @property
    def report_folder(self) -> Path | None:
        """Return the folder of the report, None for none."""
        name = self._run_settings().report
        return self.root / name if name else None

    def _report(self, folder: Path) -> list[str]:
        """Write the report; return the lines on it for the terminal."""
        from pytest_webtask.journal import WRITING
        from pytest_webtask.locks import taking_turns
        from pytest_webtask.report import write_report

        inline = self._run_settings().report_inline
        summary = os.environ.get("GITHUB_STEP_SUMMARY")
        try:
            with taking_turns(self.root / WRITING):
                written = write_report([self.folder], folder, root=self._shown_from, inline=inline)
            if summary:
                from pytest_webtask.report.text import markdown

                with Path(summary).open("a", encoding="utf-8", errors="replace") as file:
                    file.write(markdown(written))
        except (UsageError, OSError) as error:
            return [f"{_NO_REPORT}: {error}"]
        except Exception as error:
            # The results of the tests must not be lost because the report failed.
            command = f"pytest-webtask report {self.folder}"
            return [
                f"{_NO_REPORT}: {type(error).__name__}: {error}; for the full traceback: {command}"
            ]
        with suppress(ValueError):
            folder = folder.relative_to(self.root)
        return [f"report: {folder / 'index.html'}"]

    def summary(self) -> list[str]:
        """Return the lines on the run for the end of the terminal's report."""
        if not self.is_written:
            return self._notes
        from pytest_webtask.summary import run_summary

        lines = run_summary(self.folder)
        if not lines and not self._notes:
            return []
        folder = self.folder.relative_to(self.root)
        return [*lines, *self._merged, *self._notes, f"journal: {folder}"]

    def close(self) -> None:
        """Close the journal."""
        if self._journal is not None:
            self._journal.close()


def error_messages(error: Any) -> Iterator[tuple[str, tuple[str, int] | None]]:
    """Yield the message and the step of an error, and of each error in a group."""
    if error is not None:
        step = error.step if isinstance(error, WebtaskError) else None
        yield f"{type(error).__name__}: {error}", step
    for each in getattr(error, "exceptions", ()):
        yield from error_messages(each)


@cache
def skip_last_collection() -> None:
    """Exempt all objects from the garbage collection with which the interpreter exits.

    It would search all modules of Playwright and pydantic, and find nothing.
    """
    atexit.register(gc.freeze)
