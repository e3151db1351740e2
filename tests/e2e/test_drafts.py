"""Drafts: what a model has decided in a test that did not pass, replayed by the next run."""

import json
import shutil
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask.errors import UsageError
from pytest_webtask.journal import DraftsEnded, HealProposed
from pytest_webtask.journal.schema import VERSION, Key, RecordedStep, Recording
from pytest_webtask.recordings.pending import PENDING, PendingSteps, proposals, prune_pending
from pytest_webtask.recordings.store import save_recording
from tests.inner import Project, Run, project
from tests.recordings.made import approved, check, step

pytestmark = pytest.mark.slow

PAGE = """<h1>Notes</h1><a href=/cart>Cart (2 items)</a>
<label>Password <input type=password id=password></label>
<button onclick="out.textContent = 'Done'">Save</button>
<button onclick="out.textContent = 'Welcome'">Log in</button><p role=status id=out></p>"""
SECRET = "Kv9#tulip-42"
PLAYS = """
"a heading says Notes": [holds(text("heading:Notes", "Notes"))],
"cart shows 2 items": [holds(text("link:Cart", "2 items"))],
"the cart is small": [holds(text("link:Cart", "2 items"))],
"claim: the cart is small": [rule(proves=False, missing="what is small")],
"save it": [act("click", "button:Save"), done(text("status:Done", "Done"))],
"log in": [
    lambda turn: act("click", "button:" + next(name for name in ("Enter", "Pass", "Log in")
        if f'"{name}"' in turn.observation.outline)),
    lambda turn: done(text("status:", "Welcome" if "Welcome" in turn.observation.outline
        else "Denied"))],
"type {password}": [[act("fill", "textbox:Password", text="{password}"),
    act("click", "button:Save")], done(text("status:Done", "Done"))],
"store it": [lambda turn: act("click", "button:Store" if "Store" in turn.observation.outline
    else "button:Save"), done(text("status:Done", "Done"))],
"save {thing}": [act("click", "button:Save"), done(text("status:Done", "Done"))],
"""
TESTS = """
import os
from pathlib import Path

import pytest

from pytest_webtask import Secret, errors
from tests.inner import wait_for

@pytest.fixture(autouse=True)
def _open(webtask, request):
    webtask.goto("/side" if "side" in request.node.name else "/")

@pytest.fixture(scope="session")
def webtask_data():
    return {"password": Secret("SECRET")}

def broken():
    if Path("broken").exists():
        raise getattr(errors, Path("broken").read_text(), AssertionError)("broken")

def test_order(webtask):
    webtask.do("save it")
    webtask.verify("cart shows 2 items")
    webtask.do('click "Save"')
    broken()
    webtask.verify("a heading says Notes")

def test_store(webtask):
    webtask.do("store it")
    broken()

def test_refused(webtask):
    webtask.do("save it")
    webtask.verify("the cart is small")

@pytest.mark.parametrize("thing", ["one", "two"])
def test_case(webtask, webtask_for, page, thing):
    webtask.do("save {thing}", data={"thing": thing})
    seller = webtask_for(page, name="seller")
    seller.do("save {thing}", data={"thing": thing})
    broken()

def test_secret(webtask):
    webtask.do("type {password}")
    broken()

def test_offline(webtask):
    webtask.do("save it")
    broken()

@pytest.fixture
def customer(webtask):
    webtask.do("log in")

def test_first(webtask, customer):
    webtask.verify("cart shows 2 items")
    broken()

def test_second(webtask, customer):
    webtask.verify("a heading says Notes")

def test_third(webtask, customer):
    pass

def test_side(webtask, customer):
    pass

@pytest.fixture(scope="module")
def account(browser, base_url, webtask_for):
    page = browser.new_page(base_url=base_url)
    webtask_for(page, name="member").goto("/")
    webtask_for(page, name="member").do("log in")
    yield
    page.close()

def test_room(account):
    broken()

def test_hall(account):
    pass

def test_yard(webtask):
    pass

class TestOther:
    @pytest.fixture
    def account(self):
        pass

    def test_shed(self, account, webtask):
        pass

def test_owner(webtask, customer):
    Path("decided").touch()
    wait_for("borrowed")
    assert False

def test_borrower(webtask, request):
    wait_for("decided")
    request.getfixturevalue("customer")
    # The owner ends first where it need not fail.
    Path("borrowed").touch()
""".replace("SECRET", SECRET)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """The project, with its site."""
    with project(tmp_path_factory.mktemp("drafts"), PLAYS, TESTS) as inner:
        yield inner


