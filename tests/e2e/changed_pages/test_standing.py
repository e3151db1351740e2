"""Evidence that was there before anything was done: it holds whatever is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.recordings.inner import project

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


def test_evidence_held_before_fails_unless_the_page_changes(tmp_path: Path) -> None:
    """A message from before the step is no evidence if its button does nothing."""
    with project(tmp_path, PLAYS, TESTS) as inner:
        inner.site.pages["/"] = PAGE.format(SAVES, "")
        inner.passes()
        inner.site.pages["/"] = PAGE.format("", "Saved")
        dead = inner.run("--webtask-mode=replay", "--webtask-heal=pass")
        assert dead.outcomes == {"test_save": "failed"}
        assert "the page did not change" in dead.tests["test_save"].message
        inner.site.pages["/"] = PAGE.format(SAVES, "Saved")
        inner.passes("--webtask-mode=replay")


TICKS = "<p id=clock></p><script>setInterval(() => { clock.textContent = Date.now() }, 50)</script>"
RIPPLES = """<script>document.addEventListener("mousedown", (event) => {
  const drop = document.createElement("i");
  event.target.append(drop);
  setTimeout(() => drop.remove(), 300);
})</script>"""
LATE = """ onclick="setTimeout(() => { out.textContent = 'Saved' }, 300)" """


@pytest.mark.parametrize("page", [TICKS, RIPPLES], ids=["clock", "ripple"])
def test_evidence_held_before_fails_if_only_other_parts_change(tmp_path: Path, page: str) -> None:
    """Neither a clock nor the button's own animation is an effect on the message that was there."""
    with project(tmp_path, PLAYS, TESTS) as inner:
        inner.site.pages["/"] = PAGE.format(SAVES, "") + page
        inner.passes()
        inner.site.pages["/"] = PAGE.format("", "Saved") + page
        dead = inner.run("--webtask-mode=replay", "--webtask-heal=pass")
        assert dead.outcomes == {"test_save": "failed"}
        inner.site.pages["/"] = PAGE.format(LATE, "Saved") + page
        inner.passes("--webtask-mode=replay")


SHADOW = """<h1>Notes</h1><button{}>Save</button><div id=host></div><script>
const root = host.attachShadow({{ mode: "open" }});
root.innerHTML = "<p role=status>{}</p>";
const save = () => {{ root.firstChild.textContent = "Saved"; document.title = Date.now(); }};
</script>"""


def test_evidence_in_a_shadow_root_that_held_before_fails_if_nothing_changes(
    tmp_path: Path,
) -> None:
    """Where an element cannot be watched, the page as a whole must change."""
    with project(tmp_path, PLAYS, TESTS) as inner:
        inner.site.pages["/"] = SHADOW.format(" onclick='save()'", "")
        inner.passes()
        inner.site.pages["/"] = SHADOW.format("", "Saved")
        dead = inner.run("--webtask-mode=replay", "--webtask-timeout=1")
        assert dead.outcomes == {"test_save": "failed"}
        inner.site.pages["/"] = SHADOW.format(" onclick='save()'", "Saved")
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
