"""Running checks on the live page: each is a Playwright `expect` on a locator that people can read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Error, Locator, expect

from pytest_webtask.checks import kinds
from pytest_webtask.checks.answers import Answer
from pytest_webtask.checks.finding import Cited, Lost, NotFound, ask
from pytest_webtask.checks.pictures import unlike
from pytest_webtask.checks.places import OfPages, said
from pytest_webtask.checks.sets import Whole, again, drawn_so, holding, in_order, whole
from pytest_webtask.checks.states import CONTROLS, TIMEOUT, in_state
from pytest_webtask.checks.states import holds as so
from pytest_webtask.checks.wording import squashed, whole_words
from pytest_webtask.data import REDACTED
from pytest_webtask.page.recalled import Recalled
from pytest_webtask.records import Signature, Target

__all__ = ["Answer", "Checker"]


class Checker(OfPages):
    """Asks the pages of a test."""

    def run(self, check: kinds.Check) -> Answer:
        """What the page says to a check; one that cannot be asked does not hold."""
        try:
            answer: Answer = getattr(self, f"_{check.kind}")(check)
        except (NotFound, Error) as error:
            problem = str(error) if isinstance(error, NotFound) else said(error)
            about = getattr(check, "element_id", "") or ", ".join(getattr(check, "element_ids", ()))
            lost = isinstance(error, Lost)
            told = self.checked(check, about or "the page", _expectation(check), problem=problem)
            return Answer(check, told.model_copy(update={"lost": lost}))
        return answer

    def read(self, element_id: str) -> str:
        """What an element says, or a field holds. Raises NotFound."""
        found = self.seen(element_id)
        self.not_a_password(found)
        return self.value_of(found) if found.facts.field else found.facts.text

    # Elements

    def _text(self, check: kinds.Text) -> Answer:
        found, wanted = self.seen(check.element_id), self.fill(check.text)
        facts = found.facts
        target, code = self.address(found, (wanted,))
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
        loose = holds and not facts.simple and bool(ask(found.frame, "within", inside))
        # A part that is cited as a whole says nothing of its own.
        if loose and facts.composite:
            return replace(answer, loose=True, expects=(), own=(facts.name,))
        return replace(answer, loose=loose)

    def _matches(self, check: kinds.Matches) -> Answer:
        found = self.seen(check.element_id)
        pattern = re.compile(rf"^\s*(?:{check.pattern})\s*$")
        target, code = self.address(found, (found.facts.raw[:60],))
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
        target, code = self.address(found)
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
        target, code = self.address(found)
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
        target, code = self.address(found)
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
        answer = self.about(check, found, self.address(found)[1], True, check.what, "by eye")
        kept = f"{picture.parent.name}/{picture.name}"
        if check.picture is not None and (wrong := unlike(Path(check.picture), picture)):
            raise NotFound(f"by eye: {wrong}; nobody can tell without a model")
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
        if check.number is None:
            found = self.cite_all(check.element_ids)
            every, number = whole(found), len(found)
        else:
            every, found = self._recorded(check.element_ids[0])
            number = check.number
        # A name makes a set whole that is not all there is.
        hidden, all_ = every.hidden, not every.by_name
        holds = so(lambda: expect(every.locator).to_have_count(number + hidden, timeout=TIMEOUT))
        answer = self._of_set(check, found, every, holds, f"{number} in all")
        return replace(answer, number=number, complete=all_, first=all_, last=all_)

    def _recorded(self, code: str) -> tuple[Whole, list[Cited]]:
        """A set by the locator that a recording gives. Raises NotFound."""
        recalled = self.resolved.get(code)
        if not isinstance(recalled, Recalled) or recalled.target.signature is None:
            raise NotFound(f"{code} is no set of a recording")
        return again(recalled.locator, recalled.target.signature, code)

    def _order(self, check: kinds.Order) -> Answer:
        texts = [self.fill(text) for text in check.texts]
        if check.recorded:
            every, all_ = self._recorded(check.recorded)
            found = in_order(all_, texts, part=every.part)
        else:
            found = self.cite_all(check.element_ids)
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
            check,
            found,
            every,
            holds,
            " < ".join(check.texts),
            actual=" < ".join(actual),
            part=not complete,
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
        *,
        part: bool = False,
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
            target=Target(
                locator=self.data.scrub(every.code),
                signature=Signature(**self.data.scrub_all(every.signature(part=part).model_dump())),
            ),
            frame=found[0].frame if found else None,
        )
        own = [text for each in found for text in (*each.facts.leaves, each.facts.name, each.name)]
        around = [text for each in found[:3] for text in each.facts.around]
        return Answer(
            check,
            checked,
            own=own,
            beside=[every.container, *self._heads(found)],
            around=[*dict.fromkeys(around)],
            items=found,
            named=every.name,
            by_name=every.by_name,
        )

    @staticmethod
    def _heads(found: Sequence[Cited]) -> list[str]:
        if not found:
            return []
        return list(ask(found[0].frame, "heads", {"number": found[0].number}))


def _expectation(check: kinds.Check) -> str:
    given = check.model_dump(exclude={"kind", "element_id", "element_ids"}, exclude_none=True)
    return ", ".join(str(v) for v in given.values() if v not in (False, "")) or check.kind


def _letters(text: str) -> str:
    """A text without white space and capitals, to see whether it is there at all."""
    return "".join(squashed(text.replace(" / ", " ")).casefold().split())
