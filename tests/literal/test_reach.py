"""What no user gets at is not acted upon; what scrolling brings into view is."""

from pathlib import Path

import pytest

from pytest_webtask import TaskFailed, Webtask
from tests.inner import project, visits
from tests.scripted import Html

CLIPS = "<div style='overflow:{};height:30px'><p style='margin-bottom:90px'>Mail</p>%s</div>"
AROUND = {
    "cut off": (CLIPS.format("hidden"), "hidden: first"),
    "beside the page": (
        "<style>body{overflow-x:hidden}</style><div style='position:absolute;left:3000px'>%s</div>",
        "hidden: first",
    ),
    "deaf": ("<style>*{pointer-events:none}</style>%s", "without `pointer-events`"),
    "covered": ("%s<p style='position:fixed;inset:0;background:white'>Cookies</p>", "cover"),
    "scrolled to": (CLIPS.format("auto"), ""),
    "behind its label": ("%s<style>label{display:grid}label>*{grid-area:1/1}</style>", ""),
}
DOES = {
    'click "Go"': "<button onclick='done=1'>Go</button>",
    'fill "Name" with "x"': "<label><input oninput='done=1'><b style='z-index:1'>Name</b></label>",
    'select "B" in "Size"': "<label>Size<select oninput='done=1'><option>A<option>B</select></label>",
}


@pytest.mark.parametrize("sentence", DOES)
@pytest.mark.parametrize("case", AROUND)
def test_control_is_used_only_where_a_user_gets_at_it(
    webtask: Webtask, html: Html, sentence: str, case: str
) -> None:
    """A script can scroll a clipped box, and fill what is covered; a user can't, and the error says why."""
    around, why = AROUND[case]
    page = html(around % DOES[sentence])
    if why:
        with pytest.raises(TaskFailed, match=why):
            webtask.do(sentence, timeout=1)
    else:
        webtask.do(sentence)
    assert page.evaluate("window.done") == (None if why else 1)


def test_recorded_action_fails_where_its_element_is_cut_off_now(tmp_path: Path) -> None:
    """A replay clicks no more than a user can."""
    plays = '"file it": [act("click", "button:File"), done(text("heading:Filed", "Filed"))],'
    page = "<button onclick='out.textContent = `Filed`'>File</button>"
    with project(tmp_path, plays, visits({"it": 'do("file it")'}, at="/")) as made:
        for around in ("visible", "hidden"):
            made.site.pages["/"] = f"{CLIPS.format(around) % page}<h1 id=out>Open</h1>"
            run = made.run(*({"hidden": ["--webtask-mode=replay"]}.get(around, ())))
        assert "cut off" in run.tests["test_it"].message, run.printed
