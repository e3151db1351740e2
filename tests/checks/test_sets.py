"""`count` and `order`: all elements of a repeating pattern, in their nearest common container."""

from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import ValidationError

from pytest_webtask.checks.base import Check, UncheckableError
from pytest_webtask.checks.sets import Count, _at_place, _must_be_drawn
from pytest_webtask.page.locator_parser import locate
from pytest_webtask.page.recorded_element import RecordedElement
from tests.checks.desk import Desk

TABLE = "<table><tr><th>Product<th>Qty<tr><td>Mug<td>2<tr><td>Plate<td>1</table>"
LIST = "<ul><li>A<li>B<li>C</ul>"
BOXES = "<ol><li><input type=checkbox aria-label=One><li><input type=checkbox aria-label=Two></ol>"
HEADED = "<table><thead><tr><th>P<th>Q</thead><tr><th>Mug<td>2<tr><th>Plate<td>1</table>"
NESTED = "<ul><li>A<ul><li>A1<li>A2</ul><li>B</ul>"
CART = "<ul aria-label=Cart><li>A<li>B</ul><ul><li>C</ul>"
TWO, THREE = ["listitem:A", "listitem:B"], ["listitem:A", "listitem:B", "listitem:C"]
ROWS = ["row:Mug", "row:Plate"]
ALL: dict[str, tuple[str, list[str]]] = {
    "rows": (TABLE, ROWS),
    "cells": (TABLE, ["cell:Mug", "cell:2", "cell:Plate", "cell:1"]),
    "heads": (TABLE, ["columnheader:Product", "columnheader:Qty"]),
    "thead": (HEADED, ROWS),
    "rowheaders": (HEADED, ["rowheader:Mug", "rowheader:Plate"]),
    "plain": ("<table><tr><td>Mug<td>2<tr><td>Plate<td>1</table>", ROWS),
    "tables": (f"<h2>Cart</h2>{TABLE}<h2>Wishes</h2>{TABLE.replace('Mug', 'Cup')}", ["row:Mug", "row:Plate#0"]),
    "items": (LIST, THREE),
    "same": ("<ul><li>A<li>A<li>A</ul>", ["listitem:A#0", "listitem:A#1", "listitem:A#2"]),
    "hidden": ("<ul><li>A<li>B<li hidden>C</ul>", TWO),
    "nested": (NESTED, ["listitem:A1", "listitem:A2"]),
    "outer": (NESTED, ["listitem:A#0", "listitem:B"]),
    "lists": (f"<nav><ul><li>Home</ul></nav>{LIST}", THREE),
    "named": (CART, TWO),
    "unnamed": (CART, ["listitem:C"]),
    "buttons": (
        "<section aria-label=Cart><button>Remove</button><button>Remove</button></section>"
        "<button>Remove</button>", ["button:Remove#0", "button:Remove#1"],
    ),
    "names": (
        "<button>Remove</button><button>Remove</button><button>Remove all</button>",
        ["button:Remove#0", "button:Remove#1"],
    ),
    "grid": (
        "<div role=grid><div role=row><b role=columnheader>N</b></div><div role=row><b role=gridcell>1"
        "</b></div><div role=row><b role=gridcell>2</b></div></div>", ["row:1", "row:2"],
    ),
    "texts": ("<p>A</p><p>B</p><p>C</p>", ["text:A", "text:B", "text:C"]),
    "headings": ("<h2>A</h2><h2>B</h2><h3>C</h3>", ["heading:A", "heading:B"]),
    "boxes": (BOXES, ["checkbox:One", "checkbox:Two"]),
    "frame": (f"<iframe srcdoc='{LIST}'></iframe><ul><li>X</ul>", THREE),
    "shadow": (
        "<div id=host></div><ul><li>X</ul><script>document.querySelector('#host').attachShadow("
        f"{{mode:'open'}}).innerHTML='{LIST}'</script>", THREE,
    ),
}  # fmt: skip


def test_count_holds_for_the_complete_set_only(desk: Desk) -> None:
    """A count holds for all elements of the set and not for fewer."""
    for name, (body, cited) in ALL.items():
        desk.show(body)
        assert desk.count(*cited) == "holds", name
        result = desk.result("count", element_ids=list(cited))
        assert result.number == len(cited), name
        assert result.fact and result.fact.size == len(cited), name
        assert result.target, name
        assert locate(result.target.locator, desk.page).count() >= len(cited), name
        if len(cited) > 1:
            assert desk.count(*cited[:-1]).startswith("?"), name


