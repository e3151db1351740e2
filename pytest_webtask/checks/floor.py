"""The rules that evidence must meet before a referee is asked, whatever the language.

There is at least one check of the page as it is now, and all checks hold; an absence counts only
beside something present; and each number, quotation and data value of a claim that holds occurs in
what a check expects or in the facts of cited elements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from itertools import product

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.data.text import amounts_in, dates_in, letters, says, squashed, values_of

_QUOTED = re.compile(
    r'"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«\s?([^»]+?)\s?»|‘([^’]+)’'
    r"|(?<!\w)'((?:[^']|(?<=\w)'(?=\w))+)'(?!\w)"
)
_DATA = re.compile(r"(?<!\{)\{([^\W\d]\w*)\}")
_NUMBER = re.compile(r"\d+(?:[.,'’\u00a0\u202f]\d+)*")
_GROUPED = re.compile(r"(?<!\d)\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?!\d)")
_HOUR = re.compile(r"(?<![\d:.,])([01]?\d|2[0-3]):[0-5]\d(?!\d)")
_ONE_NUMBER = re.compile(r"\d+(?:[.,'’]\d+)?|\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?:[.,]\d+)?")


def problems(claim: str, results: Sequence[CheckResult], data: Mapping[str, str]) -> list[str]:
    """Return the reasons why evidence cannot prove a claim, one sentence each."""
    return basic_problems(results) or uncited(claim, results, data)


def basic_problems(results: Sequence[CheckResult]) -> list[str]:
    """Return the problems of evidence that do not depend on the conclusion."""
    if not any(each.check.of_now for each in results):
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
        if each.holds and each.check.of_now and not each.negative and not each.check.by_eye
    }
    return [
        f"{each.subject} holds on an empty page, too: also cite something that is present in that tab,"
        " such as a heading or the address"
        for each in results
        if each.negative
        and each.tab not in present
        and not (each.check.searches_target and each.target)
    ]


def uncited(claim: str, results: Sequence[CheckResult], data: Mapping[str, str]) -> list[str]:
    """Return the numbers, quotations and data values of a claim that no check or fact has."""
    cited = [each for each in results if each.check.of_now and not each.check.by_eye]
    texts = [
        squashed(text)
        for each in cited
        for text in (*each.values, *(each.fact.texts if each.fact else ()))
    ]
    # Any part of an address or pattern counts, and either may escape characters.
    patterns = [text for each in cited if each.check.expects_pattern for text in each.values]
    numbers = set(_numbers_in(texts)) | _derived(results)
    problem = "no check expects it, and no fact about a cited element has it; cite the element that shows it"
    wrong = []
    for name in dict.fromkeys(_DATA.findall(claim)):
        if (
            name in data
            and not _stands(data[name], texts, numbers, patterns)
            and not _stand_apart(data[name], texts)
            and not any(f"{{{name}}}" in text for text in texts)
        ):
            wrong.append(f"{{{name}}} of the claim: {problem}")
    rest = _DATA.sub(" ", claim)
    for match in _QUOTED.finditer(rest):
        quotation = next(filter(None, match.groups()))
        if not _stands(quotation, texts, numbers, patterns):
            wrong.append(f'"{quotation}" of the claim: {problem}')
    for written in _written_numbers(_QUOTED.sub(" ", rest)):
        if not _values(written) & numbers:
            wrong.append(
                f"{written} of the claim: {problem}; for the difference or sum of two numbers on the"
                " page, compare the two elements"
            )
    return wrong


def _derived(results: Sequence[CheckResult]) -> set[Decimal]:
    """Return the difference and the sum of the numbers of each two compared elements."""
    derived: set[Decimal] = set()
    for fact in (each.fact for each in results if each.holds):
        if fact is None or fact.other is None:
            continue
        for one, two in product(_signed(fact.text), _signed(fact.other.text)):
            derived |= {abs(one - two).normalize(), abs(one + two).normalize()}
    return derived


def _signed(text: str) -> set[Decimal]:
    numbers = amounts_in(text)
    return {max(numbers[0].values)} if len(numbers) == 1 else set()


def _stands(
    value: str, texts: Sequence[str], numbers: set[Decimal], patterns: Sequence[str]
) -> bool:
    value = squashed(value)
    if not value:
        return True
    if any(says(text, value, anycase=True) or letters(text) == letters(value) for text in texts):
        return True
    if any(value.casefold() in text.replace("\\", "").casefold() for text in patterns):
        return not value.isdigit()
    whole = _NUMBER.fullmatch(value.strip("$€£¥₹% "))
    return bool(whole and _values(whole[0]) & numbers)


def _stand_apart(value: str, texts: Sequence[str]) -> bool:
    """Return whether each part of a value that lists several is a whole text, as of several badges."""
    parts = [letters(each) for each in re.split(r"[,;]\s+", value)]
    return len(parts) == len({*parts}) > 1 and {*parts} <= {*map(letters, texts)}


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
        yield from (Decimal(int(hour) % 12 or 12) for hour in _HOUR.findall(text))
        yield from (Decimal(int(hour) % 12 + 12) for hour in _HOUR.findall(text))


def _values(written: str) -> set[Decimal]:
    try:
        return {each.normalize() for each in values_of(written)}
    except InvalidOperation:
        return set()
