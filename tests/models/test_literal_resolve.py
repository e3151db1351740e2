"""Which element a name means on a real page, and when it means none."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, TimeoutError

from pytest_webtask.errors import PageError
from pytest_webtask.models.literal.explain import Wanted
from pytest_webtask.models.literal.grammar import parse
from pytest_webtask.models.literal.resolve import Unresolved, find


@pytest.fixture(scope="module")
def sheet(browser: Browser) -> Iterator[Page]:
    """One page for all tests that only set its content: a page each would take most of the time."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def page(sheet: Page) -> Page:
    """The shared page."""
    return sheet


SHOP = """
<nav><a href="#home">Home</a> <a href="#mug">Mug</a></nav>
<main>
  <h1>Products</h1>
  <table><tbody>
    <tr><td>Mug</td><td><button id="mug">Add to cart</button></td></tr>
    <tr><td>Mug holder</td><td><button id="holder">Add to cart</button></td></tr>
    <tr><td>Pen</td><td>sold out</td></tr>
  </tbody></table>
  <h2>Delivery</h2>
  <label><input type="radio" name="d" id="d1">Express</label>
  <label><input type="radio" name="d" id="d2">Standard</label>
  <h2>Gift wrap</h2>
  <label><input type="radio" name="g" id="g1">Express</label>
  <section aria-label="Cart"><button id="empty">Empty</button></section>
  <form><fieldset><legend>Account</legend><button type="button" id="wipe">Empty</button></fieldset>
  </form>
</main>
"""


def wanted(phrase: str) -> Wanted:
    """What a sentence names first."""
    named = next(iter(parse(phrase)[0].elements.values()))
    of = named.of.raw if named.of else ""
    return Wanted(" ".join(named.name.raw.split()), named.fit, named.role, named.relation, of)


def found(page: Page, phrase: str, timeout: float = 3) -> str:
    """The id of the one element that a sentence names."""
    query = find(page, wanted(phrase), timeout)
    assert query.locator.count() == 1, query.code
    return str(query.locator.get_attribute("id"))


def refusal(page: Page, phrase: str, timeout: float = 0.3) -> str:
    """Why a sentence names no one element."""
    with pytest.raises(Unresolved) as caught:
        find(page, wanted(phrase), timeout)
    return str(caught.value)


class TestRanks:
    def test_exact_before_the_rest(self, page: Page) -> None:
        """An exact name wins over names that contain it or differ in case."""
        page.set_content("<button>SAVE</button><button>Save all</button><button id=x>Save</button>")
        assert found(page, 'click "Save"') == "x"

    def test_caseless_before_part(self, page: Page) -> None:
        """A name that differs in case wins over one that contains it."""
        page.set_content("<button>save all</button><button id=x>SAVE</button>")
        assert found(page, 'click "Save"') == "x"

    def test_a_unique_part(self, page: Page) -> None:
        """A part of one name only is enough."""
        page.set_content("<button id=x>Save all</button><button>Cancel</button>")
        assert found(page, 'click "save"') == "x"

    @pytest.mark.parametrize("names", [("Save", "Save"), ("SAVE", "save"), ("Save a", "Save b")])
    def test_two_of_a_rank_are_refused(self, page: Page, names: tuple[str, str]) -> None:
        """Two candidates of one rank are never chosen between."""
        page.set_content("".join(f"<button>{name}</button>" for name in names))
        assert refusal(page, 'click "Save"').startswith('2 elements could be "Save":')

    @pytest.mark.parametrize(
        ("markup", "name"),
        [
            ("<button id=x>  Add&nbsp;to\n   cart </button>", "Add to cart"),
            ("<button id=x>Add to cart</button>", "  Add to\n cart "),
            ('<button id=x>Say "hi" it\'s / 50%</button>', 'Say \\"hi\\" it\'s / 50%'),
            ("<button id=x>a.b [c] (d) \\e</button>", "A.B [C] (D) \\e"),
            ("<button id=x>Ad&shy;dress</button>", "Address"),
            ('<button id=x aria-label=" Close\n">X</button>', "Close"),
            ('<button id=x><img alt="Cart"></button>', "Cart"),
            ("<i id=l>Lbl</i><button id=x aria-labelledby=l>other</button>", "Lbl"),
            ("<button id=x><b>Ad</b>d <i>now</i></button>", "Add now"),
            ('<input type=submit id=x value="Go &amp; run">', "Go & run"),
            ("<input type=submit id=x>", "Submit"),
            ("<a href=# id=x>Ünïcode 日本</a>", "Ünïcode 日本"),
        ],
    )
    def test_white_space_and_odd_names(self, page: Page, markup: str, name: str) -> None:
        """Names are compared with white space folded, whatever characters they have."""
        page.set_content(markup)
        assert found(page, f'click "{name}"') == "x"


