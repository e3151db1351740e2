"""Sets of elements without roles: the right number, or others that make the caller refuse."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Frame, Page

from pytest_webtask.page import dom
from pytest_webtask.page.element_set import ElementSet, Member, NoSetError, find_set, set_around
from pytest_webtask.page.locator_parser import locate
from tests.scripted import Html

CARD = """<div class="{classes}"><img alt="" src="data:," width="9" height="9">
<h3 class="name">{name}</h3><p class="text">A fine {name}</p><span class="price">{price}</span>
<button>Add to cart</button></div>"""


@pytest.fixture(autouse=True)
def _engine(webtask_for: Callable[..., object]) -> None:
    """Asking for `webtask_for` has the engines registered before the page is made."""


def card(name: str, price: str, classes: str = "card") -> str:
    """A product."""
    return CARD.format(name=name, price=price, classes=classes)


def cited(where: Page | Frame, *selectors: str) -> list[Member]:
    """The elements that the selectors find."""
    frame = where.main_frame if isinstance(where, Page) else where
    found = []
    for selector in selectors:
        locator = frame.locator(selector)
        assert locator.count(), selector
        for at in range(locator.count()):
            node = dom.call(locator.nth(at), "field")
            found.append((frame, node["document"], node["number"]))
    return found


def counted(page: Page, found: ElementSet) -> int:
    """The number of visible elements that the locator of a set finds, which are its members."""
    now = locate(found.codes[0], page).all()
    numbers = [dom.call(one, "field")["number"] for one in now]
    assert [number for number in numbers if number in found.members] == list(found.members)
    return len(found.members)


SHOP = (
    f"<header><span class=badge>2</span></header><h1>Products</h1><div class=grid>{card('Mug', '$8')}"
    f"{card('Onesie', '$7.99', 'card featured')}{card('Bag', '$30')}"
    "</div><footer><a href=#a>Terms</a> <a href=#b>Help</a></footer>"
)
ROWS = (
    f'<div class="cols"><div class="row">{card("A", "$1")}{card("B", "$2")}</div>'
    f'<div class="row">{card("C", "$3")}</div></div>'
)
LINE = "<div class='line{}><span>{}</span><span>{}</span></div>"
PEOPLE = [
    (" head' style='font-weight:bold'", "Name", "Age"),
    ("'", "Ann", 31),
    ("'", "Bob", 28),
    ("'", "Cid", 40),
]
DIV_TABLE = (
    f"<h2>People</h2><div class=table>{''.join(LINE.format(*each) for each in PEOPLE)}</div>"
)
EDGES = """<div class=basket><div class=basket-title style="font-size:24px">Cart</div>
<div class=entry>Mug</div><div class=entry>Bag</div>
<div class=basket-total style="font-weight:bold">Total $38</div></div>"""
TODOS = """<h1>todos</h1><input placeholder="What needs to be done?"><ul class=todo-list>
<li class=completed><div class=view><input type=checkbox checked><label>Milk</label><button>x</button></div></li>
<li class=editing><input class=edit value=Bread></li>
<li><div class=view><input type=checkbox><label>Call Bob</label><button>x</button></div></li></ul>
<footer><span class=todo-count>2 items left</span><ul class=filters><li><a href=#/>All</a></li>
<li><a href=#/active>Active</a></li></ul></footer>"""
NESTED = """<ul id=menu><li>Fruit<ul><li>Apple</li><li>Pear</li></ul></li><li>Bread</li>
<li>Tea<ul><li>Green</li></ul></li></ul>"""
TAGGED = (
    ("A", "<span class=tag>new</span>", 1),
    ("B", "", 2),
    ("C", "<span class=tag>old</span>", 3),
)
BADGES = "".join(
    f"<div class=tile><h4>{n}</h4>{b}<span class=sum>{s}</span></div>" for n, b, s in TAGGED
)
COLUMNS = """<div class=board><div class=column><h2>To do</h2><div class=ticket>One</div>
<div class=ticket>Two</div></div><div class=column><h2>Done</h2><div class=ticket>Three</div></div></div>"""
PARTS = (
    "<h1>Visits</h1><div class=visits><p class=visit>May</p><p class=visit>June</p></div>"
    "<h2>Past</h2><div class=visits><p class=visit>April</p></div>"
)
FILTERED = """<div class=col><div class=filters><span>Norway</span> <input type=search></div>
<div class=card><span>Fjell</span> <span>1</span></div><div class=card><span>Havn</span></div>
<div class=found>Sorted by name</div></div>"""
STRIPED = "".join(
    f"<div class={c}><p>{n}</p><a href=#>Open</a>{more}</div>"
    for n, c, more in (("A", "odd", ""), ("B", "even", "<span>new</span>"), ("C", "odd", ""))
)
OTHER_PARTS = """<div class=rev><p>Good</p><b class=author>Ann</b></div>
<div class=rev><p>Bad</p><b class=author>Bob</b></div><div class=rev><p>Mail</p><b class=from>Shop</b></div>"""
PAIRS = """<dl><dt>Name</dt><dd>Ann</dd><dt>City</dt><dd>Rome</dd><dt>Age</dt><dd>31</dd></dl>"""
TOPICS = "".join(f"<a href=#{n}><span class=icon></span>Topic {n}</a>" for n in range(4))
LINKS = f"<nav aria-label=Main><a href=#x>Home</a></nav><div class=links>{TOPICS}</div>"
TABLE = """<table><tr><th>Name</th><th>City</th></tr><tr class=odd><td>Ann</td><td>Rome</td></tr>
<tr class=selected><td>Bob</td><td>Oslo</td></tr><tr class=odd><td>Cid</td><td>Bern</td></tr>
<tr style="display:none"><td>Template</td><td></td></tr></table>"""
AUTHORS = (("Ann", "sc-bdVaJa"), ("Bob", "sc-bwzfXH"), ("Cid", "sc-bdVaJa"))
SHOWN_AS = "".join(
    f"<div class='{c}'><b>{n}</b><div>{n} says hello</div></div>" for n, c in AUTHORS
)
HASHED = f"<main><div class=css-1x2y3z>{SHOWN_AS}</div></main>"
SAUCE = (
    "<div class=inventory_list data-test=inventory-list>"
    + "".join(
        f"<div class=inventory_item data-test=inventory-item><a href=# id=item_{i}_title_link>"
        f"<div class=inventory_item_name>{n}</div></a><button data-test=add-to-cart-{n}>{b}</button></div>"
        for i, n, b in ((4, "pack", "Remove"), (0, "light", "Add"), (1, "shirt", "Remove"))
    )
    + "</div>"
)
CLIPPED = (
    "<div class=list><div class=row>A</div><div class=row>B</div>"
    "<div class=row hidden>C</div><template><div class=row>D</div></template>"
    "<div class=row style='position:absolute;clip:rect(0,0,0,0)'>E</div>"
    "<div class=row style='position:absolute;left:-9999px'>F</div></div>"
)
SONGS = "<div class=row><div class=col>{}</div><div class=col>{}</div></div>".format(
    "".join(f"<div class=song><b>{n}</b><p>Band {n}</p></div>" for n in "ABC"),
    "".join(f"<div class=album><b>{n}</b><p>Year {n}</p></div>" for n in "XY"),
)
TOTALS = (
    "<div class=card><div class='row wide'><div>Completed: 0</div><div>Remaining: 3</div></div>"
    + "<div class='row center'><input type=checkbox><input value=a><button>delete</button></div>"
    * 3
    + "<p class='center'>That is all</p></div>"
)


