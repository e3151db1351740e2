"""The roles that plan: they see the task and what came of its parts, and never the page."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_webtask.roles.session import Session
from pytest_webtask.tools import Tool, Toolbox
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
        return _hold(self.session, "planner", start_subtask(self.session))


@dataclass(frozen=True)
class Scheduler:
    """Keeps the queue of a task's parts."""

    session: Session

    def schedule(self) -> Ending:
        """Plan what is left, so that a subtask is planned; or give the task up.

        Raises LimitReached.
        """
        return _hold(self.session, "scheduler", *queue(self.session))


def _hold(session: Session, role: str, *tools: Tool) -> Ending:
    """Have a role plan, by the record as it is each time; how it ended."""
    session.hold(
        role,
        session.task,
        Toolbox([*tools, ABORT]),
        record=lambda: session.record,
        earlier=session.earlier,
    )
    assert session.hands.ending is not None, "it would not have come back"
    return session.hands.ending
