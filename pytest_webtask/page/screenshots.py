"""Screenshots for models, with marked elements."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from pytest_webtask.types.agent import Box, Element

LONG_EDGE = 1568
PIXELS = 1_150_000
_COLORS = ("#c2185b", "#1565c0", "#2e7d32", "#6a1b9a", "#d84315", "#00695c", "#4527a0", "#9e6a00")
_SIZE = 12
_CELL = 4
"""The cell size, in pixels, of the grid on which labels are placed."""
_INK = 6
"""The edge strength (0 to 255) above which a cell counts as occupied."""
_LABEL = 20
"""The cost of covering a label, relative to covering anything else."""
_CROWDED = 0.1
"""The share of a label's cells that may be occupied if it must touch its box."""
_SMALL = 50
"""The size, in pixels, up to which boxes are kept free of labels."""
_FAR = 110
"""The maximum distance, in pixels, between a label and its box."""


def cut(picture: bytes, box: Box) -> bytes:
    """Return a JPEG of a part of a screenshot; `box` is in picture pixels."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    x, y, w, h = box
    edge = 8
    sides = (max(x - edge, 0), max(y - edge, 0), x + w + edge, y + h + edge)
    left, top, right, bottom = (round(side) for side in sides)
    right, bottom = min(right, image.width), min(bottom, image.height)
    if right > left and bottom > top:
        image = image.crop((left, top, right, bottom))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=85)
    return out.getvalue()


@dataclass(frozen=True)
class Marked:
    """A JPEG for the model, the same picture without marks, and the list of marks.

    A mark has `id`, `color` and `box`, and optionally `label` and `line`, all in pixels of the
    picture. `size` is the picture's (width, height).
    """

    picture: bytes
    plain: bytes
    size: tuple[int, int]
    marks: list[dict[str, Any]]


def mark(picture: bytes, elements: Iterable[Element], viewport: tuple[float, float]) -> Marked:
    """Mark elements in a screenshot with boxes and labels, and shrink it to a size that models accept.

    `viewport` is (width, height) in CSS pixels, the unit of the elements' boxes. Labels are placed
    where they cover least; a label that does not touch its box gets a line to it. Elements without a
    name are identified by their position in the outline, so their labels are omitted if there is no
    room beside the box.
    """
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    shrink = min(1.0, LONG_EDGE / max(image.size), (PIXELS / (image.width * image.height)) ** 0.5)
    if shrink < 1.0:
        smaller = (max(1, int(image.width * shrink)), max(1, int(image.height * shrink)))
        image = image.resize(smaller, Image.Resampling.LANCZOS)
    scale = image.width / viewport[0] if viewport[0] else 1.0
    plain = _jpeg(image)
    room = _Room(image)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=_SIZE)
    boxes = [(e.id, e.name, _scaled(e.box, scale)) for e in elements if e.box and e.in_view]
    for number, (_, _, (x, y, w, h)) in enumerate(boxes):
        right, bottom = min(x + w, image.width - 1), min(y + h, image.height - 1)
        if right > x and bottom > y:
            draw.rectangle((x, y, right, bottom), outline=_COLORS[number % len(_COLORS)])
    for _, _, (x, y, w, h) in boxes:
        if max(w, h) <= _SMALL:
            # An icon without strong edges must remain visible, too.
            room.keep_free(x, y, (w, h))
    labels = []
    marks: list[dict[str, Any]] = []
    for number, (text, name, box) in enumerate(boxes):
        color = _COLORS[number % len(_COLORS)]
        size = (draw.textlength(text, font=font) + 4, _SIZE + 3.0)
        place = room.place(box, size, far=bool(name))
        x, y, w, h = box
        shown = (x, y, min(w, image.width - x), min(h, image.height - y))
        marks.append({"id": text, "color": color, "box": _rounded(shown)})
        if place is None:
            continue
        labels.append((text, color, (*place, *size)))
        marks[-1]["label"] = _rounded((*place, *size))
        ends = _line(box, (*place, *size))
        if ends:
            draw.line(ends, fill=color)
            marks[-1]["line"] = _rounded(ends)
    for text, color, (x, y, width, height) in labels:
        draw.rectangle((x, y, x + width, y + height), fill=color)
        draw.text((x + 2, y + 1), text, fill="white", font=font)
    return Marked(_jpeg(image), plain, image.size, marks)


def _jpeg(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=80)
    return out.getvalue()


def _rounded(box: Box) -> list[float]:
    return [round(side) for side in box]


def _scaled(box: Box, scale: float) -> Box:
    x, y, w, h = (side * scale for side in box)
    return (max(x, 0.0), max(y, 0.0), w + min(x, 0.0), h + min(y, 0.0))


def _line(box: Box, label: Box) -> tuple[float, float, float, float] | None:
    """Return the shortest line between a label and its box, None if they touch."""
    ends = []
    for at, size, other, length in (
        (box[0], box[2], label[0], label[2]),
        (box[1], box[3], label[1], label[3]),
    ):
        low, high = max(at, other), min(at + size, other + length)
        middle = (low + high) / 2
        ends.append((middle, middle) if low <= high else (high, low) if at < other else (low, high))
    (x, to_x), (y, to_y) = ends
    return None if abs(to_x - x) + abs(to_y - y) <= 2 else (x, y, to_x, to_y)


class _Room:
    """Placement of labels by the content and other labels that they would cover."""

    def __init__(self, image: Image.Image) -> None:
        self._size = image.size
        edges = image.convert("L").filter(ImageFilter.FIND_EDGES)
        # The filter detects edges at the rim of the picture.
        ImageDraw.Draw(edges).rectangle((0, 0, edges.width - 1, edges.height - 1), outline=0)
        cells = edges.reduce(_CELL)
        self._width, self._height = cells.size
        self._cost = [1 if ink > _INK else 0 for ink in cells.tobytes()]

    def place(
        self, box: Box, size: tuple[float, float], *, far: bool
    ) -> tuple[float, float] | None:
        """Return and occupy the nearest position where a label of that size covers least.

        Return None if the box has no room beside it and the label may not be `far` away.
        """
        best, least = (box[0], box[1]), float("inf")
        for left, top in self._places(box, size, far=far):
            cost = sum(self._cost[cell] for cell in self._cells(left, top, size))
            if cost < least:
                best, least = (left, top), cost
            if not cost:
                break
        if not far and least > _CROWDED * size[0] * size[1] / _CELL**2:
            return None
        for cell in self._cells(*best, size):
            self._cost[cell] += _LABEL
        return best

    def keep_free(self, left: float, top: float, size: tuple[float, float]) -> None:
        """Mark an area as content that labels should not cover."""
        for cell in self._cells(left, top, size):
            self._cost[cell] = max(self._cost[cell], 1)

    def _places(
        self, box: Box, size: tuple[float, float], *, far: bool
    ) -> Iterator[tuple[float, float]]:
        x, y, w, h = box
        width, height = size
        near = [
            (x, y - height),
            (x + w - width, y - height),
            (x, y + h),
            (x + w, y),
            (x - width, y),
            (x + w - width, y + h),
            *([(x + 5, y + 5)] if w > width + 10 and h > height + 10 else []),
            (x, y),
            (x + w - width, y + h - height),
        ]
        distant = [
            (x + w / 2 - width / 2 + way * dx * 2, y + h / 2 - height / 2 + way * dy)
            for way in range(int(height), _FAR, int(height))
            for dx, dy in ((0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (1, 1), (-1, -1), (-1, 1))
        ]
        for left, top in (*near, *(distant if far else ())):
            yield (
                min(max(left, 0.0), max(self._size[0] - width, 0.0)),
                min(max(top, 0.0), max(self._size[1] - height, 0.0)),
            )

    def _cells(self, left: float, top: float, size: tuple[float, float]) -> Iterator[int]:
        for row in range(int(top) // _CELL, min(int(top + size[1]) // _CELL + 1, self._height)):
            start = row * self._width
            end = min(int(left + size[0]) // _CELL + 1, self._width)
            yield from range(start + int(left) // _CELL, start + end)
