"""The reader: finds the value or the element that a test asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pytest_webtask.agent.loop import Brief, Loop
from pytest_webtask.agent.session import retry_until
from pytest_webtask.agent.verifier import judged
from pytest_webtask.journal import JournalEvent
from pytest_webtask.tools.approval import Review
from pytest_webtask.tools.context import StepContext
from pytest_webtask.tools.extraction import Request, report_nothing
from pytest_webtask.tools.navigation import READING_TOOLS
from pytest_webtask.tools.registry import Tool, Toolbox
from pytest_webtask.tools.results import Finding
from pytest_webtask.types.agent import Conclusion, EarlierSteps, Iteration, Ruling
from pytest_webtask.types.model import ModelWithTraits
from pytest_webtask.types.page import Seen

ROLE = "reader"


@dataclass(frozen=True)
class Extractor:
    """Answers independent questions about the page.

    `past` are the earlier steps of the test without the words of workers. `referee` rules, `write`
    journals.
    """

    model: ModelWithTraits
    context: StepContext
    write: Callable[[JournalEvent], None]
    instructions: str = ""
    past: EarlierSteps = field(default_factory=EarlierSteps)
    max_steps: int = 20
    referee: Callable[[Conclusion], Ruling] | None = None
    done: list[Iteration] = field(default_factory=list, init=False)
    """The iterations of all answers."""

    def find(
        self, what: str, gives: Callable[[Request], Sequence[Tool]], timeout: float
    ) -> Finding:
        """Return the finding reported by the tools of `gives`, waiting up to `timeout` seconds."""
        return retry_until(self.context, timeout, lambda left: self._ask(what, gives, left))

    def _ask(
        self, what: str, gives: Callable[[Request], Sequence[Tool]], left: float
    ) -> tuple[Finding, bool, Seen | None]:
        request = Request(what, Review(self.referee), lambda: self.model.traits.needs_review)
        loop = Loop(
            brief=Brief(
                ROLE,
                what,
                self.max_steps,
                instructions=self.instructions,
                past=self.past,
                timeout=left,
            ),
            model=self.model,
            tools=Toolbox([*READING_TOOLS, *gives(request), report_nothing(request)]),
            context=self.context,
            write=self.write,
        )
        done = list(loop.run())
        self.done.extend(done)
        finding = loop.ending.conclusion if loop.ending else None
        if not isinstance(finding, Finding):
            missing = f"the model gave no answer within {loop.limit}"
            finding = Finding(missing=missing)
        final = finding.found or finding.final
        if loop.out_of_time:
            return finding, True, None
        return finding, final, judged(done, self.context, not self.model.traits.needs_review)
