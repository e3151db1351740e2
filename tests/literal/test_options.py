"""Claims about the options of lists and groups of radio buttons."""

import pytest

from tests.literal.names import Claims, Unexpected
from tests.own_fields import BUTTON
from tests.scripted import Html

SIZES = "<option value=''>Choose…</option><option>S<option>M<option value=3 label=L>large</option>"
NATIVE = f"""
<label>Size <select>{SIZES}<option disabled>XL<option hidden>XS<option style="display:none">XXL</select></label>
<label>Place <select><optgroup label=France><option>Office<option>Shop</optgroup>
<optgroup label=Spain disabled><option>Depot</optgroup><optgroup label=Oslo hidden><option>Barn</optgroup>
<optgroup label=Rome><option>Office</optgroup></select></label>
<label>Toppings <select multiple size=3><option>Ham<option>Olive</select></label>
<label>Color <select><option>Red</select></label><section><h2>Gift</h2><label>Color <select><option>Blue</select></label>
</section><label>Name <input></label><label>Empty <select></select></label>
"""
OF_NATIVE = [
    ('"Size" has the option "M"', "passed"),
    ('"Size" has the options "S" and "L"', "passed"),
    ('"Size" has the option "large"', "failed"),
    ('"Size" has the option "m"', 'failed: options of combobox "Size": expected the option "m", but the page has "'),
    ('"Size" has the options "S" and "XXS"', "failed"),
    ('"Size" has the option "Choose…"', "passed"),
    ('"Size" has the option "XL"', "undecided", 'the option "XL" is there, but disabled'),
    ('"Size" does not have the option "XL"', "undecided", "disabled"),
    ('"Size" does not have the option "XS"', "passed"),
    ('"Size" does not have the options "XS" and "M"', "failed", '"XL (disabled)"'),
    ('"Size" offers "L", "S" and "M"', "passed"),
    ('"Size" offers "Choose…", "S", "M" and "L"', "passed"),
    ('"Size" offers "S" and "M"', "failed", 'expected exactly "S", "M", but the page has "Choose…", "S"'),
    ('"Size" offers "S", "M", "L" and "XL"', "failed"),
    ('"Size" offers "S", "M" and "L" and "Name" is empty, "Size" has the option "S"', "passed"),
    ('"Place" offers "Office", "Shop" and "Office"', "passed"),
    ('"Place" offers "Office" and "Shop"', "failed"),
    ('"Place" does not have the option "Barn"', "passed"),
    ('"Size" does not have the option "m"', "undecided", 'the option "m" is there, but'),
    ('"Toppings" offers "Ham", "Olive"', "passed"),
    ('"Color" has the option "Red"', "undecided: 2 elements could be"),
    ('in "Gift": "Color" has the option "Red"', "failed"),
    ('"Color" in "Gift" has the option "Blue"', "passed"),
    ('"Colour" has the option "Red"', 'undecided: nothing that can be chosen from is called "Colour"'),
    ('"Name" does not have the option "Ann"', "undecided", "draws no options"),
    ('"Empty" does not have the option "S"', "passed"),
]  # fmt: skip
DRAWN: Claims = {
    "radio buttons": (
        "<fieldset><legend>Delivery</legend><label><input type=radio name=d>Express</label>"
        "<label><input type=radio name=d>Standard</label><label hidden><input type=radio name=d>Drone</label>"
        "<label><input type=radio name=d disabled>Pickup</label></fieldset>",
        [
            ('"Delivery" offers "Express" and "Standard", "Delivery" does not have the option "Drone"', "passed"),
            ('"Delivery" has the option "Pickup"', "undecided", "disabled"),
            ('"Delivery" offers "Express"', "failed"),
        ],
    ),
    "drawn radio buttons": (
        "<div role=radiogroup aria-label=Plan><span role=radio aria-checked=true>Free</span>"
        "<span role=radio aria-checked=false>Team</span></div>",
        [('"Plan" offers "Team", "Free"', "passed"), ('"Plan" does not have the option "Team"', "failed")],
    ),
    "open list": (
        "<ul role=listbox aria-label=Fruit><li role=option>Apple<li role=option aria-disabled=true>Fig</ul>"
        "<ul role=listbox aria-label=Nuts><li role=option>Hazel</ul>",
        [('"Fruit" offers "Apple"', "passed"), ('"Fruit" has the option "Hazel"', "failed")],
    ),
    "list that is not all drawn": (
        "<ul role=listbox aria-label=Fruit><li role=option aria-setsize=90>Apple<li role=option>Fig</ul>",
        [('"Fruit" does not have the option "Kiwi"', "undecided", "does not draw all that it has")],
    ),
    "closed combobox": (
        BUTTON,
        [('"Fruit" does not have the option "Kiwi"', "undecided", "draws no options", "first click it")],
    ),
    "open combobox beside another list": (
        BUTTON.replace("hidden", "").replace("</ul>", "<li role=option>Plum</ul>")
        + "<ul role=listbox aria-label=Nuts><li role=option>Hazel</ul>",
        [('"Fruit" offers "Plum"', "passed"), ('"Fruit" does not have the option "Hazel"', "passed")],
    ),
}  # fmt: skip


def test_options_of_a_select_are_those_that_can_be_chosen(
    html: Html, unexpected: Unexpected
) -> None:
    """Hidden options are none, a disabled one is not offered, and a placeholder may be left out."""
    html(NATIVE)
    assert not unexpected(OF_NATIVE)


@pytest.mark.parametrize("case", DRAWN)
def test_options_that_a_page_draws_are_those_on_the_screen(
    html: Html, unexpected: Unexpected, case: str
) -> None:
    """They are in the list or group of that name, which must show them."""
    markup, claims = DRAWN[case]
    html(markup)
    assert not unexpected(claims)
