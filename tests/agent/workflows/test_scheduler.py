"""`scheduler`: a queue that is planned ahead, worked off, and planned anew where it does not work."""

from __future__ import annotations

import pytest

from pytest_webtask import TaskFailed, Webtask, WorkerStatus
from pytest_webtask.llm.prompts import render
from pytest_webtask.types.agent import ProposedToolCall
from tests.agent.workflows.team import (
    Team,
    agrees,
    changes,
    log_in,
    put_into_cart,
    recoveries,
    says,
)
from tests.scripted import call, done

TASK = "log in as {user} with {password} and put a Striped Mug into the cart"
LOG_IN, CART = "log in as {user} with {password}", "put a Striped Mug into the cart"


def plan(*subtasks: str) -> list[ProposedToolCall]:
    """A scheduler sets its queue and starts."""
    return [call("set_subtasks", subtasks=list(subtasks)), call("start_work")]


class TestTheStraightWay:
    def test_queue_is_processed_in_order(self, webtask: Webtask, team: Team) -> None:
        """The scheduler is called once; worker and verifier follow for each subtask."""
        team.scripts = {
            "scheduler": [plan(LOG_IN, CART)],
            "worker": [*log_in(), *put_into_cart()],
            "verifier": [
                agrees("mark_complete", "button:Log out", words="logged in"),
                agrees("mark_complete", "link:Cart", "Cart (1 item)", words="one is in the cart"),
            ],
        }
        result = webtask.do(TASK, workflow="scheduler")
        assert team.roles == ["scheduler", *["worker", "verifier"] * 2]
        assert result.feedback == "one is in the cart"
        assert [c.about for c in result.session.evidence] == ['link "Cart (1 item)"']
        record = webtask.state.task
        assert record is not None and record.current is None
        assert [(s.goal, s.status, s.feedback) for s in record.subtasks] == [
            (LOG_IN, "done", "logged in"),
            (CART, "done", "one is in the cart"),
        ]
        assert [c.judged for c in record.history] == ["mark_complete"] * 2
        begun = ["subtask started", "round over", "subtask done"]
        assert changes(webtask) == ["subtasks set", *begun, *begun]
        first, last = team.of("verifier")
        assert first.work.last is False and last.work.last is True  # type: ignore[union-attr]
        assert {tool.name for tool in last.tools} >= {
            *("mark_complete", "continue_work", "request_reschedule")
        }
        assert [e.task_description for e in team.of("worker")[-1].earlier] == [LOG_IN]


