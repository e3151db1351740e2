"""Effects of the actions of a step: what each element is to hold at the end, and what it holds."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from pytest_webtask.checks.base import Check
from pytest_webtask.data.text import Number, dates_in, numbers_in, says, squashed
from pytest_webtask.page import dom
from pytest_webtask.types.page import Target

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from pytest_webtask.page.activity import Activity
    from pytest_webtask.page.tabs import Tabs

_SHOWN = 200
"""The most characters of a field that an error quotes."""
_TIME = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d))?\s*(?:([ap])\.?m\.?)?", re.IGNORECASE)

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

    `wanted` is what the element is to hold: a text, the labels and groups of options, a state, or the
    names of files; after a drag it is the place where the element was, and must not be again. `left` is
    what a model that saw it has accepted instead. `held` is what the element held when it was last
    watched, None if it is gone or holds nothing.
    """

    kind: Literal["text", "options", "state", "files", "place"]
    wanted: Any
    target: Target | None = None
    left: Any = None
    hidden: bool = False
    check: Check | None = None
    reader: str = "held"
    held: Any = None
    node: tuple[str, int] = ("", 0)
    group: int | None = None
    rich: bool = False
    is_read: bool = True
    began: float = field(default_factory=time.time)

    def fits(self, held: Any) -> bool:
        """Return whether the element holds what it is to hold."""
        if self.left is not None:
            return bool(held == self.left)
        if self.kind == "text":
            return isinstance(held, str) and is_same_entry(self.wanted, held, rich=self.rich)
        if self.kind == "options":
            return {*map(tuple, held)} == {*map(tuple, self.wanted)}
        return bool(held == self.wanted) != (self.kind == "place")

    def extends(self, held: Any) -> bool:
        """Return whether a text was completed, as by a suggestion that was clicked."""
        return self.kind == "text" and self.wanted.casefold() in held.casefold()

    def outcome(self, initial: Sequence[Any], seen: Sequence[tuple[str, Any, str]]) -> Any:
        """Return what the element holds instead, None if that is in order.

        `seen` is what it held at each press and each time the focus left it, before the page reacted to
        that, with the text of what was pressed, and what it holds now; a page may take its time to show the effect. What comes after a click or
        key may complete the text, or empty or reset the element: the form was sent, or a suggestion
        chosen. From then on it is no longer the effect of this action. Whatever else changes it is an
        error: the page itself, a choice in another field, or leaving this one.
        """
        begin = next((n for n, (_, held, _) in enumerate(seen) if self.fits(held)), len(seen) - 1)
        cause = pressed = ""
        for event, held, text in seen[begin:]:
            if not self.fits(held):
                reset = not held or held in initial or self.kind == "place"
                chosen = self.kind == "text" and says(pressed, held)
                is_caused = cause in ("down", "press") and (reset or chosen or self.extends(held))
                return None if is_caused else held
            cause, pressed = event, text
        return None

    def explain(self, held: Any, scrub: Callable[[str], str]) -> str:
        """Return in words what the element holds instead of what it is to hold.

        A text is scrubbed before it is cut, since a piece of a secret would not be recognized.
        """
        element = self.target.describe() if self.target else "the element"
        if self.kind == "state":
            return f"{element} is {'checked' if held else 'not checked'} now"
        if self.kind == "files":
            names = ", ".join(self.wanted)
            return f"the page did not keep {names}: its file field is empty, and nothing shows the file"
        if self.kind == "place":
            return f"{element} is where it was before the drag"
        if self.hidden:
            return f"{element} holds something else than was entered"
        wanted = self.wanted if self.left is None else self.left
        if self.kind == "options":
            return f"{element} has {_listed(held)} selected now, not {_listed(wanted)}"
        shown, meant = (repr(scrub(each)[:_SHOWN]) for each in (held, wanted))
        return f"{element} holds {shown}, not {meant}"


