"""`planner`: what comes next is planned when it is known what came of the last."""

from __future__ import annotations

from pytest_webtask.records import Subtask, WorkerSession
from pytest_webtask.roles.judge import Judge, has_output, told
from pytest_webtask.roles.planning import Planner
from pytest_webtask.roles.session import Session
from pytest_webtask.roles.worker import Worker
from pytest_webtask.tools.judging import FAILS, Judgement
from pytest_webtask.workflows.worker import WorkerOnly, refuted

REMEMBERED = 3
"""How many of the last assignments a worker is told of."""


class Planned:
    """Planner → worker → verifier, and from the beginning."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Have it planned, done and judged, one subtask after the other."""
        if session.is_literal():
            return WorkerOnly().execute(task, session)
        planner, worker = Planner(session), Worker(session, answers=False, spare=1, judged=True)
        judge = Judge(
            session,
            ("mark_subtask_complete", "mark_subtask_failed", "mark_task_complete"),
            has_output(session, "the planner"),
        )
        done: list[WorkerSession] = []
        while (plan := planner.next()).done:
            began = len(session.iterations)
            work = worker.do(plan.words, [*session.earlier, *done][-REMEMBERED:])
            said = judge.judge(work, plan.words, began)
            failed = said.by in FAILS
            done.append(refuted(work, said.words) if failed else work)
            settle(session, "failed" if failed else "done", said)
            if said.by == "mark_task_complete":
                return session.completed(said.words, said.evidence, said.ruling)
            if failed:
                session.rung("new plan", said.words)
        return session.aborted(plan.words)


def settle(session: Session, status: str, said: Judgement) -> None:
    """The current subtask is over, as it was judged."""
    subtasks, at = list(session.record.subtasks), session.record.current
    assert at is not None, "one is in work"
    subtasks[at] = Subtask(
        goal=subtasks[at].goal,
        status=status,  # type: ignore[arg-type]
        feedback=said.words,
        shown=told(said.evidence),
    )
    session.change(f"subtask {status}", subtasks=tuple(subtasks), current=None)