@pytest.fixture
def inner(made: Project) -> Project:
    """The project without runs, recordings and drafts."""
    for name in (".webtask", "recordings"):
        shutil.rmtree(made.root / name, ignore_errors=True)
    for name in ("broken", "decided", "borrowed"):
        (made.root / name).unlink(missing_ok=True)
    made.site.pages |= {"/": PAGE, "/side": PAGE}
    return made


def _run(inner: Project, *args: str, broken: bool = False, ci: str | None = None) -> Run:
    """Run tests, which fail where they can be broken."""
    if broken:
        inner.write("broken", "")
    else:
        (inner.root / "broken").unlink(missing_ok=True)
    return inner.run(*args, ci=ci)


def _asked(run: Run, *, turns: bool = False) -> list[str]:
    """The tasks about which the model was asked, once for all turns of a step, or for each of them."""
    return list(run.tasks) if turns else [task for task, _ in groupby(run.tasks)]


LOGGED_IN = ("-k", "first or second or third")


def _drafts(inner: Project) -> list[str]:
    """The sentences of all drafts that are kept."""
    paths = sorted((inner.root / PENDING).glob("*"), key=lambda path: path.stat().st_mtime_ns)
    return [json.loads(path.read_text())["step"]["sentence"] for path in paths]


def test_failed_test_pays_only_for_what_follows_its_drafts(inner: Project) -> None:
    """The next run replays the drafts, asks for the rest, and records what a passed run would."""
    straight = _run(inner, "-k", "order")
    assert _asked(straight) == ["save it", "cart shows 2 items", "a heading says Notes"]
    expected = {name: text for name, (text, _) in inner.files().items()}
    shutil.rmtree(inner.root / "recordings")

    failed = _run(inner, "-k", "order", broken=True)
    assert _asked(failed) == ["save it", "cart shows 2 items"]
    assert inner.files() == {} and _drafts(inner) == _asked(failed)
    assert "drafts kept: 2 steps" in failed.printed
    assert "would ask a model" not in failed.printed

    # What CI, live and record ask is what they would ask without drafts.
    ci = _run(inner, "-k", "order", ci="true")
    assert not ci.asked and "MissingRecording" in ci.tests["test_order"].message
    live = _run(inner, "-k", "order", "--webtask-mode=live")
    assert _asked(live) == _asked(straight)
    recorded = _run(inner, "-k", "order", "--webtask-mode=record", broken=True)
    assert _asked(recorded) == _asked(failed)
    assert _drafts(inner) == _asked(failed)

    passed = _run(inner, "-k", "order", "--log-cli-level=INFO")
    assert passed.outcomes == {"test_order": "passed"}, passed.printed
    assert _asked(passed) == ["a heading says Notes"] and len(passed.ruled) == 1
    assert "drafts replayed: 2 of tests that did not pass before" in passed.printed
    assert "do('save it') replays a draft, which a model has decided" in passed.printed
    replayed = passed.notes("draft")
    assert [event.of_this_run for event in replayed] == [False, False]
    report = json.loads((inner.root / ".webtask/report/report.json").read_text())
    hints = [each["hints"] for each in report["tests"][0]["attempts"][0]["steps"]]
    assert [any(hint["about"] == "draft" for hint in each) for each in hints] == [
        *(False, True, True, False, False)
    ]
    assert {name: text for name, (text, _) in inner.files().items()} == expected
    assert _drafts(inner) == []


def test_draft_of_a_test_that_fails_again_is_dropped(inner: Project) -> None:
    """A draft is replayed once; if the test fails again, the third run asks the model."""
    for asked, kept in ((3, 2), (0, 0), (3, 2)):
        run = _run(inner, "-k", "order", broken=True)
        assert len(run.asked) == asked and len(_drafts(inner)) == kept, run.printed
    [ended] = run.events(DraftsEnded)
    assert (ended.kept, ended.dropped) == (2, 0)


