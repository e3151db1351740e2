"""Tests of `webtask.within`: sentences that are about one part of the page."""

import pytest
from playwright.sync_api import Page

from pytest_webtask.errors import NotFound, NotLiteral, TaskFailed, Undecided, UsageError
from pytest_webtask.run.webtask import Webtask
from tests.literal.names import Outcome, Unexpected, failure
from tests.scripted import Html

SHOP = """
<p id=done></p>
<section aria-label=Wishlist><ul>
  <li>Mug <button onclick="say('wished')">Remove</button><li>Jug <button>Remove</button></ul>
  <label>Note <input value=wish></label><p>Sold out</p></section>
<section aria-label=Cart><p>3 pieces</p><ul>
  <li>Mug <button onclick="say('mug')">Remove</button> <button onclick="say('more')">More</button>
  <li>Pen <button onclick="say('pen')">Remove</button> <button>More</button></ul>
  <label>Note <input value=cart></label></section>
<h2>Delivery</h2><button onclick="say('sent')">Send</button><p>Tomorrow</p>
<h2>Gift</h2><button onclick="say('given')">Send</button><button>Wrap</button><p>Free</p>
<iframe title=Card srcdoc="<label>Number <input></label><p>Visa</p>"></iframe>
<script>function say(text) { done.textContent = text }</script>
"""

pytestmark = pytest.mark.webtask(timeout=2.5)


@pytest.fixture(autouse=True)
def _shop(html: Html) -> None:
    html(SHOP)


def _done(webtask: Webtask) -> str | None:
    return webtask.page.locator("#done").text_content()


class TestActions:
    def test_name_elsewhere_on_the_page_is_not_ambiguous(self, webtask: Webtask) -> None:
        """A name is looked for in the part only, with and without a place of its own."""
        with webtask.within("Cart"):
            webtask.do('click "Remove" next to "Pen", fill "Note" with "now"')
            assert webtask.extract('the value of "Note"') == "now"
        assert _done(webtask) == "pen"
        assert webtask.page.get_by_label("Note").first.input_value() == "wish"

    def test_nested_part_is_looked_for_in_the_outer_one(self, webtask: Webtask) -> None:
        """The row of the mug in the cart is meant, not that in the wishlist."""
        with webtask.within("Cart"), webtask.within('the "Mug" list item'):
            webtask.do('click "Remove"')
        assert _done(webtask) == "mug"
        with pytest.raises(TaskFailed, match="4 elements could be"):
            webtask.do('click "Remove"')

    def test_part_below_a_heading_ends_at_the_next_one(self, webtask: Webtask) -> None:
        """Elements beside a heading are its part, though nothing contains just them."""
        with webtask.within("Gift"):
            webtask.do('click "Send"')
            assert webtask.select('"Send"').count() == 1
        assert _done(webtask) == "given"

    def test_frame_is_a_part(self, webtask: Webtask) -> None:
        """A frame is named by its title."""
        with webtask.within('the "Card" frame'):
            webtask.do('fill "Number" with "42"')
            webtask.verify('"Number" has value "42", "Visa" is shown, "Mug" is not shown')

    def test_element_outside_is_missing_and_not_suggested(self, webtask: Webtask) -> None:
        """The message names the part, and lists what that has; a place must be in it, too."""
        with webtask.within("Cart"):
            text = failure(webtask, 'click "Wrap"')
            assert 'called "Wrap" in "Cart"' in text and "Send" not in text
            place = failure(webtask, 'click "Remove" next to "Jug"')
            assert 'there is no "Jug" in "Cart"' in place

    @pytest.mark.webtask(timeout=5)
    def test_part_that_comes_later_is_awaited(self, webtask: Webtask) -> None:
        """A part that the page shows in a moment is there."""
        webtask.page.evaluate(
            "setTimeout(() => document.body.insertAdjacentHTML('beforeend',"
            " '<section aria-label=Late><button>Send</button></section>'), 300)"
        )
        with webtask.within("Late"):
            webtask.do('click "Send"')

    def test_part_that_is_drawn_again_is_found_again(self, webtask: Webtask) -> None:
        """An action that replaces the part does not end the sentence."""
        webtask.page.evaluate(
            "document.querySelector('[aria-label=Cart]').addEventListener('click', (e) => {"
            " e.currentTarget.outerHTML = `<section aria-label=Cart><label>Note <input></label></section>` })"
        )
        with webtask.within("Cart"):
            webtask.do('click "More" next to "Mug", fill "Note" with "x"')


USERS = """
<table aria-label=Users><tr><td>Ann<td>Admin<td><button onclick="done.textContent='user'">Delete</button></table>
<table aria-label=Guests><tr><td>Ann<td>Guest<td><button>Delete</button></table><p id=done></p>
"""


@pytest.mark.webtask(timeout=1)
def test_address_of_a_message_is_read(webtask: Webtask, html: Html, outcome: Outcome) -> None:
    """Kinds may precede the names, and further containers follow `of`, as in the list of candidates."""
    html(USERS)
    address = 'button "Delete" in row "Ann" of table "Users"'
    text = failure(webtask, 'click "Delete" in the "Ann" row')
    assert address in text
    webtask.do(f"click {address}")
    assert _done(webtask) == "user"
    assert outcome('row "Ann" of table "Users" shows "Admin"') == "passed"
    assert outcome('row "Ann" of table "Guests" shows "Admin"').startswith("failed")
    assert outcome('the "Delete" button in row "Ann" of table "Staff" is shown') != "passed"


