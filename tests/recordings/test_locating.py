"""Recordings of a list of tasks, replayed on the same list in other markup and after other changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.inner import Project, project, recorded_project

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


CARD = """<div class=card><div><h3><a href=#>{0}</a></h3><p class=job>{1}</p></div>
<div><a href=#call onclick="out.textContent = 'Calling {0}'">Call</a></div></div>"""
STATS = "<div class=stat><p>{0}</p><p>{1}</p></div>"
BOARD = """<section class=board><h1>Work</h1>{form}<h2>My list</h2>{list}
<footer><span class=left>{left} items left</span></footer></section>{cards}{stats}
<p role=status id=out></p>"""
FORM = """<form onsubmit="out.textContent = 'Renamed to ' + this.name_.value; return false">
<label>Name <input name=name_></label><p>Walk the dog</p><button>Rename</button></form>"""


def board(left: int = 2, *, jobs: Sequence[str] = ("Baker", "Pilot", "Cook"), **parts: str) -> str:
    """A page with a list, a form, cards of people and figures."""
    people = zip(("Ada", "Ben", "Cem"), jobs, strict=True)
    usual = {
        "form": FORM,
        "list": "<ul class=items><li>Buy milk</li><li>Feed the cat</li></ul>",
        "cards": "".join(CARD.format(*each) for each in people),
        "stats": STATS.format("Open", 7) + STATS.format("Done", 3),
    }
    return BOARD.format(left=left, **(usual | parts))


BOARD_PLAYS = """
"two todos are listed": [holds({"kind": "count", "element_ids": ["listitem:Buy", "listitem:Feed"]})],
"two are left": [holds(text("text:items left", "2 items left"))],
"call Ben": [act("click", "link:Call#1"), done(text("status:Calling", "Calling Ben"))],
"Ben is a pilot": [holds(text("text:Pilot", "Pilot"))],
"how many are done": [value(3, "text:3")],
"rename it to Walk the dog": [act("fill", "textbox:Name", text="Walk the dog"),
    act("click", "button:Rename"), done(text("status:Renamed", "Renamed to Walk the dog"))],
"""
BOARD_TESTS = "import pytest\n" + "".join(
    f"""
def test_{name}(webtask):
    webtask.goto("/{name}")
    webtask.{call}
"""
    for name, call in {
        "count": 'verify("two todos are listed")',
        "left": 'verify("two are left")',
        "left_elsewhere": 'verify("two are left")',
        "call": 'do("call Ben")',
        "job": 'verify("Ben is a pilot")',
        "done": 'extract("how many are done", int) == 3 or pytest.fail("it was read elsewhere")',
        "rename": 'do("rename it to Walk the dog")',
    }.items()
)
DIVS_LIST = (
    "<div role=list><div role=listitem>Buy milk</div><div role=listitem>Feed the cat</div></div>"
)


CHANGED = {
    "count": board(list=DIVS_LIST).replace("class=board", "class=b-7f"),
    "left": board().replace("<span class=left>2 items left</span>", "<p><b>2</b> items left</p>"),
    "left_elsewhere": board(),
    "done": board(stats=STATS.format("Done", 3) + STATS.format("Open", 7)),
    "rename": board(form=FORM.replace("<p>Walk the dog</p>", "")),
    "call": board(cards="".join(CARD.format(*each) for each in (("Ben", "Pilot"), ("Ada", "Baker")))),
    "job": board().replace("<p class=job>Pilot</p>", "<div><p>Pilot</p></div>"),
}  # fmt: skip
"""Other markup or another order of the part that a test is about."""


original, recorded_board = recorded_project(
    BOARD_PLAYS, BOARD_TESTS, {f"/{name}": board() for name in CHANGED}
)


def test_parts_are_found_in_another_markup_or_order(recorded_board: Project) -> None:
    """Sets, texts with numbers, figures and equal links are found whatever they are built of."""
    recorded_board.site.pages |= {f"/{name}": page for name, page in CHANGED.items()}
    recorded_board.passes(*REPLAY, PATIENT)


DIFFERENT = {
    "count": board(list=DIVS_LIST.replace("<div role=listitem>Feed the cat</div>", "")),
    "left": board(3),
    "left_elsewhere": board(3).replace("class=left", "").replace("</h2>", "</h2><p>2 items left</p>"),
    "job": board(jobs=("Pilot", "Baker", "Cook")),
    "call": board().replace("<a href=#call onclick=\"out.textContent = 'Calling Ben'\"", "<a"),
}  # fmt: skip
"""No such item, another number, which may stand elsewhere, the text of another card, a dead link."""


def test_parts_that_differ_fail(recorded_board: Project) -> None:
    """A missing item, another number or the text of another card is no match."""
    recorded_board.site.pages |= {f"/{name}": page for name, page in DIFFERENT.items()}
    run = recorded_board.run(*REPLAY)
    assert {n for n, outcome in run.outcomes.items() if outcome == "failed"} == {
        f"test_{name}" for name in DIFFERENT
    }, run.printed
