"""The frames of a page: where each is drawn, whether it can be seen, and which elements in it are redacted."""

import json
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Error, Frame, Locator, Page, TimeoutError

from pytest_webtask.data.masking import Redact
from pytest_webtask.errors import UsageError
from pytest_webtask.page import dom
from pytest_webtask.types.page import Box

Numbers = dict[str, list[int]]
"""Numbers of DOM nodes, by document."""
FRAME_TIMEOUT = 5.0
"""Seconds in which a frame must answer."""
_MISWRITTEN = ("parsing", "Unexpected token", "not a valid selector", "Unknown engine", "Malformed")


@dataclass(frozen=True)
class FramePlace:
    """A frame and its position on the page.

    `box` is None for the main frame. `x`, `y` and `scale` map the frame's viewport to the page's,
    unless the frame is `bent` (rotated or mirrored). `hidden` is True for a redacted frame.
    """

    frame: Frame
    x: float = 0.0
    y: float = 0.0
    scale: tuple[float, float] = (1.0, 1.0)
    box: Box | None = None
    bent: bool = False
    hidden: bool = False

    def on_page(self, box: Box) -> Box:
        """Return a box of the frame in the page's viewport coordinates."""
        if self.box is None:
            return box
        x, y, w, h = box
        sx, sy = self.scale
        return (self.x + x * sx, self.y + y * sy, w * sx, h * sy)


def frame_places(page: Page, redacted: Numbers, *, strict: bool = False) -> list[FramePlace]:
    """Return the frames that have a box on the page, even a transparent one, parents first.

    Frames without a position are skipped; with `strict` they raise Playwright's Error.
    """
    places: dict[Frame | None, FramePlace] = {page.main_frame: FramePlace(page.main_frame)}
    for frame in page.frames[1:]:
        parent = places.get(frame.parent_frame)
        if parent is None or frame.is_detached():
            continue
        try:
            answer = _place_of(frame)
            if not answer:
                raise Error("a frame has no position on the page, as it is hidden or was removed")
        except Error:
            if strict and not frame.is_detached():
                raise
            continue
        if answer["box"][2] > 0 and answer["box"][3] > 0:
            places[frame] = _placed(frame, parent, answer, redacted)
    return list(places.values())


def _placed(
    frame: Frame, parent: FramePlace, answer: dict[str, Any], redacted: Numbers
) -> FramePlace:
    (ix, iy), (sx, sy) = answer["inner"], parent.scale
    return FramePlace(
        frame,
        x=parent.x + ix * sx,
        y=parent.y + iy * sy,
        scale=(sx * answer["scale"][0], sy * answer["scale"][1]),
        box=parent.on_page(tuple(answer["box"])),
        bent=parent.bent or answer["bent"],
        hidden=parent.hidden or answer["number"] in redacted.get(answer["document"], ()),
    )


def is_frame_visible(frame: Frame) -> bool:
    """Return whether a user can see a frame and all frames around it, now or after scrolling."""
    return _is_each(frame, "visible")


def is_frame_rendered(frame: Frame) -> bool:
    """Return whether Playwright can act in a frame: it has a box, though it may be transparent."""
    return _is_each(frame, "rendered")


def _is_each(frame: Frame, quality: str) -> bool:
    """Return whether a frame and all frames around it have a quality; a detached one has none."""
    around = frame
    try:
        while around.parent_frame:
            place = _place_of(around)
            if not place or not place[quality]:
                return False
            around = around.parent_frame
    except Error:
        if frame.is_detached():
            return False
        raise
    return True


def _place_of(frame: Frame) -> Any:
    carrier = frame.frame_element().query_selector(dom.selector("place"))
    return json.loads((carrier and carrier.text_content()) or "null")


def redacted_in(page: Page, redact: Redact) -> Numbers:
    """Return the elements matched by the selectors of `webtask_redact`, in every frame."""
    numbers: Numbers = {}
    for frame in page.frames if redact.has_locators else ():
        try:
            for entry in redact.selectors:
                frame.locator(f"css={entry}").locator(f"{dom.NAME}=ask:redact.0").count()
            answer = dom.call(frame, "found", {"request": "redact"}, FRAME_TIMEOUT)
            numbers.setdefault(answer["document"], []).extend(answer["numbers"])
        except Error as error:
            if any(sign in str(error) for sign in _MISWRITTEN):
                reason = str(error).splitlines()[0]
                raise UsageError(
                    f"webtask_redact: {entry!r} is not a selector: {reason}; correct it"
                ) from None
            # The texts of a frame that does not answer are hidden.
            is_lost = frame.is_detached() or isinstance(error, TimeoutError)
            if frame is page.main_frame or not is_lost:
                raise
    return numbers


def frames_around(frame: Frame) -> list[dict[str, str]]:
    """Return the frames around a frame as containers, from the inside out."""
    containers = []
    own = dom.call(frame.page.main_frame, "origin")["origin"] if frame.parent_frame else ""
    while frame.parent_frame:
        carrier = frame.frame_element()
        name = carrier.get_attribute("title") or carrier.get_attribute("aria-label") or ""
        is_foreign = dom.call(frame, "origin")["origin"] != own
        kind = "frame of another origin" if is_foreign else "frame"
        containers.append({"kind": kind, "name": name})
        frame = frame.parent_frame
    return containers


def frame_of(locator: Locator, code: str) -> Frame:
    """Return the frame of a locator's element; `code` tells whether it may be an inner one."""
    if "content_frame" not in code and "frame_locator" not in code:
        return locator.page.main_frame
    frame = locator.element_handle(timeout=FRAME_TIMEOUT * 1000).owner_frame()
    assert frame is not None, "an element is in a frame"
    return frame
