"""Checks of sets: the number and the order of the elements of a repeating pattern."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.base import (
    Check,
    CheckResult,
    Fact,
    UncheckableError,
    evenly,
    not_empty,
    unlike_recorded,
)
from pytest_webtask.checks.element import is_named, line_of
from pytest_webtask.data.phrases import quote
from pytest_webtask.data.text import says, squashed
from pytest_webtask.data.values import REDACTED
from pytest_webtask.page.identity import is_in
from pytest_webtask.types.page import ITEM_KINDS, Address, Container, Target

if TYPE_CHECKING:
    from pytest_webtask.checks.check_context import CheckContext, CheckedElement
    from pytest_webtask.page.element_set import ElementSet
    from pytest_webtask.page.playwright_code import CodeTexts

_FIELDS = frozenset(("input", "textarea", "select"))
_LISTED = 4
"""The number of elements that a message lists."""


class _OfSet(Check):
    of_set: ClassVar[bool] = True
    ids: ClassVar[tuple[str, ...]] = ("element_ids",)

    @field_validator("element_ids", check_fields=False)
    @classmethod
    def _once(cls, ids: tuple[str, ...]) -> tuple[str, ...]:
        if twice := [each for number, each in enumerate(ids) if each in ids[:number]]:
            raise ValueError(f"lists {twice[0]} twice; list each element once")
        return ids


class Count(_OfSet):
    """The cited elements are all of their kind."""

    form: ClassVar[str] = "{0.all_of_them} in all"
    templates: ClassVar[tuple[str, ...] | None] = ("number",)

    kind: Literal["count"] = "count"
    element_ids: tuple[str, ...] = Field(
        default=(),
        description="Every one of them, such as all rows of a table (without header rows), all cards, or"
        " all items of a list.",
    )
    number: SkipJsonSchema[str | None] = None
    """Their number in a recording, where the only id is a locator for all of them."""
    named: SkipJsonSchema[bool | None] = None
    """True if elements of one name are counted, as quoted in a literal sentence."""

    @property
    def all_of_them(self) -> str:
        """Return their number."""
        return self.number or str(len(self.element_ids))

    def recorded(self) -> Check:
        """Return the check with its number in place of the ids."""
        update = {"number": self.all_of_them, "named": None}
        return super().recorded().model_copy(update=update)

    def expected_texts(self) -> list[str]:
        """Return the number."""
        return [self.all_of_them]

    def run(self, context: CheckContext) -> CheckResult:
        """Count the visible elements of the pattern."""
        if self.number is None:
            elements = context.cite_set(self.element_ids)
            every, number = _whole(elements, named=bool(self.named)), len(elements)
            if every.others:
                raise _incomplete(every, number)
        else:
            every, elements = _recorded(context, *self.element_ids[:1], few=True)
            number = int(context.fill(self.number))
            if len(elements) == number:
                _must_be_all(every, elements)
        held, actual = len(elements) == number, f"{len(elements)} in all"
        result = _result(context, self, every, elements, held, actual)
        return result.model_copy(update={"number": number})

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a count."""
        number = str(self.number)
        expected = number if number.isdigit() else f"int({code.text(number)})"
        return code.found(target), f"to_have_count({expected})"


