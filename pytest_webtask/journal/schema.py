"""The schema of recordings. They have a `{name}` in place of each value of the data."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from typing import Any, Final, Literal, TypeVar

from pydantic import (
    Field,
    FieldSerializationInfo,
    ValidationError,
    field_serializer,
    model_validator,
)

from pytest_webtask.checks import kinds  # noqa: F401
from pytest_webtask.checks.base import Check, ParsedCheck

# The import of `kinds` defines the kinds, which recordings name.
from pytest_webtask.data.phrases import NAME, folded, invalid_parts
from pytest_webtask.data.text import leaves, says
from pytest_webtask.data.values import Placeholders
from pytest_webtask.page.locator_parser import Unreadable, map_texts
from pytest_webtask.types.page import Container, Record, Target, mapped

VERSION: Final = 3
_Part = TypeVar("_Part", bound=Record)
Kind = Literal["do", "verify", "holds", "extract", "select"]


def today() -> str:
    """Return the day (UTC), as a recording has it."""
    return f"{datetime.now(timezone.utc):%Y-%m-%d}"


class Decided(Record):
    """The model that decided a step, and the day (UTC, 2026-12-31)."""

    model: str
    on: str


class Approval(Record):
    """The approval of a step's evidence, with its day (UTC).

    `by` is the referee's model, or with `person` the person who accepted evidence edited by hand.
    `same_session` means that a coding agent may have judged its own conclusion. `digest` is that of the
    whole step: it detects edits, and anybody can compute it.
    """

    by: str
    on: str
    digest: str
    person: bool = False
    same_session: bool = False


class Evidence(Record):
    """A check and its element, which is recorded as a target instead of an id.

    For a set, `target` finds all elements; for an absence it is the part of the page to search.
    `other` is the element to compare with. `picture` names the image that a check by eye judged.
    `tab` is the number of a tab in the background. `fails` means that a literal sentence was
    answered because the check does not hold; `held_before` that, as far as is known, the check
    held before the step did anything. `new_since` is the number of the last checkpoint at which it is
    known not to have held, 0 if there is none.
    """

    check: ParsedCheck
    target: Target | None = None
    other: Target | None = None
    picture: str | None = None
    tab: int | None = None
    fails: bool = False
    held_before: bool = False
    new_since: int = 0

    @field_serializer("check")
    def _dump(self, check: Check, info: FieldSerializationInfo) -> dict[str, Any]:
        # The kind is a default of each class, and the first thing to read.
        mode, brief = info.mode, info.exclude_defaults
        return {"kind": check.kind, **check.model_dump(mode=mode, exclude_defaults=brief)}

    def is_new_since(self, checkpoint: int) -> bool:
        """Return whether it did not hold at a checkpoint, or later before its own; 0 is the beginning."""
        if checkpoint:
            return self.new_since >= checkpoint
        return bool(self.new_since) or not self.held_before


class RecordedCall(Record):
    """A tool call with the elements it acts on, by parameter name.

    `loads` means that another page was loaded before the next call, `awaits` that what was typed before
    it is to be sent by the page itself. `evidence` are the checks of a
    checkpoint, which must hold at this place among the calls.
    """

    tool: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    targets: dict[str, Target] = Field(default_factory=dict)
    loads: bool = False
    awaits: bool = False
    evidence: tuple[Evidence, ...] = ()


class ValueSource(Record):
    """The place on the page from which a value, or a part of one, is read."""

    kind: Literal["text", "value", "count", "url", "title"]
    target: Target | None = None


class Derived(Record):
    """A part of a value: the text of a source between `before` and `after`, converted to a type.

    `source` is an index into the step's sources. Digits in `before` and `after` match any digit.
    A `count` is the number of elements that the source finds. A `decimal` is a number as a text. `groups`
    is the character between thousands, for a number such as 1,234 that could also be 1.234.
    """

    source: int = Field(ge=0)
    take: Literal["text", "integer", "number", "decimal", "date", "count"]
    before: str = ""
    after: str = ""
    groups: Literal["", ",", "."] = ""


class Key(Record):
    """The identity of a step within its function's file; `occurrence` counts from 1."""

    kind: Kind
    sentence: str
    occurrence: int = Field(1, ge=1)
    webtask: str = ""
    variant: str = ""


