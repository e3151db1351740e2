"""The referee: a fresh request that sees a conclusion and the facts, never the page or any reasoning."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn, cast

from playwright.sync_api import Page
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_webtask.data import Data
from pytest_webtask.errors import ModelError, PageError
from pytest_webtask.llm import Model
from pytest_webtask.types.agent import (
    Conclusion,
    Iteration,
    ProposedToolCall,
    Ruling,
    ToolCall,
    ToolSpec,
    Turn,
    Usage,
)

__all__ = ["ROLE", "Referee"]

ROLE = "referee"
_ATTEMPTS = 3


class RuleArgs(BaseModel):
    """The ruling."""

    # A word more than asked for, such as a reason, does not make a ruling unusable.
    model_config = ConfigDict(
        extra="ignore", json_schema_extra={"additionalProperties": False}, defer_build=True
    )

    # Asked before the answer: who has looked for a counterexample answers with more care.
    counterexample: str = Field(
        description="How all these facts could be true and the conclusion false, in a sentence; ''"
        " if a careful colleague could think of nothing reasonable."
    )
    proves: bool = Field(description="Whether the facts prove the conclusion.")
    missing: str = Field(
        "",
        description="Where they do not: which fact is missing, about which element. Never what to answer.",
    )


_TOOL = ToolSpec("rule", "Answer whether the facts prove the conclusion.", RuleArgs)


@dataclass(frozen=True)
class Referee:
    """Rules on one conclusion after another, each by itself; `write` journals.

    A request holds the conclusion and the facts: no page, no reasons, no earlier steps. The
    project's `instructions` belong to it since they may say what words mean: in a claim that "a
    closed ticket is listed" the page may call closed tickets "Done".
    """

    model: Model
    data: Data
    write: Callable[..., None]
    instructions: str = ""
    deadline: float | None = None

    def rule(self, conclusion: Conclusion) -> Ruling:
        """Return the ruling. Raises ModelError where the model gives none."""
        problem, usage = "", Usage()
        for attempt in range(_ATTEMPTS):
            started, began = time.time(), time.monotonic()
            turn = self._turn(conclusion, problem, attempt)
            decision = self.model.decide(turn)
            usage += decision.usage
            call = next((c for c in decision.calls if c.tool == _TOOL.name), None)
            ruling, problem = self._read(call, decision.problem)
            if ruling is not None:
                # Turns that are handed over may all be answered by whoever has seen the page.
                blind = decision.model != "handoff"
                update = {"by": decision.model, "blind": blind, "usage": usage}
                ruling = ruling.model_copy(update=update)
            made = ToolCall(
                tool=_TOOL.name,
                parameters=self.data.scrub_all(dict(call.parameters)) if call else {},
                success=ruling is not None,
                error=problem or None,
            )
            iteration = Iteration(
                number=attempt + 1,
                role=ROLE,
                model=decision.model,
                problem=decision.problem,
                calls=(made,) if call else (),
                usage=decision.usage,
                started=started,
                time=time.monotonic() - began,
            )
            asked = conclusion.model_dump(mode="json", exclude_defaults=True)
            self.write("ruling", conclusion=asked, **iteration.model_dump(mode="json"))
            if ruling is not None:
                return ruling
        raise ModelError(f"the referee gave no ruling in {_ATTEMPTS} answers: {problem}")

    def _turn(self, conclusion: Conclusion, problem: str, attempt: int) -> Turn:
        notices = (f"Your last answer could not be used: {problem}",) if problem else ()
        return Turn(
            role=ROLE,
            task=self.data.hidden(conclusion.sentence),
            tools=(_TOOL,),
            page=cast(Page, _Unseen()),
            observe=_Unseen().observe,
            data=self._data(conclusion),
            instructions=self.data.hidden(self.instructions),
            notices=notices,
            number=attempt + 1,
            max_steps=_ATTEMPTS,
            conclusion=conclusion,
            deadline=self.deadline,
        )

    def _data(self, conclusion: Conclusion) -> Mapping[str, str | None]:
        """Return the values that the conclusion names.

        Sentence and facts have placeholders, since what is approved serves other values, too. A value
        is needed only to compare: whether {date} is a Monday, or {price} below $50.
        """
        said = conclusion.sentence
        if conclusion.kind == "case":
            said += json.dumps(conclusion.facts, ensure_ascii=False)
        return {
            name: value and self.data.hidden(value)
            for name, value in self.data.shown.items()
            if f"{{{name}}}" in said
        }

    def _read(self, call: ProposedToolCall | None, problem: str) -> tuple[Ruling | None, str]:
        if call is None:
            return None, problem or f"call the tool {_TOOL.name}"
        try:
            args = RuleArgs.model_validate(dict(call.parameters))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            return None, f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
        scrub = self.data.scrub
        ruling = Ruling(
            counterexample=scrub(args.counterexample),
            proves=args.proves,
            missing=scrub(args.missing),
        )
        return ruling, ""


class _Unseen:
    """The page, for a role that does not see it."""

    def observe(self) -> NoReturn:
        """Refuse."""
        raise PageError("the referee sees no page")

    def __getattr__(self, name: str) -> NoReturn:
        self.observe()
