"""Values that a replay reads again, and answers that are as the page is now."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from pytest_webtask.page.locator_parser import Unreadable
from pytest_webtask.recordings.resolver import Underivable, derive, reread_value
from tests.inner import Project, Run, project

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("value", "sources", "later", "then"),
    [
        ("€ 24.00", ["Total: € 24.00"], ["Total: € 9.50"], "€ 9.50"),
        (24.0, ["Total: € 24.00"], ["Total: € 1,024.50"], 1024.5),
        ("1234", ["1.234 Stück"], ["1.001.234 Stück"], "1001234"),
        (1.234, ["1,234 kg"], ["2,500 kg"], 2.5),
        (12.5, ["12,50 €"], ["1.013,75 €"], 1013.75),
        (12, ["12,000 of 12"], ["13,000 of 13"], 13),
        (3, ["3 of 12 items"], ["7 of 13 items"], 7),
        (-3, ["Balance -3"], ["Balance 4"], 4),
        ("Mug", ["Mug"], ["Plate\n and  bowl"], "Plate and bowl"),
        (2, [2], [5], 5),
        (["Ann", "An"], ["Ann", "An"], ["Bea", "Be"], ["Bea", "Be"]),
        (["An", "Ann"], ["Ann", "An"], ["Bea", "Be"], ["Be", "Bea"]),
        (["Mug", "Mug"], ["Mug", "Mug"], ["Mug", "Cup"], ["Mug", "Cup"]),
        ([{"a": "Mug", "b": 8}, {"a": "Cup", "b": 8}], ["Mug 8", "Cup 8"], ["Mug 8", "Cup 9"],
         [{"a": "Mug", "b": 8}, {"a": "Cup", "b": 9}]),
        (["a", "b"], ["Tags: a, b"], ["Tags: a, b"], ["a", "b"]),
        ("2026-05-04", ["Due 4 May 2026"], ["Due 5 June 2027"], "2027-06-05"),
        ("", [""], [""], None),
    ],
)  # fmt: skip
def test_reread_values_are_current(value: Any, sources: Any, later: Any, then: Any) -> None:
    """Each part of a value is read from its source as it is now."""
    try:
        template = derive(value, sources)
    except Underivable:
        assert then is None or value == "2026-05-04"
        return
    assert then is not None
    assert reread_value(template, sources) == value
    assert reread_value(template, later) == then
    assert type(reread_value(template, later)) is type(then)


@pytest.mark.parametrize(
    ("value", "sources"),
    [
        *[([], ["nothing"]), (None, ["none"]), (True, ["yes"]), ("Mug", ["Plate"]), ("x", [])],
        *[(5, ["Total 4"]), (12, ["12,000"]), (5, [4]), ("mug", ["Mug"]), ({"a": []}, ["x"])],
        (["Mug", "Mug"], ["Mug"]),
    ],
)
def test_value_missing_in_its_sources_cannot_be_derived(value: Any, sources: Any) -> None:
    """A value that no source contains is refused, because replay would return a constant."""
    with pytest.raises(Underivable):
        derive(value, sources)


@pytest.mark.parametrize(
    ("value", "then", "now"),
    [
        (24.0, ["Total: € 24.00"], ["Subtotal: € 24.00"]),
        (24.0, ["Total: € 24.00"], ["Total: € 24.00 plus tax"]),
        (24.0, ["Total: € 24.00"], ["Total: on request"]),
        *[(24, ["24 items"], [now]) for now in ("24.5 items", "2-4 items", "")],
        *[("x", ["is x"], []), (2, [2], ["2"])],
    ],
)
def test_source_with_other_words_cannot_be_reread(value: Any, then: Any, now: Any) -> None:
    """Other words around a value, or no number in its place, raise an error."""
    template = derive(value, then)
    with pytest.raises((Underivable, Unreadable)):
        reread_value(template, now)


@pytest.mark.parametrize("template", [3, "x", None, True, {"a": 1}, ["x"]])
def test_constant_template_is_refused(template: Any) -> None:
    """A recording that was edited to hold a constant value cannot be read."""
    with pytest.raises(Underivable):
        reread_value(template, ["x 3"])


# In runs

FIGURE = "<div class=figure><p>%s</p><p>%s</p></div>"
LIST = "<h1>List</h1><ul>%s</ul><button>Stay</button>"
PAGES = {
    "/total": "<h1>Order</h1><p>Total: € %s</p>",
    **dict.fromkeys(("/list", "/names"), LIST),
    "/output": "<h1>Order</h1><button onclick=\"out.textContent = 'Order %s was placed'\">Buy</button><p role=status id=out></p>",
    "/flag": "<h1>Mail</h1><p role=status>%s</p>",
    "/select": "<h1>Mail</h1>%s",
    "/tags": "<h1>Tags</h1><ul>%s</ul>",
    "/notes": "<h1>Notes</h1><p>Notes: %s</p>",
    "/done": "<h1>Figures</h1>%s",
}
FIRST = {
    "/total": "24.00",
    **dict.fromkeys(("/list", "/names"), "<li>Milk</li><li>Bread</li>"),
    "/output": "1041",
    "/flag": "You have mail",
    "/select": "<button>Send</button><button>Save</button>",
    "/tags": "<li>Milk: fresh, cold</li><li>Bread: dry</li>",
    "/notes": "2",
    "/done": FIGURE % ("Open", 7) + FIGURE % ("Done", 3),
}
SECOND = {
    "/total": "1,031.50",
    **dict.fromkeys(("/list", "/names"), "<li>Milk</li><li>Bread</li><li>Eggs</li>"),
    "/output": "1077",
    "/flag": "Inbox is empty",
    "/select": "<p>New</p><button>Save</button><button id=x>Send</button>",
    "/tags": "<li>Milk: fresh, cold, raw</li><li>Bread: dry</li>",
    "/notes": "2.5",
    "/done": FIGURE % ("Done", 5) + FIGURE % ("Open", 7),
}
PLAYS = """
"the total": [value(24.0, "text:Total")],
"how many things": [value(2, counted="listitem")],
"the number of notes": [value(2, "text:Notes:")],
"how many are done": [value(3, "text:3")],
"the names": [value(["Milk", "Bread"], "listitem:Milk", "listitem:Bread")],
"the tags of milk": [value(["fresh", "cold"], "listitem:Milk", "listitem:Milk")],
"buy": [act("click", "button:Buy"),
        value(1041, "status:Order", tool="set_output", name="output"),
        done(text("status:Order", "was placed"))],
