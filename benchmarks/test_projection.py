"""How long a large suite of replayed tests takes, from parts that are measured on small ones.

The six recorded tests of the example suite are copied, with their recordings. Times are those of whole
processes, so that a machine with nothing else to do is needed. `PROJECTED` in the environment is the number
of copies of the run that checks the projection, by default 0 for none.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.side_by_side import run

pytestmark = pytest.mark.timeout(3600)

ROOT = Path(__file__).parents[1]
SUITE = ROOT / "example_suite"
COPIES = 4
WORKERS = (1, 2, 4)
TESTS = 1_000


def _suite(folder: Path, copies: int) -> Path:
    shutil.copytree(
        SUITE,
        folder,
        ignore=shutil.ignore_patterns("test_*", "recordings", "features", ".webtask"),
    )
    for number in range(copies):
        name = f"test_english_{number:03}"
        shutil.copy(SUITE / "test_in_english.py", folder / f"{name}.py")
        shutil.copytree(SUITE / "recordings" / "test_in_english", folder / "recordings" / name)
    return folder


def _passed(output: str) -> int:
    [*_, number] = re.findall(r"(\d+) passed", output)
    return int(number)


def test_projection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prints the parts and what follows for a thousand tests, and holds nothing but that all pass."""
    monkeypatch.setenv("CI", "true")
    one = _suite(tmp_path / "one", 1)
    many = _suite(tmp_path / "many", COPIES)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(SUITE)]))
    run(one)  # to compile and to warm up
    start, _ = run(one, "-k", "two_espresso_cups")
    print(f"\nload {os.getloadavg()[0]:.1f}; process with one test {start:.1f} s")
    projected = {}
    for workers in WORKERS:
        parallel = [] if workers == 1 else [f"-n{workers}"]
        few, output = run(one, *parallel)
        took, printed = run(many, *parallel)
        tests, more = _passed(output), _passed(printed)
        each = (took - few) / (more - tests)
        projected[workers] = few + each * (TESTS - tests)
        print(
            f"{workers} workers: {tests} tests {few:.1f} s, {more} tests {took:.1f} s,"
            f" so {each:.2f} s a test and {projected[workers] / 60:.1f} min for {TESTS}"
        )
    runs = sorted(str(path) for path in (many / ".webtask" / "runs").iterdir())
    began = time.monotonic()
    command = [sys.executable, "-m", "pytest_webtask.cli", "report", *runs, "--output", "merged"]
    subprocess.run(command, cwd=many, check=True, capture_output=True)
    print(f"report of {len(runs)} runs merged in {time.monotonic() - began:.1f} s")
    if copies := int(os.environ.get("PROJECTED", "0")):
        took, output = run(_suite(tmp_path / "check", copies), "-n2")
        tests = _passed(output)
        expected = projected[2] * tests / TESTS
        print(f"check: {tests} tests with 2 workers {took:.1f} s, projected about {expected:.1f} s")
