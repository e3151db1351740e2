"""A recorded suite on pages that others wrote, while these change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from benchmarks.foreign_drift.change import CHANGES
from benchmarks.foreign_drift.running import MODEL, Outcome, Runs

pytestmark = pytest.mark.timeout(3600)

_LINES = 6
"""How much is printed of the failure of a case that went wrong."""


@pytest.fixture(scope="module")
def runs(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    """The suite, recorded on the pages as they are."""
    cache = pytestconfig.rootpath / ".webtask" / "benchmarks"
    runs = Runs(tmp_path_factory.mktemp("foreign"), cache)
    print(f"\n{runs.record()}")
    yield runs
    runs.stop()


def test_unchanged(runs: Runs) -> None:
    """The suite replays on pages that have not changed, with nothing to heal."""
    failure = runs.replay("--webtask-mode=replay", "--webtask-heal=off")
    assert not failure, failure


def test_control(runs: Runs) -> None:
    """The scripted model, which looks at the page anew, passes where a change is harmless.

    It fails where one is a bug, so that each case is on its side for somebody who sees the page.
    """
    print("\ncontrol:")
    options = ("--webtask-mode=live", f"--webtask-model={MODEL}")
    # A script does not wait for what is slow.
    cases = [
        change for change in (*CHANGES["harmless"], *CHANGES["bug"]) if change.sort != "slow answer"
    ]
    outcomes = runs.all(cases, *options, tell=_tell)
    wrong = [o.change.label for o in outcomes if not o.as_expected or not o.applied]
    assert not wrong, f"cases that are not what they are taken for: {wrong}"


@pytest.fixture(scope="module")
def heals_off(runs: Runs) -> list[Outcome]:
    """What each change comes to where nothing may be healed."""
    options = ("--webtask-mode=replay", "--webtask-heal=off")
    return runs.all(
        [*CHANGES["harmless"], *CHANGES["bug"], *CHANGES["decoy"]], *options, tell=_tell
    )


def test_heals_off(heals_off: list[Outcome]) -> None:
    """Every bug fails, nothing wrong is acted upon, and most harmless changes replay."""
    _judge("off", heals_off, 0.85)


def test_heals_passing(runs: Runs, heals_off: list[Outcome]) -> None:
    """The same, and nearly all harmless changes replay."""
    # What replayed with heals off has had nothing to heal: it would be the very same run.
    print()
    options = ("--webtask-mode=replay", "--webtask-heal=pass")
    unlike = runs.all([o.change for o in heals_off if o.failed], *options, tell=_tell)
    healed = {o.change: o for o in unlike}
    _judge("pass", [healed.get(o.change, o) for o in heals_off], 0.95)


def _tell(outcome: Outcome) -> None:
    """Print a case that went wrong, with what failed."""
    if outcome.as_expected and outcome.applied:
        return
    marks = dict(outcome.marks)
    wrong = "not applied" if not outcome.applied else "failed" if outcome.failed else "passed"
    print(f"  {wrong} ({outcome.seconds:.1f} s) {outcome.change.label} {marks or ''}")
    print("".join(f"      {line}\n" for line in outcome.output.splitlines()[:_LINES]), end="")


def _judge(heal: str, outcomes: Sequence[Outcome], share: float) -> None:
    of = {
        side: [o for o in outcomes if o.change.side == side]
        for side in ("harmless", "bug", "decoy")
    }
    print(f"\nheals {heal}:")
    for side, cases in of.items():
        right, all_ = (
            Counter(o.change.sort for o in some)
            for some in ([o for o in cases if o.as_expected], cases)
        )
        print(f"  {side}: {right.total()} of {all_.total()} as expected")
        print(
            "".join(f"    {right[sort]:3} of {n:2}  {sort}\n" for sort, n in all_.items()), end=""
        )
    acted = [o.change.label for o in of["decoy"] if o.marks["wrong"]]
    print(
        f"  decoys: {sum(bool(o.marks['right']) and not o.failed for o in of['decoy'])} replayed on"
        f" what is right, {len(acted)} acted upon"
    )
    print(f"  {sum(o.seconds for o in outcomes):.0f} s")
    unseen = [o.change.label for o in outcomes if not o.applied]
    missed = [o.change.label for o in of["bug"] if not o.failed]
    replayed = sum(not o.failed for o in of["harmless"]) / len(of["harmless"])
    assert not unseen, f"these changed nothing that the suite has met: {unseen}"
    assert not acted, f"decoys that were acted upon: {acted}"
    assert not missed, f"bugs that pass: {missed}"
    assert replayed >= share, f"only {replayed:.1%} of the harmless changes replay"
