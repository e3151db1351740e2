"""Generation of readable locators that match one element and survive small changes of the page.

Playwright's own locator comes first, unless it identifies the element by its position, by the whole
text of its row or by its tag. Next come locators by the row, group or part of the page around it and
by the head of its column, then attributes and classes, and positions last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from playwright.sync_api import Error, Frame, Locator, Page, TimeoutError

from pytest_webtask.data.phrases import folded
from pytest_webtask.data.text import escape, says
from pytest_webtask.data.values import Data
from pytest_webtask.page import dom
from pytest_webtask.page.frames import FRAME_TIMEOUT
from pytest_webtask.page.identity import (
    TEST_IDS,
    Title,
    best_titles,
    disagreement,
    distinguished,
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
    parse_locator,
    quote,
)
from pytest_webtask.types.page import Address, Remembered, Target

_DIGITS = re.compile(r"\d{3}")
_PARTS = {
    "nav": "navigation",
    "header": "banner",
    "footer": "contentinfo",
    "aside": "complementary",
}
"""The roles that tags give to parts of the page."""
_CONTROLS = frozenset(("a", "button", "input", "select", "textarea"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_MOST = 4
"""The most locators that an element keeps."""
_LONGEST = 120
"""The most letters of a text whose words locate an element."""
_NUMBER = r"\d[\d.,]*"
_LAST_RESORT = 4
"""The weakness of locators by a part of a text or by a position, kept only where there is no other."""

BARE: dict[str, Any] = {
    "items": [],
    "around": [],
    "containers": [],
    "near": [],
    "column": "",
    "before": "",
    "place": "",
}
"""Overrides for an identity that must not depend on the element's surroundings."""
_NO_TITLE = Title("", "", "", "", False, False)


def locators_of(
    node: Locator,
    frame: Frame,
    identity: dict[str, Any],
    role: str,
    name: str,
    title: Title | None = None,
    expected: Sequence[str] = (),
    *,
    shown: str = "",
) -> tuple[str, ...]:
    """Return the code of up to four locators of different kinds that match only this node, best first.

    The kinds are what a user sees of the element, what its author calls it, and what it is in or
    beside; a position only where there is nothing else. `identity` is the engine's description of the
    node; `role` and `name` are Playwright's; `title` names its item. No locator contains any of the
    `expected` texts, which a check is about, except the last: where the element is recorded because it
    shows the text `shown`, it may be found by that.
    """
    title = title or _NO_TITLE
    codes = [
        code
        for code in dict.fromkeys(_candidates(node, frame, identity, role, name, title, expected))
        if not _expects(code, title, expected)
    ]
    texts = [*_by_text(identity, frame_code(frame), role, title, shown)] if shown else []
    known = _unique([*codes, *texts], frame.page, identity)
    # The order of the candidates decides between those of equal weakness.
    unique = sorted((code for code in codes if code in known), key=_weakness)
    kinds: dict[str, str] = {}
    for code in unique:
        kinds.setdefault(kind_of(code), code)
    best = [code for code in kinds.values() if _weakness(code) < _LAST_RESORT][:_MOST]
    by_text = [code for code in texts if code in known]
    if by_text and is_title(identity):
        # In its place another item may be shown any day.
        authored = (code for code in best if kind_of(code).startswith("author"))
        return (*authored, *by_text[:2], *filter(is_positional, unique[-1:]))
    if best:
        return (*best, *by_text[:1])
    # Where only a text identifies it, another locator lets a drift show what replaced it; its address may tell
    # it from others.
    box = [
        f"{frame_code(frame)}{each}" for each in _item_locators(title, identity["element"], role)
    ]
    among = [each for each in box if title.itself and not _expects(each, title, expected)]
    return (*by_text[:1], *among[:1], *unique[:1])


def _by_text(
    identity: dict[str, Any], prefix: str, role: str, title: Title, shown: str
) -> Iterator[str]:
    """Yield locators by the text that an element shows: in its item, anywhere, in its part of the page."""
    texts = [f"get_by_text({quote(shown)}, exact=True)", f"get_by_text({quote(shown)})"]
    if role:
        texts.append(f"get_by_role({quote(role)}, name={quote(shown)}, exact=True)")
    yield from _within_item(identity, prefix, role, title, texts)
    yield from (prefix + text for text in texts)
    if part := _landmark_of(identity):
        yield from (f"{prefix}get_by_role({quote(part)}).{text}" for text in texts)


