"""Items that a test names by its data are found by that, whatever else of them a run has chosen."""

import json
from collections.abc import Iterator

import pytest

from tests.inner import Project, project

pytestmark = pytest.mark.slow
PAGE = """<h1>Loans</h1><div id=bar></div><table id=t><tr><th colspan=3>All loans<tr><th>Book<th>Due<th>Returned</table>
<div id=more></div><script>
const open = '<a href="#new" onclick="document.title = \\'New\\'">Lend a book</a>';
bar.innerHTML = open;
for (const [name, state] of ITEMS) t.insertAdjacentHTML('beforeend', `<tr><td data-testid="${crypto.randomUUID()}-title">${name}</td>
  <td>${MANY}<td><span class="i ${state}" title="returned: ${state}"></span></tr>`);
if (ITEMS.length > 3) more.innerHTML = open;
</script><style>.i { display: inline-block; width: 1em; height: 1em; background: teal }</style>"""
PLAYS = """
"{first} is returned, {tag} west is not": [holds(
    text("cell:Desk bd181d77", "Desk bd181d77"), text("cell:true", "returned: true"),
    text("cell:Zoo 41d0 west", "Zoo 41d0"), text("cell:false", "returned: false"))],
"lend a book": [act("click", "link:Lend a book"), done({"kind": "title", "text": "New"})],
"""
TESTS = """
from pathlib import Path

FIRST, TAG = Path("names.txt").read_text().split("|")

@pytest.fixture
def webtask_data():
    return {"first": FIRST, "tag": TAG}

def test_claim(webtask):
    webtask.goto("/")
    webtask.verify("{first} is returned, {tag} west is not")

def test_link(webtask):
    webtask.goto("/")
    webtask.do("lend a book")
"""
RECORDED = ("Desk bd181d77", "Zoo 41d0")
NOW = ("Desk 79c55023", "Zoo e9f1")


def listed(*items: tuple[str, str]) -> str:
    """The page with these items, each with its state."""
    return PAGE.replace("ITEMS", json.dumps(items)).replace("MANY", "2026-12-01")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project that has recorded a claim about two items and an action beside them."""
    with project(tmp_path_factory.mktemp("living"), PLAYS, f"import pytest\n{TESTS}") as inner:
        inner.write("names.txt", "|".join(RECORDED))
        inner.site.pages["/"] = listed((RECORDED[0], "true"), (f"{RECORDED[1]} west", "false"))
        run = inner.run("--webtask-confirm=on")
        assert set(run.outcomes.values()) == {"passed"} and "confirmed 2 steps" in run.printed, (
            run.printed
        )
        yield inner


@pytest.mark.parametrize(
    ("first", "second", "outcome"),
    [("true", "false", "passed"), ("false", "false", "failed"), ("true", "true", "failed")],
)
def test_items_are_known_by_the_data_of_this_run(
    recorded: Project, first: str, second: str, outcome: str
) -> None:
    """Items of earlier runs, another order and a repeated link change nothing; a wrong state fails."""
    recorded.write("names.txt", "|".join(NOW))
    recorded.site.pages["/"] = listed(
        (f"{NOW[1]} west", second), (RECORDED[0], "false"), ("Aunt", "true"), (NOW[0], first)
    )
    run = recorded.run("--webtask-mode=replay")
    assert run.outcomes == {"test_claim": outcome, "test_link": "passed"}, run.printed
