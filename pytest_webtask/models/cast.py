"""Who decides in which role: one model for all, or one for each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pytest_webtask.errors import UnknownName, UsageError
from pytest_webtask.models import StepListener

if TYPE_CHECKING:
    from pytest_webtask.budget import Budget
    from pytest_webtask.models import Model

__all__ = ["ROLES", "Cast", "read"]

ROLES = ("worker", "verifier", "planner", "scheduler", "reader", "referee")
_ENTRY = re.compile(r"""\s*["']?(\w+)["']?\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^\s"',]+))\s*""")


def read(value: Any) -> str | dict[str, str]:
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
    return checked(named)


def checked(named: Mapping[str, Any]) -> dict[str, Any]:
    """Models by role. Raises UnknownName, UsageError where the worker has none."""
    for role in named:
        if role not in ROLES:
            raise UnknownName("role", role, ROLES)
    if "worker" not in named:
        raise UsageError("the worker needs a model, which roles that are not named take as well")
    return dict(named)


class Cast:
    """The models of one webtask, each asked within its budget.

    `literally` says that sentences of the test are read by the literal interpreter first.
    """

    def __init__(self, model: Model | Mapping[str, Model], budget: Budget, literally: bool) -> None:
        from pytest_webtask.models.asking import Asked
        from pytest_webtask.models.literal import Literal, LiteralFirst

        given = checked(model) if isinstance(model, Mapping) else {"worker": model}
        asked = {role: Asked(each, budget) for role, each in given.items()}
        self._plain: dict[str, Model] = dict(asked)
        self._first: dict[str, Model] = {
            role: LiteralFirst(each) if literally and not each.literal else each
            for role, each in asked.items()
        }
        self._literal = {role for role, each in given.items() if isinstance(each, Literal)}
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
