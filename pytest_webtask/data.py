"""Values that sentences use as `{name}`, and the keeping of secrets."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, quote_plus

from pytest_webtask.errors import UnknownName, UsageError

_TOKEN = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_ADVICE = "Give it with data={...} or the webtask_data fixture; write {{ for a brace."


class Secret:
    """A value that is typed into the page and appears nowhere else.

    Neither `str()` nor `repr()` gives it away; `reveal()` returns it.
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        if not isinstance(value, str) or not value:
            raise UsageError(f"a Secret needs a non-empty str, got {type(value).__name__}")
        self._value = value

    def reveal(self) -> str:
        """The value itself, for code that must have it."""
        return self._value

    def __repr__(self) -> str:
        return "Secret(***)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, memo: object) -> Secret:
        return self

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError("a Secret is not pickled, so that it ends up in no file")


class Data:
    """The values known to one step, and every secret that the test has known so far."""

    def __init__(self, values: Mapping[str, object] | None = None) -> None:
        self._values: dict[str, str] = {}
        self._secret_names: set[str] = set()
        self._secrets: dict[str, str] = {}
        self._pattern: tuple[int, re.Pattern[str]] | None = None
        self.update(values or {})

    def update(self, values: Mapping[str, object]) -> None:
        """Add and replace values. Raises UsageError for a name that no sentence could use."""
        for name, value in values.items():
            if not isinstance(name, str) or not name.isidentifier():
                raise UsageError(f"a placeholder's name is a Python identifier, got {name!r}")
            if value is None:
                raise UsageError(f"the value of {name!r} is None: is it not set?")
            self._secret_names.discard(name)
            if isinstance(value, Secret):
                self._secret_names.add(name)
                for form in _written_forms(value.reveal()):
                    self._secrets[form] = name
                self._values[name] = value.reveal()
            else:
                self._values[name] = str(value)

    def extended(self, values: Mapping[str, object]) -> Data:
        """These values and more; secrets of either stay secret in both."""
        more = Data()
        more._values, more._secret_names = dict(self._values), set(self._secret_names)
        more._secrets = self._secrets
        more.update(values)
        return more

    @property
    def shown(self) -> dict[str, str | None]:
        """The values by name, None for each secret."""
        return {n: None if n in self._secret_names else v for n, v in self._values.items()}

    @property
    def secrets(self) -> list[str]:
        """Every way in which a secret may be written, longest first."""
        return sorted(self._secrets, key=len, reverse=True)

    def check(self, sentence: str) -> None:
        """Raise where the sentence uses a name that nobody gave a value."""
        self._replace(sentence, lambda name: "", strict=True)

    def fill(self, text: str) -> str:
        """The text with the known `{name}` replaced; anything else in braces stays as it is."""
        return self._replace(text, lambda name: self._values[name], strict=False)

    def uses_secret(self, text: str) -> bool:
        """Whether `fill` would put a secret into the text."""
        used = (m.group(1) for m in _TOKEN.finditer(text))
        return any(name in self._secret_names for name in used)

    def scrub(self, text: str) -> str:
        """The text with every secret replaced by its `{name}`."""
        if not self._secrets:
            return text
        if self._pattern is None or self._pattern[0] != len(self._secrets):
            forms = "|".join(re.escape(form) for form in self.secrets)
            self._pattern = (len(self._secrets), re.compile(forms))
        return self._pattern[1].sub(lambda m: "{" + self._secrets[m.group()] + "}", text)

    def scrub_all(self, value: Any) -> Any:
        """A JSON-like value with `scrub` applied to every string in it."""
        if not self._secrets:
            return value
        if isinstance(value, str):
            return self.scrub(value)
        if isinstance(value, Mapping):
            return {self.scrub_all(k): self.scrub_all(v) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.scrub_all(v) for v in value]
        return value

    def _replace(self, text: str, value_of: Any, *, strict: bool) -> str:
        def one(match: re.Match[str]) -> str:
            token, name = match.group(), match.group(1)
            if token in ("{{", "}}"):
                return token[0] if strict else token
            if name is not None and name in self._values:
                return str(value_of(name))
            if not strict:
                return token
            if name is not None and name.isidentifier():
                raise UnknownName("placeholder", name, self._values, _ADVICE)
            raise UsageError(f"{token!r} in {text!r} is not a placeholder. {_ADVICE}")

        return _TOKEN.sub(one, text)


def _written_forms(secret: str) -> set[str]:
    """The secret as it stands in text, messages, addresses, markup and JSON, with folded white space."""
    forms = {secret, " ".join(secret.split())}
    for form in list(forms):
        forms |= {
            quote(form),
            quote(form, safe=""),
            quote_plus(form),
            html.escape(form),
            html.escape(form, quote=False),
            repr(form)[1:-1],
            json.dumps(form)[1:-1],
            json.dumps(form, ensure_ascii=False)[1:-1],
            form.replace("'", "''"),
        }
    return {form for form in forms if form}
