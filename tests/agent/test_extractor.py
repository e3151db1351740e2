"""`webtask.extract` and `webtask.select`: values that are on the page, single elements."""

import contextlib
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, Literal

import pytest
from playwright.sync_api import Page
from pydantic import BaseModel

from pytest_webtask import NotFound, Secret, Undecided, UsageError, Webtask
from pytest_webtask.types.agent import Decision, Turn
from tests.scripted import Html, Scripted, call, described, rule

PAGE = """<h1>Order #1047</h1>
<p>Placed on 4 March 2026</p>
<table><tr><th>Product<th>Quantity<th>Price
<tr><td>Mug<td>2<td>€24.00
<tr><td>Plate<td>12<td>€1,234.50</table>
<p>Status <b>Delivered</b></p><p id=off style="opacity:0">Hidden 99</p>
<label>Email <input value="ann@example.org" placeholder="a@b.c"></label>
<label>Note <input placeholder="Optional"></label>
<label>Size <select><option>Small<option selected>Large</select></label>
<label><input type=checkbox checked> Gift</label>
<label>Password <input type=password value="hunter2-x"></label>
<p>two left</p><p>Discount −5 %</p><p>Open since 12:30</p>"""


class Size(Enum):
    """A choice."""

    SMALL = "Small"
    LARGE = "Large"


class Item(BaseModel):
    """A row of the order."""

    name: str
    quantity: int
    price: Decimal


class Order(BaseModel):
    """The order."""

    number: str
    day: date
    items: list[Item]
    note: str | None = None


MUG = [("cell:Mug", "Mug"), ("cell:2", "2"), ("cell:€24.00", "€24.00")]
PLATE = [("cell:Plate", "Plate"), ("cell:12", "12"), ("cell:€1,234.50", "€1,234.50")]
MUG_ROW = {"name": "Mug", "quantity": 2, "price": "24.00"}
PLATE_ROW = {"name": "Plate", "quantity": 12, "price": "1234.50"}
A_MUG = Item(name="Mug", quantity=2, price=Decimal("24.00"))
A_PLATE = Item(name="Plate", quantity=12, price=Decimal("1234.50"))
NAMES = [MUG[0], PLATE[0]]
AMOUNT = [PLATE[2]]
ORDER = ("heading:Order", "Order #1047")
DELIVERED = [("text:Delivered", "Delivered")]
DAY = ("text:Placed on 4 March 2026", "4 March 2026")
EMAIL, LARGE = ("textbox:Email", "ann@example.org"), ("combobox:Size", "Large")
DISCOUNT = [("text:Discount −5 %", "−5 %")]


def reads(value: Any, *read: tuple[str, str], counted: tuple[str, ...] = (), **more: Any) -> Any:
    """An answer of the reader: the value, where it read it, what it counted."""
    sources = [{"element_id": described(element), "text": text} for element, text in read]
    elements = [described(each) for each in counted]
    return call("report_value", value=value, read=sources, counted=elements, **more)


def nothing(reason: str, *candidates: str) -> Any:
    """An answer that there is none, or several."""
    return call(
        "report_nothing", candidates=[described(each) for each in candidates], reason=reason
    )


def chosen(element: str, **more: Any) -> Any:
    """An answer that names an element."""
    return call("report_element", described(element), **more)


Extract = Callable[..., Any]


@pytest.fixture
def extract(webtask: Webtask, model: Scripted, html: Html) -> Extract:
    """Extracts from a page what the reader answers."""

    def run(body: str, *answers: Any, schema: Any = str, what: str = "that", **options: Any) -> Any:
        if body:
            html(body)
        model.answers = [*answers]
        return webtask.extract(what, schema, timeout=0, **options)

    return run


