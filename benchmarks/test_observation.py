"""What an observation costs, how large it is, and whether it loses anything.

Run with `pytest benchmarks -s`. Ratios are of measurements taken in turns in one run. Sizes
and completeness are asserted; times only against a bound that no noise reaches.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error, Page
from shop.server import ShopServer

from benchmarks.completeness import Verdict, judge
from benchmarks.generated import KINDS, LISTEN
from benchmarks.sites import Sites
from pytest_webtask.data.values import Data
from pytest_webtask.page.observer import Observer

HUGE = 10**9
TIMEOUT = 120_000
SIZE_TARGET = 0.5
COST_TARGET = 1.5

pytestmark = [pytest.mark.timeout(1800), pytest.mark.only_browser("chromium")]


@dataclass
class Cost:
    """Milliseconds, each the best of the repetitions."""

    boxes: float
    plain: float
    ours: float

    @property
    def ratio(self) -> float:
        return self.ours / self.boxes

    @property
    def own(self) -> float:
        return self.ours - self.plain

    @property
    def absurd(self) -> bool:
        """Far beyond the target: a mistake, whatever the noise of the machine."""
        return self.ours > 4 * self.boxes + 500


def measure(page: Page, times: int) -> Cost:
    """Both snapshots of Playwright's and our observation, in turns."""
    observer = new_observer(None)
    work: dict[str, Callable[[], Any]] = {
        "boxes": lambda: page.aria_snapshot(mode="ai", boxes=True, timeout=TIMEOUT),
        "plain": lambda: page.aria_snapshot(mode="ai", timeout=TIMEOUT),
        "ours": lambda: observer.observe(page),
    }
    taken: dict[str, list[float]] = {name: [] for name in work}
    for turn in range(times):
        names = list(work)
        for name in names[turn % 3 :] + names[: turn % 3]:
            start = time.perf_counter()
            work[name]()
            taken[name].append((time.perf_counter() - start) * 1000)
    return Cost(**{name: min(values) for name, values in taken.items()})


def new_observer(folder: Path | None) -> Observer:
    """An observer without data, which saves its pictures in `folder` if there is one."""
    data = Data()
    numbers = count()

    def save(picture: bytes) -> Path:
        assert folder is not None
        path = folder / f"{next(numbers)}.jpg"
        path.write_bytes(picture)
        return path

    return Observer(lambda: data, save if folder else None)


@pytest.mark.parametrize("nodes", [1_000, 5_000, 10_000, 50_000])
@pytest.mark.parametrize("kind", list(KINDS))
def test_observation_costs_about_one_snapshot(kind: str, nodes: int, page: Page) -> None:
    """An observation takes about as long as Playwright's own snapshot with boxes."""
    page.set_content(f"<!doctype html><title>{kind}</title><body>{KINDS[kind](nodes)}")
    page.evaluate(LISTEN)
    times = {1_000: 12, 5_000: 8, 10_000: 5, 50_000: 3}[nodes]
    cost = measure(page, times)
    actual = page.evaluate("document.querySelectorAll('*').length")
    print(
        f"\nCOST {kind:6} {actual:6} nodes: boxes {cost.boxes:7.0f} ms, plain {cost.plain:7.0f},"
        f" observe {cost.ours:7.0f}, ratio {cost.ratio:.2f}, own part {cost.own:6.0f} ms"
        f" = {cost.own / actual * 1000:.1f} µs a node",
        end="",
    )
    assert not cost.absurd


SHOP_PAGES = {
    "home": "/",
    "products": "/products",
    "product": "/products/1",
    "terms": "/terms",
    "contact": "/contact",
    "login": "/login",
    "account": "/account",
    "orders": "/orders",
    "order": "/orders/MUG-1002",
    "cart": "/cart",
    "checkout": "/checkout",
    "admin": "/admin/products",
    "admin product": "/admin/products/1",
    "admin orders": "/admin/orders",
    "admin featured": "/admin/featured",
}


def shop_pages(page: Page, shop: ShopServer) -> Iterator[str]:
    """Opens one page of the shop after the other, as a user who may see them all."""
    page.goto(shop.url + "/login")
    page.get_by_label("Name").or_(page.get_by_label("User")).first.fill("admin")
    page.get_by_label("Password").fill("admin-pass-9")
    page.get_by_role("button", name="Log in").click()
    page.goto(shop.url + "/products/1")
    page.get_by_role("button", name="Add to cart").first.click()
    for name, path in SHOP_PAGES.items():
        if name == "login":
            continue
        answer = page.goto(shop.url + path)
        page.wait_for_timeout(300)
        if answer is None or not answer.ok:
            print(f"\n  (shop {name}: {answer and answer.status})", end="")
            if name == "order":
                continue
        yield f"shop {name}"
    page.context.clear_cookies()
    page.goto(shop.url + "/login")
    yield "shop login"