class TestDecoys:
    def test_a_heading_of_the_same_name(self, page: Page) -> None:
        """What is operated wins over a heading or text of the same name."""
        page.set_content("<h1>Save</h1><p>Save</p><button id=x>Save</button>")
        assert found(page, 'click "Save"') == "x"

    @pytest.mark.parametrize(
        "hide",
        [
            "hidden",
            "style=visibility:hidden",
            "style=width:0;height:0;padding:0;border:0;overflow:hidden",
        ],
    )
    def test_a_hidden_duplicate(self, page: Page, hide: str) -> None:
        """What cannot be seen does not count."""
        page.set_content(f"<button {hide}>Save</button><button id=x>Save</button>")
        assert found(page, 'click "Save"') == "x"

    def test_only_a_hidden_one(self, page: Page) -> None:
        """A name that only something invisible has is no name."""
        page.set_content("<button hidden>Save</button><button>Cancel</button>")
        assert "nothing that can be clicked is called" in refusal(page, 'click "Save"')

    def test_a_disabled_control(self, page: Page) -> None:
        """A disabled control is found, and Playwright itself refuses to click it."""
        page.set_content("<button id=x disabled>Save</button><p>Save</p>")
        query = find(page, wanted('click "Save"'), 0.5)
        with pytest.raises(TimeoutError, match="not enabled"):
            query.locator.click(timeout=600)

    def test_a_disabled_twin(self, page: Page) -> None:
        """A disabled control counts: it is not passed over for its enabled twin."""
        page.set_content("<button disabled>Save</button><button>Save</button>")
        assert "2 elements" in refusal(page, 'click "Save"')

    def test_plain_text_against_a_control_of_nearly_that_name(self, page: Page) -> None:
        """A heading is not clicked where a control contains its name: which is meant is unclear."""
        page.set_content("<h1>Cart</h1><a href=#>Cart (2)</a>")
        text = refusal(page, 'click "Cart"')
        assert 'heading "Cart"' in text
        assert 'link "Cart (2)"' in text

    def test_another_row_is_not_next_to(self, page: Page) -> None:
        """The only candidate is not taken if it stands in another row than the qualifier."""
        page.set_content(SHOP)
        text = refusal(page, 'click "Add to cart" next to "Pen"')
        assert 'in row "Mug Add to cart"' in text

    def test_another_card_is_not_next_to(self, page: Page) -> None:
        """Cards made of plain containers keep their contents to themselves too."""
        page.set_content(
            "<div class=grid><div class='card new'><b>Mug</b><p>sold out</p></div>"
            "<div class=card><b>Pen</b><button>Buy</button></div></div>"
        )
        assert "nothing that can be clicked" in refusal(page, 'click "Buy" next to "Mug"')

    def test_flat_rows_are_not_crossed(self, page: Page) -> None:
        """In a list without containers, nothing is taken from behind the next name."""
        page.set_content(
            "<div><span>Mug</span><i>none</i><span>Pen</span><button id=x>Buy</button></div>"
        )
        assert found(page, 'click "Buy" next to "Pen"') == "x"
        assert "nothing that can be clicked" in refusal(page, 'click "Buy" next to "Mug"')

    def test_another_field_is_not_next_to(self, page: Page) -> None:
        """A button beside another field is not next to this one."""
        page.set_content(
            "<div class=field><label>Street</label><input aria-label=Street></div>"
            "<div class=field><label>City</label><input><button>Look up</button></div>"
        )
        assert "nothing that can be clicked" in refusal(page, 'click "Look up" next to "Street"')

    def test_the_whole_page_is_no_container(self, page: Page) -> None:
        """Two things are not next to each other for being on the same page."""
        page.set_content("<div><p><b>Mug</b></p></div><div><p><button>Buy</button></p></div>")
        assert "nothing that can be clicked" in refusal(page, 'click "Buy" next to "Mug"')

    def test_what_a_modal_dialog_covers(self, page: Page) -> None:
        """What lies behind a modal dialog does not count, even alone."""
        page.set_content(
            "<button>Close</button><button>Back</button>"
            "<dialog><button id=x>Close</button></dialog>"
        )
        page.evaluate("document.querySelector('dialog').showModal()")
        assert found(page, 'click "Close"') == "x"
        assert "nothing that can be clicked" in refusal(page, 'click "Back"')

    def test_two_rows_of_the_same_name(self, page: Page) -> None:
        """Two rows that both have the qualifier are an error, however large each of them is."""
        row = "<tr><td>Mug</td>{}<td><button>Buy</button></td></tr>"
        page.set_content(f"<table>{row.format('')}{row.format('<td>x</td>')}</table>")
        assert "2 elements" in refusal(page, 'click "Buy" next to "Mug"')

    def test_a_field_of_part_of_the_name(self, page: Page) -> None:
        """A label that contains another's text is no candidate for it."""
        page.set_content(
            "<label>Name <input id=x></label><label>Company name <input></label>"
            "<label>Name of pet <input></label>"
        )
        assert found(page, 'fill "Name" with "x"') == "x"


