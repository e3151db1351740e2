"""Recordings of a list of tasks, replayed on the same list in other markup and after other changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.recordings.inner import Project, project

SCRIPT = """
<script>
const STATE = [["Call the dentist", "2026-12-03", false], ["Buy milk", "2026-12-04", false]];
const find = (title) => STATE.findIndex(([text]) => text === title);
function draw() {
  list.innerHTML = STATE.map((task) => ITEM(...task)).join("");
  left.textContent = `${STATE.filter(([, , ticked]) => !ticked).length} left`;
}
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-deletes]");
  if (button) { STATE.splice(find(button.dataset.deletes), 1); draw(); }
});
document.addEventListener("change", (event) => {
  const title = event.target.dataset.ticks;
  if (title) { STATE[find(title)][2] = event.target.checked; draw(); }
});
draw();
</script>
"""

PLAIN = """
<main><h1>Tasks</h1><ul id=list></ul><p><span id=left class=count></span></p></main>
<script>
const ITEM = (title, due, ticked) => `<li><input type=checkbox aria-label="Tick ${title}"
  data-ticks="${title}" ${ticked ? "checked" : ""}> <b>${title}</b> <span>due ${due}</span>
  <button data-deletes="${title}">Delete</button></li>`;
</script>
"""

WRAPPED = """
<div class=app><section><header><h1>Tasks</h1></header>
<div class=board><ul id=list class=items data-testid=todo-list></ul></div>
<footer><span class=total><strong id=left></strong></span></footer></section></div>
<script>
const ITEM = (title, due, ticked) => `<li class=item><div class=view>
  <input type=checkbox aria-label="Tick ${title}" data-ticks="${title}" ${ticked ? "checked" : ""}>
  <label>${title}</label>
  <small>due ${due}</small>
  <div><button type=button class=destroy data-deletes="${title}">
  Delete</button></div></div></li>`;
</script>
"""

DIVS = """
<div id=root><div><h1>Tasks</h1><div id=list></div><div><div id=left></div></div></div></div>
<script>
const ITEM = (title, due, ticked) => `<div class=row><div class=cell><input type=checkbox
  aria-label="Tick ${title}" data-ticks="${title}" ${ticked ? "checked" : ""}><span>${title}</span></div> <div class=cell>due ${due}</div>
  <div class=cell><div role=button tabindex=0 data-deletes="${title}">Delete</div></div></div>`;
</script>
"""

PLAYS = """
"delete the dentist": [
    act("click", "button:Delete@dentist"), done({"kind": "absent", "text": "Call the dentist"}, text("text:1 left", "1 left"))],
"tick the milk": [
    act("check", "checkbox:Tick Buy milk", checked=True),
    done({"kind": "state", "element_id": "checkbox:Tick Buy milk", "state": "checked"})],
"milk is listed": [holds(text("text:Buy milk", "Buy milk"))],
"two tasks are left": [holds(text("text:2 left", "2 left"))],
"""

TESTS = """
def test_delete(webtask):
    webtask.goto("/")
    webtask.do("delete the dentist")

def test_tick(webtask):
    webtask.goto("/")
    webtask.do("tick the milk")

def test_text(webtask):
    webtask.goto("/")
    webtask.verify("milk is listed")

def test_count(webtask):
    webtask.goto("/")
    webtask.verify("two tasks are left")
"""
ALL = {
    "test_delete": "passed",
    "test_tick": "passed",
    "test_text": "passed",
    "test_count": "passed",
}
REPLAY = ("--webtask-mode=replay", "--webtask-heal=off")


@pytest.fixture(scope="module", params=["plain", "wrapped"])
def recorded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Project]:
    """The tests, recorded on the list in one markup."""
    page = {"plain": PLAIN, "wrapped": WRAPPED}[request.param]
    with project(tmp_path_factory.mktemp("tasks"), PLAYS, TESTS) as made:
        made.site.pages["/"] = page + SCRIPT
        run = made.run()
        assert run.outcomes == ALL, run.printed
        yield made


@pytest.mark.parametrize("markup", ["plain", "wrapped", "divs"])
def test_recording_replays_in_another_markup(recorded: Project, markup: str) -> None:
    """Each test passes on the same list that is built of other elements."""
    page = {"plain": PLAIN, "wrapped": WRAPPED, "divs": DIVS}[markup]
    recorded.site.pages["/"] = page + SCRIPT
    run = recorded.run(*REPLAY)
    assert run.outcomes == ALL, run.printed


ROWS = """
<h1>Tasks</h1><ul>%s</ul><p role=status id=out></p>
<script>
document.addEventListener("click", (event) => {
  const item = event.target.closest("button")?.closest("li");
  if (item) out.textContent = "Deleted " + item.dataset.title;
});
</script>
"""
ROW = """<li data-title="{0}"><label><input type=checkbox> {0}</label> <span>due {1}</span> <button>{2}</button></li>"""


def rows(*tasks: tuple[str, str], button: str = "Delete") -> str:
    """A list of tasks with their dates, each with a button."""
    return ROWS % "".join(ROW.format(*task, button) for task in tasks)


FIRST = rows(("Call the dentist", "2026-12-03"), ("Buy milk", "2026-12-04"))
DELETES = """
"delete the dentist": [
    act("click", "button:Delete@dentist"),
    done(text("status:Deleted", "Deleted Call the dentist"))],
