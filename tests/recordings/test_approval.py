"""Approvals: what breaks their digest, what a replay does then, and how a person answers for it."""

import os
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask import cli
from pytest_webtask.journal.schema import Decided, StepTrace, digest
from pytest_webtask.recordings.recorder import approved_by
from pytest_webtask.recordings.store import load_recording
from pytest_webtask.types.agent import Ruling
from tests.inner import Project, Run, project
from tests.recordings.made import ADD, MODULE, SHOWS, git, recorded

Line = dict[str, Any]
CELL: Line = {
    "locators": ['get_by_role("cell").nth(1)'],
    "pinned": {"name": None, "containers": [{"kind": "row", "name": "Mug", "column": "Product"}]},
    "remembered": {
        "role": "cell", "containers": [{"kind": "column", "name": "Price"}], "tag": "td",
        "near": ["Mug"], "marks": {"id": "price"},
    },
}  # fmt: skip
STEP: Line = {
    "kind": "extract",
    "sentence": "the price of {product}",
    "decided": {"model": "claude", "on": "2026-01-31"},
    "calls": [{"tool": "fill", "parameters": {"text": "Mug"}, "targets": {"element_id": CELL}}],
    "evidence": [
        {"check": {"kind": "text", "text": "{product}: 8"}, "target": CELL},
        {"check": {"kind": "count", "number": "2"}, "target": {"locators": ["locator('li')"]}},
    ],
    "sources": [{"kind": "text", "target": CELL}],
    "value": {"source": 0, "take": "number", "before": "$"},
}


def edited(change: Callable[[Line], object]) -> bool:
    """Whether a change of the step breaks its digest."""
    trace = deepcopy(STEP)
    change(trace)
    return digest(StepTrace.model_validate(trace)) != digest(StepTrace.model_validate(STEP))


def evidence(**changes: Any) -> Callable[[Line], object]:
    """A change of the first check."""
    return lambda step: step["evidence"][0].update(changes)


def called(**changes: Any) -> Callable[[Line], object]:
    """A change of the call."""
    return lambda step: step["calls"][0].update(changes)


BREAKS: dict[str, Callable[[Line], object]] = {
    "sentence": lambda s: s.update(sentence="the weight of {product}"),
    "check": evidence(check={"kind": "state", "state": "visible"}),
    **{"fails": evidence(fails=True), "tab": evidence(tab=2), "before": evidence(held_before=True)},
    "item": lambda s: s["evidence"][0]["target"].update(pinned={}),
    "locator": lambda s: s["evidence"][0]["target"]["locators"].append("locator('td')"),
    "value": lambda s: s["value"].update(before="€"),
    "calls": lambda s: s.update(calls=[]),
    **{"tool": called(tool="hover"), "text": called(parameters={"text": "Cup"})},
    **{"field": called(targets={}), "checkpoint": called(evidence=STEP["evidence"])},
    "facts": lambda s: s.update(facts=["a fact"]),
}
KEEPS: dict[str, Callable[[Line], object]] = {
    "decided": lambda s: s.update(decided={"model": "gpt", "on": "2026-02-01"}),
    "place": lambda s: s.update(occurrence=2, webtask="seller", variant="de"),
}


def test_digest_covers_all_that_a_replay_does_and_checks() -> None:
    """It covers calls, checks, elements and values, but not who decided them nor their place in a file."""
    broken = {name: edited(change) for name, change in {**BREAKS, **KEEPS}.items()}
    assert broken == {**dict.fromkeys(BREAKS, True), **dict.fromkeys(KEEPS, False)}


def test_same_session_is_a_coding_agent_that_judges_itself() -> None:
    """An approval is marked only if one session may have seen both turns."""
    decided = Decided(model="handoff", on="2026-01-31")
    trace = StepTrace.model_validate(STEP).model_copy(update={"decided": decided})
    for by, blind, same in (
        ("handoff", False, True),
        ("handoff", True, False),
        ("claude", False, False),
    ):
        approval = approved_by(trace, Ruling(proves=True, by=by, blind=blind)).approved
        assert approval is not None and approval.same_session is same, (by, blind)


# The command


