"""Waiting until a page is at rest: long enough, never for ever."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pytest_webtask.page.observer import CAP, Settler
from pytest_webtask.page.recorded_element import RecordedElement
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


def test_a_page_at_rest_is_soon_taken(page: Page, site: Site) -> None:
    """Nothing happens, nothing is waited for."""
    site.pages["/"] = "<h1>Still</h1>"
    page.goto(site.url)
    assert settled(page) < CAP / 2


def test_what_a_script_adds_shortly_after_is_waited_for(page: Page, site: Site) -> None:
    """A chain of changes is seen to its end."""
    site.pages["/"] = """<ul id=list></ul><script>
        let n = 0; const t = setInterval(() => { list.append(document.createElement('li'));
        if (++n == 8) clearInterval(t) }, 80)</script>"""
    page.goto(site.url)
    settled(page)
    assert page.locator("li").count() == 8


def test_a_pending_request_is_waited_for(page: Page, site: Site) -> None:
    """What a fetch brings is on the page afterwards."""
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


def test_a_page_that_never_rests_is_taken_as_it_is(page: Page, site: Site) -> None:
    """A clock that ticks for ever costs the cap and no more."""
    site.pages["/"] = (
        "<p id=p></p><script>setInterval(() => p.textContent = Date.now(), 50)</script>"
    )
    page.goto(site.url)
    assert settled(page) < CAP + 2


def test_an_endless_request_is_not_waited_for(page: Page, site: Site) -> None:
    """Long polling and streams are no reason to wait."""
    site.delays["/poll"] = 30
    site.pages["/poll"] = ""
    site.pages["/"] = "<h1>Live</h1><script>fetch('/poll')</script>"
    page.goto(site.url)
    assert settled(page) < CAP


def test_a_closed_page_is_no_reason_to_wait(page: Page) -> None:
    """Settling returns at once; whoever looks next finds the page gone."""
    page.close()
    assert settled(page) < 1


def test_what_a_page_does_some_moments_after_a_key_is_seen(
    webtask: Webtask, model: Scripted, html: Callable[[str], Page]
) -> None:
    """Suggestions come when the typing has paused, and are there when the page is looked at."""
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


def test_an_element_of_a_page_that_goes_on_loading_is_waited_for_no_longer(
    page: Page, site: Site
) -> None:
    """It is taken when the time is over, and the time is not begun anew once it has come."""
    site.delays["/slow.js"] = 6
    site.pages["/"] = (
        "<h1>Notes</h1><script>setTimeout(() => document.querySelector('h1').insertAdjacentHTML("
        "'afterend', '<button>Go</button>'), 1500)</script><script src=/slow.js></script>"
    )
    page.goto(site.url, wait_until="commit")
    began = time.monotonic()
    go = Target.of('get_by_role("button", name="Go")')
    found = RecordedElement(page.get_by_role("button", name="Go"), go).look(2)
    assert not found["loaded"]
    assert 1.9 < time.monotonic() - began < 3
