"""What is recorded, where, and from which tests."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone

import pytest

from pytest_webtask.journal import StepTraced
from tests.inner import Project, Run, project

pytestmark = pytest.mark.slow

NOTES = """
<h1>Notes</h1>
<label>Note <input id=note></label> <label>Code <input id=code type=password></label>
<button onclick="fetch('/saved'); out.textContent = 'Saved ' + note.value">Save</button>
<p role=status id=out></p>
<button onmouseover="more.textContent = 'Tip: press Save'">Help</button>
<p role=note id=more></p>
"""
PLAYS = """
"write {what} with {code}": [
    [act("fill", "textbox:Note", text="{what}"), act("fill", "textbox:Code", text="{code}"),
     act("click", "button:Save")],
    done(text("status:Saved", "Saved {what}")),
],
"write apples": [
    [act("fill", "textbox:Note", text="apples"), act("click", "button:Save")],
    done(text("status:Saved", "Saved apples")),
],
"write it twice": [
    [act("fill", "textbox:Note", text="twice"), act("click", "button:Save")],
    done(text("status:Saved", "Saved twice")),
],
"the tip is to press Save": [
    act("hover", "button:Help"),
    holds(text("note:Tip", "Tip: press Save")),
],
"a heading says Notes": [holds(text("heading:Notes", "Notes"))],
"a heading says Nope": [judge("does_not_hold", text("heading:Notes", "Nope"))],
"""
TESTS = """
import pytest
import helpers

@pytest.fixture
def written(webtask):
    webtask.goto("/notes")
    webtask.do("write apples")

def write(webtask):
    webtask.do("write apples")

def test_plain(webtask):
    webtask.goto("/notes")
    webtask.do("write {what} with {code}")
    webtask.verify("the tip is to press Save")

def test_helper(webtask):
    webtask.goto("/notes")
    write(webtask)
    write(webtask)

def test_helper_again(webtask):
    webtask.goto("/notes")
    write(webtask)

def test_elsewhere(webtask):
    webtask.goto("/notes")
    helpers.write(webtask)

def test_fixture(written, webtask):
    webtask.verify("a heading says Notes")

def test_loop(webtask):
    webtask.goto("/notes")
    webtask.do("write it twice")
    for _ in webtask.steps("write it twice"):
        pass

class TestNotes:
    def test_method(self, webtask):
        webtask.goto("/notes")
        def nested():
            webtask.do("write apples")
        nested()
        (lambda: webtask.verify("a heading says Notes"))()
        [webtask.verify("a heading says Notes") for _ in range(1)]

def test_literal(webtask):
    webtask.goto("/notes")
    webtask.do('fill "Note" with "pears"')
    webtask.verify('"Notes" is visible')

def test_fails(webtask):
    webtask.goto("/notes")
    webtask.do("write apples")
    assert False

@pytest.mark.xfail
def test_xfails(webtask):
    webtask.goto("/notes")
    webtask.do("write apples")
    assert False

def test_fails_softly(webtask):
    webtask.goto("/notes")
    webtask.do("write apples")
    webtask.verify("a heading says Nope", soft=True)

@pytest.fixture
def breaks():
    yield
    raise RuntimeError("in teardown")

def test_teardown(breaks, webtask):
    webtask.goto("/notes")
    webtask.do("write apples")

def test_skips(webtask):
    webtask.goto("/notes")
    webtask.do("write apples")
    pytest.skip("late")
"""
CONFTEST = """
@pytest.fixture(scope="session")
def webtask_data():
    return {"what": "a gift for Zoë", "code": Secret("pa55-Wörd!x"), "unused": "Notes"}
