"""Pictures of a page: secrets in black, and for models with marked elements."""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import cycle, groupby
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from playwright.sync_api import Error, Frame, Locator, Page

from pytest_webtask.data.values import APART, Data
from pytest_webtask.page import dom
from pytest_webtask.page.frames import (
    FRAME_TIMEOUT,
    FramePlace,
    Numbers,
    frame_places,
    redacted_in,
)
from pytest_webtask.types.agent import Element
from pytest_webtask.types.page import Box, Picture, Spot

if TYPE_CHECKING:
    # Pillow is imported on its first use: most replays need none.
    from PIL import Image, ImageDraw

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
_QUALITY = 75

_Shown = dict[str, Any]
"""What decides how a page looks, as `shownOf` in `engine.js` returns it."""
LONG_EDGE = 1568
PIXELS = 1_150_000
_COLORS = ("#c2185b", "#1565c0", "#2e7d32", "#6a1b9a", "#d84315", "#00695c", "#4527a0", "#9e6a00")
_SIZE = 12
_LOW = 50
"""The height, in pixels, up to which boxes are kept free of labels."""

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

    def take(self, page: Page) -> Picture | None:
        """Return a picture of the page as it is now, None if there can be none.

        The last picture serves again if the page is known to look the same.
        """
        with suppress(Error):
            view = _view(page)
            shown, picture = self._last
            is_same = shown == self._now(view) and shown["drawn"] is not None
            return picture if is_same else self._picture(page, view)
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
        shown = self._now(view)
        self._last = ({}, None)
        taken = Masks(page, self._data(), shown["revealed"]).take()
        if taken is None:
            return None
        self._last = (shown, Picture(path=self._save(taken), size=view["size"]))
        return self._last[1]


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

    def take(self) -> bytes | None:
        """Return a JPEG in CSS pixels, None if the areas to black out are unknown."""
        if not self._needed:
            return self._picture()
        with suppress(_UnsureError):
            for _ in range(TRIES):
                before = self._boxes()
                picture = self._picture()
                # Otherwise something appeared or moved while the picture was taken.
                if self._boxes() == before:
                    if before:
                        return self._blackened(picture, before)
                    return picture
        return None

    def _picture(self) -> bytes:
        try:
            return self._screenshot()
        except Error as error:
            # Fails for about one picture in a thousand; a second attempt succeeds.
            if "Unable to capture screenshot" not in str(error):
                raise
        return self._screenshot()

    def _screenshot(self) -> bytes:
        # Hiding the caret takes half as long. A browser never answers if the page is left meanwhile.
        return self._page.screenshot(
            type="jpeg",
            quality=_QUALITY,
            scale="css",
            caret="initial",
            timeout=_TIMEOUT * 1000,
        )

    def _blackened(self, picture: bytes, boxes: Iterable[Box]) -> bytes:
        from PIL import ImageDraw

        image = _opened(picture)
        draw = ImageDraw.Draw(image)
        scale = image.width / (self._view[0] or image.width)
        for x, y, w, h in boxes:
            box = [x - _EDGE, y - _EDGE, x + w + _EDGE, y + h + _EDGE]
            draw.rectangle([side * scale for side in box], fill="black")
        return _jpeg(image)

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
        argument = {"redacted": numbers, "opaque": self._data.typed}
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
        by_kind: defaultdict[str, list[int]] = defaultdict(list)
        for i, text in enumerate(texts):
            by_kind[text.kind].append(i)
        flowing, values = by_kind["text"], by_kind["value"]
        every = [*range(len(texts))]
        apart = {*values, *by_kind["other"], *by_kind["turned"]}
        blocks = groupby(flowing, key=lambda i: texts[i].block)
        # A secret may be split over elements: letters in bold, a field for each digit.
        ways = [(every, APART), (sorted({*every} - apart), "\n"), (flowing, "\n"), (values, "\n")]
        ways += [(_reading_order(texts), "\n"), *(([*block], "") for _, block in blocks)]
        hidden: set[int] = set()
        for some, glue in ways:
            found = self._data.found([texts[i].words for i in some], glue)
            hidden.update(some[at] for at in found)
        scrub = self._data.scrub_field
        hidden.update(i for i in values if scrub(texts[i].words) != texts[i].words)
        if hidden & {*by_kind["unsure"]}:
            raise _UnsureError
        return [box for i in hidden for box in texts[i].boxes]


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
    if right <= x or below <= y:
        return None
    return (x, y, right - x, below - y)


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
    image = _opened(picture)
    x, y, w, h = box
    edge = 8
    sides = (max(x - edge, 0), max(y - edge, 0), x + w + edge, y + h + edge)
    left, top, right, bottom = (round(side) for side in sides)
    right, bottom = min(right, image.width), min(bottom, image.height)
    if right > left and bottom > top:
        image = image.crop((left, top, right, bottom))
    return _jpeg(image)


