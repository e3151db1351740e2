"""The tools that end a task with a value."""

import socket
from datetime import date
from enum import Enum
from typing import Any

import pytest
from pydantic import BaseModel, Field

from pytest_webtask import TaskFailed, UsageError, WorkerStatus
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.testing import find
from tests.scripted import Html, Scripted, call, done


class Basket(BaseModel):
    """What a task may ask for."""

    items: list[str]
    total: float = Field(gt=0)


class Colour(Enum):
    """One of a few values."""

    RED = "red"
    BLUE = "blue"


class TestOutput:
    @pytest.mark.parametrize(
        ("wanted", "given", "expected"),
        [
            (int, 3, 3),
            (date, "2026-11-21", date(2026, 11, 21)),
            (str, "three", "three"),
            (bool, False, False),
            (list[str], ["a"], ["a"]),
            (list[str], [], []),
            (int | None, None, None),
            (dict[str, float], {"a": 1.5}, {"a": 1.5}),
            (Colour, "blue", Colour.BLUE),
            (Basket, {"items": ["mug"], "total": 18}, Basket(items=["mug"], total=18)),
        ],
    )
    def test_output_has_the_requested_type(
        self, webtask: Webtask, model: Scripted, html: Html, wanted: Any, given: Any, expected: Any
    ) -> None:
        """`do(output=...)` returns a validated value, falsy ones and None included."""
        html("hello")
        model.answers = [[call("set_output", output=given), done()]]
        assert webtask.do("read it", output=wanted).output == expected

    @pytest.mark.parametrize(("wanted", "given"), [(bool, "yes"), (int, "3"), (int, 3.0)])
    def test_output_of_a_similar_type_goes_back(
        self, webtask: Webtask, model: Scripted, html: Html, wanted: type, given: Any
    ) -> None:
        """Neither a word for a bool nor a text for a number is accepted."""
        html("hello")
        model.answers = [call("set_output", output=given), call("abort", reason="no")]
        with pytest.raises(TaskFailed):
            webtask.do("tell", output=wanted)
        assert "got wrong arguments" in (model.turns[1].iterations[0].calls[0].error or "")

    def test_invalid_output_goes_back(self, webtask: Webtask, model: Scripted, html: Html) -> None:
        """The model gets the validation errors and answers once more."""
        html("hello")
        model.answers = [
            call("set_output", output={"items": "mug", "total": -1}),
            call("set_output", output={"items": ["mug"], "total": 18}),
            done(),
        ]
        result = webtask.do("read the basket", output=Basket)
        error = result.session.iterations[0].calls[0].error or ""
        assert "output.items: Input should be a valid array, got 'mug'" in error
        assert "output.total: Input should be greater than 0" in error
        assert result.output == Basket(items=["mug"], total=18)

    def test_end_without_value_fails(self, webtask: Webtask, model: Scripted, html: Html) -> None:
        """A task with a requested output does not end without it, and one beside a click is refused."""
        html("<button>Go</button>")
        both = [call("click", find("button")), call("set_output", output=4)]
        model.answers = [done(), both, call("set_output", output=3), done()]
        result = webtask.do("count", output=int)
        refused = result.session.iterations[0].calls[0]
        assert refused.error == "the task asks for a value: call set_output first"
        assert not result.session.iterations[1].calls[1].success
        assert result.output == 3

    def test_last_output_counts(self, webtask: Webtask, model: Scripted, html: Html) -> None:
        """The last output counts, and none of an earlier task is kept."""
        html("hello")
        model.answers = [call("set_output", output=1), [call("set_output", output=2), done()]]
        assert webtask.do("count", output=int).output == 2
        model.answers = [done(), [call("set_output", output=3), done()]]
        assert webtask.do("count", output=int).output == 3

    def test_aborted_task_has_no_value(self, webtask: Webtask, model: Scripted, html: Html) -> None:
        """The output of a task that was aborted is dropped."""
        html("hello")
        model.answers = [call("set_output", output=1), call("abort", reason="no")]
        with pytest.raises(TaskFailed) as failed:
            webtask.do("count", output=int)
        assert failed.value.result.output is None
        assert failed.value.result.session.status is WorkerStatus.ABORTED

    def test_undescribable_type_is_a_usage_error(self, webtask: Webtask, html: Html) -> None:
        """The error says that pydantic cannot describe the type."""
        html("hello")
        with pytest.raises(UsageError, match="is not a type that pydantic can describe"):
            webtask.do("count", output=socket.socket)
