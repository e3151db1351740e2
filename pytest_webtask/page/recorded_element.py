"""Recorded elements: checked against their recorded identity, and located again after a move."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Literal, NoReturn

from playwright.sync_api import Error, Locator, Page

from pytest_webtask.data.phrases import IF_RIGHT, raise_limit
from pytest_webtask.data.text import decorated, squashed
from pytest_webtask.page import dom
from pytest_webtask.page.activity import CAP, VAIN, Look, activity_of, is_gone
from pytest_webtask.page.frames import FRAME_TIMEOUT
from pytest_webtask.page.identity import (
    Found,
    closest,
    disagreement,
    has_this_name,
    likeness,
    without_numbers,
)
from pytest_webtask.page.locator_parser import (
    frame_prefix,
    is_bare,
    is_positional,
    locate,
    named_code,
    parse_locator,
    quote,
)
from pytest_webtask.page.step_time import POLL, Deadline
from pytest_webtask.types.page import Target

_AT_ONCE = 0.25
"""Minimum time for one query, in seconds, even if less is left."""
_BUSY = 30.0
"""Time for one query of a page that is too busy to answer, in seconds."""

_CLOSED = "the page was closed"
_NO_MATCH = "no element matches"


Lack = Literal["element", "likeness", "result", "effect", "page", "data", "file"]
"""What does not fit a recording: an element that is not as recorded, with `likeness` nor anything like it; what a check
expects; the effect of an action; a page that is closed or never at rest; data of the test; the recording itself."""


class Missing(Exception):
    """A recorded element is missing; the message describes what was matched instead.

    `details` are further lines for a person. `remedy` goes before "record it again", "" if recording
    the step again cannot help. `lack` says what does not fit the recording. `candidates` are the
    elements that are the closest to it.
    """

    def __init__(
        self,
        problem: str,
        details: Sequence[str] = (),
        lack: Lack = "element",
        candidates: Sequence[Locator] = (),
        *,
        remedy: str = IF_RIGHT,
    ) -> None:
        super().__init__(problem)
        self.details = tuple(details)
        self.remedy = remedy
        self.lack = lack
        self.candidates = candidates


@dataclass(frozen=True)
class RecordedElement:
    """A recorded element, or all elements of a set, with placeholders filled in.

    `codes` are its locators, best first, all in the same frame. `found` is the engine's latest
    description of the element, None before the first query. With `is_secret` a secret is typed into
    it, so that it must be the kind of field that it was. If it `keeps`, the page keeps an eye on what the
    element holds from then on. What is `expected` of it finds it where nothing stands in its place any
    more. `on_found` is called with each description.
    """

    page: Page
    codes: tuple[str, ...]
    target: Target
    found: dict[str, Any] | None = field(default=None, compare=False)
    is_secret: bool = field(default=False, compare=False)
    keeps: bool = field(default=False, compare=False)
    expected: str = field(default="", compare=False)
    on_found: Callable[[Mapping[str, Any]], None] = field(default=lambda _: None, compare=False)
    asked: list[dict[str, Any]] = field(default_factory=list, compare=False)
    """What its locators were answered together with those of others."""

    def locator_of(self, way: int) -> Locator:
        """Return the locator of one of the codes."""
        return locate(self.codes[way], self.page)

    @property
    def locator(self) -> Locator:
        """The locator that found the element, the best one before the first query."""
        if self.found is None:
            return self.locator_of(0)
        if (way := self.found["way"]) is not None:
            return self.locator_of(way)
        # Several elements match each locator, and one of them is the recorded one.
        number = f"{self.found['document']}:{self.found['number']}"
        return locate(f'{self._prefix}locator("{dom.NAME}=node:{number}")', self.page)

    def with_found(self, found: dict[str, Any]) -> RecordedElement:
        """Return the element with its description, and so with the locator that found it."""
        return replace(self, found=found)

    @property
    def _prefix(self) -> str:
        return frame_prefix(self.codes[0])

    @property
    def twins(self) -> int:
        """The number of equal elements, this one included, that only their positions told apart; or 0."""
        return int(self.target.pinned.place.partition(" of ")[2] or 0)

    def look(
        self, timeout: float = 0.0, *, busy_timeout: float = 0.0, fills: bool = False
    ) -> dict[str, Any]:
        """Wait for the element to be there, and return the engine's description of it for an action.

        All locators are asked in one message; `way` is the index of the one that found the element,
        None if each finds others, too. Raises Missing after `timeout` seconds, or after `busy_timeout`
        if that is longer and the page loads or awaits answers until then, and after a quarter of a
        second at the earliest. The action begins once the page is at
        rest, unless its element has come since the action before, or was loaded and is none that it `fills`.
        """
        longest = max(timeout, busy_timeout)
        began, deadline, limit, cap = (
            Deadline.clock(), Deadline(timeout), Deadline(longest), Deadline(CAP),
        )  # fmt: skip
        activity = activity_of(self.page)
        met, waits = 0.0, ""
        while True:
            if not self.asked:
                activity.ask_along()
            match, wrong = self._find(deadline, whole=False)
            look = activity.look()
            if match is not None:
                met = met or Deadline.clock()
                # Answers that a new page waits for may still fill in its fields.
                is_ready = not look.reason or (look.over and not fills) or cap.is_over
                if is_ready or activity.has_come(match["added"]):
                    if Deadline.clock() - met > VAIN:
                        # What was awaited did not bring the element.
                        activity.give_up(look)
                    activity.note_wait(Deadline.clock() - began, waits or look.reason)
                    self.on_found(match)
                    return match
            elif (deadline if not look.is_busy else limit).is_over:
                self._fail(wrong, longest if look.is_busy else timeout)
            waits = look.reason
            self._wait(look, limit, POLL if match is None else look.pause)

    def read(self) -> dict[str, Any]:
        """Return the engine's description of the element as it is now, with its `facts`. Raises Missing."""
        match, wrong = self._find(Deadline(0.0), whole=True)
        if match is None:
            raise Missing(wrong)
        self.on_found(match)
        return match

    def _fail(self, wrong: str, seconds: float) -> NoReturn:
        """Raise Missing after some seconds, with what the page was busy with."""
        activity = activity_of(self.page)
        look = activity.look()
        if look.is_busy:
            activity.give_up(look)
        if seconds < _AT_ONCE:
            raise Missing(wrong)
        waited = f"{seconds:.1f}".removesuffix(".0")
        what = f"{wrong} (after {waited} s)"
        if look.is_busy:
            raised = raise_limit("--webtask-timeout")
            advice = f"check the server, or {raised} (now {waited}); {IF_RIGHT}"
            raise Missing(f"{what}; the page {look.reason}", remedy=advice, lack="page")
        raise Missing(what)

    def _wait(self, look: Look, limit: Deadline, seconds: float) -> None:
        """Let the page go on, until something happens or for some seconds. Raises Missing if it is closed."""
        try:
            # Answers come without a question.
            if look.waits:
                activity_of(self.page).pass_time(limit.left)
            else:
                limit.pause(self.page, seconds, over=True)
        except Error:
            raise Missing(_CLOSED, remedy="", lack="page") from None

    def _find(self, deadline: Deadline, *, whole: bool) -> tuple[dict[str, Any] | None, str]:
        """Return the element that is meant, or None and what is wrong.

        An error of the browser is something wrong with one element.
        """
        timeout = max(deadline.left, _AT_ONCE if self._prefix else _BUSY)
        own = len(self._own)
        answers, named = self.asked[:own], self.asked[own:]
        self.asked.clear()
        try:
            if own and not answers:
                keeps = [*range(own)] if self.keeps and not self._prefix else []
                answers = _ask(self.page, self.codes, timeout, whole=whole, keeps=keeps)
            match, wrong = self._match(answers)
            if match is None or not self._is_settled(match):
                # On a large page each locator by a name takes long.
                if self._named and not named:
                    named = _ask(self.page, self._named, timeout, whole=whole)
                answers += named
                match, wrong = self._match(answers)
        except Error as error:
            return None, _reason(error, self.page)
        return match, wrong

    @property
    def _own(self) -> tuple[str, ...]:
        """The recorded locators; of equal elements each finds one only by its position."""
        return () if self.twins else self.codes

    def _is_settled(self, found: Found) -> bool:
        """Return whether an element stands where the recorded one stood, so that no other is looked for."""
        if self.target.pinned.name is not None or not self.expected:
            return True
        by = [code for way, code in enumerate(self.codes) if way in found["ways"]]
        is_placed = all(_rank(code, self._has_rank) == _BY_PLACE for code in by)
        return not is_placed and likeness(self.target, found) >= _STANDS

    @property
    def _has_rank(self) -> bool:
        return "rank" in self.target.known.marks

    def _match(self, answers: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any] | None, str]:
        """Return the element that is meant, or None and what is wrong.

        Its `ways` are the indexes of the locators that found it, and `ranks` what these say of it.
        """
        candidates: dict[tuple[str, int], dict[str, Any]] = {}
        fits: list[dict[str, Any]] = []
        counts: list[str] = []
        problems: list[str] = []
        ways = zip((*self._own, *self._named), answers, strict=False)
        for way, (code, answer) in enumerate(ways):
            number, elements = answer["count"], answer["elements"]
            # A text and a wrapper around it count as one element.
            is_alone = len(elements) == 1 and number <= DESCRIBED
            if not is_alone:
                counts.append(f"{number} elements match" if number else _NO_MATCH)
            for each in elements:
                new = {**each, "way": None, "ways": set(), "ranks": set()}
                candidate = candidates.setdefault((each["document"], each["number"]), new)
                candidate["ranks"].add(_rank(code, self._has_rank) if is_alone else _BY_MARKS)
                candidate["ways"].add(way)
                if number == 1 and way < len(self.codes) and candidate["way"] is None:
                    candidate["way"] = way
        for candidate in candidates.values():
            problem = disagreement(self.target, candidate, is_secret=self.is_secret)
            if problem := problem or self._in_another_frame(candidate):
                problems.append(problem)
            else:
                fits.append(candidate)
        chosen, wrong = self._chosen(fits)
        return chosen, wrong or [*problems, *counts, _NO_MATCH][0]

    def _in_another_frame(self, actual: Found) -> str:
        """Return how the frame differs from the recorded one, if only its position tells it from others."""
        was, now = self.target.known.marks.get("frame"), actual["marks"].get("frame")
        if not was or was == now or not is_positional(f'{self._prefix}locator("body")'):
            return ""
        return f"its frame now shows {now!r}, no longer {was!r}"

    def _chosen(self, fits: Sequence[dict[str, Any]]) -> tuple[dict[str, Any] | None, str]:
        """Return the one of the elements that agree which is meant, or None and why none is."""
        if self.twins:
            place = int(self.target.pinned.place.partition(" of ")[0])
            if len(fits) == self.twins:
                return fits[place - 1], ""
            differed = f"{self.twins} equal elements differed only in their positions"
            return None, f"{differed}, and now there are {len(fits)}"
        if self.target.pinned.name:
            named = [each for each in fits if has_this_name(self.target, each)]
            return closest(self.target, named or fits)
        # What stands where the element stood, before what only shows the same or is in the same position.
        doubtful, wrong = None, ""
        for rank in (_BY_MARKS, _BY_TEXT, _BY_PLACE):
            chosen, problem = closest(self.target, [e for e in fits if rank in e["ranks"]])
            wrong = wrong or problem
            if chosen and (rank == _BY_TEXT or likeness(self.target, chosen) >= _STANDS):
                return chosen, ""
            doubtful = doubtful or chosen
        return doubtful, wrong

    @property
    def _named(self) -> tuple[str, ...]:
        """The code of a locator of elements with the recorded name in signs or with a count, or as their text.

        For evidence it is what is expected.
        """
        role, name = self.target.pinned.role, squashed(self.target.pinned.name or "")
        # Of what is called by the glyph of an icon nothing else has the name.
        if not role or not name:
            return (self._prefix + self.expected,) if self.expected else ()
        if self.twins:
            return (named_code(self._prefix, role, self.target.pinned.name or ""),)
        pattern = f"(?:{decorated(name)})|(?:{decorated(name, badge=True)})"
        if "#" in name:
            pattern = re.escape(without_numbers(name)).replace(r"\#", r"\w*\d\w*")
        called = f"re.compile({quote(pattern)}, re.I)"
        box = f"{self._prefix}get_by_role({quote(role)}"
        return (f"{box}, name={called}).or_({box}).filter(has_text={called}))",)

    def members(
        self, redacted: Mapping[str, Sequence[int]], setting: Mapping[str, Any] | None, few: int = 0
    ) -> dict[str, Any]:
        """Return the `members` of a set: the number of each, whether it is shown, and the facts if so.

        With `few` only so many at either end have facts. They are of the first locator that finds them in the recorded `setting`: `way` is its index, and
        `title` that of the set; if there is none, it is None, and `problem` says what is there instead.
        `redacted` are the elements whose texts are redacted, by document. Raises Error.
        """
        # The facts of many members take long; a frame that is missing must not.
        timeout = FRAME_TIMEOUT if self._prefix else _BUSY
        more = {"redacted": redacted, "recorded": setting, "few": few}
        return dict(_ask(self.page, self.codes, timeout, whole=True, verb="members", **more))


