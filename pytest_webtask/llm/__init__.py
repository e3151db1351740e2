"""The one seam for all intelligence: a model is asked what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from pytest_webtask.errors import UnknownName, UsageError
from pytest_webtask.loading import is_import_path, load_callable

if TYPE_CHECKING:
    # Every run with options imports this module, and the records take time.
    from pytest_webtask.types.agent import Decision, Turn

__all__ = ["NAMES", "PROVIDERS", "Model", "StepListener", "check_model_name", "load_model"]

NAMES = ("claude", "handoff", "literal")
PROVIDERS = ("bedrock", "openai", "vertex")


@runtime_checkable
class Model(Protocol):
    """Anything that decides. It must raise `ModelError` where it cannot answer at all.

    A model that marks a task done must have read `turn.observation` in that very turn. One that
    does what it was told and never looks says so by an attribute `looks = False`.
    """

    def decide(self, turn: Turn) -> Decision:
        """Say which tools to call next; a decision without calls is answered with a reminder."""
        ...


@runtime_checkable
class StepListener(Protocol):
    """A model that is also notified of the end of each step; it must not raise."""

    def step_ended(self, step: str, status: str, reason: str) -> None:
        """Take note that a step such as `verify('the cart is empty')` ended, and how.

        `status` is that of the journal; `reason` is empty where the step went well. Both texts are
        without secrets.
        """
        ...


def load_model(
    spec: str, *, effort: str | None = None, prices: Sequence[str] = (), folder: Path | None = None
) -> Model:
    """The model that the option names; see `check` for what it may be.

    `effort` and `prices` are for Claude and its like, `folder` is where turns are handed over.
    """
    provider, slash, model = spec.partition("/")
    if spec == "literal":
        from pytest_webtask.literal import LiteralModel

        return LiteralModel()
    if spec == "handoff":
        from pytest_webtask.handoff.model import HandoffModel

        return HandoffModel(folder or Path(".webtask", "handoff"))
    if is_import_path(spec):
        return _made_by(spec)
    from pytest_webtask.llm import prices as table

    if not slash:
        provider, model = "anthropic", spec
    price = {**table.PRICES, **dict(map(table.parse_price, prices))}
    if provider == "openai":
        from pytest_webtask.llm.openai import OpenAI

        return OpenAI(model, effort=effort, price=price.get(model))
    from pytest_webtask.llm import anthropic

    model = anthropic.DEFAULT if model == "claude" else model
    return anthropic.Claude(model, effort=effort, provider=provider, price=price.get(model))


def check_model_name(spec: str) -> str:
    """The name of a model, if it can be one. Raises UnknownName."""
    provider, slash, model = spec.partition("/")
    named = provider in PROVIDERS and bool(model) if slash else "-" in spec and " " not in spec
    meant = get_close_matches(spec, NAMES, n=1, cutoff=0.8)
    if spec in NAMES or is_import_path(spec) or (named and not meant):
        return spec
    known = [*NAMES, "a model's id such as claude-opus-5-5", "package.module:callable"]
    raise UnknownName("model", spec, [*known, *(f"{provider}/ID" for provider in PROVIDERS)])


def _made_by(spec: str) -> Model:
    model = load_callable("model", spec)
    if not isinstance(model, Model):
        raise UsageError(f"{spec} returned {model!r:.100}, which has no decide(turn) method")
    return model