def _by_shape(identity: dict[str, Any], prefix: str, role: str, title: Title) -> Iterator[str]:
    """Yield locators by the words of an element with any numbers: in its item, and anywhere."""
    text = identity.get("text", "")
    if not re.search(r"\d", text) or len(text) > _LONGEST:
        return
    pattern = _shape_of(text)
    shapes = [f"get_by_text(re.compile({pattern}))"]
    if role:
        shapes.insert(0, f"get_by_role({quote(role)}, name=re.compile({pattern}))")
    yield from _within_item(identity, prefix, role, title, shapes)
    # A number alone is anywhere.
    if re.search(r"[^\W\d_]{2}", text):
        yield from (prefix + shape for shape in shapes)


def _within_item(
    identity: dict[str, Any], prefix: str, role: str, title: Title, codes: Sequence[str]
) -> Iterator[str]:
    """Yield locators of the codes in the item around an element."""
    for box in _item_locators(title, identity["element"], role):
        yield from (f"{prefix}{box}.{code}" for code in codes)


def _shape_of(text: str) -> str:
    """Return the pattern of a text with any numbers, in quotation marks."""
    pieces = re.findall(r"\d[\d.,]*| |[^\d ]+", text)
    marks = {" ": r"\s+"}
    words = (marks.get(each) or (_NUMBER if each[0].isdigit() else escape(each)) for each in pieces)
    return quote(f"^\\s*{''.join(words)}\\s*$")


def _alike(frame: Frame, target: Target, role: str, name: str) -> list[Any]:
    """Return the elements that agree with what is pinned of an element, in page order, itself included."""
    with suppress(Error, Unreadable):
        named = named_code(frame_code(frame), role, name)
        [answer] = dom.ask(frame.page, locate(named, frame.page), ())
        return [each for each in answer["elements"] if not disagreement(target, each)]
    return []


def _unique(codes: Sequence[str], page: Page, identity: dict[str, Any]) -> set[str]:
    """Return the codes that match the identified node and no other."""
    readable: dict[str, list[str]] = {}
    for code in codes:
        with suppress(Unreadable):
            parse_locator(code)
            readable.setdefault(frame_prefix(code), []).append(code)
    return {code for some in readable.values() for code in _matching(some, page, identity)}


def _matching(codes: Sequence[str], page: Page, identity: dict[str, Any]) -> list[str]:
    """Return the codes, all in one frame, that match the identified node and no other."""
    prefix = frame_prefix(codes[0])
    inner = [locate(code.replace(prefix, ""), page) for code in codes[1:]]
    try:
        # No locator leads into a frame in a closed shadow tree.
        answers = dom.ask(page, locate(codes[0], page), inner, FRAME_TIMEOUT if prefix else 30.0)
    except TimeoutError:
        return []
    except Error:
        # One selector that the browser refuses must not cost the others.
        half = len(codes) // 2
        parts = (codes[:half], codes[half:]) if half else ()
        return [code for part in parts for code in _matching(part, page, identity)]
    node = (identity["document"], identity["unwrapped"])
    return [
        code
        for code, answer in zip(codes, answers, strict=True)
        if answer["count"] == 1
        and [(each["document"], each["number"]) for each in answer["elements"]] == [node]
    ]


def kind_of(code: str) -> str:
    """Return what a locator goes by: `sight`, `item`, `author`, `beside`, `role` or `place`."""
    if is_positional(code):
        return "place"
    links = parse_locator(code.replace(frame_prefix(code), ""))
    name, args, options = links[-1] if links[-1][0] != "filter" else links[-2]
    if any(name == "locator" and "xpath=" in args[0] for name, args, _ in links):
        return "beside"
    if name in ("get_by_test_id", "locator"):
        return "author's name" if "[name=" in args[0] else "author"
    if name == "get_by_role" and "name" not in options:
        return "role"
    return "sight" if len(links) == 1 else "item"


def title_of(
    identity: dict[str, Any], sentence: str, *, expected: Sequence[str] = (), every: bool = False
) -> Title | None:
    """Return the title by which a sentence calls the item of an element, None if it does not.

    With `every` it is the best one then, if the set has other items. What is `expected` of an item names
    it only today.
    """
    named = [
        each
        for each in titles_in(identity)
        if not each.own and says(sentence, each.text, anycase=True)
    ]
    today = [each for each in named if each.itself and any(says(t, each.text) for t in expected)]
    best = best_titles(identity) if every and identity["place"] not in ("", "1 of 1") else []
    return next(iter([*(each for each in named if each not in today), *best, *today]), None)


