"""Recordings of answers that left a page: what was confirmed there, and messages that went with it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.inner import Project, project, visits

pytestmark = [pytest.mark.real_time, pytest.mark.long]

PAGE = """<title>Notes</title><h1>Notes</h1><p role=status id=say></p>
<button onclick="{save}">Save</button>"""
SAVES = "fetch('/slow').then(() => say.textContent = 'Note saved')"
PLAYS = """
    "save and leave": [
        [act("click", "button:Save"), act("navigate", url="/end")],
        done({"kind": "was_shown", "text": "Note saved"}, text("heading:End", "End")),
    ],
    "save, confirm and leave": [
        act("click", "button:Save"),
        [
            confirm("saved", text("status:Note saved", "Note saved")),
            act("navigate", url="/end"),
        ],
        done(text("heading:End", "End")),
    ],
    "rename and leave": [
        [act("fill", "textbox:Title", text="Report"), act("wait", seconds=1), act("navigate", url="/end")],
        done(text("heading:End", "End")),
    ],
"""
DRAFT = """<h1>Draft</h1><label>Title <input id=x></label><script>
let timer; x.oninput = () => { clearTimeout(timer); timer = setTimeout(() => fetch('/keep?' + x.value), %d) }
</script>"""
TEST = visits({"leave": "do('save and leave')", "confirm": "do('save, confirm and leave')"}, at="/")
TEST += visits({"draft": "do('rename and leave')"})


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project with recordings of answers that left the page of a message."""
    root: Path = tmp_path_factory.mktemp("left")
    with project(root, PLAYS, TEST) as inner:
        inner.site.pages |= {"/": PAGE.format(save=SAVES), "/slow": "", "/end": "<h1>End</h1>"}
        inner.site.pages |= {"/draft": DRAFT % 600, "/keep": ""}
        inner.site.delays["/slow"] = 0.4
        inner.passes()
        yield inner


@pytest.mark.parametrize(
    ("save", "outcome"),
    [
        (SAVES, "passed"),
        ("", "failed"),
        (SAVES.replace("saved", "lost"), "failed"),
        # The message stood there before anything was done.
        ("document.title = 'Saved'\">Save</button><p role=status>Note saved</p><button hidden x=\"", "failed"),
    ],
)  # fmt: skip
def test_replay_fails_where_the_left_page_lacked_the_message(
    recorded: Project, save: str, outcome: str
) -> None:
    """A message that went with its page is awaited there, and must have come of the calls."""
    recorded.site.pages["/"] = PAGE.format(save=save)
    run = recorded.run("-k", "test_leave", ci="true")
    assert run.outcomes == {"test_leave": outcome}, run.printed
    assert not run.asked


def test_replay_confirms_what_was_confirmed(recorded: Project) -> None:
    """The evidence of a checkpoint is recorded with its target, and is checked before the page is left."""
    checkpoint = recorded.steps("test_confirm")[0]["calls"][1]
    assert checkpoint["parameters"] == {"note": "saved"}
    assert checkpoint["evidence"][0]["target"]["locators"][0] == 'get_by_role("status")'
    for text, outcome in (("saved", "passed"), ("lost", "failed")):
        recorded.site.pages["/"] = PAGE.format(save=SAVES.replace("saved", text))
        run = recorded.run("-k", "test_confirm", ci="true")
        assert run.outcomes == {"test_confirm": outcome}, run.printed


@pytest.mark.parametrize("delay", [200, 600, 1200])
def test_replay_awaits_what_a_page_sends_by_itself(recorded: Project, delay: int) -> None:
    """A page that saved what was typed a moment later is given the time for that again."""
    recorded.site.pages["/draft"] = DRAFT % delay
    recorded.site.log.clear()
    recorded.passes("-k", "test_draft", ci="true")
    log = [each for each in recorded.site.log if "favicon" not in each]
    at = log.index("GET /draft")
    assert log[at : at + 3] == ["GET /draft", "GET /keep?Report", "GET /end"]
