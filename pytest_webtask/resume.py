"""The hooks of `--webtask-resume`, registered only if the option is set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_webtask.journal import RUNS, Journal, RunEnded
from pytest_webtask.recordings.interrupted import read_earlier
from pytest_webtask.recordings.merge import merge_run

if TYPE_CHECKING:
    from pytest_webtask.run import RunState

__all__ = ["Resuming"]


class Resuming:
    """Skips the tests that passed in an interrupted run; the others begin with their drafts.

    Raises UsageError if there is no run to resume.
    """

    def __init__(self, state: RunState) -> None:
        root = state.config.rootpath
        worker = getattr(state.config, "workerinput", {})
        self._earlier = read_earlier(root / RUNS, worker.get("webtask_resumes", ""))
        state.resume(self._earlier.run)
        if not worker and not state.config.option.collectonly:
            for folder in self._earlier.unmerged:
                # Skipped tests would lose their recordings. The controller alone writes them.
                state.add_notes(merge_run(folder, root).summary)
                journal = Journal(folder, "merged")
                journal.write(RunEnded())
                journal.close()

    def pytest_report_header(self) -> str:
        """Announce the resumed run, and the numbers of passed and interrupted tests."""
        passed, broken = len(self._earlier.passed), len(self._earlier.broken)
        return (
            f"webtask: resumes {self._earlier.run}: {_tests(passed)} passed in it and"
            f" {'is' if passed == 1 else 'are'} skipped,"
            f" {_tests(broken)} {'was' if broken == 1 else 'were'} interrupted"
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Skip the tests that have passed."""
        for item in items:
            if item.nodeid in self._earlier.passed:
                reason = f"passed in {self._earlier.run}, which is resumed"
                item.add_marker(pytest.mark.skip(reason=reason))


def _tests(number: int) -> str:
    return f"{number} test{'' if number == 1 else 's'}"
