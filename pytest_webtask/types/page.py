"""The base of all records, and the records of pages and elements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from playwright.sync_api import Locator

OwnText = Annotated[str, "own"]
"""A word or path of this plugin's, which stays as it is where a secret happens to be the same."""
Box = tuple[float, float, float, float]


class Record(BaseModel):
    """An immutable record without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Signature(Record):
    """The identity of an element and the context that ranks candidates for it.

    `role` to `key` are its identity; `key` names the row or group around it, and a `name` or `key` of
    None matches any. For evidence, `label`, `column` and `heading` are those of its fact and must
    agree as well; None matches any. `around` are names that its containers and neighbors must
    still say. `near` are the texts
    beside and above it and `attributes` those that distinguish it: both only rank candidates, except for
    `under`, `twins` and what tells a set from others (see `docs/reference/replay.md`).
    """

    role: str = ""
    name: str | None = ""
    tag: str = ""
    type: str = ""
    key: str | None = ""
    label: str | None = None
    column: str | None = None
    heading: str | None = None
    around: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    attributes: dict[str, str] = Field(default_factory=dict)

    @property
    def identity(self) -> tuple[str, str | None, str, str, str | None]:
        """The fields that must agree for an element to be this one."""
        return (self.role, self.name, self.tag, self.type, self.key)


class Target(Record):
    """The locators of an element as Playwright code, best first, and its signature."""

    locators: tuple[str, ...] = ()
    signature: Signature | None = None

    @classmethod
    def of(cls, locator: str, signature: Signature | None = None) -> Target:
        """Return a target with one locator, or none if the code is ""."""
        return cls(locators=(locator,) if locator else (), signature=signature)

    @property
    def locator(self) -> str:
        """The best locator, "" if there is none."""
        return self.locators[0] if self.locators else ""

    def describe(self) -> str:
        """Return the element in words: role, name, item and column; its locator if it has no name."""
        signature = self.signature
        if signature is None or not (signature.name or signature.key):
            return self.locator or "the page"
        words = f'{signature.role} "{signature.name}"' if signature.name else signature.role
        places = {
            "labeled": signature.label,
            "in the item": signature.key,
            "in the column": signature.column,
        }
        known = [
            f'{where} "{text}"' for where, text in places.items() if text and text != signature.name
        ]
        return " ".join([words, *known])


class IdentifiedElement(Protocol):
    """A locator whose element must have the identity of a target."""

    @property
    def locator(self) -> Locator:
        """The locator of the element, or of all elements of a set."""
        ...

    @property
    def target(self) -> Target:
        """The recorded locators and signature."""
        ...

    def look(self, *, whole: bool, at_once: bool) -> dict[str, Any]:
        """Wait for the element and return its description, or raise an error that says what is there."""
        ...

    def with_found(self, found: dict[str, Any]) -> IdentifiedElement:
        """Return the element with its description, and so with the locator that found it."""
        ...


class Shown(NamedTuple):
    """An element as an observation shows it: `text` is all of its text, `value` that of a field, None if it is secret."""

    role: str
    name: str = ""
    text: str = ""
    value: str | None = None
    states: frozenset[str] = frozenset()

    def describe(self) -> str:
        """Return the element in words."""
        name = self.name or self.text
        words = [self.role, f'"{name}"' if name else "without a text"]
        words += [f'= "{self.value}"'] if self.value is not None else []
        return " ".join([*words, *sorted(self.states)])


class Seen(Record):
    """The page as a model saw it; `screenshot` is a path below the run's folder.

    `document` is new with each page that is loaded, and stays when only the address changes.
    """

    url: str
    title: str
    outline: str = ""
    document: OwnText = ""
    screenshot: OwnText | None = None
    words: str = Field(default="", exclude=True, repr=False)
    """All texts of the page, with names, values and hints of its elements."""
    elements: Mapping[str, Shown] = Field(default_factory=dict, exclude=True, repr=False)
    """The elements with an id, in page order."""


class Picture(Record):
    """A picture of the visible part of a page: its path below the run's folder, and its size.

    `size` is the (width, height) in CSS pixels, whatever the size of the file is.
    """

    path: OwnText
    size: tuple[float, float]


class Spot(Record):
    """Where a call acted, in CSS pixels of a picture of the page as it was before.

    `box` is the (x, y, width, height) of its element, `point` where the mouse was pressed, `end` where
    a drag ended.
    """

    picture: Picture
    box: Box
    point: tuple[float, float] | None = None
    end: tuple[float, float] | None = None

    def at(self, x: float | None = None, y: float | None = None) -> Spot:
        """Return the spot with the point at (x, y) in the element, by default at its center."""
        left, top, width, height = self.box
        point = (left + (width / 2 if x is None else x), top + (height / 2 if y is None else y))
        return self.model_copy(update={"point": point})

    def to(self, x: float, y: float) -> Spot:
        """Return the spot of a drag over that distance."""
        start = self if self.point else self.at()
        assert start.point is not None
        end = (start.point[0] + x, start.point[1] + y)
        return start.model_copy(update={"end": end})
