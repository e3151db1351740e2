"""Texts that differ from one run to the next: what both have in common."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher

from pytest_webtask.data.phrases import folded

_TOKEN = re.compile(r"\{\w+\}|[^\W_]+(?:[-.:,/@_]+[^\W_]+)*|\s+|[^\w\s]|_")
_HAS_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_PARTS = re.compile(r"[^\W_]+|[-.:,/@_]+")


@dataclass(frozen=True)
class Varying:
    """What may differ between a recorded text and that of another run: tokens in the same places.

    Words and numbers of the `sentence` may not. `put` replaces the values of the data in a text.
    """

    sentence: str
    put: Callable[[str], str]

    def pattern(self, recorded: str, current: str) -> str | None:
        """Return a pattern for both texts; None if they share no word, or the sentence names what differs.

        It accepts a number or id of the same form in place of one, a second time only the same, and any word
        in place of a word.
        """
        parts, groups = [], dict[tuple[str, str], int]()
        pairs = self._pairs(recorded, current)
        repeated = Counter(pair for pair in pairs if pair[0] != pair[1])
        named = {each for each in _words(self.sentence) if len(each) > 3 or _HAS_DIGIT.search(each)}
        for old, new in pairs:
            if old == new:
                parts.append(_literal(old))
            elif named.intersection(_words(old)):
                return None
            elif (old, new) in groups:
                parts.append(rf"\{groups[old, new]}")
            elif repeated[old, new] > 1:
                groups[old, new] = len(groups) + 1
                parts.append(f"({_form(old, new)})")
            else:
                parts.append(_form(old, new))
        shared = " ".join(old for old, new in pairs if old == new)
        # A number alone is known by its element.
        is_number = len(pairs) == 1 and bool(_HAS_DIGIT.search(recorded))
        if not is_number and not re.search(r"[^\W\d_]{2}", re.sub(r"\{\w+\}", "", shared)):
            return None
        return "".join(parts)

    def part(self, recorded: str, current: str) -> str:
        """Return the longest part that both texts have, of whole words."""
        one, two = self._tokens(recorded, current)
        found = SequenceMatcher(None, one, two, autojunk=False).find_longest_match()
        return "".join(one[found.a : found.a + found.size]).strip()

    def _pairs(self, recorded: str, current: str) -> list[tuple[str, str]]:
        """Return the tokens of both texts side by side, none if they have others with blanks between them."""
        one, two = self._tokens(recorded, current)
        is_like = [*map(str.isspace, one)] == [*map(str.isspace, two)]
        return [*zip(one, two, strict=True)] if is_like else []

    def _tokens(self, recorded: str, current: str) -> tuple[list[str], list[str]]:
        return _TOKEN.findall(folded(recorded)), _TOKEN.findall(folded(self.put(current)))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", folded(text).casefold())


def literally(text: str) -> str:
    """Return a pattern for a text, in which placeholders stay."""
    return "".join(map(_literal, _TOKEN.findall(folded(text))))


def as_literal(pattern: str) -> str:
    """Return the text for which `literally` has made a pattern."""
    return re.sub(r"\\(.)", r"\1", pattern.replace(r"\s+", " "))


def _literal(token: str) -> str:
    if re.fullmatch(r"\{\w+\}", token):
        return token
    return r"\s+" if token.isspace() else re.escape(token)


def _form(old: str, new: str) -> str:
    """Return a pattern for two tokens: numbers or ids of one form, else any word."""
    one, two = _PARTS.findall(old), _PARTS.findall(new)
    if _NUMBER.fullmatch(old) and _NUMBER.fullmatch(new) and len(one) != len(two):
        return _NUMBER.pattern
    if not _HAS_DIGIT.search(old) or [*map(_mark, one)] != [*map(_mark, two)]:
        return r"\S+"
    return "".join(
        re.escape(a)
        if _mark(a) or (a == b and not _HAS_DIGIT.search(a))
        else r"\d+"
        if (a + b).isdigit()
        else r"[^\W_]+"
        for a, b in zip(one, two, strict=True)
    )


def _mark(part: str) -> str:
    """Return the signs that a part of a token is, "" for a word."""
    return "" if part[0].isalnum() else part
