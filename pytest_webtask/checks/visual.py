"""Checks by eye, and comparing what they were about with the picture that was recorded of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field, field_validator
from pydantic.json_schema import SkipJsonSchema

from pytest_webtask.checks.base import Check, CheckResult, UncheckableError
from pytest_webtask.checks.element import not_empty, required

if TYPE_CHECKING:
    from pytest_webtask.checks.context import CheckContext
    from pytest_webtask.export.locators import CodeTexts
    from pytest_webtask.types.agent import Target

__all__ = ["CHANGED_AT_MOST", "Visual", "unlike"]

CHANGED_AT_MOST = 0.01
"""The share of pixels that may differ: edges of letters are never drawn quite alike."""
_TILE = 24
"""Pixels of the edge of a part that is looked at by itself."""
_OF_A_TILE = 0.2
"""The share of such a part that may be of another colour."""
_SAME = 48
"""The difference of a channel, of 255, from which on a colour is another one."""


def unlike(recorded: Path, taken: Path) -> str:
    """How a picture differs from the recorded one, in words; "" where it shows the same."""
    from PIL import Image, ImageChops

    if not recorded.is_file():
        return f"there is no recorded picture {recorded.name}"
    with Image.open(recorded) as one, Image.open(taken) as two:
        if any(abs(a - b) > 2 for a, b in zip(one.size, two.size, strict=True)):
            sizes = [f"{w} by {h}" for w, h in (one.size, two.size)]
            return f"it is {sizes[1]} pixels and was {sizes[0]}"
        size = (min(one.width, two.width), min(one.height, two.height))
        pictures = [each.convert("RGB").crop((0, 0, *size)) for each in (one, two)]
        difference = ImageChops.difference(*pictures)
    red, green, blue = difference.split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    mask = most.point([255 * (value >= _SAME) for value in range(256)])
    changed = sum(mask.histogram()[_SAME:]) / (size[0] * size[1])
    if changed > CHANGED_AT_MOST:
        return f"{changed:.0%} of it looks other than recorded"
    # A thing that has gone may be small beside all that is there.
    tiles = (max(size[0] // _TILE, 1), max(size[1] // _TILE, 1))
    worst = mask.resize(tiles, Image.Resampling.BOX).getextrema()[1]
    return "a part of it looks other than recorded" if int(worst) > 255 * _OF_A_TILE else ""  # type: ignore[arg-type]


class Visual(Check):
    """Something is to be seen that no other kind can say: a color, a drawing, a place."""

    model_config = required("kind", "element_id")
    strength: ClassVar[int] = 0
    by_eye: ClassVar[bool] = True
    by_name: ClassVar[bool] = False
    templates: ClassVar[tuple[str, ...] | None] = ("what",)
    ids: ClassVar[tuple[str, ...]] = ("element_id",)

    kind: Literal["visual"] = "visual"
    what: str = Field(description="What is seen.")
    picture: SkipJsonSchema[str | None] = None
    """The file with what was seen when it was recorded."""
    element_id: str = Field(default="", description="The element in which it is seen, by its id.")
    _what = field_validator("what")(not_empty)

    def describe(self) -> str:
        """Return what is seen."""
        return self.what

    def recorded(self, about: str = "") -> Check:
        """Return the check without its element and its picture, which the evidence names."""
        return super().recorded().model_copy(update={"picture": None})

    def run(self, page: CheckContext) -> CheckResult:
        """Take the picture of the element; a recorded one must look the same."""
        found = page.seen(self.element_id)
        if page.crop is None:
            raise UncheckableError("checks by eye are not allowed here: use another kind")
        picture = page.crop(found.locator)
        if picture is None:
            raise UncheckableError("no picture of it could be taken, so that it proves nothing")
        if self.picture is not None and (wrong := unlike(Path(self.picture), picture)):
            raise UncheckableError(f"by eye: {wrong}; only a model can judge that")
        result = page.of_element(self, found, page.address(found)[1], True, "by eye")
        assert result.fact is not None
        note = "not checked by code: judge the description in `expected` by the picture"
        fact = result.fact.model_copy(update={"note": note, "expected": self.what, "match": ""})
        kept = f"{picture.parent.name}/{picture.name}"
        return result.model_copy(update={"screenshot": kept, "picture": picture, "fact": fact})

    def as_playwright(self, code: CodeTexts, target: Target | None) -> None:
        """Return nothing: plain Playwright sees nothing by eye."""
        return
