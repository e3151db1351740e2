"""Phrases of messages."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, what: str) -> str:
    """Return a number with its noun, which is in the plural unless it is 1."""
    return f"{number} {what}{'' if number == 1 else 's'}"
