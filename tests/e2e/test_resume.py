"""`--webtask-resume`: a run that was killed goes on, with real processes and the real shop."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from pathlib import Path
from unittest import mock

import pytest

from pytest_webtask.journal import IterationEnded, read_file
from tests import nested

ROOT = Path(__file__).parents[2]

CONFTEST = """
import os
import signal
from dataclasses import replace

import pytest

from pytest_webtask import Secret
from pytest_webtask.types.agent import Decision
from pytest_webtask.types.agent import Usage
from pytest_webtask.types.model import ModelTraits
from pytest_webtask.testing import ScriptedModel, call, done, find, rule, shows
from tests.fresh_shop import base_url, fresh, shop


@pytest.fixture(scope="session")
def webtask_data():
    return {"user": "demo", "password": Secret("mug-life-2026")}


def click(role, name, nth=0):
    return call("click", find(role, name, nth=nth))


def seen(role, name):
    return done("done", shows(role, name))


PASSWORD = find("textbox", "Password")
WAYS = {
    "log in as {user} with {password}": [
        call("navigate", url="/login"),
        call("fill", find("textbox", "Username"), text="{user}"),
        call("fill", PASSWORD, text="{password}"),
        call("press", PASSWORD, key="Enter"),
        seen("button", "Log out"),
    ],
    "put a Striped Mug into the cart": [
        call("navigate", url="/products"),
        click("link", "Striped Mug"),
        click("button", "Add to cart"),
        seen("link", "Cart (1 item)"),
    ],
    "open the cart": [click("link", "Cart"), seen("heading", "Your cart")],
}


class Shopper:
    traits = ModelTraits(looks_at_page=False)

    def decide(self, turn):
        if turn.conclusion is not None:
            return Decision([rule(proves=True)], model="shopper", usage=Usage(model_calls=1))
        number = sum(len(i.calls) for i in turn.iterations)
        if os.environ.get("KILLED_IN") == f"{turn.task} {number}":
            os.kill(os.getpid(), signal.SIGKILL)
        if os.environ.get("OFFLINE_IN") == f"{turn.task} {number}":
            raise ConnectionError("no network")
        decided = ScriptedModel(WAYS[turn.task][number]).decide(turn)
        return replace(decided, model="shopper")


@pytest.fixture
def webtask_model():
    return Shopper()
"""

TESTS = """
import os
import pytest

def test_short(webtask):
    webtask.goto("/")
    webtask.do("log in as {user} with {password}")

def test_long(webtask):
    webtask.goto("/")
    webtask.do("log in as {user} with {password}")
    webtask.do('go to "/"')
    webtask.do("put a Striped Mug into the cart")
    webtask.do("open the cart")

def test_broken(webtask):
    webtask.goto("/")
    assert os.environ.get("FIXED")

def test_after(webtask):
    webtask.do("open the cart") if False else webtask.goto("/cart")
"""


class Ran:
    """A run of pytest: what it printed, its outcome, the lines of its journal."""

    def __init__(self, text: str, ret: int, folder: Path) -> None:
        self.text = text
        self.ret = ret
        runs = sorted((folder / ".webtask" / "runs").iterdir())
        paths = sorted(runs[-1].glob("*.jsonl"))
        self.events = [event for path in paths for event in read_file(path)]

    @property
    def outcomes(self) -> dict[str, int]:
        """Its tests by outcome."""
        return pytest.RunResult.parse_summary_nouns(self.text.splitlines())

    def calls(self, test: str = "") -> int:
        """How often a model was asked, in a test or in all."""
        iterations = (
            event.iteration
            for event in self.events
            if isinstance(event, IterationEnded) and test in event.test
        )
        return sum(iteration.usage.model_calls for iteration in iterations)


KILLED = "put a Striped Mug into the cart 2"
"""The task and number of the call in which the process is killed."""


QUICK = ("--webtask-screenshots=off", "-p", "no:allure_pytest", "-p", "no:html")


class Project:
    """A project whose tests run in a process of their own if it is to be killed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *options: str, **environment: str) -> Ran:
        """Run it; `environment` says where it is killed, or what is so otherwise."""
        (self.folder / "conftest.py").write_text(CONFTEST)
        (self.folder / "test_shop.py").write_text(TESTS)
        command = ["-v", "--rootdir=.", "--webtask-mode=auto", *QUICK, *options]
        paths = {"PYTHONPATH": f"{ROOT}:{ROOT / 'example_suite'}"}
        with mock.patch.dict(os.environ, paths | environment):
            own = "KILLED_IN" in environment
            result = nested.run(self.folder, *command, own_process=own)
        return Ran(nested.printed(result), int(result.ret), self.folder)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Project, Ran]:
    """The project after a run that was killed, for copies of it to go on with."""
    project = Project(tmp_path_factory.mktemp("killed"))
    return project, project.run(KILLED_IN=KILLED)


