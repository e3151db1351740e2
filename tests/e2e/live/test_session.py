"""Live sessions in processes of their own, by commands and over MCP."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask.desk.desk import FOLDER, Desk, wait_for
from tests import nested
from tests.e2e.live.conftest import Say, answer_to
from tests.recordings.made import approved, call, check, recorded, step
from tests.site import Site

pytestmark = [pytest.mark.slow, pytest.mark.real_time]

WRITE = approved(
    step(
        call("fill", 'get_by_label("Note")', text="{what}"),
        call("click", 'get_by_role("button", name="Save")'),
        sentence="write down {what}",
        evidence=[check("text", 'get_by_role("status")', text="Saved {what}")],
    )
)


def _green(project: Path, test: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    nested.run(project, test, own_process=True).assert_outcomes(passed=1)


def test_sentences_are_done_and_saved_with_their_data(
    say: Say, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each command is answered by what came of it; what was kept is a test that replays green."""
    assert say("session", "start", "/") == (0, say("session", "wait")[1])
    code, text = say("session", "do", 'fill "Note" with {what}', "--data", "what=figs")
    assert code == 0 and "done (no model was asked" in text and "worker 1/20 fill" in text
    code, text = say("session", "verify", '"Saved figs" is visible')
    assert code == 1 and 'does not show "Saved figs"' in text and "not kept" in text
    assert "not to be trusted" in text and '[button-0 "Save"]' in text
    assert say("session", "do", 'click "Save"')[0] == 0
    assert say("session", "verify", '"Saved figs" is visible')[0] == 0
    assert "= '$3.50'" in say("session", "extract", 'the text of "Total"')[1]
    say("session", "goto", "/?later")
    assert "dropped goto('/?later')" in say("session", "drop")[1]
    code, text = say("session", "look")
    [picture] = re.findall(r"^picture: (.+)$", text, re.M)
    assert code == 0 and "/?later" in text and Path(picture).is_file()

    code, text = say("session", "save", "test_notes.py::test_figs")
    assert code == 0 and "saved test_notes.py::test_figs\ngreen: replayed" in text
    assert (
        (project / "test_notes.py").read_text()
        == """def test_figs(webtask):
    webtask.goto("/")
    webtask.do('fill "Note" with {what}', data={"what": "figs"})
    webtask.do('click "Save"')
    webtask.verify('"Saved figs" is visible')
    assert webtask.extract('the text of "Total"') == "$3.50"
"""
    )
    assert say("session", "stop") == (0, "the session ends\n")
    code, text = say("session", "look")
    assert code == 4 and "no session 'main' is open" in text and "session start URL" in text
    _green(project, "test_notes.py", monkeypatch)


def test_mistakes_are_named_and_end_nothing(say: Say, project: Path) -> None:
    """An unknown fixture, a name that is taken, a senseless command and a typed secret are all caught."""
    code, text = say("session", "start", "/", "--fixture=nope")
    assert code == 4 and "the session could not be opened" in text
    assert "fixture 'nope' not found" in text
    assert say("session", "start", "/", "--name=a")[0] == 0
    for arguments, expected, message in (
        (("start", "/", "--name=a"), 2, "a session 'a' is open already"),
        (("start", "/", "--name=b/c"), 2, "letters, digits"),
        (("look", "--name=b"), 4, "no session 'b' is open"),
        (("do", 'fill "Note" with {x}', "--data", "x"), 2, "data is given as NAME=VALUE; got 'x'"),
        (("bug", "it is broken"), 1, "for a run that was paused"),
        (("goto", "file:///etc/hostname"), 1, "not of an allowed origin. Only the person"),
        (("goto", "http://127.0.0.1:9/"), 1, "--webtask-allow-origin=http://127.0.0.1:9"),
        (("goto", "javascript:alert(1)"), 1, "It can't be allowed, because it has no origin"),
        (("drop",), 0, "dropped goto"),
        (("drop",), 1, "nothing to drop: no sentence is kept\n"),
        (("save", "test_x.py::test_x"), 1, "not saved: no sentence is kept yet"),
    ):
        code, text = say("session", *arguments)
        assert code == expected and message in text, arguments

    assert say("session", "goto", "/")[0] == 0
    code, text = say("session", "do", 'fill "Note" with "plum-cake-9" and click "Save"')
    assert code == 0 and "plum-cake-9" not in text
    code, text = say("session", "verify", '"Saved nothing" is visible')
    assert code == 1 and "Saved {code}" in text and "plum-cake-9" not in text
    assert 'fill "Note" with "{code}"' in say("session", "show")[1]
    code, text = say("session", "do", 'fill "Note" with {x}', "--data", "x=plum-cake-9")
    assert code == 1 and "x is a secret of the data: write {code} in its place" in text
    assert say("session", "save", "test_x.py::test_x")[0] == 0
    left = [p for p in project.rglob("*") if p.is_file() and not p.name.startswith("conftest.")]
    assert not [path for path in left if b"plum-cake-9" in path.read_bytes()]


