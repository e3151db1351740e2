"""An observer that needs no test around it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Playwright

from pytest_webtask.data.values import Data, Secret
from pytest_webtask.page.observer import Observer
from pytest_webtask.types.agent import Observation


class Eyes:
    """Observes one page with one observer, which keeps its ids."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page = page
        self.data = Data({"password": Secret("hunter2-secret")})
        self.observer = Observer(lambda: self.data, self._save)
        self.folder = folder
        self.pictures = 0

    def see(self, body: str | None = None, **options: int) -> Observation:
        """The page as it is, or with a new body."""
        if body is not None:
            self.page.set_content(f"<!doctype html><title>Test page</title><body>{body}")
        return self.observer.observe(self.page, **options)

    def see_anew(self, body: str) -> Observation:
        """The page with a new body, as an observer sees it that has given no ids yet."""
        self.observer = Observer(lambda: self.data, self._save)
        return self.see(body)

    def _save(self, picture: bytes) -> Path:
        self.pictures += 1
        path = self.folder / f"{self.pictures}.jpg"
        path.write_bytes(picture)
        return path


@pytest.fixture
def eyes(webtask_engine: None, page: Page, tmp_path: Path) -> Eyes:
    """An observer of this test's page."""
    return Eyes(page, tmp_path)


@pytest.fixture(scope="session")
def webtask_engine(playwright: Playwright, webtask_for: Callable[..., object]) -> None:
    """Asking for `webtask_for` has the engine registered before the first page is made."""
