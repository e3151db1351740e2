"""Generation of readable locators that match one element and survive small changes of the page.

Playwright's own locator comes first, unless it identifies the element by its position, by the whole
text of its row or by its tag. Next come locators by the row, group or part of the page around it and
by the head of its column, then attributes and classes, and positions last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

from playwright.sync_api import Error, Frame, Locator, Page, TimeoutError

from pytest_webtask.data.text import says
from pytest_webtask.data.values import Data
from pytest_webtask.page import dom
from pytest_webtask.page.frames import FRAME_TIMEOUT
from pytest_webtask.page.identity import (
    TEST_IDS,
    Title,
    best_titles,
    containers_of,
    disagreement,
    outside,
    plain_name,
    remembered,
    titles_in,
)
from pytest_webtask.page.locator_parser import (
    Unreadable,
    frame_prefix,
    is_bare,
    is_positional,
    locate,
    map_texts,
    named_code,
    quote,
)
from pytest_webtask.types.page import Address, Remembered, Target

_PARTS = {
    "nav": "navigation",
    "header": "banner",
    "footer": "contentinfo",
    "aside": "complementary",
}
"""The roles that tags give to parts of the page."""
_MOST = 4
"""The most locators that an element keeps."""

_WITHIN = ("items", "around", "containers", "near")
BARE: dict[str, Any] = {key: [] for key in _WITHIN} | {"column": "", "before": "", "place": ""}
"""Overrides for an identity that must not depend on the element's surroundings."""
_NO_ROLES = ("text", "element", "item", "card")
_NO_TITLE = Title("", "", "", "", False, False)
_KINDS = ("sight", "item", "author", "field", "beside", "loose", "last")
"""The kinds of locators, best first: by what a user sees of the element, what it is in, what its author calls it, the
name of a field, what it is beside; then those that easily break, and a position."""