class TestVerbs:
    @pytest.mark.parametrize(
        "markup",
        [
            "<label>Email<input id=x></label>",
            "<label for=x>Email</label><textarea id=x></textarea>",
            "<input id=x aria-label=Email>",
            "<input id=x placeholder=Email>",
            "<label for=x>Your mail</label><input id=x placeholder=Email>",
            "<input id=x title=Email>",
            "<label>Email<input type=date id=x></label>",
            "<label>Email<input type=password id=x></label>",
            "<label>Email<input type=number id=x></label>",
            "<label>Email<input type=search id=x></label>",
            "<div id=x contenteditable aria-label=Email></div>",
            "<label>Email<input list=l id=x></label><datalist id=l><option>a</datalist>",
            "<i id=l>Email</i><div role=textbox contenteditable aria-labelledby=l id=x></div>",
            "<label for=x>Email</label><label for=x>required</label><input id=x>",
            "<button>Email</button><a href=#>Email</a><label>Email<input id=x></label>",
        ],
    )
    def test_fill_wants_what_can_be_edited(self, page: Page, markup: str) -> None:
        """A field is found by its label, accessible name or placeholder, and nothing else is."""
        page.set_content(markup)
        assert found(page, 'fill "Email" with "x"') == "x"

    @pytest.mark.parametrize(
        "markup",
        [
            "<label><input type=checkbox id=x>Agree</label><button>Agree</button>",
            "<input type=checkbox id=x><label for=x>Agree</label>",
            "<div role=checkbox id=x aria-checked=false tabindex=0>Agree</div>",
            "<button role=switch id=x aria-checked=false>Agree</button>",
            "<label><input type=radio id=x>Agree</label>",
        ],
    )
    def test_check_wants_what_can_be_checked(self, page: Page, markup: str) -> None:
        """Checkboxes, switches and radios are found, native or not."""
        page.set_content(markup)
        assert found(page, 'check "Agree"') == "x"

    @pytest.mark.parametrize(
        "style",
        [
            "display:none",
            "opacity:0;width:0;height:0;position:absolute",
            "opacity:0;pointer-events:none",
            "position:absolute;left:-9999px",
            "position:absolute;width:1px;height:1px;clip:rect(0 0 0 0);overflow:hidden",
            "opacity:0;position:absolute",
            "appearance:none",
        ],
    )
    @pytest.mark.parametrize(
        "markup",
        [
            "<label><input type=checkbox style='{}'><i class=box></i><span>Agree</span></label>",
            "<input type=checkbox id=c style='{}'><label for=c><span>Agree</span></label>",
        ],
    )
    def test_a_checkbox_drawn_by_its_label(self, page: Page, markup: str, style: str) -> None:
        """A checkbox whose input cannot be seen or touched is checked through its label."""
        page.set_content(
            "<style>.box{display:inline-block;width:20px;height:20px}</style>"
            + markup.format(style)
        )
        find(page, wanted('check "Agree"'), 1).locator.check(timeout=1000)
        assert page.locator("input").is_checked()

    def test_choose_wants_a_radio(self, page: Page) -> None:
        """`choose` passes over a checkbox of the same name."""
        page.set_content(
            "<label><input type=checkbox>Fast</label><label><input type=radio id=x>Fast</label>"
        )
        assert found(page, 'choose "Fast"') == "x"

    def test_select_wants_a_list(self, page: Page) -> None:
        """`select` finds a list by its label and passes over fields and buttons."""
        page.set_content(
            "<button>Size</button><label>Size<input></label>"
            "<label>Size <select id=x><option>M</select></label>"
        )
        assert found(page, 'select "M" in "Size"') == "x"

    @pytest.mark.parametrize(
        "markup",
        [
            "<label>CV<input type=file id=x></label>",
            "<label>CV<input type=file id=x hidden></label><button>CV</button>",
            "<input type=file id=x aria-label=CV style='opacity:0'>",
            "<div><input type=file id=x hidden><button>CV</button></div><input type=file>",
        ],
    )
    def test_upload_wants_a_file_input(self, page: Page, markup: str) -> None:
        """A file input is found by its label, or a button that stands for it."""
        page.set_content(markup)
        assert found(page, 'upload "cv" to "CV"') == "x"

    @pytest.mark.parametrize(
        "markup",
        [
            "<div id=x style=cursor:pointer>Open</div>",
            "<div id=x>Open</div>",
            "<img id=x alt=Open width=9 height=9>",
            "<span id=x title=Open>i</span>",
            "<details><summary id=x>Open</summary>text</details>",
            "<style>.i::before{content:'\\f015'}</style><button id=x class=i>Open</button>",
            "<div role=menuitem id=x>Open</div>",
            "<input id=x aria-label=Open>",
            "<div id=x role=checkbox><button>Open me</button>Open</div>".replace("Open me", ""),
        ],
    )
    def test_click_takes_anything_visible(self, page: Page, markup: str) -> None:
        """Without a control of that name, a label, text, image or title is clicked."""
        page.set_content(markup)
        assert found(page, 'click "Open"') == "x"

    def test_a_role_word_narrows(self, page: Page) -> None:
        """A role said after the name decides between a button and a link of that name."""
        page.set_content("<button>Save</button><a href=# id=x>Save</a><h2 id=h>Save</h2>")
        assert "2 elements" in refusal(page, 'click "Save"')
        assert found(page, 'click the "Save" link') == "x"
        assert found(page, 'click the "Save" heading') == "h"

    def test_scroll_takes_a_heading(self, page: Page) -> None:
        """`scroll to` finds what nobody operates, and something off the screen."""
        page.set_content("<p style=height:3000px></p><h2 id=x>Footer</h2>")
        assert found(page, 'scroll to "Footer"') == "x"

    def test_shadow_roots(self, page: Page) -> None:
        """Open shadow roots, and text slotted into them, are looked into."""
        page.set_content("<x-a>Rate</x-a>")
        page.evaluate(
            "document.querySelector('x-a').attachShadow({mode: 'open'}).innerHTML = "
            "'<button id=x><slot></slot></button><label>Stars<input id=y></label>'"
        )
        assert found(page, 'click "Rate"') == "x"
        assert found(page, 'fill "Stars" with "5"') == "y"


