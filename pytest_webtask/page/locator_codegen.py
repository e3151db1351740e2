"""Generation of readable locators that match one element and survive small changes of the page.

Playwright's own locator comes first, unless it identifies the element by its position, by the whole
text of its row or by its tag. Next come locators by the row, group or part of the page around it and
by the head of its column, then attributes and classes, and positions last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from playwright.sync_api import Error, Frame, Locator, Page, TimeoutError

from pytest_webtask.checks.text import escape
from pytest_webtask.data import Data
from pytest_webtask.page import dom
from pytest_webtask.page.frames import FRAME_TIMEOUT
from pytest_webtask.page.identity import BETWEEN, TEST_IDS, differs, signed
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
from pytest_webtask.page.recorded_element import DESCRIBED
from pytest_webtask.phrases import folded
from pytest_webtask.types.page import Signature, Target

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

BARE = {"anchors": ()} | dict.fromkeys(
    (
        "group",
        "key",
        "before",
        "under",
        "part",
        "dialog",
        "place",
        "text",
        "shape",
        "titled",
    ),
    "",
)
"""Overrides for an identity that must not depend on the element's surroundings."""


HIDDEN: dict[str, Any] = {"key": None, "near": (), "attributes": {}}
"""What no signature has where surroundings may be redacted."""


def locators_of(
    node: Locator,
    frame: Frame,
    identity: dict[str, Any],
    role: str,
    name: str,
    expected: Sequence[str] = (),
    *,
    shown: str = "",
) -> tuple[str, ...]:
    """Return the code of up to four locators of different kinds that match only this node, best first.

    The kinds are what a user sees of the element, what its author calls it, and what it is in or
    beside; a position only where there is nothing else. `identity` is the engine's description of the
    node; `role` and `name` are Playwright's. No locator contains any of the `expected` texts, which a
    check is about, except the last: where the element is recorded because it shows the text `shown`, it
    may be found by that. Where it is known `by_data`, that comes first.
    """
    codes = [
        code
        for code in dict.fromkeys(_candidates(node, frame, identity, role, name, expected))
        if not _expects(code, identity, expected)
    ]
    texts = list(_by_text(identity, frame_code(frame), role, shown)) if shown else []
    if called := identity.get("called"):
        group, how, key, _ = called
        box = next(_group_locators(group, how, key, identity["element"], role))
        texts.insert(0, f"{frame_code(frame)}{box}")
    known = _unique([*codes, *texts], frame.page, identity)
    # The order of the candidates decides between those of equal weakness.
    unique = sorted((code for code in codes if code in known), key=_weakness)
    kinds: dict[str, str] = {}
    for code in unique:
        kinds.setdefault(kind_of(code), code)
    best = [code for code in kinds.values() if _weakness(code) < _LAST_RESORT][:_MOST]
    by_text = [code for code in texts if code in known]
    if (identity.get("by_data") or called) and by_text:
        return (*by_text[:2], *(best or unique[:1]))
    # Where only a text identifies it, another locator lets a drift show what replaced it.
    last = unique[:1] if not best else []
    if last and identity["key"]:
        signature = signed(identity, named=not (expected or identity.get("titled")))
        last += _among(identity, frame, role, name, expected, signature)
    return (*best, *by_text[:1], *last)


def _by_text(identity: dict[str, Any], prefix: str, role: str, shown: str) -> Iterator[str]:
    """Yield locators by the text that an element shows: in its item, anywhere, in its part of the page."""
    texts = [f"get_by_text({quote(shown)}, exact=True)", f"get_by_text({quote(shown)})"]
    if role:
        texts.insert(0, f"get_by_role({quote(role)}, name={quote(shown)}, exact=True)")
    yield from _within_item(identity, prefix, role, texts)
    yield from (prefix + text for text in texts)
    if part := _landmark_of(identity):
        yield from (f"{prefix}get_by_role({quote(part)}).{text}" for text in texts)


