"""Values that are read off the page again: how each part of one stands in the text of its source.

A part is a text, a number or a date between two other texts, or how many elements there are. What
cannot be read again so is not recorded: a recorded constant would be returned whatever the page says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from pytest_webtask.checks.text import amounts_in, dates_in, squashed
from pytest_webtask.recordings.steps import Derived

__all__ = ["Underivable", "derive", "read_again"]

Source = str | int
"""What a source has: its text, or how many elements it finds."""


class Underivable(ValueError):
    """A value, or a part of it, cannot be read off its sources; the message says why."""


def derive(value: Any, sources: Sequence[Source], used: list[Derived] | None = None) -> Any:
    """How a JSON-like value is read off its sources, nested as it is. Raises Underivable.

    `used` are the places from which other parts of a list are read.
    """
    used = [] if used is None else used
    if isinstance(value, dict):
        return {key: derive(each, sources, used) for key, each in value.items()}
    if isinstance(value, list):
        if not value:
            raise Underivable("an empty list is read from nothing")
        made = [derive(each, sources, used) for each in value]
        if any(each in made[:at] for at, each in enumerate(made)):
            raise Underivable("two items of the list would be read from the same place")
        return made
    if value is None or isinstance(value, bool):
        raise Underivable(f"{value} stands in no text; ask for it with holds()")
    parts = [_part(value, index, source) for index, source in enumerate(sources)]
    found = [part for part in parts if part is not None]
    if not found:
        raise Underivable(f"{value!r} does not stand in what was read just as it is")
    # All of a text rather than a part of another, and of equal ones the next.
    best = min(found, key=lambda part: (bool(part.before or part.after), part in used))
    used.append(best)
    return best.model_dump(exclude_defaults=True)


def read_again(template: Any, sources: Sequence[Source]) -> Any:
    """The value as the sources have it now. Raises Underivable."""
    if isinstance(template, dict) and "take" in template:
        part = Derived.model_validate(template)
        if part.source >= len(sources):
            raise Underivable(f"there is no source {part.source}")
        return _taken(part, sources[part.source])
    if isinstance(template, dict):
        return {key: read_again(each, sources) for key, each in template.items()}
    if isinstance(template, list):
        return [read_again(each, sources) for each in template]
    raise Underivable(f"{template!r} says of no source how it is read")


def _part(value: Any, index: int, source: Source) -> Derived | None:
    if isinstance(source, int):
        return Derived(source=index, take="count") if value == source else None
    text = squashed(source)
    if isinstance(value, (int, float)):
        wanted = Decimal(str(value))
        take = "integer" if isinstance(value, int) else "number"
        candidates = [(m.start(), m.end()) for m in re.finditer(_NUMBER, text)]
        fits = [p for p in candidates if _number(text[slice(*p)]) == wanted]
    else:
        words = squashed(str(value))
        take = "text"
        fits = [(m.start(), m.end()) for m in re.finditer(re.escape(words), text)] if words else []
        if not fits:
            take = "date"
            written = [
                w for w, days, *_ in dates_in(text) if [d.isoformat() for d in days] == [words]
            ]
            fits = [(at, at + len(w)) for w in written if (at := text.find(w)) >= 0]
    for begin, end in fits:
        made = Derived(source=index, take=take, before=text[:begin], after=text[end:])  # type: ignore[arg-type]
        try:
            if _taken(made, source) == value:
                return made
        except Underivable:
            continue
    return None


_NUMBER = r"[-−]?\d[\d.,'’\u00a0\u202f ]*\d|[-−]?\d"


def _number(text: str) -> Decimal | None:
    found = amounts_in(text)
    values = found[0].values if len(found) == 1 else ()
    return next(iter(values)) if len(values) == 1 else None


def _taken(part: Derived, source: Source) -> Any:
    if part.take == "count":
        if not isinstance(source, int):
            raise Underivable("a count needs a source that is counted")
        return source
    text = squashed(str(source))
    match = re.fullmatch(f"{_around(part.before)}(.+){_around(part.after)}", text)
    if match is None:
        said = f"{part.before}…{part.after}"
        raise Underivable(f"the page says {text!r:.120}, which is not {said!r:.120}")
    if part.take == "text":
        return match[1]
    if part.take == "date":
        days = [
            d for written, found, *_ in dates_in(match[1]) if written == match[1] for d in found
        ]
        if len(days) != 1:
            raise Underivable(f"{match[1]!r:.80} is not one date")
        return days[0].isoformat()
    number = _number(match[1]) if re.fullmatch(_NUMBER, match[1]) else None
    if number is None:
        raise Underivable(f"{match[1]!r:.80} is not one number")
    if part.take == "integer":
        if number != int(number):
            raise Underivable(f"{match[1]!r:.80} is no whole number")
        return int(number)
    return float(number)


def _around(text: str) -> str:
    """A pattern for what stands beside a part: the same words, any digits."""
    return re.sub(r"\d+", r"\\d+", re.escape(text))
