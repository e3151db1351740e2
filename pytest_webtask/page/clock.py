"""The clock of a page, and the days around today as a page may write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

_CLOCK = """() => {
  const now = new Date();
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate(), now.getHours(), now.getMinutes()];
  return [date, Intl.DateTimeFormat().resolvedOptions().timeZone];
}"""
_DAYS = {"_today": 0, "_tomorrow": 1, "_yesterday": -1}
_FORMATS = {
    "": "{0:%Y-%m-%d}",
    "_dots": "{0:%d.%m.%Y}",
    "_plain_dots": "{0.day}.{0.month}.{0.year}",
    "_slashes": "{0:%d/%m/%Y}",
    "_plain_slashes": "{0.day}/{0.month}/{0.year}",
    "_us": "{0:%m/%d/%Y}",
    "_plain_us": "{0.month}/{0.day}/{0.year}",
    "_day_mon": "{0.day} {0:%b %Y}",
    "_mon_day": "{0:%b} {0.day}, {0.year}",
    "_day_month": "{0.day} {0:%B %Y}",
    "_month_day": "{0:%B} {0.day}, {0.year}",
}
_DAY = re.compile(
    r"(?<![\d.])\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?![\d.])|\b\d{1,2} [A-Z][a-z]{2}|[A-Z][a-z]{2,} \d{1,2}\b"
)
_TIME = re.compile(r"(?<![\d:.])(\d{1,2}):(\d{2})(?![\d.])(?::\d{2})?(\s?[ap]\.?m\b)?", re.I)


def clock_of(page: Page) -> tuple[datetime | None, str]:
    """Return the time and the time zone of a page; a test may have set both."""
    from playwright.sync_api import Error

    try:
        # In the page's own world, as only that has a clock which the test has set. It may lie.
        day, zone = page.evaluate(_CLOCK)
        return datetime(*day), zone if re.fullmatch(r"[\w/+-]{1,40}", zone) else ""
    except (Error, TypeError, ValueError, OverflowError):
        return None, ""


def days_around(page: Page, computed: Mapping[str, date]) -> dict[str, str]:
    """Return today, tomorrow and yesterday by a page's clock, and days that sentences have computed.

    Each is there as it may be written, by a name.
    """
    now, _ = clock_of(page)
    days = {name: now.date() + timedelta(days=each) for name, each in _DAYS.items() if now}
    days |= {f"{name}:_day": day for name, day in computed.items()}
    written = _written(days.values())
    once = {key: text for key, text in written.items() if [*written.values()].count(text) == 1}
    return {
        f"{n}{form}": text
        for n, at in days.items()
        for (day, form), text in once.items()
        if day == at
    }


def _written(days: Iterable[date]) -> dict[tuple[date, str], str]:
    """Return days in every form; some of them may be alike."""
    return {(day, name): form.format(day) for day in days for name, form in _FORMATS.items()}


def without_now(text: str, page: Page, computed: Mapping[str, date]) -> str:
    """Return a text with another time of day in place of each that is now by a page's clock.

    So is such a day, or a computed one, for another, where its form does not tell how it is written on other days.
    """
    now, _ = clock_of(page) if _TIME.search(text) or _DAY.search(text) else (None, "")
    if now is None:
        return text
    minutes = (now + timedelta(minutes=each) for each in (-2, -1, 0, 1))
    times = {(at.hour, at.minute) for at in minutes}

    def other(match: re.Match[str]) -> str:
        hour, minute = int(match[1]), int(match[2])
        hours = {hour} if match[3] is None else {hour % 12, hour % 12 + 12}
        if times.isdisjoint((each, minute) for each in hours):
            return match[0]
        return another(match[0])

    text = _TIME.sub(other, text)
    days = (now.date() + timedelta(days=each) for each in _DAYS.values())
    written = [*_written((*days, *computed.values())).values()]
    for day in {each for each in written if written.count(each) > 1}:
        text = re.sub(rf"(?<!\w){re.escape(day)}(?!\w)", another(day), text)
    return text


def another(text: str) -> str:
    """Return another text of the same form."""
    changed = re.sub(r"\d", lambda m: str((int(m[0]) + 1) % 10), text)
    return changed if changed != text else f"~{text}"


def day_code(name: str) -> str:
    """Return the Python code of the day around today that the name of a placeholder stands for, "" if it is none."""
    day = next(filter(name.startswith, _DAYS), "")
    if not day:
        return ""
    form = _FORMATS[name.removeprefix(day)]
    return f'"{form}".format(date.today() + timedelta(days={_DAYS[day]}))'


def names_day(name: str) -> bool:
    """Return whether `days_around` has the name of a placeholder."""
    return name.startswith(tuple(_DAYS)) or ":_day" in name