def is_title(identity: dict[str, Any]) -> bool:
    """Return whether an element is the title of its item in a set of several."""
    first = next(titles_in(identity), None)
    is_main = "top" in identity["marks"].get("rank", "")
    return bool(first and first.own and not is_main) and identity["place"] not in ("", "1 of 1")


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
    """Return the target of a node that Playwright calls by that role and name, without it if it is `redacted`.

    The locator contains none of the `expected` texts, which a check is about.
    """
    role, name = called
    # The surroundings of the node may be redacted, too.
    bare = data.redact.has_locators
    identity = without_secrets(identity, data) | (BARE if bare else {})
    expected = (*expected, *cut_secrets(identity["name"], data))
    title = title_of(identity, sentence)
    is_named = not (redacted or (title and title.itself))
    own = plain_name(identity["name"], sentence, in_item=bool(title)) if is_named else None
    pinned = Address(
        role=identity["role"],
        name=own,
        containers=(title.container,) if title else (),
    )
    if role and not expected and not bare:
        pinned, title = _distinguished(frame, identity, pinned, title, role, name)
    codes = locators_of(node, frame, identity, role, name, title, expected)
    known = remembered(identity)
    return recordable_target(codes, pinned, known, data)


def _distinguished(
    frame: Frame,
    identity: dict[str, Any],
    pinned: Address,
    title: Title | None,
    role: str,
    name: str,
) -> tuple[Address, Title | None]:
    """Return what is pinned with what tells an element from its likes, and the title of its item if that does."""
    known = remembered(identity)
    alike = _alike(frame, Target(pinned=pinned, remembered=known), role, name)
    if len(alike) < 2:
        return pinned, title
    others = [each for each in alike if each["number"] != identity["unwrapped"]]
    pinned = distinguished(pinned, identity, others)
    named = [each for each in best_titles(identity) if each.container in pinned.containers]
    left = [each for each in alike if not disagreement(Target(pinned=pinned), each)]
    if len(left) > 1 and not pinned.item:
        # Equal items are distinguished from others at least.
        around = (each.container for each in best_titles(identity)[:1])
        pinned = pinned.model_copy(update={"containers": (*pinned.containers, *around)})
    numbers = [each["number"] for each in left]
    if len(left) > 1 and identity["unwrapped"] in numbers:
        place = f"{numbers.index(identity['unwrapped']) + 1} of {len(left)}"
        pinned = pinned.model_copy(update={"place": place})
    return pinned, title or next(iter(named), None)


