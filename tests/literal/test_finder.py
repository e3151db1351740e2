"""Tests of which element a name means on a page."""

import pytest
from playwright.sync_api import Error, Page

from pytest_webtask.literal.finder import Area, UnresolvedError, name_patterns
from pytest_webtask.literal.waiting import find_element
from pytest_webtask.page import dom
from tests.literal.names import SHOP, find_id, parse_phrase, refusal

ICON = "<svg class=trash width=9 height=9></svg>"
NAMELESS = "<div><span>Mug</span><i>none</i><span>Pen</span><button id=x>Buy</button></div>"
CLICK_ICON = 'click the button without a name next to "batch"'
CLICKED = {
    # A name that is equal, then one that differs in case, then one that contains it.
    "Save": "<button>SAVE</button><button>Save all</button><button id=x>Save</button>",
    "Sav": "<button>sav all</button><button id=x>SAV</button>",
    "save": "<button id=x>Save all</button><button>Cancel</button>",
    # White space is folded, whatever characters there are.
    "Add to cart": "<button id=x>  Add&nbsp;to\n   cart </button>",
    "  Put in\n cart ": "<button id=x>Put in cart</button>",
    'Say \\"hi\\" it\'s / 50%': '<button id=x>Say "hi" it\'s / 50%</button>',
    "A.B [C] (D) \\e": "<button id=x>a.b [c] (d) \\e</button>",
    "Address": "<button id=x>Ad&shy;dress</button>",
    "Close": '<button id=x aria-label=" Close\n">X</button>',
    "Cart": '<button id=x><img alt="Cart"></button>',
    "Lbl": "<i id=l>Lbl</i><button id=x aria-labelledby=l>other</button>",
    "Add now": "<button id=x><b>Ad</b>d <i>now</i></button>",
    "Go & run": '<input type=submit id=x value="Go &amp; run">',
    "Submit": "<input type=submit id=x>",
    "Ünïcode 日本": "<a href=# id=x>Ünïcode 日本</a>",
    # A control comes before a heading or text, and an invisible twin does not count.
    "Pay": "<h1>Pay</h1><p>Pay</p><button id=x>Pay</button>",
    "Hid": "<button hidden>Hid</button><button id=x>Hid</button>",
    # Without a control of that name it is a label, a text, an image or a title.
    "Hand": "<div id=x style=cursor:pointer>Hand</div>",
    "Text": "<div id=x>Text</div>",
    "Picture": "<img id=x alt=Picture width=9 height=9>",
    "Canvas": "<canvas id=x role=img aria-label=Canvas></canvas>",
    "Title": "<span id=x title=Title>i</span>",
    "Summary": "<details><summary id=x>Summary</summary>text</details>",
    "Icon": "<style>.i::before{content:'\\f015'}</style><button id=x class=i>Icon</button>",
    "Menu": "<div role=menuitem id=x>Menu</div>",
    "Field": "<input id=x aria-label=Field>",
    "Box": "<div id=x role=checkbox><button></button>Box</div>",
}
EMAIL = [
    "<label>Email<input id=x></label>",
    "<label for=x>Email</label><textarea id=x></textarea>",
    "<input id=x aria-label=Email>",
    "<input id=x placeholder=Email>",
    "<label for=x>Your mail</label><input id=x placeholder=Email>",
    "<input id=x title=Email>",
    "<label>Email<input type=date id=x></label>",
    "<label>Email<input type=number id=x></label>",
    "<div id=x contenteditable aria-label=Email></div>",
    "<label>Email<input list=l id=x></label><datalist id=l><option>a</datalist>",
    "<i id=l>Email</i><div role=textbox contenteditable aria-labelledby=l id=x></div>",
    "<label for=x>Email</label><label for=x>required</label><input id=x>",
    "<button>Email</button><a href=#>Email</a><label>Email<input id=x></label>",
    "<label>Email <input id=x></label><label>Company email <input></label><label>Email of pet <input></label>",
    # Without a name it is that of the text beside it.
    "<p>Email: <input id=x></p><p>Name: <input></p>",
    "<table><tr><td>Email<td><input id=x><tr><td>Name<td><input></table>",
    "<form><div>Name</div><input><div>Email</div><input id=x></form>",
    "<div><label>Email</label><div id=x role=textbox contenteditable>a@b.c</div></div>",
]
CHECKED = [
    "<label><input type=checkbox id=x>Agree</label><button>Agree</button>",
    "<input type=checkbox id=x><label for=x>Agree</label>",
    "<div role=checkbox id=x aria-checked=false tabindex=0>Agree</div>",
    "<button role=switch id=x aria-checked=false>Agree</button>",
    "<label><input type=radio id=x>Agree</label>",
]
UPLOADED = [
    "<label>CV<input type=file id=x></label>",
    "<label>CV<input type=file id=x hidden></label><button>CV</button>",
    "<input type=file id=x aria-label=CV style='opacity:0'>",
    "<div><input type=file id=x hidden><button>CV</button></div><input type=file>",
]
LINKS = "<div><a href=#><b>Mug</b></a><i>none</i><a href=#><b>Pen</b></a><button id=x>Buy</button></div>"
FOUND = [
    *((f'click "{name}"', markup) for name, markup in CLICKED.items()),
    *(('fill "Email" with "x"', markup) for markup in EMAIL),
    *(('check "Agree"', markup) for markup in CHECKED),
    *(('upload "cv" to "CV"', markup) for markup in UPLOADED),
    ('choose "Fast"', "<label><input type=checkbox>Fast</label><label><input type=radio id=x>Fast</label>"),
    ('select "M" in "Size"', "<button>Size</button><label>Size<input></label>"
     "<label>Size <select id=x><option>M</select></label>"),
    ('scroll to "Footer"', "<p style=height:3000px></p><h2 id=x>Footer</h2>"),
    # An element behind the next link is next to that.
    ('click "Buy" next to the "Pen" link', LINKS),
    # In a list without containers an element belongs to the name before it; a role decides between two of a name.
    ('click "Buy" next to "Pen"', NAMELESS),
    ('click "Save"', "<button id=x disabled>Save</button><p>Save</p>"),
    ('click the "Save" link', "<button>Save</button><a href=# id=x>Save</a><h2>Save</h2>"),
    ('click the "Save" heading', "<button>Save</button><a href=#>Save</a><h2 id=x>Save</h2>"),
    # What a dialog has left to those who see it counts if nothing else has the name.
    ('fill "Text" with "x"', "<main aria-hidden=true><input id=x title=Text></main>"),
    ('click the "Save" button', "<main aria-hidden=true><button id=x>Save</button></main>"),
    ('click "Close"', "<main aria-hidden=true><button>Close</button></main><button id=x>Close</button>"),
    ('click the "Save" button', "<button id=x>Save draft</button><div aria-hidden=true style=opacity:0><button>Save</button></div>"),
    # Nor does what is behind a modal dialog.
    ('click "Close"', "<button>Close</button><dialog id=d><button id=x>Close</button></dialog>"
     "<script>d.showModal()</script>"),
    # What has no name is called by its kind.
    (CLICK_ICON, f"<table><tr><td>batch<td>32<td><button id=x>{ICON}</button><tr><td>epochs<td>3<td><button>{ICON}</table>"),
    (CLICK_ICON, f"<ul><li>batch <a href=#>{ICON}</a><button title=Edit>{ICON}</button><button id=x>{ICON}</button></ul>"),
    ('check the checkbox without a name next to "Ann"', "<table><tr><td><input id=x type=checkbox><td>Ann</table>"),
]  # fmt: skip
HIDDEN_SAVE = 'button "Save" (hidden'
SECTIONS = """<section><h1>Shop</h1><div><h2>Cart</h2><p>empty</p></div>
<div><h2>Wishes</h2><button>Buy</button></div></section>"""
MANAGED = """<a href=#>My orders</a><nav style=display:none><a href=#>Manage orders</a></nav>
<table><tr><td>Cat Bowl<td><button>Edit</button></table>
<dialog><h2>Edit</h2><label>Stock <input></label></dialog>"""
NOTHING = "nothing that can be clicked"
BUY = 'click "Buy" next to "Mug"'
ROW = "<tr><td>Mug</td>{}<td><button>Buy</button></td></tr>"
REFUSED = [
    # Two candidates of one rank, disabled ones included.
    ('click "Save"', "<button>Save</button><button>Save</button>", '2 elements could be "Save";'),
    ('click "Save"', "<button>Save a</button><button>Save b</button>", '2 elements could be "Save";'),
    ('click "Save"', "<button disabled>Save</button><a href=#>Save</a>", "2 elements"),
    ('click "Save"', "<button hidden>Save</button><button>Cancel</button>", HIDDEN_SAVE),
    ('click "Cart"', "<h1>Cart</h1><a href=#>Cart (2)</a>", 'heading "Cart"'),
    ('click "Cart"', "<h1>Cart</h1><a href=#>Cart (2)</a>", 'link "Cart (2)"'),
    # What is in another row, card or field, behind the next name, or only on the same page.
    ('click "Add to cart" next to "Pen"', SHOP, 'in row "Mug"'),
    (BUY, "<div class=grid><div class='card new'><b>Mug</b><p>sold out</p></div>"
     "<div class=card><b>Pen</b><button>Buy</button></div></div>", NOTHING),
    (BUY, NAMELESS, NOTHING),
    ('click "Look up" next to "Street"', "<div class=field><label>Street</label><input aria-label=Street>"
     "</div><div class=field><label>City</label><input><button>Look up</button></div>", NOTHING),
    (BUY, "<div><p><b>Mug</b></p></div><div><p><button>Buy</button></p></div>", NOTHING),
    (BUY, f"<table>{ROW.format('')}{ROW.format('<td>x</td>')}</table>", "2 elements"),
    ('fill "Email" with "x"', "<p>Email <input aria-label=Mail></p>", 'textbox "Mail"'),
    ('fill "Email" with "x"', "<div role=textbox contenteditable>Email</div>", 'write it:\n  textbox without a name'),
    (CLICK_ICON, f"<p>batch {f'<button>{ICON}</button>' * 2}</p>", '\n  button without a name (icon "trash", at '),
    (CLICK_ICON, "<p>batch <button>Go</button></p>", 'there is no button without a name next to "batch" (waited'),
    ('click "Delete" next to "batch"', f"<li>batch <button>{ICON}</button>", '\n  button without a name in list item "batch"'),
    # A section ends at the next heading, and what is next to a link at the next link.
    ('click "Buy" in the "Cart" section', SECTIONS, NOTHING),
    ('click "Buy" next to the "Mug" link', LINKS, NOTHING),
    # What is not visible is said to be hidden, in a frame as well.
    ('click "Manage orders"', MANAGED, '\n  link "Manage orders" (hidden: first hover or open what hides it)'),
    ('clear "Stock" next to "Cat Bowl"', MANAGED, 'textbox "Stock"'),
    ('click "Pay"', "<iframe hidden srcdoc='<button>Pay</button>'></iframe>", 'button "Pay" (hidden'),
    # A box with a name of its own, or one of two, beside a text.
    ('check "Agree"', "<p>Agree</p><label><input type=checkbox>Other</label>", ""),
    ('check "Agree"', "<ul><li>Agree <label><input type=checkbox>Active</label></ul>", ""),
    ('check "Agree"', "<ul><li><input type=checkbox>Agree<li><input type=checkbox>Agree</ul>", ""),
]  # fmt: skip