"""
TEST = """
def test_delete(webtask):
    webtask.goto("/")
    webtask.do("delete the dentist")
"""


@pytest.fixture(scope="module")
def deletes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A click on a button of one row, recorded."""
    with project(tmp_path_factory.mktemp("rows"), DELETES, TEST) as made:
        made.site.pages["/"] = FIRST
        run = made.run()
        assert run.outcomes == {"test_delete": "passed"}, run.printed
        yield made


def test_row_is_known_by_its_title_not_by_its_date(deletes: Project) -> None:
    """The label of the control is recorded as the key of the row."""
    [step] = deletes.steps("test_delete")
    assert step["calls"][0]["targets"]["element_id"]["signature"]["key"] == "Call the dentist"


@pytest.mark.parametrize(
    "tasks",
    [
        (("Call the dentist", "2026-12-04"), ("Buy milk", "2026-12-03")),
        (("Buy milk", "2026-12-04"), ("Call the dentist", "2026-12-03")),
        (
            ("Buy bread", "2026-12-03"),
            ("Call the dentist", "2027-01-09"),
            ("Buy milk", "2026-12-04"),
        ),
    ],
    ids=["dates exchanged", "order reversed", "item added, date changed"],
)
def test_action_follows_its_row(deletes: Project, tasks: Sequence[tuple[str, str]]) -> None:
    """The row of that title is acted on, whatever its date and wherever it stands."""
    deletes.site.pages["/"] = rows(*tasks)
    run = deletes.run(*REPLAY)
    assert run.outcomes == {"test_delete": "passed"}, run.printed


@pytest.mark.parametrize("heal", ["off", "accept"])
@pytest.mark.parametrize(
    "page",
    [
        rows(("Call the doctor", "2026-12-03"), ("Buy milk", "2026-12-04")),
        rows(("Buy milk", "2026-12-03")),
        rows(("Buy milk", "2026-12-03"), ("Buy bread", "2026-12-04")),
        FIRST.replace("<button>Delete</button>", "", 1),
        FIRST.replace("<button>Delete</button>", "<button>Edit</button>", 1),
    ],
    ids=["title changed", "row gone", "another row in its place", "button gone", "another button"],
)
def test_action_without_its_row_is_not_taken(deletes: Project, page: str, heal: str) -> None:
    """Nothing is clicked where the row or its button is no longer there."""
    deletes.site.pages["/"] = page.replace(
        "if (item) out", "if (item) fetch('/clicked'); if (item) out"
    )
    run = deletes.run("--webtask-mode=replay", f"--webtask-heal={heal}")
    assert run.outcomes == {"test_delete": "failed"}
    assert "GET /clicked" not in run.requests
    assert "no longer replays as recorded" in run.tests["test_delete"].message


def test_locator_that_spells_a_value_in_another_way_is_not_recorded(tmp_path: Path) -> None:
    """A test id made of the product's name would be another one in the next case."""
    tests = """
import pytest

@pytest.fixture
def webtask_data():
    return {"product": "Travel Backpack"}

def test_add(webtask):
    webtask.goto("/")
    webtask.do("add {product}")
"""
    plays = """
    "add {product}": [
        act("click", "button:Add@Travel"), done(text("status:Added", "Added {product}"))],
    """
    item = """<li><h2>{0}</h2><button data-testid="add-{1}" id="add-{1}"
        onclick="out.textContent = 'Added {0}'">Add</button></li>"""
    with project(tmp_path, plays, tests) as made:
        items = item.format("Travel Backpack", "travel-backpack") + item.format("Tent", "tent")
        made.site.pages["/"] = f"<ul>{items}</ul><p role=status id=out></p>"
        assert made.run().outcomes == {"test_add": "passed"}
        [step] = made.steps("test_add")
        locators = step["calls"][0]["targets"]["element_id"]["locators"]
        assert locators
        assert all("{product}" in code and "backpack" not in code for code in locators), locators
