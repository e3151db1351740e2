"""Tests of literal claims about values, states, numbers, URL and title."""

import pytest
from playwright.sync_api import Page

from pytest_webtask.data.values import Secret
from pytest_webtask.errors import UsageError
from pytest_webtask.run.webtask import Webtask
from tests.literal.names import Claims, Outcome, Unexpected
from tests.scripted import Html
from tests.site import Site

FORM = """
<form><h2>Order</h2>
<label>Email <input value="a@b.c" required></label>
<label>Name <input placeholder=Ann></label>
<label>Code * <input value="12 "></label>
<label>Note <textarea>Hi</textarea></label>
<label>Size <select><option>S<option selected>M</select></label>
<label>Password <input type=password value=hush></label>
<label><input type=checkbox checked> I agree</label>
<label><input type=checkbox> News</label>
<label><input type=checkbox id=mixed> All</label>
<label><input type=radio name=d checked> Express</label><label><input type=radio name=d> Post</label>
<button disabled>Buy</button> <button type=button>Buy later</button>
<button type=button aria-expanded=false>Menu</button> <button type=button aria-expanded=true>Help</button>
<button type=button aria-pressed=true>Bold</button><details><summary>Terms</summary>Long</details>
<div role=tablist><button type=button role=tab aria-selected=true>Details</button>
<button type=button role=tab aria-selected=false>Reviews</button></div>
<label>Phone <input aria-invalid=true></label>
<div contenteditable aria-label=Editor role=textbox>Some text</div>
<img alt=Photo src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" width=9><img alt=Map src=data:,>
</form>
<script>document.querySelector('#mixed').indeterminate = true</script>
"""
LISTS = """
<nav><ul><li><a href=#>Home</a><li><a href=#>Shop</a></ul></nav>
<main><h1>Shop</h1>
<section><h2>Orders</h2><table><thead><tr><th>Number<th>Total</thead>
<tr><td>MUG-1<td>€12 <button>Remove</button><tr><td>MUG-2<td>€24 <button>Remove</button>
<tr hidden><td>MUG-3<td>€36 <button>Remove</button></table></section>
<section aria-label=Cart><ul><li>Mug <button>Remove</button><li>Plate<li hidden>Ghost</ul>
<button>Remove all</button></section>
<section aria-label=Empty><table><thead><tr><th>Number</thead></table></section>
<section aria-label=Old><ul></ul><p>Nothing yet</section>
</main>
"""

