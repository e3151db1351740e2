"""Judge literal claims and read literal values on the live page until they hold or time is up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import chain
from typing import Any, TypeVar

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame

from pytest_webtask.checks.background import AnsweredRequest, Downloaded, NoFailure
from pytest_webtask.checks.base import Check, CheckResult
from pytest_webtask.checks.check_context import ask_facts
from pytest_webtask.checks.element import State, Value
from pytest_webtask.checks.page import Absent, BrowserDialog, Present, Title, Url, WasShown
from pytest_webtask.checks.sets import Count
from pytest_webtask.data.phrases import quote, with_article
from pytest_webtask.data.text import Number, dates_in, numbers_in, says
from pytest_webtask.errors import UsageError
from pytest_webtask.literal.finder import (
    ElementPhrase,
    MatchedElement,
    UnresolvedError,
    describe_rows,
    find_element,
    partial_lists,
    refuse_other_role,
    unreadable_page,
)
from pytest_webtask.literal.forms import ADVICE, KINDS, Form, Language, pluralize, wrapped
from pytest_webtask.literal.grammar import Clause, PhraseTemplate, Template
from pytest_webtask.literal.parts import (
    ClaimContext,
    PagePart,
    absence_checks,
    closest,
    draws_items,
    explain_bare_name,
    find_by_exact_name,
    find_members,
    find_part,
    find_parts,
)
from pytest_webtask.literal.queries import frame_code
from pytest_webtask.page import dom
from pytest_webtask.page.activity import find
from pytest_webtask.page.screenshots import point_out
from pytest_webtask.page.step_time import Deadline
from pytest_webtask.tools.approval import quiet_for
from pytest_webtask.types.agent import ProposedToolCall, Turn

T = TypeVar("T")
_LONGEST_QUOTE = 200


@dataclass(frozen=True)
class ClaimFinding:
    """The outcome of a claim, None if unclear, with the reason and the evidence.

    It is `missing` if a part of the page that it is about is not there.
    """

    holds: bool | None
    reason: str
    evidence: Sequence[Check] = ()
    missing: bool = False


@dataclass(frozen=True)
class Claim:
    """A clause as checks that all must hold, or with `either` one of them; `words` say what then holds.

    `explain` returns the reason for a check that failed, or another finding. `warn` returns what to add
    to the words, given the results. A check of a `moment` also suffices.
    """

    checks: Sequence[Check]
    words: str
    explain: Callable[[CheckResult], str | ClaimFinding] = CheckResult.explain
    warn: Callable[[Sequence[CheckResult]], str] = lambda _: ""
    either: bool = False
    moment: Check | None = None


def _judge(context: ClaimContext, claim: Claim) -> ClaimFinding:
    """Run the checks of a claim and return the finding."""
    results = context.check(*claim.checks)
    held = [result for result in results if result.holds]
    if held and (claim.either or len(held) == len(results)):
        evidence = [held[0].check] if claim.either else claim.checks
        return ClaimFinding(True, claim.words + claim.warn(results), evidence)
    if claim.moment and context.check(claim.moment)[0].holds:
        words = f"{claim.words}, in a message that has gone by itself"
        return ClaimFinding(True, words, [claim.moment])
    failed = next(result for result in results if not result.holds)
    if failed.problem:
        return ClaimFinding(None, failed.problem, claim.checks)
    if not context.final:
        return ClaimFinding(False, "", claim.checks)
    found = claim.explain(failed)
    return found if isinstance(found, ClaimFinding) else ClaimFinding(False, found, claim.checks)


# Fields, states, the address, the title, and what is behind the page: their checks explain themselves


def _checks_of(context: ClaimContext, clause: Clause) -> list[Check]:
    """Return the checks that a clause about one field, the address or the like stands for."""
    data, kind = context.turn.data, clause.tool
    if kind == "value":
        typed = clause.typed.get("value")
        return [
            Value(element_id=_subject(context, clause), value=typed.keep(data) if typed else "")
        ]
    if kind == "state":
        return [_state(_subject(context, clause), str(clause.fixed["state"]))]
    if kind == "title":
        context.fill(clause.filled["text"], "a title")
        text = context.keep(clause.filled["text"])
        return [Title(text=text, exact=clause.fixed["how"] == "is")]
    if kind == "url":
        how = str(clause.fixed["how"])
        text = _address(context, clause, whole=how == "is")
        return [Url(pattern={"is": text, "contains": f"*{text}*", "ends with": f"*{text}"}[how])]
    if kind == "dialog":
        text = clause.typed["text"].keep(data)
        return [BrowserDialog.model_validate({**clause.fixed, "text": text})]
    if kind == "request":
        named = {**clause.fixed, "pattern": _address(context, clause)}
        return [AnsweredRequest.model_validate(named)]
    if kind == "no_failure":
        named = {"pattern": _address(context, clause)} if clause.filled else {}
        return [NoFailure.model_validate({**clause.fixed, **named}), context.page_check()]
    name = clause.typed["text"].keep(data)
    if not name.replace("*", "").strip():
        raise UsageError(f"{name!r} fits every file; write a part of the expected name")
    return [Downloaded(name=name)]


def _claim_checks(context: ClaimContext, clause: Clause) -> Claim:
    """Claim `"Buy" is disabled`, `the URL is "/cart"` and whatever else is a check by itself."""
    return Claim(_checks_of(context, clause), clause.words)


def _subject(context: ClaimContext, clause: Clause) -> str:
    return context.subject(clause.elements["element_id"], clause.words)


def _state(element_id: str, state: str) -> State:
    """Return the check of a state. Raises ValueError for an unknown one."""
    return State.model_validate({"element_id": element_id, "state": state})


def _address(context: ClaimContext, clause: Clause, *, whole: bool = True) -> str:
    """Return the address that a clause names. Raises UsageError if it matches any, or is not `whole`."""
    text = clause.filled["text"].fill(context.turn.data, "an address")
    if whole and not re.match(r"/|[a-z][a-z\d+.-]*:", text):
        raise UsageError(
            f"{text!r} is not an address: begin it with /, http:// or https://, or match a part of it:"
            ' the URL contains "..."'
        )
    if not text.replace("*", "").strip():
        raise UsageError(f"{text!r} matches every address; write a part of the expected one")
    return text


# Texts, on the page or in a part of it


def _claim_text(context: ClaimContext, clause: Clause) -> Claim | ClaimFinding:
    """Claim `the page shows "Welcome"`, `"Cart" does not show "Mug"` and the like."""
    part = clause.elements.get("part")
    phrase = context.phrase(part, clause.words) if part else None
    claim = _shows if clause.tool in ("page", "shows") else _lacks
    return claim(context, clause.typed["text"], phrase)


def _claim_shown(context: ClaimContext, clause: Clause) -> Claim | ClaimFinding:
    """Claim `"2 items" is shown` and `the "Remove" button is shown`."""
    template = clause.elements["part"]
    phrase = context.phrase(template, clause.words)
    if template.role and template.role != "text":
        return _has_element(context, phrase)
    if template.relation:
        return _shows(context, template.name, _place_phrase(phrase))
    if clause.fixed.get("element"):
        claim = _shows(context, template.name)
        # An element may be visible without a text of its name.
        elements = find_by_exact_name(context, phrase.name, None)[:1]
        named = [_state(context.cite(each), "visible") for each in elements]
        return replace(claim, checks=[*claim.checks, *named], either=True)

    return _shows(context, template.name)


def _claim_gone(context: ClaimContext, clause: Clause) -> Claim | ClaimFinding:
    """Claim `"Error" is not shown` and `the "Remove" button is not shown`."""
    template = clause.elements["part"]
    phrase = context.phrase(template, clause.words)
    place = _place_phrase(phrase) if template.relation else None
    part = find_part(context, place) if place else context.part
    if template.role and template.role != "text":
        if phrase.role in _STRUCTURE and (elements := _find_elements(context, phrase)):
            return _refuted(context, f"there is {phrase}", elements[0], elements[0].place)
        return _lacks_element(context, phrase, part)
    if elements := find_by_exact_name(context, phrase.name, part):
        words = f"the {elements[0].role or 'element'} named {quote(phrase.name)} is visible"
        return _refuted(context, words, elements[0])
    return _lacks(context, template.name, place)


def _refuted(
    context: ClaimContext, words: str, element: MatchedElement, place: str = ""
) -> ClaimFinding:
    """Return the finding that a claim does not hold, for the reason that an element is, or is not, visible."""
    evidence = [_state(context.cite(element), "visible")]
    return ClaimFinding(False, f"{words}, {place}" if place else words, evidence)


def _place_phrase(phrase: ElementPhrase) -> ElementPhrase:
    if phrase.relation != "in":
        raise UnresolvedError(
            f'a part of the page shows text "in" it, not "{phrase.relation}" it; write: in {phrase.place}'
        )
    return replace(
        phrase, name=phrase.of, role=phrase.of_kind, relation="", of="", of_kind="", strict=True
    )


def _shows(context: ClaimContext, template: Template, phrase: ElementPhrase | None = None) -> Claim:
    """Claim that the page, or the part that a phrase means, shows a text."""
    text, kept = context.fill(template), context.keep(template)
    part = find_part(context, phrase) if phrase else context.part
    phrase = phrase or context.around
    checks = [Present(text=kept, within=code) for code in context.cite_part(part)]
    moment = WasShown(text=kept, message=True)

    def explain(_: CheckResult) -> str:
        if part and phrase:
            return _explain_missing_in(context, text, phrase, part)
        return _explain_missing(context, text)

    words = f"{phrase or 'the page'} shows {quote(text)}"
    return Claim(checks, words, explain, either=True, moment=None if phrase else moment)


def _explain_missing(context: ClaimContext, text: str) -> str:
    """Return why the page does not show a text: what is like it instead."""
    words, search = f"{quote(text)} is not shown", context.find_text(text)
    if search.covered:
        return f"{words}: it is there, but something is drawn over it"
    if elements := find_by_exact_name(context, text, None):
        return f'{words} ("is shown" looks at text only); write: {quote(text)} is visible, for {elements[0]}'
    near = closest(text, search.lines)[:80]
    return (
        f"{words}{_undrawn(context)}; the closest is {quote(near)}"
        if near
        else f"{words}{_undrawn(context)}"
    )


def _explain_missing_in(
    context: ClaimContext, text: str, phrase: ElementPhrase, part: PagePart
) -> str:
    """Return what a part shows instead of a text. Raises UnresolvedError."""
    if part.itself and not phrase.role:
        raise UnresolvedError(explain_bare_name(part, phrase))
    search = context.find_text(text, part)
    if says(" ".join(search.lines), text) and not search.covered:
        raise UnresolvedError(
            f"{phrase} shows {quote(text)} across several lines; write the text of one line"
        )
    near = closest(text, search.lines)[:80] or search.text[:200]
    words = f"{phrase} does not show {quote(text)}{_undrawn(context)}"
    return f"{words}; it shows {quote(near) if search.text else 'nothing'}"


def _undrawn(context: ClaimContext) -> str:
    """Return how many rows lists have not drawn, in parentheses, "" if all are."""
    rows = describe_rows(partial_lists(context.turn.page))
    return f" ({rows}; if it is in a row of that, scroll to it first)" if rows else ""


def _lacks(
    context: ClaimContext, template: Template, phrase: ElementPhrase | None = None
) -> Claim | ClaimFinding:
    """Claim that the page, or the part that a phrase means, does not show a text."""
    kept = context.keep(template)
    is_secret = any(context.turn.data[name] is None for name in template.names)
    # Only the check itself knows the value of a secret.
    text = kept if is_secret else context.fill(template)
    part = find_part(context, phrase).whole if phrase else context.part
    phrase = phrase or context.around
    checks: list[Check] = [Absent(text=kept, within=code) for code in context.cite_part(part)]
    # An absence alone holds on any page.
    checks.append(_state(context.cite(part.first), "visible") if part else context.page_check())
    words = f"{phrase} does not show {quote(text)}" if phrase else f"{quote(text)} is not shown"
    if (
        part
        and phrase
        and part.itself
        and not phrase.role
        and not context.find_text(text, part).hits
    ):
        raise UnresolvedError(explain_bare_name(part, phrase))

    def explain(failed: CheckResult) -> str | ClaimFinding:
        if is_secret or not failed.check.negative:
            return failed.explain()
        if hits := context.find_text(text, part).hits:
            return _refutation(context, kept, text, hits[0])
        differs = says(failed.actual, text, anycase=True) and not says(failed.actual, text)
        note = ", which differs in capital letters only" if differs else ""
        return f"{quote(failed.actual[:100])} is shown{note}"

    return Claim(checks, words, explain, lambda results: _warn(results, part))


def _refutation(
    context: ClaimContext, kept: str, text: str, element: MatchedElement
) -> ClaimFinding:
    line = f" in {quote(element.text[:100])}" if element.text not in ("", text) else ""
    place = f", {element.place}" if element.place else ""
    evidence = [Present(text=kept, within=context.cite(element, text))]
    return ClaimFinding(False, f"{quote(text)} is shown{line}{place}", evidence)


def _warn(results: Sequence[CheckResult], part: PagePart | None) -> str:
    """Return warnings of similar texts, and of more than a part shows, for an absence that holds."""
    facts = [result.fact for result in results if result.fact and result.check.negative]
    similar = dict.fromkeys(each for fact in facts for each in fact.similar)
    more = dict.fromkeys(each for fact in facts if part for each in fact.more)
    warning = ""
    if similar:
        quoted = ", ".join(quote(each[:_LONGEST_QUOTE]) for each in similar)
        warning += f"\nWarning: something similar is shown: {quoted}"
    if more:
        warning += f"\nWarning: there may be more than the page shows: {'; '.join(more)}"
    return warning


# Elements by role and name

_STRUCTURE = frozenset(
    "row;cell;list;item;list item;dialog;table;section;region;form;group;article".split(";")
)
"""Words for elements whose name is a text in them."""
_LISTED = frozenset(("row", "item", "list item"))


def _has_element(context: ClaimContext, phrase: ElementPhrase) -> Claim | ClaimFinding:
    """Claim `the "Remove" button is shown`."""
    if elements := _find_elements(context, phrase):
        return Claim([_state(context.cite(elements[0]), "visible")], f"there is {phrase}")
    others = find_members(context, ElementPhrase("", "click", phrase.role), None)
    near = closest(phrase.name, [each.name for each in others if each.name])
    reason = f"there is no {phrase}" + (f"; the closest is {quote(near)}" if near else "")
    evidence = [*absence_checks(context, phrase, None), context.page_check()]
    return ClaimFinding(False, reason, evidence)


def _find_elements(context: ClaimContext, phrase: ElementPhrase) -> Sequence[MatchedElement]:
    if phrase.role in _STRUCTURE:
        return [part.first for part in find_parts(context, phrase)]
    part = find_part(context, _place_phrase(phrase)) if phrase.relation else None
    return find_members(context, phrase, part)


def _lacks_element(
    context: ClaimContext, phrase: ElementPhrase, part: PagePart | None
) -> Claim | ClaimFinding:
    """Claim that no element has the role and the name. Raises UnresolvedError."""
    part = part and part.whole
    if members := find_members(context, phrase, part):
        return _refuted(context, f"there is {phrase}", members[0], members[0].place)
    words = f"there {_describe_count(0, phrase)}"
    refuse_other_role(context.turn.page, phrase)
    if part and not phrase.name and phrase.role in _LISTED and draws_items(part):
        raise UnresolvedError(
            f"{phrase.place or context.around} has no {pluralize(phrase.role)} that are marked as such, but"
            " parts that look like them; ask for a text in it instead, or give them a role"
        )

    def warn(results: Sequence[CheckResult]) -> str:
        partial = [
            each.fact.more
            for each in results
            if isinstance(each.check, Absent) and each.fact and "part" in (each.check.signs or ())
        ]
        if part and any(partial):
            more = "; ".join(dict.fromkeys(chain(*partial)))
            raise UnresolvedError(f"{words} among those that are shown, but there are more: {more}")
        return _warn(results, None)

    checks = [*absence_checks(context, phrase, part), context.page_check()]
    # A longer name contains the name, too: such an element is neither that nor another one.
    return Claim(checks, words, lambda failed: ClaimFinding(None, failed.explain(), checks), warn)


def _claim_count(context: ClaimContext, clause: Clause) -> Claim | ClaimFinding:
    """Claim `there are 2 "Remove" buttons` and `there are no rows in "Orders"`. Raises UnresolvedError."""
    template = clause.elements["items"]
    phrase = context.phrase(template, clause.words)
    part, place = context.part, context.around
    if template.of:
        place = _place_phrase(phrase)
        part = find_part(context, place)
        if part.itself and not phrase.of_kind:
            raise UnresolvedError(explain_bare_name(part, place))
    members = find_members(context, phrase, part)
    if not members and part and not part.below and part.first.role in KINDS[phrase.role]:
        raise UnresolvedError(
            f"{place} is itself {with_article(phrase.role)} and contains none; name a section, list or"
            " table around it"
        )
    number = int(str(clause.fixed["number"]))
    words = f"there {_describe_count(len(members), phrase)}"
    if not members and not number:
        return _lacks_element(context, phrase, part)
    evidence: list[Check] = _count_checks(context, members, phrase.name)
    if len(members) == number:
        return Claim(
            evidence,
            words,
            lambda failed: ClaimFinding(
                None, f"{words}, but not all of them are these: {failed.explain()}", evidence
            ),
        )
    names = [member.name for member in members[:8] if member.name]
    listed = f": {', '.join(map(quote, names))}" if names and not phrase.name else ""
    if not members:
        refuse_other_role(context.turn.page, phrase)
        evidence = [*absence_checks(context, phrase, part)]
    reason = f"{words}, not {number or 'none'}{listed}"
    return ClaimFinding(False, reason, [*evidence, context.page_check()])


def _count_checks(
    context: ClaimContext, members: Sequence[MatchedElement], name: str
) -> list[Check]:
    """Return the checks that these are all elements of their role, one for each role and frame."""
    kinds: dict[tuple[Frame, str], list[MatchedElement]] = {}
    for member in members:
        kinds.setdefault((member.frame, member.role), []).append(member)
    checks: list[Check] = []
    for (frame, role), some in kinds.items():
        nodes = dom.node(frame, some[0].document, *(member.number for member in some))
        named = f", name={json.dumps(name, ensure_ascii=False)}" if name else ""
        code = context.keep_locator(f'{frame_code(frame)}get_by_role("{role}"{named})', nodes)
        checks.append(Count(element_ids=(code,), named=bool(name)))
    return checks


def _describe_count(number: int, phrase: ElementPhrase) -> str:
    what = phrase.role if number == 1 else pluralize(phrase.role)
    name = f"{quote(phrase.name)} " if phrase.name else ""
    place = f" {phrase.relation} {phrase.place}" if phrase.relation else ""
    return f"{'is' if number == 1 else 'are'} {number or 'no'} {name}{what}{place}"


_TRIES = 2
"""The maximum number of reads of a value if the page changes before it is checked."""


def select_element(turn: Turn, clause: Clause) -> ProposedToolCall:
    """Return the call that reports an element, found by the names of `do`. Raises UnresolvedError."""
    context = ClaimContext(turn, Deadline(0.0), scope=clause.scope)
    phrase = context.phrase(clause.elements["element_id"], clause.words, strict=False)
    code, locator = find_element(turn.page, phrase, turn.left(turn.timeout), acts=False).address()
    parameters = {"element_id": code, "reason": clause.words}
    return ProposedToolCall("report_element", parameters, clause.words, {code: locator})


def read_value(turn: Turn, clause: Clause) -> ProposedToolCall:
    """Return the call that reports a value and its source. Raises UnresolvedError."""
    refused = [call.error or "" for i in turn.iterations for call in i.calls if not call.success]
    if len(refused) >= _TRIES:
        raise UnresolvedError(refused[-1])
    reading, context = await_reading(
        turn, clause.scope, lambda context: READERS[clause.tool](context, clause)
    )
    value = _convert_value(turn, reading["value"])
    parameters = {**reading, "value": value, "reason": clause.words}
    return ProposedToolCall("report_value", parameters, clause.words, context.locators)


def await_reading(
    turn: Turn, scope: Sequence[PhraseTemplate], read: Callable[[ClaimContext], T]
) -> tuple[T, ClaimContext]:
    """Return what is read once it can be, with the context of that look. Raises UnresolvedError and PageError."""
    seconds = turn.left(turn.timeout)
    deadline = Deadline(seconds)
    context = ClaimContext(turn, deadline, scope=scope)

    def look(final: bool) -> tuple[T | None, bool]:
        nonlocal context
        context = ClaimContext(turn, deadline, scope=scope)
        try:
            return read(context), True
        except UnresolvedError:
            if final:
                raise
        except PlaywrightError as error:
            if final:
                raise unreadable_page(error) from error
        return None, False

    reading, _ = find(turn.page, seconds, look)
    assert reading is not None, "the last look raises what stands in the way"
    return reading, context


def _read_text(context: ClaimContext, clause: Clause) -> dict[str, Any]:
    template = clause.elements["part"]
    phrase = context.phrase(template, clause.words)
    part = find_part(context, phrase)
    if not part.value:
        raise UnresolvedError(
            f"{phrase} labels no text, or more than one; write a label that belongs to one text only"
        )
    if part.itself and not phrase.role and part.first.text == phrase.name:
        raise UnresolvedError(explain_bare_name(part, phrase))
    nothing = {"pattern": "(?!)", "flags": "g"}
    text = str(ask_facts(part.value.locator, "says", nothing)["text"])
    code = context.cite(part.value, text)
    return {"value": text, "read": [{"element_id": code, "text": text}]}


def _read_value(context: ClaimContext, clause: Clause) -> dict[str, Any]:
    code = context.subject(clause.elements["element_id"], clause.words)
    (checked,) = context.check(Value(element_id=code, value=""))
    if checked.problem:
        raise UnresolvedError(checked.problem)
    value = checked.actual
    return {"value": value, "read": [{"element_id": code, "text": value}]}


def _read_url(context: ClaimContext, _clause: Clause) -> dict[str, Any]:
    url = context.turn.page.url
    return {"value": url, "read": [{"element_id": "url", "text": url}]}


def _read_title(context: ClaimContext, _clause: Clause) -> dict[str, Any]:
    title = " ".join(context.turn.page.title().split())
    return {"value": title, "read": [{"element_id": "title", "text": title}]}


READERS: Mapping[str, Callable[[ClaimContext, Clause], dict[str, Any]]] = {
    "text": _read_text,
    "value": _read_value,
    "url": _read_url,
    "title": _read_title,
}
"""By `Form.tool`."""


def _convert_value(turn: Turn, value: str) -> Any:
    """Convert a text to the schema: its only number or date. Raises UnresolvedError."""
    tool = next(tool for tool in turn.tools if tool.name == "report_value")
    schema = tool.args.model_fields["value"].annotation
    if schema is date:
        days = [day for _, days in dates_in(value) for day in days]
        return str(_single(days, value, "date"))
    if schema not in (int, float, Decimal):
        return value
    number: Decimal = _single([_unambiguous_number(n) for n in numbers_in(value)], value, "number")
    if schema is int and number != int(number):
        raise UnresolvedError(
            f"{value!r} is not a whole number; call extract() with Decimal or float"
        )
    return str(number) if schema is Decimal else schema(number)


def _unambiguous_number(number: Number) -> Decimal:
    if len(number.values) > 1 and "." in number.text:
        raise UnresolvedError(
            f"{number.text!r} may mean {' or '.join(map(str, number.values))}; call extract() with str"
        )
    # A comma before groups of three digits separates thousands.
    return max(number.values, key=abs)


def _single(values: Sequence[Any], text: str, what: str) -> Any:
    if len(values) != 1:
        raise UnresolvedError(
            f"{text!r} contains no {what}, or more than one; call extract() with str"
        )
    return values[0]


_STATES = {
    # Word: the kind of element that can be in the state (see `FITS`), the state of "is not", an example.
    "disabled": ("state", "enabled", "Buy"),
    "enabled": ("state", "disabled", "Buy"),
    "checked": ("check", "unchecked", "I agree"),
    "unchecked": ("check", "checked", "News"),
    "expanded": ("expand", "collapsed", "Menu"),
    "collapsed": ("expand", "expanded", "Menu"),
    "focused": ("state", "", "Search"),
    "required": ("state", "", "Email"),
    "invalid": ("state", "", "Email"),
    "selected": ("pick", "", "Details"),
    "loaded": ("picture", "", "Photo"),
}


def _states() -> Iterator[Form]:
    for word, (fit, opposite, name) in _STATES.items():
        for verb, state in (("is", word), ("is not", opposite)):
            pattern, example = f"ELEMENT {verb} {word}", f'"{name}" {verb} {word}'
            is_listed = verb == "is" or word == "checked"
            if state:
                yield Form("state", pattern, example, fit, {"state": state}, is_listed)


def _of_page() -> Iterator[Form]:
    for kind, words, verb, text in (
        ("url", "url|address", "is", "/cart"),
        ("url", "url|address", "contains", "page=2"),
        ("url", "url|address", "ends with", "/cart"),
        ("title", "title", "is", "Cart"),
        ("title", "title", "contains", "Cart"),
    ):
        shown = "URL" if kind == "url" else "title"
        example = f'the {shown} {verb} "{text}"'
        yield Form(kind, f"[the] {words} {verb} NAME", example, fixed={"how": verb})


def _dialogs() -> Iterator[Form]:
    for kind in ("alert", "confirm", "prompt"):
        pattern, example = f"the|an|a {kind} TYPED was shown", f'the {kind} "Saved" was shown'
        yield Form("dialog", pattern, example, fixed={"type": kind}, listed=kind == "alert")


def _requests() -> Iterator[Form]:
    for word in ("POST", "GET", "PUT", "PATCH", "DELETE", "HEAD", "request"):
        pattern = f"a|an {word} to NAME was answered [with] NUMBER:status"
        example = f'a {word} to "/orders" was answered 201'
        fixed = {} if word == "request" else {"method": word}
        yield Form("request", pattern, example, fixed=fixed, listed=word == "POST")


_INSTEAD_OF_ORDER = (
    "State an order without quotes, for a model to judge, as in"
    ' verify("Mug comes before Plate"), or assert it with Playwright, as in'
    ' expect(page.get_by_role("listitem")).to_have_text(["Mug", "Plate"]).'
)
_INSTEAD_OF_NUMBER = (
    "State how many there are as a claim, as in"
    " verify('there are 3 \"Remove\" buttons'), or ask a model in other words, as in"
    ' extract("how many buttons remove an item", int).'
)
_ELEMENT = {"element": True}
_CLAIMS: tuple[Form, ...] = (
    Form("shown", "PART is shown", '"2 items" is shown'),
    Form("shown", "PART is visible", '"Buy" is visible', fixed=_ELEMENT, listed=False),
    Form("shown", "PART is not hidden", '"Buy" is not hidden', fixed=_ELEMENT, listed=False),
    Form("shown", "there is a|an|the PART", 'there is a "Remove" button', listed=False),
    Form("page", "[the] page shows TEXT", 'the page shows "Welcome"'),
    Form("gone", "PART is not shown", '"Error" is not shown'),
    Form("gone", "PART is not visible", '"Buy" is not visible', listed=False),
    Form("gone", "PART is hidden", '"Buy" is hidden', listed=False),
    Form("not_on_page", "[the] page does not show TEXT", 'the page does not show "Error"'),
    Form("shows", "PART shows TEXT", '"Cart" shows "2 items"'),
    Form("lacks", "PART does not show TEXT", '"Cart" does not show "Mug"'),
    Form("value", "ELEMENT has [the] value TYPED:value", '"Email" has value "a@b.c"', "value"),
    Form("value", "ELEMENT is empty", '"Email" is empty', "value", {"value": ""}),
    *_states(),
    Form("count", "there is|are NUMBER COUNTED", 'there are 2 "Remove" buttons', "count"),
    Form(
        "count", "there is|are no COUNTED", 'there are no rows in "Orders"', "count", {"number": 0}
    ),
    *_dialogs(),
    *_of_page(),
    *_requests(),
    Form("no_failure", "no request failed", "no request failed", fixed={"of": "requests"}),
    Form(
        "no_failure",
        "no request to NAME failed",
        'no request to "/api/*" failed',
        fixed={"of": "requests"},
    ),
    Form(
        "no_failure",
        "[the] console has no errors|error",
        "the console has no errors",
        fixed={"of": "console"},
    ),
    Form("download", "TEXT was downloaded", '"report.csv" was downloaded'),
    *(
        Form(
            "order",
            f"ELEMENT:first comes {relation} ELEMENT:second",
            "",
            "scroll",
            listed=False,
            instead=_INSTEAD_OF_ORDER,
        )
        for relation in ("before", "after")
    ),
)
_READINGS: tuple[Form, ...] = (
    Form("text", "[the] text of PART", 'the text of "Total"'),
    Form("value", "[the] value of ELEMENT", 'the value of "Email"', "value"),
    Form("url", "[the] url|address", "the URL"),
    Form("title", "[the] title", "the title"),
    Form(
        "count",
        "[the] number of COUNTED",
        "",
        "count",
        listed=False,
        instead=_INSTEAD_OF_NUMBER,
    ),
)
_SELECTIONS: tuple[Form, ...] = (Form("element", "ELEMENT", '"Add to cart" next to "Mug"'),)


def claim_help(_verb: str = "") -> str:
    """Return the forms of claims, and what free English needs."""
    forms = wrapped([form.example for form in _CLAIMS if form.listed])
    joints = "commas, 'and', 'then' or new lines"
    return f"Claims that need no model have these forms, joined by {joints}:\n{forms}\n{ADVICE}"


def reading_help(_verb: str = "") -> str:
    """Return what can be extracted."""
    forms = wrapped([form.example for form in _READINGS if form.listed])
    return f"Without a model, these can be extracted:\n{forms}\n{ADVICE}"


def selection_help(_verb: str = "") -> str:
    """Return what can be selected."""
    forms = wrapped([_SELECTIONS[0].example, 'the "Buy" button in "Cart"'])
    return (
        f"Without a model, an element is selected by its name, as for 'click':\n{forms}\n{ADVICE}"
    )


CLAIMS = Language(_CLAIMS, "claim", claim_help)
READINGS = Language(_READINGS, "value to extract", reading_help, joined=False)
SELECTIONS = Language(_SELECTIONS, "name", selection_help, joined=False)


_CHECKED: Mapping[str, Callable[[ClaimContext, Clause], Claim | ClaimFinding]] = {
    "shown": _claim_shown,
    "page": _claim_text,
    "gone": _claim_gone,
    "not_on_page": _claim_text,
    "shows": _claim_text,
    "lacks": _claim_text,
    "count": _claim_count,
}
"""By `Form.tool`; all others are checks by themselves."""


def judge_claim(
    turn: Turn, clauses: Sequence[Clause]
) -> tuple[str, str, list[Check], dict[str, Any]]:
    """Return the outcome, the reason, and the evidence with its locators.

    Raises UnresolvedError if it cannot be judged, PageError if the page is closed.
    """
    seconds = turn.left(turn.timeout)
    deadline = Deadline(seconds)
    scope = clauses[0].scope
    context = ClaimContext(turn, deadline, scope=scope)

    def judge(final: bool) -> tuple[list[ClaimFinding], bool]:
        nonlocal context
        context = ClaimContext(turn, deadline, final, scope)
        findings: list[ClaimFinding] = []
        point_out(turn.page, ())
        try:
            findings = [_judge_clause(context, clause) for clause in clauses]
        except PlaywrightError as error:
            # The page navigated during the look, or it is closed.
            if final or turn.page.is_closed():
                raise unreadable_page(error) from error
        return findings, bool(findings) and all(finding.holds for finding in findings)

    def quiet(findings: Sequence[ClaimFinding]) -> float:
        return quiet_for([check for finding in findings for check in finding.evidence])

    findings, unrest = find(turn.page, seconds, judge, quiet=quiet)
    if unrest and findings:
        findings[0] = replace(findings[0], reason=f"{findings[0].reason} (the page {unrest})")
    return _conclude(context, clauses, findings)


def _judge_clause(context: ClaimContext, clause: Clause) -> ClaimFinding:
    try:
        context.require_scope()
        claim = _CHECKED.get(clause.tool, _claim_checks)(context, clause)
        return _judge(context, claim) if isinstance(claim, Claim) else claim
    except UnresolvedError as error:
        point_out(context.turn.page, error.candidates)
        return ClaimFinding(None, str(error), missing=error.missing)


def _conclude(
    context: ClaimContext, clauses: Sequence[Clause], findings: Sequence[ClaimFinding]
) -> tuple[str, str, list[Check], dict[str, Any]]:
    outcome = "holds"
    decisive = findings
    if refuted := [finding for finding in findings if finding.holds is False]:
        outcome, decisive = "does_not_hold", refuted
    elif unclear := [finding for finding in findings if finding.holds is None]:
        outcome, decisive = "cannot_tell", unclear
    several = len(clauses) > 1
    reasons = [
        f"{clause.words}: {finding.reason}" if several else finding.reason
        for clause, finding in zip(clauses, findings, strict=True)
        if finding in decisive
    ]
    reason = "\n".join(reasons)
    if outcome == "cannot_tell":
        raise UnresolvedError(reason, missing=all(finding.missing for finding in decisive))
    evidence: list[Check] = []
    for finding in decisive:
        evidence += [check for check in finding.evidence if check not in evidence]
    return outcome, reason, evidence, context.locators