def _ask(page: Page, codes: Sequence[str], timeout: float, *, whole: bool, **more: Any) -> Any:
    """Return what each of some locators finds, which are in one frame, with facts if `whole`."""
    prefix = frame_prefix(codes[0])
    inner = [locate(code.replace(prefix, ""), page) for code in codes[1:]]
    engine = dom.FACTS if whole else dom.NAME
    along = None if prefix else activity_of(page)
    return dom.ask(page, locate(codes[0], page), inner, timeout, engine, along=along, **more)


def ask_together(elements: Sequence[RecordedElement], *, named: bool = False) -> None:
    """Ask in one message for all of the elements that are in the document of their page, which are read next.

    With `named` they are asked for by what they are called, or show, too.
    """
    every = {id(each): each for each in elements}.values()
    ways = [
        (each, code)
        for each in every
        if each.page is elements[0].page and not (each.asked or each._prefix)
        for code in (*each._own, *(each._named if named else ()))
    ]
    if len(ways) < 2:
        return
    keeps = [at for at, (each, _) in enumerate(ways) if each.keeps]
    with suppress(Error):
        answers = _ask(elements[0].page, [code for _, code in ways], _BUSY, whole=True, keeps=keeps)
        for (each, _), answer in zip(ways, answers, strict=True):
            each.asked.append(answer)


