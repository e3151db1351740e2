"""Texts with numbers and codes that may differ from one run to the next: the pattern for all of them."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from pytest_webtask.data.phrases import NAME, folded

_NUMBER = r"\d+(?:[.,:]\d+)*"
_WORD = r"[^\W_]+"
_CODE = r"[^\W_]*\d[^\W_]*"
_PLACEHOLDER = rf"\{{{NAME}\}}"
_TOKEN = re.compile(rf"{_PLACEHOLDER}|{_NUMBER}(?![^\W_])|{_WORD}|\s+|[^\w\s]|_")


@dataclass(frozen=True)
class Varying:
    """What may differ in a recorded text: numbers and codes that another text has otherwise in the same places.

    Those of the `sentence` may not. `put` replaces the values of the data in a text.
    """

    sentence: str
    put: Callable[[str], str]

    def pattern(self, recorded: str, current: str) -> str | None:
        """Return a pattern for both texts; None if they share no word, or the sentence names what differs.

        It accepts any number of the same form, and any code with a digit, a second time only the same.
        """
        return self._masked(self._tokens(recorded), self._tokens(self.put(current)))

    def pattern_within(self, recorded: str, current: str) -> str | None:
        """Return a pattern for a text that stands in both, such as a line of an element; None if there is none."""
        one, two = self._tokens(recorded), self._tokens(self.put(current))
        places = range(len(two) - len(one) + 1)
        found = filter(None, (self._masked(one, two[at : at + len(one)]) for at in places))
        return next((rf"(?:.*\s)?{each}(?:\s.*)?" for each in found), None)

    def _tokens(self, text: str) -> list[str]:
        return _TOKEN.findall(folded(text))

    def _masked(self, one: list[str], two: list[str]) -> str | None:
        # Without a word it is known by its element alone, which must then be a number.
        shared = "".join(old for old, new in zip(one, two, strict=False) if old == new)
        has_word = re.search(r"[^\W\d_]{2}", re.sub(_PLACEHOLDER, "", shared))
        if len(one) != len(two) or not (has_word or re.fullmatch(_NUMBER, "".join(one))):
            return None
        pairs = list(zip(one, two, strict=True))
        repeats, groups = Counter(pairs), dict[tuple[str, str], str]()
        named = {each for each in _words(self.sentence) if len(each) > 3 or re.search(r"\d", each)}
        parts = []
        for old, new in pairs:
            form = re.sub(r"\d+", r"\\d+", re.escape(old))
            if re.fullmatch(_CODE, old) and not re.fullmatch(form, new):
                form = _CODE
            if old == new:
                parts.append(_literal(old))
            elif (old, new) in groups:
                parts.append(groups[old, new])
            elif not re.fullmatch(form, new) or named.intersection(_words(old)):
                return None
            elif repeats[old, new] > 1:
                groups[old, new] = rf"\{len(groups) + 1}"
                parts.append(f"({form})")
            else:
                parts.append(form)
        return "".join(parts)


def _words(text: str) -> list[str]:
    return re.findall(_WORD, folded(text).casefold())


def _literal(token: str) -> str:
    if re.fullmatch(_PLACEHOLDER, token):
        return token
    return r"\s+" if token.isspace() else re.escape(token)
