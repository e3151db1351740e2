"""One page that tests show their HTML in, and check after check asked of it without a verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from playwright.sync_api import Locator, Page

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.checks.kinds import CHECKS
from pytest_webtask.tools.context import Hands
from pytest_webtask.types.agent import Observation
from pytest_webtask.webtask import Webtask
from tests.scripted import cited


@dataclass
class Desk:
    """Shows pages and asks checks of them.

    An element is told by its role and text ("cell:Mug"), by its id in the outline, or by a selector
    ("#total", "css=p"), as a model does that resolves elements itself.
    """

    page: Page
    webtask: Webtask
    seen: Observation | None = None

    @property
    def hands(self) -> Hands:
        """What the webtask works with."""
        return self.webtask._hands

    def show(self, body: str) -> Page:
        """Show a piece of HTML, and look at it."""
        self.page.set_content(f"<!doctype html><title>Test page</title><body>{body}")
        self.look()
        return self.page

    def look(self) -> Observation:
        """Look at the page."""
        self.seen = self.hands.observe()
        return self.seen

    def id_of(self, wanted: str) -> str:
        """The id of an element by its role and text."""
        assert self.seen is not None, "a page is shown first"
        return cited(SimpleNamespace(observation=self.seen), wanted)  # type: ignore[arg-type]

    def result(
        self, kind: str, data: Mapping[str, object] | None = None, **given: Any
    ) -> CheckResult:
        """What the page answers to a check, with the values of `data` in place of their names."""
        resolved: dict[str, Locator] = {}

        def named(wanted: str) -> str:
            if wanted.startswith(("css=", "#")):
                resolved[wanted] = self.page.locator(wanted)
                return wanted
            return self.id_of(wanted)

        for name in ("element_id", "other_id", "within"):
            if given.get(name):
                given[name] = named(given[name])
        if "element_ids" in given:
            given["element_ids"] = [named(each) for each in given["element_ids"]]
        [check] = CHECKS.validate_python([{"kind": kind, **given}])
        hands = self.hands
        hands.data = self.webtask._data.extended(data or {})
        try:
            return hands.checker(resolved).run(check)
        finally:
            hands.data = self.webtask._data

    def ask(self, kind: str, **given: Any) -> str:
        """What came of a check: "holds", "no: " and what is there, or "? " and why nobody knows."""
        checked = self.result(kind, **given)
        assert not (checked.holds and checked.problem), "what cannot be asked does not hold"
        if checked.problem:
            return f"? {checked.problem}"
        return "holds" if checked.holds else f"no: {checked.actual}"

    def text(self, element_id: str, text: str, **given: Any) -> str:
        """What comes of a check of a text."""
        return self.ask("text", element_id=element_id, text=text, **given)

    def value(self, element_id: str, value: str) -> str:
        """What comes of a check of a value."""
        return self.ask("value", element_id=element_id, value=value)

    def state(self, element_id: str, state: str) -> str:
        """What comes of a check of a state."""
        return self.ask("state", element_id=element_id, state=state)

    def absent(self, text: str, **given: Any) -> str:
        """What comes of a check that a text is nowhere."""
        return self.ask("absent", text=text, **given)

    def count(self, *element_ids: str) -> str:
        """What comes of a check that these are all."""
        return self.ask("count", element_ids=list(element_ids))

    def order(self, element_ids: list[str], texts: list[str]) -> str:
        """What comes of a check of an order."""
        return self.ask("order", element_ids=element_ids, texts=texts)
