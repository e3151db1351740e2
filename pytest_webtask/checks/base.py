"""What every check has in common, what the page answered, and the fact that comes of it."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, SerializeAsAny, field_validator

from pytest_webtask.types.page import Record, Target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pytest_webtask.checks.context import CheckContext
    from pytest_webtask.checks.earlier import Earlier
    from pytest_webtask.export.locators import CodeTexts

__all__ = ["BY_EYE", "Alike", "Check", "CheckResult", "Container", "Fact", "UncheckableError"]

BY_EYE = "by eye"


class UncheckableError(Exception):
    """A check cannot be run on this page; the message says why and what to cite instead."""


class Check(BaseModel):
    """One machine-checkable statement about the page.

    A subclass runs itself, describes itself and prints itself as Playwright code; nothing outside
    of it asks for its kind. Where a recording holds it, it names no elements: these are in the
    target.
    `strength` ranks kinds by how much one says of its element, from 0.
    """

    model_config = ConfigDict(
        extra="forbid", coerce_numbers_to_str=True, frozen=True, defer_build=True
    )
    kind: str = ""
    strength: ClassVar[int] = 3
    by_name: ClassVar[bool] = True
    """Whether the name of its element belongs to that element's identity."""
    of_set: ClassVar[bool] = False
    """Whether its target finds all elements of a set."""
    by_eye: ClassVar[bool] = False
    """Whether nothing but a picture shows it."""
    of_page: ClassVar[bool] = False
    """Whether it is about a page as a whole."""
    expectations: ClassVar[tuple[str, ...]] = ()
    """The fields that hold texts which must be there."""
    templates: ClassVar[tuple[str, ...] | None] = None
    """The fields that may hold placeholders, where they are others than `expectations`."""
    ids: ClassVar[tuple[str, ...]] = ()
    """The fields that name elements."""
    _kinds: ClassVar[dict[str, type[Check]]] = {}

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        """Make a kind known by its name."""
        if kind := cls.model_fields["kind"].default:
            Check._kinds[kind] = cls

    @classmethod
    def parse(cls, value: Any) -> Check:
        """Return the check that a JSON object describes. Raises ValueError for an unknown kind."""
        if isinstance(value, Check):
            return value
        if not isinstance(value, dict):
            raise ValueError(f"a check is an object, got {value!r:.80}")
        # The kinds stand above this module and register themselves.
        import_module("pytest_webtask.checks.kinds")
        kind = value.get("kind")
        if kind not in Check._kinds:
            raise ValueError(f"unknown kind of check {kind!r}; known: {', '.join(Check._kinds)}")
        return Check._kinds[kind].model_validate(value)

    @property
    def negative(self) -> bool:
        """Whether it holds where something is not there."""
        return False

    def run(self, page: CheckContext) -> CheckResult:
        """Ask the live page. Raises UncheckableError where that is impossible."""
        raise NotImplementedError

    def describe(self) -> str:
        """Return what it expects, in words."""
        raise NotImplementedError

    def as_playwright(self, code: CodeTexts, target: Target | None) -> tuple[str, str] | None:
        """Return what an `expect` is about and its assertion, as code; None where there is none.

        Raises Unreadable for a target whose locator cannot be read.
        """
        raise NotImplementedError

    def held_before(self, before: Earlier) -> bool | None:
        """Return whether it held at an earlier look; None where that look cannot tell."""
        return None

    def expected_texts(self) -> list[str]:
        """Return the texts, with placeholders, that must be there for it to hold."""
        found: list[str] = []
        for name in self.expectations:
            value = getattr(self, name)
            if isinstance(value, str):
                found.append(value)
            elif isinstance(value, (list, tuple)):
                found += map(str, value)
            elif value is not None:
                found.append(str(value))
        return found

    def lasting(self, whole: Sequence[str], named: str) -> Check:
        """Return the check as it is recorded: its expectations are all that is there, and no parts.

        `whole` are the whole texts in which they stand. What changes by itself, and is not `named`,
        may differ.
        """
        return self

    def recorded(self, about: str = "") -> Check:
        """Return the check as a recording holds it: without the ids of elements.

        `about` is what its result names as its subject. Raises ValueError where it cannot be held.
        """
        fields = type(self).model_fields
        update: dict[str, Any] = {
            n: fields[n].get_default(call_default_factory=True) for n in self.ids
        }
        return self.model_copy(update=update)

    def with_texts(self, change: Callable[[str], str]) -> Check:
        """Return the check with a function applied to each text that may hold placeholders."""
        names = self.expectations if self.templates is None else self.templates
        update: dict[str, Any] = {}
        for name in names:
            value = getattr(self, name)
            if isinstance(value, str):
                update[name] = change(value)
            elif isinstance(value, tuple):
                update[name] = tuple(map(change, value))
        return self.model_copy(update=update)

    def filled(self, text: Callable[[str], str], pattern: Callable[[str], str]) -> Check:
        """Return the check with placeholders filled in, in texts and in patterns."""
        return self.with_texts(text)

    def cite(self, code: str) -> Check:
        """Return the check with the code of a locator in place of the ids of its elements."""
        return self.model_copy(update={self.ids[0]: code}) if self.ids else self

    def as_call(self) -> dict[str, Any]:
        """Return the check as a model gives it in a tool call."""
        return self.model_dump(mode="json", exclude_none=True)


