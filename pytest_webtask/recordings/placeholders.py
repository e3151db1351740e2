"""Putting `{name}` where a recording would hold a value of the data, so that it serves other values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from pytest_webtask.data.placeholders import Placeholders
from pytest_webtask.page.locators import Unreadable, map_texts
from pytest_webtask.records import Signature, Target

__all__ = ["AmbiguousValueError", "RecordedPlaceholders", "names_in", "texts_in"]

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
