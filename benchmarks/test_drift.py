"""A recorded suite against a shop that changes: which bugs it catches, which harmless changes pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from benchmarks.drift.bugs import BUGS
from benchmarks.drift.harmless import HARMLESS
from benchmarks.drift.running import Outcome, Runs

pytestmark = pytest.mark.timeout(3600)

_LINES = 8
"""What is printed of the first failure of a case that went wrong."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    """The suite, recorded on the shop as it is."""
    runs = Runs(tmp_path_factory.mktemp("drift"))
    print(f"\n{runs.record()}")
    yield runs
    runs.stop()


@pytest.fixture(scope="module")
def heals_off(runs: Runs) -> list[Outcome]:
    """What each change comes to where nothing may be healed."""
    return runs.all([*HARMLESS, *BUGS], "--webtask-mode=replay", "--webtask-heal=off")


def test_bugs_and_changes_with_heals_off(heals_off: list[Outcome]) -> None:
    """Every bug fails, and nine of ten harmless changes replay."""
    _judge("off", heals_off, 0.9)


def test_bugs_and_changes_with_heals_passing(runs: Runs, heals_off: list[Outcome]) -> None:
    """Every bug still fails, and nearly all harmless changes replay."""
    # What replayed with heals off has had nothing to heal: it would be the very same run.
    same = [o for o in heals_off if not o.failed and o.change.kind == "harmless"]
    unlike = [o.change for o in heals_off if o not in same]
    outcomes = runs.all(unlike, "--webtask-mode=replay", "--webtask-heal=pass")
    _judge("pass", [*same, *outcomes], 0.98)


def _judge(heal: str, outcomes: Sequence[Outcome], share: float) -> None:
    missed, failed = _tell(heal, outcomes)
    unseen = [o.change.name for o in outcomes if not o.applied]
    assert not unseen, f"these changed nothing that the suite has seen: {unseen}"
    assert not missed, f"bugs that pass: {missed}"
    assert 1 - len(failed) / len(HARMLESS) >= share, f"harmless changes that fail: {failed}"


def _tell(heal: str, outcomes: Sequence[Outcome]) -> tuple[list[str], list[str]]:
    """The bugs that pass and the harmless changes that fail, after all of it has been printed."""
    bugs = [o for o in outcomes if o.change.kind == "bug"]
    harmless = [o for o in outcomes if o.change.kind == "harmless"]
    caught = sum(o.failed for o in bugs)
    alarms = sum(o.failed for o in harmless)
    print(f"\nheals {heal}: {len(bugs)} bugs, {len(harmless)} harmless changes")
    print(f"  precision {caught / max(caught + alarms, 1):.1%}, recall {caught / len(bugs):.1%}")
    print(f"  harmless changes that replay: {1 - alarms / len(harmless):.1%}")
    for outcome in outcomes:
        if not outcome.right:
            wrong = "passed" if outcome.change.kind == "bug" else "failed"
            print(f"  {outcome.change.kind} {wrong}: {outcome.change.name}")
            print(
                "".join(f"      {line}\n" for line in outcome.output.splitlines()[:_LINES]), end=""
            )
    return (
        [o.change.name for o in bugs if not o.failed],
        [o.change.name for o in harmless if o.failed],
    )
