"""`python -m benchmarks.tasks.report FILE...`: what came of played tasks, as Markdown."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

_HEAD = ("task", "result", "status", "iterations", "calls", "in", "out", "seconds", "feedback")


def table(results: Sequence[dict[str, Any]]) -> str:
    """A row for each result, and their totals. Infrastructure that failed is counted apart."""
    played = [r for r in results if "success" in r]
    lines = [_row(_HEAD), _row(["---"] * len(_HEAD)), *(_row(_cells(r)) for r in results), ""]
    for kind in sorted({r["task"].partition("/")[0] for r in played}):
        lines.append(_totals(kind, [r for r in played if r["task"].startswith(f"{kind}/")]))
    if played:
        lines.append(_totals("all", played))
    if len(played) < len(results):
        lines.append(f"- not played: {len(results) - len(played)}, which had an error")
    return "\n".join(lines)


def _cells(result: dict[str, Any]) -> list[object]:
    if "success" not in result:
        outcome = "error"
    elif result["success"]:
        # Done by what the judge sees, even where the model gave up.
        outcome = "done" if result["status"] == "completed" else "done, not claimed"
    else:
        outcome = "FALSE DONE" if result["false_done"] else "failed"
    numbers = ("iterations", "model_calls", "input_tokens", "output_tokens", "seconds")
    feedback = " ".join(result["feedback"].split()).replace("|", "\\|")
    return [
        result["task"],
        outcome,
        result["status"],
        *(result.get(n, "") for n in numbers),
        feedback,
    ]


def _totals(name: str, results: Sequence[dict[str, Any]]) -> str:
    done = sum(r["success"] for r in results)
    return (
        f"- {name}: {done} of {len(results)} done ({done / len(results):.0%}),"
        f" {sum(r['false_done'] for r in results)} false done;"
        f" iterations {fmean(r['iterations'] for r in results):.1f} a task;"
        f" tokens {sum(r['input_tokens'] for r in results):,} in,"
        f" {sum(r['output_tokens'] for r in results):,} out"
    )


def _row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def read(files: Sequence[str]) -> list[dict[str, Any]]:
    """All results of the files, in order."""
    lines = (line for file in files for line in Path(file).read_text("utf-8").splitlines())
    return [json.loads(line) for line in lines if line.strip()]


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit("usage: python -m benchmarks.tasks.report FILE...")
    print(table(read(sys.argv[1:])))
