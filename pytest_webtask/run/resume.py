"""Resuming an interrupted run: what its journals show, and the hooks of `--webtask-resume`."""

# The hooks are registered only if the option is set.
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_webtask.data.phrases import counted
from pytest_webtask.errors import UsageError
from pytest_webtask.journal import RUNS, is_alive, read
from pytest_webtask.journal.kept_runs import list_runs
from pytest_webtask.journal.runs import Run, TestAttempt

if TYPE_CHECKING:
    from pytest_webtask.run.run_state import RunState


class Resuming:
    """Skips the tests that passed in an interrupted run; others begin with their drafts. Raises UsageError."""

    def __init__(self, state: RunState) -> None:
        root, worker = state.root, state.worker
        self._earlier = read_earlier(root, worker.get("webtask_resumes", ""))
        state.resumes = self._earlier.run

    def pytest_report_header(self) -> str:
        """Announce the resumed run, and the number of passed tests."""
        passed = len(self._earlier.passed)
        how = f"{counted(passed, 'test')} passed in it and {'is' if passed == 1 else 'are'} skipped"
        return f"webtask: resumes {self._earlier.run}: {how}"

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
    """The tests of an interrupted run that have `passed` in it or before."""

    run: str
    passed: set[str]


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
    last = run.last_attempts().items()
    passed = {test for test, attempts in last if all(map(_has_passed, attempts))}
    return EarlierTests(ended[0], passed)


def _has_passed(attempt: TestAttempt) -> bool:
    """Return whether a test has passed, or had passed before and was skipped for that."""
    return attempt.passed or any(p.message.endswith(_RESUMED) for p in attempt.phases.values())
