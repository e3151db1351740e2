"""Playwright locators for a name with their code, and the scripts that choose among them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

from playwright.sync_api import Frame, Locator

from pytest_webtask.page import dom


def run_match(frame: Frame, function: str, *ways: Locator, **given: Any) -> Any:
    """Call a function of `match.js` with the elements of each locator and what it is given."""
    if not ways:
        return dom.call(frame, function, {"ways": 0, "given": given}, engine=dom.MATCH)
    return dom.ask(frame, ways[0], ways[1:], engine=dom.MATCH, verb=function, given=given)


Scope = Frame | Locator


class Rank(IntEnum):
    """The quality of a name match, best first."""

    EXACT = 0
    CASELESS = 1
    PART = 2


@dataclass(frozen=True)
class Query:
    """A locator and its Python code."""

    locator: Locator
    code: str
    rank: Rank = Rank.EXACT

    def nth(self, index: int) -> Query:
        """Return the query for the element at an index."""
        return Query(self.locator.nth(index), f"{self.code}.nth({index})", self.rank)

    def visible(self) -> Query:
        """Return the query for the visible ones."""
        return Query(
            self.locator.filter(visible=True), f"{self.code}.filter(visible=True)", self.rank
        )

    def inner(self, css: str) -> Query:
        """Return the query for a CSS or XPath selector below the elements."""
        code = f"{self.code}.locator({json.dumps(css)})"
        return Query(self.locator.locator(css), code, self.rank)


def query(
    scope: Scope, sources: Sequence[str], name: str, rank: Rank, *, prefix: str = ""
) -> Query:
    """Return the query for elements with a name, from any of the sources; see `Fit.groups`."""
    queries = [_source_query(scope, source, name, rank, prefix) for source in sources]
    union = queries[0]
    for other in queries[1:]:
        union = Query(union.locator.or_(other.locator), f"{union.code}.or_({other.code})", rank)
    return replace(union, rank=rank)


def css(scope: Scope, selector: str, *, prefix: str = "") -> Query:
    """Return the query for a selector."""
    return Query(scope.locator(selector), f"{prefix}locator({json.dumps(selector)})")


def frame_code(frame: Frame) -> str:
    """Return the prefix of a locator's code in this frame, "" in the page itself."""
    if not frame.parent_frame:
        return ""
    return f"frame(name={frame.name!r})." if frame.name else f"frame(url={frame.url!r})."


def _source_query(scope: Scope, source: str, name: str, rank: Rank, prefix: str) -> Query:
    pattern: str | re.Pattern[str] = name
    code = json.dumps(name, ensure_ascii=False)
    exact = rank is Rank.EXACT
    if rank is Rank.CASELESS:
        words = r"\s+".join(map(re.escape, name.split()))
        pattern = re.compile(rf"^\s*{words}\s*$", re.IGNORECASE)
        code = f"re.compile({pattern.pattern!r}, re.I)"
    more = ", exact=True" if exact else ""
    if source == "own-text":
        # The element's own text, without that of its children: `<li>Mug <button>Buy</button>`.
        own = f"text={json.dumps(name, ensure_ascii=False)}"
        return Query(scope.locator(own), f"{prefix}locator({own!r})")
    if source == "text" or source == "label-text":
        return Query(scope.get_by_text(pattern, exact=exact), f"{prefix}get_by_text({code}{more})")
    if source == "label":
        return Query(
            scope.get_by_label(pattern, exact=exact), f"{prefix}get_by_label({code}{more})"
        )
    if source == "alt":
        locator = scope.get_by_alt_text(pattern, exact=exact)
        return Query(locator, f"{prefix}get_by_alt_text({code}{more})")
    if source == "title":
        return Query(
            scope.get_by_title(pattern, exact=exact), f"{prefix}get_by_title({code}{more})"
        )
    if source == "placeholder":
        locator = scope.get_by_placeholder(pattern, exact=exact)
        return Query(locator, f"{prefix}get_by_placeholder({code}{more})")
    if source == "file":
        # Playwright calls a file input a button; it may be hidden behind a nicer one.
        locator = scope.get_by_role("button", name=pattern, exact=exact, include_hidden=True)
        more += ", include_hidden=True"
        return Query(locator, f'{prefix}get_by_role("button", name={code}{more})')
    locator = scope.get_by_role(source, name=pattern, exact=exact)  # type: ignore[arg-type]
    return Query(locator, f'{prefix}get_by_role("{source}", name={code}{more})')
