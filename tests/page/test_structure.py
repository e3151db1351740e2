"""What an element stands in, on one page with the kinds of structure that frameworks write."""

import pytest
from playwright.sync_api import Page

from pytest_webtask.page import dom
from pytest_webtask.page.identity import best_titles
from tests.scripted import Html

PAGE = """
<nav aria-label=Main><ul><li><a href=/cart>Cart (2)</a><li><a href=/help>Help</a></ul></nav>
<main><h1>Shop</h1>
<h2>Stock</h2><table><caption>Mugs</caption><thead><tr><th>Kind<th>Name<th>Price<th>Left<th></thead>
  <tr><td>Mug<td>Tall<td>$8<td>12 left<td><button id=buy-tall>Buy</button>
  <tr><td>Mug<td>Wide<td>$9<td id=left-wide>3 left<td><button>Buy</button></table>
<h2>Rain</h2><table aria-label=Rain><tr><th rowspan=2>City<th colspan=2>2025<th colspan=2>2026
  <tr><th>May<th>June<th>May<th>June
  <tr><th>Rome<td>1<td>2<td>3<td id=rome>4<tr><th>Oslo<td>5<td>6<td>7<td>8</table>
<h2>People</h2><div role=grid aria-label=People><div role=rowgroup><div role=row>
    <div role=columnheader>Login</div><div role=columnheader>State</div></div></div>
  <div role=rowgroup><div role=row><div role=gridcell>ann</div><div role=gridcell id=ann>Active</div></div>
    <div role=row><div role=gridcell>bob</div><div role=gridcell>Active</div></div></div></div>
<h2>Offers</h2><div class=cards>
  <div class=card><img alt=""><h3>Tea</h3><p>Since 2026-01-02</p><span>$3</span><a href=#>More</a><button id=tea>Add</button></div>
  <div class=card><img alt=""><h3>Milk</h3><p>Since 2026-01-03</p><span>$3</span><a href=#>More</a><button>Add</button></div></div>
<h2>News</h2><div class=feed>
  <div class="css-1a2b"><div><div><span>Ann</span><span>2 h</span></div><p>Hello</p></div><button id=like>Like</button></div>
  <div class="css-1a2b"><div><div><span>Bob</span><span>3 h</span></div><p>Bye</p></div><button>Like</button></div></div>
<h2>Order</h2><dl><dt>Customer<dd id=customer>Ann Lee<dt>Total<dd>$20<dd id=with-tax>$24</dl>
<h2>Files</h2><ul role=tree aria-label=Files><li role=treeitem aria-expanded=true><span>src</span>
  <ul role=group><li role=treeitem><span>a.py</span> <button id=drop-a>Delete</button>
    <li role=treeitem><span>b.py</span> <button>Delete</button></ul>
  <li role=treeitem><span>docs</span></ul>
<h2>Tasks</h2><ol aria-label=Tasks><li><span>Home</span><ul><li><label><input type=checkbox id=dishes> Dishes</label>
  <small>due 2026-12-01</small> <button>Remove</button><li><label><input type=checkbox> Beds</label> <small>due 2026-12-03</small> <button>Remove</button></ul>
  <li><span>Work</span><ul><li><label><input type=checkbox> Mail</label> <button>Remove</button></ul></ol>
<h2>Address</h2><form><div><div>Street</div><input id=street></div><div><div>City</div><input></div>
  <fieldset><legend>Ship by</legend><label><input type=radio name=by id=air> Air</label>
    <label><input type=radio name=by> Sea</label></fieldset><button>Send</button></form>
<h2>Account</h2><div role=tablist aria-label=Account><button role=tab id=t1 aria-selected=true>Profile</button>
  <button role=tab>Keys</button></div><div role=tabpanel aria-labelledby=t1><h3>Name</h3><p id=who>Ann</p></div>
<x-cart><template shadowrootmode=open><section aria-label=Basket><ul><li>Tall <button id=less>Less</button>
  <li>Wide <button>Less</button></ul></section></template></x-cart></main>
<footer><h2>About</h2><p id=made>Made in Rome</p></footer>
<div role=dialog aria-labelledby=sure><h2 id=sure>Delete Bob?</h2><p>For good</p><button id=yes>Yes</button></div>
<div class=portal><ul role=menu aria-label="More for Ann"><li role=menuitem id=rename>Rename<li role=menuitem>Copy</ul></div>
"""
IN = {
    "buy-tall": ("row Tall, table Mugs, section Stock", "Tall", "", "1 of 2"),
    "left-wide": ("row Wide, table Mugs, section Stock", "Wide", "Left", "2 of 2"),
    "rome": ("row Rome, table Rain, section Rain", "Rome", "2026 June", "1 of 2"),
    "ann": ("row ann, grid People, section People", "ann", "State", "1 of 2"),
    "tea": ("card Tea, section Offers", "Tea", "", "1 of 2"),
    "like": ("card Ann, section News", "Ann", "", "1 of 2"),
    "customer": ("section Order", "", "Customer", ""),
    "with-tax": ("section Order", "", "Total", ""),
    "drop-a": ("treeitem a.py, treeitem src, tree Files, section Files", "a.py, src", "", "1 of 2"),
    "dishes": ("list item Dishes, list item Home, list Tasks, section Tasks", "Dishes, Home", "", "1 of 2"),
    "street": ("card Street, section Address", "Street", "", "1 of 2"),
    "air": ("group Ship by, section Address", "", "", ""),
    "who": ("section Name, tabpanel Profile, section Account", "", "", ""),
    "less": ("list item Tall, section Basket", "Tall", "", "1 of 2"),
    "made": ("section About", "", "", ""),
    "yes": ("dialog Delete Bob?", "", "", ""),
    "rename": ("menu More for Ann", "", "", "1 of 2"),
}  # fmt: skip
"""For each element its named containers but for the heading of the page, the titles of its items, its column or term and its place."""


@pytest.fixture
def shop(webtask_engine: None, html: Html) -> Page:
    """The page of all structures."""
    page = html("")
    page.evaluate("body => document.body.setHTMLUnsafe(body)", PAGE)
    return page


def test_element_is_in_what_a_user_sees_around_it(shop: Page) -> None:
    """Containers are named from the inside out, an item by its title, a column by all of its heads."""
    found = {}
    for each in IN:
        identity = dom.call(shop.locator(f"#{each}"), "identity")
        around = [(kind, name) for kind, name, _ in identity["containers"] if name]
        titles = ", ".join(title.text for title in best_titles(identity))
        parts = ", ".join(" ".join(part) for part in around if part != ("section", "Shop"))
        found[each] = (parts, titles, identity["column"] or identity["label"], identity["place"])
    assert found == IN
