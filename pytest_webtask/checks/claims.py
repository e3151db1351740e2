"""What a claim asks for: its numbers, quotations, names and words, clause by clause."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from pytest_webtask.checks.numbers import dates_in, numbers_in
from pytest_webtask.checks.vocabulary import (
    CONTROL_WORDS,
    EFFECT,
    NEGATION,
    QUANTIFIERS,
    STATES,
    STOP,
    VERB,
    language,
    stem,
)

__all__ = ["Clause", "Token", "read"]

_QUOTED = re.compile(
    r'"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«\s?([^»]+?)\s?»|‘([^’]+)’|(?<!\w)\'((?:[^\']|(?<=\w)\'(?=\w))+)\'(?!\w)'
)
_DATA = re.compile(r"(?<!\{)\{([^\W\d]\w*)\}")
_LITERAL = re.compile(
    r"(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d)|(?<!\S)(?:https?://\S+|/[\w./?=&%-]+)|[\w.+-]+@[\w-]+\.[\w.]+"
)
"""Times, addresses and paths, which mean just what they are."""
_OF = re.compile(r"(?<![\w.,])\d+ (?:of|von|sur|de) \d+(?![\w]|[.,]\d)")
_MARK = "\ue300"
"""Stands in place of a token while the words around it are read."""
_MARKED = re.compile(f"{_MARK}(\\d+){_MARK}")
_NOW = re.compile(r"\b(?:now|no longer|again)\b", re.I)
_COMPARED = (
    (r"(?:no|not) (?:more|greater|higher) than|at most|up to|maximum(?: of)?", "<="),
    (r"(?:no|not) (?:less|fewer|lower) than|at least|minimum(?: of)?", ">="),
    (r"more than|over|above|greater than|higher than|exceed(?:s|ing)?", ">"),
    (r"less than|fewer than|under|below|lower than", "<"),
)
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_IDENTIFIED = re.compile(
    r"(?:#|№|\b(?:no\.|number|nr\.?|order|invoice|room|page|step|ticket|version|seite|commande|pedido"
    r"|bestellung)\s+#?)$",
    re.I,
)
_PLACES = re.compile(
    r"\b(?:in|on|at|under|of|from|for|within|inside|beside|next to|to|by|dans|sur|im|auf|en|del?)\b"
    rf"((?:(?!\b{VERB}\b)[^,;])*)",
    re.I,
)
_INSIDE = re.compile(
    r"\b(?:in|on|dans|sur|en|auf)\s+(?:the|your|my|der|dem|le|la|el)\b|\b(?:im|am|al)\b", re.I
)
_OWNER = re.compile(rf"\b(?:of|for|von|de|du|del)\b((?:(?!\b{VERB}\b)[^,;])*)", re.I)
_CONTAINS = re.compile(
    r"^\W*(?:the|your|my|a|this)?\s*((?:[^\W\d_][\w'’-]*\s+){1,3}?)"
    r"(?:contains?|lists?|shows?|includes?|holds?|has|enthält|zeigt|contient|affiche|contiene|muestra)\b",
    re.I,
)


@dataclass(frozen=True)
class Token:
    """What must be expected by a check: a quotation, a value of the data, a number or a date.

    `noun` is the word for what a number counts. A `name` is a number that only says which one is meant: order 1047, page 2.
    """

    kind: str
    text: str
    values: frozenset[Decimal] = frozenset()
    unit: str = ""
    compared: str = "="
    days: frozenset[date] = frozenset()
    noun: str = ""


@dataclass(frozen=True)
class Clause:
    """A part of a claim that says one thing.

    `words` must be found with what is cited; `names` are those of them with a capital letter, and
    `places` those that only say where. `wants` are the quantifiers, `states` those that it speaks
    of. `owners` are those that say whose it is. `inside` says that something is in a part of the page; `known` that its language is one whose small words are known.
    """

    text: str
    tokens: Sequence[Token] = ()
    words: Sequence[str] = ()
    names: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    negated: bool = False
    wants: Mapping[str, str] = field(default_factory=dict)
    states: Sequence[str] = ()
    owners: frozenset[str] = frozenset()
    inside: bool = False
    control: bool = False
    effect: bool = False
    known: bool = True

    @property
    def key(self) -> str:
        """The word that says what is claimed of something: the last that names no place."""
        own = [word for word in self.words if word not in self.places]
        return own[-1] if own else ""


def read(claim: str, data: Mapping[str, str]) -> list[Clause]:
    """The clauses of a claim; `data` are the values that its placeholders stand for."""
    tokens: list[Token] = []

    def keep(token: Token) -> str:
        tokens.append(token)
        return f" {_MARK}{len(tokens) - 1}{_MARK} "

    def quoted(match: re.Match[str]) -> str:
        text = next(group for group in match.groups() if group)
        return keep(Token("quote", _DATA.sub(lambda m: data.get(m[1], m[0]), text)))

    def named(match: re.Match[str]) -> str:
        value = data.get(match[1])
        if value is None:
            return match[0]
        told = numbers_in(value)
        if len(told) == 1 and told[0].text == value.strip():
            return keep(Token("number", value, told[0].values, told[0].unit))
        return keep(Token("data", value))

    claim = re.sub(r"\b(?:no|nr)\.\s*(?=#?\d)", "#", claim, flags=re.I)
    text = _QUOTED.sub(quoted, re.sub(r"\b(?:nothing|nobody|no one) but\b", "only", claim))
    text = _DATA.sub(named, text)
    for written, days, *_ in dates_in(text):
        text = text.replace(written, keep(Token("date", written, days=days)), 1)
    text = _LITERAL.sub(lambda m: keep(Token("quote", m[0].rstrip("."))), text)
    text = _OF.sub(lambda m: keep(Token("quote", m[0])), text)
    text = re.sub(
        rf"\bbetween\s+({_MARK}\d+{_MARK}|[^\s\w]?\s?[\d.,]+(?:\s?[^\s\w])?)\s+and\s+",
        r"at least \1 at most ",
        text,
        flags=re.I,
    )
    tongue = language(_WORD.findall(_MARKED.sub(" ", text)))
    parts = [each for part in _split(text) for each in _distributed(part)]
    return [_clause(part, tokens, tongue) for part in parts if part.strip(" .!")]


def _split(text: str) -> list[str]:
    """The sentences in a claim: it is divided where both sides have a verb."""
    whole: list[str] = []
    # "is not A but B" says both of the same.
    text = re.sub(r"([^;\n]*?)\bnot\s+([^;\n,]+?),?\s+but\s+([^;\n]+)", _both, text, flags=re.I)
    for part in re.split(
        r"\s*(?:;|\n|\.(?=\s)|(?:,\s+|\s+)(?:but|while)\s+(?=.*\b" + VERB + r"\b))\s*", text
    ):
        rest = part
        while divided := _divided(rest):
            whole.append(divided[0])
            rest = divided[1]
        whole.append(rest)
    return whole


def _both(match: re.Match[str]) -> str:
    if re.search(rf"\b{VERB}\b", match[3], re.I):
        return match[0]
    return f"{match[1]} not {match[2]}; {match[1]} {match[3]}"


def _divided(text: str) -> tuple[str, str] | None:
    for match in re.finditer(r",\s+and\s+|,\s+|\s+(?:and|und|et|y)\s+", text):
        left, right = text[: match.start()], text[match.end() :]
        if all(re.search(rf"\b{VERB}\b", side, re.I) for side in (left, right)):
            return left, right
    return None


def _distributed(text: str) -> list[str]:
    """`A and B are shown` says that A is, and that B is."""
    one = rf"(?:{_MARK}\d+{_MARK}|[^\W\d_][\w'’-]*(?: [A-Z][\w'’-]*)*)"
    found = re.search(
        rf"(?:the )?({one})((?:\s*(?:,|\b(?:and|und|et|y)\b)\s*(?:the )?{one})*)\s*,?\s+(?:and|und|et|y)\s+(?:the )?({one})",
        text,
    )
    if not found or QUANTIFIERS["only"].search(text):
        return [text]
    several = [
        found[1],
        *(
            each
            for each in re.split(r"\s*(?:,|\b(?:and|und|et|y)\b)\s*(?:the )?", found[2])
            if each.strip()
        ),
        found[3],
    ]
    if any(each.casefold() in STOP["en"] for each in several):
        return [text]
    return [f"{text[: found.start()]} {each} {text[found.end() :]}" for each in several]


def _clause(text: str, known: Sequence[Token], tongue: str) -> Clause:
    tokens, plain = _tokens(text, known, tongue)
    words = _WORD.findall(plain)
    wants = _wants(plain, tongue)
    stop = STOP.get(tongue, frozenset())
    english = tongue == "en"
    content = [
        word
        for word in words
        if word.casefold() not in stop
        and not (word.casefold() in STATES or (english and word.casefold().endswith("n't")))
        and not QUANTIFIERS["extreme"].fullmatch(word)
    ]
    # "is read" says what became of it, "reads" what it says.
    content += re.findall(
        r"\b(?:is|are|was|were)\s+(?:not\s+)?(read)\b(?!\s+(?:in|on|as))",
        plain,
    )
    content += re.findall(r"\b(?:is|are)\s+(?:not\s+)?(on|off)\b(?=\W*$)", plain)
    # A quantifier with a capital letter in the middle is a name: the filter All.
    content += [
        word for i, word in enumerate(words) if i and word[0].isupper() and word.casefold() in stop
    ]
    where = [w for m in _PLACES.finditer(plain) for w in _WORD.findall(m[1])]
    before = _WORD.findall(_PLACES.sub(" ", plain))
    holder = _CONTAINS.search(plain)
    if holder:
        # The cart contains a Mug: it says where, as "in the cart" does.
        where += _WORD.findall(holder[1])
        content += [
            w for w in _WORD.findall(holder[1]) if stem(w) in ("product", "result", "articl")
        ]
        before = _WORD.findall(_PLACES.sub(" ", plain[holder.end() :]))
    if "sorted" in wants:
        content = [
            word
            for word in content
            if word.casefold() not in ("order", "reihenfolge", "ordre", "orden")
        ]
        by = re.search(r"\b(?:by|nach|par|por)\s+(?:the\s+)?(\w+)", plain, re.I)
        content = [word for word in content if not by or word != by[1]]
    # In German every noun has a capital letter.
    capital = (w for i, w in enumerate(words) if i and w[0].isupper() and w in content)
    lower = [word.casefold() for word in words]
    negation = NEGATION.get(tongue)
    return Clause(
        text=re.sub(f"\\s*{_MARK}\\d+{_MARK}\\s*", " … ", text).strip(),
        tokens=tokens,
        words=[*dict.fromkeys(content)],
        names=frozenset(capital) if tongue != "de" else frozenset(),
        places=frozenset(w for w in where if w in content and w not in before),
        negated=bool(negation and negation.search(plain.replace("not only", ""))),
        wants=wants,
        states=[
            *(STATES[w] for w in lower if tongue and w in STATES),
            *(["enabled"] if english and re.search(r"\bcan be\b", plain, re.I) else []),
        ],
        owners=frozenset(w for m in _OWNER.finditer(plain) for w in _WORD.findall(m[1])),
        inside=bool(holder or _INSIDE.search(plain)),
        control=any(stem(w) in CONTROL_WORDS for w in lower),
        effect=english and any(EFFECT.fullmatch(w) for w in [*content, *_NOW.findall(plain)]),
        known=bool(tongue),
    )


def _tokens(text: str, known: Sequence[Token], tongue: str) -> tuple[list[Token], str]:
    """The tokens of a clause, and what is left of it."""
    tokens: list[Token] = []
    plain = text
    marked = [(m.start(), m.end(), known[int(m[1])]) for m in _MARKED.finditer(text)]
    spoken = [
        (n.start, n.end, Token("number", n.text, n.values, n.unit))
        for n in numbers_in(text, words=tongue == "en")
        if not _pronoun(text, n.start, n.text)
        and not any(start <= n.start < end for start, end, _ in marked)
    ]
    for start, end, token in sorted([*spoken, *marked], key=lambda each: -each[0]):
        before = after = ""
        if token.kind == "number":
            sign, before, after = _compared(plain[:start], plain[end:])
            token = replace(token, compared=sign)
            if not token.unit and sign == "=" and _IDENTIFIED.search(plain[:start]):
                token = replace(token, kind="name")
            noun = re.match(r"\s*(?:[^\W\d_][\w'’-]*\s+)?([^\W\d_][\w'’-]*s)\b", text[end:])
            if noun and not token.unit and not re.fullmatch(VERB, noun[1], re.I):
                token = replace(token, noun=noun[1])
        tokens.insert(0, token)
        rest = plain[: start - len(before)] if before else plain[:start]
        plain = f"{rest.removesuffix('#')} {_MARK} {plain[end + len(after) :]}"
    return tokens, plain


def _wants(plain: str, tongue: str) -> dict[str, str]:
    if not tongue:
        return {}
    found: dict[str, str] = {}
    for want, pattern in QUANTIFIERS.items():
        for match in pattern.finditer(plain):
            named = match[0][0].isupper() and plain[: match.start()].strip()
            if not named:
                found[want] = match[0]
                break
    if "sorted" in found:
        for other in ("first", "last", "extreme"):
            found.pop(other, None)
    return found


def _compared(before: str, after: str) -> tuple[str, str, str]:
    """How a number is compared, and the words before and after it that say so."""
    if match := re.search(r"(>=|<=|[<>≤≥])\s*$", before):
        return {"≤": "<=", "≥": ">="}.get(match[1], match[1]), match[0], ""
    if match := re.match(r"\+(?!\d)", after):
        return ">=", "", match[0]
    for pattern, sign in _COMPARED:
        if match := re.search(rf"\b(?:{pattern})\s*$", before, re.I):
            return sign, match[0], ""
    if match := re.match(r"\s+or (more|less|fewer)\b", after, re.I):
        return (">=" if match[1].lower() == "more" else "<="), "", match[0]
    return "=", "", ""


def _pronoun(text: str, start: int, word: str) -> bool:
    """Whether "one" is no number."""
    around = text[max(start - 5, 0) : start + 6]
    return word.lower() == "one" and bool(
        re.search(r"(?:no|the|this|that) one|one of", around, re.I)
    )