def test_refused_conclusion_is_no_draft(inner: Project) -> None:
    """Only the step whose conclusion the referee approved is kept."""
    failed = _run(inner, "-k", "refused")
    assert failed.outcomes == {"test_refused": "failed"}
    assert _drafts(inner) == ["save it"]
    second = _run(inner, "-k", "refused")
    assert set(second.tasks) == {"the cart is small"} and _drafts(inner) == []


def test_cases_and_users_have_their_own_drafts(inner: Project) -> None:
    """A case replays no draft of another, and each user has a draft of its own."""
    # In one run, the second case would take what the first has decided.
    _run(inner, "-k", "one", broken=True)
    kept = {path: path.read_text() for path in (inner.root / PENDING).iterdir()}
    assert _asked(_run(inner, "-k", "two"), turns=True) == ["save {thing}"] * 4
    assert _drafts(inner) == [], "the recording of the second case has them"
    shutil.rmtree(inner.root / "recordings")
    for path, text in kept.items():
        path.write_text(text)
    own = _run(inner, "-k", "one")
    assert own.outcomes == {"test_case[chromium-one]": "passed"} and not own.asked
    assert [step["webtask"] for step in inner.steps("test_case")[1:]] == ["seller"]


def test_draft_holds_no_secret(inner: Project) -> None:
    """A draft has the placeholder of a secret, and is replayed with its value."""
    _run(inner, "-k", "secret", broken=True)
    kept = [path.read_text() for path in (inner.root / ".webtask").rglob("*.json")]
    assert any("type {password}" in text for text in kept)
    assert not any(SECRET in text for text in kept)
    run = _run(inner, "-k", "secret")
    assert run.outcomes == {"test_secret": "passed"} and not run.asked


def test_error_that_is_no_verdict_keeps_the_drafts(inner: Project) -> None:
    """A test that cannot go on, such as one without a model, proves nothing against its drafts."""
    asked = ["save it"]
    for error in ("ModelError", "PageError", "NotLiteral", "MissingRecording"):
        inner.write("broken", error)
        run = inner.run("-k", "offline")
        assert f"{error}: broken" in run.tests["test_offline"].message
        assert _asked(run) == asked and _drafts(inner) == ["save it"], error
        asked = []


@pytest.mark.parametrize(
    ("old", "new", "asked"),
    [("2 items", "3 items", "cart shows 2 items"), ("textContent = 'Done'", "x = 1", "save it")],
)
def test_draft_that_no_longer_fits_does_not_pass(
    inner: Project, old: str, new: str, asked: str
) -> None:
    """A draft passes only by its checks; where they fail, a model decides, here without success."""
    _run(inner, "-k", "order", broken=True)
    inner.site.pages["/"] = PAGE.replace(old, new)
    run = _run(inner, "-k", "order")
    assert run.outcomes == {"test_order": "failed"}, run.printed
    assert set(run.tasks) == {asked} and inner.files() == {}


def test_model_that_takes_over_a_draft_records_only_what_was_done(inner: Project) -> None:
    """Where a call of a draft fails, the recording has the model's call in its place."""
    _run(inner, "-k", "store", broken=True)
    inner.site.pages["/"] = PAGE.replace(
        "<button onclick=\"out.textContent = 'Done'\">Save",
        "<button disabled>Save</button><button onclick=\"out.textContent = 'Done'\">Store",
    )
    run = _run(inner, "-k", "store")
    assert run.outcomes == {"test_store": "passed"}, run.printed
    [step] = inner.steps("test_store")
    [call] = step["calls"]
    assert "Store" in call["targets"]["element_id"]["locators"][0]
    replayed = _run(inner, "-k", "store", ci="true")
    assert replayed.outcomes == {"test_store": "passed"}, replayed.printed


@pytest.mark.parametrize("mode", ["auto", "record"])
def test_fixture_is_decided_once_in_a_run(inner: Project, mode: str) -> None:
    """Three tests with the same log-in ask the model once for it."""
    run = inner.passes(*LOGGED_IN, f"--webtask-mode={mode}")
    assert _asked(run) == ["log in", "cart shows 2 items", "a heading says Notes"]
    assert [step["sentence"] for step in inner.steps("customer")] == ["log in"]
    inner.passes(*LOGGED_IN, "--webtask-mode=replay")


