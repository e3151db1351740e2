"""The changes of the pages, which `changes.json` lists by side and sort."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

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


_LISTED = json.loads(Path(__file__).with_name("changes.json").read_text("utf-8"))

CHANGES: dict[Side, list[Change]] = {
    side: [
        Change(side, sort, **each) for sort, changes in _LISTED[side].items() for each in changes
    ]
    for side in get_args(Side)
}
"""All changes by side: what a tester wouldn't report, what one would, and elements that were exchanged."""
