"""Which checks say that something is in a state, and tokens and words as they are told."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_webtask.checks.answers import Answer
from pytest_webtask.checks.claims import Clause, Token
from pytest_webtask.checks.kinds import Attribute
from pytest_webtask.checks.wording import says

__all__ = ["is_in", "listed", "told"]


def is_in(answer: Answer, state: str, clause: Clause) -> bool:
    """Whether a check says that something is in a state."""
    check = answer.check
    if check.kind == "state" and check.state == state:
        return True
    if state == "empty":
        return _is_empty(answer)
    if state == "hidden":
        return check.kind == "absent"
    if state == "selected":
        pressed = isinstance(check, Attribute) and check.name in (
            "aria-pressed",
            "aria-current",
            "aria-checked",
        )
        return (
            (check.kind == "state" and check.state == "checked")
            or check.kind == "value"
            or (pressed and answer.expects[0] not in ("false", ""))
        )
    said = check.kind == "text" and any(says(text, state, anycase=True) for text in answer.expects)
    return said and not clause.control


def _is_empty(answer: Answer) -> bool:
    check = answer.check
    if check.kind == "value":
        return check.value == ""
    if check.kind == "text":
        empty = r"\bempty\b|^no\b|^0$|\b0 (?:items?|products?|entries|results?)\b|\bnothing\b"
        return any(re.search(empty, text, re.I) for text in answer.expects)
    return False


def told(token: Token) -> str:
    """A token as it is written in a message."""
    sign = "" if token.compared == "=" else f"{token.compared} "
    return f'"{token.text}"' if token.kind in ("quote", "data") else f"{sign}{token.text}"


def listed(words: Sequence[str]) -> str:
    """Words in quotation marks, with commas."""
    return ", ".join(word if word.startswith('"') else f"'{word}'" for word in words)
