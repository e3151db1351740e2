"""What tests of checks share."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from pytest_webtask.run.webtask import Webtask
from tests.checks.desk import Desk
from tests.scripted import Scripted


@pytest.fixture(scope="session")
def _page(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    context = browser.new_context(**browser_context_args)
    yield context.new_page()
    context.close()


@pytest.fixture
def desk(_page: Page, webtask_for: Callable[..., Webtask]) -> Desk:
    """Asks checks of one page that all tests share."""
    if _page.url != "about:blank":
        _page.goto("about:blank")
    return Desk(_page, webtask_for(_page, model=Scripted()))
