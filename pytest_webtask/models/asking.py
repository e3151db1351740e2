"""A model as the loop asks it: its errors are ours, its answers checked, its tokens counted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_webtask.budget import Budget
from pytest_webtask.errors import ModelError, WebtaskError
from pytest_webtask.models import Model
from pytest_webtask.models.literal import Literal
from pytest_webtask.records import Decision, ProposedToolCall, Turn, Usage

__all__ = ["Asked"]


class Asked:
    """Somebody's model, which may raise and return anything, within a budget."""

    def __init__(self, model: Model, budget: Budget) -> None:
        self._model = model
        self._budget = budget
        self._name = type(model).__name__

    @property
    def looks(self) -> bool:
        """Whether the model looks at the page before it ends."""
        return bool(getattr(self._model, "looks", True))

    @property
    def literal(self) -> bool:
        """Whether it is the literal interpreter, for which the sentence itself says what is meant."""
        return isinstance(self._model, Literal)

    def decide(self, turn: Turn) -> Decision:
        """The model's answer. Raises ModelError for whatever goes wrong in it, OutOfBudget."""
        self._budget.check()
        if turn.conclusion is None:
            # A ruling is one answer, whatever is left.
            turn.notices = (*turn.notices, *self._budget.notices())
        try:
            decision = self._model.decide(turn)
        except WebtaskError:
            raise
        except Exception as error:
            # The model is the user's code, too: whatever it raises is no verdict on the page.
            raise ModelError(f"{self._name} failed: {type(error).__name__}: {error}") from error
        if isinstance(getattr(decision, "usage", None), Usage):
            # What was used counts, whatever came of it.
            self._budget.spend(decision.usage)
        wrong = _nonsense(decision)
        if wrong:
            raise ModelError(
                f"{self._name}.decide returned {decision!r:.200}, in which {wrong};"
                " it must return a Decision with ProposedToolCalls"
            )
        return decision if decision.model else replace(decision, model=self._name)


def _nonsense(decision: Any) -> str:
    """What is wrong with a model's answer, whose types nobody has checked; "" if nothing."""
    if not isinstance(decision, Decision):
        return "there is no Decision"
    calls: Any = decision.calls
    if not isinstance(calls, Sequence):
        return "calls is no sequence"
    types: list[tuple[str, Any, type]] = [
        ("reasoning", decision.reasoning, str),
        ("problem", decision.problem, str),
        ("model", decision.model, str),
        ("usage", decision.usage, Usage),
    ]
    for call in calls:
        types.append(("a call", call, ProposedToolCall))
        if isinstance(call, ProposedToolCall):
            types += [("a tool", call.tool, str), ("a reason", call.reason, str)]
            types += [("parameters", call.parameters, Mapping)]
    for what, value, wanted in types:
        if not isinstance(value, wanted):
            return f"{what} is {value!r:.80}, no {wanted.__name__}"
    for call in calls:
        try:
            json.dumps(dict(call.parameters), allow_nan=False)
        except (TypeError, ValueError) as error:
            return f"the parameters of {call.tool} are not JSON: {error}"
        if not all(isinstance(name, str) for name in call.parameters):
            return f"a parameter of {call.tool} has a name that is no str"
    return ""
