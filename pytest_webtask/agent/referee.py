"""The referee: rules on a conclusion from its facts, without the page or any reasoning."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_webtask.agent.loop import unseen_page
from pytest_webtask.data.phrases import invalid_parts
from pytest_webtask.data.values import Data
from pytest_webtask.errors import ModelError
from pytest_webtask.journal import JournalEvent, RulingMade
from pytest_webtask.page.step_time import StepTime
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
from pytest_webtask.types.model import ModelWithTraits

ROLE = "referee"
_TURNS_AT_MOST = 3


class RuleArgs(BaseModel):
    """The ruling."""

    # An extra field, such as a reason, does not invalidate a ruling.
    model_config = ConfigDict(
        extra="ignore", json_schema_extra={"additionalProperties": False}, defer_build=True
    )

    # Comes before the answer, since a search for counterexamples makes it more careful.
    counterexample: str = Field(
        description="How all these facts could be true and the conclusion false, in a sentence; '' if"
        " a careful colleague could think of nothing reasonable."
    )
    proves: bool = Field(description="Whether the facts prove the conclusion.")
    missing: str = Field(
        "",
        description="If they do not: which fact is missing, about which element. Never what to answer.",
    )
    incidental: tuple[int, ...] = Field(
        (),
        description="Only if the conclusion is that a task was done (none for a claim): the numbers of facts"
        " that are not about the task and without which the others still prove it.",
    )
    identifying: tuple[str, ...] = Field(
        (),
        description="Names of rows, sections, headings or dialogs around elements, copied from the facts"
        " or actions, by which you knew that these are the elements that are meant.",
    )
    by_place: tuple[str, ...] = Field(
        (),
        description="Names of the items, copied from the facts or actions, that are meant only because"
        " of where they stand, such as the first or the newest.",
    )


_TOOL = ToolSpec("rule", "Answer whether the facts prove the conclusion.", RuleArgs)


@dataclass
class Referee:
    """Rules on conclusions, each in an independent request; `write` adds rulings to the journal.

    A request has the conclusion and the facts, but no page, reasons or earlier steps. It includes the
    project's `instructions`, because they may define words of the claim: for example, that the page
    calls closed tickets "Done". What is `approved`, for the same facts and values, is not asked again.
    `usage` is that of all rulings so far, invalid answers included.
    """

    model: ModelWithTraits
    data: Data
    write: Callable[[JournalEvent], None]
    instructions: str = ""
    time: StepTime = field(default_factory=StepTime)
    approved: dict[str, Ruling] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage, init=False)

    def __call__(self, conclusion: Conclusion) -> Ruling:
        """Return the ruling. Raises ModelError if the model gives no valid one."""
        key = f"{conclusion.key} {self._data(conclusion)}"
        if ruling := self.approved.get(key):
            iteration = Iteration(
                number=1,
                role=ROLE,
                sees_page=False,
                model=ruling.by,
                started=time.time(),
                time=0.0,
            )
            self.write(RulingMade(conclusion=conclusion, iteration=iteration, ruling=ruling))
            return ruling
        problem = ""
        for attempt in range(_TURNS_AT_MOST):
            started, began = time.time(), time.monotonic()
            turn = self._turn(conclusion, problem, attempt)
            decision = self.model.decide(turn)
            self.time.think(time.monotonic() - began, decision.waited)
            self.usage += decision.usage
            call = next((c for c in decision.calls if c.tool == _TOOL.name), None)
            ruling, problem = self._parse(call, decision.problem)
            if ruling is not None:
                blind = not self.model.traits.remembers
                ruling = ruling.model_copy(update={"by": decision.model, "blind": blind})
            tool_call = ToolCall(
                tool=_TOOL.name,
                parameters=self.data.scrub_all(dict(call.parameters)) if call else {},
                success=ruling is not None,
                error=problem or None,
            )
            iteration = Iteration(
                number=attempt + 1,
                role=ROLE,
                sees_page=False,
                model=decision.model,
                problem=decision.problem,
                calls=(tool_call,) if call else (),
                usage=decision.usage,
                started=started,
                time=time.monotonic() - began,
            )
            self.write(RulingMade(conclusion=conclusion, iteration=iteration, ruling=ruling))
            if ruling is not None:
                if ruling.proves:
                    self.approved[key] = ruling
                return ruling
        raise ModelError(
            f"the referee, which judges the evidence, gave no usable answer in {_TURNS_AT_MOST} tries: {problem}."
            " Run the test again; if this happens again, name another model for it:"
            """ --webtask-model='{worker = "...", referee = "..."}'"""
        )

    def _turn(self, conclusion: Conclusion, problem: str, attempt: int) -> Turn:
        notices = []
        if problem:
            advice = f"Call {_TOOL.name} with valid arguments."
            notices.append(f"Your last answer could not be used: {problem}. {advice}")
        return Turn(
            role=ROLE,
            task=self.data.hidden(conclusion.sentence),
            tools=(_TOOL,),
            view=unseen_page(ROLE),
            data=self._data(conclusion),
            instructions=self.data.hidden(self.instructions),
            notices=tuple(notices),
            number=attempt + 1,
            max_steps=_TURNS_AT_MOST,
            conclusion=conclusion,
            sees=False,
            deadline=self.time.deadline,
        )

    def _data(self, conclusion: Conclusion) -> Mapping[str, str | None]:
        """Return the values of the placeholders in the conclusion.

        The sentence and the facts have placeholders because an approval is also valid for other
        values. The values are needed only for comparisons: is {date} a Monday, or {price} below $50?
        """
        return {
            name: value and self.data.hidden(value)
            for name, value in self.data.shown.items()
            if f"{{{name}}}" in conclusion.sentence
        }

    def _parse(self, call: ProposedToolCall | None, problem: str) -> tuple[Ruling | None, str]:
        if call is None:
            return None, problem or f"it did not call {_TOOL.name}"
        try:
            args = RuleArgs.model_validate(dict(call.parameters))
        except ValidationError as error:
            return None, invalid_parts(error, dict(call.parameters))[0]
        scrub = self.data.scrub
        ruling = Ruling(
            counterexample=scrub(args.counterexample),
            proves=args.proves,
            missing=scrub(args.missing),
            incidental=args.incidental,
            identifying=tuple(map(scrub, args.identifying)),
            by_place=tuple(map(scrub, args.by_place)),
        )
        return ruling, ""
