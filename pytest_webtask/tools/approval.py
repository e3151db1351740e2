"""Review of conclusions: lasting evidence, problems found by code, rulings of the referee."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Literal

from pytest_webtask.checks.base import Check, CheckResult, Fact, abridged
from pytest_webtask.checks.element import Text
from pytest_webtask.checks.page_history import Mark
from pytest_webtask.data.text import squashed
from pytest_webtask.data.values import Placeholders, map_strings
from pytest_webtask.page.activity import FRAMES, LATE
from pytest_webtask.page.clock import clock_of
from pytest_webtask.tools.context import ToolCallContext
from pytest_webtask.tools.results import Ending, ToolError
from pytest_webtask.types.agent import Conclusion, Ruling

REFUSALS_AT_MOST = 3
"""The number of refusals by code that ends the review without a verdict."""
RULINGS_AT_MOST = 3
"""The number of adverse rulings, or of rulings on a changed page, that ends the review without a verdict."""


class RefusedError(Exception):
    """The last refusal by code or the referee: both opinions in `words`, and the facts of results."""

    def __init__(self, opinion: str, refusal: str, results: Sequence[CheckResult]) -> None:
        self.words = f'a model concluded "{opinion}", but {refusal}'
        facts = [f"- {each.fact.describe()}" for each in results if each.holds and each.fact]
        super().__init__("\n".join([self.words, *(["facts:", *facts] if facts else [])]))


class StaleError(Exception):
    """The page changed while the referee was judging it."""


@dataclass(frozen=True)
class Checkpoint:
    """Evidence that held in the middle of a task.

    `number` counts the checkpoints of the task from 1, `after` is the last action before it.
    """

    number: int
    after: str
    results: Sequence[CheckResult]

    def facts(self, call: ToolCallContext) -> Iterator[tuple[CheckResult, dict[str, Any]]]:
        """Yield each result with what the referee needs to know about when it held.

        A check of an element that is still on the page is run again, because what was done since may
        have undone it.
        """
        for each in self.results:
            fact: dict[str, Any] = {"checkpoint": self.number, "held after": self.after}
            if each.check.ids:
                now = replace(call.checker(), at_once=True).run(each.check)
                if not now.problem:
                    fact["so now"] = now.holds
            yield each, fact


Kind = Literal["claim", "value", "element", "task"]


@dataclass
class Review:
    """Reviews the conclusions about one sentence.

    `referee` is None for literal sentences and recordings, which need no ruling. `ruling` is the
    approving one, `rulings` are the others: adverse ones, and those on a page that had changed.
    `gives_up_with` is the tool that a session counts as ended with after the last refusal.
    """

    referee: Callable[[Conclusion], Ruling] | None = None
    sentence: str = ""
    refusals: int = 0
    rulings: list[Ruling] = field(default_factory=list)
    ruling: Ruling | None = None
    gives_up_with: str = ""
    _refused: dict[str, Ruling] = field(default_factory=dict)

    def settle(self, call: ToolCallContext, conclude: Callable[[], Ending]) -> Ending:
        """Return what is concluded, once more if the page has changed meanwhile, or what follows the last refusal."""
        while True:
            try:
                return conclude()
            except StaleError:
                continue
            except RefusedError as refused:
                return self.given_up(call.data.scrub(str(refused)))

    def given_up(self, why: str) -> Ending:
        """Return the ending after the last refusal."""
        return Ending(done=False, words=why, tool=self.gives_up_with)

    def refuse(self, opinion: str, problems: Sequence[str], results: Sequence[CheckResult]) -> None:
        """Refuse a conclusion if code has found problems.

        Raises ToolError, or RefusedError after the last attempt.
        """
        if not problems:
            return
        self.refusals += 1
        listed = "\n".join(f"- {each}" for each in problems)
        if self.refusals >= REFUSALS_AT_MOST:
            refusal = f"its evidence was rejected {self.refusals} times:\n{listed}"
            raise RefusedError(opinion, refusal, results)
        raise ToolError(f"the evidence is not enough:\n{listed}")

    def conclude(
        self,
        call: ToolCallContext,
        kind: Kind,
        opinion: str,
        facts: Sequence[CheckResult],
        **more: Any,
    ) -> None:
        """Have the conclusion from facts approved, for `more` of it see `concluded`. Raises like `approve`."""
        checks = [each.check for each in facts]
        conclusion = concluded(call, kind, self.sentence, facts, **more)
        self.approve(opinion, conclusion, facts, lambda: call.checker().run_all(checks))

    def approve(
        self,
        opinion: str,
        conclusion: Conclusion,
        results: Sequence[CheckResult],
        run_again: Callable[[], Sequence[CheckResult]],
    ) -> None:
        """Ask the referee for a ruling, after which all checks must still hold.

        Raises ToolError if the facts do not prove the conclusion, RefusedError after the last attempt,
        and StaleError if the page has changed meanwhile.
        """
        if self.referee is None:
            return
        if before := self._refused.get(conclusion.key):
            problem = (
                f"the same evidence was rejected before: {_answer(before)}. Add to `evidence` a check"
                " of what is missing"
            )
            self.refuse(opinion, [problem], results)
        ruling = self.referee(conclusion)
        if ruling.proves and all(each.holds for each in run_again()):
            self.ruling = ruling
            return
        self.rulings.append(ruling)
        answer = _answer(ruling)
        refusal = f"the referee, which sees only the facts, did not find it proved: {answer}"
        if ruling.proves:
            refusal = "the page changed while it was judged"
        if len(self.rulings) >= RULINGS_AT_MOST:
            raise RefusedError(opinion, refusal, results)
        if ruling.proves:
            raise StaleError
        self._refused[conclusion.key] = ruling
        raise ToolError(
            "A referee, who sees only the conclusion and the facts of your checks, does not find it"
            f" proved: {answer}. Look at the page again. If the conclusion is true, pass in `evidence`"
            " checks that show it more directly or completely; if not, change the conclusion."
        )


def _answer(ruling: Ruling) -> str:
    """Return the referee's reason as the end of a sentence, without a period."""
    # Reasons may repeat page texts, which on one line cannot pass for lines of a prompt.
    missing, counterexample = (
        squashed(text).rstrip(".") for text in (ruling.missing, ruling.counterexample)
    )
    parts = [
        missing and f"missing: {missing}",
        counterexample and f"all facts could be true and the conclusion false: {counterexample}",
    ]
    return "; ".join(filter(None, parts)) or "the referee gave no reason"


