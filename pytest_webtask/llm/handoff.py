"""A model whose turns a coding agent answers, or you.

The turn becomes a folder, see `desk.desk`; `pytest-webtask turn` and `answer`, or `pytest-webtask mcp`,
are the other end. Answers are validated here, in the process that has the project's own tools.
"""

import json
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ValidationError

from pytest_webtask.data.phrases import folded, invalid_parts, shortened
from pytest_webtask.desk.desk import HandedTurn, OwnDesk, own_desk, wait_for
from pytest_webtask.errors import ModelError, UsageError
from pytest_webtask.llm.prompts import described, render
from pytest_webtask.page.step_time import Deadline
from pytest_webtask.types.agent import Decision, ProposedToolCall, ToolSpec, Turn, Usage
from pytest_webtask.types.model import ModelTraits

NAME = "handoff"
_FORM = 'an answer is a JSON list: [{"tool": "click", "input": {"element_id": "button-0", ...}}]'
_BLIND = frozenset({"referee"})
"""Roles whose turns must be answered without having seen the page."""
_QUOTED = 200
_REASON = 500
_log = logging.getLogger("pytest_webtask")


@dataclass
class HandoffModel:
    """Writes turns into `folder`, and waits for each answer for `wait_at_most` seconds. Raises UsageError."""

    folder: Path
    wait_at_most: float = 1800.0
    traits: ClassVar = ModelTraits(remembers=True)

    def __post_init__(self) -> None:
        # A test may change the current directory.
        self.folder = self.folder.absolute()
        self._desk()

    def decide(self, turn: Turn) -> Decision:
        """Hand the turn over and return the answer. Raises ModelError if none comes in time."""
        prompt = render(turn)
        files = {
            "system.md": prompt.system,
            "task.md": prompt.task,
            "page.md": prompt.page,
            "tools.json": json.dumps(described(turn.tools), ensure_ascii=False, indent=1),
        }
        about = {
            "role": turn.role,
            "task": turn.task,
            "number": turn.number,
            "max_steps": turn.max_steps,
            "blind": turn.role in _BLIND,
        }
        handed = self._desk().hand_over(files, about, prompt.files)
        if not handed.desk.is_session:
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
        # On one line a reason that quotes the page cannot imitate the output of a command.
        words = ": ".join(filter(None, (f"{step} {status}", shortened(folded(reason), _REASON))))
        with suppress(UsageError):
            self._desk().end_step(words)

    def _wait(self, handed: HandedTurn, turn: Turn) -> list[ProposedToolCall]:
        def look() -> list[ProposedToolCall] | None:
            if not handed.folder.is_dir():
                raise ModelError(
                    f"turn {handed.id} was removed while it waited for an answer: {handed.folder}. Run"
                    " the test again, and do not clean that folder meanwhile"
                )
            text = handed.calls.request
            if text is None:
                return None
            calls, problems = parse_answer(text, turn.tools)
            handed.calls.answer(problems)
            return calls or None

        calls = wait_for(self.wait_at_most, look)
        if calls is None:
            raise ModelError(
                f"turn {handed.id} got no answer in {self.wait_at_most / 60:.3g} minutes. Run the test again;"
                " meanwhile, type `pytest-webtask turn` in another terminal, and answer as it says"
            )
        return calls

    def _desk(self) -> OwnDesk:
        try:
            return own_desk(self.folder)
        except OSError as error:
            raise UsageError(
                f"cannot write turns, which ask your coding agent, to {self.folder}: {error}. Make the"
                " folder writable, or run pytest in another one"
            ) from None


def parse_answer(text: str, tools: Sequence[ToolSpec]) -> tuple[list[ProposedToolCall], list[str]]:
    """Return the calls of an answer, and the problems that make it unusable."""
    try:
        calls = json.loads(text)
    except (ValueError, RecursionError) as error:
        return [], [f"this is not JSON: {error}; {_FORM}"]
    if not isinstance(calls, list) or not calls:
        return [], [f"got {shortened(text.strip(), _QUOTED)}; {_FORM}, with at least one call"]
    specs = {tool.name: tool for tool in tools}
    problems = []
    for number, call in enumerate(calls, 1):
        if problem := _problem(call, specs):
            problems.append(f"call {number}: {problem}")
    if problems:
        return [], problems
    return [ProposedToolCall(call["tool"], call["input"]) for call in calls], []


def _problem(call: Any, specs: dict[str, ToolSpec]) -> str:
    if not isinstance(call, dict) or call.keys() != {"tool", "input"}:
        quoted = shortened(json.dumps(call), _QUOTED)
        return f'got {quoted}; a call is {{"tool": name, "input": {{...}}}}'
    name = str(call["tool"])
    if name not in specs:
        return f"there is no tool {name!r}; use one of {', '.join(specs)}"
    args = specs[name].args
    takes = ", ".join(args.model_json_schema()["properties"])
    try:
        given = _with_ids(call["input"])
        args.model_validate_json(json.dumps(given, allow_nan=False))
    except ValidationError as error:
        return f"{name}: {'; '.join(invalid_parts(error, given, 'input'))}. {name} takes {takes}"
    except ValueError as error:
        return f"{name}: {error}; write numbers such as 1.5"
    return ""


def _with_ids(arguments: Any) -> Any:
    """Return arguments with some id for each element that they name; the loop finds it when the call is made."""
    if not isinstance(arguments, dict):
        return arguments
    ids = {
        name: f"named-{name}"
        for name, value in arguments.items()
        if name.endswith("element_id") and isinstance(value, dict)
    }
    return {**arguments, **ids}
