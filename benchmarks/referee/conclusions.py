"""Pairs as a referee gets them: each with the facts that code establishes on its scene."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, cast

from playwright.sync_api import Locator, Page

from benchmarks.referee.pairs import EARLIER, Pair
from pytest_webtask.agent.referee import Referee
from pytest_webtask.checks.base import Check, CheckResult
from pytest_webtask.checks.floor import basic_problems, problems
from pytest_webtask.data.values import Data
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.tools.approval import concluded, made_lasting
from pytest_webtask.tools.context import ToolCallContext
from pytest_webtask.types.agent import Conclusion, Decision, ProposedToolCall, Turn
from pytest_webtask.types.model import ModelTraits
from tests.checks.desk import STEP

__all__ = ["Submitted", "capture", "submit"]


@dataclass(frozen=True)
class Submitted:
    """A pair on its way to the referee: `refused` is what code has against it, "" where nothing."""

    pair: Pair
    refused: str = ""
    conclusion: Conclusion | None = None


def submit(pair: Pair, page: Page, webtask: Webtask) -> Submitted:
    """Run the checks of a pair on the page and put its conclusion together, as the tools do."""
    earlier = EARLIER.get(pair.scene, ())
    call = ToolCallContext(replace(webtask._runner.context(STEP), earlier=earlier))
    resolved: dict[str, Locator] = {}
    checks = [_check(dict(each), page, resolved) for each in pair.checks]
    context = call.step.checker(resolved)
    results: list[CheckResult] = [context.run(check) for check in map(Check.parse, checks)]
    if pair.kind == "task":
        results = [
            result.model_copy(update={"held_before": given.get("held_before")})
            for result, given in zip(results, pair.checks, strict=True)
        ]
    wrong = basic_problems(results)
    if pair.kind == "claim" and pair.outcome == "holds":
        wrong = problems(pair.sentence, results, {})
    if wrong:
        return Submitted(pair, refused="; ".join(wrong))
    if pair.kind == "element":
        shown = {"kind": "state", "element_id": f"css={pair.css}", "state": "visible"}
        resolved[f"css={pair.css}"] = page.locator(str(pair.css))
        context = call.step.checker(resolved)
        results = [context.run(check) for check in (Check.parse(shown),)]
        assert results[0].holds and results[0].fact, results[0].explain()
        fact = results[0].fact.model_copy(update=context.among(f"css={pair.css}"))
        results = [results[0].model_copy(update={"fact": fact})]
    elif pair.kind != "value":
        results = made_lasting(call, results, pair.sentence)
    more: dict[str, Any] = {}
    if pair.kind == "claim":
        more = {"outcome": pair.outcome}
    elif pair.kind == "value":
        more = {"value": pair.value}
    elif pair.kind == "task":
        more = {"actions": pair.actions}
    made = concluded(call, pair.kind, pair.sentence, results, **more)
    return Submitted(pair, conclusion=made)


def _check(given: dict[str, Any], page: Page, resolved: dict[str, Locator]) -> dict[str, Any]:
    given.pop("held_before", None)
    if given["kind"] == "count":
        given.pop("number", None)
    for name, field in (("css", "element_id"), ("css_other", "other_id"), ("css_within", "within")):
        if css := given.pop(name, None):
            code = f"css={css}"
            resolved[code] = page.locator(css)
            given[field] = code
    if css := given.pop("css_all", None):
        number = page.locator(css).count()
        codes = [f"css={css} >> nth={at}" for at in range(number)]
        resolved |= {code: page.locator(css).nth(at) for at, code in enumerate(codes)}
        given["element_ids"] = codes
    return given


def capture(conclusion: Conclusion) -> Turn:
    """Return the turn that a referee would be given."""
    seen: list[Turn] = []

    def decide(turn: Turn) -> Decision:
        seen.append(turn)
        answer = {"counterexample": "", "proves": False}
        return Decision([ProposedToolCall("rule", answer)])

    model = cast(Any, SimpleNamespace(decide=decide, traits=ModelTraits()))
    Referee(model, Data(), lambda _event: None)(conclusion)
    return seen[0]