@dataclass(frozen=True)
class LocatedElement:
    """An element for which there is to be a locator.

    `identity` is the engine's description of the node; it is `called` by the role and the name that Playwright
    gives it; `item` is the title of its item. `expected` are texts that a check is about, which no locator contains.
    """

    node: Locator
    frame: Frame
    identity: dict[str, Any]
    called: tuple[str, str]
    item: Title | None = None
    expected: Sequence[str] = ()

    @property
    def role(self) -> str:
        """Its role, "" if Playwright has none for it."""
        return "" if self.called[0] in _NO_ROLES else self.called[0]

    @property
    def name(self) -> str:
        """Its name."""
        return self.called[1]

    def locators(self, shown: str = "") -> tuple[str, ...]:
        """Return the code of up to four locators of different kinds that match only this node, best first.

        There is a position only where there is nothing else. Where the element is recorded because it
        shows the text `shown`, the last may be by that.
        """
        kinds: dict[str, list[str]] = {kind: [] for kind in _KINDS}
        for kind, code in self.candidates():
            if not self.is_expected(code):
                kinds[_kind_of(code, kind)].append(self.prefix + code)
        kinds["text"] = [*self.by_text(shown)] if shown else []
        known = _unique([*chain(*kinds.values())], self.frame.page, self.identity)
        unique = {kind: [*filter(known.__contains__, some)] for kind, some in kinds.items()}
        by_text, last = unique.pop("text"), unique.pop("last")[:1]
        if by_text and is_title(self.identity):
            # In its place another item may be shown any day.
            return (*unique["author"][:1], *by_text[:2], *last)
        best = [some[0] for some in unique.values() if some][:_MOST]
        # Where only a text identifies it, a position lets a drift show what replaced it.
        if best:
            return (*best, *by_text[:1])
        return (*by_text[:1], *last)

    @property
    def title(self) -> Title:
        """The title of its item."""
        return self.item or _NO_TITLE

    @cached_property
    def prefix(self) -> str:
        """The code that leads into its frame."""
        return frame_code(self.frame)

    @property
    def part(self) -> str:
        """The code that leads into the part of the page around it, "" if there is none."""
        part = str(self.identity["marks"].get("in", ""))
        if part:
            return f"get_by_role({quote(_PARTS.get(part, part))})."
        return ""

    @property
    def changes(self) -> bool:
        """Whether what it says is expected, or that of all in it."""
        is_named = bool(self.name) and not self.identity["content"]
        return bool(self.expected) or (self.identity["holds"] and not is_named)

    def candidates(self) -> Iterator[tuple[str, str]]:
        """Yield kinds with candidates, of each kind from best to worst."""
        path = self.identity["path"]
        groups = {
            "sight": self.by_sight(),
            "item": self.in_item(),
            "author": self.by_author(),
            "beside": self.beside(),
            "last": [f"locator({quote(path)})"] if path else [],
        }
        return ((kind, code) for kind, some in groups.items() for code in some)

    def is_expected(self, code: str) -> bool:
        """Return whether a locator contains an expected text; the title of an item is none, whatever is in it."""
        rest = code.replace(quote(self.title.text), "") if self.title.itself else code
        return any(mentions(rest, text) for text in self.expected)

    def by_sight(self) -> Iterator[str]:
        """Yield locators by what a user sees, first Playwright's own one."""
        code = ""
        with suppress(Error, UnicodeError):
            code = str(self.node.normalize()).removeprefix(self.prefix)
            code.encode()  # No code can have half a surrogate pair, as the name in it may.
        # A position among texts shifts with each new text, and a locator by text loses the element when
        # its text changes, as that of a container does with each of its items.
        by_text = "get_by_text(" in code
        shifts = by_text and (is_positional(code) or bool(self.expected))
        by_content = self.identity["holds"] and (by_text or "has_text=" in code)
        if code and not (shifts or by_content):
            # An inexact name would also match longer names that appear later.
            end = f"get_by_role({quote(self.role)}, name={quote(self.name)})"
            yield code.replace(end, end[:-1] + ", exact=True)")
        if self.role and (self.name or self.identity["holds"]):
            yield named_code("", self.role, self.name)
        if self.role and self.expected:
            yield named_code("", self.role, "")

    def in_item(self) -> Iterator[str]:
        """Yield locators within the row, item or card around it, and within its part of the page."""
        cell = self.identity["cell"]
        below = _below(self.identity["column"]) if cell >= 0 else ""
        for box in self.boxes():
            if self.title.itself:
                yield box
            if below:
                yield f"{box}.{below}"
            if not self.role:
                yield f"{box}.locator({quote(self.identity['element'])})"
                continue
            yield named_code(f"{box}.", self.role, self.name)
            if self.expected:
                yield named_code(f"{box}.", self.role, "")
            if cell >= 0:
                yield f"{named_code(f'{box}.', self.role, '')}.nth({cell})"
        if self.role and self.name and self.part:
            yield named_code(self.part, self.role, self.name)

    def boxes(self) -> Iterator[str]:
        """Yield locators for the item around it by its title."""
        kind, how, key = self.title.kind, self.title.how, self.title.text
        if not key:
            return
        text = f"get_by_text({quote(key)}, exact=True)"
        box = f"get_by_role({quote(kind)})"
        if kind and how == "label":
            yield named_code("", kind, key)
        elif kind and how in ("heading", "rowheader", "cell", "gridcell", "link"):
            named = named_code("", how, key)
            yield f"{box}.filter(has={named})"
            if below := _below(self.title.column):
                # Another row may have it in another column.
                yield f"{box}.filter(has={below}.and_({named}))"
        elif kind:
            yield f"{box}.filter(has={text})"
            yield f"{box}.filter(has_text={quote(key)})"
        if how not in ("label", "whole"):
            # Whatever the markup: the smallest part around the title that has such an element.
            inner = f".//{self.identity['element']}"
            if self.role:
                inner += f" or .//*[@role='{self.role}']"
            yield f"{text}.locator({quote(f'xpath=ancestor::*[{inner}][1]')})"

    def by_author(self) -> Iterator[str]:
        """Yield locators by author-chosen attributes; those with digits are taken as generated."""
        marks = self.identity["marks"]
        own = marks.get("id", "")
        named = [(name, marks.get(name, "")) for name in (*TEST_IDS, "name", "href", "role")]
        selectors = [f"#{own}"] if re.fullmatch(r"[A-Za-z](?:(?!\d{3})[\w-])*", own) else []
        selectors += [f'[{name}="{v}"]' for name, v in named if re.fullmatch(r'[^\d"\\?#]+', v)]
        if self.changes:
            selectors += [f".{each}" for each in self.identity["classes"]]
        return (f"locator({quote(each)}).filter(visible=True)" for each in selectors)

    def beside(self) -> Iterator[str]:
        """Yield locators by the label text right before it, and by the heading that it is under."""
        before, tag = self.identity["before"], self.identity["beforeTag"]
        if before and self.identity["cell"] < 0:
            label = f"get_by_text({quote(before)}, exact=True)"
            for one in (label, f"locator({quote(tag)}).and_({label})"):
                yield f'{one}.locator("xpath=following-sibling::*[1]")'
        headings = [name for kind, name, _ in self.identity["containers"] if kind == "section"]
        # A number in a heading may change with the content under it.
        is_under = headings and not re.search(r"\d", headings[0])
        if is_under and (self.changes or not self.role):
            heading = named_code("", "heading", headings[0])
            yield f'{heading}.locator("xpath=following::{self.identity["element"]}[1]")'

    def by_text(self, shown: str) -> Iterator[str]:
        """Yield locators by a text that it shows: in its item, anywhere, in its part of the page."""
        words = quote(shown)
        texts = [f"get_by_text({words}, exact=True)", f"get_by_text({words})"]
        if self.role:
            texts.append(named_code("", self.role, shown))
        places = [*(f"{box}." for box in self.boxes()), "", *filter(None, [self.part])]
        return (f"{self.prefix}{place}{text}" for place in places for text in texts)