@pytest.mark.parametrize(("phrase", "markup"), FOUND)
def test_element_of_that_name_and_kind_is_found(page: Page, phrase: str, markup: str) -> None:
    """A name means the element that has it, of a kind that the verb can act on."""
    page.set_content(markup)
    assert find_id(page, phrase) == "x"


@pytest.mark.parametrize(("phrase", "markup", "reason"), REFUSED)
def test_uncertain_element_is_refused(page: Page, phrase: str, markup: str, reason: str) -> None:
    """The error says what could be meant, or that nothing could."""
    page.set_content(markup)
    assert reason in refusal(page, phrase)


BOX = "<style>.box{display:inline-block;width:20px;height:20px;border:1px solid}</style>"


class TestVerbs:
    def test_click_finds_button_in_transparent_frame(self, page: Page) -> None:
        """A frame that is laid transparent over a picture of its button takes the click."""
        page.set_content("<iframe style='opacity:0' srcdoc='<button>Pay</button>'></iframe>")
        page.frames[1].wait_for_load_state()
        assert find_element(page, parse_phrase('click "Pay"'), 1).locator.count() == 1

    @pytest.mark.parametrize(
        "markup",
        [
            "<label>Off <input type=checkbox id=x aria-label=Agree style='opacity:0;width:0;height:0'>"
            "<i class=box></i> On</label>",
            "<div class=box><input type=checkbox id=x role=switch aria-label=Agree"
            " style='opacity:0;width:0;height:0;margin:0;position:absolute'><i class=box></i></div>",
            "<ul><li><input type=checkbox><label>Other</label><li><input id=x type=checkbox><label>Agree</label></ul>",
            "<p><input type=checkbox><label>Other</label></p><p><input id=x type=checkbox><label>Agree</label></p>",
        ],
        ids=["label of another text", "component", "item", "label that is not bound"],
    )
    def test_check_finds_box_that_another_part_draws_or_names(
        self, page: Page, markup: str
    ) -> None:
        """A box of no size, or one without a name beside its text, is found."""
        page.set_content(BOX + markup)
        found = find_element(page, parse_phrase('check "Agree"'), 1).locator
        assert found.evaluate("e => (e.control ?? e).id") == "x"

    def test_picture_and_title_of_a_card_are_one_link(self, page: Page) -> None:
        """Links of one name and address count once in a card, and the title is taken."""
        card = (
            "<div class=card><div class=image><a href='/{0}'><img alt='{0}' width=9 height=9></a></div>"
            "<h3><a id=x{0} href='/{1}'>{0}</a></h3><button>Add</button></div>"
        )
        page.set_content(card.format("Cup", "Cup") + card.format("Pot", "other"))
        # A document without an address has no addresses of links.
        page.evaluate("document.head.innerHTML = '<base href=http://shop.test/>'")
        assert find_id(page, 'click "Cup"') == "xCup"
        with pytest.raises(UnresolvedError, match="2 elements could be"):
            find_element(page, parse_phrase('click "Pot"'), 0.3)
        page.set_content(card.format("Cup", "Cup") * 2)
        page.evaluate("document.head.innerHTML = '<base href=http://shop.test/>'")
        with pytest.raises(UnresolvedError, match="2 elements could be"):
            find_element(page, parse_phrase('click "Cup"'), 0.3)

    def test_shadow_roots_are_searched(self, page: Page) -> None:
        """Elements in open shadow roots, and text slotted into them, are found."""
        page.set_content("<x-a>Rate</x-a>")
        page.evaluate(
            "document.querySelector('x-a').attachShadow({mode: 'open'}).innerHTML = "
            "'<button id=x><slot></slot></button><label>Stars<input id=y></label>'"
        )
        assert find_id(page, 'click "Rate"') == "x"
        assert find_id(page, 'fill "Stars" with "5"') == "y"


def test_part_that_has_gone_is_no_empty_part(page: Page) -> None:
    """A claim that a part lacks something must not hold because the part has just been removed."""
    page.set_content("<section><button>Pay</button></section>")
    given = {"roles": ["button"], "name": name_patterns("")}
    section = dom.call(page.locator("section"), "itself", {}, engine=dom.MATCH)
    numbers = [section["number"]]
    part = Area(page.main_frame, {"document": section["document"], "numbers": numbers})
    assert part.ask("members", **given)["elements"]
    page.locator("section").evaluate("e => e.remove()")
    with pytest.raises(Error, match="a part of the page has gone"):
        part.ask("members", **given)
