"""Facts as a referee reads them: what is equal among them once, and all of them within a budget."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

__all__ = ["BUDGET", "packed"]

BUDGET = 9_600
"""Characters that the facts of one conclusion may have, of which four are about a token."""
_SHARED = ("within", "beside", "author", "more", "items", "alike", "page", "frame", "elsewhere")
"""Fields that are given once where several facts have the same."""
_SURROUNDINGS = (*_SHARED, "heading", "similar")
"""Fields whose texts are shortened where there are too many of them."""
_LENGTHS = (120, 80, 56, 40, 28)
_SHORT = 24
"""Characters of what is rather given twice than referred to."""
_KEPT = 8
"""Items of a set that are named where there are too many facts: the first and the last."""
_LEAST = 120
"""Characters of a long text that are kept in any case, around what was expected of it."""


def packed(facts: Sequence[Mapping[str, Any]], budget: int = BUDGET) -> list[dict[str, Any]]:
    """Return numbered facts without what an earlier one says as well, shortened evenly to a budget.

    Of a field that is equal in an earlier fact only its name is left, below `as in fact N`;
    containers that are equal from some place outwards end with that reference. What was checked,
    states, positions and sizes are always there.
    """
    given = _referring(facts)
    for most in (None, *_LENGTHS):
        made = [_shortened(fact, most) for fact in given] if most else given
        if _size(made) <= budget:
            return made
    for name in ("author", "beside", "elsewhere", "items", "within"):
        made = [_with_less(fact, name) for fact in made]
        if _size(made) <= budget:
            return made
    return [_around_expected(fact) for fact in made]


def _referring(facts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return facts in which what is equal in an earlier one is replaced by a reference."""
    known: list[tuple[str, Any, str]] = []
    made = []
    for number, fact in enumerate(facts, 1):
        own = dict(fact)
        about = f"as in fact {fact.get('number', number)}"
        if "other" in own:
            # What is compared stands where the element itself stands, as a rule.
            here = [(name, own[name], "as in this fact") for name in _SHARED if name in own]
            own["other"] = _refer(own["other"], [*known, *here])
        made.append(_refer(own, known))
        known += [(name, fact[name], about) for name in _SHARED if name in fact]
    return made


def _refer(fact: Mapping[str, Any], known: Sequence[tuple[str, Any, str]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    same: dict[str, list[str]] = {}
    for name, value in fact.items():
        if name in _SHARED and len(_json(value)) > _SHORT:
            where = next((w for n, v, w in known if n == name and v == value), "")
            if where:
                same.setdefault(where, []).append(name)
                continue
        if name == "within":
            value = _outer_once(value, [(v, w) for n, v, w in known if n == name])
        made[name] = value
    return made | same


def _outer_once(within: Sequence[Any], known: Sequence[tuple[Sequence[Any], str]]) -> list[Any]:
    """Return containers, the outer ones as a reference where an earlier fact has the same."""
    for at in range(1, len(within) - 1):
        for earlier, where in known:
            if list(within[at:]) == list(earlier[-len(within[at:]) :]):
                return [*within[:at], f"then from {within[at]['kind']} outwards {where}"]
    return list(within)


def _shortened(fact: Mapping[str, Any], most: int) -> dict[str, Any]:
    made = {
        name: _each_text(value, lambda text: _cut(text, most)) if name in _SURROUNDINGS else value
        for name, value in fact.items()
    }
    if "other" in made:
        made["other"] = _shortened(made["other"], most)
    return made


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {name: _each_text(each, change) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_each_text(each, change) for each in value]
    return value


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _with_less(fact: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a fact without one of its surroundings, but for what tells it from others."""
    made = dict(fact)
    value = made.pop(name, None) or ()
    if name == "within" and value:
        made[name] = list(value[:1])
    elif name == "items" and value:
        rest = len(value) - _KEPT
        made[name] = list(value)
        if rest > 0:
            made[name] = [*value[: _KEPT - 2], f"({rest} more)", *value[-2:]]
    if "other" in made:
        made["other"] = _with_less(made["other"], name)
    return made


def _around_expected(fact: Mapping[str, Any]) -> dict[str, Any]:
    """Return a fact whose long text is cut around what was expected of it."""
    made = dict(fact)
    text, expected = str(fact.get("text", "")), str(fact.get("expected", ""))
    if len(text) > _LEAST + len(expected):
        at = max(text.casefold().find(expected.casefold()), 0)
        start = max(at - _LEAST // 2, 0)
        end = at + len(expected) + _LEAST // 2
        made["text"] = f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"
        made["characters"] = fact.get("characters") or len(text)
    return made


def _size(facts: Sequence[Mapping[str, Any]]) -> int:
    return sum(len(_json(fact)) + 1 for fact in facts)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