WHOLE: dict[str, tuple[str, str, int, str]] = {
    "cards": (SHOP, ".card", 3, 'class "card"'), "titles": (SHOP, ".card h3", 3, "role heading"),
    "prices": (SHOP, ".card .price", 3, 'class "price"'),
    "one badge": (SHOP, ".badge", 1, 'class "badge"'),
    "cards in rows": (ROWS, ".card", 3, 'class "card"'),
    "table of divs": (DIV_TABLE, ".line", 4, 'class "line"'),
    "head of a table": (DIV_TABLE.replace("line head", "head"), ".line", 3, ""),
    "head and foot beside the items": (EDGES, ".entry", 2, 'class "entry"'),
    "todos": (TODOS, ".todo-list > li", 3, "role listitem"),
    "labels of todos": (TODOS, "label", 2, ""),
    "outer items": (NESTED, "#menu > li", 3, "role listitem"),
    "inner items": (NESTED, "#menu > li:first-child li", 2, "role listitem"),
    "badges of some": (BADGES, ".tag", 2, 'class "tag"'),
    "column": (COLUMNS, ".column:first-child .ticket", 2, 'class "ticket"'),
    "last column": (COLUMNS, ".column:last-child .ticket", 1, 'class "ticket"'),
    "before a heading": (PARTS, ".visits >> nth=0 >> p", 2, 'class "visit"'),
    "after a heading": (PARTS, ".visits >> nth=1 >> p", 1, 'class "visit"'),
    "beside filters": (FILTERED, ".card", 2, 'class "card"'),
    "beside another class": (OTHER_PARTS, ".author", 2, 'class "author"'),
    "terms": (PAIRS, "dt", 3, ""), "definitions": (PAIRS, "dd", 3, ""),
    "links": (LINKS, ".links a", 4, "role link"),
    "rows": (TABLE, "tr:not([style]):has(td)", 3, "role row"),
    "column of a table": (TABLE, "tr:not([style]) > td:first-child", 3, ""),
    "generated classes": (HASHED, ".css-1x2y3z > div", 3, ""),
    "test ids": (SAUCE, ".inventory_item", 3, 'test id "inventory-item"'),
    "ids with a key": (SAUCE, ".inventory_item a", 3, 'id "item_…_title_link"'),
    "test ids with a key": (SAUCE, "button", 3, 'test id "add-to-cart-…"'),
    "beside hidden ones": (CLIPPED, ".row:nth-child(-n+2)", 2, ""),
    "beside a neighboring column": (SONGS, ".song", 3, ""), "beside a row of totals": (TOTALS, ".row.center", 3, ""),
    "named": (SAUCE, "button >> text=Remove", 2, 'role button named "Remove"'),
}  # fmt: skip
PART: dict[str, tuple[str, str, int]] = {
    "featured card": (SHOP, ".card:not(.featured)", 1),
    "one card": (SHOP, ".featured", 2),
    "title of the featured card": (SHOP, ".card:not(.featured) h3", 1),
    "one price": (SHOP, ".card:first-child .price", 2),
    "cards of a row": (ROWS, ".row:first-child .card", 1),
    "first card of each row": (ROWS, ".row > .card:first-child", 1),
    "card alone in its row": (ROWS, ".row:last-child .card", 2),
    "done todo": (TODOS, ".todo-list > li.completed", 2),
    "todo being edited": (TODOS, ".todo-list > li:not(.editing)", 1),
    "every other row": (STRIPED, ".odd", 1),
    "no heading between": (PARTS.replace("<h2>Past</h2>", ""), ".visits >> nth=0 >> p", 1),
    "heading after the next box": (
        PARTS.replace("<h2>", "<div class=visits><p class=visit>July</p></div><h2>"), ".visits >> nth=0 >> p", 2,
    ),
    "selected row": (TABLE, "tr.odd", 1),
    "cells of some rows": (TABLE, "tr.odd td:first-child", 1),
    "generated class of some": (HASHED, ".sc-bdVaJa", 1),
    "head of the same class": (DIV_TABLE, ".line:not(.head)", 1),
    "outer item": (NESTED, "#menu > li:first-child", 2),
    "one badge": (BADGES, ".tile:first-child .tag", 1),
    "links": (LINKS, ".links a:nth-child(-n+3)", 1),
    "ids": (SAUCE, ".inventory_item:nth-child(-n+2) a", 1),
    "one entry": (EDGES, ".entry >> nth=0", 1),
}  # fmt: skip


