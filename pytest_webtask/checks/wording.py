"""Texts as checks compare them: whole words, white space folded, numbers whole."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["says", "squashed", "whole_words"]

_LETTER = (
    "[0-9A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u0dff\u10a0-\u10ff\u1200-\u1fff]"
)
"""Letters of scripts that set spaces between words, for Python and JavaScript alike."""
_CURRENCY = "[$€£¥₹]"


def squashed(text: str) -> str:
    """The text with its white space folded, and without characters that are not drawn."""
    text = unicodedata.normalize("NFC", text.replace("\u2019", "'").replace("\u2018", "'"))
    return " ".join(re.sub("[\u200b\u00ad]", "", text).split())


def whole_words(text: str, *, whole: bool = False, anycase: bool = False) -> re.Pattern[str]:
    """A pattern for a text as whole words; with `whole`, for a text that says nothing else.

    A part of a number is not that number, and neither is it with another sign. What an outline
    shows as " / " is a line break. It means the same to Python and to JavaScript.
    """
    words = squashed(text)
    parts = [r"\s+".join(re.escape(word) for word in part.split()) for part in words.split(" / ")]
    pattern = r"(?:\s*/\s*|\s+)".join(parts).replace("'", "['\u2019]")
    if whole:
        pattern = rf"^\s*{pattern}\s*$"
    else:
        before = after = ""
        if re.match(_LETTER, words):
            before = f"(?<!{_LETTER})"
        if re.match(rf"(?:{_CURRENCY}\s?)?\d", words):
            before += r"(?<!\d[-/:.,'’])(?<!^[-−])(?<!\s[-−])(?<!\([-−])"
            before += rf"(?<!{_CURRENCY}[-−])(?<!{_CURRENCY}\s[-−])"
            if re.match(r"\d{3}(?!\d)", words):
                # Thousands may be set apart by a blank.
                before += "(?<!\\d[ \u00a0\u202f\u2009])"
            if words[0].isdigit():
                before += rf"(?<![-−]{_CURRENCY})"
        if re.search(f"{_LETTER}$", words):
            after = f"(?!{_LETTER})"
        if words[-1:].isdigit():
            after += r"(?![-/:.,'’]\d)"
            if re.search(r"(?<!\d)\d{1,3}$", words):
                after += "(?![ \u00a0\u202f\u2009]\\d{3}(?!\\d))"
        pattern = before + pattern + after
    return re.compile(pattern, re.IGNORECASE if anycase else 0)


def says(text: str, words: str, *, anycase: bool = False) -> bool:
    """Whether a text says these words."""
    return bool(whole_words(words, anycase=anycase).search(squashed(text)))
