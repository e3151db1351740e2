"""Tools that navigate, look, wait and switch tabs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from pydantic import Field

from pytest_webtask.data.escapes import escape_ids, in_quotes
from pytest_webtask.data.phrases import raise_limit
from pytest_webtask.data.values import Placeholders
from pytest_webtask.journal.schema import RecordedCall
from pytest_webtask.page import dom
from pytest_webtask.page.step_time import Deadline
from pytest_webtask.tools import forms, mouse
from pytest_webtask.tools.mouse import DATA, ActionArgs
from pytest_webtask.tools.registry import Args, CallCode, Export, Tool, more_seconds
from pytest_webtask.tools.results import ToolError, ToolResult, playwright_error

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from pytest_webtask.tools.context import ToolCallContext


class Navigate(ActionArgs):
    """The address to open."""

    url: str = Field(
        description=f"A path of this application such as /cart, or a whole address. {DATA}"
    )


def navigate(call: ToolCallContext, args: Navigate) -> str:
    """Navigate to an address of an allowed origin."""
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
    response = None
    with call.acting(args):
        try:
            response = call.page.goto(url, wait_until="domcontentloaded")
        except playwright_error() as error:
            if "Download is starting" in str(error):
                return "a download started; the page is as it was"
            raise
    status = response.status if response else 0
    return f"at {call.page.url}" + (f", status {status}" if status >= 400 else "")


def go_back(call: ToolCallContext, args: ActionArgs) -> str:
    """Go back in the history. Raises ToolError if there is no earlier page."""
    before, url = call.session.tabs.navigations, call.page.url
    answer, blank = None, False
    with call.acting(args), call.leaving():
        # Playwright returns None for a page from the cache and for a missing one alike.
        answer = call.page.go_back(wait_until="commit")
        blank = call.page.url == "about:blank" != url
        if blank:
            # The blank page at the start of a test does not count.
            # A committed page is not yet active, and only an active page has a history.
            call.page.wait_for_load_state()
            call.page.go_forward(wait_until="domcontentloaded")
    stays = call.session.tabs.stays
    if blank or (not stays and answer is None and call.session.tabs.navigations == before):
        raise ToolError("there is no page to go back to: call navigate instead")
    return f"at {call.page.url}"


def reload(call: ToolCallContext, args: ActionArgs) -> str:
    """Reload the page."""
    # A committed page is not yet active and cannot be reloaded.
    call.page.wait_for_load_state("domcontentloaded", timeout=call.milliseconds)
    with call.acting(args), call.leaving():
        call.page.reload(wait_until="domcontentloaded")
    return f"at {call.page.url}"


def _navigate_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    yield f"{code.page}.goto({code.text(call.parameters['url'])})"


def _page_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    yield f"{code.page}.{call.tool}()"


NAVIGATION_TOOLS = (
    Tool(
        "navigate",
        "Go to an address.",
        Navigate,
        navigate,
        acts=True,
        changes=False,
        settles=True,
        anywhere=True,
        export=Export(_navigate_code, method="goto", of_page=True, awaits_load=True),
    ),
    Tool(
        "go_back",
        "Go back to the previous page, like the browser's button.",
        ActionArgs,
        go_back,
        acts=True,
        changes=False,
        settles=True,
        export=Export(_page_code, of_page=True, awaits_load=True),
    ),
    Tool(
        "reload",
        "Reload the page.",
        ActionArgs,
        reload,
        acts=True,
        changes=False,
        settles=True,
        export=Export(_page_code, of_page=True, awaits_load=True),
    ),
    *mouse.MOUSE_TOOLS,
    *forms.FIELD_TOOLS,
    *forms.FILE_TOOLS,
)


WAIT_AT_MOST = 30.0
SHORT_WAIT_AT_MOST = 5.0
GUESS_AT_MOST = 2.0
"""Seconds to wait for a text that the model has only guessed, unless it says how long."""
LOOK_AT_MOST = 12_000
LOADING_AT_MOST = 1.0
"""Seconds to wait for the title of a tab that is still loading."""


class Wait(Args):
    """A time to wait, or a text to wait for."""

    seconds: float | None = Field(
        None,
        gt=0,
        le=WAIT_AT_MOST,
        description="How long; with a text, at most. Default: a few seconds, 2 for a guess.",
    )
    text: str | None = Field(
        None,
        description="End as soon as this text is visible: whole words, capital letters as written;"
        " {name} is a value of the data. Text that is neither in the task, the data nor on a page of"
        " this step is a guess: if it does not appear, the calls after it run anyway.",
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
    text: str | None = Field(
        None,
        description="A text, to read only the lines that contain it, such as options of a long list.",
    )


class SwitchTab(Args):
    """A tab."""

    tab: str = Field(description="The number of the tab, or its title or a part of it.")


class CloseTab(ActionArgs):
    """A tab, or the one in front."""

    tab: str | None = Field(
        None, description="The number of the tab, or its title; default: the tab in front."
    )


def wait(call: ToolCallContext, args: Wait) -> ToolResult | str:
    """Wait for some seconds or for a text.

    A text that a model has only guessed need not appear, and such a wait is not recorded. Models that
    do not look at the page guess nothing.
    """
    from pytest_webtask.checks.check_context import is_shown
    from pytest_webtask.page.activity import activity_of

    seconds = call.step.capped(args.seconds or call.step.timeout)
    if args.text is None:
        call.page.wait_for_timeout(seconds * 1000)
        return ""
    text = call.data.fill(args.text)
    if not text.strip():
        raise ToolError(f"the text {args.text!r} is empty; pass a text that will be visible")
    guessed = call.looks and not _is_known(call, args.text)
    if guessed and args.seconds is None:
        seconds = min(seconds, GUESS_AT_MOST)
    secret = call.data.uses_secret(args.text)

    activity = activity_of(call.page)

    def shows() -> bool:
        return is_shown(call.page, text, call.session.origins.foreign_frames() if secret else ())

    # A message of the action before this one proves nothing.
    if call.await_effect(lambda: shows() and not activity.is_idle(), seconds):
        old = activity.has_stayed(call.page.get_by_text(text).last)
        return f"{args.text!r} is shown" + (", as before the last action" if old else "")
    if shows():
        raise ToolError(f"the last action changed nothing, and {args.text!r} was there before it")
    if guessed:
        message = f"{args.text!r}, your guess, was not visible within {seconds:g} s"
        return ToolResult(message, replayed=False)
    option = "`seconds`" if call.looks else "" if args.seconds else "--webtask-timeout"
    more = f"; {raise_limit(option)}" if option else ""
    raise ToolError(f"{args.text!r} was not visible within {seconds:g} s{more}")


def _is_known(call: ToolCallContext, text: str) -> bool:
    """Return whether a text is in the task or the data, or on a page that the step has shown."""
    if call.data.fill(text) != text or Placeholders(call.data.values).put(text) != text:
        return True
    words = " ".join(text.split())
    return words in " ".join(call.task.split()) or call.step.history.has_shown(words)


def look(call: ToolCallContext, args: Look) -> str:
    """Read an element or a part of the outline in full."""
    if args.part is not None:
        text = call.session.observer.part(args.part)
        if text is None:
            raise ToolError(
                f"the outline has no part {args.part!r}; pass a name that the outline shows, such as part-1"
            )
        return _cut(_lines_with(args.text, call.data.scrub(text)))
    if args.element_id is not None:
        locator = call.locate("element_id", args.element_id)
        observer = call.session.observer
        text = observer.read(locator, call.milliseconds)
        if not text and not observer.is_redacted(args.element_id) and (held := _value(locator)):
            # Lines of a field, which anybody may fill, could pass for those of the prompt.
            lines = _cut(_lines_with(args.text, call.data.scrub(held))).splitlines()
            return escape_ids(json.dumps("\n".join(lines), ensure_ascii=False))
        # Scrub before cutting: a part of a secret would not be recognized.
        return _cut(escape_ids(_lines_with(args.text, call.data.scrub(text))) or "(no text)")
    if args.text is not None:
        raise ToolError("look got a text but no place to search: pass element_id or part as well")
    return "the page is shown again"


def _value(locator: Locator) -> str:
    """Return the value of a field, "" for other elements and passwords."""
    if dom.call(locator, "field")["type"] == "password":
        return ""
    return dom.call(locator, "held")[0] or ""


def switch_tab(call: ToolCallContext, args: SwitchTab) -> str:
    """Bring a tab to the front."""
    number, page = _find_tab(call, args.tab)
    page.bring_to_front()
    call.session.tabs.front = page
    return f"tab {number} is in front: {page.url}"


def close_tab(call: ToolCallContext, args: CloseTab) -> str:
    """Close a tab, unless it is the only one."""
    page = call.page if args.tab is None else _find_tab(call, args.tab)[1]
    if len(call.session.tabs.pages) == 1:
        raise ToolError("the only tab cannot be closed: call go_back or navigate instead")
    with call.acting(args):
        page.close()
    return f"tab {call.session.tabs.number_of(call.page)} is in front: {call.page.url}"


def _find_tab(call: ToolCallContext, name: str) -> tuple[int, Page]:
    """Return a tab by number or title: exact, then ignoring case, then partial."""
    from pytest_webtask.page.tabs import title_of

    name = call.data.fill(name).strip()
    timeout, tabs = call.step.timeout, call.session.tabs
    loaded = Deadline(min(timeout, LOADING_AT_MOST))
    titles: dict[int, str] = {}
    matches: list[int] = []

    def is_found() -> bool:
        nonlocal titles, matches
        titles = {number: title_of(page) for number, page in tabs.pages.items()}
        if name.isdigit() and int(name) in titles:
            matches = [int(name)]
        elif all(titles.values()) or loaded.is_over:
            # A new tab that is still loading may get the same title.
            ways: tuple[Callable[[str], bool], ...] = (
                lambda title: title == name,
                lambda title: title.lower() == name.lower(),
                lambda title: bool(name) and name.lower() in title.lower(),
            )
            named = ([n for n, title in titles.items() if fits(title)] for fits in ways)
            matches = next(filter(None, named), [])
        return len(matches) == 1

    if call.await_effect(is_found):
        return matches[0], tabs.pages[matches[0]]
    listed = "; ".join(f"{n}: {title or tabs.pages[n].url}" for n, title in titles.items())
    more = "" if matches or call.looks else f", or {raise_limit('--webtask-timeout')}"
    several, none = f"several tabs match {name!r}", f"no tab matches {name!r} within {timeout:g} s"
    raise ToolError(
        f"{several if matches else none}; use the number of an open tab ({listed}){more}"
    )


def _lines_with(part: str | None, text: str) -> str:
    """Return the lines of a text that contain a part of it, ignoring case."""
    if part is None:
        return text
    lines = [line for line in text.splitlines() if part.casefold() in line.casefold()]
    return "\n".join(lines) or f"(no line contains {in_quotes(part)})"


def _cut(text: str) -> str:
    if len(text) <= LOOK_AT_MOST:
        return text
    return f"{text[:LOOK_AT_MOST]}… ({len(text) - LOOK_AT_MOST} more characters; scroll there)"


class ShortWait(Args):
    """A short time to wait, for a role that only reads."""

    seconds: float = Field(gt=0, le=SHORT_WAIT_AT_MOST, description="How long.")


def short_wait(call: ToolCallContext, args: ShortWait) -> str:
    """Wait a moment before the next look."""
    call.page.wait_for_timeout(call.step.capped(args.seconds) * 1000)
    return ""


SHORT_WAIT = Tool(
    "wait",
    "Wait a moment, if the page says that something is still going on.",
    ShortWait,
    short_wait,
    anywhere=True,
    reads=True,
)


def _wait_code(code: CallCode, call: RecordedCall) -> Iterator[str]:
    if call.parameters.get("text") is not None:
        seconds = more_seconds(float(call.parameters.get("seconds") or 0))
        text = f"{code.page}.get_by_text({code.words(call.parameters['text'])})"
        timeout = f"timeout={seconds * 1000:_.0f}" if seconds else ""
        code.needs("expect")
        yield f"expect({text}.filter(visible=True).first).to_be_visible({timeout})"


def _switch_tab_code(code: CallCode, call: RecordedCall) -> tuple[str, ...]:
    code.tabs.switch(str(call.parameters["tab"]))
    return ()


def _close_tab_code(code: CallCode, call: RecordedCall) -> tuple[str, ...]:
    tab = call.parameters.get("tab")
    code.tabs.close(None if tab is None else str(tab))
    return ()


LOOKING_TOOLS = (
    Tool(
        "wait",
        "Wait some seconds, or until a text is visible. You see a page only once it is at rest, so"
        " that needs no wait.",
        Wait,
        wait,
        anywhere=True,
        waits=True,
        export=Export(_wait_code, awaits_load=True),
    ),
    Tool(
        "look",
        "Read the whole text of an element, or what the outline left out; without arguments, see"
        " the page again.",
        Look,
        look,
        reads=True,
        informs=True,
        replayed=False,
    ),
    Tool(
        "switch_tab",
        "Bring another tab to the front; everything else then happens in that tab.",
        SwitchTab,
        switch_tab,
        settles=True,
        anywhere=True,
        reads=True,
        switches_tab=True,
        export=Export(_switch_tab_code),
    ),
    Tool(
        "close_tab",
        "Close a tab.",
        CloseTab,
        close_tab,
        acts=True,
        settles=True,
        export=Export(_close_tab_code),
    ),
)

READING_TOOLS = tuple(
    tool for tool in (*LOOKING_TOOLS, *mouse.MOUSE_TOOLS, SHORT_WAIT) if tool.reads
)
"""The tools of roles that only read; none of them clicks, types or navigates."""

_BUILT_IN = {tool.name: tool for tool in (*NAVIGATION_TOOLS, *LOOKING_TOOLS)}


def find_tool(name: str) -> Tool | None:
    """Return the built-in tool for pages with a name, None for a project's own tool or an ending."""
    return _BUILT_IN.get(name)