@pytest.fixture
def cart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module whose recording has one step that was edited since, and one that was not."""
    monkeypatch.chdir(tmp_path)
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)
    git("init", "-q")
    git("config", "user.name", "Ann Lee")
    Path("tests").mkdir()
    Path("tests/test_cart.py").write_text(MODULE)
    loose = deepcopy(SHOWS)
    loose["evidence"] = loose["evidence"][1:]
    return recorded("tests/recordings/test_cart/TestCart.test_add.json", ADD, loose)


@pytest.mark.parametrize("of", ["test_add", "tests/test_cart.py::TestCart::test_add[chromium]"])
def test_accept_edited_records_the_person(
    cart: Path, capsys: pytest.CaptureFixture[str], of: str
) -> None:
    """The command prints what is approved, and the file records the person and the day."""
    before = cart.read_text()
    assert cli.main(["accept", "--edited", str(cart), "--dry-run"]) == 0
    assert "Ann Lee would approve verify" in capsys.readouterr().out
    assert cart.read_text() == before
    assert cli.main(["accept", "--edited", of]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith('Ann Lee approved verify "cart shows 2 items" in tests/recordings')
    assert "to_have_url" in printed and "add a mug" not in printed
    there = load_recording(cart)
    first, second = (each.approved for each in there.steps)
    assert first and first.by == "scripted" and not first.person
    assert second and second.by == "Ann Lee" and second.person
    assert second.digest == digest(there.steps[1])
    assert cli.main(["recordings", "list"]) == 0
    assert f"approved by Ann Lee on {second.on}, person]" in capsys.readouterr().out


def test_accept_edited_without_edits_is_an_error(
    cart: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Approved evidence, an unknown test and a run beside `--edited` are refused with code 2."""
    assert cli.main(["accept", "--edited", "test_add"]) == 0
    assert cli.main(["accept", "--edited", "test_add"]) == 2
    assert "no step in the recordings of 'test_add' was edited" in capsys.readouterr().err
    assert cli.main(["accept", "--edited", "test_other"]) == 2


# In a run

PLAYS = """
"the state is Ready": [holds(text("status:Ready", "Ready"))],
"the state is no longer Off": [holds(text("status:Ready", "Ready"))],
"switch it on": [[act("click", "button:On")], done(text("status:Ready", "Ready"))],
"""
TESTS = """
def test_yes(webtask):
    webtask.goto("/")
    webtask.verify("the state is Ready")

def test_person(webtask):
    webtask.goto("/")
    webtask.verify("the state is no longer Off")

def test_gutted(webtask):
    webtask.goto("/")
    webtask.do("switch it on")
"""


@pytest.fixture(scope="module")
def loosened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project whose recordings were edited: what they check holds, but was never approved."""
    with project(tmp_path_factory.mktemp("approval"), PLAYS, TESTS) as inner:
        inner.site.pages["/"] = "<h1>State</h1><p role=status>Ready</p><button>On</button>"
        inner.passes()
        steps = inner.steps("test_yes")
        assert steps[0]["approved"]["by"] == "Player"
        for name in ("test_yes", "test_person"):
            inner.edit(name, lambda s: s[0]["evidence"][0]["check"].pop("exact"), approved=False)
        held = {**inner.steps("test_gutted")[0]["evidence"][0], "held_before": True}
        inner.edit("test_gutted", lambda s: s[0].update(calls=[], evidence=[held]), approved=False)
        yield inner


@pytest.fixture(scope="module")
def ci(loosened: Project) -> Run:
    """The replay of that project."""
    return loosened.run(ci="true")


@pytest.mark.parametrize("name", ["test_yes", "test_gutted"])
def test_edited_step_fails_and_names_both_ways(loosened: Project, ci: Run, name: str) -> None:
    """It fails without a model call although its checks hold, in `auto`, too, and names both remedies."""
    assert set(ci.outcomes.values()) == {"failed"}
    for run in (ci, loosened.run("-k", name)):
        assert run.outcomes[name] == "failed" and not run.asked and not run.ruled
        message = run.tests[name].message
        assert "EditedRecording" in message and "--webtask-mode=record" in message
        assert f"pytest-webtask accept --edited recordings/test_it/{name}.json" in message


def test_edited_step_accepted_by_a_person_replays(
    loosened: Project, ci: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After `accept --edited` the edited evidence is checked."""
    monkeypatch.chdir(loosened.root)
    assert cli.main(["accept", "--edited", "test_person"]) == 0
    assert loosened.steps("test_person")[0]["approved"]["person"]
    run = loosened.run("-k", "test_person", ci="true")
    assert run.outcomes == {"test_person": "passed"}, run.printed
