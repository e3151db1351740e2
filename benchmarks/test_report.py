"""Reports of 500 tests, of ten live iterations or ten replayed steps: how long, and how large."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from pytest_webtask.checks.base import Check, CheckResult, Fact
from pytest_webtask.journal import (
    PHASES,
    DecisionMade,
    IterationEnded,
    Journal,
    PhaseEnded,
    StepEnded,
    StepPictured,
    StepStarted,
    ToolCalled,
)
from pytest_webtask.page.screenshots import mark
from pytest_webtask.types.agent import Element, Iteration, ToolCall, Usage
from pytest_webtask.types.page import Address, Container, Picture, Seen, Spot, Target

pytestmark = pytest.mark.timeout(900)

TESTS, STEPS, ITERATIONS = 500, 5, 2
SECONDS, MEGABYTES, INTERACTIVE, OVERHEAD = 10.0, 300, 1.0, 1.2

WRITE = """
import resource, sys, time
from pathlib import Path
began = time.monotonic()
from pytest_webtask.report import write_report
write_report([Path(sys.argv[1])], Path(sys.argv[2]))
print(time.monotonic() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def live(tmp_path: Path, page: Page) -> Path:
    """A run of live steps: every iteration has a picture of its own, and an outline."""
    from pytest_webtask.data.values import Data
    from pytest_webtask.page.observer import Observer

    seen = Observer(Data, lambda picture: tmp_path / "unused.jpg").observe(page)
    elements: list[Element] = [e for e in seen.elements.values() if e.in_view]
    marked = mark(page.screenshot(), elements, (1280, 720))
    journal = Journal(tmp_path / "run")
    usage = Usage(
        input_tokens=4000, output_tokens=90, cache_read_tokens=3000, model_calls=1, cost=0.01
    )
    target = Target.of('get_by_role("button", name="Add to cart", exact=True)')
    call = ToolCall(
        tool="click",
        parameters={"element_id": elements[5].id},
        targets={"element_id": target},
        success=True,
        time=0.1,
    )
    for number in range(TESTS):
        test = f"tests/test_shop.py::test_number_{number}[chromium]"
        for step in range(1, STEPS + 1):
            place: dict[str, Any] = {"test": test, "step": step}
            sentence = f"buy mug number {step}"
            journal.write(StepStarted(**place, step_kind="do", sentence=sentence))
            for turn in range(1, ITERATIONS + 1):
                own = f"{number} {step} {turn}".encode()
                # Behind its end a picture may have anything.
                path = journal.save_picture(marked + own)
                iteration = Iteration(
                    number=turn,
                    role="worker",
                    model="claude",
                    observed=Seen(
                        url=seen.url,
                        title=seen.title,
                        outline=f"{own.decode()}\n{seen.outline}",
                        screenshot=f"screenshots/{path.name}",
                    ),
                    reasoning="The list shows the mug; its button puts it into the cart.",
                    calls=(call,),
                    usage=usage,
                    started=0.0,
                    time=2.0,
                )
                journal.write(DecisionMade(**place, iteration=iteration))
                journal.write(ToolCalled(**place, call=call))
                journal.write(IterationEnded(**place, iteration=iteration))
            journal.write(StepEnded(**place, status="completed", reason="bought"))
        _end(journal, test, number)
    journal.close()
    return journal.folder


def replayed(tmp_path: Path, page: Page) -> Path:
    """A run of replayed steps: each has a picture of its own, a click on the one before, and a fact."""
    taken = page.screenshot(type="jpeg", quality=80)
    journal = Journal(tmp_path / "run")
    button = 'get_by_role("button", name="Add to cart", exact=True)'
    item = Container(kind="listitem", name="Espresso Cup")
    pinned = Address(role="button", name="Add to cart", containers=(item,))
    fact = Fact(
        check="text",
        expected='exactly "Cart (2 items)"',
        match="whole",
        element="link",
        text="Cart (2 items)",
        states=("visible", "enabled"),
        within=(Container(kind="navigation"), Container(kind="banner")),
        beside=("Account", "Log out"),
        page="Mugs http://127.0.0.1:5000/products?category=Mugs",
    )
    shown = {"kind": "text", "element_id": "link-0", "text": "Cart (2 items)"}
    held = CheckResult(
        check=Check.parse(shown),
        about='link "Cart (2 items)"',
        expected='exactly "Cart (2 items)"',
        actual="Cart (2 items)",
        holds=True,
        fact=fact,
        target=Target.of('get_by_role("link", name="Cart")'),
    )
    for number in range(TESTS):
        test = f"tests/test_shop.py::test_number_{number}[chromium]"
        before: Picture | None = None
        for step in range(1, 2 * STEPS + 1):
            place: dict[str, Any] = {"test": test, "step": step}
            journal.write(StepStarted(**place, step_kind="do", sentence=f"buy mug number {step}"))
            # Behind its end a picture may have anything.
            path = journal.save_picture(taken + f"{number} {step}".encode())
            call = ToolCall(
                tool="click",
                parameters={"element_id": button},
                targets={"element_id": Target(locators=(button,), pinned=pinned)},
                spot=Spot(picture=before, box=(700, 400, 120, 40), point=(760, 420))
                if before
                else None,
                success=True,
                time=0.1,
            )
            journal.write(ToolCalled(**place, call=call))
            fields = {"model": "recording", "role": "worker", "started": 0.0, "time": 0.2}
            iteration = Iteration.model_validate({"number": 1, "calls": (call,), **fields})
            journal.write(IterationEnded(**place, iteration=iteration))
            before = Picture(path=f"screenshots/{path.name}", size=(1280, 720))
            journal.write(StepPictured(**place, picture=before))
            journal.write(StepEnded(**place, status="completed", evidence=(held,)))
        _end(journal, test, number)
    journal.close()
    return journal.folder


def _end(journal: Journal, test: str, number: int) -> None:
    for phase in PHASES:
        outcome = "failed" if phase == "call" and number % 25 == 0 else "passed"
        journal.write(PhaseEnded(test=test, phase=phase, outcome=outcome, seconds=1.0))


@pytest.fixture
def shop(tmp_path: Path) -> object:
    """The example shop."""
    from shop.server import ShopServer

    folder = tmp_path / "shop"
    folder.mkdir()
    server = ShopServer(folder)
    yield server
    server.stop()


@pytest.mark.parametrize("steps", [live, replayed])
def test_large_report_is_written_quickly_and_small(
    steps: Callable[[Path, Page], Path], tmp_path: Path, page: Page, shop: object
) -> None:
    """At most 10 s, 300 MB, and 1.2 times the pictures; the overview answers within 1 s."""
    page.goto(f"{shop.url}/products?category=Mugs")  # type: ignore[attr-defined]
    run = steps(tmp_path, page)
    folder = tmp_path / "report"
    wrote = subprocess.run(
        [sys.executable, "-c", WRITE, str(run), str(folder)],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, megabytes = map(float, wrote.stdout.split())
    sizes = {file: file.stat().st_size for file in folder.rglob("*") if file.is_file()}
    pictures = sum(n for file, n in sizes.items() if file.parent.name == "pictures")
    overhead = sum(sizes.values()) / pictures
    began = time.monotonic()
    page.goto((folder / "index.html").as_uri(), wait_until="load")
    page.get_by_role("searchbox").fill("number_499")
    page.get_by_text("test_number_498").first.wait_for(state="hidden")
    interactive = time.monotonic() - began
    print(
        f"\n{TESTS} {steps.__name__} tests, {TESTS * STEPS * ITERATIONS} iterations: written in {seconds:.1f} s"
        f" with {megabytes:.0f} MB; {sum(sizes.values()) / 1e6:.0f} MB are {overhead:.2f} times"
        f" the pictures ({pictures / 1e6:.0f} MB); opened and searched in {interactive:.2f} s"
    )
    assert seconds <= SECONDS
    assert megabytes <= MEGABYTES
    assert overhead <= OVERHEAD
    assert interactive <= INTERACTIVE
