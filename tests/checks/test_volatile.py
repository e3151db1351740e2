"""What of a text may change by itself, and what may not."""

import pytest

from pytest_webtask.checks.volatile import as_pattern, changing_pattern, share_number


@pytest.mark.parametrize("text", ["order A1B2C3 placed", "INV-1042 sent", "id 3f9a7c21 stored"])
def test_generated_ids_may_change(text: str) -> None:
    """Mixed letters and digits, and parts with a hyphen, may change."""
    assert changing_pattern(text, "") is not None


@pytest.mark.parametrize("text", ["2items left", "Jill Carter10", "24products found"])
def test_word_next_to_a_number_may_not_change(text: str) -> None:
    """A count and its word without a blank between them are no id."""
    assert changing_pattern(text, "") is None


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("Order 170 of 2026-11-24", "2026-11-24: order 170", True),
        ("Order 170 of 2026-11-24", "2026-11-24: order 180", False),
        ("2 items of 2026-11-24", "2026-11-24: 2 items", False),
        ("Paid on 24 November 2026 at 10:15", "Payment of 24 November 2026, 10:15", False),
        ("Mug, $12.00, 2026-11-24", "Bowl, $12.00, 2026-11-24", False),
        ("Order 1700", "Order 170", False),
    ],
)
def test_dates_prices_and_counts_are_no_shared_number(one: str, other: str, shared: bool) -> None:
    """Only a whole number that is no date, time, price or count tells that two texts are of one thing."""
    assert share_number(one, other) is shared


@pytest.mark.parametrize(
    ("recorded", "now"),
    [
        ("Placed on Nov. 24, 2026, 10:15 a.m.", "Placed on May 3, 2027, 9:05 p.m."),
        ("Placed on November 24, 2026", "Placed on May 3, 2027"),
        ("Placed on 24 Nov 2026", "Placed on 3 May 2027"),
        ("Placed 2026-11-24 10:15", "Placed 2027-05-03 09:05"),
    ],
)
def test_date_of_another_day_fits_the_pattern(recorded: str, now: str) -> None:
    """A date may be any other that is written in the same way, but no other text."""
    assert as_pattern(recorded, now, "", whole=True)
    assert as_pattern(recorded, now.replace("Placed", "Paid"), "", whole=True) is None
    assert as_pattern(recorded, "Placed never", "", whole=True) is None
