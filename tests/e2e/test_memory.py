"""A test of six steps whose fifth knows a number and a price from earlier ones alone.

The shop gives each order another number, and each visit other prices, so that nothing of another run
can be right. Its model finds both in what the turn's prompt holds, or fails.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_webtask.journal import StepStarted
from pytest_webtask.llm.prompts import render
from pytest_webtask.types.agent import ProposedToolCall, Turn
from tests.inner import Project, act, project
from tests.scripted import Answer

SHOP = {
    "/": """<title>Shop</title><h1>Mugs</h1>
        <script>
          localStorage.price ||= `$${10 + Math.floor(Math.random() * 80)}.95`
          const place = () => {
            localStorage.order = 10000 + Math.floor(Math.random() * 90000)
            location = "/thanks"
          }
        </script>
        <table><tr><th>Mug<th>Price<tr><td>Striped Mug<td id=price><tr><td>Plain Mug<td>$3.00</table>
        <button onclick="place()">Place order</button>
        <script>price.textContent = localStorage.price</script>""",
    "/thanks": """<title>Thanks</title><h1>Thank you</h1><p id=number></p>
        <script>number.textContent = `Your order number is ${localStorage.order}.`</script>""",
    "/cancel": """<title>Cancel</title><h1>Cancel an order</h1>
        <label>Order <input id=order></label><label>Refund <input id=refund></label>
        <button onclick="cancel()">Cancel it</button><p role=status id=answer></p>
        <script>
          const cancel = () => {
            const known = order.value == localStorage.order && refund.value == localStorage.price
            answer.textContent = known ? "The order is cancelled" : "There is no such order"
          }
        </script>""",
}

PLAYS = """
    "the price of the Striped Mug": [price_of()],
    "place the order": [
        act("click", "button:Place order"),
        done(
            text("heading:Thank you", "Thank you"),
            {"kind": "matches", "element_id": "text:Your order", "pattern": r"Your order number is \\d+\\."},
        ),
    ],
    "cancel the order that was placed before, with the mug's price as refund": [
        cancel(),
        done(text("status:The order", "The order is cancelled")),
    ],
    "the order is cancelled": [holds(text("status:The order", "The order is cancelled"))],
"""

TEST = """
def test_order(webtask):
    webtask.goto("/")
    webtask.extract("the price of the Striped Mug")
    webtask.do("place the order")
    webtask.goto("/cancel")
    webtask.do("cancel the order that was placed before, with the mug's price as refund")
    webtask.verify("the order is cancelled")
"""
CANCEL = "cancel the order that was placed before, with the mug's price as refund"
LATER = [CANCEL] * 2 + ["the order is cancelled"]
"""What the model is asked for from the fifth step on."""


def price_of() -> Answer:
    """Reads the price beside the name."""

    def play(turn: Turn) -> ProposedToolCall:
        known = {**turn.observation.texts, **turn.observation.elements}
        [cell] = [e for e in known.values() if re.fullmatch(r"\$\d\d\.95", e.name)]
        read = [{"element_id": cell.id, "text": cell.name}]
        return ProposedToolCall("report_value", {"value": cell.name, "read": read}, "shown")

    return play


def cancel() -> Answer:
    """Fills in the number and the price that the prompt tells."""

    def known(turn: Turn, pattern: str) -> str:
        if os.environ.get("OFFLINE"):
            raise ConnectionError("no network")
        prompt = render(turn)
        assert not re.search(pattern, turn.observation.outline), "the page shows it itself"
        assert not re.search(pattern, prompt.system + prompt.task), "it stands in the instructions"
        [match] = set(re.findall(pattern, prompt.page))
        return str(match)

    return lambda turn: [
        act("fill", "textbox:Order", text=known(turn, r"Your order number is (\d{5})\.")),
        act("fill", "textbox:Refund", text=known(turn, r"(\$\d\d\.95)")),
        act("click", "button:"),
    ]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Project]:
    """The project, and the shop that it tests."""
    with project(tmp_path, PLAYS, TEST) as inner:
        plays = inner.root / "plays.py"
        plays.write_text("from tests.e2e.test_memory import cancel, price_of\n" + plays.read_text())
        inner.site.pages.update(SHOP)
        yield inner


def test_later_step_knows_what_earlier_and_replayed_ones_did(shop: Project) -> None:
    """The fifth step gets number and price of this run, though the first four were replayed."""
    run = shop.passes()
    assert run.tasks[-3:] == LATER
    for _ in range(2):
        # The recording of the first run must not serve the second: the number is another one.
        shop.edit("test_order", lambda steps: steps.__delitem__(slice(2, None)))
        run = shop.passes()
        assert run.tasks == LATER


def test_step_after_drafts_knows_what_they_did(
    shop: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an error of the model the drafts are replayed, and the step gets their number and price."""
    monkeypatch.setenv("OFFLINE", "1")
    assert shop.run().tasks[-1] == CANCEL
    monkeypatch.delenv("OFFLINE")
    run = shop.passes()
    assert run.tasks == LATER
    assert "drafts replayed: 2 of tests that did not pass before" in run.printed
    assert len(run.events(StepStarted)) == 6
