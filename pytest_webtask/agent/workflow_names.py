"""The names of workflows: the built-in ones, those of installed packages, and import paths."""

# Every pytest run imports this module with the options, so it imports nothing slow.
from __future__ import annotations

from typing import Any

from pytest_webtask.errors import UnknownName

WORKFLOWS = {
    "worker": "pytest_webtask.agent.workflows:WorkerWorkflow",
    "worker-verified": "pytest_webtask.agent.workflows:VerifiedWorkflow",
    "planner": "pytest_webtask.agent.workflows:PlannerWorkflow",
    "scheduler": "pytest_webtask.agent.workflows:SchedulerWorkflow",
}
"""The import paths of the built-in workflows, by their names."""


def path_of(name: str) -> str:
    """Return the import path of a workflow. Raises UnknownName."""
    from importlib.metadata import entry_points

    from pytest_webtask.data.import_path import is_import_path

    if name in WORKFLOWS or is_import_path(name):
        return WORKFLOWS.get(name, name)
    installed = {each.name: each.value for each in entry_points(group="pytest_webtask.workflows")}
    if name not in installed:
        known = [*WORKFLOWS, *installed, "package.module:callable"]
        raise UnknownName("workflow", name, known)
    return installed[name]


def check_workflow_name(value: Any) -> str:
    """Return a valid name of a workflow unchanged. Raises UnknownName for any other."""
    path_of(str(value))
    return str(value)
