"""The context of checks: the pages of a test and the cited elements."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Frame, Locator, Page

from pytest_webtask.checks.base import (
    Alike,
    Check,
    CheckResult,
    Fact,
    UncheckableError,
    abridged,
    evenly,
)
from pytest_webtask.data.phrases import without_log
from pytest_webtask.data.text import letters, says, squashed, whole_words
from pytest_webtask.data.values import REDACTED, Data, fill_pattern
from pytest_webtask.page import dom
from pytest_webtask.page.element_set import ElementSet, Member, set_around
from pytest_webtask.page.frames import (
    FRAME_TIMEOUT,
    frame_of,
    frames_around,
    is_frame_visible,
    redacted_in,
)
from pytest_webtask.page.identity import STRUCK, plain_name, remembered
from pytest_webtask.page.locator_codegen import (
    BARE,
    cut_secrets,
    locators_of,
    recordable,
    recordable_target,
    title_of,
    without_secrets,
)
from pytest_webtask.page.locator_parser import locate, quote
from pytest_webtask.page.observer import Observer
from pytest_webtask.page.outline import PLAIN
from pytest_webtask.page.recorded_element import Missing, RecordedElement, ask_together
from pytest_webtask.page.snapshot import Node, parse_snapshot
from pytest_webtask.page.tabs import Tabs
from pytest_webtask.types.agent import EarlierStep
from pytest_webtask.types.page import Address, Container, Target

FEW = 25
"""The number of members at either end of a large set whose facts a count needs."""
_SHOWN = 300
_ON_OFF = {
    "checked": "(on)", "pressed": "(on)", "partly checked": "(partly on)",
    "not pressed": "(off)", "not checked": "(off)",
}  # fmt: skip
_CELL_ROLES = frozenset(("cell", "gridcell", "rowheader"))


class LostError(UncheckableError):
    """A recorded element is missing or has changed its identity."""


@dataclass(frozen=True)
class ElementFacts:
    """The texts and surroundings of an element, as `facts.js` reports them.

    `text` is the text as a user reads it, `drawn` its visible part, `raw` the text before style
    sheets change capitals. A `composite` has several parts with texts of their own, the `leaves`.
    `unbuttoned` is the visible text of an element with buttons, without theirs.
    With `generated` style sheets add words, or the sign of a number, to `text`.
    `held` is the value of a field, an editor or a slider, None for other elements and for passwords. The rest is as in a
    `Fact`.
    """

    shown: bool
    tag: str = ""
    type: str = ""
    select: bool = False
    field: bool = False
    password: bool = False
    editable: bool = False
    text: str = ""
    raw: str = ""
    name: str = ""
    composite: bool = False
    leaves: Sequence[str] = ()
    drawn: str = ""
    unbuttoned: str = ""
    generated: bool = False
    placeholder: str = ""
    box: Sequence[float] = ()
    plain: bool = False
    held: str | None = None
    states: Sequence[str] = ()
    label: str = ""
    column: str = ""
    row: str = ""
    heading: str = ""
    headings: Sequence[str] = ()
    within: Sequence[Mapping[str, str]] = ()
    beside: Sequence[str] = ()
    author: Mapping[str, str] | None = None

    @property
    def value(self) -> str:
        """Return the value of a field, for a choice the label of its option; the text of other elements."""
        return (self.held or "") if self.field else self.text

    @property
    def content(self) -> str:
        """Return the visible text; of a field its value, "" for a password, checkbox, radio or slider."""
        if not self.field:
            return squashed(self.drawn or self.text)
        if self.password or self.type in ("checkbox", "radio", "range"):
            return ""
        return squashed(self.held or "")

    @property
    def places(self) -> list[Container]:
        """What it stands in, from the inside out: its column, sections, and parts."""
        sections = [Container(kind="section", name=name) for name in self.headings]
        return [Container(kind="column", name=self.column), *sections, *self.parts]

    @property
    def parts(self) -> list[Container]:
        """The parts of the page that it stands in, and their items, from the inside out."""
        return [Container(**each) for each in self.within]

    @property
    def listed(self) -> str:
        """Return the text in the list of a set, of a control with its state: as `wordsOf` in `sets.js`."""
        on = next((word for state, word in _ON_OFF.items() if state in self.states), "")
        return squashed(f"{(on and self.name) or self.content or self.name} {on}")


@dataclass(frozen=True)
class CheckedElement:
    """An element that a check cites: a node of a document in a frame of a tab."""

    id: str
    frame: Frame
    document: str
    number: int
    locator: Locator
    role: str = ""
    name: str = ""
    code: str = ""
    facts: ElementFacts = field(default_factory=lambda: ElementFacts(False))

    @property
    def own_name(self) -> str:
        """Its name, but not what Playwright takes for one of a choice: its options."""
        facts = self.facts
        is_called = bool(facts.name) or not (facts.plain or facts.select)
        return squashed(facts.name or self.name) if is_called else ""

    @property
    def frame_url(self) -> str:
        """The address of the frame that it is in, "" for the page itself."""
        return self.frame.url if self.frame.parent_frame else ""

    @property
    def node(self) -> Member:
        """The element as sets know it."""
        return self.frame, self.document, self.number


def ask_facts(where: Frame | Locator, verb: str, argument: Any = None) -> Any:
    """Run a verb of `facts.js` and return its result."""
    return dom.call(where, verb, argument, FRAME_TIMEOUT, dom.FACTS)


def is_shown(page: Page, text: str, unasked: Collection[Frame] = ()) -> bool:
    """Return whether a user sees the text, in whole words, in any frame.

    The text, which may be a secret, is not sent to frames in `unasked`.
    """
    pattern = {"pattern": whole_words(text).pattern, "flags": "g", "most": 1}
    for frame in (f for f in page.frames if f not in unasked):
        try:
            if is_frame_visible(frame) and ask_facts(frame, "says", pattern)["hits"]:
                return True
        except Error:
            if page.is_closed():
                raise
    return False


@dataclass(frozen=True)
class CheckContext:
    """Runs checks on the pages of a test.

    `resolved` holds elements by the code that models cite in place of ids. `crop` takes a picture
    of an element for a check by eye, None if pictures are off. `unasked` returns the frames to
    which no secret may be sent, `earlier` are the earlier steps of the test. With `at_once` missing
    recorded elements are not awaited. `sentence` is that of the step, with its data.
    """

    observer: Observer
    tabs: Tabs
    data: Data
    resolved: Mapping[str, Locator | RecordedElement] = field(default_factory=dict)
    crop: Callable[[Locator], Path | None] | None = None
    unasked: Callable[[], Collection[Frame]] = tuple
    earlier: Sequence[EarlierStep] = ()
    at_once: bool = False
    sentence: str = ""

    def run(self, check: Check) -> CheckResult:
        """Run a check; if that is impossible, it does not hold and the result has the problem."""
        try:
            return check.run(self)
        except (UncheckableError, Error) as error:
            problem = str(error)
            if isinstance(error, Error):
                problem = first_line(error)
            elif not all(isinstance(each, Locator) for each in self.resolved.values()):
                # A person who reads of a recorded check has nothing to cite.
                problem = error.problem
            about = ", ".join(check.cited) or "the page"
            result = self.result(check, about, problem=problem)
            return result.model_copy(update={"lost": isinstance(error, LostError)})

    def run_all(self, checks: Sequence[Check]) -> list[CheckResult]:
        """Run checks, whose recorded elements are asked for in one message."""
        found = [self.resolved.get(code) for check in checks for code in check.cited]
        recorded = [each for each in found if isinstance(each, RecordedElement)]
        ask_together(recorded, named=self.at_once)
        results = [self.run(check) for check in checks]
        for each in recorded:
            each.asked.clear()
        return results

    def fill(self, text: str) -> str:
        """Return a text with the values of the data filled in."""
        return self.data.fill(text)

    def fill_pattern(self, pattern: str) -> str:
        """Return a pattern with the values of the data filled in and escaped."""
        return fill_pattern(pattern, self.data.values)

    # Elements

    def cite(self, element_id: str) -> CheckedElement:
        """Return the live element with an id. Raises UncheckableError."""
        return self.cite_all([element_id])[0]

    def cite_all(self, element_ids: Sequence[str]) -> list[CheckedElement]:
        """Return the live elements with the ids, looked up in one batch. Raises UncheckableError."""
        elements = [self._find(each) for each in element_ids]
        return elements if all(one.facts.tag for one in elements) else self.with_facts(elements)

    def cite_set(self, ids: Sequence[str]) -> list[CheckedElement]:
        """Return the live elements with the ids, or all that a locator finds which a model cites instead."""
        locator = self.resolved.get(ids[0])
        if len(ids) > 1 or not isinstance(locator, Locator):
            return self.cite_all(ids)
        frame = frame_of(locator.first, ids[0])
        given: dict[str, Any] = {"recorded": None, "redacted": self.redacted(frame), "few": FEW}
        found = dom.ask(frame, locator, (), FRAME_TIMEOUT, dom.FACTS, "members", **given)
        return self.members(ids[0], frame, found, locator)

    def members(
        self, code: str, frame: Frame, found: Mapping[str, Any], locator: Locator
    ) -> list[CheckedElement]:
        """Return the visible elements of a set that a locator finds, as checks know elements.

        Of a large set, those in the middle may have no facts.
        """
        title, document = found["title"], found["document"]
        elements = []
        for number, is_seen, facts in found["members"]:
            element = CheckedElement(code, frame, document, number, locator, "", "", code)
            if facts:
                # The title of a set is beside each of its members.
                beside = [*facts["beside"], *filter(None, [title])]
                elements.append(self.described(element, {**facts, "beside": beside}))
            elif is_seen:
                elements.append(replace(element, facts=ElementFacts(True)))
        return elements

    def seen(self, element_id: str) -> CheckedElement:
        """Return the visible element with an id. Raises UncheckableError."""
        element = self.cite(element_id)
        if not element.facts.shown:
            raise UncheckableError(f"{element.id} cannot be seen", "cite a visible element")
        return element

    def with_facts(self, elements: Sequence[CheckedElement]) -> list[CheckedElement]:
        """Return the elements with their facts. Raises UncheckableError."""
        frames: dict[tuple[Frame, str], list[int]] = {}
        for one in elements:
            frames.setdefault((one.frame, one.document), []).append(one.number)
        answers: dict[Member, Any] = {}
        for (frame, document), numbers in frames.items():
            try:
                redacted = self.redacted(frame)
                argument = {"document": document, "numbers": numbers, "redacted": redacted}
                listed = ask_facts(frame, "facts", argument)
                answers |= {(frame, document, n): a for n, a in zip(numbers, listed, strict=True)}
            except Error:
                continue
        return [self.described(one, answers.get(one.node)) for one in elements]

    def redacted(self, frame: Frame) -> dict[str, list[int]]:
        """Return the elements whose texts are redacted, by document."""
        if not self.data.redact.has_locators:
            return {}
        return redacted_in(frame.page, self.data.redact)

    def is_redacted(self, element: CheckedElement) -> bool:
        """Return whether the text of an element, or a part of it, is redacted."""
        if not self.data.redact.has_locators:
            return False
        numbers = self.redacted(element.frame).get(element.document, [])
        argument = {"number": element.number, "numbers": numbers}
        return bool(ask_facts(element.frame, "related", argument))

    def page(self, tab: int | None) -> Page:
        """Return the page of a tab, by default the one in front. Raises UncheckableError."""
        if tab is None:
            return self.tabs.front
        if tab not in self.tabs.pages:
            known = ", ".join(map(str, self.tabs.pages))
            raise UncheckableError(f"there is no tab {tab}", f"use one of the open tabs {known}")
        return self.tabs.pages[tab]

    def address(
        self, element: CheckedElement, expected: Sequence[str] = (), *, shown: str = ""
    ) -> tuple[Locator, tuple[str, ...]]:
        """Return a readable locator of the element without redacted texts, and the codes of all.

        The arguments are those of `address_element`.
        """
        return address_element(
            element, expected, data=self.data, shown=shown, sentence=self.sentence
        )

    def read(self, element_id: str) -> str:
        """Return the text of an element or the value of a field. Raises UncheckableError."""
        element = self.seen(element_id)
        self.refuse_password(element)
        return element.facts.value

    @staticmethod
    def refuse_password(element: CheckedElement) -> None:
        """Raise UncheckableError for a password field."""
        if element.facts.password:
            raise UncheckableError(
                f"{element.id} is a password field, whose value is never read",
                "use kind state instead",
            )

    # Results

    def of_element(
        self,
        check: Check,
        element: CheckedElement,
        holds: bool,
        actual: str,
        *,
        avoided: Sequence[str] = (),
        shown: str = "",
        match: str = "",
        **more: Any,
    ) -> CheckResult:
        """Return the result of a check of one element; its locators are by none of the `avoided` texts.

        Only the last may be by the text `shown`, for which the element is recorded.
        """
        _, codes = self.address(element, avoided, shown=shown)
        facts, role = element.facts, element.role or element.facts.tag
        name = squashed(element.name or facts.name or facts.text)[:80]
        heads = ", ".join(filter(None, (facts.column, facts.row)))
        place = f" ({heads[:60]})" if heads and role in _CELL_ROLES else ""
        about = f'{role} "{name}"{place}'
        redacted = self.is_redacted(element)
        if redacted:
            about, actual, more = role, REDACTED, {**more, "leaf": None, "whole": ()}
        fact = self.fact(check, element, match, redacted=redacted)
        # What a model has resolved itself is shown to no referee.
        if holds and element.id not in self.resolved:
            fact = fact.model_copy(update=self._position(element))
        return self.result(
            check,
            about,
            actual,
            holds,
            target=self.target(element, codes, check.expected_texts(), by_name=check.by_name),
            frame=element.frame,
            fact=fact,
            **more,
        )

    def fact(
        self, check: Check, element: CheckedElement, match: str = "", *, redacted: bool = False
    ) -> Fact:
        """Return the fact about one element."""
        facts = element.facts
        # A replay searches for the text, so only its ends are trimmed.
        text = REDACTED if redacted and facts.content else facts.content.strip()
        expected = "" if match == "comparison" else self._expected_words(check)
        name, label = ("", "") if redacted else (element.own_name, facts.label)
        # What an element shows is no name of the item around it.
        around = [
            Container(**{**each, "name": _unless(each["name"], text)}) for each in facts.within
        ]
        fact = Fact(
            check=check.kind,
            expected=expected or check.describe(),
            match=match or self._match(expected, text),
            element=element.role or facts.tag,
            name=_unless(name, text),
            text=abridged(text),
            characters=len(text) if len(text) > 500 else 0,
            states=tuple(facts.states),
            label=_unless(label, name),
            column=facts.column,
            row=_unless(facts.row, text),
            heading=facts.heading,
            within=tuple(around),
            beside=tuple(facts.beside),
            author=dict(facts.author or {}),
            frame=element.frame_url,
            page=self._page_words(element.frame.page),
        )
        return Fact.model_validate(self.data.scrub_all(fact.model_dump()))

    def among(self, element_id: str) -> dict[str, Any]:
        """Return the fields of a fact that tell a selected element from similar ones.

        These are the elements with its role and name on the page if there are several, else the set
        around it.
        """
        element = self.cite(element_id)
        alike = self._alike(element)
        every = None if alike and alike.size > 1 else self._around(element)
        if every is None:
            return {"alike": alike}
        texts = self.data.scrub_all([*map(squashed, every.texts)])
        items = evenly(texts, 600) if len(set(texts)) > 1 else ()
        return {"size": len(every.members), "items": items, "alike": alike}

    def _alike(self, element: CheckedElement) -> Alike | None:
        """Return the visible elements of the role and name of an element."""
        if self.is_redacted(element):
            return None
        with suppress(Error):
            for of, numbers in self._likely(element):
                if number := self._one_of(element, numbers):
                    argument = {"numbers": numbers, "redacted": self.redacted(element.frame)}
                    answer = ask_facts(element.frame, "parts", argument)
                    alike = Alike(
                        of=of,
                        size=len(numbers),
                        place=numbers.index(number) + 1,
                        parts=_shortened(answer["parts"], 1_000),
                    )
                    return Alike.model_validate(self.data.scrub_all(alike.model_dump()))
        return None

    def _likely(self, element: CheckedElement) -> Iterator[tuple[str, Sequence[int]]]:
        """Yield elements with which one may be mistaken, as words and numbers."""
        role, name, frame = element.role, squashed(element.name), element.frame
        alike = frame.get_by_role(role)  # type: ignore[arg-type]
        if name:
            alike = frame.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]
        yield self._called(element), self._visible(frame, alike)
        # An element without a role is identified only by its text.
        text = element.facts.text
        if 0 < len(text) <= _SHOWN:
            shown = frame.get_by_text(text, exact=True)
            yield f"text {quote(_cut(text, 60))}", self._visible(frame, shown)

    @staticmethod
    def _called(element: CheckedElement) -> str:
        name = squashed(element.name)
        return f"{element.role} {quote(_cut(name, 60))}" if name else element.role

    @staticmethod
    def _one_of(element: CheckedElement, numbers: Sequence[int]) -> int:
        """Return the number of the element, or of the control in its component; 0 if there is none."""
        argument = {"number": element.number, "numbers": list(numbers)}
        related = ask_facts(element.frame, "related", argument) if numbers else []
        if element.number in related:
            return element.number
        return int(related[0]) if len(related) == 1 else 0

    @staticmethod
    def _visible(frame: Frame, locator: Locator) -> list[int]:
        """Return the numbers of the visible elements that a locator finds."""
        return list(dom.ask(frame, locator, (), FRAME_TIMEOUT, verb="found", seen=True)["numbers"])

    def _around(self, element: CheckedElement) -> ElementSet | None:
        # The name of the set may be redacted.
        return None if self.data.redact.has_locators else set_around(element.node)

    def _position(self, element: CheckedElement) -> dict[str, Any]:
        """Return the position of an element in the set around it, as fields of a fact."""
        every = self._around(element)
        if every is None:
            return {}
        place, size = every.positions[0] + 1, len(every.members)
        position = f"no. {place} of {size} ({_cut(every.kind, 60)} in {_cut(every.container, 100)})"
        return {
            "position": self.data.scrub(position),
            "more": tuple(map(self.data.scrub, every.more)),
        }

    def _match(self, expected: str, text: str) -> str:
        """Return how a text shows what is expected, "" if nothing is."""
        if not expected or not text:
            return ""
        return "whole" if letters(self.fill(expected)) == letters(text) else "part"

    @staticmethod
    def _expected_words(check: Check) -> str:
        texts = check.expected_texts()
        return texts[0] if len(texts) == 1 else ""

    def _page_words(self, page: Page) -> str:
        """Return the number and address of a tab, "" for the one in front."""
        if page is self.tabs.current:
            return ""
        return f"tab {self.tabs.number_of(page)}, {page.url}"

    def target(
        self,
        element: CheckedElement,
        codes: Sequence[str],
        expected: Sequence[str] = (),
        *,
        by_name: bool = True,
    ) -> Target:
        """Return the target of an element, without its name if not `by_name`.

        It is known by none of the `expected` texts.
        """
        if isinstance(recorded := self.resolved.get(element.id), RecordedElement):
            return recorded.target
        if element.code:
            return Target(locators=recordable(codes, self.data))
        identity = dom.call(element.locator, "identity", timeout=FRAME_TIMEOUT)
        identity = without_secrets(identity, self.data)
        title = title_of(identity, self.sentence, expected=expected, every=True)
        by_name = (by_name or not identity["content"]) and not (title and title.itself)
        # A control is known by its role and name, what only shows something by where it stands.
        is_control = by_name and identity["control"]
        pinned = Address(containers=(title.container,) if title else ())
        known = remembered(identity, named=not is_control)
        marks = {"struck": "through"} if STRUCK in element.facts.states else {}
        known = known.model_copy(update={"marks": {**known.marks, **marks}})
        if is_control:
            own = plain_name(identity["name"], self.sentence, in_item=bool(title))
            pinned = pinned.model_copy(update={"role": identity["role"], "name": own})
        if not by_name or identity["content"]:
            known = known.model_copy(update={"name": None})
        return recordable_target(codes, pinned, known, self.data)

    def result(
        self,
        check: Check,
        about: str,
        actual: str = "",
        holds: bool = False,
        *,
        problem: str = "",
        frame: Frame | None = None,
        page: Page | None = None,
        **more: Any,
    ) -> CheckResult:
        """Return the result of a check."""
        scrub = self.data.scrub
        page = page or (frame.page if frame else self.tabs.current)
        return CheckResult(
            check=type(check).model_validate(self.data.scrub_all(check.model_dump())),
            about=scrub(about),
            expected=scrub(self.fill(check.describe())),
            actual=_cut(scrub(actual)),
            holds=holds,
            problem=scrub(problem),
            tab=self.tabs.number_of(page),
            frame=scrub(frame.url) if frame and frame.parent_frame else "",
            values=tuple(self.fill(text) for text in check.expected_texts()),
            **more,
        )

    # Finding elements

    def _find(self, element_id: str) -> CheckedElement:
        resolved = self.resolved.get(element_id)
        if resolved is None:
            return self._known(element_id)
        if isinstance(resolved, Locator):
            return self._resolved(element_id, resolved)
        return self._recalled(element_id, resolved)

    def _recalled(self, code: str, recorded: RecordedElement) -> CheckedElement:
        try:
            identity = recorded.look(whole=True, at_once=self.at_once)
        except Missing as error:
            raise LostError(f"{code} no longer finds the recorded element: {error}") from None
        locator = recorded.with_found(identity).locator
        frame, role = frame_of(locator, code), identity["role"] or "text"
        node = identity["document"], identity["number"]
        element = CheckedElement(code, frame, *node, locator, role, identity["name"], code)
        return self.described(element, identity["facts"])

    def _known(self, element_id: str) -> CheckedElement:
        known = self.observer.known.get(element_id)
        if known is None:
            raise UncheckableError(
                f"there is no element {element_id!r}",
                "cite ids from the outline, such as"
                f" {', '.join(list(self.observer.known)[-3:]) or 'text-0'}",
            )
        if known.frame.page not in self.tabs.pages.values():
            raise UncheckableError(f"{element_id} is in a closed tab", "cite elements of open tabs")
        element = known.element
        return CheckedElement(
            element_id, known.frame, known.document, known.number, known.locator,
            element.role, element.name,
        )  # fmt: skip

    def _resolved(self, code: str, locator: Locator) -> CheckedElement:
        """Return an element that a model resolved itself and cites by code."""
        if locator.page not in self.tabs.pages.values():
            raise UncheckableError(
                f"{code} is on the page of another user of this test",
                "cite an element in one of your own tabs",
            )
        [answer] = dom.ask(locator.page, locator, (), FRAME_TIMEOUT, dom.FACTS)
        if answer["count"] != 1:
            number = answer["count"]
            raise UncheckableError(
                f"{code} matches {number or 'no'} element{'s' * bool(number)}",
                "cite one by its id",
            )
        [found] = answer["elements"]
        # Its role and name as Playwright's locators know them.
        seen = next(iter(parse_snapshot(locator.aria_snapshot()).children), Node("generic"))
        role = "text" if seen.role in PLAIN else seen.role
        node = found["document"], found["number"]
        frame = frame_of(locator, code)
        element = CheckedElement(code, frame, *node, locator, role, seen.name, code)
        # Facts without what is redacted take further messages.
        redacts = self.data.redact.has_locators
        return element if redacts else self.described(element, found["facts"])

    def described(self, element: CheckedElement, answer: Any) -> CheckedElement:
        """Return the element with its facts, as `facts.js` reports them. Raises UncheckableError."""
        if answer is None:
            raise UncheckableError(
                f"{element.id} is no longer on the page", "cite an id from the newest outline"
            )
        facts = ElementFacts(**answer)
        if facts.field and not facts.name and squashed(element.name) == facts.placeholder:
            # Playwright names a field by its placeholder, which names nothing on the page.
            element = replace(element, name="")
        if element.frame.parent_frame:
            within = [*facts.within, *frames_around(element.frame)]
            shown = facts.shown and is_frame_visible(element.frame)
            facts = replace(facts, within=within, shown=shown)
        if facts.tag == "input" and facts.type in ("checkbox", "radio") and element.code:
            # A control drawn by its label has no role in a snapshot.
            element = replace(element, role=facts.type)
        if element.code and facts.plain:
            # The snapshot of an element without a role begins with its content.
            return replace(element, role="text", name="", facts=facts)
        return replace(element, facts=facts)


def address_element(
    element: CheckedElement,
    expected: Sequence[str] = (),
    *,
    data: Data,
    shown: str = "",
    sentence: str = "",
) -> tuple[Locator, tuple[str, ...]]:
    """Return a readable locator that finds exactly this element, and the codes of all, best first.

    The locators use none of a check's `expected` texts, because they would lose the element when
    these change, and nothing that `data` may redact. Only the last may be by the text `shown`, for
    an element that is recorded because it shows that. An item is known by what the `sentence` calls
    it. There is no code if there is no locator but the live node's.
    """
    if element.code:
        return element.locator, (element.code,)
    identity = dom.call(element.locator, "identity", timeout=FRAME_TIMEOUT)
    if shown and element.role in PLAIN and identity["inner"] != element.number:
        # A wrapper without a role may go; what it wraps stays.
        node = dom.node(element.frame, element.document, identity["inner"])
        element = replace(element, number=identity["inner"], locator=node)
        identity = dom.call(node, "identity", timeout=FRAME_TIMEOUT)
    text = squashed(element.facts.drawn or element.facts.text)
    if data.scrub(text) == text and not _has_number(text, data):
        identity["text"] = text
    title = title_of(identity, sentence, expected=expected, every=True)
    expected = (*expected, *cut_secrets(identity["name"], data))
    if data.scrub(shown) != shown:
        shown = ""
    if data.redact.has_locators:
        identity, title, shown = identity | BARE, None, ""
    role = "" if element.role in ("text", "element", "item", "card") else element.role
    name = element.name or element.facts.placeholder
    node, frame = element.locator, element.frame
    codes = locators_of(node, frame, identity, role, name, title, expected, shown=shown)
    return (locate(codes[0], frame.page) if codes else node), codes


def _has_number(text: str, data: Data) -> bool:
    """Return whether a text has a number of the data, for a part of which no placeholder can stand."""
    values = [value for value in data.shown.values() if value and re.search(r"\d", value)]
    return any(says(text, value) for value in values)


def _shortened(parts: Sequence[Mapping[str, str]], budget: int) -> tuple[Container, ...]:
    """Return containers with evenly shortened names."""
    names = evenly([part["name"] for part in parts], budget)
    if len(names) < len(parts):
        # Very long lists are abridged, so kinds and names would not correspond.
        return tuple(Container(kind=parts[0]["kind"], name=name) for name in names)
    return tuple(
        Container(kind=part["kind"], name=name) for part, name in zip(parts, names, strict=True)
    )


def first_line(error: Error) -> str:
    """Return a Playwright error on one line."""
    return without_log(error).splitlines()[0]


def _unless(text: str, other: str) -> str:
    """Return a text, "" if it is the same as another one."""
    return "" if text == other else text


def _cut(text: str, most: int = _SHOWN) -> str:
    text = squashed(text)
    return text if len(text) <= most else f"{text[:most]}…"
