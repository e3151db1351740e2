"""RunState: the host of webtasks in one pytest process, which follows its tests and fixtures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn

import pytest

from pytest_webtask.errors import ModelError, NotLiteral, RecordingError, UsageError
from pytest_webtask.run.host import Host, RunningTest
from pytest_webtask.run.options import Settings, resolve_settings

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

    from pytest_webtask.run.webtask import Webtask
    from pytest_webtask.types.model import Model

_FIXTURES = ("webtask", "webtask_for")
_ARTIFACT = "playwright_"
"""Prefix of the properties in which pytest-playwright names its files."""
_NOTES = "webtask_notes"
_ALONE = ("setuponly", "setupshow", "setupplan", "usepdb")
"""Options with which a second run of a test would be in the way."""


class _Phase(NamedTuple):
    """How a phase of a test has ended; an event of the journal once it is written."""

    report: pytest.TestReport
    error: BaseException | None
    outcome: Literal["passed", "failed", "skipped"]


@dataclass
class _Fixture:
    """A fixture with its cached result, None while it is set up, and the attempt of a test that has set it up."""

    definition: pytest.FixtureDef[Any]
    test: str
    attempt: int
    value: tuple[Any, ...] | None = field(default=None, init=False)
    has_steps: bool = field(default=False, init=False)

    def serves(self, item: pytest.Item) -> bool:
        """Return whether a test uses the value of this set-up."""
        definitions = item._fixtureinfo.name2fixturedefs  # type: ignore[attr-defined]
        used = definitions.get(self.definition.argname, (None,))[-1]
        return used is self.definition and self.definition.cached_result is self.value


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
            lambda: self.settings(None),
            shown_from=config.invocation_params.dir,
            worker=getattr(config, "workerinput", None),
            traced=getattr(config.option, "tracing", "off") != "off",
        )
        self.config = config
        self.test = _PytestTest(lambda: self.settings(None))
        self._attempts: Counter[str] = Counter()
        self._fixtures_in_setup: list[_Fixture] = []
        """The fixtures that are being set up, innermost last."""
        self._shared_fixtures: list[_Fixture] = []
        """The fixtures that several tests can use, with a recorded step."""
        self._other_phases: list[_Phase] = []
        """The phases of failed tests that use no webtask."""
        self._explained: dict[str, str] = {}
        """The tests that explain why a sentence is not literal, by the beginning of the explanation."""
        self._playwright: Playwright | None = None
        self._pages = count(2)
        self._confirms = False

    @property
    def has_recorded(self) -> bool:
        """Return whether the running test has passed so far, and recorded steps of its own."""
        return self.test.passed and self.test.records and self.test.is_whole

    def may_record(self, item: pytest.Item) -> bool:
        """Return whether a test may record steps that a second run can confirm."""
        # A test case of unittest has a life of its own, and subtests have outcomes.
        if type(item) is not pytest.Function or "subtests" in item.fixturenames:
            return False
        if any(item.config.getoption(name, False) for name in _ALONE):
            return False
        try:
            settings = self.settings(item)
        except UsageError:
            return False  # the test fails with that
        decides = settings.asked_model or self.has_own_model(item)
        return settings.confirm and settings.mode in ("auto", "record") and bool(decides)

    @contextmanager
    def confirming(self) -> Iterator[None]:
        """Take the next run of a test for the one that confirms what it has recorded."""
        from pytest_webtask.recordings.merge import keep_pictures

        for recording, pictures in self.recordings.new_pictures.items():
            keep_pictures(self.folder, recording, pictures)
        self._confirms = True
        try:
            yield
        finally:
            self._confirms = False

    @property
    def pauses(self) -> bool:
        """Return whether this process pauses at failed steps. Raises UsageError if several do so."""
        processes = len(self.config.getoption("tx", None) or ())
        if not self.settings(None).pause or self.config.getoption("collectonly"):
            return False
        if processes > 1 and not self.worker:
            raise UsageError(
                f"--webtask-pause=failure works in one process, and this run has {processes}: add -n0"
            )
        return bool(self.worker) or not processes

    @property
    def worker_input(self) -> dict[str, str]:
        """Return the values with which a worker of xdist writes into the run of its controller."""
        return {"webtask_run": self.folder.name, "webtask_resumes": self.resumes}

    def settings(self, item: pytest.Item | None) -> Settings:
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

    def begin(self, item: pytest.Item) -> None:
        """Begin the next test."""
        self._attempts[item.nodeid] += 1
        self.test = _PytestTest(
            lambda: self.settings(item),
            item.nodeid,
            self._attempts[item.nodeid],
            self._confirms,
            item.user_properties,
            item,
        )
        if self.journal_begun:
            self.journal.begin(self.test.attempt)
        if self._confirms:
            from pytest_webtask.journal import ConfirmationBegun

            self.journal.write(ConfirmationBegun(test=item.nodeid))
        if item.get_closest_marker("webtask"):
            with without_traceback():
                self.settings(item)

    def explain_once(self, error: BaseException | None) -> None:
        """Shorten the error for a sentence that is not literal, if another test has failed by it already."""
        if isinstance(error, NotLiteral):
            first = self._explained.setdefault(str(error), self.test.name)
            if first != self.test.name:
                problem = str(error).partition("\n")[0]
                error.args = (f"{problem}\nthe first test with this failure explains it: {first}",)

    def ended(self, report: pytest.TestReport, error: BaseException | None) -> None:
        """Journal how a phase of a test has ended, if the test uses a webtask."""
        self.test.passed &= report.passed
        if report.failed:
            self.test.failed = True
            self.test.fail(error)
        error = error if report.failed else None
        if report.when == "teardown":
            self.end_pending()
        if report.when == "call":
            self._note_shared_fixtures()
        if self._uses_webtask(report.nodeid):
            mask_report(report, self.scrub)
            # The setup of a test that asks for a webtask while it runs, as pytest-bdd does.
            earlier, self.test.phases = self.test.phases, []
            for each in earlier:
                self._write(each)
            if report.failed:
                self.journal.save_held_pictures()
            message = self._write(_Phase(report, error, self._outcome(report)))
            if report.when == "teardown":
                report.user_properties += self._properties()
            self._attach(report, message)
        else:
            self._note_other(report, error)
        if report.when == "teardown" and self.tests:
            self.recordings.end_test(passed=self.test.passed, confirmed=self.test.confirms)

    def _note_shared_fixtures(self) -> None:
        """Journal which fixtures with recorded steps the test shares with an earlier one."""
        test = self.test
        if test.item is None:
            return
        for fixture in self._shared_fixtures:
            of_this_attempt = (fixture.test, fixture.attempt) == (test.name, test.attempt)
            if not of_this_attempt and fixture.serves(test.item):
                from pytest_webtask.journal import FixtureShared

                self.journal.write(
                    FixtureShared(
                        test=test.name,
                        fixture=fixture.definition.argname,
                        set_up_in=fixture.test,
                        set_up_attempt=fixture.attempt,
                    )
                )

    def _uses_webtask(self, test: str) -> bool:
        """Return whether a test has used a webtask, or would have without an earlier failure."""
        names = getattr(self.test.item, "fixturenames", ())
        return test in self.tests or any(name in names for name in _FIXTURES)

    def _note_other(self, report: pytest.TestReport, error: BaseException | None) -> None:
        """Keep a failed test that uses no webtask, so that the report includes the failure."""
        phases = self.test.phases
        phases.append(_Phase(report, error, self._outcome(report)))
        if report.when == "teardown" and self.test.failed:
            self._other_phases += phases

    def _outcome(self, report: pytest.TestReport) -> Literal["passed", "failed", "skipped"]:
        # pytest reports a call as passed until it has counted failed subtests.
        return "failed" if report.when == "call" and self.test.failed else report.outcome

    def _write(self, phase: _Phase) -> str:
        """Journal a phase, and return its message."""
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

    def _properties(self) -> list[tuple[str, str]]:
        """Return the properties of a test in JUnit XML."""
        tally, usage, cause = self.journal.tally, self.journal.tally.usage, self.test.cause
        why = [("webtask_cause", cause.word), ("webtask_grounds", cause.grounds)] if cause else []
        return [
            *why,
            ("webtask_steps", str(tally.steps)),
            ("webtask_model_calls", str(usage.model_calls)),
            ("webtask_tokens", str(usage.tokens)),
            ("webtask_healed", str(tally.healed)),
            ("webtask_cost", "not known" if usage.cost is None else f"{usage.cost:.4f}"),
        ]

    def _attach(self, report: pytest.TestReport, message: str) -> None:
        option = self.config.option
        if getattr(option, "htmlpath", None) or getattr(option, "allure_report_dir", None):
            from pytest_webtask.report.attachments import attach_to_reports

            pictures = self.journal.tally.pictures if report.failed else []
            inline = self.settings(None).report_inline
            folder = self.report_folder
            attach_to_reports(self.config, report, pictures, message, folder, inline=inline)

    def end(self) -> None:
        """Merge the recordings of all processes of the run, and write its report."""
        if self.is_written:
            for phase in self._other_phases:
                self._write(phase)
        self.end_run()
        output = getattr(self.config, "workeroutput", None)
        if output is not None:
            output[_NOTES] = self.notes

    def note_worker(self, output: Mapping[str, Sequence[str]]) -> None:
        """Note the problems of a worker that has ended."""
        for problem in output.get(_NOTES, ()):
            self.add_problem(problem)

    def check_models(self, items: Sequence[pytest.Item]) -> None:
        """Raise UsageError if a test, which is not recorded, surely needs a model whose service cannot work."""
        if self.worker or self.config.getoption("collectonly"):
            return
        checked: set[str] = set()
        for item in items:
            if not (sentence := self._needs_model(item)):
                continue
            settings = self.settings(item)
            for name in sorted({*settings.models} - checked):
                checked.add(name)
                if problem := self.model_problem(name, settings):
                    raise UsageError(
                        f"{problem}\n{item.nodeid} needs the model for {sentence}, which is not recorded\n"
                        "to run what is recorded, without a model: pytest --webtask-mode=replay"
                    )

    def model_problem(self, name: str, settings: Settings) -> str:
        """Return why the service of a model cannot be used, "" if it can or if there is none."""
        from pytest_webtask.data.import_path import is_import_path
        from pytest_webtask.llm.model_names import NAMES
        from pytest_webtask.types.model import CheckedModel

        if (name in NAMES and name != "claude") or is_import_path(name):
            return ""
        model = self.load_model(name, settings)
        try:
            if isinstance(model, CheckedModel):
                model.check_access()
        except ModelError as error:
            return str(error)
        return ""

    def _needs_model(self, item: pytest.Item) -> str:
        """Return a sentence for which a test surely needs the model of its settings, "" if none."""
        # A partial function has no name.
        function = getattr(getattr(item, "function", None), "__qualname__", "")
        skips = any(map(item.get_closest_marker, ("skip", "skipif")))
        if not function or "webtask" not in item.fixturenames or skips:  # type: ignore[attr-defined]
            return ""
        try:
            settings = self.settings(item)
            asks = settings.mode != "replay" and set(settings.models) != {"literal"}
            if not asks or self.has_own_model(item):
                return ""
            from pytest_webtask.recordings.maintenance import states_of
            from pytest_webtask.recordings.pending import PENDING, PendingSteps
            from pytest_webtask.types.step import step_name

            if not PendingSteps(self.root / PENDING, self.folder.name, item.nodeid).is_empty:
                return ""
            files, mode = settings.recordings, settings.mode
            steps = states_of(item.path, function, files, mode, literally=settings.literal)
            missing = (step_name(s.kind, s.sentence) for s, state in steps if state == "missing")
            return next(missing, "")
        except (UsageError, RecordingError):
            # The test itself fails with that.
            return ""

    def has_own_model(self, item: pytest.Item) -> bool:
        """Return whether a test of a webtask has a `webtask_model` fixture of the project."""
        definitions = item.session._fixturemanager.getfixturedefs("webtask_model", item) or ()
        return {d.func.__module__ for d in definitions} - {"pytest_webtask.plugin"} != set()

    def header(self) -> list[str]:
        """Return the lines on the run for the head of the terminal's report."""
        settings, lines = self.settings(None), []
        # pytest captures all later output.
        if "handoff" in settings.models:
            lines.append("asks you to decide; in another terminal, type: pytest-webtask turn")
        if settings.pause:
            lines.append(
                "pauses at failures; in another terminal, type: pytest-webtask session wait"
            )
        return [f"webtask: this run {line}" for line in lines]

    def raise_soft_failures(self, hard: BaseException | None = None) -> None:
        """Raise the soft failures of the running test, with the error that ended it, if any."""
        __tracebackhide__ = True
        self.test.keep_soft_failures()
        failures, self.test.soft_failures = self.test.soft_failures, []
        if failures or hard:
            from pytest_webtask.run.state import raise_soft_failures

            raise_soft_failures(failures, hard)

    def raise_failures(self) -> None:
        """Fail the running test for soft failures, or for a step that it left unfinished."""
        __tracebackhide__ = True
        self.test.leave_webtasks()
        self.raise_soft_failures()
        # A test that has failed already needs no second error.
        if self.test.unfinished and not self.test.failed:
            fail_without_traceback(f"not done: {'; '.join(self.test.unfinished)}")

    def share_base_url(self) -> None:
        """Give a worker of xdist the base URL of the ini file; pytest-base-url 2.1 reads it elsewhere only."""
        option = self.config.option
        if self.worker and getattr(option, "base_url", "") is None:
            # All readers of the option agree then, such as the contexts of pytest-playwright.
            option.base_url = self.config.getini("base_url") or None

    def note_webtask(self, finish: Callable[[], object]) -> None:
        """Note the function that tears down the webtask fixture of the running test."""
        if self.test.finish is None:
            self.test.finish = finish

    def begin_fixture(self, definition: pytest.FixtureDef[Any]) -> None:
        """Note that a fixture is being set up for the running test."""
        test = self.test
        self._fixtures_in_setup.append(_Fixture(definition, test.name, test.attempt))

    def end_fixture(self) -> None:
        """Note that the innermost fixture has been set up, or that its set-up has failed."""
        fixture = self._fixtures_in_setup.pop()
        fixture.value = fixture.definition.cached_result
        if fixture.has_steps:
            self._shared_fixtures.append(fixture)

    def note_recorded(self) -> str:
        """Note that a step is recorded; return the fixture of several tests that it sets up, if any."""
        for fixture in self._fixtures_in_setup[-1:]:
            if fixture.definition.scope != "function":
                fixture.has_steps = True
                return fixture.definition.argname
        return super().note_recorded()

    def preloading(self) -> AbstractContextManager[None]:
        """Import what steps need while Playwright starts, if any test uses a webtask."""
        if not self._any_uses_webtask():
            return nullcontext()
        from pytest_webtask.run.preload import preloading

        return preloading(report=self.report_folder is not None and not self.worker)

    def _any_uses_webtask(self) -> bool:
        items = self.test.item.session.items if self.test.item else []
        used = (name in getattr(i, "fixturenames", ()) for i in items for name in _FIXTURES)
        return bool(self.tests) or any(used)

    def note_playwright(self, playwright: Playwright) -> None:
        """Register our engine with a Playwright that has started, before its first page opens."""
        self._playwright = playwright
        if self._any_uses_webtask():
            self._register()

    def _register(self) -> None:
        """Register our engine once; late where only `getfixturevalue` requests a webtask."""
        if self._playwright is not None:
            from pytest_webtask.page.dom import register

            register(self._playwright)
            self._playwright = None

    def fixture_model(self) -> Model | dict[str, Model]:
        """Return the model of the settings of the running test, or one for each role."""
        return self.load_models(self.test.settings())

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
        from pytest_webtask.run.step import WebtaskConfig
        from pytest_webtask.run.webtask import Webtask

        self._register()
        title = name or (f"page-{next(self._pages)}" if further else "")
        config = WebtaskConfig(name=title, recorded_as=name, **fixtures)
        return Webtask(open_page, config=config, model=model, host=self)


