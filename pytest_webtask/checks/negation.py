"""Whether checks show that something is not so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pytest_webtask.checks.answers import Answer
from pytest_webtask.checks.claims import Clause, Token
from pytest_webtask.checks.covering import covers, fits, lexical, names_it, ties, words_of
from pytest_webtask.checks.vocabulary import DONE, NEGATION, STRUCTURE, stem
from pytest_webtask.checks.wording import says

if TYPE_CHECKING:
    from pytest_webtask.checks.coverage import Carried

__all__ = ["unproved"]

_OPPOSITE = {
    "disabled": "enabled",
    "enabled": "disabled",
    "checked": "unchecked",
    "unchecked": "checked",
    "expanded": "collapsed",
    "collapsed": "expanded",
    "hidden": "visible",
    "selected": "unchecked",
}
_PARTS = frozenset(
    """table list listbox grid region dialog alertdialog form navigation main group row listitem
    article tabpanel menu toolbar complementary banner contentinfo""".split()
)
"""Roles of what something can be in, or not."""


def unproved(carried: Carried) -> list[str]:
    """What of a clause that denies something no check denies."""
    clause = carried.clause
    reasons = []
    for answer in carried.answers:
        if answer.check.kind == "absent":
            reason = _absent(carried, answer)
        elif answer.check.kind == "state":
            reason = _opposite(carried, answer)
        elif answer.complete:
            reason = _not_among(carried, answer)
        else:
            reason = _denied(carried, answer)
        if not reason:
            return []
        reasons.append(reason)
    needs = (
        f"nothing that is cited denies that {clause.text!r}: give absent, hidden, the opposite state, or"
        " all of a list in which it is not"
    )
    told = [reason for reason in reasons if reason != _OTHER]
    return [f"{needs}; {told[0]}" if told else needs]


_OTHER = "another matter"


def _absent(carried: Carried, answer: Answer) -> str:
    """Why the absence of a text, or of a role, does not deny the clause; "" where it does."""
    clause, check = carried.clause, answer.check
    assert check.kind == "absent"
    within = answer.items[0] if answer.items else None
    if not answer.front and not re.search(r"\b(?:tab|window)\b", clause.text, re.I):
        return "it is absent from another tab than the one in front"
    if within is not None and within.role not in _PARTS:
        return f"{within.id} is no part of the page that something could be in"
    wanted = (answer.expects[0] if answer.expects else "").strip()
    tokens = [t for t in clause.tokens if t.kind != "name"]
    words = [w for w in clause.words if w not in clause.places]
    if clause.key.casefold() in DONE:
        return f"whether something is {clause.key} is a state: check that"
    if check.role is not None:
        # Not every error is an alert: what else it may be is told by its text only.
        said = [
            w
            for w in words
            if check.role in STRUCTURE.get(stem(w), "").split()
            and stem(w) not in ("error", "warn", "toast", "notification")
        ]
        if not said or (wanted and not _is_named(wanted, clause)):
            return f"the claim speaks of no {check.role} of that name"
        gone = {*said, *(w for w in words if says(wanted, w, anycase=True))}
    elif any(_same(token, wanted) for token in tokens):
        gone = set()
    elif stem(wanted) == stem(clause.key) or wanted.split() == [
        w for w in words if w in clause.names
    ]:
        gone = {w for w in words if says(wanted, w, anycase=True) or stem(w) == stem(wanted)}
    elif _is_noun_after_no(wanted, clause) and not any(
        carried.on_page(w) for w in words if stem(w) != stem(wanted)
    ):
        gone = {*words}
    else:
        key = clause.key or (tokens[0].text if tokens else "")
        return f"{wanted!r} is not what the claim denies: it is {key!r}"
    missing_tokens = [
        t for t in tokens if not _same(t, wanted) and not names_it(wanted, t.text, clause)
    ]
    rest = [w for w in clause.words if w not in gone]
    anchors = (
        [within_texts(answer)]
        if within
        else [words_of(a) for a in carried.positive if a.checked.tab == answer.checked.tab]
    )
    for texts in anchors:
        lacking = [w for w in rest if not lexical(w, answer, texts, clause)]
        lacking += [
            t.text for t in missing_tokens if not any(names_it(x, t.text, clause) for x in texts)
        ]
        if not lacking or (
            within is None and not set(lacking) - clause.places and not missing_tokens
        ):
            return ""
    told = ", ".join(repr(w) for w in rest)
    return f"cite beside it what says {told}" if told else _OTHER


def within_texts(answer: Answer) -> list[str]:
    """What names the part of the page in which something is not."""
    return [t for t in (*answer.own, *answer.beside, *answer.around) if t]


def _opposite(carried: Carried, answer: Answer) -> str:
    """Why a state does not deny the clause; "" where it does."""
    clause, check = carried.clause, answer.check
    assert check.kind == "state"
    wanted = {_OPPOSITE[state] for state in clause.states if state in _OPPOSITE}
    if not clause.states:
        # Not accepted, not done; cannot be added.
        wanted = {"unchecked", "hidden"}
        if re.search(r"\b(?:no|any|kein\w*|aucune?|ning[úu]n\w*)\b", clause.text, re.I):
            # That one of them is hidden does not say that there is none.
            wanted = {"unchecked"}
        if re.search(r"\b(?:cannot|can't|can not|unable)\b", clause.text, re.I):
            wanted = {"disabled"}
    if check.state not in wanted:
        return _OTHER
    named = carried.of_the_one_named([answer], f"the state {check.state!r}")
    if named and check.state == "unchecked" and not clause.states:
        missing = [w for w in carried.missing(answer) if w != clause.key]
        return f"nothing there says {', '.join(map(repr, missing))}" if missing else ""
    return named[0] if named else ""


def _not_among(carried: Carried, answer: Answer) -> str:
    """Why a whole set does not show that something is not among it; "" where it does."""
    clause = carried.clause
    if misfit := fits(answer, clause):
        return misfit
    tokens = [t.text for t in clause.tokens if t.kind in ("quote", "data")]
    meant = tokens or [w for w in clause.words if w in clause.names and w not in clause.places]
    if not meant or not clause.places:
        return _OTHER
    there = [m for m in meant if any(says(text, m, anycase=True) for text in answer.own)]
    if there:
        return f"{there[0]!r} is among them"
    around = [*answer.beside, *answer.around]
    missing = [w for w in clause.places if not lexical(w, answer, around, clause)]
    return f"nothing there says {missing[0]!r}" if missing else ""


def _denied(carried: Carried, answer: Answer) -> str:
    """Why a text does not say itself that something is not so; "" where it does."""
    clause, check = carried.clause, answer.check
    if check.kind == "value":
        if "empty" in clause.states and check.value:
            named = carried.of_the_one_named([answer], "the value")
            return named[0] if named else ""
        return _OTHER
    if check.kind == "attribute":
        if not (check.name.startswith("aria-") and check.value == "false"):
            return _OTHER
        named = carried.of_the_one_named([answer], f"the attribute {check.name}")
        return named[0] if named else ""
    if check.kind != "text":
        return _OTHER
    key = clause.key
    denying = [text for text in answer.expects if _denies(text, key)]
    if not denying:
        return _OTHER
    missing = [
        w
        for w in carried.missing(answer)
        if not (w == key and re.search(rf"(?:in|un|dis|non-?){re.escape(key)}", denying[0], re.I))
    ]
    unsaid = [
        t for t in clause.tokens if not covers(t, answer, clause) and not ties(t, answer, clause)
    ]
    if missing or unsaid:
        return f"nothing there says {', '.join(map(repr, [*missing, *(t.text for t in unsaid)]))}"
    return ""


def _same(token: Token, text: str) -> bool:
    return token.text.strip().casefold() == text.casefold()


def _is_named(wanted: str, clause: Clause) -> bool:
    told: Sequence[str] = [*clause.words, *(t.text for t in clause.tokens)]
    return all(any(says(each, word, anycase=True) for each in told) for word in wanted.split())


def _is_noun_after_no(wanted: str, clause: Clause) -> bool:
    """Whether it is what there is none of: no lamp is offered."""
    after = re.search(
        r"\b(?:no|any|kein\w*|aucune?|ningun\w*|ningún)\s+([\w'’-]+)", clause.text, re.I
    )
    return after is not None and stem(after[1]) == stem(wanted)


def _denies(text: str, key: str) -> bool:
    """Whether a part of a text that speaks of something says that it is not so."""
    for part in re.split(r"[,;.:!?]", text):
        words = {stem(word) for word in re.findall(r"[^\W\d_][\w'’-]*", part)}
        if key and re.search(rf"\b(?:in|un|dis|non-?){re.escape(key)}", part, re.I):
            return True
        if key and stem(key) not in words:
            continue
        if any(pattern.search(part) for pattern in NEGATION.values()) or re.match(r"\s*0\b", part):
            return True
    return False