def without_secrets(identity: dict[str, Any], data: Data) -> dict[str, Any]:
    """Return an identity without the titles of items that show a secret: one may be a part of it."""
    items = [
        item
        if not any(data.scrub(text) != text for text in item["says"])
        else {**item, "titles": []}
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
    scrubbed = map(data.scrub, codes)
    return tuple(code for code in scrubbed if not any(map(data.spelled_in, _texts_of(code))))


def _texts_of(code: str) -> list[str]:
    """Return the names, texts and selectors in the code of a locator."""
    texts: list[str] = []

    def collect(text: str, _: bool) -> str:
        texts.append(text)
        return text

    with suppress(Unreadable):
        map_texts(code, collect)
    return texts


def cut_secrets(name: str, data: Data) -> tuple[str, ...]:
    """Return the part of a secret that Playwright may leave in a locator, to be excluded from it.

    Playwright strips numbers from the ends of names, and masking would not recognize the rest.
    """
    return (name.strip("0123456789.,: "),) if data.scrub(name) != name else ()


def frame_code(frame: Frame) -> str:
    """Return the code prefix for locators in a frame, with a trailing dot; "" for the main frame."""
    if not frame.parent_frame:
        return ""
    return frame_prefix(str(frame.locator("body").normalize()))


_AT = r"(?:^|\.)"
_WEAK = (
    ("has_text=", 4),
    # A row's name is its whole text, unless its author named it.
    (_AT + r'get_by_role\("row", name="(?:[^"\\]|\\.)*"\)', 3),
    # A class or a tag.
    (_AT + r'locator\("(?!xpath=|#[\w-]+"|\[(?:name|data-[\w-]+)=)', 3),
    (_AT + r"get_by_text\([^)]*\d", 2),
    (_AT + r'locator\("xpath=following', 2),
    (_AT + r'(?:get_by_text\(|get_by_test_id\(|locator\("(?:xpath=ancestor|#|\[))', 1),
)
"""How easily changes break locators of patterns, the weakest first."""


def _weakness(code: str) -> int:
    """Return how easily unrelated changes break a locator: 0 for hardly, up to 5 for a position."""
    # The only element of a role is not alone for long.
    bare = 3 * (is_bare(code) and not re.search("name=|has=|get_by_text", code))
    own = code.removeprefix(frame_prefix(code))
    weak = next((weak for pattern, weak in _WEAK if re.search(pattern, own)), 0)
    return 5 if is_positional(code) else max(bare, weak)


def _candidates(
    node: Locator,
    frame: Frame,
    identity: dict[str, Any],
    role: str,
    name: str,
    title: Title,
    expected: Sequence[str],
) -> Iterator[str]:
    """Yield the code of candidate locators, roughly from best to worst."""
    prefix = frame_code(frame)
    part = _landmark_of(identity)
    within = f"{prefix}get_by_role({quote(part)})." if part else prefix
    own = f"get_by_role({quote(role)}" + (f", name={quote(name)}, exact=True)" if name else ")")
    yield from _by_playwright(node, identity, role, name, expected)
    if role and expected:
        if before := _name_before(name, expected):
            yield f"{prefix}get_by_role({quote(role)}, name={quote(before)})"
        yield f"{prefix}get_by_role({quote(role)})"
    if role and (name or identity["holds"]):
        yield f"{prefix}{own}"
    for selector in _author_selectors(identity):
        if selector.startswith(("[href", "[role")):
            yield f"{within}locator({quote(selector)}).filter(visible=True)"
        yield f"{prefix}locator({quote(selector)}).filter(visible=True)"
    yield from _in_item(identity, prefix, role, own, title, by_role=bool(expected))
    if role and name and part:
        yield f"{within}{own}"
    # The picture and the title of a card are links of one name.
    sides = ("has", "has_not") if role == "link" and name else ()
    yield from (f'{prefix}{own}.filter({side}=locator("img"))' for side in sides)
    yield from _after_label(identity, prefix)
    yield from _by_contents(identity, prefix, role, name, title, expected)
    yield from _by_path(identity, prefix, role)


def _by_playwright(
    node: Locator, identity: dict[str, Any], role: str, name: str, expected: Sequence[str]
) -> Iterator[str]:
    """Yield Playwright's own locator, unless a change of texts would make it another element's."""
    try:
        code = str(node.normalize())
    except Error:
        return
    # A position among texts shifts with each new text, and a locator by text loses the element when
    # its text changes, as that of a container does with each of its items.
    by_text = "get_by_text(" in code
    shifts = by_text and (is_positional(code) or bool(expected))
    by_content = identity["holds"] and (by_text or "has_text=" in code)
    if not (shifts or by_content):
        # An inexact name would also match longer names that appear later.
        end = f"get_by_role({quote(role)}, name={quote(name)})"
        yield code.removesuffix(end) + end[:-1] + ", exact=True)" if code.endswith(end) else code


def _by_contents(
    identity: dict[str, Any],
    prefix: str,
    role: str,
    name: str,
    title: Title,
    expected: Sequence[str],
) -> Iterator[str]:
    """Yield locators of what changes its content: by the heading above it, its words, its classes."""
    is_nameless = identity["holds"] and (identity["content"] or not name)
    loose = bool(expected) or is_nameless
    under = next((name for kind, name, _ in identity["containers"] if kind == "section"), "")
    # A number in a heading may change with the content under it.
    if (loose or not role) and under and not re.search(r"\d", under):
        heading = f'get_by_role("heading", name={quote(under)}, exact=True)'
        yield f'{prefix}{heading}.locator("xpath=following::{identity["element"]}[1]")'
    if expected and not title.itself:
        yield from _by_shape(identity, prefix, role, title)
    for each in identity["classes"] if loose else ():
        yield f"{prefix}locator({quote('.' + each)}).filter(visible=True)"


def _by_path(identity: dict[str, Any], prefix: str, role: str) -> Iterator[str]:
    if path := identity["path"]:
        outer = path.rpartition(" > ")[0]
        if role and outer:
            yield f"{prefix}locator({quote(outer)}).get_by_role({quote(role)})"
        yield f"{prefix}locator({quote(path)})"


def _in_item(
    identity: dict[str, Any], prefix: str, role: str, own: str, title: Title, *, by_role: bool
) -> Iterator[str]:
    """Yield locators within the row, item or card around an element; `own` is its locator there."""
    for box in _item_locators(title, identity["element"], role, identity["name"]):
        if title.itself:
            yield f"{prefix}{box}"
        if identity["column"] and "'" not in identity["column"] and identity["cell"] >= 0:
            yield f"{prefix}{box}.locator({quote(_column_cell_selector(identity['column']))})"
        if not role:
            yield f"{prefix}{box}.locator({quote(identity['element'])})"
            continue
        yield f"{prefix}{box}.{own}"
        if by_role:
            yield f"{prefix}{box}.get_by_role({quote(role)})"
        if identity["cell"] >= 0:
            yield f"{prefix}{box}.get_by_role({quote(role)}).nth({identity['cell']})"


def _after_label(identity: dict[str, Any], prefix: str) -> Iterator[str]:
    """Yield locators by the label text right before an element."""
    if identity["before"] and identity["cell"] < 0 and identity["beforeTag"] not in _HEADINGS:
        label = f"get_by_text({quote(identity['before'])}, exact=True)"
        for one in (label, f"locator({quote(identity['beforeTag'])}).and_({label})"):
            yield f'{prefix}{one}.locator("xpath=following-sibling::*[1]")'


def _landmark_of(identity: dict[str, Any]) -> str:
    """Return the landmark role of the part of the page around an element."""
    part = str(identity["marks"].get("in", ""))
    return _PARTS.get(part, part)


def _column_cell_selector(head: str) -> str:
    """Return a selector for the cell under a column head, independent of the column's position."""
    heads = f"ancestor::table[1]//th[normalize-space()='{head}']"
    return f"xpath=*[count(preceding-sibling::*) = count({heads}/preceding-sibling::*)]"


def _name_before(name: str, expected: Sequence[str]) -> str:
    """Return the words of a name before all expected texts."""
    ends = [name.find(folded(text)) for text in expected if text.strip()]
    rest = name[: min([end for end in ends if end >= 0], default=0)]
    return rest.strip(" \t([{:;,.-–—×x#") if re.search(r"[^\W\d_]{2}", rest) else ""


def _author_selectors(identity: dict[str, Any]) -> Iterator[str]:
    """Yield selectors by author-chosen attributes; those with digits are taken as generated."""
    marks = identity["marks"]
    if (
        (own := marks.get("id"))
        and re.fullmatch(r"[A-Za-z][\w-]*", own)
        and not _DIGITS.search(own)
    ):
        yield f"#{own}"
    for name in (*TEST_IDS, "name", "href", "role"):
        value = marks.get(name)
        if value and not re.search(r"\d", value) and not re.search(r'["\\?#]', value):
            yield f'[{name}="{value}"]'


def _item_locators(title: Title, element: str, role: str, name: str = "") -> Iterator[str]:
    """Yield locators for the item with a title around an element with a name."""
    kind, how, key = title.kind, title.how, title.text
    if not key or how == "value":
        return
    box = f"get_by_role({quote(kind)}"
    text = f"get_by_text({quote(key)}, exact=True)"
    if kind and how == "label":
        yield f"{box}, name={quote(key)}, exact=True)"
    elif kind and how in ("heading", "rowheader", "cell", "gridcell", "link"):
        yield f"{box}).filter(has=get_by_role({quote(how)}, name={quote(key)}, exact=True))"
    elif kind:
        yield f"{box}).filter(has={text})"
        yield f"{box}).filter(has_text={quote(key)})"
    if how not in ("label", "whole"):
        # Whatever the markup: the smallest part around the title that has such an element, and where
        # the title is one itself, such an element of the name.
        inner = f".//{element}" + (f" or .//*[@role='{role}']" if role else "")
        yield f"{text}.locator({quote(f'xpath=ancestor::*[{inner}][1]')})"
        if role and name and "'" not in name:
            such = f"self::{element} or @role='{role}'"
            inner = f".//*[{such}][normalize-space()='{name}' or @aria-label='{name}']"
            yield f"{text}.locator({quote(f'xpath=ancestor::*[{inner}][1]')})"


def _expects(code: str, title: Title, expected: Iterable[str]) -> bool:
    """Return whether a locator contains an expected text; the title of an item is none, whatever is in it."""
    rest = code.replace(quote(title.text), "") if title.itself else code
    return any(mentions(rest, text) for text in expected)


def mentions(code: str, text: str) -> bool:
    """Return whether the code of a locator contains a text, or the beginning of a long one."""
    words = text.split()
    return bool(words) and " ".join(words)[:20] in " ".join(code.replace('\\"', '"').split())
