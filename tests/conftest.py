"""Fixtures that tests of several rooms share."""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, Page

from pytest_webtask.page.step_time import Deadline
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.types.agent import ToolCall
from tests import nested
from tests.api import Api
from tests.fresh_shop import shop  # noqa: F401 - a fixture
from tests.scripted import Answer, Scripted, done
from tests.site import Site

PACE = 5.0
"""How many seconds of all waits pass in one, except in tests marked `real_time`."""

# Scripts decide here, also where continuous integration would only replay.
os.environ.pop("CI", None)

# Two runs of one tree agree; `--hypothesis-profile=default` looks for new examples.
settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Record nothing beside these tests, and take no pictures where a test does not ask for them.

    What records is asked to in a folder of its own.
    """
    if "e2e" in item.path.relative_to(item.config.rootpath).parts:
        item.add_marker("long")
    markers = list(item.iter_markers("webtask"))
    asked = any("screenshots" in marker.kwargs for marker in markers)
    without = {} if asked else dict.fromkeys(("screenshots", "model_pictures"), "off")
    item.add_marker(pytest.mark.webtask(mode="live", **without))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the files with slow or many tests first, or one worker would be left with them at the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    tests = Counter(item.path for item in items)
    items.sort(key=lambda item: (item.path not in slow, -tests[item.path], item.path))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let waits pass as fast as the test can take it, fixtures of its module included."""
    at, began = Deadline.clock(), time.monotonic()
    pace = Deadline.pace = 1.0 if item.get_closest_marker("real_time") else PACE
    # It goes on from where it was: pages know when they were last acted upon.
    Deadline.clock = staticmethod(lambda: at + (time.monotonic() - began) * pace)
    return (yield)


@pytest.fixture
def model() -> Scripted:
    """The scripted model of this test; a test appends its answers."""
    return Scripted()


@pytest.fixture
def webtask_model(model: Scripted) -> Scripted:
    """Every test here is driven by its script."""
    return model


@pytest.fixture(scope="session")
def _shared_page() -> Iterator[nested.SharedPage]:
    shared = nested.SharedPage()
    yield shared
    shared.close()


@pytest.fixture
def page(
    request: pytest.FixtureRequest,
    browser: Browser,
    browser_context_args: dict[str, Any],
    _shared_page: nested.SharedPage,
) -> Iterator[Page]:
    """A page that was used by earlier tests, or one of its own for a test marked `own_page`."""
    if request.node.get_closest_marker("own_page") or "context" in request.fixturenames:
        yield request.getfixturevalue("context").new_page()
        return
    yield _shared_page.blank(browser, browser_context_args)
    _shared_page.leave()


@pytest.fixture
def html(page: Page) -> Callable[[str], Page]:
    """Shows a piece of HTML in the page."""

    def show(body: str) -> Page:
        page.set_content(f"<!doctype html><title>Test page</title><body>{body}")
        return page

    return show


@pytest.fixture(scope="session", autouse=True)
def _shared_browser(request: pytest.FixtureRequest) -> Iterator[None]:
    """The browser of nested runs."""
    shared = nested.SharedBrowser(lambda: request.getfixturevalue("playwright"))
    nested.SHARED.append(shared)
    yield
    nested.SHARED.clear()


@pytest.fixture
def pytester(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """pytest's, whose `runpytest` shares our process and browser; `runpytest_subprocess` does not."""

    def run(*args: str) -> pytest.RunResult:
        folder = pytester.path.parent / "basetemp"
        return nested.run(Path.cwd(), f"--basetemp={folder}", *args)

    monkeypatch.setattr(pytester, "runpytest", run)
    return pytester


@pytest.fixture(scope="session")
def _api() -> Iterator[Api]:
    server = Api()
    yield server
    server.stop()


@pytest.fixture
def api(_api: Api, monkeypatch: pytest.MonkeyPatch) -> Api:
    """A service of models without answers at first, as the environment names it."""
    _api.clear()
    monkeypatch.setenv("ANTHROPIC_BASE_URL", _api.url)
    monkeypatch.setenv("OPENAI_BASE_URL", f"{_api.url}/v1")
    for key in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(key, "a-key")
    return _api


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


@pytest.fixture
def attempt(webtask: Webtask, model: Scripted) -> Callable[..., ToolCall]:
    """Does a step of the given answers, marked done at its end, and returns their last call."""

    def run(*answers: Answer, **options: Any) -> ToolCall:
        model.answers = [*answers, done()]
        session = webtask.do("act", **options).session
        return session.iterations[len(answers) - 1].calls[-1]

    return run
