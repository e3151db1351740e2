"""Text matching for checks: whole words, numbers, dates, and texts that resemble an absent one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

_LETTER = (
    "[0-9A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u0dff\u10a0-\u10ff\u1200-\u1fff]"
)
"""Letters of scripts with spaces between words, for both Python and JavaScript."""
_SIGN = (
    f"[^{_LETTER[1:-1]}\u00aa\u00b5\u00ba\u0250-\u036f\u0e00-\u0eff\u1000-\u10ff\u2c00-\u2dff\u2e80-\u2fdf"
    "\u3005-\u3007\u3021-\u3029\u3031-\ud7ff\uf900-\ufdff\ufe70-\ufefe\uff10-\uff19\uff21-\uff3a"
    "\uff41-\uff5a\uff66-\uffdc]"
)
"""What is neither a letter nor a digit of any script."""
_CURRENCY = "[$€£¥₹]"
_ALPHA = _LETTER.replace("0-9", "")
_HYPHENS = "-\u2010\u2011"
_DASH = "[-\u2010-\u2015−]"
_BLANK = "[ \u00a0\u202f\u2009]"
_PRICE = rf"(?:{_CURRENCY}\s?)?\d"
_JOINS = (
    # "item" is no part of "items", "2" none of "12", and "ann.com" none of "joe@ann.com".
    (_LETTER, f"(?<!{_LETTER})(?<!{_LETTER}@)", f"(?!@?{_LETTER})"),
    # A name goes on at a hyphen and a full stop: "Active" is not "In-Active", "ann.pdf" not "ann.pdf.exe", "v1.2"
    # not "v1.2-beta". It ends at an apostrophe ("Ann's"), a slash ("Mug/Cup"), and at a mark before a blank. A
    # number and a word stand for themselves: "5" in "5-pack", "1047" in "ORD-1047", "Cart" in "2.Cart".
    (_ALPHA, f"(?<!{_ALPHA}[{_HYPHENS}.])", ""),
    (rf"{_ALPHA}(?:\S*{_LETTER})?", "", f"(?![{_HYPHENS}.]{_LETTER})"),
    # "99" is less than "99+", and "C" is neither "C++" nor "C#".
    (_LETTER, "", f"(?![+#](?!{_LETTER}))"),
    # "5" is no part of "5.20", "5:30", "3/5", "2026-03-05" and "5–10".
    (_PRICE, rf"(?<!\d[/:.,'’])(?<!\d{_DASH})", rf"(?![/:.,'’]\d|{_DASH}{_CURRENCY}?\d)"),
    # A sign belongs to its number, but for the dash in "Mug - 5".
    (_PRICE, rf"(?<!^[-−])(?<![\s(][-−])(?<!{_CURRENCY}[-−])(?<!{_CURRENCY}\s[-−])", ""),
    (r"\d", rf"(?<!{_DASH}{_CURRENCY})", ""),
    # A blank may separate thousands.
    (r"(?:[$€£¥₹]\s?)?\d{3}(?!\d)", rf"(?<!\d{_BLANK})", ""),
    (r"(?<!\d)\d{1,3}", "", rf"(?!{_BLANK}\d{{3}}(?!\d))"),
)
"""What joins a word, for Python and JavaScript: by how a text begins or ends, what is not before and behind it."""
WORD_BEGINS = rf"(?:(?!{_LETTER})|(?<=%[\dA-F]{{2}})|{_JOINS[0][1]}(?:(?=\d)|{_JOINS[1][1]}))"
WORD_ENDS = f"(?:(?<!{_LETTER})|{_JOINS[0][2]}{_JOINS[2][2]})"
"""Patterns of where a word begins and ends in an address, whose slashes, colons and commas join nothing."""
_SEAM = "\u2060"
"""The mark of `facts.js` between two elements on one line without a blank; outlines show a blank."""

_SLASH = "\ufdd0"
_SAME = str.maketrans("\u2018\u2019\u2010\u2011", "''--")


def well_formed(text: str) -> str:
    """Return a text of a page without halves of surrogate pairs, which UTF-8 cannot encode."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def squashed(text: str) -> str:
    """Return a text as it is compared: without what is not drawn, and with one kind of blank, hyphen and apostrophe."""
    text = unicodedata.normalize("NFC", well_formed(text)).translate(_SAME)
    return " ".join(re.sub(f"[\u200b\u00ad{_SEAM}\ue000-\uf8ff]", "", text).split())


