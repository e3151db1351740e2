"""Calling our selector engine, which runs in Playwright's isolated world (see `engine.js`)."""

from __future__ import annotations

import base64
import json
from importlib import resources
from typing import TYPE_CHECKING, Any

from pytest_webtask.errors import UsageError

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Locator, Playwright

NAME = "webtask"


def register(playwright: Playwright) -> None:
    """Make the engine known; documents that were used by Playwright before do not have it."""
    source = resources.files("pytest_webtask.page").joinpath("engine.js").read_text()
    playwright.selectors.register(NAME, source, content_script=True)


def call(frame: Frame, verb: str, argument: Any = None, timeout: float = 30.0) -> Any:
    """The answer of one of the engine's verbs in the frame's document; `timeout` in seconds."""
    from playwright.sync_api import Error

    body = base64.b64encode(json.dumps([verb, argument]).encode()).decode()
    locator = frame.locator(f"{NAME}=call:{body}")
    try:
        text = locator.text_content(timeout=timeout * 1000)
    except Error as error:
        if "queryAll" in str(error) or "Unknown engine" in str(error):
            raise UsageError(
                "this page was opened before pytest-webtask was ready: take it from"
                " pytest-playwright's fixtures (page, context, browser, new_context), or reload it"
            ) from None
        raise
    return json.loads(text or "null")


def node(frame: Frame, document: str, *numbers: int) -> Locator:
    """The living nodes of those numbers; it matches nothing once they have gone."""
    return frame.locator(f"{NAME}=node:{document}:{','.join(map(str, numbers))}")
