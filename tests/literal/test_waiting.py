"""When a name is taken, and when it is given up."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import BrowserContext, Page

from pytest_webtask.errors import PageError
from pytest_webtask.literal.finder import find_element
from tests.literal.names import found, refusal, wanted
from tests.site import Site


class TestWaiting:
    @pytest.fixture
    def page(self, context: BrowserContext) -> Page:
        """A page of its own, since routes, timers and navigations outlive a test."""
        return context.new_page()

    @staticmethod
    def later(page: Page, script: str, delay: int = 300) -> None:
        """Change the page after so many milliseconds."""
        page.evaluate(f"() => {{ setTimeout(() => {{ {script} }}, {delay}) }}")

    def test_an_element_that_appears_late(self, page: Page) -> None:
        """An element that is not there yet is waited for."""
        page.set_content("<p>Loading</p>")
        self.later(page, "document.body.innerHTML = '<button id=x>Save</button>'")
        assert found(page, 'click "Save"', 3) == "x"

    def test_an_exact_match_after_a_part(self, page: Page) -> None:
        """While the page loads, a part of a name is not taken: an exact one may still come."""
        page.route("**/slow.js", lambda route: None)
        page.route(
            "**/page",
            lambda route: route.fulfill(
                body="<button>Save all</button><script async src=/slow.js></script>",
                content_type="text/html",
            ),
        )
        page.goto("http://127.0.0.1:9/page", wait_until="commit")
        self.later(
            page, "document.body.insertAdjacentHTML('beforeend', '<button id=x>Save</button>')"
        )
        assert found(page, 'click "Save"', 3) == "x"

    def test_a_part_on_a_page_that_never_loads(self, page: Page) -> None:
        """A part of a name is refused, with the reason, if the page never finishes loading."""
        page.route("**/slow.js", lambda route: None)
        page.route(
            "**/page",
            lambda route: route.fulfill(
                body="<button>Save all</button><script async src=/slow.js></script>",
                content_type="text/html",
            ),
        )
        page.goto("http://127.0.0.1:9/page", wait_until="commit")
        assert "still loading or changing" in refusal(page, 'click "Save"')

    def test_a_match_that_changes_is_not_taken(self, page: Page) -> None:
        """A part of a name is only taken once it has been the same for a moment."""
        page.set_content("<button>Save 1</button>")
        self.later(page, "document.body.innerHTML = '<button id=x>Save</button>'", 100)
        assert found(page, 'click "save"', 3) == "x"

    def test_twins_that_become_one(self, page: Page) -> None:
        """Two exact matches may be a transition: a moment later one of them is left."""
        page.set_content("<button>Save</button><button id=x>Save</button>")
        self.later(page, "document.querySelector('button').remove()", 200)
        assert found(page, 'click "Save"', 3) == "x"

    @pytest.mark.parametrize(("markup", "most"), [("", 1.5), ("<button>A</button>" * 2, 2)])
    def test_no_longer_than_the_timeout(self, page: Page, markup: str, most: float) -> None:
        """Nothing is waited for longer than the timeout, and twins not even as long."""
        page.set_content(markup)
        started = time.monotonic()
        refusal(page, 'click "A"', 3 if markup else 0.4)
        assert time.monotonic() - started < most

    PARTS = "<a href=#>Cart (2)</a><button>Add to cart</button>"

    def test_parts_of_names_on_a_page_at_rest(self, page: Page) -> None:
        """Several that have a part of the name are an error after a second, if nothing loads."""
        page.set_content(self.PARTS)
        started = time.monotonic()
        assert "2 elements" in refusal(page, 'click "Cart"', 5)
        assert 1 <= time.monotonic() - started < 2.5

    def test_an_exact_match_after_parts(self, page: Page, site: Site) -> None:
        """While the page waits for data, an exact name may still come, and wins."""
        site.delays["/data"] = 1.8
        site.pages["/data"] = "<button id=x>Cart</button>"
        site.pages["/"] = (
            f"{self.PARTS}<script>fetch('/data').then(r => r.text())"
            ".then(t => document.body.insertAdjacentHTML('beforeend', t))</script>"
        )
        page.goto(site.url)
        assert found(page, 'click "Cart"', 5) == "x"

    def test_a_navigation_in_between(self, page: Page) -> None:
        """A navigation while looking is survived, and the element found on the next page."""
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
        assert found(page, 'click "Next"', 5) == "x"

    def test_a_closed_page(self, page: Page) -> None:
        """A page that is closed is a PageError."""
        page.close()
        with pytest.raises(PageError, match="closed"):
            find_element(page, wanted('click "A"'), 1)
