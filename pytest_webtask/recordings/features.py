"""Scenarios of feature files, whose steps have recordings as the steps of functions have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pytest_webtask.data.phrases import folded
from pytest_webtask.errors import UsageError
from pytest_webtask.types.step import CallSite

SUFFIX = ".feature"
BACKGROUND = "Background"
"""The name under which the steps of a background are recorded, once for all scenarios."""
_LONGEST_NAME = 100


@dataclass(frozen=True)
class Scenario:
    """The sentences of a scenario; those of an outline have values that only its examples know."""

    sentences: frozenset[str]
    is_outline: bool


def call_site(feature: Path, scenario: str) -> CallSite:
    """Return the call site of the sentences of a scenario, which are in no function."""
    return CallSite(feature, _as_name(scenario))


def scenarios_of(feature: Path) -> dict[str, Scenario]:
    """Return the scenarios of a file by the names of their recordings, its background included.

    Raises UsageError if it cannot be read.
    """
    try:
        from gherkin.errors import ParserError
        from gherkin.parser import Parser
    except ImportError:
        raise UsageError(
            f'{feature} cannot be read without pytest-bdd: pip install "pytest-webtask[bdd]"'
        ) from None
    try:
        document: Any = Parser().parse(feature.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ParserError) as error:
        raise UsageError(f"{feature} cannot be read: {error}; correct the file") from None
    scenarios: dict[str, Scenario] = {}
    for kind, node in _nodes(document["feature"] or {}):
        name = BACKGROUND if kind == "background" else _as_name(node["name"])
        sentences = frozenset(folded(step["text"]) for step in node["steps"])
        before = scenarios.get(name, Scenario(frozenset(), False))
        is_outline = before.is_outline or bool(node.get("examples"))
        scenarios[name] = Scenario(before.sentences | sentences, is_outline)
    # The steps of a rule's background are recorded with each of its scenarios.
    background = scenarios.get(BACKGROUND, Scenario(frozenset(), False)).sentences
    return {
        name: Scenario(each.sentences | background, each.is_outline)
        for name, each in scenarios.items()
    }


def _nodes(parent: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the backgrounds and scenarios below a feature or a rule."""
    for child in parent.get("children", ()):
        for kind, node in child.items():
            if kind == "rule":
                yield from _nodes(node)
            else:
                yield kind, node


def _as_name(scenario: str) -> str:
    """Return the name of a scenario as a recording's file may have it."""
    return re.sub(r"\W+", "_", scenario).strip("_")[:_LONGEST_NAME] or "scenario"
