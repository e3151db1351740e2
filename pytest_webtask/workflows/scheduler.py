"""`scheduler`: a queue of subtasks is planned ahead, and anew where it does not work out."""

from __future__ import annotations

from pytest_webtask.records import WorkerSession
from pytest_webtask.roles.judge import Judge, has_output
from pytest_webtask.roles.planning import Scheduler
from pytest_webtask.roles.session import Session
from pytest_webtask.roles.worker import Worker
from pytest_webtask.tools.judging import CONTINUES
from pytest_webtask.workflows.planner import REMEMBERED, settle
from pytest_webtask.workflows.worker import WorkerOnly, refuted


class Scheduled:
    """Scheduler → (worker → verifier) for each subtask of its queue."""

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Have it scheduled, and each subtask done and judged."""
        if session.is_literal():
            return WorkerOnly().execute(task, session)
        scheduler, worker = Scheduler(session), Worker(session, answers=False, spare=1, judged=True)
        done: list[WorkerSession] = []
        while (plan := scheduler.schedule()).done:
            over = self._work_off(session, worker, done)
            if over is not None:
                return over
        return session.aborted(plan.words)

    def _work_off(
        self, session: Session, worker: Worker, done: list[WorkerSession]
    ) -> WorkerSession | None:
        """Do what is planned; the session where the task is done, None where a new plan is needed."""
        while (at := _next(session)) is not None:
            assignment = _begin(session, at)
            last = at == len(session.record.subtasks) - 1
            asked = assignment
            began = len(session.iterations)
            while True:
                work = worker.do(asked, [*session.earlier, *done][-REMEMBERED:])
                said = _judge(session, last).judge(work, assignment, began, last)
                done.append(work if said.agrees else refuted(work, said.words))
                if said.by != CONTINUES:
                    break
                session.rung("correction", said.words)
                asked = said.words
            settle(session, "done" if said.agrees else "failed", said)
            if not said.agrees:
                session.rung("new plan", said.words)
                return None
            if last:
                return session.completed(said.words, said.evidence, said.ruling)
        raise AssertionError("start_work needs a planned subtask")


def _next(session: Session) -> int | None:
    planned = (n for n, s in enumerate(session.record.subtasks) if s.status == "planned")
    return next(planned, None)


def _begin(session: Session, at: int) -> str:
    """Take a planned subtask into work."""
    subtasks = list(session.record.subtasks)
    subtasks[at] = subtasks[at].model_copy(update={"status": "in work"})
    session.change("subtask started", subtasks=tuple(subtasks), current=at)
    return subtasks[at].goal


def _judge(session: Session, last: bool) -> Judge:
    names = ("mark_complete", "continue_work", "request_reschedule")
    return Judge(session, names, has_output(session, "a worker") if last else lambda: "")
