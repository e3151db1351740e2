"""The verifier of work: sees what was asked for, what was done and the page, and has no part in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pytest_webtask.records import CheckResult, Cycle, Subtask, Work, WorkerSession, WorkerStatus
from pytest_webtask.roles.session import Session
from pytest_webtask.roles.verifier import READING, ROLE
from pytest_webtask.roles.worker import actions
from pytest_webtask.tools import Toolbox
from pytest_webtask.tools.judging import CONTINUES, Judgement, judging

__all__ = ["Judge", "has_output", "told"]

_LINE = 400


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
        """Look at what came of an assignment, and take the round into the record.

        Of a worker who says that it is done not a word is told, of one who gave up the reason.
        `before` is how many iterations there had been when the assignment began, `last` whether
        nothing is planned after it. Raises LimitReached.
        """
        session, hidden = self.session, self.session.hands.data.hidden
        judgement, assignment = Judgement(), hidden(assignment)
        seen = next((i.observed for i in session.iterations[before:] if i.observed), None)
        gave_up = done.feedback if done.status is WorkerStatus.ABORTED else ""
        session.hold(
            ROLE,
            session.task,
            Toolbox(
                [
                    *READING,
                    *judging(
                        judgement,
                        self.names,
                        task=session.review(assignment, before),
                        whole=session.review(hidden(session.task)),
                        needs=self.needs,
                    ),
                ]
            ),
            actions=(*session.acted, *actions(session.iterations)),
            before=seen or session.before,
            work=Work(
                goal=hidden(session.task),
                assignment=assignment,
                worked=done.status.value,
                gave_up=gave_up,
                shown=told(done.evidence),
                rounds=self._rounds(assignment),
                parts=self._parts(),
                last=last,
            ),
        )
        session.note(
            Cycle(
                subtask=assignment,
                assignment=done.task_description,
                worked=done.status.value,
                judged=judgement.by,
                feedback=judgement.words,
                gave_up=gave_up,
            )
        )
        return judgement

    def _rounds(self, assignment: str) -> tuple[Cycle, ...]:
        """With what a worker was sent back to it; a second opinion is not told the first."""
        rounds: list[Cycle] = []
        for cycle in reversed(self.session.record.history):
            if cycle.subtask != assignment or cycle.judged != CONTINUES:
                break
            rounds.insert(0, cycle)
        return tuple(rounds)

    def _parts(self) -> tuple[Subtask, ...]:
        """The parts before the one in work, without a verifier's words."""
        record = self.session.record
        parts = record.subtasks[
            : len(record.subtasks) if record.current is None else record.current
        ]
        return tuple(part.model_copy(update={"feedback": ""}) for part in parts)


def told(evidence: Sequence[CheckResult]) -> tuple[str, ...]:
    """Checks as code has run them, in a line each."""
    return tuple(
        (each.fact.describe() if each.fact else f"{each.about}: {each.expected}")[:_LINE]
        for each in evidence
    )


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
