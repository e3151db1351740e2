"""Help, messages to the workshop, the stock check, and pages that tell what went wrong."""

import pytest
from playwright.sync_api import expect


def test_question_and_answer(webtask):
    """An answer opens below its question, and closes again."""
    webtask.goto("/contact")
    answer = webtask.page.get_by_text("Yes, within 30 days, unused and in its box.")
    expect(answer).to_be_hidden()
    webtask.do('click "Can I return a mug that I do not like?"')
    expect(answer).to_be_visible()
    webtask.do('click "Can I return a mug that I do not like?"')
    expect(answer).to_be_hidden()


def test_message_in_bold(webtask):
    """A message keeps its formatting, and is listed once it was sent."""
    webtask.goto("/contact")
    webtask.do('fill "Subject" with "Blue mugs" and fill "Message" with "I need twenty of them."')
    webtask.do('press Control+A in "Message", click "Bold", click "Send message"')
    page = webtask.page
    expect(page.get_by_role("status")).to_have_text("Thank you. We have received your message.")
    message = page.get_by_role("region", name="Your messages").get_by_role("article")
    expect(message.get_by_role("heading")).to_contain_text("Blue mugs")
    expect(message.locator("b")).to_have_text("I need twenty of them.")


def test_message_goes_on_where_it_ended(webtask, database):
    """What is typed is added to what is there."""
    webtask.goto("/contact")
    webtask.do('fill "Subject" with "Mugs", fill "Message" with "Mugs"')
    webtask.do('press End in "Message", type ", please" into "Message", click "Send message"')
    expect(webtask.page.get_by_role("article")).to_contain_text("Mugs, please")
    assert database.execute("SELECT html FROM messages").fetchall() == [("Mugs, please",)]


def test_empty_message(webtask, database):
    """A subject alone is not sent."""
    webtask.goto("/contact")
    webtask.do('fill "Subject" with "Hello?" and click "Send message"')
    expect(webtask.page.get_by_role("alert")).to_have_text(
        "Please fill in a subject and a message."
    )
    assert database.execute("SELECT count(*) FROM messages").fetchone() == (0,)


def test_slow_stock_check(webtask):
    """The list comes after a while, with what is running low."""
    webtask.goto("/")
    webtask.do('click "Stock check" and wait for "4 products checked."')
    low = webtask.page.get_by_role("region", name="Running low")
    expect(low.get_by_role("listitem")).to_have_text(
        [
            "Moonlight Mug: Out of stock",
            "Salad Bowl: Only 7 left",
            "Oval Serving Plate: Only 8 left",
            "Giant Cocoa Mug: Only 9 left",
        ]
    )


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/products/999", "We could not find that page"),
        ("/broken", "Something broke in our workshop"),
    ],
)
def test_error_page(webtask, path, title):
    """An error is a page of the shop, with a way back."""
    webtask.goto(path)
    expect(webtask.page.get_by_role("heading", level=1)).to_have_text(title)
    webtask.do('click "Back to the shop"')
    expect(webtask.page).to_have_title("Handmade tableware – Kiln & Co.")
