"""The pytest plugin: options, hooks, fixtures. Engines are imported where they are first used."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from pytest_webtask.errors import UsageError
from pytest_webtask.run.options import OPTIONS
from pytest_webtask.run.run_state import (
    BDD_STEP,
    STATE,
    RunState,
    fail_without_traceback,
    without_traceback,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

    from pytest_webtask.run.webtask import Webtask
    from pytest_webtask.types.model import Model

_OF_THE_TEST = ("data", "resources", "instructions", "tools", "redact", "model")
"""The options of a webtask that have a fixture, such as `webtask_data`."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare every option where it can be set: on the command line, in the ini file, or on both."""
    group = parser.getgroup("webtask", "web tests in plain English (pytest-webtask)")
    for option in OPTIONS:
        action = "append" if option.many else "store"
        if option.bare:
            action = "store_true"
        if not option.of_project:
            group.addoption(
                option.flag, dest=option.ini, action=action, default=None, help=option.help
            )
        if not option.bare:
            kind: Literal["linelist", "string"] = "linelist" if option.many else "string"
            parser.addini(option.ini, option.help, type=kind, default=None)


def pytest_configure(config: pytest.Config) -> None:
    """Set up the run's state; refuse invalid options before anything runs."""
    config.addinivalue_line(
        "markers", "webtask(...): settings of pytest-webtask for a test, such as max_steps=40"
    )
    state = config.stash[STATE] = RunState(config)
    config.pluginmanager.register(state, "webtask-state")
    try:
        if state.settings(None).resume:
            from pytest_webtask.run.resume import Resuming

            config.pluginmanager.register(Resuming(state), "webtask-resuming")
        if state.pauses:
            from pytest_webtask.live.pause import Pausing

            config.pluginmanager.register(Pausing(state), "webtask-pausing")
        state.share_base_url()
    except UsageError as error:
        raise pytest.UsageError(str(error)) from None


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a test that may record, and confirm what it has recorded by a second run."""
    state = item.config.stash[STATE]
    if not isinstance(item, pytest.Function) or not state.may_record(item):
        return None
    from pytest_webtask.run.confirming import run_and_confirm

    run_and_confirm(item, nextitem, state)
    return True


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Raise soft failures at the end of the test."""
    __tracebackhide__ = True
    hard: BaseException | None = None
    result = None
    try:
        result = yield
    except BaseException as error:
        hard = error
    item.config.stash[STATE].test.raise_soft_failures(hard)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, Any, Any]:
    """Fail a test for soft failures, or for a step that it leaves unfinished."""
    __tracebackhide__ = True
    test = item.config.stash[STATE].test
    test.leave_webtasks()
    result = yield
    test.leave_webtasks()
    test.raise_soft_failures()
    # A test that has failed already needs no second error.
    if test.unfinished and not test.failed:
        fail_without_traceback(f"not done: {'; '.join(test.unfinished)}")
    return result


def pytest_enter_pdb() -> None:
    """Let pages load while a person debugs a test, when no step answers their requests."""
    from pytest_webtask.page.origins import let_go

    let_go()


@pytest.hookimpl(optionalhook=True)
def pytest_bdd_before_step(request: pytest.FixtureRequest, scenario: Any, step: Any) -> None:
    """Note the running step of pytest-bdd, for the generic steps of `pytest_webtask.bdd`."""
    request.node.stash[BDD_STEP] = (scenario, step)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print a summary of the run's steps, and where its journal is."""
    if lines := config.stash[STATE].summary():
        from pytest_webtask.data.escapes import printed

        terminalreporter.write_sep("-", "webtask")
        for line in lines:
            terminalreporter.write_line(printed(line))


@pytest.fixture(scope="session")
def webtask_data() -> Mapping[str, object]:
    """Return the values that sentences may use as `{name}`; override it, in any scope.

    A `Secret(...)` is typed into the page and appears nowhere else.
    """
    return {}


@pytest.fixture(scope="session")
def webtask_resources() -> Mapping[str, str | Path]:
    """Return the files that may be uploaded, by name; override it. No others can be uploaded."""
    return {}


@pytest.fixture(scope="session")
def webtask_instructions() -> str | Mapping[str, str]:
    """Return what a model should know about the application; override it.

    A mapping has a text for each role; roles that it does not name have the worker's.
    """
    return ""


@pytest.fixture(scope="session")
def webtask_tools() -> Sequence[Callable[..., object]]:
    """Return your project's own tools for the worker, such as one that reads a mailbox; override it.

    Each is a function with one parameter, annotated with a pydantic model, and a docstring that
    tells the model what the tool is for.
    """
    return ()


@pytest.fixture(scope="session")
def webtask_redact() -> Sequence[object]:
    """Return what must not leave the machine, in addition to secrets; override it.

    Each entry is a CSS selector or a compiled pattern of text.
    """
    return ()


@pytest.fixture
def webtask_model(request: pytest.FixtureRequest) -> Model | Mapping[str, Model]:
    """Return the model that decides; override it to use your own, whatever the option says.

    A mapping has one for each role: worker, verifier, planner, scheduler, reader, referee. Roles that
    it does not name use the worker's.
    """
    with without_traceback():
        state = request.config.stash[STATE]
        return state.load_models(state.test_settings())


@pytest.fixture
def webtask(
    request: pytest.FixtureRequest,
    playwright: Playwright,
    browser_name: str,
    base_url: str | None,
    webtask_data: Mapping[str, object],
    webtask_resources: Mapping[str, str | Path],
    webtask_instructions: str | Mapping[str, str],
    webtask_tools: Sequence[Callable[..., object]],
    webtask_redact: Sequence[object],
    webtask_model: Model | Mapping[str, Model],
) -> Iterator[Webtask]:
    """Do tasks in plain English on pytest-playwright's `page`.

    Playwright starts with the first webtask, the browser when the first step, or `webtask.page`,
    needs it.
    """
    state = request.config.stash[STATE]
    finish = state.test.finish

    def open_page() -> Page:
        page: Page = request.getfixturevalue("page")
        # A page that is requested late would be torn down first. This finalizer tears down this
        # fixture and its dependents before the page, since they may clean up in the page.
        if request.node in request.session._setupstate.stack:
            request.node.addfinalizer(finish)
        return page

    with without_traceback():
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
    """Make a webtask for another page: another user, another context, a fixture of any scope.

    `webtask_for(page, name="seller")` takes data, resources, instructions, tools, redact and model
    from the fixtures of the running test, unless they are passed as keywords. Without a name, the
    webtask gets a number.
    """
    state = request.config.stash[STATE]

    def make(page: Page, name: str = "", **given: Any) -> Webtask:
        __tracebackhide__ = True
        unknown = given.keys() - {*_OF_THE_TEST, "base_url"}
        if unknown:
            raise TypeError(
                f"webtask_for() has no option {unknown.pop()!r}; its options are"
                f" {', '.join(sorted((*_OF_THE_TEST, 'base_url')))}"
            )
        for fixture in _OF_THE_TEST:
            if fixture not in given:
                given[fixture] = state.fixture_value(f"webtask_{fixture}")
        given.setdefault("base_url", state.fixture_value("base_url") or "")
        try:
            return state.webtask(lambda: page, name, further=True, **given)
        except UsageError as error:
            problem = error
        raise problem.with_traceback(None) from None

    return make
