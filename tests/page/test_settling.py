"""Waiting until a page is at rest: long enough, never for ever."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pytest_webtask.page.observer import CAP, Settler
from pytest_webtask.page.recorded_element import Missing, RecordedElement
from pytest_webtask.types.agent import Target
from pytest_webtask.webtask import Webtask
from tests.scripted import Scripted, done, on
from tests.site import Site

pytestmark = pytest.mark.usefixtures("webtask_engine")


def settled(page: Page) -> float:
    """Seconds that settling took."""
    began = time.monotonic()
    Settler().settle(page)
    return time.monotonic() - began


def test_page_at_rest_settles_quickly(page: Page, site: Site) -> None:
    """A page at rest takes less than half of the limit."""
    site.pages["/"] = "<h1>Still</h1>"
    page.goto(site.url)
    assert settled(page) < CAP / 2


def test_changes_of_a_script_are_waited_for(page: Page, site: Site) -> None:
    """Settling lasts until a chain of changes has ended."""
    site.pages["/"] = """<ul id=list></ul><script>
        let n = 0; const t = setInterval(() => { list.append(document.createElement('li'));
        if (++n == 8) clearInterval(t) }, 80)</script>"""
    page.goto(site.url)
    settled(page)
    assert page.locator("li").count() == 8


def test_pending_request_is_waited_for(page: Page, site: Site) -> None:
    """Settling lasts until a fetch has answered and the page shows its result."""
    site.delays["/data"] = 0.7
    site.pages["/data"] = "loaded"
    site.pages["/"] = (
        "<p id=p></p><button onclick=\"fetch('/data').then(r => p.textContent = r.status)\">Go"
    )
    page.goto(site.url)
    settler = Settler()
    settler.settle(page)
    page.get_by_role("button").click()
    settler.settle(page)
    assert page.locator("p").inner_text() == "200"


def test_page_that_has_been_at_rest_is_not_waited_for(page: Page, site: Site) -> None:
    """A page that has been at rest for long enough is at rest at once, until it is used."""
    site.pages["/"] = "<button onclick='document.title = 1'>Go</button>"
    page.goto(site.url)
    settler = Settler()
    settler.rest(page, 3.0)
    began = time.monotonic()
    settler.rest(page, 3.0)
    assert time.monotonic() - began < 2.5
    page.get_by_role("button").click()
    began = time.monotonic()
    settler.rest(page, 1.0)
    assert time.monotonic() - began > 0.7


def test_rest_waits_for_a_request_that_was_sent_before(page: Page, site: Site) -> None:
    """A page that waits for a response is not at rest, though nothing has changed for long."""
    site.delays["/data"] = 1.2
    site.pages["/data"] = "loaded"
    site.pages["/"] = (
        "<p id=p></p><button onclick=\"fetch('/data').then(r => p.textContent = r.status)\">Go"
    )
    page.goto(site.url)
    Settler().rest(page, 0.5)
    page.get_by_role("button").click()
    page.wait_for_timeout(900)
    Settler().rest(page, 0.5)
    assert page.locator("p").inner_text() == "200"


def test_ever_changing_page_settles_at_the_limit(page: Page, site: Site) -> None:
    """A page that changes without end takes the limit and no more."""
    site.pages["/"] = (
        "<p id=p></p><script>setInterval(() => p.textContent = Date.now(), 50)</script>"
    )
    page.goto(site.url)
    assert settled(page) < CAP + 2


def test_endless_request_is_not_waited_for(page: Page, site: Site) -> None:
    """Long polling and streams do not delay settling."""
    site.delays["/poll"] = 30
    site.pages["/poll"] = ""
    site.pages["/"] = "<h1>Live</h1><script>fetch('/poll')</script>"
    page.goto(site.url)
    assert settled(page) < CAP


def test_request_that_is_repeated_without_end_is_not_waited_for(page: Page, site: Site) -> None:
    """A poll that is sent again whenever it was answered does not delay settling."""
    site.delays["/poll"] = 1
    site.pages["/poll"] = ""
    site.pages["/"] = (
        "<h1>Live</h1><script>const poll = () => fetch(`/poll?${Date.now()}`).then(poll); poll()"
        "</script>"
    )
    page.goto(site.url)
    settler = Settler()
    settler.watch(page)
    page.wait_for_timeout(1500)
    began = time.monotonic()
    settler.settle(page)
    assert time.monotonic() - began < CAP / 2


def test_closed_page_settles_at_once(page: Page) -> None:
    """Settling a closed page returns at once."""
    page.close()
    assert settled(page) < 1


def test_delayed_reaction_to_typing_is_waited_for(
    webtask: Webtask, model: Scripted, html: Callable[[str], Page]
) -> None:
    """Suggestions that come when typing has paused are in the next observation."""
    html(
        """<input aria-label=Town oninput="clearTimeout(window.t);
        t = setTimeout(() => this.after('Berlin?'), 300)">"""
    )
    seen: list[str] = []
    model.answers = [
        on("fill", "textbox", "Town", text="Ber"),
        lambda turn: seen.append(turn.observation.outline) or done(),  # type: ignore[func-returns-value]
    ]
    webtask.do("enter the town")
    assert "Berlin?" in seen[0]


def test_element_of_a_loading_page_is_taken_at_the_timeout(page: Page, site: Site) -> None:
    """The timeout does not start anew once the element has appeared."""
    site.delays["/slow.js"] = 15
    site.pages["/"] = (
        "<h1>Notes</h1><script>setTimeout(() => document.querySelector('h1').insertAdjacentHTML("
        "'afterend', '<button>Go</button>'), 3000)</script><script src=/slow.js></script>"
    )
    page.goto(site.url, wait_until="commit")
    began = time.monotonic()
    go = Target.of('get_by_role("button", name="Go")')
    found = RecordedElement(page, go.locators, go).look(4)
    assert not found["loaded"]
    assert 3.9 < time.monotonic() - began < 6.9


def test_request_awaited_in_vain_is_not_awaited_again(page: Page, site: Site) -> None:
    """A poll that is never answered costs the time of a busy page once, not for each missing element."""
    site.delays["/poll"] = 60
    site.pages["/"] = "<h1>Notes</h1><script>fetch('/poll?n=' + Math.random())</script>"
    go = Target.of('get_by_role("button", name="Go")')
    messages = []
    for _ in range(2):
        page.goto(site.url)
        with pytest.raises(Missing) as missing:
            RecordedElement(page, go.locators, go).look(0.6, busy_timeout=3)
        messages.append(str(missing.value))
    assert messages[0].endswith(
        f"within 3 s, and the page was still waiting for GET {site.url}/poll"
    )
    assert "waiting" not in messages[1]
