"""The command `pytest-webtask check`: what decides each sentence of the tests, without a browser."""

import argparse
import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pytest_webtask.data.phrases import counted, relative
from pytest_webtask.errors import RecordingError, UsageError
from pytest_webtask.journal.summary import listed
from pytest_webtask.recordings.maintenance import State, states_of
from pytest_webtask.recordings.sources import WrittenStep
from pytest_webtask.run.inner_run import run_pytest, tests_of
from pytest_webtask.run.run_state import STATE
from pytest_webtask.types.step import step_name

_LABELS: dict[State | str, str] = {
    "literal": "literal",
    "recorded": "recorded",
    "missing": "without a recording",
    "unknown": "built at run time",
}
"""What decides a sentence, in words."""


@dataclass(eq=False)
class Checker:
    """A pytest plugin that lists the sentences of the collected tests and of their fixtures."""

    found: dict[tuple[str, str], list[tuple[WrittenStep, str]]] = field(default_factory=dict)
    """The steps of each function by its file and name, with the label of what decides them."""
    problems: list[str] = field(default_factory=list)
    collected: bool = False

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a module that cannot be collected."""
        if report.failed:
            self.problems.append(f"{report.nodeid}: {report.longreprtext.splitlines()[-1]}")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Read the code of the tests that use a webtask, and of their fixtures."""
        for item in tests_of(session.items):
            for function in _functions_of(item):
                self._read(item, function)
        self.collected = True

    def _read(self, item: pytest.Item, function: Callable[..., Any]) -> None:
        state, root = item.config.stash[STATE], item.config.rootpath
        module = Path(inspect.getfile(function))
        key = (module.as_posix(), function.__qualname__.replace(".<locals>", ""))
        if key in self.found or not module.is_relative_to(root):
            return
        try:
            settings = state.settings(item)
            self.found[key] = [
                *states_of(
                    module, key[1], settings.recordings, settings.mode, literally=settings.literal
                )
            ]
        except (UsageError, RecordingError) as error:
            self.found[key] = []
            self.problems.append(f"{module.relative_to(root)}: {error}")


def _functions_of(item: Any) -> Iterator[Callable[..., Any]]:
    fixtures = (each for every in item._fixtureinfo.name2fixturedefs.values() for each in every)
    for function in (*(each.func for each in fixtures), item.obj):
        plain = inspect.unwrap(function)
        if inspect.isfunction(getattr(plain, "__func__", plain)):
            yield plain


def check(args: argparse.Namespace) -> int:
    """Print what decides each sentence; return 1 if something could not be read, or with `strict` nothing decides one."""
    checker = Checker()
    output = run_pytest(checker, "--collect-only", "-q", *args.pytest_args)
    if not checker.collected:
        print(f"pytest ended before the tests were collected; correct what it says here:\n{output}")
        return 1
    labels: Counter[str] = Counter()
    for (module, function), steps in checker.found.items():
        if steps:
            print(f"{relative(Path(module))}::{function.replace('.', '::')}")
        for step, label in steps:
            labels[label] += 1
            name = f"{step.kind}({step.code})"
            if step.sentence:
                name = step_name(step.kind, step.sentence)
            print(f"  {label:8} {name}, line {step.line}")
    total = counted(labels.total(), "sentence")
    print(": ".join(filter(None, (total, listed(labels, _LABELS)))))
    for problem in checker.problems:
        print(f"not read: {problem}")
    return int(bool(checker.problems or (args.strict and labels["missing"])))
