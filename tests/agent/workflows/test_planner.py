"""`planner`: one subtask after the other, each planned when it is known what came of the last."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Browser
from shop.server import ShopServer

from pytest_webtask import PageError, Result, TaskFailed, Webtask, WorkerStatus
from pytest_webtask.journal import IterationEnded, Recovery, TaskChanged
from pytest_webtask.llm.prompts import Prompt, render
from pytest_webtask.types.agent import TestState
from tests.agent.workflows.conftest import DATA
from tests.agent.workflows.team import Team, agrees, log_in, part, put_into_cart, recoveries, says
from tests.inner import journaled
from tests.scripted import call, done

pytestmark = pytest.mark.long

TASK = "log in as {user} with {password} and put a Striped Mug into the cart"


GIVES_UP = [call("navigate", url="/products"), call("abort", reason="there is none")]


def planned(team: Team) -> None:
    """The straight way through the task."""
    team.scripts = {
        "planner": [*map(part, TASK.split(" and "))],
        "worker": [*log_in(), *put_into_cart()],
        "verifier": [
            agrees("mark_subtask_complete", "button:Log out", words="{user} is logged in"),
            agrees("mark_task_complete", "link:Cart", "Cart (1 item)", words="one is in the cart"),
        ],
    }


@dataclass
class Run:
    """The straight way, once for all that look at it."""

    result: Result
    team: Team
    state: TestState
    events: list[Any]
    prompts: list[Prompt]


@pytest.fixture(scope="module")
def run(shop: ShopServer, browser: Browser, webtask_for: Callable[..., Webtask]) -> Iterator[Run]:
    """The task done in a page of its own."""
    shop.reset()
    team, prompts = Team(), []
    planned(team)
    judge = team.scripts["verifier"][0]
    team.scripts["verifier"][0] = lambda t: prompts.append(render(t)) or judge  # type: ignore[assignment,func-returns-value,return-value]
    context = browser.new_context()
    webtask = webtask_for(
        context.new_page(), name="buyer", model=team, data=DATA, base_url=shop.url
    )
    result = webtask.do(TASK, workflow="planner")
    events = [event for event in journaled(webtask) if event.webtask == "buyer"]
    yield Run(result, team, webtask.state, events, prompts)
    context.close()


class TestTheStraightWay:
    def test_subtasks_are_planned_done_and_judged_in_turn(self, run: Run) -> None:
        """The roles take turns, and the session numbers all their iterations in one sequence."""
        assert run.team.roles == ["planner", "worker", "verifier"] * 2
        session = run.result.session
        assert session.status is WorkerStatus.COMPLETED
        assert [i.number for i in session.iterations] == list(range(1, len(run.team.turns) + 1))
        assert {i.role for i in session.iterations} == {"planner", "worker", "verifier"}
        assert [c.about for c in session.evidence] == ['link "Cart (1 item)"']
        assert run.result.session.feedback == "one is in the cart"

    def test_record_holds_the_status_of_each_subtask(self, run: Run) -> None:
        """`webtask.state.task` and the journal hold the subtasks and the rounds."""
        record = run.state.task
        assert record is not None and record.status == "completed" and record.workflow == "planner"
        assert [(s.goal, s.status) for s in record.subtasks] == [
            ("log in as {user} with {password}", "done"),
            ("put a Striped Mug into the cart", "done"),
        ]
        assert [(c.worked, c.judged) for c in record.history] == [
            ("completed", "mark_subtask_complete"),
            ("completed", "mark_task_complete"),
        ]
        changes = [event.change for event in run.events if isinstance(event, TaskChanged)]
        part = ["subtask started", "work over", "round judged", "subtask done"]
        assert changes == [*part, *part, "task over"]
        assert not [event for event in run.events if isinstance(event, Recovery)]

    def test_change_is_journaled_before_the_work(self, run: Run) -> None:
        """The start of a subtask is journaled before the worker's iterations."""
        changed = [event for event in run.events if isinstance(event, TaskChanged)]
        started = next(event for event in changed if event.change == "subtask started")
        ended = [event for event in run.events if isinstance(event, IterationEnded)]
        worked = next(event for event in ended if event.iteration.role == "worker")
        assert run.events.index(started) < run.events.index(worked)
        record = started.record
        assert record.subtasks[0].status == "in work" and record.current == 1
        subtasks = {(i.role, i.subtask) for i in run.result.session.iterations}
        assert subtasks == {("planner", None), *product(("worker", "verifier"), (1, 2))}


class TestWhatTheRolesSee:
    def test_planner_sees_no_page(self, run: Run) -> None:
        """The planner gets no observation, and its prompt shows nothing of the page."""
        turn = run.team.of("planner")[1]
        assert not turn.sees
        with pytest.raises(PageError, match="the planner sees no page"):
            turn.observe()
        with pytest.raises(PageError, match="the planner sees no page"):
            _ = turn.page.url
        prompt = render(turn)
        assert prompt.screenshot is None and prompt.shown_by == "read_record"
        assert "Striped Mug" in prompt.task
        assert prompt.page.strip() == (
            "The parts so far:\n"
            "1. log in as {user} with {password}: done. The verifier: {user} is logged in"
        )

    def test_worker_sees_its_subtask_and_earlier_ones(self, run: Run) -> None:
        """The worker sees neither the task nor the plan."""
        first, last = run.team.of("worker")[0], run.team.of("worker")[-1]
        assert first.task == "log in as {user} with {password}" and not first.earlier
        assert last.task == "put a Striped Mug into the cart"
        assert [e.sentence for e in last.earlier] == [first.task]
        assert last.record is None and last.work is None

    def test_verifier_does_not_see_the_workers_words(self, run: Run) -> None:
        """The verifier gets the goal, the assignment, the actions and the page."""
        [prompt] = run.prompts
        whole = prompt.task + prompt.page
        assert "Goal: log in as {user} with {password} and put" in whole
        assert "Assignment: log in as {user} with {password}" in whole
        assert "fill textbox" in prompt.page and "Log out" in prompt.page
        assert "believe me" not in whole
        tools = {tool.name for tool in run.team.of("verifier")[0].tools}
        assert tools == {
            *("look", "scroll", "hover", "switch_tab", "wait"),
            *("mark_subtask_complete", "mark_subtask_failed", "mark_task_complete"),
        }


