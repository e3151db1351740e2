"""Recorded elements: checked against their recorded identity, and located again after a move."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from playwright.sync_api import Error, Locator, Page

from pytest_webtask.checks.text import decorated, is_called, says
from pytest_webtask.page import dom
from pytest_webtask.page.activity import CAP, VAIN, Look, activity_of
from pytest_webtask.page.frames import FRAME_TIMEOUT
from pytest_webtask.page.locator_parser import (
    HAS_NUMBER,
    frame_prefix,
    is_positional,
    locate,
    named_code,
    parse_locator,
    quote,
)
from pytest_webtask.page.outline import PLAIN
from pytest_webtask.phrases import IF_RIGHT, raise_limit
from pytest_webtask.step_time import POLL, Deadline
from pytest_webtask.types.page import Signature, Target

TEST_IDS = ("data-testid", "data-test", "data-test-id", "data-cy", "data-qa")
OWN = ("id", "name", *TEST_IDS)
"""Attributes by which an author names an element."""
STRUCK = "struck through"
"""The state of a text with a line through it, as `facts.js` reports it."""
BETWEEN = " | "
"""The separator of the parts of an attribute that is a list."""
_AT_ONCE = 0.25
"""Minimum time for one query, in seconds, even if less is left."""
_BUSY = 30.0
"""Time for one query of a page that is too busy to answer, in seconds."""

_NO_MATCH = "no element matches"


class Missing(Exception):
    """A recorded element is missing; the message describes what was matched instead.

    `details` are further lines for a person. `remedy` goes before "record it again", None if recording
    the step again cannot help.
    """

    def __init__(
        self, problem: str, details: Sequence[str] = (), remedy: str | None = IF_RIGHT
    ) -> None:
        super().__init__(problem)
        self.details = tuple(details)
        self.remedy = remedy


@dataclass(frozen=True)
class RecordedElement:
    """A recorded element, or all elements of a set, with placeholders filled in.

    `codes` are its locators, best first, all in the same frame. `found` is the engine's latest
    description of the element, None before the first query. With `is_secret` a secret is typed into
    it, so that it must be the kind of field that it was.
    """

    page: Page
    codes: tuple[str, ...]
    target: Target
    found: dict[str, Any] | None = field(default=None, compare=False)
    is_secret: bool = field(default=False, compare=False)

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
        signature = self.target.signature
        return int(signature.attributes.get("twins", 0)) if signature else 0

    def look(
        self,
        timeout: float = 0.0,
        *,
        whole: bool = False,
        at_once: bool = False,
        busy_timeout: float = 0.0,
        fills: bool = False,
    ) -> dict[str, Any]:
        """Wait for an element to match the signature, and return the engine's description of it.

        All locators are asked in one message; `way` is the index of the one that found the element,
        None if each finds others, too. Raises Missing after `timeout` seconds, or after `busy_timeout`
        if that is longer and the page loads or awaits answers until then, and after a quarter of a
        second at the earliest; with `at_once` an element that is absent fails at once. With `whole` the
        description includes the `facts`; without, it is for an action, which begins once the page is at
        rest, unless its element has come since the action before, or was loaded and is none that it `fills`.
        """
        began, deadline, cap = Deadline.clock(), Deadline(timeout), Deadline(CAP)
        met = 0.0
        limit = Deadline(max(timeout, busy_timeout))
        activity = activity_of(self.page)
        while True:
            match, wrong, waits = None, "", ""
            look = Look() if whole else activity.look()
            try:
                answers = self._ask(max(deadline.left, _AT_ONCE if self._prefix else _BUSY), whole)
            except Error as error:
                wrong = _reason(error)
            else:
                match, wrong = self._match(answers)
                if at_once and not any(each["count"] for each in answers):
                    raise Missing(wrong)
            if match is not None:
                met = met or Deadline.clock()
                element = self.with_found(match).locator
                # Answers that a new page waits for may still fill in its fields.
                is_ready = not look.reason or (look.over and not fills) or cap.is_over
                if is_ready or activity.has_come(element):
                    if Deadline.clock() - met > VAIN:
                        # What was awaited did not bring the element.
                        activity.give_up(look)
                    activity.note_wait(Deadline.clock() - began, waits or look.reason)
                    return match
            elif deadline.is_over:
                if whole:
                    look = activity.look()
                if not look.is_busy:
                    raise _missed(wrong, timeout)
                if limit.is_over:
                    activity.give_up(look)
                    raise _missed(wrong, max(timeout, busy_timeout), look.reason)
            waits = look.reason
            try:
                limit.pause(self.page, look.pause if match else POLL, over=True)
            except Error:
                raise Missing("the page was closed", remedy=None) from None

    def _match(self, answers: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any] | None, str]:
        """Return the one element that fits, or None and what is wrong."""
        # A locator that has come to match several elements tells nothing if another matches one. A
        # position tells nothing if anything else does, and the text that is expected only where the
        # element is not known by something that lasts.
        # A name in signs, or with a count, is weaker than the name itself, wherever that is.
        pools: list[dict[tuple[str, int], dict[str, Any]]] = [{}, {}, {}, {}, {}]
        problems: list[str] = []
        if self.twins:
            *answers, every = answers
            equal = [e for e in every["elements"] if not differs(self.target.signature, e)]
            if len(equal) != self.twins:
                return None, (
                    f"{self.twins} equal elements differed only in their positions, and now there"
                    f" are {len(equal)}"
                )
        codes = (*self.codes, *self._decorated)
        for way, (code, answer) in enumerate(zip(codes, answers, strict=False)):
            is_decorated = way >= len(self.codes)
            number, elements = answer["count"], answer["elements"]
            # A text and a wrapper around it count as one element.
            is_alone = len(elements) == 1 and number <= DESCRIBED
            if not is_alone:
                problems.append(f"{number} elements match" if number else _NO_MATCH)
            for each in elements:
                problem = differs(
                    self.target.signature,
                    each,
                    loose=_is_loose(code),
                    is_secret=self.is_secret,
                    badge=is_decorated,
                ) or self._in_another_frame(each)
                if problem:
                    problems.append(problem)
                    continue
                rank = _rank(code, self.target.signature) if is_alone else _AMONG
                if not self._has_name(each):
                    rank = _DECORATED
                pool = pools[rank]
                found = {**each, "way": way if number == 1 and not is_decorated else None}
                pool.setdefault((each["document"], each["number"]), found)
        fits = next(filter(None, pools), {})
        if len(fits) == 1 and (fits is not pools[_AMONG] or self.target.signature is not None):
            return next(iter(fits.values())), ""
        if len(fits) > 1:
            return None, f"{len(fits)} elements fit"
        return None, problems[0] if problems else _NO_MATCH

    def _has_name(self, actual: Mapping[str, Any]) -> bool:
        name = self.target.signature.name if self.target.signature else None
        return name is None or is_same_text(name, actual["name"])

    @property
    def _decorated(self) -> tuple[str, ...]:
        """The code of a locator of elements with the recorded name in signs, or with a count."""
        signature = self.target.signature
        if self.twins or signature is None or not signature.role or not signature.name:
            return ()
        signed, badged = (
            f"{self._prefix}get_by_role({quote(signature.role)}, name=re.compile({quote(pattern.pattern)}, re.I))"
            for pattern in (decorated(signature.name), decorated(signature.name, badge=True))
        )
        return (f"{signed}.or_({badged}.locator({quote(HAS_NUMBER)}))",)

    def _in_another_frame(self, actual: Mapping[str, Any]) -> str:
        """Return how the frame differs from the recorded one, if only its position tells it from others."""
        attributes = self.target.signature.attributes if self.target.signature else {}
        was, now = attributes.get("frame"), actual["attributes"].get("frame")
        if not was or was == now or not is_positional(f'{self._prefix}locator("body")'):
            return ""
        return f"its frame now shows {now!r}, no longer {was!r}"

    def members(
        self,
        redacted: Mapping[str, Sequence[int]],
        setting: Mapping[str, Any] | None,
        few: int = 0,
    ) -> dict[str, Any]:
        """Return the `members` of a set: the number of each, whether it is shown, and the facts if so.

        With `few` only so many at either end have facts.

        They are of the first locator that finds them in the recorded `setting`: `way` is its index, and
        `title` that of the set; if there is none, it is None, and `problem` says what is there instead.
        `redacted` are the elements whose texts are redacted, by document. Raises Error.
        """
        # The facts of many members take long; a frame that is missing must not.
        timeout = FRAME_TIMEOUT if self._prefix else _BUSY
        more = {"redacted": redacted, "recorded": setting, "few": few}
        found = self._ask(timeout, True, verb="members", **more)
        return dict(found)

    def _ask(self, timeout: float, whole: bool, **more: Any) -> Any:
        prefix = self._prefix
        codes = list(self.codes[1:])
        if self.twins and self.target.signature is not None:
            codes.append(
                named_code("", self.target.signature.role, self.target.signature.name or "")
            )
        inner = [locate(code.replace(prefix, ""), self.page) for code in codes]
        engine = dom.FACTS if whole else dom.NAME
        answers = dom.ask(self.page, self.locator_of(0), inner, timeout, engine, **more)
        if more or any(self._has_name(each) for answer in answers for each in answer["elements"]):
            return answers
        # On a large page each locator by a name takes long.
        others = [locate(code, self.page) for code in self._decorated]
        return answers + [dom.ask(self.page, each, (), timeout, engine)[0] for each in others]


DESCRIBED = 30
"""The most elements of a locator that the engine describes."""
_AMONG = 3
"""The rank of a locator that matches several elements, of which one fits."""
_DECORATED = 4
"""The rank of an element whose name is the recorded one in signs, or with a count."""


def _rank(code: str, signature: Signature | None) -> int:
    """Return how little a locator that matches one element says of it: 0 for least doubt."""
    if is_positional(code) or _is_bare(code):
        return 2
    by_text = signature is not None and signature.name is None and _goes_by_text(code)
    return 1 if by_text or "following::" in code else 0


@cache
def _is_bare(code: str) -> bool:
    """Return whether a locator goes by nothing but a tag, in whatever part."""
    name, args, _ = parse_locator(code)[-1]
    return name == "locator" and re.fullmatch(r"[a-z]\w*", args[0]) is not None


@cache
def _goes_by_text(code: str) -> bool:
    """Return whether a locator goes by the whole text of its element."""
    name, args, options = parse_locator(code)[-1]
    if name == "get_by_role":
        return "name" in options and bool(options.get("exact"))
    return name == "get_by_text" and isinstance(args[0], str)


@cache
def _is_loose(code: str) -> bool:
    """Return whether a locator is positional, matches part of a text or what follows a heading."""
    return "has_text=" in code or "following::" in code or is_positional(code)


def _missed(wrong: str, seconds: float, busy: str = "") -> Missing:
    """Return the error of an element that was awaited; `busy` is what the page was doing meanwhile."""
    if seconds < _AT_ONCE:
        return Missing(wrong)
    waited = f"{seconds:.1f}".removesuffix(".0")
    what = f"no element matched within {waited} s"
    if wrong != _NO_MATCH:
        what = f"{wrong} (after {waited} s)"
    if not busy:
        more = raise_limit("--webtask-timeout")
        return Missing(f"{what}; {more}" if wrong == _NO_MATCH else what)
    advice = f"check the server, or {raise_limit('--webtask-timeout')} (now {waited}); {IF_RIGHT}"
    return Missing(f"{what}; the page {busy}", remedy=advice)


def _reason(error: Error) -> str:
    message = str(error)
    if "strict mode violation" in message:
        number = message.partition("resolved to ")[2].partition(" ")[0]
        return f"{number} elements match"
    if "Timeout" in message:
        return _NO_MATCH
    return message.partition("\n")[0]


def differs(
    recorded: Signature | None,
    actual: Mapping[str, Any],
    *,
    loose: bool = False,
    is_secret: bool = False,
    badge: bool = False,
) -> str:
    """Return how an element differs from its recorded identity, "" if it matches.

    Its identity is its role, name, item and column, and for a secret the kind of field. `loose` is
    True for a locator that is positional or matches part of a text: its neighbors must match, too. `badge`
    is True for an element that has a badge.
    """
    if recorded is None:
        return ""
    if _role(recorded.role) != _role(actual["role"]):
        return f"its role is now {actual['role']!r}, no longer {recorded.role!r}"
    name = recorded.name
    is_same = name is None or is_same_text(name, actual["name"])
    if name is not None and not is_same and not is_called(name, actual["name"], badge=badge):
        return f"its name is now {actual['name']!r}, no longer {recorded.name!r}"
    # The only item of a part is known by the part's heading. Evidence may get other items beside it, while
    # a control of the part must not be taken for that of an item.
    facts = actual.get("facts") or {}
    titles = [facts.get("heading", ""), *(each["name"] for each in facts.get("within", ()))]
    texts = [*actual["says"], *titles]
    if recorded.key and not any(is_same_text(recorded.key, text) for text in texts):
        return f"it is no longer in {recorded.key!r}"
    for word in filter(None, recorded.attributes.get("item", "").split(BETWEEN)):
        if not any(says(text, word, anycase=True) for text in actual["says"]):
            return f"its item no longer says {word!r}"
    # The name of one row may be in another row as well, such as that of a manager.
    by = recorded.attributes.get("by", "")
    cell = actual["cells"].get(by, recorded.key) or ""
    if recorded.key and _letters(recorded.key) not in _letters(cell):
        return f"the {by!r} of its row is now {cell!r}, no longer {recorded.key!r}"
    if problem := _is_another(recorded.attributes, actual) or _stands_apart(recorded, actual):
        return problem
    if (rank := recorded.attributes.get("rank")) and actual["attributes"].get("rank") != rank:
        return "another heading is the main one now"
    if is_secret and recorded.type != actual["type"]:
        return f"its type is now {actual['type']!r}, no longer {recorded.type!r}"
    if actual.get("facts") and (elsewhere := stands_elsewhere(recorded, actual["facts"])):
        return elsewhere
    return "" if _is_in_place(recorded, actual, loose=loose) else _beside(recorded, actual)


def _is_another(was: Mapping[str, str], actual: Mapping[str, Any]) -> str:
    """Return how an element without a name, in a group or in an item differs from the recorded one; or ""."""
    now, own = actual["attributes"], _own(was)
    if (
        was.get("icon")
        and was["icon"] != now.get("icon")
        and not (own and own.items() <= now.items())
    ):
        return "another icon is drawn in it now"
    if was.get("group") and was.get("name") != now.get("name"):
        group = now.get("group", "")
        if not is_same_text(was["group"], group):
            return f"it is now one of {group!r}, no longer one of {was['group']!r}"
    return ""


def _stands_apart(recorded: Signature, actual: Mapping[str, Any]) -> str:
    """Return how the headings, the part and the column around an element differ from those recorded; or ""."""
    heading = actual["under"]
    under = recorded.attributes.get("under")
    if under and not is_same_text(under, heading):
        return f"it is now under {heading!r}, no longer under {under!r}"
    others = recorded.attributes.get("others", "").split(BETWEEN)
    # An item that its heading identifies may be one of the others in another case of a test.
    is_key = is_same_text(recorded.key or "", heading)
    if heading and not is_key and any(is_same_text(heading, other) for other in others):
        return f"it is now under {heading!r}, as another element was"
    titles = (heading, actual["part"], *actual["over"])
    for name in filter(None, recorded.attributes.get("names", "").split(BETWEEN)):
        if not any(says(title, name, anycase=True) for title in (actual["dialog"], *titles)):
            return f"the dialog around it no longer names {name!r}"
    # Those of evidence are the column and surroundings of its fact, which are compared elsewhere.
    if actual.get("facts"):
        return ""
    if recorded.column and not is_same_text(recorded.column, actual["column"]):
        return f"its column is now {actual['column']!r}, no longer {recorded.column!r}"
    for was in recorded.around:
        if not any(is_same_text(was, now) for now in titles):
            return f"it is no longer under or in {was!r}"
    return ""


def _is_in_place(recorded: Signature, actual: Mapping[str, Any], *, loose: bool) -> bool:
    """Return whether an element outside of rows and groups is still in its place.

    An element of the same name in another part of the page is a different element, unless its author
    calls it the same or its neighbors are the same. With a `loose` locator all neighbors must match.
    """
    own = _own(recorded.attributes)
    if recorded.key or (own and own.items() <= actual["attributes"].items()):
        return True
    alike = bool(recorded.near) and nearness(recorded, actual) == 1.0
    if _region(recorded.attributes) != _region(actual["attributes"]):
        return alike or (recorded.name is None and not loose)
    return alike or not loose or not recorded.near


def _region(attributes: Mapping[str, str]) -> str:
    """Return the part of the page around an element; many pages have no `main`."""
    return attributes.get("in", "").removeprefix("main")


def _beside(recorded: Signature, actual: Mapping[str, Any]) -> str:
    was, now = _region(recorded.attributes), _region(actual["attributes"])
    if was != now:
        return f"it is now in {now or 'the main part'}, no longer in {was or 'the main part'}"
    return f"it is now next to {actual['near']}, no longer next to {[*recorded.near]}"


def _role(role: str) -> str:
    return "" if role in PLAIN else role


def is_same_text(one: str, two: str) -> bool:
    """Return whether two texts are equal, ignoring white space and capitals."""
    return _letters(one) == _letters(two)


def _letters(text: str) -> str:
    return "".join(text.split()).casefold()


def stands_elsewhere(recorded: Signature, facts: Mapping[str, Any]) -> str:
    """Return how the label, column, heading or surroundings differ; "" if they agree.

    `facts` is the result of `facts.js` for the element.
    """
    # For a set, `facts` are those of a member.
    if recorded.type != "set" and (STRUCK in facts["states"]) != ("struck" in recorded.attributes):
        return f"it is {'now' if STRUCK in facts['states'] else 'no longer'} {STRUCK}"
    titles = [each.get("name", "") for each in facts.get("within") or ()]
    # A heading within an item is the name of that item.
    also = {"heading": titles}
    for part in ("label", "column", "heading"):
        was, now = getattr(recorded, part), facts.get(part) or ""
        if was and not any(is_same_text(was, text) for text in (now, *also.get(part, ()))):
            return f"its {part} is now {now!r}, no longer {was!r}"
    texts = [*(facts.get("headings") or ()), *(facts.get("beside") or ()), *titles]
    texts.append(facts.get("heading") or "")
    for was in recorded.around:
        if not any(is_same_text(was, now) for now in texts):
            return f"{was!r} is no longer next to or around it"
    return ""


def _without_numbers(text: str) -> str:
    return re.sub(r"\d+", "0", _letters(text))


def signed(answer: dict[str, Any], *, named: bool = True) -> Signature:
    """Return the signature for an identity, without its name unless `named`."""
    return Signature(
        role=answer["role"],
        name=answer["name"] if named else None,
        tag=answer["tag"],
        type=answer["type"],
        key=answer["key"],
        column=answer["column"] or None,
        near=tuple(answer["near"]),
        attributes=answer["attributes"],
    )


_FIELDS = frozenset(("input", "textarea", "select"))


def nearness(recorded: Signature, actual: Mapping[str, Any]) -> float:
    """Return the share of the recorded neighbors that are still there, 1.0 if there were none."""
    near = set(map(_without_numbers, actual["near"]))
    return _share([_without_numbers(text) in near for text in recorded.near])


def similarity(recorded: Signature, actual: Mapping[str, Any], text: str = "") -> float:
    """Return how alike an element is to a recorded one, from 0.0 to 1.0.

    It is a weighted mean over what is known of the recorded element, as in Similo (Nass et al.,
    "Similarity-based Web Element Localization for Robust Test Automation", TOSEM 2023). An element
    of another role, item or column has 0.0. `text` is a text that the element shows.
    """
    if differs(recorded.model_copy(update={"name": None}), actual):
        return 0.0
    own, now = _own(recorded.attributes), actual["attributes"]
    kept = _share([now.get(name) == value for name, value in own.items()])
    is_marked = bool(own) and kept == 1.0
    parts: list[tuple[float, float]] = []
    if recorded.name is not None:
        name = resemblance(recorded.name, actual["name"])
        # A hint is translated; a control of another name does something else.
        other = name < 0.5 or _has_other_words(recorded.name, actual["name"])
        is_hint = actual["hinted"] and recorded.tag in _FIELDS
        if other and not (is_marked and is_hint):
            return 0.0
        # A renamed element keeps its neighbors; beside others, this may be a new one.
        if name < 1.0 and not is_marked and nearness(recorded, actual) < 1.0:
            return 0.0
        parts.append((3, name))
    elif text:
        shown = _letters(actual["name"])
        parts.append((3, 1.0 if _letters(text) == shown else 0.6 * (_letters(text) in shown)))
    if rank := recorded.attributes.get("rank"):
        parts.append((3, float(now.get("rank") == rank)))
    if own:
        parts.append((3, kept))
    if recorded.near:
        parts.append((2, nearness(recorded, actual)))
    parts += [(1, float(now.get(name) == recorded.attributes.get(name))) for name in ("in", "href")]
    parts += [(0.5, float(getattr(recorded, name) == actual[name])) for name in ("tag", "type")]
    return sum(weight * part for weight, part in parts) / sum(weight for weight, _ in parts)


def resemblance(one: str, two: str) -> float:
    """Return the likeness of two texts, ignoring white space and capitals, from 0.0 to 1.0."""
    return SequenceMatcher(None, _letters(one), _letters(two)).ratio()


def _has_other_words(one: str, two: str) -> bool:
    """Return whether words of a name have given way to unlike ones: "New project" and "New client".

    Words that begin otherwise are unlike, too, such as "Publish" and "Unpublish", and so is a name with
    more words before its first one: "Agree" and "Don't agree".
    """
    old, new = one.casefold().split(), two.casefold().split()
    return any(
        (tag == "replace" and not _is_alike("".join(old[a:b]), "".join(new[c:d])))
        or (tag == "insert" and c == 0)
        for tag, a, b, c, d in SequenceMatcher(None, old, new).get_opcodes()
    )


def _is_alike(one: str, two: str) -> bool:
    return one[:1] == two[:1] and resemblance(one, two) >= 0.5


def _share(matches: Sequence[bool]) -> float:
    return sum(matches) / len(matches) if matches else 1.0


def _own(attributes: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in attributes.items() if name in OWN}
