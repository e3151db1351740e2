"""Tests of which element a name means on a page."""

from __future__ import annotations

import pytest
from playwright.sync_api import Error, Page, TimeoutError

from pytest_webtask.literal.finder import UnresolvedError, find_element
from pytest_webtask.literal.parts import described
from tests.literal.names import SHOP, find_id, parse_phrase, refusal


@pytest.fixture
def page(sheet: Page) -> Page:
    """The shared page."""
    return sheet


class TestRanks:
    def test_exact_name_wins(self, page: Page) -> None:
        """An exact name wins over names that contain it or differ in case."""
        page.set_content("<button>SAVE</button><button>Save all</button><button id=x>Save</button>")
        assert find_id(page, 'click "Save"') == "x"

    def test_other_case_wins_over_a_longer_name(self, page: Page) -> None:
        """A name that differs in case wins over one that contains it."""
        page.set_content("<button>save all</button><button id=x>SAVE</button>")
        assert find_id(page, 'click "Save"') == "x"

    def test_part_of_one_name_is_enough(self, page: Page) -> None:
        """A part of a name is enough if only one element has it."""
        page.set_content("<button id=x>Save all</button><button>Cancel</button>")
        assert find_id(page, 'click "save"') == "x"

    @pytest.mark.parametrize("names", [("Save", "Save"), ("SAVE", "save"), ("Save a", "Save b")])
    def test_equal_matches_are_ambiguous(self, page: Page, names: tuple[str, str]) -> None:
        """Two candidates of one rank are an error."""
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
    def test_names_match_with_white_space_folded(self, page: Page, markup: str, name: str) -> None:
        """Names are compared with white space folded, whatever characters they have."""
        page.set_content(markup)
        assert find_id(page, f'click "{name}"') == "x"


