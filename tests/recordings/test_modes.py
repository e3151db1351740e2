"""Modes: which recordings are read and written, and when a model is asked."""

from collections.abc import Iterator

import pytest

from pytest_webtask.journal import StepStarted
from pytest_webtask.llm.model_names import remember_model
from tests.inner import Project, Run, project

pytestmark = pytest.mark.slow

PAGE = """<h1>Notes</h1><h2>Cart</h2><a href=/cart>Cart (2 items)</a>
<button onclick="fetch('/did'); out.textContent = 'Done'">Save</button><p role=status id=out></p>"""
PLAYS = """
"a heading says Notes": [holds(text("heading:Notes", "Notes"))],
"a title says Notes": [holds(text("heading:Notes", "Notes"))],
"cart shows 2 items": [holds(text("link:Cart", "2 items"))],
"save it": [act("click", "button:Save"), done(text("status:Done", "Done"))],
"""
TESTS = """
import os
import pytest

@pytest.fixture(autouse=True)
def _open(webtask):
    webtask.goto("/")

def test_plain(webtask):
    webtask.do("save it")
    webtask.verify("cart shows 2 items")

def test_changed(webtask):
    webtask.do("save it")
    webtask.verify("a heading says Notes")
    webtask.verify("cart shows 2 items")

def test_branch(webtask):
    if os.path.exists("first"):
        webtask.verify("a heading says Notes")
    webtask.verify("cart shows 2 items")

def test_renamed(webtask):
    webtask.do("save it")

def test_literal(webtask):
    webtask.do('click "Save"')
    webtask.verify('"Done" is shown')
"""
REWRITTEN = TESTS.replace("a heading says Notes", "a title says Notes", 1).replace(
    "def test_renamed", "def test_named_anew"
)
RERUN = """
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):
    if "flaky" not in item.name:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for attempt in range(2):
        item.config.attempt = attempt
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        if attempt == 0 and any(r.failed for r in reports):
            item._initrequest()
            continue
        for report in reports:
            item.ihook.pytest_runtest_logreport(report=report)
        break
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
"""
FLAKY = """
def test_flaky(webtask, request):
    webtask.goto("/")
    if request.config.attempt == 0:
        webtask.do("save it")
    webtask.verify("a heading says Notes")
    assert request.config.attempt == 1
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project that was recorded, and whose tests were rewritten afterwards."""
    with project(tmp_path_factory.mktemp("modes"), PLAYS, TESTS, RERUN) as inner:
        inner.site.pages.update({"/": PAGE, "/did": ""})
        inner.write("first", "")
        inner.passes()
        (inner.root / "first").unlink()
        remember_model(inner.root, "handoff")
        inner.write("test_it.py", REWRITTEN)
        yield inner


@pytest.fixture(scope="module")
def ci(recorded: Project) -> Run:
    """The rewritten tests where `CI` is true."""
    return recorded.run(ci="true")


def test_ci_replays_without_a_model_and_writes_nothing(ci: Run) -> None:
    """If `CI` is true, recorded tests pass without a model call, and no file is written."""
    assert not ci.asked and ci.changed == []
    passed = {name for name, outcome in ci.outcomes.items() if outcome == "passed"}
    assert passed == {"test_plain", "test_literal", "test_branch"}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        # The command records it with the last model.
        (
            "test_changed",
            "MissingRecording … verify('a title says Notes') … recordings/test_it/test_changed.json"
            ' … pytest "test_it.py::test_changed[chromium]" --webtask-mode=auto --webtask-model=handoff',
        ),
        # The orphaned file with the sentence, and how to move it.
        (
            "test_named_anew",
            "recordings/test_it/test_renamed.json"
            " … pytest-webtask recordings mv test_it.py::test_renamed test_it.py::test_named_anew",
        ),
    ],
)
def test_missing_recording_says_how_to_get_it(ci: Run, name: str, words: str) -> None:
    """The error has the sentence, the file, and what is to be done in its case."""
    message = ci.tests[name].message
    assert ci.outcomes[name] == "failed"
    assert not [part for part in words.split(" … ") if part not in message]


def test_modes_write_their_recordings(recorded: Project) -> None:
    """Live writes nothing, auto records changed sentences, record drops unused ones; CI=0 is auto."""
    before = recorded.files()
    chosen = ["-k", "plain or changed or branch"]
    live = recorded.passes("--webtask-mode=live", *chosen)
    assert {"save it", "cart shows 2 items"} <= set(live.tasks)
    assert recorded.files() == before

    auto = recorded.passes(*chosen, ci="false")
    assert auto.tasks == ["a title says Notes"]
    sentences = [s["sentence"] for s in recorded.steps("test_changed")]
    assert set(sentences) == {
        *("save it", "a heading says Notes", "a title says Notes", "cart shows 2 items")
    }
    assert sentences.index("save it") < sentences.index("a title says Notes")
    assert len(recorded.steps("test_branch")) == 2
    changed = recorded.files()
    assert changed["recordings/test_it/test_plain.json"] == before[
        "recordings/test_it/test_plain.json"
    ]  # fmt: skip

    replay = recorded.run(*chosen, ci="0")
    assert not replay.asked and recorded.files() == changed

    anew = recorded.passes("--webtask-mode=record", *chosen, ci="true")
    assert "save it" in anew.tasks
    # What has gone from the code stays until it is pruned.
    assert [s["sentence"] for s in recorded.steps("test_changed")] == sentences
    assert len(recorded.steps("test_branch")) == 2
    assert len(recorded.steps("test_renamed")) == 1


def test_rerun_is_recorded_as_a_second_attempt(recorded: Project) -> None:
    """Journal lines name the second attempt, and steps of the failed one are not recorded."""
    recorded.write("test_flaky.py", FLAKY)
    run = recorded.run("test_flaky.py")
    assert run.outcomes == {"test_flaky": "passed"}, run.printed
    attempts = [event.attempt for event in run.events(StepStarted)]
    assert attempts == [1, 1, 1, 2, 2]
    steps = recorded.steps("test_flaky", "test_flaky")
    assert [step["sentence"] for step in steps] == ["a heading says Notes"]
