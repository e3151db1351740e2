"""The kind `style`: the color, background, weight or decoration of a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import dist
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field, field_validator

from pytest_webtask.checks.base import CheckResult, not_empty
from pytest_webtask.checks.element import OfElement
from pytest_webtask.data.text import squashed

if TYPE_CHECKING:
    from pytest_webtask.checks.check_context import CheckContext
    from pytest_webtask.page.playwright_code import CodeTexts
    from pytest_webtask.types.page import Target

_COLORS = {
    name: [bytes.fromhex(each) for each in codes.split()]
    for name, codes in {
        "black": "000000 0f0f0f",
        "dark gray": "222222 444444 374151",
        "gray": "6b7280 808080 999999",
        "light gray": "c0c0c0 d3d3d3 eeeeee",
        "white": "ffffff fafafa",
        "dark red": "7f1d1d 8b0000",
        "red": "dc2626 b91c1c ff0000 ef4444 dc143c",
        "pink": "ffc0cb fca5a5 ff69b4 ec4899 fee2e2",
        "orange": "f97316 ffa500 ea580c",
        "light orange": "fed7aa ffedd5",
        "brown": "8b4513 78350f a52a2a",
        "yellow": "facc15 ffff00 ffd700",
        "light yellow": "fef9c3 fef08a",
        "dark green": "14532d 006400",
        "green": "16a34a 008000 00ff00 22c55e 4caf50",
        "light green": "bbf7d0 86efac 90ee90 dcfce7",
        "dark cyan": "155e75 008080",
        "cyan": "06b6d4 00ffff 17a2b8",
        "light cyan": "cffafe a5f3fc",
        "dark blue": "1e3a8a 000080",
        "blue": "2563eb 0000ff 3b82f6 007bff",
        "light blue": "bfdbfe 93c5fd add8e6 dbeafe",
        "dark purple": "4c1d95 4b0082",
        "purple": "7c3aed 800080 a855f7 9333ea",
        "light purple": "e9d5ff d8b4fe",
        "magenta": "ff00ff d946ef",
    }.items()
}
"""Colors of the usual palettes by their names; any other has the name of the nearest one."""


class Style(OfElement):
    """A text is drawn in a color, on a background, bold, underlined or struck through."""

    aspect: ClassVar[Literal["state"]] = "state"
    match: ClassVar[Literal["whole"]] = "whole"
    form: ClassVar[str] = "{0.name} {0.value}"
    expectations: ClassVar[tuple[str, ...]] = ("value",)

    kind: Literal["style"] = "style"
    name: Literal["color", "background", "weight", "decoration"]
    value: str = Field(
        description="The name or code of a color, such as red or #dc2626; bold or normal; underlined, struck"
        " through or none."
    )
    _value = field_validator("value")(not_empty)

    def run(self, context: CheckContext) -> CheckResult:
        """Compare the computed style."""
        element, expected = context.seen(self.element_id), context.fill(self.value)
        style = context.ask(element.locator, "style", {"expected": expected})
        names = _names(style[self.name])
        held = style[self.name] == style["asked"] or squashed(expected).casefold() in names
        actual = f"{names[0]} ({names[-1]})" if len(names) > 1 else names[0]
        noted = {"expected": f"{self.name}: {actual}"}
        return context.of_element(self, element, held, actual, noted=noted)

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str] | None:
        """Return the assertion of a text color that is given as #rrggbb, None for any other style."""
        value = squashed(self.value)
        if self.name != "color" or not re.fullmatch(r"#[\da-fA-F]{6}", value):
            return None
        rgb = tuple(bytes.fromhex(value[1:]))
        return code.found(target), f'to_have_css("color", "rgb{rgb}")'


def _names(computed: Sequence[Any]) -> list[str]:
    """Return what a computed style is called: its words, or of a color the full name, a plain one and its code."""
    if isinstance(computed[0], str):
        return [*computed]
    color = bytes(computed[:3])
    full = min(_COLORS, key=lambda name: min(dist(color, each) for each in _COLORS[name]))
    return [*dict.fromkeys((full, full.split()[-1], f"#{color.hex()}"))]