def _by_shape(identity: dict[str, Any], prefix: str, role: str) -> Iterator[str]:
    """Yield locators by the words of an element with any numbers: in its item, and anywhere."""
    text = identity.get("text", "")
    if not re.search(r"\d", text) or len(text) > _LONGEST:
        return
    pattern = _shape_of(text)
    shapes = [f"get_by_text(re.compile({pattern}))"]
    if role:
        shapes.insert(0, f"get_by_role({quote(role)}, name=re.compile({pattern}))")
    yield from _within_item(identity, prefix, role, shapes)
    # A number alone is anywhere.
    if re.search(r"[^\W\d_]{2}", text):
        yield from (prefix + shape for shape in shapes)


def _within_item(
    identity: dict[str, Any], prefix: str, role: str, codes: Sequence[str]
) -> Iterator[str]:
    """Yield locators of the codes in the item around an element."""
    if identity["key"] and identity["how"] != "value":
        group, how, element = identity["group"], identity["how"], identity["element"]
        for box in _group_locators(group, how, identity["key"], element, role):
            yield from (f"{prefix}{box}.{code}" for code in codes)


def _shape_of(text: str) -> str:
    """Return the pattern of a text with any numbers, in quotation marks."""
    pieces = re.findall(r"\d[\d.,]*| |[^\d ]+", text)
    marks = {" ": r"\s+"}
    words = (marks.get(each) or (_NUMBER if each[0].isdigit() else escape(each)) for each in pieces)
    return quote(f"^\\s*{''.join(words)}\\s*$")


def _among(
    identity: dict[str, Any],
    frame: Frame,
    role: str,
    name: str,
    expected: Sequence[str],
    signature: Signature,
) -> list[str]:
    """Return a locator of several elements of which only the node has the signature, if there is one."""
    prefix = frame_code(frame)
    codes = [f"{prefix}locator({quote('.' + each)})" for each in identity["classes"]]
    if role and identity.get("titled"):
        group, how, element = identity["group"], identity["how"], identity["element"]
        codes = [f"{prefix}{next(_group_locators(group, how, identity['key'], element, role))}"]
    elif role:
        codes.insert(0, named_code(prefix, role, name))
    codes = [code for code in codes if not _expects(code, identity, expected)]
    if not codes:
        return []
    inner = [locate(code.replace(prefix, ""), frame.page) for code in codes[1:]]
    try:
        answers = dom.ask(frame.page, locate(codes[0], frame.page), inner)
    except Error:
        return []
    for code, answer in zip(codes, answers, strict=True):
        fits = [each for each in answer["elements"] if not differs(signature, each)]
        own = [each["number"] for each in fits] == [identity["unwrapped"]]
        if own and answer["count"] <= DESCRIBED:
            return [code]
    return []


def _twins(frame: Frame, signature: Signature, role: str, name: str) -> int:
    """Return the number of elements with a signature, 1 if it is not known."""
    with suppress(Error):
        [answer] = dom.ask(
            frame.page, locate(named_code(frame_code(frame), role, name), frame.page), ()
        )
        if answer["count"] <= DESCRIBED:
            return max(1, sum(not differs(signature, each) for each in answer["elements"]))
    return 1


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


