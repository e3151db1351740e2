"""Pictures of a page: secrets in black, and for models with marked elements."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, NamedTuple
from weakref import WeakKeyDictionary

from playwright.sync_api import Error, Frame, Locator, Page

from pytest_webtask.data.values import Data
from pytest_webtask.page import dom
from pytest_webtask.page.activity import activity_of
from pytest_webtask.page.frames import (
    FRAME_TIMEOUT,
    FramePlace,
    Numbers,
    as_json,
    frame_places,
    redacted_in,
)
from pytest_webtask.types.agent import Element
from pytest_webtask.types.page import Box, Picture, Spot

if TYPE_CHECKING:
    from asyncio import Future

    # Pillow is imported on its first use: most replays need none.
    from PIL import Image

_TIMEOUT = 5.0
"""Seconds in which a page must answer; one that does not has no picture."""
_ATTACHED = 1.0
"""Seconds that an element may take to appear. The action itself waits longer, and says what is wrong."""
_LOCATED = 0.25
"""Seconds that an element which was found before may take to tell its box."""
_POINTED_OUT = 20
"""The most candidates that a picture shows."""
TRIES = 2
_EDGE = 2.0
"""Pixels by which glyphs may extend beyond the box of their text."""
_QUALITY = 70
"""The quality of the JPEG that a browser makes."""

_Shown = dict[str, Any]
"""What decides how a page looks, as `shownOf` in `engine.js` returns it."""
Format = Literal["png", "jpeg"]
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
"""The share of a label's cells that may be occupied."""
_SMALL = 50
"""The size, in pixels, up to which boxes are kept free of labels."""


_candidates: WeakKeyDictionary[Page, Sequence[Locator]] = WeakKeyDictionary()


def point_out(page: Page, candidates: Sequence[Locator]) -> None:
    """Have the picture of the page as a failed step leaves it show which elements could be meant."""
    _candidates[page] = candidates[:_POINTED_OUT]


def pointed_out(page: Page) -> tuple[Box, ...]:
    """Return the boxes of the elements that were pointed out, in CSS pixels, and forget them."""
    boxes: list[Box] = []
    for each in _candidates.pop(page, ()):
        with suppress(Error):
            if box := each.bounding_box(timeout=_LOCATED * 1000):
                boxes.append((box["x"], box["y"], box["width"], box["height"]))
    return tuple(boxes)


