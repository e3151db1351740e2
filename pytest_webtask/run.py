"""The state of a run in one pytest process: its folder, journal, budget and running test."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn

import pytest

from pytest_webtask.errors import UsageError, WebtaskError
from pytest_webtask.options import Settings, resolve_settings

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

    from pytest_webtask.journal import Journal, PhaseEnded
    from pytest_webtask.llm.budget import Budget
    from pytest_webtask.recordings.merge import Merge
    from pytest_webtask.recordings.progress import Heal
    from pytest_webtask.recordings.resume import ResumedTest
    from pytest_webtask.recordings.store import Store
    from pytest_webtask.state import StepLock
    from pytest_webtask.types.model import Model
    from pytest_webtask.webtask import Webtask

_FIXTURES = ("webtask", "webtask_for")
_REPORTED = ("steps", "model_calls", "tokens", "healed")
"""Totals of a test that its report in JUnit XML has."""
_ARTIFACT = "playwright_"
"""Prefix of the properties in which pytest-playwright names its files."""
_LONGEST_MESSAGE = 20_000
"""Characters of a failure that are journaled: the end, which says what it was."""


class _Phase(NamedTuple):
    """How a phase of a test has ended; an event of the journal once it is written."""

    report: pytest.TestReport
    error: BaseException | None
    outcome: Literal["passed", "failed", "skipped"]


@dataclass
class RunState:
    """The state of a run in one pytest process, shared by the webtasks of its tests."""

    config: pytest.Config
    resumes: str = ""
    """The name of the run that this one resumes."""
    resumed_test: ResumedTest | None = None
    """The running test, if it goes on where an earlier run broke off."""
    item: pytest.Item | None = None
    failed: bool = False
    passed: bool = True
    attempts: Counter[str] = field(default_factory=Counter)
    merged: Merge | None = None
    notes: list[str] = field(default_factory=list)
    """Lines for the end of the terminal's report."""
    phases: list[_Phase] = field(default_factory=list)
    other_phases: list[_Phase] = field(default_factory=list)
    """The phases of failed tests that use no webtask."""
    cookies: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    finish: Callable[[], object] | None = None
    tests: set[str] = field(default_factory=set)
    scrub: Callable[[str], str] = str
    working: set[Webtask] = field(default_factory=set)
    playwright: Playwright | None = None
    pages: Iterator[int] = field(default_factory=lambda: count(2))

    @cached_property
    def folder(self) -> Path:
        """Return the folder of the run, which all processes of xdist share."""
        from pytest_webtask.journal import RUNS, new_run

        return self.config.rootpath / RUNS / (self._worker.get("webtask_run") or new_run())

    @cached_property
    def journal(self) -> Journal:
        """Return the journal of this process."""
        from pytest_webtask.journal import Journal

        return Journal(self.folder, self._worker.get("workerid", "main"), self.resumes)

    @cached_property
    def budget(self) -> Budget:
        """Return the budget of the run, as far as this process knows what was spent."""
        from pytest_webtask.llm.budget import Budget

        writer = self._worker.get("workerid", "main")
        return Budget(self.folder, writer, self.settings(None).token_budget)

    @property
    def _worker(self) -> dict[str, Any]:
        return getattr(self.config, "workerinput", {})

    def settings(self, item: pytest.Item | None) -> Settings:
        """Return the settings of a test, or of the run. Raises UsageError for unknown ones."""
        marker: dict[str, Any] = {}
        for mark in reversed(list(item.iter_markers("webtask")) if item else []):
            if mark.args:
                raise UsageError(f"@pytest.mark.webtask takes keywords only, got {mark.args!r}")
            marker.update(mark.kwargs)
        config = self.config
        return resolve_settings(
            lambda o: config.getoption(o.ini) or None if o.bare else config.getoption(o.ini),
            marker,
            lambda o: None if o.bare else config.getini(o.ini),
        )

    def begin(self, item: pytest.Item) -> None:
        """Begin the next test."""
        self.item, self.failed, self.passed, self.finish = item, False, True, None
        self.attempts[item.nodeid] += 1
        if "journal" in vars(self):
            self.journal.begin(self.attempts[item.nodeid])
        if item.get_closest_marker("webtask"):
            with without_traceback():
                self.settings(item)

    def ended(self, report: pytest.TestReport, error: BaseException | None) -> None:
        """Journal how a phase of a test has ended, if the test uses a webtask."""
        self.failed |= report.failed
        # A test that failed as expected has not passed.
        self.passed &= report.passed
        error = error if report.failed else None
        if self._uses_webtask(report.nodeid):
            phase = self._event(_Phase(report, error, self._outcome(report)))
            self.journal.write(phase)
            if report.when == "teardown":
                report.user_properties += self._properties()
            self._attach(report, phase.message)
        else:
            self._note_other(report, error)
        if report.when == "teardown" and "recordings" in vars(self):
            self.recordings.end_test(passed=self.passed)

    def _uses_webtask(self, test: str) -> bool:
        """Return whether a test has used a webtask, or would have but for an earlier failure."""
        names = getattr(self.item, "fixturenames", ()) if self.item else ()
        return test in self.tests or any(name in names for name in _FIXTURES)

    def _note_other(self, report: pytest.TestReport, error: BaseException | None) -> None:
        """Keep a failed test that uses no webtask, so that no report hides the failure."""
        if report.when == "setup":
            self.phases.clear()
        self.phases.append(_Phase(report, error, self._outcome(report)))
        if report.when == "teardown" and self.failed:
            self.other_phases += self.phases

    def _outcome(self, report: pytest.TestReport) -> Literal["passed", "failed", "skipped"]:
        # pytest reports a call as passed until it has counted failed subtests.
        return "failed" if report.when == "call" and self.failed else report.outcome

    def _event(self, phase: _Phase) -> PhaseEnded:
        from pytest_webtask.journal import Artifact, PhaseEnded

        report, error = phase.report, phase.error
        skipped = report.longrepr[-1] if isinstance(report.longrepr, tuple) else ""
        message = self.scrub(str(skipped) if report.skipped else report.longreprtext)
        files = [
            Artifact(kind=name.removeprefix(_ARTIFACT), path=self.scrub(str(path)))
            for name, path in report.user_properties
            if name.startswith(_ARTIFACT)
        ]
        return PhaseEnded(
            test=report.nodeid,
            phase=report.when,
            outcome=phase.outcome,
            seconds=round(report.duration, 3),
            message=message[-_LONGEST_MESSAGE:],
            errors=self.scrub("\n".join(each for each, _ in _errors(error))),
            failed_steps=tuple(step for _, step in _errors(error) if step),
            artifacts=tuple(files),
            expected_failure=getattr(report, "wasxfail", None),
        )

    def _properties(self) -> list[tuple[str, str]]:
        """Return the properties of a test in JUnit XML."""
        tally = self.journal.tally
        totals = [(name, str(getattr(tally, name))) for name in _REPORTED]
        totals.append(("cost", "not known" if tally.cost is None else f"{tally.cost:.4f}"))
        return [(f"webtask_{name}", value) for name, value in totals]

    def _attach(self, report: pytest.TestReport, message: str) -> None:
        option = self.config.option
        if getattr(option, "htmlpath", None) or getattr(option, "allure_report_dir", None):
            from pytest_webtask.report.attachments import attach_to_reports

            pictures = self.journal.tally.pictures if report.failed else []
            inline = self.settings(None).report_inline
            attach_to_reports(
                self.config, report, pictures, message, self.report_folder, inline=inline
            )

    @property
    def report_folder(self) -> Path | None:
        """Return the folder of the report, None if no report is written."""
        name = self.settings(None).report
        return self.config.rootpath / name if name else None

    @property
    def writes_report(self) -> bool:
        """Return whether this process writes the report of the run."""
        return not self._worker and self.report_folder is not None

    def end(self) -> None:
        """Merge the recordings of all processes of the run, and write its report."""
        if "folder" in vars(self) and self.folder.is_dir():
            for phase in self.other_phases:
                self.journal.write(self._event(phase))
        if self._worker or "folder" not in vars(self) or not self.folder.is_dir():
            return
        # A run without this line was killed.
        from pytest_webtask.journal import RunEnded

        self.journal.write(RunEnded())
        from pytest_webtask.recordings.merge import merge_run

        self.merged = merge_run(self.folder, self.config.rootpath)
        if folder := self.report_folder:
            self.notes += self._report(folder)
        from pytest_webtask.journal import prune_runs

        prune_runs(self.folder, self.settings(None).keep)

    def _report(self, folder: Path) -> list[str]:
        """Write the report; return the lines on it for the terminal."""
        from pytest_webtask.report import write_report

        inline = self.settings(None).report_inline
        summary = os.environ.get("GITHUB_STEP_SUMMARY")
        try:
            written = write_report(
                [self.folder], folder, root=self.config.invocation_params.dir, inline=inline
            )
            if summary:
                from pytest_webtask.report.text import markdown

                with Path(summary).open("a", encoding="utf-8", errors="replace") as file:
                    file.write(markdown(written))
        except (UsageError, OSError) as error:
            return [f"no report: {error}"]
        except Exception as error:
            # The results of the tests must not be lost because the report failed.
            command = f"pytest-webtask report {self.folder}"
            return [f"no report: {type(error).__name__}: {error}; to see why: {command}"]
        with suppress(ValueError):
            folder = folder.relative_to(self.config.rootpath)
        return [f"report: {folder / 'index.html'}"]

    def unfinished_steps(self) -> list[str]:
        """Return a message for each step that the running test left open, and drop its webtasks."""
        messages = [each for webtask in self.working for each in webtask.unfinished_steps()]
        self.working.clear()
        return messages

    def pop_soft_failures(self) -> list[Exception]:
        """Return the soft failures of the running test that pytest-playwright doesn't keep."""
        return [each for webtask in self.working for each in webtask.pop_soft_failures()]

    def note_playwright(self, playwright: Playwright) -> None:
        """Register our engine with a Playwright that has started, before its first page opens."""
        self.playwright = playwright
        items = self.item.session.items if self.item else []
        used = (name in getattr(i, "fixturenames", ()) for i in items for name in _FIXTURES)
        if self.tests or any(used):
            self.register()

    def register(self) -> None:
        """Register our engine once; late where only `getfixturevalue` requests a webtask."""
        if self.playwright is not None:
            from pytest_webtask.page.dom import register

            register(self.playwright)
            self.playwright = None

    def enter_test(self, webtask: Webtask) -> str:
        """Return the name of the running test, which journals what the webtask does from now on."""
        assert self.item is not None, "fixtures are set up for a test"
        test = self.item.nodeid
        if webtask not in self.working:
            for other in self.working:
                # What one webtask types, another may show.
                webtask.share_secrets_with(other)
                break
            self.working.add(webtask)
            self.scrub = webtask.scrub
            self.tests.add(test)
            self.journal.attempt = self.attempts[test]
            self.budget.begin(test, self.settings(self.item).test_token_budget)
        return test

    @cached_property
    def lock(self) -> StepLock:
        """Return the lock that all webtasks of this process share."""
        from pytest_webtask.state import StepLock

        return StepLock()

    @cached_property
    def recordings(self) -> Store:
        """Return the recordings of the project."""
        from pytest_webtask.recordings.store import Store

        return Store(self.config.rootpath, self.settings(None).recordings)

    @property
    def traced(self) -> bool:
        """Return whether Playwright records traces."""
        return getattr(self.config.option, "tracing", "off") != "off"

    def webtask(
        self,
        open_page: Callable[[], Page],
        name: str,
        *,
        model: Model | Mapping[str, Model],
        further: bool = False,
        **fixtures: Any,
    ) -> Webtask:
        """Return a webtask with the settings of the running test; a `further` one has a name."""
        from pytest_webtask.step import WebtaskConfig
        from pytest_webtask.webtask import Webtask

        self.register()
        title = name or (f"page-{next(self.pages)}" if further else "")
        return Webtask(
            open_page,
            config=WebtaskConfig(name=title, recorded_as=name, **fixtures),
            settings=self.settings(self.item),
            model=model,
            host=self,
            store=self.recordings,
        )

    def advice(self, mode: str) -> str:
        """Return the command that runs the running test in a mode, with a model that may be asked."""
        test = self.item.nodeid if self.item else ""
        models = self.settings(self.item).models
        asked = next((name for name in models if name != "literal"), "claude")
        return f'pytest "{test}" --webtask-mode={mode} --webtask-model={asked}'

    def report_heals(self, step: str, heals: Sequence[Heal]) -> None:
        """Report what the replay of a step has found elsewhere, in JUnit XML."""
        if self.item is not None:
            for heal in heals:
                heal_text = f"{step}: {heal.old} -> {heal.new}"
                self.item.user_properties.append(("webtask_heal", heal_text))


def _errors(error: BaseException | None) -> Iterator[tuple[str, tuple[str, int] | None]]:
    """Yield the message and the step of an error, and of each error in a group."""
    if error is not None:
        step = error.step if isinstance(error, WebtaskError) else None
        yield f"{type(error).__name__}: {error}", step
    for each in getattr(error, "exceptions", ()):
        yield from _errors(each)


STATE = pytest.StashKey[RunState]()


@contextmanager
def without_traceback() -> Iterator[None]:
    """Fail without a traceback on UsageError: mistakes in settings have no line of code."""
    try:
        yield
    except UsageError as error:
        message = str(error)
    else:
        return
    fail_without_traceback(message)


def fail_without_traceback(message: str) -> NoReturn:
    """Fail without a traceback; this frame is not hidden, or pytest would warn about that."""
    pytest.fail(message, pytrace=False)
