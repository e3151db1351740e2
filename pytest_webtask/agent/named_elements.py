"""Elements that a call or its evidence names by role and name, found when its turn comes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from playwright.sync_api import Error
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_webtask.checks.base import Check
from pytest_webtask.data.phrases import PASS_AN_ID, invalid_parts, quote
from pytest_webtask.data.text import squashed
from pytest_webtask.literal.finder import places_within
from pytest_webtask.literal.forms import ROLE_WORDS
from pytest_webtask.page import dom
from pytest_webtask.page.activity import activity_of
from pytest_webtask.page.frames import FRAME_TIMEOUT
from pytest_webtask.page.outline import PLAIN
from pytest_webtask.page.step_time import Deadline
from pytest_webtask.tools.context import StepContext
from pytest_webtask.tools.results import ToolError
from pytest_webtask.types.agent import Element, Observation, ProposedToolCall

_LISTED = 8
"""The number of elements that a message lists."""


class NamedElement(BaseModel):
    """An element by its role and name, `within` a part of the page that shows another text."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    role: str
    name: str = Field(min_length=1)
    within: str = ""

    def __str__(self) -> str:
        words = [self.role, quote(self.name) if self.name else ""]
        words += ["in", quote(self.within)] if self.within else []
        return " ".join(filter(None, words))


class CitedElement(NamedElement):
    """An element of evidence; without a name it is the only one of its role, such as a status."""

    name: str = ""


class _NotOneError(ToolError):
    """A name means no element, or several, on the page as it is now."""


_Named = TypeVar("_Named", bound=NamedElement)


def named_elements(call: ProposedToolCall) -> list[Any]:
    """Return the elements that a call, or its evidence, names."""
    return [each for each in _references(call) if isinstance(each, Mapping)]


def needs_no_id(call: ProposedToolCall) -> bool:
    """Return whether a call may follow the load of a page, as it names all of its elements.

    Evidence without elements, such as a title, names none.
    """
    named = "evidence" in call.parameters or bool(named_elements(call))
    return named and not ids_of(call)


def ids_of(call: ProposedToolCall) -> list[str]:
    """Return the element ids of a call and of its evidence."""
    return [each for each in _references(call) if isinstance(each, str) and each]


def _references(call: ProposedToolCall) -> Iterator[Any]:
    """Yield the id or the named element of each parameter that takes one, also of its evidence."""
    for name, value in call.parameters.items():
        if name.endswith("element_id"):
            yield value
    for check in _evidence_of(call):
        for name in _slots(check):
            yield from check[name] if isinstance(check[name], list) else [check[name]]


def _evidence_of(call: ProposedToolCall) -> Sequence[Any]:
    evidence = call.parameters.get("evidence")
    return evidence if isinstance(evidence, (list, tuple)) else ()


def _slots(check: Any) -> list[str]:
    """Return the fields of a check that have ids; none of what has not the form of a check."""
    kind = Check.kinds().get(str(check.get("kind"))) if isinstance(check, Mapping) else None
    return [name for name in kind.ids if name in check] if kind else []


def with_ids(
    call: ProposedToolCall, context: StepContext, seen: Observation | None
) -> ProposedToolCall:
    """Return a call with the ids of the elements that it names, as the page is now.

    Its evidence may then become true while it is awaited. Raises ToolError if a name does not mean
    exactly one element, or if a secret would be typed into a field that is neither for passwords nor
    among those that the model has `seen`.
    """
    if "evidence" in call.parameters:
        parameters = {**call.parameters, "evidence": _with_cited(call, context)}
        waits = max(call.waits, context.capped(context.timeout))
        return replace(call, parameters=parameters, waits=waits)
    named = {
        name: _read(NamedElement, value, context)
        for name, value in call.parameters.items()
        if name.endswith("element_id") and isinstance(value, Mapping)
    }
    ids: dict[str, str] = _at_rest(named, context)
    texts = [text for text in call.parameters.values() if isinstance(text, str)]
    if any(map(context.data.uses_secret, texts)):
        for each in ids.values():
            is_seen = seen is not None and each in seen.elements
            if not is_seen and not _is_for_passwords(each, context):
                raise ToolError(
                    "a secret is typed only into a password field or one that the outline has shown you: if"
                    f" {each} in the next turn is the right field, pass that id"
                )
    return replace(call, parameters={**call.parameters, **ids})


