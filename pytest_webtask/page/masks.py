"""Pictures of a page in which everything that must not be seen is black."""

from __future__ import annotations

import io
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from playwright.sync_api import CDPSession, Error, Frame, Page

from pytest_webtask.data import Data
from pytest_webtask.page import engine
from pytest_webtask.page.frames import FRAME_TIMEOUT, Numbers, Place, as_json, places, redacted_in
from pytest_webtask.records import Box

TRIES = 2
_EDGE = 2.0
"""Pixels by which letters may reach over the box of their text."""
_INSIDE_AT_MOST = 300

_Text = tuple[str, str, int, list[list[float]]]


class _Unsure(Exception):
    """Something that must not be seen is on the page, and nobody can tell where."""


class Masks:
    """Takes one picture. `revealed` says that a password is shown as text."""

    def __init__(self, page: Page, data: Data, revealed: bool = False) -> None:
        self._page = page
        self._data = data
        self._needed = data.hides or revealed
        self._view = (0.0, 0.0)

    def take(self) -> bytes | None:
        """A PNG in CSS pixels; None where it cannot be said what must be black in it."""
        if not self._needed:
            return self._picture()
        try:
            for _ in range(TRIES):
                before = self._boxes()
                picture = self._picture()
                # What came, went or moved meanwhile may be in the picture at some other place.
                if self._boxes() == before:
                    return self._blackened(picture, before)
        except _Unsure:
            pass
        return None

    def _picture(self) -> bytes:
        try:
            return self._page.screenshot(type="png", scale="css")
        except Error as error:
            # Seen once in some thousand pictures, and gone at the next.
            if "Unable to capture screenshot" not in str(error):
                raise
        return self._page.screenshot(type="png", scale="css")

    def _blackened(self, picture: bytes, boxes: Iterable[Box]) -> bytes:
        from PIL import Image, ImageDraw

        image = Image.open(io.BytesIO(picture)).convert("RGB")
        draw = ImageDraw.Draw(image)
        scale = image.width / (self._view[0] or image.width)
        for x, y, w, h in boxes:
            box = [x - _EDGE, y - _EDGE, x + w + _EDGE, y + h + _EDGE]
            draw.rectangle([side * scale for side in box], fill="black")
        out = io.BytesIO()
        image.save(out, "PNG", compress_level=1)
        return out.getvalue()

    def _boxes(self) -> set[Box]:
        """All that must be black, in the viewport of the page."""
        numbers = redacted_in(self._page, self._data.redact)
        boxes: set[Box] = set()
        seen = places(self._page, numbers, strict=True)
        for place in seen:
            if place.hidden and place.box:
                boxes.add(place.box)
                continue
            try:
                found = self._in_frame(place, numbers)
            except Error:
                if place.box is None:
                    raise
                # What cannot be asked, or has just gone, is black as a whole.
                found = [place.box]
            boxes.update(found)
        if self._data.typed:
            boxes.update(_closed(self._page, seen))
        width, height = self._view
        return {
            (x, y, w, h)
            for x, y, w, h in boxes
            if x < width + _EDGE and y < height + _EDGE and x + w > -_EDGE and y + h > -_EDGE
        }

    def _in_frame(self, place: Place, numbers: Numbers) -> list[Box]:
        argument = {"redacted": as_json(numbers), "opaque": self._data.typed}
        # A frame that does not say what it shows is blacked out as a whole.
        timeout = FRAME_TIMEOUT if place.box else 30.0
        told = engine.call(place.frame, "painted", argument, timeout, engine.PAINTED)
        if place.box is None:
            self._view = tuple(told["view"])
        found = [*told["black"], *self._told(told["texts"])]
        boxes = [place.on_page((x, y, right - x, below - y)) for x, y, right, below in found]
        if place.box is None:
            return boxes
        if place.bent:
            return [place.box] if boxes else []
        return [cut for box in boxes if (cut := _common(box, place.box))]

    def _told(self, texts: list[_Text]) -> list[list[float]]:
        """The boxes of the texts that hold what must not be seen."""
        data = self._data
        found = set(data.found([text for text, *_ in texts]))
        flowing = [i for i, text in enumerate(texts) if text[1] == "text"]
        values = [i for i, text in enumerate(texts) if text[1] == "value"]
        # Split over elements: some letters of it in bold, a field for each digit.
        lines = [i for i, text in enumerate(texts) if text[1] not in ("value", "other")]
        for some, glue in ((lines, "\n"), (flowing, "\n"), (values, "\n")):
            found.update(some[at] for at in data.found([texts[i][0] for i in some], glue))
        for _, block in groupby(flowing, key=lambda i: texts[i][2]):
            some = list(block)
            if len(some) > 1:
                found.update(some[at] for at in data.found([texts[i][0] for i in some], ""))
        found.update(i for i in values if data.scrub_field(texts[i][0]) != texts[i][0])
        if any(texts[i][1] == "unsure" for i in found):
            raise _Unsure
        return [box for i in found for box in texts[i][3]]


def _common(one: Box, other: Box) -> Box | None:
    x, y = max(one[0], other[0]), max(one[1], other[1])
    right = min(one[0] + one[2], other[0] + other[2])
    below = min(one[1] + one[3], other[1] + other[3])
    return (x, y, right - x, below - y) if right > x and below > y else None


def _closed(page: Page, seen: list[Place]) -> list[Box]:
    """Where closed shadow roots are drawn, into which no script can look.

    Only Chromium tells; for the other browsers the engine guesses.
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
        return []  # a frame in the process of its page, which is asked already
    try:
        root = session.send("DOM.getDocument", {"depth": -1, "pierce": True})["root"]
        found: list[Box] = []
        # With each node the frame's element in which it stands: boxes there are not the page's.
        stack: list[tuple[dict[str, Any], dict[str, Any] | None]] = [(root, None)]
        while stack:
            node, frame = stack.pop()
            if "contentDocument" in node:
                stack.append((node["contentDocument"], frame or node))
            for shadow in node.get("shadowRoots", ()):
                if shadow["shadowRootType"] == "closed":
                    found += _boxes_of(session, [frame] if frame else [node, *_below(shadow)])
                elif shadow["shadowRootType"] == "open":
                    stack.append((shadow, frame))
            stack += [(child, frame) for child in node.get("children", ())]
        return found
    finally:
        session.detach()


def _below(node: dict[str, Any]) -> list[dict[str, Any]]:
    order = [node]
    for each in order:
        if len(order) > _INSIDE_AT_MOST:
            raise _Unsure
        order.extend(each.get("children", ()))
        order.extend(each.get("shadowRoots", ()))
    return [each for each in order if each["nodeType"] == 1]


def _boxes_of(session: CDPSession, nodes: Iterable[dict[str, Any]]) -> list[Box]:
    boxes = []
    for node in nodes:
        try:
            told = session.send("DOM.getBoxModel", {"backendNodeId": node["backendNodeId"]})
        except Error:
            continue  # it is not drawn
        quad = told["model"]["border"]
        left, top = min(quad[::2]), min(quad[1::2])
        boxes.append((left, top, max(quad[::2]) - left, max(quad[1::2]) - top))
    return boxes
