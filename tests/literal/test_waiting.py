"""Tests of how long a name is searched for."""

import time

import pytest
from playwright.sync_api import BrowserContext, Page

from pytest_webtask.errors import PageError
from pytest_webtask.literal.waiting import find_element
from tests.literal.names import find_id, parse_phrase, refusal
from tests.site import Site


@pytest.mark.real_time
class TestWaiting:
    @pytest.fixture
    def page(self, context: BrowserContext) -> Page:
        """A page for each test, since routes, timers and navigations outlive one."""
        return context.new_page()

    @staticmethod
    def later(page: Page, script: str, delay: int = 300) -> None:
        """Change the page after a delay in milliseconds."""
        page.evaluate(f"() => {{ setTimeout(() => {{ {script} }}, {delay}) }}")

    @staticmethod
    def load_for_ever(page: Page) -> None:
        """Open a page that never finishes loading."""
        page.route("**/slow.js", lambda route: None)
        page.route(
            "**/page",
            lambda route: route.fulfill(
                body="<button>Save all</button><script async src=/slow.js></script>",
                content_type="text/html",
            ),
        )
        page.goto("http://127.0.0.1:9/page", wait_until="commit")

    def test_exact_match_wins_while_loading(self, page: Page) -> None:
        """While the page loads, a part of a name is not taken, and an exact one wins."""
        self.load_for_ever(page)
        self.later(
            page, "document.body.insertAdjacentHTML('beforeend', '<button id=x>Save</button>')"
        )
        assert find_id(page, 'click "Save"', 3) == "x"

    def test_part_is_refused_if_loading_never_ends(self, page: Page) -> None:
        """A part of a name is refused if the page never finishes loading."""
        self.load_for_ever(page)
        assert "still loading or changing" in refusal(page, 'click "Save"')

    def test_changing_match_is_not_taken(self, page: Page) -> None:
        """A part of a name is taken only after it stayed the same for a moment."""
        page.set_content("<button>Save 1</button>")
        self.later(page, "document.body.innerHTML = '<button id=x>Save</button>'", 100)
        assert find_id(page, 'click "save"', 3) == "x"

    def test_twins_may_become_one(self, page: Page) -> None:
        """Of two exact matches, the one that is left a moment later is taken."""
        page.set_content("<button>Save</button><button id=x>Save</button>")
        self.later(page, "document.querySelector('button').remove()", 200)
        assert find_id(page, 'click "Save"', 3) == "x"

    @pytest.mark.parametrize(("markup", "timeout"), [("", 0.4), ("<button>A</button>" * 2, 30)])
    def test_search_ends_by_the_timeout(self, page: Page, markup: str, timeout: float) -> None:
        """A search ends by the timeout, and for twins sooner."""
        page.set_content(markup)
        started = time.monotonic()
        refusal(page, 'click "A"', timeout)
        assert time.monotonic() - started < 15

    PARTS = "<a href=#>Cart of Ann</a><button>Add to cart</button>"

    def test_ambiguous_parts_are_refused_after_a_moment(self, page: Page) -> None:
        """Several elements with a part of the name are an error after half a second at rest."""
        page.set_content(self.PARTS)
        started = time.monotonic()
        assert "2 elements" in refusal(page, 'click "Cart"', 30)
        assert 0.5 <= time.monotonic() - started < 15

    def test_exact_match_wins_over_parts_after_a_request(self, page: Page, site: Site) -> None:
        """While the page waits for data, an exact name may still appear and wins."""
        site.delays["/data"] = 1.2
        site.pages["/data"] = "<button id=x>Cart</button>"
        site.pages["/"] = (
            f"{self.PARTS}<script>fetch('/data').then(r => r.text())"
            ".then(t => document.body.insertAdjacentHTML('beforeend', t))</script>"
        )
        page.goto(site.url)
        assert find_id(page, 'click "Cart"', 5) == "x"

    def test_search_survives_a_navigation(self, page: Page) -> None:
        """An element on the next page is found after a navigation during the search."""
        page.route(
            "**/*",
            lambda route: route.fulfill(
                body="<button id=x>Next</button>"
                if "two" in route.request.url
                else "<script>setTimeout(() => location.href = '/two', 100)</script>",
                content_type="text/html",
            ),
        )
        page.goto("http://127.0.0.1:9/one")
        assert find_id(page, 'click "Next"', 5) == "x"

    def test_closed_page_raises_page_error(self, page: Page) -> None:
        """A closed page is a PageError."""
        page.close()
        with pytest.raises(PageError, match="closed"):
            find_element(page, parse_phrase('click "A"'), 1)
