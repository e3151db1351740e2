"""The journal of a run: append-only lines of JSON, flushed one by one, pictures as files beside it.

Each line has `time` (seconds since the epoch), `kind` and, but for those of the run itself, `test`.
Each process of a run writes a file of its own; `read` puts them together again.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import IO, Any

VERSION = 1
RUNS = Path(".webtask", "runs")


def new_run() -> str:
    """A name for a run: it sorts by time, and no other process takes it."""
    return f"{datetime.now():%Y%m%d-%H%M%S}-{os.getpid()}"


@dataclass
class Tally:
    """What came up in a test; `cost` is None where a price is not known, `pictures` are of failures."""

    steps: int = 0
    model_calls: int = 0
    tokens: int = 0
    healed: int = 0
    cost: float | None = 0.0
    pictures: list[Path] = field(default_factory=list)


class Journal:
    """Writes one process's journal into a run's `folder`, which is made with the first line.

    `resumes` is the run that this one goes on with.
    """

    def __init__(self, folder: Path, writer: str = "main", resumes: str = "") -> None:
        self.folder = folder
        self._resumes = {"resumes": resumes} if resumes else {}
        self.attempt = 1
        """Which time the test at work is run: a rerun after a failure is told apart."""
        self.tally = Tally()
        """Of the test at work."""
        self._path = folder / f"{writer}.jsonl"
        self._file: IO[str] | None = None

    def begin(self, attempt: int) -> None:
        """Go on to the next test, or to the same once more."""
        self.attempt = attempt
        self.tally = Tally()

    def write(self, kind: str, **fields: Any) -> None:
        """Append a line; it is on disk when this returns, whatever happens to the process then."""
        if self._file is None:
            self._make_folder()
            # A page may show half a surrogate pair; escaped with a backslash it is JSON again.
            self._file = self._path.open("a", encoding="utf-8", errors="backslashreplace")
            self.write("run", version=VERSION, pid=os.getpid(), **self._resumes)
        assert "time" not in fields, "that is when the line was written"
        self._count(kind, fields)
        again = {"attempt": self.attempt} if self.attempt > 1 and "test" in fields else {}
        line = {"time": round(time.time(), 3), "kind": kind, **fields, **again}
        self._file.write(json.dumps(line, ensure_ascii=False, default=str) + "\n")
        self._file.flush()

    def save_picture(self, picture: bytes) -> Path:
        """Keep a JPEG under the name of its content, so that equal ones are stored once."""
        self._make_folder()
        path = self.folder / "screenshots" / f"{hashlib.sha256(picture).hexdigest()[:20]}.jpg"
        path.parent.mkdir(exist_ok=True)
        if not path.exists():
            partial = path.with_suffix(f".{os.getpid()}")
            partial.write_bytes(picture)
            partial.replace(path)
        return path

    def close(self) -> None:
        """Close the file; another line would open it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _count(self, kind: str, fields: Mapping[str, Any]) -> None:
        if kind == "step":
            self.tally.steps += 1
        elif kind == "proposal" and fields.get("used", True):
            self.tally.healed += 1
        elif kind == "last_look" and (picture := fields["observed"].get("screenshot")):
            self.tally.pictures.append(self.folder / picture)
        elif kind in ("iteration", "ruling"):
            # A secret may be the word "usage", and is masked where it stands.
            usage = fields.get("usage") or {}
            cost = usage.get("cost", 0.0)
            self.tally.model_calls += usage.get("model_calls", 0)
            self.tally.tokens += sum(n for k, n in usage.items() if k.endswith("_tokens"))
            known = self.tally.cost is not None and cost is not None
            self.tally.cost = (self.tally.cost or 0.0) + cost if known else None

    def _make_folder(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        ignore = self.folder.parent.parent / ".gitignore"
        if not ignore.exists():
            ignore.write_text("# Made by pytest-webtask.\n*\n")


def read(folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of a run in the order of their time, each with its `writer`, the process's name.

    A line that cannot be read, such as the last one of a process that was killed, is given as
    `{"kind": "damaged", "file": ..., "line": ...}` in its place.
    """
    lines: list[dict[str, Any]] = []
    for path in sorted(folder.glob("*.jsonl")):
        last = 0.0
        with path.open(encoding="utf-8", errors="replace") as file:
            for number, text in enumerate(file, 1):
                try:
                    line = json.loads(text)
                    last = float(line["time"])
                    str(line["kind"])
                except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
                    line = {"time": last, "kind": "damaged", "file": path.name, "line": number}
                lines.append({**line, "writer": path.stem})
    return iter(sorted(lines, key=lambda line: float(line["time"])))


def prune_runs(run: Path, number: int) -> None:
    """Leave this run and the last ones beside it, whose names sort by time; remove all others."""
    others = sorted(each for each in run.parent.iterdir() if each.is_dir() and each != run)
    for folder in others[: max(len(others) - number + 1, 0)]:
        # Another process may be reading in it, or removing it as well.
        shutil.rmtree(folder, ignore_errors=True)


def run_summary(folder: Path) -> list[str]:
    """What is told of a run: its steps by how they ended, what they cost, what was healed.

    Empty where it has no steps.
    """
    statuses: Counter[str] = Counter()
    decided: dict[tuple[str, ...], str] = {}
    again = saved = 0
    begun = iterations = calls = tokens_in = tokens_out = 0
    cost: float | None = 0.0
    more: list[str] = []
    proposed = False
    sentences: dict[tuple[str, ...], str] = {}
    for line in read(folder):
        step = tuple(str(line.get(part)) for part in ("test", "webtask", "step", "attempt"))
        if line["kind"] == "step":
            begun += 1
            sentences[step] = f"{line.get('step_kind')}({line.get('sentence')!r})"
        elif line["kind"] == "step_end":
            statuses[str(line.get("status"))] += 1
        elif line["kind"] == "proposal":
            how = "healed" if line.get("used", True) else "drifted"
            decided[step] = how
            proposed = True
            more.append(f"{how}: {sentences.get(step, '')} in {line.get('file')}")
            for heal in line.get("healed") or ():
                what = f"   ({heal['what']})" if heal.get("what") else ""
                more += [f"  - {heal.get('old')}", f"  + {heal.get('new')}{what}"]
        elif line["kind"] in ("lost", "starts_over"):
            first, *rest = str(line.get("why")).splitlines() or [""]
            more += [f"starts over: {line.get('test')}: {first}", *rest]
        elif line["kind"] == "resumed":
            again += 1
            saved += line.get("model_calls", 0)
        elif line["kind"] == "hint":
            more.append(f"new: {sentences.get(step, '')}: {line.get('why')}")
        elif line["kind"] == "unrecorded":
            more.append(f"not recorded: {sentences.get(step, '')}: {line.get('why')}")
        elif line["kind"] in ("iteration", "ruling"):
            usage = line.get("usage")
            usage = usage if isinstance(usage, dict) else {}
            if line["kind"] == "iteration" and (model := str(line.get("model") or "")):
                who = _DECIDERS.get(model.lower(), "by a model")
                decided[step] = max(decided.get(step, ""), who, key=_WEIGHTS.index)
            iterations += 1
            calls += usage.get("model_calls", 0)
            tokens_in += sum(
                usage.get(f"{k}_tokens", 0) for k in ("input", "cache_read", "cache_write")
            )
            tokens_out += usage.get("output_tokens", 0)
            price = usage.get("cost", 0.0)
            cost = None if cost is None or price is None else cost + price
    if begun > statuses.total():
        statuses["broken off"] = begun - statuses.total()
    if not statuses:
        return []
    if again:
        more.append(
            f"done again as before the run broke off: {_some(again, 'step')},"
            f" {_some(saved, 'model call')} saved"
        )
    if proposed:
        more.append("these are proposals: pytest-webtask accept")
    counted = ", ".join(f"{n} {status}" for status, n in sorted(statuses.items()))
    counts = Counter(decided.values())
    replayed = "".join(f", {counts[how]} {how}" for how in _WEIGHTS if counts[how])
    money = "cost not known" if cost is None else f"${cost:.2f}"
    tokens = f", {tokens_in:,} tokens in, {tokens_out:,} out, {money}" if calls else ""
    return [
        f"{_some(statuses.total(), 'step')} ({counted}){replayed}, {_some(iterations, 'iteration')},"
        f" {_some(calls, 'model call')}{tokens}",
        *more,
    ]


_DECIDERS = {"recording": "replayed", "literal": "literal"}
"""By what is called model in an iteration."""
_WEIGHTS = ("", "literal", "replayed", "by a model", "healed", "drifted")
"""Who decided a step, of several the last."""


def _some(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
