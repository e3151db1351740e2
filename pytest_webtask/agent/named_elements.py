"""Elements that a call names by role and name, found when its turn comes."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from playwright.sync_api import Error
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_webtask.literal.finder import ElementPhrase, UnresolvedError, find_element
from pytest_webtask.literal.forms import FORMS, ROLE_WORDS
from pytest_webtask.page import dom
from pytest_webtask.page.activity import QUIET
from pytest_webtask.page.frames import FRAME_TIMEOUT
from pytest_webtask.tools.context import StepContext
from pytest_webtask.tools.results import ToolError
from pytest_webtask.types.agent import Observation, ProposedToolCall


class NamedElement(BaseModel):
    """An element by its role and name, `within` a part of the page that shows another text."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    role: str
    name: str = Field(min_length=1)
    within: str = ""


def named_elements(call: ProposedToolCall) -> dict[str, Any]:
    """Return the elements that a call names, by the parameter that would have an id."""
    return {
        name: value
        for name, value in call.parameters.items()
        if name.endswith("element_id") and isinstance(value, Mapping)
    }


def needs_no_id(call: ProposedToolCall) -> bool:
    """Return whether a call names all of its elements, so that it may follow the load of a page."""
    return bool(named_elements(call)) and not ids_of(call)


def ids_of(call: ProposedToolCall) -> list[str]:
    """Return the element ids of a call."""
    return [
        value
        for name, value in call.parameters.items()
        if name.endswith("element_id") and isinstance(value, str)
    ]


def with_ids(
    call: ProposedToolCall, context: StepContext, seen: Observation | None
) -> ProposedToolCall:
    """Return a call with the ids of the elements that it names, as the page is now.

    Raises ToolError if a name does not mean exactly one element, or if a secret would be typed into a
    field that is neither for passwords nor among those that the model has `seen`.
    """
    texts = [text for text in call.parameters.values() if isinstance(text, str)]
    is_secret = any(map(context.data.uses_secret, texts))
    ids: dict[str, str] = {}
    for name, value in named_elements(call).items():
        ids[name], kind = _find(call.tool, value, context)
        if is_secret and kind != "password" and (seen is None or ids[name] not in seen.elements):
            raise ToolError(
                "a secret is typed only into a field for passwords, or one that you have seen: look at"
                f" the page and use an id, such as {ids[name]}"
            )
    return replace(call, parameters={**call.parameters, **ids})


def _find(tool: str, value: Any, context: StepContext) -> tuple[str, str]:
    """Return the id and the `type` of the element that a value names. Raises ToolError."""
    try:
        named = NamedElement.model_validate(value)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        raise ToolError(
            f"an element is an id, or an object with role, name and perhaps within;"
            f" {'.'.join(map(str, problem['loc']))}: {problem['msg']}"
        ) from None
    data = context.data
    if any(map(data.uses_secret, (named.name, named.within))):
        raise ToolError("the name of an element cannot contain a secret: use an id")
    phrase = ElementPhrase(
        name=" ".join(data.fill(named.name).split()),
        fit=next((form.fit for form in FORMS if form.tool == tool), "click"),
        role=_word(named.role),
        relation="in" if named.within else "",
        of=" ".join(data.fill(named.within).split()),
        # A model that has not seen the page must not act on "Delete account" for "Delete".
        strict=True,
    )
    _await_page(context)
    try:
        query = find_element(context.page, phrase, context.capped(context.timeout))
    except UnresolvedError as error:
        shown = "" if data.redact.has_locators else f"\n{error}"
        raise ToolError(
            f"not exactly one element is {phrase}; look at the page, and use an id{shown}"
        ) from None
    observation = context.observe()
    with suppress(Error):
        found = dom.call(query.locator, "identity", timeout=FRAME_TIMEOUT)
        for each in context.session.observer.ids_of(found["document"], [found["number"]]):
            element = observation.elements.get(each)
            if element and element.hidden and element.role != "file":
                raise ToolError(f"{phrase} is {each}, which cannot be seen: look at the page")
            if each in observation.elements or each in observation.texts:
                return each, str(found["field"]["type"])
    raise ToolError(f"{phrase} was found, but has no id: look at the page for what to use")


def _await_page(context: StepContext) -> None:
    """Wait until the page has reacted to the call before. Raises ToolError if that asks for another page in vain.

    What is meant is on that page, though the one before may have an element of that name, too.
    """
    context.session.watch()
    context.session.settle()
    page, settler = context.page, context.session.settler
    left = context.time.countdown(context.capped(max(context.timeout, context.busy_timeout)))
    while settler.awaits_page(page):
        if left() <= 0:
            raise ToolError(
                "the call before this one asked for another page, which has not come yet: call wait first"
            )
        page.wait_for_timeout(50)
        settler.settle(page, QUIET)


def _word(role: str) -> str:
    """Return the word for a role in sentences. Raises ToolError for a role without one."""
    words = (word for word, roles in ROLE_WORDS.items() if word == role or role in roles)
    word = next(words, None)
    if word is None:
        known = ", ".join(dict.fromkeys(role for roles in ROLE_WORDS.values() for role in roles))
        raise ToolError(
            f"elements cannot be named by the role {role!r}: use an id, or one of {known}"
        )
    return word
