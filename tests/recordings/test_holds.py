"""Questions that were answered no, and how long a replay waits before it says so again."""

from __future__ import annotations

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
"""


def test_false_answer_does_not_wait_for_an_unrecorded_true(tmp_path: Path) -> None:
    """If only a negative answer is recorded, a replay does not wait for the whole timeout."""
    with project(tmp_path, PLAYS, TESTS) as inner:
        inner.site.pages["/"] = "<p role=status>No mail</p>"
        inner.passes("--webtask-timeout=0.5")
        [step] = inner.steps("test_no")
        assert step["negative_evidence"] and "evidence" not in step
        # The limit of this test itself is shorter.
        inner.passes("--webtask-timeout=600", ci="true")


BANNER = """<p role=note>Banner</p><h1 hidden>Banner is closed</h1>
<button onclick="document.querySelector('p').remove(); h.hidden = false"><script>
h = document.querySelector('h1')</script>Close</button>"""
TWICE = """
def is_open(webtask):
    return webtask.holds("a banner is open")

def test_banner(webtask):
    webtask.goto("/")
    assert is_open(webtask)
    webtask.do('click "Close"')
    assert not is_open(webtask)
"""


def test_helper_with_both_answers_in_one_run_replays(tmp_path: Path) -> None:
    """A question that a helper asked twice in the recording run replays with either answer."""
    with project(tmp_path, PLAYS, TWICE) as inner:
        inner.site.pages["/"] = BANNER
        inner.passes()
        [step] = inner.steps("is_open")
        assert step["evidence"] and step["negative_evidence"]
        run = inner.run(ci="true")
    assert run.outcomes == {"test_banner": "passed"}, run.printed
