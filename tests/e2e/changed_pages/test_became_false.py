"""Pages on which a recorded conclusion has become false, and pages that changed in a harmless way."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tests.inner import Project, Run, project, text

pytestmark = pytest.mark.timeout(600)

Check = Mapping[str, Any]


@dataclass(frozen=True)
class Change:
    """A claim, the evidence on which it was decided, and the page before and after.

    `holds` is what it was decided to be; `kind` is how it was asked.
    """

    claim: str
    before: str
    after: str
    checks: Sequence[Check]
    holds: bool = True

    @property
    def play(self) -> str:
        """The script of the model that decides it."""
        outcome = "holds" if self.holds else "does_not_hold"
        return f"{self.claim!r}: [judge({outcome!r}, *{list(self.checks)!r})],"

    def test(self, name: str) -> str:
        """The code of an inner test."""
        asked = f"verify({self.claim!r})" if self.holds else f"holds({self.claim!r})"
        line = f"webtask.{asked}" if self.holds else f"assert not webtask.{asked}"
        return f"def test_{name}(webtask):\n    webtask.goto('/{name}')\n    {line}\n"


def change(claim: str, before: str, after: str, *checks: Check, holds: bool = True) -> Change:
    """A row of the tables below."""
    return Change(claim, before, after, checks, holds)


def in_status(status: str) -> str:
    """A status."""
    return f"<p role=status>{status}</p>"


def state(element: str, state: str) -> Check:
    """A check that an element is in a state."""
    return {"kind": "state", "element_id": element, "state": state}


def value(element: str, value: str) -> Check:
    """A check that a field holds a value."""
    return {"kind": "value", "element_id": element, "value": value}


def count(*elements: str) -> Check:
    """A check that these are all there are."""
    return {"kind": "count", "element_ids": elements}


def order(elements: Sequence[str], *texts: str) -> Check:
    """A check that elements are in this order."""
    return {"kind": "order", "element_ids": elements, "texts": texts}


def table(*rows: Sequence[str], heads: Sequence[str] = ("Product", "Price")) -> str:
    """A table."""
    head = "".join(f"<th>{each}</th>" for each in heads)
    body = "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in row)}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def cards(*texts: tuple[str, ...]) -> str:
    """Cards of plain blocks."""
    body = "".join(
        f"<div class=card><div class=name>{name}</div>{lines(*more)}</div>" for name, *more in texts
    )
    return f"<div class=grid>{body}</div>"


def lines(*texts: str) -> str:
    """Lines of their own."""
    return "".join(f"<div class=line>{each}</div>" for each in texts)


def column(title: str, *texts: str) -> str:
    """A column of a board, with a card for each text."""
    body = "".join(f"<div class=card><b>{each}</b><p>Ann</p></div>" for each in texts)
    return f"<div class=column><h3>{title}</h3>{body}</div>"


def rows(*heads: str) -> str:
    """A table whose heads are cells like any others."""
    head = "".join(f"<td>{each}" for each in heads)
    return f"<table><tr>{head}<tr><td>Jug<td>8<tr><td>Jar<td>9</table>"


def items(*texts: str) -> str:
    """A list."""
    return f"<ul>{''.join(f'<li>{each}</li>' for each in texts)}</ul>"


def goods(*texts: str, more: str = "") -> str:
    """Goods in cards, or what else is among them."""
    made = "".join(
        f"<div class=card><h3>{each}</h3><p>$8</p><button>Buy</button></div>" for each in texts
    )
    return f"<h1>Goods</h1><div class=grid>{made}{more}</div>"


def bill(*rows: tuple[str, str], more: str = "") -> str:
    """A bill whose last row may be made in another way."""
    return table(*rows).replace("</table>", f"{more}</table>")


def paged(page: int, *texts: str, last: int = 3) -> str:
    """One page of a list."""
    links = "".join(
        f"<li class='{'here' if n == page else ''}'><a href=?{n}>{n}</a></li>"
        for n in range(1, last + 1)
    )
    return f"<h1>Orders</h1>{items(*texts)}<ul class=pagination>{links}</ul>"


def boxed(*boxes: tuple[str, str]) -> str:
    """Boxes with a heading that no class and no name tells apart."""
    return "".join(f"<div><h2>{title}</h2><div>{body}</div></div>" for title, body in boxes)


def tabs(selected: str, *texts: str) -> str:
    """A list below tabs, of which one is selected."""
    names = dict.fromkeys((selected, "Open", "Closed"))
    made = "".join(
        f"<button role=tab aria-selected={str(n == selected).lower()}>{n}</button>" for n in names
    )
    return f"<h1>Jobs</h1><div role=tablist>{made}</div>{items(*texts)}"


def bar(chosen: str, *texts: str) -> str:
    """A list above links, of which only its class tells which one is chosen."""
    links = "".join(
        f"<a href=#{n} class='{'on' if n == chosen else ''}'>{n}</a>"
        for n in ("Active", "Completed")
    )
    return f"<h1>Todos</h1>{items(*texts)}<footer>{links}</footer>"


def choice(chosen: str, *texts: str) -> str:
    """A list below a choice."""
    options = "".join(f"<option>{each}" for each in dict.fromkeys((chosen, "Open", "Closed")))
    return f"<h1>Orders</h1><label>Show <select>{options}</select></label>{items(*texts)}"


GENERATED = """<style>.minus::before { content: "−" } .not::before { content: "not " }
.bullet::before { content: "•" } .bullet::after { content: "→" }</style>"""
SWITCH = "<label><input type=checkbox role=switch {}> {}</label>"
DRAWN = """<ul><li style="position: relative; list-style: none"><input type=checkbox {}
 style="position: absolute; opacity: 0; width: 30px; height: 30px"><label
 style="display: block; padding-left: 40px; border: 1px solid">Milk</label></ul>"""
FIELDS = "<div><input aria-label=First value={}></div><div><input aria-label=Second value={}></div>"
MUG, CUP = ("Mug", "$8.00"), ("Cup", "$5.00")
FALSE: dict[str, Change] = {
    "arrow": change("the share rose by 8%", in_status("▲ 8%"), in_status("▼ 8%"), text("status:8%", "8%")),
    "negated": change("the parcel is delivered", in_status("delivered"), in_status("not delivered"),
        text("status:delivered", "delivered")),
    "negated_line": change("order A is delivered", items(lines("Order A", "delivered"), lines("Order B", "lost")),
        items(lines("Order A", "not delivered"), lines("Order B", "lost")), text("listitem:Order A", "delivered")),
    "negated_around_bold": change("the invoice is paid", "<p>The invoice is <b>paid</b>.</p>",
        "<p>The invoice is not <b>paid</b>.</p>", text(":paid", "paid")),
    "switch": change("email notifications are on", SWITCH.format("checked", "Email notifications"),
        SWITCH.format("", "Email notifications"), state("switch:Email", "checked")),
    "balance": change("the balance is €1,284.36", in_status("Balance €1,284.36"), in_status("Balance yesterday €1,284.36"),
        text("status:Balance", "€1,284.36")),
    "beside": change("the actual revenue is €50,000",
        "<div class=kpi><span>Actual</span> <b id=sum>€50,000</b></div>",
        "<div class=kpi><span>Goal</span> <b id=sum>€50,000</b></div>", text(":€50,000", "€50,000")),
    "term": change("the actual revenue is €60,000", "<dl><dt>Actual</dt><dd id=sum>€60,000</dd></dl>",
        "<dl><dt>Goal</dt><dd id=sum>€60,000</dd></dl>", text("definition:€60,000", "€60,000")),
    "label_of_a_field": change("the delivery is on 2026-03-20",
        "<label for=d>Delivery</label><input id=d value=2026-03-20>",
        "<label for=d>Invoice</label><input id=d value=2026-03-20>", value("textbox:Delivery", "2026-03-20")),
    "head": change("the price of the mug is 8", table(("Mug", "8")), table(("Mug", "8"), heads=("Product", "Stock")),
        text("cell:8", "8")),
    "row": change("the cup costs 5", table(("Cup", "5")), table(("Bowl", "5")), text("cell:5", "5")),
    "row_of_an_id": change("the fork costs 4", table(("Fork", "<b id=price>4</b>")),
        table(("Knife", "<b id=price>4</b>")), text("cell:4", "4")),
    "item": change("the mug is in the cart for $8.00", cards(MUG, CUP), cards(("Bowl", "$8.00"), CUP),
        text(":$8.00", "$8.00")),
    "heading": change("the cart holds a mug", "<h2>Cart</h2><p id=it>Mug</p>", "<h2>Wish list</h2><p id=it>Mug</p>",
        text(":Mug", "Mug")),
    "heading_of_a_set": change("two things are in the cart", "<h2>Cart</h2>" + items("Mug", "Cup"),
        "<h2>Wish list</h2>" + items("Mug", "Cup"), count("listitem:Mug", "listitem:Cup")),
    "dialog": change("the dialog Payment says that it worked",
        "<div role=dialog aria-label=Payment><p id=said>It worked</p><button>OK</button></div>",
        "<div role=dialog aria-label=Refund><p id=said>It worked</p><button>OK</button></div>",
        text(":It worked", "It worked")),
    "first": change("the first product is the mug", cards(MUG, CUP), cards(CUP, MUG), order([":Mug"], "Mug")),
    "first_negated": change("the first task is to pay Ann", items("Pay Ann", "Call Bob"),
        items("Don't Pay Ann", "Call Bob"), order(["listitem:Pay Ann"], "Pay Ann")),
    "last": change("the last product is the cup", items("Mug", "Cup"), items("Mug", "Cup", "Bowl"),
        order(["listitem:Cup"], "Cup")),
    "one_more": change("two products are listed", items("Mug", "Cup"), items("Mug", "Cup", "Bowl"),
        count("listitem:Mug", "listitem:Cup")),
    "unit_of_a_number": change("the file is smaller than 10 MB", in_status("6 MB"), in_status("6 GB"),
        {"kind": "number", "element_id": "status:6", "at_most": "10"}),
    "number": change("at least 10 are in stock", in_status("12 in stock"), in_status("9 in stock"),
        {"kind": "number", "element_id": "status:12", "at_least": "10"}),
    "words_of_a_number": change("at least 20 are in stock", in_status("22 in stock"), in_status("22 ordered"),
        {"kind": "number", "element_id": "status:22", "at_least": "20"}),
    "compare": change("the mug costs more than the cup", table(("Mug", "9"), ("Cup", "4")),
        table(("Mug", "3"), ("Cup", "4")),
        {"kind": "compare", "element_id": "cell:9", "relation": "more", "other_id": "cell:4"}),
    "compared_words": change("the mug weighs more than the bowl", table(("Mug", "9 kg"), ("Bowl", "4 kg")),
        table(("Mug", "9 g"), ("Bowl", "4 kg")),
        {"kind": "compare", "element_id": "cell:9 kg", "relation": "more", "other_id": "cell:4 kg"}),
    "absence": change("no error is shown", "<h1>Notes</h1>", "<h1>Notes</h1><p role=alert>Error</p>",
        {"kind": "absent", "text": "Error"}, text("heading:Notes", "Notes")),
    "absence_in_a_part": change("the list has no mug",
        "<h1>Mug</h1><div role=dialog aria-label=Stock><button>Cup</button><p>Bowl</p></div>",
        "<h1>Mug</h1><div role=dialog aria-label=Stock><button>Cup</button><p>Mug</p></div>",
        {"kind": "absent", "text": "Mug", "within": "dialog:Stock"}, text(":Bowl", "Bowl")),
    "address": change("the page is that of the orders",
        "<script>history.replaceState(0, '', '/orders')</script><h1>Shop</h1>",
        "<script>history.replaceState(0, '', '/login')</script><h1>Shop</h1>", {"kind": "url", "pattern": "/orders"}),
    "title": change("the title says Paid", "<script>document.title = 'Paid'</script><h1>Bill</h1>",
        "<script>document.title = 'Not Paid'</script><h1>Bill</h1>", {"kind": "title", "text": "Paid"}),
    "field": change("the name is Ann", "<label>Name <input value=Ann></label>",
        "<label>Name <input value=Anna></label>", value("textbox:Name", "Ann")),
    "before": change("Ann comes before Eve", items("Zoe", "Ann", "Bob", "Eve", "Max"),
        items("Zoe", "Eve", "Bob", "Ann", "Max"), order(["listitem:Ann", "listitem:Eve"], "Ann", "Eve")),
    "message": change("the message says that it was saved", "<p role=alert>Saved</p>", "<p role=alert>Failed</p>",
        state("alert:Saved", "visible")),
    "link": change("the link leads to the terms", "<a href=/terms>Terms</a>", "<a href=/ads>Terms</a>",
        {"kind": "attribute", "element_id": "link:Terms", "name": "href", "value": "/terms"}),
    "gone": change("the tip is shown", "<h1>Tips</h1><p>Press Save</p>", "<h1>Tips</h1>",
        text(":Press Save", "Press Save")),
    # What was answered no, and is so now: no must not be answered once more.
    "no_mail": change("there is mail", in_status("No mail"), in_status("3 mails"), text("status:No mail", "No mail"),
        holds=False),
    "no_switch": change("dark mode is on", SWITCH.format("", "Dark mode"), SWITCH.format("checked", "Dark mode"),
        state("switch:Dark", "unchecked"), holds=False),
    "no_absence": change("Call Bob is listed", "<h1>Tasks</h1>" + items("Ann"),
        "<h1>Tasks</h1>" + items("Ann", "Call Bob"), {"kind": "absent", "text": "Call Bob"},
        text("heading:Tasks", "Tasks"), holds=False),
    "adjoining_digits": change("1 item is left", "<p role=status><b>1</b>item left</p>",
        "<p role=status><b>1</b><b>1</b>item left</p>", text("status:1", "1 item left")),
    "drawn_box_unchecked": change("the milk is done", DRAWN.format("checked"), DRAWN.format(""),
        state("checkbox:", "checked")),
    "drawn_box_hidden": change("the milk is done", DRAWN.format("checked"),
        f"<div style='height: 0; overflow: hidden'>{DRAWN.format('checked')}</div>", state("checkbox:", "checked")),
    "order_of_fields": change("Ann stands before Bob", FIELDS.format("Ann", "Bob"), FIELDS.format("Bob", "Ann"),
        order(["textbox:First", "textbox:Second"], "Ann", "Bob")),
    # Sets: the same pattern, found where the claim is no longer about it.
    "set_one_moved": change("two things are in the cart", "<h2>Cart</h2>" + lines("Mug", "Cup"),
        "<h2>Cart</h2>" + lines("Mug") + "<h2>Wish list</h2>" + lines("Cup"), count(":Mug", ":Cup")),
    "set_one_moved_to_a_part": change("two things are in the region Cart",
        f"<section aria-label=Cart>{lines('Mug', 'Cup')}</section>",
        f"<section aria-label=Cart>{lines('Mug')}</section><section aria-label=Later>{lines('Cup')}</section>",
        count(":Mug", ":Cup")),
    "set_exchanged": change("the basket holds two things",
        "<h2>Cart</h2>" + items("Mug", "Cup") + "<h2>Wish list</h2>" + items("Fork"),
        "<h2>Wish list</h2>" + items("Fork", "Bowl") + "<h2>Cart</h2>" + items("Mug"),
        count("listitem:Mug", "listitem:Cup")),
    "set_in_an_aside": change("two products match the search",
        "<main><h1>Search</h1>" + lines("Mug", "Cup") + "</main><aside><p>Ads</p></aside>",
        "<main><h1>Search</h1><p>Nothing</p></main><aside><p>Ads</p>" + lines("Fork", "Bowl") + "</aside>",
        count(":Mug", ":Cup")),
    "set_in_a_dialog": change("two files are attached",
        "<main><h1>Mail</h1>" + lines("a.txt", "b.txt") + "<button>Add</button></main>",
        "<main><h1>Mail</h1><button>Add</button></main><div role=dialog>" + lines("c.txt", "d.txt") + "</div>",
        count(":a.txt", ":b.txt")),
    "set_in_another_dialog": change("the dialog Guests lists Ann and Bob",
        "<div role=dialog aria-label=Guests>" + lines("Ann", "Bob") + "<button>OK</button></div>",
        "<div role=dialog aria-label=Blocked>" + lines("Ann", "Bob") + "<button>OK</button></div>",
        order([":Ann", ":Bob"], "Ann", "Bob")),
    "set_of_cells_in_another_column": change("the prices are 8 and 5", table(("Mug", "8"), ("Cup", "5")),
        table(("Mug", "8"), ("Cup", "5"), heads=("Product", "Stock")), order(["cell:8", "cell:5"], "8", "5")),
    "set_of_cells_exchanged": change("the prices are 7 and 4",
        table(("Mug", "7", "1"), ("Cup", "4", "2"), heads=("Product", "Price", "Stock")),
        table(("Mug", "7", "1"), ("Cup", "4", "2"), heads=("Product", "Stock", "Price")),
        order(["cell:7", "cell:4"], "7", "4")),
    "set_first_of_another": change("the first task to do is Ann",
        "<h2>To do</h2>" + lines("Ann", "Bob") + "<h2>Done</h2><p>Nothing</p>",
        "<h2>Done</h2>" + lines("Ann") + "<h2>To do</h2>" + lines("Bob"), order([":Ann"], "Ann")),
    "set_order_across_parts": change("on the waiting list Ann comes before Eve",
        "<h2>Waiting list</h2>" + lines("Zoe", "Ann", "Bob", "Eve", "Max"),
        "<h2>Admitted</h2>" + lines("Zoe", "Ann") + "<h2>Waiting list</h2>" + lines("Bob", "Eve", "Max"),
        order([":Ann", ":Eve"], "Ann", "Eve")),
    "set_hidden": change("two alarms ring", "<h1>Alarms</h1>" + items("One", "Two"),
        "<h1>Alarms</h1>" + items("One", "Two").replace("<ul>", "<ul hidden>") + "<p>None</p>",
        count("listitem:One", "listitem:Two")),
    "set_of_place": change("the last two visitors are Ann and Bob",
        "<h2>Visitors</h2><div><p>Ann<p>Bob</div><h2>Staff</h2><div><p>Eve<p>Max</div>",
        "<h2>Staff</h2><div><p>Ann<p>Bob</div><h2>Visitors</h2><div><p>Eve<p>Max</div>",
        order([":Ann", ":Bob"], "Ann", "Bob")),
    "set_grouped": change("both guests are coming", "<h2>Guests</h2><h3>Coming</h3>" + items("Ann", "Bob"),
        "<h2>Guests</h2><h3>Coming</h3>" + items("Ann") + "<h3>Not sure</h3>" + items("Bob"),
        count("listitem:Ann", "listitem:Bob")),
    # Another list of the same length, where the recorded one was.
    "set_under_another_line": change("two tasks are to be done",
        "<p>Open</p>" + items("A", "B") + "<p>Closed</p>" + items("C"),
        "<p>Open</p><p>none</p><p>Closed</p>" + items("C", "D"), count("listitem:A", "listitem:B")),
    "set_moved_under_the_line_of_another": change("the first thing on the list is the mug",
        "<p>Sold</p>" + items("Mug", "Cup") + "<p>Lost</p>" + items("Fork"), "<p>Lost</p>" + items("Mug", "Fork"),
        order(["listitem:Mug"], "Mug")),
    "set_of_suggestions": change("the basket is for two things", "<h1>Cart</h1>" + items("Mug", "Cup"),
        "<h1>Cart</h1><p>Nothing yet. Others liked</p>" + items("Fork", "Bowl"),
        count("listitem:Mug", "listitem:Cup")),
    "set_told_by_position_alone": change("two tasks come first", items("A", "B") + items("C"), items("C", "D"),
        count("listitem:A", "listitem:B")),
    "set_of_links": change("two results are found", "<h1>Search</h1>" + items("Mug", "Cup"),
        "<h1>Search</h1><footer>" + items("Home", "Terms") + "</footer>", count("listitem:Mug", "listitem:Cup")),
    "set_of_rows_with_other_heads": change("two products are sold", table(MUG, CUP),
        table(("Ann", "a@b.c"), ("Bob", "b@b.c"), heads=("Name", "Mail")), count("row:Mug", "row:Cup")),
    "set_of_suggestions_with_a_member": change("the shopping list has two things",
        "<h1>Cart</h1>" + items("Mug", "Cup"),
        "<h1>Cart</h1><p>It is empty. You looked at</p>" + items("Mug", "Fork"),
        count("listitem:Mug", "listitem:Cup")),
    "set_of_a_notice": change("one thing is offered", "<h1>Offers</h1>" + table(MUG),
        "<h1>Offers</h1><table><tr><th>Product</th><th>Price</th></tr><tr><td colspan=2>Nothing found</td></tr></table>",
        count("row:Mug")),
    "set_first_drawn_last": change("the first in line is Ann", items("Ann", "Bob", "Eve"),
        items("Ann", "Bob", "Eve").replace("<ul>", "<ul style='display: flex; flex-direction: column-reverse'>"),
        order(["listitem:Ann"], "Ann")),
    "row_that_only_mentions_the_key": change("the jar costs 9",
        table(("Jar", "Pot", "9"), ("Cup", "Bin", "4"), heads=("Product", "Replaces", "Price")),
        table(("Bowl", "Jar", "9"), ("Cup", "Bin", "4"), heads=("Product", "Replaces", "Price")),
        text("cell:9", "9")),
    # What changes a text without being in it.
    "struck": change("the price of a pen is $8", items("<b>Pen</b> <span>$8</span>", "<b>Ink</b> <span>$5</span>"),
        items("<b>Pen</b> <s>$8</s>", "<b>Ink</b> <span>$5</span>"), text(":$8", "$8")),
    "no_longer_struck": change("the milk is crossed out", "<p role=status><s>Milk</s></p>",
        "<p role=status><span>Milk</span></p>", text("status:Milk", "Milk")),
    "generated_word": change("the parcel has been sent", GENERATED + in_status("sent"),
        GENERATED + "<p role=status><b class=not>sent</b></p>", text("status:sent", "sent")),
    "under_an_overlay": change("the rent is paid", "<h1>Rent</h1><p role=status>Paid</p>",
        "<h1>Rent</h1><p role=status>Paid</p><div style='position: fixed; inset: 0; background: #fff'>Log in</div>",
        text("status:Paid", "Paid")),
    "under_another_box": change("the gas is paid",
        "<div style='position: relative'><h1>Gas</h1><p role=status>Paid</p></div>",
        "<div style='position: relative'><h1>Gas</h1><p role=status>Paid</p>" "<div style='position: absolute; inset: 0; background: #fff'>Log in</div></div>",
        text("status:Paid", "Paid")),
    "absence_in_a_list_that_did_not_load": change("Cleo is not in the list of members",
        "<h1>Club</h1><h2>Members</h2><ul><li>Ada</ul>", "<h1>Club</h1><h2>Members</h2><p>Could not load the members",
        {"kind": "absent", "text": "Cleo"}, text("heading:Club", "Club")),
    "absence_of_another_form": change("no error is reported", "<h1>Form</h1><p>Errorless</p>",
        "<h1>Form</h1><p>Errorless</p><p role=alert>3 errors</p>", {"kind": "absent", "text": "error"},
        text("heading:Form", "Form")),
    "head_of_bold_cells": change("the price of the jug is 8", rows("<b>Product</b>", "<b>Price</b>"),
        rows("<b>Product</b>", "<b>Stock</b>"), text("cell:8", "8")),
    # More of the set than the page shows by now, other choices, and lone items that are none.
    "set_of_one_page_of_several": change("the store has three products",
        "<h1>Store</h1>" + items("Mug", "Cup", "Bowl"),
        "<h1>Store</h1>" + items("Mug", "Cup", "Bowl") + "<p>1–3 of 57</p>",
        count("listitem:Mug", "listitem:Cup", "listitem:Bowl")),
    "set_in_order_with_more": change("the runners in order are Ann and Bob", "<h1>Race</h1>" + items("Ann", "Bob"),
        "<h1>Race</h1>" + items("Ann", "Bob") + "<a href=/more>All runners</a>",
        order(["listitem:Ann", "listitem:Bob"], "Ann", "Bob")),
    "set_of_another_tab": change("two jobs are open", tabs("Open", "A1", "B1"), tabs("Closed", "C1", "D1"),
        count("listitem:A1", "listitem:B1")),
    "set_of_another_filter": change("two orders are open", choice("Open", "A1", "B1"), choice("Closed", "C1", "D1"),
        count("listitem:A1", "listitem:B1")),
    "set_of_another_link_of_a_bar": change("two todos are active", bar("Active", "A1", "B1"),
        bar("Completed", "C1", "D1"), count("listitem:A1", "listitem:B1")),
    "set_of_a_lone_notice": change("one hit is listed", "<h1>Hits</h1>" + items("Mug"),
        "<h1>Hits</h1>" + items("No hits"), count("listitem:Mug")),
    "set_of_a_lone_notice_among_cards": change("one deal is listed",
        "<h1>Deals</h1>" + items("<h3>Mug</h3><p>$8</p><button>Buy</button>"),
        "<h1>Deals</h1>" + items("<p>Nothing today</p>"), count("listitem:Mug")),
    "set_of_rows_with_another_head": change("two accounts are active",
        "<h1>Accounts</h1>" + table(("Ann", "a", "1"), ("Bob", "b", "2"), heads=("Name", "Mail", "Active since")),
        "<h1>Accounts</h1>" + table(("Eve", "e", "1"), ("Max", "m", "2"), heads=("Name", "Mail", "Deleted on")),
        count("row:Ann", "row:Bob")),
    # What is among the members by now and is none of them.
    "set_with_an_advertisement": change("three goods are offered",
        goods("Mug", "Cup", "Jar"), goods("Mug", "Cup", more="<div class='card ad'><h3>Shoes</h3><a href=/ad>Visit</a></div>"),
        count("heading:Mug", "heading:Cup", "heading:Jar")),
    "set_with_an_advertisement_of_a_list": change("three reports are listed",
        items(*(f"<h3><a href=/{n}>Report {n}</a></h3><p>Written by {n}</p>" for n in "ABC")),
        items(*(f"<h3><a href=/{n}>Report {n}</a></h3><p>Written by {n}</p>" for n in "AB"), "<p>Shoes</p><a href=/ad>Visit</a>"),
        count(*(f"listitem:Report {n}" for n in "ABC"))),
    "set_with_a_total_in_a_wide_cell": change("three goods are on the bill",
        bill(("Mug", "8"), ("Cup", "5"), ("Jar", "4")), bill(("Mug", "8"), ("Cup", "5"), more="<tr><th>Total</th><td>13</td></tr>"),
        count("row:Mug", "row:Cup", "row:Jar")),
    "no_set_moved": change("three things are in the cart", "<h2>Cart</h2>" + lines("Mug", "Cup"),
        "<h2>Cart</h2>" + lines("Mug") + "<h2>Cart of Bob</h2>" + lines("Cup"), count(":Mug", ":Cup"), holds=False),
    "absence_on_a_sign_in_page": change("Cleo is not among the members",
        "<h1>Club</h1><h2>Members</h2><ul><li>Ada</ul>", "<h1>Club</h1><h2>Sign in</h2><label>Name <input></label>",
        {"kind": "absent", "text": "Cleo"}, text("heading:Club", "Club")),
    "address_in_the_query_of_another_page": change("the members are open",
        "<h1>Club</h1><script>history.replaceState(0, '', '/members')</script>",
        "<h1>Club</h1><script>history.replaceState(0, '', '/sign-in?to=/members')</script>",
        {"kind": "url", "pattern": "*/members"}, text("heading:Club", "Club")),
}  # fmt: skip
HARMLESS: dict[str, Change] = {
    "neighbors": change("the city is Rome",
        "<div><span>City</span> <b id=city>Rome</b> <i>seen 5 minutes ago</i></div>",
        "<div><span>City</span> <b id=city>Rome</b> <i>seen 9 minutes ago</i></div>", text(":Rome", "Rome")),
    "other_heading": change("the mug is shown", "<h2>News</h2><p id=tip>Mug</p>", "<h2>Latest</h2><p id=tip>Mug</p>",
        text(":Mug", "Mug")),
    "heading_with_a_number": change("the basket holds a bowl", "<h2>Basket (12 visits)</h2><p>Bowl</p>",
        "<h2>Basket (13 visits)</h2><p>Bowl</p>", text(":Bowl", "Bowl")),
    "another_card": change("the knife costs $6.00", cards(("Knife", "$6.00"), CUP),
        cards(("Fork", "$9.00"), ("Knife", "$6.00"), CUP), text(":$6.00", "$6.00")),
    "other_items": change("two tasks are listed", items("Ann", "Bob"), items("Eve", "Max"),
        count("listitem:Ann", "listitem:Bob")),
    "number_in_bounds": change("at most 30 are left", in_status("12 left"), in_status("17 left"),
        {"kind": "number", "element_id": "status:12", "at_most": "30"}),
    "adjoining_elements": change("2 items are left", "<p role=status><b>2</b>items left</p>",
        "<div><p role=status><b>2</b>items left</p></div>", text("status:2", "2 items left")),
    "drawn_box": change("the milk is done", DRAWN.format("checked"), f"<div>{DRAWN.format('checked')}</div>",
        state("checkbox:", "checked")),
    "set_in_a_wrapper": change("two pens are in the drawer", "<h2>Drawer</h2>" + lines("Red", "Blue"),
        "<h2>Drawer</h2><div class=new><div>" + lines("Blue", "Red") + "</div></div>", count(":Red", ":Blue")),
    "set_under_headings": change("three animals are listed",
        "<h2>Animals</h2><h3>Cats</h3>" + lines("Tom") + "<h3>Dogs</h3>" + lines("Rex", "Bo"),
        "<h2>Animals</h2><h3>Cats</h3>" + lines("Tim", "Kit") + "<h3>Dogs</h3>" + lines("Rex"),
        count(":Tom", ":Rex", ":Bo")),
    "set_of_a_lone_item_on_lines_of_its_own": change("one chore is left",
        "<h1>Chores</h1>" + items("<label><input type=checkbox> Rake</label> <i>in May</i> <button>Drop</button>"),
        "<h1>Chores</h1>" + lines("<input type=checkbox id=rake><label for=rake>Rake</label><div>in May</div><a href=#x>Drop</a>"),
        count("checkbox:Rake")),
    "set_of_cells": change("the table has four cells", table(("Mug", "8"), ("Cup", "5")),
        table(("Fork", "1"), ("Cup", "2")), count("cell:Mug", "cell:8", "cell:Cup", "cell:5")),
    "set_with_another_part": change("the first in the queue is Ann", "<h2>Queue</h2>" + lines("Ann", "Bob"),
        "<h2>Queue</h2>" + lines("Ann", "Eve") + "<h2>Served</h2>" + lines("Bob"), order([":Ann"], "Ann")),
    "set_beside_a_new_table": change("two products are in stock", "<h1>Shop</h1>" + table(MUG, CUP),
        "<h2>Staff</h2>" + table(("Ann", "a"), heads=("Name", "Mail")) + "<h1>Shop</h1>" + table(CUP, MUG),
        count("row:Mug", "row:Cup")),
    "set_beside_a_new_list": change("two products are for sale", "<h1>Shop</h1>" + items("Mug", "Cup"),
        "<h1>Shop</h1>" + items("Mug", "Cup") + items("Home", "Terms", "Jobs"),
        count("listitem:Mug", "listitem:Cup")),
    "set_moved_with_its_title": change("two guests are waiting",
        "<p>Waiting</p>" + items("Ann", "Bob") + "<p>Admitted</p>" + items("Eve"),
        "<p>Admitted</p>" + items("Eve", "Bob", "Ann") + "<div><p>Waiting</p>" + items("Max", "Zoe") + "</div>",
        count("listitem:Ann", "listitem:Bob")),
    "set_under_a_notice": change("two offers are listed", "<h1>Offers</h1>" + items("Mug", "Cup"),
        "<h1>Offers</h1><p>Buy now</p>" + items("Cup", "Mug"), count("listitem:Mug", "listitem:Cup")),
    "set_below_a_message_and_controls": change("two jobs are listed",
        "<h1>Jobs, 5 minutes ago</h1>" + items("A", "B"),
        "<h1>Jobs, 2 minutes ago</h1><p role=status>Saved</p><button>New</button>" + items("C", "D"),
        count("listitem:A", "listitem:B")),
    "set_of_renamed_and_added_columns": change("two products are on sale", table(MUG, CUP),
        table(("Cup", "1", "8"), ("Mug", "2", "5"), heads=("Product", "Stock", "Cost")), count("row:Mug", "row:Cup")),
    "card_of_a_column_that_gets_another": change("the card Paint is to be done",
        column("To do", "Paint") + column("Done", "Draw", "Plan"),
        column("To do", "Paint", "Build") + column("Done", "Draw", "Plan"), text(":Paint", "Paint")),
    "badge_of_the_card": change("the vase costs $8",
        cards(("New", "Vase", "$8"), ("Old", "Plate", "$5"), ("Old", "Bowl", "$6")),
        cards(("Sale", "Vase", "$8"), ("New", "Plate", "$5"), ("Old", "Bowl", "$6")), text(":$8", "$8")),
    "generated_decoration": change("the letter is read", GENERATED + in_status("read"),
        GENERATED + "<p role=status class=bullet>read</p>", text("status:read", "read")),
    "under_a_bar": change("the phone is paid", "<h1>Phone</h1><p role=status>Paid</p>",
        "<div style='position: fixed; inset: 0 0 auto; height: 200px; background: #fff'>Menu</div>" "<h1>Phone</h1><p role=status>Paid</p><div style='height: 2000px'></div>",
        text("status:Paid", "Paid")),
    "absence_of_a_known_form": change("no fork is there", "<h1>Forklift</h1>", "<h1>Forklift</h1><p>A forklift</p>",
        {"kind": "absent", "text": "fork"}, text("heading:Forklift", "Forklift")),
    "head_of_bold_cells_moved": change("the price of the pan is 8", rows("<b>Product</b>", "<b>Price</b>"),
        rows("<b>Product</b>", "<b style='color: red'>Price</b>", "<b>Stock</b>"), text("cell:8", "8")),
    "set_with_the_controls_of_then": change("two things are to be paid",
        "<h1>Cart</h1>" + items("Mug", "Cup") + "<button>Pay 20 points</button>",
        "<h1>Cart</h1>" + items("Fork", "Bowl") + "<div><button>Pay 30 points</button></div>",
        count("listitem:Mug", "listitem:Cup")),
    "set_of_one_page_of_more": change("this page has two posts",
        "<h1>Posts</h1>" + items("A", "B") + "<p>1–2 of 57</p><nav><a href=?1>1</a> <a href=?2>2</a></nav>",
        "<h1>Posts</h1>" + items("C", "D") + "<p>1–2 of 59</p><nav><a href=?1>1</a> <a href=?2>2</a> <a href=?3>3</a></nav>",
        count("listitem:A", "listitem:B")),
    "set_first_of_more": change("the first song is Ann's", "<h1>Songs</h1>" + items("Ann", "Bob"),
        "<h1>Songs</h1>" + items("Ann", "Bob") + "<button>Show more</button>", order(["listitem:Ann"], "Ann")),
    "set_of_a_tab_with_a_number": change("two letters are open", tabs("Open (7)", "A", "B"),
        tabs("Open (8)", "C", "D"), count("listitem:A", "listitem:B")),
    "set_sorted_and_beside_new_choices": change("two books are lent", choice("By title", "A", "B"),
        choice("By date", "B", "A") + "<label><input type=checkbox checked>Covers</label>",
        count("listitem:A", "listitem:B")),
    "set_of_another_lone_card": change("one trip is booked",
        "<h1>Trips</h1>" + items("<h3>Rome</h3><p>$8</p><button>Cancel</button>"),
        "<h1>Trips</h1>" + items("<h3>Oslo</h3><p>$9</p><div><button>Cancel</button></div>"), count("listitem:Rome")),
    "set_with_a_badge_and_a_sold_one": change("three goods are for sale",
        goods("Mug", "Cup", "Jar"),
        goods("Mug", more="<div class=card><b>New</b><h3>Pan</h3><p>$9</p><button>Buy</button></div><div class=card><h3>Pot</h3><p>$9</p><span>Sold</span></div>"),
        count("heading:Mug", "heading:Cup", "heading:Jar")),
    "set_built_anew": change("three goods are on offer",
        goods("Mug", "Cup", "Jar"), goods("Mug", "Cup", "Jar").replace("<h3>", "<div><h3>").replace("</button>", "</button></div>"),
        count("heading:Mug", "heading:Cup", "heading:Jar")),
    "set_with_a_bold_row": change("three letters are new",
        bill(("Ann", "Hi"), ("Bob", "Yes"), ("Eve", "No")), bill(("Ann", "Hi"), ("<b>Bob</b>", "<b>Yes</b>"), ("Eve", "No")),
        count("row:Ann", "row:Bob", "row:Eve")),
    "set_first_of_the_same_page": change("the newest order is R", paged(1, "R", "S", "T"), paged(1, "R", "S", "U", last=5), order(["listitem:R"], "R")),
    "set_in_order_with_an_advertisement": change("the first of the goods is the mug",
        goods("Mug", "Cup"), goods("Mug", "Cup", more="<div class=card><a href=/ad>Visit</a></div>"),
        order(["heading:Mug"], "Mug")),
    "set_of_a_lone_card_by_its_heading": change("one of the goods is left", goods("Mug"), goods("Pan"), count("heading:Mug")),
    "set_in_exchanged_boxes": change("the left box holds two pens",
        boxed(("Left", "<p>Red<p>Rose"), ("Right", "<p>Blue<p>Gray<p>Teal")), boxed(("Right", "<p>Blue<p>Gray<p>Teal"), ("Left", "<p>Red<p>Rose")),
        count(":Red", ":Rose")),
    "set_before_a_control_beside_a_total": change("two songs are listed",
        "<h1>Songs (2)</h1>" + items("A", "B"), "<h1>Songs (2)</h1>" + items("A", "B") + "<button>Print</button>",
        count("listitem:A", "listitem:B")),
    "set_before_controls_of_another_kind": change("two films are listed",
        "<h1 id=top>Films</h1>" + items("A", "B"), "<h1 id=top>Films</h1>" + items("A", "B") + "<a href=#top>Up</a>",
        count("listitem:A", "listitem:B")),
    "set_heading_with_a_number": change("two letters are in the inbox",
        "<h2>Inbox (2, seen 5 minutes ago)</h2>" + lines("A", "B"),
        "<h2>Inbox (2, seen 9 minutes ago)</h2>" + lines("C", "D"), count(":A", ":B")),
    "absence_beside_another_heading": change("Cleo did not join",
        "<h1>Club</h1><h2>Members</h2><ul><li>Ada</ul><h2>News</h2>", "<h1>Club</h1><h2>Members</h2><ul><li>Ada</ul><h2>Latest</h2>",
        {"kind": "absent", "text": "Cleo"}, text("heading:Club", "Club")),
}  # fmt: skip
PAGES = {**FALSE, **HARMLESS}


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """Record every claim, change every page, and replay all of them without a model."""
    plays = "\n".join(each.play for each in PAGES.values())
    tests = "\n".join(each.test(name) for name, each in PAGES.items())
    with project(tmp_path_factory.mktemp("false"), plays, tests) as inner:
        recorded = _run(inner, {name: each.before for name, each in PAGES.items()})
        failed = [f"{n}: {c.message}" for n, c in recorded.tests.items() if c.outcome != "passed"]
        assert not failed, "\n".join(failed)
        assert not recorded.notes("unrecorded")
        yield _run(
            inner, {name: each.after for name, each in PAGES.items()}, "--webtask-mode=replay"
        )


def _run(inner: Project, pages: Mapping[str, str], *args: str) -> Run:
    for name, page in pages.items():
        inner.site.pages[f"/{name}"] = page
    return inner.run("--webtask-timeout=1", *args)


@pytest.mark.parametrize("name", FALSE)
def test_conclusion_that_became_false_fails(replayed: Run, name: str) -> None:
    """Neither verify nor holds passes on a page where the recorded conclusion is false."""
    case = replayed.tests[f"test_{name}"]
    assert case.outcome == "failed"
    assert "VerificationFailed" in case.message or "Drifted" in case.message, case.message


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_change_replays(replayed: Run, name: str) -> None:
    """A change that concerns neither claim nor evidence passes."""
    case = replayed.tests[f"test_{name}"]
    assert case.outcome == "passed", case.message


def test_replay_calls_no_model(replayed: Run) -> None:
    """A replay calls neither a deciding model nor a referee."""
    assert not replayed.asked and not replayed.ruled
