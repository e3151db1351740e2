"""Evidence that was there before anything was done: it holds whatever is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.inner import project

PAGE = """<h1>Notes</h1><button{}>Save</button><p role=status id=out>{}</p>"""
SAVES = """ onclick="out.textContent = 'Saved'" """
PLAYS = """
"save it": [act("click", "button:Save"), done(text("status:Saved", "Saved"))],
"""
TESTS = """
def test_save(webtask):
    webtask.goto("/")
    webtask.do("save it")
"""


TICKS = "<p id=clock></p><script>setInterval(() => { clock.textContent = Date.now() }, 50)</script>"
RIPPLES = """<script>document.addEventListener("mousedown", (event) => {
  const drop = document.createElement("i");
  event.target.append(drop);
  setTimeout(() => drop.remove(), 300);
})</script>"""
LATE = """ onclick="setTimeout(() => { out.textContent = 'Saved' }, 300)" """
SHADOW = """<h1>Notes</h1><button{}>Save</button><div id=host></div><script>
const root = host.attachShadow({{ mode: "open" }});
root.innerHTML = "<p role=status>{}</p>";
const save = () => {{ root.firstChild.textContent = "Saved"; document.title = Date.now(); }};
</script>"""


@pytest.mark.parametrize(
    ("page", "more", "click", "message"),
    [
        (PAGE, "", SAVES, "the page did not change"),
        # Neither a clock nor the button's own animation is an effect on the message.
        (PAGE, TICKS, LATE, ""),
        (PAGE, RIPPLES, LATE, ""),
        # Where an element cannot be watched, the page as a whole must change.
        (SHADOW, "", " onclick='save()'", ""),
    ],
    ids=["still", "clock", "ripple", "shadow"],
)
def test_evidence_held_before_fails_unless_it_changes(
    tmp_path: Path, page: str, more: str, click: str, message: str
) -> None:
    """A message from before the step is no evidence if its button does nothing."""
    with project(tmp_path, PLAYS, TESTS) as inner:
        inner.site.pages["/"] = page.format(SAVES if page == PAGE else click, "") + more
        inner.passes()
        inner.site.pages["/"] = page.format("", "Saved") + more
        dead = inner.run("--webtask-mode=replay", "--webtask-heal=pass")
        assert dead.outcomes == {"test_save": "failed"}
        assert message in dead.tests["test_save"].message
        inner.site.pages["/"] = page.format(click, "Saved") + more
        inner.passes("--webtask-mode=replay")


def test_evidence_held_before_fails_if_no_page_is_loaded(tmp_path: Path) -> None:
    """A link that reloaded the page and now does nothing fails the replay."""
    plays = """
    "load it again": [act("click", "link:Again"), done(text("heading:Notes", "Notes"))],
    """
    tests = TESTS.replace("test_save", "test_again").replace("save it", "load it again")
    with project(tmp_path, plays, tests) as inner:
        inner.site.pages["/"] = '<h1>Notes</h1><a href="/">Again</a>'
        inner.passes()
        inner.passes("--webtask-mode=replay")
        inner.site.pages["/"] = '<h1>Notes</h1><a href="/" onclick="return false">Again</a>'
        dead = inner.run("--webtask-mode=replay", "--webtask-timeout=1")
        assert dead.outcomes == {"test_again": "failed"}
