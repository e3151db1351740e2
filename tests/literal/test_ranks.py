"""Tests of the ranks of a name: exact, other capitals, decorated, and a part in whole words."""

from html import escape as in_markup

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

from pytest_webtask.data.text import escape, is_called, whole_words
from pytest_webtask.literal.finder import ElementPhrase, Rank, look_at
from pytest_webtask.literal.waiting import find_element
from tests.literal.names import Unexpected, find_id, refusal
from tests.scripted import Html

STAFF = """<table aria-label=Staff><tr><th>Id<th>Name<th>Boss<th>Mail<th></tr>
<tr><td>1<td>Carl<td>Ivan<td>carl@x.org<td><button id=carl>Edit</button></tr>
<tr><td>2<td>Dora<td>Carl<td>dora@x.org<td><button id=dora>Edit</button></tr>{}</table>"""
IVAN = "<tr><td>3<td>Ivan<td>Zoe<td>i@x.org<td><button id=ivan>Edit</button></tr>"
BUGS = (
    "<table><tr><td>Bug<td>Slow start<td><button id=x>Open</button>"
    "<tr><td>Bug<td>Typo<td><button>Open</button></table>"
)
PAY = "<ul><li>{} <button id=x>Pay</button><li>Ivan Novak <button>Pay</button></ul>"
FOUND = [
    # Punctuation, a count or a badge around a name leaves it more than a part of another.
    ('fill "Phone" with "1"', "<label>Phone * <input id=x></label><label>Work phone * <input></label>"),
    ('click "Drafts"', "<a href=# id=x>Drafts (12)</a><a href=#>Drafts of others</a>"),
    ('click "drafts"', "<a href=# id=x>Drafts <b>12</b></a><a href=#>Drafts of 2026</a>"),
    ('click "Send"', "<button id=x>Send!</button><button>Send later</button>"),
    # Where words are written together, a part is any letters.
    ('click "削除"', "<button id=x>商品を削除</button>"),
    # Signs and counts around the name of an item do not matter.
    ('click "Pay" next to "Ivan"', PAY.format("<b>Ivan</b> (3)")),
    ('click "Pay" next to "Ivan"', PAY.format("Ivan <i>3</i>")),
    # A first column that repeats itself, such as a type, calls no row alone.
    ('click "Open" next to "Slow start"', BUGS),
    # A part may stand beside an abbreviation, or have the negation itself.
    ('click "Room"', "<button id=x>Room No. 5</button>"),
    ('click "not send"', "<button id=x>Do not send me the newsletter</button>"),
]  # fmt: skip
REFUSED = [
    # A part of a name is one or several whole words.
    ('click "Lock door"', "<button>Unlock door</button>", "nothing that can be"),
    ('click "Invoice 1"', "<button>Invoice 12</button>", "nothing that can be"),
    ('click "1"', "<button>Total 1.50</button>", "nothing that can be"),
    ('click "Open" next to "Bug"', BUGS, "2 elements"),
    # One that leaves out a negation is another.
    ('check "send news"', "<label><input type=checkbox>Do not send news</label>", "nothing that can be"),
    ('click "Save"', "<button>Don’t save</button>", "nothing that can be"),
    ('click "speichern"', "<button>Jetzt nicht speichern</button>", "nothing that can be"),
]  # fmt: skip
NO_PLACES = {
    "Invoice 1": "<ul><li>Invoice 12 <button>Pay</button></ul>",
    "Ivan": "<ul><li>Ivana <button>Pay</button><li>Ivan Novak <button>Pay</button></ul>",
    "invoices": "<dialog open aria-label='Old invoices'><button>Pay</button></dialog>",
}


def test_name_with_further_letters_or_digits_is_another() -> None:
    """Signs, pictures and a count in parentheses change no name; words and digits do."""
    decorated = (
        "Phone *|phone:|Drafts (12)|(12) Drafts|Drafts (99+)|★ Stars|🗑 Trash|★評価|/|Don’t ask!"
    )
    names = "Phone|Phone|Drafts|Drafts|Drafts|Stars|Trash|評価|/|Don't ask"
    pairs = zip(names.split("|"), decorated.split("|"), strict=True)
    assert [pair for pair in pairs if not is_called(*pair)] == []
    other = "Work phone *|Drafts 12|Invoice 12|-5|評価|Ivana".split("|")
    others = zip("Phone|Drafts|Invoice 1|5|評|Ivan".split("|"), other, strict=True)
    assert [pair for pair in others if is_called(*pair)] == []


def test_element_is_found_by_its_rank(page: Page) -> None:
    """A decorated name wins over a longer one, and means a place too."""
    for phrase, markup in FOUND:
        page.set_content(markup)
        assert find_id(page, phrase) == "x", markup


def test_part_of_a_word_or_number_is_no_match(page: Page) -> None:
    """An element whose name has the words in longer ones is not found."""
    for phrase, markup, reason in REFUSED:
        page.set_content(markup)
        assert refusal(page, phrase).startswith(reason), markup


def test_part_of_a_name_is_no_place(page: Page) -> None:
    """What says which element is meant says it in full; the error has the closest text."""
    for place, markup in NO_PLACES.items():
        page.set_content(markup)
        for relation in ("next to", "in"):
            text = refusal(page, f'click "Pay" {relation} "{place}"')
            assert text.startswith(f'there is no "{place}" on this page')


