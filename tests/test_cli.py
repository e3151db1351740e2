"""The commands beside a run: turns are printed and answered, by hand, by a shell, over MCP."""

import asyncio
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask import cli
from pytest_webtask.agent import worker
from pytest_webtask.desk.desk import (
    FOLDER,
    NO_RUN,
    NO_TURN,
    OVER,
    REFUSED,
    Desks,
    HandedTurn,
    OwnDesk,
    wait_for,
)
from pytest_webtask.journal import IterationEnded
from pytest_webtask.llm.handoff import parse_answer
from tests.inner import events
from tests.site import Site

pytestmark = pytest.mark.real_time

SHOP = """
<title>Shop</title><label>Name <input></label><label>Word <input type=text></label>
<button onclick="document.title = `${document.querySelector('input').value} has ordered`">
  Order a mug
</button>
"""
SUITE = """
import pytest
from pytest_webtask import Secret

@pytest.fixture
def webtask_data():
    return {"user": "Ann", "word": Secret("hunter-two")}

@pytest.mark.parametrize("n", [1, 2])
def test_order(webtask, n):
    webtask.goto("/")
    result = webtask.do("order a mug for {user} with {word}")
    assert result.session.feedback == "ordered"
    assert webtask.page.title() == "Ann has ordered"
    assert webtask.page.get_by_label("Word").input_value() == "hunter-two"
    assert {i.model for i in result.session.iterations} == {"handoff"}
"""
ORDER = [
    {"tool": "fill", "input": {"element_id": "textbox-0", "text": "{user}", "reason": "the name"}},
    {
        "tool": "fill",
        "input": {"element_id": "textbox-1", "text": "{word}", "reason": "it's asked"},
    },
    {"tool": "click", "input": {"element_id": "button-0", "reason": "orders"}},
]
DONE = [
    {
        "tool": "mark_done",
        "input": {
            "summary": "ordered",
            "evidence": [{"kind": "title", "text": "{user} has ordered"}],
            "reason": "the title says so",
        },
    }
]
RULE = [{"tool": "rule", "input": {"counterexample": "", "proves": True, "missing": ""}}]
ENDED = "do('order a mug for {user} with {word}') completed\n"
FILES = {"system.md": "be good", "task.md": "", "page.md": "a page", "tools.json": "[]"}
WORKER = {"role": "worker", "number": 1, "max_steps": 20, "blind": False}
REFEREE = {"role": "referee", "number": 1, "max_steps": 3, "blind": True}
INTERRUPTIBLE = """
import signal, sys, pytest
# What a shell starts in the background ignores the interrupt, and hands that down.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(pytest.main())
"""
Start = Callable[..., "subprocess.Popen[bytes]"]
Say = Callable[..., tuple[int, str]]


@pytest.fixture
def start(pytester: pytest.Pytester, site: Site) -> Iterator[Start]:
    """Starts an inner run that hands its turns over, and goes on."""
    site.pages["/"] = SHOP
    pytester.makepyfile(SUITE)
    runs: list[subprocess.Popen[bytes]] = []

    def alive() -> int:
        return len(list((pytester.path / FOLDER).glob("*/alive")))

    def start(*more: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", INTERRUPTIBLE, "--webtask-model=handoff"]
        # There would be no run to hand the recorded steps over to.
        command.append("--webtask-mode=live")
        log = (pytester.path / "log").open("w")
        expected = alive() + 1
        runs.append(
            pytester.popen([*command, f"--base-url={site.url}", *more], stdout=log, stderr=log)
        )
        log.close()
        # On a slow machine this may take longer than the commands wait for it.
        deadline = time.monotonic() + 60
        while alive() < expected:
            assert runs[-1].poll() is None and time.monotonic() < deadline
            time.sleep(0.05)
        return runs[-1]

    yield start
    for run in runs:
        run.kill()
        run.wait()


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Say:
    """Gives a command, in this process, and returns its exit code and all that it printed."""

    def say(*arguments: str, calls: Sequence[Any] | str = "") -> tuple[int, str]:
        text = calls if isinstance(calls, str) else json.dumps(calls)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode("utf-8-sig"))))
        code = cli.main(arguments)
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return say


def the_id(text: str) -> str:
    """The id of the turn that was printed."""
    found = re.search(r"^===== turn (\S+): (?:worker, \d+ of 20|referee) =====$", text, re.M)
    assert found, text
    return found[1]