@pytest.fixture
def project(killed: tuple[Project, Ran], tmp_path: Path) -> Project:
    """A copy of the project whose run was killed."""
    shutil.copytree(killed[0].folder, tmp_path / "project")
    return Project(tmp_path / "project")


def test_killed_run_is_resumed(killed: tuple[Project, Ran], project: Project) -> None:
    """Passed tests are skipped, finished steps are replayed as drafts, and the model continues."""
    before = killed[1]
    assert before.ret == -signal.SIGKILL and before.calls() == 5 + 5 + 2
    resumed = project.run("--webtask-resume")
    assert resumed.outcomes == {"passed": 2, "skipped": 1, "failed": 1}, resumed.text
    assert re.search(r"resumes \S+: 1 test passed in it and is skipped", resumed.text)
    # Five calls of the model to log in were made before; the step that was killed is decided anew.
    assert resumed.calls("test_long") == 11 - 5
    assert "drafts replayed: 1 of tests that did not pass before" in resumed.text
    replayed = project.run("--webtask-mode=replay", "-k", "long or short")
    assert replayed.outcomes["passed"] == 2, replayed.text
    assert replayed.calls() == 0
    recording = json.loads((project.folder / "recordings/test_shop/test_long.json").read_text())
    tools = [c["tool"] for c in recording["steps"][1]["calls"]]
    assert tools == ["navigate", "click", "click"]


def test_resume_reruns_failures_and_continues_after_model_errors(tmp_path: Path) -> None:
    """A failed test runs again; one whose model was unreachable begins with its drafts."""
    project = Project(tmp_path)
    broken = project.run(OFFLINE_IN=KILLED)
    assert broken.outcomes == {"passed": 2, "failed": 2}, broken.text
    resumed = project.run("--webtask-resume", FIXED="1")
    assert resumed.outcomes == {"passed": 2, "skipped": 2}, resumed.text
    assert resumed.calls("test_long") == 11 - 5


def test_resumed_run_can_be_resumed(project: Project) -> None:
    """Tests that passed in any of the chained runs are skipped."""
    project.run("--webtask-resume", KILLED_IN="open the cart 1")
    resumed = project.run("--webtask-resume", FIXED="1")
    assert resumed.outcomes == {"passed": 3, "skipped": 1}, resumed.text
    assert resumed.calls("test_long") == 2


def test_xdist_workers_are_resumed(project: Project) -> None:
    """Each xdist worker knows which tests have passed."""
    resumed = project.run("--webtask-resume", "-n2", FIXED="1")
    assert resumed.outcomes == {"passed": 3, "skipped": 1}, resumed.text
    assert "drafts replayed: 1 of tests that did not pass before" in resumed.text


def test_resume_without_a_run_is_an_error(pytester: pytest.Pytester) -> None:
    """The error says that there is no run, and no test runs."""
    pytester.makepyfile(test_it="def test_it(webtask): pass")
    result = pytester.runpytest_subprocess("--webtask-resume")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*can't resume: there is no run*"])
