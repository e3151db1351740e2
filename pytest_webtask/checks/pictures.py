"""Comparing what a check by eye was about with the picture that was recorded of it."""

from __future__ import annotations

from pathlib import Path

__all__ = ["CHANGED_AT_MOST", "unlike"]

CHANGED_AT_MOST = 0.01
"""The share of pixels that may be of another colour: edges of letters are drawn a little otherwise."""
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
    changed = sum(most.histogram()[_SAME:]) / (size[0] * size[1])
    return f"{changed:.0%} of it looks other than recorded" if changed > CHANGED_AT_MOST else ""
