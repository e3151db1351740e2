"""What of a text may change by itself, and what may not."""

import pytest

from pytest_webtask.checks.volatile import changing_pattern


@pytest.mark.parametrize("text", ["order A1B2C3 placed", "INV-1042 sent", "id 3f9a7c21 stored"])
def test_generated_ids_may_change(text: str) -> None:
    """Letters and digits in turn, or parts with a hyphen."""
    assert changing_pattern(text, "") is not None


@pytest.mark.parametrize("text", ["2items left", "Jill Carter10", "24products found"])
def test_a_word_that_stands_against_a_number_stays(text: str) -> None:
    """Pages leave no blank between a count and its word: neither of them is an id."""
    assert changing_pattern(text, "") is None
