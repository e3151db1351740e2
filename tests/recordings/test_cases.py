"""Another case of a parametrized test: a referee is asked once about what differs with its data."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_webtask.journal import HealProposed
from pytest_webtask.recordings.replay import fingerprints, is_other_case
from tests.inner import Project, project

PAGE = """<h1>Cart</h1><ul><li>{n} × {product}</li></ul><p role=status>Total: €{total}</p>
<p role=note>It is made of {what} by hand</p>"""
PLAYS = """
"the cart has {n} × {product}": [
    holds(text("listitem:", "{n} × {product}"), text("status:", "Total: €9.00"))],
"{product} is described": [
    holds(text("listitem:", "{product}"), text("note:", "It is made of clay by hand"))],
"case: the cart has {n} × {product}": [rule(proves=False, missing="why the total is another")],
"""
TESTS = """
import json, pytest

@pytest.fixture
def webtask_data():
    return json.load(open("data.json"))

def test_total(webtask):
    webtask.goto("/")
    webtask.verify("the cart has {n} × {product}")

def test_described(webtask):
    webtask.goto("/")
    webtask.verify("{product} is described")
"""
MUG = {"n": "1", "product": "Mug", "total": "9.00", "what": "clay"}


def show(inner: Project, **shown: str) -> None:
    """Show a cart, and give the tests its data."""
    case = {**MUG, **shown}
    inner.site.pages["/"] = PAGE.format(**case)
    inner.write("data.json", f'{{"n": "{case["n"]}", "product": "{case["product"]}"}}')


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project that was recorded for a mug."""
    with project(tmp_path_factory.mktemp("cases"), PLAYS, TESTS) as inner:
        show(inner)
        inner.passes()
        yield inner


def test_wrong_total_of_another_case_fails(recorded: Project) -> None:
    """The referee gets the recorded and the current text and refuses the wrong total."""
    show(recorded, n="3", product="Cup", total="99.00")
    run = recorded.run("-k", "total")
    assert run.tests["test_total"].outcome == "failed", run.printed
    assert "€99.00" in run.tests["test_total"].message
    [conclusion] = run.ruled
    assert conclusion["kind"] == "case"
    item, total = conclusion["facts"]
    assert item["text"] == "{n} × {product}" and total["element"] == "status"
    assert (total["recorded"], total["now"]) == ("Total: €9.00", "Total: €99.00")
    assert not run.events(HealProposed)
    # With the same data only a number may differ.
    show(recorded, total="99.00")
    [conclusion] = recorded.run("-k", "total").ruled
    assert conclusion["kind"] == "pattern"
    assert conclusion["facts"][1]["changes"] == r"later runs accept what fits Total:\s+€\d+\.\d+"


def test_text_that_differs_with_the_data_becomes_a_pattern(recorded: Project) -> None:
    """A referee is asked, not in replay mode; once accepted, the pattern passes for both cases alone."""
    show(recorded, product="Cup", what="glass")
    run = recorded.run("--webtask-mode=replay", "-k", "described")
    assert run.tests["test_described"].outcome == "failed" and not run.ruled, run.printed
    run = recorded.run("-k", "described")
    assert run.tests["test_described"].outcome == "passed", run.printed
    assert [each["kind"] for each in run.ruled] == ["case"]
    [proposal] = run.events(HealProposed)
    assert proposal.trace is not None
    assert [each.kind for each in proposal.trace.evidence] == ["text", "matches"]
    assert run.folder is not None
    recorded.accept(run.folder.name)
    for shown, outcome in (
        ({}, "passed"),
        ({"product": "Cup", "what": "tin"}, "passed"),
        ({"product": "Jug", "what": "tin by machine, not"}, "failed"),
    ):
        show(recorded, **shown)
        run = recorded.run("--webtask-mode=replay", "-k", "described")
        assert run.tests["test_described"].outcome == outcome, run.printed
    recorded.site.pages["/"] = str(recorded.site.pages["/"]).replace("by hand", "somewhere")
    run = recorded.run("--webtask-mode=replay", "-k", "described")
    assert run.tests["test_described"].outcome == "failed"


def test_other_case_depends_only_on_names_in_both() -> None:
    """A name that only one of the cases has does not make it another case."""
    recorded = fingerprints({"n": "1", "product": "Mug"})
    assert not is_other_case(recorded, {"n": "1", "user": "Ann"})
    assert is_other_case(recorded, {"n": "1", "product": "Cup"})
    assert not is_other_case({}, {"n": "2"})
