"""How a conclusion is reviewed: lasting evidence, what code refuses, what the referee rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic_core import to_jsonable_python

from pytest_webtask.checks.base import Check, CheckResult, Fact, shortened
from pytest_webtask.checks.element import Attribute, Matches, State, Text
from pytest_webtask.checks.text import squashed
from pytest_webtask.checks.volatile import changing_pattern
from pytest_webtask.data import Placeholders
from pytest_webtask.tools.context import Hands, Mark
from pytest_webtask.tools.registry import ToolError
from pytest_webtask.types.agent import Conclusion, Ruling

__all__ = [
    "RefusedError",
    "Review",
    "StaleError",
    "concluded",
    "made_lasting",
    "run_checks",
    "with_before",
    "with_vanished",
]


REFUSALS_AT_MOST = 3
"""Conclusions that code refuses, before there is no verdict."""
RULINGS_AT_MOST = 3
"""Rulings against conclusions, and rulings of a page that has changed, before there is no verdict."""


class RefusedError(Exception):
    """Code or the referee has refused for the last time; the message has both opinions and the facts."""


class StaleError(Exception):
    """The page was judged and is another one now."""


@dataclass
class Review:
    """Reviews the conclusions of one step.

    `referee` rules, None where nobody does: what a literal sentence or a recording says needs none.
    `ruling` is the one that approved, `stale` how many did of a page that was another one then.
    """

    referee: Callable[[Conclusion], Ruling] | None = None
    refusals: int = 0
    rulings: list[Ruling] = field(default_factory=list)
    stale: int = 0
    ruling: Ruling | None = None
    _refused: dict[str, Ruling] = field(default_factory=dict)

    def refuse(self, opinion: str, problems: Sequence[str], results: Sequence[CheckResult]) -> None:
        """Send a conclusion back because of problems that code has found, if there are any.

        Raises ToolError, or RefusedError where that was the last time.
        """
        if not problems:
            return
        self.refusals += 1
        listed = "\n".join(f"- {each}" for each in problems)
        if self.refusals >= REFUSALS_AT_MOST:
            raise RefusedError(
                _both(
                    opinion, f"code refused its evidence {self.refusals} times:\n{listed}", results
                )
            )
        raise ToolError(f"this is not enough:\n{listed}")

    def approve(
        self,
        opinion: str,
        conclusion: Conclusion,
        results: Sequence[CheckResult],
        run_again: Callable[[], Sequence[CheckResult]],
    ) -> None:
        """Have the referee rule; afterwards all checks must hold on the page still.

        Raises ToolError where the facts do not prove it, RefusedError where that was the last time,
        StaleError where the page has changed meanwhile.
        """
        if self.referee is None:
            return
        # Pictures are named by what they show.
        pictures = [picture.name for picture in conclusion.pictures]
        key = json.dumps(
            [conclusion.model_dump(mode="json"), pictures], sort_keys=True, default=str
        )
        if before := self._refused.get(key):
            problem = (
                f"the same evidence was refused before: {_answer(before)}. Give in `evidence` a check"
                " of what is missing"
            )
            self.refuse(opinion, [problem], results)
        ruling = self.referee(conclusion)
        if ruling.proves:
            if not all(each.holds for each in run_again()):
                self.stale += 1
                if self.stale >= RULINGS_AT_MOST:
                    problem = f"the page has changed {self.stale} times while it was judged"
                    raise RefusedError(_both(opinion, problem, results))
                raise StaleError
            self.ruling = ruling
            return
        self._refused[key] = ruling
        self.rulings.append(ruling)
        answer = _answer(ruling)
        if len(self.rulings) >= RULINGS_AT_MOST:
            raise RefusedError(
                _both(opinion, f"the referee did not find it proved: {answer}", results)
            )
        raise ToolError(
            "A referee, who sees only the conclusion and the facts of your checks, does not find it"
            f" proved: {answer}. Look again whether it is so. If it is, give"
            " in `evidence` checks that show it more directly or completely; if not, conclude"
            " otherwise."
        )


def _answer(ruling: Ruling) -> str:
    """Return why a referee does not find something proved, as the end of a sentence without its period."""
    # They may repeat texts of the page: on one line they cannot pass for lines of a prompt.
    missing, counterexample = (
        squashed(text).rstrip(".") for text in (ruling.missing, ruling.counterexample)
    )
    parts = [
        missing and f"missing: {missing}",
        counterexample and f"all facts could be true and it could be false: {counterexample}",
    ]
    return "; ".join(filter(None, parts)) or "the referee gave no reason"


def _both(opinion: str, refusal: str, results: Sequence[CheckResult]) -> str:
    facts = [f"- {each.fact.describe()}" for each in results if each.holds and each.fact]
    lines = [f'"{opinion}" was concluded, but {refusal}']
    return "\n".join([*lines, *(["facts:", *facts] if facts else [])])


def run_checks(hands: Hands, checks: Sequence[Check]) -> list[CheckResult]:
    """Return what the page answers to checks, as it is now."""
    checker = hands.checker()
    return [checker.run(check) for check in checks]


def with_vanished(hands: Hands, results: Sequence[CheckResult]) -> list[CheckResult]:
    """Return results that say of those that fail what was shown for a moment, and how to cite it."""
    return [each if each.holds else _with_vanished(hands, each) for each in results]


def _with_vanished(hands: Hands, result: CheckResult) -> CheckResult:
    known = hands.observer.known
    cited = [getattr(result.check, name) for name in result.check.ids]
    names = [known[each].element.name for each in cited if isinstance(each, str) and each in known]
    page = hands.tabs.pages.get(result.tab)
    for text in (*result.values, *(names if result.problem else ())):
        if page is None or not text.strip() or result.kind in ("was_shown", "absent"):
            continue
        seen = hands.observer.vanished.was_shown(page, text, hands.data)
        if seen is not None:
            hint = f'; "{seen.text}" was shown for a moment and has gone: cite it by was_shown'
            if result.problem:
                return result.model_copy(update={"problem": result.problem + hint})
            return result.model_copy(update={"actual": (result.actual or "nothing") + hint})
    return result


def made_lasting(
    hands: Hands, results: Sequence[CheckResult], sentence: str, read: Sequence[str] = ()
) -> list[CheckResult]:
    """Return results whose checks expect what a replay will: whole texts of cited leaves.

    Parts of a text that change by themselves, and that neither the sentence nor its data name,
    become patterns, and so do texts that were `read` as a value; the fact says so.
    """
    named = f"{sentence}\n{hands.data.hidden(hands.data.fill(sentence))}"
    cited = {each.check.element_id for each in results if isinstance(each.check, (Text, Matches))}
    whole: list[CheckResult] = []
    for each in results:
        check, fact = each.check, each.fact
        whole.append(each)
        # What the referee sees of an element, a replay asks again: a message may say the contrary.
        if isinstance(check, (State, Attribute)) and check.element_id not in cited and fact:
            shown = run_checks(
                hands, [Text(element_id=check.element_id, text=fact.text)] if fact.text else []
            )
            whole += [one for one in shown if one.holds and one.leaf and not _is_name(each, one)]
    read = read or (texts_of(hands.output) if hands.has_output else [])
    return [_lasting(hands, each, named, read) for each in whole]


def with_before(hands: Hands, results: Sequence[CheckResult], since: Mark) -> list[CheckResult]:
    """Return results that say whether they held before a task that began at a mark."""
    data, pages = hands.data, hands.tabs.pages

    def outlined(text: str) -> str:
        return data.scrub(data.fill(text))

    return [
        hands.history.with_before(each, since, data.scrub(pages[each.tab].url), outlined)
        if each.tab in pages
        else each
        for each in results
    ]


def texts_of(value: Any) -> list[str]:
    """Return the texts and numbers that a value is made of."""
    value = to_jsonable_python(value)
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for each in value for text in texts_of(each)]
    return [] if value is None or isinstance(value, bool) else [str(value)]


def _is_name(result: CheckResult, shown: CheckResult) -> bool:
    """Whether what an element shows is the name by which it is known."""
    signature = result.target.signature if result.target else None
    return signature is not None and signature.name == shown.leaf


def _lasting(hands: Hands, result: CheckResult, named: str, read: Sequence[str]) -> CheckResult:
    check, fact = result.check, result.fact
    if fact is None or not result.holds:
        return result
    texts = [result.leaf] if result.leaf is not None else list(result.whole)
    secret = any(map(hands.data.uses_secret, check.expected_texts()))
    if any(hands.data.scrub(text) != text for text in texts):
        # A secret is recorded by its name, and only where the check names it.
        whole = hands.data.scrub(result.leaf or "")
        if not isinstance(check, Text) or check.exact or not secret:
            return result
        if hands.data.fill(whole) != result.leaf:
            return result
        exact = check.model_copy(update={"text": whole, "exact": True})
        return result.model_copy(update={"check": exact})
    put = Placeholders(_hinted(hands.data.shown, [*check.expected_texts(), named]))
    named = f"{named}\n{hands.data.fill(named)}"
    if result.leaf is None or not isinstance(check, Text):
        lasting = check.lasting([put.put(text) for text in texts], named) if texts else check
        return result.model_copy(update={"check": lasting})
    leaf = put.put(result.leaf)
    changing = changing_pattern(leaf, named, read)
    if changing is not None:
        pattern, parts = changing
        made = Matches(element_id=check.element_id, pattern=pattern)
        change = f"recorded as a pattern, in which {', '.join(parts)} may be any other of its kind"
        return result.model_copy(
            update={"check": made, "fact": fact.model_copy(update={"changes": change})}
        )
    if check.exact:
        return result
    all_of_it = check.model_copy(update={"text": leaf, "exact": True})
    return result.model_copy(update={"check": all_of_it})


def _hinted(shown: Mapping[str, str | None], texts: Sequence[str]) -> dict[str, str]:
    """Return the values that texts name, but for those that two names have."""
    used = {n: v for n, v in shown.items() if v is not None and any(f"{{{n}}}" in t for t in texts)}
    return {n: v for n, v in used.items() if list(used.values()).count(v) == 1}


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
            if each.was:
                fact["before the task"] = shortened(each.was, 200)
        if each.check.by_eye and each.picture:
            pictures.append(each.picture)
            fact["picture"] = len(pictures)
        facts.append(put.put_all(fact))
    return Conclusion(
        kind=kind,
        sentence=hands.data.hidden(sentence),
        actions=tuple(map(put.put, actions)),
        facts=tuple(facts),
        pictures=tuple(pictures),
        **more,
    )


def _fact(result: CheckResult) -> Fact:
    return result.fact or Fact(check=result.kind, expected=result.expected)
