"""Claims that a number, or how many elements there are, lies within a bound."""

import pytest

from pytest_webtask.errors import UsageError
from pytest_webtask.run.webtask import Webtask
from tests.literal.names import Claims, Unexpected
from tests.scripted import Html

ORDER = """
<section><h2>Order</h2><dl><dt>Total<dd>€1,250.50<dt>Tax<dd>-3.5<dt>Weight<dd>1.234 kg<dt>Loss<dd>−1,234
<dt>Share<dd>12 %<dt>Stock<dd>12 of 20<dt>Date<dd>2026-03-05<dt>Gift<dd>no<dt>Sum<dd>1.250,50 €
<dt>Price<dd><s>€20</s> €15</dl>
<table><tr><th>Item<th>Price<th>Pieces<tr><td>Mug<td>€12.50<td>2<tr><td>Pen<td>€3<td>10</table>
<label>Quantity <input value=3></label><label>Code <input type=password value=12></label>
<p>Items: <b>7</b></p><p>Points <b>5</b> <button>Use 2</button></p></section>
<section><h2>Cart</h2><p>Total <b>9</b></p></section>
"""
OF_ORDER = [
    ('"Total" in "Order" is at least 1250.5', "passed"),
    ('"Total" in "Order" is more than 1250.5', "failed", "expected more than 1250.5", "€1,250.50"),
    ('"Total" in "Order" is at most 1250', "failed: number of ", "expected at most 1250, but", "€1,250.50"),
    ('"Total" is at least 1', "undecided: 2 elements could be"),
    ('in "Cart": "Total" is less than 10', "passed"),
    ('in "Cart": "Total" is less than 9', "failed"),
    ('"Sum" is more than 1250 and "Sum" is less than 1251', "passed"),
    ('"Tax" is less than 0, "Tax" is at least -3.5', "passed"),
    ('"Tax" is more than -3.5', "failed"),
    ('"Loss" is less than -1000', "passed"),
    ('"Weight" is at least 10', "undecided: '1.234' may mean"),
    ('"Share" is fewer than 13', "passed"),
    ('"Stock" is at least 1', "undecided", "'12 of 20' is not a single number"),
    ('"Price" in "Order" is at least 1', "undecided"),
    ('"Date" is at least 1', "undecided", "not a single number"),
    ('"Gift" is at most 1', "undecided", "not a single number"),
    ('"Price" in the "Mug" row is at least 12.5', "passed"),
    ('"Price" in the "Pen" row is at least 12.5', "failed"),
    ('"Pieces" in the "Pen" row is more than 9', "passed"),
    ('the "Mug" row is at least 2', "undecided"),
    ('"Quantity" is at least 3', "passed"),
    ('"Quantity" is more than 3', "failed"),
    ('"Code" is more than 3', "undecided", "password"),
    ('"Items" is at least 7', "passed"),
    ('"Points" is at most 5', "passed"),
    ('"Discount" is at least 1', 'undecided: there is no "Discount"'),
]  # fmt: skip
PAGER = "<nav class=pagination><a href=#>1</a> <a href=#>2</a> <a href=# rel=next>Next</a></nav>"
ROWS = "<table><tr><th>No<tr><td>1001<tr><td>1002<tr><td>1003<tfoot><tr><td>3006</tfoot></table>"
COUNTS: Claims = {
    "whole list": (
        f"<section><h2>Orders</h2>{ROWS}</section><button>Remove</button><button>Remove</button>",
        [
            ('there are at least 3 rows in "Orders"', "passed"),
            ('there are more than 3 rows in "Orders"', 'failed: there are 3 rows in "Orders", not at least 4'),
            ('there are at most 3 rows in "Orders"', "passed"),
            ('there are fewer than three rows in "Orders"', "failed: ", "not at most 2"),
            ('there are less than 4 rows in "Orders"', "passed"),
            ('there are at least 2 "Remove" buttons', "passed"),
            ('there are at least 3 "Remove" buttons', "failed"),
            ('there are fewer than 1 "Save" buttons', "passed"),
            ('there is at least 1 "Save" button', 'failed: there are no "Save" buttons; there is "Remove"'),
            ('there are at least 0 rows in "Invoices"', 'undecided: there is no "Invoices"'),
        ],
    ),
    "further pages": (
        f"<section><h2>Orders</h2>{ROWS}{PAGER}</section>",
        [
            ('there are more than 2 rows in "Orders"', "passed"),
            ('there are at most 2 rows in "Orders"', "failed"),
            ('there are at most 3 rows in "Orders"', "undecided", "there may be more than are shown: page numbers 1, 2"),
            ('there are at least 4 rows in "Orders"', "undecided", "there may be more"),
        ],
    ),
    "filtered list": (
        f"<section><h2>Orders</h2><input type=search aria-label=Search value=100>{ROWS}</section>",
        [('there are at most 3 rows in "Orders"', "passed"), ('there are at least 4 rows in "Orders"', "failed")],
    ),
    "rows that are not drawn": (
        ROWS.replace("<table", "<table aria-label=Orders aria-rowcount=57"),
        [
            ('there are at least 3 rows in "Orders"', "passed"),
            ('there are at least 4 rows in "Orders"', "undecided", "draws only"),
            ('there are fewer than 9 rows in "Orders"', "undecided", "draws only"),
            ('there are at most 2 rows in "Orders"', "failed"),
        ],
    ),
}  # fmt: skip


def test_bound_of_a_number_is_that_of_the_text_a_name_labels(
    html: Html, unexpected: Unexpected
) -> None:
    """One plain number is compared; what shows none, several or an ambiguous one is undecided."""
    html(ORDER)
    assert not unexpected(OF_ORDER)


@pytest.mark.parametrize("case", COUNTS)
def test_bound_of_a_count_holds_only_if_no_further_element_can_change_it(
    html: Html, unexpected: Unexpected, case: str
) -> None:
    """What other pages or undrawn rows may change is undecided."""
    markup, claims = COUNTS[case]
    html(markup)
    assert not unexpected(claims)


def test_bound_is_a_plain_number(html: Html, webtask: Webtask) -> None:
    """A value of the data may be the bound, but none with a unit, whose currency would not count."""
    html(ORDER)
    webtask.verify('"Tax" is at most {most}', data={"most": "-2"})
    with pytest.raises(UsageError, match="needs a plain number"):
        webtask.verify('"Tax" is at most {most}', data={"most": "$2"})
    with pytest.raises(UsageError, match="expected a plain number"):
        webtask.verify('"Tax" is at most 1.000')
