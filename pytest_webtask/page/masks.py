"""Pictures of a page with secrets and redacted parts in black."""

from __future__ import annotations

import io
from collections.abc import Iterable
from itertools import groupby
from typing import Any, Literal

from playwright.sync_api import CDPSession, Error, Frame, Page

from pytest_webtask.data import Data
from pytest_webtask.page import dom
from pytest_webtask.page.frames import (
    FRAME_TIMEOUT,
    FramePlace,
    Numbers,
    as_json,
    frame_places,
    redacted_in,
)
from pytest_webtask.types.page import Box

TRIES = 2
_EDGE = 2.0
"""Pixels by which glyphs may extend beyond the box of their text."""
_INSIDE_AT_MOST = 300
_QUALITY = 70
"""The quality of the JPEG that a browser makes."""

_Text = tuple[str, str, int, list[list[float]]]
Format = Literal["png", "jpeg"]


class _UnsureError(Exception):
    """Redacted content is on the page at an unknown position."""


class Masks:
    """Takes one screenshot with redactions. `revealed` is True if a password is shown as plain text."""

    def __init__(self, page: Page, data: Data, revealed: bool = False) -> None:
        self._page = page
        self._data = data
        self._needed = data.hides or revealed
        self._view = (0.0, 0.0)

    def take(self, kind: Format = "png") -> bytes | None:
        """Return a picture in CSS pixels, None if the areas to black out are unknown."""
        if not self._needed:
            return self._picture(kind)
        try:
            for _ in range(TRIES):
                before = self._boxes()
                picture = self._picture(kind)
                # Otherwise something appeared or moved while the picture was taken.
                if self._boxes() == before:
                    return self._blackened(picture, before, kind) if before else picture
        except _UnsureError:
            pass
        return None

    def _picture(self, kind: Format) -> bytes:
        quality = _QUALITY if kind == "jpeg" else None
        # Hiding the caret takes as long as half a picture.
        caret: Literal["hide", "initial"] = "initial" if kind == "jpeg" else "hide"
        try:
            return self._page.screenshot(type=kind, quality=quality, scale="css", caret=caret)
        except Error as error:
            # Fails for about one picture in a thousand; a second attempt succeeds.
            if "Unable to capture screenshot" not in str(error):
                raise
        return self._page.screenshot(type=kind, quality=quality, scale="css", caret=caret)

    def _blackened(self, picture: bytes, boxes: Iterable[Box], kind: Format) -> bytes:
        from PIL import Image, ImageDraw

        image = Image.open(io.BytesIO(picture)).convert("RGB")
        draw = ImageDraw.Draw(image)
        scale = image.width / (self._view[0] or image.width)
        for x, y, w, h in boxes:
            box = [x - _EDGE, y - _EDGE, x + w + _EDGE, y + h + _EDGE]
            draw.rectangle([side * scale for side in box], fill="black")
        out = io.BytesIO()
        if kind == "jpeg":
            image.save(out, "JPEG", quality=_QUALITY)
        else:
            image.save(out, "PNG", compress_level=1)
        return out.getvalue()

    def _boxes(self) -> set[Box]:
        """Return all boxes to black out, in viewport coordinates of the page."""
        numbers = redacted_in(self._page, self._data.redact)
        boxes: set[Box] = set()
        seen = frame_places(self._page, numbers, strict=True)
        for place in seen:
            if place.hidden and place.box:
                boxes.add(place.box)
                continue
            try:
                black = self._in_frame(place, numbers)
            except Error:
                if place.box is None:
                    raise
                # Black out a frame that does not answer or has just disappeared.
                black = [place.box]
            boxes.update(black)
        if self._data.typed:
            boxes.update(_closed(self._page, seen))
        width, height = self._view
        return {
            (x, y, w, h)
            for x, y, w, h in boxes
            if x < width + _EDGE and y < height + _EDGE and x + w > -_EDGE and y + h > -_EDGE
        }

    def _in_frame(self, place: FramePlace, numbers: Numbers) -> list[Box]:
        argument = {"redacted": as_json(numbers), "opaque": self._data.typed}
        # Frames that do not answer in time are blacked out, so they get less time.
        timeout = FRAME_TIMEOUT if place.box else 30.0
        answer = dom.call(place.frame, "painted", argument, timeout, dom.PAINTED)
        if place.box is None:
            self._view = tuple(answer["view"])
        if answer["unsure"]:
            raise _UnsureError
        black = [*answer["black"], *self._secret_boxes(answer["texts"])]
        boxes = [place.on_page((x, y, right - x, below - y)) for x, y, right, below in black]
        if place.box is None:
            return boxes
        if place.bent:
            return [place.box] if boxes else []
        return [cut for box in boxes if (cut := _common(box, place.box))]

    def _secret_boxes(self, texts: list[_Text]) -> list[list[float]]:
        """Return the boxes of texts that contain secrets."""
        data = self._data
        hidden = set(data.found([text for text, *_ in texts]))
        flowing = [i for i, text in enumerate(texts) if text[1] == "text"]
        values = [i for i, text in enumerate(texts) if text[1] == "value"]
        # A secret may be split over elements: letters in bold, a field for each digit.
        lines = [i for i, text in enumerate(texts) if text[1] not in ("value", "other", "turned")]
        read = _reading_order(texts)
        for some, glue in ((lines, "\n"), (flowing, "\n"), (values, "\n"), (read, "\n")):
            hidden.update(some[at] for at in data.found([texts[i][0] for i in some], glue))
        for _, block in groupby(flowing, key=lambda i: texts[i][2]):
            some = list(block)
            if len(some) > 1:
                hidden.update(some[at] for at in data.found([texts[i][0] for i in some], ""))
        hidden.update(i for i in values if data.scrub_field(texts[i][0]) != texts[i][0])
        if any(texts[i][1] == "unsure" for i in hidden):
            raise _UnsureError
        return [box for i in hidden for box in texts[i][3]]


