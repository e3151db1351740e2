"""Recorded steps and lines of journals, made by hand."""

import subprocess
from pathlib import Path
from typing import Any

from pytest_webtask.export import export_test
from pytest_webtask.journal import (
    PHASES,
    RUNS,
    Journal,
    JournalEvent,
    PhaseEnded,
    StepEnded,
    StepStarted,
    StepTraced,
)
from pytest_webtask.journal.runs import TestAttempt
from pytest_webtask.journal.schema import VERSION, RecordedStep, Recording, StepTrace, digest
from pytest_webtask.recordings.pending import PENDING, PendingSteps
from pytest_webtask.recordings.store import save_recording

Line = dict[str, Any]
TEST = "tests/test_shop.py::test_it[chromium]"


def target(locator: str, pinned: Line | None = None, /, **remembered: Any) -> Line:
    """How an element was recorded."""
    known = None if pinned is None and not remembered else remembered
    return {"locators": [locator], "pinned": pinned or {}, "remembered": known}


def call(tool: str, on: str | Line | None = None, loads: bool = False, **parameters: Any) -> Line:
    """A recorded call, of one element at most."""
    where = target(on) if isinstance(on, str) else on
    targets = {"element_id": where} if where else {}
    return {"tool": tool, "parameters": parameters, "targets": targets, "loads": loads}


def check(kind: str, on: str | Line | None = None, **expects: Any) -> Line:
    """A recorded check, of one element at most; `tab` and `fails` are its own."""
    own: Line = {name: expects.pop(name) for name in ("tab", "fails") if name in expects}
    return {
        "check": {"kind": kind, **expects},
        "target": target(on) if isinstance(on, str) else on,
        **own,
    }


def step(*calls: Line, kind: str = "do", sentence: str = "act", **more: Any) -> Line:
    """What was done in a step."""
    by = {"model": "scripted", "on": "2026-11-22"}
    return {"kind": kind, "sentence": sentence, "decided": by, "calls": calls, **more}


def approved(fields: Line, **more: Any) -> Line:
    """A step with an approval that fits it."""
    approval = {
        "by": "scripted",
        "on": "2026-11-22",
        "digest": digest(StepTrace.model_validate(fields)),
    }
    return {**fields, "approved": {**approval, **more}}


def line(fields: Line, number: int = 1, **more: Any) -> StepTraced:
    """A traced step in a journal."""
    trace = StepTrace.model_validate(fields)
    return StepTraced(test=TEST, step=number, trace=trace, **more)


def opened(url: str, number: int = 1, **more: Any) -> list[JournalEvent]:
    """A `goto` in a journal."""
    return [
        StepStarted(step=number, step_kind="goto", sentence=url, **more),
        StepEnded(step=number, status="completed", **more),
    ]


def export(*events: JournalEvent) -> str:
    """The exported test of a journal's events, in their order; a trace of a step begins it, too."""
    all_events: list[JournalEvent] = []
    for event in events:
        if isinstance(event, StepTraced) and event.trace:
            trace = event.trace
            begun = StepStarted(step_kind=trace.kind, sentence=trace.sentence)
            where = {"step": event.step, "webtask": event.webtask}
            all_events.append(begun.model_copy(update=where))
        all_events.append(event)
    timed = (each.model_copy(update={"time": float(n)}) for n, each in enumerate(all_events))
    return export_test(TEST, TestAttempt.of(timed))


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


def journal(run: str, *events: JournalEvent) -> Path:
    """A run with these events; those of a test need not name it."""
    written = Journal(RUNS / run)
    for event in events:
        written.attempt = event.attempt
        test = event.test or "tests/test_a.py::test_x[chromium]"
        written.write(event.model_copy(update={"test": test}))
    written.close()
    return RUNS / run


def phases(*outcomes: str, **more: Any) -> list[PhaseEnded]:
    """The phases of a test, which passed if no outcomes are given."""
    names = zip(PHASES, outcomes or ("passed",) * 3, strict=False)
    return [PhaseEnded(phase=name, outcome=outcome, **more) for name, outcome in names]


def git(*arguments: str) -> None:
    """A command of git in this folder."""
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.com")
    subprocess.run(["git", *who, *arguments], check=True, capture_output=True)


def proposed(
    run: str,
    fields: Line,
    was: Line,
    test: str = "tests/test_a.py::test_x[chromium]",
    file: str = "tests/recordings/test_cart/TestCart.test_add.json",
    **more: Any,
) -> Path:
    """A run that proposes a step in place of a recorded one."""
    folder = journal(run, *phases())
    steps = PendingSteps(PENDING, run, test)
    step, previous = map(RecordedStep.model_validate, (fields, was))
    steps.keep(file, step, previous=previous, changes=("- a",), **more)
    return folder
