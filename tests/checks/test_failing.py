"""How a claim that does not pass looks in pytest's output."""

from __future__ import annotations

import re

import pytest

from tests.inner import CONFTEST
from tests.nested import printed

TESTS = """
import pytest
from tests.scripted import verdict

THREE = verdict(
    "does_not_hold",
    {"kind": "text", "element_id": "cell:2", "text": "2"},
    {"kind": "text", "element_id": "heading:Your cart", "text": "Your cart"},
    reason="there are 2 of them",
)
EMPTY = verdict("holds", reason="it looks so")

@pytest.fixture
def cart(page):
    page.set_content("<h1>Your cart</h1><table><tr><th>Item<th>Quantity<tr><td>Mug<td>2</table>")

def helper(webtask):
    webtask.verify("the quantity of Mug is 3", timeout=0)  # in a helper

def test_failed(webtask, model, cart):
    model.answers = [THREE]
    webtask.verify("the quantity of Mug is 3", timeout=0)  # line of test_failed

def test_helper(webtask, model, cart):
    model.answers = [THREE]
    helper(webtask)  # line of test_helper

def test_undecided(webtask, model, cart):
    model.answers = [EMPTY] * 3
    webtask.verify("the quantity of Mug is 3", timeout=0)  # line of test_undecided

def test_holds(webtask, model, cart):
    model.answers = [THREE, *[EMPTY] * 3]
    assert webtask.holds("the quantity of Mug is 3", timeout=0) is False
    webtask.holds("the quantity of Mug is 3", timeout=0)  # line of test_holds

def test_extract(webtask, model, cart):
    from tests.scripted import call
    model.answers = [call("report_nothing")]
    webtask.extract("the voucher", timeout=0)  # line of test_extract

def test_usage(webtask, model, cart):
    webtask.verify("", timeout=0)  # line of test_usage

def test_schema(webtask, model, cart):
    webtask.extract("the day", pytest, timeout=0)  # line of test_schema
"""
NAMES = ("failed", "helper", "undecided", "holds", "extract", "usage", "schema")


@pytest.mark.parametrize("style", ["long", "short"])
def test_failure_is_shown_at_the_users_line(pytester: pytest.Pytester, style: str) -> None:
    """No frame of the plugin is shown, the message once, and no line over 120 columns."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(TESTS)
    result = pytester.runpytest(f"--tb={style}", "-p", "no:cacheprovider")
    text = printed(result)
    result.assert_outcomes(failed=len(NAMES))
    for name in NAMES:
        assert f"# line of test_{name}" in text
    shown = text.partition("short test summary")[0]
    assert "pytest_webtask/" not in re.sub(r"journal: .*", "", shown)
    assert "During handling" not in shown
    assert "direct cause" not in shown
    plain = [re.sub(r"^E\s+", "", line) for line in shown.splitlines()]
    assert "there are 2 of them" in plain
    assert (
        '  - cell shows "2" in column "Quantity" in row "Mug" in table under "Your cart"' in shown
    )
    assert '  - heading shows "Your cart"' in shown
    assert shown.count('"the quantity of Mug is 3" does not hold') == 2
    assert shown.count('"the quantity of Mug is 3" could not be decided') == 2
    assert 'a model concluded "it looks so", but its evidence was rejected 3 times:' in shown
    rows = [line for line in shown.splitlines() if line.startswith("E ") and "pydantic" not in line]
    assert max(map(len, rows)) <= 120
