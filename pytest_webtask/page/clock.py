"""The clock of a page, and the days around today as a page may write them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from playwright.sync_api import Error, Page

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


_TIME = re.compile(r"(?<![\d:.])(\d{1,2}):(\d{2})(?![\d.])")
_NOW = timedelta(minutes=2)
"""The time within which a time of day counts as that of now."""


def clock_of(page: Page) -> tuple[datetime | None, str]:
    """Return the time and the time zone of a page; a test may have set both."""
    try:
        # In the page's own world, as only that has a clock which the test has set. It may lie.
        day, zone = page.evaluate(_CLOCK)
        return datetime(*day), zone if re.fullmatch(r"[\w/+-]{1,40}", zone) else ""
    except (Error, TypeError, ValueError, OverflowError):
        return None, ""


def days_around(page: Page) -> dict[str, str]:
    """Return today, tomorrow and yesterday by a page's clock: each as it may be written, by a name."""
    now, _ = clock_of(page)
    if now is None:
        return {}
    today = now.date()
    written: dict[str, str] = {}
    for day, distance in _DAYS.items():
        for name, form in _FORMATS.items():
            text = form.format(today + timedelta(days=distance))
            if text not in written.values():
                written[f"{day}{name}"] = text
    return written


def without_now(text: str, page: Page) -> str:
    """Return a text with another time of day in place of each that is now by a page's clock."""
    now, _ = clock_of(page) if _TIME.search(text) else (None, "")
    if now is None:
        return text
    times = {
        f"{at.hour % 12}:{at:%M}"
        for at in (now + each for each in (-_NOW, -_NOW / 2, 0 * _NOW, _NOW / 2))
    }

    def other(match: re.Match[str]) -> str:
        is_now = f"{int(match[1]) % 12}:{match[2]}" in times
        return f"{(int(match[1]) + 1) % 10}:{(int(match[2]) + 1) % 50:02}" if is_now else match[0]

    return _TIME.sub(other, text)


def names_day(name: str) -> bool:
    """Return whether `days_around` has the name of a placeholder."""
    return name.startswith(tuple(_DAYS))
