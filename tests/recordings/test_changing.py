"""Values that change by themselves: a referee is asked once whether they do, and never in replay mode."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_webtask.journal import HealProposed
from tests.inner import Project, project

PAGE = """<h1>Orders</h1><button onclick="out.innerHTML =
  '<div>Order {number} was placed</div><div>Thank you</div>'">Order</button>
<div role=status id=out></div>"""
PLAYS = """
"order it": [act("click", "button:Order"), done(text("status:Order", "Order 48213 was placed"))],
"order it twice": [act("click", "button:Order"), done(text("status:Order", "Order 48213 was placed"))],
"pattern: order it twice": [rule(proves=False)],
"""
TESTS = """
import pytest

@pytest.fixture(autouse=True)
def _open(webtask):
    webtask.goto("/")

def test_by_itself(webtask):
    webtask.do("order it")

def test_a_fault(webtask):
    webtask.do("order it twice")
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project whose order was number 48213 when it was recorded, and is 48214 now."""
    with project(tmp_path_factory.mktemp("changing"), PLAYS, TESTS) as inner:
        inner.site.pages["/"] = PAGE.format(number="48213")
        inner.passes()
        inner.site.pages["/"] = PAGE.format(number="48214")
        yield inner


def test_changed_number_fails_in_replay_mode_without_a_model(recorded: Project) -> None:
    """A changed number fails in replay mode without a model call."""
    run = recorded.run("--webtask-mode=replay", "--webtask-heal=pass")
    assert set(run.outcomes.values()) == {"failed"}
    message = run.tests["test_by_itself"].message
    assert "if it differs in every run, a referee can allow that: pytest" in message
    assert not run.asked and not run.events(HealProposed)
    assert "Order 48213 was placed" in message and "Order 48214 was placed" in message


def test_change_that_a_referee_approves_is_a_heal(recorded: Project) -> None:
    """It passes and is proposed, a refused one fails; once accepted, it is a pattern that needs no model."""
    auto = recorded.run()
    assert auto.tests["test_by_itself"].outcome == "passed", auto.printed
    assert "order it" not in auto.tasks
    [proposal] = auto.events(HealProposed, "test_by_itself")
    assert proposal.trace is not None
    [evidence] = proposal.trace.evidence
    assert evidence.expects["line"] == r"Order\s+\d+\s+was\s+placed"
    assert "webtask_heal" in auto.tests["test_by_itself"].properties
    assert auto.changed == []
    refused = auto.tests["test_a_fault"]
    assert refused.outcome == "failed"
    assert "48213" in refused.message and "48214" in refused.message
    assert sorted(r["sentence"] for r in auto.ruled) == ["order it", "order it twice"]

    assert auto.folder is not None
    recorded.accept(auto.folder.name)
    accepted = PAGE.format(number="60001")
    for page, outcome in ((accepted, "passed"), (accepted.replace("placed", "lost"), "failed")):
        recorded.site.pages["/"] = page
        run = recorded.run("--webtask-mode=replay", "-k", "by_itself")
        assert run.outcomes == {"test_by_itself": outcome}, run.printed
