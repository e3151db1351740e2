"""The context of checks: the pages of a test and the cited elements."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Frame, Locator, Page
from pydantic import Field

from pytest_webtask.checks.base import (
    Alike,
    Check,
    CheckResult,
    Fact,
    UncheckableError,
    abridged,
    evenly,
    match_of,
)
from pytest_webtask.data.phrases import counted, shortened, without_log
from pytest_webtask.data.text import squashed
from pytest_webtask.data.values import REDACTED, Data
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
    LocatedElement,
    cut_secrets,
    recordable,
    recordable_identity,
    recordable_target,
    title_of,
)
from pytest_webtask.page.locator_parser import quote
from pytest_webtask.page.observer import Observer
from pytest_webtask.page.outline import PLAIN
from pytest_webtask.page.recorded_element import Missing, RecordedElement, ask_together
from pytest_webtask.page.tabs import Tabs
from pytest_webtask.types.agent import EarlierStep
from pytest_webtask.types.page import Address, Container, Record, Target

FEW = 25
"""The number of members at either end of a large set whose facts a count needs."""
_SHOWN = 300
_BRIEF = 60
_ON_OFF = {
    "checked": "(on)", "pressed": "(on)", "partly checked": "(partly on)",
    "not pressed": "(off)", "not checked": "(off)",
}  # fmt: skip
_CELL_ROLES = frozenset(("cell", "gridcell", "rowheader"))


class LostError(UncheckableError):
    """A recorded element is missing or has changed its identity."""


class ElementFacts(Record):
    """The texts and surroundings of an element, as `facts.js` reports them.

    `text` is the text as a user reads it, `drawn` its visible part, `raw` the text before style
    sheets change capitals. A `composite` has several parts with texts of their own, the `leaves`.
    `unbuttoned` is the visible text of an element with buttons, without theirs.
    It is `emptied` if it has no area only because nothing is in it, and `redacted` if a part of it is. With `generated` style sheets add words, or the sign of a number, to `text`.
    `held` is the value of a field, an editor or a slider, "" for other elements and for passwords. The rest is as in a
    `Fact`.
    """

    shown: bool = False
    emptied: bool = False
    redacted: bool = False
    tag: str = ""
    type: str = ""
    field: bool = False
    password: bool = False
    editable: bool = False
    text: str = ""
    raw: str = ""
    name: str = ""
    composite: bool = False
    leaves: tuple[str, ...] = ()
    drawn: str = ""
    unbuttoned: str = ""
    generated: bool = False
    placeholder: str = ""
    box: tuple[float, ...] = ()
    plain: bool = False
    held: str = ""
    states: tuple[str, ...] = ()
    label: str = ""
    column: str = ""
    row: str = ""
    heading: str = ""
    headings: tuple[str, ...] = ()
    within: tuple[Container, ...] = ()
    beside: tuple[str, ...] = ()
    author: dict[str, str] = Field(default_factory=dict)

    @property
    def value(self) -> str:
        """Return the value of a field, for a choice the label of its option; the text of other elements."""
        return self.held if self.field else self.text

    @property
    def content(self) -> str:
        """Return the visible text; of a field its value, "" for a password, checkbox, radio or slider."""
        if not self.field:
            return squashed(self.drawn or self.text)
        if self.password or self.type in ("checkbox", "radio", "range"):
            return ""
        return squashed(self.held)

    @property
    def places(self) -> list[Container]:
        """What it stands in, from the inside out: its column, sections, and parts."""
        sections = [Container(kind="section", name=name) for name in self.headings]
        return [Container(kind="column", name=self.column), *sections, *self.within]

    @property
    def listed(self) -> str:
        """Return the text in the list of a set, of a control with its state: as `wordsOf` in `sets.js`."""
        on = next((word for state, word in _ON_OFF.items() if state in self.states), "")
        return squashed(f"{(on and self.name) or self.content or self.name} {on}")


@dataclass(frozen=True)
class CheckedElement:
    """An element that a check cites by `id`, or by the code of a locator: a node of a document in a frame."""

    id: str
    frame: Frame
    document: str
    number: int
    role: str = ""
    name: str = ""
    facts: ElementFacts = field(default_factory=ElementFacts)

    @property
    def locator(self) -> Locator:
        """The live element."""
        return dom.node(self.frame, self.document, self.number)

    @property
    def node(self) -> Member:
        """The element as sets know it."""
        return self.frame, self.document, self.number


def ask_facts(where: Frame | Locator, verb: str, argument: Any = None) -> Any:
    """Run a verb of `facts.js` and return its result."""
    return dom.call(where, verb, argument, FRAME_TIMEOUT, dom.FACTS)


@dataclass(frozen=True)
class CheckContext:
    """Runs checks on the pages of a test.

    `resolved` holds elements by the code that models cite in place of ids. `crop` takes a picture
    of an element for a check by eye, None if such checks are forbidden. Without `model_pictures` no model judges one. `unasked` returns the frames to
    which no secret may be sent, `earlier` are the earlier steps of the test. With `at_once`
    recorded elements are looked for by their names in the same message as by their locators. `sentence` is that of the step, with its data.
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
    model_pictures: bool = True

    def run(self, check: Check) -> CheckResult:
        """Run a check; if that is impossible, it does not hold and the result has the problem."""
        try:
            return check.run(self)
        except (UncheckableError, Error) as error:
            problem, about = str(error), ", ".join(map(self._called, check.cited)) or "the page"
            if isinstance(error, Error):
                problem = first_line(error)
            elif RecordedElement in map(type, self.resolved.values()):
                # A person who reads of a recorded check has nothing to cite.
                problem = error.problem
            lost = isinstance(error, LostError)
            return self.result(check, about, problem=self.data.scrub(problem), lost=lost)

    def _called(self, element_id: str) -> str:
        """Return what a message calls an element: a recorded one by its address, others by their id."""
        resolved = self.resolved.get(element_id)
        return resolved.target.describe() if isinstance(resolved, RecordedElement) else element_id

    def run_all(self, checks: Sequence[Check]) -> list[CheckResult]:
        """Run checks, whose recorded elements are asked for in one message."""
        cited = [*map(self.resolved.get, chain.from_iterable(check.cited for check in checks))]
        recorded = [each for each in cited if isinstance(each, RecordedElement)]
        ask_together(recorded, named=self.at_once)
        results = [*map(self.run, checks)]
        for each in recorded:
            each.asked.clear()
        return results

    ask = staticmethod(ask_facts)

    def fill(self, text: str) -> str:
        """Return a text with the values of the data filled in."""
        return self.data.fill(text)

    # Elements

    def cite(self, element_id: str) -> CheckedElement:
        """Return the live element with an id. Raises UncheckableError."""
        return self.cite_all([element_id])[0]

    def cite_all(self, ids: Sequence[str]) -> list[CheckedElement]:
        """Return the live elements with the ids, looked up in one batch. Raises UncheckableError."""
        elements = [*map(self._find, ids)]
        return elements if all(one.facts.tag for one in elements) else self.with_facts(elements)

    def cite_set(self, ids: Sequence[str]) -> list[CheckedElement]:
        """Return the live elements with the ids, or all that a locator finds which a model cites instead."""
        locator = self.resolved.get(next(iter(ids), ""))
        if len(ids) > 1 or not isinstance(locator, Locator):
            return self.cite_all(ids)
        frame = frame_of(locator.first, ids[0])
        given: dict[str, Any] = {"recorded": None, "redacted": self.redacted(frame), "few": FEW}
        found = dom.ask(frame, locator, (), FRAME_TIMEOUT, dom.FACTS, "members", **given)
        return self.members(ids[0], frame, found)

    def members(self, code: str, frame: Frame, found: Mapping[str, Any]) -> list[CheckedElement]:
        """Return the visible elements of a set that a locator finds, as checks know elements.

        Of a large set, those in the middle may have no facts.
        """
        elements = []
        for number, is_seen, facts in found["members"]:
            element = CheckedElement(code, frame, found["document"], number)
            if facts:
                # The title of a set is beside each of its members.
                facts["beside"] += filter(None, [found["title"]])
                elements.append(self._described(element, facts))
            elif is_seen:
                elements.append(replace(element, facts=ElementFacts(shown=True)))
        return elements

    def seen(self, element_id: str, *, emptied: bool = False) -> CheckedElement:
        """Return the visible element with an id, or one that is `emptied`. Raises UncheckableError."""
        element = self.cite(element_id)
        if not (element.facts.shown or (emptied and element.facts.emptied)):
            problem = f"{self._called(element_id)} cannot be seen"
            raise UncheckableError(problem, "cite a visible element")
        return element

    def with_facts(self, elements: Sequence[CheckedElement]) -> list[CheckedElement]:
        """Return the elements with their facts. Raises UncheckableError."""
        documents: dict[tuple[Frame, str], list[int]] = {}
        for one in elements:
            documents.setdefault((one.frame, one.document), []).append(one.number)
        answers: dict[Member, Any] = {}
        for (frame, document), numbers in documents.items():
            with suppress(Error):
                redacted = self.redacted(frame)
                argument = {"document": document, "numbers": numbers, "redacted": redacted}
                listed = ask_facts(frame, "facts", argument)
                answers |= {(frame, document, n): a for n, a in zip(numbers, listed, strict=True)}
        return [self._described(one, answers.get(one.node)) for one in elements]

    def visible(self, frame: Frame, of: Locator, role: str, **only: Any) -> list[CheckedElement]:
        """Return the elements `of` a locator that a user sees, or `only` those of them, without facts."""
        found = dom.ask(frame, of, (), FRAME_TIMEOUT, verb="found", seen=True, **only)
        return [CheckedElement("", frame, found["document"], n, role) for n in found["numbers"]]

    def redacted(self, frame: Frame) -> dict[str, list[int]]:
        """Return the elements whose texts are redacted, by document."""
        if not self.data.redact.has_locators:
            return {}
        return redacted_in(frame.page, self.data.redact)

    def page(self, tab: int | None) -> Page:
        """Return the page of a tab, by default the one in front. Raises UncheckableError."""
        if tab is None:
            return self.tabs.front
        if tab not in self.tabs.pages:
            known = ", ".join(map(str, self.tabs.pages))
            raise UncheckableError(f"there is no tab {tab}", f"use one of the open tabs {known}")
        return self.tabs.pages[tab]

    def readable(self, element_id: str) -> CheckedElement:
        """Return a visible element that is no password field. Raises UncheckableError."""
        element = self.seen(element_id)
        if element.facts.password:
            raise UncheckableError(
                f"{element.id} is a password field, whose value is never read",
                "use kind state instead",
            )
        return element

    def _find(self, element_id: str) -> CheckedElement:
        resolved = self.resolved.get(element_id)
        if isinstance(resolved, Locator):
            return self._identified(element_id, resolved, self._only(element_id, resolved))
        if resolved is not None:
            try:
                found = resolved.read()
            except Missing as error:
                raise LostError(f"{self._called(element_id)} was not found: {error}") from None
            return self._identified(element_id, resolved.with_found(found).locator, found)
        known = self.observer.known.get(element_id)
        if known is None:
            examples = ", ".join(list(self.observer.known)[-3:]) or "text-0"
            raise UncheckableError(
                f"there is no element {element_id!r}",
                f"cite ids from the outline, such as {examples}",
            )
        if known.frame.page not in self.tabs.pages.values():
            raise UncheckableError(f"{element_id} is in a closed tab", "cite elements of open tabs")
        role, name = known.element.role, known.element.name
        return CheckedElement(element_id, known.frame, known.document, known.number, role, name)

    def _only(self, code: str, locator: Locator) -> dict[str, Any]:
        """Return the description of the one element of a locator. Raises UncheckableError."""
        if locator.page not in self.tabs.pages.values():
            raise UncheckableError(
                f"{code} is on the page of another user of this test",
                "cite an element in one of your own tabs",
            )
        [answer] = dom.ask(locator.page, locator, (), FRAME_TIMEOUT, dom.FACTS)
        if answer["count"] != 1:
            found = counted(answer["count"], "element")
            raise UncheckableError(f"{code} matches {found}", "cite one by its id")
        return dict(answer["elements"][0])

    def _identified(self, code: str, locator: Locator, found: Mapping[str, Any]) -> CheckedElement:
        node = frame_of(locator, code), found["document"], found["number"]
        called = found["role"], found["name"]
        if found["role"] in ("", *PLAIN):
            # The name of an element without a role is its content.
            called = "text", ""
        element = CheckedElement(code, *node, *called)
        # Facts without what is redacted take further messages.
        redacts = self.data.redact.has_locators
        return element if redacts else self._described(element, found["facts"])

    def _described(self, element: CheckedElement, answer: Any) -> CheckedElement:
        """Return the element with its facts, as `facts.js` reports them. Raises UncheckableError."""
        if answer is None:
            raise UncheckableError(
                f"{element.id} is no longer on the page", "cite an id from the newest outline"
            )
        facts = ElementFacts(**answer)
        if element.frame.parent_frame:
            around = [Container(**each) for each in frames_around(element.frame)]
            update: dict[str, Any] = {"within": (*facts.within, *around)}
            if not is_frame_visible(element.frame):
                update |= {"shown": False, "emptied": False}
            facts = facts.model_copy(update=update)
        return replace(element, facts=facts)

    def located(
        self, element: CheckedElement, avoided: Sequence[str] = (), **how: Any
    ) -> tuple[tuple[str, ...], Target]:
        """Return the codes of locators of an element, and its target, as `located` does."""
        recorded = self.resolved.get(element.id)
        if recorded is None:
            return located(element, self.data, self.sentence, avoided, **how)
        if isinstance(recorded, RecordedElement):
            return (element.id,), recorded.target
        return (element.id,), Target(locators=recordable([element.id], self.data))

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
        noted: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> CheckResult:
        """Return the result of a check of one element; its locators are by none of the `avoided` texts.

        Only the last may be by the text `shown`, for which the element is recorded. Its fact has what is
        `noted` as well.
        """
        facts, role = element.facts, element.role or element.facts.tag
        name = squashed(element.name or facts.name or facts.text)[:80]
        heads = ", ".join(filter(None, (facts.column, facts.row)))
        place = f" ({heads[:60]})" if heads and role in _CELL_ROLES else ""
        about = f'{role} "{name}"{place}'
        fact = self.fact(check, element).model_copy(update=noted)
        if element.facts.redacted:
            about, actual, more = role, REDACTED, {**more, "leaf": False, "whole": ()}
            hidden = {
                "text": REDACTED,
                "characters": 0,
                "match": check.match,
                "name": "",
                "label": "",
            }
            fact = fact.model_copy(update=hidden)
        # What a model has resolved itself is shown to no referee.
        if holds and element.id not in self.resolved:
            fact = fact.model_copy(update=self._position(element))
        titles = [*avoided, *check.expected_texts()]
        is_state = check.aspect == "state"
        _, target = self.located(element, avoided, titles=titles, shown=shown, by_name=is_state)
        return self.result(
            check, about, actual, holds, target=target, frame=element.frame, fact=fact, **more
        )

    def fact(self, check: Check, element: CheckedElement) -> Fact:
        """Return the fact about one element, which lacks what is expected."""
        facts = element.facts
        text, match = facts.content, str(check.match)
        if text and check.expected_texts() and not match:
            match = match_of(self.fill(check.sought), text)
        name = squashed(facts.name)
        # Playwright takes the options of a choice for its name, and the hint of a field.
        if not (name or facts.field or facts.plain):
            name = squashed(element.name)
        return Fact(
            match=match,
            element=element.role or facts.tag,
            name=_unless(name, text),
            text=abridged(text),
            characters=len(text) if len(text) > 500 else 0,
            states=facts.states,
            label=_unless(facts.label, name),
            column=facts.column,
            row=_unless(facts.row, text),
            heading=facts.heading,
            # What an element shows is no name of the item around it.
            within=tuple(
                each.model_copy(update={"name": _unless(each.name, text)}) for each in facts.within
            ),
            beside=facts.beside,
            author=facts.author,
        )

    def among(self, element_id: str) -> dict[str, Any]:
        """Return the fields of a fact that tell a selected element from similar ones.

        These are the elements with its role and name on the page if there are several, else the set
        around it.
        """
        element = self.cite(element_id)
        alike = None if element.facts.redacted else self._alike(element)
        every = None if alike and alike.size > 1 else self._around(element)
        if every is None:
            return {"alike": alike}
        texts = self.data.scrub_all([*map(squashed, every.texts)])
        items = evenly(texts, 600) if len(set(texts)) > 1 else ()
        return {"size": len(every.members), "items": items, "alike": alike}

    def _alike(self, element: CheckedElement) -> Alike | None:
        """Return the visible elements with which one may be mistaken, None if it is not one of them."""
        frame = element.frame
        of, locator = _likely(element)
        with suppress(Error):
            numbers = [each.number for each in self.visible(frame, locator, "")]
            if element.number in numbers:
                argument = {"numbers": numbers, "redacted": self.redacted(frame)}
                parts = [Container(**each) for each in ask_facts(frame, "parts", argument)["parts"]]
                names = evenly([each.name for each in parts], 1_000)
                named = zip(parts, names, strict=False)
                alike = Alike(
                    of=of,
                    size=len(numbers),
                    place=numbers.index(element.number) + 1,
                    parts=tuple(part.model_copy(update={"name": name}) for part, name in named),
                )
                return Alike.model_validate(self.data.scrub_all(alike.model_dump()))
        return None

    def _around(self, element: CheckedElement) -> ElementSet | None:
        # The name of the set may be redacted.
        return None if self.data.redact.has_locators else set_around(element.node)

    def _position(self, element: CheckedElement) -> dict[str, Any]:
        every = self._around(element)
        if every is None:
            return {}
        place, size = every.positions[0] + 1, len(every.members)
        around = f"{shortened(every.kind, _BRIEF)} in {shortened(every.container, 100)}"
        return {"position": f"no. {place} of {size} ({around})", "more": every.more}

    def result(
        self,
        check: Check,
        about: str,
        actual: str = "",
        holds: bool = False,
        *,
        frame: Frame | None = None,
        page: Page | None = None,
        fact: Fact | None = None,
        **more: Any,
    ) -> CheckResult:
        """Return the result of a check; its fact has the kind and what is expected, if that is not given."""
        scrub = self.data.scrub
        page = page or (frame.page if frame else self.tabs.current)
        inside = frame.url if frame and frame.parent_frame else ""
        tab = self.tabs.number_of(page)
        if fact is not None:
            named = {"check": check.kind, "expected": check.sought, "frame": inside}
            if page is not self.tabs.current:
                named["page"] = f"tab {tab}, {page.url}"
            named |= fact.as_json()
            fact = Fact.model_validate(self.data.scrub_all(named))
        return CheckResult(
            check=type(check).model_validate(self.data.scrub_all(check.model_dump())),
            about=scrub(about),
            expected=scrub(self.fill(check.describe())),
            actual=shortened(squashed(scrub(actual)), _SHOWN),
            holds=holds,
            tab=tab,
            frame=scrub(inside),
            values=tuple(map(self.fill, check.expected_texts())),
            fact=fact,
            **more,
        )


