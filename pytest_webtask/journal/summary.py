"""The totals of a run in lines for the terminal."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TypeVar

from pytest_webtask.data.escapes import one_line
from pytest_webtask.data.phrases import counted
from pytest_webtask.journal import DraftsEnded, JournalEvent, read
from pytest_webtask.journal.runs import Run, StepRecord, TestAttempt
from pytest_webtask.types.agent import Usage

T = TypeVar("T")
DECIDERS = {
    "literal": "literal",
    "replayed": "replayed",
    "model": "by a model",
    "healed": "healed",
}
_CAUSES = {"drifted": "drifted", "missing": "without a recording"}
"""The causes for which a step needs a model, in words."""
_HINTS = {"similar": "recorded as new: ", "paused": "", "unrecorded": "not recorded: ", "kept": ""}


def run_summary(folder: Path) -> list[str]:
    """Return the totals of a run in lines: steps by status, cost and heals; none if the run has no steps."""
    run = Run.of(read(folder))
    steps = [step for each in run.attempts.values() for step in each.steps]
    if not steps:
        return []
    lines = [_totals(steps), *_causes(run.last_attempts())]
    for (test, *_), attempt in run.attempts.items():
        for step in attempt.steps:
            lines += _notes(test, step)
    lines += _drafts(steps, chain.from_iterable(each.events for each in run.attempts.values()))
    lines += _needs(steps)
    if any(step.heals for step in steps):
        lines.append("if the elements with + are the right ones, type: pytest-webtask accept")
    return [*map(one_line, lines)]


def _totals(steps: Sequence[StepRecord]) -> str:
    statuses = Counter(step.status for step in steps)
    usage = sum((step.usage for step in steps), Usage())
    totals = (
        f"{counted(len(steps), 'step')} ({listed(statuses, {each: each for each in sorted(statuses)})})",
        listed(Counter(step.decided for step in steps), DECIDERS),
        counted(sum(len(step.iterations) for step in steps), "iteration"),
        f"{counted(usage.model_calls, 'model call')}{_tokens(usage)}",
    )
    return ", ".join(filter(None, totals))


def _needs(steps: Sequence[StepRecord]) -> Iterator[str]:
    """Yield how many steps would ask a model; several tests may share a step."""
    needs = {(need.file, need.key): need.cause for step in steps if (need := step.needed)}
    if causes := Counter[str](needs.values()):
        yield (
            f"would ask a model: {counted(causes.total(), 'step')} ({listed(causes, _CAUSES)}), and perhaps those after"
            " them; to let it decide, type: pytest --webtask-mode=auto --webtask-model=NAME"
        )


def _causes(tests: Mapping[str, TestAttempt]) -> list[str]:
    lines = [
        f"{each.cause.word}: {test}: {each.cause.grounds}"
        for test, each in tests.items()
        if each.cause
    ]
    return sorted(lines, key=lambda line: line.partition(":")[0])


def listed(counts: Counter[T], words: Mapping[T, str]) -> str:
    """Return counts in words, without zeros."""
    return ", ".join(f"{counts[each]} {word}" for each, word in words.items() if counts[each])


def price(usage: Usage) -> str:
    """Return a cost in dollars, in words if it is not known."""
    return "cost not known" if usage.cost is None else f"${usage.cost:.2f}"


def _tokens(usage: Usage) -> str:
    if not usage.tokens:
        return ""
    return f", {usage.tokens_in:,} tokens in, {usage.output_tokens:,} out, {price(usage)}"


def _notes(test: str, step: StepRecord) -> Iterator[str]:
    name = f"{step.kind}({step.sentence!r})"
    named = f"{test}: {name}"
    for heal in step.heals:
        how = "healed" if heal.used else "drifted"
        yield f"{how}: {name} in {heal.file}"
        for each in heal.heals:
            yield f"  - {each.old}"
            yield f"  + {each.new}   ({each.what})".removesuffix("   ()")
        for line in heal.changes:
            yield f"    {line}"
    for hint in step.hints:
        if hint.about in _HINTS:
            yield f"{named} was {_HINTS[hint.about]}{hint.words}"
    for iteration in step.iterations:
        if iteration.left:
            reason = iteration.left.rstrip(":")
            yield f"{named} is literal, but was left to a model: {reason}"
    if step.ok:
        for error in step.page_errors:
            yield f"{named} passed, but the application failed: {error}"
    for deviation in step.deviations:
        yield f"{named} was done otherwise than written: {deviation}"


def _drafts(steps: Sequence[StepRecord], events: Iterable[JournalEvent]) -> Iterator[str]:
    hints = chain.from_iterable(step.hints for step in steps)
    replayed = [hint.of_this_run for hint in hints if hint.about == "draft"]
    if replayed:
        origins = {False: "of tests that did not pass before", True: "decided earlier in this run"}
        yield f"drafts replayed: {listed(Counter(replayed), origins)}"
    ended = [event for event in events if isinstance(event, DraftsEnded)]
    if kept := sum(each.kept for each in ended):
        yield (
            f"drafts kept: {counted(kept, 'step')} of tests that did not pass;"
            " the next run replays them"
        )
    if dropped := sum(each.dropped for each in ended):
        yield (
            f"drafts dropped: {counted(dropped, 'step')} of tests that failed again;"
            " the next run asks a model"
        )
