"""A model that hands each turn over to a coding agent, or to you.

The turn becomes a folder, see `mailbox`; `pytest-webtask turn` and `answer`, or `pytest-webtask mcp`,
are the other end. Answers are validated here, in the process that has the project's own tools.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar

from pydantic import BaseModel, ValidationError

from pytest_webtask.data.phrases import invalid_parts
from pytest_webtask.errors import ModelError, UsageError
from pytest_webtask.handoff.mailbox import HandedTurn, HandoffRun, StepEnd
from pytest_webtask.llm.prompts import Prompt, input_schema, render
from pytest_webtask.page.step_time import Deadline
from pytest_webtask.types.agent import Decision, ProposedToolCall, ToolSpec, Turn, Usage
from pytest_webtask.types.model import ModelTraits

NAME = "handoff"
_FORM = 'an answer is a JSON list: [{"tool": "click", "input": {"element_id": "button-0", ...}}]'
_RUNS: dict[tuple[Path, int], HandoffRun] = {}
"""One run for each process, whatever its number of tests; a forked process is another run."""
_BLIND = frozenset({"referee"})
"""Roles whose turns must be answered without having seen the page."""
_log = logging.getLogger("pytest_webtask")


@dataclass
class HandoffModel:
    """Hands turns over in `folder`, and waits for each answer for `wait_at_most` seconds. Raises UsageError."""

    folder: Path
    wait_at_most: float = 1800.0
    traits: ClassVar = ModelTraits(remembers=True)

    def __post_init__(self) -> None:
        # A test may change the current directory.
        self.folder = self.folder.absolute()
        self._run()

    def decide(self, turn: Turn) -> Decision:
        """Hand the turn over and return the answer. Raises ModelError if none comes in time."""
        prompt = render(turn)
        handed = self._run().hand_over(
            _files(prompt, turn), prompt.screenshot, _about(turn), prompt.pictures
        )
        _log.info("turn %s waits for an answer; type: pytest-webtask turn", handed.id)
        began = Deadline.clock()
        try:
            calls = self._wait(handed, turn)
        finally:
            handed.end()
        waited = (Deadline.clock() - began) / Deadline.pace
        return Decision(tuple(calls), model=NAME, usage=Usage(model_calls=1), waited=waited)

    def step_ended(self, step: str, status: str, reason: str) -> None:
        """Record how a step ended, for the agent that answered its last turn."""
        run = _RUNS.get((self.folder, os.getpid()))
        # If the folder was removed, the next turn reports that; this step must not fail.
        with suppress(OSError):
            if run is not None:
                run.end_step(StepEnd(step, status, reason))

    def _wait(self, handed: HandedTurn, turn: Turn) -> list[ProposedToolCall]:
        deadline = Deadline(self.wait_at_most)
        while not deadline.is_over:
            for name, text in handed.answers():
                calls, problems = parse_answer(text, turn.tools)
                handed.judge(name, problems)
                if not problems:
                    return calls
            if not handed.folder.is_dir():
                raise ModelError(
                    f"turn {handed.id} was removed while it waited for an answer: {handed.folder}. Run"
                    " the test again, and do not clean that folder meanwhile"
                )
            deadline.pause(None)
        raise ModelError(
            f"turn {handed.id} got no answer in {self.wait_at_most / 60:.3g} minutes. Run the test again;"
            " meanwhile, type `pytest-webtask turn` in another terminal, and answer as it says"
        )

    def _run(self) -> HandoffRun:
        key = (self.folder, os.getpid())
        run = _RUNS.get(key)
        if run is None or not run.is_there:
            try:
                run = _RUNS[key] = HandoffRun(self.folder)
            except OSError as error:
                raise UsageError(
                    f"cannot write turns, which ask your coding agent, to {self.folder}: {error}. Make the"
                    " folder writable, or run pytest in another one"
                ) from None
        return run


def parse_answer(text: str, tools: Sequence[ToolSpec]) -> tuple[list[ProposedToolCall], list[str]]:
    """Return the calls of an answer, and the problems that make it unusable."""
    try:
        calls = json.loads(text, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        return [], [f"this is not JSON: {error}; {_FORM}"]
    if not isinstance(calls, list) or not calls:
        return [], [f"got {text.strip()[:200]}; {_FORM}, with at least one call"]
    specs = {tool.name: tool for tool in tools}
    problems = []
    for number, call in enumerate(calls, 1):
        if problem := _problem(call, specs):
            problems.append(f"call {number}: {problem}")
    return [] if problems else [ProposedToolCall(c["tool"], c["input"]) for c in calls], problems


def _problem(call: Any, specs: dict[str, ToolSpec]) -> str:
    """Return what is wrong with one call; "" if nothing."""
    if not isinstance(call, dict) or call.keys() != {"tool", "input"}:
        return f'got {json.dumps(call)[:200]}; a call is {{"tool": name, "input": {{...}}}}'
    name, arguments = call["tool"], call["input"]
    if not isinstance(name, str) or name not in specs:
        close = get_close_matches(str(name), specs, n=1)
        advice = f". Did you mean {close[0]!r}?" if close else ""
        return f"there is no tool {name!r}; use one of {', '.join(specs)}{advice}"
    args = specs[name].args
    takes = f"{name} takes {', '.join(args.model_json_schema()['properties'])}"
    if not isinstance(arguments, dict):
        return f"{name}: the input must be an object; got {json.dumps(arguments)[:200]}. {takes}"
    given = _with_ids(arguments, args)
    try:
        args.model_validate_json(json.dumps(given))
    except ValidationError as error:
        problems = "; ".join(invalid_parts(error, given, "input"))
        return f"{name}: {problems}. {takes}"
    return ""


def _with_ids(arguments: dict[str, Any], args: type[BaseModel]) -> dict[str, Any]:
    """Return arguments with some id for each element that they name as the tool's schema allows."""
    # The loop finds the elements, and their ids, when the turn of the call comes.
    properties = args.model_json_schema()["properties"]
    ids = {
        name: f"named-{name}"
        for name, value in arguments.items()
        if isinstance(value, dict) and "object" in str(properties.get(name, {}).get("anyOf"))
    }
    return {**arguments, **ids}


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text} is not a finite number; write one such as 1.5")
    return number


def _files(prompt: Prompt, turn: Turn) -> dict[str, str]:
    tools = [
        {"name": t.name, "description": t.description, "input_schema": input_schema(t)}
        for t in turn.tools
    ]
    return {
        "system.md": prompt.system,
        "task.md": prompt.task,
        "page.md": prompt.page,
        "tools.json": json.dumps(tools, ensure_ascii=False, indent=1),
    }


def _about(turn: Turn) -> dict[str, Any]:
    return {
        "role": turn.role,
        "task": turn.task,
        "number": turn.number,
        "max_steps": turn.max_steps,
        "blind": turn.role in _BLIND,
    }
