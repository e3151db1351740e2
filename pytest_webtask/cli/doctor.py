"""The command `pytest-webtask doctor`: what a project has, and what it lacks."""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pytest_webtask.data.phrases import counted
from pytest_webtask.errors import RecordingError, UsageError
from pytest_webtask.run.inner_run import replace_tests, run_pytest, tests_of
from pytest_webtask.run.run_state import STATE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY")
_ANSWER_SECONDS = 10
"""How long the application may take to answer."""


class Status(NamedTuple):
    """One line: the state of a part of the project is `ok`, `none` or `missing`."""

    state: str
    text: str


@dataclass
class Doctor:
    """A pytest plugin that runs one examination in the place of all tests, with the fixtures of such a test."""

    findings: list[Status] = field(default_factory=list)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """Replace the tests by the examination."""
        tests = tests_of(items)
        self.findings.append(_tests(len(tests), len(items)))
        state = session.config.stash[STATE]
        own_model = any(map(state.has_own_model, tests))

        def webtask_doctor(request: pytest.FixtureRequest) -> None:
            self.findings += _of_page(request)
            self.findings += _of_model(request.config, own_model=own_model)
            self.findings.append(_recordings(request.config))

        replace_tests(session, items, webtask_doctor)

    def pytest_exception_interact(
        self, node: pytest.Collector | pytest.Item, call: pytest.CallInfo[object]
    ) -> None:
        """Note a module that cannot be collected, and a fixture that fails."""
        assert call.excinfo is not None
        error = call.excinfo.value
        what = "fixtures" if isinstance(node, pytest.Item) else node.nodeid
        self.findings.append(Status("missing", f"{what}: {type(error).__name__}: {_line(error)}"))


def examine(args: argparse.Namespace) -> int:
    """Print what the project has and lacks; return 1 if something is missing."""
    doctor = Doctor()
    output = run_pytest(doctor, *args.pytest_args)
    versions = ", ".join(f"{name} {version(name)}" for name in ("pytest-webtask", "pytest"))
    versions += f", playwright {version('playwright')}, Python {platform.python_version()}"
    for state, text in (Status("ok", versions), *doctor.findings):
        print(f"{state:8} {text}")
    if not doctor.findings:
        print(
            f"missing  tests: pytest ended before the first one; correct what it says here:\n{output}"
        )
        return 1
    return int(any(each.state == "missing" for each in doctor.findings))


def _tests(own: int, collected: int) -> Status:
    if own:
        return Status("ok", f"tests: {own} of {collected} use webtask")
    return Status(
        "none",
        "tests: none uses webtask yet; write one, such as def test_home(webtask): webtask.goto('/')",
    )


def _of_page(request: pytest.FixtureRequest) -> Iterator[Status]:
    """Yield the state of the browser, and of the application in it."""
    name = request.getfixturevalue("browser_name")
    browser: Browser | None = None
    try:
        browser = request.getfixturevalue("launch_browser")()
        yield Status("ok", f"browser: {name} {browser.version}")
    except Exception as error:
        advice = (
            f"install it: playwright install {name}, or return the executable_path of another one from the"
            " fixture browser_type_launch_args"
        )
        if "BrowserType.connect" in str(error):
            advice = (
                "start the browser's server, or correct its address in the fixture connect_options"
            )
        yield Status("missing", f"browser: {name} does not start: {_line(error)}; {advice}")
    url = request.getfixturevalue("base_url")
    if not url:
        advice = "none is set, so goto() needs whole addresses; set base_url in the ini file, or --base-url"
        yield Status("none", f"base URL: {advice}")
    elif browser is None:
        yield Status(
            "none",
            f"base URL: {url} was not opened, because no browser started: correct that first",
        )
    else:
        yield _application(browser, url)
    if browser is not None:
        browser.close()


def _application(browser: Browser, url: str) -> Status:
    page = browser.new_page(ignore_https_errors=True)
    try:
        response = page.goto(url, timeout=_ANSWER_SECONDS * 1000, wait_until="commit")
    except Exception as error:
        return Status(
            "missing",
            f"base URL: {url}: {_line(error)}; start the application, or correct the address",
        )
    finally:
        page.close()
    return Status("ok", f"base URL: {url}" + (f" answers {response.status}" if response else ""))


def _of_model(config: pytest.Config, *, own_model: bool) -> Iterator[Status]:
    """Yield the mode, the state of each model, and the keys."""
    state = config.stash[STATE]
    settings = state.settings(None)
    replays = settings.mode == "replay"
    yield Status("ok", f"mode: {settings.mode}{', which calls no model' if replays else ''}")
    if own_model:
        yield Status("ok", "model: that of the project's own webtask_model fixture")
    for name in () if own_model else dict.fromkeys(settings.models):
        try:
            problem = "" if replays else state.model_problem(name, settings)
        except UsageError as error:
            problem = str(error)
        if problem:
            yield Status("missing", f"model: {name}: {problem}")
        elif name == "literal":
            advice = "for free English: --webtask-model=claude or --webtask-model=handoff"
            yield Status(
                "ok", f'model: literal, which reads only sentences such as click "Save"; {advice}'
            )
        else:
            yield Status("ok", f"model: {name}")
    if keys := [*filter(os.environ.get, KEYS)]:
        yield Status("ok", f"key: {' and '.join(keys)} set")
    else:
        unneeded = "only a model of these services needs one"
        yield Status("none", f"key: neither {' nor '.join(KEYS)} is set; {unneeded}")


def _recordings(config: pytest.Config) -> Status:
    from pytest_webtask.recordings.maintenance import stored
    from pytest_webtask.recordings.store import load_recording

    files = stored(config.rootpath, config.stash[STATE].settings(None).recordings)
    steps = 0
    for each in files:
        try:
            steps += len(load_recording(each.path).steps)
        except RecordingError as error:
            return Status(
                "missing", f"recordings: {_line(error)}; list them: pytest-webtask recordings list"
            )
    if not files:
        return Status(
            "none", "recordings: none yet; a model's steps are recorded when a test passes"
        )
    return Status("ok", f"recordings: {counted(steps, 'step')} in {counted(len(files), 'file')}")


def _line(error: BaseException) -> str:
    """Return the first line of an error's message."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
