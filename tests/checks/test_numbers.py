"""Numbers, amounts and dates as people write them, by what they mean."""

from datetime import date
from decimal import Decimal

from pytest_webtask.data.text import dates_in, numbers_in, values_of

D = Decimal


def readings(text: str) -> list[set[Decimal]]:
    """The numbers of a text: what each may be."""
    return [set(n.values) for n in numbers_in(text)]


NUMBERS: list[tuple[str, list[set[str]]]] = [
    ("5", [{"5"}]), ("007", [{"7"}]), ("12.5", [{"12.5"}]),
    ("12,5", [{"12.5"}]), ("0,50", [{"0.5"}]), ("1,234.50", [{"1234.5"}]),
    ("1.234,50", [{"1234.5"}]), ("1,234", [{"1234", "1.234"}]),
    ("1.234", [{"1234", "1.234"}]), ("1,234,567", [{"1234567"}]),
    ("1.234.567", [{"1234567"}]), ("1’234.50", [{"1234.5"}]),
    ("1'234", [{"1234"}]), ("1\u202f234,50", [{"1234.5"}]),
    ("1\u00a0234,50", [{"1234.5"}]), ("-5", [{"-5"}]), ("−5", [{"-5"}]),
    ("-€5", [{"-5"}]), ("€-5", [{"-5"}]), ("€5", [{"5"}]),
    ("5 €", [{"5"}]), ("EUR 5", [{"5"}]), ("5 EUR", [{"5"}]),
    ("5 euros", [{"5"}]), ("$1,299.00", [{"1299"}]), ("£3", [{"3"}]),
    ("10%", [{"10"}]), ("10 %", [{"10"}]), ("2 of 5", [{"2"}, {"5"}]),
    ("#7", [{"7"}]), ("5.", [{"5"}]), ("Mug – 5", [{"5"}]),
    ("Mug - 5", [{"5"}]), ("5, 6", [{"5"}, {"6"}]), ("v1", []), ("x2", []),
    ("3rd", []), ("A4", []), ("none", []), ("two items", []), ("Twelve", []), ("a dozen", []),
    ("zwei", []),
]  # fmt: skip


def test_numbers_in_reads_both_conventions() -> None:
    """A number that fits both conventions of separators has two readings; words and their parts are none."""
    wanted = {text: [{*map(D, values)} for values in found] for text, found in NUMBERS}
    assert {text: readings(text) for text in wanted} == wanted


def test_numbers_in_reads_no_negative_end_of_a_range_and_no_version() -> None:
    """The second number of 10-12 is positive, and a version is no number of groups."""
    assert D(-12) not in set().union(*readings("10-12"))
    assert all(D("1.2") not in values for values in readings("1.2.3"))


def test_values_of_reads_ambiguous_separator() -> None:
    """One separator before three digits has two readings; two kinds of separators have one."""
    assert values_of("1,500") == {D(1500), D("1.5")}
    assert values_of("1,50") == {D("1.5")}
    assert values_of("1,500.00") == {D(1500)}


DAY = date(2026, 3, 4)
DATES: list[tuple[str, set[date]]] = [
    ("2026-03-04", {DAY}), ("04.03.2026", {DAY}), ("4.3.2026", {DAY}), ("4 March 2026", {DAY}),
    ("4th March 2026", {DAY}), ("March 4, 2026", {DAY}), ("Mar 4 2026", {DAY}),
    ("Wed, 4 Mar 2026, 10:00", {DAY}), ("03/04/2026", {DAY, date(2026, 4, 3)}),
    ("13/03/2026", {date(2026, 3, 13)}), ("03/13/2026", {date(2026, 3, 13)}),
]  # fmt: skip


def test_dates_in_reads_all_notations() -> None:
    """A day is the same in every notation; an ambiguous one has two readings, an impossible one none."""
    for text, expected in DATES:
        [(written, days)] = dates_in(text)
        assert days == expected, text
        assert dates_in(written) == [(written, days)]
    for text in ("31.02.2026", "2026-13-01", "1.2.3", "12:30", "4 apples 2026", "99/99/2026"):
        assert dates_in(text) == [], text
