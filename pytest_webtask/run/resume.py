"""Resuming an interrupted run: what its journals show, and the hooks of `--webtask-resume`."""

# The hooks are registered only if the option is set.
from __future__ import annotations

from itertools import filterfalse
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_webtask.data.phrases import counted
from pytest_webtask.errors import UsageError
from pytest_webtask.journal import RUNS, is_alive, read
from pytest_webtask.journal.kept_runs import list_runs
from pytest_webtask.journal.runs import Run

if TYPE_CHECKING:
    from pytest_webtask.run.run_state import RunState


class Resuming:
    """Skips the tests that passed in an interrupted run; others begin with their drafts. Raises UsageError."""

    def __init__(self, state: RunState) -> None:
        root, worker = state.root, state.worker
        self._run, self._passed = read_earlier(root, worker.get("webtask_resumes", ""))
        state.resumes = self._run

    def pytest_report_header(self) -> str:
        """Announce the resumed run, and the number of passed tests."""
        passed = len(self._passed)
        how = f"{counted(passed, 'test')} passed in it and {'is' if passed == 1 else 'are'} skipped"
        return f"webtask: resumes {self._run}: {how}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Skip the tests that have passed."""
        for item in items:
            if item.nodeid in self._passed:
                reason = f"passed in {self._run}{_RESUMED}"
                item.add_marker(pytest.mark.skip(reason=reason))


_RESUMED = ", which is resumed"
"""The end of the reason for which a test is skipped, by which the next run knows it."""


def read_earlier(root: Path, name: str = "") -> tuple[str, set[str]]:
    """Return a run and the tests that have passed in it or before: the named one, or the last that has ended.

    Raises UsageError if there is none.
    """
    kept = root / RUNS
    folders = list_runs(root)
    newest = next(filterfalse(is_alive, folders), Path("that has ended"))
    folder = kept / (name or newest.name)
    if folder not in folders:
        raise UsageError(
            f"can't resume: there is no run {folder.name} in {kept}; run the tests without"
            " --webtask-resume"
        )
    run = Run.of(read(folder))
    last = {
        (test, writer): attempt
        for (test, writer, _), attempt in run.attempts.items()
        if not attempt.confirms
    }
    # A test that was skipped because it is resumed had passed before.
    failed = {
        test
        for (test, _), attempt in last.items()
        if not (attempt.passed or attempt.message.endswith(_RESUMED))
    }
    passed = {test for test, _ in last} - failed
    return folder.name, passed
