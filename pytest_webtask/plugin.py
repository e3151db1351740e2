"""The pytest plugin: options, hooks, fixtures. Engines are imported where they are first used."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

import pytest

from pytest_webtask.config import OPTIONS, Settings, resolve
from pytest_webtask.errors import UsageError

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

    from pytest_webtask.budget import Budget
    from pytest_webtask.journal import Journal
    from pytest_webtask.models import Model
    from pytest_webtask.webtask import Webtask

_FIXTURES = ("webtask", "webtask_for")
_OF_THE_TEST = ("data", "resources", "instructions", "tools", "redact", "model")
"""What a webtask takes from the fixtures `webtask_data` and so on."""


@dataclass
class State:
    """What one pytest process keeps: its run, its journal, and the test that is at work."""

    config: pytest.Config
    item: pytest.Item | None = None
    failed: bool = False
    finish: Callable[[], object] | None = None
    tests: set[str] = field(default_factory=set)
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

        return Journal(self.folder, self._worker.get("workerid", "main"))

    @cached_property
    def budget(self) -> Budget:
        """What all tests of the run may spend, as far as this process knows."""
        from pytest_webtask.budget import Budget

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
        return resolve(lambda o: config.getoption(o.ini), marker, lambda o: config.getini(o.ini))

    def begin(self, item: pytest.Item) -> None:
        """Go on to the next test."""
        self.item, self.failed, self.finish = item, False, None
        if item.get_closest_marker("webtask"):
            with _without_traceback():
                self.settings(item)

    def ended(self, report: pytest.TestReport) -> None:
        """Journal how a phase of a test that used a webtask ended."""
        self.failed |= report.failed
        if report.nodeid in self.tests:
            self.journal.write(
                "phase",
                test=report.nodeid,
                when=report.when,
                outcome=report.outcome,
                seconds=round(report.duration, 3),
            )

    def settle(self) -> list[str]:
        """What the test at work has left undone; its webtasks are let go."""
        left = [each for webtask in self.working for each in webtask.settle()]
        self.working.clear()
        return left

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
            from pytest_webtask.page.engine import register

            register(self.playwright)
            self.playwright = None

    def at_work(self, webtask: Webtask) -> str:
        """The name of the test in which this webtask works, which is journaled from now on."""
        assert self.item is not None, "fixtures are set up for a test"
        test = self.item.nodeid
        if webtask not in self.working:
            self.working.add(webtask)
            self.tests.add(test)
            self.budget.begin(test, self.settings(self.item).test_token_budget)
        return test

    def webtask(self, open_page: Callable[[], Page], name: str, **given: Any) -> Webtask:
        """A webtask whose settings are those of the test at work."""
        from pytest_webtask.webtask import Webtask

        self.register()
        return Webtask(
            open_page,
            settings=self.settings(self.item),
            journal=self.journal,
            budget=self.budget,
            test=self.at_work,
            name=name,
            **given,
        )


_STATE = pytest.StashKey[State]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare every option for the command line and for the ini file."""
    group = parser.getgroup("webtask", "web tests in plain English (pytest-webtask)")
    for option in OPTIONS:
        action = "append" if option.many else "store"
        group.addoption(option.flag, dest=option.ini, action=action, default=None, help=option.help)
        kind: Literal["linelist", "string"] = "linelist" if option.many else "string"
        parser.addini(option.ini, option.help, type=kind, default=None)


def pytest_configure(config: pytest.Config) -> None:
    """Refuse options that cannot be read before anything runs."""
    config.addinivalue_line(
        "markers", "webtask(...): settings of pytest-webtask for a test, such as max_steps=40"
    )
    state = config.stash[_STATE] = State(config)
    try:
        state.settings(None)
    except UsageError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say what a run waits for that hands its turns over: pytest captures all that comes later."""
    if config.stash[_STATE].settings(None).model != "handoff":
        return []
    return ["webtask: turns wait for answers; get them by: pytest-webtask turn"]


def pytest_unconfigure(config: pytest.Config) -> None:
    """Close the journal."""
    state = config.stash.get(_STATE, None)
    if state is not None and "journal" in vars(state):
        state.journal.close()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """xdist: every worker writes into the run of its controller."""
    node.workerinput["webtask_run"] = node.config.stash[_STATE].folder.name


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Note which test is at work, before its fixtures are set up."""
    item.config.stash[_STATE].begin(item)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: Any
) -> Generator[None, Any, Any]:
    """Notice our own fixture and Playwright's being set up."""
    __tracebackhide__ = True  # every fixture that fails would show this frame
    state = request.config.stash[_STATE]
    if fixturedef.argname == "webtask" and state.finish is None:
        state.finish = partial(fixturedef.finish, request)
    result = yield
    if fixturedef.argname == "playwright":
        state.has(result)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, Any, Any]:
    """Let no test pass over what it has left undone."""
    __tracebackhide__ = True
    state = item.config.stash[_STATE]
    left = state.settle()
    result = yield
    left += state.settle()
    # A test that failed has said enough.
    if left and not state.failed:
        _fail(f"not done: {'; '.join(left)}")
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    """Journal each phase of a test."""
    report = yield
    item.config.stash[_STATE].ended(report)
    return report


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say what the run's steps came to, and where its journal is."""
    state = config.stash[_STATE]
    if "folder" not in vars(state) or not state.folder.is_dir():
        return
    from pytest_webtask.journal import summary

    line = summary(state.folder)
    if line:
        terminalreporter.write_sep("-", "webtask")
        terminalreporter.write_line(line)
        terminalreporter.write_line(f"journal: {state.folder.relative_to(config.rootpath)}")


