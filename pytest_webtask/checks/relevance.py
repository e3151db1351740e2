"""Whether checks are about what a claim speaks of, so that they may deny it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_webtask.checks.answers import Answer
from pytest_webtask.checks.claims import read
from pytest_webtask.checks.covering import SETS, lexical, words_of
from pytest_webtask.checks.wording import says

__all__ = ["relevant"]


def relevant(claim: str, answers: Sequence[Answer], data: Mapping[str, str]) -> bool:
    """Whether any of these checks is about something that a claim speaks of."""
    for clause in read(claim, data):
        for answer in answers:
            if answer.check.kind in SETS and any(t.kind == "number" for t in clause.tokens):
                return True
            if answer.check.kind in SETS and clause.wants:
                return True
            texts = [*words_of(answer), answer.checked.expected, answer.checked.about]
            if any(lexical(word, answer, texts, clause) for word in clause.words):
                return True
            if any(
                says(text, token.text, anycase=True) for text in texts for token in clause.tokens
            ):
                return True
            if clause.states and answer.check.kind in ("state", "value") and not clause.words:
                return True
    return False
