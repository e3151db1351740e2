"""The tests of a report, from the runs that it is about."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pytest_webtask.journal.runs import Run, TestAttempt
from pytest_webtask.report.text import first_problem
from pytest_webtask.report.view import RANKS, Pictures, Test, first_wrong
from pytest_webtask.types.agent import Usage


def read_tests(runs: Mapping[Path, Run], pictures: Pictures) -> Iterator[Test]:
    """Yield the tests of some runs, by their folders, in the order of their first attempts; copy their pictures."""
    attempts = [
        (test, folder, attempt)
        for folder, run in runs.items()
        for (test, *_), attempt in run.attempts.items()
        if test
    ]
    tests: dict[str, list[TestAttempt]] = {}
    for test, folder, attempt in sorted(attempts, key=lambda each: each[2].started):
        pictures.add(folder, attempt)
        attempt.run = folder.name
        tests.setdefault(test, []).append(attempt)
        attempt.number = len(tests[test])
    for test, made in tests.items():
        yield _test(test, made)


def _test(test: str, all_attempts: Sequence[TestAttempt]) -> Test:
    second = next((each for each in reversed(all_attempts) if each.confirms), None)
    attempts = [each for each in all_attempts if not each.confirms]
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
