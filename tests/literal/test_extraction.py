"""Tests of literal extract() and select()."""

from decimal import Decimal
from typing import Any

import pytest
from playwright.sync_api import Page
from pydantic import create_model

from pytest_webtask.errors import MissingRecording, NotLiteral, Undecided, WebtaskError
from pytest_webtask.literal import LiteralModel, NoModel
from pytest_webtask.run.webtask import Webtask
from pytest_webtask.types.agent import ToolSpec, Turn
from tests.scripted import FixedPage, Html, Scripted, call

SHOP = """
<main><h1>Shop</h1>
<section aria-label=Cart><h2>Cart</h2>
<table><thead><tr><th>Item<th>Total<td></thead>
<tr><th scope=row>Mug<td>€12.50<td><button id=mug>Remove</button>
<tr><th scope=row>Plate<td>€1,024.00<td><button id=plate>Remove</button></table>
<dl><dt>Tax<dd>€4<dt>Total<dd>€1,036.50</dl></section>
<p>Stock: <b>7</b></p>
<output aria-label=Visitors>12</output>
<label>Email <input value="a@b.c"></label><label>Name <input placeholder=Ann></label>
<label>Size <select><option>S<option selected>M</select></label>
<button id=buy>Buy</button> <button>Buy later</button>
<ul><li><b>Bowl</b> <o:p id=bowl>Made 2025</o:p><li><b>Jug</b> <o:p>Made 2026</o:p></ul>
</main>
"""

VALUES = [
    ('the text of "Total"', str, "€1,036.50"),
    ('the text of "Mug"', str, "€12.50"),
    ('the text of "Plate" in "Cart"', Decimal, Decimal("1024.00")),
    ('the text of "Total" in the "Mug" row', str, "€12.50"),
    ('the text of "Stock"', int, 7),
    ('the text of "Visitors"', int, 12),
    ('the text of "Mug"', float, 12.5),
    ('the value of "Email"', str, "a@b.c"),
    ('the value of "Size"', str, "M"),
    ('the value of "Name"', str, ""),
]
UNREADABLE = [
    ('the text of "Sum"', str, 'there is no "Sum"'),
    ('the text of "Remove"', str, "2 elements could be"),
    ('the text of "Email"', str, "is only the name of a textbox"),
    ('the text of "Mug"', int, "is not a whole number"),
    ('the value of "Mail"', str, "nothing that can be filled"),
]
SELECTED = [
    ('"Remove" next to "Mug"', "mug"),
    ('the "Remove" button in the "Plate" row', "plate"),
    ('"Buy"', "buy"),
    # The name of its tag is none that a path can have.
    ('"Made 2025"', "bowl"),
]


def reading(what: str, page: Page) -> Turn:
    """A turn of a reader."""
    tools = [ToolSpec("report_value", "", create_model("Given", value=(str, ...)))]
    return Turn("reader", what, tools, FixedPage(page), timeout=0.1)


class TestExtract:
    def test_extract_returns_the_value_in_the_schema(self, webtask: Webtask, html: Html) -> None:
        """A value is what the page shows, as the requested type."""
        html(SHOP)
        for what, schema, expected in VALUES:
            value: Any = webtask.extract(what, schema, timeout=1)
            assert (value, type(value)) == (expected, type(expected)), what

    def test_extract_refuses_missing_or_ambiguous_names(self, webtask: Webtask, html: Html) -> None:
        """A name that is missing, ambiguous or no number is an error that says so."""
        html(SHOP)
        for what, schema, reason in UNREADABLE:
            with pytest.raises(WebtaskError, match=reason):
                webtask.extract(what, schema, timeout=0.1)

    def test_extract_reads_url_and_title_of_page(self, html: Html) -> None:
        """The URL and the title are cited as sources of their own."""
        page = html(SHOP)
        for what, value in (("url", "about:blank"), ("title", "Test page")):
            turn = reading(f"the {what.replace('url', 'URL')}", page)
            (call,) = LiteralModel().decide(turn).calls
            assert call.parameters["value"] == value
            assert call.parameters["read"] == [{"element_id": what, "text": value}]

    def test_extract_waits_for_the_value(self, webtask: Webtask, html: Html) -> None:
        """A value that appears in time is extracted."""
        page = html("<h1>Shop</h1>")
        late = "document.body.insertAdjacentHTML('beforeend', '<dl><dt>Total<dd>€4</dl>')"
        page.evaluate(f"setTimeout(() => {late}, 200)")
        assert webtask.extract('the text of "Total"', timeout=5) == "€4"

    def test_extract_refuses_other_sentences(self, webtask: Webtask, html: Html) -> None:
        """A sentence that cannot be parsed is refused with all forms."""
        html(SHOP)
        with pytest.raises(NotLiteral, match=r'these can be extracted(.|\n)*the text of "Total"'):
            webtask.extract("the total")
        with pytest.raises(NotLiteral, match="expected the end"):
            webtask.extract("the URL, the title")

    def test_error_without_a_model_advises_to_record(self, html: Html) -> None:
        """Free English is to be recorded; where nothing is, the sentence is explained."""
        page = html(SHOP)
        with pytest.raises(MissingRecording):
            NoModel(lambda: "record it").decide(reading("the total", page))
        with pytest.raises(NotLiteral, match="no recording of 'the total', and no model is set\n"):
            NoModel(lambda: "").decide(reading("the total", page))


class TestSelect:
    def test_select_finds_by_name_role_and_place(self, webtask: Webtask, html: Html) -> None:
        """An element is selected by its name, role and place, as in `do`."""
        html(SHOP)
        for description, element in SELECTED:
            assert webtask.select(description).get_attribute("id") == element, description

    def test_select_refuses_other_descriptions(self, webtask: Webtask, html: Html) -> None:
        """A name that no element or several have is an error with the candidates, as is what is no name."""
        html(SHOP)
        refused = {'"Remove"': "2 elements could be", '"Sell"': "nothing that can be clicked"}
        for description, reason in refused.items():
            with pytest.raises(WebtaskError, match=reason):
                webtask.select(description, timeout=0.1)
        with pytest.raises(NotLiteral, match="an element is selected"):
            webtask.select("the first button")


class TestBeforeAModel:
    @pytest.fixture
    def webtask_model(self, model: Scripted) -> Scripted:
        """The model that the interpreter falls back to."""
        return model

    def test_literal_sentences_ask_no_model(
        self, webtask: Webtask, model: Scripted, html: Html
    ) -> None:
        """A literal claim, extraction or selection asks no model."""
        html(SHOP)
        webtask.verify('"Cart" shows "Mug"')
        assert not webtask.holds('"Cart" shows "Bowl"', timeout=0)
        assert webtask.extract('the text of "Tax"') == "€4"
        assert webtask.select('"Buy"').get_attribute("id") == "buy"
        assert model.turns == []

    def test_other_sentence_asks_model(self, webtask: Webtask, model: Scripted, html: Html) -> None:
        """The model is asked about a sentence that cannot be parsed or resolved."""
        html(SHOP)
        nothing = call("report_verdict", outcome="cannot_tell", reason="nobody knows")
        for claim in ('"Basket" shows "Mug"', "the cart is full"):
            model.answers = [nothing]
            with pytest.raises(Undecided, match="nobody knows"):
                webtask.verify(claim, timeout=0)
        assert [turn.task for turn in model.turns] == ['"Basket" shows "Mug"', "the cart is full"]
