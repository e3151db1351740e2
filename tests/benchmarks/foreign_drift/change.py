"""What a change of a page is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Side = Literal["harmless", "bug", "decoy"]


@dataclass(frozen=True)
class Change:
    """A change of the page that one test visits.

    `sort` is the kind of change by which the README says its side. `edit` is the body of a function
    that calls the helpers of `engine.js`. A `slow` change is run with the default timeout.
    """

    side: Side
    sort: str
    test: str
    name: str
    edit: str
    slow: bool = False

    @property
    def label(self) -> str:
        """Its side, sort, test and name in a line."""
        return f"{self.side}, {self.sort}: {self.test}: {self.name}"
