"""What a recording holds, with `{name}` where it would hold a value of the data."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final, Literal

from pydantic import (
    Field,
    FieldSerializationInfo,
    field_serializer,
    field_validator,
    model_validator,
)

from pytest_webtask.checks.base import Check
from pytest_webtask.data import Placeholders
from pytest_webtask.page.locator_parser import Unreadable, map_texts
from pytest_webtask.types.agent import Record, Signature, Target

__all__ = [
    "VERSION",
    "AmbiguousValueError",
    "Approval",
    "Decided",
    "Derived",
    "Evidence",
    "Key",
    "RecordedCall",
    "RecordedPlaceholders",
    "RecordedStep",
    "Recording",
    "StepTrace",
    "ValueSource",
    "digest",
    "is_edited",
    "names_in",
    "texts_in",
]


VERSION: Final = 2
Kind = Literal["do", "verify", "holds", "extract", "select"]


class Decided(Record):
    """Who decided, as the run called it, and on which day (UTC, 2026-12-31)."""

    model: str
    on: str


class RecordedCall(Record):
    """A tool call: `targets` are its elements, by the name of the parameter.

    `loads` says that another page was loaded before the next call.
    """

    tool: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    targets: dict[str, Target] = Field(default_factory=dict)
    loads: bool = False


class Approval(Record):
    """Who approved what a step rests on, and on which day (UTC).

    `by` is the referee's model; `person` says that somebody answered for evidence edited by hand,
    `same_session` that a coding agent may have judged its own conclusion. `digest` is that of the
    conclusion, its expectations and the identity of what they are about: it protects
    against accidents.
    """

    by: str
    on: str
    digest: str
    person: bool = False
    same_session: bool = False


class Evidence(Record):
    """A check without the ids of elements, and what it is about.

    Of a set `target` finds all of its elements; of an absence it is the part of the page, if one is
    meant; `other` is what the element is compared with. `picture` names what a check by eye has
    seen. `tab` is the number of another tab than the one in front. `fails` says that a literal
    sentence was answered by its not holding; `held_before` that it held before anything was
    done, as far as anything tells.
    """

    check: Check
    target: Target | None = None
    other: Target | None = None
    picture: str | None = None
    tab: int | None = None
    fails: bool = False
    held_before: bool = False

    @field_validator("check", mode="before")
    @classmethod
    def _parse(cls, value: Any) -> Check:
        return Check.parse(value)

    @field_serializer("check")
    def _dump(self, check: Check, info: FieldSerializationInfo) -> dict[str, Any]:
        # The kind is a default of each class, and the first thing to read.
        mode, brief = info.mode, info.exclude_defaults
        return {"kind": check.kind, **check.model_dump(mode=mode, exclude_defaults=brief)}

    @property
    def kind(self) -> str:
        """The name of the check's kind."""
        return self.check.kind

    @property
    def expects(self) -> dict[str, Any]:
        """What the check expects, without what is left at its default."""
        return self.check.model_dump(mode="json", exclude_defaults=True, exclude={"kind"})


class ValueSource(Record):
    """Where a value, or a part of it, is read: it expects nothing."""

    kind: Literal["text", "value", "count", "url", "title"]
    target: Target | None = None


class Derived(Record):
    """How a part of a value is read: what stands between two texts of a source, as a type.

    `source` counts the sources of the step from 0. Digits in `before` and `after` stand for any.
    A `count` is the number of the elements that the source finds.
    """

    source: int = Field(ge=0)
    take: Literal["text", "integer", "number", "date", "count"]
    before: str = ""
    after: str = ""


class Key(Record):
    """What a step is looked up by within its function's file; `occurrence` counts from 1."""

    kind: Kind
    sentence: str
    occurrence: int = Field(1, ge=1)
    webtask: str = ""
    variant: str = ""


