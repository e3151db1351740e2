"""Questions that were answered no, and how long a replay waits before it says so again."""

from pathlib import Path

from tests.inner import project

PLAYS = """
"there is mail": [judge("does_not_hold", text("status:No mail", "No mail"))],
"a banner is open": [lambda turn:
    holds(text("note:Banner", "Banner")) if "note" in turn.observation.outline
    else judge("does_not_hold", text("heading:Banner", "Banner is closed"))],
"""
TESTS = """
def test_no(webtask):
    webtask.goto("/")
    assert not webtask.holds("there is mail")

def is_open(webtask):
    return webtask.holds("a banner is open")

def test_banner(webtask):
    webtask.goto("/banner")
    assert is_open(webtask)
    webtask.do('click "Close"')
    assert not is_open(webtask)
"""
BANNER = """<p role=note>Banner</p><h1 hidden>Banner is closed</h1>
<button onclick="document.querySelector('p').remove(); h.hidden = false"><script>
h = document.querySelector('h1')</script>Close</button>"""


def test_answers_replay_without_waiting_for_the_other(tmp_path: Path) -> None:
    """A question that was asked twice in one run has both answers; a lone no waits for no yes."""
    with project(tmp_path, PLAYS, TESTS) as inner:
        inner.site.pages |= {"/": "<p role=status>No mail</p>", "/banner": BANNER}
        inner.passes("--webtask-timeout=0.5")
        [no], [both] = inner.steps("test_no"), inner.steps("is_open")
        assert no["negative_evidence"] and "evidence" not in no
        assert both["evidence"] and both["negative_evidence"]
        # The limit of this test itself is shorter.
        inner.passes("--webtask-timeout=600", ci="true")
