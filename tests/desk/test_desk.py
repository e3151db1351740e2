"""The model that hands turns over: what it writes, what it accepts, how it gives up."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pytest_webtask import Decision, ModelError, Observation, Secret, Turn, UsageError
from pytest_webtask.agent import worker
from pytest_webtask.desk.desk import (
    Desks,
    HandedTurn,
    HandoffError,
    OwnDesk,
)
from pytest_webtask.desk.turn_text import format_turn
from pytest_webtask.errors import PageError, TaskFailed
from pytest_webtask.llm.handoff import HandoffModel, parse_answer
from pytest_webtask.llm.model_names import load_model
from pytest_webtask.llm.prompts import Prompt
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.types.model import Model
from tests.scripted import FixedPage, Html, Scripted, call, done, on

TOOLS = worker.worker_tools().specs
CLICK = {"tool": "click", "input": {"element_id": "button-0", "reason": "it buys"}}
WAIT = 10.0
FILES = {"system.md": "be good", "task.md": "a task", "page.md": "a page", "tools.json": "[]"}
WORKER = {"role": "worker", "number": 1, "max_steps": 20, "blind": False}
REFEREE = {"role": "referee", "number": 2, "max_steps": 3, "blind": True}
UNDECIDED = "verify('it is') undecided: one two"


class Listening(Scripted):
    """A scripted model that keeps how steps ended."""

    def __init__(self) -> None:
        super().__init__()
        self.ends: list[tuple[str, str, str]] = []

    def step_ended(self, step: str, status: str, reason: str) -> None:
        self.ends.append((step, status, reason))


@pytest.fixture
def model() -> Listening:
    """The scripted model of this test."""
    return Listening()


@pytest.fixture
def run(folder: Path) -> Iterator[OwnDesk]:
    """A run in this process that hands turns over."""
    run = OwnDesk(folder / "abc")
    yield run
    run.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the turns of this test are handed over."""
    return tmp_path / ".webtask" / "handoff"


@pytest.fixture
def turn(tmp_path: Path) -> Turns:
    """Makes a turn on a page with one button."""
    picture = tmp_path / "page.jpg"
    Image.new("RGB", (40, 30), "white").save(picture)

    def make(outline: str = '[button-0 "Buy"]', **more: Any) -> Turn:
        page = Observation(
            "http://shop/", "Shop", outline, elements={}, take_screenshot=lambda: picture
        )
        given: dict[str, Any] = {"role": "worker", "task": "buy a mug", "tools": TOOLS, **more}
        return Turn(view=FixedPage(observation=page), **given)

    return make


Hand = Callable[..., "tuple[HandedTurn, Future[Decision]]"]
Turns = Callable[..., Turn]


def next_turn(folder: Path) -> HandedTurn:
    """The turn that waits in a folder."""
    return Desks(folder).next(WAIT)


def answer(handed: HandedTurn, asked: Future[Decision]) -> Decision:
    """Answer a turn with a click; return what the model has decided."""
    handed.answer(json.dumps([CLICK]))
    return asked.result(WAIT)


def remove(*folders: Path) -> None:
    """Remove folders with their files."""
    for folder in folders:
        for path in (*folder.iterdir(), folder):
            path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)


@pytest.fixture
def hand(folder: Path, turn: Turns) -> Iterator[Hand]:
    """Hands a turn over to a thread in which the model waits for its answer."""
    with ThreadPoolExecutor() as pool:
        model = HandoffModel(folder, wait_at_most=WAIT)

        def run(*outline: str, **more: Any) -> tuple[HandedTurn, Future[Decision]]:
            asked = pool.submit(model.decide, turn(*outline, **more))
            return next_turn(folder), asked

        yield run


