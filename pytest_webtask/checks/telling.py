"""Checks in words that people read: the table under a claim that does not hold."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from pytest_webtask.checks.answers import Answer
from pytest_webtask.records import Checked, Verdict

__all__ = ["named", "table", "told", "unanchored", "unproved"]

_WIDEST = (34, 28, 42)


def unproved(verdict: Verdict, page: str, screenshot: str) -> str:
    """Why a claim did not pass: the reason, the checks, the page."""
    how = "does not hold" if verdict.outcome.value == "failed" else "could not be decided"
    lines = [f'"{verdict.claim}" {how}']
    lines += [f"  {line}" for line in verdict.reason.splitlines()]
    if verdict.evidence:
        lines += ["", *table(verdict.evidence), ""]
    lines.append(f"page: {page}")
    if screenshot:
        lines.append(f"screenshot: {screenshot}")
    lines += [f"by eye: {c.screenshot}" for c in verdict.evidence if c.screenshot]
    return "\n".join(lines)


def named(checked: Checked) -> str:
    """A check by its kind and what it is about."""
    return f"{checked.kind} {'from' if checked.kind == 'absent' else 'of'} {checked.about}"


def table(evidence: Sequence[Checked]) -> list[str]:
    """The checks, one below the other, with what was expected and what is there."""
    rows = [("", "check", "expected", "on the page")]
    for each in evidence:
        mark = "?" if each.problem else "ok" if each.holds else "no"
        where = f" (tab {each.tab})" if len({c.tab for c in evidence}) > 1 else ""
        rows.append(
            (
                mark,
                f"{named(each)}{where}",
                each.expected,
                each.problem or each.actual or "(nothing)",
            )
        )
    widths = [
        min(max(len(row[column + 1]) for row in rows), widest)
        for column, widest in enumerate(_WIDEST)
    ]
    lines = []
    for mark, *cells in rows:
        wrapped = [
            textwrap.wrap(cell, width) or [""] for cell, width in zip(cells, widths, strict=True)
        ]
        for at in range(max(map(len, wrapped))):
            parts = [
                (cell[at] if at < len(cell) else "").ljust(width)
                for cell, width in zip(wrapped, widths, strict=True)
            ]
            lines.append(f"  {mark if at == 0 else '':2} {'  '.join(parts)}".rstrip())
    return lines


def unanchored(answers: Sequence[Answer]) -> list[str]:
    """Checks of what is not there which nothing that is there stands beside.

    Where nothing is, such as on an empty page, nothing is shown either.
    """
    there = {
        a.checked.tab for a in answers if a.holds and not a.negative and a.check.kind != "visual"
    }
    inside = {id(a) for a in answers if a.negative and a.check.kind == "absent" and a.items}
    return [
        f"{named(answer.checked)} holds on an empty page, too: cite beside it something of that tab"
        " that is there, such as the part of the page or its address"
        for answer in answers
        if answer.negative and answer.checked.tab not in there and id(answer) not in inside
    ]


def told(checked: Checked) -> str:
    """What a check expected and what is there, in a line."""
    if checked.problem:
        return f"{named(checked)} could not be asked: {checked.problem}"
    return (
        f"{named(checked)}: expected {checked.expected}, but there is {checked.actual or 'nothing'}"
    )
