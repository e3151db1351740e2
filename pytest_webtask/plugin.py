"""The pytest plugin: options, hooks and fixtures. Engines are imported where they are first used."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_webtask.config import OPTIONS, Settings, resolve
from pytest_webtask.errors import UsageError

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from pytest_webtask.journal import Journal
    from pytest_webtask.models import Model
    from pytest_webtask.webtask import Webtask

_FIXTURES = ("webtask", "webtask_for")


@dataclass
class State:
    """What one pytest process keeps: its run, its journal, and the test that is at work."""

    config: pytest.Config
    item: pytest.Item | None = None
    tests: set[str] = field(default_factory=set)

    @cached_property
    def folder(self) -> Path:
        """The folder of the run, which under xdist all processes share."""
        from pytest_webtask.journal import RUNS, new_run

        return self.config.rootpath / RUNS / (self._worker.get("webtask_run") or new_run())

    @cached_property
    def journal(self) -> Journal:
        from pytest_webtask.journal import Journal

        return Journal(self.folder, self._worker.get("workerid", "main"))

    @property
    def _worker(self) -> dict[str, Any]:
        return getattr(self.config, "workerinput", {})

    def settings(self, item: pytest.Item | None) -> Settings:
        marker: dict[str, Any] = {}
        for mark in reversed(list(item.iter_markers("webtask")) if item else []):
            if mark.args:
                raise UsageError(f"@pytest.mark.webtask takes keywords only, got {mark.args!r}")
            marker.update(mark.kwargs)
        config = self.config
        return resolve(lambda o: config.getoption(o.ini), marker, lambda o: config.getini(o.ini))

    def ended(self, report: pytest.TestReport) -> None:
        """Journal how a phase of a test that used a webtask ended."""
        if report.nodeid in self.tests:
            self.journal.write(
                "phase",
                test=report.nodeid,
                when=report.when,
                outcome=report.outcome,
                seconds=round(report.duration, 3),
            )

    def webtask(self, open_page: Callable[[], Page], name: str, **given: Any) -> Webtask:
        """A webtask for the test at work; `given` wins over what the fixtures give."""
        from pytest_webtask.webtask import Webtask

        assert self.item is not None, "fixtures are set up for a test"
        self.tests.add(self.item.nodeid)
        return Webtask(
            open_page,
            settings=self.settings(self.item),
            journal=self.journal,
            test=self.item.nodeid,
            name=name,
            **given,
        )


_STATE = pytest.StashKey[State]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("webtask", "web tests in plain English (pytest-webtask)")
    for option in OPTIONS:
        action = "append" if option.many else "store"
        group.addoption(option.flag, dest=option.ini, action=action, default=None, help=option.help)
        parser.addini(option.ini, option.help, type="linelist" if option.many else "string")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "webtask(...): settings of pytest-webtask for a test, such as max_steps=40"
    )
    state = config.stash[_STATE] = State(config)
    try:
        state.settings(None)
    except UsageError as error:
        raise pytest.UsageError(str(error)) from None


def pytest_unconfigure(config: pytest.Config) -> None:
    state = config.stash.get(_STATE, None)
    if state is not None and "journal" in vars(state):
        state.journal.close()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """xdist: every worker writes into the run of its controller."""
    node.workerinput["webtask_run"] = node.config.stash[_STATE].folder.name


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    item.config.stash[_STATE].item = item


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, Any, Any]:
    result = yield
    if fixturedef.argname == "playwright" and _is_used(request.session):
        from pytest_webtask.page.engine import register

        register(result)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    report = yield
    item.config.stash[_STATE].ended(report)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
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


@pytest.fixture
def webtask_model(request: pytest.FixtureRequest) -> Model:
    """The model that decides; override it to give your own, which then wins over the option."""
    from pytest_webtask.models import load

    state = request.config.stash[_STATE]
    return load(state.settings(request.node).model)


@pytest.fixture
def webtask(
    request: pytest.FixtureRequest,
    browser_name: str,
    base_url: str | None,
    webtask_data: Mapping[str, object],
    webtask_resources: Mapping[str, str | Path],
    webtask_instructions: str,
    webtask_model: Model,
) -> Webtask:
    """Does tasks in plain English on pytest-playwright's `page`.

    The browser is launched when the first step, or `webtask.page`, needs it.
    """

    def open_page() -> Page:
        page: Page = request.getfixturevalue("page")
        # Behind the page's own finalizer, so that it runs before the page is torn down.
        request.node.addfinalizer(made.close)
        return page

    made = request.config.stash[_STATE].webtask(
        open_page,
        "",
        model=webtask_model,
        base_url=base_url or "",
        data=webtask_data,
        resources=webtask_resources,
        instructions=webtask_instructions,
    )
    return made


@pytest.fixture(scope="session")
def webtask_for(request: pytest.FixtureRequest) -> Callable[..., Webtask]:
    """Makes a webtask for a further page: another user, another context, a fixture of any scope.

    `webtask_for(page, name="seller")` takes data, resources, instructions and model from the
    fixtures of the test at work; as keywords they can be given here instead.
    """
    state = request.config.stash[_STATE]

    def make(page: Page, name: str = "", **given: Any) -> Webtask:
        unknown = given.keys() - {"data", "resources", "instructions", "model", "base_url"}
        if unknown:
            raise TypeError(f"webtask_for() has no option {unknown.pop()!r}")
        for fixture in ("data", "resources", "instructions", "model"):
            if fixture not in given:
                given[fixture] = _of_the_test(state, f"webtask_{fixture}")
        given.setdefault("base_url", _of_the_test(state, "base_url") or "")
        return state.webtask(lambda: page, name, **given)

    return make


def _of_the_test(state: State, fixture: str) -> Any:
    """A fixture's value for the test at work, whatever scope it has been overridden with.

    A session fixture may not ask for a narrower one, but what it makes here is used by one test.
    """
    request: pytest.FixtureRequest = state.item._request  # type: ignore[union-attr]
    return request.getfixturevalue(fixture)


def _is_used(session: pytest.Session) -> bool:
    return any(name in getattr(item, "fixturenames", ()) for item in session.items for name in _FIXTURES)
