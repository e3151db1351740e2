"""What changes by itself, such as a clock, is no sign that the calls of a replay had an effect."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.inner import Project, project, visits

PLAYS = """
    "save it": [act("click", "button:Save"), done(text("status:Saved", "Saved"))],
    "date it": [act("click", "button:Save"), done({"kind": "matches", "element_id": "status:Saved", "pattern": r"Saved \\d+ seconds? ago"})],
    "title it": [act("click", "button:Save"), done({"kind": "title", "text": "Saved notes"})],
"""
TEST = visits({n: f"do('{n} it')" for n in ("save", "date", "title")}, at="/")
PAGE = """<title>{title}</title><p role=status id=s>{status}</p><i id=clock></i>
<button onclick="{save}">Save</button><script>let n = 5; {script}</script>"""
SAVES = "s.textContent = 'Saved'"
TITLES = "document.title = 'Saved notes'"
SAVED = "'Saved'"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project with recordings of tasks whose evidence is new."""
    root: Path = tmp_path_factory.mktemp("restless")
    with project(root, PLAYS, TEST) as inner:
        inner.site.pages["/"] = PAGE.format(
            status="", title="Notes", save=f"{SAVES}; {TITLES}", script=""
        )
        run = inner.run("-k", "not test_date")
        assert run.outcomes == {"test_save": "passed", "test_title": "passed"}, run.printed
        save = SAVES.replace("d'", "d 3 seconds ago'")
        inner.site.pages["/"] = PAGE.format(status="", title="Notes", save=save, script="")
        run = inner.run("-k", "test_date")
        assert run.outcomes == {"test_date": "passed"}, run.printed
        yield inner


TICKS = f"setInterval(() => s.textContent = {SAVED}, 700)"
CLOCK = "setInterval(() => clock.textContent = n++, 700)"
AGES = "setInterval(() => s.textContent = `Saved ${n++} seconds ago`, 700)"
SHOWN = {
    "save": ("Saved", "Notes"),
    # Evidence without a single element is about the page, apart from what changes by itself.
    "title": ("Saved", "Saved notes"),
    # A text that is recorded as a pattern was new, too.
    "date": ("Saved 4 seconds ago", "Notes"),
}


@pytest.mark.long
@pytest.mark.real_time
@pytest.mark.parametrize(
    ("test", "save", "script", "outcome"),
    [
        # Nothing is saved, and the text is there and written once more by itself.
        ("save", "", "", "failed"),
        ("save", "", TICKS, "failed"),
        ("save", "", TICKS.replace("700", "1000"), "failed"),
        ("save", "", f"setInterval(() => s.outerHTML = '<p role=status id=s>' + {SAVED} + '</p>', 700)", "failed"),
        ("save", "", f"setInterval(() => s.firstChild.data = {SAVED}, 50)", "failed"),
        ("save", "", CLOCK, "failed"),
        # What changes once is an effect, also beside a clock, and after it was drawn late.
        ("save", SAVES, "", "passed"),
        ("save", SAVES, CLOCK, "passed"),
        ("save", SAVES, f"setTimeout(() => s.textContent = {SAVED}, 250)", "passed"),
        ("save", SAVES.replace("s.textContent =", "s.outerHTML = '<p role=status id=s>' +"), CLOCK, "passed"),
        ("title", "", "", "failed"),
        ("title", "", CLOCK, "failed"),
        ("title", TITLES, CLOCK, "passed"),
        ("date", "", AGES, "failed"),
        ("date", SAVES.replace("d'", "d 1 second ago'"), "", "passed"),
    ],
)  # fmt: skip
def test_what_changes_by_itself_shows_no_effect(
    recorded: Project, test: str, save: str, script: str, outcome: str
) -> None:
    """Only a change by the calls makes evidence that held before them good."""
    status, title = SHOWN[test]
    recorded.site.pages["/"] = PAGE.format(status=status, title=title, save=save, script=script)
    run = recorded.run("-k", f"test_{test}", ci="true")
    assert run.outcomes == {f"test_{test}": outcome}, run.printed
    if test == "save" and outcome == "failed":
        assert "was already so before the first action" in run.printed
