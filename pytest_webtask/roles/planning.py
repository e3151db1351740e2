"""The roles that plan: they see the task and what came of its parts, and never the page."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_webtask.roles.session import Session
from pytest_webtask.tools import Toolbox
from pytest_webtask.tools.hands import Ending
from pytest_webtask.tools.planning import ABORT, queue, start_subtask

__all__ = ["Planner", "Scheduler"]


@dataclass(frozen=True)
class Planner:
    """Says what comes next, of a task that is planned as it goes."""

    session: Session

    def next(self) -> Ending:
        """Hand over the next subtask, which is then the current one; or give the task up.

        Raises LimitReached.
        """
        session = self.session
        session.hold(
            "planner",
            session.task,
            Toolbox([start_subtask(session), ABORT]),
            record=lambda: session.record,
            earlier=session.earlier,
        )
        assert session.hands.ending is not None, "it would not have come back"
        return session.hands.ending


@dataclass(frozen=True)
class Scheduler:
    """Keeps the queue of a task's parts."""

    session: Session

    def schedule(self) -> Ending:
        """Plan what is left, so that a subtask is planned; or give the task up.

        Raises LimitReached.
        """
        session = self.session
        session.hold(
            "scheduler",
            session.task,
            Toolbox([*queue(session), ABORT]),
            record=lambda: session.record,
            earlier=session.earlier,
        )
        assert session.hands.ending is not None, "it would not have come back"
        return session.hands.ending
