"""Tools that navigate, look, wait and switch tabs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from pydantic import Field

from pytest_webtask.checks.page import Present
from pytest_webtask.data.escapes import escape_ids
from pytest_webtask.data.phrases import raise_limit
from pytest_webtask.journal.schema import RecordedCall
from pytest_webtask.page import dom
from pytest_webtask.page.step_time import Deadline
from pytest_webtask.tools.forms import FIELD_TOOLS
from pytest_webtask.tools.mouse import DATA, MOUSE_TOOLS, ActionArgs
from pytest_webtask.tools.registry import Args, CallCode, Tool, tool
from pytest_webtask.tools.results import InVain, ToolError, playwright_error

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from pytest_webtask.tools.context import ToolCallContext


class Navigate(ActionArgs):
    """The address to open."""

    url: str = Field(
        description=f"A path of this application such as /cart, or a whole address. {DATA}"
    )


def _navigate_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    yield f"{code.page}.goto({code.text(call.parameters['url'])})"


@tool(Navigate, acts=True, changes=False, settles=True, anywhere=True, code=_navigate_code)
def navigate(call: ToolCallContext, args: Navigate) -> str:
    """Go to an address."""
    from pytest_webtask.page.origins import how_to_allow, location_of

    try:
        url = urljoin(call.session.base_url or call.page.url, call.data.fill(args.url))
    except ValueError as error:
        raise ToolError(
            f"{args.url!r} is not a valid address: {error}. Pass a path such as /cart, or a whole address"
        ) from None
    if call.data.uses_secret(args.url):
        raise ToolError("an address cannot contain a secret: type the secret into a field")
    if not call.session.origins.allowed.allows(url):
        raise ToolError(
            f"{location_of(url)} is not an allowed origin; allowed: {', '.join(call.session.origins.allowed)}."
            f" {how_to_allow(url)}. Go on without it, or abort"
        )
    with call.acting(args):
        try:
            call.page.goto(url, wait_until="domcontentloaded")
        except playwright_error() as error:
            if "Download is starting" in str(error):
                return "a download started; the page is as it was"
            raise
    return f"at {call.page.url}"


def _page_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    yield f"{code.page}.{call.tool}()"


@tool(ActionArgs, acts=True, changes=False, settles=True, code=_page_code)
def go_back(call: ToolCallContext, args: ActionArgs) -> str:
    """Go back to the previous page, like the browser's button."""
    before = call.session.tabs.navigations
    answer = None
    with call.acting(args), call.leaving():
        # Playwright returns None for a page from the cache and for a missing one alike.
        answer = call.page.go_back(wait_until="commit")
    tabs = call.session.tabs
    stood = answer is None and not tabs.stays and tabs.navigations == before
    # The blank page at the start of a test does not count.
    if stood or call.page.url == "about:blank":
        raise ToolError("there is no page to go back to: call navigate instead")
    return f"at {call.page.url}"


@tool(ActionArgs, acts=True, changes=False, settles=True, code=_page_code)
def reload(call: ToolCallContext, args: ActionArgs) -> str:
    """Reload the page."""
    # A committed page is not yet active and cannot be reloaded.
    call.page.wait_for_load_state("domcontentloaded", timeout=call.milliseconds)
    with call.acting(args), call.leaving():
        call.page.reload(wait_until="domcontentloaded")
    return f"at {call.page.url}"


WAIT_AT_MOST = 30.0
LOOK_AT_MOST = 12_000
LOADING_AT_MOST = 1.0
"""Seconds to wait for the title of a tab that is still loading."""


class Wait(Args):
    """A time to wait, or a text to wait for."""

    seconds: float | None = Field(
        None,
        gt=0,
        le=WAIT_AT_MOST,
        description="How long; with a text, at most. Default: a few seconds.",
    )
    text: str | None = Field(
        None,
        description="End as soon as this text is visible: whole words, capital letters as written;"
        " {name} is a value of the data. If it does not appear, the calls after it are not run.",
    )


class Look(Args):
    """The element or part to read."""

    element_id: str | None = Field(
        None, description="An element whose whole text you want, by its id."
    )
    part: str | None = Field(
        None,
        description="A part that the outline left out, by its name there, such as part-1.",
    )


class SwitchTab(Args):
    """A tab."""

    tab: str = Field(description="The number of the tab, or its title or a part of it.")


def _wait_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    seconds = float(call.parameters.get("seconds") or 0)
    if call.parameters.get("text") is None:
        yield f"{code.page}.wait_for_timeout({seconds * 1000:_.0f})"
        return
    text = f"{code.page}.get_by_text({code.words(call.parameters['text'])})"
    # Playwright waits for five seconds by default.
    timeout = f"timeout={seconds * 1000:_.0f}" if seconds > 5 else ""
    code.helpers.add("expect")
    yield f"expect({text}.filter(visible=True).first).to_be_visible({timeout})"


