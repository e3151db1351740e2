"""A run that broke off, by its journals: what has passed, and what may be done again."""

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

STEP = {"kind": "step", "test": "t", "step": 1, "step_kind": "do", "sentence": "buy"}
END = {"kind": "step_end", "test": "t", "step": 1, "status": "completed"}
MADE = {
    "kind": "made",
    "test": "t",
    "step": 1,
    "by": "model",
    "recorded": "auto",
    "made": {
        "kind": "do",
        "sentence": "buy",
        "decided": {"model": "m", "on": "2026-01-01"},
        "evidence": [{"check": {"kind": "url", "pattern": "/cart"}}],
    },
}


def phases(test: str = "t", **outcomes: str) -> list[dict[str, Any]]:
    """The lines of a test's phases, which have passed if nothing else is said."""
    told = {"setup": "passed", "call": "passed", "teardown": "passed", **outcomes}
    return [{"kind": "phase", "test": test, "when": w, "outcome": o} for w, o in told.items() if o]


def run(folder: Path, name: str, *lines: Any, **fields: Any) -> EarlierTests:
    """The run, as one of these lines would be gone on with; a text is a line as it stands."""
    path = folder / name / "main.jsonl"
    path.parent.mkdir(parents=True)
    begun = {"kind": "run", "version": 2, **fields}
    told = [
        line if isinstance(line, str) else json.dumps({"time": at, **line})
        for at, line in enumerate([begun, *lines])
    ]
    path.write_text("\n".join(told) + "\n")
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
    def test_only_what_passed_in_all_its_phases(
        self, tmp_path: Path, outcomes: dict[str, str], passed: bool, broken: bool
    ) -> None:
        """One whose teardown never came has broken off."""
        found = run(tmp_path, "1", STEP, *phases(**outcomes))
        assert (found.passed == {"t"}, bool(found.broken)) == (passed, broken)

    def test_the_last_attempt_counts(self, tmp_path: Path) -> None:
        """A test that was run again and failed has not passed."""
        again = [{**line, "attempt": 2} for line in phases(call="failed")]
        assert not run(tmp_path, "1", *phases(), *again).passed

    @pytest.mark.parametrize("first", ["passed", "failed"])
    def test_one_that_every_process_ran_must_have_passed_in_all(
        self, tmp_path: Path, first: str
    ) -> None:
        """As with `--dist each` of pytest-xdist."""
        other = "failed" if first == "passed" else "passed"
        run(tmp_path, "1", *phases(call=first))
        lines = [json.dumps({"time": 9.0, **line}) for line in phases(call=other)]
        (tmp_path / "1" / "gw1.jsonl").write_text("\n".join(lines) + "\n")
        assert not read_earlier(tmp_path).passed

    def test_the_last_run_counts(self, tmp_path: Path) -> None:
        """What passed and failed in the next one runs; what was skipped there stays passed."""
        run(tmp_path, "1", *phases("a"), *phases("b"))
        skipped = phases("b", setup="skipped", call="")
        found = run(tmp_path, "2", *phases("a", call="failed"), *skipped, resumes="1")
        assert found.passed == {"b"}

    def test_a_run_that_does_not_go_on_with_another_stands_alone(self, tmp_path: Path) -> None:
        """Only what is gone on with counts."""
        run(tmp_path, "1", *phases("a"))
        assert not run(tmp_path, "2", *phases("b", call="failed")).passed

    def test_runs_that_go_on_with_each_other_end(self, tmp_path: Path) -> None:
        """However odd a journal is."""
        run(tmp_path, "1", *phases("a"), resumes="2")
        assert run(tmp_path, "2", resumes="1").passed == {"a"}
        assert run(tmp_path, "3", resumes="3").passed == set()

    @pytest.mark.parametrize(
        "error", ["ModelError: gone", "x.OutOfBudget: 5", "PageError: crashed"]
    )
    def test_an_error_that_is_no_verdict_has_broken_it_off(
        self, tmp_path: Path, error: str
    ) -> None:
        """So that it may go on where it was."""
        lines = [{**line, "raised": error} for line in phases(call="failed")]
        assert set(run(tmp_path, "1", STEP, *lines).broken) == {"t"}

    def test_there_must_be_one(self, tmp_path: Path) -> None:
        """An empty folder holds none, and a name must be that of one."""
        with pytest.raises(UsageError, match="no run to go on with"):
            read_earlier(tmp_path / "nowhere")
        run(tmp_path, "1")
        with pytest.raises(UsageError, match="there is no run 7"):
            read_earlier(tmp_path, "7")


