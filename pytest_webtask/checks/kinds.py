"""All kinds of checks, as a model may give them."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter

from pytest_webtask.checks.element import Attribute, Compare, Matches, Number, State, Text, Value
from pytest_webtask.checks.page import Absent, Title, Url, WasShown
from pytest_webtask.checks.sets import Count, Order
from pytest_webtask.checks.visual import Visual

__all__ = ["CHECKS", "AnyCheck", "load_kinds"]

AnyCheck = Annotated[
    Text
    | Value
    | State
    | Matches
    | Count
    | Order
    | Attribute
    | Number
    | Compare
    | Absent
    | WasShown
    | Url
    | Title
    | Visual,
    Field(discriminator="kind"),
]
CHECKS: TypeAdapter[list[AnyCheck]] = TypeAdapter(
    list[AnyCheck], config=ConfigDict(defer_build=True)
)


def load_kinds() -> None:
    """Make all kinds known; importing this module has done it."""
