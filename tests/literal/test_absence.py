"""Tests of what a user sees on a page, and of claims that something is not there."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import Page

from pytest_webtask.webtask import Webtask
from tests.literal.names import Outcome, Unexpected
from tests.scripted import Html
from tests.site import Site

# Pictures for the report would take a large part of the time.
pytestmark = pytest.mark.webtask(screenshots="off")


HEADS = {
    "badge": "<p class=top><b>Basket</b><i>3</i></p>",
    "button": "<p class=top>Basket <button>Share</button></p>",
    "link": "<p class=top><b>Basket</b> <a href=#x>More</a></p>",
}
BODY = "<div class=rest><p>Pear <button>Drop</button></p></div>"
DRAWN = """
<style>.must::after { content: "Mandatory" } .un::before { content: "not " } .tail::after { content: "5" }
.ring::before { content: "\\e001" } .big { text-transform: uppercase }</style>
<label>Phone <input placeholder=Optional></label><i class=must></i><p class=un>paid</p>
<dl><dt>Stock<dd class=tail>2</dl><p class=ring>Alarm</p><p class=big>sold out</p>
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
    ('"Stock" shows "2"', 'failed: "Stock" does not show "2"; it shows "25"'),
    ('"Stock" does not show "2"', "passed"),
    # The numbers of two cells are not one.
    ('"Room 100" is shown', "passed"),
    ('"Room 100" is not shown', "failed"),
    ('"Alarm" is shown', "passed"),
    ('"SOLD OUT" is shown', "passed"),
    ('"sold out" is shown', "passed"),
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


def test_text_is_shown_as_the_page_draws_it(html: Html, unexpected: Unexpected) -> None:
    """Generated texts count, words of neighboring boxes stay apart, and what is not drawn is absent."""
    html(DRAWN)
    assert not unexpected(SEEN)


def test_covered_text_is_not_shown(html: Html, outcome: Outcome) -> None:
    """A text over which an opaque box is drawn is not shown, and the reason says so."""
    html("<h1>Hello</h1><div style='position:fixed;inset:0;background:#eee'>Signed out</div>")
    assert "something is drawn over it" in outcome('"Hello" is shown')
    assert outcome('"Signed out" is shown') == "passed"


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS.keys())
def test_absence_looks_where_an_action_would_look(html: Html, outcome: Outcome, head: str) -> None:
    """The name in the head of a panel means the panel, where a click finds its button."""
    html(f"<main><div class=box>{head}{BODY}</div></main>")
    assert outcome('"Basket" does not show "Pear"').startswith("failed")
    assert outcome('there is no "Drop" button in "Basket"').startswith("failed")
    assert outcome('"Basket" does not show "Plum"') == "passed"
    assert outcome('there is no "Peel" button in "Basket"') == "passed"


def test_drawn_rows_are_not_absent(html: Html, outcome: Outcome) -> None:
    """Rows that are only drawn as such leave a claim that there are none undecided."""
    row = "<div class=line><i>A</i><i>7</i></div>"
    html(f"<section><h2>Bills</h2><div>{row}{row}</div></section>")
    assert "parts that look like them" in outcome('there are no rows in "Bills"')
    html("<section><h2>Bills</h2><div><p>No bills yet</p></div></section>")
    assert outcome('there are no rows in "Bills"') == "passed"


def test_absence_in_one_page_of_a_list_is_unproved(html: Html, outcome: Outcome) -> None:
    """That there is no such item is undecided while the list has further pages."""
    html(
        "<section aria-label=People><ul><li>Ada<li>Ben</ul>"
        "<nav aria-label=pagination><b>1</b> <a href=?p=2>2</a> <a href=?p=3>3</a></nav></section>"
    )
    assert "there are more: page numbers" in outcome('there is no "Cleo" item in "People"')
    assert outcome('"People" does not show "Cleo"') == "passed"


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
    page.goto(f"{site.url}/app#top")
    assert outcome('the URL is "/app"') == "passed"


def test_large_list_is_counted_as_a_whole(webtask: Webtask, html: Html) -> None:
    """Hundreds of items and their buttons are counted in seconds."""
    item = "<li><b>Part {0}</b> <i>€{0}</i> <button>Pick</button></li>"
    html("<h1>Parts</h1><ul aria-label=Parts>" + "".join(map(item.format, range(501))) + "</ul>")
    started = time.monotonic()
    webtask.verify('there are 501 items in "Parts"')
    webtask.verify('there are 501 "Pick" buttons')
    assert not webtask.holds('there are 500 items in "Parts"', timeout=0)
    assert time.monotonic() - started < 40
