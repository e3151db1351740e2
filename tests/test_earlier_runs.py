"""An interrupted run, as its journals show it: the passed tests, and those that may be repeated."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_webtask import Secret, UsageError
from pytest_webtask.data import Data
from pytest_webtask.errors import Drifted
from pytest_webtask.recordings.resume import (
    BrokenTest,
    EarlierRun,
    EarlierTests,
    ResumedTest,
    read_earlier,
)
from pytest_webtask.recordings.schema import Key

STEP = {"kind": "step_started", "test": "t", "step": 1, "step_kind": "do", "sentence": "buy"}
END = {"kind": "step_ended", "test": "t", "step": 1, "status": "completed"}
MADE = {
    "kind": "step_traced",
    "test": "t",
    "step": 1,
    "decided_by": "model",
    "mode": "auto",
    "trace": {
        "kind": "do",
        "sentence": "buy",
        "decided": {"model": "m", "on": "2026-01-01"},
        "evidence": [{"check": {"kind": "url", "pattern": "/cart"}}],
    },
}


def phases(test: str = "t", **outcomes: str) -> list[dict[str, Any]]:
    """The lines of a test's phases, which have passed if nothing else is said."""
    by_phase = {"setup": "passed", "call": "passed", "teardown": "passed", **outcomes}
    return [
        {"kind": "phase_ended", "test": test, "phase": w, "outcome": o}
        for w, o in by_phase.items()
        if o
    ]


def run(folder: Path, name: str, *lines: Any, **fields: Any) -> EarlierTests:
    """The run, as one of these lines would be gone on with; a text is a line as it stands."""
    path = folder / name / "main.jsonl"
    path.parent.mkdir(parents=True)
    begun = {"kind": "run_started", "pid": 1, **fields}
    written = [
        line if isinstance(line, str) else json.dumps({"time": at, **line})
        for at, line in enumerate([begun, *lines])
    ]
    path.write_text("\n".join(written) + "\n")
    return read_earlier(folder)


class TestWhatHasPassed:
    @pytest.mark.parametrize(
        ("outcomes", "passed", "broken"),
        [
            ({}, True, False),
            ({"call": "failed"}, False, False),
            ({"call": "skipped"}, False, False),
            ({"teardown": "failed"}, False, False),
            ({"setup": "failed", "call": ""}, False, False),
            ({"teardown": ""}, False, True),
            ({"call": "", "teardown": ""}, False, True),
        ],
    )
    def test_passed_only_if_all_phases_passed(
        self, tmp_path: Path, outcomes: dict[str, str], passed: bool, broken: bool
    ) -> None:
        """A test without a teardown has broken off."""
        found = run(tmp_path, "1", STEP, *phases(**outcomes))
        assert (found.passed == {"t"}, bool(found.broken)) == (passed, broken)

    def test_last_attempt_counts(self, tmp_path: Path) -> None:
        """A test that failed in its last attempt has not passed."""
        rerun = [{**line, "attempt": 2} for line in phases(call="failed")]
        assert not run(tmp_path, "1", *phases(), *rerun).passed

    @pytest.mark.parametrize("first", ["passed", "failed"])
    def test_must_have_passed_in_all_processes(self, tmp_path: Path, first: str) -> None:
        """With `--dist each` a test that failed in one process has not passed."""
        other = "failed" if first == "passed" else "passed"
        run(tmp_path, "1", *phases(call=first))
        lines = [json.dumps({"time": 9.0, **line}) for line in phases(call=other)]
        (tmp_path / "1" / "gw1.jsonl").write_text("\n".join(lines) + "\n")
        assert not read_earlier(tmp_path).passed

    def test_last_run_counts(self, tmp_path: Path) -> None:
        """The outcome of the resuming run counts; a test that it skipped stays passed."""
        run(tmp_path, "1", *phases("a"), *phases("b"))
        skipped = phases("b", setup="skipped", call="")
        found = run(tmp_path, "2", *phases("a", call="failed"), *skipped, resumes="1")
        assert found.passed == {"b"}

    def test_unrelated_run_is_ignored(self, tmp_path: Path) -> None:
        """Only runs that the newest one resumed count."""
        run(tmp_path, "1", *phases("a"))
        assert not run(tmp_path, "2", *phases("b", call="failed")).passed

    def test_circular_resumes_end(self, tmp_path: Path) -> None:
        """Runs that resume each other are read without an endless loop."""
        run(tmp_path, "1", *phases("a"), resumes="2")
        assert run(tmp_path, "2", resumes="1").passed == {"a"}
        assert run(tmp_path, "3", resumes="3").passed == set()

    @pytest.mark.parametrize(
        "error", ["ModelError: gone", "x.OutOfBudget: 5", "PageError: crashed"]
    )
    def test_error_without_a_verdict_breaks_a_test_off(self, tmp_path: Path, error: str) -> None:
        """A test that ended with an error other than a verdict can be resumed."""
        lines = [{**line, "errors": error} for line in phases(call="failed")]
        assert set(run(tmp_path, "1", STEP, *lines).broken) == {"t"}

    def test_missing_run_is_an_error(self, tmp_path: Path) -> None:
        """An empty folder and an unknown run name are usage errors."""
        with pytest.raises(UsageError, match="there is no run in"):
            read_earlier(tmp_path / "nowhere")
        run(tmp_path, "1")
        with pytest.raises(UsageError, match="there is no run 7"):
            read_earlier(tmp_path, "7")