class StepTrace(Record):
    """What was done in a step, and the evidence of what came of it.

    `approved` says who approved it, None where nobody had to. `otherwise` is the evidence that a
    `holds` was answered no. `sources` are what an `extract` or `output=` reads, and `value` says
    how, nested as the value is, with a `Derived` for each part; `selected` is what a `select`
    found. `facts` are what was established, in words, for the steps after it. `case` tells by
    fingerprints with which values of the data it was recorded.
    """

    kind: Kind
    sentence: str
    occurrence: int = Field(1, ge=1)
    webtask: str = ""
    variant: str = ""
    decided: Decided
    approved: Approval | None = None
    calls: tuple[RecordedCall, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    otherwise: tuple[Evidence, ...] = ()
    sources: tuple[ValueSource, ...] = ()
    value: Any = None
    selected: Target | None = None
    facts: tuple[str, ...] = ()
    case: dict[str, str] = Field(default_factory=dict)

    @property
    def key(self) -> Key:
        """What it is looked up by."""
        return Key(
            kind=self.kind,
            sentence=self.sentence,
            occurrence=self.occurrence,
            webtask=self.webtask,
            variant=self.variant,
        )


class RecordedStep(StepTrace):
    """A step that can be replayed: one that checks something."""

    @model_validator(mode="after")
    def _proves(self) -> RecordedStep:
        # What checks nothing would pass for ever.
        if self.kind == "select":
            if self.selected is None:
                raise ValueError("a select needs what it has selected")
        elif self.kind == "extract":
            if not self.sources or self.value is None:
                raise ValueError("an extract needs sources and a value that is read from them")
        elif self.kind == "do" and self.sources and self.value is not None:
            return self
        elif not self.evidence and not (self.kind == "holds" and self.otherwise):
            raise ValueError(f"a {self.kind} needs evidence")
        return self


def digest(made: StepTrace) -> str:
    """Return the digest of what a step concludes, expects, and is about, locators left out."""
    parts = [
        made.kind,
        made.sentence,
        [_expected(each) for each in (*made.evidence, *made.otherwise)],
        [(each.kind, _identity(each.target)) for each in made.sources],
        made.value,
        _identity(made.selected),
    ]
    if made.otherwise:
        # What shows a no must not pass for what shows a yes.
        parts.append(len(made.evidence))
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def is_edited(made: StepTrace) -> bool:
    """Whether nobody approved what a step holds now."""
    return made.approved is None or made.approved.digest != digest(made)


def _expected(each: Evidence) -> list[Any]:
    identity = [_identity(each.target), _identity(each.other)]
    return [each.kind, each.expects, each.picture, each.tab, each.fails, *identity]


def _identity(target: Target | None) -> list[Any] | None:
    signature: Signature | None = target.signature if target else None
    if signature is None:
        return None
    heads = (signature.name, signature.key, signature.label, signature.column, signature.heading)
    return [signature.role, *heads, list(signature.around)]


class Recording(Record):
    """A file: the steps whose sentences stand in one function, in the order in which they ran."""

    version: Literal[2]
    steps: tuple[RecordedStep, ...] = ()


_NAME = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")
_IN_SELECTORS = 3
"""Letters that a value has at least to be put in a CSS selector, where a 2 is a place."""


def names_in(texts: Iterable[str]) -> set[str]:
    """The placeholders that texts use."""
    return {match[1] for text in texts for match in _NAME.finditer(text)}


def texts_in(value: Any) -> list[str]:
    """Every text in a JSON-like value."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return []
    return [text for each in value for text in texts_in(each)]


class AmbiguousValueError(ValueError):
    """Two names have the value that a recording would hold; the message says what to do."""


class RecordedPlaceholders(Placeholders):
    """The same for targets: locators and signatures.

    A value that two names have is that of the one that a sentence `hints` at. Where none or both
    are, `put` raises AmbiguousValueError: in another case they may differ.
    """

    def __init__(self, values: Mapping[str, str], hints: str = "") -> None:
        super().__init__(values)
        self._hinted = names_in([hints])

    def _name(self, value: str) -> str:
        names = [name for name, each in self._values.items() if each == value]
        hinted = [name for name in names if name in self._hinted]
        if len(names) == 1 or len(hinted) == 1:
            return (hinted or names)[0]
        listed = " and ".join(f"{{{name}}}" for name in names)
        raise AmbiguousValueError(
            f"{listed} are both {value!r}: give them different values to record this step, or name"
            " the one that is meant in its sentence"
        )

    def target(self, target: Target) -> Target:
        """A target, in code and signature."""
        told = target.signature.model_dump() if target.signature else None
        if told is not None:
            # What an element is, is no text of anybody's.
            told |= {
                part: self.put_all(told[part])
                for part in ("name", "key", "label", "column", "heading", "around")
            }
            with suppress(AmbiguousValueError):  # context only ranks candidates
                told |= {part: self.put_all(told[part]) for part in ("near", "attributes")}
        return Target(
            locators=tuple(map(self.code, target.locators)),
            signature=None if told is None else Signature(**told),
        )

    def code(self, code: str) -> str:
        """The code of a locator, with placeholders in its texts."""

        def change(text: str, is_selector: bool) -> str:
            if is_selector and not any(
                len(re.sub(r"\W|\d", "", value)) >= _IN_SELECTORS and value in text
                for value in self._names
            ):
                return text
            return self.put(text)

        try:
            return map_texts(code, change) if code else code
        except (Unreadable, SyntaxError):
            return code
