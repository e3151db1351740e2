"""Facts for a referee, with references in place of repetitions, cut to fit a budget."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from pytest_webtask.data.phrases import shortened
from pytest_webtask.data.values import map_strings
from pytest_webtask.llm.fitting import fit

BUDGET = 9_600
"""The maximum number of characters for the facts of a conclusion; a token is about four."""
_EACH = 600
"""The number of characters for each fact of a long task, which has many."""
_DISPENSABLE = ("beside", "author", "elsewhere")
"""Fields that are left out if all else is not enough."""
_AROUND = ("within", "more", "items", "alike", "page", "frame", *_DISPENSABLE)
_SHARED = (*_AROUND, "note")
"""Fields that are written once if several facts have the same value."""
_SURROUNDINGS = (*_AROUND, "heading", "similar")
"""Fields whose texts are shortened to fit the budget."""
_LENGTHS = (120, 56, 28)
_KEPT = 8
"""Items of a set that are kept if there are too many facts: the first and the last."""
_LEAST = 60
"""Characters of a long text that are always kept on each side of the expected part."""


def packed(facts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return facts without repetitions, of which the last are shortened first to fit the budget.

    A field that equals one of an earlier fact leaves only its name, below `as in fact N`. The check, states,
    positions and sizes are always kept.
    """
    budget = max(BUDGET, _EACH * len(facts))
    forms: list[Callable[[Mapping[str, Any]], dict[str, Any]]] = [dict]
    forms += [partial(_shortened, most=most) for most in _LENGTHS]
    # No fact refers to one that was cut more.
    return fit(
        _referring(facts)[::-1], [*forms, _least], lambda fact: len(_json(fact)) + 1, budget
    )[::-1]


def _referring(facts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return facts with references in place of fields that an earlier fact has as well."""
    known: dict[str, str] = {}
    references = []
    for number, fact in enumerate(facts, 1):
        own: dict[str, Any] = {}
        for name, value in fact.items():
            key = _json([name, value])
            if name in _SHARED and key in known:
                own.setdefault(known[key], []).append(name)
            else:
                own[name] = value
            known.setdefault(key, f"as in fact {number}")
        references.append(own)
    return references


def _shortened(fact: Mapping[str, Any], most: int) -> dict[str, Any]:
    """Return a fact whose surroundings are texts of at most `most` characters."""
    cut = partial(shortened, longest=most)
    result = {**fact, **{n: map_strings(fact[n], cut) for n in _SURROUNDINGS if n in fact}}
    if "within" in result:
        # The row, card or item tells which thing it is.
        result["within"][:1] = fact["within"][:1]
    if "other" in result:
        result["other"] = _shortened(result["other"], most)
    return result


def _least(fact: Mapping[str, Any]) -> dict[str, Any]:
    """Return a fact with the part of its surroundings that identifies it, and its text around what is expected."""
    result: dict[str, Any] = {
        name: [each for each in value if each not in _DISPENSABLE]
        if name.startswith("as in fact")
        else value
        for name, value in _shortened(fact, _LENGTHS[-1]).items()
        if name not in _DISPENSABLE
    }
    if "within" in result:
        result["within"] = result["within"][:1]
    items = result.get("items", ())
    if len(items) > _KEPT:
        result["items"] = [*items[:6], f"({len(items) - _KEPT} more)", *items[-2:]]
    text, expected = str(fact.get("text", "")), str(fact.get("expected", ""))
    if len(text) > 2 * _LEAST + len(expected):
        at = max(text.casefold().find(expected.casefold()), 0)
        result["text"] = f"…{text[max(at - _LEAST, 0) : at + len(expected) + _LEAST]}…"
        result["characters"] = fact.get("characters", len(text))
    if "other" in result:
        result["other"] = _least(result["other"])
    return result


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
