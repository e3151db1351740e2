"""What a sentence says, clause by clause: names, values and what is to be done or judged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pytest_webtask.errors import UnknownName, UsageError

__all__ = ["BRACES", "Clause", "Named", "Template", "check_names"]

BRACES = re.compile(r"\{\{|\}\}|\{([^\W\d]\w*)\}|[{}]")


@dataclass(frozen=True)
class Template:
    """A quoted value: `raw` has its `{names}` and its doubled braces as they were written."""

    raw: str

    @property
    def names(self) -> tuple[str, ...]:
        """The placeholders, in order."""
        return tuple(m[1] for m in BRACES.finditer(self.raw) if m[1])

    def fill(self, data: Mapping[str, str | None], use: str) -> str:
        """Return the value with its placeholders filled in; a secret is a `UsageError`."""

        def value(match: re.Match[str]) -> str:
            if match[1] is None:
                return match[0][0]
            found = _known(match[1], data)
            if found is None:
                raise UsageError(
                    f"{match[0]} is a secret and cannot be {use}: a secret is only ever typed "
                    f'into a field, as in fill "Password" with {match[0]}'
                )
            return found

        return BRACES.sub(value, self.raw)

    def keep(self, data: Mapping[str, str | None]) -> str:
        """Return the value with its placeholders as they are, for a tool to put in.

        A tool puts in every `{name}` that it knows, so a doubled brace that would make one of
        plain text is a `UsageError`.
        """
        for name in self.names:
            _known(name, data)
        kept = BRACES.sub(lambda m: m[0] if m[1] else m[0][0], self.raw)
        if [name for name in Template(kept).names if name in data] != [*self.names]:
            raise UsageError(f"{self.raw!r} cannot be typed: its braces would make a placeholder")
        return kept


@dataclass(frozen=True)
class Named:
    """An element as a sentence names it: `role` is the word said after the name, or empty.

    `of` is where it stands, and `of_kind` the word said after that. What is counted may have no
    name but its role.
    """

    name: Template
    fit: str
    role: str = ""
    relation: str = ""
    of: Template | None = None
    of_kind: str = ""

    @property
    def named(self) -> bool:
        """Whether it has a name."""
        return bool(self.name.raw)


@dataclass(frozen=True)
class Clause:
    """One call, as `words` of the sentence ask for it.

    `typed` values keep their placeholders for the tool to put in; those of `elements` and `filled`
    are put in before the page is looked at.
    """

    words: str
    tool: str
    elements: Mapping[str, Named]
    typed: Mapping[str, Template]
    filled: Mapping[str, Template]
    fixed: Mapping[str, object]


def check_names(clauses: Iterable[Clause], data: Mapping[str, str | None]) -> None:
    """Raise `UnknownName` for a placeholder without a value.

    Raises `UsageError` for a misused secret, and for a name, text or address that comes out empty.
    """
    for clause in clauses:
        for template in clause.typed.values():
            template.keep(data)
        for parameter, template in clause.filled.items():
            _check(template, data, f"the {parameter} of {clause.words!r}")
        for named in clause.elements.values():
            for template in filter(None, (named.name if named.named else None, named.of)):
                _check(template, data, "the name of an element")


def _check(template: Template, data: Mapping[str, str | None], use: str) -> None:
    if not template.fill(data, use).strip():
        raise UsageError(f"{template.raw} is empty and cannot be {use}; give it a value")


def _known(name: str, data: Mapping[str, str | None]) -> str | None:
    if name not in data:
        advice = "Give it with data={...} or the webtask_data fixture; write {{ for a brace."
        raise UnknownName("placeholder", name, data, advice)
    return data[name]