class Container(Record):
    """A part of the page that holds an element: its kind, its name, its author's name for it."""

    kind: str = ""
    name: str = ""
    author: str = ""


class Alike(Record):
    """The visible elements of one role and name on a page, a selected element among them.

    `of` is that role and name, `place` counts from 1. `parts` are what tells them from each other, in the order
    of the page: the part that each has to itself, with its text, or the heading above it. `beside`
    are the names of others of that role in the nearest container.
    """

    of: str
    size: int
    place: int = 1
    parts: tuple[Container, ...] = ()
    beside: tuple[str, ...] = ()


class Fact(Record):
    """What code established on the page: what a check found, and what surrounds it.

    It can be judged by somebody who has not seen the page. `match` says whether what was expected is
    the `whole` text or a `part` of it. `text` is what the element shows, cut in the middle beyond 500
    characters, of which `characters` then tells the number. `within` goes from the nearest container outwards,
    `beside` are texts in the same row, item or card, `author` the element's test id, id, classes and ARIA attributes. Of a set
    `size` is the number of all its elements, `items` their texts, `more` are signs that the page shows
    only some of them, and `elsewhere` where the same pattern occurs again. `alike` are the elements that a
    selected one could be taken for. Of an absence `searched` says where was looked and
    `similar` what resembles the text. `changes` names the part that is recorded as a pattern.
    """

    check: str = ""
    expected: str = ""
    match: str = ""
    element: str = ""
    name: str = ""
    text: str = ""
    characters: int = 0
    states: tuple[str, ...] = ()
    label: str = ""
    column: str = ""
    row: str = ""
    position: str = ""
    heading: str = ""
    within: tuple[Container, ...] = ()
    beside: tuple[str, ...] = ()
    author: dict[str, str] = Field(default_factory=dict)
    pattern: str = ""
    size: int | None = None
    items: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    elsewhere: str = ""
    alike: Alike | None = None
    searched: str = ""
    similar: tuple[str, ...] = ()
    other: Fact | None = None
    page: str = ""
    frame: str = ""
    changes: str = ""
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the fact for a prompt, without what is empty."""
        return self.model_dump(mode="json", exclude_defaults=True)

    @property
    def texts(self) -> list[str]:
        """Return what it says of the page, to look for values in it."""
        # Neither names given by the author, nor addresses, nor what is there instead.
        left = ("check", "match", "author", "page", "frame", "similar", "elsewhere", "more")
        return _texts_in({k: v for k, v in self.as_json().items() if k not in left})

    def describe(self) -> str:
        """Return the fact on one line, for people."""
        where = [f"in column {_quoted(self.column)}"] if self.column else []
        where += [f"in row {_quoted(self.row)}"] if self.row else []
        where += [f"labeled {_quoted(self.label)}"] if self.label else []
        where += [
            f"in {each.kind}{' ' + _quoted(each.name) if each.name else ''}"
            for each in [one for one in self.within if not (self.row and one.kind == "row")][:3]
        ]
        where += [f"under {_quoted(self.heading)}"] if self.heading else []
        where += [f"({self.position.partition(' (')[0]})"] if self.position else []
        where += [f"on {self.page}"] if self.page and not self.element else []
        what = " ".join(filter(None, (self.element, _quoted(self.name) if self.name else "")))
        parts = [what or self.pattern or "the page"]
        if self.text and self.text != self.name:
            parts.append(f"shows {_quoted(self.text[:160])}")
        if self.states:
            parts.append(f"({', '.join(self.states)})")
        if self.size is not None:
            listed = "; ".join(item[:60] for item in self.items[:8])
            parts.append(f"{self.size} in all{': ' + listed if listed else ''}")
        if self.alike:
            parts.append(f"(no. {self.alike.place} of {self.alike.size} of {self.alike.of})")
        if self.more:
            parts.append(f"[signs of more: {'; '.join(self.more)}]")
        if self.searched:
            parts.append(f"not found in {self.searched}")
        if self.similar:
            parts.append(f"[similar: {'; '.join(self.similar)}]")
        if self.changes:
            parts.append(f"[{self.changes}]")
        if self.note:
            parts.append(f"[{self.note}]")
        if self.other is not None:
            parts.append(f"compared with {self.other.describe()}")
        return " ".join([*parts, *where])


class CheckResult(Record):
    """A check, and what the live page answered.

    `about` names the element or page; `expected` and `actual` are in words, `holds` is what
    Playwright's `expect` answered. `problem` says why it could not be run, `lost` that the element
    of a recording is not there, `held_before` whether it held before the step as well, None where
    nothing tells. `tab` is the tab's number, `frame` the address of a frame in it, or "";
    `other_target` what its element was compared with. `screenshot` is a path below the run's
    folder: what a check by eye was about. `fact` is what was established, where it holds.
    """

    check: SerializeAsAny[Check]
    about: str
    expected: str
    actual: str = ""
    holds: bool = False
    problem: str = ""
    lost: bool = False
    held_before: bool | None = None
    target: Target | None = None
    other_target: Target | None = None
    tab: int = 1
    frame: str = ""
    screenshot: str | None = None
    fact: Fact | None = None
    values: tuple[str, ...] = Field(default=(), exclude=True, repr=False)
    """The texts that it expects, with data filled in: never written anywhere."""
    number: int | None = Field(default=None, exclude=True, repr=False)
    """How many elements were counted."""
    picture: Path | None = Field(default=None, exclude=True, repr=False)
    """The file of the screenshot."""
    was: str = Field(default="", exclude=True, repr=False)
    """How the page had its element before the task, where it was another then."""
    whole: tuple[str, ...] = Field(default=(), exclude=True, repr=False)
    """The whole texts in which those that it expects stand, where each stands in one."""
    leaf: str | None = Field(default=None, exclude=True, repr=False)
    """All that a cited leaf shows, None for an element that holds several things."""

    @field_validator("check", mode="before")
    @classmethod
    def _parse(cls, value: Any) -> Check:
        return Check.parse(value)

    @property
    def kind(self) -> str:
        """The name of the check's kind."""
        return self.check.kind

    @property
    def negative(self) -> bool:
        """Whether it holds where something is not there."""
        return self.check.negative

    @property
    def subject(self) -> str:
        """The kind of check and what it is about."""
        return f"{self.kind} {'from' if self.kind == 'absent' else 'of'} {self.about}"

    def explain(self) -> str:
        """Return what was expected and what is there, on one line."""
        if self.problem:
            return f"{self.subject} could not be checked: {self.problem}"
        there = self.actual or "nothing"
        return f"{self.subject}: expected {self.expected}, but the page has {there}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _texts_in(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts_in(each)]
    if isinstance(value, (list, tuple)):
        return [text for each in value for text in _texts_in(each)]
    return [str(value)]


def shortened(text: str, most: int = 500) -> str:
    """Return a text of at most about `most` characters: its beginning and its end."""
    if len(text) <= most:
        return text
    return f"{text[: most - 150]} … {text[-140:]}"


def evenly(texts: Sequence[str], budget: int = 1_200) -> tuple[str, ...]:
    """Return all texts of a set, evenly shortened; of very many the first and the last."""
    kept = (
        list(texts) if len(texts) <= 40 else [*texts[:20], f"({len(texts) - 25} more)", *texts[-5:]]
    )
    most = longest(map(len, kept), budget)
    return tuple(text if len(text) <= most else f"{text[: most - 1]}…" for text in kept)


def longest(lengths: Iterable[int], budget: int, least: int = 24) -> int:
    """Return the length to which texts are cut so that all of them fit: short ones stay whole."""
    rest, remaining = budget, sorted(lengths)
    for at, length in enumerate(remaining):
        share = rest // (len(remaining) - at)
        if length > share:
            return max(share, least)
        rest -= length
    return max(budget, least)