def _listed(options: Sequence[Sequence[str]]) -> str:
    return ", ".join(repr(label) for label, _ in options) or "nothing"


@dataclass
class Effects:
    """The effects of a step's actions so far, in their order.

    `wrong` is what was found wrong at the end of the step, `checks` those of what still holds.
    """

    made: list[Effect] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    _known_problems: set[str] = field(default_factory=set)

    def keep(self, effect: Effect, locator: Locator) -> Any:
        """Watch an element from now on; return what another, focused one holds, None if there is none.

        A later effect on an element, or on a radio button of its group, replaces an earlier one.
        """
        from playwright.sync_api import Error

        try:
            kept = dom.call(locator, "keep", {"as": effect.reader}, timeout=0.5)
        except Error:
            effect.held = None
            return None
        effect.node, effect.group = (kept["document"], kept["number"]), kept["group"]
        effect.held, effect.rich = kept["held"], kept["rich"]
        effect.hidden |= kept["password"]
        self.drop(effect)
        if effect.held is not None:
            self.made.append(effect)
        return kept["elsewhere"]

    def shows(self, effect: Effect, locator: Locator) -> bool:
        """Watch an element from now on; return whether it holds what it is to hold, or is gone.

        A text may also be spread over boxes that pass the focus on, or be in a field that took it.
        """
        elsewhere = self.keep(effect, locator)
        if effect.held is None or effect.fits(effect.held):
            return True
        if effect.kind == "text" and len(effect.held) < len(effect.wanted):
            effect.reader = "spread"
            self.keep(effect, locator)
        # What was accepted may come only when the field is left.
        if effect.left is not None or effect.fits(effect.held):
            return True
        texts = (elsewhere, effect.held + elsewhere) if isinstance(elsewhere, str) else ()
        is_elsewhere = effect.kind == "text" and any(map(effect.fits, texts))
        if is_elsewhere:
            self.drop(effect)
        return is_elsewhere

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
        return state is None or effect.fits(state["seen"][-1][1])

    def take(self, effect: Effect, kept: Mapping[str, Any]) -> None:
        """Watch an element as the page does already; what it holds is read with a later answer."""
        effect.node, effect.group = (kept["document"], kept["number"]), kept["group"]
        effect.rich, effect.hidden = kept["rich"], effect.hidden or kept["password"]
        effect.is_read = False
        self.drop(effect)
        self.made.append(effect)

    def settle(self, tabs: Tabs, scrub: Callable[[str], str]) -> str:
        """Compare what has just been entered with what the page has answered since; return what is wrong."""
        from playwright.sync_api import Error

        states = _activity_of(tabs.front).kept
        for each in [*self.made]:
            if each.is_read or each.node not in states:
                continue
            each.is_read = True
            # A key may have sent it meanwhile.
            if any(each.fits(held) for _, held, _ in states[each.node]["seen"]):
                continue
            locator = dom.node(tabs.front.main_frame, each.node[0], each.node[1])
            if self.shows(each, locator):
                continue
            # A script that rewrites each letter may leave a text that comes at once.
            with suppress(Error):
                locator.fill(each.wanted)
            if not self.shows(each, locator):
                return each.explain(each.held, scrub)
        return ""

    def check(self, tabs: Tabs, scrub: Callable[[str], str], *, accepts: bool = False) -> None:
        """Compare what elements hold with what they are to hold; what differs is `wrong` then.

        An element that is gone was sent or replaced, which is not known to be wrong. What was wrong
        once is accepted the next time if it `accepts`: a model has seen it.
        """
        self.wrong, self.checks = [], []
        if problem := self.settle(tabs, scrub):
            self.wrong.append(problem)
            return
        states = {**_activity_of(tabs.front).kept}
        for page in {*tabs.pages.values()} - {tabs.front} if self.made else ():
            states |= _activity_of(page).read_kept()
        for at, each in enumerate(self.made):
            if each.node not in states:
                continue
            state = states[each.node]
            instead = each.outcome(state["initial"], state["seen"])
            if instead is None:
                if each.check is not None and each.fits(state["seen"][-1][1]):
                    self.checks.append(each.check)
                continue
            if self._follows(at, instead) or (
                each.kind == "files" and _has_taken(tabs.front, each)
            ):
                continue
            problem = each.explain(instead, scrub)
            if (
                accepts
                and problem in self._known_problems
                and each.kind != "place"
                and not each.hidden
            ):
                each.left = instead
                continue
            self._known_problems.add(problem)
            self.wrong.append(problem)

    def _follows(self, at: int, state: Any) -> bool:
        """Return whether a box has the state to which a later action has set another: "all" and its parts."""
        later = (each for each in self.made[at + 1 :] if each.kind == "state")
        return self.made[at].kind == "state" and any(each.wanted == state for each in later)