def target_of(
    node: Locator,
    frame: Frame,
    identity: dict[str, Any],
    data: Data,
    role: str,
    name: str,
    *,
    redacted: bool = False,
    expected: Sequence[str] = (),
) -> Target:
    """Return the target of a node, without its name if it is `redacted`.

    The locator contains none of the `expected` texts, which a check is about.
    """
    # The surroundings of the node may be redacted, too.
    bare = data.redact.has_locators
    identity = identity | (BARE if bare else {})
    expected = (*expected, *cut_secrets(identity["name"], data))
    codes = locators_of(node, frame, identity, role, name, expected)
    # Not by a title or a shape that others have, too.
    plain, shape = identity.get("plain"), identity.get("shape", "")
    mark = quote(identity["key"]) if plain else _shape_of(shape) if shape else ""
    if mark not in "".join(codes):
        identity, shape = (plain or identity) | {"shape": ""}, ""
        codes = locators_of(node, frame, identity, role, name, expected)
    hidden = {**HIDDEN, "column": None} if bare else {}
    identity["attributes"] |= {"shape": shape} if shape else {}
    is_named = not (redacted or shape or identity.get("titled"))
    signature = signed(identity, named=is_named).model_copy(update=hidden)
    if signature.key and identity["under"] and codes and all(map(is_positional, codes)):
        # Another item has the same name: under another heading.
        under = {**signature.attributes, "under": identity["under"]}
        signature = signature.model_copy(update={"attributes": under})
        codes = (*codes, *_among(identity, frame, role, name, expected, signature))
    if role and not expected and codes and all(map(is_positional, codes)):
        twins = {"twins": str(_twins(frame, signature, role, name))}
        if twins["twins"] != "1":
            attributes = {**signature.attributes, **twins}
            signature = signature.model_copy(update={"attributes": attributes})
    # A recording keeps what identifies the element of these.
    item = BETWEEN.join(text for *_, text, _ in identity["anchors"])
    noted = {"item": item, "names": identity["dialog"], "place": identity["place"]}
    attributes = {**signature.attributes, **{n: text for n, text in noted.items() if text}}
    signature = signature.model_copy(update={"attributes": attributes})
    around = tuple(filter(None, (identity["under"], identity["part"])))
    signature = signature.model_copy(update={"around": around})
    return recordable_target(codes, signature, data)


def recordable_target(codes: Sequence[str], signature: Signature, data: Data) -> Target:
    """Return a target without secrets."""
    scrubbed = data.scrub_all(signature.model_dump())
    return Target(locators=recordable(codes, data), signature=Signature(**scrubbed))


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
    expected: Sequence[str],
) -> Iterator[str]:
    """Yield the code of candidate locators, roughly from best to worst."""
    try:
        code = str(node.normalize())
    except Error:
        code = ""
    # A position among texts shifts with each new text, and a locator by text loses the element when
    # its text changes, as that of a container does with each of its items.
    by_text = "get_by_text(" in code
    shifts = by_text and (is_positional(code) or bool(expected))
    by_content = identity["holds"] and (by_text or "has_text=" in code)
    if code and not (shifts or by_content):
        # An inexact name would also match longer names that appear later.
        end = f"get_by_role({quote(role)}, name={quote(name)})"
        yield code.removesuffix(end) + end[:-1] + ", exact=True)" if code.endswith(end) else code
    prefix = frame_code(frame)
    if role and expected:
        if before := _name_before(name, expected):
            yield f"{prefix}get_by_role({quote(role)}, name={quote(before)})"
        yield f"{prefix}get_by_role({quote(role)})"
    part = _landmark_of(identity)
    within = f"{prefix}get_by_role({quote(part)})." if part else prefix
    own = _own(identity, role, name)
    if role and (name or identity["holds"]):
        yield f"{prefix}{own}"
    for selector in _author_selectors(identity):
        if selector.startswith(("[href", "[role")):
            yield f"{within}locator({quote(selector)}).filter(visible=True)"
        yield f"{prefix}locator({quote(selector)}).filter(visible=True)"
    yield from _in_group(identity, prefix, role, own, bool(expected))
    if role and name and part:
        yield f"{within}{own}"
    # The picture and the title of a card are links of one name.
    sides = ("has", "has_not") if role == "link" and name else ()
    yield from (f'{prefix}{own}.filter({side}=locator("img"))' for side in sides)
    yield from _after_label(identity, prefix)
    # A number in a heading may change with the content under it.
    is_nameless = identity["holds"] and (identity["content"] or not name)
    loose = bool(expected) or is_nameless
    if (loose or not role) and identity["under"] and not re.search(r"\d", identity["under"]):
        heading = f'get_by_role("heading", name={quote(identity["under"])}, exact=True)'
        yield f'{prefix}{heading}.locator("xpath=following::{identity["element"]}[1]")'
    if expected and not identity.get("titled"):
        yield from _by_shape(identity, prefix, role)
    for name in identity["classes"] if loose else ():
        yield f"{prefix}locator({quote('.' + name)}).filter(visible=True)"
    if path := identity["path"]:
        outer = path.rpartition(" > ")[0]
        if role and outer:
            yield f"{prefix}locator({quote(outer)}).get_by_role({quote(role)})"
        yield f"{prefix}locator({quote(path)})"


