"""Soft failures: a test goes on and fails at its end, with all of them, wherever they came from."""

from __future__ import annotations

import re

import pytest

from tests import nested
from tests.inner import CONFTEST
from tests.nested import printed

HEAD = """
import pytest
from playwright.sync_api import expect
from pytest_webtask import Undecided
from tests.scripted import verdict

def wrong(text):
    check = {"kind": "text", "element_id": "heading:Cart", "text": "Cart"}
    return verdict("does_not_hold", check, reason=f"it says Cart, not {text}")

RIGHT = verdict("holds", {"kind": "text", "element_id": "heading:Cart", "text": "Cart"})
UNTOLD = verdict("cannot_tell", reason="the page is blank")

@pytest.fixture
def shown(page):
    page.set_content("<h1>Cart</h1>")
"""

TESTS = (
    HEAD
    + """
def test_two(webtask, model, shown):
    model.answers = [wrong("Alpha"), wrong("Beta"), RIGHT]
    first = webtask.verify("the heading is Alpha", timeout=0, soft=True)  # line of test_two
    assert first.outcome.value == "failed"
    webtask.verify("the heading is Beta", timeout=0, soft=True)
    assert webtask.verify("Cart is shown", soft=True).outcome.value == "passed"
    assert [v.outcome.value for v in webtask.state.verdicts] == ["failed", "failed", "passed"]
    print("WENT ON")

def test_one(webtask, model, shown):
    model.answers = [wrong("Gamma")]
    webtask.verify("the heading is Gamma", timeout=0, soft=True)  # line of test_one

def test_none(webtask, model, shown):
    model.answers = [RIGHT]
    webtask.verify("Cart is shown", timeout=0, soft=True)

def test_hard(webtask, model, shown):
    model.answers = [wrong("Delta"), wrong("Epsilon")]
    webtask.verify("the heading is Delta", timeout=0, soft=True)
    webtask.verify("the heading is Epsilon", timeout=0)

def test_other_hard(webtask, model, shown):
    model.answers = [wrong("Zeta")]
    webtask.verify("the heading is Zeta", timeout=0, soft=True)
    assert 1 == 2, "plainly wrong"

def test_undecided(webtask, model, shown):
    model.answers = [UNTOLD]
    assert webtask.verify("the heading is Eta", timeout=0, soft=True).outcome.value == "undecided"
    print("WENT ON UNDECIDED")

def test_expect(webtask, model, shown, page):
    model.answers = [wrong("Theta")]
    webtask.verify("the heading is Theta", timeout=0, soft=True)
    expect.soft(page.get_by_role("heading")).to_have_text("Iota", timeout=50)
    print("WENT ON WITH EXPECT")

def test_after(webtask, model, shown):
    model.answers = [RIGHT]
    webtask.verify("Cart is shown", timeout=0)

def test_usage(webtask, model, shown):
    webtask.verify("the heading is {nobody}", timeout=0, soft=True)
"""
)


UNSCOPED = """
@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item):
    from playwright._impl import _assertions
    kept, _assertions._soft_errors = _assertions._soft_errors, None
    try:
        return (yield)
    finally:
        _assertions._soft_errors = kept
"""
"""pytest-playwright may have no soft assertions."""


@pytest.fixture(scope="module", params=["", UNSCOPED], ids=["scoped", "unscoped"])
def reports(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str]:
    """What one run of all of them says of each that failed, by its name; "" is all of it."""
    root = tmp_path_factory.mktemp("soft")
    (root / "conftest.py").write_text(CONFTEST + request.param)
    (root / "test_it.py").write_text(TESTS)
    chosen = ["-k", "not expect"] if request.param else []
    result = nested.run(root, "-vv", "-rA", "--tb=short", *chosen)
    return {**blocks(str(result.stdout)), "": printed(result)}


def blocks(text: str) -> dict[str, str]:
    """The report of each test that failed, by its name."""
    found: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        if re.match(r"_{4,} .*test_\w+", line):
            name = re.findall(r"test_\w+", line)[0]
            found.setdefault(name, "")
        elif re.match(r"={4,} \S+", line):
            name = ""
        elif name:
            found[name] += f"{line}\n"
    return found


def outcome(reports: dict[str, str], name: str) -> str:
    """How an inner test ended."""
    [word] = set(re.findall(rf"::{name}\S* (PASSED|FAILED|ERROR)", reports[""]))
    return str(word)


def test_continues_after_a_soft_failure(reports: dict[str, str]) -> None:
    """The lines after a soft failure run, each verdict is returned, and the test fails at its end."""
    assert outcome(reports, "test_two") == "FAILED"
    assert "WENT ON" in reports[""]


def test_two_soft_failures_are_reported_together(reports: dict[str, str]) -> None:
    """The report holds claim and reason of both failures."""
    for text in ("Alpha", "Beta"):
        assert f'"the heading is {text}" does not hold' in reports["test_two"]
        assert f"it says Cart, not {text}" in reports["test_two"]
    assert '"Cart is shown" does' not in reports["test_two"]


