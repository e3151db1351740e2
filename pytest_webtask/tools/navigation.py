"""The tools that go to addresses, look, wait, and move between tabs."""

from __future__ import annotations

import time
from urllib.parse import urljoin

from playwright.sync_api import Error, Page
from pydantic import Field

from pytest_webtask.page.origins import location_of
from pytest_webtask.page.tabs import title_of
from pytest_webtask.tools import forms, mouse
from pytest_webtask.tools.context import Hands
from pytest_webtask.tools.forms import is_shown
from pytest_webtask.tools.mouse import DATA, ActionArgs
from pytest_webtask.tools.registry import Args, Tool, ToolError


class Navigate(ActionArgs):
    """Where to go."""

    url: str = Field(
        description=f"A path of this application such as /cart, or a whole address. {DATA}"
    )


def navigate(hands: Hands, args: Navigate) -> str:
    """Go to an address of an allowed origin."""
    try:
        url = urljoin(hands.base_url or hands.page.url, hands.data.fill(args.url))
    except ValueError as error:
        raise ToolError(f"{args.url!r} is not an address: {error}") from None
    if hands.data.uses_secret(args.url):
        raise ToolError("a secret does not belong in an address")
    if not hands.allowed.allows(url):
        raise ToolError(
            f"{location_of(url)} is not an allowed origin; allowed: {', '.join(hands.allowed)}."
            " The test may add it with --webtask-allow-origin"
        )
    with hands.acting(args.dialog, args.dialog_text):
        try:
            response = hands.page.goto(url, wait_until="domcontentloaded")
        except Error as error:
            if "Download is starting" in str(error):
                return "a download started; the page is as it was"
            raise
    status = response.status if response else 0
    return f"at {hands.page.url}" + (f", status {status}" if status >= 400 else "")


def go_back(hands: Hands, args: ActionArgs) -> str:
    """Go back in the history; an error where there is nothing before."""
    before, url = hands.tabs.navigations, hands.page.url
    with hands.acting(args.dialog, args.dialog_text):
        # A page kept by the browser answers None, as one that does not exist would.
        answer = hands.page.go_back(wait_until="commit")
        blank = hands.page.url == "about:blank" != url
        if blank:
            # The empty page that a test begins with is none that a user came from.
            # Committed is not yet active, and only an active page has a history.
            hands.page.wait_for_load_state()
            hands.page.go_forward(wait_until="domcontentloaded")
    if blank or (answer is None and hands.tabs.navigations == before):
        raise ToolError("there is no page to go back to")
    return f"at {hands.page.url}"


def reload(hands: Hands, args: ActionArgs) -> str:
    """Load the page anew."""
    # A page that is only committed is not yet active, and cannot be reloaded.
    hands.page.wait_for_load_state("domcontentloaded", timeout=hands.milliseconds)
    with hands.acting(args.dialog, args.dialog_text):
        hands.page.reload(wait_until="domcontentloaded")
    return f"at {hands.page.url}"


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
    ),
    Tool(
        "go_back",
        "Go back to the page before, as the browser's button does.",
        ActionArgs,
        go_back,
        acts=True,
        changes=False,
        settles=True,
    ),
    Tool(
        "reload", "Load the page anew.", ActionArgs, reload, acts=True, changes=False, settles=True
    ),
    *mouse.MOUSE_TOOLS,
    *forms.FIELD_TOOLS,
    *forms.FILE_TOOLS,
)


WAIT_AT_MOST = 30.0
SHORT_WAIT_AT_MOST = 5.0
LOOK_AT_MOST = 12_000
LOADING_AT_MOST = 1.0
"""Seconds that a tab without a title is given to get one."""
_POLL = 50.0


class Wait(Args):
    """How long, and for what."""

    seconds: float | None = Field(
        None,
        gt=0,
        le=WAIT_AT_MOST,
        description="How long; with a text, at most so long. Default a few.",
    )
    text: str | None = Field(
        None,
        description="End as soon as this text can be seen: whole words, capital letters as"
        " written; {name} is a value of the data.",
    )


class Look(Args):
    """What to read."""

    element_id: str | None = Field(
        None, description="An element whose whole text is wanted, by its id."
    )
    part: str | None = Field(
        None,
        description="A part that the outline left out, by the name it gives there, such as part-1.",
    )


class SwitchTab(Args):
    """A tab."""

    tab: str = Field(description="The number of the tab, or its title or a part of it.")


class CloseTab(ActionArgs):
    """A tab, or the one in front."""

    tab: str | None = Field(
        None, description="The number of the tab, or its title; default the tab in front."
    )