"there is mail": [MAIL],
"you have mail": [MAIL],
"the button that sends": [act("report_element", "button:Send")],
"""
FACTS = {
    "total": ("/total", "extract('the total', float)"),
    "count": ("/list", "extract('how many things', int)"),
    "notes": ("/notes", "extract('the number of notes', int)"),
    "done": ("/done", "extract('how many are done', int)"),
    "names": ("/names", "extract('the names', list[str])"),
    "tags": ("/tags", "extract('the tags of milk', list[str])"),
    "output": ("/output", "do('buy', output=int).output"),
    "flag": ("/flag", "holds('you have mail')"),
    "select": ("/select", "select('the button that sends').inner_text()"),
}
TESTS = """
import json
from pathlib import Path

def tell(name, what):
    with Path("told.txt").open("a") as file:
        file.write(json.dumps([name, what]) + "\\n")
""" + "".join(
    f"""
def test_{name}(webtask):
    webtask.goto("{path}")
    tell("{name}", webtask.{step})
"""
    for name, (path, step) in FACTS.items()
)
FIRST_VALUES = {
    **{"total": 24.0, "count": 2, "notes": 2, "names": ["Milk", "Bread"], "output": 1041},
    **{"flag": True, "select": "Send", "tags": ["fresh", "cold"], "done": 3},
}
MAIL = """
def MAIL(turn):
    shown = [e.name for e in turn.observation.texts.values()]
    if "You have mail" in shown:
        return holds(text("status:You", "You have mail"))
    said = next(e for e in shown if e in ("Inbox is empty", "Something else"))
    return judge("does_not_hold", text(f"status:{said}", said))
"""


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project that was recorded on the first pages."""
    root = tmp_path_factory.mktemp("values")
    with project(root, PLAYS, TESTS) as inner:
        plays = (root / "plays.py").read_text()
        inner.write("plays.py", plays.replace("\nPLAYS", f"{MAIL}\nPLAYS", 1))
        show(inner, FIRST)
        first = inner.passes()
        assert reported(inner) == FIRST_VALUES
        assert not first.notes("unrecorded")
        yield inner


@pytest.fixture(scope="module")
def later(values: Project) -> tuple[Run, dict[str, Any]]:
    """A replay on the second pages, and what it gave."""
    show(values, SECOND)
    run = values.run("--webtask-mode=replay")
    assert not run.asked
    return run, reported(values)


def show(inner: Project, what: dict[str, str]) -> None:
    """Fill the pages."""
    inner.site.pages.update({path: page % what[path] for path, page in PAGES.items()})


def reported(inner: Project) -> dict[str, Any]:
    """What the tests of a run have been given."""
    path = inner.root / "told.txt"
    given = dict(json.loads(line) for line in path.read_text().splitlines())
    path.unlink()
    return given


Later = tuple[Run, dict[str, Any]]


def test_replayed_values_are_as_the_page_is_now(later: Later) -> None:
    """Numbers, counts, outputs and moved elements are read anew; what fits no more fails its test."""
    run, given = later
    expected = {"total": 1031.5, "count": 3, "output": 1077, "select": "Send", "done": 5}
    # A grown list is complete or fails.
    names = {"names": given["names"]} if "names" in given else {}
    assert names in ({}, {"names": ["Milk", "Bread", "Eggs"]})
    assert given == {**expected, **names}, run.printed
    failed = {name for name, outcome in run.outcomes.items() if outcome == "failed"}
    assert failed == {f"test_{name}" for name in {*FIRST_VALUES} - {*given}}
    text = run.tests["test_notes"].message
    assert "the page shows '2.5', which is not a whole number" in text
    use = "if the page is right, ask for a float, which is the wider type, and record it again: pytest"
    assert use in text


def test_holds_records_the_other_answer(values: Project, later: Later) -> None:
    """Auto mode records the negative answer once; from then on both answers are replayed."""
    show(values, SECOND)
    chosen = ["-k", "flag"]
    learned = values.run(*chosen)
    assert reported(values) == {"flag": False}, learned.printed
    [step] = values.steps("test_flag")
    assert step["evidence"] and step["negative_evidence"]
    for pages, answer in ((SECOND, False), (FIRST, True)):
        show(values, pages)
        run = values.run(*chosen, "--webtask-mode=replay")
        assert not run.asked
        assert reported(values) == {"flag": answer}, run.printed
