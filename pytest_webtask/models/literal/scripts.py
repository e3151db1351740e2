"""The scripts that the page runs while a name is resolved, one expression each."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

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
