"""What roles answer, and what the journal has of their work."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pytest_webtask.agent.session import Session
from pytest_webtask.journal import Recovery, TaskChanged
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.testing import ScriptedModel as Team
from pytest_webtask.testing import find, shows
from pytest_webtask.types.agent import ProposedToolCall, Turn
from tests.inner import journaled
from tests.scripted import Answer, call, done, on, rule

__all__ = ["Team", "agrees", "changes", "done", "log_in", "part", "recoveries", "says", "shows"]


@dataclass
class Way:
    """A workflow that is a function."""

    execute: Callable[[str, Session], Any]


def part(goal: str) -> ProposedToolCall:
    """A planner hands a subtask over."""
    return call("start_subtask", goal=goal)


def says(tool: str, text: str) -> ProposedToolCall:
    """A verifier disagrees."""
    return call(tool, reason=text)


def agrees(tool: str, wanted: str, text: str | None = None, words: str = "it is there") -> Answer:
    """A verifier who cites the element `role:text`, which shows `text`."""
    role, _, name = wanted.partition(":")
    done = {"subtask_done": True} if tool == "request_reschedule" else {}
    return call(tool, reason=words, evidence=[shows(role, name, text)], **done)


def rules_on(sentence: str) -> Callable[[Turn], ProposedToolCall]:
    """A referee who finds only conclusions about this sentence proved."""

    def answer(turn: Turn) -> ProposedToolCall:
        assert turn.conclusion is not None
        proves = turn.conclusion.sentence == sentence
        return rule(proves=proves, missing="" if proves else "the rest of the task")

    return answer


def log_in() -> list[Answer]:
    """A worker's answers that log in."""
    password = find("textbox", "Password")
    enter = [
        call("fill", find("textbox", "Username"), text="{user}"),
        call("fill", password, text="{password}"),
        call("press", password, key="Enter"),
    ]
    end = done("I am in, believe me", shows("button", "Log out"))
    return [call("navigate", url="/login"), enter, end]


def put_into_cart(name: str = "Striped Mug") -> list[Answer]:
    """A worker's answers that put a product into the cart."""
    return [
        call("navigate", url="/products"),
        on("click", "link", name),
        call("click", find("button", "Add to cart", nth=0)),
        call("mark_done", summary="in the cart"),
    ]


def recoveries(webtask: Webtask) -> list[str]:
    """The journaled actions by which the task continued after failures."""
    return [event.action for event in journaled(webtask) if isinstance(event, Recovery)]


def changes(webtask: Webtask) -> list[str]:
    """The journaled changes of the task's record."""
    return [event.change for event in journaled(webtask) if isinstance(event, TaskChanged)]
