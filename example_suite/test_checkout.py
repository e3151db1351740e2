"""From the cart to an order: address, delivery, gift, card, terms."""

import base64

import pytest
from playwright.sync_api import expect

ADDRESS = """
    fill "Full name" with "Dana Demo"
    fill "Email" with "dana@example.com"
    fill "Street and number" with "Kiln Lane 12"
    fill "ZIP code" with "10115"
    fill "City" with "Berlin"
    select "Germany" in "Country"
"""
CARD = """
    fill "Card number" with "4242 4242 4242 4242"
    fill "Expiry date" with "12/39"
    fill "Security code" with "123"
    click "Save card"
    wait for "Card ending in 4242 is ready."
"""


@pytest.fixture(autouse=True)
def _one_cup_in_the_cart(dana):
    """At the checkout, with an espresso cup for $11.00."""
    dana.goto("/products/3")
    dana.do('click "Add to cart" next to "Quantity", then open "/checkout"')


def test_order(dana, database):
    """A complete form becomes an order, the stock shrinks, and the cart is empty."""
    dana.do(ADDRESS)
    dana.do('choose "Standard" in "Delivery"')
    dana.do(CARD)
    dana.do('check "I accept the Terms and conditions" and click "Place order"')
    page = dana.page
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you for your order")
    expect(page.get_by_text("Your order number is MUG-1003.")).to_be_visible()
    expect(page.get_by_role("link", name="Cart")).to_have_text("Cart (0 items)")
    order = "SELECT name, city, country, delivery, card_last4, total FROM orders WHERE id = 1003"
    assert database.execute(order).fetchall() == [
        ("Dana Demo", "Berlin", "Germany", "Standard", "4242", 1590)
    ]
    assert database.execute("SELECT stock FROM products WHERE id = 3").fetchone() == (39,)
    assert database.execute("SELECT count(*) FROM cart_items").fetchone() == (0,)


def test_order_with_everything(dana, database):
    """Coupon, express, a gift note and a drawing are all in the order."""
    dana.do('open "/cart", fill "Coupon code" with "WELCOME10" and click "Apply coupon"')
    dana.do('click "Go to checkout"')
    dana.do(ADDRESS)
    dana.do('choose "Express" in "Delivery"')
    dana.do('fill "Gift note" with "Happy birthday, Rita!"')
    _draw_a_line(dana.page)
    dana.do(CARD)
    dana.do('check "I accept the Terms and conditions" and click "Place order"')
    page = dana.page
    expect(page.get_by_role("definition")).to_have_text(["$11.00", "−$1.10", "$12.90", "$22.80"])
    expect(page.get_by_role("blockquote")).to_have_text("Happy birthday, Rita!")
    expect(page.get_by_role("img", name="Greeting card that you drew")).to_be_visible()
    expect(page.get_by_text("1 stroke drawn")).to_be_visible()
    [drawing] = database.execute("SELECT drawing FROM orders WHERE id = 1003").fetchone()
    assert base64.b64decode(drawing.partition(",")[2]).startswith(b"\x89PNG")


def test_empty_form(dana, database):
    """Everything that is missing is listed, and there is no order."""
    dana.do('click "Place order"')
    page = dana.page
    problems = page.get_by_role("alert", name="Please correct 9 entries")
    expect(problems.get_by_role("listitem")).to_have_text(
        [
            "Enter your full name.",
            "Enter your email address.",
            "Enter your street and house number.",
            "Enter your city.",
            "Enter your ZIP code.",
            "Choose a country.",
            "Choose a delivery.",
            "Enter your card and save it.",
            "Accept the terms and conditions.",
        ]
    )
    expect(page.get_by_label("Full name")).to_have_accessible_description("Enter your full name.")
    assert database.execute("SELECT max(id) FROM orders").fetchone() == (1002,)


@pytest.mark.parametrize(
    ("field", "wrong", "message"),
    [
        ("Email", "dana@example", "Enter an email address such as name@example.com."),
        ("ZIP code", "Berlin", "Enter a ZIP code such as 10115."),
        ("Gift note", "So " * 120, "The gift note may have at most 300 characters."),
    ],
)
def test_wrong_entry(dana, field, wrong, message):
    """A wrong entry has its message, and what was entered is still there."""
    dana.do(ADDRESS)
    dana.do(
        "fill {field} with {wrong} and click 'Place order'", data={"field": field, "wrong": wrong}
    )
    page = dana.page
    problems = page.get_by_role("alert", name="Please correct 4 entries")
    expect(problems.get_by_role("listitem").filter(has_text=message)).to_have_count(1)
    expect(page.get_by_label(field)).to_have_value(wrong.strip())
    expect(page.get_by_label("Full name")).to_have_value("Dana Demo")
    expect(page.get_by_label("Country")).to_have_value("Germany")


@pytest.mark.parametrize(
    ("delivery", "price", "total"),
    [("Standard", "$4.90", "$15.90"), ("Express", "$12.90", "$23.90")],
)
def test_delivery_is_in_the_total(dana, delivery, price, total):
    """The total changes as soon as a delivery is chosen."""
    amounts = dana.page.get_by_role("region", name="Your order").get_by_role("definition")
    expect(amounts).to_have_text(["$11.00", "not chosen yet", "$11.00"])
    dana.do('choose {delivery} under "Delivery"', data={"delivery": delivery})
    expect(amounts).to_have_text(["$11.00", price, total])


def test_terms_open_in_a_new_tab(dana):
    """The terms can be read in a tab of their own; the checkout is left as it was."""
    dana.do('fill "City" with "Berlin", then click "Terms and conditions" in "Your order"')
    dana.do('switch to tab "Terms and conditions"')
    expect(dana.page.get_by_role("heading", level=1)).to_have_text("Terms and conditions")
    assert len(dana.page.context.pages) == 2
    dana.do("close the tab")
    expect(dana.page.get_by_role("heading", level=1)).to_have_text("Checkout")
    expect(dana.page.get_by_label("City")).to_have_value("Berlin")
    expect(dana.page.get_by_role("checkbox")).not_to_be_checked()


def test_wrong_card(dana):
    """The payment form tells what is wrong with a card, field by field, and saves nothing."""
    dana.do('fill "Card number" with "4242", fill "Expiry date" with "12/19"')
    dana.do('fill "Security code" in "Card payment" with "12" and click "Save card"')
    page = dana.page
    frame = page.frame_locator("iframe[title='Card payment']")
    expect(frame.get_by_text("A card number has 13 to 19 digits.")).to_be_visible()
    expect(frame.get_by_text("This card has expired.")).to_be_visible()
    expect(frame.get_by_text("The security code has 3 or 4 digits.")).to_be_visible()
    expect(page.get_by_text("No card saved yet.")).to_be_visible()


def test_draw_and_clear_the_greeting_card(dana):
    """Each stroke is counted, and Clear starts again."""
    page = dana.page
    strokes = page.get_by_role("region", name="Is it a gift?").get_by_role("status")
    _draw_a_line(page)
    dana.do('click "Greeting card"')
    expect(strokes).to_have_text("2 strokes drawn")
    dana.do('click "Clear" under "Draw a greeting card"')
    expect(strokes).to_have_text("0 strokes drawn")


def _draw_a_line(page):
    """Across the canvas with the mouse: that is not a thing of words."""
    canvas = page.get_by_role("img", name="Greeting card")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 40, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 120, steps=5)
    page.mouse.up()
