"""Calls to the package's selector engines, which run in Playwright's isolated world.

All scripts share a library: `js/dom.js` for an element's visibility, role, name and text, and
`js/structure.js` for what it stands in.
"""

from __future__ import annotations

import base64
import itertools
import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakSet

from pytest_webtask.errors import UsageError

if TYPE_CHECKING:
    from playwright.sync_api import Frame, Locator, Page, Playwright

NAME = "webtask"
PAINTED = "webtask_painted"
FACTS = "webtask_facts"
SETS = "webtask_sets"
OBSERVE = "webtask_observe"
MATCH = "webtask_match"
_FILES = {
    NAME: "engine.js",
    PAINTED: "painted.js",
    FACTS: "facts.js",
    SETS: "sets.js",
    OBSERVE: "observe.js",
    MATCH: "match.js",
}
_registered: WeakSet[Any] = WeakSet()
"""The implementation objects of each Playwright."""


def library() -> str:
    """Return an expression for a function that creates the library for a document."""
    dom, structure = _read_source("dom.js"), _read_source("structure.js")
    return (
        "((dom, structure) => (root, state) => { const top = root.ownerDocument ?? root;"
        " const library = dom(top, state);"
        f" return Object.assign(library, structure(library, top)); }})({dom},\n{structure})"
    )


def engine_source(engine: str) -> str:
    """Return the source of an engine, including the library that it needs."""
    source = _read_source(_FILES[engine])
    return f"(globalThis.__webtask_dom ??= {library()},\n{source if engine == NAME else _engine(source)})"


def register(playwright: Playwright) -> None:
    """Register the engines once per Playwright; documents opened earlier do not have them."""
    # Several pytest runs of one process may share a Playwright.
    if playwright._impl_obj in _registered:
        return
    _registered.add(playwright._impl_obj)
    for engine in _FILES:
        # The first engine defines the library; Playwright runs them in this order.
        verbs = f"(0, eval)({json.dumps(_read_source(_FILES[engine]))})"
        source = engine_source(engine) if engine == NAME else _engine(verbs)
        playwright.selectors.register(engine, source, content_script=True)


def register_with(page: Page) -> None:
    """Register the engines with the Playwright that has opened a page."""
    from playwright.sync_api import Playwright

    # Playwright has no public way from a page to itself.
    context: Any = page.context._impl_obj
    register(Playwright(context._browser._browser_type._playwright))


def _engine(verbs: str) -> str:
    """Return an engine that answers by the verbs of a function, made when first used: few documents need all."""
    return (
        "({ queryAll(root, body) { const dom = globalThis.__webtask_dom(root, globalThis.__webtask ??= {});"
        f" return dom.reply(body, (this.verbs ??= {verbs})(dom, root)); }} }})"
    )


@cache
def _read_source(file: str) -> str:
    """Return JavaScript without comments and indentation, which would be sent to each document."""
    source = resources.files("pytest_webtask.page").joinpath(f"js/{file}").read_text("utf-8")
    return re.sub(r"^\s*(?://.*\n\s*)*", "", source, flags=re.MULTILINE).strip()


class Asks(Protocol):
    """Asks a page along with another question `about` its rest, if that is not None, and can `hear` the answer."""

    about: dict[str, Any] | None

    def hear(self, answer: Mapping[str, Any]) -> None:
        """Take the answer."""


PATIENCE = 0.15
"""Seconds that a question waits in the page for its rest."""
_MARGIN = 0.09
"""Seconds that the answer may take then: with a timeout of less than 0.25 s Playwright asks again each 20 ms."""


def selector(
    verb: str, argument: Any = None, engine: str = NAME, about: Mapping[str, Any] | None = None
) -> str:
    """Return a selector for an element whose text is the JSON result of a verb."""
    body = base64.b64encode(json.dumps([verb, argument, about]).encode()).decode()
    return f"{engine}=call:{body}"


def call(
    where: Frame | Locator,
    verb: str,
    argument: Any = None,
    timeout: float | None = 30.0,
    engine: str = NAME,
    along: Asks | None = None,
) -> Any:
    """Run a verb in the document or on the element, and return its result, after `timeout` seconds at most."""

    def asked(about: Mapping[str, Any] | None) -> Locator:
        return where.locator(selector(verb, argument, engine, about))

    return _answer(asked, timeout, along)


def _answer(
    asked: Callable[[Mapping[str, Any] | None], Locator],
    timeout: float | None,
    along: Asks | None,
) -> Any:
    """Return the answer to a question, for which there is a locator by what it asks about the page."""
    from playwright.sync_api import TimeoutError

    about = along.about if along else None
    if along is None or about is None:
        return _read(asked(None), timeout)
    along.about = None
    patience = about["patience"]
    try:
        patient = patience / 1000 + _MARGIN if patience else timeout
        answer, activity = _read(asked(about), patient)
    except TimeoutError:
        if not patience:
            raise
        # It takes long to answer at all.
        hasty = asked({**about, "patience": 0})
        answer, activity = _read(hasty, timeout)
    along.hear(activity)
    return answer


def _read(locator: Locator, timeout: float | None) -> Any:
    from playwright.sync_api import Error

    try:
        text = locator.text_content(timeout=None if timeout is None else timeout * 1000)
        return json.loads(text or "null")
    except Error as error:
        if "reading 'queryAll'" in str(error) or "Unknown engine" in str(error):
            raise UsageError(
                "this page was opened before pytest-webtask was ready. In a test, take it from a fixture"
                " of pytest-playwright (page, context, browser or new_context); in a script, call"
                " pytest_webtask.open() before page.goto(). To go on with this page, reload it."
            ) from None
        raise


_requests = itertools.count()


def ask(
    where: Page | Frame,
    first: Locator,
    others: Sequence[Locator],
    timeout: float = 30.0,
    engine: str = NAME,
    verb: str = "asked",
    along: Asks | None = None,
    **more: Any,
) -> Any:
    """Return for each locator the number of its elements and the identities of the first few.

    Another `verb`, with further arguments, returns something else about the elements. All are asked in
    one message. `others` are relative to the frame of the `first`. Elements that
    are missing are not awaited, only the frame is, for `timeout` seconds.
    """
    request = str(next(_requests))
    every = first.locator(f"{NAME}=ask:{request}.0")
    for way, locator in enumerate(others, 1):
        every = every.or_(locator.locator(f"{NAME}=ask:{request}.{way}"))
    argument = {"request": request, "ways": 1 + len(others), **more}

    def asked(about: Mapping[str, Any] | None) -> Locator:
        return every.or_(where.locator(selector(verb, argument, engine, about)))

    return _answer(asked, timeout, along) or []


def node(frame: Frame, document: str, *numbers: int) -> Locator:
    """Return a locator for live nodes by number; it matches nothing once they are gone."""
    return frame.locator(f"{NAME}=node:{document}:{','.join(map(str, numbers))}")