class TestWhatWasDone:
    def test_a_step_that_ended_is_done_again(self, tmp_path: Path) -> None:
        """As it was journaled."""
        broken = run(tmp_path, "1", STEP, MADE, END).broken["t"]
        before = broken.steps["", 1]
        assert before.ended and before.made is not None and not before.as_ever
        assert not broken.impossible

    @pytest.mark.parametrize(
        "more",
        [
            [{**MADE, "by": "literal"}],
            [{**MADE, "by": "recording", "recorded": ""}],
            [MADE, {"kind": "proposal", "test": "t", "step": 1}],
        ],
    )
    def test_what_is_its_own_sentence_or_recording_is_done_as_ever(
        self, tmp_path: Path, more: list[dict[str, Any]]
    ) -> None:
        """So is what was healed: a proposal that nobody has accepted is not recorded by a detour."""
        before = run(tmp_path, "1", STEP, *more, END).broken["t"].steps["", 1]
        assert before.as_ever

    def test_what_could_not_be_recorded_cannot_be_done_again(self, tmp_path: Path) -> None:
        """The test starts over, and this is why."""
        unrecorded = {"kind": "unrecorded", "test": "t", "step": 1, "why": "no locator"}
        broken = run(tmp_path, "1", STEP, MADE, unrecorded, END).broken["t"]
        assert broken.impossible == "do('buy') could not be recorded, and so cannot be done again"

    def test_of_the_last_iteration_the_calls_that_were_over(self, tmp_path: Path) -> None:
        """The one that was under way is not among them."""
        made = {"tool": "click", "parameters": {}, "success": True, "seconds": 0.1}
        line = {"kind": "call", "test": "t", "step": 1, **made}
        decided = {"kind": "decision", "test": "t", "step": 1}
        whole = {"kind": "iteration", "test": "t", "step": 1, "calls": [made], "usage": {}}
        before = (
            run(tmp_path, "1", STEP, decided, line, whole, decided, line).broken["t"].steps["", 1]
        )
        assert [call.tool for call in before.calls] == ["click", "click"] and not before.ended

    @pytest.mark.parametrize(
        "odd",
        [
            "}{",
            '{"time": 3, "kind": "step", "test": "t", "step": "one"}',
            '{"time": 3, "kind": "step", "test": ["t"], "step": 1}',
            '{"time": 3, "kind": "step_end", "test": "t", "step": 1, "status": ["completed"]}',
            '{"time": 3, "kind": "iteration", "test": "t", "step": 1, "usage": {"model_calls": "x"}}',
            '{"time": 3, "kind": "iteration", "test": "t", "step": 1, "calls": [5, null]}',
            '{"time": 3, "kind": "iteration", "test": "t", "step": 1, "calls": 5}',
            '{"time": 3, "kind": "made", "test": "t", "step": 1, "made": [1]}',
            '{"time": 3, "kind": "task", "test": "t", "step": 1, "record": "x"}',
            '{"time": 3, "kind": "phase", "test": "t", "when": ["x"], "outcome": {"a": 1}}',
            '{"time": 3, "kind": "phase", "test": "t", "attempt": "x"}',
        ],
    )
    def test_a_line_that_is_odd_costs_nothing_but_itself(self, tmp_path: Path, odd: str) -> None:
        """The rest is read as ever."""
        found = run(tmp_path, "1", STEP, odd, *phases("a"))
        assert found.passed == {"a"} and set(found.broken) == {"t"}


class TestTheWayBack:
    def test_another_sentence_in_its_place_is_said_without_secrets(self) -> None:
        """As the journal has them, by their names."""
        hands: Any = SimpleNamespace(data=Data({"pin": Secret("4711-0815")}))
        lost: list[str] = []
        back = ResumedTest(
            BrokenTest("run-1", {("", 1): EarlierRun("do", "enter {pin}")}), lost.append
        )
        same = Key(kind="do", sentence="enter 4711-0815")
        assert back.replayer(same, ("", 1), hands, lambda: hands, None) is None
        back = ResumedTest(
            BrokenTest("run-1", {("", 1): EarlierRun("do", "enter {pin}")}), lost.append
        )
        other = Key(kind="do", sentence="enter 4711-0815 twice")
        with pytest.raises(
            Drifted, match=r"do\('enter \{pin\} twice'\) cannot be done again"
        ) as drift:
            back.replayer(other, ("", 1), hands, lambda: hands, None)
        assert lost == [str(drift.value)] and "4711" not in lost[0]
        assert "in its place there was do('enter {pin}')" in lost[0]

    def test_a_page_without_a_name_of_its_own_is_not_mistaken_for_another(self) -> None:
        """Its number may be another in each run."""
        back = ResumedTest(
            BrokenTest("run-1", {("", 1): EarlierRun("do", "buy")}), lambda why: None
        )
        hands: Any = SimpleNamespace(data=Data({}))
        assert (
            back.replayer(Key(kind="do", sentence="sell"), None, hands, lambda: hands, None) is None
        )
