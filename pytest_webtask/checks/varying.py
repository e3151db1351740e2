"""Texts that differ from one run to the next: what both have in common."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from pytest_webtask.phrases import folded

_TOKEN = re.compile(r"\{\w+\}|[^\W_]+(?:[-.:,/@_]+[^\W_]+)*|\s+|[^\w\s]|_")
_HAS_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_PARTS = re.compile(r"[^\W_]+|[-.:,/@_]+")


@dataclass(frozen=True)
class Varying:
    """What may differ between a recorded text and that of another run.

    Words and numbers of the `sentence` may not. `put` replaces the values of the data in a text.
    """

    sentence: str
    put: Callable[[str], str]

    def pattern(self, recorded: str, current: str) -> str | None:
        """Return a pattern for both texts; None if they share no word, or the sentence names what differs.

        It accepts a number or id of the same form in place of one, a second time only the same, and up
        to twice as many words in place of words.
        """
        parts, groups = [], dict[tuple[str, str], int]()
        pieces = [*self._pieces(recorded, current)]
        repeated = Counter((old, new) for old, new in pieces if old != new)
        named = {each for each in _words(self.sentence) if len(each) > 3 or _HAS_DIGIT.search(each)}
        for old, new in pieces:
            if old == new:
                parts += [_literal(each) for each in _TOKEN.findall(old)]
            elif named.intersection(_words(old)):
                return None
            elif (old, new) in groups:
                parts.append(rf"\{groups[old, new]}")
            elif repeated[old, new] > 1:
                groups[old, new] = len(groups) + 1
                parts.append(f"({_form(old, new)})")
            else:
                parts.append(_form(old, new))
        shared = " ".join(old for old, new in pieces if old == new)
        # A number alone is known by its element.
        is_number = len(pieces) == 1 and bool(_HAS_DIGIT.search(recorded))
        if not is_number and not re.search(r"[^\W\d_]{2}", re.sub(r"\{\w+\}", "", shared)):
            return None
        return "".join(parts)

    def part(self, recorded: str, current: str) -> str:
        """Return the longest part that both texts have, of whole words."""
        same = [old for old, new in self._pieces(recorded, current) if old == new]
        return max(same, key=len, default="").strip()

    def _pieces(self, recorded: str, current: str) -> Iterator[tuple[str, str]]:
        """Yield the pieces of both texts, in order: equal ones, and those that differ."""
        one, two = (_TOKEN.findall(folded(text)) for text in (recorded, self.put(current)))
        matcher = SequenceMatcher(None, one, two, autojunk=False)
        for tag, a, b, c, d in matcher.get_opcodes():
            if tag == "replace" and b - a == d - c:
                yield from zip(one[a:b], two[c:d], strict=True)
            else:
                yield "".join(one[a:b]), "".join(two[c:d])


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
    """Return a pattern for two pieces: tokens with digits, or words."""
    one, two = _PARTS.findall(old), _PARTS.findall(new)
    if _NUMBER.fullmatch(old) and _NUMBER.fullmatch(new) and len(one) != len(two):
        return _NUMBER.pattern
    if re.search(r"\d", old) and [*map(_kind, one)] == [*map(_kind, two)] and "".join(one) == old:
        return "".join(
            re.escape(a)
            if _kind(a) == "" or (a == b and not _HAS_DIGIT.search(a))
            else r"\d+"
            if (a + b).isdigit()
            else r"[^\W_]+"
            for a, b in zip(one, two, strict=True)
        )
    if not old.strip() or not new.strip():
        return rf"(?:\s*\S+(?:\s+\S+){{0,{2 * len((old + new).split()) - 1}}}\s*)?"
    return rf"\S+(?:\s+\S+){{0,{2 * max(len(old.split()), len(new.split())) - 1}}}"


def _kind(part: str) -> str:
    """Return what a part of a token is: "" for a separator."""
    return "word" if part[0].isalnum() else ""
