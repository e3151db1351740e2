"""A pytest plugin for this repository that launches the Chromium of `find_browser`.

The root `conftest.py` loads it and puts its name into the environment, so that the inner pytest
runs of our tests, in this process or another, have it too and need no word about browsers.
"""

from __future__ import annotations

from typing import Any

import pytest

from scripts.browser import BrowserNotFound, find_browser


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], browser_name: str
) -> dict[str, Any]:
    """Add the system's Chromium to pytest-playwright's arguments if Playwright has none."""
    args = browser_type_launch_args
    if browser_name != "chromium" or "channel" in args or "executable_path" in args:
        return args
    try:
        executable = find_browser(headed=args.get("headless") is False)
    except BrowserNotFound as error:
        raise pytest.UsageError(str(error)) from None
    # No `--no-sandbox` for root: Playwright passes it unless `chromium_sandbox` is asked for.
    return {**args, "executable_path": str(executable)} if executable else args
