"""How often a replay, and a literal sentence, ask the browser: what makes them as fast as a test by hand."""

from __future__ import annotations

from pathlib import Path

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
NUMBER = """
def number(messages, call, sentence):
    messages.clear()
    call(sentence)
    return len(messages)

def test_it(webtask, messages):
    webtask.goto("/")
"""
RECORDED = """
    print("sent", number(messages, webtask.do, "save Ann"), number(messages, webtask.verify, "it says that Ann was saved"))
"""
LITERAL = """
    webtask.do('check "News"')
    print("sent", number(messages, webtask.do, 'fill "Name" with "Ben"'), number(messages, webtask.do, 'click "Save"'),
        number(messages, webtask.verify, '"Saved Ben" is shown'), number(messages, webtask.verify, '"Name" has value "Ben"'))
"""


def test_replay_asks_once_before_an_action_and_once_for_its_evidence(tmp_path: Path) -> None:
    """Two actions take two messages each, what proves them one, and a claim one."""
    with project(tmp_path, PLAYS, NUMBER + RECORDED, COUNT) as inner:
        inner.site.pages["/"] = PAGE
        inner.passes()
        run = inner.passes("--webtask-mode=replay", "-s")
        assert "sent 5 1" in run.printed, run.printed


def test_literal_sentence_asks_little(tmp_path: Path) -> None:
    """An action, or a claim, takes at most five messages, its own included."""
    with project(tmp_path, "", NUMBER + LITERAL, f"del webtask_model\n{COUNT}") as inner:
        inner.site.pages["/"] = PAGE
        run = inner.passes("-s")
        assert "sent 5 4 5 5" in run.printed, run.printed
