"""What is recorded of a workflow: what was done on the page, and the evidence; planning is not."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask import cli

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]

CONFTEST = """
import os
import pytest
from tests.scripted import call
from tests.agent.workflows.conftest import DATA
from tests.agent.workflows.team import Team, agrees, done, log_in, part, put_into_cart, says, shows
from tests.fresh_shop import base_url, fresh, shop

@pytest.fixture(scope="session")
def webtask_data():
    return dict(DATA)

LOG_IN, CART = "log in as {user} with {password}", "put a Striped Mug into the cart"
GOES_ON = call("start_work")
IN = agrees("mark_subtask_complete", "button:Log out")
BOUGHT = agrees("mark_task_complete", "link:Cart", "Cart (1 item)")
AGREES = agrees("mark_complete", "link:Cart", "Cart (1 item)")
SCRIPTS = {
    "planner": dict(
        planner=[part(LOG_IN), part("buy gold"), part(CART)],
        worker=[*log_in(), call("abort", reason="there is none"), *put_into_cart()],
        verifier=[IN, says("mark_subtask_failed", "there is no gold"), BOUGHT],
    ),
    "scheduler": dict(
        scheduler=[[call("set_subtasks", subtasks=[LOG_IN, CART]), GOES_ON], GOES_ON],
        worker=[*log_in(), *put_into_cart()],
        verifier=[lambda t: call("scroll", direction="down"), IN, BOUGHT],
    ),
    "worker-verified": dict(
        worker=[*log_in(), *put_into_cart()], verifier=[says("continue_work", CART), AGREES]
    ),
    "ways:Outer": dict(
        worker=[
            *(call("note", why="a gift"), *put_into_cart()[:-1]),
            done("bought", shows("link", "Cart", "Cart (1 item)")),
        ],
    ),
}

# What is left to a worker, and to who must agree, where a replay cannot log in.
DRIFTED = dict(worker=[log_in()[1], *put_into_cart()], verifier=[AGREES])

@pytest.fixture
def webtask_model(request):
    if os.environ.get("DRIFTED"):
        return Team(**DRIFTED)
    return Team(**SCRIPTS[request.node.callspec.params["workflow"]])
"""
WAYS = """
from dataclasses import dataclass, field
from pathlib import Path
from pydantic import BaseModel
from pytest_webtask import Worker

class Why(BaseModel):
    why: str

def note(args: Why) -> str:
    "Notes the reason."
    with Path("notes.txt").open("a") as file:
        file.write(args.why + ";")
    return "noted"

class Noting:
    tools = (note,)

    def execute(self, task, session):
        return session.ended_as(Worker(session, tools=[note]).do(task))

@dataclass(slots=True)
class Outer:
    stages: dict = field(default_factory=lambda: {"first": [Noting(), Noting()]})

    def execute(self, task, session):
        return self.stages["first"][0].execute(task, session)
"""
TESTS = """
import pytest
TASK = "log in as {user} with {password} and put a Striped Mug into the cart"

@pytest.mark.parametrize("workflow", ["planner", "scheduler", "worker-verified", "ways:Outer"])
def test_it(webtask, workflow):
    webtask.goto("/")
    webtask.do(TASK + f" ({workflow})", workflow=workflow, max_steps=30)
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a test for each workflow."""
    folder = tmp_path_factory.mktemp("workflows")
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_it.py").write_text(TESTS)
    (folder / "ways.py").write_text(WAYS)
    paths = f"{folder} {ROOT} {ROOT / 'example_suite'}"
    (folder / "pytest.ini").write_text(f"[pytest]\npythonpath = {paths}\n")
    return folder


def test_workflows_are_replayed_without_a_plan(
    project: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each workflow is recorded as its calls and evidence and replayed without any model."""
    monkeypatch.chdir(project)
    here = (f"--rootdir={project}", str(project))
    first = pytester.runpytest(*here, "--webtask-mode=auto")
    first.assert_outcomes(passed=4)
    steps = json.loads((project / "recordings/test_it/test_it.json").read_text())["steps"]
    tools: dict[str, list[str]] = {
        step["sentence"].rpartition("(")[2]: [call["tool"] for call in step["calls"]]
        for step in steps
    }
    work = ["navigate", "fill", "fill", "press", "navigate", "click", "click"]
    assert tools["planner)"] == work
    assert tools["scheduler)"] == [*work[:4], "scroll", *work[4:]]
    assert tools["worker-verified)"] == work
    assert tools["ways:Outer)"] == ["note", *work[4:]]
    evidence: list[Any] = [step["evidence"] for step in steps]
    assert all(each[-1]["check"]["text"] == "Cart (1 item)" for each in evidence)
    report = json.loads((project / ".webtask/report/report.json").read_text())
    [planned] = [t for t in report["tests"] if "planner" in t["id"]]
    step = planned["attempts"][0]["steps"][1]
    assert [part["status"] for part in step["task"]["subtasks"]] == ["done", "failed", "done"]
    assert [each["action"] for each in step["recoveries"]] == ["new plan"]
    roles = {i["role"] for i in step["iterations"]}
    assert roles == {"planner", "worker", "verifier", "referee"}
    replay = pytester.runpytest(*here, "--webtask-mode=replay")
    replay.assert_outcomes(passed=4)
    replay.stdout.fnmatch_lines(["8 steps (8 completed), 4 replayed,*, 0 model calls*"])
    # A tool of an inner workflow is found, and keeps a `reason` of its own.
    assert (project / "notes.txt").read_text() == "a gift;" * 2
    # Where a model has to go on, a verifier must agree, as in the first run.
    path = project / "recordings/test_it/test_it.json"
    path.write_text(re.sub("username", "nickname", path.read_text(), flags=re.IGNORECASE))
    assert cli.main(["accept", "--edited", "test_it.py"]) == 0
    monkeypatch.setenv("DRIFTED", "yes")
    options = ("--webtask-mode=auto", "-k", "verified", "--webtask-timeout=1")
    drifted = pytester.runpytest(*here, *options)
    drifted.assert_outcomes(passed=1, deselected=3)
    drifted.stdout.fnmatch_lines(["2 steps (2 completed), 1 healed,*"])
    report = json.loads((project / ".webtask/report/report.json").read_text())
    step = report["tests"][0]["attempts"][0]["steps"][1]
    assert [i["role"] for i in step["iterations"]][-2:] == ["verifier", "referee"]
