"""`--webtask-resume`: going on with a run that broke off. Registered only where it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from _pytest.runner import runtestprotocol

from pytest_webtask.errors import UsageError
from pytest_webtask.journal import RUNS, Journal
from pytest_webtask.recordings.merge import merge_run
from pytest_webtask.recordings.resume import BrokenTest, ResumedTest, read_earlier

if TYPE_CHECKING:
    from pytest_webtask.run import RunState

__all__ = ["Resuming"]


class Resuming:
    """Skips what has passed, and lets go on what broke off where that may be done again.

    Raises UsageError where there is no run to go on with.
    """

    def __init__(self, state: RunState) -> None:
        self._state = state
        root = state.config.rootpath
        worker = getattr(state.config, "workerinput", {})
        self._earlier = read_earlier(root / RUNS, worker.get("webtask_resumes", ""))
        state.resumes = self._earlier.run
        if not worker and not state.config.option.collectonly:
            for folder in self._earlier.unmerged:
                # What was recorded in tests that are skipped now would be lost; once is enough.
                state.told += merge_run(folder, root).told
                journal = Journal(folder, "merged")
                journal.write("run_end")
                journal.close()

    def pytest_report_header(self) -> str:
        """Say what is gone on with."""
        passed, broken = len(self._earlier.passed), len(self._earlier.broken)
        return (
            f"webtask: goes on with {self._earlier.run}: {_tests(passed)} passed in it and"
            f" {'is' if passed == 1 else 'are'} skipped, {_tests(broken)} broke off"
        )

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Skip what has passed."""
        for item in items:
            if item.nodeid in self._earlier.passed:
                reason = f"passed in {self._earlier.run}, which is gone on with"
                item.add_marker(pytest.mark.skip(reason=reason))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> object | None:
        """Run a test that broke off so that it goes on, or from its beginning where it cannot."""
        broken = self._earlier.broken.get(item.nodeid)
        if broken is None or not self._may_go_on(item, broken):
            return None
        state = self._state
        lost: list[str] = []
        state.returning = ResumedTest(broken, lost.append, self._saved)
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        try:
            reports = runtestprotocol(item, nextitem=nextitem, log=False)
        finally:
            state.returning = None
        if lost:
            state.journal.write("lost", test=item.nodeid, why=lost[0])
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
            return False  # its setup says so
        if not broken.steps or not resets:
            # What it has done stands: nothing is done twice that nobody has asked for.
            return False
        if broken.impossible:
            self._state.journal.write("starts_over", test=item.nodeid, why=broken.impossible)
            return False
        return True

    def _saved(self, at: tuple[str, int], calls: int) -> None:
        assert self._state.item is not None, "a test is at work"
        name, number = at
        who = {"webtask": name} if name else {}
        test = self._state.item.nodeid
        self._state.journal.write("resumed", test=test, **who, step=number, model_calls=calls)


def _tests(number: int) -> str:
    return f"{number} test{'' if number == 1 else 's'}"
