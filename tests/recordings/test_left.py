"""A replay fails where an action leaves something else, or a dialog asks something else, than when it was recorded."""

import json
from collections.abc import Iterator

import pytest

from tests.inner import Run, project, visits

pytestmark = [pytest.mark.slow, pytest.mark.long]

FIELD = (
    "<h1>Stock</h1><label>Amount <input id=x></label><p role=status id=out></p><script>%s</script>"
)
BUTTON = "<button onclick='out.textContent = \"Sent\"'>Send</button>"
ASKS = "<h1>Files</h1><button onclick='%s'>Remove</button><p role=status id=out></p>"
DONE = 'out.textContent = "Removed"'
SELECT = (
    "<h1>Trip</h1><label>City <select id=x><optgroup label=%s><option>Vienna</optgroup>"
    "<optgroup label=%s><option>Graz</optgroup></select></label><p role=status id=out></p>"
)
DIALOG = """<h1>Team</h1><button onclick="d.showModal()">Dismiss</button>
<dialog id=d aria-label="Are you sure?"><p>%s</p><button onclick="d.close(); out.textContent = 'Gone'">Yes</button></dialog>
<p role=status id=out></p>"""

ONE_FILE = ASKS % f'if (confirm("Remove a.txt?")) {DONE}'
LIMITED = FIELD % "x.onblur = () => { x.value = '99' }" + BUTTON
CASES = {
    "amount": (
        "set the amount",
        FIELD % "" + BUTTON,
        FIELD % "x.oninput = () => { x.value = x.value.replace('.', '') }" + BUTTON,
        "holds '1250', not '12.50'",
    ),
    "accepted": ("set the accepted", LIMITED, FIELD % "" + BUTTON, "holds '500', not '99'"),
    "limited": ("set the limited", FIELD % "" + BUTTON, LIMITED, "holds '99', not '500'"),
    "file": (
        "remove the file",
        ONE_FILE,
        ASKS % f'if (confirm("Remove all files?")) {DONE}',
        'confirm "Remove all files?" was dismissed, since the answer is for another dialog: confirm'
        ' "Remove a.txt?"',
    ),
    "twice": (
        "remove the file",
        ONE_FILE,
        ASKS % f'if (confirm("Remove a.txt?") && confirm("Its copies, too?")) {DONE}',
        'confirm "Its copies, too?" was dismissed, since the answer is for another dialog: confirm "Remove a.txt?"',
    ),
    "alert": (
        "remove the file",
        ONE_FILE,
        ASKS % f'alert("You may not"); {DONE}',
        'confirm "Remove a.txt?" did not appear within 3 s, but alert "You may not" did',
    ),
    "city": (
        "choose the city",
        SELECT % ("Austria", "Styria") + BUTTON,
        SELECT % ("Virginia", "Styria") + BUTTON,
        "there is no option 'Vienna' under 'Austria'; choose one of those that contain it: 'Vienna' under 'Virginia'",
    ),
    "member": (
        "dismiss Ann",
        DIALOG % "Ann leaves the team.",
        DIALOG % "Everybody leaves the team.",
        'no longer in dialog with "Ann"',
    ),
}
"""For each test its sentence, the page as recorded and as changed, and what its message says then."""
SET = """act("fill", "textbox:Amount", text="%s"), act("click", "button:Send"), done(text("status:", "Sent"))"""
PLAYS = f"""
"set the amount": [{SET % "12.50"}],
**dict.fromkeys(("set the accepted", "set the limited"), [{SET % "500"}]),
"remove the file": [act("click", "button:Remove", dialog="accept"), done(text("status:", "Removed"))],
"choose the city": [act("select_option", "combobox:City", options=["Vienna"]), act("click", "button:Send"), done(text("status:", "Sent"))],
"dismiss Ann": [act("click", "button:Dismiss"), act("click", "button:Yes"), done(text("status:", "Gone"))],
"task: dismiss Ann": [rule(proves=True, identifying=["Ann"])],
"""
TESTS = visits({name: f"do('{sentence}')" for name, (sentence, *_) in CASES.items()})


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Run, Run, str]]:
    """A replay on the pages as recorded, one on pages that differ, and the recordings."""
    with project(tmp_path_factory.mktemp("left"), PLAYS, TESTS) as inner:
        inner.site.pages |= {f"/{name}": page for name, (_, page, *_) in CASES.items()}
        inner.passes("--webtask-timeout=5")
        same = inner.run("--webtask-timeout=5", ci="true")
        inner.site.pages |= {f"/{name}": page for name, (*_, page, _) in CASES.items()}
        files = json.dumps([inner.steps(f"test_{name}") for name in CASES])
        yield same, inner.run("--webtask-timeout=3", ci="true"), files


def test_replay_on_the_recorded_pages_passes(runs: tuple[Run, Run, str]) -> None:
    """What is as it was recorded is no drift: its dialog, its group, and what was left in its field."""
    same, _, files = runs
    assert set(same.outcomes.values()) == {"passed"}, same.printed
    assert '"dialog_type": "confirm", "dialog_message": "Remove a.txt?"' in files
    assert '"group": "Austria"' in files
    assert '"left": "99"' in files


@pytest.mark.parametrize("name", CASES)
def test_replay_on_a_page_that_answers_otherwise_fails(
    runs: tuple[Run, Run, str], name: str
) -> None:
    """The error says what is there, and what was recorded."""
    _, changed, _ = runs
    assert changed.outcomes[f"test_{name}"] == "failed"
    assert CASES[name][-1] in " ".join(changed.printed.split())
