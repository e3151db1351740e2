"""The tools that go to a page, wait for it and look at it."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from playwright.sync_api import Page

from pytest_webtask.checks.check_context import is_shown
from pytest_webtask.data import Secret
from pytest_webtask.errors import TaskFailed
from pytest_webtask.testing import find
from pytest_webtask.types.agent import Turn
from pytest_webtask.types.model import ModelTraits
from pytest_webtask.webtask import Webtask
from tests.scripted import Attempt, Html, Scripted, call, on
from tests.site import Site


class TestNavigate:
    def test_path_is_relative_to_the_page(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """Without a base URL a path is joined to the address of the page."""
        site.pages |= {"/": "home", "/cart": "<h1>Cart"}
        webtask.goto(site.url)
        outcome = attempt(call("navigate", url="/cart"))
        assert outcome.success
        assert outcome.result == f"at {site.url}/cart"
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
        """Addresses of other origins and of other schemes are refused."""
        site.pages["/"] = "<title>Home</title>"
        webtask.goto(site.url)
        outcome = attempt(call("navigate", url=url))
        assert not outcome.success
        assert f"allowed: {site.url}" in (outcome.error or "")
        assert webtask.page.url == f"{site.url}/"
        assert webtask.page.title() == "Home"

    def test_dead_server_is_a_one_line_error(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
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
        assert webtask.state.steps[-1].iterations[0].events[0].kind == "download"

    def test_address_with_a_secret_is_refused(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """A secret in an address is refused, because servers log addresses."""
        from pytest_webtask import Secret

        site.pages["/"] = "home"
        webtask.goto(site.url)
        outcome = attempt(call("navigate", url="/?t={token}"), data={"token": Secret("s3cr3t")})
        assert outcome.error == "an address cannot contain a secret: type the secret into a field"
        assert not any("s3cr3t" in line for line in site.log)


class TestHistory:
    def test_back_returns_the_address(self, attempt: Attempt, webtask: Webtask, site: Site) -> None:
        """`go_back` opens the page before and returns its address."""
        site.pages |= {"/": "<h1>One", "/two": "<h1>Two"}
        webtask.goto(site.url)
        webtask.goto(f"{site.url}/two")
        assert attempt(call("go_back")).result == f"at {site.url}/"
        assert webtask.page.locator("h1").inner_text() == "One"

    def test_back_within_a_single_page_application(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """A route of a single-page application counts as a page."""
        site.pages["/"] = "<h1>One</h1><script>history.pushState({}, '', '/two')</script>"
        webtask.goto(site.url)
        assert attempt(call("go_back")).result == f"at {site.url}/"

    @pytest.mark.own_page
    def test_back_from_the_first_page_is_an_error(
        self, attempt: Attempt, page: Page, site: Site
    ) -> None:
        """`go_back` on the first page is an error and does not open a blank page."""
        site.pages["/"] = "<h1>One"
        page.evaluate("url => location.replace(url)", site.url)
        page.wait_for_url(f"{site.url}/")
        assert (
            attempt(call("go_back")).error
            == "there is no page to go back to: call navigate instead"
        )
        assert page.locator("h1").inner_text() == "One"

    def test_back_to_the_initial_blank_page_is_an_error(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """The empty page that every test begins with does not count as a page."""
        site.pages["/"] = "<h1>One"
        webtask.goto(site.url)
        assert (
            attempt(call("go_back")).error
            == "there is no page to go back to: call navigate instead"
        )
        assert webtask.page.locator("h1").inner_text() == "One"

    def test_reload_requests_the_page(self, attempt: Attempt, webtask: Webtask, site: Site) -> None:
        """`reload` sends the request to the server once more."""
        site.pages["/"] = "<h1>One"
        webtask.goto(site.url)
        site.pages["/"] = "<h1>Two"
        assert attempt(call("reload")).success
        assert webtask.page.locator("h1").inner_text() == "Two"


class TestWaitAndLook:
    def test_wait_takes_the_given_seconds(self, attempt: Attempt, html: Html) -> None:
        """`wait` returns after the given seconds."""
        html("hello")
        assert 0.3 <= attempt(call("wait", seconds=0.3)).time < 15

    def test_wait_ends_when_the_text_is_shown(self, attempt: Attempt, html: Html) -> None:
        """`wait` ends as soon as the text can be seen."""
        html(
            "<p></p><script>setTimeout(() => document.querySelector('p').textContent = 'Saved', 300)</script>"
        )
        outcome = attempt(call("wait", text="Saved", seconds=20))
        assert outcome.result == "'Saved' is shown"
        assert outcome.time < 15

    def test_wait_ignores_hidden_text(self, attempt: Attempt, html: Html) -> None:
        """A text that a user cannot see does not end the wait."""
        html("<p hidden>Saved</p><p style='visibility:hidden'>Saved</p><script>'Saved'</script>")
        outcome = attempt(call("wait", text="Saved", seconds=0.3))
        assert outcome.error == "'Saved' was not visible within 0.3 s"

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
    def test_partial_or_unreachable_text_is_not_shown(
        self, html: Html, markup: str, text: str
    ) -> None:
        """Parts of words or numbers, another case, and text out of reach do not count."""
        page = html(markup)
        for frame in page.frames[1:]:
            frame.get_by_text(text).wait_for(state="attached")
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
    def test_text_in_reach_of_scrolling_is_shown(self, html: Html, markup: str, text: str) -> None:
        """Whole words count wherever scrolling brings them, however they are wrapped and drawn."""
        page = html(markup)
        for frame in page.frames[1:]:
            frame.get_by_text(text).wait_for()
        assert is_shown(page, text)

    @pytest.mark.parametrize(
        ("task", "text"),
        [
            ("save", "Saved"),
            ("save until it says Saved", "Saved"),
            ("save", "Order {order}"),
            ("save", "Order 12"),
            ("save", "Draft"),
        ],
        ids="guess task placeholder data page".split(),
    )
    def test_missing_text_stops_the_calls_behind_unless_it_is_a_guess(
        self, webtask: Webtask, model: Scripted, html: Html, task: str, text: str
    ) -> None:
        """Calls behind a wait are run though a guessed text is missing, and not if a known one is."""
        html(
            "<p>Draft</p><button onclick='this.previousSibling.remove()'>Save</button>"
            "<button onclick='document.title = 1'>Next</button>"
        )
        model.traits = ModelTraits()
        wait = call("wait", text=text, seconds=0.2)
        save, following = (call("click", find("button", name)) for name in ("Save", "Next"))
        model.answers = [[save, wait, following], call("abort", reason="stop")]
        with pytest.raises(TaskFailed) as failed:
            webtask.do(task, data={"order": "12"})
        _, waited, clicked = failed.value.result.session.iterations[0].calls
        guessed = text == "Saved" and task == "save"
        assert waited.success == clicked.success == guessed
        assert (webtask.page.title() == "1") == guessed
        assert "was not visible within 0.2 s" in (waited.result or waited.error or "")
        assert not guessed or not waited.replayed

    def test_guess_without_seconds_takes_two(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A guess ends after 2 s; a text that appears until then ends it and is recorded."""
        page = html("<p></p>")
        model.traits = ModelTraits()

        def wait_once_more(turn: Turn) -> Any:
            assert turn.observation.outline == ""
            page.evaluate("setTimeout(() => document.querySelector('p').append('Saved'), 300)")
            return call("wait", text="Saved")

        model.answers = [call("wait", text="Saved"), wait_once_more, call("abort", reason="stop")]
        with pytest.raises(TaskFailed) as failed:
            webtask.do("save")
        missed, met = (i.calls[0] for i in failed.value.result.session.iterations[:2])
        assert (missed.result, met.result) == (
            "'Saved', your guess, was not visible within 2 s",
            "'Saved' is shown",
        )
        assert (missed.replayed, met.replayed) == (False, True)

    def test_wait_for_an_empty_text_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """The error asks for a text that can be seen."""
        html("hello")
        assert (
            attempt(call("wait", text=" ")).error
            == "the text ' ' is empty; pass a text that will be visible"
        )

    @pytest.mark.parametrize("seconds", [31, 0, -1])
    def test_wait_beyond_the_limit_is_refused(
        self, attempt: Attempt, html: Html, seconds: float
    ) -> None:
        """Seconds below zero or above the limit are a wrong argument."""
        html("hello")
        outcome = attempt(call("wait", seconds=seconds))
        assert not outcome.success
        assert "seconds" in (outcome.error or "")
        assert outcome.time < 15

    def test_look_at_an_element_reads_its_whole_text(self, attempt: Attempt, html: Html) -> None:
        """`look` returns the whole text that the outline has cut."""
        html(f"<button>{'word ' * 100}</button>")
        assert attempt(on("look", "button")).result == ("word " * 100).strip()

    def test_look_at_a_field_reads_its_lines(self, attempt: Attempt, html: Html) -> None:
        """`look` returns the value of a field as a JSON string, but none of a password."""
        page = html("<textarea>one\n\ntwo</textarea><input type=password aria-label=Code>")
        page.locator("textarea").fill("= Pond =\nGrebes, hunter2-secret")
        page.get_by_label("Code").fill("other")
        data = {"code": Secret("hunter2-secret")}
        looked = attempt(on("look", "textbox", ""), data=data).result
        assert looked == r'"= Pond =\nGrebes, {code}"'
        assert attempt(on("look", "textbox", "Code")).result == "(no text)"

    def test_look_at_a_part_reads_omitted_lines(self, attempt: Attempt, html: Html) -> None:
        """`look` returns the lines that the outline left out under a name."""
        html(f"<p>{'word ' * 100}</p>")

        def look(turn: Turn) -> Any:
            assert "part-1" in turn.observation.outline
            return call("look", part="part-1")

        assert attempt(look).result == ("word " * 100).strip()

    @pytest.mark.parametrize(
        ("text", "result"),
        [("place 4", "Place 4\nPlace 40\nPlace 41"), ("none", '(no line contains "none")')],
    )
    def test_look_for_a_text_reads_the_lines_with_it(
        self, attempt: Attempt, html: Html, text: str, result: str
    ) -> None:
        """`look` with a text returns the options of a long list that contain it."""
        options = "".join(f"<option>Place {i}" for i in range(42))
        html(f"<select aria-label=Place>{options}</select>")
        assert attempt(on("look", "combobox", "Place", text=text)).result == result
        assert "pass element_id or part" in (attempt(call("look", text=text)).error or "")

    def test_unknown_part_is_an_error(self, attempt: Attempt, html: Html) -> None:
        """The error names the part that does not exist."""
        html("hello")
        assert "the outline has no part 'part-9'" in (
            attempt(call("look", part="part-9")).error or ""
        )

    def test_look_without_arguments_observes_the_page(self, attempt: Attempt, html: Html) -> None:
        """`look` without arguments only has the page observed anew."""
        html("hello")
        assert attempt(call("look")).result == "the page is shown again"
