"""What the page says to a check, and what every kind of check needs to ask it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Error, Frame, Locator, Page

from pytest_webtask.checks import kinds
from pytest_webtask.checks.finding import Cited, NotFound, address, ask, cited
from pytest_webtask.checks.states import CONTROLS
from pytest_webtask.checks.wording import says, squashed
from pytest_webtask.data import REDACTED, Data
from pytest_webtask.page import engine
from pytest_webtask.page.frames import FRAME_TIMEOUT, redacted_in
from pytest_webtask.page.observation import Observer
from pytest_webtask.page.recalled import Recalled, signed
from pytest_webtask.page.tabs import Tabs
from pytest_webtask.records import Checked, Signature, Target

__all__ = ["Answer", "Asking"]

_SHOWN = 300
_NEGATIVE = frozenset({"hidden"})


@dataclass(frozen=True)
class Answer:
    """What the page says to a check, with all that tells whether it carries a claim.

    `expects` are the texts that must be there for it to hold, `number` is a count that must be.
    `own` are the texts and names of what it is about, `beside` those of what stands right there,
    `labels` those that say what it is, `around` those of the parts of the page that hold it. `complete` says that it is about all of a
    kind, `first` and `last` that it is about the first or last of all, `items` are the nodes that it
    is about. `named` is the accessible name of each, which for a set found `by_name` is what makes
    it whole. `loose` says that a part of the element alone shows the text.
    """

    check: kinds.Check
    checked: Checked
    expects: Sequence[str] = ()
    number: int | None = None
    own: Sequence[str] = ()
    beside: Sequence[str] = ()
    around: Sequence[str] = ()
    labels: Sequence[str] = ()
    complete: bool = False
    first: bool = False
    last: bool = False
    items: Sequence[Cited] = ()
    named: str = ""
    by_name: bool = False
    loose: bool = False
    front: bool = True

    @property
    def holds(self) -> bool:
        """Whether the page says so."""
        return self.checked.holds

    @property
    def negative(self) -> bool:
        """Whether it holds where something is not there."""
        return self.check.kind == "absent" or (
            self.check.kind == "state" and self.check.state in _NEGATIVE
        )


@dataclass(frozen=True)
class Asking:
    """Asks the pages of a test.

    `resolved` are elements by the code that a model gives in place of ids; `crop` takes the picture
    of an element for a check by eye, None where none may be taken; `unasked` are frames that must
    not be told a secret; `at_once` says that elements of a recording are rather not there.
    """

    observer: Observer
    tabs: Tabs
    data: Data
    resolved: Mapping[str, Locator | Recalled] = field(default_factory=dict)
    crop: Callable[[Locator], Path | None] | None = None
    unasked: Callable[[], Collection[Frame]] = tuple
    at_once: bool = False

    def fill(self, text: str) -> str:
        """A text with the values of the data put in."""
        return self.data.fill(text)

    def cite(self, element_id: str) -> Cited:
        """The living element of that id. Raises NotFound."""
        return self.cite_all([element_id])[0]

    def cite_all(self, element_ids: Sequence[str]) -> list[Cited]:
        """The living elements of those ids. Raises NotFound."""
        pages = list(self.tabs.pages.values())
        return cited(self.observer, pages, element_ids, self.resolved, at_once=self.at_once)

    def seen(self, element_id: str) -> Cited:
        """The element of that id, which can be seen. Raises NotFound."""
        found = self.cite(element_id)
        if not found.facts.shown:
            raise NotFound(f"{element_id} cannot be seen")
        return found

    def address(self, found: Cited, said: Sequence[str] = ()) -> tuple[Locator, str]:
        """A readable locator of that very element, which tells nothing that is redacted."""
        return address(found, said, bare=self.data.redact.has_locators)

    def page(self, tab: int | None) -> Page:
        """The page of a tab, or the one in front. Raises NotFound."""
        if tab is None:
            return self.tabs.front
        if tab not in self.tabs.pages:
            raise NotFound(
                f"there is no tab {tab}; there are {', '.join(map(str, self.tabs.pages))}"
            )
        return self.tabs.pages[tab]

    @staticmethod
    def not_a_password(found: Cited) -> None:
        """Raise NotFound where the element is a password field."""
        if found.facts.password:
            raise NotFound(f"{found.id} is a password field: its value is told to nobody")

    def is_redacted(self, found: Cited) -> bool:
        """Whether what an element says, or a part of it, must not be told."""
        if not self.data.redact.has_locators:
            return False
        numbers = redacted_in(found.frame.page, self.data.redact).get(found.document, set())
        given = {"number": found.number, "numbers": sorted(numbers)}
        return bool(ask(found.frame, "related", given))

    def value_of(self, found: Cited) -> str:
        """What a field holds; of a choice, the label of its option."""
        held = found.facts.held
        if held is None:
            held = ask(found.frame, "value", {"number": found.number})
        return str(held or "")

    def about(
        self,
        check: kinds.Check,
        found: Cited,
        code: str,
        holds: bool,
        expected: str,
        actual: str,
        expects: Sequence[str] = (),
    ) -> Answer:
        """The answer to a check of one element."""
        facts = found.facts
        redacted = self.is_redacted(found)
        name = found.name or facts.name or facts.text
        role = found.role or facts.tag
        checked = self.checked(
            check,
            role if redacted else f'{role} "{squashed(name)[:80]}"{_place(found)}',
            expected,
            REDACTED if redacted else actual,
            holds,
            target=self.target(found, code, by_name=not says_itself(check)),
            frame=found.frame,
        )
        several = facts.composite and found.role not in CONTROLS
        # What is hidden in it says nothing, though its name may have it.
        said: Sequence[str] = (squashed(facts.drawn),)
        if facts.field:
            # The text of a choice is that of all its options.
            said = (found.name,)
        if several:
            # Of what holds several things, only a text of its own says something.
            said = [
                leaf for leaf in facts.leaves if any(says(leaf, text) for text in expects if text)
            ]
        return Answer(
            check,
            checked,
            # All that stands in a table is no statement about one thing in it.
            expects=expects if said else (),
            own=(*said, facts.name, found.name if found.role in CONTROLS else ""),
            beside=facts.besides,
            around=facts.around,
            labels=facts.labels,
            items=(found,),
            named=facts.name or (found.name if found.role in CONTROLS else ""),
        )

    def target(self, found: Cited, code: str, *, by_name: bool = True) -> Target:
        """How an element is found again; not `by_name` where a check is about what it says."""
        if isinstance(recalled := self.resolved.get(found.id), Recalled):
            return recalled.target
        if not code and not found.locator.count():
            return Target(locator="")
        try:
            who = engine.call(found.locator, "who", timeout=FRAME_TIMEOUT)
        except Error:
            return Target(locator=self.data.scrub(code))
        told = signed(who, named=by_name or not who["content"])
        if self.data.redact.has_locators:
            told = told.model_copy(update={"name": None, "key": None, "near": (), "attributes": {}})
        scrubbed = self.data.scrub_all(told.model_dump())
        return Target(locator=self.data.scrub(code), signature=Signature(**scrubbed))

    def checked(
        self,
        check: kinds.Check,
        about: str,
        expected: str,
        actual: str = "",
        holds: bool = False,
        *,
        problem: str = "",
        target: Target | None = None,
        frame: Frame | None = None,
        page: Page | None = None,
    ) -> Checked:
        """The record of a check."""
        scrub = self.data.scrub
        page = page or (frame.page if frame else self.tabs.current)
        return Checked(
            kind=check.kind,
            about=scrub(about),
            expected=scrub(self.fill(expected)),
            actual=_cut(scrub(actual)),
            holds=holds,
            problem=scrub(problem),
            arguments=self.data.scrub_all(check.model_dump(exclude={"kind"}, exclude_none=True)),
            target=target,
            tab=self.tabs.number_of(page),
            frame=scrub(frame.url) if frame and frame.parent_frame else "",
        )


def says_itself(check: kinds.Check) -> bool:
    """Whether a check is about what its element says, which for some is their name."""
    return check.kind in ("text", "matches", "visual", "value")


def _place(found: Cited) -> str:
    """Which of many cells it is, by the head of its column and the first of its row."""
    if found.role not in ("cell", "gridcell"):
        return ""
    own = squashed(found.facts.text)
    told = [text for text in found.facts.besides if text != own][:2]
    return f" ({', '.join(text[:30] for text in told)})" if told else ""


def _cut(text: str) -> str:
    text = squashed(text)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
