"""Set-up that every test run in this repository shares."""

from __future__ import annotations

import os
from pathlib import Path

from scripts.browser import browsers_folder

pytest_plugins = ["pytester", "scripts.system_browser"]


def pytest_configure() -> None:
    """Give the inner runs of our tests the browser of the outer one."""
    # pytester points HOME at a temporary folder, where Playwright would look for its browsers.
    os.environ.setdefault("PLAYWRIGHT_BROWSERS_PATH", str(browsers_folder()))
    # Not `-p`: what that names is loaded before pytest-playwright, whose fixture would then win.
    _prepend("PYTEST_PLUGINS", "scripts.system_browser", ",")
    _prepend("PYTHONPATH", str(Path(__file__).parent), os.pathsep)


def _prepend(variable: str, entry: str, separator: str) -> None:
    entries = [e for e in os.environ.get(variable, "").split(separator) if e]
    if entry not in entries:
        os.environ[variable] = separator.join([entry, *entries])
