"""The embedded default: it reads plain, literal English exactly, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pytest_webtask.errors import MissingRecording, NotLiteral, UsageError
from pytest_webtask.types.agent import Decision, Turn

if TYPE_CHECKING:
    from pytest_webtask.llm import Model

__all__ = ["LiteralFirstModel", "LiteralModel", "NoModel"]


# The grammar takes a while to load, and a recording needs none of it.


class LiteralModel:
    """A model without a model: each clause of the sentence is one tool call.

    It keeps nothing between turns, so one instance may serve all tests, and never reads
    `turn.observation`.
    """

    looks = False
    """It never looks at what the page shows as a whole."""

    def decide(self, turn: Turn) -> Decision:
        """Propose the call for the next clause, its elements resolved on the live page.

        Raises `NotLiteral` for a sentence that cannot be read as a whole and `UsageError` for names
        that it may not use, both before its first clause is done; `PageError` if the page is gone.
        """
        from pytest_webtask.literal import actions

        return actions.next_decision(turn)

    def attempt(self, turn: Turn) -> Decision:
        """`decide`, but raises Unresolved for an element that is not found, or found twice."""
        from pytest_webtask.literal import actions

        return actions.attempt_decision(turn)


class LiteralFirstModel:
    """Does literal sentences as `Literal` does, and has a model do all else.

    What cannot be resolved goes to the model too, which sees in the history what was done until
    then. What was resolved and then failed does not: a text that is waited for and does not come is
    no matter of opinion. Neither does a sentence in an unsupported form, which raises `NotLiteral`
    with what to write instead. It serves one session after another, as those of one webtask are.
    """

    def __init__(self, model: Model) -> None:
        self._literal = LiteralModel()
        self._model = model
        self._literally = True

    @property
    def looks(self) -> bool:
        """Whether the one that is at work looks at the page."""
        return not self._literally and getattr(self._model, "looks", True)

    @property
    def literal(self) -> bool:
        """Whether the literal interpreter made the last decision."""
        return self._literally

    def decide(self, turn: Turn) -> Decision:
        """Propose the literal interpreter's call, or the model's where that one is at a loss."""
        if not turn.iterations:
            self._literally = True
        if self._literally:
            from pytest_webtask.literal.finder import Unresolved
            from pytest_webtask.literal.grammar import UnsupportedForm

            try:
                return self._literal.attempt(turn)
            except UnsupportedForm:
                raise
            except (UsageError, Unresolved):
                # Nothing else it refuses is wrong for a model: a sentence, a length, a name in quotes.
                self._literally = False
        return self._model.decide(turn)


class NoModel:
    """Does literal sentences; of others `missing` says what is missing, or "" for nothing to add."""

    looks = False
    literal = True

    def __init__(self, missing: Callable[[], str]) -> None:
        self._literal = LiteralModel()
        self._missing = missing

    def decide(self, turn: Turn) -> Decision:
        """The literal interpreter's decision. Raises MissingRecording or NotLiteral for others."""
        from pytest_webtask.literal.grammar import UnsupportedForm

        try:
            return self._literal.decide(turn)
        except UnsupportedForm:
            # A recording cannot be made of it either.
            raise
        except NotLiteral:
            missing = self._missing()
            if not missing:
                raise
        raise MissingRecording(missing)
