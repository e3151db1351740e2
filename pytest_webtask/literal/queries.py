"""Playwright locators for a name with their code, and the scripts that choose among them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache
from pathlib import Path

from playwright.sync_api import Frame, Locator

_FOLDER = Path(__file__).parent / "js"


@cache
def script(parameters: str, call: str, *files: str) -> str:
    """Return a function of these parameters that returns `call`, with what the files define."""
    sources = "\n".join((_FOLDER / f"{name}.js").read_text("utf-8") for name in ("base", *files))
    # Every call sends the whole of it: comments and indentation would be most of the traffic.
    body = re.sub(r"^(?:\s+|\s*//.*\n)", "", sources, flags=re.MULTILINE)
    return f"({parameters}) => {{\n{body}\nreturn {call};\n}}"


def possible() -> str:
    """Which queries can find something with a name."""
    return script("given", "possible(given)", "possible")


def examine(*, qualified: bool) -> str:
    """Which of the elements that a query found can be used."""
    if qualified:
        return script("found, given", "examine(found, given)", "relations", "places", "examine")
    return script("found, given", "examine(found, given)", "examine")


def texts() -> str:
    """The texts that may name a place, each with whether it can be seen."""
    return script("", "texts()", "places")


def stands() -> str:
    """How many of the elements that a query found stand in what is said around their name."""
    return script("found, given", "within(found, given).length", "places")


def glance() -> str:
    """Both of these at once."""
    both = "{...possible(given), ...examine(found, given)}"
    return script("found, given", both, "possible", "examine")


def operable() -> str:
    """The roles and names of what a verb could be used on."""
    return script("given", "operable(given)", "examine", "operable")


def show() -> str:
    """Which elements show a text, below those that a query found or anywhere, and all texts."""
    return script("found, given", "show(found, given)", "examine", "drawn")


def parts() -> str:
    """The parts of the page that are meant by the names that a query found."""
    files = ("relations", "places", "examine", "drawn", "parts")
    return script("found, given", "partsOf(found, given)", *files)


def seen() -> str:
    """Those of the elements found, and in some others, that somebody can see: no heads of tables."""
    return script("found, tops", "seenOf(found, tops)", "examine", "drawn")


def unseen() -> str:
    """Those of the elements found that nobody can see."""
    return script("found", "found.filter((e) => !canSee(e)).map(told)", "examine", "drawn")


def subject(fit: str) -> str:
    """What the verb is about: the field of a label, the summary of a text."""
    return script("e", f"told(target(e, {fit!r}) || e)", "examine", "drawn")


Scope = Frame | Locator


class Rank(IntEnum):
    """How well a name matches, best first."""

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
        """Return the query for one of the elements that this one finds."""
        return Query(self.locator.nth(index), f"{self.code}.nth({index})", self.rank)

    def visible(self) -> Query:
        """Return the query for those that can be seen."""
        return Query(
            self.locator.filter(visible=True), f"{self.code}.filter(visible=True)", self.rank
        )

    def inner(self, css: str) -> Query:
        """Return the query for what a selector finds from there."""
        code = f"{self.code}.locator({json.dumps(css)})"
        return Query(self.locator.locator(css), code, self.rank)


def query(
    scope: Scope, sources: Sequence[str], name: str, rank: Rank, *, prefix: str = ""
) -> Query:
    """Return the query for whatever any of the sources finds by that name; see `Fit.groups`."""
    queries = [_one(scope, source, name, rank, prefix) for source in sources]
    union = queries[0]
    for other in queries[1:]:
        union = Query(union.locator.or_(other.locator), f"{union.code}.or_({other.code})", rank)
    return replace(union, rank=rank)


def css(scope: Scope, selector: str, *, prefix: str = "") -> Query:
    """Return the query for what a selector finds."""
    return Query(scope.locator(selector), f"{prefix}locator({json.dumps(selector)})")


def frame_code(frame: Frame) -> str:
    """Return what a locator's code starts with in this frame; empty in the page itself."""
    if not frame.parent_frame:
        return ""
    return f"frame(name={frame.name!r})." if frame.name else f"frame(url={frame.url!r})."


def _one(scope: Scope, source: str, name: str, rank: Rank, prefix: str) -> Query:
    wanted: str | re.Pattern[str] = name
    shown = json.dumps(name, ensure_ascii=False)
    exact = rank is Rank.EXACT
    if rank is Rank.CASELESS:
        words = r"\s+".join(map(re.escape, name.split()))
        wanted = re.compile(rf"^\s*{words}\s*$", re.IGNORECASE)
        shown = f"re.compile({wanted.pattern!r}, re.I)"
    more = ", exact=True" if exact else ""
    if source == "own-text":
        # The text of an element without that of what stands in it: `<li>Mug <button>Buy</button>`.
        own = f"text={json.dumps(name, ensure_ascii=False)}"
        return Query(scope.locator(own), f"{prefix}locator({own!r})")
    if source == "text" or source == "label-text":
        return Query(scope.get_by_text(wanted, exact=exact), f"{prefix}get_by_text({shown}{more})")
    if source == "label":
        return Query(
            scope.get_by_label(wanted, exact=exact), f"{prefix}get_by_label({shown}{more})"
        )
    if source == "alt":
        locator = scope.get_by_alt_text(wanted, exact=exact)
        return Query(locator, f"{prefix}get_by_alt_text({shown}{more})")
    if source == "title":
        return Query(
            scope.get_by_title(wanted, exact=exact), f"{prefix}get_by_title({shown}{more})"
        )
    if source == "placeholder":
        locator = scope.get_by_placeholder(wanted, exact=exact)
        return Query(locator, f"{prefix}get_by_placeholder({shown}{more})")
    if source == "file":
        # Playwright calls a file input a button; it may be hidden behind a nicer one.
        locator = scope.get_by_role("button", name=wanted, exact=exact, include_hidden=True)
        more += ", include_hidden=True"
        return Query(locator, f'{prefix}get_by_role("button", name={shown}{more})')
    locator = scope.get_by_role(source, name=wanted, exact=exact)  # type: ignore[arg-type]
    return Query(locator, f'{prefix}get_by_role("{source}", name={shown}{more})')
