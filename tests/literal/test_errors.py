"""Tests of the messages for missing and ambiguous names."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.literal.names import refusal


class TestErrors:
    def test_ambiguous_name_lists_candidates(self, page: Page) -> None:
        """At most eight candidates are listed, with role, name and place."""
        page.set_content(
            "<table>" + "".join(f"<tr><td>Pen {i}<td><button>Delete</button>" for i in range(11))
        )
        lines = refusal(page, 'click "Delete"').splitlines()
        advice = "write which is meant, as listed or by another place (next to, in, under):"
        assert lines[0] == f'11 elements could be "Delete"; {advice}'
        assert lines[1] == '  button "Delete" in row "Pen 0"'
        assert lines[9:] == ["  and 3 more"]

    def test_missing_place_names_the_closest_text(self, page: Page) -> None:
        """A missing place is reported with the closest text, or as hidden."""
        page.set_content(
            "<table><tr><td>Cat Bowl<td><button>Edit</button><tr><td>Dog Bowl<td>"
            "<button>Edit</button></table><p hidden>Bird Bath</p>"
        )
        assert refusal(page, 'click "Edit" next to "Catt Bowl"') == (
            'there is no "Catt Bowl" on this page (waited 0.3 s); if one of these is meant, write it:'
            '\n  "Cat Bowl"\n  button "Edit" in row "Cat Bowl"\n  button "Edit" in row "Dog Bowl"'
        )
        assert '"Bird Bath" (hidden: first' in refusal(page, 'click "Edit" next to "Bird Bath"')

    def test_hidden_element_is_reported_as_hidden(self, page: Page) -> None:
        """An element that is not visible is reported as such."""
        page.set_content(
            "<a href=#>My orders</a><nav style=display:none><a href=#>Manage orders</a></nav>"
            "<table><tr><td>Cat Bowl<td><button>Edit</button></table>"
            "<dialog><h2>Edit</h2><label>Stock <input></label></dialog>"
        )
        text = refusal(page, 'click "Manage orders"')
        assert '\n  link "Manage orders" (hidden: first hover or open what hides it)' in text
        assert 'textbox "Stock"' in refusal(page, 'clear "Stock" next to "Cat Bowl"')

    def test_element_out_of_reach_is_reported_as_such(self, page: Page) -> None:
        """The message says that an element is behind a modal dialog, or inert."""
        page.set_content("<div inert><button>Go</button></div>")
        assert refusal(page, 'click "Go"').endswith(
            'button "Go" (in a part of the page that is inert: first do what enables it)'
        )
        page.set_content("<button>Back</button><dialog><button>Close</button></dialog>")
        page.evaluate("document.querySelector('dialog').showModal()")
        for name in ("Back", "Bac"):
            text = refusal(page, f'click "{name}"')
            assert text.endswith('\n  button "Back" (behind an open dialog: first close that)')

    def test_missing_name_lists_the_closest(self, page: Page) -> None:
        """A name that nothing has is answered with the closest names, or others that fit the verb."""
        page.set_content(
            "<button>Add to cart</button><a href=#>Home</a><label>Add to crt<input></label>"
        )
        text = refusal(page, 'click the "Add to crat" button')
        assert text.endswith('; if one of these is meant, write it:\n  button "Add to cart"')
        page.set_content("<label>Street<input></label>")
        assert refusal(page, 'clear "Zip"').endswith('\n  textbox "Street"')
        assert refusal(page, 'check "Zip"').endswith(
            "first open the page or the part of it that has this"
        )

    def test_messages_contain_no_field_values(self, page: Page) -> None:
        """The contents of fields are in no message."""
        page.set_content(
            "<label>Word<input value=hunter2></label>"
            "<label>Word<input type=password value=hunter2></label>"
        )
        assert "hunter2" not in refusal(page, 'fill "Word" with "x"') + refusal(page, 'clear "Zip"')
