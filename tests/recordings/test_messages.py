"""How often a replay, and a literal sentence, ask the browser: what makes them as fast as a test by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.inner import project

PAGE = """<label>Name <input id=name></label><label><input type=checkbox> News</label>
<button onclick="saved.textContent = `Saved ${document.getElementById('name').value}`">Save</button>
<p role=status id=saved></p>"""
PLAYS = """"save Ann": [act("fill", "textbox:Name", text="Ann"), act("click", "button:Save"),
    done(text("status:", "Saved Ann"))],
"it says that Ann was saved": [judge("holds", text("status:", "Saved Ann"))],"""
COUNT = """
from playwright._impl.connection import Connection

@pytest.fixture
def messages(monkeypatch):
    sent, send = [], Connection.send_message_to_server
    def counted(self, object, method, *rest):
        sent.append(method)
        return send(self, object, method, *rest)
    monkeypatch.setattr(Connection, "send_message_to_server", counted)
    return sent
"""
TEST = """
def test_it(webtask, messages):
    def number(call, sentence):
        messages.clear()
        call(sentence)
        return len(messages)

    webtask.goto("/")
    webtask.do('check "News"')
    print("sent", *[number(getattr(webtask, kind), sentence) for kind, sentence in {sentences}])
"""
RECORDED = [("do", "save Ann"), ("verify", "it says that Ann was saved")]
LITERAL = [
    ("do", 'fill "Name" with "Ben"'),
    ("do", 'click "Save"'),
    ("verify", '"Saved Ben" is shown'),
    ("verify", '"Name" has value "Ben"'),
]


@pytest.mark.parametrize(
    ("plays", "sentences", "sent"),
    # Two actions take a question each, what proves them one, and a claim one.
    [(PLAYS, RECORDED, "sent 5 1"), ("", LITERAL, "sent 5 4 5 5")],
)
def test_replays_and_literal_sentences_ask_little(
    plays: str, sentences: list[tuple[str, str]], sent: str, tmp_path: Path
) -> None:
    """A replay asks once before an action and once for evidence; a literal sentence takes at most five messages."""
    conftest = COUNT if plays else f"del webtask_model\n{COUNT}"
    with project(tmp_path, plays, TEST.format(sentences=sentences), conftest) as inner:
        inner.site.pages["/"] = PAGE
        inner.passes()
        run = inner.passes("--webtask-mode=replay", "-s")
        assert sent in run.printed, run.printed
