"""What a verifier says: the evidence as a model gives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_webtask.records import ProposedToolCall


@dataclass(frozen=True)
class Said:
    """One answer: the evidence as a model gives it, with what belongs to it."""

    evidence: Sequence[Mapping[str, Any]] = ()
    readings: Mapping[str, str] = field(default_factory=dict)
    locators: Mapping[str, Any] = field(default_factory=dict)
    outcome: str = "holds"
    first: Sequence[ProposedToolCall] = ()

    def calls(self) -> list[ProposedToolCall]:
        """The calls that give it."""
        given = [{"word": word, "text": text} for word, text in self.readings.items()]
        verdict = {
            "outcome": self.outcome,
            "reason": "it is so",
            "evidence": list(self.evidence),
            "readings": given,
        }
        return [
            *self.first,
            ProposedToolCall("report_verdict", verdict, "told", dict(self.locators)),
        ]
