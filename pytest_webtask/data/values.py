"""Values that sentences use as `{name}`, and secrets, which it masks in texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import chain
from typing import Any
from uuid import uuid4

from pytest_webtask.data.computed import SHIFT, part_of, paths_of, shifted, written
from pytest_webtask.data.masking import (
    SHORT,
    Finder,
    Redact,
    Span,
    decode,
    find_spans,
    finders,
    fold_letters,
    merge_spans,
    replace_spans,
    shortened_secrets,
)
from pytest_webtask.data.phrases import NAME, PASS_A_VALUE
from pytest_webtask.errors import UnknownName, UsageError

REDACTED = "[redacted]"
APART = "\0" * 4
"""A separator of unrelated texts, across which nothing matches."""
PLACEHOLDER = re.compile(rf"\{{({NAME})\}}")
_LEARNED = 200

_TOKEN = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_RUN = re.compile(
    r"\.webtask/runs/\d{8}-\d{6}(?:-\d+){1,2}(?:/screenshots/[0-9a-f]{20}\.jpg)?(?![\w/])"
)
"""A path of this plugin's: its date may be a secret, too."""
# The plugin itself makes the ids of elements, so their numbers are never secrets.
_ID = re.compile(
    r"(?<![\w-])(?:audio|button|canvas|checkbox|color|combobox|drag|element|file|link|listbox|menuitem"
    r"|menuitemcheckbox|menuitemradio|option|part|radio|scrollbar|searchbox|shape|slider|spinbutton"
    r"|summary|switch|tab|textbox|treeitem|video|text|row|listitem|article|heading|cell|gridcell"
    r"|item|iframe|columnheader|rowheader|dialog|alertdialog|alert|status|table|definition|term|figure|img|image)"
    r"-(?=\d{1,5}(?![\w-]))"
)

_PIECE = 6
"""Characters of a secret in a row by which it is recognized."""
_WORD = 4
"""Letters and digits of a value from which its other spellings are recognized."""


class Secret:
    """A value that is typed into the page and appears nowhere else.

    Neither `str()` nor `repr()` shows it; `reveal()` returns it.
    """

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        if not isinstance(value, str) or not value:
            got = "an empty one" if value == "" else type(value).__name__
            raise UsageError(
                f"a Secret needs a str that is not empty; got {got}. Set the environment variable or"
                " the setting that the value comes from"
            )
        try:
            value.encode()
        except UnicodeEncodeError:
            raise UsageError(
                "a Secret needs valid Unicode; this one has half a surrogate pair, which no page can hold."
                " Set the environment variable or the setting that the value comes from"
            ) from None
        self._value = value

    def reveal(self) -> str:
        """Return the value itself, for code that needs it."""
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
        raise TypeError(
            "a Secret cannot be pickled, since the pickle could end up in a file; pickle what it is read from"
        )


