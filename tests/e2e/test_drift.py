"""Recording only what drifted: the steps that the model is asked about, and what is reported."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytest_webtask.journal import ModelNeeded, StepTraced
from tests.recordings.inner import Project, Run, project

PAGE = """<h1>Notes</h1><p id=total>Total: 5</p><p role=status id=out></p>
<button onclick="out.textContent = 'Welcome, Ann'; more.hidden = false">Log in</button>
<button onclick="out.textContent = 'Saved'">Save</button>
<button onclick="out.textContent = 'Gone'">Clear</button><a id=more href=/out hidden>Log out</a>"""
REDESIGNED = (
    PAGE.replace(">Log in<", ">Sign in<")
    .replace(">Save<", ">Keep<")
    .replace("'Saved'", "'Kept'")
    .replace(">Clear<", ">Wipe<")
    .replace("Total: 5", "Total: 6")
)
PLAYS = """
"log in": [
    act("click", "button:Log in"), done(text("status:Welcome", "Welcome"), text("link:Log", "Log out"))
],
"save it": [act("click", "button:Save"), done(text("status:Saved", "Saved"))],
"clear it": [act("click", "button:Clear"), done(text("status:Gone", "Gone"))],
"the heading is Notes": [holds(text("heading:Notes", "Notes"))],
"the total is 5": [holds(text("text:Total", "Total: 5"))],
"""
ANEW = """
"log in": [act("click", "button:Sign in"), done(text("status:Welcome", "Welcome"))],
"save it": [act("click", "button:Keep"), done(text("status:Kept", "Kept"))],
"clear it": [act("click", "button:Wipe"), done(text("status:Gone", "Gone"))],
"""
TESTS = """
import pytest

@pytest.fixture(autouse=True)
def _open(webtask):
    webtask.goto("/")

def log_in(webtask):
    webtask.do("log in")

def test_first(webtask):
    log_in(webtask)
    webtask.verify("the heading is Notes")

def test_second(webtask):
    log_in(webtask)
    webtask.do("clear it")

@pytest.mark.parametrize("case", ["a", "b"])
def test_case(webtask, case):
    webtask.verify("the heading is Notes")
    webtask.do("save it")

def test_steady(webtask):
    webtask.verify("the heading is Notes")

def test_wrong(webtask):
    webtask.verify("the total is 5")
"""
NEW = """
def test_new(webtask):
    webtask.verify("the title is Notes")
    webtask.verify("the total is not 7")
    webtask.do('click "Keep"')
