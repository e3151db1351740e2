"""The rules that evidence must meet before a referee is asked, whatever the language.

There is at least one check of the page as it is now, and all checks hold; an absence counts only
beside something present; and each number, quotation and data value of a claim that holds occurs in
what a check expects or in the facts of cited elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.data.phrases import NAME
from pytest_webtask.data.text import dates_in, letters, says, squashed, values_of

_QUOTED = re.compile(
    r'"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«\s?([^»]+?)\s?»|‘([^’]+)’'
    r"|(?<!\w)'((?:[^']|(?<=\w)'(?=\w))+)'(?!\w)"
)
_DATA = re.compile(rf"(?<!\{{)\{{({NAME})\}}")
_NUMBER = re.compile(r"\d+(?:[.,'’\u00a0\u202f]\d+)*")
_GROUPED = re.compile(r"(?<!\d)\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?!\d)")
_HOUR = re.compile(r"(?<![\d:.,])([01]?\d|2[0-3]):[0-5]\d(?!\d)")
_ONE_NUMBER = re.compile(r"\d+(?:[.,'’]\d+)?|\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?:[.,]\d+)?")


def problems(claim: str, results: Sequence[CheckResult], data: Mapping[str, str]) -> list[str]:
    """Return the reasons why evidence cannot prove a claim, one sentence each."""
    return basic_problems(results) or uncited(claim, results, data)


def basic_problems(results: Sequence[CheckResult]) -> list[str]:
    """Return the problems of evidence that do not depend on the conclusion."""
    if not any(each.check.time != "earlier" for each in results):
        now = " now: what an earlier step found is no evidence alone" if results else ""
        return [f"there is no evidence: cite what the page shows{now}"]
    wrong = [each for each in results if not each.holds]
    advice = "A check that fails is no evidence: cite what the page shows instead"
    # A problem has advice of its own.
    return [
        each.explain() if each.problem else f"{each.explain()}. {advice}" for each in wrong
    ] or unanchored(results)


def unanchored(results: Sequence[CheckResult]) -> list[str]:
    """Return the absences if nothing present is cited: they would hold on an empty page, too."""
    present = {
        each.tab
        for each in results
        if each.holds
        and each.check.time != "earlier"
        and not each.negative
        and not each.check.by_eye
    }
    return [
        f"{each.subject} holds on an empty page, too: also cite something that is present in that tab,"
        " such as a heading or the address"
        for each in results
        if each.negative and each.tab not in present and not each.target
    ]


def uncited(claim: str, results: Sequence[CheckResult], data: Mapping[str, str]) -> list[str]:
    """Return the numbers, quotations and data values of a claim that no check or fact has."""
    cited = _Cited.of(results)
    names = [name for name in dict.fromkeys(_DATA.findall(claim)) if name in data]
    rest = _DATA.sub(" ", claim)
    quoted = [match[match.lastindex or 0] for match in _QUOTED.finditer(rest)]
    numbers = {each: each for each in _written_numbers(_QUOTED.sub(" ", rest))}
    wrong = [f"{{{name}}}" for name in names if not cited.has_value(name, data[name])]
    texts = {f'"{each}"': each for each in quoted} | numbers
    wrong += [shown for shown, words in texts.items() if not cited.has(words)]
    problem = "no check expects it, and no fact about a cited element has it; cite the element that shows it"
    return [f"{each} of the claim: {problem}" for each in wrong]


@dataclass(frozen=True)
class _Cited:
    """What checks expect, and what facts about cited elements have: texts, numbers, and patterns."""

    texts: Sequence[str]
    numbers: Set[Decimal]
    patterns: Sequence[str]

    @classmethod
    def of(cls, results: Sequence[CheckResult]) -> _Cited:
        """Return what is cited by checks of the page as it is now, but not by eye."""
        texts: list[str] = []
        patterns: list[str] = []
        for each in results:
            if each.check.time == "earlier" or each.check.by_eye:
                continue
            texts += each.values
            if each.fact:
                texts += each.fact.texts
            if each.check.expects_pattern:
                patterns += each.values
        texts = [*map(squashed, texts)]
        # Any part of an address or pattern counts, and either may escape characters.
        patterns = [text.replace("\\", "").casefold() for text in patterns]
        return cls(texts, {*_numbers_in(texts)}, patterns)

    def has(self, words: str) -> bool:
        """Return whether a text says the words, or a number is the same, however it is written."""
        words = squashed(words)
        plain = letters(words)
        if any(says(text, words, anycase=True) or letters(text) == plain for text in self.texts):
            return True
        if number := _NUMBER.fullmatch(words.strip("$€£¥₹% ")):
            return bool(_values(number[0]) & self.numbers)
        return not words or any(words.casefold() in text for text in self.patterns)

    def has_value(self, name: str, value: str) -> bool:
        """Return whether a value of the data is cited, a day in any form, or its placeholder."""
        is_day = value in dict(dates_in(value)) and all(map(self.has, _written_numbers(value)))
        return is_day or self.has(value) or any(f"{{{name}}}" in text for text in self.texts)


def _written_numbers(text: str) -> Iterator[str]:
    """Yield the numbers in a claim that are written in digits; grouped thousands are one number."""
    for match in _GROUPED.finditer(text):
        yield match[0]
    for written in _NUMBER.findall(_GROUPED.sub(" ", text)):
        if _ONE_NUMBER.fullmatch(written):
            yield written
        else:
            # A date such as 20.03.2026 counts as day, month and year.
            yield from re.findall(r"\d+", written)


def _numbers_in(texts: Sequence[str]) -> Iterator[Decimal]:
    for text in texts:
        for written in _written_numbers(text):
            yield from _values(written)
        for _, days in dates_in(text):
            for day in days:
                yield from (Decimal(part).normalize() for part in (day.year, day.month, day.day))
        # 21:10 is ten past nine as well.
        for hour in _HOUR.findall(text):
            yield from (Decimal(int(hour) % 12 or 12), Decimal(int(hour) % 12 + 12))


def _values(written: str) -> set[Decimal]:
    return {each.normalize() for each in values_of(written)}
