"""Runs of one project side by side: none deletes or overwrites what another has written."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from pytest_webtask.journal import RunEnded, StepStarted, new_run, read
from tests.inner import Project, project, wait_for

PLAYS = """
**{f"note {n}": [act("fill", "textbox:Note", text=n), done(text("status:Saved", "Saved"))]
   for n in ("one", "two")},
"""
PAGE = "<h1>Notes</h1><label>Note <input></label><p role=status>Saved</p>"
TESTS = """
from pathlib import Path

from tests.inner import wait_for

def helper(webtask, own):
    webtask.goto("/")
    webtask.do(own)

def test_long(webtask):
    helper(webtask, "note one")
    Path("begun").touch()
    wait_for("go on")

def test_short(webtask):
    helper(webtask, "note two")
"""
MEETING = """
import time
from pathlib import Path
from pytest_webtask.recordings import store

_save = store.save_recording

def save(path, recording):
    # Both runs have read the file before one of them writes it, if nothing keeps them from that.
    Path(f"saves-{time.time_ns()}").touch()
    end = time.monotonic() + 8
    while len([*Path().glob("saves-*")]) < 2 and time.monotonic() < end:
        time.sleep(0.05)
    return _save(path, recording)

store.save_recording = save
"""


@pytest.fixture
def inner(tmp_path: Path) -> Iterator[Project]:
    """A project with a long test and a short one, which record steps of the same helper."""
    with project(tmp_path, PLAYS, TESTS) as made:
        made.site.pages["/"] = PAGE
        yield made


@contextmanager
def started(inner: Project, *args: str) -> Iterator[Callable[[], str]]:
    """Start pytest in a process of its own; the function waits for its end and returns its output."""
    command = [sys.executable, "-m", "pytest", f"--base-url={inner.site.url}", *args]
    process = subprocess.Popen(
        command, cwd=inner.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )

    def end() -> str:
        printed, _ = process.communicate(timeout=180)
        return str(printed)

    try:
        yield end
    finally:
        process.kill()
        process.communicate()


def runs(inner: Project) -> Sequence[Path]:
    """Return the folders of all runs, oldest first."""
    return sorted((inner.root / ".webtask" / "runs").iterdir())


@pytest.mark.parametrize("workers", [(), ("-n1",)], ids=["alone", "xdist"])
def test_run_that_is_alive_is_kept_while_others_end(inner: Project, workers: Sequence[str]) -> None:
    """Two runs that keep one run each leave the folder of an older one that is still running."""
    with started(inner, "-k", "long", *workers) as end:
        wait_for(inner.root / "begun")
        (long,) = runs(inner)
        for _ in range(2):
            inner.run("-k", "short", "-o", "webtask_keep=1", "--webtask-mode=live")
        assert len(runs(inner)) == 2
        (inner.root / "go on").touch()
        printed = end()
    assert "1 passed" in printed
    assert any(isinstance(event, RunEnded) for event in read(long))
    assert [s["sentence"] for s in inner.steps("helper")] == ["note one"]
    assert f"journal: {long.relative_to(inner.root)}" in printed
    inner.run("-k", "short", "-o", "webtask_keep=1", "--webtask-mode=live")
    assert long not in runs(inner)


def test_killed_run_is_removed_in_its_turn(inner: Project) -> None:
    """A run whose process was killed holds no lock."""
    with started(inner, "-k", "long"):
        wait_for(inner.root / "begun")
    (killed,) = runs(inner)
    inner.run("-k", "short", "-o", "webtask_keep=1", "--webtask-mode=live")
    assert killed not in runs(inner)


def test_runs_that_end_together_record_the_steps_of_both(inner: Project) -> None:
    """Two runs that end in the same second both add their step to the file of their helper."""
    inner.write("conftest.py", (inner.root / "conftest.py").read_text() + MEETING)
    inner.write("go on", "")
    with started(inner, "-k", "long") as first, started(inner, "-k", "short") as second:
        printed = [first(), second()]
    for part in ("1 passed", "recorded and confirmed 1 step: ", "report: "):
        assert all(part in each for each in printed), printed
    assert {s["sentence"] for s in inner.steps("helper")} == {"note one", "note two"}
    for run in runs(inner):
        assert len([event for event in read(run) if isinstance(event, StepStarted)]) == 4


def test_resume_leaves_a_run_that_is_alive(inner: Project) -> None:
    """`--webtask-resume` takes the last run that has ended, and writes nothing into one that is alive."""
    with started(inner, "-k", "long") as end:
        wait_for(inner.root / "begun")
        (long,) = runs(inner)
        result = inner.run("-k", "short", "--webtask-resume")
        assert "there is no run that has ended" in result.printed
        assert not any(isinstance(event, RunEnded) for event in read(long))
        (inner.root / "go on").touch()
        assert "recorded and confirmed 1 step: " in end()


def test_names_of_runs_sort_by_time() -> None:
    """Runs that begin in the same second have names of their own, in the order of their beginning."""
    names = [time.sleep(0.005) or new_run() for _ in range(5)]  # type: ignore[func-returns-value]
    assert names == sorted(set(names))