def whole_words(
    text: str, *, whole: bool = False, anycase: bool = False, loose: bool = False
) -> re.Pattern[str]:
    """Return a pattern for a text in whole words; with `whole`, for exactly the text.

    It matches neither parts of numbers nor numbers with another sign. The line breaks and
    separators of outlines, " / ", " ⏎ " and " · ", match any white space. The pattern is valid in
    Python and JavaScript. With `loose`, each blank is a group that may be empty.
    """
    words = squashed(text)
    pattern = ""
    for word in re.split(r"( [/·⏎] | )", words):
        if word[:1] != " ":
            pattern += escape(word)
            continue
        mark = rf"\s*{escape(word.strip())}\s*|" if word.strip() else ""
        pattern += rf"({mark}\s*)" if loose else rf"(?:{mark}\s+)" if mark else r"\s+"
    pattern = pattern.replace(r"\'", "['\u2019]").replace(r"\-", f"[{_HYPHENS}]")
    before, after = (r"^\s*", r"\s*$") if whole else _bounds(words)
    return re.compile(before + pattern + after, re.IGNORECASE if anycase else 0)


_UNDENIED = (
    rf"(?:(?!(?<!{_LETTER})(?:no(?!\.)|not|\w+n['\u2019]t|never|without|nicht|keine?[mnrs]?|nie|niemals|ohne|ne|pas|non|sans"
    rf"|jamais|nunca|sin)(?!{_LETTER})).)*"
)


def part_pattern(text: str) -> str:
    """Return a pattern for names of which a text is a part, in any case, and no negation is among the rest."""
    part = f"(?:{whole_words(text, anycase=True).pattern})"
    return f"^(?=.*{part}){_UNDENIED}{part}{_UNDENIED}$"


def escape(text: str) -> str:
    """Return a pattern for a text that Playwright's selectors take unharmed, too."""
    return re.sub("""(['"`/])""", r"\\\1", re.escape(text))


def decorated(name: str, *, badge: bool = False) -> str:
    """Return a pattern, in any case, for a name with signs and a count in parentheses around it: "Email *", "Inbox (3)".

    With `badge`, a number follows the name instead: "Inbox 3". It is for Python and JavaScript.
    """
    words = whole_words(name).pattern
    count = rf"(?:\(\d+\+?\){_SIGN}*)?"
    end = rf"{_SIGN}*{count}"
    if badge:
        # A badge may adjoin the name.
        words = words.removesuffix(_bounds(squashed(name))[1])
        end = r"\s*\(?\d[\d.,]*\+?\)?\s*"
    return f"^{_SIGN}*{count}{words}{end}$"


# It takes twenty milliseconds.
_compiled = lru_cache(maxsize=512)(lambda pattern: re.compile(pattern, re.IGNORECASE))


def uncounted(name: str) -> str:
    """Return a name without a count in parentheses at its end: "Inbox" for "Inbox (3)"."""
    return re.sub(r"(?<=\S)\s*\(\d+\+?\)$", "", squashed(name))


def is_called(name: str, text: str) -> bool:
    """Tell whether a text is a name, apart from white space, capitals, signs and a count."""
    if (text := squashed(text)) == squashed(name):
        return bool(text)
    own, shown = (re.sub(r"[/·⏎]", "", letters(each)) for each in (name, text))
    return bool(squashed(name) and own in shown and _compiled(decorated(name)).search(text))


def line_pattern(text: str) -> str:
    """Return a JavaScript pattern for a text as whole words in one line."""
    pattern = whole_words(squashed(text).replace(" / ", f" {_SLASH} ")).pattern
    return pattern.replace(r"\s+", r"[^\S\n]+").replace(_SLASH, "/")


def _bounds(words: str) -> tuple[str, str]:
    """Return the patterns before and behind words that are not parts of a longer word or number."""
    before = (begin for edge, begin, _ in _JOINS if re.match(edge, words))
    after = (end for edge, _, end in _JOINS if re.search(f"(?:{edge})$", words))
    return "".join(before), "".join(after)


