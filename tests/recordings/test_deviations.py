"""Deviations in recordings, replays, the summary and the report."""

import json

import pytest

from pytest_webtask.journal import HealProposed, StepEnded
from tests.inner import Project, recorded_project

PAGE = """<title>Blog</title><h1>New post</h1>
<button onclick="document.querySelector('h1').textContent = 'Published'">Publish</button>"""
WHY = "the author {who} was chosen"
PLAYS = """
    "publish a post by {who}": [
        act("click", "button:Publish"),
        done(text("heading:Published", "Published"), deviations=["the author Ann was chosen"]),
    ],
"""
TEST = """
def test_post(webtask):
    webtask.goto("/")
    result = webtask.do("publish a post by {who}", data={"who": "Ann"})
    assert result.deviations == ("the author Ann was chosen",)
"""


original, recorded = recorded_project(PLAYS, TEST, {"/": PAGE})


def test_deviation_is_recorded_and_told_in_each_replay(recorded: Project) -> None:
    """A replay has the deviation in its result, journal, summary and report, with its data."""
    assert recorded.steps("test_post")[0]["deviations"] == [WHY]
    run = recorded.replays()
    [*_, ended] = run.events(StepEnded)
    assert ended.deviations == ("the author Ann was chosen",)
    line = "do('publish a post by {who}') was done otherwise than written"
    assert f"{line}: the author Ann was chosen" in run.printed
    report = recorded.root / ".webtask" / "report"
    [test] = json.loads((report / "report.json").read_text())["tests"]
    assert test["deviated"] == 1
    assert "Done otherwise than written" in (report / test["page"]).read_text()
    assert "test_post" in (report / "summary.md").read_text().partition("otherwise")[2]


def test_forbidden_deviation_fails_the_replay(recorded: Project) -> None:
    """A recording made while deviations were allowed fails where they are forbidden."""
    run = recorded.run("-o", "webtask_deviations=fail", ci="true")
    assert run.outcomes == {"test_post": "failed"}, run.printed
    assert "webtask_deviations=fail forbids" in run.printed


TAKES_OVER = """
    "publish a post by {{who}}": [
        act("click", "button:Send"),
        done(text("heading:Published", "Published"){named}),
    ],
"""
NAMED = ', deviations=["the  author Ann was chosen"]'
ANY = TEST.replace('result.deviations == ("the author Ann was chosen",)', "result")


@pytest.mark.parametrize(("named", "kept"), [(NAMED, True), ("", False)])
def test_model_that_takes_over_names_or_drops_deviations(
    recorded: Project, named: str, kept: bool
) -> None:
    """The deviation of a recording stays if a model that was told of it names it, too."""
    plays = TAKES_OVER.format(named=named)
    recorded.write("plays.py", f"from tests.inner import act, done, text\nPLAYS = {{{plays}}}")
    recorded.write("test_it.py", ANY)
    recorded.site.pages["/"] = PAGE.replace(">Publish<", " class=b>Send<")
    run = recorded.passes()
    assert "named then: the author Ann was chosen" in run.asked[0]["notices"][0]
    assert len(run.asked) == 2
    [*_, ended] = run.events(StepEnded)
    assert bool(ended.deviations) == kept
    assert ("do('publish a post by {who}') was done otherwise than written" in run.printed) == kept
    report = json.loads((recorded.root / ".webtask/report/report.json").read_text())
    assert report["tests"][0]["deviated"] == kept
    [proposed] = run.events(HealProposed)
    assert (f"- deviation: {WHY}" in proposed.changes) == (not kept), proposed.changes