def _below(head: str) -> str:
    """Return a locator for the cell under a column head, independent of the column's position, "" for none."""
    if not head or "'" in head:
        return ""
    heads = f"ancestor::table[1]//th[normalize-space()='{head}']"
    path = f"xpath=*[count(preceding-sibling::*) = count({heads}/preceding-sibling::*)]"
    return f"locator({quote(path)})"


def _unique(codes: Sequence[str], page: Page, identity: dict[str, Any]) -> set[str]:
    """Return the codes that match the identified node and no other, of those in the frame of the first."""
    located: dict[str, Locator] = {}
    prefix = ""
    for code in dict.fromkeys(codes):
        with suppress(Unreadable):
            if not located:
                prefix = frame_prefix(code)
                located[code] = locate(code, page)
            elif frame_prefix(code) == prefix:
                located[code] = locate(code.removeprefix(prefix), page)
    if not located:
        return set()
    first, *others = located.values()
    try:
        # No locator leads into a frame in a closed shadow tree.
        answers = dom.ask(page, first, others, FRAME_TIMEOUT if prefix else 30.0)
    except TimeoutError:
        return set()
    except Error:
        # A selector that the browser refuses, as by the name of a tag such as o:p, must not cost the others.
        each, half = [*located], len(located) // 2
        parts = (each[:half], each[half:]) if half else ()
        return {code for part in parts for code in _unique(part, page, identity)}
    node = (identity["document"], identity["unwrapped"])
    return {
        code
        for code, answer in zip(located, answers, strict=True)
        if answer["count"] == 1
        and [(each["document"], each["number"]) for each in answer["elements"]] == [node]
    }


_KIND_OF = {
    # A row's name is its whole text, unless its author named it; then a class or a tag.
    "loose": r'(?:^|\.)get_by_role\("row", name="'
    r'|(?:^|\.)locator\("(?!xpath=|#[\w-]+"|\[(?:name|data-[\w-]+)=)'
    r"|get_by_text\([^)]*\d",
    # The name of a field stays where its id is generated.
    "field": r'(?:^|\.)locator\("\[name=',
    # Playwright may go by what the author calls an element, too.
    "author": r'(?:^|\.)(?:get_by_test_id\(|locator\("[#\[])',
}


def _kind_of(code: str, kind: str) -> str:
    """Return the kind of a locator, which is `loose` or `last` for those that easily break."""
    own = code.removeprefix(frame_prefix(code))
    if is_positional(code) or "has_text=" in own:
        return "last"
    # The only element of a role is not alone for long.
    if is_bare(code) and not re.search("name=|has=|get_by_text", own):
        return "loose"
    found = next((each for each, pattern in _KIND_OF.items() if re.search(pattern, own)), kind)
    return found if found != "author" or kind == "sight" else kind


def title_of(
    identity: dict[str, Any], sentence: str, *, expected: Sequence[str] = (), every: bool = False
) -> Title | None:
    """Return the title by which a sentence calls the item of an element, None if it does not.

    With `every` it is the best one then, if the set has other items. What is `expected` of an item names
    it only today.
    """
    named: list[Title] = []
    today: list[Title] = []
    for each in titles_in(identity):
        if not each.own and says(sentence, each.text, anycase=True):
            is_expected = each.itself and any(says(text, each.text) for text in expected)
            (today if is_expected else named).append(each)
    if every and _has_others(identity):
        named += best_titles(identity)
    return next(iter([*named, *today]), None)


def is_title(identity: dict[str, Any]) -> bool:
    """Return whether an element is the title of its item in a set of several."""
    first = next(titles_in(identity), None)
    is_main = "top" in identity["marks"].get("rank", "")
    return bool(first and first.own and not is_main) and _has_others(identity)


def _has_others(identity: dict[str, Any]) -> bool:
    return identity["place"] not in ("", "1 of 1")


