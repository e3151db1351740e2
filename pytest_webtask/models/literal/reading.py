"""What is read off the page, and the element that is selected."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from playwright.sync_api import Error as PlaywrightError

from pytest_webtask.checks.text import Number, dates_in, numbers_in
from pytest_webtask.errors import PageError
from pytest_webtask.models.literal.asking import Asker, Found
from pytest_webtask.models.literal.clauses import Clause
from pytest_webtask.models.literal.parts import part_of
from pytest_webtask.models.literal.resolve import POLL, SETTLED, Unresolved, find
from pytest_webtask.records import ProposedToolCall, Turn

__all__ = ["read", "select"]

_TRIES = 2
"""How often a value is read again that the page had no longer when it was asked."""


def select(turn: Turn, clause: Clause) -> ProposedToolCall:
    """The one element that is meant, by the rules of `do`. Raises Unresolved."""
    asker = Asker(turn, 0.0)
    wanted = asker.wanted(clause.elements["element_id"], clause.words, strict=False)
    found = find(turn.page, wanted, turn.left(turn.timeout))
    parameters = {"element_id": found.code, "reason": clause.words}
    return ProposedToolCall("report_element", parameters, clause.words, {found.code: found.locator})


def read(turn: Turn, clause: Clause) -> ProposedToolCall:
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
