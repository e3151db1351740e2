"""What a picture of a step costs, beside Playwright's own picture of the same page."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page
from shop.server import ShopServer

from benchmarks.test_literal import shop
from pytest_webtask.data.values import Data, Secret
from pytest_webtask.page.screenshots import Camera

__all__ = ["shop"]

ROUNDS = 25
GOAL, WITH_SECRET = 35, 60
"""Milliseconds at the median."""


@pytest.fixture
def shop_page(webtask_for: Callable[..., object], page: Page, shop: ShopServer) -> Page:
    """The list of products; `webtask_for` has the engine registered before the page is opened."""
    page.goto(f"{shop.url}/products")
    return page


def test_picture_of_a_step(shop_page: Page) -> None:
    """A picture takes 35 ms at the median, 60 ms where a secret is declared."""
    sizes: list[int] = []

    def save(picture: bytes) -> str:
        sizes.append(len(picture))
        return "picture.jpg"

    plain = Camera(lambda: Data({}), save)
    masking = Camera(lambda: Data({"password": Secret("mug-life-2026")}), save)
    shown = Camera(lambda: Data({"name": Secret("Espresso Cup")}), save)
    kinds: dict[str, Callable[[], object]] = {
        "without a secret": lambda: plain.take(shop_page),
        "with a secret": lambda: masking.take(shop_page),
        "with a secret that is shown": lambda: shown.take(shop_page),
        "Playwright's PNG": lambda: shop_page.screenshot(),
        "Playwright's JPEG": lambda: shop_page.screenshot(type="jpeg", scale="css"),
    }
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    change = "() => document.querySelector('h1').append('.')"
    for _ in range(ROUNDS):
        for kind, take in kinds.items():
            shop_page.evaluate(change)
            began = time.perf_counter()
            assert take()
            times[kind].append(1000 * (time.perf_counter() - began))
    medians = {kind: statistics.median(some) for kind, some in times.items()}
    print(
        "\na picture at the median: "
        + ", ".join(f"{kind} {median:.0f} ms" for kind, median in medians.items())
        + f"; {statistics.median(sizes) / 1000:.0f} KB (goals {GOAL} and {WITH_SECRET} ms)"
    )