class Data:
    """The values of one step, and every secret of the test so far."""

    def __init__(
        self, values: Mapping[str, object] | None = None, redact: Redact | None = None
    ) -> None:
        self.redact = redact or Redact()
        self._given: dict[str, object] = {"uuid": str(uuid4())}
        self._values: dict[str, str] = {}
        self.days: dict[str, date] = {}
        """The days that the test's sentences have computed, by their placeholders without a format."""
        self._secret_names: set[str] = set()
        self._secrets: dict[str, str] = {}
        self._typed: set[str] = set()
        self._learned: dict[str, None] = {}
        self._finders: tuple[tuple[int, ...], list[Finder]] = ((), [])
        self._base: Data | None = None
        self.update(values or {})

    def update(self, values: Mapping[str, object]) -> None:
        """Add and replace values. Raises UsageError for a name that no placeholder can have."""
        for name, value in values.items():
            if not isinstance(name, str) or not name.isidentifier():
                raise UsageError(
                    f"a name in data must be a Python identifier, such as first_name; got {name!r}"
                )
            if value is None:
                raise UsageError(
                    f"the value of {name!r} in data is None; set it, or leave the name out"
                )
            self._given[name] = value
            self._put(name, value, str(value))
            for path, part in paths_of(name, value):
                if isinstance(part, Secret):
                    self._secrets[part.reveal()] = path

    def _put(self, name: str, value: object, text: str) -> None:
        self._secret_names.discard(name)
        if isinstance(value, Secret):
            self._secret_names.add(name)
            text = value.reveal()
            self._secrets[text] = name
        self._values[name] = text

    def compute(self, sentence: str, now: Callable[[], datetime]) -> None:
        """Add the values of placeholders such as `{row.name}`, `{today+7d:%d.%m.%Y}` and `{uuid}`.

        Raises UsageError for a part that a value does not have, and for days or a format that do not fit it.
        """
        for token in filter(PLACEHOLDER.fullmatch, (each[0] for each in _TOKEN.finditer(sentence))):
            name = token[1:-1]
            unwritten, _, form = name.partition(":")
            path = SHIFT.sub("", unwritten)
            first = path.partition(".")[0]
            if name in self._values or first not in {*self._given, "today"}:
                continue
            whole = self._given[first] if first in self._given else now().date()
            try:
                value = shifted(part_of(whole, path), unwritten)
                self._put(name, value, written(value, form))
            except (TypeError, ValueError, OverflowError):
                raise UsageError(
                    f"{token} is no way to write the value of {path!r}; that of a day can be written as"
                    " {today+7d:%d.%m.%Y}"
                ) from None
            if isinstance(value, date):
                self.days[unwritten] = date(value.year, value.month, value.day)

    def keep(self, name: str, value: Secret) -> None:
        """Add a value for this step and all later ones."""
        self.update({name: value})
        if self._base is not None:
            self._base.keep(name, value)

    def adopt(self, other: Data) -> None:
        """Share the list of secrets with another instance, so that each hides the secrets of both."""
        other._secrets.update(self._secrets)
        other._typed |= self._typed
        other._learned.update(self._learned)
        self._secrets, self._typed, self._learned = other._secrets, other._typed, other._learned
        self._finders = ((), [])

    def hide_also(self, other: Data) -> None:
        """Hide the secrets that another instance has now, too."""
        self._secrets.update(other._secrets)

    def extended(self, values: Mapping[str, object]) -> Data:
        """Return these values and more; both instances share their secrets."""
        more = Data(redact=self.redact)
        more._base = self
        more._given, more._values = dict(self._given), dict(self._values)
        more._secret_names, more.days = set(self._secret_names), self.days
        more._secrets, more._typed, more._learned = self._secrets, self._typed, self._learned
        more.update(values)
        return more

    @property
    def shown(self) -> dict[str, str | None]:
        """The values by name, None for each secret."""
        return dict.fromkeys(self._values) | self.plain

    @property
    def plain(self) -> dict[str, str]:
        """The values by name, without secrets."""
        return {n: v for n, v in self._values.items() if n not in self._secret_names}

    @property
    def added(self) -> set[str]:
        """The names whose values this instance has of its own, added to another one's."""
        base = self._base._values if self._base is not None else self._values
        return {name for name, value in self._values.items() if base.get(name) != value}

    @property
    def values(self) -> dict[str, str]:
        """The values by name, secrets included: only for comparison."""
        return dict(self._values)

    @property
    def hides(self) -> bool:
        """Whether there is anything to hide."""
        return bool(self._secrets or self.redact)

    @property
    def hidden_so_far(self) -> tuple[int, ...]:
        """How much there is to hide: it differs once there is more."""
        last = hash(next(reversed(self._learned), ""))
        return len(self._secrets), len(self._typed), len(self._learned), last

    @property
    def typed(self) -> bool:
        """Whether a secret was filled in, so that any page may show it."""
        return bool(self._typed)

    def check(self, sentence: str, advice: str = PASS_A_VALUE) -> None:
        """Raise UnknownName, with the advice, if the sentence uses a name without a value."""
        for match in _TOKEN.finditer(sentence):
            token, name = match.group(), match.group(1)
            if token in ("{{", "}}") or name in self._values:
                continue
            if PLACEHOLDER.fullmatch(token):
                raise UnknownName("placeholder", name, self._values, advice)
            raise UsageError(f"{token!r} in {sentence!r} is not the name of a value. {advice}")

    def fill(self, text: str) -> str:
        """Return the text with each known `{name}` replaced; other braces stay."""
        self._typed.update(self._secret_names.intersection(_TOKEN.findall(text)))
        return _filled(text, self._values)

    def fill_shown(self, text: str) -> str:
        """Return the text with each known `{name}` replaced, except those of secrets."""
        return _filled(text, self.plain)

    def uses_secret(self, text: str) -> bool:
        """Whether `fill` would insert a secret."""
        return not self._secret_names.isdisjoint(_TOKEN.findall(text))

    def spelled_in(self, text: str) -> bool:
        """Return whether a text holds a value in another spelling, or six characters in a row of a secret in any.

        Those that are in the secret's own name anyway do not count, as of "Password1" for {password}.
        """
        shown = decode(text)
        letters = fold_letters(shown)
        for secret, name in self._secrets.items():
            for whole, within in ((secret, shown), (fold_letters(secret), letters)):
                pieces = (whole[i : i + _PIECE] for i in range(len(whole) - _PIECE + 1))
                found = filter(within.__contains__, pieces)
                if not all(map(fold_letters(name).__contains__, map(fold_letters, found))):
                    return True
        for value in self._values.values():
            word = fold_letters(value)
            is_respelled = len(word) >= _WORD and word in letters and value not in text
            if is_respelled and value not in self._secrets:
                return True
        return False

    def learn(self, texts: Iterable[str]) -> None:
        """Redact texts of redacted elements everywhere, if they look like data and not like words."""
        for text in texts:
            if len(fold_letters(text)) >= SHORT and len(text) < 200 and re.search(r"[\d@]", text):
                self._learned[text] = None
        for text in list(self._learned)[:-_LEARNED]:
            del self._learned[text]

    def spans(self, text: str) -> list[Span]:
        """Return the spans to mask, in order and without overlaps."""
        return merge_spans(self._secrets_in(text) + self._redacted_in(text))

    def scrub(self, text: str) -> str:
        """Return the text with every secret replaced by its `{name}`, and with redactions."""
        return replace_spans(text, self.spans(text)) if self.hides else text

    def hidden(self, text: str) -> str:
        """Return a text by the test's author with every secret replaced, but without redactions."""
        return replace_spans(text, merge_spans(self._secrets_in(text)))

    def scrub_field(self, value: str) -> str:
        """Apply `scrub` to the value of a field, which may hold just part of a secret."""
        scrubbed = self.scrub(value)
        short = fold_letters(value)
        if scrubbed == value and len(short) >= SHORT:
            for secret, name in self._secrets.items():
                whole = fold_letters(secret)
                digits, words = (re.sub(kind, "", whole) for kind in (r"\D", r"\d"))
                if any(kind.startswith(short) for kind in (whole, digits, words)):
                    return f"[part of {{{name}}}]"
        return scrubbed

    def scrub_parts(self, parts: Sequence[str], glue: str = APART) -> list[str]:
        """Apply `scrub` to consecutive texts, and across them as if joined by `glue`."""
        new = list(parts)
        for index, spans in self.found(parts, glue).items():
            new[index] = replace_spans(parts[index], spans)
        return new

    def found(self, parts: Sequence[str], glue: str = APART) -> dict[int, list[Span]]:
        """Return the spans to mask in consecutive texts, by index, as if joined by `glue`."""
        if not self.hides:
            return {}
        whole = glue.join(parts)
        across = self._secrets_in(whole)
        if glue != APART:
            across += self._redacted_in(whole)
        across, at = merge_spans(across), 0
        found: dict[int, list[Span]] = {}
        for index, part in enumerate(parts):
            # Each text alone first, since a pattern may be anchored.
            spans = self._redacted_in(part)
            for begin, end, replacement in across:
                left, right = max(begin - at, 0), min(end - at, len(part))
                if left < right:
                    spans.append((left, right, replacement if begin >= at else ""))
            if spans:
                found[index] = merge_spans(spans)
            at += len(part) + len(glue)
        return found

    def scrub_all(self, value: Any, *, numbers: bool = False) -> Any:
        """Return a JSON-like value with `scrub` applied to its strings, and to its `numbers` as written."""
        if not self.hides:
            return value
        if isinstance(value, Mapping):
            return {self.scrub_all(k): self.scrub_all(v, numbers=numbers) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.scrub_all(v, numbers=numbers) for v in value]
        if isinstance(value, str):
            return self.scrub(value)
        written = str(value) if numbers and not isinstance(value, (bool, type(None))) else ""
        shown = self.scrub(written) if len(written) >= SHORT else written
        return value if shown == written else shown

    def scrub_values(self, value: Any) -> Any:
        """Apply `scrub_all`, and mask numbers, dates and other values that read like a secret."""
        # Not for a record of this plugin: its numbers are counts and positions.
        return self.scrub_all(value, numbers=True)

    def _secrets_in(self, text: str) -> list[Span]:
        if not self._secrets and not self._learned:
            return []
        known = self.hidden_so_far
        if self._finders[0] != known:
            placeholders = {secret: "{" + name + "}" for secret, name in self._secrets.items()}
            learned = dict.fromkeys(self._learned, REDACTED)
            self._finders = (known, finders({**learned, **placeholders}))
        spans = find_spans(self._finders[1], text)
        spans += shortened_secrets(text, self._secrets)
        if not spans:
            return spans
        # A placeholder is not masked once more by a secret that resembles its name.
        own = [m.span() for m in PLACEHOLDER.finditer(text) if m[1] in self._secrets.values()]
        own += [m.span() for m in _RUN.finditer(text)]
        return [s for s in spans if not any(a <= s[0] and s[1] <= b for a, b in own)]

    def _redacted_in(self, text: str) -> list[Span]:
        spans = [(*span, REDACTED) for span in self.redact.spans(text)]
        if not spans:
            return []
        ids = {m.end() for m in _ID.finditer(text)}
        return [span for span in spans if span[0] < span[1] and span[0] not in ids]


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _TOKEN.sub(lambda match: values.get(match[1], match[0]), text)


