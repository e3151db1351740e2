"""A page that tests of names share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def sheet(browser: Browser) -> Iterator[Page]:
    """One page for all tests that only set its content: a page each would take most of the time."""
    context = browser.new_context()
    yield context.new_page()
    context.close()
