"""Write reports of runs as HTML, JSON and Markdown, from their journals alone."""

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from pytest_webtask.errors import UsageError
from pytest_webtask.journal.runs import Run
from pytest_webtask.report.earlier_pictures import add_earlier_pictures
from pytest_webtask.report.html import HtmlReport
from pytest_webtask.report.reader import read_tests
from pytest_webtask.report.text import BEGINS, markdown, write_json
from pytest_webtask.report.view import Pictures, Report, Test
from pytest_webtask.types.agent import Usage

_PARTS = ("tests", "pictures")


def write_report(
    runs: Sequence[Path], folder: Path, *, root: Path | None = None, inline: bool = False
) -> Report:
    """Write the report of some runs into a folder, replacing an older report.

    The paths of Playwright's files are relative to `root`, by default the working folder. With
    `inline`, all pages are in one file. Raises UsageError if the folder has other content.
    """
    read = {run: Run.read(run) for run in runs}
    _clear(folder)
    pictures = Pictures(folder, root or Path.cwd())
    tests = [*read_tests(read, pictures)]
    for test in tests:
        add_earlier_pictures(test, runs, pictures)
    report = _report(read, tests)
    HtmlReport(folder, inline=inline).write(report)
    write_json(report, folder / "report.json")
    (folder / "summary.md").write_text(markdown(report), encoding="utf-8", errors="replace")
    if inline:
        shutil.rmtree(folder / "pictures", ignore_errors=True)
    return report


def _clear(folder: Path) -> None:
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


def _report(runs: Mapping[Path, Run], tests: list[Test]) -> Report:
    attempts = [attempt for test in tests for attempt in test.attempts]
    steps = [step for attempt in attempts for step in attempt.steps]
    started = min((run.times[0] for run in runs.values() if run.times[0]), default=0.0)
    return Report(
        runs=[run.name for run in runs],
        environment={
            "commit": sum((run.commits for run in runs.values()), Counter()),
            "browser": Counter(attempt.browser for attempt in attempts),
            "base URL": Counter(attempt.base_url for attempt in attempts),
        },
        started=started,
        seconds=max(run.times[1] for run in runs.values()) - started,
        outcomes=Counter(test.outcome for test in tests),
        causes=Counter(test.cause.word for test in tests if test.cause),
        decided=sum((Counter(test.decided) for test in tests), Counter()),
        statuses=Counter(step.status for step in steps),
        steps=len(steps),
        usage=sum((test.usage for test in tests), Usage()),
        damaged=sum(run.damaged for run in runs.values()),
        tests=tests,
    )
