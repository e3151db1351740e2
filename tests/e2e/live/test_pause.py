"""Runs that pause at a failed step, and go on when somebody says so."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_webtask.desk.desk import FOLDER, Desk
from tests import nested
from tests.e2e.live.conftest import Say, answer_to
from tests.recordings.made import approved, call, check, recorded, step, target

pytestmark = [pytest.mark.slow, pytest.mark.real_time]

SUITE = """
def test_saves(webtask):
    webtask.goto("/")
    webtask.do('fill "Note" with {code}, click "Save"')
    webtask.verify('"Saved figs" is visible', timeout=0)

def test_keeps(webtask):
    webtask.goto("/")
    webtask.do("keep the note")

def test_total(webtask):
    webtask.goto("/")
    webtask.verify('"Total" shows "$4.00"', timeout=0)
"""
KEEP = approved(
    step(
        call("click", target('get_by_role("button", name="Keep")', role="button", name="Keep")),
        sentence="keep the note",
        evidence=[check("text", 'get_by_role("status")', text="Saved")],
    )
)
Run = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def run(project: Path) -> Iterator[Run]:
    """Starts a run that pauses at failures; what it prints is in `log`."""
    runs: list[subprocess.Popen[bytes]] = []

    def run(*options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "pytest", "--webtask-pause=failure", *options]
        with Path("log").open("w") as log:
            runs.append(subprocess.Popen(command, stdout=log, stderr=log))
        return runs[-1]

    yield run
    for each in runs:
        each.kill()
        each.wait()


def test_failed_step_is_taken_over_and_called_a_bug(run: Run, say: Say, project: Path) -> None:
    """At each failure the run waits with its page; what was found out is in the failure's message."""
    (project / "test_it.py").write_text(SUITE)
    recorded("recordings/test_it/test_keeps.json", KEEP)
    process = run()
    code, text = say("session", "wait")
    assert code == 1 and text.startswith("PAUSED at step 3 of test_it.py::test_saves")
    assert "'\"Saved figs\" is visible' does not hold" in text and "Saved {code}" in text
    assert '[button-0 "Save"' in text and "plum-cake-9" not in text
    assert say("session", "redo")[0] == 1
    assert say("session", "do", 'fill "Note" with "figs" and click "Save"')[0] == 0
    code, text = say("session", "redo")
    assert code == 0
    assert text.startswith("  verifier 1/20 report_verdict\nholds (no model was asked")

    code, text = say("session", "bug", "the note plum-cake-9 is saved as it is")
    assert code == 1 and text.startswith("PAUSED at step 2 of test_it.py::test_keeps")
    assert 'recorded as:\n  # keep the note\n  page.get_by_role("button", name="Keep")' in text
    code, text = say("session", "resume")
    assert code == 1 and text.startswith("PAUSED at step 2 of test_it.py::test_total")
    code, text = say("session", "stop")
    assert code == 4 and "the session has ended" in text
    assert process.wait(60) == 1
    log = Path("log").read_text()
    assert "3 failed" in log and "session wait" in log and "plum-cake-9" not in log
    assert "E       done once more while the run was paused: it failed as well" in log
    assert "E       done once more while the run was paused: it passed" in log
    assert "E       called a bug: the note {code} is saved as it is" in log
    assert "was called a bug: the note {code}" in log and "was done once more" in log


def test_redo_proposes_a_heal(run: Run, say: Say, project: Path) -> None:
    """Whoever took over decides how the step is done now; it can be accepted, and then replays."""
    (project / "test_it.py").write_text(SUITE)
    recorded("recordings/test_it/test_keeps.json", KEEP)
    run("-k", "keeps", "--webtask-mode=replay")
    code, text = say("session", "wait")
    assert code == 1 and 'get_by_role("button", name="Keep")' in text
    code, text = say("session", "redo")
    assert code == 3 and "Task: keep the note" in text
    turn, calls = answer_to(text, "click", element_id="button-0", reason="saves")
    code, text = say("answer", turn, "--next", calls=calls)
    evidence = [{"kind": "text", "element_id": "status-0", "text": "Saved"}]
    turn, calls = answer_to(text, "mark_done", summary="kept", evidence=evidence, reason="it is")
    code, text = say("answer", turn, "--next", calls=calls)
    turn, calls = answer_to(text, "rule", counterexample="", proves=True, missing="")
    assert say("answer", turn, calls=calls)[0] == 0
    code, text = say("session", "wait")
    assert code == 0 and "proposed for the recording:" in text
    assert "after the run: pytest-webtask accept" in text
    assert say("session", "resume")[0] == 4
    assert "1 failed" in Path("log").read_text()
    code, text = say("accept")
    assert code == 0 and "keep the note" in text
    [kept] = json.loads(Path("recordings/test_it/test_keeps.json").read_text())["steps"]
    assert kept["evidence"][0]["check"]["text"] == "Saved"
    assert kept["calls"][0]["targets"]["element_id"]["pinned"]["name"] == "Save"
    replay = nested.run(project, "-k", "keeps", "--webtask-mode=replay", own_process=True)
    replay.assert_outcomes(passed=1, deselected=2)


def test_pause_needs_one_process_and_a_failure(project: Path) -> None:
    """With several workers the option is refused; a run whose steps succeed leaves no session."""
    result = nested.run(project, "--webtask-pause=failure", "-n2")
    assert result.ret == 4
    assert "works in one process, and this run has 2: add -n0" in nested.printed(result)
    (project / "test_it.py").write_text("def test_it(webtask):\n    webtask.goto('/')\n")
    nested.run(project, "--webtask-pause=failure").assert_outcomes(passed=1)
    assert not Desk(project / FOLDER / "failure").is_open


def test_one_worker_pauses(run: Run, say: Say, project: Path) -> None:
    """A single worker of xdist pauses like a run without xdist."""
    (project / "test_it.py").write_text(SUITE)
    process = run("-n1", "-k", "total")
    code, text = say("session", "wait")
    assert code == 1 and text.startswith("PAUSED at step 2 of test_it.py::test_total")
    assert say("session", "bug", "$3.50 instead of $4.00")[0] == 4
    assert process.wait(60) == 1
    assert "bug: $3.50 instead of $4.00" in Path("log").read_text()
