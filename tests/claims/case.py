"""A claim as data, and the evidence for it as checks of elements that are told by role and text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Locator

from tests.claims.look import Look

Answered = tuple[dict[str, Any], dict[str, Locator]]
"""A check as a model gives it, and the locators that belong to its elements."""


@dataclass(frozen=True)
class Spot:
    """One element, by its role ("" for any) and a part of what it says.

    `near` is a text on the same line of the outline, `after` one that comes before it on the page;
    `nth` tells apart those that still fit. `css` is for what has no id: the element is then given
    by its locator, in the frame whose address ends with `frame`.
    """

    role: str = ""
    name: str = ""
    near: str = ""
    after: str = ""
    nth: int | None = None
    css: str = ""
    frame: str = ""


@dataclass(frozen=True)
class Every:
    """All elements of a role between two texts of the page, those named `without` left out."""

    role: str
    name: str = ""
    after: str = ""
    before: str = ""
    near: str = ""
    without: str = ""


@dataclass(frozen=True)
class Check:
    """A check whose elements are not found yet."""

    kind: str
    spots: Sequence[Spot | Every] = ()
    arguments: Mapping[str, Any] = field(default_factory=dict)

    def on(self, look: Look) -> Answered:
        """The check as a model gives it, for the page that is looked at."""
        found: list[str] = []
        locators: dict[str, Locator] = {}
        for spot in self.spots:
            if isinstance(spot, Every):
                found += look.every(
                    spot.role, spot.name, spot.after, spot.before, spot.near, spot.without
                )
            elif spot.css:
                code, locator = look.by_css(spot.css, spot.frame)
                locators[code] = locator
                found.append(code)
            else:
                found.append(look.one(spot.role, spot.name, spot.near, spot.after, spot.nth))
        about: dict[str, Any] = {}
        if self.kind in ("count", "order"):
            about = {"element_ids": found}
        elif self.kind == "absent":
            about = {"within": found[0]} if found else {}
        elif found:
            about = {"element_id": found[0]}
        return {"kind": self.kind, **about, **self.arguments}, locators


def said_of(checks: Sequence[Check], look: Look) -> tuple[list[dict[str, Any]], dict[str, Locator]]:
    """Checks as a model gives them, with all locators that belong to them."""
    found = [check.on(look) for check in checks]
    locators = {code: locator for _, given in found for code, locator in given.items()}
    return [check for check, _ in found], locators


@dataclass(frozen=True)
class Claim:
    """What is said of a scene, whether it is so, and why one might think otherwise.

    `evidence` is what an honest verifier cites for a true claim; it is empty for a false one, which
    has `lies` of its own besides those that the liar thinks of.
    """

    id: str
    scene: str
    sentence: str
    true: bool
    why: str
    evidence: Sequence[Check] = ()
    readings: Mapping[str, str] = field(default_factory=dict)
    data: Mapping[str, str] = field(default_factory=dict)
    lies: Sequence[tuple[str, Sequence[Check]]] = ()


def holds(
    id: str,
    scene: str,
    sentence: str,
    why: str,
    *evidence: Check,
    readings: Mapping[str, str] | None = None,
    data: Mapping[str, str] | None = None,
) -> Claim:
    """A true claim."""
    return Claim(id, scene, sentence, True, why, evidence, readings or {}, data or {})


def fails(
    id: str,
    scene: str,
    sentence: str,
    why: str,
    *lies: tuple[str, Sequence[Check]],
    data: Mapping[str, str] | None = None,
) -> Claim:
    """A false claim."""
    return Claim(id, scene, sentence, False, why, data=data or {}, lies=lies)


def the(role: str, name: str = "", **where: Any) -> Spot:
    """An element by its role and text."""
    return Spot(role, name, **where)


def css(selector: str, frame: str = "") -> Spot:
    """An element by a selector, as a model finds it that resolves elements itself."""
    return Spot(css=selector, frame=frame)


def text(spot: Spot, said: str, exact: bool = False) -> Check:
    """The element shows the text."""
    return Check("text", [spot], {"text": said, "exact": exact})


def value(spot: Spot, held: str) -> Check:
    """The field holds the value."""
    return Check("value", [spot], {"value": held})


def state(spot: Spot, kind: str) -> Check:
    """The element is in the state."""
    return Check("state", [spot], {"state": kind})


def matches(spot: Spot, pattern: str) -> Check:
    """The element fits the pattern."""
    return Check("matches", [spot], {"pattern": pattern})


def count(*spots: Spot | Every) -> Check:
    """There are so many."""
    return Check("count", spots)


def order(spots: Sequence[Spot | Every], *texts: str) -> Check:
    """They stand in this order."""
    return Check("order", spots, {"texts": list(texts)})


def attribute(spot: Spot, name: str, held: str) -> Check:
    """The element has the attribute."""
    return Check("attribute", [spot], {"name": name, "value": held})


def absent(said: str | None = None, within: Spot | None = None, **more: Any) -> Check:
    """It is nowhere, or nowhere in a part of the page."""
    given = {"text": said} if said is not None else {}
    return Check("absent", [within] if within else [], {**given, **more})


def url(pattern: str) -> Check:
    """The page's address."""
    return Check("url", (), {"pattern": pattern})


def title(said: str) -> Check:
    """The page's title."""
    return Check("title", (), {"text": said})


def visual(spot: Spot, what: str) -> Check:
    """What is seen by eye."""
    return Check("visual", [spot], {"what": what})
