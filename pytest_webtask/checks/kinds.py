"""The kinds of checks, each with what it is about and what it expects."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator, model_validator
from pydantic.json_schema import SkipJsonSchema

__all__ = [
    "CHECKS",
    "Absent",
    "Attribute",
    "Check",
    "Count",
    "Matches",
    "Order",
    "OwnCheck",
    "State",
    "States",
    "Text",
    "Title",
    "Url",
    "Value",
    "Visual",
]

States = Literal[
    "visible",
    "hidden",
    "enabled",
    "disabled",
    "checked",
    "unchecked",
    "focused",
    "expanded",
    "collapsed",
    "selected",
    "required",
    "invalid",
]
_ID = "The element's id, as it stands in the outline."
_TAB = "The number of the tab; default the tab in front."
_PROBES = ("q", "qzx", "Qzx", "qzx vbn", "Qzx Vbn kjh.", "7", "Qzx 7,35 zq")
"""No pattern that says anything fits two of these."""
_ROLES = frozenset(
    """alert alertdialog article banner button cell checkbox columnheader combobox complementary
    contentinfo dialog figure form grid gridcell group heading img image link list listbox listitem log
    main menu menubar menuitem menuitemcheckbox menuitemradio meter navigation option progressbar
    radio radiogroup region row rowgroup rowheader search searchbox separator slider spinbutton
    status switch tab table tablist tabpanel textbox toolbar tooltip tree treegrid treeitem""".split()
)


class OwnCheck(BaseModel):
    """What all checks have in common."""

    model_config = ConfigDict(
        extra="forbid", coerce_numbers_to_str=True, frozen=True, defer_build=True
    )


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("it is empty and expects nothing")
    return text


class Text(OwnCheck):
    """An element shows a text."""

    kind: Literal["text"]
    element_id: str = Field(description=_ID)
    text: str = Field(description="The text, as it stands on the page.")
    exact: bool = Field(
        False, description="Whether that is all that the element says; else it says more."
    )
    _text = field_validator("text")(_said)


class Value(OwnCheck):
    """A field holds a value; a choice has an option chosen."""

    kind: Literal["value"]
    element_id: str = Field(description=_ID)
    value: str = Field(
        description='The whole value, "" for an empty field; of a choice, the label of the option.'
    )


class State(OwnCheck):
    """An element is in a state."""

    kind: Literal["state"]
    element_id: str = Field(description=_ID)
    state: States


class Matches(OwnCheck):
    """An element's text, or a field's value, fits a pattern: for what differs from run to run."""

    kind: Literal["matches"]
    element_id: str = Field(description=_ID)
    pattern: str = Field(
        description=r"A regular expression for all of the text, such as Order #\d{5}; what is the"
        " same each time stands in it as it is."
    )

    @field_validator("pattern")
    @classmethod
    def _pattern(cls, pattern: str) -> str:
        try:
            compiled = re.compile(rf"^\s*(?:{pattern})\s*$")
        except re.error as error:
            raise ValueError(f"it is no regular expression: {error}") from None
        if re.search(r"\\[AZ]|\(\?[Pimsxa]", pattern):
            raise ValueError("browsers know neither flags nor names of groups nor \\A and \\Z")
        if compiled.search("") or sum(bool(compiled.search(probe)) for probe in _PROBES) > 1:
            raise ValueError("any text fits it, so that it says nothing")
        return pattern


class Count(OwnCheck):
    """There are so many elements of a kind: all of them, and no others."""

    kind: Literal["count"]
    element_ids: list[str] = Field(
        min_length=1,
        description="Each one of them, such as all rows of a table or all items of a list; header"
        " rows are left out.",
    )
    number: SkipJsonSchema[int | None] = None
    """How many there are, where a recording gives the locator of all in place of their ids."""

    @field_validator("element_ids")
    @classmethod
    def _once(cls, ids: list[str]) -> list[str]:
        if len(set(ids)) < len(ids):
            raise ValueError("an element is counted twice")
        return ids


class Order(OwnCheck):
    """Elements of a kind stand in this order, with these texts."""

    kind: Literal["order"]
    element_ids: list[str] = Field(
        min_length=2,
        description="The elements in their order. For what is first, last, sorted, or all there"
        " is, every one of them; for what comes before what, two are enough.",
    )
    recorded: SkipJsonSchema[str] = ""
    """The locator of all, where a recording gives it; the ids are names of places then."""
    texts: list[str] = Field(description="What each of them shows, or the part that matters.")
    _once = field_validator("element_ids")(Count._once.__func__)  # type: ignore[attr-defined]

    @model_validator(mode="after")
    def _as_many(self) -> Order:
        if len(self.texts) != len(self.element_ids):
            raise ValueError(f"{len(self.element_ids)} elements need as many texts")
        for text in self.texts:
            _said(text)
        return self


class Attribute(OwnCheck):
    """An element has an attribute of a value."""

    kind: Literal["attribute"]
    element_id: str = Field(description=_ID)
    name: str = Field(description="The attribute, such as href or aria-pressed.")
    value: str


class Absent(OwnCheck):
    """Nothing on the page shows a text, or has a role and a name."""

    kind: Literal["absent"]
    text: str | None = Field(None, description="A text that can be seen nowhere.")
    role: str | None = Field(None, description="An ARIA role, such as button or alert.")
    name: str | None = Field(
        None, description="The accessible name that no such role has; leave it out for any name."
    )
    exact: bool = Field(False, description="Whether the name is just that, and no part of one.")
    within: str | None = Field(
        None, description="The id of the part that is meant, if it may be elsewhere on the page."
    )
    tab: int | None = Field(None, description=_TAB)

    @model_validator(mode="after")
    def _one(self) -> Absent:
        if (self.text is None) == (self.role is None):
            raise ValueError("give a text, or a role and a name")
        _said((self.text if self.role is None else self.role) or "")
        if self.role is not None and self.role not in _ROLES:
            near = get_close_matches(self.role, _ROLES, n=3) or ["button", "alert", "row"]
            raise ValueError(f"{self.role!r} is no ARIA role, such as {', '.join(near)}")
        return self


class Url(OwnCheck):
    """The page's address fits a pattern."""

    kind: Literal["url"]
    pattern: str = Field(
        description="What the address ends with from its path on, such as /orders/12 or"
        " /products?page=2; * stands for what differs from run to run."
    )
    tab: int | None = Field(None, description=_TAB)

    @field_validator("pattern")
    @classmethod
    def _pattern(cls, pattern: str) -> str:
        if not re.search(r"[^*/:.?\s]|^/$", pattern.strip()):
            raise ValueError("any address fits it, so that it says nothing")
        return pattern.strip()


class Title(OwnCheck):
    """The page has a title."""

    kind: Literal["title"]
    text: str = Field(description="The title, or a part of it.")
    exact: bool = Field(False, description="Whether that is all of the title.")
    tab: int | None = Field(None, description=_TAB)
    _text = field_validator("text")(_said)


class Visual(OwnCheck):
    """Something is to be seen that no other kind can say: a colour, a drawing, a place."""

    kind: Literal["visual"]
    what: str = Field(description="What is seen.")
    picture: SkipJsonSchema[str | None] = None
    """The file with what was seen when it was recorded."""
    element_id: str = Field(description="The element in which it is seen, by its id.")
    _what = field_validator("what")(_said)


Check = Annotated[
    Text | Value | State | Matches | Count | Order | Attribute | Absent | Url | Title | Visual,
    Field(discriminator="kind"),
]
CHECKS: TypeAdapter[list[Check]] = TypeAdapter(list[Check], config=ConfigDict(defer_build=True))