@dataclass
class ActiveData:
    """The data that masks a webtask's output, shared by all objects that outlive a step.

    Tabs, observer, guard and journal read `current` each time they mask: during a step the step's
    data, between steps the webtask's own. Objects of a single step hold that step's `Data`.
    """

    current: Data


def map_strings(value: Any, change: Callable[[str], str]) -> Any:
    """Return a JSON-like value with each of its strings changed, but not the keys."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: map_strings(each, change) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [map_strings(each, change) for each in value]
    return value


def fill_pattern(pattern: str, values: Mapping[str, str]) -> str:
    """Return a pattern with its placeholders filled in by escaped values; others stay."""
    return PLACEHOLDER.sub(lambda m: re.escape(values[m[1]]) if m[1] in values else m[0], pattern)


class Placeholders:
    """Replaces values by their placeholders: whole words only, the longest value first.

    A value that `hints`, such as the sentence, write out stays, unless the words beside it are rather those of its
    placeholder there. A text that is a hint with its values becomes that.
    """

    def __init__(self, values: Mapping[str, str], *hints: str) -> None:
        self._values = {name: " ".join(value.split()) for name, value in values.items()}
        self._names = {value: name for name, value in reversed(self._values.items()) if value}
        by_length = map(re.escape, sorted(self._names, key=len, reverse=True))
        words = [rf"(?<!\w)(?<!\d[.,]){value}(?!\w)(?![.,]\d)" for value in by_length]
        self._pattern = re.compile("|".join((rf"\{{{NAME}\}}", *words)))
        self._beside: dict[str, set[str]] = {}
        for match in chain.from_iterable(map(self._pattern.finditer, hints)):
            self._beside.setdefault(match[0], set()).update(_beside(match))
        self._whole = {PLACEHOLDER.sub(lambda m: self._values.get(m[1], m[0]), e): e for e in hints}

    def put(self, text: str) -> str:
        """Return the text with values replaced; existing placeholders stay."""
        return self._whole.get(text) or self._pattern.sub(self._put, text)

    def _put(self, match: re.Match[str]) -> str:
        value = match[0]
        shared = {each: len(_beside(match) & words) for each, words in self._beside.items()}
        own = [f"{{{name}}}" for name, each in self._values.items() if each == value]
        likeness = max((shared.get(each, 0) for each in own), default=0)
        is_meant = own and (value not in shared or likeness > shared[value])
        return f"{{{self._name(value)}}}" if is_meant else value

    def _name(self, value: str) -> str:
        return self._names[value]

    def put_all(self, value: Any) -> Any:
        """Apply `put` to each string of a JSON-like value."""
        return map_strings(value, self.put)


def _beside(match: re.Match[str]) -> set[str]:
    before, after = match.string[: match.start()], match.string[match.end() :]
    return {*re.findall(r"\w+", before.casefold())[-1:], *re.findall(r"\w+", after.casefold())[:1]}
