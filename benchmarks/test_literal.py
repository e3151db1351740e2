"""How a literal test compares with the same test written by hand, and what the plugin costs unused.

Whole processes in turn, without pictures: the ratios count, not the seconds.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from shop.server import ShopServer

from benchmarks.side_by_side import Rounds, run

pytestmark = pytest.mark.timeout(1800)

ROUNDS = 7

LITERAL = """
def test_twenty_actions(webtask):
    webtask.goto("/login")
    webtask.do('''fill "Username" with "demo"
        fill "Password" with "mug-life-2026"
        click the "Log in" button''')
    webtask.do('click "All mugs"')
    webtask.do('click "Espresso Cup", fill "Quantity" with "2"')
    webtask.do('click "Add to cart" next to "Quantity"')
    webtask.do('click "Cart (2 items)" and click "Go to checkout"')
    webtask.do('''fill "Full name" with "Dana Demo"
        fill "Email" with "dana@example.com"
        fill "Street and number" with "Kiln Lane 12"
        fill "ZIP code" with "10115"
        fill "City" with "Berlin"
        select "Germany" in "Country"
        choose "Standard (2 to 4 days, $4.90)"''')
    webtask.do('fill "Gift note (optional)" with "Enjoy"')
    webtask.do('check "I accept the Terms and conditions"')
    webtask.do('click "Help", click "Do you make things to order?"')
"""

BY_HAND = """
def test_twenty_actions(page):
    page.goto("/login")
    page.get_by_label("Username").fill("demo")
    page.get_by_label("Password").fill("mug-life-2026")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="All mugs").click()
    page.get_by_role("link", name="Espresso Cup").click()
    page.get_by_label("Quantity").fill("2")
    page.locator("form", has=page.get_by_label("Quantity")).get_by_role(
        "button", name="Add to cart").click()
    page.get_by_role("link", name="Cart (2 items)").click()
    page.get_by_role("link", name="Go to checkout").click()
    page.get_by_label("Full name").fill("Dana Demo")
    page.get_by_label("Email").fill("dana@example.com")
    page.get_by_label("Street and number").fill("Kiln Lane 12")
    page.get_by_label("ZIP code").fill("10115")
    page.get_by_label("City").fill("Berlin")
    page.get_by_label("Country").select_option("Germany")
    page.get_by_label("Standard (2 to 4 days, $4.90)").check()
    page.get_by_label("Gift note (optional)").fill("Enjoy")
    page.get_by_label("I accept the Terms and conditions").check()
    page.get_by_role("link", name="Help", exact=True).click()
    page.get_by_text("Do you make things to order?").click()
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShopServer]:
    """The example shop, served by this process."""
    server = ShopServer(tmp_path_factory.mktemp("shop"))
    yield server
    server.stop()


def test_literal_test_is_close_to_one_written_by_hand(tmp_path: Path, shop: ShopServer) -> None:
    """Twenty-two actions on the shop take at most 1.3 times as long."""
    (tmp_path / "test_literal.py").write_text(LITERAL)
    (tmp_path / "test_by_hand.py").write_text(BY_HAND)

    def seconds(*arguments: str) -> float:
        shop.reset()
        return run(tmp_path, *arguments, "--base-url", shop.url)[0]

    rounds = Rounds.of(
        ROUNDS,
        {
            "by hand": lambda: seconds("test_by_hand.py"),
            "literal": lambda: seconds("test_literal.py", "--webtask-screenshots=off"),
        },
    )
    print(f"\n{rounds}: literal {rounds.ratio('literal', 'by hand')} times by hand (goal 1.3)")


def test_unused_plugin_adds_little_time(tmp_path: Path) -> None:
    """`pytest --collect-only` takes at most 30 ms more with the plugin."""
    (tmp_path / "test_nothing.py").write_text("def test_nothing(): pass\n")
    rounds = Rounds.of(
        3 * ROUNDS,
        {
            "without": lambda: run(tmp_path, "--collect-only", "-p", "no:webtask")[0],
            "installed": lambda: run(tmp_path, "--collect-only")[0],
        },
    )
    without = rounds.median("without")
    more = 1000 * (rounds.median("installed") - without)
    print(
        f"\ncollect-only: {1000 * without:.0f} ms without, {more:+.0f} ms with the plugin (goal +30)"
    )
