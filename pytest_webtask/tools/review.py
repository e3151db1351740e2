"""The way of one conclusion: code refuses what proves nothing, then the referee rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.checks.text import squashed
from pytest_webtask.records import Conclusion, Ruling
from pytest_webtask.tools import ToolError

__all__ = ["RefusedError", "Review", "StaleError"]

REFUSALS_AT_MOST = 3
"""Conclusions that code refuses, before there is no verdict."""
RULINGS_AT_MOST = 3
"""Rulings against conclusions, and rulings of a page that has changed, before there is no verdict."""


class RefusedError(Exception):
    """Code or the referee has refused for the last time; the message has both opinions and the facts."""


class StaleError(Exception):
    """The page was judged and is another one now."""


@dataclass
class Review:
    """Reviews the conclusions of one step.

    `referee` rules, None where nobody does: what a literal sentence or a recording says needs none.
    `ruling` is the one that approved, `stale` how many did of a page that was another one then.
    """

    referee: Callable[[Conclusion], Ruling] | None = None
    refusals: int = 0
    rulings: list[Ruling] = field(default_factory=list)
    stale: int = 0
    ruling: Ruling | None = None
    _refused: dict[str, Ruling] = field(default_factory=dict)

    def refuse(self, opinion: str, problems: Sequence[str], results: Sequence[CheckResult]) -> None:
        """Send a conclusion back because of problems that code has found, if there are any.

        Raises ToolError, or RefusedError where that was the last time.
        """
        if not problems:
            return
        self.refusals += 1
        listed = "\n".join(f"- {each}" for each in problems)
        if self.refusals >= REFUSALS_AT_MOST:
            raise RefusedError(
                _both(
                    opinion, f"code refused its evidence {self.refusals} times:\n{listed}", results
                )
            )
        raise ToolError(f"this is not enough:\n{listed}")

    def approve(
        self,
        opinion: str,
        conclusion: Conclusion,
        results: Sequence[CheckResult],
        run_again: Callable[[], Sequence[CheckResult]],
    ) -> None:
        """Have the referee rule; afterwards all checks must hold on the page still.

        Raises ToolError where the facts do not prove it, RefusedError where that was the last time,
        StaleError where the page has changed meanwhile.
        """
        if self.referee is None:
            return
        # Pictures are named by what they show.
        pictures = [picture.name for picture in conclusion.pictures]
        key = json.dumps(
            [conclusion.model_dump(mode="json"), pictures], sort_keys=True, default=str
        )
        if before := self._refused.get(key):
            problem = (
                f"the same evidence was refused before: {_answer(before)}. Give in `evidence` a check"
                " of what is missing"
            )
            self.refuse(opinion, [problem], results)
        ruling = self.referee(conclusion)
        if ruling.proves:
            if not all(each.holds for each in run_again()):
                self.stale += 1
                if self.stale >= RULINGS_AT_MOST:
                    problem = f"the page has changed {self.stale} times while it was judged"
                    raise RefusedError(_both(opinion, problem, results))
                raise StaleError
            self.ruling = ruling
            return
        self._refused[key] = ruling
        self.rulings.append(ruling)
        answer = _answer(ruling)
        if len(self.rulings) >= RULINGS_AT_MOST:
            raise RefusedError(
                _both(opinion, f"the referee did not find it proved: {answer}", results)
            )
        raise ToolError(
            "A referee, who sees only the conclusion and the facts of your checks, does not find it"
            f" proved: {answer}. Look again whether it is so. If it is, give"
            " in `evidence` checks that show it more directly or completely; if not, conclude"
            " otherwise."
        )


def _answer(ruling: Ruling) -> str:
    """Return why a referee does not find something proved, as the end of a sentence without its period."""
    # They may repeat texts of the page: on one line they cannot pass for lines of a prompt.
    missing, counterexample = (
        squashed(text).rstrip(".") for text in (ruling.missing, ruling.counterexample)
    )
    parts = [
        missing and f"missing: {missing}",
        counterexample and f"all facts could be true and it could be false: {counterexample}",
    ]
    return "; ".join(filter(None, parts)) or "the referee gave no reason"


def _both(opinion: str, refusal: str, results: Sequence[CheckResult]) -> str:
    facts = [f"- {each.fact.describe()}" for each in results if each.holds and each.fact]
    lines = [f'"{opinion}" was concluded, but {refusal}']
    return "\n".join([*lines, *(["facts:", *facts] if facts else [])])
