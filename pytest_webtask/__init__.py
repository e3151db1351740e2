"""End-to-end web tests in plain English, as a pytest plugin."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_webtask.agent.roles import Role
    from pytest_webtask.agent.session import Judgment, LimitReached, Session
    from pytest_webtask.agent.verifier import Judge
    from pytest_webtask.agent.worker import Worker
    from pytest_webtask.agent.workflows import (
        Planner,
        Scheduler,
        VerifiedWorkflow,
        Workflow,
        load_workflow,
    )
    from pytest_webtask.checks.base import CheckResult
    from pytest_webtask.data.values import Secret
    from pytest_webtask.errors import (
        DamagedRecording,
        Drifted,
        MissingRecording,
        ModelError,
        NotFound,
        NotLiteral,
        OutOfBudget,
        PageError,
        RecordingError,
        TaskFailed,
        Undecided,
        UnknownName,
        UsageError,
        VerificationFailed,
        WebtaskError,
    )
    from pytest_webtask.run.script import open
    from pytest_webtask.run.webtask import Webtask
    from pytest_webtask.tools.results import Ending
    from pytest_webtask.types.agent import (
        Cycle,
        Decision,
        EarlierStep,
        Element,
        Event,
        Extracted,
        Iteration,
        Observation,
        Outcome,
        ProposedToolCall,
        Result,
        Subtask,
        Tab,
        TaskRecord,
        TestState,
        ToolCall,
        ToolSpec,
        Turn,
        Usage,
        Verdict,
        Work,
        WorkerSession,
        WorkerStatus,
    )
    from pytest_webtask.types.model import Model, ModelTraits
    from pytest_webtask.types.page import Target

__version__ = "0.1.0"

_MODULES = (
    "errors",
    "data.values",
    "types.page",
    "types.agent",
    "types.model",
    "checks.base",
    "agent.roles",
    "agent.session",
    "agent.worker",
    "agent.verifier",
    "agent.workflows",
    "run.webtask",
    "run.script",
)
"""The modules with the public names, which are imported on first use: those that cost least come first."""

__all__ = [
    "CheckResult",
    "Cycle",
    "DamagedRecording",
    "Decision",
    "Drifted",
    "EarlierStep",
    "Element",
    "Ending",
    "Event",
    "Extracted",
    "Iteration",
    "Judge",
    "Judgment",
    "LimitReached",
    "MissingRecording",
    "Model",
    "ModelError",
    "ModelTraits",
    "NotFound",
    "NotLiteral",
    "Observation",
    "OutOfBudget",
    "Outcome",
    "PageError",
    "Planner",
    "ProposedToolCall",
    "RecordingError",
    "Result",
    "Role",
    "Scheduler",
    "Secret",
    "Session",
    "Subtask",
    "Tab",
    "Target",
    "TaskFailed",
    "TaskRecord",
    "TestState",
    "ToolCall",
    "ToolSpec",
    "Turn",
    "Undecided",
    "UnknownName",
    "Usage",
    "UsageError",
    "Verdict",
    "VerificationFailed",
    "VerifiedWorkflow",
    "Webtask",
    "WebtaskError",
    "Work",
    "Worker",
    "WorkerSession",
    "WorkerStatus",
    "Workflow",
    "load_workflow",
    "open",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        for module in _MODULES:
            names = vars(import_module(f"{__name__}.{module}"))
            if name in names:
                return names[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