class StepTrace(Key):
    """The actions of a step and the evidence for its result.

    `approved` is None where no approval was needed. `negative_evidence` shows that a `holds` is
    false. An `extract` or `output=` reads `value`, a structure with a `Derived` for each part, from
    `sources`; `selected` is the element that a `select` found. `facts` are notes for later steps.
    The keys of `case` are the names of the data that the step was recorded with. `deviations` are what a
    `do` did otherwise than its sentence says. It is `quiet` if the page did nothing by itself after what was typed,
    neither when it was recorded nor when that was confirmed.
    """

    decided: Decided
    approved: Approval | None = None
    calls: tuple[RecordedCall, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    negative_evidence: tuple[Evidence, ...] = ()
    deviations: tuple[str, ...] = ()
    sources: tuple[ValueSource, ...] = ()
    value: Any = None
    selected: Target | None = None
    facts: tuple[str, ...] = ()
    case: dict[str, str] = Field(default_factory=dict)
    quiet: bool = False

    @property
    def every_evidence(self) -> tuple[Evidence, ...]:
        """The evidence of the result, whatever it is, and of the checkpoints."""
        return (*self.evidence, *self.negative_evidence, *self.checkpoints)

    @property
    def checkpoints(self) -> tuple[Evidence, ...]:
        """The evidence of the checkpoints."""
        return tuple(each for call in self.calls for each in call.evidence)

    @property
    def key(self) -> Key:
        """The key of the step in its file."""
        return Key.model_construct(**{name: getattr(self, name) for name in Key.model_fields})


class RecordedStep(StepTrace):
    """A step that can be replayed: one that checks something."""

    @model_validator(mode="after")
    def _proves(self) -> RecordedStep:
        reads = bool(self.sources) and self.value is not None
        proofs: dict[Kind, Any] = {
            "do": self.evidence or reads,
            "verify": self.evidence,
            "holds": self.evidence or self.negative_evidence,
            "extract": reads,
            "select": self.selected,
        }
        if not proofs[self.kind]:
            where = {"extract": "value", "select": "selected"}.get(self.kind, "evidence")
            raise ValueError(
                f"this {self.kind} has no check that proves it (its {where!r} is empty), so it would"
                " always pass: record the step again"
            )
        return self


_UNDIGESTED = {"decided", "approved", "occurrence", "webtask", "variant"}
"""Who made a step, and its place in a file, which differs where the step is copied."""


def digest(trace: StepTrace) -> str:
    """Return a digest of all that a replay of a step does, checks and reads."""
    fields = trace.model_dump(mode="json", exclude_defaults=True, exclude=_UNDIGESTED)
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()[:16]


def redigested(step: RecordedStep) -> RecordedStep:
    """Return a step with its approval renewed for its current content."""
    if step.approved is None:
        return step
    approval = step.approved.model_copy(update={"digest": digest(step)})
    return step.model_copy(update={"approved": approval})


def is_edited(trace: StepTrace) -> bool:
    """Return whether a step was never approved, or has changed since its approval."""
    return trace.approved is None or trace.approved.digest != digest(trace)


def with_both_answers(first: RecordedStep, second: RecordedStep) -> RecordedStep:
    """Return a recorded `holds` with what another recording of it has for the other answer.

    Each answer was approved by itself. Steps of other kinds stay as they are.
    """
    if first.kind != "holds" or is_edited(first) or is_edited(second):
        return first
    fields = ("evidence", "negative_evidence")
    added = {name: getattr(second, name) for name in fields if not getattr(first, name)}
    if not any(added.values()):
        return first
    facts = (*first.facts, *second.facts)
    return redigested(first.model_copy(update={**added, "facts": facts}))


class Recording(Record):
    """A recording file: the steps of one function in the order in which they ran."""

    version: Literal[3]
    steps: tuple[RecordedStep, ...] = ()


_NAME = re.compile(rf"(?<!\{{)\{{({NAME})\}}(?!\}})")
_IN_SELECTORS = 3
"""The fewest letters of a value replaced in a CSS selector, where a bare 2 is a position."""


def names_in(texts: Iterable[str]) -> set[str]:
    """Return the names of the placeholders in texts."""
    return {match[1] for text in texts for match in _NAME.finditer(text)}


def texts_in(value: Any) -> list[str]:
    """Return every text in a JSON-like value."""
    return [each for each in leaves(value) if isinstance(each, str)]


class AmbiguousValueError(ValueError):
    """Raised if a value to record belongs to several names of the data."""


_CLEAR = 4
"""The fewest characters, a letter among them, of a value that no other text is by chance."""


def typed_values(
    texts: Sequence[str], data: Mapping[str, str | None], sentence: str
) -> dict[str, str]:
    """Return the values of the data that occur in the texts of calls, though nothing names them.

    A recording with such a value would type it for another user as well. A value that stands in the
    `sentence` is meant as it is. Raises AmbiguousValueError for a text that may be a value by chance,
    such as a number, or that is one of two values.
    """
    used: dict[str, str] = {}
    for name, value in data.items():
        value = folded(value or "")
        if not value or says(sentence, value, anycase=True):
            continue
        if len(value) >= _CLEAR and re.search(r"[^\W\d_]", value):
            if any(Placeholders({name: value}).put(text) != text for text in texts):
                used[name] = value
        elif any(folded(text) == value for text in texts):
            raise AmbiguousValueError(
                f"the model entered {value!r}, which is the value of {{{name}}}, perhaps by chance: use"
                f" {{{name}}} in the sentence, or write {value!r} in it, to record this step"
            )
    RecordedPlaceholders(used, sentence).put_all(list(texts))
    return used


class RecordedPlaceholders(Placeholders):
    """Placeholders that are also put into targets: into locators and addresses.

    If several names have the same value, the one in the sentence `hints` is used. If none or
    several of them are, `put` raises AmbiguousValueError, as they may differ in another case.
    """

    def __init__(self, values: Mapping[str, str], hints: str = "") -> None:
        super().__init__(values, hints)
        self._hinted = names_in([hints])

    def _name(self, value: str) -> str:
        names = [name for name, each in self._values.items() if each == value]
        for found in (names, sorted(self._hinted.intersection(names))):
            if len(found) == 1:
                return found[0]
        listed = " and ".join(f"{{{name}}}" for name in names)
        raise AmbiguousValueError(
            f"{listed} are both {value!r}: give them different values to record this step, or use"
            " the intended name in its sentence"
        )

    def target(self, target: Target) -> Target:
        """Return a target with placeholders in its locators and addresses."""
        known = target.remembered
        with suppress(AmbiguousValueError):  # it only ranks candidates
            known = known and self._put_into(known, "name", "containers", "near", "marks")
        pinned = self._put_into(target.pinned, "name", "containers")
        locators = tuple(map(self.code, target.locators))
        return Target(locators=locators, pinned=pinned, remembered=known)

    def _put_into(self, record: _Part, *names: str) -> _Part:
        """Return a record with placeholders in the fields of these names."""

        def put(each: Any) -> Any:
            # A kind and a place are no texts of the page.
            in_container = isinstance(each, Container)
            return self._put_into(each, "name", "column") if in_container else self.put(each)

        fields = {name: getattr(record, name) for name in names}
        return record.model_copy(update=mapped(fields, put, str, Container))

    def code(self, code: str) -> str:
        """Return the code of a locator with placeholders in its texts."""

        def change(text: str, is_selector: bool) -> str:
            if is_selector and not any(
                len(re.sub(r"\W|\d", "", value)) >= _IN_SELECTORS and value in text
                for value in self._names
            ):
                return text
            return self.put(text)

        with suppress(Unreadable, SyntaxError):
            return map_texts(code, change)
        return code


def first_line(error: BaseException) -> str:
    """Return the first problem of an error on one line, with its field if there is one."""
    if isinstance(error, ValidationError):
        return invalid_parts(error, None)[0]
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
