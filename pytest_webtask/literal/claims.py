"""Judge literal claims and read literal values on the live page until they hold or time is up."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from playwright.sync_api import Error as PlaywrightError

from pytest_webtask.checks.base import Check, CheckResult
from pytest_webtask.checks.element import State, Text, Value
from pytest_webtask.checks.page import Absent, Title, Url
from pytest_webtask.checks.sets import Count
from pytest_webtask.checks.text import Number, dates_in, numbers_in, similar_texts
from pytest_webtask.errors import UsageError
from pytest_webtask.literal.finder import (
    ElementPhrase,
    MatchedElement,
    UnresolvedError,
    find_element,
    refuse_other_role,
    unreadable_page,
)
from pytest_webtask.literal.forms import ADVICE, KINDS, Form, Language, pluralize, wrapped
from pytest_webtask.literal.grammar import Clause, Template
from pytest_webtask.literal.parts import (
    ClaimContext,
    Member,
    PagePart,
    TextSearch,
    absence_checks,
    find_by_exact_name,
    find_members,
    find_part,
    find_parts,
    member_names,
)
from pytest_webtask.literal.queries import frame_code
from pytest_webtask.page.activity import FRAMES, QUIET, find
from pytest_webtask.phrases import quote, with_article
from pytest_webtask.types.agent import ProposedToolCall, Turn

_LONGEST = 200


@dataclass(frozen=True)
class ClaimFinding:
    """The outcome of a claim, None if unclear, with the reason and the evidence.

    A `transient` finding may be true only for a moment, while the page is being built.
    """

    holds: bool | None
    reason: str
    evidence: Sequence[Check] = ()
    transient: bool = False


def finding_from_checks(
    evidence: Sequence[Check],
    checks: Sequence[CheckResult],
    reason: str,
    *,
    transient: bool = False,
) -> ClaimFinding:
    """Return the finding for a claim that holds if all of its checks do."""
    for checked in checks:
        if checked.problem:
            return ClaimFinding(None, checked.problem, evidence, transient)
    failed = [checked for checked in checks if not checked.holds]
    if not failed:
        return ClaimFinding(True, reason, evidence, transient)
    reasons = [f"{c.about}: expected {c.expected}, got {c.actual or 'nothing'}" for c in failed]
    return ClaimFinding(False, "; ".join(reasons), evidence, transient)


def judge_by_checks(
    context: ClaimContext,
    evidence: Sequence[Check],
    reason: str,
    *,
    transient: bool = False,
) -> ClaimFinding:
    """Run checks and return the finding for a claim that holds if all of them do."""
    return finding_from_checks(evidence, context.check(*evidence), reason, transient=transient)


def warn_of_similar(finding: ClaimFinding, absent_text: str, lines: Sequence[str]) -> ClaimFinding:
    """Add a warning of similar texts on the page to the reason of an absence that holds."""
    similar = similar_texts(absent_text, lines) if finding.holds else []
    if not similar:
        return finding
    quoted = ", ".join(quote(text[:_LONGEST]) for text in similar)
    return replace(
        finding, reason=f"{finding.reason}\nWarning: something similar is shown: {quoted}"
    )


def judge_value(context: ClaimContext, clause: Clause) -> ClaimFinding:
    """Judge `"Email" has value "a@b.c"` and `"Email" is empty`."""
    template = clause.elements["element_id"]
    code = context.subject(template, clause.words)
    typed = clause.typed.get("value")
    expected = typed.keep(context.turn.data) if typed else str(clause.fixed["value"])
    evidence = [Value(element_id=code, value=expected)]
    checks = context.check(*evidence)
    finding = finding_from_checks(evidence, checks, f"it holds {quote(expected)}")
    if finding.holds is False:
        actual = checks[0].actual
        subject = context.phrase(template, clause.words)
        contents = f"holds {quote(actual)}" if actual else "is empty"
        reason = f"{subject} {contents}, not {quote(expected) if expected else 'empty'}"
        return replace(finding, reason=reason)
    return finding


def judge_state(context: ClaimContext, clause: Clause) -> ClaimFinding:
    """Judge `"Buy" is disabled` and the like."""
    template = clause.elements["element_id"]
    code = context.subject(template, clause.words)
    expected = str(clause.fixed["state"])
    evidence = [_state(code, expected)]
    checks = context.check(*evidence)
    subject = context.phrase(template, clause.words)
    finding = finding_from_checks(evidence, checks, f"{subject} is {expected}")
    if finding.holds is False:
        return replace(finding, reason=f"{subject} is {checks[0].actual}, not {expected}")
    return finding


# How many


def _find_counted(
    context: ClaimContext, clause: Clause
) -> tuple[ElementPhrase, PagePart | None, list[Member]]:
    """Return what a claim counts, in which part, and the elements. Raises UnresolvedError."""
    template = clause.elements["items"]
    phrase = context.phrase(template, clause.words)
    part = None
    if template.of:
        place = ElementPhrase(
            phrase.of, phrase.fit, phrase.of_kind, sentence=clause.words, strict=True
        )
        part = find_part(context, place)
        if part.itself and not phrase.of_kind:
            what = part.first.role or "text"
            raise UnresolvedError(
                f"{quote(phrase.of)} is only the name of {with_article(what)}; name a section, list or table"
                " to count in"
            )
    members = find_members(context, phrase, part)
    if not members and part and not part.below and part.first.role in KINDS[phrase.role]:
        raise UnresolvedError(
            f"{place} is itself {with_article(phrase.role)} and contains none; name a section, list or"
            " table around it"
        )
    return phrase, part, members


def judge_count(context: ClaimContext, clause: Clause) -> ClaimFinding:
    """Judge `there are 2 "Remove" buttons` and `there are no rows in "Orders"`."""
    phrase, part, members = _find_counted(context, clause)
    number = int(str(clause.fixed["number"]))
    if not members:
        refuse_other_role(context.turn.page, phrase)
        evidence: list[Check] = [
            *absence_checks(context, phrase, part),
            context.page_check(),
        ]
        reason = f"there {_describe_count(0, phrase)}"
        if number:
            return ClaimFinding(False, f"{reason}, not {number}", evidence)
        finding = judge_by_checks(context, evidence, reason, transient=True)
        if not finding.holds:
            return replace(finding, holds=None)
        return warn_of_similar(finding, phrase.name, member_names(context, phrase.role, part))
    evidence = _count_checks(context, members, named=bool(phrase.name))
    reason = f"there {_describe_count(len(members), phrase)}"
    if len(members) == number:
        finding = judge_by_checks(context, evidence, reason, transient=True)
        if finding.holds:
            return finding
        return ClaimFinding(
            None, f"{reason}, but a check of that failed: {finding.reason}; run the test again"
        )
    names = [member.element.name for member in members if member.element.name]
    listed = f": {', '.join(map(quote, names[:8]))}" if names and not phrase.name else ""
    return ClaimFinding(
        False, f"{reason}, not {number or 'none'}{listed}", [*evidence, context.page_check()]
    )


def _count_checks(context: ClaimContext, members: Sequence[Member], *, named: bool) -> list[Check]:
    """Return the checks that these are all elements of their role, one for each role and frame."""
    kinds: dict[tuple[str, Any], list[str]] = {}
    for member in members:
        code = context.keep_locator(member.query.code, member.query.locator)
        kinds.setdefault((member.role, member.element.frame), []).append(code)
    return [Count(element_ids=tuple(codes), named=named) for codes in kinds.values()]


def _describe_count(number: int, phrase: ElementPhrase) -> str:
    what = phrase.role if number == 1 else pluralize(phrase.role)
    name = f"{quote(phrase.name)} " if phrase.name else ""
    place = f" {phrase.relation} {phrase.place}" if phrase.relation else ""
    return f"{'is' if number == 1 else 'are'} {number or 'no'} {name}{what}{place}"


# The page


def judge_url(context: ClaimContext, clause: Clause) -> ClaimFinding:
    """Judge `the URL is "/cart"` and the like."""
    template, how = clause.filled["text"], clause.fixed["how"]
    text = template.fill(context.turn.data, "an address")
    if how == "is" and not re.match(r"/|[a-z][a-z\d+.-]*:", text):
        raise UsageError(
            f"{text!r} is not an address: begin it with /, http:// or https://, or match a part of it:"
            ' the URL contains "..."'
        )
    pattern = {"is": text, "contains": f"*{text}*", "ends with": f"*{text}"}[str(how)]
    if not text.replace("*", "").strip():
        raise UsageError(f"{text!r} matches every address; write a part of the expected one")
    evidence = [Url(pattern=pattern)]
    checks = context.check(*evidence)
    finding = finding_from_checks(evidence, checks, f"the URL {how} {quote(text)}")
    if finding.holds is False:
        return replace(finding, reason=f"the URL is {quote(checks[0].actual)}")
    return finding


def judge_title(context: ClaimContext, clause: Clause) -> ClaimFinding:
    """Judge `the title is "Cart"` and the like."""
    template, how = clause.filled["text"], clause.fixed["how"]
    text = context.fill(template, "a title")
    actual = " ".join(context.turn.page.title().split())
    if how == "is" and actual != text:
        # The check accepts a part of the title, so the evidence is the whole title.
        evidence = [Title(text=actual or context.keep(template))]
        return ClaimFinding(False, f"the title is {quote(actual)}", evidence)
    evidence = [Title(text=context.keep(template))]
    checks = context.check(*evidence)
    finding = finding_from_checks(evidence, checks, f"the title {how} {quote(text)}")
    if finding.holds is False:
        return replace(finding, reason=f"the title is {quote(actual)}")
    return finding


_STRUCTURE = frozenset(
    "row;cell;list;item;list item;dialog;table;section;region;form;group;article".split(";")
)
"""Words for elements whose name is a text in them."""
_MOST = 5


def judge_page_shows(context: ClaimContext, clause: Clause) -> ClaimFinding:
    """Judge `the page shows "Welcome"`."""
    return _page_shows(context, clause.typed["text"])


def judge_page_lacks(context: ClaimContext, clause: Clause) -> ClaimFinding:
    """Judge `the page does not show "Error"`."""
    return _page_lacks(context, clause.typed["text"])


def judge_shown(context: ClaimContext, clause: Clause) -> ClaimFinding:
    """Judge `"2 items" is shown` and `the "Remove" button is shown`."""
    template = clause.elements["part"]
    phrase = context.phrase(template, clause.words)
    if template.role and template.role != "text":
        return _element_shown(context, phrase)
    if not template.relation:
        return _named_shown(context, clause, phrase)
    return _part_shows(context, _place_phrase(phrase), template.name)


def judge_not_shown(context: ClaimContext, clause: Clause) -> ClaimFinding:
    """Judge `"Error" is not shown` and `the "Remove" button is not shown`."""
    template = clause.elements["part"]
    phrase = context.phrase(template, clause.words)
    if template.role and template.role != "text":
        return _element_gone(context, phrase)
    part = find_part(context, _place_phrase(phrase)) if template.relation else None
    if elements := find_by_exact_name(context, phrase.name, part):
        reason = f"the {elements[0].role or 'element'} named {quote(phrase.name)} is visible"
        return ClaimFinding(False, reason, [_state_check(context, elements[0], "visible")])
    if not template.relation:
        return _page_lacks(context, template.name)
    return _part_lacks(context, _place_phrase(phrase), template.name)


def judge_part_shows(context: ClaimContext, clause: Clause) -> ClaimFinding:
    """Judge `"Cart" shows "2 items"`."""
    phrase = context.phrase(clause.elements["part"], clause.words)
    return _part_shows(context, phrase, clause.typed["text"])


def judge_part_lacks(context: ClaimContext, clause: Clause) -> ClaimFinding:
    """Judge `"Cart" does not show "Mug"`."""
    phrase = context.phrase(clause.elements["part"], clause.words)
    return _part_lacks(context, phrase, clause.typed["text"])


def _place_phrase(phrase: ElementPhrase) -> ElementPhrase:
    if phrase.relation != "in":
        raise UnresolvedError(
            f'a part of the page shows text "in" it, not "{phrase.relation}" it; write: in {phrase.place}'
        )
    return ElementPhrase(
        phrase.of, phrase.fit, phrase.of_kind, sentence=phrase.sentence, strict=True
    )


def _text_check(
    context: ClaimContext, element: MatchedElement, template: Template, part: PagePart | None = None
) -> Check:
    """Return the check that an element, or the part around it, shows a text."""
    if element.is_input:
        name = element.name or context.fill(template)
        query_code = f'{frame_code(element.frame)}get_by_role("button", name={name!r}, exact=True)'
        code = context.keep_locator(
            query_code, element.frame.get_by_role("button", name=name, exact=True)
        )
        return _state(code, "visible")
    whole = part.whole if part else None
    code = context.cite(whole or element, context.fill(template))
    return Text(element_id=code, text=context.keep(template))


# Anywhere on the page


def _named_shown(context: ClaimContext, clause: Clause, phrase: ElementPhrase) -> ClaimFinding:
    """Judge that a text is shown, or for `is visible` an element of that name."""
    finding = _page_shows(context, clause.elements["part"].name)
    if finding.holds or not (elements := find_by_exact_name(context, phrase.name, None)):
        return finding
    what = elements[0].role or "element"
    if clause.fixed.get("element"):
        evidence = [_state_check(context, elements[0], "visible")]
        return judge_by_checks(context, evidence, f"the {what} is visible")
    sentence = f"{quote(phrase.name)} is visible"
    advice = (
        f' ("is shown" looks at text only). {with_article(what).capitalize()} has that name; to check'
        f" for the {what}, write: webtask.verify({sentence!r})"
    )
    return replace(finding, reason=finding.reason + advice)


def _page_shows(context: ClaimContext, template: Template) -> ClaimFinding:
    text = context.fill(template)
    search = context.find_text(text)
    unconfirmed = None
    for element in search.hits[:_MOST]:
        evidence = [_text_check(context, element, template)]
        finding = judge_by_checks(context, evidence, f"the page shows {quote(text)}")
        if finding.holds:
            return finding
        unconfirmed = finding
    if unconfirmed:
        return replace(unconfirmed, holds=None)
    reason = f"{quote(text)} is not shown"
    if not context.final:
        return ClaimFinding(False, reason)
    if hidden := context.find_hidden_text(text):
        evidence = [_state_check(context, hidden[0], "visible")]
        return ClaimFinding(False, f"{reason}: it is on the page, but not visible", evidence)
    other_case = context.find_text(text, anycase=True).hits
    if near := other_case[0].text[:80] if other_case else search.closest(text):
        reason += f"; the closest is {quote(near)}"
        if similar := other_case or context.find_text(near).hits:
            return ClaimFinding(False, reason, [_text_check(context, similar[0], template)])
    absence = Absent(text=context.keep(template))
    return ClaimFinding(False, reason, [absence, context.page_check()])


def _page_lacks(context: ClaimContext, template: Template) -> ClaimFinding:
    evidence = [Absent(text=context.keep(template)), context.page_check()]
    if template.names and any(context.turn.data[name] is None for name in template.names):
        # Only the check itself knows the value of a secret.
        return judge_by_checks(context, evidence, "it is not shown", transient=True)
    text = context.fill(template)
    search = context.find_text(text)
    if search.hits:
        return _refute_absence(context, text, search, template)
    reason = f"{quote(text)} is not shown anywhere"
    finding = judge_by_checks(context, evidence, reason, transient=True)
    if finding.holds is False:
        other_case = context.find_text(text, anycase=True)
        finding = _judge_hidden_text(
            context, text, other_case, None, finding, [context.page_check()]
        )
    return warn_of_similar(finding, text, search.lines)


def _refute_absence(
    context: ClaimContext, text: str, search: TextSearch, template: Template
) -> ClaimFinding:
    element = search.hits[0]
    line = f" in {quote(element.text[:100])}" if element.text != text else ""
    place = f", {element.place}" if element.place else ""
    return ClaimFinding(
        False, f"{quote(text)} is shown{line}{place}", [_text_check(context, element, template)]
    )


def _judge_hidden_text(
    context: ClaimContext,
    text: str,
    other_case: TextSearch,
    part: PagePart | None,
    finding: ClaimFinding,
    anchors: Sequence[Check],
) -> ClaimFinding:
    """Judge a text that is on the page, but not visible or with other capital letters."""
    if other_case.hits:
        element = other_case.hits[0]
        reason = f"{quote(element.text[:100])} is shown, which differs in capital letters only"
        return ClaimFinding(False, reason, finding.evidence)
    hidden = context.find_hidden_text(text, part.tops[0] if part else None)
    if not hidden or len(hidden) > _MOST:
        return replace(finding, holds=None if hidden else False)
    evidence = [*(_state_check(context, each, "hidden") for each in hidden), *anchors]
    reason = f"{quote(text)} is on the page, but not visible"
    checked = judge_by_checks(context, evidence, reason, transient=True)
    return checked if checked.holds else replace(finding, holds=None)


def _state_check(context: ClaimContext, element: MatchedElement, state: str) -> Check:
    return _state(context.cite(element), state)


def _state(element_id: str, state: str) -> State:
    """Return the check of a state. Raises ValueError for an unknown one."""
    return State.model_validate({"element_id": element_id, "state": state})


# In a part of it


def _part_shows(context: ClaimContext, phrase: ElementPhrase, template: Template) -> ClaimFinding:
    text = context.fill(template)
    part = find_part(context, phrase)
    search = context.find_text(text, part.tops)
    unconfirmed = None
    # A check of the whole part may fail where the text runs into its neighbors.
    places: list[tuple[MatchedElement, PagePart | None]] = [
        (element, part) for element in search.hits[:1]
    ]
    places += [(element, None) for element in search.hits[:_MOST]]
    for element, whole in places:
        evidence = [_text_check(context, element, template, whole)]
        finding = judge_by_checks(context, evidence, f"{phrase} shows {quote(text)}")
        if finding.holds:
            return finding
        unconfirmed = finding
    if unconfirmed:
        return replace(unconfirmed, holds=None)
    if part.itself and not phrase.role:
        raise UnresolvedError(_explain_bare_name(part, phrase))
    if not context.final:
        return ClaimFinding(False, f"{phrase} does not show {quote(text)}")
    near = search.closest(text)
    nearest = near or search.text[:200]
    reason = (
        f"{phrase} does not show {quote(text)}; it shows {quote(nearest) if nearest else 'nothing'}"
    )
    evidence = [_text_check(context, part.first, template)]
    if context.check(*evidence)[0].holds:
        # The text spans several lines, or is not visible.
        hidden = [each for top in part.tops for each in context.find_hidden_text(text, top)]
        if not hidden:
            raise UnresolvedError(
                f"{phrase} shows {quote(text)} across several lines; write the text of one line"
            )
        evidence = [_state_check(context, hidden[0], "visible")]
        reason = f"{phrase} does not show {quote(text)}: it is there, but not visible"
    return ClaimFinding(False, reason, evidence)


def _part_lacks(context: ClaimContext, phrase: ElementPhrase, template: Template) -> ClaimFinding:
    text = context.fill(template)
    part = find_part(context, phrase)
    search = context.find_text(text, part.tops)
    if search.hits:
        return _refute_absence(context, text, search, template)
    if part.itself and not phrase.role:
        raise UnresolvedError(_explain_bare_name(part, phrase))
    anchors = [_state_check(context, part.first, "visible")]
    codes = [context.cite(replace(part.first, path=path)) for path in part.paths]
    evidence = [
        *(Absent(text=context.keep(template), within=code) for code in codes),
        *anchors,
    ]
    reason = f"{phrase} does not show {quote(text)}"
    finding = judge_by_checks(context, evidence, reason, transient=True)
    if finding.holds is False:
        other_case = context.find_text(text, part.tops, anycase=True)
        finding = _judge_hidden_text(context, text, other_case, part, finding, anchors)
    return warn_of_similar(finding, text, search.lines)


def _explain_bare_name(part: PagePart, phrase: ElementPhrase) -> str:
    what = part.first.role or "text"
    return (
        f"{quote(phrase.name)} is only the name of {with_article(what)}, which shows nothing else; name"
        " the section, row or dialog that you mean"
    )


# Elements by role and name


def _element_shown(context: ClaimContext, phrase: ElementPhrase) -> ClaimFinding:
    elements = _find_elements(context, phrase)
    if elements:
        evidence = [_state_check(context, elements[0], "visible")]
        return judge_by_checks(context, evidence, f"there is {phrase}")
    return ClaimFinding(
        False,
        f"there is no {phrase}{_closest_name(context, phrase)}",
        [*absence_checks(context, phrase, None), context.page_check()],
    )


def _element_gone(context: ClaimContext, phrase: ElementPhrase) -> ClaimFinding:
    elements = _find_elements(context, phrase)
    if elements:
        reason = f"there is {phrase}" + (f", {elements[0].place}" if elements[0].place else "")
        return ClaimFinding(False, reason, [_state_check(context, elements[0], "visible")])
    refuse_other_role(context.turn.page, phrase)
    part = find_part(context, _place_phrase(phrase)) if phrase.relation else None
    evidence = [*absence_checks(context, phrase, part), context.page_check()]
    finding = judge_by_checks(context, evidence, f"there is no {phrase}", transient=True)
    if not finding.holds:
        return replace(finding, holds=None)
    return warn_of_similar(finding, phrase.name, member_names(context, phrase.role, part))


def _find_elements(context: ClaimContext, phrase: ElementPhrase) -> list[MatchedElement]:
    if phrase.role in _STRUCTURE:
        return [part.first for part in find_parts(context, phrase)]
    part = find_part(context, _place_phrase(phrase)) if phrase.relation else None
    return [member.element for member in find_members(context, phrase, part)]


def _closest_name(context: ClaimContext, phrase: ElementPhrase) -> str:
    near = TextSearch((), member_names(context, phrase.role, None)).closest(phrase.name)
    return f"; the closest is {quote(near)}" if near else ""


_TRIES = 2
"""The maximum number of reads of a value if the page changes before it is checked."""


def select_element(turn: Turn, clause: Clause) -> ProposedToolCall:
    """Return the call that reports an element, found by the rules of `do`. Raises UnresolvedError."""
    context = ClaimContext(turn, 0.0)
    phrase = context.phrase(clause.elements["element_id"], clause.words, strict=False)
    query = find_element(turn.page, phrase, turn.left(turn.timeout))
    parameters = {"element_id": query.code, "reason": clause.words}
    return ProposedToolCall("report_element", parameters, clause.words, {query.code: query.locator})


def read_value(turn: Turn, clause: Clause) -> ProposedToolCall:
    """Return the call that reports a value and its source. Raises UnresolvedError."""
    refused = [call.error or "" for i in turn.iterations for call in i.calls if not call.success]
    if len(refused) >= _TRIES:
        raise UnresolvedError(refused[-1])
    seconds = turn.left(turn.timeout)
    deadline = time.monotonic() + seconds
    context = ClaimContext(turn, deadline)

    def read(final: bool) -> tuple[dict[str, Any] | None, bool]:
        nonlocal context
        context = ClaimContext(turn, deadline)
        try:
            return READERS[clause.tool](context, clause), True
        except UnresolvedError:
            if final:
                raise
        except PlaywrightError as error:
            if final:
                raise unreadable_page(error) from error
        return None, False

    reading, _ = find(turn.page, seconds, read)
    assert reading is not None, "the last look raises what stands in the way"
    value = _convert_value(turn, reading["value"])
    parameters = {**reading, "value": value, "reason": clause.words}
    return ProposedToolCall("report_value", parameters, clause.words, context.locators)


def _read_text(context: ClaimContext, clause: Clause) -> dict[str, Any]:
    template = clause.elements["part"]
    phrase = context.phrase(template, clause.words)
    part = find_part(context, phrase)
    if not part.value:
        raise UnresolvedError(
            f"{phrase} labels no text, or more than one; write a label that belongs to one text only"
        )
    return _read_source(context, MatchedElement(part.first.frame, part.value, part.value_role))


def _read_source(context: ClaimContext, element: MatchedElement) -> dict[str, Any]:
    text = context.visible_text(element)
    return {"value": text, "read": [{"element_id": context.cite(element, text), "text": text}]}


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
    # Word: the kind of element that can be in the state (see `FITS`), the state of "is not".
    "disabled": ("state", "enabled"),
    "enabled": ("state", "disabled"),
    "checked": ("check", "unchecked"),
    "unchecked": ("check", "checked"),
    "expanded": ("expand", "collapsed"),
    "collapsed": ("expand", "expanded"),
    "focused": ("state", ""),
    "required": ("state", ""),
    "invalid": ("state", ""),
    "selected": ("pick", ""),
}
_EXAMPLE_NAMES = {
    "disabled": "Buy",
    "enabled": "Buy",
    "checked": "I agree",
    "unchecked": "News",
    "expanded": "Menu",
    "collapsed": "Menu",
    "focused": "Search",
    "required": "Email",
    "invalid": "Email",
    "selected": "Details",
}


def _states() -> Iterator[Form]:
    for word, (fit, opposite) in _STATES.items():
        name = _EXAMPLE_NAMES[word]
        yield Form(
            "state",
            f"ELEMENT is {word}",
            f'"{name}" is {word}',
            ("element_id",),
            fit,
            {"state": word},
        )
        if opposite:
            yield Form(
                "state",
                f"ELEMENT is not {word}",
                f'"{name}" is not {word}',
                ("element_id",),
                fit,
                {"state": opposite},
                listed=word == "checked",
            )


_PAGE: tuple[Form, ...] = tuple(
    Form(kind, f"[the] {words} {verb} NAME", f"the {shown} {verb} {example}", ("text",),
         fixed={"how": verb})
    for kind, words, shown, verb, example in (
        ("url", "url|address", "URL", "is", '"/cart"'),
        ("url", "url|address", "URL", "contains", '"page=2"'),
        ("url", "url|address", "URL", "ends with", '"/cart"'),
        ("title", "title", "title", "is", '"Cart"'),
        ("title", "title", "title", "contains", '"Cart"'),
    )
)  # fmt: skip

_CLAIMS: tuple[Form, ...] = (
    Form("shown", "PART is shown", '"2 items" is shown', ("part",)),
    Form("shown", "PART is visible", '"Buy" is visible', ("part",), fixed={"element": True}, listed=False),
    Form("shown", "PART is not hidden", '"Buy" is not hidden', ("part",), fixed={"element": True}, listed=False),
    Form("shown", "there is a|an|the PART", 'there is a "Remove" button', ("part",), listed=False),
    Form("page", "[the] page shows TEXT", 'the page shows "Welcome"', ("text",)),
    Form("gone", "PART is not shown", '"Error" is not shown', ("part",)),
    Form("gone", "PART is not visible", '"Buy" is not visible', ("part",), listed=False),
    Form("gone", "PART is hidden", '"Buy" is hidden', ("part",), listed=False),
    Form("not_on_page", "[the] page does not show TEXT", 'the page does not show "Error"', ("text",)),
    Form("shows", "PART shows TEXT", '"Cart" shows "2 items"', ("part", "text")),
    Form("lacks", "PART does not show TEXT", '"Cart" does not show "Mug"', ("part", "text")),
    Form("value", "ELEMENT has [the] value TYPED", '"Email" has value "a@b.c"',
         ("element_id", "value"), "value"),
    Form("value", "ELEMENT is empty", '"Email" is empty', ("element_id",), "value", {"value": ""}),
    *_states(),
    Form("count", "there is|are NUMBER COUNTED", 'there are 2 "Remove" buttons',
         ("number", "items"), "count"),
    Form("count", "there is|are no COUNTED", 'there are no rows in "Orders"', ("items",), "count",
         {"number": 0}),
    *_PAGE,
)  # fmt: skip
_ORDERS: tuple[Form, ...] = tuple(
    Form(
        "order",
        f"ELEMENT comes {relation} ELEMENT",
        f'"Mug" comes {relation} "Plate"',
        ("first", "second"),
        "scroll",
        instead="State an order without quotes, for a model to judge, as in"
        ' verify("Mug comes before Plate"), or assert it with Playwright, as in'
        ' expect(page.get_by_role("listitem")).to_have_text(["Mug", "Plate"]).',
    )
    for relation in ("before", "after")
)
_READINGS: tuple[Form, ...] = (
    Form("text", "[the] text of PART", 'the text of "Total"', ("part",)),
    Form("value", "[the] value of ELEMENT", 'the value of "Email"', ("element_id",), "value"),
    Form("url", "[the] url|address", "the URL"),
    Form("title", "[the] title", "the title"),
)
_NUMBERS: tuple[Form, ...] = (
    Form(
        "count",
        "[the] number of COUNTED",
        'the number of "Remove" buttons',
        ("items",),
        "count",
        instead="State how many there are as a claim, as in"
        " verify('there are 3 \"Remove\" buttons'), or ask a model in other words, as in"
        ' extract("how many buttons remove an item", int).',
    ),
)
_SELECTIONS: tuple[Form, ...] = (
    Form("element", "ELEMENT", '"Add to cart" next to "Mug"', ("element_id",)),
)


def claim_help(_verb: str = "") -> str:
    """Return the forms of claims, and what free English needs."""
    forms = wrapped([form.example for form in _CLAIMS if form.listed])
    joints = "commas, 'and', 'then' or new lines"
    return f"Claims that need no model have these forms, joined by {joints}:\n{forms}\n{ADVICE}"


def reading_help(_verb: str = "") -> str:
    """Return what can be extracted."""
    forms = wrapped([form.example for form in _READINGS])
    return f"Without a model, these can be extracted:\n{forms}\n{ADVICE}"


def selection_help(_verb: str = "") -> str:
    """Return what can be selected."""
    forms = wrapped([_SELECTIONS[0].example, 'the "Buy" button in "Cart"'])
    return (
        f"Without a model, an element is selected by its name, as for 'click':\n{forms}\n{ADVICE}"
    )


CLAIMS = Language(_CLAIMS, "claim", claim_help, unsupported=_ORDERS)
READINGS = Language(_READINGS, "value to extract", reading_help, joined=False, unsupported=_NUMBERS)
SELECTIONS = Language(_SELECTIONS, "name", selection_help, joined=False)


JUDGES: Mapping[str, Callable[[ClaimContext, Clause], ClaimFinding]] = {
    "shown": judge_shown,
    "page": judge_page_shows,
    "gone": judge_not_shown,
    "not_on_page": judge_page_lacks,
    "shows": judge_part_shows,
    "lacks": judge_part_lacks,
    "value": judge_value,
    "state": judge_state,
    "count": judge_count,
    "url": judge_url,
    "title": judge_title,
}
"""By `Form.tool`."""


def judge_claim(
    turn: Turn, clauses: Sequence[Clause]
) -> tuple[str, str, list[Check], dict[str, Any]]:
    """Return the outcome, the reason, and the evidence with its locators.

    Raises UnresolvedError if it cannot be judged, PageError if the page is closed.
    """
    seconds = turn.left(turn.timeout)
    deadline = time.monotonic() + seconds
    context = ClaimContext(turn, deadline)

    def judge(final: bool) -> tuple[list[ClaimFinding], bool]:
        nonlocal context
        context = ClaimContext(turn, deadline, final)
        findings: list[ClaimFinding] = []
        try:
            findings = [_judge_clause(context, clause) for clause in clauses]
        except PlaywrightError as error:
            # The page navigated during the look, or it is closed.
            if final or turn.page.is_closed():
                raise unreadable_page(error) from error
        return findings, bool(findings) and all(finding.holds for finding in findings)

    def quiet(findings: Sequence[ClaimFinding]) -> float:
        return QUIET if any(finding.transient for finding in findings) else FRAMES

    findings, unrest = find(turn.page, seconds, judge, quiet=quiet)
    if unrest and findings:
        findings[0] = replace(findings[0], reason=f"{findings[0].reason} (the page {unrest})")
    return _conclude(context, clauses, findings)


def _judge_clause(context: ClaimContext, clause: Clause) -> ClaimFinding:
    try:
        return JUDGES[clause.tool](context, clause)
    except UnresolvedError as error:
        return ClaimFinding(None, str(error))


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
        raise UnresolvedError(reason)
    evidence: list[Check] = []
    for finding in decisive:
        evidence += [check for check in finding.evidence if check not in evidence]
    return outcome, reason, evidence, context.locators
