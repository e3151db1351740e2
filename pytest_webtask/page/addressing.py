"""A readable locator that finds one very element, and goes on finding it when the page changes a little.

Playwright's own comes first, unless it tells the element by its place or by all that its row says;
then one by the name of the row or group that it stands in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from playwright.sync_api import Error, Frame, Locator

from pytest_webtask.data import Data
from pytest_webtask.page import engine
from pytest_webtask.page.locators import Unreadable, is_positional, locate, quoted
from pytest_webtask.page.recalled import signed
from pytest_webtask.records import Signature, Target

_DIGITS = re.compile(r"\d{3}")

__all__ = ["address_of", "frame_code", "is_node", "target_of"]


def address_of(
    node: Locator, frame: Frame, who: dict[str, Any], role: str, name: str, said: Sequence[str] = ()
) -> str:
    """The code of a locator that finds just this node, "" where there is none.

    `who` is what the engine tells of it, `role` and `name` are Playwright's for it. `said` are
    texts that must not tell it, since a check expects them.
    """
    last: list[str] = []
    for code in _ways(node, frame, who, role, name, said):
        if any(_holds(code, text) for text in said):
            continue
        try:
            weak = is_positional(code) or "has_text=" in code
            if not is_node(locate(code, frame.page), who):
                continue
        except (Unreadable, Error):
            continue
        if not weak:
            return code
        last.append(code)
    return last[0] if last else ""


def is_node(locator: Locator, who: dict[str, Any]) -> bool:
    """Whether a locator finds that node and no other."""
    try:
        # What matches nothing would be waited for.
        found: Any = engine.call(locator, "who") if locator.count() == 1 else {}
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
        who = {**who, "group": ""}
        hidden = {"near": (), "attributes": {}, "key": None}
    code = address_of(node, frame, who, role, name, said)
    told = signed(who, named=not redacted).model_copy(update=hidden)
    scrubbed = data.scrub_all(told.model_dump())
    return Target(locator=data.scrub(code), signature=Signature(**scrubbed))


def frame_code(frame: Frame) -> str:
    """The code that leads into a frame, with a dot at its end; "" for the page itself."""
    if not frame.parent_frame:
        return ""
    return _prefix(str(frame.locator("body").normalize()))


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
        end = f"get_by_role({quoted(role)}, name={quoted(name)})"
        yield code.removesuffix(end) + end[:-1] + ", exact=True)" if code.endswith(end) else code
    prefix = _prefix(code) if code or not frame.parent_frame else frame_code(frame)
    if role and said:
        # Told by what it says it would be lost as soon as it says something else.
        if rest := _before(name, said):
            yield f"{prefix}get_by_role({quoted(role)}, name={quoted(rest)})"
        yield f"{prefix}get_by_role({quoted(role)})"
        for outer in who["parents"]:
            yield f"{prefix}get_by_role({quoted(outer)}).get_by_role({quoted(role)})"
        if who["level"]:
            yield f'{prefix}get_by_role("heading", level={who["level"]})'
    for selector in _own_names(who):
        yield f"{prefix}locator({quoted(selector)}).filter(visible=True)"
    group, how, key = who["group"], who["how"], who["anchor"]
    own = f"get_by_role({quoted(role)}" + (f", name={quoted(name)}, exact=True)" if name else ")")
    if group and key and role and how != "value":
        for box in _boxes(group, how, key):
            yield f"{prefix}{box}.{own}"
            if said:
                yield f"{prefix}{box}.get_by_role({quoted(role)})"
            if who["cell"] >= 0:
                yield f"{prefix}{box}.get_by_role({quoted(role)}).nth({who['cell']})"
    if said:
        for name in who["classes"]:
            yield f"{prefix}locator({quoted('.' + name)}).filter(visible=True)"
    if who["before"] and who["cell"] < 0:
        label = f"get_by_text({quoted(who['before'])}, exact=True)"
        for one in (label, f"locator({quoted(who['label'])}).and_({label})"):
            yield f'{prefix}{one}.locator("xpath=following-sibling::*[1]")'
    if loose and not said:
        yield code


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
    box = f"get_by_role({quoted(group)}"
    if how == "label":
        yield f"{box}, name={quoted(key)}, exact=True)"
    elif how in ("heading", "rowheader", "cell", "gridcell", "link"):
        yield f"{box}).filter(has=get_by_role({quoted(how)}, name={quoted(key)}, exact=True))"
    else:
        yield f"{box}).filter(has=get_by_text({quoted(key)}, exact=True))"
        yield f"{box}).filter(has_text={quoted(key)})"


def _prefix(code: str) -> str:
    before, dot, _ = code.rpartition("content_frame.")
    return before + dot


def _holds(code: str, text: str) -> bool:
    words = text.split()
    return bool(words) and " ".join(words)[:20] in " ".join(code.replace('\\"', '"').split())
