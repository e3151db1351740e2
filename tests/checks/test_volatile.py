"""What of a text may change by itself, and what may not."""

import pytest

from pytest_webtask.checks.volatile import changing_pattern


@pytest.mark.parametrize("text", ["order A1B2C3 placed", "INV-1042 sent", "id 3f9a7c21 stored"])
def test_generated_ids_may_change(text: str) -> None:
    """Mixed letters and digits, and parts with a hyphen, may change."""
    assert changing_pattern(text, "") is not None


@pytest.mark.parametrize("text", ["2items left", "Jill Carter10", "24products found"])
def test_word_next_to_a_number_may_not_change(text: str) -> None:
    """A count and its word without a blank between them are no id."""
    assert changing_pattern(text, "") is None
