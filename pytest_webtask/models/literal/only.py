"""Who decides where nothing is recorded and no model may be asked."""

from __future__ import annotations

from collections.abc import Callable

from pytest_webtask.errors import MissingRecording, NotLiteral
from pytest_webtask.models.literal import Literal
from pytest_webtask.records import Decision, Turn

__all__ = ["OnlyLiteral"]


class OnlyLiteral:
    """Does literal sentences; of others `missing` says what is missing, or "" for nothing to add."""

    looks = False
    literal = True

    def __init__(self, missing: Callable[[], str]) -> None:
        self._literal = Literal()
        self._missing = missing

    def decide(self, turn: Turn) -> Decision:
        """The literal interpreter's decision. Raises MissingRecording or NotLiteral for others."""
        from pytest_webtask.models.literal.grammar import UnsupportedForm

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
