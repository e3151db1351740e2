"""The models of a webtask: which one decides in which role, and its budget."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_webtask.errors import ModelError, UnknownName, UsageError, WebtaskError
from pytest_webtask.literal import LiteralFirstModel, LiteralModel
from pytest_webtask.llm.budget import Budget
from pytest_webtask.types.agent import Decision, ProposedToolCall, Turn, Usage
from pytest_webtask.types.model import (
    LITERAL,
    Model,
    ModelTraits,
    ModelWithTraits,
    StepListener,
)

__all__ = ["ROLES", "BudgetedModel", "RoleModels", "parse_role_models"]


class BudgetedModel:
    """A user's model, which may raise or return anything, with a budget."""

    def __init__(self, model: Model, budget: Budget) -> None:
        self._model = model
        self._budget = budget
        self._name = type(model).__name__

    @property
    def traits(self) -> ModelTraits:
        """The model's own; no user's model is exempt from review. Raises UsageError."""
        if isinstance(self._model, LiteralModel):
            return LITERAL
        if not isinstance(self._model, ModelWithTraits):
            return ModelTraits()
        traits: Any = self._model.traits
        if not isinstance(traits, ModelTraits):
            raise UsageError(
                f"{self._name}.traits is {traits!r:.80}; make it a ModelTraits, or rename it"
            )
        return ModelTraits(looks_at_page=traits.looks_at_page)

    def decide(self, turn: Turn) -> Decision:
        """Return the model's answer. Raises OutOfBudget, and ModelError for any failure of the model."""
        self._budget.check()
        if turn.conclusion is None:
            # A ruling is a single answer, so nothing would change with fewer tokens left.
            turn.notices = (*turn.notices, *self._budget.notices())
        try:
            decision = self._model.decide(turn)
        except WebtaskError:
            raise
        except Exception as error:
            # The model is user code: no exception of it may count as a verdict.
            raise ModelError(f"{self._name} failed: {type(error).__name__}: {error}") from error
        if isinstance(getattr(decision, "usage", None), Usage):
            # Tokens of an unusable answer count too.
            self._budget.spend(decision.usage)
        if problem := _problem(decision):
            raise ModelError(
                f"{self._name}.decide returned {decision!r:.200}, which is not usable: {problem}."
                " Return a Decision with ProposedToolCalls"
            )
        return decision if decision.model else replace(decision, model=self._name)


def _problem(decision: Any) -> str:
    """Return what is wrong with a model's answer, whose types are unchecked; "" if nothing."""
    if not isinstance(decision, Decision):
        return "it is no Decision"
    calls: Any = decision.calls
    if not isinstance(calls, Sequence):
        return "calls is not a sequence"
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
    for what, value, expected in types:
        if not isinstance(value, expected):
            return f"{what} is {value!r:.80}, not a {expected.__name__}"
    for call in calls:
        try:
            json.dumps(dict(call.parameters), allow_nan=False)
        except (TypeError, ValueError) as error:
            return f"the parameters of {call.tool} are not JSON: {error}"
        if not all(isinstance(name, str) for name in call.parameters):
            return f"a parameter of {call.tool} has a name that is not a str"
    return ""


ROLES = ("worker", "verifier", "planner", "scheduler", "reader", "referee")
_ENTRY = re.compile(r"""\s*["']?(\w+)["']?\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^\s"',]+))\s*""")


def parse_role_models(value: Any) -> str | dict[str, str]:
    """Parse the value of the option: a name, or `{role = name, ...}` as text or mapping.

    Raises UsageError; the names of models are not checked.
    """
    if isinstance(value, Mapping):
        named = {str(role): str(model) for role, model in value.items()}
    else:
        text = str(value).strip()
        if not text.startswith("{"):
            return text
        parts = [_ENTRY.fullmatch(each) for each in text.strip("{}").split(",")]
        if not text.endswith("}") or not all(parts):
            raise UsageError(
                f'expected models by role, as in {{worker = "claude", verifier = "..."}}; got {text}'
            )
        named = {p[1]: p[2] or p[3] or p[4] or "" for p in parts if p}
    return check_role_models(named)


def check_role_models(named: Mapping[str, Any]) -> dict[str, Any]:
    """Return the models by role. Raises UnknownName, and UsageError if the worker has none."""
    for role in named:
        if role not in ROLES:
            raise UnknownName("role", role, ROLES)
    if "worker" not in named:
        raise UsageError(
            "the worker needs a model, which roles that are not named use too: add worker = ..."
        )
    return dict(named)


class RoleModels:
    """The models of one webtask, by role, with a common budget.

    With `literally`, the literal interpreter tries each sentence of the test first.
    """

    def __init__(self, model: Model | Mapping[str, Model], budget: Budget, literally: bool) -> None:
        models = check_role_models(model) if isinstance(model, Mapping) else {"worker": model}
        budgeted = {role: BudgetedModel(each, budget) for role, each in models.items()}
        self._plain: dict[str, ModelWithTraits] = dict(budgeted)
        self._first: dict[str, ModelWithTraits] = {
            role: LiteralFirstModel(each) if literally and not each.traits.is_literal else each
            for role, each in budgeted.items()
        }
        self._literal = {role for role, each in budgeted.items() if each.traits.is_literal}
        if self._literal and "referee" in self._literal and len(self._literal) < len(models):
            raise UsageError(
                "the literal model cannot be the referee of other models; leave the referee out, or"
                " give it another model"
            )
        self._listeners = [each for each in models.values() if isinstance(each, StepListener)]

    def of(self, role: str, *, literally: bool = True) -> ModelWithTraits:
        """Return the model of a role, behind the literal interpreter only if `literally`."""
        models = self._first if literally else self._plain
        return models[self._configured(role)]

    def fallback(self, role: str) -> ModelWithTraits | None:
        """Return the model that takes over a role from a recording; None if it is the literal one."""
        return None if self.is_literal(role) else self.of(role)

    def is_literal(self, role: str) -> bool:
        """Whether the literal interpreter alone decides in a role."""
        return self._configured(role) in self._literal

    def step_ended(self, step: str, status: str, reason: str) -> None:
        """Notify the models that listen for ends of steps."""
        for listener in self._listeners:
            listener.step_ended(step, status, reason)

    def _configured(self, role: str) -> str:
        """Return the configured role whose model plays this role."""
        if role == "referee" and role not in self._plain:
            # If the worker is literal, the referee still judges conclusions of the other models.
            return next((r for r in self._plain if r not in self._literal), "worker")
        return role if role in self._plain else "worker"
