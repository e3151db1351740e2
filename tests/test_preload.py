"""What steps need is imported while Playwright starts."""

import subprocess
import sys

import pytest

from pytest_webtask.run import preload

AFTER_PRELOADING = """
import gc, sys, threading
from pytest_webtask.run.preload import preloading

with preloading(report=True):
    pass
before = {*sys.modules}
import pytest_webtask.run.webtask, pytest_webtask.recordings.replay
print([name for name in sys.modules if name not in before and name.startswith("pytest_webtask")])
for thread in threading.enumerate():
    if thread is not threading.main_thread():
        thread.join()
print("pytest_webtask.report" in sys.modules)
frozen = gc.get_freeze_count()
with preloading(report=True):
    pass
print(frozen > 0, gc.get_freeze_count() == frozen)
"""


def test_context_ends_when_what_steps_need_is_imported_and_the_report_follows() -> None:
    """After the context a step has nothing left to import; the report comes later, a second call does nothing."""
    ran = subprocess.run(
        [sys.executable, "-c", AFTER_PRELOADING], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == ["[]", "True", "True True"]


def test_module_that_cannot_be_imported_fails_where_it_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Preloading a module that is broken neither hangs nor raises."""
    monkeypatch.setattr(preload, "_STEPS", ("pytest_webtask.no_such_module",))
    with preload.preloading(report=False):
        pass
