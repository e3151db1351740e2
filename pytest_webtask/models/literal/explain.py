"""What is said when a name means nothing on the page, or too much."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from pytest_webtask.models.literal.forms import FITS

_MOST = 8


@dataclass(frozen=True)
class Wanted:
    """An element as a sentence names it, its placeholders filled in and white space folded."""

    name: str
    fit: str
    role: str = ""
    relation: str = ""
    of: str = ""

    def __str__(self) -> str:
        words = [_quoted(self.name), self.role]
        if self.relation:
            words += [self.relation, _quoted(self.of)]
        return " ".join(filter(None, words))


@dataclass(frozen=True)
class Candidate:
    """An element of the page, as a person would tell it from others."""

    role: str
    name: str
    place: str = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.role, _quoted(self.name), self.place)))


def several_text(wanted: Wanted, candidates: Sequence[Candidate]) -> str:
    """Say that a name means more than one thing, and list them."""
    lines = [f"{len(candidates)} elements could be {wanted}:"]
    lines += [f"  {candidate}" for candidate in candidates[:_MOST]]
    if len(candidates) > _MOST:
        lines.append(f"  and {len(candidates) - _MOST} more")
    lines.append(
        f'Say which, as in {_quoted(wanted.name)} next to "...", in "..." or under "...", or name '
        f"its role, as in {_quoted(wanted.name)} {candidates[0].role}."
    )
    return "\n".join(lines)


def none_text(
    wanted: Wanted, elsewhere: Sequence[Candidate], names: Sequence[Candidate], timeout: float
) -> str:
    """Say that a name means nothing, where it does mean something, or which names are close."""
    can = FITS[wanted.fit].can
    text = f"nothing that can be {can} is called {wanted} (waited {timeout:g} s)"
    if elsewhere:
        return _listed(f"{text}; elsewhere there are:", elsewhere[:_MOST])
    close = sorted(dict.fromkeys(names), key=lambda name: _distance(wanted.name, name.name))
    near = [name for name in close if _distance(wanted.name, name.name) < 0.5][:5]
    if near:
        return _listed(f"{text}; the closest names are:", near)
    if names:
        listed = [*dict.fromkeys(names)][:_MOST]
        return _listed(f"{text}; what can be {can} here, among others:", listed)
    return f"{text}; nothing on this page can be {can}"


def _listed(text: str, candidates: Sequence[Candidate]) -> str:
    return "\n".join([text, *(f"  {candidate}" for candidate in candidates)])


def _distance(wanted: str, name: str) -> float:
    """From 0, the same but for case, to 1."""
    a, b = wanted.casefold(), name.casefold()
    if a in b or b in a:
        return 0.4 * (1 - min(len(a), len(b)) / max(len(a), len(b), 1))
    return 1 - SequenceMatcher(None, a, b).ratio()


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
