"""How often replays of the example suite fail while one processor is kept busy: never, or for a cause.

`REPEATS=5 pytest tests/benchmarks/test_repeated_replays.py -s` makes fewer than 30.
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

pytestmark = pytest.mark.timeout(7200)

REPEATS = int(os.environ.get("REPEATS", "30"))
ROOT = Path(__file__).parents[2]


@pytest.fixture
def _busy() -> Iterator[None]:
    """A process that keeps one processor busy, until the benchmark ends or is killed."""
    loop = f"import os\nwhile os.getppid() == {os.getpid()}: pass"
    process = subprocess.Popen([sys.executable, "-c", loop])
    yield
    assert process.poll() is None, "the processor was not kept busy"
    process.kill()
    process.wait()


def _replay(report: Path) -> tuple[int, list[str]]:
    """Replay the suite as in CI; return the number of tests that ran, and the failures with messages."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "example_suite"]
    environment = {**os.environ, "CI": "true", "COVERAGE_PROCESS_START": ""}
    ran = subprocess.run(
        [*command, f"--junitxml={report}"],
        cwd=ROOT,
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


@pytest.mark.usefixtures("_busy")
def test_repeated_replays_never_fail(tmp_path: Path) -> None:
    """Each replay passes; a failure is printed at once, with its message."""
    seconds, counts, failed = [], set(), []
    for number in range(1, REPEATS + 1):
        began = time.monotonic()
        count, failures = _replay(tmp_path / "report.xml")
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