def _reading_order(texts: list[_Text]) -> list[int]:
    """Return the indices of texts as a reader finds them on the page: lines from top to bottom.

    A style may draw them in another order than the document has, and an annotation between them.
    """
    # A turned text follows the same one as it is in the document.
    twins = {i - 1 for i, text in enumerate(texts) if text[1] == "turned"}
    shown = [i for i, text in enumerate(texts) if text[1] not in ("other", "unsure")]
    boxes = {i: texts[i][3][0] for i in shown if i not in twins}
    lines: list[list[int]] = []
    below = 0.0
    for i, (_, top, _, bottom) in sorted(boxes.items(), key=lambda e: e[1][1] + e[1][3]):
        if lines and (top + bottom) / 2 < below:
            lines[-1].append(i)
        else:
            lines.append([i])
            below = bottom
    return [i for line in lines for i in sorted(line, key=lambda i: boxes[i][0])]


def _common(one: Box, other: Box) -> Box | None:
    x, y = max(one[0], other[0]), max(one[1], other[1])
    right = min(one[0] + one[2], other[0] + other[2])
    below = min(one[1] + one[3], other[1] + other[3])
    return (x, y, right - x, below - y) if right > x and below > y else None


def _closed(page: Page, seen: list[FramePlace]) -> list[Box]:
    """Return the boxes of closed shadow roots, which scripts cannot inspect.

    Only Chromium reports them; for other browsers the engine guesses.
    """
    browser = page.context.browser
    if browser is None or browser.browser_type.name != "chromium":
        return []
    boxes = _closed_in(page, page)
    for place in seen:
        if place.box and place.frame.url and _closed_in(page, place.frame):
            boxes.append(place.box)
    return boxes


def _closed_in(page: Page, where: Page | Frame) -> list[Box]:
    try:
        session = page.context.new_cdp_session(where)
    except Error:
        return []  # the page's own session covers frames in its process
    try:
        root = session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
        boxes: list[Box] = []
        # Nodes come with their frame's element, as boxes in a frame are not in page coordinates.
        stack: list[tuple[dict[str, Any], dict[str, Any] | None]] = [(root, None)]
        while stack:
            node, frame = stack.pop()
            if "contentDocument" in node:
                stack.append((node["contentDocument"], frame or node))
            for shadow in node.get("shadowRoots", ()):
                if shadow["shadowRootType"] == "closed":
                    boxes += _boxes_of(session, [frame] if frame else [node, *_below(shadow)])
                elif shadow["shadowRootType"] == "open":
                    stack.append((shadow, frame))
            stack += [(child, frame) for child in node.get("children", ())]
        return boxes
    finally:
        session.detach()


def _below(node: dict[str, Any]) -> list[dict[str, Any]]:
    order = [node]
    for each in order:
        if len(order) > _INSIDE_AT_MOST:
            raise _UnsureError
        order.extend(each.get("children", ()))
        order.extend(each.get("shadowRoots", ()))
    return [each for each in order if each["nodeType"] == 1]


def _boxes_of(session: CDPSession, nodes: Iterable[dict[str, Any]]) -> list[Box]:
    boxes = []
    for node in nodes:
        try:
            model = session.send("DOM.getBoxModel", {"backendNodeId": node["backendNodeId"]})
        except Error:
            continue  # the node is not drawn
        quad = model["model"]["border"]
        left, top = min(quad[::2]), min(quad[1::2])
        boxes.append((left, top, max(quad[::2]) - left, max(quad[1::2]) - top))
    return boxes
