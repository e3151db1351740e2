"""What the inner runs of our tests share: a conftest with the scripted model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

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


def lines(root: Path) -> list[dict[str, Any]]:
    """All lines of the one run below `root`, whichever process wrote them."""
    [run] = (root / ".webtask" / "runs").iterdir()
    texts = [line for path in sorted(run.glob("*.jsonl")) for line in path.read_text().splitlines()]
    return [json.loads(text) for text in texts]


def said(result: pytest.RunResult) -> str:
    """All that a run printed."""
    return f"{result.stdout}\n{result.stderr}"