class TestWhenSomethingFails:
    def test_correction_goes_back_to_the_worker(self, webtask: Webtask, team: Team) -> None:
        """The worker gets the verifier's instruction as its task and continues on the page as it is."""
        team.scripts = {
            "scheduler": [plan(CART)],
            "worker": [call("navigate", url="/products"), done(), *put_into_cart()],
            "verifier": [
                says("continue_work", "put the Striped Mug into the cart, which is empty"),
                agrees("mark_complete", "link:Cart", "Cart (1 item)"),
            ],
        }
        webtask.do("buy a Striped Mug", workflow="scheduler")
        assert recoveries(webtask) == ["correction"]
        assert team.of("worker")[-1].task == "put the Striped Mug into the cart, which is empty"
        assert team.of("verifier")[1].work.assignment == CART  # type: ignore[union-attr]

    def test_new_plan_keeps_finished_and_failed_subtasks(
        self, webtask: Webtask, team: Team
    ) -> None:
        """Finished subtasks are not repeated, and failed ones stay in the list."""
        team.scripts = {
            "scheduler": [
                plan(LOG_IN, "open the list of golden mugs", "buy the first"),
                call("start_work"),
                plan(CART),
            ],
            "worker": [*log_in(), call("abort", reason="there is no such list"), *put_into_cart()],
            "verifier": [
                agrees("mark_complete", "button:Log out"),
                says("request_reschedule", "there are no golden mugs, but a Striped Mug"),
                agrees("mark_complete", "link:Cart", "Cart (1 item)"),
            ],
        }
        webtask.do(TASK, workflow="scheduler", max_steps=30)
        assert recoveries(webtask) == ["new plan"]
        [error] = [c.error for i in webtask.state.steps[-1].iterations for c in i.calls if c.error]
        assert "a subtask has failed, and the plan has not changed since" in error
        assert webtask.state.task is not None
        assert [(s.goal, s.status) for s in webtask.state.task.subtasks] == [
            (LOG_IN, "done"),
            ("open the list of golden mugs", "failed"),
            (CART, "done"),
        ]
        page = render(team.of("scheduler")[1]).page
        assert "2. open the list of golden mugs: failed. The verifier: there are no golden" in page
        assert "3. buy the first: planned" in page
        assert (
            "ended as aborted (there is no such list); the verifier called request_reschedule"
            in page
        )

    def test_invalid_plan_is_sent_back(self, webtask: Webtask, team: Team) -> None:
        """An index out of range or an empty queue is an error result and leaves the queue as it was."""
        team.scripts = {
            "scheduler": [
                call("start_work"),
                call("delete_subtask", index=1),
                [call("add_subtask", subtask=CART), call("update_subtask", index=2, subtask="x")],
                [call("insert_subtask", subtask="x", index=3)],
                [call("insert_subtask", subtask="x", index=0)],
                call("update_subtask", index=1, subtask="buy {nothing}"),
                call("set_subtasks", subtasks=[]),
                [
                    call("insert_subtask", subtask=LOG_IN, index=1),
                    call("add_subtask", subtask="pay"),
                    call("update_subtask", index=2, subtask=CART),
                    call("delete_subtask", index=3),
                    call("start_work"),
                ],
            ],
            "worker": [*log_in(), *put_into_cart()],
            "verifier": [
                agrees("mark_complete", "button:Log out"),
                agrees("mark_complete", "link:Cart", "Cart (1 item)"),
            ],
        }
        session = webtask.do(TASK, workflow="scheduler", max_steps=30).session
        errors = [c.error or "" for i in session.iterations for c in i.calls if not c.success]
        for error, expected in zip(
            errors,
            [
                "no subtask is planned: call set_subtasks",
                "no subtask 1 is planned: the plan is empty",
                "no subtask 2 is planned: use 1",
                "cannot insert before 3: use 1 to 2",
                "cannot insert before 0: use 1 to 2",
                "nothing",
                "at least 1 item",
            ],
            strict=True,
        ):
            assert expected in error
        assert webtask.state.task is not None
        assert [s.goal for s in webtask.state.task.subtasks] == [LOG_IN, CART]

    def test_started_subtask_cannot_be_changed(self, webtask: Webtask, team: Team) -> None:
        """Subtasks that are done or in work cannot be deleted, replaced or moved."""
        team.scripts = {
            "scheduler": [
                plan(LOG_IN, "buy gold"),
                [call("delete_subtask", index=1)],
                [call("insert_subtask", subtask="x", index=2)],
                plan(CART),
            ],
            "worker": [*log_in(), done(), *put_into_cart()],
            "verifier": [
                agrees("mark_complete", "button:Log out"),
                says("request_reschedule", "there is no gold"),
                agrees("mark_complete", "link:Cart", "Cart (1 item)"),
            ],
        }
        session = webtask.do(TASK, workflow="scheduler", max_steps=30).session
        errors = [c.error or "" for i in session.iterations for c in i.calls if not c.success]
        assert "no subtask 1 is planned: the plan is empty" in errors[0]
        assert "cannot insert before 2: use 3" in errors[1]

    def test_scheduler_that_gives_up_fails_the_task(self, webtask: Webtask, team: Team) -> None:
        """The task fails with the scheduler's reason."""
        team.scripts = {"scheduler": [call("abort", reason="nobody sells that")]}
        with pytest.raises(TaskFailed, match="nobody sells that"):
            webtask.do("buy the moon", workflow="scheduler")
        assert recoveries(webtask) == ["abort"]

    def test_endless_corrections_end_at_the_limit(self, webtask: Webtask, team: Team) -> None:
        """Worker and verifier share the steps of the task."""
        team.scripts = {
            "scheduler": [plan("try")],
            "worker": [done()] * 20,
            "verifier": [says("continue_work", "try harder")] * 20,
        }
        with pytest.raises(TaskFailed, match="was not done within 9 steps") as failed:
            webtask.do("do the impossible", workflow="scheduler", max_steps=9)
        assert failed.value.result.session.status is WorkerStatus.MAX_STEPS
        assert set(recoveries(webtask)) == {"correction", "abort"}
        team.scripts = {}
