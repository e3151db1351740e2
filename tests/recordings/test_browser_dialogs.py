"""Dialogs of the browser and empty parts are evidence that a replay asks for again."""

from __future__ import annotations

from pathlib import Path

from tests.inner import project

PAGE = "<button onclick=\"{}\">Save</button><div id=area style='height:40px'>{}</div>"
PLAYS = """"save": [act("click", "button:Save"), done({"kind": "dialog", "text": "Saved 3"})],
"it was saved": [judge("holds", {"kind": "dialog", "text": "Saved 3"})],
"the area is empty": [judge("holds", {"kind": "state", "element_id": "box:", "state": "empty"})],"""
TESTS = """def test_it(webtask):
    webtask.goto("/")
    webtask.do("save")
    webtask.verify("it was saved")
    webtask.verify("the area is empty")
"""


def test_replay_needs_the_recorded_dialog_and_the_empty_part(tmp_path: Path) -> None:
    """An alert that comes later replays; another text or type, none at all, or a part with content do not."""
    alert = "alert('Saved 3 items')"
    with project(tmp_path, PLAYS, TESTS) as inner:
        inner.site.pages["/"] = PAGE.format(alert, "")
        inner.passes()
        for action, content, outcome in (
            (alert, "", "passed"),
            (f"setTimeout(() => {alert}, 100)", "", "passed"),
            (alert.replace("3", "13"), "", "failed"),
            (alert.replace("alert", "confirm"), "", "failed"),
            ("", "", "failed"),
            (alert, "7", "failed"),
        ):
            inner.site.pages["/"] = PAGE.format(action, content)
            run = inner.run("--webtask-mode=replay", "--webtask-heal=off")
            assert run.outcomes == {"test_it": outcome}, (action, run.printed)


def test_replay_needs_the_alert_that_the_first_run_answered(tmp_path: Path) -> None:
    """An alert that a model has announced is asked for again with its text, whatever else proves the step."""
    plays = """"confirm the alert that says it was saved": [
        act("click", "button:Save", dialog="accept"), done({"kind": "title", "text": "Done"})],"""
    tests = """def test_it(webtask):
    webtask.goto("/")
    webtask.do("confirm the alert that says it was saved")
"""
    with project(tmp_path, plays, tests) as inner:
        for text, ci, outcome in (("Saved", "", "passed"), ("Not saved", "true", "failed")):
            inner.site.pages["/"] = PAGE.format(f"alert('{text}'); document.title = 'Done'", "")
            run = inner.run(ci=ci)
            assert run.outcomes == {"test_it": outcome}, run.printed
