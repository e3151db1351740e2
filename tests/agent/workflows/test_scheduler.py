"""`scheduler`: a queue that is planned ahead, worked off, and planned anew where it does not work."""

import pytest

from pytest_webtask import TaskFailed, Webtask
from pytest_webtask.llm.prompts import render
from pytest_webtask.types.agent import ProposedToolCall
from tests.agent.workflows.team import (
    Team,
    agrees,
    changes,
    log_in,
    put_into_cart,
    recoveries,
    rules_on,
    says,
)
from tests.scripted import call, done, rule

pytestmark = pytest.mark.long

TASK = "log in as {user} with {password} and put a Striped Mug into the cart"
LOG_IN, CART = "log in as {user} with {password}", "put a Striped Mug into the cart"


def plan(*subtasks: str) -> list[ProposedToolCall]:
    """A scheduler sets its queue and starts."""
    return [call("set_subtasks", subtasks=list(subtasks)), call("start_work")]


GOES_ON = call("start_work")
IN = agrees("mark_subtask_complete", "button:Log out", words="logged in")
SHOWN = ("button:Log out", "link:Cart", "link:Stock check")
BOUGHT = agrees("mark_task_complete", "link:Cart", "Cart (1 item)", words="one is in the cart")


def goals(webtask: Webtask) -> list[tuple[str, str]]:
    """Each subtask of the last task with its status."""
    assert webtask.state.task is not None
    return [(each.goal, each.status) for each in webtask.state.task.subtasks]


class TestTheStraightWay:
    def test_queue_is_processed_in_order(self, webtask: Webtask, team: Team) -> None:
        """The scheduler starts each subtask; worker and verifier follow, and the last one ends the task."""
        team.scripts = {
            "scheduler": [plan(LOG_IN, CART), GOES_ON],
            "worker": [*log_in(), *put_into_cart()],
            "verifier": [IN, BOUGHT],
        }
        result = webtask.do(TASK, workflow="scheduler")
        assert team.roles == ["scheduler", "worker", "verifier"] * 2
        assert result.session.feedback == "one is in the cart"
        assert [c.about for c in result.session.evidence] == ['link "Cart (1 item)"']
        record = webtask.state.task
        assert record is not None and record.current is None
        assert [(s.goal, s.status, s.feedback) for s in record.subtasks] == [
            (LOG_IN, "done", "logged in"),
            (CART, "done", "one is in the cart"),
        ]
        assert [c.judged for c in record.history] == ["mark_subtask_complete", "mark_task_complete"]
        begun = ["subtask started", "work over", "round judged", "subtask done"]
        assert changes(webtask) == ["subtasks set", *begun, *begun, "task over"]
        first, last = team.of("verifier")
        assert first.work.last is False and last.work.last is True  # type: ignore[union-attr]
        assert "Nothing is planned after this part" in render(last).task
        assert {tool.name for tool in last.tools} == {
            *("look", "scroll", "hover", "switch_tab", "wait"),
            *("mark_subtask_complete", "mark_task_complete", "continue_work", "request_reschedule"),
        }
        assert [e.sentence for e in team.of("worker")[-1].earlier] == [LOG_IN]
        page = render(team.of("scheduler")[1]).page
        assert f"1. {LOG_IN}: done. The verifier: logged in" in page
        assert f"2. {CART}: planned" in page


class TestPlanAfterSuccess:
    def test_subtask_is_added_for_what_was_found(self, webtask: Webtask, team: Team) -> None:
        """The scheduler adds a subtask to an empty queue when the verifier found the task incomplete."""
        team.scripts = {
            "scheduler": [plan(LOG_IN), plan(CART)],
            "worker": [*log_in(), *put_into_cart()],
            "verifier": [
                agrees("mark_subtask_complete", "button:Log out", words="the cart is empty"),
                BOUGHT,
            ],
        }
        webtask.do(TASK, workflow="scheduler")
        assert "The verifier: the cart is empty" in render(team.of("scheduler")[1]).page
        assert goals(webtask) == [(LOG_IN, "done"), (CART, "done")]
        assert not recoveries(webtask)

    def test_reschedule_after_success_changes_the_plan(self, webtask: Webtask, team: Team) -> None:
        """A verifier may ask for another plan though the subtask is done, which is then not repeated.

        What the new plan leaves out is dropped under its number, and nothing is planned after the last one
        of those that stay.
        """
        team.scripts = {
            "scheduler": [plan(LOG_IN, "buy gold", CART, "pay"), plan(CART)],
            "worker": [*log_in(), *put_into_cart()],
            "verifier": [
                agrees("request_reschedule", "button:Log out", words="there is no gold"),
                BOUGHT,
            ],
        }
        webtask.do(TASK, workflow="scheduler")
        dropped = [("buy gold", "dropped"), (CART, "done"), ("pay", "dropped")]
        assert goals(webtask) == [(LOG_IN, "done"), *dropped]
        assert [t.work.last for t in team.of("verifier") if t.work] == [False, True]
        assert not recoveries(webtask)

    def test_met_goal_ends_the_task_early(self, webtask: Webtask, team: Team) -> None:
        """A verifier who shows that the whole task is done ends it before the queue is empty; the rest is dropped."""
        team.scripts = {
            "scheduler": [plan(CART, "look at the cart")],
            "worker": put_into_cart(),
            "verifier": [BOUGHT],
        }
        task = "put a Striped Mug into the cart"
        result = webtask.do(task, workflow="scheduler")
        assert result.session.feedback == "one is in the cart"
        assert goals(webtask) == [(CART, "done"), ("look at the cart", "dropped")]
        assert [each.sentence for each in team.conclusions] == [task]


