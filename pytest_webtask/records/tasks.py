"""The record of a task that several roles work at: its parts, and what came of each."""

from __future__ import annotations

from typing import Literal

from pytest_webtask.records.base import Record

__all__ = ["Cycle", "Subtask", "TaskRecord", "Work"]


class Subtask(Record):
    """A part of a task.

    `feedback` is what the verifier said of it, "" until it did, `shown` the checks that it cited.
    """

    goal: str
    status: Literal["planned", "in work", "done", "failed"] = "planned"
    feedback: str = ""
    shown: tuple[str, ...] = ()


class Cycle(Record):
    """One round: what a worker was asked, how its session ended, and what was said of its work.

    `assignment` is the subtask itself, or what a verifier has said is to be done of it yet.
    `judged` is the tool with which the verifier handed over; `gave_up` is why the worker did, in its
    own words.
    """

    subtask: str
    assignment: str
    worked: str
    judged: str
    feedback: str
    gave_up: str = ""


class TaskRecord(Record):
    """What a `do` is at.

    `status` is `running`, or as the session ended; `current` the index in `subtasks` of the one in
    work, counted from 0, None where there is none; `asks_value` says that the worker has to give a
    value, the output.
    """

    description: str
    workflow: str = "worker"
    status: str = "running"
    resources: tuple[str, ...] = ()
    subtasks: tuple[Subtask, ...] = ()
    current: int | None = None
    asks_value: bool = False
    history: tuple[Cycle, ...] = ()


class Work(Record):
    """What a verifier is to judge: the work at an assignment, which is a part of a goal or all of it.

    `worked` is how the worker's session ended and `gave_up` why, if it did: of one that says that it
    is done, no word is told. `shown` are the checks that it cited, as code has run them; `rounds` what
    the verifier has said of the assignment before, `parts` those before it; `last` says that nothing is
    planned after it, None where the plan is made as it goes.
    """

    goal: str
    assignment: str
    worked: str
    gave_up: str = ""
    shown: tuple[str, ...] = ()
    rounds: tuple[Cycle, ...] = ()
    parts: tuple[Subtask, ...] = ()
    last: bool | None = None
