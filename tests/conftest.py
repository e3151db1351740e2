"""Fixtures that tests of several rooms share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from tests.scripted import Scripted
from tests.site import Site


@pytest.fixture
def model() -> Scripted:
    """The scripted model of this test; a test appends its answers."""
    return Scripted()


@pytest.fixture
def webtask_model(model: Scripted) -> Scripted:
    """Every test here is driven by its script."""
    return model


@pytest.fixture
def html(page: Page) -> Callable[[str], Page]:
    """Shows a piece of HTML in the page."""

    def show(body: str) -> Page:
        page.set_content(f"<!doctype html><title>Test page</title><body>{body}")
        return page

    return show


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    """The example shop on a free loopback port."""
    from shop.server import ShopServer

    server = ShopServer(tmp_path_factory.mktemp("shop"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def _site() -> Iterator[Site]:
    site = Site()
    yield site
    site.stop()


@pytest.fixture
def site(_site: Site) -> Site:
    """A real site on loopback, empty at first: `site.pages["/"] = "<h1>Hello"`."""
    _site.clear()
    return _site
