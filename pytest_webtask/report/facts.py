"""How a report shows facts: what matters at a glance first, the rest on demand."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from pydantic import ValidationError

from pytest_webtask.records import Conclusion, Fact

__all__ = ["Row", "ShownFact", "concluded", "shown"]

_ITEMS = 6
"""Items of a set that are shown at a glance."""
_LONG = 240
"""Characters of a text that are shown at a glance."""
_WITHIN = 4
"""Containers that are shown at a glance."""
_MATCHES = {
    "whole": "the whole text is expected",
    "part": "a part of it is expected",
    "pattern": "a pattern is expected",
}
_OUTCOMES = {"holds": "it holds", "does_not_hold": "it does not hold"}


@dataclass(frozen=True)
class Row:
    """A labeled line; `kind` is `text`, `list`, `path` or `chips`, `warn` that it limits what is proved."""

    label: str
    values: tuple[str, ...]
    kind: str = "text"
    warn: bool = False


@dataclass
class ShownFact:
    """A fact as lines: those at a glance, and those that are collapsed.

    `so_before` says whether it was so before the task, None where that is not known or not asked;
    `other` is the fact of the element that it is compared with.
    """

    fact: Fact
    glance: list[Row] = field(default_factory=list)
    more: list[Row] = field(default_factory=list)
    so_before: bool | None = None
    other: ShownFact | None = None


def shown(fact: Fact, so_before: bool | None = None) -> ShownFact:
    """Return the lines of a fact."""
    made = ShownFact(fact, so_before=so_before)
    _add(made, fact)
    return made


def concluded(conclusion: Conclusion) -> list[ShownFact]:
    """Return the facts that a referee was given."""
    facts = []
    for given in conclusion.facts:
        known = {k: v for k, v in given.items() if k in Fact.model_fields}
        before = given.get("so before the task")
        try:
            made = Fact.model_validate(known)
        except ValidationError:
            continue
        each = shown(made, before if isinstance(before, bool) else None)
        if was := given.get("before the task"):
            each.glance.append(Row("Before the task", (str(was),)))
        facts.append(each)
    return facts


def outcome(conclusion: Conclusion) -> str:
    """Return what was concluded, in words."""
    return {
        "claim": _OUTCOMES.get(conclusion.outcome, conclusion.outcome),
        "value": f"the value is {json.dumps(conclusion.value, ensure_ascii=False)}",
        "element": "this is the element",
        "task": "the task is done",
        "pattern": "these texts may differ in each run",
        "case": "these texts differ with the data",
    }[conclusion.kind]


def _add(made: ShownFact, fact: Fact) -> None:
    glance, more = made.glance, made.more

    def put(
        rows: list[Row], label: str, *values: str, kind: str = "text", warn: bool = False
    ) -> None:
        if kept := tuple(filter(None, values)):
            rows.append(Row(label, kept, kind, warn))

    name = f'"{fact.name}"' if fact.name and fact.name != fact.text else ""
    put(glance, "Element", " ".join(filter(None, (fact.element, name))))
    size = f"{fact.characters:,} characters" if fact.characters > len(fact.text) else ""
    if fact.text:
        short = fact.text if len(fact.text) <= _LONG else f"{fact.text[:_LONG]}…"
        note = ", ".join(filter(None, (_MATCHES.get(fact.match, ""), size)))
        put(glance, "Text", short, note)
        put(more, "All of the text", fact.text if short != fact.text else "")
    put(glance, "State", *fact.states, kind="chips")
    put(glance, "Label", fact.label)
    put(glance, "Row", fact.row)
    put(glance, "Column", fact.column)
    put(glance, "Place", fact.position)
    within = [
        " ".join(filter(None, (each.kind, f'"{each.name}"' if each.name else "")))
        for each in fact.within
    ]
    put(glance, "Stands in", *reversed(within[:_WITHIN]), kind="path")
    put(glance, "Under", fact.heading)
    if fact.size is not None:
        few = fact.items[:_ITEMS]
        rest = len(fact.items) - len(few)
        put(glance, "In all", str(fact.size))
        put(glance, "Items", *few, f"… and {rest} more" if rest else "", kind="list")
        put(more, "All items", *(fact.items if rest else ()), kind="list")
    if alike := fact.alike:
        put(glance, "Alike", f"no. {alike.place} of {alike.size} of {alike.of} on the page")
        put(more, "Each alone in", *(each.name for each in alike.parts), kind="list")
        put(more, "Next to it", *alike.beside, kind="list")
    put(glance, "Signs of more", *fact.more, kind="list", warn=True)
    put(glance, "Searched", fact.searched)
    put(glance, "Similar", *fact.similar, kind="list", warn=True)
    put(glance, "Changes", fact.changes, warn=True)
    put(glance, "Note", fact.note)
    put(more, "Beside", *fact.beside, kind="list")
    put(more, "All around", *(reversed(within) if len(within) > _WITHIN else ()), kind="path")
    put(more, "Author's names", *(f"{k}: {v}" for k, v in fact.author.items()), kind="list")
    around = [f"{e.kind}: {e.author}" for e in fact.within if e.author]
    put(more, "Names around", *around, kind="list")
    put(more, "Pattern", fact.pattern)
    put(more, "Elsewhere", fact.elsewhere)
    put(glance if not (fact.element or fact.size is not None) else more, "Page", fact.page)
    put(more, "Frame", fact.frame)
    if fact.other is not None:
        made.other = shown(fact.other)
