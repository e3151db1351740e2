"""What the inner runs of our tests share: a conftest with the scripted model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_webtask.journal import JournalEvent, read_file

CONFTEST = """
import pytest
from pytest_webtask import Decision
from tests.scripted import Scripted, call, done

@pytest.fixture
def model():
    return Scripted()

@pytest.fixture
def webtask_model(model):
    return model
"""


def events(root: Path) -> list[JournalEvent]:
    """All events of the one run below `root`, whichever process wrote them."""
    [run] = (root / ".webtask" / "runs").iterdir()
    return [event for path in sorted(run.glob("*.jsonl")) for _, event in read_file(path)]


def written(run: Path, test: str) -> str:
    """The lines of a test in the journals of a run, as the files have them."""
    lines = [line for path in run.glob("*.jsonl") for line in path.read_text().split("\n") if line]
    own = [line for line in lines if json.loads(line).get("test") == test]
    assert own
    return "\n".join(own)


def printed(result: pytest.RunResult) -> str:
    """All that a run printed."""
    return f"{result.stdout}\n{result.stderr}"
