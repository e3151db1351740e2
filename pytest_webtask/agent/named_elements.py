"""Elements that a call names by role and name, which are found when its turn comes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_webtask.data.phrases import PASS_AN_ID, invalid_parts, quote
from pytest_webtask.data.text import squashed
from pytest_webtask.literal.forms import ROLE_WORDS
from pytest_webtask.page.activity import activity_of
from pytest_webtask.page.outline import PLAIN
from pytest_webtask.page.step_time import Deadline
from pytest_webtask.tools.context import StepContext
from pytest_webtask.tools.results import ToolError
from pytest_webtask.types.agent import Observation, ProposedToolCall


class NamedElement(BaseModel):
    """An element by its role and its whole name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    role: str
    name: str = Field(min_length=1)

    def __str__(self) -> str:
        return f"{self.role} {quote(self.name)}"


class _NotOneError(ToolError):
    """A name means no element, or several, on the page as it is now."""


def named_elements(call: ProposedToolCall) -> dict[str, Any]:
    """Return the elements that a call names, by parameter."""
    given = call.parameters.items()
    return {n: v for n, v in given if n.endswith("element_id") and isinstance(v, Mapping)}


def needs_no_id(call: ProposedToolCall) -> bool:
    """Return whether a call may follow the load of a page, as it names all of its elements."""
    named = named_elements(call)
    return bool(named) and not any(n.endswith("element_id") for n in call.parameters.keys() - named)


def with_ids(
    call: ProposedToolCall, context: StepContext, seen: Observation | None
) -> ProposedToolCall:
    """Return a call with the ids of the elements that it names, as the page is now.

    Raises ToolError if a name does not mean exactly one element, or if a secret would be typed into a field
    that the model has not `seen`.
    """
    named = {name: _read(value, context) for name, value in named_elements(call).items()}
    ids = _at_rest(named, context)
    texts = [text for text in call.parameters.values() if isinstance(text, str)]
    unseen = {*ids.values()} - (seen.elements if seen else {}).keys()
    if unseen and any(map(context.data.uses_secret, texts)):
        raise ToolError(
            "a secret is typed only into a field that the outline has shown you: if"
            f" {unseen.pop()} in the next turn is the right field, pass that id"
        )
    return replace(call, parameters={**call.parameters, **ids})


def _read(value: Any, context: StepContext) -> NamedElement:
    """Return a named element with its placeholders filled in. Raises ToolError."""
    try:
        named = NamedElement.model_validate(value)
    except ValidationError as error:
        raise ToolError(
            f"pass an element as an id, or as an object with role and name;"
            f" {invalid_parts(error, value)[0]}"
        ) from None
    if context.data.uses_secret(named.name):
        raise ToolError(f"the name of an element cannot contain a secret; {PASS_AN_ID}")
    return named.model_copy(update={"name": squashed(context.data.fill(named.name))})


def _at_rest(named: Mapping[str, NamedElement], context: StepContext) -> dict[str, str]:
    """Return the ids of elements, once each name means one. Raises ToolError."""
    _await_page(context)
    deadline = Deadline(context.capped(context.timeout))
    while True:
        observation = context.observe()
        try:
            return {key: _find(each, observation) for key, each in named.items()}
        except _NotOneError:
            if deadline.is_over:
                raise
        deadline.pause(context.page)


def _find(named: NamedElement, observation: Observation) -> str:
    """Return the id of the one element of an observation that is named. Raises _NotOneError."""
    role = "text" if named.role in PLAIN else named.role
    roles = {role, *ROLE_WORDS.get(role, ())}
    seen = (*observation.texts.values(), *observation.elements.values())
    alike = [each for each in seen if each.role in roles and squashed(each.name) == named.name]
    matches = [e for e in alike if e.role == "file" or (not e.hidden and e.box is not None)]
    if len(matches) != 1:
        raise _NotOneError(f"no element, or more than one, is {named}; {PASS_AN_ID}")
    return matches[0].id


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
