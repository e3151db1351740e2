"""What the benchmarks share, beside the fixtures of the tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Playwright

from benchmarks.sites import Sites
from pytest_webtask.page import dom
from tests.conftest import (  # noqa: F401 - fixtures and a hook
    _api,
    _shared_browser,
    _shared_page,
    api,
    html,
    model,
    page,
    pytest_itemcollected,
    webtask_model,
)
from tests.fresh_shop import shop  # noqa: F401 - a fixture


@pytest.fixture(scope="session", autouse=True)
def _engine(request: pytest.FixtureRequest, playwright: Playwright) -> None:
    """Our selector engine, known before the first page is opened."""
    try:
        dom.register(playwright)
    except Exception as error:  # the plugin has already done it
        if "already registered" not in str(error):
            raise


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, object]) -> dict[str, object]:
    """One viewport for every machine, so that sizes can be compared."""
    return {**browser_context_args, "viewport": {"width": 1280, "height": 800}}


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    """Nothing outside this machine is looked up: fonts and avatars must not stall `load`."""
    rules = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost"
    known = browser_type_launch_args.get("args") or []
    return {**browser_type_launch_args, "args": [*known, rules]}  # type: ignore[misc]


@pytest.fixture(scope="session")
def sites(pytestconfig: pytest.Config) -> Iterator[Sites]:
    """The pages that others wrote, fetched once and served on loopback."""
    sites = Sites(pytestconfig.rootpath / ".webtask" / "benchmarks")
    yield sites
    sites.stop()
