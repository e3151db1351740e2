"""What all tests of the shop share: the shop itself, its users, and how to be one of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, StorageState
from pytest_playwright import CreateContextCallback
from shop.server import ShopServer

from pytest_webtask import Secret, Webtask

WebtaskFor = Callable[..., Webtask]
RESOURCES = Path(__file__).with_name("resources")


@pytest.fixture(scope="session")
def shop_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the shop keeps its database and what is uploaded."""
    return tmp_path_factory.mktemp("shop")


@pytest.fixture(scope="session")
def shop(shop_folder: Path) -> Iterator[ShopServer]:
    """The running shop, one for each pytest process; `shop.url` is where it answers."""
    server = ShopServer(shop_folder)
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


@pytest.fixture
def database(shop_folder: Path) -> Iterator[sqlite3.Connection]:
    """The shop's own database, for what no page shows."""
    connection = sqlite3.connect(shop_folder / "shop.sqlite")
    yield connection
    connection.close()


@pytest.fixture(scope="session")
def webtask_data() -> dict[str, object]:
    """The users of the shop; a password is typed into the page and appears nowhere else."""
    return {
        "user": "demo",
        "password": Secret("mug-life-2026"),
        "rita_password": Secret("rita-pass-7"),
        "admin_password": Secret("admin-pass-9"),
    }


@pytest.fixture(scope="session")
def webtask_resources() -> dict[str, Path]:
    """The files that tests upload."""
    return {"my mug": RESOURCES / "my-mug.png", "receipt": RESOURCES / "receipt.txt"}


@pytest.fixture(scope="session")
def dana_logged_in(browser: Browser, webtask_for: WebtaskFor) -> StorageState:
    """Dana's cookies after the one log-in of the run; a reset of the shop does not end it."""
    context = browser.new_context()
    dana = webtask_for(context.new_page(), name="dana logs in")
    dana.do('go to "/login", fill "Username" with {user}, fill "Password" with {password}')
    dana.do('click the "Log in" button, then wait for "Welcome back, Dana Demo."')
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture(scope="session")
def admin_logged_in(browser: Browser, webtask_for: WebtaskFor) -> StorageState:
    """The administrator's cookies after the one log-in of the run."""
    context = browser.new_context()
    admin = webtask_for(context.new_page(), name="admin logs in")
    admin.do('go to "/login", fill "Username" with "admin", fill "Password" with {admin_password}')
    admin.do('click the "Log in" button, then wait for "Welcome back, Ada Admin."')
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def dana(
    new_context: CreateContextCallback, webtask_for: WebtaskFor, dana_logged_in: StorageState
) -> Webtask:
    """Dana, a customer, logged in in a browser context of her own."""
    return webtask_for(new_context(storage_state=dana_logged_in).new_page(), name="dana")


@pytest.fixture
def admin(
    new_context: CreateContextCallback, webtask_for: WebtaskFor, admin_logged_in: StorageState
) -> Webtask:
    """The administrator, logged in in a browser context of her own."""
    return webtask_for(new_context(storage_state=admin_logged_in).new_page(), name="admin")