def test_turn_is_a_folder_and_its_answer_a_decision(folder: Path, hand: Hand) -> None:
    """A turn is a folder of files that Git ignores, invalid Unicode included; the answer is a decision."""
    handed, asked = hand('[button-0 "Buy \ud83d"]', number=2)
    assert handed.read("system.md").startswith("You carry out one task")
    assert handed.read("task.md").startswith("Task: buy a mug")
    assert '[button-0 "Buy ?"]' in handed.read("page.md")
    tools = json.loads(handed.read("tools.json"))
    assert [tool["name"] for tool in tools] == [tool.name for tool in TOOLS]
    assert "element_id" in tools[3]["input_schema"]["properties"]
    assert [picture.read_bytes()[:2] for picture in handed.pictures] == [b"\xff\xd8"]
    about = handed.about
    assert (about["role"], about["number"], about["max_steps"]) == ("worker", 2, 20)
    assert (folder.parent / ".gitignore").read_text().endswith("*\n")

    decision = answer(handed, asked)
    assert [(call.tool, call.parameters) for call in decision.calls] == [("click", CLICK["input"])]
    assert (decision.model, decision.usage.model_calls, decision.usage.cost) == ("handoff", 1, 0.0)
    assert handed.is_over


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("", "this is not JSON: Expecting value"),
        ("[" * 100_000, "this is not JSON"),
        ('[{"tool": "wait", "input": {"seconds": NaN}}]', "wait: Out of range float values"),
        ('[{"tool": "wait", "input": {"seconds": 1e999}}]', "wait: Out of range float values"),
        ("[]", "got []; an answer is a JSON list"),
        (json.dumps(CLICK), "an answer is a JSON list"),
        ('["click"]', 'call 1: got "click"; a call is {"tool": name, "input": {...}}'),
        ('[{"tool": "click"}]', 'call 1: got {"tool": "click"}; a call is'),
        ('[{"tool": "clik", "input": {}}]', "there is no tool 'clik'; use one of"),
        ('[{"tool": ["click"], "input": {}}]', "call 1: there is no tool"),
        ('[{"tool": "click", "input": "button-0"}]', 'click: input: Input should be an object'),
        (
            '[{"tool": "click", "input": {"element_id": "button-0"}}]',
            "call 1: click: reason: Field required. click takes"
            " reason, dialog, dialog_text, element_id",
        ),
        ('[{"tool": "reload", "input": {"reason": "\\ud83d"}}]', "call 1: reload: input: Invalid JSON"),
        (json.dumps([CLICK, {"tool": "press", "input": {"reason": "", "key": "Enter", "x": 1}}]), "call 2: press: "),
    ],
)  # fmt: skip
def test_invalid_answer_is_refused_as_a_whole(answer: str, expected: str) -> None:
    """The problem shows the answer and what is allowed, and no call is taken."""
    calls, [problem] = parse_answer(answer, TOOLS)
    assert not calls
    assert expected in problem


NAMED: dict[str, Any] = {"element_id": {"role": "button", "name": "Buy"}, "reason": "as asked"}
SHOWN = {"kind": "text", "element_id": {"role": "status"}, "text": "Saved"}
CONFIRMED = {"reason": "shown", "note": "it is there"}


@pytest.mark.parametrize(
    ("tool", "given", "problem"),
    [
        # A number is accepted for an argument that is a text.
        ("fill", {"element_id": "textbox-0", "text": 42, "reason": "as asked"}, None),
        # A role and a name may be given in place of an id; the loop finds the element.
        ("click", NAMED, None),
        # Evidence cites ids.
        ("confirm", {**CONFIRMED, "evidence": [SHOWN]}, "element_id: Input should be a valid"),
        ("confirm", {**CONFIRMED, "evidence": [{"kind": "gizmo"}]}, ""),
        ("confirm", {**CONFIRMED, "evidence": ["text"]}, ""),
    ],
)
def test_arguments_are_read_as_the_tools_read_them(
    tool: str, given: dict[str, Any], problem: str | None
) -> None:
    """What a tool would accept is accepted as it was given, and nothing else."""
    calls, problems = parse_answer(json.dumps([{"tool": tool, "input": given}]), TOOLS)
    if problem is None:
        assert not problems and calls[0].parameters == given
    else:
        assert problems and problem in problems[0]


def test_missing_answer_is_a_model_error(folder: Path, turn: Turns) -> None:
    """The error has the time waited and the command to type, and the turn is withdrawn."""
    with pytest.raises(ModelError, match=r"in 0\.01 minutes.*type `pytest-webtask turn`"):
        HandoffModel(folder, wait_at_most=0.6).decide(turn())
    with pytest.raises(HandoffError, match="the run goes on"):
        Desks(folder).next(0.2)


def test_removed_folder_fails_its_turn(hand: Hand) -> None:
    """The waiting turn fails; the next one gets a new folder."""
    handed, asked = hand()
    remove(handed.folder, handed.folder.parent)
    with pytest.raises(ModelError, match="was removed while it waited"):
        asked.result(WAIT)
    assert answer(*hand()).calls


