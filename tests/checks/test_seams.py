"""Texts of elements side by side on a line, which an outline shows with a blank between them."""

from playwright.sync_api import expect

from pytest_webtask.checks.element import Matches, State, Text
from pytest_webtask.checks.page import Absent
from pytest_webtask.checks.page_history import EarlierPage
from pytest_webtask.data.text import as_written, says, whole_words
from pytest_webtask.types.page import Shown
from tests.checks.desk import Desk

APART = "<span>{}</span><span style='margin-left:1em'>10</span>"
CONTAINED = {
    "<strong>2</strong>items left": ("2 items left", "2items left"),
    "<strong>2</strong><span>items</span><span> left</span>": ("2 items left",),
    "53<sup>%</sup>": ("53 %", "53%"),
    "Un<em>believ</em>able": ("Un believ able", "Unbelievable"),
    APART.format("Paid"): ("Paid 10", "Paid10"), APART.format(1): ("1 10",),
    "<span>1</span><span>10</span>": ("110",),
    "<b>$</b><span>41</span><sup>.00</sup>": ("$ 41 .00", "$41.00"),
    "Rows<b>7</b>": ("Rows 7",), "<i>A</i><!-- --><i>B</i>": ("A B",),
    "<a href=#>View<span>4</span></a>": ("View 4",),
}  # fmt: skip
UNSAID = [
    # Another number, drawn as one or as two.
    (APART.format(1), "110"), ("<span>1</span><span>10</span>", "1 10"),
    ("<span>1</span><span>2</span>", "2"), ("<span>1</span><span>2</span>", "1"),
    ("<span>$1</span><span>5</span>", "$1"), ("<span>$1</span><span>.50</span>", "$1"),
    ("<span>$12</span><span>,300</span>", "$12"), ("<b>-</b><span>5</span>", "5"),
    ("<b>-</b><span>$5</span>", "$5"), ("<span>5</span><span>k</span>", "5"),
    ("12<span>:30</span>", "12"),
    # A part of a word; a blank where none is drawn, and none where elements meet; what is not drawn.
    ("item<span>s</span>", "item"), ("<b>un</b>paid", "paid"), ("H<sub>2</sub>O", "2"),
    ("invalid <b>code</b>", "in valid"), ("<b>no</b> where", "nowhere"),
    ("<div>Paid</div><div>10</div>", "Paid10"),
    ("<b>2</b><span style='display:none'>old</span> items", "2 old items"),
]  # fmt: skip


def test_text_of_adjoining_elements_is_found_with_and_without_a_blank(desk: Desk) -> None:
    """Adjoining texts match with and without the outline's blank in checks, replays and exports."""
    for body, words in [(body, each) for body, texts in CONTAINED.items() for each in texts]:
        desk.show(f"<div id=it>{body}</div><p>end")
        checked = desk.result("text", element_id="#it", text=words, exact=True)
        assert checked.holds, (body, checked)
        assert desk.text("#it", words) == "holds", body
        written = checked.check.expected_texts()[0]
        assert desk.text("#it", written, exact=True) == "holds", body
        if "1 10" not in words:
            pattern = whole_words(written, whole=True)
            expect(desk.page.locator("#it")).to_have_text(pattern, use_inner_text=True, timeout=1)


def test_text_of_adjoining_elements_is_no_other_word_or_number(desk: Desk) -> None:
    """Adjoining texts are not split into other words or numbers."""
    for body, words in UNSAID:
        desk.show(f"<div id=it>{body}</div>")
        assert desk.text("#it", words).startswith("no"), (body, words)


def test_absence_fact_and_order_of_adjoining_elements(desk: Desk) -> None:
    """A text is there without the outline's blank, in an order, too; its fact is whole and has no marks."""
    desk.show("<ul><li>Rows<b>7</b><li>Rows<b>17</b></ul>")
    assert desk.absent("Rows 7").startswith("no")
    assert desk.absent("Rows 1") == "holds"
    checked = desk.result("text", element_id="listitem:Rows7", text="Rows 7")
    assert checked.fact and (checked.fact.text, checked.fact.match) == ("Rows7", "whole")
    assert "\u2060" not in checked.model_dump_json() + repr(checked)
    items = ["listitem:Rows7", "listitem:Rows17"]
    assert desk.order(items, ["Rows 7", "Rows 17"]) == "holds"
    assert desk.order(items, ["Rows 17", "Rows 7"]).startswith("no")


