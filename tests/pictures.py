"""Measurements of pictures."""

from typing import cast

from PIL import Image


def brightness(band: Image.Image) -> tuple[int, int]:
    """Return the darkest and the lightest value of a picture with one band."""
    return cast("tuple[int, int]", band.getextrema())
