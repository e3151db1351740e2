"""Regular expressions of models, recordings and projects, matched within a limit of time."""

import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pytest_webtask.data.text import WORD_BEGINS, WORD_ENDS, escape

LIMIT = 1.0
"""Seconds that a pattern may take on a text."""
_FLAGS = ("ASCII", "DOTALL", "IGNORECASE", "MULTILINE", "VERBOSE")
_FOREIGN = re.compile(r"(\\N\{[^}]*\}|\\.)|\{(?!\d+,?\d*\}|,\d*\})|\[:", re.DOTALL)
"""The parts that `regex` reads as a fuzzy match or a class, but Python literally; escapes come first."""


class SlowPattern(Exception):
    """A pattern takes too long on a text.

    The message follows the words "the pattern …", and says how to change it.
    """


class LimitedPattern:
    """A regular expression in Python's syntax that no text can keep busy: SlowPattern is raised.

    Raises ValueError if it is invalid; the message follows the words "the pattern …".
    """

    def __init__(self, pattern: str | re.Pattern[str]) -> None:
        import regex

        if isinstance(pattern, str):
            try:
                with warnings.catch_warnings():
                    # What may change its meaning is refused.
                    warnings.simplefilter("error", FutureWarning)
                    pattern = re.compile(pattern)
            except (re.error, FutureWarning, RecursionError, OverflowError) as error:
                raise ValueError(f"is not a regular expression: {error}; correct it") from None
        flags = 0
        for name in _FLAGS:
            if pattern.flags & getattr(re, name):
                flags |= getattr(regex, name)
        literal = _FOREIGN.sub(lambda m: m[1] or f"{m[0][:-1]}\\{m[0][-1]}", pattern.pattern)
        try:
            self._regex = regex.compile(literal, flags)
        except regex.error as error:
            raise ValueError(f"is not a regular expression: {error}; correct it") from None

    def fits(self, text: str) -> bool:
        """Return whether the pattern matches a text as a whole. Raises SlowPattern."""
        with self._limiting(text):
            return self._regex.fullmatch(text, timeout=LIMIT) is not None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the parts of a text that the pattern matches. Raises SlowPattern."""
        with self._limiting(text):
            return [match.span() for match in self._regex.finditer(text, timeout=LIMIT)]

    @staticmethod
    @contextmanager
    def _limiting(text: str) -> Iterator[None]:
        try:
            yield
        except TimeoutError:
            raise SlowPattern(
                f"takes longer than {LIMIT:g} s on a text of {len(text)} characters: repeat no group that"
                " can match a text in several ways, such as (a+)+ or (a|aa)*, and write more of the pattern literally"
            ) from None


_VARYING = re.compile(
    r"(?:(?:(?<!\\)(?:\(.*\)|\[\^?\]?(?:\\.|[^]\\])*\]|[.^$]|.(?=[*+?{]))|\\[A-Za-z\d]|\\\W(?=[*+?{]))"
    r"(?:[*+?]|\{[\d,]*\})*)+",
    re.DOTALL,
)


def literal_part(pattern: str) -> str:
    """Return a pattern for texts with the literal parts of one, "" if it has no word or two forms.

    It has no other repetition than that of any text, so that no browser is kept busy by it.
    """
    parts = _VARYING.split(pattern)
    if "|" in "".join(parts) or not any(re.search(r"[^\W\d_]{2}", each) for each in parts):
        return ""
    texts = (escape(re.sub(r"\\(\W)", r"\1", each)) for each in parts)
    return rf"^\s*{'.{0,200}'.join(texts)}\s*$".replace(r"\ ", r"\s+")


def address_parts(address: str, escape: Callable[[str], str]) -> list[str]:
    """Return the patterns of the parts of an address between its stars; two stars stand for whole words."""
    parts = re.split(r"(\*+)", address)
    stars = ["", *parts[1::2], ""]
    begins, ends = {"**": WORD_BEGINS}, {"**": WORD_ENDS}
    return [
        begins.get(before, "") + escape(part) + ends.get(behind, "")
        for part, before, behind in zip(parts[::2], stars, stars[1:], strict=False)
    ]


def address_ends(address: str) -> tuple[str, str, str]:
    """Return the patterns before and after an address or its end, and one for what `*` stands for in it.

    The query counts only if a part of one is given, and the fragment if it is given or is a route.
    """
    if re.match(r"(?:about|data|file|blob):", address):
        return "^", ".", "$"
    has_fragment = "#" in address
    has_query = has_fragment or re.search("[?&=]", address)
    anything = "." if has_fragment else f"(?:{'[^#]' if has_query else '[^?#]'}|#(?=[/!]))"
    after = "" if has_query else r"(?:\?[^#]*)?"
    after += "$" if has_fragment else "(?:#(?![/!]).*)?$"
    if re.match("https?://", address):
        return "^", anything, after
    if address.startswith("/"):
        return r"^[a-z]+://[^/?#]*", anything, after
    if address[:1] in ("*", "?", "#"):
        return f"^{anything}*", anything, after
    return f"^{anything}*[/?&#]", anything, after