def test_single_soft_failure_is_reported_like_a_hard_one(reports: dict[str, str]) -> None:
    """One failure is no group; it points to the user's line and shows no frame of the plugin."""
    report = reports["test_one"]
    assert outcome(reports, "test_one") == "FAILED"
    assert "timeout=0, soft=True)  # line of test_one" in report
    assert "VerificationFailed" in report
    assert "Group" not in report
    assert "pytest_webtask/" not in report


def test_soft_claim_that_holds_passes(reports: dict[str, str]) -> None:
    """A test whose soft claims hold passes, and so does the one after a failed test."""
    assert outcome(reports, "test_none") == "PASSED"
    assert outcome(reports, "test_after") == "PASSED"


@pytest.mark.parametrize(
    ("name", "soft", "hard"),
    [
        ("test_hard", "the heading is Delta", "the heading is Epsilon"),
        ("test_other_hard", "the heading is Zeta", "plainly wrong"),
    ],
)
def test_hard_failure_does_not_hide_a_soft_one(
    reports: dict[str, str], name: str, soft: str, hard: str
) -> None:
    """The error that ended the test is reported together with the soft failures before it."""
    assert outcome(reports, name) == "FAILED"
    assert soft in reports[name]
    assert hard in reports[name]


def test_undecided_soft_claim_fails_the_test_at_its_end(reports: dict[str, str]) -> None:
    """The test continues and fails; the report says that the claim was undecided."""
    assert outcome(reports, "test_undecided") == "FAILED"
    assert "WENT ON UNDECIDED" in reports[""]
    assert '"the heading is Eta" could not be decided' in reports["test_undecided"]
    assert "Undecided" in reports["test_undecided"]


def test_soft_failures_are_reported_with_those_of_playwright(reports: dict[str, str]) -> None:
    """Playwright's own soft assertions and the plugin's are reported together."""
    if "test_expect" not in reports:
        pytest.skip("expect.soft needs Playwright's scope")
    assert outcome(reports, "test_expect") == "FAILED"
    assert "WENT ON WITH EXPECT" in reports[""]
    assert "the heading is Theta" in reports["test_expect"]
    assert "Iota" in reports["test_expect"]


def test_usage_error_is_never_soft(reports: dict[str, str]) -> None:
    """A usage error ends the test at once."""
    assert outcome(reports, "test_usage") == "FAILED"
    assert "UnknownName" in reports["test_usage"]


FIXTURES = (
    HEAD
    + """
@pytest.fixture
def early(webtask, model, shown):
    model.answers = [wrong("Alpha")]
    webtask.verify("the heading is Alpha", timeout=0, soft=True)
    print("SET UP")

def test_setup(early):
    print("CALLED AFTER SETUP")

def test_setup_twice(early, webtask, model):
    model.answers = [wrong("Beta")]
    webtask.verify("the heading is Beta", timeout=0, soft=True)

def test_setup_and_hard(early):
    assert 1 == 2, "plainly wrong"

@pytest.fixture
def broken(early):
    raise RuntimeError("set-up broke")

def test_broken(broken):
    pass

@pytest.fixture
def late(webtask, model, shown):
    webtask.page
    yield
    model.answers = [wrong("Gamma")]
    webtask.verify("the heading is Gamma", timeout=0, soft=True)
    print("TORN DOWN")

def test_teardown(late):
    pass

@pytest.fixture
def latest(webtask, model, shown):
    yield
    model.answers = [wrong("Eta")]
    webtask.verify("the heading is Eta", timeout=0, soft=True)

def test_first_used_in_teardown(latest):
    pass

def test_clean(webtask, model, shown):
    model.answers = [RIGHT]
    webtask.verify("Cart is shown")
"""
)


def test_soft_failures_in_fixtures(pytester: pytest.Pytester) -> None:
    """Soft failures of a set-up fail the test at its end; those of a teardown are an error."""
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(FIXTURES)
    result = pytester.runpytest("-vv", "-rA", "--tb=short")
    text = printed(result)
    reports = blocks(str(result.stdout))
    assert outcome({"": text}, "test_setup") == "FAILED"
    assert "CALLED AFTER SETUP" in text
    assert "the heading is Alpha" in reports["test_setup"]
    assert "pytest_webtask/" not in reports["test_setup"]
    for each in ("the heading is Alpha", "the heading is Beta"):
        assert each in reports["test_setup_twice"]
    for each in ("the heading is Alpha", "plainly wrong"):
        assert each in reports["test_setup_and_hard"]
    for each in ("the heading is Alpha", "set-up broke"):
        assert each in reports["test_broken"]
    assert "TORN DOWN" in text
    assert '"the heading is Gamma" does not hold' in reports["test_teardown"]
    assert '"the heading is Eta" does not hold' in reports["test_first_used_in_teardown"]
    assert outcome({"": text}, "test_clean") == "PASSED"
