"""Checks of a page as a whole: its address and title, what it does not show, what it showed."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, ClassVar, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.base import Check, CheckResult, Container, Fact, UncheckableError
from pytest_webtask.checks.element import TIMEOUT, holds, not_empty, required
from pytest_webtask.checks.expecting import expect
from pytest_webtask.checks.similar import similar_texts
from pytest_webtask.checks.text import says, squashed, whole_words
from pytest_webtask.checks.volatile import changing_pattern
from pytest_webtask.data import REDACTED
from pytest_webtask.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Frame, Locator

    from pytest_webtask.checks.context import CheckContext
    from pytest_webtask.checks.earlier import Earlier
    from pytest_webtask.export.locators import CodeTexts
    from pytest_webtask.types.agent import Target

__all__ = ["Absent", "Title", "Url", "WasShown"]

_TAB = "The number of the tab; default the tab in front."
_ROLES = frozenset(
    """alert alertdialog article banner button cell checkbox columnheader combobox complementary
    contentinfo dialog figure form grid gridcell group heading img image link list listbox listitem
    log main menu menubar menuitem menuitemcheckbox menuitemradio meter navigation option progressbar
    radio radiogroup region row rowgroup rowheader search searchbox separator slider spinbutton
    status switch tab table tablist tabpanel textbox toolbar tooltip tree treegrid treeitem""".split()
)


class Absent(Check):
    """Nothing on the page shows a text, or has a role and a name."""

    model_config = required("kind")
    ids: ClassVar[tuple[str, ...]] = ("within",)
    templates: ClassVar[tuple[str, ...] | None] = ("text", "name")
    of_page: ClassVar[bool] = True

    kind: Literal["absent"] = "absent"
    text: str | None = Field(default=None, description="A text that can be seen nowhere.")
    role: str | None = Field(default=None, description="An ARIA role, such as button or alert.")
    name: str | None = Field(
        default=None,
        description="The accessible name that no such role has; leave it out for any name.",
    )
    exact: bool = Field(
        default=False, description="Whether the name is just that, and no part of one."
    )
    within: str | None = Field(
        default=None,
        description="The id of the part that is meant, if it may be elsewhere on the page.",
    )
    tab: int | None = Field(default=None, description=_TAB)

    @model_validator(mode="after")
    def _one(self) -> Absent:
        if (self.text is None) == (self.role is None):
            raise ValueError("give a text, or a role and a name")
        not_empty((self.text if self.role is None else self.role) or "")
        if self.role is not None and self.role not in _ROLES:
            near = get_close_matches(self.role, _ROLES, n=3) or ["button", "alert", "row"]
            raise ValueError(f"{self.role!r} is no ARIA role, such as {', '.join(near)}")
        return self

    @property
    def negative(self) -> bool:
        """It holds where something is not there."""
        return True

    @property
    def what(self) -> str:
        """What is absent, in words."""
        if self.role is None:
            return f'"{self.text}"'
        return f'{self.role} "{self.name}"' if self.name else f"{self.role} at all"

    def describe(self) -> str:
        """Return what should not be there."""
        return f"no {self.what}"

    def expected_texts(self) -> list[str]:
        """Return the text that is absent."""
        return [self.text or self.name or ""]

    def run(self, page: CheckContext) -> CheckResult:
        """Look everywhere that a user could see it."""
        where = page.page(self.tab)
        inside = page.seen(self.within) if self.within else None
        try:
            page.data.check(self.text or self.name or "")
        except UnknownName as error:
            raise UncheckableError(str(error)) from None
        wanted = page.fill(self.text or self.name or "")
        if page.data.uses_secret(self.text or "") and (unasked := page.unasked()):
            raise UncheckableError(
                f"{len(unasked)} frames of other origins are not asked for a secret"
            )
        there: list[str] = []
        lines: list[str] = []
        frames = [inside.frame] if inside else where.frames
        for frame in frames:
            scope: Frame | Locator = inside.locator if inside else frame
            there += self._shown_in(page, scope, frame, wanted, lines)
        part = f'{inside.role} "{squashed(inside.name)[:80]}"' if inside else "the page"
        held = not there
        fact = None
        if held:
            fact = self._fact(
                page, wanted, part, len(frames), lines, page.fact(self, inside) if inside else None
            )
        return page.result(
            self,
            part,
            there[0] if there else f"no {self.what}",
            held,
            page=where,
            fact=fact,
            target=page.target(inside, page.address(inside)[1]) if inside else None,
        )

    def _fact(
        self,
        page: CheckContext,
        wanted: str,
        part: str,
        frames: int,
        lines: list[str],
        inside: Fact | None,
    ) -> Fact:
        hidden = "" if self.role is None else ", hidden from assistive technology or not"
        searched = f"{part}: all visible texts, values of fields and placeholders, in any case"
        if self.role is not None:
            searched = f"{part}: visible elements of that role{hidden}"
        searched += f", in {frames} frames" if frames > 1 else ""
        redacts = page.data.redact.has_locators
        similar = [] if redacts else similar_texts(wanted, lines)
        made = Fact(
            check=self.kind,
            expected=self.describe(),
            searched=searched,
            similar=tuple(text[:120] for text in similar),
            within=(Container(kind=inside.element, name=inside.name), *inside.within)
            if inside
            else (),
            heading=inside.heading if inside else "",
            page="" if inside else page.tabs.current.url if self.tab is None else f"tab {self.tab}",
        )
        return Fact.model_validate(page.data.scrub_all(made.model_dump()))

    def _shown_in(
        self,
        page: CheckContext,
        where: Frame | Locator,
        frame: Frame,
        wanted: str,
        lines: list[str],
    ) -> list[str]:
        """Return what is there of what should not be; all that can be read goes to `lines`."""
        from playwright.sync_api import Error

        from pytest_webtask.checks.context import ask_facts, first_line

        try:
            if self.role is not None:
                pattern = rf"^\s*{re.escape(wanted)}\s*$" if self.exact else re.escape(wanted)
                found = where.get_by_role(
                    self.role,  # type: ignore[arg-type]
                    name=re.compile(pattern, re.I) if wanted else None,
                    # What is hidden from assistive technology may well be seen.
                    include_hidden=True,
                )
            else:
                found = where.get_by_text(whole_words(wanted, anycase=True))
            visible = found.filter(visible=True)
            if not holds(lambda: expect(visible).to_have_count(0, timeout=TIMEOUT)):
                text = squashed(visible.first.text_content(timeout=1000) or "")
                return [REDACTED if page.data.redact.has_locators else text or f"a {self.role}"]
            texts = ask_facts(where, "said")
            lines += texts
            if self.role is None:
                # What get_by_text does not find: values, placeholders, line breaks, style sheets.
                shown = " ".join(texts)
                if says(shown, wanted, anycase=True):
                    return [f"it is shown: {wanted}"]
        except Error as error:
            if frame.is_detached():
                return []
            raise UncheckableError(first_line(error)) from None
        return []

    def held_before(self, before: Earlier) -> bool | None:
        """Return whether the page lacked the text as well."""
        wanted = self.text or self.name
        if not wanted:
            return None
        if not before.says(wanted):
            return None if before.is_cut else True
        # It may have stood in another part of the page, or in another role.
        return None if self.within or self.role else False

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion that nothing is found."""
        where = code.page if target is None else code.found(target)
        if self.role is None:
            found = f"{where}.get_by_text({code.words(self.text or '', anycase=True)})"
        else:
            name = ""
            if self.name:
                given = code.whole(self.name, anycase=True) if self.exact else code.text(self.name)
                name = f"name={given}, "
            # What is hidden from assistive technology may well be seen.
            found = f"{where}.get_by_role({code.text(self.role)}, {name}include_hidden=True)"
        return f"{found}.filter(visible=True)", "to_have_count(0)"


