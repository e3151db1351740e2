"""The memory of a step for later ones: its calls in words, its facts, its value."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic_core import to_jsonable_python

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.data.phrases import quote
from pytest_webtask.data.values import Data, map_strings
from pytest_webtask.page.locator_parser import describe_locator
from pytest_webtask.types.agent import EarlierStep, Iteration, ToolCall, WorkerSession
from pytest_webtask.types.page import Target

_RESULT = 200
_LONGEST_FACT = 400


def describe_calls(iterations: Iterable[Iteration], data: Data) -> tuple[str, ...]:
    """Return a line for each action on the page, each checkpoint and each event, in words.

    Placeholders of values are filled in, those of secrets stay.
    """
    lines: list[str] = []
    for iteration in iterations:
        lines += _done_in(iteration, data)
        lines += [f"the page: {event.text}" for event in iteration.events]
    return tuple(map(data.scrub, lines))


def _done_in(iteration: Iteration, data: Data) -> Iterator[str]:
    for call in iteration.calls:
        if call.evidence:
            yield f"shown then: {'; '.join(remembered_facts(call.evidence))}"
        elif call.success and call.acts:
            gave = f" gave {quote(call.result[:_RESULT])}" if call.informs else ""
            yield describe_call(call, data) + gave


def remembered_facts(evidence: Iterable[CheckResult]) -> tuple[str, ...]:
    """Return a short line for each check of the page that could be run: what the page showed."""
    shown = (_shown(each) for each in evidence if each.check.time != "earlier" and not each.problem)
    return tuple(dict.fromkeys(shown))


def describe_checks(evidence: Iterable[CheckResult]) -> tuple[str, ...]:
    """Return one line per check with the facts established by code."""
    return tuple(
        (each.fact.describe() if each.fact else f"{each.about}: {each.expected}")[:_LONGEST_FACT]
        for each in evidence
    )


def _shown(result: CheckResult) -> str:
    if not result.holds:
        return result.explain()
    return result.fact.brief if result.fact else f"{result.subject}: {result.expected}"


def describe_target(target: Target) -> str:
    """Return the address of an element in words, or else what its locator says."""
    words = target.describe()
    return describe_locator(words) if words == target.locator else words


def describe_targets(targets: Mapping[str, Target]) -> str:
    """Return the elements of a call in words, the one that is acted upon first."""
    return " to ".join(describe_target(targets[name]) for name in sorted(targets))


def describe_value(value: Any, data: Data) -> str:
    """Return a value as JSON, without secrets and what is redacted."""
    return quote(data.scrub_values(to_jsonable_python(value, fallback=str)))


def as_part(session: WorkerSession, data: Data) -> EarlierStep:
    """Return a part of the task in work, for the worker of a later part."""
    return EarlierStep(
        kind="part",
        sentence=session.task_description,
        status=session.status.value,
        calls=describe_calls(session.iterations, data),
        facts=remembered_facts(session.evidence),
        words=session.feedback,
    )


def feedback_of(session: WorkerSession, sources: Sequence[CheckResult], data: Data) -> str:
    """Return the feedback of a task that was done: a line for each action, then for each fact."""
    lines: list[str] = []
    for iteration in session.iterations:
        lines += map(data.scrub, _done_in(iteration, data))
    lines += map("shown: {}".format, remembered_facts((*session.evidence, *sources)))
    return "\n".join(lines)


def describe_call(call: ToolCall, data: Data | None = None) -> str:
    """Return a call in words: its elements and values, with `data` filled in."""
    words = [call.tool, describe_targets(call.targets)]
    for name, value in call.given.items():
        filled = map_strings(value, data.fill_shown) if data else value
        words.append(f"{name}={quote(filled)}")
    return " ".join(filter(None, words))


def describe_actions(iterations: Sequence[Iteration]) -> list[str]:
    """Return the actions done on the page, and what was checked or awaited between them, in lines.

    The reasons for them are left out.
    """
    lines = []
    number = 0
    for iteration in iterations:
        for call in iteration.calls:
            if call.evidence:
                number += 1
                shown = "; ".join(remembered_facts(call.evidence))
                lines.append(f"checkpoint {number}, checked by code: {shown}")
            elif call.success and call.acts:
                lines.append(describe_action(call))
            elif call.success and call.replayed and call.result:
                lines.append(f"{describe_call(call)}: {call.result}")
        lines += [f"the page: {event.text}" for event in iteration.events]
    return lines


def describe_action(call: ToolCall) -> str:
    """Return an action in words, with what its element stands in."""
    words = describe_call(call)
    if call.target is None or not call.target.known.containers:
        return words
    around = ", ".join(quote(each.name) for each in call.target.known.containers)
    return f"{words} [under or in {around}]"
