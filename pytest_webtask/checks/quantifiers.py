"""Whether checks show what is said of all, of the first, or of nothing but some."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_webtask.checks.answers import Answer
from pytest_webtask.checks.claims import Clause
from pytest_webtask.checks.covering import (
    SETS,
    at,
    covers,
    fits,
    is_sorted,
    lexical,
    names_it,
    near,
    stands_in,
    words_of,
)
from pytest_webtask.checks.numbers import dates_in, numbers_in
from pytest_webtask.checks.stating import is_in, listed, told
from pytest_webtask.checks.vocabulary import STOP
from pytest_webtask.checks.wording import says

if TYPE_CHECKING:
    from pytest_webtask.checks.coverage import Carried

__all__ = ["is_a_name", "unquantified"]

_NEEDS = {
    "all": "a check of all of them: count or order over every one, and one for each",
    "only": "a check of all there is: count or order over every one, and one for each",
    "first": "a check of the order that begins with the first of all",
    "last": "a check of the order that ends with the last of all",
    "nth": "a check of the order that begins with the first of all",
    "sorted": "a check of the order of every one of them, whose texts are sorted so",
    "extreme": "a check of the order of every one of them, by what is compared",
    "relative": "a check of the order of both",
}


def unquantified(carried: Carried) -> list[str]:
    """What of a clause with a quantifier no check of a whole set carries."""
    found = []
    for want, word in carried.clause.wants.items():
        if is_a_name(carried, word):
            found += carried.said() if not carried.clause.states else carried.in_state()
            continue
        sets = [a for a in carried.positive if a.check.kind in SETS]
        gaps = [_set_carries(carried, want, answer) for answer in sets]
        if not gaps:
            found.append(f"{word!r} needs {_NEEDS[want]}")
        elif all(gaps):
            found.append(f"{word!r} needs {_NEEDS[want]}; {min(gaps, key=len)}")
    return found


def _set_carries(carried: Carried, want: str, answer: Answer) -> str:
    """Why a check of a set does not carry a quantifier; "" where it does."""
    clause = carried.clause
    if misfit := fits(answer, clause):
        return misfit
    the_only = re.search(r"\bthe only\b", clause.text, re.I) and answer.by_name
    if want in ("all", "only", "extreme", "sorted") and not answer.complete and not the_only:
        return "these are not all there are"
    if want in ("first", "nth") and not answer.first:
        return "it does not begin with the first of all"
    if want == "last" and not answer.last:
        return "it does not end with the last of all"
    if want not in ("all", "only") and answer.check.kind != "order":
        return "a count tells no order"
    if want in ("first", "last"):
        return _one_of(carried, answer, 0 if want == "first" else -1)
    if want == "nth":
        place = {"second": 1, "third": 2, "fourth": 3, "fifth": 4, "2nd": 1, "3rd": 2}
        word = clause.wants[want].casefold().removeprefix("the ")
        index = place.get(word, int(re.sub(r"\D", "", word) or 1) - 1)
        return _one_of(carried, answer, index) if index < len(answer.items) else "there are fewer"
    if want == "extreme":
        return (
            "which of them it is is not seen in their order"
            if not _is_extreme(answer, clause)
            else ""
        )
    if want == "sorted":
        if not is_sorted(answer, clause.text):
            return "their texts are not sorted so, or do not show by what"
        return _lacking_words(carried, answer)
    if want == "relative":
        return _is_relative(answer, clause)
    return _only(carried, answer) if want == "only" else _each(carried, answer)


def _only(carried: Carried, answer: Answer) -> str:
    """Whether nothing is there but what the clause names."""
    clause = carried.clause
    names = [t.text for t in clause.tokens if t.kind in ("quote", "data")]
    names = names or [w for w in clause.words if w in clause.names]
    if not names:
        return _each(carried, answer)
    around = [*answer.beside, *answer.around]
    rest = [w for w in clause.words if w not in names and not lexical(w, answer, around, clause)]
    ones = [at(answer, index) for index in range(len(answer.items))]
    for one in ones:
        said = [*one.expects, *one.own] if answer.check.kind == "order" else one.own
        beside = [*said, *one.beside] if answer.by_name else said
        if not any(names_it(text, name, clause) for text in beside for name in names):
            return f"{one.items[0].id} is one of them, and is none of {listed(names)}"
        rest = [w for w in rest if not lexical(w, one, said, clause)]
    gone = [
        n
        for n in names
        if not any(names_it(t, n, clause) for o in ones for t in (*o.own, *o.beside))
    ]
    if gone or rest:
        return f"nothing there says {listed([*gone, *rest])}"
    return ""


def _one_of(carried: Carried, answer: Answer, index: int) -> str:
    """Whether the item in a place is what the clause says."""
    one = at(answer, index)
    missing = carried.missing(one)
    if missing:
        return f"{one.items[0].id}, which is that one, does not say {listed(missing)}"
    said = [*one.expects, *one.own]
    tokens = carried.clause.tokens
    own = any(
        any(covers(t, one, carried.clause) or names_it(s, t.text, carried.clause) for s in said)
        for t in tokens
    )
    own = own or any(lexical(w, one, said, carried.clause) for w in carried.clause.words)
    return "" if own else f"nothing is said of {one.items[0].id}"


def _lacking_words(carried: Carried, answer: Answer) -> str:
    texts = words_of(answer)
    missing = [w for w in carried.clause.words if not carried.found(w, answer, texts)]
    return f"nothing there says {listed(missing)}{carried.hint(missing)}" if missing else ""


def _each(carried: Carried, answer: Answer) -> str:
    """Whether every one of a set is what the clause says of all of them."""
    clause = carried.clause
    around = [*answer.beside, *answer.around, answer.items[0].role if answer.items else ""]
    common = [w for w in clause.words if lexical(w, answer, around, clause)]
    rest = [w for w in clause.words if w not in common]
    singles = [a for a in carried.positive if a.check.kind not in (*SETS, "url", "title", "visual")]
    for index, item in enumerate(answer.items):
        one = at(answer, index)
        mine = [a for a in singles if any(stands_in(i, item) for i in a.items)]
        cited = [one, *mine] if answer.check.kind == "order" else mine
        values = [t for t in clause.tokens if t.kind != "name"]
        counted = (
            answer.number is not None and values and all(covers(t, answer, clause) for t in values)
        )
        for token in () if counted else values:
            if not any(covers(token, a, clause) for a in cited):
                return f"no check expects {told(token)} of {item.id}"
        for word in rest:
            beside = item.facts.besides if answer.by_name else ()
            if not any(
                carried.found(word, a, [*a.expects, a.named, *a.own, *beside])
                for a in [*cited, one]
            ):
                return f"nothing says {word!r} of {item.id}"
        for state in clause.states:
            if not any(is_in(a, state, clause) for a in mine):
                return f"no check is about the state {state!r} of {item.id}"
        if not values and not rest and not clause.states and not counted:
            return "what is said of each of them is not to be seen in any check"
    return ""


def is_a_name(carried: Carried, word: str) -> bool:
    """Whether the word belongs to what the page itself calls something: First name, All orders."""
    after = re.search(rf"\b{re.escape(word)}\b\s+([\w'’-]+)", carried.clause.text, re.I)
    if not after or after[1].casefold() in STOP["en"] - {"name"}:
        return False
    phrase = f"{word} {after[1]}"
    labels = [text for a in carried.positive for text in (a.named, *a.beside, *a.around)]
    return any(says(text, phrase, anycase=True) and len(text) < len(phrase) + 12 for text in labels)


def _is_relative(answer: Answer, clause: Clause) -> str:
    """Why an order does not show that one of two comes before the other; "" where it does."""
    places: list[int] = []
    named = [t.text for t in clause.tokens if t.kind in ("quote", "data")]
    named = named or [w for w in clause.words if w not in clause.places] + [
        w for w in clause.words if w in clause.places
    ]
    for name in named[:2]:
        holding = [i for i, text in enumerate(answer.expects) if names_it(text, name, clause)]
        if len(holding) != 1:
            return f"{name!r} is not one of them, or more than one"
        places += holding
    if len(places) < 2:
        return "the claim names no two of them"
    backward = re.search(r"\b(?:after|below|follows?)\b", clause.text, re.I)
    right = places[0] > places[1] if backward else places[0] < places[1]
    return "" if right else "they stand the other way round"


def _is_extreme(answer: Answer, clause: Clause) -> bool:
    """Whether what the clause names has the most or the least of all that are compared."""
    values: list[object] = []
    for text in answer.expects:
        days, numbers = dates_in(text), numbers_in(text)
        if days:
            values.append(min(days[0][1]))
        elif numbers:
            values.append(min(numbers[-1].values))
        else:
            return False
    word = clause.wants["extreme"].casefold()
    least = word in ("cheapest", "lowest", "smallest", "oldest", "shortest", "earliest", "fewest")
    best = min(values) if least else max(values)  # type: ignore[type-var]
    carriers = [i for i, value in enumerate(values) if value == best]
    names = [*clause.names, *(t.text for t in clause.tokens if t.kind in ("quote", "data"))]
    return (
        len(carriers) == 1
        and bool(names)
        and all(
            any(names_it(text, name, clause) for text in near(at(answer, carriers[0])))
            for name in names
        )
    )
