"""What one check can carry: the tokens that it expects, the words that stand where it looks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from pytest_webtask.checks.answers import Answer
from pytest_webtask.checks.claims import Clause, Token
from pytest_webtask.checks.finding import Cited, ask
from pytest_webtask.checks.numbers import amounts_in, dates_in, numbers_in
from pytest_webtask.checks.vocabulary import STOP, STRUCTURE, stem
from pytest_webtask.checks.wording import says, squashed

__all__ = [
    "ITEMS",
    "SETS",
    "at",
    "compared",
    "covers",
    "fits",
    "is_sorted",
    "lexical",
    "names_attribute",
    "names_it",
    "near",
    "stands_in",
    "ties",
    "words_of",
]

SETS = ("count", "order")
ITEMS = frozenset("row listitem article option treeitem".split())
"""What lists and tables are made of."""
_ATTRIBUTES = {
    "placeholder": "placeholder hint",
    "title": "tooltip title",
    "href": "link leads href points target",
    "alt": "picture image alt photo",
    "src": "picture image src photo",
    "aria-pressed": "pressed on off active selected",
    "aria-current": "current active selected",
    "aria-sort": "sorted sort",
    "aria-selected": "selected active",
    "aria-checked": "checked on",
    "aria-label": "label name",
    "readonly": "readonly read-only locked",
    "maxlength": "length characters",
}


def covers(token: Token, answer: Answer, clause: Clause) -> bool:
    """Whether a check that holds expects what a token says."""
    if answer.check.kind == "visual" or token.kind == "name":
        return False
    if answer.check.kind == "state" and token.kind in ("quote", "data"):
        # Its locator expects the name of what is in the state.
        return bool(answer.named) and names_it(answer.named, token.text, clause)
    if answer.check.kind == "attribute" and not names_attribute(answer.check.name, clause):
        return False
    if token.kind == "date":
        return any(days & token.days for text in answer.expects for _, days, *_ in dates_in(text))
    if token.kind == "number":
        return _counts(token, answer, clause) or any(_is_number(token, t) for t in answer.expects)
    own = [*answer.expects, *answer.own] if answer.check.kind == "text" else answer.expects
    if answer.check.kind == "url" and f"{token.text}*" in answer.check.pattern:
        # /cart* fits /cartridges.
        return bool(re.search(r"\bcontain|\bbegin|\bstart", clause.text, re.I))
    if not _placed(token.text, answer, clause):
        return False
    expected = any(says(text, token.text) for text in answer.expects)
    return expected and any(names_it(text, token.text, clause) for text in own)


def ties(token: Token, answer: Answer, clause: Clause) -> bool:
    """Whether a token names what a check is about, or stands right there."""
    if token.kind == "number":
        return _counts(token, answer, clause) or any(_is_number(token, t) for t in near(answer))
    if token.kind == "date":
        return any(days & token.days for text in near(answer) for _, days, *_ in dates_in(text))
    return any(names_it(text, token.text, clause) for text in (*near(answer), *answer.around))


def near(answer: Answer) -> list[str]:
    """What a check is about, and what stands right beside that."""
    return [t for t in (*answer.expects, answer.named, *answer.own, *answer.beside) if t]


def words_of(answer: Answer) -> list[str]:
    """All that is said by what a check is about and by what stands around it."""
    return [*near(answer), *(text for text in answer.around if text)]


def fits(answer: Answer, clause: Clause) -> str:
    """Why the set of a count is not of the kind that a clause counts; "" where it is."""
    role = answer.items[0].role if answer.items else ""
    if answer.by_name:
        if _said(answer.named, clause):
            return ""
        return f'they are only those named "{answer.named}", of which the claim says nothing'
    told = [w.casefold().strip(".,") for w in clause.text.split()]
    meant = [STRUCTURE[w] for w in (*told, *map(stem, told)) if w in STRUCTURE]
    if any(role in roles.split() for roles in meant) or role in ITEMS:
        return ""
    return f"they are of the role {role}: count rows or items, or name the role in the claim"


def lexical(word: str, answer: Answer, texts: Iterable[str], clause: Clause) -> bool:
    """Whether a word stands in one of the texts, or what a word for a control means is cited."""
    if roles := STRUCTURE.get(word.casefold()) or STRUCTURE.get(stem(word)):
        told = {item.role for item in answer.items} | {answer.check.kind, *answer.around}
        told.add(getattr(answer.check, "role", None) or "")
        if told & set(roles.split()):
            return True
    if word in clause.names:
        return any(names_it(text, word, clause) for text in texts)
    wanted = stem(word)
    # "placed" is not what a button "Place order" says; "can be placed" is.
    done = word.casefold().endswith("ed") and len(word) > 4
    done = done and not re.search(
        r"\b(?:can|could|cannot|can't|must|should|may|to be)\b", clause.text, re.I
    )
    for text in texts:
        for other in re.findall(r"[^\W\d_][\w'’-]*", text):
            if other.casefold() == word.casefold() if done else stem(other) == wanted:
                return True
    return False


def names_it(text: str, name: str, clause: Clause) -> bool:
    """Whether a text has a name, and not as a part of a longer one: Mug is not Mug Set."""
    if not name[:1].isupper():
        return says(text, name, anycase=True)
    told = re.findall(r"[\w'’-]+|[^\w\s]", squashed(text))
    wanted = [stem(word) for word in re.findall(r"[\w'’-]+|[^\w\s]", squashed(name))]
    stems = [stem(word) for word in told]
    for start in range(len(stems) - len(wanted) + 1):
        end = start + len(wanted)
        if stems[start:end] != wanted:
            continue
        others = [*told[max(start - 1, 0) : start], *told[end : end + 1]]
        longer = [
            w
            for w in others
            if w[0].isupper() and not _said(w, clause) and w.casefold() not in STOP["en"]
        ]
        if not longer:
            return True
    return False


def at(answer: Answer, index: int) -> Answer:
    """A check of a set, as far as it is about one of its items."""
    item = answer.items[index]
    expects = [answer.expects[index]] if len(answer.expects) > abs(index + (index < 0)) else []
    return replace(
        answer,
        items=[item],
        expects=expects,
        own=[*item.facts.leaves, item.facts.name, item.name if not item.facts.composite else ""],
        beside=[*answer.beside, *item.facts.besides],
        number=None,
    )


def stands_in(item: Cited, each: Cited) -> bool:
    """Whether an element is another, or stands in it, or in the same row or item."""
    if item.frame != each.frame:
        return False
    if item.number == each.number or item.facts.item == each.number:
        return True
    told = ask(each.frame, "related", {"number": item.number, "numbers": [each.number]})
    return bool(told) or (item.facts.item != 0 and item.facts.item == each.facts.item)


def is_sorted(answer: Answer, how: str) -> bool:
    """Whether texts are sorted by what is asked for, in the direction that is."""
    texts = answer.expects
    by = re.search(r"\b(?:by|nach|par|por)\s+(?:the\s+)?(\w+)", how, re.I)
    key = stem(by[1]) if by else ""
    numbers = [numbers_in(text) for text in texts]
    days = [dates_in(text) for text in texts]
    heads = {item.role: item.facts.besides for item in answer.items}
    in_column = (
        bool(key)
        and all(
            any(stem(w) == key for text in item.facts.besides for w in re.findall(r"\w+", text))
            for item in answer.items
        )
        and heads.keys() <= {"cell", "gridcell"}
    )
    keys: list[object]
    if all(days) and key in ("", stem("date"), "day", stem("time"), "newest", "oldest"):
        keys = [min(each[0][1]) for each in days]
    elif re.search(r"\b(?:newest|oldest|latest|earliest|date)\b", how, re.I):
        return False
    elif (
        all(numbers)
        and (
            in_column
            or key in ("", stem("price"), "cost", "amount", "total", "number", "id")
            or _money(numbers)
        )
        and (key in ("", stem("price"), "cost", "amount", "total", "number", "id") or in_column)
    ):
        keys = [min(each[0].values) for each in numbers]
    elif key in ("", "nam", stem("name"), stem("title"), stem("alphabet")) or in_column:
        keys = [_plainly(text) for text in texts]
    else:
        return False
    up = all(a <= b for a, b in pairwise(keys))  # type: ignore[operator]
    down = all(a >= b for a, b in pairwise(keys))  # type: ignore[operator]
    if up and down:
        return False
    backward = r"\b(?:descending|(?:highest|newest|latest|most recent|most expensive|dearest|most) first|z.a)\b"
    if re.search(backward, how, re.I):
        return down
    forward = (
        r"\b(?:ascending|alphabetical(?:ly)?|(?:cheapest|lowest|oldest|earliest|fewest) first)\b"
    )
    return up if re.search(forward, how, re.I) else up or down


def _money(numbers: Sequence[Sequence[object]]) -> bool:
    return all(getattr(each[0], "unit", "") for each in numbers)


def _said(name: str, clause: Clause) -> bool:
    """Whether a claim speaks of something by that name, in the singular or plural."""
    told = " ".join([clause.text, *(t.text for t in clause.tokens)])
    stems = [stem(word) for word in re.findall(r"[\w'’-]+", told)]
    wanted = [stem(word) for word in re.findall(r"[\w'’-]+", name)]
    return bool(wanted) and any(
        stems[i : i + len(wanted)] == wanted for i in range(len(stems) - len(wanted) + 1)
    )


def names_attribute(name: str, clause: Clause) -> bool:
    """Whether a clause speaks of an attribute, which else nobody sees."""
    words = _ATTRIBUTES.get(name.lower(), name.lower()).split()
    return any(says(clause.text, word, anycase=True) for word in words)


def _counts(token: Token, answer: Answer, clause: Clause) -> bool:
    if answer.number is None or token.unit or fits(answer, clause):
        return False
    return any(_compares(answer.number, token.compared, value) for value in token.values)


def _is_number(token: Token, text: str) -> bool:
    # Which of two readings of 1,234 is meant is open: to be more than something, both must be.
    enough = any if token.compared == "=" else all
    for number in amounts_in(text):
        if token.unit and number.unit != token.unit:
            continue
        if enough(_compares(n, token.compared, v) for n in number.values for v in token.values):
            return True
    return False


def compared(count: int, token: Token) -> bool:
    """Whether so many are as many as a token says."""
    return any(_compares(count, token.compared, value) for value in token.values)


def _compares(there: object, sign: str, value: object) -> bool:
    return bool(
        {
            "=": there == value,
            ">": there > value,  # type: ignore[operator]
            "<": there < value,  # type: ignore[operator]
            ">=": there >= value,  # type: ignore[operator]
            "<=": there <= value,  # type: ignore[operator]
        }[sign]
    )


def _plainly(text: str) -> str:
    """A text as it is sorted: without capitals and accents."""
    letters = unicodedata.normalize("NFD", squashed(text).casefold())
    return "".join(c for c in letters if not unicodedata.combining(c))


def _placed(text: str, answer: Answer, clause: Clause) -> bool:
    """Whether a quotation is all of a text, its beginning or its end, where the claim says so."""
    said = [squashed(t) for t in (answer.checked.actual, *answer.own) if t]
    wanted = squashed(text)
    if re.search(r"\bexactly\b", clause.text, re.I):
        return wanted in said
    if re.search(r"\b(?:starts?|begins?) with\b", clause.text, re.I):
        return any(t.startswith(wanted) for t in said)
    if re.search(r"\bends? with\b", clause.text, re.I):
        return any(t.endswith(wanted) for t in said)
    return True
