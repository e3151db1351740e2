"""The camera: pictures of a page as each action found it and as the step left it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Error, Locator, Page

from pytest_webtask.data import Data
from pytest_webtask.page import dom
from pytest_webtask.page.masks import Masks
from pytest_webtask.types.page import Box, Picture, Spot

__all__ = ["Camera"]

_TIMEOUT = 5.0
"""Seconds in which a page must answer; one that does not has no picture."""
_ATTACHED = 1.0
"""Seconds that an element may take to appear. The action itself waits longer, and says what is wrong."""
_STATE = ("document", "changed", "scrolled", "scroll", "size")
"""The fields that are equal in two views of a page that has not changed in between."""


class Camera:
    """Takes the pictures of the steps of one webtask, with secrets and redacted parts in black.

    `save` stores a JPEG and returns its path below the run's folder.
    """

    def __init__(self, data: Callable[[], Data], save: Callable[[bytes], str]) -> None:
        self._data = data
        self._save = save
        self._last: tuple[list[Any], Picture] | None = None

    def take(self, page: Page) -> Picture | None:
        """Return a picture of the page as it is now, None if there can be none."""
        try:
            return self._picture(page, _view(page))
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
        if self._last is None or self._last[0] != [view[name] for name in _STATE]:
            return None
        return self._last[1]

    def _picture(self, page: Page, view: dict[str, Any]) -> Picture | None:
        self._last = None
        taken = Masks(page, self._data(), view["revealed"]).take("jpeg")
        if taken is None:
            return None
        picture = Picture(path=self._save(taken), size=view["size"])
        self._last = ([view[name] for name in _STATE], picture)
        return picture


def _view(where: Page | Locator, seconds: float = _TIMEOUT) -> dict[str, Any]:
    of = where.main_frame if isinstance(where, Page) else where
    return dict(dom.call(of, "view", timeout=seconds))


def _shows(view: dict[str, Any]) -> bool:
    """Return whether the center of the element is in the visible part of its document."""
    (x, y, w, h), (width, height) = view["box"], view["size"]
    return bool(0 <= x + w / 2 < width and 0 <= y + h / 2 < height)
