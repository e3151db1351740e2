"""`pytest-webtask try` in a terminal: what is typed, what is shown, and what is left behind."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pexpect
import pytest

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


def test_ctrl_c_ends_a_sentence_and_not_the_prompt(terminal: Callable[..., Terminal]) -> None:
    """Ctrl-C ends a step, not the browser."""
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
    prompt.types('? "Espresso Cup" is visible')
    prompt.shows("holds")
    prompt.types("quit")
    assert "report: .webtask/report/index.html" in prompt.ends()
