"""Tests of the messages for missing and ambiguous names."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.literal.names import refusal


class TestErrors:
    def test_ambiguous_name_lists_candidates(self, page: Page) -> None:
        """At most eight candidates are listed, with role, name and place."""
        page.set_content(
            "<table>" + "".join(f"<tr><td>Pen {i}<td><button>Delete</button>" for i in range(11))
        )
        lines = refusal(page, 'click "Delete"').splitlines()
        assert lines[1] == '  button "Delete" in row "Pen 0"'
        assert lines[9] == "  and 3 more"
        ready = 'click button "Delete" in row "Pen 0"'
        assert lines[10] == f"Write which of these is meant. For the first, write: {ready}"

    @pytest.mark.parametrize(
        ("markup", "sentence", "ready"),
        [
            (
                "<ul><li><i>1</i><i>New</i><h3>Mug</h3><button>Buy</button>"
                "<li><i>New</i><h3>Pen</h3><button>Buy</button></ul>",
                'double-click the "Buy" button and accept the dialog',
                'double-click button "Buy" in list item "Mug" and accept the dialog',
            ),
            (
                "<section><h2>A</h2><button>Go</button></section>"
                "<section><h2>B</h2><button>Go</button></section>",
                'click "Go"',
                'click button "Go" in section "A"',
            ),
            (
                "<a href=#>Cart (2 items)</a><button>Add to cart</button>",
                'click "Cart"',
                'click link "Cart (2 items)"',
            ),
        ],
    )
    def test_ambiguous_name_offers_a_sentence(
        self, page: Page, markup: str, sentence: str, ready: str
    ) -> None:
        """The message offers a sentence that means only the first candidate."""
        page.set_content(markup)
        assert refusal(page, sentence).endswith(
            f"Write which of these is meant. For the first, write: {ready}"
        )

    def test_ambiguous_name_offers_no_sentence_that_stays_ambiguous(self, page: Page) -> None:
        """Only general advice is given where no tried sentence tells the candidates apart."""
        page.set_content("<h2>A</h2><button>Go</button><button>Go</button>")
        assert refusal(page, 'click "Go"').endswith(
            'Write which of these is meant, as in "Go" next to "...", in "..." or under "...".'
        )
        page.set_content("<button>Go</button><a href=#>Go</a>")
        assert refusal(page, 'click "Go"').endswith('For the first, write: click button "Go"')

    def test_missing_place_names_the_closest_text(self, page: Page) -> None:
        """A missing place is reported with the closest text, or as hidden."""
        page.set_content(
            "<table><tr><td>Cat Bowl<td><button>Edit</button><tr><td>Dog Bowl<td>"
            "<button>Edit</button></table><p hidden>Bird Bath</p>"
        )
        assert refusal(page, 'click "Edit" next to "Catt Bowl"') == (
            'there is no "Catt Bowl" on this page (waited 0.3 s); the closest is "Cat Bowl";'
            " write that if it is meant"
        )
        assert '"Bird Bath" cannot be seen' in refusal(page, 'click "Edit" next to "Bird Bath"')

    def test_hidden_element_is_reported_as_hidden(self, page: Page) -> None:
        """An element that is not visible is reported as such, and nothing else is suggested."""
        page.set_content(
            "<a href=#>My orders</a><nav style=display:none><a href=#>Manage orders</a></nav>"
            "<table><tr><td>Cat Bowl<td><button>Edit</button></table>"
            "<dialog><h2>Edit</h2><label>Stock <input></label></dialog>"
        )
        assert refusal(page, 'click "Manage orders"') == (
            'link "Manage orders" cannot be clicked (waited 0.3 s): it cannot be seen '
            "(first hover or open what hides it)"
        )
        text = refusal(page, 'clear "Stock" next to "Cat Bowl"')
        assert text.startswith('textbox "Stock" cannot be filled') and "it cannot be seen" in text
        assert "Stock" not in refusal(page, 'fill "Stick" with "1"').partition("(waited")[2]

    def test_covered_element_is_reported_as_covered(self, page: Page) -> None:
        """An element behind a modal dialog is reported as such, and the dialog by its heading."""
        page.set_content("<button>Back</button><dialog><button>Close</button></dialog>")
        page.evaluate("document.querySelector('dialog').showModal()")
        assert refusal(page, 'click "Back"') == (
            'button "Back" cannot be clicked (waited 0.3 s): it is behind an open dialog (first close the dialog)'
        )
        page.set_content("<button>Back</button><dialog><h2>Cookies</h2></dialog>")
        page.evaluate("document.querySelector('dialog').showModal()")
        assert 'it is behind the open dialog "Cookies"' in refusal(page, 'click "Back"')
        assert 'there is a button "Back", but it is behind' in refusal(page, 'click "Bac"')

    def test_inert_element_is_reported_as_inert(self, page: Page) -> None:
        """An inert element is reported as such and not suggested."""
        page.set_content("<div inert><button>Go</button></div>")
        assert refusal(page, 'click "Go"').endswith(
            "it is visible, but in a part of the page that is inert (first do what enables it)"
        )

    def test_missing_name_lists_the_closest(self, page: Page) -> None:
        """A name that nothing has is answered with the closest names, or others that fit the verb."""
        page.set_content(
            "<button>Add to cart</button><a href=#>Home</a><label>Add to crt<input></label>"
        )
        text = refusal(page, 'click the "Add to crat" button')
        assert text.endswith(
            'the closest names are (write one of them if it is meant):\n  button "Add to cart"'
        )
        page.set_content("<label>Street<input></label>")
        others = 'can be filled here, among others:\n  textbox "Street"'
        assert others in refusal(page, 'clear "Zip"')
        assert refusal(page, 'check "Zip"').endswith("nothing on this page can be checked")

    def test_messages_contain_no_field_values(self, page: Page) -> None:
        """The contents of fields are in no message."""
        page.set_content(
            "<label>Word<input value=hunter2></label>"
            "<label>Word<input type=password value=hunter2></label>"
        )
        assert "hunter2" not in refusal(page, 'fill "Word" with "x"') + refusal(page, 'clear "Zip"')
