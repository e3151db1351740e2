"""The report: journals → HTML, JSON, Markdown. It reads journals and nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from pytest_webtask.errors import UsageError
from pytest_webtask.report import html
from pytest_webtask.report.html import HtmlReport
from pytest_webtask.report.reader import index_journals, read_test
from pytest_webtask.report.text import BEGINS, Json, markdown
from pytest_webtask.report.view import Pictures, Report, Test

__all__ = ["preload_report", "write_report"]

_PARTS = ("tests", "pictures")


def write_report(
    runs: Sequence[Path], folder: Path, *, root: Path | None = None, inline: bool = False
) -> Report:
    """Write the report of some runs into a folder, in place of one that is there.

    `root` is the folder to which paths of Playwright's files relate, by default the working one.
    With `inline` the pages are one file. Gives the report without the steps of its tests. Raises
    UsageError for a folder that holds something else.
    """
    found = index_journals(runs)
    _clear(folder)
    pictures = Pictures(folder, root or Path.cwd())
    report = Report(
        runs=found.runs,
        started=found.started,
        seconds=found.ended - found.started,
        damaged=found.damaged,
    )
    written = HtmlReport(folder, inline=inline)
    with Json(folder / "report.json") as json:
        for test_id in found.tests:
            test = read_test(found, test_id, pictures)
            written.test(test)
            json.test(test)
            _count(report, test)
            # All of it at once would not fit into memory.
            for attempt in test.attempts:
                attempt.steps = []
            report.tests.append(test)
        json.end(report)
    written.finish(report)
    (folder / "summary.md").write_text(markdown(report), encoding="utf-8", errors="replace")
    if inline:
        shutil.rmtree(folder / "pictures", ignore_errors=True)
    return report


def preload_report() -> None:
    """Build what a report needs ahead of time, while nothing else is to be done."""
    html.load_templates()
    for part in (Test, Report):
        part.model_rebuild()


def _clear(folder: Path) -> None:
    """Take away an older report."""
    if folder.is_dir() and any(folder.iterdir()) and not _is_report(folder):
        raise UsageError(
            f"{folder} is not empty, and holds no report: give another folder for the report"
        )
    for part in _PARTS:
        shutil.rmtree(folder / part, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    # Written first: a report that is broken off can be replaced by the next.
    (folder / "report.json").write_text(BEGINS, encoding="utf-8")


def _is_report(folder: Path) -> bool:
    try:
        with (folder / "report.json").open(encoding="utf-8") as file:
            return file.read(len(BEGINS)) == BEGINS
    except (OSError, UnicodeDecodeError):
        return False


def _count(report: Report, test: Test) -> None:
    report.outcomes[test.outcome] = report.outcomes.get(test.outcome, 0) + 1
    report.cost.add(test.cost)
    for step in (step for attempt in test.attempts for step in attempt.steps):
        report.steps += 1
        report.statuses[step.status] = report.statuses.get(step.status, 0) + 1
        if step.decided:
            report.decided[step.decided] = report.decided.get(step.decided, 0) + 1
