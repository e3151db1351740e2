"""The referee: says once whether a text that differs from its recording changes by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pydantic import Field

from pytest_webtask.loop import Brief, Loop
from pytest_webtask.models import Model
from pytest_webtask.roles.verifier import READING
from pytest_webtask.tools import Args, Tool, Toolbox
from pytest_webtask.tools.hands import Ending, Hands

ROLE = "referee"
_MAX_STEPS = 5


class Answer(Args):
    """The answer to the question."""

    changes_by_itself: bool = Field(
        description="Whether it will be another text in each run, however well the application works."
    )


@dataclass(frozen=True)
class Referee:
    """Answers one question after another; `write` journals."""

    model: Model
    hands: Hands
    write: Callable[..., None]
    instructions: str = ""

    def ask(self, sentence: str, differences: Sequence[tuple[str, str]]) -> bool:
        """Whether all differences, of what was recorded and what is there, are the application's."""
        answers: list[bool] = []

        def answer(hands: Hands, args: Answer) -> str:
            answers.append(args.changes_by_itself)
            hands.ending = Ending(done=args.changes_by_itself, words=args.reason)
            return ""

        tool = Tool("answer", "End the session with your answer.", Answer, answer, claims=True)
        told = [f"recorded was: {old} - there is now: {new}" for old, new in differences]
        # What the page says is told with the page, and not in the question.
        question = (
            f'In the step "{sentence}": do the texts that differ from the recorded ones change by'
            " themselves?"
        )
        loop = Loop(
            brief=Brief(ROLE, question, _MAX_STEPS, instructions=self.instructions, actions=told),
            model=self.model,
            tools=Toolbox([*READING, tool]),
            hands=self.hands,
            write=self.write,
        )
        outer, self.hands.ending = self.hands.ending, None
        try:
            list(loop.run())
        finally:
            self.hands.ending = outer
        return answers == [True]