class TestWhatWasDone:
    def test_ended_step_is_restored(self, tmp_path: Path) -> None:
        """A step that ended is restored from its trace in the journal."""
        broken = run(tmp_path, "1", STEP, MADE, END).broken["t"]
        before = broken.steps["", 1]
        assert before.ended and before.trace is not None and not before.runs_normally
        assert not broken.impossible

    @pytest.mark.parametrize(
        "more",
        [
            [{**MADE, "decided_by": "literal"}],
            [{**MADE, "decided_by": "recording", "mode": ""}],
            [MADE, {"kind": "heal_proposed", "test": "t", "step": 1}],
        ],
    )
    def test_literal_recorded_and_healed_steps_are_not_restored(
        self, tmp_path: Path, more: list[dict[str, Any]]
    ) -> None:
        """Steps with a literal sentence, a recording or a proposed heal are done as in any run."""
        before = run(tmp_path, "1", STEP, *more, END).broken["t"].steps["", 1]
        assert before.runs_normally

    def test_unrecorded_step_cannot_be_restored(self, tmp_path: Path) -> None:
        """The error gives the reason, and the test starts over."""
        unrecorded = {"kind": "step_unrecorded", "test": "t", "step": 1, "reason": "no locator"}
        broken = run(tmp_path, "1", STEP, MADE, unrecorded, END).broken["t"]
        assert broken.impossible == "do('buy') could not be recorded, so it can't be repeated"

    def test_calls_of_an_unfinished_iteration_are_kept(self, tmp_path: Path) -> None:
        """Finished calls of the last iteration are restored; the call in progress is not."""
        made = {"tool": "click", "parameters": {}, "success": True, "time": 0.1}
        line = {"kind": "tool_called", "test": "t", "step": 1, "call": made}
        decided = {"kind": "decision_made", "test": "t", "step": 1, "number": 1}
        iteration = {"number": 1, "role": "worker", "calls": [made], "started": 0.0, "time": 1.0}
        whole = {"kind": "iteration_ended", "test": "t", "step": 1, "iteration": iteration}
        before = (
            run(tmp_path, "1", STEP, decided, line, whole, decided, line).broken["t"].steps["", 1]
        )
        assert [call.tool for call in before.calls] == ["click", "click"] and not before.ended

    @pytest.mark.parametrize(
        "odd",
        [
            "}{",
            '{"time": 3, "kind": "step_started", "test": "t", "step": "one"}',
            '{"time": 3, "kind": "step_started", "test": ["t"], "step": 1}',
            '{"time": 3, "kind": "step_ended", "test": "t", "step": 1, "status": ["completed"]}',
            '{"time": 3, "kind": "iteration_ended", "test": "t", "step": 1, "iteration": {"usage": {"model_calls": "x"}}}',
            '{"time": 3, "kind": "iteration_ended", "test": "t", "step": 1, "iteration": {"calls": [5, null]}}',
            '{"time": 3, "kind": "iteration_ended", "test": "t", "step": 1, "iteration": 5}',
            '{"time": 3, "kind": "step_traced", "test": "t", "step": 1, "trace": [1]}',
            '{"time": 3, "kind": "task_changed", "test": "t", "step": 1, "record": "x"}',
            '{"time": 3, "kind": "phase_ended", "test": "t", "phase": ["x"], "outcome": {"a": 1}}',
            '{"time": 3, "kind": "phase_ended", "test": "t", "attempt": "x", "phase": "call", "outcome": "passed"}',
        ],
    )
    def test_unreadable_line_is_skipped(self, tmp_path: Path, odd: str) -> None:
        """An unreadable line does not keep the others from being read."""
        found = run(tmp_path, "1", STEP, odd, *phases("a"))
        assert found.passed == {"a"} and set(found.broken) == {"t"}


class TestTheWayBack:
    def test_changed_sentence_is_reported_without_secrets(self) -> None:
        """The error shows both sentences with the names of their secrets."""
        data = Data({"pin": Secret("4711-0815")})
        resolver: Any = SimpleNamespace(context=SimpleNamespace(data=data))
        lost: list[str] = []
        back = ResumedTest(
            BrokenTest("run-1", {("", 1): EarlierRun("do", "enter {pin}")}), lost.append
        )
        same = Key(kind="do", sentence="enter 4711-0815", occurrence=1)
        assert back.replayer(same, ("", 1), resolver, None) is None
        back = ResumedTest(
            BrokenTest("run-1", {("", 1): EarlierRun("do", "enter {pin}")}), lost.append
        )
        other = Key(kind="do", sentence="enter 4711-0815 twice", occurrence=1)
        with pytest.raises(
            Drifted, match=r"do\('enter \{pin\} twice'\) can't be repeated"
        ) as drift:
            back.replayer(other, ("", 1), resolver, None)
        assert lost == [str(drift.value)] and "4711" not in lost[0]
        assert "the interrupted run had do('enter {pin}') in its place" in lost[0]

    def test_unnamed_page_is_not_matched_by_number(self) -> None:
        """The number of an unnamed page differs between runs, so a step of another sentence is not restored."""
        back = ResumedTest(
            BrokenTest("run-1", {("", 1): EarlierRun("do", "buy")}), lambda why: None
        )
        resolver: Any = SimpleNamespace(context=SimpleNamespace(data=Data({})))
        assert (
            back.replayer(Key(kind="do", sentence="sell", occurrence=1), None, resolver, None)
            is None
        )
