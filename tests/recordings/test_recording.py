"""What is recorded, where, and from which tests."""

from __future__ import annotations

import ast
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


def test_helper_is_recorded_once(recorded: Recorded) -> None:
    """The sentence of a helper calls the model once, however many tests use it."""
    inner = recorded.project
    assert len(inner.steps("write")) == 1
    # Of test_helper the first call; the second has the same key, but nothing has passed yet.
    traced = recorded.first.events(StepTraced, "test_helper_again")
    assert not [event for event in traced if event.decided_by == "model"]


def test_sentence_in_a_loop_is_recorded_each_time(recorded: Recorded) -> None:
    """Each pass of a loop is an occurrence of its own."""
    assert [s.get("occurrence", 1) for s in recorded.project.steps("test_loop")] == [1, 2]


def test_lambdas_and_comprehensions_count_in_their_function(
    recorded: Recorded,
) -> None:
    """A claim in a lambda and one in a comprehension are two occurrences in their function."""
    steps = recorded.project.steps("TestNotes.test_method")
    assert [s.get("occurrence", 1) for s in steps] == [1, 2]


def test_calls_have_their_targets_and_parameters(recorded: Recorded) -> None:
    """A call has its tool, readable locator, signature, and typed text by its placeholder."""
    fill, secret, click = recorded.project.steps("test_plain")[0]["calls"]
    assert fill["tool"] == "fill" and fill["parameters"] == {"text": "{what}"}
    target = fill["targets"]["element_id"]
    assert target["locators"][0] == 'get_by_role("textbox", name="Note", exact=True)'
    assert target["signature"]["role"] == "textbox" and target["signature"]["tag"] == "input"
    assert secret["parameters"] == {"text": "{code}"}
    assert (
        click["targets"]["element_id"]["locators"][0]
        == 'get_by_role("button", name="Save", exact=True)'
    )


def test_hover_of_a_verifier_is_recorded(recorded: Recorded) -> None:
    """The calls that a verifier made before its verdict are recorded."""
    verify = recorded.project.steps("test_plain")[1]
    assert [call["tool"] for call in verify["calls"]] == ["hover"]
    assert verify["evidence"]


def test_evidence_is_recorded(recorded: Recorded) -> None:
    """Evidence has its check, expectation and target."""
    [evidence] = recorded.project.steps("test_plain")[0]["evidence"]
    assert evidence["check"]["kind"] == "text"
    assert evidence["check"]["text"] == "Saved {what}" and evidence["check"]["exact"]
    assert evidence["target"]["signature"]["role"] == "status"


def test_deciding_model_and_day_are_recorded(recorded: Recorded) -> None:
    """The model's name and the day are recorded, without the time."""
    decided = recorded.project.steps("test_plain")[0]["decided"]
    assert decided["model"] == "Player"
    today = datetime.now(timezone.utc)
    assert abs((today.date() - datetime.fromisoformat(decided["on"]).date()).days) <= 1
    assert len(decided["on"]) == 10


def test_literal_sentences_are_never_recorded(recorded: Recorded) -> None:
    """A test of literal sentences alone passes and has no file."""
    assert recorded.first.outcomes["test_literal"] == "passed"
    assert not recorded.project.file("test_literal").exists()


def test_only_passing_tests_are_recorded(recorded: Recorded) -> None:
    """Tests that fail, fail softly, xfail, skip or fail in teardown have no file."""
    outcomes = recorded.first.outcomes
    assert outcomes["test_fails"] == outcomes["test_fails_softly"] == "failed"
    assert outcomes["test_xfails"] == outcomes["test_skips"] == "skipped"
    assert outcomes["test_teardown"] == "error"
    for name in ("fails", "xfails", "fails_softly", "teardown", "skips"):
        assert not recorded.project.file(f"test_{name}").exists()


def test_files_hold_no_secret_and_no_value(recorded: Recorded) -> None:
    """Neither the secret nor the value of a placeholder is in a recording or the journal."""
    for text, _ in recorded.files.values():
        assert SECRET not in text and "Zoë" not in text
    for path in (recorded.project.root / ".webtask").rglob("*"):
        if path.is_file() and path.suffix != ".jpg":
            assert SECRET not in path.read_text(errors="replace"), path
    assert SECRET not in recorded.first.printed


def test_files_hold_no_path_and_no_address(recorded: Recorded) -> None:
    """A recording does not depend on the checkout or the site's address."""
    inner = recorded.project
    for text, _ in recorded.files.values():
        assert str(inner.root) not in text and "127.0.0.1" not in text
        assert not re.search(r"\d\d:\d\d", text)


def test_unused_value_becomes_no_placeholder(recorded: Recorded) -> None:
    """A text that equals an unused value of the data is recorded as it is."""
    texts = " ".join(text for text, _ in recorded.files.values())
    assert "{unused}" not in texts


def test_files_are_indented_json(recorded: Recorded) -> None:
    """Each value is on its own line, so that diffs are readable."""
    for text, _ in recorded.files.values():
        assert text.endswith("}\n")
        assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"


def test_locators_are_playwright_code(recorded: Recorded) -> None:
    """Each locator is a Python expression of locator methods."""
    for text, _ in recorded.files.values():
        for code in re.findall(r'"locator": (".*")', text):
            assert isinstance(ast.parse(json.loads(code), mode="eval").body, ast.Call)


def test_second_run_calls_no_model(recorded: Recorded) -> None:
    """The second run replays all that passed and calls a model only for what was not recorded."""
    run = recorded.second
    names = "plain helper helper_again elsewhere fixture loop".split()
    for name in names:
        assert run.outcomes[f"test_{name}"] == "passed"
        traced = run.events(StepTraced, f"test_{name}")
        assert {event.decided_by for event in traced} <= {"recording"}
    assert run.outcomes["test_method"] == "passed"
    assert "write {what} with {code}" not in run.tasks
    assert "a heading says Notes" not in run.tasks


def test_second_run_writes_nothing(recorded: Recorded) -> None:
    """No file changes, its time included."""
    assert recorded.project.files() == recorded.files


def test_summary_counts_recorded_and_replayed_steps(recorded: Recorded) -> None:
    """The first run lists the recorded files, the second counts its replayed steps."""
    assert "recordings/test_it/test_plain.json" in recorded.first.printed
    assert re.search(r"\d+ replayed", recorded.second.printed)
    assert "recorded 1 step" not in recorded.second.printed
