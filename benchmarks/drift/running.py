"""Runs of the suite, each a pytest process of its own with a shop of its own."""

from __future__ import annotations

import itertools
import os
import queue
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.drift.shop import Change, DriftingShop

_HERE = Path(__file__).parent
MODEL = "benchmarks.drift.script:Player"
AT_ONCE = 2


@dataclass(frozen=True)
class Outcome:
    """What a run of the suite made of a change: `said` are the first lines of the first failure.

    `applied` counts how often the change took place.
    """

    change: Change
    failed: bool
    applied: int
    output: str

    @property
    def right(self) -> bool:
        """A bug is caught, what is harmless passes."""
        return self.failed == (self.change.kind == "bug")


class Runs:
    """The suite in `folder`, which is recorded once and then run for each change."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._project = folder / "project"
        self._project.mkdir()
        self._numbers = itertools.count(1)
        shutil.copy(_HERE / "suite.py", self._project / "test_shop.py")
        shutil.copy(_HERE / "suite_conftest.py", self._project / "conftest.py")
        (self._project / "pytest.ini").write_text("[pytest]\n")
        self._shops: queue.Queue[DriftingShop] = queue.Queue()
        for number in range(AT_ONCE):
            place = folder / f"shop{number}"
            place.mkdir()
            self._shops.put(DriftingShop(place))

    def stop(self) -> None:
        """Stop the shops."""
        while not self._shops.empty():
            self._shops.get().stop()

    def record(self) -> str:
        """Record the suite on the shop without changes; what pytest said. Raises if a test fails."""
        with self._shop(None) as shop:
            run = self._pytest(self._project, shop, f"--webtask-model={MODEL}")
        assert run.returncode == 0, run.stdout + run.stderr
        return run.stdout

    def all(self, changes: Sequence[Change], *options: str) -> list[Outcome]:
        """The outcome of each change, in their order."""
        with ThreadPoolExecutor(AT_ONCE) as pool:
            return list(pool.map(lambda change: self.one(change, *options), changes))

    def one(self, change: Change, *options: str) -> Outcome:
        """The outcome of a change, with the tests that it can affect."""
        tests = [f"test_shop.py::{name}" for name in change.tests]
        with self._shop(change) as shop:
            # A copy, so that no run finds what another has left.
            project = self._folder / f"run-{next(self._numbers)}"
            shutil.copytree(self._project, project, ignore=shutil.ignore_patterns(".webtask"))
            run = self._pytest(project, shop, "-x", *options, *tests)
            applied = shop.applied
        assert run.returncode in (0, 1), f"{change.name}:\n{run.stdout}\n{run.stderr}"
        lines = [line[1:].strip() for line in run.stdout.splitlines() if line.startswith("E ")]
        output = "\n".join(line for line in lines if line)
        return Outcome(change, run.returncode == 1, applied, output)

    @contextmanager
    def _shop(self, change: Change | None) -> Iterator[DriftingShop]:
        shop = self._shops.get()
        shop.make(change)
        try:
            yield shop
        finally:
            self._shops.put(shop)

    def _pytest(
        self, project: Path, shop: DriftingShop, *options: str
    ) -> subprocess.CompletedProcess[str]:
        # Where CI is set, nothing would be recorded.
        env = {k: v for k, v in os.environ.items() if k not in ("CI", "PYTEST_ADDOPTS")}
        return subprocess.run(
            [sys.executable, "-m", "pytest", "--tb=short", "-p", "no:cacheprovider", *options],
            cwd=project,
            env={**env, "DRIFT_SHOP": shop.url},
            capture_output=True,
            text=True,
            timeout=300,
        )