def wait(hands: Hands, args: Wait) -> str:
    """Wait some seconds, or for a text."""
    hands.acted = True
    seconds = hands.capped(args.seconds or hands.timeout)
    if args.text is None:
        hands.page.wait_for_timeout(seconds * 1000)
        return ""
    text = hands.data.fill(args.text)
    if not text.strip():
        raise ToolError(f"the text {args.text!r} is empty; give one that can be seen")
    end = time.monotonic() + seconds
    secret = hands.data.uses_secret(args.text)
    while not is_shown(hands.page, text, hands.foreign_frames() if secret else ()):
        if time.monotonic() > end:
            raise ToolError(f"{args.text!r} could not be seen within {seconds:g} s")
        hands.page.wait_for_timeout(_POLL)
    return f"{args.text!r} is shown"


def look(hands: Hands, args: Look) -> str:
    """Read an element or a part of the outline whole."""
    if args.part is not None:
        text = hands.observer.part(args.part)
        if text is None:
            raise ToolError(f"there is no {args.part!r}; parts are named in the outline")
        return _cut(hands.data.scrub(text))
    if args.element_id is not None:
        locator = hands.locate("element_id", args.element_id)
        text = hands.observer.read(locator, hands.milliseconds)
        # Before it is cut: half a secret would not be known again.
        return _cut(hands.data.scrub(text) or "(no text)")
    hands.acted = True
    return "the page is shown anew"


def switch_tab(hands: Hands, args: SwitchTab) -> str:
    """Bring a tab to the front."""
    number, page = _find_tab(hands, args.tab)
    page.bring_to_front()
    hands.tabs.front = page
    hands.acted = True
    return f"tab {number} is in front: {page.url}"


def close_tab(hands: Hands, args: CloseTab) -> str:
    """Close a tab, but not the only one."""
    page = hands.page if args.tab is None else _find_tab(hands, args.tab)[1]
    if len(hands.tabs.pages) == 1:
        raise ToolError("this is the only tab; it stays open")
    with hands.acting(args.dialog, args.dialog_text):
        page.close()
    return f"tab {hands.tabs.number_of(hands.page)} is in front: {hands.page.url}"


def _find_tab(hands: Hands, wanted: str) -> tuple[int, Page]:
    """The one tab of that number or title: exact before any case before a part of it."""
    wanted = hands.data.fill(wanted).strip()
    now = time.monotonic()
    end, loaded = now + hands.capped(hands.timeout), now + min(hands.timeout, LOADING_AT_MOST)
    while True:
        pages = hands.tabs.pages
        if wanted.isdigit() and int(wanted) in pages:
            return int(wanted), pages[int(wanted)]
        titles = {number: title_of(page) for number, page in pages.items()}
        if not all(titles.values()) and time.monotonic() < loaded:
            # A tab that has just opened may have the same title, once it has one.
            hands.page.wait_for_timeout(_POLL)
            continue
        for matches in (
            [n for n, t in titles.items() if t == wanted],
            [n for n, t in titles.items() if t.lower() == wanted.lower()],
            [n for n, t in titles.items() if wanted.lower() in t.lower() and wanted],
        ):
            if len(matches) == 1:
                return matches[0], pages[matches[0]]
            if matches:
                break
        if time.monotonic() > end:
            listed = "; ".join(f"{n}: {t or pages[n].url}" for n, t in titles.items())
            found = "are several tabs" if matches else "is no tab"
            raise ToolError(f"there {found} {wanted!r}; open are {listed}. Use the number")
        hands.page.wait_for_timeout(_POLL)


def _cut(text: str) -> str:
    if len(text) <= LOOK_AT_MOST:
        return text
    return f"{text[:LOOK_AT_MOST]}… ({len(text) - LOOK_AT_MOST} more characters; scroll there)"


class ShortWait(Args):
    """How long, where nothing is done but looking."""

    seconds: float = Field(gt=0, le=SHORT_WAIT_AT_MOST, description="How long.")


def short_wait(hands: Hands, args: ShortWait) -> str:
    """Wait a moment, and look again."""
    hands.acted = True
    hands.page.wait_for_timeout(hands.capped(args.seconds) * 1000)
    return ""


SHORT_WAIT = Tool(
    "wait",
    "Wait a moment, where the page says that something is still going on.",
    ShortWait,
    short_wait,
    anywhere=True,
)
LOOKING_TOOLS = (
    Tool(
        "wait",
        "Wait some seconds, or until a text is shown. You see a page only when it has come to rest:"
        " that alone needs no wait.",
        Wait,
        wait,
        anywhere=True,
    ),
    Tool(
        "look",
        "Read the whole text of an element, or what the outline left out; without arguments, see"
        " the page anew.",
        Look,
        look,
    ),
    Tool(
        "switch_tab",
        "Bring another tab to the front: all else is done in that tab then.",
        SwitchTab,
        switch_tab,
        settles=True,
        anywhere=True,
    ),
    Tool("close_tab", "Close a tab.", CloseTab, close_tab, acts=True, settles=True),
)
