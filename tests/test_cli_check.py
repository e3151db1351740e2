"""`pytest-webtask check`: what decides each sentence of the tests."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.recordings.made import ADD, recorded

CONFTEST = """
import pytest

@pytest.fixture
def logged_in(webtask):
    webtask.do("log in as Ann")
    return webtask
"""
TESTS = """
import pytest

class TestCart:
    @pytest.mark.parametrize("item", ["mug", "pot"])
    def test_add(self, webtask, logged_in, item):
        webtask.do("add a mug")
        with webtask.within("Cart"):
            webtask.verify('"Mug" is shown')
            webtask.verify(f'"{item}" is shown')

def test_plain():
    pass
"""


def check(*arguments: str) -> tuple[int, list[str]]:
    """Run the command, and return its exit code and the lines that it has printed."""
    command = [sys.executable, "-m", "pytest_webtask.cli", "check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).splitlines()


def test_check_lists_what_decides_each_sentence(pytester: pytest.Pytester) -> None:
    """Each function is listed once, fixtures before tests."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(test_it=TESTS)
    pytester.makeini("[pytest]\naddopts = -n2\nfilterwarnings = error")
    recorded("recordings/test_it/TestCart.test_add.json", ADD)
    expected = [
        "conftest.py::logged_in",
        "  missing  do('log in as Ann'), line 5",
        "test_it.py::TestCart::test_add",
        "  recorded do('add a mug'), line 6",
        "  literal  verify('\"Mug\" is shown'), line 8",
        "  unknown  verify(f'\"{item}\" is shown'), line 9",
        "4 sentences: 1 literal, 1 recorded, 1 without a recording, 1 built at run time",
    ]
    assert check() == (0, expected)
    assert not Path(".webtask").exists()
    options = ("--webtask-mode=auto", "--webtask-model=claude", "-owebtask_literal=off")
    code, lines = check("--strict", "--", *options)
    assert code == 1 and "  missing  do('log in as Ann'), line 5" in lines
    assert "  missing  verify('\"Mug\" is shown'), line 8" in lines
    assert check("--", "-k", "plain") == (0, ["0 sentences"])


def test_check_names_what_cannot_be_read(pytester: pytest.Pytester) -> None:
    """A module that cannot be imported and a damaged recording are named; the exit code is 1."""
    pytester.makepyfile(test_it=TESTS, test_other="import nothing_like_it")
    pytester.makeconftest(CONFTEST)
    recorded("recordings/test_it/TestCart.test_add.json", ADD).write_text("{")
    code, lines = check()
    assert code == 1
    missing = "E   ModuleNotFoundError: No module named 'nothing_like_it'"
    assert f"not read: test_other.py: {missing}" in lines
    assert any(each.startswith("not read: test_it.py: ") for each in lines)
    code, lines = check("--", "--no-such-option")
    assert code == 1 and "pytest ended before the tests were collected" in lines[0]
