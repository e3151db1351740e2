"""Tests of what a user sees on a page, and of claims that something is not there."""

import time

import pytest
from playwright.sync_api import Page

from pytest_webtask.run.webtask import Webtask
from tests.literal.names import Claims, Outcome, Unexpected, failure
from tests.scripted import Html
from tests.site import Site

DRAWN = """
<style>.must::after { content: "Mandatory" } .un::before { content: "not " } .tail::after { content: "5" }
.ring::before { content: "\\e001" }</style>
<label>Phone <input placeholder=Optional></label><i class=must></i><p class=un>paid</p>
<dl><dt>Stock<dd class=tail>2</dl><p class=ring>Alarm</p>
<table><tr><td>Room 100<td>200</table><button>Send</button>Sent <span style="display:inline-block;padding:0 6px">New</span><b>s</b>
<select aria-label=Land><option>Peru<option selected>Chile</select>
<p style="text-indent:-9999px;overflow:hidden">Indented</p><p style="content-visibility:hidden">Skipped</p>
"""
SEEN = [
    ('"Mandatory" is shown', "passed"),
    ('"Mandatory" is not shown', "failed"),
    ('"not paid" is shown', "passed"),
    ('"not paid" is not shown', "failed"),
    ('"Stock" shows "25"', "passed"),
    ('"Stock" shows "2"', 'failed: "Stock" does not show "2"; the closest is "25"'),
    ('"Stock" does not show "2"', "passed"),
    # The numbers of two cells are not one.
    ('"Room 100" is shown', "passed"),
    ('"Room 100" is not shown', "failed"),
    ('"Alarm" is shown', "passed"),
    ('"Sent" is shown', "passed"),
    ('"Sent" is not shown', "failed"),
    ('"New" is shown', "passed"),
    ('"Chile" is not shown', "failed"),
    ('"Peru" is not shown', "passed"),
    ('"Optional" is not shown', "failed"),
    ('"Indented" is not shown', "passed"),
    ('"Indented" is shown', "failed"),
    ('"Skipped" is not shown', "passed"),
    ('"Skipped" is shown', "failed"),
]
ADDRESSES = [
    ('the URL is "/sign-in"', "passed"),
    ('the URL is "/sign-in?to=/basket"', "passed"),
    ('the URL contains "to=/basket"', "passed"),
    ('the URL is "/basket"', "failed"),
    ('the URL ends with "/basket"', "failed"),
    ('the URL contains "basket"', "failed"),
    ('the URL is "/sign-in?to=/"', "failed"),
]


def panel(head: str) -> tuple[str, list[tuple[str, str]]]:
    """A panel with a name in its head, which means what a click finds its button in."""
    body = "<div class=rest><p>Pear <button>Drop</button></p></div>"
    return f"<main><div class=box><p class=top>{head}</p>{body}</div></main>", [
        ('"Basket" does not show "Pear"', "failed"),
        ('there is no "Drop" button in "Basket"', "failed"),
        ('"Basket" does not show "Plum"', "passed"),
        ('there is no "Peel" button in "Basket"', "passed"),
    ]


def emptied(markup: str, outcome: str = "passed") -> tuple[str, list[tuple[str, str]]]:
    """A part called Cart in which nothing is, or which is hidden or not ready."""
    return f"<h1>Shop</h1>{markup}", [
        *(('there are no items in "Cart"', outcome), ('"Cart" does not show "Mug"', outcome)),
        ('the "Cart" list is shown', "failed"),
    ]


