"""Parse a sentence into clauses, completely or not at all; no page is needed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import chain
from typing import Any, NoReturn

from pytest_webtask.data.phrases import NAME, PASS_A_VALUE, shortened, with_article
from pytest_webtask.data.text import squashed
from pytest_webtask.data.values import PLACEHOLDER
from pytest_webtask.errors import NotLiteral, UnknownName, UsageError
from pytest_webtask.literal.forms import (
    CONDITIONS,
    COUNTABLE,
    DO,
    NUMBERS,
    PLACE_WORDS,
    RELATIONS,
    ROLE_WORDS,
    WHOLE_PAGE,
    Form,
    Language,
)

BRACES = re.compile(rf"\{{\{{|\}}\}}|\{{({NAME})\}}|[{{}}]")


@dataclass(frozen=True)
class Template:
    """A quoted value; `raw` has its `{names}` and doubled braces as written."""

    raw: str

    @property
    def names(self) -> tuple[str, ...]:
        """The placeholders, in order."""
        return tuple(m[1] for m in BRACES.finditer(self.raw) if m[1])

    def fill(self, data: Mapping[str, str | None], use: str) -> str:
        """Return the value with its placeholders filled in. Raises UsageError for a secret."""

        def value(match: re.Match[str]) -> str:
            if match[1] is None:
                return match[0][0]
            text = _lookup(match[1], data)
            if text is None:
                raise UsageError(
                    f"{match[0]} is a secret and cannot be {use}; secrets can only be typed into "
                    f'a field, as in fill "Password" with {match[0]}'
                )
            return text

        return BRACES.sub(value, self.raw)

    def fill_in(self, data: Mapping[str, str | None], use: str) -> str:
        """Return the value as `fill` does. Raises UsageError for an empty one, too, which any page shows."""
        if not (text := squashed(self.fill(data, use))):
            raise UsageError(f"{self.raw} is empty and cannot be {use}; pass a value for it")
        return text

    def keep(self, data: Mapping[str, str | None]) -> str:
        """Return the value with its placeholders, for a tool to fill in.

        The tool fills in every `{name}` that it knows, so doubled braces around such a name raise
        UsageError.
        """
        for name in self.names:
            _lookup(name, data)
        kept = BRACES.sub(lambda m: m[0] if m[1] else m[0][0], self.raw)
        taken = [name for name in Template(kept).names if name in data]
        if taken != [*self.names]:
            raise UsageError(
                f"{self.raw!r} cannot be used, because a name in doubled braces would become the value of that name in"
                " data; give that value another name"
            )
        return kept


@dataclass(frozen=True)
class Phrase:
    """An element as a sentence names it; `role` is the word after the name, or "".

    `of` is the name of its place, and `of_kind` the word after that; `within` has the parts of the page around
    that, from the outermost on, or the place itself if it is more than a name. Elements that are counted may have a
    role and no name. Names are as written, see `Template`; `sentence` is the clause with the phrase.
    """

    name: str
    fit: str
    role: str = ""
    relation: str = ""
    of: str = ""
    of_kind: str = ""
    within: tuple[Phrase, ...] = ()
    sentence: str = field(default="", compare=False)

    @property
    def is_placed(self) -> bool:
        """Whether the sentence says where the element is."""
        return bool(self.of or self.within)

    @property
    def names(self) -> Iterator[str]:
        """All names in the phrase and in those of its places."""
        yield from filter(None, (self.name, self.of))
        for part in self.within:
            yield from part.names


@dataclass(frozen=True)
class Clause:
    """One tool call with the values of its parameters, and the `words` of the sentence that ask for it.

    `typed` and `listed` values keep their placeholders for the tool to fill in; those of `elements` and `filled`
    are filled in before the page is read. `nested` are clauses in it: its `condition`, and what to do `then`. `scope`
    has the parts of the page that all of it is about, from the outermost on; the sentence may wait so many `seconds`.
    """

    tool: str
    words: str = ""
    elements: dict[str, Phrase] = field(default_factory=dict)
    typed: dict[str, Template] = field(default_factory=dict)
    listed: dict[str, list[Template]] = field(default_factory=dict)
    filled: dict[str, Template] = field(default_factory=dict)
    fixed: dict[str, object] = field(default_factory=dict)
    nested: dict[str, Clause] = field(default_factory=dict)
    scope: tuple[Phrase, ...] = ()
    seconds: float = 0.0


def check_names(clauses: Iterable[Clause], data: Mapping[str, str | None]) -> None:
    """Raise `UnknownName` for a placeholder without a value.

    Raises `UsageError` for a misused secret, and for a name, text or address that comes out empty.
    """
    for clause in clauses:
        check_names(clause.nested.values(), data)
        for template in (*clause.typed.values(), *chain(*clause.listed.values())):
            template.keep(data)
        for parameter, template in clause.filled.items():
            template.fill_in(data, f"the {parameter} of {clause.words!r}")
        for phrase in (*clause.elements.values(), *clause.scope):
            for name in phrase.names:
                Template(name).fill_in(data, "the name of an element")


def _lookup(name: str, data: Mapping[str, str | None]) -> str | None:
    if name not in data:
        raise UnknownName("placeholder", name, data, PASS_A_VALUE)
    return data[name]


_QUOTES = {
    '"': '"',
    "'": "'",
    "\N{LEFT DOUBLE QUOTATION MARK}": "\N{RIGHT DOUBLE QUOTATION MARK}",
    "\N{LEFT SINGLE QUOTATION MARK}": "\N{RIGHT SINGLE QUOTATION MARK}",
    "\N{DOUBLE LOW-9 QUOTATION MARK}": "\N{LEFT DOUBLE QUOTATION MARK}",
}
_PHRASE = re.compile(rf"(?:the\s+)?[{{{''.join(_QUOTES)}]", re.IGNORECASE)
_SCOPE = Form("", "in PART:", "")
_KEY = re.compile(r"(?:(?:ControlOrMeta|Control|Ctrl|Shift|Alt|Meta)\+)*(?:[A-Z][A-Za-z0-9]+|\S)")
_KEY_END = re.compile(r"(?=[\s,;.]|$)")
_JOINT = re.compile(r"[^\S\n]*(?:(,|;|\.(?=\s|$)|\n)|(and|then)(?![\w-]))", re.IGNORECASE)
_IN = re.compile(r"\s+in(?![\w-])", re.IGNORECASE)
_ROW_OR_END = re.compile(rf"{_IN.pattern}|\s*$|{_JOINT.pattern}", re.IGNORECASE)
_FORMS = "one of the forms below"
_END = "a comma, 'and', 'then', a new line or the end"
_NAMELESS = ("without a name",)
_ROLES = sorted(ROLE_WORDS, key=len, reverse=True)
_PLACES = sorted({*ROLE_WORDS, *PLACE_WORDS}, key=len, reverse=True)
_WITHIN = re.compile(r"\s*within\s+([1-9]\d{0,5})\s+(second|minute)s?\b\s*[:,]?", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,6}(?![\w.,]\S)")
_AMOUNT = re.compile(
    rf"{PLACEHOLDER.pattern}|-?(?![1-9]\d{{,2}}\.\d{{3}}\b)\d+(?:\.\d+)?(?![\w%€$£]|[.,]\S)"
)
"""A number that is not written as 1.000, which is a thousand to some."""
_LONGEST_SENTENCE = 200
_VERB = re.compile(r"[^\W\d_]*")


@lru_cache(maxsize=256)
def parse_sentence(sentence: str, language: Language = DO) -> tuple[Clause, ...]:
    """Return the clauses of a sentence; raise `NotLiteral` unless all of it can be read."""
    return tuple(_Reader(sentence, language).clauses())


def scope_of(sentence: str) -> tuple[Phrase, ...]:
    """Return the parts of the page with which a sentence begins; the rest may be free English."""
    return _Reader(sentence, DO).scope()


def without_scopes(sentence: str) -> Iterator[str]:
    """Yield a sentence, and then what is left of it behind each of the parts with which it begins."""
    reader = _Reader(sentence, DO)
    yield sentence
    while reader.outer_part():
        yield sentence[reader.at :]


def begin_in(part: str) -> str:
    """Return the beginning of a sentence about a part of the page: `in "Cart": `. Raises UsageError."""
    words = " ".join(part.split())
    if not _PHRASE.match(words):
        words = json.dumps(words, ensure_ascii=False)
    reader = _Reader(f"in {words}: ", DO)
    if len(reader.scope()) != 1 or not reader.ended():
        raise UsageError(
            "within() takes the name of a part of the page, such as 'Cart', or what a sentence calls it, such as"
            f' \'the "Mug" row in "Cart"\'; got {part!r}'
        )
    return reader.text


class _MismatchError(Exception):
    """A form does not match: the position, and what was expected there."""

    def __init__(self, position: int, expected: str) -> None:
        super().__init__(expected)
        self.position = position
        self.expected = expected

    def further(self, other: _MismatchError) -> _MismatchError:
        """Return the mismatch that got further; at the same position, one that expects either."""
        if other.position != self.position or self.expected == _FORMS:
            return max(self, other, key=lambda mismatch: mismatch.position)
        ways = dict.fromkeys((*self.expected.split(" or "), *other.expected.split(" or ")))
        return _MismatchError(self.position, " or ".join(ways))


class _Reader:
    """Reads one sentence from left to right; `at` is the position of the next character."""

    def __init__(self, sentence: str, language: Language) -> None:
        self.text = sentence
        self.language = language
        self.at = 0
        self.start = 0
        self.furthest = _MismatchError(0, "")
        self.elided: tuple[Form, ...] = ()
        """The form of the clause before, without its verb, where it may be left out."""
        self.it: Phrase | None = None
        """What the condition of this clause is about."""

    def clauses(self) -> Iterator[Clause]:
        """Yield the clauses up to the end of the sentence."""
        scope = self.scope()
        seconds = self.seconds()
        scope += self.scope()
        self.join()
        if self.ended():
            self.give_up(_MismatchError(self.at, with_article(self.language.what)))
        while not self.ended():
            self.start = self.here()
            clause = replace(self.clause(), scope=scope, seconds=seconds)
            for each in (clause, *clause.nested.values()):
                if scope and each.tool in WHOLE_PAGE:
                    raise NotLiteral(f"{each.words!r} {WHOLE_PAGE[each.tool]}")
            yield clause
            joint = self.join()
            if self.ended() and joint in ("and", "then"):
                self.start = self.here()
                more = f"another {self.language.what} after {joint!r}"
                self.give_up(_MismatchError(len(self.text), more))
            if not self.ended() and not (joint and self.language.joined):
                end = _MismatchError(self.here(), _END if self.language.joined else "the end")
                self.give_up(end.further(self.furthest))

    def scope(self) -> tuple[Phrase, ...]:
        """Read the parts of the page with which the sentence begins: `in "Cart": in the "Mug" row: …`."""
        return tuple(iter(self.outer_part, None))

    def outer_part(self) -> Phrase | None:
        """Read the next part with which the sentence begins, if there is one."""
        start = self.at
        with suppress(_MismatchError):
            if self.word("in"):
                part = self.placed(self.called(_PLACES, _SCOPE))
                if self.text.startswith(":", self.here()):
                    self.at = self.here() + 1
                    return part
        self.at = start
        return None

    def seconds(self) -> float:
        """Read how long the sentence may wait, if it begins with that: `within 20 seconds …`."""
        match = _WITHIN.match(self.text, self.at)
        if match is None:
            return 0.0
        self.at = match.end()
        return int(match[1]) * {"second": 1.0, "minute": 60.0}[match[2].lower()]

    def clause(self) -> Clause:
        """Read one clause."""
        self.it = None
        try:
            form, clause = self.read((*self.language.forms, *self.elided))
        except _MismatchError as mismatch:
            self.give_up(mismatch)
        has_place = any(phrase.is_placed for phrase in clause.elements.values())
        self.elided = () if has_place else form.without_verb
        return clause

    def read(self, forms: Iterable[Form]) -> tuple[Form, Clause]:
        """Read a clause of one of the forms, with the answer to its dialog."""
        start = self.here()
        form, clause = self.longest(forms)
        if self.language.answers and form.opens_dialogs:
            self.answer(clause)
        words = " ".join(self.text[start : self.at].split())
        elements = {key: replace(each, sentence=words) for key, each in clause.elements.items()}
        return form, replace(clause, words=words, elements=elements)

    def condition(self) -> Clause:
        """Read a claim about the page as it is now."""
        _, claim = self.read(CONDITIONS)
        self.it = claim.elements.get("part", claim.elements.get("element_id"))
        return claim

    def then(self) -> Clause:
        """Read the one instruction that depends on the condition before it."""
        if self.join() not in (",", "then"):
            raise _MismatchError(self.here(), "a comma and an instruction")
        return self.read(self.language.forms)[1]

    def it_or(self, read: Callable[[], Phrase], form: Form, kinds: Sequence[str]) -> Phrase:
        """Read `it`, what the condition is about if that can be called by these kinds, or else a name."""
        if self.it and self.it.role in ("", *kinds) and self.word("it"):
            return replace(self.it, fit=form.fit)
        return read()

    def answer(self, clause: Clause) -> None:
        """Read the answer to a dialog, if one comes next."""
        end, furthest = self.at, self.furthest
        if not self.join():
            return
        joined = self.here()
        try:
            _, answer = self.longest(self.language.answers)
        except _MismatchError as mismatch:
            if mismatch.position > joined:
                raise
            self.at, self.furthest = end, furthest
        else:
            clause.typed.update(answer.typed)
            clause.fixed.update(answer.fixed)

    def longest(self, forms: Iterable[Form]) -> tuple[Form, Clause]:
        """Return the form that matches most of what follows; raise the furthest mismatch if none does."""
        start = self.here()
        read: list[tuple[int, Form, Clause]] = []
        self.furthest = _MismatchError(start, _FORMS)
        for form in forms:
            self.at = start
            try:
                clause = self.match(form)
                read.append((self.at, form, clause))
            except _MismatchError as mismatch:
                self.furthest = self.furthest.further(mismatch)
        if not read:
            raise self.furthest
        self.at, form, clause = max(read, key=lambda each: each[0])
        return form, clause

    def match(self, form: Form) -> Clause:
        """Read a form."""
        clause = Clause(form.tool, fixed=dict(form.fixed))
        for part in form.pattern.split():
            slot, _, parameter = part.partition(":")
            if part == "[PLACE]" and not clause.elements["part"].is_placed:
                clause.elements["part"] = self.placed(clause.elements["part"], is_last=True)
            elif slot in _SLOTS:
                values, usual, read = _SLOTS[slot]
                getattr(clause, values)[parameter or usual] = read(self, form)
            elif part.startswith("["):
                self.word(part.strip("[]"))
            elif not self.any_word(part.split("|")):
                raise _MismatchError(self.here(), " or ".join(map(repr, part.split("|"))))
        return clause

    def called(self, kinds: Iterable[str], form: Form, nameless: Iterable[str] = ()) -> Phrase:
        """Read a name with a word for its kind, if there is one, before or behind it, or a kind that is `nameless`."""
        self.word("the")
        kind = self.any_word(kinds)
        if kind and self.any_word(nameless):
            return Phrase("", form.fit, kind)
        return Phrase(self.name().raw, form.fit, kind or self.any_word(kinds))

    def heads(self, lowest: Phrase, *, is_last: bool = False) -> Phrase:
        """Read further heads of a column, whose names are one; the next clause may begin with another name."""
        end = self.at
        names = self.listed(lowest.name, lambda: self.name().raw, (",",))
        if is_last and not _ROW_OR_END.match(self.text, self.at):
            self.at = end
            return lowest
        return replace(lowest, name=" ".join(names))

    def part(self, form: Form) -> Phrase:
        """Read a part of the page, which may be a cell by several heads, and its place."""
        is_last = form.pattern.endswith("PART") and self.language.joined
        return self.placed(self.heads(self.called(_PLACES, form), is_last=True), is_last=is_last)

    def placed(
        self, thing: Phrase, relations: Sequence[str] = RELATIONS, *, is_last: bool = False
    ) -> Phrase:
        """Read the place of what was called, if one comes next, and the parts around that: `of table "Users"`."""
        relation = self.any_word(relations)
        if not relation:
            return thing
        relation = "in" if relation == "of" else relation
        within: list[Phrase] = []
        place = self.called(_PLACES, _SCOPE)
        if relation == "under":
            place = self.heads(place, is_last=is_last)
        if relation != "next to" and _IN.match(self.text, self.at):
            part = self.placed(place)
            if relation == "in" or part.of_kind in ("", "row"):
                # What is called so is a part only there, such as the cell of a column in a row.
                return replace(thing, within=(part,))
            within = [*part.within, Phrase(part.of, _SCOPE.fit, part.of_kind)]
        while self.word("of"):
            within.insert(0, self.called(_PLACES, _SCOPE))
        of, kind = place.name, place.role
        return replace(thing, relation=relation, of=of, of_kind=kind, within=tuple(within))

    def counted(self, form: Form) -> Phrase:
        """Read a role in the singular or plural, after a name if there is one."""
        name = ""
        with suppress(_MismatchError):
            name = self.name().raw
        word = self.any_word(COUNTABLE)
        if not word:
            raise _MismatchError(self.here(), "what is counted, such as buttons, rows or items")
        return self.placed(Phrase(name, form.fit, COUNTABLE[word]), ("in", "of"))

    def number(self) -> int:
        """Read a number in digits or as a word."""
        if word := self.any_word(NUMBERS):
            return NUMBERS[word]
        match = _NUMBER.match(self.text, self.here())
        if match is None:
            raise _MismatchError(self.here(), "a number")
        self.at = match.end()
        return int(match[0])

    def amount(self) -> Template:
        """Read a number in digits, or a placeholder for one."""
        match = _AMOUNT.match(self.text, self.here())
        if match is None:
            raise _MismatchError(
                self.here(), "a plain number such as 10 or 4.50, or a {placeholder}"
            )
        self.at = match.end()
        return Template(match[0])

    def name(self, what: str = "a quoted name") -> Template:
        """Read a quoted value that is not empty."""
        at = self.here()
        template = self.quoted(what)
        if not template.raw.strip():
            raise _MismatchError(at, f"{what} that is not empty")
        return template

    def quoted(self, expected: str) -> Template:
        """Read a quoted value or a placeholder."""
        start = self.here()
        if match := PLACEHOLDER.match(self.text, start):
            self.at = match.end()
            return Template(match[0])
        close = _QUOTES.get(self.text[start : start + 1])
        if close is None:
            raise _MismatchError(start, f"{expected} or a {{placeholder}}")
        match = re.compile(rf"((?:\\.|[^\\{close}])*){close}", re.DOTALL).match(
            self.text, start + 1
        )
        if match is None:
            raise _MismatchError(start, f"a closing {close}")
        # A backslash before a quotation mark, or another one, is none of the text.
        value = re.sub(rf"\\([\\{self.text[start]}{close}])", r"\1", match[1])
        for brace in BRACES.finditer(value):
            if brace[0] in "{}":
                raise _MismatchError(start, f"a {{name}} in braces, or {brace[0] * 2} for a brace")
        self.at = match.end()
        return Template(value)

    def values(self) -> list[Template]:
        """Read quoted values, joined by commas or `and`."""
        return self.listed(self.quoted("a quoted value"), partial(self.quoted, "a quoted value"))

    def option(self) -> Template:
        """Read a quoted value with which no clause begins."""
        value = self.quoted("a quoted value")
        if not (self.ended() or _JOINT.match(self.text, self.at)):
            raise _MismatchError(self.here(), _END)
        return value

    def listed(
        self,
        first: Any,
        read: Callable[[], Any],
        joints: Container[str] = (*",;.\n", "and", "then"),
    ) -> list[Any]:
        """Read more of what was read first, as far as it goes."""
        found, end = [first], self.at
        with suppress(_MismatchError):
            while self.join() in joints:
                found.append(read())
                end = self.at
        self.at = end
        return found

    def key(self) -> str:
        """Read a key or a chord."""
        start = self.here()
        if self.text[start : start + 1] in _QUOTES:
            key = self.quoted("a key").raw
        else:
            match = _KEY.match(self.text, start)
            key = match[0] if match and _KEY_END.match(self.text, match.end()) else ""
            self.at = start + len(key)
        if not _KEY.fullmatch(key):
            raise _MismatchError(start, "a key: Enter, Escape, ArrowDown, Ctrl+A, a")
        return key

    def word(self, words: str) -> bool:
        """Read these words if they come next, in any case."""
        pattern = re.sub(r"[ -]", r"[\\s-]+" if "-" in words else r"\\s+", words)
        match = re.compile(rf"\s*{pattern}(?![\w-])", re.IGNORECASE).match(self.text, self.at)
        if match:
            self.at = match.end()
        return match is not None

    def any_word(self, words: Iterable[str]) -> str:
        """Read one of some words if it comes next, and return it; "" if none does."""
        return next((each for each in words if self.word(each)), "")

    def join(self) -> str:
        """Read commas, `and` and the like between clauses; return the last, "" if there is none."""
        joint = ""
        while match := _JOINT.match(self.text, self.at):
            joint = (match[1] or match[2]).lower()
            self.at = match.end()
        return joint

    def here(self) -> int:
        """Return the position after white space."""
        rest = self.text[self.at :]
        return self.at + len(rest) - len(rest.lstrip())

    def ended(self) -> bool:
        """Tell whether the sentence ends here."""
        return self.here() >= len(self.text)

    def give_up(self, mismatch: _MismatchError) -> NoReturn:
        """Raise `NotLiteral` with a pointer to the part that cannot be read."""
        at = mismatch.position
        start = self.text.rfind("\n", 0, at) + 1
        line = self.text[start:].split("\n", 1)[0]
        whole = shortened(" ".join(self.text.split()), _LONGEST_SENTENCE)
        problem = (
            f"cannot read {whole!r} without a model"
            if self.text[at:].strip()
            else "the sentence ends too soon"
        )
        verb = _VERB.match(self.text, self.start)
        raise NotLiteral(
            f"{problem}:\n  {line}\n  {' ' * (at - start)}^ expected {mismatch.expected}\n"
            f"{self.language.help(verb[0] if verb else '')}"
        )


_SLOTS: Mapping[str, tuple[str, str, Callable[[_Reader, Form], object]]] = {
    "ELEMENT": (
        "elements",
        "element_id",
        lambda r, form: r.it_or(lambda: r.placed(r.called(_ROLES, form, _NAMELESS)), form, _ROLES),
    ),
    "PART": ("elements", "part", lambda r, form: r.it_or(lambda: r.part(form), form, _PLACES)),
    "CLAIM": ("nested", "condition", lambda r, _: r.condition()),
    "CLAUSE": ("nested", "then", lambda r, _: r.then()),
    "COUNTED": ("elements", "items", lambda r, form: r.counted(form)),
    "TYPED": ("typed", "text", lambda r, _: r.quoted("a quoted value")),
    "TEXT": ("typed", "text", lambda r, _: r.name("a quoted text")),
    "LIST": ("listed", "options", lambda r, _: r.values()),
    "OPTIONS": ("listed", "options", lambda r, _: r.listed(r.quoted("a quoted value"), r.option)),
    "NAME": ("filled", "text", lambda r, _: r.name()),
    "NUMBER": ("fixed", "number", lambda r, _: r.number()),
    "AMOUNT": ("filled", "number", lambda r, _: r.amount()),
    "KEY": ("fixed", "key", lambda r, _: r.key()),
}
"""The slots of forms: to which values of a clause each belongs, the parameter that it fills, and how it is read."""
