"""How often a replay, and a literal sentence, ask the browser: what makes them as fast as a test by hand."""

from pathlib import Path
from typing import Any

import pytest
from playwright._impl.connection import Connection

from tests.inner import project

PAGE = """<label>Name <input id=name></label> <p role=status id=saved></p>
<button onclick="saved.textContent = `Saved ${document.getElementById('name').value}`">Save</button>"""
PLAYS = """"save Ann": [act("fill", "textbox:Name", text="Ann"), act("click", "button:Save"),
    done(text("status:", "Saved Ann"))],
"it says that Ann was saved": [judge("holds", text("status:", "Saved Ann"))],"""
RECORDED = """webtask.do("save Ann"); webtask.verify("it says that Ann was saved")"""
LITERAL = """webtask.do('fill "Name" with "Ben"'); webtask.do('click "Save"')
    webtask.verify('"Saved Ben" is shown'); webtask.verify('"Name" has value "Ben"')"""


@pytest.mark.parametrize(("plays", "steps", "most"), [(PLAYS, RECORDED, 6), ("", LITERAL, 20)])
def test_replays_and_literal_sentences_ask_little(
    plays: str, steps: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A replay asks once before an action, once for evidence and for a claim; a sentence takes five messages at most."""
    sent: list[str] = []
    send = Connection.send_message_to_server

    def counted(*args: Any) -> Any:
        sent.append(args[2])
        return send(*args)

    monkeypatch.setattr(Connection, "send_message_to_server", counted)
    test = f'def test_it(webtask):\n    webtask.goto("/"); {steps}'
    with project(tmp_path, plays, test, "" if plays else "del webtask_model") as inner:
        inner.site.pages["/"] = PAGE
        inner.passes()
        sent.clear()
        inner.passes("--webtask-mode=replay")
    begin = len(sent) - sent[::-1].index("goto")
    own = [each for each in sent[begin:] if each not in ("send", "updateSubscription")]
    assert len(own) <= most, own