"""
SECRET = "pa55-Wörd!x"


@dataclass
class Recorded:
    """A project, the run that recorded it, and the files that were there after it."""

    project: Project
    first: Run
    second: Run
    files: dict[str, tuple[str, int]]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Recorded]:
    """The project, recorded and run once more."""
    root = tmp_path_factory.mktemp("recording")
    with project(root, PLAYS, TESTS, CONFTEST) as inner:
        inner.write("helpers.py", 'def write(webtask):\n    webtask.do("write apples")\n')
        inner.site.pages["/notes"] = NOTES
        inner.site.pages["/saved"] = ""
        first = inner.run()
        files = inner.files()
        yield Recorded(inner, first, inner.run(), files)


def test_recordings_are_stored_by_function(recorded: Recorded) -> None:
    """Tests, helpers, fixtures, methods and nested functions have a file each, named after them."""
    assert set(recorded.files) == {
        "recordings/test_it/test_plain.json",
        "recordings/test_it/write.json",
        "recordings/helpers/write.json",
        "recordings/test_it/written.json",
        "recordings/test_it/test_fixture.json",
        "recordings/test_it/test_loop.json",
        "recordings/test_it/TestNotes.test_method.json",
        "recordings/test_it/TestNotes.test_method.nested.json",
    }, recorded.first.printed


def test_helpers_loops_and_lambdas_count_their_occurrences(recorded: Recorded) -> None:
    """A helper is recorded once for all tests, and each pass of a loop is an occurrence."""
    inner = recorded.project
    # Of test_helper the first call; the second has the same key, but nothing has passed yet.
    assert len(inner.steps("write")) == 1
    traced = recorded.first.events(StepTraced, "test_helper_again")
    assert not [event for event in traced if event.decided_by == "model"]
    for name in ("test_loop", "TestNotes.test_method"):
        assert [s.get("occurrence", 1) for s in inner.steps(name)] == [1, 2], name


def test_calls_evidence_model_and_day_are_recorded(recorded: Recorded) -> None:
    """Calls have readable locators and placeholders, and a verifier's calls are recorded, too."""
    acted, verified = recorded.project.steps("test_plain")
    fill, secret, click = acted["calls"]
    assert fill["tool"] == "fill" and fill["parameters"] == {"text": "{what}"}
    target = fill["targets"]["element_id"]
    assert target["locators"][0] == 'get_by_role("textbox", name="Note", exact=True)'
    assert target["pinned"]["role"] == "textbox" and target["remembered"]["tag"] == "input"
    assert secret["parameters"] == {"text": "{code}"}
    button = click["targets"]["element_id"]["locators"][0]
    assert button == 'get_by_role("button", name="Save", exact=True)'
    [evidence] = acted["evidence"]
    assert evidence["check"]["kind"] == "text"
    assert evidence["check"]["text"] == "Saved {what}" and evidence["check"]["exact"]
    assert evidence["target"]["remembered"]["role"] == "status"
    assert [call["tool"] for call in verified["calls"]] == ["hover"] and verified["evidence"]
    decided = acted["decided"]
    assert decided["model"] == "Player" and len(decided["on"]) == 10
    today = datetime.now(timezone.utc)
    assert abs((today.date() - datetime.fromisoformat(decided["on"]).date()).days) <= 1


def test_only_passing_tests_with_free_sentences_are_recorded(recorded: Recorded) -> None:
    """Tests that fail, fail softly, xfail, skip, fail in teardown or are literal have no file."""
    expected = {
        **{"fails": "failed", "fails_softly": "failed", "xfails": "skipped", "skips": "skipped"},
        **{"teardown": "error", "literal": "passed"},
    }
    for name, outcome in expected.items():
        assert recorded.first.outcomes[f"test_{name}"] == outcome
        assert not recorded.project.file(f"test_{name}").exists()


def test_files_are_indented_and_depend_on_no_case_and_no_machine(recorded: Recorded) -> None:
    """Files hold no secret, value, path or address, and no placeholder of an unused value."""
    for text, _ in recorded.files.values():
        for word in (SECRET, "Zoë", "{unused}", str(recorded.project.root), "127.0.0.1"):
            assert word not in text
        assert not re.search(r"\d\d:\d\d", text)
        assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"
    for path in (recorded.project.root / ".webtask").rglob("*"):
        if path.is_file() and path.suffix != ".jpg":
            assert SECRET not in path.read_text(errors="replace"), path
    assert SECRET not in recorded.first.printed


def test_second_run_replays_and_writes_nothing(recorded: Recorded) -> None:
    """The second run calls a model only for what was not recorded, and changes no file."""
    run = recorded.second
    for name in ("plain", "helper", "helper_again", "elsewhere", "fixture", "loop"):
        assert run.outcomes[f"test_{name}"] == "passed"
        traced = run.events(StepTraced, f"test_{name}")
        assert {event.decided_by for event in traced} <= {"recording"}
    assert run.outcomes["test_method"] == "passed"
    assert not {"write {what} with {code}", "a heading says Notes"} & {*run.tasks}
    assert recorded.project.files() == recorded.files
    assert "recordings/test_it/test_plain.json" in recorded.first.printed
    assert re.search(r"\d+ replayed", run.printed) and "recorded 1 step" not in run.printed