def test_recorded_sentence_needs_no_model(
    say: Say, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sentence that another test has recorded is replayed, and saved with what was approved."""
    (project / "test_old.py").write_text(
        "def test_old(webtask):\n"
        "    webtask.goto('/')\n    webtask.do('write down {what}', data={'what': 'figs'})\n"
    )
    recorded("recordings/test_old/test_old.json", WRITE)
    say("session", "start", "/")
    for what in ("figs", "dates"):
        code, text = say("session", "do", "write down {what}", "--data", f"what={what}")
        assert code == 0 and f'"Saved {what}"' in text
        assert "replays what test_old.py::test_old has decided" in text
    assert say("session", "save", "test_new.py::test_new")[0] == 0
    steps = json.loads(Path("recordings/test_new/test_new.json").read_text())["steps"]
    assert [each.get("occurrence", 1) for each in steps] == [1, 2]
    assert steps[0]["approved"] == WRITE["approved"]

    say("session", "goto", "about:blank")
    code, text = say("session", "do", "write down {what}", "--data", "what=figs")
    assert code == 1 and "can no longer be replayed from its draft" in text
    assert "start a session with --webtask-model=handoff" in text and "pytest" not in text
    say("session", "stop")
    assert not list((project / ".webtask" / "pending").glob("*"))
    recordings = sorted(path.name for path in project.rglob("*.json") if "recordings" in path.parts)
    assert recordings == ["test_new.json", "test_old.json"]
    _green(project, "test_new.py", monkeypatch)


def test_author_of_a_sentence_answers_its_turns(
    say: Say, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A free sentence prints its turn; answers lead to the next turn, and at last to the outcome."""
    say("session", "start", "/", "--webtask-model=handoff", "--fixture=logged_in")
    code, text = say("session", "do", "write down figs")
    assert code == 3 and "Task: write down figs" in text
    code, busy = say("session", "verify", '"Notes" is visible')
    assert code == 2 and "still busy with do 'write down figs'" in busy
    turn, calls = answer_to(text, "fill", element_id="textbox-0", text="figs", reason="it is asked")
    calls.append({"tool": "click", "input": {"element_id": "button-0", "reason": "saves"}})
    code, text = say("answer", turn, "--next", calls=calls)
    assert code == 3 and text.startswith("accepted\n\n===== turn ")
    evidence = [{"kind": "text", "element_id": "status-0", "text": "Saved figs"}]
    turn, calls = answer_to(
        text, "mark_done", summary="saved", evidence=evidence, reason="it says so"
    )
    code, text = say("answer", turn, "--next", calls=calls)
    assert code == 3 and "must be answered blind" in text
    assert text.endswith("when it is answered, run\n\npytest-webtask session wait --name main\n")
    turn, calls = answer_to(text, "rule", counterexample="", proves=True, missing="")
    assert say("answer", turn, calls=calls) == (0, "accepted\n")
    code, text = say("session", "wait")
    assert code == 0 and "done (3 model calls" in text and "waits for an answer" not in text
    assert say("session", "save", "test_notes.py::test_figs")[0] == 0
    assert "def test_figs(logged_in, webtask):\n" in Path("test_notes.py").read_text()
    _green(project, "test_notes.py", monkeypatch)


def test_fixture_that_is_a_webtask_is_used(say: Say, project: Path) -> None:
    """The sentences are done on the page of that user, and so in the saved test."""
    assert say("session", "start", "/", "--fixture=logged_in", "--fixture=ann")[0] == 0
    assert say("session", "do", 'fill "Note" with "figs"')[0] == 0
    code, text = say("session", "save", "test_ann.py::test_ann")
    assert code == 0 and "green: replayed" in text
    assert (
        (project / "test_ann.py").read_text()
        == """def test_ann(logged_in, ann):
    ann.goto("/")
    ann.do('fill "Note" with "figs"')
"""
    )


def _wait_for_end(desk: Desk) -> None:
    wait_for(30, lambda: None if desk.is_open else True)
    assert not desk.is_open


def test_abandoned_session_ends(say: Say, project: Path) -> None:
    """A session without a command ends, and its log has what was not saved."""
    assert say("session", "start", "/", "--idle=0.5")[0] == 0
    desk = Desk(project / FOLDER / "main")
    _wait_for_end(desk)
    code, text = say("session", "show")
    assert code == 4 and str(desk.log) in text
    assert 'not saved:\ndef test_tried(webtask):\n    webtask.goto("/")' in desk.log.read_text()


def _below(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    lines = subprocess.check_output(["ps", "-A", "-o", "pid=,ppid="], text=True).splitlines()
    pairs = [(int(child), int(parent)) for child, parent in map(str.split, lines)]
    children = [child for child, parent in pairs if parent == pid]
    return [*children, *(each for child in children for each in _below(child))]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no ps")
def test_browser_that_crashes_is_named(say: Say, project: Path) -> None:
    """After the browser has crashed a sentence says so, and what was kept can be saved."""
    say("session", "start", "/")
    say("session", "do", 'click "Save"')
    _driver, *browsers = _below(Desk(project / FOLDER / "main").pid)
    for browser in browsers:
        with suppress(ProcessLookupError):
            os.kill(browser, signal.SIGKILL)
    code, text = say("session", "do", 'click "Save"')
    assert code == 1 and "the page is gone: save what is kept, end the session" in text
    code, text = say("session", "save", "test_kept.py::test_kept")
    assert code == 0 and "green: replayed" in text


def test_mcp_client_has_a_session(project: Path, site: Site) -> None:
    """An MCP client opens a page, does sentences, sees pictures unless they are off, and saves a test."""
    mcp = pytest.importorskip("mcp")
    (project / FOLDER).mkdir(parents=True)
    server = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "pytest_webtask.cli", "mcp"],
        env={**os.environ},
        cwd=project,
    )

    async def play() -> None:
        async with mcp.Client(server) as client:

            async def session(command: str, **arguments: Any) -> list[Any]:
                done = await client.call_tool(f"session_{command}", arguments)
                assert not done.is_error, done.content
                content: list[Any] = done.content
                return content

            [text, picture] = await session("start", url="/", model="handoff")
            assert text.text.startswith("done") and picture.type == "image"
            await session("do", text='fill "Note" with {what}', data={"what": "figs"})
            [text, picture] = await session("verify", text='"Pears" is visible')
            assert text.text.startswith("NOT DONE: ") and '[button-0 "Save"]' in text.text
            [text, *_, how] = await session("do", text="save the note")
            [turn] = re.findall(r"^===== turn (\S+):", text.text, re.M)
            assert how.text == "The session 'main' waits for it."
            calls = [{"tool": "abort", "input": {"reason": "there is no way"}}]
            answered = await client.call_tool("answer", {"turn": turn, "calls": calls})
            assert "there is no way" in answered.content[1].text
            [text, _] = await session("look")
            assert site.url in text.text
            [text] = await session("save", text="test_notes.py::test_figs")
            assert "green: replayed" in text.text
            for given in (
                {"url": "/", "model": "os:system"},
                {"url": "file:///"},
                {"url": "--idle=1"},
            ):
                refused = await client.call_tool("session_start", {"name": "other", **given})
                assert refused.is_error and "names no code" in refused.content[0].text
            refused = await client.call_tool("session_look", {"name": "other"})
            assert refused.is_error and "no session 'other' is open" in refused.content[0].text
            [text] = await session("stop")
            assert text.text == "the session ends"
            [ini] = project.glob("*.ini")
            ini.write_text(f"{ini.read_text()}\nwebtask_model_pictures = off\n")
            for command, given in {"start": {"url": "/"}, "look": {}, "stop": {}}.items():
                [text] = await session(command, name="other", **given)
                assert ("picture: " in text.text) is (command != "stop"), "a path, but no picture"

    with ThreadPoolExecutor() as pool:  # in this thread Playwright has its own event loop
        pool.submit(asyncio.run, play()).result(120)
    _wait_for_end(Desk(project / FOLDER / "main"))
