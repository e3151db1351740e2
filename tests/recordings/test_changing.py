"""Values that change by themselves: a referee is asked once whether they do, and never in replay mode."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_webtask.journal import HealProposed
from tests.inner import Project, Run, project

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


@pytest.fixture(scope="module")
def auto(recorded: Project) -> Run:
    """The next run, in which a model may be asked."""
    return recorded.run()


def test_changed_number_fails_in_replay_mode_without_a_model(recorded: Project) -> None:
    """A changed number fails in replay mode without a model call."""
    run = recorded.run("--webtask-mode=replay", "--webtask-heal=pass")
    assert set(run.outcomes.values()) == {"failed"}
    message = run.tests["test_by_itself"].message
    assert "if it differs in every run, a referee can allow that: pytest" in message
    assert not run.asked and not run.events(HealProposed)
    assert "Order 48213 was placed" in run.tests["test_by_itself"].message
    assert "Order 48214 was placed" in run.tests["test_by_itself"].message


def test_approved_change_is_proposed_as_a_heal(auto: Run) -> None:
    """After one approving ruling the test passes as healed, and the file stays unchanged."""
    assert auto.tests["test_by_itself"].outcome == "passed", auto.printed
    assert [r["sentence"] for r in auto.ruled].count("order it") == 1
    assert "order it" not in auto.tasks
    [proposal] = auto.events(HealProposed, "test_by_itself")
    assert proposal.trace is not None
    [evidence] = proposal.trace.evidence
    assert evidence.expects["line"] == r"Order\s+\d+\s+was\s+placed"
    assert "webtask_heal" in auto.tests["test_by_itself"].properties
    assert auto.changed == []


def test_refused_change_fails(auto: Run) -> None:
    """A change that the referee refuses fails with the expected and the actual text."""
    case = auto.tests["test_a_fault"]
    assert case.outcome == "failed"
    assert [r["sentence"] for r in auto.ruled].count("order it twice") == 1
    assert "48213" in case.message and "48214" in case.message


def test_accepted_number_is_a_pattern(recorded: Project, auto: Run) -> None:
    """After `pytest-webtask accept` any number passes without a model; another text does not."""
    assert auto.folder is not None
    recorded.accept(auto.folder.name)
    recorded.site.pages["/"] = PAGE.format(number="60001")
    run = recorded.run("--webtask-mode=replay", "-k", "by_itself")
    assert run.outcomes == {"test_by_itself": "passed"}, run.printed
    recorded.site.pages["/"] = PAGE.format(number="60001").replace("placed", "lost")
    run = recorded.run("--webtask-mode=replay", "-k", "by_itself")
    assert run.outcomes == {"test_by_itself": "failed"}
