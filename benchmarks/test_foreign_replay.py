"""How a replayed suite on pages that others wrote compares with the same suite written by hand.

The tests of `foreign_drift/suite.py` and of `foreign_drift/suite_by_hand.py`, whole processes in
turn, without pictures, and with pictures and Playwright's trace. Both type their texts key by key.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.foreign_drift.running import Runs
from benchmarks.side_by_side import Rounds, run

pytestmark = pytest.mark.timeout(3600)

ROUNDS = 7
GOAL, LIMIT = 1.3, 1.7
WITH_PICTURES = ("test_foreign.py", "--webtask-mode=replay")
REPLAYED = (*WITH_PICTURES, "--webtask-screenshots=off")
BY_HAND = ("test_by_hand.py",)


@pytest.fixture(scope="module")
def runs(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    """The suite, recorded on the pages as they are."""
    cache = pytestconfig.rootpath / ".webtask" / "benchmarks"
    runs = Runs(tmp_path_factory.mktemp("foreign"), cache)
    print(f"\n{runs.record()}")
    yield runs
    runs.stop()


def test_replayed_suite_is_close_to_one_written_by_hand(runs: Runs) -> None:
    """A replayed suite takes at most 1.7 times as long as one written by hand."""
    rounds = Rounds.of(
        ROUNDS,
        {
            "by hand": lambda: run(runs.project, *BY_HAND)[0],
            "traced": lambda: run(runs.project, *BY_HAND, "--tracing=on")[0],
            "replayed": lambda: run(runs.project, *REPLAYED)[0],
            "with pictures": lambda: run(runs.project, *WITH_PICTURES)[0],
        },
    )
    ratio = rounds.ratio("replayed", "by hand")
    print(
        f"\n{rounds}: replayed {ratio} times by hand (goal {GOAL}); with pictures"
        f" {rounds.ratio('with pictures', 'replayed')} times without, and"
        f" {rounds.ratio('with pictures', 'traced')} times by hand with --tracing=on"
    )
    print(_by_kind(runs.project))
    assert ratio.median <= LIMIT, f"a replayed suite takes {ratio} times as long, and not {LIMIT}"


def _by_kind(project: Path) -> str:
    """Return a table of the time and the messages by kind of step, of one further run each."""
    kinds = {}
    for name, arguments in (("by_hand", BY_HAND), ("replayed", REPLAYED)):
        file = project / f"{name}.json"
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("STEP_TIMES", str(file))
            run(project, "-p", "benchmarks.step_times", *arguments)
        kinds[name] = json.loads(file.read_text())
    lines = [f"{'':16}{'by hand: steps, ms and messages each':>42}{'replayed':>28}"]
    for kind in dict.fromkeys([*kinds["by_hand"], *kinds["replayed"]]):
        line = f"{kind:16}"
        for name in kinds:
            steps, seconds, messages = kinds[name].get(kind, (0, 0, 0))
            each = f"{1000 * seconds / steps:8.1f}{messages / steps:8.1f}" if steps else f"{'':16}"
            line += f"{steps or '':12}{each}"
        lines.append(line)
    return "\n".join(lines)
