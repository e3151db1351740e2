"""Evidence that cites an earlier step, in replays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recordings.inner import Project, project

PLAYS = """
    "place the order": [
        act("click", "button:Pay"), done(text("heading:Order", "Order 104711")),
    ],
    "it is the order that was placed before": [
        holds(
            {"kind": "earlier_step", "step": 2, "text": "Order 104711"},
            text("heading:Last", "Last order: 104711"),
        ),
    ],
"""
TEST = """
def test_order(webtask):
    webtask.goto("/")
    webtask.do("place the order")
    webtask.goto("/orders")
    webtask.verify("it is the order that was placed before")
"""
PLACED = "<title>Shop</title><h1>Order {}</h1><button onclick='this.remove()'>Pay</button>"
LAST = "<title>Orders</title><h1>Last order: {}</h1>"


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[Project]:
    """A project with a recording of both steps."""
    with project(tmp_path, PLAYS, TEST) as inner:
        inner.site.pages |= {"/": PLACED.format(104711), "/orders": LAST.format(104711)}
        run = inner.run()
        assert run.outcomes == {"test_order": "passed"}, run.printed
        yield inner


def test_cited_step_is_found_by_its_sentence(recorded: Project) -> None:
    """A replay asks no model, even if the step has another number by now."""
    test = recorded.root / "test_it.py"
    test.write_text(test.read_text().replace('goto("/")', 'goto("/orders"); webtask.goto("/")'))
    run = recorded.run(ci="true")
    assert run.outcomes == {"test_order": "passed"} and not run.asked, run.printed


@pytest.mark.parametrize(("placed", "last"), [(104712, 104711), (104711, 104712), (104712, 104712)])
def test_replay_with_another_number_fails(recorded: Project, placed: int, last: int) -> None:
    """The claim passes only for the number that was judged, in both the cited step and the page."""
    recorded.site.pages |= {"/": PLACED.format(placed), "/orders": LAST.format(last)}
    run = recorded.run(ci="true")
    assert run.outcomes == {"test_order": "failed"}, run.printed
