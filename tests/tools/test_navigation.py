"""The tools that go to a page, wait for it and look at it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from pytest_webtask.tools.forms import is_shown
from pytest_webtask.types.agent import ToolCall, Turn
from pytest_webtask.webtask import Webtask
from tests.scripted import Scripted, call, on
from tests.site import Site

Attempt = Callable[..., ToolCall]
Html = Callable[[str], Page]


class TestNavigate:
    def test_a_path_is_one_of_the_application(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """Without a base URL a path is relative to the page."""
        site.pages |= {"/": "home", "/cart": "<h1>Cart"}
        webtask.goto(site.url)
        made = attempt(call("navigate", url="/cart"))
        assert made.success
        assert made.result == f"at {site.url}/cart"
        assert webtask.page.locator("h1").inner_text() == "Cart"

    def test_navigate_to_an_error_page_reports_its_status(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """A page with status 404 is opened, and the status is part of the result."""
        site.pages["/"] = "home"
        webtask.goto(site.url)
        assert attempt(call("navigate", url="/nowhere")).result.endswith("/nowhere, status 404")

    @pytest.mark.parametrize(
        "url",
        [
            "https://example.com/",
            "//example.com/x",
            "javascript:document.title='hacked'",
            "file:///etc/passwd",
            "data:text/html,<h1>hello",
            "chrome://version",
            "view-source:http://127.0.0.1",
        ],
    )
    def test_other_origins_are_refused(
        self, attempt: Attempt, webtask: Webtask, site: Site, url: str
    ) -> None:
        """Nothing leaves the allowed origins, and nothing but pages is opened."""
        site.pages["/"] = "<title>Home</title>"
        webtask.goto(site.url)
        made = attempt(call("navigate", url=url))
        assert not made.success
        assert f"allowed: {site.url}" in (made.error or "")
        assert webtask.page.url == f"{site.url}/"
        assert webtask.page.title() == "Home"

    def test_a_dead_server_is_an_error_in_words(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """The browser's own reason reaches the model."""
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
        site.pages["/"] = "home"
        webtask.goto(site.url)
        webtask._runner.browser.origins.allowed.add(f"http://127.0.0.1:{port}")
        made = attempt(call("navigate", url=f"http://127.0.0.1:{port}/"))
        assert "ERR_CONNECTION_REFUSED" in (made.error or "")
        assert "\n" not in (made.error or "")

    def test_an_address_that_is_a_file_is_downloaded(
        self, attempt: Attempt, webtask: Webtask, model: Scripted, site: Site
    ) -> None:
        """A download is what such an address leads to, and no failure."""
        site.pages |= {"/": "home", "/data.bin": ("application/octet-stream", b"123")}
        webtask.goto(site.url)
        made = attempt(lambda t: t.observation and call("navigate", url="/data.bin"))
        assert made.success, made.error
        assert "download" in made.result
        assert webtask.state.steps[-1].iterations[0].events[0].kind == "download"

    def test_a_secret_does_not_get_into_an_address(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """Addresses are logged by servers."""
        from pytest_webtask import Secret

        site.pages["/"] = "home"
        webtask.goto(site.url)
        made = attempt(call("navigate", url="/?t={token}"), data={"token": Secret("s3cr3t")})
        assert made.error == "a secret does not belong in an address"
        assert not any("s3cr3t" in line for line in site.log)


class TestHistory:
    def test_back_and_forth(self, attempt: Attempt, webtask: Webtask, site: Site) -> None:
        """`go_back` leads to the page before, and says where that is."""
        site.pages |= {"/": "<h1>One", "/two": "<h1>Two"}
        webtask.goto(site.url)
        webtask.goto(f"{site.url}/two")
        assert attempt(call("go_back")).result == f"at {site.url}/"
        assert webtask.page.locator("h1").inner_text() == "One"

    def test_back_within_a_document(self, attempt: Attempt, webtask: Webtask, site: Site) -> None:
        """A route of a single-page application counts as a page."""
        site.pages["/"] = "<h1>One</h1><script>history.pushState({}, '', '/two')</script>"
        webtask.goto(site.url)
        assert attempt(call("go_back")).result == f"at {site.url}/"

    def test_nothing_to_go_back_to(self, attempt: Attempt, page: Page, site: Site) -> None:
        """The first page has none before it: that is an error, not a blank page."""
        site.pages["/"] = "<h1>One"
        page.evaluate("url => location.replace(url)", site.url)
        page.wait_for_url(f"{site.url}/")
        assert attempt(call("go_back")).error == "there is no page to go back to"
        assert page.locator("h1").inner_text() == "One"

    def test_the_blank_page_is_none_to_go_back_to(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """The empty page that every test begins with is nowhere a user could go back to."""
        site.pages["/"] = "<h1>One"
        webtask.goto(site.url)
        assert attempt(call("go_back")).error == "there is no page to go back to"
        assert webtask.page.locator("h1").inner_text() == "One"

    def test_reload(self, attempt: Attempt, webtask: Webtask, site: Site) -> None:
        """`reload` asks the server again."""
        site.pages["/"] = "<h1>One"
        webtask.goto(site.url)
        site.pages["/"] = "<h1>Two"
        assert attempt(call("reload")).success
        assert webtask.page.locator("h1").inner_text() == "Two"


class TestWaitAndLook:
    def test_seconds(self, attempt: Attempt, html: Html) -> None:
        """A wait takes as long as it says."""
        html("hello")
        assert 0.3 <= attempt(call("wait", seconds=0.3)).time < 2

    def test_a_text(self, attempt: Attempt, html: Html) -> None:
        """It ends as soon as the text can be seen."""
        html(
            "<p></p><script>setTimeout(() => document.querySelector('p').textContent = 'Saved', 300)</script>"
        )
        made = attempt(call("wait", text="Saved", seconds=20))
        assert made.result == "'Saved' is shown"
        assert made.time < 5

    def test_a_hidden_text_is_not_seen(self, attempt: Attempt, html: Html) -> None:
        """Text that a user cannot see does not count."""
        html("<p hidden>Saved</p><p style='visibility:hidden'>Saved</p><script>'Saved'</script>")
        made = attempt(call("wait", text="Saved", seconds=0.3))
        assert made.error == "'Saved' could not be seen within 0.3 s"

    @pytest.mark.parametrize(
        ("markup", "text"),
        [
            ("not saved!", "Saved"),
            ("Unsaved", "saved"),
            ("Order 123", "Order 12"),
            ("Order 12.50", "Order 12"),
            ("<p>Order <span hidden>12</span>", "Order 12"),
            ("<div style='opacity:0'><p>Saved</div>", "Saved"),
            ("<p style='position:absolute; left:-9999px'>Saved", "Saved"),
            ("<div style='position:absolute; top:-9999px'><p>Saved</div>", "Saved"),
            ("<p style='position:absolute; width:1px; height:1px; overflow:hidden'>Saved", "Saved"),
            ("<div style='height:0; overflow:hidden'><p>Saved</div>", "Saved"),
            ("<iframe style='opacity:0' srcdoc='<p>Saved'></iframe>", "Saved"),
            ("<input value=Saved>", "Saved"),
        ],
    )
    def test_another_text_or_out_of_sight(self, html: Html, markup: str, text: str) -> None:
        """Neither a part of a word or number counts nor another case, nor what no user can see."""
        page = html(markup)
        page.wait_for_timeout(50 if "iframe" in markup else 0)
        assert not is_shown(page, text)

    @pytest.mark.parametrize(
        ("markup", "text"),
        [
            ("Order 12.", "Order 12"),
            ("<p>Order\n   <b>12</b>", "Order  12"),
            ("Hello<br>Saved", "Saved"),
            ("Saved <b>saved</b> <b>unsaved</b>", "Saved"),
            ("Order 12 <b>Order 123</b>", "Order 12"),
            ("<p style='text-transform:uppercase'>Saved", "Saved"),
            ("<p style='text-transform:uppercase'>Saved", "SAVED"),
            ("50% (off)/[x]", "50% (off)/[x]"),
            ("\u5df2\u4fdd\u5b58\u3057\u307e\u3057\u305f", "\u4fdd\u5b58"),
            ("<p style='margin-top:5000px'>Saved", "Saved"),
            (
                "<div id=s style='height:50px; overflow:auto'><p>Saved<p style='height:3000px'>"
                "</div><script>s.scrollTop = 2000</script>",
                "Saved",
            ),
            ("<input type=submit value=Saved>", "Saved"),
            ("<svg><text y=20>Saved</text></svg>", "Saved"),
            ("<iframe srcdoc='<p>Saved'></iframe>", "Saved"),
        ],
    )
    def test_a_text_in_sight(self, html: Html, markup: str, text: str) -> None:
        """Whole words count wherever scrolling brings them, however they are broken and drawn."""
        page = html(markup)
        page.wait_for_timeout(50 if "iframe" in markup else 0)
        assert is_shown(page, text)

    def test_an_empty_text(self, attempt: Attempt, html: Html) -> None:
        """To wait for nothing is an error, not a success."""
        html("hello")
        assert (
            attempt(call("wait", text=" ")).error
            == "the text ' ' is empty; give one that can be seen"
        )

    @pytest.mark.parametrize("seconds", [31, 0, -1])
    def test_it_is_capped(self, attempt: Attempt, html: Html, seconds: float) -> None:
        """No model waits for an hour."""
        html("hello")
        made = attempt(call("wait", seconds=seconds))
        assert not made.success
        assert "seconds" in (made.error or "")
        assert made.time < 1

    def test_look_at_an_element(self, attempt: Attempt, html: Html) -> None:
        """A text that the outline cuts is read whole."""
        html(f"<button>{'word ' * 100}</button>")
        assert attempt(on("look", "button")).result == ("word " * 100).strip()

    def test_look_at_a_part(self, attempt: Attempt, html: Html) -> None:
        """What was left out stands under a name."""
        html(f"<p>{'word ' * 100}</p>")

        def look(turn: Turn) -> Any:
            assert "part-1" in turn.observation.outline
            return call("look", part="part-1")

        assert attempt(look).result == ("word " * 100).strip()

    def test_an_unknown_part_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """Parts have names of the outline."""
        html("hello")
        assert "there is no 'part-9'" in (attempt(call("look", part="part-9")).error or "")

    def test_look_at_the_page(self, attempt: Attempt, html: Html) -> None:
        """Without arguments it only has the page observed anew."""
        html("hello")
        assert attempt(call("look")).result == "the page is shown again"
