"""Values that a sentence computes: a part of one, a day, a format, as in `{row.name}` and `{today+7d:%d.%m.%Y}`."""

import re
from calendar import monthrange
from collections.abc import Mapping
from datetime import date, datetime, timedelta

from pytest_webtask.data.phrases import PASS_A_VALUE
from pytest_webtask.errors import UnknownName, UsageError

SHIFT = re.compile(r"([+-]\d+)([dwmy])")
_TIME = re.compile("%-?[HIMSfp]")


def part_of(whole: object, path: str) -> object:
    """Return the part of a value to which a path leads. Raises UsageError."""
    at, *keys = path.split(".")
    for key in keys:
        parts = parts_of(whole)
        # A property is none of these.
        whole = parts[key] if key in parts else getattr(whole, key, parts_of)
        if callable(whole):
            raise UnknownName(
                "placeholder", f"{at}.{key}", [f"{at}.{each}" for each in parts], PASS_A_VALUE
            )
        at = f"{at}.{key}"
    if whole is None:
        raise UsageError(f"the value of {at!r} in data is None; set it")
    return whole


def shifted(value: object, shifts: str) -> object:
    """Return a date with days, weeks, months or years added; the 31st becomes the last of a shorter month."""
    for amount, unit in SHIFT.findall(shifts):
        if not isinstance(value, date):
            raise ValueError(shifts)
        days = {"d": 1, "w": 7}.get(unit, 0)
        months = value.month - 1 + int(amount) * {"m": 1, "y": 12}.get(unit, 0)
        year, month = value.year + months // 12, months % 12 + 1
        last = monthrange(year, month)[1]
        value = value.replace(year=year, month=month, day=min(value.day, last))
        value += timedelta(days=int(amount) * days)
    return value


def written(value: object, form: str) -> str:
    """Return a value in a format. Raises ValueError or TypeError if that does not fit."""
    text = format(value, form)
    if form and isinstance(value, date):
        # A directive that Python does not know stays as it is, and a day has no time.
        has_its_time = isinstance(value, datetime) or not _TIME.search(form)
        if not all(["%" not in text, "%" in form, has_its_time]):
            raise ValueError(form)
    return text


def parts_of(value: object) -> Mapping[str, object]:
    """Return the parts of a mapping, a sequence or an object by their names."""
    if isinstance(value, (list, tuple)):
        value = getattr(value, "_asdict", lambda: dict(enumerate(value)))()
    if isinstance(value, Mapping):
        return {str(key): part for key, part in value.items()}
    return getattr(value, "__dict__", {})


def paths_of(name: str, value: object) -> list[tuple[str, object]]:
    """Return a value and its parts by their paths; more than some thousands are those of a whole application."""
    found = [(name, value)]
    for path, part in found:
        if len(found) < 10_000:
            found += [(f"{path}.{key}", each) for key, each in parts_of(part).items()]
    return found
