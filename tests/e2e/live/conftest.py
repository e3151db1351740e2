"""Fixtures of live sessions: a project with a small application, and commands in it."""

import io
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask import cli
from pytest_webtask.desk.desk import FOLDER, Desks, wait_for
from tests.site import NOTES, Site

Say = Callable[..., tuple[int, str]]
CONFTEST = """
import pytest
from pytest_webtask import Secret

@pytest.fixture(scope="session")
def webtask_data():
    return {"code": Secret("plum-cake-9")}

@pytest.fixture
def logged_in(page):
    page.context.add_cookies([{"name": "user", "value": "ann", "url": BASE}])

@pytest.fixture
def ann(new_context, webtask_for):
    return webtask_for(new_context().new_page(), name="ann")
"""


def answer_to(printed: str, tool: str, **parameters: Any) -> tuple[str, list[dict[str, Any]]]:
    """Return the turn that was printed, and an answer to it."""
    [turn] = re.findall(r"^===== turn (\S+):", printed, re.M)
    return turn, [{"tool": tool, "input": parameters}]


@pytest.fixture
def project(pytester: pytest.Pytester, site: Site) -> Path:
    """A project whose base URL is an application that keeps notes."""
    site.pages["/"] = NOTES
    pytester.makeconftest(CONFTEST.replace("BASE", repr(site.url)))
    pytester.makeini(f"[pytest]\nbase_url = {site.url}\n")
    return pytester.path


@pytest.fixture
def say(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Say]:
    """Gives a command in the project, and returns its exit code and all that it printed."""

    def say(*arguments: str, calls: list[dict[str, Any]] | None = None) -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(calls).encode())))
        code = cli.main(arguments)
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    yield say
    for desk in Desks(project / FOLDER).open:
        os.kill(desk.pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        wait_for(10, lambda desk=desk: None if desk.is_open else True)  # type: ignore[misc]
