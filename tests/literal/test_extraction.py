"""What the literal interpreter reads off a page, and the elements that it selects."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from playwright.sync_api import Page
from pydantic import create_model

from pytest_webtask.errors import MissingRecording, NotLiteral, Undecided, WebtaskError
from pytest_webtask.literal import LiteralModel, NoModel
from pytest_webtask.types.agent import ToolSpec, Turn
from pytest_webtask.webtask import Webtask
from tests.scripted import Scripted, call

Html = Callable[[str], Page]

SHOP = """
<main><h1>Shop</h1>
<section aria-label=Cart><h2>Cart</h2>
<table><thead><tr><th>Item<th>Price<th></thead>
<tr><th scope=row>Mug<td>€12.50<td><button id=mug>Remove</button>
<tr><th scope=row>Plate<td>€1,024.00<td><button id=plate>Remove</button></table>
<dl><dt>Tax<dd>€4<dt>Total<dd>€1,036.50</dl></section>
<p>Stock: <b>7</b></p>
<output aria-label=Visitors>12</output>
<label>Email <input value="a@b.c"></label><label>Name <input placeholder=Ann></label>
<label>Size <select><option>S<option selected>M</select></label>
<button id=buy>Buy</button> <button>Buy later</button>
</main>
"""


@pytest.fixture
def webtask_model() -> LiteralModel:
    """The interpreter itself."""
    return LiteralModel()


class TestExtract:
    @pytest.mark.parametrize(
        ("what", "schema", "value"),
        [
            ('the text of "Total"', str, "€1,036.50"),
            ('text of "Tax"', str, "€4"),
            ('the text of "Mug"', str, "€12.50"),
            ('the text of "Plate" in "Cart"', Decimal, Decimal("1024.00")),
            ('the text of "Stock"', int, 7),
            ('the text of "Visitors"', int, 12),
            ('the text of "Visitors"', str, "12"),
            ('the text of "Mug"', float, 12.5),
            ('the value of "Email"', str, "a@b.c"),
            ('the value of "Size"', str, "M"),
            ('the value of "Name"', str, ""),
        ],
    )
    def test_values(
        self, webtask: Webtask, html: Html, what: str, schema: type, value: object
    ) -> None:
        """A value is what stands on the page, as the type that is wanted."""
        html(SHOP)
        found = webtask.extract(what, schema, timeout=1)
        assert (found, type(found)) == (value, type(value))

    @pytest.mark.parametrize(
        ("what", "schema", "reason"),
        [
            ('the text of "Sum"', str, 'there is no "Sum"'),
            ('the text of "Remove"', str, "2 elements could be"),
            ('the text of "Email"', str, "is a field"),
            ('the text of "Mug"', int, "is not a whole number"),
            ('the value of "Mail"', str, "nothing that can be filled"),
        ],
    )
    def test_what_cannot_be_read(
        self, webtask: Webtask, html: Html, what: str, schema: type, reason: str
    ) -> None:
        """What is not there, or several things, is no value."""
        html(SHOP)
        with pytest.raises(WebtaskError, match=reason):
            webtask.extract(what, schema, timeout=0.1)

    @pytest.mark.parametrize(
        ("what", "value"), [("the URL", "about:blank"), ("the title", "Test page")]
    )
    def test_address_and_title(self, html: Html, what: str, value: str) -> None:
        """The page's address and title are said to be read off the page itself."""
        page = html(SHOP)
        tools = [ToolSpec("report_value", "", create_model("Given", value=(str, ...)))]
        turn = Turn("reader", what, tools, page, lambda: pytest.fail("it looked"), timeout=0.1)
        (call,) = LiteralModel().decide(turn).calls
        assert call.parameters["value"] == value
        assert call.parameters["read"] == [{"element_id": what.split()[1].lower(), "text": value}]

    def test_a_value_that_appears(self, webtask: Webtask, html: Html) -> None:
        """A value that is not there yet is waited for."""
        page = html("<h1>Shop</h1>")
        page.evaluate(
            "setTimeout(() => document.body.insertAdjacentHTML('beforeend',"
            " '<dl><dt>Total<dd>€4</dl>'), 500)"
        )
        assert webtask.extract('the text of "Total"', timeout=5) == "€4"

    def test_what_is_no_wish(self, webtask: Webtask, html: Html) -> None:
        """Other sentences are refused, with all that can be said."""
        html(SHOP)
        with pytest.raises(NotLiteral, match=r'What can be extracted(.|\n)*the text of "Total"'):
            webtask.extract("the total")
        with pytest.raises(NotLiteral, match="expected the end"):
            webtask.extract("the URL, the title")

    def test_unsupported_forms_are_no_missing_recordings(self, html: Html) -> None:
        """Where only recordings are replayed, advice to record is for other sentences."""
        page = html(SHOP)
        tools = [ToolSpec("report_value", "", create_model("Given", value=(str, ...)))]
        only = NoModel(lambda: "record it")
        for what, error in (("the number of rows", NotLiteral), ("the total", MissingRecording)):
            turn = Turn("reader", what, tools, page, lambda: pytest.fail("it looked"), timeout=0.1)
            with pytest.raises(error):
                only.decide(turn)


