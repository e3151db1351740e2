"""Tests of the ranks of a name: exact, other capitals, decorated, and a part in whole words."""

from __future__ import annotations

import html as markup
from collections.abc import Callable, Iterable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

from pytest_webtask.checks.text import escape, is_called, whole_words
from pytest_webtask.literal.finder import ElementPhrase, find_element
from pytest_webtask.literal.queries import NAMES, Rank, query
from tests.literal.names import find_id, refusal
from tests.scripted import Html

pytestmark = pytest.mark.webtask(screenshots="off")


@pytest.fixture
def page(sheet: Page) -> Page:
    """The shared page."""
    return sheet


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Phone", "Phone *"),
        ("Phone", "phone:"),
        ("Drafts", "Drafts (12)"),
        ("Drafts", "(12) Drafts"),
        ("Drafts", "Drafts (99+)"),
        ("Stars", "★ Stars"),
        ("Trash", "🗑 Trash"),
        ("評価", "★評価"),
        ("/", "/"),
        ("Don't ask", "Don’t ask!"),
    ],
)
def test_signs_and_counts_decorate_a_name(name: str, text: str) -> None:
    """Signs, pictures and a count in parentheses change no name."""
    assert is_called(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Phone", "Work phone *"),
        ("Drafts", "Drafts 12"),
        ("Invoice 1", "Invoice 12"),
        ("5", "-5"),
        ("評", "評価"),
        ("Ivan", "Ivana"),
    ],
)
def test_words_and_digits_make_another_name(name: str, text: str) -> None:
    """A name with further letters or digits is another one."""
    assert not is_called(name, text)


class TestRanks:
    @pytest.mark.parametrize(
        ("content", "phrase"),
        [
            ("<label>Phone * <input id=x></label><label>Work phone * <input></label>", 'fill "Phone" with "1"'),
            ("<a href=# id=x>Drafts (12)</a><a href=#>Drafts of others</a>", 'click "Drafts"'),
            ("<a href=# id=x>Drafts <b>12</b></a><a href=#>Drafts of 2026</a>", 'click "drafts"'),
            ("<button id=x>Send!</button><button>Send later</button>", 'click "Send"'),
        ],
    )  # fmt: skip
    def test_decorated_name_wins_over_a_longer_one(
        self, page: Page, content: str, phrase: str
    ) -> None:
        """Punctuation, a count or a badge around a name leaves it more than a part of another."""
        page.set_content(content)
        assert find_id(page, phrase) == "x"

    def test_number_without_an_element_of_its_own_is_no_badge(self, page: Page) -> None:
        """A number that is written in the name belongs to the name."""
        page.set_content("<a href=#>Page 2</a><a href=#>Page 3</a>")
        for rank in NAMES:
            assert query(page.main_frame, ("link",), "Page", rank).locator.count() == 0

    @pytest.mark.parametrize(
        ("content", "phrase"),
        [
            ("<button>Unlock door</button>", 'click "Lock door"'),
            ("<label>Nickname <input></label>", 'fill "Name" with "x"'),
            ("<button>Invoice 12</button>", 'click "Invoice 1"'),
            ("<button>Total 1.50</button>", 'click "1"'),
        ],
    )
    def test_part_of_a_word_or_number_is_no_match(
        self, page: Page, content: str, phrase: str
    ) -> None:
        """A part of a name is one or several whole words."""
        page.set_content(content)
        assert refusal(page, phrase).startswith("nothing that can be")

    def test_part_of_a_name_in_a_script_without_spaces_is_enough(self, page: Page) -> None:
        """Where words are written together, a part is any letters."""
        page.set_content("<button id=x>商品を削除</button>")
        assert find_id(page, 'click "削除"') == "x"


class TestPlaces:
    @pytest.mark.parametrize(
        ("content", "place"),
        [
            ("<ul><li>Invoice 12 <button>Pay</button></ul>", "Invoice 1"),
            ("<ul><li>Ivana <button>Pay</button><li>Bob <button>Pay</button></ul>", "Ivan"),
            ("<ul><li>Ivan Novak <button>Pay</button></ul>", "Ivan"),
            ("<dialog open aria-label='Old invoices'><button>Pay</button></dialog>", "invoices"),
        ],
    )
    def test_part_of_a_name_is_no_place(self, page: Page, content: str, place: str) -> None:
        """What says which element is meant says it in full; the error has the closest text."""
        page.set_content(content)
        for relation in ("next to", "in"):
            text = refusal(page, f'click "Pay" {relation} "{place}"')
            assert text.startswith(f'there is no "{place}" on this page')

    @pytest.mark.parametrize(
        "item", ["Ivan:", "★ Ivan", "<b>Ivan</b> (3)", "Ivan <i>3</i>", "<b>Ivan *</b>"]
    )
    def test_decorated_name_is_a_place(self, page: Page, item: str) -> None:
        """Signs and counts around the name of an item do not matter."""
        page.set_content(
            f"<ul><li>{item} <button id=x>Pay</button><li>Ivan Novak <button>Pay</button></ul>"
        )
        assert find_id(page, 'click "Pay" next to "Ivan"') == "x"