class Order(_OfSet):
    """Elements of a kind are in this order and have these texts."""

    expectations: ClassVar[tuple[str, ...]] = ("texts",)

    kind: Literal["order"] = "order"
    element_ids: tuple[str, ...] = Field(
        default=(),
        description="The elements in order. For sorted or all, every one of them; for first or last, that"
        " one is enough; for what comes before what, two.",
    )
    texts: tuple[str, ...] = Field(description="What each of them shows, or the part that matters.")
    place: SkipJsonSchema[Literal["all", "first", "last", "inner"] | int | None] = None
    """Their position in a recording: all elements, the first, the last, anywhere, or the index of a
    single one, from 0."""
    whole: SkipJsonSchema[bool] = False
    """True if each text is a whole line of its element."""

    @property
    def is_exact(self) -> bool:
        """Return whether these must be all elements."""
        return self.place == "all"

    @model_validator(mode="after")
    def _as_many(self) -> Order:
        if self.place is None and self.element_ids and len(self.texts) != len(self.element_ids):
            raise ValueError(
                f"got {len(self.element_ids)} elements and {len(self.texts)} texts: pass one text for"
                " each element"
            )
        for text in self.texts:
            not_empty(text)
        return self

    def describe(self) -> str:
        """Return the texts in their order."""
        return " → ".join(self.texts)

    def run(self, context: CheckContext) -> CheckResult:
        """Compare the texts in the order of the document, which must be the order on the screen."""
        texts = [*map(context.fill, self.texts)]
        every, elements = self._elements(context, texts)
        places = [every.members.index(each.number) for each in elements]
        lines = [line_of(each.facts, text) for each, text in zip(elements, texts, strict=True)]
        is_said = all(map(is_named, elements, texts))
        if self.whole:
            is_said = lines == [*map(squashed, texts)]
        ordered = places == sorted(places) and _drawn_in_order(elements)
        numbers = [str(place + 1) for place in places]
        actual = [(each.facts.content or each.name)[:60] for each in elements]
        if not ordered:
            actual = [*map("{}. {}".format, numbers, actual)]
        size = len(every.members)
        check = self.model_copy(update={"place": _place_of(places, size)})
        is_known = None not in lines and not any(map(attrgetter("facts.redacted"), elements))
        result = _result(
            context,
            check,
            every,
            elements,
            ordered and is_said,
            " → ".join(actual),
            f"no. {', '.join(numbers)} of {size}",
        )
        return result.model_copy(update={"whole": tuple(lines) if is_known else ()})

    def _elements(
        self, context: CheckContext, texts: Sequence[str]
    ) -> tuple[ElementSet, list[CheckedElement]]:
        """Return the set, and the elements that should have the texts. Raises UncheckableError."""
        code = next(iter(self.element_ids), "")
        if self.place is None or code not in context.resolved:
            elements = context.cite_all(self.element_ids)
            return _whole(elements), elements
        every, members = _recorded(context, code)
        elements = _at_place(self.place, members, texts)
        _must_be_drawn(self.place, members)
        if self.place in ("all", "last"):
            _must_be_all(every, members)
        return every, elements

    def lasting(self, whole: tuple[str, ...], *, leaf: bool) -> Check:  # noqa: ARG002
        """Return the check for whole lines."""
        return self.model_copy(update={"texts": whole, "whole": True})

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str] | None:
        """Return the assertion of an order; None for fields, as `expect` does not compare value lists."""
        if code.tag(target) in _FIELDS:
            return None
        texts, found = ", ".join(map(code.words, self.texts)), code.found(target)
        if self.place in ("all", None):
            return found, f"to_have_text([{texts}], use_inner_text=True)"
        if isinstance(self.place, int):
            found += f".nth({self.place})"
        elif self.place != "inner" and len(self.texts) == 1:
            found += f".{self.place}"
        else:
            # Other elements may be between them.
            texts = f"[{texts}]"
        return found, f"to_contain_text({texts}, use_inner_text=True)"


def _place_of(places: Sequence[int], size: int) -> Any:
    if len(places) == size:
        return "all"
    if places[0] == 0:
        return "first"
    if places[-1] == size - 1:
        return "last"
    return places[0] if len(places) == 1 else "inner"