def mark(picture: bytes, elements: Iterable[Element], viewport: tuple[float, float]) -> bytes:
    """Return a screenshot as a JPEG with boxes and labels of elements, of a size that models accept.

    `viewport` is (width, height) in CSS pixels, the unit of the elements' boxes. A label that would cover
    another one, or a low element, at each side of its box is omitted.
    """
    from PIL import Image, ImageDraw, ImageFont

    image = _opened(picture)
    shrink = min(1.0, LONG_EDGE / max(image.size), (PIXELS / (image.width * image.height)) ** 0.5)
    if shrink < 1.0:
        smaller = (max(1, int(image.width * shrink)), max(1, int(image.height * shrink)))
        image = image.resize(smaller, Image.Resampling.LANCZOS)
    scale = image.width / viewport[0] if viewport[0] else 1.0
    whole: Box = (0.0, 0.0, float(image.width), float(image.height))
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=_SIZE)
    marks: list[tuple[str, str, Box]] = []
    for element, color in zip((e for e in elements if e.in_view), cycle(_COLORS), strict=False):
        x, y, w, h = (side * scale for side in element.box or (0.0, 0.0, 0.0, 0.0))
        if box := _common((x, y, w, h), whole):
            marks.append((element.id, color, box))
            _draw_box(draw, box, outline=color)
    taken = [box for _, _, box in marks if box[3] <= _LOW]
    for element_id, color, box in marks:
        size = (draw.textlength(element_id, font=font) + 4, _SIZE + 3.0)
        others = [other for other in taken if other != box or box[2] <= 2 * size[0]]
        for label in _labels(box, size, image.size):
            if not any(_common(label, other) for other in others):
                taken.append(label)
                _draw_box(draw, label, fill=color)
                draw.text((label[0] + 2, label[1] + 1), element_id, fill="white", font=font)
                break
    return _jpeg(image)


def _labels(box: Box, size: tuple[float, float], image: tuple[int, int]) -> Iterator[Box]:
    """Yield where in an image a label may be: above its box, below it, beside it and in its corner."""
    x, y, w, h = box
    width, height = size
    for left, top in (
        (x, y - height),
        (x + w - width, y - height),
        (x, y + h),
        (x + w, y),
        (x - width, y),
        (x + w - width, y),
    ):
        yield (
            min(max(left, 0.0), max(image[0] - width, 0.0)),
            min(max(top, 0.0), max(image[1] - height, 0.0)),
            *size,
        )


def _draw_box(draw: ImageDraw.ImageDraw, box: Box, **colors: Any) -> None:
    x, y, w, h = box
    if w > 1 and h > 1:
        draw.rectangle((x, y, x + w - 1, y + h - 1), **colors)


def _opened(picture: bytes) -> Image.Image:
    from PIL import Image

    return Image.open(io.BytesIO(picture)).convert("RGB")


def _jpeg(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=_QUALITY)
    return out.getvalue()
