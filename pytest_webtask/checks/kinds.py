"""All kinds of checks, as a model may give them."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

# Importing a module registers its kinds; models are offered them in this order.
from pytest_webtask.checks import (  # noqa: F401
    background,
    element,
    lists,
    page,
    sets,
    style,
    visual,
)
from pytest_webtask.checks.base import Check
from pytest_webtask.checks.lists import Options
from pytest_webtask.checks.page import Present

_LITERAL = (Present, Options)
"""Kinds of literal sentences only: models cite elements instead."""
if TYPE_CHECKING:
    AnyCheck = Check
else:
    AnyCheck = Annotated[
        reduce(
            or_,
            (SkipJsonSchema[each] if each in _LITERAL else each for each in Check.kinds.values()),
        ),
        Field(discriminator="kind"),
    ]