def located(
    element: CheckedElement,
    data: Data,
    sentence: str = "",
    avoided: Sequence[str] = (),
    *,
    titles: Sequence[str] = (),
    shown: str = "",
    by_name: bool = True,
) -> tuple[tuple[str, ...], Target]:
    """Return the codes of locators that find exactly this element, best first, and its target.

    The locators use none of the `avoided` texts, because they would lose the element when these
    change, and nothing that `data` may redact. Only the last may be by the text `shown`, for an
    element that is recorded because it shows that. An item is known by what the `sentence` calls it,
    and by none of the `titles` that are expected of it. There is no code if there is no locator but
    the live node's. The target has the name of a control only if `by_name`.
    """
    identity = dom.call(element.locator, "identity", timeout=FRAME_TIMEOUT)
    if shown and element.role in PLAIN and identity["inner"] != element.number:
        # A wrapper without a role may go; what it wraps stays.
        element = replace(element, number=identity["inner"])
        identity = dom.call(element.locator, "identity", timeout=FRAME_TIMEOUT)
    identity = recordable_identity(identity, data)
    title = title_of(identity, sentence, expected=titles, every=True)
    called = element.role, element.name or element.facts.placeholder
    avoided = (*avoided, *cut_secrets(identity["name"], data))
    by_name = (by_name or not identity["content"]) and not (title and title.itself)
    # A control is known by its role and name, what only shows something by where it stands.
    is_control = by_name and identity["control"]
    pinned = Address(containers=(title.container,) if title else ())
    known = remembered(identity, named=not is_control)
    if STRUCK in element.facts.states:
        known = known.model_copy(update={"marks": {**known.marks, "struck": "through"}})
    if is_control:
        own = plain_name(identity["name"], sentence, in_item=bool(title))
        pinned = pinned.model_copy(update={"role": identity["role"], "name": own})
    if not by_name or identity["content"]:
        known = known.model_copy(update={"name": None})
    is_hidden = data.redact.has_locators or data.scrub(shown) != shown
    of = LocatedElement(element.locator, element.frame, identity, called, title, avoided)
    codes = of.locators("" if is_hidden else shown)
    return codes, recordable_target(codes, pinned, known, data)


def _likely(element: CheckedElement) -> tuple[str, Locator]:
    """Return the elements of the same role and name, of texts those with the same text, in words and as a locator."""
    role: Any = element.role
    name, text, frame = squashed(element.name), element.facts.text, element.frame
    if role in PLAIN and 0 < len(text) <= _SHOWN:
        return f"text {quote(shortened(text, _BRIEF))}", frame.get_by_text(text, exact=True)
    if not name:
        return role, frame.get_by_role(role)
    return f"{role} {quote(shortened(name, _BRIEF))}", frame.get_by_role(
        role, name=name, exact=True
    )


def first_line(error: Error) -> str:
    """Return a Playwright error on one line."""
    return without_log(error).splitlines()[0]


def _unless(text: str, other: str) -> str:
    return "" if text == other else text
