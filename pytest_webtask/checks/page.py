"""Checks of a page as a whole: address, title, absences, texts that were shown briefly or in an earlier step."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.base import (
    Check,
    CheckResult,
    Fact,
    UncheckableError,
    match_of,
    not_empty,
    unlike_recorded,
)
from pytest_webtask.data.text import line_pattern, longer_words, says, similar_texts, squashed
from pytest_webtask.data.values import REDACTED
from pytest_webtask.errors import UnknownName

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Frame, Locator

    from pytest_webtask.checks.check_context import CheckContext, CheckedElement
    from pytest_webtask.checks.page_history import EarlierPage
    from pytest_webtask.page.playwright_code import CodeTexts
    from pytest_webtask.types.agent import EarlierStep
    from pytest_webtask.types.page import Target

    _Scopes = list[tuple[Frame, Frame | Locator]]
from pytest_webtask.data.patterns import address_ends, address_parts
from pytest_webtask.data.phrases import USE_KNOWN_NAME, quote, with_article
from pytest_webtask.types.page import Container

_TAB = "The number of the tab; default: the tab in front."
_MOST = 8
"""The number of elements with a text of which one must not be covered."""
ROLES = frozenset(
    """alert alertdialog article banner button cell checkbox columnheader combobox complementary
    contentinfo dialog figure form grid gridcell group heading img image link list listbox listitem
    log main menu menubar menuitem menuitemcheckbox menuitemradio meter navigation option progressbar
    radio radiogroup region row rowgroup rowheader search searchbox separator slider spinbutton
    status switch tab table tablist tabpanel textbox toolbar tooltip tree treegrid treeitem""".split()
)


_OF_MANY = frozenset(("table", "grid", "treegrid", "list", "listbox", "tree", "rowgroup"))
"""Roles of elements whose content is other elements and not what they are called."""
_ANY_MEMBERS = ("row at all", "cell at all", "gridcell at all", "rowheader at all")
_LISTED = (*_ANY_MEMBERS, "listitem at all")
_MEMBER = (
    "xpath=self::*[ancestor-or-self::*[self::tr or @role='row'][1][not(ancestor::thead or ancestor::tfoot)]"
    "[*[not(self::th or @role='columnheader')]][count(*)>1 or not(*/@colspan>1)]]"
)
"""What is none of the heads, totals and notices of a table, and these for Playwright."""


class _Search(Check):
    """A search of the page, or of a part of it, for a text or for a role with a name."""

    preposition: ClassVar[str] = "from"
    ids: ClassVar[tuple[str, ...]] = ("within",)
    needed: ClassVar[tuple[str, ...]] = ()
    templates: ClassVar[tuple[str, ...] | None] = ("text", "name")

    text: str | None = Field(default=None, description="A text, anywhere in what is visible.")
    role: str | None = Field(default=None, description="An ARIA role, such as button or alert.")
    name: str | None = Field(
        default=None,
        description="The accessible name of an element of that role; omit it for any name.",
    )
    exact: bool = Field(
        default=False, description="Whether that is the whole name, not a part of it."
    )
    within: str | None = Field(
        default=None,
        description="The id of the part of the page that is meant, if it may occur elsewhere.",
    )
    tab: int | None = Field(default=None, description=_TAB)

    @model_validator(mode="after")
    def _one(self) -> _Search:
        if (self.text is None) == (self.role is None):
            raise ValueError(
                f"{self.kind} takes a text or a role, not both or neither: pass text, or role with or"
                " without name"
            )
        not_empty((self.text if self.role is None else self.role) or "")
        return self

    @field_validator("role")
    @classmethod
    def _known(cls, role: str | None) -> str | None:
        if role and role not in ROLES:
            raise ValueError(
                f"{role!r} is not an ARIA role; use the role that the outline shows for such an element (for a"
                " message that comes and goes, usually status or alert)"
            )
        return role

    @property
    def what(self) -> str:
        """Return the text, or the role and name, in words."""
        if self.role is None:
            return f'"{self.text}"'
        return f'{self.role} "{self.name}"' if self.name else f"{self.role} at all"

    @property
    def sought_words(self) -> str:
        """Return the text or the name, "" for any element of a role."""
        return self.text or self.name or ""

    def expected_texts(self) -> list[str]:
        """Return the text or name."""
        return [self.sought_words]

    def run(self, context: CheckContext) -> CheckResult:
        """Search everything that a user could see."""
        where = context.page(self.tab)
        inside = context.seen(self.within, emptied=True) if self.within else None
        try:
            context.data.check(self.sought_words, USE_KNOWN_NAME)
        except UnknownName as error:
            raise UncheckableError(str(error)) from None
        if context.data.uses_secret(self.text or "") and (unasked := context.unasked()):
            raise UncheckableError(
                f"the page has {len(unasked)} frames of other origins, which must not learn a secret: pass"
                " in `within` the id of the part of the page that is meant"
            )
        scopes: _Scopes = [(frame, frame) for frame in where.frames]
        if inside:
            scopes = [(inside.frame, inside.locator)]
        check, actual, fact = self._search(context, inside, scopes)
        target = None
        if inside:
            _, target = context.located(inside, by_name=inside.role not in _OF_MANY)
        held, about = fact is not None, _words_for(inside)
        return context.result(check, about, actual, held, page=where, fact=fact, target=target)

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion that there is a match, or none."""
        where = code.page if target is None else code.found(target)
        if self.role is None:
            words = code.words(self.text or "", anycase=self.negative)
            matches = f"{where}.get_by_text({words})"
        else:
            name = ""
            if self.name:
                name = code.whole(self.name, anycase=True) if self.exact else code.text(self.name)
                name = f"name={name}, "
            # Elements hidden from assistive technology may be visible.
            matches = f"{where}.get_by_role({code.text(self.role)}, {name}include_hidden=True)"
            if self.what in _ANY_MEMBERS:
                matches += f".locator({quote(_MEMBER)})"
        visible = f"{matches}.filter(visible=True)"
        if self.negative:
            return visible, "to_have_count(0)"
        return f"{visible}.first", "to_be_visible()"

    def _search(
        self, context: CheckContext, inside: CheckedElement | None, scopes: _Scopes
    ) -> tuple[Check, str, Fact | None]:
        raise NotImplementedError

    def _named(
        self, context: CheckContext, frame: Frame, where: Frame | Locator
    ) -> list[CheckedElement]:
        role: Any = self.role
        words = context.fill(self.name or "")
        pattern = rf"^\s*{line_pattern(words)}\s*$" if self.exact else line_pattern(words)
        name = re.compile(pattern, re.I) if words else None
        # Elements hidden from assistive technology may be visible.
        found = where.get_by_role(role, name=name, include_hidden=True)
        return context.visible(frame, found, role, members=self.what in _ANY_MEMBERS)


