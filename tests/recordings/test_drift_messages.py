"""What a replay says where it fails: what was sought, what is there, and what to do next."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_webtask.journal import StepEnded
from tests.inner import Run, project

pytestmark = pytest.mark.slow

PAGE = """<h1>Orders</h1><label>Note <input id=note></label>
<label>Code <input id=code type=password></label><button onclick="%s">%s</button>
<div id=list></div><p role=alert id=err></p><p role=status id=out></p><script>
function load() { list.innerHTML = '<button onclick="send()">Send</button>' }
function send() { out.textContent = 'Sent' }
</script>%s"""
BEFORE = PAGE % ("load()", "Load", "")
AFTER = {
    "renamed": PAGE % ("load()", "Load orders", ""),
    "gone": PAGE % ("load()", "Exit", "<button>Print</button>"),
    "idle": PAGE % ("", "Load", ""),
    "refused": PAGE
    % (
        "fetch('/broken', { method: 'POST' }).then(r => { err.textContent = `No <b>disk</b> ${r.status}` })",
        "Load",
        "",
    ),
    "thrown": PAGE % ("out.title = 'x'; null.x", "Load", ""),
    "unsent": BEFORE.replace("out.textContent = 'Sent'", ""),
    "other": BEFORE.replace("'Sent'", "'Failed'"),
    "lost": BEFORE.replace("out.textContent = 'Sent'", "out.remove()"),
    "hung": PAGE % ("fetch('/never').then(load)", "Load", ""),
    "edited": BEFORE,
    "emptied": BEFORE,
    "echo": PAGE % ("err.textContent = `Wrong code ${code.value}`", "Load", ""),
    "disabled": BEFORE.replace('<button onclick="load', '<button disabled onclick="load'),
}
PLAYS = """
**{f"send the {n}": [
    act("click", "button:Load"), act("click", "button:Send"), done(text("status:Sent", "Sent"))]
   for n in %r if n != "echo"},
"send the echo with {code}": [
    [act("fill", "textbox:Code", text="{code}"), act("click", "button:Load")],
    act("click", "button:Send"), done(text("status:Sent", "Sent"))],
""" % [*AFTER]
TESTS = "".join(
    f"""
def test_{name}(webtask):
    webtask.goto("/{name}")
    webtask.do("send the {name}{" with {code}" if name == "echo" else ""}")
"""
    for name in AFTER
)
CONFTEST = """
@pytest.fixture
def webtask_data():
    return {"code": Secret("hunter2-secret")}
"""


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """A replay of the same step on pages that changed in different ways."""
    tmp_path = tmp_path_factory.mktemp("drifts")
    with project(tmp_path, PLAYS, TESTS, CONFTEST) as inner:
        inner.site.pages.update({f"/{name}": BEFORE for name in AFTER})
        inner.site.delays["/never"] = 20.0
        inner.passes()
        inner.site.pages.update({f"/{name}": page for name, page in AFTER.items()})
        code = json.dumps('get_by_role("button", name="Send", exact=True)')
        for name, edited in (("edited", "'Send'"), ("emptied", "")):
            recording = tmp_path / f"recordings/test_it/test_{name}.json"
            text = recording.read_text()
            assert code in text
            recording.write_text(text.replace(code, json.dumps(edited)))
        yield inner.run("--webtask-mode=replay")


def message(replayed: Run, name: str) -> str:
    """What the test of a page said."""
    assert replayed.outcomes[f"test_{name}"] == "failed"
    return replayed.tests[f"test_{name}"].message


RECORD = "--webtask-mode=record"
WATCH = "--headed"
ACCEPT = "pytest-webtask accept"


def test_missing_element_is_named_with_its_call_and_locator(replayed: Run) -> None:
    """The message has the call, the element in words, the time that it got, and its locator."""
    text = message(replayed, "gone")
    assert 'action 1 of 2, click button "Load": no element matched within 1.5 s; allow' in text
    assert "; allow more with --webtask-timeout" in text
    assert 'recorded as get_by_role("button", name="Load", exact=True)' in text
    assert 'the closest on the page: button "Exit", button "Print"' in text
    assert RECORD in text and ACCEPT not in text and WATCH not in text


def test_busy_page_names_server_and_option_before_recording(replayed: Run) -> None:
    """An element that a slow answer should bring is no reason to record at once."""
    text = message(replayed, "hung")
    assert (
        'click button "Send": no element matched within 1.5 s; the page was still waiting' in text
    )
    assert (
        "check the server, or allow more with --webtask-timeout (now 1.5); if the page is right, record it again:"
        in text
    )


def test_edited_locator_is_named_with_its_line(replayed: Run) -> None:
    """A locator that was broken by hand is named with its line; the page is not blamed."""
    text = message(replayed, "edited")
    match = re.search(r"test_edited\.json:(\d+): \"'Send'\" is not a locator; write one such", text)
    assert match and int(match[1]) > 1
    assert "correct that line, restore the file from version control, or record it again: " in text
    assert "if the page is right" not in text


def test_emptied_locator_is_no_reason_to_change_the_page(replayed: Run) -> None:
    """A locator that was deleted by hand is said to be empty, and the file is to be restored."""
    text = message(replayed, "emptied")
    assert re.search(r"test_emptied\.json:\d+: a locator of this step is empty, so it can't", text)
    assert "restore the file from version control, or record it again: " in text
    assert "correct that line" not in text


def test_renamed_element_is_shown_beside_the_recorded_one(replayed: Run) -> None:
    """A heal is proposed with one command, which is not to record the step again."""
    text = message(replayed, "renamed")
    new = '+ get_by_role("button", name="Load orders", exact=True)   (button "Load orders")'
    assert new in text and ACCEPT in text and RECORD not in text


def test_click_without_effect_is_not_told_as_a_drift_of_the_next_element(replayed: Run) -> None:
    """The message begins with the click, and does not ask to record the step again."""
    text = message(replayed, "idle")
    assert 'click button "Load" changed nothing: no request, no change of the HTML' in text
    assert "the page received it" in text
    assert text.index("changed nothing") < text.index('click button "Send"')
    assert WATCH in text and RECORD not in text


def test_last_click_without_effect_is_named(replayed: Run) -> None:
    """Evidence that fails after a click without effect names the click first."""
    text = message(replayed, "unsent")
    assert 'click button "Send" changed nothing' in text
    assert WATCH in text and RECORD not in text


def test_failed_check_ends_with_how_to_record_again(replayed: Run) -> None:
    """A task whose evidence differs is first of all a bug; one command records it if it is none."""
    text = message(replayed, "other")
    assert "all actions were done as recorded, but" in text and "Failed" in text
    assert "this may be a bug; if the page is right, record it again: pytest" in text
    assert text.count(RECORD) == 1 and WATCH not in text


def test_lost_evidence_is_no_reason_to_record_again(replayed: Run) -> None:
    """A message that is gone is first of all a bug; what was sought is said in words."""
    text = message(replayed, "lost")
    assert 'the check text exactly "Sent": get_by_role("status") no longer finds' in text
    assert "changed nothing" not in text
    assert WATCH in text and RECORD not in text


def test_alerts_and_failed_requests_are_quoted(replayed: Run) -> None:
    """The application's own alert, and the request that was refused, are in the message."""
    text = message(replayed, "refused")
    assert 'the page says: alert "No <b>disk</b> 404"' in text
    assert re.search(
        r"the application failed: POST http://[\d.:]+/broken was answered with 404", text
    )
    assert "changed nothing" not in text


