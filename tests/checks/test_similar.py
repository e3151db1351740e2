"""Texts that resemble one that is claimed to be absent."""

from pytest_webtask.data.text import similar_texts

SIMILAR = [
    ("delays", "Delayed by 40 minutes"), ("Verspätungen", "1 Verspätung"), ("ошибки", "Ошибка"),
    ("Σφάλματα", "σφάλμα 12"), ("Order placed", "placed today"), ("गलतियाँ", "गलतियों"),
    ("re-open", "Opened"),
]  # fmt: skip
OTHERS = [
    ("Mug", "Mugs"), ("cart", "car park"), ("contract", "continue"), ("404", "4040"),
    ("errors", "terrors"), ("", "Delayed"), ("delays", ""),
]  # fmt: skip


def test_similar_texts_share_a_stem() -> None:
    """A line is similar if a word of it begins like a wanted one, in any script; short ones and numbers are not."""
    for wanted, line in SIMILAR:
        assert similar_texts(wanted, [line]) == [line]
    for wanted, line in OTHERS:
        assert similar_texts(wanted, [line]) == []


def test_similar_texts_are_few() -> None:
    """At most five different lines, the shortest first."""
    lines = [f"delayed {'x' * n}".strip() for n in (9, 3, 0, 5, 1, 7, 3)]
    found = similar_texts("long delays", [*lines, "a delay of longest duration, no less"])
    assert found == sorted(set(lines), key=len)[:5]