def judged(text: str) -> bool:
    """Whether the turn that was printed is one of the referee."""
    return ": referee =====" in text


@pytest.mark.long
def test_whole_tests_are_done_by_commands(
    pytester: pytest.Pytester, start: Start, say: Say
) -> None:
    """Commands carry tests from the first turn to the end of the run and print news but no secret."""
    run = start()
    code, first = say("turn")
    assert code == 0
    turn = the_id(first)
    assert first.count("You carry out one task") == 1 and "\nclick(reason, " in first
    assert "order a mug for {user} with {word}" in first and "{word}, a secret" in first
    assert '[button-0 "Order a mug"]' in first
    [picture] = re.findall(r"^(/.*|.:\\.*)picture-1\.jpg$", first, re.M)
    assert Path(picture, "picture-1.jpg").is_file()
    assert f"\npytest-webtask answer {turn} --next <<'END'\n" in first

    code, refused = say("answer", turn, calls=[{"tool": "clik", "input": {}}])
    assert code == REFUSED
    assert "refused, and none of its calls was made:\n- call 1: there is no tool 'clik'" in refused
    assert say("answer", turn, calls=ORDER) == (0, "accepted\n")

    texts = [first]
    while True:
        code, text = say("turn")
        assert code == 0
        texts.append(text)
        assert "You carry out one task" not in text and "\nclick(" not in text
        code, text = say("answer", the_id(text), "--next", calls=DONE)
        assert code == 0 and text.startswith("accepted\n\n===== turn ") and judged(text)
        texts.append(text)
        # It sees the conclusion and its facts, and neither the page nor what was done.
        assert '"text": "{user} has ordered"' in text and "- {user}: Ann" in text
        assert "button-0" not in text and "it's asked" not in text
        code, text = say("answer", the_id(text), "--next", "--whole", calls=RULE)
        texts.append(text)
        if code == NO_RUN:
            assert text.startswith("accepted\n\nno run of pytest waits for answers in ")
            break
        assert code == 0 and text.startswith("accepted\n\n===== turn ")
        assert f"before: {ENDED}" in text and "You carry out one task" in text
        code, text = say("answer", the_id(text), "--next", "--whole", calls=ORDER)
        assert code == 0 and text.startswith("accepted\n\n===== turn ")
        assert "before: " not in text and "You carry out one task" in text
        texts.append(text)
    assert code == NO_RUN
    assert run.wait(30) == 0

    assert "hunter-two" not in "".join(texts)
    assert {e.iteration.model for e in events(pytester.path) if isinstance(e, IterationEnded)} == {
        "handoff"
    }
    log = (pytester.path / "log").read_text()
    assert "2 passed" in log
    assert "6 model calls\n" in log
    kept = [p for p in (pytester.path / FOLDER).rglob("*") if p.is_file()]
    assert kept and not any(b"hunter-two" in path.read_bytes() for path in kept)
    assert (pytester.path / FOLDER.parent / ".gitignore").exists()
    code, text = say("answer", turn, calls=DONE)
    assert code == OVER
    assert text.endswith("ask for the next turn\n")


@pytest.mark.long
@pytest.mark.slow
def test_turns_of_two_workers_get_their_own_answers(
    pytester: pytest.Pytester, start: Start, say: Say
) -> None:
    """Two xdist workers wait at the same time, and each gets its own answers."""
    run = start("-n2")
    code, first = say("turn")
    alive = pytester.path / FOLDER
    deadline = time.monotonic() + 60
    while len(list(alive.glob("*/[0-9]*/turn.json"))) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    code, text = say("answer", the_id(first), "--next", calls=ORDER)
    assert code == 0 and the_id(text)[:6] != the_id(first)[:6]
    code, text = say("answer", the_id(text), "--next", calls=ORDER)
    while code == 0:
        calls = RULE if judged(text) else DONE
        code, text = say("answer", the_id(text), "--next", calls=calls)
    assert code == NO_RUN
    assert run.wait(30) == 0
    assert "2 passed" in (pytester.path / "log").read_text()


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="sends signals")
@pytest.mark.parametrize("by", ["SIGKILL", "SIGINT"])
def test_turns_of_a_killed_run_are_not_offered(
    pytester: pytest.Pytester, start: Start, say: Say, by: str
) -> None:
    """The turn of a dead run is neither printed nor answered; the next run's turn is."""
    run = start()
    _, text = say("turn")
    stale = the_id(text)
    run.send_signal(getattr(signal, by))
    run.wait(30)
    code, text = say("turn", "--timeout", "0.3")
    assert code == NO_RUN and "see the output of pytest" in text
    assert say("answer", stale, calls=DONE)[0] == OVER

    start("-k", "1")
    code, text = say("turn")
    assert code == 0 and the_id(text) != stale


