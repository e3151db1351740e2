"""What tests of claims share: one page for each scene, and a verifier that is told what to say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from shop.server import ShopServer

from pytest_webtask.webtask import Webtask
from tests.claims.stage import Scene, Stage
from tests.site import Site


@pytest.fixture(scope="session")
def _stage(
    browser: Browser,
    browser_context_args: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Stage]:
    folder: Path = tmp_path_factory.mktemp("shop")
    shop = ShopServer(folder)
    stage = Stage(browser, browser_context_args, shop, folder / "shop.sqlite")
    yield stage
    stage.clear()
    shop.stop()


@pytest.fixture
def show(_stage: Stage, site: Site, webtask_for: Callable[..., Webtask]) -> Callable[[str], Scene]:
    """Shows a scene, which stays for the tests that follow."""
    return lambda name: _stage.show(name, site, webtask_for)
