"""Dialogs of the browser and empty parts are evidence that a replay asks for again."""

from pathlib import Path

from tests.inner import project

PAGE = "<button onclick=\"{}\">Save</button><div id=area style='height:40px'>{}</div>"
PLAYS = """"save": [act("click", "button:Save"), done({"kind": "dialog", "text": "Saved 3"})],
"it was saved": [judge("holds", {"kind": "dialog", "text": "Saved 3"})],
"the area is empty": [judge("holds", {"kind": "state", "element_id": "box:", "state": "empty"})],
"confirm the alert that says it was saved": [
    act("click", "button:Save", dialog="accept"), done({"kind": "title", "text": "Done"})],"""
TESTS = """def test_it(webtask):
    webtask.goto("/")
    webtask.do("save")
    webtask.verify("it was saved")
    webtask.verify("the area is empty")

def test_answered(webtask):
    webtask.goto("/answered")
    webtask.do("confirm the alert that says it was saved")
"""


def test_replay_needs_the_recorded_dialogs_and_the_empty_part(tmp_path: Path) -> None:
    """An alert that comes later replays; another text or type, none at all, or a part with content do not.

    An alert that a model has announced is asked for by its text, whatever else proves the step.
    """
    alert, answered = "alert('Saved 3 items')", "alert('{}'); document.title = 'Done'"
    with project(tmp_path, PLAYS, TESTS) as inner:
        pages = inner.site.pages
        pages["/"], pages["/answered"] = PAGE.format(alert, ""), PAGE.format(answered, "")
        inner.passes()
        for action, content, outcome, other in (
            (alert, "", "passed", answered),
            (f"setTimeout(() => {alert}, 100)", "", "passed", answered.format("Not saved")),
            (alert.replace("3", "13"), "", "failed", answered),
            (alert.replace("alert", "confirm"), "", "failed", answered),
            ("", "", "failed", answered),
            (alert, "7", "failed", answered),
        ):
            pages["/"], pages["/answered"] = PAGE.format(action, content), PAGE.format(other, "")
            run = inner.run("--webtask-mode=replay", "--webtask-heal=off")
            same = "passed" if other == answered else "failed"
            assert run.outcomes == {"test_it": outcome, "test_answered": same}, run.printed