def test_turn_waits_while_a_run_is_alive(pytester: pytest.Pytester, say: Say) -> None:
    """From a subfolder too, `turn` waits for a live run until its timeout and then says so."""
    run = OwnDesk(pytester.path / FOLDER / "abc")
    below = pytester.mkdir("below")
    os.chdir(below)
    began = time.monotonic()
    code, text = say("turn", "--timeout", "0.5")
    assert time.monotonic() - began >= 0.5
    assert code == NO_TURN
    assert text == ("no turn came in 0.5 s, but the run goes on; ask again\n")
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(say, "turn", "--folder", str(run.folder.parent))
        time.sleep(0.3)
        run.close()
        code, text = asked.result(10)
        assert code == NO_RUN and "see the output of pytest" in text


@pytest.mark.parametrize("damage", ["", "{", "[1, [2]]"])
def test_damaged_note_of_shown_turns_prints_everything(
    pytester: pytest.Pytester, say: Say, damage: str
) -> None:
    """Without a readable note of earlier turns all of a turn is printed."""
    run = OwnDesk(pytester.path / FOLDER / "abc")
    run.hand_over(FILES, WORKER)
    assert "be good" in say("turn")[1]
    assert "be good" not in say("turn")[1]
    (run.folder / "shown.json").write_text(damage)
    assert "be good" in say("turn")[1]
    run.close()


def accept(turn: HandedTurn) -> None:
    """Accept the next answer to a turn, as the run does."""
    assert wait_for(10, lambda: turn.calls.request)
    turn.calls.answer([])
    turn.end()


def test_turn_with_roles_prints_turns_of_these_roles(pytester: pytest.Pytester, say: Say) -> None:
    """Each reader gets the turns of its roles, whole at first, with a command that keeps the roles."""
    run = OwnDesk(pytester.path / FOLDER / "abc")
    first = run.hand_over(FILES, WORKER)
    second = run.hand_over(FILES, {**WORKER, "role": "verifier"})
    for whole in (True, False):
        code, text = say("turn", "--role=planner,verifier")
        assert code == 0 and f"===== turn {second.id}: verifier" in text
        assert f"\npytest-webtask answer {second.id} --next --role planner,verifier <<" in text
        assert ("be good" in text) is whole
    code, text = say("turn", "--role", "worker")
    assert code == 0 and f"===== turn {first.id}: worker" in text and "be good" in text
    assert say("turn", "--role=reader", "--timeout=0.1")[0] == NO_TURN
    with ThreadPoolExecutor() as pool:
        judged = pool.submit(accept, second)
        code, text = say(
            "answer", second.id, "--next", "--role=verifier", "--timeout=0.1", calls=DONE
        )
        judged.result(10)
    assert code == NO_TURN and text.startswith("accepted\n")
    run.close()


def test_turn_prints_blind_turns_whole(pytester: pytest.Pytester, say: Say, tmp_path: Path) -> None:
    """A blind turn is printed whole with its pictures, and its answer is not followed by another turn."""
    run = OwnDesk(pytester.path / FOLDER / "abc")
    picture = tmp_path / "crop.jpg"
    picture.write_bytes(b"a crop")
    turn = run.hand_over(FILES, REFEREE, [picture, picture])
    for _ in range(2):
        code, text = say("turn")
        assert code == 0 and "NOTICE: this turn must be answered blind" in text
        assert text.startswith(f"===== turn {turn.id}: referee =====\n") and "be good" in text
        assert f"----- facts {turn.id}: not to be trusted -----\n\na page\n" in text
        assert f"----- end of facts {turn.id} -----" in text
        paths = [Path(path) for path in re.findall(r"^.*picture-\d\.jpg$", text, re.M)]
        assert [path.read_bytes() for path in paths] == [b"a crop", b"a crop"]
        assert f"\npytest-webtask answer {turn.id} <<'END'\n" in text
    run.close()


