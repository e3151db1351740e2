"""An interrupted run, as its journals show it: the tests that have passed."""

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask import UsageError
from pytest_webtask.journal import RUNS
from pytest_webtask.run.resume import read_earlier

STEP = {"kind": "step_started", "test": "t", "step": 1, "step_kind": "do", "sentence": "buy"}


def phases(test: str = "t", **outcomes: str) -> list[dict[str, Any]]:
    """The lines of a test's phases, which have passed if nothing else is said."""
    by_phase = {"setup": "passed", "call": "passed", "teardown": "passed", **outcomes}
    return [
        {"kind": "phase_ended", "test": test, "phase": w, "outcome": o}
        for w, o in by_phase.items()
        if o
    ]


def run(folder: Path, name: str, *lines: Any, **fields: Any) -> set[str]:
    """The tests that passed in a run with these lines; a string is a raw line."""
    path = folder / RUNS / name / "main.jsonl"
    path.parent.mkdir(parents=True)
    begun = {"kind": "run_started", "pid": 1, **fields}
    written = [
        line if isinstance(line, str) else json.dumps({"time": at, **line})
        for at, line in enumerate([begun, *lines])
    ]
    path.write_text("\n".join(written) + "\n")
    return read_earlier(folder)[1]


class TestWhatHasPassed:
    @pytest.mark.parametrize(
        ("outcomes", "passed"),
        [
            ({}, True),
            ({"call": "failed"}, False),
            ({"call": "skipped"}, False),
            ({"teardown": "failed"}, False),
            ({"setup": "failed", "call": ""}, False),
            ({"teardown": ""}, False),
            ({"call": "", "teardown": ""}, False),
        ],
    )
    def test_passed_only_if_all_phases_passed(
        self, tmp_path: Path, outcomes: dict[str, str], passed: bool
    ) -> None:
        """A test without a teardown has broken off."""
        assert bool(run(tmp_path, "1", STEP, *phases(**outcomes))) == passed

    def test_last_attempt_counts(self, tmp_path: Path) -> None:
        """A test that failed in its last attempt has not passed."""
        rerun = [{**line, "attempt": 2} for line in phases(call="failed")]
        assert not run(tmp_path, "1", *phases(), *rerun)

    @pytest.mark.parametrize("first", ["passed", "failed"])
    def test_must_have_passed_in_all_processes(self, tmp_path: Path, first: str) -> None:
        """With `--dist each` a test that failed in one process has not passed."""
        other = "failed" if first == "passed" else "passed"
        run(tmp_path, "1", *phases(call=first))
        lines = [json.dumps({"time": 9.0, **line}) for line in phases(call=other)]
        (tmp_path / RUNS / "1" / "gw1.jsonl").write_text("\n".join(lines) + "\n")
        assert not read_earlier(tmp_path)[1]

    def test_last_run_counts(self, tmp_path: Path) -> None:
        """The outcome of the last run counts; a test that it skipped because it had passed stays passed."""
        run(tmp_path, "1", *phases("a"), *phases("b"), *phases("c"))
        skipped = [phases(name, setup="skipped", call="") for name in "bc"]
        skipped[0][0]["message"] = "Skipped: passed in 1, which is resumed"
        found = run(tmp_path, "2", *phases("a", call="failed"), *skipped[0], *skipped[1])
        assert found == {"b"}

    def test_missing_run_is_an_error(self, tmp_path: Path) -> None:
        """An empty folder and an unknown run name are usage errors."""
        with pytest.raises(UsageError, match="there is no run that has ended in"):
            read_earlier(tmp_path / "nowhere")
        run(tmp_path, "1")
        with pytest.raises(UsageError, match="there is no run 7"):
            read_earlier(tmp_path, "7")
