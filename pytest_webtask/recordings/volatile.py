"""Texts that differ in what may change by itself: dates, times, long numbers, generated ids."""

from __future__ import annotations

import re

__all__ = ["as_pattern"]

_KINDS = (
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?",
    r"\d{1,2}[./]\d{1,2}[./]\d{2,4}",
    r"\d{1,2} [A-Z][a-z]{2,8} \d{4}|[A-Z][a-z]{2,8} \d{1,2}, \d{4}",
    r"\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?",
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    r"(?=[A-Za-z-]*\d)(?=\d*[A-Za-z-])[A-Za-z0-9][A-Za-z0-9-]{5,}",
    # No price and no count: of those nobody says that they change by themselves.
    r"(?<![\d.,$€£¥₹])\d{5,}(?![.,]?\d|\s?[€$£¥₹%])|(?<=#)\d{3,}(?![.,]?\d)",
)
_VOLATILE = re.compile("|".join(f"(?:{kind})" for kind in _KINDS))


def as_pattern(expected: str, actual: str, named: str, *, whole: bool = False) -> str | None:
    """A pattern for both texts where they differ in such parts only; None where they do not.

    What `named`, the sentence, says itself is what it is about. A text that is not `whole` is only
    a part of what is there.
    """
    parts: list[str] = []
    last, found = 0, False
    for match in _VOLATILE.finditer(expected):
        if re.search(rf"(?<!\w){re.escape(match[0])}(?!\w)", named):
            continue
        parts += [_literally(expected[last : match.start()]), _shape(match[0])]
        last, found = match.end(), True
    if not found or not re.search(r"[^\W\d_]{2}", re.sub(_VOLATILE, "", expected)):
        # What has nothing else that stays the same is nothing to know it by.
        return None
    pattern = "".join([*parts, _literally(expected[last:])])
    pattern = pattern if whole else rf".*{pattern}.*"
    return pattern if re.fullmatch(pattern, " ".join(actual.split())) else None


def _shape(text: str) -> str:
    """A pattern for texts that look like this one: digits for digits, letters for letters."""
    if re.fullmatch(_KINDS[4], text):
        return r"[0-9a-f-]{36}"
    mixed = re.search(r"[A-Za-z]\d|\d[A-Za-z]", text)
    parts = re.findall(r"[A-Za-z\d]+|." if mixed else r"\d+|[A-Za-z]+|.", text)
    return "".join(
        rf"[A-Za-z\d]{{{len(part)}}}"
        if mixed and part.isalnum()
        else r"\d+"
        if part.isdigit()
        else "[A-Za-z]+"
        if part.isalpha()
        else _literally(part)
        for part in parts
    )


def _literally(text: str) -> str:
    return re.sub(r"(?:\\ |\s)+", r"\\s+", re.escape(text))
