"""Comparing what a check by eye was about with the picture that was recorded of it."""

from __future__ import annotations

from pathlib import Path

__all__ = ["CHANGED_AT_MOST", "unlike"]

CHANGED_AT_MOST = 0.01
"""The share of pixels that may be of another colour: edges of letters are drawn a little otherwise."""
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
