"""Workflows that are composed of others."""

from __future__ import annotations

import pytest

from pytest_webtask import (
    Judge,
    Session,
    TaskFailed,
    UsageError,
    Webtask,
    WorkerSession,
    WorkerStatus,
    load_workflow,
)
from pytest_webtask.journal import FailureObserved
from pytest_webtask.llm.prompts import render
from tests.agent.workflows.team import (
    Team,
    Way,
    agrees,
    log_in,
    part,
    put_into_cart,
    recoveries,
    says,
)
from tests.inner import journaled
from tests.scripted import call, done

pytestmark = pytest.mark.slow

HERE = "tests.agent.workflows.test_composed"
LOG_IN, CART = "log in as {user} with {password}", "put a Striped Mug into the cart"
TASK = f"{LOG_IN} and {CART}"
BOUGHT = agrees("mark_task_complete", "link:Cart", "Cart (1 item)")


class CheapFirst:
    """Plans only what a worker alone does not get done."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        work = load_workflow("worker-verified").execute(task, session)
        if work.status is WorkerStatus.COMPLETED:
            return work
        session.note_recovery("new plan", work.feedback)
        return load_workflow("planner").execute(task, session)


class InTwo:
    """Has each half done by another workflow, and all of it judged at the end."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        for half, name in zip(task.split(" and "), ("planner", "worker-verified"), strict=True):
            work = load_workflow(name).execute(half, session)
            if work.status is not WorkerStatus.COMPLETED:
                return work
        judgment = Judge(session, ["mark_complete", "continue_work"]).judge(work, task, 0)
        if not judgment.agrees:
            return session.aborted(judgment.words)
        return session.completed(judgment.words, judgment.evidence, judgment.ruling)


def test_planner_knows_why_the_verifier_refused(webtask: Webtask, team: Team) -> None:
    """The planner learns what the verifier of the first workflow found."""
    team.scripts = {
        "worker": [done(), done(), *put_into_cart()],
        "planner": [part(CART)],
        "verifier": [says("continue_work", "buy it"), says("continue_work", "it is empty"), BOUGHT],
    }
    webtask.do(CART, workflow=f"{HERE}:CheapFirst")
    page = render(team.of("planner")[0]).page
    assert "the verifier called continue_work: it is empty" in page


def test_failed_task_is_aborted_once(webtask: Webtask, team: Team) -> None:
    """Two workflows that give up leave one abort and one look at the page."""
    team.scripts = {
        "worker": [call("abort", reason="too long for me")],
        "planner": [call("abort", reason="impossible")],
    }
    with pytest.raises(TaskFailed, match="impossible"):
        webtask.do(TASK, workflow=f"{HERE}:CheapFirst")
    assert recoveries(webtask) == ["new plan", "abort"]
    assert len([event for event in journaled(webtask) if isinstance(event, FailureObserved)]) == 1


def test_each_workflow_does_its_part(webtask: Webtask, team: Team) -> None:
    """Planner, worker and verifier of a part get that part; the whole task is judged at the end."""
    team.scripts = {
        "planner": [part(LOG_IN)],
        "worker": [*log_in(), *put_into_cart()],
        "verifier": [
            agrees("mark_task_complete", "button:Log out"),
            agrees("mark_complete", "link:Cart", "Cart (1 item)"),
            agrees("mark_complete", "link:Cart", "Cart (1 item)"),
        ],
    }
    webtask.do(TASK, workflow=f"{HERE}:InTwo")
    assert [turn.task for turn in team.of("planner")] == [LOG_IN]
    assert [c.sentence for c in team.conclusions] == [LOG_IN, CART, TASK]
    logged_in, bought, whole = ([*each.actions] for each in team.conclusions)
    assert len(bought) < len(whole) and whole[: len(logged_in)] == logged_in


def test_part_does_not_complete_the_task(webtask: Webtask, team: Team) -> None:
    """A part that its own workflow has completed is an error as the end of the whole task."""
    team.scripts = {
        "planner": [part(LOG_IN)],
        "worker": log_in(),
        "verifier": [agrees("mark_task_complete", "button:Log out")],
    }
    part_only = Way(lambda _, session: load_workflow("planner").execute(LOG_IN, session))
    with pytest.raises(UsageError, match=r"has shown only that 'log in as .* is done. Let a Judge"):
        webtask.do(TASK, workflow=part_only)
