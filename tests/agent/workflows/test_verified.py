"""`worker-verified`: a verifier who had no part in the work must agree."""

import pytest

from pytest_webtask import TaskFailed, Webtask, WorkerStatus
from pytest_webtask.llm.prompts import render
from tests.agent.workflows.team import Team, agrees, log_in, put_into_cart, recoveries, says
from tests.scripted import call, done

pytestmark = pytest.mark.webtask(workflow="worker-verified")

TASK = "log in as {user} with {password}"


def test_verifier_agrees(webtask: Webtask, team: Team) -> None:
    """`do` returns the worker's words and the evidence that worker and verifier cited, without duplicates."""
    team.scripts = {"worker": log_in(), "verifier": [agrees("mark_complete", "button:Log out")]}
    result = webtask.do(TASK)
    assert team.roles == ["worker", "verifier"]
    assert result.session.feedback == "I am in, believe me"
    assert [c.about for c in result.session.evidence] == ['button "Log out"']
    prompt = render(team.of("verifier")[0])
    assert "Assignment: the whole goal" in prompt.task
    assert "believe me" not in prompt.task + prompt.page
    assert {t.name for t in team.of("verifier")[0].tools} >= {"mark_complete", "continue_work"}
    assert not recoveries(webtask)


def test_verifier_corrects_once(webtask: Webtask, team: Team) -> None:
    """The worker follows the verifier's instruction and is judged by the task once more."""
    team.scripts = {
        "worker": [call("navigate", url="/products"), done(), *put_into_cart()],
        "verifier": [
            says("continue_work", "the cart is empty: put the Striped Mug into it"),
            agrees("mark_complete", "link:Cart", "Cart (1 item)"),
        ],
    }
    webtask.do("put a Striped Mug into the cart")
    assert team.roles == ["worker", "verifier"] * 2
    assert recoveries(webtask) == ["correction"]
    worker = team.of("worker")[-1]
    assert worker.task == "the cart is empty: put the Striped Mug into it"
    assert [e.sentence for e in worker.earlier] == ["put a Striped Mug into the cart"]
    assert team.of("verifier")[1].work.goal == "put a Striped Mug into the cart"  # type: ignore[union-attr]


def test_second_refusal_fails_the_task(webtask: Webtask, team: Team) -> None:
    """The task fails if the verifier still does not agree after its correction."""
    team.scripts = {
        "worker": [done("bought"), done("bought, really")],
        "verifier": [says("continue_work", "buy it"), says("continue_work", "the cart is empty")],
    }
    with pytest.raises(TaskFailed, match="that the task is done: the cart is empty") as f:
        webtask.do("buy a mug")
    assert f.value.result.session.status is WorkerStatus.ABORTED
    assert recoveries(webtask) == ["correction", "abort"]


def test_last_step_is_reserved_for_the_verifier(webtask: Webtask, team: Team) -> None:
    """The worker has one step less, so that a finished task can be judged."""
    team.scripts = {
        "worker": [call("navigate", url="/products"), call("navigate", url="/cart"), done()],
        "verifier": [agrees("mark_complete", "heading:Your cart")],
    }
    session = webtask.do("open the cart", max_steps=4).session
    assert session.steps_used == 4
    assert team.of("worker")[-1].max_steps == 3 and team.of("verifier")[0].max_steps == 4