def test_uncaught_error_is_quoted(replayed: Run) -> None:
    """An uncaught exception of the page is in the message."""
    assert "the application failed: uncaught TypeError: Cannot read" in message(replayed, "thrown")


def test_alert_that_shows_a_secret_is_masked(replayed: Run) -> None:
    """The message has the secret's name in place of the secret."""
    text = message(replayed, "echo")
    assert 'the page says: alert "Wrong code {code}"' in text
    assert "hunter2" not in text


def test_disabled_control_is_named_with_the_option(replayed: Run) -> None:
    """An action that was not possible in time names the time and the option for it."""
    text = message(replayed, "disabled")
    assert (
        'action 1 of 2, click button "Load" failed: not done within 1.5 s (element is not enabled); allow more with --webtask-timeout'
        in text
    )


CLICKS = """
def test_{name}(webtask):
    webtask.goto("/{name}")
    try:
        webtask.do("send the {name}")
    finally:
        print("CLICKS", "{name}", webtask.page.evaluate("clicks"))
"""
COUNTED = """<h1>Orders</h1><button id=b onclick="clicks++; {does}">Load</button><p role=status id=out></p>
<script>clicks = 0</script>"""
LOADS = "out.textContent = 'Sent'"


def test_click_without_effect_is_made_once(tmp_path: Path) -> None:
    """A button that does nothing any more is clicked a single time."""
    plays = """
    "send the dead": [act("click", "button:Load"), done(text("status:Sent", "Sent"))],
    """
    with project(tmp_path, plays, CLICKS.format(name="dead")) as inner:
        inner.site.pages["/dead"] = COUNTED.format(does=LOADS)
        first = inner.run()
        assert first.outcomes == {"test_dead": "passed"}, first.printed
        inner.site.pages["/dead"] = COUNTED.format(does="")
        run = inner.run("--webtask-mode=replay", "-s")
        assert run.outcomes == {"test_dead": "failed"}, run.printed
        assert "CLICKS dead 1" in run.printed


def test_pictures_of_now_and_then_are_named(tmp_path: Path) -> None:
    """The message has the paths of both pictures, and no second one once no run has it."""
    with project(tmp_path, PLAYS, TESTS) as inner:
        inner.site.pages["/gone"] = BEFORE
        pictures = "--webtask-screenshots=on"
        first = inner.run("-k", "gone", pictures)
        assert first.folder is not None
        inner.site.pages["/gone"] = AFTER["gone"]
        drifted = inner.run("-k", "gone", "--webtask-mode=replay", pictures)
        paths = [
            tmp_path / line.removeprefix("E       ").partition(": ")[2]
            for line in drifted.printed.splitlines()
            if line.startswith(("E       screenshot: ", "E       when it passed: "))
        ]
        assert [path.is_file() for path in paths] == [True, True], drifted.printed
        assert [path.parents[1] for path in paths] == [drifted.folder, first.folder]
        journaled = drifted.events(StepEnded)[-1].error
        assert journaled.startswith("action 1 of 2, click") and "screenshot: " not in journaled
        shutil.rmtree(first.folder)
        alone = inner.run("-k", "gone", "--webtask-mode=replay", pictures)
        assert "screenshot: " in alone.printed and "when it passed" not in alone.printed
