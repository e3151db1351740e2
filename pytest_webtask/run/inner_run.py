"""Runs of pytest inside a command, with one function in the place of all tests."""

from __future__ import annotations

import io
import tempfile
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.util import find_spec

import pytest

ONE_PROCESS = ["-n0"] if find_spec("xdist") else []
"""The arguments of pytest that keep it in its process, where xdist is installed."""


def run_pytest(plugin: object, *arguments: str) -> str:
    """Run pytest with a plugin that replaces the tests; return what it has printed."""
    output = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(output), redirect_stderr(output):
        # pytest-playwright empties its folder; this module is imported before pytest can rewrite
        # its assertions.
        own = [f"--output={folder}", *ONE_PROCESS, "-Wignore::pytest.PytestAssertRewriteWarning"]
        alone = ["--continue-on-collection-errors", "--webtask-pause=never"]
        pytest.main([*own, *alone, *arguments], plugins=[plugin])
    return output.getvalue()


def tests_of(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """Return the tests that use a webtask."""
    return [item for item in items if "webtask" in getattr(item, "fixturenames", ())]


def replace_tests(
    session: pytest.Session, items: list[pytest.Item], run: Callable[..., None]
) -> None:
    """Replace the tests by a function in the module of the first that uses a webtask, for its fixtures."""
    # Any collector can be the parent of a function.
    parents = (test.getparent(pytest.Module) for test in tests_of(items))
    parent = next(filter(None, parents), session)
    items[:] = [pytest.Function.from_parent(parent, name=run.__name__, callobj=run)]
    session.testscollected = 1
