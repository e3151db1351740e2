"""A replay fails where an action leaves something else, or a dialog asks something else, than when it was recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.inner import Run, project

pytestmark = pytest.mark.slow

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

PAGES = {
    "amount": (
        FIELD % "" + BUTTON,
        FIELD % "x.oninput = () => { x.value = x.value.replace('.', '') }" + BUTTON,
    ),
    "completed": (
        FIELD % "x.oninput = () => { if (x.value === 'Gra') x.value = 'Graz' }" + BUTTON,
        FIELD % "" + BUTTON,
    ),
    "accepted": (
        FIELD % "x.onblur = () => { x.value = '99' }" + BUTTON,
        FIELD % "" + BUTTON,
    ),
    "limited": (FIELD % "" + BUTTON, FIELD % "x.onblur = () => { x.value = '99' }" + BUTTON),
    "file": (
        ASKS % f'if (confirm("Remove a.txt?")) {DONE}',
        ASKS % f'if (confirm("Remove all files?")) {DONE}',
    ),
    "twice": (
        ASKS % f'if (confirm("Remove a.txt?")) {DONE}',
        ASKS % f'if (confirm("Remove a.txt?") && confirm("Its copies, too?")) {DONE}',
    ),
    "alert": (
        ASKS % f'if (confirm("Remove a.txt?")) {DONE}',
        ASKS % f'alert("You may not"); {DONE}',
    ),
    "city": (SELECT % ("Austria", "Styria") + BUTTON, SELECT % ("Virginia", "Styria") + BUTTON),
    "member": (DIALOG % "Ann leaves the team.", DIALOG % "Everybody leaves the team."),
}
PLAYS = """
"set the amount": [act("fill", "textbox:Amount", text="12.50"), act("click", "button:Send"), done(text("status:", "Sent"))],
"set the completed": [act("fill", "textbox:Amount", text="Gra"), act("click", "button:Send"), done(text("status:", "Sent"))],
"set the accepted": [act("fill", "textbox:Amount", text="500"), act("click", "button:Send"), done(text("status:", "Sent"))],
"set the limited": [act("fill", "textbox:Amount", text="500"), act("click", "button:Send"), done(text("status:", "Sent"))],
"remove the file": [act("click", "button:Remove", dialog="accept"), done(text("status:", "Removed"))],
"choose the city": [act("select_option", "combobox:City", options=["Vienna"]), act("click", "button:Send"), done(text("status:", "Sent"))],
"dismiss Ann": [act("click", "button:Dismiss"), act("click", "button:Yes"), done(text("status:", "Gone"))],
"task: dismiss Ann": [rule(proves=True, identifying=["Ann"])],
"""
SENTENCES = {
    "amount": "set the amount",
    "completed": "set the completed",
    "accepted": "set the accepted",
    "limited": "set the limited",
    "file": "remove the file",
    "twice": "remove the file",
    "alert": "remove the file",
    "city": "choose the city",
    "member": "dismiss Ann",
}
TESTS = f"SENTENCES = {SENTENCES!r}\n" + "\n".join(
    f"""
def test_{name}(webtask):
    webtask.goto("/{name}")
    webtask.do(SENTENCES["{name}"])
"""
    for name in SENTENCES
)
EXPECTED = {
    "amount": "holds '1250', not '12.50'",
    "completed": "holds 'Gra', not 'Graz'",
    "accepted": "holds '500', not '99'",
    "limited": "holds '99', not '500'",
    "file": 'confirm "Remove all files?" was dismissed, since the answer is for another dialog: confirm "Remove a.txt?"',
    "twice": 'confirm "Its copies, too?" was dismissed, since the answer was for confirm "Remove a.txt?"',
    "alert": 'the announced dialog did not appear within 1 s, but alert "You may not"',
    "city": "is not in 'Austria', but in \"Virginia\"",
    "member": "the dialog around it no longer names 'Ann'",
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Run, Run, str]]:
    """A replay on the pages as recorded, one on pages that differ, and the recordings."""
    with project(tmp_path_factory.mktemp("left"), PLAYS, TESTS) as inner:
        inner.site.pages |= {f"/{name}": page for name, (page, _) in PAGES.items()}
        recorded = inner.run("--webtask-timeout=1")
        assert set(recorded.outcomes.values()) == {"passed"}, recorded.printed
        same = inner.run("--webtask-timeout=1", ci="true")
        inner.site.pages |= {f"/{name}": page for name, (_, page) in PAGES.items()}
        files = json.dumps([inner.steps(f"test_{name}") for name in PAGES])
        yield same, inner.run("--webtask-timeout=1", ci="true"), files


def test_replay_on_the_recorded_pages_passes(runs: tuple[Run, Run, str]) -> None:
    """What is as it was recorded is no drift."""
    same, _, _ = runs
    assert set(same.outcomes.values()) == {"passed"}, same.printed


@pytest.mark.parametrize("name", PAGES)
def test_replay_on_a_page_that_answers_otherwise_fails(
    runs: tuple[Run, Run, str], name: str
) -> None:
    """The error says what is there, and what was recorded."""
    _, changed, _ = runs
    assert changed.outcomes[f"test_{name}"] == "failed"
    assert EXPECTED[name] in " ".join(changed.printed.split())


def test_recording_has_the_dialog_the_group_and_what_was_left(
    runs: tuple[Run, Run, str],
) -> None:
    """They are parameters of the recorded calls."""
    _, _, files = runs
    assert '"dialog_type": "confirm", "dialog_message": "Remove a.txt?"' in files
    assert '"group": "Austria"' in files
    assert '"left": "Graz"' in files and '"left": "99"' in files
