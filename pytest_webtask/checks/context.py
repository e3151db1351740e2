"""What checks are run with: the pages of a test, and the elements that a check is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Error, Frame, Locator, Page

from pytest_webtask.checks.base import (
    Alike,
    Check,
    CheckResult,
    Container,
    Fact,
    UncheckableError,
    evenly,
    shortened,
)
from pytest_webtask.checks.text import letters, squashed
from pytest_webtask.data import REDACTED, Data
from pytest_webtask.page import dom
from pytest_webtask.page.element_set import ElementSet, set_around
from pytest_webtask.page.frames import FRAME_TIMEOUT, as_json, redacted_in
from pytest_webtask.page.locator_codegen import BARE, address_of, cut_secrets, frame_code
from pytest_webtask.page.locator_parser import is_positional, locate, quote
from pytest_webtask.page.observer import Observer
from pytest_webtask.page.outline import GLYPHS, PLAIN
from pytest_webtask.page.recorded_element import Missing, RecordedElement, signed
from pytest_webtask.page.snapshot import Node, parse_snapshot
from pytest_webtask.page.tabs import Tabs
from pytest_webtask.types.agent import Signature, Target

__all__ = [
    "CheckContext",
    "CheckedElement",
    "ElementFacts",
    "LostError",
    "address_element",
    "ask_facts",
]

_SHOWN = 300
_NAMED = re.compile(r"\{([^\W\d]\w*)\}")
_OUTER_GLYPHS = re.compile(rf"^(\s|{GLYPHS.pattern})+|(\s|{GLYPHS.pattern})+$")
_CELLS = {"cell": "td,[role=cell]", "gridcell": "td,[role=gridcell]"}
_CELL_ROLES = frozenset(("cell", "gridcell", "rowheader"))


class LostError(UncheckableError):
    """The element of a recording is not where it was, or is another one."""


@dataclass(frozen=True)
class ElementFacts:
    """What an element says and where it stands, as `facts.js` tells.

    `text` is as a user reads it, `drawn` what of it can really be seen, `raw` without what style
    sheets do to capitals. A `composite` holds several things that say something of their own,
    `leaves` are their texts. `held` is what a field holds, None for what is no field and for
    passwords. The rest is what a `Fact` says.
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
    details: bool = False
    invalid: bool = False
    composite: bool = False
    leaves: Sequence[str] = ()
    drawn: str = ""
    placeholder: str = ""
    inert: bool = False
    box: Sequence[float] = ()
    plain: bool = False
    held: str | None = None
    states: Sequence[str] = ()
    label: str = ""
    column: str = ""
    row: str = ""
    heading: str = ""
    within: Sequence[Mapping[str, str]] = ()
    beside: Sequence[str] = ()
    author: Mapping[str, str] | None = None
    position: str = ""

    @property
    def content(self) -> str:
        """What it shows; of a field what it holds, where that is no secret and no mere state."""
        if not self.field:
            return squashed(self.drawn or self.text)
        if self.password or self.type in ("checkbox", "radio", "range"):
            return ""
        return squashed(self.held or "")


@dataclass(frozen=True)
class CheckedElement:
    """An element that a check is about: a node of a document in a frame of a tab."""

    id: str
    frame: Frame
    document: str
    number: int
    locator: Locator
    role: str = ""
    name: str = ""
    code: str = ""
    facts: ElementFacts = field(default_factory=lambda: ElementFacts(False))


def ask_facts(where: Frame | Locator, verb: str, argument: Any = None) -> Any:
    """Return the answer of one of the verbs of `facts.js`."""
    return dom.call(where, verb, argument, FRAME_TIMEOUT, dom.FACTS)


