"""The command `pytest-webtask doctor`: what a project has, and what it lacks."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pytest_webtask.data.import_path import is_import_path
from pytest_webtask.data.phrases import counted
from pytest_webtask.errors import ModelError, RecordingError, UsageError
from pytest_webtask.journal.schema import first_line
from pytest_webtask.recordings.maintenance import stored
from pytest_webtask.recordings.store import load_recording
from pytest_webtask.run.inner_run import replace_tests, run_pytest, tests_of
from pytest_webtask.run.run_state import STATE, RunState
from pytest_webtask.types.model import CheckedModel

if TYPE_CHECKING:
    from playwright.sync_api import Browser

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
        self.findings.append(Status("ok", f"tests: {len(tests)} of {len(items)} use webtask"))
        state = session.config.stash[STATE]
        own_model = any(map(state.has_own_model, tests))

        def webtask_doctor(request: pytest.FixtureRequest) -> None:
            self.findings += _of_page(request)
            self.findings += _of_model(state, own_model=own_model)
            self.findings.append(_recordings(session.config))

        replace_tests(session, items, webtask_doctor)

    def pytest_exception_interact(
        self, node: pytest.Collector | pytest.Item, call: pytest.CallInfo[object]
    ) -> None:
        """Note a module that cannot be collected, and a fixture that fails."""
        assert call.excinfo is not None
        error = call.excinfo.value
        what = "fixtures" if isinstance(node, pytest.Item) else node.nodeid
        self.findings.append(
            Status("missing", f"{what}: {type(error).__name__}: {first_line(error)}")
        )


def examine(args: argparse.Namespace) -> int:
    """Print what the project has and lacks; return 1 if something is missing."""
    doctor = Doctor()
    output = run_pytest(doctor, *args.pytest_args)
    versions = [f"{each} {version(each)}" for each in ("pytest-webtask", "pytest", "playwright")]
    versions.append(f"Python {platform.python_version()}")
    findings = [Status("ok", ", ".join(versions)), *doctor.findings]
    if not doctor.findings:
        problem = f"tests: pytest ended before the first one; correct what it says:\n{output}"
        findings.append(Status("missing", problem))
    for state, text in findings:
        print(f"{state:8} {text}")
    return int(any(each.state == "missing" for each in findings))


def _of_page(request: pytest.FixtureRequest) -> Iterator[Status]:
    name, url = request.getfixturevalue("browser_name"), request.getfixturevalue("base_url")
    try:
        browser: Browser = request.getfixturevalue("launch_browser")()
    except Exception as error:
        yield Status(
            "missing",
            f"browser: {name} does not start: {first_line(error)}; install it: playwright install {name}, or correct"
            " the fixture browser_type_launch_args or connect_options",
        )
        return
    yield Status("ok", f"browser: {name} {browser.version}")
    if not url:
        text = "none is set, so goto() needs whole addresses; set base_url in the ini file, or --base-url"
        yield Status("none", f"base URL: {text}")
    else:
        found = Status("ok", f"base URL: {url} answers")
        try:
            page = browser.new_page(ignore_https_errors=True)
            page.goto(url, timeout=_ANSWER_SECONDS * 1000, wait_until="commit")
        except Exception as error:
            text = f"{url}: {first_line(error)}; start the application, or correct the address"
            found = Status("missing", f"base URL: {text}")
        yield found
    browser.close()


def _of_model(state: RunState, *, own_model: bool) -> Iterator[Status]:
    settings = state.settings(None)
    yield Status("ok", f"mode: {settings.mode}")
    if settings.mode == "replay":
        return
    if own_model:
        yield Status("ok", "model: the one of the project's own webtask_model fixture")
        return
    for name in dict.fromkeys(settings.models):
        found = Status("ok", f"model: {name}")
        try:
            # A model of the project's own has no service to ask.
            if not is_import_path(name):
                model = state.load_model(name, settings)
                if isinstance(model, CheckedModel):
                    model.check_access()
        except (UsageError, ModelError) as error:
            found = Status("missing", f"model: {name}: {error}")
        yield found


def _recordings(config: pytest.Config) -> Status:
    files = stored(config.rootpath, config.stash[STATE].settings(None).recordings)
    steps = 0
    for each in files:
        try:
            steps += len(load_recording(each.path).steps)
        except RecordingError as error:
            return Status(
                "missing",
                f"recordings: {first_line(error)}; list them: pytest-webtask recordings list",
            )
    return Status("ok", f"recordings: {counted(steps, 'step')} in {counted(len(files), 'file')}")
