"""Small words that turn a meaning round: in stock and out of stock, logged in and logged out."""

from __future__ import annotations

import re
from itertools import pairwise

from pytest_webtask.checks.vocabulary import stem

__all__ = ["compares", "contradicts"]

_OPPOSITES = {
    "in": "out",
    "out": "in",
    "on": "off",
    "off": "on",
    "up": "down",
    "down": "up",
    "before": "after",
    "after": "before",
}
_NEEDED = frozenset(("out", "off", "down", "up"))
_COMPARES = re.compile(
    r"\b(?:more|less|fewer|\w{3,}er)\s+(?:\w+\s+)?than\s+(?!…|[-−]?[$€£]?\s?\d|\w+teen\b"
    r"|(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty)\b)"
    r"|\bthe same(?: \w+)? as\b|\bequal to the\b",
    re.I,
)


def compares(text: str) -> bool:
    """Whether a clause compares two things with each other, which no check does."""
    return bool(_COMPARES.search(text))


def contradicts(claim: str, text: str) -> bool:
    """Whether a text has a word of the claim with the opposite of what stands beside it there."""
    claimed, said = _pairs(claim), _pairs(text)
    for word, particle in claimed:
        if (word, particle) in said:
            continue
        if (word, _OPPOSITES[particle]) in said:
            return True
        if particle in _NEEDED and re.search(rf"\b{re.escape(word)}", text, re.I):
            return True
    return False


def _pairs(text: str) -> set[tuple[str, str]]:
    """The words that such a small word stands right before or behind."""
    words = [w.casefold() for w in re.findall(r"[^\W\d_][\w'’-]*", text)]
    words = [w for w in words if w not in ("of", "the", "a", "an")]
    found = set()
    for one, two in pairwise(words):
        if one in _OPPOSITES and two not in _OPPOSITES:
            found.add((stem(two), one))
        if two in _OPPOSITES and one not in _OPPOSITES and two not in ("before", "after"):
            found.add((stem(one), two))
    return found
