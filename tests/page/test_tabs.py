"""What pages do by themselves: dialogs, tabs, downloads, file choosers, crashes."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Dialog, Error, Page

from pytest_webtask import PageError, TaskFailed
from pytest_webtask.page.tabs import Reply, Tabs
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.types.agent import Event, Turn
from pytest_webtask.types.model import ModelTraits
from tests.scripted import Attempt, Html, Scripted, call, done, element, on
from tests.site import Site


def events(webtask: Webtask) -> list[Event]:
    """The events of the last step."""
    return [event for i in webtask.state.steps[-1].iterations for event in i.events]


def texts(webtask: Webtask) -> list[str]:
    """The events of the last step, as the model reads them."""
    return [event.text for event in events(webtask)]


def crash_page(page: Page) -> None:
    """Crash the page's renderer; no answer ever comes to the command that does."""
    session: Any = page.context.new_cdp_session(page)

    async def send() -> None:
        with suppress(Exception):
            await session._impl_obj.send("Page.crash", None, 0)

    with suppress(Error), page.expect_event("crash"):
        session._loop.create_task(send())


class TestDialogs:
    CONFIRM = "<button onclick=\"answer = confirm('Really?')\">Delete</button>"
    PROMPT = "<button onclick=\"answer = prompt('Name?', 'Dana')\">Rename</button>"

    def test_unannounced_question_is_dismissed_and_fails_the_action(
        self, attempt: Attempt, webtask: Webtask, html: Html
    ) -> None:
        """A question that no call announced is dismissed, and its text is the error; one answer is for one call."""
        page = html(self.CONFIRM)
        outcome = attempt(on("click", "button", "Delete"))
        assert (outcome.error or "").startswith(
            'confirm "Really?" was dismissed, since the sentence'
        )
        assert page.evaluate("answer") is False
        text = 'confirm "Really?" was dismissed'
        assert events(webtask) == [Event(kind="dialog", text=text, dismissed=True)]
        for given, answer in (({"dialog": "accept"}, True), ({}, False)):
            attempt(on("click", "button", "Delete", **given))
            assert page.evaluate("answer") is answer

    def test_missing_announced_dialog_is_an_error(
        self, attempt: Attempt, webtask: Webtask, html: Html
    ) -> None:
        """The call fails if the dialog that it announced does not appear."""
        page = html("<button onclick='done = 1'>Delete</button>")
        webtask._runner.settings = replace(webtask._runner.settings, timeout=1.5)
        outcome = attempt(on("click", "button", "Delete", dialog="dismiss"))
        assert outcome.error == (
            "the action was done, but the announced dialog did not appear within 1.5 s; if none is to appear, leave"
            " it out of the sentence"
        )
        assert page.evaluate("done") == 1

    @pytest.mark.parametrize(
        ("opened", "given"), [("1", {"dialog": "accept"}), ("alert(1)", {"dialog_text": "Rita"})]
    )
    def test_missing_announced_dialog_is_reported_to_who_looks(
        self, webtask: Webtask, model: Scripted, html: Html, opened: str, given: dict[str, str]
    ) -> None:
        """The action is done, and is recorded without the dialog; an alert takes no text."""
        model.traits = ModelTraits()
        html(f"<button onclick='done = {opened}'>Delete</button>")
        webtask._runner.settings = replace(webtask._runner.settings, timeout=1.5)
        model.answers = [on("click", "button", "Delete", **given), call("abort", reason="enough")]
        with pytest.raises(TaskFailed) as failed:
            webtask.do("act")
        [outcome] = failed.value.result.session.iterations[0].calls
        assert outcome.success
        assert outcome.recorded == {"dialog": None, "dialog_text": None}
        missing = "the action was done, but the announced dialog did not appear"
        assert any(event.text.startswith(missing) for event in events(webtask))

    @pytest.mark.real_time
    def test_dialog_of_a_timer_belongs_to_its_action(
        self, attempt: Attempt, webtask: Webtask, html: Html
    ) -> None:
        """A dialog some moments after the click gets the announced answer, or is reported with the click."""
        page = html(
            "<button onclick=\"setTimeout(() => answer = confirm('Sure?'), 400)\">Delete</button>"
            "<button onclick=\"setTimeout(() => alert('late'), 100)\">Go</button>"
        )
        assert attempt(on("click", "button", "Delete", dialog="accept")).success
        page.wait_for_function("window.answer === true")
        attempt(on("click", "button", "Go"))
        assert 'alert "late" was shown' in texts(webtask)

    def test_prompt_gets_text_default_or_nothing(self, attempt: Attempt, html: Html) -> None:
        """A prompt gets the announced text, its own default without one, and nothing if dismissed."""
        page = html(self.PROMPT)
        given: dict[str, str]
        for given, answer in (
            ({"dialog": "accept"}, "Dana"),
            ({"dialog": "accept", "dialog_text": "Rita"}, "Rita"),
            ({"dialog_text": "{user}"}, "demo"),
            ({"dialog": "accept", "dialog_text": ""}, ""),
            ({"dialog": "dismiss"}, None),
        ):
            assert attempt(on("click", "button", "Rename", **given), data={"user": "demo"}).success
            assert page.evaluate("answer") == answer

    def test_alert_while_the_page_loads_is_dismissed(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """A page that shows an alert while loading can be opened."""
        site.pages |= {"/": "home", "/hello": "<script>alert('hello')</script><h1>Hello"}
        webtask.goto(site.url)
        assert attempt(call("navigate", url="/hello")).success
        assert texts(webtask) == ['alert "hello" was shown']

    @pytest.mark.parametrize("way", ["navigate", "click", "go_back", "reload"])
    @pytest.mark.parametrize("answer", ["accept", "dismiss", None])
    def test_page_that_asks_before_it_is_left_is_left_only_if_that_is_accepted(
        self, attempt: Attempt, webtask: Webtask, site: Site, way: str, answer: str | None
    ) -> None:
        """`accept` leaves the page, `dismiss` stays; without an answer it stays, and the action fails."""
        site.pages |= {
            "/": "<h1>First",
            "/edit": "<script>onbeforeunload = (e) => e.preventDefault()</script><button>Edit</button>"
            "<a href=/next>Next</a>",
            "/next": "<h1>Next",
        }
        webtask.goto(site.url)
        webtask.goto(f"{site.url}/edit")
        given = {} if answer is None else {"dialog": answer}
        leave = {
            "navigate": call("navigate", url="/next", **given),
            "click": on("click", "link", "Next", **given),
            "go_back": call("go_back", **given),
            "reload": call("reload", **given),
        }[way]
        loaded = webtask.page.evaluate("performance.timeOrigin")
        outcome = attempt(on("click", "button", "Edit"), leave)
        webtask.page.wait_for_timeout(200)
        left = webtask.page.evaluate("performance.timeOrigin") != loaded
        assert left == (answer == "accept")
        assert outcome.success == (answer is not None), outcome.error
        if answer is None:
            assert (outcome.error or "").startswith('beforeunload "" was dismissed, since')

    def test_goto_leaves_a_page_that_asks_before_it_is_left(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """What the test itself opens is meant to leave the page."""
        site.pages |= {
            "/": "<script>onbeforeunload = (e) => e.preventDefault()</script><button>Edit",
            "/next": "<h1>Next",
        }
        webtask.goto(site.url)
        assert attempt(on("click", "button", "Edit")).success
        webtask.goto(f"{site.url}/next")
        assert webtask.page.url == f"{site.url}/next"


def with_tabs(count: int, answer: Callable[[Turn], Any]) -> Callable[[Turn], Any]:
    """An answer given only when so many tabs are open: a browser opens them in its own time."""

    def waiting(turn: Turn) -> Any:
        end = time.monotonic() + 20
        while len(turn.page.context.pages) < count and time.monotonic() < end:
            turn.page.wait_for_timeout(50)
        return answer(turn)

    return waiting


class TestTabs:
    @pytest.fixture
    def shop(self, webtask: Webtask, site: Site) -> Site:
        """A page with links that open tabs."""
        site.pages |= {
            "/": "<title>Home</title><a href=/terms target=_blank>Terms</a>"
            "<a href=/terms target=_blank rel=noopener>Private</a>"
            "<button onclick=\"w = window.open('/help')\">Help</button>"
            "<button onclick='w.close()'>Close help</button>",
            "/terms": "<title>Terms of use</title><button onclick='n = 1'>Accept</button>",
            "/help": "<title>Help</title><button onclick='window.close()'>Close me</button>",
        }
        webtask.goto(site.url)
        return site

    @pytest.mark.parametrize("link", ["Terms", "Private"])
    def test_new_tab_is_reported_and_not_in_front(
        self, attempt: Attempt, webtask: Webtask, model: Scripted, shop: Site, link: str
    ) -> None:
        """A new tab is reported, and the model decides whether to switch to it."""

        def look(turn: Turn) -> Any:
            tabs = [(t.number, t.name, t.in_front) for t in turn.observation.tabs]
            assert tabs == [(1, "Home", True), (2, "Terms of use", False)]
            return call("look")

        attempt(on("click", "link", link), with_tabs(2, look))
        assert any(
            "new tab opened, 2: " in text and "call switch_tab with 2" in text
            for text in texts(webtask)
        )
        assert webtask.page.url == f"{shop.url}/"

    @pytest.mark.parametrize("tab", ["2", 2, "terms of use", "Terms"])
    def test_switch_tab_takes_number_or_title(
        self, attempt: Attempt, webtask: Webtask, shop: Site, tab: Any
    ) -> None:
        """A tab is named by its number or title, and the next calls act on it."""
        attempt(
            on("click", "link", "Terms"),
            call("switch_tab", tab=tab),
            on("click", "button", "Accept"),
        )
        assert webtask.page.url == f"{shop.url}/terms"
        assert webtask.page.evaluate("n") == 1

    @pytest.mark.webtask(timeout=1.5)
    def test_tab_that_is_none_or_one_of_several_is_refused(
        self, attempt: Attempt, webtask: Webtask, shop: Site
    ) -> None:
        """The error lists the open tabs and asks for the number."""
        unknown = attempt(
            on("click", "link", "Terms"), with_tabs(2, lambda t: call("switch_tab", tab="Checkout"))
        )
        assert unknown.error == (
            "0 tabs match 'Checkout' within 1.5 s; use the number of an open tab (1: Home; 2: Terms of use)"
        )
        ambiguous = attempt(
            on("click", "link", "Terms"), with_tabs(3, lambda t: call("switch_tab", tab="Terms"))
        )
        assert ambiguous.error == (
            "2 tabs match 'Terms' within 1.5 s; use the number of an open tab (1: Home; 2: Terms of use; 3:"
            " Terms of use)"
        )

    def test_element_of_another_tab_is_refused(
        self, attempt: Attempt, webtask: Webtask, shop: Site
    ) -> None:
        """The error says in which tab the element is and names switch_tab."""
        outcome = attempt(
            on("click", "link", "Terms"),
            call("switch_tab", tab="2"),
            call("click", element_id="button-0"),
        )
        assert outcome.error == "button-0 is in tab 1; first call switch_tab"

    def test_closing_the_tab_in_front_falls_back(
        self, attempt: Attempt, webtask: Webtask, shop: Site
    ) -> None:
        """The other tab comes to the front, and an event names the closed one; its number is not reused."""
        outcome = attempt(
            on("click", "link", "Terms"), call("switch_tab", tab="2"), call("close_tab")
        )
        assert outcome.result == f"tab 1 is in front: {shop.url}/"
        assert "tab 2 was closed" in texts(webtask)
        assert [t.number for t in webtask.state.tabs] == [1]
        outcome = attempt(call("close_tab"))
        assert outcome.error == "the only tab cannot be closed: call go_back or navigate instead"
        attempt(on("click", "link", "Terms"), call("switch_tab", tab=3))
        assert [t.number for t in webtask.state.tabs] == [1, 3]

    def test_tab_that_closes_itself_falls_back(
        self, attempt: Attempt, webtask: Webtask, shop: Site
    ) -> None:
        """A click that closes its own window succeeds, and the tab behind comes to the front."""
        outcome = attempt(
            on("click", "button", "Help"),
            call("switch_tab", tab="Help"),
            on("click", "button", "Close me"),
            lambda t: call("look", element_id=element(t, "link", "Terms")),
        )
        assert outcome.result == "Terms"
        clicked = webtask.state.steps[-1].iterations[2].calls[0]
        assert clicked.success, clicked.error
        assert "tab 2 was closed" in texts(webtask)

    def test_tab_opened_between_steps_is_known(
        self, attempt: Attempt, webtask: Webtask, shop: Site
    ) -> None:
        """A tab that the test itself opened can be switched to."""
        with webtask.page.expect_popup():
            webtask.page.get_by_role("link", name="Terms").click()
        assert attempt(call("switch_tab", tab="Terms of use")).success


class TestFiles:
    DOWNLOAD = "<a download='invoice 7.txt' href='data:text/plain,hello'>Invoice</a>"

    @pytest.mark.real_time
    def test_download_and_file_chooser_are_reported(
        self, attempt: Attempt, webtask: Webtask, html: Html
    ) -> None:
        """The iteration that clicked has the event of the download, or of the chooser with advice."""
        html(f"{self.DOWNLOAD}<input type=file aria-label=Resume>")
        attempt(on("click", "link", "Invoice"))
        first = webtask.state.steps[-1].iterations[0]
        assert [e.text for e in first.events] == ["download of 'invoice 7.txt' started"]
        attempt(on("click", "file", "Resume"))
        assert texts(webtask) == ["a file chooser opened and was canceled; use the upload tool"]


class TestTheTestsOwnHandlers:
    def test_handler_answers_dialogs_between_and_within_steps(
        self, attempt: Attempt, webtask: Webtask, html: Html
    ) -> None:
        """A handler of the test answers first, without an error; outside of a step nothing else does."""
        page = html(TestDialogs.CONFIRM)
        attempt(on("click", "button", "Delete"))

        def accept(dialog: Dialog) -> None:
            dialog.accept()

        page.on("dialog", accept)
        page.get_by_role("button", name="Delete").click()
        assert page.evaluate("answer") is True
        assert page.evaluate("answer = null") is None
        assert attempt(on("click", "button", "Delete")).success
        assert page.evaluate("answer") is True
        assert texts(webtask) == ['confirm "Really?" was answered by the test']
        page.remove_listener("dialog", accept)
        page.get_by_role("button", name="Delete").click()
        assert page.evaluate("answer") is False

    def test_handler_answers_dialogs_before_the_first_action(self, html: Html) -> None:
        """Until a step looks or acts it leaves dialogs to the test, or to Playwright."""
        page, events = html(TestDialogs.CONFIRM), list[Event]()
        tabs = Tabs(page, on_event=events.append)
        tabs.hear_dialogs()
        with tabs.listening():
            page.get_by_role("button", name="Delete").click()
            assert (page.evaluate("answer"), events) == (False, [])
            tabs.hear_dialogs()
            page.get_by_role("button", name="Delete").click()
            assert [event.text for event in events] == ['confirm "Really?" was dismissed']
        page.get_by_role("button", name="Delete").click()
        assert len(events) == 1

    def test_expectations_between_steps_are_kept(
        self, attempt: Attempt, webtask: Webtask, site: Site
    ) -> None:
        """Downloads and popups that the test waits for are left to it."""
        site.pages |= {"/": TestFiles.DOWNLOAD + "<a href=/ target=_blank>More</a>"}
        webtask.goto(site.url)
        attempt(call("look"))
        page = webtask.page
        with page.expect_download() as download:
            page.get_by_role("link", name="Invoice").click()
        assert download.value.suggested_filename == "invoice 7.txt"
        with page.expect_popup() as popup:
            page.get_by_role("link", name="More").click()
        assert popup.value.url == f"{site.url}/"

    def test_expectation_around_a_step_gets_the_file_or_the_chooser(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """`expect_download` around `do` gets what the worker downloaded, `expect_file_chooser` the chooser."""
        page = html(TestFiles.DOWNLOAD + "<input type=file aria-label=Resume>")
        model.answers = [on("click", "link", "Invoice"), done()]
        with page.expect_download() as download:
            webtask.do("download the invoice")
        assert download.value.path().read_text() == "hello"
        model.answers = [on("click", "file", "Resume"), done()]
        with page.expect_file_chooser() as chooser:
            webtask.do("open the chooser")
        assert not chooser.value.is_multiple()


class TestGone:
    @pytest.mark.parametrize("end", ["crash", "closed"])
    def test_page_that_crashes_or_closes_during_a_step_is_a_page_error(
        self, webtask: Webtask, model: Scripted, site: Site, end: str
    ) -> None:
        """It ends that step and the next one in a PageError, not in a verdict."""
        site.pages["/"] = "<button>Go</button>"
        webtask.goto(site.url)

        def leave(turn: Turn) -> Any:
            button = element(turn, "button")
            crash_page(turn.page) if end == "crash" else turn.page.close()
            return call("click", element_id=button)

        model.answers = [leave, done()]
        for _ in range(2):
            with pytest.raises(PageError, match=end):
                webtask.do("press")

    @pytest.mark.parametrize(
        ("whole", "message"), [(False, "the page is closed: keep it open"), (True, "closed")]
    )
    def test_closed_page_or_context_is_a_page_error(
        self, webtask: Webtask, model: Scripted, html: Html, whole: bool, message: str
    ) -> None:
        """A step after its page or context was closed raises PageError, which says how to open another."""
        page = html("<button>Go</button>")
        model.answers = [done()]
        webtask.do("look")
        (page.context if whole else page).close()
        with pytest.raises(PageError, match=message):
            webtask.do("look")


def test_error_that_was_reported_before_a_step_is_none_of_it(page: Page, site: Site) -> None:
    """What a page throws at each load does not explain a failure; what it throws now may."""
    site.pages["/loud"] = "<script>throw new Error('widget')</script>"
    tabs = Tabs(page)
    with tabs.listening():
        page.goto(f"{site.url}/loud")
        assert [each.text for each in tabs.problems()] == ["uncaught Error: widget"]
        with tabs.answering(Reply()):
            page.reload()
        assert tabs.problems() == []
