"""Evidence on its way to a referee: made to last, and put together with what is concluded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pytest_webtask.checks.base import Check, CheckResult, Fact
from pytest_webtask.checks.element import Matches, Text
from pytest_webtask.checks.volatile import changing_pattern
from pytest_webtask.data.placeholders import Placeholders
from pytest_webtask.records import Conclusion
from pytest_webtask.tools.hands import Hands

__all__ = ["concluded", "made_lasting", "run_checks"]


def run_checks(hands: Hands, checks: Sequence[Check]) -> list[CheckResult]:
    """Return what the page answers to checks, as it is now."""
    checker = hands.checker()
    return [checker.run(check) for check in checks]


def made_lasting(hands: Hands, results: Sequence[CheckResult], sentence: str) -> list[CheckResult]:
    """Return results whose checks expect what a replay will: whole texts of cited leaves.

    Parts of a text that change by themselves, and that neither the sentence nor its data name,
    become patterns; the fact says so.
    """
    named = f"{sentence}\n{hands.data.hidden(hands.data.fill(sentence))}"
    return [_lasting(hands, each, named) for each in results]


def _lasting(hands: Hands, result: CheckResult, named: str) -> CheckResult:
    check, fact = result.check, result.fact
    if not isinstance(check, Text) or result.leaf is None or fact is None or not result.holds:
        return result
    whole = hands.data.scrub(result.leaf)
    if whole != result.leaf:
        # A secret is recorded by its name, and only where the check names it.
        if (
            check.exact
            or not hands.data.uses_secret(check.text)
            or hands.data.fill(whole) != result.leaf
        ):
            return result
        exact = check.model_copy(update={"text": whole, "exact": True})
        return result.model_copy(update={"check": exact})
    named = f"{named}\n{hands.data.fill(named)}"
    changing = changing_pattern(result.leaf, named)
    if changing is not None:
        pattern, parts = changing
        made = Matches(kind="matches", element_id=check.element_id, pattern=pattern)
        change = f"recorded as a pattern, in which {', '.join(parts)} may be any other of its kind"
        return result.model_copy(
            update={"check": made, "fact": fact.model_copy(update={"changes": change})}
        )
    if check.exact:
        return result
    exact = check.model_copy(update={"text": whole, "exact": True})
    return result.model_copy(update={"check": exact})


def concluded(
    hands: Hands,
    kind: Literal["claim", "value", "element", "task", "pattern"],
    sentence: str,
    results: Sequence[CheckResult],
    *,
    actions: Sequence[str] = (),
    **more: Any,
) -> Conclusion:
    """Return what a referee is asked: the conclusion and the facts, with placeholders for data."""
    shown = hands.data.shown
    used = {n: v for n, v in shown.items() if v is not None and f"{{{n}}}" in sentence}
    put = Placeholders(used)
    facts, pictures = [], []
    for number, each in enumerate(results, 1):
        fact: dict[str, Any] = {"number": number, **_fact(each).as_json()}
        if kind == "task":
            fact["so before the task"] = "unknown" if each.held_before is None else each.held_before
        if each.check.by_eye and each.picture:
            pictures.append(each.picture)
            fact["picture"] = len(pictures)
        facts.append(put.put_all(fact))
    return Conclusion(
        kind=kind,
        sentence=hands.data.hidden(sentence),
        actions=tuple(actions),
        facts=tuple(facts),
        pictures=tuple(pictures),
        **more,
    )


def _fact(result: CheckResult) -> Fact:
    return result.fact or Fact(check=result.kind, expected=result.expected)
