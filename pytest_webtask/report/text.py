"""The report as JSON and as Markdown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pytest_webtask.escapes import escape_controls
from pytest_webtask.phrases import counted
from pytest_webtask.report.view import MADE_BY, Cost, Report, Test, first_wrong

_FAILED = ("failed", "error", "never ended")
_SHOWN = 50
"""The most failed tests listed in a summary."""
# Outlines and marks would dominate the file; the HTML report has them.
_LEFT_OUT: Any = {
    "attempts": {
        "__all__": {
            "steps": {
                "__all__": {
                    "iterations": {"__all__": {"look": {"outline", "marks"}}},
                    "last": {"outline", "marks"},
                }
            }
        }
    }
}


BEGINS = f'{{"made_by": "{MADE_BY}"'
"""The beginning of the file, by which a folder is recognized as a report."""


class Json:
    """Writes `report.json` test by test: a `Report` without outlines and marks."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._first = True

    def __enter__(self) -> Json:
        # Texts of a page may have lone surrogates, which UTF-8 cannot encode but JSON can escape.
        self._file = self._path.open("w", encoding="utf-8", errors="backslashreplace")
        self._file.write(f'{BEGINS}, "tests": [')
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def test(self, test: Test) -> None:
        """Write a test with all its steps."""
        self._file.write("\n" if self._first else ",\n")
        self._first = False
        payload = test.model_dump(exclude=_LEFT_OUT)
        self._file.write(json.dumps(payload, ensure_ascii=False, default=str))

    def end(self, report: Report) -> None:
        """Write the totals of the report."""
        payload = report.model_dump(exclude={"tests", "made_by"})
        self._file.write(f"\n], {json.dumps(payload, ensure_ascii=False)[1:]}\n")


def markdown(report: Report) -> str:
    """Return a summary in Markdown, for the job summary of a CI system."""
    lines = [f"### webtask: {_counted(report)}", ""]
    lines += [f"{step_totals(report)}.", ""]
    failed = [test for test in report.tests if test.outcome in _FAILED]
    if failed:
        lines += ["| test | outcome | first wrong moment |", "| --- | --- | --- |"]
        lines += [
            f"| `{_cell(test.id)}` | {test.outcome} | {_cell(test.wrong)} |"
            for test in failed[:_SHOWN]
        ]
        if len(failed) > _SHOWN:
            lines.append(f"| … and {len(failed) - _SHOWN} more | | |")
        lines.append("")
    for title, steps in (
        ("Healed; review with `pytest-webtask accept`:", [(t, t.healed) for t in report.tests]),
        ("Done otherwise than written; see the report:", [(t, t.deviated) for t in report.tests]),
    ):
        if concerned := [(test, number) for test, number in steps if number]:
            lines += [title, ""]
            lines += [
                f"- `{_cell(test.id)}`: {counted(number, 'step')}"
                for test, number in concerned[:_SHOWN]
            ]
            lines.append("")
    return "\n".join(lines)


def step_totals(report: Report) -> str:
    """Return the number of steps by their decider, and their cost, in words."""
    decided = ", ".join(
        f"{report.decided[who]} {how}" for who, how in _DECIDED.items() if report.decided.get(who)
    )
    total = counted(report.steps, "step") + (f" ({decided})" if decided else "")
    return total + cost_text(report.cost)


def cost_text(cost: Cost) -> str:
    """Return the model calls, tokens and cost in words, after a comma."""
    if not cost.model_calls:
        return ", no model call"
    calls = f", {counted(cost.model_calls, 'model call')}"
    if not (cost.tokens_in or cost.tokens_out):
        return calls
    money = "cost not known" if cost.dollars is None else f"${cost.dollars:.2f}"
    tokens = (
        f"{cost.tokens_in:,} tokens in ({cost.tokens_cached:,} cached), {cost.tokens_out:,} out"
    )
    return f"{calls}, {tokens}, {money}"


def first_problem(test: Test) -> str:
    """Return the first problem of a test's last failed attempt in a line, or "" if it passed."""
    wrong = first_wrong(test) if test.outcome in _FAILED else None
    return ": ".join(filter(None, (wrong.head, wrong.line))) if wrong else ""


_DECIDED = {
    "replayed": "replayed",
    "literal": "literal",
    "model": "by a model",
    "healed": "healed",
}


def _counted(report: Report) -> str:
    outcomes = ", ".join(f"{n} {outcome}" for outcome, n in sorted(report.outcomes.items()))
    return outcomes or "no tests"


def _cell(text: str) -> str:
    """Escape a text for a cell of a Markdown table."""
    text = " ".join(escape_controls(text).split()).replace("|", "\\|").replace("`", "'")
    return text.replace("<", "&lt;")