class TestQualifiers:
    @pytest.mark.parametrize(
        ("phrase", "element"),
        [
            ('click "Add to cart" next to "Mug"', "mug"),
            ('click "Add to cart" next to "Mug holder"', "holder"),
            ('click "Add to cart" in "mug HOLDER"', "holder"),
            ('choose "Express" under "Delivery"', "d1"),
            ('choose "Express" in "Delivery"', "d1"),
            ('choose "Express" under "Gift wrap"', "g1"),
            ('click "Empty" in "Cart"', "empty"),
            ('click "Empty" in "Account"', "wipe"),
        ],
    )
    def test_where_it_stands(self, page: Page, phrase: str, element: str) -> None:
        """Rows, regions, fieldsets and headings tell elements of one name apart."""
        page.set_content(SHOP)
        assert found(page, phrase) == element

    @pytest.mark.parametrize(
        ("markup", "phrase"),
        [
            (
                "<ul><li><h3>Mug</h3><form><button id=x>Buy</button></form></li>"
                "<li><h3>Pen</h3><button>Buy</button></li></ul>",
                'click "Buy" next to "Mug"',
            ),
            (
                "<div class=card><img alt=Mug width=9 height=9><div><button id=x>Buy</button></div>"
                "</div><div class=card><img alt=Pen><div><button>Buy</button></div></div>",
                'click "Buy" next to "Mug"',
            ),
            (
                "<div class=row><div class=col>Mug</div><div class=col><button id=x>Buy</button>"
                "</div></div><div class=row><div class=col>Pen</div><div class=col>"
                "<button>Buy</button></div></div>",
                'click "Buy" next to "Mug"',
            ),
            (
                "<div><div class=row><i>Mug</i><i>12</i><button id=x>Buy</button></div>"
                "<div class=row><i>Pen</i><i>13</i><button>Buy</button></div></div>",
                'click "Buy" next to "Mug"',
            ),
            (
                "<table><tr><td>Mug<td>12<td><button id=x>Buy</button><tr><td>Pen<td>13<td>"
                "<button>Buy</button></table>",
                'click "Buy" next to "Mug"',
            ),
            (
                "<ul><li>Mug <button id=x>Buy</button><li>Mug holder <button>Buy</button></ul>",
                'click "Buy" next to "Mug"',
            ),
            (
                "<dl><dt>Mug<dd><button id=x>Buy</button><dt>Pen<dd><button>Buy</button></dl>",
                'click "Buy" next to "Mug"',
            ),
            (
                "<div role=dialog aria-labelledby=t><h2 id=t>Delete?</h2><button id=x>OK</button>"
                "</div><button>OK</button>",
                'click "OK" in "Delete?"',
            ),
            (
                "<div><h3>A</h3><button>Go</button></div>"
                "<div><h3>B</h3><button id=x>Go</button></div>",
                'click "Go" in "B"',
            ),
            (
                "<table><tr><th>Name<th>Qty<th>Max<tr><td>Mug<td><input id=x aria-label=n>"
                "<td><input aria-label=n></table>",
                'fill "n" under "Qty" with "1"',
            ),
            (
                "<p><b>Size</b></p><label><input type=radio id=x>M</label><p><b>Fit</b></p>"
                "<label><input type=radio>M</label>",
                'choose "M" under "Size"',
            ),
            (
                "<table><tr><td><a href=#>Mug</a><td><button aria-haspopup=menu>More</button>"
                "<ul><li><button id=x>Delete</button></ul><tr><td>Pen<td><button>Delete</button>"
                "</table>",
                'click "Delete" next to "Mug"',
            ),
        ],
    )
    def test_containers_as_pages_build_them(self, page: Page, markup: str, phrase: str) -> None:
        """List items, cards, grids, definition lists, dialogs and columns are understood."""
        page.set_content(markup)
        assert found(page, phrase) == "x"

    def test_a_missing_qualifier(self, page: Page) -> None:
        """A qualifier that is nowhere on the page leaves nothing, and says what there is."""
        page.set_content(SHOP)
        text = refusal(page, 'click "Empty" in "Basket"')
        assert 'is called "Empty" in "Basket"' in text
        assert 'elsewhere there are:\n  button "Empty" in section "Cart"' in text

    def test_the_locator_names_the_row(self, page: Page) -> None:
        """The locator of a qualified element holds on to the row, not to a position."""
        page.set_content(SHOP)
        query = find(page, wanted('click "Add to cart" next to "Mug"'), 1)
        page.evaluate(
            "document.querySelector('tbody').prepend(document.querySelector('tr:last-child'))"
        )
        assert query.locator.get_attribute("id") == "mug"
        assert query.code.startswith('locator("tr").filter(has=')
        assert query.code.endswith('.get_by_role("button", name="Add to cart", exact=True)')


