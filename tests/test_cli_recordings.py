"""The commands for recordings: what they print, what they change, and what they refuse."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_webtask import cli
from pytest_webtask.journal import RUNS, StepStarted
from pytest_webtask.journal.schema import RecordedStep
from pytest_webtask.recordings.pending import PENDING
from pytest_webtask.recordings.store import Store, load_recording
from pytest_webtask.types.step import CallSite
from tests.recordings.made import (
    ADD,
    ITEMS,
    MODULE,
    SHOWS,
    STATUS,
    Line,
    approved,
    call,
    check,
    git,
    journal,
    line,
    opened,
    phases,
    proposed,
    recorded,
)

Say = Callable[..., tuple[int, str]]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Say:
    """Gives a command and returns its exit code and all that it printed."""

    def say(*arguments: str) -> tuple[int, str]:
        code = cli.main(arguments)
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return say


def ends(code: int, result: tuple[int, str], *words: str) -> None:
    """A command has ended with this code, and has printed these words."""
    assert result[0] == code, result[1]
    assert not [each for each in words if each not in result[1]], result[1]


@pytest.fixture
def project() -> Path:
    """A module with a test and a helper, and recordings of both."""
    Path("tests").mkdir()
    Path("tests/test_cart.py").write_text(MODULE)
    recorded("tests/recordings/test_cart/log_in.json", {**ADD, "sentence": "log in as Ann"})
    return recorded("tests/recordings/test_cart/TestCart.test_add.json", ADD, SHOWS)


def test_export_takes_the_newest_run_that_passed(say: Say) -> None:
    """`export` takes the newest passing run, the last attempt of a rerun, accepts a part of its name, and writes a file."""
    goto = opened("/old")
    journal("20260101-1", *goto, *phases())
    rerun = [*opened("/first"), *phases("passed", "failed", "passed")]
    last = [*opened("/again", attempt=2), *phases(attempt=2)]
    journal("20260102-1", *rerun, *last)
    journal("20260103-1", *opened("/later"), *phases("passed", "passed", "failed"))
    for name in ("test_x", "test_a.py::test_x", "tests/test_a.py::test_x[chromium]", "x[chr"):
        code, text = say("export", name)
        assert code == 0 and 'page.goto("/again")' in text and "/first" not in text
    _, text = say(
        "export", "test_x", "--run", "20260101-1", "--output", "below/new/test_exported.py"
    )
    assert text.startswith("exported tests/test_a.py::test_x[chromium] of run 20260101-1 to ")
    assert 'page.goto("/old")' in Path("below/new/test_exported.py").read_text()
    first = 'run it first: pytest "tests/test_a.py::test_x[chromium]"'
    for run, *words in (
        ("20260103-1", "test_x[chromium] has not passed in the run 20260103-1", first),
        ("2026", "20260103-1, 20260102-1, 20260101-1"),
        (str(RUNS), "there is no run"),
    ):
        ends(2, say("export", "test_x", "--run", run), *words)


def test_export_of_a_missing_test_lists_candidates(say: Say) -> None:
    """Unknown and ambiguous tests, tests that never passed, and missing runs are errors."""
    ends(2, say("export", "test_x"), "no test was run here yet\nrun the tests first: pytest")
    journal("20260101-1", *opened("/"), *phases(), *opened("/", test="tests/test_a.py::test_xy"))
    for test, words in (
        (
            "test_w",
            "'test_w' that uses webtask in any run that is kept in .webtask/runs\n  tests/test_a.py",
        ),
        ("test_a.py", "matches several tests:\n  tests/test_a.py::test_x["),
        ("test_xy", 'that is kept in .webtask/runs\nrun it first: pytest "tests/test_a.py'),
    ):
        ends(2, say("export", test), words)


def test_export_outlives_damaged_journals(say: Say) -> None:
    """An unreadable step becomes a comment, and a truncated line is left out."""
    run = journal("20260101-1", *opened("/"), *phases())
    with (run / "main.jsonl").open("a") as file:
        file.write('{"kind": "step_started", "te')
    assert 'page.goto("/")' in say("export", "test_x")[1]
    begun = StepStarted(step=1, step_kind="do", sentence="add a mug")
    traced = line(ADD).model_copy(update={"test": ""})
    damaged = journal("20260102-1", begun, traced, *phases()) / "main.jsonl"
    without = damaged.read_text().replace('"sentence": "add a mug", "decided"', '"decided"')
    damaged.write_text(without)
    code, text = say("export", "test_x")
    assert (
        code == 0
        and "    # left out, as the journal has no actions of it: do('add a mug')\n" in text
    )
    compile(text, "exported.py", "exec")


def test_list_shows_steps_sums_and_problems(say: Say, project: Path) -> None:
    """`list` shows who approved each step and when, and sums."""
    code, text = say("recordings", "list")
    assert code == 0
    by = "approved by scripted on 2026-11-22"
    assert text == (
        "tests/recordings/test_cart/TestCart.test_add.json\n"
        f'  do "add a mug"  [scripted, 2026-11-22, 1 call, 1 check; {by}]\n'
        f'  verify "cart shows 2 items"  [scripted, 2026-11-22, 0 calls, 2 checks; {by}]\n'
        "tests/recordings/test_cart/log_in.json\n"
        f'  do "log in as Ann"  [scripted, 2026-11-22, 1 call, 1 check; {by}, edited since]\n'
        "2 files, 3 steps\n"
    )
    recorded("tests/node_modules/recordings/test_old/x.json", ADD)
    assert say("recordings", "list")[1] == text


def test_recordings_in_another_folder_are_found(say: Say) -> None:
    """Recordings are found in the folder that the ini option names."""
    recorded("a/kept/web/test_x/test_y.json", ADD)
    assert say("recordings", "list")[1] == "0 files, 0 steps\n"
    assert "1 file, 1 step" in say("recordings", "list", "--folder", "kept/web")[1]
    assert say("recordings", "list", "--folder", "/etc")[0] == 2


def test_show_prints_code(say: Say, project: Path) -> None:
    """`show` prints the code of all recordings, or of one file, folder, module or test."""
    whole = say("recordings", "show")[1]
    assert "# log in as Ann" in whole and "# verify: cart shows 2 items" in whole
    for what in (str(project), "tests/test_cart.py::TestCart::test_add", "test_add"):
        code, text = say("recordings", "show", what)
        assert code == 0
        assert text.startswith(
            "# tests/recordings/test_cart/TestCart.test_add.json\n\n# add a mug\n"
            'page.get_by_role("button", name="Add").click()\n'
        )
        assert "log in" not in text
    assert '# facts:\n#   status shows "2 items in your cart"\n' in whole
    assert (
        say("recordings", "show", "tests/test_cart.py")[1]
        == whole
        == say("recordings", "show", "tests")[1]
    )
    ends(
        2,
        say("recordings", "show", "test_ad2"),
        "similar:\n  tests/test_cart.py::TestCart::test_add",
    )
    ends(2, say("recordings", "show", "--strict"))


def test_show_diff_is_a_review(say: Say, project: Path) -> None:
    """`show --diff` prints changes as code, step by step, in added and deleted files too."""
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    assert say("recordings", "show", "--diff", "HEAD") == (0, "since HEAD: nothing changed\n")
    loose = check("text", STATUS, text="2 items")
    recorded(str(project), ADD, {**SHOWS, "evidence": [loose]})
    Path("tests/recordings/test_cart/log_in.json").unlink()
    recorded("tests/recordings/test_cart/new.json", {**ADD, "sentence": "come in"})
    code, text = say("recordings", "show", "--diff", "HEAD")
    assert code == 0
    lines = text.splitlines()
    assert lines[2] == 'verify "cart shows 2 items"' and lines[3:5] == ["--- HEAD", "+++ now"]
    address = r"^[a-z]+://[^/?#]*/cart(?:\?[^#]*)?(?:#(?![/!]).*)?$"
    assert f'-expect(page).to_have_url(re.compile(r"{address}"))' in lines
    assert "! weaker: the step was removed" in lines and "+# come in" in lines
    assert lines[-2:] == [
        "since HEAD: 6 changes flagged with !",
        "review the steps with ! before you commit them",
    ]
    for code, *what in ((1,), (2, "new.json"), (2, "test_cart::new"), (1, "test_cart.py::new")):
        ends(code, say("recordings", "show", *what, "--diff", "HEAD", "--strict"))


GUTTED = {**ADD, "calls": [], "evidence": [{**ITEMS, "held_before": True}]}
WEAKER = {**ADD, "evidence": [check("state", STATUS, state="visible")]}
UNRULED = "! not ruled on: no run in .webtask/runs has made this approval"


@pytest.mark.parametrize(
    ("now", "flags"),
    [
        (GUTTED, ["! different: left out or moved: click ", "! weaker: may now have been so", "! not approved: edited"]),
        (approved(GUTTED), ["! different: left out or moved: click ", "! weaker: may now have been so", UNRULED]),
        (approved(WEAKER), ["! weaker: no longer checks ", UNRULED]),
        ({**ADD, "approved": {**ADD["approved"], "by": "claude"}}, [UNRULED]),
        (approved(WEAKER, by="Ann", person=True), ["! weaker: no longer ", "! not ruled on: approved by a person (Ann)"]),
    ],
)  # fmt: skip
def test_show_diff_flags_each_step_that_no_run_has_approved(
    say: Say, project: Path, now: Line, flags: list[str]
) -> None:
    """What is gone or weaker is flagged, whatever its digest says; so is an approval of no run that is kept here."""
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    recorded(str(project), now, SHOWS)
    # A replay has found the approval, and has not made it.
    journal("20260101-1", line(now, decided_by="recording"))
    code, text = say("recordings", "show", "--diff", "HEAD", "--strict")
    found = [each for each in text.splitlines() if each.startswith("!")]
    assert code == 1 and len(found) == len(flags), text
    assert all(any(each.startswith(flag) for each in found) for flag in flags), text
    journal("20260102-1", line(now, decided_by="model"))
    text = say("recordings", "show", "--diff", "HEAD", "--strict")[1]
    assert UNRULED not in text and text.count("\n! ") == len(flags) - (UNRULED in flags)
    git("add", "--force", ".webtask")
    text = say("recordings", "show", "--diff", "HEAD", "--strict")[1]
    assert (UNRULED in text) == (UNRULED in flags), "committed journals prove nothing"


def test_show_diff_of_an_unknown_revision_is_an_error(say: Say, project: Path) -> None:
    """The error quotes Git and says which argument to give."""
    ends(2, say("recordings", "show", "--diff", "HEAD"), "git failed: ", "such as HEAD or main")


def test_prune_drops_orphaned_files_and_steps(say: Say, project: Path) -> None:
    """`prune` drops orphaned files and steps and keeps those of sentences made at run time."""
    recorded(str(project), ADD, {**ADD, "sentence": "add a cup"}, SHOWS)
    recorded("tests/recordings/test_cart/gone.json", ADD)
    recorded("tests/recordings/test_old/x.json", ADD)
    pictures = Path("tests/recordings/test_old/x")
    pictures.mkdir()
    (pictures / "seen.png").write_bytes(b"png")
    before = sorted(Path("tests").rglob("*"))
    code, text = say("recordings", "prune", "--dry-run")
    assert code == 0 and sorted(Path("tests").rglob("*")) == before
    assert 'would drop do "add a cup" of tests/recordings/test_cart/TestCart.test_add.json' in text
    ends(
        0,
        result := say("recordings", "prune"),
        'dropped do "add a cup" of tests/recordings/test_cart/TestCart.test_add.json',
        'dropped do "add a mug" of tests/recordings/test_cart/gone.json',
    )
    assert result[1].endswith("dropped 3 steps\n")
    assert [s.sentence for s in load_recording(project).steps] == [
        "add a mug",
        "cart shows 2 items",
    ]
    assert not Path("tests/recordings/test_old").exists()
    assert say("recordings", "prune")[1].endswith("dropped 0 steps\n")


def test_prune_keeps_sentences_about_a_part_of_the_page(say: Say, project: Path) -> None:
    """Which part a sentence is about may be up to the caller of its function."""
    scoped = {**ADD, "sentence": 'in "Shop": in the "Cups" section: add a mug'}
    recorded(str(project), scoped, {**SHOWS, "sentence": 'in "Shop": cart shows 3 items'})
    assert 'dropped verify "in "Shop": cart shows 3 items"' in say("recordings", "prune")[1]
    assert [s.sentence for s in load_recording(project).steps] == [scoped["sentence"]]


def test_drop_removes_one_step_or_all(say: Say, project: Path) -> None:
    """`drop` removes the steps whose sentences have the words, and says how to record them again."""
    result = say("recordings", "drop", "test_add", "nothing like it")
    ends(2, result, "no step of test_add has 'nothing like it'; its steps:")
    ends(0, say("recordings", "drop", "--dry-run", "test_add", ADD["sentence"]))
    ends(0, say("recordings", "drop", "test_add", ADD["sentence"]), "--webtask-mode=auto")
    left = load_recording(project)
    assert [each.sentence for each in left.steps] == [SHOWS["sentence"]]
    assert say("recordings", "drop", "test_add")[0] == 0 and not project.exists()


DAMAGED: dict[str, tuple[str, str]] = {
    "digits": ('"occurrence": ' + "9" * 5000, "(4300 digits)"),
    "surrogate": ('"webtask": "\\ud800"', "hex escape"),
    "twice": ('"kind": "do"', "an object has 'kind' twice"),
    "nested": ('"value": ' + "[" * 500 + "]" * 500, "recursion limit"),
    "latin": ('"webtask": "\xe9"', "can't decode byte 0xe9"),
    "folder": ("", "it is not a regular file"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_recording_is_named_and_the_others_go_on(
    say: Say, project: Path, name: str
) -> None:
    """No command ends because of one file that cannot be read: it says which and why, and does the rest."""
    text, reason = DAMAGED[name]
    bad = Path("tests/recordings/test_cart/log_in.json")
    whole = bad.read_text()
    bad.unlink()
    if text:
        bad.write_bytes(whole.replace('"kind": "do"', f'"kind": "do", {text}', 1).encode("latin-1"))
    else:
        bad.mkdir()
    loose = {**SHOWS, "evidence": [ITEMS]}
    recorded(str(project), ADD, {**ADD, "sentence": "old"}, loose)
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    proposed("20260101-1", HEALED, ADD, file=str(bad), test="bad")
    proposed("20260101-1", HEALED, ADD)
    for code, *command, words in (
        (1, "recordings", "list", 'do "add a mug"  ['),
        (1, "recordings", "show", "# add a mug"),
        (1, "recordings", "show", "--diff", "HEAD", "--strict", "since HEAD: 1 change flagged"),
        (1, "recordings", "prune", 'dropped do "old"'),
        (1, "accept", "--edited", "test_cart.py", " approved verify"),
        (1, "accept", 'accepted do "add a mug"'),
        (1, "recordings", "drop", "test_cart.py", "add a mug", 'dropped do "add a mug"'),
    ):
        ends(code, say(*command), words, bad.as_posix(), reason)
    place = CallSite(Path("tests/test_cart.py").absolute(), "test_new")
    assert not [*Store(Path.cwd(), "recordings", Path.cwd()).near(place, RecordedStep(**ADD).key)]
    ends(0, say("report"))
    ends(0, say("recordings", "mv", "tests/test_cart.py::log_in", "tests/test_b.py::log_in"))


def test_prune_keeps_recordings_of_unreadable_modules(say: Say, project: Path) -> None:
    """`prune` reports and keeps the recordings of modules that do not parse."""
    Path("tests/test_cart.py").write_text("def (")
    words = "tests/test_cart.py cannot be read: invalid syntax in line 1; correct"
    ends(1, say("recordings", "prune"), f"kept {project.as_posix()}: ", words)
    assert len(list(Path("tests/recordings").rglob("*.json"))) == 2


def test_mv_follows_a_renamed_function(say: Say, project: Path) -> None:
    """`mv` moves recordings to another function, class or module, alone or all together."""
    code, text = say(
        "recordings", "mv", "tests/test_cart.py::TestCart::test_add", "tests/test_b.py::test_more"
    )
    assert (code, text) == (
        0,
        "tests/recordings/test_cart/TestCart.test_add.json →"
        " tests/recordings/test_b/test_more.json\n",
    )
    assert say("recordings", "mv", "tests/test_cart.py", "tests/deep/test_c.py")[0] == 0
    assert Path("tests/deep/recordings/test_c/log_in.json").is_file()
    assert not Path("tests/recordings/test_cart").exists()
    recorded("tests/recordings/test_b/TestA.test_x.json", ADD)
    recorded("tests/recordings/test_b/TestAb.test_x.json", ADD)
    assert say("recordings", "mv", "tests/test_b.py::TestA", "tests/test_b.py::TestC")[0] == 0
    names = sorted(path.name for path in Path("tests/recordings/test_b").iterdir())
    assert names == ["TestAb.test_x.json", "TestC.test_x.json", "test_more.json"]


@pytest.mark.parametrize(
    "new", ["../test_x.py::test_y", "/tmp/test_x.py::test_y", "tests/test_x.py::../../../../test_y"]
)
def test_mv_stays_inside_the_project(say: Say, project: Path, new: str) -> None:
    """`mv` moves no recording out of the project, and says where that is."""
    before = set(Path().absolute().parent.rglob("test_y*"))
    code, text = say("recordings", "mv", "tests/test_cart.py::log_in", new)
    assert code == 2 and "is not in the project, which is" in text
    assert project.parent.joinpath("log_in.json").is_file()
    assert set(Path().absolute().parent.rglob("test_y*")) == before


def test_mv_overwrites_nothing(say: Say, project: Path) -> None:
    """`mv` names the file in its way, the candidates, and the syntax of names."""
    there = Path("tests/recordings/test_cart/log_in.json")
    text = there.read_text()
    old = "tests/test_cart.py::TestCart::test_add"
    for one, other, *words in (
        (old, "tests/test_cart.py::log_in", "nothing was moved", f"\n  {there}"),
        (
            *("tests/test_cart.py::test_ad", "tests/test_cart.py::x"),
            "some that exist:\n  tests/test_cart.py::TestCart::test_add",
            "type: pytest-webtask recordings list",
        ),
        (old, "tests/test_cart.py", "name two modules"),
        ("test_add", "test_more", "write tests/test_x.py"),
    ):
        ends(2, say("recordings", "mv", one, other), *words)
    assert there.read_text() == text and project.exists()


HEALED = {**ADD, "calls": [call("click", 'get_by_role("button", name="Put")')]}


def test_accept_takes_the_newest_proposals(say: Say, project: Path) -> None:
    """`accept` applies each proposal of the newest run once to its own step, and none with --dry-run."""
    proposed("20260102-1", HEALED, ADD)
    proposed("20260102-1", HEALED, ADD, test="b")
    before = project.read_text()
    line = 'accept do "add a mug" in tests/recordings/test_cart/TestCart.test_add.json\n  - a\n'
    assert say("accept", "--dry-run") == (0, f"would {line}")
    assert project.read_text() == before
    assert say("accept") == (0, line.replace("accept", "accepted"))
    kept = json.loads(project.read_text())["steps"]
    assert [each["sentence"] for each in kept] == ["add a mug", "cart shows 2 items"]
    assert 'name=\\"Put\\"' in json.dumps(kept[0])
    ends(2, say("accept"), "nothing to accept in the run 20260102-1\n", "pytest TEST")


def test_accept_offers_no_proposal_that_the_newest_run_did_without(say: Say, project: Path) -> None:
    """An older run is accepted only by its name: the page may have been changed back since."""
    proposed("20260101-1", HEALED, ADD, test="t.py::test_add[a b]")
    journal("20260103-1", *phases())
    before = project.read_text()
    ends(2, say("accept"), "nothing to accept in the run 20260103-1\n", "pytest TEST")
    assert project.read_text() == before
    ends(0, say("accept", "--run=20260101-1", "test_add[a b]"))


def test_accept_takes_pictures_and_variants(say: Say, project: Path) -> None:
    """The picture of a check by eye is kept beside the file; a variant has its own first step."""
    seen = {**check("visual", STATUS, what="it is green"), "picture": "ab.jpg"}
    healed = {**HEALED, "variant": "firefox", "evidence": [ITEMS, seen]}
    run = proposed("20260101-1", healed, ADD, pictures={"ab.jpg": "screenshots/cd.jpg"})
    (run / "screenshots").mkdir()
    (run / "screenshots" / "cd.jpg").write_bytes(b"jpeg")
    assert say("accept")[0] == 0
    assert (project.with_suffix("") / "ab.jpg").read_bytes() == b"jpeg"
    recording = load_recording(project)
    assert [s.variant for s in recording.steps] == ["", "", "firefox"]


def test_accept_is_limited_to_a_test(say: Say, project: Path) -> None:
    """`accept` takes a part of a test's name, and names the tests with proposals if none has it."""
    proposed("20260102-1", {**SHOWS, "facts": []}, SHOWS, test="t.py::test_other")
    proposed("20260102-1", HEALED, ADD, test="t.py::test_put")
    assert 'accepted do "add a mug"' in say("accept", "test_put")[1]
    ends(
        2,
        say("accept", "--run=20260102-1", "test_add"),
        "there is nothing to accept for 'test_add' in the run 20260102-1\nname one of these instead:",
    )


