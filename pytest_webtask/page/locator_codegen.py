"""A readable locator that finds one very element, and goes on finding it when the page changes a little.

Playwright's own comes first, unless it tells the element by its place, by all that its row says or
by its tag; then one by the row, group or part of the page that it stands in, and by the head of its
column. Attributes and classes come after these, places last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from playwright.sync_api import Error, Frame, Locator

from pytest_webtask.data import Data
from pytest_webtask.page import dom
from pytest_webtask.page.locator_parser import (
    Unreadable,
    is_positional,
    locate,
    parse_locator,
    quote,
)
from pytest_webtask.page.recorded_element import signed
from pytest_webtask.types.agent import Signature, Target

_DIGITS = re.compile(r"\d{3}")
_PARTS = {
    "nav": "navigation",
    "header": "banner",
    "footer": "contentinfo",
    "aside": "complementary",
}
"""The roles of parts of the page that have them by their tags."""
_CONTROLS = frozenset(("a", "button", "input", "select", "textarea"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_BARE = "form:not(:has(label))"
"""A form without fields, for its button alone."""
_APART = ("article", "section", "li", "table", "form")
"""Parts in which there may be others of the kind, of those that stand in none of them."""

__all__ = ["BARE", "address_of", "frame_code", "is_node", "target_of"]

BARE = {"group": "", "before": "", "under": ""}
"""What `who` tells of an element that must not be told by what stands around it."""


def address_of(
    node: Locator, frame: Frame, who: dict[str, Any], role: str, name: str, said: Sequence[str] = ()
) -> str:
    """The code of a locator that finds just this node, "" where there is none.

    `who` is what the engine tells of it, `role` and `name` are Playwright's for it. `said` are
    texts that must not tell it, since a check expects them.
    """
    found: list[tuple[int, str]] = []
    for code in _ways(node, frame, who, role, name, said):
        if any(_holds(code, text) for text in said):
            continue
        try:
            weakness = _weakness(code)
            if found and min(found)[0] <= weakness:
                continue
            if not is_node(locate(code, frame.page), who):
                continue
        except (Unreadable, Error):
            continue
        if not weakness:
            return code
        found.append((weakness, code))
    return min(found)[1] if found else ""


def is_node(locator: Locator, who: dict[str, Any]) -> bool:
    """Whether a locator finds that node and no other."""
    try:
        # What matches nothing would be waited for.
        found: Any = dom.call(locator, "who") if locator.count() == 1 else {}
    except Error:
        return False
    here = (found.get("document"), found.get("number"))
    return here == (who["document"], who["number"])


def target_of(
    node: Locator,
    frame: Frame,
    who: dict[str, Any],
    data: Data,
    role: str,
    name: str,
    *,
    redacted: bool = False,
    said: Sequence[str] = (),
) -> Target:
    """How a node is found again; `redacted` says that its name must not be told.

    `said` are texts that must not tell it.
    """
    hidden: dict[str, Any] = {}
    if data.redact.has_locators:
        # What stands around it may be redacted, too.
        who = {**who, **BARE}
        hidden = {"near": (), "attributes": {}, "key": None}
    code = address_of(node, frame, who, role, name, (*said, *cut_secrets(who["name"], data)))
    told = signed(who, named=not redacted).model_copy(update=hidden)
    scrubbed = data.scrub_all(told.model_dump())
    return Target.of(data.scrub(code), Signature(**scrubbed))


def cut_secrets(name: str, data: Data) -> tuple[str, ...]:
    """Return what must not tell an element whose name holds a secret.

    Playwright cuts numbers off the ends of names, and what is left of a secret is not found in code.
    """
    return (name.strip("0123456789.,: "),) if data.scrub(name) != name else ()


def frame_code(frame: Frame) -> str:
    """The code that leads into a frame, with a dot at its end; "" for the page itself."""
    if not frame.parent_frame:
        return ""
    return _prefix(str(frame.locator("body").normalize()))


def _weakness(code: str) -> int:
    """How soon a change of the page that is none of the element makes a locator useless: 0 is best."""
    if is_positional(code):
        return 5
    if "has_text=" in code:
        return 4
    weakness = 0
    for method, args, options in parse_locator(code):
        if method == "content_frame":
            weakness = 0
        elif method == "get_by_role" and args[0] == "row" and "name" in options:
            # Its name is all that stands in it, unless its author gave it one.
            weakness = max(weakness, 0 if options.get("exact") else 3)
        elif method == "get_by_text" and re.search(r"\d", str(args[0])):
            weakness = max(weakness, 2)
        elif method == "locator":
            weakness = max(weakness, _weakness_of(args[0]))
    return weakness


def _weakness_of(selector: str) -> int:
    if selector.startswith("xpath=following::") or selector == _BARE:
        return 2
    if selector.startswith("xpath=") or re.fullmatch(r"[a-z]+", selector):
        return 0 if selector not in _CONTROLS else 3
    return 1 if re.fullmatch(r"#[\w-]+|\[(name|data-[\w-]+)=[^\]]+\]", selector) else 3


def _ways(
    node: Locator, frame: Frame, who: dict[str, Any], role: str, name: str, said: Sequence[str]
) -> Iterator[str]:
    try:
        code = str(node.normalize())
    except Error:
        code = ""
    # A text by its place is anywhere as soon as another one comes before it; and what is told by
    # its text cannot say anything else.
    loose = code and "get_by_text(" in code and (is_positional(code) or bool(said))
    if code and not loose:
        # The name is compared whole anyway, and others may come that contain it.
        end = f"get_by_role({quote(role)}, name={quote(name)})"
        yield code.removesuffix(end) + end[:-1] + ", exact=True)" if code.endswith(end) else code
    prefix = _prefix(code) if code or not frame.parent_frame else frame_code(frame)
    if role and said:
        # Told by what it says it would be lost as soon as it says something else.
        if rest := _before(name, said):
            yield f"{prefix}get_by_role({quote(role)}, name={quote(rest)})"
        yield f"{prefix}get_by_role({quote(role)})"
        for outer in who["parents"]:
            yield f"{prefix}get_by_role({quote(outer)}).get_by_role({quote(role)})"
        if who["level"]:
            yield f'{prefix}get_by_role("heading", level={who["level"]})'
    part = _part_of(who)
    within = f"{prefix}get_by_role({quote(part)})." if part else prefix
    for selector in _own_names(who):
        if selector.startswith(("[href", "[role")):
            yield f"{within}locator({quote(selector)}).filter(visible=True)"
        yield f"{prefix}locator({quote(selector)}).filter(visible=True)"
    group, how, key = who["group"], who["how"], who["anchor"]
    own = f"get_by_role({quote(role)}" + (f", name={quote(name)}, exact=True)" if name else ")")
    if group and key and how != "value":
        for box in _boxes(group, how, key):
            if who["column"] and "'" not in who["column"] and who["cell"] >= 0:
                yield f"{prefix}{box}.locator({quote(_in_column(who['column']))})"
            if role:
                yield f"{prefix}{box}.{own}"
            if role and said:
                yield f"{prefix}{box}.get_by_role({quote(role)})"
            if role and who["cell"] >= 0:
                yield f"{prefix}{box}.get_by_role({quote(role)}).nth({who['cell']})"
            elif not role:
                yield f"{prefix}{box}.locator({quote(who['element'])})"
    if role and name and part:
        yield f"{within}{own}"
    if who["before"] and who["cell"] < 0 and who["label"] not in _HEADINGS:
        label = f"get_by_text({quote(who['before'])}, exact=True)"
        for one in (label, f"locator({quote(who['label'])}).and_({label})"):
            yield f'{prefix}{one}.locator("xpath=following-sibling::*[1]")'
    if said and role:
        yield from _apart(who, prefix, within, role)
    if (said or not role) and who["under"] and not re.search(r"\d", who["under"]):
        # It may change with what stands under it where it tells a number.
        heading = f'get_by_role("heading", name={quote(who["under"])}, exact=True)'
        yield f'{prefix}{heading}.locator("xpath=following::{who["element"]}[1]")'
    if said:
        for name in who["classes"]:
            yield f"{prefix}locator({quote('.' + name)}).filter(visible=True)"
    if loose and not said:
        yield code


def _part_of(who: dict[str, Any]) -> str:
    """The role of the part of the page that it stands in."""
    part = str(who["attributes"].get("in", ""))
    return _PARTS.get(part, part)


def _apart(who: dict[str, Any], prefix: str, within: str, role: str) -> Iterator[str]:
    """Its kind, of which others are elsewhere."""
    kind = f"{within}get_by_role({quote(role)})"
    for outer in who["parents"]:
        inner = f"get_by_role({quote(outer)})"
        yield f"{within}{inner}.get_by_role({quote(role)})"
        yield f"{prefix}{inner}.locator({quote(_BARE)}).get_by_role({quote(role)})"
    for tag in _APART:
        yield f'{kind}.and_({prefix}locator(":not({tag} *)"))'
    if not who["under"]:
        for level in (1, 2):
            before = f"xpath=//*[not(preceding::h{level})]"
            yield f"{kind}.and_({prefix}locator({quote(before)}))"


def _in_column(head: str) -> str:
    """The cell of a row that stands under a head, wherever that column is."""
    heads = f"ancestor::table[1]//th[normalize-space()='{head}']"
    return f"xpath=*[count(preceding-sibling::*) = count({heads}/preceding-sibling::*)]"


def _before(name: str, said: Sequence[str]) -> str:
    """The words of a name that stand before all that is said."""
    ends = [name.find(" ".join(text.split())) for text in said if text.strip()]
    rest = name[: min([end for end in ends if end >= 0], default=0)]
    return rest.strip(" \t([{:;,.-–—×x#") if re.search(r"[^\W\d_]{2}", rest) else ""


def _own_names(who: dict[str, Any]) -> Iterator[str]:
    """Selectors by which its author may tell an element: generated ones have digits."""
    attributes = who["attributes"]
    if (
        (own := attributes.get("id"))
        and re.fullmatch(r"[A-Za-z][\w-]*", own)
        and not _DIGITS.search(own)
    ):
        yield f"#{own}"
    for name in ("name", "href", "role"):
        value = attributes.get(name)
        if value and not re.search(r"\d", value) and not re.search(r'["\\?#]', value):
            yield f'[{name}="{value}"]'


def _boxes(group: str, how: str, key: str) -> Iterator[str]:
    """The row or group of that key."""
    box = f"get_by_role({quote(group)}"
    if how == "label":
        yield f"{box}, name={quote(key)}, exact=True)"
    elif how in ("heading", "rowheader", "cell", "gridcell", "link"):
        yield f"{box}).filter(has=get_by_role({quote(how)}, name={quote(key)}, exact=True))"
    else:
        yield f"{box}).filter(has=get_by_text({quote(key)}, exact=True))"
        yield f"{box}).filter(has_text={quote(key)})"


def _prefix(code: str) -> str:
    before, dot, _ = code.rpartition("content_frame.")
    return before + dot


def _holds(code: str, text: str) -> bool:
    words = text.split()
    return bool(words) and " ".join(words)[:20] in " ".join(code.replace('\\"', '"').split())