def test_set_of_all_cited_has_no_others(html: Html) -> None:
    """All items of a list are one set, whose locator finds just these."""
    for name, (body, selector, number, pattern) in WHOLE.items():
        page = html(body)
        found = find_set(cited(page, selector))
        assert (len(found.members), found.others) == (number, ()), f"{name}: {found}"
        assert found.kind.startswith(pattern), f"{name}: {found}"
        assert counted(page, found) == number, name
        assert found.positions == tuple(range(number)) and not found.more, f"{name}: {found}"


def test_set_of_some_cited_names_the_others(html: Html) -> None:
    """Visible items that look like the cited ones are others, whatever classes they have."""
    for name, (body, selector, others) in PART.items():
        page = html(body)
        found = find_set(cited(page, selector))
        assert len(found.others) == others, f"{name}: {found}"
        assert counted(page, found) == len(found.members), name


NAMED = """<section aria-label=Cart><ul><li>Mug <button>Remove</button>
<li>Plate <button>Remove</button></ul><button>Remove all</button><button hidden>Remove all</button>
</section>"""


def test_set_of_a_named_control_has_one_member(html: Html) -> None:
    """A control asked for by name has no others of that name in the widest container that has it."""
    page = html(NAMED)
    for selector, name, container, others in (
        ("ul + button", "Remove all", "the page", 2),
        ("li:first-child button", "Remove", "listitem", 1),
    ):
        found = find_set(cited(page, selector), named=True)
        assert found.kind == f'role button named "{name}"'
        assert found.container.startswith(container)
        assert not found.others and counted(page, found) == 1
        assert len(find_set(cited(page, selector)).others) == others


