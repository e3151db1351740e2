"""Recorded texts that are others with other data: whether it is another case, and what they share."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from difflib import SequenceMatcher

from pydantic import ValidationError

from pytest_webtask.checks.element import Matches

__all__ = ["fingerprints", "is_other_case", "shared_pattern"]

_TOKEN = re.compile(r"\{\w+\}|\d+(?:[.,:]\d+)*|[^\W\d]+|\s+|[^\w\s]|_")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def fingerprints(values: Mapping[str, str]) -> dict[str, str]:
    """Return what tells values from others without telling them."""
    return {n: hashlib.sha256(v.encode()).hexdigest()[:4] for n, v in sorted(values.items())}


def is_other_case(recorded: Mapping[str, str], values: Mapping[str, str]) -> bool:
    """Whether some of the values are others than those with these fingerprints."""
    now = fingerprints(values)
    return any(now[name] != recorded[name] for name in now.keys() & recorded.keys())


def shared_pattern(recorded: str, now: str) -> str | None:
    """Return a pattern for two texts with placeholders, None where they share no word.

    Where they differ, a number may be another number, and words up to twice as many words.
    """
    one, two = (_TOKEN.findall(" ".join(text.split())) for text in (recorded, now))
    parts, shared = [], ""
    for tag, a, b, c, d in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        old, new = "".join(one[a:b]), "".join(two[c:d])
        if tag == "equal":
            shared += old
            parts += [t if t[:1] == "{" and t[1:] else _literal(t) for t in one[a:b]]
        elif _NUMBER.fullmatch(old) and _NUMBER.fullmatch(new):
            parts.append(_NUMBER.pattern)
        else:
            most = 2 * max(len(old.split()), len(new.split())) - 1
            words = rf"\S+(?:\s+\S+){{0,{most}}}"
            parts.append(words if tag == "replace" else rf"(?:\s*{words}\s*)?")
    if not re.search(r"[^\W\d_]{2}", re.sub(r"\{\w+\}", "", shared)):
        return None
    pattern = "".join(parts)
    try:
        Matches(pattern=pattern)
    except ValidationError:
        return None
    return pattern


def _literal(token: str) -> str:
    return r"\s+" if token.isspace() else re.escape(token)
