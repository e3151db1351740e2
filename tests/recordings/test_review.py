"""Reviews of recordings: what proves less than before is flagged, and nothing else is."""

from __future__ import annotations

import pytest

from pytest_webtask.recordings.review import weakened_evidence
from pytest_webtask.recordings.schema import RecordedStep
from tests.recordings.made import ADD, BUTTON, ITEMS, SHOWS, STATUS, Line, call, check, target

ROWS = 'get_by_role("row").filter(visible=True)'
NAMED = target(STATUS, role="status", name="Cart", key="Basket")
FLAGS: dict[str, tuple[list[Line], list[Line], str]] = {
    "exact": (
        [ITEMS],
        [check("text", STATUS, text="2 items in your cart")],
        "now a part of the text is enough",
    ),
    "shortened": (
        [ITEMS],
        [check("text", STATUS, text="2 items", exact=True)],
        'now expects "2 items", before "2 items in your cart"',
    ),
    "matches": (
        [check("text", STATUS, text="Order 17")],
        [check("matches", STATUS, pattern=r"Order \d+")],
        'now checks get_by_role("status"): matches',
    ),
    "wider": (
        [check("matches", STATUS, pattern=r"Order \d+ of Ann")],
        [check("matches", STATUS, pattern=r"Order \d+ of .*")],
        'now accepts "Order \\d+ of .*", before "Order \\d+ of Ann"',
    ),
    "wider address": (
        [check("url", pattern="/orders/12")],
        [check("url", pattern="/orders/*")],
        'now accepts "/orders/*", before "/orders/12"',
    ),
    "shorter address": (
        [check("url", pattern="/orders/12")],
        [check("url", pattern="?12")],
        "",
    ),
    "count": (
        [check("count", ROWS, number="2"), ITEMS],
        [ITEMS, check("title", text="Cart")],
        "no longer checks get_by_role",
    ),
    "state": (
        [check("text", STATUS, text="2 items")],
        [check("state", STATUS, state="visible")],
        ": state ",
    ),
    "eye": (
        [check("text", STATUS, text="2 items")],
        [check("visual", STATUS, what="2 items")],
        "now all checks are by eye",
    ),
    "place": (
        [check("text", STATUS, text="2 items")],
        [check("text", 'get_by_role("paragraph").nth(3)', text="2 items")],
        "now found by its position",
    ),
    "order": (
        [check("order", ROWS, texts=["a", "b"], place="all")],
        [check("order", ROWS, texts=["a", "b"])],
        "now others may be on the page too",
    ),
    "fewer": (
        [check("order", ROWS, texts=["a", "b", "c"])],
        [check("order", ROWS, texts=["a", "b"])],
        'now checks the order of 2, before 3 ("c" dropped)',
    ),
    "absent": ([check("absent", text="error")], [check("absent", text="big error")], "only"),
    "within": (
        [check("absent", text="error")],
        [check("absent", STATUS, text="error")],
        "on the whole page",
    ),
    "very name": (
        [check("absent", role="alert", name="error")],
        [check("absent", role="alert", name="error", exact=True)],
        "only exactly that name",
    ),
    "round": ([ITEMS], [{**ITEMS, "fails": True}], "different: now checks not"),
    "signature": (
        [check("text", NAMED, text="2 items")],
        [check("text", STATUS, text="2 items")],
        "now its role, name and surroundings are not compared",
    ),
    "key": (
        [check("text", NAMED, text="2 items")],
        [check("text", target(STATUS, role="status", name="Cart"), text="2 items")],
        'now any container is accepted, before only "Basket"',
    ),
    **{
        part: (
            [check("text", target(STATUS, role="status", **{part: was}), text="2 items")],
            [check("text", target(STATUS, role="status", name="Cart"), text="2 items")],
            f'now any {word} is accepted, before only "Basket"',
        )
        for part, word, was in (
            ("column", "column", "Basket"),
            ("heading", "heading", "Basket"),
            ("around", "surroundings", ("Basket",)),
        )
    },
    "another number": ([check("count", ROWS, number="2")], [check("count", ROWS, number="3")], ""),
    "another text": (
        [ITEMS],
        [check("text", STATUS, text="3 mugs of mine", exact=True)],
        "different: now expects",
    ),
    "more": ([ITEMS], [ITEMS, check("title", text="Cart")], ""),
    "stricter": ([check("text", STATUS, text="2 items in your cart")], [ITEMS], ""),
}


@pytest.mark.parametrize("name", FLAGS)
def test_loosened_evidence_is_flagged(name: str) -> None:
    """Each way of proving less is flagged; other changes and stronger evidence are not."""
    old, new, flag = FLAGS[name]
    steps = [RecordedStep.model_validate({**SHOWS, "evidence": each}) for each in (old, new)]
    found = weakened_evidence(*steps)
    assert any(flag in each for each in found) if flag else found == []


def test_positional_call_is_flagged() -> None:
    """A call whose locator became positional is flagged."""
    other = {**ADD, "calls": [call("hover", BUTTON), call("click", 'get_by_role("button").nth(2)')]}
    found = weakened_evidence(RecordedStep.model_validate(ADD), RecordedStep.model_validate(other))
    assert found == [
        'weaker: now found by its position, get_by_role("button").nth(2), before by '
        f"{BUTTON}: click {BUTTON}",
    ]
