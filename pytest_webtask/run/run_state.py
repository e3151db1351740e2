"""RunState: the host of webtasks in one pytest process, which follows its tests and fixtures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn

import pytest

from pytest_webtask.errors import UsageError
from pytest_webtask.run.host import Host, RunningTest
from pytest_webtask.run.options import Settings, resolve_settings

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

    from pytest_webtask.journal.runs import StepRecord
    from pytest_webtask.run.webtask import Webtask
    from pytest_webtask.types.model import Model

_FIXTURES = ("webtask", "webtask_for")
_ARTIFACT = "playwright_"
"""Prefix of the properties in which pytest-playwright names its files."""
_RESULTS = "webtask_results"
"""What a worker passes on to its controller: its notes, what it has recorded, and whether steps were lost."""


class _Phase(NamedTuple):
    """How a phase of a test has ended; an event of the journal once it is written."""

    report: pytest.TestReport
    error: BaseException | None
    outcome: Literal["passed", "failed", "skipped"]


@dataclass
class _PytestTest(RunningTest):
    """One attempt of a test of pytest; `finish` tears down its webtask fixture."""

    item: pytest.Item | None = None
    failed: bool = field(default=False, init=False)
    phases: list[_Phase] = field(default_factory=list, init=False)
    finish: Callable[[], object] | None = field(default=None, init=False)


class RunState(Host):
    """The host of webtasks in one pytest process: it follows the tests and their fixtures."""

    test: _PytestTest

    def __init__(self, config: pytest.Config) -> None:
        super().__init__(
            config.rootpath,
            shown_from=config.invocation_params.dir,
            worker=getattr(config, "workerinput", None),
            traced=getattr(config.option, "tracing", "off") != "off",
        )
        self.config = config
        self.test = _PytestTest()
        self._attempts: Counter[str] = Counter()
        self._other_phases: list[_Phase] = []
        """The phases of failed tests that use no webtask, which the report has as well."""
        self._playwright: Playwright | None = None
        self._pages = count(2)
        self._confirms = False

    def is_to_confirm(self) -> bool:
        """Return whether the running test has passed so far, and recorded steps of its own; note that."""
        test = self.test
        test.unconfirmed = test.passed and test.records and test.is_whole
        return test.unconfirmed

    def may_record(self, item: pytest.Item) -> bool:
        """Return whether a test may record steps that a second run can confirm."""
        # A test case of unittest has a life of its own, and subtests have outcomes.
        if type(item) is not pytest.Function or "subtests" in item.fixturenames:
            return False
        with suppress(UsageError):  # the test fails with that
            settings = self.settings(item)
            records = settings.confirm and settings.mode in ("auto", "record")
            if records and not self.config.getoption("usepdb", False):
                return bool(settings.asked_model or self.has_own_model(item))
        return False

    @contextmanager
    def confirming(self) -> Iterator[None]:
        """Take the next run of a test for the one that confirms what it has recorded."""
        self._confirms = True
        try:
            yield
        finally:
            self._confirms = False

    @property
    def pauses(self) -> bool:
        """Return whether this process pauses at failed steps. Raises UsageError if several do so."""
        processes = len(self.config.getoption("tx", None) or ())
        if not self.settings().pause or self.config.getoption("collectonly"):
            return False
        if processes > 1 and not self.worker:
            raise UsageError(
                f"--webtask-pause=failure works in one process, and this run has {processes}: add -n0"
            )
        return bool(self.worker) or not processes

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Have each xdist worker write into the run of its controller."""
        node.workerinput.update(webtask_run=self.folder.name, webtask_resumes=self.resumes)

    def settings(self, item: pytest.Item | None = None) -> Settings:
        """Return the settings of a test, or of the run. Raises UsageError for unknown ones."""
        marker: dict[str, Any] = {}
        for mark in reversed(list(item.iter_markers("webtask")) if item else []):
            if mark.args:
                raise UsageError(
                    f"@pytest.mark.webtask takes keywords only, got {mark.args!r}; write it as in"
                    " @pytest.mark.webtask(timeout=10)"
                )
            marker.update(mark.kwargs)
        config = self.config
        return resolve_settings(
            lambda o: config.getoption(o.ini, None),
            marker,
            lambda o: None if o.bare else config.getini(o.ini),
        )

    def test_settings(self) -> Settings:
        """Return the settings of the running test. Raises UsageError for unknown ones."""
        return self.settings(self.test.item)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Begin the next test, before its fixtures are set up."""
        self._attempts[item.nodeid] += 1
        self.test = _PytestTest(
            item.nodeid, self._attempts[item.nodeid], self._confirms, item.user_properties, item
        )
        if self.journal_begun:
            self.journal.begin(self.test.attempt)
        if self._confirms:
            from pytest_webtask.journal import ConfirmationBegun

            self.journal.write(ConfirmationBegun(test=item.nodeid))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Journal how a phase of a test has ended, if the test uses a webtask."""
        report = yield
        # A test that uses no webtask may show the secret of another one.
        mask_report(report, self.scrub)
        self.test.passed &= report.passed
        error = call.excinfo.value if report.failed and call.excinfo else None
        if report.failed:
            self.test.failed = True
            self.test.fail(error)
        if report.when == "teardown":
            self.end_pending()
        # pytest reports a call as passed until it has counted failed subtests.
        failed = report.when == "call" and self.test.failed
        phases = self.test.phases
        phases.append(_Phase(report, error, "failed" if failed else report.outcome))
        if report.nodeid in self.tests or self._uses_webtask(self.test.item):
            self._write_phases(report)
        elif report.when == "teardown" and self.test.failed:
            self._other_phases += phases
        if report.when == "teardown" and self.tests:
            self.end_recording()
        return report

    def _write_phases(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.journal.save_held_pictures()
        message = ""
        for phase in self.test.phases:
            message = self._write(phase)
        self.test.phases.clear()
        if report.when == "teardown":
            report.user_properties += self._properties()
        self._attach(report, message)

    def _uses_webtask(self, item: pytest.Item | None) -> bool:
        """Return whether a test asks for a webtask, even if an earlier failure keeps it from that."""
        return not {*_FIXTURES}.isdisjoint(getattr(item, "fixturenames", ()))

    def _write(self, phase: _Phase) -> str:
        from pytest_webtask.journal import Artifact

        report = phase.report
        skipped = report.longrepr[-1] if isinstance(report.longrepr, tuple) else ""
        files = [
            Artifact(kind=name.removeprefix(_ARTIFACT), path=self.scrub(str(path)))
            for name, path in report.user_properties
            if name.startswith(_ARTIFACT)
        ]
        return self.write_phase(
            report.nodeid,
            str(report.when),
            phase.outcome,
            report.duration,
            str(skipped) if report.skipped else report.longreprtext,
            phase.error,
            artifacts=tuple(files),
            expected_failure=getattr(report, "wasxfail", None),
        )

    def _steps(self) -> list[StepRecord]:
        from pytest_webtask.journal.runs import TestAttempt

        return TestAttempt.of(self.journal.events).steps

    def _properties(self) -> list[tuple[str, str]]:
        from pytest_webtask.types.agent import Usage

        steps, cause = self._steps(), self.test.cause
        usage = sum((step.usage for step in steps), Usage())
        why = [("webtask_cause", cause.word), ("webtask_grounds", cause.grounds)] if cause else []
        return [
            *why,
            ("webtask_steps", str(len(steps))),
            ("webtask_model_calls", str(usage.model_calls)),
            ("webtask_tokens", str(usage.tokens)),
            ("webtask_healed", str(sum(step.decided == "healed" for step in steps))),
            ("webtask_cost", "not known" if usage.cost is None else f"{usage.cost:.4f}"),
        ]

    def _attach(self, report: pytest.TestReport, message: str) -> None:
        option = self.config.option
        if getattr(option, "htmlpath", None) or getattr(option, "allure_report_dir", None):
            from pytest_webtask.report.attachments import attach_to_reports

            last = [step.last for step in self._steps() if step.last] if report.failed else []
            pictures = [self.folder / page.screenshot for page in last if page.screenshot]
            inline, folder = self.settings().report_inline, self.report_folder
            attach_to_reports(self.config, report, pictures, message, folder, inline=inline)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """End the run, and write its report; a worker passes its lines on to its controller."""
        if self.is_written:
            for phase in self._other_phases:
                self._write(phase)
        self.end_run()
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            output[_RESULTS] = self.notes, [*map(tuple, self.recorded)], self.lost
        if self.lost and session.exitstatus == pytest.ExitCode.OK:
            # What a run was made for is not there.
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_unconfigure(self) -> None:
        """Close the journal."""
        self.close()

    @pytest.hookimpl(tryfirst=True)
    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Mask what pytest shows of an interrupted test: its message, and its traceback with arguments."""
        excinfo.value.args = tuple(self.scrub(str(each)) for each in excinfo.value.args)
        shown = str(excinfo.getrepr(funcargs=True))
        if self.scrub(shown) != shown:
            short = partial(excinfo.getrepr, style="value")
            excinfo.getrepr = short  # type: ignore[method-assign]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Note the problems of a worker that has ended, and what it has recorded."""
        output: Mapping[str, Any] = getattr(node, "workeroutput", {})
        notes, recorded, lost = output.get(_RESULTS, ((), (), False))
        self.lost |= lost
        self.recorded += recorded
        for problem in notes:
            self.add_problem(problem)

    def has_own_model(self, item: pytest.Item) -> bool:
        """Return whether a test of a webtask has a `webtask_model` fixture of the project."""
        definitions = item.session._fixturemanager.getfixturedefs("webtask_model", item) or ()
        return {d.func.__module__ for d in definitions} - {"pytest_webtask.plugin"} != set()

    def pytest_report_header(self) -> list[str]:
        """Return the lines on the run for the head of the terminal's report."""
        settings, lines = self.settings(), []
        # pytest captures all later output.
        if "handoff" in settings.models:
            lines.append("asks you to decide; in another terminal, type: pytest-webtask turn")
        if settings.pause:
            lines.append(
                "pauses at failures; in another terminal, type: pytest-webtask session wait"
            )
        return [f"webtask: this run {line}" for line in lines]

    def share_base_url(self) -> None:
        """Give a worker of xdist the base URL of the ini file; pytest-base-url 2.1 reads it elsewhere only."""
        option = self.config.option
        if self.worker and getattr(option, "base_url", "") is None:
            # All readers of the option agree then, such as the contexts of pytest-playwright.
            option.base_url = self.config.getini("base_url") or None

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: Any
    ) -> Generator[None, Any, Any]:
        """Notice the set-up of the webtask fixture, and import what steps need while Playwright starts."""
        __tracebackhide__ = True  # every fixture that fails would show this frame
        if fixturedef.argname == "webtask":
            self.test.finish = self.test.finish or partial(fixturedef.finish, request)
        if fixturedef.argname != "playwright":
            return (yield)
        if not self._any_uses_webtask():
            self._playwright = yield
            return self._playwright
        from pytest_webtask.run.preload import preloading

        with preloading(report=self.report_folder is not None and not self.worker):
            self._playwright = yield
        playwright = self._playwright
        self._register()
        return playwright

    def _any_uses_webtask(self) -> bool:
        items = self.test.item.session.items if self.test.item else []
        return bool(self.tests) or any(map(self._uses_webtask, items))

    def _register(self) -> None:
        """Register our engine once; late where only `getfixturevalue` requests a webtask."""
        if self._playwright is not None:
            from pytest_webtask.page.dom import register

            register(self._playwright)
            self._playwright = None

    def fixture_value(self, fixture: str) -> Any:
        """Return a fixture's value for the running test alone, even if its override has a wider scope."""
        request: pytest.FixtureRequest = self.test.item._request  # type: ignore[union-attr]
        return request.getfixturevalue(fixture)

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
        from pytest_webtask.run.step import StepRunner, WebtaskConfig
        from pytest_webtask.run.webtask import Webtask

        self._register()
        title = name or (f"page-{next(self._pages)}" if further else "")
        config = WebtaskConfig(name=title, recorded_as=name, **fixtures)
        return Webtask(StepRunner(open_page, self, model, config))


def mask_report(report: pytest.TestReport, scrub: Callable[[str], str]) -> None:
    """Mask what pytest shows of a test, in its terminal and in JUnit XML: tracebacks, captured output."""
    report.sections = [(name, scrub(text)) for name, text in report.sections]
    # JUnit XML writes a value as a text, whatever it holds.
    report.user_properties = [
        (scrub(name), value if scrub(str(value)) == str(value) else scrub(str(value)))
        for name, value in report.user_properties
    ]
    if reason := getattr(report, "wasxfail", ""):
        report.wasxfail = scrub(reason)
    if isinstance(report.longrepr, tuple):
        path, line, reason = report.longrepr
        report.longrepr = (path, line, scrub(reason))
    elif report.longrepr is not None:
        # A traceback that shows a secret becomes plain text: it holds texts in many places.
        crash = getattr(report.longrepr, "reprcrash", None)
        shown = f"{report.longreprtext}\n{getattr(crash, 'message', '')}"
        if scrub(shown) != shown:
            report.longrepr = scrub(report.longreprtext)


STATE = pytest.StashKey[RunState]()
BDD_STEP = pytest.StashKey[tuple[Any, Any]]()
"""The scenario and the running step of a test of pytest-bdd."""


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