def _activity_of(page: Page) -> Activity:
    # The commands import this module, and no browser.
    from pytest_webtask.page.activity import activity_of

    return activity_of(page)


def _has_taken(page: Page, effect: Effect) -> bool:
    """Return whether a page has taken files out of their field: it shows or has sent them."""
    from playwright.sync_api import Error

    if _activity_of(page).has_uploaded(effect.began):
        return True
    with suppress(Error):
        return any(frame.evaluate(_TRACE, effect.wanted) for frame in page.frames)
    return False


def is_same_entry(typed: str, held: str, *, rich: bool = False) -> bool:
    """Return whether a field holds what was typed, perhaps in another notation.

    That is the same number, date or time, or else the same characters in their order, in capitals or
    not, between which a field may insert separators, as "(555) 123-4567" for "5551234567". In a `rich`
    text only white space may differ.
    """
    blank = r"\s" if rich else r"(?<=\d)\s+|\s+(?=\d)"
    one, two = (re.sub(blank, "", squashed(each).casefold()) for each in (typed, held))
    if one == two or rich:
        return one == two
    if (number := _number(typed)) and (other := _number(held)):
        if len(number.values) == 2:
            # A test writes 1.500 for one and a half, and 1,500 for a thousand more than 500.
            number = replace(
                number, values=frozenset({(max if "," in typed else min)(number.values)})
            )
        return bool(number.values & other.values) and number.unit in ("", other.unit)
    for read in (_dates, _times):
        if values := read(typed):
            return bool(values & read(held))
    rest = iter(one)
    wanted = next(rest, None)
    for each in two:
        if each == wanted:
            wanted = next(rest, None)
        elif not typed or each.isalnum() or each in one:
            return False
    return wanted is None


_GROUPED = re.compile(r"\D*\d{1,3}(?P<by>[.,'’ ])\d{3}(?:(?P=by)\d{3})*(?:(?!(?P=by))[.,]\d+)?\D*")


def _number(text: str) -> Number | None:
    """Return the number that a text is, None for any other text, such as a code with zeros in front."""
    text = text.strip()
    numbers = numbers_in(f"0{text}" if text[:1] in (".", ",") else text)
    if len(numbers) != 1 or len(numbers[0].text) < len(text) or re.match(r"[-−]?0\d", text):
        return None
    is_plain = len(re.findall(r"[.,'’]", text)) < 2 or _GROUPED.fullmatch(text)
    return numbers[0] if is_plain else None


def _dates(text: str) -> frozenset[date]:
    dates = dates_in(text)
    return dates[0][1] if len(dates) == 1 and dates[0][0] == text.strip() else frozenset()


def _times(text: str) -> frozenset[tuple[int, int, int]]:
    match = _TIME.fullmatch(text.strip())
    if not match:
        return frozenset()
    hours, half = int(match[1]), (match[4] or "").lower()
    if half:
        hours = hours % 12 + 12 * (half == "p")
    return frozenset({(hours, int(match[2]), int(match[3] or 0))})