class TestFrames:
    FRAME = '<iframe title="{}" srcdoc="<button id=x>Pay</button>" {}></iframe>'

    def test_a_name_inside_a_frame(self, page: Page) -> None:
        """What stands in a frame is found like anything else."""
        page.set_content("<button>Back</button>" + self.FRAME.format("Card", ""))
        assert found(page, 'click "Pay"', 2) == "x"

    def test_a_twin_outside(self, page: Page) -> None:
        """A twin in a frame is a candidate too, and the frame's title tells them apart."""
        page.set_content("<p>Total</p>" + self.FRAME.format("Card", ""))
        page.frame_locator("iframe").locator("#x").wait_for()
        page.evaluate(
            "document.querySelector('p').insertAdjacentHTML('beforeend', '<button>Pay</button>')"
        )
        assert "2 elements" in refusal(page, 'click "Pay"')
        assert found(page, 'click "Pay" in "card"') == "x"

    def test_a_frame_that_is_not_shown(self, page: Page) -> None:
        """What stands in a hidden frame does not count."""
        page.set_content(self.FRAME.format("Card", "hidden"))
        assert "nothing that can be clicked" in refusal(page, 'click "Pay"')


class TestWaiting:
    @pytest.fixture
    def page(self, context: BrowserContext) -> Page:
        """A page of its own, since routes, timers and navigations outlive a test."""
        return context.new_page()

    @staticmethod
    def later(page: Page, script: str, delay: int = 300) -> None:
        """Change the page after so many milliseconds."""
        page.evaluate(f"() => {{ setTimeout(() => {{ {script} }}, {delay}) }}")

    def test_an_element_that_appears_late(self, page: Page) -> None:
        """An element that is not there yet is waited for."""
        page.set_content("<p>Loading</p>")
        self.later(page, "document.body.innerHTML = '<button id=x>Save</button>'")
        assert found(page, 'click "Save"', 3) == "x"

    def test_an_exact_match_after_a_part(self, page: Page) -> None:
        """While the page loads, a part of a name is not taken: an exact one may still come."""
        page.route("**/slow.js", lambda route: None)
        page.route(
            "**/page",
            lambda route: route.fulfill(
                body="<button>Save all</button><script async src=/slow.js></script>",
                content_type="text/html",
            ),
        )
        page.goto("http://127.0.0.1:9/page", wait_until="commit")
        self.later(
            page, "document.body.insertAdjacentHTML('beforeend', '<button id=x>Save</button>')"
        )
        assert found(page, 'click "Save"', 3) == "x"

    def test_a_part_on_a_page_that_never_loads(self, page: Page) -> None:
        """A part of a name is refused, with the reason, if the page never finishes loading."""
        page.route("**/slow.js", lambda route: None)
        page.route(
            "**/page",
            lambda route: route.fulfill(
                body="<button>Save all</button><script async src=/slow.js></script>",
                content_type="text/html",
            ),
        )
        page.goto("http://127.0.0.1:9/page", wait_until="commit")
        assert "still loading or changing" in refusal(page, 'click "Save"')

    def test_a_match_that_changes_is_not_taken(self, page: Page) -> None:
        """A part of a name is only taken once it has been the same for a moment."""
        page.set_content("<button>Save 1</button>")
        self.later(page, "document.body.innerHTML = '<button id=x>Save</button>'", 100)
        assert found(page, 'click "save"', 3) == "x"

    def test_twins_that_become_one(self, page: Page) -> None:
        """Two exact matches may be a transition: a moment later one of them is left."""
        page.set_content("<button>Save</button><button id=x>Save</button>")
        self.later(page, "document.querySelector('button').remove()", 200)
        assert found(page, 'click "Save"', 3) == "x"

    @pytest.mark.parametrize(("markup", "most"), [("", 0.9), ("<button>A</button>" * 2, 0.9)])
    def test_no_longer_than_the_timeout(self, page: Page, markup: str, most: float) -> None:
        """Nothing is waited for longer than the timeout, and twins not even as long."""
        page.set_content(markup)
        started = time.monotonic()
        refusal(page, 'click "A"', 3 if markup else 0.4)
        assert time.monotonic() - started < most

    def test_a_navigation_in_between(self, page: Page) -> None:
        """A navigation while looking is survived, and the element found on the next page."""
        page.route(
            "**/*",
            lambda route: route.fulfill(
                body="<button id=x>Next</button>"
                if "two" in route.request.url
                else "<script>setTimeout(() => location.href = '/two', 100)</script>",
                content_type="text/html",
            ),
        )
        page.goto("http://127.0.0.1:9/one")
        assert found(page, 'click "Next"', 5) == "x"

    def test_a_closed_page(self, page: Page) -> None:
        """A page that is closed is a PageError."""
        page.close()
        with pytest.raises(PageError, match="closed"):
            find(page, wanted('click "A"'), 1)


