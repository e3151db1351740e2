"""What the literal interpreter decides: a tool call for each clause, and its evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pytest_webtask.errors import NotLiteral, UnknownName, UsageError
from pytest_webtask.literal.claims import CLAIMS, READINGS, SELECTIONS
from pytest_webtask.literal.finder import Unresolved, Wanted, find_element
from pytest_webtask.literal.forms import ADVICE, FORMS, LISTS
from pytest_webtask.literal.grammar import Clause, check_names, parse_sentence
from pytest_webtask.types.agent import Decision, ProposedToolCall, ToolCall, Turn

__all__ = ["attempt_decision", "evidence_of_actions", "next_decision"]


NAME = "literal"


def next_decision(turn: Turn) -> Decision:
    """The next call; where an element cannot be found, the end of the session."""
    try:
        return attempt_decision(turn)
    except Unresolved as error:
        if turn.role == "verifier":
            return _decision("report_verdict", outcome="cannot_tell", reason=str(error))
        if turn.role == "reader":
            return _decision("report_nothing", reason=str(error))
        return _decision("abort", reason=str(error))


def attempt_decision(turn: Turn) -> Decision:
    """`decide`, but raises Unresolved for an element that is not found, or found twice."""
    if turn.role == "verifier":
        return _judge(turn)
    if turn.role == "reader":
        return _read(turn)
    return _act(turn)


def _act(turn: Turn) -> Decision:
    clauses = parse_sentence(turn.task)
    if len(clauses) > turn.max_steps:
        raise UsageError(
            f"the sentence has {len(clauses)} clauses, and a step may take {turn.max_steps}"
            " iterations: split it, or give max_steps"
        )
    check_names(clauses, turn.data)
    _check_resources(clauses, turn)
    if any(tool.name == "set_output" for tool in turn.tools):
        raise NotLiteral(f"literal sentences give no output: {turn.task!r}\n{ADVICE}")
    calls = [call for iteration in turn.iterations for call in iteration.calls]
    if calls and not calls[-1].success:
        return _decision("abort", reason=calls[-1].error or f"{calls[-1].tool} failed")
    done = sum(call.success for call in calls)
    if trouble := _stopped(turn) or _unanswered(turn):
        words = clauses[min(done, len(clauses)) - 1].words
        return _decision("abort", reason=f"{words}: {trouble}")
    if done >= len(clauses):
        pass

        given = {
            "summary": f"did all of: {turn.task}",
            "evidence": evidence_of_actions(turn, calls),
        }
        # The page may be on its way to where it has just been seen.
        call = ProposedToolCall("mark_done", given, waits=turn.timeout)
        return Decision([call], model=NAME)
    try:
        return Decision([_call(clauses[done], turn)], model=NAME)
    except Unresolved as error:
        raise Unresolved(f"{clauses[done].words}: {error}") from None


def _judge(turn: Turn) -> Decision:
    """The verdict on all clauses of a claim together."""
    from pytest_webtask.literal.claims import judge_claim

    clauses = parse_sentence(turn.task, CLAIMS)
    check_names(clauses, turn.data)
    outcome, reason, evidence, locators = judge_claim(turn, clauses)
    parameters = {"outcome": outcome, "reason": reason, "evidence": evidence}
    return Decision([ProposedToolCall("report_verdict", parameters, reason, locators)], model=NAME)


def _read(turn: Turn) -> Decision:
    """What is to be read, or the element that is to be selected."""
    from pytest_webtask.literal.claims import read_value, select_element

    selects = any(tool.name == "report_element" for tool in turn.tools)
    (clause,) = parse_sentence(turn.task, SELECTIONS if selects else READINGS)
    check_names([clause], turn.data)
    return Decision([(select_element if selects else read_value)(turn, clause)], model=NAME)


def _decision(tool: str, **parameters: str) -> Decision:
    return Decision([ProposedToolCall(tool, parameters)], model=NAME)


def _call(clause: Clause, turn: Turn) -> ProposedToolCall:
    parameters: dict[str, Any] = dict(clause.fixed)
    for parameter, template in clause.filled.items():
        parameters[parameter] = template.fill(turn.data, f"a {parameter}")
    for parameter, template in clause.typed.items():
        text = template.keep(turn.data)
        parameters[parameter] = [text] if parameter in LISTS else text
    locators = {}
    for parameter, named in clause.elements.items():
        wanted = Wanted(
            name=_tidy(named.name.fill(turn.data, "a name")),
            fit=named.fit,
            role=named.role,
            relation=named.relation,
            of=_tidy(named.of.fill(turn.data, "a name")) if named.of else "",
            of_kind=named.of_kind,
            sentence=clause.words,
        )
        found = find_element(turn.page, wanted, turn.timeout)
        parameters[parameter] = found.code
        locators[parameter] = found.locator
    return ProposedToolCall(clause.tool, parameters, clause.words, locators)


def _stopped(turn: Turn) -> str:
    """Return what is wrong if the last call led to where the test may not go."""
    events = turn.iterations[-1].events if turn.iterations else ()
    said = [event.text for event in events if event.kind in ("stopped", "left")]
    if not said:
        return ""
    return f"{'; '.join(said)}; allow it with --webtask-allow-origin if the test is to go there"


def _unanswered(turn: Turn) -> str:
    """Return what is wrong if the last call opened a question that the sentence says nothing of.

    Such a dialog was dismissed, so that what the call was meant for has not been done. An alert
    asks nothing, and what a handler of the test answers is the test's own affair.
    """
    if not turn.iterations or not turn.iterations[-1].calls:
        return ""
    call = turn.iterations[-1].calls[-1]
    asked = [
        event.text
        for event in turn.iterations[-1].events
        if event.kind == "dialog"
        and event.text.startswith(("confirm ", "prompt "))
        and event.text.endswith(" was dismissed")
    ]
    if not asked or "dialog" in call.parameters:
        return ""
    said = f"{', '.join(asked)}, since the sentence does not say how to answer it"
    if not any(form.opens_dialogs for form in FORMS if form.tool == call.tool):
        return f'{said}; let the test answer it, with page.on("dialog", ...)'
    return (
        f"{said}; write '... and accept the dialog', '... and dismiss the dialog' or "
        "'... and answer the dialog with \"...\"'"
    )


def _check_resources(clauses: tuple[Clause, ...], turn: Turn) -> None:
    for clause in clauses:
        resource = clause.typed.get("resources")
        if resource and not resource.names:
            name = resource.keep(turn.data)
            if name not in turn.resources:
                raise UnknownName("resource", name, turn.resources)


def _tidy(text: str) -> str:
    """Return the text with its white space folded, as it is on a page."""
    return " ".join(text.split())


_MOST = 6
_OPENED = re.compile(r"tab (\d+) opened: (\S+);")


def evidence_of_actions(turn: Turn, calls: Sequence[ToolCall]) -> list[dict[str, Any]]:
    """Checks of what the calls did, as far as the page still shows it.

    A field that was filled has its value, a box its state; a click may have led to another address,
    or opened a tab. What the page has done away with since, such as a form that was sent, says
    nothing.
    """
    made = [check for call in calls for check in _of(call)][-_MOST:]
    held = [check for check, told in zip(made, turn.check(made, {}), strict=True) if told.holds]
    return [*held, *_pages(turn)]


def _of(call: ToolCall) -> list[dict[str, Any]]:
    given = call.parameters
    element = {"element_id": given.get("element_id")}
    if call.tool == "fill":
        return [{"kind": "value", **element, "value": given["text"]}]
    if call.tool == "select_option" and len(given.get("options", ())) == 1:
        return [{"kind": "value", **element, "value": given["options"][0]}]
    if call.tool == "check":
        return [
            {"kind": "state", **element, "state": "checked" if given["checked"] else "unchecked"}
        ]
    return []


def _pages(turn: Turn) -> list[dict[str, Any]]:
    """The address that was led to, and the titles of the tabs that have opened."""
    found: list[dict[str, Any]] = []
    if turn.opened and turn.page.url != turn.opened and "*" not in turn.page.url:
        found.append({"kind": "url", "pattern": turn.page.url})
    for event in (event for iteration in turn.iterations for event in iteration.events):
        match = _OPENED.match(event.text)
        if match:
            page = next((p for p in turn.page.context.pages if p.url == match[2]), None)
            if page is not None and "*" not in page.url and page.url.startswith("http"):
                found.append({"kind": "url", "pattern": page.url, "tab": int(match[1])})
    return found
