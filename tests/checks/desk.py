"""One page in which tests show HTML, and checks of it without a verdict."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from playwright.sync_api import Locator, Page

from pytest_webtask.checks.base import Check, CheckResult
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.tools.context import BrowserSession, StepContext
from pytest_webtask.types.agent import Observation
from pytest_webtask.types.step import Step
from tests.scripted import cited

STEP = Step("verify", "a claim", "a claim", None, 1)


@dataclass
class Desk:
    """Shows pages and runs checks on them.

    An element is named by its role and text ("cell:Mug"), by its id in the outline, or by a selector
    ("#total", "css=p"), as by a model that resolves elements itself.
    """

    page: Page
    webtask: Webtask
    _seen: Observation | None = None

    @property
    def browser(self) -> BrowserSession:
        """Return the browser session of the webtask."""
        return self.webtask._runner.browser

    @property
    def context(self) -> StepContext:
        """Return the context of a step with the data of the webtask."""
        return self.webtask._runner.context(STEP)

    def show(self, body: str) -> Page:
        """Show a piece of HTML. The first id that is asked for looks at it."""
        self.page.set_content(f"<!doctype html><title>Test page</title><body>{body}")
        self._seen = None
        return self.page

    def show_each(self, bodies: Iterable[str]) -> Page:
        """Show several pieces of HTML on one page; `id=x` of the nth becomes `id=xn`, from 0."""
        parts = [body.replace("id=x", f"id=x{n}") for n, body in enumerate(bodies)]
        return self.show("".join(f"<div>{part}</div>" for part in parts))

    def look(self) -> Observation:
        """Return a new observation of the page."""
        self._seen = self.browser.observe()
        return self._seen

    @property
    def seen(self) -> Observation:
        """The last observation of the page, a new one for a page that was not observed."""
        return self._seen or self.look()

    def id_of(self, role_and_text: str) -> str:
        """Return the id of an element by its role and text."""
        return cited(SimpleNamespace(observation=self.seen), role_and_text)  # type: ignore[arg-type]

    def result(
        self, kind: str, data: Mapping[str, object] | None = None, **fields: Any
    ) -> CheckResult:
        """Return the result of a check, with the values of `data` in place of their names."""
        resolved: dict[str, Locator] = {}

        def named(name: str) -> str:
            if name.startswith(("css=", "#")):
                resolved[name] = self.page.locator(name)
                return name
            return self.id_of(name)

        for field in ("element_id", "other_id", "within"):
            if fields.get(field):
                fields[field] = named(fields[field])
        if "element_ids" in fields:
            fields["element_ids"] = [named(each) for each in fields["element_ids"]]
        check = Check.parse({"kind": kind, **fields})
        runner = self.webtask._runner
        runner._active_data.current = runner.data.extended(data or {})
        try:
            return self.context.checker(resolved).run(check)
        finally:
            runner._active_data.current = runner.data

    def ask(self, kind: str, **fields: Any) -> str:
        """Return "holds", "no: " and what is there, or "? " and why the check could not run."""
        checked = self.result(kind, **fields)
        assert not (checked.holds and checked.problem), "a check that cannot run does not hold"
        if checked.problem:
            return f"? {checked.problem}"
        return "holds" if checked.holds else f"no: {checked.actual}"

    def text(self, element_id: str, text: str, **fields: Any) -> str:
        """Return the outcome of a check of a text."""
        return self.ask("text", element_id=element_id, text=text, **fields)

    def value(self, element_id: str, value: str) -> str:
        """Return the outcome of a check of a value."""
        return self.ask("value", element_id=element_id, value=value)

    def state(self, element_id: str, state: str) -> str:
        """Return the outcome of a check of a state."""
        return self.ask("state", element_id=element_id, state=state)

    def absent(self, text: str, **fields: Any) -> str:
        """Return the outcome of a check that a text is absent."""
        return self.ask("absent", text=text, **fields)

    def count(self, *element_ids: str) -> str:
        """Return the outcome of a check that the elements are all."""
        return self.ask("count", element_ids=list(element_ids))

    def order(self, element_ids: list[str], texts: list[str]) -> str:
        """Return the outcome of a check of an order."""
        return self.ask("order", element_ids=element_ids, texts=texts)
