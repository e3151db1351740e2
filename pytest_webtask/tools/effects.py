"""Effects of the actions of a step: what each element is to hold at the end, and what it holds."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar

from pytest_webtask.data.text import dates_in, numbers_in, squashed
from pytest_webtask.page import dom
from pytest_webtask.types.page import Target

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from pytest_webtask.page.activity import Activity
    from pytest_webtask.page.tabs import Tabs

_SHOWN = 200
"""The most characters of a field that an error quotes."""

# A file that a page has taken: its name, or a picture of it.
_TRACE = """names => {
  const all = [...document.querySelectorAll("*")];
  const texts = all.flatMap((e) => [e.shadowRoot?.textContent ?? "", ...[...e.attributes].map((a) => a.value), e.localName !== "input" ? "" : e.value]);
  const text = [document.body?.innerText ?? "", ...texts].join("\\n");
  return names.every((name) => text.includes(name)) || all.some((e) => /^(blob|data):/.test(e.currentSrc || e.src || ""));
}"""


@dataclass
class Effect:
    """The effect of one action on one element.

    `wanted` is what the element is to hold. `left` is what a model that saw it has accepted instead. `held` is
    what the element held when it was last watched, None if it is gone or holds nothing; `form` is how its
    text is compared, see `is_same_entry`.
    """

    wanted: Any
    target: Target | None = None
    left: Any = None
    hidden: bool = False
    held: Any = None
    node: tuple[str, int] = ("", 0)
    group: int | None = None
    form: str = ""
    is_read: bool = True
    began: float = field(default_factory=time.time)
    reader: str = "held"
    patience: ClassVar[float | None] = 0.0
    """Seconds that a page has to show it, None for as long as an element has to appear."""
    can_be_accepted: ClassVar[bool] = True
    """Whether a model may accept at once that the element holds something else, as menus do."""

    def fits(self, held: Any) -> bool:
        """Return whether the element holds what it is to hold."""
        return self._is_same(held) if self.left is None else bool(held == self.left)

    def _is_same(self, held: Any) -> bool:
        return bool(held == self.wanted)

    @property
    def may_be_meant(self) -> bool:
        """Whether a model that has seen it may accept something else at the end."""
        return not self.hidden

    def outcome(self, seen: Sequence[Any]) -> Any:
        """Return what the element holds instead, None if that is in order.

        `seen` is all that it held until the next click or key, which has effects of its own: a form is
        sent, a suggestion chosen. A page may take its time to show the effect, but not take it back.
        """
        begin = next((n for n, held in enumerate(seen) if self.fits(held)), len(seen) - 1)
        return next((held for held in seen[begin:] if not self.fits(held)), None)

    def explain(self, held: Any, scrub: Callable[[str], str]) -> str:
        """Return in words what the element holds instead of what it is to hold."""
        element = self.target.describe() if self.target else "the element"
        if self.hidden:
            return f"{element} holds something else than was entered"
        wanted = self.wanted if self.left is None else self.left
        return f"{element} {self._instead(held, wanted, scrub)}"

    def _instead(self, held: Any, wanted: Any, scrub: Callable[[str], str]) -> str:
        return f"holds {self._shown(held, scrub)}, not {self._shown(wanted, scrub)}"

    def _shown(self, held: Any, scrub: Callable[[str], str]) -> str:
        # Scrub before cutting: a piece of a secret would not be recognized.
        return repr(scrub(str(held))[:_SHOWN])

    def is_caused(self, _instead: Any, _page: Page, _later: Sequence[Effect]) -> bool:
        """Return whether another state is in order, given the effects of later actions."""
        return False


@dataclass
class TextEffect(Effect):
    """A field holds a text."""

    can_be_accepted = False

    def _is_same(self, held: Any) -> bool:
        return isinstance(held, str) and is_same_entry(self.wanted, held, self.form)


@dataclass
class OptionsEffect(Effect):
    """A select has these options chosen, each by its label and that of its group."""

    def _is_same(self, held: Any) -> bool:
        return {*map(tuple, held)} == {*map(tuple, self.wanted)}

    def _shown(self, held: Any, scrub: Callable[[str], str]) -> str:
        return ", ".join(repr(scrub(label)) for label, _ in held) or "nothing"


@dataclass
class StateEffect(Effect):
    """A box is checked, or not."""

    # A page may draw a box once more when its server has answered.
    patience = None

    def _instead(self, held: Any, _wanted: Any, _scrub: Callable[[str], str]) -> str:
        return "is checked now" if held else "is not checked now"

    def is_caused(self, instead: Any, _page: Page, later: Sequence[Effect]) -> bool:
        """Return whether it is a box for all, which has the state to which a later action has set a part of it."""
        return instead in [each.wanted for each in later if isinstance(each, StateEffect)]


@dataclass
class FilesEffect(Effect):
    """A field holds files, by their names."""

    def _instead(self, _held: Any, wanted: Any, _scrub: Callable[[str], str]) -> str:
        return (
            f"did not keep {', '.join(wanted)}: it is empty, and nothing on the page shows the file"
        )

    def is_caused(self, _instead: Any, page: Page, _later: Sequence[Effect]) -> bool:
        """Return whether the page has taken the files out of their field: it shows or has sent them."""
        from playwright.sync_api import Error

        if _activity_of(page).has_uploaded(self.began):
            return True
        with suppress(Error):
            return any(frame.evaluate(_TRACE, self.wanted) for frame in page.frames)
        return False


@dataclass
class PlaceEffect(Effect):
    """A dragged element is no longer where it was."""

    reader: str = "place"
    may_be_meant = False

    def _is_same(self, held: Any) -> bool:
        return bool(held != self.wanted)

    def _instead(self, _held: Any, _wanted: Any, _scrub: Callable[[str], str]) -> str:
        return "is where it was before the drag"


@dataclass
class Effects:
    """The effects of a step's actions so far, in their order.

    `wrong` is what was found wrong at the end of the step.
    """

    made: list[Effect] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    _known_problems: set[str] = field(default_factory=set)

    def keep(self, effect: Effect, locator: Locator) -> None:
        """Watch an element from now on.

        A later effect on an element, or on a radio button of its group, replaces an earlier one.
        """
        from playwright.sync_api import Error

        effect.held = None
        with suppress(Error):
            kept = dom.call(locator, "keep", {"as": effect.reader}, timeout=0.5)
            effect.held = kept["held"]
            self._watch(effect, kept)

    def take(self, effect: Effect, kept: Mapping[str, Any]) -> None:
        """Watch an element as the page does already; what it holds is read with a later answer."""
        effect.is_read = False
        self._watch(effect, kept)

    def _watch(self, effect: Effect, kept: Mapping[str, Any]) -> None:
        effect.node, effect.group = (kept["document"], kept["number"]), kept["group"]
        effect.form, effect.hidden = kept["form"], effect.hidden or kept["password"]
        self.drop(effect)
        if kept["held"] is not None:
            self.made.append(effect)

    def shows(self, effect: Effect, locator: Locator) -> bool:
        """Watch an element from now on; return whether it holds what it is to hold, or is gone.

        A text may also be spread over boxes that pass the focus on.
        """
        self.keep(effect, locator)
        if effect.held is None or effect.fits(effect.held):
            return True
        if isinstance(effect, TextEffect) and len(effect.held) < len(effect.wanted):
            effect.reader = "spread"
            self.keep(effect, locator)
        # What was accepted may come only when the field is left.
        return effect.left is not None or effect.fits(effect.held)

    def drop(self, effect: Effect) -> None:
        """Forget what earlier actions did to the element of an effect, and this effect."""
        document, _ = effect.node
        self.made = [
            each
            for each in self.made
            if each.node != effect.node
            and (effect.group is None or (each.node[0], each.group) != (document, effect.group))
        ]

    def of(self, document: str, number: int) -> Effect | None:
        """Return the effect on an element."""
        return next((each for each in self.made if each.node == (document, number)), None)

    def left_by(self, target: Target | None) -> Any:
        """Return what an element was accepted to hold that is not what was entered, else None."""
        return next((each.left for each in self.made if each.target == target), None)

    def is_moved(self, tabs: Tabs, effect: Effect) -> bool:
        """Return whether a dragged element is gone or elsewhere."""
        state = _activity_of(tabs.front).read_kept().get(effect.node)
        return state is None or effect.fits(state["now"])

    def settle(self, tabs: Tabs, scrub: Callable[[str], str]) -> str:
        """Compare what has just been entered with what the page has answered since; return what is wrong."""
        states = _activity_of(tabs.front).kept
        for each in [*self.made]:
            if each.is_read or each.node not in states:
                continue
            each.is_read = True
            # A key may have sent it meanwhile.
            if any(map(each.fits, states[each.node]["seen"])):
                continue
            if not self.shows(each, dom.node(tabs.front.main_frame, *each.node)):
                return each.explain(each.held, scrub)
            # The answer was from before the text was there.
            _activity_of(tabs.front).read_kept()
        return ""

    def check(self, tabs: Tabs, scrub: Callable[[str], str], *, accepts: bool = False) -> None:
        """Compare what elements hold with what they are to hold; what differs is `wrong` then.

        What was wrong once is accepted the next time if it `accepts`: a model has seen it.
        """
        self.wrong = []
        if problem := self.settle(tabs, scrub):
            self.wrong.append(problem)
            return
        states = {**_activity_of(tabs.front).kept}
        for page in {*tabs.pages.values()} - {tabs.front} if self.made else ():
            states |= _activity_of(page).read_kept()
        for each in self.made:
            # An element that is gone was sent or replaced.
            instead = each.outcome(states[each.node]["seen"]) if each.node in states else None
            later = self.made[self.made.index(each) + 1 :]
            if instead is None or each.is_caused(instead, tabs.front, later):
                continue
            problem = each.explain(instead, scrub)
            if accepts and problem in self._known_problems and each.may_be_meant:
                each.left = instead
            else:
                self._known_problems.add(problem)
                self.wrong.append(problem)


def _activity_of(page: Page) -> Activity:
    # The commands import this module, and no browser.
    from pytest_webtask.page.activity import activity_of

    return activity_of(page)


_AMOUNT = re.compile(
    r"[-−]?(?:\d{1,3}([.,'’ \u00a0\u202f])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d+)?"
    r"|(?:0|[1-9]\d*)?[.,]\d+|0|[1-9]\d*)"
)
"""A number as it is typed, unlike a code with zeros in front."""
_UNIT = re.compile(r"^[^\d.,(−-]+|[^\d.,)]+$")


def is_same_entry(typed: str, held: str, form: str = "") -> bool:
    """Return whether a field holds what was typed, perhaps in another notation.

    That is the same number or date, or else the same characters in their order, in capitals or not, between which
    a field may insert separators, as "(555) 123-4567" for "5551234567". In the `form` "rich" only white
    space may differ; in that of a "number" the browser knows which number is meant.
    """
    blank = r"\s" if form == "rich" else r"(?<=\d)\s+|\s+(?=\d)"
    one, two = (re.sub(blank, "", squashed(each).casefold()) for each in (typed, held))
    if form == "rich" or one in ("", two):
        return one == two
    if form == "number":
        with suppress(ValueError):
            return float(one) == float(two)
    if days := _days(typed):
        days_held = _days(held)
        if min(len(days), len(days_held)) > 1:
            # Each may be the third of April and the fourth of March: a page that swaps them has another day.
            first, second = (re.findall(r"[1-9]\d*", each) for each in (typed, held))
            return first == second
        return bool(days & days_held)
    amounts, others = _amounts(typed.strip()), _amounts(_UNIT.sub("", held))
    if amounts and others:
        # A test writes 1.500 for one and a half, and 1,500 for a thousand more than 500.
        pick = max if "," in typed else min
        return pick(amounts) in others
    # A character that is typed as well was added to the text, and separates nothing.
    separators = re.escape("".join({*" ()-./:\u200b"} - {*one}))
    return re.fullmatch("[ (]*" + f"[{separators}]*".join(map(re.escape, one)), two) is not None


def _days(text: str) -> frozenset[date]:
    dates = dates_in(text)
    is_date = len(dates) == 1 and dates[0][0] == text.strip()
    return dates[0][1] if is_date else frozenset()


def _amounts(text: str) -> frozenset[Decimal]:
    if not _AMOUNT.fullmatch(text):
        return frozenset()
    [number] = numbers_in(f"0{text}" if text[0] in ".," else text)
    return number.values