class TestErrors:
    def test_several_are_listed(self, page: Page) -> None:
        """Eight candidates at most are listed, with role, name and where they stand."""
        page.set_content(
            "<table>" + "".join(f"<tr><td>P{i}<td><button>Delete</button>" for i in range(11))
        )
        lines = refusal(page, 'click "Delete"').splitlines()
        assert lines[1] == '  button "Delete" in row "P0 Delete"'
        assert lines[9] == "  and 3 more"
        assert lines[10].startswith('Say which, as in "Delete" next to "..."')

    def test_close_names(self, page: Page) -> None:
        """For a name that nothing has, the closest names of what the verb fits are shown."""
        page.set_content(
            "<button>Add to cart</button><a href=#>Home</a><label>Add to crt<input></label>"
        )
        text = refusal(page, 'click the "Add to crat" button')
        assert text.endswith('the closest names are:\n  button "Add to cart"')

    def test_nothing_close(self, page: Page) -> None:
        """Without a close name, some of what there is is shown; without anything, that is said."""
        page.set_content("<label>Street<input></label>")
        assert 'can be filled here, among others:\n  textbox "Street"' in refusal(
            page, 'clear "Zip"'
        )
        assert refusal(page, 'check "Zip"').endswith("nothing on this page can be checked")

    def test_no_values_in_errors(self, page: Page) -> None:
        """What was typed into a field is in no error."""
        page.set_content(
            "<label>Word<input value=hunter2></label>"
            "<label>Word<input type=password value=hunter2></label>"
        )
        assert "hunter2" not in refusal(page, 'fill "Word" with "x"') + refusal(page, 'clear "Zip"')