VALUES: dict[str, tuple[Any, Any, list[tuple[str, str]], Any]] = {
    "str": (str, "Delivered", DELIVERED, "Delivered"),
    "part": (str, "#1047", [ORDER], "#1047"),
    "field": (str, "ann@example.org", [EMAIL], "ann@example.org"),
    "choice": (str, "Large", [LARGE], "Large"),
    "int": (int, 2, [MUG[1]], 2),
    "of an amount": (int, 24, [MUG[2]], 24),
    "float": (float, 24.0, [MUG[2]], 24.0),
    "decimal": (Decimal, "1234.50", AMOUNT, Decimal("1234.50")),
    "negative": (int, -5, DISCOUNT, -5),
    "date": (date, "2026-03-04", [DAY], date(2026, 3, 4)),
    "bool": (bool, True, DELIVERED, True),
    "enum": (Size, "Large", [LARGE], Size.LARGE),
    "literal": (Literal["Delivered", "Open"], "Delivered", DELIVERED, "Delivered"),
    "capitals": (str, "delivered", DELIVERED, "Delivered"),
    "literal of other capitals": (Literal["delivered"], "delivered", DELIVERED, "delivered"),
    "dict of texts": (dict[str, str], {"Mug": "large"}, [MUG[0], LARGE], {"Mug": "Large"}),
    "list": (list[str], ["Mug", "Plate"], NAMES, ["Mug", "Plate"]),
    "none": (str | None, None, [("textbox:Note", "")], None),
    "dict": (dict[str, int], {"Mug": 2}, MUG[:2], {"Mug": 2}),
    "model": (Item, MUG_ROW, MUG, A_MUG),
    "models": (list[Item], [MUG_ROW, PLATE_ROW], MUG + PLATE, [A_MUG, A_PLATE]),
    "nested": (
        Order,
        {"number": "#1047", "day": "2026-03-04", "items": [MUG_ROW]},
        [("heading:Order", "#1047"), DAY, *MUG],
        Order(number="#1047", day=date(2026, 3, 4), items=[A_MUG]),
    ),
}


@pytest.mark.parametrize(("schema", "value", "read", "wanted"), VALUES.values(), ids=VALUES.keys())
def test_values_of_each_type(
    webtask: Webtask, extract: Extract, schema: Any, value: Any, read: Any, wanted: Any
) -> None:
    """A value is returned in the requested type, with its sources."""
    found = extract(PAGE, reads(value, *read), schema=schema)
    assert found == wanted
    assert type(found) is type(wanted)
    [extracted] = webtask.state.extracted
    assert (extracted.what, extracted.value) == ("that", wanted)
    assert len(extracted.sources) == len(read)
    assert all(source.holds for source in extracted.sources)


INVENTED: dict[str, tuple[Any, Any, list[tuple[str, str]]]] = {
    "nothing read": (str, "Delivered", []),
    "other text": (str, "Shipped", DELIVERED),
    "not there": (str, "Shipped", [("text:Delivered", "Shipped")]),
    "part of a word": (str, "Deliver", DELIVERED),
    "part of a number": (int, 2, [("cell:12", "2")]),
    "out of a number": (int, 2, [PLATE[1]]),
    "out of an amount": (int, 234, AMOUNT),
    "other number": (int, 3, [MUG[1]]),
    "rounded": (int, 1235, AMOUNT),
    "digits as text": (str, "047", [ORDER]),
    "of a date": (int, 2026, [MUG[1]]),
    "part of a date": (int, 4, [DAY]),
    "part of a time": (int, 30, [("text:Open since 12:30", "12:30")]),
    "sign": (int, 5, DISCOUNT),
    "hint": (str, "Optional", [("textbox:Note", "Optional")]),
    "hint for a value": (str, "a@b.c", [("textbox:Email", "a@b.c")]),
    "option": (str, "Small", [("combobox:Size", "Small")]),
    "other day": (date, "2026-03-05", [DAY]),
    "no day": (date, "2026-03-04", DELIVERED),
    "password": (str, "hunter2-x", [("textbox:Password", "hunter2-x")]),
    "one of several": (list[str], ["Mug", "Cup"], [MUG[0]]),
    "in a model": (Item, {**MUG_ROW, "quantity": 3}, MUG),
    "across rows": (list[str], ["Mug Plate"], NAMES),
    "enum": (Size, "Small", [LARGE]),
    "key": (dict[str, int], {"Cup": 2}, [MUG[1]]),
    "empty": (str, "", []),
    "other currency": (str, "$1234.50", AMOUNT),
    "other amount": (str, "€1234.05", AMOUNT),
    "part of an amount": (str, "€234.50", AMOUNT),
    "amount in another form": (str, "€1234.50", AMOUNT),
    "number in words": (int, 2, [("text:two left", "two left")]),
    "number and unit": (str, "1234.50 pieces", AMOUNT),
}


