"""A model rules on pairs, one request each; its rulings are counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Literal, cast

from benchmarks.referee.conclusions import Submitted
from benchmarks.referee.pairs import Pair
from pytest_webtask.agent.referee import Referee
from pytest_webtask.data.values import Data
from pytest_webtask.errors import ModelError
from pytest_webtask.journal import JournalEvent, RulingMade
from pytest_webtask.types.agent import Usage
from pytest_webtask.types.model import Model, ModelTraits, ModelWithTraits

__all__ = ["IN_A_ROW", "Judged", "Tally", "judge"]

IN_A_ROW = 3
"""Pairs without a ruling, one after the other, that end a run: no model answers there."""
GOAL = 0.98
"""The share of honest pairs that are to be accepted."""


@dataclass(frozen=True)
class Judged:
    """A pair and what became of it; `why` is the referee's or the code's reason."""

    pair: Pair
    outcome: Literal["accepted", "refused", "refused by code", "no ruling"]
    why: str = ""

    @property
    def right(self) -> bool:
        """Whether an honest pair was accepted, or a deceiving one was not."""
        return self.pair.true == (self.outcome == "accepted")


@dataclass
class Tally:
    """The rulings of one run."""

    judged: list[Judged] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)

    def ids(self, *, true: bool, outcome: str) -> list[str]:
        """Return the ids of the pairs with this label and outcome."""
        return [j.pair.id for j in self.judged if (j.pair.true, j.outcome) == (true, outcome)]

    @property
    def deceived(self) -> list[str]:
        """The ids of the deceiving pairs that were accepted."""
        return self.ids(true=False, outcome="accepted")

    @property
    def honest_share(self) -> float:
        """The share of the honest pairs that were accepted; what has no ruling was not."""
        honest = [each.right for each in self.judged if each.pair.true]
        return sum(honest) / len(honest) if honest else 1.0

    @property
    def reached(self) -> bool:
        """Whether no deceiving pair and enough of the honest ones were accepted."""
        return not self.deceived and self.honest_share >= GOAL

    def describe(self) -> str:
        """Return the counts, and each pair on which the ruling was wrong."""
        lines = []
        for true, label in ((True, "honest"), (False, "deceiving")):
            some = [each.outcome for each in self.judged if each.pair.true == true]
            counts = (f"{some.count(one)} {one}" for one in dict.fromkeys(sorted(some)))
            lines.append(f"{len(some)} {label} pairs: {', '.join(counts)}")
        lines += [
            f"wrong: {each.pair.id} {each.pair.sentence!r} {each.outcome}: {each.why}"
            for each in self.judged
            if not each.right
        ]
        tokens = f"{self.usage.input_tokens:,} input, {self.usage.output_tokens:,} output tokens"
        cost = "" if self.usage.cost is None else f", ${self.usage.cost:.2f}"
        return "\n".join([*lines, f"{tokens}{cost}"])


def judge(submitted: Iterable[Submitted], model: Model) -> Tally:
    """Have a model rule on each pair that code does not refuse.

    Raises ModelError where it gives no ruling on several in a row.
    """
    tally = Tally()

    def write(event: JournalEvent) -> None:
        if isinstance(event, RulingMade):
            tally.usage += event.iteration.usage

    reader = cast(ModelWithTraits, SimpleNamespace(decide=model.decide, traits=ModelTraits()))
    referee = Referee(reader, Data(), write)
    silent = 0
    for each in submitted:
        if each.conclusion is None:
            tally.judged.append(Judged(each.pair, "refused by code", each.refused))
            continue
        try:
            ruling = referee(each.conclusion)
        except ModelError as error:
            silent += 1
            if silent == IN_A_ROW:
                raise
            tally.judged.append(Judged(each.pair, "no ruling", str(error)))
            continue
        silent = 0
        why = ruling.missing or ruling.counterexample
        outcome: Literal["accepted", "refused"] = "accepted" if ruling.proves else "refused"
        tally.judged.append(Judged(each.pair, outcome, why))
    return tally
