"""Calls to `match.js`, which finds elements by name, and the ranks of what it finds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Any

from playwright.sync_api import Frame

from pytest_webtask.data.text import decorated, squashed, whole_words
from pytest_webtask.page import dom
from pytest_webtask.page.activity import activity_of


class Rank(IntEnum):
    """The quality of a name match, best first.

    DECORATED is the name with signs, a count or a badge around it, PART a longer name with its words.
    """

    EXACT = 0
    CASELESS = 1
    DECORATED = 2
    PART = 3


def run_match(frame: Frame, function: str, **given: Any) -> Any:
    """Call a function of `match.js` with what it is given."""
    along = None if frame.parent_frame else activity_of(frame.page)
    return dom.call(frame, function, given, engine=dom.MATCH, along=along)


def best_of(
    answers: Sequence[tuple[Frame, Mapping[str, Any]]], key: str, most: Rank = Rank.PART
) -> list[tuple[Frame, Any]]:
    """Return what the areas with the best rank, `most` at most, have found, each with its frame."""
    ranks = [each["rank"] for _, each in answers if each[key]]
    best = min([*ranks, most])
    return [
        (frame, found) for frame, each in answers if each["rank"] == best for found in each[key]
    ]


def name_patterns(name: str) -> dict[str, Any]:
    """Return a name as `match.js` compares it: the text, and a pattern for each rank; two for DECORATED."""
    patterns = (
        whole_words(name, whole=True, anycase=True).pattern,
        decorated(name),
        decorated(name, badge=True),
        whole_words(name, anycase=True).pattern,
    )
    return {"text": squashed(name), "patterns": patterns}


def frame_code(frame: Frame) -> str:
    """Return the prefix of a locator's code in this frame, "" in the page itself."""
    if not frame.parent_frame:
        return ""
    return f"frame(name={frame.name!r})." if frame.name else f"frame(url={frame.url!r})."