def test_value_missing_from_the_page_is_refused(
    webtask: Webtask, extract: Extract, html: Html
) -> None:
    """A value that is in none of its sources goes back to the model and is never returned."""
    html(PAGE)
    accepted = {}
    for name, (schema, value, read) in INVENTED.items():
        with contextlib.suppress(NotFound):
            accepted[name] = extract("", reads(value, *read), nothing("no"), schema=schema)
    assert accepted == {}
    assert webtask.state.extracted == ()


def test_text_of_adjoining_elements_is_returned_as_the_page_writes_it(extract: Extract) -> None:
    """A blank that only the outline shows between elements is no part of the value."""
    assert extract("<h3>53<sup>%</sup></h3>", reads("53 %", ("heading:53", "53 %"))) == "53%"


def test_count_of_elements_is_a_value(webtask: Webtask, extract: Extract) -> None:
    """A number can be the count of all elements of its kind, not of others or of some of them."""
    assert extract(PAGE, reads(2, counted=("row:Mug", "row:Plate")), schema=int) == 2
    [source] = webtask.state.extracted[0].sources
    assert source.kind == "count"
    wrong = ((3, ("row:Mug", "row:Plate")), (1, ("cell:Mug",)), (1, ("row:Mug",)), (0, ()))
    for value, counted in wrong:
        with pytest.raises(NotFound, match="miscounted"):
            extract(PAGE, reads(value, counted=counted), nothing("miscounted"), schema=int)


def test_extracted_secret_is_masked_in_the_records(webtask: Webtask, extract: Extract) -> None:
    """If a model answers `{key}`, the test gets the value and the records show the name."""
    answer = reads("{key}", ("text:Key", "{key}"))
    data = {"key": Secret("k3y-abcdef")}
    assert extract("<p>Key: k3y-abcdef</p>", answer, data=data) == "k3y-abcdef"
    [extracted] = webtask.state.extracted
    assert "k3y" not in "".join(source.model_dump_json() for source in extracted.sources)


def test_invalid_schema_is_a_usage_error(extract: Extract) -> None:
    """An invalid schema is refused before any model is called."""
    for schema in (Page, Html):
        with pytest.raises(UsageError, match="not a type that pydantic can describe"):
            extract(PAGE, schema=schema)


def test_datetime_needs_its_date_and_time(extract: Extract) -> None:
    """A datetime is accepted only if its source has both the date and the time."""
    body, sent = "<p>Sent 2026-03-04 12:30</p>", ("text:Sent", "2026-03-04 12:30")
    found = extract(body, reads("2026-03-04T12:30:00", sent), schema=datetime)
    assert found == datetime(2026, 3, 4, 12, 30)
    with pytest.raises(NotFound):
        extract(body, reads("2026-03-04T17:45:00", sent), nothing("no"), schema=datetime)


@pytest.mark.webtask(screenshots="on")
def test_not_found_error_names_description_reason_and_page(extract: Extract) -> None:
    """The message holds the description, the reason, the page and its screenshot."""
    with pytest.raises(NotFound) as raised:
        extract(PAGE, nothing("there is no voucher field"), what="the voucher")
    first, *rest = str(raised.value).splitlines()
    assert first == "'the voucher' was not found: there is no voucher field"
    assert rest[0] == "page: about:blank"
    assert rest[1].startswith("screenshot: .webtask/runs/")
    assert not isinstance(raised.value, (AssertionError, Undecided))


# Selecting


