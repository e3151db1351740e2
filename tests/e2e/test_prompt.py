"""The prompt of `pytest-webtask try`, with lines from a pipe; test_try.py has a terminal."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask.cli.explore import SessionPrompt
from pytest_webtask.live.opening import Opening
from tests import nested
from tests.recordings.made import ADD, SHOWS, recorded
from tests.site import NOTES, Site

pytestmark = pytest.mark.slow

CONFTEST = """
import os
import pytest
from pytest_webtask import Secret
from pytest_webtask.testing import ScriptedModel, call, done, find, shows

# For the replays, which run in processes of their own.
os.environ["PYTEST_PLUGINS"] = "scripts.system_browser"

@pytest.fixture(scope="session")
def webtask_data():
    return {"code": Secret("plum-cake-9")}

@pytest.fixture
def webtask_model():
    def write(text):
        return [
            [call("fill", find("textbox", "Note"), text=text), call("click", find("button", "Save"))],
            done("written", shows("status", f"Saved {text}")),
        ]
    return ScriptedModel(*write("apples"), *write("apples"), *write("apples"))
"""
_ARGS = ("--continue-on-collection-errors",)
Typed = Callable[..., list[str]]


class _Lines(io.StringIO):
    """The standard input: a line `!interrupt` presses Ctrl-C."""

    def readline(self, *_: Any) -> str:  # type: ignore[override]
        line = super().readline()
        if line == "!interrupt\n":
            raise KeyboardInterrupt
        return line


@pytest.fixture
def typed(pytester: pytest.Pytester, site: Site, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Types lines at the prompt of a project, and returns all lines that it printed."""
    site.pages["/"] = NOTES
    pytester.makeconftest(CONFTEST)
    pytester.makeini(f"[pytest]\nbase_url = {site.url}\n")

    def run(*lines: str, url: str = "/") -> list[str]:
        terminal = io.StringIO()
        opening = Opening(lambda session: SessionPrompt(session, terminal).run(url))
        monkeypatch.setattr(nested, "SHARED", [*nested.SHARED, opening])
        monkeypatch.setattr(sys, "stdin", _Lines("".join(f"{line}\n" for line in lines)))
        result = pytester.runpytest("-s", "--webtask-mode=auto", *_ARGS)
        assert opening.began, nested.printed(result)
        return terminal.getvalue().splitlines()

    return run


def _has(lines: list[str], *parts: str) -> None:
    """The texts are in the lines, in this order."""
    rest = iter(lines)
    for part in parts:
        assert any(part in line for line in rest), part + "\n" + "\n".join(lines)


def test_bad_input_loses_nothing(typed: Typed) -> None:
    """Each mistake is a line that says what happened; the sentences before it are written."""
    Path("test_old.py").write_text("import os\n\ndef test_there(): pass\n")
    Path("test_torn.py").write_text("def test_(:\n")
    recorded("recordings/test_old/test_recorded.json", ADD, SHOWS)
    lines = typed(
        "",
        "drop",
        "drop",
        "save test_new.py::test_none",
        "?",
        "=",
        "goto",
        "?the moon is full",
        "fill {nothing}",
        '? "Moon" is visible',
        "goto http://127.0.0.1:9/",
        "goto /",
        "save",
        "save test_new.py",
        "save new.py::test_it",
        "save ../test_new.py::test_it",
        "save test_torn.py::test_it",
        "save test_old.py::test_there",
        "save test_old.py::test_recorded",
        "save test_old.py::test_it",
        "!interrupt",
        "write apples",
        "write apples",
        "save test_old.py::test_it",
        "quit",
        "drop",
    )
    _has(
        lines,
        "dropped goto('/')",
        "nothing to drop",
        "not saved: no sentence is kept yet",
        "verify takes a claim",
        "extract takes what to read",
        "goto takes an address, or a path below the base URL",
        "no elements of the page are status 'Saved apples'",
        "not kept; the next sentence starts from the page as it is now",
        "unknown placeholder 'nothing'; known: code",
        'does not show "Moon"',
        "not kept",
        "http://127.0.0.1:9/ could not be opened",
        "not kept",
        "session save takes a new test, such as tests/test_x.py::test_y",
        "not saved: name a new test, such as: save tests/test_x.py::test_y",
        "not saved: pytest collects test_*.py and *_test.py only, not new.py",
        "is not in the project, which is",
        "not saved: test_torn.py cannot be read: invalid syntax",
        "not saved: test_old.py has test_there already: choose another name",
        "not saved: there is a recording of test_recorded already",
        "saved test_old.py::test_it",
        "green:",
        'to leave, type "quit"',
        'worker 1/20 fill get_by_role("textbox", name="Note"',
        "done (3 model calls, 0 tokens, $0.00,",
        "saved test_old.py::test_it",
        "green:",
    )
    assert lines[-2].startswith("green:") and lines[-1] == "> "
    assert Path("test_old.py").read_text() == (
        "import os\n\ndef test_there(): pass\n\n\n"
        'def test_it(webtask):\n    webtask.goto("/")\n'
        '    webtask.do("write apples")\n    webtask.do("write apples")\n'
    )
    recording = json.loads(Path("recordings/test_old/test_it.json").read_text())
    steps = [(step["sentence"], step.get("occurrence", 1)) for step in recording["steps"]]
    assert steps == [("write apples", 1), ("write apples", 2)]
    assert not Path("test_new.py").exists()


def test_test_that_is_not_green_is_named(typed: Typed, site: Site) -> None:
    """A test that depends on what was dropped is written, and its replay's failure is shown."""
    lines = typed(
        'fill "Note" with "pears" and click "Save"',
        '? "Saved pears" is visible',
        "drop",
        "drop",
        '? "Saved pears" is visible',
        "save test_pears.py::test_pears",
    )
    _has(
        lines,
        "saved, but its replay without a model failed:",
        "webtask.verify('\"Saved pears\" is visible')",
        'does not show "Saved pears"',
        "to watch the replay, type: pytest test_pears.py::test_pears --headed",
    )
    assert "green:" not in "\n".join(lines)