def _words_for(inside: CheckedElement | None) -> str:
    return f'{inside.role} "{squashed(inside.name)[:80]}"' if inside else "the page"


class Present(_Search):
    """Something on the page shows a text, or has a role and a name."""

    form: ClassVar[str] = "{0.what}"

    kind: Literal["present"] = "present"

    def _search(
        self, context: CheckContext, inside: CheckedElement | None, scopes: _Scopes
    ) -> tuple[Check, str, Fact | None]:
        from pytest_webtask.page.frames import is_frame_visible

        there = f"no {self.what}"
        for frame, scope in scopes:
            if not is_frame_visible(frame):
                continue
            find = self._named if self.role else self._saying
            for element in context.with_facts(find(context, frame, scope)[:_MOST]):
                if element.facts.shown:
                    return self, element.facts.content, context.fact(self, element)
                there = "that, but it cannot be seen"
        return self, there, None

    def _saying(
        self, context: CheckContext, frame: Frame, where: Frame | Locator
    ) -> list[CheckedElement]:
        from pytest_webtask.checks.check_context import CheckedElement

        pattern = {"pattern": line_pattern(context.fill(self.text or "")), "flags": "g"}
        asked = {**pattern, "most": _MOST, "redacted": context.redacted(frame)}
        found = context.ask(where, "says", asked)
        return [CheckedElement("", frame, found["document"], *hit) for hit in found["hits"]]


