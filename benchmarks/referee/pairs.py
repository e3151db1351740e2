"""Conclusions about the pages in `scenes`, each with checks that hold there, and whether they prove it.

They are in `pairs.json`, by scene, with the address under which it is served (some mislead) and the earlier
steps of a test that has come to it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from pytest_webtask.types.agent import EarlierStep

Check = dict[str, Any]
"""A check by its `kind`, with the element as a CSS selector; the README lists them."""


@dataclass(frozen=True)
class Pair:
    """A conclusion and the checks that are cited for it.

    `true` says whether the conclusion is right and its checks prove it. All checks hold on the page, in
    deceiving pairs too. `trick` says how a pair deceives, or why an honest one is tempting to refuse.
    `value` is the answer of an extraction, `css` the selected element, `actions` the calls of a task.
    """

    kind: Literal["claim", "value", "element", "task"]
    sentence: str
    checks: list[Check]
    true: bool
    trick: str = ""
    outcome: Literal["holds", "does_not_hold"] = "holds"
    value: str | list[str] | None = None
    css: str | None = None
    actions: list[str] = field(default_factory=list)
    id: str = ""
    scene: str = ""

    @property
    def tempting(self) -> bool:
        """Whether the pair is honest and a pedantic judge may refuse it."""
        return self.true and bool(self.trick)


_SCENES = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))

ADDRESSES: dict[str, str] = {name: scene["address"] for name, scene in _SCENES.items()}
"""The path and query under which each scene is served."""

EARLIER: dict[str, tuple[EarlierStep, ...]] = {
    name: TypeAdapter(tuple[EarlierStep, ...]).validate_python(scene.get("earlier", ()))
    for name, scene in _SCENES.items()
}
"""The earlier steps of a test that has come to a scene."""

PAIRS = [
    Pair(**each, id=f"{name}-{number:02}", scene=name)
    for name, scene in _SCENES.items()
    for number, each in enumerate(scene["pairs"], 1)
]
"""All pairs, in the order of their scenes."""