class Camera:
    """Takes the pictures of the steps of one webtask, with secrets and redacted parts in black.

    `save` stores a JPEG and returns its path below the run's folder.
    """

    def __init__(self, data: Callable[[], Data], save: Callable[[bytes], str]) -> None:
        self._data = data
        self._save = save
        self._last: tuple[_Shown, Picture | None] = ({}, None)
        """What the page showed in the last picture, and the picture."""
        self._begun: tuple[_Shown, Any] = ({}, None)
        """What the page showed as the last picture was begun beside the test, and its future."""

    def take(self, page: Page) -> Picture | None:
        """Return a picture of the page as it is now, None if there can be none.

        The last picture serves again if the page is known to look the same.
        """
        try:
            view = _view(page)
            shown, picture = self._last
            return picture if _looks_same(shown, self._now(view)) else self._picture(page, view)
        except Error:
            return None

    def aim(self, locator: Locator) -> Spot | None:
        """Return where an action on an element will be, None if the element cannot be seen.

        The element is scrolled into view, as the action would. The last picture serves again if the
        page has not changed since.
        """
        page = locator.page
        try:
            view = _view(locator, _ATTACHED)
            if not _shows(view):
                locator.scroll_into_view_if_needed(timeout=_ATTACHED * 1000)
                view = _view(locator, _ATTACHED)
            if view["main"]:
                box: Box = tuple(view["box"])
                picture = self._unchanged(view) or self._picture(page, view)
            else:
                # The document around a frame does not know what changes in it.
                within = locator.bounding_box(timeout=_ATTACHED * 1000)
                if within is None:
                    return None
                box = (within["x"], within["y"], within["width"], within["height"])
                picture = self._picture(page, _view(page))
        except Error:
            return None
        if picture is None or not (box[2] > 0 and box[3] > 0):
            return None
        return Spot(picture=picture, box=box)

    def _unchanged(self, view: dict[str, Any]) -> Picture | None:
        (shown, picture), now = self._last, self._now(view)
        is_same = (shown.get("changed"), shown.get("hidden")) == (now["changed"], now["hidden"])
        return picture if is_same else None

    def _now(self, view: Mapping[str, Any]) -> _Shown:
        """Return what a picture would show, and how much of it there is to hide."""
        return {**view["shown"], "hidden": self._data().hidden_so_far}

    def _picture(self, page: Page, view: dict[str, Any]) -> Picture | None:
        activity_of(page).on_look = partial(self._begin, page)
        shown, data, taken = self._now(view), self._data(), None
        (begun, future), self._last, self._begun = self._begun, ({}, None), ({}, None)
        if _looks_same(begun, shown):
            taken = page._sync(future)
        taken = taken or Masks(page, data, shown["revealed"]).take("jpeg")
        if taken is None:
            return None
        self._last = (shown, Picture(path=self._save(taken), size=view["size"]))
        return self._last[1]

    def _begin(self, page: Page, shown: _Shown, ends: bool) -> None:
        """Begin to take a picture beside the test, if one of what the page shows will be needed.

        Where a step may end, that is if no picture shows just this; before an action the last one serves
        until the page has changed.
        """
        data, last, (begun, future) = self._data(), self._last[0], self._begun
        shown = self._now({"shown": shown})
        is_known = last == shown if ends else last.get("changed") == shown["changed"]
        # Redacted elements are looked for by several questions, between which no other may come.
        if is_known or shown["drawn"] is None or data.redact.has_locators:
            return
        if future is None or (future.done() and begun != shown):
            take = partial(Masks(page, data, shown["revealed"]).take, "jpeg")
            self._begun = (shown, _beside(page, take))


def _looks_same(one: _Shown, other: _Shown) -> bool:
    return one == other and one["drawn"] is not None


def _beside(page: Page, call: Callable[[], bytes | None]) -> Future[bytes | None]:
    """Return the future result of calls of Playwright that run while others wait, None if they fail."""
    from greenlet import greenlet

    # Playwright runs the handlers of events like this.
    loop: Any = page._loop
    future: Future[bytes | None] = loop.create_future()

    def run() -> None:
        result = None
        # What is wrong is raised by the same calls when the result is needed.
        with suppress(Exception):
            result = call()
        # The time for waiting may be over.
        if not future.done():
            future.set_result(result)

    loop.call_soon(lambda: greenlet(run).switch())
    return future


def _view(where: Page | Locator, seconds: float = _TIMEOUT) -> dict[str, Any]:
    of = where.main_frame if isinstance(where, Page) else where
    return dict(dom.call(of, "view", timeout=seconds))


def _shows(view: dict[str, Any]) -> bool:
    """Return whether the center of the element is in the visible part of its document."""
    (x, y, w, h), (width, height) = view["box"], view["size"]
    return bool(0 <= x + w / 2 < width and 0 <= y + h / 2 < height)


class _Text(NamedTuple):
    """A text that is painted on a page, in its boxes, as `painted.js` tells it."""

    words: str
    kind: str
    block: int
    boxes: list[list[float]]


