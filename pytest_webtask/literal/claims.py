"""Judge literal claims and read literal values on the live page until they hold or time is up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from itertools import chain
from typing import Any, TypeVar

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Frame, Locator

from pytest_webtask.checks.background import AnsweredRequest, Downloaded, NoFailure
from pytest_webtask.checks.base import Check, CheckResult
from pytest_webtask.checks.check_context import ask_facts
from pytest_webtask.checks.element import State, Value
from pytest_webtask.checks.page import Absent, BrowserDialog, Present, Title, Url, WasShown
from pytest_webtask.checks.sets import Count
from pytest_webtask.data.phrases import quote, with_article
from pytest_webtask.data.text import Number, dates_in, numbers_in, squashed
from pytest_webtask.errors import UsageError
from pytest_webtask.literal.finder import (
    ElementPhrase,
    MatchedElement,
    UnresolvedError,
    find_element,
    nearest,
    refuse_other_role,
    undrawn,
    unreadable_page,
)
from pytest_webtask.literal.forms import JOINED, KINDS, Form, Language, pluralize
from pytest_webtask.literal.grammar import Clause, PhraseTemplate, Template
from pytest_webtask.literal.parts import (
    ClaimContext,
    PagePart,
    absence_checks,
    draws_items,
    explain_bare_name,
    find_by_exact_name,
    find_members,
    find_part,
)
from pytest_webtask.literal.queries import frame_code
from pytest_webtask.page import dom
from pytest_webtask.page.activity import FRAMES, find
from pytest_webtask.tools.approval import quiet_for
from pytest_webtask.types.agent import ProposedToolCall, Turn

T = TypeVar("T")
_LONGEST_QUOTE = 200


@dataclass(frozen=True)
class ClaimFinding:
    """The outcome of a claim, None if unclear, with the reason and the evidence.

    It is `missing` if a part of the page that it is about is not there. `candidates` are what could be meant.
    """

    holds: bool | None
    reason: str
    evidence: Sequence[Check] = ()
    missing: bool = False
    candidates: Sequence[Locator] = ()


@dataclass(frozen=True)
class Claim:
    """A clause as checks that all must hold, or with `either` one of them; `words` say what then holds.

    `otherwise` says what holds if they don't, for a `text` that the `part`, or the page, shows. `doubts` are reasons why
    the claim is undecided though it seems to hold or, by False, not to. One `of_all` of a list is so too if the page
    shows only a part of it.
    """

    checks: Sequence[Check]
    words: str
    otherwise: str = ""
    text: str = ""
    part: PagePart | None = None
    doubts: Mapping[bool, str] = field(default_factory=dict)
    either: bool = False
    of_all: bool = False


def _judge(context: ClaimContext, claim: Claim) -> ClaimFinding:
    """Run the checks of a claim and return the finding."""
    results = context.check(*claim.checks)
    decides = max if claim.either else min
    decisive = decides(results, key=lambda result: result.holds)
    evidence = [decisive.check] if claim.either else claim.checks
    doubt = claim.doubts.get(decisive.holds, "")
    if decisive.holds:
        if claim.of_all:
            doubt = doubt or _explain_partial(results)
        reason = claim.words + _warn_of_similar(results)
        return ClaimFinding(None if doubt else True, doubt or reason, evidence)
    if decisive.problem or doubt:
        reason = decisive.problem or f"{doubt}: {decisive.explain()}"
        return ClaimFinding(None, reason, evidence)
    reason = _explain(context, claim, decisive) if context.final else ""
    return ClaimFinding(False, reason, evidence)


def _explain(context: ClaimContext, claim: Claim, failed: CheckResult) -> str:
    """Return what is there instead of what a check expects."""
    if not claim.text or failed.kind not in ("present", "absent"):
        return failed.explain()
    if failed.negative:
        return f"{claim.otherwise}: {quote(failed.actual[:100])}"
    lines = context.lines(claim.part)
    short = [line for line in lines if len(line) <= 120][:500]
    there = next(iter(nearest(claim.text, short)), " ".join(lines) or "nothing")
    return f"{claim.otherwise}; the closest is {quote(there[:80])}{undrawn(context.turn.page)}"


def _explain_partial(results: Sequence[CheckResult]) -> str:
    """Return why it is undecided that a list lacks something, "" if all of it is there."""
    signs = [
        result.fact.more
        for result in results
        if result.fact and isinstance(result.check, Absent) and "part" in (result.check.signs or ())
    ]
    more = "; ".join(dict.fromkeys(chain(*signs)))
    return f"there are more than those that are shown: {more}" if more else ""


def _warn_of_similar(results: Sequence[CheckResult]) -> str:
    """Return a warning of texts like one that is absent, "" if there are none."""
    facts = [result.fact.similar for result in results if result.fact]
    quoted = [quote(text[:_LONGEST_QUOTE]) for text in dict.fromkeys(chain(*facts))]
    return f"\nWarning: something similar is shown: {', '.join(quoted)}" if quoted else ""


# Fields, states, the address, the title, and what is behind the page: their checks explain themselves


def _value(context: ClaimContext, clause: Clause) -> Claim:
    typed = clause.typed.get("value")
    value = typed.keep(context.turn.data) if typed else ""
    return Claim([Value(element_id=_subject(context, clause), value=value)], clause.words)


def _state(context: ClaimContext, clause: Clause) -> Claim:
    given = {**clause.fixed, "element_id": _subject(context, clause)}
    return Claim([State.model_validate(given)], clause.words)


def _title(context: ClaimContext, clause: Clause) -> Claim:
    text = context.keep(clause.filled["text"])
    return Claim([Title(text=text, exact=clause.fixed["how"] == "is")], clause.words)


def _url(context: ClaimContext, clause: Clause) -> Claim:
    how = str(clause.fixed["how"])
    text = _address(context, clause, whole=how == "is")
    pattern = {"is": text, "contains": f"*{text}*", "ends with": f"*{text}"}[how]
    return Claim([Url(pattern=pattern)], clause.words)


def _dialog(context: ClaimContext, clause: Clause) -> Claim:
    text = clause.typed["text"].keep(context.turn.data)
    return Claim([BrowserDialog.model_validate({**clause.fixed, "text": text})], clause.words)


def _request(context: ClaimContext, clause: Clause) -> Claim:
    given = {**clause.fixed, "pattern": _address(context, clause)}
    return Claim([AnsweredRequest.model_validate(given)], clause.words)


def _no_failure(context: ClaimContext, clause: Clause) -> Claim:
    given = {"pattern": _address(context, clause)} if clause.filled else {}
    check = NoFailure.model_validate({**clause.fixed, **given})
    return Claim([check, context.page_check()], clause.words)


def _download(context: ClaimContext, clause: Clause) -> Claim:
    name = clause.typed["text"].keep(context.turn.data)
    if not name.replace("*", "").strip():
        raise UsageError(f"{name!r} fits every file; write a part of the expected name")
    return Claim([Downloaded(name=name)], clause.words)


def _subject(context: ClaimContext, clause: Clause) -> str:
    return context.subject(clause.elements["element_id"], clause.words)


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


def _part_of(context: ClaimContext, clause: Clause) -> ElementPhrase | None:
    """Return the part whose text a clause is about, None for the page or what the sentence is limited to."""
    part = clause.elements.get("part")
    return context.phrase(part, clause.words) if part else None


def _claim_shows(context: ClaimContext, clause: Clause) -> Claim:
    """Claim `the page shows "Welcome"` and `"Cart" shows "2 items"`."""
    return _shows(context, clause.typed["text"], _part_of(context, clause))


def _claim_lacks(context: ClaimContext, clause: Clause) -> Claim:
    """Claim `the page does not show "Error"` and `"Cart" does not show "Mug"`."""
    return _lacks(context, clause.typed["text"], _part_of(context, clause))


def _claim_shown(context: ClaimContext, clause: Clause) -> Claim | ClaimFinding:
    """Claim `"2 items" is shown` and `the "Remove" button is shown`."""
    template = clause.elements["part"]
    phrase = context.phrase(template, clause.words)
    if template.role not in ("", "text"):
        return _claim_members(context, phrase, None)
    claim = _shows(context, template.name, _place_of(phrase))
    if not clause.fixed.get("element"):
        return claim
    # An element may be visible without a text of its name.
    elements = find_by_exact_name(context, phrase.name, claim.part)[:1]
    return replace(claim, checks=[*claim.checks, *(_seen(context, each) for each in elements)])


def _claim_gone(context: ClaimContext, clause: Clause) -> Claim | ClaimFinding:
    """Claim `"Error" is not shown` and `the "Remove" button is not shown`."""
    template = clause.elements["part"]
    phrase = context.phrase(template, clause.words)
    if template.role not in ("", "text"):
        return _claim_members(context, phrase, 0)
    claim = _lacks(context, template.name, _place_of(phrase))
    elements = find_by_exact_name(context, phrase.name, claim.part)[:1]
    return _visible(context, elements[0]) if elements else claim


def _visible(context: ClaimContext, element: MatchedElement) -> ClaimFinding:
    """Return the finding that a claim does not hold, since an element is visible."""
    return ClaimFinding(False, f"{element} is visible", [_seen(context, element)])


def _seen(context: ClaimContext, element: MatchedElement) -> Check:
    return State(element_id=context.cite(element), state="visible")


def _place_of(phrase: ElementPhrase) -> ElementPhrase | None:
    """Return the part in which something must be, None without one. Raises UnresolvedError."""
    if not phrase.relation:
        return None
    if phrase.relation != "in":
        raise UnresolvedError(
            f'a part of the page shows text "in" it, not "{phrase.relation}" it; write: in {phrase.place}'
        )
    return phrase.part


def _shows(context: ClaimContext, template: Template, phrase: ElementPhrase | None) -> Claim:
    """Claim that the page, or the part that a phrase means, shows a text."""
    text, kept = context.fill(template), context.keep(template)
    part = find_part(context, phrase) if phrase else context.part
    checks: list[Check] = [Present(text=kept, within=code) for code in context.cite_part(part)]
    if part is None:
        # A message may have gone by itself before the page was at rest.
        checks.append(WasShown(text=kept, message=True))
    shown, not_shown = _shown_or_not(phrase or context.around, text)
    doubts = {False: _explain_bareness(part, phrase)}
    return Claim(checks, shown, not_shown, text, part, doubts, either=True)


def _lacks(context: ClaimContext, template: Template, phrase: ElementPhrase | None) -> Claim:
    """Claim that the page, or the part that a phrase means, does not show a text."""
    kept = context.keep(template)
    is_secret = any(context.turn.data[name] is None for name in template.names)
    # Only the check itself knows the value of a secret.
    text = kept if is_secret else context.fill(template)
    part = find_part(context, phrase).whole if phrase else context.part
    checks: list[Check] = [Absent(text=kept, within=code) for code in context.cite_part(part)]
    # An absence alone holds on any page.
    checks.append(_seen(context, part.first) if part else context.page_check())
    shown, not_shown = _shown_or_not(phrase or context.around, text)
    doubts = {True: _explain_bareness(part, phrase)}
    return Claim(checks, not_shown, shown, text, part, doubts)


def _shown_or_not(place: ElementPhrase | None, text: str) -> tuple[str, str]:
    """Return in words that a text is shown, and that it is not."""
    if place is None:
        return f"{quote(text)} is shown", f"{quote(text)} is not shown"
    return f"{place} shows {quote(text)}", f"{place} does not show {quote(text)}"


def _explain_bareness(part: PagePart | None, phrase: ElementPhrase | None) -> str:
    """Return why nothing can be missing in a part that is only a name, "" if it is more."""
    if part is None or phrase is None or phrase.role or not part.itself:
        return ""
    return explain_bare_name(part, phrase)


# Elements by role and name

_LISTED = frozenset(("row", "item", "list item"))


def _claim_count(context: ClaimContext, clause: Clause) -> Claim | ClaimFinding:
    """Claim `there are 2 "Remove" buttons` and `there are no rows in "Orders"`. Raises UnresolvedError."""
    phrase = context.phrase(clause.elements["items"], clause.words)
    return _claim_members(context, phrase, int(str(clause.fixed["number"])))


def _claim_members(
    context: ClaimContext, phrase: ElementPhrase, number: int | None
) -> Claim | ClaimFinding:
    """Claim that there are so many elements of a role and name, None for any. Raises UnresolvedError."""
    place = _place_of(phrase)
    part = find_part(context, place) if place else context.part
    if part and number == 0:
        part = part.whole
    if bare := _explain_bareness(part, place):
        raise UnresolvedError(bare)
    members = find_members(context, phrase, part)
    if members and number is None:
        return Claim([_seen(context, members[0])], f"there is {phrase}")
    words = f"there {_describe_count(len(members), phrase)}"
    if not members and number is not None:
        _doubt_absence(context, phrase, place or context.around, part)
    if members:
        checks = _count_checks(context, members, phrase.name)
        doubt = f"{words}, but not all of them are these"
    else:
        checks = [*absence_checks(context, phrase, part), context.page_check()]
        doubt = f"{words}, but one of a longer name"
    if len(members) == number:
        return Claim(checks, words, part=part, doubts={False: doubt}, of_all=bool(part))
    return ClaimFinding(False, _miscounted(context, phrase, members, words, number), checks)


def _doubt_absence(
    context: ClaimContext, phrase: ElementPhrase, place: ElementPhrase | None, part: PagePart | None
) -> None:
    """Raise UnresolvedError if what is not there by its role may be there all the same."""
    refuse_other_role(context.turn.page, phrase)
    if part and not part.below and part.first.role in KINDS[phrase.role]:
        raise UnresolvedError(
            f"{place} is itself {with_article(phrase.role)} and contains none; name a section, list or"
            " table around it"
        )
    if part and not phrase.name and phrase.role in _LISTED and draws_items(part):
        raise UnresolvedError(
            f"{place} has no {pluralize(phrase.role)} that are marked as such, but parts that look like them;"
            " ask for a text in it instead, or give them a role"
        )


def _miscounted(
    context: ClaimContext,
    phrase: ElementPhrase,
    members: Sequence[MatchedElement],
    words: str,
    number: int | None,
) -> str:
    """Return the reason for another number, with the names that there are."""
    others = members or find_members(context, replace(phrase, name=""), None)
    names = [*dict.fromkeys(quote(each.name) for each in others if each.name)]
    listed = f"; there is {', '.join(names[:8])}" if names else ""
    wanted = {None: "", 0: ", not none"}.get(number, f", not {number}")
    return f"{words}{wanted}{listed}"


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
    context = ClaimContext(turn, scope=clause.scope)
    phrase = context.phrase(clause.elements["element_id"], clause.words, strict=False)
    code, locator = find_element(turn.page, phrase, turn.left(turn.timeout), acts=False).address()
    parameters = {"element_id": code, "reason": clause.words}
    return ProposedToolCall("report_element", parameters, clause.words, {code: locator})


def read_value(turn: Turn, clause: Clause) -> ProposedToolCall:
    """Return the call that reports a value and its source. Raises UnresolvedError."""
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
    turn: Turn, scope: Sequence[PhraseTemplate], read: Callable[[ClaimContext], T]
) -> tuple[T, ClaimContext]:
    """Return what is read once it can be, with the context of that look. Raises UnresolvedError and PageError."""

    def look(context: ClaimContext) -> tuple[T | None, bool]:
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
    scope: Sequence[PhraseTemplate],
    look: Callable[[ClaimContext], tuple[T, bool]],
    *,
    quiet: Callable[[Any], float] = lambda _: FRAMES,
) -> tuple[T | None, str, ClaimContext]:
    """Return what a look at the page tells once it is accepted, or the time is up, why the page was not at rest, and its context.

    Raises PageError if the page cannot be read.
    """
    context = ClaimContext(turn, scope=scope)

    def ask(final: bool) -> tuple[T | None, bool]:
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


def _read_text(context: ClaimContext, clause: Clause) -> tuple[str, str]:
    phrase = context.phrase(clause.elements["part"], clause.words)
    part = find_part(context, phrase)
    bare = _explain_bareness(part, phrase)
    if bare and (part.first.text == phrase.name or part.kind != "name"):
        raise UnresolvedError(bare)
    if not part.value:
        raise UnresolvedError(
            f"{phrase} labels no text, or more than one; write a label that belongs to one text only"
        )
    nothing = {"pattern": "(?!)", "flags": "g"}
    text = str(ask_facts(part.value.locator, "says", nothing)["text"])
    return context.cite(part.value), text


def _read_value(context: ClaimContext, clause: Clause) -> tuple[str, str]:
    code = _subject(context, clause)
    (checked,) = context.check(Value(element_id=code, value=""))
    if checked.problem:
        raise UnresolvedError(checked.problem)
    return code, checked.actual


def _read_url(context: ClaimContext, _clause: Clause) -> tuple[str, str]:
    return "url", context.turn.page.url


def _read_title(context: ClaimContext, _clause: Clause) -> tuple[str, str]:
    return "title", squashed(context.turn.page.title())


_READERS: Mapping[str, Callable[[ClaimContext, Clause], tuple[str, str]]] = {
    "text": _read_text,
    "value": _read_value,
    "url": _read_url,
    "title": _read_title,
}
"""By `Form.tool`: each returns what it cites as its source, and the text that it reads."""


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
)
_READINGS: tuple[Form, ...] = (
    Form("text", "[the] text of PART", 'the text of "Total"'),
    Form("value", "[the] value of ELEMENT", 'the value of "Email"', "value"),
    Form("url", "[the] url|address", "the URL"),
    Form("title", "[the] title", "the title"),
)
_SELECTIONS: tuple[Form, ...] = (
    Form("element", "ELEMENT", '"Add to cart" next to "Mug"'),
    Form("element", "ELEMENT", 'the "Buy" button in "Cart"'),
)


CLAIMS = Language(
    _CLAIMS,
    "claim",
    f"Claims that need no model have these forms, {JOINED}:",
)
READINGS = Language(
    _READINGS, "value to extract", "Without a model, these can be extracted:", joined=False
)
SELECTIONS = Language(
    _SELECTIONS,
    "name",
    "Without a model, an element is selected by its name, as for 'click':",
    joined=False,
)


_CLAIMED: Mapping[str, Callable[[ClaimContext, Clause], Claim | ClaimFinding]] = {
    "shown": _claim_shown,
    "gone": _claim_gone,
    "page": _claim_shows,
    "shows": _claim_shows,
    "not_on_page": _claim_lacks,
    "lacks": _claim_lacks,
    "count": _claim_count,
    "value": _value,
    "state": _state,
    "title": _title,
    "url": _url,
    "dialog": _dialog,
    "request": _request,
    "no_failure": _no_failure,
    "download": _download,
}
"""By `Form.tool`."""


def judge_claim(
    turn: Turn, clauses: Sequence[Clause]
) -> tuple[str, str, list[Check], dict[str, Any]]:
    """Return the outcome, the reason, and the evidence with its locators.

    Raises UnresolvedError if it cannot be judged, PageError if the page is closed.
    """

    def judge(context: ClaimContext) -> tuple[list[ClaimFinding], bool]:
        findings = [_judge_clause(context, clause) for clause in clauses]
        return findings, all(finding.holds for finding in findings)

    def quiet(findings: Sequence[ClaimFinding] | None) -> float:
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
    return *_conclude(findings), context.locators


def _judge_clause(context: ClaimContext, clause: Clause) -> ClaimFinding:
    try:
        _ = context.part  # which must be there for any clause
        claim = _CLAIMED[clause.tool](context, clause)
        return _judge(context, claim) if isinstance(claim, Claim) else claim
    except UnresolvedError as error:
        return ClaimFinding(None, str(error), missing=error.missing, candidates=error.candidates)


_OUTCOMES = {False: "does_not_hold", None: "cannot_tell", True: "holds"}
"""From the one that a single clause decides."""


def _conclude(findings: Sequence[ClaimFinding]) -> tuple[str, str, list[Check]]:
    judged = [finding.holds for finding in findings]
    holds = next(each for each in _OUTCOMES if each in judged)
    decisive = [finding for finding in findings if finding.holds is holds]
    reason = "\n".join(finding.reason for finding in decisive)
    if holds is None:
        raise UnresolvedError(
            reason,
            missing=all(finding.missing for finding in decisive),
            candidates=[*chain(*(finding.candidates for finding in decisive))],
        )
    evidence = dict.fromkeys(chain(*(finding.evidence for finding in decisive)))
    return _OUTCOMES[holds], reason, [*evidence]
