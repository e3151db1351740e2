"""`pytest_webtask.bdd`: scenarios of pytest-bdd in plain English."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_webtask import cli
from pytest_webtask.bdd import _data
from pytest_webtask.errors import UsageError
from pytest_webtask.recordings.sources import scenarios_of
from tests import nested
from tests.site import Site

pytestmark = pytest.mark.slow

NOTES = """
<title>Notes</title><h1>Notes</h1>
<label>Note <input id=note></label> <label>By <input id=by></label>
<button onclick="out.textContent = 'Saved ' + note.value + ' by ' + by.value">Save</button>
<p role=status id=out></p>
"""
FEATURE = """
Feature: Notes
  Background:
    Given the notes are open

  Scenario: Ann's note
    Given go to "/notes"
    When write {what} by {who}
      | what   | who |
      | apples | Ann |
    Then "Saved apples by Ann" is visible
    But "Save" is visible
    And my own step

  Scenario Outline: Many notes
    When fill "Note" with {note} and click "Save"
      | note | <note> |
    Then "Saved <note> by" is visible

    Examples:
      | note  |
      | pears |
      | figs  |

  Scenario: A false claim
    Then "Nope" is visible
"""
CONFTEST = """
import pytest
from pytest_bdd import then
from pytest_webtask.bdd import *
from pytest_webtask.testing import ScriptedModel, call, done, find, shows

@pytest.fixture(scope="session")
def model():
    return ScriptedModel(
        call("navigate", url="/notes"), done("open", shows("heading", "Notes")),
        [call("fill", find("textbox", "Note"), text="{what}"),
         call("fill", find("textbox", "By"), text="{who}"),
         call("click", find("button", "Save"))],
        done("written", shows("status", "Saved apples by Ann", "Saved {what} by {who}")),
    )

@pytest.fixture
def webtask_model(model):
    return model
"""
MODULE = """
from pytest_bdd import scenarios, then

scenarios("notes.feature")

@then("my own step")
def own(webtask):
    webtask.verify('"Notes" is visible')
"""


@pytest.fixture
def project(pytester: pytest.Pytester, site: Site) -> Path:
    """A project with a feature of three scenarios."""
    site.pages["/notes"] = NOTES
    pytester.makeconftest(CONFTEST)
    pytester.makeini(
        f"[pytest]\nbase_url = {site.url}\naddopts = --webtask-timeout=1 --webtask-screenshots=off\n"
    )
    pytester.makepyfile(test_notes=MODULE)
    (pytester.path / "notes.feature").write_text(FEATURE)
    return pytester.path


@pytest.mark.long
def test_scenarios_are_done_recorded_and_replayed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given and When are tasks, Then is a claim, at their lines; the recording is stored next to the feature, and replays."""
    result = nested.run(project)
    result.assert_outcomes(passed=3, failed=1)
    assert 'does not show "Nope"' in nested.printed(result)
    assert 'notes.feature:26: Then "Nope" is visible' in nested.printed(result)
    journal = "".join(each.read_text() for each in project.glob(".webtask/runs/*/*.jsonl"))
    assert '"notes.feature","line":26' in journal.replace('": ', '":').replace(', "', ',"')
    folder = project / "recordings/notes"
    files = {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}
    assert {name: [s["sentence"] for s in file["steps"]] for name, file in files.items()} == {
        "Background": ["the notes are open"],
        "Ann_s_note": ["write {what} by {who}"],
    }
    assert "Ann" not in json.dumps(files["Ann_s_note"]["steps"][0]["calls"])
    nested.run(project, "--webtask-mode=replay").assert_outcomes(passed=3, failed=1)
    assert cli.main(["recordings", "prune", "--dry-run"]) == 0
    assert "would drop 0 steps" in capsys.readouterr().out
    feature = project / "notes.feature"
    feature.write_text(FEATURE.replace("Ann's note", "A note of Ann"))
    result = nested.run(project, "--webtask-mode=replay")
    mv = "pytest-webtask recordings mv notes.feature::Ann_s_note notes.feature::A_note_of_Ann"
    assert mv in nested.printed(result)
    assert cli.main(mv.split()[1:]) == 0
    result = nested.run(project, "--webtask-mode=replay")
    result.assert_outcomes(passed=3, failed=1)
    feature.write_text(FEATURE.replace("write {what}", "note {what}"))
    assert cli.main(["recordings", "prune", "--dry-run"]) == 0
    assert 'would drop do "write {what} by {who}" of recordings/' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("sentence", "table", "data"),
    [
        ("log in", (("user", "demo"), ("role", "admin")), {"user": "demo", "role": "admin"}),
        ("as {user} of {role}", (("user", "role"), ("demo", "x")), {"user": "demo", "role": "x"}),
        ("as {user}", (("user", "demo"), ("role", "x")), {"user": "demo", "role": "x"}),
        ("add", (("a", "b", "c"), ("1", "2", "3")), {"a": "1", "b": "2", "c": "3"}),
        ("add {name_2}", (("name", "n"), ("x", "1"), ("y", "2")), {"name_1": "x", "name_2": "y"}),
        ("add", (("name",), ("x",), ("y",)), {"name_1": "x", "name_2": "y"}),
        ("add", None, {}),
    ],
    ids=["column", "header", "two-rows", "row", "rows", "one-column", "none"],
)
def test_tables_are_data(
    sentence: str, table: tuple[tuple[str, ...], ...] | None, data: dict[str, str]
) -> None:
    """A table has its names in the first column or in the first row, as the sentence needs them."""
    assert data.items() <= _data(sentence, table, None).items()
    assert _data(sentence, table, "long")["text"] == "long"


def test_feature_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """A damaged feature is an error, and nothing is taken for missing in it."""
    feature = tmp_path / "x.feature"
    feature.write_text("Feature: x\n  Scenario: y\n  Given z\n  oops\n")
    with pytest.raises(UsageError, match=r"x\.feature cannot be read"):
        scenarios_of(feature)


def test_steps_are_imported_on_use_only(pytester: pytest.Pytester) -> None:
    """The package imports neither library; without pytest-bdd its import says what to install."""
    code = (
        "import sys, pytest_webtask.cli, pytest_webtask.plugin, pytest_webtask.run.webtask\n"
        "print({'pytest_bdd', 'prompt_toolkit', 'gherkin'} & sys.modules.keys())\n"
        "sys.modules['pytest_bdd'] = None\n"
        "try:\n    import pytest_webtask.bdd\nexcept ImportError as error:\n    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ}
    )
    empty, message = done.stdout.splitlines()
    assert empty == "set()"
    assert message == 'pytest_webtask.bdd needs pytest-bdd: pip install "pytest-webtask[bdd]"'