CART = "<ul id=c aria-label=Cart></ul>"
EMPTIED = {
    "list": CART,
    "list that scrolls": "<ul aria-label=Cart style='max-height: 9em; overflow: auto'></ul>",
    "list below the window": f"<div style='height: 3000px'></div>{CART}",
    "list that says so": f"{CART}<p role=alert>Your cart is empty</p><button>Add…</button>",
    "list labeled by a heading": "<h2 id=h>Cart</h2><ul aria-labelledby=h></ul>",
    "list under a heading": "<h2>Cart</h2><ul></ul><h2>Sale</h2><p>Mug</p>",
    "list before a text": "<h2>Cart</h2><ul></ul><p>Total: 0</p><h2>Sale</h2><p>Mug</p>",
    "list beside a toast": f"<main><div>{CART}</div></main><div><p role=alert>Mug was removed</p></div>",
    "section": "<section aria-label=Cart></section>",
    "section with a heading": "<section><h2>Cart</h2><ul></ul></section><section><h2>Sale</h2><p>Mug</p></section>",
    "card": "<div><h2>Cart</h2><div></div></div><div><h2>Sale</h2><p>Mug</p></div>",
    "wrapper": "<div role=list aria-label=Cart><div class=inner></div></div>",
}
CLOSED = {
    "list": "<ul aria-label=Cart hidden><li>Mug</ul>",
    "list without items": "<ul aria-label=Cart hidden></ul>",
    "list under a heading": "<h2>Cart</h2><ul hidden></ul>",
    "items": "<ul aria-label=Cart><li hidden>Mug</ul>",
    "invisible": f"<div style='visibility: hidden'>{CART}</div>",
    "transparent": f"<div style='opacity: 0'>{CART}</div>",
    "collapsed": f"<div style='height: 0; overflow: hidden'>{CART}</div>",
    "collapsed itself": "<ul aria-label=Cart style='height: 0; overflow: hidden'></ul>",
    "scaled": f"<div style='transform: scale(0)'>{CART}</div>",
    "off the page": f"<div style='position: absolute; left: -9999px'>{CART}</div>",
    "details": f"<details><summary>More</summary>{CART}</details>",
    "popover": f"<div popover>{CART}</div>",
    "dialog": f"<dialog>{CART}</dialog>",
    "disclosure": f"<button aria-expanded=false aria-controls=c>Open</button>{CART}",
    "busy": f"<main aria-busy=true>{CART}</main>",
    "loading": "<h2>Cart</h2><p>Loading…</p><ul></ul>",
    "loading beside": f"<div>{CART}</div><p>Einen Moment...</p>",
    "broken": f"{CART}<p role=alert>Could not load</p>",
    "without a server": f"{CART}<p role=alert>No connection to the server</p>",
    "spinning": f"<p class=spinner style='width: 9px; height: 9px'></p>{CART}",
    "in progress": f"<div>{CART}</div><progress></progress>",
    "broken, says a toast": f"<main><div>{CART}</div></main><div><p role=alert>Cart could not be loaded</p></div>",
    "behind a dialog": f"<main><div>{CART}</div></main><div><dialog id=d>Sorry</dialog></div><script>d.showModal()</script>",
}
ROWS = "<table><thead><tr><th>Who<th>Sum</thead>{}<tfoot><tr><td>Total<td>9</table>"
GRID = "<div role=grid aria-label={name} aria-rowcount=57><div role=row><i role=columnheader>Who</i></div>{rows}</div>"
LINE = "<div class=line><i>A</i><i>7</i></div>"
PAGES: Claims = {
    # Generated texts count, words of neighboring boxes stay apart, and what is not drawn is absent.
    "text as it is drawn": (DRAWN, SEEN),
    "text under an opaque box": (
        "<h1>Hello</h1><div style='position:absolute;inset:0 70% 70% 0;background:#eee'>Signed out</div>",
        [('"Hello" is shown', "failed"), ('"Signed out" is shown', "passed")],
    ),
    "heading over a list of its name": (
        "<h2>Cars</h2><p>17 new</p><ul aria-label=Cars><li>Audi<li>Fiat</ul><p>End</p>",
        [
            *(('there are 2 items in "Cars"', "passed"), ('"Cars" shows "17 new"', "passed")),
            *(('"Cars" does not show "Fiat"', "failed"), ('"Cars" does not show "Opel"', "passed")),
        ],
    ),
    "panel with a badge": panel("<b>Basket</b><i>3</i>"),
    "panel with a button": panel("Basket <button>Share</button>"),
    "panel with a link": panel("<b>Basket</b> <a href=#x>More</a>"),
    "rows that are only drawn as such": (
        f"<section><h2>Bills</h2><div>{LINE}{LINE}</div></section>",
        [('there are no rows in "Bills"', "", "parts that look like them")],
    ),
    "no rows": (
        "<section><h2>Bills</h2><div><p>No bills yet</p></div></section>",
        [('there are no rows in "Bills"', "passed")],
    ),
    # A heading names what is under it, with or without a word for its kind, or as the head of what it opens.
    "list under a heading": (
        "<main><div><h2>Bills</h2></div><ul><li>Pear</ul><h2><button>Notes</button></h2><p>Fig</p></main>",
        [
            ('"Pear" in "Bills" is not shown', "failed"),
            ('"Pear" under "Bills" is not shown', "failed"),
            ('"Pear" in the "Bills" heading is not shown', "failed"),
            ('the "Bills" heading does not show "Fig", the "Bills" heading shows "Bills"', "passed"),
            ('there are no items in the "Bills" heading', "failed"),
            ('"Notes" does not show "Fig"', "failed"),
        ],
    ),
    "rows that are none": (
        f"<h2>Bills</h2>{ROWS.format('<tr><td>Pear<td>4<tr><td>Fig<td>5')}<h2>Jobs</h2>{ROWS.format('')}"
        f"<h2>Books</h2>{ROWS.format('<tr><td colspan=2>No books found')}",
        [
            ('there are 2 rows in "Bills", "Total" in "Bills" shows "9"', "passed"),
            ('there are 3 rows in "Bills"', "failed: there are 2 rows"),
            ('there are no rows in "Jobs", there are no rows in "Books"', "passed"),
            ('there is 1 row in "Books"', "failed: there are no rows"),
        ],
    ),
    **{f"emptied {name}": emptied(markup) for name, markup in EMPTIED.items()},
    **{f"hidden or loading {name}": emptied(markup, "undecided") for name, markup in CLOSED.items()},
    "emptied list beside a part of its name": (
        f"{CART}<section aria-label=Cart><ul><li>Mug</ul></section>",
        [
            *(('there is 1 item in "Cart"', "passed"), ('there are no items in "Cart"', "failed")),
            ('"Cart" does not show "Mug"', "failed"),
        ],
    ),
    "rows that could not be read": (
        "".join(
            f"<h2>{name}</h2>{ROWS.format(f'<tr><td colspan=2>{notice}')}"
            for name, notice in {
                "Bills": "<p role=alert>Could not load", "Jobs": "<p class=error>Lost connection", "Books": "Loading…",
                "Pens": "Loading the pens", "Mugs": "<p role=alert>No mugs found",
            }.items()
        ),
        [
            *((f'there are no rows in "{name}"', "undecided", "shows an error") for name in ("Bills", "Jobs", "Books", "Pens")),
            *((f'there is 1 row in "{name}"', "failed") for name in ("Bills", "Books")),
            ('there are no rows in "Mugs"', "passed"),
        ],
    ),
    "list that could not be read": (
        "<section><h2>Bills</h2><ul></ul><p role=alert>Could not load</p></section>",
        [('there are no items in "Bills"', "undecided", "shows an error"), ('"Bills" does not show "Pear"', "passed")],
    ),
    "rows that are not drawn": (
        GRID.format(name="Bills", rows="<div role=row><i role=gridcell>Pear</i></div>" * 2)
        + GRID.format(name="Jobs", rows="") + "<ul aria-label=Pens><li aria-setsize=9>Ink<li aria-setsize=9>Biro</ul>",
        [
            ('there are 2 rows in "Bills"', "undecided", "draws only 3 of about 57 rows"),
            ('there are 57 rows in "Bills"', "undecided", "draws only 3 of about 57 rows"),
            ('there is no "Fig" row in "Bills"', "undecided", "draws only 3 of about 57 rows"),
            ('there is no "Fig" row', "undecided", "draws only 3 of about 57 rows"),
            ('there are no rows in "Jobs"', "undecided", "draws only 1 of about 57 rows"),
            ('there are 2 items in "Pens"', "undecided", "draws only 2 of about 9 rows"),
            ('there are no rows in "Bills"', "failed"),
            ('"Bills" does not show "Fig"', "passed"),
        ],
    ),
    # That there is no such item is undecided while the list has further pages.
    "list of several pages": (
        "<section aria-label=People><ul><li>Ada<li>Ben</ul>"
        "<nav aria-label=pagination><b>1</b> <a href=?p=2>2</a> <a href=?p=3>3</a></nav></section>",
        [
            ('there is no "Cleo" item in "People"', "", "there are more than those that are shown: page numbers"),
            ('"People" does not show "Cleo"', "passed"),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", PAGES)
def test_absence_is_of_what_a_user_could_see(html: Html, unexpected: Unexpected, case: str) -> None:
    """What is drawn, in the part that an action would use, is there; what may be elsewhere is unproved."""
    markup, cases = PAGES[case]
    html(markup)
    assert not unexpected(cases)


def test_address_is_compared_by_its_path(page: Page, site: Site, unexpected: Unexpected) -> None:
    """A path in the query of another page does not count, and a query only where one is given."""
    site.pages["/sign-in"] = "<h1>Sign in</h1>"
    page.goto(f"{site.url}/sign-in?to=/basket")
    assert not unexpected(ADDRESSES)


def test_fragment_that_is_a_route_counts(page: Page, site: Site, outcome: Outcome) -> None:
    """`/#/login` is another page than `/`, and `/#top` is not."""
    site.pages["/app"] = "<h1>App</h1>"
    page.goto(f"{site.url}/app#/login")
    assert outcome('the URL is "/app"').startswith("failed")
    assert outcome('the URL ends with "/login"') == "passed"
    page.goto(f"{site.url}/app#top")
    assert outcome('the URL is "/app"') == "passed"


@pytest.mark.webtask(timeout=1)
def test_list_that_goes_on_is_scrolled_as_the_message_says(html: Html, webtask: Webtask) -> None:
    """The message has the last row that is drawn, and the sentence that scrolls on; at the end it says nothing."""
    page = html(
        "<ul style='height: 200px; overflow: auto'></ul><script>const ul = document.querySelector('ul');"
        "const add = () => { for (let i = 0; i < 20; i++) ul.innerHTML += `<li>Order ${ul.children.length + 1}`"
        " + '<button onclick=\"document.title = this.parentElement.firstChild.data\">Open</button>' };"
        "ul.onscroll = () => ul.scrollTop + 201 > ul.scrollHeight && ul.children.length < 50 && add(); add()</script>"
    )
    for last in (20, 40):
        message = failure(webtask, 'click "Open" next to "Order 45"')
        assert f'first write scroll to "Order {last}", and so on to its end' in message
        webtask.do(f'scroll to "Order {last}"')
    webtask.do('click "Open" next to "Order 45", scroll to "Order 60"')
    assert page.title() == "Order 45"
    assert "a list here" not in failure(webtask, 'click "Open" next to "Order 99"')


def test_large_list_is_counted_as_a_whole(webtask: Webtask, html: Html) -> None:
    """Hundreds of items and their buttons are counted in seconds."""
    item = "<li><b>Part {0}</b> <i>€{0}</i> <button>Pick</button></li>"
    html("<h1>Parts</h1><ul aria-label=Parts>" + "".join(map(item.format, range(501))) + "</ul>")
    started = time.monotonic()
    webtask.verify('there are 501 items in "Parts"')
    webtask.verify('there are 501 "Pick" buttons')
    assert not webtask.holds('there are 500 items in "Parts"', timeout=0)
    assert time.monotonic() - started < 40