def test_mcp_gives_no_turn_after_a_blind_one(tmp_path: Path) -> None:
    """The pictures of a blind turn are there, and its answer returns no other turn."""
    pytest.importorskip("mcp")
    from pytest_webtask.live.mcp import AnsweredCall, TurnServer

    run = OwnDesk(tmp_path / FOLDER / "abc")
    picture = tmp_path / "crop.jpg"
    picture.write_bytes(b"a crop")
    referee = run.hand_over(FILES, REFEREE, [picture, picture])
    worker = run.hand_over(FILES, WORKER)
    server = TurnServer(Desks(tmp_path / FOLDER))
    calls = [AnsweredCall(tool="wait", input={})]
    with ThreadPoolExecutor() as pool:
        [text, *pictures, _] = server.next_turn()
        assert "NOTICE" in text and referee.id in text and len(pictures) == 2
        judged = pool.submit(accept, referee)
        assert server.answer(referee.id, calls) == ["accepted"]
        judged.result(10)
    [text, _] = server.next_turn()
    assert f"===== turn {worker.id}: worker" in text
    run.close()


def test_unknown_command_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown command lists all commands, and the help lists the exit codes."""
    with pytest.raises(SystemExit) as end:
        cli.main(["trun"])
    assert end.value.code == 2
    printed = capsys.readouterr().err
    assert all(command in printed for command in ("turn", "answer", "mcp", "skill"))
    with pytest.raises(SystemExit):
        cli.main(["answer", "--help"])
    assert "1 refused" in capsys.readouterr().out


def test_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` prints the version with which the package was installed."""
    with pytest.raises(SystemExit) as end:
        cli.main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"pytest-webtask {version('pytest-webtask')}\n"


def test_instructions_match_the_commands(say: Say) -> None:
    """The example answer is valid, and the exit codes and commands are those that exist."""
    code, text = say("skill")
    assert code == 0
    text = text.partition("## Answer the turns of a run")[2]
    [example] = re.findall(r"<<'END'\n(.*?)\nEND\n", text, re.S)
    calls, problems = parse_answer(example, worker.worker_tools().specs)
    assert len(calls) == 2 and not problems
    codes = [int(number) for number in re.findall(r"^\| (\d) \|", text, re.M)]
    assert codes == [0, REFUSED, OVER, NO_TURN, NO_RUN]
    for option in re.findall(r"`[^`]*pytest-webtask (\w+)[^`]*`", text):
        assert option in ("turn", "answer", "session")


@pytest.mark.long
def test_mcp_client_answers_turns(pytester: pytest.Pytester, start: Start) -> None:
    """An MCP client gets turns with their pictures and answers them."""
    mcp = pytest.importorskip("mcp")
    server = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "pytest_webtask.cli", "mcp"],
        env={**os.environ},
        cwd=pytester.path,
    )

    async def play() -> None:
        async with mcp.Client(server) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools][:3] == ["next_turn", "answer", "session_start"]
            [text, picture, how] = (await client.call_tool("next_turn", {})).content
            assert '[button-0 "Order a mug"]' in text.text
            assert (picture.type, picture.mime_type) == ("image", "image/jpeg")
            turn = the_id(text.text)
            assert how.text == f"Answer it with the tool `answer`, turn={turn!r}."
            refused = await client.call_tool("answer", {"turn": turn, "calls": DONE[:0]})
            assert refused.is_error and "an answer is a JSON list" in refused.content[0].text
            answered = await client.call_tool("answer", {"turn": turn, "calls": ORDER})
            [accepted, text, picture, how] = answered.content
            assert accepted.text == "accepted" and "You carry out one task" not in text.text
            turn = the_id(text.text)
            answered = await client.call_tool("answer", {"turn": turn, "calls": DONE})
            [accepted, text, how] = answered.content
            assert accepted.text == "accepted" and judged(text.text)
            assert "button-0" not in text.text
            turn = the_id(text.text)
            answered = await client.call_tool("answer", {"turn": turn, "calls": RULE})
            [accepted] = answered.content  # who rules blind gets no other turn
            assert accepted.text == "accepted"
            [none] = (await client.call_tool("next_turn", {})).content
            assert "see the output of pytest" in none.text
            over = await client.call_tool("answer", {"turn": turn, "calls": DONE})
            assert over.is_error and f"turn {turn} is over" in over.content[0].text

    run = start("-k", "1")
    with ThreadPoolExecutor() as pool:  # in this thread Playwright has its own event loop
        pool.submit(asyncio.run, play()).result(120)
    assert run.wait(30) == 0


def test_mcp_without_its_package_names_the_extra(say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the package, `mcp` says which extra to install."""
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    code, text = say("mcp")
    assert code == 2
    assert 'pip install "pytest-webtask[mcp]"' in text
