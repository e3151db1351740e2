"""The default model, built in: it does exactly what literal sentences say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_webtask.errors import MissingRecording, NotLiteral, UsageError
from pytest_webtask.types.agent import Decision, Turn
from pytest_webtask.types.model import LITERAL, ModelTraits, ModelWithTraits

if TYPE_CHECKING:
    from pytest_webtask.types.step import StepKind

# The grammar is imported where it is used: it is slow to load, and a replay does not need it.


def is_literal(kind: StepKind, sentence: str) -> bool:
    """Return whether the literal interpreter can read the sentence of a step of this kind."""
    from pytest_webtask.literal.forms import CLAIMS, DO, READINGS, SELECTIONS
    from pytest_webtask.literal.grammar import parse_sentence

    languages = {"do": DO, "extract": READINGS, "select": SELECTIONS}
    try:
        parse_sentence(sentence, languages.get(kind, CLAIMS))
    except UsageError:
        return False
    return True


class LiteralModel:
    """Interprets sentences without a language model: each clause is one tool call.

    It keeps no state between turns, so one instance can serve all tests, and never reads
    `turn.observation`.
    """

    traits = LITERAL

    def decide(self, turn: Turn) -> Decision:
        """Propose the call for the next clause, its elements resolved on the live page.

        Raises, before the first clause is done, `NotLiteral` for a sentence that cannot be read as
        a whole and `UsageError` for names that it must not use; `PageError` if the page is closed.
        """
        from pytest_webtask.literal.actions import decide_literally, give_up
        from pytest_webtask.literal.finder import UnresolvedError

        try:
            return decide_literally(turn)
        except UnresolvedError as error:
            return give_up(turn, error)


class NoModel(LiteralModel):
    """Does literal sentences only; for others `missing` returns the error message, or "" for none."""

    def __init__(self, missing: Callable[[], str]) -> None:
        self._missing = missing

    def decide(self, turn: Turn) -> Decision:
        """Decide as the literal interpreter. Raises MissingRecording or NotLiteral for other sentences."""
        try:
            return super().decide(turn)
        except NotLiteral as error:
            if missing := self._missing():
                raise MissingRecording(missing) from None
            raise NotLiteral(
                f"there is no recording of {turn.task!r}, and no model is set\n{error}"
            ) from None


class LiteralFirstModel:
    """Does literal sentences as `LiteralModel` does, and leaves all others to a model.

    The model also takes over when an element cannot be resolved, and sees in the history what was
    done until then. It does not take over a call that was resolved and failed, such as a wait for a
    text that does not appear. An instance serves one session after another, as a webtask has them.
    """

    def __init__(self, model: ModelWithTraits) -> None:
        self._model = model
        self._literally = True

    @property
    def traits(self) -> ModelTraits:
        """The literal interpreter's, until the model takes over."""
        return LITERAL if self._literally else self._model.traits

    def decide(self, turn: Turn) -> Decision:
        """Propose the literal interpreter's call, or the model's if the interpreter has none."""
        if not turn.iterations:
            self._literally = True
        if not self._literally:
            return self._model.decide(turn)
        from pytest_webtask.literal.actions import decide_literally
        from pytest_webtask.literal.finder import UnresolvedError
        from pytest_webtask.page.screenshots import point_out

        try:
            return decide_literally(turn)
        except (UsageError, UnresolvedError) as error:
            # A model can still do what the interpreter refuses: free English, length, odd names.
            self._literally = False
            point_out(turn.page, ())
            left = ""
            if not isinstance(error, NotLiteral):
                left = str(error).split("\n", 1)[0]
                # What follows names elements, and texts of the page reach a model in outlines only.
                why = f"Read literally, the sentence failed: {left.partition(';')[0]}."
                turn.notices = (*turn.notices, why)
            return replace(self._model.decide(turn), left=left)


class ScopedModel:
    """Lets a model decide only if the part of the page that a sentence is limited to is there.

    `scope` is the beginning of the sentence that names it.
    """

    def __init__(self, model: ModelWithTraits, scope: str) -> None:
        self._model = model
        self._scope = scope
        self._is_lost = False

    @property
    def traits(self) -> ModelTraits:
        """The literal interpreter's if the part is not there, else the model's."""
        return LITERAL if self._is_lost else self._model.traits

    def decide(self, turn: Turn) -> Decision:
        """Propose the model's call; before the first, end the session if the part is not there."""
        if self._scope:
            from pytest_webtask.literal.actions import refuse_lost_scope
            from pytest_webtask.literal.grammar import scope_of

            refused = refuse_lost_scope(turn, scope_of(self._scope))
            self._is_lost = refused is not None
            if refused:
                return refused
            self._scope = ""
        return self._model.decide(turn)
