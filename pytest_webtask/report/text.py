"""The report as JSON and as Markdown."""

import json
from pathlib import Path
from typing import Any

from pydantic_core import to_jsonable_python

from pytest_webtask.journal import PLACE
from pytest_webtask.report.html import environment
from pytest_webtask.report.view import MADE_BY, Report, Test, first_wrong, joined

_FAILED = ("failed", "error", "never ended")
_ATTEMPT: Any = {
    "steps": {
        "__all__": {
            # Outlines would dominate the file; the HTML report has them.
            "iterations": {"__all__": {"observed": {"outline"}}},
            "last": {"outline"},
            "heals": {"__all__": PLACE},
            "hints": {"__all__": PLACE},
            "recoveries": {"__all__": PLACE},
        }
    },
    "phases": {"__all__": PLACE},
}
_LEFT_OUT: Any = {"tests": {"__all__": {"attempts": {"__all__": _ATTEMPT}, "second_run": _ATTEMPT}}}


BEGINS = f'{{"made_by": "{MADE_BY}"'
"""The beginning of the file, by which a folder is recognized as a report."""


def write_json(report: Report, path: Path) -> None:
    """Write `report.json`: the report without outlines."""
    payload = to_jsonable_python(report, exclude=_LEFT_OUT, inf_nan_mode="strings", fallback=str)
    # Texts of a page may have lone surrogates, which UTF-8 cannot encode but JSON can escape.
    with path.open("w", encoding="utf-8", errors="backslashreplace") as file:
        # In parts: `json.dump` takes ten times as long, and one text of all much memory.
        tests = payload.pop("tests")
        file.write(json.dumps(payload, ensure_ascii=False).removesuffix("}") + ', "tests": [')
        for number, each in enumerate(tests):
            file.write(", " * (number > 0) + json.dumps(each, ensure_ascii=False))
        file.write("]}")


def markdown(report: Report) -> str:
    """Return a summary in Markdown, for the job summary of a CI system."""
    template = environment().get_template("summary.md")
    return template.render(report=report).rstrip() + "\n"


def first_problem(test: Test) -> str:
    """Return the first problem of a test's last failed attempt in a line, or "" if it passed."""
    wrong = first_wrong(test) if test.outcome in _FAILED else None
    return joined(wrong.head, wrong.line) if wrong else ""