"""
RECORD = ("--webtask-mode=record", "--webtask-only-drifted")


def redesign(inner: Project, plays: str) -> None:
    """Change the page, and the script of the model."""
    inner.site.pages["/"] = REDESIGNED
    imports = (inner.root / "plays.py").read_text().partition("PLAYS =")[0]
    inner.write("plays.py", f"{imports}PLAYS = {{{plays}}}\n")


def record(inner: Project) -> None:
    """Record the tests before the redesign."""
    inner.site.pages["/"] = PAGE
    first = inner.run()
    assert set(first.outcomes.values()) == {"passed"}, first.printed


def missing(inner: Project, *args: str) -> list[str]:
    """The lines that `pytest-webtask missing` prints, without those on tokens."""
    command = [sys.executable, "-m", "pytest_webtask.cli", "missing", *args]
    done = subprocess.run(command, cwd=inner.root, capture_output=True, text=True, check=False)
    return [line for line in (done.stdout + done.stderr).splitlines() if line]


def recorded_by_model(run: Run) -> list[str]:
    """The sentences of the steps that the model has recorded."""
    return [e.trace.sentence for e in run.events(StepTraced) if e.trace and e.mode]


@dataclass(frozen=True)
class Redesign:
    """A redesign: the replay that shows it, what was missing then, the recording, and the replay after it."""

    ci: Run
    missing: list[str]
    anew: Run
    after: Run
    before: dict[str, list[dict[str, object]]]
    inner: Project


@pytest.fixture(scope="module")
def redesigned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redesign]:
    """The tests before, during and after the recording of what drifted."""
    with project(tmp_path_factory.mktemp("drift"), PLAYS, TESTS) as inner:
        record(inner)
        before = {name: inner.steps(name) for name in ("log_in", "test_second", "test_case")}
        redesign(inner, ANEW)
        inner.write("test_it.py", TESTS + NEW)
        ci = inner.run(ci="true")
        listed = missing(inner)
        anew = inner.run(*RECORD, ci="true")
        yield Redesign(ci, listed, anew, inner.run(ci="true"), before, inner)


def test_missing_lists_each_step_once(redesigned: Redesign) -> None:
    """Each step that drifted or has no recording is listed once, whichever tests use it."""
    lines = redesigned.missing
    listed = lines[: lines.index(next(each for each in lines if "would ask a model" in each))]
    assert [each.strip() for each in listed if each.startswith("  ")] == [
        'do "log in"  [drifted; no figures yet]',
        'do "save it"  [drifted; no figures yet]',
        'verify "the title is Notes"  [no recording; no figures yet]',
    ]
    assert (
        "3 steps would ask a model (2 drifted, 1 no recording): no figures of tokens yet" in lines
    )


def test_missing_lists_steps_that_were_not_reached(redesigned: Redesign) -> None:
    """The steps behind one that failed are listed apart, without literal ones."""
    lines = redesigned.missing
    behind = [each.strip() for each in lines if "[not reached" in each]
    assert sorted(behind) == [
        'do "clear it"  [not reached; no figures yet]',
        'verify "the heading is Notes"  [not reached; no figures yet]',
        'verify "the total is not 7"  [not reached; no figures yet]',
    ]


CASES = {"test_case[chromium-a]", "test_case[chromium-b]"}


def test_only_drifted_steps_are_recorded(redesigned: Redesign) -> None:
    """The model is asked once for each drifted step, also behind another one, and for no other."""
    anew = redesigned.anew
    assert sorted(recorded_by_model(anew)) == ["clear it", "log in", "save it"]
    assert set(anew.tasks) == {"clear it", "log in", "save it"}
    passed = {name for name, outcome in anew.outcomes.items() if outcome == "passed"}
    assert passed == {"test_first", "test_second", "test_steady", *CASES}


def test_other_steps_keep_their_recordings(redesigned: Redesign) -> None:
    """Recordings change only in the steps that drifted."""
    assert sorted(Path(each).stem for each in redesigned.anew.changed) == [
        "log_in",
        "test_case",
        "test_second",
    ]
    before, after = redesigned.before["test_case"], redesigned.inner.steps("test_case")
    assert after[0] == before[0] and after[1] != before[1] and len(after) == 2


def test_recorded_steps_replay(redesigned: Redesign) -> None:
    """Afterwards all tests replay but the one whose check failed and the one without a recording."""
    failed = {name for name, each in redesigned.after.outcomes.items() if each != "passed"}
    assert failed == {"test_wrong", "test_new"}
    assert not redesigned.after.events(ModelNeeded, "test_first")


def test_changed_evidence_is_listed(redesigned: Redesign) -> None:
    """The summary shows the evidence before and after in words, and flags what is weaker."""
    printed = redesigned.anew.printed
    assert "recorded again: 3 steps, 2 flagged (!)" in printed
    log_in = printed.partition('  do "log in"\n')[2].partition("\nrecordings/")[0].splitlines()
    assert [line.strip() for line in log_in] == [
        '- link: text exactly "Log out"',
        "! weaker: now 1 check, before 2",
        '! weaker: no longer checks link: text exactly "Log out"',
    ]
    save = printed.partition('  do "save it"\n')[2].splitlines()
    assert save[:3] == [
        '    - status: text exactly "Saved"',
        '    + status: text exactly "Kept"',
        '    ! different: now expects "Kept", before "Saved": status',
    ]
    clear = printed.partition('  do "clear it"\n')[2].splitlines()
    assert clear[0] == "    the same evidence"


def test_failed_check_is_not_recorded(redesigned: Redesign) -> None:
    """A step whose check failed is named as a bug, and the model is not asked about it."""
    assert "VerificationFailed" in redesigned.anew.tests["test_wrong"].message
    assert (
        "not recorded: verify('the total is 5'): its check failed, which is probably a bug\n"
        '  if the page is right: pytest "test_it.py::test_wrong[chromium]" --webtask-mode=record'
    ) in redesigned.anew.printed


def test_test_that_did_not_drift_asks_no_model(redesigned: Redesign) -> None:
    """A step without a recording fails as in a replay, if its test did not drift."""
    message = redesigned.anew.tests["test_new"].message
    assert "MissingRecording" in message
    assert "only tests that drifted are recorded in this run" in message


def test_recorded_run_has_nothing_left(redesigned: Redesign) -> None:
    """Once what drifted was recorded, the same run has no drifted step any more."""
    run = redesigned.ci.folder
    assert run is not None
    second = redesigned.inner.run(*RECORD[:1], f"{RECORD[1]}={run.name}")
    assert second.code == pytest.ExitCode.USAGE_ERROR
    assert f"all steps that drifted in the run {run.name} were recorded" in second.printed
    assert "1 check failed in it, which is probably a bug" in second.printed


ONE = """
import pytest

@pytest.fixture
def opened(webtask):
    webtask.goto("/")
    webtask.do("log in")
    return webtask

def test_save(opened):
    opened.do("save it")

def test_clear(opened):
    opened.do("clear it")