def quiet_for(checks: Sequence[Check]) -> float:
    """Return for how many seconds a page must not have changed before checks of it count.

    What is absent or counted may be so only while the page is being built.
    """
    return LATE if any(each.negative or each.of_set or each.of_all for each in checks) else FRAMES


def made_lasting(
    call: ToolCallContext, results: Sequence[CheckResult], sentence: str
) -> list[CheckResult]:
    """Return results with checks in their recorded form, which expect the whole texts of cited leaves."""
    cited = {each.check.cited_id for each in results if each.check.aspect == "text"}
    whole: list[CheckResult] = []
    for each in results:
        whole.append(each)
        # A replay must check the whole text that the referee saw, as the rest may negate it.
        if each.check.aspect == "state" and each.check.cited_id not in cited:
            whole += _text_of(call, each)
    return [_lasting(call, each, sentence) for each in whole]


def _text_of(call: ToolCallContext, result: CheckResult) -> list[CheckResult]:
    """Return a check of the whole text of the leaf whose state is cited, unless that is the name by which it is known."""
    text = result.fact.text if result.fact else ""
    if not text:
        return []
    name = result.target.pinned.name if result.target else None
    shown = call.checker().run(Text(element_id=result.check.cited_id, text=text))
    return [shown] if shown.leaf and shown.holds and shown.whole != (name,) else []


