"""Marked screenshots: a box and a label for each element that can be operated."""

from __future__ import annotations

import io
from collections.abc import Iterable

from PIL import Image, ImageDraw, ImageFont

from pytest_webtask.records import Box, Element

LONG_EDGE = 1568
PIXELS = 1_150_000
_COLOURS = ("#c2185b", "#1565c0", "#2e7d32", "#6a1b9a", "#d84315", "#00695c", "#4527a0", "#9e6a00")
_SIZE = 12
_BAND = 32


def mark(picture: bytes, elements: Iterable[Element], viewport: tuple[float, float]) -> bytes:
    """A JPEG of the screenshot with boxes and labels, no larger than a model looks at.

    `viewport` is (width, height) in CSS pixels, to which the boxes of the elements relate.
    """
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    shrink = min(1.0, LONG_EDGE / max(image.size), (PIXELS / (image.width * image.height)) ** 0.5)
    if shrink < 1.0:
        size = (max(1, int(image.width * shrink)), max(1, int(image.height * shrink)))
        image = image.resize(size, Image.Resampling.LANCZOS)
    scale = image.width / viewport[0] if viewport[0] else 1.0
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=_SIZE)
    boxes = [(e.id, _scaled(e.box, scale)) for e in elements if e.box and e.in_view]
    for number, (_, (x, y, w, h)) in enumerate(boxes):
        right, bottom = min(x + w, image.width - 1), min(y + h, image.height - 1)
        if right > x and bottom > y:
            draw.rectangle((x, y, right, bottom), outline=_COLOURS[number % len(_COLOURS)])
    taken = _Taken()
    for number, (text, box) in enumerate(boxes):
        width = draw.textlength(text, font=font) + 4
        x, y = _free(box, (width, _SIZE + 3.0), image.size, taken)
        taken.add((x, y, width, _SIZE + 3.0))
        draw.rectangle((x, y, x + width, y + _SIZE + 3), fill=_COLOURS[number % len(_COLOURS)])
        draw.text((x + 2, y + 1), text, fill="white", font=font)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=80)
    return out.getvalue()


def _scaled(box: Box, scale: float) -> Box:
    x, y, w, h = (side * scale for side in box)
    return (max(x, 0.0), max(y, 0.0), w + min(x, 0.0), h + min(y, 0.0))


def _free(
    box: Box, size: tuple[float, float], picture: tuple[int, int], taken: _Taken
) -> tuple[float, float]:
    """Where a label of that size covers the least: outside its box first, inside it last."""
    x, y, w, h = box
    width, height = size
    places = (
        (x, y - height),
        (x + w - width, y - height),
        (x, y + h),
        (x + w, y),
        (x - width, y),
        (x + w - width, y + h),
        (x, y),
        (x + w - width, y + h - height),
    )
    best, least = (x, y), float("inf")
    for left, top in places:
        left = min(max(left, 0.0), max(picture[0] - width, 0.0))
        top = min(max(top, 0.0), max(picture[1] - height, 0.0))
        covered = taken.covered((left, top, width, height))
        if covered < least:
            best, least = (left, top), covered
        if not covered:
            break
    return best


class _Taken:
    """Where labels stand, by bands of the picture, so that a crowded page takes no longer a label."""

    def __init__(self) -> None:
        self._bands: dict[int, list[Box]] = {}

    def add(self, box: Box) -> None:
        for band in self._bands_of(box):
            self._bands.setdefault(band, []).append(box)

    def covered(self, box: Box) -> float:
        near = {other for band in self._bands_of(box) for other in self._bands.get(band, ())}
        return sum(_overlap(box, other) for other in near)

    @staticmethod
    def _bands_of(box: Box) -> range:
        return range(int(box[1]) // _BAND, int(box[1] + box[3]) // _BAND + 1)


def _overlap(a: Box, b: Box) -> float:
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return width * height if width > 0 and height > 0 else 0.0