DESCRIBED = 30
"""The most elements of a locator that the engine describes."""
_STANDS = 0.5
"""The likeness from which what a locator without the text finds is what is meant, whatever it shows."""
_BY_MARKS, _BY_TEXT, _BY_PLACE = range(3)
"""The ranks of locators, that of least doubt first; so is one that matches several elements, of which one fits."""


@cache
def _rank(code: str, has_rank: bool) -> int:
    """Return how much doubt a locator that matches one element leaves; a heading is known by its rank."""
    if is_positional(code) or (is_bare(code) and not has_rank):
        return _BY_PLACE
    name, _, options = parse_locator(code)[-1]
    by_text = name == "get_by_text"
    if name == "get_by_role":
        by_text = bool(options.get("exact")) or isinstance(options.get("name"), re.Pattern)
    is_shown = (by_text and "has=" not in code) or "following::" in code
    return _BY_TEXT if is_shown else _BY_MARKS


def _reason(error: Error, page: Page) -> str:
    """Return why no element was found. Raises Missing if the page is gone."""
    message = str(error)
    if is_gone(page, error):
        raise Missing(_CLOSED, remedy="", lack="page") from None
    if "strict mode violation" in message:
        number = message.partition("resolved to ")[2].partition(" ")[0]
        return f"{number} elements match"
    if "Timeout" in message:
        return _NO_MATCH
    return message.partition("\n")[0]
