"""Resuming an interrupted run: what its journals show, and the hooks of `--webtask-resume`."""

# The hooks are registered only if the option is set.
from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_webtask.data.phrases import counted
from pytest_webtask.errors import UsageError
from pytest_webtask.journal import RUNS, Journal, RunEnded, is_alive, read
from pytest_webtask.journal.kept_runs import list_runs
from pytest_webtask.journal.runs import Run, TestAttempt
from pytest_webtask.recordings.merge import merge_run

if TYPE_CHECKING:
    from pytest_webtask.run.run_state import RunState


class Resuming:
    """Skips the tests that passed in an interrupted run; others begin with their drafts. Raises UsageError."""

    def __init__(self, state: RunState) -> None:
        root, worker = state.root, state.worker
        self._earlier = earlier = read_earlier(root, worker.get("webtask_resumes", ""))
        state.resumes = earlier.run
        if not (earlier.ended or worker or state.config.option.collectonly):
            # Skipped tests would lose their recordings. The controller alone writes them.
            folder = root / RUNS / earlier.run
            state.notes += merge_run(folder, root).summary
            journal = Journal(folder, "merged")
            journal.write(RunEnded())
            journal.close()

    def pytest_report_header(self) -> str:
        """Announce the resumed run, and the numbers of passed and interrupted tests."""
        passed, broken = len(self._earlier.passed), len(self._earlier.broken)
        return (
            f"webtask: resumes {self._earlier.run}: {counted(passed, 'test')} passed in it and"
            f" {'is' if passed == 1 else 'are'} skipped,"
            f" {counted(broken, 'test')} {'was' if broken == 1 else 'were'} interrupted"
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Skip the tests that have passed."""
        for item in items:
            if item.nodeid in self._earlier.passed:
                reason = f"passed in {self._earlier.run}{_RESUMED}"
                item.add_marker(pytest.mark.skip(reason=reason))


_RESUMED = ", which is resumed"
"""The end of the reason for which a test is skipped, by which the next run knows it."""


@dataclass
class EarlierTests:
    """The tests of an interrupted run: `passed` in it or in the one that it resumed, or `broken` off and so to be run.

    `ended` is whether it has written its recordings.
    """

    run: str
    ended: bool
    passed: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)


def read_earlier(root: Path, name: str = "") -> EarlierTests:
    """Return the tests of the named run, or of the last one that has ended. Raises UsageError if there is none."""
    kept = root / RUNS
    names = [each.name for each in list_runs(root)]
    ended = [each for each in names if each == name or not (name or is_alive(kept / each))]
    if not ended:
        raise UsageError(
            f"can't resume: there is no run {name or 'that has ended'} in {kept}; run the tests without"
            " --webtask-resume"
        )
    run = Run.of(read(kept / ended[0]))
    earlier = EarlierTests(ended[0], run.ended)
    for test, attempts in run.last_attempts().items():
        if all(map(_has_passed, attempts)):
            earlier.passed.add(test)
        elif any(each.outcome == "never ended" or each.interrupted for each in attempts):
            earlier.broken.add(test)
    return earlier


def _has_passed(attempt: TestAttempt) -> bool:
    """Return whether a test has passed, or had passed before and was skipped for that."""
    return attempt.passed or any(p.message.endswith(_RESUMED) for p in attempt.phases.values())
