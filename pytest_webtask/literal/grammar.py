"""Sentence → clauses, exactly or not at all: no page, no guessing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import NoReturn

from pytest_webtask.errors import NotLiteral, UnknownName, UsageError
from pytest_webtask.literal.forms import (
    DO,
    FITS,
    NUMBERS,
    PLACE_WORDS,
    RELATIONS,
    ROLE_WORDS,
    Form,
    Language,
    countable_words,
)

__all__ = [
    "BRACES",
    "Clause",
    "NameTemplate",
    "Template",
    "UnsupportedForm",
    "check_names",
    "parse_sentence",
]


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
class NameTemplate:
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
    elements: Mapping[str, NameTemplate]
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


_QUOTES = {
    '"': '"',
    "'": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": "\N{RIGHT DOUBLE QUOTATION MARK}",
    "\N{LEFT SINGLE QUOTATION MARK}": "\N{RIGHT SINGLE QUOTATION MARK}",
    "\N{DOUBLE LOW-9 QUOTATION MARK}": "\N{LEFT DOUBLE QUOTATION MARK}",
}
_PLACEHOLDER = re.compile(r"\{[^\W\d]\w*\}")
_KEY = re.compile(r"(?:(?:ControlOrMeta|Control|Shift|Alt|Meta)\+)*(?:[A-Z][A-Za-z0-9]+|\S)")
_KEY_END = re.compile(r"(?=[\s,;.]|$)")
_JOINT = re.compile(r"[^\S\n]*(?:(,|;|\.(?=\s|$)|\n)|(and|then)(?![\w-]))", re.IGNORECASE)
_FORMS = "one of the forms below"
_END = "a comma, 'and', 'then', a new line or the end"
_ROLES = sorted(ROLE_WORDS, key=len, reverse=True)
_PLACES = sorted({*ROLE_WORDS, *PLACE_WORDS}, key=len, reverse=True)
_NUMBER = re.compile(r"\d{1,6}(?![\w.,]\S)")
_VERB = re.compile(r"[^\W\d_]*")


@lru_cache(maxsize=256)
def parse_sentence(sentence: str, language: Language = DO) -> tuple[Clause, ...]:
    """Return the clauses of a sentence; raise `NotLiteral` unless all of it can be read.

    A sentence that could be read with the unsupported forms raises `UnsupportedForm`.
    """
    try:
        return tuple(_Reader(sentence, language).clauses())
    except NotLiteral:
        _refuse_unsupported(sentence, language)
        raise


class UnsupportedForm(NotLiteral):
    """The sentence is quoted like a literal one, in a form that literal sentences do not have.

    Unlike other sentences that are not literal, it is not left to a model.
    """


def _refuse_unsupported(sentence: str, language: Language) -> None:
    """Raise `UnsupportedForm` if the unsupported forms are all that keeps it from being read."""
    wider = replace(language, forms=(*language.forms, *language.unsupported))
    instead = {form.tool: form.instead for form in language.unsupported}
    try:
        clauses = tuple(_Reader(sentence, wider).clauses())
    except NotLiteral:
        return
    clause = next(clause for clause in clauses if clause.tool in instead)
    raise UnsupportedForm(
        f"{clause.words} is not a literal {language.what}. {instead[clause.tool]}\n"
        f"{language.help('')}"
    ) from None


class _Mismatch(Exception):
    """A form does not go on like this: where, and what it would have taken."""

    def __init__(self, position: int, expected: str) -> None:
        super().__init__(expected)
        self.position = position
        self.expected = expected

    def further(self, other: _Mismatch) -> _Mismatch:
        """The one that got further; where they got as far, all that could have come there."""
        if other.position != self.position or self.expected == _FORMS:
            return max(self, other, key=lambda mismatch: mismatch.position)
        if other.expected in self.expected.split(" or "):
            return self
        return _Mismatch(self.position, f"{self.expected} or {other.expected}")


@dataclass
class _Slots:
    """What a form's slots were filled with, by parameter."""

    elements: dict[str, NameTemplate] = field(default_factory=dict)
    typed: dict[str, Template] = field(default_factory=dict)
    filled: dict[str, Template] = field(default_factory=dict)
    fixed: dict[str, object] = field(default_factory=dict)


