"""`--webtask-resume`: a run that was killed goes on, with real processes and the real shop."""

import os
import re
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from pytest_webtask.journal import IterationEnded
from tests.inner import Project, Run, project

ROOT = Path(__file__).parents[2]
PATHS = {"PYTHONPATH": f"{ROOT}:{ROOT / 'example_suite'}"}

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

KILLED = "put a Striped Mug into the cart 2"
"""The task and number of the call in which the process is killed."""


def ran(inner: Project, *options: str, **environment: str) -> Run:
    """Run the project; `environment` says where it is killed, or what is so otherwise."""
    with mock.patch.dict(os.environ, PATHS | environment):
        own = "KILLED_IN" in environment
        return inner.run("--webtask-mode=auto", "--webtask-timeout=10", *options, own_process=own)


def counted(run: Run) -> dict[str, int]:
    """How many tests of a run passed, failed or were skipped."""
    return Counter(run.outcomes.values())


def calls(run: Run, test: str = "") -> int:
    """How often a model was asked, in a test or in all."""
    events = run.events(IterationEnded, test)
    return sum(event.iteration.usage.model_calls for event in events)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Project, Run]]:
    """The project after a run that was killed, for copies of it to go on with."""
    with project(tmp_path_factory.mktemp("killed"), "", TESTS, CONFTEST) as inner:
        yield inner, ran(inner, KILLED_IN=KILLED)


@pytest.fixture
def inner(killed: tuple[Project, Run], tmp_path: Path) -> Project:
    """A copy of the project whose run was killed."""
    return killed[0].copy(tmp_path)


def test_killed_run_is_resumed(killed: tuple[Project, Run], inner: Project) -> None:
    """Passed tests are skipped, finished steps are replayed as drafts, and the model continues."""
    before = killed[1]
    assert before.code == -signal.SIGKILL and calls(before) == 5 + 5 + 2
    resumed = ran(inner, "--webtask-resume")
    assert counted(resumed) == {"passed": 2, "skipped": 1, "failed": 1}, resumed.printed
    assert re.search(r"resumes \S+: 1 test passed in it and is skipped", resumed.printed)
    # Five calls of the model to log in were made before; the step that was killed is decided anew.
    assert calls(resumed, "test_long") == 11 - 5
    assert "drafts replayed: 1 of tests that did not pass before" in resumed.printed
    replayed = ran(inner, "--webtask-mode=replay", "-k", "long or short")
    assert counted(replayed) == {"passed": 2}, replayed.printed
    assert calls(replayed) == 0
    tools = [call["tool"] for call in inner.steps("test_long")[1]["calls"]]
    assert tools == ["navigate", "click", "click"]


def test_resume_reruns_failures_and_continues_after_model_errors(tmp_path: Path) -> None:
    """A failed test runs again; one whose model was unreachable begins with its drafts."""
    with project(tmp_path, "", TESTS, CONFTEST) as inner:
        broken = ran(inner, OFFLINE_IN=KILLED)
        assert counted(broken) == {"passed": 2, "failed": 2}, broken.printed
        resumed = ran(inner, "--webtask-resume", FIXED="1")
    assert counted(resumed) == {"passed": 2, "skipped": 2}, resumed.printed
    assert calls(resumed, "test_long") == 11 - 5


def test_resumed_run_can_be_resumed(inner: Project) -> None:
    """Tests that passed in any of the chained runs are skipped."""
    ran(inner, "--webtask-resume", KILLED_IN="open the cart 1")
    resumed = ran(inner, "--webtask-resume", FIXED="1")
    assert counted(resumed) == {"passed": 3, "skipped": 1}, resumed.printed
    assert calls(resumed, "test_long") == 2


def test_xdist_workers_are_resumed(inner: Project) -> None:
    """Each xdist worker knows which tests have passed."""
    resumed = ran(inner, "--webtask-resume", "-n2", FIXED="1")
    assert counted(resumed) == {"passed": 3, "skipped": 1}, resumed.printed
    assert "drafts replayed: 1 of tests that did not pass before" in resumed.printed


def test_resume_without_a_run_is_an_error(tmp_path: Path) -> None:
    """The error says that there is no run, and no test runs."""
    with project(tmp_path, "", TESTS, CONFTEST) as inner:
        refused = ran(inner, "--webtask-resume")
    assert refused.code == pytest.ExitCode.USAGE_ERROR
    assert "can't resume: there is no run" in refused.printed
