"""`webtask.extract` and `webtask.select`: values that are on the page, single elements."""

from __future__ import annotations

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
from pytest_webtask.types.agent import Decision, ProposedToolCall, Turn, Usage
from tests.scripted import Html, Scripted, cited, rule

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
<p>Discount −5 %</p><p>Open since 12:30</p>"""


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


def reads(
    value: Any, *read: tuple[str, str], counted: tuple[str, ...] = ()
) -> Callable[[Turn], Decision]:
    """An answer of the reader: the value, where it read it, what it counted."""

    def answer(turn: Turn) -> Decision:
        given = {
            "value": value,
            "read": [{"element_id": cited(turn, e), "text": text} for e, text in read],
            "counted": [cited(turn, each) for each in counted],
        }
        return Decision(
            calls=[ProposedToolCall("report_value", given, "as read")], usage=Usage(model_calls=1)
        )

    return answer


def nothing(reason: str, *candidates: str) -> Callable[[Turn], Decision]:
    """An answer that there is none, or several."""

    def answer(turn: Turn) -> Decision:
        given = {"candidates": [cited(turn, each) for each in candidates]}
        return Decision(
            calls=[ProposedToolCall("report_nothing", given, reason)], usage=Usage(model_calls=1)
        )

    return answer


def chosen(element_id: str) -> Callable[[Turn], Decision]:
    """An answer that names an element."""

    def answer(turn: Turn) -> Decision:
        given = {"element_id": cited(turn, element_id)}
        return Decision(
            calls=[ProposedToolCall("report_element", given, "that one")],
            usage=Usage(model_calls=1),
        )

    return answer


VALUES: dict[str, tuple[Any, Any, list[tuple[str, str]], Any]] = {
    "str": (str, "Delivered", [("text:Delivered", "Delivered")], "Delivered"),
    "part": (str, "#1047", [("heading:Order", "Order #1047")], "#1047"),
    "field": (str, "ann@example.org", [("textbox:Email", "ann@example.org")], "ann@example.org"),
    "choice": (str, "Large", [("combobox:Size", "Large")], "Large"),
    "int": (int, 2, [("cell:2", "2")], 2),
    "of an amount": (int, 24, [("cell:€24.00", "€24.00")], 24),
    "float": (float, 24.0, [("cell:€24.00", "€24.00")], 24.0),
    "decimal": (Decimal, "1234.50", [("cell:€1,234.50", "€1,234.50")], Decimal("1234.50")),
    "negative": (int, -5, [("text:Discount −5 %", "−5 %")], -5),
    "date": (
        date,
        "2026-03-04",
        [("text:Placed on 4 March 2026", "4 March 2026")],
        date(2026, 3, 4),
    ),
    "bool": (bool, True, [("text:Delivered", "Delivered")], True),
    "enum": (Size, "Large", [("combobox:Size", "Large")], Size.LARGE),
    "literal": (
        Literal["Delivered", "Open"],
        "Delivered",
        [("text:Delivered", "Delivered")],
        "Delivered",
    ),
    "capitals": (str, "delivered", [("text:Delivered", "Delivered")], "Delivered"),
    "amount as text": (str, "€1234.50", [("cell:€1,234.50", "€1,234.50")], "€1,234.50"),
    "number as text": (str, "1234.50", [("cell:€1,234.50", "€1,234.50")], "1,234.50"),
    "literal of other capitals": (
        Literal["delivered", "open"],
        "delivered",
        [("text:Delivered", "Delivered")],
        "delivered",
    ),
    "dict of texts": (
        dict[str, str],
        {"Mug": "large"},
        [("cell:Mug", "Mug"), ("combobox:Size", "Large")],
        {"Mug": "Large"},
    ),
    "list": (
        list[str],
        ["Mug", "Plate"],
        [("cell:Mug", "Mug"), ("cell:Plate", "Plate")],
        ["Mug", "Plate"],
    ),
    "none": (str | None, None, [("textbox:Note", "")], None),
    "dict": (dict[str, int], {"Mug": 2}, [("cell:Mug", "Mug"), ("cell:2", "2")], {"Mug": 2}),
    "model": (
        Item,
        {"name": "Mug", "quantity": 2, "price": "24.00"},
        MUG,
        Item(name="Mug", quantity=2, price=Decimal("24.00")),
    ),
    "models": (
        list[Item],
        [
            {"name": "Mug", "quantity": 2, "price": "24.00"},
            {"name": "Plate", "quantity": 12, "price": "1234.50"},
        ],
        MUG + PLATE,
        [
            Item(name="Mug", quantity=2, price=Decimal("24.00")),
            Item(name="Plate", quantity=12, price=Decimal("1234.50")),
        ],
    ),
    "nested": (
        Order,
        {
            "number": "#1047",
            "day": "2026-03-04",
            "items": [{"name": "Mug", "quantity": 2, "price": "24.00"}],
        },
        [("heading:Order", "#1047"), ("text:Placed on 4 March 2026", "4 March 2026"), *MUG],
        Order(
            number="#1047",
            day=date(2026, 3, 4),
            items=[Item(name="Mug", quantity=2, price=Decimal("24.00"))],
        ),
    ),
}


@pytest.mark.parametrize(("schema", "value", "read", "wanted"), VALUES.values(), ids=VALUES.keys())
def test_values_of_each_type(
    webtask: Webtask, model: Scripted, html: Html, schema: Any, value: Any, read: Any, wanted: Any
) -> None:
    """A value is returned in the requested type, with its sources."""
    html(PAGE)
    model.answers = [reads(value, *read)]
    found = webtask.extract("that", schema, timeout=0)
    assert found == wanted
    assert type(found) is type(wanted)
    [extracted] = webtask.state.extracted
    assert (extracted.what, extracted.value) == ("that", wanted)
    assert len(extracted.sources) == len(read)
    assert all(source.holds for source in extracted.sources)


INVENTED: dict[str, tuple[Any, Any, list[tuple[str, str]]]] = {
    "nothing read": (str, "Delivered", []),
    "other text": (str, "Shipped", [("text:Delivered", "Delivered")]),
    "not there": (str, "Shipped", [("text:Delivered", "Shipped")]),
    "part of a word": (str, "Deliver", [("text:Delivered", "Delivered")]),
    "part of a number": (int, 2, [("cell:12", "2")]),
    "out of a number": (int, 2, [("cell:12", "12")]),
    "out of an amount": (int, 234, [("cell:€1,234.50", "€1,234.50")]),
    "other number": (int, 3, [("cell:2", "2")]),
    "rounded": (int, 1235, [("cell:€1,234.50", "€1,234.50")]),
    "digits as text": (str, "047", [("heading:Order", "Order #1047")]),
    "of a date": (int, 2026, [("cell:2", "2")]),
    "part of a date": (int, 4, [("text:Placed on 4 March 2026", "4 March 2026")]),
    "part of a time": (int, 30, [("text:Open since 12:30", "12:30")]),
    "sign": (int, 5, [("text:Discount −5 %", "−5 %")]),
    "hint": (str, "Optional", [("textbox:Note", "Optional")]),
    "hint for a value": (str, "a@b.c", [("textbox:Email", "a@b.c")]),
    "option": (str, "Small", [("combobox:Size", "Small")]),
    "other day": (date, "2026-03-05", [("text:Placed on 4 March 2026", "4 March 2026")]),
    "no day": (date, "2026-03-04", [("text:Delivered", "Delivered")]),
    "password": (str, "hunter2-x", [("textbox:Password", "hunter2-x")]),
    "one of several": (list[str], ["Mug", "Cup"], [("cell:Mug", "Mug")]),
    "in a model": (Item, {"name": "Mug", "quantity": 3, "price": "24.00"}, MUG),
    "across rows": (list[str], ["Mug Plate"], [("cell:Mug", "Mug"), ("cell:Plate", "Plate")]),
    "enum": (Size, "Small", [("combobox:Size", "Large")]),
    "key": (dict[str, int], {"Cup": 2}, [("cell:2", "2")]),
    "empty": (str, "", []),
    "other currency": (str, "$1234.50", [("cell:€1,234.50", "€1,234.50")]),
    "other amount": (str, "€1234.05", [("cell:€1,234.50", "€1,234.50")]),
    "part of an amount": (str, "€234.50", [("cell:€1,234.50", "€1,234.50")]),
    "number and unit": (str, "1234.50 pieces", [("cell:€1,234.50", "€1,234.50")]),
}


def test_value_missing_from_the_page_is_refused(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """A value that is in none of its sources goes back to the model and is never returned."""
    html(PAGE)
    accepted = {}
    for name, (schema, value, read) in INVENTED.items():
        model.answers = [reads(value, *read), nothing("it is not there")]
        with contextlib.suppress(NotFound):
            accepted[name] = webtask.extract("that", schema, timeout=0)
    assert accepted == {}
    assert webtask.state.extracted == ()


def test_value_of_another_type_goes_back(webtask: Webtask, model: Scripted, html: Html) -> None:
    """A number as text is not taken for a number."""
    html(PAGE)
    model.answers = [reads("two", ("cell:2", "2")), reads(2, ("cell:2", "2"))]
    assert webtask.extract("the quantity", int, timeout=0) == 2


def test_number_in_words_is_left_to_the_referee(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """Code refuses a number only if its source has digits; words are left to the referee."""
    html("<p>two items left</p><p>Total 5</p>")
    model.answers = [reads(2, ("text:two items left", "two items left"))]
    model.scripts["referee"] = [rule(proves=True)]
    assert webtask.extract("how many are left", int, timeout=0) == 2
    model.answers = [reads(7, ("text:two items left", "two items left")), nothing("unclear")]
    model.scripts["referee"] = [rule(proves=False, missing="two is not seven")]
    with pytest.raises(NotFound):
        webtask.extract("how many are left", int, timeout=0)
    both = [("text:two items left", "two items left"), ("text:Total 5", "Total 5")]
    model.answers = [reads(2, *both), nothing("unclear")]
    with pytest.raises(NotFound):
        webtask.extract("how many are left", int, timeout=0)
    assert len(model.conclusions) == 2


def test_text_of_adjoining_elements_is_returned_as_the_page_writes_it(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """A blank that only the outline shows between elements is no part of the value."""
    html("<h3>53<sup>%</sup></h3>")
    model.answers = [reads("53 %", ("heading:53", "53 %"))]
    assert webtask.extract("the rate", str, timeout=0) == "53%"


def test_count_of_elements_is_a_value(webtask: Webtask, model: Scripted, html: Html) -> None:
    """A number can be the count of all elements of its kind."""
    html(PAGE)
    model.answers = [reads(2, counted=("row:Mug", "row:Plate"))]
    assert webtask.extract("how many products", int, timeout=0) == 2
    [source] = webtask.state.extracted[0].sources
    assert source.kind == "count"


@pytest.mark.parametrize(
    ("value", "counted"),
    [(3, ("row:Mug", "row:Plate")), (1, ("cell:Mug",)), (1, ("row:Mug",)), (0, ())],
)
def test_wrong_count_is_refused(
    webtask: Webtask, model: Scripted, html: Html, value: int, counted: tuple[str, ...]
) -> None:
    """A count is refused if it differs from the elements cited or leaves some out."""
    html(PAGE)
    model.answers = [reads(value, counted=counted), nothing("miscounted")]
    with pytest.raises(NotFound, match="miscounted"):
        webtask.extract("how many products", int, timeout=0)


def test_extracted_secret_is_masked_in_the_records(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """If a model answers `{key}`, the test gets the value and the records show the name."""
    html("<p>Key: k3y-abcdef</p>")
    model.answers = [reads("{key}", ("text:Key", "{key}"))]
    data = {"key": Secret("k3y-abcdef")}
    assert webtask.extract("the key", data=data, timeout=0) == "k3y-abcdef"
    [extracted] = webtask.state.extracted
    assert "k3y" not in "".join(source.model_dump_json() for source in extracted.sources)


@pytest.mark.parametrize("schema", [Page, Html])
def test_invalid_schema_is_a_usage_error(webtask: Webtask, html: Html, schema: Any) -> None:
    """An invalid schema is refused before any model is called."""
    html(PAGE)
    with pytest.raises(UsageError, match="not a type that pydantic can describe"):
        webtask.extract("that", schema, timeout=0)


def test_datetime_needs_its_date_and_time(webtask: Webtask, model: Scripted, html: Html) -> None:
    """A datetime is accepted only if its source has both the date and the time."""
    html("<p>Sent 2026-03-04 12:30</p>")
    model.answers = [reads("2026-03-04T12:30:00", ("text:Sent", "2026-03-04 12:30"))]
    assert webtask.extract("when", datetime, timeout=0) == datetime(2026, 3, 4, 12, 30)
    model.answers = [reads("2026-03-04T17:45:00", ("text:Sent", "2026-03-04 12:30")), nothing("no")]
    with pytest.raises(NotFound):
        webtask.extract("when", datetime, timeout=0)


@pytest.mark.webtask(screenshots="on")
def test_not_found_error_names_description_reason_and_page(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """The message holds the description, the reason, the page and its screenshot."""
    page = html(PAGE)
    model.answers = [nothing("there is no voucher field")]
    with pytest.raises(NotFound) as raised:
        webtask.extract("the voucher", timeout=0)
    first, *rest = str(raised.value).splitlines()
    assert first == "'the voucher' was not found: there is no voucher field"
    assert rest[0] == f"page: {page.url}"
    assert rest[1].startswith("screenshot: .webtask/runs/")
    assert not isinstance(raised.value, (AssertionError, Undecided))


# Selecting


def test_selected_element_is_a_lasting_locator(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """`select` returns a readable locator of exactly that element that can be used later."""
    page = html(
        "<ul><li>Mug <button>Remove</button><li>Plate <button data-x=b>Remove</button></ul>"
        "<label>Email <input id=e></label>"
    )
    model.answers = [chosen("button:Remove#1"), chosen("textbox:Email")]
    locator = webtask.select("the Remove button of the Plate", timeout=0)
    assert locator.count() == 1
    assert locator.get_attribute("data-x") == "b"
    assert "Plate" in str(locator) or "nth" in str(locator)
    assert "aria-ref" not in str(locator)
    webtask.select("the email field", timeout=0).fill("ann@example.org")
    assert page.input_value("#e") == "ann@example.org"
    assert webtask.state.extracted == ()


def test_text_can_be_selected(webtask: Webtask, model: Scripted, html: Html) -> None:
    """An element that only shows text can be selected."""
    html("<p>Subtotal €40.00</p><p>Total €41.00</p>")
    model.answers = [chosen("text:Total €41.00")]
    assert webtask.select("the total", timeout=0).inner_text() == "Total €41.00"


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


def test_selection_without_an_element_is_not_found(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """An unknown id goes back to the model; no element at all is NotFound."""
    html("<button>Buy</button>")
    model.answers = [chosen("button-77"), nothing("there is none")]
    with pytest.raises(NotFound, match="there is none"):
        webtask.select("the Sell button", timeout=0)


def test_select_of_a_vanished_element_is_refused(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """An element that has vanished since the observation cannot be selected."""
    page = html("<button>Buy</button>")

    def late(turn: Turn) -> Decision:
        decision = chosen("button:Buy")(turn)
        page.evaluate("document.querySelector('button').remove()")
        return decision

    model.answers = [late, nothing("it has gone"), nothing("it has gone")]
    with pytest.raises(NotFound, match="it has gone"):
        webtask.select("the Buy button", timeout=0)


def test_value_is_waited_for(webtask: Webtask, model: Scripted, html: Html) -> None:
    """A value that appears within the timeout is found, with one answer per changed page."""
    page = html("<p>Loading</p>")

    def early(turn: Turn) -> Decision:
        page.evaluate("setTimeout(() => document.body.innerHTML = '<p>Total 5</p>', 300)")
        return nothing("not yet")(turn)

    model.answers = [early, reads(5, ("text:Total 5", "5"))]
    assert webtask.extract("the total", int, timeout=20) == 5
    assert len(model.turns) == 2


DARK = """<label><input type=checkbox role=switch checked>Dark mode</label>
<label><input type=checkbox role=switch>Mail</label>"""


def with_evidence(
    answer: Callable[[Turn], Decision], *checks: dict[str, Any]
) -> Callable[[Turn], Decision]:
    """The same answer with further evidence."""

    def given(turn: Turn) -> Decision:
        [made] = answer(turn).calls
        evidence = [{**each, "element_id": cited(turn, each["element_id"])} for each in checks]
        parameters = {**made.parameters, "evidence": evidence}
        return Decision(calls=[ProposedToolCall(made.tool, parameters, made.reason)])

    return given


def test_boolean_of_a_control_needs_a_state_check(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """The name of a switch is no evidence that it is on; a check of its state is."""
    html(DARK)
    bare = reads(True, ("switch:Dark mode", "Dark mode"))
    on = {"kind": "state", "element_id": "switch:Dark mode", "state": "checked"}
    off = {"kind": "state", "element_id": "switch:Dark mode", "state": "unchecked"}
    visible = {**on, "state": "visible"}
    alone = with_evidence(reads(True), on)
    model.answers = [bare, with_evidence(bare, visible), alone]
    assert webtask.extract("is dark mode on", bool, timeout=0) is True
    [conclusion] = model.conclusions
    assert [fact["expected"] for fact in conclusion.facts] == ["checked"]
    model.answers = [with_evidence(reads(False), off), nothing("no such thing")]
    with pytest.raises(NotFound):
        webtask.extract("is dark mode on", bool, timeout=0)


def test_refused_selection_passes_with_further_evidence(
    webtask: Webtask, model: Scripted, html: Html
) -> None:
    """The refusal names the parameter `evidence`, and the same answer without it is refused too."""
    html(DARK)
    on = {"kind": "state", "element_id": "switch:Dark mode", "state": "checked"}
    model.scripts["referee"] = [
        rule(proves=False, missing="whether it is on"),
        rule(proves=True),
    ]
    choice = chosen("switch:Dark mode")
    seen: list[str] = []

    def repeated(turn: Turn) -> Decision:
        seen.append(str(turn.iterations[-1].calls[-1].error))
        return choice(turn)

    def better(turn: Turn) -> Decision:
        seen.append(str(turn.iterations[-1].calls[-1].error))
        return with_evidence(choice, on)(turn)

    model.answers = [choice, repeated, better]
    assert webtask.select("the switch that is on", timeout=0).is_checked()
    assert "pass in `evidence` checks" in seen[0]
    assert "Add to `evidence` a check of what is missing" in seen[1]
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