VALUES = [
    ('"Email" has value "a@b.c"', "passed"),
    ('"Note" has value "Hi"', "passed"),
    ('"Size" has value "M"', "passed"),
    ('"Editor" has value "Some text"', "passed"),
    ('"Code" has value "12 "', "passed"),
    ('"Name" is empty', "passed"),
    (
        '"Email" has value "a@b"',
        'failed: value of textbox "Email": expected = "a@b", but the page has a@b.c',
    ),
    ('"Email" has value "A@b.c"', "failed"),
    (
        '"Name" has value "Ann"',
        'failed: value of textbox "Name": expected = "Ann", but the page has nothing',
    ),
    ('"Email" is empty', 'failed: value of textbox "Email"'),
    ('"Mail" has value "a@b.c"', "undecided: nothing that can be filled"),
    ('"Order" is empty', "undecided: nothing that can be filled"),
    ('"I agree" has value "on"', "undecided"),
    ('"Password" has value "hush"', "undecided: "),
]
STATES = [
    ('"Buy" is disabled', "passed"),
    ('"Buy later" is enabled', "passed"),
    ('"I agree" is checked', "passed"),
    ('"News" is unchecked', "passed"),
    ('"Bold" is pressed', "passed"),
    ('"Bold" is not pressed', "failed"),
    ('"Menu" is not pressed', "undecided"),
    ('"Menu" is collapsed', "passed"),
    ('"Help" is expanded', "passed"),
    ('"Details" is selected', "passed"),
    ('"Email" is required', "passed"),
    ('"Phone" is invalid', "passed"),
    ('"Photo" is loaded', "passed"),
    ('"Map" is loaded', "failed: "),
    ('"Buy" is visible', "passed"),
    ('"Buy" is enabled', 'failed: state of button "Buy": expected enabled, but it is disabled'),
    (
        '"News" is checked',
        'failed: state of checkbox "News": expected checked, but it is not checked',
    ),
    ('"All" is not checked', 'failed: state of checkbox "All"'),
    ('"Later" is enabled', "undecided: nothing that can be operated is called"),
    ('"Order" is disabled', "undecided"),
    ('"Buy" is checked', "undecided: nothing that can be checked"),
    ('"Buy" is expanded', "undecided"),
    ('"Name" is not required', "passed"),
    ('"Email" is not required', "failed"),
    ('"Post" is not required', "undecided"),
    ('"Email" is valid', "passed"),
    ('"Phone" is not invalid', "failed"),
    ('"Email" is not focused', "passed"),
    ('"Reviews" is not selected', "passed"),
    ('"Details" is not selected', "failed: state of tab"),
    ('"Express" is selected', "passed"),
    ('"Map" is not loaded', "passed"),
]
CHOICES = [
    ('the "Home" link is selected', "passed"),
    ('"Home" is not current', "failed"),
    ('"Shop" is not selected', "passed"),
    ('"Shop" is current', "failed: state of link"),
    ('"Help" is not selected', "undecided", "does not say"),
    ('the "Save" button is selected', "undecided", "does not say"),
    ('the "Pen" row is not selected', "undecided", "does not say"),
    ('"3" is current', "passed"),
    ('"Previous" is disabled', "passed"),
    ('"Next" is disabled', "passed"),
    ('"Last" is not focused', "undecided"),
    ('"Plain" is disabled', "undecided"),
    ('"Code" is valid', "undecided"),
]
PAGER = """
<nav><a href=#a aria-current=page>Home</a> <a href=#b>Shop</a></nav><a href=#h>Help</a> <button>Save</button>
<table><tr><th>Pen<td>2</table><input aria-label=Code required>
<ul><li aria-disabled=true><span>Previous</span><li><a aria-disabled=true>Next</a>
<li><span aria-disabled=true>Last</span><li aria-current=page><span>3</span><li class=disabled><span>Plain</span></ul>
"""
COUNTS = [
    ('there are 2 rows in "Orders"', "passed"),
    ('there are two rows in the "Orders" section', "passed"),
    ('there are 2 items in "Cart"', "passed"),
    ('there are 2 "Remove" buttons in "Orders"', "passed"),
    ('there is 1 "Remove" button in the "MUG-1" row', "passed"),
    ('there is no "Remove" button in the "Plate" item', "passed"),
    ('there are no rows in "Empty"', "passed"),
    ('there are no items in "Old"', "passed"),
    ('there is no "Save" button', "passed"),
    ("there are no sliders", "passed"),
    (
        'there are 3 rows in "Orders"',
        'failed: there are 2 rows in "Orders", not 3; there is "MUG-1',
    ),
    ('there are 4 "Remove" buttons', 'failed: there are 3 "Remove" buttons, not 4'),
    ('there is no "Remove" button', 'failed: there are 3 "Remove" buttons, not none'),
    ('there are 2 rows in "Cart"', 'failed: there are no rows in "Cart", not 2'),
    ('there are 2 rows in "Invoices"', 'undecided: there is no "Invoices"'),
    ('there are no rows in "Invoices"', 'undecided: there is no "Invoices"'),
    ('there are no rows in "Home"', 'undecided: "Home" is only the name of a'),
]
PAGES = [
    ('the URL is "/orders/12?page=2"', "passed"),
    ('the URL contains "page=2"', "passed"),
    ('the URL contains "/orders/12"', "passed"),
    ('the URL contains "order*"', "passed"),
    ('the URL contains "order"', "failed"),
    ('the URL contains "/orders/1"', "failed"),
    ('the URL ends with "page=2"', "passed"),
    ('the title is "Orders – Shop"', "passed"),
    ('the title contains "Orders"', "passed"),
    ('the URL is "/orders/12"', "passed"),
    ('the URL is "/orders/12?page=1"', "failed: url of the page's address"),
    ('the URL ends with "/orders/12"', "passed"),
    ('the URL contains "order?"', "failed"),
    (
        'the title is "Orders"',
        'failed: title of the page\'s title: expected "Orders", but the page has Orders – Shop',
    ),
    ('the title is "orders – shop"', "failed"),
    ('the title contains "Order"', "failed"),
]


