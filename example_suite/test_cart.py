"""The cart: what goes in, what it costs, what comes out."""

from playwright.sync_api import expect


def test_mug_goes_into_the_cart(webtask):
    webtask.goto("/")
    webtask.do('click "All mugs" and click "Espresso Cup"')
    webtask.do('fill "Quantity" with "2", then click the "Add to cart" button next to "Quantity"')
    webtask.do('wait for "Added 2 × Espresso Cup to your cart."')


def test_add_from_the_list(webtask):
    """The button in the list adds one piece and stays in the list."""
    webtask.goto("/products")
    webtask.do('click "Add to cart" next to "Espresso Cup"')
    page = webtask.page
    expect(page.get_by_role("heading", level=1)).to_have_text("All products")
    expect(page.get_by_text("Added 1 × Espresso Cup to your cart.")).to_be_visible()
    expect(page.get_by_role("link", name="Cart")).to_have_text("Cart (1 item)")


def test_option_and_quantity(webtask):
    """A product is put into the cart in the chosen colour and number."""
    webtask.goto("/products")
    webtask.do('click "Choose colour" next to "Speckled Mug"')
    webtask.do('select "Charcoal" in "Colour" and fill "Quantity" with "3"')
    webtask.do('click "Add to cart" next to "Colour", then click "Cart (3 items)"')
    row = webtask.page.get_by_role("row").filter(has_text="Speckled Mug")
    expect(row).to_contain_text("Charcoal")
    expect(row.get_by_label("Quantity of Speckled Mug")).to_have_value("3")
    expect(row.get_by_role("cell").nth(2)).to_have_text("$54.00")


def test_change_a_quantity(webtask):
    """A new quantity changes that row and the total."""
    webtask.goto("/products")
    webtask.do('click "Add to cart" next to "Espresso Cup"')
    webtask.do('click "Add to cart" next to "Striped Mug", then open "/cart"')
    webtask.do('fill "Quantity of Espresso Cup" with "4", click "Update" next to "Espresso Cup"')
    page = webtask.page
    expect(page.get_by_label("Quantity of Espresso Cup")).to_have_value("4")
    expect(page.get_by_label("Quantity of Striped Mug")).to_have_value("1")
    expect(page.get_by_role("definition")).to_have_text(["$60.50", "$60.50"])


def test_plus_and_minus(webtask):
    """Plus adds one piece, minus takes one away, and the last one takes the row away."""
    webtask.goto("/products")
    webtask.do('click "Add to cart" next to "Espresso Cup", then open "/cart"')
    quantity = webtask.page.get_by_label("Quantity of Espresso Cup")
    webtask.do('click "One more Espresso Cup"')
    expect(quantity).to_have_value("2")
    webtask.do('click "One fewer Espresso Cup"')
    expect(quantity).to_have_value("1")
    webtask.do('click "One fewer Espresso Cup"')
    expect(webtask.page.get_by_text("Your cart is empty.")).to_be_visible()


def test_remove(webtask, database):
    """Removing one product leaves the other."""
    webtask.goto("/products")
    webtask.do('click "Add to cart" next to "Espresso Cup"')
    webtask.do('click "Add to cart" next to "Striped Mug"')
    webtask.do('click "Cart (2 items)" and click "Remove" next to "Striped Mug"')
    page = webtask.page
    expect(page.get_by_role("status")).to_have_text("Striped Mug was removed from your cart.")
    expect(page.get_by_role("rowheader")).to_have_text(["Espresso Cup"])
    assert database.execute("SELECT product_id FROM cart_items").fetchall() == [(3,)]


def test_more_than_there_are(webtask):
    """Nothing is added where there are not enough pieces."""
    webtask.goto("/products/5")
    webtask.do('fill "Quantity" with "10" and click the "Add to cart" button next to "Quantity"')
    page = webtask.page
    expect(page.get_by_role("alert")).to_have_text("Only 9 pieces of Giant Cocoa Mug are in stock.")
    expect(page.get_by_role("link", name="Cart")).to_have_text("Cart (0 items)")


def test_coupon(webtask):
    """The coupon takes ten percent off."""
    webtask.goto("/products")
    webtask.do('click "Add to cart" next to "Striped Mug", then open "/cart"')
    webtask.do('fill "Coupon code" with "WELCOME10" and click "Apply coupon"')
    page = webtask.page
    expect(page.get_by_role("status")).to_have_text("Coupon WELCOME10 applied: 10% off.")
    expect(page.get_by_role("definition")).to_have_text(["$16.50", "−$1.65", "$14.85"])


def test_remove_the_coupon(webtask):
    """Without its coupon the cart costs what it did before."""
    webtask.goto("/products")
    webtask.do('click "Add to cart" next to "Espresso Cup", then open "/cart"')
    webtask.do('fill "Coupon code" with "WELCOME10", press Enter and click "Remove coupon"')
    expect(webtask.page.get_by_role("definition")).to_have_text(["$11.00", "$11.00"])
    expect(webtask.page.get_by_label("Coupon code")).to_be_empty()


def test_coupon_that_does_not_exist(webtask):
    """A wrong coupon is named, and nothing is taken off."""
    webtask.goto("/products")
    webtask.do('click "Add to cart" next to "Espresso Cup", then open "/cart"')
    webtask.do('fill "Coupon code" with "FREE-MUGS" and click "Apply coupon"')
    expect(webtask.page.get_by_role("alert")).to_have_text("The coupon FREE-MUGS is not valid.")
    expect(webtask.page.get_by_role("definition")).to_have_text(["$11.00", "$11.00"])
