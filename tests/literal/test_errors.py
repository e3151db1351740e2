"""Tests of the messages for missing and ambiguous names."""

import pytest
from playwright.sync_api import Page

from pytest_webtask.literal.grammar import parse_sentence
from pytest_webtask.literal.waiting import find_element
from tests.literal.names import parse_phrase, refusal


class TestErrors:
    def test_ambiguous_name_lists_candidates(self, page: Page) -> None:
        """At most eight candidates are listed, with role, name and place."""
        page.set_content(
            "<table>" + "".join(f"<tr><td>Pen {i}<td><button>Delete</button>" for i in range(11))
        )
        lines = refusal(page, 'click "Delete"').splitlines()
        ready = 'click button "Delete" in row "Pen 0"'
        assert lines[0] == f'11 elements could be "Delete"; write which is meant, as in: {ready}:'
        assert lines[1] == '  button "Delete" in row "Pen 0"'
        assert lines[9:] == ["  and 3 more"]

    @pytest.mark.parametrize(
        ("markup", "sentence", "ready"),
        [
            (
                "<ul><li><i>1</i><i>New</i><h3>Mug</h3><button>Buy</button>"
                "<li><i>New</i><h3>Pen</h3><button>Buy</button></ul>",
                'double-click the "Buy" button and accept the dialog',
                'double-click the button "Buy" in list item "Mug" and accept the dialog',
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
        assert f"write which is meant, as in: {ready}:\n" in refusal(page, sentence)
        parse_sentence(ready)

    @pytest.mark.parametrize(
        ("sentence", "markup"),
        [
            ("click {}", "<ul><li>Ann<ul><li>Go</li></ul><li>Bob<ul><li>Go</ul></ul>"),
            ("click {}", "<table><tr><th scope=row>Ann<td>Go<tr><th scope=row>Bob<td>Go</table>"),
            ("click {}", "<section><h2>A</h2><p>Go</p></section><h2>Go</h2><a href=#>Go on</a>"),
            (
                'fill {} with "x"',
                "<div role=grid aria-label=A><input aria-label=Go></div>"
                "<header aria-label=B><input type=number aria-label=Go></header>"
                "<footer aria-label=C><select aria-label=Go></select><textarea aria-label=Go></textarea></footer>",
            ),
        ],
    )
    def test_candidates_can_be_pasted(self, page: Page, sentence: str, markup: str) -> None:
        """Each candidate, written as it is listed, is found."""
        page.set_content(markup)
        listed = refusal(page, sentence.replace("{}", '"Go"')).split("\n  ")[1:]
        assert len(listed) > 1
        for each in listed:
            find_element(page, parse_phrase(sentence.replace("{}", each)), 0.3)

    def test_ambiguous_name_offers_no_sentence_that_stays_ambiguous(self, page: Page) -> None:
        """Only general advice is given where no tried sentence tells the candidates apart."""
        page.set_content("<h2>A</h2><a href=/a?n=1>Go</a> <a href=/a?n=2>Go</a>")
        advice = 'write which is meant, by its place, next to "...", in "..." or under "...":'
        message = refusal(page, 'click "Go"')
        # What tells them apart is printed behind lines that are alike.
        assert advice in message and 'link "Go" under "A" (to /a?n=2, at ' in message
        page.set_content("<p>Go</p><h2>Go</h2>")
        assert 'as in: click heading "Go":' in refusal(page, 'click "Go"')
        page.set_content("<button>Go</button><a href=#>Go</a>")
        assert 'as in: click button "Go":' in refusal(page, 'click "Go"')

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
