"""Calls that named their element: recorded and replayed as those with an id."""

from __future__ import annotations

from pathlib import Path

from tests.inner import project

PLAYS = """
    "pay": [
        [
            act("click", "link:Basket"),
            act("click", element_id={"role": "button", "name": "Pay", "within": "Mug"}),
        ],
        done(text("status:Paid", "Paid for the mug")),
    ],
"""
TEST = """
def test_pay(webtask):
    webtask.goto("/")
    webtask.do("pay")
"""
ROW = "<tr><td>{0}<td><button onclick=\"out.textContent = 'Paid for the {1}'\">Pay</button>"


def test_named_element_is_replayed_by_its_item(tmp_path: Path) -> None:
    """The element has an address of its own, whatever the order of the items is later."""
    rows = [ROW.format("Mug", "mug"), ROW.format("Cup", "cup")]
    page = "<title>Basket</title><p id=out role=status></p><table><tr><th>Item<th>Do{}</table>"
    with project(tmp_path, PLAYS, TEST) as inner:
        # The page before has a button of that name, too, and the next one is slow.
        first = "<title>Shop</title><a href=/basket>Basket</a><table><tr><td>Mug<td><button>Pay</button></table>"
        inner.site.pages |= {"/": first, "/basket": page.format("".join(rows))}
        inner.site.delays["/basket"] = 0.3
        run = inner.passes()
        assert run.tasks == ["pay", "pay"]
        inner.site.pages["/basket"] = page.format("".join(reversed(rows)))
        inner.replays()
