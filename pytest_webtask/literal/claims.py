"""Judge literal claims and read literal values on the live page until they hold or time is up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from itertools import chain
from math import inf
from operator import attrgetter
from typing import Any, TypeVar

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame

from pytest_webtask.checks.background import AnsweredRequest, Downloaded, NoFailure
from pytest_webtask.checks.base import Check, CheckResult
from pytest_webtask.checks.check_context import ask_facts
from pytest_webtask.checks.element import Number as NumberCheck
from pytest_webtask.checks.element import State, Value
from pytest_webtask.checks.lists import Options
from pytest_webtask.checks.page import Absent, BrowserDialog, Present, Title, Url, WasShown
from pytest_webtask.checks.sets import Count
from pytest_webtask.data.phrases import quote, with_article
from pytest_webtask.data.text import Number, amounts_in, dates_in, numbers_in, squashed
from pytest_webtask.errors import UsageError
from pytest_webtask.literal.context import ClaimContext, shown_by
from pytest_webtask.literal.finder import (
    UNDRAWN,
    ElementPhrase,
    Match,
    PagePart,
    UnresolvedError,
    explain_bare_name,
    find_by_exact_name,
    find_members,
    find_part,
    nearest,
    refuse_other_role,
    roles_of,
    undrawn,
    unreadable_page,
)
from pytest_webtask.literal.forms import CHOSEN, KINDS, pluralize
from pytest_webtask.literal.grammar import Clause, Phrase, Template
from pytest_webtask.page import dom
from pytest_webtask.page.activity import FRAMES, LATE, activity_of, find
from pytest_webtask.page.locator_codegen import frame_code
from pytest_webtask.tools.approval import quiet_for
from pytest_webtask.types.agent import ProposedToolCall, Turn

_T = TypeVar("_T")


@dataclass(frozen=True)
class Claim:
    """A clause as checks that all must hold, or with `either` one of them.

    A text of it is that of a `part`, called `place`, or of the page. `doubts` are reasons why the claim is undecided
    though it seems to hold or, by False, not to; `miscounted` is why it does not hold whatever the checks say.
    """

    checks: Sequence[Check]
    either: bool = False
    place: str = "the page"
    part: PagePart | None = None
    doubts: Mapping[bool, str] = field(default_factory=dict)
    miscounted: str = ""


@dataclass(frozen=True)
class _Finding:
    """The outcome of a clause with the reason and the evidence, or the `error` for which it is undecided."""

    holds: bool | None
    reason: str
    evidence: Sequence[Check] = ()
    error: UnresolvedError | None = None


def _judge(context: ClaimContext, clause: Clause) -> _Finding:
    try:
        _ = context.part  # which must be there for any clause
        claim = _CLAIMS.get(clause.tool, _claim_check)(context, clause)
        if claim.miscounted:
            return _Finding(False, claim.miscounted, claim.checks)
        return _run(context, clause, claim)
    except UnresolvedError as error:
        return _Finding(None, str(error), error=error)


def _run(context: ClaimContext, clause: Clause, claim: Claim) -> _Finding:
    results = context.check(*claim.checks)
    evidence = claim.checks
    decisive = min(results, key=lambda result: result.holds)
    if claim.either:
        decisive = max(results, key=lambda result: result.holds)
        evidence = [decisive.check]
    doubt = claim.doubts.get(decisive.holds, "")
    if decisive.holds:
        if doubt := doubt or _explain_partial(results):
            raise UnresolvedError(doubt)
        return _Finding(True, clause.words, evidence)
    if decisive.problem or doubt:
        raise UnresolvedError(decisive.problem or f"{doubt}: {decisive.explain()}")
    return _Finding(False, _explain(context, claim, decisive) if context.final else "", evidence)


def _explain(context: ClaimContext, claim: Claim, failed: CheckResult) -> str:
    if not isinstance(failed.check, (Present, Absent)) or failed.check.role:
        return failed.explain()
    text = failed.expected.removeprefix("no ")
    if failed.negative:
        return f"{claim.place} shows {text}: {quote(failed.actual[:100])}"
    lines = context.lines(claim.part)
    short = [line for line in lines if len(line) <= 120][:500]
    near = next(iter(nearest(text[1:-1], short)), " ".join(lines) or "nothing")
    instead = f"the closest is {quote(near[:80])}{undrawn(context.turn.page)}"
    return f"{claim.place} does not show {text}; {instead}"


def _explain_partial(results: Sequence[CheckResult]) -> str:
    """Return why it is undecided that a part of the page has no such elements, "" if all of it is there."""
    signs: list[str] = []
    for result in results:
        check = result.check
        if isinstance(check, Absent) and result.fact and check.role and check.within:
            signs += result.fact.more if "part" in (check.signs or ()) else ()
    more = "; ".join(dict.fromkeys(signs))
    return f"there are more than those that are shown: {more}" if more else ""


# Fields, states, the address, the title, and what is behind the page

_CHECKS: Mapping[str, type[Check]] = {
    "value": Value,
    "state": State,
    "options": Options,
    "title": Title,
    "url": Url,
    "dialog": BrowserDialog,
    "request": AnsweredRequest,
    "no_failure": NoFailure,
    "download": Downloaded,
}


def _claim_check(context: ClaimContext, clause: Clause) -> Claim:
    """Claim what one check says: the parameters of the form are its fields. Raises UsageError."""
    given = context.parameters(clause)
    for name, element in clause.elements.items():
        given[name] = context.cite(found := context.find(element))
        if element.fit == "pick":
            chosen, other = CHOSEN.get(found.role, ("current", "not current"))
            given["state"] = chosen if given["state"] == "selected" else other
    part_of = given.pop("part_of", "{}")
    if "pattern" in given:
        given["pattern"] = _address(part_of, given["pattern"])
    if not given.get("name", "-").replace("*", "").strip():
        raise UsageError(f"{given['name']!r} fits every file; write a part of the expected name")
    check = _CHECKS[clause.tool].model_validate(given)
    # An absence alone holds on any page.
    return Claim([check, context.page_check()] if clause.tool == "no_failure" else [check])


def _address(part_of: str, text: str) -> str:
    """Return the pattern of an address, which a text is `part_of`. Raises UsageError if it matches any, or is none."""
    if part_of == "{}" and not re.match(r"/|[a-z][a-z\d+.-]*:", text):
        raise UsageError(
            f"{text!r} is not an address: begin it with /, http:// or https://, or match a part of it:"
            ' the URL contains "..."'
        )
    if not text.replace("*", "").strip():
        raise UsageError(f"{text!r} matches every address; write a part of the expected one")
    return part_of.format(text)


def _claim_bound(context: ClaimContext, clause: Clause) -> Claim:
    """Claim `"Total" is at least 10` and the like, of the number that `the text of "Total"` has."""
    given = context.parameters(clause)
    if not re.fullmatch(r"-?\d+(?:\.\d+)?", given["number"]):
        raise UsageError(f"{clause.words!r} needs a plain number as its bound, such as 10 or 4.50")
    bound = {given["bound"]: given["number"], "strict": bool(given["beyond"])}
    code = context.cite(_value_of(context, clause))
    check = NumberCheck(element_id=code, **bound)
    for number in amounts_in(context.check(check)[0].actual):
        _number_of(number)
    return Claim([check])


# Texts, on the page or in a part of it


def _claim_text(context: ClaimContext, clause: Clause) -> Claim:
    """Claim `the page shows "Welcome"`, `"Cart" does not show "Mug"` and the like."""
    part = clause.elements.get("part")
    place = context.phrase(part) if part else None
    says = _shows if clause.tool in ("page", "shows") else _lacks
    return says(context, clause.typed["text"], place)


def _claim_named(context: ClaimContext, clause: Clause) -> Claim:
    """Claim `"2 items" is shown`, `the "Remove" button is not shown` and the like."""
    template, is_gone = clause.elements["part"], clause.tool == "gone"
    phrase = context.phrase(template)
    if phrase.role not in ("", "text"):
        return _claim_members(context, phrase, *(0, 0) if is_gone else (1, inf))
    says = _lacks if is_gone else _shows
    claim = says(context, Template(template.name), _place_of(phrase))
    if not any((is_gone, context.now, clause.fixed.get("element"))):
        return claim
    # An element may be visible without a text of its name.
    for element in find_by_exact_name(context.turn.page, phrase, claim.part):
        seen = _seen(context, element)
        if is_gone:
            return Claim([seen], miscounted=f"{element} is visible")
        return replace(claim, checks=[*claim.checks, seen])
    return claim


def _seen(context: ClaimContext, element: Match) -> Check:
    return State(element_id=context.cite(element), state="visible")


def _place_of(phrase: ElementPhrase) -> ElementPhrase | None:
    """Return the part in which something must be, None without one. Raises UnresolvedError."""
    if not phrase.relation:
        return phrase.scope if phrase.within else None
    if phrase.relation == "next to":
        raise UnresolvedError(
            f'a part of the page shows text "in" it, not "next to" it; write: in {phrase.place}'
        )
    return phrase.part


def _shows(context: ClaimContext, template: Template, place: ElementPhrase | None) -> Claim:
    """Claim that the page, or the part that a phrase means, shows a text."""
    text = context.keep(template, visible=True)
    part, bare = _locate(context, place)
    checks: list[Check] = [Present(text=text, within=code) for code in context.cite_part(part)]
    if part is None and not context.now:
        # A message may have gone by itself before the page was at rest.
        checks.append(WasShown(text=text, message=True))
    return Claim(checks, True, context.called(place), part, {False: bare})


def _lacks(context: ClaimContext, template: Template, place: ElementPhrase | None) -> Claim:
    """Claim that the page, or the part that a phrase means, does not show a text."""
    # Only the check itself knows the value of a secret.
    is_secret = None in map(context.turn.data.get, template.names)
    text = context.keep(template, visible=not is_secret)
    part, bare = _locate(context, place)
    if part and place:
        part = part.whole
    checks: list[Check] = [Absent(text=text, within=code) for code in context.cite_part(part)]
    # An absence alone holds on any page.
    is_seen = part is not None and part.first.state != "emptied"
    checks.append(_seen(context, part.first) if part and is_seen else context.page_check())
    return Claim(checks, False, context.called(place), part, {True: bare})


def _locate(context: ClaimContext, place: ElementPhrase | None) -> tuple[PagePart | None, str]:
    """Return what is searched, None for the page, and why nothing can be missing in it, "" if something can."""
    if place is None:
        return context.part, ""
    part = find_part(context.turn.page, place)
    return part, explain_bare_name(part, place) if part.itself else ""


# Elements by role and name

_LISTED = frozenset(("row", "item", "list item"))


def _claim_count(context: ClaimContext, clause: Clause) -> Claim:
    """Claim `there are 2 "Remove" buttons`, `there are at least 3 rows in "Orders"` and the like."""
    given: dict[str, Any] = {"bound": "", "beyond": 0, **clause.fixed}
    number = given["number"] + given["beyond"]
    bounds = {"at_least": (number, inf), "at_most": (0, number), "": (number, number)}
    return _claim_members(
        context, context.phrase(clause.elements["items"]), *bounds[given["bound"]]
    )


def _claim_members(context: ClaimContext, phrase: ElementPhrase, low: float, high: float) -> Claim:
    """Claim that there are at least and at most so many elements of a role and name. Raises UnresolvedError."""
    page, place = context.turn.page, _place_of(phrase)
    part, bare = _locate(context, place)
    if bare:
        raise UnresolvedError(bare)
    if part and high <= 0:
        part = part.whole
    members, is_any = find_members(page, phrase, part), (low, high) == (1, inf)
    if members and is_any:
        return Claim([_seen(context, members[0])])
    found = len(members)
    words = f"there {_describe_count(found, phrase)}"
    is_settled = is_any or low <= found < high == inf
    if not is_settled:
        _doubt_number(context, phrase, part, found, high)
    if members:
        checks = _count_checks(context, members, phrase.name)
        doubt = f"{words}, but not all of them are these"
        if low < high >= found and not is_settled:
            _refuse_more(context, phrase, checks)
    else:
        roles, name, within = roles_of(phrase), phrase.name, context.cite_part(part)
        absent = [Absent(role=role, name=name, within=place) for role in roles for place in within]
        checks = [*absent, context.page_check()]
        doubt = f"{words}, but one of a longer name"
    if low <= found <= high:
        return Claim(checks, doubts={False: doubt})
    others = members or find_members(page, replace(phrase, name=""), None)
    names = [*dict.fromkeys(quote(each.name) for each in others if each.name)]
    listed = f"; there is {', '.join(names[:8])}" if names else ""
    exactly = {0: "none"}.get(int(low), low)
    number = {inf: f"at least {low}", low: exactly}.get(high, f"at most {high}")
    wanted = "" if is_any else f", not {number}"
    return Claim(checks, miscounted=f"{words}{wanted}{listed}")


def _doubt_number(
    context: ClaimContext, phrase: ElementPhrase, part: PagePart | None, found: int, most: float
) -> None:
    """Raise UnresolvedError if there may be more than were found: undrawn, or by another role."""
    place = context.called(_place_of(phrase))
    if not found:
        refuse_other_role(context.turn.page, phrase)
        if part and part.kind != "below" and part.first.role in KINDS[phrase.role]:
            raise UnresolvedError(
                f"{place} is itself {with_article(phrase.role)} and contains none; name a section, list or"
                " table around it"
            )
    if phrase.role not in _LISTED:
        return
    for area in context.areas(part):
        doubts = ask_facts(area, "doubts")
        if doubts["undrawn"] and most >= found:
            raise UnresolvedError(UNDRAWN.format(*doubts["undrawn"]))
        if part and doubts["draws"]:
            raise UnresolvedError(
                f"{place} has no {pluralize(phrase.role)} that are marked as such, but parts that look like them;"
                " ask for a text in it instead, or give them a role"
            )


def _refuse_more(context: ClaimContext, phrase: ElementPhrase, checks: Sequence[Check]) -> None:
    """Raise UnresolvedError if a list of rows or items has signs that it goes on."""
    facts = filter(None, map(attrgetter("fact"), context.check(*checks)))
    more = [*chain(*map(attrgetter("more"), facts))]
    if more and phrase.role in _LISTED:
        raise UnresolvedError(f"there may be more than are shown: {'; '.join(more)}")


def _count_checks(context: ClaimContext, members: Sequence[Match], name: str) -> list[Check]:
    """Return the checks that these are all elements of their role, one for each role and frame."""
    kinds: dict[tuple[Frame, str], list[Match]] = {}
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
    if number == 1:
        return f"is 1 {phrase}"
    return f"are {number or 'no'} {replace(phrase, role=pluralize(phrase.role))}"


_CLAIMS: Mapping[str, Callable[[ClaimContext, Clause], Claim]] = {
    "shown": _claim_named,
    "gone": _claim_named,
    "page": _claim_text,
    "shows": _claim_text,
    "not_on_page": _claim_text,
    "lacks": _claim_text,
    "count": _claim_count,
    "bound": _claim_bound,
}
"""By `Form.tool`; the claims of all others have a check of their own."""


def judge_claim(turn: Turn, clauses: Sequence[Clause]) -> ProposedToolCall:
    """Return the call that reports the verdict on all clauses of a claim together.

    Raises UnresolvedError if it cannot be judged, PageError if the page is closed.
    """

    def judge(context: ClaimContext) -> tuple[list[_Finding], bool]:
        findings = [_judge(context, clause) for clause in clauses]
        return findings, all(finding.holds for finding in findings)

    def quiet(findings: Sequence[_Finding] | None) -> float:
        return quiet_for([*chain(*(finding.evidence for finding in findings or ()))])

    findings, unrest, context = _look_until(turn, clauses[0].scope, judge, quiet=quiet)
    assert findings is not None, "the last look raises what stands in the way"
    if unrest:
        findings[0] = replace(findings[0], reason=f"{findings[0].reason} (the page {unrest})")
    if len(clauses) > 1:
        findings = [
            replace(finding, reason=f"{clause.words}: {finding.reason}")
            for clause, finding in zip(clauses, findings, strict=True)
        ]
    holds = min((finding.holds for finding in findings), key=[*_OUTCOMES].index)
    decisive = [finding for finding in findings if finding.holds is holds]
    reason = "\n".join(finding.reason for finding in decisive)
    if error := decisive[0].error:
        raise UnresolvedError(reason, missing=error.missing, candidates=error.candidates)
    evidence = dict.fromkeys(chain(*(finding.evidence for finding in decisive)))
    parameters = {
        "outcome": _OUTCOMES[holds],
        "reason": reason,
        "evidence": [check.as_call() for check in evidence],
    }
    return ProposedToolCall("report_verdict", parameters, reason, context.locators)


def ask_condition(turn: Turn, clause: Clause, *, awaits: bool) -> tuple[_Finding, ClaimContext]:
    """Return whether the condition of a clause holds at rest, with `awaits` within the time. Raises UnresolvedError."""

    def judge(context: ClaimContext) -> tuple[_Finding, bool]:
        found = _judge(replace(context, now=True), clause.nested["condition"])
        is_absence = any(map(attrgetter("negative"), found.evidence))
        # What was there before an action without effect proves nothing; what is absent proves nothing anyway.
        if all((awaits, found.holds, not is_absence)) and activity_of(turn.page).is_idle():
            found = _Finding(False, "the last action changed nothing; verify() this after the step")
        return found, found.holds in (True, awaits)

    # Skipped as carefully as an absence is found; an explanation asks what waits for rest, so it comes later.
    quiet = lambda found: max(LATE * (not awaits), quiet_for(getattr(found, "evidence", ())))  # noqa: E731
    found, _, context = _look_until(turn, clause.scope, judge, quiet=quiet)
    if found is None or not found.reason:
        found = _judge(replace(context, now=True, final=True), clause.nested["condition"])
    if found.error:
        raise found.error
    return found, context


_OUTCOMES = {False: "does_not_hold", None: "cannot_tell", True: "holds"}
"""From the one that a single clause decides."""


# Elements and values

_TRIES = 2
"""The maximum number of reads of a value if the page changes before it is checked."""


def select_element(turn: Turn, clauses: Sequence[Clause]) -> ProposedToolCall:
    """Return the call that reports an element, found by the names of `do`. Raises UnresolvedError."""
    (clause,) = clauses

    def find_one(context: ClaimContext) -> Match:
        return context.find(clause.elements["element_id"], strict=False)

    code, locator = await_reading(turn, clause.scope, find_one)[0].address()
    parameters = {"element_id": code, "reason": clause.words}
    return ProposedToolCall("report_element", parameters, clause.words, {code: locator})


def read_value(turn: Turn, clauses: Sequence[Clause]) -> ProposedToolCall:
    """Return the call that reports a value and its source. Raises UnresolvedError."""
    (clause,) = clauses
    refused = [call.error or "" for i in turn.iterations for call in i.calls if not call.success]
    if len(refused) >= _TRIES:
        raise UnresolvedError(refused[-1])
    (source, text), context = await_reading(
        turn, clause.scope, lambda context: _READERS[clause.tool](context, clause)
    )
    parameters = {
        "value": _convert_value(turn, text),
        "read": [{"element_id": source, "text": text}],
        "reason": clause.words,
    }
    return ProposedToolCall("report_value", parameters, clause.words, context.locators)


def await_reading(
    turn: Turn, scope: Sequence[Phrase], read: Callable[[ClaimContext], _T]
) -> tuple[_T, ClaimContext]:
    """Return what is read once it can be, with the context of that look. Raises UnresolvedError and PageError."""

    def look(context: ClaimContext) -> tuple[_T | None, bool]:
        try:
            return read(context), True
        except UnresolvedError:
            if context.final:
                raise
        return None, False

    reading, _, context = _look_until(turn, scope, look)
    assert reading is not None, "the last look raises what stands in the way"
    return reading, context


def _look_until(
    turn: Turn,
    scope: Sequence[Phrase],
    look: Callable[[ClaimContext], tuple[_T, bool]],
    *,
    quiet: Callable[[Any], float] = lambda _: FRAMES,
) -> tuple[_T | None, str, ClaimContext]:
    """Return what a look at the page tells once it is accepted, or the time is up, why the page was not at rest, and its context.

    Raises PageError if the page cannot be read.
    """
    context = ClaimContext(turn, scope=scope)

    def ask(final: bool) -> tuple[_T | None, bool]:
        nonlocal context
        context = ClaimContext(turn, final, scope)
        try:
            return look(context)
        except PlaywrightError as error:
            # The page navigated during the look, or it is closed.
            if final or turn.page.is_closed():
                raise unreadable_page(error) from error
        return None, False

    answer, unrest = find(turn.page, turn.left(turn.timeout), ask, quiet=quiet)
    return answer, unrest, context


def _value_of(context: ClaimContext, clause: Clause) -> Match:
    """Return what a name labels, or a field that is called so, where that is read. Raises UnresolvedError."""
    phrase = context.phrase(clause.elements["part"])
    part, bare = _locate(context, phrase)
    assert part is not None, "there is a phrase"
    if clause.tool == "bound" and part.kind == "field":
        return part.first
    if bare and (part.first.text.strip(" :") == phrase.name or part.kind != "name"):
        raise UnresolvedError(bare)
    if not part.value:
        raise UnresolvedError(
            f"{phrase} labels no text, or more than one; write a label that belongs to one text only"
        )
    return part.value


def _read_text(context: ClaimContext, clause: Clause) -> tuple[str, str]:
    value = _value_of(context, clause)
    return context.cite(value), value.rest or str(shown_by(value.locator)["text"])


def _read_value(context: ClaimContext, clause: Clause) -> tuple[str, str]:
    code = context.cite(context.find(clause.elements["element_id"]))
    (checked,) = context.check(Value(element_id=code, value=""))
    if checked.problem:
        raise UnresolvedError(checked.problem)
    return code, checked.actual


_READERS: Mapping[str, Callable[[ClaimContext, Clause], tuple[str, str]]] = {
    "text": _read_text,
    "value": _read_value,
    "url": lambda context, _: ("url", context.turn.page.url),
    "title": lambda context, _: ("title", squashed(context.turn.page.title())),
}
"""By `Form.tool`: each returns what it cites as its source, and the text that it reads."""


def _convert_value(turn: Turn, value: str) -> Any:
    """Convert a text to the schema: its only number or date. Raises UnresolvedError."""
    tools = {tool.name: tool for tool in turn.tools}
    schema = tools["report_value"].args.model_fields["value"].annotation
    if schema is date:
        return str(_single([*chain(*(days for _, days in dates_in(value)))], value, "date"))
    if schema not in (int, float, Decimal):
        return value
    number = _number_of(_single([*numbers_in(value)], value, "number"))
    if schema is int and number != int(number):
        raise UnresolvedError(
            f"{value!r} is not a whole number; call extract() with Decimal or float"
        )
    return str(number) if schema is Decimal else schema(number)


def _number_of(number: Number) -> Decimal:
    """Return the value of a number as written. Raises UnresolvedError for a dot that may mean two things."""
    if len(number.values) > 1 and "." in number.text:
        raise UnresolvedError(
            f"{number.text!r} may mean {' or '.join(map(str, number.values))}; call extract() with str"
        )
    # A comma before groups of three digits separates thousands.
    return max(number.values, key=abs)


def _single(values: Sequence[_T], text: str, what: str) -> _T:
    if len(values) != 1:
        raise UnresolvedError(
            f"{text!r} contains no {what}, or more than one; call extract() with str"
        )
    return values[0]