def says(text: str, words: str, *, whole: bool = False, anycase: bool = False) -> bool:
    """Return whether a text contains the words; blanks between elements are optional."""
    return _match_words(text, words, whole=whole, anycase=anycase) is not None


def as_written(words: str, text: str, template: str) -> str:
    """Return the template of words, which may have placeholders for values, with blanks as they are in a text."""
    match = _match_words(text, words) or _match_words(text, words, anycase=True)
    parts = re.split(r" [/·] | ", " ".join(template.split()))
    if match is None or len(parts) != len(match.groups()) + 1:
        return template
    blanks = [f" {blank.strip()} ".replace("  ", " ") if blank else "" for blank in match.groups()]
    return "".join(f"{part}{blank}" for part, blank in zip(parts, [*blanks, ""], strict=True))


def in_outline(text: str, outline: str) -> bool:
    """Return whether an outline shows a text, ignoring case and the outline's own blanks and marks."""
    letters = "".join(squashed(text).split())
    before, after = _bounds(squashed(text))
    pattern = before + r"[\s*`·/⏎]*".join(map(re.escape, letters)) + after
    return bool(re.search(pattern, squashed(outline), re.IGNORECASE))


def _match_words(
    text: str, words: str, *, whole: bool = False, anycase: bool = False
) -> re.Match[str] | None:
    """Return the match of words in a text; groups for blanks are empty where elements adjoin."""
    text = re.sub(rf"[\s{_SEAM}]*\s[\s{_SEAM}]*", " ", text).strip(f" {_SEAM}")
    seams, plain = set(), ""
    for piece in re.split(f"{_SEAM}+", text):
        seams.add(len(plain))
        # Keep the outer blanks of the text between seams.
        plain += squashed(f"x{piece}x")[1:-1]
    for match in whole_words(words, whole=whole, anycase=anycase, loose=True).finditer(plain):
        blanks = range(1, len(match.groups()) + 1)
        if all(match[each] or match.start(each) in seams for each in blanks):
            return match
    return None


def letters(text: str) -> str:
    """Return a text in lower case with blanks only between digits, to search for texts."""
    text = squashed(re.sub(" [/·] ", " ", text)).casefold()
    return re.sub(r"(?<!\d) | (?!\d)", "", text)


# Numbers and dates

_CURRENCIES = "€ $ £ ¥ ₹ eur euro euros usd dollar dollars gbp pound pounds jpy yen chf inr".split()
_UNIT = "|".join(sorted(map(re.escape, _CURRENCIES), key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?<![\w.,])(?<![^\W\d]-)(?P<minus>[-−])?(?P<before>(?:{_UNIT})\s?)?(?P<inner>[-−])?"
    rf"(?P<digits>\d{{1,3}}(?:[ \u00a0\u202f\u2009]\d{{3}})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,’']\d+)*)"
    rf"(?:\s?%|\s?(?P<after>{_UNIT})(?!\w))?(?!\w|[.,]\d)",
    re.IGNORECASE,
)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = r"(?P<m>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DATES = (
    re.compile(r"(?<!\d)(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?!\d)"),
    re.compile(r"(?<!\d)(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})(?!\d)"),
    re.compile(r"(?<!\d)(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4})(?!\d)"),
    re.compile(rf"(?<!\d)(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.?\s+{_MONTH},?\s+(?P<y>\d{{4}})", re.I),
    re.compile(rf"{_MONTH}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y>\d{{4}})", re.I),
)


@dataclass(frozen=True)
class Number:
    """A number in a text, and its possible values."""

    text: str
    values: frozenset[Decimal]


def values_of(digits: str) -> frozenset[Decimal]:
    """Return the possible values of digits: `1,234` is 1234 or 1.234."""
    plain = re.sub("[’' \u00a0\u202f\u2009]", "", digits)
    last = max(plain.rfind("."), plain.rfind(","))
    if last < 0:
        return frozenset({Decimal(plain)})
    whole, part = re.sub("[.,]", "", plain[:last]), plain[last + 1 :]
    both = {Decimal(f"{whole}.{part}")}
    several = plain.count(plain[last]) > 1
    if len(part) == 3:
        # A single separator before three digits may be a decimal point or separate thousands.
        thousands = Decimal(whole + part)
        both = {thousands} if several else both | {thousands}
    return frozenset(both)


