"""`pytest-webtask try` in a terminal: what is typed, what is shown, and what is left behind."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pexpect
import pytest

from pytest_webtask.desk.desk import Desks
from tests import nested

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals"),
]
WAIT = 120
ENV = {"PYTHONUNBUFFERED": "1", "COLUMNS": "120"}


class Terminal:
    """A prompt in a pseudo-terminal."""

    def __init__(self, *args: str, env: Mapping[str, str]) -> None:
        command = ["-m", "pytest_webtask.cli", "try", *args]
        outer = {k: v for k, v in os.environ.items() if k not in ("CI", "PYTEST_ADDOPTS")}
        given = {**outer, **ENV, **env}
        self._child = pexpect.spawn(
            sys.executable, command, env=given, encoding="utf-8", timeout=WAIT, dimensions=(50, 160)
        )

    def shows(self, text: str) -> str:
        """Wait for a text; return what was shown before it."""
        self._child.expect_exact(text)
        return str(self._child.before)

    def is_ready(self) -> None:
        """Wait for the next prompt."""
        self._child.expect("> ")

    def types(self, line: str) -> None:
        """Type a line at the next prompt."""
        self.is_ready()
        self._child.send(f"{line}\r")

    def presses(self, keys: str) -> None:
        """Press keys at once."""
        self._child.send(keys)

    def ends(self) -> str:
        """Wait for the end with exit code 0; return what was shown last."""
        self._child.expect(pexpect.EOF)
        last = str(self._child.before)
        self._child.close()
        assert self._child.exitstatus == 0, last
        return last

    def stop(self) -> None:
        """End the process."""
        self._child.close(force=True)


@pytest.fixture
def terminal(pytester: pytest.Pytester, shop: Any) -> Iterator[Callable[..., Terminal]]:
    """Opens the prompt in a new project of the shop."""
    shop.reset()
    pytester.makeini(f"[pytest]\nbase_url = {shop.url}\n")
    opened: list[Terminal] = []

    def start(*args: str, **env: str) -> Terminal:
        opened.append(Terminal(*args, env={"TERM": "dumb", **env}))
        return opened[-1]

    yield start
    for each in opened:
        each.stop()


def test_literal_sentences_are_typed_interrupted_and_saved(
    terminal: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C ends a step, not the browser; what was typed is a test that passes in CI."""
    prompt = terminal("/products")
    prompt.shows('type a task, "? claim", "= what to extract", "goto address", or "help"')
    prompt.types('click "Espresso Cup"')
    prompt.shows("worker 1/20 click get_by_role")
    prompt.shows("done (no model was asked")
    prompt.types('wait for "Godot"')
    prompt.shows("Godot")
    time.sleep(1)
    prompt.presses("\x03")
    prompt.shows("interrupted; not kept; the next sentence starts from the page as it is now")
    prompt.types('click the "Add to cart" button next to "Quantity"')
    prompt.types("goto /cart")
    prompt.types('= the text of "Total"')
    prompt.shows("= '$11.00'")
    prompt.types("buy a mug")
    prompt.shows("cannot read 'buy a mug' without a model")
    prompt.shows("not kept")
    prompt.types("save tests/test_cup.py::test_cup")
    prompt.shows("saved tests/test_cup.py::test_cup")
    prompt.shows("green: replayed without a model")
    prompt.types("quit")
    last = prompt.ends()
    assert "report: .webtask/report/index.html" in last and "not saved" not in last
    assert Path("tests/test_cup.py").read_text() == (
        "def test_cup(webtask):\n"
        '    webtask.goto("/products")\n'
        "    webtask.do('click \"Espresso Cup\"')\n"
        '    webtask.do(\'click the "Add to cart" button next to "Quantity"\')\n'
        '    webtask.goto("/cart")\n'
        '    assert webtask.extract(\'the text of "Total"\') == "$11.00"\n'
    )
    monkeypatch.setenv("CI", "true")
    nested.run(Path.cwd(), own_process=True).assert_outcomes(passed=1)


def _open_cup(desk: Desks) -> None:
    """Answer the turns of a worker and its referee."""

    def answer(tool: str, page: str = "", **parameters: Any) -> None:
        turn = desk.next(WAIT)
        if page:
            found = re.search(page, turn.read("page.md"))
            assert found, turn.read("page.md")
            shown = {"kind": "text", "element_id": found[1], "text": "Espresso Cup"}
            given = {"evidence": [shown]} if tool == "mark_done" else {"element_id": found[1]}
            parameters |= {"reason": "as asked", **given}
        turn.answer(json.dumps([{"tool": tool, "input": parameters}]))

    answer("click", r'\[(link-\d+) "Espresso Cup"\]')
    answer("mark_done", r"<(heading-\d+)> Espresso Cup", summary="it is open")
    answer("rule", counterexample="none", proves=True, missing="")


def test_sentences_of_a_handed_over_model_are_recorded(
    terminal: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Turns are handed over while the prompt waits; what was approved is replayed in CI."""
    prompt = terminal("/products", "--webtask-model=handoff")
    prompt.types("open the page of the espresso cup")
    prompt.shows("waits for an answer; type: pytest-webtask turn")
    desk = Desks(Path(".webtask/handoff"))
    _open_cup(desk)
    prompt.shows("done (3 model calls")
    prompt.shows("picture: .webtask/runs/")
    prompt.types("drop")
    prompt.shows("dropped do('open the page of the espresso cup')")
    prompt.types("goto /products")
    prompt.shows("done")
    prompt.types("open the page of the espresso cup")
    prompt.shows("waits for an answer; type: pytest-webtask turn")
    _open_cup(desk)
    prompt.shows("done (3 model calls")
    prompt.types("save test_cup.py::test_cup")
    prompt.shows("green: replayed without a model")
    prompt.types("quit")
    prompt.ends()
    recording = json.loads(Path("recordings/test_cup/test_cup.json").read_text())
    [step] = recording["steps"]
    # The second one is the first of the test, since the first was dropped.
    assert step["sentence"] == "open the page of the espresso cup"
    assert step.get("occurrence", 1) == 1
    monkeypatch.setenv("CI", "true")
    nested.run(Path.cwd(), own_process=True).assert_outcomes(passed=1)
