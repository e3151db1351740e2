"""Putting `{name}` where a recording would hold a value of the data, so that it serves other values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pytest_webtask.page.locators import Unreadable, map_texts
from pytest_webtask.records import Signature, Target

__all__ = ["Placeholders", "names_in", "texts_in"]

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


class Placeholders:
    """What stands for which value. A value counts as a whole word only; the longest comes first."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = {name: " ".join(value.split()) for name, value in values.items()}
        by_length = sorted(self._values.items(), key=lambda item: -len(item[1]))
        self._names = {value: name for name, value in reversed(by_length) if value}
        words = [
            rf"(?<!\w)(?<!\d[.,]){re.escape(value)}(?!\w)(?![.,]\d)"
            for _, value in by_length
            if value
        ]
        self._pattern = re.compile("|".join(words)) if words else None

    def put(self, text: str) -> str:
        """The text with the placeholders; those that it has already stay."""
        if self._pattern is None:
            return text
        parts = re.split(r"(\{\w+\})", text)
        return "".join(
            part if index % 2 else self._pattern.sub(lambda m: f"{{{self._names[m[0]]}}}", part)
            for index, part in enumerate(parts)
        )

    def put_all(self, value: Any) -> Any:
        """The same for every text in a JSON-like value."""
        if isinstance(value, str):
            return self.put(value)
        if isinstance(value, Mapping):
            return {key: self.put_all(each) for key, each in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.put_all(each) for each in value]
        return value

    def number(self, number: int) -> int | str:
        """A number, or the placeholder whose value it is."""
        name = self._names.get(str(number))
        return number if name is None else f"{{{name}}}"

    def target(self, target: Target) -> Target:
        """A target, in code and signature."""
        told = target.signature.model_dump() if target.signature else None
        if told is not None:
            # What an element is, is no text of anybody's.
            told |= {
                part: self.put_all(told[part]) for part in ("name", "key", "near", "attributes")
            }
        return Target(
            locator=self.code(target.locator), signature=None if told is None else Signature(**told)
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
