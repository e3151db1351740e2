"""How roles hand over to each other. Each way is found by name, and imported when it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pytest_webtask.errors import UnknownName, UsageError
from pytest_webtask.loading import is_path, make

if TYPE_CHECKING:
    from pytest_webtask.records import WorkerSession
    from pytest_webtask.roles.session import Session

__all__ = ["GROUP", "KNOWN", "Workflow", "check", "load"]

KNOWN = {
    "worker": "pytest_webtask.workflows.worker:WorkerOnly",
    "worker-verified": "pytest_webtask.workflows.worker:WorkerVerified",
    "planner": "pytest_webtask.workflows.planner:Planned",
    "scheduler": "pytest_webtask.workflows.scheduler:Scheduled",
}
GROUP = "pytest_webtask.workflows"
"""The entry points by which installed packages name more of them."""


@runtime_checkable
class Workflow(Protocol):
    """How a task is worked at.

    It keeps nothing between tasks; what it needs is in the session: roles are made of it, such as
    `Worker(session)`, and raise LimitReached, which is let through.
    """

    def execute(self, task: str, session: Session) -> WorkerSession:
        """Have the task done; returns what `session.completed(...)` or its like has made."""
        ...


def check(name: str) -> str:
    """The name, if there can be such a workflow. Raises UnknownName."""
    if name in KNOWN or is_path(name) or name in _installed():
        return name
    raise UnknownName("workflow", name, [*KNOWN, *_installed(), "package.module:callable"])


def load(name: str) -> Workflow:
    """The workflow of that name. Raises UsageError where it cannot be loaded, or is none."""
    path = KNOWN.get(name) or _installed().get(check(name), name)
    workflow: Any = make("workflow", path)
    if not isinstance(workflow, Workflow):
        raise UsageError(f"{path} returned {workflow!r:.100}, which has no execute(task, session)")
    return workflow


def _installed() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {each.name: each.value for each in entry_points(group=GROUP)}
