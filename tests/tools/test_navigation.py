"""The tools that go to a page, wait for it and look at it."""

import socket
from typing import Any

import pytest
from playwright.sync_api import Page

from pytest_webtask.data.values import Secret
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.testing import find
from pytest_webtask.types.agent import Turn
from tests.scripted import Attempt, Html, Scripted, call, on
from tests.site import Site

ELSEWHERE = [
    *("https://example.com/", "//example.com/x", "javascript:document.title='hacked'"),
    *("file:///etc/passwd", "data:text/html,<h1>hello", "chrome://version"),
    "view-source:http://127.0.0.1",
]


class TestNavigate:
    def test_path_is_joined_to_the_page(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """Without a base URL a path is joined to the address of the page."""
        site.pages |= {"/": "home", "/cart": "<h1>Cart"}
        webtask.goto(site.url)
        outcome = attempt(call("navigate", url="/cart"))
        assert outcome.success
        assert outcome.result == f"at {site.url}/cart"
        assert webtask.page.locator("h1").inner_text() == "Cart"

    def test_other_origin_is_refused(self, attempt: Attempt, webtask: Webtask, site: Site) -> None:
        """Addresses of other origins and of other schemes are refused."""
        site.pages["/"] = "<title>Home</title>"
        webtask.goto(site.url)
        for url in ELSEWHERE:
            outcome = attempt(call("navigate", url=url))
            assert not outcome.success
            assert f"allowed: {site.url}" in (outcome.error or "")
            assert webtask.page.url == f"{site.url}/"
            assert webtask.page.title() == "Home"

    def test_dead_server_has_one_line(self, attempt: Attempt, webtask: Webtask, site: Site) -> None:
        """The error has the browser's own reason."""
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
        site.pages["/"] = "home"
        webtask.goto(site.url)
        webtask._runner.browser.origins.allowed.add(f"http://127.0.0.1:{port}")
        outcome = attempt(call("navigate", url=f"http://127.0.0.1:{port}/"))
        assert "ERR_CONNECTION_REFUSED" in (outcome.error or "")
        assert "\n" not in (outcome.error or "")

    def test_address_of_a_file_is_downloaded(
        self, attempt: Attempt, webtask: Webtask, model: Scripted, site: Site
    ) -> None:
        """An address that starts a download succeeds and is reported as a download."""
        site.pages |= {"/": "home", "/data.bin": ("application/octet-stream", b"123")}
        webtask.goto(site.url)
        outcome = attempt(lambda t: t.observation and call("navigate", url="/data.bin"))
        assert outcome.success, outcome.error
        assert "download" in outcome.result
        iterations = webtask.state.steps[-1].iterations
        assert "download" in {event.kind for each in iterations for event in each.events}

    def test_address_with_a_secret_is_refused(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """A secret in an address is refused, because servers log addresses."""
        site.pages["/"] = "home"
        webtask.goto(site.url)
        outcome = attempt(call("navigate", url="/?t={token}"), data={"token": Secret("s3cr3t")})
        assert outcome.error == "an address cannot contain a secret: type the secret into a field"
        assert not any("s3cr3t" in line for line in site.log)


class TestHistory:
    def test_back_returns_the_address(self, attempt: Attempt, webtask: Webtask, site: Site) -> None:
        """`go_back` opens the page before, a route of a script too, and returns its address."""
        route = "<h1>Two</h1><script>history.pushState({}, '', '/three')</script>"
        site.pages |= {"/": "<h1>One", "/two": route}
        webtask.goto(site.url)
        webtask.goto(f"{site.url}/two")
        assert attempt(call("go_back")).result == f"at {site.url}/two"
        assert attempt(call("go_back")).result == f"at {site.url}/"
        assert webtask.page.locator("h1").inner_text() == "One"

    @pytest.mark.own_page
    @pytest.mark.parametrize("blank", [True, False])
    def test_back_from_the_first_page_is_an_error(
        self, attempt: Attempt, page: Page, site: Site, blank: bool
    ) -> None:
        """The empty page that every test begins with does not count as a page."""
        site.pages["/"] = "<h1>One"
        page.evaluate(
            "([url, how]) => location[how](url)", [site.url, "assign" if blank else "replace"]
        )
        page.wait_for_url(f"{site.url}/")
        error = attempt(call("go_back")).error
        assert error == "there is no page to go back to: call navigate instead"

    def test_reload_requests_the_page(self, attempt: Attempt, webtask: Webtask, site: Site) -> None:
        """`reload` sends the request to the server once more."""
        site.pages["/"] = "<h1>One"
        webtask.goto(site.url)
        site.pages["/"] = "<h1>Two"
        assert attempt(call("reload")).success
        assert webtask.page.locator("h1").inner_text() == "Two"


class TestWaitAndLook:
    def test_wait_ends_when_the_text_is_shown(self, attempt: Attempt, html: Html) -> None:
        """`wait` ends as soon as the text can be seen."""
        html("<p id=p></p><script>setTimeout(() => p.textContent = 'Saved', 200)</script>")
        outcome = attempt(call("wait", text="Saved", seconds=20))
        assert outcome.result == "'Saved' is shown"
        assert outcome.time < 15

    @pytest.mark.parametrize(
        ("markup", "shown"),
        [
            ("<p hidden>Saved</p>", False),
            ("<p>Unsaved</p><input value=Saved>", False),
            ("<iframe srcdoc='<p>Saved'></iframe>", True),
            ("<div id=s style='height:50px; overflow:auto'><p>Saved<p style='height:3000px'></div>"
             "<script>s.scrollTop = 2000</script>", True),
        ],
        ids=["hidden", "part of a word", "in a frame", "scrolled out of view"],
    )  # fmt: skip
    def test_wait_goes_by_what_is_shown(
        self, attempt: Attempt, html: Html, markup: str, shown: bool
    ) -> None:
        """What counts is what a claim that the text is shown would accept, see the tests of claims."""
        page = html(markup)
        for frame in page.frames[1:]:
            frame.get_by_text("Saved").wait_for(state="attached")
        error = attempt(call("wait", text="Saved", seconds=0.1)).error or ""
        assert ("'Saved' was not visible within 0.1 s; " not in error) is shown

    def test_missing_text_stops_the_calls_behind(self, stopped: Any, html: Html) -> None:
        """Calls behind a wait are not run if its text is missing."""
        page = html("<button onclick='document.title = 1'>Next</button>")
        wait = call("wait", text="Saved", seconds=0.2)
        [[waited, following]] = stopped([wait, call("click", find("button", "Next"))])
        assert "was not visible within 0.2 s" in (waited.error or "")
        assert not following.success and page.title() != "1"

    def test_wait_takes_the_given_seconds(self, attempt: Attempt, html: Html) -> None:
        """It takes its seconds; an empty text, or seconds beyond the limits, are wrong arguments."""
        html("hello")
        assert 0.3 <= attempt(call("wait", seconds=0.3)).time < 15
        error = attempt(call("wait", text=" ")).error
        assert error == "the text ' ' is empty; pass a text that will be visible"
        for seconds in (31, 0, -1):
            outcome = attempt(call("wait", seconds=seconds))
            assert not outcome.success
            assert "seconds" in (outcome.error or "")
            assert outcome.time < 15

    def test_look_at_a_field_reads_its_lines(self, attempt: Attempt, html: Html) -> None:
        """`look` returns the value of a field as a JSON string, but none of a password."""
        page = html("<textarea>one\n\ntwo</textarea><input type=password aria-label=Code>")
        page.locator("textarea").fill("= Pond =\nGrebes, hunter2-secret")
        page.get_by_label("Code").fill("other")
        data = {"code": Secret("hunter2-secret")}
        looked = attempt(on("look", "textbox", ""), data=data).result
        assert looked == r'"= Pond =\nGrebes, {code}"'
        assert attempt(on("look", "textbox", "Code")).result == "(no text)"

    def test_look_reads_what_the_outline_has_left_out(self, attempt: Attempt, html: Html) -> None:
        """`look` returns the whole text of an element, or the lines under the name of a part."""
        long = "word " * 100
        html(f"<button>{long}</button><p>{long}</p>")
        assert attempt(on("look", "button")).result == long.strip()

        def look(turn: Turn) -> Any:
            assert "part-1" in turn.observation.outline
            return call("look", part="part-1")

        assert attempt(look).result == long.strip()
        unknown = attempt(call("look", part="part-9")).error or ""
        assert "the outline has no part 'part-9'" in unknown
        assert attempt(call("look")).result == "the page is shown again"