def _is_for_passwords(element_id: str, context: StepContext) -> bool:
    with suppress(Error):
        locator = context.session.observer.known[element_id].locator
        return bool(dom.call(locator, "field", timeout=FRAME_TIMEOUT)["type"] == "password")
    return False


def _with_cited(call: ProposedToolCall, context: StepContext) -> list[Any]:
    """Return the evidence of a call with ids, once each name means one element. Raises ToolError."""
    checks = [{**each} if _slots(each) else each for each in _evidence_of(call)]
    for check in checks:
        for name in _slots(check):
            values = check[name] if isinstance(check[name], list) else [check[name]]
            read = [
                _read(CitedElement, v, context) if isinstance(v, Mapping) else v for v in values
            ]
            if Check.kinds()[check["kind"]].by_eye and read != values:
                raise ToolError(
                    f"a check of kind {check['kind']} takes no role and name; {PASS_AN_ID}"
                )
            check[name] = read if isinstance(check[name], list) else read[0]
    cited: list[Any] = _at_rest(checks, context)
    return cited


def _at_rest(value: Any, context: StepContext) -> Any:
    """Return a value with ids in place of named elements, once each means one. Raises ToolError."""
    _await_page(context)
    deadline = Deadline(context.capped(context.timeout))
    while True:
        observation = context.observe()

        def cite(value: Any, observation: Observation = observation) -> Any:
            if isinstance(value, list):
                return [*map(cite, value)]
            if isinstance(value, dict):
                return {name: cite(each) for name, each in value.items()}
            return _cite(value, observation, context) if isinstance(value, NamedElement) else value

        try:
            return cite(value)
        except _NotOneError:
            if deadline.is_over:
                raise
        deadline.pause(context.page)


def _cite(named: NamedElement, observation: Observation, context: StepContext) -> str:
    """Return the id of the one element of an observation that is named. Raises _NotOneError."""
    role = "text" if named.role in PLAIN else named.role
    roles = {role, *ROLE_WORDS.get(role, ())}
    seen = [*observation.texts.values(), *observation.elements.values()]
    alike = [each for each in seen if each.role in roles and _is_usable(each)]
    matches = _called(named.name, alike) if named.name else alike
    if named.within and matches:
        known = context.session.observer.known
        inside: list[int] = []
        with suppress(Error):
            nodes = [(known[each.id].frame, known[each.id].locator) for each in matches]
            inside = places_within(context.page, named.within, nodes)
        matches = [matches[at] for at in inside]
    if len(matches) == 1:
        return matches[0].id
    listed = "".join(f"\n  {each.id} {quote(each.name)}" for each in (matches or alike)[:_LISTED])
    hint = "" if context.data.redact.has_locators or not listed else f", such as{listed}"
    raise _NotOneError(f"no element, or more than one, is {named}; {PASS_AN_ID}{hint}")


def _is_usable(element: Element) -> bool:
    return element.role == "file" or (not element.hidden and element.box is not None)


def _called(name: str, elements: Sequence[Element]) -> list[Element]:
    """Return the elements whose whole name this is, in other capital letters only if none has these."""
    names = [(each, squashed(each.name)) for each in elements]
    named = [each for each, own in names if own.casefold() == name.casefold()]
    exact = [each for each, own in names if own == name]
    return exact or named


def _read(kind: type[_Named], value: Any, context: StepContext) -> _Named:
    """Return a named element with its placeholders filled in. Raises ToolError."""
    try:
        named = kind.model_validate(value)
    except ValidationError as error:
        raise ToolError(
            f"pass an element as an id, or as an object with role, name and perhaps within;"
            f" {invalid_parts(error, value)[0]}"
        ) from None
    if any(map(context.data.uses_secret, (named.name, named.within))):
        raise ToolError(f"the name of an element cannot contain a secret; {PASS_AN_ID}")
    name, within = (squashed(context.data.fill(each)) for each in (named.name, named.within))
    return named.model_copy(update={"name": name, "within": within})


def _await_page(context: StepContext) -> None:
    """Wait until the page has reacted to the call before. Raises ToolError if that asks for another page in vain.

    What is meant is on that page, though the one before may have an element of that name, too.
    """
    context.session.watch()
    context.session.rest()
    limit = Deadline(context.capped(max(context.timeout, context.busy_timeout)))
    while activity_of(context.page).awaits_page():
        if limit.is_over:
            raise ToolError(
                "the call before this one asked for another page, which has not come yet: first wait for a"
                " text of that page"
            )
        activity_of(context.page).await_rest(cap=limit.left)
