"""Rows in which something is absent: known by what the sentence calls them, not by all that they say."""

from __future__ import annotations

from pathlib import Path

from tests.inner import project

PLAYS = """
    "Bench is not in the group Kitchen": [
        holds({"kind": "absent", "text": "Kitchen", "within": "row:Bench"}, text("heading:Watches", "Watches")),
    ],
"""
TEST = """
def test_group(webtask):
    webtask.goto("/")
    webtask.verify("Bench is not in the group Kitchen")
"""


def page(minutes: int, *groups: tuple[str, str]) -> str:
    """A table of watches with their groups, whose titles have an icon, and when they were checked."""
    row = f"<tr><td><button>Pause</button><td><span>{{}} <a href=#><i></i></a></span><td>{{}}<td>{minutes} minutes ago"
    return f"<title>W</title><h1>Watches</h1><table><tr><th>A<th>B<th>C<th>D{''.join(row.format(*each) for each in groups)}</table>"


def test_searched_row_is_known_by_its_title(tmp_path: Path) -> None:
    """Other ages and another order of the rows replay; the text in the row of that title fails."""
    bench, kettle = ("Bench", "Garden"), ("Kettle", "Kitchen")
    with project(tmp_path, PLAYS, TEST) as inner:
        inner.site.pages["/"] = page(33, bench, kettle)
        inner.passes()
        for harmless in (page(47, bench, kettle), page(48, kettle, bench)):
            inner.site.pages["/"] = harmless
            inner.replays()
        inner.site.pages["/"] = page(33, ("Bench", "Kitchen"), ("Kettle", "Garden"))
        assert inner.run(ci="true").outcomes == {"test_group": "failed"}
