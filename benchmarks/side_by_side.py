"""Whole pytest processes, run in turn, so that a busy machine slows down all of them alike."""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest_webtask


def run(folder: Path, *arguments: str) -> tuple[float, str]:
    """Return the seconds that a whole pytest process takes, which must pass, and its output.

    It uses a copy of the package in a folder `site-packages`, as an installation has it: of code
    anywhere else Playwright describes the stack in each of its messages.
    """
    installed = folder / "site-packages"
    if not installed.exists():
        package = Path(pytest_webtask.__file__).parent
        shutil.copytree(package, installed / package.name)
    began = time.monotonic()
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    environment = {
        **os.environ,
        "COVERAGE_PROCESS_START": "",
        "PYTHONPATH": os.pathsep.join(filter(None, (str(installed), os.environ.get("PYTHONPATH")))),
        # As on anybody's machine, a module is compiled once and not in each process.
        "PYTHONDONTWRITEBYTECODE": "",
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
    }
    ran = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return time.monotonic() - began, ran.stdout


def costs(printed: str) -> str:
    """Return what a run with the plugin `benchmarks.counted` has printed of its costs."""
    return "; ".join(re.findall(r"(?:messages|processor): .*", printed))


@dataclass(frozen=True)
class Ratio:
    """How many times as long one process takes as another, compared round by round.

    `low` and `high` are the smallest and the largest ratio. With seven rounds they are a confidence
    interval of 98.4% for the median, whatever the distribution.
    """

    median: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.median:.2f} ({self.low:.2f} to {self.high:.2f})"


class Rounds:
    """The seconds of several kinds of processes, each run once in each round."""

    def __init__(self, times: Mapping[str, Sequence[float]]) -> None:
        self._times = times

    @classmethod
    def of(cls, number: int, kinds: Mapping[str, Callable[[], float]]) -> Rounds:
        """Run each kind once to warm up, and then in turn; each returns its seconds."""
        times: dict[str, list[float]] = {kind: [] for kind in kinds}
        for each in kinds.values():
            each()
        for _ in range(number):
            for kind, each in kinds.items():
                times[kind].append(each())
        return cls(times)

    def median(self, kind: str) -> float:
        """Return the median of the seconds of a kind."""
        return statistics.median(self._times[kind])

    def ratio(self, one: str, other: str) -> Ratio:
        """Return how many times as long `one` takes as `other`."""
        ratios = [a / b for a, b in zip(self._times[one], self._times[other], strict=True)]
        return Ratio(statistics.median(ratios), min(ratios), max(ratios))

    def __str__(self) -> str:
        return ", ".join(f"{kind} {self.median(kind):.2f} s" for kind in self._times)