def test_set_keeps_texts_and_positions_in_document_order(html: Html) -> None:
    """The set has the position of a single element and all texts in document order."""
    found = set_around(cited(html(SHOP), ".featured h3")[0])
    assert found and found.texts == ("Mug", "Onesie", "Bag") and found.positions == (1,)
    assert set_around(cited(html(SHOP), "h1")[0]) is None, "the only element of its kind"
    assert found.others[0] == "Mug" and found.container.endswith('under "Products"')


def test_set_elsewhere_names_other_containers(html: Html) -> None:
    """The same pattern in another container is reported with its place and not counted."""
    found = find_set(cited(html(COLUMNS), ".column:first-child .ticket"))
    assert found.elsewhere == ((1, 'class "column" "Done"'),)
    assert found.container == 'class "column" "To do"'


def test_items_without_the_element_are_counted(html: Html) -> None:
    """An item that lacks the element, or has it with another class, is reported; so is a box elsewhere."""
    assert find_set(cited(html(BADGES), ".tag")).without == 1
    assert find_set(cited(html(OTHER_PARTS), ".author")).without == 1
    found = find_set(cited(html(PARTS), ".visits >> nth=0 >> p"))
    assert [number for number, _ in found.elsewhere] == [1]


REFUSED = {
    "cannot be seen": ("<div class=row>A</div><div class=row hidden>C</div>", [".row"]),
    "share no": (SHOP, ["h1", ".badge"]),
    "is inside another": (SHOP, [".featured", ".featured h3"]),
}


@pytest.mark.parametrize("problem", REFUSED)
def test_elements_that_are_no_set_are_refused(html: Html, problem: str) -> None:
    """Hidden elements, elements that share nothing, and an item with its own part are no set."""
    body, selectors = REFUSED[problem]
    with pytest.raises(NoSetError, match=problem):
        find_set(cited(html(body), *selectors))