def _at_place(
    place: Any, members: Sequence[CheckedElement], texts: Sequence[str]
) -> list[CheckedElement]:
    """Return the elements that a recorded order is about. Raises UncheckableError."""
    number = len(members)
    if place == "all":
        if number != len(texts):
            raise unlike_recorded(
                f"{len(texts)} elements are expected in order, but the page has {number}"
            )
        return list(members)
    if isinstance(place, int):
        if place >= number:
            about = f"the recording is about no. {place + 1}"
            raise unlike_recorded(f"the page has only {number} of these elements, and {about}")
        return [members[place]]
    at = -1 if place == "last" else 0
    shown = [each.facts.drawn or each.facts.content or each.name for each in members]
    matching = []
    for text in texts:
        found = [one for one, words in zip(members, shown, strict=True) if says(words, text)]
        if not found or (len(found) > 1 and place == "inner"):
            expected = f"one element with the text {text!r} is expected"
            raise unlike_recorded(f"{expected}, but the page has {len(found)}")
        matching.append(found[at])
    if place != "inner" and matching[at] is not members[at]:
        raise unlike_recorded(f"the {place} element is now {shown[at][:80]!r}")
    return matching


def _whole(elements: Sequence[CheckedElement], *, named: bool = False) -> ElementSet:
    """Return the set that the elements belong to. Raises UncheckableError."""
    from pytest_webtask.page.element_set import NoSetError, find_set

    hidden = [each.id for each in elements if not each.facts.shown]
    if hidden:
        raise UncheckableError(f"{', '.join(hidden)} cannot be seen", "cite visible elements")
    try:
        return find_set([each.node for each in elements], named=named)
    except NoSetError as error:
        raise UncheckableError(str(error)) from None


def _incomplete(every: ElementSet, number: int) -> UncheckableError:
    others = every.others
    listed = "; ".join(quote(squashed(text)[:60]) for text in others[:_LISTED])
    more = f" and {len(others) - _LISTED} more" if len(others) > _LISTED else ""
    these = "this is not the only one" if number == 1 else f"these {number} are not all"
    return UncheckableError(
        f"{these}: {every.container} has {len(every.members)} of {every.kind}, including {listed}{more}",
        "cite all of them; to count some of them, cite in each an element that only those have",
    )


def _recorded(
    context: CheckContext, code: str = "", *, few: bool = False
) -> tuple[ElementSet, list[CheckedElement]]:
    """Return the set of a recorded locator, and its visible elements. Raises UncheckableError.

    With `few` those in the middle of a large set have no facts.
    """
    from pytest_webtask.checks.check_context import FEW
    from pytest_webtask.page.element_set import BETWEEN, ElementSet, recorded_setting
    from pytest_webtask.page.frames import frame_of
    from pytest_webtask.page.recorded_element import RecordedElement

    recalled = context.resolved.get(code)
    if not isinstance(recalled, RecordedElement) or recalled.target.remembered is None:
        raise UncheckableError(f"{code} is not a recorded set", "cite the elements by their ids")
    known, main = recalled.target.remembered, recalled.page.main_frame
    setting = recorded_setting(known)
    found = recalled.members(context.redacted(main), setting, few=FEW if few else 0)
    way, problem = found["way"], found.get("problem", "")
    # An empty set has no element from which to get the frame.
    frame = main if way is None else frame_of(recalled.locator_of(way).first, code)
    elements = context.members(code, frame, found)
    for pinned in recalled.target.pinned.containers:
        # What has no facts is not compared.
        there = [
            each
            for each in elements
            if not each.facts.tag or any(is_in(pinned, place.name) for place in each.facts.places)
        ]
        if elements and not there:
            problem = f"they are not in {pinned}"
        elements = there
    if problem:
        raise UncheckableError(f"{code} finds other elements than the recorded ones: {problem}")
    numbers = tuple(each.number for each in elements)
    every = ElementSet(
        kind=known.role,
        container=known.named("set"),
        codes=(code,),
        members=numbers,
        positions=tuple(range(len(numbers))),
        texts=tuple(each.facts.listed for each in elements),
        signs=tuple(known.marks.get("more", "").split(BETWEEN)),
        setting=setting or {},
    )
    return every, elements


