"""Whether evidence for the effect of a step was there before it."""

from __future__ import annotations

import re

from pytest_webtask.checks.answers import Answer
from pytest_webtask.checks.claims import read
from pytest_webtask.checks.kinds import Count, Order
from pytest_webtask.checks.wording import says

__all__ = ["held_before", "tells_an_effect"]


def tells_an_effect(claim: str) -> bool:
    """Whether a claim speaks of something that was done."""
    return any(clause.effect for clause in read(claim, {}))


def held_before(answer: Answer, outline: str, url: str) -> bool:
    """Whether a check would have held on a page as it was, as far as its outline tells."""
    check = answer.check
    if check.kind == "url":
        return url == answer.checked.actual
    if check.kind in ("text", "value", "title"):
        return all(says(outline, text) for text in answer.expects if text)
    if check.kind == "absent":
        return not says(outline, check.text or check.name or "", anycase=True)
    if isinstance(check, (Count, Order)):
        there = all(re.search(rf"[\[<]{re.escape(i)}\b", outline) for i in check.element_ids)
        return there and all(says(outline, text) for text in answer.expects)
    return False
