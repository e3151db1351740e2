"""Parts of texts that may change by themselves: dates, times, long numbers, generated ids; patterns for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

_DATES = (
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?",
    r"\d{1,2}[./]\d{1,2}[./]\d{2,4}",
    r"\d{1,2} [A-Z][a-z]{2,8}\.? \d{4}|[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}",
    r"\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp](?:[Mm]|\.[Mm]\.))?",
    r"\d+ (?:second|sec|minute|min|hour|day)s? ago",
)
_NUMBER = r"(?<![\d.,$€£¥₹])\d{3,}(?![.,]?\d|\s?[€$£¥₹%])"
"""A number that is not a price and unlikely to be a count."""
_KINDS = (
    *_DATES,
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    # Excludes words next to numbers without a blank, such as "2items".
    r"(?=[A-Za-z-]{0,99}\d)(?=\d{0,99}[A-Za-z-])(?!(?:[A-Za-z]+\d+|\d+[A-Za-z]+)(?![A-Za-z0-9-]))"
    r"[A-Za-z0-9][A-Za-z0-9-]{5,}",
    # Excludes prices and counts, which do not change by themselves.
    r"(?<![\d.,$€£¥₹])\d{5,}(?![.,]?\d|\s?[€$£¥₹%])|(?<=#)\d{3,}(?![.,]?\d)",
)
_DATE = re.compile("|".join(f"(?:{kind})" for kind in _DATES))
_VOLATILE = re.compile("|".join(f"(?:{kind})" for kind in _KINDS))


def changing_pattern(
    text: str, named: str, read: Sequence[str] = (), *, only_dates: bool = False
) -> tuple[str, list[str]] | None:
    """Return a pattern for a text whose changing parts may differ, and those parts.

    Parts change by themselves or are values `read` from the page. Texts `named` in a sentence or its
    data do not change, nor numbers and ids if `only_dates` do. The result is None if nothing or
    everything changes.
    """
    parts: list[str] = []
    changing: list[str] = []
    # A sentence may name a date only by its day.
    numbers = _numbers(named)
    last = 0
    values = [rf"(?<!\w){re.escape(each)}(?!\w)" for each in read if each.strip()]
    volatile = re.compile("|".join([*values, (_DATE if only_dates else _VOLATILE).pattern]))
    for match in volatile.finditer(text):
        if re.search(rf"(?<!\w){re.escape(match[0])}(?!\w)", named) or numbers & _numbers(match[0]):
            continue
        parts += [_literally(text[last : match.start()]), _shape(match[0])]
        changing.append(match[0])
        last = match.end()
    if not changing or not re.search(r"[^\W\d_]{2}", volatile.sub("", text)):
        return None
    return "".join([*parts, _literally(text[last:])]), changing


def lasting_pattern(text: str, named: str) -> str:
    """Return a pattern for a text in which parts that change by themselves may differ."""
    changing = changing_pattern(text, named)
    return changing[0] if changing else _literally(text)


def as_pattern(expected: str, actual: str, named: str, *, whole: bool = False) -> str | None:
    """Return a pattern for both texts if they differ in changing parts only, else None.

    An expected text that is not `whole` is a part of the actual one.
    """
    changing = changing_pattern(expected, named)
    if changing is None:
        return None
    pattern = changing[0] if whole else rf".*{changing[0]}.*"
    return pattern if re.fullmatch(pattern, " ".join(actual.split())) else None


def without_dates(text: str) -> str:
    """Return a text without its dates and times."""
    return _DATE.sub(" ", text)


def share_number(one: str, other: str) -> bool:
    """Return whether two texts have a number of three digits in common that is not part of a price, date or time."""
    numbers, others = (re.findall(_NUMBER, without_dates(text)) for text in (one, other))
    return not set(numbers).isdisjoint(others)


def _numbers(text: str) -> set[Decimal]:
    # Python reads no int of more than 4,300 digits.
    return {Decimal(digits) for digits in re.findall(r"\d+", text)}


def _shape(text: str) -> str:
    """Return a pattern for texts of the same shape: digits for digits, letters for letters."""
    if re.fullmatch(_KINDS[5], text):
        return r"[0-9a-f-]{36}"
    mixed = re.search(r"[A-Za-z]\d|\d[A-Za-z]", text)
    # Not every month is abbreviated.
    parts = re.findall(r"[A-Za-z\d]+|." if mixed else r"\d+|[A-Za-z]+\.?|.", text)
    return "".join(
        rf"[A-Za-z\d]{{{len(part)}}}"
        if mixed and part.isalnum()
        else r"\d+"
        if part.isdigit()
        else r"[A-Za-z]+\.?"
        if part[0].isalpha()
        else _literally(part)
        for part in parts
    )


def _literally(text: str) -> str:
    # Keep placeholders.
    parts = re.split(r"(\{[^\W\d]\w*\})", text)
    escaped = "".join(part if at % 2 else re.escape(part) for at, part in enumerate(parts))
    return re.sub(r"(?:\\ |\s)+", r"\\s+", escaped)