class _Reader:
    """Reads one sentence from left to right; `at` is the position of the next character."""

    def __init__(self, sentence: str, language: Language) -> None:
        self.text = sentence
        self.language = language
        self.at = 0
        self.start = 0
        self.furthest = _Mismatch(0, "")

    def clauses(self) -> Iterator[Clause]:
        """Yield the clauses up to the end of the sentence."""
        self.join()
        if self.ended():
            article = "an" if self.language.what[0] in "aeiou" else "a"
            self.give_up(_Mismatch(self.at, f"{article} {self.language.what}"))
        while not self.ended():
            self.start = self.here()
            clause = self.clause()
            yield clause
            joint = self.join()
            if self.ended():
                if joint in ("and", "then"):
                    self.start = self.here()
                    more = f"another {self.language.what} after {joint!r}"
                    self.give_up(_Mismatch(len(self.text), more))
            elif not joint or not self.language.joined:
                here, furthest = self.here(), self.furthest
                expected = _END if self.language.joined else "the end"
                end = _Mismatch(here, expected + self.misplaced(clause))
                self.give_up(furthest if furthest.position > here else end)

    def misplaced(self, clause: Clause) -> str:
        """Return where to say what comes next, if that is where an element stands."""
        start = self.here()
        try:
            if not any(self.word(words) for words in RELATIONS):
                return ""
            self.word("the")
            self.name()
        except _Mismatch:
            return ""
        place = self.text[start : self.at]
        for named in clause.elements.values():
            if named.of is None:
                name = json.dumps(named.name.raw, ensure_ascii=False)
                return f"; {place} is said right after the name: {name} {place}"
        return "; only one place can be said for each element"

    def clause(self) -> Clause:
        """Read one instruction, with what it says about its dialog."""
        start = self.start
        try:
            form, slots = self.longest(self.language.forms)
            if self.language.answers and form.opens_dialogs:
                self.answer(slots)
        except _Mismatch as mismatch:
            self.give_up(mismatch)
        end = self.at
        return Clause(
            words=" ".join(self.text[start:end].split()),
            tool=form.tool,
            elements=slots.elements,
            typed=slots.typed,
            filled=slots.filled,
            fixed=slots.fixed,
        )

    def answer(self, slots: _Slots) -> None:
        """Read what to do with a dialog, if that comes next."""
        end, furthest = self.at, self.furthest
        if not self.join():
            return
        joined = self.here()
        try:
            _, answer = self.longest(self.language.answers)
        except _Mismatch as mismatch:
            if mismatch.position > joined:
                raise
            self.at, self.furthest = end, furthest
        else:
            slots.typed |= answer.typed
            slots.fixed |= answer.fixed

    def longest(self, forms: Iterable[Form]) -> tuple[Form, _Slots]:
        """Return the form that takes most of what follows; raise the mismatch that got furthest."""
        start = self.here()
        best: tuple[int, Form, _Slots] | None = None
        self.furthest = _Mismatch(start, _FORMS)
        for form in forms:
            self.at = start
            try:
                slots = self.match(form)
            except _Mismatch as mismatch:
                self.furthest = self.furthest.further(mismatch)
            else:
                if best is None or self.at > best[0]:
                    best = (self.at, form, slots)
        if best is None:
            raise self.furthest
        self.at = best[0]
        return best[1:]

    def match(self, form: Form) -> _Slots:
        """Read what follows as this form."""
        slots = _Slots(fixed=dict(form.fixed))
        parameters = iter(form.slots)
        for part in form.pattern.split():
            if part == "ELEMENT":
                slots.elements[next(parameters)] = self.element(form)
            elif part == "TYPED":
                slots.typed[next(parameters)] = self.quoted("a quoted value")
            elif part == "NAME":
                slots.filled[next(parameters)] = self.name()
            elif part == "PART":
                slots.elements[next(parameters)] = self.part(form)
            elif part == "TEXT":
                slots.typed[next(parameters)] = self.name("a quoted text", "a text")
            elif part == "COUNTED":
                slots.elements[next(parameters)] = self.counted(form)
            elif part == "NUMBER":
                slots.fixed[next(parameters)] = self.number()
            elif part == "KEY":
                slots.fixed[next(parameters)] = self.key()
            elif part.startswith("["):
                self.word(part.strip("[]"))
            elif not any(self.word(word) for word in part.split("|")):
                raise _Mismatch(self.here(), " or ".join(map(repr, part.split("|"))))
        return slots

    def element(self, form: Form) -> NameTemplate:
        """Read a name, perhaps with a role after it and where it stands."""
        self.word("the")
        name = self.name()
        at = self.here()
        role = next((word for word in _ROLES if self.word(word)), "")
        ways = {way for group in FITS[form.fit].groups for way in group}
        if role and form.fit not in ("click", "scroll") and not ways & {*ROLE_WORDS[role]}:
            raise _Mismatch(at, f"something that can be {FITS[form.fit].can}, not a {role}")
        return self.placed(name, form, role)

    def part(self, form: Form) -> NameTemplate:
        """Read the name of a part of the page, perhaps with what it is and where it stands."""
        self.word("the")
        name = self.name()
        return self.placed(name, form, next((word for word in _PLACES if self.word(word)), ""))

    def placed(
        self, name: Template, form: Form, role: str, relations: Sequence[str] = RELATIONS
    ) -> NameTemplate:
        """Read where what was just named stands, if that comes next."""
        relation = next((words for words in relations if self.word(words)), "")
        if not relation:
            return NameTemplate(name, form.fit, role)
        self.word("the")
        of = self.name()
        kind = next((word for word in _PLACES if self.word(word)), "")
        return NameTemplate(name, form.fit, role, relation, of, kind)

    def counted(self, form: Form) -> NameTemplate:
        """Read a role in the singular or plural, with its name before it, if it has one."""
        name = Template("")
        with suppress(_Mismatch):
            name = self.name()
        at = self.here()
        for word, role in countable_words():
            if self.word(word):
                return self.placed(name, form, role, ("in",))
        raise _Mismatch(at, "what is counted, such as buttons, rows or items")

    def number(self) -> int:
        """Read a number in figures or a word."""
        at = self.here()
        for word, number in NUMBERS.items():
            if self.word(word):
                return number
        match = _NUMBER.match(self.text, at)
        if match is None:
            raise _Mismatch(at, "a number")
        self.at = match.end()
        return int(match[0])

    def name(self, what: str = "a quoted name", kind: str = "a name") -> Template:
        """Read a quoted value that is not empty."""
        at = self.here()
        template = self.quoted(what)
        if not template.raw.strip():
            raise _Mismatch(at, f"{kind} that is not empty")
        return template

    def quoted(self, expected: str) -> Template:
        """Read a quoted value or a placeholder."""
        start = self.here()
        if match := _PLACEHOLDER.match(self.text, start):
            self.at = match.end()
            return Template(match[0])
        close = _QUOTES.get(self.text[start : start + 1])
        if close is None:
            raise _Mismatch(start, f"{expected} or a {{placeholder}}")
        opening = self.text[start]
        value = ""
        position = start + 1
        while position < len(self.text) and self.text[position] != close:
            if self.text[position : position + 2] in ("\\\\", "\\" + close, "\\" + opening):
                position += 1
            value += self.text[position]
            position += 1
        if position >= len(self.text):
            raise _Mismatch(start, f"a closing {close}")
        for brace in BRACES.finditer(value):
            if brace[0] in "{}":
                raise _Mismatch(start, f"a {{name}} in braces, or {brace[0] * 2} for a brace")
        self.at = position + 1
        return Template(value)

    def key(self) -> str:
        """Read a key as Playwright names it."""
        start = self.here()
        try:
            # A quote by itself is a key, too.
            quoted = self.quoted("a key").raw
        except _Mismatch:
            quoted = ""
        if _KEY.fullmatch(quoted):
            return quoted
        match = _KEY.match(self.text, start)
        if not match or not _KEY_END.match(self.text, match.end()):
            raise _Mismatch(start, "a key as Playwright names it: Enter, ArrowDown, Control+A, a")
        self.at = match.end()
        return match[0]

    def word(self, words: str) -> bool:
        """Read these words if they come next, capital letters or not."""
        pattern = re.sub(r"[ -]", r"[\\s-]+" if "-" in words else r"\\s+", words)
        match = re.compile(rf"\s*{pattern}(?![\w-])", re.IGNORECASE).match(self.text, self.at)
        if match:
            self.at = match.end()
        return match is not None

    def join(self) -> str:
        """Read what stands between clauses; return the last of it, empty if there is none."""
        joint = ""
        while match := _JOINT.match(self.text, self.at):
            joint = (match[1] or match[2]).lower()
            self.at = match.end()
        return joint

    def here(self) -> int:
        """Return the position of what follows the white space."""
        rest = self.text[self.at :]
        return self.at + len(rest) - len(rest.lstrip())

    def ended(self) -> bool:
        """Tell whether nothing follows."""
        return self.here() >= len(self.text)

    def give_up(self, mismatch: _Mismatch) -> NoReturn:
        """Raise `NotLiteral`, pointing at what could not be read."""
        at = mismatch.position
        start = self.text.rfind("\n", 0, at) + 1
        line = self.text[start:].split("\n", 1)[0]
        rest = self.text[at:].split("\n", 1)[0].strip()
        problem = f"cannot read {rest[:60]!r} literally" if rest else "the sentence ends too soon"
        verb = _VERB.match(self.text, self.start)
        raise NotLiteral(
            f"{problem}:\n  {line}\n  {' ' * (at - start)}^ expected {mismatch.expected}\n"
            f"{self.language.help(verb[0] if verb else '')}"
        )
