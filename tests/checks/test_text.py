"""Whole words: what a text says, in several scripts, and what it only seems to say."""

from __future__ import annotations

import re

import pytest

from pytest_webtask.data.text import says, squashed, whole_words

CONTAINED = [
    ("2 items in the cart", "2 items"), ("2  items\nin", "2 items"), ("2\u00a0items", "2 items"),
    ("Saved.", "Saved"), ("(Saved)", "Saved"), ("Saved!", "Saved"), ("Mug, Plate", "Mug"),
    ("Mug’s", "Mug"), ("Total: €41.00", "€41.00"), ("Total: €41.00.", "€41.00"),
    ("Total: €41.00, paid", "€41.00"), ("41,00 €", "41,00 €"), ("−5 °C", "−5 °C"),
    ("- 5 items", "5 items"), ("Mug – 5", "5"), ("5-pack", "5"), ("Mug ×2", "2"), ("2×", "2"),
    ("12 ÷ 4", "4"), ("Straße 5", "Straße"), ("Grüße aus Köln", "Köln"), ("Привет, мир", "мир"),
    ("Καλημέρα κόσμε", "κόσμε"), ("שלום עולם", "עולם"), ("مرحبا بالعالم", "مرحبا"), ("中文字", "中文字"),
    ("購物車有2件商品", "購物車"), ("カートに商品", "カート"), ("don’t panic", "don't panic"),
    ("don't panic", "don’t panic"), ("cafe\u0301", "caf\u00e9"), ("Sav\u00aded", "Saved"),
    ("a+b=c", "a+b=c"), ("C++ and C#", "C++"), ("[x] done", "[x]"), ("100 %", "100 %"),
    ("#7", "#7"), ("a/b", "b"), ("Total: €1,234.50", "€1,234.50"), ("Total: €1,234.50", "1,234.50"),
    ("12 items", "12"), ("12 items.", "12 items"), ("2× Mug", "2"), ("12:30", "12:30"),
    ("page 2 of 5", "2"), ("page 2 / 5", "2"), ("#1047", "1047"), ("50% off", "50%"),
    ("Mug Set", "Mug"), ("ПРИВЕТ мир", "мир"), ("שלום עולם", "שלום"), ("Saved", "Saved"),
    ("a+b (c) [d] $5 ^x", "a+b (c) [d] $5 ^x"),
    ("C:\\temp\\new", "C:\\temp\\new"),
]  # fmt: skip
UNSAID = [
    ("12 items", "2 items"), ("2 items", "2 item"), ("22", "2"), ("2.5 kg", "2"), ("2,5 kg", "5"),
    ("1,234", "234"), ("1,234", "1"), ("1.234,50", "234,50"), ("-5", "5"), ("−5", "5"),
    ("(-5)", "5"), ("-€5", "€5"), ("-€5", "5"), ("€-5", "5"), ("12:30", "12"), ("12:30", "30"),
    ("2026-12-01", "12"), ("01.12.2026", "12"), ("3/4", "3"), ("1’234", "234"),
    ("1\u202f234", "234"), ("Mugs", "Mug"), ("Smug", "mug"), ("unpaid", "paid"), ("Straße", "Stra"),
    ("Ärger", "rger"), ("Привет", "При"), ("Καλημέρα", "Καλη"), ("foo_bar", "foo"), ("x2", "2"),
    ("2nd", "2"), ("Saved", "saved"), ("", "Saved"), ("Total: €1,234.50", "1,234"),
    ("Total: €1,234.50", "234.50"), ("Total: €1,234.50", "€1"), ("Total: €41.00", "41"),
    ("Total: €41.00", "41.0"), ("Total: 1 234,50 €", "234,50"), ("Total: 1’234.50", "234.50"),
    ("12 items", "2"), ("−3 items", "3 items"), ("-3 items", "3"), ("-$6", "$6"), ("-$6", "6"),
    ("$-7", "7"), ("(-8)", "8"), ("v1.2.3", "1.2"), ("#1047", "047"), ("unavailable", "available"),
    ("café", "caf"), ("Ömer", "mer"), ("ПРИВЕТ мир", "ми"),
]  # fmt: skip


def test_says_finds_whole_words_and_numbers_only() -> None:
    """A text says words that it contains as a whole; a part of a word, number, date or amount it does not."""
    assert [each for each in CONTAINED if not says(*each)] == []
    assert [each for each in UNSAID if says(*each)] == []


def test_anycase_ignores_case_in_any_script() -> None:
    """With anycase, capitals do not matter in any script."""
    assert says("SAVED", "saved", anycase=True)
    assert says("ПРИВЕТ", "привет", anycase=True)
    assert not says("SAVED", "saved")


def test_whole_words_matches_the_whole_text() -> None:
    """With whole, only the complete text matches, white space aside."""
    assert whole_words("2 items", whole=True).search("  2   items ")
    assert not whole_words("2 items", whole=True).search("2 items left")
    assert not whole_words("2 items", whole=True).search("12 items")


def test_slash_matches_a_line_break() -> None:
    """A slash between spaces matches a line break and a slash."""
    assert whole_words("Mug / 2").search("Mug\n2")
    assert whole_words("Mug / 2").search("Mug / 2")
    assert not whole_words("Mug / 2").search("Mug, 2")


@pytest.mark.parametrize("text", ["$5", "a.b", "(x)", "a|b", "[0-9]", "\\d", "^", "5*", "?", "{2}"])
def test_special_characters_match_themselves(text: str) -> None:
    """Characters with a meaning in patterns are taken literally."""
    assert says(f"so {text} so", text)
    assert not says("so 5 ab so", text)


def test_squashed_drops_invisible_characters() -> None:
    """White space is folded, and invisible characters are dropped."""
    assert squashed(" a\u200b \n\tb\u00ad ") == "a b"


def test_patterns_mean_the_same_in_python_and_javascript() -> None:
    """Patterns contain nothing that JavaScript lacks or reads otherwise."""
    for words in ("Saved", "2 items", "€5", "-5", "Mug / 2", "中文", "Straße"):
        pattern = whole_words(words).pattern
        assert not re.search(r"\(\?P|\(\?i|\\A|\\Z|\\h|\(\?#|\(\?>", pattern)