class Url(Check):
    """The page's address fits a pattern."""

    model_config = required("kind")
    of_page: ClassVar[bool] = True
    expectations: ClassVar[tuple[str, ...]] = ("pattern",)

    kind: Literal["url"] = "url"
    pattern: str = Field(
        description="What the address ends with from its path on, such as /orders/12 or"
        " /products?page=2; * stands for what differs from run to run."
    )
    tab: int | None = Field(default=None, description=_TAB)

    @field_validator("pattern")
    @classmethod
    def _pattern(cls, pattern: str) -> str:
        if not re.search(r"[^*/:.?\s]|^/$", pattern.strip()):
            raise ValueError("any address fits it, so that it says nothing")
        return pattern.strip()

    def describe(self) -> str:
        """Return the pattern."""
        return self.pattern

    def run(self, page: CheckContext) -> CheckResult:
        """Compare the address."""
        where, wanted = page.page(self.tab), page.fill(self.pattern)
        pattern = address_pattern(wanted)
        held = holds(lambda: expect(where).to_have_url(pattern, timeout=TIMEOUT))
        fact = Fact(check=self.kind, expected=self.pattern, page=page.data.scrub(where.url))
        return page.result(self, "the page's address", where.url, held, page=where, fact=fact)

    def held_before(self, before: Earlier) -> bool | None:
        """Return whether that page's address fits, too."""
        return bool(address_pattern(self.pattern).search(before.seen.url))

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of an address."""
        return code.page, f"to_have_url({code.address(self.pattern)})"


class Title(Check):
    """The page has a title."""

    model_config = required("kind")
    of_page: ClassVar[bool] = True
    expectations: ClassVar[tuple[str, ...]] = ("text",)

    kind: Literal["title"] = "title"
    text: str = Field(description="The title, or a part of it.")
    exact: bool = Field(default=False, description="Whether that is all of the title.")
    tab: int | None = Field(default=None, description=_TAB)
    _text = field_validator("text")(not_empty)

    def describe(self) -> str:
        """Return the title in quotation marks."""
        return f'"{self.text}"'

    def run(self, page: CheckContext) -> CheckResult:
        """Compare the title."""
        where, wanted = page.page(self.tab), page.fill(self.text)
        pattern = whole_words(wanted, whole=self.exact)
        held = holds(lambda: expect(where).to_have_title(pattern, timeout=TIMEOUT))
        title = where.title()
        fact = Fact(
            check=self.kind,
            expected=self.text,
            match="whole" if squashed(title) == squashed(wanted) else "part",
            text=page.data.scrub(squashed(title))[:500],
            page=page.data.scrub(where.url),
        )
        return page.result(
            self, "the page's title", title, held, page=where, fact=fact, whole=(squashed(title),)
        )

    def lasting(self, whole: Sequence[str], named: str) -> Check:
        """Return the check with the whole title, where nothing in it changes by itself."""
        if changing_pattern(whole[0], named):
            return self
        return self.model_copy(update={"text": whole[0], "exact": True})

    def held_before(self, before: Earlier) -> bool | None:
        """Return whether that page had the title, too."""
        return says(before.seen.title, self.text)

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a title."""
        expected = code.all_of(self.text) if self.exact else code.words(self.text)
        return code.page, f"to_have_title({expected})"


