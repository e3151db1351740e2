"""Checks of sets: how many elements of a repeating pattern there are, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.base import Check, CheckResult, Container, Fact, UncheckableError, evenly
from pytest_webtask.checks.element import TIMEOUT, holds, is_named, line_of, not_empty, required
from pytest_webtask.checks.expecting import expect
from pytest_webtask.checks.text import says, squashed
from pytest_webtask.checks.volatile import changing_pattern
from pytest_webtask.data import REDACTED
from pytest_webtask.page import dom
from pytest_webtask.page.locator_parser import locate
from pytest_webtask.types.agent import Signature, Target

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from pytest_webtask.checks.context import CheckContext, CheckedElement
    from pytest_webtask.checks.earlier import Earlier
    from pytest_webtask.export.locators import CodeTexts
    from pytest_webtask.page.element_set import ElementSet

__all__ = ["Count", "Order"]

_MEMBERS = frozenset(("row", "listitem", "list item", "card", "article", "option", "treeitem"))
"""Kinds of containers that hold one member of a set."""
_FIELDS = frozenset(("input", "textarea", "select"))
_LISTED = 4
"""How many elements that were not cited are named."""


class _OfSet(Check):
    strength: ClassVar[int] = 4
    of_set: ClassVar[bool] = True
    ids: ClassVar[tuple[str, ...]] = ("element_ids",)

    def cite(self, code: str) -> Check:
        """Return the check with the code of a locator that finds all of the set."""
        return self.model_copy(update={"element_ids": (code,)})

    def held_before(self, before: Earlier) -> bool | None:
        """Return None: an outline does not say what else there was."""
        return None


def _once(ids: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(ids)) < len(ids):
        raise ValueError("an element is cited twice")
    return ids


class Count(_OfSet):
    """There are so many elements of a kind: all of them, and no others."""

    model_config = required("kind", "element_ids")
    expectations: ClassVar[tuple[str, ...]] = ("number",)

    kind: Literal["count"] = "count"
    element_ids: tuple[str, ...] = Field(
        default=(),
        description="Each one of them, such as all rows of a table, all cards, or all items of a"
        " list; header rows are left out.",
    )
    number: SkipJsonSchema[str | None] = None
    """How many there are; where it is given the one id is a locator that finds all of them."""
    named: SkipJsonSchema[bool | None] = None
    """Whether those of one name are counted, as a literal sentence quotes it."""
    _ids = field_validator("element_ids")(_once)

    def describe(self) -> str:
        """Return the number in words."""
        return f"{self.number or len(self.element_ids)} in all"

    def recorded(self, about: str = "") -> Check:
        """Return the check with its number in place of the ids."""
        number = self.number or str(len(self.element_ids))
        return self.model_copy(update={"element_ids": (), "number": number, "named": None})

    def expected_texts(self) -> list[str]:
        """Return the number."""
        return [self.number or str(len(self.element_ids))]

    def run(self, page: CheckContext) -> CheckResult:
        """Count the visible elements of the pattern."""
        if not self.element_ids:
            raise UncheckableError("cite each one that is there")
        if self.number is None:
            found = page.cite_all(self.element_ids)
            (every, locator), number = _whole(found, named=bool(self.named)), len(found)
            if every.others:
                raise UncheckableError(_incomplete(every, number))
        else:
            every, locator, found = _recorded(page, self.element_ids[0])
            _must_stand(page, self.element_ids[0], found)
            number = int(page.fill(self.number))
        expected = number + every.hidden
        held = holds(lambda: expect(locator).to_have_count(expected, timeout=TIMEOUT))
        result = _result(page, self, every, found, held, f"{len(every.members)} in all")
        return result.model_copy(update={"number": number})

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str]:
        """Return the assertion of a count."""
        number = str(self.number)
        expected = number if number.isdigit() else f"int({code.text(number)})"
        return code.found(target), f"to_have_count({expected})"


class Order(_OfSet):
    """Elements of a kind stand in this order, with these texts."""

    strength: ClassVar[int] = 5
    model_config = required("kind", "element_ids")
    expectations: ClassVar[tuple[str, ...]] = ("texts",)

    kind: Literal["order"] = "order"
    element_ids: tuple[str, ...] = Field(
        default=(),
        description="The elements in their order. For what is sorted, or all there is, every one of"
        " them; for what is first or last, that one is enough; for what comes before what, two.",
    )
    texts: tuple[str, ...] = Field(description="What each of them shows, or the part that matters.")
    place: SkipJsonSchema[Literal["all", "first", "last", "inner"] | int | None] = None
    """Where a recording found them: all there are, the first ones, the last ones, somewhere, or the
    index of the one, from 0."""
    whole: SkipJsonSchema[bool] = False
    """Whether each text is a whole line of its element."""
    _ids = field_validator("element_ids")(_once)

    @model_validator(mode="after")
    def _as_many(self) -> Order:
        if self.place is None and self.element_ids and len(self.texts) != len(self.element_ids):
            raise ValueError(f"{len(self.element_ids)} elements need as many texts")
        for text in self.texts:
            not_empty(text)
        return self

    def describe(self) -> str:
        """Return the texts in their order."""
        return " → ".join(self.texts)

    def recorded(self, about: str = "") -> Check:
        """Return the check without its elements."""
        return self.model_copy(update={"element_ids": ()})

    def run(self, page: CheckContext) -> CheckResult:
        """Compare the texts of the elements, in the order of the page and as they are drawn."""
        texts = [page.fill(text) for text in self.texts]
        if not self.element_ids:
            raise UncheckableError("cite the elements in their order")
        if self.place is not None and self.element_ids[0] in page.resolved:
            every, locator, members = _recorded(page, self.element_ids[0])
            found = _at_place(self.place, members, texts)
            _must_stand(page, self.element_ids[0], found)
        else:
            found = page.cite_all(self.element_ids)
            every, locator = _whole(found)
        places = [every.members.index(each.number) for each in found]
        ordered = places == sorted(places) and _drawn_in_order(found)
        held = ordered and all(
            is_named(locator.nth(place), each, text)
            for place, each, text in zip(places, found, texts, strict=True)
        )
        lines = [line_of(each.facts, text) for each, text in zip(found, texts, strict=True)]
        if self.whole:
            held = held and lines == [squashed(text) for text in texts]
        actual = [(each.facts.content or each.name)[:60] for each in found]
        if not ordered:
            actual = [f"{place + 1}. {text}" for place, text in zip(places, actual, strict=True)]
        position = f"no. {', '.join(str(place + 1) for place in places)} of {len(every.members)}"
        result = _result(page, self, every, found, held, " → ".join(actual), position)
        place = _place_of(places, len(every.members))
        check = self.model_copy(update={"place": place})
        known = () if None in lines or any(map(page.is_redacted, found)) else tuple(lines)
        return result.model_copy(update={"check": check, "whole": known})

    def lasting(self, whole: Sequence[str], named: str) -> Check:
        """Return the check with whole lines, where nothing in them changes by itself."""
        if any(changing_pattern(text, named) for text in whole):
            return self
        return self.model_copy(update={"texts": tuple(whole), "whole": True})

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str] | None:
        """Return the assertion of an order; None for fields: `expect` does not list values."""
        if code.tag(target) in _FIELDS:
            return None
        texts = ", ".join(map(code.words, self.texts))
        if self.place in ("all", None):
            return code.found(target), f"to_have_text([{texts}], use_inner_text=True)"
        if self.place in ("first", "last") and len(self.texts) == 1:
            return (
                f"{code.found(target)}.{self.place}",
                f"to_contain_text({texts}, use_inner_text=True)",
            )
        if isinstance(self.place, int):
            return (
                f"{code.found(target)}.nth({self.place})",
                f"to_contain_text({texts}, use_inner_text=True)",
            )
        # The texts in this order, and perhaps others between them.
        return code.found(target), f"to_contain_text([{texts}], use_inner_text=True)"


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
    number = len(texts)
    if place == "all":
        if len(members) != number:
            raise UncheckableError(f"there are {len(members)} of them instead of {number}")
        return list(members)
    if isinstance(place, int):
        if place >= len(members):
            raise UncheckableError(f"there are only {len(members)} of them")
        return [members[place]]
    found: list[CheckedElement] = []
    for text in texts:
        shown = [(one, one.facts.drawn or one.facts.content or one.name) for one in members]
        those = [one for one, words in shown if says(words, text)]
        if not those or (len(those) > 1 and place == "inner"):
            raise UncheckableError(f"{len(those) or 'none'} of them show {text!r}")
        found.append(those[-1] if place == "last" else those[0])
    if place == "first" and found[0] is not members[0]:
        raise UncheckableError(f"the first of them shows {members[0].facts.content[:80]!r}")
    if place == "last" and found[-1] is not members[-1]:
        raise UncheckableError(f"the last of them shows {members[-1].facts.content[:80]!r}")
    return found


def _whole(found: Sequence[CheckedElement], *, named: bool = False) -> tuple[ElementSet, Locator]:
    """Return the set that the elements belong to, and what finds it. Raises UncheckableError."""
    from pytest_webtask.page.element_set import NoSet, find_set

    hidden = [each.id for each in found if not each.facts.shown]
    if hidden:
        raise UncheckableError(f"{', '.join(hidden)} cannot be seen")
    if len({(each.frame, each.document) for each in found}) > 1:
        raise UncheckableError("they are in several frames or tabs; check those of each alone")
    try:
        every = find_set([(each.frame, each.document, each.number) for each in found], named=named)
    except NoSet as error:
        raise UncheckableError(str(error)) from None
    return every, locate(every.locator_code, found[0].frame.page)


def _incomplete(every: ElementSet, number: int) -> str:
    others = [text for _, text in every.others]
    listed = "; ".join(squashed(text)[:60] or "(no text)" for text in others[:_LISTED])
    more = f" and {len(others) - _LISTED} more" if len(others) > _LISTED else ""
    these = "this is not the only one" if number == 1 else f"these {number} are not all"
    return (
        f"{these}: {every.container} has {len(every.members)} of {every.kind}, {listed}{more} among"
        " them. Cite each one that is there, or, in each, an element that only those have"
    )


def _recorded(page: CheckContext, code: str) -> tuple[ElementSet, Locator, list[CheckedElement]]:
    """Return a set by the locator that a recording gives, and its visible elements."""
    from pytest_webtask.checks.context import CheckedElement, ask_facts, frame_of
    from pytest_webtask.page.element_set import ElementSet
    from pytest_webtask.page.recorded_element import RecordedElement

    recalled = page.resolved.get(code)
    if not isinstance(recalled, RecordedElement) or recalled.target.signature is None:
        raise UncheckableError(f"{code} is no set of a recording")
    locator, signature = recalled.locator, recalled.target.signature
    # Of a set without elements nothing tells the frame.
    frame = frame_of(locator.first, code) if locator.count() else locator.page.main_frame
    # Each element that the locator finds leaves its number behind: two messages for all of them.
    locator.locator(dom.selector("keep", engine=dom.FACTS)).count()
    kept = ask_facts(frame, "kept")
    numbers = [int(number) for number, visible in kept if visible]
    document = ask_facts(frame, "which")["document"]
    found = page.with_facts(
        [CheckedElement(code, frame, document, n, locator, "", "", code) for n in numbers]
    )
    every = ElementSet(
        kind=signature.role,
        container=signature.key or "",
        locator_code=code,
        members=tuple(numbers),
        positions=tuple(range(len(numbers))),
        texts=tuple(each.facts.content for each in found),
        hidden=len(kept) - len(numbers),
    )
    return every, locator, found


def _must_stand(page: CheckContext, code: str, found: Sequence[CheckedElement]) -> None:
    """Raise UncheckableError where one of a recorded set no longer stands where all of them stood."""
    from pytest_webtask.page.recorded_element import RecordedElement, stands_elsewhere

    recalled = page.resolved[code]
    assert isinstance(recalled, RecordedElement) and recalled.target.signature is not None
    for each in found:
        if elsewhere := stands_elsewhere(recalled.target.signature, asdict(each.facts)):
            raise UncheckableError(f"{code} finds another set: {elsewhere}")


def _result(
    page: CheckContext,
    check: _OfSet,
    every: ElementSet,
    found: Sequence[CheckedElement],
    held: bool,
    actual: str,
    position: str = "",
) -> CheckResult:
    redacted = any(map(page.is_redacted, found))
    # What names the set, or stands around it, may be redacted as well.
    bare = page.data.redact.has_locators
    scrub, scrub_all = page.data.scrub, page.data.scrub_all
    first = found[0].facts if found else None
    texts = [REDACTED] * len(every.texts) if redacted else list(every.texts)
    # What is said of where they stand is true of all of them.
    columns, headings = ({getattr(one.facts, n) for one in found} for n in ("column", "heading"))
    shared = [e for e in first.within if all(e in o.facts.within for o in found)] if first else []
    within = [Container(**each) for each in shared]
    while len(every.members) > 1 and within and within[0].kind in _MEMBERS:
        # It is that of the first of them alone.
        within = within[1:]
    note = f"{every.without} more look alike and have no such element" if every.without else ""
    fact = Fact(
        check=check.kind,
        expected=check.describe(),
        note=note,
        pattern=every.kind if bare else f"{every.kind} in {every.container}",
        size=len(every.members),
        items=evenly([squashed(text) for text in texts]),
        position=position,
        column=columns.pop() if len(columns) == 1 else "",
        heading=headings.pop() if len(headings) == 1 else "",
        within=tuple(within),
        more=() if bare else tuple(every.more),
        elsewhere=""
        if bare
        else "; ".join(f"{number} in {where}" for number, where in every.elsewhere),
        frame=found[0].frame.url if found and found[0].frame.parent_frame else "",
    )
    container = "" if bare else every.container
    tag = first.tag if first and first.field else ""
    signature = Signature(role=every.kind, key=container, type="set", tag=tag)
    return page.result(
        check,
        f"{every.kind} in {container or 'a part of the page'}",
        REDACTED if redacted else actual,
        held,
        frame=found[0].frame if found else None,
        fact=Fact.model_validate(scrub_all(fact.model_dump())),
        target=Target.of(scrub(every.locator_code), Signature(**scrub_all(signature.model_dump()))),
    )


def _drawn_in_order(found: Sequence[CheckedElement]) -> bool:
    """Whether elements are drawn one after the other: style sheets may reverse their order."""
    for one, two in pairwise(found):
        (x, y, _, h), (right, below, _, height) = one.facts.box, two.facts.box
        if below + height <= y + 1:
            return False
        same_line = below < y + h / 2 and y < below + height / 2
        if same_line and right + 1 < x:
            return False
    return True