class Absent(_Search):
    """Nothing on the page shows a text, or has a role and a name."""

    negative: ClassVar[bool] = True
    form: ClassVar[str] = "no {0.what}"
    templates: ClassVar[tuple[str, ...] | None] = ("text", "name", "heads")

    kind: Literal["absent"] = "absent"
    forms: SkipJsonSchema[tuple[str, ...] | None] = None
    """The longer words with the absent text at their beginning that the page showed when recorded."""
    heads: SkipJsonSchema[tuple[str, ...] | None] = None
    """The headings of the searched page when recorded, except those of items."""
    listed: SkipJsonSchema[bool | None] = None
    """Whether the searched part listed something when recorded."""
    signs: SkipJsonSchema[tuple[str, ...] | None] = None
    """The kinds of signs that the list in it had more items when recorded."""

    def _search(
        self, context: CheckContext, inside: CheckedElement | None, scopes: _Scopes
    ) -> tuple[Check, str, Fact | None]:
        text = context.fill(self.sought_words)
        hides = context.data.redact.has_locators
        lines: list[str] = []
        there: list[str] = []
        for frame, scope in scopes:
            readable, shown = self._read(context, scope, frame, text)
            lines += readable
            there += shown
        forms = tuple(longer_words(text, lines))
        if self.forms is not None:
            known = set(map(context.fill, self.forms))
            there += [f"another form of it: {form}" for form in forms if form not in known]
        if there:
            return self, REDACTED if hides else there[0], None
        if inside and self.what in _LISTED and context.ask(inside.locator, "doubts")["unready"]:
            raise UncheckableError(
                f"{_words_for(inside)} shows an error, or that it is loading, so there may be another reason",
                "cite a part without such a message",
            )
        update, more = self._surroundings(context, inside, scopes[0][0], lines)
        if not self.role:
            update["forms"] = forms
        fact = self._fact(context, inside)
        if hides:
            # Headings, lists and lines may be redacted, too.
            return self, f"no {self.what}", fact
        similar = tuple(each[:120] for each in similar_texts(text, lines))
        fact = fact.model_copy(update={"similar": similar, "more": more})
        return self.model_copy(update=update), f"no {self.what}", fact

    def _surroundings(
        self,
        context: CheckContext,
        inside: CheckedElement | None,
        frame: Frame,
        lines: Sequence[str],
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return what else the searched part shows, as fields of the check, and signs of more items.

        Raises UncheckableError if what was there when recorded is missing: the page may be another one.
        """
        from pytest_webtask.page.element_set import new_signs, set_of

        argument = {"number": inside.number if inside else 0, "redacted": context.redacted(frame)}
        found = context.ask(frame, "surroundings", argument)
        heads = tuple(found["heads"])
        wanted = [squashed(context.fill(head)) for head in self.heads or ()]
        # One may be the title of an item now.
        gone = [head for head in wanted if head not in (*heads, *lines)]
        if gone and 2 * len(gone) >= len(wanted):
            raise unlike_recorded(
                f"the heading {gone[0]!r} of the searched page is missing, so {self.what} may be absent for"
                " another reason"
            )
        if self.listed and not found["item"]:
            raise unlike_recorded(
                f"nothing is listed where {self.what} was searched, unlike when the step was recorded, so"
                " its absence proves nothing"
            )
        known = {"heads": None if inside else heads, "listed": bool(found["item"]), "signs": ()}
        every = set_of((frame, found["document"], found["item"])) if found["item"] else None
        if every is None:
            return known, ()
        members = [(frame, found["document"], number) for number in every.members]
        if self.signs is not None and (new := new_signs(members, self.signs)):
            raise unlike_recorded(
                f"the list that was searched for {self.what} may have more: {'; '.join(new)}"
            )
        return {**known, "signs": every.signs}, every.more

    def _fact(self, context: CheckContext, inside: CheckedElement | None) -> Fact:
        place = _words_for(inside)
        searched = f"all visible texts, field values and placeholders (ignoring case) of {place}"
        if self.role is not None:
            searched = f"all visible elements of that role, hidden from assistive technology or not, of {place}"
        if inside is None:
            page = context.tabs.current.url if self.tab is None else f"tab {self.tab}"
            return Fact(searched=f"{searched} and its frames", page=page)
        if inside.role == "heading":
            advice = "cite the section, list or table that was searched"
            raise UncheckableError(f"{place} only names what is under it", advice)
        around = context.fact(self, inside)
        within = (Container(kind=around.element, name=around.name), *around.within)
        return Fact(searched=searched, within=within, heading=around.heading)

    def _read(
        self, context: CheckContext, where: Frame | Locator, frame: Frame, words: str
    ) -> tuple[list[str], list[str]]:
        """Return all readable texts, and what should be absent but is present."""
        from playwright.sync_api import Error

        from pytest_webtask.checks.check_context import first_line

        try:
            if self.role and (found := self._named(context, frame, where)):
                text = squashed(found[0].locator.text_content(timeout=1000) or "")
                return [], [text or with_article(self.role)]
            lines = context.ask(where, "readable")
        except Error as error:
            if frame.is_detached():
                return [], []
            raise UncheckableError(first_line(error)) from None
        if self.role:
            return lines, []
        # A text may go on in the next line, and the numbers of two lines are not one.
        shown = [line for line in lines if says(line, words, anycase=True)]
        if shown or says(" ".join(lines), words, anycase=True):
            return lines, shown[:1] or [words]
        return lines, []

    def held_before(self, before: EarlierPage) -> bool | None:
        """Return whether the earlier page lacked the text as well."""
        words = self.sought_words
        if not words:
            return None
        if not before.says(words):
            return True
        # The text may have been in another part of the page or in another role.
        is_listed = not self.role or before.lists(self.role, words)
        return None if self.within or not is_listed else False


class OfAddress(Check):
    """A check of an address that matches a pattern."""

    expects_pattern: ClassVar[bool] = True
    form: ClassVar[str] = "{0.pattern}"
    expectations: ClassVar[tuple[str, ...]] = ("pattern",)

    pattern: str = Field(
        description="The whole path of the address and what follows it, such as /orders/12 or"
        " /products?page=2; * stands for any part, and for what differs from run to run."
    )

    @field_validator("pattern")
    @classmethod
    def _pattern(cls, pattern: str) -> str:
        if not re.search(r"[^*/:.?\s]|^/$", pattern.strip()):
            raise ValueError("the pattern matches any address: write more of the path")
        return pattern.strip()

    def without_origin(self, base_url: str) -> Check:
        """Return the check without the origin of the base URL."""
        origin = "://".join(urlsplit(base_url)[:2])
        return self.model_copy(update={"pattern": self.pattern.removeprefix(origin) or "/"})


class Url(OfAddress):
    """The page's address matches a pattern."""

    kind: Literal["url"] = "url"
    tab: int | None = Field(default=None, description=_TAB)

    def run(self, context: CheckContext) -> CheckResult:
        """Compare the address."""
        where, pattern = context.page(self.tab), address_pattern(context.fill(self.pattern))
        held, fact = bool(pattern.search(where.url)), Fact(page=where.url)
        return context.result(self, "the page's address", where.url, held, page=where, fact=fact)

    def held_before(self, before: EarlierPage) -> bool | None:
        """Return whether the earlier address matches, too."""
        return bool(address_pattern(self.pattern).search(before.seen.url))

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of an address."""
        return code.page, f"to_have_url({code.address(self.pattern)})"


class _OfOneText(Check):
    """A check of a text of the page, or of a part of it, which is recorded as a whole."""

    form: ClassVar[str] = '"{0.text}"'
    expectations: ClassVar[tuple[str, ...]] = ("text",)

    text: str
    _text = field_validator("text")(not_empty)

    def fact(self, context: CheckContext, text: str, **more: Any) -> Fact:
        """Return the fact that there is a text, with `more` of its fields."""
        shown = context.data.scrub(squashed(text))[:500]
        return Fact(match=match_of(context.fill(self.text), text), text=shown, **more)

    def lasting(self, whole: tuple[str, ...], *, leaf: bool) -> Check:
        """Return the check for exactly the text if all of it was cited: what is beside it may vary."""
        return self.model_copy(update={"exact": squashed(self.text) == whole[0]})


class Title(_OfOneText):
    """The page has a title."""

    kind: Literal["title"] = "title"
    text: str = Field(description="The title, or a part of it.")
    exact: bool = Field(default=False, description="Whether that is all of the title.")
    tab: int | None = Field(default=None, description=_TAB)

    def run(self, context: CheckContext) -> CheckResult:
        """Compare the title."""
        where, expected = context.page(self.tab), context.fill(self.text)
        title = squashed(where.title())
        held = says(title, expected, whole=self.exact)
        fact = self.fact(context, title, page=where.url)
        return context.result(
            self, "the page's title", title, held, page=where, fact=fact, whole=(title,)
        )

    def held_before(self, before: EarlierPage) -> bool | None:
        """Return whether the earlier page had the title, too."""
        return says(before.seen.title, self.text)

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a title."""
        expected = code.all_of(self.text) if self.exact else code.words(self.text)
        return code.page, f"to_have_title({expected})"


class OfWholeStep(Check):
    """A check of what came since the last step that acted began, whether it is still there or not."""

    time: ClassVar[Literal["step"]] = "step"

    def held_before(self, before: EarlierPage) -> bool | None:
        """Return False, because only what came since the task began counts."""
        return False


class _OfStep(OfWholeStep, _OfOneText):
    text: str = Field(description="The text, as in the list of what appeared and has gone.")
    exact: SkipJsonSchema[bool] = False
    """True if the text must be all that appeared."""


class WasShown(_OfStep):
    """A text, such as a message, appeared after the step before and disappeared again."""

    form: ClassVar[str] = '"{0.text}" for a moment'

    kind: Literal["was_shown"] = "was_shown"
    message: SkipJsonSchema[bool] = False
    """True if it must be a message in whose place no other text has come."""

    def run(self, context: CheckContext) -> CheckResult:
        """Look the text up among vanished texts; one that is still visible passes only when replayed."""
        where, vanished = context.tabs.front, context.observer.vanished
        seen = vanished.was_shown(
            where, self.text, context.data, exact=self.exact, message=self.message
        )
        if seen is None:
            return context.result(self, "what appeared and went", "nothing of the kind", page=where)
        went = f"was gone again after {seen.shown_ms / 1000:.1f} s"
        if seen.after:
            went = f"was there after {seen.after}, and went with its page or is still there"
        fact = self.fact(
            context,
            seen.text,
            element=seen.role,
            within=[{"kind": seen.container}] if seen.container else [],
            note=f"it appeared after {vanished.since} began, and {went}",
        )
        whole = () if seen.text.endswith("…") else (squashed(seen.text),)
        return context.result(
            self, "what appeared and went", seen.text, True, page=where, fact=fact, whole=whole
        )


class BrowserDialog(_OfStep):
    """The browser showed a dialog with a text in this step, or in the last one that acted."""

    form: ClassVar[str] = '{0.type} "{0.text}"'

    kind: Literal["dialog"] = "dialog"
    type: Literal["alert", "confirm", "prompt"] = Field(
        default="alert", description="Which dialog of the browser it was, as the events say."
    )

    def run(self, context: CheckContext) -> CheckResult:
        """Look for the text in the dialogs of the step."""
        context.tabs.hear_dialogs()  # One may come late.
        expected, dialogs = context.fill(self.text), context.tabs.dialogs
        texts = [squashed(text) for kind, text in dialogs if kind == self.type]
        found = next((each for each in texts if says(each, expected, whole=self.exact)), None)
        shown = context.data.scrub(" and ".join(f'{kind} "{text}"' for kind, text in dialogs))
        fact = self.fact(
            context,
            found or "",
            element=f"{self.type} of the browser",
            note="the browser showed it since the last step that acted began, and it was answered",
        )
        about, held = "dialog of the browser", found is not None
        return context.result(self, about, shown, held, fact=fact, whole=(found or "",))


class InEarlierStep(Check):
    """An earlier step of the test did or found something, such as the order that a sentence means."""

    time: ClassVar[Literal["earlier"]] = "earlier"
    form: ClassVar[str] = '"{0.text}"'
    preposition: ClassVar[str] = "from"
    needed: ClassVar[tuple[str, ...]] = ("step",)
    expectations: ClassVar[tuple[str, ...]] = ("text",)

    kind: Literal["earlier_step"] = "earlier_step"
    step: int = Field(
        default=0, description="The number of that step in the list of earlier steps."
    )
    text: str = Field(
        description="What it did, showed or resulted in, or the part that matters, as in that list."
    )
    name: SkipJsonSchema[str] = ""
    """Kind and sentence of the step, since numbers change with each new step of the test."""
    _text = field_validator("text")(not_empty)

    def run(self, context: CheckContext) -> CheckResult:
        """Look the text up among the actions, facts and values of the step, not in a model's words."""
        known = self.name or self.step
        steps = [each for each in context.earlier if known in (each.number, _name_of(each))]
        if not steps:
            raise UncheckableError(
                f"there is no earlier step {known}: pass a number from the list of earlier steps"
            )
        expected = context.fill(self.text)
        lines = ((step, how, line) for step in steps for how, line in _lines_of(step))
        step, how, line = next((each for each in lines if says(each[2], expected)), (None, "", ""))
        if step is None:
            raise UncheckableError(
                f"no line `did`, `shown` or `result` of the earlier step {known} has this text: quote one from"
                " the list of earlier steps"
            )
        name = _name_of(step)
        fact = Fact(
            match=match_of(f'"{expected}"', line),
            text=line,
            note=f"{how} in an earlier step of this test, {name}, which ended as {step.status}",
        )
        check, whole = self.model_copy(update={"name": name}), (squashed(expected),)
        return context.result(check, name, line, True, fact=fact, whole=whole)

    def held_before(self, before: EarlierPage) -> bool | None:
        """Return True, because the step has ended before."""
        return True


def _lines_of(step: EarlierStep) -> list[tuple[str, str]]:
    """Return the lines of a step, but not a model's words, each with what it is."""
    done = [*step.calls, step.sentence] if step.kind == "goto" else step.calls
    return [
        *(("shown by the page", line) for line in step.facts),
        ("the result", step.value),
        *(("done", line) for line in done),
    ]


def _name_of(step: EarlierStep) -> str:
    return f'{step.kind} "{step.sentence}"'


def address_pattern(address: str) -> re.Pattern[str]:
    """Return a pattern for whole addresses from an address or its end, in which `*` matches anything."""
    before, anything, after = address_ends(address)
    # Each part is taken where it comes first, and not looked for once more: a browser would do so
    # without an end.
    first, *parts = address_parts(address, re.escape)
    middle = [rf"(?=({anything}*?{part}))\{number}" for number, part in enumerate(parts[:-1], 1)]
    escaped = "".join([first, *middle, *(f"{anything}*{part}" for part in parts[-1:])])
    return re.compile(f"{before}{escaped}{after}")
