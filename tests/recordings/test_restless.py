"""What was so before, or changes by itself, such as a clock, is no sign that the calls of a replay had an effect."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.inner import Run, project, visits

pytestmark = [pytest.mark.long, pytest.mark.real_time]

PLAYS = """
    "save it": [act("click", "button:Save"), done(text("status:Saved", "Saved"))],
    "date it": [act("click", "button:Save"), done({"kind": "matches", "element_id": "status:Saved", "pattern": r"Saved \\d+ seconds? ago"})],
    "title it": [act("click", "button:Save"), done({"kind": "title", "text": "Saved notes"})],
    "load it": [act("click", "link:Again"), done(text("heading:Notes", "Notes"))],
"""
PAGE = """<title>{title}</title><p role=status id=s>{status}</p><i id=clock></i>
<button onclick="{save}">Save</button><script>let n = 5; {script}</script>"""
SHADOW = """<h1>Notes</h1><button onclick="{save}">Save</button><div id=host></div><script>
const root = host.attachShadow({{ mode: "open" }});
root.innerHTML = "<p role=status>{status}</p>";
const save = () => {{ root.firstChild.textContent = "Saved"; document.title = Date.now(); }};
</script>"""
LINK = """<h1>Notes</h1><a href="?" onclick="{save}">Again</a>{status}"""
SAVES = "s.textContent = 'Saved'"
TITLES = "document.title = 'Saved notes'"
SAVED = "'Saved'"
TICKS = f"setInterval(() => s.textContent = {SAVED}, 700)"
CLOCK = "setInterval(() => clock.textContent = n++, 700)"
AGES = "setInterval(() => s.textContent = `Saved ${n++} seconds ago`, 700)"
RIPPLES = """document.addEventListener('mousedown', (event) => {
  const drop = document.createElement('i');
  event.target.append(drop);
  setTimeout(() => drop.remove(), 100);
})"""


class Case(NamedTuple):
    """A task, what its button does when it is replayed, what the page does by itself then, and what it is."""

    task: str
    save: str = ""
    script: str = ""
    page: str = PAGE


FAILED = {
    # Nothing is saved, and the text is there and written once more by itself.
    "dead": Case("save"),
    "written": Case("save", script=TICKS),
    "written_slowly": Case("save", script=TICKS.replace("700", "1000")),
    "drawn": Case("save", script=f"setInterval(() => s.outerHTML = '<p role=status id=s>' + {SAVED} + '</p>', 700)"),
    "written_fast": Case("save", script=f"setInterval(() => s.firstChild.data = {SAVED}, 50)"),
    # Neither a clock nor the button's own animation is an effect on the message.
    "beside_a_clock": Case("save", script=CLOCK),
    "ripple": Case("save", script=RIPPLES),
    # Evidence without a single element is about the page, apart from what changes by itself.
    "title": Case("title"),
    "title_beside_a_clock": Case("title", script=CLOCK),
    # A text that is recorded as a pattern was new, too.
    "aging": Case("date", script=AGES),
    # Where an element cannot be watched, the page as a whole must change, or be loaded.
    "shadow": Case("save", page=SHADOW),
    "reload": Case("load", "return false", page=LINK),
}  # fmt: skip
PASSED = {
    # What changes once is an effect, also beside a clock, and after it was drawn late.
    "saves": Case("save", SAVES),
    "saves_beside_a_clock": Case("save", SAVES, CLOCK),
    "saves_late": Case("save", f"setTimeout(() => {SAVES}, 300)", RIPPLES),
    "saves_again": Case("save", SAVES, f"setTimeout(() => s.textContent = {SAVED}, 250)"),
    "draws": Case("save", SAVES.replace("s.textContent =", "s.outerHTML = '<p role=status id=s>' +"), CLOCK),
    "titles": Case("title", TITLES, CLOCK),
    "dates": Case("date", SAVES.replace("d'", "d 1 second ago'")),
    "saves_in_a_shadow": Case("save", "save()", page=SHADOW),
    "reloads": Case("load", page=LINK),
}  # fmt: skip
CASES = FAILED | PASSED
RECORDED = {"save": f"{SAVES}; {TITLES}", "title": TITLES, "load": "",
            "date": SAVES.replace("d'", "d 3 seconds ago'")}  # fmt: skip
SHOWN = {"date": "Saved 4 seconds ago"}


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A replay on pages that show from the beginning what was new when each task was recorded."""
    tests = visits({name: f"do('{case.task} it')" for name, case in CASES.items()})
    with project(tmp_path_factory.mktemp("restless"), PLAYS, tests) as inner:
        for name, case in CASES.items():
            save = "save()" if case.page is SHADOW else RECORDED[case.task]
            page = case.page.format(status="", title="Notes", save=save, script="")
            inner.site.pages[f"/{name}"] = page
        inner.passes()
        for name, case in CASES.items():
            title = "Saved notes" if case.task == "title" else "Notes"
            now = {"status": SHOWN.get(case.task, "Saved"), "title": title}
            page = case.page.format(**now, save=case.save, script=case.script)
            inner.site.pages[f"/{name}"] = page
        yield inner.run("--webtask-heal=pass", "--webtask-timeout=5", ci="true")


@pytest.mark.parametrize("name", FAILED)
def test_what_was_so_or_changes_by_itself_shows_no_effect(replayed: Run, name: str) -> None:
    """A message, or a page, from before the step is no evidence if its button or link does nothing."""
    case = replayed.tests[f"test_{name}"]
    assert case.outcome == "failed"
    assert FAILED[name].task != "save" or "was already so before the first action" in case.message
    assert name != "dead" or "the page did not change" in case.message


@pytest.mark.parametrize("name", PASSED)
def test_change_by_the_calls_makes_evidence_of_before_good(replayed: Run, name: str) -> None:
    """What the calls bring about once more is their effect, whatever else the page does meanwhile."""
    assert replayed.outcomes[f"test_{name}"] == "passed", replayed.tests[f"test_{name}"].message