def test_selected_element_is_a_lasting_locator(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """`select` returns a readable locator of exactly that element, or text, that can be used later."""
    page = html(
        "<ul><li>Mug <button>Remove</button><li>Plate <button data-x=b>Remove</button></ul>"
        "<label>Email <input id=e></label><p>Subtotal €40.00</p><p>Total €41.00</p>"
    )
    model.answers = [*map(chosen, ("button:Remove#1", "textbox:Email", "text:Total €41.00"))]
    locator = webtask.select("the Remove button of the Plate", timeout=0)
    assert locator.count() == 1
    assert locator.get_attribute("data-x") == "b"
    assert "Plate" in str(locator) or "nth" in str(locator)
    assert "aria-ref" not in str(locator)
    webtask.select("the email field", timeout=0).fill("ann@example.org")
    assert page.input_value("#e") == "ann@example.org"
    assert webtask.select("the total", timeout=0).inner_text() == "Total €41.00"
    assert webtask.state.extracted == ()


def test_ambiguous_selection_lists_candidates(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """The error lists all candidates, each with a text that differs from the others."""
    html("<ul><li>Mug <button>Remove</button><li>Plate <button>Remove</button></ul>")
    model.answers = [nothing("there are two", "button:Remove#0", "button:Remove#1")]
    with pytest.raises(NotFound) as raised:
        webtask.select("the Remove button", timeout=0)
    lines = str(raised.value).splitlines()
    assert lines[0] == "'the Remove button' was not found: there are two"
    assert len(lines[1:3]) == len(set(lines[1:3])) == 2
    assert all('button "Remove"' in line for line in lines[1:3])


def test_select_of_no_or_a_vanished_element_is_refused(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """An unknown id, or an element that has vanished since the observation, goes back to the model."""
    page = html("<button>Buy</button>")

    def late(turn: Turn) -> Decision:
        decision = Scripted(chosen("button:Buy")).decide(turn)
        page.evaluate("document.querySelector('button').remove()")
        return decision

    for answers in (
        [call("report_element", element_id="button-77"), nothing("there is none")],
        [late, nothing("there is none"), nothing("there is none")],
    ):
        model.answers = [*answers]
        with pytest.raises(NotFound, match="there is none"):
            webtask.select("the Buy button", timeout=0)


def test_value_is_waited_for(webtask: Webtask, model: Scripted, html: Html) -> None:
    """A value that appears within the timeout is found, with one answer per changed page."""
    page = html("<p>Loading</p>")

    def early(_: Turn) -> Any:
        page.evaluate("setTimeout(() => document.body.innerHTML = '<p>Total 5</p>', 300)")
        return nothing("not yet")

    model.answers = [early, reads(5, ("text:Total 5", "5"))]
    assert webtask.extract("the total", int, timeout=20) == 5
    assert len(model.turns) == 2


DARK = """<label><input type=checkbox role=switch checked>Dark mode</label>
<label><input type=checkbox role=switch>Mail</label>"""


ON = {"kind": "state", "element_id": described("switch:Dark mode"), "state": "checked"}


def test_boolean_of_a_control_needs_a_state_check(model: Scripted, extract: Extract) -> None:
    """The name of a switch is no evidence that it is on; a check of its state is."""
    switch = ("switch:Dark mode", "Dark mode")
    answers = (
        reads(True, switch),
        reads(True, switch, evidence=[{**ON, "state": "visible"}]),
        reads(True, evidence=[ON]),
    )
    assert extract(DARK, *answers, schema=bool, what="is dark mode on") is True
    [conclusion] = model.conclusions
    assert [fact["expected"] for fact in conclusion.facts] == ["checked"]
    off = reads(False, evidence=[{**ON, "state": "unchecked"}])
    with pytest.raises(NotFound):
        extract(DARK, off, nothing("no such thing"), schema=bool)


def test_refused_selection_passes_with_further_evidence(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """The refusal names the parameter `evidence`, and the same answer without it is refused too."""
    html(DARK)
    model.scripts["referee"] = [rule(proves=False, missing="whether it is on"), rule(proves=True)]
    choice = chosen("switch:Dark mode")
    better = chosen("switch:Dark mode", evidence=[ON])
    model.answers = [choice, choice, better]
    assert webtask.select("the switch that is on", timeout=0).is_checked()
    first, second = (str(turn.iterations[-1].calls[-1].error) for turn in model.turns[1:])
    assert "pass in `evidence` checks" in first
    assert "Add to `evidence` a check of what is missing" in second
    assert [len(each.facts) for each in model.conclusions] == [1, 2]


def test_page_changed_during_a_ruling_is_checked_at_once(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """The checks run on the changed page and the referee rules on it without another turn of the reader."""
    page = html("<h1>Order</h1><p id=n>Total 5 now</p>")

    decide = model.decide

    def decides(turn: Turn) -> Decision:
        if turn.conclusion and len(model.conclusions) == 0:
            page.evaluate("n.textContent = 'Total 5 then'")
        return decide(turn)

    model.decide = decides  # type: ignore[method-assign]
    model.answers = [reads(5, ("text:Total", "Total 5")), reads(5, ("text:Total", "Total 5"))]
    assert webtask.extract("the total", int, timeout=0) == 5
    assert len(model.answers) == 1
