"""Checks about pages as a whole: their address and title, and what they do not show."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Error, Frame, Locator, expect

from pytest_webtask.checks import kinds
from pytest_webtask.checks.answers import Answer, Asking
from pytest_webtask.checks.finding import NotFound, ask
from pytest_webtask.checks.states import TIMEOUT
from pytest_webtask.checks.states import holds as so
from pytest_webtask.checks.wording import says, squashed, whole_words
from pytest_webtask.data import REDACTED
from pytest_webtask.errors import UnknownName

__all__ = ["OfPages", "said"]


class OfPages(Asking):
    """Asks pages as a whole."""

    def _absent(self, check: kinds.Absent) -> Answer:
        page = self.page(check.tab)
        inside = self.seen(check.within) if check.within else None
        try:
            self.data.check(check.text or check.name or "")
        except UnknownName as error:
            raise NotFound(str(error)) from None
        wanted = self.fill(check.text or check.name or "")
        told: list[str] = []
        if self.data.uses_secret(check.text or "") and (unasked := self.unasked()):
            raise NotFound(f"{len(unasked)} frames of other origins are not asked for a secret")
        for frame in [inside.frame] if inside else page.frames:
            where: Frame | Locator = inside.locator if inside else frame
            told += self._shown_in(where, frame, check.role, wanted, exact=check.exact)
        what = f'"{check.text}"' if check.role is None else f'{check.role} "{check.name or ""}"'
        scope = f'{inside.role} "{inside.name}"'.strip() if inside else "the page"
        checked = self.checked(
            check,
            scope,
            f"no {what}",
            told[0] if told else f"no {what}",
            not told,
            page=page,
            target=self.target(inside, self.address(inside)[1]) if inside else None,
        )
        return Answer(
            check,
            checked,
            expects=(wanted,),
            own=[inside.facts.name, inside.name] if inside else [],
            around=[inside.facts.text, *inside.facts.around] if inside else [],
            items=[inside] if inside else (),
            front=page is self.tabs.current,
        )

    def _shown_in(
        self, where: Frame | Locator, frame: Frame, role: str | None, wanted: str, *, exact: bool
    ) -> list[str]:
        """What is there of what should not be."""
        try:
            if role is not None:
                pattern = rf"^\s*{re.escape(wanted)}\s*$" if exact else re.escape(wanted)
                found = where.get_by_role(
                    role,  # type: ignore[arg-type]
                    name=re.compile(pattern, re.I) if wanted else None,
                    # What is hidden from assistive technology may well be seen.
                    include_hidden=True,
                )
            else:
                found = where.get_by_text(whole_words(wanted, anycase=True))
            visible = found.filter(visible=True)
            if not so(lambda: expect(visible).to_have_count(0, timeout=TIMEOUT)):
                told = squashed(visible.first.text_content(timeout=1000) or "")
                return [REDACTED if self.data.redact.has_locators else told or f"a {role}"]
            if role is None:
                # What get_by_text does not know: values, placeholders, line breaks, style sheets.
                shown = " ".join(ask(where, "said"))
                # "2 errors" is an error, too.
                if says(shown, wanted, anycase=True) or says(shown, f"{wanted}s", anycase=True):
                    return [f"it is shown: {wanted}"]
        except Error as error:
            if frame.is_detached():
                return []
            raise NotFound(said(error)) from None
        return []

    def _url(self, check: kinds.Url) -> Answer:
        page, wanted = self.page(check.tab), self.fill(check.pattern)
        pattern = _address_pattern(wanted)
        holds = so(lambda: expect(page).to_have_url(pattern, timeout=TIMEOUT))
        checked = self.checked(
            check, "the page's address", check.pattern, page.url, holds, page=page
        )
        return Answer(check, checked, expects=(wanted,), own=(wanted, "url address"))

    def _title(self, check: kinds.Title) -> Answer:
        page, wanted = self.page(check.tab), self.fill(check.text)
        holds = so(
            lambda: expect(page).to_have_title(
                whole_words(wanted, whole=check.exact), timeout=TIMEOUT
            )
        )
        checked = self.checked(
            check, "the page's title", f'"{check.text}"', page.title(), holds, page=page
        )
        return Answer(check, checked, expects=(wanted,), own=(wanted, "title"))


def _address_pattern(wanted: str) -> re.Pattern[str]:
    """A pattern for a whole address, out of its end or all of it, with `*` for anything."""
    escaped = ".*".join(re.escape(part) for part in wanted.split("*"))
    if urlsplit(wanted).scheme in ("http", "https"):
        return re.compile(f"^{escaped}$")
    if wanted.startswith("/"):
        return re.compile(rf"^[a-z]+://[^/]*{escaped}$")
    if wanted.startswith("*"):
        return re.compile(f"{escaped}$")
    if wanted[:1] in "?#":
        return re.compile(f"^.*{escaped}$")
    if re.match(r"(?:about|data|file|blob):", wanted):
        return re.compile(f"^{escaped}$")
    return re.compile(rf"^.*[/?&#]{escaped}$")


def said(error: Error) -> str:
    """A Playwright error on one line."""
    return str(error).partition("Call log:")[0].strip().splitlines()[0]