"""
UNABLE = 'act("abort", reason="no such button")'


@pytest.fixture
def inner(tmp_path: Path) -> Iterator[Project]:
    """A recorded project whose log-in is in a fixture."""
    with project(tmp_path, PLAYS, ONE) as inner:
        yield inner


def test_run_is_found_or_refused(inner: Project) -> None:
    """A run is named by name, folder or journal; anything else is an error that says what to type."""
    none = inner.run(*RECORD)
    assert none.code == pytest.ExitCode.USAGE_ERROR
    assert "no run is kept in" in none.printed
    record(inner)
    nothing = inner.run(*RECORD)
    assert nothing.code == pytest.ExitCode.USAGE_ERROR
    assert "no step drifted in the run" in nothing.printed
    redesign(inner, ANEW.replace('act("click", "button:Wipe")', UNABLE))
    ci = inner.run("--webtask-mode=replay")
    assert ci.folder is not None
    for args, problem in {
        ("--webtask-only-drifted",): "add --webtask-mode=record",
        (*RECORD, "test_it.py"): "test_it.py is not a run",
        (RECORD[0], "--webtask-only-drifted=other"): "there is no run 'other'",
        (RECORD[0], "--webtask-only-drifted="): "expected the name or the folder of a run",
    }.items():
        refused = inner.run(*args)
        assert refused.code == pytest.ExitCode.USAGE_ERROR
        assert problem in refused.printed
    # The newest run has no drift, but an older one.
    moved = ci.folder.rename(inner.root / "from_ci")
    inner.run("--webtask-mode=replay", "-k", "nothing_of_the_kind")
    first = inner.run(RECORD[0], f"--webtask-only-drifted={moved / 'main.jsonl'}")
    assert first.outcomes == {"test_save": "passed", "test_clear": "failed"}
    assert sorted(recorded_by_model(first)) == ["log in", "save it"]
    # What the model could not do is still known from the last run.
    assert 'not recorded: do "clear it" in recordings/test_it/test_clear.json' in first.printed
    redesign(inner, ANEW)
    second = inner.run(*RECORD)
    assert recorded_by_model(second) == ["clear it"]
    assert set(second.outcomes.values()) == {"passed"}


def test_renamed_test_is_reported(inner: Project) -> None:
    """Steps of tests that have another name now are not recorded, and are listed."""
    record(inner)
    redesign(inner, ANEW)
    inner.run("--webtask-mode=replay", "-k", "save")
    inner.write("test_it.py", ONE.replace("test_save", "test_keep"))
    renamed = inner.run(*RECORD)
    assert renamed.outcomes == {"test_keep": "error", "test_clear": "error"}
    assert not renamed.asked
    assert (
        'not recorded: do "log in" in recordings/test_it/opened.json: test_it.py::test_keep[chromium]'
        " and 1 more did not drift in"
    ) in renamed.printed


def test_no_model_is_an_error(inner: Project) -> None:
    """A drifted step cannot be recorded without a model."""
    record(inner)
    redesign(inner, ANEW)
    inner.run("--webtask-mode=replay")
    conftest = (inner.root / "conftest.py").read_text().replace("def webtask_model", "def nothing")
    inner.write("conftest.py", conftest)
    without = inner.run(*RECORD)
    assert "is to be recorded again, but no model is set" in without.printed


def test_drift_behind_a_drift_replays_its_calls_first(inner: Project) -> None:
    """A step that drifts only now is handed over; its recording keeps the calls that still fit."""
    inner.write(
        "test_it.py",
        """
def test_both(webtask):
    webtask.goto("/")
    webtask.do("log in")
    webtask.do("save and clear")
""",
    )
    both = '"save and clear": [act("click", "button:{0}"), act("click", "button:{1}"), DONE],'
    done = 'done(text("status:Gone", "Gone"))'
    inner.write(
        "plays.py",
        (inner.root / "plays.py").read_text().rstrip("}\n")
        + both.format("Save", "Clear").replace("DONE", done)
        + "}\n",
    )
    record(inner)
    redesign(inner, ANEW + '"save and clear": [act("click", "button:Wipe"), ' + done + "],")
    inner.site.pages["/"] = REDESIGNED.replace(">Keep<", ">Save<")
    inner.run("--webtask-mode=replay")
    anew = inner.run(*RECORD)
    assert anew.outcomes == {"test_both": "passed"}
    calls = inner.steps("test_both")[1]["calls"]
    assert [next(iter(c["targets"].values()))["signature"]["name"] for c in calls] == [
        "Save",
        "Wipe",
    ]
    assert inner.run("--webtask-mode=replay").outcomes == {"test_both": "passed"}


@pytest.mark.slow
def test_workers_read_the_run_of_their_controller(inner: Project) -> None:
    """With pytest-xdist the journals of all workers are read, and each worker records."""
    record(inner)
    redesign(inner, ANEW)
    ci = inner.run("--webtask-mode=replay", "-n2")
    assert ci.folder is not None and len(list(ci.folder.glob("gw*.jsonl"))) == 2
    anew = inner.run(*RECORD, "-n2")
    assert set(anew.outcomes.values()) == {"passed"}, anew.printed
    assert "recorded again: 3 steps" in anew.printed
    after = inner.run("--webtask-mode=replay")
    assert set(after.outcomes.values()) == {"passed"}
