"""Workflows that are composed of others."""

import html
import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from pytest_webtask import (
    Judge,
    Role,
    Session,
    TaskFailed,
    UsageError,
    Webtask,
    Worker,
    WorkerSession,
    WorkerStatus,
    load_workflow,
)
from pytest_webtask.journal import FailureObserved
from pytest_webtask.journal.runs import TestAttempt
from pytest_webtask.llm.prompts import render
from pytest_webtask.report.html import HtmlReport
from pytest_webtask.report.view import Report, Test
from tests.agent.workflows.team import (
    Team,
    agrees,
    log_in,
    part,
    put_into_cart,
    recoveries,
    says,
    shows,
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


class LookFirst:
    """Looks around before it plans, in two phases."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        session.change("A look around")
        Worker(session).do("look around")
        session.change("The order")
        return load_workflow("scheduler").execute(task, session)


class Answer(BaseModel):
    """What a clerk says."""

    words: str


def price(args: Answer) -> str:
    """The price of something."""
    return f"{args.words} costs $12"


CLERK = Role("clerk", "You know what things cost.", Answer, tools=[price], sees_page=False)


class AskFirst:
    """Asks a clerk about what a worker has found, and has the whole task judged."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        work = Worker(session, judged=True).do("look at the front page")
        CLERK.ask(session, "Is it dear?", {"of": work.task_description})
        judgment = Judge(session, ["mark_complete", "continue_work"]).judge(work, task, 0)
        return session.completed(judgment.words, judgment.evidence, judgment.ruling)


def reported(webtask: Webtask, folder: Path) -> tuple[list[str], str]:
    """The headings above iterations in the report of this test so far, and all of its page."""
    test = Test(id="test_it.py::test_it", attempts=[TestAttempt.of(journaled(webtask))])
    HtmlReport(folder).write(Report(tests=[test]))
    page = html.unescape((folder / test.page).read_text("utf-8"))
    headings = re.findall(r'<h3 class="(?:phase|part)">(.*?)</h3>', page)
    return headings, " ".join(re.sub("<[^>]+>", " ", page).split())


def test_planner_knows_why_the_verifier_refused(webtask: Webtask, team: Team) -> None:
    """The planner learns what the verifier of the first workflow found, and still knows it after a subtask."""
    team.scripts = {
        "worker": [done(), done(), done(), *put_into_cart()],
        "planner": [part("look at the shop"), part(CART)],
        "verifier": [
            *(says("continue_work", "buy it"), says("continue_work", "it is empty")),
            *(says("mark_subtask_failed", "no shop is open"), BOUGHT),
        ],
    }
    webtask.do(CART, workflow=f"{HERE}:CheapFirst")
    for turn in team.of("planner"):
        assert "the verifier called continue_work: it is empty" in render(turn).page


def test_report_shows_rounds_and_subtasks_that_nobody_judged(
    webtask: Webtask, team: Team, tmp_path: Path
) -> None:
    """All roles know what an unjudged round did and showed; the report has it under its phase.

    A subtask that a new plan left out is dropped, and one that a limit ended is cut off.
    """
    found = done("AS IT SHOULD BE", shows("link", "All mugs"))
    team.scripts = {
        "worker": [call("navigate", url="/"), found, *log_in(), call("navigate", url="/products")],
        "scheduler": [
            [call("set_subtasks", subtasks=[LOG_IN, "buy gold"]), call("start_work")],
            [call("set_subtasks", subtasks=[CART]), call("start_work")],
        ],
        "verifier": [agrees("mark_subtask_complete", "button:Log out", words="it is open")],
    }
    with pytest.raises(TaskFailed, match="not done within 10 iterations"):
        webtask.do(TASK, workflow=f"{HERE}:LookFirst", max_steps=10)
    for turn in (*team.of("scheduler"), *team.of("verifier")):
        page = render(turn).page
        assert "- look around: the worker's session ended as completed" in page
        assert 'link shows "All mugs"' in page and 'navigate url="/"' in page
        assert "AS IT SHOULD BE" not in page
    task = webtask.state.task
    assert task is not None and task.status == "max_steps" and task.current is None
    assert [each.status for each in task.subtasks] == ["done", "dropped", "cut off"]
    assert task.subtasks[-1].feedback.startswith("the task was not done within 10 iterations")
    assert [(each.subtask, len(each.shown)) for each in task.history] == [(None, 1), (1, 1), (3, 0)]
    headings, page = reported(webtask, tmp_path)
    planned = ["Plan", f"Subtask 1: {LOG_IN}", "Plan", f"Subtask 3: {CART}"]
    assert headings == ["A look around", "Work: look around", "The order", *planned]
    for words in (
        f"workflow {HERE}:LookFirst",
        *(
            "2. buy gold dropped",
            f"3. {CART} cut off $0.00 the task was not done within 10 iterations",
        ),
        'Worker done Verifier did not judge it Shown link shows "All mugs"',
        "Worker done Verifier mark subtask complete: it is open Shown button shows",
        "Worker ran out of steps Verifier did not judge it",
    ):
        assert words in page, words


def test_error_cuts_a_subtask_off(webtask: Webtask, team: Team, tmp_path: Path) -> None:
    """A subtask in which the step broke off is cut off by that error, or because its test went on."""
    team.scripts = {"planner": [part(LOG_IN)] * 2}
    iterations = webtask.steps(TASK, workflow="planner")
    next(iterations)
    iterations.close()
    [cut_off] = webtask.state.task.subtasks  # type: ignore[union-attr]
    assert (cut_off.status, cut_off.feedback[:16]) == ("cut off", "the loop over it")
    with pytest.raises(UsageError, match="no worker answer left"):
        webtask.do(TASK, workflow="planner")
    task = webtask.state.task
    assert task is not None and task.status == "broken off"
    reasons = [each.feedback for each in webtask.state.steps]
    assert reasons[0] == cut_off.feedback and "no worker answer left" in reasons[1]
    assert (
        f"1. {LOG_IN} cut off ScriptedModel has no worker answer" in reported(webtask, tmp_path)[1]
    )


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


def test_each_workflow_does_its_part(webtask: Webtask, team: Team, tmp_path: Path) -> None:
    """Planner, worker and verifier of a part get that part; the whole task is judged at the end.

    That verifier and the second worker know what verifiers cited before. In the report its judgment is under
    no subtask.
    """
    team.scripts = {
        "planner": [part(LOG_IN)],
        "worker": [*log_in()[:-1], done(), *put_into_cart()],
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
    [*_, last] = team.of("verifier")
    assert last.work is not None and team.of("worker")[-1].earlier[0].facts
    shown = [(each.assignment, each.feedback, each.shown[0][:24]) for each in last.work.parts]
    assert shown == [
        (LOG_IN, "", 'button shows "Log out" ('),
        (CART, "", 'link shows "Cart (1 item'),
    ]
    headings, _ = reported(webtask, tmp_path)
    assert headings == [
        *("Plan", f"Subtask 1: {LOG_IN}"),
        *(f"Work: {CART}", "Judgment of the whole task"),
    ]


def test_report_shows_what_a_role_without_a_page_was_asked(
    webtask: Webtask, team: Team, tmp_path: Path
) -> None:
    """Question, material, lookups and answer of a role of the project are in the report, and no actions.

    The round has what its verifier judged if that is not its assignment.
    """
    team.scripts = {
        "worker": [call("navigate", url="/"), done("there", shows("link", "All mugs"))],
        "clerk": [call("price", words="a mug"), call("answer", words="not at all")],
        "verifier": [agrees("mark_complete", "link:All mugs")],
    }
    webtask.do("see the mugs", workflow=f"{HERE}:AskFirst")
    headings, page = reported(webtask, tmp_path)
    assert headings == ["Work: look at the front page", "Role clerk", "Judgment of the whole task"]
    for words in (
        "Iterations 1 2 3 4 5",
        'Question Is it dear? Material What was passed with it { "of": "look at the front page" }',
        'price words "a mug"',
        "a mug costs $12",
        'answer words "not at all"',
        "Judged the whole task Verifier mark complete",
    ):
        assert words in page, words
    assert page.count('words "a mug"') == 1