@pytest.fixture(scope="session")
def webtask_data() -> Mapping[str, object]:
    """The values that sentences may use as `{name}`; override it, in any scope.

    A value may be `Secret(...)`: it is typed into the page and appears nowhere else.
    """
    return {}


@pytest.fixture(scope="session")
def webtask_resources() -> Mapping[str, str | Path]:
    """The files that may be uploaded, by name; override it. Nothing else can be uploaded."""
    return {}


@pytest.fixture(scope="session")
def webtask_instructions() -> str:
    """What a model should know about this application; override it."""
    return ""


@pytest.fixture(scope="session")
def webtask_tools() -> Sequence[Callable[..., object]]:
    """Tools of your project's own for the worker, such as one that reads a mailbox; override it.

    Each is a function with a docstring, which tells the model what it is for, and one parameter
    annotated with a pydantic model.
    """
    return ()


@pytest.fixture(scope="session")
def webtask_redact() -> Sequence[object]:
    """What must not leave the machine, besides secrets; override it.

    Each entry is a selector of elements, as `page.locator` takes it, a function that takes the page
    and returns a locator, or a compiled pattern of texts.
    """
    return ()


@pytest.fixture
def webtask_model(request: pytest.FixtureRequest) -> Model:
    """The model that decides; override it to give your own, which then wins over the option."""
    from pytest_webtask.models import load

    with _without_traceback():
        state = request.config.stash[_STATE]
        settings = state.settings(request.node)
        return load(
            settings.model,
            effort=settings.effort,
            prices=settings.price,
            folder=state.config.rootpath / ".webtask" / "handoff",
        )


@pytest.fixture
def webtask(
    request: pytest.FixtureRequest,
    browser_name: str,
    base_url: str | None,
    webtask_data: Mapping[str, object],
    webtask_resources: Mapping[str, str | Path],
    webtask_instructions: str,
    webtask_tools: Sequence[Callable[..., object]],
    webtask_redact: Sequence[object],
    webtask_model: Model,
) -> Iterator[Webtask]:
    """Does tasks in plain English on pytest-playwright's `page`.

    The browser is launched when the first step, or `webtask.page`, needs it.
    """
    state = request.config.stash[_STATE]
    finish = state.finish

    def open_page() -> Page:
        page: Page = request.getfixturevalue("page")
        # The page, asked for late, would be torn down first: before it come now this fixture
        # and those that depend on it, which may want to clean up in the page.
        request.node.addfinalizer(finish)
        return page

    with _without_traceback():
        made = state.webtask(
            open_page,
            "",
            model=webtask_model,
            base_url=base_url or "",
            data=webtask_data,
            resources=webtask_resources,
            instructions=webtask_instructions,
            tools=webtask_tools,
            redact=webtask_redact,
        )
    yield made
    made.close()


@pytest.fixture(scope="session")
def webtask_for(request: pytest.FixtureRequest) -> Callable[..., Webtask]:
    """Makes a webtask for a further page: another user, another context, a fixture of any scope.

    `webtask_for(page, name="seller")` takes data, resources, instructions, tools, redact and
    model from the fixtures of the test at work; as keywords they can be given here instead. Without
    a name it gets a number.
    """
    state = request.config.stash[_STATE]

    def make(page: Page, name: str = "", **given: Any) -> Webtask:
        __tracebackhide__ = True
        unknown = given.keys() - {*_OF_THE_TEST, "base_url"}
        if unknown:
            raise TypeError(f"webtask_for() has no option {unknown.pop()!r}")
        for fixture in _OF_THE_TEST:
            if fixture not in given:
                given[fixture] = _of_the_test(state, f"webtask_{fixture}")
        given.setdefault("base_url", _of_the_test(state, "base_url") or "")
        try:
            return state.webtask(lambda: page, name or f"page-{next(state.pages)}", **given)
        except UsageError as error:
            problem = error
        raise problem.with_traceback(None) from None

    return make


def _of_the_test(state: State, fixture: str) -> Any:
    """A fixture's value for the test at work, whatever scope it has been overridden with.

    A session fixture may not ask for a narrower one, but what it makes here is used by one test.
    """
    request: pytest.FixtureRequest = state.item._request  # type: ignore[union-attr]
    return request.getfixturevalue(fixture)


@contextmanager
def _without_traceback() -> Iterator[None]:
    """A mistake in settings or fixtures has no place in the code but theirs."""
    try:
        yield
    except UsageError as error:
        message = str(error)
    else:
        return
    _fail(message)


def _fail(message: str) -> NoReturn:
    """Fail with no traceback; in a frame that is not hidden, or pytest would remark upon that."""
    pytest.fail(message, pytrace=False)
