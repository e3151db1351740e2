"""Recorded steps and lines of journals, made by hand."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from pytest_webtask.export import export_test
from pytest_webtask.journal import RUNS, Journal
from pytest_webtask.recordings.maintenance import Attempt
from pytest_webtask.recordings.schema import VERSION, Recording, StepTrace, digest
from pytest_webtask.recordings.store import save_recording

Line = dict[str, Any]
TEST = "tests/test_shop.py::test_it[chromium]"


def target(locator: str, **signature: str) -> Line:
    """How an element was recorded."""
    return {"locators": [locator], "signature": signature or None}


def call(tool: str, on: str | Line | None = None, loads: bool = False, **parameters: Any) -> Line:
    """A recorded call, of one element at most."""
    where = target(on) if isinstance(on, str) else on
    targets = {"element_id": where} if where else {}
    return {"tool": tool, "parameters": parameters, "targets": targets, "loads": loads}


def check(kind: str, on: str | Line | None = None, **expects: Any) -> Line:
    """A recorded check, of one element at most; `tab` and `fails` are its own."""
    own = {name: expects.pop(name) for name in ("tab", "fails") if name in expects}
    return {
        "check": {"kind": kind, **expects},
        "target": target(on) if isinstance(on, str) else on,
        **own,
    }


def step(*calls: Line, kind: str = "do", sentence: str = "act", **more: Any) -> Line:
    """What was done in a step."""
    by = {"model": "scripted", "on": "2026-11-22"}
    return {"kind": kind, "sentence": sentence, "decided": by, "calls": calls, **more}


def approved(made: Line, **more: Any) -> Line:
    """A step with an approval that fits it."""
    approval = {
        "by": "scripted",
        "on": "2026-11-22",
        "digest": digest(StepTrace.model_validate(made)),
    }
    return {**made, "approved": {**approval, **more}}


def line(made: Line, number: int = 1, **more: Any) -> Line:
    """A step in a journal."""
    return {"kind": "made", "test": TEST, "step": number, "made": made, **more}


def opened(url: str, number: int = 1, **more: Any) -> list[Line]:
    """A `goto` in a journal."""
    return [
        {"kind": "step", "step": number, "step_kind": "goto", "sentence": url, **more},
        {"kind": "step_end", "step": number, "status": "completed", **more},
    ]


def export(*lines: Line) -> str:
    """The exported test of a journal's lines."""
    return export_test(TEST, Attempt(list(lines)))


MODULE = """
class TestCart:
    def test_add(self, webtask):
        webtask.do("add a mug")
        webtask.verify(
            "cart shows "
            "2 items"
        )

def log_in(webtask, who):
    webtask.do(f"log in as {who}")
"""
BUTTON, STATUS = 'get_by_role("button", name="Add")', 'get_by_role("status")'
ITEMS = check("text", STATUS, text="2 items in your cart", exact=True)
ADD = approved(step(call("click", BUTTON), sentence="add a mug", evidence=[ITEMS]))
SHOWS = approved(
    step(
        kind="verify",
        sentence="cart shows 2 items",
        evidence=[ITEMS, check("url", pattern="/cart")],
        facts=['status shows "2 items in your cart"'],
    )
)


def recorded(path: str, *steps: Line) -> Path:
    """A file of recordings."""
    save_recording(Path(path), Recording.model_validate({"version": VERSION, "steps": steps}))
    return Path(path)


def journal(run: str, *lines: Line) -> Path:
    """A run with these lines; those of a test need not name it."""
    written = Journal(RUNS / run)
    for each in lines:
        given = {"test": "tests/test_a.py::test_x[chromium]", **each}
        written.write(given.pop("kind"), **given)
    written.close()
    return RUNS / run


def phases(*outcomes: str, **more: Any) -> list[Line]:
    """How a test ended: passed, or as is said of each of its phases."""
    whens = zip(("setup", "call", "teardown"), outcomes or ("passed",) * 3, strict=False)
    return [{"kind": "phase", "when": w, "outcome": o, **more} for w, o in whens]


def git(*arguments: str) -> None:
    """A command of git in this folder."""
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")
    subprocess.run(["git", *who, *arguments], check=True, capture_output=True)


def proposal(
    made: Line, file: str = "tests/recordings/test_cart/TestCart.test_add.json", **more: Any
) -> Line:
    """A heal in a journal."""
    healed = [{"old": BUTTON, "new": 'get_by_role("button", name="Put")'}]
    return {"kind": "proposal", "file": file, "step": 1, "made": made, "healed": healed, **more}