class _UnsureError(Exception):
    """Redacted content may be on the page at an unknown position."""


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
        for place in frame_places(self._page, numbers, strict=True):
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
        if self._data.typed and _has_closed_roots(self._page):
            raise _UnsureError
        width, height = (side + 2 * _EDGE for side in self._view)
        return {box for box in boxes if _common(box, (-_EDGE, -_EDGE, width, height))}

    def _in_frame(self, place: FramePlace, numbers: Numbers) -> list[Box]:
        argument = {"redacted": as_json(numbers), "opaque": self._data.typed}
        # Frames that do not answer in time are blacked out, so they get less time.
        timeout = FRAME_TIMEOUT if place.box else 30.0
        answer = dom.call(place.frame, "painted", argument, timeout, dom.PAINTED)
        if place.box is None:
            self._view = tuple(answer["view"])
        if answer["unsure"]:
            raise _UnsureError
        black = [*answer["black"], *self._secret_boxes([_Text(*text) for text in answer["texts"]])]
        boxes = [place.on_page((x, y, right - x, below - y)) for x, y, right, below in black]
        if place.box is None:
            return boxes
        if place.bent:
            return [place.box] if boxes else []
        return [cut for box in boxes if (cut := _common(box, place.box))]

    def _secret_boxes(self, texts: list[_Text]) -> list[list[float]]:
        """Return the boxes of texts that contain secrets."""
        by_kind: defaultdict[str, list[int]] = defaultdict(list)
        for i, text in enumerate(texts):
            by_kind[text.kind].append(i)
        flowing, values = by_kind["text"], by_kind["value"]
        every = [*range(len(texts))]
        apart = {*values, *by_kind["other"], *by_kind["turned"]}
        # A secret may be split over elements: letters in bold, a field for each digit.
        hidden = self._found(texts, every, None)
        for some in (sorted({*every} - apart), flowing, values, _reading_order(texts)):
            hidden |= self._found(texts, some, "\n")
        for _, block in groupby(flowing, key=lambda i: texts[i].block):
            hidden |= self._found(texts, [*block], "")
        scrub = self._data.scrub_field
        hidden |= {i for i in values if scrub(texts[i].words) != texts[i].words}
        if hidden & {*by_kind["unsure"]}:
            raise _UnsureError
        return [box for i in hidden for box in texts[i].boxes]

    def _found(self, texts: list[_Text], some: list[int], glue: str | None) -> set[int]:
        """Return which of some texts contain parts of a secret, alone or as if joined by `glue`."""
        words = [texts[i].words for i in some]
        found = self._data.found(words) if glue is None else self._data.found(words, glue)
        return {some[at] for at in found}


def _reading_order(texts: list[_Text]) -> list[int]:
    """Return the indices of texts as a reader finds them on the page: lines from top to bottom.

    A style may draw them in another order than the document has, and an annotation between them.
    """
    # A turned text follows the same one as it is in the document.
    twins = {i - 1 for i, text in enumerate(texts) if text.kind == "turned"}
    shown = [i for i, text in enumerate(texts) if text.kind not in ("other", "unsure")]
    boxes = {i: texts[i].boxes[0] for i in shown if i not in twins}
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


def _has_closed_roots(page: Page) -> bool:
    """Return whether there are closed shadow roots, which scripts cannot inspect.

    Only Chromium reports them; for other browsers the engine guesses.
    """
    places: list[Page | Frame] = [page, *page.frames[1:]]
    for where in places:
        try:
            session = page.context.new_cdp_session(where)
        except Error:
            continue  # the page's own session covers frames in its process
        try:
            document = session.send("DOM.getDocument", {"depth": -1, "pierce": True})
            nodes = [document["root"]]
            for node in nodes:
                nodes += [*node.get("children", ()), *node.get("shadowRoots", ())]
                nodes += filter(None, [node.get("contentDocument")])
        finally:
            session.detach()
        if any(node.get("shadowRootType") == "closed" for node in nodes):
            return True
    return False


def cut(picture: bytes, box: Box) -> bytes:
    """Return a JPEG of a part of a screenshot; `box` is in picture pixels."""
    from PIL import Image

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


