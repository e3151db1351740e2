"""The verifier: sees a claim and the page, never what the worker thought of it, and judges."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pytest_webtask.loop import Brief, Loop
from pytest_webtask.models import Model
from pytest_webtask.records import (
    Conclusion,
    Decision,
    Iteration,
    Outcome,
    Ruling,
    Seen,
    Turn,
    Verdict,
)
from pytest_webtask.roles.again import changes
from pytest_webtask.tools import Tool, Toolbox, looking, mouse
from pytest_webtask.tools.hands import Hands
from pytest_webtask.tools.review import Review
from pytest_webtask.tools.verdict import VerdictDraft, report_verdict

ROLE = "verifier"
_STARTS_AT_MOST = 10
"""How often a claim is judged anew because the page has changed."""
_named = {tool.name: tool for tool in (*looking.TOOLS, *mouse.TOOLS)}
READING: tuple[Tool, ...] = (
    *(_named[name] for name in ("look", "scroll", "hover", "switch_tab")),
    looking.SHORT_WAIT,
)
"""What one may call who only reads: nothing of it clicks, types or navigates."""


@dataclass(frozen=True)
class Verifier:
    """Judges one claim after another, each by itself.

    `actions` are those that were taken in the test so far, `before` the page as it was before the
    last step. `referee` rules on verdicts, `write` journals.
    """

    model: Model
    hands: Hands
    write: Callable[..., None]
    instructions: str = ""
    actions: Sequence[str] = ()
    before: Seen | None = None
    max_steps: int = 20
    referee: Callable[[Conclusion], Ruling] | None = None
    done: list[Iteration] = field(default_factory=list)
    """Those of all judgements."""

    def verify(self, claim: str, timeout: float) -> Verdict:
        """Judge a claim, which is given `timeout` seconds to become true."""
        end = time.monotonic() + timeout
        review = Review(self.referee)
        starts = 0
        while True:
            starts += 1
            # A page that never rests is judged once more after its time is over.
            last = time.monotonic() >= end and starts > 1
            verdict = self._judge(claim, end, review, last=last or starts > _STARTS_AT_MOST)
            if verdict is not None:
                self.write("verdict", **verdict.model_dump(mode="json"))
                return verdict

    def _judge(self, claim: str, end: float, review: Review, *, last: bool) -> Verdict | None:
        """Return the verdict of one session, None where the page has changed since it was judged."""
        hands = self.hands
        judged: list[Iteration] = []

        def waits() -> bool:
            page = next((i.observed for i in reversed(judged) if i.observed), None)
            page = page or watched.seen
            return not last and page is not None and changes(hands, page, end)

        draft = VerdictDraft(claim, hands.data.values, review, waits)
        watched = _Judge(self.model, draft)
        loop = Loop(
            brief=Brief(
                role=ROLE,
                task=claim,
                max_steps=self.max_steps,
                instructions=self.instructions,
                actions=self.actions,
                before=self.before,
                timeout=max(end - time.monotonic(), 0.0),
            ),
            model=watched,
            tools=Toolbox([*READING, report_verdict(draft)]),
            hands=hands,
            write=self.write,
        )
        for iteration in loop.run():
            judged.append(iteration)
            self.done.append(iteration)
        if draft.stale and not last:
            return None
        return draft.verdict or Verdict(
            claim=hands.data.hidden(claim),
            outcome=Outcome.UNDECIDED,
            reason="the page changed each time it was judged"
            if draft.stale
            else f"the verifier did not decide within {self.max_steps} iterations",
        )


def judged(done: Sequence[Iteration], hands: Hands, waited: bool) -> Seen | None:
    """The page that the last answer was about; None where a model has waited itself."""
    if waited:
        return None
    return next((i.observed for i in reversed(done) if i.observed), None) or hands.observe().seen


class _Judge:
    """The model, with the draft informed whether a literal sentence or a recording decides."""

    def __init__(self, model: Model, draft: VerdictDraft) -> None:
        self._model = model
        self._draft = draft
        self.seen: Seen | None = None

    @property
    def looks(self) -> bool:
        """As the model says."""
        return bool(getattr(self._model, "looks", True))

    def decide(self, turn: Turn) -> Decision:
        """Return the model's decision."""
        decision = self._model.decide(turn)
        self.seen = turn.observed.seen if turn.observed else None
        self._draft.exact = bool(getattr(self._model, "literal", False))
        self._draft.replayed = bool(getattr(self._model, "replays", False))
        return decision
