"""What is said when a name means nothing on the page, or too much."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from pytest_webtask.models.literal.forms import FITS, ROLE_WORDS

_MOST = 8
_HIDDEN = "cannot be seen (perhaps something must be hovered or opened first)"
_WHY = {
    "hidden": _HIDDEN,
    "covered": "is behind an open dialog",
    "inert": "is inert: it can be seen, but nobody can operate it now",
}


@dataclass(frozen=True)
class Wanted:
    """An element as a sentence names it, its placeholders filled in and white space folded.

    `of_kind` is the word said after the name of the place, `sentence` the whole of the clause.
    Where it is `strict`, a part of a name is that name only if the rest is signs, or a count.
    """

    name: str
    fit: str
    role: str = ""
    relation: str = ""
    of: str = ""
    of_kind: str = ""
    sentence: str = field(default="", compare=False)
    strict: bool = False

    def __str__(self) -> str:
        words = [_quoted(self.name), self.role]
        if self.relation:
            words += [self.relation, self.place]
        return " ".join(filter(None, words))

    @property
    def place(self) -> str:
        """Where it stands, as the sentence says."""
        return f"the {_quoted(self.of)} {self.of_kind}" if self.of_kind else _quoted(self.of)


@dataclass(frozen=True)
class Candidate:
    """An element of the page, as a person would tell it from others.

    `state` is why it cannot be used: `hidden`, `covered` by a dialog, `inert`, or empty.
    """

    role: str
    name: str
    place: str = ""
    state: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.role, _quoted(self.name), self.place)))


def several_text(wanted: Wanted, candidates: Sequence[Candidate], better: Wanted | None) -> str:
    """Say that a name means more than one thing, list them, and how to say the first of them."""
    lines = [f"{len(candidates)} elements could be {wanted}:"]
    lines += [f"  {candidate}" for candidate in candidates[:_MOST]]
    if len(candidates) > _MOST:
        lines.append(f"  and {len(candidates) - _MOST} more")
    if better:
        said = wanted.sentence.replace(str(wanted), str(better))
        whole = wanted.sentence.count(str(wanted)) == 1
        lines.append(f"Say which; the first of them is: {said if whole else better}")
        return "\n".join(lines)
    ways = []
    if not wanted.relation:
        ways.append(f'as in {_quoted(wanted.name)} next to "...", in "..." or under "..."')
    if role := _telling_role(wanted, candidates):
        ways.append(f"by its role, as in {_quoted(wanted.name)} {role}")
    lines.append(f"Say which, {', or '.join(ways or ['by its full name or another place'])}.")
    return "\n".join(lines)


def anchor_text(
    wanted: Wanted,
    named: bool,
    texts: Iterable[tuple[str, bool]],
    elsewhere: Sequence[Candidate],
    timeout: float,
) -> str:
    """Say that there is no such place, or that its name is there (`named`) in no such thing."""
    waited = f"(waited {timeout:g} s)"
    of = _quoted(wanted.of)
    if named:
        text = f"{of} is on this page, but in no {wanted.of_kind}"
        return f"{text} {waited}; say it without the word {wanted.of_kind!r}"
    texts = [*texts]
    if any(text.casefold() == wanted.of.casefold() for text, seen in texts if not seen):
        return f"{of} {_HIDDEN} {waited}"
    missing = f"there is no {of} on this page {waited}"
    seen = {text for text, seen in texts if seen}
    near = min(sorted(seen), key=lambda text: distance(wanted.of, text), default="")
    if near and distance(wanted.of, near) < 0.5:
        return f"{missing}; the closest is {_quoted(near)}"
    if elsewhere:
        return _listed(f"{missing}; elsewhere there are:", elsewhere[:_MOST])
    return missing


def none_text(
    wanted: Wanted, elsewhere: Sequence[Candidate], found: Sequence[Candidate], timeout: float
) -> str:
    """Say that a name means nothing, where it does mean something, or which names are close."""
    can = FITS[wanted.fit].can
    text = f"nothing that can be {can} is called {wanted} (waited {timeout:g} s)"
    names = [*dict.fromkeys(Candidate(c.role, c.name) for c in found if not c.state)]
    out_of_reach = _called(wanted, [c for c in found if c.state])
    if len(out_of_reach) == 1:
        (one,) = out_of_reach
        shown = one if wanted.relation else Candidate(one.role, one.name)
        text += f"; there is {_article(one.role)} {shown}, but it {_WHY[one.state]}"
    elif out_of_reach:
        states = {c.state for c in out_of_reach}
        why = " or ".join(why for state, why in _WHY.items() if state in states)
        text = _listed(f"{text}; each of these {why}:", out_of_reach[:_MOST])
    if elsewhere:
        joint = "\nElsewhere" if out_of_reach else "; elsewhere"
        return _listed(f"{text}{joint} there are:", elsewhere[:_MOST])
    if out_of_reach:
        return text
    close = sorted(names, key=lambda name: distance(wanted.name, name.name))
    near = [name for name in close if distance(wanted.name, name.name) < 0.5][:5]
    if near:
        return _listed(f"{text}; the closest names are:", near)
    if names:
        return _listed(f"{text}; what can be {can} here, among others:", names[:_MOST])
    return f"{text}; nothing on this page can be {can}"


def _called(wanted: Wanted, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that would match if they could be used, the exact ones first."""
    name = wanted.name.casefold()
    exact = [c for c in candidates if c.name.casefold() == name]
    return [*dict.fromkeys(exact or [c for c in candidates if name in c.name.casefold()])]


def _telling_role(wanted: Wanted, candidates: Sequence[Candidate]) -> str:
    """Return the word for a role that only one candidate has, empty if there is none."""
    roles = [candidate.role for candidate in candidates]
    if wanted.role or wanted.fit not in ("click", "scroll"):
        return ""
    for word, meant in ROLE_WORDS.items():
        if sum(role in meant for role in roles) == 1:
            return word
    return ""


def _article(noun: str) -> str:
    return "an" if noun[:1] in "aeio" else "a"


def nearly(name: str, whole: str) -> bool:
    """Whether a name is all of another but for signs and a count: "Email *", "Cart (2)"."""
    before, found, after = whole.casefold().partition(name.casefold())
    loose = not re.search(r"\w", before) and re.fullmatch(r"\W*(\(\d+\))?\W*", after)
    return bool(found and loose)


def _listed(text: str, candidates: Sequence[Candidate]) -> str:
    return "\n".join([text, *(f"  {candidate}" for candidate in candidates)])


def distance(wanted: str, name: str) -> float:
    """From 0, the same but for case, to 1."""
    a, b = wanted.casefold(), name.casefold()
    if a in b or b in a:
        return 0.4 * (1 - min(len(a), len(b)) / max(len(a), len(b), 1))
    return 1 - SequenceMatcher(None, a, b).ratio()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