def mark(picture: bytes, elements: Iterable[Element], viewport: tuple[float, float]) -> bytes:
    """Return a screenshot as a JPEG with boxes and labels of elements, of a size that models accept.

    `viewport` is (width, height) in CSS pixels, the unit of the elements' boxes. Labels are placed
    where they cover least, and omitted where there is no room at the box.
    """
    from PIL import Image, ImageDraw, ImageFont

    image = Image.open(io.BytesIO(picture)).convert("RGB")
    shrink = min(1.0, LONG_EDGE / max(image.size), (PIXELS / (image.width * image.height)) ** 0.5)
    if shrink < 1.0:
        smaller = (max(1, int(image.width * shrink)), max(1, int(image.height * shrink)))
        image = image.resize(smaller, Image.Resampling.LANCZOS)
    scale = image.width / viewport[0] if viewport[0] else 1.0
    room = _Room(image)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=_SIZE)
    shown = [(e.id, _scaled(e.box, scale)) for e in elements if e.box and e.in_view]
    colors = [_COLORS[number % len(_COLORS)] for number in range(len(shown))]
    for (_, box), color in zip(shown, colors, strict=True):
        x, y, w, h = box
        right, bottom = min(x + w, image.width - 1), min(y + h, image.height - 1)
        if right > x and bottom > y:
            draw.rectangle((x, y, right, bottom), outline=color)
        if max(w, h) <= _SMALL:
            # An icon without strong edges must remain visible, too.
            room.keep_free(x, y, (w, h))
    for (element_id, box), color in zip(shown, colors, strict=True):
        size = (draw.textlength(element_id, font=font) + 4, _SIZE + 3.0)
        if place := room.place(box, size):
            x, y = place
            draw.rectangle((x, y, x + size[0], y + size[1]), fill=color)
            draw.text((x + 2, y + 1), element_id, fill="white", font=font)
    out = io.BytesIO()
    image.save(out, "JPEG", quality=80)
    return out.getvalue()


def _scaled(box: Box, scale: float) -> Box:
    x, y, w, h = (side * scale for side in box)
    return (max(x, 0.0), max(y, 0.0), w + min(x, 0.0), h + min(y, 0.0))


class _Room:
    """Placement of labels by the content and other labels that they would cover."""

    def __init__(self, image: Image.Image) -> None:
        from PIL import ImageDraw, ImageFilter

        self._size = image.size
        edges = image.convert("L").filter(ImageFilter.FIND_EDGES)
        # The filter detects edges at the rim of the picture.
        ImageDraw.Draw(edges).rectangle((0, 0, edges.width - 1, edges.height - 1), outline=0)
        cells = edges.reduce(_CELL)
        self._width, self._height = cells.size
        self._cost = [1 if ink > _INK else 0 for ink in cells.tobytes()]

    def place(self, box: Box, size: tuple[float, float]) -> tuple[float, float] | None:
        """Return and occupy the position at a box where a label of that size covers least.

        Return None if it would cover much everywhere.
        """
        costs = {
            place: sum(self._cost[cell] for cell in self._cells(*place, size))
            for place in self._places(box, size)
        }
        best = min(costs, key=costs.__getitem__)
        if costs[best] > _CROWDED * size[0] * size[1] / _CELL**2:
            return None
        for cell in self._cells(*best, size):
            self._cost[cell] += _LABEL
        return best

    def keep_free(self, left: float, top: float, size: tuple[float, float]) -> None:
        """Mark an area as content that labels should not cover."""
        for cell in self._cells(left, top, size):
            self._cost[cell] = max(self._cost[cell], 1)

    def _places(self, box: Box, size: tuple[float, float]) -> Iterator[tuple[float, float]]:
        x, y, w, h = box
        width, height = size
        most = (max(self._size[0] - width, 0.0), max(self._size[1] - height, 0.0))
        inside = [(x + 5, y + 5)] if w > width + 10 and h > height + 10 else []
        for left, top in (
            (x, y - height),
            (x + w - width, y - height),
            (x, y + h),
            (x + w, y),
            (x - width, y),
            (x + w - width, y + h),
            *inside,
            (x, y),
            (x + w - width, y + h - height),
        ):
            yield min(max(left, 0.0), most[0]), min(max(top, 0.0), most[1])

    def _cells(self, left: float, top: float, size: tuple[float, float]) -> Iterator[int]:
        for row in range(int(top) // _CELL, min(int(top + size[1]) // _CELL + 1, self._height)):
            start = row * self._width
            end = min(int(left + size[0]) // _CELL + 1, self._width)
            yield from range(start + int(left) // _CELL, start + end)
