"""The shop that the examples test: started once, put back to its seed before every test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from shop.server import ShopServer


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShopServer]:
    """The running shop, one for each pytest process; `shop.url` is where it answers."""
    server = ShopServer(tmp_path_factory.mktemp("shop"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def base_url(shop: ShopServer) -> str:
    """What relative addresses in tests are relative to (overrides pytest-base-url's fixture)."""
    return shop.url


@pytest.fixture(autouse=True)
def _fresh_shop(shop: ShopServer) -> None:
    """Give each test the seeded database; nothing of an earlier test is left."""
    shop.reset()
