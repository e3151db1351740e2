"""Recordings of a list of tasks, replayed on the same list in other markup and after other changes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.inner import Project, project, visits

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

TESTS = visits(
    {
        "delete": 'do("delete the dentist")',
        "tick": 'do("tick the milk")',
        "text": 'verify("milk is listed")',
        "count": 'verify("two tasks are left")',
    },
    at="/",
)
REPLAY = ("--webtask-mode=replay", "--webtask-heal=off")
# What passes does not wait: only failing runs need the short timeout of the project.
PATIENT = "--webtask-timeout=10"


@pytest.fixture(scope="module", params=["plain", "wrapped"])
def recorded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Project]:
    """The tests, recorded on the list in one markup."""
    page = {"plain": PLAIN, "wrapped": WRAPPED}[request.param]
    with project(tmp_path_factory.mktemp("tasks"), PLAYS, TESTS) as made:
        made.site.pages["/"] = page + SCRIPT
        made.passes(PATIENT)
        yield made


def test_recording_replays_in_another_markup(recorded: Project) -> None:
    """Each test passes on the same list that is built of other elements."""
    pages = (page + SCRIPT for page in (PLAIN, WRAPPED, DIVS))
    before = recorded.site.pages["/"]
    for page in (each for each in pages if each != before):
        recorded.site.pages["/"] = page
        recorded.passes(*REPLAY, PATIENT)


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
        made.passes(PATIENT)
        [step] = made.steps("test_add")
        locators = step["calls"][0]["targets"]["element_id"]["locators"]
        assert locators
        assert all("{product}" in code and "backpack" not in code for code in locators), locators
