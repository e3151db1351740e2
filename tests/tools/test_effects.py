"""What is compared at the end of a step: entries in fields, and what counts as the same entry."""

from pytest_webtask.tools.effects import is_same_entry

SAME = [
    *(("12.50", "12.5"), ("12.50", "12,50"), ("1,000", "1000"), ("1000", "1.000")),
    *(("1200", "$1,200.00"), (".5", "0.5"), ("5551234567", "555.123.4567")),
    ("5551234567", "(555) 123-4567"),
    ("DE89370400440532013000", "DE89 3704 0044 0532 0130 00"),
    *(("4242 4242 4242 4242", "4242424242424242"), ("1226", "12/26"), ("dana", "DANA")),
    *(("  two  words ", "two words"), ("007", "007"), ("2026-12-31", "12/31/2026")),
    ("31.12.2026", "2026-12-31"),
    ("3/4/2026", "03.04.2026"),
]
OTHER = [
    *(("12.50", "1250"), ("1,5", "15"), ("1.00", "1,50"), ("1.500", "1500"), ("1,000", "1")),
    *(("10", "0.10"), ("500", "99"), ("-5", "5"), ("5", "-5"), ("89", "089"), ("089", "89")),
    *(("5 kg", "5"), ("5%", "5"), ("3/4", "34"), ("12/24", "1224"), ("a+b@x.c", "ab@x.c")),
    *(("Ber", "Bergen"), ("worldwide", "world"), ("New York", "NewYork"), ("f(x)", "f(x))")),
    *(("2026-12-31", "2026-12-30"), ("9:00", "9:00 PM"), ("", "0"), ("", "("), ("x", "")),
    *(("5", "- 5"), ("5", "(5)"), ("03/04/2026", "04/03/2026"), ("2026-12-31", "31.11.2026")),
]


def test_field_that_writes_an_entry_in_its_own_way_holds_it() -> None:
    """Numbers and dates may be written differently; a field may insert separators."""
    assert [pair for pair in SAME if not is_same_entry(*pair)] == []


def test_field_that_holds_more_or_less_does_not_hold_the_entry() -> None:
    """Characters that are missing, or that are more than separators, make another entry."""
    assert [pair for pair in OTHER if is_same_entry(*pair)] == []


def test_editor_may_differ_in_white_space_only() -> None:
    """An editor that closes a bracket has changed the text; one that adds a line has not."""
    assert is_same_entry("one\ntwo", "one\n\ntwo\n", "rich")
    assert not is_same_entry("5551234567", "(555) 123-4567", "rich")


def test_field_of_numbers_holds_the_number() -> None:
    """A field of numbers may keep a zero in front, and holds nothing else for what is no number."""
    assert is_same_entry("89", "089", "number")
    assert not is_same_entry("abc", "", "number")
    assert not is_same_entry("", "0", "number")
