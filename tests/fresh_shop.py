"""Fixtures of tests in the example shop, ours and those of inner runs."""

from collections.abc import Iterator

import pytest
from shop.server import ShopServer


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShopServer]:
    """The example shop on a free loopback port."""
    server = ShopServer(tmp_path_factory.mktemp("shop"))
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def fresh(shop: ShopServer) -> None:
    """Each test begins with the seeded shop."""
    shop.reset()


@pytest.fixture(scope="session")
def base_url(shop: ShopServer) -> str:
    """Relative addresses lead to the shop."""
    return shop.url
