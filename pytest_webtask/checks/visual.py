"""Checks by eye, and the comparison of pictures with recorded ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field, field_validator
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.base import Check, CheckResult, UncheckableError, not_empty

if TYPE_CHECKING:
    from pytest_webtask.checks.check_context import CheckContext

CHANGED_AT_MOST = 0.01
"""The share of pixels that may differ: the edges of letters never look exactly alike."""
_TILE = 24
"""The edge length, in pixels, of tiles that are compared separately."""
_OF_A_TILE = 0.2
"""The share of a tile that may have another color."""
_SAME = 48
"""The difference in a channel, out of 255, from which two colors differ."""


def unlike(recorded: Path, taken: Path) -> str:
    """Return the difference between a picture and the recorded one, "" if they look the same."""
    from PIL import Image, ImageChops

    if not recorded.is_file():
        return (
            f"the recorded picture {recorded} does not exist (each browser and system has its own)"
        )
    with Image.open(recorded) as one, Image.open(taken) as two:
        if any(abs(a - b) > 2 for a, b in zip(one.size, two.size, strict=True)):
            sizes = [f"{w} by {h}" for w, h in (one.size, two.size)]
            return f"the element is {sizes[1]} pixels now and was {sizes[0]}"
        size = (min(one.width, two.width), min(one.height, two.height))
        pictures = [each.convert("RGB").crop((0, 0, *size)) for each in (one, two)]
        difference = ImageChops.difference(*pictures)
    red, green, blue = difference.split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    mask = most.point([255 * (value >= _SAME) for value in range(256)])
    changed = sum(mask.histogram()[_SAME:]) / (size[0] * size[1])
    if changed > CHANGED_AT_MOST:
        return f"{changed:.0%} of the element looks different from the recorded picture"
    # A detail that has disappeared may be small compared with the whole.
    tiles = (max(size[0] // _TILE, 1), max(size[1] // _TILE, 1))
    worst = int(mask.resize(tiles, Image.Resampling.BOX).getextrema()[1])  # type: ignore[arg-type]
    differs = worst > 255 * _OF_A_TILE
    return "the element looks different in one place from the recorded picture" if differs else ""


class Visual(Check):
    """Something is visible that no other kind can check: a color, a drawing, a place."""

    by_eye: ClassVar[bool] = True
    form: ClassVar[str] = "{0.what}"
    templates: ClassVar[tuple[str, ...] | None] = ("what",)
    ids: ClassVar[tuple[str, ...]] = ("element_id",)

    kind: Literal["visual"] = "visual"
    what: str = Field(description="What can be seen.")
    picture: SkipJsonSchema[str | None] = None
    """The file of the recorded picture."""
    element_id: str = Field(
        default="", description="The id of the element in which it can be seen."
    )
    _what = field_validator("what")(not_empty)

    def run(self, context: CheckContext) -> CheckResult:
        """Take a picture of the element, which must look like the recorded one, if any."""
        element = context.seen(self.element_id)
        advice = "cite text, a value or a state on the page; if none shows it, report that it can't be decided"
        if context.crop is None:
            raise UncheckableError(
                "the only evidence is a screenshot (to record the step again without one, type: pytest TEST"
                " --webtask-mode=record --webtask-model=NAME), which webtask_visual=forbid does not accept",
                advice,
            )
        if self.picture is None and not context.model_pictures:
            raise UncheckableError(
                "the only evidence is a screenshot, which webtask_model_pictures=off sends to no model",
                advice,
            )
        picture = context.crop(element.locator)
        if picture is None:
            raise UncheckableError(
                "no picture of the element could be taken", "use another kind of check"
            )
        if self.picture is not None and (wrong := unlike(Path(self.picture), picture)):
            raise UncheckableError(
                f"{wrong}: have a model judge it with --webtask-mode=auto --webtask-model=NAME"
            )
        note = "not checked by code: judge the description in `expected` by the picture"
        return context.of_element(
            self,
            element,
            True,
            "by eye",
            noted={"note": note},
            screenshot=f"{picture.parent.name}/{picture.name}",
            picture=picture,
        )
