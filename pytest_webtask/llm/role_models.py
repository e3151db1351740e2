"""The models of a webtask: which one decides in which role, and its budget of tokens."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from numbers import Real
from pathlib import Path
from typing import Any, TypeVar

from pytest_webtask.data.locks import make_private
from pytest_webtask.data.phrases import shortened, with_article
from pytest_webtask.errors import ModelError, OutOfBudget, UnknownName, UsageError, WebtaskError
from pytest_webtask.literal import LiteralFirstModel, LiteralModel
from pytest_webtask.types.agent import Decider, Decision, ProposedToolCall, Ruling, Turn, Usage
from pytest_webtask.types.model import LITERAL, Model, ModelTraits, ModelWithTraits, StepListener

_T = TypeVar("_T")


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
                f"{self._name}.traits is {traits!r:.80}, but a model may only have ModelTraits under that"
                " name; make it a ModelTraits, or rename the attribute"
            )
        return ModelTraits(looks_at_page=traits.looks_at_page, remembers=traits.remembers)

    def decide(self, turn: Turn) -> Decision:
        """Return the model's answer. Raises OutOfBudget, and ModelError for any failure of the model."""
        self._budget.check()
        try:
            decision = self._model.decide(turn)
        except WebtaskError:
            raise
        except Exception as error:
            # The model is user code: no exception of it may count as a verdict.
            raise ModelError(
                f"{self._name} failed: {type(error).__name__}: {error}; correct its decide(), or run the test again"
            ) from error
        if isinstance(getattr(decision, "usage", None), Usage):
            # Tokens of an unusable answer count too.
            self._budget.spend(decision.usage)
        if problem := _problem(decision):
            raise ModelError(f"{self._name}.decide returned {problem}")
        by: Decider = "literal" if self.traits.is_literal else "model"
        return replace(decision, model=decision.model or self._name, decided_by=by)


def _problem(decision: Any) -> str:
    """Return what is wrong with a model's answer, whose types are unchecked; "" if nothing."""
    for what, value, expected in _parts(decision):
        if not isinstance(value, expected):
            got = f"{with_article(type(value).__name__)}, {shortened(repr(value), 80)}"
            return f"{what}{got}; it must be {with_article(expected.__name__)}"
    for number, call in enumerate(decision.calls):
        try:
            json.dumps(dict(call.parameters), allow_nan=False)
        except (TypeError, ValueError) as error:
            return (
                f"a Decision whose calls[{number}].parameters, of {call.tool}, can't be written as JSON:"
                f" {error}; pass JSON values only"
            )
    return ""


def _parts(decision: Any) -> Iterator[tuple[str, Any, type]]:
    """Yield the parts of an answer and their types, each where the one before is right."""
    yield "", decision, Decision
    for name, expected in _FIELDS.items():
        yield f"a Decision whose {name} is ", getattr(decision, name), expected
    for number, call in enumerate(decision.calls):
        place = f"a Decision whose calls[{number}]"
        yield f"{place} is ", call, ProposedToolCall
        for name, expected in _CALL_FIELDS.items():
            yield f"{place}.{name} is ", getattr(call, name), expected


_FIELDS: Mapping[str, type] = {
    "calls": Sequence,
    "reasoning": str,
    "problem": str,
    "model": str,
    "usage": Usage,
    "waited": Real,
}
_CALL_FIELDS: Mapping[str, type] = {"tool": str, "reason": str, "parameters": Mapping}
ROLES = ("worker", "verifier", "planner", "scheduler", "reader", "referee")
OWN_ROLES: set[str] = set()
"""The names of all roles of the project's own that were created in this process."""
_ENTRY = re.compile(r"""\s*["']?(\w+)["']?\s*[=:]\s*("[^"]*"|'[^']*'|[^\s"',]+)\s*""")


def by_role(value: Any) -> Mapping[str, Any]:
    """Return a mapping by role as it is, and any other value as the worker's, which all roles have."""
    return value if isinstance(value, Mapping) else {"worker": value}


def parse_by_role(value: Any, what: str = "models") -> dict[str, str]:
    """Parse a text for all roles, or `{role = text, ...}`, also as a mapping. Raises UsageError."""
    if isinstance(value, Mapping):
        return {str(role): str(text) for role, text in value.items()}
    text = str(value).strip()
    if not text.startswith("{"):
        return {"worker": text}
    parts = [*map(_ENTRY.fullmatch, text.strip("{}").split(","))]
    if not text.endswith("}") or not all(parts):
        example = '{worker = "...", verifier = "..."}'
        raise UsageError(f"expected {what} by role, as in {example}; got {text}")
    return {p[1]: p[2].strip("\"'") for p in parts if p}


