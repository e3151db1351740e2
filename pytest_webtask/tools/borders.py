"""Where on the pages of a test nothing may be done: in what is of an origin that is not allowed."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Error, Frame, Page

from pytest_webtask.page import engine
from pytest_webtask.page.frames import FRAME_TIMEOUT
from pytest_webtask.page.origins import OPAQUE, AllowedOrigins, origin_of, place_of
from pytest_webtask.page.tabs import Tabs
from pytest_webtask.tools import ToolError

__all__ = ["Borders"]


@dataclass
class Borders:
    """The pages of a test, and which of their frames may be acted upon."""

    tabs: Tabs
    allowed: AllowedOrigins

    @property
    def page(self) -> Page:
        """The page in front; PageError where there is none."""
        return self.tabs.front

    def check_frame(self, frame: Frame) -> None:
        """Raise ToolError where the frame is of an origin that may not be acted upon."""
        url = self.foreign(frame)
        if url is not None:
            raise ToolError(f"nothing is done on {self._not_allowed(url)}")

    def foreign(self, frame: Frame) -> str | None:
        """The address that may not be acted upon, of the frame or one around it; None if all may.

        A frame may be written and led elsewhere by those around it.
        """
        around: Frame | None = frame
        while around is not None:
            url = self._address(around)
            if not self.allowed.allows(url):
                return url
            around = around.parent_frame
        return None

    def foreign_frames(self) -> list[Frame]:
        """The frames of the page in front that may not be acted upon."""
        return [frame for frame in self.page.frames if self.foreign(frame) is not None]

    def _address(self, frame: Frame) -> str:
        """The address whose origin a frame has: a blank one has its parent's, a tab its opener's."""
        if frame.url not in ("", ":") and origin_of(frame.url):
            return frame.url
        if frame.parent_frame is not None:
            return self._address(frame.parent_frame)
        opener = self.tabs.opener_of(frame.page)
        if opener is None:
            return "about:blank"
        try:
            # Any frame of the opener's may have opened it.
            origin = str(engine.call(frame, "whose", timeout=FRAME_TIMEOUT)["origin"])
        except Error:
            return OPAQUE
        around = self._address(opener.main_frame)
        if origin == OPAQUE and not around.startswith("http"):
            return next(filter(None, map(self.foreign, opener.frames)), around)
        return origin

    def _not_allowed(self, url: str) -> str:
        return (
            f"{place_of(url)}, which is not an allowed origin; allowed:"
            f" {', '.join(self.allowed) or 'none'}. The test may add it with --webtask-allow-origin"
        )

    def check_dialogs(self) -> None:
        """Raise ToolError where what answers a dialog might reach an origin that is not allowed.

        A dialog does not tell which frame of which page has opened it.
        """
        frames = [frame for page in self.page.context.pages for frame in page.frames]
        for url in filter(None, map(self.foreign, frames)):
            raise ToolError(
                "no secret is entered into a dialog, which may be that of a frame or tab of"
                f" {self._not_allowed(url)}"
            )
