"""What came of looking whether one claim holds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pytest_webtask.checks.similar import similar_texts
from pytest_webtask.records import CheckResult

__all__ = ["Finding", "from_checks", "with_similar"]

_LONGEST = 200


@dataclass(frozen=True)
class Finding:
    """Whether a claim holds, None where that cannot be told; why, and on what evidence.

    `passing` says that a page which is still being built may show it for a moment.
    """

    holds: bool | None
    reason: str
    evidence: Sequence[Mapping[str, Any]] = ()
    passing: bool = False


def from_checks(
    evidence: Sequence[Mapping[str, Any]],
    checks: Sequence[CheckResult],
    reason: str,
    *,
    passing: bool = False,
) -> Finding:
    """What checks say of a claim that holds if all of them do."""
    for checked in checks:
        if checked.problem:
            return Finding(None, checked.problem, evidence, passing)
    wrong = [checked for checked in checks if not checked.holds]
    if not wrong:
        return Finding(True, reason, evidence, passing)
    told = [
        f"{c.about}: expected {c.expected}, but there is {c.actual or 'nothing'}" for c in wrong
    ]
    return Finding(False, "; ".join(told), evidence, passing)


def with_similar(finding: Finding, absent: str, lines: Sequence[str]) -> Finding:
    """Name the similar texts on the page in the reason of an absence that holds."""
    similar = similar_texts(absent, lines) if finding.holds else []
    if not similar:
        return finding
    quoted = ", ".join(json.dumps(text[:_LONGEST], ensure_ascii=False) for text in similar)
    return replace(finding, reason=f"{finding.reason}\nWarning: similar is shown: {quoted}")