def mask_report(report: pytest.TestReport, scrub: Callable[[str], str]) -> None:
    """Mask what pytest shows of a test, in its terminal and in JUnit XML: tracebacks, captured output."""
    report.sections = [(name, scrub(text)) for name, text in report.sections]
    report.user_properties = [
        (name, scrub(value) if isinstance(value, str) else value)
        for name, value in report.user_properties
    ]
    if reason := getattr(report, "wasxfail", ""):
        report.wasxfail = scrub(reason)
    shown: Any = report.longrepr
    if isinstance(shown, str):
        report.longrepr = scrub(shown)
    elif isinstance(shown, tuple):
        path, line, reason = shown
        report.longrepr = (path, line, scrub(reason))
    chain = getattr(shown, "chain", ()) or [
        (getattr(shown, "reprtraceback", None), getattr(shown, "reprcrash", None), None)
    ]
    for traceback, crash, _ in chain:
        _mask(crash, scrub)
        for entry in getattr(traceback, "reprentries", ()):
            for part in (entry, getattr(entry, "reprlocals", None)):
                if part is not None:
                    # Lines of a native traceback have line breaks of their own.
                    glue = "" if any("\n" in line for line in part.lines) else "\n"
                    lines = scrub(glue.join(part.lines))
                    part.lines = lines.split("\n") if glue else [lines]
            _mask(getattr(entry, "reprfileloc", None), scrub)
            if arguments := getattr(entry, "reprfuncargs", None):
                arguments.args = [(name, scrub(text)) for name, text in arguments.args]


def _mask(place: Any, scrub: Callable[[str], str]) -> None:
    """Mask the message at a line of code."""
    if place is not None:
        place.message = scrub(place.message)


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
