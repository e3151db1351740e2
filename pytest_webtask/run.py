"""What one pytest process keeps of its run: the folder, the journal, the budget, the test at work."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from pytest_webtask.errors import UsageError
from pytest_webtask.options import Settings, resolve_settings

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

    from pytest_webtask.journal import Journal
    from pytest_webtask.llm.budget import Budget
    from pytest_webtask.recordings.healing import Heal
    from pytest_webtask.recordings.merge import Merge
    from pytest_webtask.recordings.resume import ResumedTest
    from pytest_webtask.recordings.store import Store
    from pytest_webtask.state import StepLock
    from pytest_webtask.webtask import Webtask

_FIXTURES = ("webtask", "webtask_for")
_TOLD = ("steps", "model_calls", "tokens", "healed")
_ARTIFACT = "playwright_"
"""How the properties begin in which pytest-playwright names its files."""
_SAID_AT_MOST = 20_000
"""Characters of a failure that are journaled: its end says what it was."""


@dataclass
class RunState:
    """What one pytest process keeps: its run, its journal, and the test that is at work."""

    config: pytest.Config
    resumes: str = ""
    """The run that this one goes on with."""
    returning: ResumedTest | None = None
    """The way of the test at work back to where it broke off."""
    item: pytest.Item | None = None
    failed: bool = False
    passed: bool = True
    attempts: Counter[str] = field(default_factory=Counter)
    merged: Merge | None = None
    told: list[str] = field(default_factory=list)
    phases: list[dict[str, Any]] = field(default_factory=list)
    others: list[dict[str, Any]] = field(default_factory=list)
    cookies: dict[str, set[tuple[str, str]]] = field(default_factory=dict)
    finish: Callable[[], object] | None = None
    tests: set[str] = field(default_factory=set)
    scrub: Callable[[str], str] = str
    working: set[Webtask] = field(default_factory=set)
    playwright: Playwright | None = None
    pages: Iterator[int] = field(default_factory=lambda: count(2))

    @cached_property
    def folder(self) -> Path:
        """The folder of the run, which under xdist all processes share."""
        from pytest_webtask.journal import RUNS, new_run

        return self.config.rootpath / RUNS / (self._worker.get("webtask_run") or new_run())

    @cached_property
    def journal(self) -> Journal:
        """This process's journal of the run."""
        from pytest_webtask.journal import Journal

        return Journal(self.folder, self._worker.get("workerid", "main"), self.resumes)

    @cached_property
    def budget(self) -> Budget:
        """What all tests of the run may spend, as far as this process knows."""
        from pytest_webtask.llm.budget import Budget

        writer = self._worker.get("workerid", "main")
        return Budget(self.folder, writer, self.settings(None).token_budget)

    @property
    def _worker(self) -> dict[str, Any]:
        return getattr(self.config, "workerinput", {})

    def settings(self, item: pytest.Item | None) -> Settings:
        """The settings of a test, or those of the run. Raises UsageError for unknown ones."""
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
        """Go on to the next test."""
        self.item, self.failed, self.passed, self.finish = item, False, True, None
        self.attempts[item.nodeid] += 1
        if "journal" in vars(self):
            self.journal.begin(self.attempts[item.nodeid])
        if item.get_closest_marker("webtask"):
            with without_traceback():
                self.settings(item)

    def ended(self, report: pytest.TestReport, error: BaseException | None) -> None:
        """Journal how a phase of a test that used a webtask ended, and the error that ended it."""
        self.failed |= report.failed
        # A test that was expected to fail, and did, has shown nothing.
        self.passed &= report.passed
        error = error if report.failed else None
        if self._uses_webtask(report.nodeid):
            told = self._told(report, error)
            self.journal.write("phase", test=report.nodeid, **told)
            if report.when == "teardown":
                report.user_properties += self._properties()
            self._attach(report, told["message"])
        else:
            self._note_other(report, error)
        if report.when == "teardown" and "recordings" in vars(self):
            self.recordings.end_test(passed=self.passed)

    def _uses_webtask(self, test: str) -> bool:
        """Whether a test has used one, or would have if something had not failed before."""
        names = getattr(self.item, "fixturenames", ()) if self.item else ()
        return test in self.tests or any(name in names for name in _FIXTURES)

    def _note_other(self, report: pytest.TestReport, error: BaseException | None) -> None:
        """Keep a test that uses no webtask if it fails: a report must not look as if none had."""
        if report.when == "setup":
            self.phases.clear()
        self.phases.append({"test": report.nodeid, **self._told(report, error)})
        if report.when == "teardown" and self.failed:
            self.others += self.phases

    def _told(self, report: pytest.TestReport, error: BaseException | None) -> dict[str, Any]:
        expected = {"expected": report.wasxfail} if hasattr(report, "wasxfail") else {}
        skipped = report.longrepr[-1] if isinstance(report.longrepr, tuple) else ""
        said = self.scrub(str(skipped) if report.skipped else report.longreprtext)
        files = [
            (name.removeprefix(_ARTIFACT), self.scrub(str(path)))
            for name, path in report.user_properties
            if name.startswith(_ARTIFACT)
        ]
        return {
            "when": report.when,
            # A test passes whose subtests have failed, until pytest counts them.
            "outcome": "failed" if report.when == "call" and self.failed else report.outcome,
            "seconds": round(report.duration, 3),
            "message": said[-_SAID_AT_MOST:],
            "raised": self.scrub("\n".join(each for each, _ in _errors(error))),
            "steps": [step for _, step in _errors(error) if step],
            "artifacts": files,
            **expected,
        }

    def _properties(self) -> list[tuple[str, str]]:
        """What JUnit XML tells of a test."""
        tally = self.journal.tally
        told = [(name, str(getattr(tally, name))) for name in _TOLD]
        told.append(("cost", "not known" if tally.cost is None else f"{tally.cost:.4f}"))
        return [(f"webtask_{name}", value) for name, value in told]

    def _attach(self, report: pytest.TestReport, said: str) -> None:
        option = self.config.option
        if getattr(option, "htmlpath", None) or getattr(option, "allure_report_dir", None):
            from pytest_webtask.report.attachments import attach_to_reports

            pictures = self.journal.tally.pictures if report.failed else []
            inline = self.settings(None).report_inline
            attach_to_reports(
                self.config, report, pictures, said, self.report_folder, inline=inline
            )

    @property
    def report_folder(self) -> Path | None:
        """Where the report of the run is written; None where none is wanted."""
        name = self.settings(None).report
        return self.config.rootpath / name if name else None

    @property
    def writes_report(self) -> bool:
        """Whether this process writes the report of the run."""
        return not self._worker and self.report_folder is not None

    def end(self) -> None:
        """Merge what all processes of the run have recorded, and write its report."""
        if "folder" in vars(self) and self.folder.is_dir():
            for phase in self.others:
                # What the webtasks of later tests have to hide may stand in it, too.
                said = {name: self.scrub(phase[name]) for name in ("message", "raised")}
                self.journal.write("phase", **{**phase, **said})
        if self._worker or "folder" not in vars(self) or not self.folder.is_dir():
            return
        # A run without this line was killed.
        self.journal.write("run_end")
        from pytest_webtask.recordings.merge import merge_run

        self.merged = merge_run(self.folder, self.config.rootpath)
        if folder := self.report_folder:
            self.told += self._report(folder)
        from pytest_webtask.journal import prune_runs

        prune_runs(self.folder, self.settings(None).keep)

    def _report(self, folder: Path) -> list[str]:
        """Write the report; the lines that the terminal tells of it."""
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
            # The tests have run: what they showed must not be lost for want of a report.
            again = f"pytest-webtask report {self.folder}"
            return [f"no report: {type(error).__name__}: {error}; to see why: {again}"]
        with suppress(ValueError):
            folder = folder.relative_to(self.config.rootpath)
        return [f"report: {folder / 'index.html'}"]

    def settle(self) -> list[str]:
        """What the test at work has left undone; its webtasks are let go."""
        left = [each for webtask in self.working for each in webtask.settle()]
        self.working.clear()
        return left

    def softened(self) -> list[Exception]:
        """The soft failures of the test at work that pytest-playwright does not keep."""
        return [each for webtask in self.working for each in webtask.softened()]

    def has(self, playwright: Playwright) -> None:
        """Playwright has started: our engine must be there before the first page is."""
        self.playwright = playwright
        items = self.item.session.items if self.item else []
        used = (name in getattr(i, "fixturenames", ()) for i in items for name in _FIXTURES)
        if self.tests or any(used):
            self.register()

    def register(self) -> None:
        """Give Playwright our engine, once; late where only `getfixturevalue` names a webtask."""
        if self.playwright is not None:
            from pytest_webtask.page.dom import register

            register(self.playwright)
            self.playwright = None

    def at_work(self, webtask: Webtask) -> str:
        """The name of the test in which this webtask works, which is journaled from now on."""
        assert self.item is not None, "fixtures are set up for a test"
        test = self.item.nodeid
        if webtask not in self.working:
            for other in self.working:
                # What one of them types, another may show.
                webtask.hide_as(other)
                break
            self.working.add(webtask)
            self.scrub = webtask.scrub
            self.tests.add(test)
            self.journal.attempt = self.attempts[test]
            self.budget.begin(test, self.settings(self.item).test_token_budget)
        return test

    @cached_property
    def floor(self) -> StepLock:
        """Who is at work, of all webtasks of this process."""
        from pytest_webtask.state import StepLock

        return StepLock()

    @cached_property
    def recordings(self) -> Store:
        """The recordings of the project."""
        from pytest_webtask.recordings.store import Store

        return Store(self.config.rootpath, self.settings(None).recordings)

    def webtask(
        self, open_page: Callable[[], Page], name: str, *, further: bool = False, **given: Any
    ) -> Webtask:
        """A webtask whose settings are those of the test at work; a `further` one has a name."""
        from pytest_webtask.webtask import Webtask

        self.register()
        return Webtask(
            open_page,
            settings=self.settings(self.item),
            journal=self.journal,
            budget=self.budget,
            test=self.at_work,
            name=name or (f"page-{next(self.pages)}" if further else ""),
            recordings=self.recordings,
            recorded_as=name,
            advice=self.advice,
            heard=self.healed,
            cookies=self.cookies,
            traced=getattr(self.config.option, "tracing", "off") != "off",
            floor=self.floor,
            returning=lambda: self.returning,
            **given,
        )

    def advice(self, mode: str) -> str:
        """How the test at work is run in a mode in which a model may be asked."""
        test = self.item.nodeid if self.item else ""
        models = self.settings(self.item).models
        asked = next((name for name in models if name != "literal"), "claude")
        return f'pytest "{test}" --webtask-mode={mode} --webtask-model={asked}'

    def healed(self, step: str, heals: Sequence[Heal]) -> None:
        """Tell whoever reads the test's report in XML what was found again."""
        if self.item is not None:
            for heal in heals:
                told = f"{step}: {heal.old} -> {heal.new}"
                self.item.user_properties.append(("webtask_heal", told))


def _errors(error: BaseException | None) -> Iterator[tuple[str, tuple[str, int] | None]]:
    """An error in words and the step that raised it, and those that it is a group of."""
    if error is not None:
        yield f"{type(error).__name__}: {error}", getattr(error, "step", None)
    for each in getattr(error, "exceptions", ()):
        yield from _errors(each)


STATE = pytest.StashKey[RunState]()


@contextmanager
def without_traceback() -> Iterator[None]:
    """A mistake in settings or fixtures has no place in the code but theirs."""
    try:
        yield
    except UsageError as error:
        message = str(error)
    else:
        return
    fail_without_traceback(message)


def fail_without_traceback(message: str) -> NoReturn:
    """Fail with no traceback; in a frame that is not hidden, or pytest would remark upon that."""
    pytest.fail(message, pytrace=False)