@tool(Wait, anywhere=True, reads=True, waits=True, code=_wait_code)
def wait(call: ToolCallContext, args: Wait) -> str:
    """Wait some seconds, or until a text is visible.

    You see a page only once it is at rest, so that needs no wait.
    """
    from pytest_webtask.page.activity import activity_of

    seconds = call.step.capped(args.seconds or call.waits or call.step.timeout)
    if args.text is None:
        call.page.wait_for_timeout(seconds * 1000)
        return ""
    text = call.data.fill(args.text)
    if not text.strip():
        raise ToolError(f"the text {args.text!r} is empty; pass a text that will be visible")
    activity, present = activity_of(call.page), Present(text=args.text)

    def shows() -> bool:
        return call.checker().run(present).holds

    # A message of the action before this one proves nothing.
    if call.await_effect(lambda: shows() and not activity.is_idle(), seconds):
        return f"{args.text!r} is shown"
    if shows():
        raise InVain(f"the last action changed nothing, and {args.text!r} was there before it")
    option = "`seconds`" if args.seconds else "--webtask-timeout"
    raise InVain(f"{args.text!r} was not visible within {seconds:g} s; {raise_limit(option)}")


@tool(Look, reads=True, informs=True, replayed=False)
def look(call: ToolCallContext, args: Look) -> str:
    """Read the whole text of an element, or what the outline left out; without arguments, see the page again."""
    if args.part is not None:
        text = call.session.observer.part(args.part)
        if text is None:
            raise ToolError(
                f"the outline has no part {args.part!r}; pass a name that the outline shows, such as part-1"
            )
        return _cut(call.data.scrub(text))
    if args.element_id is None:
        return "the page is shown again"
    locator = call.locate("element_id", args.element_id)
    observer = call.session.observer
    text = observer.read(locator, call.milliseconds)
    if not text and not observer.is_redacted(args.element_id) and (held := _value(locator)):
        # Lines of a field, which anybody may fill, could pass for those of the prompt.
        return escape_ids(json.dumps(_cut(call.data.scrub(held)), ensure_ascii=False))
    # Scrub before cutting: a part of a secret would not be recognized.
    return _cut(escape_ids(call.data.scrub(text)) or "(no text)")


def _value(locator: Locator) -> str:
    if dom.call(locator, "field")["type"] == "password":
        return ""
    return dom.call(locator, "held")[0] or ""


@tool(SwitchTab, settles=True, anywhere=True, reads=True, switches_tab=True)
def switch_tab(call: ToolCallContext, args: SwitchTab) -> str:
    """Bring another tab to the front; everything else then happens in that tab."""
    number, page = _find_tab(call, args.tab)
    page.bring_to_front()
    call.session.tabs.front = page
    return f"tab {number} is in front: {page.url}"


@tool(ActionArgs, acts=True, settles=True)
def close_tab(call: ToolCallContext, args: ActionArgs) -> str:
    """Close the tab in front."""
    if len(call.session.tabs.pages) == 1:
        raise ToolError("the only tab cannot be closed: call go_back or navigate instead")
    with call.acting(args):
        call.page.close()
    return f"tab {call.session.tabs.number_of(call.page)} is in front: {call.page.url}"


def _find_tab(call: ToolCallContext, name: str) -> tuple[int, Page]:
    from pytest_webtask.page.tabs import title_of

    name = call.data.fill(name).strip()
    tabs, loaded = call.session.tabs, Deadline(min(call.step.timeout, LOADING_AT_MOST))
    titles: dict[int, str] = {}

    def named() -> list[int]:
        nonlocal titles
        titles = {number: title_of(page) for number, page in tabs.pages.items()}
        # A new tab that is still loading may get the same title.
        is_loading = "" in titles.values() and not loaded.is_over
        return [] if is_loading else _named_tabs(titles, name)

    call.await_effect(lambda: len(named()) == 1)
    matches = named()
    if len(matches) == 1:
        return matches[0], tabs.pages[matches[0]]
    listed = "; ".join(f"{n}: {title}" for n, title in titles.items())
    raise ToolError(
        f"{len(matches)} tabs match {name!r} within {call.step.timeout:g} s; use the number of an"
        f" open tab ({listed})"
    )


def _named_tabs(titles: Mapping[int, str], name: str) -> list[int]:
    if name in map(str, titles):
        return [int(name)]
    named = [number for number, title in titles.items() if title == name]
    return named or [number for number, title in titles.items() if name.lower() in title.lower()]


def _cut(text: str) -> str:
    if len(text) <= LOOK_AT_MOST:
        return text
    return f"{text[:LOOK_AT_MOST]}… ({len(text) - LOOK_AT_MOST} more characters; scroll there)"


NAVIGATION_TOOLS = (navigate, go_back, reload, *MOUSE_TOOLS, *FIELD_TOOLS)
LOOKING_TOOLS = (wait, look, switch_tab, close_tab)
READING_TOOLS = tuple(each for each in (*LOOKING_TOOLS, *MOUSE_TOOLS) if each.reads)
"""The tools of roles that only read; none of them clicks, types or navigates."""

_BUILT_IN = {each.name: each for each in (*NAVIGATION_TOOLS, *LOOKING_TOOLS)}


def find_tool(name: str) -> Tool | None:
    """Return the built-in tool for pages with a name, None for a project's own tool or an ending."""
    return _BUILT_IN.get(name)
