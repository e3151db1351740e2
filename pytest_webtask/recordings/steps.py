"""What a recording holds, as it stands in its file.

Texts in it may hold `{name}`, which is filled from the data of the test that replays it.
"""

from __future__ import annotations

from typing import Any, Final, Literal

from pydantic import Field, model_validator

from pytest_webtask.records import Record, Target

__all__ = ["VERSION", "Call", "Decided", "Derived", "Evidence", "Key", "Made", "Recording", "Step"]

VERSION: Final = 1
Kind = Literal["do", "verify", "holds", "extract", "select"]
Kinds = Literal[
    "text",
    "value",
    "state",
    "matches",
    "count",
    "order",
    "attribute",
    "absent",
    "url",
    "title",
    "visual",
]


class Decided(Record):
    """Who decided, as the run called it, and on which day (UTC, 2026-12-31)."""

    model: str
    on: str


class Call(Record):
    """A tool call: `targets` are its elements, by the name of the parameter.

    `loads` says that another page was loaded before the next call.
    """

    tool: str
    parameters: dict[str, Any] = Field(default_factory=dict)
    targets: dict[str, Target] = Field(default_factory=dict)
    loads: bool = False


class Evidence(Record):
    """A check: its kind, what it expects, and what it is about.

    `expects` are the arguments of the check but for its elements. Of a count and an order `target`
    finds all of the set, and its signature has the role, the common name and the container; of an
    absent it is the part of the page, if one is meant. `picture` names what a visual check has seen.
    `tab` is the number of another tab than the one in front. `fails` says that it is evidence by not
    holding: of a claim that is not true; `stood` that it held before anything was done.
    """

    kind: Kinds
    expects: dict[str, Any] = Field(default_factory=dict)
    target: Target | None = None
    picture: str | None = None
    tab: int | None = None
    fails: bool = False
    stood: bool = False


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


class Made(Record):
    """What was done in a step, and the evidence of what came of it.

    `otherwise` is the evidence that a `holds` was answered no; `readings` are words of the claim,
    by what the page has for each. `sources` are what an `extract` or `output=` reads, which expect
    nothing, and `value` says how, nested as the value is, with a `Derived` for each part;
    `selected` is what a `select` found.
    """

    kind: Kind
    sentence: str
    occurrence: int = Field(1, ge=1)
    webtask: str = ""
    variant: str = ""
    decided: Decided
    calls: tuple[Call, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    otherwise: tuple[Evidence, ...] = ()
    readings: dict[str, str] = Field(default_factory=dict)
    sources: tuple[Evidence, ...] = ()
    value: Any = None
    selected: Target | None = None

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


class Step(Made):
    """A step that can be replayed: one that checks something."""

    @model_validator(mode="after")
    def _proves(self) -> Step:
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


class Recording(Record):
    """A file: the steps whose sentences stand in one function, in the order in which they ran."""

    version: Literal[1]
    steps: tuple[Step, ...] = ()
