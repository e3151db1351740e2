"""The one seam for all intelligence: a model is asked what to do next."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, runtime_checkable

from pytest_webtask.errors import UsageError
from pytest_webtask.records import Decision, Turn

__all__ = ["Model", "load"]


@runtime_checkable
class Model(Protocol):
    """Anything that decides. It must raise `ModelError` where it cannot answer at all.

    A model that marks a task done must have read `turn.observation` in that very turn. One that
    does what it was told and never looks says so by an attribute `looks = False`.
    """

    def decide(self, turn: Turn) -> Decision:
        """Say which tools to call next; a decision without calls is answered with a reminder."""
        ...


def load(spec: str) -> Model:
    """The model that the option names: `literal`, or what a `package.module:callable` returns."""
    if spec == "literal":
        from pytest_webtask.models.literal import Literal

        return Literal()
    module, _, name = spec.partition(":")
    try:
        make: Any = import_module(module)
        for part in name.split("."):
            make = getattr(make, part)
    except (ImportError, AttributeError) as error:
        raise UsageError(
            f"the model {spec!r} cannot be loaded: {error}. It must be importable from where pytest"
            " runs (see pytest's pythonpath option)"
        ) from None
    if not callable(make):
        raise UsageError(f"{spec} is {make!r:.100}; what makes the model must be callable")
    model = make()
    if not isinstance(model, Model):
        raise UsageError(f"{spec} returned {model!r:.100}, which has no decide(turn) method")
    return model
