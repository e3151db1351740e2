"""Evidence that was there before anything was done: it holds whatever is done."""

from __future__ import annotations

from pathlib import Path

from tests.inner import project, visits

PAGE = """<h1>Notes</h1><button{}>Save</button><p role=status id=out>{}</p>"""
SAVES = """ onclick="out.textContent = 'Saved'" """
TICKS = "<p id=clock></p><script>setInterval(() => { clock.textContent = Date.now() }, 50)</script>"
RIPPLES = """<script>document.addEventListener("mousedown", (event) => {
  const drop = document.createElement("i");
  event.target.append(drop);
  setTimeout(() => drop.remove(), 100);
})</script>"""
LATE = """ onclick="setTimeout(() => { out.textContent = 'Saved' }, 300)" """
SHADOW = """<h1>Notes</h1><button{}>Save</button><div id=host></div><script>
const root = host.attachShadow({{ mode: "open" }});
root.innerHTML = "<p role=status>{}</p>";
const save = () => {{ root.firstChild.textContent = "Saved"; document.title = Date.now(); }};
</script>"""
LINK = "<h1>Notes</h1><a href=/reload{}>Again</a>{}"
PAGES = {
    # The page, and what its button does when it is recorded and later.
    "still": (PAGE, SAVES, SAVES),
    # Neither a clock nor the button's own animation is an effect on the message.
    "clock": (PAGE + TICKS.replace("{", "{{").replace("}", "}}"), SAVES, LATE),
    "ripple": (PAGE + RIPPLES.replace("{", "{{").replace("}", "}}"), SAVES, LATE),
    # Where an element cannot be watched, the page as a whole must change, or be loaded.
    "shadow": (SHADOW, " onclick='save()'", " onclick='save()'"),
    "reload": (LINK, "", ""),
}
DEAD = {"reload": " onclick='return false'"}
PLAYS = """
**{f"save the {n}": [act("click", "button:Save"), done(text("status:Saved", "Saved"))] for n in NAMES},
"save the reload": [act("click", "link:Again"), done(text("heading:Notes", "Notes"))],
""".replace("NAMES", str([*PAGES]))
TESTS = visits({n: f"do('save the {n}')" for n in PAGES})


def test_evidence_held_before_fails_unless_it_changes(tmp_path: Path) -> None:
    """A message, or a page, from before the step is no evidence if its button or link does nothing."""
    with project(tmp_path, PLAYS, TESTS) as inner:
        inner.site.pages |= {f"/{n}": page.format(does, "") for n, (page, does, _) in PAGES.items()}
        inner.passes()
        inner.site.pages |= {
            f"/{n}": page.format(DEAD.get(n, ""), "Saved") for n, (page, *_) in PAGES.items()
        }
        dead = inner.run("--webtask-mode=replay", "--webtask-heal=pass")
        assert dead.outcomes == {f"test_{n}": "failed" for n in PAGES}
        assert "the page did not change" in dead.tests["test_still"].message
        inner.site.pages |= {
            f"/{n}": page.format(does, "Saved") for n, (page, _, does) in PAGES.items()
        }
        inner.passes("--webtask-mode=replay", "--webtask-timeout=10")