def test_locator_of_a_set_names_its_region(desk: Desk) -> None:
    """The locator of an unnamed list depends on its region and finds the same items."""
    desk.show(
        f"<section aria-label=Items>{LIST}</section><section aria-label=Wishes><ul><li>D</ul></section>"
    )
    target = desk.result("count", element_ids=[f"listitem:{x}" for x in "ABC"]).target
    assert target is not None
    assert target.locator == (
        'get_by_role("region", name="Items", exact=True).get_by_role("list").get_by_role("listitem")'
        ".filter(visible=True)"
    )
    assert locate(target.locator, desk.page).count() == 3


def test_count_refuses_none_hidden_and_several_frames(desk: Desk) -> None:
    """An empty list, hidden elements and elements of several frames are refused."""
    desk.show("<h2>C</h2><iframe srcdoc='<h2>D</h2>'></iframe><ul><li>E<li>F</ul>")
    assert desk.count().startswith("? no element is cited: cite every element of the set")
    assert "several frames or tabs" in desk.count("heading:C", "heading:D")
    gone = desk.id_of("listitem:F")
    desk.page.evaluate("document.querySelectorAll('li')[1].style.opacity = 0")
    assert desk.count("listitem:E", gone) == f"? {gone} cannot be seen: cite visible elements"
    desk.page.evaluate("document.querySelectorAll('li')[1].remove()")
    assert (
        desk.count("listitem:E", gone)
        == f"? {gone} is no longer on the page: cite an id from the newest outline"
    )


def test_incomplete_count_names_missing_elements(desk: Desk) -> None:
    """The error of an incomplete count has the number, the place, and the missing elements."""
    desk.show(f"<main>{LIST}</main>{TABLE}")
    problem = desk.count("listitem:A", "listitem:B")
    assert problem.startswith("? these 2 are not all: list has 3 of ")
    assert 'including "C": cite all of them' in problem
    for element in ("row:Mug", "cell:Plate", "columnheader:Qty"):
        assert desk.count(element).startswith("? this is not the only one: ")


def test_list_that_grew_since_the_look_is_counted_anew(desk: Desk) -> None:
    """Elements that were added after the observation count."""
    desk.show(LIST)
    cited = [desk.id_of(f"listitem:{each}") for each in "ABC"]
    desk.page.evaluate("document.querySelector('ul').append(document.createElement('li'))")
    desk.page.evaluate("document.querySelector('li:last-child').textContent = 'D'")
    assert desk.count(*cited) != "holds"


def test_order_holds_for_the_cited_sequence(desk: Desk) -> None:
    """Elements are in the cited order, each with its text."""
    desk.show(LIST)
    a, b, c = "listitem:A", "listitem:B", "listitem:C"
    assert desk.order([a, b, c], ["A", "B", "C"]) == "holds"
    assert desk.order([a, c], ["A", "C"]) == "holds"
    assert desk.order([c, a], ["C", "A"]) == "no: 3. C → 1. A"
    assert desk.order([a, c, b], ["A", "C", "B"]) == "no: 1. A → 3. C → 2. B"
    assert desk.order([a, c, b], ["A", "B", "C"]) != "holds"
    assert desk.order([a, b, c], ["A", "B", "D"]) == "no: A → B → C"
    assert desk.order([a, b], ["A", "C"]) == "no: A → B"


def test_order_of_one_element_holds_its_position(desk: Desk) -> None:
    """The check has the position, and the fact the position and the size of the set."""
    desk.show(LIST)
    for cited, place, position in (
        ("ABC", "all", "1, 2, 3"), ("AB", "first", "1, 2"), ("BC", "last", "2, 3"), ("B", 1, "2"),
        ("C", "last", "3"),
    ):  # fmt: skip
        result = desk.result(
            "order", element_ids=[f"listitem:{c}" for c in cited], texts=list(cited)
        )
        assert result.holds and result.fact
        assert result.check.model_dump()["place"] == place
        assert (result.fact.position, result.fact.size) == (f"no. {position} of 3", 3)
        assert result.fact.items == ("A", "B", "C")


def test_texts_of_an_order_are_whole_words(desk: Desk) -> None:
    """A number is no part of another; a part of the words suffices."""
    desk.show("<ul><li>Mug 12<li>Mug 2</ul>")
    cited = ["listitem:Mug 12", "listitem:Mug 2"]
    assert desk.order(cited, ["12", "2"]) == "holds"
    assert desk.order(cited, ["2", "2"]) == "no: Mug 12 → Mug 2"
    assert desk.order(cited, ["Mug 12", "Mug"]) == "holds"


def test_controls_and_cells_are_ordered(desk: Desk) -> None:
    """A box is ordered by its name, and the cells of a column by their rows."""
    desk.show(BOXES + TABLE)
    assert desk.order(["checkbox:One", "checkbox:Two"], ["One", "Two"]) == "holds"
    assert desk.order(["checkbox:One", "checkbox:Two"], ["Two", "One"]) != "holds"
    assert desk.order(["cell:2", "cell:1"], ["2", "1"]) == "holds"
    assert desk.order(["cell:1", "cell:2"], ["1", "2"]).startswith("no")


