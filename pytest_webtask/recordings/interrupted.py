"""The tests of an interrupted run, as its journals show them: those that passed, and the others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pytest_webtask.errors import UsageError
from pytest_webtask.journal import (
    JournalEvent,
    PhaseEnded,
    RunEnded,
    RunStarted,
    has_passed,
    is_alive,
    read,
)

__all__ = ["EarlierTests", "read_earlier"]


_NO_VERDICT = frozenset(("ModelError", "OutOfBudget", "PageError"))
"""Errors unrelated to the application: a test that they end counts as interrupted."""


@dataclass
class EarlierTests:
    """The tests of an interrupted run and of the runs that it resumed itself.

    Tests that `passed` are skipped; `broken` are those that were interrupted: their next run begins
    with their drafts.
    """

    run: str
    passed: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    unmerged: list[Path] = field(default_factory=list)
    """Runs that were killed before their recordings were written."""


def read_earlier(runs: Path, name: str = "") -> EarlierTests:
    """Return the tests of the named run, or of the last one that has ended.

    Raises UsageError if there is none.
    """
    names = sorted(each.name for each in runs.iterdir() if each.is_dir()) if runs.is_dir() else []
    if name and names and name not in names:
        raise UsageError(
            f"can't resume: there is no run {name} in {runs}; name one of"
            f" {', '.join(names[-3:])}, or run the tests without --webtask-resume"
        )
    if not names:
        raise UsageError(
            f"can't resume: there is no run in {runs}; run the tests without --webtask-resume"
        )
    ended = [each for each in names if not is_alive(runs / each)] if not name else [name]
    if not ended:
        raise UsageError(f"can't resume: {names[-1]} is still running")
    earlier = EarlierTests(ended[-1])
    journals: list[tuple[Path, list[JournalEvent]]] = []
    follows = earlier.run
    while follows in names and all(folder.name != follows for folder, _ in journals):
        events = list(read(runs / follows))
        journals.insert(0, (runs / follows, events))
        started = (event for event in events if isinstance(event, RunStarted))
        follows = next((event.resumes for event in started if event.resumes), "")
    for folder, events in journals:
        if not any(isinstance(event, RunEnded) for event in events):
            earlier.unmerged.append(folder)
        failed: set[str] = set()
        for (test, _), own in _last_attempts(events).items():
            _add_test(earlier, test, own)
            # With `--dist each`, every process runs each test.
            failed |= {test} - earlier.passed
        earlier.passed -= failed
    return earlier


def _last_attempts(events: Iterable[JournalEvent]) -> dict[tuple[str, str], list[JournalEvent]]:
    """Return the events of the last attempt of each test in each process."""
    tests: dict[tuple[str, str], list[JournalEvent]] = defaultdict(list)
    attempts: dict[tuple[str, str], int] = {}
    for event in events:
        if not event.test or {"test", "attempt"} & {*event.unreadable}:
            continue
        key = (event.test, event.writer)
        if event.attempt > attempts.get(key, 0):
            attempts[key] = event.attempt
            tests[key].clear()
        tests[key].append(event)
    return tests


def _add_test(earlier: EarlierTests, test: str, events: Sequence[JournalEvent]) -> None:
    phases = {event.phase: event for event in events if isinstance(event, PhaseEnded)}
    outcomes = {when: event.outcome for when, event in phases.items()}
    if "skipped" in outcomes.values() and test in earlier.passed:
        return
    earlier.passed.discard(test)
    earlier.broken.discard(test)
    errors = " ".join(event.errors for event in phases.values())
    names = {word.rpartition(".")[2] for word in errors.replace(":", " ").split()}
    if has_passed(outcomes):
        earlier.passed.add(test)
    elif "teardown" not in phases or names & _NO_VERDICT:
        earlier.broken.add(test)