@dataclass(frozen=True)
class CheckContext:
    """Runs checks on the pages of a test.

    `resolved` are elements by the code that a model gives in place of ids; `crop` takes the picture
    of an element for a check by eye, None where none may be taken; `unasked` are frames that must
    not be told a secret; `at_once` says that elements of a recording are rather not there.
    """

    observer: Observer
    tabs: Tabs
    data: Data
    resolved: Mapping[str, Locator | RecordedElement] = field(default_factory=dict)
    crop: Callable[[Locator], Path | None] | None = None
    unasked: Callable[[], Collection[Frame]] = tuple
    at_once: bool = False

    def run(self, check: Check) -> CheckResult:
        """Run a check; one that cannot be run does not hold."""
        try:
            return check.run(self)
        except (UncheckableError, Error) as error:
            problem = str(error) if isinstance(error, UncheckableError) else first_line(error)
            cited = [getattr(check, name) for name in check.ids]
            about = ", ".join(
                each if isinstance(each, str) else ", ".join(each) for each in cited if each
            )
            made = self.result(check, about or "the page", problem=problem)
            return made.model_copy(update={"lost": isinstance(error, LostError)})

    def fill(self, text: str) -> str:
        """Return a text with the values of the data put in."""
        return self.data.fill(text)

    def fill_pattern(self, pattern: str) -> str:
        """Return a pattern with the values of the data put in, escaped."""
        values = self.data.values
        return _NAMED.sub(lambda m: re.escape(values[m[1]]) if m[1] in values else m[0], pattern)

    # Elements

    def cite(self, element_id: str) -> CheckedElement:
        """Return the living element of that id. Raises UncheckableError."""
        return self.cite_all([element_id])[0]

    def cite_all(self, element_ids: Sequence[str]) -> list[CheckedElement]:
        """Return the living elements of those ids, asked all at once. Raises UncheckableError."""
        found = [self._find(each) for each in element_ids]
        return found if all(one.facts.tag for one in found) else self.with_facts(found)

    def seen(self, element_id: str) -> CheckedElement:
        """Return the element of that id, which can be seen. Raises UncheckableError."""
        found = self.cite(element_id)
        if not found.facts.shown:
            raise UncheckableError(self._unseen(found))
        return found

    def _unseen(self, found: CheckedElement) -> str:
        """Return that an element cannot be seen, and what is there to be cited instead."""
        message = f"{found.id} cannot be seen"
        numbers = ask_facts(found.frame, "near", {"number": found.number})
        ids = self.observer.ids_of(found.document, numbers)
        if not found.facts.field or found.code or not ids:
            return message
        near = [
            f'{each} "{squashed(self.observer.known[each].element.name)[:40]}"' for each in ids[:3]
        ]
        instead = ", ".join(near)
        return f"{message}, and nothing is drawn for it: cite what shows it, such as {instead}"

    def with_facts(self, found: Sequence[CheckedElement]) -> list[CheckedElement]:
        """Return the same elements with what they say. Raises UncheckableError."""
        frames: dict[tuple[Frame, str], list[int]] = {}
        for one in found:
            frames.setdefault((one.frame, one.document), []).append(one.number)
        answers: dict[tuple[Frame, str, int], Any] = {}
        for (frame, document), numbers in frames.items():
            try:
                if ask_facts(frame, "which")["document"] == document:
                    listed = ask_facts(
                        frame, "facts", {"numbers": numbers, "redacted": self.redacted(frame)}
                    )
                    answers |= {
                        (frame, document, n): a for n, a in zip(numbers, listed, strict=True)
                    }
            except Error:
                continue
        return [
            self._with_facts(one, answers.get((one.frame, one.document, one.number)))
            for one in found
        ]

    def redacted(self, frame: Frame) -> dict[str, list[int]]:
        """Return the elements whose texts must not leave the page, by document."""
        if not self.data.redact.has_locators:
            return {}
        return as_json(redacted_in(frame.page, self.data.redact))

    def is_redacted(self, found: CheckedElement) -> bool:
        """Whether what an element says, or a part of it, must not be written anywhere."""
        if not self.data.redact.has_locators:
            return False
        numbers = self.redacted(found.frame).get(found.document, [])
        given = {"number": found.number, "numbers": numbers}
        return bool(ask_facts(found.frame, "related", given))

    def page(self, tab: int | None) -> Page:
        """Return the page of a tab, or the one in front. Raises UncheckableError."""
        if tab is None:
            return self.tabs.front
        if tab not in self.tabs.pages:
            known = ", ".join(map(str, self.tabs.pages))
            raise UncheckableError(f"there is no tab {tab}; there are {known}")
        return self.tabs.pages[tab]

    def address(self, found: CheckedElement, expected: Sequence[str] = ()) -> tuple[Locator, str]:
        """Return a readable locator of that very element, which holds nothing that is redacted."""
        return address_element(found, expected, data=self.data)

    def read(self, element_id: str) -> str:
        """Return what an element shows, or a field holds. Raises UncheckableError."""
        found = self.seen(element_id)
        self.refuse_password(found)
        return self.value_of(found) if found.facts.field else found.facts.text

    @staticmethod
    def refuse_password(found: CheckedElement) -> None:
        """Raise UncheckableError where the element is a password field."""
        if found.facts.password:
            raise UncheckableError(f"{found.id} is a password field, whose value is never read")

    @staticmethod
    def value_of(found: CheckedElement) -> str:
        """Return what a field holds; of a choice, the label of its option."""
        held = found.facts.held
        if held is None:
            held = ask_facts(found.frame, "value", {"number": found.number})
        return str(held or "")

    # Results

    def of_element(
        self,
        check: Check,
        found: CheckedElement,
        code: str,
        holds: bool,
        actual: str,
        *,
        match: str = "",
        **more: Any,
    ) -> CheckResult:
        """Return the result of a check of one element."""
        redacted = self.is_redacted(found)
        if redacted:
            more = {**more, "leaf": None, "whole": ()}
        name = squashed(found.name or found.facts.name or found.facts.text)[:80]
        role = found.role or found.facts.tag
        head = found.facts.column or found.facts.row if found.role in _CELL_ROLES else ""
        place = (
            f" ({', '.join(filter(None, (found.facts.column, found.facts.row)))[:60]})"
            if head
            else ""
        )
        fact = self.fact(check, found, match, redacted=redacted)
        if holds and not isinstance(self.resolved.get(found.id), RecordedElement):
            fact = fact.model_copy(update=self._position(found))
        return self.result(
            check,
            role if redacted else f'{role} "{name}"{place}',
            REDACTED if redacted else actual,
            holds,
            target=self.target(found, code, by_name=check.by_name),
            frame=found.frame,
            fact=fact,
            **more,
        )

    def fact(
        self, check: Check, found: CheckedElement, match: str = "", *, redacted: bool = False
    ) -> Fact:
        """Return what is established of one element."""
        facts = found.facts
        text = REDACTED if redacted and facts.content else facts.content
        expected = self._expected_words(check)
        if not match and expected and text:
            match = "whole" if letters(self.fill(expected)) == letters(text) else "part"
        label = "" if redacted else facts.label
        name = "" if redacted else squashed(facts.name or (found.name if not facts.plain else ""))
        if facts.select and not facts.name:
            # A name that is made of its options says nothing.
            name = ""
        # A replay looks for the text, so that nothing within it is left out.
        text = _OUTER_GLYPHS.sub("", text)
        name = squashed(GLYPHS.sub(" ", name))
        if match == "part" and text == squashed(self.fill(expected)):
            match = "whole"
        made = Fact(
            check=check.kind,
            expected=(expected if match != "comparison" else "") or check.describe(),
            match=match,
            element=found.role or facts.tag,
            name="" if name == text else name,
            text=shortened(text),
            characters=len(text) if len(text) > 500 else 0,
            states=tuple(facts.states),
            label="" if label == name else label,
            column=facts.column,
            row=facts.row,
            position=facts.position,
            heading=facts.heading,
            within=tuple(Container(**each) for each in facts.within),
            beside=tuple(facts.beside),
            author=dict(facts.author or {}),
            frame=found.frame.url if found.frame.parent_frame else "",
            page=self._page_words(found.frame.page),
        )
        return Fact.model_validate(self.data.scrub_all(made.model_dump()))

    def among(self, element_id: str) -> dict[str, Any]:
        """Return what a selected element could be taken for, as fields of a fact.

        These are the elements of its role and name on the page, and the set around it.
        """
        found = self.cite(element_id)
        alike, numbers = self._alike(found)
        every = self._around(found)
        if every is None:
            return {"alike": alike}
        # The names beside it are those of the set.
        alike = alike and alike.model_copy(update={"beside": ()})
        texts = self.data.scrub_all([squashed(text) for text in every.texts])
        said = {part.name for part in alike.parts} if alike else set()
        if set(every.members) == set(numbers) or said.issuperset(texts):
            return {"alike": alike}
        items = evenly(texts, 600) if len(set(texts)) > 1 else ()
        return {"size": len(every.members), "items": items, "alike": alike}

    def _alike(self, found: CheckedElement) -> tuple[Alike | None, Sequence[int]]:
        """Return the visible elements of the role and name of an element, and their numbers."""
        role, name, frame = found.role, squashed(found.name), found.frame
        if self.is_redacted(found):
            return None, ()
        try:
            of, others = role, self._visible(frame, frame.get_by_role(role))  # type: ignore[arg-type]
            numbers = others
            if name:
                named = frame.get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]
                of, numbers = self._called(found), self._visible(frame, named)
            number, text = self._one_of(found, numbers), found.facts.text
            if not number and 0 < len(text) <= _SHOWN:
                # What has no role is known by its text alone.
                of, others = f"text {quote(_cut(text, 60))}", []
                numbers = self._visible(frame, frame.get_by_text(text, exact=True))
                number = self._one_of(found, numbers)
            if not number:
                return None, ()
            given = {"numbers": numbers, "number": number, "others": others}
            answer = ask_facts(frame, "parts", given | {"redacted": self.redacted(frame)})
        except Error:
            return None, ()
        made = Alike(
            of=of,
            size=len(numbers),
            place=numbers.index(number) + 1,
            parts=_shortened(answer["parts"], 1_000),
            beside=evenly(answer["beside"], 300),
        )
        return Alike.model_validate(self.data.scrub_all(made.model_dump())), numbers

    @staticmethod
    def _called(found: CheckedElement) -> str:
        name = squashed(GLYPHS.sub(" ", found.name)) or found.facts.name
        return f"{found.role} {quote(_cut(name, 60))}" if name else found.role

    @staticmethod
    def _one_of(found: CheckedElement, numbers: Sequence[int]) -> int:
        """Return which of some elements is the element, or the control in its component; 0 for none."""
        given = {"number": found.number, "numbers": list(numbers)}
        related = ask_facts(found.frame, "related", given) if numbers else []
        if found.number in related:
            return found.number
        return int(related[0]) if len(related) == 1 else 0

    @staticmethod
    def _visible(frame: Frame, locator: Locator) -> list[int]:
        """Return the numbers of the visible elements that a locator finds."""
        if not locator.locator(dom.selector("keep", engine=dom.FACTS)).count():
            return []
        return [number for number, visible in ask_facts(frame, "kept") if visible]

    def _around(self, found: CheckedElement) -> ElementSet | None:
        if self.data.redact.has_locators:
            # What names the set may be redacted.
            return None
        with suppress(Error):
            return set_around((found.frame, found.document, found.number))
        return None

    def _position(self, found: CheckedElement) -> dict[str, Any]:
        """Return which of the set around it an element is, as fields of a fact."""
        every = self._around(found)
        if every is None:
            return {}
        place, size = every.positions[0] + 1, len(every.members)
        position = f"no. {place} of {size} ({_cut(every.kind, 60)} in {_cut(every.container, 100)})"
        return {
            "position": self.data.scrub(position),
            "more": tuple(map(self.data.scrub, every.more)),
        }

    @staticmethod
    def _expected_words(check: Check) -> str:
        texts = check.expected_texts()
        return texts[0] if len(texts) == 1 else ""

    def _page_words(self, page: Page) -> str:
        """Return another tab by its number and address; "" for the one in front."""
        if page is self.tabs.current:
            return ""
        return f"tab {self.tabs.number_of(page)}, {page.url}"

    def target(self, found: CheckedElement, code: str, *, by_name: bool = True) -> Target:
        """Return how an element is found again; not `by_name` where a check is about its text."""
        if isinstance(recalled := self.resolved.get(found.id), RecordedElement):
            return recalled.target
        if not code and not found.locator.count():
            return Target()
        try:
            who = dom.call(found.locator, "who", timeout=FRAME_TIMEOUT)
        except Error:
            return Target.of(self.data.scrub(code))
        signature = signed(who, named=by_name or not who["content"])
        signature = signature.model_copy(
            update={"label": found.facts.label, "column": found.facts.column}
        )
        if self.data.redact.has_locators:
            bare: dict[str, Any] = {
                "name": None,
                "key": None,
                "near": (),
                "attributes": {},
                "label": None,
            }
            signature = signature.model_copy(update=bare)
        scrubbed = self.data.scrub_all(signature.model_dump())
        return Target.of(self.data.scrub(code), Signature(**scrubbed))

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
        """Return the record of a check."""
        scrub = self.data.scrub
        page = page or (frame.page if frame else self.tabs.current)
        return CheckResult(
            check=Check.parse(self.data.scrub_all(check.model_dump())),
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
        if isinstance(resolved, RecordedElement):
            return self._recalled(element_id, resolved)
        return self._resolved(element_id, resolved)

    def _recalled(self, code: str, recalled: RecordedElement) -> CheckedElement:
        try:
            who = recalled.look(whole=True, at_once=self.at_once)
        except Missing as error:
            raise LostError(f"{code} is not what it was: {error}") from None
        locator = recalled.locator
        frame, role = frame_of(locator, code), who["role"] or "text"
        found = CheckedElement(
            code, frame, who["document"], who["number"], locator, role, who["name"], code
        )
        return self._with_facts(found, who["facts"])

    def _known(self, element_id: str) -> CheckedElement:
        known = self.observer.known.get(element_id)
        if known is None:
            raise UncheckableError(
                f"there is no element {element_id!r}; cite ids of the outline, such as"
                f" {', '.join(list(self.observer.known)[-3:]) or 'text-0'}"
            )
        if known.frame.page not in self.tabs.pages.values():
            raise UncheckableError(f"{element_id} is in a tab that is closed")
        element = known.element
        return CheckedElement(
            element_id, known.frame, known.document, known.number, known.locator,
            element.role, element.name,
        )  # fmt: skip

    def _resolved(self, code: str, locator: Locator) -> CheckedElement:
        """Return an element that a model has resolved itself: its code stands in place of an id."""
        if not locator.count():
            raise UncheckableError(f"{code} is not on the page")
        frame = locator.element_handle(timeout=FRAME_TIMEOUT * 1000).owner_frame()
        assert frame is not None, "an element is in a frame"
        if frame.page not in self.tabs.pages.values():
            raise UncheckableError(f"{code} is on a page that is no tab of this test")
        which = ask_facts(locator, "which")
        node = next(iter(parse_snapshot(locator.aria_snapshot()).children), Node("generic"))
        role = "text" if node.role in PLAIN else node.role
        return CheckedElement(
            code, frame, which["document"], which["number"], locator, role, node.name, code
        )

    def _with_facts(self, found: CheckedElement, answer: Any) -> CheckedElement:
        if answer is None:
            raise UncheckableError(f"{found.id} is no longer on the page")
        facts = ElementFacts(**answer)
        if facts.field and not facts.name and squashed(found.name) == facts.placeholder:
            # A hint is the name of a field that has no other; it names nothing that is there.
            found = replace(found, name="")
        if found.frame.parent_frame:
            facts = replace(facts, within=[*facts.within, *frames_around(found.frame)])
        if facts.tag == "input" and facts.type in ("checkbox", "radio") and found.code:
            # Drawn by its label it has no role in a snapshot.
            found = replace(found, role=facts.type)
        if found.code and facts.plain:
            # The snapshot of an element without a role begins with what stands in it.
            return replace(found, role="text", name="", facts=facts)
        return replace(found, facts=facts)


def frames_around(frame: Frame) -> list[dict[str, str]]:
    """Return the frames that a frame stands in as containers, from the inside."""
    found = []
    while frame.parent_frame:
        carrier = frame.frame_element()
        name = carrier.get_attribute("title") or carrier.get_attribute("aria-label") or ""
        foreign = (
            dom.call(frame, "whose")["origin"] != dom.call(frame.page.main_frame, "whose")["origin"]
        )
        found.append({"kind": "frame of another origin" if foreign else "frame", "name": name})
        frame = frame.parent_frame
    return found


def frame_of(locator: Locator, code: str) -> Frame:
    """Return the frame of a locator's element; `code` says whether it may be an inner one."""
    if "content_frame" not in code and "frame_locator" not in code:
        return locator.page.main_frame
    frame = locator.element_handle(timeout=FRAME_TIMEOUT * 1000).owner_frame()
    assert frame is not None, "an element is in a frame"
    return frame


def address_element(
    found: CheckedElement, expected: Sequence[str] = (), *, data: Data | None = None
) -> tuple[Locator, str]:
    """Return a readable locator that finds this very element and no other, and its code.

    `expected` are texts that the check expects: an element found by them would be another one as
    soon as it shows something else. Nothing around it is used that `data` may redact.
    The code is "" where only the live node can be named.
    """
    if found.code:
        return found.locator, found.code
    frame, prefix = found.frame, frame_code(found.frame)
    ways: list[tuple[Locator, str]] = []
    who = dom.call(found.locator, "who", timeout=FRAME_TIMEOUT)
    expected = (*expected, *(cut_secrets(who["name"], data) if data else ()))
    bare = data is not None and data.redact.has_locators
    if bare:
        who |= BARE
    role = "" if found.role in ("text", "element", "item", "card") else found.role
    code = address_of(found.locator, frame, who, role, found.name, expected)
    if code and not is_positional(code):
        return locate(code, frame.page), code
    if found.role in _CELLS and not bare:
        row = ask_facts(frame, "row", {"number": found.number, "css": _CELLS[found.role]})
        if row and row["at"] >= 0:
            kind: Literal["rowheader", "cell"] = "rowheader" if row["header"] else "cell"
            key = frame.get_by_role(kind, name=row["key"], exact=True)
            cells = frame.get_by_role("row").filter(has=key)
            locator = cells.get_by_role(found.role)  # type: ignore[arg-type]
            # What is in the row is in the same frame as the row.
            inner = f'get_by_role("{kind}", name={quote(row["key"])}, exact=True)'
            cell = (
                f'{prefix}get_by_role("row").filter(has={inner})'
                f'.get_by_role("{found.role}").nth({row["at"]})'
            )
            ways.append((locator.nth(row["at"]), cell))
    if code:
        ways.append((locate(code, frame.page), code))
    path = ask_facts(frame, "path", {"number": found.number})
    if path:
        outer = path.rpartition(" > ")[0]
        if role and outer:
            within = f"{prefix}locator({quote(outer)}).get_by_role({quote(role)})"
            ways.append((locate(within, frame.page), within))
        ways.append((frame.locator(path), f"{prefix}locator({quote(path)})"))
    for locator, code in ways:
        if _is(locator, found):
            return locator, code
    return found.locator, ""


def _shortened(parts: Sequence[Mapping[str, str]], budget: int) -> tuple[Container, ...]:
    """Return containers with evenly shortened names."""
    names = evenly([part["name"] for part in parts], budget)
    if len(names) < len(parts):
        # Of very many some are left out, whose kinds say nothing.
        return tuple(Container(kind=parts[0]["kind"], name=name) for name in names)
    return tuple(
        Container(kind=part["kind"], name=name) for part, name in zip(parts, names, strict=True)
    )


def first_line(error: Error) -> str:
    """Return a Playwright error on one line."""
    return str(error).partition("Call log:")[0].strip().splitlines()[0]


def _is(locator: Locator, found: CheckedElement) -> bool:
    try:
        # What matches nothing would be waited for.
        which = ask_facts(locator, "which") if locator.count() == 1 else None
    except Error:
        return False
    return bool(which == {"document": found.document, "number": found.number})


def _cut(text: str, most: int = _SHOWN) -> str:
    text = squashed(text)
    return text if len(text) <= most else f"{text[:most]}…"
