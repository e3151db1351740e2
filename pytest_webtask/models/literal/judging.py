"""Claims → checks on the live page, asked until they hold or the time is over."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from playwright.sync_api import Error as PlaywrightError

from pytest_webtask.errors import PageError
from pytest_webtask.models.literal import showing, standing
from pytest_webtask.models.literal.asking import Asker
from pytest_webtask.models.literal.clauses import Clause
from pytest_webtask.models.literal.finding import Finding
from pytest_webtask.models.literal.resolve import POLL, SETTLED, Unresolved, loads
from pytest_webtask.records import Turn

__all__ = ["judge"]

_LOADING = 1.0
"""Seconds for which a page that waits for an answer may still show what is said not to be there."""

JUDGES: Mapping[str, Callable[[Asker, Clause], Finding]] = {
    "shown": showing.shown,
    "page": showing.page,
    "gone": showing.gone,
    "not_on_page": showing.not_on_page,
    "shows": showing.shows,
    "lacks": showing.lacks,
    "value": standing.value,
    "state": standing.state,
    "count": standing.count,
    "url": standing.url,
    "title": standing.title,
}
"""By the names of the forms."""


def judge(turn: Turn, clauses: Sequence[Clause]) -> tuple[str, str, list[Any], dict[str, Any]]:
    """Return the outcome, the reason, and the evidence with its locators.

    Raises Unresolved where it cannot be told, PageError where the page has gone.
    """
    started = time.monotonic()
    deadline = started + turn.left(turn.timeout)
    settle = SETTLED if turn.timeout else 0.0
    before: list[Any] = []
    since = started
    while True:
        final = time.monotonic() >= deadline
        asker = Asker(turn, deadline, final)
        trouble: PlaywrightError | None = None
        findings: list[Finding] = []
        try:
            findings = [_judged(asker, clause) for clause in clauses]
            now = time.monotonic()
            if all(finding.holds for finding in findings):
                said = [finding.evidence for finding in findings]
                if said != before:
                    before, since = said, now
                if _is_steady(turn, findings, now - since, now - started, settle):
                    break
            else:
                before = []
                if final:
                    break
        except PlaywrightError as error:
            # The page navigated under the look, or it is gone.
            trouble = error
        if trouble and final:
            raise PageError(f"the page cannot be looked at: {trouble.message}") from trouble
        try:
            turn.page.wait_for_timeout(POLL * 1000)
        except PlaywrightError as error:
            raise PageError(f"the page is gone: {error.message}") from error
    return _concluded(asker, clauses, findings)


def _judged(asker: Asker, clause: Clause) -> Finding:
    try:
        return JUDGES[clause.tool](asker, clause)
    except Unresolved as error:
        return Finding(None, str(error))


def _is_steady(
    turn: Turn, findings: Sequence[Finding], same: float, waited: float, settle: float
) -> bool:
    """Whether what holds is no passing moment of a page that is still being built."""
    if not any(finding.passing for finding in findings):
        return True
    if same < settle:
        return False
    ready = turn.page.evaluate("document.readyState") == "complete" and not loads(turn.page)
    return ready or waited >= min(_LOADING, turn.timeout)


def _concluded(
    asker: Asker, clauses: Sequence[Clause], findings: Sequence[Finding]
) -> tuple[str, str, list[Any], dict[str, Any]]:
    outcome = "holds"
    told = findings
    if wrong := [finding for finding in findings if finding.holds is False]:
        outcome, told = "does_not_hold", wrong
    elif lost := [finding for finding in findings if finding.holds is None]:
        outcome, told = "cannot_tell", lost
    several = len(clauses) > 1
    reasons = [
        f"{clause.words}: {finding.reason}" if several else finding.reason
        for clause, finding in zip(clauses, findings, strict=True)
        if finding in told
    ]
    reason = "\n".join(reasons)
    if outcome == "cannot_tell":
        raise Unresolved(reason)
    evidence: list[Any] = []
    for finding in told:
        evidence += [check for check in finding.evidence if check not in evidence]
    return outcome, reason, evidence, asker.locators
