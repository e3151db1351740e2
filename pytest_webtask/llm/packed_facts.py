"""Facts for a referee, with references in place of repetitions, cut to fit a budget."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from pytest_webtask.data.phrases import shortened
from pytest_webtask.data.values import map_strings

BUDGET = 9_600
"""The maximum number of characters for the facts of a conclusion; a token is about four."""
_EACH = 600
"""The number of characters for each fact of a long task, which has many."""
_SHARED = ("within", "beside", "author", "more", "items", "alike", "page", "frame", "elsewhere")
"""Fields that are written once if several facts have the same value."""
_SURROUNDINGS = (*_SHARED, "heading", "similar")
"""Fields whose texts are shortened to fit the budget."""
_LENGTHS = (120, 80, 56, 40, 28)
_SHORT = 24
"""Characters up to which a value is repeated rather than referred to."""
_REFERENCE = "as in "
_KEPT = 8
"""Items of a set that are kept if there are too many facts: the first and the last."""
_LEAST = 120
"""Characters of a long text that are always kept around the expected part."""


def packed(facts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return numbered facts without repetitions, shortened evenly to fit the budget.

    A field that equals one of an earlier fact leaves only its name, below `as in fact N`; containers
    that are equal from some level outwards end with that reference. The check, states, positions
    and sizes are always kept.
    """
    budget = max(BUDGET, _EACH * len(facts))
    referring = _referring(facts)
    for most in (None, *_LENGTHS):
        briefer = [_shortened(fact, most) for fact in referring] if most else referring
        if _size(briefer) <= budget:
            return briefer
    for name in ("author", "beside", "elsewhere", "items", "within"):
        briefer = [_with_less(fact, name) for fact in briefer]
        if _size(briefer) <= budget:
            return briefer
    return [*map(_around_expected, briefer)]


def _referring(facts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return facts with references in place of fields that an earlier fact has as well."""
    known: list[tuple[str, Any, str]] = []
    references = []
    for number, fact in enumerate(facts, 1):
        own = dict(fact)
        about = f"as in fact {fact.get('number', number)}"
        if "other" in own:
            # Two compared elements usually have the same surroundings.
            here = [(name, own[name], "as in this fact") for name in _SHARED if name in own]
            own["other"] = _refer(own["other"], [*known, *here])
        references.append(_refer(own, known))
        known += [(name, fact[name], about) for name in _SHARED if name in fact]
    return references


def _refer(fact: Mapping[str, Any], known: Sequence[tuple[str, Any, str]]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    same: dict[str, list[str]] = {}
    for name, value in fact.items():
        if name in _SHARED and len(_json(value)) > _SHORT:
            where = next((w for n, v, w in known if n == name and v == value), "")
            if where:
                same.setdefault(where, []).append(name)
                continue
        if name == "within":
            value = _outer_once(value, [(v, w) for n, v, w in known if n == name])
        kept[name] = value
    return kept | same


def _outer_once(within: Sequence[Any], known: Sequence[tuple[Sequence[Any], str]]) -> list[Any]:
    """Return containers with a reference in place of outer ones that an earlier fact has."""
    for at in range(1, len(within) - 1):
        for earlier, where in known:
            if list(within[at:]) == list(earlier[-len(within[at:]) :]):
                return [*within[:at], f"then from {within[at]['kind']} outwards {where}"]
    return list(within)


def _shortened(fact: Mapping[str, Any], most: int) -> dict[str, Any]:
    cut = partial(shortened, longest=most)
    result = {
        name: map_strings(value, cut) if name in _SURROUNDINGS else value
        for name, value in fact.items()
    }
    if "other" in result:
        result["other"] = _shortened(result["other"], most)
    return result


def _with_less(fact: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a fact without one field of its surroundings, except for the part that identifies it."""
    result = dict(fact)
    value = result.pop(name, None) or ()
    if name not in ("within", "items"):
        for where, names in fact.items():
            if where.startswith(_REFERENCE) and name in names:
                result[where] = [each for each in names if each != name]
                if not result[where]:
                    del result[where]
    if name == "within" and value:
        result[name] = list(value[:1])
    elif name == "items" and value:
        rest = len(value) - _KEPT
        result[name] = list(value)
        if rest > 0:
            result[name] = [*value[: _KEPT - 2], f"({rest} more)", *value[-2:]]
    if "other" in result:
        result["other"] = _with_less(result["other"], name)
    return result


def _around_expected(fact: Mapping[str, Any]) -> dict[str, Any]:
    """Return a fact whose long text is cut around the expected part."""
    result = dict(fact)
    text, expected = str(fact.get("text", "")), str(fact.get("expected", ""))
    if len(text) > _LEAST + len(expected):
        at = max(text.casefold().find(expected.casefold()), 0)
        start = max(at - _LEAST // 2, 0)
        end = at + len(expected) + _LEAST // 2
        result["text"] = f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"
        result["characters"] = fact.get("characters") or len(text)
    return result


def _size(facts: Sequence[Mapping[str, Any]]) -> int:
    return sum(len(_json(fact)) + 1 for fact in facts)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