def with_before(
    call: ToolCallContext,
    results: Sequence[CheckResult],
    since: Mark,
    checkpoints: Sequence[Checkpoint] = (),
) -> list[CheckResult]:
    """Return results with `held_before` and `held_at` set for a task that began at a mark.

    `checkpoints` are all of the task so far.
    """
    data, pages, history = call.data, call.session.tabs.pages, call.step.history
    marks = history.checkpoints[len(history.checkpoints) - len(checkpoints) :]

    def compared(result: CheckResult) -> CheckResult:
        if result.tab not in pages:
            return result
        url = data.scrub(pages[result.tab].url)
        check = result.check.with_texts(lambda text: data.scrub(data.fill(text)))

        def before(mark: Mark) -> tuple[bool | None, str]:
            cited = check.cited_id if check.ids else None
            return history.before(check.held_before, cited, mark, url)

        def held_at(checkpoint: Checkpoint, mark: Mark) -> bool | None:
            if any(each.check == result.check for each in checkpoint.results):
                return True
            return None if check.time == "step" else before(mark)[0]

        held, was = before(since)
        then = tuple(map(held_at, checkpoints, marks))
        return result.model_copy(update={"held_before": held, "was": was, "held_at": then})

    return [*map(compared, results)]


def _lasting(call: ToolCallContext, result: CheckResult, sentence: str) -> CheckResult:
    """Return a result whose check expects all that the page shows of what is cited, with placeholders for data.

    A text with a secret in it is recorded only as far as it was cited.
    """
    check, texts = result.check, [*result.whole]
    if not (texts and result.fact and result.holds):
        return result
    if [*map(call.data.scrub, texts)] != texts:
        return result
    hints = [sentence, *(each for each in check.expected_texts() if "{" in each)]
    used = _named_in(call.data.plain, hints)
    # A value with two names stays as it is.
    put = Placeholders({n: v for n, v in used.items() if [*used.values()].count(v) == 1}, *hints)
    lasting = check.lasting(tuple(map(put.put, texts)), leaf=result.leaf)
    return result.model_copy(update={"check": lasting})


def _named_in(values: Mapping[str, str], texts: Sequence[str]) -> dict[str, str]:
    return {n: v for n, v in values.items() if any(f"{{{n}}}" in text for text in texts)}


def concluded(
    call: ToolCallContext,
    kind: Kind,
    sentence: str,
    results: Sequence[CheckResult],
    *,
    actions: Sequence[str] = (),
    checkpoints: Sequence[Checkpoint] = (),
    deviations: Sequence[str] = (),
    **more: Any,
) -> Conclusion:
    """Return a conclusion with its facts for the referee, with placeholders for data.

    The facts of the checkpoints of a task follow those of its end.
    """
    put = Placeholders(_named_in(call.data.plain, [sentence]), sentence)
    timed = [(each, dict[str, Any]()) for each in results]
    timed += chain.from_iterable(each.facts(call) for each in checkpoints)
    pictures = [each.picture for each, _ in timed if each.picture]
    facts = []
    for number, (each, when) in enumerate(timed, 1):
        fact = each.fact or Fact(check=each.kind, expected=each.expected)
        shown = {"number": number, **fact.as_json(), **when}
        if kind == "task":
            shown |= _held_earlier(each)
        if each.picture in pictures:
            shown["picture"] = pictures.index(each.picture) + 1
        # A value in the tool's own words is there by chance.
        own = {name: shown[name] for name in shown.keys() & {"note", "position"}}
        own = map_strings(own, lambda text: text.replace(call.step.step.name, "the task"))
        facts.append({**put.put_all(shown), **own})
    now, _ = clock_of(call.page)
    return Conclusion(
        today=f"{now:%A, %Y-%m-%d}" if now else "",
        kind=kind,
        sentence=call.data.hidden(sentence),
        actions=tuple(map(put.put, actions)),
        deviations=tuple(put.put(call.data.scrub(each)) for each in deviations),
        facts=tuple(facts),
        pictures=tuple(pictures),
        **more,
    )


def _held_earlier(result: CheckResult) -> dict[str, Any]:
    """Return for the referee whether a fact of a task was so before it, and at the last checkpoint."""

    def known(held: bool | None) -> bool | str:
        return "unknown" if held is None else held

    if result.check.time == "earlier":
        return {}
    earlier: dict[str, Any] = {"so before the task": known(result.held_before)}
    if result.was:
        earlier["before the task"] = abridged(result.was, 200)
    if result.held_at:
        earlier[f"so at checkpoint {len(result.held_at)}"] = known(result.held_at[-1])
    return earlier