class TestNoFalsePass:
    def test_incomplete_plan_does_not_complete_the_task(self, webtask: Webtask, team: Team) -> None:
        """A proved subtask completes no task, though nothing is planned after it."""
        team.scripts = {
            "scheduler": [plan(LOG_IN), call("abort", reason="nothing is left to do")],
            "worker": log_in(),
            "verifier": [agrees("mark_task_complete", shown) for shown in SHOWN],
            "referee": [rules_on(LOG_IN)] * 3,
        }
        with pytest.raises(TaskFailed, match="nothing is left to do"):
            webtask.do(TASK, workflow="scheduler")
        assert [each.sentence for each in team.conclusions] == [TASK] * 3
        assert goals(webtask) == [(LOG_IN, "failed")]

    def test_met_goal_needs_evidence_and_the_referee(self, webtask: Webtask, team: Team) -> None:
        """A verifier who only says that the task is done early is refused until facts prove it."""
        team.scripts = {
            "scheduler": [plan(LOG_IN, CART), GOES_ON],
            "worker": [*log_in(), *put_into_cart()],
            "verifier": [
                call("mark_task_complete", reason="all is done", evidence=[]),
                agrees("mark_task_complete", "button:Log out", "Log in"),
                agrees("mark_task_complete", "button:Log out"),
                IN,
                BOUGHT,
            ],
            "referee": [rule(proves=False, missing="the cart"), *[rule(proves=True)] * 2],
        }
        session = webtask.do(TASK, workflow="scheduler", max_steps=30).session
        errors = [c.error for i in session.iterations for c in i.calls if c.error]
        assert [error and error.partition(":")[0] for error in errors] == [
            "there is no evidence",
            "the evidence is not enough",
            "A referee, who sees only the conclusion and the facts of your checks, does not find it"
            " proved",
        ]
        assert goals(webtask) == [(LOG_IN, "done"), (CART, "done")]

    def test_reschedule_after_success_needs_evidence_and_the_referee(
        self, webtask: Webtask, team: Team
    ) -> None:
        """A subtask that the verifier only calls done fails if the referee does not find it proved."""
        team.scripts = {
            "scheduler": [plan(LOG_IN, CART), call("abort", reason="the log in fails")],
            "worker": log_in(),
            "verifier": [
                call("request_reschedule", reason="done, plan on", subtask_done=True),
                *[agrees("request_reschedule", shown) for shown in SHOWN],
            ],
            "referee": [rules_on("something else")] * 3,
        }
        with pytest.raises(TaskFailed, match="the log in fails") as failed:
            webtask.do(TASK, workflow="scheduler")
        calls = [c for i in failed.value.result.session.iterations for c in i.calls]
        assert "there is no evidence" in next(c.error for c in calls if c.error)
        assert goals(webtask) == [(LOG_IN, "failed"), (CART, "planned")]
        assert [each.sentence for each in team.conclusions] == [LOG_IN] * 3


class TestWhenSomethingFails:
    def test_correction_goes_back_to_the_worker(self, webtask: Webtask, team: Team) -> None:
        """The worker gets the verifier's instruction as its task and continues on the page as it is."""
        team.scripts = {
            "scheduler": [plan(CART)],
            "worker": [call("navigate", url="/products"), done(), *put_into_cart()],
            "verifier": [
                says("continue_work", "put the Striped Mug into the cart, which is empty"),
                BOUGHT,
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
                GOES_ON,
                plan(CART),
            ],
            "worker": [*log_in(), call("abort", reason="there is no such list"), *put_into_cart()],
            "verifier": [
                IN,
                says("request_reschedule", "there are no golden mugs, but a Striped Mug"),
                BOUGHT,
            ],
        }
        webtask.do(TASK, workflow="scheduler", max_steps=30)
        assert recoveries(webtask) == ["new plan"]
        assert goals(webtask) == [
            (LOG_IN, "done"),
            ("open the list of golden mugs", "failed"),
            ("buy the first", "dropped"),
            (CART, "done"),
        ]
        page = render(team.of("scheduler")[2]).page
        assert "2. open the list of golden mugs: failed. The verifier: there are no golden" in page
        assert "3. buy the first: planned" in page
        assert "aborted (there is no such list); the verifier called request_reschedule" in page

    def test_invalid_plan_is_sent_back(self, webtask: Webtask, team: Team) -> None:
        """An empty queue or an unknown value is an error result and leaves the queue as it was."""
        team.scripts = {
            "scheduler": [
                call("start_work"),
                call("set_subtasks", subtasks=["buy {nothing}"]),
                call("set_subtasks", subtasks=[]),
                plan(LOG_IN, CART),
                GOES_ON,
            ],
            "worker": [*log_in(), *put_into_cart()],
            "verifier": [IN, BOUGHT],
        }
        session = webtask.do(TASK, workflow="scheduler", max_steps=30).session
        errors = [c.error or "" for i in session.iterations for c in i.calls if not c.success]
        expected = ["no subtask is planned: call set_subtasks", "nothing", "at least 1 item"]
        assert all(part in error for part, error in zip(expected, errors, strict=True)), errors
        assert goals(webtask) == [(LOG_IN, "done"), (CART, "done")]
