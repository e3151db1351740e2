"""The conftest of the recorded suite: pages that are served elsewhere, and what was done on them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Error, Page

if TYPE_CHECKING:  # the tests by hand need no webtask
    from pytest_webtask import Webtask


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    """Look up nothing outside this machine: fonts must not stall `load`."""
    rules = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost"
    return {**browser_type_launch_args, "args": [rules]}


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, object]) -> dict[str, object]:
    """Have one viewport everywhere."""
    return {**browser_context_args, "viewport": {"width": 1280, "height": 800}}


@pytest.fixture(autouse=True)
def _log(page: Page) -> Iterator[None]:
    """Keep the page's own log of what was acted upon."""
    yield
    try:
        log = page.evaluate("sessionStorage.getItem('drift') || '[]'")
    except Error:
        log = "[]"
    Path(os.environ["DRIFT_LOG"]).write_text(json.dumps(json.loads(log)))


@pytest.fixture
def visit(webtask: Webtask) -> Callable[[str], None]:
    """Open a page by its name."""
    return lambda name: webtask.goto(json.loads(os.environ["DRIFT_PAGES"])[name])


@pytest.fixture
def webtask_data() -> dict[str, object]:
    """What is entered."""
    return {"password": "mug-life-2026"}
