"""Checkpoints in recordings: replayed at their place, and never skipped."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask.cli import main
from tests.recordings.inner import Project, project

PAGE = """<title>Shop</title><h1>Cart</h1><p role=status id=s>{before}</p>
<button onclick="if (s.textContent != '{after}') s.textContent = '{after}'">Add</button>
<button onclick="document.querySelector('h1').textContent = 'Paid'; s.remove()">Pay</button>"""
PLAYS = """
    "put one in and pay": [
        act("click", "button:Add"),
        confirm("one is in the cart", text("status:1 item", "1 item")),
        act("click", "button:Pay"),
        done(text("heading:Paid", "Paid")),
    ],
"""
TEST = """
def test_pay(webtask):
    webtask.goto("/")
    webtask.do("put one in and pay")
"""


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[Project]:
    """A project with a recording of a task with a checkpoint."""
    with project(tmp_path, PLAYS, TEST) as inner:
        inner.site.pages["/"] = PAGE.format(before="empty", after="1 item")
        run = inner.run()
        assert run.outcomes == {"test_pay": "passed"}, run.printed
        yield inner


def moved(steps: list[dict[str, Any]]) -> None:
    """Move the checkpoint before the first call."""
    calls = steps[0]["calls"]
    calls.insert(0, calls.pop(1))


def removed(steps: list[dict[str, Any]]) -> None:
    """Remove the checkpoint."""
    del steps[0]["calls"][1]


def loosened(steps: list[dict[str, Any]]) -> None:
    """Let the checkpoint expect less."""
    steps[0]["calls"][1]["evidence"][0]["check"]["text"] = "1"


def test_checkpoint_is_recorded_and_replayed_at_its_place(recorded: Project) -> None:
    """A replay asks no model, and the report shows the checkpoint among the calls."""
    [add, checkpoint, pay] = recorded.steps("test_pay")[0]["calls"]
    assert [add["tool"], checkpoint["tool"], pay["tool"]] == ["click", "confirm", "click"]
    assert checkpoint["parameters"] == {"note": "one is in the cart"}
    assert checkpoint["evidence"][0]["check"]["text"] == "1 item"
    run = recorded.run(ci="true")
    assert run.outcomes == {"test_pay": "passed"} and not run.asked, run.printed
    report = recorded.root / ".webtask" / "report"
    [test] = json.loads((report / "report.json").read_text())["tests"]
    calls = [c for i in test["attempts"][0]["steps"][1]["iterations"] for c in i["calls"]]
    assert [each["expected"] for each in calls[1]["evidence"]] == ['exactly "1 item"']
    html = (report / test["page"]).read_text()
    assert "checkpoint: one is in the cart" in html and "What held then" in html


@pytest.mark.parametrize(
    ("page", "message"),
    [
        # It no longer holds: the end alone would pass.
        ({"before": "empty", "after": "2 items"}, "the checkpoint at call 2 of 3"),
        # It held before the first call, so that it shows no effect of any.
        ({"before": "1 item", "after": "1 item"}, "held before the first call"),
    ],
)
def test_checkpoint_that_shows_nothing_fails_the_replay(
    recorded: Project, page: dict[str, str], message: str
) -> None:
    """A replay fails at the checkpoint, before the next call, and proposes no other expectation."""
    recorded.site.pages["/"] = PAGE.format(**page)
    run = recorded.run(ci="true")
    assert run.outcomes == {"test_pay": "failed"}, run.printed
    assert message in run.printed and not run.changed


def test_vanished_element_of_a_checkpoint_fails_the_replay(recorded: Project) -> None:
    """A checkpoint whose element is gone is not skipped."""
    page = PAGE.format(before="empty", after="1 item")
    recorded.site.pages["/"] = page.replace("s.textContent = '1 item'\"", 's.remove()"').replace(
        "; s.remove()", ""
    )
    run = recorded.run(ci="true")
    assert run.outcomes == {"test_pay": "failed"}, run.printed
    assert "checkpoint at call 2 of 3" in run.printed


@pytest.mark.parametrize("edit", [moved, removed, loosened])
def test_edited_checkpoint_must_be_approved(recorded: Project, edit: Any) -> None:
    """A checkpoint belongs to what was approved, with its place."""
    recorded.edit("test_pay", edit)
    run = recorded.run(ci="true")
    assert run.outcomes == {"test_pay": "failed"}, run.printed
    assert "was edited after it was approved" in run.printed


def test_model_that_takes_over_must_confirm_what_is_left(recorded: Project) -> None:
    """After a hand-over, a model is told of the checkpoints to come, and cannot leave them out."""
    recorded.write(
        "plays.py",
        "from tests.recordings.inner import act, confirm, done, text\n"
        """PLAYS = {"put one in and pay": [
            act("click", "button:Put"),
            act("click", "button:Pay"),
            done(text("heading:Paid", "Paid")),
            act("abort", reason="it was not confirmed"),
        ]}""",
    )
    page = PAGE.format(before="empty", after="1 item").replace(">Add<", ">Put it in<")
    recorded.site.pages["/"] = page.replace("<button", "<button class=other", 1)
    run = recorded.run()
    assert run.outcomes == {"test_pay": "failed"}, run.printed
    assert "Confirm on the way, at its moment, each of: text" in run.asked[0]["notices"][0]
    assert "a checkpoint that expects text '1 item'" in run.printed


def test_review_and_export_show_the_checkpoint(
    recorded: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`show` prints it at its place as the assertion that it is."""
    monkeypatch.chdir(recorded.root)
    main(["show", "recordings/test_it/test_pay.json"])
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    note = next(n for n, line in enumerate(lines) if "checkpoint: one is in the cart" in line)
    assert "1 item" in lines[note + 1] and "click" in lines[note + 2]