class WasShown(Check):
    """A text appeared since the step before and has gone again, such as a message."""

    model_config = required("kind")
    strength: ClassVar[int] = 2
    of_page: ClassVar[bool] = True
    expectations: ClassVar[tuple[str, ...]] = ("text",)

    kind: Literal["was_shown"] = "was_shown"
    text: str = Field(description="The text, as the list of what appeared and went has it.")
    exact: SkipJsonSchema[bool] = False
    """Whether that is all that appeared."""
    _text = field_validator("text")(not_empty)

    def describe(self) -> str:
        """Return the text in quotation marks."""
        return f'"{self.text}" for a moment'

    def run(self, page: CheckContext) -> CheckResult:
        """Ask the observer of the page, or find it still shown."""
        where, wanted = page.tabs.front, page.fill(self.text)
        # Where it is still shown, `text` says more.
        seen = page.observer.vanished.was_shown(where, self.text, page.data, exact=self.exact)
        if seen is None:
            return page.result(self, "what appeared and went", "nothing of the kind", page=where)
        fact = Fact(
            check=self.kind,
            expected=self.text,
            element=seen.role,
            text=page.data.scrub(seen.text),
            match="whole" if squashed(seen.text) == squashed(wanted) else "part",
            within=(Container(kind=seen.container),) if seen.container else (),
            note="it appeared since the step before and was gone again after"
            f" {seen.shown_ms / 1000:.1f} s",
        )
        whole = () if seen.text.endswith("…") else (squashed(seen.text),)
        return page.result(
            self, "what appeared and went", seen.text, True, page=where, fact=fact, whole=whole
        )

    def lasting(self, whole: Sequence[str], named: str) -> Check:
        """Return the check with the whole text, where nothing in it changes by itself."""
        if changing_pattern(whole[0], named):
            return self
        return self.model_copy(update={"text": whole[0], "exact": True})

    def held_before(self, before: Earlier) -> bool | None:
        """Return False: what counts has appeared since the task began."""
        return False

    def as_playwright(self, code: CodeTexts, target: Target | None) -> None:
        """Return nothing: what has gone cannot be expected any more."""
        return


def address_pattern(wanted: str) -> re.Pattern[str]:
    """Return a pattern for a whole address, out of its end or all of it, with `*` for anything."""
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
