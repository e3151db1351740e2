"""Frames: which of them a user can see, and in which Playwright can act."""

import pytest
from playwright.sync_api import Page

from pytest_webtask.page.frames import is_frame_rendered, is_frame_visible

STYLES = {
    "border:0": (True, True), "margin-top:3000px": (True, True), "opacity:0": (False, True),
    "position:absolute;left:-9999px": (False, True), "height:0": (False, True),
    "width:1px;height:1px;border:0": (False, True), "display:none": (False, False),
    "visibility:hidden": (False, False),
}  # fmt: skip


@pytest.mark.usefixtures("webtask_engine")
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("style", STYLES)
def test_frame_is_visible_if_a_user_can_see_its_content(page: Page, style: str, depth: int) -> None:
    """A frame needs a content box that is drawn, as do the frames around it; an action needs any box."""
    page.set_content(f"<iframe style='{style}'></iframe>")
    for _ in range(1, depth):
        page.frames[-1].set_content("<iframe></iframe>")
    frame = page.frames[-1]
    assert (is_frame_visible(frame), is_frame_rendered(frame)) == STYLES[style]


@pytest.mark.usefixtures("webtask_engine")
def test_main_frame_is_visible_and_a_detached_one_is_not(page: Page) -> None:
    """A frame that is removed during the question is no error."""
    page.set_content("<iframe></iframe>")
    main, frame = page.frames
    with page.expect_event("framedetached"):
        page.evaluate("document.querySelector('iframe').remove()")
    assert is_frame_visible(main)
    assert is_frame_rendered(main)
    assert not is_frame_visible(frame)
    assert not is_frame_rendered(frame)
