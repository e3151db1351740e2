"""Read the tests of a report from journals, one at a time to limit memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_webtask.journal import Damaged, JournalEvent, RunStarted, read_at, read_file
from pytest_webtask.report.text import first_problem
from pytest_webtask.report.view import RANKS, Pictures, Test, first_wrong
from pytest_webtask.runs import TestAttempt
from pytest_webtask.types.agent import Usage


@dataclass
class Index:
    """The file offsets of each test's events in the journals of some runs."""

    runs: list[str] = field(default_factory=list)
    commits: Counter[str] = field(default_factory=Counter)
    """The commits that were tested."""
    damaged: int = 0
    started: float = 0.0
    ended: float = 0.0
    _places: dict[str, list[tuple[Path, list[int]]]] = field(default_factory=dict)

    @property
    def tests(self) -> list[str]:
        """The ids of the tests, in the order in which they started."""
        return list(self._places)

    def attempts(self, test: str) -> Iterator[tuple[Path, Iterator[JournalEvent]]]:
        """Yield the folder of the run and the events of each attempt of a test."""
        for path, offsets in self._places[test]:
            yield path.parent, read_at(path, offsets)


def index_journals(folders: Sequence[Path]) -> Index:
    """Return the index of the journals of these runs; damaged lines are only counted."""
    index = Index(runs=[folder.name for folder in folders])
    # The first line of an attempt counts as its start, even if the clock was set back later.
    places: dict[tuple[str, Path, int], tuple[float, list[int]]] = {}
    for path in (path for folder in folders for path in sorted(folder.glob("*.jsonl"))):
        for offset, event in read_file(path):
            if isinstance(event, Damaged):
                index.damaged += 1
                continue
            if isinstance(event, RunStarted):
                index.commits[event.commit] += 1
            index.started = min(index.started or event.time, event.time)
            index.ended = max(index.ended, event.time)
            if event.test:
                key = (event.test, path, event.attempt)
                places.setdefault(key, (event.time, []))[1].append(offset)
    for (test, path, _), (_, offsets) in sorted(places.items(), key=lambda each: each[1][0]):
        index._places.setdefault(test, []).append((path, offsets))
    return index


def read_test(index: Index, test: str, pictures: Pictures) -> Test:
    """Return a test from the journals, and copy its pictures into the report."""
    attempts: list[TestAttempt] = []
    for number, (run, events) in enumerate(index.attempts(test), 1):
        attempt = TestAttempt.of(events)
        attempt.number, attempt.run = number, run.name
        pictures.add(run, attempt)
        attempts.append(attempt)
    second = next((each for each in reversed(attempts) if each.confirms), None)
    attempts = [each for each in attempts if not each.confirms]
    steps = [step for each in attempts for step in each.steps]
    record = Test(
        id=test,
        outcome=_outcome(attempts),
        started=min((each.started for each in attempts), default=0.0),
        seconds=sum(each.seconds for each in attempts),
        usage=sum((step.usage for step in steps), Usage()),
        decided=Counter(step.decided for step in steps if step.decided),
        healed=sum(any(heal.used for heal in step.heals) for step in steps),
        deviated=sum(bool(step.deviations) for step in steps),
        with_page_errors=sum(step.ok and bool(step.page_errors) for step in steps),
        attempts=attempts,
        second_run=second,
    )
    record.wrong = first_problem(record)
    wrong = first_wrong(record)
    record.cause = wrong.attempt.cause if wrong else None
    return record


def _outcome(attempts: Sequence[TestAttempt]) -> str:
    """Return the worst outcome of all runs, which may be from different machines of a matrix."""
    runs: dict[str, list[str]] = {}
    for attempt in attempts:
        runs.setdefault(attempt.run, []).append(attempt.outcome)
    outcomes = [
        "flaky" if last == "passed" and set(before) & {"failed", "error"} else last
        for *before, last in runs.values()
    ]
    return min(outcomes, key=RANKS.index, default="never ended")
