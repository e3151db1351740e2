"""One page, one webtask and one verifier for all claims about a scene."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from playwright.sync_api import Browser, BrowserContext, Locator, Page
from pydantic import TypeAdapter, ValidationError
from shop.server import ShopServer

from pytest_webtask.checks import coverage, kinds
from pytest_webtask.checks.running import Answer as CheckAnswer
from pytest_webtask.tools.hands import Hands
from pytest_webtask.tools.verdict import Trial, problems
from pytest_webtask.webtask import Webtask
from tests.claims import scenes
from tests.claims.case import Claim, said_of
from tests.claims.liar import Lie
from tests.claims.look import Look
from tests.claims.pool import Pool
from tests.claims.telling import Told
from tests.site import Site

CHECK: TypeAdapter[Any] = TypeAdapter(kinds.Check)


@dataclass
class Scene:
    """A scene that is shown."""

    name: str
    page: Page
    webtask: Webtask
    model: Told
    _answers: dict[str, CheckAnswer | ValidationError] = field(default_factory=dict)

    @property
    def hands(self) -> Hands:
        """What the webtask works with."""
        return self.webtask._hands

    @cached_property
    def look(self) -> Look:
        """What is to be seen of it; it does not change."""
        return Look(self.page, self.hands.observe())

    @contextmanager
    def data(self, claim: Claim) -> Iterator[None]:
        """The claim's data are those of the webtask meanwhile, as in a step."""
        hands, own = self.hands, self.hands.data
        hands.data = own.extended(claim.data)
        try:
            yield
        finally:
            hands.data = own

    def evidence(self, claim: Claim) -> tuple[list[dict[str, Any]], dict[str, Locator]]:
        """The honest evidence for a claim."""
        return said_of(claim.evidence, self.look)

    def answer(self, check: Mapping[str, Any], locators: Mapping[str, Locator]) -> CheckAnswer:
        """What the page says to a check, which it says but once."""
        key = json.dumps(check, sort_keys=True)
        if key not in self._answers:
            try:
                asked = CHECK.validate_python(dict(check))
            except ValidationError as error:
                self._answers[key] = error
            else:
                self._answers[key] = self.hands.checker(locators).run(asked)
        known = self._answers[key]
        if isinstance(known, ValidationError):
            raise known
        return known

    def weigh(self, claim: Claim, lie: Lie, outcome: str = "holds") -> list[str]:
        """What code has against a verdict, as `report_verdict` finds it; empty if nothing."""
        try:
            answers = [self.answer(check, lie.locators) for check in lie.checks]
        except ValidationError as error:
            return [str(error)]
        trial = Trial(claim.sentence, self.hands.data.values)
        readings = [coverage.Reading(*each) for each in lie.readings.items()]
        return problems(trial, cast(Hands, self), outcome, "it is so", answers, readings)

    def words(self) -> str:
        """All that can be read, as `Hands.words` has it."""
        return self._words

    @cached_property
    def _words(self) -> str:
        return self.hands.words()

    @cached_property
    def pool(self) -> Pool:
        """All that is true of it."""
        return Pool(self.hands, self.look)


@dataclass
class Stage:
    """Shows one scene after another; the one that is shown stays until another is asked for."""

    browser: Browser
    arguments: dict[str, Any]
    shop: ShopServer
    database: Path
    context: BrowserContext | None = None
    scene: Scene | None = None

    def show(self, name: str, site: Site, webtask_for: Callable[..., Webtask]) -> Scene:
        """The scene of that name."""
        if self.scene is None or self.scene.name != name:
            self.clear()
            self.context = self.browser.new_context(**self.arguments)
            page = self.context.new_page()
            scenes.show(name, page, site, self.shop, self.database)
            model = Told()
            self.scene = Scene(name, page, webtask_for(page, model=model), model)
            with self.scene.hands.tabs.listening():
                pass  # so that it knows the second tab
        return self.scene

    def clear(self) -> None:
        """Close what is shown."""
        if self.context is not None:
            self.context.close()
        self.context = self.scene = None