def test_draft_is_withdrawn_with_the_test_that_decided_it(inner: Project) -> None:
    """What a failed test decided is asked anew in the same run, and recorded by the one that passes."""
    run = _run(inner, *LOGGED_IN, broken=True)
    assert run.outcomes == {"test_first": "failed", "test_second": "passed", "test_third": "passed"}
    assert _asked(run) == ["log in", "cart shows 2 items", "log in", "a heading says Notes"]
    assert len(inner.steps("customer")) == 1
    # Its own check is still a draft, and its log-in is a recording now.
    second = _run(inner, "-k", "first")
    assert second.outcomes == {"test_first": "passed"} and not second.asked


def test_workers_share_what_was_decided(inner: Project) -> None:
    """A step decided in one worker replays in another, whose test passes and records it."""
    run = _run(inner, "-k", "owner or borrower", "-n2", "--webtask-mode=record")
    assert run.outcomes == {"test_owner": "failed", "test_borrower": "passed"}, run.printed
    assert _asked(run) == ["log in"]
    assert [step["sentence"] for step in inner.steps("customer")] == ["log in"]
    [event] = run.notes("draft")
    assert event.of_this_run
    assert event.words == "replays what test_it.py::test_owner[chromium] has decided"


def _renamed(name: str, shown: str = "Welcome") -> str:
    """The page after a redesign of its log-in."""
    return PAGE.replace(">Log in<", f">{name}<").replace("Welcome", shown)


def _click(inner: Project) -> str:
    """What the recorded log-in clicks."""
    [recorded] = inner.steps("customer")
    return str(recorded["calls"][0]["targets"]["element_id"]["locators"][0])


def test_drifted_fixture_is_decided_once_in_a_run(inner: Project) -> None:
    """Once a model went on after a drift, later tests replay that, and propose the same."""
    _run(inner, *LOGGED_IN)
    before = inner.files()
    inner.site.pages["/"] = _renamed("Enter")
    run = inner.passes(*LOGGED_IN)
    assert _asked(run, turns=True) == ["log in"] * 2
    assert [event.of_this_run for event in run.notes("draft")] == [True, True]
    assert [event.used for event in run.events(HealProposed)] == [True] * 3
    assert inner.files() == before, "auto proposes what a model did instead of a recording"
    assert run.folder is not None
    inner.accept(run.folder.name)
    assert "Enter" in _click(inner)
    inner.passes(*LOGGED_IN, ci="true")


def test_decision_after_a_drift_is_withdrawn_with_its_test(inner: Project) -> None:
    """If the test that went on with a model fails, the next one asks anew, and only that is proposed."""
    _run(inner, *LOGGED_IN)
    inner.site.pages["/"] = _renamed("Enter")
    run = _run(inner, *LOGGED_IN, broken=True)
    assert list(run.outcomes.values()) == ["failed", "passed", "passed"]
    assert _asked(run, turns=True) == ["log in"] * 4
    assert run.folder is not None
    assert sorted(each.test for each in proposals(inner.root).values()) == [
        "test_it.py::test_second[chromium]",
        "test_it.py::test_third[chromium]",
    ]
    only = _run(inner, "-k", "first", broken=True)
    assert only.folder is not None
    with pytest.raises(UsageError, match="nothing to accept in the run"):
        proposals(inner.root, only.folder.name)
    assert "Log in" in _click(inner)


@pytest.mark.parametrize(("shown", "outcome"), [("Welcome", "passed"), ("Denied", "failed")])
def test_model_that_takes_over_a_shared_draft_must_meet_the_recording(
    inner: Project, shown: str, outcome: str
) -> None:
    """Where the draft drifts, too, the model decides, but never another result than the recorded one."""
    _run(inner, "-k", "third or side")
    before = inner.files()
    inner.site.pages |= {"/": _renamed("Enter"), "/side": _renamed("Pass", shown)}
    run = _run(inner, "-k", "third or side", "--webtask-max-steps=6")
    assert run.outcomes.pop("test_third") == "passed", run.printed
    assert run.tests["test_side"].outcome == ("passed" if outcome == "passed" else "error")
    assert len(run.tasks) > 3 and inner.files() == before
    assert [event.of_this_run for event in run.notes("draft", "test_side")] == [True]
    own = [each.test for each in proposals(inner.root).values() if "side" in each.test]
    assert len(own) == (outcome == "passed")


