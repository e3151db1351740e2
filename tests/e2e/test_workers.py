"""Several processes that record at the same time."""

import re
from collections.abc import Iterator

import pytest

from tests.inner import Project, Run, project

pytestmark = pytest.mark.slow

PAGE = """<h1>Notes</h1><label>Note <input id=note></label>
<button onclick="out.textContent = 'Saved ' + note.value">Save</button><p role=status id=out></p>"""
PLAYS = """
**{f"note {n}": [[act("fill", "textbox:Note", text=n), act("click", "button:Save")],
    done(text("status:Saved", f"Saved {n}"))] for n in ("one", "two", "both")},
"a heading says Notes": [holds(text("heading:Notes", "Notes"))],
"""
TESTS = """
from pathlib import Path

from tests.inner import wait_for

def helper(webtask, own):
    webtask.goto("/")
    webtask.do("note both")
    webtask.do(own)

def together(own, other):
    # Each waits for the other, so that they are in two processes.
    Path(own).touch()
    wait_for(other)

def test_one(webtask):
    together("one", "two")
    helper(webtask, "note one")
    webtask.verify("a heading says Notes")

def test_two(webtask):
    together("two", "one")
    helper(webtask, "note two")
    webtask.verify("a heading says Notes")
"""


@pytest.fixture(scope="module")
def parallel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Project, Run]]:
    """Two tests with a helper in common, recorded side by side."""
    with project(tmp_path_factory.mktemp("workers"), PLAYS, TESTS) as inner:
        inner.site.pages["/"] = PAGE
        run = inner.run("-n2")
        assert run.outcomes == {"test_one": "passed", "test_two": "passed"}, run.printed
        yield inner, run


def test_step_recorded_by_two_workers_is_stored_once(parallel: tuple[Project, Run]) -> None:
    """The helper's file has the steps of both workers, and no partial file or lock is left."""
    inner, run = parallel
    sentences = [s["sentence"] for s in inner.steps("helper")]
    assert sorted(sentences) == ["note both", "note one", "note two"]
    for name in ("test_one", "test_two"):
        assert [s["sentence"] for s in inner.steps(name)] == ["a heading says Notes"]
    assert run.folder is not None
    assert {"gw0.jsonl", "gw1.jsonl"} <= {path.name for path in run.folder.glob("*.jsonl")}
    left = [path for path in (inner.root / "recordings").rglob("*") if path.is_file()]
    assert not [path for path in left if path.suffix != ".json" or path.name.startswith(".")]


def test_summary_adds_up_workers(parallel: tuple[Project, Run]) -> None:
    """The summary counts the steps of both workers and lists each file once."""
    _, run = parallel
    assert re.search(r"\b8 steps \(6 completed, 2 passed\)", run.printed)
    assert re.search(r"recorded 6 steps: ", run.printed)
    assert run.printed.count("recordings/test_it/helper.json") == 1


def test_workers_replay_and_write_nothing(parallel: tuple[Project, Run]) -> None:
    """A second run on two workers calls no model and leaves the files unchanged."""
    inner, _ = parallel
    before = inner.files()
    for name in ("one", "two"):
        (inner.root / name).unlink()
    run = inner.passes("-n2", "--webtask-mode=replay")
    assert not run.asked
    assert inner.files() == before
    assert re.search(r"6 replayed", run.printed)