class TestSelect:
    @pytest.mark.parametrize(
        ("description", "element"),
        [
            ('"Remove" next to "Mug"', "mug"),
            ('the "Remove" button in the "Plate" row', "plate"),
            ('"Buy"', "buy"),
        ],
    )
    def test_a_name(self, webtask: Webtask, html: Html, description: str, element: str) -> None:
        """An element is selected by its name, role and place, as in `do`."""
        html(SHOP)
        locator = webtask.select(description)
        assert locator.get_attribute("id") == element

    @pytest.mark.parametrize(
        ("description", "reason"),
        [('"Remove"', "2 elements could be"), ('"Sell"', "nothing that can be clicked")],
    )
    def test_none_and_several(
        self, webtask: Webtask, html: Html, description: str, reason: str
    ) -> None:
        """No element, or several, is an error with the candidates."""
        html(SHOP)
        with pytest.raises(WebtaskError, match=reason):
            webtask.select(description, timeout=0.1)

    def test_what_is_no_name(self, webtask: Webtask, html: Html) -> None:
        """Other sentences are refused."""
        html(SHOP)
        with pytest.raises(NotLiteral, match="What can be selected"):
            webtask.select("the first button")


class TestBeforeAModel:
    @pytest.fixture
    def webtask_model(self, model: Scripted) -> Scripted:
        """A model that is asked what the interpreter cannot tell."""
        return model

    def test_what_it_reads_itself(self, webtask: Webtask, model: Scripted, html: Html) -> None:
        """A literal claim, reading or name asks no model, and what it finds false stays so."""
        html(SHOP)
        webtask.verify('"Cart" shows "Mug"')
        assert not webtask.holds('"Cart" shows "Bowl"', timeout=0)
        assert webtask.extract('the text of "Tax"') == "€4"
        assert webtask.select('"Buy"').get_attribute("id") == "buy"
        assert model.turns == []

    def test_unsupported_forms_are_not_left_to_the_model(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """An order or a number of things raises NotLiteral with the nearest form and asks nobody."""
        html(SHOP)
        with pytest.raises(NotLiteral, match="for a model to judge"):
            webtask.verify('"Mug" comes before "Plate"')
        with pytest.raises(NotLiteral, match="there are 3"):
            webtask.extract('the number of "Remove" buttons', int)
        assert model.turns == []

    def test_what_it_cannot_tell(self, webtask: Webtask, model: Scripted, html: Html) -> None:
        """What it cannot read, or not resolve, the model is asked."""
        html(SHOP)
        nothing = call("report_verdict", outcome="cannot_tell", reason="nobody knows")
        for claim in ('"Basket" shows "Mug"', "the cart is full"):
            model.answers = [nothing]
            with pytest.raises(Undecided, match="nobody knows"):
                webtask.verify(claim, timeout=0)
        assert [turn.task for turn in model.turns] == ['"Basket" shows "Mug"', "the cart is full"]