def test_recorded_text_has_the_blanks_of_the_page() -> None:
    """A text is recorded as the page writes it, placeholders included."""
    assert as_written("2 items left", "so 2\u2060items left", "2 items left") == "2items left"
    assert as_written("2 items left", "2\u2060items left", "{n} items left") == "{n}items left"
    assert as_written("2 items", "3 items", "2 items") == "2 items"
    assert as_written("2 items", "2 items", "2 items") == "2 items"
    assert as_written("a b c", "a\u2060b c", "{x} c") == "{x} c"


def test_text_without_the_blank_of_the_outline_held_before(desk: Desk) -> None:
    """A text as the page writes it held before, although the outline has a blank in it."""
    desk.show("<ul><li>53<sup>%</sup> of <b>7</b>rows<li>12 items</ul>")
    seen = desk.look()
    item = desk.id_of("listitem:53")
    before = EarlierPage(seen.seen, seen.seen, item)
    for words in ("53%", "53% of 7rows", "7rows"):
        assert Text(element_id=item, text=words).held_before(before) is True
    for words in ("3%", "2 items", "53% of 7row"):
        assert Text(element_id=item, text=words).held_before(before) is False


def test_absence_of_an_element_that_was_listed_did_not_hold_before(desk: Desk) -> None:
    """An element of the role and name was there; one of another role, or of a longer name, does not count."""
    desk.show("<button>Delete Bob (2)</button><p>Delete Ann")
    before = EarlierPage(desk.look().seen)
    assert Absent(role="button", name="Delete Bob (2)").held_before(before) is False
    assert Absent(role="button", name="Delete Ann").held_before(before) is None
    assert Absent(role="button", name="Delete Bob").held_before(before) is None
    assert Absent(role="button", name="Delete Eve").held_before(before) is True


def test_option_is_no_earlier_state(desk: Desk) -> None:
    """The options of a choice say nothing of the state in which it was; its own words do."""
    desk.show("<select aria-label=Size required><option>S<option>disabled</select>")
    seen = desk.look().seen
    desk.page.evaluate("document.querySelector('select').disabled = true")
    before = EarlierPage(seen, desk.look().seen, "combobox-0")
    assert before.was == Shown("combobox", "Size", "", "S", frozenset({"required"}))
    assert before.was.describe() == 'combobox "Size" = "S" required'
    assert State(element_id="combobox-0", state="disabled").held_before(before) is False


def test_element_drawn_again_with_another_text_is_not_known_to_be_new(desk: Desk) -> None:
    """What an element said before it was drawn again with another number is no effect; its number is."""
    desk.show("<p><b>2 items left</b></p><i>A</i>")
    seen = desk.look().seen
    desk.page.evaluate("document.body.innerHTML = '<h2>B</h2><p><b>3 items left</b></p><u>C</u>'")
    before = EarlierPage(seen, desk.look().seen, desk.id_of("text:3 items"))
    assert before.is_new
    assert Text(element_id="x", text="items left").held_before(before) is None
    assert Text(element_id="x", text="3 items left").held_before(before) is False
    assert Matches(element_id="x", pattern=r"\d items left").held_before(before) is None
    assert Matches(element_id="x", pattern="3 items left").held_before(before) is False


def test_marks_between_texts_of_an_outline_may_be_copied(desk: Desk) -> None:
    """A line of the outline matches with and without the marks between its texts; a page's own have no effect."""
    desk.show("<div id=it>So <span id=n class=x>7</span> of 9</div>")
    assert "· of 9" in desk.look().outline
    assert desk.text("#it", "So 7 · of 9") == "holds"
    assert desk.text("#it", "So 7 of 9") == "holds"
    desk.show("<p id=it>A · B")
    assert desk.text("#it", "A · B") == "holds"
    assert desk.result("text", element_id="#it", text="A · B").check.expected_texts() == ["A · B"]
    desk.show("<p id=it>in\u2060valid 1\u206010")
    assert desk.text("#it", "in valid").startswith("no")
    assert desk.text("#it", "1 10").startswith("no")
    assert says("invalid", "in\u2060valid")