STAFF = """<table aria-label=Staff><tr><th>Id<th>Name<th>Boss<th>Mail<th></tr>
<tr><td>1<td>Carl<td>Ivan<td>carl@x.org<td><button id=carl>Edit</button></tr>
<tr><td>2<td>Dora<td>Carl<td>dora@x.org<td><button id=dora>Edit</button></tr>{}</table>"""
IVAN = "<tr><td>3<td>Ivan<td>Zoe<td>i@x.org<td><button id=ivan>Edit</button></tr>"


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
            'no row is called "Ivan" (waited 0.3 s); it is only mentioned in "Carl"; write that if it'
            " is meant"
        )

    def test_code_or_address_of_one_row_means_it(self, page: Page) -> None:
        """A number, code or address that is all of a cell means the only row that has it."""
        page.set_content(STAFF.format(""))
        assert find_id(page, 'click "Edit" next to "dora@x.org"') == "dora"
        assert find_id(page, 'click "Edit" in the "2" row') == "dora"

    def test_text_that_other_rows_have_leaves_the_title_to_the_next_cell(self, page: Page) -> None:
        """A first column that repeats itself, such as a type, calls no row alone."""
        page.set_content(
            "<table><tr><td>Bug<td>Slow start<td><button id=x>Open</button>"
            "<tr><td>Bug<td>Typo<td><button>Open</button></table>"
        )
        assert find_id(page, 'click "Open" next to "Slow start"') == "x"
        assert "2 elements" in refusal(page, 'click "Open" next to "Bug"')

    def test_claim_about_a_row_that_only_mentions_the_name_is_undecided(
        self, html: Html, unexpected: Callable[[Iterable[tuple[str, ...]]], dict[str, str]]
    ) -> None:
        """Claims know rows by the same rule."""
        html(STAFF.format(""))
        assert not unexpected(
            [
                ('the "Ivan" row in "Staff" shows "carl@x.org"', "undecided", "mentioned in \"Carl\""),
                ('the "Carl" row in "Staff" shows "Ivan"', "passed"),
            ]
        )  # fmt: skip


class TestRoles:
    def test_absence_of_a_button_is_undecided_beside_what_may_be_drawn_as_one(
        self, html: Html, unexpected: Callable[[Iterable[tuple[str, ...]]], dict[str, str]]
    ) -> None:
        """Users see no roles: a link or a clickable text of that name may be what they call a button."""
        html(
            "<a href=# class=button>Archive</a><div style=cursor:pointer>Share</div><h1>Delete</h1>"
            "<button aria-label='Close chat'>Close</button>"
        )
        assert not unexpected(
            [
                (
                    'there is no "Archive" button',
                    "undecided",
                    'link "Archive" may be what is meant',
                ),
                ('the "Share" button is not shown', "undecided", 'text "Share"'),
                ('there is 1 "Close" button', "undecided", 'button "Close chat"'),
                ('there is no "Delete" button', "passed"),
                ('the "Archive" button is shown', "failed"),
            ]
        )

    def test_drawn_select_is_known_by_the_text_beside_it(
        self, html: Html, unexpected: Callable[[Iterable[tuple[str, ...]]], dict[str, str]]
    ) -> None:
        """A choice that is drawn by a button without a label has the text before it as its name."""
        html(
            "<p><span>Fit</span> <button role=combobox>Slim</button></p>"
            "<p><span id=l>Cut</span> <button role=combobox aria-labelledby=l>Long</button></p>"
        )
        assert not unexpected(
            [
                ('"Fit" has value "Slim"', "passed"),
                ('"Fit" has value "Wide"', "failed", 'holds "Slim"'),
                ('"Cut" has value "Long"', "passed"),
                ('"Fit" is empty', "failed"),
            ]
        )


SOURCES = ("button", "link", "label", "text", "placeholder", "alt", "title", "file", "label-text")
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
    def test_any_name_is_a_valid_selector_and_finds_its_element(
        self, page: Page, name: str
    ) -> None:
        """Quotes, slashes, backslashes and the like are parts of a name wherever it is looked for."""
        page.set_content(NAMED.format(markup.escape(name)))
        frame = page.main_frame
        for rank in Rank:
            found = query(frame, SOURCES, name, rank).visible().locator
            assert found.count() >= 6, (rank, name)
        # What follows the name in a selector must not be swallowed by it.
        assert find_element(page, ElementPhrase(name, "click", "button"), 1).locator.count() == 1

    @settings(deadline=None)
    @given(name=NAME)
    def test_pattern_of_any_text_matches_it(self, name: str) -> None:
        """The pattern of a text matches the text, whatever signs are in it."""
        assert whole_words(name, whole=True).match(name)
        assert is_called(name, name)
        assert "/" not in escape(name).replace("\\/", "")
