"""Literal claims and readings, checked on the live page until they hold or time is over."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from playwright.sync_api import Error as PlaywrightError

from pytest_webtask.checks.similar import similar_texts
from pytest_webtask.checks.text import Number, dates_in, numbers_in
from pytest_webtask.errors import PageError, UsageError
from pytest_webtask.literal.finder import (
    POLL,
    SETTLED,
    Asker,
    Found,
    Member,
    Part,
    Shown,
    Unresolved,
    Wanted,
    absent,
    find_element,
    loads,
    members,
    named_elements,
    names_of_kind,
    part_of,
    parts_of,
)
from pytest_webtask.literal.forms import ADVICE, KINDS, Form, Language, pluralize, wrapped
from pytest_webtask.literal.grammar import Clause, NameTemplate, Template
from pytest_webtask.literal.queries import frame_code
from pytest_webtask.types.agent import CheckResult, ProposedToolCall, Turn

__all__ = [
    "CLAIMS",
    "READINGS",
    "SELECTIONS",
    "ClaimFinding",
    "count",
    "from_checks",
    "gone",
    "judge_claim",
    "lacks",
    "not_on_page",
    "page",
    "read_value",
    "select_element",
    "shown",
    "shows",
    "state",
    "title",
    "url",
    "value",
    "with_similar",
]


_LONGEST = 200


@dataclass(frozen=True)
class ClaimFinding:
    """Whether a claim holds, None where that cannot be told; why, and on what evidence.

    `passing` says that a page which is still being built may show it for a moment.
    """

    holds: bool | None
    reason: str
    evidence: Sequence[Mapping[str, Any]] = ()
    passing: bool = False


def from_checks(
    evidence: Sequence[Mapping[str, Any]],
    checks: Sequence[CheckResult],
    reason: str,
    *,
    passing: bool = False,
) -> ClaimFinding:
    """What checks say of a claim that holds if all of them do."""
    for checked in checks:
        if checked.problem:
            return ClaimFinding(None, checked.problem, evidence, passing)
    wrong = [checked for checked in checks if not checked.holds]
    if not wrong:
        return ClaimFinding(True, reason, evidence, passing)
    told = [
        f"{c.about}: expected {c.expected}, but there is {c.actual or 'nothing'}" for c in wrong
    ]
    return ClaimFinding(False, "; ".join(told), evidence, passing)


def with_similar(finding: ClaimFinding, absent: str, lines: Sequence[str]) -> ClaimFinding:
    """Name the similar texts on the page in the reason of an absence that holds."""
    similar = similar_texts(absent, lines) if finding.holds else []
    if not similar:
        return finding
    quoted = ", ".join(json.dumps(text[:_LONGEST], ensure_ascii=False) for text in similar)
    return replace(finding, reason=f"{finding.reason}\nWarning: similar is shown: {quoted}")


def _as_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def value(asker: Asker, clause: Clause) -> ClaimFinding:
    """`"Email" has value "a@b.c"`, `"Email" is empty`."""
    named = clause.elements["element_id"]
    code, _ = asker.subject(named, clause.words)
    wanted = clause.typed.get("value")
    expected = wanted.keep(asker.turn.data) if wanted else str(clause.fixed["value"])
    evidence = [{"kind": "value", "element_id": code, "value": expected}]
    checks = asker.check(*evidence)
    finding = from_checks(evidence, checks, f"it holds {_as_json(expected)}")
    if finding.holds is False:
        there = checks[0].actual
        held = f"holds {_as_json(there)}" if there else "is empty"
        said = _said(asker, named, clause)
        return replace(
            finding, reason=f"{said} {held}, not {_as_json(expected) if expected else 'empty'}"
        )
    return finding


def state(asker: Asker, clause: Clause) -> ClaimFinding:
    """`"Buy" is disabled`, and the like."""
    named = clause.elements["element_id"]
    code, _ = asker.subject(named, clause.words)
    wanted = str(clause.fixed["state"])
    evidence = [{"kind": "state", "element_id": code, "state": wanted}]
    checks = asker.check(*evidence)
    said = _said(asker, named, clause)
    finding = from_checks(evidence, checks, f"{said} is {wanted}")
    if finding.holds is False:
        return replace(finding, reason=f"{said} is {checks[0].actual}, not {wanted}")
    return finding


def _said(asker: Asker, named: NameTemplate, clause: Clause) -> str:
    return str(asker.wanted(named, clause.words))


# How many


def _counted(asker: Asker, clause: Clause) -> tuple[Wanted, Part | None, list[Member]]:
    """What is counted, where, and all of it that is there. Raises Unresolved."""
    named = clause.elements["items"]
    wanted = asker.wanted(named, clause.words)
    part = None
    if named.of:
        place = Wanted(wanted.of, wanted.fit, wanted.of_kind, sentence=clause.words, strict=True)
        part = part_of(asker, place)
        if part.itself and not wanted.of_kind:
            what = part.first.role or "text"
            raise Unresolved(
                f"nothing on the page is called or headed {_as_json(wanted.of)} but a {what}: say"
                " which part of the page is meant"
            )
    found = members(asker, wanted, part)
    if not found and part and not part.below and part.first.role in KINDS[wanted.role]:
        raise Unresolved(f"{place} is itself a {wanted.role}, and holds none")
    return wanted, part, found


def count(asker: Asker, clause: Clause) -> ClaimFinding:
    """`there are 2 "Remove" buttons`, `there are no rows in "Orders"`."""
    wanted, part, found = _counted(asker, clause)
    number = int(str(clause.fixed["number"]))
    if not found:
        evidence: list[dict[str, Any]] = [*absent(asker, wanted, part), asker.anchor()]
        reason = f"there {_number(0, wanted)}"
        if number:
            return ClaimFinding(False, f"{reason}, not {number}", evidence)
        finding = from_checks(evidence, asker.check(*evidence), reason, passing=True)
        if not finding.holds:
            return replace(finding, holds=None)
        return with_similar(finding, wanted.name, names_of_kind(asker, wanted.role, part))
    evidence = _counts(asker, found, named=bool(wanted.name))
    reason = f"there {_number(len(found), wanted)}"
    if len(found) == number:
        finding = from_checks(evidence, asker.check(*evidence), reason, passing=True)
        if finding.holds:
            return finding
        return ClaimFinding(None, f"{reason}, but code cannot count them: {finding.reason}")
    names = [member.found.name for member in found if member.found.name]
    told = f": {', '.join(map(_as_json, names[:8]))}" if names and not wanted.name else ""
    return ClaimFinding(
        False, f"{reason}, not {number or 'none'}{told}", [*evidence, asker.anchor()]
    )


def _counts(asker: Asker, found: Sequence[Member], *, named: bool) -> list[dict[str, Any]]:
    """The checks that these are all of their kind: one for each role and frame."""
    kinds: dict[tuple[str, Any], list[str]] = {}
    for member in found:
        code = asker.keep_locator(member.query.code, member.query.locator)
        kinds.setdefault((member.role, member.found.frame), []).append(code)
    return [{"kind": "count", "element_ids": codes, "named": named} for codes in kinds.values()]


def _number(number: int, wanted: Wanted) -> str:
    what = wanted.role if number == 1 else pluralize(wanted.role)
    name = f"{_as_json(wanted.name)} " if wanted.name else ""
    place = f" {wanted.relation} {wanted.place}" if wanted.relation else ""
    return f"{'is' if number == 1 else 'are'} {number or 'no'} {name}{what}{place}"


# The page


def url(asker: Asker, clause: Clause) -> ClaimFinding:
    """`the URL is "/cart"`."""
    template, how = clause.filled["text"], clause.fixed["how"]
    text = template.fill(asker.turn.data, "an address")
    if how == "is" and not re.match(r"/|[a-z][a-z\d+.-]*:", text):
        raise UsageError(f"an address begins with / or http://, and {text!r} does not")
    pattern = {"is": text, "contains": f"*{text}*", "ends with": f"*{text}"}[str(how)]
    if not text.replace("*", "").strip():
        raise UsageError(f"any address fits {text!r}")
    evidence = [{"kind": "url", "pattern": pattern}]
    checks = asker.check(*evidence)
    finding = from_checks(evidence, checks, f"the URL {how} {_as_json(text)}")
    if finding.holds is False:
        return replace(finding, reason=f"the URL is {_as_json(checks[0].actual)}")
    return finding


def title(asker: Asker, clause: Clause) -> ClaimFinding:
    """`the title is "Cart"`."""
    template, how = clause.filled["text"], clause.fixed["how"]
    text = asker.fill(template, "a title")
    there = " ".join(asker.turn.page.title().split())
    evidence: list[Mapping[str, Any]] = [{"kind": "title", "text": asker.keep(template)}]
    if how == "is" and there != text:
        # The check is content with a part of the title; what is there instead is shown.
        shown = [{"kind": "title", "text": there}] if there else evidence
        return ClaimFinding(False, f"the title is {_as_json(there)}", shown)
    checks = asker.check(*evidence)
    finding = from_checks(evidence, checks, f"the title {how} {_as_json(text)}")
    if finding.holds is False:
        return replace(finding, reason=f"the title is {_as_json(there)}")
    return finding


_STRUCTURE = frozenset(
    "row;cell;list;item;list item;dialog;table;section;region;form;group;article".split(";")
)
"""What is named by what stands in it."""
_MOST = 5


def page(asker: Asker, clause: Clause) -> ClaimFinding:
    """`the page shows "Welcome"`."""
    return _page_shows(asker, clause.typed["text"])


def not_on_page(asker: Asker, clause: Clause) -> ClaimFinding:
    """`the page does not show "Error"`."""
    return _page_lacks(asker, clause.typed["text"])


def shown(asker: Asker, clause: Clause) -> ClaimFinding:
    """`"2 items" is shown`, `the "Remove" button is shown`."""
    named = clause.elements["part"]
    wanted = asker.wanted(named, clause.words)
    if named.role and named.role != "text":
        return _element_shown(asker, wanted)
    if not named.relation:
        return _named_shown(asker, clause, wanted)
    return _shows(asker, _place(asker, wanted), named.name, str(_place(asker, wanted)))


def gone(asker: Asker, clause: Clause) -> ClaimFinding:
    """`"Error" is not shown`, `the "Remove" button is not shown`."""
    named = clause.elements["part"]
    wanted = asker.wanted(named, clause.words)
    if named.role and named.role != "text":
        return _element_gone(asker, wanted)
    part = part_of(asker, _place(asker, wanted)) if named.relation else None
    if found := named_elements(asker, wanted.name, part):
        reason = (
            f"the {found[0].role or 'element'} that is called {_quote(wanted.name)} can be seen"
        )
        return ClaimFinding(False, reason, [_state(asker, found[0], "visible")])
    if not named.relation:
        return _page_lacks(asker, named.name)
    return _lacks(asker, _place(asker, wanted), named.name)


def shows(asker: Asker, clause: Clause) -> ClaimFinding:
    """`"Cart" shows "2 items"`."""
    wanted = asker.wanted(clause.elements["part"], clause.words)
    return _shows(asker, wanted, clause.typed["text"], str(wanted))


def lacks(asker: Asker, clause: Clause) -> ClaimFinding:
    """`"Cart" does not show "Mug"`."""
    wanted = asker.wanted(clause.elements["part"], clause.words)
    return _lacks(asker, wanted, clause.typed["text"])


def _place(asker: Asker, wanted: Wanted) -> Wanted:
    if wanted.relation != "in":
        raise Unresolved(f'a text is shown "in" a part of the page, not {wanted.relation} it')
    return Wanted(wanted.of, wanted.fit, wanted.of_kind, sentence=wanted.sentence, strict=True)


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _text_check(
    asker: Asker, found: Found, template: Template, part: Part | None = None
) -> dict[str, Any]:
    """The check that an element shows a text, or the part that it stands in."""
    if found.is_input:
        name = found.name or asker.fill(template)
        query_code = f'{frame_code(found.frame)}get_by_role("button", name={name!r}, exact=True)'
        code = asker.keep_locator(
            query_code, found.frame.get_by_role("button", name=name, exact=True)
        )
        return {"kind": "state", "element_id": code, "state": "visible"}
    whole = part.whole if part else None
    code = asker.cite(whole or found, asker.fill(template))
    return {"kind": "text", "element_id": code, "text": asker.keep(template)}


# Anywhere on the page


def _named_shown(asker: Asker, clause: Clause, wanted: Wanted) -> ClaimFinding:
    """A text is shown; an element that is called so and shows another text is visible."""
    finding = _page_shows(asker, clause.elements["part"].name)
    if finding.holds or not (found := named_elements(asker, wanted.name, None)):
        return finding
    what = found[0].role or "element"
    if clause.fixed.get("element"):
        evidence = [_state(asker, found[0], "visible")]
        return from_checks(evidence, asker.check(*evidence), f"the {what} can be seen")
    name = _quote(wanted.name)
    more = f"; a {what} is called so, of which one says {name} is visible"
    return replace(finding, reason=finding.reason + more)


def _page_shows(asker: Asker, template: Template) -> ClaimFinding:
    text = asker.fill(template)
    there = asker.show(text)
    problem = None
    for found in there.hits[:_MOST]:
        evidence = [_text_check(asker, found, template)]
        finding = from_checks(evidence, asker.check(*evidence), f"the page shows {_quote(text)}")
        if finding.holds:
            return finding
        problem = finding
    if problem:
        return replace(problem, holds=None)
    reason = f"{_quote(text)} is not shown"
    if not asker.final:
        return ClaimFinding(False, reason)
    if hidden := asker.unseen(text):
        evidence = [_state(asker, hidden[0], "visible")]
        said = "it is on the page, but it cannot be seen"
        return ClaimFinding(False, f"{reason}: {said}", evidence)
    otherwise = asker.show(text, anycase=True).hits
    if near := otherwise[0].text[:80] if otherwise else there.closest(text):
        reason += f"; the closest is {_quote(near)}"
        if like := otherwise or asker.show(near).hits:
            return ClaimFinding(False, reason, [_text_check(asker, like[0], template)])
    gone = {"kind": "absent", "text": asker.keep(template)}
    return ClaimFinding(False, reason, [gone, asker.anchor()])


def _page_lacks(asker: Asker, template: Template) -> ClaimFinding:
    evidence = [{"kind": "absent", "text": asker.keep(template)}, asker.anchor()]
    if template.names and any(asker.turn.data[name] is None for name in template.names):
        # What a secret says is not known here, and code asks for it all the same.
        return from_checks(evidence, asker.check(*evidence), "it is not shown", passing=True)
    text = asker.fill(template)
    there = asker.show(text)
    if there.hits:
        return _is_there(asker, text, there, template)
    reason = f"{_quote(text)} is shown nowhere"
    finding = from_checks(evidence, asker.check(*evidence), reason, passing=True)
    if finding.holds is False:
        otherwise = asker.show(text, anycase=True)
        finding = _hidden(asker, text, otherwise, None, finding, [asker.anchor()])
    return with_similar(finding, text, there.lines)


def _is_there(asker: Asker, text: str, there: Shown, template: Template) -> ClaimFinding:
    found = there.hits[0]
    said = f" in {_quote(found.text[:100])}" if found.text != text else ""
    place = f", {found.place}" if found.place else ""
    return ClaimFinding(
        False, f"{_quote(text)} is shown{said}{place}", [_text_check(asker, found, template)]
    )


def _hidden(
    asker: Asker,
    text: str,
    otherwise: Shown,
    part: Part | None,
    finding: ClaimFinding,
    anchors: Sequence[Mapping[str, Any]],
) -> ClaimFinding:
    """What holds of a text that is on the page, where no one can see it or in other capitals."""
    if otherwise.hits:
        said = otherwise.hits[0]
        reason = f"{_quote(said.text[:100])} is shown, which differs in capital letters only"
        return ClaimFinding(False, reason, finding.evidence)
    unseen = asker.unseen(text, part.tops[0] if part else None)
    if not unseen or len(unseen) > _MOST:
        return replace(finding, holds=None if unseen else False)
    evidence = [*(_state(asker, each, "hidden") for each in unseen), *anchors]
    reason = f"{_quote(text)} is on the page, but nobody can see it"
    checked = from_checks(evidence, asker.check(*evidence), reason, passing=True)
    return checked if checked.holds else replace(finding, holds=None)


def _state(asker: Asker, found: Found, state: str) -> dict[str, Any]:
    return {"kind": "state", "element_id": asker.cite(found), "state": state}


# In a part of it


def _shows(asker: Asker, wanted: Wanted, template: Template, name: str) -> ClaimFinding:
    text = asker.fill(template)
    part = part_of(asker, wanted)
    there = asker.show(text, part.tops)
    problem = None
    # All of a part may say more than code reads, or run into what stands beside the text.
    places: list[tuple[Found, Part | None]] = [(found, part) for found in there.hits[:1]]
    places += [(found, None) for found in there.hits[:_MOST]]
    for found, whole in places:
        evidence = [_text_check(asker, found, template, whole)]
        finding = from_checks(evidence, asker.check(*evidence), f"{name} shows {_quote(text)}")
        if finding.holds:
            return finding
        problem = finding
    if problem:
        return replace(problem, holds=None)
    if part.itself and not wanted.role:
        raise Unresolved(_nothing_more(part, wanted))
    if not asker.final:
        return ClaimFinding(False, f"{name} does not show {_quote(text)}")
    near = there.closest(text)
    said = near or there.text[:200]
    reason = f"{name} does not show {_quote(text)}; it shows {_quote(said) if said else 'nothing'}"
    evidence = [_text_check(asker, part.first, template)]
    if asker.check(*evidence)[0].holds:
        # It stands there in several lines, or where nobody can see it.
        hidden = [each for top in part.tops for each in asker.unseen(text, top)]
        if not hidden:
            raise Unresolved(f"{name} has {_quote(text)} in several lines: say what is in one")
        evidence = [_state(asker, hidden[0], "visible")]
        reason = f"{name} does not show {_quote(text)}: it is there, but it cannot be seen"
    return ClaimFinding(False, reason, evidence)


def _lacks(asker: Asker, wanted: Wanted, template: Template) -> ClaimFinding:
    text = asker.fill(template)
    part = part_of(asker, wanted)
    there = asker.show(text, part.tops)
    if there.hits:
        return _is_there(asker, text, there, template)
    if part.itself and not wanted.role:
        raise Unresolved(_nothing_more(part, wanted))
    anchors = [_state(asker, part.first, "visible")]
    codes = [asker.cite(replace(part.first, path=path)) for path in part.paths]
    evidence = [
        *({"kind": "absent", "text": asker.keep(template), "within": code} for code in codes),
        *anchors,
    ]
    reason = f"{wanted} does not show {_quote(text)}"
    finding = from_checks(evidence, asker.check(*evidence), reason, passing=True)
    if finding.holds is False:
        otherwise = asker.show(text, part.tops, anycase=True)
        finding = _hidden(asker, text, otherwise, part, finding, anchors)
    return with_similar(finding, text, there.lines)


def _nothing_more(part: Part, wanted: Wanted) -> str:
    what = part.first.role or "text"
    return (
        f"nothing on the page is called or headed {_quote(wanted.name)} but a {what}, which shows"
        " nothing else: say which part of the page is meant"
    )


# Elements by role and name


def _element_shown(asker: Asker, wanted: Wanted) -> ClaimFinding:
    found = _elements(asker, wanted)
    if found:
        evidence = [_state(asker, found[0], "visible")]
        return from_checks(evidence, asker.check(*evidence), f"there is {wanted}")
    return ClaimFinding(
        False,
        f"there is no {wanted}{_others(asker, wanted)}",
        [*absent(asker, wanted, None), asker.anchor()],
    )


def _element_gone(asker: Asker, wanted: Wanted) -> ClaimFinding:
    found = _elements(asker, wanted)
    if found:
        reason = f"there is {wanted}" + (f", {found[0].place}" if found[0].place else "")
        return ClaimFinding(False, reason, [_state(asker, found[0], "visible")])
    part = part_of(asker, _place(asker, wanted)) if wanted.relation else None
    evidence = [*absent(asker, wanted, part), asker.anchor()]
    finding = from_checks(evidence, asker.check(*evidence), f"there is no {wanted}", passing=True)
    if not finding.holds:
        return replace(finding, holds=None)
    return with_similar(finding, wanted.name, names_of_kind(asker, wanted.role, part))


def _elements(asker: Asker, wanted: Wanted) -> list[Found]:
    if wanted.role in _STRUCTURE:
        return [part.first for part in parts_of(asker, wanted)]
    part = part_of(asker, _place(asker, wanted)) if wanted.relation else None
    return [member.found for member in members(asker, wanted, part)]


def _others(asker: Asker, wanted: Wanted) -> str:
    near = Shown((), names_of_kind(asker, wanted.role, None)).closest(wanted.name)
    return f"; the closest is {_quote(near)}" if near else ""


_TRIES = 2
"""How often a value is read again that the page had no longer when it was asked."""


def select_element(turn: Turn, clause: Clause) -> ProposedToolCall:
    """The one element that is meant, by the rules of `do`. Raises Unresolved."""
    asker = Asker(turn, 0.0)
    wanted = asker.wanted(clause.elements["element_id"], clause.words, strict=False)
    found = find_element(turn.page, wanted, turn.left(turn.timeout))
    parameters = {"element_id": found.code, "reason": clause.words}
    return ProposedToolCall("report_element", parameters, clause.words, {found.code: found.locator})


def read_value(turn: Turn, clause: Clause) -> ProposedToolCall:
    """The value that is asked for, and where it stands. Raises Unresolved."""
    refused = [call.error or "" for i in turn.iterations for call in i.calls if not call.success]
    if len(refused) >= _TRIES:
        raise Unresolved(refused[-1])
    deadline = time.monotonic() + turn.left(turn.timeout)
    before: Any = None
    since = 0.0
    while True:
        asker = Asker(turn, deadline)
        lost: Exception | None = None
        try:
            found = READERS[clause.tool](asker, clause)
            now = time.monotonic()
            if found != before:
                before, since = found, now
            # A text may be another one in a moment on a page that is built.
            if now - since >= SETTLED or now >= deadline:
                parameters = {**found, "reason": clause.words}
                parameters["value"] = _as_wanted(turn, found["value"])
                return ProposedToolCall("report_value", parameters, clause.words, asker.locators)
        except (Unresolved, PlaywrightError) as error:
            lost, before = error, None
        if lost and time.monotonic() >= deadline:
            if isinstance(lost, PlaywrightError):
                raise PageError(f"the page cannot be looked at: {lost.message}") from lost
            raise lost
        try:
            turn.page.wait_for_timeout(POLL * 1000)
        except PlaywrightError as error:
            raise PageError(f"the page is gone: {error.message}") from error


def _text(asker: Asker, clause: Clause) -> dict[str, Any]:
    named = clause.elements["part"]
    wanted = asker.wanted(named, clause.words)
    part = part_of(asker, wanted)
    if not part.value:
        raise Unresolved(
            f"{wanted} is beside more than one text, or none: say which is meant by a name of its own"
        )
    return _source(asker, Found(part.first.frame, part.value, part.value_role))


def _source(asker: Asker, found: Found) -> dict[str, Any]:
    text = asker.drawn(found)
    return {"value": text, "read": [{"element_id": asker.cite(found, text), "text": text}]}


def _value(asker: Asker, clause: Clause) -> dict[str, Any]:
    code, _ = asker.subject(clause.elements["element_id"], clause.words)
    (checked,) = asker.check({"kind": "value", "element_id": code, "value": ""})
    if checked.problem:
        raise Unresolved(checked.problem)
    held = checked.actual
    return {"value": held, "read": [{"element_id": code, "text": held}]}


def _url(asker: Asker, clause: Clause) -> dict[str, Any]:
    url = asker.turn.page.url
    return {"value": url, "read": [{"element_id": "url", "text": url}]}


def _title(asker: Asker, clause: Clause) -> dict[str, Any]:
    title = " ".join(asker.turn.page.title().split())
    return {"value": title, "read": [{"element_id": "title", "text": title}]}


READERS: Mapping[str, Callable[[Asker, Clause], dict[str, Any]]] = {
    "text": _text,
    "value": _value,
    "url": _url,
    "title": _title,
}
"""By the names of the forms."""


def _as_wanted(turn: Turn, value: str) -> Any:
    """A text as the kind of number or date that is wanted, if it has one and no other."""
    tool = next(tool for tool in turn.tools if tool.name == "report_value")
    wanted = tool.args.model_fields["value"].annotation
    if wanted is date:
        days = [day for _, days, *_ in dates_in(value) for day in days]
        return str(_only(days, value, "date"))
    if wanted not in (int, float, Decimal):
        return value
    number: Decimal = _only([_meant(n) for n in numbers_in(value)], value, "number")
    if wanted is int and number != int(number):
        raise Unresolved(f"{value!r} is not a whole number")
    return str(number) if wanted is Decimal else wanted(number)


def _meant(number: Number) -> Decimal:
    if len(number.values) > 1 and "." in number.text:
        raise Unresolved(f"{number.text!r} may be either of {', '.join(map(str, number.values))}")
    # A comma between groups of three is none of a fraction.
    return max(number.values, key=abs)


def _only(found: Sequence[Any], text: str, what: str) -> Any:
    if len(found) != 1:
        raise Unresolved(f"{text!r} is not one {what}")
    return found[0]


_STATES = {
    # Word: the state, the sort of element that can be in it, the state that "is not" means.
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
_NAMES = {
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
        name = _NAMES[word]
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


def claim_help(verb: str = "") -> str:
    """What can be claimed, and how free English is."""
    said = wrapped([form.example for form in _CLAIMS if form.listed])
    joints = "commas, 'and', 'then' or new lines"
    return f"Literal claims are made of these, joined by {joints}:\n{said}\n{ADVICE}"


def reading_help(verb: str = "") -> str:
    """What can be extracted."""
    said = wrapped([form.example for form in _READINGS])
    return f"What can be extracted literally:\n{said}\n{ADVICE}"


def selection_help(verb: str = "") -> str:
    """What can be selected."""
    said = wrapped([_SELECTIONS[0].example, 'the "Buy" button in "Cart"'])
    return f"What can be selected literally is a name as in 'click':\n{said}\n{ADVICE}"


CLAIMS = Language(_CLAIMS, "claim", claim_help, unsupported=_ORDERS)
READINGS = Language(_READINGS, "wish", reading_help, joined=False, unsupported=_NUMBERS)
SELECTIONS = Language(_SELECTIONS, "name", selection_help, joined=False)


_LOADING = 1.0
"""Seconds for which a page that waits for an answer may still show what is said not to be there."""

JUDGES: Mapping[str, Callable[[Asker, Clause], ClaimFinding]] = {
    "shown": shown,
    "page": page,
    "gone": gone,
    "not_on_page": not_on_page,
    "shows": shows,
    "lacks": lacks,
    "value": value,
    "state": state,
    "count": count,
    "url": url,
    "title": title,
}
"""By the names of the forms."""


def judge_claim(
    turn: Turn, clauses: Sequence[Clause]
) -> tuple[str, str, list[Any], dict[str, Any]]:
    """Return the outcome, the reason, and the evidence with its locators.

    Raises Unresolved where it cannot be told, PageError where the page has gone.
    """
    started = time.monotonic()
    deadline = started + turn.left(turn.timeout)
    settle = SETTLED if turn.timeout else 0.0
    before: list[Any] = []
    since = started
    while True:
        final = time.monotonic() >= deadline
        asker = Asker(turn, deadline, final)
        trouble: PlaywrightError | None = None
        findings: list[ClaimFinding] = []
        try:
            findings = [_judged(asker, clause) for clause in clauses]
            now = time.monotonic()
            if all(finding.holds for finding in findings):
                said = [finding.evidence for finding in findings]
                if said != before:
                    before, since = said, now
                if _is_steady(turn, findings, now - since, now - started, settle):
                    break
            else:
                before = []
                if final:
                    break
        except PlaywrightError as error:
            # The page navigated under the look, or it is gone.
            trouble = error
        if trouble and final:
            raise PageError(f"the page cannot be looked at: {trouble.message}") from trouble
        try:
            turn.page.wait_for_timeout(POLL * 1000)
        except PlaywrightError as error:
            raise PageError(f"the page is gone: {error.message}") from error
    return _concluded(asker, clauses, findings)


def _judged(asker: Asker, clause: Clause) -> ClaimFinding:
    try:
        return JUDGES[clause.tool](asker, clause)
    except Unresolved as error:
        return ClaimFinding(None, str(error))


def _is_steady(
    turn: Turn, findings: Sequence[ClaimFinding], same: float, waited: float, settle: float
) -> bool:
    """Whether what holds is no passing moment of a page that is still being built."""
    if not any(finding.passing for finding in findings):
        return True
    if same < settle:
        return False
    ready = turn.page.evaluate("document.readyState") == "complete" and not loads(turn.page)
    return ready or waited >= min(_LOADING, turn.timeout)


def _concluded(
    asker: Asker, clauses: Sequence[Clause], findings: Sequence[ClaimFinding]
) -> tuple[str, str, list[Any], dict[str, Any]]:
    outcome = "holds"
    told = findings
    if wrong := [finding for finding in findings if finding.holds is False]:
        outcome, told = "does_not_hold", wrong
    elif lost := [finding for finding in findings if finding.holds is None]:
        outcome, told = "cannot_tell", lost
    several = len(clauses) > 1
    reasons = [
        f"{clause.words}: {finding.reason}" if several else finding.reason
        for clause, finding in zip(clauses, findings, strict=True)
        if finding in told
    ]
    reason = "\n".join(reasons)
    if outcome == "cannot_tell":
        raise Unresolved(reason)
    evidence: list[Any] = []
    for finding in told:
        evidence += [check for check in finding.evidence if check not in evidence]
    return outcome, reason, evidence, asker.locators
