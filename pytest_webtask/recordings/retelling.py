"""A recorded step as it is now: with what was found again where it was found."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.checks.kinds import CHECKS
from pytest_webtask.page.locators import Unreadable
from pytest_webtask.recordings.again import Again
from pytest_webtask.recordings.drifting import place_of
from pytest_webtask.recordings.recorder import redigested
from pytest_webtask.recordings.replayer import Replayer
from pytest_webtask.recordings.steps import Call, Evidence, Step, ValueSource
from pytest_webtask.records import Target

__all__ = ["holds", "now_at", "retargeted", "retold", "shown_at", "unshown"]


def now_at(replayer: Replayer, target: Target | None) -> Target | None:
    """A target, or where that element was found."""
    return replayer.found.get(place_of(target), target) if target else None


def retold(replayer: Replayer) -> Step:
    """The recorded step, with what was found again where it is now."""
    step = replayer.step
    sources = [
        ValueSource(kind=each.kind, target=now_at(replayer, each.target)) for each in step.sources
    ]
    made = step.model_copy(
        update={
            "calls": tuple(retargeted(replayer, c) for c in step.calls),
            "evidence": tuple(shown_at(replayer, e) for e in step.evidence),
            "sources": tuple(sources),
            "selected": now_at(replayer, step.selected),
        }
    )
    # An element that was found again is the same one: what was approved of it stays approved.
    return Step.model_validate(redigested(made).model_dump())


def retargeted(replayer: Replayer, call: Call) -> Call:
    """A call, on the elements that were found."""
    targets = {name: replayer.found.get(place_of(t), t) for name, t in call.targets.items()}
    return call.model_copy(update={"targets": targets})


def shown_at(replayer: Replayer, each: Evidence) -> Evidence:
    """Evidence, of the elements that were found."""
    return each.model_copy(update={"target": now_at(replayer, each.target)})


def unshown(replayer: Replayer, again: Again, answers: Sequence[CheckResult]) -> list[str]:
    """What the recording expects and neither it nor these answers show, where a model went on."""
    if not replayer.handed:
        return []
    said = []
    for each in replayer.step.evidence:
        if holds(again, shown_at(replayer, each)):
            continue
        check = again.ask([each]).checks[0]
        expects = {k: v for k, v in check.items() if k not in _ELEMENTS}
        if not any(
            a.holds and expects.items() <= a.check.model_dump(exclude_none=True).items()
            for a in answers
        ):
            told = ", ".join(f"{k} {v!r}" for k, v in expects.items() if k != "kind")
            said.append(
                f"{each.kind}: the recording expects {told}, which is not shown where it was:"
                " cite where it is now; if it is nowhere, abort"
            )
    return said


def holds(again: Again, each: Evidence) -> bool:
    """Whether recorded evidence is what the page shows."""
    try:
        asked = again.ask([each])
        (check,) = CHECKS.validate_python(asked.checks)
    except (Unreadable, ValidationError):
        return False
    return again.hands.checker(asked.locators).run(check).holds


_ELEMENTS = frozenset(("element_id", "element_ids", "other_id", "within", "place", "picture"))