def test_step_of_a_module_fixture_is_recorded_with_the_test_that_sets_it_up(inner: Project) -> None:
    """If that test fails, the step waits for a run in which it passes."""
    first = _run(inner, "-k", "room or hall", broken=True)
    assert first.outcomes == {"test_room": "failed", "test_hall": "passed"}, first.printed
    assert _asked(first) == ["log in"] and not inner.file("account").exists()
    second = _run(inner, "-k", "room or hall")
    assert set(second.outcomes.values()) == {"passed"}, second.printed
    assert _asked(second) == [] and inner.file("account").exists()


def _step(sentence: str, **more: object) -> RecordedStep:
    shown = check("text", 'get_by_role("heading")', text="Notes")
    made = step(kind="verify", sentence=sentence, evidence=[{**shown, **more}])
    return RecordedStep.model_validate(approved(made))


def _taken(drafts: PendingSteps, key: Key, file: str = "f.json", **more: Any) -> bool:
    return drafts.take(file, key, more.get("previous"), earlier=True) is not None


def test_draft_that_another_test_has_replayed_stays(tmp_path: Path) -> None:
    """What a passed test has replayed is not withdrawn with the test that decided it."""
    owner, borrower, later = (PendingSteps(tmp_path / "drafts", "1", name) for name in "abc")
    decided = _step("it is so")
    owner.keep("f.json", decided)
    assert _taken(borrower, decided.key)
    borrower.end(passed=True, failed=False)
    owner.end(passed=False, failed=True)
    assert _taken(later, decided.key)
    assert not _taken(later, decided.key, "g.json")
    # It is in place of no recorded step.
    assert not _taken(later, decided.key, previous=_step("it was so"))
    # Their next runs begin with it, unless a recording is written.
    assert all(_taken(PendingSteps(owner.folder, "2", name), decided.key) for name in "abc")
    assert not _taken(PendingSteps(owner.folder, "2", "d"), decided.key)


def test_drafts_last_until_they_are_recorded_or_their_run_is_removed(tmp_path: Path) -> None:
    """Those of a passed test stay until its recording is written; damaged ones are removed."""
    folder, runs = tmp_path / PENDING, tmp_path / ".webtask" / "runs"
    recording, decided = tmp_path / "f.json", _step("it is so")
    for name in ("1", "2"):
        (runs / name).mkdir(parents=True)
        drafts = PendingSteps(folder, name, name)
        drafts.keep("f.json", decided)
        drafts.end(passed=name == "2", failed=False)
    (folder / "damaged.json").write_text("{")
    shutil.rmtree(runs / "1")
    for saved, kept in (("", ["2"]), ("{", ["2"]), ("it is not so", ["2"]), ("it is so", [])):
        if saved == "{":
            recording.write_text(saved)
        elif saved:
            save_recording(recording, Recording(version=VERSION, steps=(_step(saved),)))
        prune_pending(tmp_path)
        assert [json.loads(path.read_text())["run"] for path in folder.iterdir()] == kept, saved


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *(("}", ""), ('"version": 3', '"version": 1'), ('"Notes"', '"Note"')),
        *(('"evidence"', '"facts"'), ('"approved"', '"disapproved"')),
    ],
)
def test_damaged_or_edited_drafts_are_not_used(tmp_path: Path, old: str, new: str) -> None:
    """A damaged file, one of another version, and an edited or unapproved step are not replayed."""
    decided = _step("it is so")
    kept = PendingSteps(tmp_path / "drafts", "1", "a")
    kept.keep("f.json", decided)
    assert _taken(PendingSteps(kept.folder, "2", "a"), decided.key)
    [path] = kept.folder.iterdir()
    text = path.read_text()
    path.write_text(text.replace(old, new))
    assert path.read_text() != text
    assert not _taken(PendingSteps(kept.folder, "2", "a"), decided.key)


def test_unwritable_drafts_are_no_error(tmp_path: Path) -> None:
    """Drafts that cannot be written cost model calls, not results."""
    (tmp_path / "file").write_text("")
    drafts = PendingSteps(tmp_path / "file" / "drafts", "1", "a")
    drafts.keep("f.json", _step("it is so"))
    assert drafts.end(passed=False, failed=True) == (0, 0)