def numbers_in(text: str) -> list[Number]:
    """Return the numbers in a text that are written in digits."""
    numbers = []
    for match in _NUMBER.finditer(text):
        sign = -1 if match["minus"] or match["inner"] else 1
        readings = values_of(match["digits"])
        if match["before"] or match["after"]:
            # No price has three decimals.
            readings = frozenset({max(readings)})
        values = frozenset(sign * value for value in readings)
        numbers.append(Number(match[0].strip(), values))
    return numbers


_QUOTED = re.compile(r"""["“„«]([^"“”„»«]+)["”“»]|(?<!\w)['‘]([^'‘’]+)['’](?!\w)""")


def named_by(sentence: str, values: Mapping[str, str | None]) -> list[str]:
    """Return what a sentence names: the values of its placeholders, and what stands in quotation marks."""
    used = [value for name, value in values.items() if value and f"{{{name}}}" in sentence]
    quoted = [match[1] or match[2] for match in _QUOTED.finditer(sentence)]
    return [*dict.fromkeys((*used, *(each for each in quoted if "{" not in each)))]


def dates_in(text: str) -> list[tuple[str, frozenset[date]]]:
    """Return the dates in a text, each with its possible days: 03/04/2026 has two."""
    dates: list[tuple[str, frozenset[date]]] = []
    for pattern in _DATES:
        for match in pattern.finditer(text):
            if days := _days_of(match):
                dates.append((match[0], days))
                # No other notation may begin within it.
                text = text.replace(match[0], " " * len(match[0]))
    return dates


def _days_of(match: re.Match[str]) -> frozenset[date]:
    month, day, year = match["m"], int(match["d"]), int(match["y"])
    number = int(month) if month.isdigit() else _MONTHS.index(month.lower()[:3]) + 1
    orders = {(number, day), (day, number)} if "/" in match[0] else {(number, day)}
    days = set()
    for of_month, of_day in orders:
        with suppress(ValueError):
            days.add(date(year, of_month, of_day))
    return frozenset(days)


def amounts_in(text: str) -> list[Number]:
    """Return the numbers in a text, without those in dates, times and fractions."""
    for written, _ in dates_in(text):
        text = text.replace(written, " ")
    return numbers_in(re.sub(r"(?<!\d)\d+(?:[:/]\d+)+", " ", text))


_MOST = 5
_STEM = 5


def similar_texts(absent: str, lines: Sequence[str]) -> list[str]:
    """Return at most five lines with a word that begins like a word of the absent text, the shortest first.

    The first five letters must be the same, or all four of a word: "Delayed" for "delays".
    """
    stems = tuple(word[:_STEM] for word in _words(absent) if len(word) >= _STEM - 1)
    alike = [
        line
        for line in map(squashed, lines)
        if any(word.startswith(stems) for word in _words(line))
    ]
    return sorted(dict.fromkeys(alike), key=len)[:_MOST]


def longer_words(absent: str, lines: Sequence[str]) -> list[str]:
    """Return the longer words, in lower case, that begin with a text, such as "errors" with "error"."""
    text = squashed(absent).casefold()
    if not text[-1:].isalpha():
        return []
    begins = re.compile(rf"(?<!\w){re.escape(text)}[^\W\d_]+")
    return sorted({form for line in lines for form in begins.findall(squashed(line).casefold())})


def _words(text: str) -> set[str]:
    # A pattern of letters would split words of scripts that write vowels as marks.
    letters = (c if unicodedata.category(c)[0] in "LM" else " " for c in squashed(text).casefold())
    return set("".join(letters).split())


def leaves(value: Any) -> Iterator[Any]:
    """Yield the texts, numbers and other single values in a JSON-like value, but not the keys."""
    parts = value.values() if isinstance(value, Mapping) else value
    if isinstance(value, (Mapping, list, tuple)):
        for each in parts:
            yield from leaves(each)
    else:
        yield value
