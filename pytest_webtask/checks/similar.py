"""Texts that resemble an absent one, in any language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from pytest_webtask.checks.text import squashed

__all__ = ["longer_words", "similar_texts"]

_MOST = 5
_SHORTEST_PREFIX = 4
_SHARE = 0.6


def similar_texts(absent: str, lines: Sequence[str]) -> list[str]:
    """Return at most five lines with a word similar to a word of the absent text.

    Words are similar if they share a prefix of at least four letters that is at least 60% of the
    shorter one: "Delayed" for "delays". Lines with more similar words come first, then shorter ones.
    """
    words = _words(absent)
    matches = {
        line: sum(any(_are_similar(word, other) for other in _words(line)) for word in words)
        for line in map(squashed, lines)
    }
    return sorted(filter(matches.get, matches), key=lambda line: (-matches[line], len(line)))[
        :_MOST
    ]


def longer_words(absent: str, lines: Sequence[str]) -> list[str]:
    """Return the longer words, in lower case, that begin with a text, such as "errors" with "error"."""
    text = squashed(absent).casefold()
    if not text[-1:].isalpha():
        return []
    begins = re.compile(rf"(?<!\w){re.escape(text)}[^\W\d_]+")
    return sorted({form for line in lines for form in begins.findall(squashed(line).casefold())})


def _words(text: str) -> set[str]:
    """Return the runs of letters with their combining marks, in lower case."""
    # A pattern of letters would split words of scripts that write vowels as marks.
    letters = (c if unicodedata.category(c)[0] in "LM" else " " for c in squashed(text).casefold())
    return set("".join(letters).split())


def _are_similar(one: str, other: str) -> bool:
    prefix = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        prefix += 1
    return prefix >= max(_SHORTEST_PREFIX, _SHARE * min(len(one), len(other)))