def test_rows_added_later_are_found_by_the_locator(html: Html) -> None:
    """The locator does not depend on the texts or the number of items."""
    page = html(SHOP)
    found = find_set(cited(page, ".card"))
    assert not any(text in found.codes[0] for text in ("Mug", "Onesie", "Bag", "nth"))
    # Headings within items change with the items.
    unnamed = find_set(
        cited(html(f"<main><div>{card('Mug', '$8')}{card('Bag', '$9')}</div></main>"), ".card")
    )
    assert "Mug" not in unnamed.container + unnamed.codes[0]
    page = html(SHOP)
    page.locator(".grid").evaluate(
        "(e, html) => e.insertAdjacentHTML('beforeend', html)", card("Cap", "$1")
    )
    assert locate(found.codes[0], page).count() == 4
    page.locator(".card").evaluate_all("all => all.forEach(e => e.remove())")
    assert locate(found.codes[0], page).count() == 0


def test_set_across_open_shadow_roots_is_counted(html: Html) -> None:
    """Items of custom elements are members like any others, and what they show in a slot is their text."""
    page = html("<div id=all><x-card></x-card><x-card></x-card><x-card></x-card></div>")
    page.locator("x-card").evaluate_all(
        "all => all.forEach((e, i) => { e.attachShadow({mode: 'open'}).innerHTML = `<h3>Title ${i}</h3><p>Text</p>`; })"
    )
    found = find_set(cited(page, "x-card h3"))
    assert counted(page, found) == 3 and not found.others
    assert len(find_set(cited(page, "x-card >> nth=1")).others) == 2
    page = html("<main><x-a><b>One</b></x-a><x-a><b>Two</b></x-a></main>")
    page.locator("x-a").evaluate_all(
        "all => all.forEach(e => e.attachShadow({mode: 'open'}).innerHTML = '<p><slot></slot></p>')"
    )
    assert find_set(cited(page, "x-a")).texts == ("One", "Two")


def rows(number: int) -> str:
    """A list of items without roles."""
    return "".join(f"<div class=row>Item {n}</div>" for n in range(number))


SIGNS = {
    "1-3 of 13": "<div>1-3 of 13</div>",
    "to 3 of 57": "<p>Showing <b>1</b> to <b>3</b> of <b>57</b> entries</p>",
    "1.234 件中": "<p>1.234 件中 4–6</p>",
    "3 / 57": "<p>3 / 57</p>",
    "page numbers 1, 2": "<ul><li><a href=#1>1</a></li><li><a href=#2>2</a></li></ul>",
    "other pages": "<nav aria-label=Pagination><button>›</button></nav>",
    "Mehr laden": "<div><button>Mehr laden</button></div>",
}
NO_SIGNS = (
    "<div>1-3 of 3</div>", "<p>Showing 1 to 3 of 3 entries</p>", "<p>Total: $3.20, 5 points</p>",
    "<nav class=pagination><a href=#1>1</a></nav>",
    "<form><input value=Ann><input value=Lee><button>Save</button></form>",
    "<p>Imprint, terms and <a href=#>help</a></p>", "<p>1,240 3%</p>",
    "</section><section><h2>Others</h2><p>3 / 57</p>",
    "<table><tr><td><a href=#>1</a><td><a href=#>2</a><tr><td><a href=#>3</a><td><a href=#>4</a></table>",
    "</section><label>Name <input value=Ann></label><input value=Lee>",
)  # fmt: skip


def test_signs_of_more_are_reported(html: Html) -> None:
    """Texts that mention items not shown are reported, in any language; totals, forms and calendars are none."""
    page = "<main><section><h2>Things</h2><div class=list>{}</div>{}</section></main>"
    for sign, after in SIGNS.items():
        found = find_set(cited(html(page.format(rows(3), after)), ".row"))
        assert len(found.more) == 1 and sign in found.more[0], found.more
    for after in NO_SIGNS:
        assert find_set(cited(html(page.format(rows(3), after)), ".row")).more == (), after


