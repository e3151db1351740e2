"""Values that change by themselves: the second run shows which; no replay asks a referee."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_webtask.journal import HealProposed
from tests.inner import Project, project, recorded_project, visits

PAGE = """<h1>Orders of {who}</h1><button onclick="out.innerHTML =
  '<div>Order {number} was placed</div><div>Thank you</div>'">Order</button>
<div role=status id=out></div>"""
PLAYS = r"""
"order it": [act("click", "button:Order"), lambda turn: done(text("status:Order",
    __import__("re").search(r"Order \w+ was placed", turn.observation.outline)[0]))],
"the order of {who} is made by hand": [
    holds(text("heading:", "Orders of {who}"), text("note:", "made of clay by hand", exact=True))],
"""
TESTS = """
import json, pytest

@pytest.fixture(autouse=True)
def _open(webtask):
    webtask.goto("/")

def test_by_itself(webtask):
    webtask.do("order it")

def test_case(webtask):
    webtask.verify("the order of {who} is made by hand", data={"who": open("who.txt").read()})
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project whose order was number 48213, and of clay for Ann, when it was recorded."""
    with project(tmp_path_factory.mktemp("changing"), PLAYS, TESTS) as inner:
        show(inner, "48213", "Ann", "clay")
        inner.passes()
        yield inner


def show(inner: Project, number: str, who: str, what: str) -> None:
    """Show the page as it is with these data."""
    note = f"<p role=note>made of {what} by hand</p>"
    inner.site.pages["/"] = PAGE.format(number=number, who=who) + note
    inner.write("who.txt", who)


@pytest.mark.parametrize(
    ("test", "mode", "shown", "words"),
    [
        *(("by_itself", mode, ("48214", "Ann", "clay"), "Order 48214 was placed") for mode in ("auto", "replay")),
        ("case", "auto", ("48213", "Bob", "glass"), "glass"),
    ],
)  # fmt: skip
def test_other_number_or_text_fails_in_every_mode(
    recorded: Project, test: str, mode: str, shown: tuple[str, str, str], words: str
) -> None:
    """Neither a model nor a referee is asked, and nothing is proposed: a person records again."""
    show(recorded, *shown)
    run = recorded.run(f"--webtask-mode={mode}", "-k", test)
    assert run.outcomes == {f"test_{test}": "failed"}, run.printed
    message = run.tests[f"test_{test}"].message
    recorded_words = {"by_itself": "Order 48213 was placed", "case": "clay"}[test]
    assert recorded_words in message and words in message
    assert "this may be a bug; if the page is right, record it again: pytest" in message
    assert not run.asked and not run.ruled and not run.events(HealProposed)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shown", "is_recorded"),
    [("toString().slice(2)", True), ("toString(36).replace(/[^a-z]/g, '')", False)],
)
def test_second_run_shows_which_numbers_vary(tmp_path: Path, shown: str, is_recorded: bool) -> None:
    """A number that is another one may be any; a word may not: "lost" must not become another "placed"."""
    with project(tmp_path, PLAYS, TESTS) as inner:
        show(inner, f"' + Math.random().{shown} + '", "Ann", "clay")
        run = inner.run("--webtask-confirm=on", "-k", "by_itself")
        assert [each["kind"] for each in run.ruled] == ["task"], run.printed
        assert inner.file("test_by_itself").exists() == is_recorded, run.printed
        if is_recorded:
            run = inner.run("--webtask-mode=replay", "-k", "by_itself")
            assert run.outcomes == {"test_by_itself": "passed"}, run.printed


BESIDE = """
"the order has a number": [holds(MATCHES)],
"the order of zephyr has a number": [holds(MATCHES)],
"the number of the order": [value(48213, "note:Order")],
""".replace(
    "MATCHES", r'{"kind": "matches", "element_id": "note:Order", "pattern": r"Order #\d{5}"}'
)
STEPS = {
    "pattern": "verify('the order has a number')",
    "named": "verify('the order of zephyr has a number')",
    "value": "extract('the number of the order', int)",
}
ORDER = "<ul><li><b>{}</b> <p id=no role=note>Order #{}</p><li><b>quartz</b> <p role=note>Bill</ul>"
MOVED = "<table><tr><td>Bill<td>quartz<tr><td>Order #{1}<td>{0}</table>"
original, beside = recorded_project(
    BESIDE, visits(STEPS, at="/"), {"/": ORDER.format("zephyr", 48213)}
)


@pytest.mark.parametrize(
    ("page", "who", "failed"),
    [(ORDER, "marble", "named"), (MOVED, "zephyr", "value"), (MOVED, "marble", "named, value")],
)
def test_what_varies_has_another_neighbor_unless_the_step_names_it(
    beside: Project, page: str, who: str, failed: str
) -> None:
    """What is beside it may be another one, too; in other markup it is found by the words of its pattern."""
    beside.site.pages["/"] = page.format(who, 51077)
    run = beside.run("--webtask-mode=replay", "--webtask-heal=off")
    assert ", ".join(n[5:] for n, o in run.outcomes.items() if o == "failed") == failed, run.printed