class TestWhenSomethingFails:
    def test_failed_subtask_is_planned_anew(self, webtask: Webtask, team: Team) -> None:
        """The planner gets the verifier's reason and plans another subtask."""
        team.scripts = {
            "planner": [part("buy the Golden Mug"), part("put a Striped Mug into the cart")],
            "worker": [*GIVES_UP, *put_into_cart()],
            "verifier": [
                says("mark_subtask_failed", "the list has no Golden Mug, but a Striped Mug"),
                agrees("mark_task_complete", "link:Cart", "Cart (1 item)"),
            ],
        }
        webtask.do("buy a nice mug", workflow="planner")
        assert "no Golden Mug" in render(team.of("planner")[1]).page
        assert team.of("verifier")[0].work.worked == "aborted"  # type: ignore[union-attr]
        assert recoveries(webtask) == ["new plan"]
        assert webtask.state.task is not None
        assert [s.status for s in webtask.state.task.subtasks] == ["failed", "done"]

    def test_planner_that_gives_up_fails_the_task(self, webtask: Webtask, team: Team) -> None:
        """The task fails with the planner's reason, and the journal has the last recovery."""
        team.scripts = {
            "planner": [
                part("buy the Golden Mug"),
                call("abort", reason="the shop has no such mug"),
            ],
            "worker": [*GIVES_UP],
            "verifier": [says("mark_subtask_failed", "the list has no Golden Mug")],
        }
        with pytest.raises(TaskFailed, match="the shop has no such mug") as failed:
            webtask.do("buy the Golden Mug", workflow="planner")
        assert failed.value.result.session.status is WorkerStatus.ABORTED
        assert recoveries(webtask) == ["new plan", "abort"]
        assert webtask.state.errors[0].startswith("do('buy the Golden Mug'): aborted: the shop has")

    def test_invalid_subtask_is_sent_back(self, webtask: Webtask, team: Team) -> None:
        """An empty subtask or an unknown placeholder costs one iteration and leaves the plan as it was."""
        planned(team)
        team.scripts["planner"].insert(0, part("log in with {code}"))
        team.scripts["planner"].insert(0, part(" "))
        session = webtask.do(TASK, workflow="planner").session
        errors = [c.error for i in session.iterations for c in i.calls if c.error]
        assert "the subtask is empty: pass a sentence" in errors[0] and "code" in errors[1]
        assert webtask.state.task is not None and len(webtask.state.task.subtasks) == 2


class TestLimits:
    def test_roles_share_the_time_of_the_task(self, webtask: Webtask, team: Team) -> None:
        """No role is called after `timeout` seconds."""
        team.scripts = {
            "planner": [part("wait")] * 50,
            "worker": [call("wait", seconds=0.3), done()] * 50,
            "verifier": [says("mark_subtask_failed", "no")] * 50,
        }
        with pytest.raises(TaskFailed, match="was not done within 1 s") as failed:
            webtask.do("wait for ever", workflow="planner", timeout=1, max_steps=100)
        assert failed.value.result.session.status is WorkerStatus.TIMED_OUT
        team.scripts = {}


class TestOutput:
    def test_task_needs_its_output_to_complete(self, webtask: Webtask, team: Team) -> None:
        """A worker may end its subtask without the output, but the task cannot complete without it."""
        planned(team)
        team.scripts["planner"].append(part("report how many are in the cart"))
        team.scripts["worker"] += [call("set_output", output=1), done()]
        team.scripts["verifier"] += [
            agrees(f"mark_{what}_complete", "link:Cart", "Cart (1 item)")
            for what in ("subtask", "task")
        ]
        result = webtask.do(TASK + " and tell how many are in it", workflow="planner", output=int)
        assert result.output == 1
        [error] = [c.error for i in result.session.iterations for c in i.calls if c.error]
        assert "the task asks for a value" in error


def test_literal_sentence_needs_no_plan(webtask: Webtask, team: Team) -> None:
    """Every workflow runs a literal sentence without a planner or a verifier."""
    webtask.goto("/")
    for workflow in ("worker", "worker-verified", "planner", "scheduler"):
        webtask.do('go to "/products"', workflow=workflow)
    assert not team.turns


def test_steps_yields_iterations_of_all_roles(webtask: Webtask, team: Team) -> None:
    """Each iteration is yielded before the next role gets its turn."""
    planned(team)
    seen = []
    for iteration in webtask.steps(TASK, workflow="planner"):
        seen.append(iteration.role)
        assert len(team.turns) == len(seen)
    assert [r for n, r in enumerate(seen) if not n or seen[n - 1] != r] == [
        "planner", "worker", "verifier"] * 2  # fmt: skip