CARDS = "<div class=col><div class=card><h3>{}</h3><div class=body>{}</div></div></div>"
OUTSIDE = {
    # The ids of records, the pager of another card, and a page that scrolls.
    """<table><thead><tr><th>id<th>name</thead><tbody><tr><td><a href=#4>4</a><td>Ada
    <tr><td><a href=#5>5</a><td>Bo<tr><td><a href=#6>6</a><td>Cy</table>""": "tbody tr > td:nth-child(2)",
    "<div class=wide>"
    + CARDS.format("Things", rows(3))
    + CARDS.format("Pages", "<p>1-3 of 9</p><ul class=pagination><li><a href=#>»</a></ul>")
    + "</div>": ".row",
    f"<div style='height:200px;overflow:auto'><h2>Things</h2><div>{rows(3)}</div>"
    "<p style='height:900px'>And much more to read</div>": ".row",
}


def test_signs_outside_of_the_set_are_ignored(html: Html) -> None:
    """Ids, neighboring cards, and a page that scrolls are no signs of more."""
    for body, css in OUTSIDE.items():
        assert find_set(cited(html(f"<main>{body}</main>"), css)).more == (), body


def test_texts_of_controls_are_their_names_and_states(html: Html) -> None:
    """Boxes and switches are represented by their state instead of their value, icons by their name."""
    page = html(
        "<p><label><input type=checkbox value=on checked> Mail</label>"
        "<label><input type=checkbox value=on> Phone</label></p>"
        "<ul><li><button role=switch aria-checked=true>A</button></li>"
        "<li><button role=switch aria-checked=false>B</button></li></ul>"
        "<div><button class=i><img alt=Edit></button><button class=i><i title=Delete></i></button></div>"
    )
    assert find_set(cited(page, "input")).texts == ("Mail (on)", "Phone (off)")
    assert find_set(cited(page, "[role=switch]")).texts == ("A (on)", "B (off)")
    assert find_set(cited(page, ".i")).texts == ("Edit", "Delete")


def test_size_of_a_grid_is_a_sign_of_more(html: Html) -> None:
    """A larger `aria-rowcount` or `aria-setsize` is a sign of other items; a search with a value is none."""
    page = html(
        "<main><input type=search aria-label=Filter value=It>"
        "<div role=grid aria-rowcount=40><div role=row><span role=columnheader>Name</span></div>"
        "<div role=row><span role=gridcell>A</span></div><div role=row><span role=gridcell>B</span></div>"
        "</div><ul><li aria-setsize=9>X</li><li aria-setsize=9>Y</li></ul></main>"
    )
    drawn = "there are {} according to ARIA, of which {} are drawn"
    found = find_set(cited(page, "[role=row]:has([role=gridcell])"))
    assert len(found.members) == 2 and not found.others
    assert found.more == (drawn.format(40, 3),)
    assert drawn.format(9, 2) in find_set(cited(page, "li")).more


FAR = "".join(
    f"<div class=r style='position:absolute;top:{20 * n}px;height:20px'>Row {n}</div>"
    for n in range(8)
)
GAP = "<div style='height:900px'></div>"
VIRTUAL = {
    ".r": (8, f"<div style='height:3000px;position:relative'>{FAR}</div>"),
    ".view > div:has(a)": (
        2, f"{GAP}<div>Ann <a href=#>mail</a></div><div>Bob <a href=#>mail</a></div>{GAP}"
    ),
}  # fmt: skip


def test_virtual_list_is_a_sign_of_more(html: Html) -> None:
    """Items that a virtual list has not drawn, and rows that keep room, are not counted; the list is reported."""
    for selector, (number, body) in VIRTUAL.items():
        page = html(f"<div class=view style='height:100px;overflow:auto'>{body}</div>")
        found = find_set(cited(page, selector))
        assert len(found.members) == number and not found.others
        assert any("drawn later" in sign for sign in found.more), found.more