def test_number_without_an_element_of_its_own_is_no_badge(page: Page) -> None:
    """A number that is written in the name belongs to the name."""
    page.set_content("<a href=#>Page 2</a><a href=#>Page 3</a>")
    look = look_at(page, ElementPhrase("Page", "click", "link"))
    assert look.rank is Rank.PART and len(look.hits) == 2


class TestRows:
    @pytest.mark.parametrize("place", ['next to "{}"', 'in "{}"', 'in the "{}" row'])
    def test_row_is_called_by_its_title(self, page: Page, place: str) -> None:
        """A row is never meant by a name in it that is another row's title."""
        page.set_content(STAFF.format(IVAN))
        for name in ("Carl", "Ivan"):
            phrase = f'click "Edit" {place.format(name)}'
            assert find_id(page, phrase) == name.lower()

    def test_name_that_titles_no_row_is_refused(self, page: Page) -> None:
        """Where a row only mentions the name, the error says what the row is called."""
        page.set_content(STAFF.format(""))
        assert refusal(page, 'click "Edit" next to "Ivan"') == (
            'there is no "Ivan" on this page (waited 0.3 s); if one of these is meant, write it:'
            '\n  row "Carl", which only mentions it'
            '\n  button "Edit" in row "Carl" of table "Staff"\n  button "Edit" in row "Dora" of table "Staff"'
        )

    def test_code_or_address_of_one_row_means_it(self, page: Page) -> None:
        """A number, code or address that is all of a cell means the only row that has it."""
        page.set_content(STAFF.format(""))
        assert find_id(page, 'click "Edit" next to "dora@x.org"') == "dora"
        assert find_id(page, 'click "Edit" in the "2" row') == "dora"

    def test_claim_about_a_mention_is_undecided(self, html: Html, unexpected: Unexpected) -> None:
        """Claims know rows by the same rule."""
        html(STAFF.format(""))
        assert not unexpected(
            [
                ('the "Ivan" row in "Staff" shows "carl@x.org"', "undecided", 'row "Carl", which only mentions it'),
                ('the "Carl" row in "Staff" shows "Ivan"', "passed"),
            ]
        )  # fmt: skip


class TestRoles:
    def test_absence_of_a_button_is_undecided_beside_what_may_be_drawn_as_one(
        self, html: Html, unexpected: Unexpected
    ) -> None:
        """Users see no roles: a link or a clickable text of that name may be what they call a button."""
        html(
            "<a href=# class=button>Archive</a><div style=cursor:pointer>Share</div><h1>Delete</h1>"
            "<button aria-label='Close chat'>Close</button>"
        )
        cases = [
            ('there is no "Archive" button', "undecided", 'link "Archive" may be what is meant'),
            ('the "Share" button is not shown', "undecided", 'text "Share"'),
            ('there is 1 "Close" button', "undecided", 'button "Close chat"'),
            ('there is no "Delete" button', "passed"),
            ('the "Archive" button is shown', "failed"),
        ]
        assert not unexpected(cases)

    def test_drawn_select_is_called_by_text_beside(
        self, html: Html, unexpected: Unexpected
    ) -> None:
        """A choice that is drawn by a button without a label has the text before it as its name."""
        html(
            "<p><span>Fit</span> <button role=combobox>Slim</button></p>"
            "<p><span id=l>Cut</span> <button role=combobox aria-labelledby=l>Long</button></p>"
        )
        assert not unexpected(
            [
                ('"Fit" has value "Slim"', "passed"),
                ('"Fit" has value "Wide"', "failed", "the page has Slim"),
                ('"Cut" has value "Long"', "passed"),
                ('"Fit" is empty', "failed"),
            ]
        )


NAMED = (
    '<button id=x>{0}</button><label>{0}<input></label><input placeholder="{0}"><img alt="{0}">'
    '<p title="{0}">p</p><p>{0}</p>'
)
NAME = st.text(
    st.sampled_from("aB1é値 /\\\"'`>=[](){}.*+?^$|#&~-:,;!%@<_"), min_size=1, max_size=12
).map(lambda text: " ".join(text.split())).filter(bool)  # fmt: skip


class TestEscaping:
    @settings(
        max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(name=NAME)
    def test_any_name_is_a_selector_that_finds_its_element(self, page: Page, name: str) -> None:
        """Quotes, slashes, backslashes and the like are parts of a name wherever it is looked for."""
        page.set_content(NAMED.format(in_markup(name)))
        found = look_at(page, ElementPhrase(name, "scroll"))
        assert found.rank is Rank.EXACT and len(found.hits) == 6, name
        # What follows the name in a selector must not be swallowed by it.
        code, locator = find_element(page, ElementPhrase(name, "click", "button"), 1).address()
        assert locator.count() == 1, code

    @settings(deadline=None)
    @given(name=NAME)
    def test_pattern_of_any_text_matches_it(self, name: str) -> None:
        """The pattern of a text matches the text, whatever signs are in it."""
        assert whole_words(name, whole=True).match(name)
        assert is_called(name, name)
        assert "/" not in escape(name).replace("\\/", "")
