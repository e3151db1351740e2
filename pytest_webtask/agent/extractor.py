"""The reader: finds the value or the element that a test asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_webtask.agent.loop import PageReader
from pytest_webtask.agent.session import retry_until
from pytest_webtask.tools.approval import Review
from pytest_webtask.tools.extraction import Request, report_nothing
from pytest_webtask.tools.registry import Tool
from pytest_webtask.tools.results import Finding
from pytest_webtask.types.page import Seen


class Extractor(PageReader):
    """Answers independent questions about the page."""

    role = "reader"

    def find(
        self, what: str, gives: Callable[[Request], Sequence[Tool]], timeout: float
    ) -> Finding:
        """Return the finding reported by the tools of `gives`, waiting up to `timeout` seconds."""
        return retry_until(self.context, timeout, lambda left: self._ask(what, gives, left))

    def _ask(
        self, what: str, gives: Callable[[Request], Sequence[Tool]], left: float
    ) -> tuple[Finding, bool, Seen | None]:
        request = Request(what, Review(self.referee))
        loop = self.loop(what, left, *gives(request), report_nothing(request))
        done = list(loop.run())
        self.done.extend(done)
        finding = loop.ending.conclusion if loop.ending else None
        if not isinstance(finding, Finding):
            missing = f"the model gave no answer within {loop.limit}"
            finding = Finding(missing=missing)
        final = finding.found or finding.final or loop.out_of_time
        if final or not self.model.traits.needs_review:
            # A model without review has waited itself.
            return finding, final, None
        seen = next((i.observed for i in reversed(done) if i.observed), None)
        return finding, final, seen or self.context.observe().seen
