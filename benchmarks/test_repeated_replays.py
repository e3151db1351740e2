"""How often replays fail while one processor is kept busy: never, or for a cause.

The example suite and the suite on pages of others are replayed as in CI.
`REPEATS=5 pytest benchmarks/test_repeated_replays.py -s` makes fewer than 30 replays of each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks.foreign_drift.running import Runs

pytestmark = pytest.mark.timeout(7200)

REPEATS = int(os.environ.get("REPEATS", "30"))
ROOT = Path(__file__).parents[1]


@pytest.fixture
def _busy() -> Iterator[None]:
    """A process that keeps one processor busy, until the benchmark ends or is killed."""
    loop = f"import os\nwhile os.getppid() == {os.getpid()}: pass"
    process = subprocess.Popen([sys.executable, "-c", loop])
    yield
    assert process.poll() is None, "the processor was not kept busy"
    process.kill()
    process.wait()


def _replay(folder: Path, suite: str, report: Path) -> tuple[int, list[str]]:
    """Replay a suite as in CI; return the number of tests that ran, and the failures with messages."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", suite]
    environment = {**os.environ, "CI": "true", "COVERAGE_PROCESS_START": ""}
    ran = subprocess.run(
        [*command, f"--junitxml={report}"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert report.is_file(), ran.stdout + ran.stderr
    cases = list(ElementTree.parse(report).iter("testcase"))
    report.unlink()
    failures = [
        f"{case.get('classname')}::{case.get('name')}: {each.get('message')}\n{each.text}"
        for case in cases
        for each in (*case.iter("failure"), *case.iter("error"))
    ]
    if ran.returncode and not failures:
        failures.append(f"exit code {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return len(cases), failures


def _never_fails(folder: Path, suite: str, report: Path) -> None:
    """Replay a suite again and again; print a failure at once, with its message."""
    seconds, counts, failed = [], set(), []
    for number in range(1, REPEATS + 1):
        began = time.monotonic()
        count, failures = _replay(folder, suite, report)
        seconds.append(time.monotonic() - began)
        counts.add(count)
        failed += [f"replay {number}: {each}" for each in failures]
        print(f"\nreplay {number}: {count} tests, {len(failures)} failed, {seconds[-1]:.1f} s")
        print("\n".join(failures))
    print(
        f"{REPEATS} replays of {counts} tests, {len(failed)} failures, {max(seconds):.1f} s at most"
    )
    assert not failed, "\n\n".join(failed)
    assert len(counts) == 1 and 0 not in counts


@pytest.mark.usefixtures("_busy")
def test_example_suite_never_fails(tmp_path: Path) -> None:
    """Each replay of the example suite passes."""
    _never_fails(ROOT, "example_suite", tmp_path / "report.xml")


@pytest.mark.usefixtures("_busy")
def test_suite_on_pages_of_others_never_fails(pytestconfig: pytest.Config, tmp_path: Path) -> None:
    """Each replay of the suite on pages of others passes."""
    runs = Runs(tmp_path, pytestconfig.rootpath / ".webtask" / "benchmarks")
    try:
        runs.record()
        _never_fails(runs.project, "test_foreign.py", tmp_path / "report.xml")
    finally:
        runs.stop()
