"""Where the lines of each test stand in the journals, so that they are read one test at a time."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Index", "Line", "index", "number"]

Line = Mapping[str, Any]


@dataclass
class Index:
    """Where the lines of each test stand in the journals of some runs."""

    runs: list[str] = field(default_factory=list)
    damaged: int = 0
    started: float = 0.0
    ended: float = 0.0
    _places: dict[str, dict[tuple[Path, int], list[int]]] = field(default_factory=dict)

    @property
    def tests(self) -> list[str]:
        """The ids of the tests, in the order in which they began."""
        return list(self._places)

    def lines(self, test: str) -> Iterator[tuple[Path, int, list[Line]]]:
        """For each attempt of a test its journal, number and lines, in their order."""
        for (path, attempt), offsets in self._places[test].items():
            lines = []
            with path.open("rb") as file:
                for offset in offsets:
                    file.seek(offset)
                    lines.append(json.loads(file.readline().decode(errors="replace")))
            yield path, attempt, lines


def index(folders: Sequence[Path]) -> Index:
    """The index of the journals of these runs; what cannot be read in them is only counted."""
    found = Index(runs=[folder.name for folder in folders])
    began: list[tuple[float, str, Path, int, int]] = []
    for path in (path for folder in folders for path in sorted(folder.glob("*.jsonl"))):
        offset = 0
        with path.open("rb") as file:
            for text in file:
                try:
                    line = json.loads(text.decode(errors="replace"))
                    time = number(line["time"])
                    known = str(line["kind"]) and line.get("test")
                    attempt = int(line.get("attempt", 1))
                except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
                    found.damaged += 1
                else:
                    found.started = min(found.started or time, time)
                    found.ended = max(found.ended, time)
                    if isinstance(known, str):
                        began.append((time, known, path, attempt, offset))
                offset += len(text)
    places: dict[str, dict[tuple[Path, int], list[int]]] = defaultdict(lambda: defaultdict(list))
    # Within a file the order of the lines is that of time, whatever the clock did.
    firsts: dict[tuple[str, Path, int], float] = {}
    for time, test, path, attempt, _ in began:
        firsts.setdefault((test, path, attempt), time)
    for test, path, attempt in sorted(firsts, key=lambda key: firsts[key]):
        places[test][path, attempt] = []
    for _, test, path, attempt, offset in began:
        places[test][path, attempt].append(offset)
    found._places = dict(places)
    return found


def number(value: Any) -> float:
    """A finite number. Raises ValueError for any other."""
    made = float(value)
    if not math.isfinite(made):
        raise ValueError(f"not a number: {value}")
    return made
