"""Messages about verdicts: why a claim failed or could not be decided."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.types.agent import Verdict

_WIDEST = (34, 28, 42)


def explain(verdict: Verdict, page: str, screenshot: str) -> str:
    """Return why a claim did not pass: the reason, the facts or failed checks, and the page."""
    how = "does not hold" if verdict.outcome.value == "failed" else "could not be decided"
    mark = "'" if '"' in verdict.claim else '"'
    lines = [f"{mark}{verdict.claim}{mark} {how}"]
    lines += [f"  {line}" for line in verdict.reason.splitlines()]
    facts = [each.fact.describe() for each in verdict.evidence if each.holds and each.fact]
    wrong = [each for each in verdict.evidence if not each.holds]
    if facts:
        lines += ["", "facts:"]
        for fact in facts:
            lines += textwrap.wrap(fact, 110, initial_indent="  - ", subsequent_indent="    ")
    if wrong:
        lines += ["", *table(wrong)]
    if verdict.ruling and verdict.outcome.value == "failed":
        lines += [
            "",
            f"a referee ({verdict.ruling.by}), a model that saw only these facts, agreed that they refute the claim",
        ]
    lines += ["", f"page: {page}"]
    if screenshot:
        lines.append(f"screenshot: {screenshot}")
    lines += [
        f"judged by eye, in this picture: {each.screenshot}"
        for each in verdict.evidence
        if each.screenshot
    ]
    return "\n".join(lines)


def table(evidence: Sequence[CheckResult]) -> list[str]:
    """Return a table of checks that do not hold, with the expected and the actual state of the page."""
    rows = [("", "check", "expected", "on the page")]
    for each in evidence:
        mark = "?" if each.problem else "x"
        where = f" (tab {each.tab})" if len({one.tab for one in evidence}) > 1 else ""
        there = each.problem or each.actual or "(nothing)"
        rows.append((mark, f"{each.subject}{where}", each.expected, there))
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
