"""Write reports of runs as HTML, JSON and Markdown, from their journals alone."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pytest_webtask.errors import UsageError
from pytest_webtask.report.earlier_pictures import add_earlier_pictures
from pytest_webtask.report.html import HtmlReport
from pytest_webtask.report.reader import index_journals, read_test
from pytest_webtask.report.text import BEGINS, Json, markdown
from pytest_webtask.report.view import Pictures, Report, Test

_PARTS = ("tests", "pictures")


def write_report(
    runs: Sequence[Path], folder: Path, *, root: Path | None = None, inline: bool = False
) -> Report:
    """Write the report of some runs into a folder, replacing an older report.

    The paths of Playwright's files are relative to `root`, by default the working folder. With
    `inline`, all pages are in one file. Return the report without the steps of its tests. Raises
    UsageError if the folder has other content.
    """
    index = index_journals(runs)
    _clear(folder)
    pictures = Pictures(folder, root or Path.cwd())
    report = Report(
        runs=index.runs,
        started=index.started,
        seconds=index.ended - index.started,
        damaged=index.damaged,
        environment={
            "commit": index.commits,
            "browser": Counter(),
            "base URL": Counter(),
        },
    )
    pages = HtmlReport(folder, inline=inline)
    with Json(folder / "report.json") as json:
        for test_id in index.tests:
            test = read_test(index, test_id, pictures)
            add_earlier_pictures(test, runs, pictures)
            pages.test(test)
            json.test(test)
            _count(report, test)
            # The steps of all tests would not fit into memory.
            for attempt in test.attempts:
                attempt.forget_steps()
            report.tests.append(test)
        json.end(report)
    pages.finish(report)
    (folder / "summary.md").write_text(markdown(report), encoding="utf-8", errors="replace")
    if inline:
        shutil.rmtree(folder / "pictures", ignore_errors=True)
    return report


def _clear(folder: Path) -> None:
    """Remove an older report."""
    if folder.is_dir() and any(folder.iterdir()) and not _is_report(folder):
        raise UsageError(
            f"{folder} is not empty and contains no report: name another folder, with --webtask-report or,"
            " for pytest-webtask report, with --output"
        )
    for part in _PARTS:
        shutil.rmtree(folder / part, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    # Written first, so that the next report can replace an interrupted one.
    (folder / "report.json").write_text(BEGINS, encoding="utf-8")


def _is_report(folder: Path) -> bool:
    try:
        with (folder / "report.json").open(encoding="utf-8") as file:
            return file.read(len(BEGINS)) == BEGINS
    except (OSError, UnicodeDecodeError):
        return False


def _count(report: Report, test: Test) -> None:
    report.outcomes[test.outcome] += 1
    report.causes.update([test.cause.word] if test.cause else [])
    report.usage += test.usage
    report.decided.update(test.decided)
    for attempt in test.attempts:
        report.environment["browser"][attempt.browser] += 1
        report.environment["base URL"][attempt.base_url] += 1
    steps = [step for attempt in test.attempts for step in attempt.steps]
    report.statuses.update(step.status for step in steps)
    report.steps += len(steps)
