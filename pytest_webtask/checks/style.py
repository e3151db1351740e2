"""The kind `style`: the color, background, weight or decoration of a text."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field, field_validator

from pytest_webtask.checks.base import CheckResult, not_empty
from pytest_webtask.checks.element import ID, _OfElement
from pytest_webtask.checks.text import squashed

if TYPE_CHECKING:
    from pytest_webtask.checks.check_context import CheckContext

_HUES = {
    15: "red", 45: "orange", 70: "yellow", 165: "green", 200: "cyan", 255: "blue", 315: "purple",
    345: "pink", 361: "red",
}  # fmt: skip
"""The names of hues, each up to an angle in degrees."""
_BOLD = 600
"""The weight from which a font is bold."""
_LINES = {"underline": "underlined", "line-through": "struck through"}


class Style(_OfElement):
    """A text is drawn in a color, on a background, bold, underlined or struck through."""

    aspect: ClassVar[Literal["state"]] = "state"
    expectations: ClassVar[tuple[str, ...]] = ("value",)

    kind: Literal["style"] = "style"
    element_id: str = Field(default="", description=ID)
    name: Literal["color", "background", "weight", "decoration"]
    value: str = Field(
        description="The name or code of a color, such as red or #dc2626; bold or normal; underlined, struck"
        " through or none."
    )
    _value = field_validator("value")(not_empty)

    @property
    def tells_state(self) -> bool:
        """Return True: a color tells the state of what has it."""
        return True

    def describe(self) -> str:
        """Return the style and its value."""
        return f"{self.name} {self.value}"

    def run(self, context: CheckContext) -> CheckResult:
        """Compare the computed style."""
        from pytest_webtask.checks.check_context import ask_facts

        element, expected = context.seen(self.element_id), context.fill(self.value)
        style = ask_facts(element.locator, "style", {"expected": expected})
        names = _names(style[self.name])
        held = style[self.name] == style["asked"] or squashed(expected).casefold() in names
        _, codes = context.address(element)
        actual = f"{names[0]} ({names[-1]})" if len(names) > 1 else names[0]
        result = context.of_element(self, element, codes, held, actual, match="whole")
        fact = result.fact and result.fact.model_copy(update={"expected": f"{self.name}: {actual}"})
        return result.model_copy(update={"fact": fact})


def _names(computed: Sequence[int] | int | str) -> list[str]:
    """Return what a computed style is called: first its full name, last the code of a color."""
    if isinstance(computed, int):
        return ["bold" if computed >= _BOLD else "normal"]
    if isinstance(computed, str):
        return [each for line, each in _LINES.items() if line in computed] or ["none"]
    red, green, blue = computed[:3]
    hue, lightness, saturation = colorsys.rgb_to_hls(red / 255, green / 255, blue / 255)
    plain = next(each for end, each in _HUES.items() if hue * 360 < end)
    if saturation < 0.15 or not 0.06 < lightness < 0.96:
        plain = "white" if lightness > 0.95 else "black" if lightness < 0.08 else "gray"
    plain = "brown" if plain == "orange" and lightness < 0.4 else plain
    plain = "pink" if plain == "red" and lightness > 0.75 else plain
    shade = "dark " if lightness < 0.3 else "light " if lightness > 0.75 else ""
    full = plain if plain in ("white", "black", "brown") else f"{shade}{plain}"
    return [*dict.fromkeys((full, plain, f"#{red:02x}{green:02x}{blue:02x}"))]
