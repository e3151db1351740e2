"""Run pytest within a test, in the same process and with a browser that stays open.

An interpreter, a driver and a browser of its own cost three seconds a run.
"""

import importlib
import io
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from importlib.metadata import Distribution, PathDistribution
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import pytest
from playwright._impl import _assertions
from playwright.sync_api import Browser, Error, Page, Playwright, ViewportSize
from pytest_bdd import feature

from scripts import system_browser

REUSES = 25
"""How many tests use one page in turn."""
_ARTIFACTS = ("tracing", "video", "screenshot")
_OUTER_ONLY = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_XDIST_WORKER")
# The timeout and the handler of crashes are the outer run's. The last one collects garbage, which
# takes longer than a nested run.
_ALONE = [
    f"-pno:{name}" for name in ("cacheprovider", "faulthandler", "timeout", "unraisableexception")
]


class SharedPage:
    """A page that tests use in turn: a context and a renderer for each are a quarter of a nested run."""

    def __init__(self) -> None:
        self._page: Page | None = None
        self._made_for: tuple[Browser, Mapping[str, Any]] | None = None
        self._size: ViewportSize | None = None
        self._uses = 0

    def blank(self, browser: Browser, arguments: Mapping[str, Any]) -> Page:
        """Return a page of a context with these arguments, as if nothing had been done in it."""
        made_for = browser, dict(arguments)
        # The listeners of earlier tests remain.
        if made_for != self._made_for or self._uses >= REUSES or not self._is_blank():
            self.close()
            self._page = browser.new_context(**arguments).new_page()
            self._made_for, self._uses = made_for, 0
            self._size = self._page.viewport_size
        self._uses += 1
        assert self._page
        return self._page

    def close(self) -> None:
        """Close the page with its context."""
        if self._page:
            self._page.context.close()
        self._page = None

    def leave(self) -> None:
        """Leave the page to the next test, unless a popup has put it in the background."""
        if self._page and self._page.context.pages != [self._page]:
            self.close()

    def _is_blank(self) -> bool:
        if self._page is None or self._page.viewport_size != self._size:
            return False
        try:
            self._page.context.clear_cookies()
            if self._page.url.startswith("http"):
                # A script of the test before may still run.
                clear = "() => { localStorage.clear(); sessionStorage.clear() }"
                self._page.locator(":root").evaluate(clear, timeout=1_000)
            self._page.goto("about:blank", timeout=5_000)
            self._page.mouse.move(-1, -1)
        except Error:  # closed, crashed or still on its way elsewhere
            return False
        return True


class SharedBrowser:
    """A pytest plugin for nested runs: `playwright` and `browser` are those of the outer run.

    So is the page of each test that asks for no context of its own.
    """

    def __init__(self, playwright: Callable[[], Playwright]) -> None:
        self._playwright = playwright
        self._browsers: dict[str, Browser] = {}
        self.page = SharedPage()

    def pytest_configure(self, config: pytest.Config) -> None:
        """Register the fixtures late: those of a plugin that comes first lose to pytest-playwright's."""
        config.pluginmanager.register(system_browser, "system-browser")
        config.pluginmanager.register(_fixtures(self), "shared-browser-fixtures")

    def playwright(self) -> Playwright:
        return self._playwright()

    def browser(self, launch: Callable[[], Browser], arguments: Mapping[str, Any]) -> Browser:
        """Return the browser for these arguments, launched once."""
        key = repr(sorted(arguments.items()))
        if key not in self._browsers or not self._browsers[key].is_connected():
            self._browsers[key] = launch()
        return self._browsers[key]


def _fixtures(shared: SharedBrowser) -> ModuleType:
    @pytest.fixture(scope="session")
    def playwright() -> Playwright:
        return shared.playwright()

    @pytest.fixture(scope="session")
    def browser(
        launch_browser: Callable[[], Browser], browser_type_launch_args: dict[str, Any]
    ) -> Browser:
        return shared.browser(launch_browser, browser_type_launch_args)

    @pytest.fixture
    def page(
        request: pytest.FixtureRequest, browser: Browser, browser_context_args: dict[str, Any]
    ) -> Iterator[Page]:
        own = {"context", "new_context"} & {*request.fixturenames}
        traced = {request.config.getoption(f"--{each}") for each in _ARTIFACTS} != {"off"}
        plain = browser_context_args.keys() <= {"base_url"}
        marked = request.node.get_closest_marker("browser_context_args")
        if own or traced or marked or not plain:
            yield request.getfixturevalue("context").new_page()
            return
        yield shared.page.blank(browser, browser_context_args)
        shared.page.leave()

    # A module, because pytest 10 refuses session fixtures that are methods.
    module = ModuleType("shared_browser_fixtures")
    vars(module).update(playwright=playwright, browser=browser, page=page)
    return module


