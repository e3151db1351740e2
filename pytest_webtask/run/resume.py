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
        self._earlier = read_earlier(root, worker.get("webtask_resumes", ""))
        state.resumes = self._earlier.run
        if not worker and not state.config.option.collectonly:
            for folder in self._earlier.unmerged:
                # Skipped tests would lose their recordings. The controller alone writes them.
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
                reason = f"passed in {self._earlier.run}, which is resumed"
                item.add_marker(pytest.mark.skip(reason=reason))


@dataclass
class EarlierTests:
    """The tests of an interrupted run, and of those that it resumed: `passed`, or `broken` off and so to be run."""

    run: str
    passed: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    unmerged: list[Path] = field(default_factory=list)
    """Runs that were killed before their recordings were written."""


def read_earlier(root: Path, name: str = "") -> EarlierTests:
    """Return the tests of the named run, or of the last one that has ended. Raises UsageError if there is none."""
    kept = root / RUNS
    names = [each.name for each in reversed(list_runs(root))]
    if not names or (name and name not in names):
        others = f"; name one of {', '.join(names[-3:])}, or" if names else ";"
        raise UsageError(
            f"can't resume: there is no run {f'{name} ' if names else ''}in {kept}{others}"
            " run the tests without --webtask-resume"
        )
    ended = [each for each in names if not is_alive(kept / each)] if not name else [name]
    if not ended:
        raise UsageError(f"can't resume: run {names[-1]} has not ended; wait for its end")
    earlier = EarlierTests(ended[-1])
    runs: dict[str, Run] = {}
    follows = earlier.run
    while follows in names and follows not in runs:
        runs[follows] = Run.of(read(kept / follows))
        follows = runs[follows].resumes
    for name, run in reversed(runs.items()):
        if not run.ended:
            earlier.unmerged.append(kept / name)
        failed: set[str] = set()
        for test, attempts in run.last_attempts().items():
            # With `--dist each`, every process runs each test.
            for attempt in attempts:
                _add_test(earlier, test, attempt)
                failed |= {test} - earlier.passed
        earlier.passed -= failed
    return earlier


def _add_test(earlier: EarlierTests, test: str, attempt: TestAttempt) -> None:
    skipped = any(each.outcome == "skipped" for each in attempt.phases.values())
    if skipped and test in earlier.passed:
        return
    earlier.passed.discard(test)
    earlier.broken.discard(test)
    if attempt.passed:
        earlier.passed.add(test)
    elif attempt.outcome == "never ended" or attempt.interrupted:
        earlier.broken.add(test)
