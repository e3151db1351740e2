"""Texts that resemble one that is claimed to be absent."""

from __future__ import annotations

import pytest

from pytest_webtask.checks.text import similar_texts


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        ("delays", "Delayed by 40 minutes"),
        ("Verspätungen", "1 Verspätung"),
        ("Σφάλματα", "σφάλμα 12"),
        ("ошибки", "Ошибка"),
        ("Order placed", "placed today"),
        ("गलतियाँ", "गलतियों"),
        ("re-open", "Opened"),
    ],
)
def test_similar_texts_share_a_stem(wanted: str, line: str) -> None:
    """A line is similar if one of its words begins like a wanted word, in any script and case."""
    assert similar_texts(wanted, [line]) == [line]


@pytest.mark.parametrize(
    ("wanted", "line"),
    [
        ("Mug", "Mugs"),
        ("cart", "car park"),
        ("contract", "continue"),
        ("404", "4040"),
        ("errors", "terrors"),
        ("", "Delayed"),
        ("delays", ""),
    ],
)
def test_similar_texts_leave_out_others(wanted: str, line: str) -> None:
    """Short words, short prefixes, numbers and other stems are not similar."""
    assert similar_texts(wanted, [line]) == []


def test_similar_texts_are_few() -> None:
    """At most five different lines, those first that resemble more words, then shorter ones."""
    lines = [f"delayed {'x' * n}".strip() for n in (9, 3, 0, 5, 1, 7, 3)]
    found = similar_texts("long delays", [*lines, "a delay of longest duration, no less"])
    assert found == ["a delay of longest duration, no less", *sorted(set(lines), key=len)[:4]]