def foreign_pages(page: Page, sites: Sites) -> Iterator[str]:
    """Opens one page after the other that others wrote."""
    for name, url in sites.urls:
        page.context.clear_cookies()
        try:
            answer = page.goto(url, wait_until="domcontentloaded")
        except Error as error:
            print(f"\n  (left out {name}: {str(error).splitlines()[0]})", end="")
            continue
        if answer is None or not answer.ok:
            print(f"\n  (left out {name}: {answer and answer.status})", end="")
            continue
        with contextlib.suppress(Error):  # a picture from elsewhere may never come
            page.wait_for_load_state("load", timeout=10_000)
        page.wait_for_timeout(700)
        yield name


@dataclass
class Found:
    """What a page showed: sizes in characters, and what was lost."""

    name: str
    snapshot: str
    outline: str
    capped: int
    verdict: Verdict
    cost: Cost
    raw_picture: float
    picture: float

    @property
    def share(self) -> float:
        return len(self.outline) / len(self.snapshot)


def look(name: str, page: Page, folder: Path) -> Found:
    """Measures one page in every way, prints a line and keeps both texts for the reader."""
    observer = new_observer(folder)
    snapshot = page.aria_snapshot(mode="ai", timeout=TIMEOUT)
    observation = observer.observe(page, cap=HUGE)
    verdict = judge(page, observer, observation)
    if verdict.lost:  # a page that moves by itself gets a second look
        observation = observer.observe(page, cap=HUGE)
        verdict = judge(page, observer, observation)
    capped = len(observer.observe(page).outline)
    raw, marked = [], []
    for _ in range(3):
        start = time.perf_counter()
        page.screenshot(type="png", scale="css")
        raw.append((time.perf_counter() - start) * 1000)
        seen = observer.observe(page)
        start = time.perf_counter()
        assert seen.screenshot
        marked.append((time.perf_counter() - start) * 1000)
    cost = measure(page, 8)
    found = Found(name, snapshot, observation.outline, capped, verdict, cost, min(raw), min(marked))
    safe = name.replace("/", "_").replace(" ", "_")
    (folder / f"{safe}.snapshot.txt").write_text(snapshot)
    (folder / f"{safe}.outline.md").write_text(observation.outline)
    print(
        f"\n{name:44} size {len(snapshot):7} → {len(found.outline):6} = {found.share:4.0%},"
        f" capped {capped:6}; boxes {cost.boxes:5.0f} ms, observe {cost.ours:5.0f},"
        f" ratio {cost.ratio:4.2f}, own {cost.own:4.0f};"
        f" picture {found.raw_picture:4.0f} → {found.picture:4.0f} ms;"
        f" controls {verdict.strong}, others {verdict.expected - verdict.strong},"
        f" lost {len(verdict.lost_controls)} + {len(verdict.lost) - len(verdict.lost_controls)}",
        end="",
    )
    for lost in verdict.lost[:12]:
        print(f"\n    LOST {lost}", end="")
    return found


def check(found: list[Found]) -> None:
    """Prints what is over a target; raises if a size is, or a control was lost."""
    large = [f"{f.name}: {f.share:.1%}" for f in found if f.share > SIZE_TARGET]
    slow = [f"{f.name}: {f.cost.ratio:.2f}" for f in found if f.cost.ratio > COST_TARGET]
    lost = [f"{f.name}: {e}" for f in found for e in f.verdict.lost_controls]
    print(
        f"\n{len(found)} pages; slower than {COST_TARGET} times: {slow};"
        f" larger than half: {large}; lost: {len(lost)}"
    )
    assert not lost, "\n".join(lost)
    assert not large, "\n".join(large)
    assert not [f.name for f in found if f.cost.absurd]


@pytest.fixture(scope="module")
def kept(pytestconfig: pytest.Config) -> Path:
    """Where outlines and snapshots are kept for a reader to compare."""
    folder = pytestconfig.rootpath / ".webtask" / "benchmarks" / "outlines"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def test_shop_pages_are_small_and_complete(page: Page, shop: ShopServer, kept: Path) -> None:
    """Outlines are at most half the size of the snapshot and lack no control."""
    check([look(name, page, kept) for name in shop_pages(page, shop)])


def test_foreign_pages_are_small_and_complete(page: Page, sites: Sites, kept: Path) -> None:
    """Outlines of at least ten pages by others are half the snapshot's size and lack no control."""
    for missing in sites.missing:
        print(f"\n  could not be fetched: {missing}", end="")
    found = [look(name, page, kept) for name in foreign_pages(page, sites)]
    assert len(found) >= 10, f"only {len(found)} pages could be opened; missing: {sites.missing}"
    check(found)