SHARED: list[SharedBrowser] = []


class _InstalledOnce:
    """Reads of what is installed, each made once: pytest reads every distribution, some several times."""

    def __init__(self) -> None:
        read, parse = PathDistribution.read_text, Distribution.metadata.fget  # type: ignore[attr-defined]
        files: dict[tuple[str, str], str | None] = {}
        parsed: dict[str, Any] = {}

        def read_once(self: Any, filename: str) -> str | None:
            key = str(self._path), filename
            if key not in files:
                files[key] = read(self, filename)
            return files[key]

        def parse_once(self: Any) -> Any:
            key = str(self._path)
            if key not in parsed:
                parsed[key] = parse(self)
            return parsed[key]

        self.read_text, self.metadata = read_once, property(parse_once)


_INSTALLED = _InstalledOnce()


def run(root: Path, *args: str, own_process: bool = False) -> pytest.RunResult:
    """Run pytest in a folder; with workers of xdist, which share nothing, in a process of its own.

    What is recorded is not confirmed by a second run unless the arguments say so, which saves time.
    """
    start = time.monotonic()
    if not any(arg.startswith("no:") or arg.startswith("-pno:") for arg in args):
        args = ("--webtask-confirm=off", *args)
    if own_process or any(arg.startswith("-n") and arg != "-n0" for arg in args):
        command = [sys.executable, "-m", "pytest", *args]
        outer = ("PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER")
        env = {name: value for name, value in os.environ.items() if name not in outer}
        env["PYTHONDONTWRITEBYTECODE"] = "1"
        done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True)
        lines = done.stdout.splitlines(), done.stderr.splitlines()
        return pytest.RunResult(done.returncode, *lines, time.monotonic() - start)
    out, err = io.StringIO(), io.StringIO()
    with _as_new_process(root), redirect_stdout(out), redirect_stderr(err):
        code = pytest.main([*args, *_ALONE], plugins=SHARED)
    lines = out.getvalue().splitlines(), err.getvalue().splitlines()
    return pytest.RunResult(code, *lines, time.monotonic() - start)


def printed(result: pytest.RunResult) -> str:
    """Return all that a run printed."""
    return f"{result.stdout}\n{result.stderr}"


@contextmanager
def _as_new_process(root: Path) -> Iterator[None]:
    """Restore what a run of pytest changes in its process, and forget the modules in `root`."""
    folder, environment = Path.cwd(), dict(os.environ)
    paths = list(sys.path), list(sys.meta_path)
    modules = dict(sys.modules)
    os.chdir(root)
    for name in _OUTER_ONLY:
        os.environ.pop(name, None)
    sys.path.insert(0, str(root))
    importlib.invalidate_caches()
    try:
        with (
            # pytest-playwright opens a scope of soft assertions for each test; they do not nest.
            mock.patch.object(_assertions, "_soft_errors", None),
            # pytest-bdd keeps the features that a process has read.
            mock.patch.dict(feature.features, clear=True),
            mock.patch.object(PathDistribution, "read_text", _INSTALLED.read_text),
            mock.patch.object(PathDistribution, "metadata", _INSTALLED.metadata),
            # Bytecode is stale only after a second. A process of its own gets this by the environment.
            mock.patch.object(sys, "dont_write_bytecode", True),
            warnings.catch_warnings(),
        ):
            warnings.resetwarnings()
            warnings.simplefilter("ignore")
            yield
    finally:
        sys.path[:], sys.meta_path[:] = paths
        for name, module in list(sys.modules.items()):
            if module is modules.get(name):
                continue
            file = getattr(module, "__file__", None)
            if file and Path(file).is_relative_to(root):
                del sys.modules[name]
                if name in modules:
                    sys.modules[name] = modules[name]
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(folder)
