"""Phrases of messages: counted nouns, articles, quotations."""

from __future__ import annotations

import json

IF_RIGHT = "if the page is right,"
"""The condition for recording a step again."""


def counted(number: int, what: str) -> str:
    """Return a number with its noun, which is in the plural unless it is 1."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def with_article(noun: str) -> str:
    """Return a noun, such as a role, with its indefinite article."""
    return f"{'an' if noun[:1] in 'aeio' else 'a'} {noun}"


def quote(value: object) -> str:
    """Return a text in quotation marks, or another value as JSON."""
    return json.dumps(value, ensure_ascii=False)