def check_worker(named: Mapping[str, Any]) -> None:
    """Raise UsageError if the worker has no model."""
    if "worker" not in named:
        raise UsageError(
            'no model for "worker", the default for all other roles: add it, as in {worker = "claude",'
            ' verifier = "claude"}'
        )


def check_roles(named: Iterable[str]) -> None:
    """Raise UnknownName for a role that is neither built in nor one of the project's own."""
    for role in named:
        if role not in ROLES and role not in OWN_ROLES:
            advice = (
                "A role of your own is known once it was created: import the module of its Role."
            )
            raise UnknownName("role", role, [*ROLES, *OWN_ROLES], advice)


def of_role(named: Mapping[str, _T], role: str) -> _T | None:
    """Return the value for a role, None if it has none: a role that is not named has the worker's."""
    return named.get(role, named.get("worker"))


@dataclass(frozen=True)
class Instructions:
    """What a project says to models about its application: a text, or one for each role. Raises UsageError."""

    texts: str | Mapping[str, str] = ""

    def __post_init__(self) -> None:
        for each in by_role(self.texts).values():
            if not isinstance(each, str):
                raise UsageError(
                    f"webtask_instructions must be a text, or a dict of roles and texts; got {each!r:.80}"
                )
        check_roles(by_role(self.texts))

    def of(self, role: str) -> str:
        """Return the instructions for a role."""
        return of_role(by_role(self.texts), role) or ""


class RoleModels:
    """The models of one webtask, by role, with a common budget."""

    def __init__(self, model: Model | Mapping[str, Model], budget: Budget, literally: bool) -> None:
        models = by_role(model)
        check_roles(models)
        check_worker(models)
        self.is_first_literal = literally
        """Whether the literal interpreter tries each sentence of the test first."""
        budgeted = {role: BudgetedModel(each, budget) for role, each in models.items()}
        self._plain: dict[str, ModelWithTraits] = dict(budgeted)
        self._first: dict[str, ModelWithTraits] = {
            role: LiteralFirstModel(each) if literally and not each.traits.is_literal else each
            for role, each in budgeted.items()
        }
        self._literal = {role for role, each in budgeted.items() if each.traits.is_literal}
        if "referee" in self._literal and len(self._literal) < len(models):
            raise UsageError(
                "literal cannot be the referee, which judges what other models conclude: leave referee"
                " out, or name another model for it"
            )
        self.approved: dict[str, Ruling] = {}
        """What the referee has approved, which need not be asked again."""
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
        if role == "referee" and role not in self._plain:
            # If the worker is literal, the referee still judges conclusions of the other models.
            return next((r for r in self._plain if r not in self._literal), "worker")
        return role if role in self._plain else "worker"


class Budget:
    """Counts the tokens of one process and adds those of the run's other processes.

    Each process writes its count to a file of its own, `folder/writer.tokens`, so nothing is locked.
    Limits are checked before each call of a model, so each process may exceed them by one call.
    """

    def __init__(self, folder: Path, writer: str, run_limit: int) -> None:
        self._folder = folder
        self._file = folder / f"{writer}.tokens"
        self._run_limit = run_limit
        self._mine = 0
        self._test = ""
        self._test_limit = run_limit
        self._tests: Counter[str] = Counter()

    def begin(self, test: str, limit: int) -> None:
        """Switch to a test, which may use `limit` tokens, including those it has used before."""
        self._test, self._test_limit = test, limit

    def spend(self, usage: Usage) -> None:
        """Count the tokens of a decision: input, cached input and output."""
        tokens = usage.tokens
        if tokens:
            self._mine += tokens
            self._tests[self._test] += tokens
            # The journal reports a disk that cannot be written.
            with suppress(OSError):
                make_private(self._folder)
                self._file.write_text(str(self._mine))

    def check(self) -> None:
        """Raise OutOfBudget if the test or the run has reached its limit."""
        for what, used, limit, option in self._states():
            if used >= limit:
                raise OutOfBudget(
                    f"the tokens of this {what} are used up: {used:,} of {limit:,}. The report shows what"
                    f" used them; to raise the limit, pass {option}={2 * limit}"
                )

    def _states(self) -> tuple[tuple[str, int, int, str], ...]:
        run = self._mine
        for file in self._folder.glob("*.tokens"):
            if file != self._file:
                with suppress(OSError, ValueError):  # another process is writing it
                    run += int(file.read_text())
        return (
            ("test", self._tests[self._test], self._test_limit, "webtask_test_token_budget"),
            ("run", run, self._run_limit, "--webtask-token-budget"),
        )
