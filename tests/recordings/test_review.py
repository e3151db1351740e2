"""Reviews of recordings: what proves less than before is flagged, and nothing else is."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_webtask.journal.schema import RecordedStep
from pytest_webtask.recordings.review import weakened_evidence
from tests.recordings.made import ITEMS, SHOWS, STATUS, Line, check, target

ROWS = 'get_by_role("row").filter(visible=True)'
BASKET = {"kind": "section", "name": "Basket"}
PLACED = {"kind": "row", "name": "Mug", "place": "1 of 2"}
SHOWN = check("text", STATUS, text="2 items")
UNNAMED = check("text", target(STATUS, role="status"), text="2 items")
ORDER = check("matches", STATUS, pattern=r"Order \d+ of Ann")
ADDRESS = check("url", pattern="/orders/12")
ERROR, ALERT = check("absent", text="error"), check("absent", role="alert", name="error")


def of(*containers: Line, **marks: str) -> Line:
    """The check of a text of an element that was recorded in such containers."""
    pinned = {"name": "Cart", "containers": containers}
    return check("text", target(STATUS, pinned, role="status", marks=marks), text="2 items")


def in_order(*texts: str, **more: Any) -> Line:
    """The check of an order of rows."""
    return check("order", ROWS, texts=[*texts], **more)


FLAGS: dict[str, tuple[list[Line], list[Line], str]] = {
    "exact": ([ITEMS], [check("text", STATUS, text="2 items in your cart")],
              "now a part is enough"),
    "shortened": ([ITEMS], [check("text", STATUS, text="2 items", exact=True)],
                  'now exactly "2 items", before exactly "2 items in your cart"'),
    "matches": ([check("text", STATUS, text="Order 17")], [check("matches", STATUS, pattern=r"Order \d+")],
                'no longer checks get_by_role("status"): text'),
    "wider": ([ORDER], [check("matches", STATUS, pattern=r"Order \d+ of .*")],
              'now fits Order \\d+ of .*, before fits Order \\d+ of Ann'),
    "wider address": ([ADDRESS], [check("url", pattern="/orders/*")],
                      "now /orders/*, before /orders/12"),
    "shorter address": ([ADDRESS], [check("url", pattern="?12")], "now ?12, before /orders/12"),
    "count": ([check("count", ROWS, number="2"), ITEMS], [ITEMS, check("title", text="Cart")],
              "no longer checks get_by_role"),
    "state": ([SHOWN], [check("state", STATUS, state="visible")], "no longer checks"),
    "eye": ([SHOWN], [check("visual", STATUS, what="2 items")], "no longer checks"),
    "place": ([SHOWN], [check("text", 'get_by_role("paragraph").nth(3)', text="2 items")],
              "now found by its position"),
    "order": ([in_order("a", "b", place="all")], [in_order("a", "b")], "now a part is enough"),
    "fewer": ([in_order("a", "b", "c")], [in_order("a", "b")],
              "now a → b, before a → b → c"),
    "absent": ([ERROR], [check("absent", text="big error")], 'now no "big error"'),
    "within": ([ERROR], [check("absent", STATUS, text="error")], "no longer checks the page"),
    "very name": ([ALERT], [check("absent", role="alert", name="error", exact=True)], "only exactly that counts"),
    "round": ([ITEMS], [{**ITEMS, "fails": True}], "no longer checks"),
    "unknown": ([of()], [SHOWN], 'no longer has to be named "Cart"'),
    "name": ([of()], [UNNAMED], 'no longer has to be named "Cart"'),
    "part": ([of(BASKET)], [of()], 'no longer has to be in section "Basket"'),
    "item": ([of(PLACED)], [of()], 'no longer has to be in row "Mug"'),
    "its place": ([of(PLACED)], [of({**PLACED, "place": ""})], 'no longer has to be at place 1 of 2'),
    "another number": ([check("count", ROWS, number="2")], [check("count", ROWS, number="3")],
                       "now 3 in all, before 2 in all"),
    "another text": ([ITEMS], [check("text", STATUS, text="3 mugs of mine", exact=True)],
                     'different: now exactly "3 mugs'),
    "more": ([ITEMS], [ITEMS, check("title", text="Cart")], ""),
    "stricter": ([check("text", STATUS, text="2 items in your cart")], [ITEMS], ""),
}  # fmt: skip


@pytest.mark.parametrize("name", FLAGS)
def test_loosened_evidence_is_flagged(name: str) -> None:
    """Each way of proving less is flagged; other changes and stronger evidence are not."""
    old, new, flag = FLAGS[name]
    steps = [RecordedStep.model_validate({**SHOWS, "evidence": each}) for each in (old, new)]
    found = weakened_evidence(*steps)
    assert any(flag in each for each in found) if flag else found == []