def _own(identity: dict[str, Any], role: str, name: str) -> str:
    """Return the locator of an element by its role and what it is called, with no part of the page before it."""
    if shape := identity.get("shape"):
        return f"get_by_role({quote(role)}, name=re.compile({_shape_of(shape)}))"
    return f"get_by_role({quote(role)}" + (f", name={quote(name)}, exact=True)" if name else ")")


def _in_group(
    identity: dict[str, Any], prefix: str, role: str, own: str, by_role: bool
) -> Iterator[str]:
    """Yield locators within the row, group or card around an element; `own` is its locator there."""
    group, how, key = identity["group"], identity["how"], identity["key"]
    if not key or how == "value":
        return
    for box in _group_locators(group, how, key, identity["element"], role, identity["name"]):
        if identity.get("titled"):
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
    if identity["before"] and identity["cell"] < 0 and identity["label"] not in _HEADINGS:
        label = f"get_by_text({quote(identity['before'])}, exact=True)"
        for one in (label, f"locator({quote(identity['label'])}).and_({label})"):
            yield f'{prefix}{one}.locator("xpath=following-sibling::*[1]")'


def _landmark_of(identity: dict[str, Any]) -> str:
    """Return the landmark role of the part of the page around an element."""
    part = str(identity["attributes"].get("in", ""))
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
    attributes = identity["attributes"]
    if (
        (own := attributes.get("id"))
        and re.fullmatch(r"[A-Za-z][\w-]*", own)
        and not _DIGITS.search(own)
    ):
        yield f"#{own}"
    for name in (*TEST_IDS, "name", "href", "role"):
        value = attributes.get(name)
        if value and not re.search(r"\d", value) and not re.search(r'["\\?#]', value):
            yield f'[{name}="{value}"]'


def _group_locators(
    group: str, how: str, key: str, element: str, role: str, name: str = ""
) -> Iterator[str]:
    """Yield locators for the row, group or card with a key around an element with a name."""
    box = f"get_by_role({quote(group)}"
    title = f"get_by_text({quote(key)}, exact=True)"
    if group and how == "label":
        yield f"{box}, name={quote(key)}, exact=True)"
    elif group and how in ("heading", "rowheader", "cell", "gridcell", "link"):
        yield f"{box}).filter(has=get_by_role({quote(how)}, name={quote(key)}, exact=True))"
    elif group:
        yield f"{box}).filter(has={title})"
        yield f"{box}).filter(has_text={quote(key)})"
    if how not in ("label", "whole"):
        # Whatever the markup: the smallest part around the title that has such an element, and where
        # the title is one itself, such an element of the name.
        inner = f".//{element}" + (f" or .//*[@role='{role}']" if role else "")
        yield f"{title}.locator({quote(f'xpath=ancestor::*[{inner}][1]')})"
        if role and name and "'" not in name:
            such = f"self::{element} or @role='{role}'"
            inner = f".//*[{such}][normalize-space()='{name}' or @aria-label='{name}']"
            yield f"{title}.locator({quote(f'xpath=ancestor::*[{inner}][1]')})"


def _expects(code: str, identity: Mapping[str, Any], expected: Iterable[str]) -> bool:
    """Return whether a locator contains an expected text; the title of an item is none, whatever is in it."""
    rest = code.replace(quote(identity["key"]), "") if identity.get("titled") else code
    return any(mentions(rest, text) for text in expected)


def mentions(code: str, text: str) -> bool:
    """Return whether the code of a locator contains a text, or the beginning of a long one."""
    words = text.split()
    return bool(words) and " ".join(words)[:20] in " ".join(code.replace('\\"', '"').split())
