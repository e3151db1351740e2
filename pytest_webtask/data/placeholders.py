"""Putting `{name}` where a text holds a value of the data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

__all__ = ["Placeholders"]


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
            part if index % 2 else self._pattern.sub(lambda m: f"{{{self._name(m[0])}}}", part)
            for index, part in enumerate(parts)
        )

    def _name(self, value: str) -> str:
        """Return the name of a value."""
        return self._names[value]

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
