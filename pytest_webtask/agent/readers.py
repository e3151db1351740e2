"""The verifier of claims and the reader of values: roles that look at the page and cannot act."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_webtask.agent.loop import Loop
from pytest_webtask.journal import VerdictReached
from pytest_webtask.page.activity import QUIET
from pytest_webtask.page.step_time import POLL
from pytest_webtask.tools.context import StepContext
from pytest_webtask.tools.extraction import Request, report_nothing
from pytest_webtask.tools.finish import ClaimReview, report_verdict
from pytest_webtask.tools.navigation import READING_TOOLS
from pytest_webtask.tools.registry import Tool, Toolbox
from pytest_webtask.tools.results import Finding
from pytest_webtask.types.agent import EarlierSteps, Iteration, Outcome, Usage, Verdict
from pytest_webtask.types.model import ModelWithTraits
from pytest_webtask.types.page import Seen

if TYPE_CHECKING:
    from pytest_webtask.agent.referee import Referee

_STARTS_AT_MOST = 10
"""The limit of judgments of a claim on a page that keeps changing."""


@dataclass(frozen=True)
class PageReader:
    """A role that looks at the page for one step and cannot act, with the iterations `done` so far.

    `past` are the earlier steps of the test without the words of workers. `referee` rules on its
    conclusions.
    """

    role: str
    model: ModelWithTraits
    context: StepContext
    instructions: str = ""
    past: EarlierSteps = field(default_factory=EarlierSteps)
    max_steps: int = 20
    referee: Referee | None = None
    done: list[Iteration] = field(default_factory=list, init=False)

    def verify(self, claim: str, timeout: float) -> Verdict:
        """Judge a claim, waiting up to `timeout` seconds for it to become true."""
        left = self.context.time.countdown(timeout)
        review = ClaimReview(self.referee, claim)
        verdict, starts = None, 0
        while verdict is None:
            starts += 1
            # A page that keeps changing is judged a last time after the timeout.
            last = starts > 1 and (left() <= 0 or starts > _STARTS_AT_MOST)
            verdict = self._judge(left, review, last=last)
        self.context.write(VerdictReached(verdict=verdict))
        return verdict.model_copy(update={"usage": self.usage})

    @property
    def usage(self) -> Usage:
        """The usage of the step so far, rulings included."""
        ruled = self.referee.usage if self.referee else Usage()
        return sum((each.usage for each in self.done), ruled)

    def _judge(
        self, left: Callable[[], float], review: ClaimReview, *, last: bool
    ) -> Verdict | None:
        """Return the verdict of one session, or None if the page has changed meanwhile."""
        claim, begun = review.sentence, len(self.done)

        def waits(seen: Seen | None) -> bool:
            page = seen or last_seen(self.done[begun:])
            return not last and page is not None and wait_for_change(self.context, page, left)

        review.waits = waits
        loop = self._hold(claim, left(), report_verdict(review))
        ending = loop.ending
        if ending is not None and isinstance(ending.conclusion, Verdict):
            return ending.conclusion
        reason = f"the model gave no verdict within {loop.limit}"
        if ending is not None and ending.stale:
            if not last:
                return None
            reason = (
                "the page kept changing while the claim was judged; first wait for a text that appears"
                " when the page is ready, as in webtask.do('wait for \"Done\"')"
            )
        hidden = self.context.data.hidden(claim)
        return Verdict(claim=hidden, outcome=Outcome.UNDECIDED, reason=reason)

    def find(
        self, what: str, gives: Callable[[Request], Sequence[Tool]], timeout: float
    ) -> Finding:
        """Return the finding reported by the tools of `gives`, waiting up to `timeout` seconds.

        The model is asked again only after a change of the page, and a last time after `timeout` if the
        page changed while it was asked.
        """
        left, last = self.context.time.countdown(timeout), False
        while True:
            request, begun = Request(self.referee, what), len(self.done)
            loop = self._hold(what, left(), *gives(request), report_nothing)
            finding = Finding(missing=f"the model gave no answer within {loop.limit}")
            if loop.ending is not None and isinstance(loop.ending.conclusion, Finding):
                finding = loop.ending.conclusion
            # A model without review has waited itself.
            waits = self.model.traits.needs_review and not (last or loop.out_of_time)
            if finding.found or finding.final or not waits:
                return finding
            page = last_seen(self.done[begun:]) or self.context.observe().seen
            if not wait_for_change(self.context, page, left):
                return finding
            last = left() <= 0

    def _hold(self, sentence: str, timeout: float, *tools: Tool) -> Loop:
        """Run a session about a sentence, which ends with one of the tools."""
        loop = Loop(
            self.role,
            sentence,
            self.max_steps,
            self.model,
            Toolbox([*READING_TOOLS, *tools]),
            self.context,
            instructions=self.instructions,
            past=self.past,
            timeout=max(timeout, 0.0),
        )
        self.done.extend(loop.run())
        return loop


def last_seen(iterations: Sequence[Iteration]) -> Seen | None:
    """Return the page as it was last observed, None if it was not."""
    return next((each.observed for each in reversed(iterations) if each.observed), None)


def wait_for_change(context: StepContext, page: Seen, left: Callable[[], float]) -> bool:
    """Wait for a change of the page until no seconds are left; return whether it has changed."""
    while True:
        now = context.observe()
        if (now.outline, now.url, now.title) != (page.outline, page.url, page.title):
            context.session.rest(QUIET)
            return True
        if left() <= 0:
            # Some changes, such as in a drawing, show only in the picture.
            taken = page.screenshot and now.screenshot
            return taken is not None and now.seen.screenshot != page.screenshot
        context.page.wait_for_timeout(POLL * 1000)
