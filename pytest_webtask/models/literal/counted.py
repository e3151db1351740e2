"""Words for what is counted, and for numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from pytest_webtask.models.literal.forms import ROLE_WORDS

__all__ = ["KINDS", "NUMBERS", "counted", "plural"]

KINDS: Mapping[str, Sequence[str]] = {
    **{word: roles for word, roles in ROLE_WORDS.items() if word != "text"},
    "item": ("listitem",),
    "list item": ("listitem",),
    "article": ("article",),
    "column": ("columnheader",),
    "dialog": ("dialog", "alertdialog"),
    "table": ("table", "grid", "treegrid"),
    "section": ("region",),
    "region": ("region",),
    "form": ("form",),
    "group": ("group", "radiogroup"),
}
"""What may be counted or be said not to be there, in the singular, and the ARIA roles meant."""

NUMBERS: Mapping[str, int] = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}


def plural(word: str) -> str:
    """The plural of a word of `KINDS`."""
    return f"{word}es" if word.endswith(("x", "ch")) else f"{word}s"


@cache
def counted() -> Sequence[tuple[str, str]]:
    """Each word in the singular and plural, the longest first, with its singular."""
    words = [(form, word) for word in KINDS for form in (word, plural(word))]
    return sorted(words, key=lambda pair: -len(pair[0]))
