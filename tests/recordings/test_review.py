"""Reviews of recordings: what proves less than before is flagged, and nothing else is."""

from typing import Any

import pytest

from pytest_webtask.journal.schema import RecordedStep
from pytest_webtask.recordings.review import weakened_evidence
from tests.recordings.made import ITEMS, SHOWS, STATUS, Line, check, target

ROWS = 'get_by_role("row").filter(visible=True)'
BASKET = {"kind": "section", "name": "Basket"}
PLACED = {"kind": "row", "name": "Mug", "place": "1 of 2"}
SHOWN = check("text", STATUS, text="2 items")
ORDER = check("matches", STATUS, pattern=r"Order \d+ of Ann")
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
    "wider": ([ORDER], [check("matches", STATUS, pattern=r"Order \d+ of .*")],
              'now fits Order \\d+ of .*, before fits Order \\d+ of Ann'),
    "state": ([SHOWN], [check("state", STATUS, state="visible")], "no longer checks"),
    "place": ([SHOWN], [check("text", 'get_by_role("paragraph").nth(3)', text="2 items")],
              'now of get_by_role("paragraph").nth(3), before of get_by_role("status")'),
    "order": ([in_order("a", "b", place="all")], [in_order("a", "b")], "now a part is enough"),
    "absent": ([ERROR], [check("absent", text="big error")], 'now no "big error"'),
    "within": ([ERROR], [check("absent", STATUS, text="error")], "before of the page"),
    "very name": ([ALERT], [{**ALERT, "check": {**ALERT["check"], "exact": True}}], "only exactly that counts"),
    "round": ([ITEMS], [{**ITEMS, "fails": True}], "no longer checks"),
    "part": ([of(BASKET)], [of()], 'before of status "Cart" in section "Basket"'),
    "its place": ([of(PLACED)], [of({**PLACED, "place": ""})], 'in row "Mug", before of status "Cart" in row "Mug" no. 1 of 2'),
    "before": ([SHOWN], [{**SHOWN, "held_before": True}], "may now have been so before the step"),
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
    found = [*weakened_evidence(*steps)]
    assert any(flag in each for each in found) if flag else found == []
