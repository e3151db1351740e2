"""The report for programs and for people who read text: JSON and Markdown."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any

from pytest_webtask.report.view import MADE_BY, Cost, Report, Test, first_wrong

_FAILED = ("failed", "error", "never ended")
_SHOWN = 50
"""Failed tests that a summary tells of."""
# The page has them; here they would be most of it.
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
"""How the file begins, by which a folder is known to hold a report and nothing else."""


class Json:
    """Writes `report.json` test by test: a `Report` without outlines and marks."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._first = True

    def __enter__(self) -> Json:
        # A page may show half a surrogate pair; escaped with a backslash it is JSON again.
        self._file = self._path.open("w", encoding="utf-8", errors="backslashreplace")
        self._file.write(f'{BEGINS}, "tests": [')
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._file.close()

    def test(self, test: Test) -> None:
        """Write a test with all its steps."""
        self._file.write("\n" if self._first else ",\n")
        self._first = False
        told = test.model_dump(exclude=_LEFT_OUT)
        self._file.write(json.dumps(told, ensure_ascii=False, default=str))

    def end(self, report: Report) -> None:
        """Write what is told of the whole."""
        told = report.model_dump(exclude={"tests", "made_by"})
        self._file.write(f"\n], {json.dumps(told, ensure_ascii=False)[1:]}\n")


def markdown(report: Report) -> str:
    """A summary in Markdown, as CI systems show it beside a run."""
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
    healed = [test for test in report.tests if test.healed]
    if healed:
        lines += ["Healed, to be reviewed (`pytest-webtask accept`):", ""]
        lines += [
            f"- `{_cell(test.id)}`: {counted(test.healed, 'step')}" for test in healed[:_SHOWN]
        ]
        lines.append("")
    return "\n".join(lines)


def step_totals(report: Report) -> str:
    """The steps of a report by who decided them, and what they cost."""
    decided = ", ".join(
        f"{report.decided[who]} {how}" for who, how in _DECIDED.items() if report.decided.get(who)
    )
    told = counted(report.steps, "step") + (f" ({decided})" if decided else "")
    return told + cost_text(report.cost)


def cost_text(cost: Cost) -> str:
    """What was asked of models and what that cost, after a comma; "" where nothing was."""
    if not cost.model_calls:
        return ", no model call"
    money = "cost not known" if cost.dollars is None else f"${cost.dollars:.2f}"
    return (
        f", {counted(cost.model_calls, 'model call')}, {cost.tokens_in:,} tokens in"
        f" ({cost.tokens_cached:,} cached), {cost.tokens_out:,} out, {money}"
    )


def first_problem(test: Test) -> str:
    """The first wrong moment of a test's last attempt, in a line; "" where it did well."""
    found = first_wrong(test) if test.outcome in _FAILED else None
    return ": ".join(filter(None, (found.head, found.line))) if found else ""


_DECIDED = {
    "replayed": "replayed",
    "literal": "literal",
    "model": "by a model",
    "healed": "healed",
}


def counted(number: int, what: str) -> str:
    """A number of things, in words."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def _counted(report: Report) -> str:
    told = ", ".join(f"{n} {outcome}" for outcome, n in sorted(report.outcomes.items()))
    return told or "no tests"


def _cell(text: str) -> str:
    """A text that breaks no table."""
    text = " ".join(text.split()).replace("|", "\\|").replace("`", "'")
    return text.replace("<", "&lt;")
