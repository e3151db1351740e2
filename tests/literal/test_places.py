"""Tests of places: next to, in, under, and frames."""

import pytest
from playwright.sync_api import Page

from pytest_webtask.literal.waiting import find_element
from tests.literal.names import SHOP, find_id, parse_phrase, refusal

IN_SHOP = {
    'click "Add to cart" next to "Mug"': "mug",
    'click "Add to cart" next to "Mug holder"': "holder",
    'click "Add to cart" in "mug HOLDER"': "holder",
    'choose "Express" under "Delivery"': "d1",
    'choose "Express" in "Delivery"': "d1",
    'choose "Express" under "Gift wrap"': "g1",
    'click "Empty" in "Cart"': "empty",
    'click "Empty" in "Account"': "wipe",
    # A word for the kind of place.
    'click "Add to cart" in the "Mug" row': "mug",
    'click "Add to cart" next to the "Mug" cell': "mug",
    'click "Empty" in the "Account" group': "wipe",
    'click "Empty" in the "Cart" section': "empty",
    'choose "Express" under the "Gift wrap" heading': "g1",
}
BUY = [
    "<ul><li><h3>Mug</h3><form><button id=x>Buy</button></form></li>"
    "<li><h3>Pen</h3><button>Buy</button></li></ul>",
    "<div class=card><img alt=Mug width=9 height=9><div><button id=x>Buy</button></div>"
    "</div><div class=card><img alt=Pen><div><button>Buy</button></div></div>",
    "<div class=row><div class=col>Mug</div><div class=col><button id=x>Buy</button></div></div>"
    "<div class=row><div class=col>Pen</div><div class=col><button>Buy</button></div></div>",
    "<div><div class=row><i>Mug</i><i>12</i><button id=x>Buy</button></div>"
    "<div class=row><i>Pen</i><i>13</i><button>Buy</button></div></div>",
    "<table><tr><td>Mug<td>12<td><button id=x>Buy</button><tr><td>Pen<td>13<td><button>Buy</button></table>",
    "<ul><li>Mug <button id=x>Buy</button><li>Mug holder <button>Buy</button></ul>",
    "<dl><dt>Mug<dd><button id=x>Buy</button><dt>Pen<dd><button>Buy</button></dl>",
]
PLACES = [
    *(('click "Buy" next to "Mug"', markup) for markup in BUY),
    ('click "OK" in "Delete?"', "<div role=dialog aria-labelledby=t><h2 id=t>Delete?</h2><button id=x>OK"
     "</button></div><button>OK</button>"),
    ('click "Go" in "B"', "<div><h3>A</h3><button>Go</button></div><div><h3>B</h3><button id=x>Go</button></div>"),
    ('fill "n" under "Qty" with "1"', "<table><tr><th>Name<th>Qty<th>Max<tr><td>Mug<td>"
     "<input id=x aria-label=n><td><input aria-label=n></table>"),
    ('choose "M" under "Size"', "<p><b>Size</b></p><label><input type=radio id=x>M</label><p><b>Fit</b></p>"
     "<label><input type=radio>M</label>"),
    ('click "Delete" next to "Mug"', "<table><tr><td><a href=#>Mug</a><td><button aria-haspopup=menu>More"
     "</button><ul><li><button id=x>Delete</button></ul><tr><td>Pen<td><button>Delete</button></table>"),
]  # fmt: skip


class TestQualifiers:
    def test_places_distinguish_equal_names(self, page: Page) -> None:
        """Rows, regions, fieldsets and headings distinguish elements of one name."""
        page.set_content(SHOP)
        assert {phrase: find_id(page, phrase) for phrase in IN_SHOP} == IN_SHOP

    @pytest.mark.parametrize(("phrase", "markup"), PLACES)
    def test_places_follow_common_markup(self, page: Page, markup: str, phrase: str) -> None:
        """List items, cards, grids, definition lists, dialogs and columns are places."""
        page.set_content(markup)
        assert find_id(page, phrase) == "x"

    def test_kind_of_place_narrows_the_candidates(self, page: Page) -> None:
        """A name in no place of the given kind is no place."""
        page.set_content(
            "<ul><li>Mug <button id=x>Buy</button></ul>"
            "<table><tr><td><a href=#>Mug</a><td><button id=y>Buy</button></table>"
        )
        assert "2 elements" in refusal(page, 'click "Buy" next to "Mug"')
        assert find_id(page, 'click "Buy" in the "Mug" item') == "x"
        assert find_id(page, 'click "Buy" in the "Mug" row') == "y"
        assert find_id(page, 'click "Buy" next to the "Mug" link') == "y"
        assert refusal(page, 'click "Buy" next to the "Mug" heading') == (
            'there is no "Mug" heading on this page (waited 0.3 s); if one of these is meant, write it:\n  "Mug"'
            '\n  button "Buy" in list item "Mug"\n  button "Buy" in row "Mug"'
        )

    def test_locator_names_the_row(self, page: Page) -> None:
        """The locator of an element with a place depends on the row's text, not on a position."""
        page.set_content(SHOP)
        found = find_element(page, parse_phrase('click "Add to cart" next to "Mug"'), 1)
        code, locator = found.address()
        page.evaluate(
            "document.querySelector('tbody').prepend(document.querySelector('tr:last-child'))"
        )
        assert locator.get_attribute("id") == "mug"
        assert "Mug" in code and code.endswith(
            'get_by_role("button", name="Add to cart", exact=True)'
        )


class TestFrames:
    FRAME = '<iframe title="{}" srcdoc="<button id=x>Pay</button>" {}></iframe>'

    def test_frame_title_is_a_place(self, page: Page) -> None:
        """The title of a frame distinguishes an element in it from its twin outside."""
        page.set_content("<p>Total</p>" + self.FRAME.format("Card", ""))
        page.frame_locator("iframe").locator("#x").wait_for()
        page.evaluate(
            "document.querySelector('p').insertAdjacentHTML('beforeend', '<button>Pay</button>')"
        )
        assert "2 elements" in refusal(page, 'click "Pay"')
        assert find_id(page, 'click "Pay" in "card"') == "x"
        assert find_id(page, 'click "Pay" in the "card" frame') == "x"
        assert 'no "card" row' in refusal(page, 'click "Pay" in the "card" row')