def target_of(
    node: Locator,
    frame: Frame,
    identity: dict[str, Any],
    data: Data,
    called: tuple[str, str],
    sentence: str = "",
    *,
    redacted: bool = False,
    expected: Sequence[str] = (),
) -> Target:
    """Return the target of a node that is acted on, which Playwright calls by that role and name.

    It has no name if it is `redacted`. The locator contains none of the `expected` texts, which a check is about.
    """
    identity = recordable_identity(identity, data)
    expected = (*expected, *cut_secrets(identity["name"], data))
    title = title_of(identity, sentence)
    located = LocatedElement(node, frame, identity, called, title, expected)
    is_named = not (redacted or located.title.itself)
    pinned = Address(
        role=identity["role"],
        name=plain_name(identity["name"], sentence, in_item=bool(title)) if is_named else None,
        containers=(title.container,) if title else (),
    )
    if located.role and not expected and not data.redact.has_locators:
        code = named_code(located.prefix, located.role, located.name)
        pinned = _distinguished(frame, identity, pinned, code)
        best = (each for each in best_titles(identity) if each.container in pinned.containers)
        # What an element that is an item says itself may be alike in each row.
        if title is None or title.itself:
            located = replace(located, item=next(best, title))
    return recordable_target(located.locators(), pinned, remembered(identity), data)


def _distinguished(frame: Frame, identity: dict[str, Any], pinned: Address, code: str) -> Address:
    """Return what is pinned with what tells an element from its likes, which a locator finds, too."""
    target = Target(pinned=pinned, remembered=remembered(identity))
    left: list[Any] = []
    with suppress(Error, Unreadable):
        [answer] = dom.ask(frame.page, locate(code, frame.page), ())
        # In page order.
        left = [each for each in answer["elements"] if not disagreement(target, each)]
    left = [each for each in left if not disagreement(Target(pinned=pinned), each)]
    own, titles = identity["unwrapped"], [each.container for each in best_titles(identity)]
    for container in (*titles, *containers_of(identity)):
        inside = [e for e in left if e["number"] == own or not outside(container, e)]
        if len(inside) < len(left):
            pinned = pinned.model_copy(update={"containers": (*pinned.containers, container)})
            left = inside
    numbers = [each["number"] for each in left]
    if len(left) < 2:
        return pinned
    # Equal items are distinguished from others at least.
    around = titles[:1] if not pinned.item else ()
    place = f"{numbers.index(own) + 1} of {len(left)}" if own in numbers else ""
    more = {"containers": (*pinned.containers, *around), "place": place}
    return pinned.model_copy(update=more)


def recordable_identity(identity: dict[str, Any], data: Data) -> dict[str, Any]:
    """Return an identity without what is to be hidden: where surroundings may be redacted, without these.

    Else it lacks the titles of items that show a secret: one may be a part of it.
    """
    if data.redact.has_locators:
        return identity | BARE
    items = [
        {**item, "titles": []} if any(data.scrub(text) != text for text in item["says"]) else item
        for item in identity["items"]
    ]
    return {**identity, "items": items}


def recordable_target(
    codes: Sequence[str], pinned: Address, known: Remembered, data: Data
) -> Target:
    """Return a target without secrets, and where surroundings may be redacted without these."""
    if data.redact.has_locators:
        bare: dict[str, Any] = {"containers": (), "near": (), "marks": {}}
        pinned, known = pinned.model_copy(update={"containers": ()}), known.model_copy(update=bare)
    return Target(
        locators=recordable(codes, data),
        pinned=Address(**data.scrub_all(pinned.model_dump())),
        remembered=Remembered(**data.scrub_all(known.model_dump())),
    )


def recordable(codes: Sequence[str], data: Data) -> tuple[str, ...]:
    """Return the locators without secrets, except those that spell a value of the data in another way.

    `#add-mug` for a product "Mug" is another element in the next case, and no placeholder stands for
    it. Nor may a part of a secret be recorded.
    """

    def is_spelled(code: str) -> bool:
        found: list[bool] = []

        def note(text: str, _: bool) -> str:
            found.append(data.spelled_in(text))
            return text

        with suppress(Unreadable):
            map_texts(code, note)
        return any(found)

    return tuple(code for code in map(data.scrub, codes) if not is_spelled(code))


def cut_secrets(name: str, data: Data) -> tuple[str, ...]:
    """Return the part of a secret that Playwright may leave in a locator, to be excluded from it.

    Playwright strips numbers from the ends of names, and masking would not recognize the rest.
    """
    if data.scrub(name) != name:
        return (name.strip("0123456789.,: "),)
    return ()


def frame_code(frame: Frame) -> str:
    """Return the code prefix for locators in a frame, with a trailing dot; "" for the main frame."""
    if not frame.parent_frame:
        return ""
    return frame_prefix(str(frame.locator("body").normalize()))


def mentions(code: str, text: str) -> bool:
    """Return whether the code of a locator contains a text, or the beginning of a long one."""
    words = text.split()
    return bool(words) and " ".join(words)[:20] in " ".join(code.replace('\\"', '"').split())
