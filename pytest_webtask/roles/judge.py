"""The verifier of work: sees what was asked for, what was done and the page, and has no part in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_webtask.records import Work, WorkerSession
from pytest_webtask.roles.session import Session
from pytest_webtask.roles.verifier import READING, ROLE
from pytest_webtask.roles.worker import actions
from pytest_webtask.tools import Toolbox
from pytest_webtask.tools.judging import Judgement, judging

__all__ = ["Judge", "has_output"]


@dataclass(frozen=True)
class Judge:
    """Judges what a worker has done, by one of the tools of `names`; see `tools/judging.py`.

    `needs` says what is missing for the whole task to be done.
    """

    session: Session
    names: Sequence[str]
    needs: Callable[[], str] = lambda: ""

    def judge(
        self, done: WorkerSession, assignment: str, before: int, last: bool | None = None
    ) -> Judgement:
        """Look at what came of an assignment; nothing of what the worker said is told.

        `before` is how many iterations there had been when it began. Raises LimitReached.
        """
        session = self.session
        judgement = Judgement()
        at = session.record.current
        parts = session.record.subtasks[: len(session.record.subtasks) if at is None else at]
        seen = next((i.observed for i in session.iterations[before:] if i.observed), None)
        session.hold(
            ROLE,
            session.task,
            Toolbox([*READING, *judging(judgement, self.names, needs=self.needs)]),
            actions=(*session.acted, *actions(session.iterations)),
            before=seen or session.before,
            work=Work(
                goal=session.task,
                assignment=assignment,
                worked=done.status.value,
                parts=tuple(s.model_copy(update={"feedback": ""}) for s in parts),
                last=last,
            ),
        )
        return judgement


def has_output(session: Session, who: str) -> Callable[[], str]:
    """Whether the value that a task asks for was given; `who` has it read."""

    def missing() -> str:
        if session.output is None or session.hands.has_output:
            return ""
        return (
            "the task asks for a value that no worker has given since the page last changed: it is"
            f" not done, so that {who} has it read"
        )

    return missing
