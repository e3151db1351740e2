"""The way of a test back to where it broke off: its journaled steps, done again with no model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_webtask.errors import Drifted
from pytest_webtask.page.locators import Unreadable
from pytest_webtask.page.recalled import Missing
from pytest_webtask.recordings.drifting import NAME, Heal
from pytest_webtask.recordings.placeholders import names_in, texts_in
from pytest_webtask.recordings.recorder import Recorder
from pytest_webtask.recordings.replayer import Replayer
from pytest_webtask.recordings.steps import Key, Step
from pytest_webtask.records import Decision, Iteration, ProposedToolCall, TaskRecord

if TYPE_CHECKING:
    from pytest_webtask.models import Model
    from pytest_webtask.recordings.again import Again, Asked
    from pytest_webtask.recordings.journaled import Before, Broken
    from pytest_webtask.records import CheckResult, Turn
    from pytest_webtask.tools.hands import Hands

__all__ = ["GoingOn", "Redoing", "Returning"]

BROKE_OFF = "the run broke off here"


@dataclass
class DoneAgain(Replayer):
    """Does a step again that had ended; what is so otherwise now is no failure, but the way lost."""

    def _failed(
        self, turn: Turn, asked: Asked, told: Sequence[CheckResult], wrong: Sequence[CheckResult]
    ) -> Decision:
        each = wrong[0]
        there = each.problem or each.actual or "nothing"
        raise Missing(f"{each.about}: {each.expected} was there, and now there is {there}")


@dataclass
class GoingOn(Replayer):
    """Makes the calls of a step that broke off, and then lets `model` go on."""

    model: Model | None = None

    def limit(self, steps: int) -> int:
        """What is done again takes nothing from what the model may do."""
        return steps + len(self.step.calls)

    def decide(self, turn: Turn) -> Decision:
        """The next of the calls, or the model's own. Raises Drifted where one cannot be made."""
        assert self.model is not None, "somebody goes on"
        if not self.handed:
            if calls := self._done_before(turn):
                return calls
            self.handed = BROKE_OFF
            self.fallback = self.model
        if turn.observed is None and self.done:
            turn.notices = (
                *turn.notices,
                "This step was begun in a run that broke off. What had been done in it was done again,"
                " as the history tells: go on from here.",
            )
        return self.model.decide(turn)

    def _done_before(self, turn: Turn) -> Decision | None:
        """The next of the calls, None once all are made. Raises Drifted."""
        try:
            return self._calls(turn)
        except (Missing, Unreadable) as error:
            raise Drifted(self.told(str(error), self.healed)) from None


@dataclass
class Redoing(GoingOn):
    """Makes the calls of a planned task that broke off, whose roles then go on by its `record`."""

    record: TaskRecord | None = None

    def limit(self, steps: int) -> int:
        """The turn in which it ends is no step of the task either."""
        return super().limit(steps) + 1

    def decide(self, turn: Turn) -> Decision:
        """The next of the calls, or the end. Raises Drifted where one cannot be made."""
        if calls := self._done_before(turn):
            return calls
        self.handed = BROKE_OFF
        return Decision([ProposedToolCall("goes_on", reason=BROKE_OFF)], model=NAME)


@dataclass
class Returning:
    """The way of one test; `lost` is told why it ends before it is where the test broke off.

    `saved` is told, of each step that is done again, which it is and how often no model is asked.
    """

    broken: Broken
    lost: Callable[[str], None]
    saved: Callable[[tuple[str, int], int], None] = lambda at, calls: None
    off: bool = field(default=False, init=False)

    def replayer(
        self,
        key: Key,
        at: tuple[str, int] | None,
        hands: Hands,
        again: Callable[[], Again],
        model: Model | None,
    ) -> Replayer | None:
        """Who does a step again, None where it is done as ever. Raises Drifted.

        `at` is the name of its webtask and its number, None for a further page's. `model` goes on
        where the step had not ended.
        """
        before = self.broken.steps.get(at) if at else None
        if self.off or at is None or before is None or before.as_ever:
            return None
        sentence = hands.data.scrub(key.sentence)

        def told(said: str, heals: Sequence[Heal]) -> str:
            return self._told(f"{key.kind}({sentence!r})", hands.data.scrub(said), heals)

        if (before.kind, before.sentence) != (key.kind, sentence):
            was = f"{before.kind}({before.sentence!r})"
            raise Drifted(told(f"in its place there was {was}", ()))

        if before.ended and before.made is not None:
            self.saved(at, before.calls_of_models)
            step = before.made.model_copy(update={"occurrence": key.occurrence})
            return DoneAgain(step, hands, again(), told=told, unkept=before.recorded)
        # From here on the test goes on as ever.
        self.off = True
        if model is None or key.kind != "do" or not (before.calls or before.record):
            return None
        self.saved(at, before.calls_of_models)
        step = self._begun(before, key, hands, again())
        if before.record is not None:
            return Redoing(step, hands, again(), told=told, model=model, record=before.record)
        return GoingOn(step, hands, again(), told=told, model=model)

    def _begun(self, before: Before, key: Key, hands: Hands, again: Again) -> Step:
        """What had been done of a step."""
        names = names_in(texts_in([key.sentence, *(call.parameters for call in before.calls)]))
        used = {n: v for n, v in hands.data.shown.items() if n in names and v is not None}
        done = Iteration(number=1, role="worker", calls=tuple(before.calls), started=0.0, time=0.0)
        made = Recorder(hands, key, again, (), used).made([done])
        # It checks nothing yet, and so is no step that can be replayed.
        return Step.model_construct(**dict(made))

    def _told(self, step: str, said: str, heals: Sequence[Heal]) -> str:
        lines = [
            f"{step} cannot be done again as in the run {self.broken.run}:",
            f"  {said}",
        ]
        lines += [f"  there is {heal.what} at {heal.new}" for heal in heals]
        told = "\n".join(lines)
        self.lost(told)
        return told
