"""Evidence beside a value or an element: a condition of every later run, as the value is not."""

from collections.abc import Iterator

import pytest

from tests.inner import Project, Run, project

PAGES = {
    "/total": "<h1>%s</h1><p>Total: € %s</p><label><input type=checkbox %s>With tax</label>",
    "/select": "<h1>Mail</h1><button>Send</button><ul>%s</ul>",
    "/pattern": "<p>Total: € %s</p><p>You pay € %s today</p>",
}
FIRST = {
    "/total": ("Order", "24.00", "checked"),
    "/select": "<li>Ann</li>",
    "/pattern": ("24.00", "24.00"),
}
PLAYS = """
"the total with tax": [value(24.0, "text:Total", evidence=[
    {"kind": "state", "element_id": "checkbox:With tax", "state": "checked"},
    text("text:Total", "24.00"), text("heading:Order", "Order")])],
"the only draft's button": [found("button:Send", {"kind": "count", "all_of": "listitem"})],
"what is to pay": [value(24.0, "text:Total", evidence=[text("text:You pay", "24.00")])],
"""
TESTS = """
from pathlib import Path

def test_total(webtask):
    webtask.goto("/total")
    Path("total.txt").write_text(str(webtask.extract("the total with tax", float)))

def test_select(webtask):
    webtask.goto("/select")
    webtask.select("the only draft's button")

def test_pattern(webtask):
    webtask.goto("/pattern")
    webtask.extract("what is to pay", float)
"""


def show(inner: Project, **pages: object) -> None:
    """Show the pages as they are on another day."""
    for path, template in PAGES.items():
        inner.site.pages[path] = template % pages.get(path.strip("/"), FIRST[path])


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Project, Run]]:
    """Each step recorded once."""
    with project(tmp_path_factory.mktemp("reported"), PLAYS, TESTS) as inner:
        show(inner)
        run = inner.passes()
        yield inner, run


def test_referee_gets_the_evidence_beside_the_value(recorded: tuple[Project, Run]) -> None:
    """Evidence that only repeats the value is no further fact."""
    _, run = recorded
    [total] = [each for each in run.ruled if each["sentence"] == "the total with tax"]
    assert [fact["check"] for fact in total["facts"]] == ["text", "state", "text"]
    assert total["facts"][1]["expected"] == "checked"


def test_another_value_is_read_where_the_evidence_holds(recorded: tuple[Project, Run]) -> None:
    """A value may differ in the next run if its evidence holds."""
    inner, _ = recorded
    show(inner, total=("Order", "31.50", "checked"), pattern=("9.00", "9.00"))
    inner.passes("--webtask-mode=replay")
    assert (inner.root / "total.txt").read_text() == "31.5"


@pytest.mark.parametrize(
    ("test", "pages", "message"),
    [
        ("test_total", {"total": ("Order", "24.00", "")}, "expected checked"),
        ("test_total", {"total": ("Offer", "24.00", "checked")}, "can no longer be replayed"),
        ("test_select", {"select": "<li>Ann</li><li>Bob</li>"}, "but the page has"),
    ],
)
def test_failing_evidence_fails_the_replay(
    recorded: tuple[Project, Run], test: str, pages: dict[str, object], message: str
) -> None:
    """A replay fails if the state, heading or number of the evidence differs."""
    inner, _ = recorded
    show(inner, **pages)
    run = inner.run("--webtask-mode=replay", "-k", test)
    assert run.tests[test].outcome == "failed", run.printed
    assert message in run.tests[test].message, run.tests[test].message
