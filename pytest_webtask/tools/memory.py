"""The memory of a step for later ones: its calls in words, its facts, its value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic_core import to_jsonable_python

from pytest_webtask.checks.base import CheckResult
from pytest_webtask.data.phrases import quote
from pytest_webtask.data.values import Data, map_strings
from pytest_webtask.page.identity import TEST_IDS
from pytest_webtask.types.agent import EarlierStep, Iteration, ToolCall, WorkerSession
from pytest_webtask.types.page import Target

_RESULT = 200
_AUTHORED = (*TEST_IDS, "icon", "id", "name")


def describe_calls(iterations: Iterable[Iteration], data: Data) -> tuple[str, ...]:
    """Return a line for each action on the page, each checkpoint and each event, in words.

    Placeholders of values are filled in, those of secrets stay.
    """
    lines: list[str] = []
    for iteration in iterations:
        lines += [_describe(call, data) for call in iteration.calls if _counts(call)]
        lines += [f"the page: {event.text}" for event in iteration.events]
    return tuple(map(data.scrub, lines))


def remembered_facts(evidence: Iterable[CheckResult]) -> tuple[str, ...]:
    """Return a short line for each check of the page that could be run: what the page showed."""
    return tuple(
        _shown(each) for each in evidence if each.check.time != "earlier" and not each.problem
    )


def _shown(result: CheckResult) -> str:
    if not result.holds:
        return result.explain()
    return result.fact.brief if result.fact else f"{result.subject}: {result.expected}"


def describe_target(target: Target) -> str:
    """Return an element in words: its role and name, and the row or group that it is in.

    What has no name is called as its author calls it, what has neither by its locator.
    """
    known, item = target.known, target.pinned.item
    name = target.pinned.name or known.name
    authored = next(filter(None, map(known.marks.get, _AUTHORED)), None)
    words = [target.role or "element"]
    if name:
        words.append(quote(name))
    elif authored:
        words.append(f"called {quote(authored)}")
    elif not target.role:
        words = [target.locator or "an element"]
    if item:
        words.append(f"in {quote(item.name)}")
    return " ".join(words)


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
    calls = [call for i in session.iterations for call in i.calls if _counts(call)]
    lines = [data.scrub(_describe(each, data)) for each in calls]
    facts = remembered_facts((*session.evidence, *sources))
    return "\n".join([*lines, *(f"shown: {each}" for each in facts)])


def _counts(call: ToolCall) -> bool:
    return bool(call.evidence) or (call.success and call.acts)


def _describe(call: ToolCall, data: Data) -> str:
    if call.evidence:
        return f"shown then: {'; '.join(remembered_facts(call.evidence))}"
    gave = f"gave {quote(call.result[:_RESULT])}" if call.informs and call.result else ""
    return " ".join(filter(None, (describe_call(call, data), gave)))


def describe_call(call: ToolCall, data: Data | None = None) -> str:
    """Return a call in words: its elements and values, with `data` filled in."""
    values = {
        name: value
        for name, value in {**call.parameters, **call.recorded}.items()
        if value is not None and not name.endswith("element_id")
    }
    parts = [call.tool, describe_targets(call.targets)]
    parts += [
        f"{name}={_filled(value, data) if data else quote(value)}" for name, value in values.items()
    ]
    return " ".join(filter(None, parts))


def _filled(value: Any, data: Data) -> str:
    return quote(map_strings(value, data.fill_shown))


def describe_actions(iterations: Sequence[Iteration]) -> list[str]:
    """Return the actions done on the page, and what was checked or awaited between them, in lines.

    The reasons for them are left out.
    """
    lines = []
    number = 0
    at = next((i.observed.url for i in iterations if i.observed), "")
    for iteration in iterations:
        seen = iteration.observed
        if seen is not None and seen.url != at:
            lines.append(f"the page then: {seen.title} {seen.url}")
            at = seen.url
        for call in iteration.calls:
            number += bool(call.evidence)
            lines += filter(None, [_line_of(call, number)])
        lines += [f"the page: {event.text}" for event in iteration.events]
    return lines


def _line_of(call: ToolCall, checkpoint: int) -> str:
    """Return what was done, awaited, or checked by a checkpoint, "" if it was nothing of that."""
    if call.evidence:
        shown = "; ".join(remembered_facts(call.evidence))
        return f"checkpoint {checkpoint}, checked by code: {shown}"
    if call.success and call.acts:
        return describe_action(call)
    is_awaited = call.success and call.replayed and call.result
    return f"{describe_action(call)}: {call.result}" if is_awaited else ""


def describe_action(call: ToolCall) -> str:
    """Return an action in words, with the surroundings of its element."""
    return " ".join(filter(None, (describe_call(call), _surroundings(call.target or Target()))))


def _surroundings(target: Target) -> str:
    """Return the place, item, headings, part and dialog of an element, in brackets, "" if it has none."""
    known = target.known
    parts = {
        "under or in": ", ".join(quote(each.name) for each in known.containers),
        "item": known.marks.get("place", ""),
        "dialog": quote(known.marks["dialog"][:200]) if "dialog" in known.marks else "",
    }
    around = "; ".join(f"{name} {text}" for name, text in parts.items() if text)
    return f"[{around}]" if around else ""
