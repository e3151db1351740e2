"""The reader: finds on the page what a test asks for, a value or an element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pytest_webtask.agent.loop import Brief, Loop
from pytest_webtask.agent.session import retry_until
from pytest_webtask.agent.verifier import READING, judged
from pytest_webtask.llm import Model
from pytest_webtask.tools.context import Hands
from pytest_webtask.tools.extraction import Request, report_nothing
from pytest_webtask.tools.registry import Tool, Toolbox
from pytest_webtask.tools.review import Review
from pytest_webtask.types.agent import Conclusion, Iteration, Ruling, Seen

ROLE = "reader"


@dataclass(frozen=True)
class Extractor:
    """Answers one question after another, each by itself; `referee` rules, `write` journals."""

    model: Model
    hands: Hands
    write: Callable[..., None]
    instructions: str = ""
    max_steps: int = 20
    referee: Callable[[Conclusion], Ruling] | None = None
    done: list[Iteration] = field(default_factory=list)
    """Those of all answers."""

    def find(
        self, what: str, gives: Callable[[Request], Sequence[Tool]], timeout: float
    ) -> Request:
        """What `gives` reports, which is given `timeout` seconds to appear."""
        return retry_until(self.hands, timeout, lambda left: self._ask(what, gives, left))

    def _ask(
        self, what: str, gives: Callable[[Request], Sequence[Tool]], left: float
    ) -> tuple[Request, bool, Seen | None]:
        hands = self.hands
        wanted = Request(
            missing=f"the reader did not answer within {self.max_steps} iterations",
            question=what,
            review=Review(self.referee),
            reviewed=lambda: not _exact(self.model),
        )
        loop = Loop(
            brief=Brief(ROLE, what, self.max_steps, instructions=self.instructions, timeout=left),
            model=self.model,
            tools=Toolbox([*READING, *gives(wanted), report_nothing(wanted)]),
            hands=hands,
            write=self.write,
        )
        done = list(loop.run())
        self.done.extend(done)
        return wanted, wanted.found or wanted.given_up, judged(done, hands, _exact(self.model))


def _exact(model: Model) -> bool:
    """Whether a literal sentence or a recording decides, which waits itself and needs no ruling."""
    return any(bool(getattr(model, who, False)) for who in ("literal", "replays"))