CLAIMS = [
    ('"3 pieces" is shown', "passed"),
    ('"Sold out" is shown', 'failed: "Cart" does not show "Sold out"'),
    ('"Sold out" is not shown', "passed"),
    ('"3 pieces" is not shown', 'failed: "Cart" shows "3 pieces"'),
    ('there are 2 "Remove" buttons, there are 2 items', "passed"),
    ('there is no "Send" button', "passed"),
    ("there are no items", "failed: there are 2"),
    ('"Note" has value "cart"', "passed"),
    ('the "Mug" list item shows "More"', "passed"),
    ('the "Jug" list item shows "Remove"', "undecided"),
    ('there is a "Remove" button in the "Mug" list item', "passed"),
    ('the "Send" button is shown', "failed"),
    ('"Send" is visible', "failed"),
    ('"Remove" in "Pen" is not shown', "failed"),
    ('"Wrap" is enabled', "undecided"),
    # The address is not in the page.
    ('the URL is "/"', "failed"),
]


class TestClaims:
    def test_claim_is_about_the_part_only(self, webtask: Webtask, unexpected: Unexpected) -> None:
        """What stands elsewhere neither fulfills nor refutes a claim."""
        with webtask.within("Cart"):
            assert not unexpected(CLAIMS)

    def test_text_below_a_heading_is_in_its_part(self, webtask: Webtask, outcome: Outcome) -> None:
        """The part ends at the next heading."""
        with webtask.within("Delivery"):
            assert outcome('"Tomorrow" is shown, "Free" is not shown') == "passed"

    def test_part_that_reaches_out_of_the_scope_is_not_in_it(
        self, webtask: Webtask, html: Html, outcome: Outcome
    ) -> None:
        """A heading in a bar heads what stands below the bar, which is no longer in the bar."""
        html("<div role=group aria-label=Bar><h2>Cart</h2><b>New</b></div><p>3 pieces</p>")
        with webtask.within("Bar"):
            assert outcome('"Cart" shows "3 pieces"') != "passed"
            assert outcome('"New" is shown, "3 pieces" is not shown') == "passed"


class TestRefusals:
    @pytest.mark.parametrize("name", ["Kart", 'the "Pot" list item in "Cart"'])
    def test_missing_part_fails_at_the_first_sentence(self, webtask: Webtask, name: str) -> None:
        """Nothing is done, claimed or read in a part that is not there."""
        with webtask.within(name):
            with pytest.raises(TaskFailed, match=r"there is no .*\(waited"):
                webtask.do("press Enter")
            with pytest.raises(Undecided, match="there is no "):
                webtask.verify('"Sold out" is not shown')
            with pytest.raises(NotFound, match="there is no "):
                webtask.extract("the title")

    def test_part_at_the_beginning_of_a_sentence_must_be_there(self, webtask: Webtask) -> None:
        """A claim that looks at no element needs its part, too."""
        with pytest.raises(Undecided, match='there is no "Kart"'):
            webtask.verify('in "Kart": the console has no errors')

    def test_ambiguous_part_names_the_candidates(self, webtask: Webtask) -> None:
        """Two parts of one name are an error, as two elements are."""
        with webtask.within('the "Mug" list item'):
            assert "2 elements could be" in failure(webtask, 'click "Remove"')

    @pytest.mark.parametrize(
        ("body", "problem"),
        [
            (2 * "<iframe title=Note srcdoc='<p>Mug'></iframe>", "2 elements could be"),
            ("<section aria-label=Note>Mug</section><iframe title=Note></iframe>", "2 elements"),
            ("<div><b>Note</b> <i>3</i></div><p>Mug</p>", "no part with borders of its own"),
        ],
    )
    def test_part_that_may_be_another_is_undecided(
        self, webtask: Webtask, page: Page, body: str, problem: str
    ) -> None:
        """What a part does not show says nothing if it may be another one, or end somewhere else."""
        page.set_content(body)
        with webtask.within("Note"), pytest.raises(Undecided, match=problem):
            webtask.verify('"Mug" is not shown', timeout=0.5)

    @pytest.mark.parametrize("sentence", ['the page shows "Mug"', 'the page does not show "Mug"'])
    def test_claim_about_the_page_is_refused(self, webtask: Webtask, sentence: str) -> None:
        """A claim about all of the page is not about its part."""
        with webtask.within("Cart"), pytest.raises(NotLiteral, match="is about the whole page"):
            webtask.verify(sentence)

    def test_wait_for_a_text_is_refused(self, webtask: Webtask) -> None:
        """A wait would count a text anywhere."""
        with webtask.within("Cart"), pytest.raises(NotLiteral, match="anywhere on the page"):
            webtask.do('wait for "Mug"')

    @pytest.mark.parametrize("name", ["", 'the "Mug', '"Cart" shows', None])
    def test_name_of_no_part_is_refused(self, webtask: Webtask, name: str) -> None:
        """The error says what the name of a part is."""
        with pytest.raises(UsageError, match="takes the name of a part"):
            webtask.within(name)