def test_accept_refuses_outdated_and_foreign_proposals(say: Say, project: Path) -> None:
    """Outdated and contradicting proposals and files outside of the project are refused; damaged ones do not count."""
    changed = {**SHOWS, "evidence": [check("title", text="Cart")]}
    for test in ("a", "b"):
        proposed("20260101-1", {**HEALED, "facts": [test]}, ADD, test=test)
    proposed("20260101-1", {**SHOWS, "facts": []}, changed)
    proposed("20260101-1", HEALED, ADD, file="../x.json")
    (PENDING / "damaged.json").write_text("{")
    result = say("accept")
    ends(
        1,
        result,
        "the recording has changed since the run: run the test again, pytest",
        'refused verify "cart shows 2 items" of tests/test_a.py::test_x[chromium]: the recording',
        'refused do "add a mug" of ',
        "'../x.json' is not a recording of this project",
    )
    assert result[1].count("accepted") == 1 and not Path("../x.json").exists()
    after = load_recording(project)
    assert after.steps[0].facts in (("a",), ("b",)) and after.steps[1].sentence == SHOWS["sentence"]


@pytest.mark.parametrize(
    ("command", "more"),
    [("skill", {"pydantic", "playwright", "asyncio"}), ("recordings list", ()), ("recordings show", ())],
)  # fmt: skip
def test_commands_start_quickly(project: Path, command: str, more: set[str]) -> None:
    """Neither the instructions nor listing and showing recordings import a heavy library."""
    code = f"import sys, pytest_webtask.cli as c; c.main({command.split()}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"anthropic", "openai", "PIL", "jinja2", "mcp", "playwright.sync_api", *more}
    assert not heavy & set(done.stdout.splitlines()[-1].split())
