"""Runs of the suite: recorded once, then run for each change in a folder of its own."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.foreign_drift.change import Change
from benchmarks.foreign_drift.pages import PAGES, page_of
from benchmarks.foreign_drift.serving import Served
from tests import nested

_HERE = Path(__file__).parent
MODEL = "benchmarks.foreign_drift.script:Player"
_SOURCES = {
    "suite.py": "test_foreign.py",
    "suite_by_hand.py": "test_by_hand.py",
    "suite_conftest.py": "conftest.py",
}
TIMEOUT = 2
"""Seconds that an action or a claim may take, but for changes that are slow by themselves."""


@dataclass(frozen=True)
class Outcome:
    """What a run made of a change: `output` are the lines of the failure, `log` the page's own.

    `applied` is false for a change that the test has not met. `marks` counts the clicks and inputs
    on elements that the change has marked as right or wrong.
    """

    change: Change
    failed: bool
    output: str
    seconds: float
    log: Sequence[dict[str, str]] = field(repr=False, default=())

    @property
    def applied(self) -> bool:
        return any(entry["what"] == "applied" for entry in self.log)

    @property
    def marks(self) -> Counter[str]:
        return Counter(entry["mark"] for entry in self.log if entry.get("mark"))

    @property
    def as_expected(self) -> bool:
        """What is harmless passes, a bug fails, of decoys none is acted upon."""
        if self.change.side == "decoy":
            return not self.marks["wrong"] and (self.failed or bool(self.marks["right"]))
        return self.failed == (self.change.side == "bug")


class Runs:
    """The suite in `folder`; `cache` keeps the packages. `project` is the folder of its tests."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self._folder = folder
        self.project = folder / "project"
        self.project.mkdir()
        self._numbers = itertools.count(1)
        for source, name in _SOURCES.items():
            shutil.copy(_HERE / source, self.project / name)
        (self.project / "pytest.ini").write_text("[pytest]\n")
        self._served = {name: Served(page, cache) for name, page in PAGES.items()}

    def stop(self) -> None:
        """Stop the servers."""
        for served in self._served.values():
            served.stop()

    def record(self) -> str:
        """Record the suite on the pages without changes. Raises if a test fails."""
        result = self._pytest(self.project, "test_foreign.py", f"--webtask-model={MODEL}")[0]
        assert result.ret == 0, nested.printed(result)
        return str(result.stdout)

    def replay(self, *options: str) -> str:
        """What went wrong on pages without changes, "" if nothing did."""
        result = self._pytest(self.project, "test_foreign.py", *options)[0]
        return "" if result.ret == 0 else nested.printed(result)

    def all(
        self, changes: Sequence[Change], *options: str, tell: Callable[[Outcome], None]
    ) -> list[Outcome]:
        """The outcome of each change, in their order; `tell` is called with each."""
        outcomes = []
        for change in changes:
            outcomes.append(self.one(change, *options))
            tell(outcomes[-1])
        return outcomes

    def one(self, change: Change, *options: str) -> Outcome:
        """The outcome of a change, with the test that it affects."""
        project = self._folder / f"run-{next(self._numbers)}"
        # A copy, so that no run finds what another has left.
        shutil.copytree(self.project, project, ignore=shutil.ignore_patterns(".webtask"))
        served = self._served[page_of(change.test)]
        served.change = change
        start = time.monotonic()
        try:
            limit = () if change.slow else (f"--webtask-timeout={TIMEOUT}",)
            test = f"test_foreign.py::{change.test}"
            result, log = self._pytest(project, *limit, *options, test)
        finally:
            served.change = None
        seconds = time.monotonic() - start
        text = nested.printed(result)
        assert result.ret in (0, 1), f"{change.label}:\n{text}"
        lines = [line[1:].strip() for line in text.splitlines() if line.startswith("E ")]
        output = "\n".join(line for line in lines if line)
        shutil.rmtree(project, ignore_errors=True)
        return Outcome(change, result.ret == 1, output, seconds, log)

    def _pytest(self, project: Path, *options: str):  # type: ignore[no-untyped-def]
        log = self._folder / f"log-{next(self._numbers)}.json"
        os.environ["DRIFT_LOG"] = str(log)
        os.environ["DRIFT_PAGES"] = json.dumps({k: s.url for k, s in self._served.items()})
        result = nested.run(project, "--tb=short", *options)
        return result, json.loads(log.read_text()) if log.exists() else []
