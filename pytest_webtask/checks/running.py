"""Running checks on the live page: each is a Playwright `expect` on a locator that people can read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlsplit

from playwright.sync_api import Error, Frame, Locator, expect

from pytest_webtask.checks import kinds
from pytest_webtask.checks.answers import Answer, Asking
from pytest_webtask.checks.finding import Cited, NotFound, address, ask
from pytest_webtask.checks.sets import Whole, drawn_so, holding, whole
from pytest_webtask.checks.states import CONTROLS, TIMEOUT, in_state
from pytest_webtask.checks.states import holds as so
from pytest_webtask.checks.wording import says, squashed, whole_words
from pytest_webtask.data import REDACTED
from pytest_webtask.errors import UnknownName
from pytest_webtask.records import Target

__all__ = ["Answer", "Checker"]


class Checker(Asking):
    """Asks the pages of a test."""

    def run(self, check: kinds.Check) -> Answer:
        """What the page says to a check; one that cannot be asked does not hold."""
        try:
            answer: Answer = getattr(self, f"_{check.kind}")(check)
        except (NotFound, Error) as error:
            problem = str(error) if isinstance(error, NotFound) else _said(error)
            about = getattr(check, "element_id", "") or ", ".join(getattr(check, "element_ids", ()))
            return Answer(
                check,
                self.checked(check, about or "the page", _expectation(check), problem=problem),
            )
        return answer

    # Elements

    def _text(self, check: kinds.Text) -> Answer:
        found, wanted = self.seen(check.element_id), self.fill(check.text)
        facts = found.facts
        target, code = address(found, (wanted,))
        holds = self._has_text(target, found, wanted, exact=check.exact)
        answer = self.about(
            check,
            found,
            code,
            holds,
            expected=f'{"exactly " if check.exact else ""}"{check.text}"',
            actual=found.facts.text,
            expects=(wanted,),
        )
        inside = {"number": found.number, "pattern": whole_words(wanted).pattern}
        loose = holds and bool(ask(found.frame, "within", inside))
        # A part that is cited as a whole says nothing of its own.
        if loose and facts.composite:
            return replace(answer, loose=True, expects=(), own=(facts.name,))
        return replace(answer, loose=loose)

    def _matches(self, check: kinds.Matches) -> Answer:
        found = self.seen(check.element_id)
        pattern = re.compile(rf"^\s*(?:{check.pattern})\s*$")
        target, code = address(found, (found.facts.raw[:60],))
        if found.facts.field:
            self.not_a_password(found)
            holds = so(lambda: expect(target).to_have_value(pattern, timeout=TIMEOUT))
            actual = self.value_of(found)
        else:
            holds = so(
                lambda: expect(target).to_have_text(pattern, use_inner_text=True, timeout=TIMEOUT)
            ) or bool(pattern.search(found.facts.text))
            actual = found.facts.text
        return self.about(check, found, code, holds, f"fits {check.pattern}", actual)

    def _value(self, check: kinds.Value) -> Answer:
        found, wanted = self.seen(check.element_id), self.fill(check.value)
        if found.facts.password and check.value and not self.data.uses_secret(check.value):
            self.not_a_password(found)
        facts = found.facts
        if facts.tag == "input" and found.role in ("checkbox", "radio", "switch"):
            raise NotFound(
                f"{check.element_id} has no value that is seen: use state, checked or not"
            )
        target, code = address(found)
        held = self.value_of(found)
        if facts.select:
            # The label of an option is what is seen, and need not be its text.
            holds = squashed(held) == squashed(wanted)
        elif facts.field:
            holds = so(lambda: expect(target).to_have_value(wanted, timeout=TIMEOUT)) or (
                not facts.password and squashed(held) == squashed(wanted.replace(" / ", " "))
            )
        elif facts.editable:
            holds = so(
                lambda: expect(target).to_have_text(wanted, use_inner_text=True, timeout=TIMEOUT)
            )
        else:
            raise NotFound(f"{check.element_id} is no field; use text for what it says")
        actual = "" if found.facts.password else held
        return self.about(
            check, found, code, holds, f'= "{check.value}"', actual, expects=(wanted,)
        )

    def _attribute(self, check: kinds.Attribute) -> Answer:
        found, wanted = self.seen(check.element_id), self.fill(check.value)
        if check.name.lower() in ("value", "type") or check.name.lower().startswith("on"):
            raise NotFound(f"the attribute {check.name} tells nothing that is seen; use value")
        target, code = address(found)
        holds = so(lambda: expect(target).to_have_attribute(check.name, wanted, timeout=TIMEOUT))
        actual = target.get_attribute(check.name, timeout=1000)
        told = "" if actual is None else f'{check.name}="{actual}"'
        return self.about(
            check, found, code, holds, f'{check.name}="{check.value}"', told, expects=(wanted,)
        )

    def _state(self, check: kinds.State) -> Answer:
        if check.state == "hidden":
            return self._hidden(check)
        found = self.cite(check.element_id)
        if not found.facts.shown:
            if check.state == "visible":
                return self.about(check, found, "", False, "visible", "it cannot be seen")
            raise NotFound(f"{check.element_id} cannot be seen")
        target, code = address(found)
        holds, actual = in_state(check.state, target, found)
        return self.about(check, found, code, holds, check.state, actual)

    def _hidden(self, check: kinds.State) -> Answer:
        known = self.observer.known.get(check.element_id)
        try:
            found = self.cite(check.element_id)
        except NotFound:
            if known is None or known.frame.is_detached():
                raise
            if ask(known.frame, "which")["document"] != known.document:
                raise NotFound(
                    f"{check.element_id} was of a page that has gone; use absent for this one"
                ) from None
            again = self.observer.find_again(known.frame.page, check.element_id)
            if again is not None:
                raise NotFound(
                    f"{check.element_id} was only rendered anew: it is {again.element.id}"
                ) from None
            # It was seen, in this very document, and has gone from it.
            found = Cited(
                check.element_id, known.frame, known.document, known.number, known.locator,
                known.element.role, known.element.name,
            )  # fmt: skip
        holds = not found.facts.shown and (
            so(lambda: expect(found.locator).to_be_hidden(timeout=TIMEOUT))
            or found.locator.count() > 0
        )
        actual = "it can be seen" if found.facts.shown else "hidden"
        return self.about(check, found, "", holds, "hidden", actual)

    def _visual(self, check: kinds.Visual) -> Answer:
        found = self.seen(check.element_id)
        if self.crop is None:
            raise NotFound("checks by eye are not allowed here: say it with another kind")
        picture = self.crop(found.locator)
        if picture is None:
            raise NotFound("no picture of it could be taken")
        answer = self.about(check, found, address(found)[1], True, check.what, "by eye")
        kept = f"{picture.parent.name}/{picture.name}"
        return replace(answer, checked=answer.checked.model_copy(update={"screenshot": kept}))

    def _has_text(self, target: Locator, found: Cited, wanted: str, *, exact: bool) -> bool:
        pattern = whole_words(wanted, whole=exact)
        if found.facts.field:
            raise NotFound(f"{found.id} is a field: use value for what it holds")

        def has(expected: re.Pattern[str], inner: bool) -> bool:
            return so(
                lambda: expect(target).to_have_text(expected, use_inner_text=inner, timeout=TIMEOUT)
            )

        if found.facts.tag == "input":
            return so(lambda: expect(target).to_have_value(pattern, timeout=TIMEOUT))
        if _letters(wanted) not in _letters(found.facts.drawn):
            # It is there, but hidden within what can be seen.
            return False
        if has(pattern, True) or pattern.search(squashed(found.facts.text)):
            return True
        # Capitals that only the style sheet makes may be written either way.
        anycase = whole_words(wanted, whole=exact, anycase=True)
        return has(anycase, True) and has(pattern, False)

    def _is_called(self, target: Locator, found: Cited, wanted: str) -> bool:
        """Whether an item of a list shows a text; a control without one has it as its name."""
        if found.facts.text or found.role not in CONTROLS:
            return self._has_text(target, found, wanted, exact=False)
        pattern = whole_words(wanted)
        return so(lambda: expect(target).to_have_accessible_name(pattern, timeout=TIMEOUT))

    # Sets

    def _count(self, check: kinds.Count) -> Answer:
        found = self.cite_all(check.element_ids)
        every = whole(found)
        # A name makes a set whole that is not all there is.
        hidden, all_ = every.hidden, not every.by_name
        holds = so(
            lambda: expect(every.locator).to_have_count(len(found) + hidden, timeout=TIMEOUT)
        )
        answer = self._of_set(check, found, every, holds, f"{len(found)} in all")
        return replace(answer, number=len(found), complete=all_, first=all_, last=all_)

    def _order(self, check: kinds.Order) -> Answer:
        found = self.cite_all(check.element_ids)
        texts = [self.fill(text) for text in check.texts]
        every = holding(found)
        places = [every.numbers.index(each.number) for each in found]
        complete = len(places) == len(every.numbers)
        if places != sorted(places) or not drawn_so(found):
            holds = False
        elif complete and every.role not in CONTROLS:
            patterns = [whole_words(text) for text in texts]
            holds = so(
                lambda: expect(every.locator).to_have_text(
                    patterns, use_inner_text=True, timeout=TIMEOUT
                )
            ) and all(
                _letters(text) in _letters(each.facts.drawn)
                for each, text in zip(found, texts, strict=True)
            )
        else:
            holds = all(
                self._is_called(every.locator.nth(place), each, text)
                for place, each, text in zip(places, found, texts, strict=True)
            )
        actual = [(each.facts.text or each.name)[:60] for each in found]
        if places != sorted(places) or not drawn_so(found):
            actual = [f"{place + 1}. {text}" for place, text in zip(places, actual, strict=True)]
        answer = self._of_set(
            check, found, every, holds, " < ".join(check.texts), actual=" < ".join(actual)
        )
        return replace(
            answer,
            expects=texts,
            complete=complete,
            first=bool(places) and places[0] == 0,
            last=bool(places) and places[-1] == len(every.numbers) - 1,
        )

    def _of_set(
        self,
        check: kinds.Check,
        found: Sequence[Cited],
        every: Whole,
        holds: bool,
        expected: str,
        actual: str = "",
    ) -> Answer:
        name = f' "{every.name}"' if every.name else ""
        about = f"{every.role}{name} in {every.container}"
        if any(map(self.is_redacted, found)):
            actual = REDACTED
        checked = self.checked(
            check,
            about,
            expected,
            actual or f"{len(every.numbers)} in all",
            holds,
            target=Target(locator=self.data.scrub(every.code)),
            frame=found[0].frame,
        )
        own = [text for each in found for text in (*each.facts.leaves, each.facts.name, each.name)]
        around = [text for each in found[:3] for text in each.facts.around]
        return Answer(
            check,
            checked,
            own=own,
            beside=[every.container, *ask(found[0].frame, "heads", {"number": found[0].number})],
            around=[*dict.fromkeys(around)],
            items=found,
            named=every.name,
            by_name=every.by_name,
        )

    # Pages

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
            check, scope, f"no {what}", told[0] if told else f"no {what}", not told, page=page
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
                said = " ".join(ask(where, "said"))
                # "2 errors" is an error, too.
                if says(said, wanted, anycase=True) or says(said, f"{wanted}s", anycase=True):
                    return [f"it is shown: {wanted}"]
        except Error as error:
            if frame.is_detached():
                return []
            raise NotFound(_said(error)) from None
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


def _expectation(check: kinds.Check) -> str:
    given = check.model_dump(exclude={"kind", "element_id", "element_ids"}, exclude_none=True)
    return ", ".join(str(v) for v in given.values() if v not in (False, "")) or check.kind


def _said(error: Error) -> str:
    return str(error).partition("Call log:")[0].strip().splitlines()[0]


def _letters(text: str) -> str:
    """A text without white space and capitals, to see whether it is there at all."""
    return "".join(squashed(text.replace(" / ", " ")).casefold().split())
