"""The base of all records, and the records of pages and elements."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from playwright.sync_api import Position

_T = TypeVar("_T")
OwnText = Annotated[str, "own"]
"""A word or path of this plugin's, which stays as it is where a secret happens to be the same."""
Box = tuple[float, float, float, float]


class Record(BaseModel):
    """An immutable record without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


def mapped(value: _T, change: Callable[[Any], Any], *kinds: type) -> _T:
    """Return a value with what is of some kinds changed, in records, tuples, lists and dicts."""
    result: Any = value
    if isinstance(value, kinds):
        result = change(value)
    elif isinstance(value, BaseModel):
        fields = {name: mapped(each, change, *kinds) for name, each in value}
        result = value.model_copy(update=fields)
    elif isinstance(value, dict):
        result = {name: mapped(each, change, *kinds) for name, each in value.items()}
    elif isinstance(value, (tuple, list)):
        result = type(value)(mapped(each, change, *kinds) for each in value)
    return result  # type: ignore[no-any-return]


def _called(kind: str, name: str | None, place: str) -> str:
    """Return a kind of element with its name, and its place among others, in words."""
    words = [kind]
    if name:
        words.append(f'"{name}"')
    if place:
        words.append(f"no. {place}")
    return " ".join(filter(None, words))


class Container(Record):
    """What an element stands in: its kind, and its name as a user reads it.

    An item has the `column` of its title, and its `place` ("2 of 5") only where it is meant for that.
    `author` is what its author calls it.
    """

    kind: str = ""
    name: str = ""
    column: str = ""
    place: str = ""
    author: str = ""

    def __str__(self) -> str:
        return _called(self.kind, self.name, self.place)


class Address(Record):
    """Where an element is: its role, its name, and what it stands in, from the inside out.

    An empty role and a name of None match any. `place` is its place among several elements that nothing
    else tells apart, such as "2 of 3".
    """

    role: str = ""
    name: str | None = None
    containers: tuple[Container, ...] = ()
    place: str = ""

    def __str__(self) -> str:
        """Return the address in words, as sentences have it: button "Delete" in row "Ann" of table "Users"."""
        own = _called(self.role or "element", self.name, self.place)
        around = " of ".join(map(str, self.containers))
        return f"{own} in {around}" if around else own

    @property
    def item(self) -> Container | None:
        """The row, item or card that it is in."""
        return next((each for each in self.containers if each.kind in ITEM_KINDS), None)

    def named(self, *kinds: str) -> str:
        """Return the name of the innermost container of such a kind, "" if there is none."""
        return next((each.name for each in self.containers if each.kind in kinds), "")


ITEM_KINDS = frozenset(
    ("row", "listitem", "list item", "article", "card", "option", "treeitem", "item")
)
"""The kinds of containers that are members of a set."""


class Remembered(Address):
    """What else is known of an element, which decides only among several that agree with what is pinned.

    `marks` are what its author calls it, where it leads, its icon and the like; `near` are texts beside it.
    For a set, `kind` is "set", and the marks are what tells it from others.
    """

    kind: str = ""
    tag: str = ""
    type: str = ""
    marks: dict[str, str] = Field(default_factory=dict)
    near: tuple[str, ...] = ()


class Target(Record):
    """How an element is found again: its locators as Playwright code, best first, and its address.

    What is `pinned` of that must agree, what is `remembered` decides among several elements.
    """

    locators: tuple[str, ...] = ()
    pinned: Address = Address()
    remembered: Remembered | None = None

    @classmethod
    def of(cls, locator: str) -> Target:
        """Return a target with one locator, or none if the code is "", which is not compared."""
        return cls(locators=(locator,) if locator else ())

    @property
    def locator(self) -> str:
        """The best locator, "" if there is none."""
        return next(iter(self.locators), "")

    @property
    def known(self) -> Remembered:
        """What is remembered, without anything if that is not known."""
        return self.remembered or Remembered()

    @property
    def role(self) -> str:
        """The role of the element, "" if it is not known."""
        return self.pinned.role or self.known.role

    def pinning(self, **parts: Any) -> Target:
        """Return the target with other parts of its address pinned."""
        return self.model_copy(update={"pinned": self.pinned.model_copy(update=parts)})

    def describe(self) -> str:
        """Return its address in words, with one container at least; its locator if it has no address."""
        for address in (self.pinned, Address(containers=self.known.containers[:1])):
            if address.name or address.containers:
                return str(address.model_copy(update={"role": self.role}))
        return self.locator or "the page"


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

    def at(self, place: Position | None = None) -> Spot:
        """Return the spot with the point at a place in the element, by default its center."""
        left, top, width, height = self.box
        inside = place or {"x": width / 2, "y": height / 2}
        return self.model_copy(update={"point": (left + inside["x"], top + inside["y"])})

    def to(self, x: float, y: float) -> Spot:
        """Return the spot of a drag over that distance."""
        assert self.point is not None, "the mouse was pressed"
        return self.model_copy(update={"end": (self.point[0] + x, self.point[1] + y)})
