"""Soft failures: a test goes on and fails at its end, with all of them, wherever they came from."""

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


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What one run of all of them says of each that failed, by its name; "" is all of it."""
    root = tmp_path_factory.mktemp("soft")
    (root / "conftest.py").write_text(CONFTEST)
    (root / "test_it.py").write_text(TESTS)
    result = nested.run(root, "-vv", "-rA", "--tb=short")
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


WENT_ON = ("WENT ON", "WENT ON UNDECIDED", "WENT ON WITH EXPECT")
SAYS = {
    "two": ('"the heading is Alpha" does not hold', "it says Cart, not Alpha", "heading is Beta", "not Beta"),
    "one": ("timeout=0, soft=True)  # line of test_one", "VerificationFailed", "it says Cart, not Gamma"),
    "hard": ("the heading is Delta", "the heading is Epsilon"),
    "other_hard": ("the heading is Zeta", "plainly wrong"),
    "undecided": ('"the heading is Eta" could not be decided', "Undecided"),
    "expect": ("the heading is Theta", "Iota"),
    "usage": ("UnknownName",),
    "none": (),
    "after": (),
}  # fmt: skip
"""What the report of each test says, which has failed if it has one."""


@pytest.mark.parametrize("name", SAYS)
def test_soft_failures_are_reported_at_the_end_with_what_ended_the_test(
    reports: dict[str, str], name: str
) -> None:
    """A test goes on after each soft failure, and fails with all of them and the error that ended it."""
    [outcome] = set(re.findall(rf"::test_{name}\S* (PASSED|FAILED|ERROR)", reports[""]))
    assert outcome == ("FAILED" if SAYS[name] else "PASSED")
    report = reports.get(f"test_{name}", "")
    for words in SAYS[name]:
        assert words in report
    # What held is no part of it, and a single failure is no group.
    assert '"Cart is shown" does' not in report
    assert name != "one" or not ("Group" in report or "pytest_webtask/" in report)
    went_on = [words for words in WENT_ON if f"\n{words}\n" in reports[""]]
    assert went_on == [*WENT_ON]


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
    text, reports = printed(result), blocks(str(result.stdout))
    assert re.search(r"::test_setup\S* FAILED", text) and re.search(r"::test_clean\S* PASSED", text)
    assert "CALLED AFTER SETUP" in text and "TORN DOWN" in text
    for name, words in (
        ("setup", ("the heading is Alpha",)),
        ("setup_twice", ("the heading is Alpha", "the heading is Beta")),
        ("setup_and_hard", ("the heading is Alpha", "plainly wrong")),
        ("broken", ("the heading is Alpha", "set-up broke")),
        ("teardown", ('"the heading is Gamma" does not hold',)),
        ("first_used_in_teardown", ('"the heading is Eta" does not hold',)),
    ):
        assert all(each in reports[f"test_{name}"] for each in words), name
    assert "pytest_webtask/" not in reports["test_setup"]
