"""A recorded step as it is now: with what was found again where it was found."""

from __future__ import annotations

from pytest_webtask.recordings.drifting import place_of
from pytest_webtask.recordings.replayer import Replayer
from pytest_webtask.recordings.steps import Call, Evidence, Step
from pytest_webtask.records import Target

__all__ = ["now_at", "retargeted", "retold", "shown_at"]


def now_at(replayer: Replayer, target: Target | None) -> Target | None:
    """A target, or where that element was found."""
    return replayer.found.get(place_of(target), target) if target else None


def retold(replayer: Replayer) -> Step:
    """The recorded step, with what was found again where it is now."""
    step = replayer.step
    return step.model_copy(
        update={
            "calls": tuple(retargeted(replayer, c) for c in step.calls),
            "evidence": tuple(shown_at(replayer, e) for e in step.evidence),
            "sources": tuple(shown_at(replayer, e) for e in step.sources),
            "selected": now_at(replayer, step.selected),
        }
    )


def retargeted(replayer: Replayer, call: Call) -> Call:
    """A call, on the elements that were found."""
    targets = {name: replayer.found.get(place_of(t), t) for name, t in call.targets.items()}
    return call.model_copy(update={"targets": targets})


def shown_at(replayer: Replayer, each: Evidence) -> Evidence:
    """Evidence, of the elements that were found."""
    return each.model_copy(update={"target": now_at(replayer, each.target)})
