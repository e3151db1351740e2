"""All kinds of checks, as a model may give them."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.json_schema import SkipJsonSchema

# Importing a module registers its kinds; models are offered them in this order.
from pytest_webtask.checks import (  # noqa: F401
    background,
    element,
    page,
    sets,
    style,
    visual,
)
from pytest_webtask.checks.base import Check

if TYPE_CHECKING:
    AnyCheck = Check
else:
    AnyCheck = Annotated[
        reduce(
            or_,
            (kind if kind.for_models else SkipJsonSchema[kind] for kind in Check._kinds.values()),
        ),
        Field(discriminator="kind"),
    ]
CHECKS: TypeAdapter[list[AnyCheck]] = TypeAdapter(
    list[AnyCheck], config=ConfigDict(defer_build=True)
)
