"""The worker's tools that act on the page: addresses here, the mouse and fields beside."""

from __future__ import annotations

from urllib.parse import urljoin

from playwright.sync_api import Error
from pydantic import Field

from pytest_webtask.page.origins import place_of
from pytest_webtask.tools import Tool, ToolError, fields, files, mouse
from pytest_webtask.tools.acting import DATA, Acting
from pytest_webtask.tools.hands import Hands


class Navigate(Acting):
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
            f"{place_of(url)} is not an allowed origin; allowed: {', '.join(hands.allowed)}."
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


def go_back(hands: Hands, args: Acting) -> str:
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


def reload(hands: Hands, args: Acting) -> str:
    """Load the page anew."""
    # A page that is only committed is not yet active, and cannot be reloaded.
    hands.page.wait_for_load_state("domcontentloaded", timeout=hands.milliseconds)
    with hands.acting(args.dialog, args.dialog_text):
        hands.page.reload(wait_until="domcontentloaded")
    return f"at {hands.page.url}"


TOOLS = (
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
        Acting,
        go_back,
        acts=True,
        changes=False,
        settles=True,
    ),
    Tool("reload", "Load the page anew.", Acting, reload, acts=True, changes=False, settles=True),
    *mouse.TOOLS,
    *fields.TOOLS,
    *files.TOOLS,
)
