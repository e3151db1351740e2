"""Calling our selector engines, which run in Playwright's isolated world (see `js/engine.js`)."""

from __future__ import annotations

import base64
import json
from importlib import resources
from typing import TYPE_CHECKING, Any

from pytest_webtask.errors import UsageError

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Locator, Playwright

NAME = "webtask"
PAINTED = "webtask_painted"
FACTS = "webtask_facts"
SETS = "webtask_sets"
OBSERVE = "webtask_observe"


def register(playwright: Playwright) -> None:
    """Make the engines known; documents that were used by Playwright before do not have them."""
    folder = resources.files("pytest_webtask.page")
    files = {
        NAME: "js/engine.js",
        PAINTED: "js/painted.js",
        FACTS: "js/facts.js",
        SETS: "js/sets.js",
        OBSERVE: "js/observe.js",
    }
    for name, file in files.items():
        playwright.selectors.register(name, folder.joinpath(file).read_text(), content_script=True)


def selector(verb: str, argument: Any = None, engine: str = NAME) -> str:
    """Finds an element whose text is the verb's answer, in JSON."""
    body = base64.b64encode(json.dumps([verb, argument]).encode()).decode()
    return f"{engine}=call:{body}"


def call(
    where: Frame | Locator,
    verb: str,
    argument: Any = None,
    timeout: float = 30.0,
    engine: str = NAME,
) -> Any:
    """The answer of one of the engine's verbs in the document, or below the element.

    `timeout` is in seconds.
    """
    from playwright.sync_api import Error

    locator = where.locator(selector(verb, argument, engine))
    try:
        text = locator.text_content(timeout=timeout * 1000)
    except Error as error:
        if "reading 'queryAll'" in str(error) or "Unknown engine" in str(error):
            raise UsageError(
                "this page was opened before pytest-webtask was ready: take it from"
                " pytest-playwright's fixtures (page, context, browser, new_context), or reload it"
            ) from None
        raise
    return json.loads(text or "null")


def node(frame: Frame, document: str, *numbers: int) -> Locator:
    """The living nodes of those numbers; it matches nothing once they have gone."""
    return frame.locator(f"{NAME}=node:{document}:{','.join(map(str, numbers))}")
