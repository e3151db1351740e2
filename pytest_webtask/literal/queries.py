"""Playwright locators for a name with their code, and the scripts that choose among them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import reduce
from typing import Any

from playwright.sync_api import Frame, Locator

from pytest_webtask.checks.text import decorated, whole_words
from pytest_webtask.page import dom
from pytest_webtask.page.locator_parser import HAS_NUMBER


def run_match(frame: Frame, function: str, *ways: Locator, **given: Any) -> Any:
    """Call a function of `match.js` with the elements of each locator and what it is given."""
    if not ways:
        return dom.call(frame, function, {"ways": 0, "given": given}, engine=dom.MATCH)
    return dom.ask(frame, ways[0], ways[1:], engine=dom.MATCH, verb=function, given=given)


Scope = Frame | Locator


class Rank(IntEnum):
    """The quality of a name match, best first.

    DECORATED is the name with signs, a count or a badge around it, PART a longer name with its words.
    """

    EXACT = 0
    CASELESS = 1
    DECORATED = 2
    PART = 3


NAMES = (Rank.EXACT, Rank.CASELESS, Rank.DECORATED)
"""The ranks at which an element has the name."""


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

    def or_(self, other: Query) -> Query:
        """Return the query for the elements of both."""
        return Query(self.locator.or_(other.locator), f"{self.code}.or_({other.code})", self.rank)

    def inner(self, css: str) -> Query:
        """Return the query for a CSS or XPath selector below the elements."""
        code = f"{self.code}.locator({json.dumps(css)})"
        return Query(self.locator.locator(css), code, self.rank)


def query(
    scope: Scope, sources: Sequence[str], name: str, rank: Rank, *, prefix: str = ""
) -> Query:
    """Return the query for elements with a name, from any of the sources; see `Fit.groups`."""

    def union(pattern: str | re.Pattern[str]) -> Query:
        ways = (_source_query(scope, each, pattern, prefix) for each in sources)
        return replace(reduce(Query.or_, ways), rank=rank)

    if rank is Rank.EXACT:
        return union(name)
    if rank is Rank.DECORATED:
        return union(decorated(name)).or_(union(decorated(name, badge=True)).inner(HAS_NUMBER))
    return union(whole_words(name, whole=rank is Rank.CASELESS, anycase=True))


def css(scope: Scope, selector: str, *, prefix: str = "") -> Query:
    """Return the query for a selector."""
    return Query(scope.locator(selector), f"{prefix}locator({json.dumps(selector)})")


def frame_code(frame: Frame) -> str:
    """Return the prefix of a locator's code in this frame, "" in the page itself."""
    if not frame.parent_frame:
        return ""
    return f"frame(name={frame.name!r})." if frame.name else f"frame(url={frame.url!r})."


_BY = {
    "text": "get_by_text",
    "label-text": "get_by_text",
    "label": "get_by_label",
    "alt": "get_by_alt_text",
    "title": "get_by_title",
    "placeholder": "get_by_placeholder",
}
"""The method of Playwright's for a source; any other is a role."""


def _source_query(scope: Scope, source: str, pattern: str | re.Pattern[str], prefix: str) -> Query:
    exact: dict[str, Any] = {}
    if isinstance(pattern, str):
        exact, code = {"exact": True}, f"{json.dumps(pattern, ensure_ascii=False)}, exact=True"
    else:
        code = f"re.compile({pattern.pattern!r}, re.I)"
    if source == "own-text":
        # The element's own text, without that of its children: `<li>Mug <button>Buy</button>`.
        own = f"text={json.dumps(pattern, ensure_ascii=False)}"
        return Query(scope.locator(own), f"{prefix}locator({own!r})")
    if method := _BY.get(source):
        return Query(getattr(scope, method)(pattern, **exact), f"{prefix}{method}({code})")
    role: Any = source
    if source == "file":
        # Playwright calls a file input a button; it may be hidden behind a nicer one.
        role, exact, code = (
            "button",
            {**exact, "include_hidden": True},
            f"{code}, include_hidden=True",
        )
    locator = scope.get_by_role(role, name=pattern, **exact)
    return Query(locator, f'{prefix}get_by_role("{role}", name={code})')