class TestDecoys:
    def test_control_wins_over_text(self, page: Page) -> None:
        """A control wins over a heading or text of the same name."""
        page.set_content("<h1>Save</h1><p>Save</p><button id=x>Save</button>")
        assert find_id(page, 'click "Save"') == "x"

    @pytest.mark.parametrize(
        "hide",
        [
            "hidden",
            "style=visibility:hidden",
            "style=width:0;height:0;padding:0;border:0;overflow:hidden",
        ],
    )
    def test_hidden_duplicate_is_ignored(self, page: Page, hide: str) -> None:
        """An invisible element of the same name does not count."""
        page.set_content(f"<button {hide}>Save</button><button id=x>Save</button>")
        assert find_id(page, 'click "Save"') == "x"

    def test_hidden_element_is_not_found(self, page: Page) -> None:
        """An element that is not visible is not found."""
        page.set_content("<button hidden>Save</button><button>Cancel</button>")
        assert '"Save" cannot be clicked' in refusal(page, 'click "Save"')

    def test_disabled_control_is_found(self, page: Page) -> None:
        """A disabled control is found, and Playwright itself refuses to click it."""
        page.set_content("<button id=x disabled>Save</button><p>Save</p>")
        query = find_element(page, parse_phrase('click "Save"'), 0.5)
        with pytest.raises(TimeoutError, match="not enabled"):
            query.locator.click(timeout=600)

    def test_disabled_twin_is_a_candidate(self, page: Page) -> None:
        """A disabled control is not passed over for its enabled twin."""
        page.set_content("<button disabled>Save</button><button>Save</button>")
        assert "2 elements" in refusal(page, 'click "Save"')

    def test_text_and_a_similar_control_are_ambiguous(self, page: Page) -> None:
        """A heading is not clicked if the name of a control contains its text."""
        page.set_content("<h1>Cart</h1><a href=#>Cart (2)</a>")
        text = refusal(page, 'click "Cart"')
        assert 'heading "Cart"' in text
        assert 'link "Cart (2)"' in text

    def test_next_to_excludes_other_rows(self, page: Page) -> None:
        """An element in another row than the place is not taken, even if it is the only one."""
        page.set_content(SHOP)
        text = refusal(page, 'click "Add to cart" next to "Pen"')
        assert 'in row "Mug Add to cart"' in text

    def test_next_to_excludes_other_cards(self, page: Page) -> None:
        """An element in another card of plain containers is not taken."""
        page.set_content(
            "<div class=grid><div class='card new'><b>Mug</b><p>sold out</p></div>"
            "<div class=card><b>Pen</b><button>Buy</button></div></div>"
        )
        assert "nothing that can be clicked" in refusal(page, 'click "Buy" next to "Mug"')

    def test_next_to_stops_at_the_next_name(self, page: Page) -> None:
        """In a list without containers, an element behind the next name is not taken."""
        page.set_content(
            "<div><span>Mug</span><i>none</i><span>Pen</span><button id=x>Buy</button></div>"
        )
        assert find_id(page, 'click "Buy" next to "Pen"') == "x"
        assert "nothing that can be clicked" in refusal(page, 'click "Buy" next to "Mug"')

    def test_next_to_excludes_other_fields(self, page: Page) -> None:
        """A button beside another field is not taken."""
        page.set_content(
            "<div class=field><label>Street</label><input aria-label=Street></div>"
            "<div class=field><label>City</label><input><button>Look up</button></div>"
        )
        assert "nothing that can be clicked" in refusal(page, 'click "Look up" next to "Street"')

    def test_next_to_excludes_the_rest_of_the_page(self, page: Page) -> None:
        """Two elements are not next to each other for being on the same page."""
        page.set_content("<div><p><b>Mug</b></p></div><div><p><button>Buy</button></p></div>")
        assert "nothing that can be clicked" in refusal(page, 'click "Buy" next to "Mug"')

    def test_covered_elements_are_ignored(self, page: Page) -> None:
        """Elements behind a modal dialog do not count."""
        page.set_content(
            "<button>Close</button><button>Back</button>"
            "<dialog><button id=x>Close</button></dialog>"
        )
        page.evaluate("document.querySelector('dialog').showModal()")
        assert find_id(page, 'click "Close"') == "x"
        assert "it is behind an open dialog" in refusal(page, 'click "Back"')

    def test_rows_of_the_same_name_are_ambiguous(self, page: Page) -> None:
        """Two rows with the name of the place are an error, whatever their size."""
        row = "<tr><td>Mug</td>{}<td><button>Buy</button></td></tr>"
        page.set_content(f"<table>{row.format('')}{row.format('<td>x</td>')}</table>")
        assert "2 elements" in refusal(page, 'click "Buy" next to "Mug"')

    def test_longer_labels_are_ignored(self, page: Page) -> None:
        """A label that contains another label's text is no candidate for it."""
        page.set_content(
            "<label>Name <input id=x></label><label>Company name <input></label>"
            "<label>Name of pet <input></label>"
        )
        assert find_id(page, 'fill "Name" with "x"') == "x"


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
    def test_fill_finds_editable_fields(self, page: Page, markup: str) -> None:
        """A field is found by its label, accessible name or placeholder."""
        page.set_content(markup)
        assert find_id(page, 'fill "Email" with "x"') == "x"

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
    def test_check_finds_checkable_controls(self, page: Page, markup: str) -> None:
        """Checkboxes, switches and radio buttons are found, native or not."""
        page.set_content(markup)
        assert find_id(page, 'check "Agree"') == "x"

    def test_click_finds_button_in_transparent_frame(self, page: Page) -> None:
        """A frame that is laid transparent over a picture of its button takes the click."""
        page.set_content("<iframe style='opacity:0' srcdoc='<button>Pay</button>'></iframe>")
        page.frames[1].wait_for_load_state()
        assert find_element(page, parse_phrase('click "Pay"'), 1).locator.count() == 1

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
    def test_check_uses_the_label_of_a_hidden_checkbox(
        self, page: Page, markup: str, style: str
    ) -> None:
        """A checkbox that is not visible is checked through its label."""
        page.set_content(
            "<style>.box{display:inline-block;width:20px;height:20px}</style>"
            + markup.format(style)
        )
        find_element(page, parse_phrase('check "Agree"'), 1).locator.check(timeout=1000)
        assert page.locator("input").is_checked()

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
    def test_check_finds_boxes_that_another_part_draws_or_names(
        self, page: Page, markup: str
    ) -> None:
        """A box of no size, or one without a name beside its text, is found."""
        page.set_content(
            "<style>.box { display: inline-block; width: 20px; height: 20px; border: 1px solid }"
            "</style>" + markup
        )
        found = find_element(page, parse_phrase('check "Agree"'), 1).locator
        assert found.evaluate("e => (e.control ?? e).id") == "x"

    @pytest.mark.parametrize(
        "markup",
        [
            "<p>Agree</p><label><input type=checkbox>Other</label>",
            "<ul><li>Agree <label><input type=checkbox>Active</label></ul>",
            "<ul><li><input type=checkbox>Agree<li><input type=checkbox>Agree</ul>",
        ],
        ids=["another label", "named box in the item", "two items"],
    )
    def test_check_finds_no_box_beside_a_text_where_it_is_not_certain(
        self, page: Page, markup: str
    ) -> None:
        """A box with a name of its own, or one of two, is not found by a text beside it."""
        page.set_content(markup)
        with pytest.raises(UnresolvedError):
            find_element(page, parse_phrase('check "Agree"'), 0.3)

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

    def test_choose_finds_radio_buttons(self, page: Page) -> None:
        """`choose` passes over a checkbox of the same name."""
        page.set_content(
            "<label><input type=checkbox>Fast</label><label><input type=radio id=x>Fast</label>"
        )
        assert find_id(page, 'choose "Fast"') == "x"

    def test_select_finds_lists(self, page: Page) -> None:
        """`select` finds a list by its label and passes over fields and buttons."""
        page.set_content(
            "<button>Size</button><label>Size<input></label>"
            "<label>Size <select id=x><option>M</select></label>"
        )
        assert find_id(page, 'select "M" in "Size"') == "x"

    @pytest.mark.parametrize(
        "markup",
        [
            "<label>CV<input type=file id=x></label>",
            "<label>CV<input type=file id=x hidden></label><button>CV</button>",
            "<input type=file id=x aria-label=CV style='opacity:0'>",
            "<div><input type=file id=x hidden><button>CV</button></div><input type=file>",
        ],
    )
    def test_upload_finds_file_inputs(self, page: Page, markup: str) -> None:
        """A file input is found by its label or by the button that opens it."""
        page.set_content(markup)
        assert find_id(page, 'upload "cv" to "CV"') == "x"

    @pytest.mark.parametrize(
        "markup",
        [
            "<div id=x style=cursor:pointer>Open</div>",
            "<div id=x>Open</div>",
            "<img id=x alt=Open width=9 height=9>",
            "<canvas id=x role=img aria-label=Open></canvas>",
            "<span id=x title=Open>i</span>",
            "<details><summary id=x>Open</summary>text</details>",
            "<style>.i::before{content:'\\f015'}</style><button id=x class=i>Open</button>",
            "<div role=menuitem id=x>Open</div>",
            "<input id=x aria-label=Open>",
            "<div id=x role=checkbox><button>Open me</button>Open</div>".replace("Open me", ""),
        ],
    )
    def test_click_finds_anything_visible(self, page: Page, markup: str) -> None:
        """Without a control of that name, a label, text, image or title is clicked."""
        page.set_content(markup)
        assert find_id(page, 'click "Open"') == "x"

    def test_role_word_narrows_the_candidates(self, page: Page) -> None:
        """A role after the name decides between a button and a link."""
        page.set_content("<button>Save</button><a href=# id=x>Save</a><h2 id=h>Save</h2>")
        assert "2 elements" in refusal(page, 'click "Save"')
        assert find_id(page, 'click the "Save" link') == "x"
        assert find_id(page, 'click the "Save" heading') == "h"

    def test_scroll_finds_headings_off_the_screen(self, page: Page) -> None:
        """`scroll to` finds elements that cannot be operated and are outside the viewport."""
        page.set_content("<p style=height:3000px></p><h2 id=x>Footer</h2>")
        assert find_id(page, 'scroll to "Footer"') == "x"

    def test_shadow_roots_are_searched(self, page: Page) -> None:
        """Elements in open shadow roots, and text slotted into them, are found."""
        page.set_content("<x-a>Rate</x-a>")
        page.evaluate(
            "document.querySelector('x-a').attachShadow({mode: 'open'}).innerHTML = "
            "'<button id=x><slot></slot></button><label>Stars<input id=y></label>'"
        )
        assert find_id(page, 'click "Rate"') == "x"
        assert find_id(page, 'fill "Stars" with "5"') == "y"


def test_part_that_has_gone_is_no_empty_part(sheet: Page) -> None:
    """A claim that a part lacks something must not hold because the part has just been removed."""
    sheet.set_content("<section><button>Pay</button></section>")
    part, gone = sheet.main_frame.locator("section"), sheet.main_frame.locator("#gone")
    buttons = sheet.main_frame.get_by_role("button")
    assert described(sheet.main_frame, buttons, part)
    with pytest.raises(Error, match="there are 0 elements instead of one"):
        described(sheet.main_frame, buttons, gone)