def test_option_makes_the_handoff_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`handoff` makes the model, with its folder below the current one, which must be writable."""
    monkeypatch.chdir(tmp_path)
    model = load_model("handoff")
    assert isinstance(model, Model) and isinstance(model, HandoffModel)
    assert model.folder == tmp_path / ".webtask" / "handoff"
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=r"cannot write turns.* to .*file"):
        HandoffModel(tmp_path / "file")


def test_old_turns_and_dead_runs_are_removed(folder: Path, hand: Hand) -> None:
    """The last two turns of a run are kept; a dead run is removed when the next one begins."""
    for _ in range(4):
        answer(*hand())
    [run] = Desks(folder).open
    assert sorted(path.name for path in run.folder.glob("[0-9]*")) == ["3", "4"]

    dead, young = OwnDesk(folder / "dead"), OwnDesk(folder / "young")
    dead.close()
    young.close()
    for old in (run.folder, dead.folder):
        os.utime(old, (1, 1))
    another = OwnDesk(folder / "another")
    kept = {run.folder, young.folder, another.folder}
    assert {path for path in folder.iterdir() if path.is_dir()} == kept
    another.close()


def test_turns_come_in_the_order_of_time(folder: Path) -> None:
    """Turns of all live processes are ordered by time; those of a dead process are skipped."""
    runs = [OwnDesk(folder / name) for name in "bac"]
    about = {"role": "worker", "number": 1, "max_steps": 20}
    turns = [run.hand_over({}, about) for run in runs]
    runs[0].close()
    desk = Desks(folder)
    assert desk.next(WAIT) == turns[1]
    with pytest.raises(HandoffError, match="is over"):
        turns[0].answer(json.dumps([CLICK]))
    turns[1].end()
    assert desk.next(WAIT) == turns[2] == desk.find(turns[2].id)
    for run in runs[1:]:
        run.close()
    with pytest.raises(HandoffError, match="no run of pytest waits for answers in"):
        desk.next(0.2)


@pytest.mark.parametrize("turn_id", ["", "1", "../x-1", "abc-1/..", "abc-99"])
def test_invalid_turn_id_is_refused(folder: Path, turn_id: str) -> None:
    """No id can name a file outside of the folder."""
    with pytest.raises(HandoffError, match="there is no turn"):
        Desks(folder).find(turn_id)


def test_later_turns_show_only_new_prompts_and_tools(hand: Hand) -> None:
    """Prompts and tools are shown once; a new tool or role is shown when it comes."""

    def text(whole: bool = False, **more: Any) -> str:
        handed, asked = hand(**more)
        text = format_turn(handed, shown, whole)
        answer(handed, asked)
        # A page cannot know where it is said to end.
        assert f"----- end of page {handed.id} -----" in text
        return text

    shown: set[str] = set()
    first = text()
    assert "You carry out one task" in first and "\nclick(reason, " in first
    second = text(tools=worker.worker_tools(int).specs)
    assert "(system prompt: the worker's, as shown before)" in second
    assert "\nset_output(reason, " in second and "\nclick(" not in second
    assert "(tools as shown before: navigate, " in second
    assert "You carry out one task" in text(whole=True)


def test_next_turn_names_end_of_step_before_unless_blind(run: OwnDesk) -> None:
    """How a step ended stands in the turn after its last one; further ends, and those without a turn, are ignored."""
    run.end_step("goto('/') completed")
    turn = run.hand_over(FILES, WORKER)
    assert "before: " not in format_turn(turn, set())
    run.end_step(UNDECIDED)
    run.end_step("goto('/') completed")
    assert "before: " not in format_turn(run.hand_over(FILES, REFEREE), set())
    run.end_step(UNDECIDED)
    assert f"\nbefore: {UNDECIDED}\n" in format_turn(run.hand_over(FILES, WORKER), set())
    assert "before: " not in format_turn(run.hand_over(FILES, WORKER), set())


def test_handoff_copies_all_pictures_and_marks_referee_blind(
    hand: Hand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A referee's turn has the pictures of its facts in order and no screenshot of the page."""
    pictures = [tmp_path / f"crop-{number}.jpg" for number in range(11)]
    for number, picture in enumerate(pictures):
        picture.write_bytes(b"picture %d" % number)
    prompt = Prompt("", "", "", None, pictures=pictures)
    monkeypatch.setattr("pytest_webtask.llm.handoff.render", lambda turn: prompt)
    handed, asked = hand(role="referee")
    assert handed.is_blind and handed.about["blind"] is True
    assert [path.read_bytes() for path in handed.pictures] == [p.read_bytes() for p in pictures]
    answer(handed, asked)
    handed, asked = hand()
    assert handed.about["blind"] is False
    answer(handed, asked)


def test_handoff_step_ended_before_any_turn_or_without_folder_is_ignored(
    folder: Path, hand: Hand
) -> None:
    """The end of a step without a turn, or with a removed folder, is no error."""
    model = HandoffModel(folder)
    model.step_ended("goto('/')", "completed", "")
    handed, asked = hand()
    answer(handed, asked)
    model.step_ended("do('it')", "aborted", "no\nbutton")
    assert (handed.folder / "step_end").read_text() == "do('it') aborted: no button"
    remove(handed.folder)
    model.step_ended("do('it')", "aborted", "no button")


def test_model_with_step_ended_learns_status_and_reason_without_secrets(
    webtask: Webtask, model: Listening, html: Html
) -> None:
    """Each end of a step is reported after it is journaled, masked like the journal."""
    html("<button>Buy</button>")
    refused = call("abort", reason="the page says hunter-two")
    model.answers = [on("click", "button", "Buy"), done("bought"), refused]
    webtask.do("buy")
    with pytest.raises(TaskFailed):
        webtask.do("enter hunter-two", data={"word": Secret("hunter-two")})
    with pytest.raises(PageError):
        webtask.goto("http://127.0.0.1:9/")
    [bought, aborted, (step, status, reason)] = model.ends
    assert bought == ("do('buy')", "completed", "")
    assert aborted == ("do('enter {word}')", "aborted", "the page says {word}")
    assert (step, status) == ("goto('http://127.0.0.1:9/')", "error")
    assert reason.startswith("PageError: ")
