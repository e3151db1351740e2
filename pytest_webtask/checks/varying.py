"""Texts that differ from one run to the next: the mask that both fit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from pytest_webtask.data.phrases import folded

_NUMBER = r"\d+(?:[.,:]\d+)*"
_WORD = r"[^\W_]+"
_TOKEN = re.compile(rf"\{{\w+\}}|{_NUMBER}(?![^\W_])|{_WORD}|\s+|[^\w\s]|_")


@dataclass(frozen=True)
class Varying:
    """What may differ between a recorded text and that of another run: words and numbers in the same places.

    Those of the `sentence` may not. `put` replaces the values of the data in a text.
    """

    sentence: str
    put: Callable[[str], str]

    def pattern(self, recorded: str, current: str) -> str | None:
        """Return a pattern for both texts; None if they share no word, or the sentence names what differs.

        It accepts a number in place of a number, of the same form if both have one, and any word in place of
        a word, a second time only the same.
        """
        one, two = self._tokens(recorded, current)
        if len(one) != len(two):
            return None
        pairs = list(zip(one, two, strict=True))
        # A number alone is known by its element.
        is_number = len(pairs) == 1 and re.fullmatch(_NUMBER, one[0])
        shared = "".join(old for old, new in pairs if old == new)
        has_word = re.search(r"[^\W\d_]{2}", re.sub(r"\{\w+\}", "", shared))
        return self._masked(pairs) if is_number or has_word else None

    def _masked(self, pairs: Sequence[tuple[str, str]]) -> str | None:
        """Return a pattern for tokens and those in their places, None if one of them may not vary."""
        repeats, groups = Counter(pairs), dict[tuple[str, str], str]()
        named = {each for each in _words(self.sentence) if len(each) > 3 or re.search(r"\d", each)}
        parts = []
        for old, new in pairs:
            if old == new:
                parts.append(_literal(old))
            elif (old, new) in groups:
                parts.append(groups[old, new])
            else:
                mask = _mask(old, new)
                if mask is None or named.intersection(_words(old)):
                    return None
                if repeats[old, new] > 1:
                    groups[old, new] = rf"\{len(groups) + 1}"
                    mask = f"({mask})"
                parts.append(mask)
        return "".join(parts)

    def part(self, recorded: str, current: str) -> str:
        """Return the longest part that both texts have, of whole words."""
        one, two = self._tokens(recorded, current)
        found = SequenceMatcher(None, one, two, autojunk=False).find_longest_match()
        return "".join(one[found.a : found.a + found.size]).strip()

    def _tokens(self, recorded: str, current: str) -> tuple[list[str], list[str]]:
        return _TOKEN.findall(folded(recorded)), _TOKEN.findall(folded(self.put(current)))


def _mask(old: str, new: str) -> str | None:
    """Return a pattern for two tokens, None if a sign or a placeholder is one of them."""
    own = re.sub(r"\d+", r"\\d+", re.escape(old))
    for form in (own, _NUMBER, _WORD):
        if all(re.fullmatch(form, each) for each in (old, new)):
            return form
    return None


def _words(text: str) -> list[str]:
    return re.findall(_WORD, folded(text).casefold())


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
