"""Which model decides in which role, and what its answers may cost."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_webtask.errors import ModelError, UnknownName, UsageError, WebtaskError
from pytest_webtask.literal import LiteralModel
from pytest_webtask.llm import Model, StepListener
from pytest_webtask.llm.budget import Budget
from pytest_webtask.types.agent import Decision, ProposedToolCall, Turn, Usage

if TYPE_CHECKING:
    from pytest_webtask.llm import Model
    from pytest_webtask.llm.budget import Budget

__all__ = ["ROLES", "BudgetedModel", "RoleModels", "parse_role_models"]


class BudgetedModel:
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
        return isinstance(self._model, LiteralModel)

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


ROLES = ("worker", "verifier", "planner", "scheduler", "reader", "referee")
_ENTRY = re.compile(r"""\s*["']?(\w+)["']?\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^\s"',]+))\s*""")


def parse_role_models(value: Any) -> str | dict[str, str]:
    """What the option says: a name, or `{role = name, ...}` as text or mapping.

    Raises UsageError for what is no such thing; the names of models are not looked at.
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
                f'models of roles are written {{worker = "claude", verifier = "..."}}, got {text}'
            )
        named = {p[1]: p[2] or p[3] or p[4] or "" for p in parts if p}
    return check_role_models(named)


def check_role_models(named: Mapping[str, Any]) -> dict[str, Any]:
    """Models by role. Raises UnknownName, UsageError where the worker has none."""
    for role in named:
        if role not in ROLES:
            raise UnknownName("role", role, ROLES)
    if "worker" not in named:
        raise UsageError("the worker needs a model, which roles that are not named take as well")
    return dict(named)


class RoleModels:
    """The models of one webtask, each asked within its budget.

    `literally` says that sentences of the test are read by the literal interpreter first.
    """

    def __init__(self, model: Model | Mapping[str, Model], budget: Budget, literally: bool) -> None:
        pass
        from pytest_webtask.literal import LiteralFirstModel, LiteralModel

        given = check_role_models(model) if isinstance(model, Mapping) else {"worker": model}
        asked = {role: BudgetedModel(each, budget) for role, each in given.items()}
        self._plain: dict[str, Model] = dict(asked)
        self._first: dict[str, Model] = {
            role: LiteralFirstModel(each) if literally and not each.literal else each
            for role, each in asked.items()
        }
        self._literal = {role for role, each in given.items() if isinstance(each, LiteralModel)}
        if self._literal and "referee" in self._literal and len(self._literal) < len(given):
            raise UsageError(
                "the referee judges what other models conclude, which the literal model cannot: leave"
                " it out, or give it a model"
            )
        self._listeners = [each for each in given.values() if isinstance(each, StepListener)]

    def of(self, role: str, *, literally: bool = True) -> Model:
        """Who decides in a role; not `literally`, sentences are the model's alone."""
        models = self._first if literally else self._plain
        return models[self._played(role)]

    def fallback(self, role: str) -> Model | None:
        """Who goes on in a role where a recording cannot: not the literal interpreter."""
        return None if self.is_literal(role) else self.of(role)

    def is_literal(self, role: str) -> bool:
        """Whether nobody but the literal interpreter decides in a role."""
        return self._played(role) in self._literal

    def step_ended(self, step: str, status: str, reason: str) -> None:
        """Notify the models that want to know how a step ended."""
        for listener in self._listeners:
            listener.step_ended(step, status, reason)

    def _played(self, role: str) -> str:
        if role == "referee" and role not in self._plain:
            # Beside a literal worker another model may conclude something: it is judged as well.
            return next((r for r in self._plain if r not in self._literal), "worker")
        return role if role in self._plain else "worker"
