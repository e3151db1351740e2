"""Recorded steps and lines of journals, made by hand."""

from __future__ import annotations

from typing import Any

Line = dict[str, Any]
TEST = "tests/test_shop.py::test_it[chromium]"


def target(locator: str, **signature: str) -> Line:
    """How an element was recorded."""
    return {"locator": locator, "signature": signature or None}


def call(tool: str, on: str | Line | None = None, loads: bool = False, **parameters: Any) -> Line:
    """A recorded call, of one element at most."""
    where = target(on) if isinstance(on, str) else on
    targets = {"element_id": where} if where else {}
    return {"tool": tool, "parameters": parameters, "targets": targets, "loads": loads}


def check(kind: str, on: str | Line | None = None, **expects: Any) -> Line:
    """A recorded check, of one element at most; `tab` and `fails` are its own."""
    own = {name: expects.pop(name) for name in ("tab", "fails") if name in expects}
    return {
        "kind": kind,
        "expects": expects,
        "target": target(on) if isinstance(on, str) else on,
        **own,
    }


def step(*calls: Line, kind: str = "do", sentence: str = "act", **more: Any) -> Line:
    """What was done in a step."""
    by = {"model": "scripted", "on": "2026-11-22"}
    return {"kind": kind, "sentence": sentence, "decided": by, "calls": calls, **more}


def line(made: Line, number: int = 1, **more: Any) -> Line:
    """A step in a journal."""
    return {"kind": "made", "test": TEST, "step": number, "made": made, **more}


def opened(url: str, number: int = 1, **more: Any) -> list[Line]:
    """A `goto` in a journal."""
    return [
        {"kind": "step", "step": number, "step_kind": "goto", "sentence": url, **more},
        {"kind": "step_end", "step": number, "status": "completed", **more},
    ]