class TestFields:
    def test_claim_is_about_the_field_of_that_name(
        self, html: Html, unexpected: Unexpected
    ) -> None:
        """The value of a field is compared as a whole, and a state is that of the control with exactly that name."""
        html(FORM).get_by_label("Name").focus()
        assert not unexpected([*VALUES, *STATES, ('"Name" is focused', "passed")])

    def test_choice_is_what_says_so(self, html: Html, unexpected: Unexpected) -> None:
        """A link is selected if it is current, a part disabled if it says so, and nothing is not so that cannot be."""
        html(PAGER)
        assert not unexpected(CHOICES)

    def test_secret_value_is_compared_and_masked(self, html: Html, webtask: Webtask) -> None:
        """A field can be claimed to hold a secret, which the verdict does not contain."""
        html(FORM)
        data = {"pw": Secret("hush"), "other": Secret("hash")}
        verdict = webtask.verify('"Password" has value {pw}', data=data)
        assert "hush" not in str(verdict)
        assert not webtask.holds('"Password" has value {other}', data=data, timeout=0)

    def test_secret_can_be_claimed_absent_only(self, html: Html, webtask: Webtask) -> None:
        """A page can be claimed not to show a secret, but not to show one."""
        html("<p>hush")
        data = {"pw": Secret("hush"), "other": Secret("hash")}
        webtask.verify("the page does not show {other}", data=data)
        assert not webtask.holds("the page does not show {pw}", data=data, timeout=0)
        with pytest.raises(UsageError, match="is a secret"):
            webtask.verify("the page shows {pw}", data=data)

    def test_joined_claims_make_one_check_each(self, html: Html, webtask: Webtask) -> None:
        """Each clause of a joined claim adds its own check."""
        row = "<tr><td>{0}<td><label>Pieces <input value={1}></label><label><input type=checkbox {2}>Gift</label>"
        html(
            "<table aria-label=Cart>"
            + (row + "<button>Remove</button>").format("Mug", 2, "checked")
            + (row + "<td>sold out<td><button disabled>Remove</button>").format("Plate", 1, "")
            + "</table>"
        )
        verdict = webtask.verify(
            '"Pieces" in the "Plate" row has value "1", "Gift" in the "Plate" row is not checked,'
            ' "Remove" in the "Plate" row is disabled, the "Plate" row in "Cart" shows "sold out",'
            ' there is 1 button in the "Plate" row and "sold out" in the "Mug" row is not shown',
            timeout=1,
        )
        kinds = [check.kind for check in verdict.evidence]
        assert kinds == ["value", "state", "state", "present", "count", "absent", "state"]


NUMBERS: Claims = {
    "lists": (LISTS, COUNTS),
    "transparent elements": (
        "<ul><li>Mug<li>Plate<li style='opacity:0'>Ghost</ul>",
        [("there are 2 items", "passed"), ("there are 3 items", "failed: there are 2 items")],
    ),
    "list below its heading": (
        "<h2>Cart</h2><ul><li>Mug<li>Plate</ul><h2>Wishes</h2><ul><li>Pen</ul>"
        "<div><h2>Old</h2><ul><li>Cup<li>Jar<li>Can</ul></div>",
        [
            ('there are 2 items in "Cart"', "passed"),
            ('there is 1 item in "Wishes"', "passed"),
            ('there are 3 items in "Old"', "passed"),
            ('there are 3 items in "Cart"', "failed"),
            ('there is no list in "Cart"', "failed"),
        ],
    ),
    # Whether a table contains itself is undecided.
    "part of the counted kind": (
        "<table><caption>Orders</caption><tr><td>Mug<td>2<tr><td>Pen<td>3</table>",
        [
            ('there are 2 rows in "Orders"', "passed"),
            ('there is no table in "Orders"', "undecided"),
        ],
    ),
    "longer name": (
        "<button>Remove coupon</button>",
        [('there is no "Remove" button', "undecided"), ('there is 1 "Remove" button', "failed")],
    ),
}


class TestNumbers:
    @pytest.mark.parametrize("case", NUMBERS)
    def test_count_claims_count_visible_elements(
        self, html: Html, unexpected: Unexpected, case: str
    ) -> None:
        """All visible elements of a role are counted, header rows are not."""
        markup, cases = NUMBERS[case]
        html(markup)
        assert not unexpected(cases)


class TestPage:
    def test_url_and_title_are_compared(
        self, page: Page, site: Site, unexpected: Unexpected
    ) -> None:
        """`is` compares the whole URL or title, `contains` and `ends with` a part of it."""
        site.pages["/orders/12"] = "<title>Orders – Shop</title><p>x"
        page.goto(f"{site.url}/orders/12?page=2")
        assert not unexpected(PAGES)

    @pytest.mark.parametrize(
        ("claim", "problem"),
        [
            ('the URL is "orders"', "is not an address: begin it with"),
            ('the URL contains "*"', "matches every address"),
        ],
    )
    def test_address_of_any_page_is_refused(
        self, html: Html, outcome: Outcome, claim: str, problem: str
    ) -> None:
        """An address in `is` must begin with / or a scheme, and a pattern not match every one."""
        html("<p>x")
        with pytest.raises(UsageError, match=problem):
            outcome(claim)