def _must_be_all(every: ElementSet, elements: Sequence[CheckedElement]) -> None:
    """Raise UncheckableError if the page has new signs that there are more than the members, or others."""
    from pytest_webtask.page.element_set import new_signs

    if not every.setting:
        return
    members = [each.node for each in elements]
    if signs := new_signs(members, every.signs, every.setting["parts"]):
        these = f"these {len(elements)} may be others, or not all, unlike when recorded"
        raise unlike_recorded(f"{these}: {'; '.join(signs)}")


def _result(
    context: CheckContext,
    check: _OfSet,
    every: ElementSet,
    elements: Sequence[CheckedElement],
    held: bool,
    actual: str,
    position: str = "",
) -> CheckResult:
    from pytest_webtask.checks.check_context import ElementFacts
    from pytest_webtask.page.locator_codegen import recordable_target

    redacted = any(map(attrgetter("facts.redacted"), elements))
    # What all members stand in, from the inside out: their column, sections and parts.
    places = [each.facts.places for each in elements if each.facts.tag]
    shared = [each for each in next(iter(places), ()) if all(each in some for some in places)]
    first = elements[0].facts if elements else ElementFacts()
    fact = Fact(
        pattern=every.kind,
        size=len(every.members),
        items=() if redacted else evenly([*map(squashed, every.texts)]),
        position=position,
    )
    container, codes = every.container, every.codes
    if context.data.redact.has_locators:
        # The names of the set and of its containers, by which further locators find it, may be redacted as well.
        container, codes = "a part of the page", codes[:1]
    else:
        within = tuple(each for each in first.within if each in shared)
        fact = fact.model_copy(update=_around(every, shared, within))
    known = every.remembered(first.tag if first.field else "")
    named = (each for each in shared if each.name and each.kind not in ITEM_KINDS)
    known = known.model_copy(update={"containers": (*known.containers, *named)})
    return context.result(
        check,
        f"{every.kind.removeprefix('role ')} in {container or 'a part of the page'}",
        REDACTED if redacted else actual,
        held,
        frame=elements[0].frame if elements else None,
        fact=fact,
        target=recordable_target(codes, Address(), known, context.data),
    )


def _around(
    every: ElementSet, shared: Sequence[Container], within: tuple[Container, ...]
) -> dict[str, Any]:
    """Return the fields of a fact that say where a set is, `within` which parts, and what else has its pattern."""
    places = Address(containers=tuple(shared))
    title, heading = every.setting.get("title") or "", places.named("section")
    is_told = title in ("", heading, *(each.name for each in within))
    more_alike = f"{every.without} more look alike and have no such element"
    return {
        "pattern": f"{every.kind} in {every.container}",
        "column": places.named("column"),
        "heading": heading,
        "within": within,
        "beside": () if is_told else (title,),
        "more": every.more,
        "elsewhere": "; ".join(f"{number} in {where}" for number, where in every.elsewhere),
        "note": more_alike if every.without else "",
    }


def _must_be_drawn(place: Any, members: Sequence[CheckedElement]) -> None:
    """Raise UncheckableError if the first or last element is not drawn as such."""
    pairs = {
        "first": [(members[0], other) for other in members[1:]],
        "last": [(other, members[-1]) for other in members[:-1]],
    }
    if not all(map(_drawn_in_order, pairs.get(place, ()))):
        raise unlike_recorded(
            f"the {place} element of the document is not the {place} one on the screen, because a style"
            " sheet reorders them, and the order cannot be checked"
        )


def _drawn_in_order(elements: Sequence[CheckedElement]) -> bool:
    """Return whether the elements are displayed in this order, which style sheets may reverse."""
    for one, two in pairwise(elements):
        (x, y, _, h), (right, below, _, height) = one.facts.box, two.facts.box
        if below + height <= y + 1:
            return False
        same_line = below < y + h / 2 and y < below + height / 2
        if same_line and right + 1 < x:
            return False
    return True
