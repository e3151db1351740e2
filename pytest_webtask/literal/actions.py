"""Decide the literal interpreter's next tool call, and the evidence when it is done."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter, methodcaller
from typing import Any
from urllib.parse import urlsplit

from pytest_webtask.checks.page import Url
from pytest_webtask.data.phrases import raise_limit
from pytest_webtask.errors import NotLiteral, UsageError
from pytest_webtask.literal.claims import (
    ask_condition,
    await_reading,
    judge_claim,
    read_value,
    select_element,
)
from pytest_webtask.literal.context import ClaimContext
from pytest_webtask.literal.finder import UnresolvedError
from pytest_webtask.literal.forms import ADVICE, CLAIMS, READINGS, SELECTIONS
from pytest_webtask.literal.grammar import Clause, Phrase, check_names, parse_sentence
from pytest_webtask.literal.waiting import find_element
from pytest_webtask.page.screenshots import point_out
from pytest_webtask.page.step_time import GRACE
from pytest_webtask.types.agent import Decision, ProposedToolCall, Turn

_decided = partial(Decision, model="literal", decided_by="literal")
_GIVES_UP: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "verifier": ("report_verdict", {"outcome": "cannot_tell"}),
    "reader": ("report_nothing", {}),
}
"""The calls with which roles that judge or read say that an element cannot be resolved."""


def refuse_lost_scope(turn: Turn, scope: Sequence[Phrase]) -> Decision | None:
    """End the session if the parts of the page that a step is limited to don't come; None if they do."""
    check_names([Clause("", scope=tuple(scope))], turn.data)
    try:
        await_reading(turn, scope, lambda context: bool(context.part))
    except UnresolvedError as error:
        return give_up(turn, error)
    return None


def give_up(turn: Turn, error: UnresolvedError) -> Decision:
    """End the session, since an element cannot be resolved."""
    point_out(turn.page, error.candidates)
    tool, more = _GIVES_UP.get(turn.role, ("abort", {}))
    call = ProposedToolCall(tool, {**more, "reason": str(error)})
    return _decided([call], missing=error.missing)


def decide_literally(turn: Turn) -> Decision:
    """Return the next call of a literal sentence. Raises UnresolvedError for a missing or ambiguous element."""
    if turn.role not in _GIVES_UP:
        return _act(turn)
    language, report = CLAIMS, judge_claim
    if turn.role == "reader":
        language, report = READINGS, read_value
    if any(tool.name == "report_element" for tool in turn.tools):
        language, report = SELECTIONS, select_element
    clauses = parse_sentence(turn.task, language)
    check_names(clauses, turn.data)
    _limited(clauses[0], turn)
    return _decided([report(turn, clauses)])


def _act(turn: Turn) -> Decision:
    clauses = parse_sentence(turn.task)
    _refuse_unfit(clauses, turn)
    calls = [call for iteration in turn.iterations for call in iteration.calls]
    done = sum(call.success for call in calls)
    if calls and not calls[-1].success:
        where = "" if calls[-1].ends else f"{clauses[done].words}: "
        return _aborted(f"{where}{calls[-1].error}")
    if trouble := _origin_problem(turn):
        return _aborted(f"{clauses[done - 1].words}: {trouble}")
    if done >= len(clauses):
        reasons = map(attrgetter("reason"), calls)
        skipped = filter(re.compile("skipped: ").match, reasons)
        summary = "; ".join([f"did all of: {turn.task}", *skipped])
        parameters = {"summary": summary, "evidence": _evidence_of(turn)}
        # The page may still be loading, so the evidence may need time.
        return _decided([ProposedToolCall("mark_done", parameters, waits=turn.timeout)])
    clause = _limited(clauses[done], turn)
    try:
        return _decided([_call(clause, turn)])
    except UnresolvedError as error:
        error.args = (f"{clause.words}: {error}",)
        raise


def _limited(clause: Clause, turn: Turn) -> Clause:
    """Return a clause with the seconds that are left to its sentence, and have the turn wait as long. Raises UsageError."""
    if not clause.seconds:
        return clause
    began = next(map(attrgetter("started"), turn.iterations), time.time())
    left = max(round(clause.seconds + began - time.time(), 1), 0.1)
    if turn.left(left) < left - GRACE:
        raise UsageError(
            f"{clause.seconds:g} s is longer than this step may take: {raise_limit('--webtask-step-limit')}, or for"
            " this task with do(..., timeout=)"
        )
    turn.timeout = turn.busy_timeout = left
    return replace(clause, seconds=left)


def _refuse_unfit(clauses: Sequence[Clause], turn: Turn) -> None:
    """Raise an error, before the first clause is done, for a sentence that cannot be done as a whole."""
    if len(clauses) > turn.max_steps:
        raise UsageError(
            f"the sentence has {len(clauses)} parts, but a step may have only {turn.max_steps}: split the"
            f" sentence, or {raise_limit('--webtask-max-steps')}"
        )
    check_names(clauses, turn.data)
    if any(tool.name == "set_output" for tool in turn.tools):
        raise NotLiteral(
            f"do() with output= needs a model: {turn.task!r}; without one, read the value with extract()\n"
            f"{ADVICE}"
        )


def _evidence_of(turn: Turn) -> list[dict[str, Any]]:
    """Return the address as evidence, if it is another than at the beginning, and will be the same next time."""
    if not turn.opened:
        return []
    url = turn.page.url
    below = urlsplit(url)._replace(netloc="").geturl()
    if url == turn.opened or re.search(r"[\d*]", below):
        return []
    return [Url(pattern=url).as_call()]


def _aborted(reason: str) -> Decision:
    return _decided([ProposedToolCall("abort", {"reason": reason})])


def _call_if(clause: Clause, turn: Turn) -> ProposedToolCall:
    """Return the call of a clause whose condition holds, the one that checks that, or one without effect."""
    then = clause.nested.get("then")
    found, context = ask_condition(turn, clause, awaits=then is None)
    if then and found.holds:
        return _call(replace(then, scope=clause.scope, seconds=clause.seconds), turn)
    if then:
        return ProposedToolCall("look", {}, f"skipped: {clause.words}: {found.reason}")
    note = {"note": clause.words, "evidence": [*map(methodcaller("as_call"), found.evidence)]}
    limit = f"{raise_limit('--webtask-timeout')}, or begin the sentence with: within 20 seconds"
    reason = f"{clause.words}: not so within {turn.timeout:.3g} s: {found.reason}; {limit}"
    if not found.holds:
        return ProposedToolCall("abort", {"reason": reason})
    return ProposedToolCall(clause.tool, note, clause.words, context.locators)


def _call(clause: Clause, turn: Turn) -> ProposedToolCall:
    if clause.nested:
        return _call_if(clause, turn)
    context = ClaimContext(turn, scope=clause.scope)
    parameters = context.parameters(clause)
    locators = {}
    for parameter, template in clause.elements.items():
        phrase = context.phrase(template, strict=False)
        hit = find_element(
            turn.page, phrase, turn.timeout, busy_timeout=turn.left(turn.busy_timeout)
        )
        parameters[parameter], locators[parameter] = hit.operated.found(phrase.of)
    return ProposedToolCall(clause.tool, parameters, clause.words, locators, clause.seconds)


def _origin_problem(turn: Turn) -> str:
    events = turn.iterations[-1].events if turn.iterations else ()
    return "; ".join(event.text for event in events if event.kind in ("stopped", "left"))
