"""The verifier: sees a claim and the page, never what the worker thought of it, and judges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pytest_webtask.loop import Brief, Loop
from pytest_webtask.models import Model
from pytest_webtask.records import Decision, Iteration, Outcome, Seen, Turn, Verdict
from pytest_webtask.roles.again import until
from pytest_webtask.tools import Tool, Toolbox, looking, mouse
from pytest_webtask.tools.hands import Hands
from pytest_webtask.tools.verdict import Trial, report_verdict

ROLE = "verifier"
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
    last step. `write` journals.
    """

    model: Model
    hands: Hands
    write: Callable[..., None]
    instructions: str = ""
    actions: Sequence[str] = ()
    before: Seen | None = None
    max_steps: int = 20
    done: list[Iteration] = field(default_factory=list)
    """Those of all judgements."""

    def verify(self, claim: str, timeout: float) -> Verdict:
        """Judge a claim, which is given `timeout` seconds to become true."""
        return until(self.hands, timeout, lambda left: self._judge(claim, left))

    def _judge(self, claim: str, left: float) -> tuple[Verdict, bool, Seen | None]:
        hands = self.hands
        trial = Trial(claim, hands.data.values, self.before)
        loop = Loop(
            brief=Brief(
                role=ROLE,
                task=claim,
                max_steps=self.max_steps,
                instructions=self.instructions,
                actions=self.actions,
                before=self.before,
                timeout=left,
            ),
            model=_Judge(self.model, trial),
            tools=Toolbox([*READING, report_verdict(trial)]),
            hands=hands,
            write=self.write,
        )
        done = list(loop.run())
        self.done.extend(done)
        verdict = trial.verdict or Verdict(
            claim=hands.data.hidden(claim),
            outcome=Outcome.UNDECIDED,
            reason=f"the verifier did not decide within {self.max_steps} iterations",
        )
        self.write("verdict", **verdict.model_dump(mode="json"))
        return (
            verdict,
            verdict.outcome is Outcome.PASSED,
            judged(done, hands, trial.exact or trial.replayed),
        )


def judged(done: Sequence[Iteration], hands: Hands, waited: bool) -> Seen | None:
    """The page that the last answer was about; None where a model has waited itself."""
    if waited:
        return None
    return next((i.observed for i in reversed(done) if i.observed), None) or hands.observe().seen


class _Judge:
    """The model, with the trial told whether a literal sentence was read."""

    def __init__(self, model: Model, trial: Trial) -> None:
        self._model = model
        self._trial = trial

    @property
    def looks(self) -> bool:
        """As the model says."""
        return bool(getattr(self._model, "looks", True))

    def decide(self, turn: Turn) -> Decision:
        """The model's decision."""
        decision = self._model.decide(turn)
        self._trial.exact = bool(getattr(self._model, "literal", False))
        self._trial.replayed = bool(getattr(self._model, "replays", False))
        return decision
