"""Points of the page, for what has no id: the element that is there, and where in it the point is."""

from __future__ import annotations

from playwright.sync_api import Locator, Position

from pytest_webtask.page import engine
from pytest_webtask.page.addressing import target_of
from pytest_webtask.tools import ToolError
from pytest_webtask.tools.hands import Hands


def at(hands: Hands, x: float | None, y: float | None, which: str = "") -> tuple[Locator, Position]:
    """The innermost element at a point of the visible part, and the point within it.

    `which` is how the names of the call's parameters begin, such as `to_`.
    Raises ToolError where the point is outside, or in a frame of an origin that is not allowed.
    """
    if x is None or y is None:
        raise ToolError("give an element_id, or x and y of a point of the page")
    page = hands.page
    width, height = page.evaluate("[innerWidth, innerHeight]")
    if not (0 <= x < width and 0 <= y < height):
        raise ToolError(
            f"({x:g}, {y:g}) is outside the visible part, which is {width} by {height} pixels"
        )
    frame = page.main_frame
    while True:
        hands.check_frame(frame)
        found = engine.call(frame, "at", {"x": x, "y": y})
        if found is None:
            raise ToolError(f"there is nothing at ({x:g}, {y:g})")
        locator = engine.node(frame, found["document"], found["number"])
        point: Position = {"x": found["x"], "y": found["y"]}
        inner = None
        if found["frame"]:
            place = engine.call(locator, "place")
            inner = locator.element_handle().content_frame()
        if inner is None:
            break
        x = (x - place["inner"][0]) / (place["scale"][0] or 1)
        y = (y - place["inner"][1]) / (place["scale"][1] or 1)
        frame = inner
    who = engine.call(locator, "who")
    hands.targets[f"{which}element_id"] = target_of(
        locator, frame, who, hands.data, who["role"], ""
    )
    hands.again |= {f"{which}x": round(point["x"], 1), f"{which}y": round(point["y"], 1)}
    return locator, point
