"""The hooks of `--webtask-resume`, registered only if the option is set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from _pytest.runner import runtestprotocol

from pytest_webtask.errors import UsageError
from pytest_webtask.journal import RUNS, Journal, Restarted, ResumeFailed, RunEnded, StepResumed
from pytest_webtask.recordings.merge import merge_run
from pytest_webtask.recordings.resume import BrokenTest, ResumedTest, read_earlier

if TYPE_CHECKING:
    from pytest_webtask.run import RunState

__all__ = ["Resuming"]


class Resuming:
    """Skips the tests that passed in an interrupted run, and resumes the others where possible.

    Raises UsageError if there is no run to resume.
    """

    def __init__(self, state: RunState) -> None:
        self._state = state
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

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> object | None:
        """Resume an interrupted test; run it from the beginning if that fails."""
        broken = self._earlier.broken.get(item.nodeid)
        if broken is None or not self._may_go_on(item, broken):
            return None
        state = self._state
        lost: list[str] = []
        resumed = ResumedTest(broken, lost.append, self._write_repeated)
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        with state.resume_test(resumed):
            reports = runtestprotocol(item, nextitem=nextitem, log=False)
        if lost:
            state.journal.write(ResumeFailed(test=item.nodeid, reason=lost[0]))
            item._initrequest()  # type: ignore[attr-defined]
            reports = runtestprotocol(item, nextitem=nextitem, log=False)
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def _may_go_on(self, item: pytest.Item, broken: BrokenTest) -> bool:
        try:
            resets = self._state.settings(item).resets
        except UsageError:
            return False  # the setup of the test raises the same error
        if not broken.steps or not resets:
            # Without resets its effects persist, and repeating the steps would apply them twice.
            return False
        if broken.impossible:
            self._state.journal.write(Restarted(test=item.nodeid, reason=broken.impossible))
            return False
        return True

    def _write_repeated(self, at: tuple[str, int], calls: int) -> None:
        assert self._state.item is not None, "a test is running"
        webtask, step = at
        test = self._state.item.nodeid
        self._state.journal.write(
            StepResumed(test=test, webtask=webtask, step=step, model_calls=calls)
        )


def _tests(number: int) -> str:
    return f"{number} test{'' if number == 1 else 's'}"
