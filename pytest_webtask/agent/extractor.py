"""The reader: finds the value or the element that a test asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_webtask.agent.loop import PageReader
from pytest_webtask.agent.session import last_seen, wait_for_change
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
        """Return the finding reported by the tools of `gives`, waiting up to `timeout` seconds.

        The model is asked again only after a change of the page, and a last time after `timeout` if the
        page changed while it was asked.
        """
        left, last = self.context.time.countdown(timeout), False
        while True:
            finding, page = self._ask(what, gives, max(left(), 0.0))
            if last or page is None or not wait_for_change(self.context, page, left):
                return finding
            last = left() <= 0

    def _ask(
        self, what: str, gives: Callable[[Request], Sequence[Tool]], left: float
    ) -> tuple[Finding, Seen | None]:
        """Return a finding, and the page on which it is not final."""
        request = Request(self.referee, what)
        loop = self.loop(what, left, *gives(request), report_nothing)
        begun = len(self.done)
        self.done.extend(loop.run())
        finding = Finding(missing=f"the model gave no answer within {loop.limit}")
        if loop.ending is not None and isinstance(loop.ending.conclusion, Finding):
            finding = loop.ending.conclusion
        final = finding.found or finding.final or loop.out_of_time
        if final or not self.model.traits.needs_review:
            # A model without review has waited itself.
            return finding, None
        return finding, last_seen(self.done[begun:]) or self.context.observe().seen
