"""The interface of a model, which decides the next tool calls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    # Every run with options imports this module, and the records take time.
    from pytest_webtask.types.agent import Decision, Turn


@dataclass(frozen=True)
class ModelTraits:
    """The traits of a model that the loop and the roles depend on.

    A model of your own may set `looks_at_page` and `remembers`; the other two exempt a conclusion from
    review, so they count only in the models of this package.
    """

    looks_at_page: bool = True
    """The model must read `turn.observation` in the turn in which it ends a session."""
    remembers: bool = False
    """What it has seen in other turns may count in a ruling, which then is not blind."""
    is_literal: bool = False
    """The model follows a literal sentence, which itself names the checks."""
    replays_recording: bool = False
    """The model follows a recording whose evidence was approved."""

    @property
    def needs_review(self) -> bool:
        """True if its conclusions are reviewed; a model without review also waits by itself."""
        return not (self.is_literal or self.replays_recording)


LITERAL = ModelTraits(looks_at_page=False, is_literal=True)


@runtime_checkable
class Model(Protocol):
    """An object that decides; a model of your own needs no other method.

    A model that ends a session must have read `turn.observation` in that turn. If it never looks at
    the page, give it an attribute `traits = ModelTraits(looks_at_page=False)`.
    """

    def decide(self, turn: Turn) -> Decision:
        """Return the tools to call next; a decision without calls is answered with a reminder.

        Raise `ModelError` if there is no answer at all.
        """
        ...


@runtime_checkable
class ModelWithTraits(Model, Protocol):
    """A model that states its traits, as all models inside this package do.

    `BudgetedModel` states them for a user's model that does not.
    """

    @property
    def traits(self) -> ModelTraits:
        """The traits of the model that made the last decision, or will make the first."""
        ...


@runtime_checkable
class CheckedModel(Protocol):
    """A model that can tell, without being asked for a decision, that it cannot work."""

    def check_access(self) -> None:
        """Raise ModelError if the model cannot work, such as without a key."""
        ...


@runtime_checkable
class StepListener(Protocol):
    """A model that is also notified of the end of each step."""

    def step_ended(self, step: str, status: str, reason: str) -> None:
        """Take note that a step such as `verify('the cart is empty')` has ended; never raise.

        `status` is that of the journal; `reason` is empty if the step succeeded. Neither text
        contains secrets.
        """
        ...
