"""Whether checks that hold are enough for a claim.

A claim is read clause by clause, and each clause must be carried by a check of its own: one that
expects what the clause says, of an element that stands where it says. What other checks show does
not add up to it, or true statements about several things would carry a false one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pytest_webtask.checks.answers import Answer
from pytest_webtask.checks.claims import Clause, Token, read
from pytest_webtask.checks.covering import (
    at,
    compared,
    covers,
    fits,
    lexical,
    names_attribute,
    names_it,
    near,
    ties,
    words_of,
)
from pytest_webtask.checks.negation import unproved
from pytest_webtask.checks.particles import compares, contradicts
from pytest_webtask.checks.quantifiers import is_a_name, unquantified
from pytest_webtask.checks.stating import is_in, listed, told
from pytest_webtask.checks.vocabulary import DONE, NEGATION, STRUCTURE, UNREADABLE, stem
from pytest_webtask.checks.wording import says

__all__ = ["Carried", "Reading", "gaps"]


@dataclass(frozen=True)
class Reading:
    """What the page has in place of a word of the claim: a text of what is cited."""

    word: str
    text: str


def gaps(
    claim: str,
    answers: Sequence[Answer],
    *,
    data: Mapping[str, str],
    readings: Sequence[Reading] = (),
    page: Callable[[], str] = str,
) -> list[str]:
    """What of the claim no check carries, in words; empty where the evidence is enough.

    `page` gives all that the page shows, to tell which words it has itself.
    """
    held = [answer for answer in answers if answer.holds]
    clauses = read(claim, data)
    found = [gap for c in clauses for gap in Carried(c, held, readings, page).gaps()]
    found += [
        f"no check compares two things with each other: {c.text!r}"
        for c in clauses
        if compares(c.text)
    ]
    if not any(c.tokens or c.words or c.states or c.wants for c in clauses):
        found.append("the claim names nothing on the page that a check could be about")
    return list(dict.fromkeys(found))


@dataclass(frozen=True)
class Carried:
    """A clause, and the checks that may carry it."""

    clause: Clause
    answers: Sequence[Answer]
    readings: Sequence[Reading]
    page: Callable[[], str]

    def gaps(self) -> list[str]:
        """What of the clause is not carried."""
        if self.clause.negated:
            wants = [w for w in self.clause.wants.values() if not is_a_name(self, w)]
            return [
                *unproved(self),
                *(f"{w!r} together with a negation: say it in two claims" for w in wants),
            ]
        if self.clause.wants:
            return unquantified(self)
        if self.clause.states:
            return self.in_state()
        return self.said()

    @property
    def positive(self) -> list[Answer]:
        """The checks of something that is there."""
        return [answer for answer in self.answers if not answer.negative]

    def _singly(self) -> list[Answer]:
        """The positive checks that can say something of one thing, and the counts."""
        clause = self.clause
        numbers = any(token.kind == "number" for token in clause.tokens)
        found: list[Answer] = []
        for answer in self.positive:
            if answer.check.kind == "count":
                if numbers:
                    found.append(self._of_all(answer))
            elif answer.check.kind == "attribute":
                if names_attribute(answer.check.name, clause):
                    found.append(answer)
            elif (
                answer.check.kind != "order"
                and not self._denies(answer)
                and not (
                    # "Mug was added to your cart" is a message, and nothing in the cart.
                    clause.inside and any(item.facts.message for item in answer.items)
                )
            ):
                found.append(answer)
        return found

    def _denies(self, answer: Answer) -> bool:
        """Whether a text says that something is not so: No card saved yet."""
        if answer.check.kind not in ("text", "matches", "state", "title", "visual"):
            return False
        told = " ".join(token.text for token in self.clause.tokens)
        own = [text for text in (*answer.expects, *answer.own[:1]) if text and len(text) < 200]
        if any(contradicts(self.clause.text, text) for text in own):
            return True
        return any(
            (match := pattern.search(text)) and not says(told, match[0], anycase=True)
            for pattern in NEGATION.values()
            for text in own
        )

    def _of_all(self, answer: Answer) -> Answer:
        """A count, with only those words of its items that all of them say."""
        ones = [at(answer, index) for index in range(len(answer.items))]
        common = [
            w for w in self.clause.words if all(lexical(w, o, o.own, self.clause) for o in ones)
        ]
        return replace(answer, own=common)

    # What is said of something

    def said(self) -> list[str]:
        """What is missing of a clause that says something of something."""
        answers = self._singly()
        values = [t for t in self.clause.tokens if t.kind in ("number", "date")]
        quotes = [t for t in self.clause.tokens if t.kind in ("quote", "data")]
        if values:
            carriers = [
                a for a in answers if not a.loose and any(covers(t, a, self.clause) for t in values)
            ]
            found = [gap for token in values for gap in self._expected([token], answers, carriers)]
        elif quotes:
            found = self._expected(quotes, answers)
        else:
            found = self._found_by_words(answers)
        return found

    def _expected(
        self, tokens: Sequence[Token], answers: Sequence[Answer], others: Sequence[Answer] = ()
    ) -> list[str]:
        """Whether a check expects one of these tokens where the clause says that it is.

        What two numbers are said of may stand at either: two Mugs cost 24 in total. Names stand at
        both.
        """
        what = " or ".join(map(told, tokens))
        covering = [a for a in answers if any(covers(t, a, self.clause) for t in tokens)]
        precise = [a for a in covering if not a.loose]
        precise = [a for a in precise if not any(self._counts_others(t, a) for t in tokens)]
        if not precise:
            if any(not a.loose for a in covering):
                noun = next(t.noun for t in tokens if t.noun)
                return [f"{what} is not said of {noun!r}: cite a text that says so, or count them"]
            if covering:
                about = covering[0].checked.about
                return [
                    f"{what} is only a part of {about}: cite the smallest element that shows it"
                ]
            return [f"no check expects {what}{self._misfit(answers)}"]
        missing = min((self.missing(a) for a in precise), key=len)
        elsewhere = [
            w
            for w in missing
            if w in self.clause.words
            and w not in self.clause.names
            and any(w not in self.missing(a) for a in others)
        ]
        missing = [w for w in missing if w not in elsewhere]
        if not missing:
            return []
        about = precise[0].checked.about
        return [
            f"{what} is said of {about}, but nothing there says {listed(missing)}: cite what the"
            f" claim speaks of{self.hint(missing)}"
        ]

    def _counts_others(self, token: Token, answer: Answer) -> bool:
        """Whether a text has a number that is not said to be that of what the clause counts."""
        if token.kind != "number" or not token.noun or answer.number is not None:
            return False
        close = near(answer)
        if lexical(token.noun, answer, close, self.clause):
            return False
        words = self.clause.words
        return token.noun in words or not any(lexical(w, answer, close, self.clause) for w in words)

    def _misfit(self, answers: Sequence[Answer]) -> str:
        counted = [a for a in answers if a.number is not None]
        reasons = [reason for a in counted if (reason := fits(a, self.clause))]
        return f": of what is counted, {reasons[0]}" if reasons else ""

    def missing(self, answer: Answer) -> list[str]:
        """The words and other tokens of the clause that do not stand where a check looks."""
        clause = self.clause
        where = [t for t in (*answer.beside, *answer.around) if t] if clause.inside else []
        texts = words_of(answer)
        # The total of the cart may stand anywhere on the page of the cart; a Mug in the cart may not.
        top = [text for item in answer.items for text in item.facts.top]

        def place(word: str) -> Sequence[str]:
            if word in clause.places and clause.inside:
                return where
            return [*texts, *top] if word in clause.owners else texts

        found = [w for w in clause.words if not self.found(w, answer, place(w))]
        for token in clause.tokens:
            if token.kind in ("number", "date") and not clause.wants:
                # Each of these is asked for by itself.
                continue
            if not covers(token, answer, clause) and not ties(token, answer, clause):
                found.append(f'"{token.text}"' if token.kind in ("quote", "data") else token.text)
        return found

    def _found_by_words(self, answers: Sequence[Answer]) -> list[str]:
        """Where nothing is quoted or counted, one check must say all of it."""
        if not answers:
            return ["no check holds of anything that is there"]
        seen = [a for a in answers if a.check.kind == "visual"]
        best: list[str] | None = None
        for answer in answers:
            missing = self.missing(answer)
            if not missing and answer not in seen:
                missing = self._only_beside(answer)
            if not missing and answer not in seen and not self._is_about(answer):
                missing = [f"{self.clause.key or self.clause.text}"]
            if best is None or len(missing) < len(best):
                best = missing
        if not best or (seen and self._by_eye(seen)):
            return []
        return [f"nothing that is cited says {listed(best)} in one place{self.hint(best)}"]

    def _only_beside(self, answer: Answer) -> list[str]:
        """Words that another text of the same row or item says, which need not be meant so.

        "Out of stock" beside its name does not say that a Mug is in stock.
        """
        clause = self.clause
        texts = [*answer.expects, answer.named, *answer.own, *answer.labels, *answer.around]
        words = [w for w in clause.words if not w[0].isupper() and w not in clause.owners]
        return [w for w in words if not self.found(w, answer, [t for t in texts if t])]

    def _by_eye(self, seen: Sequence[Answer]) -> bool:
        """Whether the words are seen: those that the page says itself, where it says them."""
        if any(map(self._denies, seen)):
            return False
        there = [text for a in seen for text in words_of(a)]
        told = [a.checked.expected for a in seen]
        return all(
            lexical(w, seen[0], there, self.clause)
            or (lexical(w, seen[0], told, self.clause) and not self.on_page(w))
            for w in self.clause.words
        )

    def _is_about(self, answer: Answer) -> bool:
        """Whether what a check is about says one of the words itself, and not only what holds it."""
        if not self.clause.words:
            return bool(self.clause.tokens)
        own = [t for t in (*answer.expects, answer.named, *answer.own) if t]
        return any(self.found(w, answer, own) for w in self.clause.words)

    # Words

    def found(self, word: str, answer: Answer, texts: Sequence[str]) -> bool:
        """Whether a word stands in the texts of a check, or something that is read as it."""
        if lexical(word, answer, texts, self.clause):
            return True
        if word.casefold() in DONE and answer.check.kind == "state":
            wanted = ("unchecked",) if self.clause.negated else ("checked", "selected")
            return answer.check.state in wanted
        return self._read(word)

    def _read(self, word: str) -> bool:
        """Whether the verifier names what stands for a word that the page itself does not use."""
        clause = self.clause
        if word in clause.names:
            return False
        for reading in self.readings:
            said = {stem(w) for w in re.findall(r"[\w'’-]+", reading.word)}
            own = {stem(w) for w in re.findall(r"[^\W\d_][\w'’-]*", reading.text)}
            if stem(word) not in said or not own or word.casefold() in UNREADABLE:
                continue
            taken = {stem(w) for w in clause.words} & own
            shared = [r for r in self.readings if r != reading and r.text == reading.text]
            if taken or shared or self.on_page(word):
                # A text that already stands for another word says nothing of this one.
                continue
            if any(
                says(text, reading.text) for a in self.positive for text in (*a.expects, *a.own)
            ):
                return True
        return False

    def on_page(self, word: str) -> bool:
        """Whether the page uses a word itself, anywhere."""
        page = self.page()
        if says(page, word, anycase=True):
            return True
        # "Log out" does not say that somebody is logged in.
        done = word.casefold().endswith("ed")
        return not done and any(stem(w) == stem(word) for w in re.findall(r"[^\W\d_]+", page))

    def hint(self, missing: Sequence[str]) -> str:
        """What to do about words that are missing."""
        words = [
            w for w in missing if w[0] != '"' and w not in self.clause.names and w[0].isalpha()
        ]
        if there := [w for w in words if self.on_page(w)]:
            return f" (the page says {listed(there)} elsewhere)"
        return "; where the page puts a word otherwise, say so in readings" if words else ""

    # States

    def in_state(self) -> list[str]:
        """What is missing of a clause that says in which state something is."""
        found = []
        for state in self.clause.states:
            telling = [a for a in self.answers if is_in(a, state, self.clause)]
            if not telling:
                found.append(f"no check is about the state {state!r} of what the claim names")
                continue
            found += self.of_the_one_named(telling, f"the state {state!r}")
        counts = [t for t in self.clause.tokens if t.kind == "number" and not t.unit]
        for token in counts:
            inside = {
                (item.document, item.number)
                for a in self.positive
                if any(is_in(a, state, self.clause) for state in self.clause.states)
                for item in a.items
            }
            near_it = any(ties(token, a, self.clause) for a in self.positive)
            if token.noun and not compared(len(inside), token):
                found.append(
                    f"{told(token)} of them are to be cited in that state, each by a check"
                )
            elif not token.noun and not near_it:
                found.append(f"no check expects {told(token)}")
        return found

    def of_the_one_named(self, answers: Sequence[Answer], what: str) -> list[str]:
        """Whether one of the checks is of the very element that the clause names."""
        clause = self.clause
        best: list[str] | None = None
        for answer in answers:
            missing = self.missing(answer)
            own = [t for t in (answer.named, *answer.own) if t]
            names = [w for w in clause.words if w not in clause.places and stem(w) not in STRUCTURE]
            quoted = [t.text for t in clause.tokens if t.kind in ("quote", "data", "name")]
            said = any(self.found(w, answer, own) for w in names) or any(
                names_it(text, each, clause) for text in own for each in quoted
            )
            only_field = answer.check.kind == "value" or clause.control
            if not said and (names or quoted) and not missing and only_field:
                missing = [names[0] if names else f'"{quoted[0]}"']
            if not missing and (shorter := self._shorter_name(answer.named, answer.items[0].role)):
                missing = [shorter]
            if best is None or len(missing) < len(best):
                best = missing
        if not best:
            return []
        about = answers[0].checked.about
        return [
            f"{what} is that of {about}, which nothing there calls {listed(best)}{self.hint(best)}"
        ]

    def _shorter_name(self, named: str, role: str) -> str:
        """The name that the claim gives, where another control is called just so: Save, Save draft."""
        told = {stem(w) for w in re.findall(r"[\w'’-]+", self.clause.text)}
        told |= {stem(w) for t in self.clause.tokens for w in re.findall(r"[\w'’-]+", t.text)}
        words = re.findall(r"[\w'’-]+", named)
        said = [w for w in words if stem(w) in told]
        if not said or len(said) == len(words) or role not in ("button", "link", "tab", "menuitem"):
            return ""
        shorter = " ".join(said)
        return shorter if f'"{shorter}"' in self.page() else ""