def test_order_follows_the_visual_order(desk: Desk) -> None:
    """If a style reverses a list or moves an item, the visible order counts."""
    for ul, li in (("row-reverse", ""), ("column-reverse", ""), ("row", "order:3")):
        desk.show(f"<ul style='display:flex;flex-direction:{ul}'><li style='{li}'>A<li>B<li>C</ul>")
        assert desk.order(["listitem:A", "listitem:B", "listitem:C"], ["A", "B", "C"]) != "holds"
        assert desk.order(["listitem:A", "listitem:B"], ["A", "B"]) != "holds"


def test_grid_is_ordered_line_by_line(desk: Desk) -> None:
    """Cards of different heights are ordered as they are read, line by line."""
    cards = "".join(f"<li style='height:{20 + 7 * n}px'>Card {n}" for n in range(6))
    desk.show(
        f"<ul style='display:grid;grid-template-columns:repeat(3,90px);align-items:center'>{cards}</ul>"
    )
    cited = [f"listitem:Card {n}" for n in range(6)]
    assert desk.order(cited, [f"Card {n}" for n in range(6)]) == "holds"


def test_duplicates_and_elements_without_text_are_refused() -> None:
    """The same element twice, or elements without a text, are refused."""
    for given in (
        {"kind": "count", "element_ids": ["row-1", "row-1"]},
        {"kind": "order", "element_ids": ["row-1"], "texts": ["A", "B"]},
        {"kind": "order", "element_ids": ["row-1", "row-2"], "texts": ["A"]},
        {"kind": "order", "element_ids": ["row-1", "row-2"], "texts": ["A", " "]},
        {"kind": "order", "element_ids": ["row-1", "row-1"], "texts": ["A", "A"]},
    ):
        with pytest.raises(ValidationError):
            Check.parse(given)


def test_fact_of_a_set_ends_with_its_items(desk: Desk) -> None:
    """The fact has the number, the place and then the items; a long one is visibly cut."""
    long = "word " * 20
    desk.show(f"<main><table><tr><th>Text<tr><td>A<tr><td>{long}</table></main>")
    counted = desk.result("count", element_ids=["row:A", "row:word"])
    assert counted.holds and counted.fact
    assert counted.about.startswith("row in ")
    assert counted.fact.describe().endswith(f" 2 in all in table in main: A; {long[:59]}…")


def test_recorded_set_is_counted_with_the_facts_of_all_that_is_there(desk: Desk) -> None:
    """No element, or thousands whose facts take long to find: the count is that of the fact."""
    desk.show(LIST)
    counted = desk.result("count", element_ids=["listitem:A", "listitem:B", "listitem:C"])
    assert counted.target
    every = RecordedElement(desk.page, counted.target.locators, counted.target)
    context = desk.context.checker({"all": every})
    three, thousands = (Count(element_ids=("all",), number=each) for each in ("3", "2003"))
    result = context.run(three)
    assert result.holds and result.fact and result.fact.items == ("A", "B", "C")
    found = "document.querySelector('ul')"
    item = f"{found}.lastElementChild.cloneNode(true)"
    desk.page.evaluate(f"for (let n = 0; n < 2000; n++) {found}.append({item})")
    assert not context.run(three).holds
    result = context.run(thousands)
    assert result.holds and result.fact and result.fact.size == 2003
    desk.page.evaluate(f"{found}.remove()")
    assert not context.run(three).holds


def member(text: str, y: float) -> Any:
    """An element of a set with a text, drawn at a height."""
    facts = SimpleNamespace(drawn=text, content="", box=(0, y, 50, 10))
    return SimpleNamespace(name="", facts=facts)


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        (4, "the page has only 2 of these elements, and the recording is about no. 5"),
        ("first", "the first element is now 'Mug'"),
        ("last", "the last element is now 'Cup'"),
    ],
)
def test_recorded_place_of_other_elements_is_refused(place: Any, problem: str) -> None:
    """The message has the text that is now at the place, and says to record the step again."""
    members = [member("Mug", 0), member("Cup", 20)]
    text = "Cup" if place == "first" else "Mug"
    with pytest.raises(UncheckableError) as refused:
        _at_place(place, members, [text])
    assert str(refused.value) == f"{problem}. If that is right, record the step again"


@pytest.mark.parametrize("place", ["first", "last"])
def test_place_that_a_style_sheet_changes_is_refused(place: str) -> None:
    """An element that is first or last in the document only is no evidence of what is seen."""
    problem = f"the {place} element of the document is not the {place} one on the screen"
    with pytest.raises(UncheckableError, match=f"{problem}.* record the step again"):
        _must_be_drawn(place, [member("Mug", 20), member("Cup", 0)])
    _must_be_drawn(place, [member("Mug", 0), member("Cup", 20)])
