"""Numbers that may vary in a text: the pattern for all of them."""

import re

import pytest

from pytest_webtask.checks.varying import Varying


@pytest.mark.parametrize(
    ("recorded", "now", "pattern"),
    [
        ("Total: €9.00", "Total: €27.50", r"Total:\s+€\d+\.\d+"), ("Total: €9", "Total: €27.50", None),
        ("Hello {user}, 2 new", "Hello {user}, 13 new", r"Hello\s+{user},\s+\d+\s+new"),
        ("Room A12", "Room A7", r"Room\s+A\d+"), ("Tag ff54bb", "Tag d674c2", r"Tag\s+[^\W_]*\d[^\W_]*"),
        ("Made of clay", "Made of glass", None),
        ("Saved at 10:42", "Saved at 9:05", r"Saved\s+at\s+\d+:\d+"), ("Done", "Not done", None),
        ("Imported 7 of 7 rows", "Imported 9 of 9 rows", r"Imported\s+(\d+)\s+of\s+\1\s+rows"),
        ("Signed in as demo-user-1", "Signed in as demo-user-2", r"Signed\s+in\s+as\s+demo\-user\-\d+"),
        ("48213", "48217", r"\d+"), ("Order 6", "Order 8", None), ("Order 6-1", "Order 6-2", r"Order\s+6\-\d+"),
        ("€9.00", "€27.50", None), ("{user}", "Bob", None),
    ],
)  # fmt: skip
def test_pattern_accepts_the_form_of_what_differed(
    recorded: str, now: str, pattern: str | None
) -> None:
    """Numbers keep their form and their equality; no word varies, and no number that the sentence names."""
    found = Varying("order 6 is shown", lambda text: text).pattern(recorded, now)
    assert found == pattern
    if pattern and "{user}" not in pattern:
        assert re.fullmatch(pattern, recorded) and re.fullmatch(pattern, now)
