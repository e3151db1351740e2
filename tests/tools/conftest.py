"""Fixtures of the tests of tools."""

from collections.abc import Callable
from typing import Any

import pytest

from pytest_webtask import TaskFailed, Webtask
from pytest_webtask.types.agent import ToolCall
from pytest_webtask.types.model import ModelTraits
from tests.scripted import Answer, Scripted, call


@pytest.fixture
def looking(model: Scripted) -> None:
    """A model that looks, as real ones do."""
    model.traits = ModelTraits()


@pytest.fixture
def stopped(webtask: Webtask, model: Scripted) -> Callable[..., list[tuple[ToolCall, ...]]]:
    """Aborts a step after these answers of a model that looks, and returns the calls of each."""

    def run(*answers: Answer, task: str = "act", **options: Any) -> list[tuple[ToolCall, ...]]:
        model.traits = ModelTraits()
        model.answers = [*answers, call("abort", reason="enough")]
        with pytest.raises(TaskFailed) as failed:
            webtask.do(task, **options)
        iterations = failed.value.result.session.iterations
        return [iteration.calls for iteration in iterations[: len(answers)]]

    return run
